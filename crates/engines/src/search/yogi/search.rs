//! The state that the engines of Yogi share, and what they do alike.

use super::build::{self, Extent};
use super::forest::{Forest, Link, NodeId, TestId, to_value};
use super::graph::{Block, BlockId, Procedures};
use super::partition::{Choice, RegionId};
use super::preimage::open_preimage;
use super::query::Query;
use super::run::{Plan, Tester};
use super::symbolic::{Input, Question, SymbolicExecution};
use crate::path::ProgramPath;
use crate::verdict::Reason;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Map, OrderedMap, Set, Stats};
use craig_certificate::Invariant;
use craig_exec::Source;
use craig_program::{Cell, Decisions, LocId, Program, ScalarCell, StateVar};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{ArrayValue, Model, Substitution, TermId, Terms, Value};
use std::sync::Arc;

/// Tests, regions, and all that is needed to make more of them.
pub struct Yogi<'a> {
    pub tm: &'a mut Terms,
    /// What formulas speak of.
    pub program: &'a Program,
    /// What runs: the program before simplification.
    pub original: &'a Program,
    pub procedures: Procedures,
    pub tester: Tester<'a>,
    pub forest: Forest,
    pub symbolic: SymbolicExecution,
    /// What is asked now, with its regions.
    pub query: Query,
    pub budget: &'a Budget,
    pub stats: &'a mut Stats,
}

impl<'a> Yogi<'a> {
    /// For a program whose entry procedure has no calls.
    pub fn inlined(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        seed: u64,
        (extent, decisions): (Extent, Decisions),
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Result<Self, Reason> {
        let procedures =
            build::inlined(tm, view.program, &view.encoding.ranges, (extent, decisions), budget)?;
        let programs = (view.program, view.original);
        Ok(Yogi::new(tm, programs, view.scalars, procedures, seed, budget, stats))
    }

    /// For all procedures of a program.
    pub fn procedural(
        tm: &'a mut Terms,
        program: &'a Program,
        seed: u64,
        decisions: Decisions,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Result<Self, Reason> {
        let procedures = build::procedures(tm, program, decisions, budget)?;
        Ok(Yogi::new(tm, (program, program), &[], procedures, seed, budget, stats))
    }

    fn new(
        tm: &'a mut Terms,
        (program, original): (&'a Program, &'a Program),
        scalars: &[ScalarCell],
        procedures: Procedures,
        seed: u64,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let Some(main) = &procedures[program.entry] else { unreachable!("the entry procedure has a graph") };
        let symbolic = SymbolicExecution::new(tm, main);
        let query = Query::new(tm, program.entry, main, None, None);
        let tester = Tester::new(original, program, scalars, &procedures, seed);
        let forest = Forest::default();
        Yogi { tm, program, original, procedures, tester, forest, symbolic, query, budget, stats }
    }

    pub fn give_up(&mut self, step: (NodeId, BlockId, RegionId), reason: Reason) {
        self.stats.add("frontiers given up", 1);
        self.query.give_up(step, reason);
    }

    /// Whether a formula over the constants of the node's point holds in its state.
    pub fn holds(&self, node: NodeId, formula: TermId) -> Result<bool, Reason> {
        Ok(self.forest.holds(self.tm, self.program, &self.procedures, node, formula)?)
    }

    /// The nodes in which the formula holds.
    pub fn satisfying(&self, nodes: &[NodeId], formula: TermId) -> Result<Vec<NodeId>, Reason> {
        let mut satisfying = Vec::new();
        for &node in nodes {
            if self.holds(node, formula)? {
                satisfying.push(node);
            }
        }
        Ok(satisfying)
    }

    /// What a test needs that follows the path of `node`, where it satisfies `here`, and then the block
    /// into `target`.
    pub fn question(
        &mut self,
        node: NodeId,
        (block, code): (BlockId, &Block),
        target: TermId,
        here: TermId,
    ) -> Question {
        let mut goal = open_preimage(self.tm, &self.query.graph, code, target);
        goal.push(here);
        let (tm, forest) = (&mut *self.tm, &mut self.forest);
        self.symbolic.question(tm, &self.procedures, forest, node, (block, code), &goal)
    }

    /// The path of the question, and that it ends in the state of the node's point.
    pub fn path_formula(&mut self, question: &Question) -> Vec<TermId> {
        let node = question.node;
        let symbolic = self.symbolic.execute(self.tm, &self.procedures, &mut self.forest, node);
        let state = &self.query.graph.points[self.forest.nodes[node].point].state;
        let mut path = question.path.clone();
        for (&(_, constant), &value) in state.iter().zip(symbolic.values.iter()) {
            path.push(self.tm.eq(constant, value));
        }
        path
    }

    /// Runs the test that a model of the question describes, with these inputs after it; a reason if it
    /// comes to none of the targets.
    pub fn follow(
        &mut self,
        question: &Question,
        model: &Model,
        after: &[Input],
        targets: &[RegionId],
    ) -> Result<Option<Reason>, Reason> {
        for calm in [false, true] {
            let plan = self.symbolic.plan(
                self.tm,
                self.program,
                &self.procedures,
                &self.forest,
                question,
                after,
                (model, calm),
            );
            self.run_test(&plan)?;
            let visited = |&region: &RegionId| !self.query.partition.regions[region].nodes.is_empty();
            if targets.iter().any(visited) || self.is_reached() {
                return Ok(None);
            }
        }
        Ok(Some(self.not_replayed(question.node, question.block)))
    }

    /// A state of `from`, the block, and a state of `to` after it.
    pub fn step_formula(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Vec<TermId> {
        let Query { graph, partition, .. } = &self.query;
        let source = &partition.regions[from];
        let mut parts = vec![graph.points[source.point].facts, source.formula];
        parts.extend(open_preimage(self.tm, graph, &graph.blocks[block], partition.regions[to].formula));
        parts
    }

    /// What an initial state in the region satisfies, over the constants of the initial state.
    pub fn start_goal(&mut self, region: RegionId) -> Vec<TermId> {
        let root = self.symbolic.root().clone();
        let Query { graph, partition, .. } = &self.query;
        let mut start = graph.points[graph.entry].map(&root.values);
        let mut goal = root.constraints;
        goal.push(start.apply(self.tm, partition.regions[region].formula));
        goal
    }

    /// The first test, and tests that enter the procedure in a part of the entry that no test has seen.
    pub fn start_test(&mut self, region: RegionId) -> Result<(), Reason> {
        let question = self.query.from.and_then(|(node, block)| self.question_of_entry(node, block, region));
        let goal = match &question {
            Some(question) => [&question.path[..], &question.goal].concat(),
            None => self.start_goal(region),
        };
        let Some(model) = self.ask(&goal)? else {
            self.query.partition.exclude_start(region);
            return Ok(());
        };
        for calm in [false, true] {
            let (tm, program) = (&*self.tm, self.program);
            let plan = match &question {
                Some(question) => {
                    let (procedures, forest) = (&self.procedures, &self.forest);
                    self.symbolic.plan(tm, program, procedures, forest, question, &[], (&model, calm))
                }
                None => {
                    // Only the region decides; what else the state is made of is left to chance.
                    let asked = &goal[goal.len() - 1..];
                    Plan { calm, ..self.symbolic.plan_of_start(tm, program, asked, &model) }
                }
            };
            self.run_test(&plan)?;
            if self.is_reached() || !self.query.partition.regions[region].nodes.is_empty() {
                return Ok(());
            }
        }
        self.query.give_up_start(region);
        Ok(())
    }

    /// What a test needs that follows the path of `node` and enters the procedure of the query by the call.
    fn question_of_entry(&mut self, node: NodeId, block: BlockId, region: RegionId) -> Option<Question> {
        let caller = self.procedures[self.forest.nodes[node].proc].as_ref()?;
        let (call, code) = (caller.calls.get(&block)?, &caller.graph.blocks[block]);
        let Query { graph, partition, .. } = &self.query;
        let state = graph.points[graph.entry].state.iter();
        let passed = state.filter_map(|&(var, constant)| Some((constant, call.argument(var)?)));
        let mut passed = Substitution::from_pairs(passed.collect::<Vec<_>>());
        let mut goal = call.conditions.clone();
        goal.push(passed.apply(self.tm, partition.regions[region].formula));
        let (tm, forest) = (&mut *self.tm, &mut self.forest);
        Some(self.symbolic.question(tm, &self.procedures, forest, node, (block, code), &goal))
    }

    /// A model of the parts, if there is one.
    pub fn ask(&mut self, parts: &[TermId]) -> Result<Option<Model>, Reason> {
        self.stats.add("solver calls", 1);
        let mut solver = NativeSolver::default();
        for &part in parts {
            if self.tm.is_false(part) {
                return Ok(None);
            }
            solver.assert(self.tm, part);
        }
        match solver.check(self.tm, &[], self.budget) {
            Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(Reason::from(reason)),
        }
    }

    /// Tests with random inputs, all but the first cut off early.
    pub fn run_random_tests(&mut self, count: usize, max_states: usize) -> Result<(), Reason> {
        self.run_test(&Plan::default())?;
        let all = self.tester.max_states;
        self.tester.max_states = all.min(max_states);
        for _ in 1..count {
            if self.is_reached() {
                break;
            }
            self.run_test(&Plan::default())?;
        }
        self.tester.max_states = all;
        Ok(())
    }

    /// Runs a test and adds its states to the forest.
    pub fn run_test(&mut self, plan: &Plan) -> Result<(), Reason> {
        self.stats.add("tests", 1);
        let run = self.tester.run(&self.procedures, plan, self.budget);
        self.budget.check()?;
        self.forest.add(run);
        self.place_states()
    }

    /// Whether a test has reached the target, or the error of the program.
    pub fn is_reached(&self) -> bool {
        self.query.reached || self.forest.failed.is_some()
    }

    /// Puts new states of the forest into their regions.
    pub fn place_states(&mut self) -> Result<(), Reason> {
        let exit = self.procedures[self.query.proc].as_ref().and_then(|procedure| procedure.exit);
        while self.query.placed < self.forest.nodes.len() {
            let node = NodeId(self.query.placed as u32);
            self.query.placed += 1;
            let state = &self.forest.nodes[node];
            let point = state.point;
            if state.proc != self.query.proc {
                continue;
            }
            if let (Some(post), true) = (self.query.post, Some(point) == exit) {
                self.query.reached |= self.holds(node, post)?;
            }
            // The regions of a point cover all states.
            let Some((&last, others)) = self.query.partition.at[point].split_last() else { continue };
            let mut region = last;
            for &other in others {
                if self.holds(node, self.query.partition.regions[other].formula)? {
                    region = other;
                    break;
                }
            }
            self.query.partition.regions[region].nodes.push(node);
        }
        Ok(())
    }

    /// Forgets the regions, and keeps the tests, when tests have reached too many regions of guesses. With what
    /// the tests show now, better predicates are chosen from the start. Whether they were.
    pub fn restart_if_due(&mut self) -> Result<bool, Reason> {
        if self.query.regretted < self.query.restart_at || self.query.placed == self.query.known {
            return Ok(false);
        }
        self.stats.add("restarts", 1);
        self.query.restart();
        self.place_states()?;
        Ok(true)
    }

    /// A model whose test went another way.
    pub fn not_replayed(&self, node: NodeId, block: BlockId) -> Reason {
        let mut path: Vec<(NodeId, BlockId)> = Vec::new();
        for at in self.forest.path(node) {
            if let Link::Block(last, block) = self.forest.nodes[at].link {
                path.push((last, block));
            }
        }
        path.push((node, block));
        let approximated = path.into_iter().find_map(|(from, block)| {
            let proc = self.forest.nodes[from].proc;
            let code = self.procedures[proc].as_ref()?.graph.blocks.get(block)?;
            code.approximations.first().map(|&(edge, expr)| (proc, edge, expr))
        });
        Reason::NotReplayed(match approximated {
            Some((proc, edge, expr)) => {
                let line = self.program.procs[proc].edges[edge].span.line;
                format!("line {line}: `{}` is only approximated in formulas", self.program.show_expr(expr))
            }
            None => "a test went another way than its model".to_string(),
        })
    }

    /// Splits `from` by a predicate without which no step along the block leads into the targets; the part with
    /// the predicate is a new region.
    pub fn split(
        &mut self,
        from: RegionId,
        block: BlockId,
        targets: &[RegionId],
        predicate: TermId,
    ) -> Result<Option<RegionId>, Reason> {
        let inside = self.satisfying(&self.query.partition.regions[from].nodes, predicate)?;
        let inside: Set<NodeId> = inside.into_iter().collect();
        let Query { graph, partition, regretted, .. } = &mut self.query;
        *regretted += usize::from(partition.regions[from].is_guess);
        let new = partition.split(self.tm, graph, from, predicate, &inside);
        for &to in targets {
            partition.exclude(from, block, to);
        }
        self.stats.add("refinements", 1);
        self.stats.max("regions", partition.regions.len() as u64);
        Ok(new)
    }

    /// TestFromWitness: the inputs of the run that reached the error, for a program without calls.
    pub fn test_from_witness(&self, failed: TestId) -> ProgramPath {
        let program = self.original;
        let proc = &program.procs[program.entry];
        let mut path = ProgramPath::default();
        let mut params = proc.params.iter();
        let mut regions: Map<craig_program::RegionId, ArrayValue> = Map::default();
        for input in &self.forest.tests[failed].run.inputs {
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
        path
    }

    /// The final partition of an inlined program as an invariant.
    pub fn invariant(&mut self, view: &InlinedView<'_>) -> Invariant {
        let cuts = &view.encoding.cuts;
        let heads = cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry && cut != cuts.error);
        let heads: Vec<LocId> = heads.map(|cut| cuts.location(cut)).collect();
        Invariant { formulas: self.formulas(&heads), frames: false }
    }

    /// For each of the locations, the regions that abstract traces reach, or the complement of the others,
    /// whichever are fewer.
    pub fn formulas(&mut self, locations: &[LocId]) -> OrderedMap<LocId, TermId> {
        let reached = self.query.reached();
        let choice = |region: RegionId| if reached.contains(&region) { Choice::In } else { Choice::Out };
        let Query { graph, partition, .. } = &self.query;
        let mut formulas = OrderedMap::default();
        for &location in locations {
            let formula = match graph.of_location[location] {
                None => Terms::FALSE,
                Some(point) => {
                    let formula = partition.formula(self.tm, point, choice);
                    self.tm.and2(formula, graph.points[point].facts)
                }
            };
            formulas.insert(location, formula);
        }
        formulas
    }
}
