//! A readable text form of programs, for people and for tests.

use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ir::{Place, Proc, Program, Stmt};
use crate::types::{FloatType, Type};
use std::fmt::{self, Write};

impl Program {
    /// The expression in C-like syntax, fully parenthesised where operators nest.
    pub fn show_expr(&self, root: ExprId) -> String {
        enum Piece {
            Expr(ExprId),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut stack = vec![Piece::Expr(root)];
        while let Some(piece) = stack.pop() {
            let id = match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Expr(id) => id,
            };
            let sequence = match self.exprs.get(id) {
                Expr::Const(Type::Bool, value) => {
                    vec![Piece::Text(if value != 0 { "true" } else { "false" })]
                }
                Expr::Const(_, value) => {
                    let _ = write!(out, "{value}");
                    continue;
                }
                Expr::Float(FloatType::F32, bits) => {
                    let _ = write!(out, "{:?}f", f32::from_bits(bits as u32));
                    continue;
                }
                Expr::Float(FloatType::F64, bits) => {
                    let _ = write!(out, "{:?}", f64::from_bits(bits as u64));
                    continue;
                }
                Expr::Float(FloatType::F80, bits) => {
                    let _ = write!(out, "{}l", FloatType::F80.number(bits));
                    continue;
                }
                Expr::Var(var) => {
                    out.push_str(&self.vars[var].name);
                    continue;
                }
                Expr::Load { region, addr, ty } => {
                    let _ = write!(out, "{}:{ty}[", self.regions[region].name);
                    vec![Piece::Expr(addr), Piece::Text("]")]
                }
                Expr::Unary(op, a) => {
                    let symbol = match (op, self.exprs.ty(a)) {
                        (UnaryOp::Neg, _) => "-(",
                        (UnaryOp::Not, Type::Bool) => "!(",
                        (UnaryOp::Not, _) => "~(",
                    };
                    vec![Piece::Text(symbol), Piece::Expr(a), Piece::Text(")")]
                }
                Expr::Binary(op, a, b) => {
                    vec![
                        Piece::Text("("),
                        Piece::Expr(a),
                        Piece::Text(symbol(op, self.exprs.ty(a) == Type::Bool)),
                        Piece::Expr(b),
                        Piece::Text(")"),
                    ]
                }
                Expr::Cast(ty, a) => {
                    let _ = write!(out, "({ty})(");
                    vec![Piece::Expr(a), Piece::Text(")")]
                }
                Expr::Ite(c, a, b) => vec![
                    Piece::Text("("),
                    Piece::Expr(c),
                    Piece::Text(" ? "),
                    Piece::Expr(a),
                    Piece::Text(" : "),
                    Piece::Expr(b),
                    Piece::Text(")"),
                ],
            };
            stack.extend(sequence.into_iter().rev());
        }
        out
    }

    pub fn show_place(&self, place: Place) -> String {
        match place {
            Place::Var(var) => self.vars[var].name.to_string(),
            Place::Memory { region, addr, ty } => {
                format!("{}:{ty}[{}]", self.regions[region].name, self.show_expr(addr))
            }
        }
    }

    pub fn show_stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Skip => "skip".to_string(),
            Stmt::Assume(cond) => format!("assume {}", self.show_expr(*cond)),
            Stmt::Assign(place, value) => format!("{} = {}", self.show_place(*place), self.show_expr(*value)),
            Stmt::Input(place, source) => format!("{} = input {source:?}", self.show_place(*place)),
            Stmt::Call { callee, args, result } => {
                let args: Vec<String> = args.iter().map(|&arg| self.show_expr(arg)).collect();
                let call = format!("{}({})", self.procs[*callee].name, args.join(", "));
                match result {
                    Some(place) => format!("{} = {call}", self.show_place(*place)),
                    None => call,
                }
            }
            Stmt::Alloc { var, size } => {
                format!("{} = alloc {}", self.vars[*var].name, self.show_expr(*size))
            }
            Stmt::Free(addr) => format!("free {}", self.show_expr(*addr)),
        }
    }

    fn write_proc(&self, proc: &Proc, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> =
            proc.params.iter().map(|&p| format!("{} {}", self.vars[p].ty, self.vars[p].name)).collect();
        writeln!(
            f,
            "proc {}({}) entry {} exit {} error {}",
            proc.name,
            params.join(", "),
            proc.entry,
            proc.exit,
            proc.error
        )?;
        for (_, edge) in proc.edges.enumerated() {
            writeln!(
                f,
                "  {} -> {}: {}  // line {}",
                edge.from,
                edge.to,
                self.show_stmt(&edge.stmt),
                edge.span.line
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for proc in &self.procs {
            self.write_proc(proc, f)?;
        }
        Ok(())
    }
}

fn symbol(op: BinaryOp, logical: bool) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul => " * ",
        BinaryOp::Div => " / ",
        BinaryOp::Rem => " % ",
        BinaryOp::Shl => " << ",
        BinaryOp::Shr => " >> ",
        BinaryOp::And if logical => " && ",
        BinaryOp::Or if logical => " || ",
        BinaryOp::And => " & ",
        BinaryOp::Or => " | ",
        BinaryOp::Xor => " ^ ",
        BinaryOp::Eq => " == ",
        BinaryOp::Ne => " != ",
        BinaryOp::Lt => " < ",
        BinaryOp::Le => " <= ",
    }
}
