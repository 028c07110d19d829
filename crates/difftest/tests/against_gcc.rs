//! A few hundred random programs: gcc and Craig must agree. Long sessions are for the binary of this crate.

use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::compiler::Compilers;
use craig_difftest::csmith;
use craig_program::DataModel;

fn compare(origin: Origin, name: &str, seeds: std::ops::Range<u64>) {
    let folder = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
    let compilers = Compilers::new(folder).expect("a temporary folder can be made");
    let (lp64, ilp32) = (compilers.has_gcc(DataModel::Lp64), compilers.has_gcc(DataModel::Ilp32));
    if !lp64 {
        eprintln!("skipped: there is no gcc");
        return;
    }
    if !ilp32 {
        eprintln!("skipped in part: gcc has no 32-bit libraries");
    }
    let (mut agree, mut wrong) = (0, Vec::new());
    let tasks = seeds.map(|seed| Task::numbered(origin, seed));
    for task in tasks.filter(|task| ilp32 || task.model == DataModel::Lp64) {
        match task.compare(&compilers) {
            Comparison::Agree => agree += 1,
            Comparison::Skipped(_) => {}
            Comparison::Mismatch(what) => wrong.push(format!("{task:?}: {what}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agree > 0, "nothing could be compared");
}

#[test]
fn own_programs() {
    compare(Origin::Own, "own", 0..200);
}

#[test]
fn programs_of_csmith() {
    if !csmith::is_available() {
        eprintln!("skipped: there is no Csmith");
        return;
    }
    compare(Origin::Csmith, "csmith", 0..40);
}
