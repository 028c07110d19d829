//! Floating point of all types against gcc: executed, and proved by circuits.

use craig_difftest::compiler::Compilers;
use craig_difftest::floats;
use craig_difftest::memory::Answer;
use std::time::Duration;

#[test]
fn results_are_those_of_gcc() {
    let folder = std::env::temp_dir().join(format!("craig-floats-{}", std::process::id()));
    let compilers = Compilers::new(folder).expect("a folder");
    let (mut wrong, mut unknown) = (Vec::new(), 0);
    for seed in 0..120 {
        if !compilers.has_gcc(floats::model(seed)) {
            eprintln!("skipped: there is no gcc for {:?}", floats::model(seed));
            continue;
        }
        let time = (seed % 10 == 0).then_some(Duration::from_secs(20));
        match floats::compare(seed, &compilers, time) {
            Ok(Answer::Agreed) => {}
            Ok(Answer::Unknown(_)) => unknown += 1,
            Err(what) => wrong.push(format!("{seed} {:?}: {what}", floats::model(seed))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unknown < 4, "{unknown} of 12 were not decided");
}
