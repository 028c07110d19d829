//! The final form: regions in place, unreachable code, unused variables and idle locations gone.

use std::sync::Arc;

use craig_base::{Index, IndexVec, Map, OrderedSet};
use craig_program as ir;
use ir::{BinaryOp, Expr, ExprId, LocId, Place, ProcId, RegionId, Stmt, Type, VarId};

use super::layout::scalar_bytes;
use super::points_to::{PointsTo, Regions};

mod patterns;

/// Scalars that some allocated objects have and others do not: each is one more fact wherever an object is made.
const MAX_FIELDS: usize = 16;

pub struct Rebuild<'p> {
    old: &'p ir::Program,
    points_to: PointsTo<'p>,
    regions: Regions,
    new: ir::Program,
    vars: IndexVec<VarId, Option<VarId>>,
    procs: IndexVec<ProcId, Option<ProcId>>,
    exprs: Map<ExprId, ExprId>,
    /// Regions of other cells from which a `_Bool` is read.
    truths: OrderedSet<RegionId>,
    /// Regions of integers that are the patterns of floating numbers.
    patterns: OrderedSet<RegionId>,
}

impl<'p> Rebuild<'p> {
    pub fn new(old: &'p ir::Program, points_to: PointsTo<'p>, regions: Regions) -> Self {
        Rebuild {
            old,
            points_to,
            new: ir::Program {
                data_model: old.data_model,
                arithmetic: old.arithmetic,
                plain: false,
                exprs: ir::Exprs::default(),
                vars: IndexVec::new(),
                regions: regions.regions.clone(),
                objects: IndexVec::new(),
                procs: IndexVec::new(),
                entry: old.entry,
                next_address: None,
                automatic: Vec::new(),
                tracked: None,
                checks: Vec::new(),
                provenance: Arc::default(),
                files: Vec::new(),
                unchecked: Vec::new(),
                source_types: Arc::default(),
                notes: old.notes.clone(),
                words: ir::Words::default(),
            },
            regions,
            vars: IndexVec::from_elem(None, old.vars.len()),
            procs: IndexVec::from_elem(None, old.procs.len()),
            exprs: Map::default(),
            truths: OrderedSet::default(),
            patterns: OrderedSet::default(),
        }
    }

    /// The finished program. `compared` are the pointers of calls that became comparisons.
    /// The program, and the regions of other cells from which a `_Bool` is read.
    pub fn run(mut self, compared: &[(ProcId, ExprId)]) -> (ir::Program, OrderedSet<RegionId>) {
        let calls = ir::CallGraph::new(self.old);
        let kept: Vec<ProcId> = self.old.procs.indices().filter(|&id| calls.is_reachable(id)).collect();
        for (index, &id) in kept.iter().enumerate() {
            self.procs[id] = Some(ProcId::from_usize(index));
        }
        self.new.entry = self.procs[self.old.entry].unwrap_or(ProcId(0));
        let bodies: Vec<ir::Proc> =
            kept.iter().map(|&id| compact(&self.old.exprs, &self.old.procs[id])).collect();
        self.keep_vars(&bodies);
        self.find_patterns(&bodies);
        for body in bodies {
            let proc = self.proc(body);
            self.new.procs.push(proc);
        }
        self.objects();
        self.new.words = self.old.words.renamed(|id| self.exprs.get(&id).copied());
        self.new.next_address = self.old.next_address.and_then(|var| self.vars[var]);
        self.new.automatic = self.old.automatic.iter().filter_map(|&var| self.vars[var]).collect();
        let calls = compared.iter().filter_map(|&(proc, pointer)| {
            // What cannot be reached is gone.
            Some((self.procs[proc]?, *self.exprs.get(&pointer)?))
        });
        let calls = calls.collect();
        let kept = self.vars.enumerated().filter_map(|(old, new)| new.map(|_| old));
        let mut provenance = self.points_to.provenance(&self.regions, kept, calls);
        provenance.fields = fields(&self.new, &provenance);
        self.new.provenance = Arc::new(provenance);
        let types = &self.old.source_types;
        let vars = self.vars.enumerated();
        let vars = vars.filter_map(|(old, new)| Some(((*new)?, *types.vars.get(&old)?))).collect();
        self.new.source_types = Arc::new(ir::SourceTypes { vars, ..ir::SourceTypes::clone(types) });
        (self.new, self.truths)
    }

    /// Numbers the variables that are still used, in their old order.
    fn keep_vars(&mut self, bodies: &[ir::Proc]) {
        let mut used: IndexVec<VarId, bool> = IndexVec::from_elem(false, self.old.vars.len());
        let mut roots = Vec::new();
        let mut allocates = false;
        for body in bodies {
            body.params.iter().chain(&body.result).for_each(|&var| used[var] = true);
            for edge in &body.edges {
                roots.extend(ir::stmt_operands(&edge.stmt));
                match edge.stmt {
                    Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => used[var] = true,
                    Stmt::Call { result: Some(Place::Var(var)), .. } => used[var] = true,
                    Stmt::Alloc { var, .. } => {
                        used[var] = true;
                        allocates = true;
                    }
                    _ => {}
                }
            }
        }
        for id in self.old.exprs.postorder(&roots) {
            if let Expr::Var(var) = self.old.exprs.get(id) {
                used[var] = true;
            }
        }
        if let (true, Some(next)) = (allocates, self.old.next_address) {
            used[next] = true;
        }
        for (id, var) in self.old.vars.enumerated() {
            if !used[id] {
                continue;
            }
            let scope = match var.scope {
                ir::Scope::Global { init } => ir::Scope::Global { init },
                ir::Scope::Local(proc) => match self.procs[proc] {
                    Some(proc) => ir::Scope::Local(proc),
                    None => continue,
                },
            };
            self.vars[id] = Some(self.new.vars.push(ir::Var { scope, ..var.clone() }));
        }
    }

    fn var(&self, old: VarId) -> VarId {
        self.vars[old].expect("every variable of a kept statement is kept")
    }

    fn proc(&mut self, mut proc: ir::Proc) -> ir::Proc {
        proc.params = proc.params.iter().map(|&var| self.var(var)).collect();
        proc.result = proc.result.map(|var| self.var(var));
        proc.locals = proc.locals.iter().filter_map(|&var| self.vars[var]).collect();
        for id in proc.edges.indices() {
            let stmt = std::mem::replace(&mut proc.edges[id].stmt, Stmt::Skip);
            proc.edges[id].stmt = self.stmt(stmt);
        }
        proc
    }

    fn stmt(&mut self, stmt: Stmt) -> Stmt {
        match stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assume(e) => Stmt::Assume(self.expr(e)),
            Stmt::Free(e) => Stmt::Free(self.expr(e)),
            Stmt::Assign(place, value) => {
                let value = self.expr(value);
                let place = self.place(place);
                let (place, value) = self.as_patterns(place, value);
                let value = self.convert(value, self.new.place_type(place));
                Stmt::Assign(place, value)
            }
            // Lowering reads inputs and results into variables only, so the place's type is what it was.
            Stmt::Input(place, source) => Stmt::Input(self.place(place), source),
            Stmt::Call { callee, args, result } => Stmt::Call {
                callee: self.procs[callee].expect("a kept procedure calls only kept ones"),
                args: args.into_iter().map(|arg| self.expr(arg)).collect(),
                result: result.map(|place| self.place(place)),
            },
            Stmt::Alloc { var, size } => Stmt::Alloc { var: self.var(var), size: self.expr(size) },
        }
    }

    fn place(&mut self, place: Place) -> Place {
        match place {
            Place::Var(var) => Place::Var(self.var(var)),
            Place::Memory { addr, ty, .. } => {
                let region = self.region(addr);
                let ty = self.cell_type(region, ty);
                Place::Memory { region, addr: self.expr(addr), ty }
            }
        }
    }

    /// By the old address.
    fn region(&mut self, addr: ExprId) -> RegionId {
        self.points_to.region_at(&self.regions, addr).expect("every access of a statement has a region")
    }

    /// The type to access the region with.
    fn cell_type(&self, region: RegionId, ty: Type) -> Type {
        match self.new.regions[region].cell {
            ir::Cell::Scalar(cell) => cell,
            ir::Cell::Bytes => ty,
        }
    }

    fn convert(&mut self, value: ExprId, ty: Type) -> ExprId {
        self.new.exprs.cast(ty, value)
    }

    /// The old expression in the new program.
    fn expr(&mut self, root: ExprId) -> ExprId {
        let old = self.old;
        let mut stack = vec![(root, false)];
        while let Some((id, operands_done)) = stack.pop() {
            if self.exprs.contains_key(&id) {
                continue;
            }
            if !operands_done {
                stack.push((id, true));
                stack.extend(old.exprs.operands(id).map(|operand| (operand, false)));
                continue;
            }
            let new = match old.exprs.get(id) {
                Expr::Const(ty, value) => self.new.exprs.constant(ty, value),
                Expr::Float(ty, bits) => self.new.exprs.float(ty, bits),
                Expr::Var(var) => {
                    let var = self.var(var);
                    self.new.exprs.var(var, self.new.vars[var].ty)
                }
                Expr::Load { addr, ty, .. } => {
                    let region = self.region(addr);
                    let cell = self.cell_type(region, ty);
                    let truth = Type::Int(ir::IntType::BOOL);
                    if ty == truth && self.new.regions[region].cell != ir::Cell::Scalar(truth) {
                        self.truths.insert(region);
                    }
                    let value = self.new.exprs.load(region, self.exprs[&addr], cell);
                    if self.patterns.contains(&region) { value } else { self.convert(value, ty) }
                }
                Expr::Unary(op, a) => self.new.exprs.unary(op, self.exprs[&a]),
                Expr::Binary(op, a, b) => self.binary(op, self.exprs[&a], self.exprs[&b]),
                Expr::Cast(ty, a) => self.new.exprs.cast(ty, self.exprs[&a]),
                Expr::Ite(c, a, b) => self.new.exprs.ite(self.exprs[&c], self.exprs[&a], self.exprs[&b]),
            };
            self.exprs.insert(id, new);
        }
        self.exprs[&root]
    }

    /// Distances from fixed addresses are added up.
    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let Some(comparison) = self.compared_patterns(op, a, b) {
            return comparison;
        }
        if let (Expr::Const(Type::Pointer, address), Expr::Const(Type::Int(_), by)) =
            (self.new.exprs.get(a), self.new.exprs.get(b))
        {
            let sum = match op {
                BinaryOp::Add => address.checked_add(by),
                BinaryOp::Sub => address.checked_sub(by),
                _ => None,
            };
            let limit = 1i128 << self.new.data_model.pointer_bits();
            if let Some(sum) = sum.filter(|sum| (0..limit).contains(sum)) {
                return self.new.exprs.constant(Type::Pointer, sum);
            }
        }
        self.new.exprs.binary(op, a, b, self.new.data_model)
    }

    /// Keeps the initial values of cells that are accessed.
    fn objects(&mut self) {
        for (id, object) in self.old.objects.enumerated() {
            let mut init = Vec::new();
            for &(offset, _, ty, value) in &object.init {
                let Some(region) = self.points_to.region_in(&self.regions, id, offset) else { continue };
                let cell = self.cell_type(region, ty);
                debug_assert!(
                    self.new.regions[region].cell == ir::Cell::Bytes
                        || scalar_bytes(cell, u64::from(self.new.data_model.pointer_bytes()))
                            == scalar_bytes(ty, u64::from(self.new.data_model.pointer_bytes()))
                );
                init.push((offset, region, cell, initial_value(cell, value, self.new.data_model)));
            }
            let [live, sealed] = [object.live, object.sealed].map(|var| var.and_then(|var| self.vars[var]));
            self.new.objects.push(ir::MemoryObject { init, live, sealed, ..object.clone() });
        }
    }
}

/// The scalars of allocated objects near where these begin, if there are objects of several kinds.
fn fields(program: &ir::Program, provenance: &ir::Provenance) -> Vec<(RegionId, u64)> {
    let mut fields = OrderedSet::default();
    let mut classes = OrderedSet::default();
    for edge in program.procs.iter().flat_map(|proc| proc.edges.iter()) {
        let Stmt::Alloc { var, .. } = edge.stmt else { continue };
        let Some(target) = provenance.of_var(&program.vars, var) else { continue };
        if !classes.insert((target.class, target.offset)) {
            continue;
        }
        for part in &provenance.classes[target.class].parts {
            let distance = part.start - target.offset;
            let is_near = (0..program.data_model.guard_bytes() as i64).contains(&distance);
            let is_scalar =
                matches!(program.regions[part.region].cell, ir::Cell::Scalar(ty) if !ty.is_float());
            if is_near && is_scalar {
                fields.insert((part.region, distance as u64));
            }
        }
    }
    if classes.len() == 1 {
        return Vec::new();
    }
    fields.into_iter().take(MAX_FIELDS).collect()
}

/// The same bits as a value of another type of the same size.
fn initial_value(ty: Type, value: i128, model: ir::DataModel) -> i128 {
    match ty {
        Type::Int(ir::IntType::BOOL) => i128::from(value != 0),
        Type::Int(int) => int.wrap(value),
        Type::Pointer => ir::IntType::unsigned(model.pointer_bits()).wrap(value),
        Type::Float(_) | Type::Bool => value,
    }
}

/// Without unreachable locations, without locations that only skip, and without branches that decide nothing.
fn compact(exprs: &ir::Exprs, proc: &ir::Proc) -> ir::Proc {
    let reachable = proc.graph().reachable([proc.entry]);
    let mut next = only_skips(proc);
    let mut target = follow(proc, &next);
    // What skips lead to may make a branch idle, which is a skip then, and so on outwards.
    loop {
        let idle: Vec<LocId> =
            proc.locations.indices().filter(|&id| is_idle_branch(exprs, proc, &target, id)).collect();
        if idle.is_empty() {
            break;
        }
        for id in idle {
            next[id] = proc.edges[proc.locations[id].outgoing[0]].to;
        }
        target = follow(proc, &next);
    }
    let mut numbers: IndexVec<LocId, Option<LocId>> = IndexVec::from_elem(None, proc.locations.len());
    let mut locations: IndexVec<LocId, ir::Location> = IndexVec::new();
    for id in proc.locations.indices() {
        let special = is_end(proc, id);
        if special || (reachable[id] && target[id] == id) {
            let span = proc.locations[id].span;
            numbers[id] = Some(locations.push(ir::Location { span, ..ir::Location::default() }));
        }
    }
    let number = |id: LocId| numbers[target[id]].expect("targets of skips are kept");
    let mut new = ir::Proc {
        locations,
        edges: IndexVec::new(),
        entry: number(proc.entry),
        exit: number(proc.exit),
        error: number(proc.error),
        obligations: proc
            .obligations
            .iter()
            .map(|stated| ir::Obligation { broken: number(stated.broken), ..stated.clone() })
            .collect(),
        assumed: proc.assumed.iter().filter_map(|&id| numbers[target[id]]).collect(),
        name: Arc::clone(&proc.name),
        params: proc.params.clone(),
        locals: proc.locals.clone(),
        ..*proc
    };
    for edge in &proc.edges {
        if reachable[edge.from] && target[edge.from] == edge.from {
            let (from, to) = (number(edge.from), number(edge.to));
            new.add_edge(from, to, edge.stmt.clone(), edge.span);
        }
    }
    new
}

fn is_end(proc: &ir::Proc, id: LocId) -> bool {
    id == proc.exit || id == proc.error || is_broken(proc, id)
}

fn is_broken(proc: &ir::Proc, id: LocId) -> bool {
    proc.obligations.binary_search_by_key(&id, |stated| stated.broken).is_ok()
}

/// For each location, the next one, if its only way out is a skip; else itself. The step to the error stays: it
/// has the place of the call that is the error.
fn only_skips(proc: &ir::Proc) -> IndexVec<LocId, LocId> {
    let mut next: IndexVec<LocId, LocId> = proc.locations.indices().collect();
    for id in proc.locations.indices() {
        if let [edge] = proc.locations[id].outgoing[..]
            && proc.edges[edge].stmt == Stmt::Skip
            && proc.edges[edge].to != proc.error
            && !is_broken(proc, proc.edges[edge].to)
        {
            next[id] = proc.edges[edge].to;
        }
    }
    next
}

/// Whether both ways out of a branch lead to one place, and the condition can be left out: it is defined
/// everywhere.
fn is_idle_branch(exprs: &ir::Exprs, proc: &ir::Proc, target: &IndexVec<LocId, LocId>, id: LocId) -> bool {
    let [a, b] = proc.locations[id].outgoing[..] else { return false };
    let (a, b) = (&proc.edges[a], &proc.edges[b]);
    let (Stmt::Assume(condition), Stmt::Assume(_)) = (&a.stmt, &b.stmt) else { return false };
    let same = target[a.to] == target[b.to] && target[id] == id && target[a.to] != id && id != proc.entry;
    // Assumptions that leave one location are the two sides of one condition.
    same && exprs.postorder(&[*condition]).into_iter().all(|e| match exprs.get(e) {
        Expr::Const(..) | Expr::Float(..) | Expr::Var(_) | Expr::Load { .. } => true,
        Expr::Unary(op, _) => op == ir::UnaryOp::Not,
        Expr::Binary(op, ..) => {
            op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
        }
        Expr::Cast(ty, from) => ty.is_float() || !exprs.ty(from).is_float(),
        Expr::Ite(..) => true,
    })
}

/// The end of each chain of skips. Loops of skips stay, and an entry that goes on to an end or to where others
/// come as well.
fn follow(proc: &ir::Proc, next: &IndexVec<LocId, LocId>) -> IndexVec<LocId, LocId> {
    let is_private = |id: LocId| proc.locations[id].incoming.len() == 1 && !is_end(proc, id);
    let mut target = next.clone();
    if !is_private(target[proc.entry]) {
        target[proc.entry] = proc.entry;
    }
    // A chain that comes back to its own start stays where it is.
    for id in proc.locations.indices() {
        let mut path = vec![id];
        let mut end = target[id];
        while end != id && target[end] != end && !path.contains(&end) {
            path.push(end);
            end = target[end];
        }
        if end == id || path.contains(&end) {
            target[end] = end;
        }
        for inner in path {
            if inner != end {
                target[inner] = end;
            }
        }
    }
    if !is_private(target[proc.entry]) {
        target[proc.entry] = proc.entry;
    }
    target
}
