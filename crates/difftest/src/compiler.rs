//! The C compilers that Craig is compared with.
//!
//! Programs by the hundred thousand go to `tcc`, which takes some milliseconds for one, where it is installed. It has
//! mistakes of its own: where it contradicts Craig, `gcc` decides.

use craig_program::DataModel;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
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
    let _ = std::fs::remove_file(&output);
    let sink = std::fs::File::create(&output).map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .stdin(Stdio::null())
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1")
        .stdout(sink)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let Some(status) = ended(&mut child, time).map_err(|error| error.to_string())? else {
        return Ok(Reference::Failed("the compiled program takes too long".to_string()));
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

/// How a process ended; one that takes longer is killed.
fn ended(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if start.elapsed() < time => std::thread::sleep(Duration::from_micros(500)),
            None => {
                let _ = child.kill();
                child.wait()?;
                return Ok(None);
            }
        }
    }
}

/// `tcc`, with what it needs for the data model.
pub struct Quick {
    /// Before and after the name of the source; nothing where it runs the program by itself.
    link: Option<(Vec<PathBuf>, Vec<PathBuf>)>,
}

impl Quick {
    /// `None` where it cannot make and run a program.
    pub fn new(model: DataModel, folder: &Path) -> Option<Quick> {
        let quick = match model {
            DataModel::Lp64 => Quick { link: None },
            // The program for 32 bits does not know where gcc has its library.
            DataModel::Ilp32 => {
                let file = |name: &str| {
                    let found =
                        Command::new("gcc").args(["-m32", &format!("-print-file-name={name}")]).output();
                    found.ok().map(|found| PathBuf::from(String::from_utf8_lossy(&found.stdout).trim()))
                };
                let (start, end) = (file("crt1.o")?, [file("libgcc.a")?, file("crtn.o")?]);
                let folder = PathBuf::from(format!("-L{}", start.parent()?.display()));
                let libraries = ["-lm", "-lc"].map(PathBuf::from);
                let after = [folder].into_iter().chain(libraries).chain(end).collect();
                Quick { link: Some((vec![start, file("crti.o")?], after)) }
            }
        };
        let probe = folder.join("probe.c");
        let text = "int printf(const char *, ...); int main(void) { printf(\"%d\\n\", 7); return 0; }\n";
        fresh(&probe, text.as_bytes()).ok()?;
        (quick.output(&probe, folder)? == "7\n").then_some(quick)
    }

    /// What the program prints; nothing if it is refused, or does not end in order.
    pub fn output(&self, source: &Path, folder: &Path) -> Option<String> {
        let time = Duration::from_secs(5);
        let program = folder.join("quick");
        let Some((before, after)) = &self.link else {
            let mut child = Command::new("tcc")
                .args(["-w", "-lm", "-run"])
                .arg(source)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()?;
            // One line at most: no program waits for us.
            ended(&mut child, time).ok()??.code()?;
            let mut text = String::new();
            child.stdout.take()?.read_to_string(&mut text).ok()?;
            return Some(text);
        };
        let _ = std::fs::remove_file(&program);
        let mut tcc = Command::new("i386-tcc");
        tcc.args(["-w", "-nostdlib"]).args(before).arg(source).args(after).arg("-o").arg(&program);
        let made = tcc.output().ok()?;
        match made.status.success().then(|| run(&program, time))?.ok()? {
            Reference::Output(text) => Some(text),
            _ => None,
        }
    }
}

/// What is there to compile with, and where.
pub struct Compilers {
    pub folder: PathBuf,
    gcc: [bool; 2],
    quick: [Option<Quick>; 2],
}

impl Compilers {
    /// Makes the folder, and tries what there is.
    pub fn new(folder: PathBuf) -> std::io::Result<Compilers> {
        std::fs::create_dir_all(&folder)?;
        let models = [DataModel::Lp64, DataModel::Ilp32];
        let gcc = models.map(|model| is_available(model, &folder));
        let quick = models.map(|model| Quick::new(model, &folder));
        Ok(Compilers { folder, gcc, quick })
    }

    pub fn has_gcc(&self, model: DataModel) -> bool {
        self.gcc[usize::from(model == DataModel::Ilp32)]
    }

    pub fn quick(&self, model: DataModel) -> Option<&Quick> {
        self.quick[usize::from(model == DataModel::Ilp32)].as_ref()
    }
}

impl Drop for Compilers {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Writes a new file. To write one again that is there can mean to wait for the disk.
pub fn fresh(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes)
}
