//! What an answer may cost.

use craig_base::{Budget, CancelToken};
use std::num::NonZero;
use std::time::Duration;

/// What an answer may cost: without limits it may take for ever.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall time, including the time to read the program.
    pub timeout: Option<Duration>,
    /// Resident memory of the whole process, in bytes.
    pub memory: Option<u64>,
    /// With which another thread may stop the work.
    pub cancel: CancelToken,
}

impl Limits {
    /// No limit but time.
    pub fn timeout(timeout: Duration) -> Self {
        Limits { timeout: Some(timeout), ..Limits::default() }
    }

    /// The same with less time.
    pub(crate) fn after(&self, spent: Duration) -> Limits {
        Limits { timeout: self.timeout.map(|timeout| timeout.saturating_sub(spent)), ..self.clone() }
    }

    /// What is left after some of the time was spent.
    pub(crate) fn budget(&self, spent: Duration) -> Budget {
        let mut budget = Budget::unlimited().with_cancel(self.cancel.clone());
        if let Some(timeout) = self.timeout {
            budget = budget.with_timeout(timeout.saturating_sub(spent));
        }
        if let Some(memory) = self.memory {
            budget = budget.with_memory_limit(memory);
        }
        budget
    }
}

/// The number of cores, or one.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// The largest resident memory of this process so far, in megabytes; zero where the system does not tell.
pub(crate) fn peak_memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes =
        line.and_then(|line| line.split_whitespace().next()).and_then(|text| text.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
