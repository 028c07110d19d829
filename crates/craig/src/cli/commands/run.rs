//! `craig run`: concrete execution.

use crate::adopt::{self, Recorded};
use crate::cli::arguments::{Common, Limits};
use crate::cli::c_input::CInput;
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::output;
use crate::report::json::Json;
use crate::report::run::steps;
use craig_exec::{Detail, Executable, InputOracle, ListOracle, Outcome, RandomOracle, Run, Test};
use craig_program::Program;
use std::io::Write;
use std::path::PathBuf;

/// Run a C program, with the inputs of a test or with random ones.
///
/// Prints how the run ended. Exits with 0 if the program came to its end, with 1 if it reached an
/// error, and with 2 otherwise.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub program: CInput,
    /// Take the inputs from this test, in any format that `craig test --tests` takes; without it they are random, from
    /// --seed.
    #[arg(long, value_name = "FILE")]
    pub inputs: Option<PathBuf>,
    /// Write the inputs of the run to this file, for --inputs.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Statements to execute at most.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub steps: u64,
    /// Print every step and what it changed.
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Unknown, session);
    let recorded = arguments.inputs.as_deref().map(adopt::read).transpose()?;
    let loaded = arguments.program.load_without_errors(session)?;
    let program = loaded.program;
    let budget = arguments.limits.of(session).budget(loaded.time);
    let limits = craig_exec::Limits { steps: arguments.steps, budget, ..craig_exec::Limits::default() };
    let test = recorded.map(|recorded| match recorded {
        Recorded::Inputs(test) => test,
        foreign => adopt::adopted(&program, &foreign, &limits),
    });
    let values = test.as_ref().map(Test::values);
    let mut oracle: Box<dyn InputOracle + '_> = match &values {
        Some(values) => Box::new(ListOracle::new(values)),
        None => Box::new(RandomOracle::new(&program, common.seed)),
    };
    let run = Executable::new(&program, Detail::Outcome).run(oracle.as_mut(), &limits);
    last_word.take();
    if arguments.trace && !common.json {
        for step in steps(&program, &run.test(&program), &limits) {
            let at = &step.location;
            let indent = "  ".repeat(step.depth.saturating_sub(1).min(20));
            writeln!(session.out, "{}:{}: {indent}{}", at.file, at.line, step.event)?;
        }
    }
    if let Some(path) = &arguments.save {
        output::write(path, run.test(&program).to_string())?;
    }
    if common.json {
        writeln!(session.out, "{}", as_json(&program, &run))?;
    } else {
        write!(session.out, "{}", as_text(&program, &run))?;
    }
    Ok(status(&program, &run.outcome))
}

fn status(program: &Program, outcome: &Outcome) -> ExitStatus {
    match outcome {
        _ if outcome.undefined(program).is_some() => ExitStatus::Unknown,
        Outcome::Returned(_) | Outcome::Ended(_) => ExitStatus::Success,
        Outcome::ReachedError(_) => ExitStatus::Unsafe,
        _ => ExitStatus::Unknown,
    }
}

fn as_text(program: &Program, run: &Run) -> String {
    format!("{}\n{} statements, {} inputs\n", run.outcome.describe(program), run.steps, run.inputs.len())
}

fn as_json(program: &Program, run: &Run) -> Json {
    let kind = match run.outcome {
        outcome if outcome.undefined(program).is_some() => "undefined",
        Outcome::ReachedError(_) => "error",
        Outcome::Returned(_) => "returned",
        Outcome::Ended(_) => "ended",
        Outcome::AssumptionFailed(_) => "assumption-failed",
        Outcome::Undefined(..) => "undefined",
        Outcome::NoInput(_) => "no-input",
        Outcome::StepLimit => "step-limit",
        Outcome::DepthLimit(_) => "depth-limit",
        Outcome::Stopped(_) => "stopped",
    };
    let value = match run.outcome {
        Outcome::Returned(Some(value)) => Json::from(value.to_string()),
        _ => Json::Null,
    };
    let test = run.test(program);
    let inputs = test.inputs.iter().map(|input| {
        Json::object([
            ("type", Json::from(input.ty.to_string())),
            ("value", Json::from(craig_exec::show_value(input.ty, input.value))),
            ("site", Json::from(input.site.clone())),
        ])
    });
    Json::object([
        ("outcome", Json::from(kind)),
        ("description", Json::from(run.outcome.describe(program))),
        ("value", value),
        ("steps", Json::from(run.steps)),
        ("inputs", Json::array(inputs)),
    ])
}
