//! How words were made, where one operation undoes or continues another: products with constants, and remainders of sums of
//! remainders. Their circuits do not show it, and a solver would have to find it out bit by bit.

use crate::circuit::{Bit, Circuit};
use crate::words;
use craig_base::Map;
use std::rc::Rc;

/// The bit by which a product is found again. Lower ones are those of other products, too.
const MARK: usize = 7;
/// So many sums, one in the other, are looked into.
const DEPTH: u32 = 8;

/// A word in a map.
type Bits = Rc<[Bit]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    products: Map<Bit, Rc<Product>>,
    /// Sums that have remainders among their operands, without leading zeros.
    sums: Map<Bits, [Bits; 2]>,
    /// Dividend and divisor of remainders.
    remainders: Map<Bits, (Bits, u128)>,
}

/// The lowest bits of a word times a constant.
#[derive(Debug)]
struct Product {
    bits: Vec<Bit>,
    word: Vec<Bit>,
    factor: u128,
}

fn low_bits(value: u128, width: usize) -> u128 {
    if width < 128 { value & ((1 << width) - 1) } else { value }
}

/// Without leading zeros.
fn trimmed(word: &[Bit]) -> &[Bit] {
    let length = word.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |last| last + 1);
    &word[..length]
}

/// A word and a constant whose product has the same lowest bits as this one, as many as the word has, if this word is a product
/// with a constant itself.
pub(crate) fn continued(circuit: &Circuit, word: &[Bit], factor: u128) -> Option<(Vec<Bit>, u128)> {
    let product = circuit.origins.products.get(word.get(MARK)?)?;
    let common = product.bits.iter().zip(word).take_while(|(known, bit)| known == bit).count();
    let factors = product.factor.wrapping_mul(factor);
    (common > MARK).then(|| (product.word[..common].to_vec(), low_bits(factors, common)))
}

/// Notes that a word has the lowest bits of a product.
pub(crate) fn is_product(circuit: &mut Circuit, product: &[Bit], word: &[Bit], factor: u128) {
    if let Some(mark) = product.get(MARK).filter(|mark| mark.as_constant().is_none()) {
        let product = Product { bits: product.to_vec(), word: word.to_vec(), factor };
        circuit.origins.products.insert(*mark, Rc::new(product));
    }
}

/// Notes that a word is the sum of two, if no carry can get lost.
pub(crate) fn is_sum(circuit: &mut Circuit, sum: &[Bit], a: &[Bit], b: &[Bit]) {
    let origins = &mut circuit.origins;
    let [a, b] = [a, b].map(trimmed);
    let made = |word: &[Bit]| origins.remainders.contains_key(word) || origins.sums.contains_key(word);
    if a.len().max(b.len()) < sum.len() && (made(a) || made(b)) {
        origins.sums.insert(trimmed(sum).into(), [a.into(), b.into()]);
    }
}

/// The remainder of an unsigned division by a constant that is not zero: remainders in a sum are left out, if the sum without
/// them has room.
pub(crate) fn remainder(
    circuit: &mut Circuit,
    word: &[Bit],
    divisor: u128,
    plain: impl Fn(&mut Circuit, &[Bit]) -> Vec<Bit>,
) -> Vec<Bit> {
    let dividend = congruent(circuit, trimmed(word), divisor, word.len(), DEPTH);
    let dividend = dividend.unwrap_or_else(|| trimmed(word).into());
    let result = plain(circuit, &words::zero_extend(&dividend, word.len()));
    circuit.origins.remainders.insert(trimmed(&result).into(), (dividend, divisor));
    result
}

/// A number with the same remainder that has fewer remainders in it, if there is one of this width.
fn congruent(circuit: &mut Circuit, word: &[Bit], divisor: u128, width: usize, depth: u32) -> Option<Bits> {
    if let Some((dividend, by)) = circuit.origins.remainders.get(word)
        && *by == divisor
        && dividend.len() <= width
    {
        return Some(dividend.clone());
    }
    let deeper = depth.checked_sub(1)?;
    let [a, b] = circuit.origins.sums.get(word)?.clone();
    let [x, y] = [&a, &b].map(|part| congruent(circuit, part, divisor, width, deeper));
    if x.is_none() && y.is_none() {
        return None;
    }
    let [a, b] = [x.unwrap_or(a), y.unwrap_or(b)];
    // A carry would be lost.
    if a.len().max(b.len()) >= width {
        return None;
    }
    let [a, b] = [a, b].map(|part| words::zero_extend(&part, width));
    let sum = words::add(circuit, &a, &b, Bit::FALSE).0;
    is_sum(circuit, &sum, &a, &b);
    Some(trimmed(&sum).into())
}
