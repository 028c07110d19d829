//! Formulas over a program's state as C expressions, for people. What the types of the variables say anyway, such as
//! `x <= 2147483647`, is left out, and so is what only the model of memory knows of.

use super::accesses::Accesses;
use super::c_expr::{CExpr, Comparison};
use super::conversions::Conversion;
use super::elements;
use super::essential::essential;
use super::in_c::{Stated, in_c};
use super::names::{Name, Names, type_range};
use super::pointers::{Sizes, is_about_layout};
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_program::{FloatType, Program, Type};
use craig_term::{Op, TermId, Terms};

/// In a formula that is longer than this, parts that occur several times get a name.
const LONG: u64 = 300;
/// If they are longer than this.
const LONG_PART: u64 = 12;

/// A formula for a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub expr: CExpr,
    /// How many conjuncts speak of the bookkeeping of memory, and are left out.
    pub left_out: usize,
    /// What of it C can say.
    pub in_c: Option<Stated>,
}

/// The formula, where constants have the given names.
pub(crate) fn named(terms: &Terms, names: &Names, program: &Program, formula: TermId) -> Shown {
    match elements::apart(terms, formula) {
        Some((terms, formula)) => shown(&terms, names, program, formula),
        None => shown(terms, names, program, formula),
    }
}

fn shown(terms: &Terms, names: &Names, program: &Program, formula: TermId) -> Shown {
    let order = terms.postorder(&[formula]);
    let names = &with_bound(terms, names, &order);
    let mut sizes: Map<TermId, u64> = Map::default();
    let mut uses: Map<TermId, usize> = Map::default();
    let mut bookkeeping: Map<TermId, bool> = Map::default();
    for &t in &order {
        let args = terms.args(t);
        sizes.insert(t, args.iter().fold(1u64, |sum, arg| sum.saturating_add(sizes[arg])));
        args.iter().for_each(|&arg| *uses.entry(arg).or_default() += 1);
        let own =
            terms.const_name(t).and_then(|name| names.get(name)).is_some_and(|name| name.is_bookkeeping);
        bookkeeping.insert(t, own || args.iter().any(|arg| bookkeeping[arg]));
    }
    let parts = conjuncts(terms, formula);
    let (hidden, kept): (Vec<TermId>, Vec<TermId>) =
        parts.iter().copied().partition(|&part| bookkeeping[&part] || is_about_layout(terms, names, part));
    let kept = essential(terms, kept);
    let mut accesses = Accesses::new(terms, names, program, &parts);
    let pointees = Sizes::new(names, program);
    let mut built: Map<TermId, CExpr> = Map::default();
    let mut definitions: Vec<(String, CExpr)> = Vec::new();
    let is_long = kept.iter().fold(0u64, |sum, part| sum.saturating_add(sizes[part])) > LONG;
    for t in terms.postorder(&kept) {
        let expr = match by_type(terms, names, &accesses, t) {
            Some(truth) => CExpr::truth(truth),
            None => match node(terms, names, &mut accesses, t, &built) {
                CExpr::Compare(how, a, b) => pointees.in_elements(how, &a, &b),
                other => other,
            },
        };
        let is_shared = is_long && uses.get(&t).is_some_and(|&n| n > 1) && sizes[&t] > LONG_PART;
        if is_shared && expr.as_truth().is_none() {
            let name = format!("F{}", definitions.len() + 1);
            definitions.push((name.clone(), expr));
            built.insert(t, CExpr::Other(name));
        } else {
            built.insert(t, expr);
        }
    }
    // So are the tables of the library's models.
    let (kept, of_library): (Vec<TermId>, Vec<TermId>) =
        kept.into_iter().partition(|part| !built[part].to_string().contains("__craig_"));
    let expr = conjunction(terms, names, &accesses, &kept, &built);
    let expr = if definitions.is_empty() { expr } else { CExpr::Where(Box::new(expr), definitions) };
    let in_c = in_c(&expr, names);
    Shown { expr, left_out: hidden.len() + of_library.len(), in_c }
}

/// The names, and short ones for constants that are bound.
fn with_bound(terms: &Terms, names: &Names, order: &[TermId]) -> Names {
    let mut all = names.clone();
    let mut used: Vec<String> = names.values().map(|name| name.expr.to_string()).collect();
    let quantifiers = order.iter().filter(|&&t| matches!(terms.op(t), Op::Forall | Op::Exists));
    for &bound in quantifiers.filter_map(|&t| terms.args(t).split_last()).flat_map(|(_, bound)| bound) {
        let Some(constant) = terms.const_name(bound).filter(|constant| !all.contains_key(*constant)) else {
            continue;
        };
        let letters = ["k", "l", "m"].into_iter().map(str::to_string);
        let more = (1..).map(|number| format!("k{number}"));
        let Some(name) = letters.chain(more).find(|name| !used.contains(name)) else { continue };
        used.push(name.clone());
        all.insert(constant.to_string(), Name::of(CExpr::Variable(name)));
    }
    all
}

/// What a formula is the conjunction of, each part once.
fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    let mut parts: OrderedSet<TermId> = OrderedSet::default();
    let mut pending = vec![formula];
    while let Some(t) = pending.pop() {
        if terms.op(t) == Op::And {
            pending.extend(terms.args(t).iter().rev());
        } else {
            parts.insert(t);
        }
    }
    parts.into_iter().collect()
}

/// The truth value of a comparison, if the types of the variables decide it.
fn by_type(terms: &Terms, names: &Names, accesses: &Accesses<'_>, t: TermId) -> Option<bool> {
    let &[left, right] = terms.args(t) else { return None };
    let is_comparison = matches!(terms.op(t), Op::Le | Op::Lt);
    if !is_comparison {
        return None;
    }
    let ((left_min, left_max), (right_min, right_max)) =
        (range(terms, names, accesses, left)?, range(terms, names, accesses, right)?);
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
fn range(terms: &Terms, names: &Names, accesses: &Accesses<'_>, t: TermId) -> Option<(i128, i128)> {
    if let Some(n) = terms.number(t) {
        let n = n.to_int()?.to_i128()?;
        return Some((n, n));
    }
    let args = terms.args(t);
    match terms.op(t) {
        Op::Const(_) => names.get(terms.const_name(t)?)?.range,
        Op::Select => type_range(accesses.program(), accesses.cell(args[0])?),
        Op::Scale => {
            let factor = terms.number(args[0])?.to_int()?.to_i128()?;
            let (min, max) = range(terms, names, accesses, args[1])?;
            let (a, b) = (min.checked_mul(factor)?, max.checked_mul(factor)?);
            Some((a.min(b), a.max(b)))
        }
        Op::Add => args.iter().try_fold((0i128, 0i128), |(min, max), &arg| {
            let (arg_min, arg_max) = range(terms, names, accesses, arg)?;
            Some((min.checked_add(arg_min)?, max.checked_add(arg_max)?))
        }),
        _ => None,
    }
}

fn node(
    terms: &Terms,
    names: &Names,
    accesses: &mut Accesses<'_>,
    t: TermId,
    built: &Map<TermId, CExpr>,
) -> CExpr {
    let args = terms.args(t);
    let arg = |i: usize| Box::new(built[&args[i]].clone());
    let all = || args.iter().map(|arg| built[arg].clone()).collect::<Vec<CExpr>>();
    if let Some(n) = terms.number(t) {
        return CExpr::Number(n.clone());
    }
    match terms.op(t) {
        Op::True => CExpr::truth(true),
        Op::False => CExpr::truth(false),
        Op::Const(_) => {
            let name = terms.const_name(t).unwrap_or("?");
            names.get(name).map_or_else(|| CExpr::Other(name.to_string()), |name| name.expr.clone())
        }
        Op::App(symbol) => CExpr::Apply(terms.symbol_name(symbol).to_string(), all()),
        Op::Not => negation(&built[&args[0]]),
        Op::And => conjunction(terms, names, accesses, args, built),
        Op::Or => junction(all(), false),
        Op::Eq => pointer_equality(terms, names, accesses, args, built)
            .unwrap_or_else(|| comparison(terms, args, Comparison::Equal, built)),
        Op::Le => comparison(terms, args, Comparison::AtMost, built),
        Op::Lt => comparison(terms, args, Comparison::Less, built),
        Op::Add => CExpr::Sum(all()),
        Op::Scale if terms.number(args[0]).is_some_and(|factor| (-factor.clone()).is_one()) => {
            CExpr::Negative(arg(1))
        }
        Op::Scale | Op::Mul => CExpr::Product(all()),
        Op::Div | Op::RealDiv => CExpr::Quotient(arg(0), arg(1)),
        Op::Mod => CExpr::Remainder(arg(0), arg(1)),
        Op::Ite => match (built[&args[0]].as_truth(), Conversion::of(terms, t)) {
            (Some(true), _) => *arg(1),
            (Some(false), _) => *arg(2),
            (None, Some(conversion)) => {
                CExpr::Cast(conversion.type_name(), Box::new(built[&conversion.from].clone()))
            }
            (None, None) => CExpr::Conditional(Box::new([0, 1, 2].map(|i| *arg(i)))),
        },
        Op::Select => match accesses.place(t, &|t| Some(built.get(&t)?.to_string())) {
            Some(text) => CExpr::Other(at_time_of(&built[&args[0]].to_string(), text)),
            None => CExpr::Element(arg(0), arg(1)),
        },
        op @ (Op::Forall | Op::Exists) => {
            let Some((body, bound)) = args.split_last() else { unreachable!("a quantifier has a body") };
            let bound = bound.iter().map(|k| built[k].to_string()).collect();
            let quantifier = if op == Op::Forall { "\\forall" } else { "\\exists" };
            let body = if op == Op::Forall { implication(&built[body]) } else { built[body].clone() };
            CExpr::Quantified(quantifier, bound, Box::new(body))
        }
        op => CExpr::Apply(format!("{op:?}").to_lowercase(), all()),
    }
}

/// A place in memory as it was when the memory was this: `\at(memory, LoopEntry)` or `\old(memory)`, or as it is now.
fn at_time_of(memory: &str, place: String) -> String {
    let at = memory.strip_prefix("\\at(").and_then(|rest| rest.rsplit_once(", "));
    match at {
        Some((_, label)) => format!("\\at({place}, {label}"),
        None if memory.starts_with("\\old(") => format!("\\old({place})"),
        None => place,
    }
}

/// The least and the greatest value that conjuncts leave to variables.
pub(super) fn bounds(terms: &Terms, args: &[TermId]) -> OrderedMap<TermId, (Option<i128>, Option<i128>)> {
    let mut bounds: OrderedMap<TermId, (Option<i128>, Option<i128>)> = OrderedMap::default();
    for &arg in args {
        if let Some((var, low, high)) = bound(terms, arg) {
            let known = bounds.entry(var).or_default();
            known.0 = known.0.max(low);
            known.1 = [known.1, high].into_iter().flatten().min();
        }
    }
    bounds
}

/// A conjunction, where the bounds of a variable stand together: `0 <= x && x <= 3`, or `x == 3`.
fn conjunction(
    terms: &Terms,
    names: &Names,
    accesses: &Accesses<'_>,
    args: &[TermId],
    built: &Map<TermId, CExpr>,
) -> CExpr {
    let mut bounds = bounds(terms, args);
    let mut parts: Vec<CExpr> = Vec::new();
    for arg in args {
        let Some((var, ..)) = bound(terms, *arg) else {
            parts.push(built[arg].clone());
            continue;
        };
        // All bounds of a variable are written at the first of them.
        let Some((low, high)) = bounds.shift_remove(&var) else { continue };
        let (min, max) = range(terms, names, accesses, var).unwrap_or((i128::MIN, i128::MAX));
        let is_pointer = is_pointer(terms, names, accesses, var);
        let (low, high) = (low.filter(|&low| low > min), high.filter(|&high| high < max));
        let name = &built[&var];
        let float = float_type(terms, accesses, var);
        let literal = |number| float.map_or_else(|| CExpr::number(number), |ty| of_rank(ty, number));
        let compare = |a: CExpr, how: Comparison, b: CExpr| CExpr::Compare(how, Box::new(a), Box::new(b));
        let with = |how: Comparison, number: i128| compare(name.clone(), how, literal(number));
        let address = |number| {
            let known = accesses.address(number).filter(|_| is_pointer);
            known.map_or_else(|| literal(number), CExpr::Other)
        };
        match (low, high) {
            (None, None) => {}
            (Some(1..), _) if is_pointer => {
                parts.push(compare(name.clone(), Comparison::Unequal, address(0)))
            }
            _ if low.unwrap_or(min) > high.unwrap_or(max) => parts.push(CExpr::truth(false)),
            _ if low.unwrap_or(min) == high.unwrap_or(max) => {
                let number = low.unwrap_or(min);
                // Where an allocated object lies is no reader's business.
                parts.push(match is_pointer && accesses.address(number).is_none() {
                    true => compare(name.clone(), Comparison::Unequal, address(0)),
                    false => compare(name.clone(), Comparison::Equal, address(number)),
                });
            }
            (Some(low), None) => parts.push(with(Comparison::AtLeast, low)),
            (None, Some(high)) => parts.push(with(Comparison::AtMost, high)),
            (Some(low), Some(high)) => {
                parts.push(compare(literal(low), Comparison::AtMost, name.clone()));
                parts.push(with(Comparison::AtMost, high));
            }
        }
    }
    junction(parts, true)
}

/// The type of a term that is a float of the program.
fn float_type(terms: &Terms, accesses: &Accesses<'_>, t: TermId) -> Option<FloatType> {
    let held = if terms.op(t) == Op::Select { terms.args(t)[0] } else { t };
    match accesses.cell(held)? {
        Type::Float(ty) => Some(ty),
        _ => None,
    }
}

/// The float for which a formula has this number ([`FloatType::rank`]).
fn of_rank(ty: FloatType, rank: i128) -> CExpr {
    let value = ty.number(ty.of_rank(rank)).to_f64();
    CExpr::Other(match ty {
        _ if value.is_infinite() => format!("{}INFINITY", if value < 0.0 { "-" } else { "" }),
        FloatType::F32 => format!("{:?}f", value as f32),
        FloatType::F64 => format!("{value:?}"),
        FloatType::F80 => format!("{}L", ty.number(ty.of_rank(rank))),
    })
}

/// Whether a term is a pointer of the program.
fn is_pointer(terms: &Terms, names: &Names, accesses: &Accesses<'_>, t: TermId) -> bool {
    match terms.op(t) {
        Op::Const(_) => {
            let name = terms.const_name(t).and_then(|name| names.get(name));
            name.and_then(|name| name.c_type).is_some_and(|ty| accesses.is_pointer(ty))
        }
        Op::Select => accesses.cell(terms.args(t)[0]) == Some(Type::Pointer),
        _ => false,
    }
}

/// `p == NULL` and `p == &x`, where a formula has a number.
fn pointer_equality(
    terms: &Terms,
    names: &Names,
    accesses: &Accesses<'_>,
    args: &[TermId],
    built: &Map<TermId, CExpr>,
) -> Option<CExpr> {
    let &[pointer, number] = args else { return None };
    let number = terms.number(number)?.to_int()?.to_i128()?;
    let address = is_pointer(terms, names, accesses, pointer).then(|| accesses.address(number)).flatten()?;
    let (left, right) = (Box::new(built[&pointer].clone()), Box::new(CExpr::Other(address)));
    Some(CExpr::Compare(Comparison::Equal, left, right))
}

/// The bounds that a comparison gives to an integer variable.
fn bound(terms: &Terms, t: TermId) -> Option<(TermId, Option<i128>, Option<i128>)> {
    let is_negated = terms.op(t) == Op::Not;
    let atom = if is_negated { terms.args(t)[0] } else { t };
    let &[var, number] = terms.args(atom) else { return None };
    let number = terms.number(number)?.to_int()?.to_i128()?;
    if !matches!(terms.op(var), Op::Const(_) | Op::Select) || terms.sort(var) != Terms::INT {
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
fn junction(parts: Vec<CExpr>, neutral: bool) -> CExpr {
    let mut parts = parts;
    parts.retain(|part| part.as_truth() != Some(neutral));
    let mut distinct: Vec<CExpr> = Vec::with_capacity(parts.len());
    for part in parts {
        // `a <= b && b <= a` is an equality.
        let (both, met) = (opposite(&part), distinct.iter().position(|other| *other == part));
        match distinct.iter().position(|other| neutral && Some(other) == both.as_ref()) {
            Some(other) => distinct[other] = equality(&part),
            None if met.is_none() => distinct.push(part),
            None => {}
        }
    }
    let mut parts = distinct;
    if neutral {
        // What one conjunct says, a disjunction need not say again.
        let said = parts.clone();
        parts.retain(|part| match part {
            CExpr::Or(ways) => !ways.iter().any(|way| said.contains(way)),
            _ => true,
        });
    }
    if parts.iter().any(|part| part.as_truth() == Some(!neutral)) {
        return CExpr::truth(!neutral);
    }
    match parts.len() {
        0 => CExpr::truth(neutral),
        1 => parts.remove(0),
        _ if neutral => CExpr::And(parts),
        _ => CExpr::Or(parts),
    }
}

/// Of `a <= b` what says the opposite, written either way.
fn opposite(part: &CExpr) -> Option<CExpr> {
    match part {
        CExpr::Compare(how @ (Comparison::AtMost | Comparison::AtLeast), a, b) => {
            Some(CExpr::Compare(how.mirrored(), a.clone(), b.clone()))
        }
        _ => None,
    }
}

fn equality(part: &CExpr) -> CExpr {
    match part {
        CExpr::Compare(_, a, b) => CExpr::Compare(Comparison::Equal, a.clone(), b.clone()),
        other => other.clone(),
    }
}

/// What holds of memory under conditions about variables, where the ways of a disjunction say both.
fn implication(body: &CExpr) -> CExpr {
    let CExpr::Or(ways) = body else { return body.clone() };
    let (conditions, claims): (Vec<&CExpr>, Vec<&CExpr>) = ways.iter().partition(|way| way.is_c());
    if conditions.is_empty() || claims.is_empty() {
        return body.clone();
    }
    let conditions = junction(conditions.into_iter().map(negation).collect(), true);
    let claims = junction(claims.into_iter().cloned().collect(), false);
    CExpr::Implies(Box::new(conditions), Box::new(claims))
}

/// Terms know only `==`, `<=` and `<`; people know the others.
pub(crate) fn negation(inner: &CExpr) -> CExpr {
    match (inner.as_truth(), inner) {
        (Some(truth), _) => CExpr::truth(!truth),
        (None, CExpr::Compare(how, a, b)) => CExpr::Compare(how.negated(), a.clone(), b.clone()),
        (None, CExpr::Not(inner)) => (**inner).clone(),
        (None, CExpr::And(parts)) => junction(parts.iter().map(negation).collect(), false),
        (None, CExpr::Or(parts)) => junction(parts.iter().map(negation).collect(), true),
        _ => CExpr::Not(Box::new(inner.clone())),
    }
}

/// People do not write `x - y > -1` for `x >= y`: what is subtracted goes to the other side.
fn comparison(terms: &Terms, args: &[TermId], how: Comparison, built: &Map<TermId, CExpr>) -> CExpr {
    let plain = |pair: &[TermId]| {
        CExpr::Compare(how, Box::new(built[&pair[0]].clone()), Box::new(built[&pair[1]].clone()))
    };
    let &[left, right] = args else { return junction(args.windows(2).map(plain).collect(), true) };
    let Some(number) = terms.number(right).and_then(|n| n.to_int()?.to_i128()) else { return plain(args) };
    let (how, number) = match (how, number) {
        (Comparison::AtMost, -1) if terms.sort(left) == Terms::INT => (Comparison::Less, 0),
        other => other,
    };
    let parts = match &built[&left] {
        CExpr::Sum(parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for part in parts {
        match part.without_minus() {
            Some(positive) => minus.push(positive),
            None => plus.push(part),
        }
    }
    if plus.is_empty() {
        // Everything changes sides, and so does the number.
        let Some(number) = number.checked_neg() else { return plain(args) };
        return CExpr::Compare(how.mirrored(), Box::new(sum(minus)), Box::new(CExpr::number(number)));
    }
    if minus.is_empty() || number != 0 {
        minus.push(CExpr::number(number));
    }
    CExpr::Compare(how, Box::new(sum(plus)), Box::new(sum(minus)))
}

fn sum(mut parts: Vec<CExpr>) -> CExpr {
    if parts.len() == 1 { parts.remove(0) } else { CExpr::Sum(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(terms: &Terms, names: &Names, formula: TermId) -> String {
        let program = craig_program::build::empty_program(craig_program::DataModel::Lp64);
        named(terms, names, &program, formula).expr.to_string()
    }

    #[test]
    fn what_is_subtracted_goes_to_the_other_side() {
        let mut tm = Terms::new();
        let [x, y] = ["x", "y"].map(|name| tm.declare_const(name, Terms::INT).unwrap());
        let names = Map::default();
        let (zero, five) = (tm.int(0), tm.int(5));
        let order = tm.ge(x, y);
        let natural = tm.ge(x, zero);
        let small = tm.le(x, five);
        let shown: Vec<String> = [order, natural, small].map(|t| shown(&tm, &names, t)).to_vec();
        assert!(["x >= y", "y <= x"].contains(&shown[0].as_str()), "{}", shown[0]);
        assert!(["x >= 0", "0 <= x"].contains(&shown[1].as_str()), "{}", shown[1]);
        assert_eq!(shown[2], "x <= 5");
    }

    #[test]
    fn floats_are_written_as_such() {
        let mut tm = Terms::new();
        let x = tm.declare_const("x!0", Terms::INT).unwrap();
        let name = Name {
            cell: Some(craig_program::Cell::Scalar(Type::Float(FloatType::F32))),
            ..Name::of(CExpr::Variable("x".to_string()))
        };
        let names: Names = [("x!0".to_string(), name)].into_iter().collect();
        let rank = FloatType::F32.rank(1.5f32.to_bits().into());
        let (least, most) = (tm.int(-rank), tm.int(rank));
        let parts = [tm.le(least, x), tm.le(x, most)];
        let both = tm.and(&parts);
        assert_eq!(shown(&tm, &names, both), "-1.5f <= x && x <= 1.5f");
    }

    #[test]
    fn what_types_say_is_left_out() {
        let mut tm = Terms::new();
        let x = tm.declare_const("x!0", Terms::INT).unwrap();
        let y = tm.declare_const("y!1", Terms::INT).unwrap();
        let name = |text: &str| Name { range: Some((0, 255)), ..Name::of(CExpr::Variable(text.to_string())) };
        let names: Names =
            [("x!0".to_string(), name("x")), ("y!1".to_string(), name("y"))].into_iter().collect();
        let (zero, most, ten) = (tm.int(0), tm.int(255), tm.int(10));
        let sum = tm.add2(x, y);
        let twice = tm.int(510);
        let parts = [tm.le(zero, x), tm.le(x, most), tm.le(x, ten), tm.le(sum, twice), tm.le(zero, y)];
        let all = tm.and(&parts);
        assert_eq!(shown(&tm, &names, all), "x <= 10");
        let noise = tm.and(&[parts[0], parts[1]]);
        assert_eq!(shown(&tm, &names, noise), "1");
        let outside = tm.not(noise);
        assert_eq!(shown(&tm, &names, outside), "0");
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
        let shown = shown(&tm, &Map::default(), all);
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
        let text = shown(&tm, &Map::default(), both);
        assert!(text.contains("x + y > 2") && text.contains("x == 2") && text.contains(" && "), "{text}");
    }
}
