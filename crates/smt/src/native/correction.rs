//! Products of unknowns, and division by them: what the solver learns of them where a model gives them wrong values.

use super::{FEW_CORRECTIONS, NativeSolver};
use crate::products;
use crate::solver::{Answer, UnknownReason, Unsupported};
use craig_base::{Budget, OrderedMap, Set};
use craig_term::{TermId, Terms};

impl NativeSolver {
    /// A check that thinks again as long as it is open only about products, and as often as the options say.
    pub(super) fn check_corrected(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Answer {
        let mut answer = self.check_observed(terms, assumptions, budget, &mut |_, _| {});
        for round in 0..self.options.corrections {
            let is_open = answer == Answer::Unknown(UnknownReason::Unsupported(Unsupported::Nonlinear));
            if !is_open || !self.options.products {
                break;
            }
            let further = round >= FEW_CORRECTIONS;
            if (further && self.repair(terms, assumptions, budget))
                || self.divide_by_something(terms, assumptions, budget)
            {
                return Answer::Sat;
            }
            if !self.correct_products(terms, assumptions, further) {
                break;
            }
            answer = self.check_observed(terms, assumptions, budget, &mut |_, _| {});
        }
        answer
    }

    /// Whether there is a model in which the factors of products have the values of the last one, which is wrong about
    /// the products: with these values they are linear.
    fn repair(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> bool {
        let Some(candidate) = self.candidate.clone() else { return false };
        let mut wanted = assumptions.to_vec();
        let formulas: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        for case in products::cases(terms, &formulas, &candidate) {
            wanted.push(case.condition(terms));
        }
        let is_repaired = self.check_observed(terms, &wanted, budget, &mut |_, _| {}) == Answer::Sat;
        self.candidate = Some(candidate);
        is_repaired
    }

    /// Whether there is a model in which nothing is divided by zero, as it is in the last one. If what is found is wrong
    /// only about products, it is what they are corrected by.
    fn divide_by_something(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> bool {
        let Some(candidate) = self.candidate.clone() else { return false };
        let formulas: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        let conditions = products::nonzero_divisors(terms, &formulas, &candidate);
        if conditions.is_empty() {
            return false;
        }
        let wanted = [assumptions, &conditions].concat();
        let is_found = self.check_observed(terms, &wanted, budget, &mut |_, _| {}) == Answer::Sat;
        self.candidate.get_or_insert(candidate);
        is_found
    }

    /// Adds what always holds of products, where the last model gives them wrong values. Returns whether there was
    /// anything to add.
    fn correct_products(&mut self, terms: &mut Terms, assumptions: &[TermId], further: bool) -> bool {
        let Some(candidate) = self.candidate.take() else { return false };
        let known: Set<TermId> = self.assertions().collect();
        let formulas: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        let mut facts = products::divisions(terms, &formulas);
        facts.extend(products::by_zero(terms, &formulas, &candidate));
        facts.extend(products::comparisons(terms, &formulas, &candidate));
        facts.extend(products::signs(terms, &formulas, &candidate));
        if further {
            facts.extend(products::facts(terms, &formulas, &candidate, |fact| known.contains(&fact)));
        } else {
            for case in products::cases(terms, &formulas, &candidate) {
                facts.extend(case.facts(terms));
            }
        }
        facts.retain(|fact| !known.contains(fact));
        self.candidate = Some(candidate);
        // Without a proof there is no part to respect.
        let symbols = if self.options.proofs { self.symbols_of_parts(terms) } else { Vec::new() };
        let mut is_news = false;
        for fact in facts {
            let own = terms.free_consts(fact);
            let knows = |known: &Set<TermId>| own.iter().all(|constant| known.contains(constant));
            let of_part = symbols.iter().find(|(_, known)| knows(known)).map(|&(part, _)| part);
            if let Some(part) = if self.options.proofs { of_part } else { Some(0) } {
                self.assert_in_part(terms, fact, part);
                is_news = true;
            }
        }
        is_news
    }

    /// The constants of each part.
    fn symbols_of_parts(&self, terms: &Terms) -> Vec<(u32, Set<TermId>)> {
        let mut formulas: OrderedMap<u32, Vec<TermId>> = OrderedMap::default();
        for (part, formula) in self.parts() {
            formulas.entry(part).or_default().push(formula);
        }
        let symbols = |formulas: Vec<TermId>| terms.free_consts_of(&formulas).into_iter().collect();
        formulas.into_iter().map(|(part, formulas)| (part, symbols(formulas))).collect()
    }
}
