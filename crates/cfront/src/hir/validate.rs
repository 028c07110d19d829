//! The invariants of a [`Program`], checked: what the documentation of the nodes promises.

use super::{
    Callee, CastKind, Expr, ExprId, ExprKind, FunctionId, GlobalId, InitValue, Initializer, LocalId, Place,
    PlaceKind, Program, StmtKind, Update,
};
use crate::types::{TypeId, TypeKind, Types};

impl Program {
    /// The first broken invariant, as a sentence with the place in the program.
    pub fn validate(&self) -> Result<(), String> {
        for (id, expr) in self.exprs.enumerated() {
            self.validate_expr(expr).map_err(|reason| format!("{id} {expr:?}: {reason}"))?;
        }
        for (id, place) in self.places.enumerated() {
            self.validate_place(place).map_err(|reason| format!("{id} {place:?}: {reason}"))?;
        }
        for (id, global) in self.globals.enumerated() {
            if let Some(init) = &global.init {
                self.validate_init(init).map_err(|reason| format!("{id} {}: {reason}", global.name))?;
            }
        }
        for (id, function) in self.functions.enumerated() {
            self.validate_function(id).map_err(|reason| format!("{}: {reason}", function.name))?;
        }
        Ok(())
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.exprs[expr].ty
    }

    fn validate_expr(&self, expr: &Expr) -> Result<(), String> {
        let types = &self.types;
        let ty = expr.ty;
        require(!types.is_array(ty), "a value is no array")?;
        require(types.as_function(ty).is_none(), "a value is no function")?;
        match &expr.kind {
            ExprKind::Int(value) => {
                let info = types.int_info(ty).ok_or("an integer has an integer type")?;
                require(info.contains(*value), "in the range of its type")
            }
            ExprKind::Float(_) => require(types.is_float(ty), "a number has a floating type"),
            ExprKind::Load(place) => require(self.places[*place].ty.ty == ty, "the place's type"),
            ExprKind::AddressOf(place) => {
                let to = types.pointee(ty).ok_or("an address is a pointer")?;
                require(to.ty == self.places[*place].ty.ty, "to the place's type")
            }
            ExprKind::Decay(place) => {
                let (element, _) = types.array(self.places[*place].ty.ty).ok_or("only arrays decay")?;
                require(types.pointee(ty) == Some(element), "to a pointer to the element")
            }
            ExprKind::FunctionAddress(_) => {
                require(types.pointee_function(ty).is_some(), "a pointer to a function")
            }
            ExprKind::Unary(op, operand) => match op {
                super::UnaryOp::LogicalNot => {
                    require(types.is_scalar(self.ty(*operand)) && ty == TypeId::INT, "of a scalar, to int")
                }
                _ => require(self.ty(*operand) == ty && is_promoted(types, ty), "of promoted type"),
            },
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.ty(*left), self.ty(*right));
                if op.is_shift() {
                    require(left == ty && is_promoted(types, left) && is_promoted(types, right), "promoted")
                } else if op.is_comparison() {
                    let fits = is_promoted(types, left) || types.is_pointer(left);
                    require(left == right && fits && ty == TypeId::INT, "operands of one type, result int")
                } else {
                    require(
                        left == ty && right == ty && is_promoted(types, ty),
                        "operands of the result's type",
                    )
                }
            }
            ExprKind::PtrAdd { pointer, index, .. } => {
                let pointers = types.is_pointer(ty) && self.ty(*pointer) == ty;
                require(pointers && types.is_integer(self.ty(*index)), "pointer and integer")
            }
            ExprKind::PtrDiff { left, right, scale } => {
                let pointers = types.is_pointer(self.ty(*left)) && types.is_pointer(self.ty(*right));
                require(pointers && *scale > 0 && ty == types.difference_type(), "two pointers, to ptrdiff_t")
            }
            ExprKind::Logical(_, left, right) => {
                let scalars = types.is_scalar(self.ty(*left)) && types.is_scalar(self.ty(*right));
                require(scalars && ty == TypeId::INT, "two scalars, to int")
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                require(types.is_scalar(self.ty(*condition)), "a scalar condition")?;
                require(self.ty(*then) == ty && self.ty(*otherwise) == ty, "branches of the result's type")
            }
            ExprKind::Assign { place, value } => {
                require(self.places[*place].ty.ty == ty && self.ty(*value) == ty, "one type on both sides")
            }
            ExprKind::Update { place, update, .. } => {
                require(self.places[*place].ty.ty == ty, "the place's type")?;
                match update {
                    Update::Pointer { index, .. } => {
                        require(types.is_pointer(ty) && types.is_integer(self.ty(*index)), "a pointer moves")
                    }
                    Update::Arithmetic { op, right, computation } => {
                        let right = self.ty(*right);
                        let fits =
                            if op.is_shift() { is_promoted(types, right) } else { right == *computation };
                        require(fits && is_promoted(types, *computation), "computed in a promoted type")
                    }
                }
            }
            ExprKind::Cast(kind, operand) => {
                let from = self.ty(*operand);
                let int = |ty| types.is_integer(ty);
                let fits = match kind {
                    CastKind::IntToInt => int(from) && int(ty) && ty != TypeId::BOOL,
                    CastKind::ToBool => types.is_scalar(from) && ty == TypeId::BOOL,
                    CastKind::IntToFloat => int(from) && types.is_float(ty),
                    CastKind::FloatToInt => types.is_float(from) && int(ty) && ty != TypeId::BOOL,
                    CastKind::FloatToFloat => types.is_float(from) && types.is_float(ty),
                    CastKind::IntToPointer => int(from) && types.is_pointer(ty),
                    CastKind::PointerToInt => types.is_pointer(from) && int(ty) && ty != TypeId::BOOL,
                    CastKind::PointerToPointer => types.is_pointer(from) && types.is_pointer(ty),
                    CastKind::ToVoid => ty == TypeId::VOID,
                };
                require(fits, "the cast fits its types")
            }
            ExprKind::Call { callee, args } => self.validate_call(callee, args, ty),
            ExprKind::Comma(_, right) => require(self.ty(*right) == ty, "the type of its right operand"),
            ExprKind::Statement { value, .. } => {
                require(value.map_or(TypeId::VOID, |value| self.ty(value)) == ty, "the type of its value")
            }
            ExprKind::VaArg(_) => Ok(()),
        }
    }

    fn validate_call(&self, callee: &Callee, args: &[ExprId], ty: TypeId) -> Result<(), String> {
        let no_void = args.iter().all(|&arg| self.ty(arg) != TypeId::VOID);
        require(no_void, "arguments have values")?;
        let (function, params) = match callee {
            Callee::Builtin(_) => return Ok(()),
            Callee::Pointer(pointer) => {
                let function = self
                    .types
                    .pointee_function(self.ty(*pointer))
                    .ok_or("the callee points to a function")?;
                (function, function.params.clone())
            }
            Callee::Function(id) => {
                let function = &self.functions[*id];
                let function_type = self.types.as_function(function.ty).ok_or("a function has its type")?;
                let params = match &function.body {
                    Some(body) => body.params.iter().map(|&param| body.locals[param].ty.ty).collect(),
                    None => function_type.params.clone(),
                };
                (function_type, params)
            }
        };
        let fits = args.iter().zip(&params).all(|(&arg, &param)| self.ty(arg) == param);
        require(fits, "arguments have the parameters' types")?;
        require(function.result == ty || function.result == TypeId::VOID, "the function's result")
    }

    fn validate_place(&self, place: &Place) -> Result<(), String> {
        match &place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => Ok(()),
            PlaceKind::Deref(pointer) => {
                let to = self.types.pointee(self.ty(*pointer)).ok_or("a pointer is followed")?;
                let array = self.types.array(place.ty.ty).is_some_and(|(element, _)| element == to);
                require(to.ty == place.ty.ty || array, "to an object of this type")
            }
            PlaceKind::Field { record, field } => {
                let record =
                    self.types.as_record(self.places[*record].ty.ty).ok_or("a record has members")?;
                let field = self.types.fields(record).get(*field).ok_or("the member exists")?;
                // Qualifiers of the record reach into elements of an array.
                require(
                    field.ty.ty == place.ty.ty || self.types.is_array(field.ty.ty),
                    "with the member's type",
                )
            }
            PlaceKind::Initialized { init, .. } => self.validate_init(init),
            PlaceKind::Temporary(value) => require(self.ty(*value) == place.ty.ty, "the value's type"),
        }
    }

    fn validate_init(&self, init: &Initializer) -> Result<(), String> {
        let (mut end, mut record_end) = (0, 0);
        for item in &init.items {
            if let InitValue::Expr(value) = item.value {
                require(self.ty(value) == item.ty, "a part is initialised by a value of its type")?;
            }
            let start = item.offset * 8 + item.bits.map_or(0, |bits| u64::from(bits.offset));
            require(start >= end || start < record_end, "parts in order, without overlap")?;
            let size = self.types.size_of(item.ty).unwrap_or(0) * 8;
            end = start + item.bits.map_or(size, |bits| u64::from(bits.width));
            if self.types.as_record(item.ty).is_some() {
                record_end = end;
            }
        }
        Ok(())
    }

    fn validate_function(&self, id: FunctionId) -> Result<(), String> {
        let function = &self.functions[id];
        let ty = self.types.as_function(function.ty).ok_or("a function has a function's type")?;
        let Some(body) = &function.body else { return Ok(()) };
        let first_locals = body.params.iter().enumerate().all(|(i, param)| *param == LocalId(i as u32));
        require(first_locals, "parameters are the first locals")?;
        let mut pending = vec![body.block];
        while let Some(stmt) = pending.pop() {
            match &self.stmts[stmt].kind {
                StmtKind::Declare { local, init, .. } => {
                    require(body.locals.get(*local).is_some(), "the local belongs to the function")?;
                    if let Some(init) = init {
                        self.validate_init(init)?;
                    }
                }
                StmtKind::Block(stmts) => pending.extend(stmts),
                StmtKind::If { condition, then, otherwise } => {
                    require(self.types.is_scalar(self.ty(*condition)), "a scalar condition")?;
                    pending.push(*then);
                    pending.extend(otherwise);
                }
                StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                    require(self.types.is_scalar(self.ty(*condition)), "a scalar condition")?;
                    pending.push(*body);
                }
                StmtKind::For { init, body, .. } => {
                    pending.extend(init);
                    pending.push(*body);
                }
                StmtKind::Switch { value, body: inner, cases, .. } => {
                    let info = self.types.int_info(self.ty(*value)).ok_or("a switch is over an integer")?;
                    let fits = cases.iter().all(|case| info.contains(case.low) && info.contains(case.high));
                    require(fits, "cases are in the range of the switch")?;
                    pending.push(*inner);
                }
                StmtKind::Return(Some(value)) => {
                    require(self.ty(*value) == ty.result, "the result has the function's type")?;
                }
                StmtKind::Label(label) | StmtKind::Goto(label) => {
                    require(body.labels.get(*label).is_some(), "the label belongs to the function")?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The bytes that a constant initialiser gives, and which of them are known: addresses are not. `None` for
    /// objects without initialiser or beyond a size that fits memory.
    pub fn image(&self, global: GlobalId) -> Option<Vec<Option<u8>>> {
        let global = &self.globals[global];
        let init = global.init.as_ref()?;
        let size = self.types.size_of(global.ty.ty).filter(|&size| size < 1 << 28)?;
        let mut bytes = vec![Some(0u8); usize::try_from(size).ok()?];
        for item in &init.items {
            let size = self.types.size_of(item.ty)? as usize;
            let start = item.offset as usize;
            // A flexible array member reaches beyond the type.
            let needed = start + size;
            if bytes.len() < needed && item.bits.is_none() {
                bytes.resize(needed, Some(0));
            }
            match &item.value {
                InitValue::Text(super::Text::Bytes(text)) => {
                    for (i, &byte) in text.iter().enumerate() {
                        bytes[start + i] = Some(byte);
                    }
                }
                InitValue::Text(super::Text::Wide(text)) => {
                    let element =
                        self.types.array(item.ty).and_then(|(e, _)| self.types.size_of(e.ty))? as usize;
                    for (i, &unit) in text.iter().enumerate() {
                        for (j, byte) in unit.to_le_bytes().iter().take(element).enumerate() {
                            bytes[start + i * element + j] = Some(*byte);
                        }
                    }
                }
                InitValue::Expr(value) => match self.exprs[*value].kind {
                    ExprKind::Int(value) => write_bits(&mut bytes, item, value, size),
                    ExprKind::Float(value) if item.ty == TypeId::FLOAT => {
                        fill(&mut bytes[start..], &value.to_f32().to_le_bytes());
                    }
                    ExprKind::Float(value) if item.ty == TypeId::DOUBLE => {
                        fill(&mut bytes[start..], &value.to_f64().to_le_bytes());
                    }
                    ExprKind::Cast(CastKind::IntToPointer, inner) => match self.exprs[inner].kind {
                        ExprKind::Int(value) => write_bits(&mut bytes, item, value, size),
                        _ => bytes[start..start + size].fill(None),
                    },
                    _ => bytes[start..start + size].fill(None),
                },
            }
        }
        Some(bytes)
    }
}

fn fill(bytes: &mut [Option<u8>], values: &[u8]) {
    for (byte, value) in bytes.iter_mut().zip(values) {
        *byte = Some(*value);
    }
}

fn write_bits(bytes: &mut [Option<u8>], item: &super::InitItem, value: i128, size: usize) {
    let (first, width) = item.bits.map_or((0, size as u32 * 8), |bits| (bits.offset, bits.width));
    for i in 0..width {
        let bit = item.offset * 8 + u64::from(first + i);
        let (at, shift) = ((bit / 8) as usize, bit % 8);
        let Some(Some(byte)) = bytes.get_mut(at) else { continue };
        let set = value >> i & 1 == 1;
        *byte = *byte & !(1 << shift) | u8::from(set) << shift;
    }
}

/// Types that operators compute in: not narrower than `int`.
fn is_promoted(types: &Types, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Int(kind) => types.int_kind_info(*kind).bits >= 32,
        TypeKind::Float(_) => true,
        _ => false,
    }
}

fn require(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("broken: {what}")) }
}
