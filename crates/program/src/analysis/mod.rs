//! Interval analysis: for every variable at every loop head an interval that holds whenever the
//! head is reached, and for every edge whether it can be taken at all.
//!
//! The analysis is conditional (Wegman and Zadeck's name for it, with constants): nothing flows
//! along an edge whose assumption fails in the state before it. Constants are intervals of one
//! value, so this is constant propagation as well. Truth values are the intervals within [0, 1].
//!
//! States are kept only where paths join; between joins they are recomputed on the way. Widening
//! happens at the heads of the weak topological order, to the next constant of the program after
//! a few visits, and then to no bound; descending passes win back what that lost.

mod eval;
mod floats;
mod ranges;
mod refine;

pub use eval::{interval_of, interval_of_all};
pub use ranges::Ranges;
pub use refine::assume;

use crate::encode::type_range;
use crate::expr::{Expr, ExprId};
use crate::interval::Interval;
use crate::ir::{Edge, EdgeId, LocId, Place, Proc, Program, Scope, Stmt, VarId};
use crate::liveness::Liveness;
use crate::state::StateVar;
use crate::types::Type;
use crate::wto::Wto;
use craig_base::{Budget, IndexVec, StopReason};
use craig_num::Int;
use std::collections::{BTreeMap, BTreeSet};

/// Visits of a head before its bounds are widened to constants of the program.
const WIDEN_AFTER: u32 = 3;
/// Visits of a head before bounds that still move are dropped.
const GIVE_UP_AFTER: u32 = 12;
/// Bounds of floats move more often: what a filter or a controller settles at lies between constants.
const GIVE_UP_FLOATS_AFTER: u32 = 120;
const DESCENDING_PASSES: usize = 2;
/// With more constants than this, widening to them costs more than it gives.
const MAX_THRESHOLDS: usize = 2000;

/// What is known of variables; one that is not mentioned can have any value of its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntervalState {
    known: BTreeMap<VarId, Interval>,
    /// Whether floats have intervals, of their ranks ([`FloatType::rank`](crate::FloatType::rank)); those without may be NaN.
    floats: bool,
}

impl IntervalState {
    pub fn get(&self, program: &Program, var: VarId) -> Interval {
        match self.known.get(&var) {
            Some(interval) => interval.clone(),
            None => variable_range(program, var),
        }
    }

    pub fn set(&mut self, program: &Program, var: VarId, interval: Interval) {
        if interval == variable_range(program, var) {
            self.known.remove(&var);
        } else {
            self.known.insert(var, interval);
        }
    }

    pub fn forget(&mut self, var: VarId) {
        self.known.remove(&var);
    }

    pub fn join(&mut self, program: &Program, other: &IntervalState) {
        self.known.retain(|var, interval| match other.known.get(var) {
            Some(more) => {
                *interval = interval.join(more);
                *interval != variable_range(program, *var)
            }
            None => false,
        });
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Interval)> {
        self.known.iter().map(|(&var, interval)| (var, interval))
    }
}

fn variable_range(program: &Program, var: VarId) -> Interval {
    match program.vars[var].ty {
        Type::Bool => Interval::new(0, 1),
        ty => type_range(program, ty),
    }
}

/// The result for one procedure without calls.
pub struct IntervalAnalysis<'a> {
    program: &'a Program,
    proc: &'a Proc,
    /// The states where paths join, and at the entry; `None` where nothing arrives.
    joins: IndexVec<LocId, Option<IntervalState>>,
    is_join: IndexVec<LocId, bool>,
    heads: Vec<LocId>,
}

impl<'a> IntervalAnalysis<'a> {
    pub fn new(program: &'a Program, proc: &'a Proc, budget: &Budget) -> Result<Self, StopReason> {
        Self::of(program, proc, false, budget)
    }

    /// With intervals of floats, by their ranks: nothing that encoders or proofs over integers can use.
    pub fn with_floats(program: &'a Program, proc: &'a Proc, budget: &Budget) -> Result<Self, StopReason> {
        Self::of(program, proc, true, budget)
    }

    fn of(program: &'a Program, proc: &'a Proc, floats: bool, budget: &Budget) -> Result<Self, StopReason> {
        let graph = proc.graph();
        let wto = Wto::new(&graph, proc.entry);
        let heads: Vec<LocId> = wto.components.iter().map(|component| component.head).collect();
        let mut is_join: IndexVec<LocId, bool> =
            proc.locations.iter().map(|location| location.incoming.len() > 1).collect();
        is_join[proc.entry] = true;
        heads.iter().for_each(|&head| is_join[head] = true);
        let joins = IndexVec::from_elem(None, proc.locations.len());
        let mut analysis = IntervalAnalysis { program, proc, joins, is_join, heads };
        let liveness = Liveness::towards_error(program, proc);
        let order: IndexVec<LocId, usize> =
            proc.locations.indices().map(|location| wto.position(location).unwrap_or(usize::MAX)).collect();
        let mut entry_state = initial(program, floats);
        retain_live(&mut entry_state, &liveness, proc.entry);
        if analysis.ascend(&entry_state, &wto, &order, &liveness, budget)? {
            for _ in 0..DESCENDING_PASSES {
                analysis.descend(&entry_state, &order, &liveness, budget)?;
            }
        }
        Ok(analysis)
    }

    /// Goes up to a fixpoint; whether widening was needed.
    fn ascend(
        &mut self,
        entry_state: &IntervalState,
        wto: &Wto<LocId>,
        order: &IndexVec<LocId, usize>,
        liveness: &Liveness,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let mut widened = false;
        let program = self.program;
        let mut thresholds = thresholds(self.program, &self.proc.edges);
        if entry_state.floats {
            floats::add_thresholds(self.program, &self.proc.edges, &mut thresholds);
        }
        let mut visits: IndexVec<LocId, u32> = IndexVec::from_elem(0, self.proc.locations.len());
        self.joins[self.proc.entry] = Some(entry_state.clone());
        let mut pending = BTreeSet::from([(order[self.proc.entry], self.proc.entry)]);
        while let Some((_, location)) = pending.pop_first() {
            budget.check()?;
            let Some(state) = self.joins[location].clone() else { continue };
            let mut arrivals = Vec::new();
            self.walk(location, state, &mut |to, state| arrivals.push((to, state)));
            for (to, mut arriving) in arrivals {
                retain_live(&mut arriving, liveness, to);
                let updated = match &self.joins[to] {
                    None => arriving,
                    Some(old) => {
                        let mut joined = old.clone();
                        joined.join(program, &arriving);
                        if joined == *old {
                            continue;
                        }
                        if wto.is_head(to) {
                            visits[to] += 1;
                            widened |= visits[to] > WIDEN_AFTER;
                            joined = widen(program, old, &joined, visits[to], &thresholds);
                        }
                        joined
                    }
                };
                self.joins[to] = Some(updated);
                pending.insert((order[to], to));
            }
        }
        Ok(widened)
    }

    /// Recomputes every join from its predecessors, once.
    fn descend(
        &mut self,
        entry_state: &IntervalState,
        order: &IndexVec<LocId, usize>,
        liveness: &Liveness,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let program = self.program;
        let mut locations: Vec<LocId> =
            self.joins.indices().filter(|&location| self.joins[location].is_some()).collect();
        locations.sort_by_key(|&location| order[location]);
        let mut fresh: IndexVec<LocId, Option<IntervalState>> =
            IndexVec::from_elem(None, self.proc.locations.len());
        fresh[self.proc.entry] = Some(entry_state.clone());
        for location in locations {
            budget.check()?;
            let Some(state) = self.joins[location].clone() else { continue };
            let mut arrivals = Vec::new();
            self.walk(location, state, &mut |to, state| arrivals.push((to, state)));
            for (to, mut arriving) in arrivals {
                retain_live(&mut arriving, liveness, to);
                match &mut fresh[to] {
                    slot @ None => *slot = Some(arriving),
                    Some(state) => state.join(program, &arriving),
                }
            }
        }
        self.joins = fresh;
        Ok(())
    }

    /// Follows the edges from a join through all locations with one way in, to the next joins.
    fn walk(&self, from: LocId, state: IntervalState, arrive: &mut dyn FnMut(LocId, IntervalState)) {
        let mut stack = vec![(from, state)];
        while let Some((location, state)) = stack.pop() {
            let outgoing = &self.proc.locations[location].outgoing;
            let mut state = Some(state);
            for (i, &id) in outgoing.iter().enumerate() {
                let edge = &self.proc.edges[id];
                let last = i + 1 == outgoing.len();
                let Some(mut after) = (if last { state.take() } else { state.clone() }) else { break };
                if !transfer(self.program, &edge.stmt, &mut after) {
                    continue;
                }
                if self.is_join[edge.to] {
                    arrive(edge.to, after);
                } else {
                    stack.push((edge.to, after));
                }
            }
        }
    }

    /// Every edge whose source is reached, with the state before it and whether it can be taken.
    pub fn visit_edges(&self, visit: &mut dyn FnMut(EdgeId, &IntervalState, bool)) {
        for (location, state) in self.joins.enumerated() {
            let mut stack: Vec<(LocId, IntervalState)> =
                state.iter().map(|state| (location, state.clone())).collect();
            while let Some((location, state)) = stack.pop() {
                for &id in &self.proc.locations[location].outgoing {
                    let edge = &self.proc.edges[id];
                    let mut after = state.clone();
                    let feasible = transfer(self.program, &edge.stmt, &mut after);
                    visit(id, &state, feasible);
                    if feasible && !self.is_join[edge.to] {
                        stack.push((edge.to, after));
                    }
                }
            }
        }
    }

    /// What holds at the heads and at the entry.
    pub fn ranges(&self) -> Ranges {
        let mut ranges = Ranges::none();
        for &location in self.heads.iter().chain([&self.proc.entry]) {
            match &self.joins[location] {
                None => ranges.set_unreachable(location),
                Some(state) => state.iter().for_each(|(var, interval)| {
                    ranges.restrict(location, var, interval);
                }),
            }
        }
        ranges
    }
}

/// What holds when a program starts.
pub fn initial_intervals(program: &Program) -> IntervalState {
    initial(program, false)
}

fn initial(program: &Program, floats: bool) -> IntervalState {
    let mut state = IntervalState { floats, ..IntervalState::default() };
    for (var, info) in program.vars.enumerated() {
        let Scope::Global { init } = info.scope else { continue };
        match info.ty {
            Type::Float(ty) if floats => state.set(program, var, floats::constant(ty, init as u128)),
            ty if ty.is_float() || !fits_i128(ty) => {}
            _ => state.set(program, var, Interval::constant(init)),
        }
    }
    state
}

/// The constants of statements, where widening stops first; none if there are too many.
pub fn thresholds<'e>(program: &Program, edges: impl IntoIterator<Item = &'e Edge>) -> Vec<Int> {
    let mut constants = BTreeSet::new();
    for edge in edges {
        for id in program.exprs.postorder(&crate::effects::stmt_operands(&edge.stmt)) {
            if let Expr::Const(Type::Int(_), value) = program.exprs.get(id) {
                constants.extend([
                    Int::from(value) - Int::ONE,
                    Int::from(value),
                    Int::from(value) + Int::ONE,
                ]);
            }
        }
        if constants.len() > MAX_THRESHOLDS {
            return Vec::new();
        }
    }
    constants.into_iter().collect()
}

fn retain_live(state: &mut IntervalState, liveness: &Liveness, location: LocId) {
    state.known.retain(|&var, _| liveness.is_live(location, StateVar::Var(var)));
}

/// The new state, which contains the old one, or a larger one: up to the thresholds after a few visits, and
/// without bounds after more.
pub fn widen(
    program: &Program,
    old: &IntervalState,
    new: &IntervalState,
    visits: u32,
    thresholds: &[Int],
) -> IntervalState {
    if visits <= WIDEN_AFTER {
        return new.clone();
    }
    let mut result = IntervalState { floats: new.floats, ..IntervalState::default() };
    for (var, interval) in new.iter() {
        let Some(before) = old.known.get(&var) else { continue };
        let mut widened = before.widen(interval);
        let ty = program.vars[var].ty;
        if visits <= if ty.is_float() { GIVE_UP_FLOATS_AFTER } else { GIVE_UP_AFTER } {
            if widened.lo.is_none()
                && let Some(lo) = &interval.lo
            {
                let at = thresholds.partition_point(|threshold| threshold <= lo);
                widened.lo = at.checked_sub(1).map(|i| thresholds[i].clone());
            }
            if widened.hi.is_none()
                && let Some(hi) = &interval.hi
            {
                let at = thresholds.partition_point(|threshold| threshold < hi);
                widened.hi = thresholds.get(at).cloned();
            }
        }
        // A number stays one.
        let bounds = match ty {
            Type::Float(ty) if floats::is_number(ty, interval) => floats::numbers(ty),
            _ => variable_range(program, var),
        };
        let interval = widened.meet(&bounds).unwrap_or(bounds);
        result.set(program, var, interval);
    }
    result
}

/// Types whose constants are written as they are.
fn fits_i128(ty: Type) -> bool {
    !matches!(ty, Type::Int(int) if int.bits == 128 && !int.signed)
}

/// The state after a statement; false if it cannot be executed.
pub fn transfer(program: &Program, stmt: &Stmt, state: &mut IntervalState) -> bool {
    match stmt {
        Stmt::Skip | Stmt::Free(_) => true,
        Stmt::Assume(cond) => refine::assume(program, state, *cond, true),
        Stmt::Assign(Place::Var(var), value) => {
            if program.vars[*var].ty.is_float() && !state.floats {
                return true;
            }
            match interval_of(program, *value, state) {
                Some(interval) => state.set(program, *var, interval),
                None => return false,
            }
            true
        }
        Stmt::Assign(Place::Memory { addr, .. }, value) => {
            interval_of_all(program, &[*addr, *value], state).is_some()
        }
        Stmt::Input(place, _) => {
            if let Place::Var(var) = place {
                state.forget(*var);
            }
            true
        }
        Stmt::Alloc { var, size } => {
            let Some(size) = interval_of(program, *size, state) else { return false };
            match program.next_address {
                Some(next) => {
                    let address = state.get(program, next);
                    let advanced = address.add(&allocated(program, &size));
                    let Some(advanced) = advanced.meet(&variable_range(program, next)) else { return false };
                    state.set(program, *var, address);
                    state.set(program, next, advanced);
                }
                None => state.forget(*var),
            }
            true
        }
        Stmt::Call { .. } => unreachable!("the analysis is for procedures without calls"),
    }
}

/// By how much an allocation moves the next free address.
fn allocated(program: &Program, size: &Interval) -> Interval {
    let unit = program.data_model.guard_bytes() as i64;
    let filled = size.div_floor(&Int::from(unit)).mul(&Interval::constant(unit));
    filled.add(&Interval::constant(2 * unit))
}

/// The constants that expressions are known to be in a state, for those that are not literals.
pub fn constants(
    program: &Program,
    roots: &[ExprId],
    state: &IntervalState,
) -> Option<BTreeMap<ExprId, i128>> {
    let intervals = interval_of_all(program, roots, state)?;
    let mut constants = BTreeMap::new();
    for (id, interval) in intervals {
        let literal = matches!(program.exprs.get(id), Expr::Const(..));
        if let Some(value) = interval.as_constant().and_then(Int::to_i128)
            && !literal
            && fits_i128(program.exprs.ty(id))
        {
            constants.insert(id, value);
        }
    }
    Some(constants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_bounded_counter_has_its_bounds() {
        // i = 0; while (i < 10) i = i + 1; if (10 < i) error;
        let mut b = Builder::new();
        let i = b.int("i");
        let (head, body, after) = (b.loc(), b.loc(), b.loc());
        let (zero, one, ten, get_i) = (b.lit(0), b.lit(1), b.lit(10), b.get(i));
        b.assign(ENTRY, head, i, zero);
        let cond = b.lt(get_i, ten);
        b.branch(head, body, after, cond);
        let next = b.add(get_i, one);
        b.assign(body, head, i, next);
        let bad = b.lt(ten, get_i);
        b.branch(after, ERROR, EXIT, bad);
        let program = b.program;
        let proc = &program.procs[program.entry];
        let analysis = IntervalAnalysis::new(&program, proc, &Budget::unlimited()).expect("no limits");
        assert_eq!(analysis.ranges().at(head, i), Some(&Interval::new(0, 10)));
        let mut infeasible = Vec::new();
        analysis.visit_edges(&mut |edge, _, feasible| {
            if !feasible {
                infeasible.push(proc.edges[edge].to);
            }
        });
        assert_eq!(infeasible, vec![ERROR]);
    }
}
