//! Conditions in a row: where a graph that is cut at branches need not be cut.
//!
//! Where nothing is done between two conditions, as between the cases of a `switch`, they are one decision with several
//! outcomes. Cut at each of them, a procedure has locations whose states differ from those of the first in what is known
//! of them only, and what an engine learns of the last case it has to learn at all cases before it.

use crate::ir::{EdgeId, LocId, Proc, Stmt};
use craig_base::IndexVec;

/// How many conditions in a row are one decision. Each outcome has all conditions before it.
const MAX_DECISIONS: usize = 64;

/// What becomes of conditions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decisions {
    /// They are one decision.
    Joined,
    /// Each is one of its own.
    Single,
}

impl Decisions {
    /// Adds to the cuts, which are at least at the entry and wherever ways join, those at branches: where something was
    /// done since the last cut, or too much was decided.
    pub fn cut_at_branches(
        self,
        proc: &Proc,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
        branches: impl Fn(LocId) -> bool,
        cut: &mut IndexVec<LocId, bool>,
    ) {
        let most = match self {
            Decisions::Joined => MAX_DECISIONS,
            Decisions::Single => 1,
        };
        // Locations, with how much was decided since the last cut if nothing was done since.
        let mut open: Vec<(LocId, Option<usize>)> =
            cut.indices().filter(|&at| cut[at]).map(|at| (at, Some(0))).collect();
        while let Some((at, decided)) = open.pop() {
            for &edge in &outgoing[at] {
                let edge = &proc.edges[edge];
                if cut[edge.to] {
                    continue;
                }
                let decided = decided.filter(|_| matches!(edge.stmt, Stmt::Skip | Stmt::Assume(_)));
                let decided = match decided {
                    _ if !branches(edge.to) => decided,
                    Some(decided) if decided + 1 < most => Some(decided + 1),
                    _ => {
                        cut[edge.to] = true;
                        Some(0)
                    }
                };
                open.push((edge.to, decided));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{CutpointGraph, Decisions, Granularity};

    #[test]
    fn conditions_in_a_row_are_one_decision() {
        let mut b = Builder::new();
        let x = b.int("x");
        let (second, third, done, join) = (b.loc(), b.loc(), b.loc(), b.loc());
        let (get_x, one, two) = (b.get(x), b.lit(1), b.lit(2));
        let (small, less) = (b.lt(get_x, one), b.lt(get_x, two));
        b.branch(ENTRY, join, second, small);
        b.branch(second, third, join, less);
        b.assign(third, done, x, two);
        b.branch(done, ERROR, join, less);
        b.assume(join, ERROR, small);
        let main = &b.program.procs[b.program.entry];
        let cuts = |decisions| {
            let graph = CutpointGraph::towards_error_by(&b.program, main, Granularity::Blocks(decisions));
            [second, third, done, join].map(|at| graph.at(at).is_some())
        };
        assert_eq!(cuts(Decisions::Single), [true, false, true, true]);
        assert_eq!(cuts(Decisions::Joined), [false, false, true, true]);
    }
}
