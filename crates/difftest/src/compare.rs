//! One program, run by a compiler and by Craig.

use crate::compiler::{Reference, Semantics, compile_and_run};
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

impl Task {
    /// The tasks of a session, which alternate between data models and treatments of overflow.
    pub fn numbered(origin: Origin, seed: u64) -> Task {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let semantics = match origin {
            Origin::Csmith => Semantics::Plain,
            Origin::Own if seed % 5 == 4 => Semantics::Sanitize,
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

    /// Compares on files in `folder`.
    pub fn compare(&self, folder: &Path) -> Comparison {
        let source = match self.source(folder) {
            Ok(source) => source,
            Err(error) => return Comparison::Skipped(error),
        };
        let path = folder.join("program.c");
        if let Err(error) = std::fs::write(&path, source) {
            return Comparison::Skipped(error.to_string());
        }
        self.compare_file(&path, folder)
    }

    /// Compares on a given program.
    pub fn compare_file(&self, path: &Path, folder: &Path) -> Comparison {
        let optimisation = (self.seed % 3) as u8;
        let reference = match compile_and_run(path, folder, self.model, self.semantics, optimisation) {
            Ok(Reference::Failed(why)) => return Comparison::Skipped(why),
            Ok(reference) => reference,
            Err(error) => return Comparison::Skipped(format!("the compiler refused it: {error}")),
        };
        let program = match front_end::load(path, self.model, self.arithmetic()) {
            Ok(program) => program,
            Err(message) => return Comparison::Mismatch(format!("refused: {message}")),
        };
        self.judge(&reference, &program)
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

    fn judge(&self, reference: &Reference, program: &Program) -> Comparison {
        if let Err(rejection) = craig_certificate::check_regions(program) {
            return Comparison::Mismatch(format!("regions: {rejection}"));
        }
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
        let limits = Limits { steps: 200_000_000, budget, ..Limits::default() };
        let mut rng = Rng::new(self.seed);
        let executable = Executable::new(program, Detail::Outcome).checking_regions();
        let run = executable.run(&mut |at: &InputSite| garbage(program, &mut rng, at), &limits);
        if let Some(violation) = run.region_violations.first() {
            return Comparison::Mismatch(format!("regions: {}", violation.describe(program)));
        }
        let outcome = run.outcome.describe(program);
        match (reference, run.outcome) {
            (_, Outcome::StepLimit | Outcome::Stopped(_)) => Comparison::Skipped(outcome),
            (Reference::Output(output), Outcome::Returned(Some(value))) => {
                let expected = match self.origin {
                    Origin::Csmith => csmith::checksum(output),
                    Origin::Own => output.trim().parse().ok(),
                };
                match expected {
                    Some(expected) if expected == value => self.check_encoding(program),
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
