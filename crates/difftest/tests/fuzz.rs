//! A short pass over all targets, and everything that did harm once; campaigns are for `craig-difftest fuzz`.

use std::process::Command;

#[test]
fn mutants_do_no_harm() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig-difftest"));
    let output = command.args(["fuzz", "all", "500"]).current_dir(folder).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let passed =
        |line: &str| line.split(", ").nth(1).and_then(|part| part.split(' ').next()?.parse::<u64>().ok());
    assert!(
        text.lines().all(|line| passed(line).is_some_and(|passed| passed > 0)),
        "nothing is read: {text}"
    );
}
