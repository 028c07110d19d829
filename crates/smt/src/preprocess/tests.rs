use super::*;
use craig_term::Int;

#[test]
fn local_values_of_a_disjunct_disappear() {
    let mut tm = Terms::new();
    let mut int = |name: &str| tm.declare_const(name, Terms::INT).expect("no clash");
    let [x, y, r, s, flag] = ["x", "y", "r", "s", "flag"].map(&mut int);
    let p = tm.declare_const("p", Terms::BOOL).expect("no clash");
    let one = tm.int(1);
    let zero = tm.int(0);
    // p => (r = x + 1 and y = r) or (flag = 0 <=> s < 0 and not flag = 0 and y = s)
    let next = tm.add2(x, one);
    let a = tm.eq(r, next);
    let b = tm.eq(y, r);
    let left = tm.and2(a, b);
    let test = tm.eq(flag, zero);
    let negative = tm.lt(s, zero);
    let c = tm.iff(test, negative);
    let not_test = tm.not(test);
    let d = tm.eq(y, s);
    let right = tm.and(&[c, not_test, d]);
    let either = tm.or2(left, right);
    let part = tm.implies(p, either);
    let other = tm.and(&[p]);
    let range = tm.le(y, x);
    let other = tm.and2(other, range);
    let result = preprocess(&mut tm, &[part, other], &Budget::unlimited()).expect("no limit");
    let left: Vec<&str> =
        tm.free_consts_of(&result.parts).into_iter().filter_map(|t| tm.const_name(t)).collect();
    assert_eq!(left.iter().filter(|name| ["r", "s", "flag"].contains(name)).count(), 0, "{left:?}");
    let mut model = Model::new();
    for (t, value) in [(x, 5), (y, 3)] {
        model.set(t, Value::Int(Int::from(value)));
    }
    model.set(p, Value::Bool(true));
    let truth: Vec<TermId> = tm.free_consts_of(&result.parts);
    for t in truth {
        if tm.const_name(t).is_some_and(|name| name.starts_with("free")) {
            model.set(t, Value::Bool(false));
        }
    }
    assert!(result.parts.iter().all(|&part| tm.eval_bool(part, &model) == Ok(true)));
    result.complete(&tm, &mut model);
    assert_eq!(tm.eval_bool(part, &model), Ok(true));
    assert_eq!(tm.eval_bool(other, &model), Ok(true));
}
