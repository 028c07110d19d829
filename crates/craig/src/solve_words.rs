//! Horn clauses over bit-vectors: solved over integers, answered and checked over words.

use crate::error::Error;
use crate::export::Write;
use crate::report::source;
use crate::solve::{Satisfiability, SolveOptions, SolveReport, solve_named};
use craig_bits::horn::Clauses;
use craig_engines::Reason;
use craig_term::smtlib;
use std::time::{Duration, Instant};

pub(crate) fn solve(
    name: &str,
    clauses: &str,
    options: &SolveOptions,
    write: Option<&mut Write<'_>>,
) -> Result<SolveReport, Error> {
    let start = Instant::now();
    let budget = options.limits.budget(Duration::ZERO);
    let bad = |error: smtlib::Error| {
        let (line, column) = (error.position.line, error.position.column);
        Error::BadInput(source::render(name, clauses, line, column, &error.message))
    };
    let words = Clauses::read(clauses).map_err(bad)?;
    let integers = words.over_integers().map_err(bad)?;
    let mut report = solve_named(name, &integers, options, write)?;
    let checking = Instant::now();
    let checked = match (&report.verdict, &report.certificate) {
        (Satisfiability::Sat, Some(model)) => words
            .over_words(&model.text)
            .map_err(|error| error.message)
            .and_then(|text| words.check_model(&text, &budget).map(|holds| (text, holds)))
            .and_then(|(text, holds)| holds.then_some(text).ok_or("a clause does not hold".to_string())),
        (Satisfiability::Unsat, Some(derivation)) => words.check_derivation(&derivation.text, &budget),
        _ => return Ok(report),
    };
    match (checked, &mut report.certificate) {
        (Ok(text), Some(certificate)) => {
            certificate.text = text;
            certificate.time += checking.elapsed();
        }
        (Err(why), _) => {
            report.verdict = Satisfiability::Unknown(match budget.check() {
                Err(reason) => Reason::Stopped(reason),
                Ok(()) => Reason::Rejected(format!("over words, {why}")),
            });
            report.certificate = None;
        }
        (Ok(_), None) => {}
    }
    report.time = start.elapsed();
    Ok(report)
}
