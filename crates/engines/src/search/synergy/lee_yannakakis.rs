//! LEE-YANNAKAKIS (003, Figure 5): the reachable part of the bisimulation quotient.
//!
//! Two phases, the first one as long as it makes progress: *search* looks for one state in each
//! region, a step away from a state that is known; *split* makes a pair of regions stable. The known
//! states are tests cut off one block after their parent, of which each region keeps one.

use super::{Config, Finding, Reason, Search};
use crate::search::yogi::build::Extent;
use crate::search::yogi::forest::{Link, NodeId};
use crate::search::yogi::graph::BlockId;
use crate::search::yogi::partition::RegionId;
use crate::search::yogi::preimage::{Pre, open_preimage, preimage};
use crate::search::yogi::run::Plan;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Map, Stats};
use craig_program::StateVar;
use craig_smt::UnknownReason;
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
        Err(reason) => Finding::Unknown(reason),
    }
}

impl Search<'_> {
    pub(super) fn stabilise(&mut self) -> Result<Finding, Reason> {
        loop {
            self.yogi.budget.check()?;
            if let Some(failed) = self.yogi.forest.failed {
                return Ok(Finding::Unsafe(self.yogi.test_from_witness(failed)));
            }
            if self.search_phase()? {
                continue;
            }
            if !self.split_phase()? {
                return Ok(self.conclude());
            }
            self.yogi.stats.add("iterations", 1);
        }
    }

    /// Lines 11 to 15: a state in a region that had none, one step from a known state.
    fn search_phase(&mut self) -> Result<bool, Reason> {
        for region in self.yogi.query.partition.at[self.yogi.query.graph.entry].clone() {
            if self.yogi.query.partition.regions[region].nodes.is_empty()
                && self.yogi.query.partition.is_initial(region)
            {
                self.start_single(region)?;
                return Ok(true);
            }
        }
        for from in self.yogi.query.partition.regions.indices() {
            let Some(&node) = self.yogi.query.partition.regions[from].nodes.first() else { continue };
            for block in
                self.yogi.query.graph.points[self.yogi.query.partition.regions[from].point].outgoing.clone()
            {
                for to in self.yogi.query.partition.at[self.yogi.query.graph.blocks[block].to].clone() {
                    let version = self.yogi.query.partition.regions[to].version;
                    if !self.yogi.query.partition.regions[to].nodes.is_empty()
                        || !self.yogi.query.partition.is_possible(from, block, to)
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
    fn split_phase(&mut self) -> Result<bool, Reason> {
        for from in self.yogi.query.partition.regions.indices() {
            if self.yogi.query.partition.regions[from].nodes.is_empty() {
                continue;
            }
            for block in
                self.yogi.query.graph.points[self.yogi.query.partition.regions[from].point].outgoing.clone()
            {
                for to in self.yogi.query.partition.at[self.yogi.query.graph.blocks[block].to].clone() {
                    if self.yogi.query.partition.is_possible(from, block, to)
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
    fn destabilised(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Result<bool, Reason> {
        // A part of a region that is stable towards another is so as well.
        let target = &self.yogi.query.partition.regions[to];
        if !self.stable.insert((from, block, to, target.version)) {
            return Ok(false);
        }
        let formula = target.formula;
        let code = &self.yogi.query.graph.blocks[block];
        let Some(Pre { after, guard }) =
            preimage(self.yogi.tm, &self.yogi.query.graph, code, formula, self.yogi.budget)
        else {
            self.yogi.budget.check()?;
            let why = UnknownReason::Unsupported(craig_smt::Unsupported::Quantifier);
            return Err(Reason::Solver(why));
        };
        let pre = self.yogi.tm.and(&[after, guard].concat());
        let outside = self.yogi.tm.not(pre);
        let stays = self.inhabited(from, outside)?;
        let steps = self.inhabited(from, pre)?;
        if !steps {
            self.yogi.query.partition.exclude(from, block, to);
        }
        if !(stays && steps) {
            return Ok(false);
        }
        self.yogi.split(from, block, &[to], pre)?;
        Ok(true)
    }

    /// A state in `to` one step from the state of `node`, if there is one.
    fn single_step(&mut self, node: NodeId, block: BlockId, to: RegionId) -> Result<bool, Reason> {
        let target = self.yogi.query.partition.regions[to].formula;
        let code = &self.yogi.query.graph.blocks[block];
        let parts = open_preimage(self.yogi.tm, &self.yogi.query.graph, code, target);
        let formula = self.yogi.tm.and(&parts);
        let (program, procedures) = (self.yogi.program, &self.yogi.procedures);
        let state = self.yogi.forest.model(self.yogi.tm, program, procedures, node, formula)?;
        let mut known: Map<TermId, TermId> = Map::default();
        for (constant, value) in state.consts() {
            let sort = self.yogi.tm.sort(constant);
            if let Some(value) = self.yogi.tm.value_term(value, sort) {
                known.insert(constant, value);
            }
        }
        let formula = self.yogi.tm.substitute(formula, &known);
        let Some(model) = self.yogi.ask(&[formula])? else { return Ok(false) };
        let plan = self.one_more(node, block, &model);
        let added = self.run_one(&plan, Some((node, block)))?;
        let arrived = added && !self.yogi.query.partition.regions[to].nodes.is_empty();
        if !arrived {
            let reason = self.yogi.not_replayed(node, block);
            self.yogi.give_up((node, block, to), reason);
        }
        Ok(arrived)
    }

    /// Runs a test of which only the state after `parent` is kept, or the first one.
    fn run_one(&mut self, plan: &Plan, parent: Option<(NodeId, BlockId)>) -> Result<bool, Reason> {
        self.yogi.stats.add("tests", 1);
        let run = self.yogi.tester.run(&self.yogi.procedures, plan, self.yogi.budget);
        self.yogi.budget.check()?;
        let added = self.yogi.forest.add_step(&self.yogi.query.graph, run, parent);
        self.yogi.place_states()?;
        Ok(added)
    }

    /// The inputs that led to `node`, and those of the model for one more block.
    fn one_more(&self, node: NodeId, block: BlockId, model: &Model) -> Plan {
        let mut plan = Plan::default();
        let entry = self.yogi.program.entry;
        let path = self.yogi.forest.path(node);
        for &at in &path {
            let Link::Block(_, block) = self.yogi.forest.nodes[at].link else { continue };
            for (i, &(edge, _)) in self.yogi.query.graph.blocks[block].inputs.iter().enumerate() {
                plan.inputs.push((entry, edge, self.yogi.forest.nodes[at].inputs.get(i).copied()));
            }
        }
        for &(edge, input) in &self.yogi.query.graph.blocks[block].inputs {
            let value = match input.map(|input| self.yogi.tm.eval(input, model)) {
                Some(Ok(Value::Int(value))) => value.to_i128(),
                Some(Ok(Value::Bool(value))) => Some(i128::from(value)),
                _ => None,
            };
            plan.inputs.push((entry, edge, value));
        }
        let test = &self.yogi.forest.tests[self.yogi.forest.nodes[path[0]].test];
        let program = self.yogi.original;
        for (&param, &value) in program.procs[program.entry].params.iter().zip(&test.arguments) {
            plan.initial.insert(StateVar::Var(param), value);
        }
        plan.bytes = test.materialised.clone();
        plan
    }

    /// An initial state in the region, if there is one.
    fn start_single(&mut self, region: RegionId) -> Result<(), Reason> {
        let goal = self.yogi.start_goal(region);
        let Some(model) = self.yogi.ask(&goal)? else {
            self.yogi.query.partition.exclude_start(region);
            return Ok(());
        };
        let plan = self.yogi.symbolic.plan_of_start(self.yogi.tm, self.yogi.program, &goal, &model);
        self.run_one(&plan, None)?;
        if self.yogi.query.partition.regions[region].nodes.is_empty() {
            self.yogi.query.give_up_start(region);
        }
        Ok(())
    }

    /// Whether the region has states with the property.
    fn inhabited(&mut self, region: RegionId, property: TermId) -> Result<bool, Reason> {
        let region = &self.yogi.query.partition.regions[region];
        let parts = [self.yogi.query.graph.points[region.point].facts, region.formula, property];
        Ok(self.yogi.ask(&parts)?.is_some())
    }
}
