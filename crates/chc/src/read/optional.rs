//! Bodies with disjunctions, kept whole.
//!
//! `(p(x) or q(y)) and c imply r(z)` is two clauses, and a procedure with a dozen branches, each with
//! calls, would be thousands. So a call in a disjunction becomes a Boolean, and the body gets an atom of
//! a new predicate: `(b or c) and p?(b, x) and q?(c, y)`, where `p?(b, x)` means that `b` implies `p(x)`.
//! That is right because the body is monotone in its predicates. Two clauses define `p?`:
//! `not b implies p?(b, x)` and `b and p(x) imply p?(b, x)`. Where `p?` exists, all other bodies use it in
//! place of `p`, so that simplification can resolve `p` away: what remains is `p` with one more argument.

use super::{ClauseReader, Partial};
use crate::system::{Application, Clause, Predicate, PredicateId};
use craig_base::{Map, OrderedMap, Set};
use craig_term::{Op, SortId, Substitution, TermId, Terms};

impl ClauseReader {
    /// How many clauses a formula with predicates makes, as a positive and as a negative part of a
    /// body.
    pub(super) fn alternatives(
        &self,
        terms: &Terms,
        root: TermId,
        with_predicates: &Set<TermId>,
    ) -> Map<TermId, (u64, u64)> {
        let mut counts: Map<TermId, (u64, u64)> = Map::default();
        for t in terms.postorder(&[root]) {
            if !with_predicates.contains(&t) {
                continue;
            }
            let count = |arg: &TermId| counts.get(arg).copied().unwrap_or((1, 1));
            let parts = || terms.args(t).iter().filter(|arg| with_predicates.contains(arg)).map(count);
            let others = u64::from(terms.args(t).iter().any(|arg| !with_predicates.contains(arg)));
            let product = |of: fn((u64, u64)) -> u64| parts().map(of).fold(1, u64::saturating_mul);
            let sum = |of: fn((u64, u64)) -> u64| parts().map(of).fold(others, u64::saturating_add);
            let result = match terms.op(t) {
                Op::Not => {
                    let (positive, negative) = count(&terms.arg(t, 0));
                    (negative, positive)
                }
                Op::And => (product(|(p, _)| p), sum(|(_, n)| n)),
                Op::Or => (sum(|(p, _)| p), product(|(_, n)| n)),
                Op::Forall | Op::Exists => parts().next_back().unwrap_or((1, 1)),
                Op::Ite | Op::Eq => {
                    let all = product(|(p, n)| p.max(n)).saturating_mul(2);
                    (all, all)
                }
                _ => (1, 1),
            };
            counts.insert(t, result);
        }
        counts
    }

    /// Makes a constraint and optional atoms of a disjunction, if all its predicates are positive.
    pub(super) fn keep_disjunction(
        &mut self,
        terms: &mut Terms,
        with_predicates: &Set<TermId>,
        disjunction: TermId,
        partial: &mut Partial,
    ) -> bool {
        let mut atoms: OrderedMap<TermId, Application> = OrderedMap::default();
        let mut seen: Set<(TermId, bool)> = Set::default();
        // The negation may be new, what it negates is part of the input.
        let (whole, negated) = terms.strip_not(disjunction);
        let mut work = vec![(whole, !negated)];
        while let Some((t, positive)) = work.pop() {
            if !with_predicates.contains(&t) || !seen.insert((t, positive)) {
                continue;
            }
            if let Some(application) = self.application(terms, t) {
                if !positive || application.args.iter().any(|arg| with_predicates.contains(arg)) {
                    return false;
                }
                atoms.insert(t, application);
                continue;
            }
            match terms.op(t) {
                Op::Not => work.push((terms.arg(t, 0), !positive)),
                Op::And | Op::Or => work.extend(terms.args(t).iter().rev().map(|&arg| (arg, positive))),
                _ => return false,
            }
        }
        let mut pairs = Vec::new();
        for (atom, application) in atoms {
            if let Some(&asked) = partial.asked.get(&atom) {
                pairs.push((atom, asked));
                continue;
            }
            let asked = terms.fresh_const("b", Terms::BOOL);
            partial.bound.push(asked);
            partial.asked.insert(atom, asked);
            let mut args = vec![asked];
            args.extend(application.args);
            let predicate = self.optional_of(terms, application.predicate);
            partial.body.push(Application { predicate, args });
            pairs.push((atom, asked));
        }
        partial.constraint.push(Substitution::from_pairs(pairs).apply(terms, disjunction));
        true
    }

    fn optional_of(&mut self, terms: &mut Terms, predicate: PredicateId) -> PredicateId {
        if let Some(&optional) = self.optional.get(&predicate) {
            return optional;
        }
        let of = &self.system.predicates[predicate];
        let mut name = format!("{}?", of.name);
        while terms.symbol(&name).is_some() {
            name.push('?');
        }
        let mut sorts: Vec<SortId> = vec![Terms::BOOL];
        sorts.extend(of.parameters.iter().map(|&parameter| terms.sort(parameter)));
        let mut optional = Predicate::new(terms, &name, &sorts);
        optional.auxiliary = true;
        let optional = self.system.predicates.push(optional);
        self.optional.insert(predicate, optional);
        optional
    }

    /// Adds the clauses of the optional predicates, and uses those wherever they exist.
    pub(super) fn define_optional(&mut self, terms: &mut Terms) {
        for clause in self.system.clauses.iter_mut() {
            for atom in &mut clause.body {
                if let Some(&optional) = self.optional.get(&atom.predicate) {
                    atom.predicate = optional;
                    atom.args.insert(0, Terms::TRUE);
                }
            }
        }
        for (&predicate, &optional) in &self.optional {
            let fresh = |terms: &mut Terms| -> Vec<TermId> {
                let parameters = self.system.predicates[optional].parameters.clone();
                parameters.into_iter().map(|x| terms.fresh_const("o", terms.sort(x))).collect()
            };
            let args = fresh(terms);
            let constraint = terms.not(args[0]);
            let head = Some(Application { predicate: optional, args });
            let unasked = Clause { body: Vec::new(), constraint, head };
            let args = fresh(terms);
            let body = vec![Application { predicate, args: args[1..].to_vec() }];
            let constraint = args[0];
            let head = Some(Application { predicate: optional, args });
            let asked = Clause { body, constraint, head };
            self.system.clauses.push(unasked);
            self.system.clauses.push(asked);
        }
    }
}
