//! Arguments that always differ: the objects of a program.
//!
//! Elements with equal indices are equal, so clauses about cells ask of each two objects whether they are the same. That
//! they are not was decided where they were allocated, and passed on since. A search would have to find this as an
//! invariant at each predicate, before anything else.
//!
//! Which arguments differ is what holds of all that is derived, as it is for constants: a pair of arguments differs in
//! the head if the constraint says so, or if the same two terms differ in an atom of the body.

use crate::simplify::simplify_clause;
use crate::system::{Application, Clause, PredicateId, System};
use craig_base::{IndexVec, OrderedSet, Set};
use craig_term::{Op, Substitution, TermId, Terms};

/// Positions of two arguments of a predicate, the first one first.
type Pair = (usize, usize);

/// For each predicate, the pairs of arguments that differ in all that is derived; nothing where nothing is derived.
pub(super) type Distinct = IndexVec<PredicateId, OrderedSet<Pair>>;

/// What is known of arguments that matter and differ, and the clauses that rely on it.
pub(super) fn distinct(
    terms: &mut Terms,
    system: System,
    matters: impl Fn(PredicateId, usize) -> bool,
) -> (System, Distinct) {
    let mut known: IndexVec<PredicateId, Option<OrderedSet<Pair>>> =
        IndexVec::from_elem(None, system.predicates.len());
    loop {
        let mut changed = false;
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            if clause.body.iter().any(|atom| known[atom.predicate].is_none()) {
                continue;
            }
            let facts = facts(clause, &known);
            let conjuncts = conjuncts(terms, clause.constraint);
            let candidates = known[head.predicate].clone().unwrap_or_else(|| pairs(terms, head, &matters));
            let before = known[head.predicate].as_ref().map(OrderedSet::len);
            let kept: OrderedSet<Pair> = candidates
                .into_iter()
                .filter(|&(i, j)| differ(terms, &facts, &conjuncts, (head.args[i], head.args[j])))
                .collect();
            changed |= before != Some(kept.len());
            known[head.predicate] = Some(kept);
        }
        if !changed {
            break;
        }
    }
    let mut clauses = IndexVec::new();
    for clause in &system.clauses {
        let facts = facts(clause, &known);
        if facts.is_empty() {
            clauses.push(clause.clone());
            continue;
        }
        let equalities = facts.into_iter().map(|(x, y)| (terms.eq(x, y), Terms::FALSE));
        let equalities: Vec<(TermId, TermId)> = equalities.filter(|&(same, _)| same != Terms::TRUE).collect();
        let clause = clause.substitute(terms, &mut Substitution::from_pairs(equalities));
        if let Some(clause) = simplify_clause(terms, clause) {
            clauses.push(clause);
        }
    }
    let distinct = known.iter().map(|known| known.clone().unwrap_or_default()).collect();
    (System { clauses, ..system }, distinct)
}

/// The pairs of integer arguments that can be told apart by name.
fn pairs(
    terms: &Terms,
    head: &Application,
    matters: impl Fn(PredicateId, usize) -> bool,
) -> OrderedSet<Pair> {
    let named = |&at: &usize| {
        let arg = head.args[at];
        matches!(terms.op(arg), Op::Const(_)) && terms.sort(arg) == Terms::INT && matters(head.predicate, at)
    };
    let named: Vec<usize> = (0..head.args.len()).filter(named).collect();
    let later = |(n, &i): (usize, &usize)| named[n + 1..].iter().map(move |&j| (i, j)).collect::<Vec<_>>();
    named.iter().enumerate().flat_map(later).collect()
}

/// The terms that differ by what is known of the body.
fn facts(clause: &Clause, known: &IndexVec<PredicateId, Option<OrderedSet<Pair>>>) -> Vec<(TermId, TermId)> {
    let mut facts: OrderedSet<(TermId, TermId)> = OrderedSet::default();
    for atom in &clause.body {
        for &(i, j) in known[atom.predicate].iter().flatten() {
            facts.insert(ordered(atom.args[i], atom.args[j]));
        }
    }
    facts.into_iter().collect()
}

fn ordered(x: TermId, y: TermId) -> (TermId, TermId) {
    (x.min(y), x.max(y))
}

fn conjuncts(terms: &Terms, constraint: TermId) -> Set<TermId> {
    match terms.op(constraint) {
        Op::And => terms.args(constraint).iter().copied().collect(),
        _ => [constraint].into_iter().collect(),
    }
}

fn differ(
    terms: &mut Terms,
    facts: &[(TermId, TermId)],
    conjuncts: &Set<TermId>,
    (x, y): (TermId, TermId),
) -> bool {
    if facts.contains(&ordered(x, y)) {
        return true;
    }
    let same = terms.eq(x, y);
    let different = terms.not(same);
    different == Terms::TRUE || conjuncts.contains(&different)
}
