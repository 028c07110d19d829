//! SEARCH and RSTEP of Figure 1, as one loop over a stack.

use super::eliminate::eliminate;
use super::goal::{Goal, Sources, Subgoal};
use super::{Decisions, Duality};
use crate::horn::{FactId, Question, RuleId};
use crate::verdict::Reason;
use craig_base::{OrderedMap, Set, Stopwatch};
use craig_chc::{Derivation, Step, StepId};
use craig_smt::Answer;
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_smt::project::{implicant, project_literals};
use craig_term::{Model, Op, Substitution, TermId, Terms};

/// One call of SEARCH.
pub(super) struct Frame {
    /// The goal without the chosen subgoal.
    pub suffix: Goal,
    pub subgoal: Subgoal,
    /// Rules that were not tried yet; the last is the next.
    rules: Vec<RuleId>,
    /// The rule with which the goal is resolved: a call of RSTEP.
    pub rule: Option<RuleId>,
    /// The fact with which it is resolved instead.
    pub fact: Option<FactId>,
    /// What the rules that were tried can derive at most, such that the goal is refuted.
    pub bounds: Vec<TermId>,
    /// The expansions that the refutations used.
    pub used: Sources,
}

/// How one round of RSTEP's loop ended.
enum Resolution {
    /// The resolvent is unsatisfiable.
    Refuted,
    /// Nothing is left to derive.
    Solved,
    /// The subgoal is a fact now.
    Concluded,
    /// The resolvent with a decision.
    Goal(Goal),
}

impl Duality<'_> {
    /// Looks for a derivation of the goal at the current depth.
    pub(super) fn search(&mut self) -> Result<Option<Derivation>, Reason> {
        let goal = self.annotation.rules.goal;
        let root = Subgoal { predicate: goal, level: self.annotation.level, args: Vec::new(), parent: None };
        self.stack.clear();
        self.open(Goal { subgoals: vec![root], constraints: Vec::new() });
        while let Some(frame) = self.stack.last_mut() {
            self.budget.check()?;
            frame.fact = None;
            let parent = frame.subgoal.parent.map(|(parent, _)| parent);
            if let Some((fact, goal)) = self.resolve_with_fact()? {
                match parent {
                    None => {
                        let facts = &self.facts;
                        let annotation = &mut self.annotation;
                        return facts.derivation(self.terms, annotation, fact, self.budget).map(Some);
                    }
                    Some(parent) if goal.is_closed(parent) => self.conclude(parent)?,
                    Some(_) => self.open(goal),
                }
                continue;
            }
            let Some(frame) = self.stack.last_mut() else { break };
            let Some(rule) = frame.rule else {
                frame.rule = frame.rules.pop();
                match frame.rule {
                    Some(_) => self.counts.resolutions += 1,
                    None => self.backtrack()?,
                }
                continue;
            };
            match self.resolve(rule)? {
                Resolution::Refuted | Resolution::Concluded => {}
                Resolution::Solved => return self.derivation().map(Some),
                Resolution::Goal(goal) => self.open(goal),
            }
        }
        Ok(None)
    }

    /// Chooses a subgoal and the order of the rules with which it is resolved.
    fn open(&mut self, mut goal: Goal) {
        let rules = &self.annotation.rules;
        let relevance = |rule: &RuleId| if self.options.relevance { self.relevance[*rule] } else { 0 };
        let best = |subgoal: &Subgoal| rules.by_head[subgoal.predicate].iter().map(relevance).max();
        let expansion =
            |subgoal: &Subgoal| subgoal.parent.filter(|_| self.options.facts).map(|(height, _)| height);
        let key = |subgoal: &Subgoal| (expansion(subgoal), best(subgoal));
        let mut chosen = 0;
        for candidate in 1..goal.subgoals.len() {
            if key(&goal.subgoals[candidate]) > key(&goal.subgoals[chosen]) {
                chosen = candidate;
            }
        }
        let subgoal = goal.subgoals.remove(chosen);
        let mut order = rules.by_head[subgoal.predicate].clone();
        order.reverse();
        // Stable, so that rules of equal relevance keep their order.
        order.sort_by_key(relevance);
        self.stack.push(Frame {
            suffix: goal,
            subgoal,
            rules: order,
            rule: None,
            fact: None,
            bounds: Vec::new(),
            used: Sources::new(),
        });
    }

    /// One round of RSTEP for the topmost frame.
    fn resolve(&mut self, rule: RuleId) -> Result<Resolution, Reason> {
        let suffix = self.suffix();
        let frame = self.stack.last().expect("a rule is being resolved in a frame");
        let predicate = frame.subgoal.predicate;
        let atoms = self.annotation.rules.rules[rule].body.len();
        let question = Question {
            cube: suffix.keys().copied().collect(),
            level: frame.subgoal.level - 1,
            focus: Some((rule, vec![false; atoms])),
        };
        self.annotation.counts.checks += 1;
        match self.annotation.contexts[predicate].ask(self.terms, &question, self.budget) {
            Answer::Unknown(reason) => Err(reason.into()),
            Answer::Unsat => {
                let (core, _) = self.annotation.contexts[predicate].core(&question);
                let bound = self.interpolant(rule, question.level, &core)?;
                let frame = self.stack.last_mut().expect("the same frame");
                for part in core {
                    frame.used.extend(&suffix[&part]);
                }
                frame.bounds.push(bound);
                frame.rule = None;
                Ok(Resolution::Refuted)
            }
            Answer::Sat => {
                if atoms == 0 && self.options.facts {
                    self.conclude(self.stack.len() - 1)?;
                    return Ok(Resolution::Concluded);
                }
                if atoms == 0 && frame.suffix.subgoals.is_empty() {
                    return Ok(Resolution::Solved);
                }
                let model = self.annotation.contexts[predicate].model().cloned();
                let model = model.ok_or_else(|| Reason::internal("an answer without a model"))?;
                self.counts.decisions += 1;
                let decision = self.decide(rule, &model)?;
                Ok(Resolution::Goal(self.resolvent(rule, &decision)))
            }
        }
    }

    /// The suffix under the annotation, over the parameters of the chosen subgoal, with what each
    /// part comes from.
    pub(super) fn suffix(&mut self) -> OrderedMap<TermId, Sources> {
        let frame = self.stack.last().expect("there is a frame");
        let rules = &self.annotation.rules;
        let parameters = rules.predicates[frame.subgoal.predicate].parameters.iter().copied();
        let mut renaming = Substitution::from_pairs(frame.subgoal.args.iter().copied().zip(parameters));
        let mut suffix: OrderedMap<TermId, Sources> = OrderedMap::default();
        for constraint in &frame.suffix.constraints {
            let part = renaming.apply(self.terms, constraint.formula);
            suffix.entry(part).or_default().extend(&constraint.sources);
        }
        for other in &frame.suffix.subgoals {
            let sources: Sources = other.parent.iter().map(|&(frame, _)| frame).collect();
            for lemma in self.annotation.frames.formulas(other.predicate, other.level) {
                let part = rules.predicates[other.predicate].instantiate(self.terms, lemma, &other.args);
                let part = renaming.apply(self.terms, part);
                suffix.entry(part).or_default().extend(&sources);
            }
        }
        suffix
    }

    /// What narrows the resolvent with `rule`, over the constants of the rule.
    fn decide(&mut self, rule: RuleId, model: &Model) -> Result<Vec<TermId>, Reason> {
        let transition = self.annotation.rules.rules[rule].transition;
        match self.options.decisions {
            Decisions::None => Ok(vec![transition]),
            Decisions::Minterms => Ok(implicant(self.terms, &[transition], model)?),
            Decisions::Blocks => {
                let conjuncts = match self.terms.op(transition) {
                    Op::And => self.terms.args(transition).to_vec(),
                    _ => vec![transition],
                };
                let mut decision = Vec::new();
                for conjunct in conjuncts {
                    let mut taken = conjunct;
                    if self.terms.op(conjunct) == Op::Or {
                        for &case in self.terms.args(conjunct) {
                            if self.terms.eval_bool(case, model)? {
                                taken = case;
                                break;
                            }
                        }
                    }
                    decision.push(taken);
                }
                Ok(decision)
            }
        }
    }

    /// The goal after resolution with `rule` and a decision.
    fn resolvent(&mut self, rule: RuleId, decision: &[TermId]) -> Goal {
        let height = self.stack.len() - 1;
        let frame = &self.stack[height];
        let rule = &self.annotation.rules.rules[rule];
        let parameters = self.annotation.rules.predicates[rule.head].parameters.iter().copied();
        let mut pairs: Vec<(TermId, TermId)> = parameters.zip(frame.subgoal.args.iter().copied()).collect();
        let mut roots = decision.to_vec();
        roots.extend(rule.body.iter().flat_map(|atom| atom.args.iter().copied()));
        for constant in self.terms.free_consts_of(&roots) {
            if pairs.iter().all(|&(from, _)| from != constant) {
                let instance = self.constants.entry((height, constant)).or_insert_with(|| {
                    let sort = self.terms.sort(constant);
                    self.terms.fresh_const("g", sort)
                });
                pairs.push((constant, *instance));
            }
        }
        let mut renaming = Substitution::from_pairs(pairs);
        let mut goal = frame.suffix.clone();
        for (position, atom) in rule.body.iter().enumerate() {
            goal.subgoals.push(Subgoal {
                predicate: atom.predicate,
                level: frame.subgoal.level - 1,
                args: atom.args.iter().map(|&arg| renaming.apply(self.terms, arg)).collect(),
                parent: Some((height, position)),
            });
        }
        let sources = Sources::from([height]);
        for &part in decision {
            let part = renaming.apply(self.terms, part);
            goal.add_constraint(self.terms, part, &sources);
        }
        eliminate(self.terms, &mut goal);
        goal
    }

    /// An interpolant between a rule's body at a level and the parts of the suffix that it
    /// contradicts, over the parameters of the rule's head.
    fn interpolant(&mut self, rule: RuleId, level: usize, core: &[TermId]) -> Result<TermId, Reason> {
        if core.is_empty() {
            return Ok(Terms::FALSE);
        }
        let watch = Stopwatch::start();
        self.counts.interpolations += 1;
        let rules = &self.annotation.rules;
        let mut prefix = vec![rules.rules[rule].transition];
        for atom in &rules.rules[rule].body {
            for lemma in self.annotation.frames.formulas(atom.predicate, level) {
                prefix.push(atom.instantiate(self.terms, rules, lemma));
            }
        }
        let prefix = self.terms.and(&prefix);
        let suffix = self.terms.and(core);
        // What is learned is made smaller afterwards, by questions to a solver that knows the rule.
        let options = interpolate::Options { minimize: false, ..interpolate::Options::default() };
        let result = interpolate::binary(self.terms, prefix, suffix, &options, self.budget);
        let result = match result {
            Interpolation::Interpolants(interpolant) if self.options.samples => {
                Interpolation::Interpolants(self.by_samples(prefix, suffix, interpolant)?)
            }
            other => other,
        };
        self.counts.interpolation_time += watch.elapsed();
        match result {
            Interpolation::Interpolants(interpolant) => Ok(interpolant),
            Interpolation::Sat(_) => Err(Reason::internal("a refuted goal has a model")),
            Interpolation::Unknown(Failure::MixedReasoning) => {
                let rules = &self.annotation.rules;
                let parameters =
                    rules.predicates[rules.rules[rule].head].parameters.iter().copied().collect();
                self.part_of_suffix(suffix, &parameters)
            }
            Interpolation::Unknown(failure) => Err(failure.into()),
        }
    }

    /// What excludes a part of the suffix only, where there is no interpolant for all of it: one that
    /// follows the model of another solver. The search will be back for the rest.
    fn part_of_suffix(&mut self, suffix: TermId, parameters: &Set<TermId>) -> Result<TermId, Reason> {
        let mut solver = (self.new_solver)();
        solver.assert(self.terms, suffix);
        match solver.check(self.terms, &[], self.budget) {
            Answer::Unknown(reason) => return Err(reason.into()),
            Answer::Unsat => return Ok(Terms::TRUE),
            Answer::Sat => {}
        }
        let model = solver.model().ok_or_else(|| Reason::internal("an answer without a model"))?;
        let literals = implicant(self.terms, &[suffix], model)?;
        let projected = project_literals(self.terms, &literals, model, parameters)?;
        let part = self.terms.and(&projected);
        Ok(self.terms.not(part))
    }

    /// The subgoal of the topmost frame is refuted by every rule: learns that, and returns to an
    /// expansion that has to do with it.
    fn backtrack(&mut self) -> Result<(), Reason> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let (predicate, level) = (frame.subgoal.predicate, frame.subgoal.level);
        self.learn(predicate, level, &frame.bounds)?;
        if self.options.eager_propagation
            && level > 1
            && self.annotation.push_lemmas(self.terms, predicate, level - 1, self.budget)?
        {
            self.counts.propagations += 1;
        }
        let parent = frame.subgoal.parent.map(|(parent, _)| parent);
        while self.options.back_jumping
            && let Some(top) = self.stack.len().checked_sub(1)
            && parent != Some(top)
            && !frame.used.contains(&top)
            && let Some(skipped) = self.stack.pop()
        {
            self.counts.back_jumps += 1;
            if let Some(rule) = skipped.rule {
                self.relevance[rule] -= 1;
            }
        }
        Ok(())
    }

    /// The derivation that the stack describes: each frame is one step.
    fn derivation(&mut self) -> Result<Derivation, Reason> {
        let mut instances = Vec::new();
        let mut solver = (self.new_solver)();
        for frame in &self.stack {
            let rule = frame.rule.ok_or_else(|| Reason::internal("a derivation with a missing rule"))?;
            let args = match frame.subgoal.parent {
                None => Vec::new(),
                Some((parent, position)) => instance_args(&instances, parent, position),
            };
            let instance = self.annotation.rules.instance(self.terms, rule, &args);
            solver.assert(self.terms, instance.transition);
            instances.push((args, instance));
        }
        match solver.check(self.terms, &[], self.budget) {
            Answer::Sat => {}
            Answer::Unsat => return Err(Reason::internal("a solved goal has no solution")),
            Answer::Unknown(reason) => return Err(reason.into()),
        }
        let model = solver.model().cloned().ok_or_else(|| Reason::internal("an answer without a model"))?;
        let mut premises: Vec<Vec<Option<StepId>>> = Vec::new();
        premises.resize_with(instances.len(), Vec::new);
        let mut derivation = Derivation::default();
        // Children were opened after their parents.
        for (height, (args, instance)) in instances.iter().enumerate().rev() {
            let mut values = Vec::new();
            for &arg in args {
                values.push(self.terms.eval(arg, &model)?);
            }
            let found: Option<Vec<StepId>> = premises[height].iter().copied().collect();
            let step = derivation.steps.push(Step {
                clause: self.annotation.rules.clause(instance.rule),
                premises: found.ok_or_else(|| Reason::internal("a premise was not derived"))?,
                values,
                witness: Vec::new(),
            });
            if let Some((parent, position)) = self.stack[height].subgoal.parent {
                let slots = instances[parent].1.body.len();
                premises[parent].resize(slots, None);
                premises[parent][position] = Some(step);
            }
        }
        Ok(derivation)
    }
}

fn instance_args(
    instances: &[(Vec<TermId>, crate::horn::Instance)],
    parent: usize,
    position: usize,
) -> Vec<TermId> {
    instances.get(parent).map_or_else(Vec::new, |(_, instance)| instance.body[position].clone())
}
