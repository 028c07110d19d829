//! Random testing: cheap, and the first thing to try. A run that reaches the error is its own proof, and so
//! is a run in which no input decides anything: it is the only one.

use crate::path::reached_error;
use crate::verdict::Reason;
use crate::verify::{Proof, Verdict};
use craig_base::{Budget, Stats};
use craig_exec::{
    Detail, Executable, Limits, Outcome, RandomOracle, Site, Test, Undefined, only_outcome, replay,
};
use craig_program::{CheckKind, Program};

/// How many runs are tried, and how long one may be, as long as none is longer.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub seed: u64,
    pub runs: u64,
    pub steps: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { seed: 0, runs: 2_000, steps: 2_000_000 }
    }
}

/// So many runs that an assumption ends, mostly soon, count as one.
const WEIGHT: u64 = 10;

/// How many times longer a run may become when others were cut off.
const LONGER: u64 = 32;

/// What the integers of a run are like: where zeros are among them, or that they are a text.
#[derive(Clone, Copy)]
enum Shape {
    ByChance,
    /// So many of eight at least.
    Often(u64),
    /// All after the first ones, of which there are more in later runs.
    AfterFirst,
    /// Characters of one kind, one after the other.
    Text,
}

/// For one run after the other: most leave it to chance.
const SHAPES: [Shape; 14] = {
    use Shape::{AfterFirst, ByChance, Often, Text};
    [
        ByChance,
        ByChance,
        Often(8),
        AfterFirst,
        ByChance,
        Often(6),
        ByChance,
        ByChance,
        Often(4),
        ByChance,
        ByChance,
        Often(2),
        Text,
        Text,
    ]
};

/// How many of eight truth values are true, besides those that are so by chance, in one run after the other. Most of
/// them say whether an allocation succeeds: by chance alone, structures of more than a few objects are never built.
const TRUES: [u64; 3] = [0, 8, 7];

/// Prepares the inputs of a run.
fn begin(oracle: &mut RandomOracle, seed: u64, number: u64) {
    let cycle = SHAPES.len() as u64;
    let shape = SHAPES[(number % cycle) as usize];
    oracle.reseed(seed);
    oracle.prefer_true(TRUES[(number % TRUES.len() as u64) as usize]);
    oracle.prefer_zero(if let Shape::Often(of_eight) = shape { of_eight } else { 0 });
    oracle.zero_after(matches!(shape, Shape::AfterFirst).then_some(1 + number / cycle));
    oracle.write_text(matches!(shape, Shape::Text).then_some(2 * (number / cycle) + number % 2));
}

/// The seed of one of several runs: no two of them, for whatever seed, are the same.
pub(crate) fn seed_of_run(seed: u64, runs: u64, number: u64) -> u64 {
    seed.wrapping_mul(runs).wrapping_add(number)
}

/// Runs the program with random inputs until one run reaches the error.
pub fn check(program: &Program, config: Config, budget: &Budget, stats: &mut Stats) -> Verdict {
    let executable = Executable::new(program, Detail::Outcome);
    if let Some(verdict) = without_inputs(program, budget) {
        return verdict;
    }
    if is_closed(program, budget) {
        return Verdict::Safe(Box::new(Proof::Run));
    }
    let mut limits = Limits { steps: config.steps, budget: budget.clone(), ..Limits::default() };
    let mut oracle = RandomOracle::new(program, 0);
    let (mut number, mut spent) = (0, 0);
    while spent < config.runs.saturating_mul(WEIGHT) {
        if let Err(reason) = budget.check() {
            return Verdict::Unknown(Reason::Stopped(reason));
        }
        stats.add("tests", 1);
        begin(&mut oracle, seed_of_run(config.seed, config.runs.saturating_mul(WEIGHT), number), number);
        number += 1;
        let run = executable.run(&mut oracle, &limits);
        spent += match run.outcome {
            Outcome::AssumptionFailed(_) | Outcome::Ended(_) => 1,
            _ => WEIGHT,
        };
        let test = if reached_error(&run) { Some(run.test(program)) } else { run.tracking_misused(program) };
        if let Some(test) = test
            && reached_error(&replay(program, &test, &limits))
        {
            return Verdict::Unsafe(test);
        }
        if run.outcome == Outcome::StepLimit {
            // What comes after long loops is met by longer runs only.
            limits.steps = limits.steps.saturating_mul(2).min(config.steps.saturating_mul(LONGER));
        }
    }
    Verdict::Unknown(Reason::RunsEnded)
}

/// How many runs look whether regions split memory, and how long they are.
const REGION_RUNS: u64 = 8;
const REGION_STEPS: u64 = 4_000;

/// An access in some run that the split of memory into regions does not allow: a defect of the front end, which
/// makes every answer worthless.
pub(crate) fn region_violation(program: &Program, budget: &Budget) -> Option<String> {
    if program.regions.len() < 2 {
        return None;
    }
    let executable = Executable::new(program, Detail::Outcome).checking_regions();
    let limits = Limits { steps: REGION_STEPS, budget: budget.clone(), ..Limits::default() };
    let mut oracle = RandomOracle::new(program, 0);
    oracle.without_strays();
    for number in 0..REGION_RUNS {
        oracle.reseed(number);
        let run = executable.run(&mut oracle, &limits);
        if let Some(violation) = run.region_violations.first() {
            return Some(violation.describe(program));
        }
    }
    None
}

/// How many runs look whether anything is defined, and how long they are.
const DEFINED_RUNS: u64 = 24;
const DEFINED_STEPS: u64 = 20_000;

/// How some runs end, one after the other.
fn some_outcomes(program: &Program, budget: &Budget) -> impl Iterator<Item = Outcome> {
    let executable = Executable::new(program, Detail::Outcome);
    let limits = Limits { steps: DEFINED_STEPS, budget: budget.clone(), ..Limits::default() };
    let mut oracle = RandomOracle::new(program, 0);
    (0..DEFINED_RUNS).map(move |number| {
        begin(&mut oracle, number, number);
        executable.run(&mut oracle, &limits).outcome
    })
}

/// The invalid access, or the want of addresses, in which all of some runs end, if they do: then that there is no failing
/// run says nothing.
pub(crate) fn undefined_everywhere(program: &Program, budget: &Budget) -> Option<String> {
    let mut undefined = None;
    for outcome in some_outcomes(program, budget) {
        match outcome {
            Outcome::Undefined(
                Undefined::InvalidRead { .. }
                | Undefined::InvalidWrite { .. }
                | Undefined::InvalidFree { .. }
                | Undefined::OutOfAddresses,
                _,
            ) => undefined = Some(outcome.describe(program)),
            Outcome::AssumptionFailed(_) | Outcome::Undefined(..) => {}
            Outcome::Ended(_) => {
                outcome.broken(program).filter(|broken| broken.kind == CheckKind::Memory)?;
                undefined = Some(outcome.describe(program));
            }
            _ => return None,
        }
    }
    undefined
}

/// Whether some run goes on to its end, or as long as it may, with nothing undefined and all that is assumed.
pub fn goes_on(program: &Program, budget: &Budget) -> bool {
    some_outcomes(program, budget).any(|outcome| match outcome {
        Outcome::AssumptionFailed(_) | Outcome::Undefined(..) => false,
        Outcome::Ended(site) => !is_cut(program, site),
        _ => true,
    })
}

/// Whether the run ended there because something does not hold that must, or is assumed.
fn is_cut(program: &Program, site: Site) -> bool {
    let proc = &program.procs[site.proc];
    proc.is_cut(proc.edges.get(site.edge).map_or(proc.entry, |edge| edge.to))
}

/// What comes of the test without inputs, if that is a run to an end: there is no other.
fn without_inputs(program: &Program, budget: &Budget) -> Option<Verdict> {
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    let run = replay(program, &Test::new(program, &[]), &limits);
    match run.outcome {
        Outcome::Returned(_) | Outcome::Ended(_) | Outcome::AssumptionFailed(_) => {
            Some(Verdict::Safe(Box::new(Proof::Run)))
        }
        Outcome::ReachedError(_) if reached_error(&run) => Some(Verdict::Unsafe(run.test(program))),
        Outcome::Stopped(reason) => Some(Verdict::Unknown(Reason::Stopped(reason))),
        _ => None,
    }
}

/// Whether the program has only one run, which ends without the error. Half of the time is for finding out.
fn is_closed(program: &Program, budget: &Budget) -> bool {
    let half = budget.remaining().map_or(budget.clone(), |time| budget.clone().with_timeout(time / 2));
    let limits = Limits { budget: half, ..Limits::default() };
    matches!(
        only_outcome(program, &limits),
        Outcome::Returned(_) | Outcome::Ended(_) | Outcome::AssumptionFailed(_)
    )
}
