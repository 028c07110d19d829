//! A generator of C programs whose behaviour the standard (with `-fwrapv`) determines.
//!
//! It goes where Csmith does not: arithmetic without wrappers in every integer type, `goto`,
//! recursion, `switch` with fall-through, static locals, bit-fields, unions read through another
//! member, pointers into arrays and structs, structures by value, function pointers, floating point.
//!
//! What is undefined is avoided by construction: expressions have no side effects, divisors are
//! neither 0 nor -1, shift amounts are masked, array sizes are powers of two and indices masked, every
//! variable is initialised, and a pointer never outlives its target. A global counter bounds all loops
//! and calls. `main` returns a checksum of all that was computed, and prints it for the compiler's sake.

mod expr;
pub mod floats;
pub mod memory;
pub mod small;
mod stmt;
mod types;

use crate::rng::Rng;
use craig_cfront::types::DataModel;
use craig_cfront::{load_texts, lower};
use craig_program::{Arithmetic, Program};
use std::fmt::Write;
use types::{Aggregate, INTEGERS, Integer, Object, Shape};

/// What a program may contain.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub floats: bool,
}

/// A random program, read: with both data models and treatments of signed overflow.
pub fn random_program(seed: u64) -> Result<Program, String> {
    let text = program(seed, Features { floats: seed.is_multiple_of(3) });
    let model = if seed % 4 < 2 { DataModel::Lp64 } else { DataModel::Ilp32 };
    // What the preprocessor would do.
    let size_type = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
    let text = text.replace("__SIZE_TYPE__", size_type);
    let arithmetic = if seed.is_multiple_of(2) { Arithmetic::Wrap } else { Arithmetic::AssumeNoOverflow };
    let options = lower::Options { arithmetic, ..lower::Options::default() };
    let loaded = load_texts(vec![("random.c".to_string(), text.into_bytes())], model, &options);
    loaded.program.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))
}

/// The text of the program with this number.
pub fn program(seed: u64, features: Features) -> String {
    let mut generator = Generator::new(seed, features);
    generator.translation_unit();
    generator.text
}

/// A program of about this many bytes, all of whose functions `main` calls.
pub fn long_program(seed: u64, bytes: usize) -> String {
    let mut generator = Generator::new(seed, Features { floats: false });
    generator.text.push_str(PREAMBLE);
    generator.aggregate();
    generator.declare(true);
    while generator.text.len() < bytes {
        // A function sees the few before it only, so that each is about as large as the others.
        let hidden = generator.functions.len().saturating_sub(3);
        let earlier: Vec<Function> = generator.functions.drain(..hidden).collect();
        generator.function();
        generator.functions.splice(0..0, earlier);
    }
    generator.line("int main(void) {");
    generator.scopes.push(Vec::new());
    for function in generator.functions.clone() {
        generator.call_of(&function);
    }
    generator.line("return 0;\n}");
    generator.text
}

struct Generator {
    rng: Rng,
    features: Features,
    text: String,
    indent: usize,
    names: usize,
    aggregates: Vec<Aggregate>,
    /// Globals first, then one list for each block.
    scopes: Vec<Vec<Object>>,
    functions: Vec<Function>,
    /// Loops around the current statement, for `break` and `continue`.
    loops: usize,
    /// Statements that the current function may still have.
    budget: usize,
    /// The function that is being written.
    current: Option<Function>,
}

#[derive(Clone)]
struct Function {
    name: String,
    result: Integer,
    params: Vec<Shape>,
}

const PREAMBLE: &str = r#"int printf(const char *format, ...);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *memset(void *to, int byte, __SIZE_TYPE__ n);
__SIZE_TYPE__ strlen(const char *s);
static unsigned long long checksum = 14695981039346656037ULL;
static int fuel = 4000;
enum color { RED, GREEN = 5, BLUE = -3 };
static void mix(unsigned long long v) {
  checksum = (checksum ^ v) * 1099511628211ULL;
  checksum ^= checksum >> 29;
}
static int to_int(double d) { return d > -2147483648.0 && d < 2147483647.0 ? (int)d : 7; }
"#;

impl Generator {
    fn new(seed: u64, features: Features) -> Self {
        Generator {
            rng: Rng::new(seed),
            features,
            text: String::new(),
            indent: 0,
            names: 0,
            aggregates: Vec::new(),
            scopes: vec![Vec::new()],
            functions: Vec::new(),
            loops: 0,
            budget: 0,
            current: None,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}{}", "  ".repeat(self.indent), text.as_ref());
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn integer(&mut self) -> Integer {
        *self.rng.pick(&INTEGERS)
    }

    fn translation_unit(&mut self) {
        self.text.push_str(PREAMBLE);
        for _ in 0..1 + self.rng.below(3) {
            self.aggregate();
        }
        for _ in 0..3 + self.rng.below(6) {
            self.declare(true);
        }
        for _ in 0..2 + self.rng.below(3) {
            self.function();
        }
        self.main();
    }

    fn function(&mut self) {
        let statements = 12 + self.rng.below(12);
        self.function_of(statements);
    }

    /// A function of about as many statements.
    fn function_of(&mut self, statements: usize) {
        let name = self.fresh("f");
        let result = self.integer();
        let params: Vec<Shape> = (0..self.rng.below(4)).map(|_| self.param_shape()).collect();
        let function = Function { name: name.clone(), result, params: params.clone() };
        let mut names = Vec::new();
        let mut scope = Vec::new();
        for shape in params {
            let name = self.fresh("p");
            names.push(self.declarator(&shape, &name));
            scope.push(Object { name, shape, constant: false });
        }
        let list = if names.is_empty() { "void".to_string() } else { names.join(", ") };
        self.line(format!("static {} {name}({list}) {{", result.name));
        self.indent += 1;
        self.line("if (--fuel < 0) return 1;");
        self.scopes.push(scope);
        self.current = Some(function.clone());
        self.budget = statements;
        self.statements(3);
        let value = self.expr(3);
        self.line(format!("return {value};"));
        self.scopes.pop();
        self.current = None;
        self.indent -= 1;
        self.line("}");
        self.functions.push(function);
    }

    fn main(&mut self) {
        self.line("int main(void) {");
        self.indent += 1;
        self.scopes.push(Vec::new());
        self.budget = 25;
        self.statements(3);
        for _ in 0..3 {
            self.call_statement();
        }
        for object in self.scopes.concat() {
            self.mix_object(&object);
        }
        self.line("int result = (int)((checksum ^ (checksum >> 32)) & 0x7fffffff);");
        self.line("printf(\"%d\\n\", result);");
        self.line("return result;");
        self.scopes.pop();
        self.indent -= 1;
        self.line("}");
    }
}
