//! Each check has its own answer, at its place and in the words of the source.
//!
//! A program in `checks/` says in its first line what is checked, and on the lines where something fails
//! `// unsafe: WORDS`. Everything else must be proved, where nothing fails: after a failure there is only so much time
//! for the rest.

use std::path::Path;
use std::process::Command;

#[test]
fn checks_are_answered_as_the_programs_say() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the programs").map(|f| f.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a program");
        let options = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("options");
        let output = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--timeout", "60s"])
            .args(options.split_whitespace())
            .arg(&file)
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected: Vec<String> = text
            .lines()
            .enumerate()
            .filter_map(|(i, line)| Some(format!("{}: {}", i + 1, line.split_once("// unsafe: ")?.1.trim())))
            .collect();
        let mut found: Vec<String> = Vec::new();
        for line in said.lines() {
            let Some(rest) = line.strip_prefix(&format!("{}:", file.display())) else { continue };
            let Some((place, words)) = rest.split_once(": unsafe: ") else { continue };
            let number = place.split(':').next().unwrap_or_default();
            found.push(format!("{number}: {}", words.rsplit_once(" [").map_or(words, |(words, _)| words)));
        }
        found.sort_by_key(|line| line.split(':').next().and_then(|n| n.parse::<u32>().ok()));
        assert_eq!(found, expected, "{}:\n{said}", file.display());
        let open = said.lines().any(|line| line.contains(" checks: ") && !line.ends_with(" 0 unknown"));
        assert!(!open || !expected.is_empty(), "{}:\n{said}", file.display());
    }
}
