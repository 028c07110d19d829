//! Models of formulas that are called contradictory: values are chosen, evaluated, and chosen again. It needs no solver, so
//! that it shares no mistake with one, and costs little.

use super::generate::Random;
use craig_base::OrderedMap;
use craig_num::{Int, Rat};
use craig_term::{ArrayValue, FunId, FunctionValue, Model, Op, Sort, SortId, TermId, Terms, Value};
use std::fmt::Write as _;
use std::sync::Arc;

/// How many choices are tried.
const TRIES: usize = 24;
/// What numbers are chosen from: around zero, where the formulas have theirs.
const RANGE: usize = 9;

/// What satisfies all of the facts, in words, if chance finds it.
pub fn model(terms: &Terms, facts: &[TermId], random: &mut Random) -> Option<String> {
    let constants = terms.free_consts_of(facts);
    let mut functions: Vec<FunId> = terms
        .postorder(facts)
        .into_iter()
        .filter_map(|t| match terms.op(t) {
            Op::App(function) if !terms.args(t).is_empty() => Some(function),
            _ => None,
        })
        .collect();
    functions.sort_unstable();
    functions.dedup();
    for _ in 0..TRIES {
        let mut model = Model::new();
        for &constant in &constants {
            model.set(constant, value(terms, terms.sort(constant), random));
        }
        for &function in &functions {
            let (arguments, result) = terms.signature(function);
            let default = value(terms, result, random);
            let mut table = FunctionValue { entries: OrderedMap::default(), default };
            for _ in 0..random.below(4) {
                let key: Vec<Value> = arguments.iter().map(|&sort| value(terms, sort, random)).collect();
                table.entries.insert(key, value(terms, result, random));
            }
            model.set_function(function, table);
        }
        if facts.iter().all(|&fact| terms.eval_bool(fact, &model) == Ok(true)) {
            let mut text = String::new();
            for (constant, value) in model.consts() {
                let _ = write!(text, "{} = {value:?} ", terms.display(constant));
            }
            return Some(text);
        }
    }
    None
}

fn value(terms: &Terms, sort: SortId, random: &mut Random) -> Value {
    let number = random.below(RANGE) as i64 - 4;
    match terms.sort_of(sort) {
        Sort::Bool => Value::Bool(random.one_in(2)),
        Sort::Int => Value::Int(Int::from(number)),
        Sort::Real => Value::Real(Rat::new(Int::from(number), Int::from(1 + random.below(2) as i64))),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::new(value(terms, *element, random));
            for _ in 0..random.below(4) {
                array.store(value(terms, *index, random), value(terms, *element, random));
            }
            Value::Array(Arc::new(array))
        }
        Sort::Uninterpreted { .. } => Value::Uninterpreted(sort, random.below(4) as u32),
    }
}
