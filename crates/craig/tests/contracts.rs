//! Functions under test: every program below `tests/contracts` and `examples/functions` says in lines of its own how
//! `craig check` is called and what comes out: `// VERDICT: OPTIONS`, where a verdict is `safe`, `unsafe`, `vacuous`,
//! `error TEXT` or `warning TEXT`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

/// The words of a line, of which some are in single quotes.
fn arguments(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_string)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

/// What is wrong with the answer to one line of a program.
fn disagreement(path: &Path, line: &str) -> Option<String> {
    let (expected, options) =
        line.split_once(": -").map(|(expected, options)| (expected, format!("-{options}")))?;
    let mut words = expected.splitn(2, ' ');
    let kind =
        words.next().filter(|kind| ["safe", "unsafe", "vacuous", "error", "warning"].contains(kind))?;
    let (code, text) = match (kind, words.next()) {
        ("safe", _) => (0, "safe"),
        ("unsafe", _) => (1, "unsafe"),
        ("vacuous", _) => (2, "unknown: vacuous"),
        ("error", text) => (65, text.unwrap_or_default()),
        (_, text) => (-1, text.unwrap_or_default()),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--timeout", "60s"])
        .args(arguments(&options))
        .arg(path.file_name().expect("a file"))
        .current_dir(path.parent().expect("a folder"))
        .output()
        .expect("the program starts");
    let shown =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let is_right = shown.contains(text) && (code == -1 || output.status.code() == Some(code));
    (!is_right).then(|| format!("{}: {line}\n{shown}", path.display()))
}

/// Asks all that `is_asked` chooses among the lines of the programs.
fn check(folder: &str, is_asked: fn(&str) -> bool) {
    let mut wrong = Vec::new();
    let mut asked = 0;
    for path in programs(folder) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
        for line in lines.filter(|line| is_asked(line)) {
            asked += usize::from(line.contains(": -"));
            wrong.extend(disagreement(&path, line));
        }
    }
    assert!(asked > 0, "{folder} asks nothing");
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn specifications_mean_what_they_say() {
    check("tests/contracts", |_| true);
}

#[test]
fn examples_answer_as_they_say() {
    check("../../examples/functions", |_| true);
}

/// What proofs of the libraries take is measured elsewhere.
#[test]
fn mistakes_of_libraries_are_found() {
    check("../../examples/libraries", |line| line.starts_with("unsafe"));
}
