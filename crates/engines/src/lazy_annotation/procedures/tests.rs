//! The fragments of the paper's Figure 1 with procedures, and the summaries that it derives.

use super::goals::First;
use super::*;
use craig_certificate::{Summaries, check_summaries};
use craig_program::StateVar;
use craig_program::encode::StateNames;
use std::time::Duration;

/// Searches the program. If it is safe: its contracts, which were checked.
fn search(text: &str) -> (Program, Terms, Option<Summaries>, Stats) {
    let options = craig_cfront::lower::Options::default();
    let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    let program: Program = loaded.program.expect("a program");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let (mut terms, mut stats) = (Terms::new(), Stats::default());
    let mut view = View::new(&program, &mut terms, &budget).expect("time");
    let mut first = First::default();
    let mut search = Search::new(&mut terms, &program, &mut view, &mut first, &budget, &mut stats);
    let summaries = match search.run() {
        Ok(true) => Some(search.summaries()),
        Ok(false) => None,
        Err(_) => panic!("no answer"),
    };
    assert!(summaries.is_some() || matches!(first.0, Some(Ok(_))), "no test");
    if let Some(summaries) = &summaries {
        check_summaries(&mut terms, &program, summaries, &budget).expect("contracts that hold");
    }
    (program, terms, summaries, stats)
}

/// Asserts that the summary of the procedure is that the global `x` is not less afterwards, or not as
/// small, and nothing else.
fn assert_grows(text: &str, procedure: &str) {
    let (program, mut terms, summaries, _) = search(text);
    let summaries = summaries.expect("a safe program");
    let (proc, _) = program.procs.enumerated().find(|(_, p)| &*p.name == procedure).expect("there");
    let (x, _) = program.vars.enumerated().find(|(_, var)| &*var.name == "x").expect("there");
    let mut names = StateNames::default();
    let before = names.entry(&program, &mut terms, StateVar::Var(x));
    let after = names.current(&program, &mut terms, StateVar::Var(x));
    let expected = [terms.le(before, after), terms.lt(before, after)];
    let ensures = summaries.contracts[&proc].ensures;
    let is_expected = expected.into_iter().any(|expected| {
        let same = terms.eq(ensures, expected);
        let differs = terms.not(same);
        NativeSolver::default().check(&mut terms, &[differs], &Budget::unlimited()) == Answer::Unsat
    });
    assert!(is_expected, "{procedure} ensures {}", terms.display(ensures));
}

#[test]
fn call1_has_a_negative_summary_about_x_alone() {
    let text = "extern int input(void); extern void reach_error(void); int x;
        void foo(void) { x = x + 1; return; }
        int main(void) { int y = input(); x = y; foo(); if (x < y) reach_error(); return 0; }";
    assert_grows(text, "foo");
}

#[test]
fn rec1_has_the_same() {
    let text = "extern int input(void); extern void reach_error(void); int x;
        void rec1(void) { if (input()) { rec1(); rec1(); } x = x + 1; return; }
        int main(void) { x = 0; rec1(); if (x < 0) reach_error(); return 0; }";
    assert_grows(text, "rec1");
}

#[test]
fn an_error_in_a_callee_ends_the_callers() {
    let text = "extern int input(void); extern void reach_error(void); int depth;
        void down(int n) { depth = depth + 1; if (n == 0) { if (depth > 4) reach_error(); return; } down(n - 1); }
        int main(void) { int n = input(); if (n < 0) return 0; down(n); return 0; }";
    assert!(search(text).2.is_none());
}

#[test]
fn a_summary_is_used_at_every_call() {
    let calls = |n: usize| {
        let text = format!(
            "extern int input(void); extern void reach_error(void); int x;
             void step(void) {{ if (input()) x = x + 1; else x = x + 2; }}
             int main(void) {{ x = 0; {} if (x < 0) reach_error(); return 0; }}",
            "step(); ".repeat(n)
        );
        let (_, _, summaries, stats) = search(&text);
        assert!(summaries.is_some());
        stats.count("backtracks")
    };
    let (ten, twenty) = (calls(10), calls(20));
    // Each call may try both ways: a path of the square's length, not of the exponential's.
    assert!(twenty <= 4 * ten, "{ten} backtracks for 10 calls, {twenty} for 20");
}

#[test]
fn a_product_in_a_callee_is_explored_value_by_value() {
    let text = "extern int input(void); extern void reach_error(void);
        int times(int x, int y) { return x * y; }
        int main(void) { int x = input(), y = input(); if (x < 2 || x > 18 || y < 2 || y > 1000) return 0;
            if (times(x, y) == NUMBER) reach_error(); return 0; }";
    assert!(search(&text.replace("NUMBER", "391")).2.is_none());
    assert!(search(&text.replace("NUMBER", "37")).2.is_some());
}
