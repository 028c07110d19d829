//! ESBMC's contracts and loop invariants, which are calls: those of a function stand in its body, those of a loop before it.

use super::{Reader, Said};
use crate::contract::Contract;
use crate::contract::scan::{Token, parenthesized};

impl<'t> Reader<'_, 't> {
    /// Reads what begins with this word; the number of the token after it. `function` is the one around it.
    pub(super) fn esbmc(&mut self, index: usize, function: &str) -> Option<usize> {
        let token = self.tokens[index];
        if is_of_loop(&token) {
            return self.esbmc_loop(index);
        }
        let word = token.text.strip_prefix("__ESBMC_")?;
        if !matches!(word, "requires" | "ensures" | "assigns") {
            return None;
        }
        let (inner, end) = parenthesized(self.tokens, index + 1)?;
        let clause = self.clause(inner, &self.tokens[end - 1], &token);
        let mut contract = Contract::default();
        contract.add(word, clause);
        self.out.contracts.push((function.to_string(), contract));
        self.remove(index, end);
        Some(end)
    }

    /// All that is said before a loop.
    fn esbmc_loop(&mut self, index: usize) -> Option<usize> {
        let tokens = self.tokens;
        let mut invariants = Vec::new();
        let mut next = index;
        while let Some(token) = tokens.get(next).filter(|token| is_of_loop(token)) {
            let (inner, end) = parenthesized(tokens, next + 1)?;
            if token.is("__ESBMC_loop_invariant") {
                invariants.push(inner);
            }
            self.remove(next, end);
            next = end;
            while tokens.get(next).is_some_and(|token| token.is(";")) {
                next += 1;
            }
        }
        match (tokens.get(next), parenthesized(tokens, next + 1)) {
            _ if invariants.is_empty() => {}
            (Some(word), Some((_, end))) if word.is("while") || word.is("for") => {
                let said = Said { invariants: &invariants, variant: None, chains: false };
                self.invariant(next, next + 1, end - 1, &said);
            }
            _ => self
                .warn(&tokens[index], "this loop invariant is ignored: it is read before `while` and `for`"),
        }
        Some(next)
    }
}

/// What a loop assigns, and how often it is unwound, only guides that verifier.
fn is_of_loop(token: &Token<'_>) -> bool {
    const WORDS: &[&str] =
        &["__ESBMC_loop_invariant", "__ESBMC_loop_assigns", "__ESBMC_loop_decreases", "__ESBMC_unroll"];
    WORDS.contains(&token.text)
}
