//! What is known about procedures before they are unwound.

use craig_base::IndexVec;
use craig_exec::read_before_assigned;
use craig_program::{LocId, ProcId, Program, Stmt, VarId, Wto};

/// One procedure.
pub(super) struct Plan {
    pub wto: Wto<LocId>,
    /// The components of the order around each location, outermost first.
    pub loops: IndexVec<LocId, Vec<usize>>,
    /// Whether an error can be reached from a location, in this call or in one that it makes.
    pub can_fail: IndexVec<LocId, bool>,
    pub can_return: IndexVec<LocId, bool>,
    /// Locals that may be read before they are assigned.
    pub unassigned: Vec<VarId>,
}

pub(super) fn plans(program: &Program) -> IndexVec<ProcId, Plan> {
    let mut plans: IndexVec<ProcId, Plan> = IndexVec::new();
    for (id, proc) in program.procs.enumerated() {
        let graph = proc.graph();
        let wto = Wto::new(&graph, proc.entry);
        let around = |location: LocId| {
            let innermost = std::iter::successors(wto.innermost(location), |&c| wto.components[c].parent);
            let mut around: Vec<usize> = innermost.collect();
            around.reverse();
            around
        };
        let loops = proc.locations.indices().map(around).collect();
        let can_return = proc.open_graph(program).reversed().reachable([proc.exit]);
        let can_fail = IndexVec::from_elem(false, proc.locations.len());
        let unassigned = read_before_assigned(program, id, &proc.locals);
        plans.push(Plan { wto, loops, can_fail, can_return, unassigned });
    }
    // A call can fail if its callee can.
    let mut fails: IndexVec<ProcId, bool> = IndexVec::from_elem(false, program.procs.len());
    loop {
        let mut changed = false;
        for (id, proc) in program.procs.enumerated() {
            let calls = proc
                .edges
                .iter()
                .filter(|edge| matches!(edge.stmt, Stmt::Call { callee, .. } if fails[callee]));
            let goals: Vec<LocId> = calls.map(|edge| edge.from).chain([proc.error]).collect();
            plans[id].can_fail = proc.open_graph(program).reversed().reachable(goals);
            if plans[id].can_fail[proc.entry] && !fails[id] {
                fails[id] = true;
                changed = true;
            }
        }
        if !changed {
            return plans;
        }
    }
}
