//! The operators of SMT-LIB's theory of floating point.

use super::Script;
use super::sorts::{MOST_BITS, ROUNDINGS, Scalar, Value, Word, format};
use crate::float::{self, Format, Rounding};
use crate::{Bit, Circuit, words};
use craig_num::Rat;
use std::rc::Rc;

/// Exponents for which `fp.rem` is a circuit of acceptable size.
const MOST_REMAINDER_EXPONENT: usize = 11;
/// Exponents whose numbers can be written down.
const MOST_REAL_EXPONENT: usize = 20;

impl Script {
    pub(super) fn float_operator(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let c = &mut self.circuit;
        match (name, args) {
            ("fp", [Value::Word(sign), Value::Word(exponent), Value::Word(fraction)]) if sign.len() == 1 => {
                let f = format(exponent.len(), fraction.len() + 1)?;
                return Some(from_bits(c, f, &[&fraction[..], exponent, sign].concat()));
            }
            ("fp.to_real", [Value::Float(f, a)]) if f.exponent <= MOST_REAL_EXPONENT => {
                return Some(Value::Real(Rc::new(float::to_rational(*f, a)?)));
            }
            // Not of the standard, but other solvers have it.
            ("fp.to_ieee_bv", [Value::Float(f, a)]) => {
                let (is_nan, ..) = float::classes(c, *f, a);
                let otherwise = self.unspecified(name, Scalar::Word(f.width()), Scalar::Float(*f), &[]);
                return Some(Value::Word(words::mux(&mut self.circuit, is_nan, &otherwise, a).into()));
            }
            _ => {}
        }
        let (rounding, rest) = match args {
            [Value::Rounding(mode), rest @ ..] => (Some(decode(c, mode)), rest),
            _ => (None, args),
        };
        let Some(Value::Float(f, _)) = rest.first() else { return None };
        let f = *f;
        let operands: Option<Vec<Word>> = rest
            .iter()
            .map(|arg| match arg {
                Value::Float(other, word) if *other == f => Some(word.clone()),
                _ => None,
            })
            .collect();
        let operands = operands?;
        if let Some(mode) = rounding {
            return rounded(c, name, f, mode, &operands).map(|word| Value::Float(f, word.into()));
        }
        if let (true, [a, b]) = (matches!(name, "fp.min" | "fp.max"), &operands[..]) {
            return Some(Value::Float(f, self.extreme(name, f, a, b)));
        }
        if let Some(word) = exact(c, name, f, &operands) {
            return Some(Value::Float(f, word.into()));
        }
        if let [a] = &operands[..] {
            return class(c, name, f, a).map(Value::Bool);
        }
        let mut all = Bit::TRUE;
        for pair in operands.windows(2) {
            let holds = compare(c, name, f, &pair[0], &pair[1])?;
            all = c.and(all, holds);
        }
        Some(Value::Bool(all))
    }

    pub(super) fn float_indexed(&mut self, name: &str, indices: &[usize], args: &[Value]) -> Option<Value> {
        let c = &mut self.circuit;
        match (name, indices, args) {
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", &[exponent, significand], []) => {
                let f = format(exponent, significand)?;
                let word = match name {
                    "NaN" => float::nan(c, f),
                    "+oo" | "-oo" => float::signed_infinity(f, Bit::constant(name == "-oo")),
                    _ => float::signed_zero(f, Bit::constant(name == "-zero")),
                };
                Some(Value::Float(f, word.into()))
            }
            ("to_fp", &[exponent, significand], [Value::Word(word)]) => {
                let f = format(exponent, significand)?;
                (word.len() == f.width()).then(|| from_bits(c, f, word))
            }
            ("to_fp" | "to_fp_unsigned", &[exponent, significand], [Value::Rounding(mode), value]) => {
                let f = format(exponent, significand)?;
                let mode = decode(c, mode);
                let word = match value {
                    Value::Word(word) => float::from_integer(c, f, mode, word, name == "to_fp"),
                    Value::Float(from, word) if name == "to_fp" => float::convert(c, *from, f, mode, word),
                    Value::Real(value) if name == "to_fp" => float::from_rational(c, f, mode, value),
                    _ => return None,
                };
                Some(Value::Float(f, word.into()))
            }
            (
                "fp.to_ubv" | "fp.to_sbv",
                &[width @ 1..=MOST_BITS],
                [Value::Rounding(mode), Value::Float(f, a)],
            ) => {
                let rounding = decode(c, mode);
                let (word, fits) = float::to_integer(c, *f, rounding, a, width, name == "fp.to_sbv");
                if fits == Bit::TRUE {
                    return Some(Value::Word(word.into()));
                }
                let args = [&mode[..], a].concat();
                let otherwise = self.unspecified(name, Scalar::Word(width), Scalar::Float(*f), &args);
                Some(Value::Word(words::mux(&mut self.circuit, fits, &word, &otherwise).into()))
            }
            _ => None,
        }
    }

    /// What the standard leaves open is a function of the arguments: one for each operator and its sorts.
    fn unspecified(&mut self, name: &str, result: Scalar, of: Scalar, args: &[Bit]) -> Word {
        let functions = &mut self.functions;
        let id = *self.unspecified.entry((name.to_string(), result, of)).or_insert_with(|| {
            *functions += 1;
            *functions - 1
        });
        self.arrays.call(&mut self.circuit, id, args, result)
    }

    /// The least or the greatest of two; of zeros with different signs, either.
    fn extreme(&mut self, name: &str, f: Format, a: &Word, b: &Word) -> Word {
        let c = &mut self.circuit;
        let ((nan_a, _, zero_a), (nan_b, _, zero_b)) = (float::classes(c, f, a), float::classes(c, f, b));
        let first = match name {
            "fp.min" => float::less(c, f, a, b),
            _ => float::less(c, f, b, a),
        };
        let zeros = c.and(zero_a, zero_b);
        let sign = a[f.width() - 1];
        let differ = c.xor(sign, b[f.width() - 1]);
        let open = c.and(zeros, differ);
        let first = match open {
            Bit::FALSE => first,
            _ => {
                let either = self.unspecified(name, Scalar::Bool, Scalar::Float(f), &[sign])[0];
                self.circuit.mux(open, either, first)
            }
        };
        let c = &mut self.circuit;
        let first = c.or(first, nan_b);
        let first = c.and(first, !nan_a);
        words::mux(c, first, a, b).into()
    }
}

/// Real numbers: constants only.
pub(super) fn real_operator(name: &str, args: &[Value]) -> Option<Value> {
    let all: Option<Vec<&Rat>> =
        args.iter().map(|arg| if let Value::Real(value) = arg { Some(&**value) } else { None }).collect();
    let all = all?;
    let (&first, rest) = all.split_first()?;
    let holds = |test: fn(&Rat, &Rat) -> bool| {
        let all = all.windows(2).all(|pair| test(pair[0], pair[1]));
        Some(Value::Bool(Bit::constant(all)))
    };
    let value = match name {
        "<" => return holds(|a, b| a < b),
        "<=" => return holds(|a, b| a <= b),
        ">" => return holds(|a, b| a > b),
        ">=" => return holds(|a, b| a >= b),
        "-" if rest.is_empty() => -first,
        "+" => rest.iter().fold(first.clone(), |sum, &value| &sum + value),
        "-" => rest.iter().fold(first.clone(), |sum, &value| &sum - value),
        "*" => rest.iter().fold(first.clone(), |sum, &value| &sum * value),
        // Division by zero is not specified.
        "/" if rest.iter().all(|value| !value.is_zero()) => {
            rest.iter().fold(first.clone(), |sum, value| &sum * &value.recip())
        }
        _ => return None,
    };
    Some(Value::Real(Rc::new(value)))
}

fn decode(c: &mut Circuit, mode: &[Bit]) -> Rounding {
    let &[low, middle, high] = mode else { return Rounding::NEAREST };
    let some = c.or(low, middle);
    let other = c.or(some, high);
    Rounding { even: !other, away: c.and(low, !middle), up: c.and(middle, !low), down: c.and(low, middle) }
}

/// The way of rounding of this name.
pub(super) fn rounding_named(name: &str) -> Option<Value> {
    let at = ROUNDINGS.iter().position(|&(long, short)| name == long || name == short)?;
    Some(Value::Rounding(words::constant(3, at as u128).into()))
}

/// All patterns of NaNs become one.
fn from_bits(c: &mut Circuit, f: Format, word: &[Bit]) -> Value {
    let (is_nan, ..) = float::classes(c, f, word);
    let nan = float::nan(c, f);
    Value::Float(f, words::mux(c, is_nan, &nan, word).into())
}

fn rounded(c: &mut Circuit, name: &str, f: Format, mode: Rounding, operands: &[Word]) -> Option<Vec<Bit>> {
    Some(match (name, operands) {
        ("fp.add", [a, b]) => float::add(c, f, mode, a, b),
        ("fp.sub", [a, b]) => {
            let negated = negate(c, f, b);
            float::add(c, f, mode, a, &negated)
        }
        ("fp.mul", [a, b]) => float::multiply(c, f, mode, a, b),
        ("fp.div", [a, b]) => float::divide(c, f, mode, a, b),
        ("fp.fma", [a, b, d]) => float::fused(c, f, mode, a, b, d),
        ("fp.sqrt", [a]) => float::square_root(c, f, mode, a),
        ("fp.roundToIntegral", [a]) => float::round_to_integral(c, f, mode, a),
        _ => return None,
    })
}

/// NaN has no sign.
fn negate(c: &mut Circuit, f: Format, a: &[Bit]) -> Vec<Bit> {
    let (is_nan, ..) = float::classes(c, f, a);
    let mut word = a.to_vec();
    word[f.width() - 1] = c.xor(a[f.width() - 1], !is_nan);
    word
}

fn exact(c: &mut Circuit, name: &str, f: Format, operands: &[Word]) -> Option<Vec<Bit>> {
    let constant = || operands.iter().all(|word| word.iter().all(|bit| bit.as_constant().is_some()));
    match (name, operands) {
        ("fp.neg", [a]) => Some(negate(c, f, a)),
        ("fp.abs", [a]) => {
            let mut word = a.to_vec();
            word[f.width() - 1] = Bit::FALSE;
            Some(word)
        }
        ("fp.rem", [a, b]) if f.exponent <= MOST_REMAINDER_EXPONENT || f.exponent <= 15 && constant() => {
            Some(float::remainder(c, f, a, b))
        }
        _ => None,
    }
}

fn class(c: &mut Circuit, name: &str, f: Format, a: &[Bit]) -> Option<Bit> {
    let (is_nan, is_infinite, is_zero) = float::classes(c, f, a);
    let negative = a[f.width() - 1];
    let exponent = &a[f.fraction..f.fraction + f.exponent];
    Some(match name {
        "fp.isNaN" => is_nan,
        "fp.isInfinite" => is_infinite,
        "fp.isZero" => is_zero,
        "fp.isNegative" => c.and(negative, !is_nan),
        "fp.isPositive" => c.and(!negative, !is_nan),
        "fp.isNormal" => {
            let (some, all) = (words::any(c, exponent), words::all(c, exponent));
            c.and(some, !all)
        }
        "fp.isSubnormal" => {
            let some = words::any(c, exponent);
            c.and(!some, !is_zero)
        }
        _ => return None,
    })
}

fn compare(c: &mut Circuit, name: &str, f: Format, a: &[Bit], b: &[Bit]) -> Option<Bit> {
    Some(match name {
        "fp.eq" => float::equal(c, f, a, b),
        "fp.lt" => float::less(c, f, a, b),
        "fp.gt" => float::less(c, f, b, a),
        "fp.leq" => {
            let (less, equal) = (float::less(c, f, a, b), float::equal(c, f, a, b));
            c.or(less, equal)
        }
        "fp.geq" => {
            let (less, equal) = (float::less(c, f, b, a), float::equal(c, f, a, b));
            c.or(less, equal)
        }
        _ => return None,
    })
}
