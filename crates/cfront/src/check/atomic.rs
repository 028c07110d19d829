//! `__sync_*` and `__atomic_*`: programs have one thread, so that each is one plain step.

use super::{Checked, Checker, error};
use crate::ast::Expr;
use crate::hir::{AtomicOp, Builtin, ExprId, ExprKind, PlaceKind};
use crate::source::Span;
use crate::types::{QualType, TypeId};

impl Checker<'_> {
    pub(super) fn sync_call(&mut self, name: &str, args: &[Expr], span: Span) -> Checked<Option<ExprId>> {
        if name == "synchronize" {
            return Ok(Some(self.builtin_node(Builtin::Fence, Vec::new(), TypeId::VOID, span)));
        }
        let Some(pointer) = args.first() else { return error(span, "a pointer is needed") };
        let pointer = self.operand_value(pointer)?;
        let to = self.atomic_object(pointer, span)?;
        let mut values = vec![pointer];
        for arg in &args[1..] {
            let value = self.operand_value(arg)?;
            values.push(self.assign_convert(value, to.ty, "the object")?);
        }
        let (builtin, count, result) = match name {
            "lock_test_and_set" => (Builtin::FetchAnd(AtomicOp::Exchange), 2, to.ty),
            "bool_compare_and_swap" => (Builtin::CompareAndSwapBool, 3, TypeId::BOOL),
            "val_compare_and_swap" => (Builtin::CompareAndSwapValue, 3, to.ty),
            "lock_release" => {
                let zero = self.int(0, TypeId::INT, span);
                let value = self.convert(zero, to.ty)?;
                return self.store(pointer, value, span).map(Some);
            }
            _ => {
                let fetch = name.strip_prefix("fetch_and_").and_then(atomic);
                let after = name.strip_suffix("_and_fetch").and_then(atomic);
                match (fetch, after) {
                    (Some(op), _) => (Builtin::FetchAnd(op), 2, to.ty),
                    (_, Some(op)) => (Builtin::AndFetch(op), 2, to.ty),
                    _ => return Ok(None),
                }
            }
        };
        if values.len() < count {
            return error(span, format!("{count} arguments are needed"));
        }
        values.truncate(count);
        Ok(Some(self.builtin_node(builtin, values, result, span)))
    }

    /// The forms on values; the memory order is the last argument and means nothing here.
    pub(super) fn atomic_call(&mut self, name: &str, args: &[Expr], span: Span) -> Checked<Option<ExprId>> {
        if matches!(name, "thread_fence" | "signal_fence") {
            return Ok(Some(self.builtin_node(Builtin::Fence, Vec::new(), TypeId::VOID, span)));
        }
        let Some((pointer, rest)) = args.split_first() else { return error(span, "a pointer is needed") };
        let builtin = match name {
            "exchange_n" => Some(Builtin::FetchAnd(AtomicOp::Exchange)),
            _ => {
                let fetch = name.strip_prefix("fetch_").and_then(atomic).map(Builtin::FetchAnd);
                fetch.or_else(|| name.strip_suffix("_fetch").and_then(atomic).map(Builtin::AndFetch))
            }
        };
        if builtin.is_none() && !matches!(name, "load_n" | "store_n") {
            return Ok(None);
        }
        let pointer = self.operand_value(pointer)?;
        let to = self.atomic_object(pointer, span)?;
        match (builtin, rest) {
            (None, [_order]) if name == "load_n" => {
                let place = self.place(PlaceKind::Deref(pointer), to, span);
                Ok(Some(self.expr(ExprKind::Load(place), to.ty, span)))
            }
            (_, [value, _order]) if name != "load_n" => {
                let value = self.operand_value(value)?;
                let value = self.assign_convert(value, to.ty, "the object")?;
                match builtin {
                    Some(builtin) => Ok(Some(self.builtin_node(builtin, vec![pointer, value], to.ty, span))),
                    None => self.store(pointer, value, span).map(Some),
                }
            }
            _ => error(span, "another number of arguments is needed"),
        }
    }

    fn atomic_object(&mut self, pointer: ExprId, span: Span) -> Checked<QualType> {
        let types = &self.program.types;
        match types.pointee(self.type_of(pointer)) {
            Some(to) if types.is_integer(to.ty) || types.is_pointer(to.ty) => Ok(to),
            _ => error(span, "the first argument must point to an integer or a pointer"),
        }
    }

    fn store(&mut self, pointer: ExprId, value: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.type_of(value);
        let place = self.place(PlaceKind::Deref(pointer), ty, span);
        let assign = self.expr(ExprKind::Assign { place, value }, ty, span);
        self.convert(assign, TypeId::VOID)
    }
}

fn atomic(name: &str) -> Option<AtomicOp> {
    Some(match name {
        "add" => AtomicOp::Add,
        "sub" => AtomicOp::Sub,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "nand" => AtomicOp::Nand,
        _ => return None,
    })
}
