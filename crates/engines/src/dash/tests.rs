//! The figures of 004.

use super::*;
use crate::path::reached_error;
use craig_certificate::{Invariant, check_invariant};
use craig_exec::Limits;
use craig_program::encode::CutpointEncoding;
use craig_program::{inline, simplify};
use std::time::Duration;

/// Runs the engine as the command line does; a proof is checked, a test run, and Lemma 2 holds.
fn answer(text: &str) -> (&'static str, Stats) {
    let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
    let options = craig_cfront::lower::Options::default();
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    let inlined = inline(&loaded.program.expect("a program"), 100_000).expect("no recursion");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(120));
    let mut tm = Terms::new();
    let simplified = simplify(&inlined.program, &budget).expect("time");
    let encoding =
        CutpointEncoding::new(&simplified.program, &simplified.ranges, &mut tm, &budget).expect("time");
    let view = InlinedView {
        program: &simplified.program,
        original: &inlined.program,
        scalars: &simplified.scalars,
        ranges: simplified.ranges.clone(),
        encoding,
    };
    let mut stats = Stats::default();
    let answer = match check(&mut tm, &view, Config::default(), &budget, &mut stats) {
        Finding::Safe(found) => {
            let invariant = Invariant { formulas: simplified.invariants(&mut tm, &found.formulas) };
            check_invariant(&mut tm, &inlined.program, &invariant, &budget).expect("an inductive invariant");
            "safe"
        }
        Finding::Unsafe(mut path) => {
            path.restore_memory(&simplified.scalars);
            assert!(reached_error(&path.execute(&inlined.program, &Limits::default())));
            "unsafe"
        }
        Finding::Unknown(reason) => panic!("{reason}"),
    };
    assert_eq!(stats.count("iterations"), stats.count("solver calls"), "Lemma 2");
    (answer, stats)
}

macro_rules! figure {
    ($name:literal) => {
        include_str!(concat!("../../../../examples/papers/dash_", $name, ".c"))
    };
}

#[test]
fn figures_1_and_3_fail_where_a_comparison_is_missing() {
    assert_eq!(answer(figure!("lock_unlock_bug")).0, "unsafe");
    assert_eq!(answer(figure!("alias_bug")).0, "unsafe");
}

#[test]
fn figure_6_is_proved() {
    assert_eq!(answer(figure!("inc")).0, "safe");
    assert_eq!(answer(figure!("inc_bug")).0, "unsafe");
}
