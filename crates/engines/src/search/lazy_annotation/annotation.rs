//! Labels of edges: conditions under which no path that begins with the edge reaches a goal, or the exit in a given
//! state.

use crate::view::EdgeId;
use craig_base::IndexVec;
use craig_term::{Model, TermId, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// For some components a bound: the label holds while τ of the component is smaller. Without an entry, it
/// holds for every τ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds(BTreeMap<usize, u64>);

impl Bounds {
    /// `τ < bound` for one component.
    pub fn below(component: usize, bound: u64) -> Self {
        Bounds(BTreeMap::from([(component, bound)]))
    }

    pub fn is_unbounded(&self) -> bool {
        self.0.is_empty()
    }

    pub fn hold(&self, tau: impl Fn(usize) -> u64) -> bool {
        self.0.iter().all(|(&component, &bound)| tau(component) < bound)
    }

    /// Both.
    pub fn meet(&mut self, other: &Bounds) {
        for (&component, &bound) in &other.0 {
            let own = self.0.entry(component).or_insert(bound);
            *own = bound.min(*own);
        }
    }

    /// As seen before an edge on which τ of the component decreases.
    pub fn before_decrease(&mut self, component: usize) {
        if let Some(bound) = self.0.get_mut(&component) {
            *bound += 1;
        }
    }

    /// Whether these hold wherever the others do.
    fn are_implied_by(&self, others: &Bounds) -> bool {
        self.0.iter().all(|(component, bound)| others.0.get(component).is_some_and(|other| other <= bound))
    }

    pub fn components(&self) -> impl Iterator<Item = usize> {
        self.0.keys().copied()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// Over the current constants of the source of the edge; if it is about the exit, over the state there as well.
    pub formula: TermId,
    pub bounds: Bounds,
    /// A state that satisfies it, if one is known.
    pub example: Option<Rc<Model>>,
}

impl Label {
    pub fn always(formula: TermId) -> Self {
        Label::within(formula, Bounds::default())
    }

    pub fn within(formula: TermId, bounds: Bounds) -> Self {
        Label { formula, bounds, example: None }
    }
}

/// What a query asks, and what the labels that answer it exclude. A negative summary of the paper is a pair of labels:
/// one for each value of its flag `f'`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Is a goal reached, in this procedure or in one that it calls?
    Goal,
    /// Does the procedure end, and in the given state?
    Exit,
}

pub(super) const QUESTIONS: [Question; 2] = [Question::Goal, Question::Exit];

/// Which labels are looked at.
#[derive(Clone, Copy)]
pub(super) enum Known {
    /// Those that apply with this τ.
    Below(u64),
    /// Those without bounds.
    Unbounded,
}

/// The annotation A: what holds for an edge is the disjunction of its labels, what holds at a location
/// the conjunction of what holds for its outgoing edges.
pub(super) struct Annotation {
    labels: IndexVec<EdgeId, [Vec<Label>; 2]>,
    /// How many times it has changed.
    pub version: u64,
}

impl Annotation {
    pub fn new(edges: usize) -> Self {
        Annotation { labels: IndexVec::from_elem([Vec::new(), Vec::new()], edges), version: 0 }
    }

    pub fn of(&self, edge: EdgeId, question: Question) -> &[Label] {
        &self.labels[edge][question as usize]
    }

    pub fn of_mut(&mut self, edge: EdgeId, question: Question) -> &mut Vec<Label> {
        self.version += 1;
        &mut self.labels[edge][question as usize]
    }

    /// The formulas of all labels, with the edge that they belong to.
    pub fn formulas(&self) -> impl Iterator<Item = (EdgeId, TermId)> {
        let all = self.labels.enumerated();
        all.flat_map(|(edge, labels)| labels.iter().flatten().map(move |label| (edge, label.formula)))
    }

    /// Adds a label, and discards those that it subsumes: formulas that imply its own, under bounds that
    /// imply its own.
    pub fn add(
        &mut self,
        tm: &mut Terms,
        (edge, question): (EdgeId, Question),
        new: Label,
        mut implies: impl FnMut(&mut Terms, TermId, TermId) -> bool,
    ) {
        let labels = self.of_mut(edge, question);
        labels.retain(|old| {
            let excluded = |example: &Rc<Model>| tm.eval_bool(new.formula, example) == Ok(false);
            let subsumed = new.bounds.are_implied_by(&old.bounds)
                && (old.formula == new.formula
                    || !old.example.as_ref().is_some_and(excluded) && implies(tm, old.formula, new.formula));
            !subsumed
        });
        labels.push(new);
    }
}
