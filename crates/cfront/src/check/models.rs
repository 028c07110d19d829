//! Models of functions that the program calls and does not define: [`crate::library`] and the user's own.

use craig_base::{Index, Map, OrderedMap, Set};

use super::scope::Binding;
use super::{Checked, Checker, error};
use crate::hir::{Callee, ExprId, ExprKind, FunctionId, Linkage};
use crate::lex::{Keyword, Names, Punct, Symbol, TokenKind, Tokens, tokenize};
use crate::library;
use crate::parse::Parser;
use crate::source::{Sources, Span, TextId};
use crate::types::TypeId;

/// The user's models and the files of the library, those that have been read.
pub(super) struct Models {
    pub of_user: Vec<(TextId, Tokens)>,
    of_library: OrderedMap<usize, (TextId, Tokens)>,
    /// The functions of the library, and the numbers of the files that define them.
    defined: Map<Symbol, usize>,
}

impl Models {
    pub fn new(of_user: Vec<(TextId, Tokens)>, with_library: bool, names: &mut Names) -> Models {
        let mut defined = Map::default();
        for (name, file) in library::defined().iter().filter(|_| with_library) {
            defined.entry(names.intern(name)).or_insert(*file);
        }
        Models { of_user, of_library: OrderedMap::default(), defined }
    }

    /// Reads files of the library, those that the calls in them may need, and so on; fails if there is no room for more text.
    pub fn read(
        &mut self,
        files: impl IntoIterator<Item = usize>,
        sources: &mut Sources,
        names: &mut Names,
    ) -> Checked<()> {
        let mut pending: Vec<usize> = files.into_iter().collect();
        while let Some(number) = pending.pop() {
            if self.of_library.contains_key(&number) {
                continue;
            }
            let Some((path, text)) = library::file(number) else { continue };
            let Some(unit) = sources.add(&path, text) else {
                return error(Span::NONE, "there is no room for the library; up to 4 GB of source are read");
            };
            let tokens = tokenize(sources.text(unit), sources.base(unit), names)?;
            pending.extend(self.likely(&tokens, names));
            self.of_library.insert(number, (unit, tokens));
        }
        self.of_library.sort_unstable_keys();
        Ok(())
    }

    /// The files that define what the text seems to call. What is missed is noticed when the calls are known.
    pub fn likely(&self, tokens: &Tokens, names: &Names) -> Vec<usize> {
        let mut found = Vec::new();
        for tokens in tokens.tokens.windows(3) {
            let [first, second, third] = tokens else { continue };
            let (TokenKind::Name(name), TokenKind::Punct(Punct::LeftParen)) = (first.kind, second.kind)
            else {
                continue;
            };
            let text = names.get(name);
            let plain = text.strip_prefix("__builtin_").unwrap_or(text);
            let is_empty =
                matches!(third.kind, TokenKind::Punct(Punct::RightParen) | TokenKind::Keyword(Keyword::Void));
            let arguments = (text == "main" && !is_empty).then(|| library::ARGUMENTS.to_string());
            let stands = [library::PREFIX, library::POINTER_PREFIX].map(|prefix| format!("{prefix}{plain}"));
            let all = stands.into_iter().chain(arguments).chain([text.to_string()]);
            found.extend(all.filter_map(|name| self.defined.get(&names.lookup(&name)?)).copied());
        }
        found
    }
}

impl Checker<'_> {
    /// Checks the units that define what is missing, and what they in turn need. Files of the library that are needed and were
    /// not read are noted.
    pub(super) fn models(&mut self, sources: &Sources, models: &Models) {
        let mut missing: Set<Symbol> = Set::default();
        let mut pending: Vec<&(TextId, Tokens)> =
            models.of_user.iter().chain(models.of_library.values()).collect();
        let mut scanned = 0;
        self.state.in_models = true;
        let of_library = models.of_library.values().map(|(unit, _)| sources.base(*unit));
        self.state.library_start = of_library.min().unwrap_or(u32::MAX);
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
            let files = missing.iter().filter_map(|name| models.defined.get(name));
            self.state.unread =
                files.filter(|file| !models.of_library.contains_key(*file)).copied().collect();
            if !self.state.unread.is_empty() {
                // Whatever the order of the names.
                self.state.unread.sort_unstable();
                self.state.unread.dedup();
                return;
            }
            let Some(next) = pending.iter().position(|(unit, tokens)| {
                let text = sources.text(*unit);
                let base = sources.base(*unit);
                tokens.tokens.iter().any(|token| match token.kind {
                    TokenKind::Name(name) => {
                        missing.contains(&name)
                            && library::is_definition(text, (token.span.start - base) as usize)
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
