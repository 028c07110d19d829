//! Each check has its own answer, at its place and in the words of the source.
//!
//! A program in `checks/` says in its first line what is checked, and on the lines where something fails
//! `// unsafe: WORDS`. Everything else must be proved, where nothing fails: after a failure there is only so much time
//! for the rest.

use craig::{Loaded, Options, Reason, SoFar, Source, StopReason, Verdict};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

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

/// Whoever ends a search hears what it had found, and never `safe`.
#[test]
fn what_was_found_before_the_end_is_reported() {
    let report = |text: &str| {
        let loaded = Loaded::new(&Source::text(text)).expect("a program");
        let options = Options { so_far: SoFar::default(), ..Options::default() };
        let late = || loaded.report_so_far(&options, StopReason::Timeout, Duration::ZERO);
        let before = late();
        assert!(before.checks.iter().all(|check| matches!(check.verdict, Verdict::Unknown(_))));
        loaded.check(&options).expect("an answer");
        (before.verdict, late())
    };
    let open = Verdict::Unknown(Reason::Stopped(StopReason::Timeout));
    let (before, after) =
        report("int f(void); int main(void) { int x = f(); return x ? 7 / (x - 1) : 7 % 2; }");
    assert_eq!((before, after.verdict), (open.clone(), Verdict::Unsafe));
    assert!(after.test.is_some() && after.checks.iter().any(|check| check.test.is_some()));
    let (_, after) = report("int f(void); int main(void) { int x = f(); return x ? 7 / x : 7; }");
    assert_eq!(after.verdict, open);
    assert!(after.checks.iter().any(|check| check.verdict == Verdict::Safe));
}
