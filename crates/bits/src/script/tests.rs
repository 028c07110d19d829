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
fn the_laws_of_rings_need_no_search() {
    let cases = [
        ("(= (bvmul x (bvadd y z)) (bvadd (bvmul z x) (bvmul x y)))", true),
        ("(= (bvmul (bvadd x y) (bvsub x y)) (bvsub (bvmul x x) (bvmul y y)))", true),
        ("(= (bvmul (bvneg x) (bvneg y)) (bvmul x y))", true),
        ("(= (bvsub (bvadd x y) x) y)", true),
        ("(= (bvmul (bvmul x y) z) (bvmul x (bvmul y z)))", true),
        ("(= (bvmul x x) (bvmul x y))", false),
        ("(= (bvmul x (_ bv2147483648 32) (_ bv2 32)) (bvsub y y))", true),
    ];
    for (claim, holds) in cases {
        let declared: String = ["x", "y", "z"].map(|x| format!("(declare-const {x} (_ BitVec 32))")).concat();
        let text = format!("{declared} (assert (not {claim})) (check-sat)");
        assert_eq!(run(&text), if holds { "unsat" } else { "sat" }, "{claim}");
    }
}

#[test]
fn assertions_can_be_reset() {
    let text =
        "(declare-const x (_ BitVec 4)) (assert (bvugt (bvudiv x #x3) #x4)) (check-sat) (get-value (x))
        (assert (= x #x1)) (check-sat) (reset-assertions) (check-sat) (assert (= (bvudiv x #x3) #x1))
        (assert (bvugt x #x4)) (check-sat) (get-value (x))";
    assert_eq!(run(text), "sat\n((x #b1111))\nunsat\nsat\nsat\n((x #b0101))");
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

#[test]
fn functions_have_values_where_they_were_not_used() {
    let text = "(declare-fun f ((_ BitVec 4)) (_ BitVec 4)) (declare-const x (_ BitVec 4))
        (declare-const y (_ BitVec 4)) (declare-const m (Array (_ BitVec 8) (_ BitVec 4)))
        (assert (= (f x) #x5)) (assert (= (select m #x07) #x7)) (assert (= x y)) (check-sat)
        (get-value ((f y) (select m (concat #x0 (bvadd (f y) #x2))))) (get-value ((bvadd (f y) (f x))))";
    let said = "sat\n(((f y) #b0101) ((select m (concat #x0 (bvadd (f y) #x2))) #b0111))";
    assert_eq!(run(text), format!("{said}\n(((bvadd (f y) (f x)) #b1010))"));
}

#[test]
fn floating_point_is_exact() {
    let cases = [
        // Claims about all numbers of these formats.
        ("(= (fp.add r x y) (fp.add r y x))", true),
        ("(= (fp.sub RNE x y) (fp.add RNE x (fp.neg y)))", true),
        ("(fp.eq (fp.add RNE x y) (fp.add RTZ x y))", false),
        ("(=> (fp.leq x y) (not (fp.isNaN x)))", true),
        ("(fp.eq x x)", false),
        ("(= x x)", true),
        ("(=> (fp.eq x y) (= x y))", false),
        ("(or (fp.isNaN x) (fp.isInfinite x) (fp.isZero x) (fp.isNormal x) (fp.isSubnormal x))", true),
        ("(=> (not (fp.isNaN x)) (= ((_ to_fp 3 4) RNE ((_ to_fp 5 11) RTN x)) x))", true),
        ("(=> (not (or (fp.isNaN x) (fp.isNegative x))) (fp.leq (fp.sqrt RTZ x) (fp.sqrt RTP x)))", true),
        ("(= (fp.fma r x y (_ -zero 3 4)) (fp.mul r x y))", false),
        ("(= (fp.roundToIntegral RTZ (fp.roundToIntegral RTP x)) (fp.roundToIntegral RTP x))", true),
        ("(or (fp.isNaN (fp.rem x y)) (fp.leq (fp.abs (fp.rem x y)) (fp.abs y)))", true),
        ("(=> (= z (fp #b0 #b011 #b100)) (= ((_ fp.to_ubv 3) RNE z) #b010))", true),
        ("(=> (= z (fp #b1 #b011 #b100)) (= ((_ fp.to_sbv 3) RTZ z) #b111))", true),
        ("(= ((_ to_fp 3 4) RNE (- (/ 3 2))) (fp #b1 #b011 #b100))", true),
        ("(= (fp.to_real (fp #b1 #b010 #b100)) (- 0.75))", true),
        ("(= ((_ to_fp 3 4) #b1111001) (_ NaN 3 4))", true),
        ("(fp.lt ((_ to_fp 53 11) r x) ((_ to_fp 53 11) RTP 100.0))", false),
        (
            "(=> (fp.isNormal x) (= ((_ to_fp 3 4) r (fp.mul r ((_ to_fp 60 20) r x) ((_ to_fp 60 20) r 1.0))) x))",
            true,
        ),
        ("(= ((_ to_fp 3 4) r #b100) ((_ to_fp 3 4) r (- 4.0)))", true),
        // What the standard leaves open is open, but a function.
        ("(= (fp.min (_ +zero 3 4) (_ -zero 3 4)) (_ +zero 3 4))", false),
        ("(= (fp.min (_ +zero 3 4) (_ -zero 3 4)) (_ -zero 3 4))", false),
        ("(=> (and (fp.isZero x) (= x y)) (= (fp.min x (fp.neg x)) (fp.min y (fp.neg y))))", true),
        ("(= ((_ fp.to_ubv 3) RNE (_ NaN 3 4)) #b000)", false),
        ("(=> (= x y) (= ((_ fp.to_sbv 2) r x) ((_ fp.to_sbv 2) r y)))", true),
    ];
    for (claim, holds) in cases {
        let text = format!(
            "(declare-const x (_ FloatingPoint 3 4)) (declare-const y (_ FloatingPoint 3 4))
             (declare-const z (_ FloatingPoint 3 4)) (declare-const r RoundingMode)
             (assert (not {claim})) (check-sat)"
        );
        assert_eq!(run(&text), if holds { "unsat" } else { "sat" }, "{claim}");
    }
}

#[test]
fn models_of_floating_point() {
    let text = "(declare-const x Float32) (declare-const r RoundingMode) (declare-const n Float16)
        (declare-const m (Array RoundingMode (_ FloatingPoint 2 3)))
        (assert (fp.isNaN n)) (assert (= x (fp.div RTP ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 3.0))))
        (assert (distinct r RNE RNA RTP RTZ)) (assert (= (select m r) (_ +oo 2 3))) (check-sat)
        (get-value (x r n (fp.mul r x x) (fp.to_real (fp #b0 #b01111111 #b10000000000000000000000)) (select m RTN)))";
    let said = "sat\n((x (fp #b0 #b01111101 #b01010101010101010101011)) (r RTN) (n (_ NaN 5 11)) \
        ((fp.mul r x x) (fp #b0 #b01111011 #b11000111000111000111001)) \
        ((fp.to_real (fp #b0 #b01111111 #b10000000000000000000000)) (/ 3.0 2.0)) \
        ((select m RTN) (fp #b0 #b11 #b00)))";
    assert_eq!(run(text), said);
}

#[test]
fn nothing_is_satisfied_where_an_assertion_was_refused() {
    let text =
        "(declare-const x (_ BitVec 4)) (push 1) (assert (foo x)) (check-sat) (assert false) (check-sat)
        (pop 1) (check-sat)";
    let refused = "error: `foo` does not take these arguments, or is not known";
    assert_eq!(run(text), format!("{refused}\nUnknown(\"an assertion was refused\")\nunsat\nsat"));
}

#[test]
fn refutations_are_printed_with_their_clauses() {
    let text =
        "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (assert (! (bvult x y) :named a))
        (get-proof) (push 1) (assert (bvult y #x05)) (check-sat-assuming ((= x #x09))) (get-proof)
        (pop 1) (check-sat) (get-proof)";
    let said = run(text);
    let start = said.find("(lrat \"").expect("a proof");
    let parts: Vec<&str> = said[start..].split('"').collect();
    let (dimacs, steps) = (parts[1], parts[3]);
    assert!(dimacs.starts_with("c assertion ") && dimacs.contains("\nc constant x "), "{dimacs}");
    let mut lines = dimacs.lines().skip_while(|line| !line.starts_with("p cnf "));
    let header: Vec<usize> = lines
        .next()
        .into_iter()
        .flat_map(str::split_whitespace)
        .filter_map(|word| word.parse().ok())
        .collect();
    let clauses: Vec<Vec<i32>> = lines
        .map(|line| line.split(' ').filter_map(|word| word.parse().ok()).filter(|&lit| lit != 0).collect())
        .collect();
    assert_eq!(clauses.len(), header[1]);
    assert_eq!(craig_certificate::check_lrat(header[0], &clauses, steps), Ok(()));
    // Without an assertion there is none.
    let said: Vec<&str> = said.lines().collect();
    assert!(
        said[0].starts_with("Error") && said.last().is_some_and(|last| last.starts_with("Error")),
        "{said:?}"
    );
}

#[test]
fn elements_of_declared_sorts_are_equal_or_not() {
    let declared = "(declare-sort S 0) (declare-sort T 0) (declare-fun f (S) S) (declare-fun g (S) T)
        (declare-fun h (T (_ BitVec 2)) S) (declare-const a S) (declare-const b S) (declare-const c S)
        (declare-const m (Array S S)) (declare-const n (Array S S)) (declare-const t T)";
    let cases = [
        ("(distinct a b c (f a))", "sat"),
        ("(and (= a b) (distinct (f a) (f b)))", "unsat"),
        ("(and (= (f (f (f a))) a) (= (f (f (f (f (f a))))) a) (distinct (f a) a))", "unsat"),
        ("(and (= (f (f a)) a) (distinct (f a) a) (= (g (f a)) t) (= (g a) t))", "sat"),
        ("(and (distinct (h t #b00) (h t #b01) (h t #b10) (h t #b11) a b c))", "sat"),
        ("(and (= (store m a b) (store n a b)) (distinct m n) (= (select m a) (select n a)))", "unsat"),
        ("(and (= (store m a b) (store n a b)) (distinct m n))", "sat"),
        (
            "(= a t)",
            "error: `=` does not take these arguments, or is not known\nUnknown(\"an assertion was refused\")",
        ),
    ];
    for (claim, answer) in cases {
        assert_eq!(run(&format!("{declared} (assert {claim}) (check-sat)")), answer, "{claim}");
    }
    let text = "(declare-sort S 0) (declare-const a S) (declare-const b S) (push 1) (declare-sort T 0)
        (assert (distinct a b)) (check-sat) (get-value (a b (= a b))) (pop 1) (declare-const t T)
        (assert (= a b)) (check-sat) (get-value (b)) (declare-sort S 0) (declare-sort P 2)";
    assert_eq!(
        run(text),
        "sat\n((a (as @0 S)) (b (as @1 S)) ((= a b) false))\nerror: the sort `T` is not known\n\
         sat\n((b (as @0 S)))\nerror: `S` is declared already\nUnsupported"
    );
}

/// With one element, they are equal.
#[test]
fn constant_arrays_over_declared_sorts_are_left_open() {
    let text = "(declare-sort S 0) (declare-const i S) (define-sort A () (Array S (_ BitVec 1)))
        (assert (= (store ((as const A) #b0) i #b1) ((as const A) #b1))) (check-sat)";
    assert!(run(text).starts_with("Unknown"), "{}", run(text));
}

#[test]
fn arrays_of_arrays_are_read_at_paths() {
    let word = "(_ BitVec 8)";
    let row = format!("(Array {word} {word})");
    let declared = format!(
        "(declare-const a (Array {word} {row})) (declare-const b (Array {word} {row})) (declare-const r {row})
         (declare-const i {word}) (declare-const j {word}) (declare-const k {word})"
    );
    let zeros = format!("((as const (Array {word} {row})) ((as const {row}) #x00))");
    let cases = [
        ("(not (= (select (select (store a i r) i) j) (select r j)))".to_string(), "unsat"),
        ("(and (= a b) (not (= (select (select a i) j) (select (select b i) j))))".to_string(), "unsat"),
        (
            "(and (= (select a i) r) (= i j) (not (= (select (select a j) k) (select r k))))".to_string(),
            "unsat",
        ),
        ("(and (distinct a b) (= (select a i) (select b i)))".to_string(), "sat"),
        ("(not (= (store a i (store (select a i) j (select (select a i) j))) a))".to_string(), "unsat"),
        ("(not (= (store a i (store (select a i) j #x01)) a))".to_string(), "sat"),
        (format!("(and (= a {zeros}) (distinct (select (select a i) j) #x00))"), "unsat"),
        (format!("(and (= (store a i r) {zeros}) (distinct (select r j) #x00))"), "unsat"),
        (
            "(= (select a i) a)".to_string(),
            "error: `=` does not take these arguments, or is not known\nUnknown(\"an assertion was refused\")",
        ),
    ];
    for (claim, answer) in cases {
        assert_eq!(run(&format!("{declared} (assert {claim}) (check-sat)")), answer, "{claim}");
    }
    let text = "(declare-const a (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 2))))
        (assert (= (select (select a #b0) #b1) #b10)) (assert (= (select a #b0) (select a #b1))) (check-sat)
        (get-value ((select (select a #b1) #b1) (= (select a #b1) (select a #b0))))";
    assert_eq!(
        run(text),
        "sat\n(((select (select a #b1) #b1) #b10) ((= (select a #b1) (select a #b0)) true))"
    );
}
