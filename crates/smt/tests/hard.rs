//! Hard cases by name.

use craig_base::Budget;
use craig_num::{Int, Rat};
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};

fn check(terms: &mut Terms, formulas: &[TermId]) -> Answer {
    let mut solver = NativeSolver::default();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    let answer = solver.check(terms, &[], &Budget::unlimited());
    if let Some(model) = solver.model() {
        assert!(formulas.iter().all(|&t| terms.eval_bool(t, model) == Ok(true)));
    }
    answer
}

fn check_sequence(terms: &mut Terms, parts: &[TermId]) -> Vec<TermId> {
    let found = interpolate::sequence(terms, parts, &interpolate::Options::default(), &Budget::unlimited());
    let Interpolation::Interpolants(list) = found else { panic!("{found:?}") };
    for (k, &part) in parts.iter().enumerate() {
        let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
        let after = list.get(k).copied().unwrap_or(Terms::FALSE);
        let violated = terms.not(after);
        assert_eq!(check(terms, &[before, part, violated]), Answer::Unsat, "step {k}");
    }
    list
}

fn int(terms: &mut Terms, name: &str) -> TermId {
    terms.declare_const(name, Terms::INT).expect("no clash")
}

#[test]
fn parity() {
    let mut tm = Terms::new();
    let (x, y, z) = (int(&mut tm, "x"), int(&mut tm, "y"), int(&mut tm, "z"));
    let two = Rat::from(2);
    let (even, odd) = (tm.scale(&two, y), tm.scale(&two, z));
    let one = tm.int(1);
    let odd = tm.add2(odd, one);
    let parts = [tm.eq(x, even), tm.eq(x, odd)];
    let list = check_sequence(&mut tm, &parts);
    assert_eq!(tm.to_smtlib(list[0]), "(= (mod x 2) 0)");
}

/// Seven different integers between 1 and 6.
#[test]
fn pigeonhole_over_integers() {
    let mut tm = Terms::new();
    let pigeons: Vec<TermId> = (0..7).map(|i| int(&mut tm, &format!("h{i}"))).collect();
    let (first, last) = (tm.int(1), tm.int(6));
    let mut parts: Vec<TermId> = Vec::new();
    for (i, &pigeon) in pigeons.iter().enumerate() {
        let mut facts = vec![tm.le(first, pigeon), tm.le(pigeon, last)];
        for &other in &pigeons[..i] {
            let same = tm.eq(pigeon, other);
            facts.push(tm.not(same));
        }
        parts.push(tm.and(&facts));
    }
    assert_eq!(check(&mut tm, &parts), Answer::Unsat);
    assert_eq!(check(&mut tm, &parts[..6]), Answer::Sat);
}

#[test]
fn long_difference_chains() {
    let mut tm = Terms::new();
    let length = 400;
    let x: Vec<TermId> = (0..=length).map(|i| int(&mut tm, &format!("x{i}"))).collect();
    let mut steps: Vec<TermId> = (0..length)
        .map(|i| {
            let one = tm.int(1);
            let next = tm.add2(x[i], one);
            tm.le(next, x[i + 1])
        })
        .collect();
    assert_eq!(check(&mut tm, &steps), Answer::Sat);
    let limit = tm.int(length as i64);
    let end = tm.add2(x[0], limit);
    steps.push(tm.lt(x[length], end));
    assert_eq!(check(&mut tm, &steps), Answer::Unsat);
    let quarter = length / 4;
    let mut parts: Vec<TermId> = (0..4).map(|k| tm.and(&steps[k * quarter..(k + 1) * quarter])).collect();
    parts.push(steps[length]);
    let list = check_sequence(&mut tm, &parts);
    assert!(list.iter().all(|&t| tm.dag_size(t) < 12), "one difference each");
}

/// Beyond 64 and beyond 128 bits.
#[test]
fn big_coefficients() {
    for bits in [40, 70, 140] {
        let mut tm = Terms::new();
        let (x, y, z) = (int(&mut tm, "x"), int(&mut tm, "y"), int(&mut tm, "z"));
        let two = Int::from(2);
        let big = (0..bits).fold(Int::ONE, |power, _| &power * &two);
        let factor = Rat::from_int(&big + &Int::ONE);
        // (B + 1) x = y, y = (B + 1) z + 1: a remainder that cannot be.
        let (left, right) = (tm.scale(&factor, x), tm.scale(&factor, z));
        let one = tm.int(1);
        let right = tm.add2(right, one);
        let parts = [tm.eq(left, y), tm.eq(y, right)];
        check_sequence(&mut tm, &parts);
        // B <= x and x + y <= B: y is not positive.
        let bound = tm.int(big.clone());
        let sum = tm.add2(x, y);
        let zero = tm.int(0);
        let parts = [tm.le(bound, x), tm.le(sum, bound), tm.lt(zero, y)];
        check_sequence(&mut tm, &parts);
        assert_eq!(check(&mut tm, &parts[..2]), Answer::Sat);
    }
}

#[test]
fn deep_nested_arrays() {
    let mut tm = Terms::new();
    let sort = tm.array_sort(Terms::INT, Terms::INT);
    let a = tm.declare_const("a", sort).expect("no clash");
    let i = int(&mut tm, "i");
    let depth = 100;
    let mut array = a;
    for k in 0..depth {
        let (offset, value) = (tm.int(k), tm.int(k * k));
        let index = tm.add2(i, offset);
        array = tm.store(array, index, value);
    }
    let seven = tm.int(7);
    let index = tm.add2(i, seven);
    let read = tm.select(array, index);
    let (right, wrong) = (tm.int(49), tm.int(50));
    let (holds, fails) = (tm.eq(read, right), tm.eq(read, wrong));
    assert_eq!(check(&mut tm, &[holds]), Answer::Sat);
    assert_eq!(check(&mut tm, &[fails]), Answer::Unsat);
    // An index that may be any of those written.
    let j = int(&mut tm, "j");
    let read = tm.select(array, j);
    let negative = tm.int(-1);
    let (low, high) = (tm.le(i, j), tm.lt(j, index));
    let is_negative = tm.eq(read, negative);
    assert_eq!(check(&mut tm, &[low, high, is_negative]), Answer::Unsat);
}

/// Arrays of arrays of arrays.
#[test]
fn arrays_of_arrays() {
    let mut tm = Terms::new();
    let inner = tm.array_sort(Terms::INT, Terms::INT);
    let middle = tm.array_sort(Terms::INT, inner);
    let outer = tm.array_sort(Terms::INT, middle);
    let a = tm.declare_const("a", outer).expect("no clash");
    let (i, j) = (int(&mut tm, "i"), int(&mut tm, "j"));
    let five = tm.int(5);
    let row = tm.select(a, i);
    let cell = tm.select(row, i);
    let cell = tm.store(cell, i, five);
    let row = tm.store(row, i, cell);
    let b = tm.store(a, i, row);
    let read = (0..3).fold(b, |array, _| tm.select(array, j));
    let (same, not_five) = (tm.eq(i, j), tm.eq(read, five));
    let not_five = tm.not(not_five);
    assert_eq!(check(&mut tm, &[same, not_five]), Answer::Unsat);
    assert_eq!(check(&mut tm, &[not_five]), Answer::Sat);
}

#[test]
fn mixed_integer_and_real() {
    let mut tm = Terms::new();
    let (i, j) = (int(&mut tm, "i"), int(&mut tm, "j"));
    let r = tm.declare_const("r", Terms::REAL).expect("no clash");
    let (ri, rj) = (tm.to_real(i), tm.to_real(j));
    let half = tm.real(Rat::new(1.into(), 2.into()));
    // i < r < i + 1/2 and j = r is not possible, but neither i nor j is bounded.
    let above = tm.add2(ri, half);
    let (integral, limit) = (tm.eq(r, rj), tm.int(1000));
    let bounded = tm.le(i, limit);
    let parts = [tm.lt(ri, r), tm.lt(r, above), tm.and2(integral, bounded)];
    assert_eq!(check(&mut tm, &[parts[0], parts[1], integral]), Answer::Unsat);
    assert_eq!(check(&mut tm, &parts[..2]), Answer::Sat);
    check_sequence(&mut tm, &parts);
}

/// A hundred thousand nodes, almost all of them shared: as a tree they would be beyond counting.
#[test]
fn shared_terms() {
    let mut tm = Terms::new();
    let (x, p) = (int(&mut tm, "x"), tm.declare_const("p", Terms::BOOL).expect("no clash"));
    let zero = tm.int(0);
    let mut number = x;
    let mut formula = p;
    for k in 0..20_000 {
        let step = tm.int(k % 7 - 3);
        let next = tm.add2(number, step);
        let test = tm.le(number, zero);
        number = tm.ite(test, next, number);
        let other = tm.xor(formula, test);
        formula = tm.ite(test, other, formula);
    }
    let large = tm.int(1i64 << 40);
    let above = tm.lt(large, number);
    let both = tm.and2(above, formula);
    assert!(tm.dag_size(both) > 60_000, "{}", tm.dag_size(both));
    let text = tm.to_smtlib(both);
    assert!(text.len() < 10_000_000);
    let mut model = craig_term::Model::new();
    model.set(x, craig_term::Value::Int(Int::from(5)));
    assert_eq!(tm.eval_bool(both, &model), Ok(false));
    // Deep Boolean structure is solved as well.
    let start = tm.int(5);
    let fixed = tm.eq(x, start);
    let negation = tm.not(formula);
    assert_eq!(check(&mut tm, &[fixed, formula, p]), Answer::Sat);
    assert_eq!(check(&mut tm, &[fixed, negation, p]), Answer::Unsat);
}

/// Assumptions are forgotten in the end: the solver does not grow with the number of checks.
#[test]
fn many_different_assumptions() {
    let mut tm = Terms::new();
    let (x, y) = (int(&mut tm, "x"), int(&mut tm, "y"));
    let mut solver = NativeSolver::default();
    let order = tm.le(x, y);
    solver.assert(&mut tm, order);
    for k in 0..12_000 {
        let (low, high) = (tm.int(k), tm.int(k - 1));
        let assumptions = [tm.le(low, x), tm.le(y, high)];
        let answer = solver.check(&mut tm, &assumptions, &Budget::unlimited());
        assert_eq!(answer, Answer::Unsat);
        assert_eq!(solver.core().len(), 2);
    }
    let variables = solver.stats().count("variables");
    assert!(variables < 21_000, "{variables}");
}
