//! A question about one procedure: whether its target can be reached, with the abstraction that answers it.

use super::forest::NodeId;
use super::graph::{BlockId, Graph, PointId, Procedure};
use super::partition::{Frontier, Partition, RegionId};
use crate::verdict::Reason;
use craig_base::{Map, Set};
use craig_program::ProcId;
use craig_term::{TermId, Terms};

/// The first [`Query::restart_at`], and by how much it grows: doubled, the phases soon become so long that new tests come
/// too late to be of use.
const FIRST_RESTART: usize = 8;

pub struct Query {
    pub proc: ProcId,
    /// The procedure; its error is the target of the question.
    pub graph: Graph,
    pub partition: Partition,
    /// What an exit must satisfy to be the target, if it is not the error of the procedure.
    pub post: Option<TermId>,
    /// Where the procedure is called, if it is not the entry of the program: the state, and the block of the call.
    pub from: Option<(NodeId, BlockId)>,
    /// Nodes of the forest that have their regions.
    pub placed: usize,
    /// A test has reached the target.
    pub reached: bool,
    /// Splits, since the regions were made, of what guesses had split off: tests came there all the same.
    pub regretted: usize,
    /// At how many of those all regions are made again.
    pub restart_at: usize,
    /// Nodes of the forest that had regions when these were made.
    pub known: usize,
    /// How often a bound of a variable was used for a split of a point.
    pub bounds_used: Map<(PointId, TermId, bool), usize>,
    /// How often a frontier has asked the callee.
    pub asked: Map<(NodeId, BlockId), usize>,
    /// Frontiers at which neither a test nor a refinement was found.
    stuck: Set<(NodeId, BlockId, RegionId)>,
    stuck_reason: Option<Reason>,
    stuck_start: Option<Reason>,
}

impl Query {
    /// Whether the error of the procedure can be reached; with `post`, whether it can return so.
    pub fn new(
        tm: &Terms,
        proc: ProcId,
        procedure: &Procedure,
        post: Option<TermId>,
        from: Option<(NodeId, BlockId)>,
    ) -> Self {
        let graph = match (post, procedure.exit) {
            (None, _) => procedure.graph.clone(),
            (Some(post), Some(exit)) => procedure.graph.towards(tm, exit, post),
            (Some(_), None) => Graph { error: None, ..procedure.graph.clone() },
        };
        Query {
            proc,
            partition: Partition::new(&graph),
            graph,
            post,
            from,
            placed: 0,
            reached: false,
            regretted: 0,
            restart_at: FIRST_RESTART,
            known: 0,
            bounds_used: Map::default(),
            asked: Map::default(),
            stuck: Set::default(),
            stuck_reason: None,
            stuck_start: None,
        }
    }

    /// One region for each point again. The next time comes later, so that a search can end.
    pub fn restart(&mut self) {
        self.partition = Partition::new(&self.graph);
        self.known = std::mem::take(&mut self.placed);
        self.restart_at += FIRST_RESTART;
        self.regretted = 0;
        self.asked.clear();
        self.stuck.clear();
        (self.stuck_reason, self.stuck_start) = (None, None);
    }

    pub fn get_ordered_abstract_trace(&self) -> Option<Frontier> {
        self.partition.frontier(&self.graph, |from, block, to| self.oldest(from, block, to).is_none())
    }

    /// The oldest state of the region from which the step was not given up.
    pub fn oldest(&self, from: RegionId, block: BlockId, to: RegionId) -> Option<NodeId> {
        let nodes = &self.partition.regions[from].nodes;
        nodes.iter().copied().find(|&node| !self.stuck.contains(&(node, block, to)))
    }

    pub fn give_up(&mut self, step: (NodeId, BlockId, RegionId), reason: Reason) {
        self.stuck.insert(step);
        self.stuck_reason.get_or_insert(reason);
    }

    /// A start that formulas allow and no test could make.
    pub fn give_up_start(&mut self, region: RegionId) {
        self.partition.exclude_start(region);
        let why = "a start that the formulas allow".to_string();
        self.stuck_start.get_or_insert(Reason::NotReplayed(why));
    }

    /// When no frontier is left: why that is no proof, if something was given up.
    pub fn gave_up(&mut self) -> Option<Reason> {
        self.stuck_start.take().or_else(|| {
            let open = self.partition.frontier(&self.graph, |_, _, _| false).is_some();
            self.stuck_reason.take().filter(|_| open)
        })
    }

    /// All regions after the block without tests, on the way to the target.
    pub fn targets(&self, from: RegionId, block: BlockId) -> Vec<RegionId> {
        let leading = self.partition.leading(&self.graph);
        let candidates = self.partition.at[self.graph.blocks[block].to].iter().copied();
        candidates
            .filter(|&region| leading[region] && self.partition.is_possible(from, block, region))
            .collect()
    }

    /// The regions of the entry from which no abstract trace leads to the target.
    pub fn safe_entries(&self) -> Set<RegionId> {
        let mut leading: Set<RegionId> = Set::default();
        let mut stack: Vec<RegionId> =
            self.graph.error.map_or(Vec::new(), |target| self.partition.at[target].clone());
        while let Some(to) = stack.pop() {
            if !leading.insert(to) {
                continue;
            }
            for &block in &self.graph.points[self.partition.regions[to].point].incoming {
                let sources = self.partition.at[self.graph.blocks[block].from].iter().copied();
                stack.extend(sources.filter(|&from| self.partition.is_possible(from, block, to)));
            }
        }
        let entries = self.partition.at[self.graph.entry].iter().copied();
        entries.filter(|region| !leading.contains(region)).collect()
    }

    /// The regions that abstract traces reach, from the starts of the program or from all safe entries.
    pub fn reached(&self) -> Set<RegionId> {
        let safe = self.safe_entries();
        let is_start = |&region: &RegionId| match self.from {
            None => self.partition.is_initial(region) || !self.partition.regions[region].nodes.is_empty(),
            Some(_) => safe.contains(&region),
        };
        let entries = self.partition.at[self.graph.entry].iter().copied();
        let mut stack: Vec<RegionId> = entries.filter(is_start).collect();
        let mut reached: Set<RegionId> = Set::default();
        while let Some(from) = stack.pop() {
            if !reached.insert(from) {
                continue;
            }
            for &block in &self.graph.points[self.partition.regions[from].point].outgoing {
                let after = self.partition.at[self.graph.blocks[block].to].iter().copied();
                stack.extend(after.filter(|&to| self.partition.is_possible(from, block, to)));
            }
        }
        reached
    }
}
