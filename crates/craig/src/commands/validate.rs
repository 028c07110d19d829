//! `craig validate`: certificates that were saved before, or come from elsewhere.

use crate::arguments::{Common, Limits};
use crate::c_input::CInput;
use crate::report::json::Json;
use crate::report::source;
use crate::session::{Session, end_by};
use crate::{ExitStatus, Failure};
use craig_base::{Budget, Stopwatch};
use craig_certificate::{
    ProofKind, Rejection, SummaryRejection, UnwindingRejection, check_invariant, check_summaries,
    check_unwinding, read_invariant, read_summaries, read_unwinding,
};
use craig_engines::INLINE_LIMIT;
use craig_exec::{Limits as ExecLimits, Outcome, Test, replay};
use craig_program::{Program, inline};
use craig_term::Terms;
use std::fs;
use std::io::Write;

/// Check a proof or a test of `craig check` (--proof, --test) against the program.
///
/// The last FILE is the certificate, the others are the program, to be read with the same options.
/// Prints `valid: safe` or `valid: unsafe` (exit code 0), `invalid: REASON` (1), or `unknown: REASON`
/// (2). No engine takes part.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: CInput,
    #[command(flatten)]
    limits: Limits,
}

/// What the checkers say.
enum Judgement {
    /// The program is what the certificate says: `safe` or `unsafe`.
    Valid(&'static str),
    Invalid(String),
    Unknown(String),
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    let watch = Stopwatch::start();
    end_by(&arguments.limits, common.json, ExitStatus::Unknown);
    let mut input = arguments.input.clone();
    let path = match input.files.pop() {
        Some(path) if !input.files.is_empty() => path,
        _ => return Err(Failure::Usage("a program and, behind it, a certificate are needed".to_string())),
    };
    let text = fs::read_to_string(&path).map_err(|error| Failure::MissingInput(path.clone(), error))?;
    let program = input.load(session)?;
    let budget = Budget::unlimited()
        .with_timeout(arguments.limits.timeout.saturating_sub(watch.elapsed()))
        .with_memory_limit(arguments.limits.memory)
        .with_cancel(session.cancel.clone());
    let name = path.display().to_string();
    let judgement = match ProofKind::of(&text) {
        Some(ProofKind::Invariant) => invariant(&program, &name, &text, &budget)?,
        Some(ProofKind::Contracts) => contracts(&program, &name, &text, &budget)?,
        Some(ProofKind::Unwinding) => unwinding(&program, &name, &text, &budget)?,
        None => test(&program, &name, &text, &budget)?,
    };
    let (word, detail, status) = match &judgement {
        Judgement::Valid(verdict) => ("valid", *verdict, ExitStatus::Success),
        Judgement::Invalid(reason) => ("invalid", reason.as_str(), ExitStatus::Unsafe),
        Judgement::Unknown(reason) => ("unknown", reason.as_str(), ExitStatus::Unknown),
    };
    if common.json {
        let files = input.files.iter().map(|file| file.display().to_string());
        let object = Json::object([
            ("task", Json::array(files)),
            ("certificate", Json::from(name)),
            ("judgement", Json::from(word)),
            ("detail", Json::from(detail)),
            ("seconds", Json::from(watch.elapsed().as_secs_f64())),
        ]);
        writeln!(session.out, "{object}")?;
    } else {
        writeln!(session.out, "{word}: {detail}")?;
    }
    Ok(status)
}

fn invariant(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Failure> {
    let inlined = match inline(program, INLINE_LIMIT) {
        Ok(inlined) => inlined,
        Err(error) => return Ok(Judgement::Unknown(error.to_string())),
    };
    let mut terms = Terms::new();
    let proof =
        read_invariant(&mut terms, &inlined.program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(match check_invariant(&mut terms, &inlined.program, &proof, budget) {
        Ok(()) => Judgement::Valid("safe"),
        Err(rejection @ Rejection::Undecided { .. }) => undecided(rejection.to_string(), budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    })
}

fn contracts(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Failure> {
    let mut terms = Terms::new();
    let proof = read_summaries(&mut terms, program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(match check_summaries(&mut terms, program, &proof, budget) {
        Ok(()) => Judgement::Valid("safe"),
        Err(rejection @ SummaryRejection::Undecided { .. }) => undecided(rejection.to_string(), budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    })
}

fn unwinding(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Failure> {
    let proof = read_unwinding(program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(match check_unwinding(program, &proof, budget) {
        Ok(()) => Judgement::Valid("safe"),
        Err(UnwindingRejection::Undecided(why)) => undecided(why, budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    })
}

fn undecided(why: String, budget: &Budget) -> Judgement {
    Judgement::Unknown(budget.check().err().map_or(why, |reason| reason.to_string()))
}

fn malformed(name: &str, text: &str, error: &craig_term::smtlib::Error) -> Failure {
    let place = error.position;
    Failure::BadInput(source::render(name, text, place.line, place.column, &error.message))
}

fn test(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Failure> {
    let test = Test::parse(text).map_err(|error| {
        Failure::BadInput(source::render(name, text, error.line as u32, 1, &error.message))
    })?;
    let limits = ExecLimits { budget: budget.clone(), ..ExecLimits::default() };
    let run = replay(program, &test, &limits);
    Ok(match run.outcome {
        Outcome::ReachedError(_) => Judgement::Valid("unsafe"),
        Outcome::Stopped(reason) => Judgement::Unknown(reason.to_string()),
        outcome => {
            Judgement::Invalid(format!("the test does not reach the error: {}", outcome.describe(program)))
        }
    })
}
