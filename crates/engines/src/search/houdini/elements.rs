//! The elements of arrays that blocks access, by number: `origin + stride * k` is an index.
//!
//! As in [`craig_chc::cells`], programs number elements from where an object begins and in steps of their size; any
//! choice is right, and a good one makes guesses simple.

use crate::view::blocks::InlinedView;
use craig_base::{Map, OrderedMap, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::encode::CutpointEncoding;
use craig_program::{Cell, Program, RegionId, Scope, StateVar, Type};
use craig_term::{LinearSum, Op, Substitution, TermId, Terms};

/// How far from an object its indices may be.
const SLACK: i64 = 4096;
/// How many parts of a number may leave their types.
const MAX_WRAPS: usize = 8;

/// An array as a sequence of elements.
#[derive(Clone)]
pub(super) struct Series {
    pub array: TermId,
    origin: TermId,
    stride: Int,
    /// How many bytes an index is away at most from the origin.
    reach: Int,
}

impl Series {
    /// The element with a number.
    pub fn element(&self, tm: &mut Terms, number: TermId) -> TermId {
        let offset = tm.scale(&Rat::from(self.stride.clone()), number);
        let index = tm.add2(self.origin, offset);
        tm.select(self.array, index)
    }

    /// The number of the element with an index, if it may be one of this series.
    fn number(&self, tm: &mut Terms, index: TermId) -> Option<TermId> {
        let offset = tm.sub(index, self.origin);
        let sum = tm.linear(offset);
        let is_far = sum.constant.to_int().is_none_or(|offset| offset > self.reach || -&offset > self.reach);
        if is_far || tm.linear(self.origin).terms.iter().any(|(x, _)| sum.terms.iter().any(|(y, _)| x == y)) {
            return None;
        }
        tm.exact_quotient(offset, &Rat::from(self.stride.clone()))
    }
}

/// An element that a block accesses, over current constants.
#[derive(Clone)]
pub(super) struct Access {
    pub block: usize,
    pub series: usize,
    pub number: TermId,
    /// What is read.
    pub read: Option<TermId>,
    /// What is written.
    pub written: Option<TermId>,
}

/// All elements that blocks access.
pub(super) struct Elements {
    pub series: Vec<Series>,
    pub accesses: Vec<Access>,
    /// The numbers of which guesses speak: one, or two in order.
    pub numbers: [TermId; 2],
}

/// An index as it stands in a block.
struct Found {
    block: usize,
    array: TermId,
    index: TermId,
    read: Option<TermId>,
    written: Option<TermId>,
    origin: TermId,
    reach: Int,
}

impl Elements {
    /// `None` if blocks access no element of an array with an index that is a variable.
    pub fn new(
        tm: &mut Terms,
        view: &InlinedView<'_>,
        moving: &OrderedSet<(TermId, Int)>,
    ) -> Option<Elements> {
        let mut regions: Map<TermId, RegionId> = Map::default();
        let mut pointers: OrderedSet<TermId> = OrderedSet::default();
        let moving: Set<TermId> = moving.iter().map(|(var, _)| *var).collect();
        for constant in view.encoding.states.iter().flatten() {
            match constant.var {
                StateVar::Region(region) => {
                    regions.insert(constant.current, region);
                }
                StateVar::Var(var)
                    if view.program.vars[var].ty == Type::Pointer && !moving.contains(&constant.current) =>
                {
                    pointers.insert(constant.current);
                }
                StateVar::Var(_) => {}
            }
        }
        let mut found = Vec::new();
        let mut origins: Map<TermId, OrderedSet<TermId>> = Map::default();
        for (block, encoded) in view.encoding.blocks.iter().enumerate() {
            for t in tm.postorder(&[encoded.formula]) {
                let (read, written) = match tm.op(t) {
                    Op::Select => (Some(t), None),
                    Op::Store => (None, Some(tm.arg(t, 2))),
                    _ => continue,
                };
                let element = written.unwrap_or(t);
                let Some(array) = array_below(tm, tm.arg(t, 0)) else { continue };
                let Some(&region) = regions.get(&array) else { continue };
                if !tm.is_int(element) {
                    continue;
                }
                let index = index_of(tm, t);
                let (read, written) =
                    (read.map(|t| within_types(tm, t)), written.map(|t| within_types(tm, t)));
                let sum = tm.linear(index);
                let Some((origin, reach)) = origin(tm, view.program, region, &pointers, &sum) else {
                    continue;
                };
                if tm.int_value(origin).is_none_or(|origin| origin > Int::ZERO) {
                    origins.entry(array).or_default().insert(origin);
                }
                found.push(Found { block, array, index, read, written, origin, reach });
            }
        }
        // Where there is one object of bytes, a pointer that moves is in this one.
        for found in found.iter_mut().filter(|found| tm.int_value(found.origin) == Some(Int::ZERO)) {
            let is_bytes = match view.program.regions[regions[&found.array]].cell {
                Cell::Bytes => true,
                Cell::Scalar(ty) => view.program.size_of(ty) == 1,
            };
            if let Some(origins) = origins.get(&found.array)
                && origins.len() == 1
                && is_bytes
            {
                found.origin = origins[0];
            }
        }
        let elements = Elements::of_indices(tm, &found);
        let is_moving = |access: &Access| !tm.free_consts(access.number).is_empty();
        elements.accesses.iter().any(is_moving).then_some(elements)
    }

    fn of_indices(tm: &mut Terms, found: &[Found]) -> Elements {
        let mut groups: OrderedMap<(TermId, TermId), (Int, Vec<LinearSum>)> = OrderedMap::default();
        for Found { array, index, origin, reach, .. } in found {
            let offset = tm.sub(*index, *origin);
            let group = groups.entry((*array, *origin)).or_default();
            group.0 = reach.clone().max(std::mem::take(&mut group.0));
            group.1.push(tm.linear(offset));
        }
        let (mut series, mut places) = (Vec::new(), Map::default());
        for ((array, origin), (reach, offsets)) in groups {
            let mut stride = Int::ZERO;
            for offset in &offsets {
                let between = &offset.constant - &offsets[0].constant;
                for factor in offset.terms.iter().map(|(_, factor)| factor).chain([&between]) {
                    stride = factor.to_int().map_or(Int::ONE, |factor| stride.gcd(&factor));
                }
            }
            if stride.is_zero() {
                stride = Int::ONE;
            }
            let residue = offsets[0].constant.to_int().unwrap_or(Int::ZERO).rem_euclid(&stride);
            let residue = tm.int(residue);
            places.insert((array, origin), series.len());
            series.push(Series { array, origin: tm.add2(origin, residue), stride, reach });
        }
        let mut accesses = Vec::new();
        for Found { block, array, index, read, written, origin, .. } in found {
            let at = places[&(*array, *origin)];
            let offset = tm.sub(*index, series[at].origin);
            if let Some(number) = tm.exact_quotient(offset, &Rat::from(series[at].stride.clone())) {
                let (block, read, written) = (*block, *read, *written);
                accesses.push(Access { block, series: at, number, read, written });
            }
        }
        let numbers = ["k", "l"].map(|name| tm.fresh_const(name, Terms::INT));
        Elements { series, accesses, numbers }
    }

    /// The numbers at which a guess about all elements is of use along a block: those that its formula accesses, and
    /// those before them, of which guesses about neighbours speak.
    pub fn places(&self, tm: &mut Terms, formula: TermId) -> Vec<TermId> {
        let mut places = OrderedSet::default();
        for index in indices(tm, formula) {
            for series in &self.series {
                places.extend(series.number(tm, index));
            }
        }
        let one = tm.int(1);
        let before: Vec<TermId> = places.iter().map(|&place| tm.sub(place, one)).collect();
        places.extend(before);
        places.into_iter().collect()
    }
}

/// The constants of variables that a block moves by some distance.
pub(super) fn moving(tm: &mut Terms, encoding: &CutpointEncoding) -> OrderedSet<(TermId, Int)> {
    let mut found = OrderedSet::default();
    let nexts: Map<TermId, TermId> =
        encoding.states.iter().flatten().map(|constant| (constant.next, constant.current)).collect();
    for block in &encoding.blocks {
        for atom in tm.postorder(&[block.formula]) {
            if tm.op(atom) != Op::Eq || !tm.is_int(tm.arg(atom, 0)) {
                continue;
            }
            let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
            let difference = tm.sub(left, right);
            let sum = without_wrap(tm, difference);
            let [(a, x), (b, y)] = &sum.terms[..] else { continue };
            let (var, is_same) = match (nexts.get(a), nexts.get(b)) {
                (Some(var), _) => (*var, var == b),
                (_, Some(var)) => (*var, var == a),
                _ => continue,
            };
            if let Some(distance) = sum.constant.to_int()
                && is_same
                && (x.is_one() || y.is_one())
                && x + y == Rat::ZERO
                && !distance.is_zero()
            {
                found.insert((var, distance.abs()));
            }
        }
    }
    found
}

/// A sum in which numbers do not leave their types: where they may, a part of it is one of two.
pub(in crate::search) fn without_wrap(tm: &mut Terms, t: TermId) -> LinearSum {
    let within = within_types(tm, t);
    tm.linear(within)
}

/// A number as it is where nothing left its type: of two that are apart by a power of two, the one with the smaller
/// offset.
pub(in crate::search) fn within_types(tm: &mut Terms, mut t: TermId) -> TermId {
    for _ in 0..MAX_WRAPS {
        let is_choice = |t: &TermId| tm.op(*t) == Op::Ite && tm.is_int(*t);
        // The innermost one comes first.
        let Some(choice) = tm.postorder(&[t]).into_iter().find(is_choice) else { break };
        let arms = [tm.arg(choice, 1), tm.arg(choice, 2)];
        let offsets = arms.map(|arm| tm.linear(arm).constant.abs());
        let arm = if offsets[1] < offsets[0] { arms[1] } else { arms[0] };
        t = Substitution::from_pairs([(choice, arm)]).apply(tm, t);
    }
    t
}

/// Where a formula accesses memory.
pub(super) fn indices(tm: &mut Terms, formula: TermId) -> Vec<TermId> {
    let is_access = |t: &TermId| matches!(tm.op(*t), Op::Select | Op::Store);
    let accesses: Vec<TermId> = tm.postorder(&[formula]).into_iter().filter(is_access).collect();
    accesses.into_iter().map(|access| index_of(tm, access)).collect()
}

/// The index of an access. Where the sum may leave the address space, it is one of two.
fn index_of(tm: &mut Terms, access: TermId) -> TermId {
    let index = tm.arg(access, 1);
    within_types(tm, index)
}

/// The array of which some elements were changed.
pub(super) fn array_below(tm: &Terms, mut array: TermId) -> Option<TermId> {
    loop {
        match tm.op(array) {
            Op::Store => array = tm.arg(array, 0),
            Op::Const(_) => return Some(array),
            _ => return None,
        }
    }
}

/// Where the object begins into which an index leads, at a number, or where a pointer says; and how far it reaches.
fn origin(
    tm: &mut Terms,
    program: &Program,
    region: RegionId,
    pointers: &OrderedSet<TermId>,
    index: &LinearSum,
) -> Option<(TermId, Int)> {
    let unit = Int::from(program.data_model.guard_bytes());
    let half = unit.div_floor(&Int::from(2));
    let is_base = |(x, factor): &&(TermId, Rat)| pointers.contains(x) && *factor == Rat::from(Int::ONE);
    if let Some(&(pointer, _)) = index.terms.iter().find(is_base) {
        return Some((pointer, half));
    }
    let constant = index.constant.to_int()?;
    // A pointer that moves is somewhere in the only object, or anywhere.
    if constant < Int::from(program.data_model.guard_bytes()) && index.terms.iter().any(|(_, f)| f.is_one()) {
        return match program.regions[region].objects[..] {
            [only] if !program.regions[region].allocated => {
                let object = &program.objects[only];
                Some((tm.int(Int::from(object.address)), Int::pow2(64)))
            }
            _ => Some((tm.int(0), Int::pow2(64))),
        };
    }
    for &object in &program.regions[region].objects {
        let object = &program.objects[object];
        let (first, size) = (Int::from(object.address), Int::from(object.size));
        let slack = Int::from(SLACK);
        if constant >= &first - &slack && constant <= &(&first + &size) + &slack {
            return Some((tm.int(first), size + slack));
        }
    }
    let Scope::Global { init } = program.vars[program.next_address?].scope else { return None };
    let first = Int::from(init);
    let rounded = (&(&constant - &first) + &half).div_floor(&unit) * unit;
    (rounded >= Int::ZERO).then(|| (tm.int(&first + &rounded), half))
}
