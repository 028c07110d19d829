//! What may hold of every element of an array: what blocks say of the element that they are at, as said of any.

use super::comparisons::{directions, has_op, is_about_type, solved};
use super::elements::{Access, Elements};
use crate::view::blocks::InlinedView;
use craig_base::{OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::{StateVar, Type};
use craig_term::{Op, Substitution, TermId, Terms};

/// Literals of one block that are put together.
const MAX_LITERALS: usize = 8;
/// What is said of elements.
const MAX_PROPERTIES: usize = 120;

/// How much is guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// What assertions and assignments say.
    Narrow,
    /// What all conditions say, and how elements, neighbours and variables compare.
    Wide,
    /// How elements compare with those before and after them, as in sorted arrays.
    Pairs,
}

/// What guesses about elements are made of.
pub(super) struct Sources<'a> {
    pub view: &'a InlinedView<'a>,
    pub elements: &'a Elements,
    /// Of each block.
    pub comparisons: Vec<Vec<TermId>>,
    /// Equalities that hold of scalars at some cutpoints.
    pub equal: Vec<TermId>,
    /// The constants of variables that a block moves, and by how much.
    pub moving: &'a OrderedSet<(TermId, Int)>,
}

/// What is said of elements.
#[derive(Default)]
pub(super) struct Properties {
    /// Of the element with the first number.
    pub of_one: OrderedSet<TermId>,
    /// Of two elements, the second of which comes after the first.
    pub orders: Vec<TermId>,
    /// Of elements whose numbers are no variables, or where a block is.
    pub fixed: OrderedSet<TermId>,
}

impl Properties {
    pub fn new(tm: &mut Terms, sources: &Sources<'_>, width: Width) -> Properties {
        let Sources { view, elements, comparisons, equal, moving } = sources;
        let constants = view.encoding.states.iter().flatten().map(|constant| constant.current);
        let mut known: Set<TermId> = constants.collect();
        let mut properties =
            Properties { fixed: fixed(tm, elements, moving, &known), ..Properties::default() };
        known.insert(elements.numbers[0]);
        for (block, edge) in view.encoding.cuts.edges.iter().enumerate() {
            let is_assertion = edge.to == view.encoding.cuts.error;
            let here: Vec<&Access> =
                elements.accesses.iter().filter(|access| access.block == block).collect();
            let numbers: OrderedSet<TermId> = here.iter().map(|access| access.number).collect();
            for number in numbers {
                let mut at = Anywhere::new(tm, elements, &here, equal, number);
                let (said, conditions) = at.comparisons(tm, elements, &comparisons[block], &known);
                let mut literals = at.assigned(tm, elements, &here, number, &known);
                properties.of_one.extend(literals.iter().copied());
                if is_assertion || width == Width::Wide {
                    clauses(tm, &said, &mut properties.of_one);
                    literals
                        .extend(said.iter().flat_map(|&literal| directions(tm, literal)).collect::<Vec<_>>());
                }
                for (&literal, &condition) in
                    literals.iter().flat_map(|l| conditions.iter().map(move |c| (l, c)))
                {
                    let otherwise = tm.not(condition);
                    properties.of_one.extend([tm.or2(condition, literal), tm.or2(otherwise, literal)]);
                }
            }
        }
        if width == Width::Wide {
            compare(tm, view, elements, &mut properties.of_one);
        }
        // What depends on where a loop is now says nothing of where it was, but for the order of elements.
        let indices: Set<TermId> =
            elements.accesses.iter().flat_map(|access| tm.free_consts(access.number)).collect();
        let is_general = |t: TermId| !tm.free_consts(t).iter().any(|c| indices.contains(c));
        properties.of_one.retain(|&said| is_general(said) && !tm.is_true(said) && !tm.is_false(said));
        if width == Width::Pairs {
            properties.compare_pairs(tm, view, elements);
        }
        properties.of_one.truncate(MAX_PROPERTIES);
        properties
    }

    /// How the elements of arrays that are accessed at two places compare with each other, also once a flag is set.
    fn compare_pairs(&mut self, tm: &mut Terms, view: &InlinedView<'_>, elements: &Elements) {
        let [number, other] = elements.numbers;
        let one = tm.int(1);
        let next = tm.add2(number, one);
        let flags = numbers_of(tm, view);
        for (at, series) in elements.series.iter().enumerate() {
            let of_series = elements.accesses.iter().filter(|access| access.series == at);
            let places: OrderedSet<TermId> = of_series.map(|access| access.number).collect();
            if places.len() < 2 {
                continue;
            }
            let (first, second) = (series.element(tm, number), series.element(tm, other));
            self.orders.extend([tm.le(first, second), tm.le(second, first)]);
            let neighbour = series.element(tm, next);
            let ascending = [tm.le(first, neighbour), tm.le(neighbour, first)];
            self.of_one.extend(ascending);
            let zero = tm.int(0);
            for &flag in &flags {
                let is_clear = tm.eq(flag, zero);
                let is_set = tm.not(is_clear);
                self.of_one.extend(
                    ascending.iter().flat_map(|&order| [tm.or2(is_set, order), tm.or2(is_clear, order)]),
                );
            }
            let mut here: Vec<TermId> = Vec::new();
            for &place in &places {
                let before = tm.sub(place, one);
                here.extend([series.element(tm, place), series.element(tm, before)]);
            }
            for (i, &element) in here.iter().enumerate() {
                self.of_one.extend([tm.le(first, element), tm.le(element, first)]);
                self.fixed.extend(
                    here[i + 1..].iter().flat_map(|&other| [tm.le(element, other), tm.le(other, element)]),
                );
            }
        }
    }
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
            let offset = tm.sub(elements.numbers[0], constant);
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
                pairs.push((read, elements.series[access.series].element(tm, elements.numbers[0])));
            }
        }
        Anywhere { substitution: Substitution::from_pairs(pairs) }
    }

    fn apply(&mut self, tm: &mut Terms, t: TermId) -> TermId {
        self.substitution.apply(tm, t)
    }

    /// What comparisons say of any element, and what of its number only.
    fn comparisons(
        &mut self,
        tm: &mut Terms,
        elements: &Elements,
        atoms: &[TermId],
        known: &Set<TermId>,
    ) -> (Vec<TermId>, Vec<TermId>) {
        let (mut said, mut conditions) = (Vec::new(), Vec::new());
        for &atom in atoms {
            let general = self.apply(tm, atom);
            let is_comparison = matches!(tm.op(general), Op::Le | Op::Eq);
            if !is_comparison || has_op(tm, general, Op::Ite) || is_about_type(tm, general) {
                continue;
            }
            let constants = tm.free_consts(general);
            if !constants.contains(&elements.numbers[0]) || !constants.iter().all(|c| known.contains(c)) {
                continue;
            }
            let kind = if has_op(tm, general, Op::Select) { &mut said } else { &mut conditions };
            if kind.len() < MAX_LITERALS {
                kind.push(general);
            }
        }
        (said, conditions)
    }

    /// That any element is what is assigned to the one with the number.
    fn assigned(
        &mut self,
        tm: &mut Terms,
        elements: &Elements,
        accesses: &[&Access],
        number: TermId,
        known: &Set<TermId>,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for access in accesses.iter().filter(|access| access.number == number) {
            let Some(value) = access.written else { continue };
            let value = self.apply(tm, value);
            if tm.free_consts(value).iter().all(|c| known.contains(c)) {
                let element = elements.series[access.series].element(tm, elements.numbers[0]);
                found.push(tm.eq(element, value));
            }
        }
        found
    }
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
        elements.series.iter().map(|series| series.element(tm, elements.numbers[0])).collect();
    let one = tm.int(1);
    let next = tm.add2(elements.numbers[0], one);
    let mut others: OrderedSet<TermId> = [tm.int(0)].into_iter().collect();
    others.extend(view.encoding.states.iter().flatten().map(|c| c.current).filter(|&c| tm.is_int(c)));
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

/// The variables that are numbers.
pub(super) fn numbers_of(tm: &Terms, view: &InlinedView<'_>) -> Vec<TermId> {
    let mut found = OrderedSet::default();
    for constant in view.encoding.states.iter().flatten() {
        if let StateVar::Var(var) = constant.var
            && tm.is_int(constant.current)
            && view.program.vars[var].ty != Type::Pointer
        {
            found.insert(constant.current);
        }
    }
    found.into_iter().collect()
}

/// What is assigned to elements whose numbers no loop moves.
fn fixed(
    tm: &mut Terms,
    elements: &Elements,
    moving: &OrderedSet<(TermId, Int)>,
    known: &Set<TermId>,
) -> OrderedSet<TermId> {
    let mut found = OrderedSet::default();
    let moving: Set<TermId> = moving.iter().map(|(var, _)| *var).collect();
    for access in &elements.accesses {
        let Some(value) = access.written else { continue };
        let [number, value_of] = [access.number, value].map(|t| tm.free_consts(t));
        let is_fixed = number.iter().all(|c| known.contains(c) && !moving.contains(c));
        if is_fixed && value_of.iter().all(|c| known.contains(c)) {
            let element = elements.series[access.series].element(tm, access.number);
            found.insert(tm.eq(element, value));
        }
    }
    found
}
