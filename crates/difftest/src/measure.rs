//! Measurements of the way from C text to Horn clauses.

use crate::generate;
use craig_base::{Budget, CancelToken};
use craig_cfront::preprocess::{Options, preprocess};
use craig_cfront::types::DataModel;
use craig_cfront::{load_texts, lower};
use craig_engines::horn::of_program;
use craig_program::Program;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// For the clauses of one program.
const TIME_FOR_CLAUSES: Duration = Duration::from_secs(60);

/// How one program came through.
pub struct Passage {
    pub bytes: usize,
    /// Reading, checking and lowering.
    pub front_end: Duration,
    pub to_clauses: Duration,
    /// The number of clauses, or where and why there are none.
    pub clauses: Result<usize, String>,
}

/// Takes a program all the way, with the sizes that the benchmarks assume (ILP32).
pub fn pass(path: &Path) -> Passage {
    let options = Options::new(DataModel::Ilp32);
    let text = match preprocess(path, &options) {
        Ok(text) => text,
        Err(error) => return failed(0, Duration::ZERO, error.to_string()),
    };
    let bytes = text.len();
    let start = Instant::now();
    let texts = vec![(path.display().to_string(), text)];
    let loaded = load_texts(texts, options.model, &lower::Options::default());
    let front_end = start.elapsed();
    let Some(program) = loaded.program else {
        return failed(bytes, front_end, loaded.diagnostics.render(&loaded.sources));
    };
    let start = Instant::now();
    let clauses = clauses(&program);
    Passage { bytes, front_end, to_clauses: start.elapsed(), clauses }
}

fn failed(bytes: usize, front_end: Duration, why: String) -> Passage {
    Passage { bytes, front_end, to_clauses: Duration::ZERO, clauses: Err(why) }
}

/// The clauses of the inlined view, or of the procedural one where calls cannot be inlined.
fn clauses(program: &Program) -> Result<usize, String> {
    let budget = Budget::unlimited().with_timeout(TIME_FOR_CLAUSES);
    let (_, system) = of_program(program, &budget).map_err(|reason| reason.to_string())?;
    Ok(system.clauses.len())
}

/// The front end on one program of about this many bytes, all of which can be reached from `main`.
pub fn front_end_on(bytes: usize) -> Passage {
    let text = generate::long_program(7, bytes).replace("__SIZE_TYPE__", "unsigned int").into_bytes();
    let bytes = text.len();
    let start = Instant::now();
    let texts = vec![("long.i".to_string(), text)];
    let loaded = load_texts(texts, DataModel::Ilp32, &lower::Options::default());
    let front_end = start.elapsed();
    match loaded.program {
        Some(program) => Passage {
            bytes,
            front_end,
            to_clauses: Duration::ZERO,
            clauses: Ok(program.procs.iter().map(|proc| proc.edges.len()).sum()),
        },
        None => failed(bytes, front_end, loaded.diagnostics.render(&loaded.sources)),
    }
}

/// All C files in folders, and files as they are given.
pub fn c_files(paths: &[PathBuf]) -> Vec<PathBuf> {
    files_with(paths, &["c", "i"])
}

/// All files in folders whose names end so, and files as they are given.
pub fn files_with(paths: &[PathBuf], extensions: &[&str]) -> Vec<PathBuf> {
    let fits = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    };
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = pending.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => pending.extend(
                entries.flatten().map(|entry| entry.path()).filter(|inner| inner.is_dir() || fits(inner)),
            ),
            Err(_) => found.push(path),
        }
    }
    found.sort();
    found
}

/// A line of what the system says about the memory of this process (`VmRSS:`, `VmHWM:`), in megabytes, where it does.
pub fn memory_mb(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|found| found.strip_prefix(line));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// What all threads of this process have used of the processor, where the system says it.
pub fn processor_time() -> Duration {
    ticks(2)
}

/// The same, and what processes have used that it started and that have ended.
pub fn processor_time_of_all() -> Duration {
    ticks(4)
}

/// Of user and system time, of this process and of those that it started, the first so many.
fn ticks(times: usize) -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name of the program, which ends with the last parenthesis, from the third field on.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(times).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// How long a computation may take at most for each second of the processor: on a busy machine it waits.
const WAITING: u32 = 50;

/// A computation with a budget that ends when this process has used so much of the processor, however busy the machine is.
pub fn with_processor_time<T>(limit: Duration, compute: impl FnOnce(&Budget) -> T) -> T {
    let token = CancelToken::default();
    let budget = Budget::unlimited().with_timeout(limit * WAITING).with_cancel(token.clone());
    let before = processor_time();
    let (done, ended) = std::sync::mpsc::channel::<()>();
    let watcher = std::thread::spawn(move || {
        while ended.recv_timeout(Duration::from_millis(4)) == Err(RecvTimeoutError::Timeout) {
            if processor_time().saturating_sub(before) >= limit {
                return token.cancel();
            }
        }
    });
    let result = compute(&budget);
    drop(done);
    let _ = watcher.join();
    result
}
