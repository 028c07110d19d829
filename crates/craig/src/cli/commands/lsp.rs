//! `craig lsp`: a language server.

use crate::cli::lsp::{Settings, serve};
use crate::cli::status::ExitStatus;
use crate::cli::units::parse_duration;
use crate::error::Error;
use crate::task::Source;
use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

/// Serve an editor by the language server protocol, on standard input and output.
///
/// Findings are shown when a file is opened or saved; hovers say what is known at a line, and lenses at functions
/// check or cover them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Wall time for each question: 500ms, 60s, 2m, 1h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10s")]
    pub timeout: Duration,
    /// A folder to look for included files, for the preprocessor.
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// A macro definition, for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// What editors pass to every server; it is the only way to talk anyway.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, Error> {
    let source =
        Source { include: arguments.include.clone(), define: arguments.define.clone(), ..Source::default() };
    let settings = Settings { source, timeout: arguments.timeout };
    let goodbye = serve(settings, BufReader::new(stdin()), stdout())?;
    Ok(if goodbye { ExitStatus::Success } else { ExitStatus::Unsafe })
}
