//! Which ways around loops are repeated.
//!
//! Inner loops come first, so that a way around an outer loop may contain their repeated steps.

use super::closed::repeated;
use super::paths::Paths;
use super::step::Step;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Map};
use craig_program::{CutEdgeId, CutId};
use craig_term::Terms;

/// Repeated steps of a program, and at one cutpoint.
const MAX_STEPS: usize = 60;
const MAX_AT_HEAD: usize = 20;
/// Repeated steps within repeated steps.
const MAX_NESTED: usize = 2;
/// Ways around one loop.
const MAX_WAYS: usize = 16;
/// Steps of one way that are tried, whether they come around or not.
const MAX_TRIED: usize = 200;
/// Steps one after the other.
const MAX_LENGTH: usize = 7;
/// Larger programs have no loops that count and nothing else.
const MAX_CUTPOINTS: usize = 40;

/// Steps that stand for many rounds.
pub(super) fn repeated_steps(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget) -> Vec<Step> {
    let cuts = &view.encoding.cuts;
    let mut cycles = Cycles { view, along: Map::default(), found: Vec::new(), budget };
    if cuts.cutpoints.len() > MAX_CUTPOINTS {
        return Vec::new();
    }
    for &head in cuts.wto.order.iter().rev().filter(|&&cut| cuts.wto.is_head(cut)) {
        cycles.at(tm, head);
    }
    cycles.found
}

struct Cycles<'a> {
    view: &'a InlinedView<'a>,
    /// The steps along edges that were looked at.
    along: Map<CutEdgeId, Vec<Step>>,
    found: Vec<Step>,
    budget: &'a Budget,
}

impl Cycles<'_> {
    /// Repeats ways around the loop of a head.
    fn at(&mut self, tm: &mut Terms, head: CutId) {
        let ways = self.around(tm, head);
        let Some(edge) = self.view.encoding.cuts.cutpoints[head].outgoing.first().copied() else { return };
        let mut paths = Paths::new(tm, self.view, edge, self.budget);
        let begin = self.found.len();
        // The newest repeated steps, each with the number of the way that it ends with.
        let mut newest: Vec<(Step, usize)> = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            newest.extend(self.repeat(tm, &mut paths, way, false).map(|many| (many, number)));
        }
        let has_form: Vec<usize> = newest.iter().map(|&(_, number)| number).collect();
        // What is repeated until something else happens, which is repeated in turn: as hands of a clock.
        for _ in 0..MAX_NESTED {
            for (many, last) in std::mem::take(&mut newest) {
                for (number, way) in ways.iter().enumerate().filter(|&(number, _)| number != last) {
                    let found = self.in_turn(tm, &mut paths, &many, way, begin);
                    newest.extend(found.into_iter().map(|many| (many, number)));
                }
            }
        }
        // Ways that take turns.
        for (number, first) in ways.iter().enumerate() {
            for (other, second) in ways.iter().enumerate() {
                // Two rounds of the same may have a closed form where one has not: `x = 1 - x`.
                if number != other || !has_form.contains(&number) {
                    self.in_turn(tm, &mut paths, first, second, begin);
                }
            }
        }
    }

    /// The step repeated, if that is possible. Products of unknowns are for simple loops only.
    fn repeat(&mut self, tm: &mut Terms, paths: &mut Paths<'_>, way: &Step, nested: bool) -> Option<Step> {
        let many = repeated(tm, self.view.encoding, way)?;
        if nested && !many.is_linear(tm) || !paths.is_possible(tm, &many) {
            return None;
        }
        self.found.push(many.clone());
        Some(many)
    }

    /// One step after the other, repeated, for all cases.
    fn in_turn(
        &mut self,
        tm: &mut Terms,
        paths: &mut Paths<'_>,
        first: &Step,
        second: &Step,
        begin: usize,
    ) -> Vec<Step> {
        let is_full = self.found.len() >= begin + MAX_AT_HEAD || self.found.len() >= MAX_STEPS;
        if is_full || self.budget.check().is_err() {
            return Vec::new();
        }
        let both = first.then(tm, self.view.encoding, second);
        let mut cases = Vec::new();
        paths.split(tm, both, &mut cases);
        cases.iter().filter_map(|case| self.repeat(tm, paths, case, true)).collect()
    }

    /// Ways from a head back to it that pass no other cutpoint twice, but for repeated steps there.
    fn around(&mut self, tm: &mut Terms, head: CutId) -> Vec<Step> {
        let cuts = &self.view.encoding.cuts;
        let mut ways = Vec::new();
        let mut open: Vec<(Step, Vec<CutId>)> = Vec::new();
        let leave = |steps: Vec<Step>| steps.into_iter().rev().map(|step| (step, Vec::new()));
        open.extend(leave(self.from(tm, head, None)));
        let Some(&edge) = cuts.cutpoints[head].outgoing.first() else { return ways };
        let mut paths = Paths::new(tm, self.view, edge, self.budget);
        let mut tried = 0;
        while let Some((step, mut passed)) = open.pop() {
            tried += 1;
            if ways.len() >= MAX_WAYS || tried > MAX_TRIED || self.budget.check().is_err() {
                break;
            }
            if step.to == head {
                ways.push(step);
                continue;
            }
            if passed.len() >= MAX_LENGTH {
                continue;
            }
            // What was just repeated is not repeated again.
            let was_repeated = passed.last() == Some(&step.to);
            if !was_repeated && passed.contains(&step.to) {
                continue;
            }
            passed.push(step.to);
            let mut next = self.from(tm, step.to, Some(head));
            if !was_repeated {
                next.extend(self.found.iter().filter(|many| many.from == step.to).cloned());
            }
            for other in next.iter().rev() {
                let both = step.then(tm, self.view.encoding, other);
                let mut cases = Vec::new();
                paths.split(tm, both, &mut cases);
                open.extend(cases.into_iter().map(|case| (case, passed.clone())));
            }
        }
        ways
    }

    /// Single steps from a cutpoint, to itself only where no loop around it is looked for.
    fn from(&mut self, tm: &mut Terms, cut: CutId, around: Option<CutId>) -> Vec<Step> {
        let cuts = &self.view.encoding.cuts;
        let mut all = Vec::new();
        for &edge in &cuts.cutpoints[cut].outgoing {
            let to = cuts.edges[edge].to;
            if to == cuts.error || around.is_some() && to == cut {
                continue;
            }
            if !self.along.contains_key(&edge) {
                let steps = Paths::new(tm, self.view, edge, self.budget).along(tm, edge);
                self.along.insert(edge, steps);
            }
            all.extend(self.along[&edge].iter().cloned());
        }
        all
    }
}
