//! C expressions as reports show them.

use craig_num::Rat;
use std::fmt;

/// An expression of C, or nearly so: proofs may speak of memory as a whole, of values at the entry of a function, and
/// of parts by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CExpr {
    /// A constant; 0 and 1 are the truth values, too.
    Number(Rat),
    /// Something that the C program has a name for, where the expression stands.
    Variable(String),
    /// Something that it has none for, such as `\result`, a region of memory or a temporary.
    Other(String),
    /// `!a`
    Not(Box<CExpr>),
    /// `-a`
    Negative(Box<CExpr>),
    /// `~a`
    Unary(&'static str, Box<CExpr>),
    /// `a & b` and other operations on bits.
    Binary(&'static str, Box<CExpr>, Box<CExpr>),
    /// `(char)a`
    Cast(&'static str, Box<CExpr>),
    /// `a && b && ...`
    And(Vec<CExpr>),
    /// `a || b || ...`
    Or(Vec<CExpr>),
    /// `a <= b` and its kind.
    Compare(Comparison, Box<CExpr>, Box<CExpr>),
    /// `a + b - c ...`
    Sum(Vec<CExpr>),
    /// `a * b * ...`
    Product(Vec<CExpr>),
    /// `a / b`, rounded as SMT-LIB does.
    Quotient(Box<CExpr>, Box<CExpr>),
    /// `a % b`, never negative.
    Remainder(Box<CExpr>, Box<CExpr>),
    /// `a ? b : c`
    Conditional(Box<[CExpr; 3]>),
    /// `a[b]`, where `a` is a region of memory and `b` an address.
    Element(Box<CExpr>, Box<CExpr>),
    /// `f(a, b, ...)`, of a function of logic.
    Apply(String, Vec<CExpr>),
    /// `a ==> b`, as ACSL writes it.
    Implies(Box<CExpr>, Box<CExpr>),
    /// `\forall integer k, l; a`, or `\exists`, as ACSL writes it.
    Quantified(&'static str, Vec<String>, Box<CExpr>),
    /// An expression in which names stand for others, each of which may use those before it.
    Where(Box<CExpr>, Vec<(String, CExpr)>),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// What holds where this does not.
    pub fn negated(self) -> Self {
        match self {
            Comparison::Equal => Comparison::Unequal,
            Comparison::Unequal => Comparison::Equal,
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater => Comparison::AtMost,
            Comparison::AtLeast => Comparison::Less,
        }
    }

    /// The same with the sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
            same => same,
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::Unequal => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }
}

impl CExpr {
    /// A truth value.
    pub fn truth(value: bool) -> CExpr {
        CExpr::number(i128::from(value))
    }

    pub(crate) fn number(value: i128) -> CExpr {
        CExpr::Number(Rat::from(craig_num::Int::from(value)))
    }

    /// The truth value, if the expression is one.
    pub fn as_truth(&self) -> Option<bool> {
        match self {
            CExpr::Number(n) if n.is_zero() => Some(false),
            CExpr::Number(n) if n.is_one() => Some(true),
            _ => None,
        }
    }

    /// Of an expression with a minus in front: without it.
    pub fn without_minus(&self) -> Option<CExpr> {
        match self {
            CExpr::Negative(inner) => Some((**inner).clone()),
            CExpr::Number(n) if n.is_negative() => Some(CExpr::Number(-n.clone())),
            CExpr::Product(factors) => {
                let (first, rest) = factors.split_first()?;
                let mut factors = vec![first.without_minus()?];
                factors.extend_from_slice(rest);
                Some(CExpr::Product(factors))
            }
            _ => None,
        }
    }

    /// Whether it is about variables alone, in the operators of C. What C means by it is another question (`in_c`).
    pub fn is_c(&self) -> bool {
        match self {
            CExpr::Number(n) => n.is_integer(),
            CExpr::Variable(_) => true,
            CExpr::Not(a) | CExpr::Negative(a) | CExpr::Unary(_, a) | CExpr::Cast(_, a) => a.is_c(),
            CExpr::And(parts) | CExpr::Or(parts) | CExpr::Sum(parts) | CExpr::Product(parts) => {
                parts.iter().all(CExpr::is_c)
            }
            CExpr::Compare(_, a, b) | CExpr::Binary(_, a, b) => a.is_c() && b.is_c(),
            CExpr::Conditional(parts) => parts.iter().all(CExpr::is_c),
            CExpr::Other(_)
            | CExpr::Quotient(..)
            | CExpr::Remainder(..)
            | CExpr::Element(..)
            | CExpr::Apply(..)
            | CExpr::Implies(..)
            | CExpr::Quantified(..)
            | CExpr::Where(..) => false,
        }
    }

    fn strength(&self) -> Strength {
        match self {
            CExpr::Conditional(_) => Strength::Conditional,
            CExpr::Or(_) => Strength::Or,
            CExpr::And(_) => Strength::And,
            CExpr::Compare(..) => Strength::Comparison,
            CExpr::Sum(_) => Strength::Sum,
            CExpr::Product(_) | CExpr::Quotient(..) | CExpr::Remainder(..) => Strength::Product,
            CExpr::Not(_) | CExpr::Negative(_) | CExpr::Unary(..) | CExpr::Cast(..) => Strength::Unary,
            CExpr::Binary(..) => Strength::Bits,
            CExpr::Number(n) if n.is_negative() => Strength::Unary,
            CExpr::Number(_)
            | CExpr::Variable(_)
            | CExpr::Other(_)
            | CExpr::Element(..)
            | CExpr::Apply(..) => Strength::Primary,
            CExpr::Where(..) | CExpr::Quantified(..) | CExpr::Implies(..) => Strength::Conditional,
        }
    }
}

/// How tightly an expression binds; a weaker one inside a stronger one gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Conditional,
    Or,
    And,
    Comparison,
    Bits,
    Sum,
    Product,
    Unary,
    Primary,
}

/// An operand, in parentheses if it binds more weakly than this.
struct Operand<'a>(&'a CExpr, Strength);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand(expr, at_least) = *self;
        if expr.strength() < at_least { write!(f, "({expr})") } else { expr.fmt(f) }
    }
}

impl fmt::Display for CExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CExpr::Number(n) => n.fmt(f),
            CExpr::Variable(name) | CExpr::Other(name) => f.write_str(name),
            CExpr::Not(a) => write!(f, "!{}", Operand(a, Strength::Unary)),
            CExpr::Negative(a) => write!(f, "-{}", Operand(a, Strength::Unary)),
            CExpr::Unary(symbol, a) => write!(f, "{symbol}{}", Operand(a, Strength::Unary)),
            CExpr::Cast(ty, a) => write!(f, "({ty}){}", Operand(a, Strength::Unary)),
            // Who remembers how these bind?
            CExpr::Binary(symbol, a, b) => {
                write!(f, "{} {symbol} {}", Operand(a, Strength::Unary), Operand(b, Strength::Unary))
            }
            CExpr::And(parts) => junction(f, parts, " && ", Strength::And),
            CExpr::Or(parts) => junction(f, parts, " || ", Strength::Or),
            CExpr::Compare(how, a, b) => {
                write!(f, "{} {} {}", Operand(a, Strength::Sum), how.symbol(), Operand(b, Strength::Sum))
            }
            CExpr::Sum(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    match part.without_minus() {
                        Some(rest) if i > 0 => write!(f, " - {}", Operand(&rest, Strength::Product))?,
                        _ if i > 0 => write!(f, " + {}", Operand(part, Strength::Product))?,
                        _ => Operand(part, Strength::Product).fmt(f)?,
                    }
                }
                Ok(())
            }
            CExpr::Product(parts) => joined(f, parts, " * ", |_| Strength::Unary),
            CExpr::Quotient(a, b) => {
                write!(f, "{} / {}", Operand(a, Strength::Unary), Operand(b, Strength::Unary))
            }
            CExpr::Remainder(a, b) => {
                write!(f, "{} % {}", Operand(a, Strength::Unary), Operand(b, Strength::Unary))
            }
            CExpr::Conditional(parts) => {
                let [c, a, b] = parts.each_ref().map(|part| Operand(part, Strength::Or));
                write!(f, "{c} ? {a} : {b}")
            }
            CExpr::Element(a, b) => write!(f, "{}[{b}]", Operand(a, Strength::Primary)),
            CExpr::Apply(function, arguments) => {
                write!(f, "{function}(")?;
                joined(f, arguments, ", ", |_| Strength::Conditional)?;
                f.write_str(")")
            }
            CExpr::Implies(condition, claim) => write!(f, "{} ==> {claim}", condition.readable()),
            CExpr::Quantified(quantifier, bound, body) => {
                write!(f, "{quantifier} integer {}; {body}", bound.join(", "))
            }
            CExpr::Where(expr, definitions) => {
                expr.fmt(f)?;
                for (i, (name, part)) in definitions.iter().enumerate() {
                    write!(
                        f,
                        "{}{name} = {}",
                        if i == 0 { " where " } else { ", " },
                        Operand(part, Strength::Primary)
                    )?;
                }
                Ok(())
            }
        }
    }
}

/// C's precedence of `&&` over `||` is right, but compilers warn about it for good reason.
fn junction(f: &mut fmt::Formatter<'_>, parts: &[CExpr], with: &str, strength: Strength) -> fmt::Result {
    let same = |part: &CExpr| part.strength() == strength;
    joined(f, parts, with, |part| if same(part) { strength } else { Strength::Comparison })
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    parts: &[CExpr],
    with: &str,
    at_least: impl Fn(&CExpr) -> Strength,
) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(with)?;
        }
        write!(f, "{}", Operand(part, at_least(part)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> CExpr {
        CExpr::Variable(name.to_string())
    }

    fn at_most(a: CExpr, b: CExpr) -> CExpr {
        CExpr::Compare(Comparison::AtMost, Box::new(a), Box::new(b))
    }

    #[test]
    fn parentheses_stand_where_c_or_a_reader_needs_them() {
        let [x, y] = ["x", "y"].map(variable);
        let sum = CExpr::Sum(vec![x.clone(), CExpr::Product(vec![CExpr::number(-2), y.clone()])]);
        assert_eq!(sum.to_string(), "x - 2 * y");
        assert_eq!(CExpr::Product(vec![CExpr::number(3), sum.clone()]).to_string(), "3 * (x - 2 * y)");
        let small = at_most(sum, CExpr::number(-1));
        let both = CExpr::And(vec![small.clone(), at_most(x.clone(), y.clone())]);
        assert_eq!(both.to_string(), "x - 2 * y <= -1 && x <= y");
        assert_eq!(CExpr::Or(vec![both.clone(), x.clone()]).to_string(), "(x - 2 * y <= -1 && x <= y) || x");
        assert_eq!(CExpr::Not(Box::new(both)).to_string(), "!(x - 2 * y <= -1 && x <= y)");
        let choice = CExpr::Conditional(Box::new([small, x, y]));
        assert_eq!(CExpr::Negative(Box::new(choice)).to_string(), "-(x - 2 * y <= -1 ? x : y)");
    }

    #[test]
    fn what_c_cannot_say_is_told_apart() {
        let x = variable("x");
        assert!(at_most(x.clone(), CExpr::number(3)).is_c());
        for other in [
            CExpr::Other("\\result".to_string()),
            CExpr::Where(Box::new(x.clone()), Vec::new()),
            CExpr::Element(Box::new(CExpr::Other("m".to_string())), Box::new(x.clone())),
            CExpr::Remainder(Box::new(x.clone()), Box::new(CExpr::number(2))),
        ] {
            assert!(!CExpr::And(vec![at_most(x.clone(), other)]).is_c());
        }
    }
}
