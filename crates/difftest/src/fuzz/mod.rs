//! Mutated inputs for everything that reads: they may be refused, but must do no harm, and none is believed that is wrong.
//!
//! A [`Target`] is a kind of input with what is done to one. Mutants ([`mutate`]) are made of a corpus: what
//! the repository has of the kind, what was found harmful before (`corpus/TARGET`), and files of the user. A mutant
//! that leads to an answer which was not seen before joins the corpus, so that later ones come further. Harm is a panic in any
//! thread, an internal error, a wrong answer where the right one is known, the death of the process, or too much time or
//! memory. So that none of it ends a campaign, a process of its own works through each batch ([`campaign`]), and
//! leaves the input that it was at behind when it ends early; the input is then made smaller as `craig reduce` does it.
//! The same seed makes the same mutants.

pub mod campaign;
mod command_line;
mod corpus;
pub mod mutate;
pub mod target;
mod words;

use crate::rng::Rng;
use craig_base::Set;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use target::Target;

/// Longer is a hang.
const MAX_TIME: Duration = Duration::from_secs(10);
/// More is a blow-up.
const MAX_MEMORY_MB: u64 = 2000;
/// What a batch answers when it was stopped by harm.
const HARM: i32 = 70;

/// An input: what it is about, which stays as it is (a program, for a proof), and what is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub context: Vec<u8>,
    pub text: Vec<u8>,
}

/// Between the two parts of an input in a file.
const SEPARATOR: &[u8] = b"\n%%%%\n";

impl Input {
    pub fn from_bytes(bytes: &[u8]) -> Input {
        match bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
            Some(at) => Input { context: bytes[..at].to_vec(), text: bytes[at + SEPARATOR.len()..].to_vec() },
            None => Input { context: Vec::new(), text: bytes.to_vec() },
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        match self.context.is_empty() {
            true => self.text.clone(),
            false => [&self.context, SEPARATOR, &self.text].concat(),
        }
    }
}

/// Since when the process has been at one input, in milliseconds of its age; zero between inputs.
static BUSY_SINCE: AtomicU64 = AtomicU64::new(0);

/// From now on harm ends the process, with a line that says what happened.
fn end_at_harm() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string().replace('\n', " ");
        harm(&format!("panic: {message}"));
    }));
    let start = Instant::now();
    BUSY_SINCE.store(0, Ordering::Relaxed);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let since = BUSY_SINCE.load(Ordering::Relaxed);
            if since > 0 && start.elapsed() > Duration::from_millis(since) + MAX_TIME {
                harm(&format!("takes more than {} s", MAX_TIME.as_secs()));
            }
            if crate::measure::memory_mb("VmRSS:") > MAX_MEMORY_MB {
                harm(&format!("takes more than {MAX_MEMORY_MB} MB"));
            }
        }
    });
    CLOCK.get_or_init(|| start);
}

static CLOCK: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();

fn harm(what: &str) -> ! {
    println!("harm: {what}");
    std::process::exit(HARM);
}

/// Tries one input. What is harmful ends the process.
fn attempt(target: &Target, input: &Input, scratch: &Path) -> String {
    let now = CLOCK.get().map_or(0, |start| start.elapsed().as_millis() as u64);
    BUSY_SINCE.store(now.max(1), Ordering::Relaxed);
    let answer = (target.run)(input, scratch).unwrap_or_else(|what| harm(&what));
    BUSY_SINCE.store(0, Ordering::Relaxed);
    answer
}

/// Replays the inputs in files. What is harmful ends the process.
pub fn replay(target: &Target, files: &[&str], scratch: &Path) -> Result<(), String> {
    end_at_harm();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        println!("{file}: {}", attempt(target, &Input::from_bytes(&bytes), scratch));
    }
    Ok(())
}

/// A batch, in this process: so many mutants, or as many as there is time for. What is harmful ends the process, and its
/// input is the file `current` in the scratch folder.
pub fn batch(
    target: &Target,
    seed: u64,
    count: u64,
    time: Duration,
    scratch: &Path,
    folders: &[PathBuf],
) -> Result<(), String> {
    let start = Instant::now();
    end_at_harm();
    // Kept open: a file that is closed after it was cut off is written to the disk at once.
    let mut current = std::fs::File::create(scratch.join("current")).map_err(|error| error.to_string())?;
    let mut keep = |bytes: &[u8]| {
        current.set_len(0).and_then(|()| current.rewind()).and_then(|()| current.write_all(bytes))
    };
    let mut corpus = corpus::of(target, folders);
    if corpus.is_empty() {
        return Err(format!("there is no corpus for {}", target.name));
    }
    let mut rng = Rng::new(seed);
    let mut seen: Set<String> = Set::default();
    let (mut done, mut accepted) = (0u64, 0u64);
    while done < count && start.elapsed() < time {
        let (one, other) = (&corpus[rng.below(corpus.len())], &corpus[rng.below(corpus.len())]);
        let text = mutate::mutant(&one.text, &other.text, target.spice, &mut rng);
        let input = Input { context: one.context.clone(), text };
        keep(&input.to_bytes()).map_err(|error| error.to_string())?;
        let answer = attempt(target, &input, scratch);
        done += 1;
        let is_refused = answer.starts_with(REFUSED);
        accepted += u64::from(!is_refused);
        if !is_refused && corpus.len() < MAX_CORPUS && seen.insert(kind(&answer)) {
            corpus.push(input);
        }
    }
    println!("done: {done} {accepted} {}", seen.len());
    Ok(())
}

const MAX_CORPUS: usize = 2000;

/// How answers begin that say no more than what is wrong with the input.
const REFUSED: &str = "refused: ";

/// What is the same for answers that differ in names, numbers and places only.
fn kind(answer: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in answer.chars().take(200) {
        match c {
            '`' | '\'' | '"' => quoted = !quoted,
            c if quoted || c.is_ascii_digit() => {}
            c => kind.push(c),
        }
    }
    kind
}
