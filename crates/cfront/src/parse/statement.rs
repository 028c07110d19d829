//! Statements (C11 6.8).

use super::declaration::Context;
use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::ast::{Asm, AsmOperand, Expr, Stmt, StmtKind};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// `{ ... }`, a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Stmt> {
        let start = self.expect(Punct::LeftBrace, "before the statements")?;
        self.typedefs.enter();
        let mut stmts = Vec::new();
        while !self.at(Punct::RightBrace) {
            if self.peek() == TokenKind::End {
                let mut error = self.error("expected `}`");
                error.help = Some("a brace opened before is not closed".to_string());
                return Err(error);
            }
            let stmt = self.nested(|p| p.block_item())?;
            stmts.push(stmt);
        }
        let end = self.advance();
        self.typedefs.leave();
        Ok(Stmt { kind: StmtKind::Block(stmts), span: start.to(end) })
    }

    fn block_item(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        if let Some(label) = self.label()? {
            return Ok(label);
        }
        if self.peek() == TokenKind::Keyword(Keyword::StaticAssert) {
            let assertion = self.static_assert()?;
            return Ok(Stmt { span: assertion.span, kind: StmtKind::StaticAssert(assertion) });
        }
        if self.peek() == TokenKind::Keyword(Keyword::Label) {
            return self.local_labels();
        }
        // `__attribute__((fallthrough));` is a statement.
        if self.peek() == TokenKind::Keyword(Keyword::Attribute) && self.attribute_statement() {
            self.attributes_if_any(&mut Vec::new())?;
            self.expect(Punct::Semicolon, "after the attribute")?;
            return Ok(Stmt { kind: StmtKind::Empty, span: start });
        }
        if self.starts_declaration() {
            return self.declaration_or_function(start);
        }
        self.unlabelled()
    }

    /// A declaration, or a function within this one.
    fn declaration_or_function(&mut self, start: Span) -> Parsed<Stmt> {
        let specifiers = self.specifiers(Context::Block)?;
        let declarator = match self.at(Punct::Semicolon) {
            true => None,
            false => Some(self.declarator(Naming::Required)?),
        };
        let declaration = match declarator {
            Some(declarator) if declarator.is_function() && self.at(Punct::LeftBrace) => {
                let definition = self.function_definition(specifiers, declarator)?;
                let span = start.to(self.previous_span());
                return Ok(Stmt { span, kind: StmtKind::Function(definition) });
            }
            declarator => self.declaration_after(specifiers, declarator, start)?,
        };
        Ok(Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) })
    }

    /// Whether the attribute here is followed by a semicolon.
    fn attribute_statement(&self) -> bool {
        let mut ahead = 1;
        let mut open = 0usize;
        loop {
            match self.peek_at(ahead) {
                TokenKind::Punct(Punct::LeftParen) => open += 1,
                TokenKind::Punct(Punct::RightParen) => open = open.saturating_sub(1),
                TokenKind::End => return false,
                _ => {}
            }
            ahead += 1;
            if open == 0 {
                return self.peek_at(ahead) == TokenKind::Punct(Punct::Semicolon);
            }
        }
    }

    fn local_labels(&mut self) -> Parsed<Stmt> {
        let start = self.advance();
        let mut labels = Vec::new();
        loop {
            labels.push(self.name("a label")?);
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        let end = self.expect(Punct::Semicolon, "after the labels")?;
        Ok(Stmt { kind: StmtKind::LocalLabels(labels), span: start.to(end) })
    }

    fn label(&mut self) -> Parsed<Option<Stmt>> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Name(name) if self.peek_at(1) == TokenKind::Punct(Punct::Colon) => {
                self.advance();
                StmtKind::Label(name)
            }
            TokenKind::Keyword(Keyword::Case) => {
                self.advance();
                let low = self.nested(|p| p.conditional())?;
                let high = match self.eat(Punct::Ellipsis) {
                    Some(_) => Some(self.nested(|p| p.conditional())?),
                    None => None,
                };
                StmtKind::Case { low, high }
            }
            TokenKind::Keyword(Keyword::Default) => {
                self.advance();
                StmtKind::Default
            }
            _ => return Ok(None),
        };
        let end = self.expect(Punct::Colon, "after the label")?;
        if self.peek() == TokenKind::Keyword(Keyword::Attribute) {
            self.attributes_if_any(&mut Vec::new())?;
        }
        Ok(Some(Stmt { kind, span: start.to(end) }))
    }

    /// A statement that is not directly in a block; with its labels it becomes a block.
    fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let start = p.span();
            let mut labels = Vec::new();
            while let Some(label) = p.label()? {
                labels.push(label);
            }
            if labels.is_empty() {
                return p.unlabelled();
            }
            if !p.at(Punct::RightBrace) {
                labels.push(p.unlabelled()?);
            }
            let span = start.to(p.previous_span());
            Ok(Stmt { kind: StmtKind::Block(labels), span })
        })
    }

    fn unlabelled(&mut self) -> Parsed<Stmt> {
        self.attributes_if_any(&mut Vec::new())?;
        let start = self.span();
        let keyword = match self.peek() {
            TokenKind::Punct(Punct::LeftBrace) => return self.block(),
            TokenKind::Punct(Punct::Semicolon) => {
                self.advance();
                return Ok(Stmt { kind: StmtKind::Empty, span: start });
            }
            TokenKind::Keyword(keyword) => keyword,
            _ => return self.expression_statement(),
        };
        let kind = match keyword {
            Keyword::If => self.if_statement()?,
            Keyword::While => {
                self.advance();
                let condition = self.condition("while")?;
                StmtKind::While { condition, body: Box::new(self.statement()?) }
            }
            Keyword::Do => {
                self.advance();
                let body = Box::new(self.statement()?);
                if self.eat_keyword(Keyword::While).is_none() {
                    return Err(self.error("expected `while` after the body of `do`"));
                }
                let condition = self.condition("while")?;
                self.expect(Punct::Semicolon, "after `do ... while`")?;
                StmtKind::DoWhile { body, condition }
            }
            Keyword::For => self.for_statement()?,
            Keyword::Switch => {
                self.advance();
                let value = self.condition("switch")?;
                StmtKind::Switch { value, body: Box::new(self.statement()?) }
            }
            Keyword::Goto => self.goto_statement()?,
            Keyword::Break | Keyword::Continue => {
                self.advance();
                self.expect(Punct::Semicolon, "after the jump")?;
                if keyword == Keyword::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Keyword::Return => {
                self.advance();
                let value = match self.at(Punct::Semicolon) {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect(Punct::Semicolon, "after `return`")?;
                StmtKind::Return(value)
            }
            Keyword::Asm => StmtKind::Asm(Box::new(self.asm_statement()?)),
            _ => return self.expression_statement(),
        };
        Ok(Stmt { kind, span: start.to(self.previous_span()) })
    }

    fn expression_statement(&mut self) -> Parsed<Stmt> {
        if let (TokenKind::Name(_), TokenKind::Name(_)) = (self.peek(), self.peek_at(1)) {
            let name = String::from_utf8_lossy(self.text_of(self.span())).into_owned();
            let mut error = self.error(format!("unknown type name `{name}`"));
            error.message = format!("unknown type name `{name}`");
            if super::declaration::is_not_modelled(&name) {
                error.message = format!("the type `{name}` is not modelled");
                error.unsupported = true;
            }
            return Err(error);
        }
        let expr = self.expression()?;
        let end = self.expect(Punct::Semicolon, "after the expression")?;
        let span = expr.span.to(end);
        Ok(Stmt { kind: StmtKind::Expr(expr), span })
    }

    fn condition(&mut self, keyword: &str) -> Parsed<Expr> {
        self.expect(Punct::LeftParen, &format!("after `{keyword}`"))?;
        let condition = self.nested(|p| p.expression())?;
        self.expect(Punct::RightParen, "after the condition")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition("if")?;
        let then = Box::new(self.statement()?);
        let otherwise = match self.eat_keyword(Keyword::Else) {
            Some(_) => Some(Box::new(self.statement()?)),
            None => None,
        };
        Ok(StmtKind::If { condition, then, otherwise })
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Punct::LeftParen, "after `for`")?;
        self.typedefs.enter();
        let init = if self.starts_declaration() {
            let declaration = self.declaration()?;
            Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) }
        } else if let Some(span) = self.eat(Punct::Semicolon) {
            Stmt { kind: StmtKind::Empty, span }
        } else {
            self.expression_statement()?
        };
        let condition = match self.at(Punct::Semicolon) {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(Punct::Semicolon, "after the condition of `for`")?;
        let step = match self.at(Punct::RightParen) {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(Punct::RightParen, "after the step of `for`")?;
        let body = Box::new(self.statement()?);
        self.typedefs.leave();
        Ok(StmtKind::For { init: Box::new(init), condition, step, body })
    }

    fn goto_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let kind = if self.eat(Punct::Star).is_some() {
            StmtKind::ComputedGoto(self.expression()?)
        } else {
            let (label, span) = self.name("a label")?;
            StmtKind::Goto(label, span)
        };
        self.expect(Punct::Semicolon, "after `goto`")?;
        Ok(kind)
    }

    fn asm_statement(&mut self) -> Parsed<Asm> {
        self.advance();
        let mut volatile = false;
        loop {
            match self.peek() {
                TokenKind::Keyword(Keyword::Volatile) => volatile = true,
                TokenKind::Keyword(Keyword::Goto | Keyword::Inline) => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(Punct::LeftParen, "after `asm`")?;
        let mut asm = Asm {
            template: self.plain_string("the text of the asm")?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            volatile,
        };
        if self.eat(Punct::Colon).is_some() {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon).is_some() {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Punct::Colon).is_some() {
            while self.peek() == TokenKind::String {
                asm.clobbers.push(self.plain_string("a clobbered register")?);
                self.eat(Punct::Comma);
            }
        }
        if self.eat(Punct::Colon).is_some() {
            while let TokenKind::Name(label) = self.peek() {
                asm.labels.push((label, self.advance()));
                self.eat(Punct::Comma);
            }
        }
        self.expect(Punct::RightParen, "after the asm")?;
        self.expect(Punct::Semicolon, "after the asm")?;
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.peek(), TokenKind::String | TokenKind::Punct(Punct::LeftBracket)) {
            if self.eat(Punct::LeftBracket).is_some() {
                self.name("the name of an operand")?;
                self.expect(Punct::RightBracket, "after the name of the operand")?;
            }
            let constraint = self.plain_string("a constraint")?;
            self.expect(Punct::LeftParen, "before the operand")?;
            let value = self.nested(|p| p.expression())?;
            self.expect(Punct::RightParen, "after the operand")?;
            operands.push(AsmOperand { constraint, value });
            self.eat(Punct::Comma);
        }
        Ok(operands)
    }
}
