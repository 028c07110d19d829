//! Random formulas. A projection is judged by enumeration: it is true in its model, has no
//! eliminated constant, and wherever it is true some values of those make the formula true.

use super::*;
use crate::arith::Random;
use craig_num::{Int, Rat};
use craig_term::Value;
use std::convert::Infallible;

struct Generator {
    random: Random,
    numbers: Vec<TermId>,
    booleans: Vec<TermId>,
    is_int: bool,
}

impl Generator {
    fn new(terms: &mut Terms, seed: u64, numbers: usize, is_int: bool) -> Generator {
        let sort = if is_int { Terms::INT } else { Terms::REAL };
        let mut declare = |name: String, sort| terms.declare_const(&name, sort).expect("one sort per name");
        Generator {
            random: Random(seed),
            numbers: (0..numbers).map(|i| declare(format!("x{i}"), sort)).collect(),
            booleans: (0..2).map(|i| declare(format!("b{i}"), Terms::BOOL)).collect(),
            is_int,
        }
    }

    fn numeral(&mut self, terms: &mut Terms, from: i64, to: i64) -> TermId {
        let value = self.random.range(from, to);
        if self.is_int { terms.int(value) } else { terms.real(value) }
    }

    fn term(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        let mut sum = self.numeral(terms, -3, 3);
        for _ in 0..self.random.range(1, 2) {
            let mut summand = self.numbers[self.random.below(self.numbers.len() as u64) as usize];
            match self.random.below(8) {
                0 if self.is_int => {
                    let divisor = self.numeral(terms, 2, 3);
                    summand = terms.modulo(summand, divisor);
                }
                1 if self.is_int => {
                    let divisor = self.numeral(terms, 2, 3);
                    summand = terms.div(summand, divisor);
                }
                2 if depth > 0 => {
                    let condition = self.formula(terms, depth - 1);
                    let other = self.term(terms, depth - 1);
                    summand = terms.ite(condition, summand, other);
                }
                _ => {}
            }
            let factor = Rat::from(self.random.range(-3, 3));
            let scaled = terms.scale(&factor, summand);
            sum = terms.add2(sum, scaled);
        }
        sum
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        if depth == 0 || self.random.below(4) == 0 {
            let (a, b) = (self.term(terms, depth.saturating_sub(1)), self.term(terms, 0));
            return match self.random.below(6) {
                0 => self.booleans[self.random.below(2) as usize],
                1 => terms.eq(a, b),
                2 => terms.lt(a, b),
                3 => {
                    let equal = terms.eq(a, b);
                    terms.not(equal)
                }
                _ => terms.le(a, b),
            };
        }
        let (a, b) = (self.formula(terms, depth - 1), self.formula(terms, depth - 1));
        match self.random.below(6) {
            0 => terms.iff(a, b),
            1 => terms.not(a),
            2 => {
                let c = self.formula(terms, depth - 1);
                terms.ite(a, b, c)
            }
            3 => terms.or2(a, b),
            _ => terms.and2(a, b),
        }
    }

    /// Small values; halves for reals.
    fn model(&mut self) -> Model {
        let mut model = Model::new();
        for &constant in &self.numbers {
            let value = self.random.range(-6, 6);
            model.set(constant, self.number(value));
        }
        for &constant in &self.booleans {
            model.set(constant, Value::Bool(self.random.below(2) == 0));
        }
        model
    }

    fn number(&self, value: i64) -> Value {
        if self.is_int {
            Value::Int(Int::from(value))
        } else {
            Value::Real(Rat::new(Int::from(value), Int::from(2)))
        }
    }

    /// Whether some value of the first Boolean and the first number make the formula true. For
    /// reals the values are multiples of a small fraction, which meet all regions that the small
    /// numbers in the formula can make.
    fn exists(&self, terms: &Terms, formula: TermId, model: &Model) -> bool {
        let mut model = model.clone();
        let values: Vec<Value> = if self.is_int {
            (-60..=60).map(|value| Value::Int(Int::from(value))).collect()
        } else {
            (-1440..=1440).map(|value| Value::Real(Rat::new(Int::from(value), Int::from(48)))).collect()
        };
        [false, true].into_iter().any(|boolean| {
            model.set(self.booleans[0], Value::Bool(boolean));
            values.iter().any(|value| {
                model.set(self.numbers[0], value.clone());
                terms.eval_bool(formula, &model) == Ok(true)
            })
        })
    }
}

fn judge(is_int: bool, rounds: u64) {
    let (mut projected, mut confirmed) = (0, 0);
    for seed in 0..rounds {
        let mut terms = Terms::new();
        let mut generator = Generator::new(&mut terms, seed, 3, is_int);
        let formula = generator.formula(&mut terms, 2);
        let eliminated = [generator.booleans[0], generator.numbers[0]];
        for _ in 0..10 {
            let model = generator.model();
            let result = project(&mut terms, formula, &eliminated, &model);
            if terms.eval_bool(formula, &model) != Ok(true) {
                assert_eq!(result, Err(ProjectError::NotAModel));
                continue;
            }
            let result = result.expect("a projection");
            projected += 1;
            assert_eq!(terms.eval_bool(result, &model), Ok(true), "seed {seed}");
            let left = terms.free_consts(result);
            assert!(left.iter().all(|t| generator.numbers[1..].contains(t) || *t == generator.booleans[1]));
            for _ in 0..10 {
                let other = generator.model();
                if terms.eval_bool(result, &other) == Ok(true) {
                    confirmed += 1;
                    assert!(generator.exists(&terms, formula, &other), "seed {seed}");
                }
            }
        }
    }
    assert!(projected as u64 > rounds && confirmed as u64 > rounds, "{projected} {confirmed}");
}

#[test]
fn projections_of_integers_are_right() {
    judge(true, 200);
}

#[test]
fn projections_of_reals_are_right() {
    judge(false, 30);
}

/// Models of a formula over few constants by enumeration of a box.
fn enumerate(terms: &Terms, constants: &[TermId], formula: TermId) -> Option<Model> {
    (0..13usize.pow(constants.len() as u32)).find_map(|code| {
        let mut model = Model::new();
        for (index, &constant) in constants.iter().enumerate() {
            let value = (code / 13usize.pow(index as u32)) as i64 % 13 - 6;
            model.set(constant, Value::Int(Int::from(value)));
        }
        (terms.eval_bool(formula, &model) == Ok(true)).then_some(model)
    })
}

#[test]
fn elimination_is_the_disjunction_of_projections() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.declare_const(name, Terms::INT).expect("new"));
    // 3 y <= 2 x <= 3 y + 1: true for some x unless y is odd and no even number is in reach.
    let (twice, thrice) = (terms.scale(&Rat::from(2), x), terms.scale(&Rat::from(3), y));
    let one = terms.int(1);
    let high = terms.add2(thrice, one);
    let (low, high) = (terms.le(thrice, twice), terms.le(twice, high));
    let inside = terms.and2(low, high);
    let mut all = Terms::TRUE;
    let result = eliminate::<Infallible>(&mut terms, inside, &[x], |terms, added| {
        all = terms.and2(all, added);
        Ok(enumerate(terms, &[x, y], all))
    });
    let result = result.expect("no error");
    assert_eq!(terms.free_consts(result).iter().find(|&&t| t == x), None);
    for value in -4..=4 {
        let mut model = Model::new();
        model.set(y, Value::Int(Int::from(value)));
        assert_eq!(terms.eval_bool(result, &model), Ok(true), "y = {value}");
    }
}

#[test]
fn an_index_is_replaced_by_its_value() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Terms::INT, Terms::INT);
    let array = terms.declare_const("a", sort).expect("new");
    let [i, x] = ["i", "x"].map(|name| terms.declare_const(name, Terms::INT).expect("new"));
    let element = terms.select(array, i);
    let formula = terms.le(element, x);
    let mut model = Model::new();
    model.set(i, Value::Int(Int::from(7)));
    let result = project(&mut terms, formula, &[i], &model);
    let seven = terms.int(7);
    let element = terms.select(array, seven);
    assert_eq!(result, Ok(terms.le(element, x)));
}
