//! `--test-cache`: failing tests answer at once, others are where `dash` begins, users' own among them.
//! `--summary-cache`: the contracts that `dash` proves serve later runs.

mod folder;

use folder::Folder;
use std::process::Command;

/// Random inputs do not find the error: the solver must.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n\
    if (x == 123456 && y == x + 654321)\n    reach_error();\n  return 0;\n}\n";

impl Folder {
    /// What the engine says about a program: standard output and standard error.
    fn check(&self, program: &str) -> (String, String) {
        self.check_with("--test-cache", program)
    }

    fn check_with(&self, cache: &str, program: &str) -> (String, String) {
        let tests = self.0.join("tests");
        std::fs::create_dir_all(&tests).expect("a folder");
        let output = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--check", "error", "--json", "--timeout", "60s", "--engine", "dash", cache])
            .arg(tests)
            .arg(program)
            .output()
            .expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }
}

fn count(answer: &str, name: &str) -> u64 {
    let key = format!("\"dash: {name}\": ");
    let Some((_, rest)) = answer.split_once(&key) else { return 0 };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

#[test]
fn the_second_run_only_runs_the_test_of_the_first_also_on_a_changed_program() {
    let folder = Folder::new("twice");
    let program = folder.file("program.c", PROGRAM);
    let (first, _) = folder.check(&program);
    assert!(first.contains("\"verdict\": \"unsafe\"") && first.contains("\"engine\": \"dash\""), "{first}");
    assert!(count(&first, "solver calls") > 0, "{first}");
    let changed = folder.file("changed.c", PROGRAM.replace("return 0", "x = 0; return x"));
    for program in [program, changed] {
        let (second, _) = folder.check(&program);
        assert!(second.contains("\"verdict\": \"unsafe\""), "{second}");
        assert!(second.contains("\"engine\": \"test-cache\""), "{second}");
        assert!(!second.contains("solver calls"), "{second}");
    }
}

#[test]
fn a_users_test_that_fails_is_the_answer() {
    let folder = Folder::new("failing");
    let program = folder.file("program.c", PROGRAM);
    folder.file("tests/mine.test", "craig test 1\n# by hand\ni32 123456  x\ni32 777777\n");
    folder.file("tests/broken.test", "craig test 1\ni32 many\n");
    let (answer, said) = folder.check(&program);
    assert!(answer.contains("\"engine\": \"test-cache\""), "{answer}");
    assert!(said.contains("not a test") && said.contains("broken.test:2"), "{said}");
}

#[test]
fn a_users_test_that_comes_near_saves_iterations() {
    let folder = Folder::new("near");
    let deeper = "{ int z = __VERIFIER_nondet_int(); if (z == 77) { if (__VERIFIER_nondet_int() == z * 5) reach_error(); } }";
    let text = PROGRAM.replace("reach_error();\n  return", &format!("{deeper}\n  return"));
    let program = folder.file("program.c", &text);
    let (alone, _) = folder.check(&program);
    let folder = Folder::new("seeded");
    let program = folder.file("program.c", &text);
    folder.file("tests/near.test", "craig test 1\ni32 123456\ni32 777777\ni32 77\ni32 0\n");
    let (seeded, _) = folder.check(&program);
    assert!(
        seeded.contains("\"verdict\": \"unsafe\"") && seeded.contains("\"engine\": \"dash\""),
        "{seeded}"
    );
    assert!(count(&seeded, "iterations") < count(&alone, "iterations"), "{alone}\n{seeded}");
}

#[test]
fn contracts_of_an_earlier_run_answer_also_for_a_changed_caller() {
    let folder = Folder::new("contracts");
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
        int id(int x) { if (x <= 0) return 0; return id(x - 1) + 1; }\n\
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0 && id(n) != n) reach_error(); return 0; }\n";
    let program = folder.file("program.c", text);
    let (first, _) = folder.check_with("--summary-cache", &program);
    assert!(first.contains("\"verdict\": \"safe\"") && first.contains("\"engine\": \"dash\""), "{first}");
    let changed = folder.file("changed.c", text.replace("id(n) != n", "id(n) < 0"));
    for program in [program, changed] {
        let (second, _) = folder.check_with("--summary-cache", &program);
        assert!(second.contains("\"verdict\": \"safe\""), "{second}");
        assert!(second.contains("\"engine\": \"summary-cache\""), "{second}");
    }
}
