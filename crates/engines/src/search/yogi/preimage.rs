//! `Pre`: the states from which a block leads into a region.

use super::graph::{Block, Graph, Point};
use crate::view::blocks::conjuncts;
use craig_base::{Budget, OrderedMap, Set};
use craig_smt::project::eliminate;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Op, Substitution, TermId, Terms};

/// Projections that an exact preimage may take.
const MAX_CUBES: usize = 24;
/// How deep formulas are looked into for values.
const MAX_DEPTH: usize = 6;

/// The guard of a block and the region after it, over the constants of the source and the block's
/// free ones: the preimage before quantification.
pub fn open_preimage(tm: &mut Terms, graph: &Graph, block: &Block, target: TermId) -> Vec<TermId> {
    let mut parts = block.guard.clone();
    let after = after(tm, &graph.points[block.to], block, target);
    parts.extend(conjuncts(tm, after));
    parts
}

/// A formula about the state after the block, in the state before it.
pub fn after(tm: &mut Terms, to: &Point, block: &Block, formula: TermId) -> TermId {
    let pairs = to.state.iter().map(|&(_, constant)| constant).zip(block.values.iter().copied());
    let before = Substitution::from_pairs(pairs.collect::<Vec<_>>()).apply(tm, formula);
    with_values(tm, before)
}

/// The formula where constants that a conjunct fixes have their values in the others. A block that copies one variable
/// into another makes `x = 1 ∧ x = 2` of `x = 1 ∧ y = 2`: only a solver would see that there is no such state,
/// and predicates about it would be carried through the program.
pub fn with_values(tm: &mut Terms, formula: TermId) -> TermId {
    with_values_to(tm, formula, MAX_DEPTH)
}

fn with_values_to(tm: &mut Terms, formula: TermId, depth: usize) -> TermId {
    let parts = tm.args(formula).to_vec();
    match tm.op(formula) {
        Op::Or if depth > 0 => {
            let parts: Vec<TermId> =
                parts.into_iter().map(|part| with_values_to(tm, part, depth - 1)).collect();
            tm.or(&parts)
        }
        Op::And if depth > 0 => {
            let mut values: OrderedMap<TermId, TermId> = OrderedMap::default();
            let mut others = Vec::new();
            for part in parts {
                match value(tm, part) {
                    Some((constant, value)) if *values.entry(constant).or_insert(value) != value => {
                        return Terms::FALSE;
                    }
                    Some(_) => {}
                    None => others.push(part),
                }
            }
            let mut known =
                Substitution::from_pairs(values.iter().map(|(&constant, &value)| (constant, value)));
            let mut result: Vec<TermId> =
                values.iter().map(|(&constant, &value)| tm.eq(constant, value)).collect();
            for part in others {
                let part = known.apply(tm, part);
                result.push(with_values_to(tm, part, depth - 1));
            }
            let again = tm.and(&result);
            // What was left may fix more of them.
            if again == formula { again } else { with_values_to(tm, again, depth - 1) }
        }
        _ => formula,
    }
}

/// The constant that an equation fixes, and its value.
fn value(tm: &Terms, part: TermId) -> Option<(TermId, TermId)> {
    if tm.op(part) != Op::Eq {
        return None;
    }
    let (a, b) = (tm.arg(part, 0), tm.arg(part, 1));
    let is_constant = |term| matches!(tm.op(term), Op::Const(_));
    match (tm.int_value(a), tm.int_value(b)) {
        (None, Some(_)) if is_constant(a) => Some((a, b)),
        (Some(_), None) if is_constant(b) => Some((b, a)),
        _ => None,
    }
}

/// Pre of a region, taken apart.
pub struct Pre {
    /// What is asked of the state because of the region after the block, or of inputs.
    pub after: Vec<TermId>,
    /// Conditions of the block.
    pub guard: Vec<TermId>,
}

/// Pre of `target`, exactly; none if the quantifier over the block's free constants resists.
pub fn preimage(
    tm: &mut Terms,
    graph: &Graph,
    block: &Block,
    target: TermId,
    budget: &Budget,
) -> Option<Pre> {
    let free: Set<TermId> = block.free.iter().copied().collect();
    let target = after(tm, &graph.points[block.to], block, target);
    let target = conjuncts(tm, target);
    // What does not mention free constants stays outside of the quantifier.
    let is_free = |tm: &Terms, part: TermId| tm.free_consts(part).iter().any(|symbol| free.contains(symbol));
    let (mut inner, guard): (Vec<TermId>, Vec<TermId>) =
        block.guard.iter().copied().partition(|&part| is_free(tm, part));
    let (more, mut after): (Vec<TermId>, Vec<TermId>) =
        target.into_iter().partition(|&part| is_free(tm, part));
    inner.extend(more);
    if inner.is_empty() {
        return Some(Pre { after, guard });
    }
    let inner = tm.and(&inner);
    let eliminated: Vec<TermId> =
        tm.free_consts(inner).into_iter().filter(|symbol| free.contains(symbol)).collect();
    let mut solver = NativeSolver::default();
    let mut cubes = 0;
    let exact = eliminate(tm, inner, &eliminated, |tm, formula| {
        cubes += 1;
        if cubes > MAX_CUBES {
            return Err(());
        }
        solver.assert(tm, formula);
        match solver.check(tm, &[], budget) {
            Answer::Sat => Ok(solver.model().cloned()),
            Answer::Unsat => Ok(None),
            Answer::Unknown(_) => Err(()),
        }
    });
    let exact = exact.ok()?;
    let quantified = tm.free_consts(exact).iter().any(|symbol| free.contains(symbol));
    after.extend(conjuncts(tm, exact));
    (!quantified).then_some(Pre { after, guard })
}
