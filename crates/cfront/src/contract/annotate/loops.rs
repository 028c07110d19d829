//! What annotations say of loops, and of values from before: checks in the text, and variables that keep such values.

use super::{Reader, check_parts, checked_parts, ignored, words};
use crate::contract::clause::{Refusal, refuse};
use crate::contract::output::Piece;
use crate::contract::scan::{Kind, Token, find};
use crate::contract::translate::Translator;

/// What annotations say of a loop.
pub(super) struct Said<'a, 't> {
    pub invariants: &'a [&'a [Token<'t>]],
    pub variant: Option<&'a [Token<'t>]>,
    pub chains: bool,
}

impl<'t> Reader<'_, 't> {
    /// Checks invariants whenever the condition of the loop is evaluated.
    pub(super) fn invariant(&mut self, keyword: usize, open: usize, close: usize, said: &Said<'_, 't>) {
        let tokens = self.tokens;
        let inner = &tokens[open + 1..close];
        let (start, end) = if tokens[keyword].is("for") {
            let Some(first) = find(inner, &[";"]) else { return };
            let Some(second) = find(&inner[first + 1..], &[";"]) else { return };
            (inner[first].end(), inner[first + 1 + second].start)
        } else {
            (tokens[open].end(), tokens[close].start)
        };
        let mut pieces: Vec<Piece> = vec!["({ ".into()];
        for invariant in said.invariants {
            let text = words(self.text, invariant);
            let text = format!("the loop invariant `{text}` does not hold");
            match self.checks_within(invariant, said.chains, &text, Some(keyword)) {
                Ok(checks) => pieces.extend(checks),
                Err(refusal) => self.out.warnings.push(ignored(refusal)),
            }
        }
        if let Some(variant) = said.variant {
            match self.variant(keyword, variant) {
                Ok(checks) => pieces.extend(checks),
                Err(refusal) => self.out.warnings.push(ignored(refusal)),
            }
        }
        pieces.push(" }), (".into());
        if self.text[start..end].trim().is_empty() {
            pieces.push("1".into());
        } else {
            pieces.push(Piece::From(start, end));
        }
        pieces.push(")".into());
        self.edits.push((start, end - start, pieces));
    }

    /// Checks of an annotation in a body, which may ask for what was there when the function was called, or when the loop
    /// that it stands before was entered.
    pub(super) fn checks_within(
        &mut self,
        tokens: &[Token<'t>],
        chains: bool,
        words: &str,
        keyword: Option<usize>,
    ) -> Result<Vec<Piece>, Refusal> {
        let number = tokens.first().map_or(0, |token| token.start);
        let mut translator = Translator {
            chains,
            objects: true,
            old: Some(Vec::new()),
            entry: keyword.filter(|&keyword| self.begins_statement(keyword)).map(|_| Vec::new()),
            prefix: format!("craig_at_{}_{number}_", self.unit),
            in_body: true,
            ..Translator::default()
        };
        let pieces = check_parts(&mut translator, &checked_parts(tokens)?, words)?;
        let kept = |values: Vec<(Vec<Piece>, String)>| {
            let mut pieces: Vec<Piece> = Vec::new();
            for (value, name) in values {
                pieces.push(" __typeof__(".into());
                pieces.extend(value.clone());
                pieces.push(Piece::Made(format!(") {name} = ")));
                pieces.extend(value);
                pieces.push("; ".into());
            }
            pieces
        };
        let at_start = kept(translator.old.unwrap_or_default());
        if !at_start.is_empty() {
            self.edits.push((self.body_start, 0, at_start));
        }
        if let (Some(values), Some(keyword)) = (translator.entry.filter(|values| !values.is_empty()), keyword)
        {
            self.edits.push((self.tokens[keyword].start, 0, kept(values)));
        }
        Ok(pieces)
    }

    /// Whether a declaration can stand before this token.
    fn begins_statement(&self, index: usize) -> bool {
        let mut before = self.tokens[..index].iter().rev().filter(|token| token.kind != Kind::Annotation);
        before.next().is_some_and(|token| matches!(token.text, ";" | "{" | "}"))
    }

    /// Checks, whenever the condition of the loop is evaluated again, that a number was not negative before the round and is
    /// smaller now.
    fn variant(&mut self, keyword: usize, variant: &[Token<'t>]) -> Result<Vec<Piece>, Refusal> {
        let first = &variant[0];
        if !self.begins_statement(keyword) {
            return refuse(first, "this needs braces around the loop");
        }
        if let Some(at) = find(variant, &["for"]) {
            return refuse(&variant[at], "a variant by an order of its own is not read");
        }
        let text = words(self.text, variant);
        let value = Translator { chains: true, ..Translator::default() }.expression(variant)?;
        let (known, begun) =
            (format!("craig_variant_{}", first.start), format!("craig_begun_{}", first.start));
        let declared = format!(" long long {known}; _Bool {begun}; {begun} = 0; ");
        self.edits.push((self.tokens[keyword].start, 0, vec![declared.into()]));
        let mut pieces = vec!["{ long long craig_now = ".into()];
        pieces.extend(value);
        pieces.extend([";".into(), Piece::From(first.start, first.start)]);
        pieces.push(Piece::Made(format!(
            "if ({begun}) {{ __VERIFIER_craig_assert({known} >= 0, \"the loop variant `{text}` is negative\"); \
             __VERIFIER_craig_assert(craig_now < {known}, \"the loop variant `{text}` does not become smaller\"); }} \
             {known} = craig_now; {begun} = 1; }}"
        )));
        Ok(pieces)
    }
}
