//! Predicates that a program defines itself: functions `{ return condition; }` whose condition speaks of objects. Where a
//! contract calls one, its condition stands there instead, so that the objects can be made.

use std::fmt::Write;

use super::clause::predicate_in;
use super::replace::definition;
use super::scan::{Kind, Token, parenthesized, scan, split};

/// Predicates call each other this deep.
const MAX_DEPTH: usize = 10;

/// The condition with predicates of the texts written out; nothing if it calls none.
pub fn written_out(condition: &str, texts: &[(String, String)]) -> Option<String> {
    let mut text = condition.to_string();
    let mut changed = false;
    for _ in 0..MAX_DEPTH {
        match one_level(&text, texts) {
            Some(next) => text = next,
            None => break,
        }
        changed = true;
    }
    changed.then_some(text)
}

fn one_level(condition: &str, texts: &[(String, String)]) -> Option<String> {
    let tokens = scan(condition, 0, condition.len());
    let mut out = String::new();
    let mut changed = false;
    let mut index = 0;
    while index < tokens.len() {
        let token = &tokens[index];
        let call = parenthesized(&tokens, index + 1).filter(|_| token.kind == Kind::Name);
        let body = call.and_then(|(inner, end)| Some((called(token.text, inner, texts, MAX_DEPTH)?, end)));
        match body {
            Some((body, end)) => {
                let _ = write!(out, "({body}) ");
                changed = true;
                index = end;
            }
            None => {
                let _ = write!(out, "{} ", token.text);
                index += 1;
            }
        }
    }
    changed.then_some(out)
}

/// The condition of a predicate with its arguments.
fn called(name: &str, arguments: &[Token<'_>], texts: &[(String, String)], depth: usize) -> Option<String> {
    let (_, text) = texts.iter().find(|(_, text)| text.contains(name) && definition(text, name).is_some())?;
    let (parameters, body) = definition(text, name)?;
    let tokens = scan(body, 0, body.len());
    let [open, word, condition @ .., semicolon, close] = &tokens[..] else { return None };
    let is_condition = open.is("{") && word.is("return") && semicolon.is(";") && close.is("}");
    if !is_condition || depth == 0 || !speaks_of_objects(condition, texts, depth) {
        return None;
    }
    let arguments = split(arguments, ",");
    let mut out = String::new();
    for token in condition {
        match parameters.iter().position(|parameter| token.is(parameter)).and_then(|at| arguments.get(at)) {
            Some([one]) => _ = write!(out, "{} ", one.text),
            Some(argument) => {
                let words: Vec<&str> = argument.iter().map(|token| token.text).collect();
                let _ = write!(out, "({}) ", words.join(" "));
            }
            None => _ = write!(out, "{} ", token.text),
        }
    }
    Some(out)
}

fn speaks_of_objects(condition: &[Token<'_>], texts: &[(String, String)], depth: usize) -> bool {
    predicate_in(condition).is_some()
        || condition.iter().enumerate().any(|(index, token)| {
            let call = parenthesized(condition, index + 1).filter(|_| token.kind == Kind::Name);
            call.is_some_and(|(inner, _)| called(token.text, inner, texts, depth - 1).is_some())
        })
}

/// A function that is called in the condition and asks something of objects, in whatever it does.
pub fn hidden<'t>(condition: &[Token<'t>], texts: &[(String, String)]) -> Option<Token<'t>> {
    asks(condition, texts, MAX_DEPTH)
}

fn asks<'t>(tokens: &[Token<'t>], texts: &[(String, String)], depth: usize) -> Option<Token<'t>> {
    let mut calls = tokens.windows(2).filter(|pair| pair[0].kind == Kind::Name && pair[1].is("("));
    let asks_of_objects = |name: &str| {
        let text = texts
            .iter()
            .map(|(_, text)| text)
            .find(|text| text.contains(name) && definition(text, name).is_some());
        let Some((_, body)) = text.and_then(|text| definition(text, name)) else { return false };
        let tokens = scan(body, 0, body.len());
        predicate_in(&tokens).is_some() || (depth > 0 && asks(&tokens, texts, depth - 1).is_some())
    };
    calls.find(|pair| asks_of_objects(pair[0].text)).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_written_out() {
        let text = "int sized(char *b, int n) { return 0 < n & __CPROVER_is_fresh(b, n); }\n\
            int both(char *b, int n, int *i) { return sized(b, n) && __CPROVER_is_fresh(i, sizeof(*i)); }\n\
            int plain(int x) { return x > 0; }";
        let texts = vec![("t.c".to_string(), text.to_string())];
        let shown = |condition: &str| {
            written_out(condition, &texts).map(|text| text.split_whitespace().collect::<String>())
        };
        assert_eq!(
            shown("both(p, m + 1, &k)").as_deref(),
            Some("((0<((m+1))&__CPROVER_is_fresh(p,((m+1))))&&__CPROVER_is_fresh((&k),sizeof(*(&k))))")
        );
        assert_eq!(shown("plain(x) && x < 3"), None);
    }
}
