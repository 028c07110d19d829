//! Large numbers as parameters: what holds for every bound holds for the one that the clauses have.
//!
//! A loop that runs 100000 times has no short derivation that leaves it, so a search that goes by the length of
//! derivations learns about 1, 2, 3, ... iterations and never about the loop. If the number is any `N >= 1`, the search
//! meets all of the program after one iteration, and what it learns is about `N`. A model of the clauses with `N` is
//! one of the original clauses when the number is put in its place. A derivation says nothing: it may need another
//! number.
//!
//! Numbers close to each other, or to a small multiple, have one parameter in common: `i < 100000` and `j > 99999`
//! should still exclude each other. What looks like the bound of a machine type is left alone, and so are factors
//! and divisors.

use crate::system::{Application, Clause, Interpretation, Predicate, System};
use craig_base::{OrderedSet, Set};
use craig_term::{Int, Op, Rat, Substitution, TermId, Terms};

/// Smaller numbers are few steps away.
const SMALLEST: i64 = 50;
/// How far numbers with the same parameter may be from a multiple of it.
const NEIGHBOURHOOD: i64 = 4;
/// The greatest multiple of a parameter.
const GREATEST_MULTIPLE: i64 = 8;
/// Each parameter is one more argument everywhere.
const MOST_PARAMETERS: usize = 4;

/// A system in which numbers are parameters, and the way back for its models.
#[derive(Clone, Debug)]
pub struct Parametric {
    pub system: System,
    numbers: Vec<Int>,
}

/// The system for any numbers in place of its large ones; `None` if there are none.
pub fn parametric(terms: &mut Terms, system: &System) -> Option<Parametric> {
    let found = large_numbers(terms, system);
    let mut numbers: Vec<Int> = Vec::new();
    let mut replaced: Vec<(TermId, usize, Int, Int)> = Vec::new();
    for &numeral in &found {
        let value = terms.int_value(numeral)?;
        let known = numbers.iter().enumerate().find_map(|(at, base)| {
            let (factor, rest) = multiple_of(&value.abs(), base)?;
            Some((at, factor, rest))
        });
        let (at, factor, rest) = match known {
            Some(known) => known,
            None if numbers.len() < MOST_PARAMETERS => {
                numbers.push(value.abs());
                (numbers.len() - 1, Int::from(1), Int::from(0))
            }
            None => continue,
        };
        let sign = Int::from(i64::from(value.signum()));
        replaced.push((numeral, at, sign.clone() * &factor, sign * &rest));
    }
    if numbers.is_empty() {
        return None;
    }
    let mut predicates = craig_base::IndexVec::new();
    for predicate in system.predicates.iter() {
        let mut parameters = predicate.parameters.clone();
        parameters.extend(numbers.iter().map(|_| terms.fresh_const("n", Terms::INT)));
        predicates.push(Predicate { parameters, ..predicate.clone() });
    }
    let mut clauses = craig_base::IndexVec::new();
    for clause in system.clauses.iter() {
        let own: Vec<TermId> = numbers.iter().map(|_| terms.fresh_const("n", Terms::INT)).collect();
        let mut pairs = Vec::new();
        for (numeral, at, factor, rest) in &replaced {
            let scaled = terms.scale(&Rat::from_int(factor.clone()), own[*at]);
            let rest = terms.int(rest.clone());
            pairs.push((*numeral, terms.add2(scaled, rest)));
        }
        let general = clause.substitute(terms, &mut Substitution::from_pairs(pairs));
        let longer = |atom: Application| Application {
            predicate: atom.predicate,
            args: atom.args.into_iter().chain(own.iter().copied()).collect(),
        };
        let one = terms.int(1);
        let mut parts: Vec<TermId> = own.iter().map(|&n| terms.le(one, n)).collect();
        parts.push(general.constraint);
        clauses.push(Clause {
            body: general.body.into_iter().map(longer).collect(),
            constraint: terms.and(&parts),
            head: general.head.map(longer),
        });
    }
    let system = System { predicates, clauses, axioms: system.axioms.clone() };
    Some(Parametric { system, numbers })
}

impl Parametric {
    /// The model for the numbers of the original clauses.
    pub fn model(&self, terms: &mut Terms, model: &Interpretation) -> Interpretation {
        let mut formulas = craig_base::IndexVec::new();
        for (predicate, &formula) in self.system.predicates.iter().zip(&model.formulas) {
            let first = predicate.parameters.len() - self.numbers.len();
            let own = predicate.parameters[first..].iter().copied();
            let pairs: Vec<(TermId, TermId)> =
                own.zip(&self.numbers).map(|(n, number)| (n, terms.int(number.clone()))).collect();
            formulas.push(Substitution::from_pairs(pairs).apply(terms, formula));
        }
        Interpretation::new(formulas)
    }
}

/// The numerals that can be replaced, by size.
fn large_numbers(terms: &Terms, system: &System) -> Vec<TermId> {
    let roots: Vec<TermId> = system.clauses.iter().flat_map(|clause| clause.roots()).collect();
    let mut found: OrderedSet<TermId> = OrderedSet::default();
    let mut excluded: Set<TermId> = Set::default();
    for t in terms.postorder(&roots) {
        if terms.int_value(t).is_some() {
            found.insert(t);
        }
        if matches!(terms.op(t), Op::Scale | Op::Mul | Op::Div | Op::Mod) {
            excluded.extend(terms.args(t));
        }
    }
    found.retain(|&t| {
        let value = terms.int_value(t).unwrap_or_default().abs();
        value >= Int::from(SMALLEST) && !excluded.contains(&t) && !is_type_bound(&value)
    });
    let mut found: Vec<TermId> = found.into_iter().collect();
    found.sort_by_key(|&t| terms.int_value(t).unwrap_or_default().abs());
    found
}

fn is_type_bound(value: &Int) -> bool {
    [7, 8, 15, 16, 31, 32, 63, 64].into_iter().any(|bits| (value - &Int::pow2(bits)).abs() <= Int::from(2))
}

/// The factor and the rest, if a number is close to a small multiple of a base.
fn multiple_of(value: &Int, base: &Int) -> Option<(Int, Int)> {
    let near = Int::from(NEIGHBOURHOOD);
    let factor = (value + &near).div_floor(base);
    let rest = value - &(factor.clone() * base);
    let fits = factor >= Int::from(1) && factor <= Int::from(GREATEST_MULTIPLE) && rest.abs() <= near;
    fits.then_some((factor, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_system, write_model, write_system};
    use craig_base::IndexVec;

    #[test]
    fn numbers_become_parameters_and_go_back() {
        let mut terms = Terms::new();
        let text = "(declare-fun p (Int) Bool)
            (assert (p 0))
            (assert (forall ((x Int)) (=> (and (p x) (< x 100000)) (p (+ x 1)))))
            (assert (forall ((x Int)) (=> (and (p x) (> x 200001) (< x 2147483647) (> (* 70 x) 3)) false)))";
        let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
        let general = parametric(&mut terms, &system).expect("large numbers");
        let shown = write_system(&terms, &general.system);
        assert!(
            !shown.contains("99999") && !shown.contains("20000") && shown.contains("214748364"),
            "{shown}"
        );
        let [x, n] = general.system.predicates.iter().next().expect("p").parameters[..] else {
            panic!("two parameters")
        };
        let body = terms.le(x, n);
        let model = Interpretation::new(IndexVec::from_elem(body, 1));
        let back = general.model(&mut terms, &model);
        assert!(write_model(&terms, &system, &back).contains("99999"));
        let small = read_system(&mut terms, b"(declare-fun q (Int) Bool)(assert (q 7))".as_slice());
        assert!(parametric(&mut terms, &small.expect("clauses")).is_none());
    }
}
