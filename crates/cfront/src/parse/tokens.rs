//! Looking at and consuming tokens.

use super::{Parsed, Parser};
use crate::diagnostics::Diagnostic;
use crate::lex::{Keyword, Punct, Symbol, TokenKind};
use crate::source::Span;

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The token `ahead` after the next one; the end repeats.
    pub(super) fn peek_at(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    pub(super) fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(super) fn advance(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    pub(super) fn at(&self, punct: Punct) -> bool {
        self.peek() == TokenKind::Punct(punct)
    }

    pub(super) fn eat(&mut self, punct: Punct) -> Option<Span> {
        self.at(punct).then(|| self.advance())
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        (self.peek() == TokenKind::Keyword(keyword)).then(|| self.advance())
    }

    pub(super) fn expect(&mut self, punct: Punct, place: &str) -> Parsed<Span> {
        match self.eat(punct) {
            Some(span) => Ok(span),
            None => Err(self.error(format!("expected `{}` {place}", punct.text()))),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<(Symbol, Span)> {
        match self.peek() {
            TokenKind::Name(name) => Ok((name, self.advance())),
            _ => Err(self.error(format!("expected {what}"))),
        }
    }

    /// The bytes that a token was made of.
    pub(super) fn text_of(&self, span: Span) -> &'a [u8] {
        &self.text[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }

    /// An error at the next token, which is named.
    pub(super) fn error(&self, message: impl Into<String>) -> Box<Diagnostic> {
        let found = match self.peek() {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", String::from_utf8_lossy(self.text_of(self.span()))),
        };
        Box::new(Diagnostic::error(self.span(), format!("{}, found {found}", message.into())))
    }

    pub(super) fn is_typedef_name(&self, token: TokenKind) -> bool {
        matches!(token, TokenKind::Name(name) if self.typedefs.is_typedef[name.0 as usize])
    }

    /// Whether `token` begins a type name or declaration specifiers, storage classes included.
    pub(super) fn starts_specifiers(&self, token: TokenKind) -> bool {
        use Keyword::*;
        match token {
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Void | Char
                    | Short
                    | Int
                    | Long
                    | Float
                    | Double
                    | Signed
                    | Unsigned
                    | Bool
                    | Complex
                    | Imaginary
                    | Int128
                    | UnsignedInt128
                    | Float16
                    | Float128
                    | Float64x
                    | Float64
                    | Float32
                    | VaList
                    | SizeType
                    | Struct
                    | Union
                    | Enum
                    | Typeof
                    | AutoType
                    | Const
                    | Volatile
                    | Restrict
                    | Atomic
                    | Typedef
                    | Extern
                    | Static
                    | Auto
                    | Register
                    | Inline
                    | Noreturn
                    | ThreadLocal
                    | Alignas
                    | Attribute
            ),
            _ => self.is_typedef_name(token),
        }
    }

    /// Whether a declaration begins here; `__extension__` alone does not tell.
    pub(super) fn starts_declaration(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == TokenKind::Keyword(Keyword::Extension) {
            ahead += 1;
        }
        self.starts_specifiers(self.peek_at(ahead))
    }
}
