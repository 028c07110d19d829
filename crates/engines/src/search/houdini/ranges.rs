//! Guesses about every element of arrays: `for all k: 0 <= k < i implies a[k] == b[k]`.
//!
//! After G. Fedyukovich, S. Prabhu, K. Madhukar and A. Gupta, *Quantified Invariants via Syntax-Guided Synthesis* (CAV
//! 2019): what blocks say of the element that they are at may hold of all elements that they have been at. What is
//! said comes from assertions, conditions and assignments; the range is between where blocks are, where loops
//! begin, and where they end.

use super::elements::{Access, Elements, moving, without_wrap};
use crate::view::blocks::InlinedView;
use craig_base::{Map, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::CutId;
use craig_term::{LinearSum, Op, Substitution, TermId, Terms};

/// Literals of one block that are put together.
const MAX_LITERALS: usize = 8;
/// What is said of elements.
const MAX_PROPERTIES: usize = 120;
/// Ends of ranges with one number.
const MAX_BOUNDS: usize = 8;
/// Guesses at one cutpoint.
const MAX_GUESSES: usize = 5_000;
/// Strides of loops, each with all of its remainders.
const MAX_STRIDE: i64 = 4;

/// How much is guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// What assertions and assignments say.
    Narrow,
    /// What all conditions say, and how elements, neighbours and variables compare.
    Wide,
}

/// What may be said of elements, and where.
pub(super) struct Ranges {
    number: TermId,
    /// Of the element with that number.
    properties: Vec<TermId>,
    /// The numbers of elements that are accessed.
    numbers: OrderedSet<TermId>,
    /// What index variables are compared with.
    limits: Map<TermId, OrderedSet<TermId>>,
    /// What is assigned to elements whose numbers are no variables.
    fixed: OrderedSet<TermId>,
    /// Index variables that move by more than one, and by how much.
    strides: OrderedSet<(TermId, Int)>,
}

impl Ranges {
    /// What is said, where `equal` are equalities that hold of scalars at some cutpoints.
    pub fn new(
        tm: &mut Terms,
        view: &InlinedView<'_>,
        elements: &Elements,
        equal: &[TermId],
        width: Width,
    ) -> Ranges {
        let known: Set<TermId> =
            view.encoding.states.iter().flatten().map(|constant| constant.current).collect();
        let mut ranges = Ranges {
            number: elements.number,
            properties: Vec::new(),
            numbers: elements.accesses.iter().map(|access| access.number).collect(),
            limits: Map::default(),
            fixed: fixed(tm, elements, &known),
            strides: moving(tm, view).into_iter().filter(|(_, by)| is_stride(by)).collect(),
        };
        let constants = view.encoding.states.iter().flatten();
        let mut renaming =
            Substitution::from_pairs(constants.map(|constant| (constant.next, constant.current)));
        let mut properties = OrderedSet::default();
        let mut indices: OrderedSet<TermId> = OrderedSet::default();
        for &number in &ranges.numbers {
            indices.extend(tm.free_consts(number));
        }
        // Of what is known of variables anyway, every block speaks.
        let mut known_anyway: Set<TermId> = Set::default();
        for cut in view.encoding.cuts.cutpoints.indices() {
            let facts = view.encoding.range_facts(view.program, tm, cut);
            known_anyway.extend(atoms(tm, facts));
        }
        for (block, (edge, encoded)) in view.encoding.blocks.enumerated().enumerate() {
            let mut atoms = atoms(tm, encoded.formula);
            atoms.retain(|atom| !known_anyway.contains(atom));
            let begun: Vec<TermId> = atoms.iter().map(|&atom| renaming.apply(tm, atom)).collect();
            let begun = begun.into_iter().filter(|&atom| matches!(tm.op(atom), Op::Eq)).collect::<Vec<_>>();
            let is_known = |atom: &TermId| tm.free_consts(*atom).iter().all(|c| known.contains(c));
            let of_state: Vec<TermId> = atoms.iter().copied().filter(is_known).collect();
            ranges.find_limits(tm, &indices, &begun);
            ranges.find_limits(tm, &indices, &of_state);
            let elsewhere = by_equalities(tm, &indices, equal, &of_state);
            ranges.find_limits(tm, &indices, &elsewhere);
            let edge = &view.encoding.cuts.edges[edge];
            let is_assertion = edge.to == view.encoding.cuts.error;
            let here: Vec<&Access> =
                elements.accesses.iter().filter(|access| access.block == block).collect();
            let mut numbers: OrderedSet<TermId> = OrderedSet::default();
            numbers
                .extend(here.iter().map(|access| access.number).filter(|&n| !tm.free_consts(n).is_empty()));
            for &number in &numbers {
                let mut at = Anywhere::new(tm, elements, &here, equal, number);
                let mut said: Vec<TermId> = Vec::new();
                let mut conditions: Vec<TermId> = Vec::new();
                for &atom in &atoms {
                    let general = at.apply(tm, atom);
                    let is_comparison = matches!(tm.op(general), Op::Le | Op::Eq);
                    if !is_comparison || has_op(tm, general, Op::Ite) || is_about_type(tm, general) {
                        continue;
                    }
                    let constants = tm.free_consts(general);
                    let is_known = |c: &TermId| known.contains(c) || *c == elements.number;
                    if !constants.contains(&elements.number) || !constants.iter().all(is_known) {
                        continue;
                    }
                    if has_op(tm, general, Op::Select) {
                        said.push(general)
                    } else {
                        conditions.push(general)
                    }
                }
                said.truncate(MAX_LITERALS);
                conditions.truncate(MAX_LITERALS);
                let mut assigned = Vec::new();
                for access in here.iter().filter(|access| access.number == number) {
                    if let Some(value) = access.written
                        && tm.free_consts(value).iter().all(|c| known.contains(c))
                    {
                        let (element, value) = (
                            elements.series[access.series].element(tm, elements.number),
                            at.apply(tm, value),
                        );
                        assigned.push(tm.eq(element, value));
                    }
                }
                properties.extend(assigned.iter().copied());
                for &value in &assigned {
                    for &condition in &conditions {
                        let otherwise = tm.not(condition);
                        properties.extend([tm.or2(condition, value), tm.or2(otherwise, value)]);
                    }
                }
                if is_assertion || width == Width::Wide {
                    clauses(tm, &said, &mut properties);
                    for (&literal, &condition) in
                        said.iter().flat_map(|l| conditions.iter().map(move |c| (l, c)))
                    {
                        for literal in directions(tm, literal) {
                            let otherwise = tm.not(condition);
                            properties.extend([tm.or2(condition, literal), tm.or2(otherwise, literal)]);
                        }
                    }
                }
            }
        }
        if width == Width::Wide {
            compare(tm, view, elements, &mut properties);
        }
        properties.swap_remove(&Terms::TRUE);
        properties.swap_remove(&Terms::FALSE);
        // What depends on where a loop is now says nothing of where it was.
        let is_general = |tm: &Terms, t: TermId| !tm.free_consts(t).iter().any(|c| indices.contains(c));
        properties.retain(|&property| is_general(tm, property));
        ranges.properties = properties.into_iter().take(MAX_PROPERTIES).collect();
        ranges
    }

    /// What index variables are compared with: beyond it, ranges end.
    fn find_limits(&mut self, tm: &mut Terms, indices: &OrderedSet<TermId>, atoms: &[TermId]) {
        for &atom in atoms {
            if !tm.is_int(tm.arg(atom, 0)) || has_op(tm, atom, Op::Select) || is_about_type(tm, atom) {
                continue;
            }
            let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
            let difference = tm.sub(left, right);
            let sum = without_wrap(tm, difference);
            for &x in indices {
                let Some((_, factor)) = sum.terms.iter().find(|(t, _)| *t == x) else { continue };
                if *factor != Rat::ONE && *factor != Rat::MINUS_ONE {
                    continue;
                }
                let whole = tm.from_linear(sum.clone(), Terms::INT);
                let rest = if factor.is_one() { tm.sub(x, whole) } else { tm.add2(x, whole) };
                let is_upper = tm.op(atom) == Op::Le && factor.is_one();
                let distance = tm.int(i64::from(is_upper));
                let end = tm.add2(rest, distance);
                self.limits.entry(x).or_default().insert(end);
            }
        }
    }

    /// The ranges that make sense at a cutpoint: between where a block is and where it may have been or will be, and
    /// between two of these places.
    fn ranges(&self, tm: &mut Terms, here: &Set<TermId>) -> OrderedSet<(TermId, TermId)> {
        let (zero, one) = (tm.int(0), tm.int(1));
        let numbers: Vec<TermId> = self.numbers.iter().copied().collect();
        let is_here = |tm: &Terms, bound: TermId| tm.free_consts(bound).iter().all(|c| here.contains(c));
        let mut places = Vec::new();
        let mut ranges = OrderedSet::default();
        for number in numbers {
            let next = tm.add2(number, one);
            let mut bounds: OrderedSet<TermId> = [zero, number, next].into_iter().collect();
            places.extend([number, next]);
            for x in tm.free_consts(number) {
                for &limit in self.limits.get(&x).into_iter().flatten() {
                    bounds.insert(Substitution::from_pairs([(x, limit)]).apply(tm, number));
                }
            }
            // No element has a negative number.
            let is_negative =
                |tm: &Terms, t: TermId| tm.int_value(t).is_some_and(|value| value.is_negative());
            bounds.retain(|&bound| is_here(tm, bound) && !is_negative(tm, bound));
            bounds.truncate(MAX_BOUNDS);
            ranges.extend(pairs(tm, &bounds.into_iter().collect::<Vec<_>>()));
        }
        places.retain(|&place| is_here(tm, place));
        places.truncate(MAX_BOUNDS);
        ranges.extend(pairs(tm, &places));
        ranges
    }

    /// The guesses at a cutpoint.
    pub fn guesses(&self, tm: &mut Terms, view: &InlinedView<'_>, cut: CutId) -> Vec<TermId> {
        let mut here: Set<TermId> =
            view.encoding.states[cut].iter().map(|constant| constant.current).collect();
        let ranges = self.ranges(tm, &here);
        let mut found: OrderedSet<TermId> = OrderedSet::default();
        let mut steps = Vec::new();
        for (x, stride) in &self.strides {
            let divisor = tm.int(stride.clone());
            let mut remainder = Int::ZERO;
            while remainder < *stride {
                let value = tm.int(remainder.clone());
                let (of_number, of_index) = (tm.modulo(self.number, divisor), tm.modulo(*x, divisor));
                let other = tm.eq(of_number, value);
                steps.push(tm.not(other));
                if here.contains(x) {
                    found.insert(tm.eq(of_index, value));
                }
                remainder = &remainder + &Int::ONE;
            }
        }
        let is_here = |t: &TermId| tm.free_consts(*t).iter().all(|c| here.contains(c));
        found.extend(self.fixed.iter().copied().filter(is_here));
        found.extend(ranges.iter().flat_map(|&(low, high)| [tm.le(low, high), tm.lt(low, high)]));
        here.insert(self.number);
        for &property in &self.properties {
            if !tm.free_consts(property).iter().all(|c| here.contains(c)) {
                continue;
            }
            for &(low, high) in &ranges {
                let (below, above) = (tm.lt(self.number, low), tm.le(high, self.number));
                let guess = tm.or(&[below, above, property]);
                found.insert(guess);
                found.extend(steps.iter().map(|&step| tm.or2(step, guess)));
            }
        }
        let is_open = |guess: &TermId| !tm.is_true(*guess) && !tm.is_false(*guess);
        found.into_iter().filter(is_open).take(MAX_GUESSES).collect()
    }
}

/// What is assigned to elements whose numbers are no variables.
fn fixed(tm: &mut Terms, elements: &Elements, known: &Set<TermId>) -> OrderedSet<TermId> {
    let mut found = OrderedSet::default();
    for access in &elements.accesses {
        let Some(value) = access.written else { continue };
        if tm.int_value(access.number).is_some() && tm.free_consts(value).iter().all(|c| known.contains(c)) {
            let element = elements.series[access.series].element(tm, access.number);
            found.insert(tm.eq(element, value));
        }
    }
    found
}

/// Whether a loop that moves so far leaves elements out.
fn is_stride(distance: &Int) -> bool {
    *distance > Int::ONE && *distance <= Int::from(MAX_STRIDE)
}

/// Ranges between two of some bounds, without those that have at most one element.
fn pairs(tm: &mut Terms, bounds: &[TermId]) -> Vec<(TermId, TermId)> {
    let mut pairs = Vec::new();
    for (&low, &high) in bounds.iter().flat_map(|low| bounds.iter().map(move |high| (low, high))) {
        let length = tm.sub(high, low);
        if tm.int_value(length).is_none_or(|length| length > Int::ONE) {
            pairs.push((low, high));
        }
    }
    pairs
}

/// What comparisons of one index variable say of another one that equals a function of it.
fn by_equalities(
    tm: &mut Terms,
    indices: &OrderedSet<TermId>,
    equal: &[TermId],
    atoms: &[TermId],
) -> Vec<TermId> {
    let mut found = OrderedSet::default();
    for &equality in equal {
        for (x, value) in solved(tm, equality) {
            if !indices.contains(&x) {
                continue;
            }
            let mut substitution = Substitution::from_pairs([(x, value)]);
            for &atom in atoms {
                let other = substitution.apply(tm, atom);
                if other != atom && matches!(tm.op(other), Op::Le | Op::Eq) {
                    found.insert(other);
                }
            }
        }
    }
    found.into_iter().collect()
}

/// The variables that an equality defines, each with its value.
fn solved(tm: &mut Terms, equality: TermId) -> Vec<(TermId, TermId)> {
    let sum = difference(tm, equality);
    let whole = tm.from_linear(sum.clone(), Terms::INT);
    let mut found = Vec::new();
    for (x, factor) in sum.terms {
        if factor.is_one() {
            found.push((x, tm.sub(x, whole)));
        } else if factor == Rat::MINUS_ONE {
            found.push((x, tm.add2(x, whole)));
        }
    }
    found
}

/// What is said of one element as said of any.
struct Anywhere {
    substitution: Substitution,
}

impl Anywhere {
    /// Of the element with a number, where `equal` are equalities between variables.
    fn new(
        tm: &mut Terms,
        elements: &Elements,
        accesses: &[&Access],
        equal: &[TermId],
        number: TermId,
    ) -> Anywhere {
        let sum = tm.linear(number);
        // Where the number is a variable, so are all other numbers that depend on it.
        if let [(x, factor)] = &sum.terms[..]
            && (*factor == Rat::ONE || *factor == Rat::MINUS_ONE)
        {
            let constant = sum.constant.to_int().unwrap_or(Int::ZERO);
            let constant = tm.int(constant);
            let offset = tm.sub(elements.number, constant);
            let value = tm.scale(factor, offset);
            let mut pairs = vec![(*x, value)];
            for &equality in equal {
                for (y, of_others) in solved(tm, equality) {
                    let others = tm.free_consts(of_others);
                    if others == [*x] && pairs.iter().all(|(known, _)| *known != y) {
                        pairs.push((y, Substitution::from_pairs([(*x, value)]).apply(tm, of_others)));
                    }
                }
            }
            return Anywhere { substitution: Substitution::from_pairs(pairs) };
        }
        let mut pairs = Vec::new();
        for access in accesses.iter().filter(|access| access.number == number) {
            if let Some(read) = access.read {
                pairs.push((read, elements.series[access.series].element(tm, elements.number)));
            }
        }
        Anywhere { substitution: Substitution::from_pairs(pairs) }
    }

    fn apply(&mut self, tm: &mut Terms, t: TermId) -> TermId {
        self.substitution.apply(tm, t)
    }
}

/// The comparisons of numbers in a formula.
fn atoms(tm: &Terms, formula: TermId) -> Vec<TermId> {
    let all = tm.postorder(&[formula]).into_iter();
    all.filter(|&t| matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0))).collect()
}

/// A comparison as one of a sum with zero.
fn difference(tm: &mut Terms, atom: TermId) -> LinearSum {
    let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let difference = tm.sub(left, right);
    tm.linear(difference)
}

fn has_op(tm: &Terms, formula: TermId, op: Op) -> bool {
    tm.postorder(&[formula]).into_iter().any(|t| tm.op(t) == op)
}

/// Whether a comparison is with the end of a type, or nearly so: blocks speak of these wherever they read.
fn is_about_type(tm: &mut Terms, atom: TermId) -> bool {
    let sum = difference(tm, atom);
    let Some(constant) = sum.constant.to_int() else { return true };
    let size = constant.abs();
    let is_end = |bits: u32| (&size - &Int::pow2(bits)).abs() <= Int::from(if bits < 15 { 1 } else { 2 });
    sum.terms.len() == 1 && (7..=64).any(is_end)
}

/// A comparison, its opposite, and what is weaker or stronger than both.
fn directions(tm: &mut Terms, atom: TermId) -> Vec<TermId> {
    let (a, b) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let mut all = vec![atom, tm.not(atom), tm.le(a, b), tm.le(b, a)];
    if tm.op(atom) == Op::Le {
        all.push(tm.eq(a, b));
    }
    all
}

/// Clauses of at most three literals.
fn clauses(tm: &mut Terms, atoms: &[TermId], found: &mut OrderedSet<TermId>) {
    let literals: Vec<Vec<TermId>> = atoms.iter().map(|&atom| vec![atom, tm.not(atom)]).collect();
    for &atom in atoms {
        found.extend(directions(tm, atom));
    }
    for (i, first) in literals.iter().enumerate() {
        for (j, second) in literals.iter().enumerate().skip(i + 1) {
            for (&a, &b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                found.insert(tm.or2(a, b));
                for &c in literals.iter().skip(j + 1).flatten() {
                    found.insert(tm.or(&[a, b, c]));
                }
            }
        }
    }
}

/// How elements compare with each other, with their neighbours, and with variables.
fn compare(tm: &mut Terms, view: &InlinedView<'_>, elements: &Elements, found: &mut OrderedSet<TermId>) {
    let here: Vec<TermId> =
        elements.series.iter().map(|series| series.element(tm, elements.number)).collect();
    let one = tm.int(1);
    let next = tm.add2(elements.number, one);
    let mut others: OrderedSet<TermId> = [tm.int(0)].into_iter().collect();
    for constant in view.encoding.states.iter().flatten() {
        if tm.is_int(constant.current) {
            others.insert(constant.current);
        }
    }
    for (i, series) in elements.series.iter().enumerate() {
        let element = here[i];
        let neighbour = series.element(tm, next);
        for other in here[i + 1..].iter().copied().chain([neighbour]) {
            found.extend([tm.eq(element, other), tm.le(element, other), tm.le(other, element)]);
            found.extend([tm.lt(element, other), tm.lt(other, element)]);
        }
        for &other in &others {
            found.extend([tm.eq(element, other), tm.le(element, other), tm.le(other, element)]);
        }
    }
}
