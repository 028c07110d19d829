//! LEE-YANNAKAKIS (003, Figure 5): the reachable part of the bisimulation quotient.
//!
//! Two phases, the first one as long as it makes progress: *search* looks for one state in each
//! region, a step away from a state that is known; *split* makes a pair of regions stable. The known
//! states are tests cut off after one block behind their parent, of which each region keeps one.

use super::{Config, Finding, Search, Stop};
use crate::blocks::InlinedView;
use crate::verdict::Reason;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{BlockId, Extent};
use crate::yogi::partition::RegionId;
use crate::yogi::preimage::{open_preimage, preimage};
use crate::yogi::run::Plan;
use craig_base::{Budget, Map, Stats};
use craig_program::StateVar;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, TermId, Terms, Value};

/// Figure 5 for a program whose entry procedure has no calls.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let search = Search::new(tm, view, config, Extent::Everything, budget, stats);
    match search.and_then(|mut search| search.stabilise()) {
        Ok(finding) => finding,
        Err(stop) => Finding::Unknown(stop.reason()),
    }
}

impl Search<'_> {
    pub(super) fn stabilise(&mut self) -> Result<Finding, Stop> {
        loop {
            self.budget.check()?;
            if let Some(error) = self.forest.error {
                return Ok(Finding::Unsafe(self.test_from_witness(error)));
            }
            if self.search_phase()? {
                continue;
            }
            if !self.split_phase()? {
                return Ok(self.conclude());
            }
            self.stats.add("iterations", 1);
        }
    }

    /// Lines 11 to 15: a state in a region that had none, one step from a known state.
    fn search_phase(&mut self) -> Result<bool, Stop> {
        for region in self.partition.at[self.graph.entry].clone() {
            if self.partition.regions[region].nodes.is_empty() && self.partition.is_initial(region) {
                self.start_single(region)?;
                return Ok(true);
            }
        }
        for from in self.partition.regions.indices() {
            let Some(&node) = self.partition.regions[from].nodes.first() else { continue };
            for block in self.graph.points[self.partition.regions[from].point].outgoing.clone() {
                for to in self.partition.at[self.graph.blocks[block].to].clone() {
                    let version = self.partition.regions[to].version;
                    if !self.partition.regions[to].nodes.is_empty()
                        || !self.partition.is_possible(from, block, to)
                        || !self.tried.insert((node, block, to, version))
                    {
                        continue;
                    }
                    if self.single_step(node, block, to)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Lines 17 to 20: a pair of regions that is not stable, the first of them with a known state.
    fn split_phase(&mut self) -> Result<bool, Stop> {
        for from in self.partition.regions.indices() {
            if self.partition.regions[from].nodes.is_empty() {
                continue;
            }
            for block in self.graph.points[self.partition.regions[from].point].outgoing.clone() {
                for to in self.partition.at[self.graph.blocks[block].to].clone() {
                    if self.partition.is_possible(from, block, to) && self.destabilised(from, block, to)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Splits `from` if some of its states can step into `to` and some cannot.
    fn destabilised(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Result<bool, Stop> {
        // A part of a region that is stable towards another is so as well.
        let target = &self.partition.regions[to];
        if !self.stable.insert((from, block, to, target.version)) {
            return Ok(false);
        }
        let formula = target.formula;
        let code = &self.graph.blocks[block];
        let Some(pre) = preimage(self.tm, &self.graph, code, formula, self.budget) else {
            self.budget.check()?;
            let why = UnknownReason::Unsupported(craig_smt::Unsupported::Quantifier);
            return Err(Stop::Solver(why));
        };
        let outside = self.tm.not(pre);
        let stays = self.inhabited(from, outside)?;
        let steps = self.inhabited(from, pre)?;
        if !steps {
            self.partition.exclude(from, block, to);
        }
        if !(stays && steps) {
            return Ok(false);
        }
        let nodes = &self.partition.regions[from].nodes;
        let inside = self.forest.satisfying(self.tm, self.view.program, &self.graph, nodes, pre)?;
        self.partition.split(self.tm, &self.graph, from, pre, &inside);
        self.partition.exclude(from, block, to);
        self.stats.add("refinements", 1);
        self.stats.max("regions", self.partition.regions.len() as u64);
        Ok(true)
    }

    /// A state in `to` one step from the state of `node`, if there is one.
    fn single_step(&mut self, node: NodeId, block: BlockId, to: RegionId) -> Result<bool, Stop> {
        let target = self.partition.regions[to].formula;
        let code = &self.graph.blocks[block];
        let parts = open_preimage(self.tm, &self.graph, code, target);
        let formula = self.tm.and(&parts);
        let state = self.forest.model(self.tm, self.view.program, &self.graph, node, formula)?;
        let mut known: Map<TermId, TermId> = Map::default();
        for (constant, value) in state.consts() {
            let sort = self.tm.sort(constant);
            if let Some(value) = self.tm.value_term(value, sort) {
                known.insert(constant, value);
            }
        }
        let formula = self.tm.substitute(formula, &known);
        let Some(model) = self.model_of(&[formula])? else { return Ok(false) };
        let plan = self.one_more(node, block, &model);
        self.stats.add("tests", 1);
        let run = self.tester.run(&self.graph, &plan, self.budget);
        self.budget.check()?;
        let parent = Some((node, block));
        let program = self.view.program;
        let added = self.forest.add_step(self.tm, program, &self.graph, &mut self.partition, run, parent)?;
        let arrived = added && !self.partition.regions[to].nodes.is_empty();
        if !arrived {
            let reason = self.not_replayed(node, block);
            self.give_up((node, block, to), reason);
        }
        Ok(arrived)
    }

    /// The inputs that led to `node`, and those of the model for one more block.
    fn one_more(&self, node: NodeId, block: BlockId, model: &Model) -> Plan {
        let mut plan = Plan::default();
        let path = self.forest.path(node);
        for &at in &path {
            let Some((_, block)) = self.forest.nodes[at].parent else { continue };
            for (i, &(edge, _)) in self.graph.blocks[block].inputs.iter().enumerate() {
                plan.inputs.push((edge, self.forest.nodes[at].inputs.get(i).copied()));
            }
        }
        for &(edge, input) in &self.graph.blocks[block].inputs {
            let value = match input.map(|input| self.tm.eval(input, model)) {
                Some(Ok(Value::Int(value))) => value.to_i128(),
                Some(Ok(Value::Bool(value))) => Some(i128::from(value)),
                _ => None,
            };
            plan.inputs.push((edge, value));
        }
        let test = &self.forest.tests[self.forest.nodes[path[0]].test];
        let program = self.view.original;
        for (&param, &value) in program.procs[program.entry].params.iter().zip(&test.arguments) {
            plan.initial.insert(StateVar::Var(param), value);
        }
        plan.bytes = test.materialised.clone();
        plan
    }

    /// An initial state in the region, if there is one.
    fn start_single(&mut self, region: RegionId) -> Result<(), Stop> {
        let goal = self.start_goal(region);
        let Some(model) = self.model_of(&goal)? else {
            self.partition.exclude_start(region);
            return Ok(());
        };
        let plan = self.symbolic.plan_of_start(self.tm, self.view.program, &goal, &model);
        self.stats.add("tests", 1);
        let run = self.tester.run(&self.graph, &plan, self.budget);
        self.budget.check()?;
        let program = self.view.program;
        self.forest.add_step(self.tm, program, &self.graph, &mut self.partition, run, None)?;
        if self.partition.regions[region].nodes.is_empty() {
            self.partition.exclude_start(region);
            let why = "a start of the program that the formulas allow".to_string();
            self.stuck_reason.get_or_insert(Reason::NotReplayed(why));
        }
        Ok(())
    }

    /// Whether the region has states with the property.
    fn inhabited(&mut self, region: RegionId, property: TermId) -> Result<bool, Stop> {
        let region = &self.partition.regions[region];
        let parts = [self.graph.points[region.point].facts, region.formula, property];
        Ok(self.model_of(&parts)?.is_some())
    }

    fn model_of(&mut self, parts: &[TermId]) -> Result<Option<Model>, Stop> {
        let mut solver = NativeSolver::default();
        for &part in parts {
            solver.assert(self.tm, part);
        }
        self.stats.add("solver calls", 1);
        match solver.check(self.tm, &[], self.budget) {
            Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(Stop::from(reason)),
        }
    }
}
