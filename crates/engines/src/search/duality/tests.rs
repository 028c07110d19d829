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
fn a_counter() {
    suite::a_counter(&solve);
}

#[test]
fn two_variables_in_step() {
    suite::two_variables_in_step(&solve);
}

#[test]
fn arguments_that_do_not_matter() {
    suite::arguments_that_do_not_matter(&solve);
}

#[test]
fn a_sum_that_stays() {
    suite::a_sum_that_stays(&solve);
}

#[test]
fn functions_of_the_background() {
    suite::functions_of_the_background(&solve);
}

#[test]
fn recursion_with_two_calls() {
    suite::recursion_with_two_calls(&solve);
}

#[test]
fn mccarthy() {
    suite::mccarthy(&solve);
}

#[test]
fn reals_and_booleans() {
    suite::reals_and_booleans(&solve);
}

#[test]
fn no_clause_at_all() {
    suite::no_clause_at_all(&solve);
}

#[test]
fn a_program_of_small_steps() {
    suite::a_program_of_small_steps(&solve);
}

#[test]
fn two_procedures() {
    suite::two_procedures(&solve);
}

#[test]
fn calls_in_branches() {
    suite::calls_in_branches(&solve);
}
