//! Mutated command lines, each run by a process of its own in a folder with a few small files.
//!
//! Words with a `/` are left out, so that nothing outside of the folder is named; so are the commands that run others.

use super::{Input, REFUSED};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const WORDS: &[&str] = &[
    "check\n",
    "test\n",
    "run\n",
    "solve\n",
    "smt\n",
    "validate\n",
    "show\n",
    "explain\n",
    "engines\n",
    "help\n",
    "--json\n",
    "-q\n",
    "-v\n",
    "-vv\n",
    "--seed\n",
    "--timeout\n",
    "0s\n",
    "500ms\n",
    "99999999999h\n",
    "--memory\n",
    "0\n",
    "64M\n",
    "--engine\n",
    "pdr\n",
    "bits\n",
    "portfolio\n",
    "--check\n",
    "error\n",
    "memory\n",
    "all\n",
    "--entry\n",
    "f\n",
    "main\n",
    "--data-model\n",
    "ilp32\n",
    "--wrap\n",
    "--ideal-integers\n",
    "--proof\n",
    "proof\n",
    "--test\n",
    "test.txt\n",
    "--witness\n",
    "--harness\n",
    "--html\n",
    "page.html\n",
    "--sarif\n",
    "--out\n",
    "out\n",
    "--proof-smt\n",
    "--cache\n",
    "cache\n",
    "--summary-cache\n",
    "--one-region\n",
    "--malloc-never-fails\n",
    "--requires\n",
    "x > 0\n",
    "--rule\n",
    "lock.slic\n",
    "--project\n",
    ".\n",
    "--\n",
    "-\n",
    "=\n",
    "safe.c\n",
    "bug.c\n",
    "clauses.smt2\n",
    "missing.c\n",
    "-I\n",
    "-DX=1\n",
    "-std=c11\n",
    "\u{ff}\n",
    "\n",
];

const FILES: &[(&str, &str)] = &[
    (
        "safe.c",
        "extern void reach_error(void);\nint f(int x) { return x > 3 ? x : 3; }\n\
         int main(void) { int x; if (f(x) < 3) reach_error(); return 0; }\n",
    ),
    (
        "bug.c",
        "extern void reach_error(void);\nint main(void) { int x; if (x == 3) reach_error(); return 0; }\n",
    ),
    ("clauses.smt2", "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 0))(check-sat)\n"),
    ("lock.slic", "state { int locked = 0; }\nf.entry { if (locked) abort \"twice\"; locked = 1; }\n"),
    ("proof", "craig invariant 1\n"),
    ("test.txt", "craig test 1\ni32 3\n"),
];

/// Commands that have limits, which are then set.
const LIMITED: &[&str] = &["check", "test", "run", "solve", "smt", "validate", "explain"];
/// Longer than any limit that is set, with what a loaded machine adds.
const MAX_TIME: Duration = Duration::from_secs(8);

pub fn run(input: &Input, scratch: &Path) -> Result<String, String> {
    let text = String::from_utf8_lossy(&input.text);
    let words: Vec<&str> = text.lines().filter(|word| !word.contains(['/', '\0'])).collect();
    let runs_others = ["reduce", "bench", "job", "lsp", "--slurm", "--solver"];
    if words.iter().any(|word| runs_others.iter().any(|other| word.contains(other))) {
        return Ok(format!("{REFUSED}it would run others"));
    }
    let folder = scratch.join("folder");
    let prepare = || {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        FILES.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    };
    prepare().map_err(|error: std::io::Error| error.to_string())?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("craig").args(&words);
    if words.first().is_some_and(|word| LIMITED.contains(word)) && !words.contains(&"--") {
        command.args(["--timeout", "1s", "--memory", "500M"]);
    }
    command.current_dir(&folder).env("TMPDIR", &folder).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().next().unwrap_or_default();
    match output.status.code() {
        None => Err(format!("it ends by a signal: {first}")),
        Some(70) => Err(format!("internal error: {first}")),
        Some(_) if errors.contains("A part of Craig broke") => Err("a part of Craig broke".to_string()),
        Some(101) => Err(format!("a panic: {first}")),
        Some(_) if start.elapsed() > MAX_TIME => {
            Err(format!("it takes {:.1} s", start.elapsed().as_secs_f64()))
        }
        Some(code @ (64..=66 | 74)) => Ok(format!("{REFUSED}{code} {first}")),
        Some(code) => {
            Ok(format!("{code} {}", String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("")))
        }
    }
}
