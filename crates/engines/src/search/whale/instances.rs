//! IARGCOND of the thesis (6.2): a call is under-approximated by the paths of the ARG that justifies it, the calls on
//! these by the ARGs that justify them, and so on.
//!
//! Every ARG below a call is copied with constants of its own. An ARG without paths has no executions, so that a call
//! that was never looked into cannot be taken. Executions that a model finds are kept as facts, from the innermost to
//! the outermost, because tests are made of those; conditions do not use them.

use super::condition::Condition;
use super::{ArgId, Whale};
use crate::verdict::Reason;
use craig_base::OrderedMap;
use craig_term::{Model, Substitution, TermId, Terms};

/// A copy of an ARG for one call.
pub(super) struct Instance {
    /// The call of the condition's own ARG that it belongs to.
    pub(super) call: usize,
    pub(super) arg: ArgId,
    /// Whose call it is, if it is not that of the condition's own ARG; always an earlier one.
    pub(super) caller: Option<usize>,
    /// Whether the call is made.
    pub(super) taken: TermId,
    /// From the constants of the function to those of the copy.
    pub(super) copies: OrderedMap<TermId, TermId>,
    /// The paths of the ARG over these constants.
    pub(super) paths: TermId,
}

impl Instance {
    /// If the call is made, then along these paths.
    pub(super) fn if_made(&self, terms: &mut Terms) -> TermId {
        terms.implies(self.taken, self.paths)
    }
}

impl Whale<'_> {
    /// Puts copies of the justifying ARGs in the place of the facts of a condition.
    pub(super) fn instantiate_callees(
        &mut self,
        arg: ArgId,
        condition: &mut Condition,
    ) -> Result<Vec<Instance>, Reason> {
        let mut instances: Vec<Instance> = Vec::new();
        for (k, &id) in condition.calls.iter().enumerate() {
            let Some(&child) = self.args[arg].children.get(&id) else { continue };
            let edge = &self.view.functions[self.args[arg].function].edges[id];
            let Some(call) = &edge.call else { continue };
            let taken = edge.taken;
            let copies = call.interface(&self.view).into_iter().collect();
            let first = instances.len();
            let paths = Terms::TRUE;
            instances.push(Instance { call: k, arg: child, caller: None, taken, copies, paths });
            let mut next = first;
            while next < instances.len() {
                self.budget.check().map_err(Reason::Stopped)?;
                instances[next].paths = self.copy(&mut instances, next);
                next += 1;
            }
            let mut executed = vec![instances[first].paths];
            executed.extend(instances[first + 1..].iter().map(|inner| inner.if_made(self.terms)));
            let executed = self.terms.and(&executed);
            condition.parts[k + 2] = self.terms.implies(taken, executed);
        }
        Ok(instances)
    }

    /// The paths of an ARG over the constants of its copy; those of the ARGs below it follow in the list.
    fn copy(&mut self, instances: &mut Vec<Instance>, at: usize) -> TermId {
        let arg = instances[at].arg;
        let function = self.args[arg].function;
        let graph = self.args[arg].graph.clone();
        let (paths, calls) = self.paths(function, &graph);
        let mut constants = self.terms.free_consts(paths);
        for &id in &calls {
            let edge = &self.view.functions[function].edges[id];
            constants.push(edge.taken);
            let Some(call) = &edge.call else { continue };
            constants.extend(call.args.iter().chain(&call.results).chain(&call.error).copied());
        }
        for constant in constants {
            let terms = &mut *self.terms;
            instances[at].copies.entry(constant).or_insert_with(|| {
                let sort = terms.sort(constant);
                terms.fresh_const("copy", sort)
            });
        }
        for id in calls {
            let Some(&child) = self.args[arg].children.get(&id) else { continue };
            let edge = &self.view.functions[function].edges[id];
            let Some(call) = &edge.call else { continue };
            let Instance { call: outermost, copies: outer, .. } = &instances[at];
            let copies = call.interface(&self.view).into_iter().map(|(own, of_call)| (own, outer[&of_call]));
            let (taken, copies) = (outer[&edge.taken], copies.collect());
            let (call, caller, paths) = (*outermost, Some(at), Terms::TRUE);
            instances.push(Instance { call, arg: child, caller, taken, copies, paths });
        }
        let pairs = instances[at].copies.iter().map(|(&from, &to)| (from, to));
        Substitution::from_pairs(pairs).apply(self.terms, paths)
    }

    /// Keeps the executions of all calls that a model makes.
    pub(super) fn record(&mut self, instances: &[Instance], model: &Model) -> Result<(), Reason> {
        let mut made = vec![false; instances.len()];
        for (at, instance) in instances.iter().enumerate() {
            let inside = instance.caller.is_none_or(|caller| made[caller]);
            made[at] = inside && self.terms.eval_bool(instance.taken, model) == Ok(true);
        }
        for (_, instance) in instances.iter().enumerate().rev().filter(|(at, _)| made[*at]) {
            let mut inner = Model::new();
            for (&own, &copy) in &instance.copies {
                inner.set(own, self.terms.eval(copy, model).map_err(Reason::Evaluation)?);
            }
            let function = self.args[instance.arg].function;
            let graph = self.args[instance.arg].graph.clone();
            self.fact_of(function, &graph, &inner)?;
        }
        Ok(())
    }
}
