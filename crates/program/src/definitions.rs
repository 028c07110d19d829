//! What follows from a condition that was computed earlier.
//!
//! Predicates are functions, and their results are variables: `bool ok = a <= 2 && b; ... assume(ok)`. Solvers see through
//! that, but intervals do not, nor does anything that goes by them, such as the case split for a product whose factor has
//! few values. So every assumption about a variable that holds the truth of a condition is followed by this condition,
//! as long as nothing in it was assigned since; conditions that a variable in it stands for, likewise.
//!
//! The analysis goes forward: for each variable a condition that is true if the variable is not zero, and one that is
//! false if it is zero. Where paths meet, a condition is kept if the variable is known to have the other value on all
//! other paths, as in `if (!p) return false; return p->n <= 2;`. At the heads of loops nothing is kept: what is said there
//! must be inductive without the definitions.

use crate::effects::reads;
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ir::{EdgeId, LocId, Place, Program, Stmt, VarId};
use crate::state::StateVar;
use crate::types::Type;
use crate::wto::Wto;
use craig_base::{Map, OrderedMap, Set};

/// In larger programs the analysis costs more than it gives.
const MAX_EDGES: usize = 20_000;
/// Conditions that one assumption is followed by.
const MAX_IMPLIED: usize = 24;

/// What the truth of a variable says.
#[derive(Clone, PartialEq, Eq)]
struct Truth {
    /// Whether the variable can be zero, and whether it can be something else.
    can_be: [bool; 2],
    /// False if the variable is zero, and true if it is not.
    condition: [Option<ExprId>; 2],
}

type Truths = OrderedMap<VarId, Truth>;

/// Adds to the assumptions of the entry procedure what they imply. Returns whether there is anything new.
pub fn spell_out(program: &mut Program) -> bool {
    let (entry, model) = (program.entry, program.data_model);
    if program.procs[entry].edges.len() > MAX_EDGES {
        return false;
    }
    let implied = Definitions { program, reads: Map::default() }.implied();
    let is_news = !implied.is_empty();
    for (edge, conditions) in implied {
        let Stmt::Assume(mut all) = program.procs[entry].edges[edge].stmt else { continue };
        for (condition, expected) in conditions {
            let exprs = &mut program.exprs;
            let condition = if expected { condition } else { exprs.not(condition) };
            all = exprs.binary(BinaryOp::And, all, condition, model);
        }
        program.procs[entry].edges[edge].stmt = Stmt::Assume(all);
    }
    is_news
}

struct Definitions<'p> {
    program: &'p Program,
    /// What the conditions read.
    reads: Map<ExprId, Vec<StateVar>>,
}

impl Definitions<'_> {
    /// For each edge that assumes something, what follows, with the value that it has.
    fn implied(&mut self) -> Vec<(EdgeId, Vec<(ExprId, bool)>)> {
        let program = self.program;
        let proc = &program.procs[program.entry];
        let wto = Wto::new(&proc.graph(), proc.entry);
        let heads: Set<LocId> = wto.components.iter().map(|component| component.head).collect();
        let mut arriving: Map<LocId, Truths> = Map::default();
        let mut implied = Vec::new();
        // Each location comes after all from which an edge leads to it, but for heads.
        for location in wto.order {
            let here = arriving.remove(&location).filter(|_| !heads.contains(&location)).unwrap_or_default();
            for &id in &proc.locations[location].outgoing {
                let edge = &proc.edges[id];
                if program.is_closed(&edge.stmt) {
                    continue;
                }
                if let Stmt::Assume(condition) = edge.stmt {
                    let follows = self.following(&here, condition);
                    if !follows.is_empty() {
                        implied.push((id, follows));
                    }
                }
                let mut after = here.clone();
                self.step(&edge.stmt, &mut after);
                match arriving.get_mut(&edge.to) {
                    None => {
                        arriving.insert(edge.to, after);
                    }
                    Some(before) => meet(before, &after),
                }
            }
        }
        implied
    }

    fn step(&mut self, stmt: &Stmt, truths: &mut Truths) {
        let (place, value) = match *stmt {
            Stmt::Assign(place, value) => (place, Some(value)),
            Stmt::Input(place, _) => (place, None),
            Stmt::Alloc { var, .. } => (Place::Var(var), None),
            Stmt::Call { .. } => return truths.clear(),
            Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => return,
        };
        let (component, var) = match place {
            Place::Var(var) => (StateVar::Var(var), Some(var)),
            Place::Memory { region, .. } => (StateVar::Region(region), None),
        };
        let mut truth = value.and_then(|value| self.truth(truths, value));
        for truth in truths.values_mut().chain(truth.as_mut()) {
            for condition in &mut truth.condition {
                *condition = condition.filter(|&condition| !self.depends(condition, component));
            }
        }
        if let Some(var) = var {
            match truth {
                Some(truth) => {
                    truths.insert(var, truth);
                }
                None => {
                    truths.swap_remove(&var);
                }
            }
        }
    }

    fn depends(&mut self, condition: ExprId, on: StateVar) -> bool {
        let program = self.program;
        self.reads.entry(condition).or_insert_with(|| reads(program, &[condition])).contains(&on)
    }

    /// The value without conversions that do not matter to its truth.
    fn converted(&self, mut value: ExprId) -> ExprId {
        while let Expr::Cast(to, inner) = self.program.exprs.get(value)
            && self.keeps_truth(to, inner)
        {
            value = inner;
        }
        value
    }

    /// What the truth of a value says.
    fn truth(&self, truths: &Truths, value: ExprId) -> Option<Truth> {
        let exprs = &self.program.exprs;
        let value = self.converted(value);
        match (exprs.get(value), exprs.ty(value)) {
            (Expr::Const(_, value), _) => {
                Some(Truth { can_be: [value == 0, value != 0], condition: [None, None] })
            }
            (Expr::Var(var), _) => truths.get(&var).cloned(),
            (_, Type::Bool) => Some(Truth { can_be: [true; 2], condition: [Some(value); 2] }),
            _ => None,
        }
    }

    /// Whether a conversion yields zero for zero only.
    fn keeps_truth(&self, to: Type, from: ExprId) -> bool {
        match (self.program.exprs.ty(from), to) {
            (Type::Bool, _) => true,
            (Type::Int(from), Type::Int(to)) => from.bits <= to.bits,
            (Type::Int(_), Type::Bool) => true,
            _ => false,
        }
    }

    /// What follows from an assumption by definitions.
    fn following(&self, truths: &Truths, assumed: ExprId) -> Vec<(ExprId, bool)> {
        let exprs = &self.program.exprs;
        let mut found: Vec<(ExprId, bool)> = Vec::new();
        let mut pending = vec![(assumed, true, false)];
        while let Some((condition, expected, is_news)) = pending.pop() {
            if found.len() == MAX_IMPLIED {
                break;
            }
            let is_zero = |e: ExprId| exprs.as_const(e) == Some(0);
            let condition = self.converted(condition);
            match exprs.get(condition) {
                Expr::Unary(UnaryOp::Not, a) => pending.push((a, !expected, is_news)),
                Expr::Binary(BinaryOp::And, a, b) if expected && exprs.ty(condition) == Type::Bool => {
                    pending.extend([(b, expected, is_news), (a, expected, is_news)]);
                }
                Expr::Binary(BinaryOp::Or, a, b) if !expected && exprs.ty(condition) == Type::Bool => {
                    pending.extend([(b, expected, is_news), (a, expected, is_news)]);
                }
                Expr::Binary(op @ (BinaryOp::Ne | BinaryOp::Eq), a, zero)
                    if is_zero(zero) && self.has_truth(truths, a) =>
                {
                    pending.push((a, expected == (op == BinaryOp::Ne), is_news));
                }
                Expr::Var(var) => {
                    let condition = truths.get(&var).and_then(|truth| truth.condition[usize::from(expected)]);
                    pending.extend(condition.map(|condition| (condition, expected, true)));
                }
                _ if !is_news || exprs.ty(condition) != Type::Bool => {}
                _ if !found.contains(&(condition, expected)) => found.push((condition, expected)),
                _ => {}
            }
        }
        found
    }

    /// Whether there is a condition to which a value owes its truth.
    fn has_truth(&self, truths: &Truths, value: ExprId) -> bool {
        let value = self.converted(value);
        match self.program.exprs.get(value) {
            Expr::Var(var) => truths.contains_key(&var),
            _ => self.program.exprs.ty(value) == Type::Bool,
        }
    }
}

/// What holds on both ways to a place.
fn meet(truths: &mut Truths, others: &Truths) {
    truths.retain(|var, truth| {
        let Some(other) = others.get(var) else { return false };
        for value in [0, 1] {
            truth.condition[value] = match (truth.can_be[value], other.can_be[value]) {
                (false, _) => other.condition[value],
                (_, false) => truth.condition[value],
                _ => truth.condition[value].filter(|_| truth.condition[value] == other.condition[value]),
            };
        }
        truth.can_be = [0, 1].map(|value| truth.can_be[value] || other.can_be[value]);
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn an_assumption_says_what_a_flag_stands_for_until_that_changes() {
        let mut b = Builder::new();
        let (x, flag) = (b.int("x"), b.int("flag"));
        let (l1, l2, l3) = (b.loc(), b.loc(), b.loc());
        let (get_x, get_flag, zero, ten) = (b.get(x), b.get(flag), b.lit(0), b.lit(10));
        let small = b.lt(get_x, ten);
        let stored = b.program.exprs.cast(b.program.vars[flag].ty, small);
        b.assign(ENTRY, l1, flag, stored);
        let is_set = b.program.exprs.binary(BinaryOp::Ne, get_flag, zero, b.program.data_model);
        b.assume(l1, l2, is_set);
        b.assign(l2, l3, x, ten);
        b.assume(l3, ERROR, is_set);
        let mut program = b.program;
        assert!(spell_out(&mut program));
        let both = program.exprs.binary(BinaryOp::And, is_set, small, program.data_model);
        let stmts: Vec<&Stmt> = program.procs[program.entry].edges.iter().map(|edge| &edge.stmt).collect();
        assert!(stmts.contains(&&Stmt::Assume(both)), "after the definition");
        assert!(stmts.contains(&&Stmt::Assume(is_set)), "the number is another one by then");
    }
}
