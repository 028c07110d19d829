//! The graph of a problem's terms below one virtual root: polarities, parents, parts, dominators.
//!
//! Immediate dominators after Cooper, Harvey and Kennedy (*A simple, fast dominance algorithm*); as
//! the graph has no cycles, one pass in topological order is enough.

use craig_base::{Map, index_type};
use craig_term::{Op, TermId, Terms};

index_type!(
    /// A place in topological order: users come before what they use. The virtual root is first.
    pub NodeIndex,
    "n"
);

impl NodeIndex {
    pub const ROOT: NodeIndex = NodeIndex(0);
}

pub(super) const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

pub(super) struct Graph {
    nodes: Vec<TermId>,
    places: Map<TermId, NodeIndex>,
    polarities: Vec<u8>,
    dominators: Vec<NodeIndex>,
    parents: Vec<u32>,
    /// The part that contains the node, or `SEVERAL`.
    parts: Vec<u32>,
}

const SEVERAL: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

impl Graph {
    pub fn new(terms: &Terms, roots: &[TermId]) -> Graph {
        let mut nodes = vec![Terms::TRUE];
        nodes.extend(terms.postorder(roots).into_iter().rev());
        let places: Map<TermId, NodeIndex> =
            nodes.iter().enumerate().skip(1).map(|(i, &t)| (t, NodeIndex(i as u32))).collect();
        let mut graph = Graph {
            polarities: vec![0; nodes.len()],
            dominators: vec![NodeIndex(u32::MAX); nodes.len()],
            parents: vec![0; nodes.len()],
            parts: vec![NONE; nodes.len()],
            nodes,
            places,
        };
        graph.dominators[0] = NodeIndex::ROOT;
        for (part, root) in roots.iter().enumerate() {
            let place = graph.places[root].0 as usize;
            graph.meet(place, NodeIndex::ROOT, part as u32);
            graph.polarities[place] |= POSITIVE;
        }
        for place in 1..graph.nodes.len() {
            let t = graph.nodes[place];
            let part = graph.parts[place];
            for (position, &arg) in terms.args(t).iter().enumerate() {
                let child = graph.places[&arg].0 as usize;
                graph.meet(child, NodeIndex(place as u32), part);
                graph.polarities[child] |= polarity_of(terms, t, position, graph.polarities[place]);
            }
        }
        graph
    }

    /// One more use of `child`.
    fn meet(&mut self, child: usize, user: NodeIndex, part: u32) {
        self.parents[child] += 1;
        self.parts[child] = match self.parts[child] {
            NONE => part,
            known if known == part => part,
            _ => SEVERAL,
        };
        self.dominators[child] = match self.dominators[child] {
            NodeIndex(u32::MAX) => user,
            mut known => {
                let mut other = user;
                while known != other {
                    if known > other {
                        known = self.dominators[known.0 as usize];
                    } else {
                        other = self.dominators[other.0 as usize];
                    }
                }
                known
            }
        };
    }

    /// All nodes but the virtual root, users first.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeIndex, TermId)> + '_ {
        self.nodes.iter().enumerate().skip(1).map(|(i, &t)| (NodeIndex(i as u32), t))
    }

    pub fn polarity(&self, node: NodeIndex) -> u8 {
        self.polarities[node.0 as usize]
    }

    /// How many uses a term has.
    pub fn parents(&self, t: TermId) -> u32 {
        self.places.get(&t).map_or(0, |place| self.parents[place.0 as usize])
    }

    /// Whether only one part mentions the term.
    pub fn is_local(&self, t: TermId) -> bool {
        self.places.get(&t).is_some_and(|place| self.parts[place.0 as usize] != SEVERAL)
    }

    /// Whether every path from the roots to `t` leads through `node`.
    pub fn dominates(&self, node: NodeIndex, t: TermId) -> bool {
        let Some(&place) = self.places.get(&t) else { return false };
        let mut current = place;
        while current > node {
            current = self.dominators[current.0 as usize];
        }
        current == node
    }
}

/// The polarity that a use at a position adds to an argument.
fn polarity_of(terms: &Terms, user: TermId, position: usize, polarity: u8) -> u8 {
    match terms.op(user) {
        Op::And | Op::Or => polarity,
        Op::Not => (polarity & POSITIVE) << 1 | (polarity & NEGATIVE) >> 1,
        Op::Ite if position > 0 && terms.is_bool(user) => polarity,
        _ => POSITIVE | NEGATIVE,
    }
}
