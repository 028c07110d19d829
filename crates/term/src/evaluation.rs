//! Many terms in many models: their subterms are put in order once, and each is evaluated once in each model.

use crate::eval::{Model, Value};
use crate::store::{TermId, Terms};
use craig_base::Map;

/// Terms to be evaluated, with all their subterms.
pub struct Evaluation {
    /// Arguments come before the terms that have them.
    order: Vec<TermId>,
    /// The places of the arguments of all terms, one after the other, and where those of each begin.
    args: Vec<usize>,
    first: Vec<usize>,
    /// The places of the terms themselves.
    roots: Vec<usize>,
}

impl Evaluation {
    pub fn new(terms: &Terms, roots: &[TermId]) -> Evaluation {
        let order = terms.postorder(roots);
        let places: Map<TermId, usize> = order.iter().enumerate().map(|(at, &t)| (t, at)).collect();
        let (mut args, mut first) = (Vec::new(), Vec::with_capacity(order.len()));
        for &t in &order {
            first.push(args.len());
            args.extend(terms.args(t).iter().map(|arg| places[arg]));
        }
        let roots = roots.iter().map(|root| places[root]).collect();
        Evaluation { order, args, first, roots }
    }

    /// The values of the terms in a model; `None` where [`Terms::eval`] fails.
    pub fn values(&self, terms: &Terms, model: &Model) -> Vec<Option<Value>> {
        let mut values: Vec<Value> = Vec::with_capacity(self.order.len());
        let mut has_value: Vec<bool> = Vec::with_capacity(self.order.len());
        for (&t, &first) in self.order.iter().zip(&self.first) {
            let args = &self.args[first..first + terms.args(t).len()];
            let value = match args.iter().all(|&arg| has_value[arg]) {
                true => terms.eval_node(t, model, |i| &values[args[i]]).ok(),
                false => None,
            };
            has_value.push(value.is_some());
            values.push(value.unwrap_or(Value::Bool(false)));
        }
        self.roots.iter().map(|&root| has_value[root].then(|| values[root].clone())).collect()
    }
}
