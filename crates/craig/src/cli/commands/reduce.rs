//! `craig reduce`: the smallest program for which a command still succeeds.

use crate::cli::arguments::{Common, Limits};
use crate::cli::bench::process::{self, End};
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::output;
use crate::reduce::{Interest, reduce};
use crate::report::json::Json;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Make a C file as small as possible while a command succeeds on it.
///
/// The command is run on ever smaller versions of FILE: `{}` among its arguments stands for the version, which keeps the
/// name of FILE but lies in a folder of its own; without `{}` it is the last argument. Exit code 0 means that what
/// you look for is still there. The result is printed, or written with --output; FILE itself is never
/// changed.
///
///   craig reduce crash.c -- sh -c 'craig check {} 2>&1 | grep -q "internal error"'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The file to begin with; anything but C is reduced by lines only.
    file: PathBuf,
    /// The command, and what it is given.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Where the result is written; by default it is printed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How long everything may take; then the best result so far counts.
    #[arg(long, value_name = "TIME", value_parser = crate::cli::units::parse_duration, default_value = "1h")]
    within: Duration,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    let text =
        fs::read(&arguments.file).map_err(|error| Error::MissingInput(arguments.file.clone(), error))?;
    let folder = Folder::new()?;
    let name = arguments.file.file_name().unwrap_or(arguments.file.as_os_str());
    let version = folder.0.join(name);
    let command = command(&arguments.command, &version);
    let ask = |candidate: &[u8]| -> Result<Interest, Error> {
        if start.elapsed() > arguments.within || session.cancel.is_cancelled() {
            return Ok(Interest::Enough);
        }
        fs::write(&version, candidate)?;
        let run = process::run(&command, &arguments.limits, &session.cancel)
            .map_err(|error| Error::Usage(format!("the command cannot be run: {error}")))?;
        Ok(match run {
            None => Interest::Enough,
            Some(run) if run.end == End::Exit(0) => Interest::Yes,
            Some(_) => Interest::No,
        })
    };
    if ask(&text)? != Interest::Yes {
        return Err(Error::Usage("the command does not succeed on the file as it is".to_string()));
    }
    let mut failure = None;
    let reduced = reduce(&text, &mut |candidate| {
        ask(candidate).unwrap_or_else(|error| {
            failure = Some(error);
            Interest::Enough
        })
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let (before, after) = (text.len(), reduced.text.len());
    let asked = reduced.asked;
    let unless = if reduced.finished { "" } else { "; there was no time for more" };
    session.note(format!("{before} bytes became {after}, after {asked} runs of the command{unless}"));
    match &arguments.output {
        Some(path) => output::write(path, &reduced.text)?,
        None if !common.json => session.out.write_all(&reduced.text)?,
        None => {}
    }
    if common.json {
        let object = Json::object([
            ("bytes", Json::Integer(before as i128)),
            ("reduced", Json::Integer(after as i128)),
            ("runs", Json::Integer(asked as i128)),
            ("finished", Json::Bool(reduced.finished)),
            ("text", Json::from(String::from_utf8_lossy(&reduced.text).into_owned())),
        ]);
        writeln!(session.out, "{object}")?;
    }
    Ok(ExitStatus::Success)
}

/// The command with the version in the place of `{}`, also within arguments, or at the end.
fn command(given: &[OsString], version: &Path) -> Vec<OsString> {
    let version = version.as_os_str();
    let mut found = false;
    let mut command = Vec::new();
    for word in given {
        match word.to_str() {
            Some(text) if text.contains("{}") => {
                found = true;
                command.push(text.replace("{}", &version.to_string_lossy()).into());
            }
            _ => command.push(word.clone()),
        }
    }
    if !found {
        command.push(version.to_os_string());
    }
    command
}

/// A folder that was not there before, and is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Error> {
        let base = std::env::temp_dir();
        let mut number = 0;
        loop {
            let path = base.join(format!("craig-reduce-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => {
                    number += 1
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
