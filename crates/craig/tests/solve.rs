//! `craig solve`: every engine and switch gives the right answer, in every format.

use std::io::Write;
use std::process::{Command, Stdio};

const EVEN: &str = "(set-logic HORN)
(declare-fun even (Int) Bool)
(assert (even 0))
(assert (forall ((x Int)) (=> (even x) (even (+ x 2)))))
(assert (forall ((x Int)) (=> (and (even x) (< x LIMIT)) false)))
(check-sat)";

fn solve(arguments: &[&str], clauses: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["solve", "--timeout", "20s", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(clauses.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn every_switch_leaves_the_answer_as_it_is() {
    let sets: [&[&str]; 13] = [
        &[],
        &["--engine", "pdr"],
        &["--engine", "pdr", "--preserve-goals"],
        &["--engine", "duality"],
        &["--engine", "duality", "--decisions", "none"],
        &["--engine", "duality", "--decisions", "blocks"],
        &["--engine", "duality", "--no-back-jumping"],
        &["--engine", "duality", "--no-relevance"],
        &["--engine", "duality", "--no-generalisation"],
        &["--engine", "duality", "--no-eager-propagation"],
        &["--engine", "duality", "--inductive-generalisation"],
        &["--engine", "duality", "--convergence", "covering"],
        &["--engine", "duality", "--convergence", "predicates"],
    ];
    for arguments in sets {
        let (safe, code) = solve(arguments, &EVEN.replace("LIMIT", "0"));
        assert!(safe.starts_with("sat\n(define-fun even "), "{arguments:?}: {safe}");
        assert_eq!(code, Some(0));
        let (unsafe_, code) = solve(arguments, &EVEN.replace("LIMIT", "1"));
        assert!(unsafe_.starts_with("unsat\n0: (even 0) by clause 0 from ()\n"), "{arguments:?}: {unsafe_}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn bounded_answers_are_unknown() {
    for engine in ["pdr", "duality", "bmc"] {
        let clauses = EVEN.replace("(< x LIMIT)", "(= x 40)");
        let (answer, code) = solve(&["--engine", engine, "--bound", "3"], &clauses);
        assert_eq!(answer, "unknown: no derivation up to depth 3\n", "{engine}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn the_conventions_of_the_competition() {
    let (answer, _) = solve(&["--format", "chc-comp"], &EVEN.replace("LIMIT", "0"));
    assert!(answer.starts_with("sat\n(\n(define-fun even "), "{answer}");
    assert!(answer.ends_with(")\n)\n"), "{answer}");
    let (answer, _) = solve(&["--format", "chc-comp"], &EVEN.replace("LIMIT", "1"));
    assert_eq!(answer, "unsat\n");
    let (answer, _) = solve(
        &["--format", "chc-comp", "--engine", "bmc", "--bound", "2"],
        &EVEN.replace("(< x LIMIT)", "(= x 40)"),
    );
    assert_eq!(answer, "unknown\n");
}

#[test]
fn clauses_over_words_are_answered_over_words() {
    let clauses = "(set-logic HORN)
        (declare-fun p ((_ BitVec 16) Bool) Bool)
        (assert (p #x0010 true))
        (assert (forall ((x (_ BitVec 16)) (b Bool))
            (=> (p x b) (p (bvand (bvadd x #x0010) #x0ff0) (bvslt x #x0800)))))
        (assert (forall ((x (_ BitVec 16)) (b Bool)) (=> (and (p x b) (= ((_ extract 5 0) x) #bLIMIT)) false)))";
    let (safe, code) = solve(&[], &clauses.replace("LIMIT", "000001"));
    assert!(safe.starts_with("sat\n(define-fun p ((") && safe.contains("(_ BitVec 16)"), "{safe}");
    assert_eq!(code, Some(0));
    let (unsafe_, code) = solve(&[], &clauses.replace("LIMIT", "110000"));
    let steps =
        "unsat\n0: (p (_ bv16 16) true) by clause 0 from ()\n1: (p (_ bv32 16) true) by clause 1 from (0)\n";
    assert!(unsafe_.starts_with(steps), "{unsafe_}");
    assert_eq!(code, Some(0));
    assert_eq!(solve(&[], &clauses.replace("bvadd", "bvfoo")).1, Some(65));
}
