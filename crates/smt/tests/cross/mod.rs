//! Random problems, and everything that has to hold for the answers of the solver.
//!
//! | module | |
//! |---|---|
//! | [`generate`] | theories, vocabularies, formulas, and three kinds of cases |
//! | [`check`] | answers, models, proofs and cores of incremental scripts |
//! | [`interpolants`] | binary, sequence, tree, state/transition, DAG and restricted DAG interpolants |
//! | [`reference`] | one Z3 process that is reset between cases |
//! | [`shrink`] | smaller cases that still fail |
//! | [`show`] | a case as an SMT-LIB script |
//!
//! A case is known by its theory and its number; the same number gives the same case.

pub mod check;
pub mod generate;
pub mod interpolants;
pub mod reference;
pub mod show;
pub mod shrink;

use check::Checker;
use generate::{Generator, Theory};
use reference::Reference;
use std::time::Instant;

/// Checks the cases with these numbers; the first failure, shrunk and printed.
pub fn run(
    theory: Theory,
    numbers: impl Iterator<Item = u64>,
    reference: Option<&mut Reference>,
) -> Result<check::Tally, String> {
    let mut checker = Checker::new(theory, reference);
    for number in numbers {
        let start = Instant::now();
        let (mut terms, case) = Generator::new(theory, number).case();
        if let Err(message) = checker.check(&mut terms, &case) {
            let (case, message) = shrink::shrink(&mut checker, &mut terms, case, message);
            return Err(format!(
                "{theory:?} {number}: {message}\n{}{:?}",
                show::script(&terms, &case),
                checker.tally
            ));
        }
        checker.tally.cases += 1;
        checker.tally.slowest = checker.tally.slowest.max((start.elapsed(), number));
    }
    Ok(checker.tally)
}
