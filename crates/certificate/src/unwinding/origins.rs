//! Operations that continue others. A word times one constant and then another is the word times both; what is added up modulo two
//! cancels out; and a remainder may be left out of a sum whose remainder is taken. Each of these is a law of arithmetic, by which one word
//! has two names; the gates of the one are taken for both, so that a refutation need not prove the law bit by bit.

use super::gates::{FALSE, Gate, Gates, Lit, Word, as_number, number};
use craig_base::Map;
use std::rc::Rc;

/// How many literals are looked at as one sum modulo two.
const LONGEST_SUM: usize = 8;
/// A multiple is recognised by this bit, and no shorter one is.
const TELLING: usize = 7;
/// How deep sums are taken apart.
const DEPTH: u32 = 8;
/// Constants have no more bits.
const WIDEST: usize = 128;

/// A word or a set, in a map.
type Literals = Rc<[Lit]>;

#[derive(Default)]
pub(super) struct Origins {
    /// The positive literals, in order, whose sum modulo two a gate is; and back.
    parities: Map<Lit, Literals>,
    by_parity: Map<Literals, Lit>,
    multiples: Map<Lit, Multiple>,
    /// The operands of sums that lose no carry; all without zeros in front.
    sums: Map<Literals, [Literals; 2]>,
    /// What was divided, and by what.
    remainders: Map<Literals, (Literals, u128)>,
}

/// `word = of * factor`, modulo the power of two that its length says.
struct Multiple {
    word: Word,
    of: Word,
    factor: u128,
}

fn without_zeros(word: &[Lit]) -> &[Lit] {
    let zeros = word.iter().rev().take_while(|&&lit| lit == FALSE).count();
    &word[..word.len() - zeros]
}

impl Gates {
    /// The exclusive disjunction of two different positive literals, neither constant.
    pub fn parity(&mut self, a: Lit, b: Lit) -> Lit {
        let parts = |lit: Lit| self.origins.parities.get(&lit).cloned().unwrap_or_else(|| [lit].into());
        let (left, right) = (parts(a), parts(b));
        let mut sum: Vec<Lit> = left.iter().chain(right.iter()).copied().collect();
        sum.sort_unstable();
        let mut odd: Vec<Lit> = Vec::with_capacity(sum.len());
        for lit in sum {
            if odd.last() == Some(&lit) {
                odd.pop();
            } else {
                odd.push(lit);
            }
        }
        match &odd[..] {
            [] => FALSE,
            [single] => *single,
            _ => {
                if odd.len() > LONGEST_SUM {
                    odd = vec![a.min(b), a.max(b)];
                }
                if let Some(&known) = self.origins.by_parity.get(&odd[..]) {
                    return known;
                }
                let new = self.make(Gate::Xor(a, b));
                let odd: Literals = odd.into();
                self.origins.parities.insert(new, odd.clone());
                self.origins.by_parity.insert(odd, new);
                new
            }
        }
    }

    /// The lowest `width` bits of a product of unsigned numbers.
    pub fn product(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let (word, factor) = if as_number(a).is_some() { (b, a) } else { (a, b) };
        let is_narrow = a.len().max(b.len()).max(width) <= WIDEST;
        let (true, None, Some(factor)) = (is_narrow, as_number(word), as_number(factor)) else {
            return self.product_of_rows(a, b, width);
        };
        let shortest = width.min(word.len());
        let known = word.get(TELLING).and_then(|lit| self.origins.multiples.get(lit));
        let known = known.and_then(|multiple| {
            let same = (0..shortest.min(multiple.word.len())).take_while(|&i| multiple.word[i] == word[i]);
            let same = same.count();
            let factors = multiple.factor.wrapping_mul(factor) & (u128::MAX >> (WIDEST - same.max(1)));
            (same > TELLING).then(|| (multiple.of[..same].to_vec(), factors))
        });
        let Some((of, factor)) = known else {
            let product = self.product_of_rows(a, b, width);
            self.is_multiple(&product[..shortest], &word[..shortest], factor);
            return product;
        };
        let mut product = if factor == 1 {
            of.clone()
        } else {
            self.product_of_rows(&of, &number(of.len(), factor), of.len())
        };
        self.is_multiple(&product, &of, factor);
        if of.len() < width {
            product.extend_from_slice(&self.product_of_rows(a, b, width)[of.len()..]);
        }
        product
    }

    fn is_multiple(&mut self, word: &[Lit], of: &[Lit], factor: u128) {
        if let Some(&telling) = word.get(TELLING)
            && telling.abs() > 1
        {
            let multiple = Multiple { word: word.to_vec(), of: of.to_vec(), factor };
            self.origins.multiples.insert(telling, multiple);
        }
    }

    /// Notes the operands of an unsigned sum if it has room for the carry.
    pub fn is_sum(&mut self, sum: &[Lit], a: &[Lit], b: &[Lit]) {
        let (a, b) = (without_zeros(a), without_zeros(b));
        let has_remainders =
            |word: &[Lit]| self.origins.remainders.contains_key(word) || self.origins.sums.contains_key(word);
        if a.len() < sum.len() && b.len() < sum.len() && (has_remainders(a) || has_remainders(b)) {
            self.origins.sums.insert(without_zeros(sum).into(), [a.into(), b.into()]);
        }
    }

    /// The remainder of unsigned numbers, for a divisor that is not zero.
    pub fn remainder(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let divisor = as_number(b).filter(|&divisor| divisor != 0 && a.len() <= WIDEST);
        let Some(divisor) = divisor else { return self.quotient(a, b).1 };
        let simpler = self.same_modulo(without_zeros(a), divisor, a.len(), DEPTH);
        let dividend: Literals = simpler.unwrap_or_else(|| without_zeros(a).into());
        let mut wide = dividend.to_vec();
        wide.resize(a.len(), FALSE);
        let remainder = self.quotient(&wide, b).1;
        self.origins.remainders.insert(without_zeros(&remainder).into(), (dividend, divisor));
        remainder
    }

    /// A number below `2^width` without remainders in its sums that is the same modulo the divisor.
    fn same_modulo(&mut self, word: &[Lit], divisor: u128, width: usize, depth: u32) -> Option<Literals> {
        match self.origins.remainders.get(word) {
            Some((dividend, by)) if *by == divisor && dividend.len() <= width => {
                return Some(dividend.clone());
            }
            _ if depth == 0 => return None,
            _ => {}
        }
        let [a, b] = self.origins.sums.get(word)?.clone();
        let x = self.same_modulo(&a, divisor, width, depth - 1);
        let y = self.same_modulo(&b, divisor, width, depth - 1);
        if x.is_none() && y.is_none() {
            return None;
        }
        let [mut a, mut b] = [x.unwrap_or(a), y.unwrap_or(b)].map(|part| part.to_vec());
        // The sum must not lose a carry.
        if a.len() >= width || b.len() >= width {
            return None;
        }
        a.resize(width, FALSE);
        b.resize(width, FALSE);
        let sum = self.sum(&a, &b, FALSE);
        self.is_sum(&sum, &a, &b);
        Some(without_zeros(&sum).into())
    }
}
