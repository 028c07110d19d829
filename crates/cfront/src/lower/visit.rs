//! The children of a node of the typed program, and a walk over them that needs no recursion.

use crate::hir::{
    Asm, AsmInput, Callee, ExprId, ExprKind, InitValue, Initializer, PlaceId, PlaceKind, Program, StmtId,
    StmtKind, Update,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Stmt(StmtId),
    Expr(ExprId),
    Place(PlaceId),
}

/// Calls `f` for each child, in the order of evaluation.
pub fn children(program: &Program, node: Node, f: &mut dyn FnMut(Node)) {
    match node {
        Node::Stmt(id) => stmt_children(program, id, f),
        Node::Expr(id) => expr_children(program, id, f),
        Node::Place(id) => match &program.places[id].kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => {}
            PlaceKind::Deref(pointer) => f(Node::Expr(*pointer)),
            PlaceKind::Field { record, .. } => f(Node::Place(*record)),
            PlaceKind::Initialized { init, .. } => initializer_children(init, f),
            PlaceKind::Temporary(value) => f(Node::Expr(*value)),
        },
    }
}

/// Visits all nodes below the roots, parents first. Where `f` returns false the children are left out.
pub fn walk(program: &Program, roots: &[Node], f: &mut dyn FnMut(Node) -> bool) {
    let mut stack: Vec<Node> = roots.iter().rev().copied().collect();
    while let Some(node) = stack.pop() {
        if f(node) {
            let first = stack.len();
            children(program, node, &mut |child| stack.push(child));
            stack[first..].reverse();
        }
    }
}

pub fn initializer_children(init: &Initializer, f: &mut dyn FnMut(Node)) {
    for item in &init.items {
        if let InitValue::Expr(value) = item.value {
            f(Node::Expr(value));
        }
    }
}

fn expr_children(program: &Program, id: ExprId, f: &mut dyn FnMut(Node)) {
    match &program.exprs[id].kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
        ExprKind::Load(place)
        | ExprKind::AddressOf(place)
        | ExprKind::Decay(place)
        | ExprKind::VaArg(place) => f(Node::Place(*place)),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => f(Node::Expr(*a)),
        ExprKind::Binary(_, a, b)
        | ExprKind::Logical(_, a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PtrAdd { pointer: a, index: b, .. }
        | ExprKind::PtrDiff { left: a, right: b, .. } => {
            f(Node::Expr(*a));
            f(Node::Expr(*b));
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            f(Node::Expr(*condition));
            f(Node::Expr(*then));
            f(Node::Expr(*otherwise));
        }
        ExprKind::Assign { place, value } => {
            f(Node::Place(*place));
            f(Node::Expr(*value));
        }
        ExprKind::Update { place, update, .. } => {
            f(Node::Place(*place));
            match update {
                Update::Arithmetic { right, .. } => f(Node::Expr(*right)),
                Update::Pointer { index, .. } => f(Node::Expr(*index)),
            }
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Pointer(pointer) = callee {
                f(Node::Expr(*pointer));
            }
            args.iter().for_each(|&arg| f(Node::Expr(arg)));
        }
        ExprKind::Statement { stmts, value } => {
            stmts.iter().for_each(|&stmt| f(Node::Stmt(stmt)));
            value.iter().for_each(|&value| f(Node::Expr(value)));
        }
    }
}

fn stmt_children(program: &Program, id: StmtId, f: &mut dyn FnMut(Node)) {
    match &program.stmts[id].kind {
        StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {}
        StmtKind::Expr(value) => f(Node::Expr(*value)),
        StmtKind::Declare { init, cleanup, .. } => {
            init.iter().for_each(|init| initializer_children(init, f));
            cleanup.iter().for_each(|&cleanup| f(Node::Expr(cleanup)));
        }
        StmtKind::Block(stmts) => stmts.iter().for_each(|&stmt| f(Node::Stmt(stmt))),
        StmtKind::If { condition, then, otherwise } => {
            f(Node::Expr(*condition));
            f(Node::Stmt(*then));
            otherwise.iter().for_each(|&stmt| f(Node::Stmt(stmt)));
        }
        StmtKind::While { condition, body } => {
            f(Node::Expr(*condition));
            f(Node::Stmt(*body));
        }
        StmtKind::DoWhile { body, condition } => {
            f(Node::Stmt(*body));
            f(Node::Expr(*condition));
        }
        StmtKind::For { init, condition, step, body } => {
            init.iter().for_each(|&stmt| f(Node::Stmt(stmt)));
            condition.iter().for_each(|&expr| f(Node::Expr(expr)));
            f(Node::Stmt(*body));
            step.iter().for_each(|&expr| f(Node::Expr(expr)));
        }
        StmtKind::Switch { value, body, .. } => {
            f(Node::Expr(*value));
            f(Node::Stmt(*body));
        }
        StmtKind::Return(value) => value.iter().for_each(|&value| f(Node::Expr(value))),
        StmtKind::Asm(asm) => asm_children(asm, f),
    }
}

fn asm_children(asm: &Asm, f: &mut dyn FnMut(Node)) {
    for (_, place) in &asm.outputs {
        f(Node::Place(*place));
    }
    for (_, input) in &asm.inputs {
        f(match input {
            AsmInput::Value(value) => Node::Expr(*value),
            AsmInput::Memory(place) => Node::Place(*place),
        });
    }
}
