//! What is known of every object, in programs that ask: how many bytes it has, and whether it may be accessed.
//!
//! Harnesses of other tools ask for the size of the object that any pointer points into (`__CPROVER_OBJECT_SIZE`), and
//! whether bytes can be read there, as a value (`__CPROVER_r_ok`). An address tells the number of its object
//! (`lower/dialect.rs`), and two tables say the rest: objects of their own, in which every other object is noted when it
//! begins and when it ends. So the answers are loads like any other, for runs, engines and checkers alike.

use craig_program as ir;
use ir::{BinaryOp, ExprId, NoteKind, Stmt, Type};

use super::body::Body;
use super::{ANY_REGION, Lowering};
use crate::dialect::About;
use crate::hir;
use crate::source::Span;

/// So many objects are known; number 0 is none.
const NUMBERS: u64 = 1 << 16;
/// The part of them that may be static.
const MOST_STATIC: u64 = NUMBERS / 2;

const SIZE: Type = Type::Int(ir::IntType::unsigned(64));
const STATE: Type = Type::Int(ir::IntType::U8);

/// What the second table says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// No object, or no more.
    None,
    Constant,
    Variable,
    /// Made by `malloc` or its kind.
    Allocated,
    Freed,
}

/// Where the tables are.
pub(super) struct Extents {
    /// Their names begin as those of hidden variables do.
    sizes: (ir::ObjectId, u64),
    states: (ir::ObjectId, u64),
}

impl Lowering<'_> {
    /// Makes the tables.
    pub fn place_extents(&mut self) {
        let mut place = |name: &str, ty: Type| {
            let size = NUMBERS * u64::from(self.out.size_of(ty));
            let address = self.static_address(size);
            let object = self.out.objects.push(ir::MemoryObject {
                name: name.into(),
                address,
                size,
                span: ir::Span::default(),
                init: Vec::new(),
                zeroed: true,
                function: false,
                constant: false,
                automatic: false,
                live: None,
                sealed: None,
            });
            (object, address)
        };
        let (sizes, states) = (place(".sizes", SIZE), place(".states", STATE));
        let model = self.out.data_model;
        if (self.next_static - model.first_address()) / (2 * model.guard_bytes()) > MOST_STATIC {
            self.unsupported(Span::NONE, "sizes of objects, in a program with so many of them");
        }
        self.extents = Some(Extents { sizes, states });
    }

    /// Notes the static objects. Automatic ones are noted where they begin, wherever they lie.
    pub fn note_static_objects(&mut self) {
        let Some(Extents { sizes, states }) = self.extents else { return };
        let model = self.out.data_model;
        let (mut of_sizes, mut of_states) = (Vec::new(), Vec::new());
        for object in self.out.objects.iter().filter(|object| !object.function && !object.automatic) {
            let number = (object.address - model.first_address()) / (2 * model.guard_bytes()) + 1;
            let state = if object.constant { State::Constant } else { State::Variable };
            let size_bytes = u64::from(self.out.size_of(SIZE));
            of_sizes.push((number * size_bytes, ANY_REGION, SIZE, i128::from(object.size)));
            of_states.push((number, ANY_REGION, STATE, state as i128));
        }
        self.out.objects[sizes.0].init = of_sizes;
        self.out.objects[states.0].init = of_states;
    }
}

impl Body<'_, '_> {
    /// An object of so many bytes begins here.
    pub fn note_object(&mut self, address: ExprId, size: ExprId, state: State) {
        let Some(Extents { sizes, states }) = self.lw.extents else { return };
        let number = self.object_number(address);
        let number = self.freeze(number);
        let ty = Type::Int(self.lw.size_type());
        let limit = self.lw.constant(ty, i128::from(NUMBERS));
        let fits = self.lw.binary(BinaryOp::Lt, number, limit);
        self.emit(Stmt::Assume(fits));
        let text = format!("no more than {} objects are made", NUMBERS - MOST_STATIC);
        self.lw.note(NoteKind::Assumption, self.span, text);
        self.write_entry(sizes.1, SIZE, number, size);
        let state = self.lw.constant(STATE, state as i128);
        self.write_entry(states.1, STATE, number, state);
    }

    /// The object that begins at the address, if any does, ends here.
    pub fn end_object(&mut self, address: ExprId) {
        let Some(Extents { states, .. }) = self.lw.extents else { return };
        let number = self.known_number(address);
        let old = self.entry(states.1, STATE, number);
        let was_allocated = self.is_at_least(old, State::Allocated);
        let [freed, none] = [State::Freed, State::None].map(|state| self.lw.constant(STATE, state as i128));
        let new = self.lw.ite(was_allocated, freed, none);
        self.write_entry(states.1, STATE, number, new);
    }

    /// An answer from the tables about what the first argument points to.
    pub fn extent_answer(&mut self, about: About, values: &[ExprId], bytes: ExprId) -> ExprId {
        let ty = Type::Int(self.lw.size_type());
        let (Some(Extents { sizes, states }), Some(&pointer)) = (&self.lw.extents, values.first()) else {
            return self.lw.zero(ty);
        };
        let (sizes, states) = (sizes.1, states.1);
        let pointer = self.freeze(pointer);
        let number = self.known_number(pointer);
        let size = self.entry(sizes, SIZE, number);
        let state = self.entry(states, STATE, number);
        let begun = self.is_at_least(state, State::Constant);
        let ended = self.is_at_least(state, State::Freed);
        let not_ended = self.lw.out.exprs.not(ended);
        let is_live = self.lw.binary(BinaryOp::And, begun, not_ended);
        let holds = match about {
            About::Size => return size,
            About::Live => is_live,
            About::Writeable => {
                let variable = self.is_at_least(state, State::Variable);
                self.lw.binary(BinaryOp::And, is_live, variable)
            }
            About::Allocated => self.is_at_least(state, State::Allocated),
            About::Freeable => {
                let allocated = self.is_at_least(state, State::Allocated);
                let (null, zero) = (self.lw.zero(ty), self.lw.zero(Type::Int(self.lw.difference_type())));
                let offset = self.offset_in_object(pointer);
                let at_start = self.lw.binary(BinaryOp::Eq, offset, zero);
                let is_null = self.lw.binary(BinaryOp::Eq, pointer, null);
                let mut may = self.lw.binary(BinaryOp::And, allocated, not_ended);
                may = self.lw.binary(BinaryOp::And, may, at_start);
                self.lw.binary(BinaryOp::Or, may, is_null)
            }
            _ => {
                let offset = self.offset_in_object(pointer);
                // One before the object is more than all of its bytes.
                let offset = self.lw.convert(offset, ty);
                let offset = self.freeze(offset);
                let begins = self.lw.binary(BinaryOp::Le, offset, size);
                let rest = self.lw.binary(BinaryOp::Sub, size, offset);
                let ends = self.lw.binary(BinaryOp::Le, bytes, rest);
                let within = self.lw.binary(BinaryOp::And, begins, ends);
                self.lw.binary(BinaryOp::And, is_live, within)
            }
        };
        self.lw.convert(holds, Type::Int(ir::IntType::I32))
    }

    /// How many bytes the expression's pointer says that it points to.
    pub fn pointee_size(&mut self, mut pointer: hir::ExprId) -> Option<u64> {
        let hir = self.hir();
        while let hir::ExprKind::Cast(hir::CastKind::PointerToPointer, operand) = hir.exprs[pointer].kind {
            pointer = operand;
        }
        hir.types.size_of(hir.types.pointee(hir.exprs[pointer].ty)?.ty)
    }

    /// The number of the object that an address belongs to; 0 if none of that number is known.
    fn known_number(&mut self, address: ExprId) -> ExprId {
        let ty = Type::Int(self.lw.size_type());
        let number = self.object_number(address);
        let number = self.freeze(number);
        let (limit, zero) = (self.lw.constant(ty, i128::from(NUMBERS)), self.lw.zero(ty));
        let fits = self.lw.binary(BinaryOp::Lt, number, limit);
        let number = self.lw.ite(fits, number, zero);
        self.freeze(number)
    }

    fn is_at_least(&mut self, state: ExprId, bound: State) -> ExprId {
        let bound = self.lw.constant(STATE, bound as i128);
        self.lw.binary(BinaryOp::Le, bound, state)
    }

    fn entry_address(&mut self, table: u64, ty: Type, number: ExprId) -> ExprId {
        let signed = Type::Int(self.lw.difference_type());
        let number = self.lw.convert(number, signed);
        let bytes = self.lw.constant(signed, i128::from(self.lw.out.size_of(ty)));
        let by = self.lw.binary(BinaryOp::Mul, number, bytes);
        let table = self.lw.out.exprs.constant(Type::Pointer, i128::from(table));
        self.lw.binary(BinaryOp::Add, table, by)
    }

    fn entry(&mut self, table: u64, ty: Type, number: ExprId) -> ExprId {
        let address = self.entry_address(table, ty, number);
        let value = self.lw.out.exprs.load(ANY_REGION, address, ty);
        self.freeze(value)
    }

    fn write_entry(&mut self, table: u64, ty: Type, number: ExprId, value: ExprId) {
        let addr = self.entry_address(table, ty, number);
        let value = self.lw.convert(value, ty);
        self.emit(Stmt::Assign(ir::Place::Memory { region: ANY_REGION, addr, ty }, value));
    }
}
