//! The least model among conjunctions of linear relations, for clauses over integers.
//!
//! Of each predicate it is kept, for every combination of values of the arguments that have few (and, where that is asked
//! for, of whether others are zero): which linear equations hold between the others, which small bounds their differences have, and which are never equal. A model of a clause
//! whose head is not yet covered is a point to be covered, until no clause has one (the best transformer by models of
//! Reps, Sagiv and Yorsh, *Symbolic Implementation of the Best Transformer*, 2004; equations as in Karr 1976). What is
//! kept has finitely many weakenings, so this ends.

use crate::horn::NewSolver;
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, OrderedMap};
use craig_chc::{Application, Clause, Interpretation, Predicate, PredicateId, System};
use craig_smt::Answer;
use craig_term::{Model, TermId, Terms, Value};

/// Bounds beyond this are none.
const LARGEST_BOUND: i64 = 2;
/// Sums of three arguments are looked at for up to so many.
const MOST_FOR_TRIPLES: usize = 7;
/// Combinations of values that are told apart.
const MOST_GUARDS: usize = 16;

/// A model, if there is one of this form. `few` says how many values an argument has, if they are `0`, `1` and so on.
pub fn model(
    terms: &mut Terms,
    system: &System,
    few: &Map<(PredicateId, usize), usize>,
    zero: bool,
    new_solver: NewSolver<'_>,
    budget: &Budget,
) -> Result<Option<Interpretation>, Reason> {
    let mut kept: IndexVec<PredicateId, Kept> = IndexVec::new();
    for (id, predicate) in system.predicates.enumerated() {
        kept.push(Kept::new(terms, predicate, zero, |argument| few.get(&(id, argument)).copied()));
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for clause in system.clauses.iter() {
            let Some(head) = &clause.head else { continue };
            while let Some(model) = uncovered(terms, system, &kept, clause, new_solver, budget)? {
                let Some(point) = point(terms, head, &model) else { return Ok(None) };
                if !kept[head.predicate].cover(&point) {
                    return Ok(None);
                }
                changed = true;
            }
        }
    }
    for clause in system.clauses.iter().filter(|clause| clause.head.is_none()) {
        if uncovered(terms, system, &kept, clause, new_solver, budget)?.is_some() {
            return Ok(None);
        }
    }
    let formulas = system
        .predicates
        .enumerated()
        .map(|(id, predicate)| kept[id].formula(terms, &predicate.parameters))
        .collect();
    Ok(Some(Interpretation::new(formulas)))
}

/// A model of a clause's body and constraint in which its head is not covered.
fn uncovered(
    terms: &mut Terms,
    system: &System,
    kept: &IndexVec<PredicateId, Kept>,
    clause: &Clause,
    new_solver: NewSolver<'_>,
    budget: &Budget,
) -> Result<Option<Model>, Reason> {
    budget.check()?;
    let holds = |terms: &mut Terms, application: &Application| {
        let predicate: &Predicate = &system.predicates[application.predicate];
        let formula = kept[application.predicate].formula(terms, &predicate.parameters);
        predicate.instantiate(terms, formula, &application.args)
    };
    let mut parts = vec![clause.constraint];
    for application in &clause.body {
        parts.push(holds(terms, application));
    }
    if let Some(head) = &clause.head {
        let covered = holds(terms, head);
        parts.push(terms.not(covered));
    }
    let violation = terms.and(&parts);
    if violation == Terms::FALSE {
        return Ok(None);
    }
    let mut solver = new_solver();
    solver.assert(terms, violation);
    match solver.check(terms, &[], budget) {
        Answer::Unsat => Ok(None),
        Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
        Answer::Unknown(reason) => Err(reason.into()),
    }
}

/// The values of an atom's arguments that are integers or Booleans; `None` if one is too large.
fn point(terms: &Terms, head: &Application, model: &Model) -> Option<Vec<Option<i64>>> {
    let mut values = Vec::new();
    for &arg in &head.args {
        values.push(match terms.eval(arg, model).ok()? {
            Value::Int(value) => Some(value.to_i64().filter(|value| value.abs() < 1 << 30)?),
            Value::Bool(value) => Some(i64::from(value)),
            _ => None,
        });
    }
    Some(values)
}

/// A sum of arguments, each once, with a sign.
type Form = Vec<(usize, i64)>;

/// What is told apart.
#[derive(Clone, Copy)]
enum Guard {
    /// The values of an argument.
    Value(usize),
    /// Whether an argument is zero.
    Zero(usize),
}

impl Guard {
    fn of(self, point: &[Option<i64>]) -> Option<i64> {
        match self {
            Guard::Value(place) => point[place],
            Guard::Zero(place) => point[place].map(|value| i64::from(value == 0)),
        }
    }

    fn formula(self, terms: &mut Terms, parameters: &[TermId], value: i64) -> TermId {
        match self {
            Guard::Value(place) if terms.is_bool(parameters[place]) => {
                if value == 0 {
                    terms.not(parameters[place])
                } else {
                    parameters[place]
                }
            }
            Guard::Value(place) => {
                let value = terms.int(value);
                terms.eq(parameters[place], value)
            }
            Guard::Zero(place) => {
                let zero = terms.int(0);
                let is_zero = terms.eq(parameters[place], zero);
                if value == 0 { terms.not(is_zero) } else { is_zero }
            }
        }
    }
}

/// What is kept of a predicate.
struct Kept {
    guards: Vec<Guard>,
    /// The arguments that are integers and have many values.
    numbers: Vec<usize>,
    forms: Vec<Form>,
    /// For each combination of values that occurs.
    elements: OrderedMap<Vec<i64>, Element>,
}

/// What holds of all points so far.
#[derive(Clone)]
struct Element {
    /// Coefficients of the numbers and a constant, whose sum is zero.
    equations: Vec<Vec<i64>>,
    bounds: Vec<(Option<i64>, Option<i64>)>,
    /// The form is never zero.
    nonzero: Vec<bool>,
}

impl Kept {
    fn new(terms: &Terms, predicate: &Predicate, zero: bool, few: impl Fn(usize) -> Option<usize>) -> Self {
        let mut guards = Vec::new();
        let mut numbers = Vec::new();
        let mut combinations = 1;
        for (argument, &parameter) in predicate.parameters.iter().enumerate() {
            let values = if terms.is_bool(parameter) { Some(2) } else { few(argument) };
            match values {
                Some(values) if combinations * values <= MOST_GUARDS => {
                    combinations *= values;
                    guards.push(Guard::Value(argument));
                }
                _ if terms.is_int(parameter) => numbers.push(argument),
                _ => {}
            }
        }
        if zero {
            for &argument in numbers.iter().take_while(|_| {
                combinations *= 2;
                combinations <= MOST_GUARDS
            }) {
                guards.push(Guard::Zero(argument));
            }
        }
        let mut forms: Vec<Form> = Vec::new();
        let count = numbers.len();
        for i in 0..count {
            forms.push(vec![(i, 1)]);
            for j in (0..count).filter(|&j| j != i) {
                if i < j {
                    forms.push(vec![(i, 1), (j, -1)]);
                }
                for k in (j + 1..count).filter(|&k| k != i && count <= MOST_FOR_TRIPLES) {
                    forms.push(vec![(i, 1), (j, -1), (k, -1)]);
                }
            }
        }
        Kept { guards, numbers, forms, elements: OrderedMap::default() }
    }

    /// Makes a point covered; false if its numbers become too large.
    fn cover(&mut self, point: &[Option<i64>]) -> bool {
        let guard: Option<Vec<i64>> = self.guards.iter().map(|guard| guard.of(point)).collect();
        let numbers: Option<Vec<i64>> = self.numbers.iter().map(|&place| point[place]).collect();
        let (Some(guard), Some(numbers)) = (guard, numbers) else { return false };
        let sums: Vec<i64> = self.forms.iter().map(|form| sum(form, &numbers)).collect();
        match self.elements.get_mut(&guard) {
            Some(element) => element.cover(&numbers, &sums).is_some(),
            None => {
                self.elements.insert(guard, Element::of(&numbers, &sums));
                true
            }
        }
    }

    fn formula(&self, terms: &mut Terms, parameters: &[TermId]) -> TermId {
        let mut alternatives = Vec::new();
        for (guard, element) in &self.elements {
            let told = self.guards.iter().zip(guard);
            let mut parts: Vec<TermId> =
                told.map(|(guard, &value)| guard.formula(terms, parameters, value)).collect();
            let numbers: Vec<TermId> = self.numbers.iter().map(|&place| parameters[place]).collect();
            element.formula(terms, &self.forms, &numbers, &mut parts);
            alternatives.push(terms.and(&parts));
        }
        terms.or(&alternatives)
    }
}

fn sum(form: &Form, numbers: &[i64]) -> i64 {
    form.iter().map(|&(i, factor)| factor * numbers[i]).sum()
}

impl Element {
    fn of(numbers: &[i64], sums: &[i64]) -> Self {
        let mut equations = Vec::new();
        for (i, &value) in numbers.iter().enumerate() {
            let mut equation = vec![0; numbers.len() + 1];
            equation[i] = 1;
            equation[numbers.len()] = -value;
            equations.push(equation);
        }
        let small = |value: i64| (value.abs() <= LARGEST_BOUND).then_some(value);
        let bounds = sums.iter().map(|&value| (small(value), small(value))).collect();
        Element { equations, bounds, nonzero: sums.iter().map(|&value| value != 0).collect() }
    }

    /// Weakens the element so that it has a point; `None` if coefficients become too large.
    fn cover(&mut self, numbers: &[i64], sums: &[i64]) -> Option<()> {
        let rest = |equation: &Vec<i64>| -> Option<i64> {
            let products = equation.iter().zip(numbers).map(|(&factor, &value)| factor.checked_mul(value));
            products.chain([equation.last().copied()]).try_fold(0i64, |sum, part| sum.checked_add(part?))
        };
        // The first equation that fails is added to the others, so that only it is lost.
        let rests: Vec<i64> = self.equations.iter().map(rest).collect::<Option<_>>()?;
        if let Some(lost) = rests.iter().position(|&rest| rest != 0) {
            let pivot = self.equations[lost].clone();
            for (equation, &rest) in self.equations.iter_mut().zip(&rests).filter(|(_, rest)| **rest != 0) {
                for (factor, &other) in equation.iter_mut().zip(&pivot) {
                    *factor = factor.checked_mul(rests[lost])?.checked_sub(other.checked_mul(rest)?)?;
                }
                let divisor = equation.iter().fold(0, |divisor, &factor| gcd(divisor, factor.abs())).max(1);
                equation.iter_mut().for_each(|factor| *factor /= divisor);
            }
            self.equations.remove(lost);
        }
        for (bound, &value) in self.bounds.iter_mut().zip(sums) {
            let small = |bound: i64| (bound.abs() <= LARGEST_BOUND).then_some(bound);
            bound.0 = bound.0.and_then(|least| small(least.min(value)));
            bound.1 = bound.1.and_then(|most| small(most.max(value)));
        }
        for (nonzero, &value) in self.nonzero.iter_mut().zip(sums) {
            *nonzero &= value != 0;
        }
        Some(())
    }

    fn formula(&self, terms: &mut Terms, forms: &[Form], numbers: &[TermId], parts: &mut Vec<TermId>) {
        let zero = terms.int(0);
        for equation in &self.equations {
            let mut summands = Vec::new();
            for (&factor, &number) in equation.iter().zip(numbers).filter(|(factor, _)| **factor != 0) {
                let factor = terms.int(factor);
                summands.push(terms.mul(factor, number));
            }
            summands.push(terms.int(equation[numbers.len()]));
            let sum = terms.add(&summands);
            parts.push(terms.eq(sum, zero));
        }
        for ((form, &(least, most)), &nonzero) in forms.iter().zip(&self.bounds).zip(&self.nonzero) {
            let mut summands = vec![zero];
            for &(i, factor) in form {
                let factor = terms.int(factor);
                summands.push(terms.mul(factor, numbers[i]));
            }
            let sum = terms.add(&summands);
            if let Some(least) = least {
                let least = terms.int(least);
                parts.push(terms.le(least, sum));
            }
            if let Some(most) = most {
                let most = terms.int(most);
                parts.push(terms.le(sum, most));
            }
            if nonzero && least.is_none_or(|least| least <= 0) && most.is_none_or(|most| most >= 0) {
                let equal = terms.eq(sum, zero);
                parts.push(terms.not(equal));
            }
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
