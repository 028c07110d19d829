//! Clauses about arrays as clauses about single cells: invariants about every element.
//!
//! After D. Monniaux and L. Gonnord, *Cell morphing: from array programs to array-free Horn clauses* (SAS 2016),
//! and N. Bjørner, K. McMillan and A. Rybalchenko, *On solving universally quantified Horn clauses* (SAS 2013). A
//! predicate `P(x, a)` over an array becomes `P'(x, k, v)`, which speaks of one cell: `k` is any index, and `v` is
//! what the array holds there. A model of the new clauses goes back as
//!
//! ```text
//! P(x, a)  :=  for all k: P'(x, k, a[k])
//! ```
//!
//! | step | what |
//! |---|---|
//! | head (`clause`) | its quantifier goes in front of the clause: new constants are the cell of the head |
//! | body (`clause`) | its quantifiers are instantiated at the cell of the head and at all *places*, the indices with which the clause reads; each place is one more atom of the body |
//! | names (`defined`) | a predicate that only names a state of another one is replaced by what it says |
//! | objects (`distinct`) | arguments that always differ are known to do so |
//! | elements (`elements`) | what is read from an array becomes a number per place, equal for equal indices |
//!
//! Each step makes a clause say more about the new predicates than the original one does about its
//! quantified predicates, so models go back and derivations do not: places that were left out may matter, and so
//! may what one cell cannot say.
//!
//! Departures from the papers, with reasons:
//! - All arrays of a predicate share the index of a cell, where the first paper gives each its own. Programs mostly
//!   relate elements with the same index, and a place is then one atom and not one per choice of indices. What
//!   relates several indices needs several cells, and there any array can have any of them.
//! - An array of arrays has a cell with two indices, and an array that has only the first of them shares it.
//! - A cell has coordinates (`coordinates`): where programs use `base + 4 * i`, a cell is numbered by `i`, so that
//!   elements with the same number are in one cell and no invariant has to say that 4 divides something.
//! - Where the first index of an array is always one of a few arguments (`named`), a cell can have an element for each of
//!   them, and no index for it. Where programs walk through two objects at different speeds, each has a cell of its own.
//! - Equalities between arrays that remain after substitution hold at all places, and inequalities at a new one.

mod clause;
mod coordinates;
mod defined;
mod distinct;
mod elements;
mod named;
mod places;
mod prune;

#[cfg(test)]
mod tests;

pub use coordinates::{Hint, Hints};
pub use prune::prune;

use crate::simplify::{Constants, with_constants};
use crate::system::{Interpretation, Predicate, PredicateId, System};
use coordinates::{Coordinate, Detected};
use craig_base::{Budget, IndexVec, Map};
use craig_term::{Sort, SortId, Substitution, TermId, Terms};
use defined::Definition;
use distinct::Distinct;

/// A system about cells, and the way back for its models.
#[derive(Clone, Debug)]
pub struct Cells {
    pub system: System,
    layouts: IndexVec<PredicateId, Layout>,
    /// Arguments that always have one value.
    constants: Constants,
    /// Predicates that were replaced by what they stand for, in this order.
    definitions: Vec<Definition>,
    /// Arguments of the counterparts that always differ.
    distinct: Distinct,
}

/// Which arrays a cell belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// So many cells, each of which has an element of every array.
    Shared(usize),
    /// One cell for each array.
    Own,
    /// One cell, with an element for each name of a first index, where all of them have names.
    Named,
    /// One cell for each name of a first index.
    NamedOwn,
}

impl Sharing {
    fn has_names(self) -> bool {
        matches!(self, Sharing::Named | Sharing::NamedOwn)
    }

    fn is_own(self) -> bool {
        matches!(self, Sharing::Own | Sharing::NamedOwn)
    }
}

/// How the arguments of a predicate become those of its counterpart: first what is no array, then for each cell its
/// index and the elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// The positions of arguments that stay.
    plain: Vec<usize>,
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// The sorts of its index.
    index: Vec<SortId>,
    /// The arrays that have an element in it.
    arrays: Vec<Member>,
}

/// An array with an element in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    position: usize,
    /// One for each index that leads to an element.
    coordinates: Vec<Coordinate>,
}

/// The sorts of the indices that lead to an element, and the sort of the element.
pub(crate) fn dimensions(terms: &Terms, sort: SortId) -> (Vec<SortId>, SortId) {
    let (mut index, mut element) = (Vec::new(), sort);
    while let Sort::Array { index: next, element: below } = *terms.sort_of(element) {
        index.push(next);
        element = below;
    }
    (index, element)
}

pub(crate) fn is_array(terms: &Terms, t: TermId) -> bool {
    matches!(terms.sort_of(terms.sort(t)), Sort::Array { .. })
}

/// The clauses about cells; `None` where no predicate has an array.
pub fn cells(
    terms: &mut Terms,
    system: &System,
    sharing: Sharing,
    hints: &Hints,
    budget: &Budget,
) -> Option<Cells> {
    let (system, constants, relevant) = with_constants(terms, system);
    let (system, definitions) = defined::unfold(terms, system, &relevant);
    let system = &system;
    let Detected { coordinates, names } = coordinates::detect(terms, system, hints);
    if sharing.has_names() && names.iter().all(Map::is_empty) {
        return None;
    }
    let mut layouts = IndexVec::new();
    let mut predicates = IndexVec::new();
    for (id, predicate) in system.predicates.enumerated() {
        let layout = Layout::new(terms, predicate, sharing, &coordinates[id], &names[id], &relevant[id]);
        let sorts = layout.sorts(terms, predicate);
        let counterpart = Predicate::new(terms, &predicate.name, &sorts);
        predicates.push(Predicate { auxiliary: predicate.auxiliary, ..counterpart });
        layouts.push(layout);
    }
    if layouts.iter().all(|layout: &Layout| layout.cells.is_empty()) {
        return None;
    }
    let mut clauses = IndexVec::new();
    for clause in system.clauses.iter() {
        if budget.check().is_err() {
            return None;
        }
        if let Some(clause) = clause::translate(terms, system, &layouts, clause) {
            clauses.push(clause);
        }
    }
    let system = System { predicates, clauses, axioms: system.axioms.clone() };
    let matters = |id: PredicateId, at: usize| {
        layouts[id].plain.get(at).is_some_and(|&position| relevant[id][position])
    };
    let (system, distinct) = distinct::distinct(terms, system, matters);
    Some(Cells { system, layouts, constants, definitions, distinct })
}

impl Cells {
    /// The model of the original clauses that a model of these stands for.
    pub fn model(&self, terms: &mut Terms, original: &System, model: &Interpretation) -> Interpretation {
        let mut formulas = IndexVec::new();
        for (id, layout) in self.layouts.enumerated() {
            let originals = &original.predicates[id].parameters;
            let parameters = &self.system.predicates[id].parameters;
            let places: Vec<Vec<TermId>> = layout.cells.iter().map(|cell| cell.fresh_place(terms)).collect();
            let args = layout.args(terms, originals, originals, &places, |terms, array, index| {
                index.iter().fold(array, |array, &index| terms.select(array, index))
            });
            let mut substitution = Substitution::from_pairs(parameters.iter().copied().zip(args));
            let different: Vec<TermId> = self.distinct[id]
                .iter()
                .map(|&(i, j)| {
                    let same = terms.eq(parameters[i], parameters[j]);
                    terms.not(same)
                })
                .collect();
            let different = terms.and(&different);
            let body = terms.and2(different, model.formulas[id]);
            let body = substitution.apply(terms, body);
            let used = terms.free_consts(body);
            let bound: Vec<TermId> = places.concat().into_iter().filter(|k| used.contains(k)).collect();
            let formula = terms.forall(&bound, body);
            formulas.push(self.with_constants(terms, original, id, formula));
        }
        let mut model = Interpretation::new(formulas);
        for definition in self.definitions.iter().rev() {
            let formula = definition.formula(terms, original, &model);
            model.formulas[definition.predicate] =
                self.with_constants(terms, original, definition.predicate, formula);
        }
        model
    }

    /// A formula for a predicate, with what is known of its arguments.
    fn with_constants(
        &self,
        terms: &mut Terms,
        original: &System,
        predicate: PredicateId,
        formula: TermId,
    ) -> TermId {
        let parameters = &original.predicates[predicate].parameters;
        let own = self.constants.iter().filter(|((of, _), _)| *of == predicate);
        own.fold(formula, |formula, &((_, position), value)| {
            let same = terms.eq(parameters[position], value);
            terms.and2(formula, same)
        })
    }
}

impl Member {
    /// The indices of the element at a place of the cell.
    fn index(
        &self,
        terms: &mut Terms,
        parameters: &[TermId],
        args: &[TermId],
        place: &[TermId],
    ) -> Vec<TermId> {
        let mut numbers = place.iter().copied();
        let mut index = Vec::new();
        for axis in &self.coordinates {
            let number = if axis.is_named() { Some(Terms::TRUE) } else { numbers.next() };
            index.extend(number.map(|number| axis.index(terms, parameters, args, number)));
        }
        index
    }

    /// Whether these are indices of the object that has a name here.
    fn is_at(&self, terms: &mut Terms, parameters: &[TermId], args: &[TermId], index: &[TermId]) -> bool {
        let axis = &self.coordinates[0];
        axis.is_named() && axis.index(terms, parameters, args, Terms::TRUE) == index[0]
    }

    /// The place in the cell of the element with these indices.
    fn place(
        &self,
        terms: &mut Terms,
        parameters: &[TermId],
        args: &[TermId],
        index: &[TermId],
    ) -> Vec<TermId> {
        let along = self.coordinates.iter().zip(index).filter(|(axis, _)| !axis.is_named());
        along.map(|(axis, &t)| axis.number(terms, parameters, args, t)).collect()
    }
}

impl Cell {
    fn fresh_place(&self, terms: &mut Terms) -> Vec<TermId> {
        self.index.iter().map(|&sort| terms.fresh_const("k", sort)).collect()
    }

    /// Adds an array, unless its indices have other sorts.
    fn add(&mut self, array: Member, index: &[SortId]) {
        let shared = index.len().min(self.index.len());
        if index[..shared] == self.index[..shared] {
            self.arrays.push(array);
            self.index.extend_from_slice(&index[shared..]);
        }
    }
}

impl Layout {
    fn new(
        terms: &Terms,
        predicate: &Predicate,
        sharing: Sharing,
        coordinates: &[Vec<Coordinate>],
        names: &Map<usize, Vec<TermId>>,
        relevant: &[bool],
    ) -> Layout {
        let mut layout = Layout::default();
        let mut shared = Cell::default();
        for (position, &parameter) in predicate.parameters.iter().enumerate() {
            let (index, _) = dimensions(terms, terms.sort(parameter));
            if index.is_empty() {
                layout.plain.push(position);
                continue;
            }
            // That the elements of an array are equal for equal indices would look as if something depended on it.
            if !relevant[position] {
                continue;
            }
            let member = Member { position, coordinates: coordinates[position].clone() };
            if sharing.has_names()
                && let Some(names) = names.get(&position)
            {
                for &name in names {
                    let mut member = member.clone();
                    member.coordinates[0] = Coordinate::at(name);
                    layout.add(member, &index[1..], sharing, &mut shared);
                }
            } else {
                layout.add(member, &index, sharing, &mut shared);
            }
        }
        let count = if let Sharing::Shared(count) = sharing { count } else { 1 };
        if !shared.arrays.is_empty() {
            layout.cells.extend(vec![shared; count]);
        }
        layout
    }

    /// Gives an array a cell of its own, or an element of the shared one. What has no index is an element wherever it is.
    fn add(&mut self, member: Member, index: &[SortId], sharing: Sharing, shared: &mut Cell) {
        if sharing.is_own() && !index.is_empty() {
            self.cells.push(Cell { arrays: vec![member], index: index.to_vec() });
        } else {
            shared.add(member, index);
        }
    }

    fn sorts(&self, terms: &Terms, predicate: &Predicate) -> Vec<SortId> {
        let sort = |position: usize| terms.sort(predicate.parameters[position]);
        let mut sorts: Vec<SortId> = self.plain.iter().map(|&position| sort(position)).collect();
        for cell in &self.cells {
            sorts.extend_from_slice(&cell.index);
            sorts.extend(cell.arrays.iter().map(|array| dimensions(terms, sort(array.position)).1));
        }
        sorts
    }

    /// The arguments of the counterpart for cells at these places. Coordinates are written over `parameters`.
    fn args(
        &self,
        terms: &mut Terms,
        parameters: &[TermId],
        originals: &[TermId],
        places: &[Vec<TermId>],
        mut element: impl FnMut(&mut Terms, TermId, &[TermId]) -> TermId,
    ) -> Vec<TermId> {
        let mut args: Vec<TermId> = self.plain.iter().map(|&position| originals[position]).collect();
        for (cell, place) in self.cells.iter().zip(places) {
            args.extend_from_slice(place);
            for array in &cell.arrays {
                let index = array.index(terms, parameters, originals, place);
                args.push(element(terms, originals[array.position], &index));
            }
        }
        args
    }
}
