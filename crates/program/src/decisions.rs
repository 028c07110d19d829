//! Conditions in a row: where a graph that is cut at branches need not be cut.
//!
//! Where nothing is done between two conditions, as between the cases of a `switch`, they are one decision with
//! several outcomes. Cut at each of them, a procedure has locations whose states differ from those of the first in what
//! is known of them only, and what an engine learns of the last case it has to learn at all cases before it.
//!
//! For an engine that goes by tests, a condition about other variables is a decision of its own: after the end of a loop it
//! is a place that a test comes to by going around often enough, and there it is seen what keeps the test from going on.

use crate::effects::reads;
use crate::ir::{Edge, EdgeId, LocId, Proc, Program, Stmt};
use crate::state::StateVar;
use craig_base::IndexVec;

/// How many conditions in a row are one decision. Each outcome has all conditions before it.
const MAX_DECISIONS: usize = 64;

/// What becomes of conditions in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decisions {
    /// They are one decision.
    Joined,
    /// They are one decision if they are about the same variables.
    JoinedIfAlike,
    /// Each is one of its own.
    Single,
}

/// What was decided since the last cut, where nothing else was done.
#[derive(Clone, Default)]
struct Decided {
    conditions: usize,
    about: Vec<StateVar>,
}

impl Decisions {
    /// Adds to the cuts, which are at least at the entry and wherever ways join, those at branches: where something was
    /// done since the last cut, or something else was decided, or too much.
    pub fn cut_at_branches(
        self,
        program: &Program,
        proc: &Proc,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
        branches: impl Fn(LocId) -> bool,
        cut: &mut IndexVec<LocId, bool>,
    ) {
        let about = |edge: &Edge| match edge.stmt {
            Stmt::Assume(condition) => reads(program, &[condition]),
            _ => Vec::new(),
        };
        let is_alike = |decided: &Decided, at: LocId| {
            let mut about = outgoing[at].iter().flat_map(|&edge| about(&proc.edges[edge]));
            about.all(|var| decided.about.contains(&var))
        };
        let goes_on = |decided: &Decided, at: LocId| {
            let all = self == Decisions::Joined || decided.conditions == 0;
            decided.conditions < MAX_DECISIONS && (all || is_alike(decided, at))
        };
        let start = (self != Decisions::Single).then(Decided::default);
        let mut open: Vec<(LocId, Option<Decided>)> =
            cut.indices().filter(|&at| cut[at]).map(|at| (at, start.clone())).collect();
        while let Some((at, decided)) = open.pop() {
            for &edge in &outgoing[at] {
                let edge = &proc.edges[edge];
                if cut[edge.to] {
                    continue;
                }
                let mut after = decided.clone().filter(|_| matches!(edge.stmt, Stmt::Skip | Stmt::Assume(_)));
                if let (Some(after), Stmt::Assume(_)) = (&mut after, &edge.stmt) {
                    after.conditions += 1;
                    after.about.extend(about(edge));
                }
                if branches(edge.to) && !after.as_ref().is_some_and(|after| goes_on(after, edge.to)) {
                    cut[edge.to] = true;
                    after = start.clone();
                }
                open.push((edge.to, after));
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
        let (x, y) = (b.int("x"), b.int("y"));
        let (second, third, fourth, done, join) = (b.loc(), b.loc(), b.loc(), b.loc(), b.loc());
        let (get_x, get_y, one, two) = (b.get(x), b.get(y), b.lit(1), b.lit(2));
        let (small, less, other) = (b.lt(get_x, one), b.lt(get_x, two), b.lt(get_y, one));
        b.branch(ENTRY, join, second, small);
        b.branch(second, third, join, less);
        b.branch(third, fourth, join, other);
        b.assign(fourth, done, x, two);
        b.branch(done, ERROR, join, less);
        b.assume(join, ERROR, small);
        let main = &b.program.procs[b.program.entry];
        let cuts = |decisions| {
            let graph = CutpointGraph::towards_error_by(&b.program, main, Granularity::Blocks(decisions));
            [second, third, fourth, done, join].map(|at| graph.at(at).is_some())
        };
        assert_eq!(cuts(Decisions::Single), [true, true, false, true, true]);
        assert_eq!(cuts(Decisions::JoinedIfAlike), [false, true, false, true, true]);
        assert_eq!(cuts(Decisions::Joined), [false, false, false, true, true]);
    }
}
