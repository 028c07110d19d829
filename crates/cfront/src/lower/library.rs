//! What functions without a body are known to do.
//!
//! Memory and control functions are modelled here, and what the functions of [`crate::library`], written in C,
//! are made of. Such a function gets an instance of its own for what it is given: the type of an array that
//! becomes a `void *`, and constants.

use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, InputSource, NoteKind, Type};

use super::Options;
use super::body::{Body, Value};
use super::visit::{Node, walk};
use super::{Storage, body};
use crate::hir::{self, Callee, CastKind, ExprKind, FunctionId, PlaceKind, Program};
use crate::library;
use crate::types::TypeId;

/// What is known of an argument of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Actual {
    Unknown,
    Constant(i128),
    /// The type of a pointer that becomes a `void *`.
    Pointer(TypeId),
    /// A string literal.
    Text,
    /// A function that changes nothing.
    Pure,
}

/// The functions of the library that lowering calls by itself, where the program needs them.
pub(super) fn roots(program: &Program, follows_streams: bool) -> Vec<FunctionId> {
    let rounds = super::rounding::is_set(program);
    let of_streams =
        |name: &str| matches!(name, "__craig_format_stream" | "__craig_scan_stream" | "__craig_scan_input");
    let is_root = |name: &str| {
        (name.starts_with("__craig_format_") && (follows_streams || !of_streams(name)))
            || (name.starts_with("__craig_scan_") && (follows_streams || !of_streams(name)))
            || (rounds && name.starts_with("__craig_rounded_"))
            || [library::EXIT, library::QUICK_EXIT, library::ARGUMENTS].contains(&name)
    };
    let functions = program.functions.enumerated();
    functions.filter(|(_, f)| f.body.is_some() && is_root(&f.name)).map(|(id, _)| id).collect()
}

/// Whether a call of the function is the error. A function called `error` is one only if the program neither
/// defines it nor passes it a message.
pub(crate) fn is_error(options: &Options, name: &str, defined: bool, args: usize) -> bool {
    match name {
        "reach_error" | "__VERIFIER_error" => true,
        "__assert_fail"
        | "__assert_perror_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_func"
        | "_assert"
        | "_wassert" => !defined,
        "error" if !defined && args == 0 => true,
        _ => options.error_functions.iter().any(|error| error == name),
    }
}

/// What a function does that is beyond the model of one run of one program.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    Some(match name {
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "vfork" => {
            "jumps between functions are not modelled"
        }
        "signal" | "bsd_signal" | "sysv_signal" | "sigaction" | "sigset" => {
            "handlers of signals are not modelled"
        }
        "pthread_create" | "thrd_create" | "fork" | "clone" => "threads and processes are not modelled",
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// The effect and result of a known function; `None` for others.
    pub fn model(
        &mut self,
        function: FunctionId,
        args: &[hir::ExprId],
        wanted: Option<TypeId>,
    ) -> Option<Value> {
        let hir = self.hir();
        let name = hir.functions[function].name.as_str();
        let result_type = self.lw.result_type(function);
        if name.starts_with("__VERIFIER_nondet_") {
            for &arg in args {
                self.effect(arg);
            }
            return Some(self.value_from_outside(result_type, wanted, InputSource::Call(name.into())));
        }
        if library::is_library(name) {
            return self.primitive(name, args, result_type);
        }
        self.modelled = Some(name);
        let value = match (name, args) {
            ("alloca" | "__builtin_alloca", &[size]) => {
                let size = self.scalar(size);
                Some(Value::Scalar(self.alloca(size)))
            }
            ("malloc" | "valloc", &[size]) => {
                let size = self.scalar(size);
                Some(Value::Scalar(self.allocate_or_fail(size, name)))
            }
            ("calloc", &[count, size]) => {
                let arguments = self.arguments(&[count, size]);
                let size_type = Type::Int(self.lw.size_type());
                let mut factors = Vec::new();
                for (value, _) in arguments {
                    let value = self.scalar_of(value, size_type);
                    factors.push(self.lw.convert(value, size_type));
                }
                let bytes = self.product_or_too_large(factors[0], factors[1]);
                let address = self.allocate_or_fail(bytes, name);
                let (some, end) = (self.new_location(), self.new_location());
                let not_null = self.lw.truth(address);
                self.split(not_null, some, end);
                self.here = some;
                let element = self.element_type(&[wanted]);
                let zero = self.lw.zero(Type::Int(ir::IntType::U8));
                self.fill(address, zero, bytes, element);
                self.arrive(end);
                Some(Value::Scalar(address))
            }
            ("realloc", &[old, size]) => {
                let arguments = self.arguments(&[old, size]);
                let [old, size] = self.scalars(arguments)?;
                let size = self.lw.convert(size, Type::Int(self.lw.size_type()));
                let (old, size) = (self.freeze(old), self.freeze(size));
                let result = self.temporary(Type::Pointer);
                let done = self.new_location();
                if self.lw.out.exprs.as_const(size).is_none_or(|size| size == 0) {
                    self.free_for_no_bytes(old, size, hir.exprs[args[0]].span, (result, done));
                }
                let new = self.allocate_or_fail(size, name);
                let (some, moved, end) = (self.new_location(), self.new_location(), self.new_location());
                let (is_old, is_new) = (self.lw.truth(old), self.lw.truth(new));
                self.split(is_old, some, end);
                self.here = some;
                let element = self.element_type(&[wanted, self.pointer_type(args[0])]);
                // An address that nothing was allocated at has no size, whether there is room for more or not.
                let old_size = self.allocated_size(old);
                let old_size = self.freeze(old_size);
                let failed = self.new_location();
                self.split(is_new, moved, failed);
                self.here = failed;
                // Whether there is room or not, the old object must not be freed.
                let used = self.new_location();
                let has_bytes = self.lw.truth(old_size);
                self.split(has_bytes, used, end);
                self.here = used;
                let byte = self.load_scalar(old, Type::Int(ir::IntType::U8));
                self.freeze(byte);
                self.goto(end);
                self.here = moved;
                let smaller = self.lw.binary(BinaryOp::Lt, old_size, size);
                let common = self.lw.ite(smaller, old_size, size);
                let common = self.freeze(common);
                let (pieces, stride, _) = self.elements(size, element);
                self.copy_prefix(new, old, common, stride, &pieces);
                self.release(old, hir.exprs[args[0]].span);
                self.arrive(end);
                self.assign(result, new);
                self.arrive(done);
                Some(Value::Scalar(self.var(result)))
            }
            ("free" | "cfree", &[pointer]) => {
                let text = hir.exprs[pointer].span;
                let pointer = self.scalar(pointer);
                self.release(pointer, text);
                Some(Value::Void)
            }
            ("memset" | "bzero", _) if args.len() >= 2 => {
                let arguments = self.arguments(args);
                let byte = Type::Int(ir::IntType::U8);
                let scalars: Vec<ExprId> =
                    arguments.into_iter().map(|(value, _)| self.scalar_of(value, byte)).collect();
                let to = self.freeze(scalars[0]);
                let size = *scalars.last()?;
                let value =
                    if name == "memset" { self.lw.convert(scalars[1], byte) } else { self.lw.zero(byte) };
                let element = self.element_type(&[self.pointer_type(args[0])]);
                self.fill(to, value, size, element);
                Some(Value::Scalar(to))
            }
            ("memcpy" | "memmove" | "mempcpy", &[to, from, size]) => {
                let element = self.element_type(&[self.pointer_type(to), self.pointer_type(from)]);
                let apart = name == "memmove" || self.are_apart(to, from);
                let arguments = self.arguments(&[to, from, size]);
                let [to, from, size] = self.scalars(arguments)?;
                let (to, from, size) = (self.freeze(to), self.freeze(from), self.freeze(size));
                if !apart {
                    self.require_apart(to, from, size, name);
                }
                self.copy(to, from, size, element, name == "memmove");
                if name == "mempcpy" {
                    let size = self.lw.convert(size, Type::Int(self.lw.difference_type()));
                    return Some(Value::Scalar(self.lw.binary(BinaryOp::Add, to, size)));
                }
                Some(Value::Scalar(to))
            }
            ("exit", _) if !hir.destructors.is_empty() => {
                let span = args.first().map_or(hir.functions[function].span, |&arg| hir.exprs[arg].span);
                self.lw.unsupported(span, "'exit' in a program with destructors");
                Some(Value::Void)
            }
            ("abort" | "exit" | "_exit" | "_Exit" | "quick_exit" | "__builtin_trap", _) => {
                for &arg in args {
                    self.effect(arg);
                }
                let handlers = match name {
                    "exit" => library::function(hir, library::EXIT),
                    "quick_exit" => library::function(hir, library::QUICK_EXIT),
                    _ => None,
                };
                if let Some(handlers) = handlers {
                    self.emit_call(handlers, &[], None, &Value::Void);
                }
                self.halt();
                Some(Value::Void)
            }
            ("signal" | "bsd_signal" | "sysv_signal", &[number, handler])
                if matches!(self.constant_pointer(handler), Some(0 | 1)) =>
            {
                self.effect(number);
                Some(self.any_value(result_type, InputSource::Call(name.into())))
            }
            _ if refused(name).is_some() => {
                let span = args.first().map_or(hir.functions[function].span, |&arg| hir.exprs[arg].span);
                let what = refused(name).unwrap_or_default();
                self.lw.unsupported(span, format!("'{name}': {what}"));
                Some(Value::Void)
            }
            _ => self.dialect(function, args),
        };
        self.modelled = None;
        value.map(|value| match (value, self.lw.scalar_type(result_type)) {
            // Used as a value though declared otherwise.
            (Value::Void, Some(ty)) => Value::Scalar(self.lw.zero(ty)),
            (value, _) => value,
        })
    }

    fn scalars<const N: usize>(&mut self, arguments: Vec<super::call::Argument>) -> Option<[ExprId; N]> {
        let ty = Type::Int(self.lw.size_type());
        let values: Vec<ExprId> = arguments.into_iter().map(|(value, _)| self.scalar_of(value, ty)).collect();
        values.try_into().ok()
    }

    /// The product of two sizes; one that no object has where it would not fit.
    fn product_or_too_large(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = Type::Int(self.lw.size_type());
        let (a, b) = (self.freeze(a), self.freeze(b));
        let product = self.lw.binary(BinaryOp::Mul, a, b);
        if let (Some(x), Some(y)) = (self.lw.out.exprs.as_const(a), self.lw.out.exprs.as_const(b))
            && x.checked_mul(y).is_some_and(|p| p <= i128::from(self.lw.out.data_model.largest_object()))
        {
            return product;
        }
        let largest = self.lw.constant(ty, i128::from(self.lw.out.data_model.largest_object()));
        let (zero, too_large) = (self.lw.zero(ty), self.lw.constant(ty, -1));
        let fits = if self.lw.out.exprs.as_const(b) == Some(0) {
            self.lw.out.exprs.bool(true)
        } else {
            let most = self.lw.binary(BinaryOp::Div, largest, b);
            let fits = self.lw.binary(BinaryOp::Le, a, most);
            let (is_zero, yes) = (self.lw.binary(BinaryOp::Eq, b, zero), self.lw.out.exprs.bool(true));
            self.lw.out.exprs.ite(is_zero, yes, fits)
        };
        let bytes = self.lw.out.exprs.ite(fits, product, too_large);
        self.freeze(bytes)
    }

    /// The text of a string literal that is passed.
    pub fn string_literal(&self, mut arg: hir::ExprId) -> Option<String> {
        let hir = self.hir();
        while let ExprKind::Cast(_, inner) = hir.exprs[arg].kind {
            arg = inner;
        }
        let ExprKind::Decay(place) = hir.exprs[arg].kind else { return None };
        let hir::PlaceKind::Global(global) = hir.places[place].kind else { return None };
        let global = &hir.globals[global];
        let [item] = global.init.as_ref()?.items.as_slice() else { return None };
        let hir::InitValue::Text(text) = &item.value else { return None };
        (global.origin == hir::GlobalOrigin::StringLiteral).then(|| match text {
            hir::Text::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            hir::Text::Wide(units) => units.iter().filter_map(|&unit| char::from_u32(unit)).collect(),
        })
    }

    /// Whether an argument is a text for sure: a literal, or one of several.
    pub fn is_text(&self, arg: hir::ExprId) -> bool {
        let mut waiting = vec![arg];
        while let Some(arg) = waiting.pop() {
            if let ExprKind::Conditional { then, otherwise, .. } = self.hir().exprs[arg].kind {
                waiting.extend([then, otherwise]);
            } else if self.string_literal(arg).is_none() && self.actual(arg) != Actual::Text {
                return false;
            }
        }
        true
    }

    /// What functions of the library are made of.
    fn primitive(&mut self, name: &str, args: &[hir::ExprId], result_type: TypeId) -> Option<Value> {
        let outer =
            self.function.map_or("", |function| library::public_name(&self.hir().functions[function].name));
        let source = InputSource::Call(outer.into());
        match (name, args) {
            ("__craig_require", &[condition]) => {
                let text = format!("`{outer}` requires `{}`", self.source_text(condition));
                let condition = self.scalar(condition);
                let holds = self.lw.truth(condition);
                self.require(CheckKind::Memory, holds, text);
                Some(Value::Void)
            }
            ("__craig_require_apart", &[to, from, size]) => {
                let arguments = self.arguments(&[to, from, size]);
                let [to, from, size] = self.scalars(arguments)?;
                self.require_apart(to, from, size, outer);
                Some(Value::Void)
            }
            ("__craig_require_ranges_apart", &[to, to_size, from, from_size]) => {
                let arguments = self.arguments(&[to, to_size, from, from_size]);
                let [to, to_size, from, from_size] = self.scalars(arguments)?;
                self.require_ranges_apart([to, to_size], [from, from_size], "%s");
                Some(Value::Void)
            }
            ("__craig_use_byte", &[address]) => {
                let address = self.scalar(address);
                let byte = self.load_scalar(address, Type::Int(ir::IntType::U8));
                self.freeze(byte);
                Some(Value::Void)
            }
            ("__craig_memory_streams", &[]) => {
                let has = i128::from(self.lw.has_memory_streams);
                Some(Value::Scalar(self.lw.constant(Type::Int(ir::IntType::BOOL), has)))
            }
            ("__craig_output_arrives", &[]) => {
                let bool_type = Type::Int(ir::IntType::BOOL);
                if !self.lw.options.output_never_fails {
                    return Some(Value::Scalar(self.input(bool_type, source)));
                }
                let at = self.span;
                self.lw.note(NoteKind::Assumption, at, "standard output never fails".to_string());
                Some(Value::Scalar(self.lw.constant(bool_type, 1)))
            }
            ("__craig_only_looks", &[function]) => {
                let looks = self.actual(function) == Actual::Pure;
                Some(Value::Scalar(self.lw.constant(Type::Int(ir::IntType::BOOL), i128::from(looks))))
            }
            ("__craig_assume", &[condition]) => {
                let (holds, fails) = (self.new_location(), self.new_location());
                self.branch(condition, holds, fails);
                self.proc.assumed.push(fails);
                self.here = holds;
                Some(Value::Void)
            }
            // One that the program was given: it is not to be freed, and does not end.
            ("__craig_object", &[size]) => {
                let size = self.scalar(size);
                Some(Value::Scalar(self.allocate_for_good(size, outer)))
            }
            ("__craig_remainder_of" | "__craig_remainder_off" | "__craig_remainder_ofl", &[x, y]) => {
                let [x, y] = [x, y].map(|operand| self.scalar(operand));
                let rest = self.lw.binary(BinaryOp::Rem, x, y);
                Some(Value::Scalar(self.freeze(rest)))
            }
            ("__craig_havoc", &[to, _, size]) => {
                let (pieces, stride, per_element) = self.element_pieces(to, size);
                let arguments = self.arguments(args);
                let [to, count, size] = self.scalars(arguments)?;
                let per_element =
                    per_element.map_or(size, |n| self.lw.constant(Type::Int(self.lw.size_type()), n));
                let count = self.lw.binary(BinaryOp::Mul, count, per_element);
                let count = self.lw.convert(count, Type::Int(self.lw.difference_type()));
                self.repeat(&[to], count, stride, &pieces, &mut |body, at, ty| {
                    let value = body.input(ty, source.clone());
                    body.store_scalar(at[0], ty, value);
                });
                Some(Value::Void)
            }
            ("__craig_swap", &[base, _, _, size]) => {
                let (pieces, stride, per_element) = self.element_pieces(base, size);
                let arguments = self.arguments(args);
                let [base, a, b, size] = self.scalars(arguments)?;
                let [a, b] = [a, b].map(|index| {
                    let distance = self.lw.binary(BinaryOp::Mul, index, size);
                    let distance = self.lw.convert(distance, Type::Int(self.lw.difference_type()));
                    let address = self.lw.binary(BinaryOp::Add, base, distance);
                    self.freeze(address)
                });
                let count = per_element.map_or(size, |n| self.lw.constant(Type::Int(self.lw.size_type()), n));
                let count = self.lw.convert(count, Type::Int(self.lw.difference_type()));
                self.each_element(&[a, b], count, stride, &pieces, &mut |body, at, ty| {
                    let [x, y] = [at[0], at[1]].map(|address| {
                        let value = body.load_scalar(address, ty);
                        body.freeze(value)
                    });
                    body.store_scalar(at[0], ty, y);
                    body.store_scalar(at[1], ty, x);
                });
                Some(Value::Void)
            }
            _ if name.starts_with("__craig_any_") => {
                if self.hir().types.is_float(result_type) {
                    let at = self.span;
                    let text = format!("'{outer}' returns any value that C allows");
                    self.lw.note(NoteKind::OverApproximation, at, text);
                } else if name.starts_with("__craig_any_approximate_") {
                    let text = format!("'{outer}' is only approximated, and may do more than C lets it");
                    self.lw.note(NoteKind::OverApproximation, self.span, text);
                }
                Some(self.any_value(result_type, source))
            }
            _ => None,
        }
    }

    /// A call of a function of the library.
    pub fn call_library(&mut self, function: FunctionId, args: &[hir::ExprId]) -> Value {
        let hir = self.hir();
        let arguments = self.arguments(args);
        let mut actuals = Vec::new();
        let params = self.lw.param_types(function);
        let reads_texts = args.iter().any(|&arg| self.is_text(arg)) && self.uses_texts(function);
        let is_void = |&ty: &TypeId| hir.types.pointee(ty).is_some_and(|to| hir.types.is_void(to.ty));
        if params.iter().any(is_void) || reads_texts {
            for (ty, &arg) in params.iter().zip(args) {
                actuals.push(match super::reach::constant_int(hir, arg) {
                    Some(value) => Actual::Constant(value),
                    None if is_void(ty) && self.element_type(&[self.pointer_type(arg)]).is_some() => {
                        self.pointer_type(arg).map_or(Actual::Unknown, Actual::Pointer)
                    }
                    None if reads_texts && self.is_text(arg) => Actual::Text,
                    None if super::pure::named(hir, arg).is_some() => Actual::Pure,
                    None => self.actual(arg),
                });
            }
        }
        let general = self.lw.procs[function];
        if actuals.iter().any(|actual| *actual != Actual::Unknown) {
            self.lw.procs[function] = Some(self.instance(function, actuals));
        }
        let value = self.call_defined(function, arguments);
        self.lw.procs[function] = general;
        value
    }

    /// Whether a function of the library reads texts only to see that they are there.
    fn uses_texts(&self, function: FunctionId) -> bool {
        let hir = self.hir();
        let Some(body) = &hir.functions[function].body else { return false };
        let mut found = false;
        walk(hir, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call { callee: Callee::Function(id), .. } = &hir.exprs[expr].kind
            {
                found |= hir.functions[*id].name == library::USE_TEXT;
            }
            !found
        });
        found
    }

    fn instance(&mut self, function: FunctionId, actuals: Vec<Actual>) -> ir::ProcId {
        if let Some(&proc) = self.lw.instances.get(&(function, actuals.clone())) {
            return proc;
        }
        let source = &self.hir().functions[function];
        let proc = self.lw.declare_proc(library::public_name(&source.name), source.span);
        self.lw.library_procs.insert(proc);
        self.lw.instances.insert((function, actuals.clone()), proc);
        self.lw.actuals = actuals;
        body::lower_function(self.lw, function, proc);
        proc
    }

    /// What is known of the value of an expression that is a parameter of this instance.
    pub(super) fn actual(&self, mut arg: hir::ExprId) -> Actual {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer | CastKind::IntToInt, inner) = hir.exprs[arg].kind
        {
            arg = inner;
        }
        let ExprKind::Load(place) = hir.exprs[arg].kind else { return Actual::Unknown };
        let PlaceKind::Local(local) = hir.places[place].kind else { return Actual::Unknown };
        let body = self.function.and_then(|function| hir.functions[function].body.as_ref());
        let Some(body) = body else { return Actual::Unknown };
        let index = body.params.iter().position(|&param| param == local);
        match index.and_then(|index| self.actuals.get(index)) {
            Some(&actual) if actual != Actual::Unknown && !self.is_changed(body, local) => actual,
            _ => Actual::Unknown,
        }
    }

    /// Whether a body may change its parameter.
    pub fn is_changed(&self, body: &hir::Body, local: hir::LocalId) -> bool {
        !matches!(self.locals[local], Storage::Vars(_)) || self.is_assigned(body, local)
    }

    /// Whether the body, which may be that of another function, assigns to the variable by its name.
    pub fn is_assigned(&self, body: &hir::Body, local: hir::LocalId) -> bool {
        let hir = self.hir();
        let mut changed = false;
        walk(hir, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } = &hir.exprs[expr].kind
            {
                changed |= matches!(hir.places[*place].kind, PlaceKind::Local(l) if l == local);
            }
            !changed
        });
        changed
    }

    /// The value of a constant integer or pointer.
    fn constant_pointer(&self, mut arg: hir::ExprId) -> Option<i128> {
        let hir = self.hir();
        while let ExprKind::Cast(_, inner) = hir.exprs[arg].kind {
            arg = inner;
        }
        match hir.exprs[arg].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }
}
