//! Function definitions (C11 6.9.1).

use craig_base::{IndexVec, Map};

use super::computed_goto::ComputedGoto;
use super::scope::Binding;
use super::{Checked, Checker, error};
use crate::ast::{Declaration, Derived, FunctionDeclarator, FunctionDefinition, Storage};
use crate::diagnostics::Diagnostic;
use crate::hir::{
    Body, Case, ExprId, FunctionId, Label, LabelId, Local, LocalId, LocalOrigin, StmtId, StmtKind,
};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FunctionType, QualType, TypeId};

/// What is collected while a body is checked.
pub(super) struct FunctionState {
    pub id: FunctionId,
    pub result: TypeId,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    /// Labels that stand in the body, and the statement expression that they stand in.
    pub placed: Map<LabelId, Option<u32>>,
    /// All jumps, with the statement expressions that they are in.
    pub jumps: Vec<(LabelId, Vec<u32>, Span)>,
    /// The statement expressions that the checker is in, numbered, with the switches around each.
    pub regions: Vec<(u32, usize)>,
    pub region_count: u32,
    pub label_names: Map<Symbol, LabelId>,
    /// Labels declared by `__label__`, innermost last.
    pub local_labels: Vec<(Symbol, LabelId)>,
    /// Labels whose address is taken, and the jumps to such addresses.
    pub addressed: Vec<LabelId>,
    pub computed: Vec<ComputedGoto>,
    /// Declarations of the lengths of variable arrays, for the next place where statements can go.
    pub lengths: Vec<StmtId>,
    pub switches: Vec<Switch>,
    pub loops: usize,
    /// How deep the scope of its parameters is.
    pub depth: u32,
    /// Variables of the function around this one, each with the parameter that has its address ([`super::nested`]).
    pub uses_around: Vec<(LocalId, LocalId)>,
    pub own_calls: Vec<ExprId>,
}

/// A switch that the checker is in.
pub(super) struct Switch {
    pub ty: TypeId,
    pub cases: Vec<Case>,
    pub default: Option<LabelId>,
}

impl FunctionState {
    pub(super) fn new(id: FunctionId, result: TypeId) -> FunctionState {
        FunctionState {
            id,
            result,
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            placed: Map::default(),
            jumps: Vec::new(),
            regions: Vec::new(),
            region_count: 0,
            label_names: Map::default(),
            local_labels: Vec::new(),
            addressed: Vec::new(),
            computed: Vec::new(),
            lengths: Vec::new(),
            switches: Vec::new(),
            loops: 0,
            depth: 0,
            uses_around: Vec::new(),
            own_calls: Vec::new(),
        }
    }

    /// The switch that a `case` here belongs to: not one around a statement expression.
    pub(super) fn switch(&mut self) -> Option<&mut Switch> {
        let hidden = self.regions.last().map_or(0, |(_, switches)| *switches);
        self.switches.get_mut(hidden..).and_then(|visible| visible.last_mut())
    }

    /// The target of a jump is looked up before the label may stand anywhere.
    pub(super) fn add_jump(&mut self, label: LabelId, span: Span) {
        let regions = self.regions.iter().map(|(region, _)| *region).collect();
        self.jumps.push((label, regions, span));
    }

    pub(super) fn add_local(
        &mut self,
        name: String,
        ty: QualType,
        origin: LocalOrigin,
        span: Span,
    ) -> LocalId {
        self.locals.push(Local { name, ty, origin, span })
    }
}

/// A parameter of a definition.
pub(super) struct DefinedParam {
    name: Option<Symbol>,
    pub ty: QualType,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) -> Checked<()> {
        let (name, span) = self.required_name(&definition.declarator)?;
        let base = self.base_type(&definition.specifiers, false)?;
        let Some((Derived::Function(declarator), outer)) = definition.declarator.derived.split_first() else {
            return error(span, "a function with its parameters is needed here");
        };
        let result = self.derived_type(base.ty, outer, span)?.ty;
        let types = &self.program.types;
        if types.is_array(result) || types.as_function(result).is_some() {
            return error(span, "a function cannot return an array or a function");
        }
        if result != TypeId::VOID && !types.is_complete(result) {
            return error(span, format!("the result has incomplete type `{}`", self.show(result)));
        }
        // Tags in the parameter list belong to the body's scope.
        self.scopes.enter();
        let params = self.defined_params(declarator, &definition.old_style)?;
        let function_type = FunctionType {
            result,
            params: if declarator.prototyped { params.iter().map(|p| p.ty.ty).collect() } else { Vec::new() },
            variadic: declarator.variadic,
            // `int f() { }` has no parameters, but its calls are still unchecked.
            prototyped: declarator.prototyped,
        };
        let ty = self.types().function(function_type);
        self.scopes.suspend_to_file_scope();
        let declared = self.declare_function(name, ty, &definition.specifiers, span);
        self.scopes.resume();
        let id = declared?;
        for attribute in definition.specifiers.attributes.iter().chain(&definition.declarator.attributes) {
            self.function_attribute(id, attribute)?;
        }
        if !self.admit_definition(id, definition, ty, span)? {
            self.scopes.leave();
            return Ok(());
        }
        self.function_body(id, result, params, definition)
    }

    /// Whether this definition counts: not when it is inline or weak and there is one already.
    fn admit_definition(
        &mut self,
        id: FunctionId,
        definition: &FunctionDefinition,
        ty: TypeId,
        span: Span,
    ) -> Checked<bool> {
        let is_static = self.program.functions[id].linkage == crate::hir::Linkage::Internal;
        let inline_only = definition.specifiers.inline
            && !is_static
            && (definition.specifiers.storage.is_none()
                || definition.specifiers.storage == Some(Storage::Extern));
        let replaceable = inline_only || self.state.weak_here.contains(&id);
        if inline_only {
            self.state.inline.insert(id);
        }
        if self.program.functions[id].body.is_some() {
            if self.state.inline.contains(&id) && !self.state.in_models {
                self.state.inline_twins.push((id, self.program.functions[id].span, span));
            }
            if replaceable || self.state.in_models {
                return Ok(false);
            }
            if !self.state.replaceable.remove(&id) {
                let name = self.program.functions[id].name.clone();
                return error(span, format!("`{name}` is defined twice"));
            }
        }
        if replaceable {
            self.state.replaceable.insert(id);
        }
        let function = &mut self.program.functions[id];
        // A prototype before an old-style definition still governs calls.
        let old_prototype = self.program.types.as_function(function.ty).is_some_and(|old| old.prototyped);
        let new_prototype = self.program.types.as_function(ty).is_some_and(|new| new.prototyped);
        if new_prototype || !old_prototype {
            function.ty = ty;
        }
        if new_prototype {
            self.state.old_style.remove(&id);
        } else {
            self.state.old_style.insert(id);
        }
        function.span = span;
        Ok(true)
    }

    pub(super) fn defined_params(
        &mut self,
        declarator: &FunctionDeclarator,
        old_style: &[Declaration],
    ) -> Checked<Vec<DefinedParam>> {
        let mut params = Vec::new();
        for param in &declarator.params {
            let ty = self.param_type(param)?;
            let name = param.declarator.name.map(|(name, _)| name);
            let span = param.declarator.span;
            if !self.program.types.is_complete(ty.ty) {
                return error(span, format!("this parameter has incomplete type `{}`", self.show(ty)));
            }
            params.push(DefinedParam { name, ty, span });
        }
        for &(name, span) in &declarator.names {
            params.push(DefinedParam { name: Some(name), ty: TypeId::INT.into(), span });
        }
        for declaration in old_style {
            let base = self.base_type(&declaration.specifiers, declaration.declarators.is_empty())?;
            for declarator in &declaration.declarators {
                let ty = self.param_declared_type(base.ty, &declarator.declarator)?;
                let (name, span) = self.required_name(&declarator.declarator)?;
                match params.iter_mut().find(|param| param.name == Some(name)) {
                    Some(param) => param.ty = ty,
                    None => return error(span, format!("`{}` is no parameter", self.text(name))),
                }
            }
        }
        Ok(params)
    }

    /// The types of parameters that depend on others, now that these can be named. All lengths are evaluated (C11 6.9.1
    /// p10), those of arrays that became pointers too.
    fn variable_params(
        &mut self,
        locals: &[LocalId],
        definition: &FunctionDefinition,
    ) -> Checked<Vec<StmtId>> {
        let Some(Derived::Function(declared)) = definition.declarator.derived.first() else {
            return Ok(Vec::new());
        };
        let prototyped = declared.params.iter().map(|param| (&param.specifiers, &param.declarator));
        let old_style = definition.old_style.iter().flat_map(|declaration| {
            declaration.declarators.iter().map(|one| (&declaration.specifiers, &one.declarator))
        });
        for (i, (specifiers, declarator)) in prototyped.chain(old_style).enumerate() {
            let own = declarator.name.map(|(name, _)| name);
            let position = match declared.names.as_slice() {
                [] => Some(i),
                names => names.iter().position(|&(name, _)| own == Some(name)),
            };
            let Some(&local) = position.and_then(|position| locals.get(position)) else { continue };
            let ty = self.function.as_ref().map_or(TypeId::INT, |state| state.locals[local].ty.ty);
            let pointee = self.program.types.pointee(ty).map_or(TypeId::VOID, |to| to.ty);
            if let Some(Derived::Array { length: Some(length), span, .. }) = declarator.derived.first() {
                let length = self.expression(length)?;
                let length = self.value(length)?;
                if self.int_value(length).is_none() {
                    self.length_local(length, *span)?;
                }
            }
            if !self.program.types.is_array(pointee) || self.program.types.is_complete(pointee) {
                continue;
            }
            let base = self.base_type(specifiers, false)?.ty;
            let ty = self.param_declared_type(base, declarator)?;
            if let Some(state) = &mut self.function {
                state.locals[local].ty = ty;
            }
        }
        Ok(self.take_lengths())
    }

    /// Every jump has a target, and none goes into a statement expression from outside.
    pub(super) fn check_labels(&mut self, state: &FunctionState) {
        for (label, info) in state.labels.enumerated() {
            if let Some(name) = &info.name
                && !state.placed.contains_key(&label)
                && state.jumps.iter().any(|(target, ..)| *target == label)
            {
                let message = format!("there is no label `{name}` in this function");
                self.diagnostics.add(Diagnostic::error(info.span, message));
            }
        }
        for (label, regions, span) in &state.jumps {
            if let Some(Some(region)) = state.placed.get(label)
                && !regions.contains(region)
            {
                self.diagnostics.add(Diagnostic::error(*span, "a jump into a statement expression"));
            }
        }
    }

    pub(super) fn function_body(
        &mut self,
        id: FunctionId,
        result: TypeId,
        params: Vec<DefinedParam>,
        definition: &FunctionDefinition,
    ) -> Checked<()> {
        let mut state = FunctionState::new(id, result);
        state.depth = self.scopes.depth();
        let mark = self.diagnostics.mark();
        let from = (self.program.places.len(), self.program.stmts.len());
        let mut locals = Vec::new();
        for param in params {
            let text = param.name.map_or(String::new(), |name| self.text(name).to_string());
            let local = state.add_local(text, param.ty, LocalOrigin::Param, param.span);
            if let Some(name) = param.name {
                if self.scopes.lookup_here(name).is_some() {
                    return error(param.span, "another parameter has this name");
                }
                self.scopes.bind(name, Binding::Local(local));
            }
            locals.push(local);
        }
        self.function = Some(state);
        let mut stmts = self.variable_params(&locals, definition)?;
        stmts.extend(self.block_items(&definition.body));
        let Some(mut state) = self.function.take() else { return Ok(()) };
        self.check_labels(&state);
        self.resolve_computed_gotos(std::mem::take(&mut state.computed), &state.addressed);
        if let Some(&length) = state.lengths.first() {
            let message = "arrays of variable length are not modelled here";
            self.diagnostics.add(Diagnostic::unsupported(self.program.stmts[length].span, message));
        }
        self.scopes.leave();
        // What nested functions use is found out at the end of the outermost one, so its body has to be complete.
        let is_plain = self.nested.around.is_empty() && self.nested.uses.is_empty();
        let refused = if is_plain { self.diagnostics.take_unsupported(mark) } else { Vec::new() };
        if !refused.is_empty() {
            stmts.clear();
            state.labels = IndexVec::new();
        }
        let block = self.stmt(StmtKind::Block(stmts), self.program.functions[id].span.to(definition.end));
        if std::mem::take(&mut self.only_for_inlining) {
            return Ok(());
        }
        self.finish_nested(&mut state, &mut locals, from);
        let FunctionState { locals: all, labels, .. } = state;
        self.program.functions[id].body =
            Some(Body { params: locals, locals: all, labels, block, end: definition.end, refused });
        self.finish_outermost(id);
        Ok(())
    }
}
