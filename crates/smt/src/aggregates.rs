//! What the elements of an array are together: their sum, the greatest or the least of them.
//!
//! `sum-of(array, first, stride, count, start)` is `start` and the elements at `first`, `first + stride`, ... together: `count`
//! of them, and none if that is not positive. `greatest-of` and `least-of` likewise. To the solver these are functions like
//! any other. [`Aggregates`] says what always holds of them, for those that formulas speak of:
//!
//! - no elements leave `start` as it is, and of some the first or the last one can be taken out;
//! - where one element is replaced by another, a sum changes by their difference;
//! - two aggregates of as many elements are equal, or differ in some element.

use craig_base::{Map, OrderedMap, Set};
use craig_num::{Int, Rat};
use craig_term::{FunId, Model, Op, TermId, Terms, Value};

/// Formulas with more aggregates are told about the first of them.
const MAX_AGGREGATES: usize = 120;
/// So many facts about two aggregates are of use at once.
const MAX_AT_ONCE: usize = 8;

/// How elements are put together, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By addition.
    Sum,
    /// The largest of them.
    Greatest,
    /// The smallest of them.
    Least,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Sum, Kind::Greatest, Kind::Least];

    /// The name of the function; no program has one like it.
    fn name(self) -> &'static str {
        match self {
            Kind::Sum => "sum-of",
            Kind::Greatest => "greatest-of",
            Kind::Least => "least-of",
        }
    }

    /// Its declaration in SMT-LIB.
    pub fn declaration(self) -> String {
        format!("(declare-fun {} ((Array Int Int) Int Int Int Int) Int)", self.name())
    }

    fn declare(self, tm: &mut Terms) -> Option<FunId> {
        let array = tm.array_sort(Terms::INT, Terms::INT);
        let arguments = [array, Terms::INT, Terms::INT, Terms::INT, Terms::INT];
        tm.declare_fun(self.name(), &arguments, Terms::INT).ok()
    }

    /// So many elements are taken out at the beginning. Two may have changed places, which sums know how to tell otherwise.
    fn most_taken(self) -> usize {
        if self == Kind::Sum { 1 } else { 2 }
    }

    fn together(self, tm: &mut Terms, one: TermId, other: TermId) -> TermId {
        let (yes, no) = match self {
            Kind::Sum => return tm.add2(one, other),
            Kind::Greatest => (other, one),
            Kind::Least => (one, other),
        };
        let is_less = tm.le(one, other);
        tm.ite(is_less, yes, no)
    }
}

/// Elements of an array, and what they are added to.
#[derive(Clone)]
pub struct Elements {
    /// An array of integers.
    pub array: TermId,
    /// Where the first one is.
    pub first: TermId,
    /// How far each is from the one before it.
    pub stride: Int,
    /// How many there are.
    pub count: TermId,
    /// What there is without them.
    pub start: TermId,
}

impl Elements {
    /// What they are together; none if the array has other elements than integers.
    pub fn aggregate(&self, tm: &mut Terms, kind: Kind) -> Option<TermId> {
        let symbol = kind.declare(tm)?;
        if tm.signature(symbol).0[0] != tm.sort(self.array) {
            return None;
        }
        let stride = tm.int(self.stride.clone());
        Some(tm.app(symbol, &[self.array, self.first, stride, self.count, self.start]))
    }

    /// The element that comes after so many others.
    fn element(&self, tm: &mut Terms, after: TermId) -> TermId {
        let distance = tm.scale(&Rat::from(self.stride.clone()), after);
        let place = tm.add2(self.first, distance);
        tm.select(self.array, place)
    }
}

/// An aggregate as it stands in a formula.
#[derive(Clone)]
struct Aggregate {
    term: TermId,
    kind: Kind,
    of: Elements,
}

impl Aggregate {
    fn at(tm: &Terms, term: TermId) -> Option<Aggregate> {
        let Op::App(symbol) = tm.op(term) else { return None };
        let kind = Kind::ALL.into_iter().find(|kind| tm.symbol_name(symbol) == kind.name())?;
        let &[array, first, stride, count, start] = tm.args(term) else { return None };
        let stride = tm.int_value(stride).filter(|stride| !stride.is_zero())?;
        Some(Aggregate { term, kind, of: Elements { array, first, stride, count, start } })
    }

    /// Of the same elements of another array.
    fn in_array(&self, tm: &mut Terms, array: TermId) -> Option<TermId> {
        Elements { array, ..self.of.clone() }.aggregate(tm, self.kind)
    }
}

/// Makes what is to be known of aggregates.
#[derive(Default)]
pub struct Aggregates {
    /// Those that were made to say something about others, by how many elements were taken out.
    parts: Map<TermId, usize>,
    /// Of two, after how many elements they differ if they do.
    differences: Map<(TermId, TermId), TermId>,
}

/// What always holds of aggregates.
#[derive(Default)]
pub struct Facts {
    of_one: Vec<TermId>,
    /// Of two aggregates; those that were made from fewer others come first.
    of_two: Vec<TermId>,
}

impl Facts {
    /// Those that do not hold in a model, without those that are known: as of two aggregates there are many, only some of
    /// them, and if there is nothing else.
    pub fn wrong_in(&self, tm: &Terms, model: &Model, is_known: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let wrong = |facts: &[TermId], most: usize| {
            let values = tm.eval_all(facts, model).unwrap_or_default();
            let holds = |fact: TermId| match values.get(&fact) {
                Some(value) => *value == Value::Bool(true),
                None => tm.eval_bool(fact, model) == Ok(true),
            };
            let wrong = facts.iter().copied().filter(|&fact| !is_known(fact) && !holds(fact));
            wrong.take(most).collect::<Vec<TermId>>()
        };
        let found = wrong(&self.of_one, usize::MAX);
        if found.is_empty() { wrong(&self.of_two, MAX_AT_ONCE) } else { found }
    }
}

impl Aggregates {
    /// What always holds of the aggregates in formulas.
    pub fn facts(&mut self, tm: &mut Terms, formulas: &[TermId]) -> Facts {
        let mut facts = Facts::default();
        if Kind::ALL.into_iter().all(|kind| tm.symbol(kind.name()).is_none()) {
            return facts;
        }
        let mut found: OrderedMap<TermId, Aggregate> = OrderedMap::default();
        // What is said to be an array with one element replaced.
        let mut replaced: Vec<(TermId, TermId, TermId)> = Vec::new();
        for t in tm.postorder(formulas) {
            found.extend(Aggregate::at(tm, t).map(|aggregate| (t, aggregate)));
            if tm.op(t) == Op::Eq {
                let (left, right) = (tm.arg(t, 0), tm.arg(t, 1));
                replaced.extend([(t, left, right), (t, right, left)]);
            }
            if tm.op(t) == Op::Store {
                replaced.push((Terms::TRUE, t, t));
            }
        }
        found.retain(|term, _| !self.parts.contains_key(term));
        replaced.retain(|&(_, _, store)| tm.op(store) == Op::Store);
        let written: Set<TermId> = found.keys().copied().collect();
        let mut compared: Vec<(usize, Aggregate)> = Vec::new();
        let mut next = 0;
        while let Some((_, whole)) = found.get_index(next).filter(|_| next < MAX_AGGREGATES) {
            next += 1;
            let whole = whole.clone();
            facts.of_one.push(is_nothing(tm, &whole));
            if tm.int_value(whole.of.count).is_some_and(|count| count <= Int::ZERO) {
                continue;
            }
            let taken = self.parts.get(&whole.term).copied().unwrap_or(0);
            let mut parts = Vec::new();
            if taken == 0 {
                parts.extend(without_end(tm, &whole, End::Last, &mut facts.of_one));
            }
            // One element more than what is written elsewhere: more than that nobody asks for.
            if parts.iter().any(|part| written.contains(part)) {
                continue;
            }
            let mut others = choices(tm, &whole, &mut facts.of_one);
            for &(condition, _, store) in replaced.iter().filter(|(_, array, _)| *array == whole.of.array) {
                others.extend(replacement(tm, &whole, condition, store, &mut facts.of_one));
            }
            if taken < whole.kind.most_taken() {
                parts.extend(without_end(tm, &whole, End::First, &mut facts.of_one));
            }
            for &part in parts.iter().filter(|part| !found.contains_key(*part)) {
                self.parts.entry(part).or_insert(taken + 1);
            }
            for other in others.into_iter().chain(parts) {
                found.extend(Aggregate::at(tm, other).map(|aggregate| (other, aggregate)));
            }
            compared.push((taken, whole));
        }
        let mut pairs = Vec::new();
        for (i, (taken, one)) in compared.iter().enumerate() {
            for (also_taken, other) in &compared[..i] {
                pairs.extend(self.difference(tm, one, other).map(|fact| (taken + also_taken, fact)));
            }
        }
        pairs.sort_by_key(|&(taken, _)| taken);
        facts.of_two.extend(pairs.into_iter().map(|(_, fact)| fact));
        facts
    }

    /// Two aggregates of as many elements are equal, or differ in some element.
    fn difference(&mut self, tm: &mut Terms, one: &Aggregate, other: &Aggregate) -> Option<TermId> {
        let more = tm.sub(one.of.count, other.of.count);
        let is_other = tm.int_value(more).is_some_and(|more| !more.is_zero());
        if is_other || one.kind != other.kind || one.of.stride != other.of.stride {
            return None;
        }
        let both = (one.term, other.term);
        let after = *self.differences.entry(both).or_insert_with(|| tm.fresh_const("apart", Terms::INT));
        let zero = tm.int(0);
        let (here, there) = (one.of.element(tm, after), other.of.element(tm, after));
        let same = tm.eq(here, there);
        let differ = [tm.le(zero, after), tm.lt(after, one.of.count), tm.not(same)];
        let differ = tm.and(&differ);
        let alike = [tm.eq(more, zero), tm.eq(one.of.start, other.of.start)];
        let (alike, equal) = (tm.and(&alike), tm.eq(one.term, other.term));
        let either = tm.or2(equal, differ);
        Some(tm.implies(alike, either))
    }
}

/// Without elements there is what it starts with.
fn is_nothing(tm: &mut Terms, whole: &Aggregate) -> TermId {
    let zero = tm.int(0);
    let (nothing, is_start) = (tm.le(whole.of.count, zero), tm.eq(whole.term, whole.of.start));
    tm.implies(nothing, is_start)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Some elements are the first one and the others, or the last one and the others. Returns what is left of them.
fn without_end(tm: &mut Terms, whole: &Aggregate, end: End, facts: &mut Vec<TermId>) -> Option<TermId> {
    let (zero, one) = (tm.int(0), tm.int(1));
    let count = tm.sub(whole.of.count, one);
    let (first, taken) = match end {
        End::First => {
            let stride = tm.int(whole.of.stride.clone());
            (tm.add2(whole.of.first, stride), zero)
        }
        End::Last => (whole.of.first, count),
    };
    let part = Elements { first, count, ..whole.of.clone() }.aggregate(tm, whole.kind)?;
    let element = whole.of.element(tm, taken);
    let together = whole.kind.together(tm, part, element);
    let (some, equal) = (tm.lt(zero, whole.of.count), tm.eq(whole.term, together));
    facts.push(tm.implies(some, equal));
    Some(part)
}

/// Where an array is one of two, so is the aggregate.
fn choices(tm: &mut Terms, whole: &Aggregate, facts: &mut Vec<TermId>) -> Vec<TermId> {
    if tm.op(whole.of.array) != Op::Ite {
        return Vec::new();
    }
    let &[condition, yes, no] = tm.args(whole.of.array) else { return Vec::new() };
    let otherwise = tm.not(condition);
    let mut found = Vec::new();
    for (condition, array) in [(condition, yes), (otherwise, no)] {
        let Some(other) = whole.in_array(tm, array) else { continue };
        let equal = tm.eq(whole.term, other);
        facts.push(tm.implies(condition, equal));
        found.push(other);
    }
    found
}

/// Where one element of an array is replaced, a sum changes by as much, if it is one of its elements. Returns the sum in the
/// array as it was before.
fn replacement(
    tm: &mut Terms,
    whole: &Aggregate,
    condition: TermId,
    store: TermId,
    facts: &mut Vec<TermId>,
) -> Option<TermId> {
    let &[before, index, value] = tm.args(store) else { return None };
    if whole.kind != Kind::Sum {
        return None;
    }
    let other = whole.in_array(tm, before)?;
    let distance = tm.sub(index, whole.of.first);
    if let Some(after) = tm.exact_quotient(distance, &Rat::from(whole.of.stride.clone())) {
        let zero = tm.int(0);
        let inside = [tm.le(zero, after), tm.lt(after, whole.of.count)];
        let inside = tm.and(&inside);
        let old = tm.select(before, index);
        let change = tm.sub(value, old);
        let change = tm.ite(inside, change, zero);
        let changed = tm.add2(other, change);
        let equal = tm.eq(whole.term, changed);
        facts.push(tm.implies(condition, equal));
    }
    Some(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, NativeSolver, Solver};
    use craig_base::Budget;

    struct Example {
        tm: Terms,
        array: TermId,
        count: TermId,
    }

    impl Example {
        fn new() -> Self {
            let mut tm = Terms::new();
            let sort = tm.array_sort(Terms::INT, Terms::INT);
            let (array, count) = (tm.fresh_const("a", sort), tm.fresh_const("n", Terms::INT));
            Example { tm, array, count }
        }

        fn aggregate(&mut self, kind: Kind, array: TermId, count: TermId) -> TermId {
            let (first, start) = (self.tm.int(0), self.tm.int(0));
            let of = Elements { array, first, stride: Int::ONE, count, start };
            of.aggregate(&mut self.tm, kind).expect("integers")
        }

        /// Whether two terms are equal for all arrays with so many elements at least.
        fn are_equal(&mut self, least: i64, one: TermId, other: TermId) -> bool {
            let tm = &mut self.tm;
            let (least, same) = (tm.int(least), tm.eq(one, other));
            let formulas = [tm.le(least, self.count), tm.not(same)];
            let facts = Aggregates::default().facts(tm, &formulas);
            let mut solver = NativeSolver::default();
            let facts = [facts.of_one, facts.of_two].concat();
            formulas.iter().chain(&facts).for_each(|&formula| solver.assert(tm, formula));
            solver.check(tm, &[], &Budget::unlimited()) == Answer::Unsat
        }
    }

    #[test]
    fn an_exchange_of_two_elements_changes_nothing() {
        for kind in Kind::ALL {
            let mut example = Example::new();
            let (tm, a) = (&mut example.tm, example.array);
            let (zero, one) = (tm.int(0), tm.int(1));
            let (first, second) = (tm.select(a, zero), tm.select(a, one));
            let once = tm.store(a, zero, second);
            let twice = tm.store(once, one, first);
            let [before, between, after] =
                [a, once, twice].map(|array| example.aggregate(kind, array, example.count));
            assert!(example.are_equal(2, before, after), "{kind:?}");
            assert!(!example.are_equal(1, before, after), "{kind:?}");
            assert!(!example.are_equal(2, before, between), "{kind:?}");
        }
    }

    #[test]
    fn one_more_element_is_put_to_the_others() {
        for kind in Kind::ALL {
            let mut example = Example::new();
            let one = example.tm.int(1);
            let more = example.tm.add2(example.count, one);
            let few = example.aggregate(kind, example.array, example.count);
            let many = example.aggregate(kind, example.array, more);
            let last = example.tm.select(example.array, example.count);
            let together = kind.together(&mut example.tm, few, last);
            assert!(example.are_equal(0, many, together), "{kind:?}");
            assert!(!example.are_equal(0, many, few), "{kind:?}");
        }
    }
}
