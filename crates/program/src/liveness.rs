//! Live state: the variables and regions on which reaching the goal can still depend.
//!
//! This is liveness of the *faint* kind: the operands of an assignment are live only if its target
//! is, so `i = i + 1` alone keeps nothing alive. What is not live at a location is not part of the
//! state there; the encoder writes nothing for assignments to dead variables. Such an assignment
//! could end the path (overflow, division by zero), so leaving it out admits more behaviours, never
//! fewer.

use crate::effects::{Effect, StateIndex, is_failing_call, reads, stmt_operands, written_vars};
use crate::ir::{Cell, Edge, EdgeId, LocId, Place, Proc, ProcId, Program, Region, Stmt};
use crate::shared_set::SharedSet;
use crate::state::StateVar;
use crate::types::Type;
use craig_base::IndexVec;

/// How the names of variables begin that hold what proofs speak of, such as where a string ends.
pub const FOR_PROOFS: &str = "craig_end_";

/// The live state at every location of one procedure.
#[derive(Clone, Debug)]
pub struct Liveness {
    index: StateIndex,
    live: IndexVec<LocId, SharedSet>,
}

impl Liveness {
    /// What matters for reaching the error location: at the ends of the procedure nothing is live.
    /// The procedure must be free of calls for the answer to mean the whole program.
    pub fn towards_error(program: &Program, proc: &Proc) -> Self {
        let index = StateIndex::new(program);
        Liveness::compute(program, proc, index, &[proc.error], &[], &IndexVec::new())
    }

    /// What decides the path that is taken, wherever it leads.
    pub fn of_every_path(program: &Program, proc: &Proc) -> Self {
        let index = StateIndex::new(program);
        let goals: Vec<LocId> = proc.locations.indices().collect();
        Liveness::compute(program, proc, index, &goals, &[], &IndexVec::new())
    }

    /// What matters for the procedure's effect: at `exit`, the result and all of the global state
    /// that the procedure may write; at `error`, nothing; at a call that may fail, what it reads.
    pub fn of_procedure(program: &Program, id: ProcId, effects: &IndexVec<ProcId, Effect>) -> Self {
        let index = StateIndex::new(program);
        let proc = &program.procs[id];
        let mut at_exit: Vec<StateVar> = effects[id].writes.iter().map(|i| index.at(i)).collect();
        at_exit.extend(proc.result.map(StateVar::Var));
        Liveness::compute(program, proc, index, &[proc.exit, proc.error], &at_exit, effects)
    }

    fn compute(
        program: &Program,
        proc: &Proc,
        index: StateIndex,
        goals: &[LocId],
        at_exit: &[StateVar],
        effects: &IndexVec<ProcId, Effect>,
    ) -> Self {
        let mut live = IndexVec::from_elem(SharedSet::default(), proc.locations.len());
        let at_exit: SharedSet = at_exit.iter().map(|&var| index.of(var) as u32).collect();
        live[proc.exit] = at_exit.clone();
        let next_address = program.next_address.map(|next| index.of(StateVar::Var(next)) as u32);
        let transfers: IndexVec<EdgeId, Transfer> =
            proc.edges.iter().map(|edge| Transfer::new(program, index, &edge.stmt, effects)).collect();
        // An assumption on a way that leads to no goal does not matter.
        let fails = |edge: &Edge| is_failing_call(&edge.stmt, effects);
        let failing = proc.edges.iter().filter(|edge| fails(edge)).map(|edge| edge.from);
        let goals = goals.iter().copied().chain(failing);
        let leads_to_goal = proc.open_graph(program).reversed().reachable(goals);
        let matters = |edge: EdgeId| {
            let edge = &proc.edges[edge];
            (leads_to_goal[edge.to] && !program.is_closed(&edge.stmt)) || fails(edge)
        };
        let regions = |wanted: &dyn Fn(&Region) -> bool| -> SharedSet {
            let found = program.regions.enumerated().filter(|(_, region)| region.allocated && wanted(region));
            found.map(|(id, _)| index.of(StateVar::Region(id)) as u32).collect()
        };
        let linked = regions(&|region| region.cell == Cell::Scalar(Type::Pointer));
        let allocated = regions(&|_| true);
        let kept = kept(program, proc, index);
        // Backwards, so the order of the reversed graph converges fastest.
        let mut order = proc.graph().reverse_postorder(proc.locations.indices());
        order.reverse();
        let mut queued = IndexVec::from_elem(true, proc.locations.len());
        let mut worklist: std::collections::VecDeque<LocId> = order.into();
        while let Some(location) = worklist.pop_front() {
            queued[location] = false;
            let mut result = if location == proc.exit { at_exit.clone() } else { SharedSet::default() };
            for &edge in proc.locations[location].outgoing.iter().filter(|&&edge| matters(edge)) {
                result = result.union(&transfers[edge].apply(&live[proc.edges[edge].to]));
            }
            // What holds of every object holds of those that were allocated.
            if let Some(next) = next_address
                && result.intersects(&linked)
            {
                result = result.changed(None, [next].into_iter());
            }
            if !kept.is_empty() && result.intersects(&allocated) {
                result = result.union(&kept);
            }
            if live[location] != result {
                live[location] = result;
                for &edge in &proc.locations[location].incoming {
                    let from = proc.edges[edge].from;
                    if !std::mem::replace(&mut queued[from], true) {
                        worklist.push_back(from);
                    }
                }
            }
        }
        Liveness { index, live }
    }

    /// For a location that comes after all others: what is live at the given one.
    pub fn push_like(&mut self, location: LocId) {
        self.live.push(self.live[location].clone());
    }

    pub fn is_live(&self, location: LocId, var: StateVar) -> bool {
        self.live[location].contains(self.index.of(var) as u32)
    }

    /// The live state at a location, variables first, in the order of their ids.
    pub fn at(&self, location: LocId) -> Vec<StateVar> {
        self.live[location].iter().map(|i| self.index.at(i as usize)).collect()
    }

    /// What is live before an edge, or a variable that it writes, and not live after it.
    pub fn dead_after(&self, program: &Program, edge: &Edge) -> Vec<StateVar> {
        let written = written_vars(program, &edge.stmt).into_iter().map(StateVar::Var);
        let before = self.at(edge.from).into_iter().chain(written);
        before.filter(|&var| !self.is_live(edge.to, var)).collect()
    }
}

/// The variables of a procedure that only proofs read, which lasts as long as there is memory to speak of.
fn kept(program: &Program, proc: &Proc, index: StateIndex) -> SharedSet {
    let assigned = proc.edges.iter().filter_map(|edge| match edge.stmt {
        Stmt::Assign(Place::Var(var), _) => Some(var),
        _ => None,
    });
    let kept = assigned.filter(|&var| program.vars[var].name.starts_with(FOR_PROOFS));
    kept.map(|var| index.of(StateVar::Var(var)) as u32).collect()
}

/// What a statement does to the set of live components, backwards.
struct Transfer {
    /// Always live before.
    used: Vec<u32>,
    /// Assigned; live before only if used.
    killed: Option<u32>,
    /// The rest is used only if one of these is live after the statement.
    targets: Vec<u32>,
    used_for_targets: Vec<u32>,
}

impl Transfer {
    fn new(program: &Program, index: StateIndex, stmt: &Stmt, effects: &IndexVec<ProcId, Effect>) -> Self {
        let number = |var: StateVar| index.of(var) as u32;
        let operands: Vec<u32> = reads(program, &stmt_operands(stmt)).into_iter().map(number).collect();
        let mut transfer =
            Transfer { used: Vec::new(), killed: None, targets: Vec::new(), used_for_targets: Vec::new() };
        match stmt {
            Stmt::Skip | Stmt::Free(_) => {}
            Stmt::Assume(_) => transfer.used = operands,
            Stmt::Assign(place, _) | Stmt::Input(place, _) => {
                transfer.target(index, *place);
                transfer.used_for_targets = operands;
            }
            Stmt::Alloc { var, .. } => {
                transfer.target(index, Place::Var(*var));
                transfer.used_for_targets = operands;
                if let Some(next) = program.next_address {
                    let next = number(StateVar::Var(next));
                    transfer.targets.push(next);
                    transfer.used_for_targets.push(next);
                }
            }
            Stmt::Call { callee, result, .. } => {
                // The callee may reach its error, so everything it reads matters.
                transfer.used = operands;
                if let Some(effect) = effects.get(*callee) {
                    transfer.used.extend(effect.reads.iter().map(|i| i as u32));
                }
                if let Some(Place::Var(var)) = result {
                    transfer.killed = Some(number(StateVar::Var(*var)));
                }
            }
        }
        transfer
    }

    fn target(&mut self, index: StateIndex, place: Place) {
        match place {
            Place::Var(var) => {
                let var = index.of(StateVar::Var(var)) as u32;
                self.killed = Some(var);
                self.targets.push(var);
            }
            Place::Memory { region, .. } => self.targets.push(index.of(StateVar::Region(region)) as u32),
        }
    }

    fn apply(&self, after: &SharedSet) -> SharedSet {
        let is_relevant = self.targets.iter().any(|&var| after.contains(var));
        let for_targets: &[u32] = if is_relevant { &self.used_for_targets } else { &[] };
        after.changed(self.killed, self.used.iter().chain(for_targets).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn only_what_the_error_depends_on_is_live() {
        let mut b = Builder::new();
        let (x, y, ghost) = (b.int("x"), b.int("y"), b.int("ghost"));
        let (l1, l2) = (b.loc(), b.loc());
        let (get_x, get_y, get_ghost) = (b.get(x), b.get(y), b.get(ghost));
        let one = b.lit(1);
        let incremented = b.add(get_ghost, one);
        b.assign(ENTRY, l1, ghost, incremented);
        b.assign(l1, l2, x, get_y);
        let bad = b.lt(get_x, one);
        b.assume(l2, ERROR, bad);
        b.assign(l2, ENTRY, y, one);
        let program = b.program;
        let live = Liveness::towards_error(&program, &program.procs[program.entry]);
        assert_eq!(live.at(l2), vec![StateVar::Var(x)]);
        assert_eq!(live.at(l1), vec![StateVar::Var(y)]);
        assert_eq!(live.at(ENTRY), vec![StateVar::Var(y)]);
        assert!(live.at(ERROR).is_empty());
    }
}
