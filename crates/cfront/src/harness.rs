//! A copy of a C program in which every input is fixed: compiled and run, it goes where a run of Craig
//! went.
//!
//! The text stays as it is except at the places that ask for something:
//! - a call of a function without a body becomes a call of a function made for this place, which
//!   returns what the run got there, call by call;
//! - after the declaration of a local without initialiser stand assignments of the values that the
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

mod calls;
mod effects;
mod start;

use std::fmt::Write;

use craig_base::{OrderedMap, OrderedSet};
use craig_program as ir;

use crate::dialect::{Dialect, dialect};
use crate::hir::{Callee, ExprKind, Function, LocalOrigin, Program};
use crate::library;
use crate::lower::{self, Layouts};
use crate::source::{Location, Sources, Span};
use crate::types::{DataModel, TypeId, TypeKind};
pub use effects::{Declared, Effect};

/// How the process ends when the error is reached.
pub const ERROR_STATUS: u8 = 99;
/// What stands before the text of the program, and after it.
const BEFORE: &str = include_str!("harness/before.c");
const AFTER: &str = include_str!("harness/after.c");
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
            matches!(
                meaning,
                Some(
                    Dialect::Object(_)
                        | Dialect::Separated
                        | Dialect::Zeroed
                        | Dialect::Overflows(_)
                        | Dialect::Everything
                )
            )
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

    fn finish(mut self, main: &str) -> String {
        let flags = if self.inputs.sanitized { "-fsanitize=address,undefined" } else { "-fwrapv" };
        let width = match self.program.types.model() {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        };
        let mut out = BEFORE.replace("WIDTH", width).replace("FLAGS", flags);
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
            "static const struct {{ unsigned queue; unsigned long long value, high; }} craig_values[] = {{"
        );
        for (queue, values) in self.values.iter().enumerate() {
            for value in values {
                let _ = writeln!(out, "  {{ {queue}, {}ULL, {}ULL }},", *value as u64, (value >> 64) as u64);
            }
        }
        let _ = writeln!(
            out,
            "  {{ -1, 0, 0 }} }};\nstatic unsigned craig_position[{}];",
            self.values.len().max(1)
        );
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
        let epilogue = AFTER.replace("STATUS", &ERROR_STATUS.to_string()).replace("MESSAGE", ERROR_MESSAGE);
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
        ir::Type::Float(ir::FloatType::F80) => format!("craig_long_double({queue})"),
        ir::Type::Pointer => format!("(void *)(unsigned long)craig_next({queue})"),
        ir::Type::Bool | ir::Type::Int(_) => format!("craig_next({queue})"),
    }
}

/// The offset after the semicolon that ends the declaration at `from`.
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
