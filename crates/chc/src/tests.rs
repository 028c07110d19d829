use crate::{Interpretation, System, consistent, read_system, simplify, write_system};
use craig_base::Budget;
use craig_term::Terms;

fn read(text: &str) -> Result<(Terms, System), String> {
    let mut terms = Terms::new();
    let system = read_system(&mut terms, text.as_bytes()).map_err(|error| error.to_string())?;
    Ok((terms, system))
}

#[test]
fn all_ways_to_write_a_clause() {
    let (terms, system) = read(
        "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q () Bool)
         (assert q)
         (assert (forall ((x Int)) (=> (and q (= x 0)) (p x))))
         (assert (forall ((x Int) (y Int)) (let ((c (= y (+ x 1)))) (=> (and (p x) c) (and (p y) q)))))
         (assert (forall ((x Int)) (or (not (p x)) (>= x 0))))
         (assert (not (exists ((x Int)) (and (p x) (or (< x 0) (and q (> x 10)))))))
         (assert (forall ((x Int)) (=> (p x) (ite (> x 5) q (p x)))))
         (check-sat)",
    )
    .unwrap();
    assert_eq!(system.predicates.len(), 2);
    let shapes: Vec<(usize, bool)> =
        system.clauses.iter().map(|clause| (clause.body.len(), clause.head.is_some())).collect();
    assert_eq!(
        shapes,
        [
            (0, true),
            (1, true),
            (1, true),
            (1, true),
            (1, false),
            (2, false),
            (1, false),
            (1, true),
            (1, true)
        ]
    );
    let text = write_system(&terms, &system);
    let (_, again) = read(&text).unwrap();
    assert_eq!(again.clauses.len(), system.clauses.len());
}

#[test]
fn fixedpoint_commands() {
    let (_, system) = read(
        "(declare-rel p (Int))(declare-rel bad ())(declare-var x Int)
         (rule (p 0))(rule (=> (and (p x) (< x 10)) (p (+ x 1))))(rule (=> (and (p x) (> x 10)) bad))(query bad)",
    )
    .unwrap();
    assert_eq!(system.clauses.len(), 4);
}

#[test]
fn what_is_not_horn_is_refused_with_its_place() {
    let cases = [
        (
            "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (or (p x) (p (+ x 1)))))",
            "2:1: not a Horn clause",
        ),
        ("(declare-const c Int)(assert (= c 1))", "1:22: the constant `c` is not bound"),
        (
            "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (forall ((i Int)) (> i x)) (p x))))",
            "1:27: quantifiers in constraints",
        ),
        ("(declare-fun p (Int) Bool)(assert (p true))", "1:36: argument 1 of `p`"),
    ];
    for (input, message) in cases {
        let error = read(input).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn many_alternatives_stay_one_clause() {
    let mut terms = Terms::new();
    let calls: Vec<String> = (0..10).map(|i| format!("(or (p (+ x {i})) (q x) (> x {i}))")).collect();
    let text = format!(
        "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
         (assert (p 0))(assert (q 1))
         (assert (forall ((x Int)) (=> (and {}) false)))",
        calls.join(" ")
    );
    let system = read_system(&mut terms, text.as_bytes()).expect("well-formed");
    // One query, two facts, and two clauses for each optional predicate.
    assert_eq!(system.clauses.len(), 7);
    let query = system.clauses.iter().find(|clause| clause.head.is_none()).expect("a query");
    assert_eq!(query.body.len(), 11);
    assert_eq!(system.predicates.iter().filter(|predicate| predicate.auxiliary).count(), 2);
}

#[test]
fn constants_and_arguments_without_use_disappear() {
    let (mut terms, system) = read(
        "(declare-fun p (Int Int Int) Bool)
         (assert (p 7 0 1))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (< z x)) (p x (+ y y) (+ z 1)))))
         (assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (<= z 10))))",
    )
    .expect("well-formed");
    let simpler = simplify(&mut terms, &system, &Budget::unlimited());
    let predicate = &simpler.system.predicates.iter().next().expect("one predicate");
    assert_eq!(predicate.parameters.len(), 1);
}

#[test]
fn axioms_become_instances() {
    let (mut terms, system) = read(
        "(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (>= (f x) 0)))
         (assert (forall ((x Int)) (p (f (+ x 1)))))
         (assert (forall ((x Int)) (=> (p x) (>= x 0))))",
    )
    .expect("well-formed");
    assert_eq!((system.axioms.len(), system.clauses.len()), (1, 2));
    let constraints: Vec<bool> =
        system.clauses.iter().map(|clause| terms.free_consts(clause.constraint).is_empty()).collect();
    assert_eq!(constraints, [false, false]);
    assert!(consistent(&mut terms, &system.axioms, &Budget::unlimited()));
    let (mut terms, system) = read(
        "(declare-fun f (Int) Int)
         (assert (forall ((x Int)) (> (f x) 0)))
         (assert (forall ((x Int)) (< (f x) 0)))",
    )
    .expect("well-formed");
    assert!(!consistent(&mut terms, &system.axioms, &Budget::unlimited()));
}

/// What a transition system does in each round becomes a clause of its own, and rounds that follow each other become one.
#[test]
fn a_transition_system_has_locations() {
    let mut terms = Terms::new();
    let text = "(declare-fun p (Int Int) Bool)
        (assert (p 0 1))
        (assert (forall ((r Int) (x Int) (s Int) (y Int))
            (=> (and (p r x) (or (and (= r 0) (= s 1) (= y (+ x 1))) (and (= r 1) (= s 2) (= y (* 2 x)))
                                 (and (= r 2) (= s 2) (= y (+ x 2)))))
                (p s y))))
        (assert (forall ((r Int) (x Int)) (=> (and (p r x) (= r 2) (= x 5)) false)))";
    let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
    let simplified = simplify(&mut terms, &system, &Budget::unlimited());
    let loops =
        simplified.system.clauses.iter().filter(|clause| !clause.body.is_empty() && clause.head.is_some());
    assert_eq!((simplified.system.clauses.len(), loops.count()), (3, 1));
    let used = simplified.system.clauses.iter().flat_map(|clause| &clause.head).next().expect("a fact");
    assert_eq!(used.args.len(), 1, "the round is no argument any more");
}

#[test]
fn steps_from_different_locations_are_different_questions() {
    let (mut terms, system) = read(
        "(declare-fun p (Int Int) Bool)
         (assert (p 0 5))
         (assert (forall ((l Int) (x Int)) (=> (and (p l x) (< l 2)) (p (+ l 1) (* 2 x)))))
         (assert (forall ((l Int) (x Int)) (=> (and (p l x) (= l 2) (< x 0)) false)))",
    )
    .unwrap();
    let parameters = system.predicates.iter().next().unwrap().parameters.clone();
    let zero = terms.int(0);
    let positive = terms.lt(zero, parameters[1]);
    let mut cases = Vec::new();
    for location in 0..3 {
        let value = terms.int(location);
        let here = terms.eq(parameters[0], value);
        cases.push(terms.and2(here, positive));
    }
    let invariant = terms.or(&cases);
    let model = Interpretation::new([invariant].into_iter().collect());
    let questions: Vec<usize> =
        system.clauses.iter().map(|clause| model.violations(&mut terms, &system, clause).len()).collect();
    assert_eq!(questions, [1, 3, 3]);
    let model = Interpretation::new([positive].into_iter().collect());
    for clause in system.clauses.iter() {
        let whole = model.violation(&mut terms, &system, clause);
        assert_eq!(model.violations(&mut terms, &system, clause), [whole]);
    }
}
