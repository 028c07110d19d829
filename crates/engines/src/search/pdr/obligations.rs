//! Proof obligations and the order in which they are looked at: lowest level first, then those
//! nearest to the goal.

use super::Focus;
use craig_base::{IndexVec, index_type};
use craig_chc::PredicateId;
use craig_term::TermId;
use std::collections::BTreeSet;
use std::ops::Index;

index_type!(
    /// An obligation of one search.
    pub(super) ObligationId,
    "o"
);

/// Is some point of the cube derivable at this level?
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub predicate: PredicateId,
    /// Literals over the parameters.
    pub cube: Vec<TermId>,
    pub level: usize,
    /// Whose body this is about, and which atom of it.
    pub parent: Option<(ObligationId, usize)>,
    /// Steps from the goal.
    pub depth: usize,
    pub focus: Option<Focus>,
}

#[derive(Default)]
pub(super) struct Obligations {
    all: IndexVec<ObligationId, Obligation>,
    queue: BTreeSet<(usize, usize, ObligationId)>,
}

impl Index<ObligationId> for Obligations {
    type Output = Obligation;

    fn index(&self, id: ObligationId) -> &Obligation {
        &self.all[id]
    }
}

impl Obligations {
    pub fn add(
        &mut self,
        predicate: PredicateId,
        cube: Vec<TermId>,
        level: usize,
        parent: Option<(ObligationId, usize)>,
    ) -> ObligationId {
        let depth = parent.map_or(0, |(parent, _)| self.all[parent].depth + 1);
        self.all.push(Obligation { predicate, cube, level, parent, depth, focus: None })
    }

    pub fn enqueue(&mut self, id: ObligationId) {
        let key = self.key(id);
        self.queue.insert(key);
    }

    pub fn dequeue(&mut self, id: ObligationId) {
        let key = self.key(id);
        self.queue.remove(&key);
    }

    pub fn first(&self) -> Option<ObligationId> {
        self.queue.first().map(|&(_, _, id)| id)
    }

    pub fn clear_queue(&mut self) {
        self.queue.clear();
    }

    /// Moves an obligation that is not in the queue to a higher level.
    pub fn raise(&mut self, id: ObligationId, level: usize) {
        self.all[id].level = level;
        self.all[id].focus = None;
        // The parent waits at another level now, and will ask again by itself.
        self.all[id].parent = None;
    }

    pub fn set_focus(&mut self, id: ObligationId, focus: Option<Focus>) {
        self.all[id].focus = focus;
    }

    /// Tells the parent that the atom it asked about is derivable.
    pub fn settle(&mut self, id: ObligationId) {
        if let Some((parent, atom)) = self.all[id].parent
            && let Some(focus) = &mut self.all[parent].focus
        {
            focus.derived[atom] = true;
        }
    }

    fn key(&self, id: ObligationId) -> (usize, usize, ObligationId) {
        (self.all[id].level, self.all[id].depth, id)
    }
}
