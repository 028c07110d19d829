//! Solves Horn clauses, with a model or a derivation of a contradiction.

use craig::{Limits, Satisfiability, SolveOptions};
use std::time::Duration;

const CLAUSES: &str = "(set-logic HORN)
(declare-fun Loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (Loop x y))))
(assert (forall ((x Int) (y Int)) (=> (Loop x y) (Loop (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (Loop x y) (< y x)) false)))
(check-sat)";

fn main() -> Result<(), craig::Error> {
    let options =
        SolveOptions { limits: Limits::timeout(Duration::from_secs(60)), ..SolveOptions::default() };
    for (clauses, expected) in [
        (CLAUSES.to_string(), Satisfiability::Sat),
        (CLAUSES.replace("(< y x)", "(= y 6)"), Satisfiability::Unsat),
    ] {
        let report = craig::solve(&clauses, &options)?;
        assert_eq!(report.verdict, expected);
        let certificate = report.certificate.expect("every answer has one, which was checked");
        println!("{:?} by {}:\n{}", report.verdict, report.engine, certificate.text.trim_end());
    }
    Ok(())
}
