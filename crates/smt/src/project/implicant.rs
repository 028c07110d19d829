//! From a model of a formula to literals that are true in it and imply the formula.

use super::ProjectError;
use craig_base::{Map, Set};
use craig_term::{Model, Op, TermId, Terms, Value};

/// Literals that are true in `model` and together imply `formula`.
///
/// A subformula without any constant for which `matters` holds is kept as it is, like a literal. No
/// literal that matters contains an `ite`.
pub fn implicant(
    terms: &mut Terms,
    formula: TermId,
    matters: impl Fn(TermId) -> bool,
    model: &Model,
) -> Result<Vec<TermId>, ProjectError> {
    let mut search =
        Search { model, matters, values: Map::default(), relevant: Map::default(), goals: Vec::new() };
    if !search.truth(terms, formula)? {
        return Err(ProjectError::NotAModel);
    }
    search.goals.push(formula);
    let mut seen = Set::default();
    let mut literals = Vec::new();
    while let Some(goal) = search.goals.pop() {
        if seen.insert(goal) {
            search.reduce(terms, goal, &mut literals)?;
        }
    }
    Ok(literals)
}

struct Search<'a, F> {
    model: &'a Model,
    matters: F,
    values: Map<TermId, Value>,
    /// Whether a term contains a constant that matters.
    relevant: Map<TermId, bool>,
    /// Formulas that are true in the model and still to be implied.
    goals: Vec<TermId>,
}

impl<F: Fn(TermId) -> bool> Search<'_, F> {
    fn truth(&mut self, terms: &Terms, t: TermId) -> Result<bool, ProjectError> {
        if !self.values.contains_key(&t) {
            self.values.extend(terms.eval_all(&[t], self.model)?);
        }
        Ok(self.values.get(&t) == Some(&Value::Bool(true)))
    }

    fn is_relevant(&mut self, terms: &Terms, t: TermId) -> bool {
        if let Some(&known) = self.relevant.get(&t) {
            return known;
        }
        for part in terms.postorder_skipping(&[t], |part| self.relevant.contains_key(&part)) {
            let inside = terms.args(part).iter().any(|arg| self.relevant[arg]);
            self.relevant.insert(part, inside || (self.matters)(part));
        }
        self.relevant[&t]
    }

    /// Replaces a true goal by true goals that imply it, or by a literal.
    fn reduce(
        &mut self,
        terms: &mut Terms,
        goal: TermId,
        literals: &mut Vec<TermId>,
    ) -> Result<(), ProjectError> {
        if terms.is_true(goal) {
            return Ok(());
        }
        let (t, negated) = terms.strip_not(goal);
        if !self.is_relevant(terms, t) {
            literals.push(goal);
            return Ok(());
        }
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::And | Op::Or if (terms.op(t) == Op::And) != negated => {
                let all = args.into_iter().map(|arg| if negated { terms.not(arg) } else { arg });
                self.goals.extend(all);
            }
            Op::And | Op::Or => {
                let all: Vec<TermId> =
                    args.into_iter().map(|arg| if negated { terms.not(arg) } else { arg }).collect();
                let choice = self.cheapest(terms, &all)?;
                self.goals.extend(choice);
            }
            Op::Ite if terms.is_bool(t) => {
                let condition = self.truth(terms, args[0])?;
                let branch = args[if condition { 1 } else { 2 }];
                let condition = if condition { args[0] } else { terms.not(args[0]) };
                let branch = if negated { terms.not(branch) } else { branch };
                self.goals.extend([condition, branch]);
            }
            Op::Eq if terms.is_bool(args[0]) => {
                for arg in args {
                    let literal = if self.truth(terms, arg)? { arg } else { terms.not(arg) };
                    self.goals.push(literal);
                }
            }
            _ => match self.without_ite(terms, t)? {
                None => literals.push(goal),
                Some(simpler) => {
                    let simpler = if negated { terms.not(simpler) } else { simpler };
                    self.goals.push(simpler);
                }
            },
        }
        Ok(())
    }

    /// Of the disjuncts that are true, one that constrains least: without what matters, or small.
    fn cheapest(&mut self, terms: &Terms, disjuncts: &[TermId]) -> Result<Option<TermId>, ProjectError> {
        let mut best: Option<(bool, usize, TermId)> = None;
        for &disjunct in disjuncts {
            if self.truth(terms, disjunct)? {
                let (inner, _) = terms.strip_not(disjunct);
                let cost = (self.is_relevant(terms, disjunct), terms.args(inner).len(), disjunct);
                if best.is_none_or(|best| cost < best) {
                    best = Some(cost);
                }
            }
        }
        Ok(best.map(|(_, _, disjunct)| disjunct))
    }

    /// The atom with each `ite` replaced by the branch that the model takes; the conditions become
    /// goals. `None` if there is no `ite` that matters.
    fn without_ite(&mut self, terms: &mut Terms, atom: TermId) -> Result<Option<TermId>, ProjectError> {
        let mut branches: Map<TermId, TermId> = Map::default();
        let is_ite = |terms: &Terms, t: TermId| terms.op(t) == Op::Ite && !terms.is_bool(t);
        for t in terms.postorder(&[atom]) {
            if !is_ite(terms, t) || !self.is_relevant(terms, t) {
                continue;
            }
            let [condition, then, otherwise] = terms.args(t) else { continue };
            let (condition, then, otherwise) = (*condition, *then, *otherwise);
            let (condition, branch) = if self.truth(terms, condition)? {
                (condition, then)
            } else {
                (terms.not(condition), otherwise)
            };
            self.goals.push(condition);
            branches.insert(t, branch);
        }
        if branches.is_empty() {
            return Ok(None);
        }
        // A branch may be an `ite` again; the result is looked at once more for that.
        Ok(Some(terms.substitute(atom, &branches)))
    }
}
