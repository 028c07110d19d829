//! C expressions as a reader likes them: `0 <= i < n` for `0 <= i && i < n`, which C would mean otherwise.

use super::c_expr::{CExpr, Comparison};
use std::fmt;

/// A C expression in which bounds are chains.
pub struct Readable<'a>(&'a CExpr);

impl CExpr {
    /// For people, not for C.
    pub fn readable(&self) -> Readable<'_> {
        Readable(self)
    }
}

/// `low <= high`, or `low < high`.
#[derive(Clone, Copy)]
struct Bound<'a> {
    low: &'a CExpr,
    high: &'a CExpr,
    strict: bool,
}

impl<'a> Bound<'a> {
    fn of(expr: &'a CExpr) -> Option<Self> {
        let CExpr::Compare(how, a, b) = expr else { return None };
        let (low, high, strict) = match how {
            Comparison::Less => (a, b, true),
            Comparison::AtMost => (a, b, false),
            Comparison::Greater => (b, a, true),
            Comparison::AtLeast => (b, a, false),
            Comparison::Equal | Comparison::Unequal => return None,
        };
        Some(Bound { low, high, strict })
    }

    fn symbol(&self) -> &'static str {
        if self.strict { "<" } else { "<=" }
    }
}

impl fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = match self.0 {
            CExpr::And(parts) => parts,
            CExpr::Where(expr, definitions) => {
                write!(f, "{}", expr.readable())?;
                for (name, part) in definitions {
                    write!(f, "\n    where {name} is {}", part.readable())?;
                }
                return Ok(());
            }
            other => return other.fmt(f),
        };
        let bounds: Vec<Option<Bound<'_>>> = parts.iter().map(Bound::of).collect();
        let mut used = vec![false; parts.len()];
        let mut first = true;
        for (i, part) in parts.iter().enumerate() {
            if std::mem::replace(&mut used[i], true) {
                continue;
            }
            if !std::mem::take(&mut first) {
                f.write_str(" && ")?;
            }
            let partner = bounds[i].and_then(|bound| partner(&bounds, &used, bound));
            match partner {
                Some((j, lower, upper)) => {
                    used[j] = true;
                    let (a, b, c) = (lower.low, lower.high, upper.high);
                    write!(f, "{a} {} {b} {} {c}", lower.symbol(), upper.symbol())?;
                }
                None if matches!(
                    part,
                    CExpr::Or(_) | CExpr::Conditional(_) | CExpr::Quantified(..) | CExpr::Where(..)
                ) =>
                {
                    write!(f, "({part})")?;
                }
                None => part.fmt(f)?,
            }
        }
        Ok(())
    }
}

/// Another bound of what a bound is about, as the number of the other, the lower and the upper one. A bound that is
/// no number says more.
fn partner<'a>(
    bounds: &[Option<Bound<'a>>],
    used: &[bool],
    bound: Bound<'a>,
) -> Option<(usize, Bound<'a>, Bound<'a>)> {
    let is_number = |expr: &CExpr| matches!(expr, CExpr::Number(_));
    let free =
        bounds.iter().enumerate().filter(|(i, _)| !used[*i]).filter_map(|(i, other)| Some((i, (*other)?)));
    let above = free.clone().filter(|(_, other)| !is_number(bound.high) && other.low == bound.high);
    let below = free.filter(|(_, other)| !is_number(bound.low) && other.high == bound.low);
    let above = above.min_by_key(|(_, other)| is_number(other.high)).map(|(i, other)| (i, bound, other));
    above.or_else(|| below.min_by_key(|(_, other)| is_number(other.low)).map(|(i, other)| (i, other, bound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_become_chains() {
        let [i, n, p] = ["i", "n", "p"].map(|name| Box::new(CExpr::Variable(name.to_string())));
        let number = |value| Box::new(CExpr::number(value));
        let parts = vec![
            CExpr::Compare(Comparison::AtMost, number(0), i.clone()),
            CExpr::Compare(Comparison::AtMost, i.clone(), number(100)),
            CExpr::Compare(Comparison::Unequal, p, number(0)),
            CExpr::Compare(Comparison::Greater, n.clone(), i),
            CExpr::Compare(Comparison::AtLeast, n, number(1)),
        ];
        let all = CExpr::And(parts);
        assert_eq!(all.readable().to_string(), "0 <= i < n && i <= 100 && p != 0 && n >= 1");
        assert!(all.to_string().starts_with("0 <= i && i <= 100 && "));
    }
}
