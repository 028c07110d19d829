//! Recursive programs, without unrolling.

use super::*;
use crate::testing;
use std::time::Duration;

/// The answer of the engine; what it says is certified.
fn answer(text: &str) -> (&'static str, Stats) {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(30));
    let mut stats = Stats::default();
    let program = testing::program(text);
    let verdict = verify(&program, Config::default(), &Shared::default(), &budget, &mut stats);
    assert_eq!(stats.count("iterations"), stats.count("solver calls"), "Lemma 2");
    let answer = match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(reason) => panic!("{reason}"),
    };
    (answer, stats)
}

const HEADER: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";
const IDENTITY: &str = "int id(int x) { if (x <= 0) return 0; return id(x - 1) + 1; }\n";

#[test]
fn a_call_is_crossed_with_summaries() {
    let inc = "int inc(int y) { return y + 1; }\n";
    let top = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 1000) return 0; int a = inc(x); int b = inc(a);\n\
        if (b != x + 2) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{inc}{top}")).0, "safe");
    let wrong = top.replace("x + 2", "x + 3");
    assert_eq!(answer(&format!("{HEADER}{inc}{wrong}")).0, "unsafe");
}

#[test]
fn recursion_of_unknown_depth_is_proved() {
    let main = "int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0 && id(n) != n) reach_error(); return 0; }\n";
    let (answer, stats) = answer(&format!("{HEADER}{IDENTITY}{main}"));
    assert_eq!(answer, "safe");
    assert!(stats.count("may summaries") > 0);
}

#[test]
fn recursion_of_known_depth_is_proved() {
    let known = "int main(void) { if (id(7) != 7) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{IDENTITY}{known}")).0, "safe");
    let bounded = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 9 && id(n) > 8) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{IDENTITY}{bounded}")).0, "safe");
}

#[test]
fn summaries_serve_more_than_one_call() {
    let main = "int main(void) { int n = __VERIFIER_nondet_int(); if (n <= 0) return 0;\n\
        if (id(n) != n) reach_error(); if (id(n + 1) != n + 1) reach_error(); if (id(n + 2) != n + 2) reach_error(); return 0; }\n";
    let (answer, stats) = answer(&format!("{HEADER}{IDENTITY}{main}"));
    assert_eq!(answer, "safe");
    assert_eq!(stats.count("questions to procedures"), stats.count("may summaries"));
    assert!(stats.count("may summaries") <= 2, "{}", stats.count("may summaries"));
}

#[test]
fn a_test_goes_as_deep_as_the_error_is() {
    let main = "int main(void) { if (id(__VERIFIER_nondet_int()) == 13) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{IDENTITY}{main}")).0, "unsafe");
}

#[test]
fn an_error_in_a_callee_is_one_of_the_program() {
    let down = "void down(int n) { if (n < 0) reach_error(); if (n == 0) return; down(n - 1); }\n";
    let main = "int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0) down(n); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{down}{main}")).0, "safe");
    let wrong = main.replace("n >= 0", "n >= -1");
    assert_eq!(answer(&format!("{HEADER}{down}{wrong}")).0, "unsafe");
}

#[test]
fn loops_and_calls_go_together() {
    let text = "int main(void) { int s = 0; for (int i = 0; i < 10; i++) s = s + id(1); if (s < 0) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{IDENTITY}{text}")).0, "safe");
}

#[test]
fn memory_at_the_entry_is_known_behind_a_call() {
    let inc = "void inc(int *p) { *p = *p + 1; }\n";
    let main = "int main(void) { int x = __VERIFIER_nondet_int(), y = x; if (x > 1000) return 0; inc(&x);\n\
        if (x != y + 1) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{inc}{main}")).0, "safe");
    let wrong = main.replace("y + 1", "y + 2");
    assert_eq!(answer(&format!("{HEADER}{inc}{wrong}")).0, "unsafe");
}

#[test]
fn callees_are_asked_with_the_memory_that_they_were_given() {
    let swap = "int a, b;\nvoid set(int *p, int v) { *p = v; }\nint get(int *p) { return *p; }\n\
        void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }\n\
        int main(void) { int *p = __VERIFIER_nondet_int() ? &a : &b; int *q = p == &a ? &b : &a;\n\
        set(p, 1); set(q, 2); swap(p, q); if (get(p) != 2 || get(q) != 1) reach_error(); return 0; }\n";
    assert_eq!(answer(&format!("{HEADER}{swap}")).0, "safe");
    let wrong = swap.replace("get(p) != 2", "get(p) != 1");
    assert_eq!(answer(&format!("{HEADER}{wrong}")).0, "unsafe");
}
