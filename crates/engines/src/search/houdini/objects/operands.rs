//! What guesses about objects compare: variables, constants, the object itself, its fields and those of objects near it;
//! and what these are in states.

use super::{MAX_COUNTED, MAX_LINKS, MAX_VARS, Objects};
use crate::search::houdini::clauses::{Breadth, Columns, Literal};
use crate::search::houdini::layout::Field;
use crate::search::houdini::samples::{Object, State};
use crate::view::blocks::InlinedView;
use craig_program::{CutId, Program, StateVar, Type, VarId};
use craig_term::{TermId, Terms};

impl Objects {
    pub(super) fn operands(
        &self,
        tm: &mut Terms,
        view: &InlinedView<'_>,
        cut: CutId,
        states: &[State],
        breadth: Breadth,
    ) -> Vec<Operand> {
        let program = view.program;
        let state = &view.encoding.states[cut];
        let mut operands = Vec::new();
        let zero = tm.int(0);
        for kind in [Kind::Pointer, Kind::Number] {
            operands.push(Operand { within: 0, source: Source::Constant(0), term: zero, kind });
        }
        let counted = if breadth == Breadth::Counted { MAX_COUNTED } else { 0 };
        for number in 0..=counted {
            let address = self.first + number * self.step.unwrap_or(self.unit);
            let term = tm.int(address);
            operands.push(Operand {
                within: 0,
                source: Source::Constant(address),
                term,
                kind: Kind::Pointer,
            });
        }
        for &constant in &self.layout.constants {
            let term = tm.int(constant);
            operands.push(Operand {
                within: 0,
                source: Source::Constant(constant),
                term,
                kind: Kind::Number,
            });
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
                let within = match source {
                    Source::Var(var) if kind == Kind::Pointer => self.within(states, var),
                    _ => 0,
                };
                let distance = tm.int(within);
                let term = tm.sub(constant.current, distance);
                operands.push(Operand { source, within, term, kind });
            }
        }
        for &address in &self.layout.addresses {
            let term = tm.int(address);
            operands.push(Operand { within: 0, source: Source::Address(address), term, kind: Kind::Pointer });
        }
        if matches!(breadth, Breadth::Exceptions | Breadth::Three)
            && let Some(next) = operands.iter().find(|o| o.source == Source::Var(self.next_address))
        {
            let unit = tm.int(self.unit);
            let term = tm.sub(next.term, unit);
            operands.push(Operand { within: 0, source: Source::Newest, term, kind: Kind::Pointer });
        }
        let mut field = |tm: &mut Terms, source: Source, base: TermId, field: &Field| {
            let Some(array) = state.iter().find(|c| c.var == StateVar::Region(field.region)) else { return };
            let offset = tm.int(field.offset);
            let index = tm.add2(base, offset);
            let term = tm.select(array.current, index);
            let kind = if field.ty == Type::Pointer { Kind::Pointer } else { Kind::Number };
            operands.push(Operand { source, within: 0, term, kind });
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
            let is_there = |(_, own): &(usize, &Field)| to.leads_to(program, own);
            for (number, own) in self.layout.fields.iter().enumerate().filter(is_there) {
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
                operands.push(Operand {
                    within: 0,
                    source: Source::Neighbour(distance),
                    term,
                    kind: Kind::Pointer,
                });
            }
        }
        operands.push(Operand { within: 0, source: Source::Object, term: self.object, kind: Kind::Pointer });
        operands
    }

    /// What operands are in states, for every choice of the tracked object; and of the object, if there is one.
    pub(super) fn columns(
        &self,
        program: &Program,
        operands: &[Operand],
        states: &[State],
        which: Which,
    ) -> Columns {
        let objects: Vec<Vec<Option<usize>>> = states.iter().map(|state| self.chosen(state, which)).collect();
        // Where the rows of each state begin.
        let mut first = vec![0];
        for (state, objects) in states.iter().zip(&objects) {
            first.push(first[first.len() - 1] + (state.objects.len() + 1) * objects.len());
        }
        Columns::thin(first[states.len()], operands.len(), |row| {
            let at = first.partition_point(|&first| first <= row) - 1;
            let (state, objects) = (&states[at], &objects[at]);
            let tracked = ((row - first[at]) / objects.len()).checked_sub(1);
            let object = objects[(row - first[at]) % objects.len()];
            operands.iter().map(|operand| self.value(program, operand, state, tracked, object)).collect()
        })
    }

    /// The objects of a state that rows are about.
    fn chosen(&self, state: &State, which: Which) -> Vec<Option<usize>> {
        let all = 0..state.objects.len();
        match which {
            Which::None => vec![None],
            Which::One => all.map(Some).collect(),
            Which::WithNeighbour => all.filter(|&at| self.neighbour(state, at).is_some()).map(Some).collect(),
        }
    }

    fn neighbour<'s>(&self, state: &'s State, at: usize) -> Option<&'s Object> {
        let address = state.objects[at].address + self.step?;
        state.objects.iter().find(|object| object.address == address)
    }

    fn value(
        &self,
        program: &Program,
        operand: &Operand,
        state: &State,
        tracked: Option<usize>,
        object: Option<usize>,
    ) -> Option<i128> {
        let own = || object.map(|at| &state.objects[at]);
        match operand.source {
            Source::Constant(constant) | Source::Address(constant) => Some(constant),
            Source::Cell(number) => {
                let (address, cell) = self.layout.cells[number];
                state.cell(program, address + cell.offset, cell.ty)
            }
            Source::Neighbour(distance) => Some(own()?.address + distance),
            Source::OfLinked(link, field) => {
                let linked = own()?.fields[link]?;
                state.objects.iter().find(|object| object.address == linked)?.fields[field]
            }
            Source::OfNeighbour(field) => self.neighbour(state, object?)?.fields[field],
            Source::Var(var) => Some(state.values.get(&var)? - operand.within),
            Source::Newest => Some(state.values.get(&self.next_address)? - self.unit),
            Source::Tracked(part) => Some(tracked.map_or(0, |at| self.part(state, at, part))),
            Source::Object => Some(own()?.address),
            Source::Field(field) => own()?.fields[field],
        }
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

    pub(super) fn clause(&self, tm: &mut Terms, operands: &[Operand], clause: &[Literal]) -> TermId {
        let literals: Vec<TermId> =
            clause.iter().map(|&literal| self.literal(tm, operands, literal)).collect();
        tm.or(&literals)
    }

    pub(super) fn literal(&self, tm: &mut Terms, operands: &[Operand], literal: Literal) -> TermId {
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

/// That a link of the object leads nowhere.
pub(super) fn is_null_link(operands: &[Operand], link: usize) -> Option<Literal> {
    let link = operands.iter().position(|operand| operand.source == Source::Field(link))?;
    let is_null = |operand: &Operand| operand.source == Source::Constant(0) && operand.kind == Kind::Pointer;
    let zero = operands.iter().position(is_null)?;
    Some(Literal::Equal(zero.min(link), zero.max(link)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search::houdini) enum Source {
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
pub(super) enum Which {
    None,
    One,
    WithNeighbour,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search::houdini) enum Part {
    Start,
    End,
    Limit,
    Live,
    OnHeap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search::houdini) enum Kind {
    Pointer,
    Number,
    Flag,
}

pub(in crate::search::houdini) struct Operand {
    pub source: Source,
    /// How far a variable points into objects; the operand is where these begin.
    within: i128,
    pub term: TermId,
    pub kind: Kind,
}

impl Operand {
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.source, Source::Constant(_))
    }

    /// Whether it belongs to one of all objects.
    pub(super) fn is_inner(&self) -> bool {
        use Source::{Field, Neighbour, Object, OfLinked, OfNeighbour};
        matches!(self.source, Object | Field(_) | Neighbour(_) | OfNeighbour(_) | OfLinked(..))
    }
}
