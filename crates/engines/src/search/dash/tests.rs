//! The figures of 004.

use super::*;
use crate::testing::{Question, machine};

fn answer(text: &str) -> (&'static str, Stats) {
    answer_with(text, Config::default())
}

/// Runs the engine as the command line does; Lemma 2 holds.
fn answer_with(text: &str, config: Config) -> (&'static str, Stats) {
    let (answer, stats) = Question::simplified(text, 40)
        .ask(|tm, view, budget, stats| check(tm, view, config, &Shared::default(), budget, stats));
    assert_eq!(stats.count("iterations"), stats.count("solver calls"), "Lemma 2");
    assert!(stats.count(MOST_CALLS) <= 1, "Lemma 2");
    (answer, stats)
}

macro_rules! figure {
    ($name:literal) => {
        include_str!(concat!("../../../../../examples/papers/dash_", $name, ".c"))
    };
}

#[test]
fn figure_1_is_proved() {
    assert_eq!(answer(figure!("lock_unlock")).0, "safe");
    assert_eq!(answer(figure!("lock_unlock_bug")).0, "unsafe");
}

#[test]
fn figure_3_is_proved_with_the_aliasing_of_the_tests() {
    assert_eq!(answer(figure!("alias")).0, "safe");
    assert_eq!(answer(figure!("alias_bug")).0, "unsafe");
}

/// Figure 5 with `n` pointers.
fn pointers(n: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n".to_string();
    text += "extern void exit(int);\nint cells[100];\n";
    text += "int *choose(void) {\n    unsigned i = __VERIFIER_nondet_int();\n    if (i >= 100)\n        exit(0);\n    return &cells[i];\n}\n";
    text += "int main(void) {\n    int *p = choose();\n";
    for i in 1..=n {
        text += &format!("    int *p{i} = choose();\n");
    }
    for i in 1..=n {
        text += &format!("    if (p == p{i})\n        return 0;\n");
    }
    for i in 1..=n {
        text += &format!("    *p{i} = 0;\n");
    }
    text += "    *p = 1;\n";
    // One condition, as in the paper: `||` would be a branch for each pointer.
    let tests: Vec<String> = (1..=n).map(|i| format!("(*p{i} == 1)")).collect();
    text + &format!("    if ({})\n        reach_error();\n    return 0;\n}}\n", tests.join(" | "))
}

#[test]
fn figure_5_takes_refinements_linear_in_the_pointers() {
    for n in [2, 5, 10, 20, 35, 50] {
        let (answer, stats) = answer(&pointers(n));
        assert_eq!(answer, "safe");
        let refinements = stats.count("refinements");
        assert!(refinements <= 2 * n as u64 + 3, "{n} pointers: {refinements} refinements");
    }
}

#[test]
fn figure_6_is_proved() {
    assert_eq!(answer(figure!("inc")).0, "safe");
    assert_eq!(answer(figure!("inc_bug")).0, "unsafe");
}

#[test]
fn the_solver_is_called_once_in_every_iteration() {
    let (_, stats) = answer(&pointers(5));
    assert!(stats.count("iterations") > 10);
    assert_eq!(stats.count(MOST_CALLS), 1);
}

/// Locks that are taken and released if a flag says so: every flag has a frontier of its own.
fn locks(n: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n".to_string();
    text += "int main(void) {\n";
    for i in 0..n {
        text += &format!("    int p{i} = __VERIFIER_nondet_int(), lock{i} = 0;\n");
    }
    text += "    while (__VERIFIER_nondet_int()) {\n";
    for i in 0..n {
        text += &format!("        lock{i} = 0;\n        if (p{i}) lock{i} = 1;\n");
    }
    for i in 0..n {
        text += &format!("        if (p{i}) {{ if (lock{i} != 1) reach_error(); lock{i} = 0; }}\n");
    }
    text + "    }\n    return 0;\n}\n"
}

#[test]
fn several_frontiers_in_one_question_save_questions() {
    let (answer, one) = answer_with(&locks(4), Config::default());
    assert_eq!(answer, "safe");
    let (answer, four) = answer_with(&locks(4), Config { frontiers: 4, ..Config::default() });
    assert_eq!(answer, "safe");
    let calls = |stats: &Stats| stats.count("solver calls");
    assert!(calls(&four) < calls(&one), "{} and {}", calls(&four), calls(&one));
    let config = Config { frontiers: 4, ..Config::default() };
    assert_eq!(answer_with(figure!("lock_unlock"), config).0, "safe");
    assert_eq!(answer_with(figure!("lock_unlock_bug"), config).0, "unsafe");
}

const ELEMENTS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint a[10];\n\
    int main(void) {\n    unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();\n\
    if (i >= 10 || j >= 10 || k >= 10) return 0;\n    a[i] = 1; a[j] = 2; a[k] = 3;\n\
    int s = a[i] + a[j] + a[k];\n    if (s > 9) reach_error();\n    return 0;\n}\n";

#[test]
fn both_cases_of_an_index_in_the_alias_condition_save_refinements() {
    let (answer, one) = answer_with(ELEMENTS, Config::default());
    assert_eq!(answer, "safe");
    let (answer, both) = answer_with(ELEMENTS, Config { disjunctive: true, ..Config::default() });
    assert_eq!(answer, "safe");
    assert!(both.count("refinements") < one.count("refinements"));
    let wrong = ELEMENTS.replace("s > 9", "s > 8");
    assert_eq!(answer_with(&wrong, Config { disjunctive: true, ..Config::default() }).0, "unsafe");
}

#[test]
fn without_random_tests_the_solver_makes_all_of_them() {
    let config = Config { random_tests: false, ..Config::default() };
    let (answer, stats) = answer_with(figure!("alias"), config);
    assert_eq!(answer, "safe");
    assert!(stats.count("tests") <= stats.count("iterations"));
}

#[test]
fn a_sum_over_pointers_has_exponentially_many_cases_without_the_aliasing_of_tests() {
    for n in [2, 3, 4] {
        // With a branch between them, what is stored last is not in one block with what was stored before. In the
        // disjunction of Figure 5 a case ends with the first pointer that is the same: n + 1 would be left.
        let apart = "    if (__VERIFIER_nondet_int()) return 0;\n    *p = 1;\n";
        let text = pointers(n).replace("    *p = 1;\n", apart);
        let text = text.replace(" == 1) | (", " + ").replace(" == 1))", " != 0))");
        assert!(text.contains("*p1 + *p2"), "{text}");
        let (result, with) = answer(&text);
        assert_eq!((result, with.count(alias::MOST_CASES)), ("safe", 1));
        let (result, without) = answer_with(&text, Config { aliasing: false, ..Config::default() });
        assert_eq!(result, "safe");
        let cases = without.count(alias::MOST_CASES);
        assert!(cases >= 1 << n, "{n} pointers: {cases} cases");
    }
}

#[test]
fn a_decision_between_many_cases_is_one_step() {
    let answers = [Decisions::JoinedIfAlike, Decisions::Single].map(|decisions| {
        answer_with(&machine(20), Config { random_tests: false, decisions, ..Config::default() })
    });
    let [(one, joined), (other, single)] = answers;
    assert_eq!((one, other), ("safe", "safe"));
    let [joined, single] = [joined, single].map(|stats| stats.count("refinements"));
    assert!(2 * joined < single, "{joined} and {single}");
}

#[test]
fn what_is_beyond_the_paper_can_be_left_out() {
    let random_tests = false;
    for config in [
        Config { random_tests, join_targets: false, ..Config::default() },
        Config { random_tests, weaken: false, ..Config::default() },
        Config { random_tests, restarts: false, ..Config::default() },
        Config { random_tests, patience: None, ..Config::default() },
        Config { random_tests, aliasing: false, ..Config::default() },
        Config { random_tests, decisions: Decisions::Single, ..Config::default() },
    ] {
        assert_eq!(answer_with(figure!("alias"), config).0, "safe");
        assert_eq!(answer_with(figure!("alias_bug"), config).0, "unsafe");
        assert_eq!(answer_with(&locks(2), config).0, "safe");
    }
}
