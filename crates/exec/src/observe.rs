//! What can be recorded of a run.

use crate::machine::{Observer, StateView};
use crate::memory::Memory;
use crate::outcome::{Outcome, Site};
use craig_base::IndexVec;
use craig_program::{EdgeId, LocId, ProcId, Program, VarId};

/// Looks away.
pub struct NoObserver;

impl Observer for NoObserver {}

/// The edges taken, in order.
#[derive(Clone, Debug, Default)]
pub struct PathRecorder {
    pub path: Vec<Site>,
}

impl Observer for PathRecorder {
    fn edge(&mut self, site: Site, _state: &dyn StateView) {
        self.path.push(site);
    }
}

/// Which edges were taken, in one run or in many.
#[derive(Clone, Debug)]
pub struct Coverage {
    edges: IndexVec<ProcId, IndexVec<EdgeId, bool>>,
}

impl Coverage {
    pub fn new(program: &Program) -> Self {
        let none = |proc: &craig_program::Proc| IndexVec::from_elem(false, proc.edges.len());
        Coverage { edges: program.procs.iter().map(none).collect() }
    }

    pub fn covers(&self, site: Site) -> bool {
        self.edges[site.proc][site.edge]
    }

    pub fn covered_edges(&self) -> usize {
        self.edges.iter().map(|edges| edges.iter().filter(|&&taken| taken).count()).sum()
    }

    /// The entry of the program and every end of a covered edge.
    pub fn covers_location(&self, program: &Program, proc: ProcId, loc: LocId) -> bool {
        let procedure = &program.procs[proc];
        let taken = |edge: &EdgeId| self.edges[proc][*edge];
        procedure.locations[loc].incoming.iter().any(taken)
            || procedure.locations[loc].outgoing.iter().any(taken)
    }

    /// The edges that leave a location with several ways on: taken, and in all.
    pub fn branches(&self, program: &Program) -> (usize, usize) {
        let mut counts = (0, 0);
        for (id, proc) in program.procs.enumerated() {
            for location in proc.locations.iter().filter(|location| location.outgoing.len() > 1) {
                counts.0 += location.outgoing.iter().filter(|&&edge| self.edges[id][edge]).count();
                counts.1 += location.outgoing.len();
            }
        }
        counts
    }
}

impl Observer for Coverage {
    fn edge(&mut self, site: Site, _state: &dyn StateView) {
        self.edges[site.proc][site.edge] = true;
    }
}

/// Every state between two edges, for checking an encoding: values of all variables, and the memory.
#[derive(Clone, Debug)]
pub struct States {
    vars: Vec<VarId>,
    limit: usize,
    pub states: Vec<State>,
}

/// The state before an edge, or after the last one or a call (then without `next`).
#[derive(Clone, Debug)]
pub struct State {
    pub next: Option<Site>,
    /// In the order of [`Program::vars`].
    pub values: Vec<i128>,
    pub memory: Memory,
    pub depth: usize,
}

impl States {
    /// Records the first `limit` states.
    pub fn new(program: &Program, limit: usize) -> Self {
        States { vars: program.vars.indices().collect(), limit, states: Vec::new() }
    }

    fn record(&mut self, next: Option<Site>, state: &dyn StateView) {
        if self.states.len() < self.limit
            && let Some(memory) = state.memory()
        {
            let values = self.vars.iter().map(|&var| state.value(var).unwrap_or(0)).collect();
            self.states.push(State { next, values, memory: memory.clone(), depth: state.depth() });
        }
    }
}

impl Observer for States {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        self.record(Some(site), state);
    }

    fn returned(&mut self, _site: Site, state: &dyn StateView) {
        self.record(None, state);
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        self.record(None, state);
    }
}
