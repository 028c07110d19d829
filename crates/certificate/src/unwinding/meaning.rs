//! The meaning of operations, from the documentation of [`craig_program::Expr`].

use super::Failure;
use super::copies::Relation;
use super::float::{self, F32, F64, F80, Format};
use super::gates::{FALSE, Gates, Lit, TRUE, Word, as_number, number, widened};
use craig_program::{Arithmetic, BinaryOp, FloatType, IntType, Program, Type, UnaryOp};

/// The integers that represent values of a type.
pub(super) fn integer(program: &Program, ty: Type) -> Result<IntType, Failure> {
    match ty {
        Type::Bool => Ok(IntType::BOOL),
        Type::Int(int) => Ok(int),
        Type::Pointer => Ok(IntType::unsigned(program.data_model.pointer_bits())),
        Type::Float(_) => Err(Failure::Unsupported("floating point")),
    }
}

pub(super) fn bits(program: &Program, ty: Type) -> usize {
    integer(program, ty).map_or(8 * program.size_of(ty) as usize, |int| usize::from(int.bits))
}

/// The result and the condition under which the path goes on.
type Outcome = Result<(Word, Lit), Failure>;

pub(super) fn unary(program: &Program, g: &mut Gates, op: UnaryOp, ty: Type, a: &[Lit]) -> Outcome {
    if ty.is_float() {
        return Ok((float::negated(a), TRUE));
    }
    if let Some(outcome) = g.by_cases([a, &[]], |g, a, _| unary(program, g, op, ty, a))? {
        return Ok(outcome);
    }
    let int = integer(program, ty)?;
    Ok(match op {
        UnaryOp::Not => (a.iter().map(|&lit| -lit).collect(), TRUE),
        UnaryOp::Neg => {
            let zero = number(a.len(), 0);
            let result = g.difference_of(&zero, a);
            // Only the least value is its own negation with its sign.
            let sign = a.len() - 1;
            let overflow = g.and(a[sign], result[sign]);
            (result, if assumes_range(program, int) { -overflow } else { TRUE })
        }
    })
}

/// Signed results must fit, or the path ends.
fn assumes_range(program: &Program, int: IntType) -> bool {
    int.signed && program.arithmetic == Arithmetic::AssumeNoOverflow
}

pub(super) fn binary(
    program: &Program,
    g: &mut Gates,
    op: BinaryOp,
    (left, a): (Type, &[Lit]),
    (right, b): (Type, &[Lit]),
) -> Outcome {
    if let (Type::Float(ty), BinaryOp::Rem) = (left, op) {
        return Ok((remainder(g, ty, a, b), TRUE));
    }
    if let Type::Float(ty) = left {
        return floating(g, op, format(ty), a, b);
    }
    if let Some(outcome) = g.by_cases([a, b], |g, a, b| binary(program, g, op, (left, a), (right, b)))? {
        return Ok(outcome);
    }
    let int = integer(program, left)?;
    let other = integer(program, right)?;
    let width = a.len();
    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        return Ok(shift(g, op, int, a, &widened(b, b.len().max(10), other.signed)));
    }
    // Only a number that moves a pointer has another width.
    let b = &if b.len() >= width { b[..width].to_vec() } else { widened(b, width, other.signed) };
    let sign = width - 1;
    let checked = assumes_range(program, int);
    let truth = |lit: Lit| (vec![lit], TRUE);
    Ok(match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let (result, other_sign) = match op {
                BinaryOp::Add => {
                    let sum = g.sum(a, b, FALSE);
                    g.is_sum(&sum, a, b);
                    (sum, b[sign])
                }
                _ => (g.difference_of(a, b), -b[sign]),
            };
            let step = if op == BinaryOp::Add { u128::wrapping_add } else { u128::wrapping_sub };
            g.is_moved(&result, a, b, step);
            // It overflows if the operands have one sign and the result the other. Where the subtrahend is the
            // least value, its negated bit is the sign that the sum sees, so this covers it as well.
            let signs_differ = g.xor(a[sign], other_sign);
            let changed = g.xor(a[sign], result[sign]);
            let overflow = g.and(-signs_differ, changed);
            (result, if checked { -overflow } else { TRUE })
        }
        BinaryOp::Mul if checked => {
            let (short_a, short_b) = (&a[..needed(a)], &b[..needed(b)]);
            let (x, y) = (g.magnitude(short_a, a[sign]), g.magnitude(short_b, b[sign]));
            let product = widened(&g.product(&x, &y, x.len() + y.len()), 2 * width, false);
            let negative = g.xor(a[sign], b[sign]);
            // At most 2^(n-1) - 1, or 2^(n-1) if it is negated.
            let too_long = g.any(&product[width..]);
            let lower = g.any(&product[..sign]);
            let just_fits = g.and(negative, -lower);
            let high = g.and(product[sign], -just_fits);
            let overflow = g.or(too_long, high);
            (g.magnitude(&product[..width], negative), -overflow)
        }
        BinaryOp::Mul => (g.product(a, b, width), TRUE),
        BinaryOp::Div | BinaryOp::Rem => {
            let zero = number(width, 0);
            let mut defined = -g.equal(b, &zero);
            if int.signed {
                let least = number(width, 1 << sign);
                let (at_least, ones) = (g.equal(a, &least), vec![TRUE; width]);
                let minus_one = g.equal(b, &ones);
                let overflow = g.and(at_least, minus_one);
                defined = g.and(defined, -overflow);
            }
            let no_signs = !int.signed || (a[sign] == FALSE && b[sign] == FALSE);
            let result = match op {
                BinaryOp::Div if no_signs => g.quotient(a, b).0,
                _ if no_signs => g.remainder(a, b),
                _ => {
                    // One bit more than both need, as the quotient may be the negated dividend.
                    let short = (needed(a).max(needed(b)) + 1).min(width);
                    let (x, y) = (g.magnitude(&a[..short], a[sign]), g.magnitude(&b[..short], b[sign]));
                    let (quotient, remainder) = g.quotient(&x, &y);
                    let negative = g.xor(a[sign], b[sign]);
                    let magnitude =
                        if op == BinaryOp::Div { (quotient, negative) } else { (remainder, a[sign]) };
                    widened(&g.magnitude(&magnitude.0, magnitude.1), width, true)
                }
            };
            (result, defined)
        }
        BinaryOp::And => (a.iter().zip(b).map(|(&a, &b)| g.and(a, b)).collect(), TRUE),
        BinaryOp::Or => (a.iter().zip(b).map(|(&a, &b)| g.or(a, b)).collect(), TRUE),
        BinaryOp::Xor => (a.iter().zip(b).map(|(&a, &b)| g.xor(a, b)).collect(), TRUE),
        BinaryOp::Eq => truth(g.related(Relation::Equal, a, b)),
        BinaryOp::Ne => truth(-g.related(Relation::Equal, a, b)),
        BinaryOp::Lt => truth(g.related(Relation::Less { signed: int.signed }, a, b)),
        BinaryOp::Le => truth(-g.related(Relation::Less { signed: int.signed }, b, a)),
        BinaryOp::Shl | BinaryOp::Shr => return Err(Failure::Unsupported("a shift")),
    })
}

/// The length of the number without the bits in front that only repeat its sign.
pub(super) fn needed(word: &[Lit]) -> usize {
    let mut length = word.len();
    while length > 1 && word[length - 2] == word[length - 1] {
        length -= 1;
    }
    length
}

fn format(ty: FloatType) -> Format {
    match ty {
        FloatType::F32 => F32,
        FloatType::F64 => F64,
        FloatType::F80 => F80,
    }
}

/// Known of constants only: what `fmod` of others is has no gates, but the same operands have the same.
fn remainder(g: &mut Gates, ty: FloatType, a: &[Lit], b: &[Lit]) -> Word {
    match (as_number(a), as_number(b)) {
        (Some(x), Some(y)) => number(a.len(), ty.calculate(BinaryOp::Rem, x, y)),
        _ => {
            let operands = [Box::from(a), Box::from(b)];
            if let Some(known) = g.remainders.get(&operands) {
                return known.clone();
            }
            let result = g.free_word(a.len());
            g.remainders.insert(operands, result.clone());
            result
        }
    }
}

fn floating(g: &mut Gates, op: BinaryOp, f: Format, a: &[Lit], b: &[Lit]) -> Outcome {
    let word = match op {
        BinaryOp::Add => float::add(g, f, a, b),
        BinaryOp::Sub => float::add(g, f, a, &float::negated(b)),
        BinaryOp::Mul => float::multiply(g, f, a, b),
        BinaryOp::Div => float::divide(g, f, a, b),
        BinaryOp::Eq => vec![float::equal(g, f, a, b)],
        BinaryOp::Ne => vec![-float::equal(g, f, a, b)],
        BinaryOp::Lt => vec![float::less(g, f, a, b)],
        BinaryOp::Le => {
            let (less, equal) = (float::less(g, f, a, b), float::equal(g, f, a, b));
            vec![g.or(less, equal)]
        }
        _ => return Err(Failure::Unsupported("an operation on the bits of floats")),
    };
    Ok((word, TRUE))
}

pub(super) fn less(g: &mut Gates, signed: bool, a: &[Lit], b: &[Lit]) -> Lit {
    let unsigned = g.below(a, b);
    if !signed {
        return unsigned;
    }
    // Of different signs, the negative one is less.
    let (a, b) = (a[a.len() - 1], b[b.len() - 1]);
    let differ = g.xor(a, b);
    g.choose(differ, a, unsigned)
}

/// By an amount that is wide enough to be compared with the width.
fn shift(g: &mut Gates, op: BinaryOp, int: IntType, a: &[Lit], amount: &[Lit]) -> (Word, Lit) {
    let width = a.len();
    let limit = number(amount.len(), u128::from(int.bits));
    let defined = g.below(amount, &limit);
    let fill = if op == BinaryOp::Shr && int.signed { a[width - 1] } else { FALSE };
    let mut word = a.to_vec();
    for (i, &bit) in amount.iter().enumerate().take_while(|&(i, _)| 1 << i < width) {
        let by = 1usize << i;
        let moved: Word = (0..width)
            .map(|j| match op {
                BinaryOp::Shl => j.checked_sub(by).map_or(FALSE, |from| word[from]),
                _ => word.get(j + by).copied().unwrap_or(fill),
            })
            .collect();
        word = g.choose_word(bit, &moved, &word);
    }
    (word, defined)
}

pub(super) fn cast(program: &Program, g: &mut Gates, from: Type, to: Type, a: &[Lit]) -> Outcome {
    if from == to {
        return Ok((a.to_vec(), TRUE));
    }
    if !from.is_float()
        && !to.is_float()
        && let Some(outcome) = g.by_cases([a, &[]], |g, a, _| cast(program, g, from, to, a))?
    {
        return Ok(outcome);
    }
    match (from, to) {
        (Type::Float(from), Type::Float(to)) => {
            return Ok((float::convert(g, format(from), format(to), a), TRUE));
        }
        (Type::Float(from), to) => {
            let int = integer(program, to)?;
            if int == IntType::BOOL {
                return Ok((vec![float::is_nonzero(g, a)], TRUE));
            }
            return Ok(float::to_integer(g, format(from), a, usize::from(int.bits), int.signed));
        }
        (from, Type::Float(to)) => {
            let int = integer(program, from)?;
            return Ok((float::from_integer(g, format(to), a, int.signed), TRUE));
        }
        _ => {}
    }
    let (source, target) = (integer(program, from)?, integer(program, to)?);
    if target == IntType::BOOL {
        return Ok((vec![g.any(a)], TRUE));
    }
    let wide = widened(a, usize::from(target.bits).max(a.len()), source.signed);
    Ok((wide[..usize::from(target.bits)].to_vec(), TRUE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_program::DataModel;
    use craig_program::build::empty_program;

    /// The definition, on mathematical integers.
    fn expected(wraps: bool, op: BinaryOp, int: IntType, a: i128, b: i128) -> Option<i128> {
        let fits = |exact: i128| {
            let free = wraps || !int.signed || int.wrap(exact) == exact;
            free.then(|| int.wrap(exact))
        };
        let amount = (0..i128::from(int.bits)).contains(&b).then_some(b as u32);
        match op {
            BinaryOp::Add => fits(a + b),
            BinaryOp::Sub => fits(a - b),
            BinaryOp::Mul => fits(a * b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 || int.wrap(a / b) != a / b => None,
            BinaryOp::Div => Some(a / b),
            BinaryOp::Rem => Some(a % b),
            BinaryOp::Shl => amount.map(|amount| int.wrap(a << amount)),
            BinaryOp::Shr => amount.map(|amount| a >> amount),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::Eq => Some(i128::from(a == b)),
            BinaryOp::Ne => Some(i128::from(a != b)),
            BinaryOp::Lt => Some(i128::from(a < b)),
            BinaryOp::Le => Some(i128::from(a <= b)),
        }
    }

    #[test]
    fn operations_mean_what_they_say() {
        let mut program = empty_program(DataModel::Lp64);
        for arithmetic in [Arithmetic::AssumeNoOverflow, Arithmetic::Wrap] {
            program.arithmetic = arithmetic;
            for int in [1, 3, 4, 5].into_iter().flat_map(|n| [IntType::signed(n), IntType::unsigned(n)]) {
                for op in BinaryOp::ALL {
                    let width = usize::from(int.bits);
                    let mut g = Gates::new(64);
                    let (a, b) = (g.free_word(width), g.free_word(width));
                    let ty = Type::Int(int);
                    let (word, defined) =
                        binary(&program, &mut g, op, (ty, &a), (ty, &b)).ok().expect("it has a circuit");
                    for pair in 0..1u32 << (2 * width) {
                        let inputs: Vec<bool> = (0..2 * width).map(|i| pair >> i & 1 != 0).collect();
                        let values = g.simulate(&inputs);
                        let lit = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
                        assert!(g.facts.iter().all(|&fact| lit(fact)));
                        let x = int.wrap(i128::from(pair));
                        let y = int.wrap(i128::from(pair >> width));
                        let result = word.iter().rev().fold(0, |sum, &bit| sum << 1 | i128::from(lit(bit)));
                        let result = if op.is_comparison() { result } else { int.wrap(result) };
                        let wraps = arithmetic == Arithmetic::Wrap;
                        let got = lit(defined).then_some(result);
                        assert_eq!(got, expected(wraps, op, int, x, y), "{x} {op:?} {y} of type {int}");
                    }
                }
            }
        }
    }

    /// What undoes an operation, or continues it, has the gates that are there already, and means the same.
    #[test]
    fn operations_that_continue_others() {
        let program = empty_program(DataModel::Lp64);
        let ty = Type::Int(IntType::unsigned(16));
        let mut g = Gates::new(64);
        let x = g.free_word(16);
        let mut apply = |op: BinaryOp, a: &[Lit], b: &[Lit]| {
            binary(&program, &mut g, op, (ty, a), (ty, b)).ok().expect("it has a circuit").0
        };
        let constant = |value: u128| number(16, value);
        let mixed = apply(BinaryOp::Mul, &x, &constant(0xca6b));
        assert_eq!(apply(BinaryOp::Mul, &constant(0x9243), &mixed), x);
        let trebled = apply(BinaryOp::Mul, &mixed, &constant(3));
        let shifted = apply(BinaryOp::Shr, &x, &constant(9));
        let tangled = apply(BinaryOp::Xor, &x, &shifted);
        let again = apply(BinaryOp::Shr, &tangled, &constant(9));
        assert_eq!(apply(BinaryOp::Xor, &tangled, &again), x);
        let digits: Vec<Word> =
            [0, 4, 8].iter().map(|&from| widened(&x[from..from + 4], 16, false)).collect();
        let (mut stepwise, mut total) = (constant(0), constant(0));
        for digit in &digits {
            let sum = apply(BinaryOp::Add, &stepwise, digit);
            stepwise = apply(BinaryOp::Rem, &sum, &constant(15));
            total = apply(BinaryOp::Add, &total, digit);
        }
        assert_eq!(stepwise, apply(BinaryOp::Rem, &total, &constant(15)));
        for x in (0..1u32 << 16).step_by(97) {
            let values = g.simulate(&(0..16).map(|i| x >> i & 1 != 0).collect::<Vec<_>>());
            let lit = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
            let value = |word: &Word| word.iter().rev().fold(0, |sum, &bit| sum << 1 | u32::from(lit(bit)));
            assert_eq!(value(&mixed), (x * 0xca6b) & 0xffff);
            assert_eq!(value(&trebled), (x * 0xca6b % 0x1_0000 * 3) & 0xffff);
            assert_eq!(value(&tangled), x ^ x >> 9);
            assert_eq!(value(&stepwise), ((x & 15) + (x >> 4 & 15) + (x >> 8 & 15)) % 15);
            assert!(g.facts.iter().all(|&fact| lit(fact)));
        }
    }

    /// Operands that repeat their sign take shorter circuits, with the same results.
    #[test]
    fn operands_of_a_shorter_type() {
        let mut program = empty_program(DataModel::Lp64);
        for arithmetic in [Arithmetic::AssumeNoOverflow, Arithmetic::Wrap] {
            program.arithmetic = arithmetic;
            for (short, other) in [(3, 3), (2, 4), (4, 1), (1, 1)] {
                for op in [BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem] {
                    let int = IntType::signed(5);
                    let mut g = Gates::new(64);
                    let (a, b) = (g.free_word(short), g.free_word(other));
                    let (a, b) = (widened(&a, 5, true), widened(&b, 5, true));
                    let ty = Type::Int(int);
                    let (word, defined) =
                        binary(&program, &mut g, op, (ty, &a), (ty, &b)).ok().expect("it has a circuit");
                    for pair in 0..1u32 << (short + other) {
                        let inputs: Vec<bool> = (0..short + other).map(|i| pair >> i & 1 != 0).collect();
                        let values = g.simulate(&inputs);
                        let lit = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
                        assert!(g.facts.iter().all(|&fact| lit(fact)));
                        let x = IntType::signed(short as u8).wrap(i128::from(pair));
                        let y = IntType::signed(other as u8).wrap(i128::from(pair >> short));
                        let result =
                            int.wrap(word.iter().rev().fold(0, |sum, &bit| sum << 1 | i128::from(lit(bit))));
                        let wraps = arithmetic == Arithmetic::Wrap;
                        let got = lit(defined).then_some(result);
                        assert_eq!(got, expected(wraps, op, int, x, y), "{x} {op:?} {y}");
                    }
                }
            }
        }
    }
}
