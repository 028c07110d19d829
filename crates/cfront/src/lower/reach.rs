//! What the entry can reach, and which objects must be in memory.
//!
//! A function or global that nothing reachable mentions is not lowered. An object is in memory if its type
//! is not split (see [`super::layout`]) or its address is taken by anything but a member access or an index
//! that is a constant within bounds.

use craig_base::{Index, IndexVec};

use super::layout::Layouts;
use super::visit::{Node, initializer_children, walk};
use crate::diagnostics::Diagnostic;
use crate::dialect::EVERYTHING;
use crate::hir::{
    Callee, CastKind, ExprId, ExprKind, FunctionId, GlobalId, LocalId, PlaceId, PlaceKind, Program,
};
use crate::types::ArrayLength;

pub struct Reach {
    /// In the order of discovery, the entry first; also those without a body.
    pub functions: Vec<FunctionId>,
    pub globals: Vec<GlobalId>,
    /// Functions that are used as a value.
    pub address_taken: Vec<FunctionId>,
    /// Functions that are called by name.
    pub called: Vec<FunctionId>,
    pub memory_globals: IndexVec<GlobalId, bool>,
    pub memory_locals: IndexVec<FunctionId, IndexVec<LocalId, bool>>,
}

impl Reach {
    /// What is not modelled in functions that can be reached.
    pub fn refused(&self, program: &Program) -> Vec<Diagnostic> {
        let bodies = self.functions.iter().filter_map(|&id| program.functions[id].body.as_ref());
        bodies.flat_map(|body| body.refused.clone()).collect()
    }
}

pub fn reach(program: &Program, layouts: &mut Layouts, roots: &[FunctionId]) -> Reach {
    let mut search = Search {
        program,
        seen_functions: vec![false; program.functions.len()],
        seen_globals: vec![false; program.globals.len()],
        seen_address: vec![false; program.functions.len()],
        seen_call: vec![false; program.functions.len()],
        out: Reach {
            functions: Vec::new(),
            globals: Vec::new(),
            address_taken: Vec::new(),
            called: Vec::new(),
            memory_globals: IndexVec::from_elem(false, program.globals.len()),
            memory_locals: program
                .functions
                .iter()
                .map(|f| IndexVec::from_elem(false, f.body.as_ref().map_or(0, |body| body.locals.len())))
                .collect(),
        },
    };
    for &root in roots {
        search.function(root);
    }
    let (mut done_functions, mut done_globals) = (0, 0);
    loop {
        if let Some(&function) = search.out.functions.get(done_functions) {
            done_functions += 1;
            if let Some(body) = &program.functions[function].body {
                search.scan(Some(function), &[Node::Stmt(body.block)]);
            }
        } else if let Some(&global) = search.out.globals.get(done_globals) {
            done_globals += 1;
            if let Some(init) = &program.globals[global].init {
                let mut roots = Vec::new();
                initializer_children(init, &mut |node| roots.push(node));
                search.scan(None, &roots);
            }
        } else {
            break;
        }
    }
    let mut out = search.out;
    let types = &program.types;
    if out.called.iter().any(|&f| program.functions[f].name == EVERYTHING) {
        out.globals.iter().for_each(|&global| out.memory_globals[global] = true);
    }
    for &global in &out.globals {
        let split = layouts.leaves(types, program.globals[global].ty.ty).is_some();
        out.memory_globals[global] |= !split;
    }
    for &function in &out.functions {
        let Some(body) = &program.functions[function].body else { continue };
        for (local, declared) in body.locals.enumerated() {
            let split = layouts.leaves(types, declared.ty.ty).is_some();
            out.memory_locals[function][local] |= !split;
        }
    }
    out
}

/// If `place` is `base[index]` with a constant index within the bounds of the array `base`, or `*&base` of
/// the same type (then without an index): that.
pub fn constant_element(program: &Program, place: PlaceId) -> Option<(PlaceId, Option<u64>)> {
    let PlaceKind::Deref(pointer) = program.places[place].kind else { return None };
    let ty = program.places[place].ty.ty;
    let (base, index) = match program.exprs[pointer].kind {
        ExprKind::AddressOf(base) => {
            return (program.places[base].ty.ty == ty && !is_bit_field(program, base))
                .then_some((base, None));
        }
        ExprKind::Decay(base) => (base, 0),
        ExprKind::PtrAdd { pointer, index, negative, scale } => {
            let ExprKind::Decay(base) = program.exprs[pointer].kind else { return None };
            let index = constant_int(program, index)?;
            (scale == program.types.size_of(ty)?).then_some(())?;
            (base, if negative { index.checked_neg()? } else { index })
        }
        _ => return None,
    };
    let (element, length) = program.types.array(program.places[base].ty.ty)?;
    let ArrayLength::Known(length) = length else { return None };
    let index = u64::try_from(index).ok()?;
    (element.ty == ty && index < length).then_some((base, Some(index)))
}

fn is_bit_field(program: &Program, place: PlaceId) -> bool {
    let PlaceKind::Field { record, field } = program.places[place].kind else { return false };
    let record = program.types.as_record(program.places[record].ty.ty);
    record.is_some_and(|id| program.types.fields(id).get(field).is_some_and(|field| field.bits.is_some()))
}

/// The value of an integer literal, possibly converted.
pub fn constant_int(program: &Program, mut expr: ExprId) -> Option<i128> {
    let mut casts = Vec::new();
    loop {
        match program.exprs[expr].kind {
            ExprKind::Cast(CastKind::IntToInt, inner) => {
                casts.push(program.exprs[expr].ty);
                expr = inner;
            }
            ExprKind::Int(mut value) => {
                for ty in casts.into_iter().rev() {
                    value = program.types.int_info(ty)?.wrap(value);
                }
                return Some(value);
            }
            _ => return None,
        }
    }
}

struct Search<'a> {
    program: &'a Program,
    seen_functions: Vec<bool>,
    seen_globals: Vec<bool>,
    seen_address: Vec<bool>,
    seen_call: Vec<bool>,
    out: Reach,
}

impl Search<'_> {
    fn function(&mut self, id: FunctionId) {
        if !std::mem::replace(&mut self.seen_functions[id.index()], true) {
            self.out.functions.push(id);
        }
    }

    fn scan(&mut self, function: Option<FunctionId>, roots: &[Node]) {
        let program = self.program;
        // Places of constant elements are walked by their base, without the pointer between.
        let mut pending = roots.to_vec();
        while let Some(root) = pending.pop() {
            walk(program, &[root], &mut |node| {
                match node {
                    Node::Place(place) => {
                        if let Some((base, _)) = constant_element(program, place) {
                            pending.push(Node::Place(base));
                            return false;
                        }
                        match program.places[place].kind {
                            PlaceKind::Global(global) => {
                                if !std::mem::replace(&mut self.seen_globals[global.index()], true) {
                                    self.out.globals.push(global);
                                }
                            }
                            _ => return true,
                        }
                    }
                    Node::Expr(expr) => match &program.exprs[expr].kind {
                        ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                            self.take_address(function, *place);
                        }
                        ExprKind::FunctionAddress(target) => {
                            self.function(*target);
                            if !std::mem::replace(&mut self.seen_address[target.index()], true) {
                                self.out.address_taken.push(*target);
                            }
                        }
                        ExprKind::Call { callee: Callee::Function(target), .. } => {
                            self.function(*target);
                            if !std::mem::replace(&mut self.seen_call[target.index()], true) {
                                self.out.called.push(*target);
                            }
                        }
                        _ => {}
                    },
                    Node::Stmt(_) => {}
                }
                true
            });
        }
    }

    fn take_address(&mut self, function: Option<FunctionId>, mut place: PlaceId) {
        loop {
            match &self.program.places[place].kind {
                PlaceKind::Global(global) => {
                    self.out.memory_globals[*global] = true;
                    return;
                }
                PlaceKind::Local(local) | PlaceKind::Initialized { local, .. } => {
                    if let Some(function) = function {
                        self.out.memory_locals[function][*local] = true;
                    }
                    return;
                }
                PlaceKind::Field { record, .. } => place = *record,
                PlaceKind::Deref(_) => match constant_element(self.program, place) {
                    Some((base, _)) => place = base,
                    None => return,
                },
                PlaceKind::Temporary(_) => return,
            }
        }
    }
}
