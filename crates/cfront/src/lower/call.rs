//! Calls: of functions with a body, through pointers, of functions nobody defined; the entry.
//!
//! Records cross a call by their leaves, or by the address of a copy where they are not split. A result of
//! record type comes back in globals of the function, one per leaf, read right after the call, or in
//! an object of the caller's whose address is the first argument. The additional arguments of a
//! variadic function are stored in an object of the caller's, eight bytes each (16 for 128-bit integers), whose
//! address is the last argument: a `va_list` is a pointer into it.

use craig_program as ir;
use ir::{ExprId, InputSource, NoteKind, Stmt, Type, VarId};

use super::body::{Body, Value};
use super::layout::{leaf_type, scalar_bytes};
use super::place::Target;
use super::visit::Node;
use super::{IndirectCall, Lowering, Shape, Storage, UNKNOWN_SIZE, library};
use crate::hir::{self, Callee, CastKind, ExprKind, FunctionId};
use crate::types::{ArrayLength, TypeId};

/// The space that an additional argument takes.
const SLOT_BYTES: u64 = 8;

/// An argument and its C type.
pub(super) type Argument = (Value, TypeId);

impl Lowering<'_> {
    /// The globals that hold a result of split record type.
    pub fn result_globals(&mut self, function: FunctionId) -> Vec<VarId> {
        if self.result_globals[function].is_empty() {
            let source = &self.hir.functions[function];
            let span = self.span(source.span);
            let result = self.hir.types.as_function(source.ty).map_or(TypeId::VOID, |f| f.result);
            let leaves = self.layouts.leaves(&self.hir.types, result).unwrap_or_default();
            for leaf in leaves.iter() {
                let ty = leaf_type(&self.hir.types, leaf).unwrap_or(Type::I32);
                let var = self.new_global(format!("{}.result{}", source.name, leaf.path), ty, 0, span);
                self.result_globals[function].push(var);
            }
        }
        self.result_globals[function].clone()
    }

    /// For a weak function that nobody defines: whether it is there.
    pub fn weak_function(&mut self, function: FunctionId) -> Option<VarId> {
        let source = &self.hir.functions[function];
        if !source.weak || source.body.is_some() {
            return None;
        }
        if let Some(&var) = self.weak_functions.get(&function) {
            return Some(var);
        }
        let span = self.span(source.span);
        let var = self.new_global(format!("{}.defined", source.name), Type::Bool, 0, span);
        self.weak_functions.insert(function, var);
        Some(var)
    }

    /// The types that a function's parameters really have.
    pub fn param_types(&self, function: FunctionId) -> Vec<TypeId> {
        let source = &self.hir.functions[function];
        match &source.body {
            Some(body) => body.params.iter().map(|&param| body.locals[param].ty.ty).collect(),
            None => self.hir.types.as_function(source.ty).map_or(Vec::new(), |f| f.params.clone()),
        }
    }

    pub fn result_type(&self, function: FunctionId) -> TypeId {
        self.hir.types.as_function(self.hir.functions[function].ty).map_or(TypeId::VOID, |f| f.result)
    }

    pub fn is_variadic(&self, function: FunctionId) -> bool {
        self.hir.types.as_function(self.hir.functions[function].ty).is_some_and(|f| f.variadic)
    }
}

impl Body<'_, '_> {
    /// `wanted` is the pointer type that the result is cast to at once.
    pub fn call(
        &mut self,
        id: hir::ExprId,
        callee: &Callee,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
    ) -> Value {
        let statement = self.span;
        self.at(self.hir().exprs[id].span);
        let value = self.call_here(id, callee, args, wanted);
        self.span = statement;
        value
    }

    fn call_here(
        &mut self,
        id: hir::ExprId,
        callee: &Callee,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
    ) -> Value {
        let result_type = self.hir().exprs[id].ty;
        if let Some(function) = self.known_callee(callee) {
            let value = self.call_function(function, args, wanted);
            // An implicit declaration may disagree with the definition.
            return match (value, self.lw.shape(result_type)) {
                (Value::Scalar(value), Shape::Scalar(ty)) => Value::Scalar(self.lw.convert(value, ty)),
                (value, _) => value,
            };
        }
        match callee {
            Callee::Pointer(pointer) => self.call_pointer(*pointer, args, result_type),
            Callee::Builtin(builtin) => self.builtin(*builtin, args, result_type),
            Callee::Function(_) => Value::Void,
        }
    }

    fn call_function(&mut self, function: FunctionId, args: &[hir::ExprId], wanted: Option<TypeId>) -> Value {
        let source = &self.hir().functions[function];
        if library::is_error(self.lw.options, &source.name, source.body.is_some(), args.len()) {
            for &arg in args {
                self.effect(arg);
            }
            let asserted = args.first().filter(|_| source.name.contains("assert"));
            self.error(match asserted.and_then(|&arg| self.string_literal(arg)) {
                Some(text) => format!("assertion `{text}` failed"),
                None => format!("`{}` is called", source.name),
            });
            return self.any_value(self.lw.result_type(function), InputSource::Uninitialised);
        }
        if source.body.is_some() {
            let arguments = self.arguments(args);
            return self.call_defined(function, arguments);
        }
        if let Some(value) = self.model(function, args, wanted) {
            return value;
        }
        if let Some(written) = library::definition(self.hir(), &source.name) {
            let arguments = self.arguments(args);
            return self.call_defined(written, arguments);
        }
        self.call_undefined(function, args, wanted)
    }

    /// Evaluates from left to right, or in any order if it makes a difference.
    pub fn arguments(&mut self, args: &[hir::ExprId]) -> Vec<Argument> {
        if let Some(values) = self.in_either_order(args) {
            return values.into_iter().zip(args.iter().map(|&arg| self.hir().exprs[arg].ty)).collect();
        }
        let mut values = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let ty = self.hir().exprs[arg].ty;
            let mut value = self.value(arg);
            if args[i + 1..].iter().any(|&later| self.care(Node::Expr(later)).effects) {
                value = self.freeze_value(value).on_its_own(self, ty);
            }
            values.push((value, ty));
        }
        values
    }

    fn call_defined(&mut self, function: FunctionId, arguments: Vec<Argument>) -> Value {
        let extra = if self.lw.is_variadic(function) {
            let known = self.lw.param_types(function).len();
            Some(self.extra_arguments(arguments.get(known..).unwrap_or_default()))
        } else {
            None
        };
        let result_type = self.lw.result_type(function);
        let result = match self.lw.shape(result_type) {
            Shape::Memory => Value::Memory(self.stack_temporary(result_type)),
            Shape::Scalar(ty) => {
                let var = self.temporary(ty);
                Value::Scalar(self.var(var))
            }
            Shape::Leaves(_) => {
                let vars = self.result_vars(result_type);
                Value::Leaves(vars.into_iter().map(|var| self.var(var)).collect())
            }
            Shape::Void => Value::Void,
        };
        self.emit_call(function, &arguments, extra, &result);
        result
    }

    /// The call itself; its result goes to the variables or the address that `result` is made of.
    pub fn emit_call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        extra: Option<ExprId>,
        result: &Value,
    ) {
        let Some(callee) = self.lw.procs[function] else { return };
        let args = self.bind(function, arguments, extra, result);
        let own_result = self.lw.shape(self.lw.result_type(function));
        let direct = match (result, own_result) {
            (Value::Scalar(value), Shape::Scalar(ty)) => match self.lw.out.exprs.get(*value) {
                ir::Expr::Var(var) if self.lw.out.vars[var].ty == ty => Some((var, None)),
                // Called by another type: convert on the way.
                ir::Expr::Var(var) => Some((self.temporary(ty), Some(var))),
                _ => None,
            },
            _ => None,
        };
        let place = direct.map(|(var, _)| ir::Place::Var(var));
        self.emit(Stmt::Call { callee, args, result: place });
        if let Some((from, Some(to))) = direct {
            let value = self.var(from);
            self.assign(to, value);
        }
        if let (Value::Leaves(values), Shape::Leaves(_)) = (result, own_result) {
            for (&value, global) in values.iter().zip(self.lw.result_globals(function)) {
                if let ir::Expr::Var(var) = self.lw.out.exprs.get(value) {
                    let value = self.var(global);
                    self.assign(var, value);
                }
            }
        }
    }

    /// The IR arguments for a call of the function: as many as its procedure has parameters.
    pub fn bind(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        extra: Option<ExprId>,
        result: &Value,
    ) -> Vec<ExprId> {
        let mut bound = Vec::new();
        if self.lw.shape(self.lw.result_type(function)) == Shape::Memory {
            bound.push(match result {
                Value::Memory(address) => *address,
                _ => self.lw.zero(Type::Pointer),
            });
        }
        for (i, ty) in self.lw.param_types(function).into_iter().enumerate() {
            let value = arguments.get(i).map(|(value, _)| value);
            match (self.lw.shape(ty), value) {
                (Shape::Void, _) => {}
                (Shape::Scalar(ty), Some(Value::Scalar(value))) => bound.push(self.lw.convert(*value, ty)),
                (Shape::Memory, Some(Value::Memory(address))) => bound.push(*address),
                (Shape::Leaves(count), Some(Value::Leaves(values))) if values.len() == count => {
                    let leaves = self.leaves(ty);
                    for (leaf, &value) in leaves.iter().zip(values) {
                        let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                        bound.push(self.lw.convert(value, ty));
                    }
                }
                // The call passes too little, or something else: the parameter has any value.
                (Shape::Memory, _) => {
                    let address = self.stack_temporary(ty);
                    bound.push(address);
                }
                (Shape::Scalar(_) | Shape::Leaves(_), _) => {
                    match self.any_value(ty, InputSource::Uninitialised) {
                        Value::Scalar(value) => bound.push(value),
                        Value::Leaves(values) => bound.extend(values),
                        Value::Void | Value::Memory(_) => {}
                    }
                }
            }
        }
        if self.lw.is_variadic(function) {
            bound.push(extra.unwrap_or_else(|| self.lw.zero(Type::Pointer)));
        }
        bound
    }

    /// Stores the additional arguments and returns where.
    fn extra_arguments(&mut self, arguments: &[Argument]) -> ExprId {
        let mut offset = 0;
        let mut stores = Vec::new();
        for (value, ty) in arguments {
            match (self.lw.scalar_type(*ty), value) {
                (Some(scalar), Value::Scalar(value)) => {
                    stores.push((offset, scalar, *value));
                    offset += scalar_bytes(scalar, self.lw.pointer_bytes()).next_multiple_of(SLOT_BYTES);
                }
                _ => {
                    let at = self.span;
                    let text = format!("line {}: a struct or union as additional argument is lost", at.line);
                    self.lw.note(NoteKind::OverApproximation, at, text);
                }
            }
        }
        if stores.is_empty() {
            return self.lw.zero(Type::Pointer);
        }
        let area = self.stack_bytes("arguments", offset);
        for (offset, ty, value) in stores {
            let address = self.lw.offset(area, i128::from(offset));
            self.store_scalar(address, ty, value);
        }
        area
    }

    /// `va_arg`.
    pub fn next_argument(&mut self, list: hir::PlaceId, ty: Type) -> ExprId {
        let list_type = self.hir().places[list].ty.ty;
        let target = self.place(list);
        let target = self.freeze_target(target);
        let pointer = self.load(&target, list_type);
        let pointer = self.scalar_of(pointer, Type::Pointer);
        let pointer = self.lw.convert(pointer, Type::Pointer);
        let pointer = self.freeze(pointer);
        let value = self.load_scalar(pointer, ty);
        let value = self.freeze(value);
        let slot = scalar_bytes(ty, self.lw.pointer_bytes()).next_multiple_of(SLOT_BYTES);
        let next = self.lw.offset(pointer, i128::from(slot));
        self.store(&target, list_type, Value::Scalar(next));
        value
    }

    fn call_pointer(&mut self, pointer: hir::ExprId, args: &[hir::ExprId], result_type: TypeId) -> Value {
        let pointer_type = self.hir().exprs[pointer].ty;
        let mut pointer = self.scalar(pointer);
        if args.iter().any(|&arg| self.care(Node::Expr(arg)).effects) {
            pointer = self.freeze(pointer);
        }
        let args = self.arguments(args);
        let variadic = self.hir().types.pointee_function(pointer_type).filter(|f| f.variadic);
        let extra =
            variadic.map(|f| f.params.len()).map(|n| self.extra_arguments(args.get(n..).unwrap_or_default()));
        let result = match self.lw.shape(result_type) {
            Shape::Memory => Value::Memory(self.stack_temporary(result_type)),
            Shape::Void => Value::Void,
            shape => {
                let vars = self.result_vars(result_type);
                self.value_of_vars(shape, &vars)
            }
        };
        let call = result.clone();
        self.emit_indirect(|proc, edge, span| IndirectCall {
            proc,
            edge,
            pointer,
            args,
            extra,
            result_type,
            result: call,
            span,
        });
        result
    }

    /// Any value of the type; a pointer is any address.
    pub fn any_value(&mut self, ty: TypeId, source: InputSource) -> Value {
        match self.lw.shape(ty) {
            Shape::Void => Value::Void,
            Shape::Scalar(ty) => Value::Scalar(self.input(ty, source)),
            Shape::Leaves(_) => {
                let mut values = Vec::new();
                for leaf in self.leaves(ty).iter() {
                    let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                    values.push(self.input(ty, source.clone()));
                }
                Value::Leaves(values)
            }
            Shape::Memory => {
                let size = self.hir().types.size_of(ty).unwrap_or(0);
                Value::Memory(self.allocate_bytes(size))
            }
        }
    }

    /// A value from outside of the program: a pointer is null or the address of a new object. One that
    /// is asked for as an arbitrary value may also be the address of an object that came before: for
    /// each type of pointers, one of those is kept in mind.
    pub fn value_from_outside(&mut self, ty: TypeId, wanted: Option<TypeId>, source: InputSource) -> Value {
        if !self.hir().types.is_pointer(ty) {
            return self.any_value(ty, source);
        }
        let pointer = wanted.filter(|&ty| self.hir().types.is_pointer(ty)).unwrap_or(ty);
        let size = self.outside_size(pointer);
        let result = self.temporary(Type::Pointer);
        let at = self.span;
        let arbitrary = matches!(&source, InputSource::Call(name) if name.starts_with("__VERIFIER_nondet_"));
        let from = match &source {
            InputSource::Call(name) => format!("a pointer from '{name}'"),
            _ => "a pointer argument of the entry function".to_string(),
        };
        let may_be = if arbitrary {
            "is null, or that of a new object, or one such pointer of before"
        } else {
            "is null or that of a new object"
        };
        self.lw.note(NoteKind::Assumption, at, format!("{from} {may_be}"));
        let is_null = self.input(Type::Bool, source.clone());
        let (null, object, end) = (self.new_location(), self.new_location(), self.new_location());
        self.split(is_null, null, object);
        self.here = null;
        let zero = self.lw.zero(Type::Pointer);
        self.assign(result, zero);
        self.goto(end);
        self.here = object;
        if !arbitrary {
            let address = self.allocate_bytes(size);
            self.assign(result, address);
            self.arrive(end);
            return Value::Scalar(self.var(result));
        }
        let kept = self.lw.object_from_outside(pointer);
        let (old, new, keep) = (self.new_location(), self.new_location(), self.new_location());
        let is_old = self.input(Type::Bool, source.clone());
        self.split(is_old, old, new);
        self.here = old;
        let address = self.var(kept);
        self.assign(result, address);
        self.goto(end);
        self.here = new;
        let address = self.allocate_bytes(size);
        self.assign(result, address);
        let is_kept = self.input(Type::Bool, source);
        self.split(is_kept, keep, end);
        self.here = keep;
        let address = self.var(result);
        self.assign(kept, address);
        self.arrive(end);
        Value::Scalar(self.var(result))
    }

    /// The size of an object that a pointer from outside points to.
    fn outside_size(&self, pointer: TypeId) -> u64 {
        let types = &self.hir().types;
        let pointee = types.pointee(pointer).map_or(TypeId::VOID, |to| to.ty);
        let is_record = types.as_record(pointee).is_some();
        match types.size_of(pointee) {
            Some(size) if is_record || size > UNKNOWN_SIZE => size.max(1),
            _ => UNKNOWN_SIZE,
        }
    }

    /// No effects except through the pointers it is given; any result.
    fn call_undefined(
        &mut self,
        function: FunctionId,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
    ) -> Value {
        let source = &self.hir().functions[function];
        let name = &source.name;
        let at = self.span;
        self.lw.note(
            NoteKind::Assumption,
            at,
            format!(
                "'{name}' has no body: it returns any value and changes only what it is given pointers to"
            ),
        );
        let arguments = self.arguments(args);
        for (&arg, (value, _)) in args.iter().zip(arguments) {
            if let Value::Scalar(pointer) = value {
                self.havoc_pointee(name, arg, pointer);
            }
        }
        if source.no_return {
            self.halt();
        }
        let result = self.lw.result_type(function);
        self.value_from_outside(result, wanted, InputSource::Call(name.as_str().into()))
    }

    /// What an unknown function may do through a pointer argument.
    pub fn havoc_pointee(&mut self, function: &str, arg: hir::ExprId, pointer: ExprId) {
        let hir = self.hir();
        let types = &hir.types;
        let mut inner = arg;
        // A parameter that points to const promises nothing to be written.
        if types.pointee(hir.exprs[arg].ty).is_none_or(|to| to.quals.is_const()) {
            return;
        }
        while let ExprKind::Cast(CastKind::PointerToPointer, operand) = hir.exprs[inner].kind {
            inner = operand;
        }
        let Some(pointee) = types.pointee(hir.exprs[inner].ty) else { return };
        if types.as_function(pointee.ty).is_some() || matches!(hir.exprs[inner].kind, ExprKind::Int(_)) {
            return;
        }
        let source = InputSource::Call(function.into());
        let mut object = pointee.ty;
        let mut is_object = false;
        if let ExprKind::Decay(place) | ExprKind::AddressOf(place) = hir.exprs[inner].kind {
            object = hir.places[place].ty.ty;
            is_object = true;
        }
        let known = !types.is_void(object) && types.size_of(object).is_some() && self.can_havoc(object);
        if !known {
            let at = self.span;
            self.lw.note(
                NoteKind::Assumption,
                at,
                format!(
                    "'{function}' does not write to the object of type {} it is given",
                    types.show(object)
                ),
            );
            return;
        }
        let pointer = self.freeze(pointer);
        let end = self.new_location();
        if !is_object {
            let some = self.new_location();
            let not_null = self.lw.truth(pointer);
            self.split(not_null, some, end);
            self.here = some;
        }
        self.havoc_object(pointer, object, &source);
        self.arrive(end);
    }

    /// Objects of split types, and arrays of scalars.
    fn can_havoc(&mut self, ty: TypeId) -> bool {
        let types = &self.lw.hir.types;
        self.lw.layouts.leaves(types, ty).is_some()
            || matches!(types.array(ty), Some((element, ArrayLength::Known(_)))
                if self.lw.scalar_type(element.ty).is_some())
    }

    fn havoc_object(&mut self, address: ExprId, ty: TypeId, source: &InputSource) {
        if self.havoc(&Target::Memory(address), ty, source) {
            return;
        }
        if let Some((element, ArrayLength::Known(length))) = self.hir().types.array(ty)
            && let Some(scalar) = self.lw.scalar_type(element.ty)
        {
            let stride = scalar_bytes(scalar, self.lw.pointer_bytes());
            let count = self.lw.constant(Type::Int(self.lw.difference_type()), i128::from(length));
            let pieces = [super::layout::Piece::Scalar { offset: 0, ty: scalar }];
            self.repeat(&[address], count, stride, &pieces, &mut |body, at, ty| {
                let value = body.input(ty, source.clone());
                body.store_scalar(at[0], ty, value);
            });
        }
    }
}

/// A procedure for a function without a body whose address is taken.
pub(super) fn lower_stub(lw: &mut Lowering<'_>, function: FunctionId) -> ir::ProcId {
    let source = &lw.hir.functions[function];
    let id = lw.declare_proc(&source.name, source.span);
    let params = lw.param_types(function);
    let result_type = lw.result_type(function);
    let mut body = Body::open(lw, id);
    match body.lw.shape(result_type) {
        Shape::Void => {}
        Shape::Scalar(ty) => body.proc.result = Some(body.new_var("result".to_string(), ty)),
        Shape::Leaves(_) => {
            body.lw.result_globals(function);
        }
        Shape::Memory => {
            let var = body.new_var("&result".to_string(), Type::Pointer);
            body.proc.params.push(var);
        }
    }
    for (i, ty) in params.into_iter().enumerate() {
        for var in body.result_vars(ty) {
            body.lw.out.vars[var].name = format!("argument.{i}").into();
            body.proc.params.push(var);
        }
    }
    if body.lw.is_variadic(function) {
        let var = body.new_var("...".to_string(), Type::Pointer);
        body.proc.params.push(var);
    }
    let name = source.name.as_str();
    let at = body.span;
    body.lw.note(
        NoteKind::Assumption,
        at,
        format!("'{name}' has no body: it returns any value and changes nothing when called by a pointer"),
    );
    if source.no_return {
        body.halt();
    } else {
        let call = InputSource::Call(name.into());
        match body.value_from_outside(result_type, None, call) {
            Value::Scalar(value) => {
                if let Some(result) = body.proc.result {
                    body.assign(result, value);
                }
            }
            Value::Leaves(values) => {
                for (var, value) in body.lw.result_globals(function).into_iter().zip(values) {
                    body.assign(var, value);
                }
            }
            Value::Void | Value::Memory(_) => {}
        }
        body.goto(body.proc.exit);
    }
    body.close();
    lw.procs[function] = Some(id);
    id
}

/// The procedure to start at: the entry function itself, or one that makes its arguments and the values of
/// globals that are defined elsewhere.
pub(super) fn lower_entry(lw: &mut Lowering<'_>, entry: FunctionId) -> ir::ProcId {
    let Some(proc) = lw.procs[entry] else { return ir::ProcId(0) };
    let params = lw.param_types(entry);
    let mut unknown: Vec<VarId> = lw
        .reach
        .globals
        .iter()
        .filter(|&&id| lw.hir.globals[id].init.is_none())
        .filter_map(|&id| match &lw.globals[id] {
            Some(Storage::Vars(vars)) => Some(vars.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    unknown.extend(lw.weak_functions.values());
    let (constructors, destructors) = (lw.hir.constructors.clone(), lw.hir.destructors.clone());
    let alone = constructors.is_empty() && destructors.is_empty();
    let called = lw.reach.called.contains(&entry) || lw.reach.address_taken.contains(&entry);
    if alone && params.is_empty() && unknown.is_empty() && !called && !lw.is_variadic(entry) {
        return proc;
    }
    let id =
        lw.declare_proc(&format!("{} (start)", lw.hir.functions[entry].name), lw.hir.functions[entry].span);
    let mut body = Body::open(lw, id);
    for var in unknown {
        body.emit(Stmt::Input(ir::Place::Var(var), InputSource::Uninitialised));
    }
    for &constructor in &constructors {
        body.emit_call(constructor, &[], None, &Value::Void);
    }
    let mut arguments = Vec::new();
    for ty in params {
        let value = body.value_from_outside(ty, None, InputSource::Argument);
        arguments.push((value, ty));
    }
    let result_type = body.lw.result_type(entry);
    let result = match body.lw.shape(result_type) {
        Shape::Memory => Value::Memory(body.stack_temporary(result_type)),
        Shape::Scalar(ty) => {
            let var = body.new_var("result".to_string(), ty);
            body.proc.result = Some(var);
            Value::Scalar(body.var(var))
        }
        Shape::Void | Shape::Leaves(_) => Value::Void,
    };
    body.emit_call(entry, &arguments, None, &result);
    for &destructor in &destructors {
        body.emit_call(destructor, &[], None, &Value::Void);
    }
    body.goto(body.proc.exit);
    body.close();
    id
}
