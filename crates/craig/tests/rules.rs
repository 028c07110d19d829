//! Every rule of `rules/` with a program that keeps it and one that does not; mistakes in rules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules")
}

fn check(arguments: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.args(["check", "--check", "error", "--timeout", "60s"]).args(arguments);
    command.output().expect("the program starts")
}

fn has_preprocessor() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no C compiler");
    }
    found
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_rule_has_a_program_that_keeps_it_and_one_that_does_not() {
    if !has_preprocessor() {
        return;
    }
    let mut seen = 0;
    for entry in fs::read_dir(rules()).expect("the rules") {
        let rule = entry.expect("an entry").path();
        if rule.extension().is_none_or(|extension| extension != "slic") {
            continue;
        }
        seen += 1;
        let name = rule.file_stem().expect("a name").to_string_lossy().into_owned();
        let examples = rules().join("examples");
        let flag = Path::new("--rule");
        let kept = stdout(&check(&[flag, &rule, &examples.join(format!("{name}.c"))]));
        assert!(kept.starts_with("safe"), "{name}: {kept}");
        let broken = stdout(&check(&[flag, &rule, &examples.join(format!("{name}_bug.c"))]));
        assert!(broken.starts_with("unsafe"), "{name}: {broken}");
        // The run ends in the rule, with what it says.
        let last = broken.lines().rfind(|line| line.contains(".slic:")).unwrap_or_default().to_string();
        assert!(last.contains(&format!("{name}.slic:")), "{name}: {broken}");
    }
    assert!(seen >= 12, "only {seen} rules");
}

#[test]
fn all_rules_at_once() {
    if !has_preprocessor() {
        return;
    }
    let all = rules().join("*.slic");
    let file = rules().join("examples/file_handle.c");
    let answer = stdout(&check(&[Path::new("--rule"), &all, &file]));
    assert!(answer.starts_with("safe"), "{answer}");
    let file = rules().join("examples/file_handle_bug.c");
    let answer = stdout(&check(&[Path::new("--rule"), &all, &file]));
    assert!(answer.starts_with("unsafe") && answer.contains("file_handle.slic:"), "{answer}");
}

#[test]
fn mistakes_in_a_rule_are_reported_at_its_line() {
    if !has_preprocessor() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("craig-rules-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("p.c");
    fs::write(&program, "extern int f(int x);\nint main(void) { return f(1); }\n").expect("a file");
    for (text, place) in [
        ("state { int s = 0; }\nf.entry {\n    if (t == 1)\n        abort;\n}\n", "r.slic:3:9: error"),
        ("f.entry { abort \"no\"; }\nf.leave { halt; }\n", "r.slic:2:3: error"),
        ("f.entry {\n    if ($2 == 1) abort;\n}\n", "r.slic:2:9: error"),
        ("f.entry {\n", "r.slic:1:9: error"),
        ("state { int s = ; }\n", "r.slic:1:17: error"),
    ] {
        let rule = folder.join("r.slic");
        fs::write(&rule, text).expect("a file");
        let output = check(&[Path::new("--rule"), &rule, &program]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(65), "{text}: {message}");
        assert!(message.contains(place), "{text}: {message}");
    }
    fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn rules_are_asked_about_apart_from_assertions() {
    if !has_preprocessor() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("craig-rule-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (program, rule) = (folder.join("open.c"), folder.join("open.slic"));
    let text = "void reach_error(void); void take(void); int any(void);
        int main(void) { take(); if (any() == 3) reach_error(); return 0; }";
    fs::write(&program, text).expect("a file");
    fs::write(&rule, "state { int n = 0; } take.entry { n = n + 1; if (n > 1) abort \"twice\"; }")
        .expect("a file");
    let ask = |kind: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
        command.args(["check", "--check", kind, "--timeout", "60s", "--rule"]).args([&rule, &program]);
        stdout(&command.output().expect("the program starts"))
    };
    let (of_rules, of_both) = (ask("rule"), ask("error"));
    fs::write(&program, text.replace("take();", "take(); take();")).expect("a file");
    let broken = ask("rule");
    let _ = fs::remove_dir_all(&folder);
    assert!(of_rules.starts_with("safe"), "{of_rules}");
    assert!(of_both.starts_with("unsafe") && of_both.contains(" [error]"), "{of_both}");
    assert!(broken.starts_with("unsafe") && broken.contains("unsafe: twice [rule]"), "{broken}");
}
