//! Live state: the variables and regions on which reaching the goal can still depend.
//!
//! This is liveness of the *faint* kind: the operands of an assignment are live only if its target
//! is, so `i = i + 1` alone keeps nothing alive. What is not live at a location is not part of the
//! state there; the encoder writes nothing for assignments to dead variables. Such an assignment
//! could end the path (overflow, division by zero), so leaving it out admits more behaviours, never
//! fewer.

use crate::bitset::BitSet;
use crate::callgraph::CallGraph;
use crate::effects::{Effect, StateIndex, effects, reads, stmt_operands};
use crate::ir::{EdgeId, LocId, Place, Proc, ProcId, Program, Stmt};
use crate::state::StateVar;
use craig_base::IndexVec;

/// The live state at every location of one procedure.
#[derive(Clone, Debug)]
pub struct Liveness {
    index: StateIndex,
    live: IndexVec<LocId, BitSet>,
}

impl Liveness {
    /// What matters for reaching the error location: at the ends of the procedure nothing is live.
    /// The procedure must be free of calls for the answer to mean the whole program.
    pub fn towards_error(program: &Program, proc: &Proc) -> Self {
        let index = StateIndex::new(program);
        Liveness::compute(program, proc, index, &[proc.error], &[], &IndexVec::new())
    }

    /// What matters for the procedure's effect: at `exit`, the result and all of the global state
    /// that the procedure may write; at `error`, nothing.
    pub fn of_procedure(program: &Program, id: ProcId, calls: &CallGraph) -> Self {
        let index = StateIndex::new(program);
        let effects = effects(program, calls);
        let proc = &program.procs[id];
        let mut at_exit: Vec<StateVar> = effects[id].writes.iter().map(|i| index.at(i)).collect();
        at_exit.extend(proc.result.map(StateVar::Var));
        Liveness::compute(program, proc, index, &[proc.exit, proc.error], &at_exit, &effects)
    }

    fn compute(
        program: &Program,
        proc: &Proc,
        index: StateIndex,
        goals: &[LocId],
        at_exit: &[StateVar],
        effects: &IndexVec<ProcId, Effect>,
    ) -> Self {
        let mut live = IndexVec::from_elem(BitSet::new(index.size()), proc.locations.len());
        for &var in at_exit {
            live[proc.exit].insert(index.of(var));
        }
        let transfers: IndexVec<EdgeId, Transfer> =
            proc.edges.iter().map(|edge| Transfer::new(program, index, &edge.stmt, effects)).collect();
        // An assumption on a way that leads to no goal matters to no one.
        let leads_to_goal = proc.open_graph(program).reversed().reachable(goals.iter().copied());
        let matters = |edge: EdgeId| {
            let edge = &proc.edges[edge];
            leads_to_goal[edge.to] && !program.is_closed(&edge.stmt)
        };
        // Backwards, so the order of the reversed graph converges fastest.
        let mut order = proc.graph().reverse_postorder(proc.locations.indices());
        order.reverse();
        let mut queued = IndexVec::from_elem(true, proc.locations.len());
        let mut worklist: std::collections::VecDeque<LocId> = order.into();
        while let Some(location) = worklist.pop_front() {
            queued[location] = false;
            let mut result = live[location].clone();
            for &edge in proc.locations[location].outgoing.iter().filter(|&&edge| matters(edge)) {
                let before = transfers[edge].apply(&live[proc.edges[edge].to]);
                result.union_with(&before);
            }
            if live[location].union_with(&result) {
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

    pub fn is_live(&self, location: LocId, var: StateVar) -> bool {
        self.live[location].contains(self.index.of(var))
    }

    /// The live state at a location, variables first, in the order of their ids.
    pub fn at(&self, location: LocId) -> Vec<StateVar> {
        self.live[location].iter().map(|i| self.index.at(i)).collect()
    }
}

/// What a statement does to the set of live components, backwards.
struct Transfer {
    /// Always live before.
    used: Vec<usize>,
    /// Assigned; live before only if used.
    killed: Option<usize>,
    /// The rest is used only if one of these is live behind the statement.
    targets: Vec<usize>,
    used_for_targets: Vec<usize>,
}

impl Transfer {
    fn new(program: &Program, index: StateIndex, stmt: &Stmt, effects: &IndexVec<ProcId, Effect>) -> Self {
        let operands: Vec<usize> =
            reads(program, &stmt_operands(stmt)).into_iter().map(|var| index.of(var)).collect();
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
                    let next = index.of(StateVar::Var(next));
                    transfer.targets.push(next);
                    transfer.used_for_targets.push(next);
                }
            }
            Stmt::Call { callee, result, .. } => {
                // The callee may reach its error, so everything it reads matters.
                transfer.used = operands;
                if let Some(effect) = effects.get(*callee) {
                    transfer.used.extend(effect.reads.iter());
                }
                if let Some(Place::Var(var)) = result {
                    transfer.killed = Some(index.of(StateVar::Var(*var)));
                }
            }
        }
        transfer
    }

    fn target(&mut self, index: StateIndex, place: Place) {
        match place {
            Place::Var(var) => {
                let var = index.of(StateVar::Var(var));
                self.killed = Some(var);
                self.targets.push(var);
            }
            Place::Memory { region, .. } => self.targets.push(index.of(StateVar::Region(region))),
        }
    }

    fn apply(&self, after: &BitSet) -> BitSet {
        let mut before = after.clone();
        if let Some(killed) = self.killed {
            before.remove(killed);
        }
        if self.targets.iter().any(|&target| after.contains(target)) {
            self.used_for_targets.iter().for_each(|&var| before.insert(var));
        }
        self.used.iter().for_each(|&var| before.insert(var));
        before
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

    #[test]
    fn bit_sets_iterate_in_order() {
        let mut set = BitSet::new(200);
        for i in [199, 0, 63, 64, 70] {
            set.insert(i);
        }
        set.remove(70);
        assert_eq!(set.iter().collect::<Vec<_>>(), vec![0, 63, 64, 199]);
    }
}
