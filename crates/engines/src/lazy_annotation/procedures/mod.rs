//! Algorithm INTERLA: lazy annotation with procedures, recursion included.
//!
//! The program is the functions of [`View`]: procedures, and their loops as tail-recursive functions,
//! so that the bound of a loop and that of a recursion are the same thing.
//!
//! | paper | here |
//! |---|---|
//! | negative summary `φ` with the abort flag `f'` | a pair of labels, [`Question::Goal`] for `f'` true, over the state, and [`Question::Exit`] for `f'` false, over the state and the state at the exit |
//! | `A(r) = ¬I ∨ f'` at an exit | the fixed labels of ends ([`Search::fixed_labels`]) |
//! | push, pop | [`Frame`]: each call has constants of its own |
//! | the post-condition `ψ` | [`Search::resumption`], its complement: how the callers could go on to a goal |
//! | `W(φ)` | a callee that aborts reaches a goal, whatever its caller would do |
//! | SUM, DECIDE-C | one stack of queries: behind a callee's exit the caller's next query follows |
//! | LEARN-C | [`Search::learn`], with the callee's annotation as the step ([`Search::outcomes`]) |
//!
//! Where the paper's SUM forgets the queries of a callee once it has an exit state, the stack keeps
//! them: if the caller is blocked behind the call, the search for another exit goes on from where it
//! was.
//!
//! There may be many goals, which share what is learnt: see [`goals`].
//!
//! **τ** is a counter for each strongly connected component of functions that call each other. It
//! decreases with each call within the component, begins anew where the component is entered, and is
//! again what it was after a return. A label of a function speaks of the counter of its own component
//! as it is, and of others as they begin.

mod goals;
mod labels;
mod proof;
mod strengthen;

#[cfg(test)]
mod tests;

use super::Stop;
use super::annotation::{Bounds, Label};
use super::concretise::{Tried, explore_values};
use crate::blocks::conjuncts;
use crate::functions::{BodyEdgeId, FunctionId, NodeId, View};
use crate::horn::solution;
use craig_base::{Budget, Index, IndexVec, OrderedMap, Set, Stats, Stopwatch};
use craig_program::{Digraph, Program};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, Substitution, TermId, Terms};
pub use goals::{End, GoalEdge, Goals, check, search};
use labels::Known;

/// What a label excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    /// That a goal is reached before the function ends.
    Goal,
    /// That the function ends in the state at the exit.
    Exit,
}

const QUESTIONS: [Question; 2] = [Question::Goal, Question::Exit];

type Labelled = (FunctionId, BodyEdgeId, Question);

/// A call that has been entered.
#[derive(Clone)]
struct Frame {
    /// The state at the exit.
    exit: Vec<TermId>,
    /// What was found by [`Search::resumption`] when there were so many labels.
    later: Option<(u64, TermId)>,
    /// How the caller goes on; nothing if its caller is the program's start, or if nothing that
    /// matters follows.
    resume: Option<Resume>,
}

#[derive(Clone)]
struct Resume {
    /// The caller's query on the path.
    caller: usize,
    /// What happens between the exit and the state behind the call.
    onward: TermId,
    /// Where that is, with its state; an error if there is no node.
    to: Option<NodeId>,
    state: Vec<TermId>,
}

/// A symbolic state on the path that is being executed.
struct Query {
    function: FunctionId,
    /// A goal if there is no node.
    node: Option<NodeId>,
    values: Vec<TermId>,
    /// What this step added to the constraint.
    constraint: TermId,
    frame: usize,
    /// Whether the frame is entered with this query.
    enters: bool,
    tau: Vec<u64>,
    /// The constants that are new in it.
    fresh: Vec<TermId>,
    /// The edge of the function before, and how its constants are renamed.
    step: Option<(FunctionId, BodyEdgeId, OrderedMap<TermId, TermId>)>,
    /// The edges that are done with, and under which bounds they are blocked.
    done: Vec<(BodyEdgeId, Option<Bounds>)>,
    /// Values that were fixed on outgoing edges, and what products are with them (see
    /// [`super::concretise`]).
    tried: Vec<Tried<BodyEdgeId>>,
    facts: Vec<TermId>,
}

struct Search<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    view: &'a mut View,
    goals: &'a mut dyn Goals,
    budget: &'a Budget,
    stats: &'a mut Stats,
    annotation: OrderedMap<Labelled, Vec<Label>>,
    /// How many times the annotation has changed.
    version: u64,
    path: Vec<Query>,
    frames: Vec<Frame>,
    /// Knows the constraint of the last query, in one level for each query.
    solver: NativeSolver,
    /// Compares labels.
    comparing: NativeSolver,
    component: IndexVec<FunctionId, usize>,
    /// The τ that each component begins with.
    tau: Vec<u64>,
    obstacle: Option<Stop>,
    /// Goals that count as reached.
    closed: Set<GoalEdge>,
    stopped: bool,
}

impl<'a> Search<'a> {
    fn new(
        terms: &'a mut Terms,
        program: &'a Program,
        view: &'a mut View,
        goals: &'a mut dyn Goals,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let component = components(view);
        let count = component.iter().max().map_or(0, |&last| last + 1);
        let mut search = Search {
            terms,
            program,
            view,
            goals,
            budget,
            stats,
            annotation: OrderedMap::default(),
            version: 0,
            path: Vec::new(),
            frames: Vec::new(),
            solver: NativeSolver::default(),
            comparing: NativeSolver::default(),
            component,
            tau: vec![0; count],
            obstacle: None,
            closed: Set::default(),
            stopped: false,
        };
        search.fixed_labels();
        search
    }

    /// STRENGTHEN: INTERLA under growing bounds, until what it learnt needs none. False if it was stopped.
    fn run(&mut self) -> Result<bool, Stop> {
        loop {
            self.stats.add("unwindings", 1);
            self.init();
            let blocked = loop {
                self.budget.check()?;
                self.wait();
                if self.stopped {
                    return Ok(false);
                }
                match self.choose() {
                    Some(edge) => self.decide(edge)?,
                    None => {
                        let blocked = self.conjoin();
                        if let Some(blocked) = self.backtrack(blocked) {
                            break blocked;
                        }
                    }
                }
            };
            self.stats.max("largest bound", self.tau.iter().copied().max().unwrap_or(0));
            let Some(bounds) = blocked else {
                return Err(self.obstacle.take().unwrap_or(Stop::Internal("a search without a result")));
            };
            if bounds.is_unbounded() {
                return Ok(true);
            }
            let watch = Stopwatch::start();
            self.strengthen()?;
            self.stats.add_time("time in strengthening", watch.elapsed());
            if self.initially_blocked()? {
                return Ok(true);
            }
            for component in bounds.nests() {
                self.tau[component] = (2 * self.tau[component]).max(1);
            }
        }
    }

    /// INIT: the program starts in any state that satisfies the initial condition.
    fn init(&mut self) {
        let main = self.view.main;
        let function = &self.view.functions[main];
        let params: Vec<TermId> = function.params.iter().map(|slot| slot.constant).collect();
        let returns: Vec<TermId> = function.returns.iter().map(|slot| slot.constant).collect();
        let values = self.fresh(&params);
        let exit = self.fresh(&returns);
        let pairs = params.into_iter().zip(values.iter().copied());
        let constraint = Substitution::from_pairs(pairs).apply(self.terms, self.view.initial);
        self.frames.push(Frame { exit, later: None, resume: None });
        self.enter(Query {
            function: main,
            node: Some(NodeId::from_usize(0)),
            values,
            constraint,
            frame: 0,
            enters: true,
            tau: self.tau.clone(),
            fresh: Vec::new(),
            step: None,
            done: Vec::new(),
            tried: Vec::new(),
            facts: Vec::new(),
        });
    }

    fn fresh(&mut self, constants: &[TermId]) -> Vec<TermId> {
        let fresh = |&constant: &TermId| {
            let sort = self.terms.sort(constant);
            let name = self.terms.const_name(constant).unwrap_or("x").to_string();
            self.terms.fresh_const(&name, sort)
        };
        constants.iter().map(fresh).collect()
    }

    fn enter(&mut self, query: Query) {
        self.solver.push();
        self.solver.assert(self.terms, query.constraint);
        self.path.push(query);
    }

    /// Leaves the last query. Returns under which bounds it is blocked if it was the first.
    fn backtrack(&mut self, blocked: Option<Bounds>) -> Option<Option<Bounds>> {
        self.solver.pop();
        self.stats.add("backtracks", 1);
        let query = self.path.pop()?;
        if query.enters {
            self.frames.pop();
        }
        let Some(parent) = self.path.last_mut() else { return Some(blocked) };
        // A query that is blocked makes its edge learn; one that is not was explored in vain.
        if blocked.is_none()
            && let Some((_, edge, _)) = query.step
        {
            parent.done.push((edge, None));
        }
        None
    }

    /// An edge that is not done with.
    fn choose(&self) -> Option<BodyEdgeId> {
        let query = self.path.last()?;
        let outgoing = &self.view.functions[query.function].nodes[query.node?].outgoing;
        outgoing.iter().copied().find(|edge| query.done.iter().all(|(done, _)| done != edge))
    }

    /// CONJOIN: under which bounds all edges of the last query are blocked.
    fn conjoin(&self) -> Option<Bounds> {
        let mut bounds = Bounds::default();
        for (_, blocked) in &self.path.last()?.done {
            bounds.meet(blocked.as_ref()?);
        }
        Some(bounds)
    }

    /// DECIDE and DECIDE-C, or LEARN and LEARN-C where the step leads to a blocked state.
    fn decide(&mut self, edge: BodyEdgeId) -> Result<(), Stop> {
        if let Some(bounds) = self.blocked_by_labels(edge)? {
            self.done(edge, Some(bounds));
            return Ok(());
        }
        let Some(mut next) = self.step(edge) else {
            self.learn_bound(edge);
            return Ok(());
        };
        let unblocked = match next.node {
            None => Terms::TRUE,
            Some(node) => {
                let known = Known::Below(next.tau.clone());
                self.unblocked(next.function, node, &next.values, next.frame, &known)
            }
        };
        self.stats.add("steps", 1);
        let (answer, model) = self.concretise(edge, &mut next, unblocked);
        if answer != Answer::Sat && next.enters {
            self.frames.pop();
        }
        match answer {
            Answer::Sat => {
                let model = model.ok_or(Stop::Internal("an answer without a model"))?;
                self.follow(&mut next, &model);
                let is_goal = next.node.is_none();
                self.enter(next);
                if is_goal { self.reached(edge, &model) } else { Ok(()) }
            }
            Answer::Unsat => self.learn(edge),
            Answer::Unknown(reason) => self.give_up(edge, reason.into()),
        }
    }

    /// Decides the step to a query, with factors of products fixed if need be.
    fn concretise(
        &mut self,
        edge: BodyEdgeId,
        next: &mut Query,
        unblocked: TermId,
    ) -> (Answer, Option<Model>) {
        let tried = self.path.last().map_or(0, |query| query.tried.len());
        let step = (next.constraint, unblocked);
        let before = self.path.iter().map(|query| query.constraint);
        let explored = explore_values(self.terms, &mut self.solver, step, before, tried, self.budget);
        next.constraint = explored.constraint;
        self.stats.add("values fixed", explored.candidates.len() as u64);
        let Some(query) = self.path.last_mut() else { return (explored.answer, explored.model) };
        query.facts.extend(explored.facts);
        for candidate in explored.candidates {
            let mut values = Model::new();
            for (&constant, &term) in next.step.iter().flat_map(|(_, _, map)| map) {
                if let Ok(value) = self.terms.eval(term, &candidate) {
                    values.set(constant, value);
                }
            }
            query.tried.push(Tried { edge, values });
        }
        (explored.answer, explored.model)
    }

    fn done(&mut self, edge: BodyEdgeId, blocked: Option<Bounds>) {
        if let Some(query) = self.path.last_mut() {
            query.done.push((edge, blocked));
        }
    }

    /// The step cannot be decided or learnt from: it is left out, and the proof with it.
    fn give_up(&mut self, edge: BodyEdgeId, why: Stop) -> Result<(), Stop> {
        self.budget.check()?;
        self.stats.add("steps given up", 1);
        self.obstacle.get_or_insert(why);
        self.done(edge, None);
        Ok(())
    }

    /// The query behind an edge; nothing if the bound forbids the step. A frame that it needs is
    /// entered already.
    fn step(&mut self, edge_id: BodyEdgeId) -> Option<Query> {
        let query = self.path.last()?;
        let (id, caller_frame) = (query.function, query.frame);
        let (values, mut tau) = (query.values.clone(), query.tau.clone());
        let function = &self.view.functions[id];
        let edge = &function.edges[edge_id];
        let from = &function.nodes[edge.from].state;
        let mut known: Vec<(TermId, TermId)> = from.iter().copied().zip(values.iter().copied()).collect();
        known.extend(function.error.map(|error| (error, Terms::TRUE)));
        let start = Some(NodeId::from_usize(0));
        let next = |function, node, values, (constraint, fresh), frame, tau, renaming| Query {
            function,
            node,
            values,
            constraint,
            frame,
            enters: false,
            tau,
            fresh,
            step: Some((id, edge_id, renaming)),
            done: Vec::new(),
            tried: Vec::new(),
            facts: Vec::new(),
        };
        let Some(call) = &edge.call else {
            if edge.segment.is_none() {
                return self.leave(id, edge_id, &values);
            }
            let to = edge.to;
            let state = to.map(|node| function.nodes[node].state.clone()).unwrap_or_default();
            let formula = edge.formula;
            let mut map: OrderedMap<TermId, TermId> = known.into_iter().collect();
            let constraint = self.instantiate(formula, &mut map);
            let after = self.renamed(&state, &mut map);
            return Some(next(id, to, after, constraint, caller_frame, tau, map));
        };
        let callee = call.callee;
        if self.component[callee] == self.component[id] {
            let counter = &mut tau[self.component[id]];
            *counter = counter.checked_sub(1)?;
        } else {
            tau.clone_from(&self.tau);
        }
        if call.is_tail {
            // The callee ends where the caller would.
            let frame = self.frames[caller_frame].clone();
            self.frames.push(frame);
            let frame = self.frames.len() - 1;
            let nothing = (Terms::TRUE, Vec::new());
            let entered = next(callee, start, values, nothing, frame, tau, OrderedMap::default());
            return Some(Query { enters: true, ..entered });
        }
        let (args, results, onward, formula, to) =
            (call.args.clone(), call.results.clone(), call.onward, edge.formula, edge.to);
        let state = to.map(|node| function.nodes[node].state.clone()).unwrap_or_default();
        let mut map: OrderedMap<TermId, TermId> = known.into_iter().collect();
        let constraint = self.instantiate(formula, &mut map);
        let passed = self.renamed(&args, &mut map);
        let exit = self.renamed(&results, &mut map);
        let resume = onward.map(|onward| {
            let state = self.renamed(&state, &mut map);
            for constant in self.terms.free_consts(onward) {
                self.renamed(&[constant], &mut map);
            }
            let onward = Substitution::from_pairs(pairs_of(&map)).apply(self.terms, onward);
            Resume { caller: self.path.len() - 1, onward, to, state }
        });
        self.frames.push(Frame { exit, later: None, resume });
        let frame = self.frames.len() - 1;
        let entered = next(callee, start, passed, constraint, frame, tau, map);
        Some(Query { enters: true, ..entered })
    }

    /// The query behind the call whose callee ends here; a goal that is never reached if there is none.
    fn leave(&mut self, id: FunctionId, edge: BodyEdgeId, values: &[TermId]) -> Option<Query> {
        let frame = self.frames[self.path.last()?.frame].clone();
        let step = Some((id, edge, OrderedMap::default()));
        let Some(resume) = frame.resume else {
            let query = self.path.last()?;
            return Some(Query {
                function: id,
                node: None,
                values: Vec::new(),
                constraint: Terms::FALSE,
                frame: query.frame,
                enters: false,
                tau: query.tau.clone(),
                fresh: Vec::new(),
                step,
                done: Vec::new(),
                tried: Vec::new(),
                facts: Vec::new(),
            });
        };
        let returned = frame.exit.iter().copied().zip(values.iter().copied());
        let onward = Substitution::from_pairs(returned).apply(self.terms, resume.onward);
        let (constraint, mut solved) = self.solve(onward, resume.state.clone());
        let state = resume.state.iter().map(|&constant| solved.apply(self.terms, constant)).collect();
        let caller = &self.path[resume.caller];
        Some(Query {
            function: caller.function,
            node: resume.to,
            values: state,
            constraint,
            frame: caller.frame,
            enters: false,
            tau: caller.tau.clone(),
            fresh: Vec::new(),
            step,
            done: Vec::new(),
            tried: Vec::new(),
            facts: Vec::new(),
        })
    }

    /// The formula with its constants renamed as the map says, those that it does not know anew. Of the
    /// new ones, those that equations determine are replaced, in the map too.
    fn instantiate(
        &mut self,
        formula: TermId,
        map: &mut OrderedMap<TermId, TermId>,
    ) -> (TermId, Vec<TermId>) {
        let mut fresh = Vec::new();
        for constant in self.terms.free_consts(formula) {
            if !map.contains_key(&constant) {
                fresh.extend(self.renamed(&[constant], map));
            }
        }
        let constraint = Substitution::from_pairs(pairs_of(map)).apply(self.terms, formula);
        let (constraint, mut solved) = self.solve(constraint, fresh.clone());
        for term in map.values_mut() {
            *term = solved.apply(self.terms, *term);
        }
        (constraint, fresh)
    }

    /// Keeps only the way through the segment that the model takes: a path without cases is easier to
    /// reason about, and other ways are tried when this one is blocked.
    fn follow(&mut self, query: &mut Query, model: &Model) {
        let Some((_, _, map)) = &mut query.step else { return };
        let mut choices = Vec::new();
        for constant in self.terms.free_consts(query.constraint) {
            if self.terms.sort(constant) == Terms::BOOL
                && query.fresh.contains(&constant)
                && let Ok(value) = self.terms.eval_bool(constant, model)
            {
                choices.push((constant, self.terms.bool(value)));
            }
        }
        if choices.is_empty() {
            return;
        }
        let mut chosen = Substitution::from_pairs(choices);
        let constraint = chosen.apply(self.terms, query.constraint);
        for term in map.values_mut().chain(&mut query.values) {
            *term = chosen.apply(self.terms, *term);
        }
        let (constraint, mut solved) = self.solve(constraint, query.fresh.clone());
        query.constraint = constraint;
        let Some((_, _, map)) = &mut query.step else { return };
        for term in map.values_mut().chain(&mut query.values) {
            *term = solved.apply(self.terms, *term);
        }
    }

    /// What the constants are renamed to, which is something new if the map does not know.
    fn renamed(&mut self, constants: &[TermId], map: &mut OrderedMap<TermId, TermId>) -> Vec<TermId> {
        for &constant in constants {
            if !map.contains_key(&constant) {
                let fresh = self.fresh(&[constant]);
                map.extend([constant].into_iter().zip(fresh));
            }
        }
        constants.iter().map(|constant| map[constant]).collect()
    }

    /// The formula without those of the constants that it determines, and what they are.
    fn solve(&mut self, mut formula: TermId, constants: Vec<TermId>) -> (TermId, Substitution) {
        let mut keep: Set<TermId> = self.terms.free_consts(formula).into_iter().collect();
        constants.iter().for_each(|constant| {
            keep.remove(constant);
        });
        let mut solved: Vec<(TermId, TermId)> = Vec::new();
        loop {
            let parts = conjuncts(self.terms, formula);
            let found = parts.into_iter().find_map(|part| solution(self.terms, part, &keep));
            let Some((constant, value)) = found else { break };
            let mut replace = Substitution::from_pairs([(constant, value)]);
            formula = replace.apply(self.terms, formula);
            for (_, known) in &mut solved {
                *known = replace.apply(self.terms, *known);
            }
            solved.push((constant, value));
            keep.insert(constant);
        }
        (formula, Substitution::from_pairs(solved))
    }
}

fn pairs_of(map: &OrderedMap<TermId, TermId>) -> impl Iterator<Item = (TermId, TermId)> {
    map.iter().map(|(&from, &to)| (from, to))
}

/// For each function, its strongly connected component among those that call each other.
fn components(view: &View) -> IndexVec<FunctionId, usize> {
    let mut calls = Digraph::new(view.functions.len());
    for (id, function) in view.functions.enumerated() {
        for call in function.edges.iter().filter_map(|edge| edge.call.as_ref()) {
            calls.add_edge(id, call.callee);
        }
    }
    let mut component = IndexVec::from_elem(0, view.functions.len());
    for (number, members) in calls.components().into_iter().enumerate() {
        for member in members {
            component[member] = number;
        }
    }
    component
}
