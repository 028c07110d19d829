//! What a command needs of the outside world: standard output, notes, cancellation.

use crate::check::{Happening, Watch};
use crate::cli::arguments::{Common, Limits};
use crate::cli::status::ExitStatus;
use crate::limits::peak_memory_mb;
use crate::report::json::Json;
use crate::task::Warning;
use craig_base::{CancelToken, StopReason};
use craig_engines::portfolio::race::BEGINS;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How much is said on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    Quiet,
    Normal,
    Verbose,
    Numbers,
}

/// One run of the tool.
pub struct Session {
    /// Standard output: results only. A failed write becomes [`Error::Output`](crate::Error::Output).
    pub out: BufWriter<io::Stdout>,
    pub verbosity: Verbosity,
    /// Set by the first Ctrl-C; a second one ends the process at once.
    pub cancel: CancelToken,
    /// Whether a progress line may be drawn on standard error.
    pub shows_progress: bool,
    /// The progress line of a search.
    pub progress: ProgressBar,
    /// The command line, with what the configuration adds.
    pub arguments: Vec<OsString>,
}

/// What is known of a search that goes on.
#[derive(Default)]
struct Board {
    /// What is asked, or was answered last.
    question: String,
    /// How far the engines are, those heard of last at the end.
    engines: Vec<(&'static str, String)>,
}

impl Board {
    /// Takes note of what happens; says it if it is an event of its own.
    fn hear(&mut self, happening: Happening) -> Option<String> {
        let text = match happening {
            Happening::Counted { engine, what, count } => {
                self.engines.retain(|(known, _)| *known != engine);
                let is_first = what == BEGINS;
                let word = if is_first { what.to_string() } else { format!("{what} {count}") };
                self.engines.push((engine, word));
                return is_first.then(|| format!("{engine} begins"));
            }
            Happening::Asked { checks, of, engines } => {
                let engines =
                    if engines == 1 { "one engine".to_string() } else { format!("{engines} engines") };
                format!("{engines} on {checks} of {of} checks")
            }
            Happening::Answered { answer, engine: Some(engine) } => format!("{answer}, says {engine}"),
            Happening::Answered { answer, engine: None } => answer,
        };
        self.engines.clear();
        self.question.clone_from(&text);
        Some(text)
    }

    fn text(&self) -> String {
        let newest = self.engines.iter().rev().take(SHOWN).map(|(name, word)| format!("{name}: {word}"));
        let parts: Vec<String> = std::iter::once(self.question.clone()).chain(newest).collect();
        parts.join("; ")
    }
}

/// So many engines have room on the line.
const SHOWN: usize = 3;

/// Who waits longer wants to know for what.
const PATIENCE: Duration = Duration::from_secs(1);

impl Session {
    /// A progress bar, hidden where none may be drawn.
    pub fn progress_bar(&self, length: usize, template: &str) -> ProgressBar {
        if !self.shows_progress {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(length as u64).with_style(style)
    }

    pub fn new(common: &Common, arguments: Vec<OsString>) -> Self {
        let verbosity = match (common.quiet, common.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Verbose,
            (false, _) => Verbosity::Numbers,
        };
        let cancel = CancelToken::default();
        cancel_on_signal(cancel.clone());
        Session {
            out: BufWriter::new(io::stdout()),
            verbosity,
            cancel,
            shows_progress: verbosity > Verbosity::Quiet && io::stderr().is_terminal(),
            progress: ProgressBar::hidden(),
            arguments,
        }
    }

    /// A line on the terminal that says what a search does, from the first second on, and events for `-v`.
    pub fn watch(&mut self, timeout: Duration) -> Watch {
        let deadline = Instant::now() + timeout;
        if self.shows_progress {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
            self.progress = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            let line = self.progress.clone();
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !line.is_finished() {
                    line.set_draw_target(ProgressDrawTarget::stderr());
                    line.enable_steady_tick(Duration::from_millis(200));
                }
            });
        }
        let (line, verbosity) = (self.progress.clone(), self.verbosity);
        let start = Instant::now();
        let board = Mutex::new(Board::default());
        Watch(Arc::new(move |happening| {
            let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
            let event = board.hear(happening);
            let left = deadline.saturating_duration_since(Instant::now()).as_secs();
            line.set_message(format!("{}; {left} s left; running for", board.text()));
            if let Some(event) = event.filter(|_| verbosity >= Verbosity::Verbose) {
                line.suspend(|| {
                    let _ = writeln!(io::stderr(), "{:7.2} s: {event}", start.elapsed().as_secs_f64());
                });
            }
        }))
    }

    /// Says something that is not a result.
    pub fn note(&self, message: impl AsRef<str>) {
        self.say(Verbosity::Normal, message.as_ref());
    }

    /// Says what the author of a program should know.
    pub fn warn(&self, warning: &Warning) {
        let place = warning.location.as_ref().map(|at| {
            let column = at.column.map_or_else(String::new, |column| format!("{column}:"));
            format!("{}:{}:{column} ", at.file, at.line)
        });
        self.note(format!("warning: {}{}", place.unwrap_or_default(), warning.text));
    }

    /// Says something that only a curious user wants to know (`-v`).
    pub fn detail(&self, message: impl AsRef<str>) {
        self.say(Verbosity::Verbose, message.as_ref());
    }

    /// Says a number that explains what an engine did (`-vv`).
    pub fn number(&self, message: impl AsRef<str>) {
        self.say(Verbosity::Numbers, message.as_ref());
    }

    fn say(&self, from: Verbosity, message: &str) {
        if self.verbosity >= from {
            // A closed standard error is no reason to lose the answer.
            let _ = writeln!(io::stderr(), "{message}");
        }
    }
}

/// How long a computation may take to notice that it has to stop; with this, all is over a second after a limit.
const GRACE: Duration = Duration::from_millis(800);

/// So much of it is for saying what a computation that did not notice had found.
const REPORTING: Duration = Duration::from_millis(300);

/// Memory may exceed its limit by such a share before the last word, so that an engine has the chance to stop by itself;
/// by less where it grows so quickly that none has.
const MEMORY_GRACE: f64 = 0.03;

/// The last word if a computation does not notice its limits, or Ctrl-C: the process answers `unknown` and ends with
/// the status. Every loop should poll its budget, but a user's limits must hold even where one does not.
///
/// Whoever has an answer takes the word ([`LastWord::take`]) before it is printed, so that there is one only.
pub fn end_by(limits: &Limits, json: bool, status: ExitStatus, session: &Session) -> LastWord {
    let deadline = Instant::now().checked_add(limits.timeout.saturating_add(GRACE - REPORTING));
    watch_over(deadline, limits.memory, json, status, session.cancel.clone())
}

/// The same for a command that holds its time by itself, and may wait for input when it is interrupted.
pub fn end_at_memory(limits: &Limits, status: ExitStatus) -> LastWord {
    watch_over(None, limits.memory, false, status, CancelToken::default())
}

fn watch_over(
    deadline: Option<Instant>,
    memory: u64,
    json: bool,
    status: ExitStatus,
    cancel: CancelToken,
) -> LastWord {
    let limit_mb = memory as f64 / (1024.0 * 1024.0);
    let last_word = LastWord::default();
    let spoken = last_word.clone();
    std::thread::spawn(move || {
        let mut before_mb = peak_memory_mb();
        let mut patience = None;
        let reason = loop {
            let now_mb = peak_memory_mb();
            let grace_mb = (limit_mb * MEMORY_GRACE - (now_mb - before_mb)).max(0.0);
            let left_mb = limit_mb + grace_mb - now_mb;
            if left_mb < 0.0 {
                break StopReason::Memory;
            }
            before_mb = now_mb;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break StopReason::Timeout;
            }
            let mut patience = || *patience.get_or_insert(Instant::now() + (GRACE - REPORTING));
            if cancel.is_cancelled() && patience() <= Instant::now() {
                break StopReason::Cancelled;
            }
            // Memory can grow by several megabytes in a millisecond.
            std::thread::sleep(Duration::from_millis((left_mb as u64 / 4).clamp(1, 10)));
        };
        spoken.give_way(reason);
        if spoken.is_spoken() {
            return;
        }
        let text = if json {
            let words = reason.to_string();
            Json::object([("verdict", "unknown".into()), ("reason", Json::from(words.as_str()))]).to_string()
        } else {
            format!("unknown: {reason}")
        };
        let _ = writeln!(io::stdout(), "{text}");
        let interrupted = reason == StopReason::Cancelled;
        std::process::exit(if interrupted { ExitStatus::Interrupted } else { status } as i32);
    });
    last_word
}

/// Whether the answer is being printed, and who is told of limits before the last word.
#[derive(Clone, Default)]
pub struct LastWord {
    is_spoken: Arc<AtomicBool>,
    waiting: Arc<Mutex<Option<Waiting>>>,
}

type Waiting = Box<dyn FnOnce(StopReason) + Send>;

impl LastWord {
    /// Takes the last word, before results are written. If it was spoken already, the process is about to end, and this
    /// does not come back.
    pub fn take(&self) {
        while self.is_spoken() {
            std::thread::sleep(GRACE);
        }
    }

    /// What a computation comes to, or which limit it has not noticed: then it is left to itself.
    pub fn unless_too_late<T: Send + 'static>(
        &self,
        compute: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StopReason> {
        let (end, ended) = mpsc::channel();
        let limit = end.clone();
        *self.waiting() = Some(Box::new(move |reason| {
            let _ = limit.send(Err(reason));
        }));
        let computing = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let _ = end.send(Ok(compute()));
        });
        let Ok(computing) = computing else { return Err(StopReason::Memory) };
        let result = loop {
            if let Ok(result) = ended.recv_timeout(GRACE) {
                break result;
            }
            if computing.is_finished() {
                break match computing.join() {
                    Ok(()) => ended.recv().unwrap_or(Err(StopReason::Cancelled)),
                    Err(panic) => std::panic::resume_unwind(panic),
                };
            }
        };
        // Nobody waits any longer, so that nobody is told.
        self.waiting().take();
        result
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whoever waits that a limit was reached, and leaves some time for an answer. Memory goes on growing meanwhile.
    fn give_way(&self, reason: StopReason) {
        let waiting = self.waiting().take();
        let time = match (reason, &waiting) {
            (StopReason::Memory, None) => return,
            (StopReason::Memory, Some(_)) => REPORTING / 6,
            _ => REPORTING,
        };
        if let Some(waiting) = waiting {
            waiting(reason);
        }
        std::thread::sleep(time);
    }

    /// Takes the last word; true if someone else has it.
    fn is_spoken(&self) -> bool {
        self.is_spoken.swap(true, Ordering::SeqCst)
    }
}

/// As much as the first thread of a process usually has.
const STACK: usize = 8 << 20;

fn cancel_on_signal(token: CancelToken) {
    // Without a handler a signal ends the process, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if !token.is_cancelled() {
            token.cancel();
            std::thread::spawn(|| {
                // Whoever has a last word says it first.
                std::thread::sleep(GRACE + GRACE / 8);
                std::process::exit(ExitStatus::Interrupted as i32);
            });
        } else {
            std::process::exit(ExitStatus::Interrupted as i32);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_not_noticed_ends_the_waiting() {
        let last_word = LastWord::default();
        assert_eq!(last_word.unless_too_late(|| 7), Ok(7));
        let (end, ended) = mpsc::channel::<()>();
        let watcher = last_word.clone();
        let limit = std::thread::spawn(move || {
            while watcher.waiting().is_none() {
                std::thread::yield_now();
            }
            watcher.give_way(StopReason::Timeout);
        });
        let stuck = last_word.unless_too_late(move || ended.recv().is_ok());
        assert_eq!(stuck, Err(StopReason::Timeout));
        drop(end);
        assert!(limit.join().is_ok());
    }

    #[test]
    fn a_panic_is_one_of_whoever_waits() {
        let computing = || LastWord::default().unless_too_late(|| -> u8 { std::panic::panic_any("here") });
        let panic = std::panic::catch_unwind(computing);
        assert_eq!(panic.err().and_then(|what| what.downcast_ref().copied()), Some("here"));
    }
}
