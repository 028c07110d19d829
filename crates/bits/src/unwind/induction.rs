//! Induction with bits (Sheeran, Singh and Stålmarck, *Checking safety properties using induction and a SAT-solver*,
//! 2000), strengthened by those of many candidates that are inductive (Flanagan and Leino, *Houdini*, 2001).
//!
//! A loop with candidates is cut at its head. Its first `k - 1` iterations are unwound as they are; and `k` iterations
//! are unwound from a state in which everything that the loop assigns has any value, where the candidates hold at the
//! first `k` visits to the head. All loops are cut in one circuit, with one literal for each candidate that makes it an
//! assumption, so that one solver answers everything: which candidates can be broken, until none can, and then whether
//! an error can be reached.
//!
//! An iteration is numbered by `0` to `k - 1` from the entry on, by `k` at any state, and up to `2 k` from there. In
//! all of these but the last no path leaves the loop: what happens after it is seen in the last one.

use super::arithmetic::width;
use super::plan::Plan;
use super::relations::{Equation, Visit};
use super::state::State;
use super::unwinder::{Bounds, Loop, Point, Unwinder};
use super::word::Word;
use super::{Reached, Unsupported};
use crate::{Bit, Circuit, Clauses, words};
use craig_base::{Budget, Map, OrderedMap, OrderedSet, Stats};
use craig_program::{Expr, LocId, Place, ProcId, Program, RegionId, StateVar, Stmt, VarId};
use craig_sat::{Lit, Outcome, Solver};
use craig_term::{TermId, Terms};
use std::rc::Rc;

/// What may hold at the heads of loops of a program without calls.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// For each loop that is to be cut.
    pub at: OrderedMap<LocId, Vec<TermId>>,
    /// Truth values of which sums may be the same at all visits.
    pub columns: OrderedMap<LocId, Vec<TermId>>,
    /// What the constants of the formulas stand for.
    pub components: Map<TermId, StateVar>,
}

/// What an induction shows.
pub enum Induced {
    /// These hold, and exclude the error; loops without candidates are within these bounds.
    Safe(OrderedMap<LocId, Vec<TermId>>, Reached),
    /// These hold, but do not exclude the error. These equations between the columns hold as well.
    Open(OrderedMap<LocId, Vec<TermId>>, OrderedMap<LocId, Vec<Equation>>),
    /// It took too many conflicts.
    Undecided,
}

/// Iterations of loops that are not cut.
const DECIDED: u32 = 4;
const FREE: u32 = 128;
const OBJECT: u64 = 64;

/// Of at most so many candidates, each one is tried to be left out of a proof.
const MOST_TRIED: usize = 100;
/// That takes no more conflicts than finding the proof, or this many.
const MIN_CONFLICTS: u64 = 1_000;

const BOUNDS: Bounds = Bounds { decided: DECIDED, free: FREE, object: OBJECT };

/// The loops of the entry procedure whose iterations depend on inputs, or are many.
pub fn open_loops(program: &Program, budget: &Budget) -> Result<OrderedSet<LocId>, Unsupported> {
    let mut unwinder = Unwinder::new(program, Bounds { decided: 1, ..BOUNDS }, true);
    unwinder.run(budget)?;
    Ok(unwinder.decided)
}

/// Whether the largest inductive set of candidates, with `depth` iterations in a row, excludes the error. It is left
/// undecided if that takes more conflicts.
pub fn prove(
    program: &Program,
    terms: &Terms,
    candidates: &Candidates,
    depth: u32,
    conflicts: Option<u64>,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Induced, Unsupported> {
    for trust_hints in [true, false] {
        let mut unwinder = Unwinder::new(program, BOUNDS, trust_hints);
        unwinder.heads = Some(Heads::new(terms, candidates, depth));
        unwinder.run(budget)?;
        stats.max("gates", unwinder.circuit.len() as u64);
        let Some(heads) = unwinder.heads.take() else { break };
        let goals: Vec<Bit> = unwinder.errors.iter().chain(&unwinder.cuts).copied().collect();
        let question = Question { goals, escapes: unwinder.escapes.clone() };
        let (iterations, depths) = (unwinder.iterations.clone(), unwinder.depths.clone());
        let reached = Reached { iterations, depths, largest: unwinder.largest, ..Reached::default() };
        let mut houdini = Houdini::new(&mut unwinder, &heads, budget);
        houdini.solver.limit_conflicts(conflicts);
        let answer = houdini.decide(&question, stats);
        stats.max("conflicts", houdini.solver.conflicts());
        match answer {
            Ok(Answer::Escapes) => {}
            Ok(Answer::Safe(kept)) => return Ok(Induced::Safe(heads.formulas(&kept), reached)),
            Ok(Answer::Open(equations)) => {
                return Ok(Induced::Open(heads.formulas(&houdini.kept), equations));
            }
            Err(Unsupported::Stopped(_)) if budget.check().is_ok() => return Ok(Induced::Undecided),
            Err(why) => return Err(why),
        }
    }
    Ok(Induced::Open(OrderedMap::default(), OrderedMap::default()))
}

/// The loops that are cut, and what their candidates mean at the visits.
pub(super) struct Heads<'a> {
    terms: &'a Terms,
    components: &'a Map<TermId, StateVar>,
    depth: u32,
    all: Vec<(LocId, TermId)>,
    /// If the candidate is assumed, this holds.
    assumed: Vec<(usize, Bit)>,
    /// If this holds, the candidate is broken.
    broken: Vec<(usize, Bit)>,
    columns: &'a OrderedMap<LocId, Vec<TermId>>,
    pub visits: Vec<Visit>,
    at: OrderedSet<LocId>,
}

impl<'a> Heads<'a> {
    fn new(terms: &'a Terms, candidates: &'a Candidates, depth: u32) -> Self {
        let all = candidates.at.iter().flat_map(|(&head, list)| list.iter().map(move |&f| (head, f)));
        Heads {
            terms,
            components: &candidates.components,
            depth,
            all: all.collect(),
            assumed: Vec::new(),
            broken: Vec::new(),
            columns: &candidates.columns,
            visits: Vec::new(),
            at: candidates.at.keys().copied().collect(),
        }
    }

    /// Some of the candidates, at the heads where they hold; all heads are there.
    fn formulas(&self, indices: &OrderedSet<usize>) -> OrderedMap<LocId, Vec<TermId>> {
        let mut formulas: OrderedMap<LocId, Vec<TermId>> =
            self.at.iter().map(|&head| (head, Vec::new())).collect();
        for &index in indices {
            let (head, formula) = self.all[index];
            formulas.entry(head).or_default().push(formula);
        }
        formulas
    }

    pub fn is_cut(&self, head: LocId) -> bool {
        self.at.contains(&head)
    }

    /// Whether some of these loops are left in an iteration that only leads to the one in question.
    pub fn forbid_leaving<'l>(
        &self,
        plan: &Plan,
        mut left: impl Iterator<Item = (&'l usize, &'l Loop)>,
    ) -> bool {
        let is_early = |at: &Loop| (self.depth..2 * self.depth - 1).contains(&at.iteration);
        left.any(|(&component, at)| self.is_cut(plan.wto.components[component].head) && is_early(at))
    }

    /// Whether some of these loops are entered elsewhere than at their heads: there is no beginning to reason from.
    pub fn forbid_entering(&self, plan: &Plan, entered: &[usize], location: LocId) -> bool {
        let mut heads = entered.iter().map(|&component| plan.wto.components[component].head);
        heads.any(|head| head != location && self.is_cut(head))
    }
}

impl<'p> Unwinder<'p> {
    /// At the head of a loop that is cut. False if the run has come far enough.
    pub fn at_cut(&mut self, key: &[u32], point: &mut Point) -> Result<bool, Unsupported> {
        let Some(mut heads) = self.heads.take() else { return Ok(true) };
        let goes_on = self.at_visit(&mut heads, key, point);
        self.heads = Some(heads);
        goes_on
    }

    fn at_visit(
        &mut self,
        heads: &mut Heads<'p>,
        key: &[u32],
        point: &mut Point,
    ) -> Result<bool, Unsupported> {
        let depth = heads.depth;
        let visit = point.loops.last().map_or(0, |innermost| innermost.iteration);
        if visit == depth {
            self.forget(point.location, &mut point.state)?;
        }
        let is_assumed = (depth..2 * depth).contains(&visit);
        for index in (0..heads.all.len()).filter(|&index| heads.all[index].0 == point.location) {
            let (terms, components) = (heads.terms, heads.components);
            let holds = self.holds(&point.state, terms, components, heads.all[index].1);
            // What cannot be said is not assumed, and does not hold.
            if is_assumed {
                let holds = holds.unwrap_or(Bit::TRUE);
                heads.assumed.push((index, self.circuit.implies(point.state.guard, holds)));
            } else {
                let fails = !holds.unwrap_or(Bit::FALSE);
                heads.broken.push((index, self.circuit.and(point.state.guard, fails)));
            }
        }
        let columns = heads.columns.get(&point.location).into_iter().flatten();
        let bits: Option<Vec<Bit>> =
            columns.map(|&column| self.holds(&point.state, heads.terms, heads.components, column)).collect();
        let (head, guard) = (point.location, point.state.guard);
        heads.visits.push(Visit { head, assumed: is_assumed, guard, bits: bits.unwrap_or_default() });
        if visit == 0 {
            // What is assumed of runs that go on from anywhere is not assumed of one that has broken it here.
            let mut anywhere = point.clone();
            let first = self.circuit.input();
            anywhere.state.guard = self.circuit.and(point.state.guard, !first);
            point.state.guard = self.circuit.and(point.state.guard, first);
            let mut key = key.to_vec();
            let iteration = key.len() - 2;
            key[iteration] = depth;
            if let Some(innermost) = anywhere.loops.last_mut() {
                innermost.iteration = depth;
            }
            self.pending.insert(key, anywhere);
        }
        Ok(is_assumed || visit + 1 < depth)
    }

    /// Gives any value to what a loop of the entry procedure assigns.
    fn forget(&mut self, head: LocId, state: &mut State) -> Result<(), Unsupported> {
        let program = self.program;
        let mut regions: OrderedSet<RegionId> = OrderedSet::default();
        let mut places: Vec<(u64, u64)> = Vec::new();
        let mut vars: OrderedSet<VarId> = OrderedSet::default();
        for stmt in self.statements(program.entry, head) {
            match *stmt {
                Stmt::Skip | Stmt::Assume(_) => {}
                Stmt::Assign(place, _) | Stmt::Input(place, _) => match place {
                    Place::Var(var) => {
                        vars.insert(var);
                    }
                    Place::Memory { addr, ty, region } => match program.exprs.get(addr) {
                        Expr::Const(_, at) => places.push((at as u64, u64::from(program.size_of(ty)))),
                        _ => {
                            regions.insert(region);
                        }
                    },
                },
                Stmt::Free(_) | Stmt::Alloc { .. } | Stmt::Call { .. } => {
                    return Err(Unsupported::Allocation);
                }
            }
        }
        for var in vars {
            let old = self.read(state, var);
            let bits = words::inputs(&mut self.circuit, width(program, program.vars[var].ty));
            let hint = self.objects.origin(&old);
            self.set(state, var, Rc::new(Word { bits, hint }));
        }
        for region in regions {
            let objects = program.regions[region].objects.iter().map(|&object| &program.objects[object]);
            places.extend(objects.map(|object| (object.address, object.size)));
            if program.regions[region].allocated {
                places.extend(state.memory.allocated());
            }
        }
        if places.iter().map(|&(_, size)| size).sum::<u64>() > super::memory::MOST_PLACES as u64 {
            return Err(Unsupported::ManyPlaces);
        }
        for (start, size) in places {
            state.memory.forget(&mut self.memory_context(), start, size);
        }
        Ok(())
    }

    /// The statements in a loop.
    fn statements(&self, id: ProcId, head: LocId) -> impl Iterator<Item = &'p Stmt> {
        let wto = &self.plans[id].wto;
        let inside = |location: LocId| wto.contains(location) && wto.heads(location).any(|h| h == head);
        let edges = self.program.procs[id].edges.iter().filter(|edge| inside(edge.from));
        edges.map(|edge| &edge.stmt).collect::<Vec<_>>().into_iter()
    }
}

/// What is asked of one unwinding.
struct Question {
    /// The error, and where the unwinding is not complete.
    goals: Vec<Bit>,
    /// Where the unwinding trusted a guess that is wrong.
    escapes: Vec<Bit>,
}

/// What one unwinding says.
enum Answer {
    Escapes,
    /// The candidates that exclude the goals.
    Safe(OrderedSet<usize>),
    Open(OrderedMap<LocId, Vec<Equation>>),
}

/// Candidates that are removed until the rest is inductive.
pub(super) struct Houdini<'a> {
    pub circuit: &'a mut Circuit,
    heads: &'a Heads<'a>,
    pub solver: Solver,
    pub clauses: Clauses,
    /// Makes a candidate an assumption.
    switches: Vec<Lit>,
    kept: OrderedSet<usize>,
    as_guessed: Lit,
    pub budget: &'a Budget,
}

impl<'a> Houdini<'a> {
    fn new(unwinder: &'a mut Unwinder<'_>, heads: &'a Heads<'a>, budget: &'a Budget) -> Self {
        let circuit = &mut unwinder.circuit;
        let (mut solver, mut clauses) = (Solver::new(), Clauses::default());
        for &constraint in unwinder.constraints.iter().chain(circuit.facts()) {
            let lit = clauses.literal(circuit, &mut solver, constraint);
            solver.add_clause(&[lit]);
        }
        let as_guessed = solver.new_var().positive();
        for &escape in &unwinder.escapes {
            let lit = clauses.literal(circuit, &mut solver, escape);
            solver.add_clause(&[!as_guessed, !lit]);
        }
        let switches: Vec<Lit> = heads.all.iter().map(|_| solver.new_var().positive()).collect();
        for &(index, holds) in &heads.assumed {
            let lit = clauses.literal(circuit, &mut solver, holds);
            solver.add_clause(&[!switches[index], lit]);
        }
        let kept = (0..heads.all.len()).collect();
        Houdini { circuit, heads, solver, clauses, switches, kept, as_guessed, budget }
    }

    fn decide(&mut self, question: &Question, stats: &mut Stats) -> Result<Answer, Unsupported> {
        stats.add("models", self.reduce()?);
        stats.max("inductive", self.kept.len() as u64);
        if !self.ask(&question.escapes, false)?.is_empty() {
            return Ok(Answer::Escapes);
        }
        Ok(match self.needed(&question.goals)? {
            Some(needed) => Answer::Safe(needed),
            None => Answer::Open(self.relate(self.heads)?),
        })
    }

    /// Removes candidates until the rest is inductive; how many models that takes.
    fn reduce(&mut self) -> Result<u64, Unsupported> {
        for models in 0.. {
            let broken: Vec<(usize, Bit)> =
                self.heads.broken.iter().copied().filter(|(index, _)| self.kept.contains(index)).collect();
            let goals: Vec<Bit> = broken.iter().map(|&(_, bit)| bit).collect();
            for &goal in goals.iter().filter(|goal| goal.as_constant().is_none()) {
                let lit = self.literal(goal);
                self.solver.prefer(lit);
            }
            let reached = self.ask(&goals, true)?;
            if reached.is_empty() {
                return Ok(models);
            }
            let removed: OrderedSet<usize> = reached.into_iter().map(|goal| broken[goal].0).collect();
            self.kept.retain(|index| !removed.contains(index));
        }
        Ok(0)
    }

    /// Which of the goals one more model reaches; none if none can be reached. In the latter case the solver has a core.
    fn ask(&mut self, goals: &[Bit], as_guessed: bool) -> Result<Vec<usize>, Unsupported> {
        let guessed = as_guessed.then_some(self.as_guessed);
        if !self.reaches(goals, guessed.as_slice())? {
            return Ok(Vec::new());
        }
        let is_reached = |goal: &Bit| self.clauses.known(*goal).is_some_and(|lit| self.solver.model(lit));
        Ok((0..goals.len()).filter(|&goal| is_reached(&goals[goal])).collect())
    }

    /// Whether a model reaches one of the goals, where the candidates and more are assumed.
    pub fn reaches(&mut self, goals: &[Bit], more: &[Lit]) -> Result<bool, Unsupported> {
        let chosen = self.solver.new_var().positive();
        let mut clause = vec![!chosen];
        for &goal in goals.iter().filter(|&&goal| goal != Bit::FALSE) {
            clause.push(self.literal(goal));
        }
        self.solver.add_clause(&clause);
        let switches = self.kept.iter().map(|&index| self.switches[index]);
        let assumptions: Vec<Lit> = switches.chain(more.iter().copied()).chain([chosen]).collect();
        match self.solver.solve(&assumptions, self.budget) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Stopped(reason) => Err(Unsupported::Stopped(reason)),
        }
    }

    pub fn literal(&mut self, bit: Bit) -> Lit {
        self.clauses.literal(self.circuit, &mut self.solver, bit)
    }

    /// The candidates that exclude the goals, with what makes them inductive; none if the goals can be reached.
    fn needed(&mut self, goals: &[Bit]) -> Result<Option<OrderedSet<usize>>, Unsupported> {
        if !self.ask(goals, true)?.is_empty() {
            return Ok(None);
        }
        let mut needed = self.core();
        let mut done = 0;
        while done < needed.len() {
            let news: Vec<usize> = needed.iter().copied().skip(done).collect();
            done = needed.len();
            let broken = self.heads.broken.iter().filter(|(index, _)| news.contains(index));
            let broken: Vec<Bit> = broken.map(|&(_, bit)| bit).collect();
            if !self.ask(&broken, true)?.is_empty() {
                return Ok(None);
            }
            needed.extend(self.core());
        }
        self.kept = needed.clone();
        if needed.len() <= MOST_TRIED {
            // What is not needed may be left out, but not at any price.
            self.solver.limit_conflicts(Some(self.solver.conflicts() + MIN_CONFLICTS));
            for index in needed.iter().rev() {
                let before = self.kept.clone();
                self.kept.shift_remove(index);
                match self.excludes(goals) {
                    Ok(true) => {}
                    Ok(false) => self.kept = before,
                    Err(Unsupported::Stopped(_)) if self.budget.check().is_ok() => {
                        self.kept = before;
                        break;
                    }
                    Err(why) => return Err(why),
                }
            }
            self.solver.limit_conflicts(None);
        }
        Ok(Some(self.kept.clone()))
    }

    /// Whether the candidates that are left are inductive and exclude the goals.
    fn excludes(&mut self, goals: &[Bit]) -> Result<bool, Unsupported> {
        Ok(self.ask(goals, true)?.is_empty() && self.ask(&self.breaches(), true)?.is_empty())
    }

    /// How the candidates that are left can be broken.
    fn breaches(&self) -> Vec<Bit> {
        let broken = self.heads.broken.iter().filter(|(index, _)| self.kept.contains(index));
        broken.map(|&(_, bit)| bit).collect()
    }

    /// The candidates in the core of the last question.
    fn core(&self) -> OrderedSet<usize> {
        let core: OrderedSet<Lit> = self.solver.core().iter().copied().collect();
        self.kept.iter().copied().filter(|&index| core.contains(&self.switches[index])).collect()
    }
}
