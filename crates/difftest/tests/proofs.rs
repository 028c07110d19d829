//! Broken proofs of small random programs, all of whose runs are known, and broken answers about formulas and clauses.

use craig_difftest::answers::break_answers;
use craig_difftest::proofs::{Counts, break_proofs};

#[test]
fn no_broken_proof_is_accepted_that_runs_contradict() {
    let mut counts = Counts::default();
    for seed in 0..12 {
        match break_proofs(seed, 10) {
            Ok(more) => counts.add(more),
            Err(what) => panic!("small program {seed}: {what}"),
        }
    }
    assert!(counts.rejected > 20 && counts.wrong > 2 && counts.accepted > 50, "{counts:?}");
}

/// Mutants of this program have locations from which more than one edge can be taken. Where these met again, the checker
/// once forgot all but the last.
#[test]
fn edges_may_overlap() {
    if let Err(what) = break_proofs(1150, 40) {
        panic!("{what}");
    }
}

/// Without Z3, only panics and wrong rejections are found.
#[test]
fn no_broken_refutation_model_or_derivation_is_accepted_that_is_wrong() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders =
        ["examples/smt", "examples/chc", "crates/smt/tests/structures"].map(|folder| root.join(folder));
    let files = craig_difftest::measure::files_with(&folders, &["smt2"]);
    let read =
        |file: &std::path::PathBuf| (file.display().to_string(), std::fs::read(file).unwrap_or_default());
    let texts: Vec<(String, Vec<u8>)> = files.iter().map(read).collect();
    let counts = break_answers(&texts, 0, 2, 10, |what| panic!("{what}"));
    for kind in ["formulas", "clauses"] {
        let counts = counts[kind];
        assert!(counts.proofs > 3 && counts.rejected > 10, "{kind}: {counts:?}");
    }
}
