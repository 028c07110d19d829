//! The files that `craig check` leaves on request.

use crate::c_input::CInput;
use crate::report::outcome::Outcome;
use crate::report::sarif::{self, Finding, Level, Rule};
use crate::report::sha256::sha256;
use crate::report::time::iso8601;
use crate::report::witness::{self, Invariant, InvariantKind, Task, Waypoint, WaypointKind};
use crate::report::{Location, safety::report_location};
use crate::{Failure, harness};
use craig_certificate::{write_invariant, write_summaries, write_unwinding};
use craig_engines::{Proof, Verdict};
use craig_exec::{Limits, Outcome as End, Source, Test, replay, show_value};
use craig_program::{InputSource, Program, Stmt, Type};
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

/// Which files to write.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Files to write")]
pub struct Artifacts {
    /// For `safe`: the proof, for `craig validate`.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// For `unsafe`: the test that reaches the error, for `craig validate` and `craig run --inputs`.
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// For `unsafe`: a C program with all inputs fixed, which reaches the error when compiled and run.
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,
    /// A verification witness, format 2.0.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// What was found, as SARIF 2.1.0.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}

impl Artifacts {
    /// Writes them; returns what a user should know.
    pub fn write(
        &self,
        input: &CInput,
        program: &Program,
        verdict: &Verdict,
        outcome: &Outcome,
        limits: &Limits,
    ) -> Result<Vec<String>, Failure> {
        let mut notes = Vec::new();
        match verdict {
            Verdict::Safe(proof) => {
                if let Some(path) = &self.proof {
                    let text = match &**proof {
                        Proof::Invariant { terms, inlined, invariant } => {
                            write_invariant(terms, &inlined.program, invariant)
                        }
                        Proof::Summaries { terms, summaries } => write_summaries(terms, program, summaries),
                        Proof::Unwinding(unwinding) => write_unwinding(program, unwinding),
                    };
                    fs::write(path, text)?;
                }
                if let Some(path) = &self.witness {
                    fs::write(path, witness::correctness(&task(input, program), &invariants(outcome)))?;
                }
            }
            Verdict::Unsafe(test) => {
                if let Some(path) = &self.test {
                    fs::write(path, test.to_string())?;
                }
                if let Some(path) = &self.harness {
                    match input.fixed(&harness::inputs(program, test, limits)) {
                        Ok(text) => fs::write(path, text)?,
                        Err(unsupported) => notes.push(format!("no harness: {}", unsupported.0)),
                    }
                }
                if let Some(path) = &self.witness {
                    let waypoints = waypoints(program, test, limits);
                    fs::write(path, witness::violation(&task(input, program), &waypoints))?;
                }
            }
            Verdict::Unknown(_) => {}
        }
        if let Some(path) = &self.sarif {
            fs::write(path, sarif::sarif(&findings(outcome)).pretty())?;
        }
        Ok(notes)
    }
}

fn task(input: &CInput, program: &Program) -> Task {
    let hash = |path: &PathBuf| fs::read(path).map_or_else(|_| String::new(), |text| sha256(&text));
    Task {
        files: input.files.iter().map(|path| (path.display().to_string(), hash(path))).collect(),
        specification: format!(
            "CHECK( init({}()), LTL(G ! call(reach_error())) )",
            input.entry.as_deref().unwrap_or("main")
        ),
        pointer_bits: program.data_model.pointer_bits(),
        creation_time: iso8601(SystemTime::now()),
        command_line: None,
    }
}

/// Those that C can say: no memory regions, no temporaries.
fn invariants(outcome: &Outcome) -> Vec<Invariant> {
    let is_c = |expression: &str| {
        !expression.starts_with("(a formula")
            && !expression.contains("\\at(")
            && !expression.contains("store(")
            && !expression.contains(" .")
            && !expression.starts_with('.')
    };
    outcome
        .invariants
        .iter()
        .filter(|invariant| is_c(&invariant.expression))
        .map(|invariant| Invariant {
            kind: InvariantKind::Loop,
            location: invariant.location.clone(),
            value: invariant.expression.clone(),
        })
        .collect()
}

/// What functions returned, and the error.
fn waypoints(program: &Program, test: &Test, limits: &Limits) -> Vec<Waypoint> {
    let run = replay(program, test, limits);
    let mut waypoints = Vec::new();
    for input in run.inputs.iter().filter(|input| input.at.source == Source::Statement) {
        let edge = &program.procs[input.at.site.proc].edges[input.at.site.edge];
        let is_number = matches!(input.at.ty, Type::Int(_) | Type::Float(_));
        if matches!(&edge.stmt, Stmt::Input(_, InputSource::Call(_))) && is_number {
            // The format means the closing parenthesis of the call, which is not known: the line is.
            let location = Location { column: None, ..report_location(program, edge.span) };
            let value = format!("\\result == {}", show_value(input.at.ty, input.value));
            waypoints.push(Waypoint { kind: WaypointKind::FunctionReturn(value), location });
        }
    }
    if let End::ReachedError(site) = run.outcome {
        let location = report_location(program, site.span(program));
        waypoints.push(Waypoint { kind: WaypointKind::Target, location });
    }
    waypoints
}

fn findings(outcome: &Outcome) -> Vec<Finding> {
    let place = |location: Option<&Location>| {
        location.cloned().unwrap_or_else(|| Location {
            file: outcome.task.first().cloned().unwrap_or_default(),
            line: 1,
            column: None,
            function: None,
        })
    };
    match (outcome.answer.reason(), outcome.trace.last()) {
        (Some(reason), _) => vec![Finding {
            rule: Rule::Unknown,
            level: Level::Note,
            message: reason.to_string(),
            location: place(None),
            trace: Vec::new(),
        }],
        (None, Some(last)) => vec![Finding {
            rule: Rule::ErrorReachable,
            level: Level::Error,
            message: "The error can be reached.".to_string(),
            location: place(Some(&last.location)),
            trace: outcome.trace.clone(),
        }],
        (None, None) => Vec::new(),
    }
}
