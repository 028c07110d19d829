//! Regions, their splits, and abstract error traces.
//!
//! The abstract transitions are all that the blocks allow, without those that are known to be
//! impossible. A region is split in two: the part without the new predicate keeps its number.
//!
//! The splits of a point form a decision tree. Formulas for sets of regions are read off it: where it
//! does not matter on which side of a split a state is, the predicate of the split is not mentioned.

use super::forest::NodeId;
use super::graph::{BlockId, Graph, PointId};
use craig_base::{Index, IndexVec, Map, OrderedMap, Set, index_type};
use craig_term::{TermId, Terms};
use std::collections::VecDeque;

index_type!(
    /// An equivalence class of states.
    pub RegionId, "r"
);

#[derive(Clone, Debug)]
pub struct Region {
    pub point: PointId,
    /// Over the constants of the point.
    pub formula: TermId,
    /// The states of the forest that lie here, oldest first.
    pub nodes: Vec<NodeId>,
    /// Grows with every split, so that what was found out about an older formula is not reused.
    pub version: u32,
    /// Abstract transitions that no concrete transition has.
    impossible: Set<(BlockId, RegionId)>,
    /// It was split off by a predicate that is weaker than need be, as long as no test comes here.
    pub is_guess: bool,
    /// At the entry: whether there may be initial states.
    initial: bool,
    /// Predicates that do not hold here.
    without: Set<TermId>,
}

/// The place where an ordered abstract error trace leaves what tests have visited.
#[derive(Clone, Debug)]
pub enum Frontier {
    /// No test has started in this region yet: S_0.
    Start(RegionId),
    /// From S_{k-1}, along the block, to S_k; then the rest of the trace.
    Edge { from: RegionId, block: BlockId, to: RegionId, rest: Vec<(BlockId, RegionId)> },
}

#[derive(Clone, Debug)]
pub struct Partition {
    pub regions: IndexVec<RegionId, Region>,
    pub at: IndexVec<PointId, Vec<RegionId>>,
    /// How the regions came about, for all points; children stand after their parents.
    tree: Vec<Tree>,
    /// Where the tree of a point begins.
    roots: IndexVec<PointId, usize>,
    leaves: IndexVec<RegionId, usize>,
}

/// A decision tree over predicates, with regions as its leaves.
#[derive(Clone, Copy, Debug)]
enum Tree {
    Leaf(RegionId),
    Split { predicate: TermId, with: usize, without: usize },
}

/// Whether the states of a region are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    In,
    Out,
    /// It does not matter.
    Any,
}

/// A set of states under a node of the tree.
#[derive(Clone, Copy)]
enum Chosen {
    Any,
    All,
    None,
    Formula(TermId),
}

impl Partition {
    /// One region for each point.
    pub fn new(graph: &Graph) -> Self {
        let mut regions: IndexVec<RegionId, Region> = IndexVec::new();
        let at = graph
            .points
            .indices()
            .map(|point| {
                vec![regions.push(Region {
                    point,
                    formula: Terms::TRUE,
                    nodes: Vec::new(),
                    version: 0,
                    impossible: Set::default(),
                    is_guess: false,
                    initial: point == graph.entry,
                    without: Set::default(),
                })]
            })
            .collect();
        let leaves: IndexVec<RegionId, usize> = regions.indices().map(|region| region.index()).collect();
        let tree = regions.indices().map(Tree::Leaf).collect();
        let roots = graph.points.indices().map(|point| point.index()).collect();
        Partition { regions, at, tree, roots, leaves }
    }

    pub fn is_possible(&self, from: RegionId, block: BlockId, to: RegionId) -> bool {
        !self.regions[from].impossible.contains(&(block, to))
    }

    pub fn exclude(&mut self, from: RegionId, block: BlockId, to: RegionId) {
        self.regions[from].impossible.insert((block, to));
    }

    /// Whether initial states may lie in the region.
    pub fn is_initial(&self, region: RegionId) -> bool {
        self.regions[region].initial
    }

    /// No initial state lies in the region.
    pub fn exclude_start(&mut self, region: RegionId) {
        self.regions[region].initial = false;
    }

    /// Splits `region` by `predicate`; `inside` are its nodes for which the predicate holds. The new
    /// region has the predicate; there is none if it would be empty, as far as one look tells.
    pub fn split(
        &mut self,
        tm: &mut Terms,
        graph: &Graph,
        region: RegionId,
        predicate: TermId,
        inside: &Set<NodeId>,
    ) -> Option<RegionId> {
        let formula = tm.and2(self.regions[region].formula, predicate);
        if tm.is_false(formula) || !self.regions[region].without.insert(predicate) {
            return None;
        }
        let mut old = self.regions[region].clone();
        old.without.remove(&predicate);
        let (with, without): (Vec<NodeId>, Vec<NodeId>) =
            old.nodes.iter().partition(|node| inside.contains(node));
        let opposite = tm.not(predicate);
        let is_guess = false;
        let new = Region { formula, nodes: with, version: old.version + 1, is_guess, ..old.clone() };
        let point = old.point;
        let new = self.regions.push(new);
        let rest = &mut self.regions[region];
        rest.formula = tm.and2(old.formula, opposite);
        rest.nodes = without;
        rest.version += 1;
        self.at[point].push(new);
        let leaf = self.leaves[region];
        let (with, without) = (self.tree.len(), self.tree.len() + 1);
        self.tree[leaf] = Tree::Split { predicate, with, without };
        self.tree.extend([Tree::Leaf(new), Tree::Leaf(region)]);
        self.leaves.push(with);
        self.leaves[region] = without;
        for &block in &graph.points[point].incoming {
            for &source in &self.at[graph.blocks[block].from] {
                let impossible = &mut self.regions[source].impossible;
                if impossible.contains(&(block, region)) {
                    impossible.insert((block, new));
                }
            }
        }
        Some(new)
    }

    /// The regions without tests from which abstract traces through such regions lead to the error.
    pub fn leading(&self, graph: &Graph) -> IndexVec<RegionId, bool> {
        let mut seen = IndexVec::from_elem(false, self.regions.len());
        let mut stack: Vec<RegionId> = graph.error.map_or(Vec::new(), |error| self.at[error].clone());
        while let Some(to) = stack.pop() {
            if !self.regions[to].nodes.is_empty() || std::mem::replace(&mut seen[to], true) {
                continue;
            }
            for &block in &graph.points[self.regions[to].point].incoming {
                let sources = self.at[graph.blocks[block].from].iter();
                stack.extend(sources.filter(|&&from| {
                    !seen[from] && self.regions[from].nodes.is_empty() && self.is_possible(from, block, to)
                }));
            }
        }
        seen
    }

    /// The states of the targets, and of whatever regions the block does not lead into from `from`,
    /// as simple as possible.
    pub fn target(
        &self,
        tm: &mut Terms,
        graph: &Graph,
        from: RegionId,
        block: BlockId,
        targets: &[RegionId],
    ) -> TermId {
        let choice = |region: RegionId| {
            if targets.contains(&region) {
                Choice::In
            } else if self.is_possible(from, block, region) {
                Choice::Out
            } else {
                Choice::Any
            }
        };
        self.formula(tm, graph.blocks[block].to, choice)
    }

    /// The simplest formula that the tree offers for a set of regions of a point.
    pub fn formula(&self, tm: &mut Terms, point: PointId, choice: impl Fn(RegionId) -> Choice) -> TermId {
        let mut chosen: Map<usize, Chosen> = Map::default();
        let mut stack = vec![self.roots[point]];
        while let Some(&at) = stack.last() {
            let result = match self.tree[at] {
                Tree::Leaf(region) => match choice(region) {
                    Choice::In => Chosen::All,
                    Choice::Out => Chosen::None,
                    Choice::Any => Chosen::Any,
                },
                Tree::Split { predicate, with, without } => {
                    let (Some(&yes), Some(&no)) = (chosen.get(&with), chosen.get(&without)) else {
                        stack.extend([with, without]);
                        continue;
                    };
                    combine(tm, predicate, yes, no)
                }
            };
            stack.pop();
            chosen.insert(at, result);
        }
        match chosen.get(&self.roots[point]) {
            Some(Chosen::All) => Terms::TRUE,
            Some(Chosen::Formula(formula)) => *formula,
            _ => Terms::FALSE,
        }
    }

    /// The frontier of a shortest way on from what tests have visited to the error, if there is one;
    /// `given_up` says which edges are not to be tried. Breadth first from the error, so each region
    /// that the search passes is one that no test has visited.
    pub fn frontier(
        &self,
        graph: &Graph,
        given_up: impl Fn(RegionId, BlockId, RegionId) -> bool,
    ) -> Option<Frontier> {
        let error = graph.error?;
        let mut onward: Map<RegionId, (BlockId, RegionId)> = Map::default();
        let mut seen = IndexVec::from_elem(false, self.regions.len());
        let mut queue: VecDeque<RegionId> = VecDeque::new();
        for &region in &self.at[error] {
            seen[region] = true;
            queue.push_back(region);
        }
        while let Some(to) = queue.pop_front() {
            let point = self.regions[to].point;
            if self.regions[to].initial {
                return Some(Frontier::Start(to));
            }
            for &block in &graph.points[point].incoming {
                for &from in &self.at[graph.blocks[block].from] {
                    if seen[from] || !self.is_possible(from, block, to) {
                        continue;
                    }
                    if !self.regions[from].nodes.is_empty() {
                        if given_up(from, block, to) {
                            continue;
                        }
                        let mut rest = Vec::new();
                        let mut at = to;
                        while let Some(&(block, next)) = onward.get(&at) {
                            rest.push((block, next));
                            at = next;
                        }
                        return Some(Frontier::Edge { from, block, to, rest });
                    }
                    seen[from] = true;
                    onward.insert(from, (block, to));
                    queue.push_back(from);
                }
            }
        }
        None
    }

    /// Up to `count` frontiers, nearest to the error first, that leave different regions.
    pub fn frontiers(
        &self,
        graph: &Graph,
        count: usize,
        given_up: impl Fn(RegionId, BlockId, RegionId) -> bool,
    ) -> Vec<(RegionId, BlockId, RegionId)> {
        let mut found: OrderedMap<RegionId, (BlockId, RegionId)> = OrderedMap::default();
        let mut seen = IndexVec::from_elem(false, self.regions.len());
        let mut queue: VecDeque<RegionId> = VecDeque::new();
        queue.extend(graph.error.map_or(&[][..], |error| &self.at[error]));
        while let Some(to) = queue.pop_front() {
            for &block in &graph.points[self.regions[to].point].incoming {
                for &from in &self.at[graph.blocks[block].from] {
                    if seen[from] || !self.is_possible(from, block, to) {
                        continue;
                    }
                    if self.regions[from].nodes.is_empty() {
                        seen[from] = true;
                        queue.push_back(from);
                    } else if !given_up(from, block, to) {
                        found.entry(from).or_insert((block, to));
                    }
                }
            }
            if found.len() >= count {
                break;
            }
        }
        found.into_iter().take(count).map(|(from, (block, to))| (from, block, to)).collect()
    }
}

/// `predicate ? yes : no`.
fn combine(tm: &mut Terms, predicate: TermId, yes: Chosen, no: Chosen) -> Chosen {
    let term = |chosen: Chosen| match chosen {
        Chosen::All => Terms::TRUE,
        Chosen::Formula(formula) => formula,
        Chosen::Any | Chosen::None => Terms::FALSE,
    };
    match (yes, no) {
        (Chosen::Any, other) | (other, Chosen::Any) => other,
        (Chosen::All, Chosen::All) => Chosen::All,
        (Chosen::None, Chosen::None) => Chosen::None,
        (yes, no) => {
            let opposite = tm.not(predicate);
            let formula = match (yes, no) {
                // Without a needless second mention of the predicate.
                (Chosen::All, no) => tm.or2(predicate, term(no)),
                (yes, Chosen::All) => tm.or2(opposite, term(yes)),
                (yes, no) => {
                    let with = tm.and2(predicate, term(yes));
                    let without = tm.and2(opposite, term(no));
                    tm.or2(with, without)
                }
            };
            Chosen::Formula(formula)
        }
    }
}
