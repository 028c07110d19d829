//! Comparisons of pointers that depend on where objects lie.
//!
//! Whether two pointers are equal is a matter of C as long as both point into objects that exist. It is one of the layout
//! if one points past the end of its object, where another one may begin, if one points to an object that is gone,
//! whose place another one may have taken, and for string literals, which may share their bytes (6.4.5 p7, 6.5.9 p6).
//! Order and distance are a matter of the layout unless both point into one object (6.5.6 p9, 6.5.8 p5).

use craig_base::{IndexVec, Set};
use craig_program as ir;
use ir::{BinaryOp, Expr, ExprId, Stmt, Type};

use super::Lowering;
use super::finish::locations_in_loops;
use super::points_to::PointsTo;

/// Of more literals than this, two are taken to have bytes in common.
const MAX_LITERALS: usize = 64;

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

    /// Null, or a function, or a number where no object lies.
    fn is_fixed(&self, pointer: ExprId) -> bool {
        self.program.exprs.as_const(pointer).is_some_and(|address| {
            let is_there =
                |object: &ir::MemoryObject| object.function && i128::from(object.address) == address;
            is_free(self.program, address) || self.program.objects.iter().any(is_there)
        })
    }

    fn differ_by_layout(&mut self, pair: [ExprId; 2], frees: bool, literals: &Set<u64>) -> bool {
        let mut all: Set<ir::ObjectId> = Set::default();
        let (mut allocations, mut ends, mut gone) = (0, false, false);
        let mut seen = Vec::new();
        for pointer in pair {
            let Some(target) = self.target(pointer) else {
                // A number that may be the address of an object elsewhere.
                return self.program.exprs.as_const(pointer).is_some();
            };
            ends |= target.may_be_at_end;
            gone |= target.allocations > 0 && frees;
            gone |= target.objects.iter().any(|&id| self.program.objects[id].live.is_some());
            if !seen.contains(&target.class) {
                allocations += target.allocations;
                seen.push(target.class);
            }
            all.extend(target.objects);
        }
        let objects = &self.program.objects;
        let shared: Vec<&ir::MemoryObject> =
            all.iter().map(|&id| &objects[id]).filter(|object| literals.contains(&object.address)).collect();
        let share = shared.len() > MAX_LITERALS
            || shared.iter().enumerate().any(|(i, a)| {
                shared[..i].iter().any(|b| may_share(&contents(self.program, a), &contents(self.program, b)))
            });
        gone || share || (ends && all.len() + allocations > 1)
    }
}

impl Lowering<'_> {
    /// Two addresses are compared, of which it is known at once how they compare if both are constants.
    pub fn note_decided(&mut self, a: ExprId, b: ExprId, is_order: bool) {
        if let (Some(a), Some(b)) = (self.out.exprs.as_const(a), self.out.exprs.as_const(b)) {
            self.decided.push((a, b, is_order));
        }
    }
}

/// Whether one of the comparisons of constant addresses, each with whether it is by order, depends on the layout.
pub(super) fn is_decided_by_layout(
    program: &ir::Program,
    decided: &[(i128, i128, bool)],
    literals: &Set<u64>,
) -> bool {
    let end = |object: &ir::MemoryObject| i128::from(object.address) + i128::from(object.size);
    let at = |address: i128| {
        let holds = |object: &&ir::MemoryObject| (object.address.into()..=end(object)).contains(&address);
        program.objects.iter().find(holds)
    };
    decided.iter().any(|&(a, b, is_order)| match (at(a), at(b)) {
        (Some(x), Some(y)) if x.address == y.address => false,
        (Some(x), Some(y)) => {
            let are_literals = [x, y].iter().all(|object| literals.contains(&object.address));
            let shares = || may_share(&contents(program, x), &contents(program, y));
            is_order || a == end(x) || b == end(y) || are_literals && shares()
        }
        (None, Some(_)) => !is_free(program, a),
        (Some(_), None) => !is_free(program, b),
        (None, None) => false,
    })
}

/// Whether no object lies at the address on any machine: the first and the last page are kept free.
fn is_free(program: &ir::Program, address: i128) -> bool {
    const PAGE: i128 = 4096;
    let all = 1 << program.data_model.pointer_bits();
    address < PAGE || address >= all - PAGE
}

/// The bytes of an object that has integers for initial values.
fn contents(program: &ir::Program, object: &ir::MemoryObject) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(object.size).unwrap_or(0)];
    for &(offset, _, ty, value) in &object.init {
        let to = bytes.iter_mut().skip(offset as usize);
        for (byte, from) in to.take(program.size_of(ty) as usize).zip(value.to_le_bytes()) {
            *byte = from;
        }
    }
    bytes
}

/// Whether two arrays could have bytes in common.
fn may_share(a: &[u8], b: &[u8]) -> bool {
    let fits = |long: &[u8], at: usize, other: &[u8]| long[at..].iter().zip(other).all(|(x, y)| x == y);
    (0..a.len()).any(|at| fits(a, at, b)) || (0..b.len()).any(|at| fits(b, at, a))
}
