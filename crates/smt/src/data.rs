//! Data types, as far as laws about the terms of a formula decide them.
//!
//! The solver takes constructors, testers and selectors for functions about which it knows nothing. So a formula is
//! asserted together with instances of the laws of data types for its own terms: an element was made by exactly one
//! constructor, from what its selectors give; and what equals a term of a constructor was made so. The laws hold in every
//! term algebra and mention nothing that the formula does not, beside symbols of the data types: a refutation is one of
//! the formula, and interpolants of formulas with their laws are interpolants of the formulas. That terms are finite is
//! used where it contradicts a single equation. What remains undecided is `unknown`.

use craig_base::{OrderedSet, Set};
use craig_term::{Constructor, FunId, Op, Role, TermId, Terms};

/// A formula and the laws that its terms ask for.
pub fn with_laws(terms: &mut Terms, formula: TermId) -> TermId {
    if !terms.has_data() {
        return formula;
    }
    let mut known: OrderedSet<TermId> = OrderedSet::default();
    known.insert(formula);
    let mut seen: Set<TermId> = Set::default();
    let mut next = 0;
    while let Some(&law) = known.get_index(next) {
        next += 1;
        for t in terms.postorder(&[law]) {
            if seen.insert(t) {
                let mut laws = Vec::new();
                add_laws(terms, t, &mut laws);
                known.extend(laws);
            }
        }
    }
    let all: Vec<TermId> = known.into_iter().collect();
    terms.and(&all)
}

/// The laws about one term. Those about a variable speak of its parts, but no law asks how a part was made.
fn add_laws(terms: &mut Terms, t: TermId, laws: &mut Vec<TermId>) {
    let args = terms.args(t).to_vec();
    match terms.op(t) {
        Op::App(symbol) => {
            if let Some(Role::Selector(..) | Role::Tester(_)) = terms.role(symbol)
                && terms.constructor_of(args[0]).is_none()
            {
                made_once(terms, args[0], laws);
            }
        }
        Op::Eq if terms.is_data(terms.sort(args[0])) => {
            for (x, value) in [(args[0], args[1]), (args[1], args[0])] {
                if let Some(constructor) = terms.constructor_of(value) {
                    made_so(terms, t, x, value, constructor, laws);
                }
            }
        }
        _ => {}
    }
    // Of an enumeration there are few elements, whether they are looked at or not.
    let is_enumeration =
        |made: &[Constructor]| !made.is_empty() && made.iter().all(|c| c.selectors.is_empty());
    if terms.constructor_of(t).is_none() && is_enumeration(terms.constructors(terms.sort(t))) {
        made_once(terms, t, laws);
    }
}

fn made_once(terms: &mut Terms, x: TermId, laws: &mut Vec<TermId>) {
    let made = terms.constructors(terms.sort(x)).to_vec();
    let tests: Vec<TermId> = made.iter().map(|made| terms.app(made.tester, &[x])).collect();
    laws.push(terms.or(&tests));
    for (i, (made, &test)) in made.iter().zip(&tests).enumerate() {
        for &other in &tests[i + 1..] {
            let both = terms.and2(test, other);
            laws.push(terms.not(both));
        }
        let parts: Vec<TermId> = made.selectors.iter().map(|&selector| terms.app(selector, &[x])).collect();
        let value = terms.app(made.symbol, &parts);
        let same = terms.eq(x, value);
        laws.push(terms.implies(test, same));
    }
}

/// What an equation with a term of a constructor says about the other side.
fn made_so(
    terms: &mut Terms,
    equation: TermId,
    x: TermId,
    value: TermId,
    constructor: FunId,
    laws: &mut Vec<TermId>,
) {
    if is_argument(terms, x, value) {
        laws.push(terms.not(equation));
        return;
    }
    let made = terms.constructors(terms.sort(x)).iter().find(|made| made.symbol == constructor).cloned();
    let Some(made) = made else { return };
    let mut follows = vec![terms.app(made.tester, &[x])];
    for (place, &selector) in made.selectors.iter().enumerate() {
        let part = terms.app(selector, &[x]);
        let arg = terms.arg(value, place);
        follows.push(terms.eq(part, arg));
    }
    let follows = terms.and(&follows);
    laws.push(terms.implies(equation, follows));
}

/// Whether `x` is an argument of the constructors that a term begins with: terms are finite, but selectors may take
/// what they give.
fn is_argument(terms: &Terms, x: TermId, value: TermId) -> bool {
    let mut open = vec![value];
    while let Some(t) = open.pop() {
        match terms.constructor_of(t) {
            Some(_) => open.extend(terms.args(t)),
            None if t == x => return true,
            None => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::{Answer, Context};
    use craig_base::Budget;
    use std::time::Duration;

    const LISTS: &str = "(declare-datatypes ((L 0) (B 0)) (((nil) (cons (head Int) (tail L))) ((t) (f))))
        (declare-const x L) (declare-const y L) (declare-const a B) (declare-const b B) (declare-const c B)
        (declare-fun g (L) Int)";

    fn answer(assertions: &str) -> Answer {
        let mut context = Context::new();
        context.set_budget(Budget::unlimited().with_timeout(Duration::from_secs(1)));
        context.read(&format!("{LISTS}{assertions}")).expect("assertions");
        context.check()
    }

    #[test]
    fn laws_refute() {
        for contradiction in [
            "(assert (= x (cons 1 y))) (assert (= x (cons (+ (head x) 1) nil)))",
            "(assert (distinct a b c))",
            "(assert (not ((_ is nil) x))) (assert (distinct (g x) (g (cons (head x) (tail x)))))",
            "(assert (= x (cons 1 (cons 2 x))))",
            "(assert (= (tail nil) (cons 1 (tail nil))))",
            "(assert (= x (cons 1 y))) (assert (= y x)) (assert ((_ is nil) y))",
            // Choices between terms of constructors.
            "(declare-const p Bool) (declare-const n Int)
             (assert (distinct (cons (ite p 1 0) nil) (ite p (cons 1 nil) (cons 0 nil))))",
            "(declare-const p Bool) (assert (= (cons 1 x) (ite p nil (cons 2 y))))",
            "(declare-const p Bool) (declare-const n Int) (assert (= x (ite p (cons n nil) (cons (+ n 1) y))))
             (assert (< (head x) n))",
            "(declare-const p Bool) (assert (not (= (ite p (cons 1 x) nil) (ite p (cons 1 y) nil)))) (assert (= x y))",
            "(assert (match x ((nil false) ((cons h t) (and (> h 0) (= x (cons 0 t)))))))",
        ] {
            assert_eq!(answer(contradiction), Answer::Unsat, "{contradiction}");
        }
    }

    #[test]
    fn what_is_possible_is_not_refuted() {
        for possible in [
            "(assert (= x (cons (head x) (tail x))))",
            "(assert (= x (cons 1 (tail y)))) (assert (= y (cons 1 (tail x))))",
            "(assert (distinct a b))",
            "(assert (and ((_ is cons) x) (= (tail x) y) ((_ is cons) y) (= (head y) 3)))",
        ] {
            assert_ne!(answer(possible), Answer::Unsat, "{possible}");
        }
    }
}
