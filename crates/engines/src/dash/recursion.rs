//! Recursive programs: tests of the program itself, then DASH on unrollings of growing depth.
//!
//! In an unrolling each procedure is on the call stack at most so many times; a call beyond that leads
//! to the error location. If the error location cannot be reached, no run goes deeper, and the proof is
//! one of the whole program. A test to the error location either fails on the program itself or shows
//! that the depth is not enough.

use super::{Config, check};
use crate::random;
use crate::sharing::Shared;
use crate::verdict::Reason;
use crate::verify::{INLINE_LIMIT, LOOPS, Verdict, verify_view};
use craig_base::{Budget, Stats};
use craig_program::{Program, inline_to_depth};

/// Random tests of the program as it is.
const TESTS: random::Config = random::Config { runs: 20, steps: 3_000_000 };

pub fn verify(
    program: &Program,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    if let Verdict::Unsafe(test) = random::check(program, TESTS, budget, stats) {
        return Verdict::Unsafe(test);
    }
    let mut depth = 1;
    loop {
        if let Err(reason) = budget.check() {
            return Verdict::Unknown(Reason::Stopped(reason));
        }
        stats.max("depth of recursion", depth as u64);
        let inlined = match inline_to_depth(program, depth, INLINE_LIMIT) {
            Ok(inlined) => inlined,
            Err(error) => return Verdict::Unknown(Reason::NotInlined(error.to_string())),
        };
        let verdict = verify_view(program, inlined, LOOPS, budget, stats, |terms, view, stats| {
            check(terms, view, config, shared, budget, stats)
        });
        match verdict {
            Verdict::Unknown(Reason::NotReplayed(_)) => depth *= 2,
            verdict => return verdict,
        }
    }
}
