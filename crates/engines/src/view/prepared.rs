//! A program as searches see it: inlined, simplified and encoded once, for all members of a portfolio.
//!
//! What is made first is kept, and never changes. A search gets a copy of the terms to add its own to; formulas,
//! cutpoints and programs are the same for all. So what is made for one search is not made on its time, but on that of
//! all; what large programs need to be simplified would be lost again and again if every search began with it anew. Others
//! that need the same wait for it as long as their own time lasts. What is not made, since there was no time, is made for
//! whoever asks next.

use crate::verdict::Reason;
use crate::verify::INLINE_LIMIT;
use crate::view::forget::without_memory;
use craig_base::{Budget, IndexVec, Map, OrderedSet, StopReason};
use craig_domains::procedures::ProcedureIntervals;
use craig_program::encode::{CutpointEncoding, ExactCase};
use craig_program::{
    CutpointGraph, Granularity, Inlined, ProcId, Program, Ranges, Simplified, Wto, inline, simplify,
};
use craig_term::Terms;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// The part of the time that is left for all which the making of one thing may use, in per cent.
const MAKING_SHARE: u32 = 40;
/// How soon those who wait for something look again.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// A program, and what was made of it so far.
pub struct Prepared<'p> {
    pub program: &'p Program,
    /// The time of all searches.
    budget: Budget,
    inlined: Kept<(), Inlined>,
    simplified: Kept<Sight, Simplified>,
    graphs: Kept<(Sight, Granularity), Encoded<CutpointEncoding>>,
    procedures: Kept<(Knowledge, Granularity), Encoded<Vec<CutpointEncoding>>>,
}

/// What a search sees of a program without calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// Tests run through all loops.
    Everything,
    /// For searches on formulas alone.
    LoopsThatMatter,
    /// Of these, what can be told without memory.
    Variables,
}

/// What the formulas of procedures rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// The ranges of types.
    Types,
    /// What intervals know of the procedures in all contexts.
    Intervals,
}

/// Formulas, with the terms they are made of.
#[derive(Clone)]
pub struct Encoded<T> {
    pub terms: Terms,
    pub code: T,
}

impl<'p> Prepared<'p> {
    pub fn new(program: &'p Program, budget: &Budget) -> Self {
        Prepared {
            program,
            budget: budget.clone(),
            inlined: Kept::default(),
            simplified: Kept::default(),
            graphs: Kept::default(),
            procedures: Kept::default(),
        }
    }

    /// What the making may use, for a search with this budget.
    fn for_all(&self, budget: &Budget) -> Budget {
        let longer = budget.with_time_of(&self.budget);
        match self.budget.remaining() {
            Some(remaining) => longer.with_timeout(remaining * MAKING_SHARE / 100),
            None => longer,
        }
    }

    /// The program without calls.
    pub fn inlined(&self) -> Result<Arc<Inlined>, Reason> {
        self.inlined.get((), &Budget::unlimited(), || {
            let inlined = inline(self.program, INLINE_LIMIT);
            inlined.map(Arc::new).map_err(|error| Reason::NotInlined(error.to_string()))
        })
    }

    /// The inlined program, simplified.
    pub fn simplified(&self, sight: Sight, budget: &Budget) -> Result<Arc<Simplified>, Reason> {
        self.simplified.get(sight, budget, || match sight {
            Sight::Everything => {
                let simplified = simplify(&self.inlined()?.program, &self.for_all(budget));
                simplified.map(Arc::new).map_err(Reason::Stopped)
            }
            Sight::LoopsThatMatter => {
                let all = self.simplified(Sight::Everything, budget)?;
                Ok(all.without_idle_loops().map_or(all, Arc::new))
            }
            Sight::Variables => {
                let loops = self.simplified(Sight::LoopsThatMatter, budget)?;
                let without = without_memory(&loops);
                let without = without.ok_or(Reason::Memory("there is no memory to forget"))?;
                // Loops that only fill memory leave nothing behind now. Paths are no answers here.
                Ok(Arc::new(without.without_loops_that_leave_nothing().unwrap_or(without)))
            }
        })
    }

    /// The simplified program, cut into blocks.
    pub fn graph(
        &self,
        sight: Sight,
        granularity: Granularity,
        budget: &Budget,
    ) -> Result<Arc<Encoded<CutpointEncoding>>, Reason> {
        self.graphs.get((sight, granularity), budget, || {
            let simplified = self.simplified(sight, budget)?;
            if sight == Sight::LoopsThatMatter && simplified.skipped.is_empty() {
                return self.graph(Sight::Everything, granularity, budget);
            }
            let budget = self.for_all(budget);
            let encoded = encode_inlined(&simplified, granularity, &simplified.ranges, &budget);
            encoded.map(Arc::new).map_err(Reason::Stopped)
        })
    }

    /// The procedures of the program, cut into blocks.
    pub fn procedures(
        &self,
        knowledge: Knowledge,
        granularity: Granularity,
        budget: &Budget,
    ) -> Result<Arc<Encoded<Vec<CutpointEncoding>>>, Reason> {
        self.procedures.get((knowledge, granularity), budget, || {
            let (exact, budget) = (OrderedSet::default(), self.for_all(budget));
            let encoded =
                encode_procedures(Terms::new(), self.program, knowledge, granularity, &exact, &budget);
            encoded.map(Arc::new).map_err(Reason::Stopped)
        })
    }
}

/// Encodes a program without calls, with what is known of it.
pub fn encode_inlined(
    simplified: &Simplified,
    granularity: Granularity,
    ranges: &Ranges,
    budget: &Budget,
) -> Result<Encoded<CutpointEncoding>, StopReason> {
    let program = &simplified.program;
    let cuts = CutpointGraph::towards_error_by(program, &program.procs[program.entry], granularity);
    let mut terms = Terms::new();
    let code = CutpointEncoding::of_graph(program, cuts, ranges, &mut terms, budget)?;
    Ok(Encoded { terms, code })
}

/// Encodes a program with its procedures, beside the given terms. In operations the given cases are exact.
pub fn encode_procedures(
    mut terms: Terms,
    program: &Program,
    knowledge: Knowledge,
    granularity: Granularity,
    exact: &OrderedSet<ExactCase>,
    budget: &Budget,
) -> Result<Encoded<Vec<CutpointEncoding>>, StopReason> {
    let mut ranges = match knowledge {
        Knowledge::Intervals if !program.plain => intervals(program, budget)?,
        _ => IndexVec::from_elem(Ranges::none(), program.procs.len()),
    };
    ranges.iter_mut().for_each(|ranges| ranges.exact.clone_from(exact));
    let code = CutpointEncoding::of_procedures(program, granularity, &ranges, &mut terms, budget)?;
    Ok(Encoded { terms, code })
}

/// What intervals know where procedures begin and end, and at loop heads.
fn intervals(program: &Program, budget: &Budget) -> Result<IndexVec<ProcId, Ranges>, StopReason> {
    let intervals = ProcedureIntervals::new(program, budget)?;
    let mut all = IndexVec::new();
    for (id, proc) in program.procs.enumerated() {
        let mut ranges = Ranges::none();
        let heads =
            Wto::new(&proc.graph(), proc.entry).components.into_iter().map(|component| component.head);
        for location in heads.chain([proc.entry, proc.exit]) {
            let state = intervals.as_ref().and_then(|intervals| intervals.at(id, location));
            for (var, interval) in state.into_iter().flat_map(|state| state.iter()) {
                ranges.restrict(location, var, interval);
            }
        }
        all.push(ranges);
    }
    Ok(all)
}

/// Things that are made once for each key.
struct Kept<K, T>(Mutex<Map<K, Slot<T>>>);

/// What is made for one key, or is not there yet.
type Slot<T> = Arc<Mutex<Option<Arc<T>>>>;

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Kept(Mutex::new(Map::default()))
    }
}

impl<K: Hash + Eq, T> Kept<K, T> {
    /// Whoever asks for the same while it is made waits for it, within the budget.
    fn get(
        &self,
        key: K,
        budget: &Budget,
        make: impl FnOnce() -> Result<Arc<T>, Reason>,
    ) -> Result<Arc<T>, Reason> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        let mut kept = loop {
            match slot.try_lock() {
                Ok(kept) => break kept,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    budget.check().map_err(Reason::Stopped)?;
                    std::thread::sleep(LOOK_AGAIN);
                }
            }
        };
        if let Some(known) = &*kept {
            return Ok(known.clone());
        }
        let made = make()?;
        *kept = Some(made.clone());
        Ok(made)
    }
}
