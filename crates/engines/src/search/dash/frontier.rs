//! ExtendFrontier: a test across the frontier, or the predicate of a split at it.

use super::Search;
use super::alias::{Precondition, Predicate};
use crate::search::yogi::forest::NodeId;
use crate::search::yogi::graph::{Block, BlockId, Call};
use crate::search::yogi::partition::{Frontier, RegionId};
use crate::search::yogi::preimage::open_preimage;
use crate::search::yogi::query::Query;
use crate::search::yogi::symbolic::{Input, Question};
use crate::verdict::Reason;
use crate::view::blocks::conjuncts;
use craig_smt::interpolate::{self, Interpolation};
use craig_term::{Model, Substitution, TermId};

/// What came of a frontier.
pub(super) enum Extension {
    /// A test that crosses it, or starts where none did, is in the forest; or none can start there.
    Test,
    /// The callee has an answer, which the next attempt will use.
    Summary,
    /// Frontiers that cannot be crossed, with the predicates for their splits.
    Refinements(Vec<(Attempt, Predicate)>),
    Unknown((NodeId, BlockId, RegionId), Reason),
}

/// A frontier from S_{k-1} along a block to S_k, and the question for it.
pub(super) struct Attempt {
    pub node: NodeId,
    pub from: RegionId,
    pub block: BlockId,
    pub to: RegionId,
    pub targets: Vec<RegionId>,
    /// The states of the targets.
    pub target: TermId,
    /// The block; if it is a call, with what the may summaries of the callee say.
    pub code: Block,
    pub call: Option<Call>,
    pub question: Question,
    pub precondition: Precondition,
}

impl Attempt {
    pub fn step(&self) -> (NodeId, BlockId, RegionId) {
        (self.node, self.block, self.to)
    }
}

/// What the solver says about crossing the frontier.
enum Crossing {
    Test(Model),
    /// It cannot be crossed: an interpolant, if one was asked for.
    Infeasible(Option<TermId>),
    Unknown(Reason),
}

impl Search<'_> {
    pub(super) fn extend_frontier(&mut self, frontier: &Frontier) -> Result<Extension, Reason> {
        match *frontier {
            Frontier::Start(region) => self.yogi.start_test(region).map(|()| Extension::Test),
            Frontier::Edge { .. } if self.config.frontiers > 1 => self.extend_frontiers(),
            Frontier::Edge { from, block, to, .. } => {
                let attempt = self.attempt(from, block, to)?;
                self.extend(attempt)
            }
        }
    }

    /// Figure 14; where the frontier is no call, that is Figure 10.
    pub(super) fn extend(&mut self, attempt: Attempt) -> Result<Extension, Reason> {
        match self.is_sat(&attempt)? {
            Crossing::Test(_) if attempt.call.is_some() => self.ask_callee(&attempt),
            Crossing::Test(model) => self.follow(&attempt, &attempt.question, &model, &[]),
            Crossing::Infeasible(interpolant) => {
                let predicate = match (self.generalise(&attempt)?, interpolant) {
                    (Some(predicate), _) => predicate,
                    (None, Some(interpolant)) => self.not_under_aliases(&attempt.precondition, interpolant),
                    (None, None) => self.refine_pred(attempt.node, attempt.from, &attempt.precondition)?,
                };
                Ok(Extension::Refinements(vec![(attempt, predicate)]))
            }
            Crossing::Unknown(reason) => Ok(Extension::Unknown(attempt.step(), reason)),
        }
    }

    /// All that is needed to ask about a frontier.
    pub(super) fn attempt(
        &mut self,
        from: RegionId,
        block: BlockId,
        to: RegionId,
    ) -> Result<Attempt, Reason> {
        let query = &self.yogi.query;
        let Some(node) = query.oldest(from, block, to) else {
            unreachable!("a frontier has tests before it")
        };
        let targets = if self.config.join_targets { query.targets(from, block) } else { vec![to] };
        let target = query.partition.target(self.yogi.tm, &query.graph, from, block, &targets);
        let region = query.partition.regions[from].formula;
        let mut code = query.graph.blocks[block].clone();
        let call = self.yogi.procedures[query.proc].as_ref().and_then(|p| p.calls.get(&block).cloned());
        if let Some(call) = &call {
            let may = self.may(call);
            code.guard.extend(conjuncts(self.yogi.tm, may));
        }
        let question = self.yogi.question(node, (block, &code), target, region);
        let precondition = self.precondition(node, &code, target)?;
        Ok(Attempt { node, from, block, to, targets, target, code, call, question, precondition })
    }

    /// Runs the test of a model; `after` are inputs that a callee reads.
    pub(super) fn follow(
        &mut self,
        attempt: &Attempt,
        question: &Question,
        model: &Model,
        after: &[Input],
    ) -> Result<Extension, Reason> {
        Ok(match self.yogi.follow(question, model, after, &attempt.targets)? {
            None => Extension::Test,
            Some(reason) => Extension::Unknown(attempt.step(), reason),
        })
    }

    /// At a point that was split often, a predicate that the tests of the region suggest.
    fn generalise(&mut self, attempt: &Attempt) -> Result<Option<Predicate>, Reason> {
        if !self.yogi.is_split_often(attempt.from, self.config.patience) {
            return Ok(None);
        }
        let yogi = &mut self.yogi;
        let Query { graph, partition, .. } = &yogi.query;
        let mut step = vec![graph.points[attempt.code.from].facts, partition.regions[attempt.from].formula];
        step.extend(open_preimage(yogi.tm, graph, &attempt.code, attempt.target));
        let open = attempt.precondition.is_open;
        let whole = if open { None } else { Some(self.whole(&attempt.precondition)) };
        let found = self.yogi.generalised(attempt.from, &step, whole, "solver calls for generalisation")?;
        Ok(found.map(|formula| Predicate { formula, is_guess: true }))
    }

    /// The one call of the solver. It asks for an interpolant as well where WP has a quantifier.
    fn is_sat(&mut self, attempt: &Attempt) -> Result<Crossing, Reason> {
        let Attempt { from, target, code, question, precondition, .. } = attempt;
        let yogi = &mut self.yogi;
        if !precondition.is_open {
            return Ok(match yogi.ask(&[&question.path[..], &question.goal].concat()) {
                Ok(Some(model)) => Crossing::Test(model),
                Ok(None) => Crossing::Infeasible(None),
                Err(reason @ Reason::Solver(_)) => Crossing::Unknown(reason),
                Err(reason) => return Err(reason),
            });
        }
        yogi.stats.add("solver calls", 1);
        yogi.stats.add("interpolants", 1);
        let path = yogi.path_formula(question);
        let mut inputs = Substitution::default();
        yogi.symbolic.name_inputs(yogi.tm, &mut inputs, code, yogi.forest.nodes[attempt.node].depth + 1);
        let mut step = vec![yogi.query.graph.points[code.from].facts];
        step.extend(open_preimage(yogi.tm, &yogi.query.graph, code, *target));
        let mut step: Vec<TermId> = step.into_iter().map(|part| inputs.apply(yogi.tm, part)).collect();
        step.extend(&precondition.aliases);
        step.push(yogi.query.partition.regions[*from].formula);
        let (path, step) = (yogi.tm.and(&path), yogi.tm.and(&step));
        // Minimising would cost further calls.
        let options = interpolate::Options { minimize: false, ..interpolate::Options::default() };
        Ok(match interpolate::binary(yogi.tm, path, step, &options, yogi.budget) {
            Interpolation::Sat(model) => Crossing::Test(model),
            Interpolation::Interpolants(interpolant) => Crossing::Infeasible(Some(interpolant)),
            Interpolation::Unknown(failure) => match Reason::from(failure) {
                stopped @ Reason::Stopped(_) => return Err(stopped),
                reason => Crossing::Unknown(reason),
            },
        })
    }
}
