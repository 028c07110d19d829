//! `--harness`: every unsafe example becomes a C program that, compiled by the system's compiler and
//! run, reaches the error for real. Where the compiler is missing, or cannot make 32-bit programs,
//! the test says so.

use craig::cli::bench::answer::Verdict;
use craig::cli::bench::manifest::{self, Kind};
use craig_cfront::harness::{ERROR_MESSAGE, ERROR_STATUS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The data models with the flag of the compiler, as far as it can link them.
fn models(folder: &Path) -> Vec<(&'static str, &'static str)> {
    let probe = folder.join("probe.c");
    fs::write(&probe, "int main(void) { return 0; }").expect("a file");
    let works = |flag: &str| {
        let output = Command::new("cc").arg(flag).arg("-o").arg(folder.join("probe")).arg(&probe).output();
        output.is_ok_and(|output| output.status.success())
    };
    [("lp64", "-m64"), ("ilp32", "-m32")]
        .into_iter()
        .filter(|(model, flag)| {
            let works = works(flag);
            if !works {
                eprintln!("skipped: there is no C compiler for {model}");
            }
            works
        })
        .collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Checks the program and runs its harness; what went wrong, if anything did. An answer that takes too
/// long is none.
fn failure(file: &Path, model: &str, flag: &str, folder: &Path) -> Option<String> {
    let harness = folder.join("harness.c");
    let _ = fs::remove_file(&harness);
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--check", "error", "-q", "--timeout", "10s", "--data-model", model, "--harness"])
        .arg(&harness)
        .arg(file)
        .output()
        .expect("the program starts");
    if output.status.code() == Some(2) {
        return None;
    }
    if output.status.code() != Some(1) {
        return Some(format!("the answer is {:?}", output.status.code()));
    }
    let program = folder.join("harness");
    let compiled = Command::new("cc")
        .args([flag, "-w", "-fwrapv", "-fgnu89-inline", "-o"])
        .arg(&program)
        .arg(&harness)
        .output()
        .expect("a compiler");
    if !compiled.status.success() {
        return Some(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let run = Command::new(&program).output().expect("the harness");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let reached = run.status.code() == Some(i32::from(ERROR_STATUS)) && said.contains(ERROR_MESSAGE);
    (!reached).then(|| format!("{:?}: {said}", run.status))
}

#[test]
fn harnesses_of_unsafe_examples_reach_the_error() {
    let folder = folder("harnesses");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let tasks = manifest::read(&examples).expect("the manifest of the examples");
    for (model, flag) in models(&folder) {
        let unsafe_programs =
            tasks.iter().filter(|task| task.kind == Kind::C && task.expected == Some(Verdict::Unsafe));
        for task in unsafe_programs {
            assert_eq!(failure(&task.file(), model, flag, &folder), None, "{} ({model})", task.name);
        }
    }
    fs::remove_dir_all(folder).expect("the folder is ours");
}

/// What the program asks for, one kind after the other.
const ASKS: &[(&str, &str)] = &[
    (
        "characters of a stream",
        "#include <stdio.h>
         void reach_error(void);
         int main(void) {
             int c = getchar(), d = fgetc(stdin);
             if (c == 'x' && d == EOF && feof(stdin)) reach_error();
             return 0;
         }",
    ),
    (
        "allocations that fail",
        "#include <stdlib.h>
         void reach_error(void);
         int main(void) {
             for (int i = 0; i < 3; i++) {
                 int *p = malloc(sizeof *p), *q = calloc(2, sizeof *q);
                 if (i == 1 && !p && q && !q[1]) reach_error();
                 free(p);
                 free(q);
             }
             return 0;
         }",
    ),
    (
        "arguments of main",
        "void reach_error(void);
         int main(int argc, char **argv) {
             if (argc == 3 && argv[2][0] == 'x' && argv[2][1] == 0 && argv[3] == 0) reach_error();
             return 0;
         }",
    ),
    (
        "results of the library",
        "#include <stdio.h>
         #include <string.h>
         void reach_error(void);
         int main(void) {
             if (fprintf(stderr, \"hello\") < 0 && strcmp(\"a\", \"b\") == -7) reach_error();
             return 0;
         }",
    ),
    (
        "a local without initialiser, in a block and in a loop",
        "void reach_error(void);
         int main(void) { for (int i = 0; i < 3; i++) { int x, y; if (x == 7 * i + 1 && y == -x) continue; return 0; }
           reach_error(); }",
    ),
    (
        "the parts of a struct, and an array",
        "void reach_error(void); struct s { int a; unsigned char b[2]; _Bool c; };
         int main(void) { struct s v; int array[20]; int *p = array;
           if (v.a == 3 && v.b[1] == 200 && v.c && p[11] == 5) reach_error(); }",
    ),
    (
        "memory from malloc",
        "void reach_error(void); void *malloc(__SIZE_TYPE__);
         int main(void) { int *p = malloc(8); int *q = malloc(8); if (p[0] == 4 && p[1] == -9 && q[1] == 77) reach_error(); }",
    ),
    (
        "the same function in the arguments of a call",
        "void reach_error(void); int __VERIFIER_nondet_int(void);
         void f(int a, int b) { if (a == 1 && b == 2) reach_error(); }
         int main(void) { f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }",
    ),
    (
        "a function without a body, a global without a definition, floating point",
        "void reach_error(void); extern int level; double sample(int *, ...); unsigned long long many(void);
         int main(void) { if (level == 12 && sample(0, 1) == 0.5 && many() == 1ull << 40) reach_error(); }",
    ),
    (
        "objects from outside",
        "void reach_error(void); struct list { struct list *next; int data; }; struct list *get(void);
         int main(int argc, char **argv) { struct list *p = get();
           if (argc == 4 && p != 0 && p->data == 3 && get() == 0) reach_error(); }",
    ),
];

#[test]
fn every_kind_of_input_is_fixed() {
    let folder = folder("asks");
    for (model, flag) in models(&folder) {
        for (what, program) in ASKS {
            let file = folder.join("program.c");
            fs::write(&file, program).expect("a file");
            assert_eq!(failure(&file, model, flag, &folder), None, "{what} ({model})");
        }
    }
    fs::remove_dir_all(folder).expect("the folder is ours");
}
