//! The cutpoint graph of a procedure as formulas: what engines work with. The inlined view is the entry procedure of
//! a program without calls.

use super::block::BlockEncoding;
use super::builder::source_range;
use super::call::{CallEncoding, CallSite};
use super::names::StateNames;
use super::{Encoder, in_range};
use crate::analysis::Ranges;
use crate::callgraph::CallGraph;
use crate::cutpoints::{CutEdgeId, CutId, CutpointGraph, Granularity};
use crate::effects::{Effect, effects};
use crate::ir::{EdgeId, Proc, ProcId, Program, RegionId, Scope, Stmt};
use crate::liveness::Liveness;
use crate::state::StateVar;
use craig_base::{Budget, IndexVec, Map, StopReason};
use craig_term::{TermId, Terms};

/// A cutpoint graph with the state at its cutpoints and the formulas of its edges.
///
/// The program is unsafe (as far as the formulas tell) if there is a path from the entry, in a state
/// of `initial`, along `blocks` to the error.
#[derive(Clone, Debug)]
pub struct CutpointEncoding {
    pub proc: ProcId,
    pub cuts: CutpointGraph,
    pub liveness: Liveness,
    /// What is known where the procedure begins, at its loop heads and at its exit. Blocks rely on it.
    pub ranges: Ranges,
    /// The live state at each cutpoint.
    pub states: IndexVec<CutId, Vec<StateConstant>>,
    pub blocks: IndexVec<CutEdgeId, BlockEncoding>,
    /// The calls, which lie between cutpoints as well.
    pub calls: Vec<CallEncoding>,
    /// The states in which the procedure may begin, over the current constants of its entry: for the entry procedure
    /// the initial states of the program, for others all.
    pub initial: TermId,
}

/// A component of the state and its two constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateConstant {
    pub var: StateVar,
    pub current: TermId,
    pub next: TermId,
}

impl CutpointEncoding {
    /// Encodes the way to the error location of the entry procedure, which must have no calls.
    pub fn new(
        program: &Program,
        ranges: &Ranges,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let cuts = CutpointGraph::towards_error(program, &program.procs[program.entry]);
        Self::of_graph(program, cuts, ranges, terms, budget)
    }

    /// The same along the cutpoints of a graph of the entry procedure.
    pub fn of_graph(
        program: &Program,
        cuts: CutpointGraph,
        ranges: &Ranges,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let liveness = Liveness::towards_error(program, &program.procs[program.entry]);
        let mut encoder = GraphEncoder { program, terms, names: StateNames::default() };
        let mut encoding = encoder.states(program.entry, cuts, liveness, ranges.clone());
        encoder.blocks(&mut encoding, budget)?;
        Ok(encoding)
    }

    /// Encodes the ways to exits and errors of all procedures that can be called, over the same state constants.
    pub fn of_procedures(
        program: &Program,
        granularity: Granularity,
        ranges: &IndexVec<ProcId, Ranges>,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Vec<Self>, StopReason> {
        let calls = CallGraph::new(program);
        let effects = effects(program, &calls);
        let mut encoder = GraphEncoder { program, terms, names: StateNames::default() };
        let mut encodings = Vec::new();
        let mut of_proc: Map<ProcId, usize> = Map::default();
        for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            let cuts = CutpointGraph::of_procedure(program, &program.procs[proc], &effects, granularity);
            let liveness = Liveness::of_procedure(program, proc, &effects);
            of_proc.insert(proc, encodings.len());
            encodings.push(encoder.states(proc, cuts, liveness, ranges[proc].clone()));
        }
        for id in 0..encodings.len() {
            encoder.blocks(&mut encodings[id], budget)?;
            let caller = &encodings[id];
            let edges = &caller.proc(program).edges;
            let encode = |&call: &EdgeId| {
                let Stmt::Call { callee, .. } = edges[call].stmt else { return None };
                encoder.call(caller, call, &encodings[of_proc[&callee]], &effects[callee])
            };
            encodings[id].calls = caller.cuts.calls.iter().filter_map(encode).collect();
        }
        Ok(encodings)
    }

    /// What types and ranges say about the state at a cutpoint, over its current constants. An invariant
    /// that was found with formulas that use the ranges is inductive together with this.
    pub fn range_facts(&self, program: &Program, terms: &mut Terms, cut: CutId) -> TermId {
        let location = self.cuts.location(cut);
        let mut facts = Vec::new();
        for constant in &self.states[cut] {
            if let StateVar::Var(_) = constant.var
                && !terms.is_bool(constant.current)
            {
                let range = source_range(program, &self.ranges, location, constant.var);
                facts.push(in_range(terms, constant.current, &range));
            }
        }
        terms.and(&facts)
    }

    /// What is known of the state at a cutpoint beyond the types.
    pub fn known_facts(&self, terms: &mut Terms, cut: CutId) -> TermId {
        let location = self.cuts.location(cut);
        let mut facts = Vec::new();
        for constant in &self.states[cut] {
            if let StateVar::Var(var) = constant.var
                && let Some(range) = self.ranges.at(location, var)
                && !terms.is_bool(constant.current)
            {
                facts.push(in_range(terms, constant.current, range));
            }
        }
        terms.and(&facts)
    }

    pub fn proc<'p>(&self, program: &'p Program) -> &'p Proc {
        &program.procs[self.proc]
    }
}

/// Encodes graphs of one program.
struct GraphEncoder<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    names: StateNames,
}

impl GraphEncoder<'_> {
    /// The graph with its states, and nothing between them.
    fn states(
        &mut self,
        proc: ProcId,
        cuts: CutpointGraph,
        liveness: Liveness,
        ranges: Ranges,
    ) -> CutpointEncoding {
        let program = self.program;
        let mut states = IndexVec::new();
        for cut in &cuts.cutpoints {
            let live = liveness.at(cut.location).into_iter().filter(|&var| program.is_tracked(var));
            states.push(
                live.map(|var| StateConstant {
                    var,
                    current: self.names.current(program, self.terms, var),
                    next: self.names.next(program, self.terms, var),
                })
                .collect(),
            );
        }
        let mut initial = Terms::TRUE;
        if proc == program.entry {
            let live = liveness.at(program.procs[proc].entry);
            initial = initial_state(program, self.terms, &mut self.names, &live);
        }
        let (blocks, calls) = (IndexVec::new(), Vec::new());
        CutpointEncoding { proc, cuts, liveness, ranges, states, blocks, calls, initial }
    }

    fn blocks(&mut self, encoding: &mut CutpointEncoding, budget: &Budget) -> Result<(), StopReason> {
        for edge in &encoding.cuts.edges {
            budget.check()?;
            encoding.blocks.push(BlockEncoding::with_names(
                self.program,
                &self.program.procs[encoding.proc],
                &edge.segment,
                &encoding.liveness,
                &encoding.ranges,
                self.terms,
                &mut self.names,
            ));
        }
        Ok(())
    }

    fn call(
        &mut self,
        caller: &CutpointEncoding,
        edge: EdgeId,
        callee: &CutpointEncoding,
        effect: &Effect,
    ) -> Option<CallEncoding> {
        let vars = |encoding: &CutpointEncoding, cut: CutId| -> Vec<StateVar> {
            encoding.states[cut].iter().map(|constant| constant.var).collect()
        };
        let call = CallSite::new(self.program, caller.proc, edge, &caller.ranges)?;
        let ends = &caller.proc(self.program).edges[edge];
        let enter = call.enter(&vars(callee, callee.cuts.entry), self.terms, &mut self.names);
        let mut returned = Vec::new();
        let mut leave = None;
        let exit = callee.cuts.at(callee.proc(self.program).exit);
        if let (Some(exit), Some(to)) = (exit, caller.cuts.at(ends.to)) {
            let exit = (&vars(callee, exit)[..], &callee.ranges);
            let step;
            (step, returned) = call.leave(exit, effect, &vars(caller, to), self.terms, &mut self.names);
            leave = Some((to, step));
        }
        let from = caller.cuts.at(ends.from)?;
        Some(CallEncoding { edge, callee: call.callee, from, enter, returned, leave })
    }
}

/// The values of globals and regions at the start of the program, over current constants. Locals
/// start with arbitrary values.
pub fn initial_state(
    program: &Program,
    terms: &mut Terms,
    names: &mut StateNames,
    vars: &[StateVar],
) -> TermId {
    let mut facts = Vec::new();
    for &var in vars.iter().filter(|&&var| program.is_tracked(var)) {
        let constant = names.current(program, terms, var);
        match var {
            StateVar::Var(id) => {
                let Scope::Global { init } = program.vars[id].scope else { continue };
                let value = Encoder::new(program, terms).constant(program.vars[id].ty, init);
                facts.push(terms.eq(constant, value.term));
            }
            StateVar::Region(region) => facts.push(initial_region(program, terms, region, constant)),
        }
    }
    terms.and(&facts)
}

fn initial_region(program: &Program, terms: &mut Terms, region: RegionId, constant: TermId) -> TermId {
    let mut cells = Vec::new();
    for object in &program.objects {
        for &(offset, at, ty, value) in object.init.iter().filter(|(_, at, ..)| *at == region) {
            for (inner, content) in program.cells_of(at, ty, value) {
                cells.push((object.address + offset + inner, content));
            }
        }
    }
    let cells: Vec<(TermId, TermId)> =
        cells.into_iter().map(|(address, content)| (terms.int(address), terms.int(content))).collect();
    if program.regions[region].zeroed {
        let zero = terms.int(0);
        let sort = terms.sort(constant);
        let mut array = terms.const_array(sort, zero);
        for (address, content) in cells {
            array = terms.store(array, address, content);
        }
        return terms.eq(constant, array);
    }
    let facts: Vec<TermId> = cells
        .into_iter()
        .map(|(address, content)| {
            let cell = terms.select(constant, address);
            terms.eq(cell, content)
        })
        .collect();
    terms.and(&facts)
}
