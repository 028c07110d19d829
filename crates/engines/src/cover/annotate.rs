//! Lazy annotation over all goals at once: what it reaches is run, and what it proves is checked.
//!
//! Programs are inlined where that is possible. Otherwise they keep their procedures, whose summaries serve all goals
//! and all calls. Where formulas only approximate the way to a goal, they are made exact for the values in question,
//! and the search is repeated.
//!
//! A goal cuts a decision between many cases in two (see [`craig_program::Decisions`]). So when most of the goals are
//! reached and nothing new comes, the search begins again with the others only.

use super::goals::Instrumented;
use super::{ANNOTATION_SHARE, Covering, GoalId, Status};
use crate::horn::contracts::{Script, replay_script};
use crate::path::{ProgramPath, number};
use crate::search::lazy_annotation::{self, Config, End};
use crate::verdict::Reason;
use crate::verify::{INLINE_LIMIT, Verdict};
use crate::view::{Action, EdgeId, Encoded, Graph, Knowledge, encode_inlined, encode_procedures};
use craig_base::{Budget, Map, OrderedSet, Set, Stats};
use craig_certificate::{Invariant, check_invariant, check_summaries};
use craig_program::encode::ExactCase;
use craig_program::{
    Decisions, EdgeId as ProgramEdge, EdgeOrigin, EdgeRole, Granularity, Inlined, ProcId, Program,
    Simplified, inline, simplify,
};
use craig_term::Terms;
use std::cell::Cell;

/// After how many backtracks without a new goal the search may begin again with fewer goals.
const QUIET: u64 = 300;

/// What all searches for the goals of a program share.
struct Searches<'s> {
    instrumented: &'s Instrumented,
    config: Config,
    budget: &'s Budget,
    /// How many goals there are.
    open: usize,
    /// Most of them are decided, and the rest should be searched for without them.
    is_stale: Cell<bool>,
}

impl Covering<'_> {
    /// Returns why some goals are still open.
    pub(super) fn annotate(&mut self, config: Config, stats: &mut Stats) -> Option<Reason> {
        let own = self.part_of_time(if self.config.others.is_empty() { 100 } else { ANNOTATION_SHARE });
        loop {
            let (why, is_stale) = self.annotate_open(config, &own, stats);
            if !is_stale {
                return why;
            }
            stats.add("searches for fewer goals", 1);
        }
    }

    /// The same for the goals that are open. Also whether the search ended because too few of them still are.
    fn annotate_open(&mut self, config: Config, own: &Budget, stats: &mut Stats) -> (Option<Reason>, bool) {
        self.patience.begin();
        let open: Vec<GoalId> = self.open_goals().collect();
        if open.is_empty() {
            return (None, false);
        }
        let instrumented = self.report.goals.instrument(self.program, |goal| open.contains(&goal));
        let (open, is_stale) = (open.len(), Cell::new(false));
        let searches = Searches { instrumented: &instrumented, config, budget: own, open, is_stale };
        let inlined = |program: &Program| inline(program, INLINE_LIMIT).ok().filter(|_| !config.procedures);
        let (Some(inlined), Some(plain)) = (inlined(&instrumented.program), inlined(self.program)) else {
            let why = repeated(own, stats, |exact, stats| self.annotate_procedures(&searches, exact, stats));
            return (why, searches.is_stale.get());
        };
        let mut simplified = match simplify(&inlined.program, own) {
            Ok(simplified) => simplified,
            Err(reason) => return (Some(Reason::Stopped(reason)), false),
        };
        let why = repeated(own, stats, |exact, stats| {
            simplified.ranges.exact.clone_from(exact);
            self.annotate_inlined(&searches, (&inlined, &plain, &simplified), stats)
        });
        (why, searches.is_stale.get())
    }

    fn annotate_inlined(
        &mut self,
        searches: &Searches<'_>,
        (inlined, plain, simplified): (&Inlined, &Inlined, &Simplified),
        stats: &mut Stats,
    ) -> Attempt {
        let granularity = searches.config.granularity();
        let encoded = match encode_inlined(simplified, granularity, &simplified.ranges, searches.budget) {
            Ok(encoded) => encoded,
            Err(reason) => return Attempt::failed(Reason::Stopped(reason)),
        };
        let Encoded { terms: mut tm, code } = encoded;
        let graph = Graph::new(&mut tm, &simplified.program, std::slice::from_ref(&code));
        let goal = |_, edge: ProgramEdge| {
            let origin = &inlined.edges[edge];
            let proc = inlined.contexts[origin.context].proc;
            searches.instrumented.edges.get(&(proc, origin.edge)).copied()
        };
        let guards = guard_edges(self.program, inlined);
        let inputs = |covering: &Covering<'_>, script: Script| {
            let mut path = ProgramPath::from(script);
            path.restore_memory(&simplified.scalars);
            let own = path.inputs.iter().filter(|(edge, _)| !guards.contains(edge));
            let mut inputs = own.map(|(_, value)| value.as_ref().map_or(0, number));
            let run = path.execute_with(&plain.program, &covering.limits(), |_| inputs.next());
            Some(run.inputs.iter().map(|input| input.value).collect())
        };
        let (end, mut attempt) = self.search(searches, &mut tm, &graph, &goal, &inputs, stats);
        let labels = match end {
            Ok(labels) => labels,
            Err(why) => return Attempt { why, ..attempt },
        };
        let found = labels.invariant(&mut tm, &graph);
        let invariant = Invariant { formulas: simplified.invariants(&mut tm, &found.formulas), ..found };
        let dead = self.dead(&attempt.given_up);
        attempt.why = match inline(&dead.program, INLINE_LIMIT) {
            Err(_) => Some(Reason::internal("the same program cannot be inlined twice")),
            Ok(inlined) => match check_invariant(&mut tm, &inlined.program, &invariant, self.budget) {
                Ok(()) => self.proved(&attempt.given_up),
                Err(rejection) => Some(Reason::Rejected(rejection.to_string())),
            },
        };
        attempt
    }

    fn annotate_procedures(
        &mut self,
        searches: &Searches<'_>,
        exact: &OrderedSet<ExactCase>,
        stats: &mut Stats,
    ) -> Attempt {
        let (program, budget) = (&searches.instrumented.program, searches.budget);
        let granularity = searches.config.granularity();
        let encoded =
            encode_procedures(Terms::new(), program, Knowledge::Intervals, granularity, exact, budget);
        let Encoded { terms: mut tm, code } = match encoded {
            Ok(encoded) => encoded,
            Err(reason) => return Attempt::failed(Reason::Stopped(reason)),
        };
        let graph = Graph::new(&mut tm, program, &code);
        let goal = |proc, edge| searches.instrumented.edges.get(&(proc, edge)).copied();
        let inputs = |covering: &Covering<'_>, script: Script| match replay_script(program, &script, budget) {
            Ok(Verdict::Unsafe(test)) => Some(covering.without_guards(program, &test)),
            _ => None,
        };
        let (end, mut attempt) = self.search(searches, &mut tm, &graph, &goal, &inputs, stats);
        let labels = match end {
            Ok(labels) => labels,
            Err(why) => return Attempt { why, ..attempt },
        };
        let summaries = labels.summaries(&mut tm, &graph);
        let dead = self.dead(&attempt.given_up);
        attempt.why = match check_summaries(&mut tm, &dead.program, &summaries, self.budget) {
            Ok(()) => self.proved(&attempt.given_up),
            Err(rejection) => Some(Reason::Rejected(rejection.to_string())),
        };
        attempt
    }

    /// Searches a graph. Returns a proof, or why there is none.
    fn search(
        &mut self,
        searches: &Searches<'_>,
        tm: &mut Terms,
        graph: &Graph<'_>,
        goal: &dyn Fn(ProcId, ProgramEdge) -> Option<GoalId>,
        inputs: Inputs<'_>,
        stats: &mut Stats,
    ) -> (Result<lazy_annotation::Labels, Option<Reason>>, Attempt) {
        let of_edge = goal_edges(graph, goal);
        let (attempt, last_reached) = (Attempt::default(), stats.count("backtracks"));
        let mut reaching = Reaching { covering: self, searches, inputs, of_edge, attempt, last_reached };
        let end = lazy_annotation::search(tm, graph, searches.config, &mut reaching, searches.budget, stats);
        let end = match end {
            End::Proved(labels) => Ok(labels),
            End::Stopped => Err(None),
            End::Open(reason) => Err(Some(reason)),
        };
        (end, reaching.attempt)
    }

    /// The program whose goals are those that were proved dead.
    fn dead(&self, given_up: &Set<GoalId>) -> Instrumented {
        let proved = |goal: GoalId| self.is_open(goal) && !given_up.contains(&goal);
        self.report.goals.instrument(self.program, proved)
    }

    /// All open goals are dead but those that were given up. Returns why some are still open.
    fn proved(&mut self, given_up: &Set<GoalId>) -> Option<Reason> {
        let dead: Vec<GoalId> = self.open_goals().filter(|goal| !given_up.contains(goal)).collect();
        for goal in dead {
            self.report.status[goal] = Status::Dead;
        }
        let unclear = || Reason::NotReplayed("formulas only approximate the way there".to_string());
        self.open_goals().next().is_some().then(unclear)
    }
}

/// What came of one search.
#[derive(Default)]
struct Attempt {
    /// Why there are open goals.
    why: Option<Reason>,
    /// Goals that only formulas reach.
    given_up: Set<GoalId>,
    /// Cases in which formulas should be more exact.
    missed: OrderedSet<ExactCase>,
}

impl Attempt {
    fn failed(reason: Reason) -> Self {
        Attempt { why: Some(reason), ..Attempt::default() }
    }
}

/// Attempts with formulas that are exact in more and more cases.
fn repeated(
    budget: &Budget,
    stats: &mut Stats,
    mut attempt: impl FnMut(&OrderedSet<ExactCase>, &mut Stats) -> Attempt,
) -> Option<Reason> {
    let mut exact = OrderedSet::default();
    loop {
        let known = exact.len();
        let Attempt { why, missed, .. } = attempt(&exact, stats);
        exact.extend(missed);
        if why.is_none() || exact.len() == known || budget.check().is_err() {
            return why;
        }
        stats.add("searches with more exact formulas", 1);
    }
}

/// The inputs that decide where a run of the instrumented program ends.
fn guard_edges(program: &Program, inlined: &Inlined) -> Set<ProgramEdge> {
    let inserted = |origin: &EdgeOrigin| {
        let proc = inlined.contexts[origin.context].proc;
        origin.role == EdgeRole::Statement && origin.edge.0 as usize >= program.procs[proc].edges.len()
    };
    inlined.edges.enumerated().filter(|(_, origin)| inserted(origin)).map(|(id, _)| id).collect()
}

/// The goals after each edge into an error.
fn goal_edges(
    graph: &Graph<'_>,
    goal: &dyn Fn(ProcId, ProgramEdge) -> Option<GoalId>,
) -> Map<EdgeId, Vec<GoalId>> {
    let mut goals = Map::default();
    for (id, edge) in graph.edges.enumerated().filter(|(_, edge)| graph.nodes[edge.to].is_error) {
        let Action::Block(block) = edge.action else { continue };
        let proc = graph.procedure(edge.from).encoding.proc;
        goals.insert(id, block.edges.keys().filter_map(|&edge| goal(proc, edge)).collect());
    }
    goals
}

/// The inputs with which the program takes a path that was found, if it does.
type Inputs<'i> = &'i dyn Fn(&Covering<'_>, Script) -> Option<Vec<i128>>;

/// Takes what lazy annotation finds.
struct Reaching<'c, 'a> {
    covering: &'c mut Covering<'a>,
    searches: &'c Searches<'c>,
    inputs: Inputs<'c>,
    of_edge: Map<EdgeId, Vec<GoalId>>,
    attempt: Attempt,
    /// The backtracks when a goal was reached last.
    last_reached: u64,
}

impl lazy_annotation::Goals for Reaching<'_, '_> {
    fn reached(&mut self, edge: EdgeId, script: Script, stats: &Stats) -> Option<Vec<EdgeId>> {
        let missed = script.missed.clone();
        if let Some(inputs) = (self.inputs)(self.covering, script) {
            self.covering.try_inputs(&inputs);
        }
        for &goal in self.of_edge.get(&edge).into_iter().flatten() {
            if self.covering.is_open(goal) {
                // Formulas say that it can be reached, and no run agrees.
                self.attempt.given_up.insert(goal);
                self.attempt.missed.extend(missed.iter().cloned());
            }
        }
        self.covering.note_progress(stats);
        self.last_reached = stats.count("backtracks");
        Some(self.closed())
    }

    fn waiting(&mut self, stats: &mut Stats) -> Option<Vec<EdgeId>> {
        if stats.count("backtracks") >= self.last_reached + QUIET && self.is_stale() {
            self.searches.is_stale.set(true);
            return None;
        }
        match self.covering.consult(&self.attempt.given_up, stats) {
            true => self.covering.open_goals().next().map(|_| self.closed()),
            false => Some(Vec::new()),
        }
    }
}

impl Reaching<'_, '_> {
    /// Whether most of the goals are decided, in a graph that would be smaller without them.
    fn is_stale(&self) -> bool {
        self.searches.config.granularity() == Granularity::Blocks(Decisions::Joined)
            && 2 * self.covering.open_goals().count() <= self.searches.open
    }

    fn closed(&self) -> Vec<EdgeId> {
        let is_closed = |goal: &GoalId| !self.covering.is_open(*goal) || self.attempt.given_up.contains(goal);
        let closed = self.of_edge.iter().filter(|(_, goals)| goals.iter().all(is_closed));
        let mut closed: Vec<EdgeId> = closed.map(|(&edge, _)| edge).collect();
        closed.sort();
        closed
    }
}
