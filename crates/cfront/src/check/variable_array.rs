//! Arrays of variable length (C11 6.7.6.2), as pointers to memory from `alloca`.
//!
//! A length is computed where the type is written, into a local that the type then names; arithmetic on
//! pointers to such arrays multiplies by their size. The memory of a local array lives until the function
//! returns and not only until the block ends, which no valid program can tell.

use craig_base::Index;

use super::declare::cleanup_of;
use super::scope::Binding;
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{Derived, InitDeclarator, Specifiers, Storage};
use crate::hir::{
    BinaryOp, Builtin, ExprId, ExprKind, InitItem, InitValue, Initializer, LocalId, LocalOrigin, PlaceKind,
    StmtId, StmtKind,
};
use crate::source::Span;
use crate::types::{ArrayLength, QualType, TypeId};

/// What a declarator turned out to be.
pub(super) enum LocalArray {
    /// No local array with a length.
    No,
    /// One of constant length: its type.
    Constant(QualType),
    /// One of variable length, declared.
    Variable,
}

impl Checker<'_> {
    /// Declares a local array of variable length. The length is looked at here once for all arrays, so that
    /// nested ones are not looked at exponentially often.
    pub(super) fn local_array(
        &mut self,
        specifiers: &Specifiers,
        base: QualType,
        declarator: &InitDeclarator,
        out: &mut Vec<StmtId>,
    ) -> Checked<LocalArray> {
        let automatic =
            !matches!(specifiers.storage, Some(Storage::Typedef | Storage::Extern | Storage::Static));
        let (
            Some((name, span)),
            Some((Derived::Array { length: Some(length), span: array_span, .. }, inner)),
            true,
        ) = (declarator.declarator.name, declarator.declarator.derived.split_first(), automatic)
        else {
            return Ok(LocalArray::No);
        };
        if self.scopes.depth() == 0 {
            return Ok(LocalArray::No);
        }
        let operand = self.expression(length)?;
        let length_value = self.value(operand)?;
        let is_integer = self.program.types.is_integer(self.type_of(length_value));
        if self.int_value(length_value).is_some() || !is_integer {
            let element = self.derived_type(base, inner, span)?;
            let ty = self.array_of_length(element, length_value, *array_span)?;
            let ty = self.attribute_mode(ty.into(), &declarator.declarator.attributes)?;
            return Ok(LocalArray::Constant(ty));
        }
        let length_name = format!(".length.{}", self.text(name));
        let length = self.length_named(length_name, length_value, span)?;
        let element = self.derived_type(base, inner, span)?;
        out.extend(self.take_lengths());
        let Some(local) = length else { return Ok(LocalArray::No) };
        let ty = self.types().array_of(element, ArrayLength::Variable(local));
        self.variable_local(specifiers, declarator, ty.into(), out)?;
        Ok(LocalArray::Variable)
    }

    /// Declares a local of an array type of variable length; false if it is no such local.
    pub(super) fn variable_local(
        &mut self,
        specifiers: &Specifiers,
        declarator: &InitDeclarator,
        ty: QualType,
        out: &mut Vec<StmtId>,
    ) -> Checked<bool> {
        let Some((name, span)) = declarator.declarator.name else { return Ok(false) };
        let Some((element, _)) = self.program.types.array(ty.ty) else { return Ok(false) };
        if specifiers.storage == Some(Storage::Typedef) || !self.program.types.is_variable(ty.ty) {
            return Ok(false);
        }
        if matches!(specifiers.storage, Some(Storage::Extern | Storage::Static)) {
            return error(span, "an array of variable length cannot be static");
        }
        if declarator.init.is_some() {
            return error(span, "an array of variable length cannot be initialised");
        }
        if let Some((_, span)) = cleanup_of(specifiers, declarator) {
            return unsupported(span, "an array of variable length that is cleaned up is not modelled");
        }
        if self.scopes.lookup_here(name).is_some() {
            return error(span, format!("`{}` is already declared in this block", self.text(name)));
        }
        let bytes = self.variable_size(ty.ty, span);
        let text = self.text(name).to_string();
        let void_pointer = self.types().pointer_to(TypeId::VOID);
        let memory = self.builtin_node(Builtin::VariableArray, vec![bytes], void_pointer, span);
        let pointer_type = self.types().pointer_to(element);
        let memory = self.convert(memory, pointer_type)?;
        let pointer = self.initialized_local(text, pointer_type, LocalOrigin::Declared, memory, span, out)?;
        self.scopes.bind(name, Binding::VariableArray { pointer, ty: ty.ty });
        Ok(true)
    }

    /// The local that keeps a length that is no constant, from here on; none outside of functions.
    pub(super) fn length_local(&mut self, length: ExprId, span: Span) -> Checked<Option<u32>> {
        if self.function.is_none() {
            return Ok(None);
        }
        self.length_named(".length".to_string(), length, span)
    }

    fn length_named(&mut self, name: String, length: ExprId, span: Span) -> Checked<Option<u32>> {
        let size_type = self.program.types.size_type();
        let count = self.convert(length, size_type)?;
        let mut stmts = Vec::new();
        let first = self.function.as_ref().is_none_or(|function| function.lengths.is_empty());
        let origin = LocalOrigin::Length { first };
        let local = self.initialized_local(name, size_type, origin, count, span, &mut stmts)?;
        if let Some(function) = &mut self.function {
            function.lengths.extend(stmts);
        }
        Ok(u32::try_from(local.index()).ok())
    }

    /// The declarations of lengths that have to go before what comes next.
    pub(super) fn take_lengths(&mut self) -> Vec<StmtId> {
        self.function.as_mut().map_or(Vec::new(), |function| std::mem::take(&mut function.lengths))
    }

    /// The value, computed after the lengths in its type.
    pub(super) fn after_lengths(&mut self, value: ExprId) -> ExprId {
        let stmts = self.take_lengths();
        if stmts.is_empty() {
            return value;
        }
        let (ty, span) = (self.type_of(value), self.span_of(value));
        self.expr(ExprKind::Statement { stmts, value: Some(value) }, ty, span)
    }

    /// The size of what the pointer points to, if that is variable.
    pub(super) fn variable_scale(&mut self, pointer: TypeId, span: Span) -> Option<ExprId> {
        let to = self.program.types.pointee(pointer)?.ty;
        self.program.types.is_variable(to).then(|| self.variable_size(to, span))
    }

    /// The index in bytes.
    pub(super) fn scaled_index(&mut self, index: ExprId, size: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.program.types.difference_type();
        let (index, size) = (self.convert(index, ty)?, self.convert(size, ty)?);
        Ok(self.binary_node(BinaryOp::Mul, index, size, ty, span))
    }

    /// The size of a type of variable size, of type `size_t`.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size_type = self.program.types.size_type();
        let mut factors = Vec::new();
        let mut ty = ty;
        while let Some((element, length)) =
            self.program.types.array(ty).filter(|_| self.program.types.is_variable(ty))
        {
            factors.push(match length {
                ArrayLength::Variable(local) => self.load_local(LocalId::from_usize(local as usize), span),
                ArrayLength::Known(length) => self.int(i128::from(length), size_type, span),
                ArrayLength::Unknown => self.int(0, size_type, span),
            });
            ty = element.ty;
        }
        let size = self.program.types.size_of(ty).unwrap_or(0);
        let mut all = self.int(i128::from(size), size_type, span);
        while let Some(factor) = factors.pop() {
            all = self.binary_node(BinaryOp::Mul, factor, all, size_type, span);
        }
        all
    }

    fn initialized_local(
        &mut self,
        name: String,
        ty: TypeId,
        origin: LocalOrigin,
        value: ExprId,
        span: Span,
        out: &mut Vec<StmtId>,
    ) -> Checked<LocalId> {
        let Some(function) = &mut self.function else {
            return error(span, "a variable outside of functions");
        };
        let local = function.add_local(name, ty.into(), origin, span);
        let item = InitItem { offset: 0, ty, bits: None, value: InitValue::Expr(value) };
        let init = Some(Initializer { items: vec![item], replaced: Vec::new() });
        let stmt = self.stmt(StmtKind::Declare { local, init, cleanup: None }, span);
        out.push(stmt);
        Ok(local)
    }

    fn load_local(&mut self, local: LocalId, span: Span) -> ExprId {
        let ty = self.function.as_ref().map_or(TypeId::INT.into(), |function| function.locals[local].ty);
        let place = self.local_place(local, ty, span);
        self.expr(ExprKind::Load(place), ty.ty, span)
    }

    /// The array itself, as an object behind its pointer.
    pub(super) fn variable_array_place(&mut self, pointer: LocalId, ty: TypeId, span: Span) -> Operand {
        let pointer = self.load_local(pointer, span);
        Operand::Place(self.place(PlaceKind::Deref(pointer), ty, span))
    }
}
