//! The cutpoint graph of a program as formulas: what the engines on the inlined view work with.

use super::block::BlockEncoding;
use super::names::StateNames;
use super::{Encoder, in_range, type_range};
use crate::analysis::Ranges;
use crate::cutpoints::{CutEdgeId, CutId, CutpointGraph};
use crate::ir::{Proc, Program, RegionId, Scope};
use crate::liveness::Liveness;
use crate::state::StateVar;
use craig_base::{Budget, IndexVec, StopReason};
use craig_term::{TermId, Terms};

/// A cutpoint graph with the state at its cutpoints and the formulas of its edges.
///
/// The program is unsafe (as far as the formulas tell) if there is a path from the entry, in a state
/// of `initial`, along `blocks` to the error.
#[derive(Clone, Debug)]
pub struct CutpointEncoding {
    pub cuts: CutpointGraph,
    pub liveness: Liveness,
    /// The live state at each cutpoint.
    pub states: IndexVec<CutId, Vec<StateConstant>>,
    pub blocks: IndexVec<CutEdgeId, BlockEncoding>,
    /// The initial states, over the current constants of the entry.
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
        let proc = &program.procs[program.entry];
        let liveness = Liveness::towards_error(program, proc);
        let mut names = StateNames::default();
        let mut states = IndexVec::new();
        for cut in &cuts.cutpoints {
            let live = liveness.at(cut.location).into_iter().filter(|&var| program.is_tracked(var));
            states.push(
                live.map(|var| StateConstant {
                    var,
                    current: names.current(program, terms, var),
                    next: names.next(program, terms, var),
                })
                .collect(),
            );
        }
        let mut blocks = IndexVec::new();
        for edge in &cuts.edges {
            budget.check()?;
            blocks.push(BlockEncoding::with_names(
                program,
                proc,
                &edge.segment,
                &liveness,
                ranges,
                terms,
                &mut names,
            ));
        }
        let live_at_entry: Vec<StateVar> = liveness.at(proc.entry);
        let initial = initial_state(program, terms, &mut names, &live_at_entry);
        Ok(CutpointEncoding { cuts, liveness, states, blocks, initial })
    }

    /// What the ranges say about the state at a cutpoint, over its current constants. An invariant
    /// that was found with formulas that use the ranges is inductive together with this.
    pub fn range_facts(&self, program: &Program, ranges: &Ranges, terms: &mut Terms, cut: CutId) -> TermId {
        let location = self.cuts.location(cut);
        let mut facts = Vec::new();
        for constant in &self.states[cut] {
            if let StateVar::Var(var) = constant.var
                && !terms.is_bool(constant.current)
            {
                let by_type = type_range(program, program.vars[var].ty);
                let range =
                    ranges.at(location, var).and_then(|known| known.meet(&by_type)).unwrap_or(by_type);
                facts.push(in_range(terms, constant.current, &range));
            }
        }
        terms.and(&facts)
    }

    pub fn proc<'p>(&self, program: &'p Program) -> &'p Proc {
        &program.procs[program.entry]
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
