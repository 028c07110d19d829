use super::Script;
use craig_base::Budget;
use craig_term::smtlib::{CommandInput, Response};

/// What the commands of a script say, one line each.
fn run(text: &str) -> String {
    let mut script = Script::default();
    let mut input = CommandInput::new(text.as_bytes());
    let mut said = Vec::new();
    while let Some(tree) = input.next_command().expect("readable") {
        match tree.and_then(|tree| script.execute(&tree, &Budget::unlimited())) {
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => said.push(text),
            Ok(other) => said.push(format!("{other:?}")),
            Err(error) => said.push(format!("error: {}", error.message)),
        }
    }
    said.join("\n")
}

#[test]
fn words_are_exact() {
    let cases = [
        ("(= (bvudiv x #x00) #xff)", true),
        ("(= (bvurem x #x00) x)", true),
        ("(= (bvsub (bvand x #xf0) x) (bvneg (bvand x #x0f)))", true),
        ("(= ((_ rotate_left 3) x) (bvor (bvshl x #x03) (bvlshr x #x05)))", true),
        ("(= ((_ rotate_right 11) x) ((_ rotate_right 3) x))", true),
        ("(= (bvsmod x #x03) (bvsrem x #x03))", false),
        ("(=> (bvslt x #x00) (= (bvashr x #x07) #xff))", true),
        ("(= ((_ sign_extend 8) x) (concat ((_ repeat 8) ((_ extract 7 7) x)) x))", true),
        ("(= (_ bv256 8) #x00)", true),
        ("(= (bvmul x (bvadd y #x01)) (bvadd (bvmul x y) x))", true),
        ("(bvule x (bvor x y))", true),
        ("(bvule x (bvadd x y))", false),
    ];
    for (claim, holds) in cases {
        let text = format!(
            "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (assert (not {claim})) (check-sat)"
        );
        assert_eq!(run(&text), if holds { "unsat" } else { "sat" }, "{claim}");
    }
}

#[test]
fn arrays_are_equal_where_they_agree_everywhere() {
    let sort = "(Array (_ BitVec 8) (_ BitVec 8))";
    let declared =
        format!("(declare-const a {sort}) (declare-const b {sort}) (declare-const i (_ BitVec 8))");
    let zeros = format!("((as const {sort}) #x00)");
    let ones = format!("((as const {sort}) #x01)");
    let cases = [
        (format!("(= (store {zeros} i #x05) (store {ones} i #x05))"), "unsat"),
        ("(and (= a b) (not (= (select a i) (select b i))))".to_string(), "unsat"),
        ("(and (not (= a b)) (= (select a i) (select b i)))".to_string(), "sat"),
        ("(not (= (store a i (select a i)) a))".to_string(), "unsat"),
        (format!("(and (= a {zeros}) (= (select a i) #x01))"), "unsat"),
    ];
    for (claim, answer) in cases {
        assert_eq!(run(&format!("{declared} (assert {claim}) (check-sat)")), answer, "{claim}");
    }
}

#[test]
fn a_definition_does_not_see_what_is_bound_where_it_is_used() {
    let text = "(declare-const y (_ BitVec 4)) (define-fun f ((x (_ BitVec 4))) (_ BitVec 4) (bvadd x y))
        (assert (= y #x1)) (assert (let ((y #x7)) (distinct (f y) #x8))) (check-sat)";
    assert_eq!(run(text), "unsat");
}

#[test]
fn levels_cores_and_models() {
    let text = "(declare-const x (_ BitVec 4)) (declare-fun f ((_ BitVec 4)) Bool)
        (assert (! (bvugt x #x3) :named low)) (push 1) (assert (! (bvult x #x3) :named high))
        (assert (! (f x) :named other)) (check-sat) (get-unsat-core) (pop 1)
        (check-sat-assuming ((= x #x5) (f x))) (get-value (x (bvadd x #x1) (f x)))
        (check-sat-assuming ((= x #x2) (f x))) (get-unsat-assumptions) (assert (= y x))";
    let said = "unsat\n(low high)\nsat\n((x #b0101) ((bvadd x #x1) #b0110) ((f x) true))\nunsat\n((= x #x2))";
    assert_eq!(run(text), format!("{said}\nerror: `y` is not declared"));
}

#[test]
fn what_is_wrong_is_said() {
    for (text, message) in [
        ("(assert (bvadd #x1 #x1))", "error: only truth values are asserted"),
        ("(assert (= #x1 #b1))", "error: `=` does not take these arguments, or is not known"),
        ("(declare-const x (_ BitVec 0))", "error: a word has at least one bit, and not too many"),
        (
            "(assert ((_ extract 9 0) #x1))",
            "error: `(_ extract 9 0)` does not take these arguments, or is not known",
        ),
        ("(pop 3)", "Error(\"there are fewer levels\")"),
        ("(get-model)", "Error(\"there is no model: the last check was not answered by `sat`\")"),
    ] {
        assert_eq!(run(text), message);
    }
}
