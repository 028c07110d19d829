//! The state that the engines of Yogi share, and what they do alike.

use super::forest::{Forest, NodeId, to_value};
use super::graph::{BlockId, Extent, Graph};
use super::partition::{Choice, Frontier, Partition, RegionId};
use super::preimage::open_preimage;
use super::run::{Plan, Tester};
use super::symbolic::{Question, SymbolicExecution};
use crate::blocks::InlinedView;
use crate::path::ProgramPath;
use crate::verdict::{Finding, Reason};
use craig_base::{Budget, Map, Set, Stats, StopReason};
use craig_certificate::Invariant;
use craig_exec::Source;
use craig_program::{Cell, Program, StateVar};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{ArrayValue, EvalError, Model, Substitution, TermId, Terms, Value};
use std::sync::Arc;

/// Why the search ends without an answer.
pub enum Stop {
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
    pub fn reason(self) -> Reason {
        match self {
            Stop::Budget(reason) => Reason::Stopped(reason),
            Stop::Solver(reason) => Reason::Solver(reason),
            Stop::Eval(error) => Reason::Internal(error.to_string()),
        }
    }
}

/// Tests, regions, and all that is needed to make more of them.
pub struct Yogi<'a> {
    pub tm: &'a mut Terms,
    pub view: &'a InlinedView<'a>,
    pub graph: Graph,
    pub tester: Tester<'a>,
    pub forest: Forest,
    pub partition: Partition,
    pub symbolic: SymbolicExecution,
    /// Frontiers at which neither a test nor a refinement was found.
    stuck: Set<(NodeId, BlockId, RegionId)>,
    stuck_reason: Option<Reason>,
    stuck_start: Option<Reason>,
    pub budget: &'a Budget,
    pub stats: &'a mut Stats,
}

impl<'a> Yogi<'a> {
    pub fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        seed: u64,
        extent: Extent,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Result<Self, Stop> {
        let graph = Graph::new(tm, view.program, &view.ranges, extent, budget)?;
        let tester = Tester::new(view.original, view.program, view.scalars, &graph, seed);
        let symbolic = SymbolicExecution::new(tm, &graph);
        Ok(Yogi {
            tm,
            view,
            tester,
            forest: Forest::default(),
            partition: Partition::new(&graph),
            symbolic,
            graph,
            stuck: Set::default(),
            stuck_reason: None,
            stuck_start: None,
            budget,
            stats,
        })
    }

    pub fn program(&self) -> &'a Program {
        self.view.program
    }

    pub fn get_ordered_abstract_trace(&self) -> Option<Frontier> {
        self.partition.frontier(&self.graph, |from, block, to| self.oldest(from, block, to).is_none())
    }

    /// The oldest state of the region from which the step was not given up.
    pub fn oldest(&self, from: RegionId, block: BlockId, to: RegionId) -> Option<NodeId> {
        let nodes = &self.partition.regions[from].nodes;
        nodes.iter().copied().find(|&node| !self.stuck.contains(&(node, block, to)))
    }

    pub fn give_up(&mut self, step: (NodeId, BlockId, RegionId), reason: Reason) {
        self.stats.add("frontiers given up", 1);
        self.stuck.insert(step);
        self.stuck_reason.get_or_insert(reason);
    }

    /// A start that formulas allow and no test could make.
    pub fn give_up_start(&mut self) {
        let why = "a start of the program that the formulas allow".to_string();
        self.stuck_start.get_or_insert(Reason::NotReplayed(why));
    }

    /// No abstract error trace is left, but for what was given up.
    pub fn conclude(&mut self) -> Finding {
        if let Some(reason) = self.stuck_start.take() {
            return Finding::Unknown(reason);
        }
        let open = self.partition.frontier(&self.graph, |_, _, _| false).is_some();
        match self.stuck_reason.take().filter(|_| open) {
            Some(reason) => Finding::Unknown(reason),
            None => Finding::Safe(self.invariant()),
        }
    }

    /// Whether a formula over the constants of the node's point holds in its state.
    pub fn holds(&self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        Ok(self.forest.holds(self.tm, self.program(), &self.graph, node, formula)?)
    }

    /// See [`Partition::target`].
    pub fn target(&mut self, from: RegionId, block: BlockId, targets: &[RegionId]) -> TermId {
        self.partition.target(self.tm, &self.graph, from, block, targets)
    }

    /// What a test needs that follows the path of `node`, up to which it stays in its region, and then
    /// `block` into `target`.
    pub fn question_within(
        &mut self,
        node: NodeId,
        from: RegionId,
        block: BlockId,
        target: TermId,
    ) -> Question {
        let here = self.symbolic.execute(self.tm, &self.graph, &mut self.forest, node);
        let state = &self.graph.points[self.partition.regions[from].point].state;
        let values = state.iter().map(|&(_, constant)| constant).zip(here.values.iter().copied());
        let region = self.partition.regions[from].formula;
        let region = Substitution::from_pairs(values.collect::<Vec<_>>()).apply(self.tm, region);
        self.symbolic.question(self.tm, &self.graph, &mut self.forest, node, block, target, region)
    }

    /// What a test needs that follows the path of `node` and then `block` into `target`.
    pub fn question(&mut self, node: NodeId, block: BlockId, target: TermId) -> Question {
        self.symbolic.question(self.tm, &self.graph, &mut self.forest, node, block, target, Terms::TRUE)
    }

    /// The path of the question, and that it ends in the state of the node's point.
    pub fn path_formula(&mut self, question: &Question) -> Vec<TermId> {
        let symbolic = self.symbolic.execute(self.tm, &self.graph, &mut self.forest, question.node);
        let state = &self.graph.points[self.forest.nodes[question.node].point].state;
        let mut path = question.path.clone();
        for (&(_, constant), &value) in state.iter().zip(symbolic.values.iter()) {
            path.push(self.tm.eq(constant, value));
        }
        path
    }

    /// Runs the test that a model of the question describes; a reason if it comes to none of the
    /// targets.
    pub fn follow(
        &mut self,
        question: &Question,
        model: &Model,
        targets: &[RegionId],
    ) -> Result<Option<Reason>, Stop> {
        for calm in [false, true] {
            let (program, forest) = (self.program(), &self.forest);
            let plan = self.symbolic.plan(self.tm, program, &self.graph, forest, question, model, calm);
            self.run_test(&plan)?;
            let visited = |&region: &RegionId| !self.partition.regions[region].nodes.is_empty();
            if targets.iter().any(visited) || self.forest.error.is_some() {
                return Ok(None);
            }
        }
        Ok(Some(self.not_replayed(question.node, question.block)))
    }

    /// A state of `from`, the block, and a state of `to` behind it.
    pub fn step_formula(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Vec<TermId> {
        let source = &self.partition.regions[from];
        let mut parts = vec![self.graph.points[source.point].facts, source.formula];
        let target = self.partition.regions[to].formula;
        parts.extend(open_preimage(self.tm, &self.graph, &self.graph.blocks[block], target));
        parts
    }

    /// What an initial state in the region satisfies, over the constants of the initial state.
    pub fn start_goal(&mut self, region: RegionId) -> Vec<TermId> {
        let root = self.symbolic.root().clone();
        let state = &self.graph.points[self.graph.entry].state;
        let start: Map<TermId, TermId> =
            state.iter().map(|&(_, constant)| constant).zip(root.values.iter().copied()).collect();
        let mut goal = root.constraints;
        goal.push(self.tm.substitute(self.partition.regions[region].formula, &start));
        goal
    }

    /// The first test, and tests that start in a part of the entry that no test has seen.
    pub fn start_test(&mut self, region: RegionId) -> Result<(), Stop> {
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
                    self.give_up_start();
                }
            }
            Answer::Unknown(reason) => return Err(Stop::from(reason)),
        }
        Ok(())
    }

    /// Tests with random inputs, all but the first cut off early.
    pub fn run_random_tests(&mut self, count: usize, max_states: usize) -> Result<(), Stop> {
        self.run_test(&Plan::default())?;
        let all = std::mem::replace(&mut self.tester.max_states, max_states);
        for _ in 1..count {
            if self.forest.error.is_some() {
                break;
            }
            self.run_test(&Plan::default())?;
        }
        self.tester.max_states = all;
        Ok(())
    }

    /// Runs a test and adds its states to the forest.
    pub fn run_test(&mut self, plan: &Plan) -> Result<(), Stop> {
        self.stats.add("tests", 1);
        let run = self.tester.run(&self.graph, plan, self.budget);
        self.budget.check()?;
        let program = self.program();
        self.forest.add(self.tm, program, &self.graph, &mut self.partition, run)?;
        Ok(())
    }

    /// A model whose test went another way.
    pub fn not_replayed(&self, node: NodeId, block: BlockId) -> Reason {
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

    /// Splits `from` by a predicate without which no step along the block leads into the targets.
    pub fn split(
        &mut self,
        from: RegionId,
        block: BlockId,
        targets: &[RegionId],
        predicate: TermId,
    ) -> Result<(), Stop> {
        let nodes = &self.partition.regions[from].nodes;
        let inside = self.forest.satisfying(self.tm, self.program(), &self.graph, nodes, predicate)?;
        self.partition.split(self.tm, &self.graph, from, predicate, &inside);
        for &to in targets {
            self.partition.exclude(from, block, to);
        }
        self.stats.add("refinements", 1);
        self.stats.max("regions", self.partition.regions.len() as u64);
        Ok(())
    }

    /// TestFromWitness: the inputs of the run that reached the error.
    pub fn test_from_witness(&self, error: NodeId) -> ProgramPath {
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
    pub fn invariant(&mut self) -> Invariant {
        let reachable = self.partition.reachable(&self.graph);
        let cuts = &self.view.encoding.cuts;
        let mut invariant = Invariant::default();
        for cut in cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry && cut != cuts.error) {
            let location = cuts.location(cut);
            let formula = match self.graph.of_location[location] {
                None => Terms::FALSE,
                Some(point) => {
                    let choice = |region: RegionId| {
                        if reachable.contains(&region) { Choice::In } else { Choice::Out }
                    };
                    let formula = self.partition.formula(self.tm, point, choice);
                    self.tm.and2(formula, self.graph.points[point].facts)
                }
            };
            invariant.formulas.insert(location, formula);
        }
        invariant
    }
}
