//! Where C leaves the order of evaluation open (C11 6.5 p2, p3): which orders differ.
//!
//! Two operands differ by their order if a function that one of them calls accesses what the other one
//! changes, or the other way round, or if one may end the run before the other one fails. Then the
//! program chooses the order, as an input: from left to right or from right to left. These are all
//! orders if only one access or call of one operand is in conflict with one of another; where there are more, those of
//! others can come between them. Then, and where operands cannot be lowered twice, the answer lists an assumption. What
//! operands do to one scalar variable themselves, outside of calls, is undefined if one changes it and the other one
//! uses it; so for members and for elements with constant indices. Where it takes a run to tell whether they meet, the
//! answer lists that they do not.

use craig_base::Map;
use craig_program as ir;
use ir::{NoteKind, Type};

use super::body::{Body, Value};
use super::footprint::{Access, Base, Footprint, Operand, is_conditional};
use super::place::Target;
use super::visit::{Node, children};
use crate::hir::{ExprId, ExprKind, FunctionId, PlaceId};
use crate::types::TypeId;

/// Operands that contain a choice of order may be lowered this many times over.
const MAX_NESTING: u32 = 2;

#[derive(Default)]
pub(super) struct Orders {
    /// What calls of each function do, once that is needed.
    pub(super) functions: Option<Map<FunctionId, Footprint>>,
    nesting: u32,
    /// What the lengths so far of one declarator do.
    lengths: Vec<Operand>,
}

/// How operands are to be evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// From left to right, like any other.
    Any,
    Both,
}

impl Body<'_, '_> {
    fn operand(&mut self, node: Node) -> Operand {
        self.lw.operand(self.function, node)
    }

    /// How operands must be evaluated. Lists what is assumed.
    fn order(&mut self, operands: &[Operand]) -> Order {
        let pairs = || (0..operands.len()).flat_map(|i| (0..i).map(move |j| (&operands[j], &operands[i])));
        if let Some(variable) = pairs().find_map(|(a, b)| a.whole.unsequenced(&b.whole)) {
            self.undefined_order(variable);
            return Order::Any;
        }
        if pairs().any(|(a, b)| a.whole.own.meets(&b.whole.own)) {
            self.assume_apart();
        }
        let conflicts: usize = pairs().map(|(a, b)| a.conflicts(b)).sum();
        if conflicts == 0 {
            return Order::Any;
        }
        let at = self.span;
        let twice = self.lw.orders.nesting < MAX_NESTING && !operands.iter().any(|o| o.whole.statements);
        if !twice || conflicts > 1 {
            let orders =
                if twice { "from left to right or from right to left" } else { "from left to right" };
            let text = format!("line {}: operands are evaluated {orders}", at.line);
            self.lw.note(NoteKind::Assumption, at, text);
        }
        if twice { Order::Both } else { Order::Any }
    }

    /// Operands may meet in memory, one of them changing it, outside of calls.
    fn assume_apart(&mut self) {
        let at = self.span;
        let text =
            format!("line {}: operands do not change what others use in an order that is open", at.line);
        self.lw.note(NoteKind::Assumption, at, text);
    }

    /// C gives no meaning to what comes: the run ends.
    fn undefined_order(&mut self, variable: Base) {
        let hir = self.hir();
        let name = match variable {
            Base::Local(local) => {
                let body = self.function.and_then(|f| hir.functions[f].body.as_ref());
                body.map_or("", |body| body.locals[local].name.as_str())
            }
            Base::Global(global) => hir.globals[global].name.as_str(),
            Base::Pointer => "",
        };
        let at = self.span;
        let text = format!("line {}: '{name}' is not changed and used in an order that is open", at.line);
        // An answer to other questions supposes one order and goes on.
        self.lw.note(NoteKind::OverApproximation, at, text.clone());
        self.lw.note(NoteKind::Unchecked(ir::CheckKind::Memory), at, text);
        let what = ir::InputSource::Unmodelled("evaluation from right to left".into());
        let open = self.input(Type::Bool, what);
        let in_order = self.lw.out.exprs.not(open);
        self.require(
            ir::CheckKind::Memory,
            in_order,
            format!("'{name}' is changed and used in an order that is open"),
        );
    }

    /// The lengths in one declarator are evaluated in any order (C17 6.8 p4). Looks at each of them before it is, which
    /// is from left to right.
    pub fn before_length(&mut self, first: bool, length: ExprId) {
        let operand = self.operand(Node::Expr(length));
        let mut lengths = std::mem::take(&mut self.lw.orders.lengths);
        if first {
            lengths.clear();
        }
        if let Some(variable) = lengths.iter().find_map(|other| other.whole.unsequenced(&operand.whole)) {
            self.undefined_order(variable);
        } else {
            if lengths.iter().any(|other| other.whole.own.meets(&operand.whole.own)) {
                self.assume_apart();
            }
            if lengths.iter().any(|other| other.conflicts(&operand) > 0) {
                let at = self.span;
                let text = format!("line {}: operands are evaluated from left to right", at.line);
                self.lw.note(NoteKind::Assumption, at, text);
            }
        }
        lengths.push(operand);
        self.lw.orders.lengths = lengths;
    }

    /// Does things in both orders, by choice. Each of them leaves its results in variables.
    fn either_way(&mut self, steps: usize, step: &mut dyn FnMut(&mut Self, usize)) {
        let what = ir::InputSource::Unmodelled("evaluation from right to left".into());
        let backwards = self.input(Type::Bool, what);
        let (left, right, end) = (self.new_location(), self.new_location(), self.new_location());
        self.split(backwards, right, left);
        self.lw.orders.nesting += 1;
        self.here = left;
        (0..steps).for_each(|i| step(self, i));
        self.goto(end);
        self.here = right;
        (0..steps).rev().for_each(|i| step(self, i));
        self.lw.orders.nesting -= 1;
        self.arrive(end);
    }

    /// The value of the expression, in the variables.
    fn value_into(&mut self, id: ExprId, vars: &[ir::VarId]) {
        let ty = self.hir().exprs[id].ty;
        let value = self.value(id).on_its_own(self, ty);
        self.assign_value(vars, value);
    }

    /// The values of operands, if their order makes a difference.
    pub fn in_either_order(&mut self, operands: &[ExprId]) -> Option<Vec<Value>> {
        if operands.len() < 2 || !operands.iter().any(|&operand| self.care(Node::Expr(operand)).effects) {
            return None;
        }
        let found = operands.iter().map(|&operand| self.operand(Node::Expr(operand))).collect();
        self.in_order_of(operands, found)
    }

    /// As [`Self::in_either_order`], of expressions none of which begins before another one is done.
    pub fn one_by_one(&mut self, values: &[ExprId]) -> Option<Vec<Value>> {
        if values.len() < 2 || !values.iter().any(|&value| self.care(Node::Expr(value)).effects) {
            return None;
        }
        let operand = |&value: &ExprId| {
            let mut whole = self.operand(Node::Expr(value)).whole;
            whole.called.extend(&std::mem::take(&mut whole.own));
            Operand { parts: vec![whole.clone()], whole }
        };
        let found = values.iter().map(operand).collect();
        self.in_order_of(values, found)
    }

    fn in_order_of(&mut self, operands: &[ExprId], found: Vec<Operand>) -> Option<Vec<Value>> {
        if self.order(&found) == Order::Any {
            return None;
        }
        let types: Vec<TypeId> = operands.iter().map(|&operand| self.hir().exprs[operand].ty).collect();
        let vars: Vec<Vec<ir::VarId>> = types.iter().map(|&ty| self.result_vars(ty)).collect();
        self.either_way(operands.len(), &mut |body, i| body.value_into(operands[i], &vars[i]));
        let mut values = Vec::new();
        for (&ty, vars) in types.iter().zip(&vars) {
            let shape = self.lw.shape(ty);
            values.push(self.value_of_vars(shape, vars));
        }
        Some(values)
    }

    /// The place and the value of an assignment, if their order makes a difference.
    pub fn place_and_value(&mut self, place: PlaceId, value: ExprId) -> Option<(Target, Value)> {
        if !self.care(Node::Expr(value)).effects && !self.care(Node::Place(place)).effects {
            return None;
        }
        let operands = [self.operand(Node::Place(place)), self.operand(Node::Expr(value))];
        if self.changed_by_operand(place, value) || self.order(&operands) == Order::Any {
            return None;
        }
        let ty = self.hir().exprs[value].ty;
        let vars = self.result_vars(ty);
        let address = self.temporary(Type::Pointer);
        let mut target = None;
        self.either_way(2, &mut |body, i| match i {
            0 => target = Some(body.place_into(place, address)),
            _ => body.value_into(value, &vars),
        });
        let shape = self.lw.shape(ty);
        Some((target?, self.value_of_vars(shape, &vars)))
    }

    /// `i = i++`: nothing orders the two changes.
    fn changed_by_operand(&mut self, place: PlaceId, value: ExprId) -> bool {
        let hir = self.hir();
        let look = self.lw.look(self.function, Node::Place(place));
        let Some(access) = look.access(place) else { return false };
        // What is changed, and whether it is so in every run.
        let mut changes: Vec<(Access, bool)> = Vec::new();
        let mut pending = vec![(Node::Expr(value), true)];
        while let Some((node, always)) = pending.pop() {
            let Node::Expr(expr) = node else {
                children(hir, node, &mut |child| pending.push((child, always)));
                continue;
            };
            match &hir.exprs[expr].kind {
                // What these do is done before their value is known.
                ExprKind::Call { .. } | ExprKind::Statement { .. } | ExprKind::VaArg(_) => {}
                ExprKind::Comma(_, last) => pending.push((Node::Expr(*last), always)),
                ExprKind::Logical(..) | ExprKind::Conditional { .. } => {
                    children(hir, node, &mut |child| {
                        if is_conditional(hir, node, child) {
                            pending.push((child, false));
                        }
                    });
                }
                kind => {
                    if let ExprKind::Update { place, .. } | ExprKind::Assign { place, .. } = kind {
                        changes.extend(look.access(*place).map(|access| (access, always)));
                    }
                    children(hir, node, &mut |child| pending.push((child, always)));
                }
            }
        }
        if access.fixed.is_some() && changes.contains(&(access, true)) {
            self.undefined_order(access.base);
            return true;
        }
        if changes.iter().any(|(change, _)| change.meets(&access)) {
            self.assume_apart();
        }
        false
    }

    /// The place of an update and its right operand, if their order makes a difference. What the place holds is read
    /// after all calls in the operand: to them, an update is a single evaluation (C11 6.5.16.2 p3), which needs the
    /// operand's value.
    pub fn place_and_operand(&mut self, place: PlaceId, right: ExprId) -> Option<(Target, ir::ExprId)> {
        if !self.care(Node::Expr(right)).effects && !self.care(Node::Place(place)).effects {
            return None;
        }
        let mut read = self.operand(Node::Place(place));
        read.whole.own.reads.extend(self.lw.look(self.function, Node::Place(place)).access(place));
        let operands = [read, self.operand(Node::Expr(right))];
        if self.order(&operands) == Order::Any {
            return None;
        }
        let right_type = self.lw.scalar_type(self.hir().exprs[right].ty)?;
        let operand = self.temporary(right_type);
        let address = self.temporary(Type::Pointer);
        let mut target = None;
        self.either_way(2, &mut |body, i| match i {
            0 => target = Some(body.place_into(place, address)),
            _ => body.value_into(right, &[operand]),
        });
        Some((target?, self.var(operand)))
    }
}
