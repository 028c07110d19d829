//! Formulas over a program's state as C expressions, for people.

use craig_base::Map;
use craig_num::Rat;
use craig_program::{Program, StateVar};
use craig_term::{Op, TermId, Terms};

/// Formulas with more nodes than this, written out, are summarised instead.
const MAX_NODES: u64 = 400;

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

/// The formula in C syntax over the names of the program.
pub fn show(terms: &Terms, program: &Program, formula: TermId) -> String {
    show_named(terms, &names(program), formula)
}

/// The formula in C syntax, where constants have the given names.
pub fn show_named(terms: &Terms, names: &Map<String, String>, formula: TermId) -> String {
    let order = terms.postorder(&[formula]);
    let mut sizes: Map<TermId, u64> = Map::default();
    for &t in &order {
        let size = terms.args(t).iter().fold(1u64, |sum, arg| sum.saturating_add(sizes[arg]));
        sizes.insert(t, size);
    }
    if sizes[&formula] > MAX_NODES {
        return format!("(a formula with {} nodes)", order.len());
    }
    let mut written: Map<TermId, (String, Strength)> = Map::default();
    for &t in &order {
        let text = node(terms, names, t, &written);
        written.insert(t, text);
    }
    written.remove(&formula).map(|(text, _)| text).unwrap_or_default()
}

/// What the constants of formulas are called in the source.
pub fn names(program: &Program) -> Map<String, String> {
    let vars = program.vars.enumerated().map(|(id, var)| (StateVar::Var(id), var.name.to_string()));
    let regions =
        program.regions.enumerated().map(|(id, region)| (StateVar::Region(id), region.name.to_string()));
    let named = vars
        .chain(regions)
        .map(|(component, name): (StateVar, String)| (program.state_name(component), name));
    named.collect()
}

fn node(
    terms: &Terms,
    names: &Map<String, String>,
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
        Op::True => ("1".to_string(), Strength::Primary),
        Op::False => ("0".to_string(), Strength::Primary),
        Op::Const(_) | Op::App(_) => {
            let name = terms.const_name(t).unwrap_or("?");
            (names.get(name).map_or(name, String::as_str).to_string(), Strength::Primary)
        }
        Op::Not => negation(terms, args[0], written),
        Op::And => joined(" && ", Strength::And, Strength::Comparison),
        Op::Or => joined(" || ", Strength::Or, Strength::And),
        Op::Eq => joined(" == ", Strength::Comparison, Strength::Sum),
        Op::Le => joined(" <= ", Strength::Comparison, Strength::Sum),
        Op::Lt => joined(" < ", Strength::Comparison, Strength::Sum),
        Op::Add => sum(args, written),
        Op::Scale | Op::Mul => joined(" * ", Strength::Product, Strength::Unary),
        Op::Div | Op::RealDiv => joined(" / ", Strength::Product, Strength::Unary),
        Op::Mod => joined(" % ", Strength::Product, Strength::Unary),
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

/// Terms know only `==`, `<=` and `<`; people know the others.
fn negation(terms: &Terms, inner: TermId, written: &Map<TermId, (String, Strength)>) -> (String, Strength) {
    let symbol = match terms.op(inner) {
        Op::Eq => " != ",
        Op::Le => " > ",
        Op::Lt => " >= ",
        _ => return (format!("!{}", wrapped(&written[&inner], Strength::Unary)), Strength::Unary),
    };
    let parts: Vec<String> =
        terms.args(inner).iter().map(|arg| wrapped(&written[arg], Strength::Sum)).collect();
    (parts.join(symbol), Strength::Comparison)
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
