//! Bounded model checking with bits (Clarke, Kroening and Lerda, *A tool for checking ANSI-C programs*, 2004).
//!
//! The program is unwound into a circuit, with merged paths (`unwinder.rs`), and a SAT solver looks for inputs
//! that lead to an error within the bounds. If there are none, it looks for a run that the bounds cut off;
//! if there is none either, the program is safe, which the checker confirms by an unwinding of its own.
//! Otherwise the bounds grow.
//!
//! Everything is exact: integers are machine words, memory is bytes at the addresses of the program model, and a
//! model of the circuit is a run of the program.

mod arithmetic;
mod expressions;
mod feasible;
mod formulas;
pub mod induction;
mod inputs;
mod memory;
mod plan;
pub mod relations;
mod state;
mod statements;
mod under;
mod unwinder;
mod word;

use crate::reduced::{Reduced, common};
use crate::{Bit, Clauses};
use craig_base::{Budget, OrderedMap, Stats, StopReason};
use craig_exec::{Detail, Executable, Limits, Outcome as End, Test, replay};
use craig_program::{Arithmetic, LocId, ProcId, Program};
use craig_sat::{Lit, Outcome, Solver};
use feasible::Feasible;
use std::collections::BTreeSet;
use std::fmt;
use unwinder::{Bounds, Unwinder};

/// What the unwinding says about a program.
pub enum Answer {
    /// A run with these inputs reaches an error.
    Unsafe(Test),
    /// No run reaches an error, and none leaves these bounds.
    Safe(Reached),
    /// A model of the circuit is no run of the program: how the run ended.
    NotReplayed(String),
    Unknown(Unsupported),
}

/// How far a complete unwinding goes.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// How often each loop, named by its procedure and its head, is entered again.
    pub iterations: OrderedMap<(ProcId, LocId), u32>,
    /// How many calls of a procedure are active at once.
    pub depths: OrderedMap<ProcId, u32>,
    /// The bytes of the largest object whose size depends on inputs.
    pub largest: u64,
    /// Points, by their keys, that were left out as no run comes there.
    pub never: BTreeSet<Vec<u32>>,
}

/// Why a program cannot be unwound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    IdealIntegers,
    Floats,
    Allocation,
    ManyPlaces,
    TooLarge,
    Stopped(StopReason),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsupported::IdealIntegers => "unbounded integers have no bits",
            Unsupported::Floats => "this operation on floating-point numbers has no circuit",
            Unsupported::Allocation => "the address of an allocated object has too many values",
            Unsupported::ManyPlaces => "an address may point to too many places",
            Unsupported::TooLarge => "the unwinding is too large",
            Unsupported::Stopped(reason) => return reason.fmt(f),
        })
    }
}

/// What one unwinding shows.
enum Round {
    Done(Answer),
    /// Runs are cut off.
    Deeper,
    /// An address pointed elsewhere than its origin suggested.
    WithoutHints,
}

const FIRST_BOUND: u32 = 2;
const LAST_BOUND: u32 = 1 << 14;
/// Iterations that do not depend on inputs are cheap.
const FREE: u32 = 16;
/// Bytes of an object for each iteration.
const OBJECT: u64 = 8;

pub fn check(program: &Program, budget: &Budget, stats: &mut Stats) -> Answer {
    if program.arithmetic == Arithmetic::Ideal {
        return Answer::Unknown(Unsupported::IdealIntegers);
    }
    let mut bound = FIRST_BOUND;
    let mut trust_hints = true;
    while bound <= LAST_BOUND {
        stats.max("bound", u64::from(bound));
        let bounds = Bounds { decided: bound, free: FREE * bound, object: OBJECT * u64::from(bound) };
        match round(program, bounds, trust_hints, budget, stats) {
            Ok(Round::Done(answer)) => return answer,
            Ok(Round::Deeper) => bound *= 2,
            Ok(Round::WithoutHints) if trust_hints => trust_hints = false,
            Ok(Round::WithoutHints) => return Answer::Unknown(Unsupported::ManyPlaces),
            Err(why) => return Answer::Unknown(why),
        }
    }
    Answer::Unknown(Unsupported::TooLarge)
}

fn round(
    program: &Program,
    bounds: Bounds,
    trust_hints: bool,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Round, Unsupported> {
    let mut unwinder = Unwinder::new(program, bounds, trust_hints);
    unwinder.feasible = Some(Feasible::default());
    unwinder.run(budget)?;
    stats.max("gates", unwinder.circuit.len() as u64);
    let goals = unwinder.errors.iter().chain(&unwinder.escapes).chain(&unwinder.cuts);
    let common = common(&unwinder.circuit, goals.copied());
    let shared = !common.is_empty();
    let mut search = Search::new(&unwinder, common, budget);
    stats.max("gates that matter", search.reduced.circuit.len() as u64);
    let error = search.find(&unwinder.errors, true)?;
    stats.max("conflicts", search.solver.conflicts());
    if error {
        return Ok(Round::Done(search.answer(program)));
    }
    if search.find(&unwinder.escapes, false)? {
        return Ok(Round::WithoutHints);
    }
    let cut_off = search.find(&unwinder.cuts, true)?;
    stats.max("conflicts", search.solver.conflicts());
    if cut_off {
        return Ok(Round::Deeper);
    }
    // Runs that end early have iterations as well.
    let mut all = if shared { Search::new(&unwinder, Vec::new(), budget) } else { search };
    let (iterations, depths) = (all.iterations(), unwinder.depths.clone());
    let (largest, never) = (unwinder.largest, unwinder.never.clone());
    Ok(Round::Done(Answer::Safe(Reached { iterations, depths, largest, never })))
}

struct Search<'u, 'p> {
    unwinder: &'u Unwinder<'p>,
    reduced: Reduced<'u>,
    solver: Solver,
    clauses: Clauses,
    /// All addresses are as their origins suggest: elsewhere the circuit does not say what happens.
    as_guessed: Lit,
    budget: &'u Budget,
}

impl<'u, 'p> Search<'u, 'p> {
    /// Among runs in which these hold.
    fn new(unwinder: &'u Unwinder<'p>, mut constraints: Vec<Bit>, budget: &'u Budget) -> Self {
        constraints.extend_from_slice(&unwinder.constraints);
        let reduced = Reduced::new(&unwinder.circuit, constraints);
        let (mut solver, mut clauses) = (Solver::new(), Clauses::default());
        for &constraint in reduced.constraints.iter().chain(reduced.circuit.facts()) {
            clauses.demand(&reduced.circuit, &mut solver, constraint);
        }
        let as_guessed = solver.new_var().positive();
        for &escape in &unwinder.escapes {
            let lit = clauses.literal(&reduced.circuit, &mut solver, reduced.image(escape));
            solver.add_clause(&[!as_guessed, !lit]);
        }
        Search { unwinder, reduced, solver, clauses, as_guessed, budget }
    }

    /// Whether some run satisfies one of these.
    fn find(&mut self, goals: &[Bit], as_guessed: bool) -> Result<bool, Unsupported> {
        let images = goals.iter().map(|&goal| self.reduced.image(goal));
        let goals: Vec<Bit> = images.filter(|&goal| goal != Bit::FALSE).collect();
        if goals.is_empty() {
            return Ok(false);
        }
        let chosen = self.solver.new_var().positive();
        let mut clause: Vec<Lit> = vec![!chosen];
        for goal in goals {
            clause.push(self.clauses.literal(&self.reduced.circuit, &mut self.solver, goal));
        }
        self.solver.add_clause(&clause);
        let assumptions: Vec<Lit> =
            as_guessed.then_some(self.as_guessed).into_iter().chain([chosen]).collect();
        match self.solver.solve(&assumptions, self.budget) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Stopped(reason) => Err(Unsupported::Stopped(reason)),
        }
    }

    /// How often each loop is entered again in a run, as far as that can be told: what is checked is larger with every
    /// iteration, and bounds grow in large steps.
    fn iterations(&mut self) -> OrderedMap<(ProcId, LocId), u32> {
        let mut iterations = self.unwinder.iterations.clone();
        for (head, most) in &mut iterations {
            while *most > 0 {
                let last = self.unwinder.entered[head].iter().filter(|(iteration, _)| iteration == most);
                let guards: Vec<Bit> = last.map(|&(_, guard)| guard).collect();
                if guards.iter().any(|&guard| self.reduced.image(guard) == Bit::TRUE) {
                    break;
                }
                match self.find(&guards, true) {
                    Ok(true) => break,
                    Ok(false) => *most -= 1,
                    // The bounds as they are will do.
                    Err(_) => return iterations,
                }
            }
        }
        iterations
    }

    /// Runs the program with the inputs of the model.
    fn answer(&self, program: &Program) -> Answer {
        // The solver knows only the gates that it was asked about.
        let chosen = |input: Bit| self.clauses.known(input).is_some_and(|lit| self.solver.model(lit));
        let values = self.reduced.circuit.evaluate(chosen);
        let model = |bit: Bit| {
            let bit = self.reduced.image(bit);
            values[bit.gate()] != bit.is_negated()
        };
        let mut answers = self.unwinder.inputs.answers(program, &model);
        let limits = Limits { budget: self.budget.clone(), ..Limits::default() };
        let run = Executable::new(program, Detail::Outcome).run(&mut answers, &limits);
        let test = run.test(program);
        let fails = |outcome: &End| matches!(outcome, End::ReachedError(_));
        if fails(&run.outcome) && fails(&replay(program, &test, &limits).outcome) {
            return Answer::Unsafe(test);
        }
        Answer::NotReplayed(run.outcome.describe(program))
    }
}
