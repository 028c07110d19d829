//! Equalities of polynomials that hold in all of many rows of values, by linear algebra.
//!
//! Each monomial is a column: its values in the rows. A column that is a combination of earlier ones is an equality
//! (Sharma, Gupta, Hariharan, Aiken, Liang and Nori, *A Data Driven Approach for Algebraic Loop Invariants*, ESOP
//! 2013); for degree one these are the affine equalities of Karr. Monomials are taken by degree, and multiples of one
//! that is known to be a combination are left out, so that what is found generates the rest.
//!
//! Elimination is done modulo a prime. Coefficients are recovered as fractions, and kept only if the equality holds in
//! all rows with exact numbers: a wrong guess of a coefficient costs an equality, no more.

use craig_num::Int;

/// A Mersenne prime: products of two residues fit into 128 bits.
const PRIME: u64 = (1 << 61) - 1;
/// The largest numerator and denominator of a coefficient: their product is below the half of the prime.
const MAX_NUMERATOR: u64 = 1 << 44;
const MAX_DENOMINATOR: u64 = 1 << 14;
/// So many more rows than unknown coefficients are needed.
const SLACK: usize = 3;

/// The columns that are multiplied, in ascending order: none for one, a column twice for its square.
pub(super) type Monomial = Vec<usize>;

/// Monomials with coefficients whose sum is zero.
pub(super) type Equality = Vec<(Monomial, i128)>;

/// The equalities between monomials up to a degree, of so many independent monomials at most.
pub(super) fn equalities(rows: &[Vec<i128>], degree: usize, most: usize) -> Vec<Equality> {
    let Some(width) = rows.first().map(Vec::len) else { return Vec::new() };
    let mut elimination = Elimination::default();
    let mut found = Vec::new();
    let mut dependent: Vec<Monomial> = Vec::new();
    let one = Monomial::new();
    elimination.add(&one, &values(rows, &one));
    let mut last = vec![one];
    for _ in 0..degree {
        let mut next = Vec::new();
        for smaller in &last {
            for column in smaller.last().copied().unwrap_or(0)..width {
                let mut monomial = smaller.clone();
                monomial.push(column);
                if dependent.iter().any(|known| divides(known, &monomial)) {
                    continue;
                }
                if elimination.monomials.len() >= most || elimination.monomials.len() + SLACK > rows.len() {
                    return found;
                }
                match elimination.add(&monomial, &values(rows, &monomial)) {
                    None => next.push(monomial),
                    Some(combination) => {
                        found.extend(combination.filter(|equality| holds(rows, equality)));
                        dependent.push(monomial);
                    }
                }
            }
        }
        last = next;
    }
    found
}

/// The value of a monomial in a row.
pub(super) fn product(row: &[i128], monomial: &[usize]) -> Int {
    monomial.iter().fold(Int::ONE, |all, &column| all * Int::from(row[column]))
}

pub(super) fn holds(rows: &[Vec<i128>], equality: &Equality) -> bool {
    rows.iter().all(|row| {
        let terms = equality.iter().map(|(monomial, factor)| product(row, monomial) * Int::from(*factor));
        terms.fold(Int::ZERO, |sum, term| sum + term).is_zero()
    })
}

/// Both are in ascending order.
fn divides(one: &[usize], other: &[usize]) -> bool {
    let mut rest = other.iter();
    one.iter().all(|column| rest.any(|candidate| candidate == column))
}

fn values(rows: &[Vec<i128>], monomial: &[usize]) -> Vec<u64> {
    let residue = |value: i128| value.rem_euclid(i128::from(PRIME)) as u64;
    rows.iter()
        .map(|row| monomial.iter().fold(1, |all, &column| multiply(all, residue(row[column]))))
        .collect()
}

/// Independent columns in echelon form.
#[derive(Default)]
struct Elimination {
    monomials: Vec<Monomial>,
    /// Each with the row of its first entry, which is one, and how it is a combination of the monomials.
    columns: Vec<(usize, Vec<u64>, Vec<u64>)>,
}

impl Elimination {
    /// Adds a column, unless it is a combination of the others: then the equality that says so, or `None` if its
    /// coefficients are no simple fractions.
    fn add(&mut self, monomial: &[usize], values: &[u64]) -> Option<Option<Equality>> {
        let mut values = values.to_vec();
        let mut combination = vec![0; self.monomials.len()];
        combination.push(1);
        for (pivot, column, parts) in &self.columns {
            let factor = values[*pivot];
            if factor != 0 {
                subtract(&mut values, factor, column);
                subtract(&mut combination, factor, parts);
            }
        }
        match values.iter().position(|&value| value != 0) {
            None => Some(self.equality(monomial, &combination)),
            Some(pivot) => {
                let scale = inverse(values[pivot]);
                values.iter_mut().chain(&mut combination).for_each(|value| *value = multiply(*value, scale));
                self.columns.push((pivot, values, combination));
                self.monomials.push(monomial.to_vec());
                None
            }
        }
    }

    fn equality(&self, monomial: &[usize], combination: &[u64]) -> Option<Equality> {
        let fractions = combination.iter().map(|&value| fraction(value)).collect::<Option<Vec<_>>>()?;
        let mut common: i128 = 1;
        for &(_, denominator) in &fractions {
            common = common / gcd(common, denominator) * denominator;
            if common > i128::from(MAX_NUMERATOR) {
                return None;
            }
        }
        let monomials = self.monomials.iter().map(Vec::as_slice).chain([monomial]);
        let terms = monomials.zip(fractions).filter(|(_, (numerator, _))| *numerator != 0);
        let term = |(monomial, (numerator, denominator)): (&[usize], (i128, i128))| {
            (monomial.to_vec(), numerator * (common / denominator))
        };
        Some(terms.map(term).collect())
    }
}

/// Takes a multiple of a column, which may be shorter, away.
fn subtract(from: &mut [u64], factor: u64, column: &[u64]) {
    for (value, &other) in from.iter_mut().zip(column) {
        *value = (*value + PRIME - multiply(factor, other)) % PRIME;
    }
}

fn multiply(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(value: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, value, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

/// The fraction with small numerator and denominator that a residue stands for, by Euclid's algorithm.
fn fraction(residue: u64) -> Option<(i128, i128)> {
    let (mut a, mut b) = (i128::from(PRIME), i128::from(residue));
    let (mut s, mut t) = (0i128, 1i128);
    while b >= i128::from(MAX_NUMERATOR) {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (s, t) = (t, s - quotient * t);
    }
    let (numerator, denominator) = if t < 0 { (-b, -t) } else { (b, t) };
    (denominator <= i128::from(MAX_DENOMINATOR)).then_some((numerator, denominator))
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_squares_are_found_with_their_fractions() {
        // n, 1 + ... + n, 1 + ... + n*n
        let rows: Vec<Vec<i128>> =
            (0..30).map(|n| vec![n, n * (n + 1) / 2, n * (n + 1) * (2 * n + 1) / 6]).collect();
        let mut found = equalities(&rows, 3, 40);
        found.truncate(2);
        let sum: Equality = vec![(vec![0], -1), (vec![1], 2), (vec![0, 0], -1)];
        let scaled = |equality: &Equality| {
            let last = equality.last().map_or(1, |(_, factor)| *factor);
            equality.iter().map(|(monomial, factor)| (monomial.clone(), -factor / last)).collect::<Equality>()
        };
        assert_eq!(scaled(&found[0]), sum);
        assert!(equalities(&rows[..3], 3, 40).is_empty());
    }

    #[test]
    fn large_constants_are_no_problem() {
        let rows: Vec<Vec<i128>> = (0..9).map(|n| vec![n, 4_000_000_007 - 3 * n]).collect();
        let found = equalities(&rows, 1, 10);
        assert_eq!(found, [vec![(vec![], -4_000_000_007), (vec![0], 3), (vec![1], 1)]]);
    }
}
