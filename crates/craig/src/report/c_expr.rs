//! Formulas over a program's state as C expressions, for people. What the types of the variables say
//! anyway, such as `x <= 2147483647`, is left out.

use craig_base::{Map, OrderedMap};
use craig_num::Rat;
use craig_program::{Arithmetic, Program, StateVar, Type};
use craig_term::{Op, TermId, Terms};

/// Formulas with more nodes than this, written out, are summarised instead.
const MAX_NODES: u64 = 400;
/// So are the parts of such a formula with more nodes than this.
const MAX_PART_NODES: u64 = 60;

/// How tightly an expression binds; a weaker one inside a stronger one gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Conditional,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Primary,
}

/// How a constant of formulas appears in the source, and the values that its type has.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub range: Option<(i128, i128)>,
}

/// The formula in C syntax over the names of the program.
pub fn show(terms: &Terms, program: &Program, formula: TermId) -> String {
    show_named(terms, &names(program), formula)
}

/// The formula in C syntax, where constants have the given names.
pub fn show_named(terms: &Terms, names: &Map<String, Name>, formula: TermId) -> String {
    let order = terms.postorder(&[formula]);
    let mut sizes: Map<TermId, u64> = Map::default();
    for &t in &order {
        let size = terms.args(t).iter().fold(1u64, |sum, arg| sum.saturating_add(sizes[arg]));
        sizes.insert(t, size);
    }
    let summarised = |t: TermId| {
        let text = format!("(a formula with {} nodes)", terms.postorder(&[t]).len());
        (text, Strength::Primary)
    };
    if sizes[&formula] > MAX_NODES && terms.op(formula) != Op::And {
        return summarised(formula).0;
    }
    let mut written: Map<TermId, (String, Strength)> = Map::default();
    for &t in &order {
        // Of a long conjunction the short parts are shown.
        let is_long = sizes[&formula] > MAX_NODES && t != formula && sizes[&t] > MAX_PART_NODES;
        let text = match by_type(terms, names, t) {
            Some(true) => constant("1"),
            Some(false) => constant("0"),
            None if is_long => summarised(t),
            None => node(terms, names, t, &written),
        };
        written.insert(t, text);
    }
    written.remove(&formula).map(|(text, _)| text).unwrap_or_default()
}

/// What the constants of formulas are called in the source.
pub fn names(program: &Program) -> Map<String, Name> {
    let vars = program.vars.enumerated().map(|(id, var)| {
        let range = match var.ty {
            Type::Int(ty) if program.arithmetic != Arithmetic::Ideal => {
                i128::try_from(ty.max()).ok().map(|max| (ty.min(), max))
            }
            Type::Pointer => Some((0, (1 << program.data_model.pointer_bits()) - 1)),
            _ => None,
        };
        (StateVar::Var(id), Name { text: var.name.to_string(), range })
    });
    let regions = program
        .regions
        .enumerated()
        .map(|(id, region)| (StateVar::Region(id), Name { text: region.name.to_string(), range: None }));
    vars.chain(regions).map(|(component, name)| (program.state_name(component), name)).collect()
}

/// The truth value of a comparison, if the types of the variables decide it.
fn by_type(terms: &Terms, names: &Map<String, Name>, t: TermId) -> Option<bool> {
    let &[left, right] = terms.args(t) else { return None };
    let is_comparison = matches!(terms.op(t), Op::Le | Op::Lt);
    if !is_comparison {
        return None;
    }
    let ((left_min, left_max), (right_min, right_max)) =
        (range(terms, names, left)?, range(terms, names, right)?);
    match terms.op(t) {
        Op::Le if left_max <= right_min => Some(true),
        Op::Le if left_min > right_max => Some(false),
        Op::Lt if left_max < right_min => Some(true),
        Op::Lt if left_min >= right_max => Some(false),
        _ => None,
    }
}

/// The values that a linear term can have. The terms of a formula that is shown are small, and sums
/// are not nested.
fn range(terms: &Terms, names: &Map<String, Name>, t: TermId) -> Option<(i128, i128)> {
    if let Some(n) = terms.number(t) {
        let n = n.to_int()?.to_i128()?;
        return Some((n, n));
    }
    let args = terms.args(t);
    match terms.op(t) {
        Op::Const(_) => names.get(terms.const_name(t)?)?.range,
        Op::Scale => {
            let factor = terms.number(args[0])?.to_int()?.to_i128()?;
            let (min, max) = range(terms, names, args[1])?;
            let (a, b) = (min.checked_mul(factor)?, max.checked_mul(factor)?);
            Some((a.min(b), a.max(b)))
        }
        Op::Add => args.iter().try_fold((0i128, 0i128), |(min, max), &arg| {
            let (arg_min, arg_max) = range(terms, names, arg)?;
            Some((min.checked_add(arg_min)?, max.checked_add(arg_max)?))
        }),
        _ => None,
    }
}

fn constant(text: &str) -> (String, Strength) {
    (text.to_string(), Strength::Primary)
}

fn node(
    terms: &Terms,
    names: &Map<String, Name>,
    t: TermId,
    written: &Map<TermId, (String, Strength)>,
) -> (String, Strength) {
    let args = terms.args(t);
    let arg = |i: usize, at_least: Strength| wrapped(&written[&args[i]], at_least);
    let joined = |with: &str, strength: Strength, inner: Strength| {
        let parts: Vec<String> = (0..args.len()).map(|i| arg(i, inner)).collect();
        (parts.join(with), strength)
    };
    if let Some(n) = terms.number(t) {
        return number(n);
    }
    match terms.op(t) {
        Op::True => constant("1"),
        Op::False => constant("0"),
        Op::Const(_) | Op::App(_) => {
            let name = terms.const_name(t).unwrap_or("?");
            (names.get(name).map_or(name, |name| name.text.as_str()).to_string(), Strength::Primary)
        }
        Op::Not => negation(terms, args[0], written),
        Op::And => conjunction(terms, names, args, written),
        Op::Or => {
            let parts = args.iter().map(|arg| written[arg].clone()).collect();
            junction(parts, " || ", Strength::Or, ("0", "1"))
        }
        Op::Eq => comparison(terms, args, "==", written),
        Op::Le => comparison(terms, args, "<=", written),
        Op::Lt => comparison(terms, args, "<", written),
        Op::Add => sum(args, written),
        Op::Scale if terms.number(args[0]).is_some_and(|factor| (-factor.clone()).is_one()) => {
            (format!("-{}", arg(1, Strength::Unary)), Strength::Unary)
        }
        Op::Scale | Op::Mul => joined(" * ", Strength::Product, Strength::Unary),
        Op::Div | Op::RealDiv => joined(" / ", Strength::Product, Strength::Unary),
        Op::Mod => joined(" % ", Strength::Product, Strength::Unary),
        Op::Ite if written[&args[0]].0 == "1" => written[&args[1]].clone(),
        Op::Ite if written[&args[0]].0 == "0" => written[&args[2]].clone(),
        Op::Ite => {
            let [c, a, b] = [0, 1, 2].map(|i| arg(i, Strength::Or));
            (format!("{c} ? {a} : {b}"), Strength::Conditional)
        }
        Op::Select => {
            (format!("{}[{}]", arg(0, Strength::Primary), arg(1, Strength::Conditional)), Strength::Primary)
        }
        op => {
            let parts: Vec<String> = (0..args.len()).map(|i| arg(i, Strength::Conditional)).collect();
            (format!("{}({})", format!("{op:?}").to_lowercase(), parts.join(", ")), Strength::Primary)
        }
    }
}

/// A conjunction, where the bounds of a variable stand together: `0 <= x && x <= 3`, or `x == 3`.
fn conjunction(
    terms: &Terms,
    names: &Map<String, Name>,
    args: &[TermId],
    written: &Map<TermId, (String, Strength)>,
) -> (String, Strength) {
    let mut bounds: OrderedMap<TermId, (Option<i128>, Option<i128>)> = OrderedMap::default();
    for &arg in args {
        if let Some((var, low, high)) = bound(terms, arg) {
            let known = bounds.entry(var).or_default();
            known.0 = known.0.max(low);
            known.1 = [known.1, high].into_iter().flatten().min();
        }
    }
    let mut parts: Vec<(String, Strength)> = Vec::new();
    for arg in args {
        let Some((var, ..)) = bound(terms, *arg) else {
            parts.push(written[arg].clone());
            continue;
        };
        // All bounds of a variable are written at the first of them.
        let Some((low, high)) = bounds.shift_remove(&var) else { continue };
        let (min, max) = range(terms, names, var).unwrap_or((i128::MIN, i128::MAX));
        let (low, high) = (low.filter(|&low| low > min), high.filter(|&high| high < max));
        let name = &written[&var].0;
        let comparison = |symbol: &str, number: i128| format!("{name} {symbol} {number}");
        let text = match (low, high) {
            (None, None) => "1".to_string(),
            _ if low.unwrap_or(min) > high.unwrap_or(max) => "0".to_string(),
            _ if low.unwrap_or(min) == high.unwrap_or(max) => comparison("==", low.unwrap_or(min)),
            (Some(low), None) => comparison(">=", low),
            (None, Some(high)) => comparison("<=", high),
            (Some(low), Some(high)) => format!("{low} <= {name} && {}", comparison("<=", high)),
        };
        // Two comparisons are two parts, even if no other stands beside them.
        let strength = if text.contains("&&") { Strength::And } else { Strength::Comparison };
        parts.push((text, strength));
    }
    junction(parts, " && ", Strength::And, ("1", "0"))
}

/// The bounds that a comparison gives to an integer variable.
fn bound(terms: &Terms, t: TermId) -> Option<(TermId, Option<i128>, Option<i128>)> {
    let is_negated = terms.op(t) == Op::Not;
    let atom = if is_negated { terms.args(t)[0] } else { t };
    let &[var, number] = terms.args(atom) else { return None };
    let number = terms.number(number)?.to_int()?.to_i128()?;
    if !matches!(terms.op(var), Op::Const(_)) || terms.sort(var) != Terms::INT {
        return None;
    }
    match (terms.op(atom), is_negated) {
        (Op::Le, false) => Some((var, None, Some(number))),
        (Op::Le, true) => Some((var, Some(number.checked_add(1)?), None)),
        (Op::Eq, false) => Some((var, Some(number), Some(number))),
        _ => None,
    }
}

/// A conjunction or disjunction without its neutral parts; one absorbing part is the whole.
fn junction(
    mut parts: Vec<(String, Strength)>,
    with: &str,
    strength: Strength,
    (neutral, absorbing): (&str, &str),
) -> (String, Strength) {
    parts.retain(|(text, _)| text != neutral);
    match &parts[..] {
        _ if parts.iter().any(|(text, _)| text == absorbing) => constant(absorbing),
        [] => constant(neutral),
        [only] => only.clone(),
        _ => {
            // C's precedence of `&&` over `||` is right, but compilers warn about it for good reason.
            let parts: Vec<String> =
                parts
                    .iter()
                    .map(|part| {
                        if part.1 == strength { part.0.clone() } else { wrapped(part, Strength::Comparison) }
                    })
                    .collect();
            (parts.join(with), strength)
        }
    }
}

/// Terms know only `==`, `<=` and `<`; people know the others.
fn negation(terms: &Terms, inner: TermId, written: &Map<TermId, (String, Strength)>) -> (String, Strength) {
    match (terms.op(inner), written[&inner].0.as_str()) {
        (_, "0") => constant("1"),
        (_, "1") => constant("0"),
        (Op::Eq, _) => comparison(terms, terms.args(inner), "!=", written),
        (Op::Le, _) => comparison(terms, terms.args(inner), ">", written),
        (Op::Lt, _) => comparison(terms, terms.args(inner), ">=", written),
        _ => (format!("!{}", wrapped(&written[&inner], Strength::Unary)), Strength::Unary),
    }
}

/// Nobody writes `x - y > -1` for `x >= y`: what is subtracted goes to the other side.
fn comparison(
    terms: &Terms,
    args: &[TermId],
    symbol: &str,
    written: &Map<TermId, (String, Strength)>,
) -> (String, Strength) {
    let plain = || {
        let parts: Vec<String> = args.iter().map(|arg| wrapped(&written[arg], Strength::Sum)).collect();
        (parts.join(&format!(" {symbol} ")), Strength::Comparison)
    };
    let &[left, right] = args else { return plain() };
    let Some(number) = terms.number(right).and_then(|n| n.to_int()?.to_i128()) else { return plain() };
    let parts = if terms.op(left) == Op::Add { terms.args(left) } else { &args[..1] };
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for part in parts {
        let text = wrapped(&written[part], Strength::Product);
        match text.strip_prefix('-') {
            Some(positive) => minus.push(positive.to_string()),
            None => plus.push(text),
        }
    }
    let is_integer = terms.sort(left) == Terms::INT;
    let (symbol, number) = match (symbol, number) {
        (">", -1) if is_integer => (">=", 0),
        ("<=", -1) if is_integer => ("<", 0),
        other => other,
    };
    if plus.is_empty() {
        // Everything changes sides, and so does the number.
        let mirrored = match symbol {
            "<=" => ">=",
            "<" => ">",
            ">=" => "<=",
            ">" => "<",
            other => other,
        };
        return (format!("{} {mirrored} {}", minus.join(" + "), -number), Strength::Comparison);
    }
    let mut other_side = minus.join(" + ");
    if other_side.is_empty() {
        other_side = number.to_string();
    } else if number != 0 {
        let sign = if number < 0 { '-' } else { '+' };
        other_side.push_str(&format!(" {sign} {}", number.unsigned_abs()));
    }
    (format!("{} {symbol} {other_side}", plus.join(" + ")), Strength::Comparison)
}

fn sum(args: &[TermId], written: &Map<TermId, (String, Strength)>) -> (String, Strength) {
    let mut text = String::new();
    for (i, arg) in args.iter().enumerate() {
        let part = wrapped(&written[arg], Strength::Product);
        match part.strip_prefix('-') {
            Some(rest) if i > 0 => text.push_str(&format!(" - {rest}")),
            _ if i > 0 => text.push_str(&format!(" + {part}")),
            _ => text.push_str(&part),
        }
    }
    (text, Strength::Sum)
}

fn number(n: &Rat) -> (String, Strength) {
    let strength = if n.is_negative() { Strength::Unary } else { Strength::Primary };
    (n.to_string(), strength)
}

fn wrapped((text, strength): &(String, Strength), at_least: Strength) -> String {
    if *strength < at_least { format!("({text})") } else { text.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_subtracted_goes_to_the_other_side() {
        let mut tm = Terms::new();
        let [x, y] = ["x", "y"].map(|name| tm.declare_const(name, Terms::INT).unwrap());
        let names = Map::default();
        let (zero, five) = (tm.int(0), tm.int(5));
        let order = tm.ge(x, y);
        let natural = tm.ge(x, zero);
        let small = tm.le(x, five);
        let shown: Vec<String> = [order, natural, small].map(|t| show_named(&tm, &names, t)).to_vec();
        assert!(["x >= y", "y <= x"].contains(&shown[0].as_str()), "{}", shown[0]);
        assert!(["x >= 0", "0 <= x"].contains(&shown[1].as_str()), "{}", shown[1]);
        assert_eq!(shown[2], "x <= 5");
    }

    #[test]
    fn what_types_say_is_left_out() {
        let mut tm = Terms::new();
        let x = tm.declare_const("x!0", Terms::INT).unwrap();
        let y = tm.declare_const("y!1", Terms::INT).unwrap();
        let name = |text: &str| Name { text: text.to_string(), range: Some((0, 255)) };
        let names: Map<String, Name> =
            [("x!0".to_string(), name("x")), ("y!1".to_string(), name("y"))].into_iter().collect();
        let (zero, most, ten) = (tm.int(0), tm.int(255), tm.int(10));
        let sum = tm.add2(x, y);
        let twice = tm.int(510);
        let parts = [tm.le(zero, x), tm.le(x, most), tm.le(x, ten), tm.le(sum, twice), tm.le(zero, y)];
        let all = tm.and(&parts);
        assert_eq!(show_named(&tm, &names, all), "x <= 10");
        let noise = tm.and(&[parts[0], parts[1]]);
        assert_eq!(show_named(&tm, &names, noise), "1");
        let outside = tm.not(noise);
        assert_eq!(show_named(&tm, &names, outside), "0");
    }

    #[test]
    fn bounds_of_a_variable_stand_together() {
        let mut tm = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| tm.declare_const(name, Terms::INT).unwrap());
        let numbers: Vec<TermId> = (0..5).map(|n| tm.int(n)).collect();
        let parts = [
            tm.ge(x, numbers[1]),
            tm.le(y, numbers[2]),
            tm.le(x, numbers[3]),
            tm.le(x, numbers[4]),
            tm.ge(y, numbers[2]),
            tm.ge(z, numbers[0]),
        ];
        let all = tm.and(&parts);
        let shown = show_named(&tm, &Map::default(), all);
        for part in ["1 <= x && x <= 3", "y == 2", "z >= 0"] {
            assert!(shown.contains(part), "{shown}");
        }
        assert_eq!(shown.matches("&&").count(), 3, "{shown}");
    }

    #[test]
    fn comparisons_read_like_c() {
        let mut tm = Terms::new();
        let x = tm.declare_const("x", Terms::INT).unwrap();
        let y = tm.declare_const("y", Terms::INT).unwrap();
        let two = tm.int(2);
        let sum = tm.add2(x, y);
        let small = tm.le(sum, two);
        let large = tm.not(small);
        let equal = tm.eq(x, two);
        let both = tm.and2(large, equal);
        let names = Map::default();
        let mut written = Map::default();
        for t in tm.postorder(&[both]) {
            let text = node(&tm, &names, t, &written);
            written.insert(t, text);
        }
        let text = &written[&both].0;
        assert!(text.contains("x + y > 2") && text.contains("x == 2") && text.contains(" && "), "{text}");
    }
}
