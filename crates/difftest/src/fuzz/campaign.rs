//! Campaigns: batches, each in a process of its own, and what is left of those that end early.

use super::target::Target;
use super::{Input, corpus};
use craig::reduce::{Interest, reduce};
use craig_base::{OrderedMap, Set};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a campaign may use.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    /// Mutants of the target, at most.
    pub count: u64,
    pub time: Duration,
    /// Files of the user.
    pub folders: Vec<PathBuf>,
    /// Where harmful inputs are kept.
    pub defects: PathBuf,
}

/// What came of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub mutants: u64,
    /// Those that were more than refused.
    pub accepted: u64,
    /// Files with harmful inputs, and what each does.
    pub defects: OrderedMap<PathBuf, String>,
}

/// Mutants for one process; then the corpus is as at the beginning again.
const BATCH: u64 = 20_000;
/// After so many different defects a target is left to whoever mends them.
const MAX_DEFECTS: usize = 20;
/// For making an input smaller.
const REDUCTION: Duration = Duration::from_secs(120);

/// Runs the campaign.
pub fn run(target: &Target, plan: &Plan) -> Result<Outcome, String> {
    let scratch = Scratch::new()?;
    let start = Instant::now();
    let mut outcome = Outcome::default();
    let mut known: Set<String> = Set::default();
    let mut left = plan.count;
    for seed in plan.seed.. {
        let time = plan.time.saturating_sub(start.elapsed());
        if left == 0 || time.is_zero() || outcome.defects.len() >= MAX_DEFECTS {
            break;
        }
        let count = left.min(BATCH);
        let end = batch(target, seed, count, time, &scratch.0, &plan.folders)?;
        left -= count;
        match end {
            End::Done { mutants, accepted } => {
                outcome.mutants += mutants;
                outcome.accepted += accepted;
            }
            End::Harm(what) => {
                if known.insert(kind(&what)) {
                    let input =
                        std::fs::read(scratch.0.join("current")).map_err(|error| error.to_string())?;
                    let input = reduced(target, &Input::from_bytes(&input), &what, &scratch.0);
                    let path = plan.defects.join(format!("{}-{seed}", target.name));
                    let kept = std::fs::create_dir_all(&plan.defects)
                        .and_then(|()| std::fs::write(&path, input.to_bytes()));
                    kept.map_err(|error| format!("{}: {error}", path.display()))?;
                    outcome.defects.insert(path, what);
                }
            }
        }
    }
    Ok(outcome)
}

/// Replays what was harmful before; what it does now, if that is harm.
pub fn regressions(target: &Target) -> Result<Vec<String>, String> {
    let scratch = Scratch::new()?;
    let entries = std::fs::read_dir(corpus::kept(target)).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let mut harmful = Vec::new();
    for file in files {
        if let End::Harm(what) = replayed(target, &file, &scratch.0)? {
            harmful.push(format!("{}: {what}", file.display()));
        }
    }
    Ok(harmful)
}

enum End {
    Done { mutants: u64, accepted: u64 },
    Harm(String),
}

fn batch(
    target: &Target,
    seed: u64,
    count: u64,
    time: Duration,
    scratch: &Path,
    folders: &[PathBuf],
) -> Result<End, String> {
    let mut command = this_program()?;
    command.args(["fuzz-batch", target.name]);
    command.args([seed, count, time.as_millis() as u64].map(|number| number.to_string()));
    command.arg(scratch).args(folders);
    ended(command)
}

fn replayed(target: &Target, file: &Path, scratch: &Path) -> Result<End, String> {
    let mut command = this_program()?;
    command.args(["fuzz-replay", target.name]).arg(scratch).arg(file);
    ended(command)
}

fn this_program() -> Result<Command, String> {
    std::env::current_exe().map(Command::new).map_err(|error| error.to_string())
}

fn ended(mut command: Command) -> Result<End, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if let Some(what) = text.lines().find_map(|line| line.strip_prefix("harm: ")) {
        return Ok(End::Harm(what.to_string()));
    }
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let first = errors.lines().find(|line| !line.is_empty()).unwrap_or_default();
        return Ok(End::Harm(format!("{}: {first}", output.status)));
    }
    let numbers = text.lines().find_map(|line| line.strip_prefix("done: ")).unwrap_or_default();
    let mut numbers = numbers.split(' ').filter_map(|number| number.parse().ok());
    Ok(End::Done { mutants: numbers.next().unwrap_or(0), accepted: numbers.next().unwrap_or(0) })
}

/// The smallest input that does the same.
fn reduced(target: &Target, input: &Input, what: &str, scratch: &Path) -> Input {
    let start = Instant::now();
    let file = scratch.join("candidate");
    let with = |text: &[u8]| Input { context: input.context.clone(), text: text.to_vec() };
    let mut interesting = |text: &[u8]| {
        if start.elapsed() > REDUCTION {
            return Interest::Enough;
        }
        let written = std::fs::write(&file, with(text).to_bytes());
        match written.map_err(|error| error.to_string()).and_then(|()| replayed(target, &file, scratch)) {
            Ok(End::Harm(now)) if kind(&now) == kind(what) => Interest::Yes,
            Ok(_) => Interest::No,
            Err(_) => Interest::Enough,
        }
    };
    // What happens only sometimes cannot be made smaller.
    match interesting(&input.text) {
        Interest::Yes => with(&reduce(&input.text, &mut interesting).text),
        _ => input.clone(),
    }
}

/// Of two messages about the same defect.
fn kind(what: &str) -> String {
    what.chars().filter(|c| !c.is_ascii_digit()).take(120).collect()
}

/// A folder that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("craig-fuzz-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
