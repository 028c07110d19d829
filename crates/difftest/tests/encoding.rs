//! Formulas of executed blocks and of symbolic runs, on random programs of the own generator. Needs no compiler.

use craig_base::Budget;
use craig_cfront::{load_texts, lower, types};
use craig_difftest::generate;
use craig_difftest::{encoding, meaning, recording, symbolic};
use craig_exec::{InputSite, Limits};
use craig_program::Program;
use std::time::Duration;

type Check = fn(&Program, recording::Oracle<'_>, &Limits) -> Result<usize, String>;

/// How much was looked at in these programs.
fn check_random_programs(seeds: std::ops::Range<u64>, check: Check) -> usize {
    let mut looked_at = 0;
    for seed in seeds {
        let program = generate::random_program(seed).unwrap_or_else(|what| panic!("{what}"));
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
        let limits = Limits { steps: 50_000, budget, ..Limits::default() };
        let mut next = 0x9e37_79b9_7f4a_7c15_u64;
        let mut oracle = |_: &Program, _: &InputSite| {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            Some(i128::from(next >> 8))
        };
        match check(&program, &mut oracle, &limits) {
            Ok(checked) => looked_at += checked,
            Err(mismatch) => panic!("program {seed}: {mismatch}"),
        }
    }
    looked_at
}

#[test]
fn the_blocks_that_random_programs_execute_hold() {
    let blocks = check_random_programs(0..24, encoding::check);
    assert!(blocks > 100, "only {blocks} blocks were looked at");
}

#[test]
fn the_checker_allows_what_random_programs_execute() {
    let check =
        |seed| meaning::check_random_program(seed).unwrap_or_else(|what| panic!("program {seed}: {what}"));
    let segments: usize = (0..8).map(check).sum();
    assert!(segments > 40, "only {segments} segments were looked at");
}

#[test]
fn what_symbolic_runs_of_random_programs_claim_holds() {
    let constraints = check_random_programs(0..48, symbolic::check);
    assert!(constraints > 1000, "only {constraints} constraints were looked at");
}

/// The last state of a run may be the last one for which there is room.
#[test]
fn runs_of_about_as_many_states_as_are_recorded() {
    for iterations in 190..210 {
        let text = format!("int main(void) {{ int i = 0; while (i < {iterations}) i++; return i; }}");
        let options = lower::Options::default();
        let loaded =
            load_texts(vec![("loop.c".to_string(), text.into_bytes())], types::DataModel::Lp64, &options);
        let program = loaded.program.expect("a program without errors");
        let checked = encoding::check(&program, &mut |_, _| None, &Limits::default());
        assert!(checked.is_ok_and(|blocks| blocks > 180), "{iterations} iterations");
    }
}
