//! Refutations that serve for many functions.

use super::*;
use crate::testing;
use std::time::Duration;

fn answer(text: &str, callees: Callees) -> (&'static str, Stats) {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let config = Config { merge: false, domain: false, tests: false, callees, ..Config::default() };
    let program =
        testing::program(&format!("extern int input(void);\nextern void reach_error(void);\n{text}"));
    let mut stats = Stats::default();
    let answer = match check(&Prepared::new(&program, &budget), config, &budget, &mut stats) {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(reason) => panic!("{reason}"),
    };
    (answer, stats)
}

/// Functions without loops that call each other.
const LAYERS: &str = "int f4(int x) { return x + 1; }\nint f3(int x) { return f4(f4(x)) - 1; }\n\
    int f2(int x) { return f3(f3(x)) - 1; }\nint f1(int x) { return f2(f2(x)) - 1; }\n";

#[test]
fn what_has_no_loop_is_refuted_once() {
    let main = "int main(void) { int x = input(); if (f1(x) != x + 1) reach_error(); return 0; }";
    let text = format!("{LAYERS}{main}");
    let (found, stats) = answer(&text, Callees::Labels);
    assert_eq!((found, stats.count("refinements")), ("safe", 1));
    let (found, stats) = answer(&text, Callees::Graphs);
    assert_eq!(found, "safe");
    assert!(stats.count("refinements") > 4);
    assert_eq!(answer(&text.replace("x + 1)", "x + 2)"), Callees::Labels).0, "unsafe");
}

/// The error is farther away than the first graph reaches, so that labels have to be given up.
#[test]
fn labels_end_where_graphs_grow() {
    let text = "int g;\nvoid step(void) { if (input()) g = g + 1; }\n\
        int main(void) { while (input()) { step(); if (g > LIMIT) reach_error(); if (g > 6) g = 0; } return 0; }";
    for callees in [Callees::Graphs, Callees::Labels] {
        assert_eq!(answer(&text.replace("LIMIT", "6"), callees).0, "unsafe", "{callees:?}");
        assert_eq!(answer(&text.replace("LIMIT", "7"), callees).0, "safe", "{callees:?}");
    }
}
