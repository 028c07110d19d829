//! CLEAN: from the interpolant in front of a node's part to the label of the node.
//!
//! `c_v` is true; the other control variables and the symbols out of scope are quantified. A variable
//! that occurs with one sign only is quantified by a constant. What remains is eliminated by models,
//! as long as few of them are enough.

use super::condition::{Condition, Graph};
use crate::interpolate::Failure;
use crate::native::{NativeSolver, Options};
use crate::project::{EliminateError, eliminate};
use crate::solver::{Answer, Solver, UnknownReason};
use craig_base::{Budget, Map, Set};
use craig_term::{Op, Sort, Substitution, TermId, Terms};

/// Models that one elimination may take; beyond, a query of its own is cheaper than the label is good.
const MAX_CUBES: usize = 8;
/// Conflicts that the search for a model may have.
const MAX_CONFLICTS: u64 = 500;
/// Larger interpolants are not quantified.
const MAX_SIZE: usize = 400;

pub(super) struct Cleaned {
    pub label: TermId,
    pub quantified: bool,
}

/// The label; none if it has quantifiers that are not to be eliminated, or would cost too much.
pub(super) fn clean(
    terms: &mut Terms,
    graph: &Graph<'_>,
    condition: &Condition,
    node: usize,
    interpolant: TermId,
    eliminate: bool,
    budget: &Budget,
) -> Result<Option<Cleaned>, Failure> {
    let focused =
        Substitution::from_pairs([(condition.control(node), Terms::TRUE)]).apply(terms, interpolant);
    let label = quantify_controls(terms, condition, focused);
    let (mut universal, mut existential) = (Vec::new(), Vec::new());
    for constant in terms.free_consts(label) {
        if condition.is_control(constant) || !graph.is_mentioned_before(constant, node) {
            universal.push(constant);
        } else if !graph.is_mentioned_behind(constant, node) {
            existential.push(constant);
        }
    }
    if universal.is_empty() && existential.is_empty() {
        return Ok(Some(Cleaned { label, quantified: false }));
    }
    if !eliminate || terms.dag_size(label) > MAX_SIZE {
        return Ok(None);
    }
    let negation = terms.not(label);
    let Some(violated) = exists(terms, negation, &universal, budget)? else { return Ok(None) };
    let for_all = terms.not(violated);
    let label = exists(terms, for_all, &existential, budget)?;
    Ok(label.map(|label| Cleaned { label, quantified: true }))
}

/// Universal quantification of the control variables that occur with one sign.
fn quantify_controls(terms: &mut Terms, condition: &Condition, formula: TermId) -> TermId {
    let signs = signs(terms, formula, |t| condition.is_control(t));
    let single = signs.into_iter().filter(|&(_, sign)| sign != POSITIVE | NEGATIVE);
    let values: Map<TermId, TermId> =
        single.map(|(control, sign)| (control, terms.bool(sign == NEGATIVE))).collect();
    Substitution::new(values).apply(terms, formula)
}

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// The signs with which Boolean constants occur.
fn signs(terms: &Terms, formula: TermId, of: impl Fn(TermId) -> bool) -> Map<TermId, u8> {
    let mut found: Map<TermId, u8> = Map::default();
    let mut seen: Set<(TermId, u8)> = Set::default();
    let mut stack = vec![(formula, POSITIVE)];
    while let Some((t, sign)) = stack.pop() {
        if !seen.insert((t, sign)) {
            continue;
        }
        if of(t) {
            *found.entry(t).or_default() |= sign;
        }
        let opposite = sign ^ (POSITIVE | NEGATIVE);
        match terms.op(t) {
            Op::And | Op::Or => stack.extend(terms.args(t).iter().map(|&arg| (arg, sign))),
            Op::Not => stack.push((terms.arg(t, 0), opposite)),
            _ => {
                stack.extend(terms.args(t).iter().flat_map(|&arg| [(arg, sign), (arg, opposite)]));
            }
        }
    }
    found
}

/// `∃ constants. formula`; none if it takes too much.
fn exists(
    terms: &mut Terms,
    formula: TermId,
    constants: &[TermId],
    budget: &Budget,
) -> Result<Option<TermId>, Failure> {
    if constants.is_empty() {
        return Ok(Some(formula));
    }
    let projectable =
        |&t: &TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Bool | Sort::Int | Sort::Real);
    if !constants.iter().all(projectable) {
        return Ok(None);
    }
    let mut solver = NativeSolver::new(Options { conflicts: MAX_CONFLICTS, ..Options::default() });
    let mut models = 0;
    let eliminated = eliminate(terms, formula, constants, |terms, added| {
        models += 1;
        if models > MAX_CUBES + 1 {
            return Err(None);
        }
        solver.assert(terms, added);
        match solver.check(terms, &[], budget) {
            Answer::Sat => Ok(solver.model().cloned()),
            Answer::Unsat => Ok(None),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Some(reason)),
            Answer::Unknown(_) => Err(None),
        }
    });
    match eliminated {
        Ok(result) => {
            let left = terms.free_consts(result);
            Ok(constants.iter().all(|constant| !left.contains(constant)).then_some(result))
        }
        Err(EliminateError::Oracle(Some(reason))) => Err(Failure::Solver(UnknownReason::Stopped(reason))),
        Err(EliminateError::Oracle(None) | EliminateError::Project(_)) => Ok(None),
    }
}
