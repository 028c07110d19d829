//! Derivations in the simpler system as derivations in the original one.
//!
//! A clause of the simpler system stands for a tree of original clauses, some chosen among several.
//! One question to the solver finds values for all atoms in between, given those at the ends.

use super::{BackError, Origin, OriginId, Simplified};
use crate::system::{Derivation, Step, StepId, System};
use craig_base::{Budget, Map};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms, Value};

/// An atom of the tree, by its arguments.
type AtomId = usize;

/// An original clause in the tree, used if the guard is true.
struct Instance {
    guard: TermId,
    origin: OriginId,
    head: Option<AtomId>,
    body: Vec<AtomId>,
}

impl Simplified {
    pub fn derivation(
        &self,
        terms: &mut Terms,
        original: &System,
        derivation: &Derivation,
        budget: &Budget,
    ) -> Result<Derivation, BackError> {
        let unlocated = match self.located.as_deref() {
            Some((_, located, simpler)) => {
                Some(located.derivation(&simpler.derivation(terms, &located.system, derivation, budget)?))
            }
            None => None,
        };
        let derivation = unlocated.as_ref().unwrap_or(derivation);
        let mut result = Derivation::default();
        let mut step_of: Map<StepId, StepId> = Map::default();
        for (id, step) in derivation.steps.enumerated() {
            let premises: Vec<StepId> = step.premises.iter().map(|premise| step_of[premise]).collect();
            let last = self.expand(terms, original, step, &premises, &mut result, budget)?;
            step_of.insert(id, last);
        }
        Ok(result)
    }

    /// Adds the original steps behind one step, and gives the one that concludes the same atom.
    fn expand(
        &self,
        terms: &mut Terms,
        original: &System,
        step: &Step,
        premises: &[StepId],
        result: &mut Derivation,
        budget: &Budget,
    ) -> Result<StepId, BackError> {
        let system = self.located.as_deref().map_or(&self.system, |(before, ..)| before);
        let clause = &system.clauses[step.clause];
        let mut atoms: Vec<Vec<TermId>> = Vec::new();
        for &premise in premises {
            let values = result.steps[premise].values.clone();
            let predicate = clause.body[atoms.len()].predicate;
            let sorts: Vec<TermId> = original.predicates[predicate].parameters.clone();
            atoms.push(values_as_terms(terms, values.into_iter().map(Some), &sorts));
        }
        let body: Vec<AtomId> = (0..premises.len()).collect();
        let head = clause.head.as_ref().map(|head| {
            let parameters = original.predicates[head.predicate].parameters.clone();
            let mut values = step.values.iter().cloned();
            let kept = self.kept[head.predicate].iter().map(|&kept| if kept { values.next() } else { None });
            atoms.push(values_as_terms(terms, kept, &parameters));
            atoms.len() - 1
        });
        let (instances, question) =
            self.question(terms, original, self.clause_origins[step.clause], head, body, &mut atoms);
        let mut solver = NativeSolver::default();
        solver.assert(terms, question);
        match solver.check(terms, &[], budget) {
            Answer::Sat => {}
            Answer::Unsat => return Err(BackError::Wrong("a step stands for no original steps")),
            Answer::Unknown(reason) => return Err(BackError::Unknown(reason)),
        }
        let model = solver.model().cloned().unwrap_or_default();
        let mut deriving: Map<Option<AtomId>, &Instance> = Map::default();
        for instance in &instances {
            if terms.eval_bool(instance.guard, &model) == Ok(true) {
                deriving.entry(instance.head).or_insert(instance);
            }
        }
        let mut done: Map<Option<AtomId>, StepId> = Map::default();
        for (atom, &premise) in premises.iter().enumerate() {
            done.insert(Some(atom), premise);
        }
        let mut stack = vec![head];
        while let Some(&atom) = stack.last() {
            if done.contains_key(&atom) {
                stack.pop();
                continue;
            }
            let instance = deriving.get(&atom).ok_or(BackError::Wrong("an atom is not derived"))?;
            let open: Vec<Option<AtomId>> = instance
                .body
                .iter()
                .map(|&atom| Some(atom))
                .filter(|atom| !done.contains_key(atom))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let Origin::Clause(clause) = self.origins[instance.origin] else {
                return Err(BackError::Wrong("an instance is no original clause"));
            };
            let mut values = Vec::new();
            for &arg in atom.map_or(&[][..], |atom| &atoms[atom]) {
                values.push(
                    terms.eval(arg, &model).map_err(|_| BackError::Wrong("a value cannot be evaluated"))?,
                );
            }
            let premises = instance.body.iter().map(|&atom| done[&Some(atom)]).collect();
            done.insert(atom, result.steps.push(Step { clause, premises, values, witness: Vec::new() }));
            stack.pop();
        }
        Ok(done[&head])
    }

    /// The instances of original clauses behind an origin, and what holds if they fit together.
    fn question(
        &self,
        terms: &mut Terms,
        original: &System,
        root: OriginId,
        head: Option<AtomId>,
        body: Vec<AtomId>,
        atoms: &mut Vec<Vec<TermId>>,
    ) -> (Vec<Instance>, TermId) {
        let mut instances = Vec::new();
        let mut parts = Vec::new();
        let mut work = vec![Instance { guard: Terms::TRUE, origin: root, head, body }];
        while let Some(Instance { guard, origin, head, body }) = work.pop() {
            match &self.origins[origin] {
                Origin::Clause(id) => {
                    let clause = original.clauses[*id].renamed(terms);
                    let mut fits = vec![clause.constraint];
                    let links = clause.body.iter().zip(&body).chain(clause.head.iter().zip(&head));
                    for (application, &atom) in links {
                        for (&arg, &value) in application.args.iter().zip(&atoms[atom]) {
                            fits.push(terms.eq(arg, value));
                        }
                    }
                    let fits = terms.and(&fits);
                    parts.push(terms.implies(guard, fits));
                    instances.push(Instance { guard, origin, head, body });
                }
                &Origin::Resolve { using, position, defining, premises, predicate } => {
                    let parameters = original.predicates[predicate].parameters.clone();
                    let between: Vec<TermId> = parameters
                        .iter()
                        .map(|&parameter| terms.fresh_const("b", terms.sort(parameter)))
                        .collect();
                    atoms.push(between);
                    let middle = atoms.len() - 1;
                    let mut outer = body[..position].to_vec();
                    outer.push(middle);
                    outer.extend_from_slice(&body[position + premises..]);
                    let inner = body[position..position + premises].to_vec();
                    work.push(Instance { guard, origin: using, head, body: outer });
                    work.push(Instance { guard, origin: defining, head: Some(middle), body: inner });
                }
                Origin::Choice(alternatives) => {
                    let mut guards = Vec::new();
                    for &origin in alternatives {
                        let chosen = terms.fresh_const("choice", Terms::BOOL);
                        guards.push(chosen);
                        work.push(Instance { guard: chosen, origin, head, body: body.clone() });
                    }
                    let some = terms.or(&guards);
                    parts.push(terms.implies(guard, some));
                }
            }
        }
        (instances, terms.and(&parts))
    }
}

fn values_as_terms(
    terms: &mut Terms,
    values: impl Iterator<Item = Option<Value>>,
    parameters: &[TermId],
) -> Vec<TermId> {
    let mut result = Vec::new();
    for (value, &parameter) in values.zip(parameters) {
        let sort = terms.sort(parameter);
        // A value that was dropped, or without a term (of an uninterpreted sort), may be any.
        let value = value.and_then(|value| terms.value_term(&value, sort));
        result.push(value.unwrap_or_else(|| terms.fresh_const("v", sort)));
    }
    result
}
