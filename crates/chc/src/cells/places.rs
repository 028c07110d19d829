//! At which places the atoms of a clause are instantiated.
//!
//! A place belongs to the arrays that it is read from, and to those that are made of them or compared with them: the
//! *family* of an array constant. A cell of an atom takes the places of the families of its arrays.

use super::Cell;
use super::is_array;
use craig_base::{Map, OrderedSet};
use craig_term::{Op, SortId, TermId, Terms};

/// At how many combinations of places an atom is instantiated at most. What is left out makes the clause stronger.
const MOST_INSTANCES: usize = 12;

/// The array constants of a clause, by family.
#[derive(Default)]
pub(super) struct Families {
    parents: Map<TermId, TermId>,
}

impl Families {
    pub(super) fn new(terms: &Terms, roots: &[TermId]) -> Families {
        let mut families = Families::default();
        for t in terms.postorder(roots) {
            let arrays: Vec<TermId> =
                terms.args(t).iter().copied().filter(|&arg| is_array(terms, arg)).collect();
            // An array is of the family of what it is made of, and equal arrays are of one family.
            if is_array(terms, t) {
                families.unite(terms, t, &arrays);
            } else if terms.op(t) == Op::Eq && !arrays.is_empty() {
                families.unite(terms, arrays[0], &arrays);
            }
        }
        families
    }

    fn unite(&mut self, terms: &Terms, array: TermId, others: &[TermId]) {
        debug_assert!(is_array(terms, array));
        for &other in others {
            let (a, b) = (self.family(array), self.family(other));
            if a != b {
                self.parents.insert(a.max(b), a.min(b));
            }
        }
    }

    /// One array of the family.
    pub(super) fn family(&self, array: TermId) -> TermId {
        let mut root = array;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        root
    }
}

/// An index of the arrays of a family.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub index: Vec<TermId>,
    pub family: TermId,
}

/// The places for each cell of an atom with these arguments, as many combinations as are affordable: those of the
/// head first, then what is read. `translated` are the arguments without arrays in them.
pub(super) fn combinations(
    terms: &mut Terms,
    families: &Families,
    places: &[Place],
    cells: &[Cell],
    parameters: &[TermId],
    args: &[TermId],
    translated: &[TermId],
) -> Vec<Vec<Vec<TermId>>> {
    let mut choices: Vec<Vec<Vec<TermId>>> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let mut indices: Vec<Vec<TermId>> = Vec::new();
        let mut named: Vec<Vec<TermId>> = Vec::new();
        for place in places {
            for array in &cell.arrays {
                if place.family == families.family(args[array.position]) {
                    let index = array.place(terms, parameters, translated, &place.index);
                    if cell.arrays.len() == 1 && array.is_at(terms, parameters, translated, &place.index) {
                        named.push(index.clone());
                    }
                    indices.push(index);
                }
            }
        }
        // A cell of one object goes where this object is read, if that is anywhere.
        let indices = if named.is_empty() { indices } else { named };
        let indices: Vec<&[TermId]> = indices.iter().map(Vec::as_slice).collect();
        let mut indices = extended(terms, &indices, &cell.index);
        // The cells of one atom differ where they can: each starts with another place.
        let by = at % indices.len();
        indices.rotate_left(if cells.len() > 1 && cells[0].arrays == cell.arrays { by } else { 0 });
        choices.push(indices);
    }
    let mut all: OrderedSet<Vec<Vec<TermId>>> = OrderedSet::default();
    let longest = choices.iter().map(Vec::len).max().unwrap_or(0);
    // First all cells at their first place, all at their second one, and so on; then those with one cell elsewhere.
    for rank in 0..longest {
        all.insert(choices.iter().map(|places| places[rank.min(places.len() - 1)].clone()).collect());
    }
    let mut mixed: Vec<Vec<Vec<TermId>>> = vec![Vec::new()];
    for places in &choices {
        let mut longer = Vec::new();
        for place in places {
            longer.extend(mixed.iter().map(|before| before.iter().cloned().chain([place.clone()]).collect()));
        }
        longer.truncate(MOST_INSTANCES * MOST_INSTANCES);
        mixed = longer;
    }
    let repeats = |chosen: &Vec<Vec<TermId>>| {
        let twins = |i: usize, j: usize| cells[i].arrays == cells[j].arrays && chosen[i] == chosen[j];
        (0..chosen.len()).any(|i| (0..i).any(|j| twins(i, j)))
    };
    all.extend(mixed);
    if all.iter().any(|chosen| !repeats(chosen)) {
        all.retain(|chosen| !repeats(chosen));
    }
    all.truncate(MOST_INSTANCES);
    all.into_iter().collect()
}

/// Indices of these sorts: longer ones are cut, shorter ones go on as the first one does. Without any, there is one
/// that is as good as others.
pub(super) fn extended(terms: &mut Terms, indices: &[&[TermId]], sorts: &[SortId]) -> Vec<Vec<TermId>> {
    let fits =
        |terms: &Terms, index: &[TermId]| index.iter().zip(sorts).all(|(&t, &sort)| terms.sort(t) == sort);
    let longest = indices.iter().find(|index| index.len() >= sorts.len() && fits(terms, index));
    let default: Vec<TermId> = match longest {
        Some(index) => index[..sorts.len()].to_vec(),
        None => sorts.iter().map(|&sort| zero(terms, sort)).collect(),
    };
    let mut all: OrderedSet<Vec<TermId>> = OrderedSet::default();
    for &index in indices {
        let goes_on = |longer: &&[TermId]| longer.len() > index.len() && longer.starts_with(index);
        if !fits(terms, index) || (index.len() < sorts.len() && indices.iter().any(goes_on)) {
            continue;
        }
        let mut index: Vec<TermId> = index.iter().copied().take(sorts.len()).collect();
        index.extend_from_slice(&default[index.len()..]);
        all.insert(index);
    }
    if all.is_empty() {
        all.insert(default);
    }
    all.into_iter().collect()
}

fn zero(terms: &mut Terms, sort: SortId) -> TermId {
    let value = terms.default_value(sort);
    terms.value_term(&value, sort).unwrap_or_else(|| terms.fresh_const("k", sort))
}
