//! What two results of the same operation on floating numbers have to do with each other: rounding to the nearest never turns the
//! order of two numbers around. Such a relation is a fact ([`Gates::facts`]), given where two results are compared, and then for
//! those operands that are results.
//!
//! Why they hold: let `y < x`. Then neither is NaN, hence none of the operands is. `a <= b` and `c <= d` imply
//! `a + c <= b + d` for what is exact, infinities included where the sums are not NaN; and rounding is monotone, so the
//! rounded sums are in that order. By contraposition,
//!
//! | `x`, `y` | if | `y < x` implies |
//! |---|---|---|
//! | `a + c`, `b + c` | | `b < a` |
//! | `a + c`, `b + d` | | `b < a` or `d < c` |
//! | `a * c`, `b * c`, or `a / c`, `b / c` | `c` has the sign + | `b < a` |
//! | | `c` has the sign - | `a < b` |
//! | `c / a`, `c / b` | `a` and `b` have the same sign, `c` has + | `a < b` |
//! | | `a` and `b` have the same sign, `c` has - | `b < a` |
//! | `a * c`, `b * d` | all four have the sign + | `b < a` or `d < c` |
//! | `a * a`, `b * b` | | the magnitude of `b` is below that of `a` |
//!
//! | half of `a + b`, which is not infinite; `y` | | `y < a` or `y < b` |
//! | `x`; half of `a + b`, which is not infinite | | `a < x` or `b < x` |
//!
//! In comparisons, `a` is like `a + 0`, `a * 1` and `a / 1`; and in the last rule for quotients, `c / c` may be written as 1: if
//! `1 < a / c` and `c` has the sign +, `c < a` also where `c` is zero, as `a` is above that then, and it cannot be infinite. The other
//! three cases are alike. As to half of a sum: of `a <= y` and `b <= y` follows that the sum is at most `2 y` where that is a number, and at
//! most the largest number where it is not; half of either is at most `y`, and stays so when it is rounded.
//!
//! A zero belongs to the numbers of its sign: products with it are equal zeros or NaN, quotients by it the infinity at the end
//! where numbers of this sign end. In any case only one of two numbers is less, or they are equal, or one is NaN.

use super::float::{Format, below, equal, is_nan, negated};
use super::gates::{FALSE, Gates, Lit, TRUE, number};
use craig_base::{Map, Set};

/// Pairs that one comparison relates.
const LIMIT: usize = 64;

type Number = Box<[Lit]>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Times,
    Over,
}

/// The results so far, and the pairs that were related or ordered.
#[derive(Default)]
pub(super) struct Results {
    made: Map<Number, (Operator, [Number; 2])>,
    related: Set<(Number, Number)>,
    ordered: Set<(Number, Number)>,
}

/// Remembers how a number was made.
pub(super) fn remember(g: &mut Gates, f: Format, operator: Operator, a: &[Lit], b: &[Lit], result: &[Lit]) {
    if !f.explicit {
        g.results.made.insert(result.into(), (operator, [a.into(), b.into()]));
    }
}

/// Adds the facts for two numbers that are compared.
pub(super) fn relate(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) {
    let mut todo = vec![upright(f, a, b)];
    let mut count = 0;
    while let Some((x, y)) = todo.pop() {
        let is_new = x != y && x.len() == y.len() && !g.results.related.contains(&(x.clone(), y.clone()));
        if !is_new || count == LIMIT {
            continue;
        }
        for (x, y) in [(&x, &y), (&y, &x)] {
            between(g, f, x, y, &mut todo);
        }
        let (p, q) = (g.results.made.get(&x), g.results.made.get(&y));
        let (operator, p, q) = match (p, q) {
            (Some((operator, p)), Some((other, q))) if operator == other => (*operator, p.clone(), q.clone()),
            (p, q) => {
                let second =
                    p.and_then(|(operator, p)| Some((*operator, p.clone(), like(f, *operator, p, &y)?)));
                let first =
                    || q.and_then(|(operator, q)| Some((*operator, like(f, *operator, q, &x)?, q.clone())));
                let Some(known) = second.or_else(first) else { continue };
                known
            }
        };
        count += 1;
        g.results.related.insert((x.clone(), y.clone()));
        g.results.related.insert((y.clone(), x.clone()));
        implied(g, f, operator, (&x, &p), (&y, &q), &mut todo);
        implied(g, f, operator, (&y, &q), (&x, &p), &mut todo);
    }
}

/// 2 to the power of -1, 0 or 1.
fn power(f: Format, exponent: i64) -> Number {
    let biased = (1i64 << (f.exponent - 1)) - 1 + exponent;
    number(f.top() + 1, (biased as u128) << f.fraction).into()
}

/// Operands with which the operator yields this number, which is an operand or one, as comparisons see it.
fn like(f: Format, operator: Operator, operands: &[Number; 2], is: &Number) -> Option<[Number; 2]> {
    let one = power(f, 0);
    let [first, second] = operands;
    match operator {
        Operator::Over if is == first => Some([is.clone(), one]),
        Operator::Over if *is == one => Some([second.clone(), second.clone()]),
        Operator::Plus if operands.contains(is) => Some([is.clone(), number(f.top() + 1, 0).into()]),
        Operator::Times if operands.contains(is) => Some([is.clone(), one]),
        _ => None,
    }
}

/// The facts about half of a sum and another number.
fn between(g: &mut Gates, f: Format, x: &Number, y: &Number, todo: &mut Vec<(Number, Number)>) {
    let (two, half) = (power(f, 1), power(f, -1));
    let sum = match g.results.made.get(x) {
        Some((Operator::Over, [sum, by])) if *by == two => sum,
        // With two bits for the exponent, the pattern would be that of zero.
        Some((Operator::Times, [sum, by] | [by, sum])) if *by == half && f.exponent > 2 => sum,
        _ => return,
    };
    let Some((Operator::Plus, added)) = g.results.made.get(sum).cloned() else { return };
    // That it is NaN does no harm: then nothing is less. An infinite sum has a summand with one of the two last exponents.
    let all = |g: &mut Gates, bits: &[Lit]| bits.iter().fold(TRUE, |all, &bit| g.and(all, bit));
    let infinite = all(g, &sum.clone()[f.fraction..f.top()]);
    let large = added.each_ref().map(|operand| all(g, &operand[f.fraction + 1..f.top()]));
    let large = g.or(large[0], large[1]);
    let infinite = g.and(infinite, large);
    for below_x in [true, false] {
        let premise = if below_x { ordered(g, f, y, x) } else { ordered(g, f, x, y) };
        let mut fact = g.or(-premise, infinite);
        for operand in &added {
            let (p, q) = if below_x { upright(f, y, operand) } else { upright(f, operand, y) };
            let less = ordered(g, f, &p, &q);
            fact = g.or(fact, less);
            todo.push((p, q));
        }
        g.facts.push(fact);
    }
}

/// The facts that say what `y < x` implies, as in the table above.
fn implied(
    g: &mut Gates,
    f: Format,
    operator: Operator,
    (x, [a, c]): (&[Lit], &[Number; 2]),
    (y, [b, d]): (&[Lit], &[Number; 2]),
    todo: &mut Vec<(Number, Number)>,
) {
    let sign = |number: &[Lit]| number[number.len() - 1];
    let premise = ordered(g, f, y, x);
    let mut less = |g: &mut Gates, p: &Number, q: &Number| {
        let (p, q) = upright(f, p, q);
        let is_less = ordered(g, f, &p, &q);
        todo.push((p, q));
        is_less
    };
    // Which of the operands is the same, first those that are left, then that one.
    let commutes = operator != Operator::Over;
    let common = [(a, b, c, d), (c, d, a, b), (a, d, c, b), (c, b, a, d)];
    let found = common.iter().take(if commutes { 4 } else { 2 }).position(|(.., left, right)| left == right);
    let fact = if let Some(place) = found {
        let (p, q, same, _) = common[place];
        let (rises, falls) = (less(g, q, p), less(g, p, q));
        match operator {
            Operator::Plus => rises,
            Operator::Over if place == 1 => {
                let either = g.xor(sign(p), sign(q));
                let order = g.choose(sign(same), rises, falls);
                g.or(either, order)
            }
            _ => g.choose(sign(same), falls, rises),
        }
    } else if commutes {
        let negative = [a, b, c, d].into_iter().fold(FALSE, |any, number| g.or(any, sign(number)));
        let exempt = if operator == Operator::Times { negative } else { FALSE };
        for (p, q) in [(b, d), (d, b)] {
            let (first, second) = (less(g, p, a), less(g, q, c));
            let some = g.or(first, second);
            let some = g.or(exempt, some);
            let fact = g.or(-premise, some);
            g.facts.push(fact);
        }
        if operator == Operator::Plus || a != c || b != d {
            return;
        }
        let size = |number: &Number| -> Number { number[..f.top()].iter().copied().chain([FALSE]).collect() };
        // Their squares have the sign +, but a NaN, which is not less.
        ordered(g, f, &size(b), &size(a))
    } else {
        return;
    };
    let fact = g.or(-premise, fact);
    g.facts.push(fact);
}

/// Two numbers in the same order as these, of which not both are negations: `a < b` is `-b < -a`.
fn upright(f: Format, a: &[Lit], b: &[Lit]) -> (Number, Number) {
    match a[f.top()] < FALSE && b[f.top()] < FALSE {
        true => (negated(b).into(), negated(a).into()),
        false => (a.into(), b.into()),
    }
}

/// Whether `a < b`, with the facts about the order of the two.
fn ordered(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let is_less = below(g, f, a, b);
    let pair = if a < b { (a.into(), b.into()) } else { (b.into(), a.into()) };
    if g.results.ordered.insert(pair) {
        let (is_more, is_same) = (below(g, f, b, a), equal(g, f, a, b));
        let (one, other) = (is_nan(g, f, a), is_nan(g, f, b));
        let cases =
            [is_less, is_more, is_same, one, other].into_iter().fold(FALSE, |any, case| g.or(any, case));
        g.facts.push(cases);
        for (p, q) in [(is_less, is_more), (is_less, is_same), (is_more, is_same)] {
            let not_both = g.or(-p, -q);
            g.facts.push(not_both);
        }
    }
    is_less
}

#[cfg(test)]
mod tests {
    use super::super::float::{add, divide, less, multiply};
    use super::super::gates::Word;
    use super::*;

    type Operation = fn(&mut Gates, Format, &[Lit], &[Lit]) -> Word;
    const OPERATIONS: [Operation; 3] = [add, multiply, divide];
    /// Which of four numbers the operands of the two results are.
    const CHOICES: [[usize; 4]; 6] =
        [[0, 2, 1, 2], [2, 0, 2, 1], [0, 2, 2, 1], [0, 0, 1, 1], [0, 1, 2, 3], [0, 1, 0, 1]];

    #[test]
    fn facts_hold_of_all_numbers() {
        for (exponent, fraction) in [(2, 1), (3, 2)] {
            let f = Format { exponent, fraction, explicit: false };
            for (operation, choice) in OPERATIONS.iter().flat_map(|&of| CHOICES.map(|choice| (of, choice))) {
                let mut g = Gates::new(64);
                let numbers: Vec<Word> = (0..4).map(|_| g.free_word(f.top() + 1)).collect();
                let [p, q, r, s] = choice.map(|i| numbers[i].clone());
                let (x, y) = (operation(&mut g, f, &p, &q), operation(&mut g, f, &r, &s));
                let third = negated(&numbers[3]);
                let (v, w) = (add(&mut g, f, &third, &negated(&x)), add(&mut g, f, &third, &negated(&y)));
                let before = g.facts.len();
                less(&mut g, f, &v, &w);
                assert!(g.facts.len() > before + 3);
                let sum = add(&mut g, f, &p, &q);
                let half = divide(&mut g, f, &sum, &power(f, 1));
                let also = multiply(&mut g, f, &power(f, -1), &sum);
                for (a, b) in [(&x, &p), (&q, &x), (&x, &power(f, 0).to_vec()), (&half, &p), (&s, &also)] {
                    less(&mut g, f, a, b);
                }
                let mut state = 7u64;
                for _ in 0..3000 {
                    let free: Vec<bool> = (0..g.count())
                        .map(|_| {
                            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                            state >> 60 & 1 != 0
                        })
                        .collect();
                    let values = g.simulate(&free);
                    let holds = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
                    assert!(g.facts.iter().all(|&fact| holds(fact)), "{choice:?}, {exponent} {fraction}");
                }
            }
        }
    }
}
