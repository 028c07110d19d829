//! Postfix and primary expressions (C11 6.5.1, 6.5.2), with the built-ins that have their own syntax.

use super::{Parsed, Parser};
use crate::ast::{Designator, Expr, ExprKind, StmtKind, StringLiteral, TypeName, UnaryOp};
use crate::diagnostics::Diagnostic;
use crate::lex::literal::{self, Encoding, Number};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    pub(super) fn postfix_of(&mut self, expr: Expr) -> Parsed<Expr> {
        let mut expr = expr;
        loop {
            let start = expr.span;
            let below = expr.height;
            expr = match self.peek() {
                TokenKind::Punct(Punct::LeftBracket) => {
                    self.advance();
                    let index = self.nested(|p| p.expression())?;
                    let end = self.expect(Punct::RightBracket, "after the index")?;
                    let below = below.max(index.height);
                    self.node(ExprKind::Index(Box::new(expr), Box::new(index)), start.to(end), below)?
                }
                TokenKind::Punct(Punct::LeftParen) => {
                    self.advance();
                    let args = self.nested(|p| p.arguments())?;
                    let below = args.iter().map(|arg| arg.height).fold(below, u32::max);
                    let end = self.previous_span();
                    self.node(ExprKind::Call(Box::new(expr), args), start.to(end), below)?
                }
                TokenKind::Punct(punct @ (Punct::Dot | Punct::Arrow)) => {
                    self.advance();
                    let (name, name_span) = self.name("the name of a member")?;
                    let arrow = punct == Punct::Arrow;
                    let kind = ExprKind::Member { object: Box::new(expr), name, arrow, name_span };
                    self.node(kind, start.to(name_span), below)?
                }
                TokenKind::Punct(punct @ (Punct::Increment | Punct::Decrement)) => {
                    let end = self.advance();
                    let op = match punct {
                        Punct::Increment => UnaryOp::PostIncrement,
                        _ => UnaryOp::PostDecrement,
                    };
                    self.node(ExprKind::Unary(op, Box::new(expr)), start.to(end), below)?
                }
                _ => return Ok(expr),
            };
        }
    }

    /// Behind the opening parenthesis, through the closing one.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(Punct::RightParen).is_some() {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect(Punct::RightParen, "after the arguments")?;
        Ok(args)
    }

    pub(super) fn compound_literal(&mut self, ty: TypeName, start: Span) -> Parsed<Expr> {
        let list = self.init_list()?;
        let span = start.to(list.span);
        self.node(ExprKind::CompoundLiteral(Box::new(ty), list), span, 0)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let bad = |message: String| Box::new(Diagnostic::error(span, message));
        match self.peek() {
            TokenKind::Name(name) => {
                self.advance();
                self.node(ExprKind::Name(name), span, 0)
            }
            TokenKind::Number => {
                self.advance();
                let text = String::from_utf8_lossy(self.text_of(span));
                let kind = match literal::number(&text).map_err(bad)? {
                    Number::Int(literal) => ExprKind::Int(literal),
                    Number::Float(literal) => ExprKind::Float(literal),
                };
                self.node(kind, span, 0)
            }
            TokenKind::Char => {
                self.advance();
                let (encoding, value) = literal::character(self.text_of(span)).map_err(bad)?;
                self.node(ExprKind::Char(encoding, value), span, 0)
            }
            TokenKind::String => {
                let literal = self.string_literal()?;
                self.node(ExprKind::String(literal), span.to(self.previous_span()), 0)
            }
            TokenKind::Punct(Punct::LeftParen) => {
                self.advance();
                if self.at(Punct::LeftBrace) {
                    let block = self.nested(|p| p.block())?;
                    let end = self.expect(Punct::RightParen, "after the statement expression")?;
                    let StmtKind::Block(stmts) = block.kind else {
                        return Err(self.error("expected statements"));
                    };
                    return self.node(ExprKind::Statement(stmts), span.to(end), 0);
                }
                let mut expr = self.nested(|p| p.expression())?;
                let end = self.expect(Punct::RightParen, "after the expression")?;
                expr.span = span.to(end);
                Ok(expr)
            }
            TokenKind::Keyword(keyword) => self.builtin(keyword),
            _ => Err(self.error("expected an expression")),
        }
    }

    /// Adjacent strings are one; a prefix of any of them holds for all.
    fn string_literal(&mut self) -> Parsed<StringLiteral> {
        let first = self.at;
        let mut encoding = Encoding::Narrow;
        while self.peek() == TokenKind::String {
            let span = self.advance();
            match self.text_of(span)[0] {
                b'L' => encoding = Encoding::Wide,
                b'U' => encoding = Encoding::Char32,
                b'u' if !self.text_of(span).starts_with(b"u8") => encoding = Encoding::Char16,
                _ => {}
            }
        }
        let mut units = Vec::new();
        for token in &self.tokens[first..self.at] {
            let (_, more) = literal::string(self.text_of(token.span), Some(encoding))
                .map_err(|message| Box::new(Diagnostic::error(token.span, message)))?;
            units.extend(more);
        }
        Ok(StringLiteral { encoding, units })
    }

    fn builtin(&mut self, keyword: Keyword) -> Parsed<Expr> {
        let is_builtin = matches!(
            keyword,
            Keyword::Generic
                | Keyword::VaArg
                | Keyword::ConvertVector
                | Keyword::Offsetof
                | Keyword::TypesCompatible
                | Keyword::ChooseExpr
        );
        if !is_builtin {
            return Err(self.error("expected an expression"));
        }
        let start = self.advance();
        self.expect(Punct::LeftParen, "after the built-in")?;
        let kind = self.nested(|p| match keyword {
            Keyword::Generic => p.generic_selection(),
            Keyword::VaArg => {
                let list = p.assignment()?;
                p.expect(Punct::Comma, "after the argument list")?;
                Ok(ExprKind::VaArg(Box::new(list), Box::new(p.type_name()?)))
            }
            Keyword::ConvertVector => {
                let vector = p.assignment()?;
                p.expect(Punct::Comma, "after the vector")?;
                Ok(ExprKind::ConvertVector(Box::new(vector), Box::new(p.type_name()?)))
            }
            Keyword::Offsetof => {
                let ty = p.type_name()?;
                p.expect(Punct::Comma, "after the type")?;
                Ok(ExprKind::Offsetof(Box::new(ty), p.member_path()?))
            }
            Keyword::TypesCompatible => {
                let left = p.type_name()?;
                p.expect(Punct::Comma, "after the type")?;
                Ok(ExprKind::TypesCompatible(Box::new((left, p.type_name()?))))
            }
            _ => {
                let condition = p.assignment()?;
                p.expect(Punct::Comma, "after the condition")?;
                let then = p.assignment()?;
                p.expect(Punct::Comma, "after the first choice")?;
                Ok(ExprKind::ChooseExpr(Box::new((condition, then, p.assignment()?))))
            }
        })?;
        let end = self.expect(Punct::RightParen, "after the built-in's arguments")?;
        self.node(kind, start.to(end), 1)
    }

    fn generic_selection(&mut self) -> Parsed<ExprKind> {
        let controlling = self.assignment()?;
        let mut choices = Vec::new();
        while self.eat(Punct::Comma).is_some() {
            let ty = match self.eat_keyword(Keyword::Default) {
                Some(_) => None,
                None => Some(self.type_name()?),
            };
            self.expect(Punct::Colon, "after the type")?;
            choices.push((ty, self.assignment()?));
        }
        Ok(ExprKind::Generic(Box::new(controlling), choices))
    }

    /// `a.b[2].c`
    fn member_path(&mut self) -> Parsed<Vec<Designator>> {
        let (name, span) = self.name("the name of a member")?;
        let mut path = vec![Designator::Field(name, span)];
        loop {
            if self.eat(Punct::Dot).is_some() {
                let (name, span) = self.name("the name of a member")?;
                path.push(Designator::Field(name, span));
            } else if self.eat(Punct::LeftBracket).is_some() {
                let index = self.nested(|p| p.expression())?;
                self.expect(Punct::RightBracket, "after the index")?;
                path.push(Designator::Index(index));
            } else {
                return Ok(path);
            }
        }
    }
}
