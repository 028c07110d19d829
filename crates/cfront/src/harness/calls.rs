//! Functions that are not compiled, or that must do what they did in the run: each is made for its place.

use std::fmt::Write;

use craig_program as ir;

use super::{Asked, Contents, LIBRARY_RESULT, Writer, find_word, next, weak_variable};
use crate::dialect::{Dialect, dialect};
use crate::hir::{Callee, ExprKind, Function};
use crate::source::Span;
use crate::types::{TypeId, TypeKind};
use crate::{library, lower};

impl Writer<'_> {
    /// Calls of functions without a body that returned something that matters.
    pub(super) fn calls(&mut self) {
        let program = self.program;
        for expr in &program.exprs {
            let ExprKind::Call { callee: Callee::Function(id), .. } = expr.kind else { continue };
            let function = &program.functions[id];
            let Some(at) = self.offset(expr.span.start) else { continue };
            if function.body.is_some() && !library::is_library(&function.name) {
                continue;
            }
            let name = library::public_name(&function.name);
            let mut asked = self.asked(expr.span, Some(name));
            if asked.is_empty() {
                asked = self.asked(expr.span, Some(LIBRARY_RESULT));
            }
            let objects = self.objects(expr.span, None);
            let fills = objects.iter().any(|object| !object.parts.is_empty());
            let granted = self.granted(expr.span, name);
            let fails = granted.contains(&0);
            let effects = self.effects(&self.place(expr.span), name);
            if asked.is_empty() && !fills && !fails && effects.is_empty() {
                continue;
            }
            let Some(at) = find_word(self.text, at, name) else { continue };
            let made = format!("craig_call_{}_{}", self.edits.len(), name);
            let ty = program.types.as_function(function.ty);
            let declared = match ty {
                Some(ty) if !ty.prototyped => format!("{} ()", program.types.show(ty.result)),
                _ => format!("__typeof__({})", name),
            };
            let replacement = match declared.strip_suffix(" ()") {
                Some(result) => format!("({{ extern {result} {made}(); {made}; }})"),
                None => format!("({{ extern {declared} {made} __asm__(\"{made}\"); {made}; }})"),
            };
            let result = ty.map_or(TypeId::VOID, |f| f.result);
            if asked.is_empty() && effects.is_empty() {
                self.make_allocator(&made, name, &objects, if fails { granted } else { Vec::new() });
            } else {
                self.make_function(&made, result, &asked, &objects, &effects);
            }
            self.edits.push((at, name.len(), replacement));
        }
    }

    /// A function with this assembler name that returns what the run got.
    fn make_function(
        &mut self,
        name: &str,
        result: TypeId,
        asked: &[Asked],
        objects: &[Contents],
        effects: &str,
    ) {
        let types = &self.program.types;
        let last = asked.iter().map(|asked| asked.statement).max();
        let (ty, value) = match types.kind(result) {
            TypeKind::Void => return self.make("void", name, effects),
            TypeKind::Pointer(_) if effects.contains("craig_result = craig_at") => {
                ("void *".to_string(), "return craig_result;".to_string())
            }
            TypeKind::Pointer(_) => {
                let list = self.fill(objects);
                let queue = self.queue(outside(asked));
                ("void *".to_string(), format!("return craig_object({list}, craig_next({queue}));"))
            }
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Function(_) => {
                let ty = types.show(result);
                let leaves = self.layouts.leaves(types, result).unwrap_or_default();
                let count = leaves.len().max(1);
                let mut code = format!("static {ty} r;");
                for (i, leaf) in leaves.iter().enumerate() {
                    let values: Vec<&Asked> = asked.iter().skip(i).step_by(count).collect();
                    let Some(first) = values.first() else { continue };
                    let queue = self.queue(values.iter().map(|asked| asked.value).collect());
                    let _ = write!(code, " r{} = {};", leaf.path, next(first.ty, queue));
                }
                (ty, format!("{code} return r;"))
            }
            kind => {
                // What it wrote through pointers was asked for before.
                let results: Vec<&Asked> =
                    asked.iter().filter(|asked| Some(asked.statement) == last).collect();
                let scalar = results.first().map_or(ir::Type::I32, |asked| asked.ty);
                let queue = self.queue(results.iter().map(|asked| asked.value).collect());
                let ty = if matches!(kind, TypeKind::Float(_)) {
                    types.show(result)
                } else {
                    "unsigned long long".to_string()
                };
                (ty, format!("return {};", next(scalar, queue)))
            }
        };
        self.make(&ty, name, &format!("{effects} {value}"));
    }

    fn make(&mut self, ty: &str, name: &str, code: &str) {
        let _ = writeln!(
            self.made,
            "{ty} craig_as_{name}(void) __asm__(\"{name}\");\n{ty} craig_as_{name}(void) {{ {code} }}"
        );
    }

    /// An allocation with the contents that the run found in it.
    fn make_allocator(&mut self, name: &str, function: &str, objects: &[Contents], granted: Vec<i128>) {
        let list = self.fill(objects);
        let (parameters, get) = match function {
            "realloc" => ("(void *o, unsigned long n)", "__builtin_realloc(o, n)"),
            "calloc" => ("(unsigned long m, unsigned long n)", "__builtin_calloc(m, n)"),
            _ => ("(unsigned long n)", "__builtin_malloc(n)"),
        };
        let fails = if granted.is_empty() {
            String::new()
        } else {
            format!("if (!craig_next({})) return 0;", self.queue(granted))
        };
        let _ = writeln!(
            self.made,
            "void *craig_as_{name}{parameters} __asm__(\"{name}\");\n\
             void *craig_as_{name}{parameters} {{ {fails} void *p = {get}; if (p) craig_fill({list}, p); return p; }}"
        );
    }

    /// Whether the calls at this place got their memory.
    fn granted(&self, span: Span, function: &str) -> Vec<i128> {
        let granted = self.inputs.allocations.get(&self.place(span)).map_or(&[][..], Vec::as_slice);
        granted.iter().filter(|(name, _)| name == function).map(|&(_, granted)| i128::from(granted)).collect()
    }

    /// The error, assumptions, and functions whose results do not matter.
    pub(super) fn functions(&mut self) {
        let program = self.program;
        for (id, function) in program.functions.enumerated() {
            if library::is_library(&function.name) {
                continue;
            }
            let is_error = self.is_error(function);
            if let Some(body) = &function.body {
                let brace = self.offset(program.stmts[body.block].span.start);
                if let Some(at) = brace.filter(|_| is_error) {
                    self.edits.push((at + 1, 0, " craig_error_reached();".to_string()));
                }
                continue;
            }
            if is_error {
                self.make("void", &function.name, "craig_error_reached();");
                continue;
            }
            let called = program.exprs.iter().any(|expr| match &expr.kind {
                ExprKind::Call { callee: Callee::Function(f), .. } | ExprKind::FunctionAddress(f) => *f == id,
                _ => false,
            });
            let stands_for_library = LIBRARY.contains(&function.name.as_str())
                || library::definition(program, &function.name).is_some();
            if !called || stands_for_library || function.name.starts_with("__builtin_") {
                continue;
            }
            let name = function.name.as_str();
            let entry = program.function_named(&self.options.entry).map(|id| program.functions[id].span);
            let at_entry = entry.map_or(Vec::new(), |span| self.asked(span, None));
            if function.weak && at_entry.iter().any(|a| a.variable == weak_variable(name) && a.value == 0) {
                continue;
            }
            match name {
                _ if dialect(name) == Some(Dialect::Assert) => {
                    self.make_condition(name, "craig_error_reached();");
                }
                _ if dialect(name) == Some(Dialect::Fail) => {
                    self.make("void", name, "craig_error_reached();")
                }
                _ if dialect(name) == Some(Dialect::Assume) => {
                    self.make_condition(name, "craig_assumption_failed();")
                }
                _ => {
                    let result = program.types.as_function(function.ty).map_or(TypeId::VOID, |f| f.result);
                    let asked = self.asked(function.span, Some(name));
                    let objects = self.objects(function.span, None);
                    self.make_function(name, result, &asked, &objects, "");
                }
            }
        }
    }

    fn make_condition(&mut self, name: &str, otherwise: &str) {
        let _ = writeln!(
            self.made,
            "void craig_as_{name}(int c) __asm__(\"{name}\");\nvoid craig_as_{name}(int c) {{ if (!c) {otherwise} }}"
        );
    }

    fn is_error(&self, function: &Function) -> bool {
        let parameters = self.program.types.as_function(function.ty).map_or(0, |f| f.params.len());
        lower::is_error(self.options, &function.name, function.body.is_some(), parameters)
    }
}

/// Functions of the C library that do what lowering takes them to do.
const LIBRARY: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "valloc",
    "alloca",
    "free",
    "memset",
    "bzero",
    "memcpy",
    "memmove",
    "mempcpy",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fflush",
    "perror",
];

/// For calls that return a pointer: 0 for null, else the number of the object, from 1.
fn outside(asked: &[Asked]) -> Vec<i128> {
    // Whether it is null; whether it is an object from before; whether it is to be kept in mind.
    let mut questions: Vec<u32> =
        asked.iter().filter(|asked| asked.ty == ir::Type::Bool).map(|asked| asked.statement).collect();
    questions.sort_unstable();
    questions.dedup();
    let mut values: Vec<i128> = Vec::new();
    let (mut made, mut kept) = (0, 0);
    for asked in asked {
        match questions.iter().position(|&question| question == asked.statement) {
            Some(0) if asked.value != 0 => values.push(0),
            Some(0) => {
                made += 1;
                values.push(made);
            }
            Some(1) if asked.value != 0 => {
                made -= 1;
                if let Some(value) = values.last_mut() {
                    *value = kept;
                }
            }
            Some(2) if asked.value != 0 => kept = made,
            _ => {}
        }
    }
    values
}
