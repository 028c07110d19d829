//! One clause about arrays as one about cells.

use super::elements::Elements;
use super::{Layout, dimensions};
use crate::simplify::simplify_clause;
use crate::system::{Application, Clause, PredicateId};
use craig_base::{IndexVec, OrderedSet};
use craig_term::{Op, SortId, TermId, Terms};

/// At how many places an atom of the body is instantiated at most. What is left out makes the clause stronger.
const MOST_PLACES: usize = 12;

/// The clause over the counterparts of its predicates, or `None` if it always holds.
pub(super) fn translate(
    terms: &mut Terms,
    layouts: &IndexVec<PredicateId, Layout>,
    clause: &Clause,
) -> Option<Clause> {
    let renamed = clause.renamed(terms);
    let clause = simplify_clause(terms, renamed)?;
    let mut elements = Elements::default();
    let head_cells: Vec<Vec<TermId>> = match &clause.head {
        None => Vec::new(),
        Some(head) => {
            let Layout { index, cells, .. } = &layouts[head.predicate];
            let constants = |_| index.iter().map(|&sort| terms.fresh_const("k", sort)).collect();
            (0..*cells).map(constants).collect()
        }
    };
    let mut places = head_cells.clone();
    places.extend(elements.translate_all(terms, &clause.roots()));
    let mut facts = Vec::new();
    let equalities = std::mem::take(&mut elements.equalities);
    for &(equality, same) in &equalities {
        if occurs_negated(terms, clause.constraint, equality) {
            let (sorts, _) = dimensions(terms, terms.sort(terms.arg(equality, 0)));
            let place: Vec<TermId> = sorts.iter().map(|&sort| terms.fresh_const("d", sort)).collect();
            let there = equal_at(terms, &mut elements, equality, &place);
            let differ = terms.not(there);
            facts.push(terms.or2(same, differ));
            places.push(place);
        }
    }
    // Numbers first: how they are compared does not depend on where.
    let mut body = Vec::new();
    for atom in &clause.body {
        let layout = &layouts[atom.predicate];
        let choices = chosen(terms, &places, &layout.index);
        for cells in combinations(&choices, layout.cells) {
            let args = layout.args(terms, &atom.args, &cells, |terms, array, place| {
                elements.read(terms, array, place.to_vec())
            });
            let args = translated(terms, &mut elements, args, layout.plain.len());
            let atom = Application { predicate: atom.predicate, args };
            if !body.contains(&atom) {
                body.push(atom);
            }
        }
    }
    let head = clause.head.as_ref().map(|head| {
        let layout = &layouts[head.predicate];
        let args = layout.args(terms, &head.args, &head_cells, |terms, array, place| {
            elements.read(terms, array, place.to_vec())
        });
        Application {
            predicate: head.predicate,
            args: translated(terms, &mut elements, args, layout.plain.len()),
        }
    });
    for &(equality, same) in &equalities {
        let (sorts, _) = dimensions(terms, terms.sort(terms.arg(equality, 0)));
        for place in chosen(terms, &places, &sorts) {
            let there = equal_at(terms, &mut elements, equality, &place);
            let different = terms.not(same);
            facts.push(terms.or2(different, there));
        }
    }
    facts.push(elements.translate(terms, clause.constraint));
    elements.consistency(terms, &mut facts);
    let constraint = terms.and(&facts);
    Some(Clause { body, constraint, head })
}

/// The first of the arguments were copied from the original clause.
fn translated(
    terms: &mut Terms,
    elements: &mut Elements,
    mut args: Vec<TermId>,
    plain: usize,
) -> Vec<TermId> {
    for arg in &mut args[..plain] {
        *arg = elements.translate(terms, *arg);
    }
    args
}

fn equal_at(terms: &mut Terms, elements: &mut Elements, equality: TermId, place: &[TermId]) -> TermId {
    let (left, right) = (terms.arg(equality, 0), terms.arg(equality, 1));
    let left = elements.read(terms, left, place.to_vec());
    let right = elements.read(terms, right, place.to_vec());
    terms.eq(left, right)
}

/// The places as indices of these sorts: longer ones are cut, shorter ones go on as the first place does. Without
/// any, there is one at an arbitrary index.
fn chosen(terms: &mut Terms, places: &[Vec<TermId>], sorts: &[SortId]) -> Vec<Vec<TermId>> {
    let mut all: OrderedSet<Vec<TermId>> = OrderedSet::default();
    let fits =
        |terms: &Terms, place: &[TermId]| place.iter().zip(sorts).all(|(&t, &sort)| terms.sort(t) == sort);
    let longest = places.iter().find(|place| place.len() >= sorts.len() && fits(terms, place));
    let default: Vec<TermId> = match longest {
        Some(place) => place[..sorts.len()].to_vec(),
        None => sorts.iter().map(|&sort| zero(terms, sort)).collect(),
    };
    for place in places {
        if !fits(terms, place) || all.len() >= MOST_PLACES {
            continue;
        }
        let mut place: Vec<TermId> = place.iter().copied().take(sorts.len()).collect();
        if place.len() < sorts.len()
            && places.iter().any(|longer| longer.len() > place.len() && longer.starts_with(&place))
        {
            continue;
        }
        place.extend_from_slice(&default[place.len()..]);
        all.insert(place);
    }
    if all.is_empty() {
        all.insert(default);
    }
    all.into_iter().collect()
}

fn zero(terms: &mut Terms, sort: SortId) -> TermId {
    match sort {
        Terms::INT => terms.int(0),
        Terms::REAL => terms.real(0),
        Terms::BOOL => Terms::FALSE,
        _ => terms.fresh_const("k", sort),
    }
}

/// All ways to put cells at the places.
fn combinations(places: &[Vec<TermId>], cells: usize) -> Vec<Vec<Vec<TermId>>> {
    let mut all: Vec<Vec<Vec<TermId>>> = vec![Vec::new()];
    for _ in 0..cells {
        let longer = |chosen: &Vec<Vec<TermId>>| {
            let chosen = chosen.clone();
            places
                .iter()
                .map(move |place| chosen.iter().cloned().chain([place.clone()]).collect())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Whether an atom matters for a formula where it does not hold.
fn occurs_negated(terms: &Terms, formula: TermId, atom: TermId) -> bool {
    let mut seen: OrderedSet<(TermId, bool)> = OrderedSet::default();
    let mut stack = vec![(formula, false)];
    while let Some((t, negated)) = stack.pop() {
        if !seen.insert((t, negated)) {
            continue;
        }
        if t == atom {
            if negated {
                return true;
            }
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Not => stack.push((args[0], !negated)),
            Op::And | Op::Or => stack.extend(args.iter().map(|&arg| (arg, negated))),
            _ => stack.extend(args.iter().flat_map(|&arg| [(arg, false), (arg, true)])),
        }
    }
    false
}
