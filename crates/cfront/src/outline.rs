//! The parts of a C text that one can point at, by the bytes that they cover: for those who change texts.

use crate::ast::{Asm, Declaration, Expr, ExprKind, External, Init, InitList, Stmt, StmtKind, TypeSpecifier};
use crate::lex::{Names, Punct, TokenKind, Tokens, tokenize};
use crate::parse::Parser;
use crate::source::{Sources, Span};
use std::ops::Range;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub kind: Kind,
    pub range: Range<usize>,
    /// Where one points at it: its first byte, but for a call its closing parenthesis and for `?:` the `?`.
    pub at: usize,
    /// What it depends on which way is taken; where a `for` has no condition, the place for one.
    pub condition: Option<Range<usize>>,
    /// Of a loop.
    pub body: Option<Range<usize>>,
    /// The constants of a `switch`: each from one to the other, which are the same but for GNU's ranges.
    pub cases: Vec<(Range<usize>, Range<usize>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function or declaration at file scope.
    External,
    /// In a block.
    Declaration,
    /// Any other statement, without its labels; those below are statements as well.
    Statement,
    If,
    While,
    DoWhile,
    For,
    Switch,
    /// `?:`
    Conditional,
    Call,
    /// Any other expression with operands.
    Expression,
}

impl Kind {
    pub fn is_statement(self) -> bool {
        matches!(self, Kind::Statement | Kind::If | Kind::While | Kind::DoWhile | Kind::For | Kind::Switch)
    }

    pub fn is_loop(self) -> bool {
        matches!(self, Kind::While | Kind::DoWhile | Kind::For)
    }
}

/// The parts of a text, outer ones before inner ones, and where its tokens lie. What cannot be parsed has no parts.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub parts: Vec<Part>,
    pub tokens: Vec<Range<usize>>,
}

/// Reads a preprocessed text. Call it on a deep stack ([`crate::with_deep_stack`]).
pub fn outline(text: &[u8]) -> Outline {
    let mut sources = Sources::new();
    let mut names = Names::default();
    let Some(id) = sources.add("", text.to_vec()) else { return Outline::default() };
    let base = sources.base(id);
    let Ok(tokens) = tokenize(text, base, &mut names) else { return Outline::default() };
    let mut walker =
        Walker { text, base, tokens: &tokens, closing: closing(&tokens), parts: Vec::new(), switch: None };
    let mut parser = Parser::new(text, base, &tokens, &names);
    while let Some(external) = parser.next_external() {
        if let Ok(external) = external {
            walker.external(&external);
        }
    }
    let bytes = |span: Span| (span.start - base) as usize..(span.end - base) as usize;
    let ends = |token: &crate::lex::Token| token.kind == TokenKind::End;
    Outline {
        parts: walker.parts,
        tokens: tokens.tokens.iter().filter(|token| !ends(token)).map(|token| bytes(token.span)).collect(),
    }
}

/// For each opening parenthesis among the tokens, the token that closes it.
fn closing(tokens: &Tokens) -> Vec<usize> {
    let mut closing = vec![0; tokens.tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punct(Punct::LeftParen) => open.push(index),
            TokenKind::Punct(Punct::RightParen) => {
                if let Some(opening) = open.pop() {
                    closing[opening] = index;
                }
            }
            _ => {}
        }
    }
    closing
}

struct Walker<'a> {
    text: &'a [u8],
    base: u32,
    tokens: &'a Tokens,
    closing: Vec<usize>,
    parts: Vec<Part>,
    /// The part of the innermost `switch`.
    switch: Option<usize>,
}

impl Walker<'_> {
    fn bytes(&self, span: Span) -> Range<usize> {
        (span.start - self.base) as usize..(span.end - self.base) as usize
    }

    fn add(&mut self, kind: Kind, span: Span) -> &mut Part {
        let range = self.bytes(span);
        let at = range.start;
        self.parts.push(Part { kind, range, at, condition: None, body: None, cases: Vec::new() });
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    fn external(&mut self, external: &External) {
        match external {
            External::Declaration(declaration) => {
                self.add(Kind::External, declaration.span);
                self.declaration(declaration);
            }
            External::Function(function) => {
                self.add(Kind::External, function.specifiers.span.to(function.end));
                self.statements(&function.body);
            }
            External::StaticAssert(assertion) => {
                self.add(Kind::External, assertion.span);
            }
            External::Asm(span) => {
                self.add(Kind::External, *span);
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if let TypeSpecifier::TypeofExpr(_) = declaration.specifiers.ty {
            return;
        }
        for declarator in &declaration.declarators {
            if let Some(init) = &declarator.init {
                self.init(init);
            }
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List(list) => self.init_list(list),
        }
    }

    fn init_list(&mut self, list: &InitList) {
        for item in &list.items {
            self.init(&item.init);
        }
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let kind = match &stmt.kind {
            StmtKind::Case { low, high } => {
                let case = (self.bytes(low.span), self.bytes(high.as_ref().unwrap_or(low).span));
                if let Some(switch) = self.switch {
                    self.parts[switch].cases.push(case);
                }
                return;
            }
            StmtKind::Default | StmtKind::Label(_) | StmtKind::LocalLabels(_) => {
                return;
            }
            StmtKind::Declaration(_) | StmtKind::Function(_) | StmtKind::StaticAssert(_) => Kind::Declaration,
            // Labels with their statement are a block without braces.
            StmtKind::Block(stmts) if self.text.get(self.bytes(stmt.span).start) != Some(&b'{') => {
                return self.statements(stmts);
            }
            StmtKind::If { .. } => Kind::If,
            StmtKind::While { .. } => Kind::While,
            StmtKind::DoWhile { .. } => Kind::DoWhile,
            StmtKind::For { .. } => Kind::For,
            StmtKind::Switch { .. } => Kind::Switch,
            _ => Kind::Statement,
        };
        let (condition, body) = match &stmt.kind {
            StmtKind::If { condition, .. } | StmtKind::Switch { value: condition, .. } => {
                (Some(condition.span), None)
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                (Some(condition.span), Some(body.span))
            }
            StmtKind::For { init, condition, body, .. } => {
                let place = Span::new(init.span.end, init.span.end);
                (Some(condition.as_ref().map_or(place, |condition| condition.span)), Some(body.span))
            }
            _ => (None, None),
        };
        let (condition, body) = (condition.map(|span| self.bytes(span)), body.map(|span| self.bytes(span)));
        let part = self.add(kind, stmt.span);
        (part.condition, part.body) = (condition, body);
        self.below(stmt);
    }

    fn below(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::Block(stmts) => self.statements(stmts),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.stmt(then);
                otherwise.iter().for_each(|otherwise| self.stmt(otherwise));
            }
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.stmt(body);
                self.expr(condition);
            }
            StmtKind::For { init, condition, step, body } => {
                // The first part of a head is no statement that another could stand before.
                match &init.kind {
                    StmtKind::Declaration(declaration) => self.declaration(declaration),
                    StmtKind::Expr(expr) => self.expr(expr),
                    _ => {}
                }
                condition.iter().chain(step).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::Switch { value, body } => {
                let outer = self.switch.replace(self.parts.len() - 1);
                self.expr(value);
                self.stmt(body);
                self.switch = outer;
            }
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) | StmtKind::ComputedGoto(expr) => {
                self.expr(expr);
            }
            StmtKind::Asm(asm) => self.asm(asm),
            _ => {}
        }
    }

    fn asm(&mut self, asm: &Asm) {
        asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expr(&operand.value));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(callee, _) => {
                let tokens = &self.tokens.tokens;
                let open = tokens.partition_point(|token| token.span.start < callee.span.end);
                let close = tokens[self.closing[open]].span;
                let part = self.add(Kind::Call, callee.span.to(close));
                part.at = part.range.end - 1;
            }
            ExprKind::Conditional(condition, ..) => {
                let tokens = &self.tokens.tokens;
                let question = tokens.partition_point(|token| token.span.start < condition.span.end);
                let question = self.bytes(tokens[question].span).start;
                let condition = self.bytes(condition.span);
                let part = self.add(Kind::Conditional, expr.span);
                (part.at, part.condition) = (question, Some(condition));
            }
            ExprKind::Name(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(..)
            | ExprKind::String(_) => return,
            _ => {
                self.add(Kind::Expression, expr.span);
            }
        }
        match &expr.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.expr(a),
            ExprKind::VaArg(a, _) | ExprKind::ConvertVector(a, _) => self.expr(a),
            ExprKind::Member { object, .. } => self.expr(object),
            ExprKind::Binary(_, a, b)
            | ExprKind::Logical(_, a, b)
            | ExprKind::Assign(_, a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Index(a, b) => [a, b].into_iter().for_each(|operand| self.expr(operand)),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(condition);
                then.iter().for_each(|then| self.expr(then));
                self.expr(otherwise);
            }
            ExprKind::Call(callee, args) => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::CompoundLiteral(_, list) => self.init_list(list),
            ExprKind::Statement(stmts) => self.statements(stmts),
            // What is not evaluated, or a constant.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_where_they_are_written() {
        let text = "int g;\nint f(int x) { for (;;) { if ((x)) g = (f(x ? 1 : 2)); L: return 0; } }\n";
        let shown: Vec<String> = outline(text.as_bytes())
            .parts
            .into_iter()
            .filter(|part| part.kind != Kind::Expression)
            .map(|part| {
                let condition = part.condition.map_or(String::new(), |range| format!(" [{}]", &text[range]));
                format!(
                    "{:?} {} @{}{condition}",
                    part.kind,
                    &text[part.range.clone()],
                    &text[part.at..=part.at]
                )
            })
            .collect();
        let body = "{ if ((x)) g = (f(x ? 1 : 2)); L: return 0; }";
        let expected = [
            "External int g; @i".to_string(),
            format!("External int f(int x) {{ for (;;) {body} }} @i"),
            format!("For for (;;) {body} @f []"),
            format!("Statement {body} @{{"),
            "If if ((x)) g = (f(x ? 1 : 2)); @i [(x)]".to_string(),
            "Statement g = (f(x ? 1 : 2)); @g".to_string(),
            "Call f(x ? 1 : 2) @)".to_string(),
            "Conditional x ? 1 : 2 @? [x]".to_string(),
            "Statement return 0; @r".to_string(),
        ];
        assert_eq!(shown, expected);
    }
}
