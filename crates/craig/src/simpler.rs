//! Failing tests with smaller numbers: easier to read, and small enough to be compiled and run.
//!
//! One input after the other is replaced by the smallest of a few numbers with which the run still fails at the same
//! place. Every candidate is replayed, so that what comes out is as good a test as what went in. The work is bounded by
//! statements, not by time: the same program gives the same test.

use craig_exec::{Limits, Outcome, Run, Test, replay};
use craig_program::{IntType, Program, Type};

/// All replays together execute about as many statements.
const STATEMENTS: u64 = 1_000_000;
/// And no more runs than this are made: each costs something before its first statement.
const RUNS: usize = 400;

/// What is tried in place of a number, if it is smaller.
const NUMBERS: [i128; 9] = [0, 1, 2, 4, 8, 16, 64, 256, 4096];

/// What is tried in place of a character, the best first.
const CHARACTERS: [i128; 4] = [0, b'a' as i128, b'0' as i128, 1];

/// The test with smaller numbers.
pub fn simpler(program: &Program, test: &Test) -> Test {
    let limits = Limits { steps: STATEMENTS, ..Limits::default() };
    let run = replay(program, test, &limits);
    let Outcome::ReachedError(site) = run.outcome else { return test.clone() };
    let (mut statements, mut runs) = (run.steps, 1);
    let mut best = run.test(program);
    let fails_there = |run: &Run| matches!(run.outcome, Outcome::ReachedError(other) if other == site);
    let mut at = 0;
    while at < best.inputs.len() {
        let (ty, value) = (best.inputs[at].ty, best.inputs[at].value);
        for number in candidates(ty, value) {
            if statements > STATEMENTS || runs > RUNS {
                return best;
            }
            let mut candidate = best.clone();
            candidate.inputs[at].value = number;
            let run = replay(program, &candidate, &limits);
            statements += run.steps;
            runs += 1;
            if fails_there(&run) {
                best = run.test(program);
                break;
            }
        }
        at += 1;
    }
    best
}

fn candidates(ty: Type, value: i128) -> Vec<i128> {
    match ty {
        Type::Int(IntType { bits: 8, .. }) => {
            CHARACTERS.into_iter().take_while(|&character| character != value).collect()
        }
        Type::Int(_) => {
            NUMBERS.into_iter().filter(|number| number.unsigned_abs() < value.unsigned_abs()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Loaded, Source};

    #[test]
    fn numbers_are_as_small_as_the_failure_allows() {
        let source = Source::text(
            "int nondet(void); void reach_error(void);
             int main(void) { int x = nondet(), y = nondet(), z = nondet();
               if (x > 2 && y < -3 && z != 7) reach_error(); return 0; }",
        );
        let program = Loaded::for_runs(&source).expect("a program").program;
        let test = Test::parse("craig test 1\ni32 1000000\ni32 -70000\ni32 12345\n").expect("a test");
        assert_eq!(simpler(&program, &test).values(), [4, -70000, 0]);
        let passes = Test::parse("craig test 1\ni32 1\ni32 -70000\ni32 12345\n").expect("a test");
        assert_eq!(simpler(&program, &passes), passes);
    }
}
