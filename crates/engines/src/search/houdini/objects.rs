//! Guesses about every allocated object: `for all objects o: o->next == NULL || o->next < o`.
//!
//! Addresses tell in which order objects were allocated, and the program's own meaning does not depend on them. So a
//! list that grew at one end is one whose links go up or down, and "what was freed is not met again" is an order
//! between the tracked object, the links and the variables that walk along them. Where links lead from each object to
//! the one that was allocated some steps before or after it, that one is its neighbour, and guesses speak of both. A
//! guess is a clause of at most three comparisons between these; those that hold in all states of some runs
//! ([`samples`](super::samples)), and of which no part does, are few enough for Houdini. First come clauses of two, then facts with
//! two exceptions: what a loop has done to the objects that it has passed, but for the first or the newest one. A fact that
//! does not hold of all objects may hold of those that a variable leads to, along links. Where objects of several kinds are
//! allocated in turn, one kind has nothing in the cells of the others, which formulas take for zero.

use super::Candidates;
use super::clauses::{Breadth, Literal, Table, literals};
use super::elements::{array_below, indices, within_types};
use super::equalities::gcd;
use super::layout::{Field, Layout};
use super::samples::{Object, State};
use crate::view::blocks::{InlinedView, spelled_out};
use craig_base::{IndexVec, Map, OrderedMap, OrderedSet, Set};
use craig_num::Int;
use craig_program::encode::BlockEncoding;
use craig_program::{CutId, Scope, StateVar, Type, VarId};
use craig_term::{Op, Sort, TermId, Terms};
pub(super) use operands::{Kind, Operand, Source};
use operands::{Part, Which, is_null_link};

mod operands;

/// Variables that are compared at one cutpoint, of each type.
const MAX_VARS: usize = 12;
/// Numbers that are taken for truth values.
const MAX_SWITCHES: usize = 3;
/// Links of which guesses say what they lead to.
const MAX_LINKS: usize = 6;
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
    pub fn places(&self, tm: &mut Terms, view: &InlinedView<'_>, block: &BlockEncoding) -> Vec<TermId> {
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
        let met = self.linked(tm, view, block);
        places.extend(met);
        // What is met may be a neighbour.
        if let Some(step) = self.step {
            let step = tm.int(step);
            let before: Vec<TermId> = places.iter().map(|&place| tm.sub(place, step)).collect();
            places.extend(before);
        }
        places.into_iter().collect()
    }

    /// Objects to which a block sets links: after it, guesses may speak of them as of what a link leads to.
    fn linked(&self, tm: &Terms, view: &InlinedView<'_>, block: &BlockEncoding) -> OrderedSet<TermId> {
        let links = self.layout.fields.iter().filter(|field| field.ty == Type::Pointer);
        let links: Set<StateVar> = links.map(|field| StateVar::Region(field.region)).collect();
        let arrays: Set<TermId> = (view.encoding.states.iter().flatten())
            .filter(|constant| links.contains(&constant.var))
            .map(|constant| constant.current)
            .collect();
        let stores = tm.postorder(&[block.formula]).into_iter().filter(|&t| {
            tm.op(t) == Op::Store && array_below(tm, t).is_some_and(|array| arrays.contains(&array))
        });
        stores.map(|store| tm.arg(store, 2)).filter(|&value| tm.int_value(value).is_none()).collect()
    }

    /// The indices at which blocks access memory, and at which what they set links to has its fields.
    pub fn accessed(&self, tm: &mut Terms, view: &InlinedView<'_>, block: &BlockEncoding) -> Set<TermId> {
        let mut accessed: Set<TermId> = indices(tm, block.formula).into_iter().collect();
        for object in self.linked(tm, view, block) {
            for field in &self.layout.fields {
                let offset = tm.int(field.offset);
                accessed.insert(tm.add2(object, offset));
            }
        }
        accessed
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
        let operands = self.operands(tm, view, cut, states, breadth);
        let Some(next) = operands.iter().find(|o| o.source == Source::Var(self.next_address)) else {
            return Candidates::default();
        };
        let next = next.term;
        if states.is_empty() {
            return Candidates::default();
        }
        let columns = |which: Which| self.columns(view.program, &operands, states, which);
        let (outer, inner) = (columns(Which::None), columns(Which::One));
        let literals = literals(&operands);
        let of_scalars: Vec<Literal> =
            literals.iter().copied().filter(|literal| !literal.any(|at| operands[at].is_inner())).collect();
        let mut found = Candidates::default();
        let table = Table::new(self, &of_scalars, &outer);
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
        let table = Table::new(self, &of_one, &inner);
        let mut clauses = table.clauses(breadth, has_field);
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
            let more = table.with_exceptions(is_fact, is_exception, |_| None);
            clauses.extend(more.into_iter().filter(|clause| !known.contains(clause)));
            // Of what a link leads to nothing is said where it leads nowhere, or to where the program is.
            let of_linked = |literal: &Literal| {
                let mut link = None;
                literal.any(|at| {
                    if let Source::OfLinked(field, _) = operands[at].source {
                        link = Some(field);
                    }
                    link.is_some()
                });
                let null = is_null_link(&operands, link?)?;
                of_one.iter().position(|&literal| literal == null)
            };
            let is_exception = |literal: &Literal| {
                let is_own = |at: usize| matches!(operands[at].source, Source::Field(_));
                let is_link = literal.any(|at| is_own(at) && operands[at].kind == Kind::Pointer);
                match literal {
                    _ if !literal.any(is_field) => true,
                    Literal::Equal(..) => is_link && literal.any(is_var),
                    Literal::Different(..) => is_link && literal.any(is_zero),
                    _ => false,
                }
            };
            let is_fact = |literal: &Literal| is_fact(literal) && of_linked(literal).is_some();
            clauses.extend(table.with_exceptions(is_fact, is_exception, of_linked));
        }
        if breadth != Breadth::Two {
            self.add_closures(tm, &operands, &clauses, guard, &mut found);
        }
        self.add(tm, &operands, clauses, Some(guard), &mut found);
        let with_neighbour = columns(Which::WithNeighbour);
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
            let mut clauses = Table::new(self, &literals, &with_neighbour).clauses(breadth, speaks_of_both);
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

    /// Where a fact does not hold of all objects, it may hold of those that a variable leads to, directly and along links:
    /// it holds of the first, and with an object of the one that this has a link to.
    fn add_closures(
        &self,
        tm: &mut Terms,
        operands: &[Operand],
        clauses: &[Vec<Literal>],
        guard: TermId,
        found: &mut Candidates,
    ) {
        let object = operands.iter().position(|operand| operand.source == Source::Object);
        for clause in clauses {
            let (&[Literal::Equal(a, b) | Literal::Different(a, b)], Some(object)) = (&clause[..], object)
            else {
                continue;
            };
            let fact = clause[0];
            let is_value = |at: usize| operands[at].is_constant();
            let (field, value) = if is_value(a) { (b, a) } else { (a, b) };
            let Source::Field(number) = operands[field].source else { continue };
            if !is_value(value) {
                continue;
            }
            let compared = |of: usize, is_equal: bool| {
                let (a, b) = (of.min(value), of.max(value));
                if is_equal { Literal::Equal(a, b) } else { Literal::Different(a, b) }
            };
            let is_equal = matches!(fact, Literal::Equal(..));
            let mut weaker = Vec::new();
            for (at, operand) in operands.iter().enumerate() {
                match operand.source {
                    Source::Var(_) if operand.kind == Kind::Pointer => {
                        weaker.push(vec![Literal::Different(at.min(object), at.max(object)), fact]);
                    }
                    Source::OfLinked(link, of) if of == number => {
                        let Some(null) = is_null_link(operands, link) else { continue };
                        weaker.push(vec![compared(field, !is_equal), null, compared(at, is_equal)]);
                    }
                    _ => {}
                }
            }
            let guarded = |tm: &mut Terms, clause: &[Literal]| {
                let term = self.clause(tm, operands, clause);
                tm.or2(guard, term)
            };
            let term = guarded(tm, clause);
            let weaker: Vec<TermId> = weaker.iter().map(|clause| guarded(tm, clause)).collect();
            found.weaker.entry(term).or_default().extend(weaker);
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

    /// How far a pointer leads into the object that it points to, if it always leads into one and equally far.
    fn within(&self, states: &[State], var: VarId) -> i128 {
        let distance = |value: i128| (value - self.first).rem_euclid(self.unit);
        let mut values = states.iter().filter_map(|state| state.values.get(&var).copied());
        let Some(first) = values.next() else { return 0 };
        let alike = |value: i128| value >= self.first && distance(value) == distance(first);
        if alike(first) && values.all(alike) { distance(first) } else { 0 }
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
