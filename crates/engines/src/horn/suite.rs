//! Small systems with known answers, for the tests of all engines.

use super::HornVerdict;
use craig_base::{Budget, Stats};
use craig_chc::{System, complete_derivation, read_system, simplify};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::Terms;

/// The tests of an engine, in a module below it: those of these systems that it can solve.
macro_rules! tests {
    ($($system:ident),* $(,)?) => {
        $crate::horn::suite::tests!(with super::Options::default(); $($system),*);
    };
    (with $options:expr; $($system:ident),* $(,)?) => {
        $crate::horn::suite::tests!(asking |terms, system, new_solver, budget, stats|
            super::solve(terms, system, &$options, new_solver, budget, stats); $($system),*);
    };
    (asking |$terms:ident, $system_:ident, $new_solver:ident, $budget:ident, $stats:ident| $asked:expr; $($system:ident),* $(,)?) => {
        fn solve(
            $terms: &mut craig_term::Terms,
            $system_: &craig_chc::System,
            $budget: &craig_base::Budget,
            $stats: &mut craig_base::Stats,
        ) -> $crate::horn::HornVerdict {
            let $new_solver: $crate::horn::NewSolver<'_> = &|| Box::new(craig_smt::NativeSolver::default());
            $asked
        }

        $(
            #[test]
            fn $system() {
                $crate::horn::suite::$system(&solve);
            }
        )*
    };
}
pub(crate) use tests;

/// An engine as the tests see it.
pub(crate) type Solve<'a> = &'a dyn Fn(&mut Terms, &System, &Budget, &mut Stats) -> HornVerdict;

/// Solves, directly and after simplification, and checks models and derivations against the
/// original clauses.
pub(crate) fn verdict(solve: Solve<'_>, text: &str) -> &'static str {
    let direct = verdict_of(solve, text, false);
    assert_eq!(direct, verdict_of(solve, text, true));
    direct
}

fn verdict_of(solve: Solve<'_>, text: &str, simplified: bool) -> &'static str {
    let mut terms = Terms::new();
    let system: System = read_system(&mut terms, text.as_bytes()).expect("well-formed");
    let budget = Budget::unlimited();
    let mut stats = Stats::default();
    let simpler = simplify(&mut terms, &system, &budget);
    let solved = if simplified { &simpler.system } else { &system };
    match solve(&mut terms, solved, &budget, &mut stats) {
        HornVerdict::Sat(mut model) => {
            if simplified {
                model = simpler.model(&mut terms, &system, model, &budget).expect("there is a way back");
            }
            for clause in system.clauses.iter() {
                let violation = model.violation(&mut terms, &system, clause);
                let mut solver = NativeSolver::default();
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

pub(crate) fn a_counter(solve: Solve<'_>) {
    let system = |limit: i64| {
        format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)
             (assert (forall ((x Int)) (=> (= x 0) (p x))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x) (< x 10) (= y (+ x 1))) (p y))))
             (assert (forall ((x Int)) (=> (and (p x) (> x {limit})) false)))"
        )
    };
    assert_eq!(verdict(solve, &system(10)), "sat");
    assert_eq!(verdict(solve, &system(9)), "unsat");
}

pub(crate) fn two_variables_in_step(solve: Solve<'_>) {
    assert_eq!(
        verdict(
            solve,
            "(declare-fun p (Int Int) Bool)
             (assert (p 0 0))
             (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))
             (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 5) (< x 3)) false)))"
        ),
        "sat"
    );
}

/// The first argument is always 7, the second grows and is never read.
pub(crate) fn arguments_that_do_not_matter(solve: Solve<'_>) {
    let system = |limit: i64| {
        format!(
            "(declare-fun p (Int Int Int) Bool)
             (assert (forall ((z Int)) (=> (and (>= z 0) (<= z 1)) (p 7 (* 3 z) z))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< z x)) (p x (+ y y) (+ z 1)))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (<= z {limit}))))"
        )
    };
    assert_eq!(verdict(solve, &system(7)), "sat");
    assert_eq!(verdict(solve, &system(6)), "unsat");
}

/// `rest >= size - done` is in no clause; it has to be added up.
pub(crate) fn a_sum_that_stays(solve: Solve<'_>) {
    assert_eq!(
        verdict(
            solve,
            "(declare-fun p (Real Real Real) Bool)
             (assert (forall ((rest Real) (size Real)) (=> (and (>= size 1) (>= rest size)) (p 0 rest size))))
             (assert (forall ((done Real) (rest Real) (size Real))
               (=> (and (p done rest size) (<= (+ done 1) size)) (p (+ done 1) (- rest 1) size))))
             (assert (forall ((done Real) (rest Real) (size Real))
               (=> (and (p done rest size) (>= done size)) (>= rest 0))))"
        ),
        "sat"
    );
}

pub(crate) fn functions_of_the_background(solve: Solve<'_>) {
    assert_eq!(
        verdict(
            solve,
            "(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
             (assert (forall ((x Int)) (>= (f x) (- x 1))))
             (assert (p 5))
             (assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (f x)))))
             (assert (forall ((x Int)) (=> (p x) (>= x 0))))"
        ),
        "sat"
    );
    assert_eq!(
        verdict(
            solve,
            "(declare-fun f (Int) Int)(declare-fun p (Int Int) Bool)
             (assert (forall ((x Int)) (p x (f x))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p x z)) (= y z))))"
        ),
        "sat"
    );
}

pub(crate) fn recursion_with_two_calls(solve: Solve<'_>) {
    let fibonacci = |bound: i64| {
        format!(
            "(declare-fun fib (Int Int) Bool)
             (assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
             (assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
             (assert (forall ((n Int) (r Int)) (=> (and (fib n r) (< r {bound})) false)))"
        )
    };
    assert_eq!(verdict(solve, &fibonacci(1)), "sat");
    assert_eq!(verdict(solve, &fibonacci(2)), "unsat");
}

pub(crate) fn mccarthy(solve: Solve<'_>) {
    let system = |wrong: &str| {
        format!(
            "(declare-fun m (Int Int) Bool)
             (assert (forall ((n Int)) (=> (> n 100) (m n (- n 10)))))
             (assert (forall ((n Int) (a Int) (r Int)) (=> (and (<= n 100) (m (+ n 11) a) (m a r)) (m n r))))
             (assert (forall ((n Int) (r Int)) (=> (and (m n r) {wrong}) false)))"
        )
    };
    assert_eq!(verdict(solve, &system("(<= n 101) (distinct r 91)")), "sat");
    assert_eq!(verdict(solve, &system("(<= n 99) (= r 91)")), "unsat");
}

pub(crate) fn reals_and_booleans(solve: Solve<'_>) {
    assert_eq!(
        verdict(
            solve,
            "(declare-fun p (Bool Real) Bool)
             (assert (p true 0.0))
             (assert (forall ((b Bool) (x Real)) (=> (p b x) (p (not b) (+ x 0.5)))))
             (assert (forall ((b Bool) (x Real)) (=> (and (p b x) (< x 0.0)) false)))"
        ),
        "sat"
    );
}

/// A transition system whose first argument is the number of a round.
pub(crate) fn control_in_arguments(solve: Solve<'_>) {
    let system = |limit: i64| {
        format!(
            "(declare-fun p (Int Int Bool) Bool)
             (assert (forall ((x Int)) (=> (> x 0) (p 0 x false))))
             (assert (forall ((r Int) (x Int) (b Bool) (s Int) (y Int) (c Bool))
               (=> (and (p r x b)
                        (or (and (= r 0) (= s 1) (= y (+ x 1)) (= c b))
                            (and (= r 1) (= s 2) (= y (* 2 x)) (= c (not b)))
                            (and (= r 2) (= s 2) (= y x) (= c b))))
                   (p s y c))))
             (assert (forall ((r Int) (x Int) (b Bool)) (=> (and (p r x b) (= r 2) (< x {limit})) false)))"
        )
    };
    assert_eq!(verdict(solve, &system(4)), "sat");
    assert_eq!(verdict(solve, &system(5)), "unsat");
}

pub(crate) fn no_clause_at_all(solve: Solve<'_>) {
    assert_eq!(verdict(solve, "(declare-fun p (Int) Bool)"), "sat");
    assert_eq!(verdict(solve, "(assert false)"), "unsat");
}

pub(crate) fn a_program_of_small_steps(solve: Solve<'_>) {
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
    assert_eq!(verdict(solve, &program(6)), "sat");
    assert_eq!(verdict(solve, &program(5)), "unsat");
}

/// Only systems with derivations, for engines that have no way to generalise.
pub(crate) fn derivable_loops(solve: Solve<'_>) {
    assert_eq!(
        verdict(
            solve,
            "(declare-fun p (Int) Bool)
             (assert (p 0))
             (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))"
        ),
        "unsat"
    );
    assert_eq!(
        verdict(
            solve,
            "(declare-fun fib (Int Int) Bool)
             (assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
             (assert (forall ((n Int) (a Int) (b Int))
                 (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
             (assert (forall ((n Int) (r Int)) (=> (and (fib n r) (= r 8)) false)))"
        ),
        "unsat"
    );
}

/// No recursion, and a procedure that is called twice.
pub(crate) fn two_procedures(solve: Solve<'_>) {
    let system = |result: i64| {
        format!(
            "(declare-fun twice (Int Int) Bool)(declare-fun add (Int Int) Bool)
             (assert (forall ((x Int)) (=> (> x 5) (add x (+ x 1)))))
             (assert (forall ((x Int)) (=> (<= x 5) (add x (+ x 2)))))
             (assert (forall ((x Int) (y Int) (z Int)) (=> (and (add x y) (add y z)) (twice x z))))
             (assert (forall ((x Int) (y Int)) (=> (and (twice x y) (= x 5) (= y {result})) false)))"
        )
    };
    assert_eq!(verdict(solve, &system(9)), "sat");
    assert_eq!(verdict(solve, &system(8)), "unsat");
}

/// A body whose disjunctions have calls in them, too many to be clauses of their own.
pub(crate) fn calls_in_branches(solve: Solve<'_>) {
    let system = |growth: i64| {
        format!(
            "(declare-fun next (Int Int) Bool)(declare-fun main (Int Int) Bool)
             (assert (forall ((x Int)) (next x (+ x 1))))
             (assert (forall ((x Int) (y Int) (z Int) (w Int))
                 (=> (and (or (and (> x 5) (next x y)) (and (<= x 5) (= y 3)))
                          (or (and (> y 4) (next y z)) (and (<= y 4) (= z y)))
                          (or (next z w) (= w z)))
                     (main x w))))
             (assert (forall ((x Int) (w Int)) (=> (and (main x w) (> x 5) (> w (+ x {growth}))) false)))"
        )
    };
    assert_eq!(verdict(solve, &system(3)), "sat");
    assert_eq!(verdict(solve, &system(2)), "unsat");
}
