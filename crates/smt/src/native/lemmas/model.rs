//! Values of arrays, functions and elements of uninterpreted sorts.
//!
//! An array has the value that is read at an index, by itself or by an array that agrees with it
//! there; elsewhere all arrays of a component (connected by stores and equalities) have one default:
//! the element of a constant array among them, or that of the sort. Components whose arrays have
//! to differ or are arguments, indices or elements have a default of their own, where the sort allows it.
//!
//! Terms of different classes may still get the same array as value. That is no harm unless some
//! function or array has to tell them apart, so such terms are compared: [`undistinguished`].

use super::Skolems;
use super::arrays::ArrayGraph;
use super::snapshot::{Equality, Key, Snapshot};
use crate::native::NativeSolver;
use crate::proof::Axiom;
use craig_base::{Map, OrderedMap, Set};
use craig_num::{Int, Rat};
use craig_term::{ArrayValue, FunctionValue, Model, Op, Sort, SortId, TermId, Terms, Value};
use std::sync::Arc;

/// Defaults of components that should differ begin here; a clash costs a lemma, no more.
const UNUSUAL: i64 = 1_000_003;

impl NativeSolver {
    /// Completes a model of numbers and truth values.
    pub(in crate::native) fn structured_values(&self, terms: &Terms, model: &mut Model) {
        let snapshot = Snapshot::new(self, terms);
        let graph = ArrayGraph::new(terms, &snapshot);
        let arrays = array_values(terms, &snapshot, &graph);
        let value = |t: TermId| value_of(terms, &snapshot, &arrays, t);
        for &t in &self.lemmas.log {
            match terms.op(t) {
                Op::Const(_) => {
                    if let Some(value) = value(t) {
                        model.set(t, value);
                    }
                }
                Op::App(function) => {
                    let args: Option<Vec<Value>> = terms.args(t).iter().map(|&arg| value(arg)).collect();
                    let (Some(args), Some(result)) = (args, value(t)) else { continue };
                    let mut graph = model.function(function).cloned().unwrap_or_else(|| FunctionValue {
                        entries: OrderedMap::default(),
                        default: terms.default_value(terms.sort(t)),
                    });
                    graph.entries.insert(args, result);
                    model.set_function(function, graph);
                }
                _ => {}
            }
        }
    }
}

/// Pairs of arrays that get the same value although they have to differ, or although functions or
/// arrays distinguish them.
pub(super) fn undistinguished(
    terms: &mut Terms,
    snapshot: &Snapshot,
    graph: &ArrayGraph,
    skolems: &mut Skolems,
    broken: &mut Vec<Axiom>,
) {
    let compared = compared_arrays(terms, snapshot);
    if compared.is_empty() && snapshot.different.is_empty() {
        return;
    }
    let arrays = array_values(terms, snapshot, graph);
    for &Equality { left, right } in &snapshot.different {
        if matches!(terms.sort_of(terms.sort(left)), Sort::Array { .. })
            && value_of(terms, snapshot, &arrays, left) == value_of(terms, snapshot, &arrays, right)
        {
            let witness = skolems.witness(terms, left, right);
            broken.push(Axiom::Extensionality { left, right, witness });
        }
    }
    let mut first: Map<(SortId, Value), (TermId, Key)> = Map::default();
    for t in compared {
        let (Some(key), Some(value)) = (snapshot.key(terms, t), value_of(terms, snapshot, &arrays, t)) else {
            continue;
        };
        let (known, class) = first.entry((terms.sort(t), value)).or_insert_with(|| (t, key.clone())).clone();
        if class != key {
            let witness = skolems.witness(terms, known, t);
            broken.push(Axiom::Extensionality { left: known, right: t, witness });
        }
    }
}

/// Arrays that are arguments of functions, indices or elements.
fn compared_arrays(terms: &Terms, snapshot: &Snapshot) -> Vec<TermId> {
    let is_array = |t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Array { .. });
    let mut compared: Vec<TermId> = Vec::new();
    for &t in &snapshot.solver.lemmas.log {
        let args = terms.args(t);
        match terms.op(t) {
            Op::App(_) | Op::ConstArray => compared.extend(args),
            Op::Store => compared.extend(&args[1..]),
            Op::Select => compared.extend([args[1], t]),
            _ => {}
        }
    }
    compared.retain(|&t| is_array(t));
    compared
}

/// A value that no other array has as its default.
fn unusual_value(terms: &Terms, sort: SortId, number: i64) -> Value {
    match *terms.sort_of(sort) {
        Sort::Int => Value::Int(Int::from(number)),
        Sort::Real => Value::Real(Rat::from(number)),
        // As deep as the sort, which the input wrote down.
        Sort::Array { element, .. } => {
            Value::Array(Arc::new(ArrayValue::new(unusual_value(terms, element, number))))
        }
        Sort::Bool | Sort::Uninterpreted { .. } => terms.default_value(sort),
    }
}

/// The values of all classes of arrays.
fn array_values(terms: &Terms, snapshot: &Snapshot, graph: &ArrayGraph) -> Map<u32, Value> {
    let mut values: Map<u32, Value> = Map::default();
    let mut sorts: Vec<SortId> = graph.nodes.iter().map(|&t| terms.sort(t)).collect();
    sorts.sort_unstable();
    sorts.dedup();
    // Sorts are made after those they contain, so elements and indices come first.
    let mut compared: Set<TermId> = compared_arrays(terms, snapshot).into_iter().collect();
    compared.extend(snapshot.different.iter().flat_map(|equality| [equality.left, equality.right]));
    for sort in sorts {
        array_values_of_sort(terms, snapshot, graph, sort, &compared, &mut values);
    }
    values
}

fn array_values_of_sort(
    terms: &Terms,
    snapshot: &Snapshot,
    graph: &ArrayGraph,
    sort: SortId,
    compared: &Set<TermId>,
    values: &mut Map<u32, Value>,
) {
    let Sort::Array { element, .. } = *terms.sort_of(sort) else { return };
    let nodes: Vec<u32> = (0..graph.nodes.len() as u32)
        .filter(|&node| terms.sort(graph.nodes[node as usize]) == sort)
        .collect();
    let mut components = graph.agreeing(None);
    let mut defaults: Map<u32, Value> = Map::default();
    for &(node, constant) in &graph.constants {
        if terms.sort(graph.nodes[node as usize]) == sort
            && let Some(value) = value_of(terms, snapshot, values, constant)
        {
            defaults.entry(components.find(node)).or_insert(value);
        }
    }
    for &node in nodes.iter().filter(|&&node| compared.contains(&graph.nodes[node as usize])) {
        let number = UNUSUAL + i64::from(components.find(node));
        defaults.entry(components.find(node)).or_insert_with(|| unusual_value(terms, element, number));
    }
    let mut arrays: Vec<ArrayValue> = nodes
        .iter()
        .map(|&node| {
            let default = defaults.get(&components.find(node)).cloned();
            ArrayValue::new(default.unwrap_or_else(|| terms.default_value(element)))
        })
        .collect();
    let empty = OrderedMap::default();
    for (key, reads) in graph.reads.get(&sort).unwrap_or(&empty) {
        let Some(index) = value_of(terms, snapshot, values, reads[0].index) else { continue };
        let mut agreeing = graph.agreeing(Some(key));
        let mut known: Map<u32, Value> = Map::default();
        for read in graph.reads_at(terms, sort, reads) {
            if let Some(value) = value_of(terms, snapshot, values, read.result) {
                known.insert(agreeing.find(read.node), value);
            }
        }
        for (array, &node) in arrays.iter_mut().zip(&nodes) {
            if let Some(value) = known.get(&agreeing.find(node)) {
                array.store(index.clone(), value.clone());
            }
        }
    }
    for (array, node) in arrays.into_iter().zip(nodes) {
        if let Some(Key::Class(class)) = snapshot.key(terms, graph.nodes[node as usize]) {
            values.entry(class).or_insert_with(|| Value::Array(Arc::new(array)));
        }
    }
}

/// The value of a term of any sort.
fn value_of(terms: &Terms, snapshot: &Snapshot, arrays: &Map<u32, Value>, t: TermId) -> Option<Value> {
    let sort = terms.sort(t);
    match snapshot.key(terms, t)? {
        Key::Truth(truth) => Some(Value::Bool(truth)),
        Key::Number(value) if sort == Terms::INT => Some(Value::Int(value.to_int()?)),
        Key::Number(value) => Some(Value::Real(value)),
        Key::Class(class) => match terms.sort_of(sort) {
            Sort::Array { .. } => arrays.get(&class).cloned(),
            _ => Some(Value::Uninterpreted(sort, class)),
        },
    }
}
