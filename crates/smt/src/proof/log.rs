//! The append-only record that the search writes.

use super::certificate::Certificate;
use crate::native::{Lit, Var};
use craig_base::index_type;

index_type!(
    /// A clause in a proof.
    pub StepId,
    "#"
);

/// Where a leaf comes from.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// A clause of the input, which belongs to one part of an interpolation problem.
    Input {
        /// Its number.
        part: u32,
    },
    /// A clause that is valid in the theory.
    Theory(Certificate),
}

#[derive(Clone, Debug)]
enum Entry {
    Leaf { start: u32, len: u32, leaf: u32 },
    Chain { start: u32, len: u32 },
}

/// All steps of a search. While it is off it records nothing and costs nothing.
#[derive(Clone, Debug, Default)]
pub struct ProofLog {
    enabled: bool,
    entries: Vec<Entry>,
    lits: Vec<Lit>,
    leaves: Vec<Leaf>,
    /// First antecedent, then pairs of an antecedent and the variable resolved on.
    chains: Vec<(StepId, Var)>,
}

impl ProofLog {
    /// Stands for every step while the log is off.
    pub const NONE: StepId = StepId(u32::MAX);

    /// A log that records, or one that does not.
    pub fn new(enabled: bool) -> Self {
        ProofLog { enabled, ..Self::default() }
    }

    /// Whether it records.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn leaf(&mut self, lits: &[Lit], leaf: impl FnOnce() -> Leaf) -> StepId {
        if !self.enabled {
            return Self::NONE;
        }
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        let index = self.leaves.len() as u32;
        self.leaves.push(leaf());
        self.push(Entry::Leaf { start, len: lits.len() as u32, leaf: index })
    }

    /// `chain[0]` is the first clause (its variable is ignored); each further one is resolved with
    /// the result so far on its variable.
    pub(crate) fn chain(&mut self, chain: &[(StepId, Var)]) -> StepId {
        match chain {
            _ if !self.enabled => Self::NONE,
            [(only, _)] => *only,
            _ => {
                let start = self.chains.len() as u32;
                self.chains.extend_from_slice(chain);
                self.push(Entry::Chain { start, len: chain.len() as u32 })
            }
        }
    }

    fn push(&mut self, entry: Entry) -> StepId {
        let id = StepId(self.entries.len() as u32);
        self.entries.push(entry);
        id
    }

    /// The leaf with its clause, or the chain, of a step.
    pub(crate) fn get(&self, step: StepId) -> LogEntry<'_> {
        match self.entries[step.0 as usize] {
            Entry::Leaf { start, len, leaf } => LogEntry::Leaf(
                &self.lits[start as usize..(start + len) as usize],
                &self.leaves[leaf as usize],
            ),
            Entry::Chain { start, len } => {
                LogEntry::Chain(&self.chains[start as usize..(start + len) as usize])
            }
        }
    }
}

pub(crate) enum LogEntry<'a> {
    Leaf(&'a [Lit], &'a Leaf),
    Chain(&'a [(StepId, Var)]),
}
