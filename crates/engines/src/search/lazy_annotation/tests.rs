//! The fragments of the paper's Figure 1, and work that grows with the number of diamonds.
//!
//! The programs are taken as they are, without the interval analysis, so that what is learnt is what
//! the paper derives.

use super::*;
use crate::testing::{self, Question};
use craig_certificate::{Summaries, check_summaries};
use craig_program::encode::StateNames;
use craig_program::{Program, StateVar};
use craig_smt::{Answer, NativeSolver, Solver};
use std::fmt::Write;
use std::time::Duration;

fn answer(text: &str, learn: Learning) -> (&'static str, Stats) {
    answer_with(text, Config::new(learn, false))
}

fn answer_with(text: &str, config: Config) -> (&'static str, Stats) {
    let question = Question { granularity: config.granularity(), ..Question::plain(text, 20) };
    question.ask(|tm, view, budget, stats| check(tm, view, config, budget, stats))
}

fn main_with(body: &str) -> String {
    format!("extern int input(void); extern void reach_error(void);\nint main(void) {{ {body} return 0; }}\n")
}

#[test]
fn simple() {
    let text = main_with(
        "int x = input(); if (x != 0) return 0;
         if (input()) { int y = input(); if (y < 0) return 0; x = x + y; }
         if (x < 0) reach_error();",
    );
    let (answer, stats) = answer(&text, Learning::Interpolants);
    assert_eq!(answer, "safe");
    assert_eq!(stats.count("unwindings"), 1);
}

#[test]
fn a_decision_between_many_cases_is_one_step() {
    let answers = [Decisions::Joined, Decisions::Single].map(|decisions| {
        let config = Config { decisions, ..Config::new(Learning::Interpolants, false) };
        answer_with(&testing::machine(6), config)
    });
    let [(one, joined), (other, single)] = answers;
    assert_eq!((one, other), ("safe", "safe"));
    let [joined, single] = [joined, single].map(|stats| stats.count("labels"));
    assert!(2 * joined < single, "{joined} and {single}");
}

#[test]
fn call1() {
    let text = "extern int input(void); extern void reach_error(void); int x;
        void foo(void) { x = x + 1; return; }
        int main(void) { int y = input(); x = y; foo(); if (x < y) reach_error(); return 0; }";
    assert_eq!(answer(text, Learning::Interpolants).0, "safe");
}

#[test]
fn loop1_needs_no_second_way_around() {
    let text = main_with(
        "int x = input(), y = input(), n = input(), i = 0; if (x != y) return 0;
         while (i < n) { x = x + 1; i = i + 1; }
         if (x < y) reach_error();",
    );
    let (answer, stats) = answer(&text, Learning::Interpolants);
    assert_eq!((answer, stats.count("largest bound")), ("safe", 0));
}

#[test]
fn an_error_behind_three_rounds_is_found_when_the_bound_has_grown() {
    let text = main_with("int i = 0; while (i < 3) i = i + 1; if (i == 3) reach_error();");
    assert_eq!(answer(&text, Learning::Interpolants).0, "unsafe");
}

/// Diamonds on an irrelevant variable between a fact and its use.
fn diamonds(n: usize) -> String {
    let mut body = "int p = input(), x = 0, a; if (!p) return 0;\n".to_string();
    for _ in 0..n {
        let _ = writeln!(body, "if (input()) a = 1; else a = 0; if (a) x = x + 1; else x = x - 1;");
    }
    body.push_str("if (!p) reach_error();");
    main_with(&body)
}

#[test]
fn diamonds_cost_as_many_backtracks_as_there_are() {
    let backtracks = |n| {
        let (answer, stats) = answer(&diamonds(n), Learning::Interpolants);
        assert_eq!(answer, "safe");
        stats.count("backtracks")
    };
    let (ten, twenty) = (backtracks(10), backtracks(20));
    assert!(twenty <= 2 * ten + 4, "{ten} backtracks for 10 diamonds, {twenty} for 20");
}

#[test]
fn without_learning_all_paths_are_tried() {
    let backtracks = |n| answer(&diamonds(n), Learning::Nothing).1.count("backtracks");
    assert!(backtracks(6) >= 2 * backtracks(5) - 8);
}

#[test]
fn labels_may_be_weakest_preconditions() {
    let text = main_with(
        "int x = input(), y = input(), n = input(), i = 0; if (x != y || n > 6) return 0;
         while (i < n) { x = x + input() % 2; if (x < y) return 0; i = i + 1; }
         if (x < y) reach_error();",
    );
    assert_eq!(answer(&text, Learning::WeakestPreconditions).0, "safe");
}

#[test]
fn values_that_are_left_are_explored_before_anything_is_proved() {
    // Seventeen values for the smaller factor, each refuted by itself: 37 is prime.
    let text = main_with(
        "int x = input(), y = input(); if (x < 2 || x > 18 || y < 2) return 0;
         if (x * y == 37) reach_error();",
    );
    let (answer, stats) = answer(&text, Learning::Interpolants);
    assert_eq!(answer, "safe");
    assert!(stats.count("values fixed") > 1);
    // One more value than was tried so far, and the error is there.
    let text = text.replace("x > 18", "x > 18 && x != 37").replace("y < 2", "y < 1");
    assert_eq!(super::tests::answer(&text, Learning::Interpolants).0, "unsafe");
}

#[test]
fn too_many_values_are_no_proof() {
    let text = main_with(
        "unsigned x = input(), y = input(); if (x < 100 || x > 2000 || y < 100 || y > 2000) return 0;
         if (x * y == 1000003) reach_error();",
    );
    assert_eq!(answer(&text, Learning::Interpolants).0, "unknown");
}

#[test]
fn bounds_of_what_may_reach_the_goal_replace_one_more_state_each_time_around() {
    // Weakest preconditions exclude -1, then -2, then -3; from the goal backwards all negative numbers.
    let text = main_with("int x = 0; while (input()) x = x + 1; if (x == -1) reach_error();");
    let (answer, stats) = answer(&text, Learning::WeakestPreconditions);
    assert_eq!((answer, stats.count("proofs by backward interpretation")), ("safe", 1));
}

/// Searches the program with its procedures. If it is safe: its contracts, which were checked.
fn contracts(text: &str) -> (Program, Terms, Option<Summaries>, Stats) {
    let program = testing::program(text);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let config = Config::new(Learning::Interpolants, true);
    let mut stats = Stats::default();
    let summaries = match check_procedures(&Prepared::new(&program, &budget), config, &budget, &mut stats) {
        Verdict::Safe(proof) => match *proof {
            crate::Proof::Summaries { terms, summaries } => Some((terms, summaries)),
            _ => panic!("no contracts"),
        },
        Verdict::Unsafe(_) => None,
        Verdict::Unknown(reason) => panic!("no answer: {reason}"),
    };
    let (mut terms, summaries) =
        summaries.map_or((Terms::new(), None), |(terms, found)| (terms, Some(found)));
    if let Some(summaries) = &summaries {
        check_summaries(&mut terms, &program, summaries, &budget).expect("contracts that hold");
    }
    (program, terms, summaries, stats)
}

/// Asserts that the summary of the procedure is that the global `x` is not less afterwards, or not as
/// small, and nothing else.
fn assert_grows(text: &str, procedure: &str) {
    let (program, mut terms, summaries, _) = contracts(text);
    let summaries = summaries.expect("a safe program");
    let (proc, _) = program.procs.enumerated().find(|(_, p)| &*p.name == procedure).expect("there");
    let (x, _) = program.vars.enumerated().find(|(_, var)| &*var.name == "x").expect("there");
    let mut names = StateNames::default();
    let before = names.entry(&program, &mut terms, StateVar::Var(x));
    let after = names.current(&program, &mut terms, StateVar::Var(x));
    let expected = [terms.le(before, after), terms.lt(before, after)];
    let ensures = summaries.contracts[&proc].ensures;
    // What types say may be said as well.
    let [least, most] = [i32::MIN, i32::MAX].map(|bound| terms.int(bound));
    let typed = [before, after].map(|x| [terms.le(least, x), terms.le(x, most)]).concat();
    let is_expected = expected.into_iter().any(|expected| {
        let same = terms.eq(ensures, expected);
        let differs = [&[terms.not(same)], &typed[..]].concat();
        NativeSolver::default().check(&mut terms, &differs, &Budget::unlimited()) == Answer::Unsat
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

/// In the paper, `rec1` begins with `x = 0`; but then that `x` is never negative is enough for a proof.
#[test]
fn rec1_has_the_same() {
    let text = "extern int input(void); extern void reach_error(void); int x;
        void rec1(void) { if (input()) { rec1(); rec1(); } x = x + 1; return; }
        int main(void) { int y = START; x = y; rec1(); if (x < y) reach_error(); return 0; }";
    assert_grows(&text.replace("START", "input()"), "rec1");
    assert!(contracts(&text.replace("START", "0")).2.is_some());
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
        let (_, _, summaries, stats) = contracts(&text);
        assert!(summaries.is_some());
        stats.count("backtracks")
    };
    let (ten, twenty) = (calls(10), calls(20));
    // Each call may try both ways: a path of the square's length, not of the exponential's.
    assert!(twenty <= 4 * ten, "{ten} backtracks for 10 calls, {twenty} for 20");
}

#[test]
fn complete_paths_are_few_with_learning_on_the_graph_without_merging() {
    let branch = "if (input()) a = 1; else a = 0; if (a) x = x + 1; else x = x - 1;";
    let text = main_with(&format!(
        "int p = input(), x = 0, a; if (!p) return 0; {} if (!p) reach_error();",
        branch.repeat(6)
    ));
    let ask = |config: Config| {
        let question = Question { granularity: config.granularity(), ..Question::plain(&text, 20) };
        question.ask(|tm, view, budget, stats| check(tm, view, config, budget, stats))
    };
    let (result, learnt) = ask(Config { merge: false, ..Config::new(Learning::Interpolants, false) });
    assert_eq!(result, "safe");
    let (_, all) = ask(Config::new(Learning::Nothing, false));
    let paths = |stats: &Stats| stats.count(COMPLETE_PATHS);
    assert!(paths(&learnt) <= 30 && paths(&all) >= 64, "{} and {}", paths(&learnt), paths(&all));
}

#[test]
fn strengthenings_can_be_left_out() {
    let text = main_with(
        "int x = 0, n = input(); while (n > 0) { x = x + 1; n = n - 1; } if (x < 0) reach_error();",
    );
    let full = Config::new(Learning::Interpolants, false);
    for config in [
        Config { substitute: false, ..full },
        Config { predicates: false, ..full },
        Config { backward: false, ..full },
        Config { bounded_loops: false, ..full },
        Config { merge: false, ..full },
    ] {
        let question = Question { granularity: config.granularity(), ..Question::plain(&text, 20) };
        let (result, _) = question.ask(|tm, view, budget, stats| check(tm, view, config, budget, stats));
        assert_eq!(result, "safe", "{config:?}");
    }
}
