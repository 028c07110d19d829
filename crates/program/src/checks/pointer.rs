//! Pointers stay in their object: arithmetic does not leave it (one past its end is allowed), and pointers that are
//! compared by order or subtracted point into the same one (C11 6.5.6, 6.5.8).
//!
//! Which object a pointer belongs to is no part of its value. But objects are far apart, and the tracked object
//! is any one: if a pointer into it leaves it, the run that tracks it fails. For these checks the tracked
//! object may be a static one as well, chosen at the start.

use super::memory::{Path, TRACKED, Tracking};
use super::{Question, Violation};
use crate::expr::{BinaryOp, Expr, ExprId};
use crate::ir::{CheckKind, InputSource, Place, Program, Stmt};
use crate::types::Type;
use craig_base::Set;

/// Sums that are the address of an access, or a step towards one: if one leaves the object, so does the access.
pub fn accessed(program: &Program, stmts: &[Stmt], order: &[ExprId]) -> Set<ExprId> {
    let mut pending: Vec<ExprId> = Vec::new();
    for &id in order {
        if let Expr::Load { addr, .. } = program.exprs.get(id) {
            pending.push(addr);
        }
    }
    for stmt in stmts {
        if let Stmt::Assign(Place::Memory { addr, .. }, _) | Stmt::Input(Place::Memory { addr, .. }, _) = stmt
        {
            pending.push(*addr);
        }
    }
    let mut accessed = Set::default();
    while let Some(id) = pending.pop() {
        if accessed.insert(id)
            && let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, pointer, _) = program.exprs.get(id)
        {
            pending.push(pointer);
        }
    }
    accessed
}

/// How this operation on pointers can be undefined.
pub fn violation(
    program: &mut Program,
    id: ExprId,
    is_accessed: bool,
    question: Question<'_>,
) -> Option<Violation> {
    let Expr::Binary(op, a, b) = program.exprs.get(id) else { return None };
    if program.exprs.ty(a) != Type::Pointer || !question.wanted.contains(CheckKind::Pointer) {
        return None;
    }
    let both = program.exprs.ty(b) == Type::Pointer;
    let (condition, what) = match op {
        BinaryOp::Add | BinaryOp::Sub if !both && !is_accessed && !is_tracked(program, a) => {
            // Null is in no object; nothing is added to it but zero.
            let (null, model) = (program.address(0), program.data_model);
            let was_null = program.exprs.binary(BinaryOp::Eq, a, null, model);
            let is_other = program.exprs.binary(BinaryOp::Ne, id, null, model);
            let mut leaves = vec![program.all(&[was_null, is_other])];
            if let Some(tracking) = question.tracking {
                let (before, after) = (tracking.within(program, a), tracking.within(program, id));
                let outside = program.exprs.not(after);
                leaves.push(program.all(&[before, outside]));
            }
            (program.any(&leaves), "pointer out of its object")
        }
        BinaryOp::Sub if both => {
            (question.tracking?.one_of(program, a, b), "difference of pointers into different objects")
        }
        BinaryOp::Lt | BinaryOp::Le if both && !is_tracked(program, a) && !is_tracked(program, b) => {
            (question.tracking?.one_of(program, a, b), "comparison of pointers into different objects")
        }
        _ => return None,
    };
    let of = format!("in `{}`", program.say_value(id, question.span));
    Some(Violation { kind: CheckKind::Pointer, condition, what, of })
}

/// Whether this is an address that checks choose, and no pointer of the program.
fn is_tracked(program: &Program, pointer: ExprId) -> bool {
    matches!(program.exprs.get(pointer), Expr::Var(var) if program.is_bookkeeping(var))
}

impl Tracking {
    /// That the address is in the tracked object, or one past its end.
    fn within(&self, program: &mut Program, addr: ExprId) -> ExprId {
        let (start, end) = (program.var_expr(self.start), program.var_expr(self.end));
        let null = program.address(0);
        let is_tracked = program.lt(null, start);
        let (above, below) = (program.le(start, addr), program.le(addr, end));
        program.all(&[is_tracked, above, below])
    }

    /// That one of them points into the tracked object and the other does not.
    fn one_of(&self, program: &mut Program, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (self.within(program, a), self.within(program, b));
        let (not_a, not_b) = (program.exprs.not(a), program.exprs.not(b));
        let (first, second) = (program.all(&[a, not_b]), program.all(&[b, not_a]));
        program.any(&[first, second])
    }
}

/// At the start of the program, a static object may become the tracked one.
pub fn choose_static_object(program: &mut Program, tracking: &Tracking) {
    let id = program.entry;
    let objects: Vec<(u64, u64)> = program
        .objects
        .iter()
        .filter(|object| !object.function)
        .map(|object| (object.address, object.size))
        .collect();
    let span = program.procs[id].span;
    let old_entry = program.procs[id].entry;
    let mut path = Path { id, here: program.procs[id].add_location(span), span };
    program.procs[id].entry = path.here;
    for (address, size) in objects {
        let chosen = tracking.local(program, id, ".tracked.chosen", Type::Bool, span);
        path.step(program, Stmt::Input(Place::Var(chosen), InputSource::Unmodelled(TRACKED.into())));
        let chosen = program.var_expr(chosen);
        let other = program.exprs.not(chosen);
        let (next, proc) = (program.procs[id].add_location(span), &mut program.procs[id]);
        proc.add_edge(path.here, next, Stmt::Assume(other), span);
        path.step(program, Stmt::Assume(chosen));
        let (start, end) =
            (program.address(i128::from(address)), program.address(i128::from(address + size)));
        path.assign(program, tracking.start, start);
        path.assign(program, tracking.end, end);
        program.procs[id].add_edge(path.here, old_entry, Stmt::Skip, span);
        path.here = next;
    }
    program.procs[id].add_edge(path.here, old_entry, Stmt::Skip, span);
}
