//! The incremental solver for the rules of one predicate.
//!
//! Each rule has a selector; a lemma about an atom of its body is guarded by the selector and by the
//! literal of the lemma's level, where the literal of a level implies those of higher levels. So
//! assuming the literal of level `n` switches on exactly the frame of level `n`. Facts about an atom
//! form a chain of clauses, `e0 -> f1 or e1`, `e1 -> f2 or e2`, ...: assuming the first and the
//! negated last says that the atom lies in some fact.

use super::{RuleId, Rules};
use craig_base::{Budget, Map};
use craig_chc::PredicateId;
use craig_smt::{Answer, Solver};
use craig_term::{Model, TermId, Terms};

/// What an attempt to make a lemma stronger may cost: there are others, and the lemma holds without it.
const MOST_CONFLICTS: u64 = 50;

pub struct Context {
    solver: Box<dyn Solver>,
    selectors: Map<RuleId, TermId>,
    level_literals: Vec<TermId>,
    /// Knows nothing; for questions about cubes alone.
    blank: Box<dyn Solver>,
    /// For each atom of each rule, the ends of its chain of facts.
    chains: Map<(RuleId, usize), (TermId, TermId)>,
}

/// What a question is about.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Literals over the parameters.
    pub cube: Vec<TermId>,
    /// The level of the frames of the body's atoms.
    pub level: usize,
    /// Only this rule, with these atoms in facts.
    pub focus: Option<(RuleId, Vec<bool>)>,
}

impl Context {
    pub fn new(
        terms: &mut Terms,
        rules: &Rules,
        predicate: PredicateId,
        new_solver: super::NewSolver<'_>,
    ) -> Self {
        let own = &rules.by_head[predicate];
        let mut solver = new_solver();
        let mut selectors = Map::default();
        let mut some_rule = Vec::new();
        for &rule in own {
            // One rule alone needs no selector.
            let selector = if own.len() == 1 { Terms::TRUE } else { terms.fresh_const("rule", Terms::BOOL) };
            let transition = rules.rules[rule].transition;
            let guarded = terms.implies(selector, transition);
            solver.assert(terms, guarded);
            some_rule.push(selector);
            selectors.insert(rule, selector);
        }
        let some_rule = terms.or(&some_rule);
        solver.assert(terms, some_rule);
        let mut chains = Map::default();
        for &rule in own {
            for atom in 0..rules.rules[rule].body.len() {
                let start = terms.fresh_const("fact", Terms::BOOL);
                chains.insert((rule, atom), (start, start));
            }
        }
        Context { solver, selectors, level_literals: Vec::new(), blank: new_solver(), chains }
    }

    pub fn levels(&self) -> usize {
        self.level_literals.len()
    }

    pub fn open_level(&mut self, terms: &mut Terms, chain: bool) {
        let literal = terms.fresh_const("level", Terms::BOOL);
        if let Some(&lower) = self.level_literals.last().filter(|_| chain) {
            let chain = terms.implies(lower, literal);
            self.solver.assert(terms, chain);
        }
        self.level_literals.push(literal);
    }

    /// A lemma about the atoms of `predicate` in the body of `rule`.
    pub fn tell_lemma(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        rule: RuleId,
        predicate: PredicateId,
        lemma: TermId,
        level: Option<usize>,
    ) {
        let at_level = level.map_or(Terms::TRUE, |level| self.level_literals[level]);
        let guard = terms.and2(at_level, self.selectors[&rule]);
        for atom in rules.rules[rule].body.iter().filter(|atom| atom.predicate == predicate) {
            let about = atom.instantiate(terms, rules, lemma);
            let guarded = terms.implies(guard, about);
            self.solver.assert(terms, guarded);
        }
    }

    pub fn tell_fact(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        rule: RuleId,
        predicate: PredicateId,
        fact: TermId,
    ) {
        for (index, atom) in rules.rules[rule].body.iter().enumerate() {
            if atom.predicate != predicate {
                continue;
            }
            let about = atom.instantiate(terms, rules, fact);
            let Some((_, last)) = self.chains.get_mut(&(rule, index)) else { continue };
            let next = terms.fresh_const("fact", Terms::BOOL);
            let either = terms.or2(about, next);
            let link = terms.implies(*last, either);
            *last = next;
            self.solver.assert(terms, link);
        }
    }

    /// Whether the cube can be concluded. The core of an `unsat` answer is in [`core`](Self::core).
    pub fn ask(&mut self, terms: &mut Terms, question: &Question, budget: &Budget) -> Answer {
        let mut assumptions = vec![self.level_literals[question.level]];
        if let Some((rule, derived)) = &question.focus {
            let selector = self.selectors[rule];
            if selector != Terms::TRUE {
                assumptions.push(selector);
            }
            for (atom, &derived) in derived.iter().enumerate() {
                let (first, last) = self.chains[&(*rule, atom)];
                if derived {
                    if first == last {
                        return Answer::Unsat;
                    }
                    assumptions.extend([first, terms.not(last)]);
                }
            }
        }
        assumptions.extend_from_slice(&question.cube);
        self.solver.check(terms, &assumptions, budget)
    }

    /// Whether literals over the parameters are satisfiable by themselves.
    pub fn satisfiable(&mut self, terms: &mut Terms, literals: &[TermId], budget: &Budget) -> Answer {
        self.blank.check(terms, literals, budget)
    }

    /// The core of a cube that cannot be concluded, where no atom of the same predicate in the body
    /// lies in the cube; and whether the level was needed. Nothing if it takes too long to tell.
    pub fn inductive_core(
        &mut self,
        terms: &mut Terms,
        rules: &Rules,
        predicate: PredicateId,
        question: &Question,
        budget: &Budget,
    ) -> Option<(Vec<TermId>, bool)> {
        let is_recursive =
            |rule: &RuleId| rules.rules[*rule].body.iter().any(|atom| atom.predicate == predicate);
        let recursive: Vec<RuleId> = rules.by_head[predicate].iter().copied().filter(is_recursive).collect();
        if !recursive.is_empty() {
            let cube = terms.and(&question.cube);
            let lemma = terms.not(cube);
            self.solver.push();
            for &rule in &recursive {
                self.tell_lemma(terms, rules, rule, predicate, lemma, None);
            }
        }
        self.solver.limit_conflicts(MOST_CONFLICTS);
        let answer = self.ask(terms, question, budget);
        self.solver.limit_conflicts(u64::MAX);
        let core = (answer == Answer::Unsat).then(|| self.core(question));
        if !recursive.is_empty() {
            self.solver.pop();
        }
        core
    }

    /// The literals of the cube that the last `unsat` needed, and whether the level was needed.
    pub fn core(&self, question: &Question) -> (Vec<TermId>, bool) {
        let core = self.solver.core();
        let literals = question.cube.iter().copied().filter(|literal| core.contains(literal)).collect();
        (literals, core.contains(&self.level_literals[question.level]))
    }

    pub fn model(&self) -> Option<&Model> {
        self.solver.model()
    }

    /// The rule that the last model takes.
    pub fn taken(&self, terms: &Terms, rules: &Rules, predicate: PredicateId) -> Option<RuleId> {
        let model = self.solver.model()?;
        rules.by_head[predicate]
            .iter()
            .copied()
            .find(|rule| terms.eval_bool(self.selectors[rule], model) == Ok(true))
    }

    /// A model of one formula, beside everything that is known.
    pub fn model_of(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        budget: &Budget,
    ) -> (Answer, Option<Model>) {
        self.solver.push();
        self.solver.assert(terms, formula);
        let answer = self.solver.check(terms, &[], budget);
        let model = self.solver.model().cloned();
        self.solver.pop();
        (answer, model)
    }
}
