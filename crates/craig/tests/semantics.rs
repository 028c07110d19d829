//! Small programs about the meaning of C, each with its answer.
//!
//! What all programs begin with is in `semantics/common.h`. Each program of a file comes after a line
//! `//: NAME ANSWER [INPUTS] [OPTIONS]`. The answer is `safe`, the kind of check that fails, `assume` (safe, with an
//! assumption that is listed), `undefined` (unknown, as no run gets to what is asked about), or `refused`. A program without `--check` is asked twice: with the default checks, and
//! with `--check error`, where a run ends at whatever else is undefined and so cannot fail; if all runs end at accesses
//! of wrong memory, there is no answer. What the inputs are for, and
//! how gcc confirms the answers, says `docs/experiments/semantics.py`.

use std::path::Path;
use std::process::Command;

struct Case {
    name: String,
    answer: String,
    options: Vec<String>,
    text: String,
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a file");
    let common = std::fs::read_to_string(file.with_file_name("common.h")).expect("a file");
    let parts = text.split("\n//: ").skip(1);
    let case = |part: &str| {
        let (head, body) = part.split_once('\n').expect("a program");
        let (words, options) = head.split_once(" --").unwrap_or((head, ""));
        let mut words = words.split_whitespace().map(str::to_string);
        let options = if options.is_empty() { String::new() } else { format!("--{options}") };
        Case {
            name: words.next().expect("a name"),
            answer: words.next().expect("an answer"),
            options: options.split_whitespace().map(str::to_string).collect(),
            text: format!("{common}\n{body}"),
        }
    };
    parts.map(case).collect()
}

/// What is wrong with the answer to one question.
fn ask(file: &Path, options: &[String], answer: &str) -> Option<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--timeout", "60s"])
        .args(options)
        .arg(file)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let fails = |kind: &str| {
        said.lines().any(|line| line.contains(": unsafe: ") && line.ends_with(&format!(" [{kind}]")))
    };
    let right = match answer {
        "refused" => output.status.code() == Some(65),
        "safe" => said.starts_with("safe"),
        "assume" => said.starts_with("safe") && said.contains("\nassuming that\n"),
        "undefined" => said.contains("is undefined before it could fail"),
        "safe or undefined" => said.starts_with("safe") || said.contains("is undefined before it could fail"),
        kind => said.starts_with("unsafe") && fails(kind),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    (!right).then(|| format!("{} is not {answer}:\n{said}{errors}", options.join(" ")))
}

fn examine(file: &Path, folder: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases(file) {
        let path = folder.join(format!("{}.c", case.name));
        std::fs::write(&path, &case.text).expect("a file can be written");
        let mut questions = vec![(case.options.clone(), case.answer.as_str())];
        if !case.options.iter().any(|option| option == "--check") {
            let options = [case.options.as_slice(), &["--check".to_string(), "error".to_string()]].concat();
            let answer = match case.answer.as_str() {
                answer @ ("error" | "assume" | "refused" | "undefined") => answer,
                "safe" => "safe",
                _ => "safe or undefined",
            };
            questions.push((options, answer));
        }
        let found = questions.iter().filter_map(|(options, answer)| ask(&path, options, answer));
        wrong.extend(found.map(|what| format!("{} {what}", case.name)));
    }
    wrong
}

#[test]
fn programs_are_answered_as_they_say() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics");
    let mut files: Vec<_> =
        std::fs::read_dir(programs).expect("the programs").map(|f| f.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let folder = std::env::temp_dir().join(format!("craig-semantics-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let halves = files.chunks(files.len().div_ceil(2));
        let threads: Vec<_> = halves
            .map(|files| {
                scope.spawn(|| files.iter().flat_map(|file| examine(file, &folder)).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread ends")).collect()
    });
    let _ = std::fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
