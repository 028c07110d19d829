//! COMPUTEPOST for the domains (section 5.4.1).
//!
//! Boxes follow the statements of a segment. Whether an edge can be taken at all is also asked of the
//! solver where that is worth a question: into the error location, and from labels that say more
//! than the domain can. Templates are bounded by optimisation over the formula of the segment.

use super::labels::Labels;
use crate::search::ufo::abstraction::{Posted, Setting};
use crate::verdict::Reason;
use craig_domains::templates::{Bounds, TemplateDomain, best};
use craig_domains::transfer::Segments;
use craig_domains::{BoxDomain, Domain, IntervalBox, IntervalDomain, predicates};
use craig_program::{CutEdgeId, CutId};
use craig_smt::{Answer, Solver, UnknownReason};
use craig_term::{TermId, Terms};

pub(super) fn by_statements<D: IntervalDomain>(
    labels: &mut Labels<D>,
    segments: &Segments<'_>,
    at: &mut Setting<'_, '_>,
    target: CutId,
    incoming: &[(CutEdgeId, TermId)],
) -> Result<Posted, Reason> {
    let cuts = &at.blocks.encoding.cuts;
    let into_error = target == cuts.error;
    let mut joined = labels.domain.bottom();
    let mut feasible = Vec::with_capacity(incoming.len());
    for &(edge, label) in incoming {
        let source = cuts.edges[edge].from;
        let mut start = labels.element(at.tm, label);
        let facts = labels.domain.alpha(at.tm, at.blocks.facts(source));
        start = labels.domain.meet(&start, &facts);
        if source == cuts.entry {
            let initial = labels.domain.alpha(at.tm, at.blocks.encoding.initial);
            start = labels.domain.meet(&start, &initial);
        }
        let post = segments.post(&mut labels.domain, &cuts.edges[edge].segment, &start, at.budget)?;
        let asks = into_error || !labels.is_known(label);
        let possible = !labels.domain.is_bottom(&post) && (!asks || can_be_taken(at, edge, source, label)?);
        feasible.push(possible);
        if possible {
            let approximated = !at.blocks.encoding.blocks[edge].approximations.is_empty();
            let post = if approximated { confirmed(labels, at, (edge, source), label, post)? } else { post };
            joined = labels.domain.join(&joined, &post);
        }
    }
    // What holds at the cutpoint anyway only makes labels larger, and gives widening more to lose.
    let facts = at.blocks.facts(target);
    if let IntervalBox(Some(known)) = BoxDomain::default().alpha(at.tm, facts) {
        joined = labels.domain.outside_of(&joined, &known);
    }
    Ok(Posted { label: labels.label(at.tm, joined), feasible })
}

fn can_be_taken(
    at: &mut Setting<'_, '_>,
    edge: CutEdgeId,
    source: CutId,
    label: TermId,
) -> Result<bool, Reason> {
    at.stats.add("post queries", 1);
    let facts = at.blocks.facts(source);
    match at.blocks.solver(at.tm, edge).check(at.tm, &[label, facts], at.budget) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(Reason::Solver(reason)),
    }
}

/// What formulas can tell of a post. Interval arithmetic may know more of an operation than the axioms
/// of its formula do, and a proof with such knowledge would be rejected. What does not follow as a
/// whole is looked at one dimension at a time.
fn confirmed<D: IntervalDomain>(
    labels: &mut Labels<D>,
    at: &mut Setting<'_, '_>,
    (edge, source): (CutEdgeId, CutId),
    label: TermId,
    post: D::Element,
) -> Result<D::Element, Reason> {
    let facts = at.blocks.facts(source);
    let mut follows = |labels: &mut Labels<D>, element: &D::Element| -> Result<bool, Reason> {
        let formula = labels.domain.gamma(at.tm, element);
        let after = at.blocks.at_target(at.tm, edge, formula);
        let violated = at.tm.not(after);
        at.stats.add("post queries", 1);
        match at.blocks.solver(at.tm, edge).check(at.tm, &[label, facts, violated], at.budget) {
            Answer::Unsat => Ok(true),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Reason::Stopped(reason)),
            Answer::Sat | Answer::Unknown(_) => Ok(false),
        }
    };
    if follows(labels, &post)? {
        return Ok(post);
    }
    let support = labels.domain.support(&post);
    let mut kept = labels.domain.top();
    for &dimension in &support {
        let others: Vec<TermId> = support.iter().copied().filter(|&other| other != dimension).collect();
        let alone = labels.domain.forget(&post, &others);
        if follows(labels, &alone)? {
            kept = labels.domain.meet(&kept, &alone);
        }
    }
    Ok(kept)
}

/// Bounds of the forms after each segment, and the truth values that are always the same there.
pub(super) fn by_optimisation(
    labels: &mut Labels<TemplateDomain>,
    forms: &[TermId],
    at: &mut Setting<'_, '_>,
    target: CutId,
    incoming: &[(CutEdgeId, TermId)],
) -> Result<Posted, Reason> {
    let truths: Vec<TermId> = at.blocks.state(target).into_iter().filter(|&t| at.tm.is_bool(t)).collect();
    let mut joined = Bounds(None);
    let mut cubes = Vec::new();
    let mut feasible = Vec::with_capacity(incoming.len());
    for &(edge, label) in incoming {
        let source = at.blocks.encoding.cuts.edges[edge].from;
        let known = [label, at.blocks.facts(source)];
        let objectives: Vec<TermId> =
            forms.iter().map(|&form| at.blocks.at_target(at.tm, edge, form)).collect();
        let next: Vec<TermId> = truths.iter().map(|&b| at.blocks.at_target(at.tm, edge, b)).collect();
        let solver = at.blocks.solver(at.tm, edge);
        at.stats.add("optimisations", 1);
        let bounds = best(at.tm, solver, &known, forms, &objectives, at.budget).map_err(Reason::from)?;
        feasible.push(bounds.0.is_some());
        if bounds.0.is_none() {
            continue;
        }
        joined = labels.domain.join(&joined, &bounds);
        let mut queries = 0;
        let values = predicates::cartesian(at.tm, solver, &known, &next, &mut queries, at.budget);
        at.stats.add("post queries", queries);
        cubes.push(match values.map_err(Reason::from)? {
            None => Terms::FALSE,
            Some(values) => predicates::cube(at.tm, &truths, values.into_iter()),
        });
    }
    let bounds = labels.label(at.tm, joined);
    let cube = at.tm.or(&cubes);
    let label = at.tm.and2(bounds, cube);
    labels.strengthened(label, bounds);
    Ok(Posted { label, feasible })
}
