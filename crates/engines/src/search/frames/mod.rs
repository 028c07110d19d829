//! One formula for the whole program: loops are cut at their heads, and what they do not change is kept.
//!
//! M. Barnett, K. R. M. Leino, *Weakest-precondition of unstructured programs*, PASTE 2005, with guesses as in Houdini
//! (C. Flanagan, K. R. M. Leino, FME 2001). Code of libraries has loops that copy, clear and compare bytes between
//! preconditions and postconditions that speak of much else. An invariant of such a loop by itself has to say all that
//! again, and no guess does. Here the formula goes through the loop, so that only what the loop changes has to be
//! guessed about; often that is nothing beyond the ranges of its variables.
//!
//! | paper | here |
//! |---|---|
//! | passive program, cut back edges | `craig_program::FramedProgram`, `FramedEncoding` |
//! | loop targets are havocked | `Forgotten`; memory only where it is written, if the address stays the same |
//! | invariant asserted at entry and back edge | `arrivals`, edges to the error of their own |
//!
//! Of memory it is guessed that a loop which goes through it has left the rest as it was, and what it has written: what it
//! copies, or the same everywhere. That is about every cell, so it is assumed for those that the formula accesses, as models
//! ask for it. A loop that adds up what it reads has the sum of these elements; or the
//! greatest one, or the least.
//!
//! Numbers that a loop changes ([`rounds`]) may be cells of memory; objects may be its own ([`objects`]). Results that formulas only
//! approximate, such as common bits, are compared where a model gives different ones to the same operands.
//!
//! All questions are put to one solver. A model of the whole is no counterexample, as the states at heads may not be
//! reachable, so the only answers are proofs. The proof has the guesses that it needs at the heads, and is to be checked with
//! frames. Where it is not all checks that cannot fail, those that may are named ([`Reason::AllBut`]), so that the others
//! can be asked for without them.

use crate::search::houdini::Guesses;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Map, OrderedMap, OrderedSet, Set, Stats};
use craig_certificate::Invariant;
use craig_program::encode::{FramedEncoding, Operation, StateNames};
use craig_program::{BinaryOp, EdgeId, FramedProgram, LocId, StateVar, Type};
use craig_smt::aggregates::{Aggregates, Facts};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};

mod aggregates;
mod changes;
mod memory;
mod objects;
mod rounds;

/// Guesses about one loop.
const MAX_GUESSES: usize = 500;
/// Cells of memory for which guesses about all of them are of use.
const MAX_CELLS: usize = 400;
/// How many instances one model adds.
const MAX_ACTIVATED: usize = 40;
/// After so many models in which different checks fail, the others are not looked at.
const MAX_FAILURES: usize = 40;

/// Searches a program whose entry procedure has no calls. The edges by which each of its checks fails are given, so that
/// those that may fail can be told from those that cannot.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    checks: &OrderedMap<usize, Vec<EdgeId>>,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    prove(tm, view, checks, budget, stats).unwrap_or_else(Finding::from)
}

fn prove(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    checks: &OrderedMap<usize, Vec<EdgeId>>,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Finding, Reason> {
    let framed = FramedProgram::new(view.program).ok_or(Reason::NoCandidate)?;
    let proof = |formulas| Ok(Finding::Safe(Invariant { formulas, frames: true }));
    let Some(encoding) = FramedEncoding::new(&framed, &view.encoding.ranges, tm) else {
        return proof(Default::default());
    };
    budget.check()?;
    let mut search = Search::new(tm, view, &framed, &encoding, budget, stats);
    if search.is_proved_by_ranges()? {
        return proof(Default::default());
    }
    let checks = search.failures(&encoding, checks);
    let open = if checks.len() < 2 { checks.clone() } else { search.possible(&checks)? };
    search.guess(&framed);
    match search.reduced(&open) {
        Ok(still) if still.is_empty() => Ok(Finding::Safe(search.invariant()?)),
        Ok(still) => Err(all_but(still, &checks)),
        // What the ranges exclude is known all the same.
        Err(reason) => Err(if open.len() < checks.len() { all_but(open, &checks) } else { reason }),
    }
}

fn all_but(open: Failures, checks: &Failures) -> Reason {
    if open.len() < checks.len() { Reason::AllBut(open.into_keys().collect()) } else { Reason::NoCandidate }
}

/// That checks fail, by check.
type Failures = OrderedMap<usize, TermId>;

struct Search<'a> {
    tm: &'a mut Terms,
    view: &'a InlinedView<'a>,
    solver: NativeSolver,
    /// What all questions are about: the ways to the error, and the states at the start.
    formulas: [TermId; 2],
    /// That a check fails.
    error: TermId,
    loops: Vec<Cut>,
    /// Any cell of memory.
    cell: TermId,
    /// The cells that the formula accesses.
    cells: Vec<TermId>,
    /// Operations whose results formulas only approximate.
    results: Vec<(Operation, TermId)>,
    /// What guesses about every cell say of one, as far as models asked for it, by loop and guess.
    active: OrderedMap<TermId, (usize, TermId)>,
    /// What always holds of the aggregates in guesses, and what of it the solver was told.
    of_aggregates: Facts,
    told: Set<TermId>,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

/// A loop, and what is guessed about it.
struct Cut {
    head: LocId,
    /// Holds if the head is visited.
    here: TermId,
    guesses: Vec<Guess>,
    /// That the loop is arrived at: from outside, and from within.
    arrivals: [TermId; 2],
    /// From the constants of the state to what they are at the head and at the arrivals.
    at: [Substitution; 3],
}

struct Guess {
    /// Over the constants of the state, and those of the state in which the loop was entered.
    formula: TermId,
    /// If the head is visited, it holds there.
    at_head: TermId,
    /// The same, if it is no guess about every cell: these are assumed for some.
    assumed: Option<TermId>,
    arrived: [TermId; 2],
}

impl Cut {
    fn guess(&mut self, tm: &mut Terms, formula: TermId) -> Guess {
        let at_head = self.at[0].apply(tm, formula);
        let at_head = tm.implies(self.here, at_head);
        let arrived = [1, 2].map(|arrival: usize| self.at[arrival].apply(tm, formula));
        Guess { formula, at_head, assumed: None, arrived }
    }
}

impl<'a> Search<'a> {
    fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        framed: &FramedProgram,
        encoding: &FramedEncoding,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let block = &encoding.block;
        let mut loops = Vec::new();
        let mut no_arrival = Vec::new();
        let mut names = StateNames::default();
        for cut in &framed.loops {
            // What is not on a way to the error cannot be arrived at.
            let arrivals =
                cut.arrivals.map(|(_, edge)| block.edges.get(&edge).copied().unwrap_or(Terms::FALSE));
            no_arrival.extend(arrivals.map(|arrival| tm.not(arrival)));
            let Some(state) = view.encoding.cuts.at(cut.head).map(|id| &view.encoding.states[id]) else {
                continue;
            };
            let at = [cut.head, cut.arrivals[0].0, cut.arrivals[1].0].map(|location| {
                let seen = encoding.states.get(&location);
                let value = |var| seen.and_then(|seen| seen.get(&var)).copied();
                let mut pairs: Vec<(TermId, TermId)> =
                    state.iter().filter_map(|part| Some((part.current, value(part.var)?))).collect();
                let entered = encoding.states.get(&cut.arrivals[0].0).into_iter().flatten();
                for (&var, &value) in entered {
                    pairs.push((names.entry(view.program, tm, var), value));
                }
                Substitution::from_pairs(pairs)
            });
            let here = block.locations.get(&cut.head).copied().unwrap_or(Terms::FALSE);
            loops.push(Cut { head: cut.head, here, guesses: Vec::new(), arrivals, at });
        }
        let error = tm.and(&no_arrival);
        let cell = tm.fresh_const("k", Terms::INT);
        let is_access = |t: &TermId| matches!(tm.op(*t), Op::Select | Op::Store);
        let accesses = tm.postorder(&[block.formula]).into_iter().filter(is_access);
        let cells: OrderedSet<TermId> = accesses.map(|t| tm.arg(t, 1)).chain([cell]).collect();
        let cells: Vec<TermId> = cells.into_iter().rev().take(MAX_CELLS).collect();
        let formulas = [block.formula, view.encoding.initial];
        let mut solver = NativeSolver::default();
        formulas.iter().for_each(|&formula| solver.assert(tm, formula));
        stats.max("loops", loops.len() as u64);
        let results = block.results.iter().map(|(operation, &result)| (*operation, result)).collect();
        let (active, of_aggregates, told) = Default::default();
        Search {
            tm,
            view,
            solver,
            formulas,
            error,
            loops,
            cell,
            cells,
            results,
            active,
            of_aggregates,
            told,
            budget,
            stats,
        }
    }

    /// Whether nothing fails, whatever the loops leave behind within the ranges.
    fn is_proved_by_ranges(&mut self) -> Result<bool, Reason> {
        // Without assumptions the solver can simplify first.
        let mut solver = NativeSolver::default();
        self.formulas.iter().chain([&self.error]).for_each(|&formula| solver.assert(self.tm, formula));
        self.stats.add("solver calls", 1);
        match solver.check(self.tm, &[], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(reason.into()),
            Answer::Sat | Answer::Unknown(_) => Ok(false),
        }
    }

    /// What it means that each check fails.
    fn failures(&mut self, encoding: &FramedEncoding, checks: &OrderedMap<usize, Vec<EdgeId>>) -> Failures {
        let mut failures = Failures::default();
        for (&check, edges) in checks {
            let taken: Vec<TermId> =
                edges.iter().filter_map(|edge| encoding.block.edges.get(edge)).copied().collect();
            failures.insert(check, self.tm.or(&taken));
        }
        // Of a program without checks only the error is known.
        if failures.is_empty() {
            failures.insert(0, Terms::TRUE);
        }
        failures
    }

    /// The checks that may fail, as far as the guesses tell.
    fn possible(&mut self, checks: &Failures) -> Result<Failures, Reason> {
        let mut asked = checks.clone();
        let mut possible = Failures::default();
        for _ in 0..MAX_FAILURES {
            let fails: Vec<TermId> = asked.values().copied().collect();
            let fails = self.tm.or(&fails);
            match self.ask(&[self.error, fails]) {
                Answer::Unsat => return Ok(possible),
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                Answer::Unknown(_) => break,
                Answer::Sat => {}
            }
            let Some(model) = self.solver.model().cloned() else { break };
            let failing = |fails: TermId| self.tm.eval_bool(fails, &model) == Ok(true);
            let (failed, others): (Failures, Failures) =
                asked.into_iter().partition(|&(_, fails)| failing(fails));
            asked = others;
            if failed.is_empty() {
                break;
            }
            possible.extend(failed);
        }
        possible.extend(asked);
        Ok(possible)
    }

    /// Keeps the guesses that hold, and returns the checks that may fail in spite of them.
    fn reduced(&mut self, open: &Failures) -> Result<Failures, Reason> {
        if self.loops.iter().all(|cut| cut.guesses.is_empty()) {
            return Ok(open.clone());
        }
        // Where all guesses together are too few, it makes no difference which of them hold.
        let hopeless = self.possible(open)?;
        if hopeless.len() == open.len() {
            return Ok(hopeless);
        }
        self.reduce()?;
        let hopeful = open.iter().filter(|(check, _)| !hopeless.contains_key(*check));
        let hopeful: Failures = hopeful.map(|(&check, &fails)| (check, fails)).collect();
        let mut still = self.possible(&hopeful)?;
        still.extend(hopeless);
        Ok(still)
    }

    /// The guesses that are needed, at the heads.
    fn invariant(&mut self) -> Result<Invariant, Reason> {
        if !self.excludes(&[self.error])? {
            return Err(Reason::NoCandidate);
        }
        let needed = self.needed()?;
        let mut invariant = Invariant { frames: true, ..Invariant::default() };
        for (cut, needed) in self.loops.iter().zip(needed) {
            let needed = needed.iter().map(|&guess| &cut.guesses[guess]);
            let (of_cells, others): (Vec<&Guess>, Vec<&Guess>) =
                needed.partition(|guess| guess.assumed.is_none());
            let of_cells: Vec<TermId> = of_cells.iter().map(|guess| guess.formula).collect();
            let mut conjuncts: Vec<TermId> = others.iter().map(|guess| guess.formula).collect();
            if !of_cells.is_empty() {
                let body = self.tm.and(&of_cells);
                conjuncts.push(self.tm.forall(&[self.cell], body));
            }
            invariant.formulas.insert(cut.head, self.tm.and(&conjuncts));
        }
        Ok(invariant)
    }

    /// Guesses what may hold of that which loops change.
    fn guess(&mut self, framed: &FramedProgram) {
        let guessed = Guesses::new(self.tm, self.view, self.budget).guesses;
        let mut has_aggregates = false;
        for cut in &mut self.loops {
            let Some(id) = self.view.encoding.cuts.at(cut.head) else { continue };
            let Some(forgotten) = framed.forgotten.get(&cut.head) else { continue };
            let state = self.view.encoding.states[id].iter();
            let changed: Set<TermId> =
                state.filter(|part| forgotten.touches(part.var)).map(|part| part.current).collect();
            for &formula in &guessed[id] {
                let is_about_change = self.tm.free_consts(formula).iter().any(|part| changed.contains(part));
                if !is_about_change || cut.guesses.len() == MAX_GUESSES {
                    continue;
                }
                let guess = cut.guess(self.tm, formula);
                cut.guesses.push(Guess { assumed: Some(guess.at_head), ..guess });
            }
            let numbers = rounds::numbers(self.tm, self.view, id, forgotten);
            let mut of_numbers = aggregates::guesses(self.tm, self.view, id, forgotten, &numbers);
            has_aggregates |= !of_numbers.is_empty();
            of_numbers.extend(rounds::guesses(self.tm, self.view, id, &numbers));
            if self.view.program.next_address.is_some_and(|next| forgotten.touches(StateVar::Var(next))) {
                of_numbers.extend(objects::guesses(self.tm, self.view, id));
            }
            for formula in of_numbers {
                let guess = cut.guess(self.tm, formula);
                cut.guesses.push(Guess { assumed: Some(guess.at_head), ..guess });
            }
            for formula in memory::guesses(self.tm, self.view, id, forgotten, self.cell) {
                let guess = cut.guess(self.tm, formula);
                cut.guesses.push(guess);
            }
            self.stats.add("candidates", cut.guesses.len() as u64);
        }
        if !has_aggregates {
            return;
        }
        let guesses = self.loops.iter().flat_map(|cut| &cut.guesses);
        let said = guesses.flat_map(|guess| [guess.at_head, guess.arrived[0], guess.arrived[1]]);
        let said: Vec<TermId> = said.chain(self.formulas).collect();
        self.of_aggregates = Aggregates::default().facts(self.tm, &said);
        for fact in aggregates::equal_remainders(self.tm, &self.formulas) {
            self.solver.assert(self.tm, fact);
        }
    }

    fn ask(&mut self, also: &[TermId]) -> Answer {
        let mut assumptions = also.to_vec();
        let guesses = self.loops.iter().flat_map(|cut| &cut.guesses);
        assumptions.extend(guesses.filter_map(|guess| guess.assumed));
        let still = |(cut, formula): &(usize, TermId)| {
            self.loops[*cut].guesses.iter().any(|guess| guess.formula == *formula)
        };
        self.active.retain(|_, of| still(of));
        assumptions.extend(self.active.keys().copied());
        loop {
            self.stats.add("solver calls", 1);
            let answer = self.solver.check(self.tm, &assumptions, self.budget);
            let model = if answer == Answer::Sat { self.solver.model().cloned() } else { None };
            let Some(model) = model else { return answer };
            let activated = self.activate(&model);
            let is_told = activated.is_empty() && self.tell_of_aggregates(&model);
            if activated.is_empty() && !is_told && !self.compare_results(&model) {
                return answer;
            }
            assumptions.extend(activated);
        }
    }

    /// The same operation on the same operands has the same result: says so of those of which it is not so in a model.
    fn compare_results(&mut self, model: &Model) -> bool {
        let mut first: Map<(BinaryOp, Type, [Value; 2]), (usize, Value)> = Map::default();
        let mut facts = Vec::new();
        for (place, &(Operation { op, ty, operands: [a, b] }, result)) in self.results.iter().enumerate() {
            let value = |t: TermId| self.tm.eval(t, model);
            let (Ok(x), Ok(y), Ok(z)) = (value(a), value(b), value(result)) else { continue };
            let (other, same) = first.entry((op, ty, [x, y])).or_insert_with(|| (place, z.clone()));
            if *same != z {
                let (other, as_other) = self.results[*other];
                let alike = [self.tm.eq(a, other.operands[0]), self.tm.eq(b, other.operands[1])];
                let (alike, is_same) = (self.tm.and(&alike), self.tm.eq(result, as_other));
                facts.push(self.tm.implies(alike, is_same));
            }
        }
        facts.iter().for_each(|&fact| self.solver.assert(self.tm, fact));
        !facts.is_empty()
    }

    /// What guesses about every cell say of some, and the model contradicts.
    fn activate(&mut self, model: &Model) -> Vec<TermId> {
        let mut instances: OrderedMap<TermId, (usize, TermId)> = OrderedMap::default();
        for (cut, Cut { guesses, .. }) in self.loops.iter().enumerate() {
            for guess in guesses.iter().filter(|guess| guess.assumed.is_none()) {
                for &cell in &self.cells {
                    let mut at = Substitution::from_pairs([(self.cell, cell)]);
                    instances.insert(at.apply(self.tm, guess.at_head), (cut, guess.formula));
                }
            }
        }
        let all: Vec<TermId> = instances.keys().copied().collect();
        let holding = holding(self.tm, &all, model);
        let broken = (0..all.len()).filter(|place| !holding.contains(place)).map(|place| all[place]);
        let news: Vec<TermId> =
            broken.filter(|instance| !self.active.contains_key(instance)).take(MAX_ACTIVATED).collect();
        self.active.extend(news.iter().map(|instance| (*instance, instances[instance])));
        news
    }

    /// Tells the solver what the model gets wrong about aggregates; whether there was anything.
    fn tell_of_aggregates(&mut self, model: &Model) -> bool {
        let told = self.of_aggregates.wrong_in(self.tm, model, |fact| self.told.contains(&fact));
        told.iter().for_each(|&fact| self.solver.assert(self.tm, fact));
        // Guesses about every cell are of use where elements are taken out of aggregates, too.
        let reads = self.tm.postorder(&told).into_iter().filter(|&t| self.tm.op(t) == Op::Select);
        let cells: OrderedSet<TermId> = reads.map(|t| self.tm.arg(t, 1)).collect();
        let known: Set<TermId> = self.cells.iter().copied().collect();
        self.cells.extend(cells.into_iter().filter(|cell| !known.contains(cell)));
        self.told.extend(&told);
        !told.is_empty()
    }

    /// Whether the guesses exclude the formulas.
    fn excludes(&mut self, formulas: &[TermId]) -> Result<bool, Reason> {
        match self.ask(formulas) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Removes guesses until the rest holds wherever loops are arrived at.
    fn reduce(&mut self) -> Result<(), Reason> {
        loop {
            let mut is_weaker = false;
            for arrival in [0, 1] {
                for cut in 0..self.loops.len() {
                    while self.refute(cut, arrival)? {
                        is_weaker = true;
                    }
                }
            }
            if !is_weaker {
                return Ok(());
            }
        }
    }

    /// Removes the guesses that one more model contradicts where a loop is arrived at.
    fn refute(&mut self, cut: usize, arrival: usize) -> Result<bool, Reason> {
        self.budget.check()?;
        let Cut { guesses, arrivals, .. } = &self.loops[cut];
        let all: Vec<TermId> = guesses.iter().map(|guess| guess.arrived[arrival]).collect();
        let holds = self.tm.and(&all);
        let (broken, arrived) = (self.tm.not(holds), arrivals[arrival]);
        if self.tm.is_false(broken) || self.tm.is_false(arrived) {
            return Ok(false);
        }
        match self.ask(&[arrived, broken]) {
            Answer::Unsat => return Ok(false),
            Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(reason.into()),
            Answer::Sat => {}
            // Those of which it cannot be told whether they hold are dropped.
            Answer::Unknown(_) => {
                self.loops[cut].guesses.clear();
                return Ok(true);
            }
        }
        let model = self.solver.model().cloned();
        let holding = model.map(|model| holding(self.tm, &all, &model)).unwrap_or_default();
        let guesses = &mut self.loops[cut].guesses;
        if holding.len() == guesses.len() {
            guesses.clear();
        }
        let mut place = 0;
        guesses.retain(|_| {
            place += 1;
            holding.contains(&(place - 1))
        });
        Ok(true)
    }

    /// The guesses that exclude the error, and those from which they follow; the last question was about the error.
    fn needed(&mut self) -> Result<Vec<OrderedSet<usize>>, Reason> {
        let mut needed = vec![OrderedSet::default(); self.loops.len()];
        let mut pending = self.used();
        while let Some((cut, guess)) = pending.pop() {
            if !needed[cut].insert(guess) {
                continue;
            }
            for arrival in [0, 1] {
                let arrived = self.loops[cut].arrivals[arrival];
                let broken = self.tm.not(self.loops[cut].guesses[guess].arrived[arrival]);
                if self.tm.is_false(arrived) || self.tm.is_false(broken) {
                    continue;
                }
                if !self.excludes(&[arrived, broken])? {
                    return Err(Reason::NoCandidate);
                }
                pending.extend(self.used());
            }
        }
        Ok(needed)
    }

    /// The guesses that the last refutation used.
    fn used(&self) -> Vec<(usize, usize)> {
        let core: Set<TermId> = self.solver.core().iter().copied().collect();
        let mut used = Vec::new();
        for (cut, Cut { guesses, .. }) in self.loops.iter().enumerate() {
            let of_cells: Set<TermId> = (self.active.iter())
                .filter(|(instance, of)| of.0 == cut && core.contains(*instance))
                .map(|(_, of)| of.1)
                .collect();
            let is_used = |guess: &Guess| match guess.assumed {
                Some(assumed) => core.contains(&assumed),
                None => of_cells.contains(&guess.formula),
            };
            used.extend(
                (0..guesses.len()).filter(|&guess| is_used(&guesses[guess])).map(|guess| (cut, guess)),
            );
        }
        used
    }
}

/// The places of the formulas that hold in a model.
fn holding(tm: &Terms, formulas: &[TermId], model: &Model) -> Set<usize> {
    let values = tm.eval_all(formulas, model).unwrap_or_default();
    let holds = |formula: &TermId| match values.get(formula) {
        Some(value) => *value == Value::Bool(true),
        None => tm.eval_bool(*formula, model) == Ok(true),
    };
    (0..formulas.len()).filter(|&place| holds(&formulas[place])).collect()
}
