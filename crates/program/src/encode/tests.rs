//! Random expressions and small programs: the terms against a direct evaluation.

use super::*;
use crate::analysis::Ranges;
use crate::ir::{EdgeId, Place, Stmt};
use crate::testing::*;
use crate::types::IntType;
use craig_base::Budget;
use craig_num::Int;
use craig_term::{Model, Value as TermValue};

/// The values of variables, for direct evaluation and as constants of terms.
struct Assignment {
    values: Vec<(VarId, TermId, i128)>,
}

impl Environment for Assignment {
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value {
        let &(_, term, _) = self.values.iter().find(|(v, ..)| *v == var).expect("assigned");
        Value { term, range: encoder.type_range(encoder.program.vars[var].ty) }
    }
    fn region(&mut self, _: &mut Encoder<'_>, _: RegionId) -> TermId {
        unreachable!("no memory here")
    }
}

/// One operation on values of one type, as the documentation of `Expr` says; `None` ends the path.
fn apply(op: BinaryOp, int: IntType, arithmetic: Arithmetic, a: i128, b: i128) -> Option<i128> {
    use BinaryOp::*;
    let exact = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div | Rem if b == 0 => return None,
        Div => a / b,
        Rem => a % b,
        Shl | Shr if !(0..i128::from(int.bits)).contains(&b) => return None,
        Shl if arithmetic != Arithmetic::Ideal => return Some(int.wrap(a << b)),
        Shl => a << b,
        Shr => a >> b,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        _ => unreachable!("a comparison has no integer value"),
    };
    fit(int, arithmetic, exact)
}

fn fit(int: IntType, arithmetic: Arithmetic, exact: i128) -> Option<i128> {
    let wrapped = int.wrap(exact);
    let fits = wrapped == exact || !int.signed || arithmetic == Arithmetic::Wrap;
    fits.then_some(wrapped)
}

fn evaluate(program: &Program, root: ExprId, values: &dyn Fn(VarId) -> i128) -> Option<i128> {
    let exprs = &program.exprs;
    let int_of = |id| exprs.ty(id).as_int().expect("an integer");
    Some(match exprs.get(root) {
        Expr::Const(_, value) => value,
        Expr::Var(var) => values(var),
        Expr::Unary(UnaryOp::Not, a) if exprs.ty(a) == Type::Bool => 1 - evaluate(program, a, values)?,
        Expr::Unary(UnaryOp::Not, a) => int_of(a).wrap(!evaluate(program, a, values)?),
        Expr::Unary(UnaryOp::Neg, a) => fit(int_of(a), program.arithmetic, -evaluate(program, a, values)?)?,
        Expr::Binary(op, a, b) => {
            let (x, y) = (evaluate(program, a, values)?, evaluate(program, b, values)?);
            match op {
                BinaryOp::Eq => i128::from(x == y),
                BinaryOp::Ne => i128::from(x != y),
                BinaryOp::Lt => i128::from(x < y),
                BinaryOp::Le => i128::from(x <= y),
                _ if exprs.ty(a) == Type::Bool => match op {
                    BinaryOp::And => x & y,
                    BinaryOp::Or => x | y,
                    _ => x ^ y,
                },
                _ => apply(op, int_of(a), program.arithmetic, x, y)?,
            }
        }
        Expr::Cast(Type::Bool | Type::Int(IntType::BOOL), a) => {
            i128::from(evaluate(program, a, values)? != 0)
        }
        Expr::Cast(Type::Int(to), a) => to.wrap(evaluate(program, a, values)?),
        Expr::Ite(c, a, b) => {
            let chosen = if evaluate(program, c, values)? != 0 { a } else { b };
            evaluate(program, chosen, values)?
        }
        other => unreachable!("not generated: {other:?}"),
    })
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn of_type(&mut self, int: IntType) -> i128 {
        let raw = (u128::from(self.below(1 << 31)) << 33 | u128::from(self.below(1 << 31))) as i128;
        match self.below(4) {
            0 => int.wrap(raw & 7),
            1 => int.wrap(-(raw & 7)),
            2 => int.wrap(int.max() as i128 - (raw & 3)),
            _ => int.wrap(raw),
        }
    }

    fn int_type(&mut self) -> IntType {
        INT_TYPES[self.below(INT_TYPES.len() as u64) as usize]
    }

    /// An expression of the type.
    fn expr(&mut self, b: &mut Builder, vars: &[(VarId, IntType)], int: IntType, depth: u32) -> ExprId {
        use BinaryOp::*;
        if depth == 0 || self.below(8) == 0 {
            let of_type: Vec<VarId> = vars.iter().filter(|(_, ty)| *ty == int).map(|(v, _)| *v).collect();
            if self.below(3) > 0 && !of_type.is_empty() {
                return b.get(of_type[self.below(of_type.len() as u64) as usize]);
            }
            let value = self.of_type(int);
            return b.program.exprs.int(int, value);
        }
        match self.below(12) {
            0 => {
                let a = self.expr(b, vars, int, depth - 1);
                let op = if self.below(2) == 0 { UnaryOp::Neg } else { UnaryOp::Not };
                b.program.exprs.unary(op, a)
            }
            1 | 2 => {
                let from = self.int_type();
                let a = self.expr(b, vars, from, depth - 1);
                b.program.exprs.cast(Type::Int(int), a)
            }
            3 => {
                let cond = self.condition(b, vars, depth - 1);
                let then = self.expr(b, vars, int, depth - 1);
                let otherwise = self.expr(b, vars, int, depth - 1);
                b.program.exprs.ite(cond, then, otherwise)
            }
            4 => {
                let cond = self.condition(b, vars, depth - 1);
                b.program.exprs.cast(Type::Int(int), cond)
            }
            _ => {
                let ops = [Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Add, Sub];
                let op = ops[self.below(ops.len() as u64) as usize];
                let left = self.expr(b, vars, int, depth - 1);
                let right = match op {
                    Shl | Shr if self.below(2) == 0 => {
                        let distance = self.below(u64::from(int.bits) + 1);
                        b.program.exprs.int(int, distance.into())
                    }
                    _ => self.expr(b, vars, int, depth - 1),
                };
                b.op(op, left, right)
            }
        }
    }

    fn condition(&mut self, b: &mut Builder, vars: &[(VarId, IntType)], depth: u32) -> ExprId {
        use BinaryOp::*;
        let int = self.int_type();
        let left = self.expr(b, vars, int, depth);
        let right = self.expr(b, vars, int, depth);
        let ops = [Eq, Ne, Lt, Le];
        b.op(ops[self.below(4) as usize], left, right)
    }
}

fn int_value(value: &TermValue) -> Int {
    match value {
        TermValue::Int(value) => value.clone(),
        TermValue::Bool(value) => Int::from(i64::from(*value)),
        other => unreachable!("{other:?}"),
    }
}

/// Gives the auxiliaries for nonlinear operations the values that they stand for.
fn complete(encoder_results: &OrderedMap<Operation, TermId>, terms: &Terms, model: &mut Model) {
    for (operation, &auxiliary) in encoder_results {
        let [a, b] =
            operation.operands.map(|term| int_value(&terms.eval(term, model).expect("no quantifier")));
        let int = operation.ty.as_int().expect("an integer");
        let (a, b) = (a.to_i128().expect("small"), b.to_i128().expect("small"));
        // Where the operation is undefined the path ends anyway, so any value does.
        let value = match operation.op {
            BinaryOp::Div | BinaryOp::Rem if b == 0 => 0,
            BinaryOp::Shl | BinaryOp::Shr if !(0..127).contains(&b) => 0,
            // A quotient is brought into its type afterwards.
            BinaryOp::Div => a / b,
            op => apply(op, int, Arithmetic::Wrap, a, b).unwrap_or(0),
        };
        model.set(auxiliary, TermValue::Int(Int::from(value)));
    }
}

/// A truth value is -1 in the last of them.
const INT_TYPES: [IntType; 6] =
    [IntType::signed(8), IntType::U8, IntType::I32, IntType::unsigned(32), IntType::BOOL, IntType::signed(1)];

fn random_expressions(arithmetic: Arithmetic, seed: u64) {
    let mut random = Random(seed);
    let (mut exact, mut ended) = (0, 0);
    for _ in 0..1500 {
        let mut b = Builder::new();
        b.program.arithmetic = arithmetic;
        let vars: Vec<(VarId, IntType)> = INT_TYPES
            .iter()
            .flat_map(|&int| [int, int])
            .enumerate()
            .map(|(i, int)| (b.local(&format!("x{i}"), Type::Int(int)), int))
            .collect();
        let int = random.int_type();
        let root = random.expr(&mut b, &vars, int, 4);
        let program = b.program;
        for _ in 0..4 {
            let mut terms = Terms::new();
            let values: Vec<(VarId, TermId, i128)> = vars
                .iter()
                .map(|&(var, int)| {
                    let constant = terms.fresh_const("x", Terms::INT);
                    (var, constant, random.of_type(int))
                })
                .collect();
            let mut model = Model::new();
            for &(_, constant, value) in &values {
                model.set(constant, TermValue::Int(Int::from(value)));
            }
            let expected =
                evaluate(&program, root, &|var| values.iter().find(|(v, ..)| *v == var).expect("assigned").2);
            let mut encoder = Encoder::new(&program, &mut terms);
            for &(_, _, value) in &values {
                let ops = [BinaryOp::And, BinaryOp::Div, BinaryOp::Rem, BinaryOp::Shl, BinaryOp::Shr];
                encoder.exact.extend(ops.map(|op| ExactCase { op, operand: Int::from(value) }));
            }
            let (value, conditions) = encoder.expr(root, &mut Assignment { values: values.clone() });
            let value = value.expect("an integer");
            let results = encoder.results.clone();
            let is_exact = encoder.approximations.is_empty();
            complete(&results, &terms, &mut model);
            let all = conditions.iter().all(|&c| terms.eval_bool(c, &model).expect("no quantifier"));
            let text = program.show_expr(root);
            match expected {
                Some(expected) => {
                    let got = int_value(&terms.eval(value.term, &model).expect("no quantifier"));
                    assert!(all, "{text} with {values:?}: side conditions exclude {expected}");
                    assert_eq!(got, Int::from(expected), "{text} with {values:?}");
                    assert!(
                        value.range.contains(&got),
                        "{text} with {values:?}: {} misses {got}",
                        value.range
                    );
                    exact += 1;
                }
                None => {
                    assert!(!all || !is_exact, "{text} with {values:?} ends the path");
                    ended += 1;
                }
            }
        }
    }
    assert!(exact > 1000 && ended > 100, "{exact} values, {ended} ends");
}

#[test]
fn random_expressions_without_overflow() {
    random_expressions(Arithmetic::AssumeNoOverflow, 1);
}

#[test]
fn random_expressions_with_wrap_around() {
    random_expressions(Arithmetic::Wrap, 2);
}

/// Runs a program without memory from given inputs, and gives the edges taken and the states before
/// and after each.
fn run(
    program: &Program,
    inputs: &mut dyn FnMut() -> i128,
    steps: usize,
) -> Vec<(EdgeId, Vec<i128>, Vec<i128>)> {
    let proc = &program.procs[program.entry];
    let mut state = vec![0i128; program.vars.len()];
    let mut at = proc.entry;
    let mut trace = Vec::new();
    'steps: for _ in 0..steps {
        for &id in &proc.locations[at].outgoing {
            let edge = &proc.edges[id];
            let before = state.clone();
            let value = |expr| evaluate(program, expr, &|var: VarId| before[var.0 as usize]);
            match &edge.stmt {
                Stmt::Assume(cond) if value(*cond) != Some(1) => continue,
                Stmt::Assign(Place::Var(var), expr) => match value(*expr) {
                    Some(value) => state[var.0 as usize] = value,
                    None => return trace,
                },
                Stmt::Input(Place::Var(var), _) => {
                    let int = program.vars[*var].ty.as_int().expect("an integer");
                    state[var.0 as usize] = int.wrap(inputs());
                }
                _ => {}
            }
            trace.push((id, before, state.clone()));
            at = edge.to;
            continue 'steps;
        }
        break;
    }
    trace
}

#[test]
fn blocks_hold_on_what_was_executed() {
    let program = counting_loop();
    let proc = &program.procs[program.entry];
    let mut terms = Terms::new();
    let encoding = CutpointEncoding::new(&program, &Ranges::none(), &mut terms, &Budget::unlimited())
        .expect("no limits");
    let trace = run(&program, &mut || 3, 100);
    assert_eq!(trace.len(), 2 + 3 * 2 + 2);
    // Cut the trace at the cutpoints and look at each block.
    let mut blocks = 0;
    let mut start = 0;
    for (i, (edge, ..)) in trace.iter().enumerate() {
        let Some(to) = encoding.cuts.at(proc.edges[*edge].to) else { continue };
        let from = encoding.cuts.at(proc.edges[trace[start].0].from).expect("a cutpoint");
        let cut_edge = encoding.cuts.edge_between(from, to).expect("an edge");
        let block = &encoding.blocks[cut_edge];
        let mut model = Model::new();
        let set = |model: &mut Model, var: StateVar, term, state: &[i128]| {
            let StateVar::Var(var) = var else { unreachable!("no memory here") };
            model.set(term, TermValue::Int(Int::from(state[var.0 as usize])));
        };
        for (&var, &term) in &block.inputs {
            set(&mut model, var, term, &trace[start].1);
        }
        for output in &block.outputs {
            set(&mut model, output.var, output.next, &trace[i].2);
        }
        for (edge, _, after) in &trace[start..=i] {
            if let Some(&value) = block.input_values.get(edge) {
                let Stmt::Input(Place::Var(var), _) = proc.edges[*edge].stmt else { continue };
                set(&mut model, StateVar::Var(var), value, after);
            }
        }
        assert!(terms.eval_bool(block.formula, &model).expect("no quantifier"));
        let path = block.path(proc, |literal| terms.eval_bool(literal, &model).expect("no quantifier"));
        assert_eq!(path.expect("a path"), trace[start..=i].iter().map(|step| step.0).collect::<Vec<_>>());
        // Another state after the block is no transition.
        if let Some(output) = block.outputs.first() {
            model.set(output.next, TermValue::Int(Int::from(77)));
            assert!(!terms.eval_bool(block.formula, &model).expect("no quantifier"));
        }
        blocks += 1;
        start = i + 1;
    }
    assert_eq!(blocks, 1 + 3);
}

#[test]
fn branches_cost_one_boolean_per_edge_into_a_join() {
    // n diamonds `if (x < i) x = x + 1; else x = x + 2;` in a row, then the error.
    let sizes: Vec<usize> = [8, 16]
        .into_iter()
        .map(|n| {
            let mut b = Builder::new();
            let x = b.int("x");
            let get_x = b.get(x);
            let mut at = ENTRY;
            for i in 0..n {
                let (left, right, join) = (b.loc(), b.loc(), b.loc());
                let (bound, one, two) = (b.lit(i), b.lit(1), b.lit(2));
                let cond = b.lt(get_x, bound);
                b.branch(at, left, right, cond);
                let (plus_one, plus_two) = (b.add(get_x, one), b.add(get_x, two));
                b.assign(left, join, x, plus_one);
                b.assign(right, join, x, plus_two);
                at = join;
            }
            let bound = b.lit(100);
            let bad = b.lt(bound, get_x);
            b.assume(at, ERROR, bad);
            let mut terms = Terms::new();
            let encoding =
                CutpointEncoding::new(&b.program, &Ranges::none(), &mut terms, &Budget::unlimited())
                    .expect("no limits");
            assert_eq!(encoding.blocks.len(), 1);
            terms.dag_size(encoding.blocks[crate::cutpoints::CutEdgeId(0)].formula)
        })
        .collect();
    assert!(sizes[1] < sizes[0] * 2 + 20, "linear: {sizes:?}");
}
