//! Comparisons of pointers that depend on where objects lie.
//!
//! Whether two pointers are equal is a matter of C as long as both point into objects that exist. It is one of the layout
//! if one points past the end of its object, where another one may begin, if one points to an object that is gone,
//! whose place another one may have taken, and for string literals, which may share their bytes (6.4.5 p7, 6.5.9 p6).
//! Order and distance are a matter of the layout unless both point into one object (6.5.6 p9, 6.5.8 p5).

use craig_base::{IndexVec, Set};
use craig_program as ir;
use ir::{BinaryOp, Expr, ExprId, Stmt, Type};

use super::finish::locations_in_loops;
use super::points_to::PointsTo;

impl PointsTo<'_> {
    /// Whether a comparison of the program depends on the layout. `literals`: their addresses. `ordered`: the
    /// program asks for order or distance of pointers. `once`: the procedures that run at most once.
    pub fn depend_on_layout(
        &mut self,
        literals: &Set<u64>,
        ordered: bool,
        once: &IndexVec<ir::ProcId, bool>,
    ) -> bool {
        let program = self.program;
        let stmts = || program.procs.iter().flat_map(|proc| proc.edges.iter()).map(|edge| &edge.stmt);
        let frees = stmts().any(|stmt| matches!(stmt, Stmt::Free(_)));
        let roots: Vec<ExprId> = stmts().flat_map(ir::stmt_operands).collect();
        let (mut equal, mut apart) = (Vec::new(), Vec::new());
        for id in program.exprs.postorder(&roots) {
            let Expr::Binary(op, a, b) = program.exprs.get(id) else { continue };
            let are_pointers =
                [a, b].iter().all(|&e| program.exprs.ty(e) == Type::Pointer && !self.is_fixed(e));
            match op {
                BinaryOp::Eq | BinaryOp::Ne if are_pointers => equal.push([a, b]),
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Sub if are_pointers && ordered => apart.push([a, b]),
                _ => {}
            }
        }
        if equal.is_empty() && apart.is_empty() {
            return false;
        }
        let repeated = self.made_repeatedly(once);
        let differ = equal.into_iter().any(|pair| {
            !self.are_in_one_object(pair, &repeated) && self.differ_by_layout(pair, frees, literals)
        });
        differ || apart.into_iter().any(|pair| !self.are_in_one_object(pair, &repeated))
    }

    /// Classes of pointers to objects of which one allocation makes several.
    fn made_repeatedly(&mut self, once: &IndexVec<ir::ProcId, bool>) -> Set<usize> {
        let program = self.program;
        let mut repeated = Set::default();
        for (id, proc) in program.procs.enumerated() {
            let loops = locations_in_loops(proc);
            for edge in proc.edges.iter().filter(|edge| !once[id] || loops.contains(&edge.from)) {
                if let Stmt::Alloc { var, .. } = edge.stmt {
                    repeated.extend(self.class_of(var));
                }
            }
        }
        repeated
    }

    /// Whether two pointers cannot point into different objects.
    fn are_in_one_object(&mut self, pair: [ExprId; 2], repeated: &Set<usize>) -> bool {
        let [Some(a), Some(b)] = pair.map(|pointer| self.target(pointer)) else { return false };
        let begins_again = |&id: &ir::ObjectId| self.program.objects[id].live.is_some();
        a.class == b.class
            && !a.foreign
            && a.objects.len() + a.allocations == 1
            && !repeated.contains(&a.class)
            && !a.objects.iter().any(begins_again)
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
