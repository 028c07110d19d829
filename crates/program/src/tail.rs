//! Recursion that is a loop: calls of a procedure by itself after which it only hands on the result.
//!
//! Nothing of the caller's frame is needed once such a call begins, so the callee can take it over. A procedure whose
//! locals lie in memory gives them back after the call, so its calls are none of these.

use crate::callgraph::CallGraph;
use crate::expr::Expr;
use crate::ir::{Edge, LocId, Place, Proc, ProcId, Program, Scope, Stmt, VarId};
use craig_base::Set;

/// A procedure that can be on the call stack twice, other than by calls that end it.
pub(crate) fn first_recursive(program: &Program, calls: &CallGraph) -> Option<ProcId> {
    let is_loop = |id: ProcId| {
        let alone = calls.components.iter().any(|component| component == &[id]);
        let mut own = program.procs[id].edges.iter().filter(|edge| is_call_of(edge, id));
        id != program.entry && alone && own.all(|edge| is_tail_call(program, id, edge))
    };
    let mut reachable = program.procs.indices().filter(|&id| calls.is_reachable(id));
    reachable.find(|&id| calls.is_recursive(id) && !is_loop(id))
}

/// Whether no inlining is possible because of recursion.
pub fn is_recursive(program: &Program) -> bool {
    first_recursive(program, &CallGraph::new(program)).is_some()
}

fn is_call_of(edge: &Edge, proc: ProcId) -> bool {
    matches!(edge.stmt, Stmt::Call { callee, .. } if callee == proc)
}

/// Whether every way on from a call of `id` by itself leads to the exit with the result of the call as its own.
fn is_tail_call(program: &Program, id: ProcId, call: &Edge) -> bool {
    let proc = &program.procs[id];
    let Stmt::Call { result, .. } = &call.stmt else { return false };
    let mut holding = Set::default();
    match result {
        Some(Place::Var(var)) if is_local(program, *var) => drop(holding.insert(*var)),
        Some(_) => return false,
        None => {}
    }
    let mut at = call.to;
    // The way is straight: longer than the procedure, it would be a circle.
    for _ in 0..=proc.edges.len() {
        if at == proc.exit {
            return proc.result.is_none_or(|result| holding.contains(&result));
        }
        let Some(edge) = only_edge(proc, at) else { return false };
        match edge.stmt {
            Stmt::Skip => {}
            Stmt::Assign(Place::Var(var), value) if is_local(program, var) => {
                match program.exprs.get(value) {
                    Expr::Var(from) if holding.contains(&from) => drop(holding.insert(var)),
                    Expr::Var(_) | Expr::Const(..) | Expr::Float(..) => drop(holding.remove(&var)),
                    _ => return false,
                };
            }
            _ => return false,
        }
        at = edge.to;
    }
    false
}

fn is_local(program: &Program, var: VarId) -> bool {
    matches!(program.vars[var].scope, Scope::Local(_))
}

fn only_edge(proc: &Proc, at: LocId) -> Option<&Edge> {
    match proc.locations[at].outgoing[..] {
        [edge] => Some(&proc.edges[edge]),
        _ => None,
    }
}
