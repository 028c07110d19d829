//! What is fuzzed.

use super::words::{C, HORN, SLIC, SMT, YAML};
use super::{Input, REFUSED, command_line};
use crate::compiler::fresh;
use crate::measure::processor_time;
use craig::{CheckKind, Confirmation, Error, Judgement, Limits, Options, SolveOptions, Source, Verdict};
use craig_base::Budget;
use craig_cfront::types::DataModel;
use craig_cfront::{Texts, load_texts, lower};
use craig_program::validate;
use craig_term::smtlib::{CommandInput, Response};
use std::path::Path;
use std::time::{Duration, Instant};

/// A kind of input.
pub struct Target {
    pub name: &'static str,
    /// How files of the kind end.
    pub extensions: &'static [&'static str],
    /// Folders of the repository with such files.
    pub folders: &'static [&'static str],
    /// Words of the language.
    pub spice: &'static [&'static str],
    /// In words what came of it; `Err` for harm. It may use the folder.
    pub run: fn(&Input, &Path) -> Result<String, String>,
    /// For how many others one of this kind counts in a short pass over all.
    pub cost: u64,
    /// How many mutants campaigns should have made; a million of all kinds.
    pub wanted: u64,
}

/// How long an engine may look at a mutant.
const TIME: Duration = Duration::from_millis(200);
/// How long it may go on after that.
const GRACE: Duration = Duration::from_secs(1);

pub static TARGETS: &[Target] = &[
    Target {
        name: "c",
        extensions: &["c", "i"],
        folders: &["crates/cfront/tests", "examples"],
        spice: C,
        run: front_end,
        cost: 1,
        wanted: 200_000,
    },
    Target {
        name: "check",
        extensions: &["c", "i"],
        folders: &["examples/papers", "examples/programs", "crates/cfront/tests/lower"],
        spice: C,
        run: check,
        cost: 20,
        wanted: 60_000,
    },
    Target {
        name: "slic",
        extensions: &["slic"],
        folders: &["rules"],
        spice: SLIC,
        run: rule,
        cost: 1,
        wanted: 100_000,
    },
    Target {
        name: "smt",
        extensions: &["smt2"],
        folders: &["examples/smt", "crates/smt/tests", "crates/bits/tests"],
        spice: SMT,
        run: script,
        cost: 4,
        wanted: 200_000,
    },
    Target {
        name: "horn",
        extensions: &["smt2"],
        folders: &["examples/chc", "crates/engines/tests/data"],
        spice: HORN,
        run: clauses,
        cost: 20,
        wanted: 100_000,
    },
    // Made of the programs that follow: their proofs, failing tests and witnesses.
    Target {
        name: "proof",
        extensions: &["c"],
        folders: PROVED,
        spice: SMT,
        run: certificate,
        cost: 8,
        wanted: 60_000,
    },
    Target {
        name: "witness",
        extensions: &["c"],
        folders: PROVED,
        spice: YAML,
        run: witness,
        cost: 20,
        wanted: 60_000,
    },
    Target {
        name: "task",
        extensions: &["yml", "prp"],
        folders: &[],
        spice: YAML,
        run: task,
        cost: 1,
        wanted: 100_000,
    },
    Target {
        name: "test",
        extensions: &["test", "xml", "ktest"],
        folders: &[],
        spice: &["i32", "u8", "-1", "<input>", "</input>", "<testcase>", "KTEST", "\0"],
        run: recorded,
        cost: 1,
        wanted: 100_000,
    },
    Target {
        name: "command",
        extensions: &["words"],
        folders: &[],
        spice: command_line::WORDS,
        run: command_line::run,
        cost: 60,
        wanted: 20_000,
    },
];

pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

const PROVED: &[&str] = &["examples/papers", "examples/programs"];

fn refused(what: impl std::fmt::Display) -> Result<String, String> {
    Ok(format!("{REFUSED}{what}"))
}

/// An error in words; an internal one is harm.
fn judged(error: Error) -> Result<String, String> {
    match error {
        Error::Internal(what) => Err(format!("internal error: {what}")),
        error => refused(error),
    }
}

/// Engines stop in time. What a busy machine adds is not theirs: the time of the processor counts as well.
fn timed<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    let (start, before) = (Instant::now(), processor_time());
    let result = what();
    let spent = start.elapsed().min(processor_time().saturating_sub(before));
    match spent > TIME + GRACE {
        true => Err(format!("a limit of {TIME:?} becomes {:.1} s", spent.as_secs_f64())),
        false => Ok(result),
    }
}

/// One or the other, by something that stays the same for the same text.
fn model(text: &[u8]) -> DataModel {
    if text.len().is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 }
}

fn lowered(texts: Texts, model: DataModel) -> Result<String, String> {
    let loaded = load_texts(texts, model, &lower::Options::default());
    let diagnostics = loaded.diagnostics.render(&loaded.sources);
    let Some(program) = loaded.program else { return refused(diagnostics) };
    let errors = validate(&program);
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    let notes: Vec<&str> = program.notes.iter().map(|note| note.text.as_str()).collect();
    Ok(format!("lowered: {}", notes.join("; ")))
}

fn front_end(input: &Input, _: &Path) -> Result<String, String> {
    lowered(vec![("mutant.i".to_string(), input.text.clone())].into(), model(&input.text))
}

fn rule(input: &Input, _: &Path) -> Result<String, String> {
    let units = vec![("program.i".to_string(), input.context.clone())];
    let rules = vec![("mutant.slic".to_string(), input.text.clone())];
    lowered(Texts { units, rules, ..Texts::default() }, DataModel::Lp64)
}

/// What is wrong with the program is found by the target `c`; here it comes to the engines.
fn check(input: &Input, _: &Path) -> Result<String, String> {
    let Ok(text) = std::str::from_utf8(&input.text) else { return refused("no text") };
    let loaded = match craig::Loaded::new(&source(text)) {
        Ok(loaded) => loaded,
        Err(error) => return judged(error),
    };
    match timed(|| loaded.check(&options()))? {
        Ok(report) => Ok(match &report.verdict {
            Verdict::Unknown(reason) => format!("unknown: {reason}"),
            verdict => format!("{} {}", verdict.word(), report.engine),
        }),
        Err(error) => judged(error),
    }
}

/// Preprocessed C with the checks of the competitions.
pub fn source(text: &str) -> Source {
    Source { checks: vec![CheckKind::Error, CheckKind::Memory], ..Source::text(text) }
}

pub fn options() -> Options {
    let limits = Limits { memory: Some(1 << 30), ..Limits::timeout(TIME) };
    Options { limits, workers: Some(1), ..Options::default() }
}

fn script(input: &Input, _: &Path) -> Result<String, String> {
    let mut commands = CommandInput::new(&input.text[..]);
    let mut script = craig::script::Script::default();
    let mut answers: Vec<String> = Vec::new();
    let budget = || Budget::unlimited().with_timeout(TIME).with_memory_limit(1 << 30);
    while let Ok(Some(tree)) = commands.next_command() {
        let response = timed(|| tree.and_then(|tree| script.execute(&tree, &budget())))?;
        answers.push(match response {
            Ok(Response::Exit) => break,
            Ok(Response::Success) => continue,
            Ok(Response::Text(text)) => text.chars().take(30).collect(),
            Ok(Response::Unknown(why) | Response::Error(why)) => why,
            Ok(Response::Unsupported) => "unsupported".to_string(),
            Err(error) => format!("{REFUSED}{}", error.message),
        });
    }
    // Half of all answers are those to a wrong command, and say little together.
    answers.sort();
    answers.dedup();
    Ok(answers.join("; "))
}

fn clauses(input: &Input, _: &Path) -> Result<String, String> {
    let Ok(text) = std::str::from_utf8(&input.text) else { return refused("no text") };
    let limits = options().limits;
    let options = SolveOptions { limits, workers: Some(1), ..SolveOptions::default() };
    match timed(|| craig::solve(text, &options))? {
        Ok(report) => Ok(match report.verdict.reason() {
            Some(reason) => format!("unknown: {reason}"),
            None => format!("{} {}", report.verdict.word(), report.engine),
        }),
        Err(error) => judged(error),
    }
}

/// The program of the context, and whether it is known to fail.
fn program(input: &Input) -> Option<(Source, bool)> {
    let text = std::str::from_utf8(&input.context).ok()?;
    let fails = match text.lines().next()? {
        "// safe" => false,
        "// unsafe" => true,
        _ => return None,
    };
    let checks = vec![CheckKind::Error];
    Some((Source { checks, ..Source::text(text) }, fails))
}

fn certificate(input: &Input, _: &Path) -> Result<String, String> {
    let (Some((source, fails)), Ok(text)) = (program(input), std::str::from_utf8(&input.text)) else {
        return refused("no text");
    };
    match timed(|| craig::validate(&source, text, &options().limits))? {
        Ok(Judgement::Safe) if fails => Err("a proof of a program that fails is accepted".to_string()),
        Ok(Judgement::Unsafe) if !fails => Err("a test of a program that is safe is accepted".to_string()),
        Ok(Judgement::Safe) => Ok("safe".to_string()),
        Ok(Judgement::Unsafe) => Ok("unsafe".to_string()),
        Ok(Judgement::Invalid(why)) => Ok(format!("invalid: {why}")),
        Ok(Judgement::Unknown(why)) => Ok(format!("unknown: {why}")),
        Err(error) => judged(error),
    }
}

fn witness(input: &Input, _: &Path) -> Result<String, String> {
    let (Some((source, fails)), Ok(text)) = (program(input), std::str::from_utf8(&input.text)) else {
        return refused("no text");
    };
    match timed(|| craig::confirm(&source, "mutant.yml", text, &options()))? {
        Ok(report) => match report.answer {
            Confirmation::Confirmed(Verdict::Safe) if fails => {
                Err("a program that fails is confirmed".to_string())
            }
            Confirmation::Confirmed(Verdict::Unsafe) if !fails => {
                Err("a program that is safe is refuted".to_string())
            }
            Confirmation::Confirmed(verdict) => Ok(format!("confirmed: {}", verdict.word())),
            Confirmation::Refuted(why) => Ok(format!("refuted: {why}")),
            Confirmation::Unknown(why) => Ok(format!("unknown: {why}")),
        },
        Err(error) => judged(error),
    }
}

/// A task definition with a property, or a property: the one that begins with `CHECK`.
fn task(input: &Input, scratch: &Path) -> Result<String, String> {
    let write = |name: &str, bytes: &[u8]| {
        let path = scratch.join(name);
        fresh(&path, bytes).map(|()| path).map_err(|error| error.to_string())
    };
    let program = write("program.i", b"int main(void) { return 0; }\n")?;
    let files = match input.text.starts_with(b"CHECK") {
        true => vec![program, write("mutant.prp", &input.text)?],
        false => {
            write("property.prp", b"CHECK( init(main()), LTL(G ! call(reach_error())) )\n")?;
            vec![write("mutant.yml", &input.text)?]
        }
    };
    match craig::Task::resolve(&Source::files(files), &craig::DEFAULT_CHECKS) {
        Ok(task) => Ok(format!("{:?} {:?} {:?}", task.data_model, task.checks, task.entry)),
        Err(error) => judged(error),
    }
}

/// A test of any format, as one of a program with inputs of many kinds.
fn recorded(input: &Input, _: &Path) -> Result<String, String> {
    const PROGRAM: &str = "void reach_error(void); int __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void);
        double __VERIFIER_nondet_double(void); _Bool __VERIFIER_nondet_bool(void); void *malloc(unsigned long);
        int main(void) { int n = __VERIFIER_nondet_int(); char *p = malloc(n); double d = __VERIFIER_nondet_double();
          for (int i = 0; i < n; i++) p[i] = __VERIFIER_nondet_char();
          if (__VERIFIER_nondet_bool() && d > 0.5 && p && p[0] == n) reach_error(); return 0; }";
    let recorded = match craig::Recorded::parse(input.text.clone()) {
        Ok(recorded) => recorded,
        Err(what) => return refused(what),
    };
    let loaded = craig::Loaded::new(&source(PROGRAM)).map_err(|error| error.to_string())?;
    let limits = craig_exec::Limits { steps: 10_000, ..craig_exec::Limits::default() };
    let test = craig::adopt::adopted(&loaded.program, &recorded, &limits);
    let outcome = craig_exec::replay(&loaded.program, &test, &limits).outcome;
    Ok(outcome.describe(&loaded.program))
}
