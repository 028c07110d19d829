use super::*;
use crate::interpolate::{self, Interpolation};
use craig_num::Rat;

fn contradictory(terms: &mut Terms, facts: &[TermId]) -> bool {
    let mut solver = NativeSolver::default();
    for &fact in facts {
        solver.assert(terms, fact);
    }
    solver.check(terms, &[], &Budget::unlimited()) == Answer::Unsat
}

fn is_interpolant(terms: &mut Terms, a: TermId, b: TermId, interpolant: TermId) -> bool {
    let negation = terms.not(interpolant);
    contradictory(terms, &[a, negation]) && contradictory(terms, &[interpolant, b])
}

fn ints<const N: usize>(terms: &mut Terms) -> [TermId; N] {
    std::array::from_fn(|i| terms.declare_const(&format!("x{i}"), Terms::INT).expect("no clash"))
}

#[test]
fn needless_parts_are_dropped() {
    let mut tm = Terms::new();
    let [x, y] = ints(&mut tm);
    let (zero, one, five) = (tm.int(0), tm.int(1), tm.int(5));
    let (x_zero, y_zero) = (tm.eq(x, zero), tm.eq(y, zero));
    let a = tm.and2(x_zero, y_zero);
    let b = tm.gt(x, five);
    let (x_small, y_small, y_large) = (tm.le(x, one), tm.le(y, one), tm.gt(y, five));
    let clause = tm.or2(x_small, y_large);
    let clumsy = tm.and2(clause, y_small);
    assert_eq!(generalize(&mut tm, a, b, clumsy, Effort::Drop, &Budget::unlimited()), x_small);
}

/// Many points on a line are separated from points above it by the line, not point by point.
#[test]
fn one_half_space_for_many_samples() {
    let mut tm = Terms::new();
    let [x, y] = ints(&mut tm);
    let point = |tm: &mut Terms, i: i64, j: i64| {
        let (i, j) = (tm.int(i), tm.int(j));
        let (on_x, on_y) = (tm.eq(x, i), tm.eq(y, j));
        tm.and2(on_x, on_y)
    };
    let below: Vec<TermId> = (0..6).map(|i| point(&mut tm, i, i)).collect();
    let above: Vec<TermId> = (0..6).map(|i| point(&mut tm, i, i + 1 + i % 2)).collect();
    let (a, b) = (tm.or(&below), tm.or(&above));
    let found = separate(&mut tm, a, b, &Budget::unlimited()).expect("there is a line");
    assert!(is_interpolant(&mut tm, a, b, found));
    assert_eq!(tm.to_smtlib(found), "(> (+ x0 (- x1)) (- 1))");
    let options = interpolate::Options::default();
    let Interpolation::Interpolants(raw) = interpolate::binary(&mut tm, a, b, &options, &Budget::unlimited())
    else {
        panic!("no interpolant")
    };
    let general = generalize(&mut tm, a, b, raw, Effort::Separate, &Budget::unlimited());
    assert!(is_interpolant(&mut tm, a, b, general));
    assert!(tm.dag_size(general) <= tm.dag_size(found));
}

#[test]
fn local_symbols_cancel() {
    let mut tm = Terms::new();
    let [x, y, u, v] = ints(&mut tm);
    // x <= u and u <= y before; y <= v and v < x after: x <= y.
    let (xu, uy, yv, vx) = (tm.le(x, u), tm.le(u, y), tm.le(y, v), tm.lt(v, x));
    let (a, b) = (tm.and2(xu, uy), tm.and2(yv, vx));
    let found = separate(&mut tm, a, b, &Budget::unlimited()).expect("there is a half-space");
    assert!(is_interpolant(&mut tm, a, b, found));
    assert_eq!(tm.free_consts(found), [x, y]);
}

#[test]
fn what_no_half_space_separates_is_left_alone() {
    let mut tm = Terms::new();
    let [x, y, z] = ints(&mut tm);
    let two = Rat::from(2);
    let (even, odd) = (tm.scale(&two, y), tm.scale(&two, z));
    let one = tm.int(1);
    let odd = tm.add2(odd, one);
    let (a, b) = (tm.eq(x, even), tm.eq(x, odd));
    assert_eq!(separate(&mut tm, a, b, &Budget::unlimited()), None);
    let zero = tm.int(0);
    let modulus = tm.int(2);
    let remainder = tm.modulo(x, modulus);
    let parity = tm.eq(remainder, zero);
    assert_eq!(generalize(&mut tm, a, b, parity, Effort::Separate, &Budget::unlimited()), parity);
}
