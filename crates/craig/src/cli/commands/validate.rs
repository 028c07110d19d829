//! `craig validate`: certificates that were saved before, or come from elsewhere.

use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::{empty_folder, write_new};
use crate::cli::c_input::CInput;
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::report::json::Json;
use crate::validate::Judgement;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Check a proof or a test of `craig check` (--proof, --test) against the program.
///
/// The last FILE is the certificate, the others are the program, to be read with the same options.
/// Prints `valid: safe` or `valid: unsafe` (exit code 0), `invalid: REASON` (1), or `unknown: REASON`
/// (2). No engine takes part.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: CInput,
    /// Write what the proof rests on: see `craig check`.
    #[arg(long, value_name = "DIR")]
    proof_smt: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    end_by(&arguments.limits, common.json, ExitStatus::Unknown);
    let mut input = arguments.input.clone();
    let path = match input.files.pop() {
        Some(path) if !input.files.is_empty() => path,
        _ => return Err(Error::Usage("a program and, after it, a certificate are needed".to_string())),
    };
    let text = fs::read_to_string(&path).map_err(|error| Error::MissingInput(path.clone(), error))?;
    let loaded = input.load(session)?;
    let name = path.display().to_string();
    let limits = arguments.limits.of(session);
    let judgement = match &arguments.proof_smt {
        None => loaded.validate(&name, &text, &limits)?,
        Some(folder) => {
            empty_folder(folder)?;
            let mut write = |name: &str, text: &str| write_new(folder, name, text);
            loaded.export(&name, &text, &limits.budget(loaded.time), &mut write)?
        }
    };
    let (word, detail, status) = match &judgement {
        Judgement::Safe => ("valid", "safe", ExitStatus::Success),
        Judgement::Unsafe => ("valid", "unsafe", ExitStatus::Success),
        Judgement::Invalid(reason) => ("invalid", reason.as_str(), ExitStatus::Unsafe),
        Judgement::Unknown(reason) => ("unknown", reason.as_str(), ExitStatus::Unknown),
    };
    if common.json {
        let object = Json::object([
            ("task", Json::array(loaded.task.files.iter().map(|file| file.name.as_str()))),
            ("certificate", Json::from(name)),
            ("judgement", Json::from(word)),
            ("detail", Json::from(detail)),
            ("seconds", Json::from(start.elapsed().as_secs_f64())),
        ]);
        writeln!(session.out, "{object}")?;
    } else {
        writeln!(session.out, "{word}: {detail}")?;
    }
    Ok(status)
}
