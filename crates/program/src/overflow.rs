//! Signed overflow as an error.
//!
//! A statement is passed only if no signed operation in it leaves its type: before the statements of a
//! location comes a test, in a wider type, whether one would, and if so the error. So overflow is not
//! assumed away any more, and nothing else changes: a path that would have ended at an overflow ends in
//! the error of its procedure.

use crate::effects::stmt_operands;
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ir::{LocId, ProcId, Program, Stmt};
use crate::types::{IntType, Type};
use craig_base::Map;

/// Whether the errors that the program has already stay errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherErrors {
    Kept,
    /// They end the program silently.
    Ended,
}

/// Makes every signed overflow an error. Operations on `__int128` are left out, as nothing is wider.
pub fn check_overflow(program: &mut Program, others: OtherErrors) {
    for id in program.procs.indices().collect::<Vec<_>>() {
        if others == OtherErrors::Ended {
            end_errors(program, id);
        }
        let locations: Vec<LocId> = program.procs[id].locations.indices().collect();
        for location in locations {
            guard_location(program, id, location);
        }
        program.procs[id].rebuild_adjacency();
    }
}

/// What led to the error leads to a location without a way on.
fn end_errors(program: &mut Program, id: ProcId) {
    let proc = &mut program.procs[id];
    let (end, error) = (proc.add_location(proc.locations[proc.error].span), proc.error);
    for edge in proc.edges.iter_mut().filter(|edge| edge.to == error) {
        edge.to = end;
    }
}

fn guard_location(program: &mut Program, id: ProcId, location: LocId) {
    let outgoing = program.procs[id].locations[location].outgoing.clone();
    let mut roots: Vec<ExprId> = Vec::new();
    for &edge in &outgoing {
        roots.extend(stmt_operands(&program.procs[id].edges[edge].stmt));
    }
    let Some(overflows) = overflow_condition(program, &roots) else { return };
    let fits = program.exprs.not(overflows);
    let proc = &mut program.procs[id];
    let span = outgoing.first().map_or(proc.span, |&edge| proc.edges[edge].span);
    let checked = proc.add_location(proc.locations[location].span);
    for edge in outgoing {
        proc.edges[edge].from = checked;
    }
    let error = proc.error;
    proc.add_edge(location, error, Stmt::Assume(overflows), span);
    proc.add_edge(location, checked, Stmt::Assume(fits), span);
}

/// That some operation in the expressions, which are evaluated one after the other, overflows. Operands
/// are asked before the operations on them, so that no test depends on an overflow itself.
fn overflow_condition(program: &mut Program, roots: &[ExprId]) -> Option<ExprId> {
    let order = program.exprs.postorder(roots);
    let guards = guards(program, &order, roots);
    let mut tests = Vec::new();
    for id in order {
        if let Some(test) = overflow_of(program, id) {
            let no = program.exprs.bool(false);
            tests.push(program.exprs.ite(guards[&id], test, no));
        }
    }
    let mut tests = tests.into_iter().rev();
    let mut condition = tests.next()?;
    for test in tests {
        let yes = program.exprs.bool(true);
        condition = program.exprs.ite(test, yes, condition);
    }
    (program.exprs.as_const(condition) != Some(0)).then_some(condition)
}

/// For each expression the condition under which it is evaluated: an `ite` evaluates one operand only.
fn guards(program: &mut Program, order: &[ExprId], roots: &[ExprId]) -> Map<ExprId, ExprId> {
    let (yes, no) = (program.exprs.bool(true), program.exprs.bool(false));
    let mut guards: Map<ExprId, ExprId> = roots.iter().map(|&root| (root, yes)).collect();
    for &id in order.iter().rev() {
        let guard = guards.get(&id).copied().unwrap_or(no);
        let under =
            |program: &mut Program, operand: ExprId, guard: ExprId, guards: &mut Map<ExprId, ExprId>| {
                let before = guards.get(&operand).copied().unwrap_or(no);
                let either = program.exprs.ite(before, yes, guard);
                guards.insert(operand, either);
            };
        if let Expr::Ite(condition, then, otherwise) = program.exprs.get(id) {
            under(program, condition, guard, &mut guards);
            let chosen = program.exprs.ite(guard, condition, no);
            under(program, then, chosen, &mut guards);
            let negation = program.exprs.not(condition);
            let chosen = program.exprs.ite(guard, negation, no);
            under(program, otherwise, chosen, &mut guards);
        } else {
            for operand in program.exprs.operands(id).collect::<Vec<_>>() {
                under(program, operand, guard, &mut guards);
            }
        }
    }
    guards
}

/// That this very operation overflows, given that its operands do not.
fn overflow_of(program: &mut Program, id: ExprId) -> Option<ExprId> {
    let Type::Int(int) = program.exprs.ty(id) else { return None };
    if !int.signed || int.bits > 64 {
        return None;
    }
    let model = program.data_model;
    let wide = Type::Int(IntType::signed(if int.bits <= 32 { 64 } else { 128 }));
    let exact = match program.exprs.get(id) {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
            if program.exprs.ty(a) == Type::Int(int) =>
        {
            let (a, b) = (program.exprs.cast(wide, a), program.exprs.cast(wide, b));
            program.exprs.binary(op, a, b, model)
        }
        Expr::Unary(UnaryOp::Neg, a) => {
            let (zero, a) = (program.exprs.constant(wide, 0), program.exprs.cast(wide, a));
            program.exprs.binary(BinaryOp::Sub, zero, a, model)
        }
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
            let (least, minus_one) = (program.exprs.int(int, int.min()), program.exprs.int(int, -1));
            let is_least = program.exprs.binary(BinaryOp::Eq, a, least, model);
            let is_minus_one = program.exprs.binary(BinaryOp::Eq, b, minus_one, model);
            return Some(program.exprs.binary(BinaryOp::And, is_least, is_minus_one, model));
        }
        _ => return None,
    };
    let (least, most) =
        (program.exprs.constant(wide, int.min()), program.exprs.constant(wide, int.max() as i128));
    let below = program.exprs.binary(BinaryOp::Lt, exact, least, model);
    let above = program.exprs.binary(BinaryOp::Lt, most, exact, model);
    Some(program.exprs.binary(BinaryOp::Or, below, above, model))
}
