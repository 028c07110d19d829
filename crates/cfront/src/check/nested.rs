//! Functions within functions (GNU C). A nested function gets the addresses of the variables around it that it uses as
//! further arguments, after its own; so each call works on the variables of the frame that it is made in. Its address is
//! an ordinary one if it uses no such variables; [`super::frame`] has the others. Functions within nested functions are refused.

use craig_base::{Index, Map, Set};

use super::function::FunctionState;
use super::scope::Binding;
use super::{Checked, Checker, error, unsupported};
use crate::ast::{Derived, FunctionDefinition};
use crate::diagnostics::Diagnostic;
use crate::hir::{
    ExprId, ExprKind, Function, FunctionId, Linkage, LocalId, LocalOrigin, PlaceId, PlaceKind, StmtId,
    StmtKind,
};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FunctionType, TypeId};

/// The nested functions of a function, while it is checked.
#[derive(Default)]
pub(super) struct Nested {
    /// The functions around the one whose body is being checked.
    pub around: Vec<FunctionState>,
    /// The variables that each uses, of the function around it.
    pub uses: Map<FunctionId, Vec<LocalId>>,
    /// Names of functions that are only called.
    called: Set<ExprId>,
    /// Where the expressions of the outermost function begin.
    first: usize,
}

impl Checker<'_> {
    pub(super) fn nested_function(&mut self, definition: &FunctionDefinition) -> Checked<()> {
        let (name, span) = self.required_name(&definition.declarator)?;
        if !self.nested.around.is_empty() {
            return unsupported(span, "functions within nested functions are not modelled");
        }
        let base = self.base_type(&definition.specifiers, false)?;
        let Some((Derived::Function(declarator), outer)) = definition.declarator.derived.split_first() else {
            return error(span, "a function with its parameters is needed here");
        };
        let result = self.derived_type(base.ty, outer, span)?.ty;
        let declared = FunctionType { result, params: Vec::new(), variadic: false, prototyped: false };
        let ty = self.types().function(declared);
        let function = Function {
            name: self.text(name).to_string(),
            ty,
            linkage: Linkage::Internal,
            no_return: false,
            weak: false,
            span,
            body: None,
        };
        let id = self.program.functions.push(function);
        self.scopes.bind(name, Binding::Function(id));
        self.scopes.enter();
        let params = self.defined_params(declarator, &definition.old_style)?;
        let types = params.iter().map(|param| param.ty.ty).collect();
        let ty = FunctionType { result, params: types, variadic: declarator.variadic, prototyped: true };
        self.program.functions[id].ty = self.types().function(ty);
        let Some(around) = self.function.take() else {
            return error(span, "a function within a function is needed here");
        };
        if self.nested.uses.is_empty() {
            self.nested.first = self.program.exprs.len();
        }
        self.nested.uses.insert(id, Vec::new());
        self.nested.around.push(around);
        let checked = self.function_body(id, result, params, definition);
        self.function = self.nested.around.pop();
        checked
    }

    /// The variable of that name belongs to the function around this one.
    pub(super) fn is_around(&self, name: Symbol) -> bool {
        let depth = self.function.as_ref().map_or(0, |function| function.depth);
        !self.nested.around.is_empty() && self.scopes.depth_of(name).is_some_and(|bound| bound < depth)
    }

    /// A variable of the function around this one, by the address that this one is given.
    pub(super) fn place_around(&mut self, local: LocalId, span: Span) -> Checked<PlaceId> {
        let Some(around) = self.nested.around.last() else {
            return error(span, "this variable belongs to no function here");
        };
        let (name, ty) = (around.locals[local].name.clone(), around.locals[local].ty);
        let pointer = self.types().pointer_to(ty);
        let Some(function) = &mut self.function else {
            return error(span, "this variable belongs to no function here");
        };
        let known = function.uses_around.iter().find(|(outer, _)| *outer == local).map(|(_, own)| *own);
        let own = known.unwrap_or_else(|| {
            let own = function.add_local(format!("&{name}"), pointer.into(), LocalOrigin::Param, span);
            function.uses_around.push((local, own));
            own
        });
        let address = self.own_address(own, pointer, span);
        Ok(self.place(PlaceKind::Deref(address), ty, span))
    }

    fn own_address(&mut self, own: LocalId, pointer: TypeId, span: Span) -> ExprId {
        let place = self.local_place(own, pointer.into(), span);
        self.expr(ExprKind::Load(place), pointer, span)
    }

    /// What a call of a nested function passes besides its arguments.
    pub(super) fn addresses_around(
        &mut self,
        function: FunctionId,
        name: ExprId,
        args: &mut Vec<ExprId>,
        span: Span,
    ) -> Checked<()> {
        let Some(uses) = self.nested.uses.get(&function).cloned() else { return Ok(()) };
        self.nested.called.insert(name);
        for local in uses {
            let place = match self.nested.around.last() {
                Some(_) => self.place_around(local, span)?,
                None => {
                    let ty = self.function.as_ref().map(|function| function.locals[local].ty);
                    self.local_place(local, ty.unwrap_or(TypeId::INT.into()), span)
                }
            };
            let pointer = self.program.places[place].ty;
            let pointer = self.types().pointer_to(pointer);
            args.push(self.expr(ExprKind::AddressOf(place), pointer, span));
        }
        Ok(())
    }

    /// A call of the function that is being checked: what it passes is known at its end.
    pub(super) fn note_own_call(&mut self, function: FunctionId, call: ExprId) {
        if !self.nested.around.is_empty()
            && let Some(state) = self.function.as_mut().filter(|state| state.id == function)
        {
            state.own_calls.push(call);
        }
    }

    /// At the end of a nested function's body: its further parameters become the first locals after its own. `from` is where its
    /// places and statements begin.
    pub(super) fn finish_nested(
        &mut self,
        state: &mut FunctionState,
        params: &mut Vec<LocalId>,
        from: (usize, usize),
    ) {
        if self.nested.around.is_empty() || state.uses_around.is_empty() {
            return;
        }
        let span = self.program.functions[state.id].span;
        let function_type = self.program.types.as_function(self.program.functions[state.id].ty);
        if function_type.is_some_and(|ty| ty.variadic) {
            let what = "a nested function with `...` that uses variables around it is not modelled";
            self.diagnostics.add(Diagnostic::unsupported(span, what));
        }
        let uses = std::mem::take(&mut state.uses_around);
        for call in std::mem::take(&mut state.own_calls) {
            for &(_, own) in &uses {
                let address = self.own_address(own, state.locals[own].ty.ty, span);
                if let ExprKind::Call { args, .. } = &mut self.program.exprs[call].kind {
                    args.push(address);
                }
            }
        }
        params.extend(uses.iter().map(|&(_, own)| own));
        let others = state.locals.indices().filter(|local| !params.contains(local));
        let order: Vec<LocalId> = params.iter().copied().chain(others).collect();
        let renamed: Map<LocalId, LocalId> =
            order.iter().enumerate().map(|(new, &old)| (old, LocalId::from_usize(new))).collect();
        let rename = |local: &mut LocalId| *local = renamed.get(local).copied().unwrap_or(*local);
        for index in from.0..self.program.places.len() {
            match &mut self.program.places[PlaceId::from_usize(index)].kind {
                PlaceKind::Local(local) | PlaceKind::Initialized { local, .. } => rename(local),
                _ => {}
            }
        }
        for index in from.1..self.program.stmts.len() {
            if let StmtKind::Declare { local, .. } = &mut self.program.stmts[StmtId::from_usize(index)].kind {
                rename(local);
            }
        }
        state.locals = order.iter().map(|&old| state.locals[old].clone()).collect();
        params.iter_mut().for_each(rename);
        self.nested.uses.insert(state.id, uses.into_iter().map(|(outer, _)| outer).collect());
    }

    /// At the end of a function: the types of its nested functions are what they are called with, and their addresses
    /// those of functions that find its variables.
    pub(super) fn finish_outermost(&mut self, outer: FunctionId) {
        if !self.nested.around.is_empty() || self.nested.uses.is_empty() {
            return;
        }
        let Nested { uses, called, first, .. } = std::mem::take(&mut self.nested);
        let mut addresses: Vec<(FunctionId, Vec<ExprId>)> = Vec::new();
        for index in first..self.program.exprs.len() {
            let id = ExprId::from_usize(index);
            if let ExprKind::FunctionAddress(function) = self.program.exprs[id].kind
                && uses.get(&function).is_some_and(|uses| !uses.is_empty())
                && !called.contains(&id)
            {
                match addresses.iter_mut().find(|(known, _)| *known == function) {
                    Some((_, found)) => found.push(id),
                    None => addresses.push((function, vec![id])),
                }
            }
        }
        for (function, found) in addresses {
            for left in self.frame(outer, function, &uses[&function], found) {
                let what =
                    "the address of a nested function that uses variables around it, in another nested one";
                self.diagnostics.add(Diagnostic::unsupported(self.program.exprs[left].span, what));
            }
        }
        let mut functions: Vec<FunctionId> = uses.keys().copied().collect();
        functions.sort_unstable();
        for function in functions {
            let Some(body) = &self.program.functions[function].body else { continue };
            let params = body.params.iter().map(|&param| body.locals[param].ty.ty).collect();
            let Some(old) = self.program.types.as_function(self.program.functions[function].ty) else {
                continue;
            };
            let ty = FunctionType { params, ..old.clone() };
            self.program.functions[function].ty = self.types().function(ty);
        }
    }
}
