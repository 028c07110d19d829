//! No answer to any example is wrong, and nothing breaks. `unknown` is allowed here, within a short
//! time limit; a few easy examples of each kind must be answered.

use craig::cli::bench::answer::Verdict;
use craig::cli::bench::manifest::{self, Kind, Task};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

const EASY: [&str; 8] = [
    "papers/lazy_annotation_simple.c",
    "papers/lazy_annotation_simple_bug.c",
    "programs/retry.c",
    "programs/euclid.c",
    "programs/modes_bug.c",
    "chc/mc91.smt2",
    "chc/mc91_bug.smt2",
    "smt/parity.smt2",
];

fn examples() -> Vec<Task> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    manifest::read(&folder).expect("the manifest of the examples")
}

/// The first word of the answer, the exit code, and what was said on standard error.
fn ask(task: &Task, timeout: &str) -> (String, Option<i32>, String) {
    let command = match task.kind {
        Kind::C => "check",
        Kind::Horn => "solve",
        Kind::Smt => "smt",
    };
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args([command, "--timeout", timeout])
        .args(if task.kind == Kind::C { &["--check", "error"][..] } else { &[] })
        .arg(task.file())
        .output()
        .expect("the program starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = stdout.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("").to_string();
    (word, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn no_answer_is_wrong() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    let tasks = examples();
    let waiting = Mutex::new(tasks.iter());
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no thread panics").next();
                    let Some(task) = next else { return };
                    let (word, code, said) = ask(task, "2s");
                    let answer = Verdict::from_name(&word);
                    let wrong = answer.is_some() && answer != task.expected;
                    if wrong || code.is_none_or(|code| code >= 64) {
                        let complaint = format!("{}: '{word}', exit {code:?}, {said}", task.name);
                        complaints.lock().expect("no thread panics").push(complaint);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no thread panics");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn easy_examples_are_answered() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    for task in examples().iter().filter(|task| EASY.contains(&task.name.as_str())) {
        let (word, _, said) = ask(task, "60s");
        assert_eq!(Verdict::from_name(&word), task.expected, "{}: {said}", task.name);
    }
}
