//! LAWI: an unwinding that grows node by node, and converges by covering.
//!
//! This is how Duality uses lazy annotation in the experiments of 002 (section 5; the unwinding is that of McMillan and
//! Rybalchenko, *Solving constrained Horn clauses using interpolation*, 2013, after McMillan, *Lazy abstraction with
//! interpolants*, CAV 2006). A node is a predicate of the system, derived by one rule from older nodes, with a label that contains
//! all that can be derived so. Where the labels allow an instance of a rule whose conclusion no label contains, the unwinding grows
//! by a node for it, or, if the conclusion is the goal, the nodes below it are a problem without recursion, which is solved by
//! the search of [`super`]: its solution strengthens labels, its derivation is one of the system. When there is no
//! such instance, the union of the labels of each predicate is a model.
//!
//! A node is covered when older labels contain its own: instances are taken from the oldest nodes that allow them, so that
//! nothing grows from it. To that end, what older nodes of a predicate say is propagated to new ones, and to those whose
//! labels became stronger, as far as it holds there (002, section 4, eager propagation).
//!
//! Invariant: labels are inductive, that is, the rule of a node and the labels of its premises imply its label.

use super::{Convergence, Options};
use crate::horn::{HornVerdict, NewSolver, RuleId, Rules};
use crate::verdict::Reason;
use crate::view::blocks::conjuncts;
use craig_base::{Budget, IndexVec, Map, OrderedSet, Stats, index_type};
use craig_chc::{Application, Clause, Derivation, Interpretation, Predicate, PredicateId, System};
use craig_smt::{Answer, Solver};
use craig_term::{TermId, Terms};

index_type!(
    /// A node of the unwinding.
    NodeId,
    "n"
);

struct Node {
    rule: RuleId,
    /// One for each atom of the rule's body.
    premises: Vec<NodeId>,
    /// Over the parameters of the rule's head.
    label: TermId,
    height: usize,
}

/// A rule and nodes for its body.
type Instance = (RuleId, Vec<NodeId>);

struct Unwinding<'a> {
    terms: &'a mut Terms,
    options: &'a Options,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
    stats: &'a mut Stats,
    rules: Rules,
    nodes: IndexVec<NodeId, Node>,
    of: IndexVec<PredicateId, Vec<NodeId>>,
    /// Each knows its rule.
    solvers: IndexVec<RuleId, Box<dyn Solver>>,
    /// The last question of each rule that had no answer.
    refuted: Map<RuleId, Vec<TermId>>,
}

pub(super) fn solve(
    terms: &mut Terms,
    system: &System,
    options: &Options,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let rules = Rules::new(terms, system);
    let mut solvers = IndexVec::new();
    for rule in rules.rules.iter() {
        let mut solver = new_solver();
        solver.assert(terms, rule.transition);
        solvers.push(solver);
    }
    let of = IndexVec::from_elem(Vec::new(), rules.predicates.len());
    let (nodes, refuted) = (IndexVec::new(), Map::default());
    let mut unwinding =
        Unwinding { terms, options, new_solver, budget, stats, rules, nodes, of, solvers, refuted };
    unwinding.run().unwrap_or_else(HornVerdict::Unknown)
}

impl Unwinding<'_> {
    fn run(&mut self) -> Result<HornVerdict, Reason> {
        while let Some((rule, premises)) = self.violated()? {
            if self.rules.rules[rule].head == self.rules.goal {
                if let Some(derivation) = self.refine(rule, premises)? {
                    return Ok(HornVerdict::Unsat(derivation));
                }
                continue;
            }
            let below = premises.iter().map(|&premise| self.nodes[premise].height).max();
            let height = below.unwrap_or(0) + 1;
            if self.options.bound.is_some_and(|bound| height > bound) {
                return Err(Reason::Bounded(height - 1));
            }
            self.stats.add("nodes", 1);
            self.stats.max("depth", height as u64);
            let node = self.nodes.push(Node { rule, premises, label: Terms::TRUE, height });
            self.of[self.rules.rules[rule].head].push(node);
            if self.options.eager_propagation {
                self.propagate(node)?;
            }
        }
        let mut formulas = IndexVec::new();
        for predicate in self.rules.predicates.indices().filter(|&predicate| predicate != self.rules.goal) {
            let labels = self.labels(predicate);
            formulas.push(self.terms.or(&labels));
        }
        Ok(HornVerdict::Sat(Interpretation::new(formulas)))
    }

    fn labels(&self, predicate: PredicateId) -> Vec<TermId> {
        self.of[predicate].iter().map(|&node| self.nodes[node].label).collect()
    }

    /// An instance of a rule that the labels allow, but whose conclusion they do not contain; of the goal first.
    fn violated(&mut self) -> Result<Option<Instance>, Reason> {
        let goals = self.rules.by_head[self.rules.goal].clone();
        let others: Vec<RuleId> = self.rules.rules.indices().filter(|rule| !goals.contains(rule)).collect();
        for rule in goals.into_iter().chain(others) {
            self.budget.check()?;
            let mut question = Vec::new();
            for atom in &self.rules.rules[rule].body {
                let labels = self.labels(atom.predicate);
                let some = self.terms.or(&labels);
                question.push(atom.instantiate(self.terms, &self.rules, some));
            }
            let known = self.labels(self.rules.rules[rule].head);
            let known = self.terms.or(&known);
            question.push(self.terms.not(known));
            if question.contains(&Terms::FALSE) || self.refuted.get(&rule) == Some(&question) {
                continue;
            }
            self.stats.add("solver calls", 1);
            match self.solvers[rule].check(self.terms, &question, self.budget) {
                Answer::Unknown(reason) => return Err(reason.into()),
                Answer::Unsat => self.refuted.insert(rule, question),
                Answer::Sat => return Ok(Some((rule, self.premises(rule)?))),
            };
        }
        Ok(None)
    }

    /// The oldest nodes in whose labels the model of a rule's solver places the atoms.
    fn premises(&mut self, rule: RuleId) -> Result<Vec<NodeId>, Reason> {
        let model =
            self.solvers[rule].model().ok_or_else(|| Reason::internal("an answer without a model"))?;
        let mut premises = Vec::new();
        for atom in &self.rules.rules[rule].body {
            let mut found = None;
            for &node in &self.of[atom.predicate] {
                let label = atom.instantiate(self.terms, &self.rules, self.nodes[node].label);
                if self.terms.eval_bool(label, model)? {
                    found = Some(node);
                    break;
                }
            }
            premises.push(found.ok_or_else(|| Reason::internal("a model without a node"))?);
        }
        Ok(premises)
    }

    /// Derives the goal from nodes, or strengthens the labels of all nodes below it such that it cannot be derived.
    fn refine(&mut self, rule: RuleId, premises: Vec<NodeId>) -> Result<Option<Derivation>, Reason> {
        self.stats.add("bounded problems", 1);
        let nodes = self.below(&premises);
        let mut system = System::default();
        let mut predicates: Map<NodeId, PredicateId> = Map::default();
        for &node in &nodes {
            let original = &self.rules.predicates[self.rules.rules[self.nodes[node].rule].head];
            let sorts: Vec<_> =
                original.parameters.iter().map(|&parameter| self.terms.sort(parameter)).collect();
            let copy = Predicate::new(self.terms, &original.name, &sorts);
            predicates.insert(node, system.predicates.push(copy));
        }
        let mut clauses = Vec::new();
        for &node in &nodes {
            let Node { rule, premises, .. } = &self.nodes[node];
            let args = self.rules.predicates[self.rules.rules[*rule].head].parameters.clone();
            clauses.push((*rule, premises.clone(), Some(Application { predicate: predicates[&node], args })));
        }
        clauses.push((rule, premises, None));
        for (rule, premises, head) in &clauses {
            let rule = &self.rules.rules[*rule];
            let (mut body, mut constraint) = (Vec::new(), vec![rule.transition]);
            for (atom, premise) in rule.body.iter().zip(premises) {
                constraint.push(atom.instantiate(self.terms, &self.rules, self.nodes[*premise].label));
                body.push(Application { predicate: predicates[premise], args: atom.args.clone() });
            }
            let constraint = self.terms.and(&constraint);
            system.clauses.push(Clause { body, constraint, head: head.clone() });
        }
        let options = Options { convergence: Convergence::Houdini, bound: None, ..self.options.clone() };
        let mut stats = Stats::default();
        let verdict = super::solve(self.terms, &system, &options, self.new_solver, self.budget, &mut stats);
        for count in ["resolution steps", "decisions", "back-jumps", "lemmas", "solver calls"] {
            self.stats.add(count, stats.count(count));
        }
        match verdict {
            HornVerdict::Unknown(reason) => Err(reason),
            HornVerdict::Unsat(mut derivation) => {
                for step in derivation.steps.iter_mut() {
                    step.clause = self.rules.clause(clauses[step.clause.0 as usize].0);
                }
                Ok(Some(derivation))
            }
            HornVerdict::Sat(model) => {
                for node in nodes {
                    let predicate = predicates[&node];
                    let head = self.rules.rules[self.nodes[node].rule].head;
                    let parameters = &self.rules.predicates[head].parameters;
                    let copy = &system.predicates[predicate];
                    let found = copy.instantiate(self.terms, model.formulas[predicate], parameters);
                    self.nodes[node].label = self.terms.and2(self.nodes[node].label, found);
                    if self.options.eager_propagation {
                        self.propagate(node)?;
                    }
                }
                Ok(None)
            }
        }
    }

    /// Strengthens the label of a node by conjuncts of older labels of its predicate that hold for it as well.
    fn propagate(&mut self, node: NodeId) -> Result<(), Reason> {
        let Node { rule, premises, .. } = &self.nodes[node];
        let rule = *rule;
        let mut known = Vec::new();
        for (atom, &premise) in self.rules.rules[rule].body.iter().zip(premises) {
            known.push(atom.instantiate(self.terms, &self.rules, self.nodes[premise].label));
        }
        let mut candidates: OrderedSet<TermId> = OrderedSet::default();
        for &older in self.of[self.rules.rules[rule].head].iter().take_while(|&&older| older != node) {
            candidates.extend(conjuncts(self.terms, self.nodes[older].label));
        }
        let mut label = vec![self.nodes[node].label];
        for candidate in candidates {
            let fails = self.terms.not(candidate);
            known.push(fails);
            self.stats.add("solver calls", 1);
            match self.solvers[rule].check(self.terms, &known, self.budget) {
                Answer::Unsat => label.push(candidate),
                Answer::Sat => {}
                Answer::Unknown(reason) => return Err(reason.into()),
            }
            known.pop();
        }
        self.nodes[node].label = self.terms.and(&label);
        Ok(())
    }

    /// The nodes from which some nodes are derived, and these themselves; premises come first.
    fn below(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut found: OrderedSet<NodeId> = nodes.iter().copied().collect();
        let mut work = nodes.to_vec();
        while let Some(node) = work.pop() {
            work.extend(self.nodes[node].premises.iter().copied().filter(|&premise| found.insert(premise)));
        }
        let mut found: Vec<NodeId> = found.into_iter().collect();
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    crate::horn::suite::tests!(
        with super::Options::default();
        a_counter,
        two_variables_in_step,
        arguments_that_do_not_matter,
        a_sum_that_stays,
        functions_of_the_background,
        recursion_with_two_calls,
        mccarthy,
        reals_and_booleans,
        no_clause_at_all,
        a_program_of_small_steps,
        two_procedures,
        calls_in_branches
    );
}
