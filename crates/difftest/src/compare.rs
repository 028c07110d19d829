//! One program, run by a compiler and by Craig.
//!
//! Most programs of the own generator go to `tcc`, and are run by Craig in both treatments of overflow; of twenty pairs, one
//! goes to gcc at some level of optimisation, one to its sanitizer, and of one the encoding is looked at.

use crate::compiler::{Compilers, Reference, Semantics, compile_and_run, fresh};
use crate::rng::Rng;
use crate::{csmith, encoding, front_end, generate, symbolic};
use craig_base::Budget;
use craig_exec::{Detail, Executable, InputSite, Limits, Outcome, Source, Undefined};
use craig_program::{Arithmetic, DataModel, InputSource, Program, Stmt};
use std::path::Path;
use std::time::Duration;

/// Where a program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Own,
    Csmith,
}

/// One comparison: the same numbers always mean the same one.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub origin: Origin,
    pub seed: u64,
    pub model: DataModel,
    pub semantics: Semantics,
}

#[derive(Clone, Debug)]
pub enum Comparison {
    Agree,
    /// Nothing can be said, for example because the program takes too long.
    Skipped(String),
    Mismatch(String),
}

/// Which twentieth a number belongs to; those of both data models belong to the same.
fn share(seed: u64) -> u64 {
    seed / 2 % 20
}

const ENCODED: u64 = 0;
const OPTIMISED: u64 = 1;
const SANITIZED: u64 = 2;

impl Task {
    /// The tasks of a session, which alternate between data models and treatments of overflow.
    pub fn numbered(origin: Origin, seed: u64) -> Task {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let semantics = match origin {
            Origin::Csmith => Semantics::Plain,
            Origin::Own if share(seed) == SANITIZED => Semantics::Sanitize,
            Origin::Own => Semantics::Wrap,
        };
        Task { origin, seed, model, semantics }
    }

    pub fn source(&self, folder: &Path) -> Result<String, String> {
        match self.origin {
            Origin::Csmith => csmith::program(self.seed, folder),
            Origin::Own => {
                let features = generate::Features { floats: self.seed.is_multiple_of(3) };
                Ok(generate::program(self.seed, features))
            }
        }
    }

    fn arithmetic(&self) -> Arithmetic {
        match self.semantics {
            Semantics::Wrap => Arithmetic::Wrap,
            Semantics::Sanitize | Semantics::Plain | Semantics::Memory => Arithmetic::AssumeNoOverflow,
        }
    }

    pub fn compare(&self, compilers: &Compilers) -> Comparison {
        let folder = &compilers.folder;
        let source = match self.source(folder) {
            Ok(source) => source,
            Err(error) => return Comparison::Skipped(error),
        };
        let path = folder.join("program.c");
        if let Err(error) = fresh(&path, source.as_bytes()) {
            return Comparison::Skipped(error.to_string());
        }
        let asks_gcc = [OPTIMISED, SANITIZED].contains(&share(self.seed));
        if self.origin == Origin::Own
            && !asks_gcc
            && let Some(output) = compilers.quick(self.model).and_then(|tcc| tcc.output(&path, folder))
        {
            let comparison = self.of_own(&Reference::Output(output), &source);
            if !matches!(comparison, Comparison::Mismatch(_)) {
                return comparison;
            }
        }
        match compilers.has_gcc(self.model) {
            true => self.compare_file(&path, folder),
            false => Comparison::Skipped(format!("there is no gcc for {:?}", self.model)),
        }
    }

    /// Compares on a given program with gcc.
    pub fn compare_file(&self, path: &Path, folder: &Path) -> Comparison {
        let optimisation = (self.seed % 3) as u8;
        let reference = match compile_and_run(path, folder, self.model, self.semantics, optimisation) {
            Ok(Reference::Failed(why)) => return Comparison::Skipped(why),
            Ok(reference) => reference,
            Err(error) => return Comparison::Skipped(format!("the compiler refused it: {error}")),
        };
        if self.origin == Origin::Own {
            return match std::fs::read_to_string(path) {
                Ok(source) => self.of_own(&reference, &source),
                Err(error) => Comparison::Skipped(error.to_string()),
            };
        }
        match front_end::load(path, self.model, self.arithmetic()) {
            Ok(program) => self.judge(&reference, &program),
            Err(message) => Comparison::Mismatch(format!("refused: {message}")),
        }
    }

    /// As the task says; what ends with the same value without `--wrap` has had no overflow, and else it must be found.
    fn of_own(&self, reference: &Reference, source: &str) -> Comparison {
        let load = |arithmetic| front_end::load_text(source, self.model, arithmetic);
        let program = match load(self.arithmetic()) {
            Ok(program) => program,
            Err(message) => return Comparison::Mismatch(format!("refused: {message}")),
        };
        let comparison = self.judge(reference, &program);
        let (Comparison::Agree, Reference::Output(output), Arithmetic::Wrap) =
            (&comparison, reference, self.arithmetic())
        else {
            return comparison;
        };
        let outcome = load(Arithmetic::AssumeNoOverflow).map(|program| self.outcome(&program));
        match outcome {
            Ok(Ok(Outcome::Returned(Some(value)))) if output.trim() == value.to_string() => comparison,
            Ok(Ok(Outcome::Undefined(what, _))) if is_overflow(what) => comparison,
            outcome => Comparison::Mismatch(format!("gcc: {output}, craig without `--wrap`: {outcome:?}")),
        }
    }

    /// Short runs are repeated: on the inlined program, to look at the encoding of what they execute, and
    /// symbolically.
    fn check_encoding(&self, program: &Program) -> Comparison {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
        let limits = Limits { steps: 50_000, budget, ..Limits::default() };
        let mut rng = Rng::new(self.seed);
        let mut oracle = |program: &Program, at: &InputSite| garbage(program, &mut rng, at);
        if let Err(mismatch) = encoding::check(program, &mut oracle, &limits) {
            return Comparison::Mismatch(format!("encoding: {mismatch}"));
        }
        match symbolic::check(program, &mut oracle, &limits) {
            Ok(_) => Comparison::Agree,
            Err(mismatch) => Comparison::Mismatch(format!("symbolic run: {mismatch}")),
        }
    }

    /// Whether the encoding is looked at, which costs far more than the rest.
    fn is_encoded(&self) -> bool {
        self.origin == Origin::Csmith || share(self.seed) == ENCODED
    }

    /// How the program ends; `Err` where memory is not split as it says.
    fn outcome(&self, program: &Program) -> Result<Outcome, String> {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
        let limits = Limits { steps: 200_000_000, budget, ..Limits::default() };
        let mut rng = Rng::new(self.seed);
        let executable = Executable::new(program, Detail::Outcome).checking_regions();
        let run = executable.run(&mut |at: &InputSite| garbage(program, &mut rng, at), &limits);
        match run.region_violations.first() {
            Some(violation) => Err(format!("regions: {}", violation.describe(program))),
            None => Ok(run.outcome),
        }
    }

    fn judge(&self, reference: &Reference, program: &Program) -> Comparison {
        if let Err(rejection) = craig_certificate::check_regions(program) {
            return Comparison::Mismatch(format!("regions: {rejection}"));
        }
        let run_outcome = match self.outcome(program) {
            Ok(outcome) => outcome,
            Err(violation) => return Comparison::Mismatch(violation),
        };
        let outcome = run_outcome.describe(program);
        match (reference, run_outcome) {
            (_, Outcome::StepLimit | Outcome::Stopped(_)) => Comparison::Skipped(outcome),
            (Reference::Output(output), Outcome::Returned(Some(value))) => {
                let expected = match self.origin {
                    Origin::Csmith => csmith::checksum(output),
                    Origin::Own => output.trim().parse().ok(),
                };
                match expected {
                    Some(expected) if expected == value => match self.is_encoded() {
                        true => self.check_encoding(program),
                        false => Comparison::Agree,
                    },
                    _ => Comparison::Mismatch(format!("gcc: {}, craig: {value}", output.trim())),
                }
            }
            (Reference::Undefined { line, .. }, Outcome::Undefined(what, site))
                if is_overflow(what) && site.span(program).line == *line =>
            {
                Comparison::Agree
            }
            // The sanitizer does not see an overflow in what the compiler folds first: constants, products
            // that are only compared with zero or cut down to a narrower type.
            (_, Outcome::Undefined(what, _))
                if is_overflow(what) && self.semantics == Semantics::Sanitize =>
            {
                Comparison::Skipped(format!("the sanitizer did not see: {outcome}"))
            }
            // Csmith does not avoid these.
            (_, Outcome::Undefined(Undefined::FloatOutOfRange, _)) if self.origin == Origin::Csmith => {
                Comparison::Skipped(outcome)
            }
            (reference, _) => Comparison::Mismatch(format!("gcc: {reference:?}, craig: {outcome}")),
        }
    }
}

fn is_overflow(what: Undefined) -> bool {
    matches!(what, Undefined::SignedOverflow | Undefined::DivisionOverflow)
}

/// The programs have no inputs, except that they do not look at what `printf` returns, that variables are
/// declared before they get a value, and that copies and bit-fields read padding: what is there must not matter.
fn garbage(program: &Program, rng: &mut Rng, at: &InputSite) -> Option<i128> {
    // Operands are evaluated from left to right, where C leaves the order open.
    if let Source::Statement = at.source
        && let Stmt::Input(_, InputSource::Unmodelled(what)) =
            &program.procs[at.site.proc].edges[at.site.edge].stmt
        && what.contains("right to left")
    {
        return Some(0);
    }
    let unobserved = match at.source {
        Source::Memory { .. } => true,
        Source::Statement => match &program.procs[at.site.proc].edges[at.site.edge].stmt {
            Stmt::Input(_, InputSource::Call(name)) => &**name == "printf",
            Stmt::Input(_, InputSource::Uninitialised) => true,
            _ => false,
        },
        Source::Local => true,
        _ => false,
    };
    unobserved.then(|| i128::from(rng.next_u64()))
}
