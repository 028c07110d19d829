use crate::*;
use craig_base::Map;

fn ints(terms: &mut Terms, names: &[&str]) -> Vec<TermId> {
    names.iter().map(|name| terms.declare_const(name, Terms::INT).expect("no clash")).collect()
}

#[test]
fn equal_atoms_are_one_term() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, &["x", "y"]);
    let (x, y) = (v[0], v[1]);
    let five = tm.int(5);
    // 2x - 2y < 5  is  x - y <= 2  is  not (y - x < -2)
    let x2 = tm.scale(&Rat::from(2), x);
    let y2 = tm.scale(&Rat::from(2), y);
    let left = tm.sub(x2, y2);
    let a = tm.lt(left, five);
    let two = tm.int(2);
    let difference = tm.sub(x, y);
    let b = tm.le(difference, two);
    assert_eq!(a, b);
    let minus_two = tm.int(-2);
    let other = tm.sub(y, x);
    let c = tm.lt(other, minus_two);
    assert_eq!(tm.not(c), b);
    assert_eq!(tm.to_smtlib(c), "(> (+ x (- y)) 2)");
    // 2x = 2y + 1 has no integer solution
    let one = tm.int(1);
    let right = tm.add2(y2, one);
    assert_eq!(tm.eq(x2, right), Terms::FALSE);
}

#[test]
fn ite_chains_collapse() {
    let mut tm = Terms::new();
    let p = tm.declare_const("p", Terms::BOOL).expect("fresh");
    let x = ints(&mut tm, &["x"])[0];
    let (zero, one) = (tm.int(0), tm.int(1));
    let mut number = tm.ite(p, one, zero);
    for _ in 0..5 {
        let is_one = tm.eq(number, one);
        number = tm.ite(is_one, one, zero);
    }
    assert_eq!(tm.eq(number, one), p);
    assert_eq!(tm.eq(number, zero), tm.not(p));
    let mixed = tm.ite(p, zero, x);
    let positive = tm.gt(mixed, zero);
    let x_positive = tm.gt(x, zero);
    let not_p = tm.not(p);
    assert_eq!(positive, tm.and2(not_p, x_positive));
}

#[test]
fn comparisons_of_choices_among_numerals_are_boolean() {
    let mut tm = Terms::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| tm.declare_const(name, Terms::BOOL).expect("fresh"));
    let [one, two, three, seven] = [1, 2, 3, 7].map(|number| tm.int(number));
    let (left, right) = (tm.ite(q, one, two), tm.ite(r, two, three));
    let choice = tm.ite(p, left, right);
    let not_q = tm.not(q);
    assert_eq!(tm.eq(choice, two), tm.ite(p, not_q, r));
    assert_eq!(tm.le(choice, one), tm.and2(p, q));
    assert_eq!(tm.eq(choice, seven), Terms::FALSE);
    assert_eq!(tm.lt(choice, seven), Terms::TRUE);
    // A branch that is something else leaves the rest alone.
    let x = ints(&mut tm, &["x"])[0];
    let other = tm.ite(q, x, right);
    let mixed = tm.ite(p, left, other);
    let atom = tm.eq(mixed, two);
    assert_eq!((tm.op(atom), tm.arg(atom, 0)), (Op::Eq, mixed));
    // As many paths as there are atoms in a stone, and few nodes.
    let (mut even, mut odd) = (one, two);
    for step in 0..80 {
        let c = tm.declare_const(&format!("c{step}"), Terms::BOOL).expect("fresh");
        (even, odd) = (tm.ite(c, even, odd), tm.ite(c, odd, even));
    }
    let is_one = tm.eq(even, one);
    let is_two = tm.eq(even, two);
    assert_eq!(tm.not(is_one), is_two);
}

#[test]
fn division_is_euclidean_and_normalised() {
    let mut tm = Terms::new();
    let x = ints(&mut tm, &["x"])[0];
    for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
        let (a, b, q, r) = (tm.int(a), tm.int(b), tm.int(q), tm.int(r));
        assert_eq!((tm.div(a, b), tm.modulo(a, b)), (q, r));
    }
    let two = tm.int(2);
    let three = tm.int(3);
    let x2 = tm.mul(two, x);
    let sum = tm.add2(x2, three);
    assert_eq!(tm.modulo(sum, two), tm.int(1));
    let one = tm.int(1);
    assert_eq!(tm.div(sum, two), tm.add2(x, one));
}

#[test]
fn junctions_absorb() {
    let mut tm = Terms::new();
    let p = tm.declare_const("p", Terms::BOOL).expect("fresh");
    let q = tm.declare_const("q", Terms::BOOL).expect("fresh");
    let not_p = tm.not(p);
    assert_eq!(tm.and(&[p, q, not_p]), Terms::FALSE);
    assert_eq!(tm.or(&[p, q, not_p]), Terms::TRUE);
    let inner = tm.and2(q, p);
    assert_eq!(tm.and2(p, inner), inner);
    assert_eq!(tm.xor(p, not_p), Terms::TRUE);
}

#[test]
fn mixed_atoms_over_integers_become_integer_atoms() {
    let mut tm = Terms::new();
    let x = ints(&mut tm, &["x"])[0];
    let real = tm.to_real(x);
    let half = tm.real(Rat::new(Int::from(3), Int::from(2)));
    let atom = tm.le(real, half);
    let one = tm.int(1);
    assert_eq!(atom, tm.le(x, one));
    assert_eq!(tm.is_int_value(real), Terms::TRUE);
    // Also below an ite.
    let p = tm.declare_const("p", Terms::BOOL).expect("fresh");
    let zero = tm.real(Rat::from(0));
    let choice = tm.ite(p, zero, real);
    let below = tm.lt(choice, zero);
    let int_zero = tm.int(0);
    let negative = tm.lt(x, int_zero);
    let not_p = tm.not(p);
    assert_eq!(below, tm.and2(not_p, negative));
}

#[test]
fn symbols_clash_with_other_sorts_only() {
    let mut tm = Terms::new();
    let x = tm.declare_const("x", Terms::INT).expect("fresh");
    assert_eq!(tm.declare_const("x", Terms::INT), Ok(x));
    assert_eq!(tm.declare_const("x", Terms::REAL), Err(DeclareError { name: "x".into() }));
    assert_ne!(tm.fresh_const("x", Terms::INT), tm.fresh_const("x", Terms::INT));
    // The name of a program's variable, declared when fresh constants are there.
    for i in 0..4 {
        assert!(tm.declare_const(&format!("x!{i}"), Terms::BOOL).is_ok());
    }
}

#[test]
fn shared_terms_print_in_linear_size() {
    let mut tm = Terms::new();
    let f = tm.declare_fun("f f", &[Terms::INT, Terms::INT], Terms::INT).expect("fresh");
    let mut t = ints(&mut tm, &["x"])[0];
    for _ in 0..100_000 {
        t = tm.app(f, &[t, t]);
    }
    assert_eq!(tm.dag_size(t), 100_001);
    let text = tm.to_smtlib(t);
    assert!(text.len() < 100_000 * 50);
    assert!(text.starts_with("(let ((?0 (|f f| x x))) (let ((?1 (|f f| ?0 ?0)))"));
    let zero = tm.int(0);
    let map: Map<TermId, TermId> = [(tm.free_consts(t)[0], zero)].into_iter().collect();
    let closed = tm.substitute(t, &map);
    assert!(tm.free_consts(closed).is_empty());
    assert_eq!(tm.eval(closed, &Model::new()), Ok(Value::Int(Int::from(0))));
}

#[test]
fn many_terms_have_the_values_that_each_has() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, &["i", "j"]);
    let sum = tm.add(&v);
    let (less, most) = (tm.lt(v[0], v[1]), tm.le(sum, v[0]));
    let any = tm.fresh_const("any", Terms::INT);
    let above = tm.lt(any, v[0]);
    let all = tm.forall(&[any], above);
    let not_all = tm.not(all);
    let roots = [most, not_all, less, most, sum];
    let evaluation = Evaluation::new(&tm, &roots);
    for (i, j) in [(3, 4), (4, 3), (0, 0), (-1, i64::MAX)] {
        let mut model = Model::new();
        model.set(v[0], Value::Int(Int::from(i)));
        model.set(v[1], Value::Int(Int::from(j)));
        let each: Vec<Option<Value>> = roots.iter().map(|&root| tm.eval(root, &model).ok()).collect();
        assert_eq!(evaluation.values(&tm, &model), each);
        assert!(each[1].is_none() && each[0].is_some());
    }
}

#[test]
fn evaluation_follows_the_model() {
    let mut tm = Terms::new();
    let sort = tm.array_sort(Terms::INT, Terms::INT);
    let a = tm.declare_const("a", sort).expect("fresh");
    let v = ints(&mut tm, &["i", "j"]);
    let (i, j) = (v[0], v[1]);
    let seven = tm.int(7);
    let stored = tm.store(a, i, seven);
    let read = tm.select(stored, j);
    let mut model = Model::new();
    model.set(i, Value::Int(Int::from(3)));
    model.set(j, Value::Int(Int::from(3)));
    assert_eq!(tm.eval(read, &model), Ok(Value::Int(Int::from(7))));
    model.set(j, Value::Int(Int::from(4)));
    assert_eq!(tm.eval(read, &model), Ok(Value::Int(Int::from(0))));
    assert_eq!(tm.to_smtlib(read), "(select (store a i 7) j)");
    assert_eq!(tm.select(stored, i), seven);
}

#[test]
fn a_select_finds_its_store_behind_others_that_do_not_matter() {
    let mut tm = Terms::new();

    let sort = tm.array_sort(Terms::INT, Terms::INT);
    let a = tm.declare_const("a", sort).expect("fresh");
    let v = ints(&mut tm, &["p", "q", "r", "s"]);
    let (p, q, r, s) = (v[0], v[1], v[2], v[3]);
    let [zero, one] = [0, 1].map(|n| tm.int(n));
    let mut array = a;
    for index in [p, q, r] {
        array = tm.store(array, index, zero);
    }
    assert_eq!(tm.select(array, p), zero);

    let above = tm.store(array, s, one);
    let same = tm.eq(s, p);
    let expected = tm.ite(same, one, zero);
    assert_eq!(tm.select(above, p), expected);
    // Here the last store with zero matters: it may hide the one.
    let hidden = tm.store(above, r, zero);
    let read = tm.select(hidden, p);
    assert_eq!(tm.to_smtlib(read), "(select (store (store (store a p 0) s 1) r 0) p)");
}

#[test]
fn quantified_bodies_keep_their_bound_constants_inside() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, &["x", "y"]);
    let sum = tm.add2(v[0], v[1]);
    let zero = tm.int(0);
    let low = tm.le(zero, sum);
    let one = tm.int(1);
    let high = tm.le(sum, one);
    let body = tm.and2(low, high);
    let all = tm.forall(&[v[0]], body);
    assert_eq!(tm.to_smtlib(all), "(forall ((x Int)) (let ((?0 (+ x y))) (and (> ?0 (- 1)) (<= ?0 1))))");
    assert_eq!(tm.eval(all, &Model::new()), Err(EvalError::Quantifier(all)));
}

#[test]
fn a_bound_between_the_numerals_of_an_ite_is_tightened() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, &["x"]);
    let (zero, two, seven) = (tm.int(0), tm.int(2), tm.int(7));
    let condition = tm.le(v[0], zero);
    let choice = tm.ite(condition, two, v[0]);
    let tripled = tm.scale(&Rat::from(3), choice);
    let atom = tm.le(tripled, seven);
    let bounded = tm.le(v[0], two);
    assert_eq!(atom, tm.or2(condition, bounded));
}
