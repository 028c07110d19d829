//! Arrays and functions, read away.
//!
//! An array is a tree of stores and choices over unknown and constant arrays. A read goes down the tree; at an unknown
//! array it is a word of its own, equal to earlier reads at equal indices. Arrays that are equal agree at every index
//! that is used; arrays that differ do so at an index of their own. One more index for each sort, which differs from
//! all others, stands for the rest: so a model can be extended to all indices.
//!
//! An array of arrays is read at a path, which has an index for each level; an array in it is a node that puts its index
//! before the path. Equal ones agree at all paths of used indices.
//!
//! Elements of a declared sort are numbered in the order in which unknown ones are made: what is made after `k` others is
//! one of them or has the number `k`. No more bits are needed for it, whatever comes later, since elements can be renamed.

use super::sorts::{Scalar, Sort, Value, Word};
use crate::{Bit, Circuit, words};
use craig_base::{Map, OrderedMap};
use std::rc::Rc;

/// Indices of so many bits are all used.
const FEW_BITS: usize = 6;
/// At more paths arrays of arrays are not compared.
const MOST_PATHS: usize = 1 << 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ArrayId(usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Array {
    Unknown(usize),
    Constant(Value),
    Store(ArrayId, Word, Value),
    Choice(Bit, ArrayId, ArrayId),
    /// An element of an array of arrays.
    Element(ArrayId, Word),
}

/// An array with the sorts of its indices and of what is reached by all of them.
type Node = (Array, Rc<[Scalar]>, Scalar);

/// An index for each level.
type Path = Rc<[Word]>;

/// Indices of one sort.
#[derive(Default)]
struct Indices {
    all: Vec<Word>,
    /// Differs from all others.
    rest: Option<Word>,
}

#[derive(Default)]
pub(super) struct Arrays {
    nodes: Vec<Node>,
    known: Map<Node, ArrayId>,
    reads: Map<(ArrayId, Path), Word>,
    /// Of unknown arrays, and of functions, by what their arguments are one after the other.
    cells: OrderedMap<ArrayId, Vec<(Word, Path, Word)>>,
    calls: OrderedMap<usize, Vec<(Word, Word)>>,
    indices: OrderedMap<Scalar, Indices>,
    equalities: Vec<(Bit, ArrayId, ArrayId)>,
    equal: Map<(ArrayId, ArrayId), Bit>,
    /// Declared sorts, each with how many unknown elements it has.
    declared: Vec<(String, u64)>,
    /// Arrays of arrays were not compared everywhere.
    too_many_paths: bool,
}

/// What an array is in a model.
#[derive(Clone)]
enum Shown {
    Scalar(String),
    Array(Box<Shown>, OrderedMap<String, Shown>),
}

impl Arrays {
    pub fn declare_sort(&mut self, name: &str) -> Scalar {
        self.declared.push((name.to_string(), 0));
        Scalar::Declared(self.declared.len() - 1)
    }

    pub fn declares_sorts(&self) -> bool {
        !self.declared.is_empty()
    }

    /// Any value of a sort.
    pub fn any(&mut self, circuit: &mut Circuit, sort: Scalar) -> Word {
        let Scalar::Declared(declared) = sort else {
            let word = words::inputs(circuit, sort.width());
            let represents = sort.represents(circuit, &word);
            circuit.add_fact(represents);
            return word.into();
        };
        let others = &mut self.declared[declared].1;
        let bits = (u64::BITS - others.leading_zeros()) as usize;
        *others += 1;
        let mut word = words::inputs(circuit, bits.min(sort.width()));
        word.resize(sort.width(), Bit::FALSE);
        word.into()
    }

    /// The name of a sort in SMT-LIB.
    pub fn name(&self, sort: &Sort) -> String {
        let scalar = |sort: &Scalar| match sort {
            Scalar::Declared(declared) => craig_term::quote_symbol(&self.declared[*declared].0).to_string(),
            _ => sort.to_string(),
        };
        match sort {
            Sort::Scalar(sort) => scalar(sort),
            Sort::Array(indices, element) => indices
                .iter()
                .rev()
                .fold(scalar(element), |element, index| format!("(Array {} {element})", scalar(index))),
            Sort::Real => "Real".to_string(),
        }
    }

    pub fn sort_of(&self, value: &Value) -> Sort {
        match value {
            Value::Array(array) => {
                let (_, indices, element) = &self.nodes[array.0];
                Sort::Array(indices.clone(), *element)
            }
            Value::Real(_) => Sort::Real,
            Value::Bool(_) => Sort::Scalar(Scalar::Bool),
            Value::Word(word) => Sort::Scalar(Scalar::Word(word.len())),
            Value::Float(format, _) => Sort::Scalar(Scalar::Float(*format)),
            Value::Rounding(_) => Sort::Scalar(Scalar::Rounding),
            Value::Element(sort, _) => Sort::Scalar(Scalar::Declared(*sort)),
        }
    }

    fn node(&mut self, array: Array, indices: Rc<[Scalar]>, element: Scalar) -> ArrayId {
        let key = (array, indices, element);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = ArrayId(self.nodes.len());
        self.nodes.push(key.clone());
        self.known.insert(key, id);
        id
    }

    pub fn unknown(&mut self, indices: Rc<[Scalar]>, element: Scalar) -> ArrayId {
        self.node(Array::Unknown(self.nodes.len()), indices, element)
    }

    /// With one value everywhere, which has the sort of the elements.
    pub fn constant(&mut self, indices: Rc<[Scalar]>, element: Scalar, value: Value) -> ArrayId {
        self.node(Array::Constant(value), indices, element)
    }

    /// The sort of the elements, which may be arrays, and of the first index.
    pub fn element_sort(&self, array: ArrayId) -> (Scalar, Sort) {
        let (_, indices, element) = &self.nodes[array.0];
        (indices[0], below(indices, *element))
    }

    pub fn store(&mut self, circuit: &mut Circuit, array: ArrayId, index: &Word, value: &Value) -> ArrayId {
        let (_, indices, element) = self.nodes[array.0].clone();
        self.use_index(circuit, indices[0], index);
        self.node(Array::Store(array, index.clone(), value.clone()), indices, element)
    }

    pub fn choice(&mut self, condition: Bit, a: ArrayId, b: ArrayId) -> ArrayId {
        match condition.as_constant() {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => {
                let (_, indices, element) = self.nodes[a.0].clone();
                self.node(Array::Choice(condition, a, b), indices, element)
            }
        }
    }

    pub fn select(&mut self, circuit: &mut Circuit, array: ArrayId, index: &Word) -> Value {
        let (_, indices, element) = self.nodes[array.0].clone();
        self.use_index(circuit, indices[0], index);
        if indices.len() == 1 {
            return element.value(self.read(circuit, array, &[index.clone()].into()));
        }
        Value::Array(self.node(Array::Element(array, index.clone()), indices[1..].into(), element))
    }

    fn read(&mut self, circuit: &mut Circuit, array: ArrayId, path: &Path) -> Word {
        let mut stack = vec![(array, path.clone())];
        while let Some(key) = stack.last().cloned() {
            if self.reads.contains_key(&key) {
                stack.pop();
                continue;
            }
            let (id, path) = key.clone();
            let (node, _, element) = self.nodes[id.0].clone();
            // What has to be read first.
            let mut missing = Vec::new();
            let mut known = |key: (ArrayId, Path)| {
                let word = self.reads.get(&key).cloned();
                missing.extend(word.is_none().then_some(key));
                word
            };
            let inside = |value: &Value| match value {
                Value::Array(array) => Err((*array, Path::from(&path[1..]))),
                value => Ok(value.scalar().map(|(_, word)| word)),
            };
            let word = match node {
                Array::Constant(value) => inside(&value).unwrap_or_else(&mut known),
                Array::Unknown(_) => Some(self.cell(circuit, id, &path, element)),
                Array::Element(array, index) => known((array, [&[index], &path[..]].concat().into())),
                Array::Store(before, at, value) => {
                    let here = words::equal(circuit, &at, &path[0]);
                    let new = |known: &mut dyn FnMut((ArrayId, Path)) -> Option<Word>| {
                        inside(&value).unwrap_or_else(known)
                    };
                    match here.as_constant() {
                        Some(true) => new(&mut known),
                        Some(false) => known((before, path.clone())),
                        None => {
                            let old = known((before, path.clone()));
                            let new = new(&mut known);
                            old.zip(new).map(|(old, new)| words::mux(circuit, here, &new, &old).into())
                        }
                    }
                }
                Array::Choice(condition, a, b) => {
                    let (a, b) = (known((a, path.clone())), known((b, path.clone())));
                    a.zip(b).map(|(a, b)| words::mux(circuit, condition, &a, &b).into())
                }
            };
            match word {
                Some(word) => {
                    stack.pop();
                    self.reads.insert(key, word);
                }
                None => stack.extend(missing),
            }
        }
        self.reads[&(array, path.clone())].clone()
    }

    pub fn equal(&mut self, circuit: &mut Circuit, a: ArrayId, b: ArrayId) -> Bit {
        if a == b {
            return Bit::TRUE;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&equal) = self.equal.get(&key) {
            return equal;
        }
        let indices = self.nodes[a.0].1.clone();
        let equal = circuit.input();
        self.equal.insert(key, equal);
        for &sort in indices.iter() {
            self.use_rest(circuit, sort);
        }
        // Where they differ, if they do.
        let mut path = Vec::new();
        for &sort in indices.iter() {
            let index = self.any(circuit, sort);
            self.use_index(circuit, sort, &index);
            path.push(index);
        }
        self.equalities.push((equal, a, b));
        self.agree(circuit, equal, a, b, None);
        let path: Path = path.into();
        let (x, y) = (self.read(circuit, a, &path), self.read(circuit, b, &path));
        let same = words::equal(circuit, &x, &y);
        let differ = circuit.or(equal, !same);
        circuit.add_fact(differ);
        equal
    }

    /// At all paths of used indices; of those, at the ones that have the new index.
    fn agree(
        &mut self,
        circuit: &mut Circuit,
        equal: Bit,
        a: ArrayId,
        b: ArrayId,
        new: Option<(Scalar, &Word)>,
    ) {
        let sorts = self.nodes[a.0].1.clone();
        let used = |sort: &Scalar| self.indices.get(sort).map_or(0, |indices| indices.all.len());
        if sorts.len() > 1 && sorts.iter().map(used).fold(1, usize::saturating_mul) > MOST_PATHS {
            self.too_many_paths = true;
            return;
        }
        let mut paths: Vec<Vec<Word>> = vec![Vec::new()];
        for sort in sorts.iter() {
            let used = self.indices.entry(*sort).or_default().all.clone();
            let longer = |path: &Vec<Word>| -> Vec<Vec<Word>> {
                used.iter().map(|index| [&path[..], std::slice::from_ref(index)].concat()).collect()
            };
            paths = match new {
                // The only sort, and so the only place, in which it can be.
                Some((_, index)) if sorts.len() == 1 => vec![vec![index.clone()]],
                _ => paths.iter().flat_map(longer).collect(),
            };
        }
        for path in paths {
            let is_new = |(new, index): (Scalar, &Word)| {
                sorts.iter().zip(&path).any(|(sort, at)| *sort == new && at == index)
            };
            if new.is_some_and(|new| !is_new(new)) {
                continue;
            }
            let path: Path = path.into();
            let (x, y) = (self.read(circuit, a, &path), self.read(circuit, b, &path));
            let same = words::equal(circuit, &x, &y);
            let agree = circuit.implies(equal, same);
            circuit.add_fact(agree);
        }
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
        let rest = self.any(circuit, sort);
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
            if self.nodes[a.0].1.contains(&sort) {
                self.agree(circuit, equal, a, b, Some((sort, index)));
            }
        }
    }

    /// Whether there is an index that differs from all others, where one is used, and arrays are compared everywhere.
    pub fn has_room(&self) -> bool {
        let has_room = |(sort, indices): (&Scalar, &Indices)| {
            indices.rest.is_none() || (indices.all.len() as u64) < sort.count()
        };
        !self.too_many_paths && self.indices.iter().all(has_room)
    }

    /// Whether more elements in declared sorts could matter: constant arrays that differ may be equal after stores at all
    /// the indices there are, so that the index that differs from all others is not for granted.
    pub fn size_matters(&self) -> bool {
        let has_rest = |sort: &Scalar| self.indices.get(sort).is_some_and(|indices| indices.rest.is_some());
        self.nodes.iter().any(|(array, indices, _)| {
            matches!(array, Array::Constant(_))
                && indices.iter().any(|sort| matches!(sort, Scalar::Declared(_)) && has_rest(sort))
        })
    }

    pub fn call(&mut self, circuit: &mut Circuit, function: usize, args: &[Bit], result: Scalar) -> Word {
        let args: Word = args.into();
        let before = self.calls.entry(function).or_default();
        if let Some((_, known)) = before.iter().find(|(other, _)| *other == args) {
            return known.clone();
        }
        let word = self.any(circuit, result);
        let before = self.calls.entry(function).or_default();
        for (other, value) in before.iter() {
            congruent(circuit, (other, value), (&args, &word));
        }
        before.push((args, word.clone()));
        word
    }

    /// What an unknown array holds.
    fn cell(&mut self, circuit: &mut Circuit, array: ArrayId, path: &Path, element: Scalar) -> Word {
        let args: Word = path.iter().flat_map(|index| index.iter().copied()).collect();
        let word = self.any(circuit, element);
        let before = self.cells.entry(array).or_default();
        for (other, _, value) in before.iter() {
            congruent(circuit, (other, value), (&args, &word));
        }
        before.push((args, path.clone(), word.clone()));
        word
    }

    /// The value in a model, in SMT-LIB.
    pub fn show(&self, value: &Value, model: &[bool]) -> String {
        match value {
            Value::Array(array) => self.written(&self.sort_of(value), &self.in_model(*array, model)),
            Value::Real(value) => {
                let ratio = format!("(/ {}.0 {}.0)", value.numer().abs(), value.denom());
                if value.is_negative() { format!("(- {ratio})") } else { ratio }
            }
            _ => value.scalar().map(|(sort, word)| self.shown(sort, &word, model)).unwrap_or_default(),
        }
    }

    fn shown(&self, sort: Scalar, word: &[Bit], model: &[bool]) -> String {
        let text = sort.show(&word.iter().map(|&bit| in_model(bit, model)).collect::<Vec<_>>());
        match sort {
            Scalar::Declared(_) => format!("(as {text} {})", self.name(&Sort::Scalar(sort))),
            _ => text,
        }
    }

    /// Arrays that it depends on come first.
    fn in_model(&self, array: ArrayId, model: &[bool]) -> Shown {
        let mut done: Map<ArrayId, Shown> = Map::default();
        let mut stack = vec![array];
        while let Some(&id) = stack.last() {
            let mut missing = Vec::new();
            let shown = self.step(id, model, &done, &mut missing);
            if missing.is_empty() {
                done.insert(id, shown);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        done[&array].clone()
    }

    /// An array in a model, from those that are done.
    fn step(
        &self,
        id: ArrayId,
        model: &[bool],
        done: &Map<ArrayId, Shown>,
        missing: &mut Vec<ArrayId>,
    ) -> Shown {
        let (_, indices, element) = &self.nodes[id.0];
        let nothing = || Shown::Scalar(String::new());
        let mut value = |value: &Value| match value {
            Value::Array(array) => done.get(array).cloned().unwrap_or_else(|| {
                missing.push(*array);
                nothing()
            }),
            value => Shown::Scalar(self.show(value, model)),
        };
        let mut stores: OrderedMap<String, Shown> = OrderedMap::default();
        let mut at = id;
        let (default, more) = loop {
            match &self.nodes[at.0].0 {
                Array::Constant(everywhere) => break (value(everywhere), OrderedMap::default()),
                Array::Store(before, index, new) => {
                    let new = value(new);
                    stores.entry(self.shown(indices[0], index, model)).or_insert(new);
                    at = *before;
                }
                Array::Choice(condition, a, b) => at = if in_model(*condition, model) { *a } else { *b },
                Array::Element(array, index) => match value(&Value::Array(*array)) {
                    Shown::Array(default, rows) => {
                        let row = rows.get(&self.shown(self.nodes[array.0].1[0], index, model));
                        match row.cloned().unwrap_or(*default) {
                            Shown::Array(default, more) => break (*default, more),
                            scalar => break (scalar, OrderedMap::default()),
                        }
                    }
                    scalar => break (scalar, OrderedMap::default()),
                },
                Array::Unknown(_) => {
                    let cells: Vec<_> = self
                        .cells
                        .get(&at)
                        .into_iter()
                        .flatten()
                        .map(|(_, path, word)| (&path[..], word))
                        .collect();
                    match self.rows(indices, *element, &cells, model) {
                        Shown::Array(default, more) => break (*default, more),
                        scalar => break (scalar, OrderedMap::default()),
                    }
                }
            }
        };
        for (index, value) in more {
            stores.entry(index).or_insert(value);
        }
        Shown::Array(Box::new(default), stores)
    }

    /// What cells make of an unknown array, as deep as there are levels.
    fn rows(&self, indices: &[Scalar], element: Scalar, cells: &[(&[Word], &Word)], model: &[bool]) -> Shown {
        let Some((&first, below)) = indices.split_first() else {
            let zero = words::constant(element.width(), 0);
            let word = cells.first().map_or(&zero[..], |(_, word)| word);
            return Shown::Scalar(self.shown(element, word, model));
        };
        let mut grouped: OrderedMap<String, Vec<(&[Word], &Word)>> = OrderedMap::default();
        for (path, word) in cells {
            grouped.entry(self.shown(first, &path[0], model)).or_default().push((&path[1..], word));
        }
        let rest = self.indices.get(&first).and_then(|indices| indices.rest.clone());
        let rest = rest.and_then(|rest| grouped.get(&self.shown(first, &rest, model)).cloned());
        let default = self.rows(below, element, &rest.unwrap_or_default(), model);
        let rows = grouped
            .iter()
            .map(|(index, cells)| (index.clone(), self.rows(below, element, cells, model)))
            .collect();
        Shown::Array(Box::new(default), rows)
    }

    fn written(&self, sort: &Sort, shown: &Shown) -> String {
        match (sort, shown) {
            (Sort::Array(indices, element), Shown::Array(default, stores)) => {
                let inner = below(indices, *element);
                let mut text = format!("((as const {}) {})", self.name(sort), self.written(&inner, default));
                for (index, value) in stores.iter() {
                    text = format!("(store {text} {index} {})", self.written(&inner, value));
                }
                text
            }
            (_, Shown::Scalar(text)) => text.clone(),
            (_, Shown::Array(..)) => String::new(),
        }
    }

    pub fn show_function(&self, id: usize, parameters: &[Scalar], sort: Scalar, model: &[bool]) -> String {
        let zero = words::constant(sort.width(), 0);
        let mut text = self.shown(sort, &zero, model);
        for (args, result) in self.calls.get(&id).into_iter().flatten() {
            let mut rest = &args[..];
            let mut same = Vec::new();
            for (i, &parameter) in parameters.iter().enumerate() {
                let (own, others) = rest.split_at(parameter.width());
                same.push(format!("(= x{i} {})", self.shown(parameter, own, model)));
                rest = others;
            }
            text = format!("(ite (and true {}) {} {text})", same.join(" "), self.shown(sort, result, model));
        }
        text
    }
}

/// The sort of what the first index of an array leads to.
fn below(indices: &[Scalar], element: Scalar) -> Sort {
    match &indices[1..] {
        [] => Sort::Scalar(element),
        more => Sort::Array(more.into(), element),
    }
}

/// Equal results for equal arguments.
fn congruent(circuit: &mut Circuit, (args, result): (&Word, &Word), (others, other): (&Word, &Word)) {
    let same = words::equal(circuit, args, others);
    if same != Bit::FALSE {
        let equal = words::equal(circuit, result, other);
        let fact = circuit.implies(same, equal);
        circuit.add_fact(fact);
    }
}

pub(super) fn in_model(bit: Bit, model: &[bool]) -> bool {
    model.get(bit.gate()).copied().unwrap_or(false) != bit.is_negated()
}
