//! `craig smt`: an SMT-LIB 2 solver on files and pipes.

use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::{empty_folder, write_new};
use crate::cli::session::{Session, end_at_memory};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::report::source;
use crate::script::Script;
use craig_base::Budget;
use craig_term::smtlib::{self, CommandInput, Response};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// Execute an SMT-LIB 2 script: check-sat, models, cores, proofs, interpolants.
///
/// Responses go to standard output as the script asks for them, so a pipe works too. A command that
/// is wrong is answered by (error ...) and the script goes on; the exit code is then 65.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The script; standard input if there is none or it is `-`.
    file: Option<PathBuf>,
    /// For each `unsat`: the assertions as they were read, and a refutation of them in the Alethe format, which
    /// `carcara check --expand-let-bindings` takes. The folder is made, or is empty.
    #[arg(long, value_name = "DIR")]
    proof_smt: Option<PathBuf>,
    /// The limits hold for each command.
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    if common.json {
        return Err(Error::Usage("`smt` answers as SMT-LIB says, not in JSON".to_string()));
    }
    end_at_memory(&arguments.limits, ExitStatus::Success);
    let file = arguments.file.as_ref().filter(|file| file.as_os_str() != "-");
    match file {
        None => script(io::stdin().lock(), None, arguments, session),
        Some(path) => {
            let input = File::open(path).map_err(|error| Error::MissingInput(path.clone(), error))?;
            script(BufReader::with_capacity(1 << 18, input), Some(path), arguments, session)
        }
    }
}

fn script(
    input: impl BufRead,
    path: Option<&PathBuf>,
    arguments: &Arguments,
    session: &mut Session,
) -> Result<ExitStatus, Error> {
    let mut input = CommandInput::new(input);
    // The process ends with the script, which is sooner done than giving back term by term.
    let mut interpreter = ManuallyDrop::new(Script::default());
    let mut status = ExitStatus::Success;
    let folder = arguments.proof_smt.as_deref();
    folder.map_or(Ok(()), empty_folder)?;
    let mut refuted = 0;
    loop {
        let shown = || path.cloned().unwrap_or_else(|| PathBuf::from("standard input"));
        let Some(tree) = input.next_command().map_err(|error| Error::MissingInput(shown(), error))? else {
            return Ok(status);
        };
        let budget = Budget::unlimited()
            .with_timeout(arguments.limits.timeout)
            .with_memory_limit(arguments.limits.memory)
            .with_cancel(session.cancel.clone());
        let place = tree.as_ref().ok().map(|tree| tree.root().error(String::new()).position);
        match tree.and_then(|tree| interpreter.execute(&tree, &budget)) {
            Ok(Response::Success) if interpreter.prints_success() => writeln!(session.out, "success")?,
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => {
                writeln!(session.out, "{text}")?;
                if let Some(folder) = folder.filter(|_| text == "unsat") {
                    refuted += 1;
                    write_refutation(folder, refuted, &mut interpreter, &budget, session)?;
                }
            }
            Ok(Response::Unknown(reason)) => {
                writeln!(session.out, "unknown")?;
                session.note(reason);
            }
            Ok(Response::Unsupported) => writeln!(session.out, "unsupported")?,
            Ok(Response::Error(message)) => {
                let message = match place {
                    Some(place) => format!("line {} column {}: {message}", place.line, place.column),
                    None => message,
                };
                writeln!(session.out, "{}", response(&message))?;
            }
            Ok(Response::Exit) => {
                if interpreter.prints_success() {
                    writeln!(session.out, "success")?;
                }
                return Ok(status);
            }
            Err(error) => {
                writeln!(
                    session.out,
                    "{}",
                    response(&format!(
                        "line {} column {}: {}",
                        error.position.line, error.position.column, error.message
                    ))
                )?;
                session.note(with_source(path, &error));
                status = ExitStatus::BadInput;
            }
        }
        // Whoever is at the other end of a pipe waits for this before going on.
        session.out.flush()?;
        if session.cancel.is_cancelled() {
            return Ok(ExitStatus::Interrupted);
        }
    }
}

fn write_refutation(
    folder: &Path,
    number: usize,
    script: &mut Script,
    budget: &Budget,
    session: &Session,
) -> Result<(), Error> {
    let Some((text, proof)) = script.refuted(budget) else {
        session.note(format!("no proof for answer {number}"));
        return Ok(());
    };
    write_new(folder, &format!("{number:04}.smt2"), &text)?;
    write_new(folder, &format!("{number:04}.alethe"), &proof.text)?;
    if proof.holes > 0 {
        session.note(format!(
            "{number:04}.alethe has {} holes: steps for which Alethe has no rule",
            proof.holes
        ));
    }
    Ok(())
}

fn response(message: &str) -> String {
    format!("(error \"{}\")", message.replace('"', "\"\""))
}

/// The line of the file is shown too, if it can be read again.
fn with_source(path: Option<&PathBuf>, error: &smtlib::Error) -> String {
    let (name, text) = match path {
        Some(path) => (path.display().to_string(), fs::read_to_string(path).unwrap_or_default()),
        None => ("<stdin>".to_string(), String::new()),
    };
    source::render(&name, &text, error.position.line, error.position.column, &error.message)
}
