//! Functions that are defined by recursion: by the standard, declarations and one quantified equation for each.

use super::command::Reader;
use super::sort::read_sort;
use super::term::{read_sorted_vars, read_term};
use super::{Command, Result, Sexpr};
use crate::{SortId, Terms};

/// Name, parameters, result and body.
type Definition<'t> = [Sexpr<'t>; 4];

impl Reader {
    /// `(define-fun-rec f ((x S) ...) S body)`.
    pub(super) fn define_recursively(
        &mut self,
        terms: &mut Terms,
        definition: Definition<'_>,
    ) -> Result<Command> {
        let before = self.clone();
        self.equations(terms, &[definition]).inspect_err(|_| *self = before)
    }

    /// `(define-funs-rec ((f ((x S) ...) S) ...) (body ...))`.
    pub(super) fn define_together(
        &mut self,
        terms: &mut Terms,
        heads: Sexpr<'_>,
        bodies: Sexpr<'_>,
    ) -> Result<Command> {
        let mut definitions = Vec::new();
        let mut rest = bodies.children();
        for head in heads.children() {
            let parts: Vec<Sexpr<'_>> = head.children().collect();
            let ([name, parameters, result], Some(body)) = (&parts[..], rest.next()) else {
                return Err(head.error("expected `(symbol ((variable sort) ...) sort)`, and a body for it"));
            };
            definitions.push([*name, *parameters, *result, body]);
        }
        if let Some(body) = rest.next() {
            return Err(body.error("a body without a function"));
        }
        let before = self.clone();
        self.equations(terms, &definitions).inspect_err(|_| *self = before)
    }

    /// Declares all of them before any body is read.
    fn equations(&mut self, terms: &mut Terms, definitions: &[Definition<'_>]) -> Result<Command> {
        let mut declared = Vec::new();
        for &[name, parameters, result, _] in definitions {
            let text = name.symbol().ok_or_else(|| name.error("expected a symbol"))?;
            let parameters = read_sorted_vars(terms, self.scope(), parameters)?;
            let result = read_sort(terms, self.scope(), result)?;
            let sorts: Vec<SortId> = parameters.iter().map(|&(_, sort)| sort).collect();
            declared.push((self.new_function(terms, name, text, &sorts, result)?, parameters, result));
        }
        let mut equations = Vec::new();
        for (&[.., body], (function, parameters, result)) in definitions.iter().zip(declared) {
            let locals: Vec<_> =
                parameters.into_iter().map(|(name, sort)| (name, terms.fresh_const(name, sort))).collect();
            let reading = read_term(terms, self.scope(), body, &locals, Some(result))?;
            let (value, _) = self.remember_names(body, reading)?;
            let bound: Vec<_> = locals.into_iter().map(|(_, constant)| constant).collect();
            let applied = terms.app(function, &bound);
            let equation = terms.eq(applied, value);
            equations.push(if bound.is_empty() { equation } else { terms.forall(&bound, equation) });
        }
        Ok(Command::Assert { term: terms.and(&equations), name: None, group: None })
    }
}
