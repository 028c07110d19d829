//! Whether a quantified formula holds in a model: the model's values are put into its body, and what remains is a
//! question without quantifiers, functions and arrays.

use super::ground::{Ground, Quantifier};
use crate::native::NativeSolver;
use crate::solver::{Answer, Solver, UnknownReason, Unsupported};
use craig_base::{Budget, Map, OrderedMap, OrderedSet};
use craig_term::{ArrayValue, Model, Op, Sort, SortId, Substitution, TermId, Terms, Value};
use std::sync::Arc;

/// How many choices of elements of uninterpreted sorts are tried.
const MOST_CHOICES: usize = 2_000;
/// How many terms are tried in place of a value.
const MOST_TERMS: usize = 200;

/// Terms for the bound constants such that the body is false.
pub(super) struct Counterexample(pub Vec<TermId>);

const UNDECIDED: UnknownReason = UnknownReason::Unsupported(Unsupported::Quantifier);

/// Models that agree with one on the ground terms. What is said of all elements may hold of those that no term names if
/// they are like one that has a name; so the first model has such defaults, and the last is the model itself.
pub(super) fn variants(terms: &mut Terms, ground: &Ground, found: &Model) -> Vec<Model> {
    let mut variant = found.clone();
    for (function, value) in found.functions() {
        if let Some(last) = value.entries.values().last() {
            let mut value = value.clone();
            value.default = last.clone();
            variant.set_function(function, value);
        }
    }
    let mut read: OrderedMap<TermId, Vec<TermId>> = OrderedMap::default();
    let mut indices: OrderedMap<SortId, OrderedSet<TermId>> = OrderedMap::default();
    for t in terms.postorder(&ground.facts) {
        if matches!(terms.op(t), Op::Select | Op::Store) {
            let (array, index) = (terms.arg(t, 0), terms.arg(t, 1));
            indices.entry(terms.sort(index)).or_default().insert(index);
            if matches!(terms.op(array), Op::Const(_)) && terms.op(t) == Op::Select {
                read.entry(array).or_default().push(t);
            }
        }
    }
    for (array, reads) in read {
        let (Ok(Value::Array(old)), Some(&last)) = (terms.eval(array, found), reads.last()) else { continue };
        let Ok(like) = terms.eval(last, found) else { continue };
        let mut value = ArrayValue::new(like);
        for (index, element) in old.entries() {
            value.store(index.clone(), element.clone());
        }
        let sort = terms.sort(terms.arg(last, 1));
        for &index in indices.get(&sort).into_iter().flatten() {
            if let Ok(index) = terms.eval(index, found) {
                let element = old.select(&index).clone();
                value.store(index, element);
            }
        }
        variant.set(array, Value::Array(Arc::new(value)));
    }
    let holds = |model: &Model| ground.facts.iter().all(|&fact| terms.eval_bool(fact, model) == Ok(true));
    let mut models = Vec::new();
    if variant != *found && holds(&variant) {
        models.push(variant);
    }
    if holds(found) {
        models.push(found.clone());
    }
    models
}

/// Values for which the body is false in the model, as terms.
pub(super) fn counterexample(
    terms: &mut Terms,
    quantifier: &Quantifier,
    ground: &Ground,
    model: &Model,
    budget: &Budget,
) -> Result<Option<Counterexample>, UnknownReason> {
    let is_element =
        |terms: &Terms, x: TermId| matches!(terms.sort_of(terms.sort(x)), Sort::Uninterpreted { .. });
    let elements: Vec<TermId> = quantifier.bound.iter().copied().filter(|&x| is_element(terms, x)).collect();
    if elements.iter().any(|&x| terms.is_data(terms.sort(x))) {
        return Err(UNDECIDED);
    }
    let universe = universe(terms, ground, quantifier, model);
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for &x in &elements {
        let sort = terms.sort(x);
        let own: Vec<Value> = match universe.get(&sort) {
            Some(values) => values.iter().cloned().collect(),
            None => vec![terms.default_value(sort)],
        };
        let mut longer = Vec::new();
        for choice in &choices {
            longer.extend(own.iter().map(|value| [&choice[..], std::slice::from_ref(value)].concat()));
        }
        if longer.len() > MOST_CHOICES {
            return Err(UNDECIDED);
        }
        choices = longer;
    }
    for choice in choices {
        let mut known = model.clone();
        for (&x, value) in elements.iter().zip(choice) {
            known.set(x, value);
        }
        let others: Vec<TermId> =
            quantifier.bound.iter().copied().filter(|x| !elements.contains(x)).collect();
        let body = inserted(terms, quantifier.body, &others, &known).ok_or(UNDECIDED)?;
        let negated = terms.not(body);
        let mut solver = NativeSolver::default();
        solver.assert(terms, negated);
        match solver.check(terms, &[], budget) {
            Answer::Unsat => continue,
            Answer::Unknown(reason) => return Err(reason),
            Answer::Sat => {}
        }
        let values = solver.model().cloned().unwrap_or_default();
        for &x in &others {
            let value = terms.eval(x, &values).map_err(|_| UNDECIDED)?;
            known.set(x, value);
        }
        return as_terms(terms, quantifier, ground, &known).map(Some).ok_or(UNDECIDED);
    }
    Ok(None)
}

/// The elements of uninterpreted sorts that the model mentions: others need not exist.
fn universe(
    terms: &Terms,
    ground: &Ground,
    quantifier: &Quantifier,
    model: &Model,
) -> OrderedMap<SortId, OrderedSet<Value>> {
    let mut universe: OrderedMap<SortId, OrderedSet<Value>> = OrderedMap::default();
    let mut stack: Vec<Value> = model.consts().map(|(_, value)| value.clone()).collect();
    for (_, function) in model.functions() {
        for (args, result) in &function.entries {
            stack.extend(args.iter().chain([result]).cloned());
        }
        stack.push(function.default.clone());
    }
    // Constants and functions that the model leaves out have default values.
    for t in terms.postorder(&[&ground.facts[..], &[quantifier.body]].concat()) {
        stack.push(terms.default_value(terms.sort(t)));
    }
    while let Some(value) = stack.pop() {
        match &value {
            Value::Uninterpreted(sort, _) => {
                universe.entry(*sort).or_default().insert(value);
            }
            Value::Array(array) => {
                stack.push(array.default_element().clone());
                stack.extend(array.entries().flat_map(|(index, element)| [index.clone(), element.clone()]));
            }
            _ => {}
        }
    }
    universe
}

/// A term with what the model says in it: a value, or something over the bound constants.
#[derive(Clone)]
enum Part {
    Known(Value),
    Open(TermId),
}

/// The body over the bound constants alone. Nothing where elements without a name would be needed.
fn inserted(terms: &mut Terms, body: TermId, bound: &[TermId], model: &Model) -> Option<TermId> {
    let mut parts: Map<TermId, Part> = Map::default();
    for t in terms.postorder(&[body]) {
        let part = insert(terms, t, bound, model, &parts)?;
        parts.insert(t, part);
    }
    let root = parts.remove(&body)?;
    as_term(terms, &root, Terms::BOOL)
}

fn as_term(terms: &mut Terms, part: &Part, sort: SortId) -> Option<TermId> {
    match part {
        Part::Known(value) => terms.value_term(value, sort),
        Part::Open(t) => Some(*t),
    }
}

fn insert(
    terms: &mut Terms,
    t: TermId,
    bound: &[TermId],
    model: &Model,
    parts: &Map<TermId, Part>,
) -> Option<Part> {
    let args: Vec<TermId> = terms.args(t).to_vec();
    let known: Option<Vec<Value>> = args
        .iter()
        .map(|arg| match parts.get(arg) {
            Some(Part::Known(value)) => Some(value.clone()),
            _ => None,
        })
        .collect();
    match terms.op(t) {
        Op::Forall | Op::Exists => None,
        Op::Const(_) if bound.contains(&t) => Some(Part::Open(t)),
        Op::Const(_) => terms.eval(t, model).ok().map(Part::Known),
        Op::App(function) => {
            let (sorts, sort) = terms.signature(function);
            let (sorts, sort) = (sorts.to_vec(), sort);
            let table = model.function(function);
            let default = table.map_or_else(|| terms.default_value(sort), |table| table.default.clone());
            let entries: Vec<(Vec<Value>, Value)> = table.map_or_else(Vec::new, |table| {
                table.entries.iter().map(|(args, result)| (args.clone(), result.clone())).collect()
            });
            if terms.role(function).is_some() {
                return None;
            }
            if let Some(known) = known {
                let found = entries.into_iter().find(|(args, _)| *args == known);
                return Some(Part::Known(found.map_or(default, |(_, result)| result)));
            }
            let mut result = terms.value_term(&default, sort)?;
            for (at, value) in entries.into_iter().rev() {
                let here = equal(terms, &args, &sorts, &at, parts)?;
                let value = terms.value_term(&value, sort)?;
                result = terms.ite(here, value, result);
            }
            Some(Part::Open(result))
        }
        Op::Select if matches!(parts.get(&args[0]), Some(Part::Known(_))) => {
            let Some(Part::Known(Value::Array(array))) = parts.get(&args[0]).cloned() else { return None };
            if let Some(Part::Known(index)) = parts.get(&args[1]) {
                return Some(Part::Known(array.select(index).clone()));
            }
            let (sort, index_sort) = (terms.sort(t), terms.sort(args[1]));
            let mut result = terms.value_term(array.default_element(), sort)?;
            for (at, value) in array.entries() {
                let here = equal(terms, &args[1..], &[index_sort], std::slice::from_ref(at), parts)?;
                let value = terms.value_term(value, sort)?;
                result = terms.ite(here, value, result);
            }
            Some(Part::Open(result))
        }
        op => {
            if let Some(known) = &known {
                if op == Op::Eq {
                    return Some(Part::Known(Value::Bool(known[0] == known[1])));
                }
                if op == Op::Ite {
                    let chosen = if known[0] == Value::Bool(true) { 1 } else { 2 };
                    return Some(Part::Known(known[chosen].clone()));
                }
            }
            if op == Op::Ite
                && let Some(Part::Known(Value::Bool(condition))) = parts.get(&args[0])
            {
                return parts.get(&args[if *condition { 1 } else { 2 }]).cloned();
            }
            let mut pairs = Vec::new();
            for &arg in &args {
                let sort = terms.sort(arg);
                pairs.push((arg, as_term(terms, parts.get(&arg)?, sort)?));
            }
            let new = Substitution::from_pairs(pairs).apply(terms, t);
            Some(terms.known_value(new).map_or(Part::Open(new), Part::Known))
        }
    }
}

/// Whether arguments are equal to values.
fn equal(
    terms: &mut Terms,
    args: &[TermId],
    sorts: &[SortId],
    values: &[Value],
    parts: &Map<TermId, Part>,
) -> Option<TermId> {
    let mut all = Vec::new();
    for ((arg, &sort), value) in args.iter().zip(sorts).zip(values) {
        match parts.get(arg)? {
            Part::Known(own) => all.push(terms.bool(own == value)),
            Part::Open(t) => {
                let (t, value) = (*t, terms.value_term(value, sort)?);
                all.push(terms.eq(t, value));
            }
        }
    }
    Some(terms.and(&all))
}

/// Terms in place of the values of a counterexample: ground terms or bounds of the body if there are some with which the
/// body is false as well, since what they stand for changes with the model.
fn as_terms(
    terms: &mut Terms,
    quantifier: &Quantifier,
    ground: &Ground,
    known: &Model,
) -> Option<Counterexample> {
    let mut own = known.clone();
    let mut chosen: Vec<TermId> = Vec::new();
    for (at, &x) in quantifier.bound.iter().enumerate() {
        let sort = terms.sort(x);
        let value = terms.eval(x, known).ok()?;
        let mut candidates =
            bounds(terms, quantifier.body, x, &quantifier.bound[..at], &chosen, &quantifier.bound);
        candidates.extend(ground_terms(terms, ground, sort));
        candidates.truncate(MOST_TERMS);
        let mut found = None;
        for candidate in candidates {
            let Ok(there) = terms.eval(candidate, known) else { continue };
            own.set(x, there.clone());
            if there == value || terms.eval_bool(quantifier.body, &own) == Ok(false) {
                found = Some(candidate);
                break;
            }
        }
        let term = match found {
            Some(term) => term,
            None => {
                own.set(x, value.clone());
                terms.value_term(&value, sort)?
            }
        };
        chosen.push(term);
    }
    Some(Counterexample(chosen))
}

/// Terms of a sort among the facts.
fn ground_terms(terms: &Terms, ground: &Ground, sort: SortId) -> Vec<TermId> {
    let all = terms.postorder(&ground.facts).into_iter();
    all.filter(|&t| terms.sort(t) == sort && !terms.is_bool(t)).take(MOST_TERMS).collect()
}

/// What the body compares a bound constant with, with and without one more or less.
fn bounds(
    terms: &mut Terms,
    body: TermId,
    x: TermId,
    before: &[TermId],
    chosen: &[TermId],
    bound: &[TermId],
) -> Vec<TermId> {
    let sort = terms.sort(x);
    let mut found = Vec::new();
    if sort != Terms::INT && sort != Terms::REAL {
        return found;
    }
    let is_quantifier = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
    for t in terms.postorder_skipping(&[body], is_quantifier) {
        if !matches!(terms.op(t), Op::Le | Op::Lt | Op::Eq) || terms.sort(terms.arg(t, 0)) != sort {
            continue;
        }
        let difference = terms.sub(terms.arg(t, 1), terms.arg(t, 0));
        let mut rest = terms.linear(difference);
        let Some(at) = rest.terms.iter().position(|&(y, _)| y == x) else { continue };
        let (_, factor) = rest.terms.remove(at);
        let rest = terms.from_linear(rest, sort);
        let Some(limit) = terms.exact_quotient(rest, &-factor) else { continue };
        let pairs = before.iter().copied().zip(chosen.iter().copied());
        let limit = Substitution::from_pairs(pairs).apply(terms, limit);
        if terms.free_consts(limit).iter().any(|y| bound.contains(y)) {
            continue;
        }
        let one = if sort == Terms::INT { terms.int(1) } else { terms.real(1) };
        let (less, more) = (terms.sub(limit, one), terms.add2(limit, one));
        found.extend([limit, less, more]);
    }
    found
}
