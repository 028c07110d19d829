//! `craig-difftest own|csmith FIRST COUNT` compares that many programs with gcc, `craig-difftest small FIRST
//! COUNT` compares the engines with all runs of small programs; `craig-difftest memory FIRST COUNT` compares programs
//! that move addresses about; `craig-difftest show own|csmith|small|memory SEED` prints a program. `craig-difftest fuzz SECONDS FOLDER...` gives mutants of the programs in the folders to
//! the front end, and keeps those that do harm in `fuzz-defects`.
//! `craig-difftest proofs FIRST COUNT TIMES` breaks proofs of small programs, each so many times, for the checker;
//! `craig-difftest meaning FIRST COUNT` compares the checker's meaning of programs with their runs.
//! `craig-difftest clauses FILE-OR-FOLDER...` takes programs to their Horn clauses, with times;
//! `craig-difftest growth` gives the front end programs of up to 20 MB.

use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::exhaustive::{SmallTask, Truth};
use craig_difftest::fuzz::{Fate, Fuzzer};
use craig_difftest::proofs::{Counts, break_proofs};
use craig_difftest::{measure, memory};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["fuzz", seconds, folders @ ..] = words.as_slice() {
        return match seconds.parse() {
            Ok(seconds) => fuzz(Duration::from_secs(seconds), folders),
            Err(_) => usage(),
        };
    }
    match words.as_slice() {
        ["clauses", paths @ ..] => return clauses(paths),
        ["growth"] => return growth(),
        ["proofs", numbers @ ..] => {
            return with_numbers(numbers, |[first, count, times]| proofs(first, count, times));
        }
        ["meaning", numbers @ ..] => return with_numbers(numbers, |[first, count]| meaning(first, count)),
        _ => {}
    }
    let (show, words) = match words.as_slice() {
        ["show", rest @ ..] => (true, rest.to_vec()),
        rest => (false, rest.to_vec()),
    };
    let Some((what, numbers)) = words.split_first() else { return usage() };
    let numbers: Option<Vec<u64>> = numbers.iter().map(|word| word.parse().ok()).collect();
    let origin = match *what {
        "own" => Origin::Own,
        "csmith" => Origin::Csmith,
        "memory" => {
            return match numbers.as_deref() {
                Some(&[seed]) if show => {
                    print!("{}", craig_difftest::generate::memory::program(seed).text);
                    ExitCode::SUCCESS
                }
                Some(&[first, count]) if !show => compare_memory(first, count),
                _ => usage(),
            };
        }
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
    eprintln!("usage: craig-difftest own|csmith|small|memory FIRST COUNT");
    eprintln!("       craig-difftest show own|csmith|small|memory SEED");
    eprintln!("       craig-difftest fuzz SECONDS FOLDER...");
    eprintln!("       craig-difftest proofs FIRST COUNT TIMES");
    eprintln!("       craig-difftest meaning FIRST COUNT");
    eprintln!("       craig-difftest clauses FILE-OR-FOLDER...");
    eprintln!("       craig-difftest growth");
    ExitCode::from(64)
}

fn with_numbers<const N: usize>(words: &[&str], run: impl FnOnce([u64; N]) -> ExitCode) -> ExitCode {
    let numbers: Option<Vec<u64>> = words.iter().map(|word| word.parse().ok()).collect();
    match numbers.and_then(|numbers| numbers.try_into().ok()) {
        Some(numbers) => run(numbers),
        None => usage(),
    }
}

fn proofs(first: u64, count: u64, times: u64) -> ExitCode {
    let mut counts = Counts::default();
    let mut defects = 0;
    for seed in first..first + count {
        match break_proofs(seed, times as usize) {
            Ok(more) => counts.add(more),
            Err(what) => {
                defects += 1;
                println!("{seed}: {what}");
            }
        }
    }
    let Counts { proofs, mutants, unreadable, rejected, accepted, of_unsafe } = counts;
    println!(
        "{proofs} proofs, {mutants} mutants: {unreadable} unreadable, {rejected} rejected ({of_unsafe} of programs that \
         fail), {accepted} accepted and right, {defects} programs with defects"
    );
    if defects == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn meaning(first: u64, count: u64) -> ExitCode {
    let (mut segments, mut defects) = (0, 0);
    for seed in first..first + count {
        match craig_difftest::meaning::check_random_program(seed) {
            Ok(checked) => segments += checked,
            Err(what) => {
                defects += 1;
                println!("{seed}: {what}");
            }
        }
    }
    println!(
        "{count} programs, {segments} segments are possible for the checker; {defects} programs with defects"
    );
    if defects == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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

fn compare_memory(first: u64, count: u64) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    let (mut agree, mut unknown, mut wrong) = (0, 0, 0);
    for seed in first..first + count {
        // Running is quick, deciding is not.
        let time = (seed % 8 < 2).then_some(Duration::from_secs(2));
        match memory::compare(seed, &folder, time) {
            Ok(memory::Answer::Agreed) => agree += 1,
            Ok(memory::Answer::Unknown(_)) => unknown += 1,
            Err(what) => {
                wrong += 1;
                println!("{seed} {:?}: {what}", memory::model(seed));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{agree} agree, {unknown} not decided by the engine, {wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn clauses(paths: &[&str]) -> ExitCode {
    let files = measure::c_files(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
    let (mut through, mut slowest, mut slowest_clauses) = (0, Duration::ZERO, Duration::ZERO);
    for file in &files {
        let passage = measure::pass(file);
        slowest = slowest.max(passage.front_end);
        slowest_clauses = slowest_clauses.max(passage.to_clauses);
        let result = match &passage.clauses {
            Ok(count) => {
                through += 1;
                format!("{count} clauses")
            }
            Err(why) => why.clone(),
        };
        println!(
            "{}: {} bytes, front end {:.0} ms, clauses {:.0} ms: {result}",
            file.display(),
            passage.bytes,
            passage.front_end.as_secs_f64() * 1000.0,
            passage.to_clauses.as_secs_f64() * 1000.0
        );
    }
    println!(
        "{through} of {} programs reach the Horn clauses; slowest front end {:.2} s, slowest clauses {:.2} s",
        files.len(),
        slowest.as_secs_f64(),
        slowest_clauses.as_secs_f64()
    );
    if through == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn growth() -> ExitCode {
    for bytes in [1_250_000, 2_500_000, 5_000_000, 10_000_000, 20_000_000] {
        let passage = measure::front_end_on(bytes);
        let seconds = passage.front_end.as_secs_f64();
        match passage.clauses {
            Ok(edges) => println!(
                "{} bytes: {seconds:.2} s, {:.2} us per byte, {edges} edges, at most {} MB",
                passage.bytes,
                seconds * 1e6 / passage.bytes as f64,
                peak_memory_mb()
            ),
            Err(why) => {
                println!("{} bytes: {seconds:.2} s: {}", passage.bytes, why.lines().next().unwrap_or(""));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn fuzz(time: Duration, folders: &[&str]) -> ExitCode {
    let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let defects = Path::new("fuzz-defects");
    let start = Instant::now();
    // Another seed in every session, which its name in the folder of defects tells.
    let seed = std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs());
    let mut fuzzer = Fuzzer::new(seed, &folders);
    let (mut accepted, mut refused, mut found) = (0u64, 0u64, 0u64);
    while start.elapsed() < time {
        match fuzzer.step() {
            Fate::Accepted => accepted += 1,
            Fate::Refused => refused += 1,
            Fate::Defect(mutant, what) => {
                found += 1;
                let path = defects.join(format!("{seed}-{found}.i"));
                let kept = std::fs::create_dir_all(defects).and_then(|()| std::fs::write(&path, mutant));
                println!("{}: {what}{}", path.display(), if kept.is_err() { " (not kept)" } else { "" });
            }
        }
    }
    let memory = peak_memory_mb();
    println!(
        "{:.0} s: {accepted} mutants accepted, {refused} refused, {found} defects; at most {memory} MB",
        start.elapsed().as_secs_f64()
    );
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The most memory that this process has had, where the system says it.
fn peak_memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
