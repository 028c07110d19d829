//! Models of functions that the program calls and does not define: [`crate::library`] and the user's own.

use craig_base::{Index, Map, Set};

use super::Checker;
use super::scope::Binding;
use crate::hir::{Callee, ExprId, ExprKind, FunctionId, Linkage};
use crate::lex::{Symbol, TokenKind, Tokens};
use crate::library;
use crate::parse::Parser;
use crate::source::{Sources, TextId};
use crate::types::TypeId;

impl Checker<'_> {
    /// Checks the units that define what is missing, and what they in turn need.
    pub(super) fn models(&mut self, sources: &Sources, units: &[(TextId, Tokens)]) {
        let mut missing: Set<Symbol> = Set::default();
        let mut pending: Vec<&(TextId, Tokens)> = units.iter().collect();
        let mut scanned = 0;
        self.state.in_models = true;
        self.state.library_start = units
            .iter()
            .find(|(unit, _)| library::is_file(sources.path(*unit)))
            .map_or(u32::MAX, |(unit, _)| sources.base(*unit));
        // `main` gets its arguments from there.
        let with_arguments = self.program.functions.iter().any(|f| {
            let params = self.program.types.as_function(f.ty).map_or(0, |ty| ty.params.len());
            f.name == "main" && f.body.is_some() && params > 1
        });
        missing.extend(self.names.lookup(library::ARGUMENTS).filter(|_| with_arguments));
        loop {
            if self.diagnostics.has_errors() || self.state.conflicting_tag.is_some() {
                return;
            }
            for index in scanned..self.program.exprs.len() {
                missing.extend(self.missing_models(ExprId::from_usize(index)));
            }
            scanned = self.program.exprs.len();
            // Where the direction of rounding is set, every sum and product is a call (`lower/rounding.rs`).
            if self.names.lookup(library::SET_ROUNDING).is_some_and(|name| missing.contains(&name)) {
                missing.extend(library::ROUNDED.iter().filter_map(|name| self.names.lookup(name)));
            }
            let Some(next) = pending.iter().position(|(unit, tokens)| {
                let text = sources.text(*unit);
                let base = sources.base(*unit);
                tokens.tokens.iter().any(|token| match token.kind {
                    TokenKind::Name(name) => {
                        missing.contains(&name) && is_definition(text, (token.span.start - base) as usize)
                    }
                    _ => false,
                })
            }) else {
                return;
            };
            let (unit, tokens) = pending.remove(next);
            let mut parser = Parser::new(sources.text(*unit), sources.base(*unit), tokens, self.names);
            self.unit(&mut parser);
        }
    }

    /// The names of the models for a function without a body that the expression names: what stands for it, and what
    /// pointers to it lead to.
    fn missing_models(&self, expr: ExprId) -> Vec<Symbol> {
        let (ExprKind::FunctionAddress(id) | ExprKind::Call { callee: Callee::Function(id), .. }) =
            &self.program.exprs[expr].kind
        else {
            return Vec::new();
        };
        let function = &self.program.functions[*id];
        if function.body.is_some() || function.linkage != Linkage::External {
            return Vec::new();
        }
        let name = &function.name;
        if library::is_library(name) {
            return self.names.lookup(name).into_iter().collect();
        }
        let with = |prefix| self.names.lookup(&format!("{prefix}{name}"));
        [with(library::PREFIX), with(library::POINTER_PREFIX)].into_iter().flatten().collect()
    }

    /// What stands for each function that is declared only.
    pub(super) fn stand_ins(&self) -> Map<FunctionId, FunctionId> {
        self.models_named(library::PREFIX).filter(|(_, model)| !self.is_helper(*model)).collect()
    }

    /// What pointers to functions lead to that lowering knows by name, unless a model of the user's stands for them.
    pub(super) fn behind_pointers(&self) -> Map<FunctionId, FunctionId> {
        let of_user: Set<FunctionId> = self
            .models_named(library::PREFIX)
            .filter(|(_, model)| self.program.functions[*model].span.start < self.state.library_start)
            .map(|(function, _)| function)
            .collect();
        self.models_named(library::POINTER_PREFIX)
            .filter(|(function, _)| !of_user.contains(function))
            .collect()
    }

    /// Functions that are declared only, each with the function of its name and this prefix.
    fn models_named(&self, prefix: &str) -> impl Iterator<Item = (FunctionId, FunctionId)> {
        self.program.functions.enumerated().filter_map(move |(id, function)| {
            if function.body.is_some() || function.linkage != Linkage::External {
                return None;
            }
            let name = self.names.lookup(&format!("{prefix}{}", function.name))?;
            let Some(&Binding::Function(model)) = self.state.external.get(&name) else { return None };
            (self.program.functions[model].body.is_some() && self.fits(id, model)).then_some((id, model))
        })
    }

    /// Whether a function of the library stands for nothing. Those of the user's models, which come first, all do.
    fn is_helper(&self, model: FunctionId) -> bool {
        let model = &self.program.functions[model];
        model.span.start >= self.state.library_start && library::is_helper(library::public_name(&model.name))
    }

    /// Whether calls of the function can be calls of the model. A program may mean something of its own by a
    /// name of the C library.
    fn fits(&self, function: FunctionId, model: FunctionId) -> bool {
        let types = &self.program.types;
        let of = |id: FunctionId| types.as_function(self.program.functions[id].ty);
        let (Some(function), Some(model)) = (of(function), of(model)) else { return false };
        let alike = |(&a, &b): (&TypeId, &TypeId)| {
            a == b
                || (types.is_integer(a) && types.is_integer(b))
                || (types.is_float(a) && types.is_float(b))
                || (types.is_pointer(a) && types.is_pointer(b))
                || (types.as_record(a).is_some()
                    && types.as_record(b).is_some()
                    && types.size_of(a) == types.size_of(b))
        };
        let params = function.params.len() == model.params.len()
            && function.variadic == model.variadic
            && function.params.iter().zip(&model.params).all(alike);
        (params || !function.prototyped)
            && (function.result == TypeId::VOID || alike((&function.result, &model.result)))
    }
}

/// Whether the name at this byte is that of a function which is defined there: its line is not indented, by
/// the convention of the library, and a brace comes before a semicolon.
fn is_definition(text: &[u8], at: usize) -> bool {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = text[at..].iter().find(|&&byte| byte == b'{' || byte == b';');
    !text[start].is_ascii_whitespace() && end == Some(&b'{')
}
