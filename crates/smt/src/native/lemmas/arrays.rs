//! The graph of arrays: equalities and stores between them, and what is read from them.

use super::bridges::Bridges;
use super::functions::shortest_path;
use super::snapshot::{Key, Partition, Snapshot};
use super::{Skolems, index_sort};
use crate::proof::Axiom;
use craig_base::{Map, OrderedMap, Set};
use craig_term::{Op, Sort, SortId, TermId, Terms};

/// An edge between two arrays that agree, except perhaps where the store writes.
struct Edge {
    a: u32,
    b: u32,
    /// The index that the store writes; `None` for an equality.
    written: Option<Key>,
    /// The store itself.
    store: Option<TermId>,
}

/// The element of an array at an index.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub node: u32,
    pub index: TermId,
    pub result: TermId,
}

pub(super) struct ArrayGraph {
    pub nodes: Vec<TermId>,
    edges: Vec<Edge>,
    /// The edges of each node.
    incident: Vec<Vec<u32>>,
    /// Per sort of arrays, what is read at each index: by `select` and through stores.
    pub reads: OrderedMap<SortId, OrderedMap<Key, Vec<Read>>>,
    /// Constant arrays and their elements.
    pub constants: Vec<(u32, TermId)>,
}

impl ArrayGraph {
    pub fn new(terms: &Terms, snapshot: &Snapshot) -> Self {
        let is_array = |t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Array { .. });
        let nodes: Vec<TermId> = snapshot.nodes.iter().copied().filter(|&t| is_array(t)).collect();
        let places: Map<TermId, u32> = nodes.iter().enumerate().map(|(i, &t)| (t, i as u32)).collect();
        let mut graph = ArrayGraph {
            incident: vec![Vec::new(); nodes.len()],
            edges: Vec::new(),
            reads: OrderedMap::default(),
            constants: Vec::new(),
            nodes: Vec::new(),
        };
        for equality in &snapshot.equal {
            if let (Some(&a), Some(&b)) = (places.get(&equality.left), places.get(&equality.right)) {
                graph.add_edge(Edge { a, b, written: None, store: None });
            }
        }
        for &t in &snapshot.solver.lemmas.log {
            let args = terms.args(t);
            match terms.op(t) {
                Op::Store => {
                    let (Some(&node), Some(&base)) = (places.get(&t), places.get(&args[0])) else { continue };
                    let Some(key) = snapshot.key(terms, args[1]) else { continue };
                    graph.add_edge(Edge { a: node, b: base, written: Some(key.clone()), store: Some(t) });
                    graph.add_read(terms.sort(t), key, Read { node, index: args[1], result: args[2] });
                }
                Op::Select => {
                    let Some(&node) = places.get(&args[0]) else { continue };
                    let Some(key) = snapshot.key(terms, args[1]) else { continue };
                    graph.add_read(terms.sort(args[0]), key, Read { node, index: args[1], result: t });
                }
                Op::ConstArray => {
                    if let Some(&node) = places.get(&t) {
                        graph.constants.push((node, args[0]));
                    }
                }
                _ => {}
            }
        }
        graph.nodes = nodes;
        graph
    }

    fn add_edge(&mut self, edge: Edge) {
        let number = self.edges.len() as u32;
        self.incident[edge.a as usize].push(number);
        self.incident[edge.b as usize].push(number);
        self.edges.push(edge);
    }

    fn add_read(&mut self, sort: SortId, index: Key, read: Read) {
        self.reads.entry(sort).or_default().entry(index).or_default().push(read);
    }

    /// The sets of arrays that agree at an index; without one, those that agree almost everywhere.
    pub fn agreeing(&self, index: Option<&Key>) -> Partition {
        let mut partition = Partition::new(self.nodes.len());
        for edge in &self.edges {
            if index.is_none() || edge.written.as_ref() != index {
                partition.join(edge.a, edge.b);
            }
        }
        partition
    }

    /// The reads at an index, with those of constant arrays of the sort, which are read everywhere.
    pub fn reads_at<'a>(
        &'a self,
        terms: &'a Terms,
        sort: SortId,
        reads: &'a [Read],
    ) -> impl Iterator<Item = Read> + 'a {
        let index = reads[0].index;
        let constants =
            self.constants.iter().filter(move |(node, _)| terms.sort(self.nodes[*node as usize]) == sort);
        reads.iter().copied().chain(constants.map(move |&(node, result)| Read { node, index, result }))
    }

    /// Reads of one index that have to agree and do not.
    pub fn broken_reads(
        &self,
        terms: &mut Terms,
        snapshot: &Snapshot,
        bridges: Option<&Bridges>,
        broken: &mut Vec<Axiom>,
    ) {
        let mut pairs: Vec<(Key, TermId, Read, Read)> = Vec::new();
        for (&sort, by_index) in &self.reads {
            for (index, reads) in by_index {
                let mut at = None;
                let mut agreeing = self.agreeing(Some(index));
                let mut first: Map<u32, (Read, Key)> = Map::default();
                for read in self.reads_at(terms, sort, reads) {
                    let Some(value) = snapshot.key(terms, read.result) else { continue };
                    let (known, expected) =
                        first.entry(agreeing.find(read.node)).or_insert_with(|| (read, value.clone()));
                    if *expected != value {
                        // All reads are compared at one of the equal indices, so that few terms are
                        // made.
                        let at = *at.get_or_insert_with(|| preferred(terms, bridges, reads));
                        pairs.push((index.clone(), at, *known, read));
                    }
                }
            }
        }
        let mut made: Set<Axiom> = Set::default();
        for (index, at, from, to) in pairs {
            let mut axioms = Vec::new();
            self.follow(Some(&index), at, from, to, &mut axioms);
            if let Some(bridges) = bridges {
                axioms = bridges.build(terms, axioms);
                if !axioms.iter().all(|axiom| bridges.has_home(terms, axiom))
                    && let Some(other) = self.follow_through_parts(terms, bridges, &index, from, to)
                {
                    axioms = other;
                }
            }
            for axiom in axioms {
                let disjuncts = axiom.disjuncts(terms);
                let holds = disjuncts.iter().any(|d| d.positive && snapshot.agree(terms, d.left, d.right));
                if !holds && made.insert(axiom.clone()) {
                    broken.push(axiom);
                }
            }
        }
    }

    /// One axiom per edge on the way from one read to another, at an index that equals theirs.
    fn follow(&self, avoid: Option<&Key>, index: TermId, from: Read, to: Read, out: &mut Vec<Axiom>) {
        let array = |node: u32| self.nodes[node as usize];
        for end in [from, to] {
            if end.index != index {
                let array = array(end.node);
                out.push(Axiom::Read { left: (array, end.index), right: (array, index) });
            }
        }
        for step in self.path(from.node, to.node, avoid) {
            out.push(match step.store {
                Some(store) => Axiom::Elsewhere { store, index },
                None => Axiom::Read { left: (array(step.a), index), right: (array(step.b), index) },
            });
        }
    }

    /// As [`follow`](Self::follow), but at every edge with an index that is known where the edge is.
    fn follow_through_parts(
        &self,
        terms: &mut Terms,
        bridges: &Bridges,
        avoid: &Key,
        from: Read,
        to: Read,
    ) -> Option<Vec<Axiom>> {
        let array = |node: u32| self.nodes[node as usize];
        let mut axioms = Vec::new();
        let (mut node, mut index) = (from.node, from.index);
        for step in self.path(from.node, to.node, Some(avoid)) {
            let parts = bridges.parts_of(terms, &[array(step.a), array(step.b)]);
            index = bridges.cross(terms, array(node), index, parts, &mut axioms)?;
            axioms.push(match step.store {
                Some(store) => Axiom::Elsewhere { store, index },
                None => Axiom::Read { left: (array(step.a), index), right: (array(step.b), index) },
            });
            node = if step.a == node { step.b } else { step.a };
        }
        let parts = bridges.parts_of(terms, &[to.index]);
        index = bridges.cross(terms, array(to.node), index, parts, &mut axioms)?;
        if index != to.index {
            axioms.push(Axiom::Read { left: (array(to.node), index), right: (array(to.node), to.index) });
        }
        axioms.iter().all(|axiom| bridges.has_home(terms, axiom)).then_some(axioms)
    }

    /// The edges of a shortest way that writes nothing at `avoid`.
    fn path(&self, from: u32, to: u32, avoid: Option<&Key>) -> Vec<&Edge> {
        let usable = |node: u32| {
            let edges = self.incident[node as usize].iter().map(|&number| &self.edges[number as usize]);
            edges.filter(move |edge| avoid.is_none() || edge.written.as_ref() != avoid)
        };
        let other_end = |edge: &Edge, node: u32| if edge.a == node { edge.b } else { edge.a };
        let nodes = shortest_path(from, to, |node| usable(node).map(|edge| other_end(edge, node)).collect());
        let steps = nodes.windows(2);
        steps.filter_map(|pair| usable(pair[0]).find(|edge| other_end(edge, pair[0]) == pair[1])).collect()
    }

    /// Constant arrays with different elements that agree almost everywhere. Only over index sorts
    /// that are known to be infinite.
    pub fn constants(
        &self,
        terms: &mut Terms,
        snapshot: &Snapshot,
        skolems: &mut Skolems,
        broken: &mut Vec<Axiom>,
    ) {
        if self.constants.len() < 2 {
            return;
        }
        let mut components = self.agreeing(None);
        let mut first: Map<u32, (u32, TermId)> = Map::default();
        for &(node, element) in &self.constants {
            if !matches!(index_sort(terms, self.nodes[node as usize]), Terms::INT | Terms::REAL) {
                continue;
            }
            let (known, other) = *first.entry(components.find(node)).or_insert((node, element));
            if snapshot.agree(terms, element, other) {
                continue;
            }
            let path = self.path(known, node, None);
            let stores = path.iter().filter_map(|edge| edge.store);
            let mut written: Vec<TermId> = stores.map(|store| terms.arg(store, 1)).collect();
            written.sort_unstable();
            written.dedup();
            if written.is_empty() {
                // Equal constant arrays: any index will do.
                written.push(terms.int(0));
                if index_sort(terms, self.nodes[node as usize]) == Terms::REAL {
                    written[0] = terms.real(0);
                }
            }
            let index = skolems.fresh_index(terms, &written);
            broken.extend(written.into_iter().map(|other| Axiom::FreshIndex { index, other }));
            let from = Read { node: known, index, result: other };
            let to = Read { node, index, result: element };
            self.follow(None, index, from, to, broken);
        }
    }
}

/// Which of several equal indices to read at: one that most parts know (numerals belong everywhere),
/// and of these the oldest. Where no part knows all of them, a term that is equal to them may do
/// better.
fn preferred(terms: &Terms, bridges: Option<&Bridges>, reads: &[Read]) -> TermId {
    let indices: Vec<TermId> = reads.iter().map(|read| read.index).collect();
    let known = |index: TermId| bridges.map_or(0, |bridges| bridges.width(terms, index));
    let rank = |index: TermId| (terms.number(index).is_none(), std::cmp::Reverse(known(index)), index);
    let own = indices.iter().copied().min_by_key(|&index| rank(index)).unwrap_or(reads[0].index);
    let better = bridges.and_then(|bridges| bridges.common(terms, &indices));
    better.filter(|&better| known(better) > known(own)).unwrap_or(own)
}
