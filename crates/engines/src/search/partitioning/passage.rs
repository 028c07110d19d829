//! From a box at a cutpoint to boxes at the next ones, path by path.

use super::condition::{Condition, Never};
use crate::search::exploration::compared::Compared;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet, StopReason};
use craig_program::analysis::{assume, transfer};
use craig_program::{CutId, Edge, EdgeId, IntervalState, LocId, Place, StateVar, Stmt, VarId, Wto, reads};

/// With more boxes than this at one location, they are joined there.
const MAX_PATHS: usize = 256;
/// A condition is looked at for so many parts of a box at most.
const MAX_CASES: usize = 64;

/// The ways from each cutpoint to the next ones.
pub(super) struct Passages {
    /// Each edge after all that lead to its source.
    edges: IndexVec<CutId, Vec<EdgeId>>,
    /// Assumptions, with the variables that they read.
    assumptions: Map<EdgeId, (Condition, Vec<VarId>)>,
    /// The variables about which something is forgotten after an edge, because nothing reads them any more.
    dead: Map<EdgeId, Vec<VarId>>,
}

impl Passages {
    pub fn new(view: &InlinedView<'_>) -> Self {
        let InlinedView { program, encoding, .. } = view;
        let proc = encoding.proc(program);
        let order = Wto::new(&proc.graph(), proc.entry);
        let cuts = &encoding.cuts;
        let mut passages =
            Passages { edges: IndexVec::new(), assumptions: Map::default(), dead: Map::default() };
        for cutpoint in &cuts.cutpoints {
            let segments = cutpoint.outgoing.iter().map(|&edge| &cuts.edges[edge].segment);
            let edges: OrderedSet<EdgeId> =
                segments.flat_map(|segment| segment.edges.iter().copied()).collect();
            let mut edges: Vec<EdgeId> = edges.into_iter().collect();
            edges.sort_by_key(|&id| (order.position(proc.edges[id].from), id));
            for &id in &edges {
                let edge = &proc.edges[id];
                if let Stmt::Assume(condition) = edge.stmt {
                    let vars = reads(program, &[condition]).into_iter().filter_map(var_of).collect();
                    passages.assumptions.insert(id, (Condition::new(program, condition), vars));
                }
                let dead = encoding.liveness.dead_after(program, edge).into_iter().filter_map(var_of);
                passages.dead.insert(id, dead.collect());
            }
            passages.edges.push(edges);
        }
        passages
    }

    /// What the next cutpoints can look like, coming from a box.
    pub fn follow(
        &self,
        view: &InlinedView<'_>,
        compared: &Compared,
        from: CutId,
        start: &IntervalState,
        budget: &Budget,
    ) -> Result<Vec<(CutId, IntervalState)>, StopReason> {
        let InlinedView { program, encoding, .. } = view;
        let (proc, cuts) = (encoding.proc(program), &encoding.cuts);
        let source = cuts.location(from);
        let mut at: OrderedMap<LocId, Vec<IntervalState>> = OrderedMap::default();
        at.insert(source, vec![start.clone()]);
        let mut arrived = Vec::new();
        for &id in &self.edges[from] {
            let edge = &proc.edges[id];
            let Some(before) = at.get(&edge.from).cloned() else { continue };
            budget.check()?;
            for state in before {
                for mut state in self.execute(view, compared, id, state) {
                    self.dead[&id].iter().for_each(|&var| state.forget(var));
                    match cuts.at(edge.to) {
                        Some(cut) => arrived.push((cut, state)),
                        None => {
                            let there = at.entry(edge.to).or_default();
                            if there.len() >= MAX_PATHS {
                                let mut whole = there.swap_remove(0);
                                there.drain(..).for_each(|other| whole.join(program, &other));
                                there.push(whole);
                            }
                            if !there.contains(&state) {
                                there.push(state);
                            }
                        }
                    }
                }
            }
        }
        Ok(arrived)
    }

    /// What a statement makes of a box.
    fn execute(
        &self,
        view: &InlinedView<'_>,
        compared: &Compared,
        id: EdgeId,
        mut state: IntervalState,
    ) -> Vec<IntervalState> {
        let program = view.program;
        let edge = &view.encoding.proc(program).edges[id];
        match self.assumptions.get(&id) {
            Some((condition, vars)) => {
                let mut kept = Vec::new();
                for (mut case, is_decided) in cases(view, compared, condition, vars, state) {
                    if is_decided || assume(program, &mut case, condition.expr, true) {
                        kept.push(case);
                    }
                }
                kept
            }
            None if is_skipped(view, edge) || transfer(program, &edge.stmt, &mut state) => vec![state],
            None => Vec::new(),
        }
    }
}

/// The parts of a box for which a condition may hold, and whether it does: as many as the numbers of the program tell apart.
fn cases(
    view: &InlinedView<'_>,
    compared: &Compared,
    condition: &Condition,
    vars: &[VarId],
    state: IntervalState,
) -> Vec<(IntervalState, bool)> {
    let program = view.program;
    let mut decided = Vec::new();
    let mut open = vec![state];
    for part in 0..=vars.len() {
        let mut divided = Vec::new();
        for case in open {
            match condition.truth(program, &case) {
                Err(Never) | Ok(Some(false)) => {}
                Ok(Some(true)) => decided.push((case, true)),
                Ok(None) => {
                    let var = vars.get(part).copied().filter(|&var| !program.vars[var].ty.is_float());
                    let sides = var.map(|var| {
                        let side = case.get(program, var);
                        (var, compared.parts_of(var, &side, &side))
                    });
                    match sides {
                        Some((var, sides)) if divided.len() + sides.len() <= MAX_CASES => {
                            divided.extend(sides.into_iter().map(|side| {
                                let mut part = case.clone();
                                part.set(program, var, side);
                                part
                            }));
                        }
                        _ => divided.push(case),
                    }
                }
            }
        }
        open = divided;
    }
    decided.extend(open.into_iter().map(|case| (case, false)));
    decided
}

fn var_of(var: StateVar) -> Option<VarId> {
    if let StateVar::Var(var) = var { Some(var) } else { None }
}

/// Assignments to what nothing reads do nothing, even where their evaluation would end the path: so formulas have it.
fn is_skipped(view: &InlinedView<'_>, edge: &Edge) -> bool {
    let live = |var: StateVar| view.encoding.liveness.is_live(edge.to, var);
    match edge.stmt {
        Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => !live(StateVar::Var(var)),
        Stmt::Assign(Place::Memory { region, .. }, _) => !live(StateVar::Region(region)),
        _ => false,
    }
}
