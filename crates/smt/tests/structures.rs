//! Functions, arrays and uninterpreted sorts: each file in `structures` says what must come out.
//!
//! Answers are asked for with and without proofs, all at once and assertion by assertion in scopes.
//! Models are evaluated, proofs are checked. Where the answer is `unsat`, the assertions are the parts
//! of a sequence of interpolants; `(set-info :interpolants mixed)` says that there is none, because
//! the proof compares symbols that no part knows together.

use craig_base::Budget;
use craig_smt::interpolate::{self, Failure, Interpolation, Strength};
use craig_smt::native::Options;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::smtlib::{Command, CommandInput, Reader};
use craig_term::{TermId, Terms};
use std::path::Path;
use std::time::Duration;

struct Problem {
    terms: Terms,
    parts: Vec<TermId>,
    expected: Answer,
    mixed: bool,
}

fn read(path: &Path) -> Problem {
    let text = std::fs::read(path).expect("a readable file");
    let mut input = CommandInput::new(text.as_slice());
    let mut reader = Reader::new();
    let mut problem = Problem { terms: Terms::new(), parts: Vec::new(), expected: Answer::Sat, mixed: false };
    while let Some(tree) = input.next_command().expect("a readable command") {
        let tree = tree.expect("a well-formed command");
        match reader.command(&mut problem.terms, &tree).expect("a correct command") {
            Command::Assert { term, .. } => problem.parts.push(term),
            Command::SetInfo { keyword, value } => match (keyword.as_str(), value.as_str()) {
                (":status", "unsat") => problem.expected = Answer::Unsat,
                (":interpolants", "mixed") => problem.mixed = true,
                _ => {}
            },
            _ => {}
        }
    }
    problem
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(60))
}

/// Asks, and checks what comes with the answer.
fn ask(problem: &mut Problem, solver: &mut NativeSolver, proofs: bool) -> Answer {
    let terms = &mut problem.terms;
    let answer = solver.check(terms, &[], &budget());
    match &answer {
        Answer::Sat => {
            let model = solver.model().expect("a model");
            for formula in solver.assertions() {
                assert_eq!(terms.eval_bool(formula, model), Ok(true), "{}", terms.to_smtlib(formula));
            }
        }
        Answer::Unsat if proofs => {
            let root = solver.refutation().expect("proofs are on");
            let refutation = Refutation::extract(solver.proof(), root).expect("a sound log");
            assert_eq!(check(terms, solver, &refutation), Ok(()));
        }
        _ => {}
    }
    answer
}

fn answers(problem: &mut Problem, proofs: bool) {
    let options = Options { proofs, ..Options::default() };
    let mut at_once = NativeSolver::new(options);
    for &part in &problem.parts {
        at_once.assert(&mut problem.terms, part);
    }
    assert_eq!(ask(problem, &mut at_once, proofs), problem.expected);
    // One scope after the other; then the last assertion before the others.
    let mut scoped = NativeSolver::new(options);
    for index in 0..problem.parts.len() {
        scoped.push();
        scoped.assert(&mut problem.terms, problem.parts[index]);
        let answer = ask(problem, &mut scoped, proofs);
        if index + 1 == problem.parts.len() {
            assert_eq!(answer, problem.expected);
        }
    }
    for _ in 0..problem.parts.len() {
        scoped.pop();
        assert!(matches!(ask(problem, &mut scoped, proofs), Answer::Sat | Answer::Unsat));
    }
    for index in (0..problem.parts.len()).rev() {
        scoped.assert(&mut problem.terms, problem.parts[index]);
        scoped.push();
    }
    assert_eq!(ask(problem, &mut scoped, proofs), problem.expected);
}

fn is_contradictory(terms: &mut Terms, formulas: &[TermId]) -> bool {
    let mut solver = NativeSolver::default();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    solver.check(terms, &[], &budget()) == Answer::Unsat
}

fn interpolants(problem: &mut Problem) {
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let options = interpolate::Options { strength, ..interpolate::Options::default() };
        let (terms, parts) = (&mut problem.terms, &problem.parts);
        let list = match interpolate::sequence(terms, parts, &options, &budget()) {
            Interpolation::Interpolants(list) => list,
            Interpolation::Unknown(Failure::MixedReasoning) if problem.mixed => continue,
            other => panic!("{other:?}"),
        };
        assert!(!problem.mixed, "there are interpolants");
        for k in 0..parts.len() {
            let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
            let after = list.get(k).copied().unwrap_or(Terms::FALSE);
            let not_after = terms.not(after);
            assert!(is_contradictory(terms, &[before, parts[k], not_after]), "step {k}");
            let (a, b) = (terms.free_consts_of(&parts[..=k]), terms.free_consts_of(&parts[k + 1..]));
            if let Some(&interpolant) = list.get(k) {
                let shared = |c: &TermId| a.contains(c) && b.contains(c);
                assert!(terms.free_consts(interpolant).iter().all(shared), "a local symbol at {k}");
            }
        }
    }
}

#[test]
fn every_file_has_its_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/structures");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of problems")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        println!("{}", file.display());
        let mut problem = read(&file);
        answers(&mut problem, false);
        answers(&mut problem, true);
        if problem.expected == Answer::Unsat {
            interpolants(&mut problem);
        }
    }
}
