//! A program whose loops are cut as one formula, with the states at their heads.

use super::block::BlockEncoding;
use super::builder::BlockBuilder;
use super::names::StateNames;
use crate::analysis::Ranges;
use crate::cutpoints::CutpointGraph;
use crate::frames::FramedProgram;
use crate::ir::LocId;
use crate::state::StateVar;
use craig_base::OrderedMap;
use craig_term::{TermId, Terms};

/// The ways to the error, and through the loops that were cut.
pub struct FramedEncoding {
    pub block: BlockEncoding,
    /// The live state at the heads of loops, after what they change was forgotten, and where they are arrived at.
    pub states: OrderedMap<LocId, OrderedMap<StateVar, TermId>>,
}

impl FramedEncoding {
    /// `None` if no path leads to the error, not even through a loop.
    pub fn new(framed: &FramedProgram, ranges: &Ranges, terms: &mut Terms) -> Option<Self> {
        let program = &framed.program;
        let proc = &program.procs[program.entry];
        let cuts = CutpointGraph::towards_error(program, proc);
        let edge = cuts.edges.iter().find(|edge| edge.from == cuts.entry && edge.to == cuts.error)?;
        let mut names = StateNames::default();
        let mut states: OrderedMap<LocId, OrderedMap<StateVar, TermId>> = OrderedMap::default();
        for cut in &framed.loops {
            let live = framed.liveness.at(cut.head).into_iter().filter(|&var| program.is_tracked(var));
            let state: OrderedMap<StateVar, TermId> =
                live.map(|var| (var, names.current(program, terms, var))).collect();
            for location in [cut.head, cut.arrivals[0].0, cut.arrivals[1].0] {
                states.insert(location, state.clone());
            }
        }
        let mut builder =
            BlockBuilder::new(program, proc, &edge.segment, &framed.liveness, ranges, terms, &mut names);
        builder.forgotten = Some(&framed.forgotten);
        builder.observed = states;
        let at_target = builder.follow();
        let states = std::mem::take(&mut builder.observed);
        Some(FramedEncoding { block: builder.finish(at_target), states })
    }
}
