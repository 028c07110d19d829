//! `craig-difftest own|csmith FIRST COUNT` compares that many programs with gcc, `craig-difftest small FIRST
//! COUNT` compares the engines with all runs of small programs; `craig-difftest memory FIRST COUNT` compares programs
//! that move addresses about; `craig-difftest compare SEED FILE` compares a file as `own SEED` would; `craig-difftest floats FIRST COUNT SECONDS` compares computations with floating numbers,
//! executed and, if there are seconds, proved; `craig-difftest show own|csmith|small|memory|floats SEED` prints a program. `craig-difftest fuzz TARGET|all COUNT|SECONDSs
//! FOLDER...` gives mutated inputs to everything that reads, and keeps those that do harm in `fuzz-defects`;
//! `craig-difftest fuzz-replay TARGET SCRATCH FILE...` gives it inputs as they are.
//! `craig-difftest proofs FIRST COUNT TIMES` breaks proofs of small programs, each so many times, for the checker;
//! `craig-difftest answers FIRST VARIANTS TIMES FILE-OR-FOLDER...` does the same to refutations, models and derivations, of
//! that many variants of scripts and clauses; `craig-difftest meaning FIRST COUNT` compares the checker's meaning of programs with their runs.
//! `craig-difftest clauses FILE-OR-FOLDER...` takes programs to their Horn clauses, with times;
//! `craig-difftest library CALLS [PART [FILE]]` makes that many random calls of each function of the C library, or of those whose
//! names have this part, and compares the models with the system's library;
//! `craig-difftest growth` gives the front end programs of up to 20 MB.

use craig_difftest::answers::break_answers;
use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::compiler::is_available;
use craig_difftest::exhaustive::{SmallTask, Truth};
use craig_difftest::fuzz::target::{self, TARGETS, Target};
use craig_difftest::fuzz::{self, campaign};
use craig_difftest::generate::floats::Computation;
use craig_difftest::proofs::{Counts, break_proofs};
use craig_difftest::{floats, library, measure, memory};
use craig_program::DataModel;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time of each engine for a small program.
const SMALL: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["fuzz", rest @ ..] => return code(fuzz(rest)),
        ["fuzz-batch" | "fuzz-replay", ..] => return code(fuzz_part(&words).map(|()| ExitCode::SUCCESS)),
        // For mutated command lines.
        ["craig", ..] => return craig::cli::run(std::env::args_os().skip(1).collect()),
        ["clauses", paths @ ..] => return clauses(paths),
        ["growth"] => return growth(),
        ["library", calls] => return compare_library(calls, "", None),
        ["library", calls, part] => return compare_library(calls, part, None),
        ["library", calls, part, agreed] => return compare_library(calls, part, Some(Path::new(agreed))),
        ["proofs", numbers @ ..] => {
            return with_numbers(numbers, |[first, count, times]| proofs(first, count, times));
        }
        ["answers", first, variants, times, folders @ ..] => {
            return with_numbers(&[first, variants, times], |numbers| answers(numbers, folders));
        }
        ["compare", seed, file] => {
            return with_numbers(&[seed], |[seed]| compare_file(seed, Path::new(file)));
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
        "floats" => {
            return match numbers.as_deref() {
                Some(&[seed]) if show => {
                    print!("{}", Computation::numbered(seed).native());
                    ExitCode::SUCCESS
                }
                Some(&[first, count, seconds]) if !show => compare_floats(first, count, seconds),
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
    eprintln!("       craig-difftest compare SEED FILE");
    eprintln!("       craig-difftest floats FIRST COUNT SECONDS");
    eprintln!("       craig-difftest show own|csmith|small|memory|floats SEED");
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    eprintln!("       craig-difftest fuzz all|{} COUNT|SECONDSs FOLDER...", names.join("|"));
    eprintln!("       craig-difftest fuzz-replay TARGET SCRATCH FILE...");
    eprintln!("       craig-difftest proofs FIRST COUNT TIMES");
    eprintln!("       craig-difftest answers FIRST VARIANTS TIMES FILE-OR-FOLDER...");
    eprintln!("       craig-difftest meaning FIRST COUNT");
    eprintln!("       craig-difftest clauses FILE-OR-FOLDER...");
    eprintln!("       craig-difftest library CALLS [PART [FILE]]");
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
    let Counts { proofs, mutants, unreadable, rejected, accepted, wrong } = counts;
    println!(
        "{proofs} proofs, {mutants} mutants: {unreadable} unreadable, {rejected} rejected ({wrong} of programs that fail), {accepted} accepted and right, {defects} programs with defects"
    );
    if defects == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn answers([first, variants, times]: [u64; 3], folders: &[&str]) -> ExitCode {
    let files = measure::files_with(&folders.iter().map(PathBuf::from).collect::<Vec<_>>(), &["smt2"]);
    let texts: Vec<(String, Vec<u8>)> = files
        .iter()
        .filter_map(|file| Some((file.display().to_string(), std::fs::read(file).ok()?)))
        .collect();
    let mut defects = 0;
    let counts = break_answers(&texts, first, variants, times as usize, |what| {
        defects += 1;
        println!("{what}");
    });
    for kind in ["formulas", "clauses"] {
        let Counts { proofs, mutants, rejected, accepted, wrong, .. } =
            counts.get(kind).copied().unwrap_or_default();
        println!(
            "{kind}: {proofs} answers, {mutants} mutants: {rejected} rejected, {wrong} of them shown to be wrong, {accepted} accepted, none of them"
        );
    }
    println!("{defects} answers with defects");
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

/// One program in the place of the one with this number, as `craig reduce` asks about.
fn compare_file(seed: u64, file: &Path) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    let comparison = Task::numbered(Origin::Own, seed).compare_file(file, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    println!("{comparison:?}");
    if matches!(comparison, Comparison::Mismatch(_)) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn compare_small(first: u64, count: u64) -> ExitCode {
    let (mut safe, mut unsafe_, mut correct, mut unknown, mut skipped, mut wrong) = (0, 0, 0, 0, 0, 0);
    let (mut reached, mut dead) = (0, 0);
    for seed in first..first + count {
        let task = SmallTask::numbered(seed);
        match task.compare(SMALL) {
            Ok(Some(answers)) => {
                match answers.truth {
                    Truth::Safe => safe += 1,
                    Truth::Unsafe => unsafe_ += 1,
                }
                correct += answers.correct;
                reached += answers.reached;
                dead += answers.dead;
                unknown += answers.unknown.len();
                for reason in answers.unknown.iter().filter(|reason| reason.contains("rejected")) {
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
        "{safe} safe and {unsafe_} unsafe programs, {skipped} skipped: {correct} correct answers, {unknown} unknown, {wrong} wrong; {reached} branches reached, {dead} proved unreachable"
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare_memory(first: u64, count: u64) -> ExitCode {
    // Running is quick, deciding is not.
    compare_each(first, count, memory::model, |seed, folder| {
        memory::compare(seed, folder, (seed % 8 < 2).then_some(Duration::from_secs(2)))
    })
}

fn compare_floats(first: u64, count: u64, seconds: u64) -> ExitCode {
    let time = (seconds > 0).then_some(Duration::from_secs(seconds));
    compare_each(first, count, floats::model, |seed, folder| floats::compare(seed, folder, time))
}

fn compare_each(
    first: u64,
    count: u64,
    model: impl Fn(u64) -> DataModel,
    compare: impl Fn(u64, &Path) -> Result<memory::Answer, String>,
) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    let missing: Vec<DataModel> = [DataModel::Lp64, DataModel::Ilp32]
        .into_iter()
        .filter(|&model| !is_available(model, &folder))
        .collect();
    let (mut agree, mut unknown, mut skipped, mut wrong) = (0, 0, 0, 0);
    for seed in first..first + count {
        if missing.contains(&model(seed)) {
            skipped += 1;
            continue;
        }
        match compare(seed, &folder) {
            Ok(memory::Answer::Agreed) => agree += 1,
            Ok(memory::Answer::Unknown(_)) => unknown += 1,
            Err(what) => {
                wrong += 1;
                println!("{seed}: {what}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{agree} agree, {unknown} not decided by the engine, {skipped} skipped, {wrong} wrong");
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

/// Compares the functions with `part` in their names; those that the file `agreed` lists have agreed before, and others
/// that agree are added to it, so that a comparison of days can be stopped and go on.
fn compare_library(calls: &str, part: &str, agreed: Option<&Path>) -> ExitCode {
    let Ok(calls) = calls.parse() else { return usage() };
    let before = agreed.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    let (mut agree, mut wrong) = (0, 0);
    let line = |comparison: &library::Comparison| format!("{calls} {}", comparison.names);
    for comparison in library::comparisons().iter().filter(|comparison| comparison.names.contains(part)) {
        if before.lines().any(|known| known == line(comparison)) {
            agree += 1;
            continue;
        }
        let start = Instant::now();
        let result = comparison.run(&folder, calls, 1);
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                agree += 1;
                println!("{}: {calls} calls, {seconds:.1} s", comparison.names);
                if let Some(file) = agreed
                    && let Err(error) = append(file, &line(comparison))
                {
                    eprintln!("{}: {error}", file.display());
                    return ExitCode::FAILURE;
                }
            }
            Err(what) => {
                wrong += 1;
                println!("{}: DIFFERS: {what}", comparison.names);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{agree} agree, {wrong} differ; {} functions are compared", library::functions().len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn append(file: &Path, line: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    writeln!(file, "{line}")
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
                measure::memory_mb("VmHWM:")
            ),
            Err(why) => {
                println!("{} bytes: {seconds:.2} s: {}", passage.bytes, why.lines().next().unwrap_or(""));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// `TARGET|all COUNT|SECONDSs FOLDER...`. A number makes the same mutants every time, a time others.
fn fuzz(words: &[&str]) -> Result<ExitCode, String> {
    let [name, amount, folders @ ..] = words else { return Ok(usage()) };
    let targets: Vec<&Target> = match *name {
        "all" => TARGETS.iter().collect(),
        name => vec![target::named(name).ok_or_else(|| format!("there is no target {name}"))?],
    };
    let seconds = amount.strip_suffix('s');
    let Ok(amount) = seconds.unwrap_or(amount).parse::<u64>() else { return Ok(usage()) };
    let seed = match seconds {
        Some(_) => std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs() * 1000),
        None => 0,
    };
    let mut harmful = 0;
    for &target in &targets {
        let start = Instant::now();
        for what in campaign::regressions(target)? {
            harmful += 1;
            println!("{what}");
        }
        let plan = campaign::Plan {
            seed,
            count: if seconds.is_some() { u64::MAX } else { (amount / target.cost).max(1) },
            time: if seconds.is_some() { Duration::from_secs(amount) } else { Duration::MAX },
            folders: folders.iter().map(PathBuf::from).collect(),
            defects: PathBuf::from("fuzz-defects"),
        };
        let outcome = campaign::run(target, &plan)?;
        for (path, what) in &outcome.defects {
            harmful += 1;
            println!("{}: {what}", path.display());
        }
        println!(
            "{}: {} mutants, {} of them more than refused, {} defects, {:.1} s",
            target.name,
            outcome.mutants,
            outcome.accepted,
            outcome.defects.len(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(if harmful == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a campaign starts: a batch of mutants, or the replay of inputs.
fn fuzz_part(words: &[&str]) -> Result<(), String> {
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word} is no number"));
    let named = |name| target::named(name).ok_or_else(|| format!("there is no target {name}"));
    match words {
        ["fuzz-batch", name, seed, count, milliseconds, scratch, folders @ ..] => {
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            let time = Duration::from_millis(number(milliseconds)?);
            fuzz::batch(named(name)?, number(seed)?, number(count)?, time, Path::new(scratch), &folders)
        }
        ["fuzz-replay", name, scratch, files @ ..] => fuzz::replay(named(name)?, files, Path::new(scratch)),
        _ => Err("see `craig-difftest` without arguments".to_string()),
    }
}

fn code(result: Result<ExitCode, String>) -> ExitCode {
    result.unwrap_or_else(|what| {
        eprintln!("{what}");
        ExitCode::FAILURE
    })
}
