//! Variables that are equal, found by simulation and proved one by one (Kuehlmann, *Dynamic transition relation
//! simplification for bounded property checking*, 2004; Mishchenko et al., *FRAIGs*, 2005), on clauses instead of gates.
//!
//! Where a formula asks whether two ways to compute something agree, much of what the one computes on its way is computed by
//! the other, too. A search comes upon such equalities late and by accident. By themselves, in the order in which they rest
//! on each other, most of them take a few conflicts, and each is two clauses from then on.
//!
//! Clauses do not say what is an input and what is computed. But who writes gates as clauses numbers operands first: the
//! clauses in which a variable is the last one force its value where the earlier ones have theirs. Whatever comes of this
//! will do, as it only suggests what may be equal; all that is learned follows from the clauses, and stands in the proof.
//!
//! A model that shows two variables to differ is one more pattern, for all others that seemed to be equal.
//!
//! A search is swept once, when it has turned out to be none of the short ones; and the sweep ends when too little of what was
//! suggested is true, or soon proved.

use crate::clauses::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::{Outcome, Solver};
use craig_base::{Budget, Map};

/// Patterns of the simulation, 64 in each.
const WORDS: usize = 8;
/// Conflicts for one half of an equality, about.
const MOST_CONFLICTS: u64 = 60;
/// So many questions may end without an equality, and one more for so many equalities.
const FAILURES: u32 = 20;
const EQUALITIES_PER_FAILURE: u32 = 4;
/// A variable is compared with so many others.
const MOST_COMPARED: usize = 2;

type Values = [u64; WORDS];

impl Solver {
    /// Learns which variables are equal or opposite, as far as that follows from the clauses with little effort.
    pub(crate) fn sweep(&mut self, budget: &Budget) {
        self.backtrack(0);
        let (limit, phases, best) = (self.conflict_limit, self.phases.clone(), self.best_phases.clone());
        let (mut equalities, mut failures) = (0, 0);
        // Of each set of literals with the same values those that are not known to be equal.
        let mut alike: Map<Values, Vec<Lit>> = Map::default();
        let mut models = Models { patterns: vec![0; self.variables()], count: 0 };
        for (index, values) in self.simulate().into_iter().enumerate() {
            if self.contradiction
                || failures > FAILURES + equalities / EQUALITIES_PER_FAILURE
                || budget.check().is_err()
            {
                break;
            }
            let is_negated = values[0] & 1 != 0;
            let normal = values.map(|word| if is_negated { !word } else { word });
            // What seems to be constant is rare more often than constant.
            if normal == [0; WORDS] {
                continue;
            }
            let own = Lit::new(Var(index as u32), is_negated);
            let others = alike.entry(normal).or_default();
            let mut equal = false;
            let mut compared = 0;
            for &other in others.iter() {
                if equal || compared == MOST_COMPARED || models.differ(own, other) {
                    continue;
                }
                compared += 1;
                let outcome = match self.exclude(own, !other, budget) {
                    Outcome::Unsat => self.exclude(!own, other, budget),
                    outcome => outcome,
                };
                equal = outcome == Outcome::Unsat;
                failures += u32::from(!equal);
                if outcome == Outcome::Sat {
                    models.add(&self.model);
                }
            }
            match equal {
                true => equalities += 1,
                false => others.push(own),
            }
        }
        (self.conflict_limit, self.phases, self.best_phases) = (limit, phases, best);
        self.backtrack(0);
    }

    /// Asks whether the two hold together; if they cannot, a clause says so then.
    fn exclude(&mut self, a: Lit, b: Lit, budget: &Budget) -> Outcome {
        self.backtrack(0);
        if self.contradiction || self.value(a) < 0 || self.value(b) < 0 {
            return Outcome::Unsat;
        }
        self.limit_conflicts(Some(MOST_CONFLICTS));
        let outcome = self.search(&[a, b], budget);
        if outcome == Outcome::Unsat && !self.contradiction {
            self.learn_core();
        }
        outcome
    }

    /// Values of all variables, as the clauses force them from the first to the last.
    fn simulate(&self) -> Vec<Values> {
        let mut last: Vec<Vec<ClauseRef>> = vec![Vec::new(); self.variables()];
        for &clause in &self.given {
            if let Some(var) = self.clauses.lits(clause).map(|lit| lit.var().index()).max() {
                last[var].push(clause);
            }
        }
        let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
        let mut values: Vec<Values> = Vec::with_capacity(self.variables());
        for (index, clauses) in last.iter().enumerate() {
            let var = Var(index as u32);
            let (mut ones, mut zeros) = ([0; WORDS], [0; WORDS]);
            match self.value(var.positive()) {
                0 => {}
                fixed => (if fixed > 0 { &mut ones } else { &mut zeros }).fill(u64::MAX),
            }
            for &clause in clauses {
                let mut forced = [u64::MAX; WORDS];
                let mut forces = &mut ones;
                for lit in self.clauses.lits(clause) {
                    match values.get(lit.var().index()) {
                        Some(values) if lit.is_negated() => each(&mut forced, values, |a, b| a & b),
                        Some(values) => each(&mut forced, values, |a, b| a & !b),
                        None if lit.is_negated() => forces = &mut zeros,
                        None => {}
                    }
                }
                each(forces, &forced, |a, b| a | b);
            }
            let mut own: Values = std::array::from_fn(|_| random.next());
            each(&mut own, &zeros, |a, b| a & !b);
            each(&mut own, &ones, |a, b| a | b);
            values.push(own);
        }
        values
    }
}

fn each(words: &mut Values, others: &Values, combine: impl Fn(u64, u64) -> u64) {
    words.iter_mut().zip(others).for_each(|(word, &other)| *word = combine(*word, other));
}

/// Models that were met, the last 64.
struct Models {
    /// For each variable.
    patterns: Vec<u64>,
    count: u32,
}

impl Models {
    fn add(&mut self, model: &[bool]) {
        let place = self.count % u64::BITS;
        for (pattern, &value) in self.patterns.iter_mut().zip(model) {
            *pattern = *pattern & !(1 << place) | u64::from(value) << place;
        }
        self.count += 1;
    }

    fn differ(&self, a: Lit, b: Lit) -> bool {
        let [a, b] = [a, b].map(|lit| {
            let pattern = self.patterns[lit.var().index()];
            if lit.is_negated() { !pattern } else { pattern }
        });
        let known = 1u64.checked_shl(self.count).map_or(u64::MAX, |end| end - 1);
        (a ^ b) & known != 0
    }
}

struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A literal may become false for good while its equality is looked into; that is no contradiction.
    #[test]
    fn what_is_fixed_on_the_way_is_not_learned_again() {
        let (x, y, p, q, a, b, z) = (1, 2, 3, 4, 5, 6, 7);
        let either: [&[i32]; 7] =
            [&[z, x, y], &[z, x, -y], &[z, -x, y], &[z, -x, -y], &[-z, p], &[-z, q], &[-p, -q, -a]];
        let clauses: Vec<Vec<Lit>> = either
            .iter()
            .map(|clause| clause.iter().map(|&number| Lit::from_dimacs(number)).collect())
            .collect();
        let mut solver = Solver::with_proof(7, &clauses, 1 << 20);
        let budget = Budget::unlimited();
        let outcome = solver.exclude(Lit::from_dimacs(a), Lit::from_dimacs(b), &budget);
        assert_eq!(outcome, Outcome::Unsat);
        assert!(solver.value(Lit::from_dimacs(a)) < 0);
        assert_eq!(solver.solve(&[], &budget), Outcome::Sat);
    }
}
