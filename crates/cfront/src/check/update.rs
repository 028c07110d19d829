//! Changes of what no operator of the program's language changes in place: `_Float16`, complex numbers, vectors. The
//! object is read, the operator applied to its value, and the result assigned.

use super::{Checked, Checker, unsupported};
use crate::hir::{BinaryOp, ExprId, ExprKind, LocalId, LocalOrigin, PlaceId, PlaceKind, UpdateResult};
use crate::source::Span;
use crate::types::TypeId;

impl Checker<'_> {
    /// `op=`, `++` and `--`.
    pub(super) fn update_by_assignment(
        &mut self,
        place: PlaceId,
        op: BinaryOp,
        right: ExprId,
        result: UpdateResult,
        span: Span,
    ) -> Checked<ExprId> {
        let mut before = Vec::new();
        let mut place = place;
        let ty = self.program.places[place].ty;
        if !self.is_named(place) {
            // It is evaluated once.
            let pointer = self.types().pointer_to(ty);
            let address = self.expr(ExprKind::AddressOf(place), pointer, span);
            let kept = self.kept(address, span, &mut before)?;
            let address = self.read_kept(kept, pointer, span);
            place = self.place(PlaceKind::Deref(address), ty, span);
        }
        let ty = ty.ty;
        let mut value = self.expr(ExprKind::Load(place), ty, span);
        let mut old = None;
        if result == UpdateResult::Old {
            let kept = self.kept(value, span, &mut before)?;
            value = self.read_kept(kept, ty, span);
            old = Some(kept);
        }
        let (value, right) = (self.widened(value)?, self.widened(right)?);
        let new = self.binary(op, value, right, span)?;
        let new = self.convert(new, ty)?;
        let assigned = self.expr(ExprKind::Assign { place, value: new }, ty, span);
        let all = match old {
            Some(kept) => {
                before.push(assigned);
                let old = self.read_kept(kept, ty, span);
                self.widened(old)?
            }
            None => self.widened(assigned)?,
        };
        Ok(self.after(before, all, span))
    }

    /// The value once all of these were evaluated, in order.
    pub(super) fn after(&mut self, before: Vec<ExprId>, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        let next = |all, first| self.expr(ExprKind::Comma(first, all), ty, span);
        before.into_iter().rev().fold(value, next)
    }

    /// The value in a variable of its own, which an assignment before it sets.
    pub(super) fn kept(&mut self, value: ExprId, span: Span, before: &mut Vec<ExprId>) -> Checked<LocalId> {
        let ty = self.type_of(value);
        let Some(function) = &mut self.function else {
            let message = format!("an operator on a value of type `{}` outside of functions", self.show(ty));
            return unsupported(span, message);
        };
        let name = format!(".value.{}", function.locals.len());
        let local = function.add_local(name, ty.into(), LocalOrigin::Temporary, span);
        let place = self.local_place(local, ty.into(), span);
        before.push(self.expr(ExprKind::Assign { place, value }, ty, span));
        Ok(local)
    }

    pub(super) fn read_kept(&mut self, local: LocalId, ty: TypeId, span: Span) -> ExprId {
        let place = self.local_place(local, ty.into(), span);
        self.expr(ExprKind::Load(place), ty, span)
    }

    /// An object with a name, a member of one, or what one points to.
    fn is_named(&self, mut place: PlaceId) -> bool {
        loop {
            match self.program.places[place].kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) => return true,
                PlaceKind::Field { record, .. } => place = record,
                PlaceKind::Deref(pointer) => match self.program.exprs[pointer].kind {
                    ExprKind::Load(pointer) => place = pointer,
                    _ => return false,
                },
                _ => return false,
            }
        }
    }
}
