//! Expressions (C11 6.5), except operators ([`super::operator`]) and calls ([`super::call`]).

use super::scope::Binding;
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{Alignment, Designator, Expr, ExprKind, Init, InitList, StringLiteral, TypeName, UnaryOp};
use crate::diagnostics::Diagnostic;
use crate::hir::{
    self, Global, GlobalOrigin, InitItem, InitValue, Initializer, Linkage, LocalOrigin, PlaceId, PlaceKind,
    Text,
};
use crate::lex::Symbol;
use crate::lex::literal::{Encoding, FloatLiteral, FloatSuffix, IntLiteral};
use crate::source::Span;
use crate::types::{ArrayLength, IntKind, QualType, Qualifiers, TypeId, TypeKind};
use craig_num::Extended;

impl Checker<'_> {
    pub(super) fn expression(&mut self, expr: &Expr) -> Checked<Operand> {
        let span = expr.span;
        let value = match &expr.kind {
            ExprKind::Name(name) => return self.name(*name, span),
            ExprKind::Int(literal) => self.int_literal(literal, span)?,
            ExprKind::Float(literal) => self.float_literal(literal, span)?,
            ExprKind::Char(encoding, value) => {
                let ty = match encoding {
                    Encoding::Narrow => TypeId::INT,
                    other => self.character_type(*other),
                };
                self.int(i128::from(*value), ty, span)
            }
            ExprKind::String(literal) => return Ok(Operand::Place(self.string_place(literal, span))),
            ExprKind::Unary(op, operand) => return self.unary(*op, operand, span),
            ExprKind::Binary(..) => return self.binary_chain(expr),
            ExprKind::Logical(op, left, right) => {
                let left = self.condition(left)?;
                let right = self.condition(right)?;
                self.logical_node(*op, left, right, span)
            }
            ExprKind::Assign(None, left, right) => self.assign(left, right, span)?,
            ExprKind::Assign(Some(op), left, right) => self.compound_assign(*op, left, right, span)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span)?
            }
            ExprKind::Comma(left, right) => {
                let left = self.expression(left)?;
                let left = self.effect(left)?;
                let right = self.expression(right)?;
                let right = self.value(right)?;
                let ty = self.type_of(right);
                self.expr(hir::ExprKind::Comma(left, right), ty, span)
            }
            ExprKind::Cast(name, operand) => {
                let ty = self.type_name(name)?.ty;
                let operand = self.expression(operand)?;
                let value = self.value(operand)?;
                if ty != TypeId::VOID && !self.program.types.is_complete(ty) {
                    return error(span, format!("a cast to incomplete type `{}`", self.show(ty)));
                }
                let cast = self.explicit_cast(value, ty, span)?;
                self.after_lengths(cast)
            }
            ExprKind::CompoundLiteral(name, list) => return self.compound_literal(name, list, span),
            ExprKind::Call(callee, args) => self.call(callee, args, span)?,
            ExprKind::Index(array, index) => return self.index(array, index, span),
            ExprKind::Member { object, name, arrow, name_span } => {
                return self.member_access(object, *name, *arrow, span, *name_span);
            }
            ExprKind::SizeofExpr(operand) => {
                let operand = self.unevaluated(operand)?;
                let size = match operand.width {
                    // gcc: as many bytes as the bits need.
                    Some(width) => {
                        let size_type = self.program.types.size_type();
                        self.int(width.div_ceil(8).next_power_of_two().into(), size_type, span)
                    }
                    None => self.sizeof(operand.ty, span)?,
                };
                match operand.evaluated {
                    Some(effect) => {
                        let ty = self.type_of(size);
                        self.expr(hir::ExprKind::Comma(effect, size), ty, span)
                    }
                    None => size,
                }
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                let size = self.sizeof(ty, span)?;
                self.after_lengths(size)
            }
            ExprKind::AlignofExpr(alignment, operand) => {
                let ty = self.type_of_unevaluated(operand)?;
                let asked = match operand.kind {
                    ExprKind::Name(name) => self.scopes.align_of(name),
                    _ => None,
                };
                self.alignof(*alignment, ty, asked, span)
            }
            ExprKind::AlignofType(alignment, name) => {
                let ty = self.type_name(name)?;
                self.alignof(*alignment, ty, None, span)
            }
            ExprKind::Statement(stmts) => self.statement_expression(stmts, span)?,
            ExprKind::LabelAddress(name) => self.label_address(*name, span)?,
            ExprKind::Generic(controlling, choices) => return self.generic(controlling, choices, span),
            ExprKind::ConvertVector(vector, name) => {
                let to = self.type_name(name)?.ty;
                let vector = self.operand_value(vector)?;
                self.convert_lanes(vector, to, span)?
            }
            ExprKind::VaArg(list, name) => {
                let place = self.argument_list(list)?;
                let ty = self.type_name(name)?.ty;
                self.expr(hir::ExprKind::VaArg(place), ty, span)
            }
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, span)?,
            ExprKind::TypesCompatible(names) => {
                let (left, right) = (self.type_name(&names.0)?.ty, self.type_name(&names.1)?.ty);
                let same = super::compatible::compatible(
                    &self.program.types,
                    left,
                    right,
                    super::compatible::Quals::Compare,
                );
                self.int(i128::from(same), TypeId::INT, span)
            }
            ExprKind::ChooseExpr(parts) => {
                let condition = self.constant(&parts.0, "the condition of `__builtin_choose_expr`")?;
                return self.expression(if condition != 0 { &parts.1 } else { &parts.2 });
            }
        };
        Ok(Operand::Value(value))
    }

    /// An operand that is evaluated for its effects only.
    pub(super) fn effect(&mut self, operand: Operand) -> Checked<hir::ExprId> {
        match operand {
            // An object of incomplete type, or an array: nothing is read.
            Operand::Place(place) if !self.program.types.is_scalar(self.program.places[place].ty.ty) => {
                let span = self.program.places[place].span;
                let ty = self.program.places[place].ty;
                let pointer = self.types().pointer_to(ty);
                Ok(self.expr(hir::ExprKind::AddressOf(place), pointer, span))
            }
            other => self.value(other),
        }
    }

    fn name(&mut self, name: Symbol, span: Span) -> Checked<Operand> {
        match self.scopes.lookup(name) {
            Some(Binding::Local(local)) if self.is_around(name) => {
                Ok(Operand::Place(self.place_around(local, span)?))
            }
            Some(Binding::VariableArray { .. }) if self.is_around(name) => {
                unsupported(span, "an array of variable length in a nested function is not modelled")
            }
            Some(Binding::Local(local)) => {
                let function = self.function.as_ref().expect("locals are only bound in functions");
                let ty = function.locals[local].ty;
                Ok(Operand::Place(self.local_place(local, ty, span)))
            }
            Some(Binding::VariableArray { pointer, ty }) => Ok(self.variable_array_place(pointer, ty, span)),
            Some(Binding::Global(global)) => Ok(Operand::Place(self.global_place(global, span))),
            Some(Binding::Function(function)) => Ok(self.function_operand(function, span)),
            Some(Binding::Constant(value, ty)) => Ok(Operand::Value(self.int(value, ty, span))),
            Some(Binding::Typedef(..)) => {
                error(span, format!("`{}` is a type, but a value is needed here", self.text(name)))
            }
            None => self.undeclared(name, span),
        }
    }

    pub(super) fn function_operand(&mut self, function: hir::FunctionId, span: Span) -> Operand {
        let own = self.state.declared_as.get(&function);
        let ty = own.copied().unwrap_or(self.program.functions[function].ty);
        let pointer = self.types().pointer_to(ty);
        Operand::Function(self.expr(hir::ExprKind::FunctionAddress(function), pointer, span))
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Checked<Operand> {
        let known = self.known;
        if [known.func, known.function, known.pretty_function].contains(&name) {
            let own = match &self.function {
                Some(function) => self.program.functions[function.id].name.clone(),
                None => String::new(),
            };
            let units = own.bytes().map(u32::from).collect();
            let literal = StringLiteral { encoding: Encoding::Narrow, units };
            return Ok(Operand::Place(self.string_place(&literal, span)));
        }
        if let Some(function) = self.builtin_library_function(name) {
            return Ok(self.function_operand(function, span));
        }
        if self.text(name) == "__CPROVER_max_malloc_size" {
            let ty = self.program.types.size_type();
            let largest = craig_program::DataModel::from(self.program.types.model()).largest_object();
            return Ok(Operand::Value(self.int(i128::from(largest), ty, span)));
        }
        Err(Box::new(
            Diagnostic::error(span, format!("`{}` is not declared", self.text(name)))
                .with_help("a declaration must come before the use"),
        ))
    }

    /// The first type that holds the value (6.4.4.1 p5).
    fn int_literal(&mut self, literal: &IntLiteral, span: Span) -> Checked<hir::ExprId> {
        use IntKind::*;
        let candidates = [Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong, Int128];
        let first = usize::from(literal.longs) * 2;
        let types = &self.program.types;
        let fits = |&kind: &IntKind| {
            let info = types.int_kind_info(kind);
            let sign_allowed = if literal.unsigned { !info.signed } else { info.signed || !literal.decimal };
            let bits = info.bits - u32::from(info.signed);
            sign_allowed && (bits >= 128 || literal.value >> bits == 0)
        };
        match candidates[first..].iter().copied().find(fits) {
            Some(kind) => {
                let ty = types.int(kind);
                Ok(self.int(literal.value as i128, ty, span))
            }
            // A decimal beyond `long long` is unsigned for gcc, with a warning.
            None if literal.value >> 64 == 0 => {
                self.warn(span, "this number is so large that it is unsigned");
                Ok(self.int(literal.value as i128, TypeId::UNSIGNED_LONG_LONG, span))
            }
            None => error(span, "this number is too large for any integer type"),
        }
    }

    fn float_literal(&mut self, literal: &FloatLiteral, span: Span) -> Checked<hir::ExprId> {
        let ty = match literal.suffix {
            FloatSuffix::None => TypeId::DOUBLE,
            FloatSuffix::Float => TypeId::FLOAT,
            FloatSuffix::Long => TypeId::LONG_DOUBLE,
            FloatSuffix::Float128 => TypeId::FLOAT128,
            FloatSuffix::Float16 => {
                let value = self.float(literal.value, TypeId::DOUBLE, span);
                let value = self.narrowed(value)?;
                return self.widened(value);
            }
        };
        let value = self.float(literal.value, ty, span);
        if !literal.imaginary {
            return Ok(value);
        }
        let zero = self.float(Extended::ZERO, ty, span);
        self.complex_number(zero, value, span)
    }

    pub(super) fn character_type(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Narrow => TypeId::CHAR,
            // `wchar_t` is `long` on i386 and `int` on x86-64.
            Encoding::Wide if self.program.types.pointer_size() == 4 => TypeId::LONG,
            Encoding::Wide => TypeId::INT,
            Encoding::Char16 => TypeId::UNSIGNED_SHORT,
            Encoding::Char32 => TypeId::UNSIGNED_INT,
        }
    }

    pub(super) fn string_text(literal: &StringLiteral) -> Text {
        match literal.encoding {
            Encoding::Narrow => Text::Bytes(literal.units.iter().map(|&unit| unit as u8).collect()),
            _ => Text::Wide(literal.units.clone().into_boxed_slice()),
        }
    }

    fn string_place(&mut self, literal: &StringLiteral, span: Span) -> PlaceId {
        let element = self.character_type(literal.encoding);
        let length = literal.units.len() as u64 + 1;
        let ty = self.types().array_of(element, ArrayLength::Known(length));
        let value = InitValue::Text(Self::string_text(literal));
        let init =
            Initializer { items: vec![InitItem { offset: 0, ty, bits: None, value }], replaced: Vec::new() };
        let global = self.anonymous_global(".string", ty.into(), GlobalOrigin::StringLiteral, init, span);
        self.global_place(global, span)
    }

    fn anonymous_global(
        &mut self,
        name: &str,
        ty: QualType,
        origin: GlobalOrigin,
        init: Initializer,
        span: Span,
    ) -> hir::GlobalId {
        let name = format!("{name}.{}", self.program.globals.len());
        self.program.globals.push(Global {
            name,
            ty,
            linkage: Linkage::Internal,
            origin,
            init: Some(init),
            thread_local: false,
            span,
        })
    }

    fn compound_literal(&mut self, name: &TypeName, list: &InitList, span: Span) -> Checked<Operand> {
        let ty = self.type_name(name)?;
        self.literal_of(ty, list, span)
    }

    /// The compound literal of a type that was already looked at.
    pub(super) fn literal_of(&mut self, ty: QualType, list: &InitList, span: Span) -> Checked<Operand> {
        let (ty, init) = self.initializer(ty, &Init::List(list.clone()), span)?;
        let place = match &mut self.function {
            Some(function) if !self.static_init => {
                let name = format!(".literal.{}", function.locals.len());
                let local = function.add_local(name, ty, LocalOrigin::CompoundLiteral, span);
                self.place(PlaceKind::Initialized { local, init }, ty, span)
            }
            _ => {
                let origin = GlobalOrigin::CompoundLiteral;
                let global = self.anonymous_global(".literal", ty, origin, init, span);
                self.global_place(global, span)
            }
        };
        Ok(Operand::Place(place))
    }

    fn index(&mut self, array: &Expr, index: &Expr, span: Span) -> Checked<Operand> {
        let mut array = self.expression(array)?;
        let own_type = self.operand_type(array).ty;
        if self.vector_lanes(own_type).is_some() {
            array = Operand::Place(self.lanes_of(array, span));
        }
        let mut pointer = self.value(array)?;
        let index = self.expression(index)?;
        let mut index = self.value(index)?;
        // gcc's lists are arrays of one element; here a list is its element.
        if own_type == TypeId::VA_LIST && self.int_value(index) == Some(0) {
            return Ok(array);
        }
        if self.program.types.is_pointer(self.type_of(index)) {
            std::mem::swap(&mut pointer, &mut index);
        }
        let Some(to) = self.program.types.pointee(self.type_of(pointer)) else {
            let shown = self.show(self.type_of(pointer));
            return error(span, format!("only arrays and pointers can be indexed, and this is `{shown}`"));
        };
        if !self.program.types.is_integer(self.type_of(index)) {
            return error(self.span_of(index), "an index must be an integer");
        }
        let sum = self.pointer_add(pointer, index, false, span)?;
        Ok(Operand::Place(self.place(PlaceKind::Deref(sum), to, span)))
    }

    fn member_access(
        &mut self,
        object: &Expr,
        name: Symbol,
        arrow: bool,
        span: Span,
        name_span: Span,
    ) -> Checked<Operand> {
        let operand = self.expression(object)?;
        let object_place = if arrow {
            let pointer = self.value(operand)?;
            let Some(to) = self.program.types.pointee(self.type_of(pointer)) else {
                let shown = self.show(self.type_of(pointer));
                return Err(Box::new(
                    Diagnostic::error(name_span, format!("`->` needs a pointer, and this is `{shown}`"))
                        .with_help("`.` selects a member of a struct itself"),
                ));
            };
            self.place(PlaceKind::Deref(pointer), to, object.span)
        } else {
            match operand {
                Operand::Place(place) => place,
                Operand::Value(value) | Operand::Function(value) => {
                    let ty = self.type_of(value);
                    self.place(PlaceKind::Temporary(value), ty, object.span)
                }
            }
        };
        self.field_of(object_place, name, span, name_span).map(Operand::Place)
    }

    fn field_of(&mut self, object: PlaceId, name: Symbol, span: Span, name_span: Span) -> Checked<PlaceId> {
        let ty = self.program.places[object].ty;
        let Some(record) = self.program.types.as_record(ty.ty) else {
            let shown = self.show(ty);
            let mut found = Diagnostic::error(name_span, format!("`{shown}` is no struct or union"));
            if self
                .program
                .types
                .pointee(ty.ty)
                .is_some_and(|to| self.program.types.as_record(to.ty).is_some())
            {
                found = found.with_help("`->` selects a member through a pointer");
            }
            return Err(Box::new(found));
        };
        let text = self.text(name);
        if self.program.types.record(record).body.is_none() {
            return error(name_span, format!("`{}` is incomplete here", self.show(ty)));
        }
        let Some(path) = self.program.types.find_field(record, text) else {
            return error(name_span, format!("`{}` has no member `{text}`", self.show(ty)));
        };
        let mut place = object;
        for field in path {
            let outer = self.program.places[place].ty;
            let record = self.program.types.as_record(outer.ty).expect("paths go through records");
            let inner = self.program.types.fields(record)[field].ty;
            let ty = self.qualify(inner, outer.quals);
            place = self.place(PlaceKind::Field { record: place, field }, ty, span);
        }
        Ok(place)
    }

    fn sizeof(&mut self, ty: QualType, span: Span) -> Checked<hir::ExprId> {
        if self.program.types.is_variable(ty.ty) {
            return Ok(self.variable_size(ty.ty, span));
        }
        let Some(size) = self.program.types.size_of(ty.ty) else {
            return error(span, format!("the size of the incomplete type `{}`", self.show(ty)));
        };
        let size_type = self.program.types.size_type();
        Ok(self.int(i128::from(size), size_type, span))
    }

    /// `asked` is what attributes of an object ask for.
    fn alignof(&mut self, alignment: Alignment, ty: QualType, asked: Option<u64>, span: Span) -> hir::ExprId {
        let align = match alignment {
            Alignment::Least => self.program.types.align_of_qualified(ty),
            Alignment::Preferred => self.program.types.preferred_align_of(ty.ty),
        };
        let size_type = self.program.types.size_type();
        self.int(i128::from(align.max(asked.unwrap_or(0))), size_type, span)
    }

    fn generic(
        &mut self,
        controlling: &Expr,
        choices: &[(Option<TypeName>, Expr)],
        span: Span,
    ) -> Checked<Operand> {
        use super::compatible::{Quals, compatible};
        let operand = self.expression(controlling)?;
        let value = self.value(operand)?;
        let ty = self.type_of(value);
        let mut default = None;
        for (name, choice) in choices {
            match name {
                None => default = Some(choice),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    let matches = candidate.quals == Qualifiers::NONE
                        && compatible(&self.program.types, ty, candidate.ty, Quals::Compare);
                    if matches {
                        return self.expression(choice);
                    }
                }
            }
        }
        match default {
            Some(choice) => self.expression(choice),
            None => error(span, format!("no choice fits the type `{}`", self.show(ty))),
        }
    }

    fn offsetof(&mut self, name: &TypeName, path: &[Designator], span: Span) -> Checked<hir::ExprId> {
        // As the address of the member of an object at address zero.
        let ty = self.type_name(name)?;
        let size_type = self.program.types.size_type();
        let zero = self.int(0, size_type, span);
        let pointer_ty = self.types().pointer_to(ty);
        let pointer = self.convert(zero, pointer_ty)?;
        let mut place = self.place(PlaceKind::Deref(pointer), ty, span);
        for step in path {
            place = match step {
                Designator::Field(name, name_span) => self.field_of(place, *name, span, *name_span)?,
                Designator::Index(index) | Designator::Range(index, _) => {
                    let pointer = self.value(Operand::Place(place))?;
                    let operand = self.expression(index)?;
                    let index = self.value(operand)?;
                    let Some(to) = self.program.types.pointee(self.type_of(pointer)) else {
                        return error(span, "only arrays have elements");
                    };
                    let sum = self.pointer_add(pointer, index, false, span)?;
                    self.place(PlaceKind::Deref(sum), to, span)
                }
            };
        }
        if self.bit_field(place).is_some() {
            return error(span, "a bit-field has no offset in bytes");
        }
        let target = self.program.places[place].ty;
        let target_ty = self.types().pointer_to(target);
        let address = self.expr(hir::ExprKind::AddressOf(place), target_ty, span);
        self.convert(address, size_type)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Checked<Operand> {
        match op {
            UnaryOp::Deref => {
                let operand = self.expression(operand)?;
                let pointer = self.value(operand)?;
                let Some(to) = self.program.types.pointee(self.type_of(pointer)) else {
                    let shown = self.show(self.type_of(pointer));
                    return error(span, format!("`*` needs a pointer, and this is `{shown}`"));
                };
                if matches!(self.program.types.kind(to.ty), TypeKind::Function(_)) {
                    return Ok(Operand::Function(pointer));
                }
                Ok(Operand::Place(self.place(PlaceKind::Deref(pointer), to, span)))
            }
            UnaryOp::AddressOf => self.address_of(operand, span).map(Operand::Value),
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => self.increment(op, operand, span).map(Operand::Value),
            UnaryOp::Real | UnaryOp::Imag => {
                let operand = self.expression(operand)?;
                self.complex_part(op, operand, span)
            }
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => {
                let operand = self.expression(operand)?;
                let value = self.value(operand)?;
                self.unary_arithmetic(op, value, span).map(Operand::Value)
            }
        }
    }

    fn address_of(&mut self, operand: &Expr, span: Span) -> Checked<hir::ExprId> {
        match self.expression(operand)? {
            Operand::Function(pointer) => Ok(pointer),
            Operand::Place(place) => {
                if self.bit_field(place).is_some() {
                    return error(span, "a bit-field has no address");
                }
                let to = self.program.places[place].ty;
                let ty = self.types().pointer_to(to);
                // `&*p` is `p`.
                if let PlaceKind::Deref(pointer) = self.program.places[place].kind {
                    return self.convert(pointer, ty);
                }
                Ok(self.expr(hir::ExprKind::AddressOf(place), ty, span))
            }
            Operand::Value(_) => error(span, "`&` needs an object in memory, and this is only a value"),
        }
    }
}
