//! What statements and procedures read and write of the state.

use crate::bitset::BitSet;
use crate::callgraph::CallGraph;
use crate::expr::{Expr, ExprId};
use crate::ir::{Place, ProcId, Program, RegionId, Scope, Stmt, VarId};
use crate::state::StateVar;
use craig_base::{Index, IndexVec, OrderedSet};

/// All state components of a program as one range of numbers: variables, then regions.
#[derive(Clone, Copy, Debug)]
pub struct StateIndex {
    vars: usize,
    regions: usize,
}

impl StateIndex {
    pub fn new(program: &Program) -> Self {
        StateIndex { vars: program.vars.len(), regions: program.regions.len() }
    }

    pub fn size(self) -> usize {
        self.vars + self.regions
    }

    pub fn of(self, var: StateVar) -> usize {
        match var {
            StateVar::Var(var) => var.index(),
            StateVar::Region(region) => self.vars + region.index(),
        }
    }

    pub fn at(self, i: usize) -> StateVar {
        if i < self.vars {
            StateVar::Var(VarId::from_usize(i))
        } else {
            StateVar::Region(RegionId::from_usize(i - self.vars))
        }
    }
}

/// The variables and regions that an expression reads, each once, in a fixed order.
pub fn reads(program: &Program, roots: &[ExprId]) -> Vec<StateVar> {
    program
        .exprs
        .postorder(roots)
        .into_iter()
        .filter_map(|id| match program.exprs.get(id) {
            Expr::Var(var) => Some(StateVar::Var(var)),
            Expr::Load { region, .. } => Some(StateVar::Region(region)),
            _ => None,
        })
        .collect::<OrderedSet<StateVar>>()
        .into_iter()
        .collect()
}

/// The variables that a statement itself writes.
pub fn written_vars(program: &Program, stmt: &Stmt) -> Vec<VarId> {
    match *stmt {
        Stmt::Assign(Place::Var(var), _)
        | Stmt::Input(Place::Var(var), _)
        | Stmt::Call { result: Some(Place::Var(var)), .. } => vec![var],
        Stmt::Alloc { var, .. } => [var].into_iter().chain(program.next_address).collect(),
        _ => Vec::new(),
    }
}

/// What a procedure, with all it calls, may read and write of the global state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    pub reads: BitSet,
    pub writes: BitSet,
    /// Whether an error location may be reached in it.
    pub fails: bool,
}

/// The effects of all procedures; a fixpoint over the call graph.
pub fn effects(program: &Program, calls: &CallGraph) -> IndexVec<ProcId, Effect> {
    let index = StateIndex::new(program);
    let empty = Effect { reads: BitSet::new(index.size()), writes: BitSet::new(index.size()), fails: false };
    let mut effects: IndexVec<ProcId, Effect> = IndexVec::from_elem(empty, program.procs.len());
    for (proc, body) in program.procs.enumerated() {
        for edge in &body.edges {
            own_effect(program, index, &edge.stmt, &mut effects[proc]);
            effects[proc].fails |= edge.to == body.error && !program.is_closed(&edge.stmt);
        }
    }
    for component in &calls.components {
        // Within a component everyone reaches everyone, so one round over the sum suffices.
        let mut sum = effects[component[0]].clone();
        for &proc in component {
            sum.reads.union_with(&effects[proc].reads);
            sum.writes.union_with(&effects[proc].writes);
            sum.fails |= effects[proc].fails;
            for &callee in calls.calls.successors(proc) {
                sum.reads.union_with(&effects[callee].reads);
                sum.writes.union_with(&effects[callee].writes);
                sum.fails |= effects[callee].fails;
            }
        }
        for &proc in component {
            effects[proc] = sum.clone();
        }
    }
    effects
}

fn own_effect(program: &Program, index: StateIndex, stmt: &Stmt, effect: &mut Effect) {
    let is_global = |var: StateVar| match var {
        StateVar::Var(var) => matches!(program.vars[var].scope, Scope::Global { .. }),
        StateVar::Region(_) => true,
    };
    for var in reads(program, &stmt_operands(stmt)).into_iter().filter(|&var| is_global(var)) {
        effect.reads.insert(index.of(var));
    }
    let place = match stmt {
        Stmt::Assign(place, _) | Stmt::Input(place, _) => Some(*place),
        Stmt::Call { result, .. } => *result,
        Stmt::Alloc { var, .. } => {
            if let Some(next) = program.next_address {
                effect.reads.insert(index.of(StateVar::Var(next)));
                effect.writes.insert(index.of(StateVar::Var(next)));
            }
            Some(Place::Var(*var))
        }
        Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => None,
    };
    let written = match place {
        Some(Place::Var(var)) => StateVar::Var(var),
        Some(Place::Memory { region, .. }) => {
            // A store keeps the rest of the region.
            effect.reads.insert(index.of(StateVar::Region(region)));
            StateVar::Region(region)
        }
        None => return,
    };
    if is_global(written) {
        effect.writes.insert(index.of(written));
    }
}

/// Whether a statement is a call in which an error may be reached.
pub fn is_failing_call(stmt: &Stmt, effects: &IndexVec<ProcId, Effect>) -> bool {
    matches!(stmt, Stmt::Call { callee, .. } if effects.get(*callee).is_some_and(|effect| effect.fails))
}

/// Every expression that a statement evaluates.
pub fn stmt_operands(stmt: &Stmt) -> Vec<ExprId> {
    let address = |place: &Place| match place {
        Place::Var(_) => None,
        Place::Memory { addr, .. } => Some(*addr),
    };
    match stmt {
        Stmt::Skip => Vec::new(),
        Stmt::Assume(expr) | Stmt::Free(expr) | Stmt::Alloc { size: expr, .. } => vec![*expr],
        Stmt::Assign(place, value) => address(place).into_iter().chain([*value]).collect(),
        Stmt::Input(place, _) => address(place).into_iter().collect(),
        Stmt::Call { args, result, .. } => {
            args.iter().copied().chain(result.as_ref().and_then(address)).collect()
        }
    }
}
