//! `craig-difftest [own|csmith] FIRST COUNT`: compares that many programs; `craig-difftest show own|csmith SEED`
//! prints one.

use craig_difftest::compare::{Comparison, Origin, Task};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (show, words) = match words.as_slice() {
        ["show", rest @ ..] => (true, rest.to_vec()),
        rest => (false, rest.to_vec()),
    };
    let origin = match words.first() {
        Some(&"own") => Origin::Own,
        Some(&"csmith") => Origin::Csmith,
        _ => return usage(),
    };
    let numbers: Option<Vec<u64>> = words[1..].iter().map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[seed]) if show => match Task::numbered(origin, seed).source(&std::env::temp_dir()) {
            Ok(source) => {
                print!("{source}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        Some(&[first, count]) if !show => compare_all(origin, first, count),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: craig-difftest own|csmith FIRST COUNT\n       craig-difftest show own|csmith SEED");
    ExitCode::from(64)
}

fn compare_all(origin: Origin, first: u64, count: u64) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    let (mut agree, mut skipped, mut mismatches) = (0, 0, 0);
    for seed in first..first + count {
        let task = Task::numbered(origin, seed);
        match task.compare(&folder) {
            Comparison::Agree => agree += 1,
            Comparison::Skipped(why) => {
                skipped += 1;
                println!("{seed} {:?} {:?}: skipped: {why}", task.model, task.semantics);
            }
            Comparison::Mismatch(what) => {
                mismatches += 1;
                println!("{seed} {:?} {:?}: MISMATCH: {what}", task.model, task.semantics);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{agree} agree, {skipped} skipped, {mismatches} mismatches");
    if mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
