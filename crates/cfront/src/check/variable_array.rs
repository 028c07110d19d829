//! Arrays of variable length (C11 6.7.6.2), as pointers to memory from `alloca`.
//!
//! Only whole local variables can have such a type, with elements of constant size: `int a[n]`, not `int
//! a[n][m]`, no pointers to such arrays and no typedefs of them. Their memory lives until the function
//! returns and not only until the block ends, which no valid program can tell.

use super::scope::Binding;
use super::{Checked, Checker, Operand, error};
use crate::ast::{self, Derived, Expr, InitDeclarator, Specifiers, Storage};
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
        if declarator.init.is_some() {
            return error(span, "an array of variable length cannot be initialised");
        }
        if self.scopes.lookup_here(name).is_some() {
            return error(span, format!("`{}` is already declared in this block", self.text(name)));
        }
        let element = self.derived_type(base, inner, span)?;
        let Some(size) = self.program.types.size_of(element.ty) else {
            return error(span, format!("elements of incomplete type `{}`", self.show(element)));
        };
        let size_type = self.program.types.size_type();
        let count = self.convert(length_value, size_type)?;
        let text = self.text(name).to_string();
        let length_name = format!(".length.{text}");
        let length =
            self.initialized_local(length_name, size_type, LocalOrigin::Temporary, count, span, out)?;
        let bytes = self.scaled(length, size, span);
        let void_pointer = self.types().pointer_to(TypeId::VOID);
        let memory = self.builtin_node(Builtin::Alloca, vec![bytes], void_pointer, span);
        let pointer_type = self.types().pointer_to(element);
        let memory = self.convert(memory, pointer_type)?;
        let pointer = self.initialized_local(text, pointer_type, LocalOrigin::Declared, memory, span, out)?;
        self.scopes.bind(name, Binding::VariableArray { pointer, length });
        Ok(LocalArray::Variable)
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
        let init = Some(Initializer { items: vec![item] });
        let stmt = self.stmt(StmtKind::Declare { local, init }, span);
        out.push(stmt);
        Ok(local)
    }

    fn load_local(&mut self, local: LocalId, span: Span) -> ExprId {
        let ty = self.function.as_ref().map_or(TypeId::INT.into(), |function| function.locals[local].ty);
        let place = self.local_place(local, ty, span);
        self.expr(ExprKind::Load(place), ty.ty, span)
    }

    /// The length times the size of an element.
    fn scaled(&mut self, length: LocalId, size: u64, span: Span) -> ExprId {
        let size_type = self.program.types.size_type();
        let length = self.load_local(length, span);
        let size = self.int(i128::from(size), size_type, span);
        self.binary_node(BinaryOp::Mul, length, size, size_type, span)
    }

    /// The array itself, as an object of unknown length behind its pointer.
    pub(super) fn variable_array_place(&mut self, pointer: LocalId, span: Span) -> Checked<Operand> {
        let pointer = self.load_local(pointer, span);
        let Some(element) = self.program.types.pointee(self.type_of(pointer)) else {
            return error(span, "an array of variable length without memory");
        };
        let ty = self.types().array_of(element, ArrayLength::Unknown);
        Ok(Operand::Place(self.place(PlaceKind::Deref(pointer), ty, span)))
    }

    /// `sizeof a`, computed when it is evaluated.
    pub(super) fn variable_array_size(&mut self, operand: &Expr, span: Span) -> Checked<Option<ExprId>> {
        let ast::ExprKind::Name(name) = operand.kind else { return Ok(None) };
        let Some(Binding::VariableArray { pointer, length }) = self.scopes.lookup(name) else {
            return Ok(None);
        };
        let pointer = self.load_local(pointer, span);
        let element = self.program.types.pointee(self.type_of(pointer)).map_or(TypeId::CHAR, |to| to.ty);
        let size = self.program.types.size_of(element).unwrap_or(1);
        Ok(Some(self.scaled(length, size, span)))
    }
}
