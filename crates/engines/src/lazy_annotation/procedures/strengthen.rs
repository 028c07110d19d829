//! Inductive strengthening: the greatest inductive subset of the labels without their bounds.

use super::labels::Known;
use super::{Labelled, QUESTIONS, Question, Search, Stop};
use crate::functions::NodeId;
use crate::lazy_annotation::annotation::{Bounds, Label};
use craig_base::{Index, Map, OrderedSet};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::TermId;

impl Search<'_> {
    /// Takes the bounds off all labels that justify each other without them.
    pub(super) fn strengthen(&mut self) -> Result<(), Stop> {
        self.version += 1;
        let bounded = self.annotation.clone();
        let mut waiting: OrderedSet<Labelled> = OrderedSet::default();
        for (id, function) in self.view.functions.enumerated() {
            for edge in function.edges.indices() {
                waiting.extend(QUESTIONS.map(|question| (id, edge, question)));
            }
        }
        let fixed: Map<Labelled, Vec<bool>> = bounded
            .iter()
            .map(|(&at, labels)| (at, labels.iter().map(|label| label.bounds.is_unbounded()).collect()))
            .collect();
        for labels in self.annotation.values_mut() {
            for label in labels {
                label.bounds = Bounds::default();
            }
        }
        let kept = self.remove_unjustified(waiting, &fixed);
        // What is left has no bounds; the others keep theirs.
        for (at, labels) in bounded {
            let mut merged = self.annotation.get_mut(&at).map(std::mem::take).unwrap_or_default();
            let lost = labels.into_iter().filter(|old| merged.iter().all(|new| new.formula != old.formula));
            let lost: Vec<Label> = lost.collect();
            merged.extend(lost);
            self.annotation.insert(at, merged);
        }
        kept
    }

    fn remove_unjustified(
        &mut self,
        mut waiting: OrderedSet<Labelled>,
        fixed: &Map<Labelled, Vec<bool>>,
    ) -> Result<(), Stop> {
        // Labels that had no bounds are justified by labels that had none, and are never lost.
        let mut safe: Map<Labelled, OrderedSet<TermId>> = Map::default();
        for (at, labels) in &self.annotation {
            let formulas = labels.iter().zip(&fixed[at]).filter(|(_, fixed)| **fixed);
            safe.insert(*at, formulas.map(|(label, _)| label.formula).collect());
        }
        while let Some(at) = waiting.pop() {
            self.budget.check()?;
            let unsure: Vec<TermId> = self.annotation[&at]
                .iter()
                .map(|label| label.formula)
                .filter(|formula| !safe[&at].contains(formula))
                .collect();
            if unsure.is_empty() {
                continue;
            }
            let (ways, _) = self.outcomes(at, &Known::Unbounded, &Known::Unbounded);
            let mut solver = NativeSolver::default();
            let bad = self.terms.or(&ways);
            solver.assert(self.terms, bad);
            let mut lost = Vec::new();
            for formula in unsure {
                match solver.check(self.terms, &[formula], self.budget) {
                    Answer::Unsat => {}
                    Answer::Sat => lost.push(formula),
                    Answer::Unknown(_) => {
                        self.budget.check()?;
                        lost.push(formula);
                    }
                }
            }
            if lost.is_empty() {
                continue;
            }
            if let Some(labels) = self.annotation.get_mut(&at) {
                labels.retain(|label| !lost.contains(&label.formula));
            }
            waiting.extend(self.dependents(at));
        }
        Ok(())
    }

    /// What may have used a label that is lost.
    fn dependents(&self, (id, edge, question): Labelled) -> Vec<Labelled> {
        let function = &self.view.functions[id];
        let node = function.edges[edge].from;
        let mut dependents = Vec::new();
        let into = function.edges.enumerated().filter(|(_, into)| into.to == Some(node));
        dependents.extend(into.map(|(before, _)| (id, before, question)));
        if node == NodeId::from_usize(0) {
            for (caller, function) in self.view.functions.enumerated() {
                for (call, edge) in function.edges.enumerated() {
                    let Some(target) = edge.call.as_ref().filter(|target| target.callee == id) else {
                        continue;
                    };
                    dependents.push((caller, call, question));
                    if question == Question::Exit && !target.is_tail {
                        dependents.push((caller, call, Question::Goal));
                    }
                }
            }
        }
        dependents
    }

    /// Whether the labels without bounds exclude the goals from the start.
    pub(super) fn initially_blocked(&mut self) -> Result<bool, Stop> {
        let (main, start) = (self.view.main, NodeId::from_usize(0));
        let claim = self.holds_at(main, start, Question::Goal, &Known::Unbounded);
        let outside = self.terms.not(claim.formula);
        let mut solver = NativeSolver::default();
        solver.assert(self.terms, self.view.initial);
        match solver.check(self.terms, &[outside], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}
