use super::Clauses;
use craig_base::Budget;

const COUNTER: &str = "(set-logic HORN) (declare-fun P ((_ BitVec 8) Bool) Bool)
    (assert (forall ((x (_ BitVec 8))) (=> (= x #x00) (P x false))))
    (assert (forall ((x (_ BitVec 8)) (b Bool)) (let ((y (bvadd x #x02))) (=> (P x b) (P y (not b))))))
    (assert (not (exists ((x (_ BitVec 8)) (b Bool)) (and (P x b) (= x #x07)))))";

#[test]
fn models_are_checked_by_circuits() {
    let clauses = Clauses::read(COUNTER).expect("clauses");
    let budget = Budget::unlimited();
    let even = "(define-fun P ((x Int) (b Bool)) Bool (= (mod x 2) 0))";
    let model = clauses.over_words(even).expect("words");
    assert_eq!(clauses.check_model(&model, &budget), Ok(true), "{model}");
    for wrong in ["true", "(< x 6)", "(= (mod x 3) 0)", "(= (div x 2) 1)"] {
        let text = format!("(define-fun P ((x Int) (b Bool)) Bool {wrong})");
        let model = clauses.over_words(&text).expect("words");
        assert_eq!(clauses.check_model(&model, &budget), Ok(false), "{model}");
    }
}

#[test]
fn derivations_are_checked_by_circuits() {
    let clauses = Clauses::read(&COUNTER.replace("#x07", "#x04")).expect("clauses");
    let budget = Budget::unlimited();
    let right = "0: (P 0 false) by clause 0 from ()\n1: (P 2 true) by clause 1 from (0)\n\
        2: (P 4 false) by clause 1 from (1)\n3: false by clause 2 from (2)\n";
    let words = clauses.check_derivation(right, &budget).expect("right");
    assert!(words.contains("2: (P (_ bv4 8) false) by clause 1 from (1)"), "{words}");
    for wrong in
        [right.replace("P 4", "P 5"), right.replace("from (1)", "from (0)"), right.replace("(0)", "()")]
    {
        assert!(clauses.check_derivation(&wrong, &budget).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_not_known_is_said() {
    for (text, message) in [
        ("(declare-fun P ((Array (_ BitVec 8) Bool)) Bool)", "clauses over bit-vectors are about words"),
        ("(define-fun f () (_ BitVec 8) #x00)", "this is not known in clauses"),
    ] {
        let error = Clauses::read(text).err().expect("refused");
        assert!(error.message.starts_with(message), "{}", error.message);
    }
}
