//! A short pass over all targets, and everything that did harm once; campaigns are for `craig-difftest fuzz`.

use std::process::Command;

const FEW: u64 = 20;

#[test]
fn mutants_do_no_harm() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig-difftest"));
    let output = command.args(["fuzz", "all", "500"]).current_dir(folder).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // Of a few mutants all may be refused.
    let number = |part: &str| part.split(' ').find_map(|word| word.parse::<u64>().ok()).unwrap_or(0);
    for line in text.lines() {
        let mut numbers = line.split(", ").map(number);
        let (made, read) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        assert!(made > 0 && (read > 0 || made < FEW), "nothing is read: {text}");
    }
}
