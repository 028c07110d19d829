//! The literals that make a formula true in a model.

use craig_base::{Map, Set};
use craig_term::{EvalError, Model, Op, Substitution, TermId, Terms, Value};

/// A conjunction of literals, true in `model`, that implies every formula of `roots`.
///
/// Conditions of `ite` terms inside of atoms are decided as the model decides them, and become
/// literals too. A disjunction contributes one of its true disjuncts: one whose literals are there
/// anyway, if there is one, else the smallest.
pub fn implicant(terms: &mut Terms, roots: &[TermId], model: &Model) -> Result<Vec<TermId>, EvalError> {
    implicant_about(terms, roots, None, model)
}

/// The same, where a subformula without any of the constants in question is kept whole, like a literal; and a
/// disjunct without them is better than one with them.
pub(super) fn implicant_about(
    terms: &mut Terms,
    roots: &[TermId],
    constants: Option<&Set<TermId>>,
    model: &Model,
) -> Result<Vec<TermId>, EvalError> {
    let values = terms.eval_all(roots, model)?;
    let relevant = constants.map(|constants| relevant(terms, roots, constants));
    let mut search =
        Search { values, relevant, literals: Vec::new(), seen: Set::default(), deferred: Vec::new() };
    let mut work: Vec<(TermId, bool)> = roots.iter().map(|&root| (root, true)).collect();
    work.reverse();
    loop {
        while let Some((t, wanted)) = work.pop() {
            search.visit(terms, t, wanted, &mut work)?;
        }
        // Disjunctions come last, when it is known which literals are there.
        match search.deferred.pop() {
            Some((t, wanted)) => work.push(search.choose(terms, t, wanted)),
            None => return Ok(search.literals),
        }
    }
}

/// The terms that contain one of the constants.
fn relevant(terms: &Terms, roots: &[TermId], constants: &Set<TermId>) -> Set<TermId> {
    let mut relevant = Set::default();
    for t in terms.postorder(roots) {
        if constants.contains(&t) || terms.args(t).iter().any(|arg| relevant.contains(arg)) {
            relevant.insert(t);
        }
    }
    relevant
}

struct Search {
    values: Map<TermId, Value>,
    /// The terms that are taken apart, if not all are.
    relevant: Option<Set<TermId>>,
    literals: Vec<TermId>,
    seen: Set<(TermId, bool)>,
    deferred: Vec<(TermId, bool)>,
}

impl Search {
    fn is_relevant(&self, t: TermId) -> bool {
        self.relevant.as_ref().is_none_or(|relevant| relevant.contains(&t))
    }

    fn add(&mut self, literal: TermId) {
        if literal != Terms::TRUE {
            self.literals.push(literal);
        }
    }

    fn truth(&self, t: TermId) -> Result<bool, EvalError> {
        match self.values.get(&t) {
            Some(&Value::Bool(value)) => Ok(value),
            _ => Err(EvalError::WrongSort(t)),
        }
    }

    fn visit(
        &mut self,
        terms: &mut Terms,
        t: TermId,
        wanted: bool,
        work: &mut Vec<(TermId, bool)>,
    ) -> Result<(), EvalError> {
        if !self.seen.insert((t, wanted)) {
            return Ok(());
        }
        if !self.is_relevant(t) {
            self.add(if wanted { t } else { terms.not(t) });
            return Ok(());
        }
        match terms.op(t) {
            Op::True | Op::False => {}
            Op::Not => work.push((terms.arg(t, 0), !wanted)),
            Op::And if wanted => work.extend(terms.args(t).iter().rev().map(|&arg| (arg, true))),
            Op::Or if !wanted => work.extend(terms.args(t).iter().rev().map(|&arg| (arg, false))),
            Op::And | Op::Or => self.deferred.push((t, wanted)),
            Op::Ite => {
                let &[condition, then, otherwise] = terms.args(t) else {
                    unreachable!("ite has three arguments")
                };
                let taken = self.truth(condition)?;
                work.push((if taken { then } else { otherwise }, wanted));
                work.push((condition, taken));
            }
            Op::Eq if terms.is_bool(terms.arg(t, 0)) => {
                for &side in terms.args(t) {
                    work.push((side, self.truth(side)?));
                }
            }
            _ => {
                let atom = self.without_ite(terms, t, work)?;
                self.add(if wanted { atom } else { terms.not(atom) });
            }
        }
        Ok(())
    }

    /// The disjunct (or negated conjunct) through which `t` has its value.
    fn choose(&self, terms: &Terms, t: TermId, wanted: bool) -> (TermId, bool) {
        let fits = |arg: &&TermId| self.values.get(arg) == Some(&Value::Bool(wanted));
        let candidates = terms.args(t).iter().filter(fits);
        let cost = |&arg: &TermId| {
            let (atom, negated) = terms.strip_not(arg);
            if self.seen.contains(&(arg, wanted)) || self.seen.contains(&(atom, wanted != negated)) {
                0
            } else if !self.is_relevant(arg) {
                1
            } else {
                match terms.op(atom) {
                    Op::Const(_) => 1,
                    Op::And | Op::Or | Op::Ite => 2 + terms.args(atom).len(),
                    _ => 2,
                }
            }
        };
        let chosen = candidates.min_by_key(|arg| cost(arg)).copied();
        (chosen.unwrap_or_else(|| terms.arg(t, 0)), wanted)
    }

    /// `atom` with every `ite` replaced by the branch that the model takes.
    fn without_ite(
        &self,
        terms: &mut Terms,
        atom: TermId,
        work: &mut Vec<(TermId, bool)>,
    ) -> Result<TermId, EvalError> {
        let is_choice = |&t: &TermId| terms.op(t) == Op::Ite && self.is_relevant(t);
        let choices: Vec<TermId> = terms.postorder(&[atom]).into_iter().filter(is_choice).collect();
        if choices.is_empty() {
            return Ok(atom);
        }
        let mut substitution = Substitution::default();
        for ite in choices {
            let &[condition, then, otherwise] = terms.args(ite) else {
                unreachable!("ite has three arguments")
            };
            let taken = self.truth(condition)?;
            work.push((condition, taken));
            let branch = substitution.apply(terms, if taken { then } else { otherwise });
            substitution.insert(ite, branch);
        }
        Ok(substitution.apply(terms, atom))
    }
}
