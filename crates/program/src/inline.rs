//! One procedure out of many: every call replaced by a copy of the callee.
//!
//! Each call site gets its own copies of the callee's locations and locals, so the result means the
//! same as the original as long as no procedure can be on the call stack twice, other than by tail calls, which
//! become loops. Parameters become assignments on the way in, the result an assignment on the way out; the error
//! locations of all copies are the one error location of the result. A local that may be read before it is assigned
//! has an arbitrary value in each call, so its copy gets one on the way in.
//!
//! The way back: a [`Context`] is a call string; every location and every edge of the result knows
//! its context and what it copies, and every copied variable has its original in [`Var::origin`].

use crate::callgraph::CallGraph;
use crate::effects::effects;
use crate::expr::ExprId;
use crate::ir::{
    Edge, EdgeId, InputSource, LocId, Location, Place, Proc, ProcId, Program, Scope, Stmt, Var, VarId,
};
use crate::liveness::Liveness;
use crate::state::StateVar;
use crate::tail;
use craig_base::{IndexVec, Map, OrderedMap, index_type};
use std::fmt;
use std::sync::Arc;

index_type!(
    /// A call string, in the arena of [`Inlined::contexts`].
    pub ContextId, "c"
);

/// One more call on top of the context of the caller. The entry procedure has no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    pub proc: ProcId,
    /// The caller's context and the edge of the call in the caller.
    pub call: Option<(ContextId, EdgeId)>,
}

/// What an edge of the result does for its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeRole {
    /// The statement itself.
    Statement,
    /// Passes an argument of the call, or an arbitrary value to an uninitialised local.
    Argument,
    /// Starts a procedure without an original edge: gives an arbitrary value to a parameter of the
    /// entry procedure, or nothing.
    Start,
    /// From the end of the arguments into the callee.
    Enter,
    /// From the callee's exit back to the caller, with the result.
    Return,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeOrigin {
    /// The context of the procedure that holds the original edge (for a call, of the caller).
    pub context: ContextId,
    /// The original edge. Meaningless for [`EdgeRole::Start`].
    pub edge: EdgeId,
    pub role: EdgeRole,
}

/// A program of one procedure, with its way back.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// Has one procedure. Variables, regions and objects of the original keep their ids; copies of
    /// locals follow.
    pub program: Program,
    pub contexts: IndexVec<ContextId, Context>,
    /// For each location: its context and the original location.
    pub locations: IndexVec<LocId, (ContextId, LocId)>,
    pub edges: IndexVec<EdgeId, EdgeOrigin>,
    /// The copies of locals, with the contexts that they belong to.
    pub locals: Map<VarId, ContextId>,
}

/// Why a program has no inlined view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineError {
    /// A procedure that is called can be on the call stack twice, and not only by tail calls.
    Recursion { proc: Arc<str> },
    /// The result would have more than `limit` edges.
    TooLarge { limit: usize },
}

impl fmt::Display for InlineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InlineError::Recursion { proc } => write!(f, "`{proc}` is recursive, so calls cannot be inlined"),
            InlineError::TooLarge { limit } => write!(f, "inlining all calls needs more than {limit} edges"),
        }
    }
}

impl std::error::Error for InlineError {}

/// Inlines all calls into the entry procedure, into at most `limit` edges.
pub fn inline(program: &Program, limit: usize) -> Result<Inlined, InlineError> {
    let calls = CallGraph::new(program);
    if let Some(proc) = tail::first_recursive(program, &calls) {
        return Err(InlineError::Recursion { proc: program.procs[proc].name.clone() });
    }
    let mut inliner = Inliner::new(program, limit);
    let effects = effects(program, &calls);
    for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc) && proc != program.entry) {
        let liveness = Liveness::of_procedure(program, proc, &effects);
        let Proc { entry, params, locals, .. } = &program.procs[proc];
        let read_first = |local: &VarId| liveness.is_live(*entry, StateVar::Var(*local));
        let locals = locals.iter().filter(|local| !params.contains(local) && read_first(local));
        inliner.unassigned.insert(proc, locals.copied().collect());
    }
    inliner.entry_arguments()?;
    while let Some(copy) = inliner.pending.pop() {
        inliner.copy_body(copy)?;
    }
    Ok(inliner.finish())
}

impl Inlined {
    /// The one procedure.
    pub fn proc(&self) -> &Proc {
        &self.program.procs[self.program.entry]
    }

    /// The edges by which each check of the original fails, where it can.
    pub fn failing_edges(&self, original: &Program) -> OrderedMap<usize, Vec<EdgeId>> {
        let checks = original.checks.iter().enumerate();
        let checks: Map<(ProcId, EdgeId), usize> =
            checks.map(|(place, check)| ((check.proc, check.edge), place)).collect();
        let mut failing: OrderedMap<usize, Vec<EdgeId>> = OrderedMap::default();
        for (edge, origin) in self.edges.enumerated() {
            let from = (self.contexts[origin.context].proc, origin.edge);
            if self.proc().edges[edge].to == self.proc().error
                && let Some(&check) = checks.get(&from)
            {
                failing.entry(check).or_default().push(edge);
            }
        }
        failing
    }

    /// The calls that lead to a context, outermost first.
    pub fn call_string(&self, context: ContextId) -> Vec<(ProcId, EdgeId)> {
        let mut calls = Vec::new();
        let mut current = context;
        while let Some((caller, edge)) = self.contexts[current].call {
            calls.push((self.contexts[caller].proc, edge));
            current = caller;
        }
        calls.reverse();
        calls
    }
}

/// A callee whose locals have copies and whose body has none yet.
struct Copy {
    context: ContextId,
    entry: LocId,
    exit: LocId,
    locals: Map<VarId, VarId>,
}

struct Inliner<'a> {
    original: &'a Program,
    limit: usize,
    result: Inlined,
    proc: Proc,
    /// Copies still to be filled, in the order of a depth-first walk.
    pending: Vec<Copy>,
    /// For each procedure that is called, the locals that may be read before they are assigned.
    unassigned: Map<ProcId, Vec<VarId>>,
}

impl<'a> Inliner<'a> {
    fn new(original: &'a Program, limit: usize) -> Self {
        let main = &original.procs[original.entry];
        let mut contexts = IndexVec::new();
        let root = contexts.push(Context { proc: original.entry, call: None });
        let mut program = original.clone();
        program.procs = IndexVec::new();
        program.entry = ProcId(0);
        // The originals of the copies are still there, but there is only one procedure to belong to.
        for var in program.vars.iter_mut() {
            if let Scope::Local(proc) = &mut var.scope {
                *proc = program.entry;
            }
        }
        let mut proc = Proc {
            obligations: Vec::new(),
            assumed: Vec::new(),
            name: main.name.clone(),
            span: main.span,
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            entry: LocId(0),
            exit: LocId(1),
            error: LocId(2),
        };
        let mut locations = IndexVec::new();
        for original_location in [main.entry, main.exit, main.error] {
            proc.add_location(main.locations[original_location].span);
            locations.push((root, original_location));
        }
        let result = Inlined { program, contexts, locations, edges: IndexVec::new(), locals: Map::default() };
        Inliner { original, limit, result, proc, pending: Vec::new(), unassigned: Map::default() }
    }

    /// The entry procedure starts with arbitrary arguments.
    fn entry_arguments(&mut self) -> Result<(), InlineError> {
        let root = ContextId(0);
        let main = &self.original.procs[self.original.entry];
        let locals = self.copy_locals(root, main);
        self.proc.result = main.result.map(|result| locals[&result]);
        let mut at = self.proc.entry;
        for param in &main.params {
            let next = self.add_location(root, main.entry);
            let origin = EdgeOrigin { context: root, edge: EdgeId(0), role: EdgeRole::Start };
            let stmt = Stmt::Input(Place::Var(locals[param]), InputSource::Argument);
            self.add_edge(Edge { from: at, to: next, stmt, span: main.span }, origin)?;
            at = next;
        }
        if at == self.proc.entry && !main.locations[main.entry].incoming.is_empty() {
            // The entry of the result starts the program and nothing else.
            let next = self.add_location(root, main.entry);
            let origin = EdgeOrigin { context: root, edge: EdgeId(0), role: EdgeRole::Start };
            self.add_edge(Edge { from: at, to: next, stmt: Stmt::Skip, span: main.span }, origin)?;
            at = next;
        }
        self.pending.push(Copy { context: root, entry: at, exit: self.proc.exit, locals });
        Ok(())
    }

    fn copy_body(&mut self, copy: Copy) -> Result<(), InlineError> {
        let original = self.original;
        let callee = &original.procs[self.result.contexts[copy.context].proc];
        let mut locations = IndexVec::<LocId, Option<LocId>>::from_elem(None, callee.locations.len());
        locations[callee.entry] = Some(copy.entry);
        locations[callee.exit] = Some(copy.exit);
        locations[callee.error] = Some(self.proc.error);
        if callee.entry == callee.exit {
            // An empty body; no statement stands after this edge.
            let origin = EdgeOrigin { context: copy.context, edge: EdgeId(0), role: EdgeRole::Start };
            let skip = Edge { from: copy.entry, to: copy.exit, stmt: Stmt::Skip, span: callee.span };
            self.add_edge(skip, origin)?;
            locations[callee.entry] = Some(copy.entry);
        }
        let mut exprs = Map::default();
        let first_new_call = self.pending.len();
        for (edge_id, edge) in callee.edges.enumerated() {
            if original.is_closed(&edge.stmt) {
                continue;
            }
            let [from, to] = [edge.from, edge.to].map(|location| {
                *locations[location].get_or_insert_with(|| self.add_location(copy.context, location))
            });
            let origin = EdgeOrigin { context: copy.context, edge: edge_id, role: EdgeRole::Statement };
            match &edge.stmt {
                Stmt::Call { callee, args, result } => {
                    let args: Vec<ExprId> =
                        args.iter().map(|&arg| self.rename(arg, &copy.locals, &mut exprs)).collect();
                    let result = result.map(|place| self.rename_place(place, &copy.locals, &mut exprs));
                    let call = Edge { from, to, ..edge.clone() };
                    if *callee == self.result.contexts[copy.context].proc {
                        self.copy_tail_call(&copy, &args, call, origin)?;
                    } else {
                        self.copy_call(*callee, &args, result, call, origin)?;
                    }
                }
                stmt => {
                    let stmt = self.rename_stmt(stmt, &copy.locals, &mut exprs);
                    self.add_edge(Edge { from, to, stmt, span: edge.span }, origin)?;
                }
            }
        }
        // Depth first: the first call of this body is filled next.
        self.pending[first_new_call..].reverse();
        Ok(())
    }

    fn copy_call(
        &mut self,
        callee_id: ProcId,
        args: &[ExprId],
        result: Option<Place>,
        call: Edge,
        origin: EdgeOrigin,
    ) -> Result<(), InlineError> {
        let original = self.original;
        let callee = &original.procs[callee_id];
        let context =
            self.result.contexts.push(Context { proc: callee_id, call: Some((origin.context, origin.edge)) });
        let locals = self.copy_locals(context, callee);
        let assigned: Vec<(VarId, ExprId)> =
            callee.params.iter().zip(args).map(|(param, &arg)| (locals[param], arg)).collect();
        // Arguments mention only the caller's variables, which the parameters' copies are not among.
        let at = self.pass(callee_id, &assigned, &locals, &call, origin)?;
        let entry = self.add_location(context, callee.entry);
        let exit = self.add_location(context, callee.exit);
        let enter = EdgeOrigin { role: EdgeRole::Enter, ..origin };
        self.add_edge(Edge { from: at, to: entry, stmt: Stmt::Skip, span: call.span }, enter)?;
        let stmt = match (result, callee.result) {
            (Some(place), Some(value)) => {
                let value = self.result.program.var_expr(locals[&value]);
                Stmt::Assign(place, value)
            }
            // C allows to use a missing result as long as its value does not matter.
            (Some(place), None) => Stmt::Input(place, InputSource::Uninitialised),
            (None, _) => Stmt::Skip,
        };
        let back = EdgeOrigin { role: EdgeRole::Return, ..origin };
        self.add_edge(Edge { from: exit, to: call.to, stmt, span: call.span }, back)?;
        self.pending.push(Copy { context, entry, exit, locals });
        Ok(())
    }

    /// The callee takes over the copy of the caller.
    fn copy_tail_call(
        &mut self,
        copy: &Copy,
        args: &[ExprId],
        call: Edge,
        origin: EdgeOrigin,
    ) -> Result<(), InlineError> {
        let original = self.original;
        let callee_id = self.result.contexts[copy.context].proc;
        // The arguments may mention the parameters: all are evaluated before the first is assigned.
        let (mut evaluated, mut assigned) = (Vec::new(), Vec::new());
        for (&param, &arg) in original.procs[callee_id].params.iter().zip(args) {
            let value = self.copy_local(copy.context, param);
            evaluated.push((value, arg));
            assigned.push((copy.locals[&param], self.result.program.var_expr(value)));
        }
        evaluated.extend(assigned);
        let at = self.pass(callee_id, &evaluated, &copy.locals, &call, origin)?;
        let enter = EdgeOrigin { role: EdgeRole::Enter, ..origin };
        self.add_edge(Edge { from: at, to: copy.entry, stmt: Stmt::Skip, span: call.span }, enter)
    }

    /// Assigns to the parameters of a callee, and anything to the locals that it may read unassigned.
    fn pass(
        &mut self,
        callee: ProcId,
        assigned: &[(VarId, ExprId)],
        locals: &Map<VarId, VarId>,
        call: &Edge,
        origin: EdgeOrigin,
    ) -> Result<LocId, InlineError> {
        let unassigned = self.unassigned.get(&callee).cloned().unwrap_or_default();
        let assign = |&(var, value): &(VarId, ExprId)| Stmt::Assign(Place::Var(var), value);
        let forget = |local: VarId| Stmt::Input(Place::Var(locals[&local]), InputSource::Uninitialised);
        let caller_location = self.result.locations[call.from].1;
        let origin = EdgeOrigin { role: EdgeRole::Argument, ..origin };
        let mut at = call.from;
        for stmt in assigned.iter().map(assign).chain(unassigned.into_iter().map(forget)) {
            let next = self.add_location(origin.context, caller_location);
            self.add_edge(Edge { from: at, to: next, stmt, span: call.span }, origin)?;
            at = next;
        }
        Ok(at)
    }

    fn copy_locals(&mut self, context: ContextId, proc: &Proc) -> Map<VarId, VarId> {
        proc.locals.iter().map(|&local| (local, self.copy_local(context, local))).collect()
    }

    fn copy_local(&mut self, context: ContextId, local: VarId) -> VarId {
        let var = &self.original.vars[local];
        let copy = Var { scope: Scope::Local(ProcId(0)), origin: Some(local), ..var.clone() };
        let copy = self.result.program.vars.push(copy);
        self.proc.locals.push(copy);
        self.result.locals.insert(copy, context);
        copy
    }

    fn add_location(&mut self, context: ContextId, original: LocId) -> LocId {
        let proc = &self.original.procs[self.result.contexts[context].proc];
        self.result.locations.push((context, original));
        self.proc.locations.push(Location { span: proc.locations[original].span, ..Location::default() })
    }

    fn add_edge(&mut self, edge: Edge, origin: EdgeOrigin) -> Result<(), InlineError> {
        if self.proc.edges.len() >= self.limit {
            return Err(InlineError::TooLarge { limit: self.limit });
        }
        self.result.edges.push(origin);
        self.proc.add_edge(edge.from, edge.to, edge.stmt, edge.span);
        Ok(())
    }

    fn rename(&mut self, expr: ExprId, locals: &Map<VarId, VarId>, memo: &mut Map<ExprId, ExprId>) -> ExprId {
        self.result.program.rename_vars(expr, memo, &|var| locals.get(&var).copied())
    }

    fn rename_place(
        &mut self,
        place: Place,
        locals: &Map<VarId, VarId>,
        memo: &mut Map<ExprId, ExprId>,
    ) -> Place {
        match place {
            Place::Var(var) => Place::Var(locals.get(&var).copied().unwrap_or(var)),
            Place::Memory { region, addr, ty } => {
                Place::Memory { region, addr: self.rename(addr, locals, memo), ty }
            }
        }
    }

    fn rename_stmt(
        &mut self,
        stmt: &Stmt,
        locals: &Map<VarId, VarId>,
        memo: &mut Map<ExprId, ExprId>,
    ) -> Stmt {
        match stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assume(cond) => Stmt::Assume(self.rename(*cond, locals, memo)),
            Stmt::Assign(place, value) => {
                Stmt::Assign(self.rename_place(*place, locals, memo), self.rename(*value, locals, memo))
            }
            Stmt::Input(place, source) => {
                Stmt::Input(self.rename_place(*place, locals, memo), source.clone())
            }
            Stmt::Alloc { var, size } => Stmt::Alloc {
                var: locals.get(var).copied().unwrap_or(*var),
                size: self.rename(*size, locals, memo),
            },
            Stmt::Free(addr) => Stmt::Free(self.rename(*addr, locals, memo)),
            Stmt::Call { .. } => unreachable!("calls are copied, not renamed"),
        }
    }

    fn finish(mut self) -> Inlined {
        self.result.program.procs.push(self.proc);
        self.result
    }
}

impl Program {
    /// `expr` with variables replaced where `rename` says so. `memo` belongs to one `rename`.
    fn rename_vars(
        &mut self,
        expr: ExprId,
        memo: &mut Map<ExprId, ExprId>,
        rename: &dyn Fn(VarId) -> Option<VarId>,
    ) -> ExprId {
        let Program { exprs, vars, data_model, .. } = self;
        exprs.rewrite(expr, *data_model, memo, &mut |exprs, id| match exprs.get(id) {
            crate::expr::Expr::Var(var) => rename(var).map(|copy| exprs.var(copy, vars[copy].ty)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use crate::types::Type;

    /// `inc(a) { r = a + 1; if (r < a) error; }`, called twice by main: `x = inc(inc(x))`.
    fn two_calls() -> Program {
        let mut b = Builder::new();
        let main = b.proc;
        let inc = b.start_proc("inc");
        let a = b.param("a");
        let r = b.int("r");
        b.proc().result = Some(r);
        let (after, one, get_a, get_r) = (b.loc(), b.lit(1), b.get(a), b.get(r));
        let sum = b.add(get_a, one);
        b.assign(ENTRY, after, r, sum);
        let bad = b.lt(get_r, get_a);
        b.branch(after, ERROR, EXIT, bad);
        b.proc = main;
        let x = b.param("x");
        let middle = b.loc();
        let get_x = b.get(x);
        for (from, to) in [(ENTRY, middle), (middle, EXIT)] {
            let call = Stmt::Call { callee: inc, args: vec![get_x], result: Some(Place::Var(x)) };
            b.edge(from, to, call);
        }
        b.program
    }

    #[test]
    fn each_call_site_has_its_own_copy() {
        let program = two_calls();
        let inlined = inline(&program, 1000).expect("not recursive");
        let proc = inlined.proc();
        let copies =
            inlined.program.vars.iter().filter(|v| v.origin.is_some_and(|o| &*program.vars[o].name == "r"));
        assert_eq!(copies.count(), 2);
        assert!(proc.edges.iter().all(|e| !matches!(e.stmt, Stmt::Call { .. })));
        let into_error = proc.locations[proc.error].incoming.len();
        assert_eq!(into_error, 2, "{}", inlined.program);
        assert_eq!(inlined.edges.len(), proc.edges.len());
        assert_eq!(inlined.locations.len(), proc.locations.len());
        assert_eq!(inlined.program.vars.iter().filter(|v| v.ty == Type::I32).count(), 3 + 5);
    }

    #[test]
    fn recursion_and_size_have_names() {
        let mut program = two_calls();
        assert_eq!(inline(&program, 5).expect_err("too small"), InlineError::TooLarge { limit: 5 });
        let call = Stmt::Call { callee: ProcId(1), args: vec![], result: None };
        let inc = &mut program.procs[ProcId(1)];
        inc.add_edge(ENTRY, EXIT, call, crate::ir::Span::default());
        assert_eq!(
            inline(&program, 1000).expect_err("recursive"),
            InlineError::Recursion { proc: "inc".into() }
        );
    }
}
