//! The operators of the theories: sort checks, the int-to-real conversions that Z3 makes too, and
//! the chained and pairwise forms. A complaint is a message; the caller knows the place.

use crate::{FunId, Int, Sort, SortId, TermId, Terms};
use std::borrow::Cow;

type Outcome = Result<TermId, String>;

/// The operator of this name, applied; or what is wrong with that.
pub fn operator(terms: &mut Terms, name: &str, args: &[TermId]) -> Outcome {
    apply(terms, name, args).unwrap_or_else(|| Err(format!("there is no operator `{name}`")))
}

/// A declared function, applied; or what is wrong with that.
pub fn call(terms: &mut Terms, function: FunId, args: &[TermId]) -> Outcome {
    let parameters = terms.signature(function).0;
    if parameters.len() == args.len() && parameters.iter().zip(args).all(|(&s, &arg)| s == terms.sort(arg)) {
        return Ok(terms.app(function, args));
    }
    let parameters = parameters.to_vec();
    let name = terms.symbol_name(function).to_string();
    let args = arguments(terms, &name, args, &parameters)?;
    Ok(terms.app(function, &args))
}

/// The arguments at the sorts of the parameters.
pub(super) fn arguments(
    terms: &mut Terms,
    name: &str,
    args: &[TermId],
    parameters: &[SortId],
) -> Result<Vec<TermId>, String> {
    if args.len() != parameters.len() {
        return Err(format!("`{name}` takes {} arguments, not {}", parameters.len(), args.len()));
    }
    let mut converted = Vec::with_capacity(args.len());
    for (i, (&arg, &sort)) in args.iter().zip(parameters).enumerate() {
        converted.push(coerce(terms, arg, sort).ok_or_else(|| {
            let (wanted, given) = (terms.sort_name(sort), terms.sort_name(terms.sort(arg)));
            format!("argument {} of `{name}` has sort {given}, not {wanted}", i + 1)
        })?);
    }
    Ok(converted)
}

/// Applies the operator of this name, or `None` if there is no such operator.
pub(super) fn apply(terms: &mut Terms, name: &str, args: &[TermId]) -> Option<Outcome> {
    Some(match name {
        "and" => all_bool(terms, name, args).map(|()| terms.and(args)),
        "or" => all_bool(terms, name, args).map(|()| terms.or(args)),
        "not" => {
            exactly(name, args, 1).and_then(|()| all_bool(terms, name, args)).map(|()| terms.not(args[0]))
        }
        "=>" | "implies" => implies(terms, name, args),
        "xor" => at_least(name, args, 2).and_then(|()| all_bool(terms, name, args)).map(|()| {
            let (&first, rest) = args.split_first().expect("two arguments or more");
            rest.iter().fold(first, |left, &right| terms.xor(left, right))
        }),
        "=" | "iff" => chain(terms, name, args, Terms::eq),
        "distinct" => distinct(terms, args),
        "ite" | "if" => ite(terms, args),
        "<=" => compare(terms, name, args, Terms::le),
        "<" => compare(terms, name, args, Terms::lt),
        ">=" => compare(terms, name, args, Terms::ge),
        ">" => compare(terms, name, args, Terms::gt),
        "+" => numbers(terms, name, args).map(|args| terms.add(&args)),
        "-" => minus(terms, args),
        // Older Z3 wrote unary minus this way.
        "~" => exactly(name, args, 1).and_then(|()| minus(terms, args)),
        "*" => numbers(terms, name, args).map(|args| {
            let (&first, rest) = args.split_first().expect("one argument or more");
            rest.iter().fold(first, |left, &right| terms.mul(left, right))
        }),
        "/" => divide(terms, args),
        "div" => integer_operator(terms, name, args, Terms::div),
        "mod" => integer_operator(terms, name, args, Terms::modulo),
        "rem" => exactly(name, args, 2).and_then(|()| integer_operator(terms, name, args, remainder)),
        "abs" => {
            exactly(name, args, 1).and_then(|()| numbers(terms, name, args)).map(|args| terms.abs(args[0]))
        }
        "to_real" => exactly(name, args, 1)
            .and_then(|()| numbers(terms, name, args))
            .map(|args| terms.to_real(args[0])),
        "to_int" => {
            exactly(name, args, 1).and_then(|()| numbers(terms, name, args)).map(|args| terms.to_int(args[0]))
        }
        "is_int" => exactly(name, args, 1).and_then(|()| numbers(terms, name, args)).map(|args| {
            let real = terms.to_real(args[0]);
            terms.is_int_value(real)
        }),
        "select" => select(terms, args),
        "store" => store(terms, args),
        _ => return None,
    })
}

/// `((_ divisible n) x)`.
pub(super) fn divisible(terms: &mut Terms, divisor: &Int, args: &[TermId]) -> Outcome {
    exactly("divisible", args, 1)?;
    let value = args[0];
    if !terms.is_int(value) {
        return Err(wrong_sort(terms, "divisible", value, "an integer"));
    }
    if !divisor.is_positive() {
        return Err("`divisible` needs a positive number".to_string());
    }
    let divisor = terms.int(divisor.clone());
    let remainder = terms.modulo(value, divisor);
    let zero = terms.int(0);
    Ok(terms.eq(remainder, zero))
}

/// `t` as a term of `sort`, converting an integer to a real where that is all it takes.
pub(super) fn coerce(terms: &mut Terms, t: TermId, sort: SortId) -> Option<TermId> {
    if terms.sort(t) == sort {
        Some(t)
    } else if sort == Terms::REAL && terms.is_int(t) {
        Some(terms.to_real(t))
    } else {
        None
    }
}

fn exactly(name: &str, args: &[TermId], count: usize) -> Result<(), String> {
    if args.len() == count {
        return Ok(());
    }
    let plural = if count == 1 { "" } else { "s" };
    Err(format!("`{name}` takes {count} argument{plural}, not {}", args.len()))
}

fn at_least(name: &str, args: &[TermId], count: usize) -> Result<(), String> {
    if args.len() >= count {
        return Ok(());
    }
    Err(format!("`{name}` takes {count} or more arguments, not {}", args.len()))
}

fn wrong_sort(terms: &Terms, name: &str, t: TermId, wanted: &str) -> String {
    format!("`{name}` needs {wanted}, not a term of sort {}", terms.sort_name(terms.sort(t)))
}

fn all_bool(terms: &Terms, name: &str, args: &[TermId]) -> Result<(), String> {
    match args.iter().find(|&&arg| !terms.is_bool(arg)) {
        Some(&arg) => Err(wrong_sort(terms, name, arg, "Boolean arguments")),
        None => Ok(()),
    }
}

/// The arguments as numbers of one sort; at least one.
fn numbers<'a>(terms: &mut Terms, name: &str, args: &'a [TermId]) -> Result<Cow<'a, [TermId]>, String> {
    at_least(name, args, 1)?;
    if let Some(&arg) = args.iter().find(|&&arg| !terms.is_arith(arg)) {
        return Err(wrong_sort(terms, name, arg, "numbers"));
    }
    unify(terms, name, args)
}

/// The arguments at one sort, integers becoming reals if there is a real among them.
fn unify<'a>(terms: &mut Terms, name: &str, args: &'a [TermId]) -> Result<Cow<'a, [TermId]>, String> {
    let Some(&first) = args.first() else { return Ok(Cow::Borrowed(args)) };
    if args.iter().all(|&arg| terms.sort(arg) == terms.sort(first)) {
        return Ok(Cow::Borrowed(args));
    }
    let real = args.iter().any(|&arg| terms.sort(arg) == Terms::REAL);
    let sort = if real { Terms::REAL } else { terms.sort(first) };
    args.iter()
        .map(|&arg| {
            coerce(terms, arg, sort).ok_or_else(|| {
                let (one, other) = (terms.sort_name(sort), terms.sort_name(terms.sort(arg)));
                format!("`{name}` mixes the sorts {one} and {other}")
            })
        })
        .collect()
}

fn implies(terms: &mut Terms, name: &str, args: &[TermId]) -> Outcome {
    at_least(name, args, 1)?;
    all_bool(terms, name, args)?;
    let (&conclusion, premises) = args.split_last().expect("one argument or more");
    Ok(premises.iter().rev().fold(conclusion, |right, &left| terms.implies(left, right)))
}

fn chain(
    terms: &mut Terms,
    name: &str,
    args: &[TermId],
    link: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Outcome {
    at_least(name, args, 2)?;
    let args = unify(terms, name, args)?;
    if let [left, right] = args[..] {
        return Ok(link(terms, left, right));
    }
    let links: Vec<TermId> = args.windows(2).map(|pair| link(terms, pair[0], pair[1])).collect();
    Ok(terms.and(&links))
}

fn compare(
    terms: &mut Terms,
    name: &str,
    args: &[TermId],
    link: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Outcome {
    at_least(name, args, 2)?;
    let args = numbers(terms, name, args)?;
    chain(terms, name, &args, link)
}

fn distinct(terms: &mut Terms, args: &[TermId]) -> Outcome {
    at_least("distinct", args, 1)?;
    let args = unify(terms, "distinct", args)?;
    Ok(terms.distinct(&args))
}

fn ite(terms: &mut Terms, args: &[TermId]) -> Outcome {
    exactly("ite", args, 3)?;
    all_bool(terms, "ite", &args[..1])?;
    let branches = unify(terms, "ite", &args[1..])?;
    Ok(terms.ite(args[0], branches[0], branches[1]))
}

fn minus(terms: &mut Terms, args: &[TermId]) -> Outcome {
    let args = numbers(terms, "-", args)?;
    Ok(match args[..] {
        [only] => terms.neg(only),
        [left, right] => terms.sub(left, right),
        _ => {
            let subtracted = terms.add(&args[1..]);
            terms.sub(args[0], subtracted)
        }
    })
}

fn divide(terms: &mut Terms, args: &[TermId]) -> Outcome {
    at_least("/", args, 2)?;
    let args = numbers(terms, "/", args)?;
    let args: Vec<TermId> = args.iter().map(|&arg| terms.to_real(arg)).collect();
    Ok(args[1..].iter().fold(args[0], |left, &right| terms.real_div(left, right)))
}

fn integer_operator(
    terms: &mut Terms,
    name: &str,
    args: &[TermId],
    operator: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Outcome {
    at_least(name, args, 2)?;
    if let Some(&arg) = args.iter().find(|&&arg| !terms.is_int(arg)) {
        return Err(wrong_sort(terms, name, arg, "integers"));
    }
    Ok(args[1..].iter().fold(args[0], |left, &right| operator(terms, left, right)))
}

/// Not of SMT-LIB, but of Z3 and of those who write for it: as `mod`, with the sign of the divisor.
fn remainder(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let (modulo, zero) = (terms.modulo(a, b), terms.int(0));
    let (is_negative, negated) = (terms.lt(b, zero), terms.neg(modulo));
    terms.ite(is_negative, negated, modulo)
}

fn array_parts(terms: &Terms, name: &str, array: TermId) -> Result<(SortId, SortId), String> {
    match *terms.sort_of(terms.sort(array)) {
        Sort::Array { index, element } => Ok((index, element)),
        _ => Err(wrong_sort(terms, name, array, "an array")),
    }
}

fn coerced(terms: &mut Terms, name: &str, t: TermId, sort: SortId) -> Outcome {
    coerce(terms, t, sort).ok_or_else(|| {
        let wanted = format!("a term of sort {}", terms.sort_name(sort));
        wrong_sort(terms, name, t, &wanted)
    })
}

fn select(terms: &mut Terms, args: &[TermId]) -> Outcome {
    exactly("select", args, 2)?;
    let (index, _) = array_parts(terms, "select", args[0])?;
    let at = coerced(terms, "select", args[1], index)?;
    Ok(terms.select(args[0], at))
}

fn store(terms: &mut Terms, args: &[TermId]) -> Outcome {
    exactly("store", args, 3)?;
    let (index, element) = array_parts(terms, "store", args[0])?;
    let at = coerced(terms, "store", args[1], index)?;
    let value = coerced(terms, "store", args[2], element)?;
    Ok(terms.store(args[0], at, value))
}
