//! The graph with what is asked about it, and DAGCOND: the formula of all its paths.

use super::Dag;
use craig_base::Map;
use craig_term::{Model, TermId, Terms};

/// Rows of bits.
struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Reach { words, bits: vec![0; nodes * words] }
    }

    fn get(&self, from: usize, to: usize) -> bool {
        self.bits[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    fn set(&mut self, from: usize, to: usize) {
        self.bits[from * self.words + to / 64] |= 1 << (to % 64);
    }

    /// `to` reaches what `from`, another node, reaches.
    fn inherit(&mut self, to: usize, from: usize) {
        for word in 0..self.words {
            self.bits[to * self.words + word] |= self.bits[from * self.words + word];
        }
    }
}

pub(super) struct Graph<'a> {
    dag: &'a Dag,
    reach: Reach,
    into: Vec<Vec<(usize, TermId)>>,
    /// The edges that mention a constant, as pairs of nodes.
    mentions: Map<TermId, Vec<(usize, usize)>>,
}

impl<'a> Graph<'a> {
    pub fn new(terms: &Terms, dag: &'a Dag) -> Self {
        let nodes = dag.edges.len();
        let mut reach = Reach::new(nodes);
        let mut into = vec![Vec::new(); nodes];
        let mut mentions: Map<TermId, Vec<(usize, usize)>> = Map::default();
        for (from, out) in dag.edges.iter().enumerate().rev() {
            reach.set(from, from);
            for edge in out {
                debug_assert!(from < edge.to && edge.to < nodes, "edges lead to greater nodes");
                reach.inherit(from, edge.to);
            }
        }
        for (from, out) in dag.edges.iter().enumerate() {
            for edge in out {
                into[edge.to].push((from, edge.formula));
                for constant in terms.free_consts(edge.formula) {
                    mentions.entry(constant).or_default().push((from, edge.to));
                }
            }
        }
        Graph { dag, reach, into, mentions }
    }

    pub fn nodes(&self) -> usize {
        self.dag.edges.len()
    }

    /// Whether the entry reaches it.
    pub fn is_reachable(&self, node: usize) -> bool {
        self.reach.get(0, node)
    }

    /// Whether it lies on a path from entry to exit.
    fn matters(&self, node: usize) -> bool {
        self.is_reachable(node) && self.reach.get(node, self.nodes() - 1)
    }

    pub fn edges_into(&self, node: usize) -> &[(usize, TermId)] {
        &self.into[node]
    }

    /// Whether an edge from which `node` can be reached mentions the constant.
    pub fn is_mentioned_before(&self, constant: TermId, node: usize) -> bool {
        let edges = self.mentions.get(&constant).map_or(&[][..], Vec::as_slice);
        edges.iter().any(|&(_, to)| self.reach.get(to, node))
    }

    /// Whether an edge that can be reached from `node` mentions the constant.
    pub fn is_mentioned_behind(&self, constant: TermId, node: usize) -> bool {
        let edges = self.mentions.get(&constant).map_or(&[][..], Vec::as_slice);
        edges.iter().any(|&(from, _)| self.reach.get(node, from))
    }
}

/// `c_entry ∧ μ_1 ∧ ... ∧ μ_n` with `μ_v = c_v ⇒ ⋁ (c_w ∧ L(v, w))`, of the nodes on paths from
/// entry to exit.
pub(super) struct Condition {
    /// The nodes of the parts, in order.
    order: Vec<usize>,
    pub parts: Vec<TermId>,
    control: Vec<TermId>,
    node_of: Map<TermId, usize>,
}

impl Condition {
    pub fn new(terms: &mut Terms, graph: &Graph<'_>) -> Self {
        let nodes = graph.nodes();
        let control: Vec<TermId> = (0..nodes).map(|_| terms.fresh_const("c", Terms::BOOL)).collect();
        let node_of = control.iter().enumerate().map(|(node, &c)| (c, node)).collect();
        let mut condition = Condition { order: Vec::new(), parts: Vec::new(), control, node_of };
        for node in (0..nodes - 1).filter(|&node| node == 0 || graph.matters(node)) {
            let onward = condition.onward(terms, graph, node);
            let part = if node == 0 { onward } else { terms.implies(condition.control[node], onward) };
            condition.order.push(node);
            condition.parts.push(part);
        }
        condition
    }

    /// One of the edges is taken.
    fn onward(&self, terms: &mut Terms, graph: &Graph<'_>, node: usize) -> TermId {
        let edges = graph.dag.edges[node].iter().filter(|edge| graph.matters(edge.to));
        let taken: Vec<TermId> = edges.map(|edge| terms.and2(self.control[edge.to], edge.formula)).collect();
        terms.or(&taken)
    }

    /// Where the part of a node stands.
    pub fn place_of(&self, node: usize) -> Option<usize> {
        self.order.binary_search(&node).ok()
    }

    pub fn control(&self, node: usize) -> TermId {
        self.control[node]
    }

    pub fn is_control(&self, constant: TermId) -> bool {
        self.node_of.contains_key(&constant)
    }

    /// All paths from a node to the exit.
    pub fn behind(&self, terms: &mut Terms, graph: &Graph<'_>, node: usize) -> TermId {
        let mut parts = vec![self.control[node]];
        for (&other, &part) in self.order.iter().zip(&self.parts) {
            if graph.reach.get(node, other) {
                parts.push(part);
            }
        }
        terms.and(&parts)
    }

    /// The edges that a model of the condition takes from entry to exit.
    pub fn path(&self, terms: &Terms, graph: &Graph<'_>, model: &Model) -> Option<Vec<(usize, usize)>> {
        let mut path = Vec::new();
        let mut node = 0;
        while node != graph.nodes() - 1 {
            let edges = &graph.dag.edges[node];
            let holds = |t: TermId| terms.eval_bool(t, model) == Ok(true);
            let taken = edges.iter().position(|edge| holds(self.control[edge.to]) && holds(edge.formula))?;
            path.push((node, taken));
            node = edges[taken].to;
        }
        Some(path)
    }
}
