//! How the tests of engines ask about small programs.

use crate::path::reached_error;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use crate::view::encode_inlined;
use craig_base::{Budget, Stats};
use craig_certificate::{Invariant, check_invariant};
use craig_exec::Limits;
use craig_program::{Granularity, Inlined, Program, Simplified, inline, simplify};
use craig_term::Terms;
use std::time::Duration;

pub fn program(text: &str) -> Program {
    let options = craig_cfront::lower::Options::default();
    let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    loaded.program.expect("a program")
}

/// A question about a program without calls.
pub struct Question {
    pub inlined: Inlined,
    pub simplified: Simplified,
    pub granularity: Granularity,
    pub budget: Budget,
}

impl Question {
    /// About the program as it is: the interval analysis would prove many examples before an engine sees them.
    pub fn plain(text: &str, seconds: u64) -> Self {
        let inlined = inline(&program(text), 100_000).expect("no recursion");
        let simplified = Simplified::unchanged(&inlined.program);
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(seconds));
        Question { inlined, simplified, granularity: Granularity::Loops, budget }
    }

    /// About the program as the command line has it.
    pub fn simplified(text: &str, seconds: u64) -> Self {
        let mut question = Question::plain(text, seconds);
        question.simplified = simplify(&question.inlined.program, &question.budget).expect("time");
        question
    }

    /// What an engine answers; a proof is checked, and a path executed.
    pub fn ask(
        &self,
        search: impl FnOnce(&mut Terms, &InlinedView<'_>, &Budget, &mut Stats) -> Finding,
    ) -> (&'static str, Stats) {
        let Question { inlined, simplified, granularity, budget } = self;
        let encoded = encode_inlined(simplified, *granularity, &simplified.ranges, budget).expect("time");
        let mut terms = encoded.terms;
        let view = InlinedView::new(inlined, simplified, &encoded.code);
        let mut stats = Stats::default();
        let answer = match search(&mut terms, &view, budget, &mut stats) {
            Finding::Safe(found) => {
                let invariant =
                    Invariant { formulas: simplified.invariants(&mut terms, &found.formulas), ..found };
                check_invariant(&mut terms, &inlined.program, &invariant, &Budget::unlimited())
                    .expect("an inductive invariant");
                "safe"
            }
            Finding::Unsafe(mut path) => {
                path.restore_memory(&simplified.scalars);
                assert!(reached_error(&path.execute(&inlined.program, &|_| false, &Limits::default())));
                "unsafe"
            }
            Finding::Unknown(Reason::Stopped(_)) => "no end",
            Finding::Unknown(_) => "unknown",
        };
        (answer, stats)
    }
}

/// A machine with `n` states, of which the second sets what the last needs.
pub fn machine(n: usize) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int main(void) {\n    int state = 0, set = 0;\n    while (__VERIFIER_nondet_int()) {\n        "
        .to_string();
    for i in 0..n {
        let set = if i == 1 { "set = 1; " } else { "" };
        text +=
            &format!("if (state == {i}) {{ {set}if (__VERIFIER_nondet_int()) state = {}; }} else ", i + 1);
    }
    text + "{ if (!set) reach_error(); state = 0; set = 0; }\n    }\n    return 0;\n}\n"
}
