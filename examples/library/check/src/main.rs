//! Checks a C program, prints what is wrong with it or why nothing is, and has the proof checked again.

use craig::{Judgement, Limits, Loaded, Options, Source, Verdict};
use std::time::Duration;

const RIGHT: &str = "
extern int nondet(void);
extern void reach_error(void);
int main(void) {
    int buffer[8], n = 0;
    while (n < 8 && nondet()) { buffer[n] = 1; n = n + 1; }
    if (n > 8) reach_error();
    return 0;
}";

fn main() -> Result<(), craig::Error> {
    let options = Options { limits: Limits::timeout(Duration::from_secs(60)), ..Options::default() };
    for (text, expected) in [
        (RIGHT.to_string(), Verdict::Safe),
        (RIGHT.replace("n < 8 &&", "n <= 8 &&"), Verdict::Unsafe),
    ] {
        let program = Loaded::new(&Source::text(text))?;
        let report = program.check(&options)?;
        println!("{} by {} in {:.2?}", report.verdict.word(), report.engine, report.time);
        for check in report.checks.iter().filter(|check| check.verdict != Verdict::Safe) {
            let line = check.location.as_ref().map_or(0, |location| location.line);
            println!("  line {line}: {}: {}", check.kind.name(), check.words);
        }
        for invariant in &report.invariants {
            println!("  line {}: {}", invariant.location.line, invariant.expression);
        }
        assert_eq!(report.verdict, expected);
        let certificate = report.certificate.expect("every answer has one");
        let judgement = program.validate("certificate", &certificate.text, &options.limits)?;
        assert!(matches!(judgement, Judgement::Safe | Judgement::Unsafe), "{judgement:?}");
    }
    Ok(())
}
