//! Broken proofs of small random programs, all of whose runs are known.

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
    assert!(counts.rejected > 20 && counts.of_unsafe > 2 && counts.accepted > 50, "{counts:?}");
}

/// Mutants of this program have locations from which more than one edge can be taken. Where these met again, the checker
/// once forgot all but the last.
#[test]
fn edges_may_overlap() {
    if let Err(what) = break_proofs(1150, 40) {
        panic!("{what}");
    }
}
