//! The files that `craig check` leaves on request.

use crate::check::{CertificateKind, Report};
use crate::error::Error;
use crate::task::Loaded;
use craig_exec::Limits;
use std::fs;
use std::path::{Path, PathBuf};

/// Which files to write.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Files to write")]
pub struct Artifacts {
    /// For `safe`: the proof, for `craig validate`.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// For `unsafe`: the test that reaches the error, for `craig validate` and `craig run --inputs`.
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// For `unsafe`: a C program with all inputs fixed, which reaches the error when compiled and run.
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,
    /// A verification witness, format 2.0.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// A page to look at, `index.html`: sources, checks, failing runs step by step, invariants.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// What was found, as SARIF 2.1.0.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}

impl Artifacts {
    /// Writes them; returns what a user should know.
    pub fn write(&self, loaded: &Loaded, report: &Report, limits: &Limits) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        if let Some(certificate) = &report.certificate {
            let path = match certificate.kind {
                CertificateKind::Test => &self.test,
                _ => &self.proof,
            };
            if let Some(path) = path {
                fs::write(path, &certificate.text)?;
            }
        }
        if let (Some(path), Some(test)) = (&self.harness, &report.test) {
            match loaded.harness(test, limits) {
                Ok(text) => fs::write(path, text)?,
                Err(why) => notes.push(format!("no harness: {why}")),
            }
        }
        if let Some(path) = &self.witness
            && let Some(text) = loaded.witness(report)
        {
            fs::write(path, text)?;
        }
        if let Some(folder) = &self.report {
            notes.push(write_page(folder, &loaded.page(report))?);
        }
        if let Some(path) = &self.sarif {
            fs::write(path, report.sarif())?;
        }
        Ok(notes)
    }
}

/// Writes the page of a report, and says where it is.
pub fn write_page(folder: &Path, page: &str) -> Result<String, Error> {
    fs::create_dir_all(folder)?;
    let path = folder.join("index.html");
    fs::write(&path, page)?;
    Ok(format!("report: {}", path.display()))
}
