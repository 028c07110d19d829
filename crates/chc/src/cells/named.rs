//! Places with a name: indices that are arguments of the predicates.
//!
//! Clauses that come from C have memory as one array of arrays, from objects to offsets, and arrays that say of each
//! object how large it is. They are read where the program has a pointer, so the first index is always one of a few
//! arguments: the objects of the program. With an element for each of these instead of one for any object, an invariant
//! can relate two objects at one offset, and says nothing about other objects.
//!
//! Without an array of arrays nothing has a name: the index of a single array is rather a number than an object.
//!
//! As with all coordinates any choice is right. An argument has a name if it goes from predicate to predicate at one
//! position in each, whatever other arguments are equal to it for a time.

use super::coordinates::{Groups, Position, atoms};
use super::places::Families;
use super::{dimensions, is_array};
use crate::system::{Clause, PredicateId, System};
use craig_base::{IndexVec, Map, OrderedMap, OrderedSet};
use craig_term::{Op, TermId, Terms};

/// With more names for the elements of one array, there are too many.
const MOST_NAMES: usize = 12;

/// For each array parameter of each predicate, the places at which it is read, over the parameters: all of them.
pub(super) type Names = IndexVec<PredicateId, Map<usize, Vec<TermId>>>;

/// What an index is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Name {
    Argument(Position),
    Numeral(TermId),
}

/// The names of the first indices of arrays. `arrays` says which array parameters hold the same arrays.
pub(super) fn names(
    terms: &Terms,
    system: &System,
    clauses: &[Clause],
    families: &[Families],
    arrays: &Groups,
) -> Names {
    let numbers = tracks(terms, clauses);
    // The possible names of each access, by array.
    let mut accesses: OrderedMap<Position, Vec<OrderedSet<Name>>> = OrderedMap::default();
    for (clause, families) in clauses.iter().zip(families) {
        let mut groups: Map<TermId, (Position, usize)> = Map::default();
        for atom in atoms(clause) {
            for (position, &arg) in atom.args.iter().enumerate() {
                if is_array(terms, arg) {
                    let depth = dimensions(terms, terms.sort(arg)).0.len();
                    groups.insert(families.family(arg), (arrays.group((atom.predicate, position)), depth));
                }
            }
        }
        for t in terms.postorder(&clause.roots()) {
            if !matches!(terms.op(t), Op::Select | Op::Store) {
                continue;
            }
            let (array, index) = (terms.arg(t, 0), terms.arg(t, 1));
            let Some(&(group, depth)) = groups.get(&families.family(array)) else { continue };
            if dimensions(terms, terms.sort(array)).0.len() == depth {
                accesses.entry(group).or_default().push(called(terms, clause, &numbers, index));
            }
        }
    }
    let mut chosen: Map<Position, Vec<Name>> =
        accesses.into_iter().filter_map(|(group, accesses)| Some((group, covering(accesses)?))).collect();
    let depth = |&(id, position): &Position| {
        dimensions(terms, terms.sort(system.predicates[id].parameters[position])).0.len()
    };
    if chosen.keys().all(|group| depth(group) < 2) {
        chosen.clear();
    }
    let mut names = IndexVec::new();
    for (id, predicate) in system.predicates.enumerated() {
        let mut own = Map::default();
        for (position, &parameter) in predicate.parameters.iter().enumerate() {
            let Some(chosen) = chosen.get(&arrays.group((id, position))) else { continue };
            if !is_array(terms, parameter) {
                continue;
            }
            let places = chosen.iter().filter_map(|name| match *name {
                Name::Numeral(t) => Some(t),
                Name::Argument(group) => {
                    let at = (0..predicate.parameters.len()).find(|&at| numbers.group((id, at)) == group);
                    at.map(|at| predicate.parameters[at])
                }
            });
            own.insert(position, places.collect());
        }
        names.push(own);
    }
    names
}

/// Arguments that are passed on, at no two positions of a predicate: first those that stay where they are.
fn tracks(terms: &Terms, clauses: &[Clause]) -> Groups {
    let mut groups = Groups::default();
    let mut members: Map<Position, Vec<Position>> = Map::default();
    for moves in [false, true] {
        for clause in clauses {
            let Some(head) = &clause.head else { continue };
            for atom in &clause.body {
                for (from, &x) in atom.args.iter().enumerate() {
                    for (to, &y) in head.args.iter().enumerate() {
                        let passed = x == y && (from != to) == moves && terms.sort(x) == Terms::INT;
                        if !passed || !matches!(terms.op(x), Op::Const(_)) {
                            continue;
                        }
                        let (a, b) =
                            (groups.group((atom.predicate, from)), groups.group((head.predicate, to)));
                        let of = |group: Position| members.get(&group).cloned().unwrap_or(vec![group]);
                        let (left, right) = (of(a), of(b));
                        let clash = |p: &Position| right.iter().any(|q| p.0 == q.0 && p.1 != q.1);
                        if a == b || left.iter().any(clash) {
                            continue;
                        }
                        groups.unite(a, b);
                        members.insert(groups.group(a), [left, right].concat());
                    }
                }
            }
        }
    }
    groups
}

/// What an index may be called in a clause.
fn called(terms: &Terms, clause: &Clause, numbers: &Groups, index: TermId) -> OrderedSet<Name> {
    if terms.number(index).is_some() {
        return [Name::Numeral(index)].into_iter().collect();
    }
    let mut names = OrderedSet::default();
    for atom in atoms(clause) {
        for (position, &arg) in atom.args.iter().enumerate() {
            if arg == index {
                names.insert(Name::Argument(numbers.group((atom.predicate, position))));
            }
        }
    }
    names
}

/// Few names such that each access has one of them: always the one that most accesses have.
fn covering(mut accesses: Vec<OrderedSet<Name>>) -> Option<Vec<Name>> {
    let mut chosen = Vec::new();
    while !accesses.is_empty() {
        let mut counts: OrderedMap<Name, usize> = OrderedMap::default();
        for name in accesses.iter().flatten() {
            *counts.entry(*name).or_default() += 1;
        }
        if accesses.iter().any(OrderedSet::is_empty) || chosen.len() == MOST_NAMES {
            return None;
        }
        let (best, _) = counts.into_iter().max_by_key(|&(name, count)| (count, std::cmp::Reverse(name)))?;
        accesses.retain(|names| !names.contains(&best));
        chosen.push(best);
    }
    Some(chosen)
}
