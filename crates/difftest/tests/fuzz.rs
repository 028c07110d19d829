//! A short session of the fuzzer; long ones are for `craig-difftest fuzz`.

use craig_difftest::fuzz::{Fate, Fuzzer};
use std::path::Path;

#[test]
fn mutants_do_no_harm() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut fuzzer = Fuzzer::new(1, &[crates.join("cfront/tests"), crates.join("../examples")]);
    let mut accepted = 0;
    for round in 0..1000 {
        match fuzzer.step() {
            Fate::Accepted => accepted += 1,
            Fate::Refused => {}
            Fate::Defect(mutant, what) => {
                panic!("round {round}: {what}\n{}", String::from_utf8_lossy(&mutant))
            }
        }
    }
    assert!(accepted > 20, "only {accepted} mutants came to lowering");
}
