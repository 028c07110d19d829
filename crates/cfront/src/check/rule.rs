//! Weaving SLIC rules ([`crate::slic`]) into the program.
//!
//! A body becomes a function of its own for each event: with the parameters `$1`, `$2`, ... and, at an exit,
//! `$return`, of the types that the watched function has. A function that the program defines gets a new body,
//! which runs the bodies of the entries, the old body, and those of the exits; so calls through pointers are
//! watched as well. In place of a function that it only declares, a function of the library's kind is
//! called, of which every call has a copy of its own: what it returns does not alias across calls.
//!
//! Calls that the rules themselves make are not watched.

use craig_base::{Index, OrderedMap};

use super::Checker;
use super::function::FunctionState;
use super::scope::{Binding, Scopes};
use crate::ast::{self, External, Storage};
use crate::diagnostics::Diagnostic;
use crate::hir::{
    Body, Callee, ExprId, ExprKind, Function, FunctionId, Linkage, Local, LocalId, LocalOrigin, StmtId,
    StmtKind,
};
use crate::lex::Names;
use crate::parse::Parser;
use crate::slic::{Event, Rule};
use crate::source::{Sources, Span, TextId};
use crate::types::{FunctionType, QualType, TypeId};

/// In front of the names of functions that stand for watched ones: they belong to the library.
pub(crate) const PREFIX: &str = "__craig_rule_";
const ERROR: &str = "reach_error";
const END: &str = "__builtin_unreachable";

/// Interns what woven code needs.
pub(super) fn intern(names: &mut Names) {
    names.intern(ERROR);
    names.intern(END);
    names.intern("$return");
    // More than any declaration of a function has.
    for i in 1..=127 {
        names.intern(&format!("${i}"));
    }
}

/// What runs at the events of one function.
#[derive(Default)]
struct Watch {
    entry: Vec<FunctionId>,
    exit: Vec<FunctionId>,
}

impl Checker<'_> {
    /// Checks the rules and weaves them into what has been checked so far.
    pub(super) fn rules(&mut self, sources: &Sources, rules: &[(TextId, Rule)]) {
        if rules.is_empty() || self.diagnostics.has_errors() {
            return;
        }
        let program_exprs = self.program.exprs.len();
        let program_functions = self.program.functions.len();
        let mut watched: OrderedMap<FunctionId, Watch> = OrderedMap::default();
        for (text, rule) in rules {
            let mut parser = Parser::new(sources.text(*text), sources.base(*text), &rule.tokens, self.names);
            if let Err(error) = self.rule(rule, &mut parser, program_functions, &mut watched) {
                self.diagnostics.add(*error);
            }
            self.scopes.leave_to_file_scope();
            self.function = None;
            self.finish_unit();
            self.program.properties.extend(rule.messages.iter().cloned());
        }
        for (function, watch) in watched {
            self.weave(function, &watch, program_exprs);
        }
    }

    fn rule(
        &mut self,
        rule: &Rule,
        parser: &mut Parser,
        program_functions: usize,
        watched: &mut OrderedMap<FunctionId, Watch>,
    ) -> super::Checked<()> {
        self.scopes = Scopes::new(self.names.len());
        self.state.defined_here.clear();
        self.state.declared_as.clear();
        self.state.untagged.begin_unit();
        while parser.position() < rule.declarations {
            let Some(parsed) = parser.next_external() else { break };
            for warning in parser.take_warnings() {
                self.diagnostics.add(warning);
            }
            let mut external = parsed?;
            if let External::Declaration(declaration) = &mut external
                && rule.states.iter().any(|state| contains(*state, declaration.span))
            {
                // The rule's own: no variable of the program is meant.
                declaration.specifiers.storage.get_or_insert(Storage::Static);
            }
            self.external(external)?;
        }
        self.bind_error();
        for handler in &rule.handlers {
            let body = parser.rule_body()?;
            let body: Vec<ast::Stmt> = body.into_iter().map(|stmt| self.rewrite(stmt)).collect();
            for &(name, span, event) in &handler.events {
                let text = self.text(name);
                let targets: Vec<FunctionId> = self
                    .program
                    .functions
                    .enumerated()
                    .take(program_functions)
                    .filter(|(_, function)| function.name == text)
                    .map(|(id, _)| id)
                    .collect();
                if targets.is_empty() {
                    self.warn(span, format!("the program has no function `{text}`"));
                }
                for target in targets {
                    let function = self.handler(target, event, &body, span);
                    let watch = watched.entry(target).or_default();
                    match event {
                        Event::Entry => watch.entry.push(function),
                        Event::Exit => watch.exit.push(function),
                    }
                }
            }
        }
        Ok(())
    }

    /// `abort` calls the function whose call is the error.
    fn bind_error(&mut self) {
        let Some(symbol) = self.names.lookup(ERROR) else { return };
        let function = match self.program.function_named(ERROR) {
            Some(function) => function,
            None => {
                let ty = self.types().function(FunctionType {
                    result: TypeId::VOID,
                    params: Vec::new(),
                    variadic: false,
                    prototyped: true,
                });
                self.program.functions.push(Function {
                    name: ERROR.to_string(),
                    ty,
                    linkage: Linkage::External,
                    no_return: true,
                    weak: false,
                    span: Span::NONE,
                    body: None,
                })
            }
        };
        self.state.external.insert(symbol, Binding::Function(function));
        self.scopes.bind(symbol, Binding::Function(function));
    }

    /// `abort;` and `halt;` as calls.
    fn rewrite(&self, stmt: ast::Stmt) -> ast::Stmt {
        use ast::StmtKind::*;
        let boxed = |stmt: Box<ast::Stmt>| Box::new(self.rewrite(*stmt));
        let kind = match stmt.kind {
            Expr(ast::Expr { kind: ast::ExprKind::Name(name), span, height }) => {
                let callee = match self.text(name) {
                    "abort" => self.names.lookup(ERROR),
                    "halt" => self.names.lookup(END),
                    _ => None,
                };
                let kind = match callee {
                    None => ast::ExprKind::Name(name),
                    Some(callee) => {
                        let callee = ast::Expr { kind: ast::ExprKind::Name(callee), span, height };
                        ast::ExprKind::Call(Box::new(callee), Vec::new())
                    }
                };
                Expr(ast::Expr { kind, span, height: height + 1 })
            }
            Block(stmts) => Block(stmts.into_iter().map(|stmt| self.rewrite(stmt)).collect()),
            If { condition, then, otherwise } => {
                If { condition, then: boxed(then), otherwise: otherwise.map(boxed) }
            }
            While { condition, body } => While { condition, body: boxed(body) },
            DoWhile { body, condition } => DoWhile { body: boxed(body), condition },
            For { init, condition, step, body } => For { init, condition, step, body: boxed(body) },
            Switch { value, body } => Switch { value, body: boxed(body) },
            kind => kind,
        };
        ast::Stmt { kind, span: stmt.span }
    }

    /// The body of a rule as a function, for one event of one function.
    fn handler(&mut self, target: FunctionId, event: Event, body: &[ast::Stmt], span: Span) -> FunctionId {
        let mut params = self.watched_types(target);
        let mut names: Vec<String> = (1..=params.len()).map(|i| format!("${i}")).collect();
        let result = self.result_type(target);
        if event == Event::Exit && result != TypeId::VOID {
            params.push(result.into());
            names.push("$return".to_string());
        }
        let ty = self.types().function(FunctionType {
            result: TypeId::VOID,
            params: params.iter().map(|param| param.ty).collect(),
            variadic: false,
            prototyped: true,
        });
        let event = if event == Event::Entry { "entry" } else { "exit" };
        let name = format!("{}.{event}", self.program.functions[target].name);
        let linkage = Linkage::Internal;
        let id = self.program.functions.push(Function {
            name,
            ty,
            linkage,
            no_return: false,
            weak: false,
            span,
            body: None,
        });
        self.scopes.enter();
        let mut state = FunctionState::new(id, TypeId::VOID);
        let mut locals = Vec::new();
        for (name, ty) in names.iter().zip(params) {
            let local = state.add_local(name.clone(), ty, LocalOrigin::Param, span);
            if let Some(symbol) = self.names.lookup(name) {
                self.scopes.bind(symbol, Binding::Local(local));
            }
            locals.push(local);
        }
        self.function = Some(state);
        let stmts = self.block_items(body);
        let Some(state) = self.function.take() else { return id };
        self.check_labels(&state);
        self.scopes.leave();
        let end = body.last().map_or(span, |stmt| stmt.span);
        let block = self.stmt(StmtKind::Block(stmts), span.to(end));
        let FunctionState { locals: all, labels, .. } = state;
        self.program.functions[id].body =
            Some(Body { params: locals, locals: all, labels, block, end, refused: Vec::new() });
        id
    }

    fn watched_types(&self, function: FunctionId) -> Vec<QualType> {
        let function = &self.program.functions[function];
        match (&function.body, self.program.types.as_function(function.ty)) {
            (Some(body), _) => body.params.iter().map(|&param| body.locals[param].ty).collect(),
            (None, Some(ty)) => ty.params.iter().map(|&param| param.into()).collect(),
            (None, None) => Vec::new(),
        }
    }

    fn result_type(&self, function: FunctionId) -> TypeId {
        let ty = self.program.functions[function].ty;
        self.program.types.as_function(ty).map_or(TypeId::VOID, |ty| ty.result)
    }

    /// Puts the handlers around a function, in the program's own calls of it.
    fn weave(&mut self, function: FunctionId, watch: &Watch, program_exprs: usize) {
        let original = self.program.functions[function].clone();
        if original.body.is_some() {
            let variadic = self.program.types.as_function(original.ty).is_some_and(|ty| ty.variadic);
            if variadic {
                let message =
                    format!("`{}` takes any number of arguments and cannot be watched", original.name);
                self.diagnostics.add(Diagnostic::unsupported(original.span, message));
                return;
            }
            let inner = self.program.functions.push(Function { linkage: Linkage::Internal, ..original });
            self.program.functions[function].body = Some(self.wrapper(function, inner, watch));
            return;
        }
        let name = format!("{PREFIX}{}", original.name);
        let outer = Function { name, linkage: Linkage::Internal, no_return: false, ..original };
        let outer = self.program.functions.push(outer);
        for index in 0..program_exprs {
            match &mut self.program.exprs[ExprId::from_usize(index)].kind {
                ExprKind::FunctionAddress(callee)
                | ExprKind::Call { callee: Callee::Function(callee), .. }
                    if *callee == function =>
                {
                    *callee = outer;
                }
                _ => {}
            }
        }
        self.program.functions[outer].body = Some(self.wrapper(outer, function, watch));
    }

    /// Entries, the function itself, exits.
    fn wrapper(&mut self, outer: FunctionId, inner: FunctionId, watch: &Watch) -> Body {
        let span = self.program.functions[outer].span;
        let types = self.watched_types(inner);
        let result = self.result_type(inner);
        let mut locals: craig_base::IndexVec<LocalId, Local> = Default::default();
        let mut new_local =
            |name: String, ty: QualType, origin| locals.push(Local { name, ty, origin, span });
        let params: Vec<LocalId> = types
            .iter()
            .enumerate()
            .map(|(i, &ty)| new_local(format!("${}", i + 1), ty, LocalOrigin::Param))
            .collect();
        let returned = (result != TypeId::VOID)
            .then(|| new_local("$return".to_string(), result.into(), LocalOrigin::Temporary));
        let mut all: Vec<(LocalId, QualType)> = params.iter().copied().zip(types).collect();
        let mut stmts = Vec::new();
        for &handler in &watch.entry {
            stmts.push(self.call_statement(handler, &all, None));
        }
        stmts.push(self.call_statement(inner, &all, returned.map(|local| (local, result))));
        all.extend(returned.map(|local| (local, result.into())));
        for &handler in &watch.exit {
            stmts.push(self.call_statement(handler, &all, None));
        }
        let value = returned.map(|local| self.load(local, result.into(), span));
        stmts.push(self.stmt(StmtKind::Return(value), span));
        let block = self.stmt(StmtKind::Block(stmts), span);
        Body { params, locals, labels: Default::default(), block, end: span, refused: Vec::new() }
    }

    /// `result = function(args)`; each handler takes as many of the values as it has parameters.
    fn call_statement(
        &mut self,
        function: FunctionId,
        args: &[(LocalId, QualType)],
        result: Option<(LocalId, TypeId)>,
    ) -> StmtId {
        let span = self.program.functions[function].span;
        let args: Vec<ExprId> = args.iter().map(|&(local, ty)| self.load(local, ty, span)).collect();
        let ty = self.result_type(function);
        let call = ExprKind::Call { callee: Callee::Function(function), args };
        let mut value = self.expr(call, ty, span);
        if let Some((local, ty)) = result {
            let place = self.local_place(local, ty.into(), span);
            value = self.expr(ExprKind::Assign { place, value }, ty, span);
        }
        self.stmt(StmtKind::Expr(value), span)
    }

    fn load(&mut self, local: LocalId, ty: QualType, span: Span) -> ExprId {
        let place = self.local_place(local, ty, span);
        self.expr(ExprKind::Load(place), ty.ty, span)
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
