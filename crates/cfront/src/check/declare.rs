//! Declarations at file scope and in blocks (C11 6.7, 6.9.2), and linkage (6.2.2).

use super::compatible::{Quals, compatible};
use super::scope::Binding;
use super::variable_array::LocalArray;
use super::{Checked, Checker, error, unsupported};
use crate::ast::{
    Attribute, Declaration, Declarator, Expr, ExprKind, Init, InitDeclarator, Specifiers, Storage,
    TypeSpecifier, UnaryOp,
};
use crate::diagnostics::Diagnostic;
use crate::hir::{
    ExprId, Function, FunctionId, Global, GlobalId, GlobalOrigin, Initializer, Linkage, LocalOrigin, StmtId,
    StmtKind,
};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{ArrayLength, QualType, TypeId};

impl Checker<'_> {
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) -> Checked<()> {
        self.declaration(declaration, &mut Vec::new())
    }

    /// Declares everything; in a block, what has to be done there goes to `out`.
    pub(super) fn declaration(&mut self, declaration: &Declaration, out: &mut Vec<StmtId>) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        if matches!(specifiers.ty, TypeSpecifier::Auto) {
            return self.auto_declaration(declaration, out);
        }
        let base = self.base_type(specifiers, declaration.declarators.is_empty())?;
        out.extend(self.take_lengths());
        if declaration.declarators.is_empty() {
            let useful = matches!(specifiers.ty, TypeSpecifier::Record(_) | TypeSpecifier::Enum(_));
            if !useful {
                self.warn(declaration.span, "this declares nothing");
            }
            return Ok(());
        }
        for declarator in &declaration.declarators {
            let ty = match self.local_array(specifiers, base.ty, declarator, out)? {
                LocalArray::Variable => continue,
                LocalArray::Constant(ty) => ty,
                LocalArray::No => self.declared_type(base.ty, &declarator.declarator)?,
            };
            out.extend(self.take_lengths());
            if self.variable_local(specifiers, declarator, ty, out)? {
                continue;
            }
            let ty = self.attribute_mode(ty, &declarator.attributes)?;
            self.declare(specifiers, declarator, ty, base.align, out)?;
        }
        Ok(())
    }

    /// `__auto_type x = e;`
    fn auto_declaration(&mut self, declaration: &Declaration, out: &mut Vec<StmtId>) -> Checked<()> {
        for declarator in &declaration.declarators {
            let Some(Init::Expr(init)) = &declarator.init else {
                return error(declaration.span, "`__auto_type` needs one initialised variable");
            };
            let operand = self.expression(init)?;
            let value = self.value(operand)?;
            let ty = QualType::from(self.type_of(value)).with(declaration.specifiers.quals);
            self.declare(&declaration.specifiers, declarator, ty, None, out)?;
        }
        Ok(())
    }

    fn declare(
        &mut self,
        specifiers: &Specifiers,
        declarator: &InitDeclarator,
        ty: QualType,
        align: Option<u64>,
        out: &mut Vec<StmtId>,
    ) -> Checked<()> {
        let Some((name, span)) = declarator.declarator.name else {
            return error(declarator.declarator.span, "a name is needed here");
        };
        let all_attributes = || attributes(specifiers, declarator);
        let declared_align = self.attribute_align(&declarator.attributes)?;
        let specifier_align = self.attribute_align(&specifiers.attributes)?;
        let align = declared_align.max(specifier_align).max(align);
        if specifiers.storage == Some(Storage::Typedef) {
            if declarator.attributes.iter().any(|a| matches!(a, Attribute::TransparentUnion)) {
                self.types().make_transparent(ty.ty);
            }
            return self.declare_typedef(name, ty, align, span);
        }
        if self.program.types.as_function(ty.ty).is_some() {
            if let Some(init) = &declarator.init {
                let span = init_span(init);
                return error(span, "a function cannot be initialised");
            }
            let function = self.declare_function(name, ty.ty, specifiers, span)?;
            self.scopes.align(name, align);
            for attribute in all_attributes() {
                self.function_attribute(function, attribute)?;
            }
            if let Some(name) = &declarator.asm_name {
                self.state.linker_names.push((function, name.clone()));
            }
            return Ok(());
        }
        if let Some(linker_name) = &declarator.asm_name
            && specifiers.storage != Some(Storage::Register)
            && linker_name != self.text(name)
        {
            return unsupported(span, "an object that has another name in assembler is not modelled");
        }
        for attribute in all_attributes() {
            if let Attribute::Alias(target, _) = attribute {
                return self.object_alias(name, ty, specifiers, target, span);
            }
        }
        let is_weak = all_attributes().any(|attribute| matches!(attribute, Attribute::Weak));
        if ty.ty == TypeId::VOID {
            return error(span, "an object cannot have type `void`");
        }
        let at_file_scope = self.scopes.depth() == 0;
        match specifiers.storage {
            _ if at_file_scope || specifiers.storage == Some(Storage::Extern) => {
                self.declare_object(name, ty, specifiers, declarator.init.as_ref(), is_weak, span)?;
            }
            Some(Storage::Static) => {
                self.static_local(name, ty, specifiers, declarator.init.as_ref(), span)?;
            }
            _ => {
                let cleanup = cleanup_of(specifiers, declarator);
                self.local(name, ty, declarator.init.as_ref(), cleanup, span, out)?;
            }
        }
        self.scopes.align(name, align);
        Ok(())
    }

    pub(super) fn function_attribute(&mut self, function: FunctionId, attribute: &Attribute) -> Checked<()> {
        match attribute {
            Attribute::NoReturn => self.program.functions[function].no_return = true,
            Attribute::Weak => {
                self.program.functions[function].weak = true;
                self.state.weak_here.insert(function);
            }
            Attribute::Constructor(priority) => {
                let priority = self.priority(priority.as_deref())?;
                self.state.constructors.push((priority, function));
            }
            Attribute::Destructor(priority) => {
                let priority = self.priority(priority.as_deref())?;
                self.state.destructors.push((priority, function));
            }
            Attribute::Alias(target, span) => {
                if let Some(target) = self.names.lookup(target) {
                    let here = match self.scopes.lookup(target) {
                        Some(Binding::Function(target)) => Some(target),
                        _ => None,
                    };
                    self.state.aliases.push((function, target, here, *span));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Without one, after all others.
    fn priority(&mut self, priority: Option<&Expr>) -> Checked<i128> {
        priority.map_or(Ok(i128::MAX), |priority| self.constant(priority, "the priority"))
    }

    fn declare_typedef(&mut self, name: Symbol, ty: QualType, align: Option<u64>, span: Span) -> Checked<()> {
        match self.scopes.lookup_here(name) {
            None => {}
            Some(Binding::Typedef(old, _))
                if compatible(&self.program.types, old.ty, ty.ty, Quals::Ignore) => {}
            Some(_) => return error(span, format!("`{}` is already declared differently", self.text(name))),
        }
        self.scopes.bind(name, Binding::Typedef(ty, align));
        Ok(())
    }

    /// The linkage of a name at file scope or of an `extern` one in a block, and what it already is.
    fn linked(&mut self, name: Symbol, storage: Option<Storage>) -> (Linkage, Option<Binding>) {
        let visible = match self.scopes.lookup(name) {
            binding @ Some(Binding::Global(_) | Binding::Function(_)) => binding,
            _ => None,
        };
        let linkage_of = |checker: &Self, binding: Binding| match binding {
            Binding::Global(global) => checker.program.globals[global].linkage,
            Binding::Function(function) => checker.program.functions[function].linkage,
            _ => Linkage::External,
        };
        if let Some(binding) = visible
            && (storage == Some(Storage::Static) || linkage_of(self, binding) == Linkage::Internal)
        {
            let is_static_local = matches!(binding, Binding::Global(g)
                if self.program.globals[g].origin != GlobalOrigin::FileScope);
            if !is_static_local {
                return (linkage_of(self, binding), Some(binding));
            }
        }
        if storage == Some(Storage::Static) {
            return (Linkage::Internal, None);
        }
        (Linkage::External, self.state.external.get(&name).copied())
    }

    fn bind_linked(&mut self, name: Symbol, linkage: Linkage, binding: Binding) {
        if linkage == Linkage::External {
            self.state.external.insert(name, binding);
        }
        self.scopes.bind(name, binding);
    }

    fn conflict<T>(&self, name: Symbol, span: Span, old_span: Span, old: TypeId) -> Checked<T> {
        let text = self.text(name);
        let mut found = Diagnostic::error(span, format!("`{text}` is declared here with another type"));
        if old_span != Span::NONE {
            found = found.with_help(format!("it was `{}`", self.program.types.show_declaration(old, text)));
        }
        Err(Box::new(found))
    }

    /// Whether a name that this file has not declared yet stands for something in an earlier file.
    fn is_foreign(&self, name: Symbol) -> bool {
        self.scopes.lookup(name).is_none()
    }

    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: TypeId,
        specifiers: &Specifiers,
        span: Span,
    ) -> Checked<FunctionId> {
        if matches!(
            self.scopes.lookup_here(name),
            Some(binding) if !matches!(binding, Binding::Global(_) | Binding::Function(_))
        ) {
            return error(span, format!("`{}` is already declared differently", self.text(name)));
        }
        if specifiers.storage == Some(Storage::Auto) {
            return unsupported(
                span,
                "a nested function that is declared before it is defined is not modelled",
            );
        }
        let foreign = self.is_foreign(name);
        let (linkage, old) = self.linked(name, specifiers.storage);
        let function = match old {
            Some(Binding::Function(function)) => {
                let old_ty = self.program.functions[function].ty;
                if compatible(&self.program.types, old_ty, ty, Quals::Ignore) {
                    let composite = self.composite(old_ty, ty);
                    self.program.functions[function].ty = composite;
                } else {
                    self.mismatched_function(function, name, ty, foreign, span)?;
                }
                if self.program.functions[function].span == Span::NONE {
                    self.program.functions[function].span = span;
                }
                function
            }
            Some(Binding::Global(global)) => {
                let old = &self.program.globals[global];
                return self.conflict(name, span, old.span, old.ty.ty);
            }
            _ => self.program.functions.push(Function {
                name: self.text(name).to_string(),
                ty,
                linkage,
                no_return: false,
                weak: false,
                span,
                body: None,
            }),
        };
        let no_return = |attribute: &Attribute| matches!(attribute, Attribute::NoReturn);
        if specifiers.attributes.iter().any(no_return) {
            self.program.functions[function].no_return = true;
        }
        self.bind_linked(name, linkage, Binding::Function(function));
        Ok(function)
    }

    /// A declaration that does not fit an earlier one: in another file, or an implicit one, it only gets a
    /// warning, as the linker does not even look. Calls are checked as it says, and fitted in the end ([`super::link`]).
    fn mismatched_function(
        &mut self,
        function: FunctionId,
        name: Symbol,
        ty: TypeId,
        foreign: bool,
        span: Span,
    ) -> Checked<()> {
        let old = &self.program.functions[function];
        let implicit = self.program.types.as_function(old.ty).is_some_and(|old| !old.prototyped);
        if !(foreign || implicit || old.span == Span::NONE) {
            return self.conflict(name, span, old.span, old.ty);
        }
        if old.span != Span::NONE {
            let text = self.text(name);
            let shown = self.program.types.show_declaration(old.ty, text);
            self.warn(span, format!("`{text}` is declared elsewhere as `{shown}`"));
        }
        if self.program.functions[function].body.is_none() {
            self.program.functions[function].ty = ty;
        } else {
            self.state.declared_as.insert(function, ty);
        }
        Ok(())
    }

    fn declare_object(
        &mut self,
        name: Symbol,
        ty: QualType,
        specifiers: &Specifiers,
        init: Option<&Init>,
        is_weak: bool,
        span: Span,
    ) -> Checked<()> {
        if matches!(
            self.scopes.lookup_here(name),
            Some(binding) if !matches!(binding, Binding::Global(_) | Binding::Function(_))
        ) {
            return error(span, format!("`{}` is already declared differently", self.text(name)));
        }
        let (linkage, old) = self.linked(name, specifiers.storage);
        let global = match old {
            Some(Binding::Global(global)) => {
                let old = &self.program.globals[global];
                let old_ty = old.ty.ty;
                if compatible(&self.program.types, old_ty, ty.ty, Quals::Ignore) {
                    let composite = self.composite(old_ty, ty.ty);
                    self.program.globals[global].ty.ty = composite;
                } else {
                    return self.conflict(name, span, old.span, old_ty);
                }
                global
            }
            Some(Binding::Function(function)) => {
                let old = &self.program.functions[function];
                return self.conflict(name, span, old.span, old.ty);
            }
            _ => self.program.globals.push(Global {
                name: self.text(name).to_string(),
                ty,
                linkage,
                origin: GlobalOrigin::FileScope,
                init: None,
                thread_local: specifiers.thread_local,
                span,
            }),
        };
        self.bind_linked(name, linkage, Binding::Global(global));
        match init {
            // A weak definition gives way to another one.
            Some(_) if is_weak && self.state.initialized.contains(&global) => {}
            Some(init) => {
                let replaces = self.state.weak_objects.remove(&global);
                if !self.state.initialized.insert(global) && !replaces {
                    return error(span, format!("`{}` is defined twice", self.text(name)));
                }
                if is_weak {
                    self.state.weak_objects.insert(global);
                }
                // The declaration that defines the object is the one to show.
                self.program.globals[global].span = span;
                self.static_initializer(global, ty, init, span)?;
            }
            None if specifiers.storage != Some(Storage::Extern) => {
                self.program.globals[global].init.get_or_insert_with(Initializer::default);
            }
            None if is_weak => self.state.weak_declared.push((global, span)),
            None => {}
        }
        Ok(())
    }

    /// An object that is another one of this file: all places become those of the other one in the end.
    fn object_alias(
        &mut self,
        name: Symbol,
        ty: QualType,
        specifiers: &Specifiers,
        target: &str,
        span: Span,
    ) -> Checked<()> {
        let bound = self.names.lookup(target).and_then(|target| self.scopes.lookup(target));
        let Some(Binding::Global(target)) = bound.filter(|_| self.scopes.depth() == 0) else {
            return unsupported(
                span,
                format!("an alias of `{target}`, which is no object that is declared before"),
            );
        };
        let target_ty = self.program.globals[target].ty.ty;
        if !compatible(&self.program.types, target_ty, ty.ty, Quals::Ignore) {
            return unsupported(span, "an alias with another type than that of the object");
        }
        let (linkage, old) = self.linked(name, specifiers.storage);
        let alias = match old {
            Some(Binding::Global(alias)) => alias,
            Some(_) => return error(span, format!("`{}` is already declared differently", self.text(name))),
            None => {
                let thread_local = specifiers.thread_local;
                let (name, origin) = (self.text(name).to_string(), GlobalOrigin::FileScope);
                self.program.globals.push(Global {
                    name,
                    ty,
                    linkage,
                    origin,
                    init: None,
                    thread_local,
                    span,
                })
            }
        };
        if !self.state.initialized.insert(alias) {
            return error(span, format!("`{}` is defined twice", self.text(name)));
        }
        self.bind_linked(name, linkage, Binding::Global(alias));
        self.state.object_aliases.push((alias, target));
        Ok(())
    }

    fn static_initializer(&mut self, global: GlobalId, ty: QualType, init: &Init, span: Span) -> Checked<()> {
        // The object's own type may be more complete than this declaration's.
        let ty = QualType { ty: self.composite(self.program.globals[global].ty.ty, ty.ty), quals: ty.quals };
        let outer = std::mem::replace(&mut self.static_init, true);
        let result = self.initializer(ty, init, span);
        self.static_init = outer;
        let (ty, init) = result?;
        let global = &mut self.program.globals[global];
        global.ty = ty;
        global.init = Some(init);
        Ok(())
    }

    fn static_local(
        &mut self,
        name: Symbol,
        ty: QualType,
        specifiers: &Specifiers,
        init: Option<&Init>,
        span: Span,
    ) -> Checked<()> {
        self.check_new_here(name, span)?;
        let Some(function) = &self.function else { return error(span, "`static` outside of a function") };
        let global = self.program.globals.push(Global {
            name: self.text(name).to_string(),
            ty,
            linkage: Linkage::Internal,
            origin: GlobalOrigin::StaticLocal(function.id),
            init: Some(Initializer::default()),
            thread_local: specifiers.thread_local,
            span,
        });
        self.scopes.bind(name, Binding::Global(global));
        match init {
            Some(init) => self.static_initializer(global, ty, init, span),
            None if self.program.types.is_complete(ty.ty) => Ok(()),
            None => error(span, format!("an object of incomplete type `{}`", self.show(ty))),
        }
    }

    fn local(
        &mut self,
        name: Symbol,
        ty: QualType,
        init: Option<&Init>,
        cleanup: Option<(Symbol, Span)>,
        span: Span,
        out: &mut Vec<StmtId>,
    ) -> Checked<()> {
        self.check_new_here(name, span)?;
        let text = self.text(name).to_string();
        let Some(function) = &mut self.function else {
            return error(span, "a variable outside of functions");
        };
        let local = function.add_local(text, ty, LocalOrigin::Declared, span);
        self.scopes.bind(name, Binding::Local(local));
        let init = match init {
            None => None,
            Some(init) => {
                let (complete, init) = self.initializer(ty, init, span)?;
                if let Some(function) = &mut self.function {
                    function.locals[local].ty = complete;
                }
                Some(init)
            }
        };
        let ty = self.function.as_ref().map_or(ty, |function| function.locals[local].ty);
        if !self.program.types.is_complete(ty.ty) {
            return error(span, format!("an object of incomplete type `{}`", self.show(ty)));
        }
        let cleanup = cleanup.map(|(function, at)| self.cleanup(function, at, name, span)).transpose()?;
        let stmt = self.stmt(StmtKind::Declare { local, init, cleanup }, span);
        out.push(stmt);
        Ok(())
    }

    /// What is called at the end of the variable's scope.
    fn cleanup(&mut self, function: Symbol, at: Span, variable: Symbol, span: Span) -> Checked<ExprId> {
        let named = |name, span| Expr { kind: ExprKind::Name(name), span, height: 0 };
        let object = Box::new(named(variable, span));
        let address = Expr { kind: ExprKind::Unary(UnaryOp::AddressOf, object), span, height: 1 };
        self.call(&named(function, at), &[address], span)
    }

    fn check_new_here(&self, name: Symbol, span: Span) -> Checked<()> {
        match self.scopes.lookup_here(name) {
            None => Ok(()),
            Some(_) => error(span, format!("`{}` is already declared in this block", self.text(name))),
        }
    }

    /// Completes the tentative definitions of a file (6.9.2).
    pub(super) fn finish_unit(&mut self) {
        for global in self.program.globals.indices() {
            let (ty, span) = (self.program.globals[global].ty, self.program.globals[global].span);
            let defined = self.program.globals[global].init.is_some();
            if !defined || self.program.types.is_complete(ty.ty) {
                continue;
            }
            if let Some((element, ArrayLength::Unknown)) = self.program.types.array(ty.ty) {
                self.warn(span, "an array without length is taken to have one element");
                self.program.globals[global].ty.ty = self.types().array_of(element, ArrayLength::Known(1));
            } else {
                let message = format!("an object of incomplete type `{}`", self.show(ty));
                self.diagnostics.add(Diagnostic::error(span, message));
            }
        }
    }

    /// The linker name of a declarator's function, for definitions.
    pub(super) fn required_name(&self, declarator: &Declarator) -> Checked<(Symbol, Span)> {
        match declarator.name {
            Some(name) => Ok(name),
            None => error(declarator.span, "a name is needed here"),
        }
    }
}

fn attributes<'a>(
    specifiers: &'a Specifiers,
    declarator: &'a InitDeclarator,
) -> impl Iterator<Item = &'a Attribute> {
    specifiers.attributes.iter().chain(&declarator.attributes).chain(&declarator.declarator.attributes)
}

/// What cleans up after the variable.
pub(super) fn cleanup_of(specifiers: &Specifiers, declarator: &InitDeclarator) -> Option<(Symbol, Span)> {
    attributes(specifiers, declarator).find_map(|attribute| match *attribute {
        Attribute::Cleanup(function, span) => Some((function, span)),
        _ => None,
    })
}

fn init_span(init: &Init) -> Span {
    match init {
        Init::Expr(expr) => expr.span,
        Init::List(list) => list.span,
    }
}
