//! Functions that only look: however often one is called, nothing changes. The library sorts and searches with such
//! ones in fewer ways (`library/sort.c`).

use super::visit::{Node, walk};
use crate::hir::{Callee, ExprId, ExprKind, Function, FunctionId, PlaceId, PlaceKind, Program, StmtKind};

/// How deep calls are followed.
const MAX_DEPTH: usize = 5;

/// The function that the expression names, if it only looks.
pub(super) fn named(program: &Program, mut expr: ExprId) -> Option<FunctionId> {
    while let ExprKind::Cast(_, inner) = program.exprs[expr].kind {
        expr = inner;
    }
    let ExprKind::FunctionAddress(function) = program.exprs[expr].kind else { return None };
    only_looks(program, function, MAX_DEPTH).then_some(function)
}

fn only_looks(program: &Program, function: FunctionId, depth: usize) -> bool {
    let Function { name, body, .. } = &program.functions[function];
    let Some(body) = body.as_ref().filter(|_| depth > 0) else { return is_value(name) };
    let mut pure = true;
    walk(program, &[Node::Stmt(body.block)], &mut |node| {
        pure &= match node {
            Node::Stmt(stmt) => !matches!(program.stmts[stmt].kind, StmtKind::Asm(_)),
            Node::Place(place) => !program.places[place].ty.quals.is_volatile(),
            Node::Expr(expr) => match &program.exprs[expr].kind {
                ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => is_own(program, *place),
                ExprKind::VaArg(_)
                | ExprKind::Call { callee: Callee::Pointer(_) | Callee::Builtin(_), .. } => false,
                ExprKind::Call { callee: Callee::Function(called), .. } => {
                    only_looks(program, *called, depth - 1)
                }
                _ => true,
            },
        };
        pure
    });
    pure
}

/// What the library's functions are made of, as far as it only makes values or asks something.
fn is_value(name: &str) -> bool {
    let asks = ["__craig_assume", "__craig_require", "__craig_use_text"];
    name.starts_with("__craig_any_") || asks.contains(&name)
}

/// Whether the place is a local variable or in one.
fn is_own(program: &Program, mut place: PlaceId) -> bool {
    while let PlaceKind::Field { record, .. } = program.places[place].kind {
        place = record;
    }
    matches!(program.places[place].kind, PlaceKind::Local(_))
}
