//! Expressions of a program as C expressions, for people: accesses to memory in the words of the source.

use super::c_expr::{CExpr, Comparison};
use super::formula;
use craig_base::Map;
use craig_program::{
    BinaryOp, CTypeId, Distance, EdgeId, Expr, ExprId, InputSource, IntType, Place, ProcId, Program, Stmt,
    Type, UnaryOp, VarId,
};

/// Expressions that nest deeper than this are not shown.
const MAX_DEPTH: usize = 40;

/// What a temporary of the translation stands for.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    Expr(ExprId),
    /// The result of this function.
    Call(String),
}

/// Made by the translation: C has no names with a dot in front.
pub(crate) fn is_hidden(program: &Program, var: VarId) -> bool {
    program.vars[var].name.starts_with('.')
}

/// The expressions of a program, ready to be put into words.
pub(crate) struct Expressions<'p> {
    pub program: &'p Program,
    /// Of temporaries that are written at one place only.
    definitions: Map<VarId, Definition>,
}

/// An access to memory or a pointer: from where, and how far.
pub(crate) struct Reach {
    pub base: ExprId,
    pub distance: Distance,
}

impl<'p> Expressions<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut writes: Map<VarId, (usize, Option<Definition>)> = Map::default();
        for edge in program.procs.iter().flat_map(|proc| &proc.edges) {
            let (var, definition) = match &edge.stmt {
                Stmt::Assign(Place::Var(var), value) => (*var, Some(Definition::Expr(*value))),
                Stmt::Input(Place::Var(var), InputSource::Call(name)) => {
                    (*var, Some(Definition::Call(name.to_string())))
                }
                Stmt::Call { callee, result: Some(Place::Var(var)), .. } => {
                    (*var, Some(Definition::Call(program.procs[*callee].name.to_string())))
                }
                Stmt::Input(Place::Var(var), _) | Stmt::Alloc { var, .. } => (*var, None),
                _ => continue,
            };
            let known = writes.entry(var).or_default();
            *known = (known.0 + 1, definition);
        }
        let once = writes.into_iter().filter(|(var, (count, _))| *count == 1 && is_hidden(program, *var));
        let definitions = once.filter_map(|(var, (_, definition))| Some((var, definition?))).collect();
        Expressions { program, definitions }
    }

    pub fn definition(&self, var: VarId) -> Option<&Definition> {
        self.definitions.get(&var)
    }

    /// The condition of a way out of a branch. Of the second one the source says the opposite.
    pub fn way(&self, proc: ProcId, edge: EdgeId, condition: ExprId) -> Option<CExpr> {
        let proc = &self.program.procs[proc];
        let ways = &proc.locations[proc.edges[edge].from].outgoing;
        if let &[first, second] = ways.as_slice()
            && let Stmt::Assume(other) = proc.edges[first].stmt
            && second == edge
        {
            return self.show(other).map(|other| formula::negation(&other));
        }
        self.show(condition)
    }

    /// As C, or nearly so. `None` where it speaks of nothing that the source names.
    pub fn show(&self, expr: ExprId) -> Option<CExpr> {
        self.expr(expr, 0).filter(|shown| !matches!(shown, CExpr::Number(_)))
    }

    fn expr(&self, id: ExprId, depth: usize) -> Option<CExpr> {
        if depth > MAX_DEPTH {
            return None;
        }
        let part = |id| self.expr(id, depth + 1);
        let both = |a, b| Some((Box::new(part(a)?), Box::new(part(b)?)));
        let exprs = &self.program.exprs;
        Some(match exprs.get(id) {
            Expr::Const(Type::Pointer, 0) => CExpr::Variable("NULL".to_string()),
            Expr::Const(Type::Pointer, _) => self.pointer(id, depth)?,
            Expr::Const(_, value) => CExpr::number(value),
            Expr::Float(..) => CExpr::Variable(self.program.show_expr(id)),
            Expr::Var(var) => match self.definition(var) {
                Some(Definition::Expr(value)) => part(*value)?,
                Some(Definition::Call(name)) => CExpr::Variable(format!("{name}()")),
                None if is_hidden(self.program, var) => return None,
                None => CExpr::Variable(self.program.vars[var].name.to_string()),
            },
            Expr::Load { addr, ty, .. } => CExpr::Variable(self.place(addr, ty, depth)?.0),
            Expr::Unary(UnaryOp::Neg, a) => CExpr::Negative(Box::new(part(a)?)),
            Expr::Unary(UnaryOp::Not, a) if exprs.ty(a) == Type::Bool => formula::negation(&part(a)?),
            Expr::Unary(UnaryOp::Not, a) => CExpr::Unary("~", Box::new(part(a)?)),
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..) if exprs.ty(id) == Type::Pointer => {
                self.pointer(id, depth)?
            }
            Expr::Binary(op, a, b) => {
                let truth = exprs.ty(a) == Type::Bool;
                // A number stands on the right.
                let numeral = |id| matches!(exprs.get(id), Expr::Const(..) | Expr::Float(..));
                let compare = |how: Comparison| {
                    let (mut a_text, mut b_text) = both(a, b)?;
                    if let Some(name) = self.value_beside(a, b, depth) {
                        b_text = Box::new(CExpr::Variable(name));
                    } else if let Some(name) = self.value_beside(b, a, depth) {
                        a_text = Box::new(CExpr::Variable(name));
                    }
                    Some(if numeral(a) && !numeral(b) {
                        CExpr::Compare(how.mirrored(), b_text, a_text)
                    } else {
                        CExpr::Compare(how, a_text, b_text)
                    })
                };
                let binary = |symbol| both(a, b).map(|(a, b)| CExpr::Binary(symbol, a, b));
                match op {
                    BinaryOp::Add => CExpr::Sum(vec![part(a)?, part(b)?]),
                    BinaryOp::Sub => CExpr::Sum(vec![part(a)?, CExpr::Negative(Box::new(part(b)?))]),
                    BinaryOp::Mul => CExpr::Product(vec![part(a)?, part(b)?]),
                    BinaryOp::Div => both(a, b).map(|(a, b)| CExpr::Quotient(a, b))?,
                    BinaryOp::Rem => both(a, b).map(|(a, b)| CExpr::Remainder(a, b))?,
                    BinaryOp::And if truth => CExpr::And(vec![part(a)?, part(b)?]),
                    BinaryOp::Or if truth => CExpr::Or(vec![part(a)?, part(b)?]),
                    BinaryOp::And => binary("&")?,
                    BinaryOp::Or => binary("|")?,
                    BinaryOp::Xor => binary("^")?,
                    BinaryOp::Shl => binary("<<")?,
                    BinaryOp::Shr => binary(">>")?,
                    BinaryOp::Eq => compare(Comparison::Equal)?,
                    BinaryOp::Ne => compare(Comparison::Unequal)?,
                    BinaryOp::Lt => compare(Comparison::Less)?,
                    BinaryOp::Le => compare(Comparison::AtMost)?,
                }
            }
            Expr::Cast(ty, a) => match (ty, exprs.ty(a)) {
                (Type::Int(to), Type::Int(from)) if to.bits < from.bits => {
                    CExpr::Cast(c_name(to), Box::new(part(a)?))
                }
                _ => part(a)?,
            },
            Expr::Ite(c, a, b) => match (exprs.as_const(a), exprs.as_const(b)) {
                // The value of a comparison as a number.
                (Some(1), Some(0)) => part(c)?,
                (Some(0), Some(1)) => formula::negation(&part(c)?),
                _ => CExpr::Conditional(Box::new([part(c)?, part(a)?, part(b)?])),
            },
        })
    }

    /// How C writes a number that is compared with something: a constant of an enumeration, a character.
    fn value_beside(&self, other: ExprId, number: ExprId, depth: usize) -> Option<String> {
        let exprs = &self.program.exprs;
        let Expr::Const(Type::Int(_), value) = exprs.get(number) else { return None };
        let mut other = other;
        let ty = loop {
            match exprs.get(other) {
                Expr::Cast(_, inner) => other = inner,
                Expr::Var(var) => match self.definition(var) {
                    Some(Definition::Expr(value)) => other = *value,
                    Some(Definition::Call(_)) => return None,
                    None => break self.program.c_type(var)?,
                },
                Expr::Load { addr, ty, .. } => break self.place(addr, ty, depth + 1)?.1?,
                _ => return None,
            }
        };
        self.program.source_types.constant(ty, value)
    }

    /// What a load or store of the type reaches: `node->left`, `buf[i]`; and its C type.
    pub fn place(&self, addr: ExprId, ty: Type, depth: usize) -> Option<(String, Option<CTypeId>)> {
        let size = Some(u64::from(self.program.size_of(ty)));
        let reach = self.reach(addr, depth + 1)?;
        self.at(&reach, size, depth).or_else(|| {
            let pointer = self.expr(addr, depth + 1)?;
            Some((format!("*({pointer})"), None))
        })
    }

    /// A pointer that is computed.
    fn pointer(&self, id: ExprId, depth: usize) -> Option<CExpr> {
        let reach = self.reach(id, depth + 1)?;
        if let Some((text, _)) = self.at(&reach, None, depth) {
            return Some(CExpr::Variable(match text.strip_prefix('*') {
                Some(pointer) => pointer.to_string(),
                None => format!("&{text}"),
            }));
        }
        if reach.base == id {
            return None;
        }
        let base = self.expr(reach.base, depth + 1)?;
        let mut parts = vec![base];
        for (factor, text) in reach.distance.parts {
            parts.push(CExpr::Product(vec![CExpr::number(factor), CExpr::Variable(text)]));
        }
        if reach.distance.bytes != 0 {
            parts.push(CExpr::number(reach.distance.bytes));
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { CExpr::Sum(parts) })
    }

    /// What lies so far from a base, if its C type is known.
    fn at(&self, reach: &Reach, size: Option<u64>, depth: usize) -> Option<(String, Option<CTypeId>)> {
        let types = &self.program.source_types;
        let found = |(text, ty)| (text, Some(ty));
        match self.program.exprs.get(reach.base) {
            Expr::Const(_, address) => {
                let (object, offset) = self.program.object_near(u64::try_from(address).ok()?)?;
                let ty = *types.objects.get(&object)?;
                let name = &self.program.objects[object].name;
                let mut distance = reach.distance.clone();
                distance.bytes += i128::from(offset);
                types.path(ty, &distance, size).map(|(path, ty)| (format!("{name}{path}"), Some(ty)))
            }
            Expr::Var(var) => {
                let name = &self.program.vars[var].name;
                match (self.program.c_type(var), name.strip_prefix('&')) {
                    (Some(ty), Some(local)) => {
                        let (path, ty) = types.path(types.pointee(ty)?, &reach.distance, size)?;
                        Some((format!("{local}{path}"), Some(ty)))
                    }
                    (Some(ty), None) => types.through(name, ty, &reach.distance, size).map(found),
                    (None, _) => None,
                }
            }
            Expr::Load { addr, ty, .. } => {
                let (text, ty) = self.place(addr, ty, depth + 1)?;
                let text = if text.starts_with(['*', '&']) { format!("({text})") } else { text };
                types.through(&text, ty?, &reach.distance, size).map(found)
            }
            _ => None,
        }
    }

    /// An address as a base and a distance; temporaries are replaced by what they stand for.
    pub fn reach(&self, addr: ExprId, depth: usize) -> Option<Reach> {
        let exprs = &self.program.exprs;
        let mut reach = Reach { base: addr, distance: Distance::default() };
        for _ in 0..MAX_DEPTH {
            match exprs.get(reach.base) {
                Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), pointer, by)
                    if exprs.ty(pointer) == Type::Pointer =>
                {
                    let sign = if op == BinaryOp::Add { 1 } else { -1 };
                    self.distance(by, sign, &mut reach.distance, depth)?;
                    reach.base = pointer;
                }
                Expr::Var(var) => match self.definition(var) {
                    Some(Definition::Expr(value)) => reach.base = *value,
                    _ => break,
                },
                Expr::Cast(Type::Pointer, inner) => reach.base = inner,
                _ => break,
            }
        }
        Some(reach)
    }

    fn distance(&self, by: ExprId, factor: i128, distance: &mut Distance, depth: usize) -> Option<()> {
        let exprs = &self.program.exprs;
        if depth > MAX_DEPTH {
            return None;
        }
        match exprs.get(by) {
            Expr::Const(_, value) => distance.bytes += factor.checked_mul(value)?,
            Expr::Cast(Type::Int(to), inner) if matches!(exprs.ty(inner), Type::Int(from) if from.bits <= to.bits) =>
            {
                self.distance(inner, factor, distance, depth + 1)?;
            }
            Expr::Binary(BinaryOp::Add, a, b) => {
                self.distance(a, factor, distance, depth + 1)?;
                self.distance(b, factor, distance, depth + 1)?;
            }
            Expr::Binary(BinaryOp::Sub, a, b) => {
                self.distance(a, factor, distance, depth + 1)?;
                self.distance(b, -factor, distance, depth + 1)?;
            }
            Expr::Binary(BinaryOp::Mul, a, b) => match (exprs.as_const(a), exprs.as_const(b)) {
                (Some(n), _) => self.distance(b, factor.checked_mul(n)?, distance, depth + 1)?,
                (_, Some(n)) => self.distance(a, factor.checked_mul(n)?, distance, depth + 1)?,
                _ => distance.parts.push((factor, self.operand(by, depth)?)),
            },
            _ => distance.parts.push((factor, self.operand(by, depth)?)),
        }
        Some(())
    }

    fn operand(&self, id: ExprId, depth: usize) -> Option<String> {
        Some(self.expr(id, depth + 1)?.to_string())
    }
}

/// An integer type by its usual name.
fn c_name(ty: IntType) -> &'static str {
    match (ty.bits, ty.signed) {
        (1, _) => "_Bool",
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (64, true) => "long",
        (64, false) => "unsigned long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}
