//! Locations with several ways on.

use super::{Compiler, Patch, Pending};
use crate::code::{Instr, Slot, U32};
use craig_base::OrderedSet;
use craig_program::{BinaryOp, EdgeId, Expr, ExprId, Exprs, Stmt, Type, UnaryOp};

impl Compiler<'_> {
    /// Branches on a condition that counts as the last statement of its straight run; returns the
    /// instruction whose target is to become the code for "false".
    pub(super) fn branch(&mut self, condition: ExprId) -> usize {
        self.temps = 0;
        if let Expr::Binary(op, a, b) = self.program.exprs.get(condition)
            && op.is_comparison()
        {
            return self.compare(op, a, b);
        }
        let condition = self.exprs(&[condition])[0];
        let count = self.take_count();
        self.emit(Instr::Branch { count, condition, target: 0 })
    }

    /// The same, but returns the instruction whose target is to become the code for "true".
    fn branch_if_true(&mut self, condition: ExprId) -> usize {
        if let Expr::Binary(BinaryOp::Eq, a, b) = self.program.exprs.get(condition) {
            self.temps = 0;
            return self.compare(BinaryOp::Ne, a, b);
        }
        let failed = self.branch(condition);
        let jump = self.emit(Instr::Jump { target: 0, count: 0 });
        self.patch(Patch::Instr(failed));
        jump
    }

    fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> usize {
        let ty = self.program.exprs.ty(a);
        let slots = self.exprs(&[a, b]);
        let count = self.take_count();
        self.emit(compare_and_branch(op, ty, count, slots[0], slots[1]))
    }

    fn take_count(&mut self) -> u8 {
        u8::try_from(std::mem::take(&mut self.count)).expect("runs are flushed before they get that long")
    }

    /// Code that decides between several edges. Their code is left pending; that of the edge to which
    /// the code falls through comes first.
    pub(super) fn decide(&mut self, edges: &[EdgeId]) {
        let proc = self.proc();
        let conditions: Option<Vec<ExprId>> = edges
            .iter()
            .map(|&edge| match proc.edges[edge].stmt {
                Stmt::Assume(condition) => Some(condition),
                _ => None,
            })
            .collect();
        let cases = conditions.map(|conditions| {
            let cases = classify(&self.program.exprs, &conditions);
            (conditions, cases)
        });
        match cases {
            Some((conditions, Cases::Exhaustive)) => self.test_in_order(edges, &conditions, true),
            Some((conditions, Cases::Exclusive)) => self.test_in_order(edges, &conditions, false),
            _ => self.select(edges),
        }
    }

    fn test_in_order(&mut self, edges: &[EdgeId], conditions: &[ExprId], exhaustive: bool) {
        self.count += 1;
        let last_test = edges.len() - 2;
        for (&edge, &condition) in edges.iter().zip(conditions).take(last_test) {
            self.site.edge = edge;
            let taken = self.branch_if_true(condition);
            self.pending.push(Pending::Edge(Patch::Instr(taken), edge));
        }
        self.site.edge = edges[last_test];
        let failed = Patch::Instr(self.branch(conditions[last_test]));
        let last = edges[last_test + 1];
        self.pending.push(if exhaustive { Pending::Edge(failed, last) } else { Pending::Test(failed, last) });
        self.pending.push(Pending::Edge(Patch::Next, edges[last_test]));
    }

    /// Evaluates all conditions and lets the values choose.
    fn select(&mut self, edges: &[EdgeId]) {
        let proc = self.proc();
        let mut slots = Vec::with_capacity(edges.len());
        self.temps = 0;
        for &edge in edges {
            self.site.edge = edge;
            slots.push(match proc.edges[edge].stmt {
                Stmt::Assume(condition) => self.exprs(&[condition])[0],
                _ => self.truth(),
            });
        }
        // The machine wants them side by side.
        let first = self.temp();
        let places = (1..edges.len()).map(|_| self.temp()).collect::<Vec<_>>();
        for (to, a) in std::iter::once(first).chain(places).zip(slots) {
            self.emit(Instr::Move { to, a });
        }
        self.count += 1;
        self.flush();
        let table = self.code.targets.len();
        self.site.edge = edges[0];
        self.emit(Instr::Select { first, count: edges.len() as u32, table: table as u32 });
        self.code.targets.resize(table + edges.len(), 0);
        for (i, &edge) in edges.iter().enumerate().rev() {
            self.pending.push(Pending::Edge(Patch::Table(table + i), edge));
        }
    }

    fn truth(&mut self) -> Slot {
        let found = self.code.constants.iter().find(|&&(_, ty, value)| (ty, value) == (Type::Bool, 1));
        if let Some(&(slot, ..)) = found {
            return slot;
        }
        let slot = Slot(self.code.slots as u32);
        self.code.slots += 1;
        self.code.constants.push((slot, Type::Bool, 1));
        slot
    }
}

/// What is known about the conditions of the edges that leave a location.
enum Cases {
    /// Exactly one of them holds.
    Exhaustive,
    /// At most one of them holds.
    Exclusive,
    Unknown,
}

fn classify(exprs: &Exprs, conditions: &[ExprId]) -> Cases {
    if let &[a, b] = conditions
        && is_negation(exprs, a, b)
    {
        return Cases::Exhaustive;
    }
    // A `switch`: one value compared with different constants, and a default that excludes them.
    let mut value = None;
    let mut constants = OrderedSet::default();
    let mut default = None;
    for (i, &condition) in conditions.iter().enumerate() {
        match comparison_with_constant(exprs, condition, BinaryOp::Eq) {
            Some((x, constant)) if value.is_none_or(|value| value == x) => {
                value = Some(x);
                if !constants.insert(constant) {
                    return Cases::Unknown;
                }
            }
            _ if default.is_none() && i + 1 == conditions.len() => default = Some(condition),
            _ => return Cases::Unknown,
        }
    }
    let (Some(value), Some(default)) = (value, default) else { return Cases::Exclusive };
    let mut excluded = OrderedSet::default();
    let mut conjuncts = vec![default];
    let mut nothing_else = true;
    while let Some(conjunct) = conjuncts.pop() {
        match (exprs.get(conjunct), comparison_with_constant(exprs, conjunct, BinaryOp::Ne)) {
            (Expr::Binary(BinaryOp::And, a, b), _) => conjuncts.extend([a, b]),
            (_, Some((x, constant))) if x == value => {
                nothing_else &= constants.contains(&constant);
                excluded.insert(constant);
            }
            _ => nothing_else = false,
        }
    }
    match constants.iter().all(|constant| excluded.contains(constant)) {
        true if nothing_else => Cases::Exhaustive,
        true => Cases::Exclusive,
        false => Cases::Unknown,
    }
}

fn comparison_with_constant(exprs: &Exprs, id: ExprId, wanted: BinaryOp) -> Option<(ExprId, i128)> {
    match exprs.get(id) {
        Expr::Binary(op, a, b) if op == wanted => match (exprs.as_const(a), exprs.as_const(b)) {
            (None, Some(constant)) => Some((a, constant)),
            (Some(constant), None) => Some((b, constant)),
            _ => None,
        },
        _ => None,
    }
}

fn is_negation(exprs: &Exprs, a: ExprId, b: ExprId) -> bool {
    match (exprs.get(a), exprs.get(b)) {
        (Expr::Unary(UnaryOp::Not, inner), _) if inner == b => true,
        (_, Expr::Unary(UnaryOp::Not, inner)) if inner == a => true,
        (Expr::Const(_, x), Expr::Const(_, y)) => (x == 0) != (y == 0),
        (Expr::Binary(op, a1, a2), Expr::Binary(negated, b1, b2)) => match (op, negated) {
            (BinaryOp::Eq, BinaryOp::Ne) | (BinaryOp::Ne, BinaryOp::Eq) => (a1, a2) == (b1, b2),
            (BinaryOp::Lt, BinaryOp::Le) | (BinaryOp::Le, BinaryOp::Lt) => {
                (a1, a2) == (b2, b1) && !exprs.ty(a1).is_float()
            }
            _ => false,
        },
        _ => false,
    }
}

fn compare_and_branch(op: BinaryOp, ty: Type, count: u8, a: Slot, b: Slot) -> Instr {
    let target = 0;
    match (op, ty) {
        (BinaryOp::Eq, Type::I32) => Instr::BranchEqI32 { count, a, b, target },
        (BinaryOp::Ne, Type::I32) => Instr::BranchNeI32 { count, a, b, target },
        (BinaryOp::Lt, Type::I32) => Instr::BranchLtI32 { count, a, b, target },
        (BinaryOp::Le, Type::I32) => Instr::BranchLeI32 { count, a, b, target },
        (BinaryOp::Lt, U32) => Instr::BranchLtU32 { count, a, b, target },
        (BinaryOp::Le, U32) => Instr::BranchLeU32 { count, a, b, target },
        (BinaryOp::Eq, _) => Instr::BranchEq { ty, count, a, b, target },
        (BinaryOp::Ne, _) => Instr::BranchNe { ty, count, a, b, target },
        (BinaryOp::Lt, _) => Instr::BranchLt { ty, count, a, b, target },
        _ => Instr::BranchLe { ty, count, a, b, target },
    }
}
