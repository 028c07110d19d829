//! A question about one procedure: its abstraction, and the states of the forest in it.

use super::search::Edge;
use crate::verdict::Reason;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{BlockId, Graph};
use crate::yogi::partition::{Partition, RegionId};
use craig_base::{Map, Set};
use craig_program::ProcId;
use craig_term::TermId;

/// The final partition of a question.
pub struct Abstraction {
    pub graph: Graph,
    pub partition: Partition,
    /// The regions that entry states with the condition reach.
    pub reached: Set<RegionId>,
}

/// A question about a procedure, in progress.
pub struct Query {
    pub proc: ProcId,
    pub graph: Graph,
    pub partition: Partition,
    /// Nodes of the forest that have their regions.
    pub known: usize,
    /// A state of the forest is at the target.
    pub reached: bool,
    /// What the exit must not satisfy.
    pub post: Option<TermId>,
    /// Where the procedure is called: the state, and the block of the call.
    pub from: Option<(NodeId, BlockId)>,
    pub stuck: Set<(NodeId, BlockId, RegionId)>,
    pub stuck_start: bool,
    pub reason: Option<Reason>,
    pub asked: Map<(NodeId, BlockId), usize>,
}

impl Query {
    pub fn oldest(&self, from: RegionId, block: BlockId, to: RegionId) -> Option<NodeId> {
        let nodes = &self.partition.regions[from].nodes;
        nodes.iter().copied().find(|&node| !self.stuck.contains(&(node, block, to)))
    }

    pub fn give_up(&mut self, edge: &Edge, reason: Reason) {
        self.stuck.insert((edge.node, edge.block, edge.to));
        self.reason.get_or_insert(reason);
    }

    /// All regions behind the block without tests, on the way to the target.
    pub fn targets(&self, from: RegionId, block: BlockId) -> Vec<RegionId> {
        let leading = self.partition.leading(&self.graph);
        let candidates = self.partition.at[self.graph.blocks[block].to].iter().copied();
        candidates
            .filter(|&region| leading[region] && self.partition.is_possible(from, block, region))
            .collect()
    }

    /// The regions from which abstract traces lead to the target.
    pub fn leading(&self) -> Set<RegionId> {
        let mut seen: Set<RegionId> = Set::default();
        let mut stack: Vec<RegionId> =
            self.graph.error.map_or(Vec::new(), |target| self.partition.at[target].clone());
        while let Some(to) = stack.pop() {
            if !seen.insert(to) {
                continue;
            }
            for &block in &self.graph.points[self.partition.regions[to].point].incoming {
                let sources = self.partition.at[self.graph.blocks[block].from].iter().copied();
                stack.extend(sources.filter(|&from| self.partition.is_possible(from, block, to)));
            }
        }
        seen
    }

    /// The regions that abstract traces reach from the entry, without those of `leading`.
    pub fn reached(&self, leading: &Set<RegionId>) -> Set<RegionId> {
        let mut reached: Set<RegionId> = Set::default();
        let entries = self.partition.at[self.graph.entry].iter().copied();
        let mut stack: Vec<RegionId> = entries.filter(|region| !leading.contains(region)).collect();
        while let Some(from) = stack.pop() {
            if !reached.insert(from) {
                continue;
            }
            for &block in &self.graph.points[self.partition.regions[from].point].outgoing {
                let behind = self.partition.at[self.graph.blocks[block].to].iter().copied();
                stack.extend(behind.filter(|&to| self.partition.is_possible(from, block, to)));
            }
        }
        reached
    }
}
