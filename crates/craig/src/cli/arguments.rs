//! The grammar of the command line.
//!
//! A subcommand is added here when its crate can do what its help says. Options that mean the same
//! everywhere are declared once, in the groups below, and flattened into a command's own arguments.

use crate::cli::commands::{
    bench, check, completions, engines, explain, job, lsp, reduce, run, show, smt, solve, test, validate,
};
use crate::cli::session::Session;
use crate::cli::units::{parse_duration, parse_size};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::time::Duration;

/// A software model checker for C programs and constrained Horn clauses.
///
/// It answers `safe` with a proof, `unsafe` with a test, or `unknown` with the reason.
#[derive(Debug, Parser)]
#[command(name = "craig", version, propagate_version = true, max_term_width = 100, args_override_self = true)]
pub struct Cli<Commands: Subcommand = Command> {
    #[command(subcommand)]
    pub command: Commands,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Bench(Box<bench::Arguments>),
    Solve(solve::Arguments),
    Check(Box<check::Arguments>),
    Reduce(reduce::Arguments),
    Run(Box<run::Arguments>),
    Engines(engines::Arguments),
    Show(Box<show::Arguments>),
    Smt(smt::Arguments),
    Test(Box<test::Arguments>),
    Validate(Box<validate::Arguments>),
    Explain(Box<explain::Arguments>),
    Lsp(lsp::Arguments),
    Completions(completions::Arguments),
    Man(completions::ManArguments),
    #[command(hide = true)]
    Job(job::Arguments),
}

/// What is called for so little at a time that making the grammar of all the others would be much of it.
#[derive(Debug, Subcommand)]
pub enum BriefCommand {
    Smt(smt::Arguments),
}

impl Cli {
    /// The command line if it is one of a brief command, without anything wrong and without a question for help.
    pub fn brief(arguments: &[OsString]) -> Option<Cli> {
        arguments.get(1).filter(|name| *name == "smt")?;
        let Cli { command: BriefCommand::Smt(smt), common } = Cli::try_parse_from(arguments).ok()?;
        Some(Cli { command: Command::Smt(smt), common })
    }
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// Print results only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more about what was done; twice for the numbers of every engine.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Seed of every pseudo-random choice; the same seed gives the same run.
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Do not read `craig.toml`.
    #[arg(long, global = true)]
    pub no_config: bool,
}

/// What one task may use.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Wall time for each task: 500ms, 60s, 2m, 1h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    pub timeout: Duration,
    /// Resident memory for each task: 512M, 4G.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    pub memory: u64,
}

impl Limits {
    /// The same as the library knows them.
    pub fn of(&self, session: &Session) -> crate::Limits {
        crate::Limits {
            timeout: Some(self.timeout),
            memory: Some(self.memory),
            cancel: session.cancel.clone(),
        }
    }
}

/// The sizes of C's integer types and pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DataModel {
    /// `int` is 32 bits wide, `long` and pointers 64.
    #[default]
    Lp64,
    /// `int`, `long` and pointers are 32 bits wide.
    Ilp32,
}

impl From<DataModel> for crate::DataModel {
    fn from(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => crate::DataModel::Lp64,
            DataModel::Ilp32 => crate::DataModel::Ilp32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_consistent() {
        <Cli>::command().debug_assert();
    }
}
