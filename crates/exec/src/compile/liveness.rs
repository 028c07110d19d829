//! Which local variables may be read before they are assigned: those that are live at the entry of
//! their procedure.

use craig_base::{IndexVec, Map};
use craig_program::{EdgeId, Expr, ExprId, LocId, Place, ProcId, Program, Stmt, VarId};

/// In order; parameters excepted.
pub fn read_before_assigned(program: &Program, id: ProcId, locals: &[VarId]) -> Vec<VarId> {
    let proc = &program.procs[id];
    let numbers: Map<VarId, usize> = locals.iter().enumerate().map(|(number, &var)| (var, number)).collect();
    let words = locals.len().div_ceil(64);
    let effects: IndexVec<EdgeId, Effect> =
        proc.edges.iter().map(|edge| Effect::of(program, &edge.stmt, &numbers)).collect();
    let mut live: IndexVec<LocId, Vec<u64>> = IndexVec::from_elem(vec![0; words], proc.locations.len());
    let mut waiting = IndexVec::from_elem(true, proc.locations.len());
    let mut work: Vec<LocId> = proc.locations.indices().collect();
    if let Some(&number) = proc.result.and_then(|var| numbers.get(&var)) {
        live[proc.exit][number / 64] |= 1 << (number % 64);
    }
    while let Some(loc) = work.pop() {
        waiting[loc] = false;
        let mut state = live[loc].clone();
        for &edge in &proc.locations[loc].outgoing {
            let effect = &effects[edge];
            for (word, &after) in live[proc.edges[edge].to].iter().enumerate() {
                let assigned = match effect.assigned {
                    Some(number) if number / 64 == word => 1 << (number % 64),
                    _ => 0,
                };
                state[word] |= after & !assigned;
            }
            for &number in &effect.read {
                state[number / 64] |= 1 << (number % 64);
            }
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
    let entry = &live[proc.entry];
    (0..locals.len())
        .filter(|number| entry[number / 64] >> (number % 64) & 1 == 1)
        .map(|number| locals[number])
        .filter(|var| !proc.params.contains(var))
        .collect()
}

/// The local variables, by number, that a statement reads and then assigns.
struct Effect {
    read: Vec<usize>,
    assigned: Option<usize>,
}

impl Effect {
    fn of(program: &Program, stmt: &Stmt, numbers: &Map<VarId, usize>) -> Effect {
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
