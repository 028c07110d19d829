//! Questions about programs and clauses: keyword arguments in, the report out, as the JSON of the command line and the
//! text of the certificate. `craig/__init__.py` makes objects of these.

use crate::call::interruptible;
use crate::errors::{InputError, InternalError};
use crate::solver::seconds;
use craig::{
    Arithmetic, CancelToken, CheckKind, DataModel, Error, Input, Judgement, Limits, Options, SolveOptions,
    Source,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;

fn raised(error: Error) -> PyErr {
    match error {
        Error::MissingInput(path, error) => PyOSError::new_err(format!("{}: {error}", path.display())),
        Error::Internal(_) => InternalError::new_err(error.to_string()),
        Error::Usage(_) | Error::BadInput(_) | Error::Output(_) => InputError::new_err(error.to_string()),
    }
}

/// Which program, and what is asked about it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Program {
    text: Option<String>,
    files: Vec<PathBuf>,
    checks: Vec<String>,
    entry: Option<String>,
    requires: Vec<String>,
    error_functions: Vec<String>,
    data_model: String,
    arithmetic: String,
    include: Vec<PathBuf>,
    define: Vec<String>,
    malloc_never_fails: bool,
}

impl Program {
    fn source(self) -> PyResult<Source> {
        let unknown = |what: &str, word: &str| PyValueError::new_err(format!("there is no {what} `{word}`"));
        let mut inputs: Vec<Input> = self.files.into_iter().map(Input::File).collect();
        inputs.extend(self.text.map(|text| Input::Text("program.i".to_string(), text)));
        let checks = self.checks.iter().map(|name| {
            let known = CheckKind::ALL.into_iter().find(|kind| kind.name() == name);
            known.ok_or_else(|| unknown("check", name))
        });
        Ok(Source {
            inputs,
            checks: checks.collect::<PyResult<_>>()?,
            entry: self.entry,
            requires: self.requires,
            error_functions: self.error_functions,
            data_model: match self.data_model.as_str() {
                "lp64" => Some(DataModel::Lp64),
                "ilp32" => Some(DataModel::Ilp32),
                "" => None,
                other => return Err(unknown("data model", other)),
            },
            arithmetic: match self.arithmetic.as_str() {
                "" => Arithmetic::AssumeNoOverflow,
                "wrap" => Arithmetic::Wrap,
                "ideal" => Arithmetic::Ideal,
                other => return Err(unknown("arithmetic", other)),
            },
            include: self.include,
            define: self.define,
            malloc_never_fails: self.malloc_never_fails,
            ..Source::default()
        })
    }
}

/// What an answer may cost.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Costs {
    timeout: Option<f64>,
    memory: Option<u64>,
    workers: Option<usize>,
}

impl Costs {
    fn limits(&self) -> PyResult<Limits> {
        Ok(Limits { timeout: seconds(self.timeout)?, memory: self.memory, ..Limits::default() })
    }
}

fn cancelled_by(limits: Limits, cancel: CancelToken) -> Limits {
    Limits { cancel, ..limits }
}

/// The report as JSON, and the certificate.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    program: Program,
    costs: Costs,
    engine: Option<&str>,
    seed: u64,
    stop_at_first: bool,
) -> PyResult<(String, Option<String>)> {
    let source = program.source()?;
    let engine = engine.map(craig::engine).transpose().map_err(raised)?;
    let limits = costs.limits()?;
    let report = interruptible(py, |cancel| {
        let options = Options {
            engine,
            seed,
            stop_at_first,
            workers: costs.workers,
            limits: cancelled_by(limits, cancel),
            ..Options::default()
        };
        craig::check(&source, &options)
    })?;
    let report = report.map_err(raised)?;
    Ok((report.json().to_string(), report.certificate.map(|certificate| certificate.text)))
}

/// The word for the judgement, and why.
#[pyfunction]
pub fn validate(
    py: Python<'_>,
    program: Program,
    certificate: &str,
    costs: Costs,
) -> PyResult<(&'static str, Option<String>)> {
    let source = program.source()?;
    let limits = costs.limits()?;
    let judgement =
        interruptible(py, |cancel| craig::validate(&source, certificate, &cancelled_by(limits, cancel)))?;
    Ok(match judgement.map_err(raised)? {
        Judgement::Safe => ("safe", None),
        Judgement::Unsafe => ("unsafe", None),
        Judgement::Invalid(why) => ("invalid", Some(why)),
        Judgement::Unknown(why) => ("unknown", Some(why)),
    })
}

/// The report as JSON, and the certificate.
#[pyfunction]
pub fn solve(
    py: Python<'_>,
    clauses: &str,
    costs: Costs,
    engines: Vec<String>,
) -> PyResult<(String, Option<String>)> {
    let mut options =
        SolveOptions { workers: costs.workers, limits: costs.limits()?, ..SolveOptions::default() };
    if !engines.is_empty() {
        let named = engines.iter().map(|name| craig::clause_engine(name));
        options.engines = named.collect::<Result<_, _>>().map_err(raised)?;
    }
    let report = interruptible(py, |cancel| {
        options.limits = cancelled_by(options.limits.clone(), cancel);
        craig::solve(clauses, &options)
    })?;
    let report = report.map_err(raised)?;
    Ok((report.json("clauses").to_string(), report.certificate.map(|certificate| certificate.text)))
}
