//! SMT-LIB output. What occurs more than once is bound by `let`, so the text is linear in the
//! number of distinct nodes; definitions that do not depend on each other share one `let`.

use crate::data::Role;
use crate::store::{Op, Sort, SortId, TermId, Terms};
use craig_base::Map;
use craig_num::Rat;
use std::fmt::{self, Write};

/// Writes a symbol, between bars where SMT-LIB needs them.
pub fn write_symbol(out: &mut impl Write, name: &str) -> fmt::Result {
    if is_simple_symbol(name) { out.write_str(name) } else { write!(out, "|{name}|") }
}

pub fn quote_symbol(name: &str) -> String {
    if is_simple_symbol(name) { name.to_string() } else { format!("|{name}|") }
}

fn is_simple_symbol(name: &str) -> bool {
    const RESERVED: [&str; 15] = [
        "let",
        "forall",
        "exists",
        "match",
        "par",
        "as",
        "_",
        "!",
        "assert",
        "true",
        "false",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
    ];
    !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b))
        && !RESERVED.contains(&name)
}

/// A term that prints itself as SMT-LIB. In the alternate form (`{:#}`) negated inequalities are not turned round: a term
/// then is written in the same way wherever it stands.
#[derive(Clone, Copy)]
pub struct TermDisplay<'a> {
    terms: &'a Terms,
    term: TermId,
}

impl fmt::Display for TermDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = 0;
        write_scope(self.terms, self.term, &mut names, f)
    }
}

impl Terms {
    pub fn display(&self, t: TermId) -> TermDisplay<'_> {
        TermDisplay { terms: self, term: t }
    }

    pub fn to_smtlib(&self, t: TermId) -> String {
        self.display(t).to_string()
    }

    pub fn sort_name(&self, sort: SortId) -> String {
        match self.sort_of(sort) {
            Sort::Bool => "Bool".to_string(),
            Sort::Int => "Int".to_string(),
            Sort::Real => "Real".to_string(),
            // Sorts nest as deep as the input wrote them.
            Sort::Array { index, element } => {
                format!("(Array {} {})", self.sort_name(*index), self.sort_name(*element))
            }
            Sort::Uninterpreted { name, arguments } if arguments.is_empty() => quote_symbol(name),
            Sort::Uninterpreted { name, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|&sort| self.sort_name(sort)).collect();
                format!("({} {})", quote_symbol(name), arguments.join(" "))
            }
        }
    }
}

/// Writes `root`, with its own `let`s. Bodies of quantifiers are scopes of their own.
fn write_scope(terms: &Terms, root: TermId, names: &mut usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_quantifier = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
    let order = scope_postorder(terms, root, &is_quantifier);
    let mut uses: Map<TermId, u32> = Map::default();
    for &t in order.iter().filter(|&&t| !is_quantifier(t)) {
        for &arg in terms.args(t) {
            *uses.entry(arg).or_insert(0) += 1;
        }
    }
    // A bound node's level is one above the highest level of what its definition mentions.
    let mut levels: Map<TermId, usize> = Map::default();
    let mut layers: Vec<Vec<TermId>> = Vec::new();
    for &t in &order {
        let below =
            if is_quantifier(t) { 0 } else { terms.args(t).iter().map(|arg| levels[arg]).max().unwrap_or(0) };
        let shared = uses.get(&t).is_some_and(|&n| n > 1) && !terms.args(t).is_empty();
        if shared {
            if layers.len() <= below {
                layers.push(Vec::new());
            }
            layers[below].push(t);
        }
        levels.insert(t, below + usize::from(shared));
    }
    let mut bound: Map<TermId, usize> = Map::default();
    for layer in &layers {
        out.write_str("(let (")?;
        let mut named = Vec::with_capacity(layer.len());
        for (i, &t) in layer.iter().enumerate() {
            if i > 0 {
                out.write_char(' ')?;
            }
            write!(out, "(?{names} ")?;
            named.push((t, *names));
            *names += 1;
            write_node(terms, t, &bound, names, out)?;
            out.write_char(')')?;
        }
        bound.extend(named);
        out.write_str(") ")?;
    }
    match bound.get(&root) {
        Some(name) => write!(out, "?{name}")?,
        None => write_node(terms, root, &bound, names, out)?,
    }
    for _ in &layers {
        out.write_char(')')?;
    }
    Ok(())
}

/// Post-order that stops at quantifiers.
fn scope_postorder(terms: &Terms, root: TermId, is_quantifier: &impl Fn(TermId) -> bool) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut seen = craig_base::Set::default();
    let mut stack = vec![(root, 0)];
    seen.insert(root);
    while let Some((t, next)) = stack.pop() {
        match terms.args(t).get(next) {
            Some(&arg) if !is_quantifier(t) => {
                stack.push((t, next + 1));
                if seen.insert(arg) {
                    stack.push((arg, 0));
                }
            }
            _ => order.push(t),
        }
    }
    order
}

enum Piece {
    Term(TermId),
    Space,
    Close,
}

/// Writes one definition; `bound` nodes other than `root` by their name.
fn write_node(
    terms: &Terms,
    root: TermId,
    bound: &Map<TermId, usize>,
    names: &mut usize,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut stack = vec![Piece::Term(root)];
    while let Some(piece) = stack.pop() {
        let t = match piece {
            Piece::Space => {
                out.write_char(' ')?;
                continue;
            }
            Piece::Close => {
                out.write_char(')')?;
                continue;
            }
            Piece::Term(t) => t,
        };
        if t != root
            && let Some(name) = bound.get(&t)
        {
            write!(out, "?{name}")?;
            continue;
        }
        let mut args = terms.args(t);
        let head = match terms.op(t) {
            op @ (Op::True | Op::False) => {
                out.write_str(op.name())?;
                continue;
            }
            Op::Const(symbol) => {
                write_symbol(out, terms.symbol_name(symbol))?;
                continue;
            }
            Op::Number(_) => {
                if let Some(value) = terms.number(t) {
                    write_number(out, value, terms.sort(t) == Terms::REAL)?;
                }
                continue;
            }
            Op::Forall | Op::Exists => {
                write_quantifier(terms, t, names, out)?;
                continue;
            }
            Op::Not
                if !out.alternate()
                    && !bound.contains_key(&args[0])
                    && matches!(terms.op(args[0]), Op::Le | Op::Lt) =>
            {
                let strict = terms.op(args[0]) == Op::Le;
                args = terms.args(args[0]);
                if strict { ">" } else { ">=" }
            }
            Op::App(symbol) if args.is_empty() => {
                write_symbol(out, terms.symbol_name(symbol))?;
                continue;
            }
            Op::App(symbol) => {
                out.write_char('(')?;
                if let Some(Role::Tester(constructor)) = terms.role(symbol) {
                    out.write_str("(_ is ")?;
                    write_symbol(out, terms.symbol_name(constructor))?;
                    out.write_char(')')?;
                } else {
                    write_symbol(out, terms.symbol_name(symbol))?;
                }
                push_args(&mut stack, args);
                continue;
            }
            Op::ConstArray => {
                write!(out, "((as const {})", terms.sort_name(terms.sort(t)))?;
                push_args(&mut stack, args);
                continue;
            }
            Op::Scale if terms.number(args[0]).is_some_and(|c| *c == Rat::from(-1)) => {
                args = &args[1..];
                "-"
            }
            op => op.name(),
        };
        write!(out, "({head}")?;
        push_args(&mut stack, args);
    }
    Ok(())
}

fn push_args(stack: &mut Vec<Piece>, args: &[TermId]) {
    stack.push(Piece::Close);
    for &arg in args.iter().rev() {
        stack.push(Piece::Term(arg));
        stack.push(Piece::Space);
    }
}

fn write_quantifier(
    terms: &Terms,
    t: TermId,
    names: &mut usize,
    out: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let Some((&body, bound)) = terms.args(t).split_last() else { return Ok(()) };
    out.write_str(if terms.op(t) == Op::Forall { "(forall (" } else { "(exists (" })?;
    for (i, &constant) in bound.iter().enumerate() {
        if i > 0 {
            out.write_char(' ')?;
        }
        out.write_char('(')?;
        write_symbol(out, terms.const_name(constant).unwrap_or("_"))?;
        write!(out, " {})", terms.sort_name(terms.sort(constant)))?;
    }
    out.write_str(") ")?;
    // Recursion goes as deep as quantifiers nest.
    write_scope(terms, body, names, out)?;
    out.write_char(')')
}

fn write_number(out: &mut impl Write, value: &Rat, real: bool) -> fmt::Result {
    let magnitude = value.abs();
    if value.is_negative() {
        out.write_str("(- ")?;
    }
    if magnitude.is_integer() {
        write!(out, "{}{}", magnitude.numer(), if real { ".0" } else { "" })?;
    } else {
        write!(out, "(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())?;
    }
    if value.is_negative() {
        out.write_char(')')?;
    }
    Ok(())
}
