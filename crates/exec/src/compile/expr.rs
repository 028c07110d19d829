//! Expressions to straight code. A shared subexpression is computed once; what is computed inside of
//! one arm of a conditional is forgotten when the arm ends, because only the chosen arm runs.

use super::Compiler;
use crate::code::{Instr, Slot, U32, U64};
use craig_base::Map;
use craig_program::{BinaryOp, Expr, ExprId, IntType, Type};

/// What is left to do for an expression, innermost last.
enum Work {
    Visit(ExprId),
    /// All operands are in their slots.
    Emit(ExprId),
    /// The condition is in its slot: begin the first arm.
    Then(ExprId, Slot),
    /// The first arm is in its slot; the branch that skipped it waits for the second.
    Else {
        id: ExprId,
        to: Slot,
        branch: usize,
        known: usize,
    },
    /// Both arms are done; the jump at the end of the first one waits for this place.
    Join {
        id: ExprId,
        to: Slot,
        jump: usize,
        known: usize,
    },
}

/// Where the values of subexpressions are, within one statement.
#[derive(Default)]
struct Known {
    slots: Map<ExprId, Slot>,
    order: Vec<ExprId>,
}

impl Known {
    fn insert(&mut self, id: ExprId, slot: Slot) {
        self.slots.insert(id, slot);
        self.order.push(id);
    }

    fn forget_after(&mut self, len: usize) {
        for id in self.order.drain(len..) {
            self.slots.remove(&id);
        }
    }
}

impl Compiler<'_> {
    /// The slots that hold the values of `roots`, which are evaluated in order.
    pub(super) fn exprs(&mut self, roots: &[ExprId]) -> Vec<Slot> {
        let mut known = Known::default();
        for &root in roots {
            self.expr(root, None, &mut known);
        }
        roots.iter().map(|&root| self.slot_of(root, &known)).collect()
    }

    pub(super) fn expr_into(&mut self, root: ExprId, to: Slot) {
        let mut known = Known::default();
        self.expr(root, Some(to), &mut known);
        let slot = self.slot_of(root, &known);
        if slot != to {
            self.emit(Instr::Move { to, a: slot });
        }
    }

    fn slot_of(&mut self, id: ExprId, known: &Known) -> Slot {
        match self.program.exprs.get(id) {
            Expr::Const(..) | Expr::Float(..) => self.constant(id),
            Expr::Var(var) => self.code.var_slots[var],
            _ => known.slots[&id],
        }
    }

    /// Computes `root`, into the slot `to` if it needs an instruction and `to` is given. Nothing reads
    /// a variable after its slot was written: the root is the last instruction.
    fn expr(&mut self, root: ExprId, to: Option<Slot>, known: &mut Known) {
        let exprs = &self.program.exprs;
        let mut work = vec![Work::Visit(root)];
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) if known.slots.contains_key(&id) => {}
                Work::Visit(id) => match exprs.get(id) {
                    Expr::Const(..) | Expr::Float(..) | Expr::Var(_) => {}
                    Expr::Ite(condition, ..) => {
                        let slot = self.result_slot(id, root, to);
                        work.push(Work::Then(id, slot));
                        work.push(Work::Visit(condition));
                    }
                    _ => {
                        work.push(Work::Emit(id));
                        let operands: Vec<ExprId> = exprs.operands(id).collect();
                        work.extend(operands.into_iter().rev().map(Work::Visit));
                    }
                },
                Work::Emit(id) => {
                    if !known.slots.contains_key(&id) {
                        let slot = self.operation(id, root, to, known);
                        known.insert(id, slot);
                    }
                }
                Work::Then(id, to) => {
                    let Expr::Ite(condition, then, _) = exprs.get(id) else { continue };
                    let condition = self.slot_of(condition, known);
                    let branch = self.emit(Instr::Branch { count: 0, condition, target: 0 });
                    work.push(Work::Else { id, to, branch, known: known.order.len() });
                    work.push(Work::Visit(then));
                }
                Work::Else { id, to, branch, known: len } => {
                    let Expr::Ite(_, then, otherwise) = exprs.get(id) else { continue };
                    let a = self.slot_of(then, known);
                    self.emit(Instr::Move { to, a });
                    let jump = self.emit(Instr::Jump { target: 0, count: 0 });
                    self.patch(super::Patch::Instr(branch));
                    known.forget_after(len);
                    work.push(Work::Join { id, to, jump, known: len });
                    work.push(Work::Visit(otherwise));
                }
                Work::Join { id, to, jump, known: len } => {
                    let Expr::Ite(_, _, otherwise) = exprs.get(id) else { continue };
                    let a = self.slot_of(otherwise, known);
                    self.emit(Instr::Move { to, a });
                    self.patch(super::Patch::Instr(jump));
                    known.forget_after(len);
                    known.insert(id, to);
                }
            }
        }
    }

    fn result_slot(&mut self, id: ExprId, root: ExprId, to: Option<Slot>) -> Slot {
        match to {
            Some(to) if id == root => to,
            _ => self.temp(),
        }
    }

    fn operation(&mut self, id: ExprId, root: ExprId, to: Option<Slot>, known: &Known) -> Slot {
        let exprs = &self.program.exprs;
        if let Expr::Cast(ty, a) = exprs.get(id)
            && (self.identity_cast)(self.program, exprs.ty(a), ty)
        {
            return self.slot_of(a, known);
        }
        let to = self.result_slot(id, root, to);
        let instr = match exprs.get(id) {
            Expr::Load { region, addr, ty } => {
                Instr::Load { region, ty, to, addr: self.slot_of(addr, known) }
            }
            Expr::Unary(op, a) => Instr::Unary { op, ty: exprs.ty(a), to, a: self.slot_of(a, known) },
            Expr::Cast(ty, a) => Instr::Cast { from: exprs.ty(a), ty, to, a: self.slot_of(a, known) },
            Expr::Binary(op, a, b) => {
                let (ta, tb) = (exprs.ty(a), exprs.ty(b));
                let (slot_a, slot_b) = (self.slot_of(a, known), self.slot_of(b, known));
                if (op, ta, tb) == (BinaryOp::Sub, Type::Pointer, Type::Pointer) {
                    return self.pointer_difference(to, slot_a, slot_b);
                }
                binary_instr(op, ta, to, slot_a, slot_b)
            }
            Expr::Const(..) | Expr::Float(..) | Expr::Var(_) | Expr::Ite(..) => {
                unreachable!("leaves and conditionals are not operations")
            }
        };
        self.emit(instr);
        to
    }

    /// The distance of two addresses, modulo the address space, as a signed number.
    fn pointer_difference(&mut self, to: Slot, a: Slot, b: Slot) -> Slot {
        let bits = self.program.data_model.pointer_bits();
        let (unsigned, signed) = (Type::Int(IntType::unsigned(bits)), Type::Int(IntType::signed(bits)));
        self.emit(Instr::Binary { op: BinaryOp::Sub, ty: unsigned, to, a, b });
        self.emit(Instr::Cast { from: unsigned, ty: signed, to, a: to });
        to
    }
}

const I32: Type = Type::I32;

fn binary_instr(op: BinaryOp, ty: Type, to: Slot, a: Slot, b: Slot) -> Instr {
    match (op, ty) {
        (BinaryOp::Add, I32) => Instr::AddI32 { to, a, b },
        (BinaryOp::Sub, I32) => Instr::SubI32 { to, a, b },
        (BinaryOp::Mul, I32) => Instr::MulI32 { to, a, b },
        (BinaryOp::Add, U32) => Instr::AddU32 { to, a, b },
        (BinaryOp::Sub, U32) => Instr::SubU32 { to, a, b },
        (BinaryOp::Mul, U32) => Instr::MulU32 { to, a, b },
        (BinaryOp::Add, U64) => Instr::AddU64 { to, a, b },
        (BinaryOp::Add, Type::Pointer) => Instr::AddPointer { to, a, b },
        _ => Instr::Binary { op, ty, to, a, b },
    }
}
