//! Calls (C11 6.5.2.2).

use super::scope::Binding;
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{self, Expr};
use crate::diagnostics::Diagnostic;
use crate::hir::{Callee, ExprId, ExprKind, Function, FunctionId, Linkage};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FunctionType, TypeId};

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Checked<ExprId> {
        let mut callee_operand = None;
        if let ast::ExprKind::Name(name) = callee.kind {
            let text = self.text(name);
            if is_jump(text) {
                return unsupported(span, format!("`{text}` is not modelled"));
            }
            // A declaration does not change what a built-in function is.
            let is_declared_only = || match self.scopes.lookup(name) {
                Some(Binding::Function(id)) => self.program.functions[id].body.is_none(),
                _ => false,
            };
            if self.scopes.lookup(name).is_none() || (text.starts_with("__builtin_") && is_declared_only()) {
                if let Some(result) = self.builtin_call(text, args, span)? {
                    return Ok(result);
                }
                let function = match self.builtin_library_function(name) {
                    Some(function) => function,
                    None => self.implicit_function(name, callee.span)?,
                };
                callee_operand = Some(self.function_operand(function, callee.span));
            }
        }
        let operand = match callee_operand {
            Some(operand) => operand,
            None => self.expression(callee)?,
        };
        let pointer = self.value(operand)?;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let operand = self.expression(arg)?;
            values.push(self.value(operand)?);
        }
        self.call_pointer(pointer, values, span)
    }

    /// A call of what `pointer` points to with unconverted arguments.
    pub(super) fn call_pointer(&mut self, pointer: ExprId, args: Vec<ExprId>, span: Span) -> Checked<ExprId> {
        let Some(function) = self.program.types.pointee_function(self.type_of(pointer)).cloned() else {
            let shown = self.show(self.type_of(pointer));
            return error(span, format!("this is no function but `{shown}`, and cannot be called"));
        };
        let result = function.result;
        if result != TypeId::VOID && !self.program.types.is_complete(result) {
            return error(span, format!("the result has incomplete type `{}`", self.show(result)));
        }
        let is_variadic = function.variadic;
        let mut args = self.arguments(&function, args, pointer, span)?;
        let callee = match self.program.exprs[pointer].kind {
            ExprKind::FunctionAddress(function) => Callee::Function(function),
            _ => Callee::Pointer(pointer),
        };
        let known = match callee {
            Callee::Function(function) => Some(function),
            _ => None,
        };
        if let Some(function) = known {
            self.addresses_around(function, pointer, &mut args, span)?;
        }
        let call = self.expr(ExprKind::Call { callee, args }, result, span);
        if let Some(function) = known {
            self.note_own_call(function, call);
            if is_variadic {
                self.state.variadic_calls.insert(call);
            }
        }
        self.widened(call)
    }

    fn arguments(
        &mut self,
        function: &FunctionType,
        args: Vec<ExprId>,
        callee: ExprId,
        span: Span,
    ) -> Checked<Vec<ExprId>> {
        let wanted = function.params.len();
        if function.prototyped && (args.len() < wanted || (args.len() > wanted && !function.variadic)) {
            let at_least = if function.variadic { "at least " } else { "" };
            let message = format!("{at_least}{wanted} arguments are needed, and {} are given", args.len());
            let mut found = Diagnostic::error(span, message);
            if let ExprKind::FunctionAddress(id) = self.program.exprs[callee].kind {
                let function = &self.program.functions[id];
                let shown = self.program.types.show_declaration(function.ty, &function.name);
                found = found.with_help(format!("the function is `{shown}`"));
            }
            return Err(Box::new(found));
        }
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            if self.type_of(arg) == TypeId::VOID {
                return error(self.span_of(arg), "this argument has no value");
            }
            converted.push(match function.params.get(i) {
                Some(&param) if function.prototyped => self.assign_convert(arg, param, "the parameter")?,
                _ => self.promote_argument(arg)?,
            });
        }
        Ok(converted)
    }

    /// Declares a function at its first call: with the type that gcc knows for it, or as `int f()`.
    fn implicit_function(&mut self, name: Symbol, span: Span) -> Checked<FunctionId> {
        let text = self.text(name);
        if text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_") {
            return unsupported(span, format!("the built-in function `{text}` is not modelled"));
        }
        // Other tools know the words of their harnesses.
        if crate::dialect::dialect(text).is_none() && !text.starts_with("__CPROVER_") {
            self.warn(span, format!("the function `{text}` is called without a declaration"));
        }
        let undeclared =
            FunctionType { result: TypeId::INT, params: Vec::new(), variadic: false, prototyped: false };
        let undeclared = self.types().function(undeclared);
        let text = self.text(name);
        let function = match self.library_function(name) {
            Some(function) => function,
            None => match self.state.external.get(&name) {
                Some(&Binding::Function(function)) => {
                    if self.program.functions[function].body.is_some() {
                        self.state.declared_as.insert(function, undeclared);
                    }
                    function
                }
                Some(_) => return error(span, format!("`{text}` is no function in another file")),
                None => {
                    let function = self.program.functions.push(Function {
                        name: text.to_string(),
                        ty: undeclared,
                        linkage: Linkage::External,
                        no_return: false,
                        weak: false,
                        span,
                        body: None,
                    });
                    self.state.external.insert(name, Binding::Function(function));
                    function
                }
            },
        };
        self.scopes.bind_at_file_scope(name, Binding::Function(function));
        Ok(function)
    }

    /// The values of arguments, left to right, unconverted.
    pub(super) fn argument_values(&mut self, args: &[Expr]) -> Checked<Vec<ExprId>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let operand: Operand = self.expression(arg)?;
            values.push(self.value(operand)?);
        }
        Ok(values)
    }
}

/// Functions that leave the structure of calls.
fn is_jump(name: &str) -> bool {
    matches!(
        name,
        "setjmp"
            | "_setjmp"
            | "__setjmp"
            | "sigsetjmp"
            | "__sigsetjmp"
            | "longjmp"
            | "_longjmp"
            | "siglongjmp"
            | "__builtin_setjmp"
            | "__builtin_longjmp"
    )
}
