//! Lazy annotation, the algorithm of Impact II.
//!
//! K. L. McMillan, *Lazy Annotation for Program Testing and Verification*, CAV 2010: algorithm INTERLA with inductive
//! strengthening. On a program without calls, which is how inlined programs come, it is INTRALA.
//!
//! | paper | here |
//! |---|---|
//! | the program (Λ, l₀, Δ) with calls Θ | [`Graph`]: nodes, and edges for blocks and calls |
//! | a symbolic data state (P, C, E) | [`query::Query`]: E are terms over parameters, C is asserted in the solver |
//! | INIT, DECIDE, CONJOIN (Figure 2); SUM (Figure 4), DECIDE-C (Figure 5) | [`search`] |
//! | concrete values as decisions | [`concretise`] |
//! | LEARN (Figure 2), LEARN-C (Figure 5) | [`learn`] |
//! | A(l), A(e), blocked queries | [`annotation`], [`labels`] |
//! | negative summary `φ` (section 2.3) with the abort flag `f'` | a pair of labels: [`Question::Goal`](annotation::Question) for `f'` true, over the state, and [`Question::Exit`](annotation::Question) for `f'` false, over the state and the state at the exit |
//! | `A(r) = ¬I ∨ f'` at an exit | the first labels of edges that return |
//! | push, pop | [`query::Frame`]: each call has constants of its own |
//! | the post-condition `ψ` | [`Search::later`], its complement: how the callers could go on to a goal |
//! | `W(φ)` | a call is two edges, into the callee and through it: a callee that aborts reaches a goal, whatever its caller would do |
//! | τ (section 2.2), statically bounded loops | [`tau`], [`bounded`] |
//! | STRENGTHEN (Figure 3) | [`Search::run`], [`strengthen`], [`backward`] |
//! | DART, the baseline of Figure 6 | [`Learning::Nothing`]: paths are enumerated |
//!
//! An action is a basic block, or all ways between a branch and the join right after it
//! ([`Granularity::Blocks`]). (With single paths as actions the number of labels
//! for a chain of such diamonds doubles with each, since a label holds for one way into the join.) Conditions in a row
//! with nothing done between them, as of a `switch`, are one decision, with an action for each outcome
//! ([`Config::decisions`]): what is learnt of the last case need not be learnt again at all cases before it.
//! Without learning, or where [`Config::merge`] is off, actions are single paths ([`Granularity::Paths`]). A goal is
//! an edge into an error location, so that several goals are several such edges, and a goal that has
//! been reached is an edge labelled true.
//!
//! **Labels** are stored for edges only. CONJOIN would label a location with the conjunction of one
//! label for each outgoing edge; here A(l) is the conjunction of the whole A(e), which is implied by
//! every such conjunction and as well justified. Where an edge has several labels this is exponentially
//! smaller.
//!
//! **Calls.** A query asks one question: whether a goal is reached, as the first one does, or whether its procedure ends
//! so that the callers can go on. The edge into a callee asks the first of the callee, and the edge through it the
//! second. SUM is the same stack of queries: after a callee's exit the caller's next query follows. Where the
//! paper's SUM forgets the queries of a callee once it has an exit state, the stack keeps
//! them: if the caller is blocked after the call, the search for another exit goes on from where it
//! was.
//!
//! **τ** is not a variable of the program: there is a counter for each component of the graph, and a label carries
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
mod goals;
mod labels;
mod learn;
mod proof;
mod query;
mod search;
mod strengthen;
mod tau;

#[cfg(test)]
mod tests;

use crate::horn::contracts::{Script, certify, replay_script};
use crate::verdict::{Finding, Reason};
use crate::verify::Verdict;
use crate::view::blocks::InlinedView;
use crate::view::{EdgeId, Graph, Knowledge, Prepared, encode_procedures};
use craig_base::{Budget, OrderedSet, Stats, StopReason};
use craig_program::{Decisions, Granularity};
use craig_term::Terms;
pub use proof::Labels;
pub use search::COMPLETE_PATHS;
use search::Search;
use std::sync::Arc;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub learn: Learning,
    /// Procedures are kept, and have summaries. Otherwise they are inlined, if they are not recursive.
    pub procedures: bool,
    /// All ways between a branch and the join right after it are one action.
    pub merge: bool,
    /// What becomes of conditions in a row where ways are merged.
    pub decisions: Decisions,
    /// Preconditions by substitution, where a step only copies and resets (see [`learn`]).
    pub substitute: bool,
    /// Strengthening under an invariant by predicate abstraction (see [`strengthen`]).
    pub predicates: bool,
    /// Strengthening by backward abstract interpretation (see [`backward`]).
    pub backward: bool,
    /// Loops that are bounded statically have no τ (see [`bounded`]).
    pub bounded_loops: bool,
}

/// What is to be reached, from the point of view of the search.
pub trait Goals {
    /// The search came to the goal after an edge into an error location. Returns the edges that
    /// are no goals any more, which should include this one; none if the search can stop.
    fn reached(&mut self, edge: EdgeId, script: Script, stats: &Stats) -> Option<Vec<EdgeId>>;

    /// The search goes on. Returns edges that are no goals any more for other reasons; none if it can stop.
    fn waiting(&mut self, _: &mut Stats) -> Option<Vec<EdgeId>> {
        Some(Vec::new())
    }
}

/// How a search for goals ended.
pub enum End {
    /// The goals are as they were wanted.
    Stopped,
    /// No remaining goal can be reached, by these labels.
    Proved(Labels),
    Open(Reason),
}

/// Searches for all goals: edges into error locations.
pub fn search(
    tm: &mut Terms,
    graph: &Graph<'_>,
    config: Config,
    goals: &mut dyn Goals,
    budget: &Budget,
    stats: &mut Stats,
) -> End {
    match Search::new(tm, graph, config, goals, budget, stats).run() {
        Ok(end) => end,
        Err(Stop::Wanted) => End::Stopped,
        Err(Stop::Without(reason)) => End::Open(reason),
    }
}

/// The first goal that is reached is all that matters.
#[derive(Default)]
struct First(Option<Script>);

impl Goals for First {
    fn reached(&mut self, _: EdgeId, script: Script, _: &Stats) -> Option<Vec<EdgeId>> {
        self.0 = Some(script);
        None
    }
}

/// Searches for the error of an inlined program.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let graph = Graph::new(tm, view.program, std::slice::from_ref(view.encoding));
    let mut first = First::default();
    match (search(tm, &graph, config, &mut first, budget, stats), first.0) {
        (_, Some(script)) => Finding::Unsafe(script.into()),
        (End::Proved(labels), None) => Finding::Safe(labels.invariant(tm, &graph)),
        (End::Open(reason), None) => Finding::Unknown(reason),
        (End::Stopped, None) => Finding::Unknown(Reason::Internal("a search that stopped by itself".into())),
    }
}

/// Searches for the error of a program with procedures, and certifies what it finds. Where formulas are not exact
/// enough for what was found, they are made so for the values in question, and the search is repeated.
pub fn check_procedures(
    prepared: &Prepared<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let (program, knowledge, granularity) = (prepared.program, Knowledge::Intervals, config.granularity());
    let mut encoded = prepared.procedures(knowledge, granularity, budget);
    let mut exact = OrderedSet::default();
    loop {
        let procedures = match encoded {
            Ok(procedures) => procedures,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let mut tm = procedures.terms.clone();
        let graph = Graph::new(&mut tm, program, &procedures.code);
        let mut first = First::default();
        let end = search(&mut tm, &graph, config, &mut first, budget, stats);
        let missed = match (end, first.0) {
            (_, Some(script)) => match replay_script(program, &script, budget) {
                Ok(verdict) => return verdict,
                Err(reason) => (script.missed, reason),
            },
            (End::Proved(labels), None) => {
                let summaries = labels.summaries(&mut tm, &graph);
                return certify(tm, program, summaries, budget, stats);
            }
            (End::Open(reason), None) => return Verdict::Unknown(reason),
            (End::Stopped, None) => {
                return Verdict::Unknown(Reason::Internal("a search that stopped by itself".into()));
            }
        };
        let known = exact.len();
        exact.extend(missed.0);
        if exact.len() == known || budget.check().is_err() {
            return Verdict::Unknown(missed.1);
        }
        stats.add("searches with more exact formulas", 1);
        let again = encode_procedures(Terms::new(), program, knowledge, granularity, &exact, budget);
        encoded = again.map(Arc::new).map_err(Reason::Stopped);
    }
}

/// Why a search ends before it has an answer.
enum Stop {
    /// No more goals are wanted.
    Wanted,
    Without(Reason),
}

impl Stop {
    fn internal(what: &str) -> Self {
        Stop::Without(Reason::internal(what))
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Stop::Without(reason)
    }
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        Stop::Without(reason.into())
    }
}

impl Config {
    /// With all that helps, on the graph that fits what is learnt.
    pub fn new(learn: Learning, procedures: bool) -> Self {
        Config {
            learn,
            procedures,
            merge: learn != Learning::Nothing,
            decisions: Decisions::Joined,
            substitute: true,
            predicates: true,
            backward: true,
            bounded_loops: true,
        }
    }

    /// Where procedures are cut into actions.
    pub fn granularity(self) -> Granularity {
        match self.merge {
            true => Granularity::Blocks(self.decisions),
            false => Granularity::Paths,
        }
    }
}
