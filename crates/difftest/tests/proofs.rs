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
