//! Loops that are cut at their heads: induction over the visits of a run (Sheeran, Singh and Stålmarck, *Checking safety
//! properties using induction and a SAT-solver*, 2000), with invariants.
//!
//! With depth `k`, the first `k - 1` iterations of a loop are unwound as they are, and the invariant must hold at all
//! of their visits to the head. Besides, `k` iterations are unwound from any state in which the loop can have begun
//! one: what the loop assigns has any value. There the invariant holds at the first `k` visits, and must hold at the
//! one after; and since only the last of these iterations is in question, no path leaves the loop in another one. Which
//! of the two a run is in is its own choice.
//!
//! Why this covers every run: take the first moment at which one fails, leaves the bounds or breaks an invariant, and
//! of every loop that it entered on the way there the last `k` visits to its head before it left the loop, or before
//! that moment; where there are fewer, it is among the iterations that are unwound as they are. What the loop does not
//! assign is still as it was when the loop was entered.
//!
//! | number of the iteration in a key | the visit at its beginning |
//! |---|---|
//! | `0` to `k - 1` | from the entry of the loop on; the last one ends there |
//! | `k` | any state that the invariant allows |
//! | `k + 1` to `2 k - 1` | after it, with the invariant |
//! | `2 k` | where the invariant must hold |

use super::machine::{Machine, State};
use super::meaning::bits;
use super::{Failure, Induction, LIMITS, UnwindingRejection};
use crate::invariant::components;
use crate::state::initial;
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_program::{Expr, LocId, Place, Proc, ProcId, Program, RegionId, StateVar, Stmt, VarId};
use craig_term::{TermId, Terms};
use std::rc::Rc;

/// Loops with invariants.
#[derive(Default)]
pub(super) struct Cuts<'a> {
    depth: u32,
    invariants: Option<(&'a Terms, &'a OrderedMap<LocId, TermId>)>,
    /// What the constants of formulas stand for.
    pub components: Map<TermId, StateVar>,
}

impl<'a> Cuts<'a> {
    pub fn new(
        terms: &'a mut Terms,
        program: &Program,
        induction: &'a Induction,
    ) -> Result<Self, UnwindingRejection> {
        if induction.depth == 0 {
            return Err(Failure::Unsupported("an induction without a step").into());
        }
        let proc = &program.procs[program.entry];
        if proc.edges.iter().any(|edge| matches!(edge.stmt, Stmt::Call { .. })) {
            return Err(Failure::Unsupported("a program with calls").into());
        }
        let all = components(program, proc).into_iter().chain(floats(program, proc));
        let components = all.map(|component| (initial(terms, program, component), component)).collect();
        let invariants = Some((&*terms, &induction.invariant.formulas));
        Ok(Cuts { depth: induction.depth, invariants, components })
    }

    /// The invariant at the head of a loop.
    pub fn at(&self, program: &Program, proc: ProcId, head: LocId) -> Option<(&'a Terms, TermId)> {
        let (terms, formulas) = self.invariants.filter(|_| proc == program.entry)?;
        formulas.get(&head).map(|&formula| (terms, formula))
    }
}

/// The part of the state that other formulas do not speak of.
fn floats(program: &Program, proc: &Proc) -> impl Iterator<Item = StateVar> {
    let globals = program.globals().map(StateVar::Var);
    let locals = proc.locals.iter().map(|&var| StateVar::Var(var));
    let regions = program.regions.indices().map(StateVar::Region);
    globals.chain(locals).chain(regions).filter(|&component| !program.is_tracked(component))
}

/// What the iterations of a loop can change.
#[derive(Default)]
struct Changes {
    vars: OrderedSet<VarId>,
    /// Address and bytes.
    places: OrderedSet<(u64, u64)>,
    regions: OrderedSet<RegionId>,
    frees: bool,
}

impl Machine<'_> {
    /// The state in which a run goes on from a location; none if it has come far enough.
    pub fn at_head(
        &mut self,
        id: ProcId,
        location: LocId,
        key: &[u32],
        mut state: State,
    ) -> Result<Option<State>, Failure> {
        if !self.shapes[id].wto.is_head(location) {
            return Ok(Some(state));
        }
        let Some((terms, formula)) = self.cuts.at(self.program, id, location) else {
            return Ok(Some(state));
        };
        let depth = self.cuts.depth;
        let visit = key[key.len() - 2];
        if visit == depth {
            self.forget(id, location, &mut state)?;
        }
        let holds = self.holds(&state, terms, formula)?;
        if (depth..2 * depth).contains(&visit) {
            return Ok(self.assume(&state, holds).then_some(state));
        }
        let broken = self.gates.and(state.here, -holds);
        self.bad.push(broken);
        if visit == 0 {
            // The invariant is assumed of runs that go on from anywhere; one that has broken it need not be among them.
            let mut anywhere = state.clone();
            let first = self.gates.free();
            state.here = self.gates.and(state.here, first);
            anywhere.here = self.gates.and(anywhere.here, -first);
            let mut key = key.to_vec();
            let iteration = key.len() - 2;
            key[iteration] = depth;
            if let Some(activation) = self.stack.last_mut() {
                activation.waiting.insert(key, (location, anywhere));
            }
        }
        Ok((visit + 1 < depth).then_some(state))
    }

    /// Whether a loop is left in an iteration that only leads to the one in question.
    pub fn leaves_too_early(&self, id: ProcId, from: Option<&(Vec<u32>, LocId)>, location: LocId) -> bool {
        let Some((key, source)) = from else { return false };
        let (depth, wto) = (self.cuts.depth, &self.shapes[id].wto);
        let mut around: Vec<LocId> = wto.heads(*source).collect();
        around.reverse();
        around.iter().enumerate().any(|(i, &head)| {
            let early = depth > 0 && (depth..2 * depth - 1).contains(&key[2 * i + 1]);
            early
                && self.cuts.at(self.program, id, head).is_some()
                && wto.heads(location).all(|other| other != head)
        })
    }

    /// Gives any value to what the loop can change.
    fn forget(&mut self, id: ProcId, head: LocId, state: &mut State) -> Result<(), Failure> {
        let changes = self.changes(id, head)?;
        let program = self.program;
        for &var in &changes.vars {
            let word = self.gates.free_word(bits(program, program.vars[var].ty));
            self.write(state, var, Rc::new(word));
        }
        let mut places: Vec<(u64, u64)> = changes.places.into_iter().collect();
        for &region in &changes.regions {
            let objects = program.regions[region].objects.iter().map(|&object| &program.objects[object]);
            places.extend(objects.map(|object| (object.address, object.size)));
            if program.regions[region].allocated {
                places.extend(state.memory.allocated());
            }
        }
        if places.iter().map(|&(_, size)| size).sum::<u64>() > LIMITS.places as u64 {
            return Err(Failure::TooLarge);
        }
        for (start, size) in places {
            state.memory.forget(&mut self.gates, start, size);
        }
        if changes.frees {
            state.memory.free_some(&mut self.gates);
        }
        Ok(())
    }

    fn changes(&self, id: ProcId, head: LocId) -> Result<Changes, Failure> {
        let (program, wto) = (self.program, &self.shapes[id].wto);
        let mut changes = Changes::default();
        for edge in &program.procs[id].edges {
            if !wto.contains(edge.from) || wto.heads(edge.from).all(|other| other != head) {
                continue;
            }
            match edge.stmt {
                Stmt::Skip | Stmt::Assume(_) => {}
                Stmt::Assign(place, _) | Stmt::Input(place, _) => match place {
                    Place::Var(var) => {
                        changes.vars.insert(var);
                    }
                    Place::Memory { addr, ty, region } => match program.exprs.get(addr) {
                        Expr::Const(_, address) => {
                            let address = u64::try_from(address).map_err(|_| Failure::TooLarge)?;
                            changes.places.insert((address, u64::from(program.size_of(ty))));
                        }
                        _ => {
                            changes.regions.insert(region);
                        }
                    },
                },
                Stmt::Free(_) => changes.frees = true,
                Stmt::Alloc { .. } => return Err(Failure::Unsupported("an allocation in a loop")),
                Stmt::Call { .. } => return Err(Failure::Unsupported("a call in a loop")),
            }
        }
        Ok(changes)
    }
}
