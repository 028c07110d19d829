//! Lazy annotation, the algorithm of Impact II.
//!
//! K. L. McMillan, *Lazy Annotation for Program Testing and Verification*, CAV 2010: algorithm INTRALA with
//! inductive strengthening on the inlined view, and INTERLA on procedures.
//!
//! | paper | here |
//! |---|---|
//! | a symbolic data state (P, C, E) | [`query::Query`]: E are terms over parameters, C is asserted in the solver |
//! | DECIDE, CONJOIN | [`search`] |
//! | concrete values as decisions | [`concretise`] |
//! | LEARN | [`learn`] |
//! | A(l), A(e), τ | [`annotation`] |
//! | statically bounded loops | [`bounded`] |
//! | STRENGTHEN (Figure 3) | [`strengthen`], [`backward`] |
//! | INTERLA (Figures 4 and 5) | [`procedures`] |
//! | DART | [`Learning::Nothing`]: paths are enumerated |
//!
//! An action is a basic block, or all ways between a branch and the join right behind it: locations
//! are the cutpoints of [`CutpointGraph::of_blocks`]. (With single paths as actions the number of labels
//! for a chain of such diamonds doubles with each, since a label holds for one way into the join.)
//! Without learning, actions are single paths ([`CutpointGraph::of_paths`]). A goal is
//! an edge into the error location, so that several goals are several such edges, and a goal that has
//! been reached is an edge labelled true.
//!
//! **Labels** are stored for edges only. CONJOIN would label a location with the conjunction of one
//! label for each outgoing edge; here A(l) is the conjunction of the whole A(e), which is implied by
//! every such conjunction and as well justified. Where an edge has several labels this is exponentially
//! smaller.
//!
//! **τ** is not a variable of the program: there is a counter for each loop nest (a strongly
//! connected component of the graph), decremented on every edge back to a head, and a label carries
//! the bounds on counters under which it holds. What would be the interpolant's dependence on τ is
//! the set of labels that the refutation used.
//!
//! **Strengthening.** Labels without bounds are justified by labels without bounds only. The greatest
//! inductive subset is taken of all labels with their bounds dropped, edge labels included; each is
//! justified by what is left of the unbounded labels alone. (As printed, Figure 3 justifies a label
//! by A, in which the bound would justify everything.) What survives is kept, without bounds, when
//! the counters grow; so are the labels with bounds, for as long as they apply.

mod annotation;
mod backward;
mod bounded;
mod concretise;
mod learn;
pub mod procedures;
mod query;
mod search;
mod strengthen;

#[cfg(test)]
mod tests;

use crate::blocks::InlinedView;
use crate::path::ProgramPath;
use crate::verdict::{Finding, Reason};
use craig_base::{Budget, Stats, StopReason};
use craig_certificate::Invariant;
use craig_program::{CutEdgeId, CutpointGraph, Proc, Program};
use craig_smt::UnknownReason;
use craig_smt::interpolate::Failure;
use craig_term::Terms;
use search::Search;

/// What is learnt from a blocked step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// Interpolants between the state and the step.
    Interpolants,
    /// All states from which the step is blocked: in a loop, one more of them each time around.
    WeakestPreconditions,
    /// Nothing. All paths are enumerated, as DART does.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub learn: Learning,
    /// Procedures are kept, and have summaries. Otherwise they are inlined, if they are not recursive.
    pub procedures: bool,
}

/// What is to be reached, from the point of view of the search.
pub trait Goals {
    /// The search came to the goal behind an edge into the error location. Returns the edges that
    /// are no goals any more, which must include this one; none if the search can stop.
    fn reached(&mut self, edge: CutEdgeId, path: ProgramPath, stats: &Stats) -> Option<Vec<CutEdgeId>>;

    /// The search goes on. Returns edges that are no goals any more for other reasons; none if it can stop.
    fn waiting(&mut self, _: &mut Stats) -> Option<Vec<CutEdgeId>> {
        Some(Vec::new())
    }
}

/// How a search for goals ended.
pub enum End {
    /// [`Goals::reached`] wanted no more.
    Stopped,
    /// No remaining goal can be reached, by this invariant of the loop heads.
    Proved(Invariant),
    Open(Reason),
}

/// Searches for all goals: edges into the error location of a view over basic blocks.
pub fn search(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    goals: &mut dyn Goals,
    budget: &Budget,
    stats: &mut Stats,
) -> End {
    match Search::new(tm, view, config, goals, budget, stats).run() {
        Ok(end) => end,
        Err(stop) => End::Open(stop.into()),
    }
}

/// Searches for the error.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    #[derive(Default)]
    struct First(Option<ProgramPath>);
    impl Goals for First {
        fn reached(&mut self, _: CutEdgeId, path: ProgramPath, _: &Stats) -> Option<Vec<CutEdgeId>> {
            self.0 = Some(path);
            None
        }
    }
    let mut first = First::default();
    match (search(tm, view, config, &mut first, budget, stats), first.0) {
        (_, Some(path)) => Finding::Unsafe(path),
        (End::Proved(invariant), None) => Finding::Safe(invariant),
        (End::Open(reason), None) => Finding::Unknown(reason),
        (End::Stopped, None) => Finding::Unknown(Reason::Internal("a search that stopped by itself".into())),
    }
}

/// Why the search ends without an answer.
#[derive(Clone)]
enum Stop {
    Budget(StopReason),
    Solver(UnknownReason),
    Interpolation(Failure),
    Internal(&'static str),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Budget(reason) => Reason::Stopped(reason),
            Stop::Solver(reason) | Stop::Interpolation(Failure::Solver(reason)) => Reason::from(reason),
            Stop::Interpolation(failure) => Reason::Interpolation(failure),
            Stop::Internal(what) => Reason::Internal(what.to_string()),
        }
    }
}

impl Config {
    /// Where a program is cut into actions.
    pub fn cuts(self, program: &Program, proc: &Proc) -> CutpointGraph {
        match self.learn {
            Learning::Interpolants | Learning::WeakestPreconditions => {
                CutpointGraph::of_blocks(program, proc)
            }
            Learning::Nothing => CutpointGraph::of_paths(program, proc),
        }
    }
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        Stop::Budget(reason)
    }
}

impl From<UnknownReason> for Stop {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Stopped(reason) => Stop::Budget(reason),
            reason => Stop::Solver(reason),
        }
    }
}
