//! The sorts of scripts, and the values of terms.

use super::Script;
use super::arrays::ArrayId;
use crate::float::{self, Format};
use crate::{Bit, Circuit, words};
use craig_num::Rat;
use craig_term::smtlib::{Result, Sexpr};
use std::fmt;
use std::rc::Rc;

/// The widest word.
pub(super) const MOST_BITS: usize = 1 << 20;
/// Arrays of arrays are not nested more deeply.
const MOST_INDICES: usize = 8;
/// The width of words for the elements of a declared sort. Most of their bits are constants (`Arrays::any`).
const ELEMENT_BITS: usize = 32;
/// The names of the ways of rounding, long and short; a number in this list represents each.
pub(super) const ROUNDINGS: [(&str, &str); 5] = [
    ("roundNearestTiesToEven", "RNE"),
    ("roundNearestTiesToAway", "RNA"),
    ("roundTowardPositive", "RTP"),
    ("roundTowardNegative", "RTN"),
    ("roundTowardZero", "RTZ"),
];

/// The lowest bit first.
pub(super) type Word = Rc<[Bit]>;

/// A sort whose values are words of the circuit: equal words for equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scalar {
    Bool,
    Word(usize),
    Float(Format),
    Rounding,
    /// Without a meaning but equality: the number of its declaration.
    Declared(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Scalar(Scalar),
    /// Of arrays of arrays all indices, the outermost first.
    Array(Rc<[Scalar]>, Scalar),
    /// Of constants only.
    Real,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Bool(Bit),
    Word(Word),
    Float(Format, Word),
    Rounding(Word),
    /// An element of a declared sort.
    Element(usize, Word),
    Array(ArrayId),
    Real(Rc<Rat>),
}

impl Value {
    /// What represents a value that is no array.
    pub fn scalar(&self) -> Option<(Scalar, Word)> {
        match self {
            Value::Bool(bit) => Some((Scalar::Bool, [*bit].into())),
            Value::Word(word) => Some((Scalar::Word(word.len()), word.clone())),
            Value::Float(format, word) => Some((Scalar::Float(*format), word.clone())),
            Value::Rounding(word) => Some((Scalar::Rounding, word.clone())),
            Value::Element(sort, word) => Some((Scalar::Declared(*sort), word.clone())),
            Value::Array(_) | Value::Real(_) => None,
        }
    }
}

impl Scalar {
    pub fn width(self) -> usize {
        match self {
            Scalar::Bool => 1,
            Scalar::Word(width) => width,
            Scalar::Float(format) => format.width(),
            Scalar::Rounding => 3,
            Scalar::Declared(_) => ELEMENT_BITS,
        }
    }

    pub fn value(self, word: Word) -> Value {
        match self {
            Scalar::Bool => Value::Bool(word[0]),
            Scalar::Word(_) => Value::Word(word),
            Scalar::Float(format) => Value::Float(format, word),
            Scalar::Rounding => Value::Rounding(word),
            Scalar::Declared(sort) => Value::Element(sort, word),
        }
    }

    /// Whether a word stands for a value: there is one NaN, and five ways of rounding.
    pub fn represents(self, circuit: &mut Circuit, word: &[Bit]) -> Bit {
        match self {
            Scalar::Bool | Scalar::Word(_) | Scalar::Declared(_) => Bit::TRUE,
            Scalar::Float(format) => {
                let (is_nan, ..) = float::classes(circuit, format, word);
                let nan = float::nan(circuit, format);
                let same = words::equal(circuit, word, &nan);
                circuit.implies(is_nan, same)
            }
            Scalar::Rounding => {
                let more = circuit.or(word[0], word[1]);
                !circuit.and(word[2], more)
            }
        }
    }

    /// How many values there are, at least.
    pub fn count(self) -> u64 {
        match self {
            Scalar::Rounding => ROUNDINGS.len() as u64,
            // Infinities, zeros, and at least as many numbers as exponents.
            Scalar::Float(format) => 1 << format.exponent.max(format.fraction).min(60),
            Scalar::Bool | Scalar::Word(_) | Scalar::Declared(_) => 1 << self.width().min(60),
        }
    }

    /// An element of a declared sort is shown by its number.
    pub fn show(self, word: &[bool]) -> String {
        let number = |bits: &[bool]| bits.iter().rev().fold(0, |sum, &bit| 2 * sum + usize::from(bit));
        let digits =
            |bits: &[bool]| -> String { bits.iter().rev().map(|&bit| if bit { '1' } else { '0' }).collect() };
        match self {
            Scalar::Bool => word[0].to_string(),
            Scalar::Word(_) => format!("#b{}", digits(word)),
            Scalar::Declared(_) => format!("@{}", number(word)),
            Scalar::Rounding => ROUNDINGS.get(number(word)).map_or("RNE", |(_, short)| short).to_string(),
            Scalar::Float(f) => {
                let (fraction, rest) = word.split_at(f.fraction);
                let (exponent, sign) = rest.split_at(f.exponent);
                let special = exponent.iter().all(|&bit| bit);
                if special && fraction.contains(&true) {
                    return format!("(_ NaN {} {})", f.exponent, f.fraction + 1);
                }
                format!("(fp #b{} #b{} #b{})", digits(sign), digits(exponent), digits(fraction))
            }
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => f.write_str("Bool"),
            Scalar::Word(width) => write!(f, "(_ BitVec {width})"),
            Scalar::Float(format) => {
                write!(f, "(_ FloatingPoint {} {})", format.exponent, format.fraction + 1)
            }
            Scalar::Rounding => f.write_str("RoundingMode"),
            // `Arrays::name` knows how it was declared.
            Scalar::Declared(sort) => write!(f, "@sort{sort}"),
        }
    }
}

/// A format of SMT-LIB, which counts the hidden bit.
pub(super) fn format(exponent: usize, significand: usize) -> Option<Format> {
    let fits = (2..=60).contains(&exponent) && (2..=1 << 16).contains(&significand);
    fits.then(|| Format { exponent, fraction: significand - 1, one_nan: true })
}

impl Script {
    pub(super) fn sort(&self, sexpr: Sexpr<'_>) -> Result<Sort> {
        let parts: Vec<Sexpr<'_>> = sexpr.children().collect();
        let texts: Vec<&str> = parts.iter().map(|part| part.text()).collect();
        let float = |exponent: Option<usize>, significand: Option<usize>| {
            exponent
                .zip(significand)
                .and_then(|(exponent, significand)| format(exponent, significand))
                .map(|format| Sort::Scalar(Scalar::Float(format)))
                .ok_or_else(|| sexpr.error("a format has at least two bits of each kind, and not too many"))
        };
        match texts[..] {
            [] => match (sexpr.text(), self.names.get(sexpr.text())) {
                (_, Some(super::Meaning::Sort(sort))) => Ok(sort.clone()),
                ("Bool", _) => Ok(Sort::Scalar(Scalar::Bool)),
                ("RoundingMode", _) => Ok(Sort::Scalar(Scalar::Rounding)),
                ("Real", _) => Ok(Sort::Real),
                ("Float16", _) => float(Some(5), Some(11)),
                ("Float32", _) => float(Some(8), Some(24)),
                ("Float64", _) => float(Some(11), Some(53)),
                ("Float128", _) => float(Some(15), Some(113)),
                (name, _) => Err(sexpr.error(format!("the sort `{name}` is not known"))),
            },
            ["_", "BitVec", width] => match width.parse() {
                Ok(width @ 1..=MOST_BITS) => Ok(Sort::Scalar(Scalar::Word(width))),
                _ => Err(sexpr.error("a word has at least one bit, and not too many")),
            },
            ["_", "FloatingPoint", exponent, significand] => {
                float(exponent.parse().ok(), significand.parse().ok())
            }
            ["Array", _, _] => self.array_sort(sexpr),
            _ => Err(sexpr.error("this sort is not known")),
        }
    }

    /// Of arrays of arrays too, however many; indices are no arrays.
    fn array_sort(&self, sexpr: Sexpr<'_>) -> Result<Sort> {
        let mut indices = Vec::new();
        let mut element = sexpr;
        loop {
            let parts: Vec<Sexpr<'_>> = element.children().collect();
            let [head, index, below] = parts[..] else { break };
            if head.text() != "Array" {
                break;
            }
            let is_array = index.children().next().is_some_and(|head| head.text() == "Array");
            match if is_array { Sort::Real } else { self.sort(index)? } {
                Sort::Scalar(index) => indices.push(index),
                _ => return Err(index.error("arrays and real numbers are no indices here")),
            }
            element = below;
        }
        let element_sort = self.sort(element)?;
        if let Sort::Array(more, _) = &element_sort {
            indices.extend(more.iter());
        }
        if indices.len() > MOST_INDICES {
            return Err(sexpr.error("arrays are nested too deeply"));
        }
        match element_sort {
            Sort::Scalar(element) | Sort::Array(_, element) => Ok(Sort::Array(indices.into(), element)),
            Sort::Real => Err(element.error("arrays of real numbers are not known here")),
        }
    }
}
