//! Models from complete assignments.

use super::NativeSolver;
use super::lit::{Lit, Var};
use craig_base::Index;
use craig_term::{Model, Op, Terms, Value};

impl NativeSolver {
    /// The values of all constants that the search knows.
    pub(super) fn build_model(&self, terms: &mut Terms) -> Model {
        let mut model = Model::new();
        for (index, formula) in self.encoding.formulas.iter().enumerate() {
            if let Some(t) = *formula
                && matches!(terms.op(t), Op::Const(_))
            {
                let lit = Lit::new(Var::from_usize(index), false);
                model.set(t, Value::Bool(self.sat.is_true(lit)));
            }
        }
        let delta = self.arith.concrete_delta();
        for (t, var) in self.arith.atoms.variables() {
            if matches!(terms.op(t), Op::Const(_)) {
                let value = self.arith.simplex.value(var).at(&delta);
                model.set(t, if terms.is_int(t) { Value::Int(value.floor()) } else { Value::Real(value) });
            }
        }
        if !self.lemmas.is_empty() {
            self.structured_values(terms, &mut model);
            model.retain(|t| !self.lemmas.skolems.contains(t));
        }
        model
    }
}
