//! Clauses of contracts, in the words of C, ACSL and CBMC alike; `translate.rs` makes C of them.
//!
//! A clause is a conjunction. Its parts are conditions about objects ([`Predicate`]), such under a condition,
//! quantified ones, and plain C expressions. Translated are implications, chains of comparisons (ACSL), the result,
//! the old value of something, and quantifiers over small constant ranges; everything else is the user's own text at
//! its own place, for the type checker to judge.

use super::scan::{Kind, Token, find, parenthesized, split, unwrapped};

/// What is wrong with a clause, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub at: (usize, usize),
    pub message: String,
}

pub type Translated<T> = Result<T, Refusal>;

pub fn refuse<T>(token: &Token<'_>, message: impl Into<String>) -> Translated<T> {
    Err(Refusal { at: (token.start, token.end()), message: message.into() })
}

/// Something about the object that a pointer points to.
#[derive(Clone, Debug)]
pub struct Predicate<'a, 't> {
    pub name: Token<'t>,
    pub meaning: Meaning,
    pub pointer: &'a [Token<'t>],
    pub extent: Extent<'a, 't>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Valid,
    /// As valid, and no other argument points there.
    Fresh,
    /// Ends with a null character.
    String,
    /// Only that no other argument points there.
    Apart,
}

#[derive(Clone, Copy, Debug)]
pub enum Extent<'a, 't> {
    One,
    Elements(&'a [Token<'t>]),
    /// One more element than this.
    UpTo(&'a [Token<'t>]),
    Bytes(&'a [Token<'t>]),
}

/// A conjunct.
#[derive(Clone, Debug)]
pub enum Part<'a, 't> {
    Object(Predicate<'a, 't>),
    /// The parts hold if the guard does, or if it does not.
    Guarded {
        guard: &'a [Token<'t>],
        holds: bool,
        parts: Vec<Part<'a, 't>>,
    },
    Quantified(Quantifier<'a, 't>),
    Plain(&'a [Token<'t>]),
}

#[derive(Clone, Debug)]
pub struct Quantifier<'a, 't> {
    pub all: bool,
    pub word: Token<'t>,
    /// All of it.
    pub tokens: &'a [Token<'t>],
    pub variables: Vec<(&'a [Token<'t>], Token<'t>)>,
    pub range: Option<&'a [Token<'t>]>,
    pub body: &'a [Token<'t>],
}

/// More iterations of a quantifier than this are not written out.
pub(super) const MAX_EXPANDED: i128 = 64;
pub(super) const MAX_DEPTH: usize = 100;

pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "valid" | "\\valid" | "\\valid_read" | "__CPROVER_is_freeable" => Meaning::Valid,
        name if is_access(name) => Meaning::Valid,
        "fresh" | "\\fresh" | "__CPROVER_is_fresh" | "__ESBMC_is_fresh" => Meaning::Fresh,
        "string" | "valid_string" | "valid_read_string" => Meaning::String,
        "\\separated" => Meaning::Apart,
        _ => return None,
    })
}

pub(super) fn predicate_in<'t>(tokens: &[Token<'t>]) -> Option<Token<'t>> {
    let mut pairs = tokens.windows(2);
    pairs.find(|pair| meaning(pair[0].text).is_some() && pair[1].is("(")).map(|pair| pair[0])
}

/// Whether all that is said of objects has a value, rather than making these objects.
pub(super) fn have_values(tokens: &[Token<'_>]) -> bool {
    let mut predicates = tokens.windows(2).filter(|pair| pair[1].is("("));
    predicates.all(|pair| meaning(pair[0].text).is_none() || is_value(pair[0].text))
}

/// Whether this can be a value.
pub(super) fn is_value(name: &str) -> bool {
    let is_pure = matches!(meaning(name), Some(Meaning::Valid | Meaning::Apart));
    is_pure && name.starts_with(['\\', '_'])
}

/// The conjuncts of a condition.
pub fn parts<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Vec<Part<'a, 't>>> {
    let mut found = Vec::new();
    // Conjunctions in parentheses are looked into; what comes later waits on the stack.
    let mut pending = vec![tokens];
    while let Some(tokens) = pending.pop() {
        let tokens = unwrapped(tokens);
        let Some(first) = tokens.first() else { continue };
        // In braces it may be a part of the condition only.
        let is_part = tokens.get(1).is_some_and(|open| open.is("{") || open.is("("))
            && super::scan::closing(tokens, 1) != Some(tokens.len() - 1);
        if is_quantifier(first.text) && !is_part {
            found.push(Part::Quantified(quantifier(tokens)?));
            continue;
        }
        if let (Some(_), Some(at)) = (predicate_in(tokens), find(tokens, &["?"]))
            && let Some(colon) = find(&tokens[at..], &[":"])
        {
            let (guard, yes, no) = (&tokens[..at], &tokens[at + 1..at + colon], &tokens[at + colon + 1..]);
            plain(guard)?;
            for (holds, alternative) in [(true, yes), (false, no)] {
                found.push(Part::Guarded { guard, holds, parts: parts(alternative)? });
            }
        } else if find(tokens, &["<==>", "?"]).is_some() {
            found.push(plain(tokens)?);
        } else if let Some(at) = find(tokens, &["==>"]) {
            let (guard, inner) = (&tokens[..at], &tokens[at + 1..]);
            if predicate_in(inner).is_none() && !inner.first().is_some_and(|t| is_quantifier(t.text)) {
                found.push(plain(tokens)?);
                continue;
            }
            plain(guard)?;
            found.push(Part::Guarded { guard, holds: true, parts: parts(inner)? });
        } else if find(tokens, &["||"]).is_some() {
            if predicate_in(tokens).is_none() {
                found.push(plain(tokens)?);
                continue;
            }
            // `p == 0 || valid(p, n)`: one alternative speaks of objects, where none of the others holds.
            let alternatives = split(tokens, "||");
            let at = alternatives.iter().position(|one| predicate_in(one).is_some()).unwrap_or(0);
            let mut part = parts(alternatives[at])?;
            for (_, &guard) in alternatives.iter().enumerate().rev().filter(|(number, _)| *number != at) {
                plain(guard)?;
                part = vec![Part::Guarded { guard, holds: false, parts: part }];
            }
            found.extend(part);
        } else if find(tokens, &["&&"]).is_some() {
            pending.extend(split(tokens, "&&").into_iter().rev());
        } else if predicate_in(tokens).is_some() && find(tokens, &["&"]).is_some_and(|at| at > 0) {
            // Between conditions, `&` says the same.
            pending.extend(split(tokens, "&").into_iter().rev());
        } else if let (Some(meaning), Some((arguments, end))) = (meaning(first.text), labelled(tokens)) {
            if end != tokens.len() {
                return refuse(first, format!("`{}` must be a condition of its own here", first.text));
            }
            for predicate in predicates(*first, meaning, arguments)? {
                found.push(Part::Object(predicate));
            }
        } else {
            found.push(plain(tokens)?);
        }
    }
    Ok(found)
}

/// The arguments after a name, and after a label such as `{Here}`.
fn labelled<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a [Token<'t>], usize)> {
    let open = if tokens.get(1).is_some_and(|t| t.is("{")) { 4 } else { 1 };
    parenthesized(tokens, open)
}

fn plain<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Part<'a, 't>> {
    match predicate_in(tokens) {
        Some(name) => refuse(&name, format!("`{}` must be a condition of its own here", name.text)),
        None => Ok(Part::Plain(tokens)),
    }
}

pub(super) fn predicates<'a, 't>(
    name: Token<'t>,
    meaning: Meaning,
    arguments: &'a [Token<'t>],
) -> Translated<Vec<Predicate<'a, 't>>> {
    let given = split(arguments, ",");
    if given.iter().any(|argument| argument.is_empty()) {
        return refuse(&name, format!("`{}` needs a pointer", name.text));
    }
    let one = |pointer, extent| Predicate { name, meaning, pointer, extent };
    if name.text.starts_with('\\') {
        return given.into_iter().map(|set| range(&name, set).map(|(p, extent)| one(p, extent))).collect();
    }
    let bytes = name.text.starts_with("__");
    match given[..] {
        [pointer] => Ok(vec![one(pointer, Extent::One)]),
        [pointer, size] if meaning != Meaning::String && bytes => Ok(vec![one(pointer, Extent::Bytes(size))]),
        [pointer, size] if meaning != Meaning::String => Ok(vec![one(pointer, Extent::Elements(size))]),
        _ => refuse(&name, format!("`{}` takes a pointer and a number of elements", name.text)),
    }
}

/// `p`, `p + (0..n-1)` or `p[0..n-1]`.
fn range<'a, 't>(name: &Token<'t>, set: &'a [Token<'t>]) -> Translated<(&'a [Token<'t>], Extent<'a, 't>)> {
    let Some(open) = set.iter().rposition(|t| t.is("(") || t.is("[")) else { return Ok((set, Extent::One)) };
    let close = super::scan::closing(set, open).filter(|&close| close == set.len() - 1);
    let Some(inner) = close.map(|close| &set[open + 1..close]) else { return Ok((set, Extent::One)) };
    let Some(dots) = find(inner, &[".."]) else { return Ok((set, Extent::One)) };
    let (low, high) = (&inner[..dots], &inner[dots + 1..]);
    if low.len() != 1 || !low[0].is("0") || high.is_empty() {
        return refuse(name, "a range of elements must begin at 0 here");
    }
    let pointer = &set[..open];
    let pointer = match pointer.split_last() {
        Some((plus, pointer)) if plus.is("+") && set[open].is("(") => pointer,
        _ if set[open].is("[") => pointer.strip_prefix(&[][..]).unwrap_or(pointer),
        _ => return refuse(name, "this is no pointer with a range of elements"),
    };
    let pointer = match pointer.split_first() {
        Some((and, rest)) if and.is("&") => rest,
        _ => pointer,
    };
    Ok((pointer, Extent::UpTo(high)))
}

pub fn is_quantifier(word: &str) -> bool {
    const WORDS: &[&str] =
        &["\\forall", "\\exists", "__CPROVER_forall", "__CPROVER_exists", "__ESBMC_forall", "__ESBMC_exists"];
    WORDS.contains(&word)
}

/// CBMC's and ESBMC's words for what can be accessed.
pub fn is_access(word: &str) -> bool {
    matches!(word, "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok" | "__ESBMC_r_ok" | "__ESBMC_w_ok")
}

/// The C type of a quantified variable: that of the variable around it, where none is named.
pub fn quantified_type(ty: &[Token<'_>], name: &Token<'_>) -> String {
    match ty.iter().map(|token| token.text).collect::<Vec<_>>()[..] {
        [] => format!("__typeof__({})", name.text),
        ["integer"] => "long long".to_string(),
        ref words => words.join(" "),
    }
}

/// `\forall T i, j; range ==> body`, CBMC's with braces, or ESBMC's with parentheses.
pub(super) fn quantifier<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Quantifier<'a, 't>> {
    let word = tokens[0];
    if word.text.starts_with("__ESBMC_") {
        return quantifier_of_variable(tokens);
    }
    let all = word.text.ends_with("forall");
    let mut inner = &tokens[1..];
    if inner.first().is_some_and(|t| t.is("{")) {
        let close = super::scan::closing(tokens, 1);
        match close {
            Some(close) if close == tokens.len() - 1 => inner = &tokens[2..close],
            _ => return refuse(&word, format!("`{}` must be a condition of its own here", word.text)),
        }
    }
    let Some(semicolon) = find(inner, &[";"]) else {
        return refuse(&word, format!("`{}` needs `;` after its variable", word.text));
    };
    let mut variables = Vec::new();
    let mut ty: &[Token<'_>] = &[];
    for (number, declared) in split(&inner[..semicolon], ",").into_iter().enumerate() {
        let Some((name, before)) = declared.split_last() else {
            return refuse(&word, format!("`{}` needs a variable", word.text));
        };
        if number == 0 {
            ty = before;
        }
        if ty.is_empty() || name.kind != Kind::Name {
            return refuse(name, "a quantified variable needs a type");
        }
        variables.push((ty, *name));
    }
    let body = unwrapped(inner[semicolon + 1..].strip_suffix_semicolon());
    let operator = if all { "==>" } else { "&&" };
    let (range, body) = match find(body, &[operator]) {
        Some(at) if all => (Some(&body[..at]), &body[at + 1..]),
        _ => (None, body),
    };
    Ok(Quantifier { all, word, tokens, variables, range, body })
}

/// `__ESBMC_forall(&i, !range || body)`.
fn quantifier_of_variable<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Quantifier<'a, 't>> {
    let word = tokens[0];
    let all = word.text.ends_with("forall");
    let arguments = parenthesized(tokens, 1).filter(|(_, end)| *end == tokens.len());
    let Some([and, name, comma, condition @ ..]) = arguments.map(|(arguments, _)| arguments) else {
        return refuse(&word, format!("`{}` needs a variable and a condition", word.text));
    };
    if !and.is("&") || name.kind != Kind::Name || !comma.is(",") || condition.is_empty() {
        return refuse(&word, format!("`{}` needs a variable and a condition", word.text));
    }
    let (mut range, mut body) = (None, unwrapped(condition));
    if all
        && let Some(at) = find(body, &["||"])
        && let Some((not, negated)) = body[..at].split_first()
        && not.is("!")
        && parenthesized(negated, 0).is_some_and(|(_, end)| end == negated.len())
    {
        (range, body) = (Some(negated), &body[at + 1..]);
    }
    Ok(Quantifier { all, word, tokens, variables: vec![(&[], *name)], range, body })
}

trait StripSemicolon {
    fn strip_suffix_semicolon(&self) -> &Self;
}

impl StripSemicolon for [Token<'_>] {
    fn strip_suffix_semicolon(&self) -> &Self {
        match self.split_last() {
            Some((last, rest)) if last.is(";") => rest,
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    #[test]
    fn conjuncts_are_found() {
        let shown = |text: &str| -> Vec<String> {
            let tokens = scan(text, 0, text.len());
            let show = |part: &Part<'_, '_>| match part {
                Part::Object(p) => format!("{:?} {}", p.meaning, p.pointer[0].text),
                Part::Guarded { holds, parts, .. } => format!("guarded {holds} {}", parts.len()),
                Part::Quantified(_) => "quantified".to_string(),
                Part::Plain(tokens) => tokens.iter().map(|t| t.text).collect(),
            };
            match parts(&tokens) {
                Ok(parts) => parts.iter().map(show).collect(),
                Err(refusal) => vec![format!("{}: {}", refusal.at.0, refusal.message)],
            }
        };
        assert_eq!(shown("valid(b, n) && (n <= 9 && string(s))"), ["Valid b", "n<=9", "String s"]);
        assert_eq!(shown("p == 0 || valid(p, n)"), ["guarded false 1"]);
        assert_eq!(shown("p ==> \\valid(p + (0..n-1))"), ["guarded true 1"]);
        assert_eq!(shown("!valid(p)"), ["1: `valid` must be a condition of its own here"]);
        assert_eq!(shown("x || y"), ["x||y"]);
    }
}
