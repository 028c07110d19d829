//! Functions without a definition, and values that come from outside of the program.
//!
//! A function without a body or model may return anything and may write all that it can reach from the
//! pointers it is given: all of the objects they point into, and what pointers in there point to, by their
//! types. A pointer that it stores or returns is null, one that it could reach, or of its own making. What any such
//! function was given in an earlier call, a later one may write too ([`super::kept`]). What no argument leads to
//! is left alone: the answer says so.
//!
//! What is written is any subset of the elements: a loop that chooses an element and gives it any value.

use craig_program as ir;
use ir::{ExprId, InputSource, NoteKind, Type};

use super::body::{Body, Value};
use super::given::Given;
use super::library::{is_error, refused};
use super::{Lowering, Shape, Storage, UNKNOWN_SIZE};
use crate::dialect::{Dialect, dialect};
use crate::hir::{self, CastKind, ExprKind, FunctionId, GlobalOrigin, PlaceId, PlaceKind};
use crate::library::{is_library, public_name};
use crate::types::TypeId;

impl Body<'_, '_> {
    /// A value from outside of the program: a pointer is null or the address of a new object. One that
    /// is asked for as an arbitrary value may also be the address of an object that came before: for
    /// each type of pointers, one of those is kept in mind.
    pub fn value_from_outside(&mut self, ty: TypeId, wanted: Option<TypeId>, source: InputSource) -> Value {
        if !self.hir().types.is_pointer(ty) {
            return self.any_value(ty, source);
        }
        let pointer = wanted.filter(|&ty| self.hir().types.is_pointer(ty)).unwrap_or(ty);
        let pointee = self.hir().types.pointee(pointer).map_or(TypeId::VOID, |to| to.ty);
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
            let address = self.object_made_outside(pointee);
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
        let address = self.object_made_outside(pointee);
        self.assign(result, address);
        let is_kept = self.input(Type::Bool, source);
        self.split(is_kept, keep, end);
        self.here = keep;
        let address = self.var(result);
        self.assign(kept, address);
        self.arrive(end);
        Value::Scalar(self.var(result))
    }

    /// A new object that a pointer from outside points to. In it are any bytes.
    pub(super) fn object_made_outside(&mut self, pointee: TypeId) -> ExprId {
        if self.holds_pointers(pointee) {
            let text =
                "new objects from outside hold any bytes: pointers in there lead to no object but by chance";
            self.lw.note(NoteKind::Assumption, self.span, text.to_string());
        }
        let size = self.outside_size(pointee);
        self.allocate_bytes(size)
    }

    /// The size of an object that a pointer from outside points to.
    fn outside_size(&self, pointee: TypeId) -> u64 {
        let types = &self.hir().types;
        let is_record = types.as_record(pointee).is_some();
        match types.size_of(pointee) {
            Some(size) if is_record || size > UNKNOWN_SIZE => size.max(1),
            _ => UNKNOWN_SIZE,
        }
    }

    /// Any result, and any effect on what can be reached from the arguments.
    pub fn call_undefined(
        &mut self,
        function: FunctionId,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
    ) -> Value {
        let source = &self.hir().functions[function];
        let name = public_name(&source.name);
        self.note_undefined(name);
        let arguments = self.arguments(args);
        if let Some(is_there) = self.lw.weak_function(function) {
            let is_there = self.var(is_there);
            self.require(ir::CheckKind::Memory, is_there, format!("`{name}` is called and may not be there"));
        }
        let mut given = Vec::new();
        for (&arg, (value, ty)) in args.iter().zip(arguments) {
            if self.hir().types.pointee_function(ty).is_some() {
                let (at, text) =
                    (self.span, format!("'{name}' does not call the functions that it is given"));
                self.lw.note(NoteKind::Assumption, at, text);
            }
            if ty == TypeId::VA_LIST && !super::kept::scans_list(name) {
                let text = format!("'{name}' does not write to what the arguments in its list point to");
                self.lw.note(NoteKind::Assumption, self.span, text);
            }
            given.extend(self.given_in_record(&value, ty));
            given.extend(self.given(name, arg, value));
        }
        let result = self.lw.result_type(function);
        let reached = self.change_all(name, &given);
        self.keep(name, &given);
        if source.no_return {
            self.halt();
        }
        self.result_from_outside(name, result, wanted, &reached)
    }

    /// Any effect on what can be reached from the arguments.
    pub fn change_what_is_given(&mut self, name: &str, arguments: Vec<(hir::ExprId, Value)>) {
        let mut given = Vec::new();
        for (arg, value) in arguments {
            given.extend(self.given(name, arg, value));
        }
        self.change_all(name, &given);
    }

    /// Gives the program's objects, and all that can be reached from them and the arguments, any contents.
    pub fn change_everything(&mut self, name: &str, args: &[hir::ExprId]) {
        let hir = self.hir();
        let mut given = Vec::new();
        for (&arg, (value, _)) in args.iter().zip(self.arguments(args)) {
            given.extend(self.given(name, arg, value));
        }
        for global in self.lw.reach.globals.clone() {
            let object = &hir.globals[global];
            let Some(Storage::Memory(address)) = self.lw.globals[global] else { continue };
            let is_fixed = self.lw.is_constant_object(global) || is_library(&object.name);
            if !is_fixed && hir.types.size_of(object.ty.ty).is_some() {
                given.push(Given { address, element: object.ty.ty, count: Some(1) });
            }
        }
        self.change_all(name, &given);
    }

    fn note_undefined(&mut self, name: &str) {
        let at = self.span;
        let text = format!(
            "'{name}' has no body: it returns any value and changes only what such functions are given"
        );
        self.lw.note(NoteKind::Assumption, at, text);
    }

    /// A pointer may be one that the function could reach, too.
    fn result_from_outside(
        &mut self,
        name: &str,
        ty: TypeId,
        wanted: Option<TypeId>,
        reached: &[(TypeId, ExprId)],
    ) -> Value {
        let source = InputSource::Call(name.into());
        let value = self.value_from_outside(ty, wanted, source.clone());
        let types = &self.hir().types;
        let pointee = types.pointee(wanted.unwrap_or(ty)).map(|to| to.ty);
        let (Some(pointee), Value::Scalar(made)) = (pointee, &value) else { return value };
        let made = *made;
        let known: Vec<ExprId> =
            reached.iter().filter(|(ty, _)| *ty == pointee).map(|(_, value)| *value).collect();
        if known.is_empty() {
            return value;
        }
        let result = self.temporary(Type::Pointer);
        self.assign(result, made);
        for pointer in known {
            let is_this = self.input(Type::Bool, source.clone());
            let current = self.var(result);
            let chosen = self.lw.ite(is_this, pointer, current);
            self.assign(result, chosen);
        }
        Value::Scalar(self.var(result))
    }

    /// The size of the object that a pointer points into, where the expression names it.
    pub fn known_size(&self, pointer: hir::ExprId) -> Option<u64> {
        let hir = self.hir();
        let place = root(hir, pointer)?;
        hir.types.size_of(hir.places[place].ty.ty)
    }
}

/// The variable or literal that an address leads into, if the expression names it.
pub(super) fn root(hir: &hir::Program, mut pointer: hir::ExprId) -> Option<PlaceId> {
    loop {
        let mut place = match hir.exprs[pointer].kind {
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => place,
            ExprKind::PtrAdd { pointer: base, .. } => {
                pointer = base;
                continue;
            }
            ExprKind::Cast(CastKind::PointerToPointer, inner) => {
                pointer = inner;
                continue;
            }
            _ => return None,
        };
        loop {
            match hir.places[place].kind {
                PlaceKind::Field { record, .. } => place = record,
                PlaceKind::Deref(base) => {
                    pointer = base;
                    break;
                }
                PlaceKind::Global(_) | PlaceKind::Local(_) => return Some(place),
                PlaceKind::Initialized { .. } | PlaceKind::Temporary(_) => return None,
            }
        }
    }
}

pub(super) fn is_literal(hir: &hir::Program, place: PlaceId) -> bool {
    matches!(hir.places[place].kind, PlaceKind::Global(global)
        if hir.globals[global].origin == GlobalOrigin::StringLiteral)
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
    let first = body.proc.params.len();
    for (i, &ty) in params.iter().enumerate() {
        for var in body.result_vars(ty) {
            body.lw.out.vars[var].name = format!("argument.{i}").into();
            body.proc.params.push(var);
        }
    }
    if body.lw.is_variadic(function) {
        let var = body.new_var("...".to_string(), Type::Pointer);
        body.proc.params.push(var);
    }
    let name = public_name(&source.name);
    if body.known_by_name(function, first) {
        let any = body.any_value(result_type, InputSource::Call(name.into()));
        body.leave_stub(function, any);
    } else {
        body.note_undefined(name);
        let given = body.given_to_stub(&params, first);
        let reached = body.change_all(name, &given);
        body.keep(name, &given);
        if source.no_return {
            body.halt();
        } else {
            let value = body.result_from_outside(name, result_type, None, &reached);
            body.leave_stub(function, value);
        }
    }
    body.close();
    lw.procs[function] = Some(id);
    id
}

impl Body<'_, '_> {
    fn leave_stub(&mut self, function: FunctionId, value: Value) {
        match value {
            Value::Scalar(value) => {
                if let Some(result) = self.proc.result {
                    self.assign(result, value);
                }
            }
            Value::Leaves(values) => {
                for (var, value) in self.lw.result_globals(function).into_iter().zip(values) {
                    self.assign(var, value);
                }
            }
            Value::Void | Value::Memory(_) => {}
        }
        self.goto(self.proc.exit);
    }

    /// What happens in a function that lowering knows by its name, and which a pointer leads to; `first` is the place of its
    /// first parameter. False for others.
    fn known_by_name(&mut self, function: FunctionId, first: usize) -> bool {
        let source = &self.hir().functions[function];
        let name = public_name(&source.name);
        let params = self.lw.param_types(function);
        if is_error(self.lw.options, name, false, params.len()) {
            self.error(format!("`{name}` is called"));
            self.here = self.new_location();
            return true;
        }
        if let Some(why) = refused(name) {
            self.lw.unsupported(source.span, format!("'{name}': {why}"));
            return true;
        }
        if name.starts_with("__VERIFIER_nondet_") {
            return !self.hir().types.is_pointer(self.lw.result_type(function));
        }
        match dialect(name) {
            Some(asked @ (Dialect::Assume | Dialect::Assert)) => {
                let condition = self.proc.params.get(first).copied();
                let Some(condition) = condition.filter(|_| !params.is_empty()) else { return false };
                let condition = self.var(condition);
                let truth = self.lw.truth(condition);
                let (holds, fails) = (self.new_location(), self.new_location());
                self.split(truth, holds, fails);
                if asked == Dialect::Assert {
                    self.here = fails;
                    self.error("assertion failed".to_string());
                } else {
                    self.proc.assumed.push(fails);
                }
                self.here = holds;
                true
            }
            Some(Dialect::Fail) => {
                self.error(format!("'{name}' is called"));
                self.here = self.new_location();
                true
            }
            Some(Dialect::Stop) => {
                self.halt();
                true
            }
            Some(Dialect::Any) => !self.hir().types.is_pointer(self.lw.result_type(function)),
            Some(Dialect::Nothing) => true,
            Some(Dialect::Refused(why)) => {
                self.lw.unsupported(source.span, format!("'{name}': {why}"));
                true
            }
            Some(
                Dialect::AnyContents
                | Dialect::Everything
                | Dialect::Overflows(_)
                | Dialect::Zeroed
                | Dialect::Object(_)
                | Dialect::Separated
                | Dialect::New,
            ) => {
                self.lw.unsupported(source.span, format!("a pointer to '{name}'"));
                true
            }
            None => false,
        }
    }
}
