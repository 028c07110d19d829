//! Contracts of procedures: what `pdr` finds on the procedural view, and what the checker refuses.

use craig_base::{Budget, Stats};
use craig_certificate::{Summaries, SummaryRejection, check_summaries};
use craig_cfront::lower;
use craig_cfront::types::DataModel;
use craig_engines::{Engine, Proof, Verdict, verify};
use craig_program::Program;
use craig_program::horn::Contexts;
use craig_term::Terms;
use std::time::Duration;

fn program(text: &str) -> Program {
    let text = format!("void reach_error(void); int nondet(void);\n{text}");
    let loaded = craig_cfront::load_texts(
        vec![("test.i".to_string(), text.into_bytes())],
        DataModel::Lp64,
        &lower::Options::default(),
    );
    loaded.program.expect("the program is C")
}

fn answer(program: &Program, contexts: Contexts) -> String {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    match verify(program, Engine::PdrSummaries(contexts), &budget, &mut Stats::default()) {
        Verdict::Safe(_) => "safe".to_string(),
        Verdict::Unsafe(_) => "unsafe".to_string(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

fn answers(text: &str, expected: &str) {
    assert_eq!(answer(&program(text), Contexts::Any), expected, "{text}");
}

const MC91: &str = "int mc91(int p) { return p > 100 ? p - 10 : mc91(mc91(p + 11)); }\n";

#[test]
fn recursive_procedures_have_contracts() {
    let mc91 = format!("{MC91} int main(void) {{ if (mc91(nondet()) < 91) reach_error(); return 0; }}");
    for contexts in [Contexts::Any, Contexts::Reachable] {
        assert_eq!(answer(&program(&mc91), contexts), "safe", "{contexts:?}");
    }
    let fibonacci = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }";
    answers(&format!("{fibonacci} int main(void) {{ if (f(5) != 5) reach_error(); return 0; }}"), "safe");
}

#[test]
fn inputs_come_in_the_order_of_the_execution() {
    let text = "int g; int read(void) { g++; return nondet(); }
        int sum(int n) { if (n <= 0) return 0; int x = read(); return 10 * sum(n - 1) + x; }
        int main(void) { int n = nondet(); if (n != 3) return 0;
            if (sum(n) == 713 && g == 3) reach_error(); return 0; }";
    answers(text, "unsafe");
}

#[test]
fn a_call_that_is_never_left_may_fail() {
    let endless = "int s; void step(void) { s = s + 1; if (s == 3) reach_error(); }
        int main(void) { for (;;) step(); }";
    answers(endless, "unsafe");
    let bounded = "int s; void step(void) { if (s < 2) s = s + 1; if (s == 3) reach_error(); }
        int main(void) { for (;;) step(); }";
    answers(bounded, "safe");
}

#[test]
fn globals_are_inputs_and_outputs() {
    let text = "int depth, top;
        void down(int n) { depth++; if (depth > top) top = depth; if (n > 0) down(n - 1);
            if (n != 2) depth--; }
        int main(void) { down(nondet()); if (depth != 0) reach_error(); return 0; }";
    answers(text, "unsafe");
    let text = "int state;
        void open(void) { if (state != 0) reach_error(); state = 1; }
        void close(void) { if (state != 1) reach_error(); state = 0; }
        int main(void) { while (nondet()) { open(); if (nondet()) { close(); open(); } close(); } return 0; }";
    answers(text, "safe");
}

/// The contracts that `pdr` finds for McCarthy's function, after a change.
fn changed(change: impl FnOnce(&mut Terms, &Program, &mut Summaries)) -> Result<(), SummaryRejection> {
    let text = format!("{MC91} int main(void) {{ if (mc91(nondet()) < 91) reach_error(); return 0; }}");
    let program = program(&text);
    let engine = Engine::PdrSummaries(Contexts::Any);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let Verdict::Safe(proof) = verify(&program, engine, &budget, &mut Stats::default()) else {
        panic!("McCarthy's function has a contract");
    };
    let Proof::Summaries { mut terms, mut summaries } = *proof else { panic!("contracts were asked for") };
    change(&mut terms, &program, &mut summaries);
    check_summaries(&mut terms, &program, &summaries, &budget)
}

#[test]
fn wrong_contracts_are_refused() {
    assert_eq!(changed(|_, _, _| {}), Ok(()));
    let mc91 = |program: &Program| {
        program.procs.enumerated().find(|(_, proc)| &*proc.name == "mc91").map(|(id, _)| id).expect("mc91")
    };
    let refused = changed(|_, program, summaries| {
        summaries.contracts[&mc91(program)].ensures = Terms::TRUE;
    });
    let weak = |why: &SummaryRejection| {
        matches!(why, SummaryRejection::ReachesError { .. } | SummaryRejection::NotInductive { .. })
    };
    assert!(refused.as_ref().is_err_and(weak), "{refused:?}");
    let refused = changed(|_, program, summaries| {
        summaries.contracts[&mc91(program)].ensures = Terms::FALSE;
    });
    assert!(matches!(refused, Err(SummaryRejection::Ensures { .. })), "{refused:?}");
    let refused = changed(|_, program, summaries| {
        summaries.contracts[&mc91(program)].requires = Terms::FALSE;
    });
    assert!(matches!(refused, Err(SummaryRejection::Requires { .. })), "{refused:?}");
    let refused = changed(|_, program, summaries| {
        summaries.contracts.shift_remove(&mc91(program));
    });
    assert!(matches!(refused, Err(SummaryRejection::Undecided { .. })), "{refused:?}");
    let refused = changed(|_, program, summaries| {
        summaries.contracts[&program.entry].requires = Terms::FALSE;
    });
    assert_eq!(refused, Err(SummaryRejection::Start));
    let refused = changed(|terms, program, summaries| {
        let foreign = terms.fresh_const("elsewhere", Terms::BOOL);
        summaries.contracts[&mc91(program)].ensures = foreign;
    });
    assert!(matches!(refused, Err(SummaryRejection::ForeignSymbol { .. })), "{refused:?}");
}
