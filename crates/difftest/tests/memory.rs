//! Programs that move addresses about, and misuse memory in the end, against gcc and its sanitizers.

use craig_difftest::compiler::Compilers;
use craig_difftest::memory;
use std::time::Duration;

#[test]
fn misuse_is_noticed_and_nothing_else_is() {
    let folder = std::env::temp_dir().join(format!("craig-memory-{}", std::process::id()));
    let compilers = Compilers::new(folder).expect("a folder");
    let mut wrong = Vec::new();
    for seed in 0..60 {
        if !compilers.has_gcc(memory::model(seed)) {
            eprintln!("skipped: there is no gcc for {:?}", memory::model(seed));
            continue;
        }
        let time = (seed % 8 < 2).then_some(Duration::from_secs(2));
        if let Err(what) = memory::compare(seed, &compilers, time) {
            wrong.push(format!("{seed} {:?}: {what}", memory::model(seed)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
