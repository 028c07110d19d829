//! Which local variables may be read before they are assigned: those that are live at the entry of
//! their procedure.

use craig_base::{IndexVec, Map};
use craig_program::{EdgeId, Expr, ExprId, LocId, Place, ProcId, Program, SharedSet, Stmt, VarId};

/// In order; parameters excepted.
pub fn read_before_assigned(program: &Program, id: ProcId, locals: &[VarId]) -> Vec<VarId> {
    let proc = &program.procs[id];
    let numbers: Map<VarId, u32> = (0..).zip(locals).map(|(number, &var)| (var, number)).collect();
    let effects: IndexVec<EdgeId, Effect> =
        proc.edges.iter().map(|edge| Effect::of(program, &edge.stmt, &numbers)).collect();
    let mut live: IndexVec<LocId, SharedSet> =
        IndexVec::from_elem(SharedSet::default(), proc.locations.len());
    live[proc.exit] = proc.result.and_then(|var| numbers.get(&var)).copied().into_iter().collect();
    let mut waiting = IndexVec::from_elem(true, proc.locations.len());
    // The last ones are taken first.
    let mut work: Vec<LocId> = proc.graph().reverse_postorder(proc.locations.indices());
    while let Some(loc) = work.pop() {
        waiting[loc] = false;
        let mut state = live[loc].clone();
        for &edge in &proc.locations[loc].outgoing {
            let effect = &effects[edge];
            let after = &live[proc.edges[edge].to];
            state = state.union(&after.changed(effect.assigned, effect.read.iter().copied()));
        }
        if state != live[loc] {
            live[loc] = state;
            for &edge in &proc.locations[loc].incoming {
                let from = proc.edges[edge].from;
                if !std::mem::replace(&mut waiting[from], true) {
                    work.push(from);
                }
            }
        }
    }
    let read = live[proc.entry].iter().map(|number| locals[number as usize]);
    read.filter(|var| !proc.params.contains(var)).collect()
}

/// The local variables, by number, that a statement reads and then assigns.
struct Effect {
    read: Vec<u32>,
    assigned: Option<u32>,
}

impl Effect {
    fn of(program: &Program, stmt: &Stmt, numbers: &Map<VarId, u32>) -> Effect {
        let mut roots: Vec<ExprId> = Vec::new();
        let mut target = None;
        match stmt {
            Stmt::Skip => {}
            Stmt::Assume(e) | Stmt::Free(e) => roots.push(*e),
            Stmt::Assign(place, e) => {
                roots.push(*e);
                target = Some(*place);
            }
            Stmt::Input(place, _) => target = Some(*place),
            Stmt::Call { args, result, .. } => {
                roots.extend(args);
                target = *result;
            }
            Stmt::Alloc { var, size } => {
                roots.push(*size);
                target = Some(Place::Var(*var));
            }
        }
        let assigned = match target {
            Some(Place::Var(var)) => numbers.get(&var).copied(),
            Some(Place::Memory { addr, .. }) => {
                roots.push(addr);
                None
            }
            None => None,
        };
        let read = program
            .exprs
            .postorder(&roots)
            .into_iter()
            .filter_map(|id| match program.exprs.get(id) {
                Expr::Var(var) => numbers.get(&var).copied(),
                _ => None,
            })
            .collect();
        Effect { read, assigned }
    }
}
