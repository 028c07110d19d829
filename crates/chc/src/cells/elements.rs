//! The arrays of one clause, read at finitely many places: every element that is read becomes a constant.
//!
//! Reading goes through stores, choices and arrays of arrays down to constants that stand for whole arrays. Their
//! elements become new constants, one for each place, and places with equal indices have equal elements (Ackermann).

use super::{dimensions, is_array};
use craig_base::{Map, OrderedMap};
use craig_term::{Op, Substitution, TermId, Terms};

/// An element that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Read {
    array: TermId,
    /// The indices that lead from the array to the element. They mention no array.
    place: Vec<TermId>,
    /// Indices that are equal where this is read, each with the one to use: an array that is changed in an array
    /// of arrays is read at the place of the cell, and not at one more.
    equal: Vec<(TermId, TermId)>,
}

#[derive(Default)]
pub(super) struct Elements {
    /// Terms without arrays for terms with them.
    translation: Substitution,
    known: Map<Read, TermId>,
    /// The elements of arrays that are constants, by place.
    named: OrderedMap<TermId, OrderedMap<Vec<TermId>, TermId>>,
    /// The Booleans that stand for equalities between arrays.
    pub(super) equalities: Vec<(TermId, TermId)>,
}

impl Elements {
    /// Translates all terms without arrays in `roots`. Returns the places at which they read, each with
    /// the array that is read.
    pub(super) fn translate_all(
        &mut self,
        terms: &mut Terms,
        roots: &[TermId],
    ) -> Vec<(TermId, Vec<TermId>)> {
        let mut places = Vec::new();
        for t in terms.postorder(roots) {
            if is_array(terms, t) || !terms.args(t).iter().any(|&arg| is_array(terms, arg)) {
                continue;
            }
            match terms.op(t) {
                Op::Select => {
                    let index = self.translate(terms, terms.arg(t, 1));
                    let element = self.read(terms, terms.arg(t, 0), vec![index]);
                    self.translation.insert(t, element);
                    places.push(self.place_of(terms, t));
                }
                Op::Eq => {
                    let equal = terms.fresh_const("same", Terms::BOOL);
                    self.translation.insert(t, equal);
                    self.equalities.push((t, equal));
                }
                _ => {
                    let any = terms.fresh_const("any", terms.sort(t));
                    self.translation.insert(t, any);
                }
            }
        }
        places
    }

    /// The array below a chain of reads, and all indices of the chain.
    fn place_of(&mut self, terms: &mut Terms, read: TermId) -> (TermId, Vec<TermId>) {
        let (mut place, mut t) = (Vec::new(), read);
        while terms.op(t) == Op::Select {
            place.push(self.translate(terms, terms.arg(t, 1)));
            t = terms.arg(t, 0);
        }
        place.reverse();
        (t, place)
    }

    /// A term that is no array, without arrays. Its reads were translated before.
    pub(super) fn translate(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        self.translation.apply(terms, t)
    }

    /// Arguments: arrays stay, and everything else is without arrays.
    pub(super) fn translate_args(&mut self, terms: &mut Terms, args: &[TermId]) -> Vec<TermId> {
        let translate =
            |&arg: &TermId| if is_array(terms, arg) { arg } else { self.translation.apply(terms, arg) };
        args.iter().map(translate).collect()
    }

    /// The element of an array at a place.
    pub(super) fn read(&mut self, terms: &mut Terms, array: TermId, place: Vec<TermId>) -> TermId {
        let wanted = Read { array, place, equal: Vec::new() };
        let mut stack = vec![wanted.clone()];
        while let Some(next) = stack.last() {
            if self.known.contains_key(next) {
                stack.pop();
                continue;
            }
            let next = next.clone();
            match self.read_once(terms, &next) {
                Ok(element) => {
                    self.known.insert(next, element);
                    stack.pop();
                }
                Err(missing) => stack.extend(missing),
            }
        }
        self.known[&wanted]
    }

    /// The element, or what has to be read before.
    fn read_once(&mut self, terms: &mut Terms, read: &Read) -> Result<TermId, Vec<Read>> {
        let Read { array, place, equal } = read;
        if place.is_empty() {
            return Ok(self.translate(terms, *array));
        }
        let below = |array: TermId| Read { array, ..read.clone() };
        match terms.op(*array) {
            Op::Store => {
                let &[rest, index, value] = terms.args(*array) else {
                    unreachable!("store has three arguments")
                };
                let index = self.translate(terms, index);
                let same = terms.eq(index, place[0]);
                let mut equal = equal.clone();
                equal.push((index, place[0]));
                let written = Read { array: value, place: place[1..].to_vec(), equal };
                if same == Terms::TRUE {
                    return self.look_up([written]).map(|[value]| value);
                }
                if same == Terms::FALSE {
                    return self.look_up([below(rest)]).map(|[value]| value);
                }
                let [written, kept] = self.look_up([written, below(rest)])?;
                Ok(terms.ite(same, written, kept))
            }
            Op::ConstArray => {
                let value = Read { array: terms.arg(*array, 0), place: place[1..].to_vec(), ..read.clone() };
                self.look_up([value]).map(|[value]| value)
            }
            Op::Ite => {
                let &[condition, then, otherwise] = terms.args(*array) else {
                    unreachable!("ite has three arguments")
                };
                let [then, otherwise] = self.look_up([below(then), below(otherwise)])?;
                let condition = self.translate(terms, condition);
                Ok(terms.ite(condition, then, otherwise))
            }
            Op::Select => {
                let index = self.translate(terms, terms.arg(*array, 1));
                let used = equal.iter().rev().find(|(known, _)| *known == index).map_or(index, |&(_, t)| t);
                let mut longer = vec![used];
                longer.extend_from_slice(place);
                let outer = Read { array: terms.arg(*array, 0), place: longer, equal: equal.clone() };
                self.look_up([outer]).map(|[value]| value)
            }
            _ => Ok(self.name(terms, *array, place)),
        }
    }

    fn look_up<const N: usize>(&self, reads: [Read; N]) -> Result<[TermId; N], Vec<Read>> {
        let found: Vec<TermId> = reads.iter().filter_map(|read| self.known.get(read).copied()).collect();
        match <[TermId; N]>::try_from(found) {
            Ok(all) => Ok(all),
            Err(_) => Err(reads.into_iter().filter(|read| !self.known.contains_key(read)).collect()),
        }
    }

    /// The constant for an element of an array that is a constant itself.
    fn name(&mut self, terms: &mut Terms, array: TermId, place: &[TermId]) -> TermId {
        if let Some(&name) = self.named.get(&array).and_then(|places| places.get(place)) {
            return name;
        }
        let name = terms.fresh_const("v", dimensions(terms, terms.sort(array)).1);
        self.named.entry(array).or_default().insert(place.to_vec(), name);
        name
    }

    /// Equal indices have equal elements.
    pub(super) fn consistency(&self, terms: &mut Terms, facts: &mut Vec<TermId>) {
        for places in self.named.values() {
            for (i, (place, &element)) in places.iter().enumerate() {
                for (other, &other_element) in places.iter().take(i) {
                    let mut parts: Vec<TermId> =
                        place.iter().zip(other).map(|(&a, &b)| terms.eq(a, b)).collect();
                    let same = terms.eq(element, other_element);
                    parts = parts.into_iter().map(|part| terms.not(part)).collect();
                    parts.push(same);
                    facts.push(terms.or(&parts));
                }
            }
        }
    }
}
