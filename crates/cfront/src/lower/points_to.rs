//! Which memory accesses may touch the same bytes.
//!
//! Unification-based, as Steensgaard (POPL 1996), with offsets: an abstract pointer is a *node* and an offset
//! in bytes. A node stands for a set of objects laid over each other; its *cells* are the disjoint ranges of
//! bytes that some access names, and each cell knows what a pointer stored in it points to. A node has a
//! *stride* g: offsets that are equal modulo g are one (0: no two are). `p + 8` moves the offset;
//! `p + 12 * i` makes the stride of the node its greatest common divisor with 12; unifying two pointers to one
//! node at different offsets does the same with their distance. An array of structs thus keeps its fields
//! apart, and a pointer into the middle of a struct (as in `container_of`) stays exact.
//!
//! Every scalar may carry a pointer, integers and floats too, through every operation but comparisons: what
//! is computed from an address may be one. A distance between two pointers carries none, nor does the
//! condition of a branch. Out of scope, by C's rules on provenance, is a pointer that was made to point into
//! another object by arithmetic.
//!
//! The constraints are equalities, so one pass over all statements solves them, except that targets of calls
//! through pointers can become known late; these are revisited until nothing changes. A node is merged into
//! the one with more cells, and a stride changes at most 64 times, so the cost is near linear.

use std::collections::BTreeMap;

use craig_base::{Index, IndexVec, Map, OrderedMap, OrderedSet, Set, index_type};
use craig_program as ir;
use ir::{BinaryOp, Edge, Expr, ExprId, Type, VarId};

use super::layout::scalar_bytes;

/// How deep the factors of a distance may lie.
const MAX_FACTORS: u32 = 4;

mod nodes;
mod regions;
mod visible;

pub use regions::Regions;

index_type!(NodeId, "n");

/// What a pointer may point to.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    node: NodeId,
    offset: i64,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    size: i64,
    /// What a pointer stored here points to.
    content: Option<Pointer>,
    /// The types it is accessed with, and how often.
    types: OrderedMap<Type, u32>,
    /// Every access covers exactly this cell.
    uniform: bool,
    /// Some statement reads or writes it.
    accessed: bool,
    /// One that is not of a function without a body.
    used: bool,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// Merged into another node, `1` bytes further.
    parent: Option<(NodeId, i64)>,
    stride: i64,
    cells: BTreeMap<i64, Cell>,
    objects: Vec<ir::ObjectId>,
    /// Names of allocations.
    allocations: Vec<std::sync::Arc<str>>,
    /// Something may be here that is not the program's.
    foreign: bool,
    /// Some statement accesses it that is not one of a function without a body.
    used: bool,
    /// The program compares pointers to it.
    compared: bool,
}

/// Objects that a pointer may point into.
pub struct Pointees {
    /// Equal for pointers that may point to the same.
    pub class: usize,
    pub objects: Vec<ir::ObjectId>,
    /// How many allocations make such ones.
    pub allocations: usize,
    /// There may be others, which are not the program's.
    pub foreign: bool,
    /// It may point to the end of one.
    pub may_be_at_end: bool,
}

pub struct PointsTo<'p> {
    pub(super) program: &'p ir::Program,
    pointer_bytes: i64,
    nodes: IndexVec<NodeId, Node>,
    vars: IndexVec<VarId, Option<Pointer>>,
    exprs: Vec<Option<Option<Pointer>>>,
    objects: Vec<(u64, ir::ObjectId, NodeId)>,
    /// Pairs to be unified.
    pending: Vec<(Pointer, Pointer)>,
    /// Accesses through null or a number.
    wild: Pointer,
    /// What is looked at is done by functions without a body.
    outside: bool,
}

impl<'p> PointsTo<'p> {
    pub fn new(program: &'p ir::Program) -> Self {
        let mut nodes: IndexVec<NodeId, Node> = IndexVec::new();
        let wild = Pointer { node: nodes.push(Node::default()), offset: 0 };
        let mut objects = Vec::new();
        for (id, object) in program.objects.enumerated() {
            let node = nodes.push(Node { objects: vec![id], ..Node::default() });
            objects.push((object.address, id, node));
        }
        objects.sort_unstable_by_key(|object| object.0);
        PointsTo {
            program,
            pointer_bytes: i64::from(program.data_model.pointer_bytes()),
            nodes,
            vars: IndexVec::from_elem(None, program.vars.len()),
            exprs: vec![None; program.exprs.len()],
            objects,
            pending: Vec::new(),
            wild,
            outside: false,
        }
    }

    /// Adds the constraints of the whole program, calls through pointers excepted.
    pub fn add_program(&mut self) {
        self.add_program_with(&OrderedSet::default());
    }

    /// The same, where functions without a body make some of the accesses.
    pub fn add_program_with(&mut self, outside: &OrderedSet<(ir::ProcId, ir::EdgeId)>) {
        let program = self.program;
        for (id, object) in program.objects.enumerated() {
            let node = self.node_of(id);
            for &(offset, _, ty, value) in &object.init {
                let at = Pointer { node, offset: offset as i64 };
                self.touch(at, ty, false);
                if let Some(target) = self.initial_target(ty, value) {
                    let content = self.content(at);
                    self.unify(content, target);
                }
            }
        }
        // Global variables that start with the address of an object.
        for (id, var) in program.vars.enumerated() {
            if let ir::Scope::Global { init } = var.scope
                && let Some(target) = self.initial_target(var.ty, init)
            {
                let pointer = self.var(id);
                self.unify(pointer, target);
            }
        }
        // An expression is looked at once: first where the program has it.
        for is_outside in [false, true] {
            self.outside = is_outside;
            for (id, proc) in program.procs.enumerated() {
                for (edge, Edge { stmt, .. }) in proc.edges.enumerated() {
                    if outside.contains(&(id, edge)) == is_outside {
                        self.add_stmt(stmt);
                    }
                }
            }
        }
        self.outside = false;
        for &param in &program.procs[program.entry].params {
            let value = self.var(param);
            self.mark_foreign(Some(value));
        }
        self.add_comparisons();
    }

    /// A pointer that was never assigned, and one to functions, may be used after it was found equal to another:
    /// harnesses let memory be arbitrary and assume `p == &x`.
    fn add_comparisons(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for id in 0..self.exprs.len() as u32 {
                let comparison = self.program.exprs.get(ExprId(id));
                let Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = comparison else { continue };
                let (Some(x), Some(y)) = (self.known(a), self.known(b)) else { continue };
                let nodes = [self.find(x).0, self.find(y).0];
                let is_used = |node: NodeId| self.is_unassigned(node) || self.has_functions(node);
                if nodes[0] != nodes[1] && nodes.into_iter().any(is_used) {
                    self.unify(x, y);
                    changed = true;
                }
            }
        }
    }

    fn is_unassigned(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        node.objects.is_empty() && node.allocations.is_empty() && !node.foreign
    }

    fn has_functions(&self, node: NodeId) -> bool {
        self.nodes[node].objects.iter().any(|&object| self.program.objects[object].function)
    }

    fn mark_foreign(&mut self, value: Option<Pointer>) {
        if let Some(value) = value {
            let (node, _) = self.find(value);
            self.nodes[node].foreign = true;
        }
    }

    /// Whether the pointer may hold what is not the program's: an input, or an allocation, which stands for objects
    /// from outside too.
    pub fn may_be_foreign(&mut self, pointer: ExprId) -> bool {
        let Some(pointer) = self.eval(pointer) else { return false };
        let (node, _) = self.find(pointer);
        self.nodes[node].foreign || !self.nodes[node].allocations.is_empty()
    }

    fn add_stmt(&mut self, stmt: &ir::Stmt) {
        match stmt {
            ir::Stmt::Skip => {}
            ir::Stmt::Assume(e) => drop(self.eval(*e)),
            ir::Stmt::Free(e) => {
                if let Some(pointer) = self.eval(*e) {
                    let (node, _) = self.find(pointer);
                    self.nodes[node].used = true;
                }
            }
            ir::Stmt::Assign(place, value) => {
                let value = self.eval(*value);
                let place = self.place(*place);
                self.flow(value, place);
            }
            ir::Stmt::Input(place, source) => {
                let value = self.place(*place);
                // What is declared only is defined elsewhere.
                let is_global =
                    |var: &VarId| matches!(self.program.vars[*var].scope, ir::Scope::Global { .. });
                if *source != ir::InputSource::Uninitialised
                    || matches!(place, ir::Place::Var(var) if is_global(var))
                {
                    self.mark_foreign(value);
                }
            }
            ir::Stmt::Call { callee, args, result } => {
                let program = self.program;
                let callee = &program.procs[*callee];
                for (&param, &arg) in callee.params.iter().zip(args) {
                    self.bind(param, arg);
                }
                if let Some(result) = *result {
                    let place = self.place(result);
                    let value = callee.result.filter(|&v| carries_pointers(program.vars[v].ty));
                    let value = value.map(|v| self.var(v));
                    self.flow(value, place);
                }
            }
            ir::Stmt::Alloc { var, size } => {
                self.eval(*size);
                let made_by = &self.program.vars[*var];
                let name = match made_by.name.strip_prefix('.') {
                    Some(_) => format!("heap.{}", made_by.span.line).into(),
                    None => made_by.name.clone(),
                };
                let node = self.nodes.push(Node { allocations: vec![name], ..Node::default() });
                let pointer = self.var(*var);
                self.unify(pointer, Pointer { node, offset: 0 });
            }
        }
    }

    /// The variable may hold the value.
    pub fn bind(&mut self, var: VarId, value: ExprId) {
        let value = self.eval(value);
        if carries_pointers(self.program.vars[var].ty) {
            let var = self.var(var);
            self.flow(value, Some(var));
        }
    }

    /// Of the locals that hold addresses of automatic objects, those whose object something else may point to
    /// that lives longer: a global, memory, a result (`true`), or another local of the same procedure. What a callee
    /// gets is gone before, and so are temporaries, but for those that hold the value of a block.
    pub fn outlived(
        &mut self,
        objects: &[(ir::ProcId, VarId)],
        left_blocks: &Set<VarId>,
    ) -> Map<VarId, bool> {
        let program = self.program;
        let mut everywhere: Set<NodeId> = Set::default();
        let mut of_proc: Set<(ir::ProcId, NodeId)> = Set::default();
        let results: Set<VarId> = program.procs.iter().filter_map(|proc| proc.result).collect();
        for (id, var) in program.vars.enumerated() {
            let Some(pointer) = self.vars[id] else { continue };
            let (node, _) = self.find(pointer);
            match var.scope {
                ir::Scope::Local(_) if var.name.starts_with(['&', '.']) && !left_blocks.contains(&id) => {}
                ir::Scope::Local(_) if results.contains(&id) => drop(everywhere.insert(node)),
                ir::Scope::Local(proc) => drop(of_proc.insert((proc, node))),
                ir::Scope::Global { .. } => drop(everywhere.insert(node)),
            }
        }
        for id in self.nodes.indices() {
            let contents: Vec<Pointer> =
                self.nodes[id].cells.values().filter_map(|cell| cell.content).collect();
            for pointer in contents {
                let (node, _) = self.find(pointer);
                everywhere.insert(node);
            }
        }
        let by_what = |&(proc, var): &(ir::ProcId, VarId)| {
            let (node, _) = self.find(self.vars[var]?);
            let everywhere = everywhere.contains(&node);
            (everywhere || of_proc.contains(&(proc, node))).then_some((var, everywhere))
        };
        objects.iter().filter_map(by_what).collect()
    }

    /// The functions that a pointer may hold, in order.
    pub fn functions(&mut self, pointer: ExprId) -> Vec<ir::ObjectId> {
        let Some(pointer) = self.eval(pointer) else { return Vec::new() };
        let (root, _) = self.find(pointer);
        let mut functions: Vec<ir::ObjectId> = self.nodes[root]
            .objects
            .iter()
            .copied()
            .filter(|&id| self.program.objects[id].function)
            .collect();
        functions.sort_unstable();
        functions
    }

    /// The objects that the value may point into; `None` if there are none.
    pub fn target(&mut self, pointer: ExprId) -> Option<Pointees> {
        let pointer = self.eval(pointer)?;
        let (root, offset) = self.find(pointer);
        let node = &self.nodes[root];
        let size = |&id: &ir::ObjectId| self.program.objects[id].size as i64;
        let is_inside = node.stride == 0
            && node.objects.iter().all(|id| (0..size(id).max(1)).contains(&offset))
            && (node.allocations.is_empty() || offset == 0);
        Some(Pointees {
            class: root.index(),
            objects: node.objects.clone(),
            allocations: node.allocations.len(),
            foreign: node.foreign,
            may_be_at_end: !is_inside,
        })
    }

    /// The class of the pointers that the variable holds.
    pub fn class_of(&mut self, var: VarId) -> Option<usize> {
        let pointer = self.vars[var]?;
        Some(self.find(pointer).0.index())
    }

    /// What is stored at a place; `None` if it carries no pointers.
    fn place(&mut self, place: ir::Place) -> Option<Pointer> {
        match place {
            ir::Place::Var(var) => carries_pointers(self.program.vars[var].ty).then(|| self.var(var)),
            ir::Place::Memory { addr, ty, .. } => {
                let at = self.eval(addr).unwrap_or(self.wild);
                self.touch(at, ty, true);
                carries_pointers(ty).then(|| self.content(at))
            }
        }
    }

    fn flow(&mut self, from: Option<Pointer>, to: Option<Pointer>) {
        if let (Some(from), Some(to)) = (from, to) {
            self.unify(from, to);
        }
    }

    fn var(&mut self, var: VarId) -> Pointer {
        if let Some(pointer) = self.vars[var] {
            return pointer;
        }
        let pointer = self.fresh();
        self.vars[var] = Some(pointer);
        pointer
    }

    fn fresh(&mut self) -> Pointer {
        Pointer { node: self.nodes.push(Node::default()), offset: 0 }
    }

    fn node_of(&self, object: ir::ObjectId) -> NodeId {
        let address = self.program.objects[object].address;
        let index = self.objects.partition_point(|o| o.0 < address);
        self.objects[index].2
    }

    /// The object that an address points into, or right after.
    fn object_at(&self, address: i128) -> Option<Pointer> {
        let address = u64::try_from(address).ok()?;
        let after = self.objects.partition_point(|o| o.0 <= address);
        let (start, id, node) = *self.objects.get(after.checked_sub(1)?)?;
        let offset = address - start;
        (offset <= self.program.objects[id].size).then_some(Pointer { node, offset: offset as i64 })
    }

    /// What an initial value points to: an address may be stored in an integer of its width.
    fn initial_target(&self, ty: Type, value: i128) -> Option<Pointer> {
        let wide = scalar_bytes(ty, self.pointer_bytes as u64) as i64 >= self.pointer_bytes;
        let value = ir::IntType::unsigned(8 * self.pointer_bytes as u8).wrap(value);
        self.object_at(value).filter(|_| wide && carries_pointers(ty))
    }

    // Expressions.

    /// What the value may point to.
    pub fn eval(&mut self, root: ExprId) -> Option<Pointer> {
        let program = self.program;
        let mut stack = vec![(root, false)];
        while let Some((id, operands_done)) = stack.pop() {
            if self.exprs[id.0 as usize].is_some() {
                continue;
            }
            if operands_done {
                let value = self.eval_node(id);
                self.exprs[id.0 as usize] = Some(value);
            } else {
                stack.push((id, true));
                stack.extend(program.exprs.operands(id).map(|operand| (operand, false)));
            }
        }
        self.exprs[root.0 as usize].flatten()
    }

    fn known(&self, id: ExprId) -> Option<Pointer> {
        self.exprs[id.0 as usize].flatten()
    }

    fn eval_node(&mut self, id: ExprId) -> Option<Pointer> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        let value = match exprs.get(id) {
            Expr::Const(Type::Pointer, address) => self.object_at(address),
            Expr::Const(..) | Expr::Float(..) => None,
            Expr::Var(var) => carries_pointers(ty).then(|| self.var(var)),
            Expr::Load { addr, ty, .. } => {
                let at = self.known(addr).unwrap_or(self.wild);
                self.touch(at, ty, true);
                carries_pointers(ty).then(|| self.content(at))
            }
            Expr::Unary(_, a) => {
                let pointer = self.known(a)?;
                self.blur(pointer, 1);
                Some(pointer)
            }
            Expr::Binary(op, a, b) => self.eval_binary(op, a, b),
            Expr::Cast(to, a) => {
                let pointer = self.known(a)?;
                if to.is_float() != exprs.ty(a).is_float() || (to.is_float() && to != exprs.ty(a)) {
                    // Rounded.
                    self.blur(pointer, 1);
                }
                Some(pointer)
            }
            Expr::Ite(_, a, b) => match (self.known(a), self.known(b)) {
                (Some(x), Some(y)) => {
                    self.unify(x, y);
                    Some(x)
                }
                (x, y) => x.or(y),
            },
        };
        value.filter(|_| carries_pointers(ty))
    }

    fn eval_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<Pointer> {
        let exprs = &self.program.exprs;
        let (x, y) = (self.known(a), self.known(b));
        match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => {
                self.note_compared(x, y);
                None
            }
            // A distance, unless it is one from null.
            BinaryOp::Sub
                if exprs.ty(a) == Type::Pointer
                    && exprs.ty(b) == Type::Pointer
                    && x.is_some()
                    && y.is_some() =>
            {
                self.note_compared(x, y);
                None
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let sign = if op == BinaryOp::Add { 1 } else { -1 };
                if let Some(by) = exprs.as_const(b) {
                    return x.map(|p| self.shifted(p, sign * by));
                }
                if let (BinaryOp::Add, Expr::Const(Type::Int(_), by)) = (op, exprs.get(a)) {
                    return y.map(|p| self.shifted(p, by));
                }
                if exprs.ty(a) == Type::Pointer && x.is_some() {
                    let step = self.step(b);
                    return x.inspect(|&p| self.blur(p, step));
                }
                self.mixed(x, y)
            }
            BinaryOp::Shl | BinaryOp::Shr => self.mixed(x, None),
            _ => self.mixed(x, y),
        }
    }

    /// Moved by a number of the width of an address.
    fn shifted(&self, pointer: Pointer, by: i128) -> Pointer {
        let by = if self.pointer_bytes == 4 { i64::from(by as i32) } else { by as i64 };
        Pointer { node: pointer.node, offset: pointer.offset.wrapping_add(by) }
    }

    /// A value made of two others in a way that loses the offset.
    fn mixed(&mut self, x: Option<Pointer>, y: Option<Pointer>) -> Option<Pointer> {
        let pointer = x.or(y)?;
        if let (Some(x), Some(y)) = (x, y) {
            self.unify(x, y);
        }
        self.blur(pointer, 1);
        Some(pointer)
    }

    /// A number that divides every value of a distance.
    fn step(&self, distance: ExprId) -> i64 {
        self.divisor(distance, MAX_FACTORS)
    }

    /// The same for a product of at most so many factors. One that wraps around, and a number that changes its type,
    /// keep the factor two only.
    fn divisor(&self, id: ExprId, factors: u32) -> i64 {
        let exprs = &self.program.exprs;
        let (divisor, is_exact) = match exprs.get(id) {
            Expr::Const(_, value) => return i64::try_from(value.unsigned_abs()).unwrap_or(1).max(1),
            Expr::Binary(BinaryOp::Mul, a, b) if factors > 0 => {
                let (a, b) = (self.divisor(a, factors - 1), self.divisor(b, factors - 1));
                let signed = matches!(exprs.ty(id), Type::Int(int) if int.signed);
                let is_exact = match self.program.arithmetic {
                    ir::Arithmetic::Ideal => true,
                    ir::Arithmetic::AssumeNoOverflow => signed,
                    ir::Arithmetic::Wrap => false,
                };
                (a.checked_mul(b).unwrap_or(1), is_exact)
            }
            Expr::Cast(Type::Int(_), a) if factors > 0 && matches!(exprs.ty(a), Type::Int(_)) => {
                (self.divisor(a, factors - 1), false)
            }
            _ => return 1,
        };
        if is_exact { divisor } else { 1 << divisor.trailing_zeros() }
    }
}

fn carries_pointers(ty: Type) -> bool {
    !matches!(ty, Type::Bool | Type::Int(ir::IntType::BOOL))
}
