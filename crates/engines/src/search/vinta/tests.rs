//! The examples of the thesis, with the behaviour that the text describes.
//!
//! The programs are taken as they are, without the interval analysis, which would prove some of them
//! before the engine sees them; and widening is that of the thesis.

use super::*;
use crate::testing::Question;

fn by_vinta(text: &str, config: Config) -> (&'static str, Stats) {
    Question::plain(text, 60)
        .ask(|tm, view, budget, stats| check(tm, view, config, &Shared::default(), budget, stats))
}

fn by_ufo(text: &str, config: ufo::Config) -> (&'static str, Stats) {
    let shared = Shared::default();
    Question::plain(text, 60)
        .ask(|tm, view, budget, stats| ufo::check(tm, view, config, &shared, budget, stats))
}

/// As in the thesis: widening goes to infinity at once.
fn plain(domain: Domain, widen_after: usize, refine: Refine) -> Config {
    let widen = Delay { after: widen_after, every: 1 };
    Config { domain, widen, stop_at_constants: false, refine, ..Config::default() }
}

macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../../../../examples/papers/", $name, ".c"))
    };
}

const DOMAINS: [Domain; 4] = [Domain::Box, Domain::Boxes, Domain::Templates, Domain::Octagons];

#[test]
fn figure_2_1_needs_a_relation_between_variables() {
    let text = example!("ufo_two_loops");
    let config = Config { domain: Domain::Octagons, ..Config::default() };
    let (result, stats) = by_vinta(text, config);
    assert_eq!((result, stats.count("refinements")), ("safe", 0));
}

#[test]
fn figure_3_2_is_proved_by_every_domain() {
    let text = example!("ufo_dag");
    for domain in DOMAINS {
        let (result, stats) = by_vinta(text, plain(domain, 3, Refine::Restricted));
        assert_eq!((result, stats.count("refinements")), ("safe", 0), "{domain:?}");
    }
    assert_eq!(by_ufo(text, ufo::Config::default()).0, "safe");
}

#[test]
fn figure_5_2_has_a_safe_invariant_with_a_disjunction_of_boxes() {
    let text = example!("vinta_disjunction");
    let (result, stats) = by_vinta(text, plain(Domain::Box, 1, Refine::Restricted));
    assert_eq!(result, "safe");
    // One box contains x = 4, y = 0: the invariant has a disjunction, which only refinement can find.
    assert!(stats.count("refinements") >= 1);
    let (result, unguided) = by_vinta(text, plain(Domain::Box, 1, Refine::Dag));
    assert_eq!(result, "safe");
    let (result, interpolants_only) = by_ufo(text, ufo::Config::default());
    assert_eq!(result, "safe");
    // The thesis counts 5, 7 and 9 of them.
    let refinements = [&stats, &unguided, &interpolants_only].map(|stats| stats.count("refinements"));
    assert!(refinements.is_sorted() && refinements[0] < refinements[2], "{refinements:?}");
}

#[test]
fn figure_5_3_is_unrolled_no_further_with_restricted_interpolants() {
    // The thesis shows plain interpolants that forget x <= 10. Those of this solver keep it, and what is known of ranges
    // is no part of labels here, so restricted ones have less to go by: one more refinement is what that may cost.
    let text = example!("vinta_restricted");
    let (result, restricted) = by_vinta(text, plain(Domain::Box, 1, Refine::Restricted));
    assert_eq!(result, "safe");
    let (result, unrestricted) = by_vinta(text, plain(Domain::Box, 1, Refine::Dag));
    assert_eq!(result, "safe");
    assert!(restricted.count("nodes") <= unrestricted.count("nodes") + 1);
    assert!(restricted.count("refinements") <= unrestricted.count("refinements") + 1);
}

#[test]
fn interpolants_are_restricted_by_what_another_member_has_left() {
    let text = example!("vinta_disjunction");
    let shared = Shared::default();
    let config = plain(Domain::Box, 1, Refine::Restricted);
    let (result, _) = Question::plain(text, 60)
        .ask(|tm, view, budget, stats| check(tm, view, config, &shared, budget, stats));
    assert_eq!(result, "safe");
    for post in [ufo::Post::None, ufo::Post::Cartesian, ufo::Post::Boolean] {
        let config = ufo::Config { post, refine: Refine::Restricted, ..ufo::Config::default() };
        let (result, stats) = Question::plain(text, 60)
            .ask(|tm, view, budget, stats| ufo::check(tm, view, config, &shared, budget, stats));
        assert_eq!(result, "safe", "{post:?}");
        assert!(stats.count("labels of another member") > 0);
        let (result, alone) = by_ufo(text, config);
        assert_eq!((result, alone.count("labels of another member")), ("safe", 0));
    }
}

#[test]
fn errors_are_found_through_every_domain() {
    for text in [example!("vinta_disjunction_bug"), example!("vinta_restricted_bug"), example!("ufo_dag_bug")]
    {
        for domain in DOMAINS {
            let config = Config { domain, ..Config::default() };
            assert_eq!(by_vinta(text, config).0, "unsafe", "{domain:?}");
        }
    }
}

/// A machine that goes through its phases, and a flag that counts some of them, as in ssh-simplified: section 5.5 has
/// one refinement there, where plain interpolants need many.
const PHASES: &str = "void reach_error(void); int nondet(void);
    int main(void) {
        int state = 10, flag = 0, hit = nondet();
        while (nondet()) {
            if (state == 10) { if (flag == 0) flag = 1; state = 20; }
            else if (state == 20) { if (flag == 1) flag = 2; state = hit ? 60 : 30; }
            else if (state == 30) { state = 40; }
            else if (state == 40) { state = nondet() ? 50 : 30; }
            else if (state == 50) { state = 60; }
            else if (state == 60) { if (flag == 2) flag = 3; state = 70; }
            else if (state == 70) { if (flag == 4) reach_error(); state = hit ? 80 : 90; }
            else if (state == 80) { if (flag == 5) reach_error(); state = 90; }
            else break;
        }
        return 0;
    }";

#[test]
fn restricted_interpolants_bring_back_what_widening_lost() {
    let widen = Delay { after: 3, every: 3 };
    for domain in [Domain::Box, Domain::Boxes] {
        let config = Config { domain, widen, stop_at_constants: false, ..Config::default() };
        let (result, stats) = by_vinta(PHASES, config);
        assert_eq!(result, "safe", "{domain:?}");
        assert!((1..=6).contains(&stats.count("refinements")), "{domain:?}: {}", stats.count("refinements"));
    }
}

/// Another machine, which keeps in `next` where it goes on.
const PHASES_IN_TURNS: &str = "void reach_error(void); int nondet(void);
    int main(void) {
        int state = 10, flag = 0, hit = nondet(), next = 0;
        while (nondet()) {
            if (state == 10) { if (flag == 0) flag = 1; state = 20; }
            else if (state == 20) { if (flag == 1) flag = 2; state = hit ? 70 : 30; }
            else if (state == 30) { if (nondet()) state = 50; else { next = 40; state = 15; } }
            else if (state == 40) { if (nondet()) state = 50; else { next = 60; state = 15; } }
            else if (state == 50) { if (nondet()) state = 60; else { next = 60; state = 15; } }
            else if (state == 15) state = next;
            else if (state == 60) { if (flag == 3) flag = 4; if (hit) break; state = 70; }
            else if (state == 70) { if (flag == 2) flag = 3; else if (flag == 4) flag = 5; state = 80; }
            else if (state == 80) { if (flag == 5 && hit) reach_error(); if (flag == 4 && hit) reach_error(); if (hit) next = 60; else break; state = 15; }
            else break;
        }
        return 0;
    }";

#[test]
fn what_the_graph_stands_for_is_kept_so_that_one_refinement_will_do() {
    let config = Config {
        domain: Domain::Boxes,
        widen: Delay { after: 3, every: 3 },
        stop_at_constants: false,
        ..Config::default()
    };
    let (result, stats) = by_vinta(PHASES_IN_TURNS, config);
    // Four, where refinement keeps only what a node and those before it say.
    assert_eq!((result, stats.count("refinements")), ("safe", 1));
}
