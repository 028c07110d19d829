//! INTRALA: symbolic execution that is guided by what was learnt from its failures.

use super::annotation::{Annotation, Bounds, Label, add};
use super::query::{Query, step};
use super::{Config, End, Goals, Learning, Stop};
use crate::blocks::{BlockCopy, Blocks, InlinedView};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, OrderedSet, Stats, Stopwatch};
use craig_certificate::Invariant;
use craig_program::encode::CutpointEncoding;
use craig_program::{CutEdgeId, CutId, Wto};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, TermId, Terms};
use std::collections::VecDeque;

pub(super) struct Search<'a> {
    pub tm: &'a mut Terms,
    pub blocks: Blocks<'a>,
    pub encoding: &'a CutpointEncoding,
    pub config: Config,
    goals: &'a mut dyn Goals,
    pub budget: &'a Budget,
    pub stats: &'a mut Stats,
    pub annotation: Annotation,
    /// What is known of all reachable states at a location (see [`super::strengthen`]).
    pub invariants: IndexVec<CutId, Vec<TermId>>,
    /// The path that is being executed, each query the successor of the one before.
    pub path: Vec<Query>,
    /// Knows the constraint of the last query, in one level for each query.
    pub solver: NativeSolver,
    /// The state at the entry.
    start: Vec<TermId>,
    /// For an edge back to a head, its loop nest, unless the loop is bounded anyway.
    pub back_edges: Map<CutEdgeId, usize>,
    /// The initial τ of each nest.
    tau: Vec<u64>,
    /// How many edges lie between a location and the nearest goal.
    distance: IndexVec<CutId, Option<u32>>,
    /// The nests whose bound has ended a path since it last grew.
    at_bound: OrderedSet<usize>,
    /// The first thing that could not be decided.
    pub obstacle: Option<Stop>,
    stopped: bool,
}

impl<'a> Search<'a> {
    pub fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        config: Config,
        goals: &'a mut dyn Goals,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let encoding = &view.encoding;
        let cuts = &encoding.cuts;
        let (back_edges, nests) = loop_nests(encoding);
        let blocks = Blocks::new(tm, view);
        let start = blocks.fresh_state(tm, cuts.entry);
        let mut search = Search {
            tm,
            blocks,
            encoding,
            config,
            goals,
            budget,
            stats,
            annotation: IndexVec::from_elem(Vec::new(), cuts.edges.len()),
            invariants: IndexVec::from_elem(Vec::new(), cuts.cutpoints.len()),
            path: Vec::new(),
            solver: NativeSolver::default(),
            start,
            back_edges,
            tau: vec![0; nests],
            distance: IndexVec::new(),
            at_bound: OrderedSet::default(),
            obstacle: None,
            stopped: false,
        };
        search.free_bounded_loops(&view.ranges);
        search.measure_distances();
        search
    }

    /// STRENGTHEN: INTRALA under growing bounds, until what it learnt needs none.
    pub fn run(&mut self) -> Result<End, Stop> {
        loop {
            self.stats.add("unwindings", 1);
            let root = self.intrala()?;
            if self.stopped {
                return Ok(End::Stopped);
            }
            self.stats.max("largest bound", self.tau.iter().copied().max().unwrap_or(0));
            let bounded = match root {
                Some(bounds) if bounds.is_unbounded() => return Ok(End::Proved(self.invariant())),
                Some(bounds) => {
                    let watch = Stopwatch::start();
                    self.strengthen()?;
                    let mut proved = self.initially_blocked()?;
                    if !proved {
                        self.strengthen_backwards()?;
                        proved = self.initially_blocked()?;
                        self.stats.add("proofs by backward interpretation", proved.into());
                    }
                    self.stats.add_time("time in strengthening", watch.elapsed());
                    if proved {
                        return Ok(End::Proved(self.invariant()));
                    }
                    bounds.nests().collect()
                }
                None => match self.obstacle.take() {
                    Some(obstacle) => return Err(obstacle),
                    None if self.at_bound.is_empty() => return Ok(End::Open(Reason::AllPathsTried)),
                    None => std::mem::take(&mut self.at_bound).into_iter().collect::<Vec<_>>(),
                },
            };
            for nest in bounded {
                self.tau[nest] = (2 * self.tau[nest]).max(1);
            }
        }
    }

    /// Runs to termination. Returns the bounds under which the initial query is blocked; none if not
    /// everything was learnt.
    fn intrala(&mut self) -> Result<Option<Bounds>, Stop> {
        self.init();
        loop {
            self.budget.check()?;
            match self.goals.waiting(self.stats) {
                None => self.stopped = true,
                Some(closed) => self.close(closed),
            }
            let Some(query) = self.path.last() else {
                return Err(Stop::Internal("a search without a query"));
            };
            match self.choose(query) {
                _ if self.stopped => {}
                Some(edge) => self.decide(edge)?,
                None => {
                    let blocked = self.conjoin();
                    let done = self.backtrack();
                    let Some(parent) = self.path.last_mut() else { return Ok(blocked) };
                    // A query that is blocked now makes its edge learn; one that is not has been
                    // explored without a lesson.
                    if blocked.is_none()
                        && let Some(edge) = done
                    {
                        parent.done.push((edge, None));
                    }
                }
            }
            if self.stopped {
                while !self.path.is_empty() {
                    self.backtrack();
                }
                return Ok(None);
            }
        }
    }

    /// INIT: the state at the entry is arbitrary but for the initial condition.
    fn init(&mut self) {
        let entry = self.encoding.cuts.entry;
        let states = &self.encoding.states[entry];
        let values = states.iter().zip(&self.start).map(|(constant, &value)| (constant.var, value)).collect();
        let mut query = Query::new(self.encoding, entry, values, self.tau.clone());
        query.constraint = query.eval(self.tm, self.encoding.initial);
        self.enter(query);
    }

    fn enter(&mut self, query: Query) {
        self.solver.push();
        self.solver.assert(self.tm, query.constraint);
        self.path.push(query);
    }

    /// Leaves the last query, and tells on which edge it was reached.
    fn backtrack(&mut self) -> Option<CutEdgeId> {
        self.solver.pop();
        self.stats.add("backtracks", 1);
        self.path.pop().and_then(|query| query.step).map(|step| step.edge)
    }

    /// An edge that is not done with, the nearest to a goal first.
    fn choose(&self, query: &Query) -> Option<CutEdgeId> {
        let cuts = &self.encoding.cuts;
        let open = cuts.cutpoints[query.at].outgoing.iter().copied();
        open.filter(|edge| query.done.iter().all(|(done, _)| done != edge))
            .min_by_key(|&edge| self.distance[cuts.edges[edge].to].unwrap_or(u32::MAX))
    }

    /// DECIDE, or LEARN where the step leads to a blocked state.
    fn decide(&mut self, edge: CutEdgeId) -> Result<(), Stop> {
        let target = self.encoding.cuts.edges[edge].to;
        if let Some(label) = self.blocking_label(edge)? {
            self.done(edge, Some(label));
            return Ok(());
        }
        let Some(query) = self.path.last() else { return Ok(()) };
        let mut tau = query.tau.clone();
        if let Some(&nest) = self.back_edges.get(&edge) {
            if tau[nest] == 0 {
                self.learn_bound(edge, nest);
                return Ok(());
            }
            tau[nest] -= 1;
        }
        let watch = Stopwatch::start();
        let step = step(self.tm, self.encoding, query, edge);
        let mut next = Query::new(self.encoding, target, step.values, tau);
        next.constraint = step.guard;
        next.step = Some(BlockCopy { edge, instance: step.instance });
        let known = self.holds_at(target, &next.tau);
        let blocked = next.eval(self.tm, known);
        let unblocked = self.tm.not(blocked);
        let (answer, model) = self.concretise(edge, &mut next, unblocked);
        self.stats.add("steps", 1);
        self.stats.add_time("time in execution", watch.elapsed());
        match answer {
            Answer::Sat => {
                let model = model.ok_or(Stop::Internal("an answer without a model"))?;
                next.sample_from(self.tm, self.encoding, &model);
                self.enter(next);
                if target == self.encoding.cuts.error {
                    self.reach(edge, &model)?;
                }
                Ok(())
            }
            Answer::Unsat if self.config.learn != Learning::Nothing => self.learn(edge, &mut next),
            Answer::Unsat => {
                self.done(edge, None);
                Ok(())
            }
            Answer::Unknown(reason) => self.give_up(edge, reason.into()),
        }
    }

    /// The step cannot be decided or learnt from: it is left out, and the proof with it.
    pub fn give_up(&mut self, edge: CutEdgeId, why: Stop) -> Result<(), Stop> {
        self.budget.check()?;
        self.stats.add("steps given up", 1);
        self.obstacle.get_or_insert(why);
        self.done(edge, None);
        Ok(())
    }

    pub fn done(&mut self, edge: CutEdgeId, label: Option<Label>) {
        if let Some(query) = self.path.last_mut() {
            query.done.push((edge, label));
        }
    }

    /// A label of the edge that blocks the last query.
    fn blocking_label(&mut self, edge: CutEdgeId) -> Result<Option<Label>, Stop> {
        let Some(query) = self.path.last_mut() else { return Ok(None) };
        for label in &self.annotation[edge] {
            // A label that is false in one state of the query does not block it.
            if !label.bounds.hold(&query.tau) || self.tm.eval_bool(label.formula, &query.sample) == Ok(false)
            {
                continue;
            }
            let inside = query.eval(self.tm, label.formula);
            if self.tm.is_true(inside) {
                return Ok(Some(label.clone()));
            }
            let outside = self.tm.not(inside);
            self.solver.push();
            self.solver.assert(self.tm, outside);
            let answer = self.solver.check(self.tm, &[], self.budget);
            self.solver.pop();
            if answer == Answer::Unsat {
                return Ok(Some(label.clone()));
            }
        }
        Ok(None)
    }

    /// LEARN from the label ¬W that every head has.
    fn learn_bound(&mut self, edge: CutEdgeId, nest: usize) {
        if self.config.learn != Learning::Nothing {
            let label = Label::within(Terms::TRUE, Bounds::below(nest, 1));
            self.annotation[edge].push(label.clone());
            self.done(edge, Some(label));
        } else {
            self.at_bound.insert(nest);
            self.done(edge, None);
        }
    }

    pub fn add_label(&mut self, edge: CutEdgeId, label: Label) {
        let from = self.encoding.cuts.edges[edge].from;
        add(self.tm, &mut self.annotation[edge], label, |tm, old, new| {
            self.blocks.implies(tm, from, old, &[new], self.budget) == Ok(true)
        });
    }

    /// A(l) for the given τ.
    fn holds_at(&mut self, at: CutId, tau: &[u64]) -> TermId {
        let outgoing = &self.encoding.cuts.cutpoints[at].outgoing;
        let mut clauses = Vec::with_capacity(outgoing.len());
        for &edge in outgoing {
            let labels = self.annotation[edge].iter().filter(|label| label.bounds.hold(tau));
            let formulas: Vec<TermId> = labels.map(|label| label.formula).collect();
            clauses.push(self.tm.or(&formulas));
        }
        if at == self.encoding.cuts.error { Terms::FALSE } else { self.tm.and(&clauses) }
    }

    /// A(l) without bounds.
    fn always_holds_at(&mut self, at: CutId) -> TermId {
        self.holds_at(at, &vec![u64::MAX; self.tau.len()])
    }

    /// CONJOIN: where every edge is blocked by a label, so is the location, by all of them together.
    /// Returns under which bounds.
    fn conjoin(&self) -> Option<Bounds> {
        let mut bounds = Bounds::default();
        for (_, label) in &self.path.last()?.done {
            bounds.meet(&label.as_ref()?.bounds);
        }
        Some(bounds)
    }

    /// The path leads to a goal: it is reported, and closed with all others that count as reached.
    fn reach(&mut self, edge: CutEdgeId, model: &Model) -> Result<(), Stop> {
        self.stats.add("goals reached", 1);
        let mut copies: Vec<BlockCopy> = Vec::new();
        for query in &mut self.path {
            copies.extend(query.step.take());
        }
        let path = self.blocks.program_path(self.tm, &mut copies, &self.start, model);
        for (query, copy) in self.path.iter_mut().skip(1).zip(copies) {
            query.step = Some(copy);
        }
        let path = path.ok_or(Stop::Internal("a model without a path"))?;
        match self.goals.reached(edge, path, self.stats) {
            None => self.stopped = true,
            Some(closed) => {
                self.close(closed);
                // Back to the query before the goal, whose edge is blocked now.
                self.backtrack();
            }
        }
        Ok(())
    }

    fn close(&mut self, goals: Vec<CutEdgeId>) {
        if !goals.is_empty() {
            for goal in goals {
                self.annotation[goal] = vec![Label::always(Terms::TRUE)];
            }
            self.measure_distances();
        }
    }

    fn measure_distances(&mut self) {
        let cuts = &self.encoding.cuts;
        self.distance = IndexVec::from_elem(None, cuts.cutpoints.len());
        let mut queue = VecDeque::new();
        for &edge in &cuts.cutpoints[cuts.error].incoming {
            let from = cuts.edges[edge].from;
            if self.annotation[edge].is_empty() && self.distance[from].is_none() {
                self.distance[from] = Some(1);
                queue.push_back(from);
            }
        }
        self.distance[cuts.error] = Some(0);
        while let Some(at) = queue.pop_front() {
            let next = self.distance[at].map(|distance| distance + 1);
            for &edge in &cuts.cutpoints[at].incoming {
                let from = cuts.edges[edge].from;
                if self.distance[from].is_none() {
                    self.distance[from] = next;
                    queue.push_back(from);
                }
            }
        }
    }

    /// Whether the labels without bounds exclude the goals from the start.
    fn initially_blocked(&mut self) -> Result<bool, Stop> {
        let entry = self.encoding.cuts.entry;
        let safe = self.always_holds_at(entry);
        let known = self.blocks.implies(self.tm, entry, self.encoding.initial, &[safe], self.budget);
        self.budget.check()?;
        Ok(known == Ok(true))
    }

    /// The labels without bounds at the loop heads of the program, which all are cutpoints.
    fn invariant(&mut self) -> Invariant {
        let cuts = &self.encoding.cuts;
        let proc = self.encoding.proc(self.blocks.program);
        let loops = Wto::new(&proc.graph(), proc.entry);
        let mut invariant = Invariant::default();
        for head in cuts.cutpoints.indices().filter(|&cut| loops.is_head(cuts.location(cut))) {
            let mut parts = vec![self.always_holds_at(head), self.blocks.facts(head)];
            parts.extend(&self.invariants[head]);
            invariant.formulas.insert(cuts.location(head), self.tm.and(&parts));
        }
        invariant
    }
}

/// The edges back to heads, each with its loop nest, and how many nests there are.
fn loop_nests(encoding: &CutpointEncoding) -> (Map<CutEdgeId, usize>, usize) {
    let cuts = &encoding.cuts;
    let wto: &Wto<CutId> = &cuts.wto;
    let mut nests: Map<CutId, usize> = Map::default();
    let mut back_edges = Map::default();
    for (id, edge) in cuts.edges.enumerated() {
        if wto.is_back_edge(edge.from, edge.to) {
            let Some(outermost) = wto.heads(edge.to).last() else { continue };
            let next = nests.len();
            back_edges.insert(id, *nests.entry(outermost).or_insert(next));
        }
    }
    (back_edges, nests.len())
}
