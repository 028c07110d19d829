//! Questions about obligations, and the obligations or facts that follow from their answers.

use super::obligations::ObligationId;
use super::{Expansion, Focus, Pdr};
use crate::horn::{FactId, Question, RuleId, halves};
use crate::verdict::Reason;
use craig_base::Set;
use craig_chc::PredicateId;
use craig_smt::Answer;
use craig_smt::project::{implicant, project_literals};
use craig_term::{Model, TermId};

impl Pdr<'_> {
    /// Tries to derive an obligation from the frames and facts below it.
    pub(super) fn expand(&mut self, id: ObligationId) -> Result<Expansion, Reason> {
        let obligation = self.obligations[id].clone();
        let (predicate, cube, level) = (obligation.predicate, obligation.cube, obligation.level);
        if let Some(fact) = self.known_fact(predicate, &cube)? {
            return Ok(Expansion::Derived(fact));
        }
        if let Some(Focus { rule, derived }) = obligation.focus {
            let question =
                Question { cube: cube.clone(), level: level - 1, focus: Some((rule, derived.clone())) };
            self.counts.checks += 1;
            match self.annotation.contexts[predicate].ask(self.terms, &question, self.budget) {
                Answer::Sat => return self.descend(id, rule, derived),
                Answer::Unsat => self.obligations.set_focus(id, None),
                Answer::Unknown(reason) => return Err(reason.into()),
            }
        }
        match self.annotation.blocked_at(self.terms, predicate, &cube, level, self.budget)? {
            Some(blocked) => Ok(Expansion::Blocked(blocked)),
            None => {
                let rule =
                    self.annotation.contexts[predicate].taken(self.terms, &self.annotation.rules, predicate);
                let rule = rule.ok_or_else(|| Reason::internal("a model takes no rule"))?;
                let atoms = self.annotation.rules.rules[rule].body.len();
                self.descend(id, rule, vec![false; atoms])
            }
        }
    }

    /// A fact that shares a point with the cube.
    fn known_fact(&mut self, predicate: PredicateId, cube: &[TermId]) -> Result<Option<FactId>, Reason> {
        for i in 0..self.facts.of[predicate].len() {
            let fact = self.facts.of[predicate][i];
            let mut both = self.facts.all[fact].cube.clone();
            both.extend_from_slice(cube);
            self.counts.checks += 1;
            match self.annotation.contexts[predicate].satisfiable(self.terms, &both, self.budget) {
                Answer::Sat => return Ok(Some(fact)),
                Answer::Unsat => {}
                Answer::Unknown(reason) => return Err(reason.into()),
            }
        }
        Ok(None)
    }

    /// Follows the model of the last question: a fact, if all atoms of the body are derived, or an
    /// obligation for one that is not.
    fn descend(
        &mut self,
        id: ObligationId,
        rule_id: RuleId,
        mut derived: Vec<bool>,
    ) -> Result<Expansion, Reason> {
        let (predicate, level) = (self.obligations[id].predicate, self.obligations[id].level);
        let rule = self.annotation.rules.rules[rule_id].clone();
        let Some(model) = self.annotation.contexts[predicate].model().cloned() else {
            return Err(Reason::internal("an answer without a model"));
        };
        let mut premises: Vec<Option<FactId>> = Vec::new();
        for (index, atom) in rule.body.iter().enumerate() {
            let fact = self.fact_at(atom.predicate, &atom.args, &model)?;
            derived[index] = fact.is_some();
            premises.push(fact);
        }
        if let Some(premises) = premises.iter().copied().collect::<Option<Vec<FactId>>>() {
            return Ok(Expansion::Derived(self.add_fact(rule_id, premises, &model)?));
        }
        let open = derived.iter().position(|&derived| !derived).expect("some atom is not derived");
        let mut roots = vec![rule.transition];
        roots.extend_from_slice(&self.obligations[id].cube);
        for (index, atom) in rule.body.iter().enumerate() {
            if let Some(premise) = premises[index] {
                roots.push(atom.instantiate(
                    self.terms,
                    &self.annotation.rules,
                    self.facts.all[premise].formula,
                ));
            } else if index != open {
                for lemma in self.annotation.frames.formulas(atom.predicate, level - 1) {
                    roots.push(atom.instantiate(self.terms, &self.annotation.rules, lemma));
                }
            }
        }
        let atom = &rule.body[open];
        let keep: Set<TermId> = atom.args.iter().copied().collect();
        let literals = implicant(self.terms, &roots, &model)?;
        let projected = project_literals(self.terms, &literals, &model, &keep)?;
        let mut about = Vec::new();
        for literal in projected {
            about.push(atom.generalise(self.terms, &self.annotation.rules, literal));
        }
        let cube = halves(self.terms, &about);
        self.obligations.set_focus(id, Some(Focus { rule: rule_id, derived }));
        Ok(Expansion::Child(self.obligations.add(atom.predicate, cube, level - 1, Some((id, open)))))
    }

    /// Remembers a fact, and tells it to all rules that have its predicate in their body.
    fn add_fact(&mut self, rule: RuleId, premises: Vec<FactId>, model: &Model) -> Result<FactId, Reason> {
        self.counts.facts += 1;
        let rules = &self.annotation.rules;
        let fact = self.facts.conclude(self.terms, rules, rule, premises, model)?;
        let (predicate, formula) = (rules.rules[rule].head, self.facts.all[fact].formula);
        for &user in &rules.by_body[predicate] {
            let context = &mut self.annotation.contexts[rules.rules[user].head];
            context.tell_fact(self.terms, rules, user, predicate, formula);
        }
        Ok(fact)
    }

    /// The fact in which the model places an atom.
    fn fact_at(
        &mut self,
        predicate: PredicateId,
        args: &[TermId],
        model: &Model,
    ) -> Result<Option<FactId>, Reason> {
        if self.facts.of[predicate].is_empty() {
            return Ok(None);
        }
        let mut point = Model::new();
        for (&parameter, &arg) in self.annotation.rules.predicates[predicate].parameters.iter().zip(args) {
            point.set(parameter, self.terms.eval(arg, model)?);
        }
        for &fact in &self.facts.of[predicate] {
            if self.terms.eval_bool(self.facts.all[fact].formula, &point)? {
                return Ok(Some(fact));
            }
        }
        Ok(None)
    }
}
