//! Tests that others made: KLEE's `.ktest` files, corpora of libFuzzer, suites of Test-Comp, and Craig's own.
//!
//! A test of Craig lists everything that a run asks for, such as whether an allocation succeeds and what
//! uninitialised memory holds. Others record only what functions return or what a buffer holds. So a foreign
//! test is adopted by running the program with an oracle that hands out what was recorded, lets allocations succeed
//! and takes zero for the rest; what this run consumed is the test.

mod formats;
mod oracle;

pub use formats::Recorded;

use crate::error::Error;
use craig_exec::{Detail, Executable, Limits, Outcome, Test};
use craig_program::Program;
use oracle::Adopting;
use std::path::{Path, PathBuf};

/// A test from elsewhere as one of this program.
pub fn adopted(program: &Program, recorded: &Recorded, limits: &Limits) -> Test {
    let executable = Executable::new(program, Detail::Outcome);
    let mut run = executable.run(&mut Adopting::new(program, recorded, Some(0)), limits);
    // With zeros for what is missing a loop may never end.
    if matches!(run.outcome, Outcome::StepLimit) {
        run = executable.run(&mut Adopting::new(program, recorded, None), limits);
    }
    run.test(program)
}

/// Reads a test in any of the formats.
pub fn read(file: &Path) -> Result<Recorded, Error> {
    let bytes = std::fs::read(file).map_err(|error| Error::MissingInput(file.to_path_buf(), error))?;
    Recorded::parse(bytes).map_err(|what| Error::BadInput(format!("{}:{what}", file.display())))
}

/// Reads the tests that files hold, and folders. Of a folder, files of the most telling format that there is count:
/// KLEE, for one, leaves other files beside its tests, whereas every file of a corpus is a test.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Recorded>, Error> {
    let mut tests = Vec::new();
    for path in paths {
        if !path.is_dir() {
            tests.push(read(path)?);
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| Error::MissingInput(path.clone(), error))?;
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        let parsed = files.iter().map(|file| read(file)).collect::<Vec<_>>();
        let most = parsed.iter().flatten().map(Recorded::telling).max().unwrap_or_default();
        for test in parsed {
            match test {
                Ok(test) if test.telling() == most => tests.push(test),
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(tests)
}
