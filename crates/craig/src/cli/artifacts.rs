//! The files that `craig check` leaves on request.

use crate::check::{CertificateKind, Report, Verdict};
use crate::error::Error;
use crate::output;
use crate::report::{Baseline, Suite, junit, sarif};
use crate::task::Loaded;
use crate::validate::Judgement;
use craig_exec::Limits;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Which files to write.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Files to write")]
pub struct Artifacts {
    /// For `safe`: the proof, for `craig validate`.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// For `safe`: what the proof rests on, each part as a script that every solver must answer by `unsat`, and
    /// `run.sh`, which asks one. The folder is made, or is empty.
    #[arg(long, value_name = "DIR")]
    pub proof_smt: Option<PathBuf>,
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
    /// Every check as a test case, as JUnit's XML.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Findings that are known already: only new ones count for the exit code. Where there is no such file, it is
    /// written.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Rewrite the file of `--baseline`.
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
}

impl Artifacts {
    /// Makes the folders that must be empty: better to fail before the work than after it.
    pub fn prepare(&self) -> Result<(), Error> {
        self.proof_smt.as_deref().map_or(Ok(()), empty_folder)
    }

    /// Whether a file is asked for that only a proof can fill.
    pub fn need_proof(&self) -> bool {
        self.proof.is_some() || self.proof_smt.is_some() || self.witness.is_some()
    }

    /// The first of those files that are about one program only, if one is asked for.
    pub fn about_one_program(&self) -> Option<&'static str> {
        let asked = [
            (&self.proof, "--proof"),
            (&self.proof_smt, "--proof-smt"),
            (&self.test, "--test"),
            (&self.harness, "--harness"),
            (&self.witness, "--witness"),
        ];
        asked.iter().find(|(path, _)| path.is_some()).map(|(_, option)| *option)
    }

    /// The findings that are known already, from their file or for it.
    pub fn baseline(&self, suites: &[Suite]) -> Result<Option<Baseline>, Error> {
        let Some(path) = &self.baseline else { return Ok(None) };
        if self.update_baseline || !path.exists() {
            let (baseline, json) = Baseline::of(suites);
            output::write(path, json.pretty())?;
            return Ok(Some(baseline));
        }
        let text = fs::read_to_string(path).map_err(|error| Error::MissingInput(path.clone(), error))?;
        let bad = |what: String| Error::BadInput(format!("{}:1:1: error: {what}", path.display()));
        Baseline::parse(&text).map(Some).map_err(bad)
    }

    /// Writes what continuous integration reads.
    pub fn write_findings(&self, suites: &[Suite], baseline: Option<&Baseline>) -> Result<(), Error> {
        if let Some(path) = &self.sarif {
            output::write(path, sarif(suites, baseline).pretty())?;
        }
        if let Some(path) = &self.junit {
            output::write(path, junit(suites))?;
        }
        Ok(())
    }

    /// Writes the files about one program; returns what a user should know.
    pub fn write(&self, loaded: &Loaded, report: &Report, limits: &Limits) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        if let Some(certificate) = &report.certificate {
            let path = match certificate.kind {
                CertificateKind::Test => &self.test,
                _ => &self.proof,
            };
            if let Some(path) = path {
                output::write(path, &certificate.text)?;
            }
        }
        if self.proof.is_some() && report.certificate.is_none() && report.verdict == Verdict::Safe {
            notes.push(
                "no proof file: the checks were proved in parts that do not fit into one proof".to_string(),
            );
        }
        if let Some(folder) = &self.proof_smt {
            notes.extend(self.write_scripts(folder, loaded, report, limits)?);
        }
        if let (Some(path), Some(test)) = (&self.harness, &report.test) {
            match loaded.harness(test, limits) {
                Ok(text) => output::write(path, text)?,
                Err(why) => notes.push(format!("no harness: {why}")),
            }
        }
        if let Some(path) = &self.witness
            && let Some(text) = loaded.witness(report)
        {
            output::write(path, text)?;
        }
        if let Some(folder) = &self.report {
            notes.push(write_page(folder, &loaded.page(report))?);
        }
        Ok(notes)
    }
}

impl Artifacts {
    fn write_scripts(
        &self,
        folder: &Path,
        loaded: &Loaded,
        report: &Report,
        limits: &Limits,
    ) -> Result<Option<String>, Error> {
        let certificate = match &report.certificate {
            Some(certificate) if certificate.kind != CertificateKind::Test => certificate,
            None if report.verdict == Verdict::Safe => {
                return Ok(Some("no scripts: the checks were proved in several parts".to_string()));
            }
            _ => return Ok(None),
        };
        let judgement = loaded.export("proof", &certificate.text, &limits.budget, &mut |name, text| {
            write_new(folder, name, text)
        })?;
        Ok(match judgement {
            Judgement::Safe if certificate.kind == CertificateKind::Run => {
                Some("no scripts: the program has only one run, and there is nothing to ask".to_string())
            }
            Judgement::Safe | Judgement::Unsafe => None,
            Judgement::Invalid(why) | Judgement::Unknown(why) => Some(format!("not all scripts: {why}")),
        })
    }
}

/// Makes a folder, or takes one that is empty.
pub fn empty_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)?;
    match fs::read_dir(folder)?.next() {
        None => Ok(()),
        Some(_) => Err(Error::Usage(format!("{} is not empty", folder.display()))),
    }
}

/// Writes a file that is not there yet; symbolic links are not followed.
pub fn write_new(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    fs::File::create_new(folder.join(name))?.write_all(text.as_bytes())
}

/// Writes the page of a report, and says where it is.
pub fn write_page(folder: &Path, page: &str) -> Result<String, Error> {
    fs::create_dir_all(folder)?;
    let path = folder.join("index.html");
    output::write(&path, page)?;
    Ok(format!("report: {}", path.display()))
}
