//! Cubes that are derivable, and the derivation of the goal from them.

use super::{Annotation, RuleId, Rules};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, Set, index_type};
use craig_chc::{Derivation, PredicateId, Step, StepId};
use craig_smt::Answer;
use craig_smt::project::{implicant, project_literals};
use craig_term::{Model, TermId, Terms, Value};

index_type!(
    /// A fact of one search.
    pub FactId,
    "f"
);

/// Each point of the formula is concluded by the rule from points of its premises.
#[derive(Clone, Debug)]
pub struct Fact {
    pub predicate: PredicateId,
    pub cube: Vec<TermId>,
    /// The conjunction of the cube.
    pub formula: TermId,
    pub rule: RuleId,
    pub premises: Vec<FactId>,
}

pub struct Facts {
    pub all: IndexVec<FactId, Fact>,
    pub of: IndexVec<PredicateId, Vec<FactId>>,
}

impl Facts {
    pub fn new(predicates: usize) -> Self {
        Facts { all: IndexVec::new(), of: IndexVec::from_elem(Vec::new(), predicates) }
    }

    /// The fact around a model of a rule's body, whose atoms are points of the premises.
    pub fn conclude(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        rule: RuleId,
        premises: Vec<FactId>,
        model: &Model,
    ) -> Result<FactId, Reason> {
        let predicate = rules.rules[rule].head;
        let mut roots = vec![rules.rules[rule].transition];
        for (atom, &premise) in rules.rules[rule].body.iter().zip(&premises) {
            roots.push(atom.instantiate(terms, rules, self.all[premise].formula));
        }
        let keep: Set<TermId> = rules.predicates[predicate].parameters.iter().copied().collect();
        let literals = implicant(terms, &roots, model)?;
        let cube = project_literals(terms, &literals, model, &keep)?;
        let formula = terms.and(&cube);
        let id = self.all.push(Fact { predicate, cube, formula, rule, premises });
        self.of[predicate].push(id);
        Ok(id)
    }

    /// A ground derivation of `goal`: from the goal down, values are chosen for the premises of one
    /// fact after the other.
    pub fn derivation(
        &self,
        terms: &mut Terms,
        annotation: &mut Annotation,
        goal: FactId,
        budget: &Budget,
    ) -> Result<Derivation, Reason> {
        struct Node {
            fact: FactId,
            values: Vec<Value>,
            children: Vec<usize>,
        }
        let Annotation { rules, contexts, .. } = annotation;
        let mut nodes: Vec<Node> = vec![Node { fact: goal, values: Vec::new(), children: Vec::new() }];
        let mut known: Map<(FactId, Vec<Value>), usize> = Map::default();
        let mut next = 0;
        while next < nodes.len() {
            budget.check()?;
            let Fact { rule, premises, predicate, .. } = &self.all[nodes[next].fact];
            let rule = &rules.rules[*rule];
            let mut question = vec![rule.transition];
            for (&parameter, value) in rules.predicates[*predicate].parameters.iter().zip(&nodes[next].values)
            {
                if let Some(value) = terms.value_term(value, terms.sort(parameter)) {
                    question.push(terms.eq(parameter, value));
                }
            }
            for (atom, &premise) in rule.body.iter().zip(premises) {
                question.push(atom.instantiate(terms, rules, self.all[premise].formula));
            }
            let question = terms.and(&question);
            let model = match contexts[*predicate].model_of(terms, question, budget) {
                (Answer::Unknown(reason), _) => return Err(reason.into()),
                (_, Some(model)) => model,
                (_, None) => return Err(Reason::internal("a fact cannot be derived from its premises")),
            };
            let mut children = Vec::new();
            for (atom, &premise) in rule.body.iter().zip(premises) {
                let mut values = Vec::new();
                for &arg in &atom.args {
                    values.push(terms.eval(arg, &model)?);
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
                clause: rules.clause(self.all[*fact].rule),
                premises: children.iter().map(|child| step_of[child]).collect(),
                values: values.clone(),
                witness: Vec::new(),
            };
            step_of.insert(node, derivation.steps.push(step));
        }
        Ok(derivation)
    }
}
