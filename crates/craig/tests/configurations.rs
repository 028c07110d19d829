//! The configurations of the thesis and its baseline, each by name on small examples: the answer is
//! there, right and certified.

use std::path::Path;
use std::process::Command;

/// IUFO, CPUFO, BPUFO, CP, BP, IMPACT, and IMPACT on the graph as it is.
const CONFIGURATIONS: [&[&str]; 7] = [
    &["--engine", "ufo", "--post", "none"],
    &["--engine", "ufo", "--post", "cartesian"],
    &["--engine", "ufo", "--post", "boolean"],
    &["--engine", "ufo", "--post", "cartesian", "--eager"],
    &["--engine", "ufo", "--post", "boolean", "--eager"],
    &["--engine", "impact"],
    &["--engine", "impact-paths"],
];

const EXAMPLES: [(&str, &str); 12] = [
    ("papers/lazy_annotation_simple.c", "safe"),
    ("papers/lazy_annotation_simple_bug.c", "unsafe"),
    ("papers/lazy_annotation_loop1.c", "safe"),
    ("papers/lazy_annotation_loop1_bug.c", "unsafe"),
    ("papers/ufo_dag.c", "safe"),
    ("papers/ufo_dag_bug.c", "unsafe"),
    ("papers/vinta_restricted_bug.c", "unsafe"),
    ("programs/retry.c", "safe"),
    ("programs/block_reader.c", "safe"),
    ("programs/block_reader_bug.c", "unsafe"),
    ("programs/lock_protocol.c", "safe"),
    ("programs/lock_protocol_bug.c", "unsafe"),
];

#[test]
fn every_configuration_answers_small_examples() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C preprocessor");
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for configuration in CONFIGURATIONS {
        for (example, expected) in EXAMPLES {
            let output = Command::new(env!("CARGO_BIN_EXE_craig"))
                .args(["check", "--check", "error", "--json", "--timeout", "60s"])
                .args(configuration)
                .arg(examples.join(example))
                .output()
                .expect("the program starts");
            let answer = String::from_utf8_lossy(&output.stdout).into_owned();
            let right = answer.contains(&format!("\"verdict\": \"{expected}\""));
            assert!(right && answer.contains("\"checked\": true"), "{configuration:?} {example}: {answer}");
        }
    }
}
