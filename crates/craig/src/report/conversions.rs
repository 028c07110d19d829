//! Conversions between integer types in formulas: `x <= 127 ? x : x - 256` is what C writes as `(signed char)x`.

use craig_base::OrderedMap;
use craig_num::Rat;
use craig_term::{Op, TermId, Terms};

/// A number that is taken into the values of a type by adding or subtracting the type's size once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Of what.
    pub from: TermId,
    bits: u32,
    is_signed: bool,
}

/// Types by their widths, the same in all data models.
const TYPES: [(u32, &str, &str); 4] = [
    (8, "signed char", "unsigned char"),
    (16, "short", "unsigned short"),
    (32, "int", "unsigned"),
    (64, "long long", "unsigned long long"),
];

/// The least and the greatest value of a type that reports convert to.
pub(super) fn values_of(name: &str) -> Option<(i128, i128)> {
    TYPES.iter().find_map(|&(bits, signed, unsigned)| match name {
        _ if name == signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        _ if name == unsigned => Some((0, (1 << bits) - 1)),
        _ => None,
    })
}

impl Conversion {
    /// The type as C calls it.
    pub fn type_name(&self) -> &'static str {
        let of_width = TYPES.iter().find(|(bits, ..)| *bits == self.bits);
        of_width.map_or("", |(_, signed, unsigned)| if self.is_signed { signed } else { unsigned })
    }

    /// The conversion that a conditional term stands for.
    pub fn of(terms: &Terms, t: TermId) -> Option<Self> {
        Conversion::around(terms, t, &|kept| Conversion::around(terms, kept, &|_| None))
    }

    /// The same, where `within` knows a conversion of what is kept.
    fn around(terms: &Terms, t: TermId, within: &dyn Fn(TermId) -> Option<Conversion>) -> Option<Self> {
        let &[condition, then, otherwise] = terms.args(t) else { return None };
        if terms.op(t) != Op::Ite || terms.sort(t) != Terms::INT {
            return None;
        }
        let is_negated = terms.op(condition) == Op::Not;
        let atom = if is_negated { terms.args(condition)[0] } else { condition };
        let (&[left, right], Op::Le) = (terms.args(atom), terms.op(atom)) else { return None };
        let (then, otherwise) = if is_negated { (otherwise, then) } else { (then, otherwise) };
        // The sum on the left is at most a number, `then` where it is so.
        let (compared, limit) = (linear(terms, left)?, integer(terms, right)?);
        [(then, otherwise, true), (otherwise, then, false)].into_iter().find_map(|(kept, moved, below)| {
            let inner = within(kept).filter(|inner| !inner.is_signed);
            taken_in(terms, (&compared, limit), (kept, inner), moved, below)
        })
    }
}

/// What is kept is what is converted, or its conversion on the other side of the type; `moved` is that with the size added
/// or subtracted. `below` says whether the sum that is compared is at most the limit where it is kept.
fn taken_in(
    terms: &Terms,
    (compared, limit): (&Linear, i128),
    (kept, inner): (TermId, Option<Conversion>),
    moved: TermId,
    below: bool,
) -> Option<Conversion> {
    let from = inner.map_or(kept, |inner| inner.from);
    let (known, moved) = (linear(terms, from)?, linear(terms, moved)?);
    if known.parts != moved.parts {
        return None;
    }
    let added = moved.number.checked_sub(known.number)?;
    let (bits, ..) = *TYPES.iter().find(|(bits, ..)| added.abs() == 1 << bits)?;
    // Where it is not moved, what is converted is at most or at least this.
    let is_upper = compared.parts == known.parts;
    if !is_upper && compared.negated() != known.parts {
        return None;
    }
    let bound = match (is_upper, below) {
        (true, true) => limit.checked_add(known.number)?,
        (true, false) => limit.checked_add(1 + known.number)?,
        (false, true) => known.number.checked_sub(limit)?,
        (false, false) => known.number.checked_sub(limit + 1)?,
    };
    let is_signed = match (is_upper == below, added < 0) {
        (true, true) if bound == (1 << (bits - 1)) - 1 && inner.is_none() => true,
        (true, true) if bound == (1 << bits) - 1 => false,
        (false, false) if bound == 0 => false,
        _ => return None,
    };
    inner.is_none_or(|inner| inner.bits == bits).then_some(Conversion { from, bits, is_signed })
}

/// A sum: a number, and other terms with factors.
struct Linear {
    number: i128,
    parts: OrderedMap<TermId, Rat>,
}

impl Linear {
    fn negated(&self) -> OrderedMap<TermId, Rat> {
        self.parts.iter().map(|(&part, factor)| (part, -factor.clone())).collect()
    }
}

fn linear(terms: &Terms, t: TermId) -> Option<Linear> {
    let mut sum = Linear { number: 0, parts: OrderedMap::default() };
    let parts = if terms.op(t) == Op::Add { terms.args(t) } else { &[t] };
    for &part in parts {
        match (integer(terms, part), terms.op(part)) {
            (Some(number), _) => sum.number = sum.number.checked_add(number)?,
            (None, Op::Scale) => {
                let factor = terms.number(terms.args(part)[0])?.clone();
                sum.parts.insert(terms.args(part)[1], factor);
            }
            (None, _) => _ = sum.parts.insert(part, Rat::from(craig_num::Int::from(1i128))),
        }
    }
    Some(sum)
}

fn integer(terms: &Terms, t: TermId) -> Option<i128> {
    terms.number(t)?.to_int()?.to_i128()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_known_by_what_they_add() {
        let mut tm = Terms::new();
        let [x, y] = ["x", "y"].map(|name| tm.declare_const(name, Terms::INT).unwrap());
        let sum = tm.add2(x, y);
        let named =
            |tm: &Terms, t: TermId| Conversion::of(tm, t).map(|found| (found.type_name(), found.from));
        let [byte, wide] = [1i128 << 8, 1 << 64].map(|size| tm.int(size));
        let (most, least) = (tm.int(127), tm.int(0));
        let below = tm.sub(x, byte);
        let small = tm.le(x, most);
        let signed = tm.ite(small, x, below);
        assert_eq!(named(&tm, signed), Some(("signed char", x)));
        let other = tm.ite(small, below, x);
        assert_eq!(named(&tm, other), None);
        let (above, under) = (tm.add2(sum, wide), tm.sub(sum, wide));
        let (negative, end) = (tm.lt(sum, least), tm.lt(sum, wide));
        let high = tm.ite(end, sum, under);
        assert_eq!(named(&tm, high), Some(("unsigned long long", sum)));
        let both = tm.ite(negative, above, high);
        assert_eq!(named(&tm, both), Some(("unsigned long long", sum)));
    }
}
