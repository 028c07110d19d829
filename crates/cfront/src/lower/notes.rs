//! What an answer about the program rests on.

use craig_program as ir;
use ir::{BinaryOp, CheckKind, NoteKind, Stmt, Type};

/// The places of static objects, to find accesses that are valid for sure.
struct StaticObjects(std::collections::BTreeMap<u64, u64>);

/// What every answer rests on.
pub(super) fn add_notes(program: &mut ir::Program, allocates: bool, addresses: bool) {
    let objects = StaticObjects::of(program);
    let (mut signed, mut division, mut shift, mut rounding) = (false, false, false, false);
    let mut memory = false;
    let mut roots = Vec::new();
    let mut errors = false;
    for proc in &program.procs {
        errors |= !proc.locations[proc.error].incoming.is_empty();
        memory |= proc.obligations.iter().any(|stated| stated.kind == CheckKind::Memory);
        for edge in &proc.edges {
            memory |= match edge.stmt {
                Stmt::Free(_) => true,
                Stmt::Assign(ir::Place::Memory { addr, ty, .. }, _)
                | Stmt::Input(ir::Place::Memory { addr, ty, .. }, _) => !objects.contain(program, addr, ty),
                _ => false,
            };
            roots.extend(ir::stmt_operands(&edge.stmt));
        }
    }
    for id in program.exprs.postorder(&roots) {
        let is_signed = matches!(program.exprs.ty(id), Type::Int(int) if int.signed);
        match program.exprs.get(id) {
            ir::Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
            | ir::Expr::Unary(ir::UnaryOp::Neg, _) => signed |= is_signed,
            ir::Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, by)
                if program.exprs.ty(id).as_int().is_some() =>
            {
                let by = program.exprs.as_const(by);
                signed |= is_signed && by.is_none_or(|by| by == -1);
                division |= by.is_none_or(|by| by == 0);
            }
            ir::Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, value, by) => {
                let bits = program.exprs.ty(value).as_int().map_or(0, |int| i128::from(int.bits));
                shift |= !program.exprs.as_const(by).is_some_and(|by| (0..bits).contains(&by));
            }
            ir::Expr::Cast(Type::Int(_), value) => rounding |= program.exprs.ty(value).is_float(),
            ir::Expr::Load { addr, ty, .. } => memory |= !objects.contain(program, addr, ty),
            _ => {}
        }
    }
    let mut add = |kind, text: &str| {
        program.notes.push(ir::Note { kind, span: ir::Span::default(), text: text.to_string() });
    };
    if signed && program.arithmetic == ir::Arithmetic::AssumeNoOverflow {
        add(NoteKind::Unchecked(CheckKind::Overflow), "no signed integer overflows");
    }
    if rounding {
        let text = "no floating number is converted to an integer type that cannot hold it";
        add(NoteKind::Unchecked(CheckKind::Overflow), text);
    }
    if division {
        add(NoteKind::Unchecked(CheckKind::Division), "no number is divided by zero");
    }
    if shift {
        add(NoteKind::Unchecked(CheckKind::Shift), "no shift is by less than zero or at least the width");
    }
    if memory || allocates {
        add(
            NoteKind::Unchecked(CheckKind::Memory),
            "no memory outside of live objects is read, written or freed",
        );
    }
    if addresses {
        add(NoteKind::Assumption, "objects lie where Craig puts them: nothing depends on their addresses");
    }
    if !errors {
        add(NoteKind::NoErrorCall, "the program contains no reachable error call: 'safe' says nothing");
    }
}

impl StaticObjects {
    fn of(program: &ir::Program) -> Self {
        StaticObjects(program.objects.iter().map(|object| (object.address, object.size)).collect())
    }

    fn contain(&self, program: &ir::Program, addr: ir::ExprId, ty: Type) -> bool {
        let address = program.exprs.as_const(addr).and_then(|address| u64::try_from(address).ok());
        let object = address.and_then(|address| self.0.range(..=address).next_back().zip(Some(address)));
        let bytes = u64::from(program.size_of(ty));
        object.is_some_and(|((start, size), address)| address - start + bytes <= *size)
    }
}
