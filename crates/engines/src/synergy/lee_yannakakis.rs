//! LEE-YANNAKAKIS (003, Figure 5): the reachable part of the bisimulation quotient.
//!
//! Two phases, the first one as long as it makes progress: *search* looks for one state in each
//! region, a step away from a state that is known; *split* makes a pair of regions stable. The known
//! states are tests cut off after one block behind their parent, of which each region keeps one.

use super::{Config, Finding, Search, Stop};
use crate::blocks::InlinedView;
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
            self.yogi.budget.check()?;
            if let Some(error) = self.yogi.forest.error {
                return Ok(Finding::Unsafe(self.yogi.test_from_witness(error)));
            }
            if self.search_phase()? {
                continue;
            }
            if !self.split_phase()? {
                return Ok(self.yogi.conclude());
            }
            self.yogi.stats.add("iterations", 1);
        }
    }

    /// Lines 11 to 15: a state in a region that had none, one step from a known state.
    fn search_phase(&mut self) -> Result<bool, Stop> {
        for region in self.yogi.partition.at[self.yogi.graph.entry].clone() {
            if self.yogi.partition.regions[region].nodes.is_empty() && self.yogi.partition.is_initial(region)
            {
                self.start_single(region)?;
                return Ok(true);
            }
        }
        for from in self.yogi.partition.regions.indices() {
            let Some(&node) = self.yogi.partition.regions[from].nodes.first() else { continue };
            for block in self.yogi.graph.points[self.yogi.partition.regions[from].point].outgoing.clone() {
                for to in self.yogi.partition.at[self.yogi.graph.blocks[block].to].clone() {
                    let version = self.yogi.partition.regions[to].version;
                    if !self.yogi.partition.regions[to].nodes.is_empty()
                        || !self.yogi.partition.is_possible(from, block, to)
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
        for from in self.yogi.partition.regions.indices() {
            if self.yogi.partition.regions[from].nodes.is_empty() {
                continue;
            }
            for block in self.yogi.graph.points[self.yogi.partition.regions[from].point].outgoing.clone() {
                for to in self.yogi.partition.at[self.yogi.graph.blocks[block].to].clone() {
                    if self.yogi.partition.is_possible(from, block, to)
                        && self.destabilised(from, block, to)?
                    {
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
        let target = &self.yogi.partition.regions[to];
        if !self.stable.insert((from, block, to, target.version)) {
            return Ok(false);
        }
        let formula = target.formula;
        let code = &self.yogi.graph.blocks[block];
        let Some(pre) = preimage(self.yogi.tm, &self.yogi.graph, code, formula, self.yogi.budget) else {
            self.yogi.budget.check()?;
            let why = UnknownReason::Unsupported(craig_smt::Unsupported::Quantifier);
            return Err(Stop::Solver(why));
        };
        let outside = self.yogi.tm.not(pre);
        let stays = self.inhabited(from, outside)?;
        let steps = self.inhabited(from, pre)?;
        if !steps {
            self.yogi.partition.exclude(from, block, to);
        }
        if !(stays && steps) {
            return Ok(false);
        }
        let nodes = &self.yogi.partition.regions[from].nodes;
        let inside = self.yogi.forest.satisfying(
            self.yogi.tm,
            self.yogi.view.program,
            &self.yogi.graph,
            nodes,
            pre,
        )?;
        self.yogi.partition.split(self.yogi.tm, &self.yogi.graph, from, pre, &inside);
        self.yogi.partition.exclude(from, block, to);
        self.yogi.stats.add("refinements", 1);
        self.yogi.stats.max("regions", self.yogi.partition.regions.len() as u64);
        Ok(true)
    }

    /// A state in `to` one step from the state of `node`, if there is one.
    fn single_step(&mut self, node: NodeId, block: BlockId, to: RegionId) -> Result<bool, Stop> {
        let target = self.yogi.partition.regions[to].formula;
        let code = &self.yogi.graph.blocks[block];
        let parts = open_preimage(self.yogi.tm, &self.yogi.graph, code, target);
        let formula = self.yogi.tm.and(&parts);
        let state =
            self.yogi.forest.model(self.yogi.tm, self.yogi.view.program, &self.yogi.graph, node, formula)?;
        let mut known: Map<TermId, TermId> = Map::default();
        for (constant, value) in state.consts() {
            let sort = self.yogi.tm.sort(constant);
            if let Some(value) = self.yogi.tm.value_term(value, sort) {
                known.insert(constant, value);
            }
        }
        let formula = self.yogi.tm.substitute(formula, &known);
        let Some(model) = self.model_of(&[formula])? else { return Ok(false) };
        let plan = self.one_more(node, block, &model);
        self.yogi.stats.add("tests", 1);
        let run = self.yogi.tester.run(&self.yogi.graph, &plan, self.yogi.budget);
        self.yogi.budget.check()?;
        let parent = Some((node, block));
        let program = self.yogi.view.program;
        let added = self.yogi.forest.add_step(
            self.yogi.tm,
            program,
            &self.yogi.graph,
            &mut self.yogi.partition,
            run,
            parent,
        )?;
        let arrived = added && !self.yogi.partition.regions[to].nodes.is_empty();
        if !arrived {
            let reason = self.yogi.not_replayed(node, block);
            self.yogi.give_up((node, block, to), reason);
        }
        Ok(arrived)
    }

    /// The inputs that led to `node`, and those of the model for one more block.
    fn one_more(&self, node: NodeId, block: BlockId, model: &Model) -> Plan {
        let mut plan = Plan::default();
        let path = self.yogi.forest.path(node);
        for &at in &path {
            let Some((_, block)) = self.yogi.forest.nodes[at].parent else { continue };
            for (i, &(edge, _)) in self.yogi.graph.blocks[block].inputs.iter().enumerate() {
                plan.inputs.push((edge, self.yogi.forest.nodes[at].inputs.get(i).copied()));
            }
        }
        for &(edge, input) in &self.yogi.graph.blocks[block].inputs {
            let value = match input.map(|input| self.yogi.tm.eval(input, model)) {
                Some(Ok(Value::Int(value))) => value.to_i128(),
                Some(Ok(Value::Bool(value))) => Some(i128::from(value)),
                _ => None,
            };
            plan.inputs.push((edge, value));
        }
        let test = &self.yogi.forest.tests[self.yogi.forest.nodes[path[0]].test];
        let program = self.yogi.view.original;
        for (&param, &value) in program.procs[program.entry].params.iter().zip(&test.arguments) {
            plan.initial.insert(StateVar::Var(param), value);
        }
        plan.bytes = test.materialised.clone();
        plan
    }

    /// An initial state in the region, if there is one.
    fn start_single(&mut self, region: RegionId) -> Result<(), Stop> {
        let goal = self.yogi.start_goal(region);
        let Some(model) = self.model_of(&goal)? else {
            self.yogi.partition.exclude_start(region);
            return Ok(());
        };
        let plan = self.yogi.symbolic.plan_of_start(self.yogi.tm, self.yogi.view.program, &goal, &model);
        self.yogi.stats.add("tests", 1);
        let run = self.yogi.tester.run(&self.yogi.graph, &plan, self.yogi.budget);
        self.yogi.budget.check()?;
        let program = self.yogi.view.program;
        self.yogi.forest.add_step(
            self.yogi.tm,
            program,
            &self.yogi.graph,
            &mut self.yogi.partition,
            run,
            None,
        )?;
        if self.yogi.partition.regions[region].nodes.is_empty() {
            self.yogi.partition.exclude_start(region);
            self.yogi.give_up_start();
        }
        Ok(())
    }

    /// Whether the region has states with the property.
    fn inhabited(&mut self, region: RegionId, property: TermId) -> Result<bool, Stop> {
        let region = &self.yogi.partition.regions[region];
        let parts = [self.yogi.graph.points[region.point].facts, region.formula, property];
        Ok(self.model_of(&parts)?.is_some())
    }

    fn model_of(&mut self, parts: &[TermId]) -> Result<Option<Model>, Stop> {
        let mut solver = NativeSolver::default();
        for &part in parts {
            solver.assert(self.yogi.tm, part);
        }
        self.yogi.stats.add("solver calls", 1);
        match solver.check(self.yogi.tm, &[], self.yogi.budget) {
            Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(Stop::from(reason)),
        }
    }
}
