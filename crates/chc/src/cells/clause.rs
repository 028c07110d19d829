//! One clause about arrays as one about cells.

use super::elements::Elements;
use super::places::{Families, Place, combinations, extended};
use super::{Layout, dimensions};
use crate::simplify::simplify_clause;
use crate::system::{Application, Clause, PredicateId, System};
use craig_base::{IndexVec, OrderedSet};
use craig_term::{Op, TermId, Terms};

/// The clause over the counterparts of its predicates, or `None` if it always holds.
pub(super) fn translate(
    terms: &mut Terms,
    system: &System,
    layouts: &IndexVec<PredicateId, Layout>,
    clause: &Clause,
) -> Option<Clause> {
    let renamed = clause.renamed(terms);
    let clause = simplify_clause(terms, renamed)?;
    let families = Families::new(terms, &clause.roots());
    let mut elements = Elements::default();
    let read = elements.translate_all(terms, &clause.roots());
    let mut places = Vec::new();
    let mut head_places = Vec::new();
    if let Some(head) = &clause.head {
        let parameters = &system.predicates[head.predicate].parameters;
        let args = elements.translate_args(terms, &head.args);
        for cell in &layouts[head.predicate].cells {
            let place = cell.fresh_place(terms);
            for array in &cell.arrays {
                let index = array.index(terms, parameters, &args, &place);
                places.push(Place { index, family: families.family(head.args[array.position]) });
            }
            head_places.push(place);
        }
    }
    for (array, index) in read {
        places.push(Place { index, family: families.family(array) });
    }
    let mut facts = Vec::new();
    let equalities = std::mem::take(&mut elements.equalities);
    for &(equality, same) in &equalities {
        if occurs_negated(terms, clause.constraint, equality) {
            let array = terms.arg(equality, 0);
            let (sorts, _) = dimensions(terms, terms.sort(array));
            let index: Vec<TermId> = sorts.iter().map(|&sort| terms.fresh_const("d", sort)).collect();
            let there = equal_at(terms, &mut elements, equality, &index);
            let differ = terms.not(there);
            facts.push(terms.or2(same, differ));
            places.push(Place { index, family: families.family(array) });
        }
    }
    let mut body = Vec::new();
    for atom in &clause.body {
        let (layout, parameters) = (&layouts[atom.predicate], &system.predicates[atom.predicate].parameters);
        let args = elements.translate_args(terms, &atom.args);
        for chosen in combinations(terms, &families, &places, &layout.cells, parameters, &atom.args, &args) {
            let instance = instantiate(terms, &mut elements, layout, parameters, (atom, &args), &chosen);
            if !body.contains(&instance) {
                body.push(instance);
            }
        }
    }
    let head = clause.head.as_ref().map(|head| {
        let parameters = &system.predicates[head.predicate].parameters;
        let args = elements.translate_args(terms, &head.args);
        let layout = &layouts[head.predicate];
        instantiate(terms, &mut elements, layout, parameters, (head, &args), &head_places)
    });
    for &(equality, same) in &equalities {
        let array = terms.arg(equality, 0);
        let (sorts, _) = dimensions(terms, terms.sort(array));
        let family = families.family(array);
        let fitting = places.iter().filter(|place| place.family == family);
        let indices: Vec<&[TermId]> = fitting.map(|place| &place.index[..]).collect();
        for index in extended(terms, &indices, &sorts) {
            let there = equal_at(terms, &mut elements, equality, &index);
            let different = terms.not(same);
            facts.push(terms.or2(different, there));
        }
    }
    facts.push(elements.translate(terms, clause.constraint));
    elements.consistency(terms, &mut facts);
    let constraint = terms.and(&facts);
    Some(Clause { body, constraint, head })
}

/// An atom about the cells at these places. With the atom come its arguments without arrays in them.
fn instantiate(
    terms: &mut Terms,
    elements: &mut Elements,
    layout: &Layout,
    parameters: &[TermId],
    (atom, args): (&Application, &[TermId]),
    places: &[Vec<TermId>],
) -> Application {
    let args = layout.args(terms, parameters, args, places, |terms, array, index| {
        elements.read(terms, array, index.to_vec())
    });
    Application { predicate: atom.predicate, args }
}

fn equal_at(terms: &mut Terms, elements: &mut Elements, equality: TermId, index: &[TermId]) -> TermId {
    let (left, right) = (terms.arg(equality, 0), terms.arg(equality, 1));
    let left = elements.read(terms, left, index.to_vec());
    let right = elements.read(terms, right, index.to_vec());
    terms.eq(left, right)
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
