use super::flatten;
use crate::read_system;
use craig_term::Terms;

/// How many cases each clause has, and how many disequalities these have together.
fn cases(clauses: &str) -> Vec<(usize, usize)> {
    let text = format!(
        "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-fun p (L) Bool){clauses}"
    );
    let mut terms = Terms::new();
    let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
    let flat = flatten(&mut terms, &system).expect("a simple form");
    let of = |clause| flat.iter().filter(move |case| case.origin == clause);
    let clauses = system.clauses.indices();
    clauses.map(|id| (of(id).count(), of(id).map(|case| case.distinct.len()).sum())).collect()
}

#[test]
fn clauses_become_cases() {
    let one = |body: &str, head: &str| {
        cases(&format!("(assert (forall ((x L) (y L) (n Int)) (=> (and (p x) {body}) {head})))"))
    };
    // What is equal is one variable, what is different is said so.
    assert_eq!(one("(= x y)", "(p y)"), [(1, 0)]);
    assert_eq!(one("(distinct x y)", "(p y)"), [(1, 1)]);
    assert_eq!(one("(or (= x y) (> n 0))", "(p y)"), [(2, 1)]);
    // A finite term is no part of itself.
    assert_eq!(one("(= x (cons n x))", "false"), [(0, 0)]);
    // A tester leaves one constructor, a selector all of them.
    assert_eq!(one("((_ is cons) x)", "(p (tail x))"), [(1, 0)]);
    assert_eq!(one("true", "(p (tail x))"), [(2, 0)]);
    assert_eq!(one("true", "(p (ite (> n 0) x nil))"), [(2, 0)]);
    assert_eq!(one("(= x (cons n y)) (= x nil)", "(p y)"), [(0, 0)]);
}

#[test]
fn the_value_of_a_wrong_selector_is_marked() {
    let mut terms = Terms::new();
    let text = "(declare-datatype L ((nil) (cons (tail L))))(declare-fun p (L) Bool)(assert (p (tail nil)))";
    let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
    let flat = flatten(&mut terms, &system).expect("a simple form");
    assert!(matches!(&flat[..], [only] if only.unspecified));
}
