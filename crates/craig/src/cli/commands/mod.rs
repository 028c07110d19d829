//! The subcommands, one file each: `Arguments` and `run(&Arguments, &Common, &mut Session)`.

pub mod bench;
pub mod check;
pub mod completions;
pub mod engines;
pub mod explain;
pub mod job;
pub mod lsp;
pub mod reduce;
pub mod run;
pub mod show;
pub mod smt;
pub mod solve;
pub mod test;
pub mod validate;

use crate::cli::arguments::{Cli, Command};
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::error::Error;

pub fn dispatch(cli: &Cli, session: &mut Session) -> Result<ExitStatus, Error> {
    match &cli.command {
        Command::Bench(arguments) => bench::run(arguments, &cli.common, session),
        Command::Solve(arguments) => solve::run(arguments, &cli.common, session),
        Command::Check(arguments) => check::run(arguments, &cli.common, session),
        Command::Reduce(arguments) => reduce::run(arguments, &cli.common, session),
        Command::Run(arguments) => run::run(arguments, &cli.common, session),
        Command::Engines(arguments) => engines::run(arguments, &cli.common, session),
        Command::Show(arguments) => show::run(arguments, &cli.common, session),
        Command::Test(arguments) => test::run(arguments, &cli.common, session),
        Command::Validate(arguments) => validate::run(arguments, &cli.common, session),
        Command::Smt(arguments) => smt::run(arguments, &cli.common, session),
        Command::Explain(arguments) => explain::run(arguments, &cli.common, session),
        Command::Lsp(arguments) => lsp::run(arguments),
        Command::Completions(arguments) => completions::run(arguments, session),
        Command::Man(arguments) => completions::run_man(arguments, session),
        Command::Job(arguments) => job::run(arguments, session),
    }
}
