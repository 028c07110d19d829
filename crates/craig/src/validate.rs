//! Certificates that were saved before, or come from elsewhere. No engine takes part.

use crate::error::Error;
use crate::limits::Limits;
use crate::report::source;
use crate::task::{Loaded, Source};
use craig_base::Budget;
use craig_certificate::{
    Judge, Observer, ProofKind, Rejection, SummaryRejection, UnwindingRejection, check_induction,
    check_invariant, check_summaries, check_unwinding, read_induction, read_invariant, read_parts, read_run,
    read_summaries, read_unwinding,
};
use craig_engines::INLINE_LIMIT;
use craig_exec::{Outcome, Test, only_outcome, replay};
use craig_program::{Program, inline};
use craig_term::Terms;

/// What the checkers say of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// A proof: the program is safe.
    Safe,
    /// A test that fails: the program is unsafe.
    Unsafe,
    /// The certificate is wrong, and why.
    Invalid(String),
    /// It could not be checked, and why.
    Unknown(String),
}

/// Checks a [certificate](crate::Certificate) against a program.
///
/// ```
/// let source = craig::Source::text("void reach_error(void); int main(void) { if (1 > 2) reach_error(); }");
/// let options = craig::Options::default();
/// let certificate = craig::check(&source, &options)?.certificate.expect("a proof");
/// let judgement = craig::validate(&source, &certificate.text, &options.limits)?;
/// assert_eq!(judgement, craig::Judgement::Safe);
/// # Ok::<(), craig::Error>(())
/// ```
pub fn validate(source: &Source, certificate: &str, limits: &Limits) -> Result<Judgement, Error> {
    Loaded::new(source)?.validate("certificate", certificate, limits)
}

impl Loaded {
    /// As [`validate`], for a program that was read before, with the name of the certificate for messages.
    pub fn validate(&self, name: &str, certificate: &str, limits: &Limits) -> Result<Judgement, Error> {
        self.judge(name, certificate, &limits.budget(self.time), None)
    }

    pub(crate) fn judge(
        &self,
        name: &str,
        certificate: &str,
        budget: &Budget,
        observer: Option<&Observer<'_>>,
    ) -> Result<Judgement, Error> {
        judged(&self.program, name, certificate, Judge { budget, observer })
    }
}

fn judged(program: &Program, name: &str, certificate: &str, judge: Judge<'_>) -> Result<Judgement, Error> {
    match ProofKind::of(certificate) {
        Some(ProofKind::Invariant | ProofKind::Frames) => invariant(program, name, certificate, judge),
        Some(ProofKind::Contracts) => contracts(program, name, certificate, judge),
        Some(ProofKind::Unwinding) => unwinding(program, name, certificate, judge.budget),
        Some(ProofKind::Induction) => induction(program, name, certificate, judge.budget),
        Some(ProofKind::Run) => only_run(program, name, certificate, judge.budget),
        Some(ProofKind::Parts) => parts(program, name, certificate, judge),
        None => test(program, name, certificate, judge.budget),
    }
}

fn parts(program: &Program, name: &str, text: &str, judge: Judge<'_>) -> Result<Judgement, Error> {
    for part in read_parts(program, text).map_err(|error| malformed(name, text, &error))? {
        if matches!(ProofKind::of(part.proof), None | Some(ProofKind::Parts)) {
            return Ok(Judgement::Invalid(format!("the part about check {:?} is no proof", part.checks)));
        }
        let judgement = judged(&program.with_checks(&part.checks), name, part.proof, judge)?;
        if judgement != Judgement::Safe {
            return Ok(judgement);
        }
    }
    Ok(Judgement::Safe)
}

fn invariant(program: &Program, name: &str, text: &str, judge: Judge<'_>) -> Result<Judgement, Error> {
    let inlined = match inline(program, INLINE_LIMIT) {
        Ok(inlined) => inlined,
        Err(error) => return Ok(Judgement::Unknown(error.to_string())),
    };
    let mut terms = Terms::new();
    let proof =
        read_invariant(&mut terms, &inlined.program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(match check_invariant(&mut terms, &inlined.program, &proof, judge) {
        Ok(()) => Judgement::Safe,
        Err(rejection @ Rejection::Undecided { .. }) => undecided(rejection.to_string(), judge.budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    })
}

fn contracts(program: &Program, name: &str, text: &str, judge: Judge<'_>) -> Result<Judgement, Error> {
    let mut terms = Terms::new();
    let proof = read_summaries(&mut terms, program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(match check_summaries(&mut terms, program, &proof, judge) {
        Ok(()) => Judgement::Safe,
        Err(rejection @ SummaryRejection::Undecided { .. }) => undecided(rejection.to_string(), judge.budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    })
}

fn unwinding(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Error> {
    let proof = read_unwinding(program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(unwound(check_unwinding(program, &proof, budget), budget))
}

fn induction(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Error> {
    let inlined = match inline(program, INLINE_LIMIT) {
        Ok(inlined) => inlined,
        Err(error) => return Ok(Judgement::Unknown(error.to_string())),
    };
    let mut terms = Terms::new();
    let proof =
        read_induction(&mut terms, &inlined.program, text).map_err(|error| malformed(name, text, &error))?;
    Ok(unwound(check_induction(&mut terms, &inlined.program, &proof, budget), budget))
}

fn unwound(checked: Result<(), UnwindingRejection>, budget: &Budget) -> Judgement {
    match checked {
        Ok(()) => Judgement::Safe,
        Err(UnwindingRejection::Undecided(why)) => undecided(why, budget),
        Err(rejection) => Judgement::Invalid(rejection.to_string()),
    }
}

fn only_run(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Error> {
    read_run(program, text).map_err(|error| malformed(name, text, &error))?;
    let limits = limits(budget);
    Ok(match only_outcome(program, &limits) {
        Outcome::Returned(_) | Outcome::Ended(_) | Outcome::AssumptionFailed(_) => Judgement::Safe,
        Outcome::Stopped(reason) => Judgement::Unknown(reason.to_string()),
        outcome => Judgement::Invalid(format!("not the only run: {}", outcome.describe(program))),
    })
}

/// What a search took many rounds at once for is stepped through here, as far as that takes seconds.
fn limits(budget: &Budget) -> craig_exec::Limits {
    craig_exec::Limits { stepwise: 1 << 28, budget: budget.clone(), ..craig_exec::Limits::default() }
}

fn undecided(why: String, budget: &Budget) -> Judgement {
    Judgement::Unknown(budget.check().err().map_or(why, |reason| reason.to_string()))
}

pub(crate) fn malformed(name: &str, text: &str, error: &craig_term::smtlib::Error) -> Error {
    let place = error.position;
    Error::BadInput(source::render(name, text, place.line, place.column, &error.message))
}

fn test(program: &Program, name: &str, text: &str, budget: &Budget) -> Result<Judgement, Error> {
    let test = Test::parse(text)
        .map_err(|error| Error::BadInput(source::render(name, text, error.line as u32, 1, &error.message)))?;
    let limits = limits(budget);
    let run = replay(program, &test, &limits);
    Ok(match run.outcome {
        Outcome::ReachedError(_) => Judgement::Unsafe,
        Outcome::Stopped(reason) => Judgement::Unknown(reason.to_string()),
        outcome => {
            Judgement::Invalid(format!("the test does not reach the error: {}", outcome.describe(program)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::proof_text;
    use craig_base::Stats;
    use craig_certificate::Part;
    use craig_engines::{Engine, Proof, Verdict, verify};
    use craig_program::CheckKind;

    /// One check is proved by an unwinding, one by an invariant: the proof of both is in parts.
    #[test]
    fn proofs_in_parts() {
        let mut source = Source::text(
            "void reach_error(void); int nondet(void);
             int main(void) {
                 unsigned char c = nondet(), bits = 0;
                 for (int i = 0; i < 8; i++) bits += c >> i & 1;
                 if (bits > 8) reach_error();
                 int x = 0, y = 0;
                 while (nondet() && y < 1000) { x++; y++; }
                 if (x != y) reach_error();
                 return 0;
             }",
        );
        source.checks = vec![CheckKind::Error];
        let loaded = Loaded::new(&source).expect("a program");
        let (program, budget) = (&loaded.program, Budget::unlimited());
        assert_eq!(program.checks.len(), 2);
        let proof = |check: usize, engine| {
            let answer = verify(&program.with_checks(&[check]), engine, &budget, &mut Stats::default());
            let Verdict::Safe(proof) = answer else { panic!("check {check} is proved") };
            Part { checks: vec![check], proof: *proof }
        };
        let parts = vec![proof(0, Engine::Bits), proof(1, Engine::Pdr)];
        let (_, text) = proof_text(program, &Proof::Parts(parts));
        let judge = |text: &str| loaded.judge("proof", text, &budget, None);
        assert_eq!(judge(&text).ok(), Some(Judgement::Safe));
        // What is missing, and what is about something else, is no proof.
        let second = text.rfind("part ").expect("there are two parts");
        assert!(judge(&text[..second]).is_err());
        let one = text.replacen("about 1", "about 0", 1).replacen("about 0", "about 1", 1);
        assert!(!matches!(judge(&one), Ok(Judgement::Safe)));
        assert!(!matches!(
            judge(&text.replacen("about 0", "about 0 1", 1).replace("about 1\n", "about 0\n")),
            Ok(Judgement::Safe)
        ));
    }
}
