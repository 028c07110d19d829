//! Decision diagrams over tests `dimension <= bound`.
//!
//! A node asks one test; `low` is where it holds. Along a path tests ascend, first by dimension,
//! then by bound. Below `low` the dimension is not tested again (a larger bound holds as well).
//! Two rules make diagrams canonical: the children of a node differ, and a node whose `high` child
//! tests the same dimension differs from that child's `low`. So equal sets are equal ids.
//!
//! A Boolean dimension has the one test `<= 0`.
//!
//! An operation on large diagrams can take long. Where time ends, its result is everything: that is more than the right
//! result of any of them, so whoever goes on with it concludes nothing wrong, and sees soon that time is over.

use crate::Cube;
use craig_base::{Budget, IndexVec, Map, Set, index_type};
use craig_num::Int;
use craig_program::Interval;
use craig_term::TermId;

index_type!(
    /// A set of states in one [`Diagrams`].
    pub DiagramId, "d"
);

impl DiagramId {
    pub const FALSE: DiagramId = DiagramId(0);
    pub const TRUE: DiagramId = DiagramId(1);

    fn is_terminal(self) -> bool {
        self.0 < 2
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub dimension: TermId,
    pub bound: Int,
    pub low: DiagramId,
    pub high: DiagramId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Difference,
}

type Pair = (DiagramId, DiagramId);

/// One step of an operation on two diagrams: to look at a pair, or to build its result from those of
/// the cofactors.
enum Step {
    Look(Pair),
    Build { pair: Pair, dimension: TermId, bound: Int, low: Pair, high: Pair },
}

/// So many steps are made between looks at the budget.
const STEPS: u32 = 1 << 10;

/// The store of all diagrams: equal nodes are one node.
#[derive(Clone, Debug)]
pub(super) struct Diagrams {
    budget: Budget,
    /// Until the next look at it.
    steps: u32,
    is_over: bool,
    nodes: IndexVec<DiagramId, Node>,
    ids: Map<Node, DiagramId>,
    results: Map<(Operation, DiagramId, DiagramId), DiagramId>,
}

impl Diagrams {
    pub fn new(budget: &Budget) -> Self {
        let mut nodes = IndexVec::new();
        for terminal in [DiagramId::FALSE, DiagramId::TRUE] {
            // Never read: terminals test nothing.
            nodes.push(Node { dimension: TermId(0), bound: Int::ZERO, low: terminal, high: terminal });
        }
        let (ids, results) = (Map::default(), Map::default());
        Diagrams { budget: budget.clone(), steps: STEPS, is_over: false, nodes, ids, results }
    }

    /// Counts a step; whether time is over.
    fn is_over(&mut self) -> bool {
        self.steps -= 1;
        if self.steps == 0 {
            self.steps = STEPS;
            self.is_over |= self.budget.check().is_err();
        }
        self.is_over
    }

    pub fn node(&self, id: DiagramId) -> &Node {
        &self.nodes[id]
    }

    fn make(&mut self, dimension: TermId, bound: Int, low: DiagramId, high: DiagramId) -> DiagramId {
        if low == high {
            return low;
        }
        if !high.is_terminal() && self.nodes[high].dimension == dimension && self.nodes[high].low == low {
            return high;
        }
        let node = Node { dimension, bound, low, high };
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    pub fn slab(&mut self, dimension: TermId, interval: &Interval) -> DiagramId {
        let below = match &interval.hi {
            Some(hi) => self.make(dimension, hi.clone(), DiagramId::TRUE, DiagramId::FALSE),
            None => DiagramId::TRUE,
        };
        match &interval.lo {
            Some(lo) => self.make(dimension, lo - &Int::ONE, DiagramId::FALSE, below),
            None => below,
        }
    }

    pub fn and(&mut self, f: DiagramId, g: DiagramId) -> DiagramId {
        self.apply(Operation::And, f, g)
    }

    pub fn or(&mut self, f: DiagramId, g: DiagramId) -> DiagramId {
        self.apply(Operation::Or, f, g)
    }

    pub fn difference(&mut self, f: DiagramId, g: DiagramId) -> DiagramId {
        self.apply(Operation::Difference, f, g)
    }

    fn apply(&mut self, op: Operation, f: DiagramId, g: DiagramId) -> DiagramId {
        let mut stack = vec![Step::Look((f, g))];
        while let Some(step) = stack.pop() {
            if self.is_over() {
                return DiagramId::TRUE;
            }
            match step {
                Step::Look(pair) => {
                    if self.known(op, pair).is_some() {
                        continue;
                    }
                    let (dimension, bound) = self.first_test(pair);
                    let (f_low, f_high) = self.cofactors(pair.0, dimension, &bound);
                    let (g_low, g_high) = self.cofactors(pair.1, dimension, &bound);
                    let (low, high) = ((f_low, g_low), (f_high, g_high));
                    stack.push(Step::Build { pair, dimension, bound, low, high });
                    stack.push(Step::Look(high));
                    stack.push(Step::Look(low));
                }
                Step::Build { pair, dimension, bound, low, high } => {
                    let low = self.known(op, low).expect("parts come before the whole");
                    let high = self.known(op, high).expect("parts come before the whole");
                    let result = self.make(dimension, bound, low, high);
                    self.results.insert((op, pair.0, pair.1), result);
                }
            }
        }
        self.known(op, (f, g)).expect("the root comes last")
    }

    /// The result, where it is obvious or known.
    fn known(&self, op: Operation, (f, g): Pair) -> Option<DiagramId> {
        let (yes, no) = (DiagramId::TRUE, DiagramId::FALSE);
        match op {
            Operation::And if f == no || g == no => Some(no),
            Operation::And if f == yes || f == g => Some(g),
            Operation::And if g == yes => Some(f),
            Operation::Or if f == yes || g == yes => Some(yes),
            Operation::Or if f == no || f == g => Some(g),
            Operation::Or if g == no => Some(f),
            Operation::Difference if f == no || g == yes || f == g => Some(no),
            Operation::Difference if g == no => Some(f),
            _ => self.results.get(&(op, f, g)).copied(),
        }
    }

    /// The least test of two diagrams, not both terminal.
    fn first_test(&self, (f, g): Pair) -> (TermId, Int) {
        let test =
            |id: DiagramId| (!id.is_terminal()).then(|| (self.nodes[id].dimension, &self.nodes[id].bound));
        let least = match (test(f), test(g)) {
            (Some(a), Some(b)) => a.min(b),
            (Some(test), None) | (None, Some(test)) => test,
            (None, None) => unreachable!("operations on terminals are known"),
        };
        (least.0, least.1.clone())
    }

    /// The diagram where a test, not after its own first one, holds and where it does not.
    fn cofactors(&self, f: DiagramId, dimension: TermId, bound: &Int) -> (DiagramId, DiagramId) {
        if f.is_terminal() || self.nodes[f].dimension != dimension {
            return (f, f);
        }
        let node = &self.nodes[f];
        if node.bound == *bound { (node.low, node.high) } else { (node.low, f) }
    }

    /// All nodes below, children before parents.
    pub fn reachable(&self, root: DiagramId) -> Vec<DiagramId> {
        let mut order = Vec::new();
        let mut seen = Set::default();
        let mut stack = vec![(root, false)];
        while let Some((id, children_done)) = stack.pop() {
            if id.is_terminal() {
                continue;
            }
            if children_done {
                order.push(id);
            } else if seen.insert(id) {
                let node = &self.nodes[id];
                stack.extend([(id, true), (node.low, false), (node.high, false)]);
            }
        }
        order
    }

    /// The tests of a diagram.
    pub fn tests(&self, root: DiagramId) -> Vec<(TermId, Int)> {
        let nodes = self.reachable(root).into_iter().map(|id| &self.nodes[id]);
        nodes.map(|node| (node.dimension, node.bound.clone())).collect()
    }

    /// The dimensions that are tested, ascending.
    pub fn support(&self, root: DiagramId) -> Vec<TermId> {
        let mut dimensions: Vec<TermId> =
            self.reachable(root).into_iter().map(|id| self.nodes[id].dimension).collect();
        dimensions.sort_unstable();
        dimensions.dedup();
        dimensions
    }

    /// Leaves out the tests whose outcome is known.
    pub fn decide(&mut self, root: DiagramId, outcome: impl Fn(TermId, &Int) -> Option<bool>) -> DiagramId {
        let mut results: Map<DiagramId, DiagramId> = Map::default();
        results.insert(DiagramId::FALSE, DiagramId::FALSE);
        results.insert(DiagramId::TRUE, DiagramId::TRUE);
        for id in self.reachable(root) {
            let node = self.nodes[id].clone();
            let (low, high) = (results[&node.low], results[&node.high]);
            let result = match outcome(node.dimension, &node.bound) {
                Some(true) => low,
                Some(false) => high,
                None => self.make(node.dimension, node.bound, low, high),
            };
            results.insert(id, result);
        }
        results[&root]
    }

    /// Quantifies away all tests that are not to be kept: both outcomes become possible.
    pub fn drop_tests(&mut self, root: DiagramId, keep: impl Fn(TermId, &Int) -> bool) -> DiagramId {
        let mut results: Map<DiagramId, DiagramId> = Map::default();
        results.insert(DiagramId::FALSE, DiagramId::FALSE);
        results.insert(DiagramId::TRUE, DiagramId::TRUE);
        for id in self.reachable(root) {
            let node = self.nodes[id].clone();
            let (low, high) = (results[&node.low], results[&node.high]);
            let result = if keep(node.dimension, &node.bound) {
                self.make(node.dimension, node.bound, low, high)
            } else {
                self.merge(node.dimension, low, high)
            };
            results.insert(id, result);
        }
        results[&root]
    }

    /// A node without its test. Where `high` still tests the dimension, `low` can only be where that
    /// next test holds.
    fn merge(&mut self, dimension: TermId, low: DiagramId, high: DiagramId) -> DiagramId {
        if high.is_terminal() || self.nodes[high].dimension != dimension {
            return self.or(low, high);
        }
        let next = self.nodes[high].clone();
        let merged = self.or(low, next.low);
        self.make(dimension, next.bound, merged, next.high)
    }

    /// What is known of the given dimensions alone.
    pub fn project(&mut self, root: DiagramId, dimensions: &[TermId]) -> DiagramId {
        self.drop_tests(root, |dimension, _| dimensions.contains(&dimension))
    }

    /// The paths to true as boxes; `None` if there are more than `limit`.
    pub fn paths(&self, root: DiagramId, limit: usize) -> Option<Vec<Cube>> {
        let mut found = Vec::new();
        let mut stack = vec![(root, Cube::new())];
        while let Some((id, cube)) = stack.pop() {
            if id == DiagramId::FALSE {
                continue;
            }
            if id == DiagramId::TRUE {
                if found.len() == limit {
                    return None;
                }
                found.push(cube);
                continue;
            }
            let node = &self.nodes[id];
            let known = cube.get(&node.dimension).unwrap_or(&Interval::ALL);
            // Along a path bounds ascend, so only lower bounds are known of a dimension still tested.
            let below = Interval { lo: known.lo.clone(), hi: Some(node.bound.clone()) };
            let above = Interval { lo: Some(&node.bound + &Int::ONE), hi: known.hi.clone() };
            for (child, interval) in [(node.high, above), (node.low, below)] {
                let mut cube = cube.clone();
                cube.insert(node.dimension, interval);
                stack.push((child, cube));
            }
        }
        Some(found)
    }
}
