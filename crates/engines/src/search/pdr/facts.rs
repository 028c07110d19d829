//! Cubes that are derivable, and the derivation of the goal from them.

use super::Pdr;
use crate::horn::RuleId;
use crate::verdict::Reason;
use craig_base::{IndexVec, Map, index_type};
use craig_chc::{Derivation, PredicateId, Step, StepId};
use craig_smt::Answer;
use craig_term::{TermId, Value};

index_type!(
    /// A fact of one search.
    pub(super) FactId,
    "f"
);

/// Each point of the formula is concluded by the rule from points of its premises.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub predicate: PredicateId,
    pub cube: Vec<TermId>,
    /// The conjunction of the cube.
    pub formula: TermId,
    pub rule: RuleId,
    pub premises: Vec<FactId>,
}

pub(super) struct Facts {
    pub all: IndexVec<FactId, Fact>,
    pub of: IndexVec<PredicateId, Vec<FactId>>,
}

impl Facts {
    pub fn new(predicates: usize) -> Self {
        Facts { all: IndexVec::new(), of: IndexVec::from_elem(Vec::new(), predicates) }
    }
}

impl Pdr<'_> {
    /// Remembers a fact, and tells it to all rules that have its predicate in their body.
    pub(super) fn add_fact(&mut self, fact: Fact) -> FactId {
        self.counts.facts += 1;
        let (predicate, formula) = (fact.predicate, fact.formula);
        let id = self.facts.all.push(fact);
        self.facts.of[predicate].push(id);
        for i in 0..self.annotation.rules.by_body[predicate].len() {
            let rule = self.annotation.rules.by_body[predicate][i];
            let head = self.annotation.rules.rules[rule].head;
            self.annotation.contexts[head].tell_fact(
                self.terms,
                &self.annotation.rules,
                rule,
                predicate,
                formula,
            );
        }
        id
    }

    /// A ground derivation of `goal`: from the goal down, values are chosen for the premises of one
    /// fact after the other.
    pub(super) fn derivation(&mut self, goal: FactId) -> Result<Derivation, Reason> {
        struct Node {
            fact: FactId,
            values: Vec<Value>,
            children: Vec<usize>,
        }
        let mut nodes: Vec<Node> = vec![Node { fact: goal, values: Vec::new(), children: Vec::new() }];
        let mut known: Map<(FactId, Vec<Value>), usize> = Map::default();
        let mut next = 0;
        while next < nodes.len() {
            self.budget.check()?;
            let Fact { rule, premises, predicate, .. } = self.facts.all[nodes[next].fact].clone();
            let rule = self.annotation.rules.rules[rule].clone();
            let mut question = vec![rule.transition];
            for (&parameter, value) in
                self.annotation.rules.predicates[predicate].parameters.iter().zip(&nodes[next].values)
            {
                if let Some(value) = self.terms.value_term(value, self.terms.sort(parameter)) {
                    question.push(self.terms.eq(parameter, value));
                }
            }
            for (atom, &premise) in rule.body.iter().zip(&premises) {
                let formula = self.facts.all[premise].formula;
                question.push(atom.instantiate(self.terms, &self.annotation.rules, formula));
            }
            let question = self.terms.and(&question);
            let model = match self.annotation.contexts[predicate].model_of(self.terms, question, self.budget)
            {
                (Answer::Unknown(reason), _) => return Err(reason.into()),
                (_, Some(model)) => model,
                (_, None) => return Err(Reason::internal("a fact cannot be derived from its premises")),
            };
            let mut children = Vec::new();
            for (atom, &premise) in rule.body.iter().zip(&premises) {
                let mut values = Vec::new();
                for &arg in &atom.args {
                    values.push(self.terms.eval(arg, &model)?);
                }
                let child = *known.entry((premise, values.clone())).or_insert_with(|| {
                    nodes.push(Node { fact: premise, values, children: Vec::new() });
                    nodes.len() - 1
                });
                children.push(child);
            }
            nodes[next].children = children;
            next += 1;
        }
        // A node may be listed before another that needs it; facts are older than what uses them.
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&node| nodes[node].fact);
        let mut step_of: Map<usize, StepId> = Map::default();
        let mut derivation = Derivation::default();
        for node in order {
            let Node { fact, values, children, .. } = &nodes[node];
            let step = Step {
                clause: self.annotation.rules.clause(self.facts.all[*fact].rule),
                premises: children.iter().map(|child| step_of[child]).collect(),
                values: values.clone(),
                witness: Vec::new(),
            };
            step_of.insert(node, derivation.steps.push(step));
        }
        Ok(derivation)
    }
}
