//! Specifiers and declarators to types (C11 6.7.2 to 6.7.7).

use craig_base::Index;

use super::scope::Binding;
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{
    Attribute, Declarator, Derived, Expr, FunctionDeclarator, Param, Specifiers, TypeName, TypeSpecifier,
};
use crate::diagnostics::Diagnostic;
use crate::hir::ExprId;
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{ArrayLength, FunctionType, IntKind, QualType, Qualifiers, TypeId, TypeKind};

/// The type that specifiers give, and the alignment that they ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub ty: QualType,
    pub align: Option<u64>,
}

/// The operand of `sizeof`, `typeof` and the like.
pub(super) struct Unevaluated {
    pub ty: QualType,
    /// The width of the bit-field whose value it is.
    pub width: Option<u32>,
    /// What `sizeof` evaluates of it after all, as its type is an array of variable length (6.5.3.4 p2).
    pub evaluated: Option<ExprId>,
}

impl Checker<'_> {
    /// `standalone`: nothing is declared but a tag (`struct S;`), which then belongs to this scope.
    pub(super) fn base_type(&mut self, specifiers: &Specifiers, standalone: bool) -> Checked<Base> {
        let mut align = None;
        let ty = match &specifiers.ty {
            TypeSpecifier::Void => TypeId::VOID,
            TypeSpecifier::Bool => TypeId::BOOL,
            TypeSpecifier::Int(kind) => self.program.types.int(*kind),
            TypeSpecifier::Float(kind) => self.types().intern(TypeKind::Float(*kind)),
            TypeSpecifier::Complex(kind) => {
                let part = self.types().intern(TypeKind::Float(*kind));
                self.complex_type(part)
            }
            TypeSpecifier::VaList => TypeId::VA_LIST,
            TypeSpecifier::Size => self.program.types.size_type(),
            TypeSpecifier::Implicit => TypeId::INT,
            TypeSpecifier::Record(record) => self.record_type(record, standalone)?,
            TypeSpecifier::Enum(enumeration) => self.enum_type(enumeration)?,
            TypeSpecifier::Auto => {
                return error(specifiers.span, "`__auto_type` needs one initialised variable");
            }
            TypeSpecifier::Name(name) => match self.scopes.lookup(*name) {
                Some(Binding::Typedef(ty, typedef_align)) => {
                    align = typedef_align;
                    let ty = self.attribute_mode(ty, &specifiers.attributes)?;
                    return Ok(Base { ty: self.qualify(ty, specifiers.quals), align });
                }
                _ => return error(specifiers.span, format!("`{}` is not a type", self.text(*name))),
            },
            TypeSpecifier::TypeofType(name) => {
                let ty = self.type_name(name)?;
                return Ok(Base { ty: self.qualify(ty, specifiers.quals), align });
            }
            TypeSpecifier::TypeofExpr(expr) => {
                let ty = self.type_of_unevaluated(expr)?;
                return Ok(Base { ty: self.qualify(ty, specifiers.quals), align });
            }
        };
        let ty = self.attribute_mode(ty.into(), &specifiers.attributes)?;
        Ok(Base { ty: self.qualify(ty, specifiers.quals), align })
    }

    /// Qualifiers of an array belong to its elements.
    pub(super) fn qualify(&mut self, ty: QualType, quals: Qualifiers) -> QualType {
        if quals == Qualifiers::NONE {
            return ty;
        }
        // Peel the array types, qualify the element, and wrap it again.
        let mut lengths = Vec::new();
        let mut element = ty;
        while let Some((inner, length)) = self.program.types.array(element.ty) {
            lengths.push(length);
            element = inner;
        }
        let mut result = element.with(quals);
        for length in lengths.into_iter().rev() {
            result = self.types().array_of(result, length).into();
        }
        result
    }

    /// `__attribute__((mode(DI)))` replaces an integer or floating type by one of that width.
    pub(super) fn attribute_mode(&mut self, ty: QualType, attributes: &[Attribute]) -> Checked<QualType> {
        let mut ty = ty;
        for attribute in attributes {
            match attribute {
                Attribute::Mode(mode, span) => ty.ty = self.apply_mode(ty.ty, *mode, *span)?,
                Attribute::VectorSize(size) => ty = self.vectors_of(ty, size)?,
                _ => {}
            }
        }
        Ok(ty)
    }

    fn apply_mode(&mut self, ty: TypeId, mode: Symbol, span: Span) -> Checked<TypeId> {
        let signed = self.program.types.int_info(ty).is_none_or(|info| info.signed);
        let word = if self.program.types.pointer_size() == 8 { IntKind::Long } else { IntKind::Int };
        let (kind, unsigned) = match self.text(mode).trim_matches('_') {
            "QI" | "byte" => (IntKind::SignedChar, IntKind::UnsignedChar),
            "HI" => (IntKind::Short, IntKind::UnsignedShort),
            "SI" => (IntKind::Int, IntKind::UnsignedInt),
            "DI" if self.program.types.pointer_size() == 8 => (IntKind::Long, IntKind::UnsignedLong),
            "DI" => (IntKind::LongLong, IntKind::UnsignedLongLong),
            "TI" => (IntKind::Int128, IntKind::UnsignedInt128),
            "word" | "pointer" | "unwind_word" if word == IntKind::Long => {
                (IntKind::Long, IntKind::UnsignedLong)
            }
            "word" | "pointer" | "unwind_word" => (IntKind::Int, IntKind::UnsignedInt),
            "SF" => return Ok(TypeId::FLOAT),
            "DF" => return Ok(TypeId::DOUBLE),
            "XF" => return Ok(TypeId::LONG_DOUBLE),
            "TF" => return Ok(TypeId::FLOAT128),
            "SC" => return Ok(self.complex_type(TypeId::FLOAT)),
            "DC" => return Ok(self.complex_type(TypeId::DOUBLE)),
            "XC" => return Ok(self.complex_type(TypeId::LONG_DOUBLE)),
            "TC" => return Ok(self.complex_type(TypeId::FLOAT128)),
            other => return unsupported(span, format!("the machine mode `{other}` is not modelled")),
        };
        Ok(self.program.types.int(if signed { kind } else { unsigned }))
    }

    /// The largest alignment that the attributes ask for.
    pub(super) fn attribute_align(&mut self, attributes: &[Attribute]) -> Checked<Option<u64>> {
        let mut result: Option<u64> = None;
        for attribute in attributes {
            let align = match attribute {
                Attribute::Aligned(None) => 16,
                Attribute::AlignedAs(name) => {
                    let ty = self.type_name(name)?.ty;
                    self.program.types.align_of(ty)
                }
                Attribute::Aligned(Some(expr)) => {
                    let value = self.constant(expr, "the alignment")?;
                    match u64::try_from(value) {
                        Ok(0) => continue,
                        Ok(value) if value.is_power_of_two() && value <= 1 << 28 => value,
                        _ => return error(expr.span, "an alignment must be a power of two up to 2^28"),
                    }
                }
                _ => continue,
            };
            result = Some(result.unwrap_or(1).max(align));
        }
        Ok(result)
    }

    pub(super) fn type_name(&mut self, name: &TypeName) -> Checked<QualType> {
        let base = self.base_type(&name.specifiers, false)?;
        self.declared_type(base.ty, &name.declarator)
    }

    /// The type of what `declarator` declares, given that of its specifiers.
    pub(super) fn declared_type(&mut self, base: QualType, declarator: &Declarator) -> Checked<QualType> {
        let ty = self.derived_type(base, &declarator.derived, declarator.span)?;
        self.attribute_mode(ty, &declarator.attributes)
    }

    pub(super) fn derived_type(
        &mut self,
        base: QualType,
        derived: &[Derived],
        span: Span,
    ) -> Checked<QualType> {
        let mut ty = base;
        for step in derived.iter().rev() {
            ty = match step {
                Derived::Pointer(quals) => QualType::from(self.types().pointer_to(ty)).with(*quals),
                Derived::Array { length, star, span, .. } => {
                    self.array_type(ty, length.as_deref(), *star, *span)?.into()
                }
                Derived::Function(function) => self.function_type(ty, function, span)?.into(),
            };
        }
        Ok(ty)
    }

    fn array_type(
        &mut self,
        element: QualType,
        length: Option<&Expr>,
        star: bool,
        span: Span,
    ) -> Checked<TypeId> {
        let Some(length) = length.filter(|_| !star) else {
            if self.function.is_some() {
                self.check_element(element, span)?;
            }
            return Ok(self.types().array_of(element, ArrayLength::Unknown));
        };
        if self.function.is_none() && self.scopes.depth() > 0 {
            // The parameters of a prototype, which lengths may name, are not known here.
            let constant = self.expression(length).and_then(|operand| self.value(operand));
            if !constant.is_ok_and(|length| self.int_value(length).is_some()) {
                return Ok(self.types().array_of(element, ArrayLength::Unknown));
            }
        }
        let operand = self.expression(length)?;
        let length = self.value(operand)?;
        self.array_of_length(element, length, span)
    }

    fn check_element(&self, element: QualType, span: Span) -> Checked<()> {
        if self.program.types.is_complete(element.ty) {
            return Ok(());
        }
        let is_function = self.program.types.as_function(element.ty).is_some();
        let kind = if is_function { "functions" } else { "incomplete type" };
        error(span, format!("an array cannot have elements of {kind} `{}`", self.show(element)))
    }

    /// The array with a length that must be constant.
    pub(super) fn array_of_length(
        &mut self,
        element: QualType,
        length: ExprId,
        span: Span,
    ) -> Checked<TypeId> {
        if self.function.is_some() || self.scopes.depth() == 0 {
            self.check_element(element, span)?;
        }
        if !self.program.types.is_integer(self.type_of(length)) {
            return error(self.span_of(length), "the length of an array must be an integer");
        }
        let Some(value) = self.int_value(length) else {
            if let Some(local) = self.length_local(length, span)? {
                return Ok(self.types().array_of(element, ArrayLength::Variable(local)));
            }
            return Err(Box::new(
                Diagnostic::unsupported(span, "arrays of variable length are not modelled here")
                    .with_help("a local variable may be one; a constant length is accepted everywhere"),
            ));
        };
        if value < 0 {
            return error(span, "the length of this array is negative");
        }
        let is_variable = self.program.types.is_variable(element.ty);
        let ty = u64::try_from(value).map(|value| self.types().array_of(element, ArrayLength::Known(value)));
        // Sizes are signed in places, and pointers have to be able to address each byte.
        let limit = if self.program.types.pointer_size() == 8 { 1u64 << 62 } else { 1 << 31 };
        match ty {
            Ok(ty) if is_variable || self.program.types.size_of(ty).is_some_and(|size| size < limit) => {
                Ok(ty)
            }
            _ => error(span, "this array is larger than the address space"),
        }
    }

    fn function_type(
        &mut self,
        result: QualType,
        function: &FunctionDeclarator,
        span: Span,
    ) -> Checked<TypeId> {
        let types = &self.program.types;
        if types.is_array(result.ty) || types.as_function(result.ty).is_some() {
            return error(span, "a function cannot return an array or a function");
        }
        // Tags that are first mentioned among the parameters are in a scope of their own.
        self.scopes.enter();
        let params = self.param_types(function);
        self.scopes.leave();
        let params = params?;
        let (variadic, prototyped) = (function.variadic, function.prototyped);
        let function = FunctionType { result: result.ty, params, variadic, prototyped };
        Ok(self.types().function(function))
    }

    fn param_types(&mut self, function: &FunctionDeclarator) -> Checked<Vec<TypeId>> {
        let mut params = Vec::with_capacity(function.params.len());
        for param in &function.params {
            params.push(self.param_type(param)?.ty);
        }
        Ok(params)
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub(super) fn param_type(&mut self, param: &Param) -> Checked<QualType> {
        let base = self.base_type(&param.specifiers, false)?.ty;
        self.param_declared_type(base, &param.declarator)
    }

    pub(super) fn param_declared_type(
        &mut self,
        base: QualType,
        declarator: &Declarator,
    ) -> Checked<QualType> {
        // The outermost array becomes a pointer before its length is looked at: it may be variable.
        if let Some((Derived::Array { quals, .. }, inner)) = declarator.derived.split_first() {
            let element = self.derived_type(base, inner, declarator.span)?;
            return Ok(QualType::from(self.types().pointer_to(element)).with(*quals));
        }
        let ty = self.declared_type(base, declarator)?;
        if ty.ty == TypeId::VOID {
            return error(declarator.span, "a parameter cannot have type `void`");
        }
        Ok(self.adjust_param(ty))
    }

    fn adjust_param(&mut self, ty: QualType) -> QualType {
        if let Some((element, _)) = self.program.types.array(ty.ty) {
            return self.types().pointer_to(element).into();
        }
        if self.program.types.as_function(ty.ty).is_some() {
            return self.types().pointer_to(ty.ty).into();
        }
        ty
    }

    /// The type of an expression that is not evaluated (`typeof`, `sizeof`): the nodes made for it are dropped,
    /// unless a new object's initialiser may refer to them.
    pub(super) fn type_of_unevaluated(&mut self, expr: &Expr) -> Checked<QualType> {
        self.unevaluated(expr).map(|operand| operand.ty)
    }

    /// The operand of `sizeof` and the like, looked at for its type only.
    pub(super) fn unevaluated(&mut self, expr: &Expr) -> Checked<Unevaluated> {
        let globals = self.program.globals.len();
        let marks = (self.program.exprs.len(), self.program.places.len(), self.program.stmts.len());
        let lengths = self.function.as_ref().map_or(0, |state| state.lengths.len());
        let operand = self.expression(expr)?;
        let ty = self.operand_type(operand);
        let width = match operand {
            Operand::Value(value) => self.bit_field_value(value),
            _ => None,
        };
        if self.function.as_ref().is_some_and(|state| state.lengths.len() > lengths) {
            return unsupported(expr.span, "arrays of variable length are not modelled here");
        }
        if self.program.types.is_variable(ty.ty) {
            let address = self.value(operand)?;
            let evaluated = Some(self.effect(Operand::Value(address))?);
            return Ok(Unevaluated { ty, width, evaluated });
        }
        if self.program.globals.len() == globals {
            self.program.exprs.truncate(marks.0);
            self.state.widths.retain(|expr, _| expr.index() < marks.0);
            self.program.places.truncate(marks.1);
            self.program.stmts.truncate(marks.2);
        }
        Ok(Unevaluated { ty, width, evaluated: None })
    }

    pub(super) fn operand_type(&self, operand: Operand) -> QualType {
        match operand {
            Operand::Value(expr) => self.type_of(expr).into(),
            Operand::Place(place) => self.program.places[place].ty,
            Operand::Function(pointer) => {
                let ty = self.type_of(pointer);
                self.program.types.pointee(ty).unwrap_or(ty.into())
            }
        }
    }

    /// The value of an integer constant expression.
    pub(super) fn constant(&mut self, expr: &Expr, what: &str) -> Checked<i128> {
        let operand = self.expression(expr)?;
        let value = self.value(operand)?;
        match self.int_value(value) {
            Some(value) => Ok(value),
            None => error(expr.span, format!("{what} must be an integer constant")),
        }
    }
}
