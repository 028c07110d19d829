//! Tests kept in a folder: those that failed are tried first the next time, the others are where `dash`
//! begins.
//!
//! A test is a list of inputs: it can be run on any program, also on a changed one. Whatever file of the
//! folder reaches the error answers the question at once. Users' own tests may be put there as well.

use crate::output;
use craig_base::Budget;
use craig_engines::path::reached_error;
use craig_exec::{Limits, Test, replay};
use craig_program::Program;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Statements that one test may take.
const STEPS: u64 = 5_000_000;

/// Tests that are tried or begun with, and tests of one run that are kept.
const MAX_TESTS: usize = 60;

/// The tests of the folder, and what is wrong with the others.
#[derive(Default)]
pub struct Known {
    pub tests: Vec<Test>,
    pub complaints: Vec<String>,
}

/// Reads the tests of the folder, those of the same task first.
pub fn read(folder: &Path, task: &Path) -> Known {
    let Ok(entries) = fs::read_dir(folder) else { return Known::default() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "test"));
    let name = stem(task);
    files.sort_by_key(|file| (!stem(file).starts_with(&name), file.clone()));
    let mut known = Known::default();
    for file in files.iter().take(MAX_TESTS) {
        let parsed = match fs::read_to_string(file) {
            Ok(text) => Test::parse(&text).map_err(|error| format!("{}:{error}", file.display())),
            Err(error) => Err(format!("{}: {error}", file.display())),
        };
        match parsed {
            Ok(test) => known.tests.push(test),
            Err(complaint) => known.complaints.push(complaint),
        }
    }
    known
}

/// The first test that reaches the error, as it was consumed.
pub fn failing_test(tests: &[Test], program: &Program, budget: &Budget) -> Option<Test> {
    let limits = Limits { steps: STEPS, budget: budget.clone(), ..Limits::default() };
    tests.iter().find_map(|test| {
        let run = replay(program, test, &limits);
        reached_error(&run).then(|| run.test(program))
    })
}

/// Keeps the last tests of a run.
pub fn keep_all(folder: &Path, task: &Path, tests: &[Test]) -> io::Result<()> {
    tests.iter().rev().take(MAX_TESTS).try_for_each(|test| keep(folder, task, test))
}

/// Keeps a test for later runs. The same test is kept once.
pub fn keep(folder: &Path, task: &Path, test: &Test) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let text = test.to_string();
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    output::write(&folder.join(format!("{}-{:016x}.test", stem(task), hasher.finish())), text)
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
