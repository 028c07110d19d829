//! A program that has forgotten its memory.
//!
//! Drivers and other large programs often keep a protocol in a few variables, among thousands of accesses through
//! pointers that nothing is known about. [`without_memory`] leaves these out: what is read from memory is
//! arbitrary, what depends on it is decided either way, and what is written there is gone. So is what is assumed of
//! pointers before they are used, such as that they lead to no constant.
//!
//! **The way back.** Locations and edges are the same, and every run of the program is one of the result. So an invariant
//! of the result is one of the program; a path of the result may be none of the program, and has other inputs.

use craig_program::{BinaryOp, EdgeId, Expr, ExprId, InputSource, Place, Program, Simplified, Stmt, Type};

/// The program whose memory holds anything at any time, unless there is no memory.
pub fn without_memory(simplified: &Simplified) -> Option<Simplified> {
    let program = &simplified.program;
    let proc = &program.procs[program.entry];
    let forgotten = proc.edges.enumerated().filter_map(|(id, edge)| {
        let is_only_way = proc.locations[edge.from].outgoing.len() == 1;
        let stmt = match edge.stmt {
            Stmt::Assume(condition) if is_only_way && is_about_pointers(program, condition) => Stmt::Skip,
            _ => forget(program, &edge.stmt)?,
        };
        Some((id, stmt))
    });
    let forgotten: Vec<(EdgeId, Stmt)> = forgotten.collect();
    if forgotten.is_empty() {
        return None;
    }
    let mut without = simplified.clone();
    for (id, stmt) in forgotten {
        without.program.procs[program.entry].edges[id].stmt = stmt;
    }
    Some(without)
}

/// Whether a condition compares pointers, and asks besides at most for truth values, such as whether an object exists.
fn is_about_pointers(program: &Program, condition: ExprId) -> bool {
    let exprs = &program.exprs;
    let (mut pending, mut compares) = (vec![condition], false);
    while let Some(id) = pending.pop() {
        match exprs.get(id) {
            Expr::Binary(op, a, _) if op.is_comparison() && exprs.ty(a) == Type::Pointer => compares = true,
            Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) | Expr::Unary(..) => {
                pending.extend(exprs.operands(id));
            }
            Expr::Var(_) | Expr::Const(..) => {}
            _ => return false,
        }
    }
    compares
}

/// What is left of a statement that has to do with memory.
fn forget(program: &Program, stmt: &Stmt) -> Option<Stmt> {
    let reads_memory = |root: ExprId| {
        let exprs = program.exprs.postorder(&[root]);
        exprs.into_iter().any(|id| matches!(program.exprs.get(id), Expr::Load { .. }))
    };
    let anything = |var| Stmt::Input(Place::Var(var), InputSource::Unmodelled("memory".into()));
    match *stmt {
        Stmt::Assign(Place::Memory { .. }, _) | Stmt::Input(Place::Memory { .. }, _) | Stmt::Free(_) => {
            Some(Stmt::Skip)
        }
        Stmt::Assume(condition) if reads_memory(condition) => Some(Stmt::Skip),
        Stmt::Assign(Place::Var(var), value) if reads_memory(value) => Some(anything(var)),
        Stmt::Alloc { var, size } if reads_memory(size) => Some(anything(var)),
        _ => None,
    }
}
