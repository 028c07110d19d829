//! Arrays and functions, read away.
//!
//! An array is a tree of stores and choices over unknown and constant arrays. A read goes down the tree; at an unknown
//! array it is a word of its own, equal to earlier reads at equal indices. Arrays that are equal agree at every index
//! that is used; arrays that differ do so at an index of their own. One more index for each sort, which differs from
//! all others, stands for the rest: so a model can be extended to all indices.

use super::sorts::{Scalar, Sort, Value, Word};
use crate::{Bit, Circuit, words};
use craig_base::{Map, OrderedMap};

/// Indices of so many bits are all used.
const FEW_BITS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArrayId(usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Array {
    Unknown(usize),
    Constant(Word),
    Store(ArrayId, Word, Word),
    Choice(Bit, ArrayId, ArrayId),
}

/// Indices of one sort.
#[derive(Default)]
struct Indices {
    all: Vec<Word>,
    /// Differs from all others.
    rest: Option<Word>,
}

#[derive(Default)]
pub(super) struct Arrays {
    nodes: Vec<(Array, Scalar, Scalar)>,
    known: Map<(Array, Scalar, Scalar), ArrayId>,
    reads: Map<(ArrayId, Word), Word>,
    /// Of unknown arrays, and of functions.
    cells: OrderedMap<ArrayId, Vec<(Word, Word)>>,
    calls: OrderedMap<usize, Vec<(Word, Word)>>,
    indices: OrderedMap<Scalar, Indices>,
    equalities: Vec<(Bit, ArrayId, ArrayId)>,
    equal: Map<(ArrayId, ArrayId), Bit>,
}

impl Arrays {
    pub fn sort_of(&self, value: &Value) -> Sort {
        match value {
            Value::Bool(_) => Sort::Scalar(Scalar::Bool),
            Value::Word(word) => Sort::Scalar(Scalar::Word(word.len())),
            Value::Float(format, _) => Sort::Scalar(Scalar::Float(*format)),
            Value::Rounding(_) => Sort::Scalar(Scalar::Rounding),
            Value::Array(array) => {
                let (_, index, element) = self.nodes[array.0];
                Sort::Array(index, element)
            }
            Value::Real(_) => Sort::Real,
        }
    }

    fn node(&mut self, array: Array, index: Scalar, element: Scalar) -> ArrayId {
        let key = (array, index, element);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = ArrayId(self.nodes.len());
        self.nodes.push(key.clone());
        self.known.insert(key, id);
        id
    }

    pub fn unknown(&mut self, index: Scalar, element: Scalar) -> ArrayId {
        self.node(Array::Unknown(self.nodes.len()), index, element)
    }

    pub fn constant(&mut self, index: Scalar, element: Scalar, value: Word) -> ArrayId {
        self.node(Array::Constant(value), index, element)
    }

    pub fn store(&mut self, circuit: &mut Circuit, array: ArrayId, index: &Word, value: &Word) -> ArrayId {
        let (_, sort, element) = self.nodes[array.0];
        self.use_index(circuit, sort, index);
        self.node(Array::Store(array, index.clone(), value.clone()), sort, element)
    }

    pub fn choice(&mut self, condition: Bit, a: ArrayId, b: ArrayId) -> ArrayId {
        match condition.as_constant() {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => {
                let (_, index, element) = self.nodes[a.0];
                self.node(Array::Choice(condition, a, b), index, element)
            }
        }
    }

    pub fn select(&mut self, circuit: &mut Circuit, array: ArrayId, index: &Word) -> Word {
        self.use_index(circuit, self.nodes[array.0].1, index);
        self.read(circuit, array, index)
    }

    fn read(&mut self, circuit: &mut Circuit, array: ArrayId, index: &Word) -> Word {
        let mut stack = vec![array];
        while let Some(&id) = stack.last() {
            let key = (id, index.clone());
            if self.reads.contains_key(&key) {
                stack.pop();
                continue;
            }
            let (node, _, element) = self.nodes[id.0].clone();
            let below = |arrays: &Self, id: ArrayId| arrays.reads.get(&(id, index.clone())).cloned();
            let word = match node {
                Array::Constant(value) => value,
                Array::Unknown(_) => cell(circuit, self.cells.entry(id).or_default(), index, element),
                Array::Store(before, at, value) => {
                    let here = words::equal(circuit, &at, index);
                    match (here.as_constant(), below(self, before)) {
                        (Some(true), _) => value,
                        (_, Some(old)) => words::mux(circuit, here, &value, &old).into(),
                        (_, None) => {
                            stack.push(before);
                            continue;
                        }
                    }
                }
                Array::Choice(condition, a, b) => match (below(self, a), below(self, b)) {
                    (Some(a), Some(b)) => words::mux(circuit, condition, &a, &b).into(),
                    (x, y) => {
                        stack.extend(x.is_none().then_some(a).into_iter().chain(y.is_none().then_some(b)));
                        continue;
                    }
                },
            };
            stack.pop();
            self.reads.insert(key, word);
        }
        self.reads[&(array, index.clone())].clone()
    }

    pub fn equal(&mut self, circuit: &mut Circuit, a: ArrayId, b: ArrayId) -> Bit {
        if a == b {
            return Bit::TRUE;
        }
        let key = (ArrayId(a.0.min(b.0)), ArrayId(a.0.max(b.0)));
        if let Some(&equal) = self.equal.get(&key) {
            return equal;
        }
        let (_, sort, _) = self.nodes[a.0];
        let equal = circuit.input();
        self.equal.insert(key, equal);
        self.equalities.push((equal, a, b));
        for index in self.indices.entry(sort).or_default().all.clone() {
            self.agree(circuit, equal, a, b, &index);
        }
        self.use_rest(circuit, sort);
        let index = sort.unknown(circuit);
        self.use_index(circuit, sort, &index);
        let (x, y) = (self.read(circuit, a, &index), self.read(circuit, b, &index));
        let same = words::equal(circuit, &x, &y);
        let differ = circuit.or(equal, !same);
        circuit.add_fact(differ);
        equal
    }

    fn agree(&mut self, circuit: &mut Circuit, equal: Bit, a: ArrayId, b: ArrayId, index: &Word) {
        let (x, y) = (self.read(circuit, a, index), self.read(circuit, b, index));
        let same = words::equal(circuit, &x, &y);
        let agree = circuit.implies(equal, same);
        circuit.add_fact(agree);
    }

    /// The index that differs from all others; if there are few indices, all of them instead.
    fn use_rest(&mut self, circuit: &mut Circuit, sort: Scalar) {
        if self.indices.get(&sort).is_some_and(|indices| indices.rest.is_some()) {
            return;
        }
        if sort.width() <= FEW_BITS {
            for index in 0..1 << sort.width() {
                let index: Word = words::constant(sort.width(), index).into();
                if sort.represents(circuit, &index) == Bit::TRUE {
                    self.use_index(circuit, sort, &index);
                }
            }
            return;
        }
        let rest = sort.unknown(circuit);
        for index in self.indices.entry(sort).or_default().all.clone() {
            let same = words::equal(circuit, &rest, &index);
            circuit.add_fact(!same);
        }
        self.use_index(circuit, sort, &rest);
        self.indices.entry(sort).or_default().rest = Some(rest);
    }

    fn use_index(&mut self, circuit: &mut Circuit, sort: Scalar, index: &Word) {
        let indices = self.indices.entry(sort).or_default();
        if indices.all.contains(index) {
            return;
        }
        indices.all.push(index.clone());
        if let Some(rest) = indices.rest.clone() {
            let same = words::equal(circuit, &rest, index);
            circuit.add_fact(!same);
        }
        for (equal, a, b) in self.equalities.clone() {
            if self.nodes[a.0].1 == sort {
                self.agree(circuit, equal, a, b, index);
            }
        }
    }

    /// Whether there is an index that differs from all others, where one is used.
    pub fn has_room(&self) -> bool {
        let mut indices = self.indices.iter();
        indices.all(|(sort, indices)| indices.rest.is_none() || (indices.all.len() as u64) < sort.count())
    }

    pub fn call(&mut self, circuit: &mut Circuit, function: usize, args: &[Bit], result: Scalar) -> Word {
        cell(circuit, self.calls.entry(function).or_default(), &args.into(), result)
    }

    /// The value in a model, in SMT-LIB.
    pub fn show(&self, value: &Value, model: &[bool]) -> String {
        match value {
            Value::Array(array) => self.show_array(*array, model),
            Value::Real(value) => {
                let ratio = format!("(/ {}.0 {}.0)", value.numer().abs(), value.denom());
                if value.is_negative() { format!("(- {ratio})") } else { ratio }
            }
            _ => value.scalar().map(|(sort, word)| shown(sort, &word, model)).unwrap_or_default(),
        }
    }

    fn show_array(&self, array: ArrayId, model: &[bool]) -> String {
        let (_, sort, element) = self.nodes[array.0];
        let zero: Word = words::constant(element.width(), 0).into();
        let mut stores: OrderedMap<String, String> = OrderedMap::default();
        let mut at = array;
        let default = loop {
            match &self.nodes[at.0].0 {
                Array::Constant(value) => break value.clone(),
                Array::Store(before, index, value) => {
                    stores.entry(shown(sort, index, model)).or_insert_with(|| shown(element, value, model));
                    at = *before;
                }
                Array::Choice(condition, a, b) => at = if in_model(*condition, model) { *a } else { *b },
                Array::Unknown(_) => {
                    for (index, value) in self.cells.get(&at).into_iter().flatten() {
                        stores
                            .entry(shown(sort, index, model))
                            .or_insert_with(|| shown(element, value, model));
                    }
                    let rest = self.indices.get(&sort).and_then(|indices| indices.rest.clone());
                    let rest = rest.and_then(|rest| self.reads.get(&(at, rest)).cloned());
                    break rest.unwrap_or(zero);
                }
            }
        };
        let mut text =
            format!("((as const {}) {})", Sort::Array(sort, element), shown(element, &default, model));
        for (index, value) in stores.iter() {
            text = format!("(store {text} {index} {value})");
        }
        text
    }

    pub fn show_function(&self, id: usize, parameters: &[Scalar], sort: Scalar, model: &[bool]) -> String {
        let zero = words::constant(sort.width(), 0);
        let mut text = shown(sort, &zero, model);
        for (args, result) in self.calls.get(&id).into_iter().flatten() {
            let mut rest = &args[..];
            let mut same = Vec::new();
            for (i, &parameter) in parameters.iter().enumerate() {
                let (own, others) = rest.split_at(parameter.width());
                same.push(format!("(= x{i} {})", shown(parameter, own, model)));
                rest = others;
            }
            text = format!("(ite (and true {}) {} {text})", same.join(" "), shown(sort, result, model));
        }
        text
    }
}

/// A word that is equal to earlier ones at equal indices.
fn cell(circuit: &mut Circuit, cells: &mut Vec<(Word, Word)>, index: &Word, sort: Scalar) -> Word {
    if let Some((_, known)) = cells.iter().find(|(other, _)| other == index) {
        return known.clone();
    }
    let word = sort.unknown(circuit);
    for (other, value) in cells.iter() {
        let same = words::equal(circuit, other, index);
        if same != Bit::FALSE {
            let equal = words::equal(circuit, value, &word);
            let fact = circuit.implies(same, equal);
            circuit.add_fact(fact);
        }
    }
    cells.push((index.clone(), word.clone()));
    word
}

pub(super) fn in_model(bit: Bit, model: &[bool]) -> bool {
    model.get(bit.gate()).copied().unwrap_or(false) != bit.is_negated()
}

fn shown(sort: Scalar, word: &[Bit], model: &[bool]) -> String {
    sort.show(&word.iter().map(|&bit| in_model(bit, model)).collect::<Vec<_>>())
}
