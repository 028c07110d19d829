//! A few hundred random cases of every theory, against Z3 where it is installed. Many more:
//! `craig-difftest cases formulas-lia 0 100000` and so on.

#[path = "cross/mod.rs"]
mod cross;

use cross::generate::Theory;
use cross::reference::Reference;

const CASES: u64 = 500;

fn check(theory: Theory) {
    let mut reference = Reference::start();
    if reference.is_none() {
        eprintln!("skipped: the comparison with Z3, which is not in the search path");
    }
    if let Err(failure) = cross::run(theory, 0..CASES, reference.as_mut(), 1) {
        panic!("{failure}");
    }
}

#[test]
fn booleans() {
    check(Theory::Bool);
}

#[test]
fn integers() {
    check(Theory::Lia);
}

#[test]
fn reals() {
    check(Theory::Lra);
}

#[test]
fn integers_and_reals() {
    check(Theory::Lira);
}

#[test]
fn functions() {
    check(Theory::Uf);
}

#[test]
fn functions_and_integers() {
    check(Theory::UfLia);
}

#[test]
fn arrays() {
    check(Theory::Arrays);
}

#[test]
fn arrays_functions_and_integers() {
    check(Theory::AufLia);
}
