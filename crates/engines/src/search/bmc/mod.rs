//! `bmc`: bounded model checking of Horn clauses by stratified inlining.
//!
//! After Lal, Qadeer and Lahiri (*A Solver for Reachability Modulo Theories*, CAV 2012), which 002
//! (section 5.2) compares lazy annotation with. A derivation tree of the goal is unfolded lazily, in one
//! incremental solver:
//!
//! | notion | here |
//! |---|---|
//! | a call | [`Node`]: a predicate with arguments, and a constant `active` that says whether it is derived |
//! | inlining a call | [`Bmc::expand`]: `active` implies one of the predicate's rules |
//! | under-approximation | open nodes are not active: a model is a derivation |
//! | over-approximation | open nodes may be anything: without a model there is no derivation |
//! | recursion bound | nodes deeper than the bound are never active |
//!
//! Only the open nodes that a model of the over-approximation uses are inlined. If it has no model
//! although nothing was cut off by the bound, the clauses are satisfiable, and tree interpolants of
//! the unfolding make a model: the interpretation of a predicate is the conjunction of the
//! interpolants of its nodes. A rule's body then implies the interpolants of the children of every
//! node, and those imply the node's own; open nodes have the interpolant `true`.

mod model;

#[cfg(test)]
mod tests;

use crate::horn::{HornVerdict, Instance, NewSolver, Rules};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, Stats, index_type};
use craig_chc::{Derivation, PredicateId, Step, StepId, System};
use craig_smt::{Answer, Solver};
use craig_term::{Model, TermId, Terms};

index_type!(
    /// A node of one unfolding.
    NodeId,
    "n"
);

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The greatest height of derivations to look for.
    pub bound: Option<usize>,
}

/// Solves a system of Horn clauses, or finds that there is no derivation up to the bound.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    options: &Options,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let rules = Rules::new(terms, system);
    let mut bmc = Bmc { terms, budget, rules, solver: new_solver(), nodes: IndexVec::new(), checks: 0 };
    let verdict = bmc.run(options.bound).unwrap_or_else(HornVerdict::Unknown);
    let expanded = bmc.nodes.iter().filter(|node| node.expansion.is_some()).count();
    stats.add("resolution steps", expanded as u64);
    stats.add("depth", bmc.nodes.iter().map(|node| node.depth).max().unwrap_or(0) as u64);
    stats.add("solver calls", bmc.checks);
    verdict
}

struct Node {
    predicate: PredicateId,
    args: Vec<TermId>,
    active: TermId,
    parent: Option<NodeId>,
    depth: usize,
    /// `None`: an open node.
    expansion: Option<Expansion>,
}

struct Expansion {
    formula: TermId,
    /// For each rule of the predicate: whether it is taken, its instance, and the nodes of its body.
    choices: Vec<(TermId, Instance, Vec<NodeId>)>,
}

struct Bmc<'a> {
    terms: &'a mut Terms,
    budget: &'a Budget,
    rules: Rules,
    solver: Box<dyn Solver>,
    nodes: IndexVec<NodeId, Node>,
    checks: u64,
}

impl Bmc<'_> {
    fn run(&mut self, bound: Option<usize>) -> Result<HornVerdict, Reason> {
        let root = self.add_node(self.rules.goal, Vec::new(), None);
        self.expand(root);
        let mut depth = 1;
        loop {
            if let Some(model) = self.check(root, |_| false)? {
                return Ok(HornVerdict::Unsat(self.derivation(root, &model)?));
            }
            match self.check(root, |node| node.depth <= depth)? {
                Some(model) => {
                    for node in self.open_nodes(root, &model)? {
                        self.expand(node);
                    }
                }
                None if !self.needs_bound() => return Ok(HornVerdict::Sat(self.interpretation()?)),
                None if bound.is_some_and(|bound| depth >= bound) => return Err(Reason::Bounded(depth)),
                None => depth += 1,
            }
        }
    }

    fn add_node(&mut self, predicate: PredicateId, args: Vec<TermId>, parent: Option<NodeId>) -> NodeId {
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        let active = self.terms.fresh_const("active", Terms::BOOL);
        self.nodes.push(Node { predicate, args, active, parent, depth, expansion: None })
    }

    /// Inlines the rules of an open node.
    fn expand(&mut self, id: NodeId) {
        let (predicate, active) = (self.nodes[id].predicate, self.nodes[id].active);
        let args = self.nodes[id].args.clone();
        let mut choices = Vec::new();
        let mut parts = Vec::new();
        let mut some_rule = Vec::new();
        for rule in self.rules.by_head[predicate].clone() {
            let instance = self.rules.instance(self.terms, rule, &args);
            let selector = self.terms.fresh_const("rule", Terms::BOOL);
            let mut holds = vec![instance.transition];
            let mut children = Vec::new();
            for (position, args) in instance.body.iter().enumerate() {
                let predicate = self.rules.rules[rule].body[position].predicate;
                let child = self.add_node(predicate, args.clone(), Some(id));
                holds.push(self.nodes[child].active);
                children.push(child);
            }
            let holds = self.terms.and(&holds);
            parts.push(self.terms.implies(selector, holds));
            some_rule.push(selector);
            choices.push((selector, instance, children));
        }
        let some_rule = self.terms.or(&some_rule);
        parts.push(self.terms.implies(active, some_rule));
        let formula = self.terms.and(&parts);
        self.solver.assert(self.terms, formula);
        self.nodes[id].expansion = Some(Expansion { formula, choices });
    }

    /// A model of the unfolding where only those open nodes may be active that `allowed` accepts.
    fn check(&mut self, root: NodeId, allowed: impl Fn(&Node) -> bool) -> Result<Option<Model>, Reason> {
        self.budget.check()?;
        self.checks += 1;
        let mut assumptions = vec![self.nodes[root].active];
        for node in self.nodes.iter().filter(|node| node.expansion.is_none() && !allowed(node)) {
            assumptions.push(self.terms.not(node.active));
        }
        match self.solver.check(self.terms, &assumptions, self.budget) {
            Answer::Sat => Ok(self.solver.model().cloned()),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Whether the last refutation used that some node is beyond the bound.
    fn needs_bound(&self) -> bool {
        self.solver.core().iter().any(|&assumption| self.terms.strip_not(assumption).1)
    }

    /// The rule that a model takes at an expanded node, with the nodes of its body.
    fn taken(&self, node: NodeId, model: &Model) -> Option<&(TermId, Instance, Vec<NodeId>)> {
        let choices = &self.nodes[node].expansion.as_ref()?.choices;
        choices.iter().find(|(selector, ..)| self.terms.eval_bool(*selector, model) == Ok(true))
    }

    /// The open nodes of the tree that a model describes.
    fn open_nodes(&self, root: NodeId, model: &Model) -> Result<Vec<NodeId>, Reason> {
        let mut open = Vec::new();
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            if self.nodes[node].expansion.is_none() {
                open.push(node);
            } else {
                let taken =
                    self.taken(node, model).ok_or_else(|| Reason::internal("a model takes no rule"))?;
                work.extend(taken.2.iter().rev());
            }
        }
        Ok(open)
    }

    fn derivation(&self, root: NodeId, model: &Model) -> Result<Derivation, Reason> {
        let mut order = Vec::new();
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            let taken = self.taken(node, model).ok_or_else(|| Reason::internal("a model takes no rule"))?;
            order.push((node, taken));
            work.extend(taken.2.iter().rev());
        }
        // Parents were visited first, and premises come first.
        let mut derivation = Derivation::default();
        let mut step_of: Map<NodeId, StepId> = Map::default();
        for (node, (_, instance, children)) in order.into_iter().rev() {
            let mut values = Vec::new();
            for &arg in &self.nodes[node].args {
                values.push(self.terms.eval(arg, model)?);
            }
            let step = Step {
                clause: self.rules.clause(instance.rule),
                premises: children.iter().map(|child| step_of[child]).collect(),
                values,
                witness: Vec::new(),
            };
            step_of.insert(node, derivation.steps.push(step));
        }
        Ok(derivation)
    }
}
