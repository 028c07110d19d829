//! How large the unwindings of C programs are, and how long search and proof take, in seconds of wall time:
//! `unwind SECONDS FILE.c...`, LP64 programs that need no preprocessor but for the standard headers.

use craig_base::{Budget, Stats, Stopwatch};
use craig_bits::unwind::{Answer, check};
use craig_certificate::{Bounds, Obligation};
use std::process::Command;
use std::time::Duration;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let limit = arguments.next().and_then(|limit| limit.parse().ok()).unwrap_or(60);
    for path in arguments {
        println!("{path}: {}", report(&path, limit));
    }
}

fn report(path: &str, limit: u64) -> String {
    let text = match Command::new("cpp").arg("-P").arg(path).output() {
        Ok(output) => output.stdout,
        Err(error) => return error.to_string(),
    };
    let options = craig_cfront::lower::Options::default();
    let model = craig_cfront::types::DataModel::Lp64;
    let loaded = craig_cfront::load_texts(vec![(path.to_string(), text)], model, &options);
    let Some(program) = loaded.program else { return loaded.diagnostics.render(&loaded.sources) };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(limit));
    let mut stats = Stats::default();
    let watch = Stopwatch::start();
    let answer = check(&program, &budget, &mut stats);
    let searched = format!("{:.2} s, {stats:?}", watch.elapsed().as_secs_f64());
    let reached = match answer {
        Answer::Safe(reached) => reached,
        Answer::Unsafe(_) => return format!("unsafe after {searched}"),
        Answer::NotReplayed(why) => return format!("not replayed, {why}, after {searched}"),
        Answer::Unknown(why) => return format!("unknown, {why}, after {searched}"),
    };
    let bounds = Bounds {
        loops: reached.iterations,
        calls: reached.depths,
        object: reached.largest,
        never: reached.never,
    };
    let watch = Stopwatch::start();
    let obligation = match Obligation::new(&program, &bounds, &budget) {
        Ok(obligation) => obligation,
        Err(why) => return format!("no proof, {why}, after {searched}"),
    };
    let size = format!("{} variables and {} clauses", obligation.variables, obligation.clauses.len());
    let refuted = craig_sat::refute(obligation.variables, &obligation.clauses, 1 << 26, &budget);
    let accepted = match refuted {
        Ok(Some(proof)) => obligation.check(&proof.lrat()).is_ok(),
        _ => return format!("safe after {searched}, not refuted: {size}"),
    };
    let seconds = watch.elapsed().as_secs_f64();
    format!("safe after {searched}; proof accepted ({accepted}) after {seconds:.2} s, {size}")
}
