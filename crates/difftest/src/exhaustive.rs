//! Answers of the engines against all runs of a program.
//!
//! A small program has inputs of type `_Bool` only, and few of them, so every run can be made. If one
//! reaches the error, the program is unsafe, else it is safe; no engine may say the opposite, not even
//! with a proof that the checker rejects. An engine may give up, and so may the checker.

use crate::generate::{self, Features};
use crate::measure::with_processor_time;
use crate::rng::Rng;
use craig_base::{Budget, Stats};
use craig_cfront::{load_texts, lower, types};
use craig_engines::cover::{self, Criterion, Goals, Status};
use craig_engines::portfolio::table::PROGRAM_ENGINES;
use craig_engines::search::lazy_annotation::{self, Learning};
use craig_engines::{Engine, Reason, Verdict, verify};
use craig_exec::{Coverage, Detail, Executable, Input, InputOracle, InputSite, Limits, Outcome, Run, Source};
use craig_program::{Arithmetic, IntType, Program, Type};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A small program. The same number always means the same one.
#[derive(Clone, Copy, Debug)]
pub struct SmallTask {
    pub seed: u64,
    pub model: types::DataModel,
    pub arithmetic: Arithmetic,
}

/// What is true of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    Safe,
    Unsafe,
}

/// How the engines fared on one program.
#[derive(Clone, Debug)]
pub struct Answers {
    pub truth: Truth,
    pub runs: usize,
    /// Answers that agree with the truth, and answers `unknown` with their reasons.
    pub correct: usize,
    pub unknown: Vec<String>,
    /// Branches that tests reach, and that are proved to be unreachable.
    pub reached: usize,
    pub dead: usize,
}

/// More runs than this are too many.
const MAX_RUNS: usize = 1 << 12;
pub(crate) const STEPS_PER_RUN: u64 = 20_000;

/// The engines that are asked: all that there are, each with its settings.
pub fn engines() -> impl Iterator<Item = (&'static str, Engine)> {
    PROGRAM_ENGINES.iter().map(|entry| (entry.name, (entry.engine)()))
}

impl SmallTask {
    /// The tasks of a session alternate between data models and treatments of overflow.
    pub fn numbered(seed: u64) -> SmallTask {
        let model = if seed.is_multiple_of(2) { types::DataModel::Lp64 } else { types::DataModel::Ilp32 };
        let arithmetic = if seed % 3 == 2 { Arithmetic::Wrap } else { Arithmetic::AssumeNoOverflow };
        SmallTask { seed, model, arithmetic }
    }

    pub fn source(&self) -> String {
        let text = generate::small::program(self.seed, Features { floats: self.seed % 8 == 5 });
        // What the preprocessor would do.
        let size_type = if self.model == types::DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
        text.replace("__SIZE_TYPE__", size_type)
    }

    pub fn load(&self) -> Result<Program, String> {
        let options = lower::Options { arithmetic: self.arithmetic, ..lower::Options::default() };
        let text = self.source().into_bytes();
        let loaded = load_texts(vec![("small.c".to_string(), text)], self.model, &options);
        loaded.program.ok_or_else(|| format!("refused: {}", loaded.diagnostics.render(&loaded.sources)))
    }

    /// Asks the engines, each for at most `time` of the processor. `Ok(None)` if the truth cannot be known, `Err` with what
    /// must never happen.
    pub fn compare(&self, time: Duration) -> Result<Option<Answers>, String> {
        let program = self.load()?;
        let Some((truth, runs)) = all_runs(&program) else { return Ok(None) };
        let (reached, dead) = check_cover(&program, time)?;
        let mut answers = Answers { truth, runs, correct: 0, unknown: Vec::new(), reached, dead };
        for (name, engine) in engines() {
            let ask = |budget: &Budget| verify(&program, engine, budget, &mut Stats::default());
            let asked = catch_unwind(AssertUnwindSafe(|| with_processor_time(time, ask)));
            let verdict = asked.map_err(|_| format!("{name} panics"))?;
            match (verdict, truth) {
                (Verdict::Safe(_), Truth::Safe) | (Verdict::Unsafe(_), Truth::Unsafe) => answers.correct += 1,
                (Verdict::Safe(_), Truth::Unsafe) => return Err(format!("{name} says safe: WRONG")),
                (Verdict::Unsafe(_), Truth::Safe) => return Err(format!("{name} says unsafe: WRONG")),
                (Verdict::Unknown(Reason::Rejected(why)), Truth::Unsafe) => {
                    return Err(format!("{name} says safe, and only the checker says otherwise: {why}"));
                }
                (Verdict::Unknown(reason @ Reason::Internal(_)), _) => {
                    return Err(format!("{name}: {reason}"));
                }
                (Verdict::Unknown(reason), _) => answers.unknown.push(format!("{name}: {reason}")),
            }
        }
        Ok(Some(answers))
    }
}

/// Whether the tests and proofs for all branches agree with all runs: what is called unreachable is reached by none, and
/// tests reach what they are said to. How many goals are reached, and how many cannot be.
pub fn check_cover(program: &Program, time: Duration) -> Result<(usize, usize), String> {
    let config = cover::Config {
        tests: Vec::new(),
        seed: 1,
        random_runs: 3,
        steps: STEPS_PER_RUN,
        lazy_annotation: Some(lazy_annotation::Config::new(Learning::Interpolants, false)),
        others: Vec::new(),
        workers: 1,
    };
    let goals = Goals::of(program, Criterion::Branches, |_| true);
    let report = with_processor_time(time, |budget| {
        cover::cover(program, goals, &config, budget, &mut Stats::default(), &|_, _| {})
    });
    let limits = Limits { steps: STEPS_PER_RUN, ..Limits::default() };
    let mut coverage = Coverage::new(program);
    each_run(program, |executable, oracle| executable.observe(oracle, &limits, &mut coverage));
    for goal in report.goals.reached(program, &coverage) {
        if report.status[goal] == Status::Dead {
            let span = report.goals.goals[goal].span;
            return Err(format!("line {}: called unreachable, but a run reaches it", span.line));
        }
    }
    let count = |wanted: fn(&Status) -> bool| report.status.iter().filter(|&status| wanted(status)).count();
    Ok((count(|status| matches!(status, Status::Covered(_))), count(|status| *status == Status::Dead)))
}

/// Makes every run; `None` if there are too many, or one has no end.
pub fn all_runs(program: &Program) -> Option<(Truth, usize)> {
    let limits = Limits { steps: STEPS_PER_RUN, ..Limits::default() };
    each_run(program, |executable, oracle| executable.run(oracle, &limits))
}

/// The same, by someone who looks at the runs.
pub fn each_run(
    program: &Program,
    mut make: impl FnMut(&Executable<'_>, &mut dyn InputOracle) -> Run,
) -> Option<(Truth, usize)> {
    let executable = Executable::new(program, Detail::Edges);
    // What the program does not depend on.
    let mut garbage = Rng::new(1);
    let mut chosen: Vec<i128> = Vec::new();
    let mut truth = Truth::Safe;
    for runs in 1..=MAX_RUNS {
        let mut given = chosen.iter();
        let mut oracle = |at: &InputSite| match domain(at) {
            Some(_) => Some(given.next().copied().unwrap_or(0)),
            None => Some(i128::from(garbage.next_u64())),
        };
        let run = make(&executable, &mut oracle);
        match run.outcome {
            Outcome::ReachedError(_) => truth = Truth::Unsafe,
            Outcome::Returned(_)
            | Outcome::Ended(_)
            | Outcome::AssumptionFailed(_)
            | Outcome::Undefined(..) => {}
            Outcome::NoInput(_) | Outcome::StepLimit | Outcome::DepthLimit(_) | Outcome::Stopped(_) => {
                return None;
            }
        }
        match next_choice(&run.inputs) {
            Some(next) => chosen = next,
            None => return Some((truth, runs)),
        }
    }
    None
}

/// How many values an input has, if it is one that matters.
fn domain(at: &InputSite) -> Option<i128> {
    match at.source {
        Source::Choice { alternatives } => Some(i128::from(alternatives)),
        Source::Statement if matches!(at.ty, Type::Bool | Type::Int(IntType::BOOL)) => Some(2),
        _ => None,
    }
}

/// The inputs that matter, counted up by one in lexicographic order.
fn next_choice(inputs: &[Input]) -> Option<Vec<i128>> {
    let mut choice: Vec<(i128, i128)> =
        inputs.iter().filter_map(|input| domain(&input.at).map(|values| (input.value, values))).collect();
    while let Some((value, values)) = choice.pop() {
        if value + 1 < values {
            choice.push((value + 1, values));
            return Some(choice.into_iter().map(|(value, _)| value).collect());
        }
    }
    None
}
