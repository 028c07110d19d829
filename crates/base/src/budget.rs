//! What a computation may use, and the named reasons for which it stops early.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a computation gave up before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    Timeout,
    Memory,
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Timeout => "the time limit was reached",
            StopReason::Memory => "the memory limit was reached",
            StopReason::Cancelled => "it was cancelled",
        })
    }
}

/// A flag with which one thread stops the work of others.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Someone who is told how a computation goes on: who counts, what, and how many there are by now.
#[derive(Clone)]
pub struct Listener(pub Arc<Hear>);

type Hear = dyn Fn(&'static str, &str, u64) + Send + Sync;

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// Time, memory and cancellation for one computation and all that it calls.
///
/// Clones share the cancel token and the memory reading. Poll [`check`](Budget::check) at least a
/// few times per second; it costs a clock read.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    memory_sample: Arc<MemorySample>,
    cancel: CancelToken,
    /// A narrower scope may be cancelled by its own token and by every enclosing one.
    outer: Arc<[CancelToken]>,
    listener: Option<Listener>,
}

#[derive(Debug, Default)]
struct MemorySample {
    taken_at_ms: AtomicU64,
    bytes: AtomicU64,
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget {
            deadline: None,
            memory_limit: None,
            memory_sample: Arc::default(),
            cancel: CancelToken::default(),
            outer: Arc::default(),
            listener: None,
        }
    }

    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        let deadline = Instant::now() + timeout;
        self.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        self
    }

    /// Limits the resident memory of the whole process, in bytes.
    pub fn with_memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// The same limits, with someone who is told how the work goes on.
    pub fn with_listener(mut self, listener: Listener) -> Self {
        self.listener = Some(listener);
        self
    }

    pub fn listener(&self) -> Option<&Listener> {
        self.listener.as_ref()
    }

    /// The same limits, cancellable by `token` as well as by all that cancels this budget.
    pub fn with_cancel(&self, token: CancelToken) -> Self {
        let mut narrowed = self.clone();
        narrowed.outer = self.outer.iter().chain([&self.cancel]).cloned().collect();
        narrowed.cancel = token;
        narrowed
    }

    /// Cancelled like this one, with the time of the other.
    pub fn with_time_of(&self, other: &Budget) -> Self {
        Budget { deadline: other.deadline, ..self.clone() }
    }

    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancel.is_cancelled() || self.outer.iter().any(CancelToken::is_cancelled) {
            return Err(StopReason::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(StopReason::Timeout);
        }
        if self.memory_limit.is_some_and(|limit| self.memory_sample.read(limit) > limit) {
            return Err(StopReason::Memory);
        }
        Ok(())
    }
}

impl MemorySample {
    /// Resident bytes, a few milliseconds old: reading it again for every poll would cost too much. The closer to the
    /// limit, the fewer: it takes a millisecond or more to fill a megabyte.
    fn read(&self, limit: u64) -> u64 {
        let now = process_age_ms();
        let taken = self.taken_at_ms.load(Ordering::Relaxed);
        let left_mb = limit.saturating_sub(self.bytes.load(Ordering::Relaxed)) >> 20;
        if taken == 0 || now.saturating_sub(taken) >= left_mb.clamp(2, 50) {
            self.taken_at_ms.store(now.max(1), Ordering::Relaxed);
            self.bytes.store(resident_bytes().unwrap_or(0), Ordering::Relaxed);
        }
        self.bytes.load(Ordering::Relaxed)
    }
}

fn process_age_ms() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// The resident memory of this process, where the system tells.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_elapsed_deadline_is_a_timeout() {
        let budget = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(budget.check(), Err(StopReason::Timeout));
    }

    #[test]
    fn a_narrower_scope_stops_with_either_token() {
        let outer = Budget::unlimited();
        let token = CancelToken::default();
        let inner = outer.with_cancel(token.clone());
        assert_eq!(inner.check(), Ok(()));
        token.cancel();
        assert_eq!(inner.check(), Err(StopReason::Cancelled));
        assert_eq!(outer.check(), Ok(()));
        let sibling = outer.with_cancel(CancelToken::default());
        let nested = sibling.with_cancel(CancelToken::default());
        assert_eq!(nested.check(), Ok(()));
        outer.cancel_token().cancel();
        assert_eq!(sibling.check(), Err(StopReason::Cancelled));
        assert_eq!(nested.check(), Err(StopReason::Cancelled));
    }

    #[test]
    fn a_tiny_memory_limit_is_exceeded() {
        let budget = Budget::unlimited().with_memory_limit(1);
        if resident_bytes().is_some() {
            assert_eq!(budget.check(), Err(StopReason::Memory));
        }
    }
}
