//! Expressions from the comma operator down to casts (C11 6.5); [`super::primary`] has the rest.

use super::{Parsed, Parser};
use crate::ast::{Alignment, Expr, ExprKind, UnaryOp};
use crate::hir::{BinaryOp, LogicalOp};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;

#[derive(Clone, Copy)]
enum Operator {
    Binary(BinaryOp),
    Logical(LogicalOp),
}

/// The operator and how tightly it binds.
fn binary_operator(token: TokenKind) -> Option<(Operator, u8)> {
    use BinaryOp::*;
    use Operator::*;
    let TokenKind::Punct(punct) = token else { return None };
    Some(match punct {
        Punct::OrOr => (Logical(LogicalOp::Or), 1),
        Punct::AndAnd => (Logical(LogicalOp::And), 2),
        Punct::Or => (Binary(BitOr), 3),
        Punct::Xor => (Binary(BitXor), 4),
        Punct::And => (Binary(BitAnd), 5),
        Punct::EqEq => (Binary(Eq), 6),
        Punct::Ne => (Binary(Ne), 6),
        Punct::Lt => (Binary(Lt), 7),
        Punct::Gt => (Binary(Gt), 7),
        Punct::Le => (Binary(Le), 7),
        Punct::Ge => (Binary(Ge), 7),
        Punct::Shl => (Binary(Shl), 8),
        Punct::Shr => (Binary(Shr), 8),
        Punct::Plus => (Binary(Add), 9),
        Punct::Minus => (Binary(Sub), 9),
        Punct::Star => (Binary(Mul), 10),
        Punct::Slash => (Binary(Div), 10),
        Punct::Percent => (Binary(Rem), 10),
        _ => return None,
    })
}

fn assignment_operator(token: TokenKind) -> Option<Option<BinaryOp>> {
    let TokenKind::Punct(punct) = token else { return None };
    Some(Some(match punct {
        Punct::Assign => return Some(None),
        Punct::AddAssign => BinaryOp::Add,
        Punct::SubAssign => BinaryOp::Sub,
        Punct::MulAssign => BinaryOp::Mul,
        Punct::DivAssign => BinaryOp::Div,
        Punct::RemAssign => BinaryOp::Rem,
        Punct::ShlAssign => BinaryOp::Shl,
        Punct::ShrAssign => BinaryOp::Shr,
        Punct::AndAssign => BinaryOp::BitAnd,
        Punct::OrAssign => BinaryOp::BitOr,
        Punct::XorAssign => BinaryOp::BitXor,
        _ => return None,
    }))
}

impl Parser<'_> {
    /// An expression over operands of which the highest has height `below`.
    pub(super) fn node(&self, kind: ExprKind, span: Span, below: u32) -> Parsed<Expr> {
        if self.depth + below as usize >= super::MAX_NESTING {
            return Err(self.too_deep(span));
        }
        Ok(Expr { kind, span, height: below + 1 })
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        while self.eat(Punct::Comma).is_some() {
            let right = self.assignment()?;
            let (span, below) = (left.span.to(right.span), left.height.max(right.height));
            left = self.node(ExprKind::Comma(Box::new(left), Box::new(right)), span, below)?;
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let left = self.conditional()?;
        let Some(op) = assignment_operator(self.peek()) else { return Ok(left) };
        self.advance();
        let right = self.nested(|p| p.assignment())?;
        let (span, below) = (left.span.to(right.span), left.height.max(right.height));
        self.node(ExprKind::Assign(op, Box::new(left), Box::new(right)), span, below)
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if self.eat(Punct::Question).is_none() {
            return Ok(condition);
        }
        let then = match self.at(Punct::Colon) {
            true => None,
            false => Some(Box::new(self.nested(|p| p.expression())?)),
        };
        self.expect(Punct::Colon, "of the conditional expression")?;
        let otherwise = self.nested(|p| p.conditional())?;
        let span = condition.span.to(otherwise.span);
        let then_height = then.as_ref().map_or(0, |e| e.height);
        let below = condition.height.max(otherwise.height).max(then_height);
        self.node(ExprKind::Conditional(Box::new(condition), then, Box::new(otherwise)), span, below)
    }

    /// Operators that bind tighter than `minimum`, by precedence climbing.
    fn binary(&mut self, minimum: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        while let Some((operator, precedence)) = binary_operator(self.peek()) {
            if precedence <= minimum {
                break;
            }
            self.advance();
            let right = self.nested(|p| p.binary(precedence))?;
            let (span, below) = (left.span.to(right.span), left.height.max(right.height));
            let (a, b) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Operator::Binary(op) => ExprKind::Binary(op, a, b),
                Operator::Logical(op) => ExprKind::Logical(op, a, b),
            };
            left = self.node(kind, span, below)?;
        }
        Ok(left)
    }

    pub(super) fn cast(&mut self) -> Parsed<Expr> {
        if !(self.at(Punct::LeftParen) && self.starts_type(1)) {
            return self.unary();
        }
        let start = self.advance();
        let ty = self.type_name()?;
        self.expect(Punct::RightParen, "after the type")?;
        if self.at(Punct::LeftBrace) {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix_of(literal);
        }
        let operand = self.nested(|p| p.cast())?;
        let (span, below) = (start.to(operand.span), operand.height);
        self.node(ExprKind::Cast(Box::new(ty), Box::new(operand)), span, below)
    }

    /// Whether a type name begins `ahead` tokens from here.
    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        let mut ahead = ahead;
        while self.peek_at(ahead) == TokenKind::Keyword(Keyword::Extension) {
            ahead += 1;
        }
        self.starts_specifiers(self.peek_at(ahead))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Neg,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            TokenKind::Punct(Punct::Not) => UnaryOp::Not,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::And) => UnaryOp::AddressOf,
            TokenKind::Punct(Punct::Increment) => UnaryOp::PreIncrement,
            TokenKind::Punct(Punct::Decrement) => UnaryOp::PreDecrement,
            TokenKind::Keyword(Keyword::Real) => UnaryOp::Real,
            TokenKind::Keyword(Keyword::Imag) => UnaryOp::Imag,
            TokenKind::Keyword(Keyword::Extension) => {
                self.advance();
                return self.nested(|p| p.cast());
            }
            TokenKind::Punct(Punct::AndAnd) => {
                let start = self.advance();
                let (label, span) = self.name("a label")?;
                return self.node(ExprKind::LabelAddress(label), start.to(span), 0);
            }
            TokenKind::Keyword(Keyword::Sizeof) => return self.size_or_alignment(None),
            TokenKind::Keyword(Keyword::Alignof) => return self.size_or_alignment(Some(Alignment::Least)),
            TokenKind::Keyword(Keyword::PreferredAlignof) => {
                return self.size_or_alignment(Some(Alignment::Preferred));
            }
            _ => return self.postfix(),
        };
        let start = self.advance();
        let operand = self.nested(|p| p.cast())?;
        let (span, below) = (start.to(operand.span), operand.height);
        self.node(ExprKind::Unary(op, Box::new(operand)), span, below)
    }

    /// The size, if it is not an alignment.
    fn size_or_alignment(&mut self, alignment: Option<Alignment>) -> Parsed<Expr> {
        let start = self.advance();
        if self.at(Punct::LeftParen) && self.starts_type(1) {
            let open = self.advance();
            let ty = self.type_name()?;
            let end = self.expect(Punct::RightParen, "after the type")?;
            if !self.at(Punct::LeftBrace) {
                let ty = Box::new(ty);
                let kind = match alignment {
                    None => ExprKind::SizeofType(ty),
                    Some(alignment) => ExprKind::AlignofType(alignment, ty),
                };
                return self.node(kind, start.to(end), 0);
            }
            let literal = self.compound_literal(ty, open)?;
            let operand = self.postfix_of(literal)?;
            return self.size_of_operand(start, operand, alignment);
        }
        let operand = self.nested(|p| p.unary())?;
        self.size_of_operand(start, operand, alignment)
    }

    fn size_of_operand(&mut self, start: Span, operand: Expr, alignment: Option<Alignment>) -> Parsed<Expr> {
        let (span, below) = (start.to(operand.span), operand.height);
        let operand = Box::new(operand);
        let kind = match alignment {
            None => ExprKind::SizeofExpr(operand),
            Some(alignment) => ExprKind::AlignofExpr(alignment, operand),
        };
        self.node(kind, span, below)
    }
}
