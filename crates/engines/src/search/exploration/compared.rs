//! Which numbers variables are compared with.
//!
//! Between these numbers a program behaves alike: so they say which inputs are worth trying, and which states differ.

use craig_base::{IndexVec, Map, OrderedSet};
use craig_program::{BinaryOp, EdgeId, Expr, ExprId, Place, Program, Stmt, VarId, stmt_operands};

/// Comparisons of terms with more variables say little about each.
const MAX_VARS: usize = 2;
/// Larger numbers are not told apart but by comparisons.
const MAX_SMALL: i128 = 16;

pub(super) struct Compared {
    /// Sorted, for each variable.
    numbers: IndexVec<VarId, Vec<i128>>,
    /// What inputs are tried, at each statement that is one.
    inputs: Map<EdgeId, Vec<i128>>,
}

impl Compared {
    /// Of a program without calls.
    pub fn new(program: &Program) -> Self {
        let proc = &program.procs[program.entry];
        let mut classes = Classes { parent: program.vars.indices().collect() };
        let mut found: IndexVec<VarId, OrderedSet<i128>> =
            IndexVec::from_elem(OrderedSet::default(), program.vars.len());
        let mut bounds = found.clone();
        for edge in &proc.edges {
            if let Stmt::Assign(Place::Var(var), value) = edge.stmt
                && let Expr::Var(other) = program.exprs.get(uncast(program, value))
            {
                classes.join(var, other);
            }
            let roots: Vec<ExprId> = stmt_operands(&edge.stmt).into_iter().collect();
            for id in program.exprs.postorder(&roots) {
                let Expr::Binary(op, left, right) = program.exprs.get(id) else { continue };
                if !op.is_comparison() {
                    continue;
                }
                let (left, right) = (uncast(program, left), uncast(program, right));
                for (number, other) in [(left, right), (right, left)] {
                    let Expr::Const(_, number) = program.exprs.get(number) else { continue };
                    let vars = vars_of(program, other);
                    if vars.len() <= MAX_VARS {
                        for var in vars {
                            found[var].insert(number);
                            if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                                bounds[var].extend([number - 1, number, number + 1]);
                            }
                        }
                    }
                }
            }
        }
        let mut by_class: Map<VarId, (OrderedSet<i128>, OrderedSet<i128>)> = Map::default();
        for var in program.vars.indices() {
            let all = by_class.entry(classes.of(var)).or_default();
            all.0.extend(found[var].iter().copied());
            all.1.extend(found[var].iter().chain(&bounds[var]).copied());
        }
        let numbers = program.vars.indices().map(|var| sorted(&by_class[&classes.of(var)].0)).collect();
        let inputs = proc.edges.enumerated().filter_map(|(id, edge)| match edge.stmt {
            Stmt::Input(Place::Var(var), _) => Some((id, sorted(&by_class[&classes.of(var)].1))),
            _ => None,
        });
        let inputs = inputs.collect();
        Compared { numbers, inputs }
    }

    /// Inputs that make a difference at a statement.
    pub fn inputs(&self, edge: EdgeId) -> &[i128] {
        self.inputs.get(&edge).map_or(&[], Vec::as_slice)
    }

    /// What is remembered of a value: itself, if it is small, or where it lies between the numbers that matter.
    pub fn class(&self, var: VarId, value: i128) -> i128 {
        let numbers = &self.numbers[var];
        if value.abs() <= MAX_SMALL {
            return value;
        }
        if numbers.is_empty() {
            let digits = i128::from(value.unsigned_abs().ilog2());
            return value.signum() * (MAX_SMALL + digits);
        }
        let below = numbers.partition_point(|&number| number < value);
        let is_there = numbers.get(below) == Some(&value);
        1000 + 2 * below as i128 + i128::from(is_there)
    }
}

fn sorted(numbers: &OrderedSet<i128>) -> Vec<i128> {
    let mut all: Vec<i128> = numbers.iter().copied().collect();
    all.sort_unstable();
    all
}

fn uncast(program: &Program, mut id: ExprId) -> ExprId {
    while let Expr::Cast(_, inner) = program.exprs.get(id) {
        id = inner;
    }
    id
}

fn vars_of(program: &Program, root: ExprId) -> Vec<VarId> {
    let nodes = program.exprs.postorder(&[root]).into_iter();
    let vars: OrderedSet<VarId> = nodes
        .filter_map(|id| match program.exprs.get(id) {
            Expr::Var(var) => Some(var),
            _ => None,
        })
        .collect();
    vars.into_iter().collect()
}

/// Variables that are copies of each other somewhere.
struct Classes {
    parent: IndexVec<VarId, VarId>,
}

impl Classes {
    fn of(&mut self, mut var: VarId) -> VarId {
        while self.parent[var] != var {
            self.parent[var] = self.parent[self.parent[var]];
            var = self.parent[var];
        }
        var
    }

    fn join(&mut self, one: VarId, other: VarId) {
        let (one, other) = (self.of(one), self.of(other));
        self.parent[one] = other;
    }
}
