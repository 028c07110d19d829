//! Dynamic partitioning: boxes that the numbers of the program keep apart.
//!
//! After F. Bourdoncle, *Abstract Interpretation by Dynamic Partitioning*, Journal of Functional Programming 1992: what the
//! analysis finds at a place is divided while it runs, and each part is followed by itself. Machines that read an input,
//! compare it and their variables with numbers, and go on, behave in finitely many ways: what differs is between which of
//! those numbers the variables lie. So a state at a loop head is a box whose sides lie between such numbers ([`Compared`]);
//! if that is not enough, a single value is a side of its own, until a variable has had many of them. From each box, the statements up to the next
//! heads are executed with intervals, path by path; a condition that holds of a part of a box only is decided for each
//! part.
//!
//! No solver is asked until a box reaches the error; then it is asked whether a state of the box does, and if so, for a run
//! through the boxes on the way there. If there is none, relations between variables matter, about which boxes say nothing: some more ways to the error are tried.
//!
//! Invariants: every state at a head that can be reached lies in one of the boxes there, as soon as no box waits; their union is
//! the proof. There are finitely many boxes over the numbers of the program.

mod condition;
mod passage;

use crate::path::ProgramPath;
use crate::search::exploration::compared::Compared;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::{Blocks, InlinedView};
use craig_base::{Budget, IndexVec, Map, Set, Stats, index_type};
use craig_certificate::Invariant;
use craig_domains::boxes::BoxesDomain;
use craig_domains::{BoxDomain, Cube, Domain, IntervalBox, IntervalDomain};
use craig_num::Int;
use craig_program::analysis::initial_intervals;
use craig_program::{CutEdgeId, CutId, Interval, IntervalState, StateVar, VarId};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};
use passage::Passages;
use std::collections::VecDeque;

index_type!(PartId, "p");

/// With more boxes than this, something else than the numbers of the program matters.
const MAX_PARTS: usize = 10_000;
/// After so many values a variable is only known to lie between numbers of the program: none in the first attempt.
const MAX_VALUES: [usize; 2] = [0, 64];
/// One box becomes at most so many where its sides are divided.
const MAX_DIVIDED: usize = 64;
/// So many ways to the error are tried that turn out not to be runs.
const MAX_SPURIOUS: usize = 16;

/// A box at a cutpoint.
struct Part {
    cut: CutId,
    state: IntervalState,
    /// The box that it was first reached from, and how.
    parent: Option<(CutEdgeId, PartId)>,
}

/// A box as something that can be compared: the sides that are shorter than their types.
type Key = (CutId, Vec<(VarId, Option<Int>, Option<Int>)>);

struct Search<'a> {
    tm: &'a mut Terms,
    view: &'a InlinedView<'a>,
    blocks: Blocks<'a>,
    compared: &'a Compared,
    parts: IndexVec<PartId, Part>,
    known: Set<Key>,
    waiting: VecDeque<PartId>,
    /// The single values that a variable has had at heads, and how many are kept apart.
    max_values: usize,
    values: Map<VarId, Set<Int>>,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

/// Searches a program whose entry procedure has no calls.
pub fn check(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget, stats: &mut Stats) -> Finding {
    let compared = Compared::new(view.program);
    let mut found = Finding::Unknown(Reason::NoCandidate);
    for max_values in MAX_VALUES {
        let mut search = Search {
            blocks: Blocks::new(tm, view),
            tm,
            view,
            compared: &compared,
            parts: IndexVec::new(),
            known: Set::default(),
            waiting: VecDeque::new(),
            max_values,
            values: Map::default(),
            budget,
            stats,
        };
        found = search.partition().unwrap_or_else(Finding::from);
        let parts = search.parts.len();
        stats.add("boxes", parts as u64);
        // With values there would be even more boxes.
        if parts > MAX_PARTS || !matches!(found, Finding::Unknown(Reason::NoCandidate)) {
            break;
        }
    }
    found
}

impl Search<'_> {
    fn partition(&mut self) -> Result<Finding, Reason> {
        let passages = Passages::new(self.view);
        let (entry, error) = (self.view.encoding.cuts.entry, self.view.encoding.cuts.error);
        self.add(entry, initial_intervals(self.view.program), None);
        let mut spurious = 0;
        while let Some(id) = self.waiting.pop_front() {
            self.budget.check()?;
            let Part { cut, ref state, .. } = self.parts[id];
            let mut fails = false;
            for (to, state) in passages.follow(self.view, self.compared, cut, state, self.budget)? {
                let Some(edge) = self.edge(cut, to) else { continue };
                if to == error {
                    fails = true;
                    continue;
                }
                for state in self.divide(to, state) {
                    self.add(to, state, Some((edge, id)));
                }
            }
            if fails
                && let Some(edge) = self.edge(cut, error)
                && self.may_fail(id, edge)?
            {
                if let Some(path) = self.run_through(id, edge)? {
                    return Ok(Finding::Unsafe(path));
                }
                spurious += 1;
            }
            if self.parts.len() > MAX_PARTS || spurious >= MAX_SPURIOUS {
                return Err(Reason::NoCandidate);
            }
        }
        if spurious > 0 {
            return Err(Reason::NoCandidate);
        }
        let invariant = self.invariant();
        if self.follows(&invariant)? { Ok(Finding::Safe(invariant)) } else { Err(Reason::NoCandidate) }
    }

    fn edge(&self, from: CutId, to: CutId) -> Option<CutEdgeId> {
        let cuts = &self.view.encoding.cuts;
        cuts.cutpoints[from].outgoing.iter().copied().find(|&edge| cuts.edges[edge].to == to)
    }

    fn add(&mut self, cut: CutId, state: IntervalState, parent: Option<(CutEdgeId, PartId)>) {
        let sides = state.iter().map(|(var, side)| (var, side.lo.clone(), side.hi.clone()));
        if self.known.insert((cut, sides.collect())) {
            let id = self.parts.push(Part { cut, state, parent });
            self.waiting.push_back(id);
        }
    }

    /// Boxes with sides between numbers of the program that contain a state at a cutpoint.
    fn divide(&mut self, cut: CutId, state: IntervalState) -> Vec<IntervalState> {
        let program = self.view.program;
        let mut divided = vec![IntervalState::default()];
        for constant in &self.view.encoding.states[cut] {
            let StateVar::Var(var) = constant.var else { continue };
            if program.vars[var].ty.is_float() {
                continue;
            }
            let side = state.get(program, var);
            if let Some(value) = side.as_constant() {
                let values = self.values.entry(var).or_default();
                if values.contains(value) || values.len() < self.max_values {
                    values.insert(value.clone());
                    divided.iter_mut().for_each(|part| part.set(program, var, side.clone()));
                    continue;
                }
            }
            let range = IntervalState::default().get(program, var);
            let mut sides = self.compared.parts_of(var, &side, &range);
            if sides.len() * divided.len() > MAX_DIVIDED {
                let whole = sides.iter().skip(1).fold(sides[0].clone(), |whole, side| whole.join(side));
                sides = vec![whole];
            }
            let mut parts = Vec::with_capacity(sides.len() * divided.len());
            for side in sides {
                parts.extend(divided.iter().map(|part| {
                    let mut part = part.clone();
                    part.set(program, var, side.clone());
                    part
                }));
            }
            divided = parts;
        }
        divided
    }

    /// Whether some state of the box leads to the error: statements may relate what intervals do not.
    fn may_fail(&mut self, part: PartId, to_error: CutEdgeId) -> Result<bool, Reason> {
        self.stats.add("questions about the error", 1);
        let cut = self.parts[part].cut;
        let (inside, facts) = (self.inside(part, &self.blocks.state(cut)), self.blocks.facts(cut));
        let solver = self.blocks.solver(self.tm, to_error);
        match solver.check(self.tm, &[inside, facts], self.budget) {
            Answer::Unsat => Ok(false),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(reason.into()),
            Answer::Sat | Answer::Unknown(_) => Ok(true),
        }
    }

    /// A run to the error through the boxes that lead to this one.
    fn run_through(&mut self, last: PartId, to_error: CutEdgeId) -> Result<Option<ProgramPath>, Reason> {
        self.stats.add("ways to the error", 1);
        let mut way = vec![(to_error, last)];
        while let Some(before) = self.parts[way[way.len() - 1].1].parent {
            way.push(before);
        }
        way.reverse();
        let mut solver = NativeSolver::default();
        let mut copies = Vec::new();
        let start = self.blocks.fresh_state(self.tm, self.parts[way[0].1].cut);
        let mut from = start.clone();
        for &(edge, part) in &way {
            let to = self.blocks.fresh_state(self.tm, self.view.encoding.cuts.edges[edge].to);
            let inside = self.inside(part, &from);
            let (formula, copy) = self.blocks.copy(self.tm, edge, &from, &to);
            solver.assert(self.tm, inside);
            solver.assert(self.tm, formula);
            copies.push(copy);
            from = to;
        }
        match solver.check(self.tm, &[], self.budget) {
            Answer::Sat => {}
            Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(reason.into()),
            Answer::Unsat | Answer::Unknown(_) => return Ok(None),
        }
        let Some(model) = solver.model().cloned() else { return Ok(None) };
        Ok(self.blocks.program_path(self.tm, &mut copies, &start, &model))
    }

    /// The sides of a box, over the given constants for the state at its cutpoint.
    fn cube(&self, part: PartId, constants: &[TermId]) -> Cube {
        let Part { cut, ref state, .. } = self.parts[part];
        let sides: Map<VarId, &Interval> = state.iter().collect();
        let states = self.view.encoding.states[cut].iter().zip(constants);
        let cube = states.filter_map(|(constant, &term)| match constant.var {
            StateVar::Var(var) => Some((term, (*sides.get(&var)?).clone())),
            StateVar::Region(_) => None,
        });
        cube.collect()
    }

    fn inside(&mut self, part: PartId, constants: &[TermId]) -> TermId {
        let cube = self.cube(part, constants);
        BoxDomain::default().gamma(self.tm, &IntervalBox(Some(cube)))
    }

    /// The union of the boxes at each head.
    fn invariant(&mut self) -> Invariant {
        let cuts = &self.view.encoding.cuts;
        let mut domain = BoxesDomain::new(Vec::new(), self.budget);
        let mut unions = IndexVec::from_elem(domain.bottom(), cuts.cutpoints.len());
        for id in self.parts.indices() {
            let cut = self.parts[id].cut;
            let mut inside = domain.top();
            for (constant, side) in self.cube(id, &self.blocks.state(cut)) {
                let slab = domain.slab(constant, &side);
                inside = domain.meet(&inside, &slab);
            }
            unions[cut] = domain.join(&unions[cut], &inside);
        }
        let mut invariant = Invariant::default();
        for (cut, union) in unions.enumerated().filter(|&(cut, _)| cut != cuts.entry && cut != cuts.error) {
            let formula = domain.gamma(self.tm, union);
            invariant.formulas.insert(cuts.location(cut), formula);
        }
        invariant
    }

    /// Whether formulas can tell that the invariant holds after each block. Of operations that they only approximate, interval
    /// arithmetic may know more.
    fn follows(&mut self, invariant: &Invariant) -> Result<bool, Reason> {
        let InlinedView { encoding, .. } = self.view;
        for (id, edge) in encoding.cuts.edges.enumerated() {
            if encoding.blocks[id].approximations.is_empty() {
                continue;
            }
            let [before, after] = [edge.from, edge.to].map(|cut| {
                let default = if cut == encoding.cuts.error { Terms::FALSE } else { Terms::TRUE };
                invariant.formulas.get(&encoding.cuts.location(cut)).copied().unwrap_or(default)
            });
            let after = self.blocks.at_target(self.tm, id, after);
            let (violated, facts) = (self.tm.not(after), self.blocks.facts(edge.from));
            match self.blocks.solver(self.tm, id).check(self.tm, &[before, facts, violated], self.budget) {
                Answer::Unsat => {}
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                Answer::Sat | Answer::Unknown(_) => return Ok(false),
            }
        }
        Ok(true)
    }
}
