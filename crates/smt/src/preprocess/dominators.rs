//! The graph of a problem's terms below one virtual root: polarities, parents, parts, dominators.
//!
//! Immediate dominators after Cooper, Harvey and Kennedy (*A simple, fast dominance algorithm*); as
//! the graph has no cycles, one pass from the root is enough.

use craig_base::{Index, IndexVec, index_type};
use craig_term::{Op, TermId, Terms};

index_type!(
    /// A place in topological order: arguments come before what uses them. The virtual root is last.
    pub Place,
    "n"
);

pub(super) const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// Where terms are in a graph, counted from one; zero if they are not. There is an entry for each term of the store, so
/// this is made once for all rounds.
#[derive(Default)]
pub(super) struct Places(Vec<u32>);

impl Places {
    fn get(&self, t: TermId) -> Option<Place> {
        self.0[t.index()].checked_sub(1).map(Place)
    }

    fn set(&mut self, t: TermId, place: Option<Place>) {
        self.0[t.index()] = place.map_or(0, |place| place.0 + 1);
    }

    /// Makes room for so many terms.
    fn grow(&mut self, len: usize) {
        if self.0.is_empty() {
            // What is not looked at takes no memory.
            self.0 = vec![0; len];
        } else {
            self.0.resize(len, 0);
        }
    }
}

const NOWHERE: Place = Place(u32::MAX);

pub(super) struct Graph {
    nodes: IndexVec<Place, Node>,
    /// The arguments of all nodes, one after the other.
    args: Vec<Place>,
}

struct Node {
    /// Of the virtual root, nothing in particular.
    term: TermId,
    args_end: u32,
    polarity: u8,
    /// How many uses the term has.
    parents: u32,
    /// The part that contains the term, or `SEVERAL`.
    part: u32,
    dominator: Place,
}

const SEVERAL: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

impl Graph {
    pub fn new(terms: &Terms, roots: &[TermId], places: &mut Places) -> Graph {
        let mut graph = Graph { nodes: IndexVec::new(), args: Vec::new() };
        places.grow(terms.len());
        graph.place_all(terms, roots, places);
        for node in graph.nodes.iter() {
            places.set(node.term, None);
        }
        graph.see_uses(terms);
        graph
    }

    /// Gives every term below the roots its place, and the virtual root the last one.
    fn place_all(&mut self, terms: &Terms, roots: &[TermId], places: &mut Places) {
        let mut stack: Vec<(TermId, usize)> = Vec::new();
        for &root in roots {
            if places.get(root).is_none() {
                stack.push((root, 0));
            }
            'terms: while let Some((t, next)) = stack.last_mut() {
                let args = terms.args(*t);
                while let Some(&arg) = args.get(*next) {
                    *next += 1;
                    if places.get(arg).is_some() {
                        continue;
                    }
                    if !terms.args(arg).is_empty() {
                        stack.push((arg, 0));
                        continue 'terms;
                    }
                    let place = self.place(arg, &[], places);
                    places.set(arg, Some(place));
                }
                let place = self.place(*t, args, places);
                places.set(*t, Some(place));
                stack.pop();
            }
        }
        self.place(Terms::TRUE, roots, places);
    }

    fn place(&mut self, term: TermId, args: &[TermId], places: &Places) -> Place {
        self.args.extend(args.iter().map(|&arg| places.get(arg).unwrap_or(NOWHERE)));
        self.nodes.push(Node {
            term,
            args_end: self.args.len() as u32,
            polarity: 0,
            parents: 0,
            part: NONE,
            dominator: NOWHERE,
        })
    }

    /// Tells every node of its users, from the root on.
    fn see_uses(&mut self, terms: &Terms) {
        let root = self.root();
        self.nodes[root].polarity = POSITIVE;
        self.nodes[root].dominator = root;
        let (start, end) = self.arg_range(root);
        for position in start..end {
            self.meet(self.args[position], root, (position - start) as u32, POSITIVE);
        }
        for user in self.nodes.indices().rev().skip(1) {
            let (start, end) = self.arg_range(user);
            let Node { term, polarity, part, .. } = self.nodes[user];
            let (first, others) = polarities(terms, term, polarity);
            for position in start..end {
                let added = if position == start { first } else { others };
                self.meet(self.args[position], user, part, added);
            }
        }
    }

    /// One more use of `child`.
    fn meet(&mut self, child: Place, user: Place, part: u32, polarity: u8) {
        let node = &mut self.nodes[child];
        node.parents += 1;
        node.polarity |= polarity;
        node.part = match node.part {
            NONE => part,
            known if known == part => part,
            _ => SEVERAL,
        };
        let (mut known, mut other) = (node.dominator, user);
        if known == NOWHERE {
            known = user;
        }
        while known != other {
            if known < other {
                known = self.nodes[known].dominator;
            } else {
                other = self.nodes[other].dominator;
            }
        }
        self.nodes[child].dominator = known;
    }

    /// The virtual root, whose arguments are the parts.
    pub fn root(&self) -> Place {
        Place(self.nodes.len() as u32 - 1)
    }

    /// All places, arguments first, the virtual root last.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Place> + ExactSizeIterator + use<> {
        self.nodes.indices()
    }

    pub fn term(&self, place: Place) -> TermId {
        self.nodes[place].term
    }

    pub fn args(&self, place: Place) -> &[Place] {
        let (start, end) = self.arg_range(place);
        &self.args[start..end]
    }

    fn arg_range(&self, place: Place) -> (usize, usize) {
        let start =
            place.index().checked_sub(1).map_or(0, |before| self.nodes[Place(before as u32)].args_end);
        (start as usize, self.nodes[place].args_end as usize)
    }

    pub fn polarity(&self, place: Place) -> u8 {
        self.nodes[place].polarity
    }

    /// How many uses a term has.
    pub fn parents(&self, place: Place) -> u32 {
        self.nodes[place].parents
    }

    /// Whether only one part mentions the term.
    pub fn is_local(&self, place: Place) -> bool {
        self.nodes[place].part != SEVERAL
    }

    /// Whether every path from the roots to `place` leads through `scope`.
    pub fn dominates(&self, scope: Place, place: Place) -> bool {
        let mut current = place;
        while current < scope {
            current = self.nodes[current].dominator;
        }
        current == scope
    }
}

/// The polarities that a use adds to the first argument, and to the others.
fn polarities(terms: &Terms, user: TermId, polarity: u8) -> (u8, u8) {
    let both = POSITIVE | NEGATIVE;
    match terms.op(user) {
        Op::And | Op::Or => (polarity, polarity),
        Op::Not => ((polarity & POSITIVE) << 1 | (polarity & NEGATIVE) >> 1, both),
        Op::Ite if terms.is_bool(user) => (both, polarity),
        _ => (both, both),
    }
}
