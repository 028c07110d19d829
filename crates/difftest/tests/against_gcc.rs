//! A few hundred random programs: gcc and Craig must agree. Long sessions are for the binary of this crate.

use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::{compiler, csmith};
use craig_program::DataModel;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}

fn compare(origin: Origin, name: &str, seeds: std::ops::Range<u64>) {
    let folder = folder(name);
    let (lp64, ilp32) =
        (compiler::is_available(DataModel::Lp64, &folder), compiler::is_available(DataModel::Ilp32, &folder));
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
        match task.compare(&folder) {
            Comparison::Agree => agree += 1,
            Comparison::Skipped(_) => {}
            Comparison::Mismatch(what) => wrong.push(format!("{task:?}: {what}")),
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
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
