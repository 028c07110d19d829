use super::*;
use crate::proof::{Refutation, check};
use craig_num::{Int, Rat};

struct Fixture {
    tm: Terms,
    solver: NativeSolver,
}

impl Fixture {
    fn new() -> Self {
        Fixture {
            tm: Terms::new(),
            solver: NativeSolver::new(Options { proofs: true, ..Options::default() }),
        }
    }

    fn ints<const N: usize>(&mut self, names: [&str; N]) -> [TermId; N] {
        names.map(|name| self.tm.declare_const(name, Terms::INT).expect("no clash"))
    }

    fn assert(&mut self, t: TermId) {
        self.solver.assert(&mut self.tm, t);
    }

    fn check(&mut self) -> Answer {
        let answer = self.solver.check(&mut self.tm, &[], &Budget::unlimited());
        if answer == Answer::Unsat {
            let root = self.solver.refutation().expect("proofs are on");
            let refutation = Refutation::extract(self.solver.proof(), root).expect("a sound log");
            assert_eq!(check(&mut self.tm, &self.solver, &refutation), Ok(()));
        }
        answer
    }

    /// `sum of coefficient * variable + constant`
    fn sum(&mut self, parts: &[(i64, TermId)], constant: i64) -> TermId {
        let mut summands = vec![self.tm.int(constant)];
        for &(c, t) in parts {
            summands.push(self.tm.scale(&Rat::from(c), t));
        }
        self.tm.add(&summands)
    }
}

#[test]
fn parity_is_refuted_by_divisibility() {
    let mut f = Fixture::new();
    let [x, y, z] = f.ints(["x", "y", "z"]);
    let even = f.sum(&[(2, y)], 0);
    let odd = f.sum(&[(2, z)], 1);
    let a = f.tm.eq(x, even);
    let b = f.tm.eq(x, odd);
    f.assert(a);
    assert_eq!(f.check(), Answer::Sat);
    f.assert(b);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn pigeonhole_over_integers() {
    let mut f = Fixture::new();
    let names: Vec<String> = (0..6).map(|i| format!("p{i}")).collect();
    let vars: Vec<TermId> =
        names.iter().map(|name| f.tm.declare_const(name, Terms::INT).expect("no clash")).collect();
    let (low, high) = (f.tm.int(1), f.tm.int(5));
    for &v in &vars {
        let a = f.tm.le(low, v);
        let b = f.tm.le(v, high);
        f.assert(a);
        f.assert(b);
    }
    let d = f.tm.distinct(&vars[..5]);
    f.assert(d);
    assert_eq!(f.check(), Answer::Sat);
    let d = f.tm.distinct(&vars);
    f.assert(d);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn long_difference_chains() {
    let mut f = Fixture::new();
    let vars: Vec<TermId> =
        (0..500).map(|i| f.tm.declare_const(&format!("x{i}"), Terms::INT).expect("no clash")).collect();
    for pair in vars.windows(2) {
        let less = f.tm.lt(pair[0], pair[1]);
        f.assert(less);
    }
    let end = f.sum(&[(1, vars[0])], 499);
    let tight = f.tm.le(vars[499], end);
    f.assert(tight);
    assert_eq!(f.check(), Answer::Sat);
    let end = f.sum(&[(1, vars[0])], 498);
    let tight = f.tm.le(vars[499], end);
    f.assert(tight);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn coefficients_beyond_128_bits() {
    let mut f = Fixture::new();
    let [x, y] = f.ints(["x", "y"]);
    let big = Rat::from(Int::pow2(200));
    let bx = f.tm.scale(&big, x);
    let one = f.tm.int(1);
    let by = f.tm.scale(&big, y);
    let right = f.tm.add2(by, one);
    let between = f.tm.lt(by, bx);
    let below = f.tm.lt(bx, right);
    f.assert(between);
    f.assert(below);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn mixed_integer_and_real() {
    let mut f = Fixture::new();
    let [x] = f.ints(["x"]);
    let r = f.tm.declare_const("r", Terms::REAL).expect("no clash");
    let xr = f.tm.to_real(x);
    let half = f.tm.real(Rat::new(Int::from(1), Int::from(2)));
    let sum = f.tm.add2(xr, half);
    let equal = f.tm.eq(r, sum);
    f.assert(equal);
    let floor = f.tm.to_int(r);
    let same = f.tm.eq(floor, x);
    assert_eq!(f.check(), Answer::Sat);
    let other = f.tm.not(same);
    f.assert(other);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn integers_below_strict_real_bounds() {
    let mut f = Fixture::new();
    let [x, y] = f.ints(["x", "y"]);
    let r = f.tm.declare_const("r", Terms::REAL).expect("no clash");
    let (xr, yr) = (f.tm.to_real(x), f.tm.to_real(y));
    let below = f.tm.lt(xr, r);
    let between = f.tm.lt(r, yr);
    let equal = f.tm.eq(r, yr);
    let one = f.tm.real(Rat::from(1));
    let next = f.tm.add2(xr, one);
    let low = f.tm.le(next, r);
    f.assert(below);
    f.assert(low);
    let either = f.tm.or2(between, equal);
    f.assert(either);
    assert_eq!(f.check(), Answer::Sat);
    let two = f.sum(&[(1, x)], 2);
    let close = f.tm.lt(y, two);
    f.assert(close);
    f.assert(between);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn conditional_terms_and_remainders() {
    let mut f = Fixture::new();
    let [x, y] = f.ints(["x", "y"]);
    let (zero, two, three) = (f.tm.int(0), f.tm.int(2), f.tm.int(3));
    let positive = f.tm.lt(zero, x);
    let magnitude = f.tm.abs(x);
    let choice = f.tm.ite(positive, y, magnitude);
    let m = f.tm.modulo(choice, two);
    let odd = f.tm.eq(m, zero);
    let odd = f.tm.not(odd);
    f.assert(odd);
    let range = f.tm.le(magnitude, three);
    f.assert(range);
    let not_positive = f.tm.not(positive);
    f.assert(not_positive);
    assert_eq!(f.check(), Answer::Sat);
    let d = f.tm.div(x, two);
    let twice = f.tm.mul(two, d);
    let even = f.tm.eq(twice, x);
    f.assert(even);
    assert_eq!(f.check(), Answer::Unsat);
}

#[test]
fn scopes_and_cores() {
    for proofs in [false, true] {
        let mut tm = Terms::new();
        let mut solver = NativeSolver::new(Options { proofs, ..Options::default() });
        let budget = Budget::unlimited();
        let x = tm.declare_const("x", Terms::INT).expect("fresh");
        let y = tm.declare_const("y", Terms::INT).expect("fresh");
        let base = tm.lt(x, y);
        solver.assert(&mut tm, base);
        for round in 0..5 {
            solver.push();
            let k = tm.int(round);
            let sum = tm.add2(x, y);
            let high = tm.ge(x, k);
            let low = tm.le(sum, k);
            solver.assert(&mut tm, high);
            let answer = solver.check(&mut tm, &[low], &budget);
            assert_eq!(answer, Answer::Unsat, "round {round}");
            assert_eq!(solver.core(), &[low]);
            assert_eq!(solver.check(&mut tm, &[], &budget), Answer::Sat);
            solver.pop();
            assert_eq!(solver.check(&mut tm, &[low], &budget), Answer::Sat);
        }
        let p = tm.declare_const("p", Terms::BOOL).expect("fresh");
        let back = tm.lt(y, x);
        let implied = tm.implies(p, back);
        solver.assert(&mut tm, implied);
        let q = tm.declare_const("q", Terms::BOOL).expect("fresh");
        assert_eq!(solver.check(&mut tm, &[q, p], &budget), Answer::Unsat);
        assert_eq!(solver.core(), &[p]);
    }
}

#[test]
fn a_cancelled_budget_is_unknown() {
    let mut tm = Terms::new();
    let mut solver = NativeSolver::default();
    let budget = Budget::unlimited();
    budget.cancel_token().cancel();
    assert!(matches!(solver.check(&mut tm, &[], &budget), Answer::Unknown(UnknownReason::Stopped(_))));
}

#[test]
fn quantifiers_are_refused_unless_unsatisfiable_without_them() {
    let mut f = Fixture::new();
    let [x, y] = f.ints(["x", "y"]);
    let body = f.tm.lt(x, y);
    let all = f.tm.forall(&[x], body);
    f.assert(all);
    assert_eq!(f.check(), Answer::Unknown(UnknownReason::Unsupported(Unsupported::Quantifier)));
}

#[test]
fn choices_among_distinct_numbers_are_made_by_propositions() {
    let conflicts = |triangles: bool| {
        let mut tm = Terms::new();
        let mut solver = NativeSolver::new(Options { triangles, ..Options::default() });
        let mut constant = |name: String| tm.declare_const(&name, Terms::INT).expect("no clash");
        let holes: Vec<TermId> = (0..4).map(|i| constant(format!("hole{i}"))).collect();
        let pigeons: Vec<TermId> = (0..5).map(|i| constant(format!("pigeon{i}"))).collect();
        let distinct = tm.distinct(&pigeons);
        solver.assert(&mut tm, distinct);
        for &pigeon in &pigeons {
            let choices: Vec<TermId> = holes.iter().map(|&hole| tm.eq(pigeon, hole)).collect();
            let choice = tm.or(&choices);
            solver.assert(&mut tm, choice);
        }
        assert_eq!(solver.check(&mut tm, &[], &Budget::unlimited()), Answer::Unsat);
        solver.stats().count("theory conflicts")
    };
    let (with, without) = (conflicts(true), conflicts(false));
    assert!(4 * with < without, "{with} and {without} conflicts");
}

/// `x = f(...f(x))` with eleven applications, and another number with many: equations first, not what a model has by chance.
#[test]
fn towers_of_a_function_repeat() {
    for (height, answer) in [(100, Answer::Sat), (110, Answer::Unsat)] {
        let mut fixture = Fixture::new();
        let [x] = fixture.ints(["x"]);
        let f = fixture.tm.declare_fun("f", &[Terms::INT], Terms::INT).expect("no clash");
        let mut tower = x;
        for level in 1..=height {
            tower = fixture.tm.app(f, &[tower]);
            if level == 11 {
                let repeats = fixture.tm.eq(x, tower);
                fixture.assert(repeats);
            }
        }
        let same = fixture.tm.eq(x, tower);
        let other = fixture.tm.not(same);
        fixture.assert(other);
        assert_eq!(fixture.check(), answer);
    }
}
