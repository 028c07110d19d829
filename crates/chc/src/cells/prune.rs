//! Fewer atoms in the bodies of clauses about cells.
//!
//! A clause is instantiated at the cell of its head, whether or not the head's element is needed where the clause is
//! used in the end. When predicates have been inlined, atoms remain whose elements nothing speaks of but that equal
//! indices have equal elements. Without them the clause is stronger, and its search does not start with a cell that
//! does not matter.

use crate::system::{Clause, System};
use craig_base::Set;
use craig_term::{Op, TermId, Terms};

/// The system without atoms that say nothing about the elements that matter. Its models are models of the system.
pub fn prune(terms: &Terms, system: &System) -> System {
    let mut pruned = system.clone();
    for clause in pruned.clauses.iter_mut() {
        let mut at = clause.body.len();
        while at > 0 {
            at -= 1;
            if (0..clause.body.len()).any(|twin| twin != at && is_idle(terms, clause, at, twin)) {
                clause.body.remove(at);
            }
        }
    }
    pruned
}

/// Whether nothing speaks of what an atom has and its twin has not, but that equal indices have equal elements.
fn is_idle(terms: &Terms, clause: &Clause, at: usize, twin: usize) -> bool {
    let (atom, twin) = (&clause.body[at], &clause.body[twin]);
    if atom.predicate != twin.predicate {
        return false;
    }
    let differing: Vec<TermId> =
        atom.args.iter().zip(&twin.args).filter(|(a, b)| a != b).map(|(&a, _)| a).collect();
    if differing.is_empty() {
        return true;
    }
    let known = terms.free_consts_of(&twin.args);
    let own: Set<TermId> =
        terms.free_consts_of(&differing).into_iter().filter(|x| !known.contains(x)).collect();
    let mut elsewhere: Vec<TermId> = clause.head.iter().flat_map(|head| head.args.clone()).collect();
    for (other, other_atom) in clause.body.iter().enumerate() {
        if other != at {
            elsewhere.extend_from_slice(&other_atom.args);
        }
    }
    if own.is_empty() || terms.free_consts_of(&elsewhere).iter().any(|x| own.contains(x)) {
        return false;
    }
    let conjuncts = match terms.op(clause.constraint) {
        Op::And => terms.args(clause.constraint),
        _ => std::slice::from_ref(&clause.constraint),
    };
    conjuncts.iter().all(|&conjunct| {
        let speaks = terms.free_consts(conjunct).iter().any(|x| own.contains(x));
        !speaks || is_consistency(terms, conjunct)
    })
}

/// Whether a formula has the form `i != j or ... or v = w`.
fn is_consistency(terms: &Terms, formula: TermId) -> bool {
    if terms.op(formula) != Op::Or {
        return false;
    }
    let (mut same, mut different) = (0, 0);
    for &literal in terms.args(formula) {
        let (atom, negated) = terms.strip_not(literal);
        match (terms.op(atom), negated) {
            (Op::Eq, true) => different += 1,
            (Op::Eq, false) => same += 1,
            _ => return false,
        }
    }
    same == 1 && different > 0
}
