//! Random problems, and everything that has to hold for the answers of the solver.
//!
//! | module | |
//! |---|---|
//! | [`generate`] | theories, vocabularies, formulas, and three kinds of cases |
//! | [`check`] | answers, models, proofs and cores of incremental scripts |
//! | [`interpolants`] | binary, sequence, tree, state/transition, DAG and restricted DAG interpolants |
//! | [`chance`] | models of what is called contradictory, by chance |
//! | [`mod@reference`] | one Z3 process that is reset between cases |
//! | [`shrink`] | smaller cases that still fail |
//! | [`show`] | a case as an SMT-LIB script |
//!
//! A case is known by its theory and its number; the same number gives the same case.

pub mod chance;
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

/// Interpolants are asked for in one of so many cases of a campaign.
const INTERPOLANTS: u64 = 8;

/// Checks the cases with these numbers; the first failure, shrunk and printed. Of one in `every` Z3 is asked; where that
/// is not 1, most cases are scripts.
pub fn run(
    theory: Theory,
    numbers: impl Iterator<Item = u64>,
    reference: Option<&mut Reference>,
    every: u64,
) -> Result<check::Tally, String> {
    let mut checker = Checker::new(theory, reference);
    for number in numbers {
        let start = Instant::now();
        checker.asks = number.is_multiple_of(every);
        let generator = Generator::new(theory, number);
        let (mut terms, case) = match every == 1 || number.is_multiple_of(INTERPOLANTS) {
            true => generator.case(),
            false => generator.script_case(),
        };
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
