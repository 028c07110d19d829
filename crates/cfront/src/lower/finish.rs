//! From the graphs with one memory to the finished program.

use std::sync::Arc;

use craig_base::{IndexVec, Map, Set};
use craig_program as ir;
use ir::{ExprId, ProcId, Stmt, Type, VarId};

use super::body::Value;
use super::notes::add_notes;
use super::points_to::PointsTo;
use super::rebuild::Rebuild;
use super::{IndirectCall, Lowering, StackObject, Storage};
use crate::hir::{GlobalId, GlobalOrigin};
use crate::pragma::{self, Unchecked};

impl Lowering<'_> {
    pub fn finish(mut self) -> ir::Program {
        self.copy_library_calls();
        self.copy_for_callbacks();
        self.close_indirect_calls();
        self.write_what_was_kept();
        self.make_foreign_objects();
        self.fix_stack_objects();
        self.note_static_objects();
        let mut next_address = None;
        if self.has_alloc() {
            let init = i128::from(self.next_static);
            let name = "next_address".to_string();
            next_address = Some(self.new_global(name, Type::Pointer, init, ir::Span::default()));
        }
        self.out.next_address = next_address;
        let hir = self.hir;
        let properties: Vec<ir::Note> = hir
            .properties
            .iter()
            .map(|(span, text)| {
                let text = if text.is_empty() { "the rule is broken".to_string() } else { text.clone() };
                ir::Note { kind: ir::NoteKind::BrokenRule, span: self.span(*span), text }
            })
            .collect();
        let unchecked = self.unchecked();
        self.out.source_types = Arc::new(self.source_types.table(&hir.types));
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        if self.options.one_region {
            points_to.merge_all();
        }
        let literals = hir.globals.enumerated().filter(|(_, g)| g.origin == GlobalOrigin::StringLiteral);
        let literals: Set<u64> = literals.filter_map(|(id, _)| self.constant_place(id)).collect();
        let once = self.run_once(&ir::CallGraph::new(&self.out));
        let compares = super::compared::is_decided_by_layout(&self.out, &self.decided, &literals)
            || (self.compares_addresses || self.orders_addresses)
                && points_to.depend_on_layout(&literals, self.orders_addresses, &once);
        let regions = points_to.regions();
        let (mut out, truths) = Rebuild::new(&self.out, points_to, regions).run(&self.compared);
        out.files = self.files.keys().map(|file| file.as_str().into()).collect();
        out.unchecked = unchecked;
        out.notes.extend(properties);
        if self.signs.differ() {
            let text = "`va_arg` of the other sign than that of the argument has the same bits";
            let note = ir::Note {
                kind: ir::NoteKind::Assumption,
                span: ir::Span::default(),
                text: text.to_string(),
            };
            out.notes.push(note);
        }
        add_notes(&mut out, &truths, self.has_allocation, self.uses_addresses || compares);
        out
    }

    /// Where pragmas say that nothing is to be checked.
    fn unchecked(&mut self) -> Vec<ir::Unchecked> {
        let stretches = pragma::unchecked(self.sources).into_iter();
        let stretches = stretches.map(|Unchecked { from, to, kinds }| ir::Unchecked {
            from: self.span(from),
            to: self.span(to),
            kinds,
        });
        stretches.filter(|stretch| stretch.from.file == stretch.to.file).collect()
    }

    /// The address of a global in memory.
    fn constant_place(&self, global: GlobalId) -> Option<u64> {
        match self.globals[global].as_ref()? {
            Storage::Memory(address) => self.out.exprs.as_const(*address)?.try_into().ok(),
            Storage::Vars(_) => None,
        }
    }

    /// Gives every call of a library procedure its own copy of it.
    fn copy_library_calls(&mut self) {
        let mut pending: Vec<ProcId> =
            self.out.procs.indices().filter(|id| !self.library_procs.contains(id)).collect();
        while let Some(caller) = pending.pop() {
            for edge in self.out.procs[caller].edges.indices() {
                let Stmt::Call { callee, .. } = self.out.procs[caller].edges[edge].stmt else { continue };
                if !self.library_procs.contains(&callee) {
                    continue;
                }
                let copy = self.copy_proc(callee, &[]);
                if let Stmt::Call { callee, .. } = &mut self.out.procs[caller].edges[edge].stmt {
                    *callee = copy;
                }
                // The library does not call itself, so this ends.
                pending.push(copy);
            }
        }
    }

    /// A copy of a procedure in which some variables, which it does not write, have values.
    pub(super) fn copy_proc(&mut self, id: ProcId, fixed: &[(VarId, ExprId)]) -> ProcId {
        let mut proc = self.out.procs[id].clone();
        let new_id = self.out.procs.next_index();
        let mut renamed: Map<VarId, VarId> = Map::default();
        for local in &mut proc.locals {
            let var = ir::Var { scope: ir::Scope::Local(new_id), ..self.out.vars[*local].clone() };
            let new = self.out.vars.push(var);
            self.source_types.copy(*local, new);
            renamed.insert(*local, new);
            *local = new;
        }
        let automatic: Vec<VarId> =
            self.out.automatic.iter().filter_map(|var| renamed.get(var).copied()).collect();
        self.out.automatic.extend(automatic);
        let rename = |var: VarId| renamed.get(&var).copied().unwrap_or(var);
        proc.params.iter_mut().for_each(|param| *param = rename(*param));
        proc.result = proc.result.map(rename);
        let mut memo = Map::default();
        let vars = &self.out.vars;
        let exprs = &mut self.out.exprs;
        let model = self.out.data_model;
        let mut rewrite = |e: ExprId| {
            exprs.rewrite(e, model, &mut memo, &mut |exprs, id| match exprs.get(id) {
                ir::Expr::Var(var) => match fixed.iter().find(|(known, _)| *known == var) {
                    Some(&(_, value)) => Some(value),
                    None => {
                        let new = rename(var);
                        Some(exprs.var(new, vars[new].ty))
                    }
                },
                _ => None,
            })
        };
        for edge in proc.edges.indices() {
            map_stmt(&mut proc.edges[edge].stmt, &mut rewrite, &rename);
        }
        let calls: Vec<IndirectCall> =
            self.indirect_calls.iter().filter(|call| call.proc == id).cloned().collect();
        for mut call in calls {
            call.proc = new_id;
            call.pointer = rewrite(call.pointer);
            call.extra = call.extra.map(&mut rewrite);
            for value in call.args.iter_mut().map(|(value, _)| value).chain([&mut call.result]) {
                match value {
                    Value::Void => {}
                    Value::Scalar(e) | Value::Memory(e) => *e = rewrite(*e),
                    Value::Leaves(leaves) => leaves.iter_mut().for_each(|e| *e = rewrite(*e)),
                }
            }
            self.indirect_calls.push(call);
        }
        let objects: Vec<StackObject> =
            self.stack_objects.iter().filter(|object| object.proc == id).cloned().collect();
        let objects = objects.into_iter().map(|o| StackObject { proc: new_id, var: rename(o.var), ..o });
        self.stack_objects.extend(objects);
        self.foreign.copy(id, new_id, &rename);
        self.out.procs.push(proc)
    }

    fn has_alloc(&self) -> bool {
        self.out.procs.iter().any(|proc| proc.edges.iter().any(|e| matches!(e.stmt, Stmt::Alloc { .. })))
    }

    /// Gives automatic objects that have one instance at a time a fixed address, if their contents need no
    /// fresh one.
    fn fix_stack_objects(&mut self) {
        let calls = ir::CallGraph::new(&self.out);
        let once = self.run_once(&calls);
        let mut allocations_of: Map<VarId, Vec<ir::EdgeId>> = Map::default();
        let mut ends_of: Map<VarId, Vec<ir::EdgeId>> = Map::default();
        for (id, edge) in self.out.procs.iter().flat_map(|proc| proc.edges.enumerated()) {
            match edge.stmt {
                Stmt::Alloc { var, .. } => allocations_of.entry(var).or_default().push(id),
                Stmt::Free(address) => {
                    if let ir::Expr::Var(var) = self.out.exprs.get(address) {
                        ends_of.entry(var).or_default().push(id);
                    }
                }
                _ => {}
            }
        }
        let mut fixed = Map::default();
        let mut looping: Map<ProcId, Set<ir::LocId>> = Map::default();
        let objects: Vec<(ProcId, VarId)> =
            self.stack_objects.iter().map(|object| (object.proc, object.var)).collect();
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        let outlived = points_to.outlived(&objects, &self.left_blocks);
        for object in std::mem::take(&mut self.stack_objects) {
            let allocations = allocations_of.remove(&object.var).unwrap_or_default();
            let ends = ends_of.remove(&object.var).unwrap_or_default();
            if calls.is_recursive(object.proc) {
                continue;
            }
            let loops = looping
                .entry(object.proc)
                .or_insert_with(|| locations_in_loops(&self.out.procs[object.proc]));
            let single = once[object.proc]
                && allocations.len() == 1
                && !loops.contains(&self.out.procs[object.proc].edges[allocations[0]].from);
            if !(object.written_first || single) {
                continue;
            }
            // A pointer to an instance that is gone must not lead to the next one.
            let procs = &self.out.procs[object.proc];
            let repeats = || allocations.iter().any(|&edge| loops.contains(&procs.edges[edge].from));
            let outlived = outlived.get(&object.var).copied();
            if !single && outlived.is_some_and(|beyond_the_call| beyond_the_call || repeats()) {
                continue;
            }
            let span = self.out.vars[object.var].span;
            let size = object.size;
            let address = self.static_address(size);
            let live = self.fix_life(&object, (&allocations, &ends), outlived.is_some());
            if let Some(ty) = object.ty {
                self.source_types.objects.insert(self.out.objects.next_index(), ty);
            }
            self.out.objects.push(ir::MemoryObject {
                name: object.name,
                address,
                size,
                span,
                init: Vec::new(),
                zeroed: false,
                function: false,
                constant: false,
                automatic: true,
                live,
                sealed: self.sealed.get(&object.var).copied(),
            });
            fixed.insert(object.var, address);
        }
        if let Some(assigned) = &self.assigned {
            fixed.insert(assigned.allocated, self.next_static);
        }
        self.substitute(&fixed);
    }

    /// Replaces beginning and end of an object that gets a fixed address. If the address may outlive the object,
    /// the result is a global that says whether it exists.
    fn fix_life(
        &mut self,
        object: &StackObject,
        (begin, end): (&[ir::EdgeId], &[ir::EdgeId]),
        outlived: bool,
    ) -> Option<VarId> {
        let live = (outlived && !end.is_empty()).then(|| {
            self.new_global(format!(".live.{}", object.name), Type::Bool, 0, self.out.vars[object.var].span)
        });
        for (edges, value) in [(begin, true), (end, false)] {
            let value = self.out.exprs.bool(value);
            for &edge in edges {
                self.out.procs[object.proc].edges[edge].stmt = match live {
                    Some(live) => Stmt::Assign(ir::Place::Var(live), value),
                    None => Stmt::Skip,
                };
            }
        }
        live
    }

    /// Replaces variables by addresses.
    fn substitute(&mut self, fixed: &Map<VarId, u64>) {
        if fixed.is_empty() {
            return;
        }
        let mut memo = Map::default();
        let model = self.out.data_model;
        let exprs = &mut self.out.exprs;
        let mut rewrite = |e: ExprId| {
            exprs.rewrite(e, model, &mut memo, &mut |exprs, id| match exprs.get(id) {
                ir::Expr::Var(var) => {
                    let address = fixed.get(&var)?;
                    Some(exprs.constant(Type::Pointer, i128::from(*address)))
                }
                _ => None,
            })
        };
        self.out.words = self.out.words.renamed(|id| Some(rewrite(id)));
        for proc in self.out.procs.iter_mut() {
            for edge in proc.edges.iter_mut() {
                map_stmt(&mut edge.stmt, &mut rewrite, &|var| var);
            }
        }
    }

    /// Procedures that run at most once: the entry, and those with one call outside of loops in such a one.
    pub fn run_once(&self, calls: &ir::CallGraph) -> IndexVec<ProcId, bool> {
        let procs = &self.out.procs;
        let mut sites: IndexVec<ProcId, u32> = IndexVec::from_elem(0, procs.len());
        let mut callers: IndexVec<ProcId, Vec<ProcId>> = IndexVec::from_elem(Vec::new(), procs.len());
        for (caller, proc) in procs.enumerated() {
            let loops = locations_in_loops(proc);
            for edge in &proc.edges {
                let Stmt::Call { callee, .. } = edge.stmt else { continue };
                callers[callee].push(caller);
                if calls.is_reachable(caller) {
                    sites[callee] += if loops.contains(&edge.from) { 2 } else { 1 };
                }
            }
        }
        let mut once = IndexVec::from_elem(false, procs.len());
        // Callers come after callees in the list of components.
        for component in calls.components.iter().rev() {
            for &id in component {
                let called_once = callers[id].iter().any(|&caller| once[caller]);
                let is_entry = id == self.out.entry && sites[id] == 0;
                once[id] = !calls.is_recursive(id) && (is_entry || (sites[id] == 1 && called_once));
            }
        }
        once
    }
}

/// Applies the functions to every expression and every variable that is written.
pub(super) fn map_stmt(
    stmt: &mut Stmt,
    expr: &mut dyn FnMut(ExprId) -> ExprId,
    var: &dyn Fn(VarId) -> VarId,
) {
    let map_place = |place: &mut ir::Place, expr: &mut dyn FnMut(ExprId) -> ExprId| match place {
        ir::Place::Var(written) => *written = var(*written),
        ir::Place::Memory { addr, .. } => *addr = expr(*addr),
    };
    match stmt {
        Stmt::Skip => {}
        Stmt::Assume(e) | Stmt::Free(e) => *e = expr(*e),
        Stmt::Assign(place, value) => {
            map_place(place, expr);
            *value = expr(*value);
        }
        Stmt::Input(place, _) => map_place(place, expr),
        Stmt::Call { args, result, .. } => {
            args.iter_mut().for_each(|arg| *arg = expr(*arg));
            if let Some(place) = result {
                map_place(place, expr);
            }
        }
        Stmt::Alloc { var: written, size } => {
            *written = var(*written);
            *size = expr(*size);
        }
    }
}

pub(super) fn locations_in_loops(proc: &ir::Proc) -> Set<ir::LocId> {
    proc.graph().cycles().flatten().collect()
}
