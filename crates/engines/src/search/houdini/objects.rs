//! Guesses about every allocated object: `for all objects o: o->next == NULL || o->next < o`.
//!
//! Addresses tell in which order objects were allocated, and the program's own meaning does not depend on them. So a
//! list that grew at one end is one whose links go up or down, and "what was freed is not met again" is an order
//! between the tracked object, the links and the variables that walk along them. Where links lead from each object to
//! the one that was allocated some steps before or after it, that one is its neighbour, and guesses speak of both. A
//! guess is a clause of at most three comparisons between these; those that hold in all states of some runs
//! ([`samples`](super::samples)), and of which no part does, are few enough for Houdini. First come clauses of two, then facts with
//! two exceptions: what a loop has done to the objects that it has passed, but for the first or the newest one.

use super::Candidates;
use super::clauses::{Breadth, Literal, Row, Table, literals, thin};
use super::elements::{indices, within_types};
use super::equalities::gcd;
use super::layout::{Field, Layout};
use super::samples::{Object, State};
use crate::view::blocks::{InlinedView, spelled_out};
use craig_base::{IndexVec, Map, OrderedMap, OrderedSet, Set};
use craig_num::Int;
use craig_program::encode::BlockEncoding;
use craig_program::{CutId, Program, Scope, StateVar, Type, VarId};
use craig_term::{Sort, TermId, Terms};

/// Variables that are compared at one cutpoint, of each type.
const MAX_VARS: usize = 12;
/// Numbers that are taken for truth values.
const MAX_SWITCHES: usize = 3;
/// Links of which guesses say what they lead to.
const MAX_LINKS: usize = 4;
/// So many of them lead to objects whose fields are compared with those of the object itself.
pub(super) const COMPARED_LINKS: usize = 2;
/// Objects whose addresses are numbers to guesses, after the first one.
const MAX_COUNTED: i128 = 3;
/// How many objects links pass over.
const MAX_STEP: i128 = 8;

/// What guesses about objects need to know of a program.
pub(super) struct Objects {
    layout: Layout,
    /// The object that a guess is about.
    pub object: TermId,
    next_address: VarId,
    first: i128,
    /// All addresses of objects are so many bytes apart, or a multiple of it.
    unit: i128,
    /// How far most links lead.
    step: Option<i128>,
}

impl Objects {
    /// `None` if no allocated object holds a pointer.
    pub fn new(
        tm: &mut Terms,
        view: &InlinedView<'_>,
        layout: Layout,
        states: &IndexVec<CutId, Vec<State>>,
    ) -> Option<Objects> {
        let program = view.program;
        let next_address = program.next_address?;
        let Scope::Global { init: first } = program.vars[next_address].scope else { return None };
        if !layout.fields.iter().any(|field| field.ty == Type::Pointer) {
            return None;
        }
        let object = tm.fresh_const("object", Terms::INT);
        let distance = |object: &Object| object.address - first;
        let distances = states.iter().flatten().flat_map(|state| &state.objects).map(distance);
        let unit = distances.fold(0, gcd);
        if unit == 0 {
            return None;
        }
        let step = step(&layout.fields, states, unit);
        Some(Objects { layout, object, next_address, first, unit, step })
    }

    /// The terms at which a guess about all objects is of use along a block: where its formula accesses memory.
    pub fn places(&self, tm: &mut Terms, block: &BlockEncoding) -> Vec<TermId> {
        let mut places = OrderedSet::default();
        for index in indices(tm, block.formula) {
            // An index may have a name.
            let spelled_out = spelled_out(tm, block, index);
            let within_types = within_types(tm, spelled_out);
            let sum = tm.linear(within_types);
            let Some(constant) = sum.constant.to_int() else { continue };
            // The address of an object may be a number.
            let offset = if sum.terms.is_empty() {
                let (first, unit) = (Int::from(self.first), Int::from(self.unit));
                (constant - first).rem_euclid(&unit)
            } else {
                constant
            };
            if self.layout.fields.iter().any(|field| Int::from(field.offset) == offset) {
                let offset = tm.int(offset);
                places.insert(tm.sub(index, offset));
            }
        }
        // What is met may be a neighbour.
        if let Some(step) = self.step {
            let step = tm.int(step);
            let before: Vec<TermId> = places.iter().map(|&place| tm.sub(place, step)).collect();
            places.extend(before);
        }
        places.into_iter().collect()
    }

    /// The guesses at a cutpoint, the first kind about scalars, the second about [`Objects::object`].
    pub fn guesses(
        &self,
        tm: &mut Terms,
        view: &InlinedView<'_>,
        cut: CutId,
        states: &[State],
        breadth: Breadth,
    ) -> Candidates {
        let operands = self.operands(tm, view, cut, breadth);
        let Some(next) = operands.iter().find(|o| o.source == Source::Var(self.next_address)) else {
            return Candidates::default();
        };
        let next = next.term;
        if states.is_empty() {
            return Candidates::default();
        }
        let rows = |which: Which| -> Vec<Row> {
            states.iter().flat_map(|state| self.rows(view.program, &operands, state, which)).collect()
        };
        let (outer, inner) = (rows(Which::None), rows(Which::One));
        let literals = literals(&operands);
        let of_scalars: Vec<Literal> =
            literals.iter().copied().filter(|literal| !literal.any(|at| operands[at].is_inner())).collect();
        let mut found = Candidates::default();
        let table = Table::new(self, &of_scalars, thin(&outer));
        let is_special = |at: usize| matches!(operands[at].source, Source::Tracked(_) | Source::Address(_));
        let clauses =
            table.clauses(breadth, |literals| literals.iter().any(|literal| literal.any(is_special)));
        self.add(tm, &operands, clauses, None, &mut found);
        if inner.is_empty() {
            return found;
        }
        let is_field = |at: usize| {
            matches!(operands[at].source, Source::Field(_) | Source::OfNeighbour(_) | Source::OfLinked(..))
        };
        let of_neighbour = |at: usize| matches!(operands[at].source, Source::OfNeighbour(_));
        let is_object = |at: usize| operands[at].source == Source::Object;
        let flag = |at: usize| operands[at].kind == Kind::Flag;
        // Where the tracked object lies decides what was met already.
        let is_start = |at: usize| operands[at].source == Source::Tracked(Part::Start);
        let is_var = |at: usize| matches!(operands[at].source, Source::Var(_));
        let about_start = |literal: &Literal| literal.any(is_start) && literal.any(is_var);
        // Numbers that are zero or not say where the program is.
        let is_switch = |at: &usize| match operands[*at].source {
            Source::Var(var) if operands[*at].kind == Kind::Number => {
                let values = states.iter().filter_map(|state| state.values.get(&var));
                let (zeros, others): (Vec<i128>, Vec<i128>) = values.partition(|value| **value == 0);
                !zeros.is_empty() && !others.is_empty()
            }
            _ => false,
        };
        let switches: Vec<usize> = (0..operands.len()).filter(is_switch).take(MAX_SWITCHES).collect();
        let is_zero = |at: usize| operands[at].source == Source::Constant(0);
        let about_switch = |literal: &Literal| match *literal {
            Literal::Equal(a, b) | Literal::Different(a, b) => is_zero(a) && switches.contains(&b),
            _ => false,
        };
        let is_neighbour = |at: usize| matches!(operands[at].source, Source::Neighbour(_));
        let of_objects: Vec<Literal> = literals
            .into_iter()
            .filter(|literal| {
                literal.any(|at| is_field(at) || is_object(at) || is_neighbour(at) || flag(at))
                    || about_start(literal)
                    || about_switch(literal)
            })
            .collect();
        let guard = self.guard(tm, next, self.object);
        let has_field = |literals: &[Literal]| literals.iter().any(|literal| literal.any(is_field));
        let (of_two, of_one): (Vec<Literal>, Vec<Literal>) =
            of_objects.iter().partition(|literal| literal.any(of_neighbour));
        let mut clauses = Table::new(self, &of_one, thin(&inner)).clauses(breadth, has_field);
        clauses.retain(|clause| has_field(clause));
        if matches!(breadth, Breadth::Exceptions | Breadth::Three) {
            let is_of_kind =
                |literal: &Literal, kind| literal.any(|at| is_field(at) && operands[at].kind == kind);
            let is_about_number = |literal: &Literal| {
                is_of_kind(literal, Kind::Number) && literal.any(|at| operands[at].is_constant())
            };
            let is_fact = |literal: &Literal| match literal {
                Literal::Equal(..) => literal.any(is_field),
                Literal::Different(..) => is_about_number(literal),
                _ => false,
            };
            let is_null = |literal: &Literal| {
                matches!(literal, Literal::Equal(..))
                    && literal.any(is_zero)
                    && is_of_kind(literal, Kind::Pointer)
            };
            let is_exception =
                |literal: &Literal| !literal.any(is_field) || is_null(literal) || is_about_number(literal);
            let known: Set<Vec<Literal>> = clauses.iter().cloned().collect();
            let more = Table::new(self, &of_one, thin(&inner)).with_exceptions(is_fact, is_exception);
            clauses.extend(more.into_iter().filter(|clause| !known.contains(clause)));
        }
        self.add(tm, &operands, clauses, Some(guard), &mut found);
        let with_neighbour = rows(Which::WithNeighbour);
        if let Some(step) = self.step
            && !with_neighbour.is_empty()
        {
            let distance = tm.int(step);
            let neighbour = tm.add2(self.object, distance);
            let guards = [guard, self.guard(tm, next, neighbour)];
            let guard = tm.or(&guards);
            let own = of_one.into_iter().filter(|literal| {
                (literal.any(is_field) && !literal.any(is_var)) || literal.any(is_neighbour)
            });
            let literals: Vec<Literal> = of_two.into_iter().chain(own).collect();
            let speaks_of_both = |literals: &[Literal]| literals.iter().any(|l| l.any(of_neighbour));
            let mut clauses =
                Table::new(self, &literals, thin(&with_neighbour)).clauses(breadth, speaks_of_both);
            clauses.retain(|clause| speaks_of_both(clause));
            self.add(tm, &operands, clauses, Some(guard), &mut found);
        }
        found
    }

    /// Makes candidates of clauses; one that follows from another by its literals waits until that one is refuted.
    fn add(
        &self,
        tm: &mut Terms,
        operands: &[Operand],
        clauses: Vec<Vec<Literal>>,
        guard: Option<TermId>,
        found: &mut Candidates,
    ) {
        let mut terms: Map<Vec<Literal>, TermId> = Map::default();
        for clause in &clauses {
            let mut term = self.clause(tm, operands, clause);
            if let Some(guard) = guard {
                term = tm.or2(guard, term);
            }
            terms.insert(clause.clone(), term);
        }
        for clause in &clauses {
            let (term, mut stronger) = (terms[clause], None);
            for (at, literal) in clause.iter().enumerate() {
                for instead in literal.stronger() {
                    let mut other = clause.clone();
                    other[at] = instead;
                    other.sort();
                    stronger = stronger.or(terms.get(&other).copied());
                }
            }
            match stronger {
                Some(stronger) if stronger != term => found.weaker.entry(stronger).or_default().push(term),
                _ => found.strongest.push(term),
            }
        }
    }

    /// Of other guesses at a cutpoint, those that speak of the tracked object's end.
    pub fn of_use(&self, tm: &Terms, view: &InlinedView<'_>, cut: CutId, guesses: &[TermId]) -> Vec<TermId> {
        let state = &view.encoding.states[cut];
        let end = state.iter().find(|constant| {
            matches!(constant.var, StateVar::Var(var) if &*view.program.vars[var].name == ".tracked.end")
        });
        let Some(end) = end else { return Vec::new() };
        let is_array = |t: TermId| matches!(tm.sort_of(tm.sort(t)), Sort::Array { .. });
        let is_of_use = |guess: &TermId| {
            let constants = tm.free_consts(*guess);
            constants.contains(&end.current)
                && constants.len() <= 2
                && !constants.iter().any(|&t| is_array(t))
        };
        guesses.iter().copied().filter(is_of_use).collect()
    }

    /// That something is not the address of an allocated object.
    fn guard(&self, tm: &mut Terms, next: TermId, object: TermId) -> TermId {
        let first = tm.int(self.first);
        let (below, above) = (tm.lt(object, first), tm.le(next, object));
        let aligned = self.aligned(tm, object);
        let unaligned = tm.not(aligned);
        tm.or(&[below, above, unaligned])
    }

    /// Whether an object can begin at an address.
    pub fn is_address(&self, value: i128) -> bool {
        (value - self.first).rem_euclid(self.unit) == 0
    }

    /// That an address is one at which an object can begin.
    fn aligned(&self, tm: &mut Terms, t: TermId) -> TermId {
        let (unit, residue) = (tm.int(self.unit), tm.int(self.first.rem_euclid(self.unit)));
        let rest = tm.modulo(t, unit);
        tm.eq(rest, residue)
    }

    fn operands(&self, tm: &mut Terms, view: &InlinedView<'_>, cut: CutId, breadth: Breadth) -> Vec<Operand> {
        let program = view.program;
        let state = &view.encoding.states[cut];
        let mut operands = Vec::new();
        let zero = tm.int(0);
        for kind in [Kind::Pointer, Kind::Number] {
            operands.push(Operand { source: Source::Constant(0), term: zero, kind });
        }
        let counted = if breadth == Breadth::Counted { MAX_COUNTED } else { 0 };
        for number in 0..=counted {
            let address = self.first + number * self.step.unwrap_or(self.unit);
            let term = tm.int(address);
            operands.push(Operand { source: Source::Constant(address), term, kind: Kind::Pointer });
        }
        for &constant in &self.layout.constants {
            let term = tm.int(constant);
            operands.push(Operand { source: Source::Constant(constant), term, kind: Kind::Number });
        }
        for constant in state {
            let StateVar::Var(var) = constant.var else { continue };
            let name = &*program.vars[var].name;
            let source = match name.strip_prefix(".tracked.") {
                Some("start") => Source::Tracked(Part::Start),
                Some("end") => Source::Tracked(Part::End),
                Some("limit") => Source::Tracked(Part::Limit),
                Some("live") => Source::Tracked(Part::Live),
                Some("on_heap") => Source::Tracked(Part::OnHeap),
                Some(_) => continue,
                None => Source::Var(var),
            };
            if source == Source::Tracked(Part::End) {
                continue;
            }
            let kind = match program.vars[var].ty {
                Type::Pointer => Kind::Pointer,
                Type::Bool => Kind::Flag,
                Type::Int(_) => Kind::Number,
                Type::Float(_) => continue,
            };
            let is_var = |operand: &&Operand| operand.kind == kind && !operand.is_constant();
            if operands.iter().filter(is_var).count() < MAX_VARS {
                operands.push(Operand { source, term: constant.current, kind });
            }
        }
        for &address in &self.layout.addresses {
            let term = tm.int(address);
            operands.push(Operand { source: Source::Address(address), term, kind: Kind::Pointer });
        }
        if matches!(breadth, Breadth::Exceptions | Breadth::Three)
            && let Some(next) = operands.iter().find(|o| o.source == Source::Var(self.next_address))
        {
            let unit = tm.int(self.unit);
            let term = tm.sub(next.term, unit);
            operands.push(Operand { source: Source::Newest, term, kind: Kind::Pointer });
        }
        let mut field = |tm: &mut Terms, source: Source, base: TermId, field: &Field| {
            let Some(array) = state.iter().find(|c| c.var == StateVar::Region(field.region)) else { return };
            let offset = tm.int(field.offset);
            let index = tm.add2(base, offset);
            let term = tm.select(array.current, index);
            let kind = if field.ty == Type::Pointer { Kind::Pointer } else { Kind::Number };
            operands.push(Operand { source, term, kind });
        };
        for (number, (address, cell)) in self.layout.cells.iter().enumerate() {
            let base = tm.int(*address);
            field(tm, Source::Cell(number), base, cell);
        }
        for (number, own) in self.layout.fields.iter().enumerate() {
            field(tm, Source::Field(number), self.object, own);
        }
        let is_link = |(_, field): &(usize, &Field)| field.ty == Type::Pointer;
        for (link, to) in self.layout.fields.iter().enumerate().filter(is_link).take(MAX_LINKS) {
            let Some(array) = state.iter().find(|c| c.var == StateVar::Region(to.region)) else { continue };
            let offset = tm.int(to.offset);
            let index = tm.add2(self.object, offset);
            let linked = tm.select(array.current, index);
            for (number, own) in self.layout.fields.iter().enumerate() {
                field(tm, Source::OfLinked(link, number), linked, own);
            }
        }
        if let Some(step) = self.step {
            for (number, own) in self.layout.fields.iter().enumerate() {
                let distance = tm.int(step);
                let neighbour = tm.add2(self.object, distance);
                field(tm, Source::OfNeighbour(number), neighbour, own);
            }
            for distance in [step, -step] {
                let by = tm.int(distance);
                let term = tm.add2(self.object, by);
                operands.push(Operand { source: Source::Neighbour(distance), term, kind: Kind::Pointer });
            }
        }
        operands.push(Operand { source: Source::Object, term: self.object, kind: Kind::Pointer });
        operands
    }

    /// What operands are in a state, for every choice of the tracked object; and of the object, if there is one.
    fn rows(&self, program: &Program, operands: &[Operand], state: &State, which: Which) -> Vec<Row> {
        let mut rows = Vec::new();
        let neighbour = |at: usize| {
            let address = state.objects[at].address + self.step?;
            state.objects.iter().position(|object| object.address == address)
        };
        let objects: Vec<Option<usize>> = match which {
            Which::None => vec![None],
            Which::One => (0..state.objects.len()).map(Some).collect(),
            Which::WithNeighbour => {
                (0..state.objects.len()).filter(|&at| neighbour(at).is_some()).map(Some).collect()
            }
        };
        for tracked in std::iter::once(None).chain((0..state.objects.len()).map(Some)) {
            for &object in &objects {
                let value = |operand: &Operand| match operand.source {
                    Source::Constant(constant) | Source::Address(constant) => Some(constant),
                    Source::Cell(number) => {
                        let (address, cell) = self.layout.cells[number];
                        state.cell(program, address + cell.offset, cell.ty)
                    }
                    Source::Neighbour(distance) => object.map(|at| state.objects[at].address + distance),
                    Source::OfLinked(link, field) => {
                        let linked = object.and_then(|at| state.objects[at].fields[link]);
                        let linked = state.objects.iter().find(|object| Some(object.address) == linked);
                        linked.and_then(|object| object.fields[field])
                    }
                    Source::OfNeighbour(field) => {
                        object.and_then(neighbour).and_then(|at| state.objects[at].fields[field])
                    }
                    Source::Var(var) => state.values.get(&var).copied(),
                    Source::Newest => state.values.get(&self.next_address).map(|next| next - self.unit),
                    Source::Tracked(part) => Some(match tracked {
                        None => 0,
                        Some(at) => self.part(state, at, part),
                    }),
                    Source::Object => object.map(|at| state.objects[at].address),
                    Source::Field(field) => object.and_then(|at| state.objects[at].fields[field]),
                };
                rows.push(operands.iter().map(value).collect());
            }
        }
        rows
    }

    fn part(&self, state: &State, at: usize, part: Part) -> i128 {
        let object = &state.objects[at];
        match part {
            Part::Start => object.address,
            Part::End => object.address + object.size,
            // The next allocation begins where the addresses of this one end.
            Part::Limit => match state.objects.get(at + 1) {
                Some(next) => next.address,
                None => state.values.get(&self.next_address).copied().unwrap_or(object.address),
            },
            Part::Live => i128::from(object.live),
            Part::OnHeap => 1,
        }
    }

    fn clause(&self, tm: &mut Terms, operands: &[Operand], clause: &[Literal]) -> TermId {
        let literals: Vec<TermId> =
            clause.iter().map(|&literal| self.literal(tm, operands, literal)).collect();
        tm.or(&literals)
    }

    fn literal(&self, tm: &mut Terms, operands: &[Operand], literal: Literal) -> TermId {
        let term = |at: usize| operands[at].term;
        match literal {
            Literal::Less(a, b) => tm.lt(term(a), term(b)),
            Literal::AtMost(a, b) => tm.le(term(a), term(b)),
            Literal::Equal(a, b) => tm.eq(term(a), term(b)),
            Literal::Different(a, b) => {
                let equal = tm.eq(term(a), term(b));
                tm.not(equal)
            }
            Literal::Aligned(a) => self.aligned(tm, term(a)),
            Literal::Flag(a, true) => term(a),
            Literal::Flag(a, false) => tm.not(term(a)),
        }
    }
}

/// How far apart objects and those are that they have links to, in most cases.
fn step(fields: &[Field], states: &IndexVec<CutId, Vec<State>>, unit: i128) -> Option<i128> {
    let mut counts: OrderedMap<i128, usize> = OrderedMap::default();
    for object in states.iter().flatten().flat_map(|state| &state.objects) {
        for (field, value) in fields.iter().zip(&object.fields) {
            let Some(value) = value.filter(|_| field.ty == Type::Pointer) else { continue };
            let distance = (value - object.address).abs();
            if distance > 0 && distance <= MAX_STEP * unit && distance % unit == 0 {
                *counts.entry(distance).or_default() += 1;
            }
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(distance, _)| distance)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Constant(i128),
    Var(VarId),
    Tracked(Part),
    /// Where the last object begins, if it is a small one.
    Newest,
    /// Of a static object.
    Address(i128),
    /// In a static object.
    Cell(usize),
    Object,
    Field(usize),
    /// So far from the object.
    Neighbour(i128),
    OfNeighbour(usize),
    /// Of the object that a field leads to.
    OfLinked(usize, usize),
}

/// Of how many objects rows tell.
#[derive(Clone, Copy)]
enum Which {
    None,
    One,
    WithNeighbour,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Start,
    End,
    Limit,
    Live,
    OnHeap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Pointer,
    Number,
    Flag,
}

pub(super) struct Operand {
    pub source: Source,
    pub term: TermId,
    pub kind: Kind,
}

impl Operand {
    fn is_constant(&self) -> bool {
        matches!(self.source, Source::Constant(_))
    }

    /// Whether it belongs to one of all objects.
    fn is_inner(&self) -> bool {
        use Source::{Field, Neighbour, Object, OfLinked, OfNeighbour};
        matches!(self.source, Object | Field(_) | Neighbour(_) | OfNeighbour(_) | OfLinked(..))
    }
}
