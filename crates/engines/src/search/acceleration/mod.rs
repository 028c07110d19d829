//! Acceleration: what loops do in many rounds, as single steps.
//!
//! After B. Boigelot (*Symbolic Methods for Exploring Infinite State Spaces*, PhD thesis, Liège 1998) and D. Kroening,
//! M. Lewis, G. Weissenbacher (*Under-Approximating Loops in C Programs for Fast Counterexample Detection*, CAV 2013): a
//! path through a loop whose effect after `n` rounds has a closed form becomes an additional step, exact for every `n`.
//! The clauses with these steps have the same least model; so a model of them is an invariant as ever, and a derivation
//! becomes a run of the program, with each repeated path as often as the solution says. Both are found by `pdr`, which now
//! needs few steps for what is a million rounds away, and learns from closed forms what a loop preserves.
//!
//! | notion | here |
//! |---|---|
//! | a path and its guarded effect | [`Step`], found by [`paths`] |
//! | its closed form | [`closed`] |
//! | nested loops, and paths that take turns | [`cycles`]: steps are composed, repeated ones too, and repeated again |
//!
//! Inputs on a repeated path are the same in each round, and so are the rounds of loops within it. Wrap-around is a case of
//! its own: a path without it is repeated, the round that wraps is an ordinary one.

mod closed;
mod cycles;
mod paths;
mod step;

pub(crate) use step::{Step, write_inputs};

use crate::horn::inlined;
use crate::search::pdr;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Stats};
use craig_term::Terms;

/// Searches a program whose entry procedure has no calls, if it has loops with closed forms.
pub fn check(terms: &mut Terms, view: &InlinedView<'_>, budget: &Budget, stats: &mut Stats) -> Finding {
    let steps = cycles::repeated_steps(terms, view, budget);
    stats.add("repeated paths", steps.len() as u64);
    if steps.is_empty() {
        return Finding::Unknown(Reason::NoCandidate);
    }
    inlined::check_with_steps(terms, view, &steps, &pdr::Options::default(), budget, stats)
}
