//! Programs that move addresses about (`generate::memory`), by gcc with its sanitizers, by Craig's executor, and by an
//! engine that is asked whether anything can fail.

use crate::compiler::{Compilers, Reference, Semantics, compile_and_run_for, fresh};
use crate::front_end::of_types;
use crate::generate::memory::{self, Program};
use craig_base::{Budget, Stats};
use craig_certificate::check_regions;
use craig_cfront::{lower, preprocess};
use craig_engines::{Engine, Reason, Verdict, verify};
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, Outcome, RandomOracle};
use craig_program::{CheckKind, CheckSet, DataModel, Type, instrument};
use std::path::Path;
use std::time::Duration;

/// A sanitizer takes its time to say what it found, the more where others run.
const REPORT_TIME: Duration = Duration::from_secs(60);

/// Of so many programs two are compiled with sanitizers.
const SANITIZED: u64 = 20;

const CHECKS: [CheckKind; 5] =
    [CheckKind::Error, CheckKind::Memory, CheckKind::Overflow, CheckKind::Division, CheckKind::Shift];

/// What is said of a program when no two contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Agreed,
    /// The engine gave up.
    Unknown(String),
}

/// The tasks alternate between data models.
pub fn model(seed: u64) -> DataModel {
    if seed % 4 < 2 { DataModel::Lp64 } else { DataModel::Ilp32 }
}

/// `Err` with what must not be. An engine is asked if `time` is given. Whether there is a misuse is known without asking
/// anybody; that gcc's sanitizers see the same is tried for one program in [`SANITIZED`], and where Craig disagrees.
pub fn compare(seed: u64, compilers: &Compilers, time: Option<Duration>) -> Result<Answer, String> {
    let program = memory::program(seed);
    let path = compilers.folder.join("memory.c");
    fresh(&path, program.text.as_bytes()).map_err(|error| error.to_string())?;
    let said = match (&program.misuse, compilers.quick(model(seed))) {
        _ if seed % SANITIZED < 2 => None,
        (Some(_), _) => Some(None),
        (None, Some(tcc)) => {
            let output = tcc.output(&path, &compilers.folder);
            output.and_then(|output| output.trim().parse().ok()).map(Some)
        }
        (None, None) => None,
    };
    if let Some(expected) = said
        && let Ok(answer) = judge(seed, &path, expected, &program, time)
    {
        return Ok(answer);
    }
    let expected = by_gcc(seed, &path, &compilers.folder, &program)?;
    judge(seed, &path, expected, &program, time)
}

/// What the program prints; nothing if something is wrong.
fn by_gcc(seed: u64, path: &Path, folder: &Path, program: &Program) -> Result<Option<i128>, String> {
    let reference = compile_and_run_for(REPORT_TIME, path, folder, model(seed), Semantics::Memory, 0)?;
    Ok(match (&reference, &program.misuse) {
        (Reference::Output(output), None) => output.trim().parse::<i128>().ok(),
        (Reference::Undefined { .. }, Some(_)) => None,
        // Blocks and constants are not always watched.
        (Reference::Output(_), Some(("read after the block" | "write to a constant", _))) => None,
        (other, None) => return Err(format!("the generator is wrong: {other:?}")),
        (other, Some((what, _))) => return Err(format!("gcc does not notice a {what}: {other:?}")),
    })
}

fn judge(
    seed: u64,
    path: &Path,
    expected: Option<i128>,
    Program { misuse, .. }: &Program,
    time: Option<Duration>,
) -> Result<Answer, String> {
    let mut program = load(path, model(seed), false)?;
    if check_regions(&program).is_err() {
        program = load(path, model(seed), true)?;
        check_regions(&program).map_err(|rejection| format!("one region is rejected: {rejection}"))?;
    }
    // A run ends at what is undefined, whatever is asked.
    let mut checked = program.clone();
    instrument(&mut checked, [CheckKind::Error].into_iter().collect());
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    let executable = Executable::new(&checked, Detail::Outcome).checking_regions();
    let mut random = RandomOracle::new(&checked, seed);
    let mut oracle = |at: &InputSite| if at.ty == Type::Bool { Some(1) } else { random.next(at) };
    let run = executable.run(&mut oracle, &limits);
    if let Some(violation) = run.region_violations.first() {
        return Err(format!("regions: {}", violation.describe(&checked)));
    }
    let said = run.outcome.describe(&checked);
    match (expected, run.outcome) {
        (Some(expected), Outcome::Returned(Some(value))) if value == expected => {}
        (Some(expected), _) => return Err(format!("gcc has {expected}, Craig: {said}")),
        (None, Outcome::Returned(_)) => return Err(format!("a {} is not noticed", words(misuse))),
        (None, _) => {}
    }
    let Some(time) = time else { return Ok(Answer::Agreed) };
    instrument(&mut program, CHECKS.into_iter().collect::<CheckSet>());
    let budget = Budget::unlimited().with_timeout(time);
    match (verify(&program, Engine::Bits, &budget, &mut Stats::default()), misuse) {
        (Verdict::Safe(_), None) | (Verdict::Unsafe(_), Some(_)) => Ok(Answer::Agreed),
        (Verdict::Safe(_), Some(_)) => Err(format!("safe, in spite of a {}", words(misuse))),
        (Verdict::Unsafe(_), None) => Err("unsafe, though nothing is wrong".to_string()),
        (Verdict::Unknown(Reason::Rejected(why)), Some(_)) => {
            Err(format!("safe, but for the checker: {why}"))
        }
        (Verdict::Unknown(reason), _) => Ok(Answer::Unknown(reason.to_string())),
    }
}

fn words(misuse: &Option<(&'static str, u32)>) -> String {
    misuse.map_or(String::new(), |(what, line)| format!("{what} at line {line}"))
}

fn load(path: &Path, model: DataModel, one_region: bool) -> Result<craig_program::Program, String> {
    let checks = CHECKS.into_iter().collect();
    let options =
        lower::Options { malloc_never_fails: true, one_region, checks, ..lower::Options::default() };
    let loaded = craig_cfront::load(&[path], &preprocess::Options::new(of_types(model)), &options);
    loaded.program.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))
}
