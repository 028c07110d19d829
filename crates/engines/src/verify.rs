//! From a program to a certified answer: the view that an engine needs, the engine, and the checkers.

use crate::horn::solve::HornEngine;
use crate::horn::{contracts, inlined};
use crate::path::{ProgramPath, reached_error};
use crate::portfolio::sharing::Shared;
use crate::search::{
    acceleration, bits, bmc, dash, duality, exploration, frames, houdini, impact, induction, lazy_annotation,
    partitioning, pdr, random, synergy, ufo, vinta, whale,
};
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use crate::view::{Prepared, Sight, encode_inlined};
use craig_base::{Budget, Stats, Stopwatch};
use craig_certificate::{Induction, Invariant, Part, Summaries, Unwinding, check_invariant};
use craig_exec::{Limits, Test, replay};
use craig_program::horn::Contexts;
use craig_program::{CallGraph, Granularity, Inlined, Program, Simplified};
use craig_term::Terms;
use std::sync::Arc;

/// An engine with its settings.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    Ufo(ufo::Config),
    Vinta(vinta::Config),
    /// A tree of blocks, of as many statements as the granularity says.
    Impact(Granularity),
    /// Boxes between the numbers that the program compares with.
    Partitioning,
    /// Guesses.
    Houdini,
    /// The same, where only what loops change is guessed about.
    Frames,
    /// On the clauses of the inlined view.
    Pdr,
    /// The same, where memory may hold anything.
    Variables,
    /// The same with many rounds of loops as steps.
    Acceleration,
    /// On the clauses of the inlined view, about single cells of arrays.
    Cells,
    /// On the clauses of the procedural view.
    PdrSummaries(Contexts),
    Dash(dash::Config),
    /// On the clauses of the procedural view.
    Duality,
    /// On the clauses of the procedural view.
    Bmc,
    Synergy(synergy::Config),
    LeeYannakakis(synergy::Config),
    /// On the procedural view, loops as tail recursion.
    Whale(whale::Config),
    LazyAnnotation(lazy_annotation::Config),
    /// A circuit for the unwound program.
    Bits,
    /// The same with loops that are cut.
    Induction,
    /// Concrete runs with random inputs.
    Random(random::Config),
    /// The same from states that were new.
    Exploration(exploration::Config),
}

impl Engine {
    /// The same engine, with another seed for its pseudo-random choices.
    pub fn with_seed(mut self, seed: u64) -> Self {
        match &mut self {
            Engine::Random(config) => config.seed = seed,
            Engine::Exploration(config) => config.seed = seed,
            Engine::Dash(config) => config.seed = seed,
            Engine::Synergy(config) | Engine::LeeYannakakis(config) => config.seed = seed,
            Engine::Whale(config) => config.seed = seed,
            // These leave nothing to chance.
            Engine::Ufo(_)
            | Engine::Vinta(_)
            | Engine::Impact(_)
            | Engine::Partitioning
            | Engine::Houdini
            | Engine::Frames
            | Engine::Pdr
            | Engine::Variables
            | Engine::Acceleration
            | Engine::Cells
            | Engine::PdrSummaries(_)
            | Engine::Duality
            | Engine::Bmc
            | Engine::Bits
            | Engine::Induction
            | Engine::LazyAnnotation(_) => {}
        }
        self
    }
}

/// An answer that the checkers have accepted, or the reason why there is none.
pub enum Verdict {
    Safe(Box<Proof>),
    Unsafe(Test),
    Unknown(Reason),
}

/// A proof that was checked.
pub enum Proof {
    /// An invariant of the inlined program.
    Invariant { terms: Terms, inlined: Arc<Inlined>, invariant: Invariant },
    /// Contracts of the program's procedures.
    Summaries { terms: Terms, summaries: Summaries },
    /// The program has only one run, and it was run to its end.
    Run,
    /// A complete unwinding.
    Unwinding(Unwinding),
    /// An unwinding of the inlined program, where loops are cut.
    Induction { terms: Terms, inlined: Arc<Inlined>, induction: Induction },
    /// Proofs of the program with some of its checks each, which are all of them together.
    Parts(Vec<Part<Vec<usize>, Proof>>),
}

/// How many edges the inlined program may have.
pub const INLINE_LIMIT: usize = 400_000;

/// Runs one engine on the program and certifies what it finds.
pub fn verify(program: &Program, engine: Engine, budget: &Budget, stats: &mut Stats) -> Verdict {
    verify_sharing(&Prepared::new(program, budget), engine, &Shared::default(), budget, stats)
}

/// As [`verify`], for a member of a portfolio.
pub fn verify_sharing(
    prepared: &Prepared<'_>,
    engine: Engine,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let program = prepared.program;
    let is_recursive = || CallGraph::new(program).first_recursive().is_some();
    let formulas =
        Inlining { prepared, granularity: Granularity::Loops, sight: Sight::LoopsThatMatter, budget };
    let runs = Inlining { sight: Sight::Everything, ..formulas };
    match engine {
        Engine::Random(config) => random::check(program, config, budget, stats),
        Engine::Exploration(config) => exploration::check(prepared, config, budget, stats),
        Engine::Bits => bits::check(program, budget, stats),
        Engine::Induction => induction::check(prepared, shared, budget, stats),
        Engine::Ufo(config) => formulas
            .verify(stats, |terms, view, stats| ufo::check(terms, view, config, shared, budget, stats)),
        Engine::Vinta(config) => formulas
            .verify(stats, |terms, view, stats| vinta::check(terms, view, config, shared, budget, stats)),
        Engine::Impact(granularity) => {
            let blocks = Inlining { granularity, ..formulas };
            blocks.verify(stats, |terms, view, stats| impact::check(terms, view, budget, stats))
        }
        Engine::Frames => match prepared.inlined() {
            Err(reason) => Verdict::Unknown(reason),
            Ok(inlined) => {
                let checks = inlined.failing_edges(program);
                let search = |terms: &mut Terms, view: &InlinedView<'_>, stats: &mut Stats| {
                    frames::check(terms, view, &checks, budget, stats)
                };
                formulas.verify(stats, search)
            }
        },
        Engine::Partitioning => {
            formulas.verify(stats, |terms, view, stats| partitioning::check(terms, view, budget, stats))
        }
        Engine::Houdini => {
            formulas.verify(stats, |terms, view, stats| houdini::check(terms, view, budget, stats))
        }
        Engine::Pdr => formulas.verify(stats, |terms, view, stats| {
            inlined::check_with_pdr(terms, view, &pdr::Options::default(), budget, stats)
        }),
        Engine::Variables => {
            let variables = Inlining { sight: Sight::Variables, ..formulas };
            variables
                .verify(stats, |terms, view, stats| inlined::check_without_memory(terms, view, budget, stats))
        }
        Engine::Acceleration => {
            formulas.verify(stats, |terms, view, stats| acceleration::check(terms, view, budget, stats))
        }
        Engine::Cells => {
            formulas.verify(stats, |terms, view, stats| inlined::check_with_cells(terms, view, budget, stats))
        }
        Engine::Whale(config) => whale::check(prepared, config, budget, stats),
        Engine::PdrSummaries(contexts) => {
            let engine = HornEngine::Pdr(pdr::Options::default());
            contracts::verify_clauses(prepared, contexts, &engine, budget, stats)
        }
        Engine::Duality => {
            let engine = HornEngine::Duality(duality::Options::default());
            contracts::verify_clauses(prepared, Contexts::Any, &engine, budget, stats)
        }
        Engine::Bmc => {
            let engine = HornEngine::Bmc(bmc::Options::default());
            contracts::verify_clauses(prepared, Contexts::Any, &engine, budget, stats)
        }
        Engine::LazyAnnotation(config) if config.procedures || is_recursive() => {
            lazy_annotation::check_procedures(prepared, config, budget, stats)
        }
        Engine::LazyAnnotation(config) => {
            let actions = Inlining { granularity: config.granularity(), ..runs };
            actions.verify(stats, |terms, view, stats| {
                lazy_annotation::check(terms, view, config, budget, stats)
            })
        }
        Engine::Dash(config) if config.procedures || is_recursive() => {
            dash::verify(program, config, shared, budget, stats)
        }
        Engine::Dash(config) => {
            runs.verify(stats, |terms, view, stats| dash::check(terms, view, config, shared, budget, stats))
        }
        Engine::Synergy(config) => {
            runs.verify(stats, |terms, view, stats| synergy::check(terms, view, config, budget, stats))
        }
        Engine::LeeYannakakis(config) => runs.verify(stats, |terms, view, stats| {
            synergy::check_by_bisimulation(terms, view, config, budget, stats)
        }),
    }
}

/// After so many searches that end in something that cannot be replayed, the last one is the answer.
const MAX_SEARCHES: usize = 25;

/// The inlined program as a search sees it.
#[derive(Clone, Copy)]
struct Inlining<'a> {
    prepared: &'a Prepared<'a>,
    granularity: Granularity,
    sight: Sight,
    budget: &'a Budget,
}

impl Inlining<'_> {
    /// Runs a search, and certifies what it finds on the program as it was. If that is a path which the program does
    /// not take, because of operations that formulas only approximate, the formulas are made exact for the values in
    /// question and the search is repeated.
    fn verify(
        self,
        stats: &mut Stats,
        search: impl Fn(&mut Terms, &InlinedView<'_>, &mut Stats) -> Finding,
    ) -> Verdict {
        self.certified(stats, search).unwrap_or_else(Verdict::Unknown)
    }

    fn certified(
        self,
        stats: &mut Stats,
        search: impl Fn(&mut Terms, &InlinedView<'_>, &mut Stats) -> Finding,
    ) -> Result<Verdict, Reason> {
        let budget = self.budget;
        let inlined = self.prepared.inlined()?;
        let simplified = self.prepared.simplified(self.sight, budget)?;
        stats.max("loops skipped", simplified.skipped.len() as u64);
        let mut encoded = self.prepared.graph(self.sight, self.granularity, budget)?;
        let mut searches = 1;
        loop {
            let mut terms = encoded.terms.clone();
            let view = InlinedView::new(&inlined, &simplified, &encoded.code);
            stats.max("cutpoints", view.encoding.cuts.cutpoints.len() as u64);
            let finding = search(&mut terms, &view, stats);
            let watch = Stopwatch::start();
            let verdict = match finding {
                Finding::Unknown(reason) => Err(reason),
                Finding::Safe(found) => {
                    let formulas = simplified.invariants(&mut terms, &found.formulas);
                    let invariant = Invariant { formulas, frames: found.frames };
                    match check_invariant(&mut terms, &inlined.program, &invariant, budget) {
                        Ok(()) => {
                            let inlined = inlined.clone();
                            Ok(Verdict::Safe(Box::new(Proof::Invariant { terms, inlined, invariant })))
                        }
                        Err(rejection) => match budget.check() {
                            Err(reason) => Err(Reason::Stopped(reason)),
                            Ok(()) => Err(Reason::Rejected(rejection.to_string())),
                        },
                    }
                }
                Finding::Unsafe(path) => {
                    let missed = path.missed.clone();
                    let verdict = verify_path(self.prepared.program, &inlined, &simplified, path, budget);
                    let mut ranges = encoded.code.ranges.clone();
                    ranges.exact.extend(missed);
                    let is_news = ranges.exact.len() > encoded.code.ranges.exact.len();
                    if verdict.is_err() && is_news && searches < MAX_SEARCHES {
                        searches += 1;
                        stats.add("searches with more exact formulas", 1);
                        encoded = Arc::new(encode_inlined(&simplified, self.granularity, &ranges, budget)?);
                        continue;
                    }
                    verdict
                }
            };
            stats.add_time("time in certification", watch.elapsed());
            return verdict;
        }
    }
}

/// Runs the program along a path that a search found.
fn verify_path(
    program: &Program,
    inlined: &Inlined,
    simplified: &Simplified,
    mut path: ProgramPath,
    budget: &Budget,
) -> Result<Verdict, Reason> {
    path.restore_memory(&simplified.scalars);
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    if path.inputs.is_empty() && path.initial.is_empty() {
        // A run without inputs may be long: once is enough.
        let replayed = replay(program, &Test::new(program, &[]), &limits);
        if reached_error(&replayed) {
            return Ok(Verdict::Unsafe(replayed.test(program)));
        }
    }
    let run = path.execute(&inlined.program, &|edge| simplified.is_skipped(edge), &limits);
    let test = run.test(&inlined.program);
    let replayed = replay(program, &test, &limits);
    if reached_error(&replayed) {
        return Ok(Verdict::Unsafe(replayed.test(program)));
    }
    let outcome = if reached_error(&run) { &replayed.outcome } else { &run.outcome };
    let why = match path.approximations.first() {
        Some(&(edge, expr)) => {
            let line = inlined.proc().edges[edge].span.line;
            let expr = simplified.program.show_expr(expr);
            format!("line {line}: `{expr}` is only approximated in formulas")
        }
        None => outcome.describe(if reached_error(&run) { program } else { &inlined.program }),
    };
    Err(Reason::NotReplayed(why))
}
