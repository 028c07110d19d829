//! Weak topological orders (Bourdoncle, *Efficient chaotic iteration strategies with widenings*,
//! 1993, figure 4), and the two steps that the recursive iteration strategy takes along them
//! (thesis on UFO, section 2.4: `WTONEXT` and `WTOEXIT`).
//!
//! A weak topological order is a well-parenthesised sequence of the nodes; the first element after
//! an opening parenthesis is the *head* of a component, and every cycle of the graph passes through
//! a head of a component that contains the whole cycle. The algorithm is Bourdoncle's with its two
//! mutually recursive procedures turned into frames on one explicit stack; time is the number of
//! edges times the nesting depth.

use crate::graph::Digraph;
use craig_base::{Index, IndexVec};

/// A weak topological order of the nodes that are reachable from the entry.
#[derive(Clone, Debug)]
pub struct Wto<N: Index> {
    /// The nodes in the total order, without parentheses.
    pub order: Vec<N>,
    /// All components, outer ones before those inside them.
    pub components: Vec<Component<N>>,
    places: IndexVec<N, Option<WtoPlace>>,
}

/// A component occupies a contiguous part of the order; its head is the first element there.
#[derive(Clone, Debug)]
pub struct Component<N> {
    pub head: N,
    /// Positions in the order: from the head up to, not including, the end.
    pub start: usize,
    pub end: usize,
    /// The component around this one.
    pub parent: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct WtoPlace {
    position: usize,
    /// The innermost component that contains the node (for a head, its own).
    component: Option<usize>,
}

/// An element of the order with its parentheses, as [`Wto::elements`] gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WtoElement<N> {
    /// `(` and the head after it.
    Open(N),
    Node(N),
    /// `)` of the component with this head.
    Close(N),
}

impl<N: Index> Wto<N> {
    pub fn new(graph: &Digraph<N>, entry: N) -> Self {
        Self::from_elements(graph, bourdoncle(graph, &[entry]))
    }

    /// As [`new`](Self::new), with `last`, a node without successors, at the end of the order
    /// (even if the entry does not reach it).
    pub fn with_last(graph: &Digraph<N>, entry: N, last: N) -> Self {
        debug_assert!(graph.successors(last).is_empty());
        Self::from_elements(graph, bourdoncle(graph, &[last, entry]))
    }

    fn from_elements(graph: &Digraph<N>, elements: Vec<WtoElement<N>>) -> Self {
        let mut wto = Wto {
            order: Vec::new(),
            components: Vec::new(),
            places: IndexVec::from_elem(None, graph.node_count()),
        };
        let mut open: Vec<usize> = Vec::new();
        for element in elements {
            let position = wto.order.len();
            match element {
                WtoElement::Open(head) => {
                    let component = wto.components.len();
                    let parent = open.last().copied();
                    wto.components.push(Component { head, start: position, end: position, parent });
                    open.push(component);
                    wto.place(head, component.into());
                }
                WtoElement::Node(node) => wto.place(node, open.last().copied()),
                WtoElement::Close(_) => {
                    let component = open.pop().expect("parentheses match");
                    wto.components[component].end = position;
                }
            }
        }
        wto
    }

    fn place(&mut self, node: N, component: Option<usize>) {
        self.places[node] = Some(WtoPlace { position: self.order.len(), component });
        self.order.push(node);
    }

    /// The sequence with parentheses.
    pub fn elements(&self) -> Vec<WtoElement<N>> {
        let mut elements = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (position, &node) in self.order.iter().enumerate() {
            while let Some(&component) = open.last()
                && self.components[component].end == position
            {
                open.pop();
                elements.push(WtoElement::Close(self.components[component].head));
            }
            match self.component_of_head(node) {
                Some(component) => {
                    open.push(component);
                    elements.push(WtoElement::Open(node));
                }
                None => elements.push(WtoElement::Node(node)),
            }
        }
        while let Some(component) = open.pop() {
            elements.push(WtoElement::Close(self.components[component].head));
        }
        elements
    }

    pub fn contains(&self, node: N) -> bool {
        self.places[node].is_some()
    }

    /// The position in the total order.
    pub fn position(&self, node: N) -> Option<usize> {
        self.places[node].map(|place| place.position)
    }

    pub fn is_head(&self, node: N) -> bool {
        self.component_of_head(node).is_some()
    }

    /// The component whose head is `node`.
    pub fn component_of_head(&self, node: N) -> Option<usize> {
        self.innermost(node).filter(|&component| self.components[component].head == node)
    }

    /// The innermost component that contains `node`; a head is in its own.
    pub fn innermost(&self, node: N) -> Option<usize> {
        self.places[node].and_then(|place| place.component)
    }

    /// The heads of all components around `node`, innermost first: the paper's ω.
    pub fn heads(&self, node: N) -> impl Iterator<Item = N> + '_ {
        std::iter::successors(self.innermost(node), |&component| self.components[component].parent)
            .map(|component| self.components[component].head)
    }

    /// Whether an edge closes a cycle of a component: its target is a head around its source.
    pub fn is_back_edge(&self, from: N, to: N) -> bool {
        self.heads(from).any(|head| head == to)
    }

    /// `WTONEXT`: the element that follows `node` in its innermost component (skipping nothing:
    /// the head of a component inside is such an element), and the head of that component after
    /// its last element. Outside of all components, the next element of the order.
    pub fn next(&self, node: N) -> Option<N> {
        let place = self.places[node]?;
        self.after(place.position + 1, place.component)
    }

    /// `WTOEXIT`: where to go on after the component of the head `head` has stabilised.
    pub fn exit(&self, head: N) -> Option<N> {
        let component = &self.components[self.component_of_head(head)?];
        self.after(component.end, component.parent)
    }

    fn after(&self, position: usize, within: Option<usize>) -> Option<N> {
        match within {
            Some(component) if position >= self.components[component].end => {
                Some(self.components[component].head)
            }
            _ => self.order.get(position).copied(),
        }
    }
}

/// What an earlier root reaches comes after what only later ones reach.
fn bourdoncle<N: Index>(graph: &Digraph<N>, roots: &[N]) -> Vec<WtoElement<N>> {
    const DONE: u32 = u32::MAX;
    enum Frame<N> {
        Visit { node: N, next: usize, head: u32, is_loop: bool },
        Component { node: N, next: usize },
    }
    let visit = |node| Frame::Visit { node, next: 0, head: 0, is_loop: false };

    let mut number = IndexVec::from_elem(0u32, graph.node_count());
    let mut last_number = 0;
    let mut open: Vec<N> = Vec::new();
    // Built back to front, like the partitions of the paper, to which elements are prepended.
    let mut reversed = Vec::new();
    let mut roots = roots.iter().copied();
    let mut frames = Vec::new();
    // What the visit that just ended returned.
    let mut returned: Option<u32> = None;
    loop {
        let Some(frame) = frames.pop() else {
            match roots.find(|&root| number[root] == 0) {
                Some(root) => frames.push(visit(root)),
                None => break,
            }
            continue;
        };
        match frame {
            Frame::Visit { node, next, mut head, mut is_loop } => {
                if next == 0 && returned.is_none() && number[node] == 0 {
                    last_number += 1;
                    number[node] = last_number;
                    head = last_number;
                    open.push(node);
                }
                if let Some(minimum) = returned.take()
                    && minimum <= head
                {
                    head = minimum;
                    is_loop = true;
                }
                if let Some(&child) = graph.successors(node).get(next) {
                    frames.push(Frame::Visit { node, next: next + 1, head, is_loop });
                    if number[child] == 0 {
                        frames.push(visit(child));
                    } else {
                        returned = Some(number[child]);
                    }
                    continue;
                }
                if head == number[node] {
                    number[node] = DONE;
                    while let Some(member) = open.pop()
                        && member != node
                    {
                        number[member] = 0;
                    }
                    if is_loop {
                        reversed.push(WtoElement::Close(node));
                        returned = None;
                        frames.push(Frame::Component { node, next: 0 });
                        // The component's frame returns `head` to the parent when it ends.
                        continue;
                    }
                    reversed.push(WtoElement::Node(node));
                }
                returned = (!frames.is_empty()).then_some(head);
            }
            Frame::Component { node, next } => {
                // Visits inside report to nothing: their nodes cannot reach back beyond the head.
                returned = None;
                if let Some(&child) = graph.successors(node).get(next) {
                    frames.push(Frame::Component { node, next: next + 1 });
                    if number[child] == 0 {
                        frames.push(visit(child));
                    }
                    continue;
                }
                reversed.push(WtoElement::Open(node));
                returned = match frames.last() {
                    Some(Frame::Visit { .. }) => Some(DONE),
                    _ => None,
                };
            }
        }
    }
    reversed.reverse();
    reversed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::graph;
    use crate::ir::LocId;

    fn show(wto: &Wto<LocId>) -> String {
        let mut out = String::new();
        for element in wto.elements() {
            match element {
                WtoElement::Open(node) => out.push_str(&format!("({} ", node.0)),
                WtoElement::Node(node) => out.push_str(&format!("{} ", node.0)),
                WtoElement::Close(_) => {
                    out.truncate(out.trim_end().len());
                    out.push_str(") ");
                }
            }
        }
        out.trim_end().to_string()
    }

    /// The graph of figure 2 of Bourdoncle's paper.
    fn bourdoncles_example() -> Digraph<LocId> {
        graph(9, &[(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (2, 8), (4, 7), (6, 5), (7, 3)])
    }

    #[test]
    fn bourdoncles_own_example() {
        let wto = Wto::new(&bourdoncles_example(), LocId(1));
        assert_eq!(show(&wto), "1 2 (3 4 (5 6) 7) 8");
        assert_eq!(wto.heads(LocId(6)).map(|n| n.0).collect::<Vec<_>>(), vec![5, 3]);
    }

    #[test]
    fn next_and_exit_follow_the_thesis() {
        let wto = Wto::new(&bourdoncles_example(), LocId(1));
        let next = |n| wto.next(LocId(n)).map(|n| n.0);
        let exit = |n| wto.exit(LocId(n)).map(|n| n.0);
        assert_eq!((next(1), next(2), next(3), next(4)), (Some(2), Some(3), Some(4), Some(5)));
        assert_eq!((next(6), next(7), next(8)), (Some(5), Some(3), None));
        assert_eq!((exit(5), exit(3)), (Some(7), Some(8)));
    }

    #[test]
    fn self_loops_and_irreducible_graphs() {
        let wto = Wto::new(&graph(3, &[(0, 1), (1, 1), (1, 2)]), LocId(0));
        assert_eq!(show(&wto), "0 (1) 2");
        // Two entries into one cycle: each cycle still passes through a head.
        let wto = Wto::new(&graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)]), LocId(0));
        assert_eq!(show(&wto), "0 (1 2) 3");
    }

    #[test]
    fn every_edge_goes_forward_or_to_a_head_around_its_source() {
        let mut seed = 12345u64;
        let mut random = move |bound: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % bound) as u32
        };
        for round in 0..500 {
            let nodes = 2 + round % 20;
            let edges: Vec<(u32, u32)> =
                (0..nodes * 2).map(|_| (random(nodes as u64), random(nodes as u64))).collect();
            let g = graph(nodes, &edges);
            let wto = Wto::new(&g, LocId(0));
            let reachable = g.reachable([LocId(0)]);
            for &(from, to) in &edges {
                let (from, to) = (LocId(from), LocId(to));
                assert_eq!(wto.contains(from), reachable[from]);
                if wto.contains(from) {
                    let forward = wto.position(from) < wto.position(to);
                    assert!(forward || wto.is_back_edge(from, to), "{edges:?}: {from} -> {to}");
                }
            }
        }
    }

    #[test]
    fn the_error_comes_last() {
        let g = graph(4, &[(0, 1), (1, 2), (0, 3)]);
        let wto = Wto::with_last(&g, LocId(0), LocId(2));
        assert_eq!(show(&wto), "0 3 1 2");
        let wto = Wto::with_last(&g, LocId(0), LocId(3));
        assert_eq!(show(&wto), "0 1 2 3");
    }

    #[test]
    fn deep_nesting_needs_no_call_stack() {
        let edges: Vec<(u32, u32)> = (0..50_000u32).map(|i| (i, i + 1)).collect();
        let wto = Wto::new(&graph(50_001, &edges), LocId(0));
        assert_eq!(wto.order.len(), 50_001);
    }
}
