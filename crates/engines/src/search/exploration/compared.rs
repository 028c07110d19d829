//! Which numbers variables are compared with.
//!
//! Between these numbers a program behaves alike: so they say which inputs are worth trying, and which states differ.

use craig_base::{IndexVec, Map, OrderedSet};
use craig_num::Int;
use craig_program::{
    BinaryOp, EdgeId, Expr, ExprId, Interval, Place, Program, Stmt, Type, VarId, stmt_operands,
};

/// Comparisons of terms with more variables say little about each.
const MAX_VARS: usize = 2;
/// Larger numbers are not told apart but by comparisons.
const MAX_SMALL: i128 = 16;

pub(in crate::search) struct Compared {
    /// Sorted, for each variable.
    numbers: IndexVec<VarId, Vec<i128>>,
    /// For each variable the numbers, sorted, after which another part of its values begins: on one side of them comparisons have
    /// another result than on the other.
    boundaries: IndexVec<VarId, Vec<i128>>,
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
        let mut boundaries = found.clone();
        for (var, _) in program.vars.enumerated().filter(|(_, info)| info.ty == Type::Bool) {
            boundaries[var].insert(0);
        }
        for edge in &proc.edges {
            if let Stmt::Assign(Place::Var(var), value) = edge.stmt
                && let Expr::Var(other) = program.exprs.get(program.exprs.without_casts(value))
            {
                classes.join(var, other);
            }
            let roots: Vec<ExprId> = stmt_operands(&edge.stmt).into_iter().collect();
            for id in program.exprs.postorder(&roots) {
                if let Expr::Cast(Type::Bool, number) = program.exprs.get(id)
                    && let Expr::Var(var) = program.exprs.get(program.exprs.without_casts(number))
                {
                    boundaries[var].extend([-1, 0]);
                }
                let Expr::Binary(op, left, right) = program.exprs.get(id) else { continue };
                if !op.is_comparison() {
                    continue;
                }
                let (left, right) = (program.exprs.without_casts(left), program.exprs.without_casts(right));
                for (number, other, is_left) in [(left, right, true), (right, left, false)] {
                    let Expr::Const(_, number) = program.exprs.get(number) else { continue };
                    let vars = vars_of(program, other);
                    // `number < x` is decided by what lies above the number, `number <= x` by what lies above the one before.
                    let between = match op {
                        BinaryOp::Lt if is_left => [number, number],
                        BinaryOp::Le if !is_left => [number, number],
                        BinaryOp::Lt | BinaryOp::Le => [number - 1, number - 1],
                        _ => [number - 1, number],
                    };
                    let is_var = matches!(program.exprs.get(other), Expr::Var(_));
                    if vars.len() <= MAX_VARS {
                        for var in vars {
                            found[var].insert(number);
                            boundaries[var].extend(if is_var { between } else { [number - 1, number] });
                            if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                                bounds[var].extend([number - 1, number, number + 1]);
                            }
                        }
                    }
                }
            }
        }
        let mut by_class: Map<VarId, [OrderedSet<i128>; 3]> = Map::default();
        for var in program.vars.indices() {
            let all = by_class.entry(classes.of(var)).or_default();
            all[0].extend(found[var].iter().copied());
            all[1].extend(found[var].iter().chain(&bounds[var]).copied());
            all[2].extend(boundaries[var].iter().copied());
        }
        let mut of_class = |which: usize| -> IndexVec<VarId, Vec<i128>> {
            program.vars.indices().map(|var| sorted(&by_class[&classes.of(var)][which])).collect()
        };
        let [numbers, tried, boundaries] = [0, 1, 2].map(&mut of_class);
        let inputs = proc.edges.enumerated().filter_map(|(id, edge)| match edge.stmt {
            Stmt::Input(Place::Var(var), _) => Some((id, tried[var].clone())),
            _ => None,
        });
        let inputs = inputs.collect();
        Compared { numbers, boundaries, inputs }
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

    /// The parts that the numbers divide an interval into, each as large as the range allows.
    pub fn parts_of(&self, var: VarId, interval: &Interval, range: &Interval) -> Vec<Interval> {
        let mut parts = Vec::new();
        let mut lo = range.lo.clone();
        for &boundary in &self.boundaries[var] {
            let hi = Int::from(boundary);
            if range.hi.as_ref().is_some_and(|end| *end <= hi) {
                break;
            }
            if lo.as_ref().is_some_and(|lo| *lo > hi) {
                continue;
            }
            let part = Interval { lo: lo.take(), hi: Some(hi.clone()) };
            lo = Some(hi + Int::ONE);
            parts.push(part);
        }
        parts.push(Interval { lo, hi: range.hi.clone() });
        parts.retain(|part| part.meet(interval).is_some());
        if parts.is_empty() { vec![interval.clone()] } else { parts }
    }
}

fn sorted(numbers: &OrderedSet<i128>) -> Vec<i128> {
    let mut all: Vec<i128> = numbers.iter().copied().collect();
    all.sort_unstable();
    all
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
