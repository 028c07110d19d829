//! Accesses to memory, and objects that begin to exist: allocated ones and automatic ones.

use craig_program as ir;
use ir::{BinaryOp, ExprId, InputSource, NoteKind, Stmt, Type, VarId};

use super::body::Body;
use super::extents::State;
use super::{ANY_REGION, StackObject};
use crate::source::Span;
use crate::types::TypeId;

/// The object that holds the size of the next one, where sizes are tracked.
const SIZE_BYTES: u64 = ir::ALIGNMENT;

impl Body<'_, '_> {
    pub fn load_scalar(&mut self, address: ExprId, ty: Type) -> ExprId {
        self.say_modelled(address);
        self.lw.out.exprs.load(ANY_REGION, address, ty)
    }

    pub fn store_scalar(&mut self, address: ExprId, ty: Type, value: ExprId) {
        let value = self.lw.convert(value, ty);
        let tests = self.tests_writes(address);
        let address = if self.lw.watches() || tests { self.freeze(address) } else { address };
        self.say_modelled(address);
        self.emit(Stmt::Assign(ir::Place::Memory { region: ANY_REGION, addr: address, ty }, value));
        if self.lw.watches() {
            self.note_written(address, ty);
        }
        if tests {
            self.require_assigned(address, ty);
        }
    }

    /// A new object. In a program that calls `realloc`, a small object right before it holds its size.
    pub fn allocate(&mut self, size: ExprId) -> ExprId {
        self.lw.has_allocation = true;
        let ty = Type::Int(self.lw.size_type());
        let size = self.lw.convert(size, ty);
        let var = self.temporary(Type::Pointer);
        if !self.lw.tracks_sizes {
            return self.begin_object(var, size, State::Variable);
        }
        let size = self.freeze(size);
        let holder = self.temporary(Type::Pointer);
        self.lw.out.automatic.push(holder);
        let holder_size = self.lw.constant(ty, i128::from(SIZE_BYTES));
        self.emit(Stmt::Alloc { var: holder, size: holder_size });
        let holder = self.var(holder);
        self.store_scalar(holder, ty, size);
        let object = self.begin_object(var, size, State::Variable);
        // The object lies at a known distance from the holder of its size; points-to must know it.
        let beside = self.lw.offset(holder, self.size_distance());
        let same = self.lw.binary(BinaryOp::Eq, object, beside);
        let either = self.lw.ite(same, object, beside);
        self.freeze(either)
    }

    /// From the holder of a size to the object.
    fn size_distance(&self) -> i128 {
        i128::from(2 * self.lw.out.data_model.guard_bytes())
    }

    /// The size of an object from [`Self::allocate`], where sizes are tracked.
    pub fn allocated_size(&mut self, object: ExprId) -> ExprId {
        let holder = self.lw.offset(object, -self.size_distance());
        self.load_scalar(holder, Type::Int(self.lw.size_type()))
    }

    /// The size of the largest object that can be had.
    pub fn largest_object(&mut self) -> u64 {
        let model = self.lw.out.data_model;
        if !self.lw.asks_for_objects {
            return model.largest_object();
        }
        let size = model.guard_bytes();
        let text = format!("no object has {} GB or more", size >> 30);
        self.lw.note(NoteKind::Assumption, self.span, text);
        size - 1
    }

    /// The variable that holds the address of a new automatic object, and its value.
    pub fn allocate_automatic(&mut self, size: ExprId) -> (VarId, ExprId) {
        let var = self.automatic_pointer(None);
        let size = self.possible_size(size);
        let object = self.begin_object(var, size, State::Variable);
        self.begin_unwritten(object, size);
        (var, object)
    }

    /// An object with any contents that nothing ends.
    pub fn allocate_for_good(&mut self, size: ExprId, name: &str) -> ExprId {
        let var = self.automatic_pointer(Some(name));
        let size = self.possible_size(size);
        self.begin_object(var, size, State::Variable)
    }

    /// A variable for the addresses of automatic objects.
    pub(super) fn automatic_pointer(&mut self, name: Option<&str>) -> VarId {
        let var = match name {
            Some(name) => self.new_temporary(format!("&{name}"), Type::Pointer),
            None => self.temporary(Type::Pointer),
        };
        self.lw.out.automatic.push(var);
        var
    }

    /// The size of an object that there is.
    fn possible_size(&mut self, size: ExprId) -> ExprId {
        let ty = Type::Int(self.lw.size_type());
        let size = self.lw.convert(size, ty);
        let size = self.freeze(size);
        if self.lw.asks_for_objects {
            let largest = self.largest_object();
            let largest = self.lw.constant(ty, i128::from(largest));
            let fits = self.lw.binary(BinaryOp::Le, size, largest);
            self.emit(Stmt::Assume(fits));
        }
        size
    }

    /// As `malloc`: null where the size cannot be had or, unless the options say otherwise, at any time.
    pub fn allocate_or_fail(&mut self, size: ExprId, function: &str) -> ExprId {
        let ty = Type::Int(self.lw.size_type());
        let size = self.lw.convert(size, ty);
        let size = self.freeze(size);
        let largest = self.largest_object();
        let largest = self.lw.constant(ty, i128::from(largest));
        let mut succeeds = self.lw.binary(BinaryOp::Le, size, largest);
        if self.lw.options.malloc_never_fails {
            let at = self.span;
            self.lw.note(NoteKind::Assumption, at, format!("{function} never fails"));
        } else {
            let granted = self.input(Type::Bool, InputSource::Allocation(function.into()));
            succeeds = self.lw.binary(BinaryOp::And, succeeds, granted);
        }
        let result = self.temporary(Type::Pointer);
        let (some, none, end) = (self.new_location(), self.new_location(), self.new_location());
        self.split(succeeds, some, none);
        self.here = none;
        let null = self.lw.zero(Type::Pointer);
        self.assign(result, null);
        self.goto(end);
        self.here = some;
        let object = self.allocate(size);
        self.note_object(object, size, State::Allocated);
        self.assign_once(result, object);
        let object = self.var(result);
        self.begin_unwritten(object, size);
        self.arrive(end);
        self.var(result)
    }

    /// `free`. The address of a local itself stands for the end of its life.
    pub fn release(&mut self, object: ExprId, text: Span) {
        let automatic = |var| self.lw.out.automatic.contains(&var);
        let object = match self.lw.out.exprs.get(object) {
            ir::Expr::Var(var) if automatic(var) => {
                let copy = self.temporary(Type::Pointer);
                self.assign(copy, object);
                self.var(copy)
            }
            _ => object,
        };
        self.say_value(object, text);
        let said = self.text_at(text);
        self.require_freeable(object, &said);
        self.end_storage_at(object);
    }

    /// `realloc` of an object to no bytes: it is freed, and the result null.
    pub fn free_for_no_bytes(
        &mut self,
        old: ExprId,
        size: ExprId,
        text: Span,
        (result, done): (ir::VarId, ir::LocId),
    ) {
        let known =
            "'realloc' of an object to no bytes frees it and returns null, as glibc has it".to_string();
        self.lw.note(NoteKind::Assumption, self.span, known);
        let (frees, goes_on) = (self.new_location(), self.new_location());
        let zero = self.lw.zero(Type::Int(self.lw.size_type()));
        let (is_empty, is_old) = (self.lw.binary(BinaryOp::Eq, size, zero), self.lw.truth(old));
        let both = self.lw.binary(BinaryOp::And, is_empty, is_old);
        self.split(both, frees, goes_on);
        self.here = frees;
        self.release(old, text);
        let null = self.lw.zero(Type::Pointer);
        self.assign(result, null);
        self.goto(done);
        self.here = goes_on;
    }

    pub fn allocate_bytes(&mut self, size: u64) -> ExprId {
        let size = self.lw.constant(Type::Int(self.lw.size_type()), i128::from(size));
        self.allocate(size)
    }

    /// An automatic object for a value of this type, created here and written before it is read.
    pub fn stack_temporary(&mut self, ty: TypeId) -> ExprId {
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let address = self.stack_bytes("temporary", size);
        if let ir::Expr::Var(var) = self.lw.out.exprs.get(address) {
            self.value_objects.insert(var);
        }
        address
    }

    /// An automatic object of this size, created here and written before it is read.
    pub fn stack_bytes(&mut self, name: &str, size: u64) -> ExprId {
        let var = self.temporary(Type::Pointer);
        let proc = self.id;
        self.lw.out.automatic.push(var);
        self.lw.stack_objects.push(StackObject {
            proc,
            var,
            size,
            name: name.into(),
            ty: None,
            written_first: true,
        });
        let size = self.lw.constant(Type::Int(self.lw.size_type()), i128::from(size));
        self.begin_object(var, size, State::Variable)
    }

    pub fn declare_stack_object(&mut self, var: VarId, ty: TypeId, name: &str, written_first: bool) {
        self.lw.source_types.addresses.insert(var, ty);
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let proc = self.id;
        self.lw.out.automatic.push(var);
        let (name, ty) = (name.into(), Some(ty));
        self.lw.stack_objects.push(StackObject { proc, var, size, name, ty, written_first });
    }

    pub fn allocate_stack_object(&mut self, var: VarId, ty: TypeId) {
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let size = self.lw.constant(Type::Int(self.lw.size_type()), i128::from(size));
        self.begin_object(var, size, State::Variable);
    }

    /// An object begins here.
    pub(super) fn begin_object(&mut self, var: VarId, size: ExprId, state: State) -> ExprId {
        self.emit(Stmt::Alloc { var, size });
        let object = self.var(var);
        self.note_object(object, size, state);
        object
    }

    /// The object at this address ends here.
    pub fn end_storage_at(&mut self, address: ExprId) {
        self.emit(Stmt::Free(address));
        self.end_object(address);
    }
}
