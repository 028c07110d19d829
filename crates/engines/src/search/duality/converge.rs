//! The convergence phase: a model of the system from the annotation of an unwinding.
//!
//! Lemmas are first propagated as far as they hold. Then, depending on [`Convergence`]:
//! covering (McMillan's lazy abstraction with interpolants): all predicates at some depth are covered
//! by themselves one depth before; Houdini (Flanagan and Leino): the largest inductive set of lemmas,
//! whatever depth they come from; predicate abstraction: the strongest inductive conjunction of the
//! lemmas' atoms and negated atoms, which is the Cartesian abstraction and again a largest inductive
//! set, of other candidates.

use super::{Convergence, Duality};
use crate::horn::{NewSolver, RuleId, Rules};
use crate::search::inductive::{self, Induction};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, OrderedMap, OrderedSet, Stopwatch};
use craig_chc::{Interpretation, PredicateId};
use craig_smt::{Answer, Solver};
use craig_term::{Op, TermId, Terms};

type Candidates = IndexVec<PredicateId, Vec<TermId>>;

impl Duality<'_> {
    pub(super) fn converge(&mut self) -> Result<Option<Interpretation>, Reason> {
        let watch = Stopwatch::start();
        let model = self.try_to_converge();
        self.counts.convergence_time += watch.elapsed();
        model
    }

    fn try_to_converge(&mut self) -> Result<Option<Interpretation>, Reason> {
        let last = self.annotation.propagate(self.terms, self.budget)?;
        if let Some(level) = last.filter(|_| self.options.chain) {
            return Ok(Some(self.annotation.interpretation(self.terms, level)));
        }
        for level in 1..self.annotation.level {
            if self.is_covered(level)? {
                return Ok(Some(self.annotation.interpretation(self.terms, level)));
            }
        }
        let candidates = match self.options.convergence {
            Convergence::Covering | Convergence::Lawi => return Ok(None),
            Convergence::Houdini => self.lemmas(),
            Convergence::Predicates => self.predicates(),
        };
        let rules = &self.annotation.rules;
        let houdini = self.houdini.get_or_insert_with(|| Houdini::new(self.terms, rules, self.new_solver));
        houdini.solve(self.terms, rules, candidates, self.budget)
    }

    /// Whether the annotation at the depth after `level` implies the one at `level`.
    fn is_covered(&mut self, level: usize) -> Result<bool, Reason> {
        for predicate in self.annotation.rules.predicates.indices() {
            let mut assumptions = self.annotation.frames.formulas(predicate, level + 1);
            for lemma in self.annotation.frames.at_level(predicate, level) {
                let length = assumptions.len();
                assumptions.extend_from_slice(self.annotation.frames.cube(predicate, lemma));
                self.annotation.counts.checks += 1;
                let context = &mut self.annotation.contexts[predicate];
                match context.satisfiable(self.terms, &assumptions, self.budget) {
                    Answer::Unsat => assumptions.truncate(length),
                    Answer::Sat => return Ok(false),
                    Answer::Unknown(reason) => return Err(reason.into()),
                }
            }
        }
        Ok(true)
    }

    /// The lemmas of all depths.
    fn lemmas(&self) -> Candidates {
        let mut candidates = IndexVec::new();
        for predicate in self.annotation.rules.predicates.indices() {
            candidates.push(self.annotation.frames.all(predicate));
        }
        candidates
    }

    /// The lemmas, their atoms, and the negations of those.
    fn predicates(&mut self) -> Candidates {
        let mut candidates = self.lemmas();
        for predicate in self.annotation.rules.predicates.indices() {
            let mut all: OrderedSet<TermId> = candidates[predicate].iter().copied().collect();
            for t in self.terms.postorder(&candidates[predicate]) {
                let is_atom = self.terms.is_bool(t)
                    && !matches!(
                        self.terms.op(t),
                        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Ite
                    );
                if is_atom {
                    all.insert(t);
                    all.insert(self.terms.not(t));
                }
            }
            candidates[predicate] = all.into_iter().collect();
        }
        candidates
    }
}

/// Finds largest inductive sets; what it was told is kept for the next time.
pub(super) struct Houdini {
    solvers: IndexVec<RuleId, Box<dyn Solver>>,
    known: IndexVec<PredicateId, OrderedMap<TermId, Switches>>,
}

/// Assumptions about a candidate.
#[derive(Clone, Copy)]
struct Switches {
    /// It holds in the bodies of rules.
    on: TermId,
    /// It fails at the head of rules.
    off: TermId,
}

impl Houdini {
    fn new(terms: &mut Terms, rules: &Rules, new_solver: NewSolver<'_>) -> Self {
        let mut solvers = IndexVec::new();
        for rule in rules.rules.iter() {
            let mut solver = new_solver();
            solver.assert(terms, rule.transition);
            solvers.push(solver);
        }
        Houdini { solvers, known: IndexVec::from_elem(OrderedMap::default(), rules.predicates.len()) }
    }

    /// An interpretation by a subset of the candidates, if one satisfies all rules.
    fn solve(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        alive: Candidates,
        budget: &Budget,
    ) -> Result<Option<Interpretation>, Reason> {
        for predicate in rules.predicates.indices() {
            for &candidate in &alive[predicate] {
                self.tell(terms, rules, predicate, candidate);
            }
        }
        let mut induction = Surviving { houdini: self, terms, rules, alive, budget };
        inductive::reduce(&mut induction)?;
        let Surviving { alive, .. } = induction;
        for &rule in &rules.by_head[rules.goal] {
            if !self.holds(terms, rules, rule, &alive, None, budget)? {
                return Ok(None);
            }
        }
        let mut formulas = IndexVec::new();
        for predicate in rules.predicates.indices().filter(|&predicate| predicate != rules.goal) {
            formulas.push(terms.and(&alive[predicate]));
        }
        Ok(Some(Interpretation::new(formulas)))
    }

    fn tell(&mut self, terms: &mut Terms, rules: &Rules, predicate: PredicateId, candidate: TermId) {
        if self.known[predicate].contains_key(&candidate) {
            return;
        }
        let on = terms.fresh_const("on", Terms::BOOL);
        let off = terms.fresh_const("off", Terms::BOOL);
        self.known[predicate].insert(candidate, Switches { on, off });
        for &rule in &rules.by_body[predicate] {
            for atom in rules.rules[rule].body.iter().filter(|atom| atom.predicate == predicate) {
                let about = atom.instantiate(terms, rules, candidate);
                let holds = terms.implies(on, about);
                self.solvers[rule].assert(terms, holds);
            }
        }
        let negated = terms.not(candidate);
        let fails = terms.implies(off, negated);
        for &rule in &rules.by_head[predicate] {
            self.solvers[rule].assert(terms, fails);
        }
    }

    /// Whether a rule has no instance whose body satisfies the candidates that are alive.
    fn holds(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        rule: RuleId,
        alive: &Candidates,
        guard: Option<TermId>,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let mut assumptions: OrderedSet<TermId> = guard.into_iter().collect();
        for atom in &rules.rules[rule].body {
            for candidate in &alive[atom.predicate] {
                assumptions.insert(self.known[atom.predicate][candidate].on);
            }
        }
        let assumptions: Vec<TermId> = assumptions.into_iter().collect();
        match self.solvers[rule].check(terms, &assumptions, budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}

/// Candidates that are alive, and rules that may refute them.
struct Surviving<'a> {
    houdini: &'a mut Houdini,
    terms: &'a mut Terms,
    rules: &'a Rules,
    alive: Candidates,
    budget: &'a Budget,
}

impl Induction for Surviving<'_> {
    type Step = RuleId;
    type Stop = Reason;

    fn steps(&self) -> Vec<RuleId> {
        let rules = self.rules;
        rules.rules.indices().filter(|&rule| rules.rules[rule].head != rules.goal).collect()
    }

    fn relying_on(&self, step: RuleId) -> Vec<RuleId> {
        let (rules, head) = (self.rules, self.rules.rules[step].head);
        rules.by_body[head].iter().copied().filter(|&user| rules.rules[user].head != rules.goal).collect()
    }

    fn refute(&mut self, step: RuleId) -> Result<bool, Reason> {
        self.budget.check()?;
        let head = self.rules.rules[step].head;
        if self.alive[head].is_empty() {
            return Ok(false);
        }
        let known = &self.houdini.known[head];
        let off: Vec<TermId> = self.alive[head].iter().map(|candidate| known[candidate].off).collect();
        let guard = self.terms.fresh_const("violated", Terms::BOOL);
        let some = self.terms.or(&off);
        let violated = self.terms.implies(guard, some);
        self.houdini.solvers[step].assert(self.terms, violated);
        if self.houdini.holds(self.terms, self.rules, step, &self.alive, Some(guard), self.budget)? {
            return Ok(false);
        }
        let after = self.alive[head].clone();
        let model = self.houdini.solvers[step].model();
        inductive::retain(self.terms, &mut self.alive[head], &after, model);
        Ok(true)
    }
}
