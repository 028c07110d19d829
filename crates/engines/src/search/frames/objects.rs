//! Guesses about objects that loops allocate: locals of functions that they call, elements of lists.
//!
//! One object is tracked, and it may be one that the loop allocates. So the loop changes what is known of the tracked object;
//! but if it is not one of its own, all of that is as it was when the loop was entered. Its own objects lie
//! after all that there were then.

use crate::view::blocks::InlinedView;
use craig_program::encode::StateNames;
use craig_program::{CutId, StateVar};
use craig_term::{TermId, Terms};

/// What may hold at the head of a loop of the tracked object.
pub(super) fn guesses(tm: &mut Terms, view: &InlinedView<'_>, head: CutId) -> Vec<TermId> {
    let mut names = StateNames::default();
    let mut known = |tm: &mut Terms, is_it: &dyn Fn(StateVar) -> bool| {
        let part = view.encoding.states[head].iter().find(|part| is_it(part.var))?;
        Some((part.current, names.entry(view.program, tm, part.var)))
    };
    let mut tracked = |tm: &mut Terms, part: &str| {
        let name = format!(".tracked.{part}");
        known(tm, &|var| matches!(var, StateVar::Var(var) if *view.program.vars[var].name == *name))
    };
    let [start, end, limit, live] = ["start", "end", "limit", "live"].map(|part| tracked(tm, part));
    let next = known(tm, &|var| matches!(var, StateVar::Var(var) if view.program.next_address == Some(var)));
    let (Some((start, start_then)), Some((next, next_then))) = (start, next) else { return Vec::new() };
    let is_own = tm.le(next_then, start);
    let mut kept = vec![tm.eq(start, start_then)];
    for (now, then) in [end, limit].into_iter().flatten() {
        kept.push(tm.eq(now, then));
    }
    let is_kept = tm.and(&kept);
    let mut found = vec![tm.or2(is_own, is_kept)];
    if let Some((now, then)) = live {
        let lives_on = tm.eq(now, then);
        found.push(tm.or2(is_own, lives_on));
        // A loop may free what it has not allocated; its own objects live.
        let is_other = tm.not(is_own);
        found.push(tm.or2(is_other, now));
    }
    for (end, _) in [end, limit].into_iter().flatten() {
        found.push(tm.le(end, next));
    }
    found
}
