//! Arguments of predicates: what is always the same, and what is never used.

use super::{Answers, Eliminated, OriginId, Tracked, clause};
use crate::system::{Application, Clause, PredicateId, System};
use craig_base::{IndexVec, Map, OrderedMap};
use craig_term::{Op, Substitution, TermId, Terms};

/// Which arguments of each predicate there still are.
pub(super) type Kept = IndexVec<PredicateId, Vec<bool>>;

/// What is known about an argument of everything that is derived.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing is derived.
    Nothing,
    Always(TermId),
    Anything,
}

fn is_value(terms: &Terms, t: TermId) -> bool {
    terms.number(t).is_some() || matches!(terms.op(t), Op::True | Op::False)
}

/// Arguments that have one value in all that can be derived, by propagation along the clauses.
pub(super) fn constants(
    terms: &Terms,
    system: &System,
    clauses: &[Tracked],
) -> OrderedMap<(PredicateId, usize), TermId> {
    let mut known: IndexVec<PredicateId, Vec<Known>> = IndexVec::new();
    for predicate in &system.predicates {
        known.push(vec![Known::Nothing; predicate.parameters.len()]);
    }
    loop {
        let mut changed = false;
        for Tracked { clause, .. } in clauses {
            let Some(head) = &clause.head else { continue };
            let mut values: Map<TermId, TermId> = Map::default();
            let mut derivable = true;
            for atom in &clause.body {
                for (&arg, &known) in atom.args.iter().zip(&known[atom.predicate]) {
                    match known {
                        Known::Nothing => derivable = false,
                        Known::Always(value) => {
                            values.insert(arg, value);
                        }
                        Known::Anything => {}
                    }
                }
            }
            if !derivable {
                continue;
            }
            for (&arg, known) in head.args.iter().zip(&mut known[head.predicate]) {
                let value = if is_value(terms, arg) { Some(arg) } else { values.get(&arg).copied() };
                let joined = match (*known, value) {
                    (Known::Nothing, Some(value)) => Known::Always(value),
                    (Known::Always(old), Some(new)) if old == new => Known::Always(old),
                    _ => Known::Anything,
                };
                changed |= joined != *known;
                *known = joined;
            }
        }
        if !changed {
            break;
        }
    }
    let mut constants = OrderedMap::default();
    for (predicate, known) in known.enumerated() {
        for (position, known) in known.iter().enumerate() {
            if let Known::Always(value) = *known {
                constants.insert((predicate, position), value);
            }
        }
    }
    constants
}

/// Says in the bodies of the clauses which arguments are constant.
pub(super) fn substitute_constants(
    terms: &mut Terms,
    constants: &OrderedMap<(PredicateId, usize), TermId>,
    clauses: &mut Vec<Tracked>,
    eliminated: &mut Vec<Eliminated>,
) {
    if constants.is_empty() {
        return;
    }
    for Tracked { clause, origin } in std::mem::take(clauses) {
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        let mut equal = vec![clause.constraint];
        for atom in &clause.body {
            for (position, &arg) in atom.args.iter().enumerate() {
                let Some(&value) = constants.get(&(atom.predicate, position)) else { continue };
                if matches!(terms.op(arg), Op::Const(_)) && pairs.iter().all(|&(x, _)| x != arg) {
                    pairs.push((arg, value));
                } else {
                    equal.push(terms.eq(arg, value));
                }
            }
        }
        let clause = Clause { constraint: terms.and(&equal), ..clause };
        let clause = clause.substitute(terms, &mut Substitution::from_pairs(pairs));
        if let Some(clause) = clause::simplify(terms, clause) {
            clauses.push(Tracked { clause, origin });
        }
    }
    eliminated.push(Eliminated::Constants(constants.iter().map(|(&place, &value)| (place, value)).collect()));
}

/// Which arguments matter: those of body atoms that the constraint, another atom or an argument of
/// the head that matters depend on. An argument that is constant does not.
pub(super) fn relevant(
    terms: &Terms,
    system: &System,
    constants: &OrderedMap<(PredicateId, usize), TermId>,
    clauses: &[Tracked],
    answers: Answers,
) -> Kept {
    let mut kept: Kept = IndexVec::new();
    for predicate in &system.predicates {
        kept.push(vec![false; predicate.parameters.len()]);
    }
    loop {
        let mut changed = false;
        for Tracked { clause, .. } in clauses {
            // How often a variable is looked at, apart from arguments that do not matter at the head.
            let mut uses: Map<TermId, usize> = Map::default();
            let mut count = |t: TermId| {
                for x in terms.free_consts(t) {
                    *uses.entry(x).or_default() += 1;
                }
            };
            count(clause.constraint);
            for (at, atom) in clause.body.iter().enumerate() {
                for (position, &arg) in atom.args.iter().enumerate() {
                    let is_twin = |earlier: &Application| {
                        earlier.predicate == atom.predicate && earlier.args[position] == arg
                    };
                    if answers == Answers::Both || !clause.body[..at].iter().any(is_twin) {
                        count(arg);
                    }
                }
            }
            if let Some(head) = &clause.head {
                for (&arg, &kept) in head.args.iter().zip(&kept[head.predicate]) {
                    if kept {
                        count(arg);
                    }
                }
            }
            for atom in &clause.body {
                for (position, &arg) in atom.args.iter().enumerate() {
                    let constant = constants.get(&(atom.predicate, position)) == Some(&arg);
                    let alone = matches!(terms.op(arg), Op::Const(_)) && uses.get(&arg) == Some(&1);
                    let kept = &mut kept[atom.predicate][position];
                    if !(constant || alone || *kept) {
                        *kept = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return kept;
        }
    }
}

/// Arguments that always have one value, with it.
pub(crate) type Constants = Vec<((PredicateId, usize), TermId)>;

/// A system as it was read, but that constant arguments are replaced by their values; which arguments these are; and on
/// which arguments something depends.
pub(crate) fn with_constants(
    terms: &mut Terms,
    system: &System,
) -> (System, Constants, IndexVec<PredicateId, Vec<bool>>) {
    let mut clauses = Vec::new();
    for clause in system.clauses.iter() {
        if let Some(clause) = clause::simplify(terms, clause.clone()) {
            clauses.push(Tracked { clause, origin: OriginId(0) });
        }
    }
    // A constant can show further ones: a flag that is never set, what the clause says otherwise.
    let mut constants = constants(terms, system, &clauses);
    loop {
        substitute_constants(terms, &constants, &mut clauses, &mut Vec::new());
        let more = self::constants(terms, system, &clauses);
        if more.len() == constants.len() {
            break;
        }
        constants = more;
    }
    let relevant = relevant(terms, system, &constants, &clauses, Answers::Both);
    let clauses = clauses.into_iter().map(|tracked| tracked.clause).collect();
    let predicates = system.predicates.clone();
    let simpler = System { predicates, clauses, axioms: system.axioms.clone() };
    (simpler, constants.into_iter().collect(), relevant)
}

/// Leaves out the arguments that are not kept.
pub(super) fn shorten(kept: &Kept, clause: &mut Clause) {
    for Application { predicate, args } in clause.body.iter_mut().chain(&mut clause.head) {
        retain(&kept[*predicate], args);
    }
}

/// The entries that are kept.
pub(super) fn retain<T>(kept: &[bool], list: &mut Vec<T>) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next() == Some(&true));
}
