//! Models from complete assignments.

use super::NativeSolver;
use super::lit::{Lit, Var};
use crate::arith::ArithVar;
use crate::products;
use craig_base::Index;
use craig_term::{Model, Op, TermId, Terms, Value};

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
        if self.options.by_zero {
            self.choose_by_zero(terms, &mut model);
        }
        model
    }

    /// What the search made of divisions by what is zero in the model. Where it did not make the same of the same
    /// dividend, the first counts, and the model is none of the formula.
    fn choose_by_zero(&self, terms: &Terms, model: &mut Model) {
        let divisions = self.arith.atoms.variables().filter(|&(t, _)| products::division(terms, t).is_some());
        let mut divisions: Vec<(TermId, ArithVar)> = divisions.collect();
        // Divisions within a dividend come first.
        divisions.sort_unstable();
        let delta = self.arith.concrete_delta();
        for (t, var) in divisions {
            let Some(dividend) = products::dividend_by_zero(terms, t, model) else { continue };
            let value = self.arith.simplex.value(var).at(&delta);
            let value = if terms.is_int(t) { Value::Int(value.floor()) } else { Value::Real(value) };
            model.choose_by_zero(terms.op(t), dividend, value);
        }
    }
}
