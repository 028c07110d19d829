//! The figures of 003, with the behaviour that the text describes, and Theorem 2.
//!
//! The programs are taken as they are, without the interval analysis: it would prove Figures 8 and 9
//! before the engine sees them.

use super::*;
use crate::testing::Question;
use crate::view::encode_inlined;

type Check = fn(&mut Terms, &InlinedView<'_>, Config, &Budget, &mut Stats) -> Finding;

fn answer(text: &str, engine: Check, patience: Option<usize>, seconds: u64) -> (&'static str, Stats) {
    let config = Config { patience, ..Config::default() };
    Question::plain(text, seconds).ask(|tm, view, budget, stats| engine(tm, view, config, budget, stats))
}

macro_rules! figure {
    ($name:literal) => {
        include_str!(concat!("../../../../../examples/papers/synergy_", $name, ".c"))
    };
}

const NEVER: Option<usize> = None;

#[test]
fn figure_1_takes_two_tests_and_no_refinement() {
    let (answer, stats) = answer(figure!("fig1"), check, NEVER, 60);
    assert_eq!(answer, "unsafe");
    assert!(stats.count("tests") <= 2);
    assert_eq!(stats.count("refinements"), 0);
}

#[test]
fn figure_1_costs_lee_yannakakis_a_refinement_for_each_iteration() {
    let (_, stats) = answer(figure!("fig1"), check_by_bisimulation, NEVER, 2);
    assert!(stats.count("refinements") >= 10, "{}", stats.count("refinements"));
}

#[test]
fn figure_3_is_proved() {
    let (result, stats) = answer(figure!("fig3"), check, NEVER, 60);
    assert_eq!(result, "safe");
    assert!(stats.count("iterations") <= 15, "{}", stats.count("iterations"));
    assert_eq!(answer(figure!("fig3_bug"), check, NEVER, 60).0, "unsafe");
}

#[test]
fn figure_4_is_like_figure_1() {
    let (answer, stats) = answer(figure!("fig4"), check, NEVER, 60);
    assert_eq!(answer, "unsafe");
    assert!(stats.count("tests") <= 2);
    assert_eq!(stats.count("refinements"), 0);
}

#[test]
fn figure_6_is_proved_at_once_but_has_no_finite_bisimulation() {
    let (result, stats) = answer(figure!("fig6"), check, NEVER, 60);
    assert_eq!((result, stats.count("iterations")), ("safe", 0));
    let (result, stats) = answer(figure!("fig6"), check_by_bisimulation, NEVER, 2);
    assert_eq!(result, "no end");
    assert!(stats.count("refinements") >= 10, "{}", stats.count("refinements"));
}

#[test]
fn figure_7_needs_three_tests_at_most() {
    let (answer, stats) = answer(figure!("fig7"), check, NEVER, 60);
    assert_eq!(answer, "unsafe");
    assert!(stats.count("tests") <= 3);
}

/// Figure 8 with `n` branches.
fn diamonds(n: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n".to_string();
    text += "int main(void) {\n    int state = 1;\n    int x = 0;\n";
    for _ in 0..n {
        text += "    if (__VERIFIER_nondet_int())\n        x = x + 1;\n    else\n        x = x - 1;\n";
    }
    text + "    if (state != 1)\n        reach_error();\n    return 0;\n}\n"
}

#[test]
fn figure_8_takes_iterations_linear_in_the_branches() {
    for n in [5, 50, 200] {
        let (answer, stats) = answer(&diamonds(n), check, NEVER, 120);
        assert_eq!(answer, "safe");
        let iterations = stats.count("iterations");
        assert!(iterations <= 6 * n as u64 + 10, "{n} branches: {iterations} iterations");
    }
}

#[test]
fn figure_9_is_proved_only_with_generalisation() {
    let (result, stats) = answer(figure!("fig9"), check, NEVER, 2);
    assert_eq!(result, "no end");
    assert!(stats.count("refinements") >= 20, "{}", stats.count("refinements"));
    let (result, stats) = answer(figure!("fig9"), check, Some(1), 60);
    assert_eq!(result, "safe");
    assert!(stats.count("generalisations") >= 1);
}

/// A program with finitely many states: a loop with random branches and assignments of Booleans.
fn finite_program(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    };
    let mut text = "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\n".to_string();
    text += "int main(void) {\n    _Bool a = 0, b = 0, c = 1;\n    while (__VERIFIER_nondet_bool()) {\n";
    let variables = ["a", "b", "c"];
    for _ in 0..2 + next(3) {
        let mut variable = || variables[next(3) as usize];
        let (x, y, z) = (variable(), variable(), variable());
        let guard = match next(4) {
            0 => y.to_string(),
            1 => format!("!{y}"),
            2 => format!("{y} == {z}"),
            _ => "__VERIFIER_nondet_bool()".to_string(),
        };
        let value = match next(4) {
            0 => format!("{}", next(2)),
            1 => format!("!{y}"),
            2 => format!("{y} && {z}"),
            _ => format!("{x} != {z}"),
        };
        text += &format!("        if ({guard})\n            {x} = {value};\n");
    }
    let (a, b, c) = (next(2), next(2), next(2));
    text + &format!(
        "    }}\n    if (a == {a} && b == {b} && c == {c})\n        reach_error();\n    return 0;\n}}\n"
    )
}

/// Theorem 2, and Lemma 1 as far as it is about regions with states: what Lee and Yannakakis's
/// algorithm decides, SYNERGY decides as well, and each region of the former that has a state lies
/// within one of the latter. For regions without states the lemma does not hold, and where there are
/// infinitely many states the theorem depends on the order of the splits: SYNERGY may cut `x == -1`,
/// `x == -2` and so on out of a region that Lee and Yannakakis's algorithm happens to take apart in
/// another way first.
#[test]
fn theorem_2_on_random_finite_programs() {
    let mut safe = 0;
    for seed in 1..=30 {
        let Question { inlined, simplified, granularity, budget } =
            Question::plain(&finite_program(seed), 60);
        let encoded = encode_inlined(&simplified, granularity, &simplified.ranges, &budget).expect("time");
        let mut tm = encoded.terms;
        let view = InlinedView::new(&inlined, &simplified, &encoded.code);
        let config = Config { patience: None, ..Config::default() };
        let mut stats = Stats::default();
        let mut bisimulation = Search::new(&mut tm, &view, config, Extent::Everything, &budget, &mut stats)
            .unwrap_or_else(|_| panic!("a search"));
        let expected = bisimulation.stabilise().unwrap_or_else(|_| panic!("{seed}: no end"));
        let finest = bisimulation.yogi.query.partition.clone();
        let mut stats = Stats::default();
        let mut search = Search::new(&mut tm, &view, config, Extent::Everything, &budget, &mut stats)
            .unwrap_or_else(|_| panic!("a search"));
        let found = search.run().unwrap_or_else(|_| panic!("{seed}: no end"));
        let coarser = search.yogi.query.partition.clone();
        let facts: Vec<TermId> = search.yogi.query.graph.points.iter().map(|point| point.facts).collect();
        match (expected, found) {
            (Finding::Unsafe(_), Finding::Unsafe(_)) => continue,
            (Finding::Safe(_), Finding::Safe(_)) => safe += 1,
            _ => panic!("{seed}: different answers"),
        }
        for region in finest.regions.iter().filter(|region| !region.nodes.is_empty()) {
            let meets = |other: RegionId, tm: &mut Terms| {
                let mut solver = NativeSolver::default();
                solver.assert(tm, facts[region.point.0 as usize]);
                solver.assert(tm, region.formula);
                solver.assert(tm, coarser.regions[other].formula);
                solver.check(tm, &[], &budget) == Answer::Sat
            };
            let met = coarser.at[region.point].iter().filter(|&&other| meets(other, &mut tm)).count();
            assert_eq!(met, 1, "{seed}: a region of the quotient lies in {met} regions");
        }
    }
    assert!(safe >= 5, "only {safe} of the programs are safe");
}

/// Locks that are taken and released if a flag says so.
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
fn branches_before_a_check_do_not_double_the_regions() {
    let patience = Config::default().patience;
    for n in [4, 8] {
        let (result, stats) = answer(&locks(n), check, patience, 60);
        assert_eq!(result, "safe");
        assert!(stats.count("iterations") < 3000, "{n} locks: {}", stats.count("iterations"));
    }
}
