use super::{Options, solve};
use crate::horn::HornVerdict;
use craig_base::{Budget, Stats};
use craig_chc::{System, complete_derivation, read_system, simplify};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::Terms;

/// Solves, directly and after simplification, and checks models against every original clause.
fn verdict(text: &str) -> &'static str {
    let direct = verdict_of(text, false);
    assert_eq!(direct, verdict_of(text, true));
    direct
}

fn verdict_of(text: &str, simplified: bool) -> &'static str {
    let mut terms = Terms::new();
    let system: System = read_system(&mut terms, text.as_bytes()).expect("well-formed");
    let new_solver = || Box::new(NativeSolver::default()) as Box<dyn Solver>;
    let budget = Budget::unlimited();
    let mut stats = Stats::default();
    let simpler = simplify(&mut terms, &system, &budget);
    let solved = if simplified { &simpler.system } else { &system };
    match solve(&mut terms, solved, &Options::default(), &new_solver, &budget, &mut stats) {
        HornVerdict::Sat(mut model) => {
            if simplified {
                model = simpler.model(&mut terms, &system, model, &budget).expect("there is a way back");
            }
            for clause in system.clauses.iter() {
                let violation = model.violation(&mut terms, &system, clause);
                let mut solver = new_solver();
                solver.assert(&mut terms, violation);
                assert_eq!(solver.check(&mut terms, &[], &budget), Answer::Unsat, "a clause is violated");
            }
            "sat"
        }
        HornVerdict::Unsat(mut derivation) => {
            if simplified {
                derivation = simpler
                    .derivation(&mut terms, &system, &derivation, &budget)
                    .expect("there is a way back");
            }
            complete_derivation(&mut terms, &system, &mut derivation, &budget)
                .expect("every step is an instance");
            "unsat"
        }
        HornVerdict::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

#[test]
fn a_counter() {
    let system = |limit: i64| {
        format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)
             (assert (forall ((x Int)) (=> (= x 0) (p x))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x 10) (= y (+ x 1))) (p y))))
             (assert (forall ((x Int)) (=> (and (p x) (> x {limit})) false)))"
        )
    };
    assert_eq!(verdict(&system(10)), "sat");
    assert_eq!(verdict(&system(9)), "unsat");
}

#[test]
fn two_variables_in_step() {
    assert_eq!(
        verdict(
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 0))
             (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 5) (< x 3)) false)))"
        ),
        "sat"
    );
}

#[test]
fn recursion_with_two_calls() {
    let fibonacci = |bound: i64| {
        format!(
            "(declare-fun fib (Int Int) Bool)
             (assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
             (assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
             (assert (forall ((n Int) (r Int)) (=> (and (fib n r) (< r {bound})) false)))"
        )
    };
    assert_eq!(verdict(&fibonacci(1)), "sat");
    assert_eq!(verdict(&fibonacci(2)), "unsat");
}

#[test]
fn mccarthy() {
    let system = |wrong: &str| {
        format!(
            "(declare-fun m (Int Int) Bool)
             (assert (forall ((n Int)) (=> (> n 100) (m n (- n 10)))))
             (assert (forall ((n Int) (a Int) (r Int)) (=> (and (<= n 100) (m (+ n 11) a) (m a r)) (m n r))))
             (assert (forall ((n Int) (r Int)) (=> (and (m n r) {wrong}) false)))"
        )
    };
    assert_eq!(verdict(&system("(<= n 101) (distinct r 91)")), "sat");
    assert_eq!(verdict(&system("(<= n 99) (= r 91)")), "unsat");
}

#[test]
fn reals_and_booleans() {
    assert_eq!(
        verdict(
            "(declare-fun p (Bool Real) Bool)
             (assert (p true 0.0))
             (assert (forall ((b Bool) (x Real)) (=> (p b x) (p (not b) (+ x 0.5)))))
             (assert (forall ((b Bool) (x Real)) (=> (and (p b x) (< x 0.0)) false)))"
        ),
        "sat"
    );
}

#[test]
fn no_clause_at_all() {
    assert_eq!(verdict("(declare-fun p (Int) Bool)"), "sat");
    assert_eq!(verdict("(assert false)"), "unsat");
}

#[test]
fn a_program_of_small_steps() {
    let program = |bound: i64| {
        format!(
            "(declare-fun start (Int Int) Bool)(declare-fun loop (Int Int) Bool)(declare-fun then (Int Int) Bool)
             (declare-fun otherwise (Int Int) Bool)(declare-fun join (Int Int) Bool)(declare-fun exit (Int Int) Bool)
             (declare-fun nowhere (Int) Bool)(declare-fun unused (Int) Bool)
             (assert (forall ((x Int) (y Int)) (=> (= y 0) (start x y))))
             (assert (forall ((x Int) (y Int)) (=> (start x y) (loop 0 y))))
             (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 4) (= (mod x 2) 0)) (then x y))))
             (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 4) (= (mod x 2) 1)) (otherwise x y))))
             (assert (forall ((x Int) (y Int)) (=> (then x y) (join x (+ y 2)))))
             (assert (forall ((x Int) (y Int)) (=> (otherwise x y) (join x (+ y 1)))))
             (assert (forall ((x Int) (y Int)) (=> (join x y) (loop (+ x 1) y))))
             (assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 4)) (exit x y))))
             (assert (forall ((x Int) (y Int)) (=> (and (nowhere x) (exit x y)) (join x y))))
             (assert (forall ((x Int) (y Int)) (=> (exit x y) (unused x))))
             (assert (forall ((x Int) (y Int)) (=> (and (exit x y) (> y {bound})) false)))"
        )
    };
    assert_eq!(verdict(&program(6)), "sat");
    assert_eq!(verdict(&program(5)), "unsat");
}
