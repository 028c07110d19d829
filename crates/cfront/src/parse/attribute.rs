//! `__attribute__`, `_Alignas` and the texts of asm.

use super::{Parsed, Parser};
use crate::ast::Attribute;
use crate::diagnostics::Diagnostic;
use crate::lex::literal::{self, Encoding};
use crate::lex::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn attributes_if_any(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        while self.peek() == TokenKind::Keyword(Keyword::Attribute) {
            self.attributes(attributes)?;
        }
        Ok(())
    }

    /// `__attribute__((a, b(1, "x")))`
    pub(super) fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        self.advance();
        self.expect(Punct::LeftParen, "after `__attribute__`")?;
        self.expect(Punct::LeftParen, "after `__attribute__(`")?;
        while !self.at(Punct::RightParen) {
            if self.eat(Punct::Comma).is_some() {
                continue;
            }
            // Keywords are attributes too: `const`.
            let span = match self.peek() {
                TokenKind::Name(_) | TokenKind::Keyword(_) => self.advance(),
                _ => return Err(self.error("expected the name of an attribute")),
            };
            let text = String::from_utf8_lossy(self.text_of(span)).into_owned();
            let name = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(&text);
            let arguments = self.at(Punct::LeftParen);
            match name {
                "packed" => attributes.push(Attribute::Packed),
                "noreturn" => attributes.push(Attribute::NoReturn),
                "transparent_union" => attributes.push(Attribute::TransparentUnion),
                "cleanup" if arguments => {
                    self.advance();
                    let (function, function_span) = self.name("the function that cleans up")?;
                    self.expect(Punct::RightParen, "after the function")?;
                    attributes.push(Attribute::Cleanup(function, function_span));
                    continue;
                }
                "weak" | "weak_import" => attributes.push(Attribute::Weak),
                "scalar_storage_order" => attributes.push(Attribute::ScalarStorageOrder(span)),
                "constructor" | "destructor" => {
                    let priority = match arguments {
                        false => None,
                        true => {
                            self.advance();
                            let priority = self.nested(|p| p.conditional())?;
                            self.expect(Punct::RightParen, "after the priority")?;
                            Some(Box::new(priority))
                        }
                    };
                    attributes.push(match name {
                        "constructor" => Attribute::Constructor(priority),
                        _ => Attribute::Destructor(priority),
                    });
                    continue;
                }
                "aligned" if arguments => {
                    self.advance();
                    let value = self.nested(|p| p.conditional())?;
                    self.expect(Punct::RightParen, "after the alignment")?;
                    attributes.push(Attribute::Aligned(Some(Box::new(value))));
                    continue;
                }
                "vector_size" if arguments => {
                    self.advance();
                    let bytes = self.nested(|p| p.conditional())?;
                    self.expect(Punct::RightParen, "after the size")?;
                    attributes.push(Attribute::VectorSize(Box::new(bytes)));
                    continue;
                }
                "aligned" => attributes.push(Attribute::Aligned(None)),
                "mode" if arguments => {
                    self.advance();
                    let (mode, mode_span) = self.name("a machine mode")?;
                    self.expect(Punct::RightParen, "after the mode")?;
                    attributes.push(Attribute::Mode(mode, mode_span));
                    continue;
                }
                "alias" if arguments => {
                    self.advance();
                    let target = self.plain_string("the name of the aliased symbol")?;
                    self.expect(Punct::RightParen, "after the alias")?;
                    attributes.push(Attribute::Alias(target, span));
                    continue;
                }
                _ => {}
            }
            if arguments {
                self.skip_parenthesized()?;
            }
        }
        self.expect(Punct::RightParen, "after the attributes")?;
        self.expect(Punct::RightParen, "after the attributes")?;
        Ok(())
    }

    pub(super) fn alignas(&mut self) -> Parsed<Attribute> {
        self.advance();
        self.expect(Punct::LeftParen, "after `_Alignas`")?;
        let attribute = if self.starts_specifiers(self.peek()) {
            Attribute::AlignedAs(Box::new(self.type_name()?))
        } else {
            Attribute::Aligned(Some(Box::new(self.nested(|p| p.conditional())?)))
        };
        self.expect(Punct::RightParen, "after the alignment")?;
        Ok(attribute)
    }

    /// Skips from `(` through the matching `)`.
    fn skip_parenthesized(&mut self) -> Parsed<()> {
        let start = self.span();
        let mut open = 0usize;
        loop {
            match self.peek() {
                TokenKind::Punct(Punct::LeftParen) => open += 1,
                TokenKind::Punct(Punct::RightParen) => open -= 1,
                TokenKind::End => {
                    return Err(Box::new(Diagnostic::error(start, "this parenthesis is not closed")));
                }
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// `asm("text")`, as a name of a declaration or at file scope.
    pub(super) fn asm_text(&mut self) -> Parsed<String> {
        self.advance();
        while self.eat_keyword(Keyword::Volatile).is_some() || self.eat_keyword(Keyword::Inline).is_some() {}
        self.expect(Punct::LeftParen, "after `asm`")?;
        let text = self.plain_string("the text of the asm")?;
        self.expect(Punct::RightParen, "after the asm")?;
        Ok(text)
    }

    /// Adjacent narrow strings as text for the machine, not for the program.
    pub(super) fn plain_string(&mut self, what: &str) -> Parsed<String> {
        if self.peek() != TokenKind::String {
            return Err(self.error(format!("expected {what} as a string")));
        }
        let mut bytes = Vec::new();
        while self.peek() == TokenKind::String {
            let span = self.advance();
            let (_, units) = literal::string(self.text_of(span), Some(Encoding::Narrow))
                .map_err(|message| Box::new(Diagnostic::error(span, message)))?;
            bytes.extend(units.iter().map(|&unit| unit as u8));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
