//! `tpa`: transition power abstraction, for clauses with at most one premise.
//!
//! M. Blicha, G. Fedyukovich, A. E. J. Hyvärinen, N. Sharygina, *Transition Power Abstractions for Deep Counterexample
//! Detection*, TACAS 2022; where it ends with a proof, after their *Split Transition Power Abstraction for Unbounded
//! Safety*, FMCAD 2022.
//!
//! | notion | here |
//! |---|---|
//! | `ATr` of `n`: connects all states with at most `2^n` steps between them | [`Power`]: lemmas about pairs of states |
//! | `IsReachable` | [`Tpa::reach`]: two steps of the abstraction, then each of them by the abstraction below |
//! | interpolants | [`Tpa::learn`]: a lemma of the next power |
//! | fixed point | [`Tpa::closed`]: of all lemmas, those that one more step keeps |
//!
//! Since a question about `2^n` steps is two about `2^(n-1)`, a run of a thousand steps takes ten levels, where unwinding
//! and frames count one by one.
//!
//! Departures: all clauses are one machine whose start and goal are single states ([`machine`]), so that a closed set of lemmas
//! becomes an invariant without elimination of quantifiers. Lemmas are moved to the next power where they hold there. A set
//! of lemmas need not be closed as a whole.
//!
//! Invariants: a power's lemmas hold of all states with at most `2^n` steps between them, and of each state and itself;
//! each point of a waypoint is at most two steps from a point of the one before.

mod machine;

#[cfg(test)]
mod tests;

use crate::horn::{HornVerdict, NewSolver, halves};
use crate::verdict::Reason;
use craig_base::{Budget, OrderedSet, Set, Stats};
use craig_chc::System;
use craig_smt::interpolate::checked::separates;
use craig_smt::interpolate::{self, Failure};
use craig_smt::native::Options;
use craig_smt::project::{implicant, project_literals};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Substitution, TermId, Terms, Value};
use machine::Machine;

/// Whether the engine can be asked.
pub fn applies(terms: &Terms, system: &System) -> bool {
    machine::is_transition_system(terms, system)
}

/// Solves a system of Horn clauses.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let Some(machine) = Machine::new(terms, system) else {
        return HornVerdict::Unknown(Reason::NoTransitionSystem);
    };
    let mut tpa = Tpa::new(terms, machine, new_solver, budget);
    let verdict = tpa.run().unwrap_or_else(HornVerdict::Unknown);
    stats.add("depth", tpa.powers.len() as u64);
    stats.add("lemmas", tpa.powers.iter().map(|power| power.lemmas.len() as u64).sum());
    stats.add("solver calls", tpa.checks);
    verdict
}

/// Literals about one state, over [`Machine::state`].
type Cube = Vec<TermId>;

/// An abstraction of many steps.
struct Power {
    /// Formulas over the first and the second copy of the state.
    lemmas: OrderedSet<TermId>,
    /// What leads from the first copy to the second, and from there to the third.
    two_steps: Vec<TermId>,
    /// Knows of these.
    solver: Box<dyn Solver>,
    /// The same with proofs, and how many it has made: they take room.
    prover: NativeSolver,
    proofs: usize,
}

/// After so many proofs a prover starts again.
const MOST_PROOFS: usize = 300;

impl Power {
    fn new(new_solver: NewSolver<'_>) -> Power {
        Power {
            lemmas: OrderedSet::default(),
            two_steps: Vec::new(),
            solver: new_solver(),
            prover: prover(),
            proofs: 0,
        }
    }

    fn tell(&mut self, terms: &mut Terms, formula: TermId) {
        self.two_steps.push(formula);
        self.solver.assert(terms, formula);
        self.prover.assert_in_part(terms, formula, STEPS);
    }

    /// What follows from two steps and contradicts what is said of both ends.
    fn interpolant(
        &mut self,
        terms: &mut Terms,
        ends: TermId,
        budget: &Budget,
    ) -> Result<TermId, UnknownReason> {
        self.proofs += 1;
        if self.proofs > MOST_PROOFS {
            self.prover = prover();
            self.proofs = 0;
            for &formula in &self.two_steps {
                self.prover.assert_in_part(terms, formula, STEPS);
            }
        }
        self.prover.push();
        self.prover.assert_in_part(terms, ends, ENDS);
        let found = match self.prover.check(terms, &[], budget) {
            Answer::Unsat => {
                let options = interpolate::Options::default();
                interpolate::from_proof(terms, &self.prover, &[vec![true, false]], &options, budget)
            }
            Answer::Sat => Err(Failure::BrokenProof),
            Answer::Unknown(reason) => Err(Failure::Solver(reason)),
        };
        self.prover.pop();
        match found {
            Ok(interpolant) if interpolant.len() == 1 => {
                debug_assert!(
                    separates(terms, (&self.two_steps, &[ends]), interpolant[0], budget),
                    "a formula that is no interpolant"
                );
                Ok(interpolant[0])
            }
            Err(Failure::Solver(reason @ UnknownReason::Stopped(_))) => Err(reason),
            // Where there is none that can be computed, what was asked about is excluded, and nothing else.
            _ => Ok(terms.not(ends)),
        }
    }
}

/// The parts of an interpolation problem.
const STEPS: u32 = 0;
const ENDS: u32 = 1;

fn prover() -> NativeSolver {
    NativeSolver::new(Options { proofs: true, preprocess: false, products: false, ..Options::default() })
}

struct Tpa<'a> {
    terms: &'a mut Terms,
    machine: Machine,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
    /// Copies of the state: the first is that of the machine.
    copies: [Vec<TermId>; 3],
    /// At most one step from the first copy to the second, and from there to the third: what the lowest power knows.
    steps: [TermId; 2],
    powers: Vec<Power>,
    checks: u64,
}

/// The copy of the state before or after which a formula about one state is put.
const FIRST: usize = 0;
const SECOND: usize = 1;
const THIRD: usize = 2;

/// From where to where closed lemmas lead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// From the start; steps are added at the end.
    Start,
    /// To the goal; steps are added at the beginning.
    Goal,
}

impl<'a> Tpa<'a> {
    fn new(terms: &'a mut Terms, machine: Machine, new_solver: NewSolver<'a>, budget: &'a Budget) -> Self {
        let mut fresh = |name: &str| {
            machine.state.iter().map(|&constant| terms.fresh_const(name, terms.sort(constant))).collect()
        };
        let copies = [machine.state.clone(), fresh("u"), fresh("v")];
        let first = machine.at_most_one_step(terms, &copies[FIRST], &copies[SECOND]);
        let second = machine.at_most_one_step(terms, &copies[SECOND], &copies[THIRD]);
        let mut single = Power::new(new_solver);
        single.tell(terms, first);
        single.tell(terms, second);
        Tpa {
            terms,
            machine,
            new_solver,
            budget,
            copies,
            steps: [first, second],
            powers: vec![single],
            checks: 0,
        }
    }

    fn run(&mut self) -> Result<HornVerdict, Reason> {
        let start = self.machine.initial(self.terms);
        let goal = self.machine.goal(self.terms);
        for power in 0.. {
            self.budget.check()?;
            self.open_power(power + 1)?;
            if let Some(waypoints) = self.reach(power, &start, &goal)? {
                let run = self.run_through(&start, &waypoints)?;
                let derivation = self.machine.derivation(self.terms, &run, self.budget)?;
                return Ok(HornVerdict::Unsat(derivation));
            }
            for side in [Side::Start, Side::Goal] {
                if let Some(invariant) = self.closed(side, &start, &goal)? {
                    return Ok(HornVerdict::Sat(self.machine.interpretation(self.terms, invariant)));
                }
            }
        }
        Err(Reason::internal("there are more powers"))
    }

    /// Makes room for the lemmas of a power; those of the one below that hold there are its first.
    fn open_power(&mut self, power: usize) -> Result<(), Reason> {
        if power < self.powers.len() {
            return Ok(());
        }
        self.powers.push(Power::new(self.new_solver));
        let known: Vec<TermId> = self.powers[power - 1].lemmas.iter().copied().collect();
        for lemma in known {
            let across = self.moved(lemma, [FIRST, THIRD]);
            let violated = self.terms.not(across);
            if self.ask(power - 1, &[violated])? == Answer::Unsat {
                self.add_lemma(power, lemma);
            }
        }
        Ok(())
    }

    /// A formula over the first and the second copy, about two others.
    fn moved(&mut self, formula: TermId, [from, to]: [usize; 2]) -> TermId {
        let firsts = self.copies[FIRST].iter().zip(&self.copies[from]);
        let seconds = self.copies[SECOND].iter().zip(&self.copies[to]);
        let pairs = firsts.chain(seconds).map(|(&old, &new)| (old, new));
        Substitution::from_pairs(pairs).apply(self.terms, formula)
    }

    fn add_lemma(&mut self, power: usize, lemma: TermId) {
        if !self.powers[power].lemmas.insert(lemma) {
            return;
        }
        let second = self.moved(lemma, [SECOND, THIRD]);
        self.powers[power].tell(self.terms, lemma);
        self.powers[power].tell(self.terms, second);
    }

    fn ask(&mut self, power: usize, assumptions: &[TermId]) -> Result<Answer, Reason> {
        self.checks += 1;
        match self.powers[power].solver.check(self.terms, assumptions, self.budget) {
            Answer::Unknown(reason) => Err(reason.into()),
            answer => Ok(answer),
        }
    }

    /// Whether some state of the target is at most `2^(power + 1)` steps from one of the source: waypoints that are at
    /// most two steps apart each, the last of them in the target. If not, the next power knows.
    fn reach(&mut self, power: usize, source: &Cube, target: &Cube) -> Result<Option<Vec<Cube>>, Reason> {
        let last: Cube = target.iter().map(|&literal| self.moved(literal, [THIRD, SECOND])).collect();
        let mut assumptions = source.clone();
        assumptions.extend_from_slice(&last);
        loop {
            self.budget.check()?;
            if self.ask(power, &assumptions)? == Answer::Unsat {
                let core: Set<TermId> = self.powers[power].solver.core().iter().copied().collect();
                let needed: Vec<TermId> = assumptions.iter().copied().filter(|t| core.contains(t)).collect();
                self.learn(power, &needed)?;
                return Ok(None);
            }
            let Some(model) = self.powers[power].solver.model().cloned() else {
                return Err(Reason::internal("an answer without a model"));
            };
            let mut roots = self.powers[power].two_steps.clone();
            roots.extend_from_slice(&assumptions);
            if power == 0 {
                return Ok(Some(vec![self.projected(&roots, &model, THIRD)?]));
            }
            let middle = self.projected(&roots, &model, SECOND)?;
            let Some(mut waypoints) = self.reach(power - 1, source, &middle)? else { continue };
            let Some(between) = waypoints.last().cloned() else {
                return Err(Reason::internal("a way without points"));
            };
            let Some(rest) = self.reach(power - 1, &between, target)? else { continue };
            waypoints.extend(rest);
            return Ok(Some(waypoints));
        }
    }

    /// States around that of a model for which the formulas can be true.
    fn projected(&mut self, formulas: &[TermId], model: &Model, copy: usize) -> Result<Cube, Reason> {
        let keep: Set<TermId> = self.copies[copy].iter().copied().collect();
        let literals = implicant(self.terms, formulas, model)?;
        let projected = project_literals(self.terms, &literals, model, &keep)?;
        let pairs = self.copies[copy].iter().copied().zip(self.copies[FIRST].iter().copied());
        let mut substitution = Substitution::from_pairs(pairs);
        let about: Vec<TermId> =
            projected.into_iter().map(|literal| substitution.apply(self.terms, literal)).collect();
        Ok(halves(self.terms, &about))
    }

    /// Learns why two steps of a power do not lead from the source to the target: what is assumed of the first and the
    /// third copy.
    fn learn(&mut self, power: usize, assumed: &[TermId]) -> Result<(), Reason> {
        let ends = self.terms.and(assumed);
        let lemma = self.powers[power].interpolant(self.terms, ends, self.budget)?;
        let thirds = self.copies[THIRD].iter().copied().zip(self.copies[SECOND].iter().copied());
        let lemma = Substitution::from_pairs(thirds).apply(self.terms, lemma);
        self.add_lemma(power + 1, lemma);
        Ok(())
    }

    /// An invariant, if those lemmas of any power that hold of one more step suffice for one.
    fn closed(&mut self, side: Side, start: &Cube, goal: &Cube) -> Result<Option<TermId>, Reason> {
        let lemmas: OrderedSet<TermId> =
            self.powers.iter().flat_map(|power| power.lemmas.iter().copied()).collect();
        let mut solver = (self.new_solver)();
        // Lemmas are about the first two copies and a step follows, or the other way round.
        let (about, step, fixed, fixed_at, end) = match side {
            Side::Start => ([FIRST, SECOND], self.steps[1], start, FIRST, goal),
            Side::Goal => ([SECOND, THIRD], self.steps[0], goal, THIRD, start),
        };
        solver.assert(self.terms, step);
        for &literal in fixed {
            let literal = self.moved(literal, [fixed_at, SECOND]);
            solver.assert(self.terms, literal);
        }
        let end: Vec<TermId> = end.iter().map(|&literal| self.moved(literal, [SECOND, SECOND])).collect();
        // Each lemma about the states before the step, about those after it, and a literal that says that the latter fails.
        let mut left: Vec<(TermId, TermId, TermId, TermId)> = Vec::new();
        for lemma in lemmas {
            let fails = self.terms.fresh_const("f", Terms::BOOL);
            let before = self.moved(lemma, about);
            let across = self.moved(lemma, [FIRST, THIRD]);
            let violated = self.terms.not(across);
            let asked = self.terms.implies(fails, violated);
            solver.assert(self.terms, asked);
            left.push((lemma, before, across, fails));
        }
        loop {
            solver.push();
            for &(_, before, ..) in &left {
                solver.assert(self.terms, before);
            }
            let mut lost: Set<TermId> = Set::default();
            for &(lemma, _, _, fails) in &left {
                if lost.contains(&lemma) {
                    continue;
                }
                self.checks += 1;
                match solver.check(self.terms, &[fails], self.budget) {
                    Answer::Unknown(reason) => return Err(reason.into()),
                    Answer::Unsat => {}
                    Answer::Sat => {
                        let model = solver.model().ok_or_else(|| Reason::internal("no model"))?;
                        let fails = |across: TermId| self.terms.eval_bool(across, model) == Ok(false);
                        lost.extend(
                            left.iter().filter(|&&(_, _, across, _)| fails(across)).map(|each| each.0),
                        );
                        lost.insert(lemma);
                    }
                }
            }
            if lost.is_empty() {
                break;
            }
            solver.pop();
            left.retain(|(lemma, ..)| !lost.contains(lemma));
        }
        self.checks += 1;
        match solver.check(self.terms, &end, self.budget) {
            Answer::Unknown(reason) => Err(reason.into()),
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let lemmas: Vec<TermId> = left.iter().map(|&(lemma, ..)| lemma).collect();
                Ok(Some(self.invariant(side, fixed, &lemmas)?))
            }
        }
    }

    /// Closed lemmas as a formula about one state: the other is the only one that there is.
    fn invariant(&mut self, side: Side, fixed: &Cube, lemmas: &[TermId]) -> Result<TermId, Reason> {
        let mut solver = (self.new_solver)();
        let only = self.terms.and(fixed);
        solver.assert(self.terms, only);
        if solver.check(self.terms, &[], self.budget) != Answer::Sat {
            return Err(Reason::internal("no state at the start or the goal"));
        }
        let model = solver.model().ok_or_else(|| Reason::internal("no model"))?;
        let values = self.machine.values(self.terms, &self.copies[FIRST], model)?;
        let connected = self.terms.and(lemmas);
        let (known, other) = match side {
            Side::Start => (FIRST, SECOND),
            Side::Goal => (SECOND, FIRST),
        };
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let constant = self.copies[known][place];
            let value = self.terms.value_term(value, self.terms.sort(constant));
            pairs.push((constant, value.ok_or_else(|| Reason::internal("a value has no term"))?));
            pairs.push((self.copies[other][place], self.copies[FIRST][place]));
        }
        // The first copy may be both what is replaced and what stays; only one of the two is in the list twice.
        pairs.retain(|&(from, to)| from != to);
        let about = Substitution::from_pairs(pairs).apply(self.terms, connected);
        Ok(if side == Side::Start { about } else { self.terms.not(about) })
    }

    /// States from the start to the last waypoint, each at most one step from the one before.
    fn run_through(&mut self, start: &Cube, waypoints: &[Cube]) -> Result<Vec<Vec<Value>>, Reason> {
        let mut before: Vec<&Cube> = vec![start];
        before.extend(waypoints);
        let mut run: Vec<Vec<Value>> = Vec::new();
        let mut known: Cube = before.last().map(|&cube| cube.clone()).unwrap_or_default();
        for &from in before.iter().rev().skip(1) {
            self.budget.check()?;
            let mut assumptions = from.clone();
            for &literal in &known {
                assumptions.push(self.moved(literal, [THIRD, SECOND]));
            }
            if self.ask(0, &assumptions)? != Answer::Sat {
                return Err(Reason::internal("a waypoint is not reached from the one before"));
            }
            let model = self.powers[0].solver.model().ok_or_else(|| Reason::internal("no model"))?;
            if run.is_empty() {
                run.push(self.machine.values(self.terms, &self.copies[THIRD], model)?);
            }
            run.push(self.machine.values(self.terms, &self.copies[SECOND], model)?);
            let first = self.machine.values(self.terms, &self.copies[FIRST], model)?;
            known.clear();
            for (&constant, value) in self.copies[FIRST].iter().zip(&first) {
                let value = self.terms.value_term(value, self.terms.sort(constant));
                let value = value.ok_or_else(|| Reason::internal("a value has no term"))?;
                known.push(self.terms.eq(constant, value));
            }
            run.push(first);
        }
        run.reverse();
        Ok(run)
    }
}
