//! Loops through which a clause of a proof goes on, with what the loop does not change.
//!
//! An invariant that stands at the head of a loop and nothing else has to say again all that was known before the loop
//! and is needed after it. Here (M. Barnett, K. R. M. Leino, *Weakest-precondition of unstructured programs*, PASTE
//! 2005) the symbolic state goes through the head: the formula must hold where the loop is entered; then everything
//! that the loop can change gets any value for which the formula holds, and the rest stays as it was. Where control
//! comes back to the head the formula must hold again, and that is the end of the path.
//!
//! Why this covers every run: take a visit to the head, and the last time before it at which the loop was entered. All
//! that happened since are edges of the loop, so the two states differ only in what these edges assign; the formula
//! holds in both. So the state at the visit is one of those with which the symbolic state at the head goes on. For
//! that, the loop must be entered through its head alone; a head of which this is not so ends clauses, as heads do
//! without frames.
//!
//! The formula may speak of the state in which the loop was entered, by the constants that stand for the entry of a
//! procedure elsewhere: `forall k: k < p implies heap[k] == heap@[k]`.
//!
//! Memory is changed as a whole, except where a loop writes to an address that it does not change: then it is changed
//! there. What the evaluation of that address would assume is not assumed, as the path that writes need not be taken.
//!
//! An address may be computed with variables that the loop itself assigns, as parameters of functions that it calls are. Where all
//! assignments to such a variable in the loop are of the same expression, every way from the head to a place where it is read
//! goes through one of them, and the loop does not change what the expression says, the variable always has the value there
//! that the expression has where the loop is entered.

use crate::invariant::{Invariant, after};
use crate::meaning::Meaning;
use crate::state::{State, sort};
use craig_base::{OrderedMap, OrderedSet, Set};
use craig_program::{Expr, ExprId, LocId, Place, Proc, Program, StateVar, Stmt, VarId, Wto, stmt_operands};
use craig_term::{TermId, Terms};

/// A loop by its head.
pub type Frames = OrderedMap<LocId, Frame>;

/// What is kept and what is said at the head of a loop.
#[derive(Clone, Debug)]
pub struct Frame {
    formula: TermId,
    inside: Set<LocId>,
    /// What changes as a whole.
    changed: OrderedSet<StateVar>,
    /// What changes at an address that stays the same.
    places: Vec<Written>,
}

/// A place in memory whose address stays the same.
#[derive(Clone, Debug)]
struct Written {
    place: Place,
    /// The variables of the loop that the address is computed with and the values that they always have, each after those
    /// that its value is computed with.
    through: Vec<(VarId, ExprId)>,
}

/// The frames of all loops whose heads have formulas.
pub fn frames(program: &Program, proc: &Proc, invariant: &Invariant) -> Frames {
    let wto = Wto::new(&proc.graph(), proc.entry);
    let mut frames = Frames::default();
    for component in &wto.components {
        let head = component.head;
        let inside: Set<LocId> = wto.order[component.start..component.end].iter().copied().collect();
        let Some(&formula) = invariant.formulas.get(&head) else { continue };
        if head != proc.entry && is_entered_at(proc, head, &inside) {
            let (changed, places) = changes(program, proc, head, &inside);
            frames.insert(head, Frame { formula, inside, changed, places });
        }
    }
    frames
}

/// Whether edges lead into the loop at its head only.
fn is_entered_at(proc: &Proc, head: LocId, inside: &Set<LocId>) -> bool {
    proc.edges.iter().all(|edge| edge.to == head || !inside.contains(&edge.to) || inside.contains(&edge.from))
}

/// What the edges of a loop assign.
fn changes(
    program: &Program,
    proc: &Proc,
    head: LocId,
    inside: &Set<LocId>,
) -> (OrderedSet<StateVar>, Vec<Written>) {
    let (mut vars, mut places): (OrderedSet<StateVar>, OrderedSet<Place>) = Default::default();
    for edge in proc.edges.iter().filter(|edge| inside.contains(&edge.from)) {
        match edge.stmt {
            Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => {}
            Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => {
                vars.insert(StateVar::Var(var));
            }
            Stmt::Assign(place, _) | Stmt::Input(place, _) => {
                places.insert(place);
            }
            Stmt::Alloc { var, .. } => {
                vars.insert(StateVar::Var(var));
                vars.extend(program.next_address.map(StateVar::Var));
            }
            // Segments refuse calls, or end at them.
            Stmt::Call { .. } => {}
        }
    }
    let mut written = vars.clone();
    for place in &places {
        if let Place::Memory { region, .. } = *place {
            written.insert(StateVar::Region(region));
        }
    }
    let mut kept = Vec::new();
    for place in places {
        let Place::Memory { region, addr, .. } = place else { continue };
        match through(program, proc, head, inside, &written, addr) {
            Some(through) => kept.push(Written { place, through }),
            None => {
                vars.insert(StateVar::Region(region));
            }
        }
    }
    (vars, kept)
}

/// So many steps lead from an address to what the loop does not change.
const MAX_STEPS: usize = 32;

/// How an address is computed, if it is always the same one.
fn through(
    program: &Program,
    proc: &Proc,
    head: LocId,
    inside: &Set<LocId>,
    written: &OrderedSet<StateVar>,
    addr: ExprId,
) -> Option<Vec<(VarId, ExprId)>> {
    let mut found: Vec<(VarId, ExprId)> = Vec::new();
    let mut pending = vec![addr];
    let mut steps = 0;
    while let Some(expr) = pending.pop() {
        for part in program.exprs.postorder(&[expr]) {
            match program.exprs.get(part) {
                Expr::Var(var) if written.contains(&StateVar::Var(var)) => {
                    steps += 1;
                    if steps > MAX_STEPS {
                        return None;
                    }
                    let value = only_value(program, proc, head, inside, var)?;
                    // What it is computed with comes after it here.
                    found.retain(|&(known, _)| known != var);
                    found.push((var, value));
                    pending.push(value);
                }
                Expr::Load { region, .. } if written.contains(&StateVar::Region(region)) => return None,
                _ => {}
            }
        }
    }
    found.reverse();
    Some(found)
}

/// What all assignments to a variable in a loop give it, if none of its values comes from before the head.
fn only_value(
    program: &Program,
    proc: &Proc,
    head: LocId,
    inside: &Set<LocId>,
    var: VarId,
) -> Option<ExprId> {
    // Allocations change it as well.
    if program.next_address == Some(var) {
        return None;
    }
    let mut values: OrderedSet<ExprId> = OrderedSet::default();
    let mut pending: Vec<LocId> = Vec::new();
    for edge in proc.edges.iter().filter(|edge| inside.contains(&edge.from)) {
        match edge.stmt {
            Stmt::Assign(Place::Var(assigned), value) if assigned == var => {
                values.insert(value);
            }
            Stmt::Input(Place::Var(assigned), _) | Stmt::Alloc { var: assigned, .. } if assigned == var => {
                return None;
            }
            Stmt::Call { .. } => return None,
            _ => {}
        }
        let is_var = |part: ExprId| matches!(program.exprs.get(part), Expr::Var(read) if read == var);
        if program.exprs.postorder(&stmt_operands(&edge.stmt)).into_iter().any(is_var) {
            pending.push(edge.from);
        }
    }
    let &[value] = &values.into_iter().collect::<Vec<ExprId>>()[..] else { return None };
    // Backwards from where it is read, to where it is assigned.
    let mut seen: Set<LocId> = Set::default();
    while let Some(location) = pending.pop() {
        if location == head {
            return None;
        }
        if !seen.insert(location) {
            continue;
        }
        for &edge in &proc.locations[location].incoming {
            let edge = &proc.edges[edge];
            if !matches!(edge.stmt, Stmt::Assign(Place::Var(assigned), _) if assigned == var) {
                pending.push(edge.from);
            }
        }
    }
    Some(value)
}

impl Frame {
    /// Whether an edge from the location to the head is one of the loop.
    pub fn contains(&self, location: LocId) -> bool {
        self.inside.contains(&location)
    }

    /// Turns the state in which the loop is entered into any in which its head is visited, and returns what is known
    /// of it.
    pub fn enter(&self, tm: &mut Terms, meaning: &mut Meaning<'_>, state: &mut State) -> TermId {
        let program = meaning.program;
        let entered = state.clone();
        let before = std::mem::take(&mut meaning.assumptions);
        let mut writes = Vec::new();
        for Written { place, through } in &self.places {
            let mut there = state.clone();
            for &(var, value) in through {
                let value = meaning.value(tm, &there, value);
                there.set(StateVar::Var(var), value);
            }
            if let Place::Memory { region, addr, ty } = *place {
                writes.push((region, meaning.value(tm, &there, addr), ty));
            }
        }
        meaning.assumptions.clear();
        for (region, addr, ty) in writes {
            let value = meaning.arbitrary(tm, ty);
            if let Some(contents) = meaning.store(tm, state, region, addr, ty, value) {
                state.set(StateVar::Region(region), contents);
            }
        }
        for &component in self.changed.iter().filter(|&&component| program.is_tracked(component)) {
            let value = match component {
                StateVar::Var(var) => meaning.arbitrary(tm, program.vars[var].ty),
                StateVar::Region(_) => {
                    let sort = sort(tm, program, component);
                    tm.fresh_const("any", sort)
                }
            };
            state.set(component, value);
        }
        let mut known = std::mem::replace(&mut meaning.assumptions, before);
        known.push(after(tm, program, state, Some(&entered), self.formula));
        tm.and(&known)
    }
}
