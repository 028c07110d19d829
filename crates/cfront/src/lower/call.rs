//! Calls: of functions with a body, through pointers, of functions without a definition; the entry.
//!
//! Records cross a call by their leaves, or by the address of a copy where they are not split. A result of
//! record type comes back in globals of the function, one per leaf, read right after the call, or in
//! an object of the caller's whose address is the first argument. Where the additional arguments of a
//! variadic function are is its last argument (`arguments.rs`).

use craig_program as ir;
use ir::{ExprId, InputSource, Stmt, Type, VarId};

use super::body::{Body, Value};
use super::indirect::{are_alike, promoted};
use super::layout::leaf_type;
use super::visit::{Node, walk};
use super::{IndirectCall, Lowering, Shape, Storage, is_error};
use crate::hir::{self, Callee, FunctionId, PlaceKind};
use crate::library::{self, public_name};
use crate::types::TypeId;

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

    /// For a weak function without a definition: whether it is there.
    pub fn weak_function(&mut self, function: FunctionId) -> Option<VarId> {
        let source = &self.hir.functions[function];
        if !source.weak || source.body.is_some() {
            return None;
        }
        if let Some(&var) = self.weak_functions.get(&function) {
            return Some(var);
        }
        let span = self.span(source.span);
        let var = self.new_global(crate::harness::weak_variable(&source.name), Type::Bool, 0, span);
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

    pub fn is_prototyped(&self, function: FunctionId) -> bool {
        self.hir.types.as_function(self.hir.functions[function].ty).is_some_and(|f| f.prototyped)
    }
}

impl Lowering<'_> {
    /// Whether a function may be called through a pointer of this type with these arguments: all that is passed is passed
    /// alike (6.5.2.2 p6, p9).
    fn fits(&mut self, function: FunctionId, pointer: TypeId, args: &[hir::ExprId]) -> bool {
        let types = &self.hir.types;
        let actual = types.as_function(self.hir.functions[function].ty);
        let (Some(called), Some(actual)) = (types.pointee_function(pointer), actual) else { return true };
        let (result, results) = (actual.result, called.result);
        let prototyped = actual.prototyped;
        let args: Vec<TypeId> = match called.prototyped {
            true => called.params.clone(),
            false => args.iter().map(|&arg| self.hir.exprs[arg].ty).collect(),
        };
        let variadic_alike = called.variadic == actual.variadic;
        let is_void = types.is_void(results);
        let params = self.param_types(function);
        let count_fits = args.len() == params.len() || !prototyped && args.len() > params.len();
        variadic_alike
            && count_fits
            && params.into_iter().zip(args).all(|(param, arg)| self.takes(param, arg, prototyped))
            && (is_void || self.are_passed_alike(result, results))
    }

    /// Whether a parameter takes an argument of this type.
    fn takes(&mut self, param: TypeId, arg: TypeId, prototyped: bool) -> bool {
        let bits = self.out.data_model.pointer_bits();
        match (self.scalar_type(param), self.scalar_type(arg)) {
            (Some(param), Some(arg)) if !prototyped => are_alike(promoted(param), arg, bits),
            _ => self.are_passed_alike(param, arg),
        }
    }

    fn are_passed_alike(&mut self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        let bits = self.out.data_model.pointer_bits();
        match (self.scalar_type(a), self.scalar_type(b)) {
            (Some(a), Some(b)) => are_alike(a, b, bits),
            (None, None) => {
                let (a, b) = (self.leaf_types(a), self.leaf_types(b));
                a.is_some() && a == b
            }
            _ => false,
        }
    }

    /// Where the scalars of a record lie, and what they are.
    fn leaf_types(&mut self, record: TypeId) -> Option<Vec<(u64, Option<Type>)>> {
        let leaves = self.layouts.leaves(&self.hir.types, record)?;
        Some(leaves.iter().map(|leaf| (leaf.offset, leaf_type(&self.hir.types, leaf))).collect())
    }
}

/// What is undefined where a pointer leads to a function of another type.
pub(super) fn does_not_fit(name: &str) -> String {
    format!("`{name}` is called through a pointer that does not fit it")
}

/// Whether lists of arguments are kept in variables of static storage, in records, or where a pointer leads.
pub(super) fn keeps_lists(hir: &hir::Program) -> bool {
    let is_kept = |kind: &PlaceKind| {
        matches!(kind, PlaceKind::Global(_) | PlaceKind::Field { .. } | PlaceKind::Deref(_))
    };
    hir.places.iter().any(|place| place.ty.ty == TypeId::VA_LIST && is_kept(&place.kind))
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
            if let Callee::Pointer(pointer) = *callee
                && !self.lw.fits(function, self.hir().exprs[pointer].ty, args)
            {
                // The program says that it calls something else.
                self.undefined(does_not_fit(&self.hir().functions[function].name));
            }
            if self.hir().misfits.contains(&id) {
                let name = &self.hir().functions[function].name;
                self.undefined(format!("`{name}` is called as what it was declared here, which it is not"));
            }
            let discarded = self.discarded.take() == Some(id);
            let value = self.call_function(function, args, wanted, discarded);
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

    fn call_function(
        &mut self,
        function: FunctionId,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
        discarded: bool,
    ) -> Value {
        let source = &self.hir().functions[function];
        let name = public_name(&source.name);
        if is_error(self.lw.options, name, source.body.is_some() && name == source.name, args.len()) {
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
        if source.body.is_some() && name != source.name {
            if let (library::USE_TEXT, &[text]) = (source.name.as_str(), args)
                && self.is_text(text)
            {
                return Value::Void;
            }
            if let ("puts" | "fputs" | "perror", Some(&text)) = (name, args.first())
                && discarded
                && (name != "fputs" || !self.lw.follows_streams)
                && self.is_text(text)
                && args[1..].iter().all(|&stream| self.is_standard(stream))
            {
                // Nothing can go wrong with the text, and nothing is asked of the result.
                self.effect(text);
                return self.any_value(self.lw.result_type(function), InputSource::Call(name.into()));
            }
            let known = self.formatted(name, function, args, discarded);
            return match known.or_else(|| self.of_constants(name, function, args)) {
                Some(value) => value,
                None => self.call_library(function, args),
            };
        }
        if source.body.is_some() {
            let arguments = self.arguments(args);
            if self.lw.is_variadic(function) {
                let known = self.lw.param_types(function).len().min(args.len());
                self.keep_listed(&args[known..], &arguments[known..]);
            }
            let value = self.call_defined(function, arguments);
            self.require_returned(function, discarded);
            return value;
        }
        if let Some(value) = self.model(function, args, wanted) {
            return value;
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

    pub fn call_defined(&mut self, function: FunctionId, arguments: Vec<Argument>) -> Value {
        if arguments.len() < self.lw.param_types(function).len() {
            self.undefined(format!(
                "`{}` is called without all arguments",
                self.hir().functions[function].name
            ));
        }
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
        self.end_arguments(extra);
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

    fn call_pointer(&mut self, pointer: hir::ExprId, args: &[hir::ExprId], result_type: TypeId) -> Value {
        let pointer_type = self.hir().exprs[pointer].ty;
        let all: Vec<hir::ExprId> = std::iter::once(pointer).chain(args.iter().copied()).collect();
        let mut all = self.arguments(&all).into_iter();
        let pointer = all.next().map_or(Value::Void, |(value, _)| value);
        let pointer = self.scalar_of(pointer, Type::Pointer);
        let values: Vec<Argument> = all.collect();
        let variadic = self.hir().types.pointee_function(pointer_type).filter(|f| f.variadic);
        if let Some(known) = variadic.map(|f| f.params.len().min(args.len())) {
            self.keep_listed(&args[known..], &values[known..]);
        }
        let args = values;
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
        let (call, is_variadic) = (result.clone(), variadic.is_some());
        self.emit_indirect(|proc, edge, span| IndirectCall {
            proc,
            edge,
            pointer,
            args,
            extra,
            result_type,
            result: call,
            variadic: is_variadic,
            span,
        });
        self.end_arguments(extra);
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
                    let types = &self.hir().types;
                    let value =
                        match types.pointee(leaf.ty).filter(|_| matches!(source, InputSource::Call(_))) {
                            Some(to) => self.pointer_from_outside(to.ty, &source),
                            None => {
                                let ty = leaf_type(types, leaf).unwrap_or(Type::I32);
                                self.input(ty, source.clone())
                            }
                        };
                    values.push(value);
                }
                Value::Leaves(values)
            }
            Shape::Memory => {
                let size = self.hir().types.size_of(ty).unwrap_or(0);
                Value::Memory(self.allocate_bytes(size))
            }
        }
    }
}

impl Body<'_, '_> {
    /// `argc`, and `argv` if it is used, as C has them (5.1.2.2.1).
    fn main_arguments(&mut self, entry: FunctionId, params: &[TypeId]) -> Option<Vec<Argument>> {
        let function = &self.hir().functions[entry];
        let (Some(&count_type), "main") = (params.first(), function.name.as_str()) else { return None };
        if !self.hir().types.is_integer(count_type) {
            return None;
        }
        // What is not used is no input: without others, there is one run.
        let used = |at: usize| {
            let body = function.body.as_ref()?;
            Some(body.params.get(at).is_some_and(|&local| self.mentions(body, local)))
        };
        let (count_used, strings_used) = (used(0)?, used(1)?);
        let one = self.lw.constant(Type::I32, 1);
        let mut count = one;
        if count_used || strings_used {
            let any = self.any_value(count_type, InputSource::Argument);
            let any = self.scalar_of(any, Type::I32);
            let zero = self.lw.zero(Type::I32);
            let is_valid = self.lw.binary(ir::BinaryOp::Le, zero, any);
            count = self.lw.ite(is_valid, any, one);
            count = self.freeze(count);
        }
        let mut arguments = vec![(Value::Scalar(count), count_type)];
        let strings = library::function(self.hir(), library::ARGUMENTS);
        if let (Some(&ty), Some(strings)) = (params.get(1), strings) {
            let value = if strings_used {
                self.call_defined(strings, arguments.clone())
            } else {
                Value::Scalar(self.lw.zero(Type::Pointer))
            };
            arguments.push((value, ty));
        }
        Some(arguments)
    }

    fn mentions(&self, body: &hir::Body, local: hir::LocalId) -> bool {
        let hir = self.hir();
        let mut found = false;
        walk(hir, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Place(place) = node {
                found |= matches!(hir.places[place].kind, hir::PlaceKind::Local(l) if l == local);
            }
            !found
        });
        found
    }
}

/// The procedure to start at: the entry function itself, or one that makes its arguments and the values of
/// globals that are defined elsewhere.
pub(super) fn lower_entry(lw: &mut Lowering<'_>, entry: FunctionId) -> ir::ProcId {
    let Some(proc) = lw.procs[entry] else { return ir::ProcId(0) };
    let params = lw.param_types(entry);
    let unknown = defined_elsewhere(lw);
    let (constructors, destructors) = (lw.hir.constructors.clone(), lw.hir.destructors.clone());
    let alone = constructors.is_empty() && destructors.is_empty();
    let called = lw.reach.called.contains(&entry) || lw.reach.address_taken.contains(&entry);
    let is_main = lw.hir.functions[entry].name == "main";
    let handlers = library::function(lw.hir, library::EXIT).filter(|_| is_main);
    let alone = alone && handlers.is_none();
    if alone && params.is_empty() && unknown.is_empty() && !called && !lw.is_variadic(entry) {
        return proc;
    }
    let id =
        lw.declare_proc(&format!("{} (start)", lw.hir.functions[entry].name), lw.hir.functions[entry].span);
    let mut body = Body::open(lw, id);
    for (var, pointee) in unknown {
        let source = InputSource::Uninitialised;
        match pointee {
            Some(to) => body.input_pointer(var, to, &source),
            None => drop(body.emit(Stmt::Input(ir::Place::Var(var), source))),
        }
    }
    for &constructor in &constructors {
        body.emit_call(constructor, &[], None, &Value::Void);
    }
    let mut arguments = body.main_arguments(entry, &params).unwrap_or_default();
    // Where the arguments are made in C, pointers are not made here.
    let makes_arguments = body.hir().functions[entry].name.starts_with(crate::contract::PREFIX);
    for &ty in &params[arguments.len()..] {
        if makes_arguments && body.hir().types.is_pointer(ty) {
            arguments.push((Value::Scalar(body.lw.zero(Type::Pointer)), ty));
            continue;
        }
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
    if let Some(handlers) = handlers {
        body.emit_call(handlers, &[], None, &Value::Void);
    }
    for &destructor in &destructors {
        body.emit_call(destructor, &[], None, &Value::Void);
    }
    body.goto(body.proc.exit);
    body.close();
    id
}

/// The variables whose values come from outside; of pointers, with what they point to.
fn defined_elsewhere(lw: &mut Lowering<'_>) -> Vec<(VarId, Option<TypeId>)> {
    let mut found = Vec::new();
    for &id in &lw.reach.globals {
        let global = &lw.hir.globals[id];
        let Some(Storage::Vars(vars)) = lw.globals[id].as_ref().filter(|_| global.init.is_none()) else {
            continue;
        };
        let types = &lw.hir.types;
        let leaves = lw.layouts.leaves(types, global.ty.ty).unwrap_or_default();
        let pointee = |i: usize| types.pointee(leaves.get(i)?.ty).map(|to| to.ty);
        found.extend(vars.iter().enumerate().map(|(i, &var)| (var, pointee(i))));
    }
    found.extend(lw.weak_functions.values().map(|&var| (var, None)));
    found
}
