use crate::{Answer, Context};
use craig_term::Value;

fn answer(script: &str) -> &'static str {
    let mut context = Context::new();
    context.read(script).expect("a script");
    match context.check() {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

#[test]
fn instances_refute() {
    for script in [
        "(declare-fun f (Int) Int) (declare-const a Int)
         (assert (forall ((x Int)) (> (f x) x))) (assert (< (f a) a))",
        "(declare-sort U 0) (declare-fun p (U) Bool) (declare-fun g (U) U) (declare-const a U)
         (assert (p a)) (assert (forall ((x U)) (=> (p x) (p (g x))))) (assert (not (p (g (g (g a))))))",
        "(declare-fun f (Int) Int) (assert (forall ((x Int) (y Int)) (=> (= (f x) (f y)) (= x y))))
         (declare-const a Int) (declare-const b Int) (assert (distinct a b)) (assert (= (f a) (f b)))",
        "(declare-const a (Array Int Int)) (declare-const n Int) (declare-const j Int)
         (assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (= (select a i) 0))))
         (assert (<= 0 j)) (assert (< j (- n 1))) (assert (not (= (select a (+ j 1)) 0)))",
        "(assert (exists ((x Int)) (forall ((y Int)) (<= x y))))",
        "(assert (not (forall ((x Real)) (exists ((y Real)) (< x y)))))",
    ] {
        assert_eq!(answer(script), "unsat", "{script}");
    }
}

#[test]
fn models_hold_for_all_values() {
    for script in [
        "(declare-fun f (Int) Int) (assert (forall ((x Int)) (> (f x) 0)))",
        "(declare-sort U 0) (declare-fun p (U) Bool) (declare-const a U) (declare-const b U)
         (assert (p a)) (assert (not (p b))) (assert (forall ((x U)) (or (= x a) (= x b))))",
        "(declare-const a (Array Int Int)) (declare-const n Int) (assert (> n 3))
         (assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (>= (select a i) 5)))) (assert (= (select a n) 2))",
        "(declare-const c Int) (assert (forall ((x Int)) (or (< x c) (> (* 2 x) c)))) (assert (> c 3))",
        "(declare-const p Bool) (assert (or p (forall ((x Int)) (< x 0))))",
    ] {
        assert_eq!(answer(script), "sat", "{script}");
    }
}

#[test]
fn neither_is_said_where_nothing_is_known() {
    // No term of the script is the value for which an instance refutes it.
    let script =
        "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (exists ((y Int)) (and (p y) (< x y)))))
         (assert (forall ((x Int)) (=> (p x) (< x 10))))";
    assert_ne!(answer(script), "sat");
    // There is no finite table for this function.
    let script = "(declare-fun f (Int) Int) (assert (forall ((x Int)) (= (f x) (* 2 x))))";
    assert_ne!(answer(script), "unsat");
}

#[test]
fn models_and_needed_assertions_are_those_of_the_formulas() {
    let mut context = Context::new();
    let parts = context
        .read(
            "(declare-fun f (Int) Int) (declare-const a Int)
             (assert (forall ((x Int)) (> (f x) x))) (assert (> a 7)) (assert (< (f a) 3))",
        )
        .expect("a script");
    assert_eq!(context.check(), Answer::Unsat);
    let crate::interpolate::Interpolation::Interpolants(needed) = context.needed() else { panic!("unsat") };
    assert_eq!(needed.len(), 3);
    assert!(parts.iter().all(|part| needed.contains(part)));
    let mut context = Context::new();
    context
        .read("(declare-const a Int) (assert (forall ((x Int)) (or (< x a) (> x 4)))) (assert (< a 6))")
        .expect("a script");
    assert_eq!(context.check(), Answer::Sat);
    let a = context.read_term("a", None).expect("declared");
    assert!(matches!(context.value(a), Some(Value::Int(value)) if value == 5.into()));
}
