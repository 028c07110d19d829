//! `craig completions` and `craig man`: what shells and `man` want to know of the command line.

use crate::cli::arguments::Cli;
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::error::Error;
use clap::CommandFactory;
use std::io::Write;
use std::path::PathBuf;

/// Print completions for a shell.
///
/// For bash: `craig completions bash > ~/.local/share/bash-completion/completions/craig`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

pub fn run(arguments: &Arguments, session: &mut Session) -> Result<ExitStatus, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut <Cli>::command(), "craig", &mut script);
    session.out.write_all(&script)?;
    Ok(ExitStatus::Success)
}

/// Write manual pages, one for each command.
#[derive(Debug, clap::Args)]
pub struct ManArguments {
    /// The folder to write them to, such as `~/.local/share/man/man1`.
    pub folder: PathBuf,
}

pub fn run_man(arguments: &ManArguments, session: &mut Session) -> Result<ExitStatus, Error> {
    std::fs::create_dir_all(&arguments.folder)?;
    clap_mangen::generate_to(<Cli>::command(), &arguments.folder)?;
    session.note(format!("manual pages: {}", arguments.folder.display()));
    Ok(ExitStatus::Success)
}
