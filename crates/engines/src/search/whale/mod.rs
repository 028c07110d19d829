//! `whale`: procedure summaries from interpolants, for recursive programs.
//!
//! A. Albarghouthi, *Software Verification with Program-Graph Interpolation and Abstraction*, PhD
//! thesis, Toronto 2015, chapter 6.
//!
//! | thesis | here |
//! |---|---|
//! | function, body without loops | [`crate::view::functions::Function`]; loops are tail-recursive functions of their own |
//! | ARG `A_i`, guard `G_i`, summary `S_i` (section 6.4) | [`Arg`], with one [`Spec`] for each call-edge that it justifies |
//! | `J(e)`, the justification tree | [`Arg::children`] |
//! | EXPANDARG (section 6.5) | [`Whale::expand_arg`] |
//! | COVERARG | [`Whale::cover_arg`] |
//! | REFINEARG, IARGCOND (section 6.5.1), STITP, GUARD, SUM (section 6.5.2) | [`Whale::refine_arg`], `condition` |
//! | RESET, UPDATE, UPDATEGUARD | [`Whale::reset`], [`Whale::update`], at the end of [`Whale::refine_arg`] |
//!
//! Departures, with reasons:
//!
//! - The under-approximation of a callee in IARGCOND is not its unrolled ARG but the set of its
//!   [`facts`](facts::Fact): projections, onto parameters and returns, of the executions that REFINEARG
//!   found where a summary did not hold. The condition of an ARG is then linear in the size of its
//!   function, however deep the calls below it are; the facts of a function serve all its ARGs. An
//!   ARG that was never refuted has no facts, as a new ARG of the paper has no paths. With
//!   [`Callees::Graphs`], IARGCOND is that of the thesis ([`instances`]); with [`Callees::Labels`], what lies
//!   below an ARG is refuted once, and not again for every ARG in it ([`labels`]).
//! - GUARD eliminates its quantifiers by projection, and gives up (`true`, which is sound) when that
//!   needs too many cases.
//! - With [`Config::merge`], all call-edges of one function are justified by one ARG, which must
//!   satisfy what each of them asks for; the thesis says that its own figures are for merged ARGs.
//!   The justification relation is then the call graph. Without it, every call-edge has its own ARG,
//!   and covering keeps the tree finite.
//! - All exits of an ARG are refined at once.
//! - RESET does not go down the tree: what a call-edge asked for is withdrawn when its ARG is refined
//!   again, and only if it was not shown in the meantime. A function with many calls would otherwise
//!   ask all its callees again whenever one of them disappoints it.
//! - Beyond the chapter: boxes restrict the interpolants (`ranges`), and the first fact of a function
//!   comes from a run of the program, where one violates what is asked ([`samples`]). Later facts are
//!   the solver's: those of runs are so many that conditions grow faster than summaries improve.
//! - An error is a returned value (see [`crate::view::functions`]), since C programs have assertions, not summaries.
//!
//! Invariants: no fact violates a spec; every summary that REFINEARG guesses contains the facts of
//! its function; a safe and complete ARG satisfies its specs if all functions that it calls satisfy
//! theirs. When every uncovered ARG is safe and complete, the specs are therefore valid by Hoare's
//! rule for recursion, and become contracts that the checker looks at again.

mod condition;
mod facts;
mod instances;
mod known;
mod labels;
mod proof;
mod ranges;
mod samples;
#[cfg(test)]
mod tests;

pub use known::{Known, check_known};

use crate::horn::contracts::certify;
use crate::verdict::Reason;
use crate::verify::Verdict;
use crate::view::functions::{BodyEdgeId, FunctionId, View};
use crate::view::{Encoded, Knowledge, Prepared};
use condition::Refinement;
use craig_base::{Budget, IndexVec, Map, OrderedMap, Stats, StopReason, index_type};
use craig_program::encode::CutpointEncoding;
use craig_program::{Granularity, Program};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};
use facts::Facts;
use ranges::{Range, ranges};
use samples::Samples;
use std::collections::VecDeque;

/// How ARGs grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// One path at a time.
    Paths,
    /// The whole body at once.
    Body,
}

/// Where summaries come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolants {
    /// State/transition interpolants give guards and summaries.
    StateTransition,
    /// Tree interpolants, the calls being the leaves, give summaries; guards are `true`.
    Tree,
}

/// What calls are under-approximated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callees {
    /// By executions that refuted a summary.
    Facts,
    /// By copies of the ARGs that justify them, as in the thesis; without merging only.
    Graphs,
    /// The same, where paths were added to these; else by what an earlier refutation says of them.
    Labels,
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub expansion: Expansion,
    /// One ARG for all calls of a function.
    pub merge: bool,
    pub interpolants: Interpolants,
    pub callees: Callees,
    /// Boxes restrict the interpolants (see `ranges`).
    pub domain: bool,
    /// Runs of the program give the first under-approximations (see [`samples`]).
    pub tests: bool,
    /// Of these runs.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            expansion: Expansion::Body,
            merge: true,
            interpolants: Interpolants::StateTransition,
            callees: Callees::Facts,
            domain: true,
            tests: true,
            seed: 0,
        }
    }
}

/// How many ARGs are expanded at once where their paths count.
const ARGS_AT_ONCE: usize = 600;

impl Callees {
    /// How often a function may be entered among ARGs that are expanded at once. Fewer turns make cheaper conditions, but
    /// guesses that are refuted later. A refutation of everything is dear, and its labels serve for all ARGs in it; where each
    /// ARG has its own, errors that a few more turns lead to are better looked for before anything is guessed.
    fn turns_at_once(self) -> usize {
        match self {
            Callees::Labels => 2,
            Callees::Facts | Callees::Graphs => 6,
        }
    }
}

index_type!(
    /// An ARG of the iARG.
    ArgId,
    "A"
);

/// What a call-edge asks of the ARG that justifies it: `{guard} F {summary}`, over the parameters,
/// returns and error of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spec {
    /// The call-edge; the first ARG is asked by the property.
    from: Option<(ArgId, BodyEdgeId)>,
    guard: TermId,
    summary: TermId,
}

#[derive(Debug)]
struct Arg {
    function: FunctionId,
    /// The ARG whose call-edge made this one; of use without merging only.
    parent: Option<ArgId>,
    specs: Vec<Spec>,
    /// Which edges of the body are in the reachability graph.
    graph: IndexVec<BodyEdgeId, bool>,
    complete: bool,
    /// The labels of the exits imply the summary.
    safe: bool,
    children: OrderedMap<BodyEdgeId, ArgId>,
    covered_by: Option<ArgId>,
    queued: bool,
    /// What a refutation says of its executions, over the interface of the function (see [`labels`]).
    label: Option<TermId>,
}

struct Whale<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    view: View<'a>,
    ranges: IndexVec<FunctionId, Range>,
    config: Config,
    budget: &'a Budget,
    args: IndexVec<ArgId, Arg>,
    /// With merging: the ARG of each function.
    merged: Map<FunctionId, ArgId>,
    facts: Facts,
    samples: Samples,
    /// What is taken for granted of functions, for as long as it suffices (see [`known`]).
    given: Map<FunctionId, TermId>,
    queue: VecDeque<ArgId>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    refinements: u64,
    /// Refinements by labels, which look into one function only.
    local: u64,
    expansions: u64,
    covers: u64,
    resets: u64,
    /// Interpolants that could not be computed; the facts themselves were the summary then.
    fallbacks: u64,
    tests: u64,
    /// Facts that come from a run.
    sampled: u64,
}

/// Runs WHALE, and certifies what it finds. The checker knows less of products and bit operations than
/// the domain; where it does not accept what rests on boxes, the search begins again without them.
pub fn check(prepared: &Prepared<'_>, config: Config, budget: &Budget, stats: &mut Stats) -> Verdict {
    let encoded = match prepared.procedures(Knowledge::Types, Granularity::Loops, budget) {
        Ok(encoded) => encoded,
        Err(reason) => return Verdict::Unknown(reason),
    };
    match search(prepared.program, &encoded, config, budget, stats) {
        Verdict::Unknown(Reason::Rejected(_)) if config.domain => {
            search(prepared.program, &encoded, Config { domain: false, ..config }, budget, stats)
        }
        verdict => verdict,
    }
}

fn search(
    program: &Program,
    encoded: &Encoded<Vec<CutpointEncoding>>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let mut terms = encoded.terms.clone();
    let view = match View::new(program, &encoded.code, &mut terms, budget) {
        Ok(view) => view,
        Err(reason) => return Verdict::Unknown(Reason::Stopped(reason)),
    };
    let mut whale = match Whale::new(&mut terms, program, view, config, budget) {
        Ok(whale) => whale,
        Err(reason) => return Verdict::Unknown(Reason::Stopped(reason)),
    };
    let outcome = match whale.view.functions[whale.view.main].error {
        Some(error) => {
            let summary = whale.terms.not(error);
            whale.ask(whale.view.main, whale.view.initial, summary);
            let failed = if config.tests { whale.run_tests() } else { Ok(None) };
            match failed {
                Ok(None) => whale.run(),
                other => other,
            }
        }
        None => Ok(None),
    };
    whale.report(stats);
    match outcome {
        Err(reason) => Verdict::Unknown(reason),
        Ok(Some(test)) => test,
        Ok(None) => {
            let summaries = whale.summaries();
            certify(terms, program, summaries, budget, stats)
        }
    }
}

impl<'a> Whale<'a> {
    fn new(
        terms: &'a mut Terms,
        program: &'a Program,
        view: View<'a>,
        config: Config,
        budget: &'a Budget,
    ) -> Result<Self, StopReason> {
        let ranges = ranges(program, terms, &view, config.domain, budget)?;
        Ok(Whale {
            terms,
            program,
            view,
            ranges,
            config,
            budget,
            args: IndexVec::new(),
            merged: Map::default(),
            facts: Facts::default(),
            samples: Samples::default(),
            given: Map::default(),
            queue: VecDeque::new(),
            counts: Counts::default(),
        })
    }

    /// Makes an ARG for what is asked from outside.
    fn ask(&mut self, function: FunctionId, guard: TermId, summary: TermId) {
        let arg = match self.merged.get(&function) {
            Some(&arg) => arg,
            None => self.new_arg(function, None),
        };
        self.args[arg].specs.push(Spec { from: None, guard, summary });
        self.enqueue(arg);
    }

    /// A counterexample, or nothing if the iARG is safe and complete.
    fn run(&mut self) -> Result<Option<Verdict>, Reason> {
        while let Some(arg) = self.queue.pop_front() {
            self.budget.check().map_err(Reason::Stopped)?;
            self.args[arg].queued = false;
            if self.args[arg].specs.is_empty() || self.is_covered(arg) || self.cover_arg(arg)? {
                continue;
            }
            while !(self.args[arg].safe && self.args[arg].complete) {
                if self.args[arg].safe || self.args[arg].graph.iter().all(|&there| !there) {
                    self.expand_arg(arg);
                }
                match self.refine_arg(arg)? {
                    Refinement::Safe => {}
                    Refinement::Fact => break,
                    Refinement::Counterexample(verdict) => return Ok(Some(verdict)),
                }
            }
        }
        Ok(None)
    }

    fn new_arg(&mut self, function: FunctionId, parent: Option<ArgId>) -> ArgId {
        let graph = IndexVec::from_elem(false, self.view.functions[function].edges.len());
        let id = self.args.push(Arg {
            function,
            parent,
            specs: Vec::new(),
            graph,
            complete: false,
            safe: false,
            children: OrderedMap::default(),
            covered_by: None,
            queued: false,
            label: None,
        });
        if self.config.merge {
            self.merged.insert(function, id);
        }
        id
    }

    fn enqueue(&mut self, arg: ArgId) {
        if !std::mem::replace(&mut self.args[arg].queued, true) {
            self.queue.push_back(arg);
        }
    }

    /// Adds paths to an incomplete ARG, with ARGs that justify their calls. Where the paths of those count, they are added
    /// at once as well: a guess about calls that were hardly looked into is refuted soon, and every refutation has to be
    /// carried up the tree, one refinement for each caller.
    fn expand_arg(&mut self, arg: ArgId) {
        self.grow(arg);
        let known = self.args.len();
        let mut next = VecDeque::from([arg]);
        while let Some(inner) = next.pop_front() {
            let before = self.args.len();
            self.add_paths(inner);
            if self.config.callees != Callees::Facts && before - known < ARGS_AT_ONCE {
                let new = (before..self.args.len()).map(|index| ArgId(index as u32));
                next.extend(
                    new.filter(|&child| self.turns(child, arg) <= self.config.callees.turns_at_once()),
                );
            }
        }
    }

    /// How many ARGs of its function lie between an ARG and one above it.
    fn turns(&self, arg: ArgId, above: ArgId) -> usize {
        let mut turns = 0;
        let mut at = Some(arg);
        while let Some(id) = at {
            turns += usize::from(self.args[id].function == self.args[arg].function);
            at = self.args[id].parent.filter(|_| id != above);
        }
        turns
    }

    fn add_paths(&mut self, arg: ArgId) {
        self.counts.expansions += 1;
        let function = self.args[arg].function;
        let added = match self.config.expansion {
            Expansion::Body => self.view.functions[function].edges.indices().collect(),
            Expansion::Paths => self.next_path(arg),
        };
        for edge in added {
            if std::mem::replace(&mut self.args[arg].graph[edge], true) {
                continue;
            }
            let Some(call) = &self.view.functions[function].edges[edge].call else { continue };
            let callee = call.callee;
            if self.given.contains_key(&callee) {
                continue;
            }
            let child = match self.merged.get(&callee) {
                Some(&child) => child,
                None => self.new_arg(callee, Some(arg)),
            };
            self.args[arg].children.insert(edge, child);
        }
        self.args[arg].complete = self.args[arg].graph.iter().all(|&there| there);
        self.args[arg].safe = false;
    }

    /// A path from the start to an end through an edge that is not there yet, with as many other
    /// edges that are there as possible.
    fn next_path(&self, arg: ArgId) -> Vec<BodyEdgeId> {
        let function = &self.view.functions[self.args[arg].function];
        let graph = &self.args[arg].graph;
        let Some(first) = function.edges.indices().find(|&edge| {
            let from = function.edges[edge].from;
            let known = function.edges.enumerated().any(|(id, other)| other.to == Some(from) && graph[id]);
            !graph[edge] && (from.0 == 0 || known)
        }) else {
            return function.edges.indices().collect();
        };
        let mut path = vec![first];
        let mut at = function.edges[first].to;
        while let Some(node) = at {
            let outgoing = &function.nodes[node].outgoing;
            let Some(&edge) = outgoing.iter().find(|&&edge| graph[edge]).or(outgoing.first()) else { break };
            path.push(edge);
            at = function.edges[edge].to;
        }
        path
    }

    /// Whether the ARG or one that it was made for is covered.
    fn is_covered(&self, arg: ArgId) -> bool {
        let mut at = Some(arg);
        while let Some(id) = at {
            if self.args[id].covered_by.is_some() {
                return true;
            }
            at = self.args[id].parent.filter(|_| !self.config.merge);
        }
        false
    }

    /// Covers the ARG by an older one with a stronger specification, if there is one.
    fn cover_arg(&mut self, arg: ArgId) -> Result<bool, Reason> {
        if self.config.merge {
            return Ok(false);
        }
        for other in (0..arg.0).map(ArgId) {
            if self.args[other].function != self.args[arg].function
                || self.args[other].specs.is_empty()
                || self.is_covered(other)
                || self.is_ancestor(arg, other)
            {
                continue;
            }
            let stronger = self.args[other].specs.clone();
            let specs = self.args[arg].specs.clone();
            if self.entails(self.args[arg].function, &stronger, &specs)? {
                self.counts.covers += 1;
                self.uncover(arg);
                self.args[arg].covered_by = Some(other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_ancestor(&self, of: ArgId, arg: ArgId) -> bool {
        let mut at = Some(arg);
        while let Some(id) = at {
            if id == of {
                return true;
            }
            at = self.args[id].parent;
        }
        false
    }

    /// Nothing is covered by this ARG any more.
    fn uncover(&mut self, arg: ArgId) {
        for other in self.args.indices().collect::<Vec<_>>() {
            if self.args[other].covered_by == Some(arg) {
                self.args[other].covered_by = None;
                self.enqueue(other);
                // What lies below it may not have been looked at.
                for child in self.args[other].children.values().copied().collect::<Vec<_>>() {
                    self.enqueue(child);
                }
            }
        }
    }

    /// What the domain knows of a function's parameters and returns.
    fn known_range(&mut self, function: FunctionId) -> TermId {
        let range = &self.ranges[function];
        let exit = match self.view.functions[function].error {
            Some(error) => self.terms.or2(error, range.exit),
            None => range.exit,
        };
        self.terms.and(&[range.types, range.entry, exit])
    }

    /// Whether the first specifications of a function imply the others.
    fn entails(&mut self, function: FunctionId, specs: &[Spec], others: &[Spec]) -> Result<bool, Reason> {
        if others
            .iter()
            .all(|other| specs.iter().any(|spec| (spec.guard, spec.summary) == (other.guard, other.summary)))
        {
            return Ok(true);
        }
        let mut solver = NativeSolver::default();
        let range = self.known_range(function);
        solver.assert(self.terms, range);
        for spec in specs {
            let triple = self.terms.implies(spec.guard, spec.summary);
            solver.assert(self.terms, triple);
        }
        let mut violations = Vec::new();
        for other in others {
            let outside = self.terms.not(other.summary);
            violations.push(self.terms.and2(other.guard, outside));
        }
        let violated = self.terms.or(&violations);
        solver.assert(self.terms, violated);
        match solver.check(self.terms, &[], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(craig_smt::UnknownReason::Stopped(reason)) => Err(Reason::Stopped(reason)),
            Answer::Unknown(_) => Ok(false),
        }
    }

    /// Forgets the labels of an ARG. What it asked of its callees stays until it is refined again.
    fn reset(&mut self, arg: ArgId) {
        self.counts.resets += 1;
        self.args[arg].safe = false;
        self.uncover(arg);
        if !self.args[arg].specs.is_empty() {
            self.enqueue(arg);
        }
    }

    /// Drops what a call-edge asked for earlier, unless it was shown since then.
    fn withdraw(&mut self, child: ArgId, from: (ArgId, BodyEdgeId)) {
        if !self.args[child].safe {
            self.args[child].specs.retain(|spec| spec.from != Some(from));
        }
    }

    /// Strengthens the specification of the ARG that justifies a call-edge.
    fn update(&mut self, child: ArgId, spec: Spec) -> Result<(), Reason> {
        let known: Vec<Spec> = self.args[child].specs.clone();
        let own: Vec<Spec> = known.iter().copied().filter(|known| known.from == spec.from).collect();
        let function = self.args[child].function;
        if self.entails(function, &own, &[spec])? {
            return Ok(());
        }
        let implied = self.entails(function, &known, &[spec])?;
        self.args[child].specs.push(spec);
        if !implied || !self.args[child].safe {
            self.args[child].safe = false;
            self.args[child].covered_by = None;
            self.uncover(child);
            self.enqueue(child);
        }
        Ok(())
    }

    fn report(&self, stats: &mut Stats) {
        stats.add("ARGs", self.args.len() as u64);
        stats.add("functions", self.view.functions.len() as u64);
        stats.add("refinements", self.counts.refinements);
        stats.add("refinements by labels", self.counts.local);
        stats.add("expansions", self.counts.expansions);
        stats.add("covers", self.counts.covers);
        stats.add("resets", self.counts.resets);
        stats.add("facts", self.facts.len() as u64);
        stats.add("fallbacks", self.counts.fallbacks);
        stats.add("facts from tests", self.counts.sampled);
        stats.add("tests", self.counts.tests);
    }
}
