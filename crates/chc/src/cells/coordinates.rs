//! Numbers for the elements of arrays: `origin + stride * k` instead of an index.
//!
//! Programs number elements from where an object begins and in steps of their size. The origin of an array is what
//! all indices have in common with which it is read and written: a constant, or an argument that the clauses only
//! pass on, such as the address of an object. The stride divides what remains of each index.
//!
//! Any choice is right; a good one makes invariants simple. So the indices are looked at as they stand in the clauses,
//! and nothing is derived from constraints.

use super::named::{Names, names};
use super::places::Families;
use super::{dimensions, is_array};
use crate::simplify::simplify_clause;
use crate::system::{Application, Clause, PredicateId, System};
use craig_base::{IndexVec, Map, OrderedMap, OrderedSet};
use craig_term::{Int, LinearSum, Op, Rat, Substitution, TermId, Terms};

/// How elements are numbered along one index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    /// Over the parameters of the predicate; nothing for an index that is no integer.
    origin: Option<TermId>,
    stride: Int,
    /// The origin is the only element: there are no numbers.
    named: bool,
}

impl Coordinate {
    fn plain() -> Coordinate {
        Coordinate { origin: None, stride: Int::from(1), named: false }
    }

    /// The one element at this place.
    pub(super) fn at(place: TermId) -> Coordinate {
        Coordinate { origin: Some(place), stride: Int::from(1), named: true }
    }

    pub(super) fn is_named(&self) -> bool {
        self.named
    }

    fn origin_at(&self, terms: &mut Terms, parameters: &[TermId], args: &[TermId]) -> Option<TermId> {
        let pairs = parameters.iter().copied().zip(args.iter().copied());
        self.origin.map(|origin| Substitution::from_pairs(pairs).apply(terms, origin))
    }

    /// The index of the element with a number, for an atom with these arguments.
    pub(super) fn index(
        &self,
        terms: &mut Terms,
        parameters: &[TermId],
        args: &[TermId],
        number: TermId,
    ) -> TermId {
        let Some(origin) = self.origin_at(terms, parameters, args) else { return number };
        if self.named {
            return origin;
        }
        let scaled = terms.scale(&Rat::from_int(self.stride.clone()), number);
        terms.add2(origin, scaled)
    }

    /// The number of the element with an index; if there is none, of one before it.
    pub(super) fn number(
        &self,
        terms: &mut Terms,
        parameters: &[TermId],
        args: &[TermId],
        index: TermId,
    ) -> TermId {
        let Some(origin) = self.origin_at(terms, parameters, args) else { return index };
        let offset = terms.sub(index, origin);
        let exact = terms.exact_quotient(offset, &Rat::from_int(self.stride.clone()));
        exact.unwrap_or_else(|| {
            let stride = terms.int(self.stride.clone());
            terms.div(offset, stride)
        })
    }
}

/// What is known about the elements of an array: where the first one is, if that is always the same, and how far
/// they are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub origin: Option<Int>,
    pub stride: Int,
}

/// By predicate and position, for arrays with one index.
pub type Hints = Map<(PredicateId, usize), Hint>;

/// A parameter of a predicate.
pub(super) type Position = (PredicateId, usize);

/// Positions that hold the same thing.
#[derive(Default)]
pub(super) struct Groups {
    parents: Map<Position, Position>,
}

impl Groups {
    pub(super) fn group(&self, position: Position) -> Position {
        let mut root = position;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        root
    }

    pub(super) fn unite(&mut self, a: Position, b: Position) {
        let (a, b) = (self.group(a), self.group(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }
}

pub(super) fn atoms(clause: &Clause) -> impl Iterator<Item = &Application> {
    clause.body.iter().chain(&clause.head)
}

/// What the clauses say about the elements of arrays.
pub(super) struct Detected {
    /// The coordinates of every array parameter of every predicate, one for each index.
    pub coordinates: IndexVec<PredicateId, Vec<Vec<Coordinate>>>,
    pub names: Names,
}

/// Looks at the indices of all clauses.
pub(super) fn detect(terms: &mut Terms, system: &System, hints: &Hints) -> Detected {
    let clauses: Vec<Clause> =
        system.clauses.iter().filter_map(|clause| simplify_clause(terms, clause.clone())).collect();
    let mut arrays = Groups::default();
    let mut numbers = Groups::default();
    let all_families: Vec<Families> =
        clauses.iter().map(|clause| Families::new(terms, &clause.roots())).collect();
    for (clause, families) in clauses.iter().zip(&all_families) {
        let mut seen: Map<TermId, Position> = Map::default();
        for atom in atoms(clause) {
            for (position, &arg) in atom.args.iter().enumerate() {
                let here = (atom.predicate, position);
                let groups = if is_array(terms, arg) { &mut arrays } else { &mut numbers };
                let key = if is_array(terms, arg) { families.family(arg) } else { arg };
                if matches!(terms.op(arg), Op::Const(_)) || is_array(terms, arg) {
                    groups.unite(*seen.entry(key).or_insert(here), here);
                }
            }
        }
    }
    let rigid = passed_on(terms, system, &clauses, &numbers);
    // The accesses of each group of arrays, along each index.
    let mut accesses: OrderedMap<(Position, usize), Vec<Access>> = OrderedMap::default();
    for (clause, families) in clauses.iter().zip(&all_families) {
        let mut groups: Map<TermId, Position> = Map::default();
        let mut known: OrderedMap<Position, TermId> = OrderedMap::default();
        for atom in atoms(clause) {
            for (position, &arg) in atom.args.iter().enumerate() {
                let here = (atom.predicate, position);
                if is_array(terms, arg) {
                    groups.insert(families.family(arg), arrays.group(here));
                } else if rigid.contains(&numbers.group(here)) {
                    known.insert(numbers.group(here), arg);
                }
            }
        }
        for t in terms.postorder(&clause.roots()) {
            if !matches!(terms.op(t), Op::Select | Op::Store) || terms.sort(terms.arg(t, 1)) != Terms::INT {
                continue;
            }
            let (array, index) = (terms.arg(t, 0), terms.arg(t, 1));
            let Some(&group) = groups.get(&families.family(array)) else { continue };
            let depth = dimensions(terms, terms.sort(array)).0.len();
            let access = Access::new(terms, index, &known);
            accesses.entry((group, depth)).or_default().push(access);
        }
    }
    let mut all = IndexVec::new();
    for (id, predicate) in system.predicates.enumerated() {
        let mut own = Vec::new();
        for (position, &parameter) in predicate.parameters.iter().enumerate() {
            let (sorts, _) = dimensions(terms, terms.sort(parameter));
            let mut coordinates = Vec::new();
            for depth in (1..=sorts.len()).rev() {
                let found = accesses.get(&(arrays.group((id, position)), depth));
                let hint = hints.get(&(id, position)).filter(|_| sorts.len() == 1);
                coordinates.push(match found {
                    Some(found) => common(terms, found, hint, |group| {
                        let place =
                            (0..predicate.parameters.len()).find(|&at| numbers.group((id, at)) == group);
                        place.map(|at| predicate.parameters[at])
                    }),
                    None => Coordinate::plain(),
                });
            }
            own.push(coordinates);
        }
        all.push(own);
    }
    let names = names(terms, system, &clauses, &all_families, &arrays);
    Detected { coordinates: all, names }
}

/// The groups of integers that no clause changes.
fn passed_on(terms: &Terms, system: &System, clauses: &[Clause], numbers: &Groups) -> OrderedSet<Position> {
    let mut rigid: OrderedSet<Position> = OrderedSet::default();
    for (id, predicate) in system.predicates.enumerated() {
        for (at, &parameter) in predicate.parameters.iter().enumerate() {
            if terms.sort(parameter) == Terms::INT {
                rigid.insert(numbers.group((id, at)));
            }
        }
    }
    for clause in clauses {
        let mut values: Map<Position, TermId> = Map::default();
        for atom in atoms(clause) {
            for (at, &arg) in atom.args.iter().enumerate() {
                let group = numbers.group((atom.predicate, at));
                if *values.entry(group).or_insert(arg) != arg {
                    rigid.shift_remove(&group);
                }
            }
        }
    }
    rigid
}

/// An index as it stands in a clause.
struct Access {
    index: LinearSum,
    /// What is passed on and is a part of the index, with what remains without it.
    offsets: OrderedMap<Position, LinearSum>,
}

impl Access {
    fn new(terms: &mut Terms, index: TermId, known: &OrderedMap<Position, TermId>) -> Access {
        let sum = terms.linear(index);
        let mut offsets = OrderedMap::default();
        for (&group, &origin) in known {
            let offset = terms.sub(index, origin);
            let offset = terms.linear(offset);
            if offset.terms.len() < sum.terms.len() + terms.linear(origin).terms.len() {
                offsets.insert(group, offset);
            }
        }
        Access { index: sum, offsets }
    }
}

/// The coordinate that fits all accesses. `parameter` finds what stands for a group of numbers.
fn common(
    terms: &mut Terms,
    accesses: &[Access],
    hint: Option<&Hint>,
    parameter: impl Fn(Position) -> Option<TermId>,
) -> Coordinate {
    if let Some(Hint { origin: Some(origin), stride }) = hint {
        let origin = Some(terms.int(origin.clone()));
        return Coordinate { origin, stride: stride.clone(), named: false };
    }
    let fits = |group: &Position| accesses.iter().all(|access| access.offsets.contains_key(group));
    let shared = accesses[0].offsets.keys().copied().find(fits);
    let shared = shared.and_then(|group| Some((group, parameter(group)?)));
    let mut stride = Int::from(0);
    for access in accesses {
        let offset = shared.map_or(&access.index, |(group, _)| &access.offsets[&group]);
        for factor in offset.terms.iter().map(|(_, c)| c).chain([&offset.constant]) {
            stride = factor.to_int().map_or(Int::from(1), |factor| stride.gcd(&factor));
        }
    }
    if let Some(hint) = hint {
        stride = hint.stride.clone();
    } else if stride.is_zero() {
        stride = Int::from(1);
    }
    let origin = shared.map_or_else(|| terms.int(0), |(_, parameter)| parameter);
    Coordinate { origin: Some(origin), stride, named: false }
}
