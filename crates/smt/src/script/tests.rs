use super::*;
use craig_term::smtlib::CommandInput;

/// The responses to a script, one for each command that has something to say.
fn responses(script: &str) -> Vec<String> {
    let mut input = CommandInput::new(script.as_bytes());
    let mut running = Script::default();
    let budget = Budget::unlimited();
    let mut said = Vec::new();
    while let Some(tree) = input.next_command().expect("bytes") {
        match tree.and_then(|tree| running.execute(&tree, &budget)) {
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => said.push(text),
            Ok(Response::Unknown(reason)) => said.push(format!("unknown {reason}")),
            Ok(Response::Unsupported) => said.push("unsupported".to_string()),
            Ok(Response::Error(message)) => said.push(format!("error {message}")),
            Ok(Response::Exit) => break,
            Err(error) => said.push(format!("input {error}")),
        }
    }
    said
}

const XY: &str = "(set-logic QF_LIA) (declare-fun x () Int) (declare-fun y () Int) ";

#[test]
fn checks_with_levels() {
    let script = "(assert (> x 0)) (check-sat) (push 1) (assert (< x 0)) (check-sat) (pop 1) (check-sat)
        (check-sat-assuming ((< x 0))) (get-unsat-assumptions) (assert (< x 0)) (check-sat) (exit) (check-sat)";
    let said = responses(&format!("{XY}{script}"));
    assert_eq!(said, ["sat", "unsat", "sat", "unsat", "((<= x (- 1)))", "unsat"]);
}

#[test]
fn models_and_values() {
    let script = "(assert (and (= x 7) (= y (- x 9)))) (check-sat) (get-model) (get-value (x (+ x y)))";
    let said = responses(&format!("{XY}{script}"));
    assert_eq!(said[1], "(\n  (define-fun x () Int 7)\n  (define-fun y () Int (- 2))\n)");
    assert_eq!(said[2], "((x 7)\n ((+ x y) 5))");
}

#[test]
fn named_formulas_have_a_truth() {
    let script =
        "(assert (! (or (! (= x (+ y 5)) :named sum) (! (> (! y :named number) 7) :named |y z|)) :named all))
        (assert (= y 0)) (get-assignment) (check-sat) (get-assignment)
        (push) (assert (! (< x y) :named inner)) (pop) (check-sat) (get-assignment)";
    let said = responses(&format!("{XY}{script}"));
    let truths = "((sum true)\n (|y z| false)\n (all true))";
    assert_eq!(said[1..], ["sat", truths, "sat", truths]);
    assert!(said[0].starts_with("error"));
}

#[test]
fn declarations_may_be_global() {
    let script = "(push) (declare-const z Int) (assert (! (> z 0) :named n)) (pop) (assert (not n))
        (check-sat) (get-value (z)) (get-assignment)";
    let said = responses(&format!("(set-option :global-declarations true) {script}"));
    assert_eq!(said, ["sat", "((z 0))", "((n false))"]);
    let again = "(assert (! (< z 0) :named n)) (check-sat) (get-assignment) (assert (! true :named n))";
    let said = responses(&format!("(set-option :global-declarations true) {script} {again}"));
    assert_eq!(said[3..5], ["sat", "((n true))"]);
    assert!(said[5].contains("already declared"));
    let said = responses(&format!("(set-option :global-declarations false) {script}"));
    assert!(said[0].contains("unknown symbol"));
}

#[test]
fn a_check_may_have_assumptions_of_its_own() {
    let said = responses(&format!("{XY} (assert (> x 0)) (check-sat (< x y) (< y 2)) (check-sat)"));
    assert_eq!(said, ["unsat", "sat"]);
}

#[test]
fn cores_name_what_is_needed() {
    let script =
        "(assert (! (> x 0) :named a)) (assert (! (> y 0) :named |b c|)) (assert (! (< x 0) :named d))
        (check-sat) (get-unsat-core)";
    for levels in ["", "(push 1)"] {
        assert_eq!(responses(&format!("{XY}{levels}{script}")), ["unsat", "(a d)"]);
    }
}

#[test]
fn interpolants_of_sequences_and_trees() {
    let parts = "(declare-fun z () Int) (assert (! (= x 0) :named a)) (assert (! (= y (+ x 1)) :named b))
        (assert (! (= z (+ y 1)) :named c)) (assert (! (< z 2) :named d)) (check-sat)";
    let sequence =
        responses(&format!("{XY}{parts} (get-interpolants a b c d) (get-interpolants a (and b c) d)"));
    assert_eq!(sequence[0], "unsat");
    assert!(
        sequence[1].contains('x') && sequence[1].contains('y') && sequence[1].contains('z'),
        "{sequence:?}"
    );
    assert!(!sequence[2].contains('y'), "{sequence:?}");
    let tree = responses(&format!("{XY}{parts} (get-interpolants d (c b) a)"));
    assert_eq!(tree.len(), 2);
    assert!(!tree[1].starts_with("error"), "{tree:?}");
    // After a push there is no record, and the search is made again.
    let again = responses(&format!("{XY}(push 1){parts} (get-interpolants a b c d)"));
    assert_eq!(again[1], sequence[1]);
}

#[test]
fn interpolants_use_the_listed_parts_if_these_suffice() {
    let parts = "(assert (! (= x 0) :named a)) (assert (! (= y 0) :named b)) (assert (! (> x 0) :named c)) (check-sat)";
    let said = responses(&format!(
        "{XY}{parts} (get-interpolants a c) (get-interpolants a b) (get-interpolants a nobody) (get-interpolants a a c)"
    ));
    assert_eq!(said[0], "unsat");
    assert!(said[1].contains('x'), "{said:?}");
    // What is not listed holds for all parts: here it contradicts the first one.
    assert_eq!(said[2], "(false)");
    assert_eq!(said[3], "error no interpolants: there is no assertion named nobody");
    assert_eq!(said[4], "error no interpolants: a belongs to two parts");
    let said = responses(&format!(
        "{XY}(assert (< y 0)) (assert (! (<= x y) :named a)) (assert (! (= x 1) :named b)) (check-sat) (get-interpolants a b)"
    ));
    assert!(said[1].contains('x') && !said[1].starts_with("error"), "{said:?}");
}

/// The assertions of the two sides stand among each other, so that no proof of the assertions one by one has a bridge from
/// `x` to `a`; a proof of the two sides has.
#[test]
fn sides_may_be_mingled() {
    let said = responses(
        "(declare-sort U 0) (declare-fun g (U U) U) (declare-const k U)
         (declare-const a U) (declare-const b U) (declare-const c U) (declare-const d U) (declare-const x U) (declare-const y U)
         (assert (! (= x c) :named A1)) (assert (! (= y d) :named A2)) (assert (! (= a c) :named B1))
         (assert (! (= b d) :named B2)) (assert (! (not (= (g x y) k)) :named A3)) (assert (! (= (g a b) k) :named B3))
         (check-sat) (get-interpolants (and A1 A2 A3) (and B1 B2 B3))",
    );
    assert_eq!(said, ["unsat", "((not (= k (g c d))))"]);
}

#[test]
fn a_proof_ends_in_the_empty_clause() {
    let said =
        responses(&format!("{XY}(assert (! (> x y) :named a)) (assert (> y x)) (check-sat) (get-proof)"));
    assert!(said[1].starts_with("(proof\n  (proposition p"), "{}", said[1]);
    assert!(said[1].contains("(input a)") && said[1].contains("(farkas "), "{}", said[1]);
    let last = said[1].lines().rev().nth(1).expect("a step");
    assert!(last.contains(" () (resolve "), "{last}");
}

#[test]
fn questions_at_the_wrong_time_are_errors() {
    let said = responses(&format!(
        "{XY}(get-model) (get-unsat-core) (check-sat) (get-interpolants a b) (get-info :name) (get-info :nothing)
         (echo \"a \"\"b\"\"\") (foo) (assert z) (check-sat)"
    ));
    assert!(said[0].starts_with("error ") && said[1].starts_with("error ") && said[3].starts_with("error "));
    assert_eq!(said[4..7], ["(:name \"Craig\")", "unsupported", "\"a \"\"b\"\"\""]);
    assert!(said[7].starts_with("input 2:") && said[8].starts_with("input 2:"), "{said:?}");
    assert_eq!(said[9], "unknown an assertion was refused");
}

#[test]
fn resetting() {
    let said = responses(&format!(
        "{XY}(assert (< x x)) (check-sat) (reset-assertions) (check-sat) (reset) (declare-fun x () Bool) (assert x) (check-sat)"
    ));
    assert_eq!(said, ["unsat", "sat", "sat"]);
}

#[test]
fn options_are_remembered() {
    let said = responses("(get-option :print-success) (set-option :print-success true) (get-option :print-success)
        (get-option :produce-interpolants) (get-option :mystery) (set-option :mystery 3) (get-option :mystery)");
    assert_eq!(said, ["false", "true", "true", "unsupported", "3"]);
}

/// `z` above `x` and above `y`, which are children of one part: a tree in SMTInterpol's syntax.
#[test]
fn the_tree_syntax_makes_subtrees() {
    let parts = "(declare-fun z () Int) (assert (! (> x 0) :named a)) (assert (! (> y x) :named b))
        (assert (! (> z y) :named c)) (assert (! (< z 3) :named d)) (check-sat)";
    // The child (b c) speaks of b and c alone: x and z.
    let said = responses(&format!("{XY}{parts} (get-interpolants a (b c) d) (get-interpolants a (b) (c) d)"));
    assert_eq!(said[0], "unsat");
    let lines: Vec<&str> = said[1].lines().collect();
    assert_eq!(lines.len(), 3, "{said:?}");
    assert!(lines[0].contains('x') && !lines[0].contains('y') && !lines[0].contains('z'));
    assert!(lines[2].contains('x') && lines[2].contains('z') && !lines[2].contains('y'), "{said:?}");
    let flat: Vec<&str> = said[2].lines().collect();
    assert!(flat[2].contains('y') && flat[2].contains('z') && !flat[2].contains('x'), "{said:?}");
}

/// What Z3 4.7, MathSAT and cvc5 have instead of `get-interpolants`.
#[test]
fn interpolants_in_other_dialects() {
    let formulas = "(compute-interpolant (and (> x 3) (= y x)) (< y 2)) (compute-interpolant (> x 3) (< y 2))
        (assert (! (> x 3) :named a)) (assert (! (and (= y x) (< y 2)) :named b)) (check-sat)
        (get-interpolant a b) (get-interpolant a (= y x) (< y 2)) (get-interpolant a (> x 5))";
    let said = responses(&format!("{XY}{formulas}"));
    let expected = [
        "unsat\n(> y 3)",
        "sat",
        "unsat",
        "(> x 3)",
        "(> x 3)\n(> y 3)",
        "error these parts alone are satisfiable",
    ];
    assert_eq!(said, expected);

    let groups = "(assert (! (> x 3) :interpolation-group g1)) (assert (! (= y x) :interpolation-group g2))
        (assert (< y 2)) (check-sat) (get-interpolant (g1)) (get-interpolant (g1 g2)) (get-interpolant (g3))";
    let said = responses(&format!("{XY}{groups}"));
    assert_eq!(said, ["unsat", "(> x 3)", "(> y 3)", "error there is no group g3"]);

    let conjecture = "(assert (and (> x 3) (= y x))) (get-interpolant I (> y 1)) (get-interpolant J (> y 5))";
    let said = responses(&format!("{XY}{conjecture}"));
    assert_eq!(said, ["(define-fun I () Bool (> y 3))", "fail"]);
}

/// The text is for checkers of others; here it is looked at for holes, and for the empty clause at its end.
#[test]
fn refutations_in_alethe() {
    let holes = |script: &str| {
        let mut input = CommandInput::new(script.as_bytes());
        let mut running = Script::default();
        let budget = Budget::unlimited();
        while let Some(Ok(tree)) = input.next_command().expect("bytes") {
            running.execute(&tree, &budget).expect("a command");
        }
        let (script, proof) = running.refuted(&budget).expect("a refutation");
        assert!(
            script.contains("(assert ") && proof.text.starts_with("(assume h0 "),
            "{script}{}",
            proof.text
        );
        let last = proof.text.lines().last().unwrap_or_default();
        assert!(last.contains("(cl ) :rule"), "{last}");
        assert_eq!(proof.text.matches(":rule hole").count(), proof.holes);
        proof.holes
    };
    let clauses = "(assert (or (< x y) (and (= x y) (> x 3)))) (assert (not (<= x y))) (check-sat)";
    assert_eq!(holes(&format!("{XY}{clauses}")), 0);
    let choice = "(assert (= x (ite (> y 0) 1 2))) (assert (> x 2)) (check-sat)";
    assert_eq!(holes(&format!("{XY}{choice}")), 0);
    let functions =
        "(declare-sort U 0) (declare-fun f (U) U) (declare-const a U) (declare-const b U) (declare-const c U)
        (assert (= a b)) (assert (= b c)) (assert (not (= (f a) (f c)))) (check-sat)";
    assert_eq!(holes(functions), 0);
    let numbers =
        "(declare-fun f (Int) Int) (assert (= x (+ y 1))) (assert (> (f x) (f (+ y 1)))) (check-sat)";
    holes(&format!("{XY}{numbers}"));
    let unknowns =
        "(declare-fun f (Int) Int) (assert (<= x y)) (assert (<= y x)) (assert (> (f x) (f y))) (check-sat)";
    assert_eq!(holes(&format!("{XY}{unknowns}")), 0);
    let parity = "(assert (= (* 2 x) (+ (* 2 y) 1))) (assert (> x 0)) (assert (distinct (* 4 x) (+ 3 (* 6 y)))) (check-sat)";
    holes(&format!("{XY}{parity}"));
    // Alethe has no rule for remainders.
    assert!(holes(&format!("{XY}(assert (= (mod x 4) y)) (assert (> y 3)) (check-sat)")) > 0);
}

#[test]
fn sorts_with_parameters() {
    let script = "(declare-sort U 0) (declare-sort Pair 2) (define-sort Second (a b) b) (define-sort Twice (a) (Pair a a))
        (declare-const p (Twice U)) (declare-const q (Pair U (Second Bool U))) (declare-const n (Second U Int))
        (declare-fun first ((Pair U U)) U)
        (assert (and (= p q) (> n 3) (not (= (first p) (first q))))) (check-sat)
        (declare-const r (Pair U Int)) (assert (= p r)) (declare-const t (Pair U))";
    let said = responses(script);
    assert_eq!(said[0], "unsat");
    assert!(said[1].contains("mixes the sorts (Pair U U) and (Pair U Int)"), "{said:?}");
    assert!(said[2].contains("`Pair` takes 2 sorts, not 1"), "{said:?}");
}

#[test]
fn sorts_do_not_explode() {
    let mut script = "(define-sort S0 (a) (Array a a))".to_string();
    for n in 1..40 {
        script += &format!(" (define-sort S{n} (a) (S{m} (S{m} a)))", m = n - 1);
    }
    let said = responses(&script);
    assert!(said[0].contains("the sort is too large"), "{said:?}");
}

/// Long, oblique and without integers: branching on variables alone has no end.
#[test]
fn thin_polyhedra() {
    let rhombus = |a: i64, b: i64, scale: i64, low: i64| {
        let (a, b) = (a * scale, b * scale);
        format!(
            "{XY}(assert (<= 0 (- (* {a} x) (* {} y)) {})) (assert (<= {low} (- (* {} x) (* {b} y)) {scale})) (check-sat)",
            b + 1,
            scale - 1,
            a + 1
        )
    };
    assert_eq!(responses(&rhombus(273, 245, 10_000_000_000, 1)), ["unsat"]);
    assert_eq!(responses(&rhombus(283, 245, 1_000_000, 1)), ["unsat"]);
    assert_eq!(responses(&rhombus(283, 245, 1_000_000, 0)), ["sat"]);
}

#[test]
fn products_of_reals() {
    let reals = "(declare-const a Real) (declare-const b Real) (declare-const c Real) ";
    let said = responses(&format!("{reals}(assert (and (> a 2) (> b 3) (= (* a b b) 0))) (check-sat)"));
    assert_eq!(said, ["unsat"]);
    let said = responses(&format!("{reals}(assert (< (* a a b c c) 0)) (assert (> b 0)) (check-sat)"));
    assert_eq!(said, ["unsat"]);
    let said = responses(&format!("{reals}(assert (and (< a (* 7 a b)) (< (* a b) 0))) (check-sat)"));
    assert_eq!(said, ["sat"]);
}

#[test]
fn after_a_refused_assertion_nothing_is_satisfiable() {
    let script =
        "(assert (> x 0)) (push 1) (assert (foo x)) (check-sat) (push 1) (assert (< x 0)) (check-sat) (pop 2)
        (check-sat)";
    let said = responses(&format!("{XY}{script}"));
    assert!(said[0].starts_with("input "), "{said:?}");
    assert_eq!(said[1..], ["unknown an assertion was refused", "unsat", "sat"]);
}

#[test]
fn products_are_refuted_by_multiples_of_equations_and_by_signs() {
    let wrapped = "(declare-fun u () Int) (declare-fun v () Int) (declare-fun w () Int)
        (assert (= 0 (mod (+ (* x u) (* y v)) 4294967296)))
        (assert (= w (ite (<= (+ v u) 4294967295) (+ v u) (- (+ v u) 4294967296))))
        (assert (not (= 0 (mod (+ (* (- x y) u) (* y w)) 4294967296)))) (check-sat)";
    assert_eq!(responses(&format!("{XY}{wrapped}")), ["unsat"]);
    let signs = "(declare-fun a () Real) (declare-fun b () Real) (assert (> a 2.0)) (assert (< b (- 3.0)))
        (assert (= (* a b b) 0.0)) (check-sat)";
    assert_eq!(responses(signs), ["unsat"]);
}

#[test]
fn definitions_by_recursion_are_equations() {
    let script = "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
        (push) (assert (distinct (sum 4) 10)) (check-sat) (pop)
        (define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
            ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
        (push) (assert (odd 4)) (check-sat) (pop)
        (define-fun-rec c () Int (+ d 1)) (define-fun-rec sum ((n Int)) Int n)
        (define-funs-rec ((g () Int) (h () Int)) (0 (g 1))) (define-funs-rec ((g () Int) (h () Int)) (0))
        (declare-const g Int) (define-fun-rec h () Int (+ g 1)) (assert (= h g)) (check-sat)";
    let said = responses(script);
    assert_eq!(said.iter().filter(|text| *text == "unsat").count(), 3, "{said:?}");
    let errors: Vec<&str> = said.iter().filter_map(|text| text.strip_prefix("input ")).collect();
    let words = ["`d`", "`sum` is already declared", "`g` takes 0", "a body for it"];
    assert_eq!(errors.len(), words.len(), "{said:?}");
    assert!(errors.iter().zip(words).all(|(error, word)| error.contains(word)), "{said:?}");
}
