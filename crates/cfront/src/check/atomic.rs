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

    /// The memory orders are the last arguments and mean nothing here. The forms without `_n` take and give values
    /// through pointers.
    pub(super) fn atomic_call(&mut self, name: &str, args: &[Expr], span: Span) -> Checked<Option<ExprId>> {
        if matches!(name, "thread_fence" | "signal_fence") {
            return Ok(Some(self.builtin_node(Builtin::Fence, Vec::new(), TypeId::VOID, span)));
        }
        let op = name.strip_prefix("fetch_").and_then(atomic).map(Builtin::FetchAnd);
        let op = op.or_else(|| name.strip_suffix("_fetch").and_then(atomic).map(Builtin::AndFetch));
        let exchange = Builtin::FetchAnd(AtomicOp::Exchange);
        let call = match (name, args) {
            ("always_lock_free" | "is_lock_free", [_, _]) => self.int(1, TypeId::BOOL, span),
            ("load_n", [object, _]) => {
                let (object, _) = self.atomic_pointer(object)?;
                self.load_through(object, span)?
            }
            ("load", [object, to, _]) => {
                let (object, to) = (self.operand_value(object)?, self.operand_value(to)?);
                let value = self.load_through(object, span)?;
                self.store(to, value, span)?
            }
            ("store", [object, from, _]) => {
                let (object, from) = (self.operand_value(object)?, self.operand_value(from)?);
                let value = self.load_through(from, span)?;
                self.store(object, value, span)?
            }
            ("store_n", [object, value, _]) => {
                let (object, ty) = self.atomic_pointer(object)?;
                let value = self.atomic_value(value, ty)?;
                self.store(object, value, span)?
            }
            ("exchange", [object, from, to, _]) => {
                let (object, ty) = self.atomic_pointer(object)?;
                let (from, to) = (self.operand_value(from)?, self.operand_value(to)?);
                let value = self.load_through(from, span)?;
                let old = self.builtin_node(exchange, vec![object, value], ty, span);
                self.store(to, old, span)?
            }
            ("compare_exchange" | "compare_exchange_n", [object, expected, desired, _weak, _, _]) => {
                let (object, ty) = self.atomic_pointer(object)?;
                let expected = self.operand_value(expected)?;
                let desired = if name == "compare_exchange" {
                    let from = self.operand_value(desired)?;
                    self.load_through(from, span)?
                } else {
                    self.atomic_value(desired, ty)?
                };
                let values = vec![object, expected, desired];
                self.builtin_node(Builtin::CompareExchange, values, TypeId::BOOL, span)
            }
            ("test_and_set", [object, _]) => {
                let object = self.atomic_byte(object)?;
                let one = self.int(1, TypeId::UNSIGNED_CHAR, span);
                let old = self.builtin_node(exchange, vec![object, one], TypeId::UNSIGNED_CHAR, span);
                self.convert(old, TypeId::BOOL)?
            }
            ("clear", [object, _]) => {
                let object = self.atomic_byte(object)?;
                let zero = self.int(0, TypeId::UNSIGNED_CHAR, span);
                self.store(object, zero, span)?
            }
            (_, [object, value, _]) if op.is_some() || name == "exchange_n" => {
                let (object, ty) = self.atomic_pointer(object)?;
                let value = self.atomic_value(value, ty)?;
                self.builtin_node(op.unwrap_or(exchange), vec![object, value], ty, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(call))
    }

    /// A pointer to an object that is an integer or a pointer, and the object's type.
    fn atomic_pointer(&mut self, pointer: &Expr) -> Checked<(ExprId, TypeId)> {
        let span = pointer.span;
        let pointer = self.operand_value(pointer)?;
        let to = self.atomic_object(pointer, span)?;
        Ok((pointer, to.ty))
    }

    /// A pointer to anything, as one to its first byte: all that flags have.
    fn atomic_byte(&mut self, pointer: &Expr) -> Checked<ExprId> {
        let pointer = self.operand_value(pointer)?;
        if self.program.types.pointee(self.type_of(pointer)).is_none() {
            return error(self.span_of(pointer), "the first argument must be a pointer");
        }
        let byte = self.types().pointer_to(TypeId::UNSIGNED_CHAR);
        self.convert(pointer, byte)
    }

    fn atomic_value(&mut self, value: &Expr, ty: TypeId) -> Checked<ExprId> {
        let value = self.operand_value(value)?;
        self.assign_convert(value, ty, "the object")
    }

    /// What the pointer points to.
    fn load_through(&mut self, pointer: ExprId, span: Span) -> Checked<ExprId> {
        let types = &self.program.types;
        let to = types.pointee(self.type_of(pointer)).filter(|to| types.size_of(to.ty).is_some());
        let Some(to) = to else { return error(span, "a pointer to an object is needed") };
        let place = self.place(PlaceKind::Deref(pointer), to, span);
        Ok(self.expr(ExprKind::Load(place), to.ty, span))
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
