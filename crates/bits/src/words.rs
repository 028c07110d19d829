//! Machine words: bits from the lowest on. Operands of one operation have one width.

use crate::circuit::{Bit, Circuit};
use crate::origins;

pub fn constant(width: usize, value: u128) -> Vec<Bit> {
    (0..width).map(|i| Bit::constant(i < 128 && value >> i & 1 != 0)).collect()
}

/// The unsigned value, if all bits are constant.
pub fn as_constant(word: &[Bit]) -> Option<u128> {
    word.iter().rev().try_fold(0u128, |value, bit| Some(value << 1 | u128::from(bit.as_constant()?)))
}

pub fn inputs(circuit: &mut Circuit, width: usize) -> Vec<Bit> {
    (0..width).map(|_| circuit.input()).collect()
}

pub fn zero_extend(word: &[Bit], width: usize) -> Vec<Bit> {
    extend(word, width, false)
}

/// To `width`, by zeros or by the highest bit; or the lowest `width` bits.
pub fn extend(word: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    let fill = if signed { word.last().copied().unwrap_or(Bit::FALSE) } else { Bit::FALSE };
    (0..width).map(|i| word.get(i).copied().unwrap_or(fill)).collect()
}

pub fn not(word: &[Bit]) -> Vec<Bit> {
    word.iter().map(|&bit| !bit).collect()
}

pub fn zip(a: &[Bit], b: &[Bit], mut gate: impl FnMut(Bit, Bit) -> Bit) -> Vec<Bit> {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

pub fn mux(circuit: &mut Circuit, condition: Bit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    zip(a, b, |a, b| circuit.mux(condition, a, b))
}

pub fn any(circuit: &mut Circuit, word: &[Bit]) -> Bit {
    word.iter().fold(Bit::FALSE, |any, &bit| circuit.or(any, bit))
}

pub fn all(circuit: &mut Circuit, word: &[Bit]) -> Bit {
    word.iter().fold(Bit::TRUE, |all, &bit| circuit.and(all, bit))
}

/// The sum, and the carry out of the highest bit.
pub fn add(circuit: &mut Circuit, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Vec<Bit>, Bit) {
    let sum = zip(a, b, |a, b| {
        let half = circuit.xor(a, b);
        let sum = circuit.digit(half, carry);
        carry = circuit.majority(a, b, carry);
        sum
    });
    (sum, carry)
}

pub fn sub(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add(circuit, a, &not(b), Bit::TRUE).0
}

pub fn negate(circuit: &mut Circuit, a: &[Bit]) -> Vec<Bit> {
    sub(circuit, &constant(a.len(), 0), a)
}

/// `a` or its negation.
pub fn negate_if(circuit: &mut Circuit, condition: Bit, a: &[Bit]) -> Vec<Bit> {
    let flipped: Vec<Bit> = a.iter().map(|&bit| circuit.xor(bit, condition)).collect();
    add(circuit, &flipped, &constant(a.len(), 0), condition).0
}

pub fn equal(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> Bit {
    // From the top: comparisons with neighbouring constants share their first gates.
    let mut equal = Bit::TRUE;
    for (&a, &b) in a.iter().zip(b).rev() {
        let same = circuit.equal(a, b);
        equal = circuit.and(equal, same);
    }
    equal
}

pub fn less(circuit: &mut Circuit, a: &[Bit], b: &[Bit], signed: bool) -> Bit {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if signed && let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
        (*a, *b) = (!*a, !*b);
    }
    // The borrow of a - b.
    let mut borrow = Bit::FALSE;
    for (a, b) in a.into_iter().zip(b) {
        borrow = circuit.majority(!a, b, borrow);
    }
    borrow
}

/// The lowest `width` bits of the product of two integers.
pub fn multiply(circuit: &mut Circuit, a: &[Bit], b: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    let (word, factor) = if as_constant(a).is_some() { (b, a) } else { (a, b) };
    let is_wide = a.len().max(b.len()) > 128;
    let (false, None, Some(factor)) = (is_wide, as_constant(word), as_constant(factor)) else {
        return multiply_plainly(circuit, a, b, width, signed);
    };
    // The lowest bits do not depend on signs.
    let word = &word[..width.min(a.len()).min(b.len())];
    let Some((word, factor)) = origins::continued(circuit, word, factor) else {
        let product = multiply_plainly(circuit, a, b, width, signed);
        origins::is_product(circuit, &product[..word.len()], word, factor);
        return product;
    };
    let mut product = match factor {
        1 => word.clone(),
        _ => multiply_plainly(circuit, &word, &constant(word.len(), factor), word.len(), false),
    };
    origins::is_product(circuit, &product, &word, factor);
    if product.len() < width {
        let known = product.len();
        product.extend_from_slice(&multiply_plainly(circuit, a, b, width, signed)[known..]);
    }
    product
}

fn multiply_plainly(circuit: &mut Circuit, a: &[Bit], b: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    // Where no more bits are asked for than there are, those of numbers with sign are the same.
    if signed || width <= a.len().min(b.len()) {
        let (short_a, short_b) = (&a[..significant(a)], &b[..significant(b)]);
        if short_a.len() + short_b.len() < a.len() + b.len() {
            return multiply_rows(circuit, short_a, short_b, width, true);
        }
    }
    multiply_rows(circuit, a, b, width, signed)
}

/// How many bits tell the number, if the last of them is its sign: the others repeat it.
pub(crate) fn significant(word: &[Bit]) -> usize {
    let repeated = word.iter().rev().take_while(|&bit| Some(bit) == word.last()).count();
    word.len() + 1 - repeated.max(1)
}

fn multiply_rows(circuit: &mut Circuit, a: &[Bit], b: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    // Few rows where one operand has few bits that can be one; otherwise an order, so that products commute.
    let rows = |word: &[Bit]| word.iter().filter(|&&bit| bit != Bit::FALSE).count();
    let (a, b) = if (rows(a), a) < (rows(b), b) { (b, a) } else { (a, b) };
    let mut sum = constant(width, 0);
    for (i, (bit, negative)) in digits(b, width, signed).into_iter().enumerate() {
        if bit == Bit::FALSE {
            continue;
        }
        let row: Vec<Bit> = extend(a, width - i, signed).into_iter().map(|a| circuit.and(a, bit)).collect();
        let upper = if negative {
            sub(circuit, &sum[i..], &row)
        } else {
            add(circuit, &sum[i..], &row, Bit::FALSE).0
        };
        sum.truncate(i);
        sum.extend(upper);
    }
    sum
}

/// The digits of a number, each with whether it is subtracted. Those of a constant are in non-adjacent form, which has
/// the fewest.
fn digits(word: &[Bit], width: usize, signed: bool) -> Vec<(Bit, bool)> {
    let constants: Option<Vec<bool>> =
        extend(word, width + 1, signed).into_iter().map(Bit::as_constant).collect();
    let Some(bits) = constants else {
        let digit = |(i, &bit): (usize, &Bit)| (bit, signed && i + 1 == word.len());
        return word.iter().enumerate().take(width).map(digit).collect();
    };
    let mut carry = false;
    (0..width)
        .map(|i| {
            let odd = bits[i] != carry;
            let negative = odd && bits[i + 1];
            carry = if odd { negative } else { bits[i] && carry };
            (Bit::constant(odd), negative)
        })
        .collect()
}

/// The remainder of unsigned numbers. That of division by zero is the dividend.
pub fn remainder(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    match as_constant(b) {
        Some(divisor) if divisor.count_ones() > 1 && b.len() <= 128 => {
            origins::remainder(circuit, a, divisor, |circuit, a| divide(circuit, a, b).1)
        }
        _ => divide(circuit, a, b).1,
    }
}

/// Quotient and remainder of unsigned numbers. Division by zero gives ones and the dividend.
pub fn divide(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = a.len();
    let ones: Vec<usize> = (0..width).filter(|&i| b[i] != Bit::FALSE).collect();
    if let [place] = ones[..]
        && b[place] == Bit::TRUE
    {
        return (extend(&a[place..], width, false), extend(&a[..place], width, false));
    }
    let mut quotient = vec![Bit::FALSE; width];
    let mut rest: Vec<Bit> = Vec::new();
    // A rest is below the divisor, so it has no more bits, unless that is zero.
    let length = ones.last().map_or(0, |&last| last + 1);
    for i in (0..width).rev() {
        rest.insert(0, a[i]);
        // The rest is below twice the divisor, so one more bit is enough.
        let (short, long) = (rest.len().min(length), rest.len());
        let too_large = any(circuit, &b[short..]);
        let divisor = extend(&b[..short], long, false);
        let (difference, no_borrow) = add(circuit, &rest, &not(&divisor), Bit::TRUE);
        let fits = circuit.and(no_borrow, !too_large);
        quotient[i] = fits;
        rest = mux(circuit, fits, &difference, &rest);
        rest.truncate(length);
    }
    rest.resize(width, Bit::FALSE);
    if length < width {
        let is_zero = !any(circuit, b);
        rest = mux(circuit, is_zero, a, &rest);
    }
    // What is plain to people takes a solver an induction over the digits.
    let (some, below) = (any(circuit, b), less(circuit, &rest, b, false));
    let remainder_is_less = circuit.implies(some, below);
    circuit.add_fact(remainder_is_less);
    for part in [&quotient, &rest] {
        let more = less(circuit, a, part, false);
        let at_most = circuit.implies(some, !more);
        circuit.add_fact(at_most);
    }
    (quotient, rest)
}

/// Quotient and remainder of signed numbers, truncated towards zero.
pub fn divide_signed(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let (Some(&sa), Some(&sb)) = (a.last(), b.last()) else { return (Vec::new(), Vec::new()) };
    // Numbers of a shorter type, and a bit more for the least one divided by minus one.
    let short = significant(a).max(significant(b)) + 1;
    if short < a.len() {
        let (quotient, remainder) = divide_signed(circuit, &a[..short], &b[..short]);
        return (extend(&quotient, a.len(), true), extend(&remainder, a.len(), true));
    }
    let (a, b) = (negate_if(circuit, sa, a), negate_if(circuit, sb, b));
    let (quotient, remainder) = divide(circuit, &a, &b);
    let differ = circuit.xor(sa, sb);
    (negate_if(circuit, differ, &quotient), negate_if(circuit, sa, &remainder))
}

/// The remainder of signed numbers, with the sign of the dividend.
pub fn remainder_signed(circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    match (a.last(), b.last()) {
        (Some(&Bit::FALSE), Some(&Bit::FALSE)) => remainder(circuit, a, b),
        _ => divide_signed(circuit, a, b).1,
    }
}

/// To the left by an unsigned amount; any amount that is too large gives zero.
pub fn shift_left(circuit: &mut Circuit, a: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let reversed: Vec<Bit> = a.iter().rev().copied().collect();
    let mut shifted = shift_right(circuit, &reversed, amount, Bit::FALSE);
    shifted.reverse();
    shifted
}

/// To the right by an unsigned amount, with `fill` from above.
pub fn shift_right(circuit: &mut Circuit, a: &[Bit], amount: &[Bit], fill: Bit) -> Vec<Bit> {
    let mut word = a.to_vec();
    for (i, &bit) in amount.iter().enumerate() {
        let distance = if i < 32 { 1usize << i } else { usize::MAX };
        let moved: Vec<Bit> = (0..word.len())
            .map(|j| j.checked_add(distance).and_then(|from| word.get(from)).copied().unwrap_or(fill))
            .collect();
        word = mux(circuit, bit, &moved, &word);
    }
    word
}
