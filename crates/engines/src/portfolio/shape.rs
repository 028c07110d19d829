//! What a program looks like, so that the portfolio can be chosen.

use craig_base::IndexVec;
use craig_program::{CallGraph, Cell, Expr, ExprId, ProcId, Program, Stmt, Type, Wto, stmt_operands};

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

/// Whether some statement is an input.
pub(super) fn has_inputs(program: &Program) -> bool {
    program.procs.iter().flat_map(|proc| &proc.edges).any(|edge| matches!(edge.stmt, Stmt::Input(..)))
}

/// Whether some operation is about bits, or cuts some off.
pub(super) fn has_bits(program: &Program) -> bool {
    let exprs = &program.exprs;
    program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| stmt_operands(&edge.stmt)).any(|root| {
        exprs.postorder(&[root]).into_iter().any(|id| match exprs.get(id) {
            Expr::Binary(op, left, _) => op.is_bitwise() && exprs.ty(left) != Type::Bool,
            Expr::Cast(Type::Int(to), from) => {
                matches!(exprs.ty(from), Type::Int(from) if to.bits < from.bits)
            }
            _ => false,
        })
    })
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
