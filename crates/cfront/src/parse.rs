//! A recursive-descent parser for preprocessed C (C11 6.5 to 6.9, GNU extensions).
//!
//! Declarations come out one at a time ([`Parser::next_external`]), so that a large file is never held as
//! one tree. Whether a name is a typedef is tracked by scope: a parameter or local of the same name hides it.
//! Nesting deeper than [`MAX_NESTING`] is an error, for the parser's sake and for all who walk its trees.
//! After an error, parsing goes on after the declaration that it is in.

use crate::ast::{External, FunctionDefinition, StmtKind};
use crate::diagnostics::Diagnostic;
use crate::lex::{Keyword, Names, Pack, Punct, Symbol, Token, TokenKind, Tokens};
use crate::source::Span;

mod attribute;
mod declaration;
mod declarator;
mod expression;
mod primary;
mod statement;
mod tokens;

/// How deep statements, expressions, declarators and initialisers may nest, together.
pub const MAX_NESTING: usize = 1500;

/// A syntax error: boxed, because results are passed around a lot.
pub type Parsed<T> = Result<T, Box<Diagnostic>>;

pub struct Parser<'a> {
    text: &'a [u8],
    base: u32,
    tokens: &'a [Token],
    packs: &'a [Pack],
    names: &'a Names,
    at: usize,
    depth: usize,
    typedefs: Typedefs,
    warnings: Vec<Diagnostic>,
}

/// Which names are typedefs in the scope that the parser is in.
struct Typedefs {
    is_typedef: Vec<bool>,
    /// What to restore when the innermost scopes end.
    hidden: Vec<(Symbol, bool)>,
    scopes: Vec<usize>,
}

impl Typedefs {
    fn declare(&mut self, name: Symbol, is_typedef: bool) {
        let entry = &mut self.is_typedef[name.0 as usize];
        if *entry != is_typedef {
            if !self.scopes.is_empty() {
                self.hidden.push((name, *entry));
            }
            *entry = is_typedef;
        }
    }

    fn enter(&mut self) {
        self.scopes.push(self.hidden.len());
    }

    fn leave(&mut self) {
        let mark = self.scopes.pop().unwrap_or(0);
        for (name, was_typedef) in self.hidden.drain(mark..).rev() {
            self.is_typedef[name.0 as usize] = was_typedef;
        }
    }

    fn leave_to_file_scope(&mut self) {
        while !self.scopes.is_empty() {
            self.leave();
        }
    }
}

impl<'a> Parser<'a> {
    /// `tokens` are those of `text`, whose first byte has number `base`; all names must be in `names`.
    pub fn new(text: &'a [u8], base: u32, tokens: &'a Tokens, names: &'a Names) -> Parser<'a> {
        let is_typedef = vec![false; names.len()];
        Parser {
            text,
            base,
            tokens: &tokens.tokens,
            packs: &tokens.packs,
            names,
            at: 0,
            depth: 0,
            typedefs: Typedefs { is_typedef, hidden: Vec::new(), scopes: Vec::new() },
            warnings: Vec::new(),
        }
    }

    /// Warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    /// The next declaration or definition at file scope; `None` at the end of the text.
    pub fn next_external(&mut self) -> Option<Parsed<External>> {
        while self.eat(Punct::Semicolon).is_some() {}
        if self.peek() == TokenKind::End {
            return None;
        }
        let start = self.at;
        let result = self.external();
        if result.is_err() {
            self.recover(start);
        }
        Some(result)
    }

    /// How many tokens the parser has passed.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The statements of a rule's body, in braces.
    pub(crate) fn rule_body(&mut self) -> Parsed<Vec<crate::ast::Stmt>> {
        match self.block()?.kind {
            StmtKind::Block(stmts) => Ok(stmts),
            _ => Err(self.error("expected the body of the event")),
        }
    }

    fn external(&mut self) -> Parsed<External> {
        if self.peek() == TokenKind::Keyword(Keyword::Asm) {
            let start = self.span();
            self.asm_text()?;
            self.expect(Punct::Semicolon, "after the asm")?;
            return Ok(External::Asm(start));
        }
        if self.peek() == TokenKind::Keyword(Keyword::StaticAssert) {
            return Ok(External::StaticAssert(self.static_assert()?));
        }
        let start = self.span();
        let specifiers = self.specifiers(declaration::Context::File)?;
        if self.eat(Punct::Semicolon).is_some() {
            let span = start.to(self.previous_span());
            return Ok(External::Declaration(crate::ast::Declaration {
                specifiers,
                declarators: Vec::new(),
                span,
            }));
        }
        let declarator = self.declarator(declarator::Naming::Required)?;
        if declarator.is_function() && self.starts_function_body() {
            return self.function_definition(specifiers, declarator).map(External::Function);
        }
        if matches!(specifiers.ty, crate::ast::TypeSpecifier::Implicit) {
            self.warn_implicit_int(&declarator);
        }
        let declaration = self.declaration_after(specifiers, Some(declarator), start)?;
        Ok(External::Declaration(declaration))
    }

    /// `{`, or a declaration of an old-style parameter.
    fn starts_function_body(&self) -> bool {
        self.peek() == TokenKind::Punct(Punct::LeftBrace)
            || (self.starts_declaration()
                && !matches!(self.peek(), TokenKind::Keyword(Keyword::Attribute | Keyword::Asm)))
    }

    pub(crate) fn function_definition(
        &mut self,
        specifiers: crate::ast::Specifiers,
        declarator: crate::ast::Declarator,
    ) -> Parsed<Box<FunctionDefinition>> {
        if matches!(specifiers.ty, crate::ast::TypeSpecifier::Implicit) {
            self.warn_implicit_int(&declarator);
        }
        if let Some((name, _)) = declarator.name {
            self.typedefs.declare(name, false);
        }
        self.typedefs.enter();
        self.declare_params(&declarator);
        let mut old_style = Vec::new();
        while self.peek() != TokenKind::Punct(Punct::LeftBrace) {
            old_style.push(self.declaration()?);
        }
        let block = self.block()?;
        self.typedefs.leave();
        let end = self.previous_span();
        let StmtKind::Block(body) = block.kind else {
            return Err(self.error("expected the body of the function"));
        };
        Ok(Box::new(FunctionDefinition { specifiers, declarator, old_style, body, end }))
    }

    fn warn_implicit_int(&mut self, declarator: &crate::ast::Declarator) {
        let name = declarator.name.map_or("this", |(name, _)| self.names.get(name));
        let message = format!("`{name}` is declared without a type; `int` is assumed");
        self.warnings.push(Diagnostic::warning(declarator.span, message));
    }

    /// Skips past the declaration that begins at token `start` and could not be parsed: to a `;` or `}` that
    /// is in no braces.
    fn recover(&mut self, start: usize) {
        self.typedefs.leave_to_file_scope();
        self.depth = 0;
        let failed_at = self.at;
        self.at = start;
        let mut braces = 0usize;
        loop {
            let token = self.peek();
            if token == TokenKind::End {
                return;
            }
            self.at += 1;
            match token {
                TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                TokenKind::Punct(Punct::RightBrace) => {
                    braces = braces.saturating_sub(1);
                    if braces == 0 && self.at > failed_at {
                        return;
                    }
                }
                TokenKind::Punct(Punct::Semicolon) if braces == 0 && self.at > failed_at => return,
                _ => {}
            }
        }
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&self, span: Span) -> Box<Diagnostic> {
        Box::new(
            Diagnostic::unsupported(span, "the program is nested too deeply here")
                .with_help(format!("up to {MAX_NESTING} levels are read")),
        )
    }
}
