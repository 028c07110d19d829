//! Programs that compute with floating numbers (`generate::floats`), by gcc, by Craig's executor, and by circuits: an
//! engine must prove that the result is gcc's, with a proof that the checker accepts, and find that it is no other.

use crate::compiler::{Compilers, Reference, Semantics, compile_and_run, fresh};
use crate::front_end;
use crate::generate::floats::Computation;
use crate::memory::Answer;
use craig_base::{Budget, Stats};
use craig_engines::{Engine, Verdict, verify};
use craig_exec::{Detail, Executable, InputSite, Limits, Outcome};
use craig_program::{Arithmetic, DataModel, Program};
use std::path::Path;
use std::time::Duration;

/// The tasks alternate between data models.
pub fn model(seed: u64) -> DataModel {
    if seed % 4 < 3 { DataModel::Lp64 } else { DataModel::Ilp32 }
}

/// `Err` with what must not be. An engine is asked if `time` is given.
pub fn compare(seed: u64, compilers: &Compilers, time: Option<Duration>) -> Result<Answer, String> {
    let computation = Computation::numbered(seed);
    let path = compilers.folder.join("floats.c");
    fresh(&path, computation.native().as_bytes()).map_err(|error| error.to_string())?;
    if seed % BY_GCC >= 4
        && let Some(output) =
            compilers.quick(model(seed)).and_then(|tcc| tcc.output(&path, &compilers.folder))
        && let Ok(expected) = output.trim().parse()
        && let Ok(answer) = judge(seed, &computation, expected, time)
    {
        return Ok(answer);
    }
    judge(seed, &computation, by_gcc(seed, &path, &compilers.folder)?, time)
}

/// Of so many programs four go to gcc, one of each data model and level among them; of the others those where `tcc` and Craig
/// disagree.
const BY_GCC: u64 = 40;

fn by_gcc(seed: u64, path: &Path, folder: &Path) -> Result<u64, String> {
    let reference = compile_and_run(path, folder, model(seed), Semantics::Plain, (seed % 2) as u8)?;
    let Reference::Output(output) = &reference else {
        return Err(format!("the generator is wrong: {reference:?}"));
    };
    output.trim().parse().map_err(|_| format!("gcc printed {output}"))
}

fn judge(
    seed: u64,
    computation: &Computation,
    expected: u64,
    time: Option<Duration>,
) -> Result<Answer, String> {
    let load = |text: String| -> Result<Program, String> {
        front_end::load_text(&text, model(seed), Arithmetic::AssumeNoOverflow)
    };
    let program = load(computation.question(expected))?;
    // What C leaves open, such as the sign of the least of two zeros, is an input as well: it may be one or the other.
    let run = |open: i128| {
        let mut inputs = computation.inputs.iter();
        let mut oracle = |_: &InputSite| Some(inputs.next().map_or(open, |&input| i128::from(input)));
        Executable::new(&program, Detail::Outcome).run(&mut oracle, &Limits::default()).outcome
    };
    let outcomes = [run(0), run(1)];
    match outcomes.each_ref().map(|outcome| matches!(outcome, Outcome::Returned(_))) {
        [true, true] => {}
        [false, false] => {
            return Err(format!("gcc has {expected}, Craig: {}", outcomes[0].describe(&program)));
        }
        _ => return Ok(Answer::Agreed),
    }
    let Some(time) = time else { return Ok(Answer::Agreed) };
    let budget = || Budget::unlimited().with_timeout(time);
    match verify(&program, Engine::Bits, &budget(), &mut Stats::default()) {
        Verdict::Safe(_) => {}
        Verdict::Unsafe(_) => return Err("unsafe, though the result is gcc's".to_string()),
        Verdict::Unknown(reason) => return Ok(Answer::Unknown(reason.to_string())),
    }
    let other = load(computation.question(expected ^ 1))?;
    match verify(&other, Engine::Bits, &budget(), &mut Stats::default()) {
        Verdict::Unsafe(_) => Ok(Answer::Agreed),
        Verdict::Safe(_) => Err("safe, though the result is not gcc's".to_string()),
        Verdict::Unknown(reason) => Ok(Answer::Unknown(reason.to_string())),
    }
}
