//! `craig-difftest own|csmith FIRST COUNT` compares that many programs with gcc, `craig-difftest small FIRST
//! COUNT` compares the engines with all runs of small programs; `craig-difftest show own|csmith|small SEED`
//! prints a program.

use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::exhaustive::{SmallTask, Truth};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (show, words) = match words.as_slice() {
        ["show", rest @ ..] => (true, rest.to_vec()),
        rest => (false, rest.to_vec()),
    };
    let Some((what, numbers)) = words.split_first() else { return usage() };
    let numbers: Option<Vec<u64>> = numbers.iter().map(|word| word.parse().ok()).collect();
    let origin = match *what {
        "own" => Origin::Own,
        "csmith" => Origin::Csmith,
        "small" => {
            return match numbers.as_deref() {
                Some(&[seed]) if show => {
                    print!("{}", SmallTask::numbered(seed).source());
                    ExitCode::SUCCESS
                }
                Some(&[first, count]) if !show => compare_small(first, count),
                _ => usage(),
            };
        }
        _ => return usage(),
    };
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
    eprintln!("usage: craig-difftest own|csmith|small FIRST COUNT");
    eprintln!("       craig-difftest show own|csmith|small SEED");
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

fn compare_small(first: u64, count: u64) -> ExitCode {
    let (mut safe, mut unsafe_, mut correct, mut unknown, mut skipped, mut wrong) = (0, 0, 0, 0, 0, 0);
    for seed in first..first + count {
        let task = SmallTask::numbered(seed);
        match task.compare(Duration::from_secs(2)) {
            Ok(Some(answers)) => {
                match answers.truth {
                    Truth::Safe => safe += 1,
                    Truth::Unsafe => unsafe_ += 1,
                }
                correct += answers.correct;
                unknown += answers.unknown.len();
                for reason in answers.unknown {
                    println!("{seed} {:?}: {reason}", answers.truth);
                }
            }
            Ok(None) => skipped += 1,
            Err(what) => {
                wrong += 1;
                println!("{seed} {:?} {:?}: {what}", task.model, task.arithmetic);
            }
        }
    }
    println!(
        "{safe} safe and {unsafe_} unsafe programs, {skipped} skipped: {correct} correct answers, {unknown} unknown, {wrong} wrong"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
