//! The C compiler that Craig is compared with.

use craig_program::DataModel;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// Signed overflow wraps.
    Wrap,
    /// Signed overflow stops the program with a message.
    Sanitize,
    /// The program is known to have no undefined behaviour.
    Plain,
    /// Any undefined behaviour that gcc notices stops the program with a message.
    Memory,
}

/// What the compiled program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// It printed this.
    Output(String),
    /// A sanitizer stopped it at this line.
    Undefined { line: u32, message: String },
    /// It did not end in time, or not in order.
    Failed(String),
}

/// Whether `gcc` can make and run programs for this data model.
pub fn is_available(model: DataModel, folder: &Path) -> bool {
    let source = folder.join("probe.c");
    if std::fs::write(&source, "#include <stdio.h>\nint main(void) { puts(\"7\"); return 0; }\n").is_err() {
        return false;
    }
    let reference = compile_and_run(&source, folder, model, Semantics::Wrap, 0);
    reference == Ok(Reference::Output("7\n".to_string()))
}

/// `Err` if the compiler refuses the program or cannot be run.
pub fn compile_and_run(
    source: &Path,
    folder: &Path,
    model: DataModel,
    semantics: Semantics,
    optimisation: u8,
) -> Result<Reference, String> {
    compile_and_run_for(Duration::from_secs(5), source, folder, model, semantics, optimisation)
}

/// The same of programs that may take longer.
pub fn compile_and_run_for(
    time: Duration,
    source: &Path,
    folder: &Path,
    model: DataModel,
    semantics: Semantics,
    optimisation: u8,
) -> Result<Reference, String> {
    let program = folder.join("program");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-fno-strict-aliasing", "-I/usr/include/csmith"]).arg(format!("-O{optimisation}"));
    match semantics {
        Semantics::Wrap => gcc.arg("-fwrapv"),
        Semantics::Plain => &mut gcc,
        Semantics::Memory => gcc.args([
            "-g",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
            "-fno-sanitize=shift-base,alignment",
        ]),
        Semantics::Sanitize => gcc
            .args(["-fsanitize=signed-integer-overflow,integer-divide-by-zero", "-fno-sanitize-recover=all"]),
    };
    if model == DataModel::Ilp32 {
        // The floating point of the 387 keeps more digits than C's types have.
        gcc.args(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    gcc.arg(source).arg("-o").arg(&program).arg("-lm");
    let compiled = gcc.output().map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    run(&program, time)
}

fn run(program: &Path, time: Duration) -> Result<Reference, String> {
    // A file takes any amount, where a pipe would let the program wait for us.
    let output = program.with_extension("output");
    let sink = std::fs::File::create(&output).map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .stdin(Stdio::null())
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1")
        .stdout(sink)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < time => std::thread::sleep(Duration::from_millis(1)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(Reference::Failed("the compiled program takes too long".to_string()));
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    let mut stderr = String::new();
    if let Some(mut pipe) = child.stderr.take() {
        let _ = pipe.read_to_string(&mut stderr);
    }
    if let Some((place, message)) = stderr.split_once(": runtime error: ") {
        let line = place.rsplit(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(0);
        let message = message.lines().next().unwrap_or("").to_string();
        return Ok(Reference::Undefined { line, message });
    }
    if stderr.contains("AddressSanitizer") {
        let message = stderr.lines().find(|line| line.contains("AddressSanitizer")).unwrap_or_default();
        return Ok(Reference::Undefined { line: 0, message: message.to_string() });
    }
    match status.code() {
        Some(_) => std::fs::read(&output)
            .map(|text| Reference::Output(String::from_utf8_lossy(&text).into_owned()))
            .map_err(|error| error.to_string()),
        None => Ok(Reference::Failed("the compiled program was killed by a signal".to_string())),
    }
}
