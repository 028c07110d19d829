//! Products of unknowns, one value at a time.
//!
//! The solver treats a product of two unknowns as a number of its own. A model that gives the wrong number to a
//! product is no model of the formula; but the values that it gives to the factors are worth a case: with these
//! values for all factors but one, the product is linear; and where both factors of two are on the same side of
//! their values, `(x - a) * (y - b)` is not negative, where they are on different sides, not positive. The signs of the
//! factors tell the sign of the product. Such facts always hold, so that a formula with them has the same
//! models, and the solver understands more of it.
//!
//! Where a factor is equal to a sum, the product is equal to a sum of products ([`multiples`]): an equation is
//! multiplied by the other factors. With that, equalities of polynomials are linear arithmetic over monomials.
//!
//! Division by an unknown is a product as well: of the divisor and the quotient ([`divisions`]).

use craig_base::{Map, OrderedSet, Set};
use craig_num::Rat;
use craig_term::{Model, Op, TermId, Terms, Value};

/// So many products are looked at for multiples of equations, in the order in which equations lead to them.
const MAX_PRODUCTS: usize = 48;
/// So many multiples of each kind of equations are made for one model.
const MAX_MULTIPLES: usize = 200;
/// No multiple has more factors in a product, unless the product that it is made for has.
const MAX_FACTORS: usize = 3;
/// Cases of longer products are too special to be worth their size.
const MAX_CASE: usize = 16;
/// Longer equations are not multiplied.
const MAX_SUMMANDS: usize = 8;

/// A product with values for its factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    product: TermId,
    /// In ascending order of magnitude, negative ones first. The last may stay free: the others are more likely to have few values.
    factors: Vec<(TermId, Rat)>,
}

impl Case {
    /// That all factors but one have their values.
    pub fn condition(&self, terms: &mut Terms) -> TermId {
        self.all_but(terms, self.factors.len() - 1).0
    }

    /// What always holds: if all factors but one have their values, the product is a multiple of that one; and
    /// on which side of its tangent planes it lies.
    pub fn facts(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut facts = Vec::with_capacity(self.factors.len());
        for free in 0..self.factors.len() {
            let (here, scale) = self.all_but(terms, free);
            let multiple = terms.mul(scale, self.factors[free].0);
            let there = terms.eq(self.product, multiple);
            facts.push(terms.implies(here, there));
        }
        if let [(x, a), (y, b)] = &self.factors[..] {
            facts.extend(self.tangents(terms, (*x, a), (*y, b)));
        }
        facts
    }

    /// A number of the product's sort.
    fn number(&self, terms: &mut Terms, value: Rat) -> TermId {
        match value.to_int().filter(|_| terms.is_int(self.product)) {
            Some(value) => terms.int(value),
            None => terms.real(value),
        }
    }

    /// With the signs that the factors have in the model, the product has theirs.
    fn sign(&self, terms: &mut Terms) -> TermId {
        let zero = self.number(terms, Rat::ZERO);
        let with_sign = |terms: &mut Terms, t: TermId, sign: i32| match sign {
            1 => terms.gt(t, zero),
            -1 => terms.lt(t, zero),
            _ => terms.eq(t, zero),
        };
        let signs: Vec<i32> = self.factors.iter().map(|(_, value)| value.signum()).collect();
        let sign = signs.iter().product();
        let decisive = self.factors.iter().zip(&signs).filter(|&(_, &own)| sign != 0 || own == 0);
        let conditions: Vec<TermId> =
            decisive.map(|((factor, _), &sign)| with_sign(terms, *factor, sign)).collect();
        // One factor that is zero is enough.
        let condition = if sign == 0 { terms.or(&conditions) } else { terms.and(&conditions) };
        let then = with_sign(terms, self.product, sign);
        terms.implies(condition, then)
    }

    fn tangents(&self, terms: &mut Terms, (x, a): (TermId, &Rat), (y, b): (TermId, &Rat)) -> [TermId; 2] {
        let [a_term, b_term, corner] = [a.clone(), b.clone(), a * b].map(|value| self.number(terms, value));
        let (x_share, y_share) = (terms.mul(b_term, x), terms.mul(a_term, y));
        let sum = terms.add2(x_share, y_share);
        let plane = terms.sub(sum, corner);
        let (x_below, x_above) = (terms.le(x, a_term), terms.ge(x, a_term));
        let (y_below, y_above) = (terms.le(y, b_term), terms.ge(y, b_term));
        let (both_below, both_above) = (terms.and2(x_below, y_below), terms.and2(x_above, y_above));
        let (falling, rising) = (terms.and2(x_below, y_above), terms.and2(x_above, y_below));
        let (same_side, other_side) = (terms.or2(both_below, both_above), terms.or2(falling, rising));
        let (above, below) = (terms.ge(self.product, plane), terms.le(self.product, plane));
        [terms.implies(same_side, above), terms.implies(other_side, below)]
    }

    /// If this is `x * y` and the other one `z * y`: as `y` is not negative, the difference of the products is on the same
    /// side of `d * y` as `x - z` is of `d`, where `d` is the sign of what `x - z` is in the model; as it is not
    /// positive, on the other side.
    fn compared_with(&self, terms: &mut Terms, other: &Case) -> Vec<TermId> {
        let ([first, second], [third, fourth]) = (&self.factors[..], &other.factors[..]) else {
            return Vec::new();
        };
        let mut facts = Vec::new();
        for ((x, a), (y, _)) in [(first, second), (second, first)] {
            for ((z, c), (same, _)) in [(third, fourth), (fourth, third)] {
                if y != same || x == z {
                    continue;
                }
                let zero = self.number(terms, Rat::ZERO);
                let sign = self.number(terms, Rat::from((a - c).signum()));
                let (factors, products) = (terms.sub(*x, *z), terms.sub(self.product, other.product));
                let plane = terms.mul(sign, *y);
                let (low, high) = (terms.le(factors, sign), terms.ge(factors, sign));
                let (below, above) = (terms.le(products, plane), terms.ge(products, plane));
                let (positive, negative) = (terms.ge(*y, zero), terms.le(*y, zero));
                for (side, case, then) in [
                    (positive, low, below),
                    (positive, high, above),
                    (negative, low, above),
                    (negative, high, below),
                ] {
                    let here = terms.and2(side, case);
                    facts.push(terms.implies(here, then));
                }
            }
        }
        facts
    }

    /// If the factors of both have the same values in the model: where they are equal, so are the products.
    fn congruent_to(&self, terms: &mut Terms, other: &Case) -> Option<TermId> {
        let values = |case: &Case| case.factors.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>();
        if values(self) != values(other) || terms.sort(self.product) != terms.sort(other.product) {
            return None;
        }
        let pairs = self.factors.iter().zip(&other.factors);
        let equal: Vec<TermId> = pairs.map(|((x, _), (y, _))| terms.eq(*x, *y)).collect();
        let (equal, same) = (terms.and(&equal), terms.eq(self.product, other.product));
        Some(terms.implies(equal, same))
    }

    /// That the factors but one have their values, and the product of these.
    fn all_but(&self, terms: &mut Terms, free: usize) -> (TermId, TermId) {
        let mut parts = Vec::with_capacity(self.factors.len());
        let mut scale = Rat::ONE;
        for (_, (factor, value)) in self.factors.iter().enumerate().filter(|&(i, _)| i != free) {
            scale *= value;
            let value = self.number(terms, value.clone());
            parts.push(terms.eq(*factor, value));
        }
        (terms.and(&parts), self.number(terms, scale))
    }
}

/// A case for each product in the formulas for which the model knows the factors.
pub fn cases(terms: &Terms, formulas: &[TermId], model: &Model) -> Vec<Case> {
    let terms_inside = terms.postorder(formulas).into_iter();
    let products = terms_inside.filter(|&t| terms.op(t) == Op::Mul);
    products.filter_map(|product| case(terms, product, model)).collect()
}

/// What the solver should know of the products in formulas, if this is a model of their linear part: facts that
/// always hold, and that are not known. Equations of products lead far: their multiples come when the others are known.
pub fn facts(
    terms: &mut Terms,
    formulas: &[TermId],
    model: &Model,
    is_known: impl Fn(TermId) -> bool,
) -> Vec<TermId> {
    let mut facts = multiples(terms, formulas, model, false);
    facts.retain(|&fact| !is_known(fact));
    if facts.is_empty() {
        facts = multiples(terms, formulas, model, true);
    }
    for case in cases(terms, formulas, model) {
        facts.extend(case.facts(terms));
        // The planes say nothing of more than two factors.
        if case.factors.len() > 2 {
            facts.push(case.sign(terms));
        }
    }
    facts.retain(|&fact| !is_known(fact));
    facts
}

/// What the signs of factors in the model say of the signs of products.
pub fn signs(terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
    let cases: Vec<Case> = cases(terms, formulas, model).into_iter().take(MAX_PRODUCTS).collect();
    cases.iter().map(|case| case.sign(terms)).collect()
}

/// How products with a common factor compare, and that products of equal factors are equal.
pub fn comparisons(terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
    let cases: Vec<Case> = cases(terms, formulas, model).into_iter().take(MAX_PRODUCTS).collect();
    let mut facts = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        for other in &cases[..i] {
            facts.extend(case.compared_with(terms, other));
            facts.extend(case.congruent_to(terms, other));
        }
    }
    facts
}

/// The dividend and the divisor of a quotient or remainder.
pub fn division(terms: &Terms, t: TermId) -> Option<(TermId, TermId)> {
    let divides = matches!(terms.op(t), Op::Div | Op::Mod | Op::RealDiv);
    divides.then(|| (terms.arg(t, 0), terms.arg(t, 1)))
}

/// The divisor of a quotient or remainder, if it is no number.
pub fn unknown_divisor(terms: &Terms, t: TermId) -> Option<TermId> {
    division(terms, t).map(|(_, divisor)| divisor).filter(|&divisor| terms.number(divisor).is_none())
}

/// What is divided by zero in a quotient or remainder, if the model makes the divisor zero.
pub fn dividend_by_zero(terms: &Terms, t: TermId, model: &Model) -> Option<Value> {
    let (dividend, divisor) = division(terms, t)?;
    let is_zero = match terms.eval(divisor, model).ok()? {
        Value::Int(value) => value.is_zero(),
        Value::Real(value) => value.is_zero(),
        _ => false,
    };
    if is_zero { terms.eval(dividend, model).ok() } else { None }
}

/// That equal dividends divided by zero give the same, where the model divides equal ones by zero.
pub fn by_zero(terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
    let mut first: Map<(Op, Value), TermId> = Map::default();
    let mut facts = Vec::new();
    for t in terms.postorder(formulas) {
        let Some(dividend) = dividend_by_zero(terms, t, model) else { continue };
        let known = *first.entry((terms.op(t), dividend)).or_insert(t);
        let (Some(one), Some(other)) = (division(terms, known), division(terms, t)) else { continue };
        if known != t {
            let premises = [is_zero(terms, one.1), is_zero(terms, other.1), terms.eq(one.0, other.0)];
            let premise = terms.and(&premises);
            let same = terms.eq(known, t);
            facts.push(terms.implies(premise, same));
        }
    }
    facts
}

fn is_zero(terms: &mut Terms, number: TermId) -> TermId {
    let zero = if terms.is_int(number) { terms.int(0) } else { terms.real(Rat::ZERO) };
    terms.eq(number, zero)
}

/// That no unknown by which formulas divide is zero, if the model says that one is.
pub fn nonzero_divisors(terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
    let divided = terms.postorder(formulas);
    let divisors: OrderedSet<TermId> =
        divided.into_iter().filter_map(|t| unknown_divisor(terms, t)).collect();
    let mut is_met = false;
    let mut conditions = Vec::new();
    for divisor in divisors {
        let is_zero = is_zero(terms, divisor);
        is_met |= terms.eval_bool(is_zero, model) == Ok(true);
        conditions.push(terms.not(is_zero));
    }
    if is_met { conditions } else { Vec::new() }
}

/// What quotients and remainders by unknowns are where these are not zero. By zero they are anything.
pub fn divisions(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut facts = Vec::new();
    for t in terms.postorder(formulas) {
        let Some(divisor) = unknown_divisor(terms, t) else { continue };
        let dividend = terms.arg(t, 0);
        let by_zero = is_zero(terms, divisor);
        let laws = if terms.op(t) == Op::RealDiv {
            let whole = terms.mul(divisor, t);
            vec![terms.eq(whole, dividend)]
        } else {
            let (quotient, remainder) = (terms.div(dividend, divisor), terms.modulo(dividend, divisor));
            let whole = terms.mul(divisor, quotient);
            let rest = terms.sub(dividend, whole);
            let (zero, size) = (terms.int(0), terms.abs(divisor));
            vec![terms.eq(rest, remainder), terms.le(zero, remainder), terms.lt(remainder, size)]
        };
        for law in laws {
            facts.push(terms.or2(by_zero, law));
        }
    }
    facts
}

/// An equation that holds in a model: under a condition, the sum is zero.
struct Equation {
    condition: TermId,
    sum: TermId,
    /// The only term of the sum that is to be replaced by the others, if it is not any of them.
    defined: Option<TermId>,
}

/// For each product with a factor that occurs in an equation: if the equation holds, so does its multiple by the
/// other factors. The same for the products in such multiples.
fn multiples(terms: &mut Terms, formulas: &[TermId], model: &Model, of_products: bool) -> Vec<TermId> {
    let mut products: OrderedSet<TermId> =
        terms.postorder(formulas).into_iter().filter(|&t| is_product(terms, t)).collect();
    if products.is_empty() {
        return Vec::new();
    }
    let (written, bounds) = equations(terms, formulas, model);
    let is_linear =
        |equation: &Equation| terms.linear(equation.sum).terms.iter().all(|&(t, _)| !is_product(terms, t));
    let (mut equations, others): (Vec<Equation>, Vec<Equation>) = written.into_iter().partition(is_linear);
    equations.extend(bounds);
    let mut facts = Vec::new();
    multiply(terms, &equations, &mut products, &mut facts);
    if of_products {
        multiply(terms, &others, &mut products, &mut facts);
    }
    facts
}

/// Adds the multiples of equations, and the products in them.
fn multiply(
    terms: &mut Terms,
    equations: &[Equation],
    products: &mut OrderedSet<TermId>,
    facts: &mut Vec<TermId>,
) {
    let most = facts.len() + MAX_MULTIPLES;
    let mut multiplied: Set<(usize, TermId)> = Set::default();
    // Where to find a factor: in a summand that is a product, the first one leads to it.
    let mut about: Map<TermId, Vec<(usize, Vec<TermId>)>> = Map::default();
    for (at, equation) in equations.iter().enumerate() {
        let replaced = |t: &TermId| equation.defined.is_none_or(|defined| defined == *t);
        for t in terms.linear(equation.sum).terms.into_iter().map(|(t, _)| t).filter(replaced) {
            let factors = factors(terms, t);
            about.entry(factors[0]).or_default().push((at, factors));
        }
    }
    let mut next = 0;
    while let Some(&product) = products.get_index(next).filter(|_| next < MAX_PRODUCTS) {
        next += 1;
        let whole = factors(terms, product);
        let distinct: OrderedSet<TermId> = whole.iter().copied().collect();
        for (at, part) in distinct.iter().filter_map(|factor| about.get(factor)).flatten() {
            let Some(rest) = without(&whole, part) else { continue };
            let rest = rest[1..].iter().fold(rest[0], |all, &t| terms.mul(all, t));
            if facts.len() >= most || !multiplied.insert((*at, rest)) {
                continue;
            }
            let Equation { condition, sum, .. } = equations[*at];
            let multiple = terms.mul(sum, rest);
            let summands = terms.linear(multiple).terms;
            if summands.iter().any(|&(t, _)| factors(terms, t).len() > MAX_FACTORS.max(whole.len())) {
                continue;
            }
            products.extend(summands.into_iter().map(|(t, _)| t).filter(|&t| is_product(terms, t)));
            let zero = terms.int(0);
            let is_zero = terms.eq(multiple, zero);
            facts.push(terms.implies(condition, is_zero));
        }
    }
}

/// Of integers: only their equations are multiplied.
fn is_product(terms: &Terms, t: TermId) -> bool {
    terms.op(t) == Op::Mul && terms.is_int(t)
}

fn factors(terms: &Terms, t: TermId) -> Vec<TermId> {
    if terms.op(t) == Op::Mul { terms.args(t).to_vec() } else { vec![t] }
}

/// The factors but for some of them, if all of these are there and others are left. Both are in order.
fn without(whole: &[TermId], part: &[TermId]) -> Option<Vec<TermId>> {
    let mut part = part.iter().peekable();
    let rest: Vec<TermId> =
        whole.iter().copied().filter(|t| part.next_if(|next| *next == t).is_none()).collect();
    (part.peek().is_none() && !rest.is_empty()).then_some(rest)
}

/// The equations in formulas that hold in a model: those that are written there, what a conditional term is, and how
/// quotients and remainders belong together; and, by themselves, those that are bounds which are met.
fn equations(terms: &mut Terms, formulas: &[TermId], model: &Model) -> (Vec<Equation>, Vec<Equation>) {
    let (mut equations, mut bounds) = (Vec::new(), Vec::new());
    let subterms = terms.postorder(formulas);
    let Ok(values) = terms.eval_all(formulas, model) else { return (equations, bounds) };
    let value = |terms: &Terms, t: TermId| match values.get(&t) {
        Some(value) => Some(value.clone()),
        None => terms.eval(t, model).ok(),
    };
    for t in subterms {
        let args = terms.args(t).to_vec();
        let is_integer = |at: usize| terms.is_int(args[at]);
        match terms.op(t) {
            Op::Eq if is_integer(0) && value(terms, t) == Some(Value::Bool(true)) => {
                equations.push(Equation { condition: t, sum: terms.sub(args[0], args[1]), defined: None });
            }
            // From both sides perhaps.
            Op::Le if is_integer(0) => {
                let difference = terms.sub(args[0], args[1]);
                let Some(Value::Int(distance)) = value(terms, difference) else { continue };
                if distance.is_zero() || distance.is_one() {
                    let distance = terms.int(distance);
                    let condition = terms.eq(difference, distance);
                    let sum = terms.sub(difference, distance);
                    bounds.push(Equation { condition, sum, defined: None });
                }
            }
            Op::Ite if is_integer(1) => {
                let holds = value(terms, args[0]) == Some(Value::Bool(true));
                let (condition, chosen) =
                    if holds { (args[0], args[1]) } else { (terms.not(args[0]), args[2]) };
                equations.push(Equation { condition, sum: terms.sub(t, chosen), defined: Some(t) });
            }
            Op::Div | Op::Mod => {
                let Some(divisor) = terms.int_value(args[1]).filter(|divisor| !divisor.is_zero()) else {
                    continue;
                };
                let quotient = terms.div(args[0], args[1]);
                let whole = terms.scale(&Rat::from(divisor.clone()), quotient);
                let rest = terms.sub(args[0], whole);
                if terms.op(t) == Op::Mod {
                    let sum = terms.sub(rest, t);
                    equations.push(Equation { condition: Terms::TRUE, sum, defined: None });
                }
                // As a number, the remainder makes no new products.
                if let Some(Value::Int(remainder)) = value(terms, rest) {
                    let remainder = terms.int(remainder);
                    let condition = terms.eq(rest, remainder);
                    let sum = terms.sub(rest, remainder);
                    equations.push(Equation { condition, sum, defined: None });
                }
            }
            _ => {}
        }
    }
    equations.retain(|equation| terms.linear(equation.sum).terms.len() <= MAX_SUMMANDS);
    bounds.retain(|equation| terms.linear(equation.sum).terms.len() <= MAX_SUMMANDS);
    (equations, bounds)
}

fn case(terms: &Terms, product: TermId, model: &Model) -> Option<Case> {
    if terms.args(product).len() > MAX_CASE {
        return None;
    }
    let mut factors: Vec<(TermId, Rat)> = Vec::new();
    for &factor in terms.args(product) {
        factors.push(match terms.eval(factor, model).ok()? {
            Value::Int(value) => (factor, Rat::from_int(value)),
            Value::Real(value) => (factor, value),
            _ => return None,
        });
    }
    factors.sort_by_key(|(_, value)| (value.abs(), value.signum()));
    (factors.len() > 1).then_some(Case { product, factors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::Options;
    use crate::{Answer, NativeSolver, Solver};
    use craig_base::Budget;

    /// Asks with ever more cases, until there is an answer.
    fn solve(number: i64) -> (Answer, usize) {
        let mut tm = Terms::new();
        let (x, y) = (tm.fresh_const("x", Terms::INT), tm.fresh_const("y", Terms::INT));
        let (two, most, number) = (tm.int(2), tm.int(40), tm.int(number));
        let product = tm.mul(x, y);
        let mut formulas = vec![tm.eq(product, number)];
        for t in [x, y] {
            formulas.extend([tm.le(two, t), tm.le(t, most)]);
        }
        for round in 0.. {
            let mut solver = NativeSolver::default();
            formulas.iter().for_each(|&formula| solver.assert(&mut tm, formula));
            match solver.check(&mut tm, &[], &Budget::unlimited()) {
                Answer::Unknown(_) => {
                    let candidate = solver.candidate().expect("a model of the linear part").clone();
                    for case in cases(&tm, &formulas[..1], &candidate) {
                        formulas.extend(case.facts(&mut tm));
                    }
                }
                answer => return (answer, round),
            }
        }
        unreachable!()
    }

    /// `x == y` and `x * x != y * y`, whatever the values.
    #[test]
    fn products_of_equal_factors_are_equal() {
        let mut tm = Terms::new();
        let array = tm.array_sort(Terms::INT, Terms::INT);
        let (a, b) = (tm.fresh_const("a", array), tm.fresh_const("b", array));
        let (i, k) = (tm.fresh_const("i", Terms::INT), tm.fresh_const("k", Terms::INT));
        let value = tm.fresh_const("v", Terms::INT);
        let changed = tm.store(a, i, value);
        let (x, y) = (tm.select(b, k), tm.select(a, k));
        let [of_x, of_y, of_value] = [x, y, value].map(|t| tm.mul(t, t));
        let is_changed = tm.eq(b, changed);
        let others = [tm.eq(of_x, of_y), tm.eq(of_x, of_value)].map(|equal| tm.not(equal));
        let mut solver = NativeSolver::default();
        solver.assert(&mut tm, is_changed);
        others.into_iter().for_each(|formula| solver.assert(&mut tm, formula));
        assert_eq!(solver.check(&mut tm, &[], &Budget::unlimited()), Answer::Unsat);
    }

    #[test]
    fn cases_decide_products_of_bounded_factors() {
        assert_eq!(solve(35).0, Answer::Sat);
        let (answer, rounds) = solve(37);
        assert_eq!(answer, Answer::Unsat);
        assert!(rounds <= 20, "{rounds}");
    }

    #[test]
    fn remainders_by_unknowns_are_smaller_than_these() {
        let mut tm = Terms::new();
        let (x, y) = (tm.fresh_const("x", Terms::INT), tm.fresh_const("y", Terms::INT));
        let (zero, five) = (tm.int(0), tm.int(5));
        let (remainder, quotient) = (tm.modulo(x, y), tm.div(x, y));
        let positive = tm.lt(zero, y);
        let negative = tm.lt(y, zero);
        let too_large = tm.le(y, remainder);
        let is_five = tm.eq(remainder, five);
        let grows = tm.lt(x, quotient);
        for (formulas, answer) in [
            (vec![positive, too_large], Answer::Unsat),
            (vec![is_five], Answer::Sat),
            (vec![negative, is_five], Answer::Sat),
            (vec![positive, is_five, grows], Answer::Sat),
        ] {
            let mut solver = NativeSolver::default();
            formulas.iter().for_each(|&formula| solver.assert(&mut tm, formula));
            assert_eq!(solver.check(&mut tm, &[], &Budget::unlimited()), answer);
        }
    }

    /// By zero, equal numbers give equal ones, and others what they like.
    #[test]
    fn division_by_zero_is_a_function() {
        let mut tm = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| tm.fresh_const(name, Terms::INT));
        let (zero, seven) = (tm.int(0), tm.int(7));
        let (by_zero, by_z, other) = (tm.div(x, zero), tm.div(y, z), tm.div(y, zero));
        let (is_zero, same) = (tm.eq(z, zero), tm.eq(x, y));
        let formulas = [tm.eq(by_zero, seven), tm.lt(by_z, seven), tm.lt(other, seven), is_zero];
        let itself = tm.modulo(x, x);
        let positive = tm.lt(zero, itself);
        for (formulas, answer) in [
            (vec![formulas[0]], Answer::Sat),
            (formulas.to_vec(), Answer::Sat),
            (vec![formulas[0], formulas[1], is_zero, same], Answer::Unsat),
            (vec![formulas[0], formulas[2], same], Answer::Unsat),
            (vec![positive], Answer::Sat),
        ] {
            let mut solver = NativeSolver::new(Options { by_zero: true, ..Options::default() });
            formulas.iter().for_each(|&formula| solver.assert(&mut tm, formula));
            assert_eq!(solver.check(&mut tm, &[], &Budget::unlimited()), answer);
        }
    }

    #[test]
    fn nothing_is_known_of_division_by_zero() {
        let mut tm = Terms::new();
        let (x, zero, seven) = (tm.fresh_const("x", Terms::INT), tm.int(0), tm.int(7));
        let quotient = tm.div(x, zero);
        let (by_zero, by_itself) = (tm.eq(quotient, seven), tm.div(x, x));
        let itself = tm.eq(by_itself, seven);
        for formula in [by_zero, itself] {
            let mut solver = NativeSolver::default();
            solver.assert(&mut tm, formula);
            assert_ne!(solver.check(&mut tm, &[], &Budget::unlimited()), Answer::Unsat);
        }
    }
}
