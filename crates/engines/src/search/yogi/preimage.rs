//! `Pre`: the states from which a block leads into a region.

use super::graph::{Block, Graph, Point};
use crate::view::blocks::conjuncts;
use craig_base::{Budget, Set};
use craig_smt::project::eliminate;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Substitution, TermId, Terms};

/// Projections that an exact preimage may take.
const MAX_CUBES: usize = 24;

/// The guard of a block and the region behind it, over the constants of the source and the block's
/// free ones: the preimage before quantification.
pub fn open_preimage(tm: &mut Terms, graph: &Graph, block: &Block, target: TermId) -> Vec<TermId> {
    let mut parts = block.guard.clone();
    let behind = behind(tm, &graph.points[block.to], block, target);
    parts.extend(conjuncts(tm, behind));
    parts
}

/// A formula about the state behind the block, in the state before it.
pub fn behind(tm: &mut Terms, to: &Point, block: &Block, formula: TermId) -> TermId {
    let pairs = to.state.iter().map(|&(_, constant)| constant).zip(block.values.iter().copied());
    Substitution::from_pairs(pairs.collect::<Vec<_>>()).apply(tm, formula)
}

/// Pre of `target`, exactly; none if the quantifier over the block's free constants resists.
pub fn preimage(
    tm: &mut Terms,
    graph: &Graph,
    block: &Block,
    target: TermId,
    budget: &Budget,
) -> Option<TermId> {
    let parts = open_preimage(tm, graph, block, target);
    let free: Set<TermId> = block.free.iter().copied().collect();
    // What does not mention free constants stays outside of the quantifier.
    let (inner, outer): (Vec<TermId>, Vec<TermId>) =
        parts.into_iter().partition(|&part| tm.free_consts(part).iter().any(|symbol| free.contains(symbol)));
    let outer = tm.and(&outer);
    if inner.is_empty() {
        return Some(outer);
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
    (!quantified).then(|| tm.and2(outer, exact))
}
