//! Conditions about which numbers variables lie between: decided without arithmetic.

use craig_base::Map;
use craig_num::Int;
use craig_program::analysis::interval_of;
use craig_program::{BinaryOp, Expr, ExprId, Interval, IntervalState, Program, Type, UnaryOp, VarId};

/// A condition, in a form that is soon decided if it only compares variables with numbers.
pub(super) struct Condition {
    pub expr: ExprId,
    /// Each after its parts, the whole condition last; none if it has others.
    nodes: Vec<Node>,
}

enum Node {
    Known(bool),
    Within(VarId, Interval),
    Not(usize),
    Both(usize, usize),
    Either(usize, usize),
}

impl Condition {
    pub fn new(program: &Program, expr: ExprId) -> Self {
        Condition { expr, nodes: nodes(program, expr).unwrap_or_default() }
    }

    /// What is known of the condition in a state; `Err` if it cannot be evaluated in any.
    pub fn truth(&self, program: &Program, state: &IntervalState) -> Result<Option<bool>, Never> {
        if self.nodes.is_empty() {
            let truth = interval_of(program, self.expr, state).ok_or(Never)?;
            return Ok(truth.as_constant().map(|value| !value.is_zero()));
        }
        let mut truths: Vec<Option<bool>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            truths.push(match node {
                Node::Known(truth) => Some(*truth),
                Node::Within(var, range) => {
                    let side = state.get(program, *var);
                    if side.is_within(range) {
                        Some(true)
                    } else if side.meet(range).is_none() {
                        Some(false)
                    } else {
                        None
                    }
                }
                Node::Not(part) => truths[*part].map(|truth| !truth),
                Node::Both(left, right) => match (truths[*left], truths[*right]) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                Node::Either(left, right) => match (truths[*left], truths[*right]) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                },
            });
        }
        Ok(truths.last().copied().flatten())
    }
}

/// The state has no run through the condition.
pub(super) struct Never;

fn nodes(program: &Program, root: ExprId) -> Option<Vec<Node>> {
    let exprs = &program.exprs;
    let mut nodes = Vec::new();
    let mut places = Map::default();
    for id in exprs.postorder(&[root]) {
        if exprs.ty(id) != Type::Bool {
            continue;
        }
        let node = match exprs.get(id) {
            Expr::Const(_, value) => Node::Known(value != 0),
            Expr::Var(var) => Node::Within(var, Interval::constant(1)),
            Expr::Unary(UnaryOp::Not, part) => Node::Not(*places.get(&part)?),
            Expr::Binary(op, left, right) if op.is_comparison() => {
                let (within, negated) = comparison(program, op, left, right)?;
                if negated {
                    nodes.push(within);
                    Node::Not(nodes.len() - 1)
                } else {
                    within
                }
            }
            Expr::Binary(BinaryOp::And, left, right) => Node::Both(*places.get(&left)?, *places.get(&right)?),
            Expr::Binary(BinaryOp::Or, left, right) => {
                Node::Either(*places.get(&left)?, *places.get(&right)?)
            }
            _ => return None,
        };
        nodes.push(node);
        places.insert(id, nodes.len() - 1);
    }
    Some(nodes)
}

/// A comparison of a variable with a number as the range that the variable lies in, or does not.
fn comparison(program: &Program, op: BinaryOp, left: ExprId, right: ExprId) -> Option<(Node, bool)> {
    let exprs = &program.exprs;
    // Constants of the widest types are not written as they are.
    if !matches!(exprs.ty(left), Type::Int(int) if int.bits < 128) {
        return None;
    }
    let (var, number, is_left) = match (exprs.get(left), exprs.get(right)) {
        (Expr::Var(var), Expr::Const(_, number)) => (var, Int::from(number), true),
        (Expr::Const(_, number), Expr::Var(var)) => (var, Int::from(number), false),
        _ => return None,
    };
    let range = match (op, is_left) {
        (BinaryOp::Eq | BinaryOp::Ne, _) => Interval::constant(number),
        (BinaryOp::Lt, true) => Interval { lo: None, hi: Some(number - Int::ONE) },
        (BinaryOp::Le, true) => Interval { lo: None, hi: Some(number) },
        (BinaryOp::Lt, false) => Interval { lo: Some(number + Int::ONE), hi: None },
        (BinaryOp::Le, false) => Interval { lo: Some(number), hi: None },
        _ => return None,
    };
    Some((Node::Within(var, range), op == BinaryOp::Ne))
}
