//! A copy of a C program in which every input is fixed: compiled and run, it goes where a run of Craig
//! went.
//!
//! The text stays as it is except at the places that ask for something:
//! - a call of a function without a body becomes a call of a function made for this place, which
//!   returns what the run got there, call by call;
//! - behind the declaration of a local without initialiser stand assignments of the values that the
//!   run found in it;
//! - a function of the library returns what the run got where C leaves that open;
//! - memory from `malloc` and objects that come from outside are filled where they begin to exist, and `malloc`
//!   fails where it failed;
//! - `main` is called with the arguments of the run;
//! - the functions that mean the error say so and end the process with [`ERROR_STATUS`].
//!
//! The command that compiles it stands at the top: `inline` as in the GNU C of old, because kernel code means
//! that. Made functions are bound to their names by assembler labels (`asm("...")`, GNU C), so that they
//! need not repeat the types of what they stand for. What such functions write to variables of the program is repeated
//! ([`effects`]); what they write to allocated memory is not, nor are addresses that a run made up.

mod effects;

use std::fmt::Write;

use craig_base::{OrderedMap, OrderedSet};
use craig_program as ir;

use crate::dialect::{Dialect, dialect};
use crate::hir::{Callee, ExprKind, Function, GlobalId, LocalOrigin, PlaceKind, Program};
use crate::library;
use crate::lower::{self, Layouts};
use crate::source::{Location, Sources, Span};
use crate::types::{DataModel, TypeId, TypeKind};
pub use effects::{Declared, Effect};

/// How the process ends when the error is reached.
pub const ERROR_STATUS: u8 = 99;
/// What it writes to standard error then.
pub const ERROR_MESSAGE: &str = "craig: the error is reached";

/// A place of the source: file, line, column.
pub type Place = (String, u32, u32);

/// What a run was given.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// At each place, in the order of the run.
    pub values: OrderedMap<Place, Vec<Asked>>,
    /// The objects that began to exist at each place, in order.
    pub objects: OrderedMap<Place, Vec<Contents>>,
    /// Whether each allocation succeeded, at each place, with the function that was called.
    pub allocations: OrderedMap<Place, Vec<(String, bool)>>,
    /// What calls of functions that are not compiled did, at each place and by their name, in order.
    pub effects: OrderedMap<(Place, String), Vec<Effect>>,
    /// What the strings that `main` was given hold, as far as the run looked at them.
    pub arguments: Vec<Contents>,
    /// Something that the run depends on and a compiled program does not repeat.
    pub unrepeatable: Option<String>,
    /// The run ends with something that only sanitizers notice.
    pub sanitized: bool,
}

/// A value that a run asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Tells the inputs at one place apart; increases in the order in which one execution asks.
    pub statement: u32,
    /// The function that returned it; none for a value of a variable.
    pub function: Option<String>,
    /// The variable that receives it, a C lvalue if the program knows it.
    pub variable: String,
    pub ty: ir::Type,
    pub value: i128,
}

/// The values that a run found in an object without having written them.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The variable whose memory it is; none for memory that was allocated.
    pub variable: Option<String>,
    pub size: u64,
    /// Offset, number of bytes, value.
    pub parts: Vec<(u64, u32, i128)>,
}

/// Why there is no harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// The text of the program with the inputs fixed.
pub fn harness(
    program: &Program,
    sources: &Sources,
    options: &lower::Options,
    inputs: &Inputs,
) -> Result<String, Unsupported> {
    let own = inputs.allocations.iter().filter(|(place, _)| library::is_file(&place.0));
    if let Some((function, _)) = own.flat_map(|(_, granted)| granted).find(|(_, granted)| !granted) {
        return Err(Unsupported(format!(
            "'{function}' fails within the library, and would not when compiled"
        )));
    }
    let mut units = sources.texts().filter(|&unit| !library::is_file(sources.path(unit)));
    let (Some(unit), None) = (units.next(), units.next()) else {
        return Err(Unsupported("a harness is made of one file only".to_string()));
    };
    if let Some(what) = &inputs.unrepeatable {
        return Err(Unsupported(format!(
            "the run depends on {what}, which a compiled program does not repeat"
        )));
    }
    let of_verifiers = program.exprs.iter().find_map(|expr| match expr.kind {
        ExprKind::Call { callee: Callee::Function(function), .. } => {
            let Function { name, body, .. } = &program.functions[function];
            let meaning = dialect(name).filter(|_| body.is_none());
            matches!(meaning, Some(Dialect::Object(_) | Dialect::Zeroed | Dialect::Overflows(_)))
                .then_some(name)
        }
        _ => None,
    });
    if let Some(name) = of_verifiers {
        return Err(Unsupported(format!("'{name}' has no meaning in C")));
    }
    let text = sources.text(unit);
    let mut writer = Writer {
        program,
        sources,
        options,
        inputs,
        layouts: Layouts::default(),
        base: sources.base(unit),
        path: sources.path(unit),
        text,
        edits: Vec::new(),
        values: Vec::new(),
        fills: Vec::new(),
        made: String::new(),
        written: Vec::new(),
    };
    writer.declarations();
    writer.volatile_reads();
    writer.calls();
    writer.functions();
    let announced = writer.announce();
    let main = writer.main(&announced)?;
    Ok(writer.finish(&main))
}

struct Writer<'a> {
    program: &'a Program,
    sources: &'a Sources,
    options: &'a lower::Options,
    inputs: &'a Inputs,
    layouts: Layouts,
    base: u32,
    path: &'a str,
    text: &'a [u8],
    /// Offset, bytes to leave out, what to put there.
    edits: Vec<(usize, usize, String)>,
    /// The values of each queue.
    values: Vec<Vec<i128>>,
    /// The objects of each list.
    fills: Vec<Vec<Contents>>,
    /// Functions made for the harness.
    made: String,
    /// Objects that functions which are not compiled write to.
    written: Vec<Declared>,
}

/// Whoever of the library returned a value: a call may be made of several of its functions.
pub const LIBRARY_RESULT: &str = "<library>";

/// What gives the value of a volatile object begins with this.
pub const VOLATILE: &str = "the volatile ";

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

impl<'a> Writer<'a> {
    fn place(&self, span: Span) -> Place {
        let Location { file, line, column } = self.sources.locate(span);
        (file, line, column)
    }

    /// What was asked for at the place by this function, or for a variable. One place may be that of
    /// several constructs: `#line` does not keep columns apart.
    fn asked(&self, span: Span, function: Option<&str>) -> Vec<Asked> {
        let asked = self.inputs.values.get(&self.place(span)).map_or(&[][..], Vec::as_slice);
        asked.iter().filter(|asked| asked.function.as_deref() == function).cloned().collect()
    }

    fn objects(&self, span: Span, variable: Option<&str>) -> Vec<Contents> {
        let objects = self.inputs.objects.get(&self.place(span)).map_or(&[][..], Vec::as_slice);
        objects.iter().filter(|object| object.variable.as_deref() == variable).cloned().collect()
    }

    fn queue(&mut self, values: Vec<i128>) -> usize {
        self.values.push(values);
        self.values.len() - 1
    }

    fn fill(&mut self, objects: &[Contents]) -> usize {
        self.fills.push(objects.to_vec());
        self.fills.len() - 1
    }

    /// Where the text of the span begins, if it is part of the program's own text.
    fn offset(&self, position: u32) -> Option<usize> {
        let offset = position.checked_sub(self.base)? as usize;
        (offset < self.text.len()).then_some(offset)
    }

    /// Locals without initialiser.
    fn declarations(&mut self) {
        let program = self.program;
        let bodies: Vec<_> = program.functions.iter().filter_map(|f| f.body.as_ref()).collect();
        for body in bodies {
            for local in body.locals.iter().filter(|local| local.origin == LocalOrigin::Declared) {
                if program.types.kind(local.ty.ty) == &TypeKind::VaList {
                    continue;
                }
                let code = self.settings(&local.name, local.ty.ty, local.span);
                if code.is_empty() {
                    continue;
                }
                if let Some(end) =
                    self.offset(local.span.start).and_then(|from| end_of_declaration(self.text, from))
                {
                    self.edits.push((end, 0, code));
                }
            }
        }
    }

    /// Reads of objects that something else may change.
    fn volatile_reads(&mut self) {
        let program = self.program;
        for expr in &program.exprs {
            let ExprKind::Load(place) = expr.kind else { continue };
            let place = &program.places[place];
            if !place.ty.quals.is_volatile() {
                continue;
            }
            let at = self.place(place.span);
            let asked = self.inputs.values.get(&at).map_or(&[][..], Vec::as_slice);
            let is_read = |asked: &&Asked| asked.function.as_deref().is_some_and(|f| f.starts_with(VOLATILE));
            let asked: Vec<Asked> = asked.iter().filter(is_read).cloned().collect();
            let (Some(start), Some(first)) = (self.offset(place.span.start), asked.first()) else { continue };
            let length = (place.span.end - place.span.start) as usize;
            let text = String::from_utf8_lossy(&self.text[start..start + length]).into_owned();
            let queue = self.queue(asked.iter().map(|asked| asked.value).collect());
            let read = format!("((__typeof__({text})){})", next(first.ty, queue));
            self.edits.push((start, length, read));
        }
    }

    /// The statements that give an object at this place its values.
    fn settings(&mut self, name: &str, ty: TypeId, span: Span) -> String {
        let mut code = String::new();
        let asked: Vec<Asked> = self.asked(span, None);
        let statements: OrderedSet<u32> = asked.iter().map(|asked| asked.statement).collect();
        if !statements.is_empty() {
            let leaves = self.layouts.leaves(&self.program.types, ty).unwrap_or_default();
            let mut ordered: Vec<u32> = statements.into_iter().collect();
            ordered.sort_unstable();
            for (i, statement) in ordered.iter().enumerate() {
                let values: Vec<&Asked> =
                    asked.iter().filter(|asked| asked.statement == *statement).collect();
                let lvalue = match leaves.get(i) {
                    Some(leaf) if leaves.len() == ordered.len() => format!("{name}{}", leaf.path),
                    _ => values[0].variable.clone(),
                };
                let queue = self.queue(values.iter().map(|asked| asked.value).collect());
                let _ = write!(code, " {lvalue} = {};", next(values[0].ty, queue));
            }
        }
        let objects = self.objects(span, Some(name));
        if objects.iter().any(|object| !object.parts.is_empty()) {
            let list = self.fill(&objects);
            let _ = write!(code, " craig_fill({list}, (void *)&{name});");
        }
        code
    }

    /// Calls of functions without a body that returned something that matters.
    fn calls(&mut self) {
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
    fn functions(&mut self) {
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

    /// Globals that are declared and not defined, and the code that gives them their values.
    fn globals(&mut self, entry: &Function) -> String {
        let program = self.program;
        let used: OrderedSet<GlobalId> = program
            .places
            .iter()
            .filter_map(|place| match place.kind {
                PlaceKind::Global(id) => Some(id),
                _ => None,
            })
            .collect();
        let mut code = String::new();
        let at_entry = self.asked(entry.span, None);
        for id in used {
            let global = &program.globals[id];
            if global.init.is_some() || self.offset(global.span.start).is_none() {
                continue;
            }
            let name = global.name.as_str();
            let _ = writeln!(self.made, "__typeof__({name}) {name};");
            for asked in at_entry.iter().filter(|asked| is_part(&asked.variable, name)) {
                let queue = self.queue(vec![asked.value]);
                let _ = write!(code, " {} = {};", asked.variable, next(asked.ty, queue));
            }
            let objects = self.objects(global.span, Some(name));
            if objects.iter().any(|object| !object.parts.is_empty()) {
                let list = self.fill(&objects);
                let _ = write!(code, " craig_fill({list}, (void *)&{name});");
            }
        }
        code
    }

    /// The function that starts the program: unknown globals get their values, the entry its arguments.
    fn main(&mut self, announced: &str) -> Result<String, Unsupported> {
        let program = self.program;
        let entry = lower::entry(program, self.options).map(|id| &program.functions[id]);
        let Some((entry, body)) = entry.and_then(|entry| Some((entry, entry.body.as_ref()?))) else {
            return Err(Unsupported(format!("there is no function '{}'", self.options.entry)));
        };
        let code = self.globals(entry);
        let unknown = |asked: &Asked| {
            program
                .globals
                .iter()
                .any(|global| global.init.is_none() && is_part(&asked.variable, &global.name))
        };
        let asked = self.asked(entry.span, None);
        let mut asked = asked.iter().filter(|asked| !unknown(asked));
        let objects = self.objects(entry.span, None);
        let mut objects = objects.iter();
        let mut arguments = Vec::new();
        // It makes pointers itself.
        let makes_arguments = entry.name.starts_with(crate::contract::PREFIX);
        for &param in &body.params {
            let ty = body.locals[param].ty.ty;
            if program.types.as_record(ty).is_some() {
                return Err(Unsupported("the entry takes a struct or union".to_string()));
            }
            if makes_arguments && program.types.is_pointer(ty) {
                arguments.push("0".to_string());
                continue;
            }
            let Some(value) = asked.next() else {
                arguments.push("0".to_string());
                continue;
            };
            if program.types.is_pointer(ty) {
                // Asked was whether it is null.
                let object = if value.value == 0 { objects.next() } else { None };
                let list = self.fill(object.map_or(&[], std::slice::from_ref));
                arguments.push(format!("craig_object({list}, {})", u8::from(object.is_some())));
            } else {
                // Lowering takes one argument where there would be less than none.
                let is_count = entry.name == "main" && arguments.is_empty();
                let number = if is_count && value.value < 0 { 1 } else { value.value };
                let queue = self.queue(vec![number]);
                arguments.push(next(value.ty, queue));
            }
        }
        if entry.name == "main" && arguments.len() > 1 {
            arguments[1] = self.main_arguments();
        }
        let name = if entry.name == "main" { "craig_main" } else { entry.name.as_str() };
        Ok(format!("int main(void) {{{announced}{code} {name}({}); return 0; }}\n", arguments.join(", ")))
    }

    /// An array of the strings. The first of the objects made for `main` is that array.
    fn main_arguments(&mut self) -> String {
        let strings = self.inputs.arguments.get(1..).unwrap_or_default();
        let mut code = format!("({{ static char *argv[{}];", strings.len() + 1);
        for (i, string) in strings.iter().enumerate() {
            let list = self.fill(std::slice::from_ref(string));
            let _ = write!(code, " argv[{i}] = craig_object({list}, 1);");
        }
        code + " argv; })"
    }

    fn finish(mut self, main: &str) -> String {
        let flags = if self.inputs.sanitized { "-fsanitize=address,undefined" } else { "-fwrapv" };
        let width = match self.program.types.model() {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        };
        let mut out = PROLOGUE.replace("WIDTH", width).replace("FLAGS", flags);
        if !self.text.trim_ascii_start().starts_with(b"#") {
            let _ = writeln!(out, "# 1 \"{}\"", self.path);
        }
        self.edits.sort_by_key(|&(at, ..)| at);
        let mut position = 0;
        for (at, removed, inserted) in &self.edits {
            if *at < position {
                continue;
            }
            out.push_str(&String::from_utf8_lossy(&self.text[position..*at]));
            out.push_str(inserted);
            position = at + removed;
        }
        out.push_str(&String::from_utf8_lossy(&self.text[position..]));
        // What follows is not on lines of the program.
        out.push_str("\n# 1 \"craig-harness\"\n#undef main\n");
        let _ = writeln!(
            out,
            "static const struct {{ unsigned queue; unsigned long long value; }} craig_values[] = {{"
        );
        for (queue, values) in self.values.iter().enumerate() {
            for value in values {
                let _ = writeln!(out, "  {{ {queue}, {}ULL }},", *value as u64);
            }
        }
        let _ =
            writeln!(out, "  {{ -1, 0 }} }};\nstatic unsigned craig_position[{}];", self.values.len().max(1));
        let _ = writeln!(
            out,
            "static const struct {{ unsigned list, object; unsigned long size, offset; unsigned bytes; unsigned long long value; }} craig_contents[] = {{"
        );
        for (list, objects) in self.fills.iter().enumerate() {
            for (number, object) in objects.iter().enumerate() {
                let size = object.size;
                let _ = writeln!(out, "  {{ {list}, {number}, {size}, 0, 0, 0 }},");
                for &(offset, bytes, value) in &object.parts {
                    let _ = writeln!(
                        out,
                        "  {{ {list}, {number}, {size}, {offset}, {bytes}, {}ULL }},",
                        value as u64
                    );
                }
            }
        }
        let _ = writeln!(
            out,
            "  {{ -1, 0, 0, 0, 0, 0 }} }};\nstatic unsigned craig_filled[{0}];\nstatic void *craig_made[{0}][{1}];",
            self.fills.len().max(1),
            self.fills.iter().map(Vec::len).max().unwrap_or(0).max(1)
        );
        let epilogue =
            EPILOGUE.replace("STATUS", &ERROR_STATUS.to_string()).replace("MESSAGE", ERROR_MESSAGE);
        let _ = writeln!(out, "char *craig_at[{}];", self.written.len().max(1));
        out + &epilogue + &self.made + main
    }
}

/// The variable that says whether a weak function is there.
pub(crate) fn weak_variable(function: &str) -> String {
    format!("{function}.defined")
}

/// Whether the lvalue is the variable or a member or element of it.
fn is_part(lvalue: &str, variable: &str) -> bool {
    lvalue.strip_prefix(variable).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The C expression that takes the next value of a queue.
fn next(ty: ir::Type, queue: usize) -> String {
    match ty {
        ir::Type::Float(ir::FloatType::F32) => format!("craig_float({queue})"),
        ir::Type::Float(ir::FloatType::F64) => format!("craig_double({queue})"),
        ir::Type::Pointer => format!("(void *)(unsigned long)craig_next({queue})"),
        ir::Type::Bool | ir::Type::Int(_) => format!("craig_next({queue})"),
    }
}

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

/// The offset behind the semicolon that ends the declaration at `from`.
fn end_of_declaration(text: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0i32;
    let mut at = from;
    while at < text.len() {
        match text[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < text.len() && text[at] != quote {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at += 2 + text[at + 2..].windows(2).position(|pair| pair == b"*/")? + 1;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth <= 0 => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the identifier stands, from an offset on.
fn find_word(text: &[u8], from: usize, word: &str) -> Option<usize> {
    let part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let word = word.as_bytes();
    let mut at = from;
    loop {
        at += text.get(at..)?.windows(word.len()).position(|window| window == word)?;
        let inside = at > 0 && part(text.get(at - 1)) || part(text.get(at + word.len()));
        if !inside {
            return Some(at);
        }
        at += 1;
    }
}

const PROLOGUE: &str = "\
/* Made by Craig: the program with the inputs of one run.
   Compile it with: gcc WIDTH -w FLAGS -fgnu89-inline
   To see what it covers, add: --coverage -Wl,-u,__gcov_dump */
#pragma GCC diagnostic ignored \"-Wint-conversion\"
#undef linux
#undef unix
#undef i386
#define register
#define main craig_main
static unsigned long long craig_next(unsigned queue);
static float craig_float(unsigned queue);
static double craig_double(unsigned queue);
static void craig_fill(unsigned list, void *object);
static void *craig_object(unsigned list, unsigned long long number);
extern char *craig_at[];
static void craig_error_reached(void) __attribute__((noreturn));
static void craig_assumption_failed(void) __attribute__((noreturn));
";

const EPILOGUE: &str = r#"
static unsigned long long craig_next(unsigned queue) {
  unsigned i, n = 0;
  for (i = 0; craig_values[i].queue != -1u; i++)
    if (craig_values[i].queue == queue && n++ == craig_position[queue]) {
      craig_position[queue]++;
      return craig_values[i].value;
    }
  return 0;
}
static float craig_float(unsigned queue) {
  union { unsigned bits; float value; } u;
  u.bits = craig_next(queue);
  return u.value;
}
static double craig_double(unsigned queue) {
  union { unsigned long long bits; double value; } u;
  u.bits = craig_next(queue);
  return u.value;
}
static void craig_fill_number(unsigned list, unsigned number, void *object) {
  unsigned i, b;
  for (i = 0; craig_contents[i].list != -1u; i++)
    if (craig_contents[i].list == list && craig_contents[i].object == number)
      for (b = 0; b < craig_contents[i].bytes; b++)
        ((unsigned char *)object)[craig_contents[i].offset + b] = craig_contents[i].value >> 8 * b;
}
static void craig_fill(unsigned list, void *object) { craig_fill_number(list, craig_filled[list]++, object); }
static void *craig_object(unsigned list, unsigned long long number) {
  unsigned i;
  if (number == 0) return 0;
  if (craig_made[list][number - 1]) return craig_made[list][number - 1];
  for (i = 0; craig_contents[i].list != -1u; i++)
    if (craig_contents[i].list == list && craig_contents[i].object == number - 1) {
      void *object = __builtin_calloc(1, craig_contents[i].size);
      craig_fill_number(list, number - 1, object);
      return craig_made[list][number - 1] = object;
    }
  return 0;
}
extern long craig_write(int, const void *, unsigned long) __asm__("write");
extern void craig_exit(int) __asm__("_exit") __attribute__((noreturn));
extern void __gcov_dump(void) __attribute__((weak));
static void craig_end(int) __attribute__((noreturn));
static void craig_end(int status) {
  if (__gcov_dump) __gcov_dump();
  craig_exit(status);
}
static void craig_error_reached(void) {
  static const char message[] = "MESSAGE\n";
  craig_write(2, message, sizeof message - 1);
  craig_end(STATUS);
}
static void craig_assumption_failed(void) { craig_end(98); }
"#;
