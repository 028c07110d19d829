//! Tests that people keep: one C file that runs them all against the program as it is, with files for `make` and CMake.
//!
//! The program is compiled as it stands, with its `main` renamed; the driver defines the functions that give it inputs.
//! A test whose run depends on anything else, such as uninitialised memory, is left to its harness.

use craig_exec::{Limits, Source, Test, replay, show_value};
use craig_program::{FloatType, InputSource, IntType, LIBRARY, Program, Stmt, Type};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The files to write.
pub struct Driver {
    pub tests: String,
    pub makefile: String,
    pub cmake: String,
    /// How many tests it has.
    pub count: usize,
}

/// A test of the driver: the value of each input as C writes it, in order, and whether it ends in an error.
struct Case {
    number: usize,
    inputs: Vec<String>,
    fails: bool,
}

/// A driver for those of the tests that get their inputs from functions alone; nothing if there are none.
/// `sources` are the C files, as seen from the folder of the driver.
pub fn driver(program: &Program, tests: &[Test], sources: &[String], limits: &Limits) -> Option<Driver> {
    let functions = functions(program)?;
    let cases: Vec<Case> =
        tests.iter().enumerate().filter_map(|(number, test)| case(program, number, test, limits)).collect();
    if cases.is_empty() {
        return None;
    }
    Some(Driver {
        tests: c_text(&functions, &cases),
        makefile: MAKEFILE.replace("@SOURCES@", &sources.join(" ")),
        cmake: CMAKE.replace("@SOURCES@", &sources.join(" ")),
        count: cases.len(),
    })
}

/// The functions without a body that the program's own code calls, with the types of what they return; nothing if C
/// has no plain name for one.
fn functions(program: &Program) -> Option<BTreeMap<String, &'static str>> {
    let mut functions = BTreeMap::new();
    for edge in program.procs.iter().flat_map(|proc| &proc.edges) {
        let file = program.files.get(edge.span.file as usize);
        if let Stmt::Input(place, InputSource::Call(name)) = &edge.stmt
            && file.is_some_and(|file| !file.starts_with(LIBRARY))
        {
            let ty = c_type(program.place_type(*place))?;
            if *functions.entry(name.to_string()).or_insert(ty) != ty {
                return None;
            }
        }
    }
    Some(functions)
}

fn c_type(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::Int(IntType::BOOL) => "_Bool",
        Type::Int(IntType { bits: 8, signed: true }) => "char",
        Type::Int(IntType { bits: 8, signed: false }) => "unsigned char",
        Type::Int(IntType { bits: 16, signed: true }) => "short",
        Type::Int(IntType { bits: 16, signed: false }) => "unsigned short",
        Type::Int(IntType { bits: 32, signed: true }) => "int",
        Type::Int(IntType { bits: 32, signed: false }) => "unsigned",
        Type::Int(IntType { bits: 64, signed: true }) => "long",
        Type::Int(IntType { bits: 64, signed: false }) => "unsigned long",
        Type::Float(FloatType::F32) => "float",
        Type::Float(FloatType::F64) => "double",
        Type::Float(FloatType::F80) => "long double",
        _ => return None,
    })
}

fn case(program: &Program, number: usize, test: &Test, limits: &Limits) -> Option<Case> {
    let run = replay(program, test, limits);
    let mut inputs = Vec::new();
    for input in &run.inputs {
        let site = input.at.site;
        let stmt = &program.procs[site.proc].edges[site.edge].stmt;
        match (input.at.source, stmt) {
            (Source::Statement, Stmt::Input(_, InputSource::Call(_))) => {
                inputs.push(match input.at.ty {
                    Type::Int(IntType { bits: 64, signed: false }) => format!("{}u", input.value),
                    ty => show_value(ty, input.value)
                        .replace("-9223372036854775808", "-9223372036854775807 - 1"),
                });
            }
            // Allocations of a compiled program succeed, too.
            (Source::Statement, Stmt::Input(_, InputSource::Allocation(_))) if input.value != 0 => {}
            (Source::Statement, Stmt::Input(_, InputSource::Unmodelled(what)))
                if &**what == craig_program::TRACKED => {}
            _ => return None,
        }
    }
    Some(Case { number, inputs, fails: craig_engines::path::reached_error(&run) })
}

fn c_text(functions: &BTreeMap<String, &'static str>, cases: &[Case]) -> String {
    let mut text = HEAD.to_string();
    for Case { number, inputs, .. } in cases {
        let values: Vec<String> = inputs.iter().map(|value| format!("V({value})")).collect();
        let values = if values.is_empty() { "V(0)".to_string() } else { values.join(", ") };
        let _ = writeln!(text, "static const struct value inputs_{number}[] = {{ {values} }};");
    }
    text.push_str("\nstatic const struct test tests[] = {\n");
    for Case { number, inputs, fails } in cases {
        let (count, fails) = (inputs.len(), u8::from(*fails));
        let _ = writeln!(text, "    {{ \"test-{number}\", inputs_{number}, {count}, {fails} }},");
    }
    text.push_str("};\n\n");
    for (name, ty) in functions {
        let field = if matches!(*ty, "float" | "double") { "real" } else { "number" };
        let _ = writeln!(text, "{ty} {name}(void) {{ return ({ty})next_input()->{field}; }}");
    }
    text.push_str(TAIL);
    text
}

const HEAD: &str = include_str!("driver/head.c");
const TAIL: &str = include_str!("driver/tail.c");
const MAKEFILE: &str = include_str!("driver/Makefile");
const CMAKE: &str = include_str!("driver/CMakeLists.txt");

/// A path as seen from a folder; both must exist.
pub fn seen_from(folder: &Path, path: &Path) -> std::io::Result<String> {
    let (folder, path) = (folder.canonicalize()?, path.canonicalize()?);
    let common = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path.components().skip(common)).collect();
    Ok(relative.display().to_string())
}
