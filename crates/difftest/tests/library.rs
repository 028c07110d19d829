//! The models of the C library and the system's library agree. `CRAIG_LIBRARY_CALLS` sets how many random calls of
//! each function there are, and `CRAIG_LIBRARY_ONLY` a part of the names of those that are called.

use craig_difftest::{compiler, library};
use craig_program::DataModel;

#[test]
fn models_agree_with_the_systems_library() {
    let folder = std::env::temp_dir().join(format!("craig-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    if !compiler::is_available(DataModel::Lp64, &folder) {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let calls = std::env::var("CRAIG_LIBRARY_CALLS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let only = std::env::var("CRAIG_LIBRARY_ONLY").unwrap_or_default();
    let wrong = library::compare(&folder, calls, 1, &only);
    let _ = std::fs::remove_dir_all(&folder);
    assert!(
        wrong.is_empty(),
        "{} of {} functions differ\n{}",
        wrong.len(),
        library::functions(),
        wrong.join("\n")
    );
}
