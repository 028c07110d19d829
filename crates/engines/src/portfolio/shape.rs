//! What a program looks like, so that the portfolio can be chosen.

use craig_base::IndexVec;
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, Outcome, RandomOracle, Source};
use craig_program::{
    BinaryOp, CallGraph, Cell, Edge, Expr, ExprId, Proc, ProcId, Program, Scope, Stmt, Type, VarId, Wto,
    stmt_operands, written_vars,
};

/// Smaller programs are loops.
const MIN_CONTROL: usize = 150;
/// Larger ones are more than loops, whatever they compute.
const MAX_LOOPS: usize = 1_000;

/// Whether most of what is assigned is constants and copies, in a program of some size.
pub(super) fn is_control(program: &Program) -> bool {
    let exprs = &program.exprs;
    let edges = || program.procs.iter().flat_map(|proc| &proc.edges);
    let size = edges().count();
    let computes = |root: ExprId| {
        exprs.postorder(&[root]).into_iter().any(|id| {
            matches!(exprs.get(id), Expr::Binary(op, ..) if !op.is_comparison() && exprs.ty(id) != Type::Bool)
        })
    };
    let assigned =
        || edges().filter_map(|edge| if let Stmt::Assign(_, e) = edge.stmt { Some(e) } else { None });
    let computed = || assigned().filter(|&e| computes(e)).count();
    size >= MIN_CONTROL && (size >= MAX_LOOPS || 4 * computed() <= assigned().count())
}

/// Whether some procedure has a loop.
pub(super) fn has_loops(program: &Program) -> bool {
    program.procs.iter().any(|proc| !Wto::new(&proc.graph(), proc.entry).components.is_empty())
}

/// Statements of a run that is short.
const SHORT_RUN: u64 = 20_000;
/// Runs that show whether all are short.
const RUNS: u64 = 40;
/// Rounds of a loop that are few.
const FEW_ROUNDS: i128 = 64;

/// Whether runs end soon whatever the inputs are. Of large programs the loops must say so, those at least that ask for
/// something from outside; for others it is enough that all of some runs do, with inputs that are the same each time among
/// them: these stay in loops that ask whether to go on.
pub(super) fn ends_soon(program: &Program) -> bool {
    if is_control(program) {
        if program.procs.indices().all(|id| counts_rounds(program, id, |_| true)) {
            return true;
        }
        let asking = asking(program);
        let asks = |edge: &Edge| asks(&edge.stmt, &asking);
        if !program.procs.indices().all(|id| counts_rounds(program, id, asks)) {
            return false;
        }
    }
    let executable = Executable::new(program, Detail::Outcome);
    let limits = Limits { steps: SHORT_RUN, ..Limits::default() };
    let mut random = RandomOracle::new(program, 0);
    // A run that an assumption ends says nothing about those that go on.
    let goes_on = std::cell::Cell::new(false);
    let is_short = |oracle: &mut dyn InputOracle| {
        let mut oracle = |at: &InputSite| oracle.next(at);
        let outcome = executable.run(&mut oracle, &limits).outcome;
        goes_on.set(goes_on.get() || !matches!(outcome, Outcome::AssumptionFailed(_)));
        !matches!(outcome, Outcome::StepLimit | Outcome::DepthLimit(_))
    };
    let same = |value: i128, random: &mut RandomOracle| {
        is_short(&mut |at: &InputSite| match at.source {
            Source::Choice { .. } => random.next(at),
            _ => Some(value),
        })
    };
    [0, 1, 2, -1].into_iter().all(|value| same(value, &mut random))
        && (0..RUNS).all(|seed| {
            random.reseed(seed);
            // Where allocations succeed, what is built of them grows.
            random.prefer_true(if seed % 2 == 0 { 8 } else { 0 });
            is_short(&mut random)
        })
        && goes_on.get()
}

/// The procedures that ask for inputs or objects, themselves or in what they call.
fn asking(program: &Program) -> IndexVec<ProcId, bool> {
    // Recursive calls ask for all that is not known yet.
    let mut asking = IndexVec::from_elem(true, program.procs.len());
    let callees_first: Vec<ProcId> = CallGraph::new(program).components.concat();
    for id in callees_first {
        asking[id] = program.procs[id].edges.iter().any(|edge| asks(&edge.stmt, &asking));
    }
    asking
}

fn asks(stmt: &Stmt, asking: &IndexVec<ProcId, bool>) -> bool {
    match stmt {
        Stmt::Input(..) | Stmt::Alloc { .. } => true,
        Stmt::Call { callee, .. } => asking[*callee],
        _ => false,
    }
}

/// Whether every loop of a procedure in which such a statement is repeated is left when a variable, which it changes in
/// constant steps, comes to a small constant.
fn counts_rounds(program: &Program, id: ProcId, matters: impl Fn(&Edge) -> bool) -> bool {
    let proc = &program.procs[id];
    let wto = Wto::new(&proc.graph(), proc.entry);
    let is_in = |component: usize, location| {
        let around = std::iter::successors(wto.innermost(location), |&inner| wto.components[inner].parent);
        around.into_iter().any(|around| around == component)
    };
    let repeats = |component: &usize| {
        proc.edges
            .iter()
            .any(|edge| is_in(*component, edge.from) && is_in(*component, edge.to) && matters(edge))
    };
    (0..wto.components.len()).filter(repeats).all(|component| {
        let leaving =
            proc.edges.iter().filter(|edge| is_in(component, edge.from) && !is_in(component, edge.to));
        let conditions = leaving.filter_map(|edge| match edge.stmt {
            Stmt::Assume(condition) => compared_with_few(program, condition),
            _ => None,
        });
        conditions.into_iter().any(|counter| {
            let is_repeated = |edge: &&Edge| is_in(component, edge.from);
            is_counter(program, proc, counter, proc.edges.iter().filter(is_repeated))
        })
    })
}

/// The only variable of a condition that has small constants and nothing else.
fn compared_with_few(program: &Program, condition: ExprId) -> Option<VarId> {
    let mut found = None;
    for id in program.exprs.postorder(&[condition]) {
        match program.exprs.get(id) {
            Expr::Var(var) if found.is_none_or(|found| found == var) => found = Some(var),
            Expr::Var(_) | Expr::Load { .. } | Expr::Float(..) => return None,
            Expr::Const(_, value) if value > FEW_ROUNDS => return None,
            _ => {}
        }
    }
    found
}

/// Whether these statements change a variable, in constant steps only, and no other procedure does.
fn is_counter<'p>(
    program: &'p Program,
    proc: &'p Proc,
    var: VarId,
    repeated: impl Iterator<Item = &'p Edge>,
) -> bool {
    let exprs = &program.exprs;
    let is_var = |id: ExprId| matches!(exprs.get(exprs.without_casts(id)), Expr::Var(found) if found == var);
    let is_step = |id: ExprId| match exprs.get(exprs.without_casts(id)) {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            is_var(left) && exprs.as_const(right).is_some()
        }
        _ => false,
    };
    let changes = |stmt: &Stmt| written_vars(program, stmt).contains(&var);
    let elsewhere = program.procs.iter().filter(|other| !std::ptr::eq(*other, proc));
    let is_own = matches!(program.vars[var].scope, Scope::Local(_))
        || !elsewhere.flat_map(|other| &other.edges).any(|edge| changes(&edge.stmt));
    let mut changing = repeated.filter(|edge| changes(&edge.stmt)).peekable();
    is_own
        && changing.peek().is_some()
        && changing.all(|edge| matches!(edge.stmt, Stmt::Assign(_, value) if is_step(value)))
}

/// Whether some statement is an input.
pub(super) fn has_inputs(program: &Program) -> bool {
    program.procs.iter().flat_map(|proc| &proc.edges).any(|edge| matches!(edge.stmt, Stmt::Input(..)))
}

/// Whether some operation is about bits, or cuts some off, or about floating numbers, which are patterns of bits.
pub(super) fn has_bits(program: &Program) -> bool {
    let exprs = &program.exprs;
    has_floats(program)
        || has_expression(program, |expr| match expr {
            Expr::Binary(op, left, _) => op.is_bitwise() && exprs.ty(left) != Type::Bool,
            Expr::Cast(Type::Int(to), from) => match exprs.ty(from) {
                Type::Int(from) => to.bits < from.bits,
                from => matches!(from, Type::Float(_)),
            },
            _ => false,
        })
}

/// Whether floating numbers are computed with or compared.
pub(super) fn has_floats(program: &Program) -> bool {
    has_expression(program, |expr| match expr {
        Expr::Binary(_, operand, _) | Expr::Unary(_, operand) => {
            matches!(program.exprs.ty(operand), Type::Float(_))
        }
        _ => false,
    })
}

fn has_expression(program: &Program, is_one: impl Fn(Expr) -> bool) -> bool {
    let exprs = &program.exprs;
    let edges = program.procs.iter().flat_map(|proc| &proc.edges);
    let mut operands = edges.flat_map(|edge| stmt_operands(&edge.stmt));
    operands.any(|root| exprs.postorder(&[root]).into_iter().any(|id| is_one(exprs.get(id))))
}

/// Whether there is memory with more than one element.
pub(super) fn has_arrays(program: &Program) -> bool {
    program.regions.iter().any(|region| {
        let size = match region.cell {
            Cell::Scalar(ty) => u64::from(program.size_of(ty)),
            Cell::Bytes => 1,
        };
        region.allocated || region.objects.iter().any(|&object| program.objects[object].size > size)
    })
}

/// Whether allocated objects hold pointers that are followed, as in lists and trees, where there are loops.
pub(super) fn has_links(program: &Program) -> bool {
    let exprs = &program.exprs;
    let is_link = |id: ExprId| match exprs.get(id) {
        Expr::Load { region, ty: Type::Pointer, .. } => program.regions[region].allocated,
        _ => false,
    };
    let edges = program.procs.iter().flat_map(|proc| &proc.edges);
    let mut operands = edges.flat_map(|edge| stmt_operands(&edge.stmt));
    operands.any(|root| exprs.postorder(&[root]).into_iter().any(is_link)) && has_loops(program)
}

/// How many of the statements, with those of all calls, are in no loop, at least: this many times those that are.
const STRAIGHT: u64 = 3;

/// Whether most of the program is in no loop, where nothing is recursive.
pub(super) fn is_mostly_straight(program: &Program) -> bool {
    /// Statements of a procedure with all that it calls.
    #[derive(Clone, Copy)]
    struct Size {
        all: u64,
        in_loops: u64,
    }
    let mut sizes = IndexVec::from_elem(Size { all: 0, in_loops: 0 }, program.procs.len());
    let callees_first: Vec<ProcId> = CallGraph::new(program).components.concat();
    for id in callees_first {
        let proc = &program.procs[id];
        let wto = Wto::new(&proc.graph(), proc.entry);
        let mut size = Size { all: 0, in_loops: 0 };
        for edge in &proc.edges {
            let Size { all, in_loops } = match edge.stmt {
                Stmt::Call { callee, .. } => sizes[callee],
                _ => Size { all: 1, in_loops: 0 },
            };
            let repeated = if wto.innermost(edge.from).is_some() { all } else { in_loops };
            size.all = size.all.saturating_add(all);
            size.in_loops = size.in_loops.saturating_add(repeated);
        }
        sizes[id] = size;
    }
    let Size { all, in_loops } = sizes[program.entry];
    in_loops.saturating_mul(STRAIGHT + 1) <= all
}
