//! Comparisons of pointers that depend on where objects lie.
//!
//! Whether two pointers are equal is a matter of C as long as both point into objects that exist. It is one of the layout
//! if one points past the end of its object, where another one may begin, if one points to an object that is gone,
//! whose place another one may have taken, and for string literals, which may share their bytes (6.4.5 p7, 6.5.9 p6).

use craig_base::Set;
use craig_program as ir;
use ir::{BinaryOp, Expr, ExprId, Stmt, Type};

use super::points_to::PointsTo;

impl PointsTo<'_> {
    /// Whether a comparison of the program depends on the layout. `literals`: their addresses.
    pub fn depend_on_layout(&mut self, literals: &Set<u64>) -> bool {
        let program = self.program;
        let stmts = || program.procs.iter().flat_map(|proc| proc.edges.iter()).map(|edge| &edge.stmt);
        let frees = stmts().any(|stmt| matches!(stmt, Stmt::Free(_)));
        let roots: Vec<ExprId> = stmts().flat_map(ir::stmt_operands).collect();
        let compared: Vec<[ExprId; 2]> = (program.exprs.postorder(&roots).into_iter())
            .filter_map(|id| match program.exprs.get(id) {
                Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => Some([a, b]),
                _ => None,
            })
            .filter(|pair| pair.iter().all(|&e| program.exprs.ty(e) == Type::Pointer && !self.is_fixed(e)))
            .collect();
        compared.into_iter().any(|pair| self.differ_by_layout(pair, frees, literals))
    }

    /// Null, or a function.
    fn is_fixed(&self, pointer: ExprId) -> bool {
        self.program.exprs.as_const(pointer).is_some_and(|address| {
            let is_there =
                |object: &ir::MemoryObject| object.function && i128::from(object.address) == address;
            address == 0 || self.program.objects.iter().any(is_there)
        })
    }

    fn differ_by_layout(&mut self, pair: [ExprId; 2], frees: bool, literals: &Set<u64>) -> bool {
        let mut all: Set<ir::ObjectId> = Set::default();
        let (mut allocations, mut ends, mut gone) = (0, false, false);
        let mut seen = Vec::new();
        for pointer in pair {
            let Some(target) = self.target(pointer) else { return false };
            ends |= target.may_be_at_end;
            gone |= target.allocations > 0 && frees;
            gone |= target.objects.iter().any(|&id| self.program.objects[id].live.is_some());
            if !seen.contains(&target.class) {
                allocations += target.allocations;
                seen.push(target.class);
            }
            all.extend(target.objects);
        }
        let shared = all.iter().filter(|&&id| literals.contains(&self.program.objects[id].address)).count();
        gone || shared > 1 || (ends && all.len() + allocations > 1)
    }
}
