//! Assignments, and the operators that change what they read.

use craig_program as ir;
use ir::{ExprId, Type};

use super::body::{Body, Value};
use super::place::Target;
use crate::hir::{self, Update, UpdateResult};

impl Body<'_, '_> {
    /// The place, unharmed by the effects of the value.
    fn place_of_assignment(&mut self, place: hir::PlaceId, value: hir::ExprId) -> (Target, Value) {
        self.require_writable(place);
        if let Some(both) = self.place_and_value(place, value) {
            return both;
        }
        if let Some(both) = self.overlapping_records(place, value) {
            return both;
        }
        let mut target = self.place(place);
        if self.has_effects(value) {
            target = self.freeze_target(target);
        }
        (target, self.value(value))
    }

    /// What is written is not an object that another file defines as a constant. (One in memory is looked at there.)
    fn require_writable(&mut self, mut place: hir::PlaceId) {
        let hir = self.hir();
        while let hir::PlaceKind::Field { record, .. } = hir.places[place].kind {
            place = record;
        }
        let hir::PlaceKind::Global(global) = hir.places[place].kind else { return };
        if self.lw.is_constant_object(global)
            && matches!(self.lw.globals[global], Some(super::Storage::Vars(_)))
        {
            self.undefined(format!("`{}` is defined as a constant", hir.globals[global].name));
        }
    }

    pub(super) fn assignment(&mut self, place: hir::PlaceId, value: hir::ExprId) {
        let ty = self.hir().places[place].ty.ty;
        let (target, value) = self.place_of_assignment(place, value);
        self.say_place(place, &target);
        match (&target, value) {
            (Target::Vars(vars), Value::Scalar(value))
                if vars.len() == 1 && Some(self.lw.out.vars[vars[0]].ty) == self.lw.scalar_type(ty) =>
            {
                self.assign_once(vars[0], value);
            }
            (_, value) => self.store_to(place, &target, value),
        }
    }

    /// The store of an assignment that says what it writes.
    fn store_to(&mut self, place: hir::PlaceId, target: &Target, value: Value) {
        let place = &self.hir().places[place];
        if self.lw.assigned.is_some() {
            self.writing = Some(self.text_at(place.span));
        }
        self.store(target, place.ty.ty, value);
        self.writing = None;
    }

    /// Assigns and returns what the place then holds.
    pub(super) fn assignment_value(&mut self, place: hir::PlaceId, value: hir::ExprId) -> Value {
        let ty = self.hir().places[place].ty.ty;
        let (mut target, mut value) = self.place_of_assignment(place, value);
        if let Target::Vars(_) = target {
            self.store(&target, ty, value);
            return self.load(&target, ty);
        }
        target = self.freeze_target(target);
        self.say_place(place, &target);
        value = self.freeze_value(value);
        self.store_to(place, &target, value.clone());
        match target {
            Target::Bits(_) => self.load(&target, ty),
            _ => value,
        }
    }

    /// Writes the new value. `old`, if given, receives the value before.
    pub(super) fn update(
        &mut self,
        id: hir::ExprId,
        place: hir::PlaceId,
        update: &Update,
        old: Option<&mut ExprId>,
    ) -> (Target, ExprId) {
        let hir = self.hir();
        self.require_writable(place);
        let ty = hir.places[place].ty.ty;
        let scalar = self.lw.scalar_type(ty).unwrap_or(Type::I32);
        let right = match update {
            Update::Arithmetic { right, .. } => *right,
            Update::Pointer { index, .. } => *index,
        };
        let (mut target, right) = match self.place_and_operand(place, right) {
            Some(found) => found,
            None => {
                let mut target = self.place(place);
                if self.has_effects(right) {
                    target = self.freeze_target(target);
                }
                (target, self.scalar(right))
            }
        };
        self.say_place(place, &target);
        self.require_written(place, &target, scalar);
        let current = self.load(&target, ty);
        let mut current = self.scalar_of(current, scalar);
        if let Some(old) = old {
            current = self.freeze(current);
            *old = current;
        }
        let new = match update {
            Update::Arithmetic { op, computation, .. } => {
                let computation = self.lw.scalar_type(*computation).unwrap_or(scalar);
                let left = self.rounded_number(current, computation);
                self.arithmetic(*op, left, right)
            }
            Update::Pointer { negative, scale, .. } => self.pointer_add(current, right, *negative, *scale),
        };
        self.say_value(new, hir.exprs[id].span);
        if self.checks_conversions() {
            self.require_same_value(new, scalar, ty, self.source_text(id));
        }
        let mut new = self.rounded_number(new, scalar);
        if !matches!(target, Target::Vars(_)) {
            target = self.freeze_target(target);
            new = self.freeze(new);
            self.say_place(place, &target);
        }
        self.store_to(place, &target, Value::Scalar(new));
        (target, new)
    }

    pub(super) fn update_value(
        &mut self,
        id: hir::ExprId,
        place: hir::PlaceId,
        update: &Update,
        result: UpdateResult,
    ) -> ExprId {
        let ty = self.hir().places[place].ty.ty;
        let scalar = self.lw.scalar_type(ty).unwrap_or(Type::I32);
        match result {
            UpdateResult::Old => {
                let mut old = self.lw.zero(scalar);
                self.update(id, place, update, Some(&mut old));
                old
            }
            UpdateResult::New => {
                let (target, new) = self.update(id, place, update, None);
                match target {
                    Target::Memory(_) => new,
                    _ => {
                        let value = self.load(&target, ty);
                        self.scalar_of(value, scalar)
                    }
                }
            }
        }
    }

    /// To variables from [`Self::result_vars`].
    pub fn assign_value(&mut self, vars: &[ir::VarId], value: Value) {
        match value {
            Value::Void => {}
            Value::Scalar(value) | Value::Memory(value) => {
                if let Some(&var) = vars.first() {
                    self.assign(var, value);
                }
            }
            Value::Leaves(values) => {
                for (&var, value) in vars.iter().zip(values) {
                    self.assign(var, value);
                }
            }
        }
    }
}
