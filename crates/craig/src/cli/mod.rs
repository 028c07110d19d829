//! The command line, and the only part that prints.
//!
//! [`run`] is the whole program: it parses the arguments, dispatches to one file of `commands`, and turns what
//! comes back into an exit code. What a command does is a function of the library.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the grammar of the command line, as `clap` types |
//! | `c_input`, `artifacts` | options that several commands have: the program, the files to write |
//! | `driver` | tests that people keep: one C file for all, with a Makefile |
//! | `compiler` | options of compilers |
//! | `config` | `craig.toml` |
//! | `commands/*` | one file for each subcommand: arguments in, exit status or error out |
//! | `bench/*` | the parts of `craig bench` |
//! | `lsp/*` | the language server |
//! | `parallel` | so many things at a time |
//! | `project` | `craig check --project` |
//! | `session` | standard output, notes on standard error, cancellation |
//! | `slurm` | runs as job arrays of a cluster, for `bench` and `project` |
//! | `status` | exit codes |
//! | `testcomp` | test suites as Test-Comp exchanges them (XML) |
//! | `crash` | the reproducer that an internal error leaves behind |
//! | `without` | parts of algorithms that can be left out |
//! | `units` | durations and sizes as people write them |
//!
//! Invariants: results go to standard output, everything else to standard error; a subcommand
//! exists only if it does what its help says; no panic reaches the user as a bare panic.

mod arguments;
mod artifacts;
#[doc(hidden)]
pub mod bench;
mod c_input;
mod commands;
mod compiler;
mod config;
mod crash;
mod driver;
mod lsp;
mod parallel;
mod project;
mod session;
mod slurm;
mod status;
mod testcomp;
mod units;
mod without;

use crate::error::Error;
use arguments::Cli;
use clap::{CommandFactory, FromArgMatches};
use session::Session;
use status::ExitStatus;
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Runs the command line `arguments`, whose first element is the name of the program.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    if let Some(cli) = Cli::brief(&arguments) {
        return execute(&cli, arguments);
    }
    let mut grammar = <Cli>::command();
    let arguments = match config::with_config(arguments, &grammar) {
        Ok(arguments) => arguments,
        Err(error) => {
            report(&error, &[]);
            return ExitStatus::from(&error).into();
        }
    };
    let arguments = compiler::translated(arguments);
    let parsed = grammar
        .try_get_matches_from_mut(&arguments)
        .and_then(|mut found| Cli::from_arg_matches_mut(&mut found));
    match parsed {
        Ok(cli) => execute(&cli, arguments),
        Err(error) => help_or_usage(&error.format(&mut grammar)),
    }
}

fn execute(cli: &Cli, arguments: Vec<OsString>) -> ExitCode {
    crash::record_panics();
    let mut session = Session::new(&cli.common, arguments.clone());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let status = commands::dispatch(cli, &mut session)?;
        session.out.flush()?;
        Ok(status)
    }));
    let error = match outcome {
        Ok(Ok(status)) => {
            report_survived_panics(&session, &arguments);
            return status.into();
        }
        Ok(Err(error)) => error,
        Err(_) => Error::Internal(crash::panics().unwrap_or_else(|| "a panic without a message".to_string())),
    };
    report(&error, &arguments);
    ExitStatus::from(&error).into()
}

fn help_or_usage(error: &clap::Error) -> ExitCode {
    // Where this fails (a closed pipe), there is no reader left to tell.
    let _ = error.print();
    if error.use_stderr() { ExitStatus::Usage.into() } else { ExitStatus::Success.into() }
}

/// A part of the tool may break while the others go on, as in a portfolio. That is a bug all the same.
fn report_survived_panics(session: &Session, arguments: &[OsString]) {
    if let Some(panics) = crash::panics() {
        session.note(format!(
            "A part of Craig broke; the result is that of the others.{}",
            reproducer(arguments, &panics)
        ));
    }
}

fn reproducer(arguments: &[OsString], message: &str) -> String {
    match crash::save_reproducer(arguments, message) {
        Ok(folder) => format!("\nThe input and the circumstances are saved in {}", folder.display()),
        Err(error) => format!("\nA reproducer could not be saved: {error}"),
    }
}

fn report(error: &Error, arguments: &[OsString]) {
    let Some(mut message) = status::message(error) else { return };
    if let Error::Internal(what) = error {
        message.push_str(&reproducer(arguments, what));
    }
    let _ = writeln!(std::io::stderr(), "{message}");
}
