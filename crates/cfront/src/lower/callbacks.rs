//! Functions that are handed other functions get a copy for each of these, where they would be recursive otherwise.
//!
//! `create(insert)` calls what it is given. With one `create` for all its callers, it seems to call itself as soon as
//! one of the functions that it is given calls it in turn, with another one; then nothing that inlines calls applies.
//! Of copies, each of which knows by name what it calls, no one does.

use craig_base::{IndexVec, Map, Set};
use craig_program as ir;
use ir::{ExprId, Place, ProcId, Stmt, VarId};

use super::Lowering;

/// Programs that hand on more functions keep what they have.
const MAX_COPIES: usize = 200;

impl Lowering<'_> {
    pub(super) fn copy_for_callbacks(&mut self) {
        let called: Set<(ProcId, VarId)> = self
            .indirect_calls
            .iter()
            .filter_map(|call| Some((call.proc, self.var(call.pointer)?)))
            .collect();
        if called.is_empty() || self.next_callback(&called, &IndexVec::new()).is_none() {
            return;
        }
        let recursive = self.recursive_by_pointers();
        let mut copies: Map<(ProcId, usize, ExprId), ProcId> = Map::default();
        while let Some((caller, edge, position, value)) = self.next_callback(&called, &recursive) {
            let Stmt::Call { callee, .. } = self.out.procs[caller].edges[edge].stmt else { break };
            if copies.len() == MAX_COPIES {
                break;
            }
            let copy = match copies.get(&(callee, position, value)) {
                Some(&copy) => copy,
                None => {
                    let param = self.out.procs[callee].params[position];
                    let copy = self.copy_proc(callee, &[(param, value)]);
                    copies.insert((callee, position, value), copy);
                    copy
                }
            };
            if let Stmt::Call { callee, .. } = &mut self.out.procs[caller].edges[edge].stmt {
                *callee = copy;
            }
        }
    }

    /// A call that hands over a function by its name, to one that calls it and is recursive (all, where nothing is said
    /// of that): the caller, the edge, which argument, and its value.
    fn next_callback(
        &self,
        called: &Set<(ProcId, VarId)>,
        recursive: &IndexVec<ProcId, bool>,
    ) -> Option<(ProcId, ir::EdgeId, usize, ExprId)> {
        for (caller, proc) in self.out.procs.enumerated() {
            for (id, edge) in proc.edges.enumerated() {
                let Stmt::Call { callee, args, .. } = &edge.stmt else { continue };
                // Copies know what they call.
                if !recursive.is_empty() && recursive.get(*callee) != Some(&true) {
                    continue;
                }
                for (position, &arg) in args.iter().enumerate() {
                    let Some(&param) = self.out.procs[*callee].params.get(position) else { continue };
                    let arg = self.value_before(proc, edge.from, arg);
                    if called.contains(&(*callee, param))
                        && self.is_function(arg)
                        && !self.out.procs[*callee].edges.iter().any(|edge| writes(&edge.stmt, param))
                    {
                        return Some((caller, id, position, arg));
                    }
                }
            }
        }
        None
    }

    fn var(&self, e: ExprId) -> Option<VarId> {
        match self.out.exprs.get(e) {
            ir::Expr::Var(var) => Some(var),
            _ => None,
        }
    }

    /// What an expression is at a location of a procedure, if it is a local to which the straight way there assigns.
    fn value_before(&self, proc: &ir::Proc, mut at: ir::LocId, e: ExprId) -> ExprId {
        let is_local = |var: &VarId| matches!(self.out.vars[*var].scope, ir::Scope::Local(_));
        let Some(var) = self.var(e).filter(is_local) else { return e };
        for _ in 0..proc.edges.len() {
            let &[edge] = &proc.locations[at].incoming[..] else { break };
            match &proc.edges[edge].stmt {
                Stmt::Assign(Place::Var(written), value) if *written == var => return *value,
                stmt if writes(stmt, var) => break,
                _ => at = proc.edges[edge].from,
            }
            if at == proc.entry {
                break;
            }
        }
        e
    }

    /// Whether an expression is the address of a function.
    fn is_function(&self, e: ExprId) -> bool {
        let address = self.out.exprs.as_const(e).and_then(|value| u64::try_from(value).ok());
        address.is_some_and(|address| self.function_addresses.iter().any(|&known| known == Some(address)))
    }

    /// Which procedures can be on the call stack twice, where pointers lead to whatever they may point to.
    fn recursive_by_pointers(&mut self) -> IndexVec<ProcId, bool> {
        let mut graph = ir::CallGraph::new(&self.out).calls;
        let calls = self.indirect_calls.clone();
        let (targets, _) = self.indirect_targets(&calls);
        for (call, targets) in calls.iter().zip(targets) {
            for target in targets.iter().filter_map(|(target, _)| self.procs[*target]) {
                graph.add_edge(call.proc, target);
            }
        }
        let mut recursive = IndexVec::from_elem(false, self.out.procs.len());
        for component in graph.cycles() {
            component.into_iter().for_each(|proc| recursive[proc] = true);
        }
        recursive
    }
}

/// Whether a statement gives a value to a variable.
fn writes(stmt: &Stmt, var: VarId) -> bool {
    match stmt {
        Stmt::Assign(place, _) | Stmt::Input(place, _) => *place == Place::Var(var),
        Stmt::Call { result, .. } => *result == Some(Place::Var(var)),
        Stmt::Alloc { var: written, .. } => *written == var,
        Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => false,
    }
}
