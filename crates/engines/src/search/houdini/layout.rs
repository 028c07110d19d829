//! What guesses about objects speak of: the scalars in them, and numbers of the program.

use super::elements::{array_below, within_types};
use crate::view::blocks::{InlinedView, spelled_out};
use craig_base::{Map, OrderedSet};
use craig_program::{Cell, Expr, ExprId, Program, RegionId, Scope, StateVar, Stmt, Type, stmt_operands};
use craig_term::{Op, TermId, Terms};

/// Fields of objects that guesses speak of.
const MAX_FIELDS: usize = 6;
/// Numbers of the program that fields are compared with.
const MAX_CONSTANTS: usize = 5;
/// Scalars and addresses of static objects.
const MAX_CELLS: usize = 4;
const MAX_ADDRESSES: usize = 3;

/// A scalar in objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Field {
    pub region: RegionId,
    pub offset: u64,
    pub ty: Type,
}

impl Field {
    /// Whether the objects that a link leads to can have a field.
    pub fn leads_to(&self, program: &Program, field: &Field) -> bool {
        let mut parts = program.provenance.classes.iter().flat_map(|class| &class.parts);
        let content = parts.find(|part| part.region == self.region).and_then(|part| part.content);
        content.is_none_or(|to| {
            program.provenance.missing(to.class).all(|missing| missing != (field.region, field.offset))
        })
    }
}

#[derive(Default)]
pub(super) struct Layout {
    /// Of allocated objects, links first.
    pub fields: Vec<Field>,
    /// Links of static objects among the allocated ones, by the address, and those of these addresses that the program
    /// has.
    pub cells: Vec<(u64, Field)>,
    pub addresses: Vec<i128>,
    /// Small numbers.
    pub constants: Vec<i128>,
}

impl Layout {
    pub fn new(tm: &mut Terms, view: &InlinedView<'_>) -> Layout {
        let program = view.program;
        let Some(Scope::Global { init: first }) = program.next_address.map(|next| program.vars[next].scope)
        else {
            return Layout::default();
        };
        let unit = i128::from(program.data_model.guard_bytes());
        let (mut fields, mut cells) = (OrderedSet::default(), OrderedSet::default());
        for (region, ty, index) in accesses(tm, view) {
            let sum = tm.linear(index);
            let Some(constant) = sum.constant.to_int().and_then(|constant| constant.to_i128()) else {
                continue;
            };
            if !sum.terms.is_empty() && (0..unit).contains(&constant) && is_part(program, region, constant) {
                fields.insert(Field { region, offset: constant as u64, ty });
            }
            if sum.terms.is_empty() && (1..first).contains(&constant) && ty == Type::Pointer {
                cells.insert((constant as u64, Field { region, offset: 0, ty }));
            }
        }
        let mut fields: Vec<Field> = fields.into_iter().collect();
        fields.sort_by_key(|field| (field.ty != Type::Pointer, *field));
        fields.truncate(MAX_FIELDS);
        let mut layout = Layout { fields, ..Layout::default() };
        layout.cells = cells.into_iter().take(MAX_CELLS).collect();
        layout.find_constants(program);
        layout
    }

    fn find_constants(&mut self, program: &Program) {
        let (mut small, mut addresses) = (OrderedSet::default(), OrderedSet::default());
        let is_cell = |value: i128| self.cells.iter().any(|(cell, _)| i128::from(*cell) == value);
        let mut value = |id: ExprId| {
            if let Expr::Const(Type::Pointer, value) = program.exprs.get(id)
                && is_cell(value)
            {
                addresses.insert(value);
            }
        };
        for edge in &program.procs[program.entry].edges {
            if let Stmt::Assign(_, assigned) = edge.stmt {
                value(assigned);
            }
            for id in program.exprs.postorder(&stmt_operands(&edge.stmt)) {
                match program.exprs.get(id) {
                    Expr::Const(Type::Int(_), value) if (1..=1 << 16).contains(&value) => {
                        small.insert(value);
                    }
                    // What memory is accessed at is no value.
                    Expr::Binary(_, a, b) | Expr::Ite(_, a, b) => [a, b].into_iter().for_each(&mut value),
                    _ => {}
                }
            }
        }
        self.constants = small.into_iter().take(MAX_CONSTANTS).collect();
        self.addresses = addresses.into_iter().take(MAX_ADDRESSES).collect();
    }
}

/// Whether allocated objects have cells of a region at an offset. Where a pointer leads into the middle of an object, what is
/// added to it is another number.
fn is_part(program: &Program, region: RegionId, offset: i128) -> bool {
    let classes = program.provenance.classes.iter();
    let parts = classes.flat_map(|class| class.parts.iter().map(move |part| (class.stride, part)));
    let mut own = parts.filter(|(_, part)| part.region == region).peekable();
    own.peek().is_none()
        || own.any(|(stride, part)| {
            let offset = if stride == 0 { offset } else { offset.rem_euclid(i128::from(stride)) };
            (i128::from(part.start)..i128::from(part.start + part.size)).contains(&offset)
        })
}

/// Where blocks access regions with allocated objects.
fn accesses(tm: &mut Terms, view: &InlinedView<'_>) -> OrderedSet<(RegionId, Type, TermId)> {
    let mut regions: Map<TermId, (RegionId, Type)> = Map::default();
    for constant in view.encoding.states.iter().flatten() {
        if let StateVar::Region(region) = constant.var
            && view.program.regions[region].allocated
            && let Cell::Scalar(ty) = view.program.regions[region].cell
            && !ty.is_float()
        {
            regions.insert(constant.current, (region, ty));
        }
    }
    let mut found = OrderedSet::default();
    for block in view.encoding.blocks.iter() {
        for t in tm.postorder(&[block.formula]) {
            if matches!(tm.op(t), Op::Select | Op::Store)
                && let Some(array) = array_below(tm, tm.arg(t, 0))
                && let Some(&(region, ty)) = regions.get(&array)
            {
                let index = tm.arg(t, 1);
                let index = spelled_out(tm, block, index);
                found.insert((region, ty, within_types(tm, index)));
            }
        }
    }
    found
}
