//! Declarators and parameter lists (C11 6.7.6).

use super::declaration::Context;
use super::{Parsed, Parser};
use crate::ast::{Declarator, Derived, FunctionDeclarator, Param};
use crate::lex::{Keyword, Punct, TokenKind};
use crate::types::Qualifiers;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Required,
    Allowed,
    Forbidden,
}

impl Declarator {
    /// Whether it declares a function, as opposed to a pointer to one.
    pub fn is_function(&self) -> bool {
        matches!(self.derived.first(), Some(Derived::Function(_)))
    }
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let start = self.span();
        let mut attributes = Vec::new();
        self.attributes_if_any(&mut attributes)?;
        let mut pointers = Vec::new();
        while self.eat(Punct::Star).is_some() {
            if self.depth + pointers.len() >= super::MAX_NESTING {
                return Err(self.too_deep(start));
            }
            pointers.push(Derived::Pointer(self.pointer_qualifiers(&mut attributes)?));
        }
        let mut declarator = Declarator { name: None, derived: Vec::new(), span: start, attributes };
        match self.peek() {
            TokenKind::Name(name) if naming != Naming::Forbidden => {
                declarator.name = Some((name, self.advance()));
            }
            TokenKind::Punct(Punct::LeftParen) if self.groups(naming) => {
                self.advance();
                let inner = self.nested(|p| p.declarator(naming))?;
                self.expect(Punct::RightParen, "after the declarator")?;
                declarator.name = inner.name;
                declarator.derived = inner.derived;
                declarator.attributes.extend(inner.attributes);
            }
            _ if naming == Naming::Required => return Err(self.error("expected a name to declare")),
            _ => {}
        }
        loop {
            if self.depth + declarator.derived.len() >= super::MAX_NESTING {
                return Err(self.too_deep(start));
            }
            if self.at(Punct::LeftBracket) {
                declarator.derived.push(self.array_suffix()?);
            } else if self.at(Punct::LeftParen) {
                declarator.derived.push(self.function_suffix()?);
            } else {
                break;
            }
        }
        declarator.derived.extend(pointers.into_iter().rev());
        let end = self.previous_span();
        declarator.span = match declarator.name {
            Some((_, name_span)) => name_span,
            None if end.start >= start.start => start.to(end),
            None => start,
        };
        Ok(declarator)
    }

    /// Whether the parenthesis here holds a declarator: `(*f)(int)`, not the parameters of `int (int)`.
    fn groups(&self, naming: Naming) -> bool {
        if naming == Naming::Required {
            return true;
        }
        match self.peek_at(1) {
            TokenKind::Punct(Punct::RightParen) => false,
            TokenKind::Keyword(Keyword::Attribute) => true,
            TokenKind::Punct(_) => true,
            token => !self.starts_specifiers(token) && naming == Naming::Allowed,
        }
    }

    fn array_suffix(&mut self) -> Parsed<Derived> {
        let start = self.advance();
        let mut quals = Qualifiers::NONE;
        loop {
            let before = self.at;
            quals = quals.union(self.pointer_qualifiers(&mut Vec::new())?);
            self.eat_keyword(Keyword::Static);
            if self.at == before {
                break;
            }
        }
        let star = self.at(Punct::Star) && self.peek_at(1) == TokenKind::Punct(Punct::RightBracket);
        let length = if star {
            self.advance();
            None
        } else if self.at(Punct::RightBracket) {
            None
        } else {
            Some(Box::new(self.nested(|p| p.assignment())?))
        };
        let end = self.expect(Punct::RightBracket, "after the length of the array")?;
        Ok(Derived::Array { quals, length, star, span: start.to(end) })
    }

    fn function_suffix(&mut self) -> Parsed<Derived> {
        self.advance();
        self.typedefs.enter();
        let function = self.nested(|p| p.params());
        self.typedefs.leave();
        Ok(Derived::Function(Box::new(function?)))
    }

    /// Behind the opening parenthesis, through the closing one.
    fn params(&mut self) -> Parsed<FunctionDeclarator> {
        let mut function =
            FunctionDeclarator { params: Vec::new(), variadic: false, names: Vec::new(), prototyped: true };
        if self.eat(Punct::RightParen).is_some() {
            function.prototyped = false;
            return Ok(function);
        }
        let is_void = self.peek() == TokenKind::Keyword(Keyword::Void);
        if is_void && self.peek_at(1) == TokenKind::Punct(Punct::RightParen) {
            self.advance();
            self.advance();
            return Ok(function);
        }
        if matches!(self.peek(), TokenKind::Name(_)) && !self.is_typedef_name(self.peek()) {
            function.prototyped = false;
            loop {
                function.names.push(self.name("the name of a parameter")?);
                if self.eat(Punct::Comma).is_none() {
                    break;
                }
            }
            self.expect(Punct::RightParen, "after the parameters")?;
            return Ok(function);
        }
        loop {
            if self.eat(Punct::Ellipsis).is_some() {
                function.variadic = true;
                break;
            }
            let specifiers = self.specifiers(Context::Type)?;
            let mut declarator = self.declarator(Naming::Allowed)?;
            let mut attributes = Vec::new();
            self.attributes_if_any(&mut attributes)?;
            declarator.attributes.extend(attributes);
            if let Some((name, _)) = declarator.name {
                self.typedefs.declare(name, false);
            }
            function.params.push(Param { specifiers, declarator });
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect(Punct::RightParen, "after the parameters")?;
        Ok(function)
    }

    /// Hides typedefs of the names of the parameters in the function's body.
    pub(super) fn declare_params(&mut self, declarator: &Declarator) {
        let Some(Derived::Function(function)) = declarator.derived.first() else { return };
        let names = function.params.iter().filter_map(|param| param.declarator.name);
        for (name, _) in names.chain(function.names.iter().copied()) {
            self.typedefs.declare(name, false);
        }
    }
}
