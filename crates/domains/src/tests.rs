//! The laws of the domains, against the truth of formulas on a grid of small states.

use crate::boxes::BoxesDomain;
use crate::templates::{TemplateDomain, box_forms, octagon_forms};
use crate::{BoxDomain, Cube, Domain, IntervalDomain, predicates};
use craig_base::Budget;
use craig_num::Int;
use craig_program::Interval;
use craig_smt::{NativeSolver, Solver};
use craig_term::{Model, TermId, Terms, Value};
use std::time::Duration;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

struct Grid {
    terms: Terms,
    numbers: Vec<TermId>,
    truth: TermId,
    states: Vec<Model>,
}

fn grid() -> Grid {
    let mut terms = Terms::new();
    let numbers: Vec<TermId> =
        ["x", "y"].iter().map(|name| terms.declare_const(name, Terms::INT).expect("new")).collect();
    let truth = terms.declare_const("b", Terms::BOOL).expect("new");
    let mut states = Vec::new();
    for x in -6i64..=6 {
        for y in -6i64..=6 {
            for b in [false, true] {
                let mut model = Model::new();
                model.set(numbers[0], Value::Int(Int::from(x)));
                model.set(numbers[1], Value::Int(Int::from(y)));
                model.set(truth, Value::Bool(b));
                states.push(model);
            }
        }
    }
    Grid { terms, numbers, truth, states }
}

impl Grid {
    fn holds(&self, formula: TermId, state: &Model) -> bool {
        self.terms.eval_bool(formula, state).expect("all constants have values")
    }

    fn implies(&self, a: TermId, b: TermId) -> bool {
        self.states.iter().all(|state| !self.holds(a, state) || self.holds(b, state))
    }

    /// A formula; without `mixed`, all of its literals speak of one constant.
    fn formula(&mut self, random: &mut Random, depth: u32, mixed: bool) -> TermId {
        if depth == 0 || random.below(4) == 0 {
            return self.literal(random, mixed);
        }
        let a = self.formula(random, depth - 1, mixed);
        let b = self.formula(random, depth - 1, mixed);
        match random.below(5) {
            0 | 1 => self.terms.and2(a, b),
            2 | 3 => self.terms.or2(a, b),
            _ => self.terms.ite(self.truth, a, b),
        }
    }

    fn literal(&mut self, random: &mut Random, mixed: bool) -> TermId {
        let k = self.terms.int(random.below(9) as i64 - 4);
        let x = self.numbers[random.below(2) as usize];
        let sum =
            if mixed && random.below(2) == 0 { self.terms.add2(self.numbers[0], self.numbers[1]) } else { x };
        match random.below(5) {
            0 => self.truth,
            1 => self.terms.eq(sum, k),
            2 => {
                let equal = self.terms.eq(sum, k);
                self.terms.not(equal)
            }
            3 => self.terms.le(sum, k),
            _ => self.terms.ge(sum, k),
        }
    }
}

fn laws<D: Domain>(domain: &mut D, grid: &mut Grid, seed: u64) {
    let mut random = Random(seed);
    let top = domain.top();
    assert_eq!(domain.gamma(&mut grid.terms, &top), Terms::TRUE);
    let bottom = domain.bottom();
    assert_eq!(domain.gamma(&mut grid.terms, &bottom), Terms::FALSE);
    for _ in 0..60 {
        let (f, g) = (grid.formula(&mut random, 3, true), grid.formula(&mut random, 3, true));
        let (a, b) = (domain.alpha(&mut grid.terms, f), domain.alpha(&mut grid.terms, g));
        let (ga, gb) = (domain.gamma(&mut grid.terms, &a), domain.gamma(&mut grid.terms, &b));
        assert!(grid.implies(f, ga) && grid.implies(g, gb), "alpha loses states");
        let joined = domain.join(&a, &b);
        let either = grid.terms.or2(ga, gb);
        let gamma = domain.gamma(&mut grid.terms, &joined);
        assert!(grid.implies(either, gamma), "join loses states");
        assert!(domain.leq(&a, &joined) && domain.leq(&b, &joined), "join is no upper bound");
        if domain.leq(&a, &b) {
            assert!(grid.implies(ga, gb), "leq without implication");
        }
        let widened = domain.widen(&a, &joined);
        let gamma = domain.gamma(&mut grid.terms, &widened);
        assert!(grid.implies(either, gamma), "widening loses states");
        let frontier = domain.widen_with(std::slice::from_ref(&a), &b);
        let gamma = domain.gamma(&mut grid.terms, &frontier);
        let covered = grid.terms.or2(ga, gamma);
        assert!(grid.implies(gb, covered), "WidenWith loses states");
    }
}

/// Definition 5.2, termination: the union of all results stops growing.
fn widening_ends<D: Domain>(domain: &mut D, grid: &mut Grid) {
    let mut seen = Vec::new();
    for step in 0i64..40 {
        let (x, y) = (grid.numbers[0], grid.numbers[1]);
        let (k, two_k) = (grid.terms.int(step), grid.terms.int(-2 * step));
        let (here, there) = (grid.terms.eq(x, k), grid.terms.eq(y, two_k));
        let state = grid.terms.and2(here, there);
        let new = domain.alpha(&mut grid.terms, state);
        let all = seen.iter().fold(domain.bottom(), |all, x| domain.join(&all, x));
        if step > 8 {
            assert!(domain.leq(&new, &all), "still growing after {step} steps");
        }
        seen.push(domain.widen_with(&seen, &new));
    }
}

fn interval_laws<D: IntervalDomain>(domain: &mut D, grid: &mut Grid, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..60 {
        let (f, g) = (grid.formula(&mut random, 3, false), grid.formula(&mut random, 3, false));
        let (a, b) = (domain.alpha(&mut grid.terms, f), domain.alpha(&mut grid.terms, g));
        let (ga, gb) = (domain.gamma(&mut grid.terms, &a), domain.gamma(&mut grid.terms, &b));
        let meet = domain.meet(&a, &b);
        let (gm, both) = (domain.gamma(&mut grid.terms, &meet), grid.terms.and2(ga, gb));
        assert!(grid.implies(both, gm) && grid.implies(gm, both), "meet is exact");
        let x = grid.numbers[0];
        let forgotten = domain.forget(&a, &[x]);
        assert!(domain.leq(&a, &forgotten));
        assert!(!domain.support(&forgotten).contains(&x));
        let known: Cube = [(x, Interval { lo: Some(Int::from(-2)), hi: Some(Int::from(3)) })].into();
        let inside = domain.slab(x, &known[&x]);
        let rest = domain.outside_of(&a, &known);
        let (small, large) = (domain.meet(&a, &inside), domain.meet(&rest, &inside));
        assert!(domain.leq(&small, &large) && domain.leq(&large, &small), "another set within the box");
        let dimensions = [grid.numbers[0], grid.truth];
        let mut union = domain.bottom();
        for cube in domain.cubes(&a, &dimensions) {
            let mut element = domain.top();
            for (dimension, interval) in cube {
                assert!(dimensions.contains(&dimension));
                let slab = domain.slab(dimension, &interval);
                element = domain.meet(&element, &slab);
            }
            union = domain.join(&union, &element);
        }
        assert!(domain.leq(&a, &union), "the boxes do not cover the element");
    }
}

#[test]
fn box_obeys_the_laws() {
    let mut grid = grid();
    for thresholds in [vec![], vec![Int::from(-2), Int::from(3)]] {
        let mut domain = BoxDomain::new(thresholds);
        laws(&mut domain, &mut grid, 7);
        interval_laws(&mut domain, &mut grid, 8);
        widening_ends(&mut domain, &mut grid);
    }
}

#[test]
fn boxes_obey_the_laws() {
    let mut grid = grid();
    for thresholds in [vec![], vec![Int::from(-2), Int::from(3)]] {
        let mut domain = BoxesDomain::new(thresholds, &Budget::unlimited());
        laws(&mut domain, &mut grid, 17);
        interval_laws(&mut domain, &mut grid, 18);
        widening_ends(&mut domain, &mut grid);
    }
}

#[test]
fn templates_obey_the_laws() {
    let mut grid = grid();
    let mut forms = box_forms(&mut grid.terms, &grid.numbers);
    forms.extend(octagon_forms(&mut grid.terms, &[(grid.numbers[0], grid.numbers[1])]));
    let mut domain = TemplateDomain::new(forms, vec![Int::from(5)]);
    laws(&mut domain, &mut grid, 27);
    widening_ends(&mut domain, &mut grid);
}

/// However many cubes there are: here 2^9 of 2^10, more than any limit on their number would allow.
#[test]
fn boolean_abstraction_is_exact() {
    let mut terms = Terms::new();
    let bits: Vec<TermId> =
        (0..10).map(|i| terms.declare_const(&format!("b{i}"), Terms::BOOL).expect("new")).collect();
    let names: Vec<TermId> =
        (0..10).map(|i| terms.declare_const(&format!("n{i}"), Terms::BOOL).expect("new")).collect();
    // An even number of them holds.
    let odd = bits.iter().fold(Terms::FALSE, |odd, &bit| {
        let even = terms.not(odd);
        terms.ite(bit, even, odd)
    });
    let mut solver = NativeSolver::default();
    let even = terms.not(odd);
    solver.assert(&mut terms, even);
    let mut queries = 0;
    let budget = Budget::unlimited();
    let post = predicates::boolean(&mut terms, &mut solver, &[], &bits, &names, &mut queries, &budget);
    let post = post.expect("no limit");
    for values in 0u32..1024 {
        let mut model = Model::new();
        for (at, &name) in names.iter().enumerate() {
            model.set(name, Value::Bool(values >> at & 1 == 1));
        }
        assert_eq!(terms.eval_bool(post, &model), Ok(values.count_ones() % 2 == 0), "{values:b}");
    }
    let nothing =
        predicates::boolean(&mut terms, &mut solver, &[Terms::FALSE], &bits, &names, &mut queries, &budget);
    assert_eq!(nothing, Ok(Terms::FALSE));
}

#[test]
fn octagons_are_best() {
    let mut grid = grid();
    let (x, y) = (grid.numbers[0], grid.numbers[1]);
    let mut domain = TemplateDomain::new(octagon_forms(&mut grid.terms, &[(x, y)]), Vec::new());
    let (zero, three, one) = (grid.terms.int(0), grid.terms.int(3), grid.terms.int(1));
    let next = grid.terms.add2(x, one);
    let facts = [grid.terms.le(zero, x), grid.terms.le(x, three), grid.terms.eq(y, next)];
    let formula = grid.terms.and(&facts);
    let element = domain.alpha(&mut grid.terms, formula);
    let gamma = domain.gamma(&mut grid.terms, &element);
    assert!(grid.implies(gamma, formula), "the formula is an octagon");
}

#[test]
fn boxes_are_exact_on_single_constants() {
    let mut grid = grid();
    let mut random = Random(99);
    let mut domain = BoxesDomain::new(Vec::new(), &Budget::unlimited());
    for _ in 0..200 {
        let (f, g) = (grid.formula(&mut random, 4, false), grid.formula(&mut random, 4, false));
        let (a, b) = (domain.alpha(&mut grid.terms, f), domain.alpha(&mut grid.terms, g));
        let gamma = domain.gamma(&mut grid.terms, &a);
        assert!(grid.implies(gamma, f) && grid.implies(f, gamma));
        let difference = domain.difference(a, b);
        let gamma = domain.gamma(&mut grid.terms, &difference);
        let not_g = grid.terms.not(g);
        let expected = grid.terms.and2(f, not_g);
        assert!(grid.implies(gamma, expected) && grid.implies(expected, gamma));
        // Canonical: the same set is the same diagram, however it was made.
        let again = domain.alpha(&mut grid.terms, expected);
        assert_eq!(difference, again);
        let hull = domain.hull(a);
        assert!(domain.leq(&a, &hull));
    }
}

#[test]
fn widening_boxes_extends_only_what_grew() {
    let mut terms = Terms::new();
    let x = terms.declare_const("x", Terms::INT).expect("new");
    let mut domain = BoxesDomain::new(Vec::new(), &Budget::unlimited());
    let point = |domain: &mut BoxesDomain, k: i64| domain.slab(x, &Interval::constant(k));
    let (zero, five, six) = (point(&mut domain, 0), point(&mut domain, 5), point(&mut domain, 6));
    let old = domain.join(&zero, &five);
    let new = domain.join(&old, &six);
    let widened = domain.widen(&old, &new);
    let above = domain.slab(x, &Interval { lo: Some(Int::from(5)), hi: None });
    let expected = domain.join(&zero, &above);
    assert_eq!(widened, expected);
}

#[test]
fn widening_boxes_keeps_what_is_new_between_known_boxes() {
    let mut terms = Terms::new();
    let x = terms.declare_const("x", Terms::INT).expect("new");
    let mut domain = BoxesDomain::new(Vec::new(), &Budget::unlimited());
    let point = |domain: &mut BoxesDomain, k: i64| domain.slab(x, &Interval::constant(k));
    let [zero, five, nine, twelve] = [0, 5, 9, 12].map(|k| point(&mut domain, k));
    let old = domain.join(&zero, &nine);
    let new = [five, twelve].iter().fold(old, |all, part| domain.join(&all, part));
    let widened = domain.widen(&old, &new);
    let above = domain.slab(x, &Interval { lo: Some(Int::from(9)), hi: None });
    let expected = [five, above].iter().fold(zero, |all, part| domain.join(&all, part));
    assert_eq!(widened, expected);
}

#[test]
fn without_time_operations_on_boxes_yield_everything() {
    let mut terms = Terms::new();
    let x = terms.declare_const("x", Terms::INT).expect("new");
    let mut domain = BoxesDomain::new(Vec::new(), &Budget::unlimited().with_timeout(Duration::ZERO));
    let mut all = domain.bottom();
    for k in 0..2000 {
        let point = domain.slab(x, &Interval::constant(2 * k));
        all = domain.join(&all, &point);
    }
    assert_eq!(all, domain.top());
}
