//! `craig validate`: certificates that were saved before, or come from elsewhere.

use crate::check::Options;
use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::{empty_folder, write_new};
use crate::cli::c_input::CInput;
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::report::json::Json;
use crate::task::Loaded;
use crate::validate::Judgement;
use crate::witness::{Confirmation, confirm};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Check a proof or a test of `craig check` (--proof, --test), or a witness of any verifier, against the program.
///
/// The last FILE is the certificate, the others are the program, to be read with the same options.
/// Prints `valid: safe` or `valid: unsafe` (exit code 0), `invalid: REASON` (1), or `unknown: REASON`
/// (2). No engine takes part.
///
/// With --witness, all FILEs are the program. Prints `confirmed: safe` or `confirmed: unsafe` (exit code 0),
/// `refuted: REASON` (1), or `unknown: REASON` (2). Engines look for the proof or the run that the witness speaks of.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: CInput,
    /// A verification witness, format 2.x. Where no check and no data model is named, those of the witness are meant.
    #[arg(long, value_name = "FILE", conflicts_with = "proof_smt")]
    witness: Option<PathBuf>,
    /// Write what the proof rests on: see `craig check`.
    #[arg(long, value_name = "DIR")]
    proof_smt: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Unknown, session);
    let mut input = arguments.input.clone();
    let path = match &arguments.witness {
        Some(path) => path.clone(),
        None => match input.files.pop() {
            Some(path) if !input.files.is_empty() => path,
            _ => return Err(Error::Usage("a program and, after it, a certificate are needed".to_string())),
        },
    };
    let text = fs::read_to_string(&path).map_err(|error| Error::MissingInput(path.clone(), error))?;
    let name = path.display().to_string();
    let limits = arguments.limits.of(session);
    let (word, detail, status) = if arguments.witness.is_some() {
        let options = Options { seed: common.seed, limits, ..Options::default() };
        let report = confirm(&input.source(), &name, &text, &options)?;
        report.warnings.iter().for_each(|warning| session.warn(warning));
        match report.answer {
            Confirmation::Confirmed(verdict) => {
                ("confirmed", verdict.word().to_string(), ExitStatus::Success)
            }
            Confirmation::Refuted(reason) => ("refuted", reason, ExitStatus::Unsafe),
            Confirmation::Unknown(reason) => ("unknown", reason, ExitStatus::Unknown),
        }
    } else {
        let loaded = input.load(session)?;
        match judge(&loaded, &name, &text, arguments.proof_smt.as_deref(), &limits)? {
            Judgement::Safe => ("valid", "safe".to_string(), ExitStatus::Success),
            Judgement::Unsafe => ("valid", "unsafe".to_string(), ExitStatus::Success),
            Judgement::Invalid(reason) => ("invalid", reason, ExitStatus::Unsafe),
            Judgement::Unknown(reason) => ("unknown", reason, ExitStatus::Unknown),
        }
    };
    last_word.take();
    if common.json {
        let object = Json::object([
            ("task", Json::array(input.files.iter().map(|file| file.display().to_string()))),
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

fn judge(
    loaded: &Loaded,
    name: &str,
    certificate: &str,
    scripts: Option<&Path>,
    limits: &crate::Limits,
) -> Result<Judgement, Error> {
    let Some(folder) = scripts else { return loaded.validate(name, certificate, limits) };
    empty_folder(folder)?;
    let mut write = |name: &str, text: &str| write_new(folder, name, text);
    loaded.export(name, certificate, &limits.budget(loaded.time), &mut write)
}
