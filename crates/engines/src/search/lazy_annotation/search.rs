//! INTERLA: symbolic execution that is guided by what was learnt from its failures.

use super::annotation::{Annotation, Bounds, Known, Label, Question};
use super::query::{Frame, Query, Resume, Step};
use super::tau::Tau;
use super::{Config, End, Goals, Learning, Stop};
use crate::verdict::Reason;
use crate::view::{Action, EdgeId, Graph, NodeId, Solvers, fresh};
use craig_base::{Budget, IndexVec, OrderedSet, Stats, Stopwatch};
use craig_smt::native::Options;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, Substitution, TermId, Terms};

/// Paths that were executed to their end: to a goal, or to where the search turns back for another branch. That is
/// what section 3 of the paper counts.
pub const COMPLETE_PATHS: &str = "complete paths";

pub(super) struct Search<'a> {
    pub tm: &'a mut Terms,
    pub graph: &'a Graph<'a>,
    pub solvers: Solvers,
    pub config: Config,
    pub goals: &'a mut dyn Goals,
    pub budget: &'a Budget,
    pub stats: &'a mut Stats,
    pub annotation: Annotation,
    /// What is known of all reachable states at a location (see [`super::strengthen`]).
    pub invariants: IndexVec<NodeId, Vec<TermId>>,
    /// The path that is being executed, each query the successor of the one before.
    pub path: Vec<Query>,
    /// The calls that were entered on the path, those that have returned included.
    pub frames: Vec<Frame>,
    /// Knows the constraint of the last query, in one level for each query.
    pub solver: NativeSolver,
    /// The state at the entry.
    pub start: Vec<TermId>,
    pub tau: Tau,
    /// How many edges lie between a location and the nearest goal, or the exit.
    pub distance: [IndexVec<NodeId, Option<u32>>; 2],
    /// The components whose bound has ended a path since it last grew.
    pub at_bound: OrderedSet<usize>,
    /// The first thing that could not be decided.
    pub obstacle: Option<Reason>,
    /// Whether the last query was just entered: when it is left, a path is complete.
    went_on: bool,
}

/// What became of an edge.
enum Decided {
    /// It leads to a query that is not blocked, such as in this model.
    Next(Query, Model),
    /// A label of it blocks the query.
    Blocked(Bounds),
    /// Every step on it leads to a blocked state, such as this one.
    Fails(Query),
    /// τ is used up.
    AtBound,
    /// The solver cannot tell.
    Undecided(Reason),
}

impl Search<'_> {
    /// STRENGTHEN (Figure 3): INTERLA under growing bounds, until what it learnt needs none.
    pub fn run(&mut self) -> Result<End, Stop> {
        loop {
            self.stats.add("unwindings", 1);
            let root = self.interla()?;
            self.stats.max("largest bound", self.tau.largest());
            let bounded: Vec<usize> = match root {
                Some(bounds) if bounds.is_unbounded() => return Ok(End::Proved(self.labels())),
                Some(bounds) => {
                    if self.strengthened()? {
                        return Ok(End::Proved(self.labels()));
                    }
                    bounds.components().collect()
                }
                None => match self.obstacle.take() {
                    Some(obstacle) => return Ok(End::Open(obstacle)),
                    None if self.at_bound.is_empty() => return Ok(End::Open(Reason::AllPathsTried)),
                    None => std::mem::take(&mut self.at_bound).into_iter().collect(),
                },
            };
            bounded.into_iter().for_each(|component| self.tau.grow(component));
        }
    }

    /// Applies the rules (Figures 2 and 5) until no query is left. Returns the bounds under which the initial one
    /// is blocked; none if not everything was learnt.
    fn interla(&mut self) -> Result<Option<Bounds>, Stop> {
        self.init();
        loop {
            self.poll()?;
            if let Some(edge) = self.open_edge() {
                match self.decide(edge)? {
                    Decided::Next(query, model) => self.enter(query, &model)?,
                    Decided::Blocked(bounds) => self.done(edge, Some(bounds)),
                    Decided::Fails(next) => self.learn(edge, next)?,
                    Decided::AtBound => self.learn_bound(edge),
                    Decided::Undecided(why) => self.give_up(edge, why)?,
                }
            } else {
                let blocked = self.conjoin();
                if let Some(root) = self.backtrack(blocked) {
                    return Ok(root);
                }
            }
        }
    }

    /// INIT: the program begins in any state that satisfies the initial condition, and the question is whether it
    /// reaches a goal.
    fn init(&mut self) {
        let entry = self.graph.entry;
        self.frames.push(Frame { question: Question::Goal, exit: Vec::new(), resume: None, later: None });
        let state = (self.start.clone(), Terms::TRUE);
        let mut query = Query::new(self.graph, entry, state, (0, &[]), self.tau.begin(entry));
        query.constraint = query.eval(self.tm, self.graph.initial);
        query.enters = true;
        self.push(query);
    }

    /// DECIDE, and DECIDE-C where the edge is a call: a step along an edge that is not blocked, to a state that is not
    /// blocked.
    fn decide(&mut self, edge: EdgeId) -> Result<Decided, Stop> {
        if let Some(bounds) = self.blocking_label(edge)? {
            return Ok(Decided::Blocked(bounds));
        }
        let Some(mut next) = self.step(edge)? else { return Ok(Decided::AtBound) };
        let watch = Stopwatch::start();
        let unblocked = self.unblocked(&mut next);
        let (answer, model) = self.concretise(edge, &mut next, unblocked);
        self.stats.add("steps", 1);
        self.stats.add_time("time in execution", watch.elapsed());
        Ok(match answer {
            Answer::Sat => {
                let model = model.ok_or(Stop::internal("an answer without a model"))?;
                next.sample_from(self.tm, self.graph, &model);
                if self.follows_one_way(&next) {
                    next.follow(self.tm, self.graph, &self.frames[next.frame].exit, &model);
                }
                Decided::Next(next, model)
            }
            Answer::Unsat => Decided::Fails(next),
            Answer::Unknown(reason) => {
                self.drop_frame(&next);
                Decided::Undecided(reason.into())
            }
        })
    }

    /// CONJOIN: where every edge is blocked, so is the location, by the labels of all of them together. Returns
    /// under which bounds.
    fn conjoin(&self) -> Option<Bounds> {
        let mut bounds = Bounds::default();
        for (_, blocked) in &self.path.last()?.done {
            bounds.meet(blocked.as_ref()?);
        }
        Some(bounds)
    }

    /// Leaves the last query, which is blocked or was explored without a lesson. In the first case its edge can learn.
    /// Returns what it was given if there is no query left.
    pub fn backtrack(&mut self, blocked: Option<Bounds>) -> Option<Option<Bounds>> {
        self.solver.pop();
        self.stats.add("backtracks", 1);
        self.stats.add(COMPLETE_PATHS, std::mem::take(&mut self.went_on).into());
        let query = self.path.pop()?;
        self.drop_frame(&query);
        let Some(step) = query.step else { return Some(blocked) };
        if blocked.is_none() {
            self.done(step.edge, None);
        }
        None
    }

    /// LEARN from the label ¬W that every location has.
    fn learn_bound(&mut self, edge: EdgeId) {
        let component = self.tau.component(self.graph.edges[edge].from);
        if self.config.learn == Learning::Nothing {
            self.at_bound.insert(component);
            return self.done(edge, None);
        }
        let bounds = Bounds::below(component, 1);
        let question = self.question();
        self.annotation.of_mut(edge, question).push(Label::within(Terms::TRUE, bounds.clone()));
        self.done(edge, Some(bounds));
    }

    /// The step cannot be decided or learnt from: it is left out, and the proof with it.
    pub fn give_up(&mut self, edge: EdgeId, why: Reason) -> Result<(), Stop> {
        self.budget.check()?;
        self.stats.add("steps given up", 1);
        self.obstacle.get_or_insert(why);
        self.done(edge, None);
        Ok(())
    }

    /// Whether of a step that has several ways one is followed at a time. A callee is entered for one exit state, as
    /// SUM returns one, and a way without cases leads to one that is easier to reason about. Towards a goal, all ways
    /// to a join are followed at once: they mostly fail for the same reason.
    fn follows_one_way(&self, query: &Query) -> bool {
        self.config.learn != Learning::Nothing && self.frames[query.frame].question == Question::Exit
    }

    /// What the last query asks.
    pub fn question(&self) -> Question {
        self.path.last().map_or(Question::Goal, |query| self.frames[query.frame].question)
    }

    /// An edge of the last query that is not done with, the nearest to what is asked for first.
    fn open_edge(&self) -> Option<EdgeId> {
        let query = self.path.last()?;
        let distance = &self.distance[self.question() as usize];
        let open = self.graph.nodes[query.at].outgoing.iter().copied();
        open.filter(|edge| query.done.iter().all(|(done, _)| done != edge))
            .min_by_key(|&edge| distance[self.graph.edges[edge].to].unwrap_or(u32::MAX))
    }

    pub fn done(&mut self, edge: EdgeId, blocked: Option<Bounds>) {
        if let Some(query) = self.path.last_mut() {
            query.done.push((edge, blocked));
        }
    }

    fn push(&mut self, query: Query) {
        self.solver.push();
        self.solver.assert(self.tm, query.constraint);
        self.path.push(query);
        self.went_on = true;
    }

    /// Goes on from a query; if that is at a goal, it has been reached.
    fn enter(&mut self, query: Query, model: &Model) -> Result<(), Stop> {
        let goal = query.step.as_ref().map(|step| step.edge).filter(|_| self.graph.nodes[query.at].is_error);
        self.push(query);
        match goal {
            Some(edge) => self.reach(edge, model),
            None => Ok(()),
        }
    }

    /// Takes back the frame of a query that is left, or was never entered.
    pub fn drop_frame(&mut self, query: &Query) {
        if query.enters {
            self.frames.pop();
        }
    }

    /// SI: the state after a step along the edge; none if τ is used up. A call that is entered has its frame then.
    ///
    /// An edge into a callee asks whether a goal is reached there, and an edge through it whether it ends so that
    /// the caller can go on to what it is asked for.
    fn step(&mut self, edge: EdgeId) -> Result<Option<Query>, Stop> {
        let (graph, caller) = (self.graph, self.path.len().wrapping_sub(1));
        let Some(query) = self.path.last() else { return Err(Stop::internal("a step from nowhere")) };
        let Some(after) = self.tau.after(graph, edge, query.tau) else { return Ok(None) };
        let to = graph.edges[edge].to;
        match graph.edges[edge].action {
            Action::Block(block) => {
                let (guard, values, instance) = query.execute(self.tm, graph, block);
                let frame = (query.frame, &self.frames[query.frame].exit[..]);
                let mut next = Query::new(graph, to, (values, guard), frame, after);
                next.step = Some(Step::new(edge, Some(instance)));
                Ok(Some(next))
            }
            Action::Enter(call) | Action::Through(call) => {
                let Some(tau) = self.tau.in_callee(graph, edge, query.tau) else { return Ok(None) };
                let (guard, passed, instance) = query.execute(self.tm, graph, &call.enter);
                let mut frame =
                    Frame { question: Question::Goal, exit: Vec::new(), resume: None, later: None };
                if let (Action::Through(_), Some((_, leave))) = (graph.edges[edge].action, &call.leave) {
                    let (constraint, values, mut onward) = query.execute(self.tm, graph, leave);
                    frame.question = Question::Exit;
                    let returned = call.returned.iter();
                    frame.exit = returned.map(|&(_, constant)| onward.term(self.tm, constant)).collect();
                    frame.resume = Some(Resume { caller, to, constraint, values, tau: after });
                }
                let entry = graph.callee(edge).map_or(to, |callee| callee.entry);
                let place = (self.frames.len(), &frame.exit[..]);
                let mut next = Query::new(graph, entry, (passed, guard), place, tau);
                next.enters = true;
                next.step = Some(Step::new(edge, Some(instance)));
                self.frames.push(frame);
                Ok(Some(next))
            }
            Action::Return => {
                let frame = &self.frames[query.frame];
                let Some(resume) = &frame.resume else { return Err(Stop::internal("a return to nowhere")) };
                let returned = frame.exit.iter().copied().zip(query.values.iter().copied());
                let mut returned = Substitution::from_pairs(returned);
                let constraint = returned.apply(self.tm, resume.constraint);
                let values = resume.values.iter().map(|&value| returned.apply(self.tm, value)).collect();
                let outer = self.path[resume.caller].frame;
                let frame = (outer, &self.frames[outer].exit[..]);
                let mut next = Query::new(graph, resume.to, (values, constraint), frame, resume.tau);
                next.step = Some(Step::new(edge, None));
                Ok(Some(next))
            }
        }
    }

    /// Whether the labels without bounds exclude the goals from the start, after strengthening.
    fn strengthened(&mut self) -> Result<bool, Stop> {
        let watch = Stopwatch::start();
        self.strengthen()?;
        let mut proved = self.initially_blocked()?;
        if !proved && self.config.backward {
            self.strengthen_backwards()?;
            proved = self.initially_blocked()?;
            self.stats.add("proofs by backward interpretation", proved.into());
        }
        self.stats.add_time("time in strengthening", watch.elapsed());
        Ok(proved)
    }

    fn initially_blocked(&mut self) -> Result<bool, Stop> {
        let Graph { entry, initial, .. } = *self.graph;
        let safe = self.holds_at(entry, Question::Goal, Known::Unbounded);
        let known = self.solvers.implies(self.tm, self.graph, entry, (initial, safe), self.budget);
        self.budget.check()?;
        Ok(known == Ok(true))
    }
}

impl<'a> Search<'a> {
    pub fn new(
        tm: &'a mut Terms,
        graph: &'a Graph<'a>,
        config: Config,
        goals: &'a mut dyn Goals,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let start =
            graph.nodes[graph.entry].state.iter().map(|constant| fresh(tm, constant.current)).collect();
        let nowhere = IndexVec::from_elem(None, graph.nodes.len());
        let mut search = Search {
            tm,
            graph,
            solvers: Solvers::default(),
            config,
            goals,
            budget,
            stats,
            annotation: Annotation::new(graph.edges.len()),
            invariants: IndexVec::from_elem(Vec::new(), graph.nodes.len()),
            path: Vec::new(),
            frames: Vec::new(),
            // Products are decided by values of their factors, one after another.
            solver: NativeSolver::new(Options { products: false, ..Options::default() }),
            start,
            tau: Tau::new(graph),
            distance: [nowhere.clone(), nowhere],
            at_bound: OrderedSet::default(),
            obstacle: None,
            went_on: false,
        };
        if config.bounded_loops {
            search.free_bounded_loops();
        }
        search.measure_distances();
        search.label_exits();
        search.label_what_leads_nowhere();
        search
    }

    /// The labels of exits, `¬I ∨ f'`: a procedure returns the state that it is in, and has not aborted.
    fn label_exits(&mut self) {
        for (id, edge) in self.graph.edges.enumerated() {
            if let Action::Return = edge.action {
                let differs = self.differs_from_exit(edge.from);
                self.annotation.of_mut(id, Question::Exit).push(Label::always(differs));
                self.annotation.of_mut(id, Question::Goal).push(Label::always(Terms::TRUE));
            }
        }
    }

    /// That the state at a node is not the one at the exit.
    fn differs_from_exit(&mut self, node: NodeId) -> TermId {
        let exit = &self.graph.procedure(node).exit_state;
        let state = self.graph.nodes[node].state.iter().zip(exit);
        let same: Vec<TermId> =
            state.map(|(constant, &(_, exit))| self.tm.eq(constant.current, exit)).collect();
        let same = self.tm.and(&same);
        self.tm.not(same)
    }
}
