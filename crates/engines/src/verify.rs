//! From a program to a certified answer: the view that an engine needs, the engine, and the checkers.

use crate::horn::solve::HornEngine;
use crate::horn::{contracts, inlined};
use crate::path::{ProgramPath, reached_error};
use crate::portfolio::sharing::Shared;
use crate::search::{
    bits, bmc, dash, duality, houdini, impact, lazy_annotation, pdr, random, synergy, ufo, vinta, whale,
};
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Stats, StopReason, Stopwatch};
use craig_certificate::{Invariant, Summaries, Unwinding, check_invariant};
use craig_exec::{Limits, Test, replay};
use craig_program::encode::CutpointEncoding;
use craig_program::horn::Contexts;
use craig_program::{CallGraph, CutpointGraph, Inlined, Proc, Program, Simplified, inline, simplify};
use craig_term::Terms;

/// An engine with its settings.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    Ufo(ufo::Config),
    Vinta(vinta::Config),
    Impact,
    /// Guesses.
    Houdini,
    /// On the clauses of the inlined view.
    Pdr,
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
    /// Concrete runs with random inputs.
    Random(random::Config),
}

impl Engine {
    /// The same engine, with another seed for its pseudo-random choices.
    pub fn with_seed(mut self, seed: u64) -> Self {
        match &mut self {
            Engine::Random(config) => config.seed = seed,
            Engine::Dash(config) => config.seed = seed,
            Engine::Synergy(config) | Engine::LeeYannakakis(config) => config.seed = seed,
            Engine::Whale(config) => config.seed = seed,
            // These leave nothing to chance.
            Engine::Ufo(_)
            | Engine::Vinta(_)
            | Engine::Impact
            | Engine::Houdini
            | Engine::Pdr
            | Engine::Cells
            | Engine::PdrSummaries(_)
            | Engine::Duality
            | Engine::Bmc
            | Engine::Bits
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
    Invariant { terms: Terms, inlined: Box<Inlined>, invariant: Invariant },
    /// Contracts of the program's procedures.
    Summaries { terms: Terms, summaries: Summaries },
    /// The program has only one run, and it was run to its end.
    Run,
    /// A complete unwinding.
    Unwinding(Unwinding),
}

/// How many edges the inlined program may have.
pub const INLINE_LIMIT: usize = 400_000;

/// Runs one engine on the program and certifies what it finds.
pub fn verify(program: &Program, engine: Engine, budget: &Budget, stats: &mut Stats) -> Verdict {
    verify_sharing(program, engine, &Shared::default(), budget, stats)
}

/// As [`verify`], for a member of a portfolio.
pub fn verify_sharing(
    program: &Program,
    engine: Engine,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    match engine {
        Engine::Random(config) => random::check(program, config, budget, stats),
        Engine::Bits => bits::check(program, budget, stats),
        Engine::Ufo(config) => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                ufo::check(terms, view, config, shared, budget, stats)
            })
        }
        Engine::Vinta(config) => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                vinta::check(terms, view, config, shared, budget, stats)
            })
        }
        Engine::Whale(config) => whale::check(program, config, budget, stats),
        Engine::Impact => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                impact::check(terms, view, budget, stats)
            })
        }
        Engine::Houdini => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                houdini::check(terms, view, budget, stats)
            })
        }
        Engine::PdrSummaries(contexts) => {
            let engine = HornEngine::Pdr(pdr::Options::default());
            contracts::verify_clauses(program, contexts, &engine, budget, stats)
        }
        Engine::Duality => {
            let engine = HornEngine::Duality(duality::Options::default());
            contracts::verify_clauses(program, Contexts::Any, &engine, budget, stats)
        }
        Engine::Bmc => {
            let engine = HornEngine::Bmc(bmc::Options::default());
            contracts::verify_clauses(program, Contexts::Any, &engine, budget, stats)
        }
        Engine::LazyAnnotation(config)
            if config.procedures || CallGraph::new(program).first_recursive().is_some() =>
        {
            lazy_annotation::check_procedures(program, config, budget, stats)
        }
        Engine::LazyAnnotation(config) => {
            let cuts = |program: &Program, proc: &Proc| config.cuts(program, proc);
            verify_inlined(program, cuts, Loops::All, budget, stats, |terms, view, stats| {
                lazy_annotation::check(terms, view, config, budget, stats)
            })
        }
        Engine::Pdr => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                inlined::check_with_pdr(terms, view, &pdr::Options::default(), budget, stats)
            })
        }
        Engine::Cells => {
            verify_inlined(program, LOOPS, Loops::ThatMatter, budget, stats, |terms, view, stats| {
                inlined::check_with_cells(terms, view, budget, stats)
            })
        }
        Engine::Dash(config) if config.procedures || CallGraph::new(program).first_recursive().is_some() => {
            dash::verify(program, config, shared, budget, stats)
        }
        Engine::Dash(config) => {
            verify_inlined(program, LOOPS, Loops::All, budget, stats, |terms, view, stats| {
                dash::check(terms, view, config, shared, budget, stats)
            })
        }
        Engine::Synergy(config) => {
            verify_inlined(program, LOOPS, Loops::All, budget, stats, |terms, view, stats| {
                synergy::check(terms, view, config, budget, stats)
            })
        }
        Engine::LeeYannakakis(config) => {
            verify_inlined(program, LOOPS, Loops::All, budget, stats, |terms, view, stats| {
                synergy::check_by_bisimulation(terms, view, config, budget, stats)
            })
        }
    }
}

/// Where most engines cut the entry procedure into blocks.
const LOOPS: fn(&Program, &Proc) -> CutpointGraph = CutpointGraph::towards_error;

/// Which loops a search sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loops {
    /// Tests run through all of them.
    All,
    /// For searches on formulas alone.
    ThatMatter,
}

/// After so many searches that end in something that cannot be replayed, the last one is the answer.
const MAX_SEARCHES: usize = 25;

/// Runs a search on the inlined view, and certifies what it finds on the program as it was. If that is a path
/// which the program does not take, because of operations that formulas only approximate, the formulas are
/// made exact for the values in question and the search is repeated.
fn verify_inlined(
    program: &Program,
    cuts: impl Fn(&Program, &Proc) -> CutpointGraph,
    loops: Loops,
    budget: &Budget,
    stats: &mut Stats,
    search: impl Fn(&mut Terms, &InlinedView<'_>, &mut Stats) -> Finding,
) -> Verdict {
    let inlined = match inline(program, INLINE_LIMIT) {
        Ok(inlined) => inlined,
        Err(error) => return Verdict::Unknown(Reason::NotInlined(error.to_string())),
    };
    let mut simplified = match simplify(&inlined.program, budget) {
        Ok(simplified) => simplified,
        Err(reason) => return Verdict::Unknown(Reason::Stopped(reason)),
    };
    if loops == Loops::ThatMatter {
        simplified.skip_idle_loops();
        stats.max("loops skipped", simplified.skipped.len() as u64);
    }
    let mut searches = 1;
    loop {
        let mut terms = Terms::new();
        let view = match view(&inlined, &simplified, &cuts, &mut terms, budget) {
            Ok(view) => view,
            Err(reason) => return Verdict::Unknown(Reason::Stopped(reason)),
        };
        stats.max("cutpoints", view.encoding.cuts.cutpoints.len() as u64);
        let finding = search(&mut terms, &view, stats);
        let watch = Stopwatch::start();
        let verdict = match finding {
            Finding::Unknown(reason) => Verdict::Unknown(reason),
            Finding::Safe(found) => {
                let invariant = Invariant { formulas: simplified.invariants(&mut terms, &found.formulas) };
                match check_invariant(&mut terms, &inlined.program, &invariant, budget) {
                    Ok(()) => {
                        stats.add_time("time in certification", watch.elapsed());
                        let inlined = Box::new(inlined);
                        return Verdict::Safe(Box::new(Proof::Invariant { terms, inlined, invariant }));
                    }
                    Err(rejection) => match budget.check() {
                        Err(reason) => Verdict::Unknown(Reason::Stopped(reason)),
                        Ok(()) => Verdict::Unknown(Reason::Rejected(rejection.to_string())),
                    },
                }
            }
            Finding::Unsafe(path) => {
                let known = simplified.ranges.exact.len();
                let missed = path.missed.clone();
                let verdict = verify_path(program, &inlined, &simplified, path, budget);
                if matches!(verdict, Verdict::Unknown(_)) {
                    simplified.ranges.exact.extend(missed);
                    if simplified.ranges.exact.len() > known && searches < MAX_SEARCHES {
                        searches += 1;
                        stats.add("searches with more exact formulas", 1);
                        continue;
                    }
                }
                verdict
            }
        };
        stats.add_time("time in certification", watch.elapsed());
        return verdict;
    }
}

/// The inlined program, cut into blocks.
pub(crate) fn view<'a>(
    inlined: &'a Inlined,
    simplified: &'a Simplified,
    cuts: impl Fn(&Program, &Proc) -> CutpointGraph,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<InlinedView<'a>, StopReason> {
    let program = &simplified.program;
    let cuts = cuts(program, &program.procs[program.entry]);
    let encoding = CutpointEncoding::of_graph(program, cuts, &simplified.ranges, terms, budget)?;
    Ok(InlinedView {
        program,
        original: &inlined.program,
        scalars: &simplified.scalars,
        ranges: simplified.ranges.clone(),
        encoding,
    })
}

/// Runs the program along a path that a search found.
fn verify_path(
    program: &Program,
    inlined: &Inlined,
    simplified: &Simplified,
    mut path: ProgramPath,
    budget: &Budget,
) -> Verdict {
    path.restore_memory(&simplified.scalars);
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    let run = path.execute(&inlined.program, &|edge| simplified.is_skipped(edge), &limits);
    let test = run.test(&inlined.program);
    let replayed = replay(program, &test, &limits);
    if reached_error(&replayed) {
        return Verdict::Unsafe(replayed.test(program));
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
    Verdict::Unknown(Reason::NotReplayed(why))
}
