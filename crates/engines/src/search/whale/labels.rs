//! Labels: what is refuted once need not be refuted again.
//!
//! REFINEARG guesses specifications for the callees of one ARG, and then goes down: for each of them, the same paths are
//! refuted once more, under what was guessed above. But the refutation of the first ARG's IARGCOND is one of everything below
//! it, too. Its tree interpolants (section 6.7: those of DUALITY) say of each ARG there what its executions are, as far as
//! they matter, in terms of parameters and returns; and the paths of an ARG with the labels of its calls imply its own label.
//! So as long as nothing is added below an ARG, its calls are under-approximated by labels: the condition is as large
//! as one function, and guards and summaries come from its state/transition interpolants as always. Only where paths were
//! added, in loops and recursion, another refutation can say something new, and IARGCOND is that of the thesis.

use super::condition::Condition;
use super::instances::Instance;
use super::{ArgId, Whale};
use crate::verdict::Reason;
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_term::{Model, Substitution, TermId, Terms};

impl Whale<'_> {
    /// Puts the labels of the justifying ARGs in the place of the facts of a condition, if all of them have one.
    pub(super) fn put_labels(&mut self, arg: ArgId, condition: &mut Condition) -> bool {
        for (k, &id) in condition.calls.iter().enumerate() {
            let Some(&child) = self.args[arg].children.get(&id) else { continue };
            let edge = &self.view.functions[self.args[arg].function].edges[id];
            let (Some(call), Some(label)) = (&edge.call, self.args[child].label) else { return false };
            let label = call.instantiate(self.terms, &self.view, label);
            condition.parts[k + 2] = self.terms.implies(edge.taken, label);
        }
        true
    }

    /// A model of a condition with copies of ARGs. If it has none, labels these ARGs, and puts labels in the place of the
    /// copies; where there is no interpolant, the copies stay.
    pub(super) fn label(
        &mut self,
        instances: &[Instance],
        condition: &mut Condition,
    ) -> Result<Option<Model>, Reason> {
        // Callees come before their callers.
        let root = instances.len();
        let at = |instance: usize| root - 1 - instance;
        let mut parts: Vec<TermId> =
            instances.iter().rev().map(|instance| instance.if_made(self.terms)).collect();
        let mut own = condition.parts.clone();
        instances.iter().for_each(|instance| own[instance.call + 2] = Terms::TRUE);
        parts.push(self.terms.and(&own));
        let parents: Vec<usize> =
            instances.iter().rev().map(|instance| instance.caller.map_or(root, at)).collect();
        let options = interpolate::Options::default();
        let labels = match interpolate::tree(self.terms, &parts, &parents, &options, self.budget) {
            Interpolation::Interpolants(labels) => labels,
            Interpolation::Sat(model) => return Ok(Some(model)),
            Interpolation::Unknown(Failure::Solver(reason)) => return Err(Reason::from(reason)),
            Interpolation::Unknown(_) => return Ok(None),
        };
        for (k, instance) in instances.iter().enumerate() {
            if instance.caller.is_none() {
                condition.parts[instance.call + 2] = labels[at(k)];
            }
            let label = self.label_of(instance, labels[at(k)]);
            self.args[instance.arg].label = Some(label);
        }
        Ok(None)
    }

    /// Paths were added to an ARG: what was refuted of it and of those above it was not all of their paths.
    pub(super) fn grow(&mut self, arg: ArgId) {
        let mut at = Some(arg);
        while let Some(id) = at {
            self.args[id].label = None;
            at = self.args[id].parent;
        }
    }

    /// What an interpolant says of a call that is made.
    fn label_of(&mut self, instance: &Instance, interpolant: TermId) -> TermId {
        let function = &self.view.functions[self.args[instance.arg].function];
        let interface = function.interface();
        let mut pairs: Vec<(TermId, TermId)> =
            interface.iter().filter_map(|own| Some((*instance.copies.get(own)?, *own))).collect();
        pairs.push((instance.taken, Terms::TRUE));
        Substitution::from_pairs(pairs).apply(self.terms, interpolant)
    }
}
