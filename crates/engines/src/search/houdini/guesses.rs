//! Guesses about scalars: orders between variables, bounds of the tracked object, what the program compares.

use super::elements::moving;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, IndexVec, Map, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::encode::CutpointEncoding;
use craig_program::{Cell, CutId, Interval, Scope, StateVar, Type};
use craig_term::{Op, SortId, Substitution, TermId, Terms};

/// Comparisons of the program that are guesses at one cutpoint.
const MAX_ATOMS: usize = 300;
/// Terms that guesses relate at one cutpoint.
const MAX_TERMS: usize = 24;
/// Of so many numbers, sums of two are guessed as well.
const MAX_SUMMED: usize = 10;
/// Addresses and factors that occur in them.
const MAX_ADDRESSES: usize = 6;
const MAX_FACTORS: usize = 4;
const MAX_CONSTANTS: usize = 1000;
/// Bytes that an object may have at least.
const SIZES: [i64; 14] = [1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128];

/// The guesses for each cutpoint; none for the entry and the error, nor where time is over.
pub(super) fn candidates(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    words: &Words,
    budget: &Budget,
) -> IndexVec<CutId, Vec<TermId>> {
    let encoding = &view.encoding;
    let mut all = IndexVec::new();
    for cut in encoding.cuts.cutpoints.indices() {
        let is_end = cut == encoding.cuts.entry || cut == encoding.cuts.error;
        let guesses = if is_end || budget.check().is_err() {
            OrderedSet::default()
        } else {
            guesses(tm, view, cut, words)
        };
        all.push(guesses.into_iter().filter(|&g| !tm.is_true(g) && !tm.is_false(g)).collect());
    }
    all
}

/// What the blocks speak of, over current constants. Large blocks have thousands of terms over what is inside of them, which
/// no cutpoint knows; these are left out.
pub(super) struct Words {
    pub atoms: OrderedSet<TermId>,
    selects: OrderedSet<TermId>,
    /// The sorts of arrays and where they are written.
    written: OrderedSet<(SortId, TermId)>,
    factors: OrderedSet<Int>,
    /// The sizes of numbers.
    pub constants: OrderedSet<Int>,
    /// The constants of variables that a block moves, and by how much.
    pub moving: OrderedSet<(TermId, Int)>,
    /// The constants in atoms, selects and where arrays are written.
    constants_of: Map<TermId, Vec<TermId>>,
}

impl Words {
    pub fn of(tm: &mut Terms, encoding: &CutpointEncoding) -> Words {
        let constants = encoding.states.iter().flatten();
        let mut of_states: Map<TermId, bool> = constants
            .clone()
            .flat_map(|constant| [constant.current, constant.next].map(|c| (c, true)))
            .collect();
        let mut renaming =
            Substitution::from_pairs(constants.map(|constant| (constant.next, constant.current)));
        let mut words = Words {
            atoms: OrderedSet::default(),
            selects: OrderedSet::default(),
            written: OrderedSet::default(),
            factors: [Int::ONE].into_iter().collect(),
            constants: OrderedSet::default(),
            moving: moving(tm, encoding),
            constants_of: Map::default(),
        };
        for block in &encoding.blocks {
            for t in tm.postorder(&[block.formula]) {
                if !of_states.contains_key(&t) {
                    let parts = tm.args(t).iter();
                    let known =
                        !matches!(tm.op(t), Op::Const(_)) && parts.into_iter().all(|part| of_states[part]);
                    of_states.insert(t, known);
                }
                if tm.op(t) == Op::Store && tm.is_int(tm.arg(t, 2)) && of_states[&tm.arg(t, 1)] {
                    let index = renaming.apply(tm, tm.arg(t, 1));
                    words.written.insert((tm.sort(t), index));
                }
                if tm.is_int(t) {
                    words.numbers(tm, t);
                }
                if !of_states[&t] {
                    continue;
                }
                if tm.op(t) == Op::Select && tm.is_int(t) {
                    let select = renaming.apply(tm, t);
                    words.selects.insert(select);
                }
                // Equalities of products are guessed from data; of their bounds there are too many.
                if matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0)) && !has_product(tm, t) {
                    let atom = renaming.apply(tm, t);
                    words.atoms.insert(atom);
                }
            }
        }
        let indices = words.written.iter().map(|&(_, index)| index);
        let all = words.atoms.iter().chain(&words.selects).copied().chain(indices);
        words.constants_of = all.map(|t| (t, tm.free_consts(t))).collect();
        words
    }

    fn numbers(&mut self, tm: &Terms, t: TermId) {
        let sum = tm.linear(t);
        if let Some(constant) = sum.constant.to_int()
            && sum.terms.len() <= 1
            && self.constants.len() < MAX_CONSTANTS
        {
            let size = if constant < Int::ZERO { -&constant } else { constant };
            self.constants.insert(size);
        }
        for (_, factor) in &sum.terms {
            if let Some(factor) = factor.to_int()
                && factor > Int::ONE
                && factor < Int::from(4096)
                && self.factors.len() < MAX_FACTORS
            {
                self.factors.insert(factor);
            }
        }
    }
}

/// Whether one side of a relation has a product of unknowns.
fn has_product(tm: &Terms, relation: TermId) -> bool {
    let sides = tm.args(relation).iter();
    sides.flat_map(|&side| tm.linear(side).terms).any(|(t, _)| tm.op(t) == Op::Mul)
}

/// The constants at which allocated objects begin.
fn addresses(tm: &mut Terms, view: &InlinedView<'_>, words: &Words) -> Vec<TermId> {
    let Some(next) = view.program.next_address else { return Vec::new() };
    let Scope::Global { init } = view.program.vars[next].scope else { return Vec::new() };
    let (first, unit) = (Int::from(init), Int::from(view.program.data_model.guard_bytes()));
    let mut found: OrderedSet<Int> = OrderedSet::default();
    for constant in &words.constants {
        // Comparisons may be one off.
        for near in [constant - &Int::ONE, constant.clone(), constant + &Int::ONE] {
            let distance = &near - &first;
            if distance >= Int::ZERO && distance.div_floor(&unit) * unit.clone() == distance {
                found.insert(near);
            }
        }
    }
    found.into_iter().take(MAX_ADDRESSES).map(|address| tm.int(address)).collect()
}

fn guesses(tm: &mut Terms, view: &InlinedView<'_>, cut: CutId, words: &Words) -> OrderedSet<TermId> {
    let state = &view.encoding.states[cut];
    let known: Set<TermId> = state.iter().map(|constant| constant.current).collect();
    let is_here = |t: TermId| words.constants_of[&t].iter().all(|c| known.contains(c));
    let named = |tm: &Terms, wanted: &str| {
        let mut all = state.iter().map(|constant| constant.current);
        all.find(|&c| tm.const_name(c).is_some_and(|name| name.starts_with(wanted)))
    };
    let tracked = ["start", "end", "limit", "live"].map(|part| named(tm, &format!(".tracked.{part}")));
    let next_address = named(tm, "next_address");
    let is_bookkeeping = |t: TermId| tracked.contains(&Some(t)) || next_address == Some(t);
    // Pointers are compared with pointers, numbers with numbers.
    let is_pointer = |var: StateVar| match var {
        StateVar::Var(var) => view.program.vars[var].ty == Type::Pointer,
        StateVar::Region(region) => view.program.regions[region].cell == Cell::Scalar(Type::Pointer),
    };
    let (mut pointers, mut numbers) = (Vec::new(), Vec::new());
    let mut add = |t: TermId, var: StateVar| {
        let terms = if is_pointer(var) { &mut pointers } else { &mut numbers };
        if terms.len() < MAX_TERMS && !terms.contains(&t) {
            terms.push(t);
        }
    };
    for constant in state {
        if tm.is_int(constant.current) && !is_bookkeeping(constant.current) {
            add(constant.current, constant.var);
        }
    }
    for constant in state {
        let array = constant.current;
        let read = words.selects.iter().copied();
        for select in read.filter(|&select| tm.arg(select, 0) == array && is_here(select)).collect::<Vec<_>>()
        {
            add(select, constant.var);
        }
        let written = words.written.iter().filter(|(sort, index)| *sort == tm.sort(array) && is_here(*index));
        for (_, index) in written.copied().collect::<Vec<_>>() {
            let select = tm.select(array, index);
            add(select, constant.var);
        }
    }
    let zero = tm.int(0);
    numbers.push(zero);
    let addresses = addresses(tm, view, words);
    let objects: Vec<TermId> = pointers.iter().chain(&addresses).copied().collect();
    let mut found = OrderedSet::default();
    // Order between any two, and what blocks ask, in both directions and with one more or less.
    for terms in [&objects, &numbers] {
        for &a in terms {
            for &b in terms.iter().filter(|&&b| b != a) {
                found.extend([tm.le(a, b), tm.lt(a, b)]);
            }
        }
    }
    if numbers.len() <= MAX_SUMMED {
        for (i, &a) in numbers.iter().enumerate() {
            for &b in &numbers[i..] {
                let sum = tm.add2(a, b);
                found.extend(numbers.iter().filter(|&&c| c != a && c != b).map(|&c| tm.le(sum, c)));
            }
        }
    }
    // What holds once a flag is set.
    let location = view.encoding.cuts.location(cut);
    let is_flag = |var: StateVar| match var {
        StateVar::Var(var) => {
            view.encoding.ranges.at(location, var).is_some_and(|range| range.is_within(&Interval::new(0, 1)))
        }
        StateVar::Region(_) => false,
    };
    for flag in state.iter().filter(|constant| is_flag(constant.var) && numbers.contains(&constant.current)) {
        let is_clear = tm.le(flag.current, zero);
        for &a in &numbers {
            for &b in numbers.iter().filter(|&&b| b != a) {
                for distance in 0..3 {
                    let distance = tm.int(distance);
                    let further = tm.add2(a, distance);
                    let order = tm.le(further, b);
                    found.insert(tm.or2(is_clear, order));
                }
            }
        }
    }
    let is_relation = |tm: &Terms, t: TermId| matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0));
    let atoms: Vec<TermId> =
        words.atoms.iter().copied().filter(|&atom| is_relation(tm, atom) && is_here(atom)).collect();
    for atom in atoms.into_iter().take(MAX_ATOMS) {
        let (a, b) = (tm.arg(atom, 0), tm.arg(atom, 1));
        found.extend([tm.le(a, b), tm.le(b, a), tm.lt(a, b), tm.lt(b, a)]);
    }
    // Strings end where their length says.
    for constant in state.iter().filter(|constant| matches!(constant.var, StateVar::Region(_))) {
        for (&p, &n) in pointers.iter().flat_map(|p| numbers.iter().map(move |n| (p, n))) {
            let index = tm.add2(p, n);
            let element = tm.select(constant.current, index);
            if tm.is_int(element) && !is_pointer(constant.var) {
                found.insert(tm.eq(element, zero));
            }
        }
    }
    let [Some(start), Some(end), limit, live] = tracked else { return found };
    // Some object is tracked, or none.
    let mut which = vec![tm.eq(start, zero)];
    which.extend(objects.iter().map(|&object| tm.eq(start, object)));
    found.insert(tm.or(&which));
    let none = tm.eq(start, zero);
    for size in SIZES {
        let size = tm.int(size);
        let last = tm.add2(start, size);
        let within = tm.le(last, end);
        found.insert(tm.or2(none, within));
    }
    let summed: Vec<TermId> = if numbers.len() <= MAX_SUMMED {
        let pairs = numbers.iter().enumerate().flat_map(|(i, &a)| numbers[i..].iter().map(move |&b| (a, b)));
        pairs.map(|(a, b)| tm.add2(a, b)).collect()
    } else {
        numbers.clone()
    };
    for &object in &objects {
        for size in SIZES {
            let (is_this, size) = (tm.eq(start, object), tm.int(size));
            let (is_other, last) = (tm.not(is_this), tm.add2(object, size));
            let within = tm.le(last, end);
            found.insert(tm.or2(is_other, within));
        }
        let is_this = tm.eq(start, object);
        let is_other = tm.not(is_this);
        found.extend(live.map(|live| tm.or2(is_other, live)));
        for &n in &summed {
            for factor in &words.factors {
                let bytes = tm.scale(&Rat::from(factor.clone()), n);
                let last = tm.add2(object, bytes);
                let within = tm.le(last, end);
                found.insert(tm.or2(is_other, within));
                if let Some(limit) = limit {
                    let (before, after) = (tm.le(limit, object), tm.le(last, start));
                    found.insert(tm.or(&[is_this, before, after]));
                }
                found.extend(next_address.map(|next| tm.le(last, next)));
            }
        }
    }
    found
}
