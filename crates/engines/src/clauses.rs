//! Formulas as conjunctions of clauses.

use craig_term::{Op, TermId, Terms};

/// A formula as a conjunction of clauses, as far as that does not make it much larger: a disjunction of conjunctions is
/// distributed into at most so many.
pub(crate) fn clauses(terms: &mut Terms, formula: TermId, most: usize) -> Vec<TermId> {
    let conjuncts = match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    };
    let mut clauses = Vec::new();
    for conjunct in conjuncts {
        if terms.op(conjunct) != Op::Or {
            clauses.push(conjunct);
            continue;
        }
        let mut product: Vec<Vec<TermId>> = vec![Vec::new()];
        for &disjunct in &terms.args(conjunct).to_vec() {
            let factors = match terms.op(disjunct) {
                Op::And if terms.args(disjunct).len() * product.len() <= most => {
                    terms.args(disjunct).to_vec()
                }
                _ => vec![disjunct],
            };
            let mut longer = Vec::with_capacity(product.len() * factors.len());
            for clause in &product {
                for &factor in &factors {
                    let mut clause = clause.clone();
                    clause.push(factor);
                    longer.push(clause);
                }
            }
            product = longer;
        }
        for clause in product {
            clauses.push(terms.or(&clause));
        }
    }
    clauses
}
