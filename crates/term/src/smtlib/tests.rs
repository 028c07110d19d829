use super::*;
use crate::{Op, TermId, Terms};

/// Runs all commands, and gives the asserted terms or the first error.
fn read(text: &str) -> std::result::Result<(Terms, Vec<TermId>), String> {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let mut input = CommandInput::new(text.as_bytes());
    let mut asserted = Vec::new();
    while let Some(tree) = input.next_command().map_err(|error| error.to_string())? {
        let tree = tree.map_err(|error| error.to_string())?;
        if let Command::Assert { term, .. } =
            reader.command(&mut terms, &tree).map_err(|error| error.to_string())?
        {
            asserted.push(term);
        }
    }
    Ok((terms, asserted))
}

fn same(one: &str, other: &str) {
    let declarations = "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const p Bool)\
        (declare-const q Bool)(declare-const a (Array Int Real))(declare-fun f (Real Int) Real)\
        (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(declare-const m L)";
    let (_, asserted) =
        read(&format!("{declarations}(assert {one})(assert {other})")).expect("both are well-formed");
    assert_eq!(asserted[0], asserted[1], "{one} and {other}");
}

#[test]
fn spellings_of_one_term() {
    same("(< x y)", "(let ((z x)) (> y z))");
    same("(<= x y 3)", "(and (<= x y) (<= y 3))");
    same("(= x y 3)", "(and (= x y) (= y 3))");
    same("(=> p q p)", "(=> p (=> q p))");
    same("(= (- x) 3)", "(= (- 0 x) 3)");
    same("(= (- x y 1) 0)", "(= x (+ y 1))");
    same("(= r 1)", "(= r 1.0)");
    same("(= r (/ 1 2))", "(= r 0.5)");
    same("(= (f 1 2) 3)", "(= 3.0 (f 1.0 2))");
    same("(distinct x y)", "(not (= x y))");
    same("((_ divisible 3) x)", "(= 0 (mod x 3))");
    same("(= (select (store a x r) x) r)", "true");
    same("(xor p q)", "(not (= p q))");
    same("(let ((x y) (y x)) (< x y))", "(< y x)");
    same("(= (select ((as const (Array Int Real)) 1) 5) r)", "(= r 1)");
    same("(= (cons x l) (cons 3 m))", "(and (= x 3) (= l m))");
    same("(= (cons x l) nil)", "false");
    same("(= (tail (cons x l)) m)", "(= l m)");
    same("((_ is cons) (cons x l))", "true");
    same("(is-nil l)", "((_ is nil) l)");
    same("(match l ((nil p) ((cons h t) (< h x))))", "(ite ((_ is nil) l) p (< (head l) x))");
    same("(match l (((cons h t) (= t m)) (other (= other m))))", "(ite (is-cons l) (= (tail l) m) (= l m))");
}

#[test]
fn data_types_as_written_are_read_again() {
    let text = "(declare-datatypes ((|a b| 0) (T 0)) (((leaf) (node (left |a b|) (of T))) ((c (n Int)))))\
        (declare-const x |a b|)(assert (or ((_ is leaf) x) (= (left x) (node leaf (c 3)))))";
    let (terms, asserted) = read(text).unwrap();
    let script = terms.script("", &asserted);
    let (again, asserted_again) = read(&script).unwrap();
    assert_eq!(again.script("", &asserted_again), script);
}

#[test]
fn data_has_values() {
    let (terms, asserted) = read(
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const x L)
         (assert (= x (cons 1 (cons 2 nil))))
         (assert (ite ((_ is nil) x) false (= (head (tail x)) 2)))
         (assert (ite ((_ is nil) x) (= (head x) 2) true))
         (assert (= (head (tail (tail x))) 2))",
    )
    .unwrap();
    let &[x, list] = terms.args(asserted[0]) else { panic!("an equation") };
    let (x, list) = if terms.constructor_of(list).is_some() { (x, list) } else { (list, x) };
    let mut model = crate::Model::new();
    model.set(x, crate::Value::Data(list));
    for &holds in &asserted[..3] {
        assert_eq!(terms.eval_bool(holds, &model), Ok(true));
    }
    // The head of an empty list may be anything.
    assert!(matches!(terms.eval_bool(asserted[3], &model), Err(crate::EvalError::Unspecified(_))));
}

#[test]
fn bound_variables_shadow_and_end() {
    let (terms, asserted) =
        read("(declare-const x Bool)(assert (and x (forall ((x Int)) (exists ((y Int)) (< x y))) (or x)))")
            .unwrap();
    let quantified = terms.args(asserted[0]).iter().filter(|&&t| terms.op(t) == Op::Forall).count();
    assert_eq!((terms.args(asserted[0]).len(), quantified), (2, 1));
}

#[test]
fn definitions_and_names() {
    let (_, asserted) = read(
        "(declare-const x Int)(define-fun next ((n Int) (by Int)) Int (+ n by))\
         (assert (! (< (next x 2) 5) :named small))(assert (< x 3))(assert small)",
    )
    .unwrap();
    assert_eq!(asserted[0], asserted[1]);
    assert_eq!(asserted[0], asserted[2]);
}

#[test]
fn numbers_as_cvc5_reads_them() {
    let (_, asserted) = read(
        "(declare-const x Real)(assert (= x 1/4))(assert (= x 0.25))(assert (= x -1/4))(assert (= x -0.25))\
         (assert (= x (- 0.25)))",
    )
    .unwrap();
    assert_eq!(asserted[0], asserted[1]);
    assert_eq!([asserted[2], asserted[3]], [asserted[4]; 2]);
    assert!(read("(declare-const x Real)(assert (= x 1/0))").is_err());
}

#[test]
fn declarations_end_with_their_level() {
    assert!(read("(push 1)(declare-const x Int)(pop 1)(declare-const x Bool)(assert x)").is_ok());
    assert_eq!(
        read("(push)(declare-const x Int)(pop)(assert (= x 1))").unwrap_err(),
        "1:44: unknown symbol `x`"
    );
}

#[test]
fn a_declared_symbol_is_never_a_fresh_one() {
    let (_, asserted) = read(
        "(assert (exists ((x Int)) (> x 0)))(declare-const x!0 Int)(assert (> x!0 0))\
         (push)(declare-const y Int)(pop)(declare-const y Bool)(declare-const y!0 Bool)(assert y)(assert y!0)",
    )
    .unwrap();
    assert_ne!(asserted[2], asserted[3]);
    let (terms, asserted) =
        read("(assert (exists ((x Int)) (> x 0)))(declare-const x!0 Int)(assert (> x!0 0))").unwrap();
    assert_ne!(*terms.args(asserted[0]).last().unwrap(), asserted[1]);
}

#[test]
fn errors_have_a_place_and_say_what_is_wrong() {
    let cases = [
        (
            "(declare-const x Int)\n(assert (and x true))",
            "2:10: `and` needs Boolean arguments, not a term of sort Int",
        ),
        ("(assert (+ 1 2))", "1:9: expected a term of sort Bool, not of sort Int"),
        ("(assert (< 1", "1:9: the input ends inside of an expression"),
        ("(check-sat\n", "1:1: the input ends inside of an expression"),
        (")", "1:1: unexpected `)`"),
        (
            "\n  (declare-fun f (Int) Int)\n(assert (= (f true) 1))",
            "3:13: argument 1 of `f` has sort Bool, not Int",
        ),
        ("(declare-fun f (Int) Int)(assert (= (f 1 2) 1))", "1:38: `f` takes 1 arguments, not 2"),
        ("(assert)", "1:1: expected `(assert term)`"),
        ("(frobnicate)", "1:1: unsupported command `frobnicate`"),
        (
            "(declare-datatypes ((L 1)) ((par (T) ((n)))))",
            "1:21: data types with parameters are not supported",
        ),
        ("(declare-datatypes (X) ((L n (c (h X)))))", "1:21: data types with parameters are not supported"),
        (
            "(declare-datatype T ((a) (b)))(assert (match a ((b true))))",
            "1:48: `match` leaves a constructor out",
        ),
        ("(declare-datatype T ((a)))(declare-fun a () Int)", "1:40: `a` is already declared"),
        ("(declare-datatype T ((c (s T))))", "1:19: `T` has no finite elements"),
        ("(declare-const x Foo)", "1:18: unknown sort `Foo`"),
        ("(declare-const x Int)(declare-const x Int)", "1:37: `x` is already declared"),
        ("(assert (= 1x 2))", "1:12: unexpected `1x`"),
        ("(assert |a)", "1:9: a quoted symbol without end"),
        ("(pop 2)", "1:1: cannot pop 2 of 0 levels"),
        ("(assert (ite true 1 false))", "1:10: `ite` mixes the sorts Int and Bool"),
    ];
    for (input, message) in cases {
        assert_eq!(read(input).unwrap_err(), message, "{input}");
    }
}

#[test]
fn deep_nesting_is_no_problem() {
    let depth = 200_000;
    let mut text = String::from("(declare-const x Int)(assert ");
    for i in 0..depth {
        let before = if i == 0 { "x".to_string() } else { format!("v{}", i - 1) };
        text.push_str(&format!("(let ((v{i} (+ {before} 1))) "));
    }
    text.push_str(&format!("(= v{} {depth})", depth - 1));
    text.push_str(&")".repeat(depth + 1));
    text.push_str("(assert (= x 0))");
    let (_, asserted) = read(&text).unwrap();
    assert_eq!(asserted[0], asserted[1]);
    let nested =
        format!("(declare-const p Bool)(assert {}p{})", "(ite p (not ".repeat(depth), ") p)".repeat(depth));
    assert!(read(&nested).is_ok());
}

#[test]
fn tree_partitions() {
    let mut terms = Terms::new();
    let mut read_partition = |text: &str| {
        let mut input = CommandInput::new(text.as_bytes());
        let tree = input.next_command().unwrap().unwrap().unwrap();
        match Reader::new().command(&mut terms, &tree) {
            Ok(Command::GetInterpolants(partition)) => Ok(partition),
            other => Err(format!("{other:?}")),
        }
    };
    let tree = read_partition("(get-interpolants A (and B C) (D E) F)").unwrap();
    assert_eq!(tree.parts.len(), 5);
    assert_eq!(tree.parts[1], ["B", "C"]);
    assert_eq!(tree.first_of_subtree, [0, 0, 2, 2, 0]);
    let parents: Vec<_> = (0..5).map(|i| tree.parent(i)).collect();
    assert_eq!(parents, [Some(1), Some(4), Some(3), Some(4), None]);
    assert!(read_partition("(get-interpolants A B C)").unwrap().is_sequence());
    assert!(read_partition("(get-interpolants A (B))").is_err());
}

#[test]
fn comments_and_odd_symbols() {
    let (_, asserted) = read(
        "; a comment with ) and \"\n(declare-fun |a b| () Bool) ; another (\n(echo \"say \"\"hi\"\" ;(\")\n(declare-fun cp-rel-bb.i!0@1 () Bool)(assert (or |a b| ; inner )\n cp-rel-bb.i!0@1))",
    )
    .unwrap();
    assert_eq!(asserted.len(), 1);
}

/// What Z3 and SeaHorn write.
#[test]
fn the_remainder_has_the_sign_of_the_divisor() {
    let mut terms = Terms::new();
    for (a, b, expected) in [(7, 2, 1), (7, -2, -1), (-7, 2, 1), (-7, -2, -1)] {
        let (a, b) = (terms.int(a), terms.int(b));
        let expected = terms.int(expected);
        assert_eq!(super::operator(&mut terms, "rem", &[a, b]), Ok(expected));
    }
}

#[test]
fn terms_of_another_store_are_the_same_text() {
    let text = "(declare-const x Int)(declare-const y Int)(declare-const b Bool)(declare-fun f (Int) Int)
        (declare-const a (Array Int Int))
        (assert (and (forall ((k Int)) (=> (<= 0 k) (= (select a k) (f k)))) (< (* 2 x) (ite b y 7))))";
    let (from, asserted) = read(text).expect("a formula");
    // Symbols and terms have other numbers here.
    let mut terms = Terms::new();
    ["y", "z", "x"].iter().for_each(|name| drop(terms.declare_const(name, Terms::INT)));
    let imported = terms.import(&from, &asserted).expect("no name twice");
    assert_eq!(terms.to_smtlib(imported[0]), from.to_smtlib(asserted[0]));
    let mut other = Terms::new();
    other.declare_const("x", Terms::BOOL).expect("a new name");
    assert!(other.import(&from, &asserted).is_err());
}

/// Commands end where they end, however the bytes arrive, and know where they began.
#[test]
fn commands_that_arrive_in_pieces_are_the_same() {
    let text = "(echo \"a \"\"b\")\n  (f |x\ny| ; ) not here\n z)(g ((a) b)) atom \"text\"\n(\u{e4} 1.5)(h";
    let read = |capacity: usize| {
        let mut input = CommandInput::new(std::io::BufReader::with_capacity(capacity, text.as_bytes()));
        let mut said = Vec::new();
        while let Some(tree) = input.next_command().unwrap() {
            said.push(match tree {
                Ok(tree) => format!("{} {:?}", tree.root().text(), tree.root().error("").position),
                Err(error) => error.to_string(),
            });
        }
        said
    };
    let whole = read(1000);
    assert_eq!(whole.len(), 7, "{whole:?}");
    assert!((1..40).all(|capacity| read(capacity) == whole), "{whole:?}");
}

#[test]
fn a_name_that_was_left_is_another_symbol_with_another_sort() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let mut declare = |text: &str| {
        let tree = CommandInput::new(text.as_bytes()).next_command().unwrap().unwrap().unwrap();
        match reader.command(&mut terms, &tree) {
            Ok(Command::Declare(symbol)) => Some(symbol),
            Ok(_) => None,
            Err(error) => panic!("{error}"),
        }
    };
    declare("(push)");
    let integer = declare("(declare-const x Int)");
    declare("(pop)");
    declare("(push)");
    let truth = declare("(declare-const x Bool)");
    let other = declare("(declare-const x!0 Bool)");
    declare("(pop)");
    assert!(integer != truth && truth != other && integer != other);
    assert_eq!(declare("(declare-const x!0 Bool)"), other);
    declare("(push)");
    assert_eq!(declare("(declare-const x Int)"), integer);
    declare("(pop)");
    assert_eq!(declare("(declare-const x Bool)"), truth);
}
