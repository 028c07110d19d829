//! Goals in recursive procedures, and after products: one search, without other engines.

use super::*;
use crate::search::lazy_annotation::Learning;
use crate::search::random;
use crate::testing;
use std::time::Duration;

fn covered(text: &str) -> (Report, Stats) {
    covered_by(text, Criterion::Blocks, 0, &[])
}

fn covered_by(
    text: &str,
    criterion: Criterion,
    random_runs: u64,
    others: &[Member<Engine>],
) -> (Report, Stats) {
    let program = testing::program(text);
    let goals = Goals::of(&program, criterion, |_| true);
    let config = Config {
        tests: Vec::new(),
        seed: 0,
        random_runs,
        steps: 100_000,
        lazy_annotation: Some(lazy_annotation::Config::new(Learning::Interpolants, false)),
        others: others.to_vec(),
        workers: 1,
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let mut stats = Stats::default();
    let report = cover(&program, goals, &config, &budget, &mut stats, &|_, _| {});
    (report, stats)
}

fn count(report: &Report, wanted: fn(&Status) -> bool) -> usize {
    report.status.iter().filter(|&status| wanted(status)).count()
}

#[test]
fn summaries_of_recursive_procedures_serve_all_goals() {
    let (report, stats) = covered(
        "extern int input(void);
         int even(int n); int odd(int n) { if (n == 0) return 0; return even(n - 1); }
         int even(int n) { if (n == 0) return 1; return odd(n - 1); }
         int main(void) {
           int n = input();
           if (n < 0 || n > 6) return 1;
           int e = even(n), o = odd(n);
           if (e > 1) return 2;
           if (o > 1) return 3;
           if (e) return 4;
           return 5;
         }",
    );
    assert_eq!(count(&report, |status| matches!(status, Status::Open(_))), 0, "{:?}", report.status);
    assert_eq!(count(&report, |status| *status == Status::Dead), 2);
    assert!(stats.count("goals reached") as usize >= report.tests.len());
    assert_eq!(stats.count("questions to other engines"), 0);
}

#[test]
fn what_is_reached_leaves_the_graph() {
    let (report, stats) = covered(&testing::machine(8));
    assert_eq!(count(&report, |status| matches!(status, Status::Open(_))), 0, "{:?}", report.status);
    assert_eq!(count(&report, |status| *status == Status::Dead), 1);
    assert!(stats.count("searches for fewer goals") > 0);
}

#[test]
fn a_product_is_reached_or_proved_dead_by_values() {
    let inlined = "extern int input(void);
         int main(void) {
           int x = input(), y = input();
           if (x < 2 || x > 18 || y < 2 || y > 1000) return 0;
           if (x * y == 391) return 1;
           if (x * y == 37) return 2;
           return 3;
         }";
    let recursive = inlined
        .replace(
            "int main",
            "int same(int n, int a) { if (n <= 0) return a; return same(n - 1, a); } int main",
        )
        .replace("x * y == 391", "same(2, x) * y == 391");
    for text in [inlined, &recursive] {
        // After random runs the search begins with other goals, and other models.
        for random_runs in [0, 100] {
            let (report, _) = covered_by(text, Criterion::Blocks, random_runs, &[]);
            assert_eq!(count(&report, |status| matches!(status, Status::Open(_))), 0, "{:?}", report.status);
            assert_eq!(count(&report, |status| *status == Status::Dead), 1);
        }
    }
}

#[test]
fn when_nothing_new_is_reached_others_are_asked_for_all_goals_at_once() {
    let random = Engine::Random(random::Config { seed: 0, runs: 10, steps: 100_000 });
    let others = [
        Member { name: "random", engine: random, share: 50 },
        Member { name: "pdr", engine: Engine::Pdr, share: 100 },
    ];
    let text = "extern int input(void);
         int main(void) {
           int n = 0, odd = 0;
           while (n < 9000) { n = n + 1; odd = 1 - odd; if (odd < 0) return 4; if (odd > 1) return 5; }
           if (n > 9000) return 1;
           if (input()) return 2;
           return 3;
         }";
    for (criterion, dead) in [(Criterion::Blocks, 3), (Criterion::Branches, 3)] {
        let (report, stats) = covered_by(text, criterion, 0, &others);
        assert_eq!(count(&report, |status| matches!(status, Status::Open(_))), 0, "{:?}", report.status);
        assert_eq!(count(&report, |status| *status == Status::Dead), dead);
        assert!(stats.count("questions to other engines") > 0, "{stats:?}");
    }
}
