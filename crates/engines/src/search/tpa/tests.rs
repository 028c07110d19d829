use crate::horn::suite;

suite::tests!(asking |terms, system, new_solver, budget, stats|
    super::solve(terms, system, new_solver, budget, stats);
    a_counter,
    two_variables_in_step,
    arguments_that_do_not_matter,
    a_sum_that_stays,
    reals_and_booleans,
    control_in_arguments,
    no_clause_at_all
);

/// A thousand steps are ten levels.
#[test]
fn a_long_derivation() {
    let text = "(declare-fun p (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000)) (p (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y 2000)) false)))";
    assert_eq!(suite::verdict(&solve, text), "unsat");
}

#[test]
fn recursion_is_no_transition_system() {
    let text = "(declare-fun p (Int) Bool)
        (assert (p 1))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";
    let mut terms = craig_term::Terms::new();
    let system = craig_chc::read_system(&mut terms, text.as_bytes()).expect("well-formed");
    assert!(!super::applies(&terms, &system));
}
