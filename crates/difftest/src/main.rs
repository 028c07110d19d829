//! Campaigns of all kinds, and single commands for those who look into what they found; without arguments it lists them.

use craig_difftest::answers::break_answers;
use craig_difftest::campaign::{self, Counts};
use craig_difftest::compare::{Comparison, Origin, Task};
use craig_difftest::fuzz::target::{self, TARGETS, Target};
use craig_difftest::fuzz::{self, campaign as mutants};
use craig_difftest::kinds::{Kind, Tools, kinds};
use craig_difftest::{library, measure};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What a command makes of its words: whether all is well, or what is wrong with them.
type Outcome = Result<bool, String>;

struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&[&str]) -> Outcome,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "campaign",
        usage: "SECONDS COUNTS [KIND...]",
        about: "all kinds, or these, by turns, with new numbers; the file COUNTS adds up",
        run: run_campaign,
    },
    Command { name: "table", usage: "COUNTS", about: "what campaigns have done, as a table", run: table },
    Command {
        name: "cases",
        usage: "KIND FIRST COUNT",
        about: "the cases of a kind with these numbers",
        run: cases,
    },
    Command {
        name: "show",
        usage: "KIND NUMBER",
        about: "the program or script with this number",
        run: show,
    },
    Command {
        name: "compare",
        usage: "NUMBER FILE",
        about: "a file in the place of the program `own` of this number, for `craig reduce`",
        run: compare,
    },
    Command {
        name: "answers",
        usage: "FIRST VARIANTS TIMES FILE-OR-FOLDER...",
        about: "breaks refutations, models and derivations, of so many variants of scripts and clauses",
        run: answers,
    },
    Command {
        name: "fuzz",
        usage: "all|TARGET COUNT|SECONDSs FOLDER...",
        about: "mutated inputs for everything that reads; keeps those that do harm in `fuzz-defects`",
        run: fuzz,
    },
    Command {
        name: "fuzz-replay",
        usage: "TARGET SCRATCH FILE...",
        about: "gives a target inputs as they are",
        run: replay,
    },
    Command {
        name: "library",
        usage: "CALLS [PART [FILE]]",
        about: "random calls of the C library, or of functions with this part in their names; FILE has those that agreed",
        run: compare_library,
    },
    Command {
        name: "clauses",
        usage: "FILE-OR-FOLDER...",
        about: "takes programs to their Horn clauses, with times",
        run: clauses,
    },
    Command { name: "growth", usage: "", about: "gives the front end programs of up to 20 MB", run: growth },
    // What other commands start.
    Command { name: "fuzz-batch", usage: "", about: "", run: batch },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // For mutated command lines.
    if words.first() == Some(&"craig") {
        return craig::cli::run(std::env::args_os().skip(1).collect());
    }
    let found = words.split_first().and_then(|(name, rest)| {
        COMMANDS.iter().find(|command| command.name == *name).map(|command| (command, rest))
    });
    let Some((command, rest)) = found else {
        usage();
        return ExitCode::from(64);
    };
    match (command.run)(rest) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::from(64)
        }
    }
}

fn usage() {
    for Command { name, usage, about, .. } in COMMANDS.iter().filter(|command| !command.about.is_empty()) {
        eprintln!("craig-difftest {name} {usage}\n    {about}");
    }
    let names: Vec<String> = kinds().into_iter().map(|kind| kind.name).collect();
    eprintln!("kinds: {}", names.join(", "));
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    eprintln!("targets: {}", names.join(", "));
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{word} is no number"))
}

fn wrong_words<T>() -> Result<T, String> {
    Err("craig-difftest without arguments says what commands want".to_string())
}

fn named(name: &str) -> Result<Kind, String> {
    kinds().into_iter().find(|kind| kind.name == name).ok_or_else(|| format!("there is no kind {name}"))
}

/// A folder that is gone after its use.
fn scratch() -> PathBuf {
    std::env::temp_dir().join(format!("craig-difftest-{}", std::process::id()))
}

fn tools() -> Result<Tools, String> {
    Tools::new(scratch()).map_err(|error| format!("{}: {error}", scratch().display()))
}

fn run_campaign(words: &[&str]) -> Outcome {
    let [seconds, path, names @ ..] = words else { return wrong_words() };
    let kinds = match names {
        [] => kinds(),
        names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
    };
    let mut tell = |kind: &Kind, tally: &craig_difftest::kinds::Tally| {
        tally.defects.iter().for_each(|what| println!("{}: {what}", kind.name));
        println!("{}", tally.describe(kind));
    };
    let time = Duration::from_secs(number(seconds)?);
    let defects = campaign::run(&kinds, time, Path::new(path), &mut tools()?, &mut tell)?;
    print!("{}", Counts::read(Path::new(path))?.table(&kinds));
    Ok(defects == 0)
}

fn table(words: &[&str]) -> Outcome {
    let &[path] = words else { return wrong_words() };
    print!("{}", Counts::read(Path::new(path))?.table(&kinds()));
    Ok(true)
}

fn cases(words: &[&str]) -> Outcome {
    let &[name, first, count] = words else { return wrong_words() };
    let (kind, first, count) = (named(name)?, number(first)?, number(count)?);
    let tally = kind.run(first..first + count, &mut tools()?);
    tally.defects.iter().for_each(|what| println!("{what}"));
    println!("{}", tally.describe(&kind));
    Ok(tally.defects.is_empty())
}

fn show(words: &[&str]) -> Outcome {
    let &[name, seed] = words else { return wrong_words() };
    print!("{}", named(name)?.source(number(seed)?, &std::env::temp_dir())?);
    Ok(true)
}

fn compare(words: &[&str]) -> Outcome {
    let &[seed, file] = words else { return wrong_words() };
    let folder = tools()?.compilers;
    let comparison = Task::numbered(Origin::Own, number(seed)?).compare_file(Path::new(file), &folder.folder);
    println!("{comparison:?}");
    Ok(!matches!(comparison, Comparison::Mismatch(_)))
}

fn answers(words: &[&str]) -> Outcome {
    let [first, variants, times, folders @ ..] = words else { return wrong_words() };
    let (first, variants, times) = (number(first)?, number(variants)?, number(times)? as usize);
    let files = measure::files_with(&folders.iter().map(PathBuf::from).collect::<Vec<_>>(), &["smt2"]);
    let texts: Vec<(String, Vec<u8>)> = files
        .iter()
        .filter_map(|file| Some((file.display().to_string(), std::fs::read(file).ok()?)))
        .collect();
    let mut defects = 0;
    let counts = break_answers(&texts, first, variants, times, |what| {
        defects += 1;
        println!("{what}");
    });
    for (kind, counts) in counts {
        println!("{kind}: {counts:?}");
    }
    println!("{defects} answers with defects");
    Ok(defects == 0)
}

fn clauses(paths: &[&str]) -> Outcome {
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
    Ok(through == files.len())
}

/// Compares the functions with `part` in their names; those that the file `agreed` lists have agreed before, and others
/// that agree are added to it, so that a comparison of days can be stopped and go on.
fn compare_library(words: &[&str]) -> Outcome {
    let [calls, rest @ ..] = words else { return wrong_words() };
    let (calls, part) = (number(calls)?, rest.first().copied().unwrap_or_default());
    let agreed = rest.get(1).map(Path::new);
    let before = agreed.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let tools = tools()?;
    let folder = &tools.compilers.folder;
    let (mut agree, mut wrong) = (0, 0);
    let line = |comparison: &library::Comparison| format!("{calls} {}", comparison.names);
    for comparison in library::comparisons().iter().filter(|comparison| comparison.names.contains(part)) {
        if before.lines().any(|known| known == line(comparison)) {
            agree += 1;
            continue;
        }
        let start = Instant::now();
        let result = comparison.run(folder, calls as usize, 1);
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                agree += 1;
                println!("{}: {calls} calls, {seconds:.1} s", comparison.names);
                if let Some(file) = agreed {
                    append(file, &line(comparison))
                        .map_err(|error| format!("{}: {error}", file.display()))?;
                }
            }
            Err(what) => {
                wrong += 1;
                println!("{}: DIFFERS: {what}", comparison.names);
            }
        }
    }
    println!("{agree} agree, {wrong} differ; {} functions are compared", library::functions().len());
    Ok(wrong == 0)
}

fn append(file: &Path, line: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    writeln!(file, "{line}")
}

fn growth(_: &[&str]) -> Outcome {
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
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// `TARGET|all COUNT|SECONDSs FOLDER...`. A number makes the same mutants every time, a time others.
fn fuzz(words: &[&str]) -> Outcome {
    let [name, amount, folders @ ..] = words else { return wrong_words() };
    let targets: Vec<&Target> = match *name {
        "all" => TARGETS.iter().collect(),
        name => vec![target_named(name)?],
    };
    let seconds = amount.strip_suffix('s');
    let amount = number(seconds.unwrap_or(amount))?;
    let seed = match seconds {
        Some(_) => std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs() * 1000),
        None => 0,
    };
    let mut harmful = 0;
    for &target in &targets {
        let start = Instant::now();
        for what in mutants::regressions(target)? {
            harmful += 1;
            println!("{what}");
        }
        let plan = mutants::Plan {
            seed,
            count: if seconds.is_some() { u64::MAX } else { (amount / target.cost).max(1) },
            time: if seconds.is_some() { Duration::from_secs(amount) } else { Duration::MAX },
            folders: folders.iter().map(PathBuf::from).collect(),
            defects: PathBuf::from("fuzz-defects"),
        };
        let outcome = mutants::run(target, &plan)?;
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
    Ok(harmful == 0)
}

fn target_named(name: &str) -> Result<&'static Target, String> {
    target::named(name).ok_or_else(|| format!("there is no target {name}"))
}

/// A batch of mutants, in a process of its own.
fn batch(words: &[&str]) -> Outcome {
    let [name, seed, count, milliseconds, scratch, folders @ ..] = words else { return wrong_words() };
    let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let time = Duration::from_millis(number(milliseconds)?);
    let (seed, count) = (number(seed)?, number(count)?);
    fuzz::batch(target_named(name)?, seed, count, time, Path::new(scratch), &folders).map(|()| true)
}

fn replay(words: &[&str]) -> Outcome {
    let [name, scratch, files @ ..] = words else { return wrong_words() };
    fuzz::replay(target_named(name)?, files, Path::new(scratch)).map(|()| true)
}
