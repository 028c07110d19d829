use crate::horn::{HornVerdict, suite};
use craig_base::{Budget, Stats};
use craig_chc::System;
use craig_smt::NativeSolver;
use craig_term::Terms;

fn solve(terms: &mut Terms, system: &System, budget: &Budget, stats: &mut Stats) -> HornVerdict {
    super::solve(
        terms,
        system,
        &super::Options::default(),
        &|| Box::new(NativeSolver::default()),
        budget,
        stats,
    )
}

#[test]
fn no_clause_at_all() {
    suite::no_clause_at_all(&solve);
}

#[test]
fn derivations_of_loops_and_recursion() {
    suite::derivable_loops(&solve);
}

#[test]
fn without_recursion_there_is_a_model() {
    suite::two_procedures(&solve);
}

#[test]
fn calls_in_branches() {
    suite::calls_in_branches(&solve);
}
