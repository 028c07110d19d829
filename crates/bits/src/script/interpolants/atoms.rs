//! Small formulas over words, and whether they hold in a case.

use std::fmt::Write;

/// A word or truth value that both sides know.
pub(super) struct Term {
    pub text: String,
    /// None of a truth value.
    pub width: Option<usize>,
    /// Only these are compared with each other.
    pub is_plain: bool,
}

/// The values of terms in a case.
pub(super) type Case = Vec<u128>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Less { signed: bool },
    AtMost { signed: bool },
}

pub(super) const RELATIONS: [Relation; 5] = [
    Relation::Equal,
    Relation::Less { signed: false },
    Relation::AtMost { signed: false },
    Relation::Less { signed: true },
    Relation::AtMost { signed: true },
];

/// What is said of the terms with these numbers.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Claim {
    Is(usize, u128),
    Below {
        term: usize,
        limit: u128,
        signed: bool,
    },
    /// These bits, from the low one to the high one.
    Bits {
        term: usize,
        high: usize,
        low: usize,
        value: u128,
    },
    Related(Relation, usize, usize),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Atom {
    pub claim: Claim,
    pub negated: bool,
}

pub(super) fn mask(width: usize) -> u128 {
    u128::MAX >> (128 - width)
}

/// So that the order of signed numbers is the order of these.
pub(super) fn rank(value: u128, width: usize, signed: bool) -> u128 {
    if signed { value ^ (1 << (width - 1)) } else { value }
}

fn literal(value: u128, width: usize) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width / 4)
    } else if width <= 8 {
        format!("#b{value:0width$b}")
    } else {
        format!("(_ bv{value} {width})")
    }
}

impl Atom {
    pub fn holds(&self, terms: &[Term], case: &Case) -> bool {
        let width = |term: usize| terms[term].width.unwrap_or(1);
        let holds = match self.claim {
            Claim::Is(term, value) => case[term] == value,
            Claim::Below { term, limit, signed } => {
                rank(case[term], width(term), signed) < rank(limit, width(term), signed)
            }
            Claim::Bits { term, high, low, value } => case[term] >> low & mask(high - low + 1) == value,
            Claim::Related(relation, a, b) => {
                let rank = |term: usize, signed| rank(case[term], width(term), signed);
                match relation {
                    Relation::Equal => case[a] == case[b],
                    Relation::Less { signed } => rank(a, signed) < rank(b, signed),
                    Relation::AtMost { signed } => rank(a, signed) <= rank(b, signed),
                }
            }
        };
        holds != self.negated
    }

    pub fn text(&self, terms: &[Term]) -> String {
        let of = |term: usize| terms[term].text.as_str();
        let mut text = String::new();
        let ordered = |less: &str, signed: bool| format!("bv{}{less}", if signed { 's' } else { 'u' });
        let _ = match self.claim {
            // A truth value.
            Claim::Is(term, value) if terms[term].width.is_none() => {
                return if (value == 1) == self.negated {
                    format!("(not {})", of(term))
                } else {
                    of(term).to_string()
                };
            }
            Claim::Is(term, value) => {
                let word = literal(value, terms[term].width.unwrap_or(1));
                write!(text, "({} {} {word})", self.equality(), of(term))
            }
            Claim::Below { term, limit, signed } => {
                let word = literal(limit, terms[term].width.unwrap_or(1));
                write!(
                    text,
                    "({} {} {word})",
                    ordered(if self.negated { "ge" } else { "lt" }, signed),
                    of(term)
                )
            }
            Claim::Bits { term, high, low, value } => {
                let word = literal(value, high - low + 1);
                write!(text, "({} ((_ extract {high} {low}) {}) {word})", self.equality(), of(term))
            }
            Claim::Related(Relation::Equal, a, b) => {
                write!(text, "({} {} {})", self.equality(), of(a), of(b))
            }
            Claim::Related(Relation::Less { signed }, a, b) => {
                write!(
                    text,
                    "({} {} {})",
                    ordered(if self.negated { "ge" } else { "lt" }, signed),
                    of(a),
                    of(b)
                )
            }
            Claim::Related(Relation::AtMost { signed }, a, b) => {
                write!(
                    text,
                    "({} {} {})",
                    ordered(if self.negated { "gt" } else { "le" }, signed),
                    of(a),
                    of(b)
                )
            }
        };
        text
    }

    fn equality(&self) -> &'static str {
        if self.negated { "distinct" } else { "=" }
    }
}
