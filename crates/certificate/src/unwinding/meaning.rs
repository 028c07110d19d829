//! The meaning of operations, from the documentation of [`craig_program::Expr`].

use super::Failure;
use super::gates::{FALSE, Gates, Lit, TRUE, Word, number, widened};
use craig_program::{Arithmetic, BinaryOp, IntType, Program, Type, UnaryOp};

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
                BinaryOp::Add => (g.sum(a, b, FALSE), b[sign]),
                _ => (g.difference_of(a, b), -b[sign]),
            };
            // It overflows if the operands have one sign and the result the other. Where the subtrahend is the
            // least value, its negated bit is the sign that the sum sees, so this covers it as well.
            let signs_differ = g.xor(a[sign], other_sign);
            let changed = g.xor(a[sign], result[sign]);
            let overflow = g.and(-signs_differ, changed);
            (result, if checked { -overflow } else { TRUE })
        }
        BinaryOp::Mul if checked => {
            let (x, y) = (g.magnitude(a, a[sign]), g.magnitude(b, b[sign]));
            let product = g.product(&x, &y, 2 * width);
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
            let (quotient, remainder) = if int.signed {
                let least = number(width, 1 << sign);
                let (at_least, ones) = (g.equal(a, &least), vec![TRUE; width]);
                let minus_one = g.equal(b, &ones);
                let overflow = g.and(at_least, minus_one);
                defined = g.and(defined, -overflow);
                let (x, y) = (g.magnitude(a, a[sign]), g.magnitude(b, b[sign]));
                let (quotient, remainder) = g.quotient(&x, &y);
                let negative = g.xor(a[sign], b[sign]);
                (g.magnitude(&quotient, negative), g.magnitude(&remainder, a[sign]))
            } else {
                g.quotient(a, b)
            };
            (if op == BinaryOp::Div { quotient } else { remainder }, defined)
        }
        BinaryOp::And => (a.iter().zip(b).map(|(&a, &b)| g.and(a, b)).collect(), TRUE),
        BinaryOp::Or => (a.iter().zip(b).map(|(&a, &b)| g.or(a, b)).collect(), TRUE),
        BinaryOp::Xor => (a.iter().zip(b).map(|(&a, &b)| g.xor(a, b)).collect(), TRUE),
        BinaryOp::Eq => truth(g.equal(a, b)),
        BinaryOp::Ne => truth(-g.equal(a, b)),
        BinaryOp::Lt => truth(less(g, int, a, b)),
        BinaryOp::Le => truth(-less(g, int, b, a)),
        BinaryOp::Shl | BinaryOp::Shr => return Err(Failure::Unsupported("a shift")),
    })
}

fn less(g: &mut Gates, int: IntType, a: &[Lit], b: &[Lit]) -> Lit {
    let unsigned = g.below(a, b);
    if !int.signed {
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
    let (source, target) = (integer(program, from)?, integer(program, to)?);
    if target == IntType::BOOL {
        return Ok((vec![g.any(a)], TRUE));
    }
    let wide = widened(a, usize::from(target.bits).max(a.len()), source.signed);
    Ok((wide[..usize::from(target.bits)].to_vec(), TRUE))
}
