//! The files below `examples/` are what their manifest says. Every one is listed; a C program compiles
//! without a warning and behaves on random inputs as it must; a formula has the answer that Z3 gives.
//! Where the compiler or Z3 is missing, the test says so and passes.

use craig::cli::bench::answer::Verdict;
use craig::cli::bench::manifest::{self, Kind, Task};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the program many times, each time in a child process with other inputs, and prints how many
/// of them reached the error. Inputs are small or one of the values that programs like to ask for.
const HARNESS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long state;
static int patient; /* hardly ever says zero, which is what ends most loops */

static unsigned int next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned int)(state >> 16);
}

unsigned int __VERIFIER_nondet_uint(void) {
    static const int liked[] = {'"', '/', '*', '\\', -1, -5, 10, 41, 100, 5000, 0x7ffffff0, -0x7ffffff0};
    switch (next() % 8) {
    case 0: return patient && next() % 200 ? 1 : 0;
    case 1: case 2: case 3: return 1 + next() % 3;
    case 4: return next() % 40 - 20;
    case 5: return (unsigned int)liked[next() % (sizeof liked / sizeof *liked)];
    case 6: return 2 + next() % 3;
    default: return next() % 2 ? next() % 1000 : 1;
    }
}

int __VERIFIER_nondet_int(void) { return (int)__VERIFIER_nondet_uint(); }
void __VERIFIER_assume(int condition) { if (!condition) _exit(0); }
void reach_error(void) { kill(getpid(), SIGKILL); }

__attribute__((constructor)) static void repeat(void) {
    int runs = atoi(getenv("RUNS")), errors = 0, endless = 0;
    for (int run = 1; run <= runs && errors == 0 && endless < 3; run++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            struct itimerval limit = {{0, 0}, {0, 200000}};
            state = 0x9e3779b97f4a7c15ULL * (unsigned)run;
            patient = run % 4 == 0;
            setitimer(ITIMER_REAL, &limit, NULL);
            return;
        }
        waitpid(child, &status, 0);
        errors += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        endless += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    }
    printf("%d\n", errors);
    fflush(stdout);
    _exit(0);
}
"#;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // A project has a test of its own.
        if folder.join("compile_commands.json").exists() {
            continue;
        }
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "c" || extension == "smt2" => files.push(path),
                _ => {}
            }
        }
    }
    files
}

#[test]
fn every_program_is_listed_with_its_answer() {
    let mut tasks = manifest::read(&examples()).expect("the manifest of the examples");
    // These take long enough to be asked for apart.
    tasks.extend(manifest::read(&examples().join("bounded")).expect("the manifest of a folder"));
    for file in inputs(&examples()) {
        // Functions and libraries say in their first lines how they are checked, which another test reads.
        let text = fs::read_to_string(&file).expect("readable");
        if text.lines().any(|line| line.starts_with("// safe: ") || line.starts_with("// unsafe: ")) {
            continue;
        }
        assert!(tasks.iter().any(|task| task.file() == file), "{} is not in the manifest", file.display());
    }
    for task in tasks {
        assert!(task.expected.is_some(), "{} has no answer", task.name);
    }
}

#[test]
fn programs_behave_as_expected_on_random_inputs() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = std::env::temp_dir().join(format!("craig-examples-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let harness = folder.join("harness.c");
    fs::write(&harness, HARNESS).expect("the harness");
    let object = folder.join("harness.o");
    compile(&[OsStr::new("-c"), OsStr::new("-O1"), harness.as_os_str()], &object);
    let tasks = manifest::read(&examples()).expect("the manifest of the examples");
    for task in tasks.iter().filter(|task| task.kind == Kind::C) {
        let reached = reaches_error(task, &object, &folder.join("program"));
        assert_eq!(reached, task.expected == Some(Verdict::Unsafe), "{}", task.name);
    }
    fs::remove_dir_all(folder).expect("the folder is ours");
}

#[test]
fn formulas_have_the_answers_of_z3() {
    if Command::new("z3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Z3");
        return;
    }
    let tasks = manifest::read(&examples()).expect("the manifest of the examples");
    for task in tasks.iter().filter(|task| task.kind != Kind::C) {
        let output = Command::new("z3").arg("-T:5").arg(task.file()).output().expect("Z3");
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer = output.lines().next().and_then(Verdict::from_name);
        // Some of the clauses are too hard for it.
        assert!(answer.is_none() || answer == task.expected, "{}: {answer:?}", task.name);
    }
}

fn reaches_error(task: &Task, harness: &Path, program: &Path) -> bool {
    let flags = ["-std=gnu11", "-fwrapv", "-Wall", "-Werror"].map(OsStr::new);
    let file = task.file();
    let files = [file.as_os_str(), harness.as_os_str()];
    compile(&[&flags[..], &files].concat(), program);
    let runs = if task.expected == Some(Verdict::Unsafe) { "100000" } else { "200" };
    let output = Command::new(program).env("RUNS", runs).output().expect("the program");
    String::from_utf8_lossy(&output.stdout).trim() != "0"
}

fn compile(arguments: &[&OsStr], target: &Path) {
    let output = Command::new("cc").arg("-o").arg(target).args(arguments).output().expect("a compiler");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}
