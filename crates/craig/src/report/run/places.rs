//! The expressions of a statement in a state: which object an access reaches, and by which words.

use super::Target;
use super::objects::Objects;
use crate::report::expression::Expressions;
use craig_exec::{Memory, StateView};
use craig_program::{BinaryOp, CTypeId, Distance, Expr, ExprId, Place, ProcId, Program, Scope, Type, VarId};

/// Expressions that nest deeper than this are not looked into.
const MAX_DEPTH: usize = 20;

/// Where a statement writes, once that is known.
#[derive(Clone, Debug)]
pub struct Written {
    pub target: Option<Target>,
    pub ty: Type,
    pub c_type: Option<CTypeId>,
    pub cell: Cell,
}

/// A part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A variable; a local is that of the call with so many active ones.
    Var(VarId, usize),
    /// A byte of memory: cells of several bytes begin there.
    Memory(u64),
}

/// A program in a state.
pub struct Here<'a> {
    pub expressions: &'a Expressions<'a>,
    pub objects: &'a Objects<'a>,
    pub state: &'a dyn StateView,
}

impl Here<'_> {
    fn program(&self) -> &Program {
        self.expressions.program
    }

    /// Where a place is.
    pub fn written(&self, place: Place) -> Option<Written> {
        match place {
            Place::Var(var) => Some(self.written_var(var)),
            Place::Memory { addr, ty, .. } => {
                let address = self.value(addr, 0)? as u64;
                let size = u64::from(self.program().size_of(ty));
                let named = self.objects.place(address, Some(size));
                if named.as_ref().is_some_and(|(name, _)| name.starts_with('.')) {
                    return Some(Written { target: None, ty, c_type: None, cell: Cell::Memory(address) });
                }
                let said = self.place(addr, address, size, 0);
                let c_type = said.as_ref().or(named.as_ref()).and_then(|(_, ty)| *ty);
                let object = named.map(|(text, _)| text);
                let is_named = !self.objects.is_allocated(address);
                let target = match (said, object) {
                    (Some((text, _)), object) => {
                        Target { object: object.filter(|object| *object != text), text, is_named }
                    }
                    (None, Some(text)) => Target { text, object: None, is_named },
                    (None, None) => Target { text: format!("*({address:#x})"), object: None, is_named },
                };
                Some(Written { target: Some(target), ty, c_type, cell: Cell::Memory(address) })
            }
        }
    }

    pub fn written_var(&self, var: VarId) -> Written {
        let data = &self.program().vars[var];
        // What is returned is said where the call is over.
        let is_result = |proc: ProcId| self.program().procs[proc].result == Some(var);
        let is_result = matches!(data.scope, Scope::Local(proc) if is_result(proc));
        let is_hidden = data.name.starts_with(['.', '&']) || is_result;
        let name = (!is_hidden).then(|| data.name.trim_end_matches('\''));
        Written {
            target: name.map(|name| Target { text: name.to_string(), object: None, is_named: true }),
            ty: data.ty,
            c_type: self.program().c_type(var),
            cell: self.cell(var),
        }
    }

    pub fn cell(&self, var: VarId) -> Cell {
        let is_local = matches!(self.program().vars[var].scope, Scope::Local(_));
        Cell::Var(var, if is_local { self.state.depth() } else { 0 })
    }

    /// What is there now.
    pub fn content(&self, written: &Written) -> Option<i128> {
        match written.cell {
            Cell::Var(var, _) => self.state.value(var),
            Cell::Memory(address) => read(self.program(), self.state.memory()?, address, written.ty),
        }
    }

    /// An access to an address as the program says it, with its indices as numbers.
    fn place(
        &self,
        addr: ExprId,
        address: u64,
        size: u64,
        depth: usize,
    ) -> Option<(String, Option<CTypeId>)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (program, types) = (self.program(), &self.program().source_types);
        let base = self.expressions.reach(addr, 0)?.base;
        let from = |start: i128| Distance::bytes(i128::from(address) - start);
        let found = |(text, ty)| (text, Some(ty));
        match program.exprs.get(base) {
            // Of a static object, or a local at a fixed address.
            Expr::Const(..) => self.objects.place(address, Some(size)),
            Expr::Var(var) => {
                let ty = program.c_type(var)?;
                let name = &program.vars[var].name;
                let distance = from(self.state.value(var)?);
                match name.strip_prefix('&') {
                    Some(local) => {
                        let (path, ty) = types.path(types.pointee(ty)?, &distance, Some(size))?;
                        Some((format!("{local}{path}"), Some(ty)))
                    }
                    None => types.through(name, ty, &distance, Some(size)).map(found),
                }
            }
            Expr::Load { addr, ty, .. } => {
                let holder = self.value(addr, depth)? as u64;
                let start = read(program, self.state.memory()?, holder, ty)?;
                let bytes = u64::from(program.size_of(ty));
                let (text, ty) = self.place(addr, holder, bytes, depth + 1)?;
                let text = if text.starts_with('*') { format!("({text})") } else { text };
                types.through(&text, ty?, &from(start), Some(size)).map(found)
            }
            _ => None,
        }
    }

    /// The value of an expression, as far as addresses need it.
    pub fn value(&self, id: ExprId, depth: usize) -> Option<i128> {
        if depth > MAX_DEPTH {
            return None;
        }
        let exprs = &self.program().exprs;
        let part = |id| self.value(id, depth + 1);
        let value = match exprs.get(id) {
            Expr::Const(_, value) => value,
            Expr::Var(var) => self.state.value(var)?,
            Expr::Load { addr, ty, .. } => {
                read(self.program(), self.state.memory()?, part(addr)? as u64, ty)?
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (part(a)?, part(b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::Mul => a.checked_mul(b)?,
                    BinaryOp::Div => a.checked_div(b)?,
                    BinaryOp::Rem => a.checked_rem(b)?,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
                    BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok()?)?,
                    BinaryOp::Eq => i128::from(a == b),
                    BinaryOp::Ne => i128::from(a != b),
                    BinaryOp::Lt => i128::from(a < b),
                    BinaryOp::Le => i128::from(a <= b),
                }
            }
            Expr::Cast(_, inner) => part(inner)?,
            Expr::Ite(condition, a, b) => part(if part(condition)? != 0 { a } else { b })?,
            Expr::Float(..) | Expr::Unary(..) => return None,
        };
        Some(match exprs.ty(id) {
            Type::Int(int) => int.wrap(value),
            Type::Pointer => value as u64 as i128,
            _ => value,
        })
    }

    /// What an expression reads.
    pub fn reads(&self, roots: &[ExprId]) -> Vec<Cell> {
        let exprs = &self.program().exprs;
        let cells = exprs.postorder(roots).into_iter().filter_map(|id| match exprs.get(id) {
            Expr::Var(var) => Some(self.cell(var)),
            Expr::Load { addr, .. } => Some(Cell::Memory(self.value(addr, 0)? as u64)),
            _ => None,
        });
        cells.collect()
    }
}

fn read(program: &Program, memory: &Memory, address: u64, ty: Type) -> Option<i128> {
    let mut bits = 0u128;
    let object = memory.object_at(address)?;
    for i in (0..u64::from(program.size_of(ty))).rev() {
        let offset = address - object.address + i;
        let byte = (offset < object.size).then(|| object.byte(offset)).flatten()?;
        bits = bits << 8 | u128::from(byte);
    }
    Some(ty.as_int().map_or(bits as i128, |int| int.wrap(bits as i128)))
}
