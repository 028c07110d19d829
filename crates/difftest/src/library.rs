//! The models of the C library against the system's: random calls, compiled and executed by Craig.
//!
//! Where C fixes what a function does, the checksums of many calls must be the same. Where it leaves something
//! open, the oracle proposes what the system's function returned, and the model must allow it ([`open`]). The arguments
//! are made by the program, so that one program makes any number of calls; only formats are constants in it.

mod arguments;
mod calls;
mod numbers;
mod open;
mod outside;

pub use outside::NOT_COMPARED;

use crate::compiler::{Reference, Semantics, compile_and_run_for};
use crate::front_end;
use crate::rng::Rng;
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, Outcome, RandomOracle};
use craig_program::{Arithmetic, DataModel, IntType, Program, Type};
use open::Open;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// How many formats there are in a program: each is a statement of its own.
const FORMATS: usize = 100;

const PRELUDE: &str = include_str!("library/prelude.c");

/// One comparison of some functions with the system's.
pub struct Comparison {
    /// The functions, perhaps with a word about what is asked of them.
    pub names: String,
    calls: Calls,
}

enum Calls {
    /// A statement that leaves the same in the checksum everywhere.
    Fixed(String),
    Open(Open),
}

/// All comparisons.
pub fn comparisons() -> Vec<Comparison> {
    let typed = |text: &str, at: usize| {
        let (suffix, name) = numbers::TYPES[at];
        text.replace("_T", suffix).replace("REAL", name)
    };
    let fixed = |names: &str, call: &str| Comparison {
        names: names.to_string(),
        calls: Calls::Fixed(call.to_string()),
    };
    let mut found: Vec<Comparison> = calls::FIXED.iter().map(|(names, call)| fixed(names, call)).collect();
    let number = |names: &str, call: &str, at, succeeds| Comparison {
        names: typed(names, at),
        calls: Calls::Open(Open::number(&typed(call, at), at, succeeds)),
    };
    for at in 0..numbers::TYPES.len() {
        found.extend(numbers::FIXED.iter().map(|(names, call)| {
            let (made, call) = arguments::with_arguments(call, &mut Rng::new(0));
            fixed(&typed(names, at), &format!("{{ {} }}", typed(&(made + &call), at)))
        }));
        found.extend(numbers::OPEN.iter().map(|(names, call)| number(names, call, at, false)));
    }
    found.extend(numbers::OPEN_ONCE.iter().map(|&(names, call, at)| number(names, call, at, true)));
    found.extend(outside::OPEN.iter().map(|&(names, call, succeeds)| Comparison {
        names: names.to_string(),
        calls: Calls::Open(Open::integer(call, succeeds)),
    }));
    found
}

/// The functions that are compared.
pub fn functions() -> Vec<String> {
    let mut found: Vec<String> = comparisons().iter().flat_map(Comparison::functions).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl Comparison {
    fn functions(&self) -> Vec<String> {
        let names = self.names.split_once(':').map_or(&*self.names, |(names, _)| names);
        names.split_whitespace().map(str::to_string).collect()
    }

    /// Compares that many random calls; what differs.
    pub fn run(&self, folder: &Path, calls: usize, seed: u64) -> Result<(), String> {
        match &self.calls {
            Calls::Fixed(call) => compare_sums(folder, &with_sum(call, calls, seed)),
            Calls::Open(open) => open.compare(folder, calls, seed),
        }
    }
}

/// A program with that many calls, which ends with a checksum.
fn with_sum(call: &str, calls: usize, seed: u64) -> String {
    let mut rng = Rng::new(seed ^ call.len() as u64);
    let statements = if call.contains("$f") { FORMATS.min(calls) } else { 1 };
    let rounds = calls.div_ceil(statements.max(1));
    let mut body = String::new();
    for _ in 0..statements {
        let (made, call) = arguments::with_arguments(call, &mut rng);
        let _ = writeln!(body, "        {{ {made}memset(b, '#', sizeof b); {call} }}");
    }
    format!(
        "{PRELUDE}int main(void) {{\n    char b[64], *p, *e;\n    state = {seed};\n    for (int call = 0; call < {rounds}; call++) {{\n{body}    }}\n    int r = sum & 0x3fffffff;\n    fflush(stdout); dprintf(1, \"\\n%d\\n\", r);\n    return r;\n}}\n"
    )
}

/// What the program prints when it is compiled.
fn native(folder: &Path, text: &str) -> Result<String, String> {
    let source = folder.join("library.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    // Some functions wait, or start processes.
    let time = Duration::from_secs(600);
    match compile_and_run_for(time, &source, folder, DataModel::Lp64, Semantics::Plain, 0)? {
        Reference::Output(output) => Ok(output),
        other => Err(format!("{other:?}")),
    }
}

/// The program as Craig reads it.
fn loaded(folder: &Path, text: &str) -> Result<Program, String> {
    let source = folder.join("library.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    front_end::load(&source, DataModel::Lp64, Arithmetic::Wrap)
}

fn limits() -> Limits {
    Limits { steps: 1 << 40, ..Limits::default() }
}

fn compare_sums(folder: &Path, text: &str) -> Result<(), String> {
    // What the calls themselves print comes before.
    let output = native(folder, text)?;
    let expected = output.lines().last().unwrap_or_default();
    let program = loaded(folder, text)?;
    let executable = Executable::new(&program, Detail::Outcome);
    let mut random = RandomOracle::new(&program, 1);
    // Memory does not run out, and what can fail does not.
    let succeeds = [Type::Bool, Type::Int(IntType::BOOL)];
    let mut oracle = |at: &InputSite| if succeeds.contains(&at.ty) { Some(1) } else { random.next(at) };
    let run = executable.run(&mut oracle, &limits());
    match run.outcome {
        Outcome::Returned(Some(value)) if value.to_string() == expected => Ok(()),
        outcome => Err(format!("{}, but gcc has {expected}\n{text}", outcome.describe(&program))),
    }
}
