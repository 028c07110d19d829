//! SYNERGY: tests and proofs that learn from each other, and Lee and Yannakakis's algorithm.
//!
//! B. S. Gulavani, T. A. Henzinger, Y. Kannan, A. V. Nori, S. K. Rajamani, *SYNERGY: A New Algorithm
//! for Property Checking*, FSE 2006.
//!
//! | paper | here |
//! |---|---|
//! | SYNERGY (Figure 2) | [`check`], `Search::run` |
//! | CreateAbstractProgram | `Search::is_spurious`: transitions are decided when a trace first uses them |
//! | GetAbstractTrace, GetOrderedAbstractTrace | [`Partition::frontier`]; of a region's states the oldest is taken |
//! | GenSuitableTest | `Search::gen_suitable_test` |
//! | Pre, the split of lines 20 and 21 | `Search::refine`, [`preimage`] |
//! | RefineWithGeneralization | [`generalise`] |
//! | LEE-YANNAKAKIS (Figure 5) | [`lee_yannakakis`] |
//!
//! Departures, with reasons, beyond those of [`crate::yogi`]:
//!
//! - The abstract program is not computed anew in each iteration. An abstract transition counts as
//!   possible until a trace wants to use it; then the solver decides. The traces that the algorithm
//!   works on are those of the paper's abstract program.
//! - Where `Pre` needs a quantifier that cannot be eliminated, the split is by the negation of an
//!   interpolant between the path of the test and the step across the frontier: the states that the
//!   path reaches lie on one side, all that can make the step on the other, which is what the paper
//!   asks of an approximation.
//! - Generalisation is used at a point that was split `patience` times. The paper's tool uses it for
//!   programs on which the algorithm does not end without.

mod generalise;
mod lee_yannakakis;
#[cfg(test)]
mod tests;

use crate::blocks::InlinedView;
use crate::path::ProgramPath;
use crate::verdict::{Finding, Reason};
use crate::yogi::forest::{Forest, NodeId, to_value};
use crate::yogi::graph::{BlockId, Extent, Graph, PointId};
use crate::yogi::partition::{Frontier, Partition, RegionId};
use crate::yogi::preimage::{open_preimage, preimage};
use crate::yogi::run::{Plan, Tester};
use crate::yogi::symbolic::{Question, SymbolicExecution};
use craig_base::{Budget, Map, Set, Stats, StopReason};
use craig_certificate::Invariant;
use craig_exec::Source;
use craig_program::{Cell, Program, StateVar};
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{ArrayValue, EvalError, TermId, Terms, Value};
use std::sync::Arc;

pub use lee_yannakakis::check as check_by_bisimulation;

#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// After how many splits of one point predicates are generalised; never, as in Figure 2, if none.
    pub patience: Option<usize>,
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { patience: Some(4), seed: 0 }
    }
}

/// Why the search ends without an answer.
enum Stop {
    Budget(StopReason),
    Solver(UnknownReason),
    Eval(EvalError),
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        Stop::Budget(reason)
    }
}

impl From<EvalError> for Stop {
    fn from(error: EvalError) -> Self {
        Stop::Eval(error)
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

impl Stop {
    fn reason(self) -> Reason {
        match self {
            Stop::Budget(reason) => Reason::Stopped(reason),
            Stop::Solver(reason) => Reason::Solver(reason),
            Stop::Eval(error) => Reason::Internal(error.to_string()),
        }
    }
}

/// What came of an attempt to cross the frontier.
enum Attempt {
    /// A test was added that does.
    Test,
    /// There is none.
    None(Question),
    /// Nobody knows.
    Unknown(Reason),
}

struct Search<'a> {
    tm: &'a mut Terms,
    view: &'a InlinedView<'a>,
    graph: Graph,
    tester: Tester<'a>,
    forest: Forest,
    partition: Partition,
    symbolic: SymbolicExecution,
    config: Config,
    /// Abstract transitions that were decided, with the versions of their regions.
    decided: Set<(RegionId, u32, BlockId, RegionId, u32)>,
    /// Frontiers at which neither a test nor a refinement was found.
    stuck: Set<(NodeId, BlockId, RegionId)>,
    stuck_reason: Option<Reason>,
    splits: Map<PointId, usize>,
    /// Steps that LEE-YANNAKAKIS has looked for, with the version of the target.
    tried: Set<(NodeId, BlockId, RegionId, u32)>,
    /// Pairs of regions that LEE-YANNAKAKIS has made stable.
    stable: Set<(RegionId, BlockId, RegionId, u32)>,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

/// SYNERGY for a program whose entry procedure has no calls.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let search = Search::new(tm, view, config, Extent::TowardsError, budget, stats);
    match search.and_then(|mut search| search.run()) {
        Ok(finding) => finding,
        Err(stop) => Finding::Unknown(stop.reason()),
    }
}

impl<'a> Search<'a> {
    fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        config: Config,
        extent: Extent,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Result<Self, Stop> {
        let graph = Graph::new(tm, view.program, &view.ranges, extent, budget)?;
        let tester = Tester::new(view.original, view.program, view.scalars, &graph, config.seed);
        let symbolic = SymbolicExecution::new(tm, &graph);
        Ok(Search {
            tm,
            view,
            tester,
            forest: Forest::default(),
            partition: Partition::new(&graph),
            symbolic,
            graph,
            config,
            decided: Set::default(),
            stuck: Set::default(),
            stuck_reason: None,
            splits: Map::default(),
            tried: Set::default(),
            stable: Set::default(),
            budget,
            stats,
        })
    }

    fn program(&self) -> &'a Program {
        self.view.program
    }

    /// Figure 2.
    fn run(&mut self) -> Result<Finding, Stop> {
        loop {
            self.budget.check()?;
            if let Some(error) = self.forest.error {
                return Ok(Finding::Unsafe(self.test_from_witness(error)));
            }
            let Some(frontier) = self.get_ordered_abstract_trace() else {
                return Ok(self.conclude());
            };
            if self.is_spurious(&frontier)? {
                continue;
            }
            self.stats.add("iterations", 1);
            match frontier {
                Frontier::Start(region) => self.start_test(region)?,
                Frontier::Edge { from, block, to, .. } => {
                    let Some(node) = self.oldest(from, block, to) else { continue };
                    match self.gen_suitable_test(node, block, to)? {
                        Attempt::Test => {}
                        Attempt::None(question) => self.refine(&question, from, to)?,
                        Attempt::Unknown(reason) => self.give_up((node, block, to), reason),
                    }
                }
            }
        }
    }

    fn get_ordered_abstract_trace(&self) -> Option<Frontier> {
        self.partition.frontier(&self.graph, |from, block, to| self.oldest(from, block, to).is_none())
    }

    /// The oldest state of the region from which the step was not given up.
    fn oldest(&self, from: RegionId, block: BlockId, to: RegionId) -> Option<NodeId> {
        let nodes = &self.partition.regions[from].nodes;
        nodes.iter().copied().find(|&node| !self.stuck.contains(&(node, block, to)))
    }

    fn give_up(&mut self, step: (NodeId, BlockId, RegionId), reason: Reason) {
        self.stats.add("frontiers given up", 1);
        self.stuck.insert(step);
        self.stuck_reason.get_or_insert(reason);
    }

    /// No abstract error trace is left.
    fn conclude(&mut self) -> Finding {
        match self.stuck_reason.take() {
            Some(reason) => Finding::Unknown(reason),
            None => Finding::Safe(self.invariant()),
        }
    }

    /// Whether a transition of the trace beyond the states of the forest is one that no state has.
    fn is_spurious(&mut self, frontier: &Frontier) -> Result<bool, Stop> {
        let Frontier::Edge { from, block, to, rest } = frontier else { return Ok(false) };
        let mut at = *to;
        if self.decide(*from, *block, *to)? {
            return Ok(true);
        }
        for &(block, next) in rest {
            if self.decide(at, block, next)? {
                return Ok(true);
            }
            at = next;
        }
        Ok(false)
    }

    /// Whether an abstract transition is impossible.
    fn decide(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Result<bool, Stop> {
        let (source, target) = (&self.partition.regions[from], &self.partition.regions[to]);
        let key = (from, source.version, block, to, target.version);
        if source.formula == Terms::TRUE && target.formula == Terms::TRUE || !self.decided.insert(key) {
            return Ok(false);
        }
        self.stats.add("transitions decided", 1);
        match self.step(from, block, to, &[])? {
            Answer::Unsat => {
                self.partition.exclude(from, block, to);
                Ok(true)
            }
            Answer::Sat => Ok(false),
            // A transition that nobody can exclude is possible.
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Stop::Budget(reason)),
            Answer::Unknown(_) => Ok(false),
        }
    }

    /// Whether a state of `from` that satisfies `more` has a step along the block into `to`.
    fn step(
        &mut self,
        from: RegionId,
        block: BlockId,
        to: RegionId,
        more: &[TermId],
    ) -> Result<Answer, Stop> {
        self.budget.check()?;
        let mut solver = NativeSolver::default();
        for part in self.step_formula(from, block, to).into_iter().chain(more.iter().copied()) {
            if self.tm.is_false(part) {
                return Ok(Answer::Unsat);
            }
            solver.assert(self.tm, part);
        }
        self.stats.add("solver calls", 1);
        Ok(solver.check(self.tm, &[], self.budget))
    }

    /// A state of `from`, the block, and a state of `to` behind it.
    fn step_formula(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Vec<TermId> {
        let source = &self.partition.regions[from];
        let mut parts = vec![self.graph.points[source.point].facts, source.formula];
        let target = self.partition.regions[to].formula;
        parts.extend(open_preimage(self.tm, &self.graph, &self.graph.blocks[block], target));
        parts
    }

    /// What an initial state in the region satisfies, over the constants of the initial state.
    fn start_goal(&mut self, region: RegionId) -> Vec<TermId> {
        let root = self.symbolic.root().clone();
        let state = &self.graph.points[self.graph.entry].state;
        let start: Map<TermId, TermId> =
            state.iter().map(|&(_, constant)| constant).zip(root.values.iter().copied()).collect();
        let mut goal = root.constraints;
        goal.push(self.tm.substitute(self.partition.regions[region].formula, &start));
        goal
    }

    /// The first test, and tests that start in a part of the entry that no test has seen.
    fn start_test(&mut self, region: RegionId) -> Result<(), Stop> {
        let goal = self.start_goal(region);
        let mut solver = NativeSolver::default();
        for &part in &goal {
            solver.assert(self.tm, part);
        }
        self.stats.add("solver calls", 1);
        match solver.check(self.tm, &[], self.budget) {
            Answer::Unsat => self.partition.exclude_start(region),
            Answer::Sat => {
                let model = solver.model().cloned().unwrap_or_default();
                // Only the region decides; what else the state is made of is left to chance.
                let asked = goal.last().copied().unwrap_or(Terms::TRUE);
                let plan = self.symbolic.plan_of_start(self.tm, self.program(), &[asked], &model);
                self.run_test(&plan)?;
                if self.partition.regions[region].nodes.is_empty() {
                    self.partition.exclude_start(region);
                    let why = "a start of the program that the formulas allow".to_string();
                    self.stuck_reason.get_or_insert(Reason::NotReplayed(why));
                }
            }
            Answer::Unknown(reason) => return Err(Stop::from(reason)),
        }
        Ok(())
    }

    /// Runs a test and adds its states to the forest.
    fn run_test(&mut self, plan: &Plan) -> Result<(), Stop> {
        self.stats.add("tests", 1);
        let run = self.tester.run(&self.graph, plan, self.budget);
        self.budget.check()?;
        let program = self.program();
        self.forest.add(self.tm, program, &self.graph, &mut self.partition, run)?;
        Ok(())
    }

    /// GenSuitableTest: a test that follows the path of `node` and enters `to` by the block.
    fn gen_suitable_test(&mut self, node: NodeId, block: BlockId, to: RegionId) -> Result<Attempt, Stop> {
        let target = self.partition.regions[to].formula;
        let question = self.symbolic.question(self.tm, &self.graph, &mut self.forest, node, block, target);
        self.stats.add("solver calls", 1);
        let model = match question.ask(self.tm, self.budget) {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(Attempt::None(question)),
            Err(UnknownReason::Stopped(reason)) => return Err(Stop::Budget(reason)),
            Err(reason) => return Ok(Attempt::Unknown(Reason::Solver(reason))),
        };
        let plan = self.symbolic.plan(self.tm, self.program(), &self.graph, &self.forest, &question, &model);
        self.run_test(&plan)?;
        if self.partition.regions[to].nodes.is_empty() && self.forest.error.is_none() {
            return Ok(Attempt::Unknown(self.not_replayed(node, block)));
        }
        Ok(Attempt::Test)
    }

    /// A model whose test went another way.
    fn not_replayed(&self, node: NodeId, block: BlockId) -> Reason {
        let path = self.forest.path(node);
        let blocks = path.iter().filter_map(|&at| self.forest.nodes[at].parent.map(|(_, block)| block));
        let approximated =
            blocks.chain([block]).find_map(|block| self.graph.blocks[block].approximations.first());
        Reason::NotReplayed(match approximated {
            Some(&(edge, expr)) => {
                let proc = &self.program().procs[self.program().entry];
                let line = proc.edges[edge].span.line;
                format!("line {line}: `{}` is only approximated in formulas", self.program().show_expr(expr))
            }
            None => "a test went another way than its model".to_string(),
        })
    }

    /// Lines 20 and 21: the region is split so that no state of the forest can make the step.
    fn refine(&mut self, question: &Question, from: RegionId, to: RegionId) -> Result<(), Stop> {
        let point = self.partition.regions[from].point;
        let splits = *self.splits.get(&point).unwrap_or(&0);
        let mut predicate = None;
        if self.config.patience.is_some_and(|patience| splits >= patience) {
            predicate = self.refine_with_generalization(question, from, to)?;
        }
        if predicate.is_none() {
            predicate = self.pre(question, to)?;
        }
        if predicate.is_none() {
            predicate = self.interpolant(question, from, to)?;
        }
        match predicate {
            Some(predicate) => self.split(from, question.block, to, predicate),
            None => {
                let why = Reason::Interpolation(interpolate::Failure::MixedReasoning);
                self.give_up((question.node, question.block, to), why);
                Ok(())
            }
        }
    }

    /// `Pre(S_k)`, if it has a formula and separates the state of the test.
    fn pre(&mut self, question: &Question, to: RegionId) -> Result<Option<TermId>, Stop> {
        let target = self.partition.regions[to].formula;
        let block = &self.graph.blocks[question.block];
        let Some(pre) = preimage(self.tm, &self.graph, block, target, self.budget) else {
            return Ok(None);
        };
        self.budget.check()?;
        let inside = self.forest.holds(self.tm, self.program(), &self.graph, question.node, pre)?;
        Ok((!inside).then_some(pre))
    }

    /// The negation of an interpolant between the path and the step.
    fn interpolant(
        &mut self,
        question: &Question,
        from: RegionId,
        to: RegionId,
    ) -> Result<Option<TermId>, Stop> {
        let symbolic = self.symbolic.execute(self.tm, &self.graph, &mut self.forest, question.node);
        let step = self.step_formula(from, question.block, to);
        let mut path = question.path.clone();
        let state = &self.graph.points[self.partition.regions[from].point].state;
        for (&(_, constant), &value) in state.iter().zip(symbolic.values.iter()) {
            path.push(self.tm.eq(constant, value));
        }
        let (a, b) = (self.tm.and(&path), self.tm.and(&step));
        self.stats.add("solver calls", 1);
        self.stats.add("interpolants", 1);
        let options = interpolate::Options::default();
        let interpolant = match interpolate::binary(self.tm, a, b, &options, self.budget) {
            Interpolation::Interpolants(interpolant) => interpolant,
            _ => {
                self.budget.check()?;
                return Ok(None);
            }
        };
        let inside = self.forest.holds(self.tm, self.program(), &self.graph, question.node, interpolant)?;
        Ok(if inside { Some(self.tm.not(interpolant)) } else { None })
    }

    /// Splits `from` by a predicate without which no step along the block leads into `to`.
    fn split(&mut self, from: RegionId, block: BlockId, to: RegionId, predicate: TermId) -> Result<(), Stop> {
        let nodes = &self.partition.regions[from].nodes;
        let inside = self.forest.satisfying(self.tm, self.program(), &self.graph, nodes, predicate)?;
        self.partition.split(self.tm, &self.graph, from, predicate, &inside);
        self.partition.exclude(from, block, to);
        self.stats.add("refinements", 1);
        self.stats.max("regions", self.partition.regions.len() as u64);
        *self.splits.entry(self.partition.regions[from].point).or_default() += 1;
        Ok(())
    }

    /// TestFromWitness: the inputs of the run that reached the error.
    fn test_from_witness(&self, error: NodeId) -> ProgramPath {
        let record = &self.forest.tests[self.forest.nodes[error].test];
        let program = self.view.original;
        let proc = &program.procs[program.entry];
        let mut path = ProgramPath::default();
        let mut params = proc.params.iter();
        let mut regions: Map<craig_program::RegionId, ArrayValue> = Map::default();
        for input in &record.run.inputs {
            match input.at.source {
                Source::Statement => {
                    let value = to_value(input.at.ty, input.value);
                    path.inputs.push((input.at.site.edge, Some(value)));
                }
                Source::Argument => {
                    if let Some(&var) = params.next() {
                        let value = to_value(program.vars[var].ty, input.value);
                        path.initial.insert(StateVar::Var(var), value);
                    }
                }
                Source::Memory { region, address } => {
                    let cells = match program.regions[region].cell {
                        Cell::Scalar(_) => vec![(0, input.value)],
                        Cell::Bytes => program.cells_of(region, input.at.ty, input.value),
                    };
                    let contents =
                        regions.entry(region).or_insert_with(|| ArrayValue::new(Value::Int(0.into())));
                    for (offset, value) in cells {
                        contents.store(Value::Int((address + offset).into()), Value::Int(value.into()));
                    }
                }
                _ => {}
            }
        }
        for region in program.regions.indices() {
            if let Some(contents) = regions.remove(&region) {
                path.initial.insert(StateVar::Region(region), Value::Array(Arc::new(contents)));
            }
        }
        for &node in &self.forest.path(error) {
            if let Some((_, block)) = self.forest.nodes[node].parent {
                path.edges.extend(&self.graph.blocks[block].edges);
            }
        }
        path
    }

    /// The final partition as an invariant: at each loop head, the regions that abstract traces reach,
    /// or the complement of the others, whichever are fewer.
    fn invariant(&mut self) -> Invariant {
        let reachable = self.partition.reachable(&self.graph);
        let cuts = &self.view.encoding.cuts;
        let mut invariant = Invariant::default();
        for cut in cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry && cut != cuts.error) {
            let location = cuts.location(cut);
            let formula = match self.graph.of_location[location] {
                None => Terms::FALSE,
                Some(point) => {
                    let (inside, outside): (Vec<RegionId>, Vec<RegionId>) =
                        self.partition.at[point].iter().partition(|region| reachable.contains(*region));
                    let formulas = |regions: &[RegionId]| -> Vec<TermId> {
                        regions.iter().map(|&region| self.partition.regions[region].formula).collect()
                    };
                    let formula = if inside.len() <= outside.len() {
                        let parts = formulas(&inside);
                        self.tm.or(&parts)
                    } else {
                        let parts = formulas(&outside);
                        let complement = self.tm.or(&parts);
                        self.tm.not(complement)
                    };
                    self.tm.and2(formula, self.graph.points[point].facts)
                }
            };
            invariant.formulas.insert(location, formula);
        }
        invariant
    }
}
