//! What a formula says, as an expression that means the same in C.
//!
//! Formulas compute with integers as such, C with types: there `i - 2` of an unsigned `i` is a large number where `i` is 1,
//! `i <= n` of an `int` and an `unsigned` compares other numbers where `i` is negative, and a pointer moves by elements. So sums are
//! computed in `long long` where their operands' types could not hold them, and what no type of C can hold is not
//! said. Of a conjunction the rest is still true.

use super::Location;
use super::c_expr::{CExpr, Comparison};
use super::conversions::values_of;
use super::names::{Name, Names};
use craig_base::Map;

/// An expression of C, and what it takes for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// What holds.
    pub expr: CExpr,
    /// Declarations of variables whose functions declare others of the same name: the expression means these.
    pub means: Vec<Location>,
}

/// Expressions with more parts than this are not said.
const MOST: usize = 2000;

const WIDE: &str = "long long";
const INT: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);
const LONG: (i128, i128) = (i64::MIN as i128, i64::MAX as i128);

/// What of the formula C can say.
pub(super) fn in_c(formula: &CExpr, names: &Names) -> Option<Stated> {
    let variables = names.values().filter_map(|name| match &name.expr {
        CExpr::Variable(text) => Some((text.as_str(), name)),
        _ => None,
    });
    let (formula, definitions) = match formula {
        CExpr::Where(formula, definitions) => (&**formula, definitions.as_slice()),
        other => (other, &[][..]),
    };
    let definitions = definitions.iter().map(|(name, part)| (name.as_str(), part)).collect();
    let mut speaker =
        Speaker { variables: variables.collect(), definitions, parts: 0, means: Vec::new(), is_exact: false };
    let all = match formula {
        CExpr::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut said: Vec<CExpr> = Vec::new();
    for part in all {
        let before = speaker.means.clone();
        match speaker.truth(part) {
            Some(part) => said.push(part),
            None => speaker.means = before,
        }
    }
    let expr = match said.len() {
        0 => return None,
        1 => said.remove(0),
        _ => CExpr::And(said),
    };
    Some(Stated { expr, means: speaker.means })
}

struct Speaker<'a> {
    variables: Map<&'a str, &'a Name>,
    definitions: Map<&'a str, &'a CExpr>,
    parts: usize,
    means: Vec<Location>,
    /// What is negated or decides between two is said exactly, or not at all; elsewhere less may be said.
    is_exact: bool,
}

/// An integer of C: all that it can be lies within the range, and its type is the one that C computes with for that range.
struct Value {
    expr: CExpr,
    range: (i128, i128),
    is_signed: bool,
    is_wide: bool,
}

impl Value {
    /// Of an object, or of a literal: after promotion.
    fn new(expr: CExpr, range: (i128, i128)) -> Option<Self> {
        let (is_signed, is_wide) = match range {
            _ if within(range, INT) => (true, false),
            _ if within(range, (0, u32::MAX.into())) => (false, false),
            _ if within(range, LONG) => (true, true),
            _ if within(range, (0, u64::MAX.into())) => (false, true),
            _ => return None,
        };
        Some(Value { expr, range, is_signed, is_wide })
    }

    /// The same, computed with in `long long`.
    fn widened(self) -> Option<Self> {
        if !within(self.range, LONG) {
            return None;
        }
        let expr = match self.expr {
            expr if self.is_wide && self.is_signed => expr,
            CExpr::Number(number) => CExpr::Number(number),
            expr => CExpr::Cast(WIDE, Box::new(expr)),
        };
        Some(Value { expr, range: self.range, is_signed: true, is_wide: true })
    }

    fn is_int(&self) -> bool {
        self.is_signed && !self.is_wide
    }
}

impl Speaker<'_> {
    fn count(&mut self) -> Option<()> {
        self.parts += 1;
        (self.parts <= MOST).then_some(())
    }

    fn truth(&mut self, expr: &CExpr) -> Option<CExpr> {
        self.count()?;
        let all = |speaker: &mut Self, parts: &[CExpr]| {
            parts.iter().map(|part| speaker.truth(part)).collect::<Option<Vec<CExpr>>>()
        };
        Some(match expr {
            CExpr::Number(_) if expr.as_truth().is_some() => expr.clone(),
            CExpr::Other(name) => {
                let part = *self.definitions.get(name.as_str())?;
                self.truth(part)?
            }
            CExpr::Variable(_) => self.value(expr)?.expr,
            CExpr::Not(a) => CExpr::Not(Box::new(self.exactly(a)?)),
            CExpr::And(parts) => CExpr::And(all(self, parts)?),
            CExpr::Or(parts) => CExpr::Or(all(self, parts)?),
            CExpr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                CExpr::Conditional(Box::new([self.exactly(c)?, self.truth(a)?, self.truth(b)?]))
            }
            CExpr::Compare(how, a, b) => match self.pointers(*how, a, b) {
                Some(said) => said,
                None => self.comparison(*how, a, b)?,
            },
            _ => return None,
        })
    }

    fn exactly(&mut self, expr: &CExpr) -> Option<CExpr> {
        let before = std::mem::replace(&mut self.is_exact, true);
        let said = self.truth(expr);
        self.is_exact = before;
        said
    }

    /// Pointers are equal or not; which is greater C says only within an object. That one is not null may be what is left of a bound
    /// that formulas give to its address.
    fn pointers(&mut self, how: Comparison, a: &CExpr, b: &CExpr) -> Option<CExpr> {
        let is_pointer = |expr: &CExpr| match expr {
            CExpr::Variable(name) => self.variables.get(name.as_str()).is_some_and(|name| name.is_pointer),
            _ => false,
        };
        let is_null = |expr: &CExpr| match expr {
            CExpr::Other(name) => name == "NULL",
            other => other.as_truth() == Some(false),
        };
        let is_equality = matches!(how, Comparison::Equal | Comparison::Unequal);
        if !is_equality || !is_pointer(a) || !(is_pointer(b) || is_null(b) && !self.is_exact) {
            return None;
        }
        let right = if is_pointer(b) { b.clone() } else { CExpr::number(0) };
        self.mention(a);
        self.mention(b);
        Some(CExpr::Compare(how, Box::new(a.clone()), Box::new(right)))
    }

    /// Values of one sign compare in C as they are.
    fn comparison(&mut self, how: Comparison, a: &CExpr, b: &CExpr) -> Option<CExpr> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (a, b) = alike(a, b)?;
        Some(CExpr::Compare(how, Box::new(a.expr), Box::new(b.expr)))
    }

    fn mention(&mut self, expr: &CExpr) {
        if let CExpr::Variable(text) = expr
            && let Some(declared) = self.variables.get(text.as_str()).and_then(|name| name.declared.as_ref())
            && !self.means.contains(declared)
        {
            self.means.push(declared.clone());
        }
    }

    fn value(&mut self, expr: &CExpr) -> Option<Value> {
        self.count()?;
        match expr {
            CExpr::Number(n) => {
                let n = n.to_int()?.to_i128()?;
                // `-9223372036854775808` is a minus and a literal that no type holds; `-2147483648` is of a wider type.
                let is_wide = !within((n, n), (INT.0 + 1, INT.1));
                let value = Value { expr: expr.clone(), range: (n, n), is_signed: true, is_wide };
                within((n, n), (LONG.0 + 1, LONG.1)).then_some(value)
            }
            CExpr::Variable(text) => {
                let name = *self.variables.get(text.as_str())?;
                if name.is_pointer || name.cell.is_some() {
                    return None;
                }
                self.mention(expr);
                Value::new(expr.clone(), name.range?)
            }
            CExpr::Other(name) => {
                let part = *self.definitions.get(name.as_str())?;
                self.value(part)
            }
            CExpr::Negative(a) => {
                let a = self.value(a)?.widened()?;
                let range = (a.range.1.checked_neg()?, a.range.0.checked_neg()?);
                computed(CExpr::Negative(Box::new(a.expr)), range)
            }
            CExpr::Sum(parts) => self
                .arithmetic(parts, CExpr::Sum, |(a, b), (c, d)| Some((a.checked_add(c)?, b.checked_add(d)?))),
            CExpr::Product(parts) => self.arithmetic(parts, CExpr::Product, |(a, b), (c, d)| {
                let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                Some((corners.into_iter().min()?, corners.into_iter().max()?))
            }),
            CExpr::Quotient(a, b) => {
                let (a, by) = self.divided(a, b)?;
                computed(CExpr::Quotient(Box::new(a.expr), b.clone()), (a.range.0 / by, a.range.1 / by))
            }
            CExpr::Remainder(a, b) => {
                let (a, by) = self.divided(a, b)?;
                computed(CExpr::Remainder(Box::new(a.expr), b.clone()), (0, by - 1))
            }
            CExpr::Conditional(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.exactly(c)?, self.value(a)?, self.value(b)?);
                let (a, b) = (a.widened()?, b.widened()?);
                let range = (a.range.0.min(b.range.0), a.range.1.max(b.range.1));
                computed(CExpr::Conditional(Box::new([c, a.expr, b.expr])), range)
            }
            CExpr::Cast(ty, a) => {
                let a = self.value(a)?;
                Value::new(CExpr::Cast(ty, Box::new(a.expr)), values_of(ty)?)
            }
            _ => None,
        }
    }

    /// What is divided, in `long long` and not negative, by a positive number: so C and formulas mean the same.
    fn divided(&mut self, a: &CExpr, b: &CExpr) -> Option<(Value, i128)> {
        let (a, b) = (self.value(a)?.widened()?, self.value(b)?);
        (a.range.0 >= 0 && b.range.0 == b.range.1 && b.range.0 > 0).then_some((a, b.range.0))
    }

    /// In `int` if all of it fits there, and else in `long long`, if that does.
    fn arithmetic(
        &mut self,
        parts: &[CExpr],
        join: impl Fn(Vec<CExpr>) -> CExpr,
        both: impl Fn((i128, i128), (i128, i128)) -> Option<(i128, i128)>,
    ) -> Option<Value> {
        let values = parts.iter().map(|part| self.value(part)).collect::<Option<Vec<Value>>>()?;
        // C goes from left to right.
        let mut ranges: Vec<(i128, i128)> = Vec::with_capacity(values.len());
        for value in &values {
            ranges.push(match ranges.last() {
                Some(&so_far) => both(so_far, value.range)?,
                None => value.range,
            });
        }
        let range = *ranges.last()?;
        let fit = |limits| ranges.iter().all(|&range| within(range, limits));
        if fit(INT) && values.iter().all(Value::is_int) {
            let expr = join(values.into_iter().map(|value| value.expr).collect());
            return Some(Value { expr, range, is_signed: true, is_wide: false });
        }
        if !fit(LONG) {
            return None;
        }
        // One wide operand to begin with makes the rest wide; numbers alone would be `int`.
        let widened = values.into_iter().map(Value::widened).collect::<Option<Vec<Value>>>()?;
        computed(join(widened.into_iter().map(|value| value.expr).collect()), range)
    }
}

/// The result of a computation in `long long`.
fn computed(expr: CExpr, range: (i128, i128)) -> Option<Value> {
    within(range, LONG).then_some(Value { expr, range, is_signed: true, is_wide: true })
}

/// As operands of one operator, if C's conversions leave them as they are; else both in `long long`.
fn alike(a: Value, b: Value) -> Option<(Value, Value)> {
    let natural = |value: &Value| value.range.0 >= 0;
    let signed_holds = |signed: &Value, other: &Value| signed.is_wide && !other.is_wide;
    let same = a.is_signed == b.is_signed
        || natural(&a) && natural(&b)
        || a.is_signed && signed_holds(&a, &b)
        || b.is_signed && signed_holds(&b, &a);
    if same { Some((a, b)) } else { Some((a.widened()?, b.widened()?)) }
}

fn within((low, high): (i128, i128), (least, most): (i128, i128)) -> bool {
    least <= low && high <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let variables =
            [("i", INT), ("u", (0, u32::MAX.into())), ("n", (0, u64::MAX.into())), ("c", (0, 255))];
        let name =
            |text: &str, range| Name { range: Some(range), ..Name::of(CExpr::Variable(text.to_string())) };
        let mut names: Names =
            variables.into_iter().map(|(text, range)| (format!("{text}!0"), name(text, range))).collect();
        for text in ["p", "q"] {
            names.insert(format!("{text}!0"), Name { is_pointer: true, ..name(text, (0, u64::MAX.into())) });
        }
        names
    }

    fn variable(name: &str) -> CExpr {
        CExpr::Variable(name.to_string())
    }

    fn compare(a: CExpr, how: Comparison, b: CExpr) -> CExpr {
        CExpr::Compare(how, Box::new(a), Box::new(b))
    }

    fn said(formula: &CExpr) -> Option<String> {
        in_c(formula, &names()).map(|stated| stated.expr.to_string())
    }

    #[test]
    fn numbers_are_computed_where_they_fit() {
        use Comparison::{AtMost, Equal};
        let minus = |name: &str, number: i128| CExpr::Sum(vec![variable(name), CExpr::number(-number)]);
        for (formula, expected) in [
            (compare(minus("c", 2), AtMost, variable("i")), Some("c - 2 <= i")),
            (compare(minus("u", 2), AtMost, CExpr::number(7)), Some("(long long)u - 2 <= 7")),
            (compare(variable("i"), AtMost, variable("u")), Some("(long long)i <= (long long)u")),
            (compare(variable("u"), AtMost, variable("n")), Some("u <= n")),
            (compare(variable("i"), AtMost, variable("n")), None),
            (compare(minus("n", -1), AtMost, CExpr::number(7)), None),
            (compare(variable("p"), Equal, CExpr::Other("NULL".to_string())), Some("p == 0")),
            (compare(variable("p"), AtMost, variable("q")), None),
            (compare(minus("p", 4), Equal, variable("q")), None),
        ] {
            assert_eq!(said(&formula).as_deref(), expected, "{formula}");
        }
    }

    #[test]
    fn what_c_cannot_say_is_left_out_of_conjunctions_alone() {
        let good = compare(variable("i"), Comparison::AtMost, CExpr::number(3));
        let bad = compare(variable("i"), Comparison::AtMost, CExpr::Other("main::n".to_string()));
        let both = CExpr::And(vec![good.clone(), bad.clone()]);
        assert_eq!(said(&both).as_deref(), Some("i <= 3"));
        assert_eq!(said(&CExpr::Or(vec![good.clone(), bad.clone()])), None);
        assert_eq!(said(&CExpr::Not(Box::new(both))), None);
        let named =
            CExpr::Where(Box::new(CExpr::Other("F1".to_string())), vec![("F1".to_string(), good.clone())]);
        assert_eq!(said(&named).as_deref(), Some("i <= 3"));
        let is_null = compare(variable("p"), Comparison::Equal, CExpr::Other("NULL".to_string()));
        assert_eq!(said(&CExpr::Not(Box::new(is_null.clone()))), None);
        let either = CExpr::Conditional(Box::new([is_null.clone(), good.clone(), CExpr::truth(true)]));
        assert_eq!(said(&CExpr::And(vec![good.clone(), either])).as_deref(), Some("i <= 3"));
        assert_eq!(said(&CExpr::Or(vec![is_null, good])).as_deref(), Some("p == 0 || i <= 3"));
    }
}
