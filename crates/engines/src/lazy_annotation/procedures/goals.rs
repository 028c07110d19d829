//! The goals of a search: what is done when one is reached, and how a search for all of them ends.
//!
//! Goals are edges into error locations; several of them may lie in one segment. A goal that has been reached
//! is closed: the formulas of segments do not take its edge any more, so that what was learnt stays true, and
//! summaries serve all goals.

use super::{Search, Stop, pairs_of};
use crate::functions::{BodyEdgeId, View};
use crate::lazy_annotation::annotation::Bounds;
use crate::procedures::{Script, certify, replay_script};
use crate::verdict::Reason;
use crate::verify::Verdict;
use craig_base::{Budget, Set, Stats};
use craig_certificate::Summaries;
use craig_exec::Test;
use craig_program::{EdgeId, ProcId, Program};
use craig_term::{Model, Substitution, TermId, Terms};

/// An edge of a procedure that leads to an error.
pub type GoalEdge = (ProcId, EdgeId);

/// What is to be reached, from the point of view of the search.
pub trait Goals {
    /// The search came to one of the goals `at`, with a test if the program agrees. Returns the goals that are
    /// closed, which should include one of these; none if the search can stop.
    fn reached(
        &mut self,
        at: &[GoalEdge],
        test: Result<Test, Reason>,
        stats: &Stats,
    ) -> Option<Set<GoalEdge>>;

    /// The search goes on. Returns goals that are closed for other reasons; none if it can stop.
    fn waiting(&mut self, _: &mut Stats) -> Option<Set<GoalEdge>> {
        Some(Set::default())
    }
}

/// How a search for goals ended.
pub enum End {
    /// [`Goals::reached`] wanted no more.
    Stopped,
    /// No goal that is not closed can be reached, by these contracts.
    Proved(Box<Terms>, Summaries),
    Open(Reason),
}

/// Searches for all goals of a program with procedures.
pub fn search(program: &Program, goals: &mut dyn Goals, budget: &Budget, stats: &mut Stats) -> End {
    let mut terms = Terms::new();
    let mut view = match View::new(program, &mut terms, budget) {
        Ok(view) => view,
        Err(reason) => return End::Open(Reason::Stopped(reason)),
    };
    let mut search = Search::new(&mut terms, program, &mut view, goals, budget, stats);
    match search.run() {
        Err(stop) => End::Open(stop.into()),
        Ok(false) => End::Stopped,
        Ok(true) => {
            let summaries = search.summaries();
            End::Proved(Box::new(terms), summaries)
        }
    }
}

/// Searches for the error of a program with procedures, and certifies what it finds.
pub fn check(program: &Program, budget: &Budget, stats: &mut Stats) -> Verdict {
    let mut first = First::default();
    match (search(program, &mut first, budget, stats), first.0) {
        (_, Some(Ok(test))) => Verdict::Unsafe(test),
        (_, Some(Err(reason))) | (End::Open(reason), None) => Verdict::Unknown(reason),
        (End::Proved(terms, summaries), None) => certify(*terms, program, summaries, budget, stats),
        (End::Stopped, None) => Verdict::Unknown(Reason::Internal("a search that stopped by itself".into())),
    }
}

/// The first path to an error is all that matters.
#[derive(Default)]
pub(super) struct First(pub Option<Result<Test, Reason>>);

impl Goals for First {
    fn reached(&mut self, _: &[GoalEdge], test: Result<Test, Reason>, _: &Stats) -> Option<Set<GoalEdge>> {
        self.0 = Some(test);
        None
    }
}

impl Search<'_> {
    /// The path leads to a goal: it is run, and closed with all others that count as reached.
    pub(super) fn reached(&mut self, edge: BodyEdgeId, model: &Model) -> Result<(), Stop> {
        self.stats.add("goals reached", 1);
        let mut script = Script::default();
        let internal = || Stop::Internal("a model without a path");
        for (slot, &value) in self.view.functions[self.view.main].params.iter().zip(&self.path[0].values) {
            script.start.insert(slot.var, self.terms.eval(value, model).map_err(|_| internal())?);
        }
        let mut last = Vec::new();
        for query in &mut self.path {
            let Some((function, edge, renaming)) = &mut query.step else { continue };
            let function = &mut self.view.functions[*function];
            let Some((block, substitution)) = &mut function.edges[*edge].segment else { continue };
            let terms = &mut *self.terms;
            let mut renaming = Substitution::from_pairs(pairs_of(renaming));
            let evaluate = |term: TermId| {
                let term = substitution.apply(terms, term);
                let term = renaming.apply(terms, term);
                terms.eval(term, model).ok()
            };
            let block = &self.view.horn.blocks[*block];
            let edges = script.segment(self.program, function.proc, block, evaluate).ok_or_else(internal)?;
            last = edges.into_iter().map(|edge| (function.proc, edge)).collect();
        }
        let test = match replay_script(self.program, &script, self.budget) {
            Ok(Verdict::Unsafe(test)) => Ok(test),
            Ok(_) => Err(Reason::Internal("a replay without a result".to_string())),
            Err(reason) => Err(reason),
        };
        let Some(closed) = self.goals.reached(&last, test, self.stats) else {
            self.stopped = true;
            return Ok(());
        };
        // Back to the query before the goal, whose edge does not lead there any more.
        self.backtrack(Some(Bounds::default()));
        let is_closed = last.iter().any(|goal| closed.contains(goal));
        self.close(closed);
        if is_closed { Ok(()) } else { self.give_up(edge, Stop::Internal("a goal that cannot be closed")) }
    }

    /// Asks whether the search should go on.
    pub(super) fn wait(&mut self) {
        match self.goals.waiting(self.stats) {
            None => self.stopped = true,
            Some(closed) if closed.is_empty() => {}
            Some(closed) => self.close(closed),
        }
    }

    /// Takes the edges of goals out of the segments.
    fn close(&mut self, goals: Set<GoalEdge>) {
        for function in self.view.functions.iter_mut() {
            for edge in function.edges.iter_mut() {
                let Some((block, substitution)) = &mut edge.segment else { continue };
                for (&taken, &literal) in &self.view.horn.blocks[*block].edges {
                    let goal = (function.proc, taken);
                    if goals.contains(&goal) && !self.closed.contains(&goal) {
                        let literal = substitution.apply(self.terms, literal);
                        let open = self.terms.not(literal);
                        edge.formula = self.terms.and2(edge.formula, open);
                    }
                }
            }
        }
        self.closed.extend(goals);
    }
}
