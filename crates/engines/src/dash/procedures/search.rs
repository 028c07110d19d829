//! DASH on one procedure: Figure 8, with the ExtendFrontier of Figure 14.

use super::forest::{Forest, Plan, Tester};
use super::graph::{Call, Procedures};
use super::query::{Abstraction, Query};
use super::summaries::{Claim, Open, Summary};
use super::symbolic::{Fact, Origin, Question, SymbolicExecution, fact};
use crate::blocks::conjuncts;
use crate::dash::alias::satisfied_by_inputs;
use crate::verdict::Reason;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{Block, BlockId, Graph, PointId};
use crate::yogi::partition::{Choice, Frontier, Partition, RegionId};
use crate::yogi::preimage::behind;
use crate::yogi::search::Stop;
use craig_base::{Budget, Map, OrderedMap, Set, Stats};
use craig_program::{ProcId, Program};
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Substitution, TermId, Terms};

/// States of a region that decide whether a predicate may be weaker.
const MAX_STATES: usize = 100;
/// Must summaries of one procedure, and states on the path of one.
const MAX_FACTS: usize = 40;
const MAX_FACT_STATES: usize = 150;

pub struct Search<'a> {
    pub tm: &'a mut Terms,
    pub program: &'a Program,
    pub procedures: Procedures,
    pub tester: Tester<'a>,
    pub forest: Forest,
    pub symbolic: SymbolicExecution,
    pub facts: Map<ProcId, Vec<Fact>>,
    fact_origins: Set<(ProcId, Origin)>,
    /// Nodes that were looked at for facts.
    looked_at: usize,
    pub summaries: Vec<Summary>,
    pub stack: Vec<Open>,
    pub budget: &'a Budget,
    pub stats: &'a mut Stats,
}

/// Why the whole search is over.
pub enum End {
    Stop(Stop),
    /// A test has reached the error.
    Failed,
}

impl<T: Into<Stop>> From<T> for End {
    fn from(stop: T) -> Self {
        End::Stop(stop.into())
    }
}

/// What came of a question about a procedure.
pub enum Found {
    /// A test does what was claimed to be impossible.
    Test,
    /// The claim holds where the condition does.
    Proof {
        condition: TermId,
        abstraction: Box<Abstraction>,
    },
    Unknown(Reason),
}

/// A frontier, with all that is asked behind it.
pub struct Edge {
    pub node: NodeId,
    pub from: RegionId,
    pub block: BlockId,
    pub to: RegionId,
    pub targets: Vec<RegionId>,
    pub target: TermId,
}

/// What the solver says about crossing a frontier.
enum Crossing {
    Test(Question, Model),
    Infeasible(TermId),
    Unknown(Reason),
}

impl<'a> Search<'a> {
    pub fn new(
        tm: &'a mut Terms,
        program: &'a Program,
        procedures: Procedures,
        seed: u64,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Self {
        let tester = Tester::new(program, &procedures, seed);
        let symbolic = SymbolicExecution::new(tm, program, &procedures);
        Search {
            tm,
            program,
            procedures,
            tester,
            forest: Forest::default(),
            symbolic,
            facts: Map::default(),
            fact_origins: Set::default(),
            looked_at: 0,
            summaries: Vec::new(),
            stack: Vec::new(),
            budget,
            stats,
        }
    }

    /// Runs a test; its calls are must summaries.
    pub fn run_test(&mut self, plan: &Plan) -> Result<(), End> {
        self.stats.add("tests", 1);
        self.tester.run(&self.procedures, &mut self.forest, plan, self.budget);
        self.budget.check()?;
        if self.forest.failed.is_some() {
            return Err(End::Failed);
        }
        let (from, to) = (self.looked_at, self.forest.nodes.len());
        self.looked_at = to;
        for index in from..to {
            let node = NodeId(index as u32);
            let proc = self.forest.nodes[node].proc;
            let exit = self.procedures[proc].as_ref().and_then(|procedure| procedure.exit);
            let facts = self.facts.entry(proc).or_default();
            if exit != Some(self.forest.nodes[node].point) || facts.len() >= MAX_FACTS {
                continue;
            }
            let (program, procedures) = (self.program, &self.procedures);
            let found = fact(self.tm, program, procedures, &self.forest, node, MAX_FACT_STATES);
            if let Some((origin, fact)) = found
                && self.fact_origins.insert((proc, origin))
            {
                self.facts.entry(proc).or_default().push(fact);
                self.stats.add("must summaries", 1);
            }
        }
        Ok(())
    }

    /// Figure 8: whether the procedure can do what the claim says it cannot.
    pub fn dash(
        &mut self,
        proc: ProcId,
        claim: Claim,
        from: Option<(NodeId, BlockId)>,
    ) -> Result<Found, End> {
        let Some(procedure) = &self.procedures[proc] else {
            return Ok(Found::Unknown(Reason::Internal("a procedure that nobody calls".to_string())));
        };
        let (graph, post) = match claim {
            Claim::NeverFails => (procedure.graph.clone(), None),
            Claim::Returns(relation) => {
                let post = self.tm.not(relation);
                match procedure.towards(self.tm, post) {
                    Some((graph, _)) => (graph, Some(post)),
                    None => (Graph { error: None, ..procedure.graph.clone() }, Some(post)),
                }
            }
        };
        let partition = Partition::new(&graph);
        let mut query = Query {
            proc,
            graph,
            partition,
            known: 0,
            reached: false,
            post,
            from,
            stuck: Set::default(),
            stuck_start: false,
            reason: None,
            asked: Map::default(),
        };
        loop {
            self.budget.check()?;
            self.place_nodes(&mut query)?;
            if query.reached {
                return Ok(Found::Test);
            }
            let frontier = query
                .partition
                .frontier(&query.graph, |from, block, to| query.oldest(from, block, to).is_none());
            match frontier {
                None => return Ok(self.conclude(query)),
                Some(Frontier::Start(region)) => self.start_test(&mut query, region)?,
                Some(Frontier::Edge { from, block, to, .. }) => {
                    if let Some(node) = query.oldest(from, block, to) {
                        self.extend_frontier(&mut query, node, from, block, to)?;
                    }
                }
            }
        }
    }

    /// Puts new states into their regions.
    fn place_nodes(&mut self, query: &mut Query) -> Result<(), End> {
        let exit = self.procedures[query.proc].as_ref().and_then(|procedure| procedure.exit);
        while query.known < self.forest.nodes.len() {
            let node = NodeId(query.known as u32);
            query.known += 1;
            let (proc, point) = (self.forest.nodes[node].proc, self.forest.nodes[node].point);
            if proc != query.proc {
                continue;
            }
            if let (Some(post), true) = (query.post, Some(point) == exit)
                && self.holds(node, post)?
            {
                query.reached = true;
            }
            let candidates = query.partition.at[point].clone();
            let Some((&last, others)) = candidates.split_last() else { continue };
            let mut region = last;
            for &other in others {
                if self.holds(node, query.partition.regions[other].formula)? {
                    region = other;
                    break;
                }
            }
            query.partition.regions[region].nodes.push(node);
        }
        Ok(())
    }

    fn holds(&self, node: NodeId, formula: TermId) -> Result<bool, Stop> {
        Ok(self.forest.holds(self.tm, self.program, &self.procedures, node, formula)?)
    }

    /// A test that enters the procedure in a part of the entry that no test has seen.
    fn start_test(&mut self, query: &mut Query, region: RegionId) -> Result<(), End> {
        let formula = query.partition.regions[region].formula;
        let question = match query.from {
            None => {
                let root = self.symbolic.root().clone();
                let state = query.graph.points[query.graph.entry].state.iter();
                let pairs: Vec<_> =
                    state.map(|&(_, constant)| constant).zip(root.values.iter().copied()).collect();
                let mut goal = root.constraints;
                goal.push(Substitution::from_pairs(pairs).apply(self.tm, formula));
                Err(goal)
            }
            Some((node, block)) => {
                let Some((call, code)) = self.call_at(node, block) else {
                    query.partition.exclude_start(region);
                    query.stuck_start = true;
                    return Ok(());
                };
                // The rigid part of the state repeats what is passed.
                let state = query.graph.points[query.graph.entry].state.iter();
                let passed = state.filter_map(|&(var, constant)| {
                    call.args.iter().find(|(passed, _)| *passed == var).map(|&(_, arg)| (constant, arg))
                });
                let pairs: Vec<(TermId, TermId)> = passed.collect();
                let mut goal = call.conditions.clone();
                goal.push(Substitution::from_pairs(pairs).apply(self.tm, formula));
                let (tm, forest) = (&mut *self.tm, &mut self.forest);
                Ok(self.symbolic.question(tm, &self.procedures, forest, node, Some(&code), &goal))
            }
        };
        self.stats.add("iterations", 1);
        self.stats.add("solver calls", 1);
        let parts: Vec<TermId> = match &question {
            Ok(question) => question.path.iter().chain(&question.goal).copied().collect(),
            Err(goal) => goal.clone(),
        };
        let Some(model) = self.ask(&parts)? else {
            query.partition.exclude_start(region);
            return Ok(());
        };
        for calm in [false, true] {
            let plan = match &question {
                Ok(question) => {
                    let (program, procedures) = (self.program, &self.procedures);
                    self.symbolic.plan(
                        self.tm,
                        program,
                        procedures,
                        &self.forest,
                        question,
                        None,
                        (&model, calm),
                    )
                }
                Err(_) => Plan { calm, ..Plan::default() },
            };
            self.run_test(&plan)?;
            self.place_nodes(query)?;
            if query.reached || !query.partition.regions[region].nodes.is_empty() {
                return Ok(());
            }
        }
        query.partition.exclude_start(region);
        query.stuck_start = true;
        Ok(())
    }

    /// A model of the parts, if there is one.
    fn ask(&mut self, parts: &[TermId]) -> Result<Option<Model>, Stop> {
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
            Answer::Unknown(reason) => Err(Stop::from(reason)),
        }
    }

    fn call_at(&self, node: NodeId, block: BlockId) -> Option<(Call, Block)> {
        let procedure = self.procedures[self.forest.nodes[node].proc].as_ref()?;
        Some((procedure.calls.get(&block)?.clone(), procedure.graph.blocks[block].clone()))
    }

    /// Figure 14: a test across the frontier, or a split at it. At a call first with the may summaries of
    /// the callee, then with its must summaries, and if neither decides, by a question to the callee.
    fn extend_frontier(
        &mut self,
        query: &mut Query,
        node: NodeId,
        from: RegionId,
        block: BlockId,
        to: RegionId,
    ) -> Result<(), End> {
        let targets = query.targets(from, block);
        let target = query.partition.target(self.tm, &query.graph, from, block, &targets);
        let edge = Edge { node, from, block, to, targets, target };
        let mut code = query.graph.blocks[block].clone();
        let call = self.procedures[query.proc].as_ref().and_then(|p| p.calls.get(&block).cloned());
        if let Some(call) = &call {
            let may = self.may(call);
            code.guard.extend(conjuncts(self.tm, may));
        }
        match self.cross(query, &edge, &code)? {
            Crossing::Infeasible(predicate) => self.refine(query, &edge, predicate),
            Crossing::Unknown(reason) => {
                query.give_up(&edge, reason);
                Ok(())
            }
            Crossing::Test(question, model) => match call {
                None => self.follow(query, &edge, &question, &model, None),
                Some(call) => self.ask_callee(query, &edge, &call),
            },
        }
    }

    /// The one call of the solver: whether the path of the node can be extended across the block.
    fn cross(&mut self, query: &Query, edge: &Edge, code: &Block) -> Result<Crossing, End> {
        self.stats.add("iterations", 1);
        self.stats.add("solver calls", 1);
        let point = query.partition.regions[edge.from].point;
        let region = query.partition.regions[edge.from].formula;
        let after = behind(self.tm, &query.graph.points[code.to], code, edge.target);
        let after = conjuncts(self.tm, after);
        let all: Vec<TermId> = code.guard.iter().chain(&after).copied().collect();
        let free: Set<TermId> = code.free.iter().copied().collect();
        let satisfied = satisfied_by_inputs(self.tm, &all, &free);
        let left: Vec<TermId> = all.iter().copied().filter(|part| !satisfied.contains(part)).collect();
        let is_open = left.iter().any(|&part| self.tm.free_consts(part).iter().any(|c| free.contains(c)));
        let mut goal = all.clone();
        goal.push(region);
        let (tm, forest) = (&mut *self.tm, &mut self.forest);
        let question = self.symbolic.question(tm, &self.procedures, forest, edge.node, Some(code), &goal);
        if !is_open {
            let parts: Vec<TermId> = question.path.iter().chain(&question.goal).copied().collect();
            return Ok(match self.ask(&parts) {
                Ok(Some(model)) => Crossing::Test(question, model),
                Ok(None) => {
                    let guard: Vec<TermId> =
                        code.guard.iter().copied().filter(|part| !satisfied.contains(part)).collect();
                    let after: Vec<TermId> =
                        after.into_iter().filter(|part| !satisfied.contains(part)).collect();
                    Crossing::Infeasible(self.refine_pred(query, edge, &guard, after)?)
                }
                Err(Stop::Solver(reason)) => Crossing::Unknown(Reason::Solver(reason)),
                Err(stop) => return Err(End::Stop(stop)),
            });
        }
        self.stats.add("interpolants", 1);
        let here = self.symbolic.execute(self.tm, &self.procedures, &mut self.forest, edge.node);
        let state = &query.graph.points[point].state;
        let mut path = question.path.clone();
        for (&(_, constant), &value) in state.iter().zip(here.values.iter()) {
            path.push(self.tm.eq(constant, value));
        }
        let fresh: Vec<(TermId, TermId)> = code
            .free
            .iter()
            .map(|&constant| (constant, self.symbolic.input(self.tm, &self.forest, edge.node, constant)))
            .collect();
        let mut inputs = Substitution::from_pairs(fresh);
        let mut step = vec![query.graph.points[point].facts, region];
        step.extend(all.iter().map(|&part| inputs.apply(self.tm, part)));
        let (path, step) = (self.tm.and(&path), self.tm.and(&step));
        let options = interpolate::Options { minimize: false, ..interpolate::Options::default() };
        Ok(match interpolate::binary(self.tm, path, step, &options, self.budget) {
            Interpolation::Sat(model) => Crossing::Test(question, model),
            Interpolation::Interpolants(interpolant) => Crossing::Infeasible(self.tm.not(interpolant)),
            Interpolation::Unknown(Failure::Solver(UnknownReason::Stopped(reason))) => {
                return Err(End::from(reason));
            }
            Interpolation::Unknown(failure) => Crossing::Unknown(Reason::Interpolation(failure)),
        })
    }

    /// RefinePred: the region behind the block before it, and those conditions of the block that some
    /// state needs.
    fn refine_pred(
        &mut self,
        query: &Query,
        edge: &Edge,
        guard: &[TermId],
        mut parts: Vec<TermId>,
    ) -> Result<TermId, End> {
        let mut passing: Vec<NodeId> = vec![edge.node];
        let nodes = query.partition.regions[edge.from].nodes.iter().copied();
        passing.extend(nodes.filter(|&other| other != edge.node).take(MAX_STATES));
        for &part in &parts {
            passing = self.satisfying(passing, part)?;
        }
        for &part in guard {
            if passing.is_empty() {
                break;
            }
            let still = self.satisfying(passing.clone(), part)?;
            if still.len() < passing.len() {
                parts.push(part);
                passing = still;
            }
        }
        Ok(self.tm.and(&parts))
    }

    fn satisfying(&self, nodes: Vec<NodeId>, formula: TermId) -> Result<Vec<NodeId>, Stop> {
        let mut satisfying = Vec::new();
        for node in nodes {
            if self.holds(node, formula)? {
                satisfying.push(node);
            }
        }
        Ok(satisfying)
    }

    fn refine(&mut self, query: &mut Query, edge: &Edge, predicate: TermId) -> Result<(), End> {
        if self.holds(edge.node, predicate)? {
            query.give_up(edge, Reason::Interpolation(Failure::MixedReasoning));
            return Ok(());
        }
        let nodes = query.partition.regions[edge.from].nodes.clone();
        let inside: Set<NodeId> = self.satisfying(nodes, predicate)?.into_iter().collect();
        query.partition.split(self.tm, &query.graph, edge.from, predicate, &inside);
        for &to in &edge.targets {
            query.partition.exclude(edge.from, edge.block, to);
        }
        self.stats.add("refinements", 1);
        Ok(())
    }

    /// Runs the test of a model, with the way through the callee that a fact knows.
    pub fn follow(
        &mut self,
        query: &mut Query,
        edge: &Edge,
        question: &Question,
        model: &Model,
        fact: Option<(ProcId, usize)>,
    ) -> Result<(), End> {
        for calm in [false, true] {
            let known = fact.and_then(|(proc, index)| self.facts.get(&proc)?.get(index));
            let plan = self.symbolic.plan(
                self.tm,
                self.program,
                &self.procedures,
                &self.forest,
                question,
                known,
                (model, calm),
            );
            self.run_test(&plan)?;
            self.place_nodes(query)?;
            let visited = |&region: &RegionId| !query.partition.regions[region].nodes.is_empty();
            if query.reached || edge.targets.iter().any(visited) {
                return Ok(());
            }
        }
        query.give_up(edge, Reason::NotReplayed("a test went another way than its model".to_string()));
        Ok(())
    }

    /// No abstract trace to the target is left, but for what was given up.
    fn conclude(&mut self, mut query: Query) -> Found {
        let unreplayed = || Reason::NotReplayed("a start that the formulas allow".to_string());
        if query.stuck_start {
            return Found::Unknown(query.reason.take().unwrap_or_else(unreplayed));
        }
        if let Some(reason) = query.reason.take()
            && query.partition.frontier(&query.graph, |_, _, _| false).is_some()
        {
            return Found::Unknown(reason);
        }
        let leading = query.leading();
        let entry = query.graph.entry;
        let safe = |region: RegionId| if leading.contains(&region) { Choice::Out } else { Choice::In };
        let condition = query.partition.formula(self.tm, entry, safe);
        let condition = self.at_entry(query.proc, entry, condition);
        let reached = query.reached(&leading);
        let Query { graph, partition, .. } = query;
        let abstraction = Box::new(Abstraction { graph, partition, reached });
        Found::Proof { condition, abstraction }
    }

    /// A formula of the entry point over the entry constants.
    fn at_entry(&mut self, proc: ProcId, point: PointId, formula: TermId) -> TermId {
        let Some(procedure) = &self.procedures[proc] else { return formula };
        let state = &procedure.graph.points[point].state;
        let constants = &procedure.entry;
        let pairs = state.iter().filter_map(|&(var, constant)| {
            constants.iter().find(|(known, _)| *known == var).map(|&(_, entry)| (constant, entry))
        });
        Substitution::from_pairs(pairs.collect::<Vec<_>>()).apply(self.tm, formula)
    }

    /// The locations' formulas of a finished question.
    pub fn invariants(
        &mut self,
        proc: ProcId,
        abstraction: &Abstraction,
    ) -> OrderedMap<craig_program::LocId, TermId> {
        let Abstraction { graph, partition, reached } = abstraction;
        let body = &self.program.procs[proc];
        let mut invariants = OrderedMap::default();
        for component in craig_program::Wto::new(&body.graph(), body.entry).components {
            let location = component.head;
            let formula = match graph.of_location[location] {
                None => Terms::FALSE,
                Some(point) => {
                    let choice =
                        |region: RegionId| if reached.contains(&region) { Choice::In } else { Choice::Out };
                    let formula = partition.formula(self.tm, point, choice);
                    self.tm.and2(formula, graph.points[point].facts)
                }
            };
            invariants.insert(location, formula);
        }
        invariants
    }
}
