//! `craig job`: what `--slurm` submits.

use crate::cli::arguments::Limits;
use crate::cli::session::Session;
use crate::cli::slurm;
use crate::cli::status::ExitStatus;
use crate::error::Error;
use std::path::PathBuf;

/// Make the runs of one job of a campaign.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Where the files of the jobs are.
    folder: PathBuf,
    /// Which job of the array.
    number: usize,
    /// How many runs at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, session: &Session) -> Result<ExitStatus, Error> {
    let Arguments { folder, number, jobs, limits } = arguments;
    let ended = slurm::job(folder, *number, *jobs, limits, &session.cancel)?;
    Ok(if ended { ExitStatus::Success } else { ExitStatus::Interrupted })
}
