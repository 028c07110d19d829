//! Tests for all that can be reached, and proofs that the rest cannot.
//!
//! Every goal becomes an error location of an instrumented program ([`goals`]). Goals are reached by
//! random runs first; then by lazy annotation, which goes on after each goal and in the end proves
//! that no remaining one can be reached. When it has not reached anything new for a while, other engines are
//! asked for any of the remaining goals ([`others`]): what is left then is mostly dead, and they may have
//! the better proof. What is open when lazy annotation has used its time is looked for by concolic runs
//! ([`concolic`]), and asked for once more, in the end goal by goal. Each test is replayed on the program as it was, and
//! counts for all goals that it passes; what is left when an engine answers `safe` is dead, by an
//! invariant that the common checker has accepted for exactly these goals.

mod concolic;
mod goals;
mod others;

#[cfg(test)]
mod tests;

pub use goals::{Criterion, Goal, GoalId, Goals};

use crate::lazy_annotation::{self, End, procedures};
use crate::path::{ProgramPath, number};
use crate::race::Member;
use crate::random::seed_of_run;
use crate::verdict::Reason;
use crate::verify::{Engine, INLINE_LIMIT, view};
use craig_base::{Budget, IndexVec, Map, OrderedSet, Set, Stats};
use craig_certificate::{Invariant, check_invariant, check_summaries};
use craig_exec::{
    Coverage, Detail, Executable, InputSite, Limits, Observer, Outcome, RandomOracle, Run, Site, StateView,
    Test,
};
use craig_program::encode::{CutpointEncoding, ExactCase};
use craig_program::{
    CutEdgeId, EdgeId, EdgeOrigin, EdgeRole, Inlined, Proc, Program, ScalarCell, Simplified, inline, simplify,
};
use craig_term::Terms;
use goals::Instrumented;
use others::Patience;

/// What share of the time, in per cent, lazy annotation may use if there are other engines.
const ANNOTATION_SHARE: u32 = 60;
/// What share of the time that lazy annotation leaves, in per cent, goes to concolic runs.
const CONCOLIC_SHARE: u32 = 30;

#[derive(Clone, Debug)]
pub struct Config {
    /// Of the random runs.
    pub seed: u64,
    pub random_runs: u64,
    /// How many statements one run may execute.
    pub steps: u64,
    /// Without it, there are only random runs.
    pub lazy_annotation: Option<lazy_annotation::Config>,
    /// The engines that are asked for what lazy annotation has not decided. Without any, there is lazy
    /// annotation alone.
    pub others: Vec<Member<Engine>>,
    /// How many of them work at the same time.
    pub workers: usize,
}

/// What is known of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// By the test with this number.
    Covered(usize),
    /// Proved unreachable.
    Dead,
    Open(String),
}

/// A point on the way: after so many backtracks, so many goals were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub backtracks: u64,
    pub covered: usize,
}

pub struct Report {
    pub goals: Goals,
    pub status: IndexVec<GoalId, Status>,
    pub tests: Vec<Test>,
    /// How lazy annotation went on.
    pub progress: Vec<Progress>,
}

/// Covers the goals, or proves them dead, as far as the budget allows. Whenever more are reached, `watch`
/// is told how many.
pub fn cover(
    program: &Program,
    goals: Goals,
    config: &Config,
    budget: &Budget,
    stats: &mut Stats,
    watch: &dyn Fn(usize),
) -> Report {
    let undecided = Status::Open("not tried".to_string());
    let status = IndexVec::from_elem(undecided, goals.goals.len());
    let report = Report { goals, status, tests: Vec::new(), progress: Vec::new() };
    let mut covering = Covering {
        program,
        executable: Executable::new(program, Detail::Edges),
        config,
        budget,
        watch,
        report,
        patience: Patience::of(budget),
    };
    covering.random_runs(stats);
    let Some(search) = config.lazy_annotation else { return covering.report };
    if let Some(why) = covering.annotate(search, stats) {
        covering.leave_open(&why);
        if config.others.is_empty() {
            return covering.report;
        }
        covering.explore(&covering.part_of_time(CONCOLIC_SHARE), stats);
        if let Some(why) = covering.ask_others(stats) {
            covering.leave_open(&why);
        }
    }
    covering.report
}

struct Covering<'a> {
    program: &'a Program,
    executable: Executable<'a>,
    config: &'a Config,
    budget: &'a Budget,
    watch: &'a dyn Fn(usize),
    report: Report,
    patience: Patience,
}

impl Covering<'_> {
    fn limits(&self) -> Limits {
        Limits { steps: self.config.steps, budget: self.budget.clone(), ..Limits::default() }
    }

    fn is_open(&self, goal: GoalId) -> bool {
        matches!(self.report.status[goal], Status::Open(_))
    }

    fn open_goals(&self) -> impl Iterator<Item = GoalId> {
        self.report.status.indices().filter(|&goal| self.is_open(goal))
    }

    fn covered(&self) -> usize {
        self.report.status.iter().filter(|status| matches!(status, Status::Covered(_))).count()
    }

    fn leave_open(&mut self, why: &Reason) {
        for status in self.report.status.iter_mut().filter(|status| matches!(status, Status::Open(_))) {
            *status = Status::Open(why.to_string());
        }
    }

    fn note_progress(&mut self, stats: &Stats) {
        let (backtracks, covered) = (stats.count("backtracks"), self.covered());
        self.report.progress.push(Progress { backtracks, covered });
    }

    fn random_runs(&mut self, stats: &mut Stats) {
        let limits = self.limits();
        let mut coverage = Coverage::new(self.program);
        let mut oracle = RandomOracle::new(self.program, 0);
        for number in 0..self.config.random_runs {
            if self.budget.check().is_err() || self.open_goals().next().is_none() {
                return;
            }
            stats.add("random runs", 1);
            let mut growing = Growing { coverage: &mut coverage, grew: false };
            oracle.reseed(seed_of_run(self.config.seed, self.config.random_runs, number));
            let run = self.executable.observe(&mut oracle, &limits, &mut growing);
            if growing.grew {
                self.take(&run, &coverage);
            }
        }
    }

    /// Keeps the test of a run that reached something new; says what.
    fn take(&mut self, run: &Run, coverage: &Coverage) -> Vec<GoalId> {
        let reached: Vec<GoalId> = self.report.goals.reached(self.program, coverage).collect();
        let new: Vec<GoalId> = reached.into_iter().filter(|&goal| self.is_open(goal)).collect();
        if !new.is_empty() {
            for &goal in &new {
                self.report.status[goal] = Status::Covered(self.report.tests.len());
            }
            self.report.tests.push(run.test(self.program));
            self.patience.begin();
            (self.watch)(self.covered());
        }
        new
    }

    /// Runs the program with these inputs, and zeros behind them; a run that would not end that way
    /// ends with the inputs.
    fn try_inputs(&mut self, values: &[i128]) -> Vec<GoalId> {
        for after in [Some(0), None] {
            let mut left = values.iter().copied();
            let mut oracle = |_: &InputSite| left.next().or(after);
            let mut coverage = Coverage::new(self.program);
            let run = self.executable.observe(&mut oracle, &self.limits(), &mut coverage);
            if after.is_none() || !matches!(run.outcome, Outcome::StepLimit) {
                return self.take(&run, &coverage);
            }
        }
        Vec::new()
    }

    /// A part, in per cent, of the time that is left.
    fn part_of_time(&self, share: u32) -> Budget {
        match self.budget.remaining() {
            Some(remaining) => self.budget.clone().with_timeout(remaining * share / 100),
            None => self.budget.clone(),
        }
    }

    /// Lazy annotation over all goals at once. Returns why some are still open.
    fn annotate(&mut self, config: lazy_annotation::Config, stats: &mut Stats) -> Option<Reason> {
        let own = self.part_of_time(if self.config.others.is_empty() { 100 } else { ANNOTATION_SHARE });
        self.patience.begin();
        let open: Vec<GoalId> = self.open_goals().collect();
        if open.is_empty() {
            return None;
        }
        let instrumented = self.report.goals.instrument(self.program, |goal| open.contains(&goal));
        let (Ok(inlined), Ok(plain)) =
            (inline(&instrumented.program, INLINE_LIMIT), inline(self.program, INLINE_LIMIT))
        else {
            return self.annotate_procedures(&instrumented, &own, stats);
        };
        let mut simplified = match simplify(&inlined.program, &own) {
            Ok(simplified) => simplified,
            Err(reason) => return Some(Reason::Stopped(reason)),
        };
        // Where formulas only approximate the way to a goal, they are made exact for the values in question,
        // and the search is repeated.
        loop {
            let known = simplified.ranges.exact.len();
            let mut missed = OrderedSet::default();
            let views = Views {
                instrumented: &instrumented,
                inlined: &inlined,
                plain: &plain,
                simplified: &simplified,
            };
            let why = self.annotate_inlined(config, &views, &own, &mut missed, stats);
            simplified.ranges.exact.extend(missed);
            if why.is_none() || simplified.ranges.exact.len() == known || own.check().is_err() {
                return why;
            }
            stats.add("searches with more exact formulas", 1);
        }
    }

    /// The same with given formulas. `missed` are cases in which they should be more exact.
    fn annotate_inlined(
        &mut self,
        config: lazy_annotation::Config,
        views: &Views<'_>,
        budget: &Budget,
        missed: &mut OrderedSet<ExactCase>,
        stats: &mut Stats,
    ) -> Option<Reason> {
        let &Views { instrumented, inlined, plain, simplified } = views;
        let mut tm = Terms::new();
        let cuts = |program: &Program, proc: &Proc| config.cuts(program, proc);
        let view = match view(inlined, simplified, cuts, &mut tm, budget) {
            Ok(view) => view,
            Err(reason) => return Some(Reason::Stopped(reason)),
        };
        let of_edge = goal_edges(instrumented, inlined, &view.encoding);
        let guards = guard_edges(self.program, inlined);
        let scalars = &simplified.scalars;
        let given_up = Set::default();
        let mut reaching = Reaching { covering: self, plain, scalars, of_edge, guards, given_up, missed };
        let end = lazy_annotation::search(&mut tm, &view, config, &mut reaching, budget, stats);
        let given_up = reaching.given_up;
        let found = match end {
            End::Proved(found) => found,
            End::Stopped => return None,
            End::Open(reason) => return Some(reason),
        };
        let invariant = Invariant { formulas: simplified.invariants(&mut tm, &found.formulas) };
        let proved = |goal: GoalId| self.is_open(goal) && !given_up.contains(&goal);
        let dead = self.report.goals.instrument(self.program, proved);
        let Ok(inlined) = inline(&dead.program, INLINE_LIMIT) else {
            return Some(Reason::internal("the same program cannot be inlined twice"));
        };
        match check_invariant(&mut tm, &inlined.program, &invariant, self.budget) {
            Ok(()) => self.proved(&given_up),
            Err(rejection) => Some(Reason::Rejected(rejection.to_string())),
        }
    }

    /// Lazy annotation over all goals at once where procedures cannot be inlined: their summaries serve all
    /// goals and all calls.
    fn annotate_procedures(
        &mut self,
        instrumented: &Instrumented,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<Reason> {
        let mut reaching = ReachingInProcedures { covering: self, instrumented, given_up: Set::default() };
        let end = procedures::search(&instrumented.program, &mut reaching, budget, stats);
        let given_up = reaching.given_up;
        let (mut terms, summaries) = match end {
            procedures::End::Proved(terms, summaries) => (terms, summaries),
            procedures::End::Stopped => return None,
            procedures::End::Open(reason) => return Some(reason),
        };
        let proved = |goal: GoalId| self.is_open(goal) && !given_up.contains(&goal);
        let dead = self.report.goals.instrument(self.program, proved);
        match check_summaries(&mut terms, &dead.program, &summaries, self.budget) {
            Ok(()) => self.proved(&given_up),
            Err(rejection) => Some(Reason::Rejected(rejection.to_string())),
        }
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

/// The inputs that decide where a run of the instrumented program ends.
fn guard_edges(program: &Program, inlined: &Inlined) -> Set<EdgeId> {
    let inserted = |origin: &EdgeOrigin| {
        let proc = inlined.contexts[origin.context].proc;
        origin.role == EdgeRole::Statement && origin.edge.0 as usize >= program.procs[proc].edges.len()
    };
    inlined.edges.enumerated().filter(|(_, origin)| inserted(origin)).map(|(id, _)| id).collect()
}

/// The goals behind each edge into the error.
fn goal_edges(
    instrumented: &Instrumented,
    inlined: &Inlined,
    encoding: &CutpointEncoding,
) -> Map<CutEdgeId, Vec<GoalId>> {
    let cuts = &encoding.cuts;
    let goal = |edge: &EdgeId| {
        let origin = &inlined.edges[*edge];
        let proc = inlined.contexts[origin.context].proc;
        instrumented.edges.get(&(proc, origin.edge)).copied()
    };
    let into_error = cuts.cutpoints[cuts.error].incoming.iter();
    into_error.map(|&id| (id, cuts.edges[id].segment.edges.iter().filter_map(goal).collect())).collect()
}

/// The program in which goals are errors, as lazy annotation sees it.
struct Views<'v> {
    instrumented: &'v Instrumented,
    inlined: &'v Inlined,
    /// The program without goals, inlined.
    plain: &'v Inlined,
    simplified: &'v Simplified,
}

/// The coverage of many runs, and whether the last one added to it.
struct Growing<'c> {
    coverage: &'c mut Coverage,
    grew: bool,
}

impl Observer for Growing<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        if !self.coverage.covers(site) {
            self.grew = true;
            self.coverage.edge(site, state);
        }
    }
}

/// Takes what lazy annotation finds.
struct Reaching<'c, 'a> {
    covering: &'c mut Covering<'a>,
    /// The program without goals, inlined.
    plain: &'c Inlined,
    scalars: &'c [ScalarCell],
    /// The goals behind each edge into the error.
    of_edge: Map<CutEdgeId, Vec<GoalId>>,
    /// The inlined edges of inputs that the program does not have.
    guards: Set<EdgeId>,
    /// Goals that only formulas reach.
    given_up: Set<GoalId>,
    /// Cases in which formulas should be more exact.
    missed: &'c mut OrderedSet<ExactCase>,
}

impl lazy_annotation::Goals for Reaching<'_, '_> {
    fn reached(&mut self, edge: CutEdgeId, mut path: ProgramPath, stats: &Stats) -> Option<Vec<CutEdgeId>> {
        path.restore_memory(self.scalars);
        let goals = self.of_edge.get(&edge).cloned().unwrap_or_default();
        let own = path.inputs.iter().filter(|(edge, _)| !self.guards.contains(edge));
        let mut inputs = own.map(|(_, value)| value.as_ref().map_or(0, number));
        let limits = self.covering.limits();
        let run = path.execute_with(&self.plain.program, &limits, |_| inputs.next());
        let values: Vec<i128> = run.inputs.iter().map(|input| input.value).collect();
        self.covering.try_inputs(&values);
        for goal in goals {
            if self.covering.is_open(goal) {
                // Formulas say that it can be reached, and no run agrees.
                self.given_up.insert(goal);
                self.missed.extend(path.missed.iter().cloned());
            }
        }
        self.covering.note_progress(stats);
        Some(self.closed())
    }

    fn waiting(&mut self, stats: &mut Stats) -> Option<Vec<CutEdgeId>> {
        match self.covering.consult(&self.given_up, stats) {
            true => self.covering.open_goals().next().map(|_| self.closed()),
            false => Some(Vec::new()),
        }
    }
}

impl Reaching<'_, '_> {
    fn closed(&self) -> Vec<CutEdgeId> {
        let is_closed = |goal: &GoalId| !self.covering.is_open(*goal) || self.given_up.contains(goal);
        let closed = self.of_edge.iter().filter(|(_, goals)| goals.iter().all(is_closed));
        let mut closed: Vec<CutEdgeId> = closed.map(|(&edge, _)| edge).collect();
        closed.sort();
        closed
    }
}

/// Takes what lazy annotation with procedures finds.
struct ReachingInProcedures<'c, 'a> {
    covering: &'c mut Covering<'a>,
    instrumented: &'c Instrumented,
    /// Goals that only formulas reach.
    given_up: Set<GoalId>,
}

impl procedures::Goals for ReachingInProcedures<'_, '_> {
    fn reached(
        &mut self,
        at: &[procedures::GoalEdge],
        test: Result<Test, Reason>,
        stats: &Stats,
    ) -> Option<Set<procedures::GoalEdge>> {
        if let Ok(test) = test {
            let values = self.covering.without_guards(&self.instrumented.program, &test);
            self.covering.try_inputs(&values);
        }
        for goal in at.iter().filter_map(|edge| self.instrumented.edges.get(edge)) {
            if self.covering.is_open(*goal) {
                self.given_up.insert(*goal);
            }
        }
        self.covering.note_progress(stats);
        Some(self.closed())
    }

    fn waiting(&mut self, stats: &mut Stats) -> Option<Set<procedures::GoalEdge>> {
        match self.covering.consult(&self.given_up, stats) {
            true => self.covering.open_goals().next().map(|_| self.closed()),
            false => Some(Set::default()),
        }
    }
}

impl ReachingInProcedures<'_, '_> {
    fn closed(&self) -> Set<procedures::GoalEdge> {
        let is_closed = |goal: &GoalId| !self.covering.is_open(*goal) || self.given_up.contains(goal);
        let all = self.instrumented.edges.iter();
        all.filter(|(_, goal)| is_closed(goal)).map(|(&edge, _)| edge).collect()
    }
}
