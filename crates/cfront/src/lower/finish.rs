//! From the graphs with one memory to the finished program.

use std::cmp::Ordering;
use std::sync::Arc;

use craig_base::{IndexVec, Map, Set};
use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, NoteKind, ProcId, Stmt, Type, VarId};

use super::body::{Body, Value};
use super::points_to::PointsTo;
use super::rebuild::Rebuild;
use super::{IndirectCall, Lowering, Shape, StackObject, Storage};
use crate::hir::{FunctionId, GlobalId, GlobalOrigin};

impl Lowering<'_> {
    pub fn finish(mut self) -> ir::Program {
        self.copy_library_calls();
        self.close_indirect_calls();
        self.write_what_was_kept();
        self.fix_stack_objects();
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
                ir::Note { kind: ir::NoteKind::Property, span: self.span(*span), text }
            })
            .collect();
        self.out.source_types = Arc::new(self.source_types.table(&hir.types));
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        if self.options.one_region {
            points_to.merge_all();
        }
        let literals = hir.globals.enumerated().filter(|(_, g)| g.origin == GlobalOrigin::StringLiteral);
        let literals: Set<u64> = literals.filter_map(|(id, _)| self.constant_place(id)).collect();
        let compares = points_to.depend_on_layout(&literals);
        let regions = points_to.regions();
        let mut out = Rebuild::new(&self.out, points_to, regions).run(&self.compared);
        out.files = self.files.keys().map(|file| file.as_str().into()).collect();
        out.notes.extend(properties);
        add_notes(
            &mut out,
            self.has_allocation,
            self.uses_addresses || compares,
            self.uses_long_double.get(),
        );
        out
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
                let copy = self.copy_proc(callee);
                if let Stmt::Call { callee, .. } = &mut self.out.procs[caller].edges[edge].stmt {
                    *callee = copy;
                }
                // The library does not call itself, so this ends.
                pending.push(copy);
            }
        }
    }

    fn copy_proc(&mut self, id: ProcId) -> ProcId {
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
                ir::Expr::Var(var) => {
                    let new = rename(var);
                    Some(exprs.var(new, vars[new].ty))
                }
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
        self.out.procs.push(proc)
    }

    /// Replaces each call through a pointer by comparisons with its possible targets.
    fn close_indirect_calls(&mut self) {
        let calls = std::mem::take(&mut self.indirect_calls);
        let (targets, from_outside) = self.indirect_targets(&calls);
        for ((call, targets), from_outside) in calls.iter().zip(targets).zip(from_outside) {
            self.close_call(call, &targets, from_outside);
        }
    }

    /// The functions that each call's pointer may hold, and whether the call's arguments fit them; and whether
    /// it may come from outside of the program.
    fn indirect_targets(&mut self, calls: &[IndirectCall]) -> (Vec<Vec<(FunctionId, bool)>>, Vec<bool>) {
        let mut found: Vec<Vec<(FunctionId, bool)>> = vec![Vec::new(); calls.len()];
        if calls.is_empty() {
            return (found, Vec::new());
        }
        let functions = self.reach.address_taken.clone();
        // Computed before the analysis borrows the program.
        let signatures: Vec<Option<Signature>> =
            functions.iter().map(|&function| self.signature(function)).collect();
        if self.options.one_region {
            let fits = |call, signature: &Option<Signature>| {
                signature.as_ref().is_some_and(|signature| signature.flows(call, &self.out.exprs).is_some())
            };
            let found = (calls.iter())
                .map(|call| functions.iter().copied().zip(signatures.iter().map(|s| fits(call, s))).collect())
                .collect();
            return (found, vec![true; calls.len()]);
        }
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        let mut known: Vec<Set<usize>> = vec![Set::default(); calls.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, call) in calls.iter().enumerate() {
                for object in points_to.functions(call.pointer) {
                    let index = object.0 as usize;
                    if !known[i].insert(index) {
                        continue;
                    }
                    let Some(Some(signature)) = signatures.get(index) else { continue };
                    let flows = signature.flows(call, &self.out.exprs);
                    found[i].push((functions[index], flows.is_some()));
                    changed = true;
                    for (var, value) in flows.into_iter().flatten() {
                        points_to.bind(var, value);
                    }
                }
            }
        }
        let from_outside = calls.iter().map(|call| points_to.may_be_foreign(call.pointer)).collect();
        (found, from_outside)
    }

    /// How values get into a function and out of it; `None` if no code is known for it.
    fn signature(&mut self, function: FunctionId) -> Option<Signature> {
        let proc = self.procs[function]?;
        let result_type = self.result_type(function);
        let result = self.shape(result_type);
        let results = match result {
            Shape::Scalar(_) => self.out.procs[proc].result.into_iter().collect(),
            Shape::Leaves(_) => self.result_globals(function),
            Shape::Void | Shape::Memory => Vec::new(),
        };
        Some(Signature {
            result,
            results: results.into_iter().map(|var| self.out.var_expr(var)).collect(),
            arguments: self.param_types(function).into_iter().map(|ty| self.shape(ty)).collect(),
            params: self.out.procs[proc].params.clone(),
            variadic: self.is_variadic(function),
            pointer_bits: self.out.data_model.pointer_bits(),
        })
    }

    fn close_call(&mut self, call: &IndirectCall, targets: &[(FunctionId, bool)], from_outside: bool) {
        let mut body = Body::open(self, call.proc);
        let (from, to) = (body.proc.edges[call.edge].from, body.proc.edges[call.edge].to);
        body.span = call.span;
        // The edge itself becomes the way to the comparisons.
        let start = body.new_location();
        body.proc.edges[call.edge].to = start;
        body.proc.locations[to].incoming.retain(|&edge| edge != call.edge);
        body.proc.locations[start].incoming.push(call.edge);
        debug_assert!(body.proc.locations[from].outgoing.contains(&call.edge));
        body.here = start;
        let pointer = body.freeze(call.pointer);
        if matches!(body.lw.out.exprs.get(pointer), ir::Expr::Var(_)) {
            body.lw.compared.push((call.proc, pointer));
        }
        for &(target, fits) in targets {
            let address = body.lw.function_addresses[target].unwrap_or(0);
            let address = body.lw.constant(Type::Pointer, i128::from(address));
            let equal = body.lw.binary(BinaryOp::Eq, pointer, address);
            let (matches, next) = (body.new_location(), body.new_location());
            body.split(equal, matches, next);
            body.here = matches;
            if fits {
                body.emit_call(target, &call.args, call.extra, &call.result);
                body.goto(to);
            } else {
                // Undefined (C11 6.5.2.2): the run ends.
                let name = &body.hir().functions[target].name;
                let text = format!("`{name}` is called through a pointer that does not fit it");
                body.undefined(text);
            }
            body.here = next;
        }
        let not_null = body.lw.truth(pointer);
        body.require(CheckKind::Memory, not_null, "a null pointer is called");
        if !from_outside {
            body.undefined("what is called is no function");
            return body.close();
        }
        let at = call.span;
        body.lw.note(
            NoteKind::Assumption,
            at,
            "a call through a pointer reaches a function that the program stores in such a pointer, or else \
             one that changes nothing and returns any value"
                .to_string(),
        );
        let source = ir::InputSource::Unmodelled("call through a pointer".into());
        match (&call.result, body.any_value(call.result_type, source)) {
            (Value::Scalar(result), Value::Scalar(value)) => body.assign_expr(*result, value),
            (Value::Leaves(results), Value::Leaves(values)) => {
                for (&result, value) in results.iter().zip(values) {
                    body.assign_expr(result, value);
                }
            }
            _ => {}
        }
        body.goto(to);
        body.close();
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
        for (id, edge) in self.out.procs.iter().flat_map(|proc| proc.edges.enumerated()) {
            if let Stmt::Alloc { var, .. } = edge.stmt {
                allocations_of.entry(var).or_default().push(id);
            }
        }
        let mut fixed = Map::default();
        let mut looping: Map<ProcId, Set<ir::LocId>> = Map::default();
        let objects: Vec<(ProcId, VarId)> =
            self.stack_objects.iter().map(|object| (object.proc, object.var)).collect();
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        let outlived = points_to.outlived(&objects);
        let strict = self.options.checks.contains(CheckKind::Memory);
        for object in std::mem::take(&mut self.stack_objects) {
            let allocations = allocations_of.remove(&object.var).unwrap_or_default();
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
            if strict && !single && outlived.is_some_and(|beyond_the_call| beyond_the_call || repeats()) {
                continue;
            }
            let span = self.out.vars[object.var].span;
            let size = object.size;
            let address = self.static_address(size);
            let live = self.fix_life(&object, &allocations, outlived.is_some());
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
        self.substitute(&fixed);
    }

    /// Replaces beginning and end of an object that gets a fixed address. If the address may outlive the object,
    /// the result is a global that says whether it exists.
    fn fix_life(&mut self, object: &StackObject, begin: &[ir::EdgeId], outlived: bool) -> Option<VarId> {
        let address = self.out.var_expr(object.var);
        let edges = self.out.procs[object.proc].edges.enumerated();
        let end: Vec<ir::EdgeId> =
            edges.filter(|(_, edge)| edge.stmt == Stmt::Free(address)).map(|(id, _)| id).collect();
        let live = (outlived && !end.is_empty()).then(|| {
            self.new_global(format!(".live.{}", object.name), Type::Bool, 0, self.out.vars[object.var].span)
        });
        for (edges, value) in [(begin, true), (&end, false)] {
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

/// How values get into a function and out of it.
struct Signature {
    result: Shape,
    /// Where the function leaves its result, one for each leaf.
    results: Vec<ExprId>,
    /// Of the parameters in C, each of which may take several of `params`.
    arguments: Vec<Shape>,
    params: Vec<VarId>,
    variadic: bool,
    pointer_bits: u8,
}

/// Whether values of the types are passed in the same way, whatever their sign.
fn are_alike(a: Type, b: Type, pointer_bits: u8) -> bool {
    let plain = |ty| match ty {
        Type::Int(int) => Type::Int(ir::IntType::unsigned(int.bits)),
        Type::Pointer => Type::Int(ir::IntType::unsigned(pointer_bits)),
        other => other,
    };
    plain(a) == plain(b)
}

impl Signature {
    /// Which variables get which values in a call; `None` if the arguments do not fit the parameters.
    fn flows(&self, call: &IndirectCall, exprs: &ir::Exprs) -> Option<Vec<(VarId, ExprId)>> {
        let mut params = self.params.iter().copied();
        let mut flows = Vec::new();
        match (&self.result, &call.result) {
            (Shape::Memory, Value::Memory(address)) => flows.push((params.next()?, *address)),
            (Shape::Memory, _) | (Shape::Void, Value::Scalar(_)) => return None,
            (Shape::Scalar(ty), Value::Scalar(value)) => {
                if !are_alike(*ty, exprs.ty(*value), self.pointer_bits) {
                    return None;
                }
                flows.extend(result_flow(exprs, &[*value], &self.results))
            }
            (Shape::Leaves(_), Value::Leaves(leaves)) => {
                flows.extend(result_flow(exprs, leaves, &self.results))
            }
            _ => {}
        }
        let count_fits = match call.args.len().cmp(&self.arguments.len()) {
            Ordering::Less => false,
            Ordering::Equal => true,
            Ordering::Greater => self.variadic,
        };
        if !count_fits {
            return None;
        }
        for (shape, (value, _)) in self.arguments.iter().zip(&call.args) {
            match (shape, value) {
                (Shape::Scalar(ty), Value::Scalar(value))
                    if !call.prototyped || are_alike(*ty, exprs.ty(*value), self.pointer_bits) =>
                {
                    flows.push((params.next()?, *value));
                }
                (Shape::Memory, Value::Memory(value)) => flows.push((params.next()?, *value)),
                (Shape::Leaves(count), Value::Leaves(leaves)) if *count == leaves.len() => {
                    for &leaf in leaves {
                        flows.push((params.next()?, leaf));
                    }
                }
                _ => return None,
            }
        }
        if let (Some(extra), Some(param)) = (call.extra, params.next()) {
            flows.push((param, extra));
        }
        Some(flows)
    }
}

/// The variables of the caller that take the results.
fn result_flow(
    exprs: &ir::Exprs,
    targets: &[ExprId],
    results: &[ExprId],
) -> impl Iterator<Item = (VarId, ExprId)> {
    targets.iter().zip(results).filter_map(|(&target, &result)| match exprs.get(target) {
        ir::Expr::Var(var) => Some((var, result)),
        _ => None,
    })
}

impl Body<'_, '_> {
    /// Assigns to the variable that the expression is.
    fn assign_expr(&mut self, target: ExprId, value: ExprId) {
        if let ir::Expr::Var(var) = self.lw.out.exprs.get(target) {
            self.assign(var, value);
        }
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

/// The places of static objects, to find accesses that are valid for sure.
struct StaticObjects(std::collections::BTreeMap<u64, u64>);

impl StaticObjects {
    fn of(program: &ir::Program) -> Self {
        StaticObjects(program.objects.iter().map(|object| (object.address, object.size)).collect())
    }

    fn contain(&self, program: &ir::Program, addr: ir::ExprId, ty: Type) -> bool {
        let address = program.exprs.as_const(addr).and_then(|address| u64::try_from(address).ok());
        let object = address.and_then(|address| self.0.range(..=address).next_back().zip(Some(address)));
        let bytes = u64::from(program.size_of(ty));
        object.is_some_and(|((start, size), address)| address - start + bytes <= *size)
    }
}

/// What every answer rests on.
fn add_notes(program: &mut ir::Program, allocates: bool, addresses: bool, long_double: bool) {
    let objects = StaticObjects::of(program);
    let (mut signed, mut division, mut shift, mut rounding) = (false, false, false, false);
    let mut memory = false;
    let mut roots = Vec::new();
    let mut errors = false;
    for proc in &program.procs {
        errors |= !proc.locations[proc.error].incoming.is_empty();
        memory |= proc.obligations.iter().any(|stated| stated.kind == CheckKind::Memory);
        for edge in &proc.edges {
            memory |= match edge.stmt {
                Stmt::Free(_) => true,
                Stmt::Assign(ir::Place::Memory { addr, ty, .. }, _)
                | Stmt::Input(ir::Place::Memory { addr, ty, .. }, _) => !objects.contain(program, addr, ty),
                _ => false,
            };
            roots.extend(ir::stmt_operands(&edge.stmt));
        }
    }
    for id in program.exprs.postorder(&roots) {
        let is_signed = matches!(program.exprs.ty(id), Type::Int(int) if int.signed);
        match program.exprs.get(id) {
            ir::Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
            | ir::Expr::Unary(ir::UnaryOp::Neg, _) => signed |= is_signed,
            ir::Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, by)
                if program.exprs.ty(id).as_int().is_some() =>
            {
                let by = program.exprs.as_const(by);
                signed |= is_signed && by.is_none_or(|by| by == -1);
                division |= by.is_none_or(|by| by == 0);
            }
            ir::Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, value, by) => {
                let bits = program.exprs.ty(value).as_int().map_or(0, |int| i128::from(int.bits));
                shift |= !program.exprs.as_const(by).is_some_and(|by| (0..bits).contains(&by));
            }
            ir::Expr::Cast(Type::Int(_), value) => rounding |= program.exprs.ty(value).is_float(),
            ir::Expr::Load { addr, ty, .. } => memory |= !objects.contain(program, addr, ty),
            _ => {}
        }
    }
    let mut add = |kind, text: &str| {
        program.notes.push(ir::Note { kind, span: ir::Span::default(), text: text.to_string() });
    };
    if signed && program.arithmetic == ir::Arithmetic::AssumeNoOverflow {
        add(NoteKind::Unchecked(CheckKind::Overflow), "no signed integer overflows");
    }
    if rounding {
        let text = "no floating number is converted to an integer type that cannot hold it";
        add(NoteKind::Unchecked(CheckKind::Overflow), text);
    }
    if division {
        add(NoteKind::Unchecked(CheckKind::Division), "no number is divided by zero");
    }
    if shift {
        add(NoteKind::Unchecked(CheckKind::Shift), "no shift is by less than zero or at least the width");
    }
    if memory || allocates {
        add(
            NoteKind::Unchecked(CheckKind::Memory),
            "no memory outside of live objects is read, written or freed",
        );
    }
    if addresses {
        add(NoteKind::Assumption, "objects lie where Craig puts them: nothing depends on their addresses");
    }
    if long_double {
        add(NoteKind::Assumption, "'long double' is as precise as 'double'");
    }
    if !errors {
        add(NoteKind::NoErrorCall, "the program contains no reachable error call: 'safe' says nothing");
    }
}
