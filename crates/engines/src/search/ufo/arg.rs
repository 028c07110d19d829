//! Abstract reachability graphs (thesis, Definition 2.1): an acyclic unwinding of the cutpoint
//! graph whose nodes carry labels.

use craig_base::{IndexVec, index_type};
use craig_program::{CutEdgeId, CutId};
use craig_term::TermId;

index_type!(pub NodeId, "n");

/// A node: the paper's ν and ψ, and the edges E with τ.
#[derive(Clone, Debug)]
pub struct Node {
    pub cutpoint: CutId,
    /// ψ: over the state constants of the cutpoint.
    pub label: TermId,
    pub children: Vec<(CutEdgeId, NodeId)>,
    pub parents: Vec<(CutEdgeId, NodeId)>,
    /// Its label is to be computed by the abstract post.
    pub marked: bool,
}

#[derive(Clone, Debug)]
pub struct Arg {
    pub nodes: IndexVec<NodeId, Node>,
    pub entry: NodeId,
}

impl Arg {
    pub fn new(entry: CutId, label: TermId) -> Self {
        let mut nodes = IndexVec::new();
        let node = Node { cutpoint: entry, label, children: Vec::new(), parents: Vec::new(), marked: true };
        let entry = nodes.push(node);
        Arg { nodes, entry }
    }

    pub fn add_node(&mut self, cutpoint: CutId, label: TermId) -> NodeId {
        self.nodes.push(Node { cutpoint, label, children: Vec::new(), parents: Vec::new(), marked: false })
    }

    /// Makes `to` the child of `from` along `edge`, in place of any earlier one.
    pub fn set_edge(&mut self, from: NodeId, edge: CutEdgeId, to: NodeId) {
        if let Some(position) = self.nodes[from].children.iter().position(|&(e, _)| e == edge) {
            let (_, old) = self.nodes[from].children.remove(position);
            self.nodes[old].parents.retain(|&parent| parent != (edge, from));
        }
        self.nodes[from].children.push((edge, to));
        self.nodes[to].parents.push((edge, from));
    }
}
