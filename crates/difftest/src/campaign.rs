//! Campaigns that go on over days and versions: all kinds by turns, and a file that says how many cases there have been.
//!
//! Every kind has its turn, a few seconds long, with numbers that were not used before; one that has its size waits until all
//! have. After each
//! turn the file is written again, so that a campaign can be stopped at any moment.

use crate::kinds::{Kind, Tally, Tools};
use crate::measure::processor_time_of_all;
use craig_base::OrderedMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is known of a kind from all campaigns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub cases: u64,
    pub defects: u64,
    /// The first number that was not used.
    pub next: u64,
    /// Of the processor.
    pub seconds: u64,
}

/// The file: a line for each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(OrderedMap<String, Count>);

const HEAD: &str = "# Cases of all campaigns (craig-difftest campaign), added up over versions: kind, cases, defects, next number, seconds of the processor\n";

impl Counts {
    pub fn read(path: &Path) -> Result<Counts, String> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let mut counts = OrderedMap::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let wrong = || format!("{}: what is `{line}`?", path.display());
            let words: Vec<&str> = line.split('\t').collect();
            let [kind, numbers @ ..] = words.as_slice() else { return Err(wrong()) };
            let numbers: Result<Vec<u64>, _> = numbers.iter().map(|number| number.parse()).collect();
            let Ok(&[cases, defects, next, seconds]) = numbers.as_deref() else { return Err(wrong()) };
            counts.insert(kind.to_string(), Count { cases, defects, next, seconds });
        }
        Ok(Counts(counts))
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        let mut text = HEAD.to_string();
        for (kind, Count { cases, defects, next, seconds }) in &self.0 {
            let _ = writeln!(text, "{kind}\t{cases}\t{defects}\t{next}\t{seconds}");
        }
        let new = path.with_extension("new");
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    pub fn of(&self, kind: &Kind) -> Count {
        self.0.get(&kind.name).cloned().unwrap_or_default()
    }

    /// For the page about trust.
    pub fn table(&self, kinds: &[Kind]) -> String {
        let mut text = "| kind | cases | wanted | defects | hours |\n|---|--:|--:|--:|--:|\n".to_string();
        for kind in kinds {
            let Count { cases, defects, seconds, .. } = self.of(kind);
            let (Kind { name, cases: what, wanted, .. }, hours) = (kind, seconds as f64 / 3600.0);
            let _ = writeln!(text, "| `{name}` | {cases} {what} | {wanted} | {defects} | {hours:.1} |");
        }
        text
    }
}

/// Turns of all kinds for so long. What is found is told at once.
pub fn run(
    kinds: &[Kind],
    time: Duration,
    path: &Path,
    tools: &mut Tools,
    tell: &mut dyn FnMut(&Kind, &Tally),
) -> Result<u64, String> {
    let start = Instant::now();
    let mut counts = Counts::read(path)?;
    let mut defects = 0;
    // What is left of whole seconds goes to the next turn.
    let mut spent = Duration::ZERO;
    // A kind that needs what is not there must not be chosen again and again.
    let mut able: Vec<&Kind> = kinds.iter().collect();
    let mut turns: OrderedMap<&str, u64> = OrderedMap::default();
    while start.elapsed() < time {
        let is_done = |kind: &Kind| counts.of(kind).cases >= kind.wanted;
        let next = able.iter().copied().min_by_key(|kind| (is_done(kind), turns.get(&*kind.name).copied()));
        let Some(kind) = next else { break };
        *turns.entry(&kind.name).or_default() += 1;
        let first = counts.of(kind).next;
        let before = processor_time_of_all();
        let tally = kind.run(first..first + kind.turn, tools);
        tell(kind, &tally);
        let count = counts.0.entry(kind.name.clone()).or_default();
        count.next = first + kind.turn;
        count.cases += tally.cases;
        count.defects += tally.defects.len() as u64;
        spent += processor_time_of_all().saturating_sub(before);
        count.seconds += spent.as_secs();
        spent = Duration::from_nanos(spent.subsec_nanos().into());
        defects += tally.defects.len() as u64;
        counts.write(path)?;
        if tally.cases == 0 {
            able.retain(|other| other.name != kind.name);
        }
    }
    Ok(defects)
}
