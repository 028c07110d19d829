//! The native solver: CDCL(T) for Booleans, linear arithmetic, functions and arrays, incremental, with proofs.
//!
//! | concept | module |
//! |---|---|
//! | formulas to clauses (Plaisted–Greenbaum, cached per term) | [`cnf`] |
//! | assignment, watched literals, clause database | [`sat`] |
//! | first unique implication point, minimisation, proof chains | [`analyze`] |
//! | the main loop, restarts, lemmas | [`search`] |
//! | arithmetic literals, conflicts, splits | [`theory`], [`atoms`] |
//! | equalities that follow from each other | [`triangles`] |
//! | upper bounds of terms | [`optimize`] |
//! | products of unknowns, where a model is wrong about them | [`correction`] |
//! | functions, arrays, uninterpreted sorts | [`lemmas`] |
//! | integer problems on which splitting runs away | [`bounded`] |
//!
//! Scopes: `push` makes an activation literal that guards the clauses of the scope and is assumed
//! while it is open. So everything learned without it survives `pop`; what was created inside the
//! scope (variables, atoms, rows) is forgotten there, unless a proof may still speak of it.
//!
//! Relevance: a literal of an atom is told to the theory only if some input clause or lemma
//! contains that literal. If only the negation occurs, making the literal true satisfies nothing,
//! so the theory need not agree with it.

mod analyze;
mod atoms;
mod bounded;
mod clauses;
mod cnf;
mod correction;
mod heap;
mod lemmas;
mod lit;
mod model;
mod optimize;
mod sat;
mod search;
mod theory;
mod triangles;

#[cfg(test)]
mod tests;

pub use atoms::{ArithAtom, Atoms, Relation};
pub use lit::{Lit, Var};
pub use optimize::UpperBound;

use crate::arith::{ArithVar, BoundKind, Propagation, Simplex};
use crate::preprocess::{Preprocessed, preprocess};
use crate::proof::{Leaf, ProofLog, StepId};
use crate::solver::{Answer, Solver, UnknownReason, Unsupported};
use cnf::Encoding;
use craig_base::{Budget, Index, OrderedMap, Set, Stats, StopReason};
use craig_num::Rat;
use craig_term::{Model, TermId, Terms, Value};
use lemmas::Lemmas;
use sat::{ClauseMark, Sat};
use search::Outcome;
use theory::ArithTheory;

/// What a solver does, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Record proofs, which interpolation needs.
    pub proofs: bool,
    /// How many integer splits one check may make.
    pub splits: u64,
    /// How many conflicts one check may have.
    pub conflicts: u64,
    /// Simplify what was asserted before the first check, if that check has neither scopes nor
    /// assumptions. If a removed constant is mentioned later, the solver starts again without it.
    pub preprocess: bool,
    /// Where a model gives a product a wrong value, add what always holds of products there, and search again. A proof
    /// has such facts among the inputs of a part that knows their symbols.
    pub products: bool,
    /// How often a check does so. From the seventh time on it looks further: for multiples of equations, and for a model
    /// with the same factors.
    pub corrections: usize,
    /// Add clauses for triangles of equalities ([`triangles`]), where no proof is recorded. For questions that are asked
    /// by themselves; in a search by many small ones, few have any.
    pub triangles: bool,
    /// Let a model choose what division by zero makes of a dividend; models of several questions would not agree.
    pub by_zero: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            proofs: false,
            splits: 100_000,
            conflicts: u64::MAX,
            preprocess: true,
            products: true,
            corrections: FEW_CORRECTIONS,
            triangles: false,
            by_zero: false,
        }
    }
}

/// See the module's documentation.
#[derive(Clone)]
pub struct NativeSolver {
    options: Options,
    sat: Sat,
    encoding: Encoding,
    arith: ArithTheory,
    lemmas: Lemmas,
    scopes: Vec<Scope>,
    /// Per literal: whether some clause of the input or a lemma has it.
    needed: Vec<bool>,
    /// Everything before it on the trail has been told to the theory.
    theory_head: usize,
    /// Scratch for literals that the theory implies.
    implied: Vec<Propagation>,
    /// Per variable, the parts in whose clauses it occurs, ascending. Only with proofs.
    occurrences: Vec<Vec<u32>>,
    /// What is in force, in order.
    history: Vec<Event>,
    /// How much of the history has been encoded.
    encoded: usize,
    /// What preprocessing removed, and the constants concerned.
    simplified: Option<Preprocessed>,
    removed: Set<TermId>,
    unsupported: Option<Unsupported>,
    model: Option<Model>,
    candidate: Option<Model>,
    core: Vec<TermId>,
    /// The proof of the clause of negated core literals, after `Unsat` under assumptions; none if two
    /// assumptions contradict each other.
    core_step: Option<StepId>,
    refutation: Option<StepId>,
    checks: u64,
    /// How many variables were made for assumptions, outside of all scopes.
    assumed: usize,
}

/// When this many variables were made for assumptions, and they are most of all, the solver starts
/// again: no scope forgets them.
const MAX_ASSUMED: usize = 20_000;
/// How often a check looks again at products, where many questions are asked.
const FEW_CORRECTIONS: usize = 6;

#[derive(Clone, Copy)]
enum Event {
    Push,
    Assert { formula: TermId, part: u32 },
}

#[derive(Clone)]
struct Scope {
    activation: Lit,
    vars: usize,
    clauses: ClauseMark,
    log: usize,
    splits: usize,
    lemmas: usize,
    mark: crate::arith::Mark,
    unsupported: Option<Unsupported>,
    trail: usize,
}

impl Default for NativeSolver {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl NativeSolver {
    /// A solver to which nothing was asserted.
    pub fn new(options: Options) -> Self {
        NativeSolver {
            options,
            sat: Sat::new(options.proofs),
            encoding: Encoding::default(),
            arith: ArithTheory::default(),
            lemmas: Lemmas::default(),
            scopes: Vec::new(),
            needed: Vec::new(),
            theory_head: 0,
            implied: Vec::new(),
            occurrences: Vec::new(),
            history: Vec::new(),
            encoded: 0,
            simplified: None,
            removed: Set::default(),
            unsupported: None,
            model: None,
            candidate: None,
            core: Vec::new(),
            core_step: None,
            refutation: None,
            checks: 0,
            assumed: 0,
        }
    }

    /// Asserts a formula that belongs to a part of an interpolation problem.
    pub fn assert_in_part(&mut self, terms: &Terms, formula: TermId, part: u32) {
        debug_assert!(terms.is_bool(formula));
        self.model = None;
        self.history.push(Event::Assert { formula, part });
    }

    /// All formulas in force.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.parts().map(|(_, formula)| formula)
    }

    /// All formulas in force with their parts.
    pub fn parts(&self) -> impl Iterator<Item = (u32, TermId)> + '_ {
        self.history.iter().filter_map(|event| match event {
            Event::Assert { formula, part } => Some((*part, *formula)),
            Event::Push => None,
        })
    }

    /// Encodes what was asserted since the last check.
    fn encode_history(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let new: Vec<Event> = self.history[self.encoded..].to_vec();
        if self.mentions_removed(terms, &new, assumptions) {
            self.restart();
            return self.encode_history(terms, assumptions, budget);
        }
        let closed = self.options.preprocess
            && self.encoded == 0
            && assumptions.is_empty()
            && new.iter().all(|event| matches!(event, Event::Assert { .. }));
        if closed {
            return self.encode_closed(terms, budget);
        }
        for event in new {
            match event {
                Event::Push => self.open_scope(),
                Event::Assert { formula, part } => self.encode_event(terms, formula, part),
            }
            self.encoded += 1;
        }
        Ok(())
    }

    /// Encodes all assertions after simplifying them, each part by itself.
    fn encode_closed(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), StopReason> {
        let mut parts: OrderedMap<u32, Vec<TermId>> = OrderedMap::default();
        for event in &self.history {
            if let Event::Assert { formula, part } = *event {
                parts.entry(part).or_default().push(formula);
            }
        }
        let formulas: Vec<TermId> = parts.values().map(|list| terms.and(list)).collect();
        let simplified = preprocess(terms, &formulas, budget)?;
        let keys: Vec<u32> = parts.keys().copied().collect();
        for (part, &formula) in keys.into_iter().zip(&simplified.parts) {
            self.encode_event(terms, formula, part);
        }
        self.removed.extend(simplified.removed());
        self.simplified = Some(simplified);
        self.encoded = self.history.len();
        Ok(())
    }

    fn encode_event(&mut self, terms: &mut Terms, formula: TermId, part: u32) {
        let guard = self.scopes.last().map(|scope| scope.activation);
        if formula == Terms::FALSE && guard.is_none() {
            self.add_input(&[], part);
        } else {
            self.encode_assertion(terms, formula, part, guard);
        }
    }

    fn mentions_removed(&self, terms: &Terms, events: &[Event], assumptions: &[TermId]) -> bool {
        if self.removed.is_empty() {
            return false;
        }
        let formulas = events.iter().filter_map(|event| match event {
            Event::Assert { formula, .. } => Some(*formula),
            Event::Push => None,
        });
        let roots: Vec<TermId> = formulas.chain(assumptions.iter().copied()).collect();
        terms.free_consts_of(&roots).iter().any(|t| self.removed.contains(t))
    }

    /// Forgets all that was derived, and never preprocesses again.
    fn restart(&mut self) {
        let options = Options { preprocess: false, ..self.options };
        let fresh = NativeSolver::new(options);
        let old = std::mem::replace(self, fresh);
        self.history = old.history;
        self.checks = old.checks;
    }

    fn open_scope(&mut self) {
        let vars = self.sat.vars();
        let mark = self.arith.simplex.mark();
        let activation = self.new_var(None);
        self.scopes.push(Scope {
            activation: Lit::new(activation, false),
            vars,
            clauses: self.sat.clause_mark(),
            log: self.encoding.log.len(),
            splits: self.arith.split.len(),
            lemmas: self.lemmas.len(),
            mark,
            unsupported: self.unsupported,
            trail: self.theory_head,
        });
        self.arith.push();
    }

    fn close_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        self.backtrack(0);
        self.arith.backtrack(self.scopes.len());
        self.arith.split.truncate(scope.splits);
        self.unsupported = scope.unsupported;
        // Facts found on level 0 survive, but the theory has forgotten those of this scope.
        self.theory_head = self.theory_head.min(scope.trail);
        if self.options.proofs {
            // A proof may speak of what was made in the scope, so it only becomes inactive.
            self.add_input(&[!scope.activation], 0);
            if self.sat.refuted.is_none() {
                self.sat.simplify();
            }
            return;
        }
        self.sat.truncate(scope.vars, !scope.activation, scope.clauses);
        self.encoding.truncate(scope.log, scope.vars);
        self.arith.truncate(scope.vars, scope.mark);
        self.lemmas.truncate(scope.lemmas);
        self.needed.truncate(2 * scope.vars);
        self.theory_head = self.theory_head.min(self.sat.trail.len());
    }

    /// The proof of the last `Unsat`, if proofs are recorded.
    pub fn refutation(&self) -> Option<StepId> {
        self.refutation
    }

    /// What was recorded, if proofs are.
    pub fn proof(&self) -> &ProofLog {
        &self.sat.proof
    }

    /// The arithmetic atoms that clauses speak of.
    pub fn atoms(&self) -> &Atoms {
        &self.arith.atoms
    }

    /// The arithmetic that they are about.
    pub fn simplex(&self) -> &Simplex {
        &self.arith.simplex
    }

    /// The term that a variable was made for.
    pub fn own_formula(&self, var: Var) -> Option<TermId> {
        self.encoding.formulas[var.index()]
    }

    /// The variable of a formula that is no negation.
    pub fn literal_of(&self, formula: TermId) -> Option<Var> {
        self.encoding.literal(formula).map(Lit::var)
    }

    /// The parts in whose clauses a variable occurs.
    pub fn occurrences(&self, var: Var) -> &[u32] {
        self.occurrences.get(var.index()).map_or(&[], Vec::as_slice)
    }

    /// All propositional variables.
    pub fn variables(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.sat.vars()).map(Var::from_usize)
    }

    /// The form, the number and the strictness of the bound that a literal gives on one side.
    pub fn literal_bound(&self, lit: Lit, upper: bool) -> Option<(ArithVar, Rat, bool)> {
        let atom = self.arith.atoms.get(lit.var())?;
        let kind = if upper { BoundKind::Upper } else { BoundKind::Lower };
        let (first, second) = atom.bounds(lit.is_negated(), self.arith.simplex.is_int(atom.form));
        let (_, value) = [first, second].into_iter().flatten().find(|(k, _)| *k == kind)?;
        Some((atom.form, value.value, !value.delta.is_zero()))
    }

    /// The formula that a variable stands for; true for variables that only guard scopes.
    pub fn formula(&self, terms: &mut Terms, var: Var) -> TermId {
        match (self.encoding.formulas[var.index()], self.arith.atoms.get(var)) {
            (Some(t), _) => t,
            (None, Some(atom)) => self.arith.atoms.formula(terms, &self.arith.simplex, atom),
            (None, None) => Terms::TRUE,
        }
    }

    /// How many conflicts there have been.
    pub(crate) fn conflicts(&self) -> u64 {
        self.sat.counters.conflicts
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        let sat = self.sat.counters;
        stats.add("checks", self.checks);
        stats.add("conflicts", sat.conflicts);
        stats.add("decisions", sat.decisions);
        stats.add("propagations", sat.propagations);
        stats.add("restarts", sat.restarts);
        stats.add("variables", self.sat.vars() as u64);
        let arith = self.arith.simplex.counters();
        stats.add("simplex checks", arith.checks);
        stats.add("pivots", arith.pivots);
        stats.add("theory conflicts", arith.conflicts);
        stats.add("theory propagations", arith.propagations);
        stats.add("integer splits", arith.splits);
        stats.add("rows", arith.rows_added);
        stats
    }

    fn new_var(&mut self, formula: Option<TermId>) -> Var {
        let var = self.sat.new_var();
        self.encoding.new_var(formula);
        self.needed.extend([false; 2]);
        if self.options.proofs {
            self.occurrences.push(Vec::new());
        }
        var
    }

    /// From now on the theory has to agree with this literal.
    fn needs(&mut self, lit: Lit) {
        if std::mem::replace(&mut self.needed[lit.index()], true) {
            return;
        }
        if self.sat.decision_level() == 0 && self.sat.is_true(lit) {
            self.theory_head = 0;
        }
        if lit.is_negated() && self.arith.is_equality(lit.var()) {
            self.arith.negated_equalities.push(lit.var());
        }
    }

    fn occurs(&mut self, var: Var, part: u32) {
        if self.options.proofs {
            let parts = &mut self.occurrences[var.index()];
            if let Err(place) = parts.binary_search(&part) {
                parts.insert(place, part);
            }
        }
    }

    fn note_unsupported(&mut self, what: Unsupported) {
        self.unsupported.get_or_insert(what);
    }

    /// Turns the core of a search into a refutation: assumptions become unit clauses.
    fn close_refutation(&mut self, core: &[Lit]) {
        if !self.options.proofs {
            return;
        }
        let mut chain: Vec<(StepId, Var)> = self.core_step.map(|step| (step, Var(0))).into_iter().collect();
        for &lit in core {
            let part = self.occurrences(lit.var()).first().copied().unwrap_or(0);
            self.occurs(lit.var(), part);
            let unit = self.sat.proof.leaf(&[lit], || Leaf::Input { part });
            chain.push((unit, lit.var()));
        }
        self.refutation =
            if chain.is_empty() { self.sat.refuted } else { Some(self.sat.proof.chain(&chain)) };
    }
}

impl Solver for NativeSolver {
    fn push(&mut self) {
        self.model = None;
        self.history.push(Event::Push);
    }

    fn pop(&mut self) {
        let is_push = |event: &Event| matches!(event, Event::Push);
        let Some(start) = self.history.iter().rposition(is_push) else { return };
        self.model = None;
        self.history.truncate(start);
        if self.encoded > start {
            self.close_scope();
            self.encoded = start;
        }
    }

    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        self.assert_in_part(terms, formula, 0);
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.check_corrected(terms, assumptions, budget)
    }

    fn limit_conflicts(&mut self, conflicts: u64) {
        self.options.conflicts = conflicts;
    }

    fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

impl NativeSolver {
    /// As [`check`](Solver::check); `observe` sees the solver while it holds the literals of a model.
    fn check_observed(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
        observe: &mut dyn FnMut(&mut NativeSolver, &mut Terms),
    ) -> Answer {
        self.checks += 1;
        self.model = None;
        self.candidate = None;
        self.core.clear();
        self.core_step = None;
        self.refutation = None;
        if self.assumed > MAX_ASSUMED.max(2 * (self.sat.vars() - self.assumed)) {
            self.restart();
        }
        if let Err(reason) = self.encode_history(terms, assumptions, budget) {
            return Answer::Unknown(UnknownReason::Stopped(reason));
        }
        let known = self.sat.vars();
        let mut assumed: Vec<Lit> = self.scopes.iter().map(|scope| scope.activation).collect();
        let mut wanted = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let lit = self.encode_literal(terms, assumption, 0);
            wanted.push((lit, assumption));
            assumed.push(lit);
        }
        if self.scopes.is_empty() {
            self.assumed += self.sat.vars() - known;
        }
        let outcome = self.search_integers(terms, &assumed, budget);
        let answer = match outcome {
            Outcome::Sat => {
                let mut model = self.build_model(terms);
                if let Some(simplified) = &self.simplified {
                    simplified.complete(terms, &mut model);
                }
                let answer = self.accept_model(terms, assumptions, model);
                if answer == Answer::Sat {
                    observe(self, terms);
                }
                answer
            }
            Outcome::Unsat(core) => {
                self.close_refutation(&core);
                let in_core = |lit: &Lit| core.contains(lit);
                self.core = wanted.iter().filter(|(lit, _)| in_core(lit)).map(|&(_, t)| t).collect();
                Answer::Unsat
            }
            Outcome::Unknown(reason) => Answer::Unknown(reason),
        };
        self.backtrack(0);
        answer
    }

    /// A model is given out only if it is one of the formula. Where arithmetic is all there is, that
    /// is an invariant, and checked in debug builds; otherwise it is evaluated.
    fn accept_model(&mut self, terms: &Terms, assumptions: &[TermId], model: Model) -> Answer {
        let holds = || {
            let formulas: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
            let values = terms.eval_all(&formulas, &model);
            values.is_ok_and(|values| formulas.iter().all(|t| values[t] == Value::Bool(true)))
        };
        let answer = match self.unsupported {
            None if self.lemmas.is_empty() => {
                debug_assert!(holds(), "the model does not satisfy the assertions");
                Answer::Sat
            }
            _ if holds() => Answer::Sat,
            what => {
                let otherwise = if terms.has_data() { Unsupported::Data } else { Unsupported::Arrays };
                Answer::Unknown(UnknownReason::Unsupported(what.unwrap_or(otherwise)))
            }
        };
        match answer {
            Answer::Sat => self.model = Some(model),
            _ => self.candidate = Some(model),
        }
        answer
    }

    /// A model of what the solver understands of the formulas, if the last check found that it is none of the
    /// formulas themselves.
    pub fn candidate(&self) -> Option<&Model> {
        self.candidate.as_ref()
    }
}
