//! Lifetimes: objects begin where their block does, and end where it is left, by whatever way.

use craig_base::Map;
use craig_program as ir;
use ir::{ExprId, InputSource, LocId, Stmt, Type, VarId};

use super::Storage;
use super::body::Body;
use super::layout::leaf_type;
use super::visit::{self, Node};
use crate::hir::{self, LabelId, LocalId};
use crate::library;

/// Something that ends with a scope.
#[derive(Clone, Copy)]
pub(super) enum Scoped {
    Local(LocalId),
    /// An array of variable length, by the variable that holds its address.
    Array(VarId),
    /// A call that is made then: `__attribute__((cleanup))`.
    Call(hir::ExprId),
}

impl Body<'_, '_> {
    /// Makes the memory object of a local.
    pub fn begin_storage(&mut self, local: LocalId) {
        let Storage::Memory(address) = self.locals[local] else { return };
        let ir::Expr::Var(var) = self.lw.out.exprs.get(address) else { return };
        let Some(function) = self.function else { return };
        let Some(body) = &self.hir().functions[function].body else { return };
        self.allocate_stack_object(var, body.locals[local].ty.ty);
    }

    /// The objects of a block exist from its entry on, wherever they are declared in it (C11 6.2.4 p6), and
    /// however often a jump leads to their declaration. Those that a jump within the block may pass over have no
    /// value until then.
    pub fn begin_block(&mut self, stmts: &[hir::StmtId]) {
        self.begin_block_at(stmts, &[]);
    }

    /// As [`Self::begin_block`], for the body of a switch, which is entered at these labels.
    pub fn begin_switch(&mut self, body: hir::StmtId, entries: &[LabelId]) {
        if let hir::StmtKind::Block(stmts) = &self.hir().stmts[body].kind {
            self.begin_block_at(stmts, entries);
        }
    }

    fn begin_block_at(&mut self, stmts: &[hir::StmtId], entries: &[LabelId]) {
        let hir = self.hir();
        let passed_over = self.passed_over(stmts, entries);
        let mut locals = Vec::new();
        for (&stmt, passed_over) in stmts.iter().zip(passed_over) {
            if let hir::StmtKind::Declare { local, .. } = hir.stmts[stmt].kind {
                locals.push((local, passed_over));
            }
            visit::walk(hir, &[Node::Stmt(stmt)], &mut |node| match node {
                Node::Stmt(inner) => !matches!(hir.stmts[inner].kind, hir::StmtKind::Block(_)),
                Node::Expr(expr) => !matches!(hir.exprs[expr].kind, hir::ExprKind::Statement { .. }),
                Node::Place(place) => {
                    if let hir::PlaceKind::Initialized { local, .. } = hir.places[place].kind {
                        locals.push((local, false));
                    }
                    true
                }
            });
        }
        for (local, passed_over) in locals {
            let is_object = matches!(self.locals[local], Storage::Memory(_));
            if (is_object || passed_over) && self.begun.insert(local) {
                self.declare_in_scope(local);
                self.begin_storage(local);
                if passed_over {
                    self.passed_over.insert(local);
                    self.leave_unwritten(local);
                }
            }
        }
    }

    /// For each statement of a block, whether some jump leads from there, or from before it, to what comes after it.
    fn passed_over(&self, stmts: &[hir::StmtId], entries: &[LabelId]) -> Vec<bool> {
        if self.labels.indices().next().is_none() {
            return vec![false; stmts.len()];
        }
        let hir = self.hir();
        let mut positions: Map<LabelId, usize> = Map::default();
        let mut jumps: Vec<(usize, LabelId)> = entries.iter().map(|&label| (0, label)).collect();
        for (position, &stmt) in stmts.iter().enumerate() {
            visit::walk(hir, &[Node::Stmt(stmt)], &mut |node| {
                let Node::Stmt(inner) = node else { return true };
                let mut jump = |label| jumps.push((position, label));
                match &hir.stmts[inner].kind {
                    hir::StmtKind::Label(label) => {
                        positions.insert(*label, position);
                    }
                    hir::StmtKind::Goto(label) => jump(*label),
                    hir::StmtKind::Switch { cases, default, .. } => {
                        cases.iter().map(|case| case.label).chain(*default).for_each(jump);
                    }
                    hir::StmtKind::Asm(asm) => asm.labels.iter().copied().for_each(jump),
                    _ => {}
                }
                true
            });
        }
        let mut furthest = vec![0; stmts.len()];
        for (from, label) in jumps {
            if let (Some(furthest), Some(&to)) = (furthest.get_mut(from), positions.get(&label)) {
                *furthest = to.max(*furthest);
            }
        }
        let mut furthest_yet = 0;
        let passes = |(position, &to): (usize, &usize)| {
            furthest_yet = to.max(furthest_yet);
            furthest_yet > position
        };
        furthest.iter().enumerate().map(passes).collect()
    }

    /// The declaration of a local is reached: it has any value.
    pub fn begin_local(&mut self, local: LocalId) {
        if !self.begun.contains(&local) {
            self.declare_in_scope(local);
            self.begin_storage(local);
        }
        self.leave_unwritten(local);
    }

    /// The local has any value.
    fn leave_unwritten(&mut self, local: LocalId) {
        let Some(function) = self.function else { return };
        let Some(body) = &self.hir().functions[function].body else { return };
        let ty = body.locals[local].ty.ty;
        match self.locals[local].clone() {
            Storage::Vars(vars) => {
                for var in vars {
                    self.emit(Stmt::Input(ir::Place::Var(var), InputSource::Uninitialised));
                    self.flag(var, false);
                }
            }
            Storage::Memory(address) => {
                if self.writes_on_entry(ty) {
                    let leaves = self.lw.layouts.leaves(&self.hir().types, ty).unwrap_or_default();
                    let mut values = Vec::new();
                    for leaf in leaves.iter() {
                        let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                        values.push(self.input(ty, InputSource::Uninitialised));
                    }
                    self.store_leaves(address, ty, &values);
                }
                self.begin_unwritten_object(address, ty);
            }
        }
    }

    /// As [`Self::begin_local`], for a local that is written as a whole next.
    pub fn begin_written_local(&mut self, local: LocalId) {
        if !self.begun.contains(&local) {
            self.declare_in_scope(local);
            self.begin_storage(local);
        }
        if !self.passed_over.contains(&local) {
            self.set_written_first(local, true);
        }
    }

    fn set_written_first(&mut self, local: LocalId, written: bool) {
        if let Storage::Memory(address) = self.locals[local]
            && let ir::Expr::Var(var) = self.lw.out.exprs.get(address)
            && let Some(object) = self.lw.stack_objects.iter_mut().rev().find(|object| object.var == var)
        {
            object.written_first = written;
        }
    }

    pub fn leave_scope(&mut self, outer: usize) {
        self.end_scopes(outer);
        self.scope = outer;
    }

    /// The current scope, for jumps to it.
    pub fn scope(&self) -> usize {
        self.scope
    }

    /// A jump out of all scopes up to `outer`.
    pub fn jump(&mut self, to: LocId, outer: usize) {
        self.end_scopes(outer);
        self.goto(to);
    }

    /// The end of the function, after what its scopes call. Nothing comes after the end of the entry function, but for what
    /// runs at the end of the program (5.1.2.2.3).
    pub fn leave_function(&mut self) {
        let source = self.function.map(|function| &self.hir().functions[function]);
        if let Some(source) = source.filter(|source| source.no_return) {
            self.undefined(format!("`{}` returns and must not", source.name));
        }
        let lw = &self.lw;
        let is_last = self.function.is_some_and(|f| {
            lw.hir.functions[f].name == lw.options.entry
                && !lw.reach.called.contains(&f)
                && !lw.reach.address_taken.contains(&f)
                && lw.hir.destructors.is_empty()
                && library::function(lw.hir, library::EXIT).is_none()
        });
        let outer = if is_last { self.scope } else { 0 };
        self.scopes_inside(outer).into_iter().for_each(|ends| self.end_storage(ends));
        if !is_last {
            self.allocas.left.push(self.proc.edges.next_index());
        }
        self.goto(self.proc.exit);
    }

    /// What ends with the scopes inside of `outer`, innermost first.
    fn scopes_inside(&self, outer: usize) -> Vec<Scoped> {
        let (mut scope, mut inside) = (self.scope, Vec::new());
        while scope != outer && scope != 0 {
            let (ends, enclosing) = self.scopes[scope];
            inside.extend(ends);
            scope = enclosing;
        }
        inside
    }

    /// Whether something is called when the scopes inside of `outer` are left.
    pub fn calls_at_end(&self, outer: usize) -> bool {
        self.scopes_inside(outer).iter().any(|ends| matches!(ends, Scoped::Call(_)))
    }

    /// Calls it.
    pub fn call_at_end(&mut self, outer: usize) {
        for ends in self.scopes_inside(outer) {
            if let Scoped::Call(call) = ends {
                self.call_cleanup(call);
            }
        }
    }

    fn call_cleanup(&mut self, call: hir::ExprId) {
        let (scope, around) = (self.scope, self.span);
        self.at(self.hir().exprs[call].span);
        self.full_effect(call);
        self.scope = scope;
        self.span = around;
    }

    /// The objects of all scopes inside of `outer` cease to exist.
    fn end_scopes(&mut self, outer: usize) {
        for ends in self.scopes_inside(outer) {
            self.end(ends);
        }
    }

    fn end(&mut self, ends: Scoped) {
        match ends {
            Scoped::Call(call) => self.call_cleanup(call),
            _ => self.end_storage(ends),
        }
    }

    fn end_storage(&mut self, ends: Scoped) {
        let address = match ends {
            Scoped::Array(var) => self.var(var),
            Scoped::Local(local) => match self.locals[local] {
                Storage::Memory(address) => address,
                Storage::Vars(_) => return,
            },
            Scoped::Call(_) => return,
        };
        if matches!(self.lw.out.exprs.get(address), ir::Expr::Var(_)) {
            self.end_storage_at(address);
        }
    }

    pub fn declare_in_scope(&mut self, local: LocalId) {
        self.end_with_scope(Scoped::Local(local));
    }

    pub(super) fn end_with_scope(&mut self, scoped: Scoped) {
        self.scopes.push((Some(scoped), self.scope));
        self.scope = self.scopes.len() - 1;
    }

    /// An array of variable length: exists to the end of its scope.
    pub fn variable_array(&mut self, size: ExprId) -> ExprId {
        let (var, object) = self.allocate_automatic(size);
        self.end_with_scope(Scoped::Array(var));
        object
    }

    pub fn label(&mut self, label: LabelId) -> LocId {
        self.jumps.push((self.scope, label, self.here));
        self.labels[label]
    }

    pub fn arrive_at_label(&mut self, label: LabelId) {
        self.label_scopes[label] = Some(self.scope);
        let location = self.labels[label];
        self.proc.locations[location].span = self.span;
        self.arrive(location);
    }

    /// The locals of the scopes that a jump enters, and of those that it leaves, innermost first.
    fn crossed_scopes(&self, from: usize, to: usize) -> (Vec<Scoped>, Vec<Scoped>) {
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        // Scopes are numbered outside in, so the larger number is in no common scope.
        let (mut inner, mut outer) = (to, from);
        while inner != outer {
            let (scope, locals) =
                if inner > outer { (&mut inner, &mut entered) } else { (&mut outer, &mut left) };
            locals.extend(self.scopes[*scope].0);
            *scope = self.scopes[*scope].1;
        }
        (entered, left)
    }

    /// Objects of blocks that some jump leaves cease to exist on the way, and those of blocks that it enters begin to
    /// exist, without a value.
    pub fn cross_scopes(&mut self) {
        for (from, label, at) in self.jumps.clone() {
            let Some(to) = self.label_scopes[label] else { continue };
            let (entered, left) = self.crossed_scopes(from, to);
            let local = |scoped: &Scoped| match scoped {
                Scoped::Local(local) => Some(*local),
                _ => None,
            };
            let entered: Vec<LocalId> = entered.iter().rev().filter_map(local).collect();
            let target = self.labels[label];
            let jumps = self.proc.locations[at].outgoing.clone();
            for edge in jumps.into_iter().filter(|_| !left.is_empty() || !entered.is_empty()) {
                if self.proc.edges[edge].to != target {
                    continue;
                }
                self.after(edge, |body| {
                    left.iter().for_each(|&ends| body.end(ends));
                    for &local in &entered {
                        body.begin_storage(local);
                        body.set_written_first(local, false);
                        body.leave_unwritten(local);
                    }
                });
            }
        }
    }

    /// Puts more between an edge and the location that it leads to.
    pub(super) fn after(&mut self, edge: ir::EdgeId, add: impl FnOnce(&mut Self)) {
        let (start, target) = (self.new_location(), self.proc.edges[edge].to);
        self.proc.edges[edge].to = start;
        self.proc.locations[target].incoming.retain(|&incoming| incoming != edge);
        self.proc.locations[start].incoming.push(edge);
        self.here = start;
        add(self);
        self.goto(target);
    }
}
