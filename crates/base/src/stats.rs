//! Statistics as data: named counters and times in a fixed order.

use crate::{Listener, OrderedMap};
use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

/// Counters and times of one run, in the order in which they were first mentioned.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    values: OrderedMap<Cow<'static, str>, Value>,
    /// Who is told of every count, and under which name.
    heard_by: Option<(Listener, &'static str)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Count(u64),
    Seconds(f64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Count(n) => write!(f, "{n}"),
            Value::Seconds(s) => write!(f, "{s:.3}"),
        }
    }
}

impl Stats {
    /// Of a computation of this name, whose counts someone is told of as they grow.
    pub fn heard_by(listener: Listener, name: &'static str) -> Self {
        Stats { heard_by: Some((listener, name)), ..Stats::default() }
    }

    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, n: u64) {
        self.update(name.into(), |total| total + n);
    }

    /// Keeps the largest value seen, for depths and sizes.
    pub fn max(&mut self, name: impl Into<Cow<'static, str>>, n: u64) {
        self.update(name.into(), |largest| largest.max(n));
    }

    fn update(&mut self, name: Cow<'static, str>, next: impl Fn(u64) -> u64) {
        let entry = self.values.entry(name);
        let at = entry.index();
        match entry.or_insert(Value::Count(0)) {
            Value::Count(count) => *count = next(*count),
            Value::Seconds(_) => debug_assert!(false, "a time cannot be counted"),
        }
        if let Some((Listener(listener), who)) = &self.heard_by
            && let Some((name, Value::Count(count))) = self.values.get_index(at)
        {
            listener(who, name, *count);
        }
    }

    pub fn add_time(&mut self, name: impl Into<Cow<'static, str>>, time: Duration) {
        match self.values.entry(name.into()).or_insert(Value::Seconds(0.0)) {
            Value::Seconds(total) => *total += time.as_secs_f64(),
            Value::Count(_) => debug_assert!(false, "a counter is not a time"),
        }
    }

    pub fn count(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(Value::Count(n)) => *n,
            _ => 0,
        }
    }

    pub fn seconds(&self, name: &str) -> f64 {
        match self.values.get(name) {
            Some(Value::Seconds(s)) => *s,
            _ => 0.0,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Value)> {
        self.values.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    /// Adds the numbers of a sub-computation, each name after `prefix`.
    pub fn absorb(&mut self, prefix: &str, other: &Stats) {
        for (name, value) in other.iter() {
            let name = format!("{prefix}{name}");
            match value {
                Value::Count(n) => self.add(name, n),
                Value::Seconds(s) => self.add_time(name, Duration::from_secs_f64(s)),
            }
        }
    }
}

/// Measures the time from its creation on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Stopwatch(Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
