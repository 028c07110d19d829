//! Is the error reachable? A program, a portfolio or one engine, and the report.

use crate::error::Error;
use crate::limits::{Limits, cores, peak_memory_mb};
use crate::report::fingerprint::Fingerprints;
use crate::report::{Assumption, Contract, Invariant, Location, Step, run, safety};
use crate::simpler::simpler;
use crate::task::{Loaded, Source, Warning, location};
use crate::vacuity::unknown_requirements;
use crate::{result_cache, summary_cache, test_cache};
use craig_base::{Budget, Listener, Stats, StopReason};
use craig_certificate::{
    Part, write_induction, write_invariant, write_parts, write_run, write_summaries, write_unwinding,
};
use craig_cfront::contract::SHARED;
use craig_engines::portfolio::each::{self, Answer, Answers, Effort, Found, Until};
use craig_engines::portfolio::joined::joined;
use craig_engines::portfolio::needed::needed;
use craig_engines::portfolio::race::{self, Fate, Member};
use craig_engines::portfolio::sharing::Shared;
use craig_engines::portfolio::{schedule, table};
use craig_engines::{Engine, Proof, Reason, portfolio};
use craig_exec::Test;
use craig_program::{CheckKind, Program, Wto};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to look for an answer.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// One engine instead of the default portfolio; see [`engine`].
    pub engine: Option<Member<Engine>>,
    /// Seed of every pseudo-random choice; the same seed gives the same run.
    pub seed: u64,
    /// Threads for the portfolio; by default the number of cores.
    pub workers: Option<usize>,
    /// Stop when one check has failed, instead of deciding the others as well.
    pub stop_at_first: bool,
    /// What the answer may cost.
    pub limits: Limits,
    /// Keep contracts of functions in this folder, and try those of earlier runs first.
    pub summary_cache: Option<PathBuf>,
    /// Begin with the tests of this folder, and keep those of this run there.
    pub test_cache: Option<PathBuf>,
    /// Keep answers in this folder, and give those of earlier runs again.
    pub cache: Option<PathBuf>,
    /// Is told how the search goes on.
    pub watch: Option<Watch>,
    /// Has what is known of the checks while the search goes on.
    pub so_far: SoFar,
}

/// What a search has found so far, for those who do not wait for its end; see [`Loaded::report_so_far`].
#[derive(Clone, Debug, Default)]
pub struct SoFar(Arc<Mutex<Vec<Option<Answer>>>>);

/// Someone who is told how a search goes on.
#[derive(Clone)]
pub struct Watch(pub Arc<dyn Fn(Happening) + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// What happens in a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// So many of all checks are asked about, by so many engines.
    Asked {
        /// Checks that may fail.
        checks: usize,
        /// Checks of the program.
        of: usize,
        /// Engines that look for an answer.
        engines: usize,
    },
    /// An engine begins, or has got further.
    Counted {
        /// Who.
        engine: &'static str,
        /// What it counts: one of [`MILESTONES`], or [`BEGINS`](race::BEGINS).
        what: &'static str,
        /// How many there are by now.
        count: u64,
    },
    /// There is an answer to the last question.
    Answered {
        /// `safe`, `unsafe`, or why there is none.
        answer: String,
        /// Who found it.
        engine: Option<&'static str>,
    },
}

/// What engines count that tells how far they are.
pub const MILESTONES: [&str; 7] =
    [race::BEGINS, "depth", "refinements", "unwindings", "iterations", "resolution steps", "facts"];

/// The engine of that name, for [`Options::engine`]; [`table::PROGRAM_ENGINES`] lists them.
pub fn engine(name: &str) -> Result<Member<Engine>, Error> {
    let entry = table::find(table::PROGRAM_ENGINES, name).ok_or_else(|| no_engine(name))?;
    Ok(Member { name: entry.name, engine: (entry.engine)(), share: 100 })
}

pub(crate) fn no_engine(name: &str) -> Error {
    Error::Usage(format!("there is no engine `{name}` for this command; `craig engines` lists them"))
}

/// An answer in one word, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It cannot happen, by a proof that was checked.
    Safe,
    /// It can happen, by a test that was replayed.
    Unsafe,
    /// Neither is known.
    Unknown(Reason),
}

impl Verdict {
    /// `safe`, `unsafe` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Why there is no answer.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Safe | Verdict::Unsafe => None,
        }
    }
}

/// The answer to a question about a program, and everything that a reader wants to know about it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The parts of the program.
    pub task: Vec<String>,
    /// The answer for the program: `safe` if it is for all checks, `unsafe` if it is for one.
    pub verdict: Verdict,
    /// The answer for each place at which something could go wrong.
    pub checks: Vec<CheckReport>,
    /// What a `safe` takes for granted, such as that no signed arithmetic overflows.
    pub assumptions: Vec<Assumption>,
    /// What the program's author should know.
    pub warnings: Vec<Warning>,
    /// Present for every answer but `unknown`. It has been checked, and [`validate`](crate::validate()) checks
    /// it again.
    pub certificate: Option<Certificate>,
    /// For `safe`: which invariant holds where, in C.
    pub invariants: Vec<Invariant>,
    /// For `safe`: what the functions require and ensure, in C.
    pub contracts: Vec<Contract>,
    /// For `unsafe`: the inputs of the failing run.
    pub test: Option<Test>,
    /// For `unsafe`: the failing run.
    pub trace: Vec<Step>,
    /// Who answered, by the name by which it was asked for.
    pub engine: String,
    /// How long everything took.
    pub time: Duration,
    /// The largest memory of the process so far, in megabytes.
    pub memory_mb: f64,
    /// What became of the members of the portfolio.
    pub members: Vec<Fate>,
    /// The innermost loop around the first check that is not decided.
    pub open_loop: Option<Location>,
    /// Whether arguments of the function under test may share an object.
    pub arguments_share: bool,
    /// No run gets past what is assumed, so that the proof says nothing; there is a warning.
    pub vacuous: bool,
}

/// A place at which something could go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// What could go wrong.
    pub kind: CheckKind,
    /// Where.
    pub location: Option<Location>,
    /// In words.
    pub words: String,
    /// Whether it can.
    pub verdict: Verdict,
    /// The inputs of a run in which it does.
    pub test: Option<Test>,
    /// What it is known by when lines move.
    pub fingerprint: String,
}

/// What an answer was checked with.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What it is.
    pub kind: CertificateKind,
    /// In the form in which `craig validate` and [`validate`](crate::validate()) read it.
    pub text: String,
    /// How long the check took.
    pub time: Duration,
}

/// The kinds of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateKind {
    /// Invariants of the program without calls.
    Invariant,
    /// Contracts of functions.
    Summaries,
    /// A complete unwinding, with a propositional proof.
    Unwinding,
    /// An unwinding where loops are cut at their invariants, with a propositional proof.
    Induction,
    /// Several of these, each about some checks.
    Parts,
    /// The inputs of a run that fails.
    Test,
    /// The only run of the program.
    Run,
    /// Of clauses: an interpretation of the predicates.
    Model,
    /// Of clauses: a derivation of false.
    Derivation,
}

impl CertificateKind {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            CertificateKind::Invariant => "invariant",
            CertificateKind::Summaries => "summaries",
            CertificateKind::Unwinding => "unwinding",
            CertificateKind::Induction => "induction",
            CertificateKind::Parts => "parts",
            CertificateKind::Test => "test",
            CertificateKind::Run => "run",
            CertificateKind::Model => "model",
            CertificateKind::Derivation => "derivation",
        }
    }
}

/// A proof as a certificate holds it.
pub(crate) fn proof_text(program: &Program, proof: &Proof) -> (CertificateKind, String) {
    match proof {
        Proof::Invariant { terms, inlined, invariant } => {
            (CertificateKind::Invariant, write_invariant(terms, &inlined.program, invariant))
        }
        Proof::Unwinding(unwinding) => (CertificateKind::Unwinding, write_unwinding(program, unwinding)),
        Proof::Induction { terms, inlined, induction } => {
            (CertificateKind::Induction, write_induction(terms, &inlined.program, induction))
        }
        Proof::Run => (CertificateKind::Run, write_run(program)),
        Proof::Summaries { terms, summaries } => {
            (CertificateKind::Summaries, write_summaries(terms, program, summaries))
        }
        // Parts have no parts, so this is no deep recursion.
        Proof::Parts(parts) => {
            let parts: Vec<Part<Vec<usize>, String>> = parts
                .iter()
                .map(|Part { checks, proof }| {
                    let (_, proof) = proof_text(&program.with_checks(checks), proof);
                    Part { checks: checks.clone(), proof }
                })
                .collect();
            (CertificateKind::Parts, write_parts(program, &parts))
        }
    }
}

/// Decides whether an error can be reached in a C program.
///
/// ```
/// let source = craig::Source::text(
///     "void reach_error(void); int nondet(void);
///      int main(void) { int x = nondet(); if (x > 10 && x % 7 == 3) reach_error(); return 0; }",
/// );
/// let report = craig::check(&source, &craig::Options::default())?;
/// assert_eq!(report.verdict, craig::Verdict::Unsafe);
/// # Ok::<(), craig::Error>(())
/// ```
pub fn check(source: &Source, options: &Options) -> Result<Report, Error> {
    Loaded::new(source)?.check(options)
}

impl Loaded {
    /// As [`check`], of a program that was read before.
    pub fn check(&self, options: &Options) -> Result<Report, Error> {
        let start = Instant::now();
        // Whoever names an engine wants to see it at work, and who stops early leaves no full answer.
        let cache = options.cache.as_ref().filter(|_| options.engine.is_none() && !options.stop_at_first);
        let timeout = options.limits.timeout;
        if let Some(known) = cache.and_then(|folder| result_cache::recall(folder, &self.program, timeout)) {
            return Ok(self.recalled(known, options, self.time + start.elapsed()));
        }
        let mut budget = options.limits.budget(self.time);
        if let Some(Watch(watch)) = options.watch.clone() {
            budget = budget.with_listener(Listener(Arc::new(move |engine, what, count| {
                if let Some(what) = MILESTONES.into_iter().find(|&milestone| milestone == what) {
                    watch(Happening::Counted { engine, what, count });
                }
            })));
        }
        let task = self.task.path();
        let folder = options.test_cache.as_ref();
        let known = folder.map(|folder| test_cache::read(folder, task)).unwrap_or_default();
        let mut warnings = self.warnings();
        let complaints = known.complaints.into_iter();
        warnings
            .extend(complaints.map(|text| Warning { location: None, text: format!("not a test: {text}") }));
        let cached = test_cache::failing_test(&known.tests, &self.program, &budget);
        let mut known_answer = cached
            .map(|test| race::Report {
                answer: craig_engines::Verdict::Unsafe(test),
                winner: Some(TEST_CACHE),
                fates: Vec::new(),
            })
            .or_else(|| self.recall(options, &budget));
        let until = if options.stop_at_first { Until::OneFails } else { Until::AllAreDecided };
        let so_far = &options.so_far.0;
        let tell = |checks: &[Option<Answer>]| {
            *so_far.lock().unwrap_or_else(PoisonError::into_inner) = checks.to_vec();
        };
        let mut answers =
            each::decide(&self.program, until, &budget, tell, |program, effort, budget| match known_answer
                .take()
            {
                Some(found) => Ok(found),
                None => self.search(program, options, effort, known.tests.clone(), budget),
            })?;
        self.simplify(&mut answers);
        for found in &answers.rounds {
            if let (craig_engines::Verdict::Safe(proof), Some(folder)) =
                (&found.answer, &options.summary_cache)
                && let Proof::Summaries { terms, summaries } = &**proof
            {
                summary_cache::store(folder, &self.program, terms, summaries)?;
            }
            if let (craig_engines::Verdict::Unsafe(test), Some(folder)) = (&found.answer, folder)
                && found.winner != Some(TEST_CACHE)
            {
                test_cache::keep(folder, task, test)?;
            }
        }
        let report = self.report(answers, options, &budget, self.time + start.elapsed());
        let mut report = Report { warnings, ..report };
        if report.verdict == Verdict::Safe {
            self.look_for_a_run(options, &mut report)?;
        }
        if options.limits.cancel.is_cancelled() {
            // Whatever noticed it, and however it called it.
            let verdicts = report.checks.iter_mut().map(|check| &mut check.verdict);
            for verdict in verdicts.chain([&mut report.verdict]) {
                if matches!(verdict, Verdict::Unknown(Reason::Stopped(_))) {
                    *verdict = Verdict::Unknown(Reason::Stopped(StopReason::Cancelled));
                }
            }
        }
        if let Some(folder) = cache
            && !report.vacuous
            && !options.limits.cancel.is_cancelled()
            && !report.verdict.reason().is_some_and(Reason::is_defect)
        {
            result_cache::store(folder, &self.program, &report, timeout)?;
        }
        Ok(report)
    }

    /// Failing tests with smaller numbers.
    fn simplify(&self, answers: &mut Answers) {
        for answer in &mut answers.checks {
            let Answer::Unsafe(test) = answer else { continue };
            let simpler = simpler(&self.program, test);
            for round in &mut answers.rounds {
                if let craig_engines::Verdict::Unsafe(found) = &mut round.answer
                    && found == test
                {
                    found.clone_from(&simpler);
                }
            }
            *test = simpler;
        }
    }

    /// Runs the members, from the tests of the cache and back into it.
    fn search(
        &self,
        program: &Program,
        options: &Options,
        effort: Effort,
        seeds: Vec<Test>,
        budget: &Budget,
    ) -> Result<Found, Error> {
        let members = match &options.engine {
            Some(member) => vec![Member { engine: member.engine.with_seed(options.seed), ..*member }],
            None if options.summary_cache.is_some() => schedule::contract_portfolio(options.seed),
            None => schedule::portfolio(program, effort, options.seed),
        };
        let workers = options.workers.unwrap_or_else(cores);
        let shared = Shared::with_seeds(seeds);
        let tell = |happening| {
            if let Some(Watch(watch)) = &options.watch {
                watch(happening);
            }
        };
        let checks = program.checks.iter().filter(|check| program.may_fail(check)).count();
        tell(Happening::Asked { checks, of: program.checks.len(), engines: members.len() });
        let report = portfolio::run(program, &members, workers, &shared, budget);
        if let Ok(found) = &report {
            let answer = match &found.answer {
                craig_engines::Verdict::Safe(_) => "safe".to_string(),
                craig_engines::Verdict::Unsafe(_) => "unsafe".to_string(),
                craig_engines::Verdict::Unknown(reason) => reason.to_string(),
            };
            tell(Happening::Answered { answer, engine: found.winner });
        }
        if let Some(folder) = &options.test_cache {
            test_cache::keep_all(folder, self.task.path(), &shared.into_tests())?;
        }
        report.map_err(|contradiction| Error::Internal(contradiction.to_string()))
    }

    /// An answer from what earlier runs have left in the cache.
    fn recall(&self, options: &Options, budget: &Budget) -> Option<Found> {
        let start = Instant::now();
        let mut stats = Stats::default();
        let folder = options.summary_cache.as_ref()?;
        let answer = summary_cache::recall(folder, &self.program, budget, &mut stats)?;
        let fate = Fate { name: SUMMARY_CACHE, answer: Ok("safe"), time: start.elapsed(), stats };
        Some(race::Report { answer, winner: Some(SUMMARY_CACHE), fates: vec![fate] })
    }

    /// The report on what is known from an earlier run.
    fn recalled(&self, known: result_cache::Known, options: &Options, time: Duration) -> Report {
        let mut warnings = self.warnings();
        if known.has_unknown_requirements {
            warnings.push(unknown_requirements());
        }
        let answer = |(verdict, test): &(Verdict, Option<Test>)| match (verdict, test) {
            (Verdict::Unsafe, Some(test)) => Answer::Unsafe(test.clone()),
            (Verdict::Unknown(reason), _) => Answer::Unknown(reason.clone()),
            _ => Answer::Safe,
        };
        let answers = known.checks.iter().map(answer).collect();
        let mut report = self.report_on(answers, RESULT_CACHE, options, time);
        if known.verdict == Verdict::Safe {
            report.assumptions = self.assumptions();
        }
        Report { verdict: known.verdict, engine: RESULT_CACHE.to_string(), warnings, ..report }
    }

    /// The report on what a search with these options has found so far, which did not come to its end for this reason.
    pub fn report_so_far(&self, options: &Options, reason: StopReason, time: Duration) -> Report {
        let mut checks = options.so_far.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        checks.resize(self.program.checks.len(), None);
        let open = Answer::Unknown(Reason::Stopped(reason));
        let answers = checks.into_iter().map(|answer| answer.unwrap_or_else(|| open.clone())).collect();
        let mut report = self.report_on(answers, "portfolio", options, time);
        if report.verdict == Verdict::Safe {
            // Its proof has not been put together.
            report.verdict = Verdict::Unknown(Reason::Stopped(reason));
        }
        Report { warnings: self.warnings(), ..report }
    }

    /// The report on answers of which no more is known than a failing test.
    fn report_on(
        &self,
        checks: Vec<Answer>,
        source: &'static str,
        options: &Options,
        time: Duration,
    ) -> Report {
        let failing = checks.iter().find_map(|answer| match answer {
            Answer::Unsafe(test) => Some(test.clone()),
            _ => None,
        });
        let found = failing.map(|test| race::Report {
            answer: craig_engines::Verdict::Unsafe(test),
            winner: Some(source),
            fates: Vec::new(),
        });
        let answers = Answers { checks, rounds: found.into_iter().collect(), groups: Vec::new() };
        self.report(answers, options, &Budget::unlimited(), time)
    }

    fn report(&self, answers: Answers, options: &Options, budget: &Budget, time: Duration) -> Report {
        let program = &self.program;
        let asked = options.engine.as_ref().map_or("portfolio", |member| member.name);
        let checks = self.checks(&answers.checks);
        let verdict = worst(&checks, &answers.rounds);
        // The round that decides: the first failure, or the last proof.
        let Answers { mut rounds, groups, .. } = answers;
        let fates = rounds.iter_mut().flat_map(|round| std::mem::take(&mut round.fates)).collect::<Vec<_>>();
        let is_proof = |round: &&Found| matches!(round.answer, craig_engines::Verdict::Safe(_));
        let proofs = rounds.iter().filter(is_proof).count();
        // Of several proofs that do not fit together, each was checked when it was found.
        let mut is_whole = proofs == 1;
        if verdict == Verdict::Safe
            && proofs > 1
            && let Some(whole) = joined(program, &mut rounds, &groups, budget)
            && let Some(last) = rounds.last_mut()
        {
            is_whole = true;
            last.answer = craig_engines::Verdict::Safe(Box::new(whole));
        }
        let deciding = match verdict {
            Verdict::Unsafe => rounds.into_iter().next(),
            Verdict::Safe => rounds.pop(),
            Verdict::Unknown(_) => None,
        };
        let winner = deciding.as_ref().and_then(|found| found.winner);
        let checking = fates.iter().find(|fate| Some(fate.name) == winner && fate.answer.is_ok());
        let checking = checking.map_or(0.0, |fate| fate.stats.seconds("time in certification"));
        let mut report = Report {
            task: self.task.files.iter().map(|file| file.name.clone()).collect(),
            verdict,
            checks,
            assumptions: Vec::new(),
            warnings: Vec::new(),
            certificate: None,
            invariants: Vec::new(),
            contracts: Vec::new(),
            test: None,
            trace: Vec::new(),
            engine: winner.unwrap_or(asked).to_string(),
            time,
            memory_mb: peak_memory_mb(),
            members: fates,
            open_loop: None,
            arguments_share: program.vars.iter().any(|var| var.name.starts_with(SHARED)),
            vacuous: false,
        };
        report.open_loop = self.open_loop(&report.checks);
        let certificate = |kind, text| {
            Some(Certificate { kind, text, time: Duration::try_from_secs_f64(checking).unwrap_or_default() })
        };
        match deciding.map(|found| found.answer) {
            Some(craig_engines::Verdict::Safe(proof)) => {
                let proof = needed(*proof, time);
                report.assumptions = self.assumptions();
                report.invariants = safety::invariants(program, &proof);
                report.contracts = safety::contracts(program, &proof);
                if is_whole {
                    let (kind, text) = proof_text(program, &proof);
                    report.certificate = certificate(kind, text);
                }
            }
            Some(craig_engines::Verdict::Unsafe(test)) => {
                report.assumptions = self.assumptions_of_runs([&test]);
                report.trace = run::steps(program, &test, &craig_exec::Limits::default());
                report.certificate = certificate(CertificateKind::Test, test.to_string());
                report.test = Some(test);
            }
            _ => {}
        }
        report
    }

    /// The innermost loop of the source around the first check that is open.
    fn open_loop(&self, checks: &[CheckReport]) -> Option<Location> {
        let open = checks.iter().position(|check| matches!(check.verdict, Verdict::Unknown(_)))?;
        let check = &self.program.checks[open];
        let proc = &self.program.procs[check.proc];
        let wto = Wto::new(&proc.graph(), proc.entry);
        let head = wto.components[wto.innermost(proc.edges[check.edge].from)?].head;
        location(&self.program, proc.locations[head].span).filter(|at| !at.file.starts_with('<'))
    }

    /// The answer for each place at which something could go wrong.
    fn checks(&self, answers: &[Answer]) -> Vec<CheckReport> {
        let checks = self.program.checks.iter().zip(answers);
        let mut fingerprints = Fingerprints::new(|file: &str| self.task.text_of(file));
        checks
            .map(|(check, answer)| {
                let function = Some(self.program.procs[check.proc].name.to_string());
                let location = location(&self.program, check.span).map(|at| Location { function, ..at });
                CheckReport {
                    kind: check.kind,
                    fingerprint: fingerprints.next(check.kind.name(), location.as_ref(), &check.text),
                    location,
                    words: check.text.clone(),
                    verdict: match answer {
                        Answer::Safe => Verdict::Safe,
                        Answer::Unsafe(_) => Verdict::Unsafe,
                        Answer::Unknown(reason) => Verdict::Unknown(reason.clone()),
                    },
                    test: match answer {
                        Answer::Unsafe(test) => Some(test.clone()),
                        _ => None,
                    },
                }
            })
            .collect()
    }
}

/// Unsafe, if any check is; unknown, if one is; safe otherwise. A program without checks is what the search says.
fn worst(checks: &[CheckReport], rounds: &[Found]) -> Verdict {
    if rounds.iter().any(|round| matches!(round.answer, craig_engines::Verdict::Unsafe(_))) {
        return Verdict::Unsafe;
    }
    let unknown = checks.iter().find(|check| matches!(check.verdict, Verdict::Unknown(_)));
    if let Some(check) = unknown {
        return check.verdict.clone();
    }
    match rounds.last().map(|round| &round.answer) {
        Some(craig_engines::Verdict::Unknown(reason)) if checks.is_empty() => {
            Verdict::Unknown(reason.clone())
        }
        _ => Verdict::Safe,
    }
}

/// Who answers from what earlier runs have left.
const TEST_CACHE: &str = "test-cache";
const SUMMARY_CACHE: &str = "summary-cache";
pub(crate) const RESULT_CACHE: &str = "cache";

impl Report {
    /// The numbers of every member, each after its name.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        for fate in &self.members {
            stats.add_time(format!("{}: seconds", fate.name), fate.time);
            stats.absorb(&format!("{}: ", fate.name), &fate.stats);
        }
        stats
    }
}
