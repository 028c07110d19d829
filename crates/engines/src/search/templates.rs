//! `houdini` for clauses: of guessed bounds and comparisons of arguments, those that are inductive, and then `pdr`.
//!
//! C. Flanagan, K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001, for Horn clauses. Guessed are
//! bounds of arguments by the numbers of the clauses, comparisons of two arguments, and truth values. What remains of
//! them holds of everything that can be derived ([`inductive`]).
//!
//! Departure: where that does not exclude the goal, it is added to the clauses, and `pdr` searches in what is left. A lemma
//! such as `i >= 0` spares it an endless row of lemmas about `x`, `x + i`, `x + 2 * i`, ... Its model and what remained are
//! a model together, and its derivations are ones of the clauses.

use crate::horn::{HornVerdict, NewSolver, RuleId, Rules};
use crate::search::inductive::{self, Induction};
use crate::search::pdr;
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, OrderedSet, Stats};
use craig_chc::{Interpretation, PredicateId, System};
use craig_smt::Answer;
use craig_term::{Int, Op, Rat, TermId, Terms};

/// So many numbers of the clauses are bounds.
const MOST_NUMBERS: usize = 10;
/// So many arguments of a predicate are compared with each other.
const MOST_COMPARED: usize = 12;
/// With more guesses about one predicate there are none.
const MOST_GUESSES: usize = 600;

/// Solves a system of Horn clauses.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let rules = Rules::new(terms, system);
    let numbers = numbers(terms, system);
    let mut guesses: IndexVec<PredicateId, Vec<TermId>> = IndexVec::new();
    for predicate in rules.predicates.iter() {
        guesses.push(guessed(terms, &predicate.parameters, &numbers));
    }
    stats.add("guesses", guesses.iter().map(|own| own.len() as u64).sum());
    let mut guessing = Guessing { terms, rules: &rules, guesses, new_solver, budget };
    if let Err(reason) = inductive::reduce(&mut guessing) {
        return HornVerdict::Unknown(reason);
    }
    let guesses = guessing.guesses;
    stats.add("inductive guesses", guesses.iter().map(|own| own.len() as u64).sum());
    let lemmas: IndexVec<PredicateId, TermId> = guesses.iter().map(|own| terms.and(own)).collect();
    let mut stronger = system.clone();
    for clause in stronger.clauses.iter_mut() {
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            let predicate = &system.predicates[atom.predicate];
            parts.push(predicate.instantiate(terms, lemmas[atom.predicate], &atom.args));
        }
        clause.constraint = terms.and(&parts);
    }
    match pdr::solve(terms, &stronger, &pdr::Options::default(), new_solver, budget, stats) {
        HornVerdict::Sat(model) => {
            let both = model.formulas.enumerated().map(|(id, &formula)| (lemmas[id], formula));
            let both: Vec<(TermId, TermId)> = both.collect();
            HornVerdict::Sat(Interpretation::new(both.into_iter().map(|(a, b)| terms.and2(a, b)).collect()))
        }
        found => found,
    }
}

/// The numbers with which the clauses compare, the smallest first, and zero.
fn numbers(terms: &Terms, system: &System) -> Vec<Rat> {
    let mut found: OrderedSet<Rat> = OrderedSet::default();
    found.insert(Rat::from(0));
    let roots: Vec<TermId> = system.clauses.iter().flat_map(|clause| clause.roots()).collect();
    for t in terms.postorder(&roots) {
        if matches!(terms.op(t), Op::Le | Op::Lt | Op::Eq)
            && let Some(number) = terms.number(terms.arg(t, 1))
        {
            found.extend([number.clone(), -number.clone()]);
        }
        found.extend(terms.number(t).cloned());
    }
    let mut found: Vec<Rat> = found.into_iter().collect();
    found.sort_by_key(Rat::abs);
    found.truncate(MOST_NUMBERS);
    found
}

/// What may hold of all that is derived, over the parameters.
fn guessed(terms: &mut Terms, parameters: &[TermId], numbers: &[Rat]) -> Vec<TermId> {
    let mut guesses: OrderedSet<TermId> = OrderedSet::default();
    let numeric: Vec<TermId> = parameters.iter().copied().filter(|&x| terms.is_arith(x)).collect();
    for &x in parameters {
        if terms.is_bool(x) {
            guesses.extend([x, terms.not(x)]);
        }
    }
    let numeral = |terms: &mut Terms, number: &Rat, like: TermId| match terms.sort(like) == Terms::INT {
        true => number.to_int().map(|number: Int| terms.int(number)),
        false => Some(terms.real(number.clone())),
    };
    for &x in &numeric {
        for number in numbers {
            if let Some(number) = numeral(terms, number, x) {
                guesses.extend([terms.le(x, number), terms.ge(x, number)]);
            }
        }
    }
    let compared = &numeric[..numeric.len().min(MOST_COMPARED)];
    for (at, &x) in compared.iter().enumerate() {
        for &y in &compared[..at] {
            if terms.sort(x) != terms.sort(y) {
                continue;
            }
            guesses.extend([terms.le(x, y), terms.ge(x, y)]);
            let (difference, sum) = (terms.sub(x, y), terms.add2(x, y));
            for number in numbers.iter().take(3) {
                if let Some(number) = numeral(terms, number, x) {
                    for side in [difference, sum] {
                        guesses.extend([terms.le(side, number), terms.ge(side, number)]);
                    }
                }
            }
        }
    }
    guesses.retain(|&guess| guess != Terms::TRUE && guess != Terms::FALSE);
    guesses.truncate(MOST_GUESSES);
    guesses.into_iter().collect()
}

struct Guessing<'a> {
    terms: &'a mut Terms,
    rules: &'a Rules,
    guesses: IndexVec<PredicateId, Vec<TermId>>,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
}

impl Induction for Guessing<'_> {
    type Step = RuleId;
    type Stop = Reason;

    fn steps(&self) -> Vec<RuleId> {
        self.rules.rules.indices().filter(|&rule| self.rules.rules[rule].head != self.rules.goal).collect()
    }

    fn relying_on(&self, step: RuleId) -> Vec<RuleId> {
        let users = &self.rules.by_body[self.rules.rules[step].head];
        users.iter().copied().filter(|&rule| self.rules.rules[rule].head != self.rules.goal).collect()
    }

    fn refute(&mut self, step: RuleId) -> Result<bool, Reason> {
        self.budget.check()?;
        let rule = &self.rules.rules[step];
        let after = self.guesses[rule.head].clone();
        if after.is_empty() {
            return Ok(false);
        }
        let mut solver = (self.new_solver)();
        solver.assert(self.terms, rule.transition);
        for atom in &rule.body {
            for guess in self.guesses[atom.predicate].clone() {
                let before = atom.instantiate(self.terms, self.rules, guess);
                solver.assert(self.terms, before);
            }
        }
        let all = self.terms.and(&after);
        let violated = self.terms.not(all);
        solver.assert(self.terms, violated);
        match solver.check(self.terms, &[], self.budget) {
            Answer::Unsat => Ok(false),
            Answer::Sat => {
                let candidates = &mut self.guesses[rule.head];
                inductive::retain(self.terms, candidates, &after, solver.model());
                Ok(true)
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::horn::suite;

    suite::tests!(asking |terms, system, new_solver, budget, stats|
        super::solve(terms, system, new_solver, budget, stats);
        a_counter,
        two_variables_in_step,
        a_sum_that_stays,
        reals_and_booleans,
        no_clause_at_all,
        control_in_arguments
    );

    /// `pdr` alone learns about ever more steps.
    #[test]
    fn a_sum_of_positive_numbers_is_positive() {
        let text = "(declare-fun p (Real Real) Bool)
            (assert (p 32.0 25.0))
            (assert (forall ((x Real) (i Real)) (=> (p x i) (p (+ x i 112.0) (+ i 112.0)))))
            (assert (forall ((x Real) (i Real)) (=> (and (p x i) (< x 0.0)) false)))";
        assert_eq!(suite::verdict(&solve, text), "sat");
    }
}
