//! What every other crate stands on: typed indices, resource budgets, statistics, and maps whose
//! behaviour is the same in every run.
//!
//! ```
//! use craig_base::{Budget, CancelToken, StopReason};
//!
//! let token = CancelToken::default();
//! let budget = Budget::unlimited().with_cancel(token.clone());
//! assert_eq!(budget.check(), Ok(()));
//! token.cancel();
//! assert_eq!(budget.check(), Err(StopReason::Cancelled));
//! ```

mod budget;
mod index;
mod stats;

pub use budget::{Budget, CancelToken, Listener, StopReason};
pub use index::{Index, IndexVec};
pub use stats::{Stats, Stopwatch, Value};

/// A hash map without per-process randomness. Never iterate over it where the order could reach a
/// result; use [`OrderedMap`] for that.
pub type Map<K, V> = rustc_hash::FxHashMap<K, V>;
/// A hash set without per-process randomness; the same caution as for [`Map`] applies.
pub type Set<T> = rustc_hash::FxHashSet<T>;
/// A hash map that iterates in insertion order.
pub type OrderedMap<K, V> = indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher>;
/// A hash set that iterates in insertion order.
pub type OrderedSet<T> = indexmap::IndexSet<T, rustc_hash::FxBuildHasher>;
