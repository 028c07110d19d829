//! `--cache DIR`: answers, kept by what was asked.
//!
//! A question is a program with its checks, as engines see it, without places: the same function at another line, or
//! next to another one, is the same question. A file holds the answer to one; its first line is the hash of the rest,
//! which begins with the version of Craig. What is damaged, or was written by another version or user, is not there. An answer
//! with checks that stayed open counts only for whoever has no more time than was spent on it. A failing test is run
//! again before it is believed.

use crate::check::{Report, Verdict};
use crate::output;
use crate::report::json::Json;
use crate::report::sha256::sha256;
use crate::vacuity::unknown_requirements;
use craig_engines::Reason;
use craig_engines::path::reached_error;
use craig_exec::{Test, replay};
use craig_program::{Program, Span};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

/// What is known of the checks of a program, one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub verdict: Verdict,
    pub checks: Vec<(Verdict, Option<Test>)>,
    /// Whether it is open if there are arguments that meet the requirements.
    pub has_unknown_requirements: bool,
}

/// The answer to the question, if it was given before, by a search that could take as long as this one.
pub fn recall(folder: &Path, program: &Program, timeout: Option<Duration>) -> Option<Known> {
    let file = file_of(folder, program);
    let text = fs::read_to_string(&file).ok().filter(|_| is_own(&file))?;
    let (hash, rest) = text.split_once('\n')?;
    if hash != sha256(rest.as_bytes()) {
        return None;
    }
    let json = Json::parse(rest.strip_prefix(&version())?).ok()?;
    let verdict_of = |json: &Json| {
        Some(match json.get("verdict")?.as_str()? {
            "safe" => Verdict::Safe,
            "unsafe" => Verdict::Unsafe,
            _ => Verdict::Unknown(Reason::Recalled(json.get("reason")?.as_str()?.to_string())),
        })
    };
    let Some(Json::Array(entries)) = json.get("checks") else { return None };
    let mut checks = Vec::new();
    for entry in entries {
        let test = match entry.get("test").and_then(Json::as_str) {
            Some(text) => Some(Test::parse(text).ok()?),
            None => None,
        };
        checks.push((verdict_of(entry)?, test));
    }
    let has_unknown_requirements = json.get("unknown_requirements") == Some(&Json::Bool(true));
    let known = Known { verdict: verdict_of(&json)?, checks, has_unknown_requirements };
    let spent = json.get("timeout").and_then(Json::as_f64);
    let is_open = known.checks.iter().any(|(verdict, _)| matches!(verdict, Verdict::Unknown(_)));
    let had_as_long = match (spent, timeout) {
        (None, _) => true,
        (Some(spent), Some(timeout)) => timeout.as_secs_f64() <= spent,
        (Some(_), None) => false,
    };
    let tests = known.checks.iter().filter_map(|(_, test)| test.as_ref());
    let fails = |test: &Test| reached_error(&replay(program, test, &craig_exec::Limits::default()));
    let fits = known.checks.len() == program.checks.len() && (!is_open || had_as_long);
    (fits && tests.into_iter().all(fails)).then_some(known)
}

/// Keeps the answer of a search that could take so long.
pub fn store(folder: &Path, program: &Program, report: &Report, timeout: Option<Duration>) -> io::Result<()> {
    let answer = |verdict: &Verdict| {
        let reason = verdict.reason().map_or(Json::Null, |reason| Json::from(reason.to_string()));
        vec![("verdict", Json::from(verdict.word())), ("reason", reason)]
    };
    let checks = report.checks.iter().map(|check| {
        let mut members = answer(&check.verdict);
        members.extend(check.test.as_ref().map(|test| ("test", Json::from(test.to_string()))));
        Json::object(members)
    });
    let mut members = answer(&report.verdict);
    members.push(("checks", Json::array(checks)));
    members.push(("unknown_requirements", report.warnings.contains(&unknown_requirements()).into()));
    members.extend(timeout.map(|timeout| ("timeout", Json::from(timeout.as_secs_f64()))));
    let rest = version() + &Json::object(members).to_string();
    fs::create_dir_all(folder)?;
    output::write(&file_of(folder, program), format!("{}\n{rest}", sha256(rest.as_bytes())))
}

/// Whether the file belongs to whoever runs this: what another user wrote is not believed.
#[cfg(unix)]
fn is_own(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| fs::symlink_metadata(path).ok().map(|metadata| metadata.uid());
    // The system shows a process as a folder of its user; where it does not, no other user is assumed.
    fs::metadata("/proc/self").map_or(true, |own| owner(file) == Some(own.uid()))
}

#[cfg(not(unix))]
fn is_own(_: &Path) -> bool {
    true
}

fn file_of(folder: &Path, program: &Program) -> PathBuf {
    folder.join(format!("{}.answer", sha256(question(program).as_bytes())))
}

/// The program without places and names of files.
fn question(program: &Program) -> String {
    let mut program = program.clone();
    let nowhere = Span::default();
    program.files.clear();
    program.source_types = Arc::default();
    program.notes.clear();
    program.vars.iter_mut().for_each(|var| var.span = nowhere);
    program.objects.iter_mut().for_each(|object| object.span = nowhere);
    program.checks.iter_mut().for_each(|check| check.span = nowhere);
    for proc in program.procs.iter_mut() {
        proc.span = nowhere;
        proc.locations.iter_mut().for_each(|location| location.span = nowhere);
        proc.edges.iter_mut().for_each(|edge| edge.span = nowhere);
    }
    format!("{program:?}")
}

/// Of this very program: what another build answers is another's answer.
fn version() -> String {
    let build = std::env::current_exe().and_then(fs::metadata).ok();
    let changed = build.as_ref().and_then(|build| build.modified().ok());
    let changed = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let length = build.map_or(0, |build| build.len());
    format!("craig {} {length} {}\n", env!("CARGO_PKG_VERSION"), changed.unwrap_or_default().as_nanos())
}
