//! One proof from several, each of which covers some checks of a program.
//!
//! In the program that a group of checks was asked of, other checks end the run where they fail, as the error itself
//! does in the program as it is. So the invariant of each group is inductive for the whole, and all of them together
//! exclude every error. The checker is asked whether that is so. Where there are proofs of other kinds, the proof of the
//! whole is in parts (`craig_certificate`, `parts.rs`).

use crate::portfolio::each::Found;
use crate::verdict::Reason;
use crate::verify::{INLINE_LIMIT, Proof, Verdict};
use craig_base::{Budget, Map, OrderedMap};
use craig_certificate::{Invariant, Part, check_invariant};
use craig_program::{ContextId, LocId, Program, inline};
use craig_term::{TermId, Terms};
use std::sync::Arc;

/// A proof for all checks: one, if all that was proved was proved by invariants, and else one in parts. What was found
/// in the rounds is taken out of them. `None` if some check was not proved.
pub fn joined(
    program: &Program,
    rounds: &mut [Found],
    groups: &[Vec<usize>],
    budget: &Budget,
) -> Option<Proof> {
    if let Some(proof) = one_invariant(program, rounds, budget) {
        return Some(proof);
    }
    let proved = |check: &usize| {
        let mut asked = rounds.iter().zip(groups).filter(|(_, group)| group.contains(check));
        asked.any(|(round, _)| matches!(round.answer, Verdict::Safe(_)))
    };
    if !(0..program.checks.len()).all(|check| proved(&check)) {
        return None;
    }
    let mut parts: Vec<Part<Vec<usize>, Proof>> = Vec::new();
    for (round, checks) in rounds.iter_mut().zip(groups) {
        let taken = Verdict::Unknown(Reason::AnotherFailed);
        if let Verdict::Safe(proof) = std::mem::replace(&mut round.answer, taken) {
            parts.push(Part { checks: checks.clone(), proof: *proof });
        }
    }
    Some(Proof::Parts(parts))
}

fn one_invariant(program: &Program, rounds: &[Found], budget: &Budget) -> Option<Proof> {
    let inlined = inline(program, INLINE_LIMIT).ok()?;
    let places: Map<(ContextId, LocId), LocId> =
        inlined.locations.enumerated().map(|(id, &origin)| (origin, id)).collect();
    let mut terms = Terms::new();
    let mut formulas: OrderedMap<LocId, Vec<TermId>> = OrderedMap::default();
    let mut frames = false;
    for round in rounds {
        let Verdict::Safe(proof) = &round.answer else { continue };
        let Proof::Invariant { terms: own, inlined, invariant } = &**proof else { return None };
        // What was proved without frames holds with them as well.
        frames |= invariant.frames;
        let known: Vec<TermId> = invariant.formulas.values().copied().collect();
        let known = terms.import(own, &known).ok()?;
        for (location, formula) in invariant.formulas.keys().zip(known) {
            // A check that was left out leads to a place that only its own program has.
            if let Some(&place) = places.get(&inlined.locations[*location]) {
                formulas.entry(place).or_default().push(formula);
            }
        }
    }
    let conjunctions = formulas.into_iter().map(|(location, formulas)| (location, terms.and(&formulas)));
    let invariant = Invariant { formulas: conjunctions.collect(), frames };
    check_invariant(&mut terms, &inlined.program, &invariant, budget).ok()?;
    Some(Proof::Invariant { terms, inlined: Arc::new(inlined), invariant })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portfolio::table::{PROGRAM_ENGINES, find};
    use crate::{testing, verify};
    use craig_base::Stats;
    use craig_program::{CheckKind, CheckSet, instrument};

    /// The invariants of each check alone say nothing about the other; together they are a proof of both.
    #[test]
    fn proofs_of_single_checks_are_joined() {
        let mut program = testing::program(
            "extern int input(void); extern void reach_error(void);
             static int grow(int x) { if (x < 0) reach_error(); return x + 1; }
             int main(void) {
                 int x = 0, y = 10;
                 while (x < 100 && input()) { x = grow(x); y = y + 2; if (y != 2 * x + 10) reach_error(); }
                 return 0;
             }",
        );
        instrument(&mut program, CheckSet::from_iter([CheckKind::Error]));
        assert_eq!(program.checks.len(), 2);
        let budget = Budget::unlimited();
        let engine = (find(PROGRAM_ENGINES, "ufo").expect("an engine").engine)();
        let ask = |check| Found {
            answer: verify(&program.with_checks(&[check]), engine, &budget, &mut Stats::default()),
            winner: Some("ufo"),
            fates: Vec::new(),
        };
        let (mut rounds, groups) = ([ask(0), ask(1)], [vec![0], vec![1]]);
        assert!(rounds.iter().all(|round| matches!(round.answer, Verdict::Safe(_))));
        assert!(one_invariant(&program, &rounds, &budget).is_some());
        assert!(one_invariant(&program, &rounds[..1], &budget).is_none(), "half of it is no proof");
        assert!(joined(&program, &mut rounds[..1], &groups, &budget).is_none(), "nor is it a proof in parts");
    }
}
