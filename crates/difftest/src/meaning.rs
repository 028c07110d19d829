//! The checker's meaning of programs against execution: what was executed must be possible for it.
//!
//! The checker follows segments symbolically from a cutpoint to the next ([`craig_certificate::segment`]). Of each
//! segment that a run has executed, the state before it is put into the checker's terms: with what remains open
//! (inputs, results of operations that it only describes), some choice must make the condition of the arrival true and
//! its state that of the run. If none does, the checker would accept proofs that forget this run. Each segment is
//! looked at twice: followed from an arbitrary state, and from one of which the values are known, for which the checker
//! has other rules.

use crate::generate;
use crate::recording::{Oracle, Recording, State, record, scalar};
use crate::rng::Rng;
use craig_base::{Budget, OrderedMap, OrderedSet};
use craig_certificate::segment::{Arrival, NoCalls, arrivals};
use craig_certificate::state::initial;
use craig_exec::Limits;
use craig_num::Int;
use craig_program::{LocId, Proc, Program, RegionId, StateVar, Type, Wto, inline};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Op, Substitution, TermId, Terms};
use std::time::Duration;

const INLINE_LIMIT: usize = 20_000;
/// Segments that are looked at in one run, spread over it.
const MAX_SEGMENTS: usize = 12;
/// Formulas with more nodes are left out.
const MAX_NODES: usize = 100_000;
/// Characters of a contradiction that are shown.
const MAX_SHOWN: usize = 2000;

/// How many segments the checker's meaning allowed, or what is wrong.
pub fn check(program: &Program, oracle: Oracle<'_>, limits: &Limits) -> Result<usize, String> {
    let Ok(inlined) = inline(program, INLINE_LIMIT) else { return Ok(0) };
    let Some(recording) = record(&inlined, oracle, limits) else { return Ok(0) };
    let program = &inlined.program;
    let proc = inlined.proc();
    let heads = Wto::new(&proc.graph(), proc.entry).components;
    let stops: OrderedSet<LocId> = heads.iter().map(|component| component.head).collect();
    let mut comparison = Comparison {
        program,
        proc,
        stops,
        recording: &recording,
        terms: Terms::new(),
        followed: OrderedMap::default(),
    };
    let mut allowed = 0;
    let stride = recording.states.len().div_ceil(MAX_SEGMENTS).max(1);
    for pair in recording.states.windows(2).step_by(stride) {
        let [(start, before), (end, after)] = pair else { continue };
        let path = &recording.path[*start..*end];
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { continue };
        let (from, to) = (proc.edges[first].from, proc.edges[last].to);
        for is_known in [false, true] {
            if limits.budget.check().is_err() {
                return Ok(allowed);
            }
            let lines = (proc.edges[first].span.line, proc.edges[last].span.line);
            match comparison.segment((from, to), before, after, is_known, &limits.budget) {
                Ok(true) => allowed += 1,
                Ok(false) => {}
                Err(what) => {
                    let known = if is_known { ", with known values" } else { "" };
                    return Err(format!("lines {} to {}{known}: {what}", lines.0, lines.1));
                }
            }
        }
    }
    Ok(allowed)
}

/// The same for a random program of the own generator, with inputs made from its number.
pub fn check_random_program(seed: u64) -> Result<usize, String> {
    let program = generate::random_program(seed)?;
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(3));
    let limits = Limits { steps: 50_000, budget, ..Limits::default() };
    let mut rng = Rng::new(seed);
    check(&program, &mut |_, _| Some(i128::from(rng.next_u64() >> 8)), &limits)
}

struct Comparison<'a> {
    program: &'a Program,
    proc: &'a Proc,
    stops: OrderedSet<LocId>,
    recording: &'a Recording,
    terms: Terms,
    /// Segments from arbitrary states, by their start.
    followed: OrderedMap<LocId, Vec<Arrival>>,
}

impl Comparison<'_> {
    /// Whether the checker allows what was executed; `Ok(false)` if it cannot tell.
    fn segment(
        &mut self,
        (from, to): (LocId, LocId),
        before: &State,
        after: &State,
        is_known: bool,
        budget: &Budget,
    ) -> Result<bool, String> {
        let values = self.values(before);
        let mut found = self.followed.get(&from).cloned();
        if is_known || found.is_none() {
            let facts: Vec<TermId> =
                values.iter().map(|&(symbol, value)| self.terms.eq(symbol, value)).collect();
            let precondition = if is_known { self.terms.and(&facts) } else { Terms::TRUE };
            let (program, proc) = (self.program, self.proc);
            let followed = arrivals(
                &mut self.terms,
                program,
                proc,
                from,
                precondition,
                &self.stops,
                &mut NoCalls::default(),
            );
            let Ok((all, _)) = followed else { return Ok(false) };
            found = Some(all.clone());
            if !is_known {
                self.followed.insert(from, all);
            }
        }
        // Every edge back to the start is an arrival of its own.
        let arrivals = found.into_iter().flatten().filter(|arrival| arrival.location == to);
        let mut wrong = format!("there is no way from {from} to {to}");
        let mut is_decided = true;
        for arrival in arrivals {
            let formulas = self.executed(&arrival, values.clone(), before, after);
            if self.terms.postorder(&formulas).len() > MAX_NODES {
                is_decided = false;
                continue;
            }
            match self.ask(&formulas, budget) {
                Answer::Sat => return Ok(true),
                Answer::Unknown(_) => is_decided = false,
                Answer::Unsat => {
                    wrong = format!("the way from {from} to {to} is impossible for the checker:\n");
                    let core = self.core(formulas, budget);
                    wrong.extend(core.chars().take(MAX_SHOWN));
                }
            }
        }
        if is_decided { Err(wrong) } else { Ok(false) }
    }

    /// That the segment ends here, and as it did in the run.
    fn executed(
        &mut self,
        arrival: &Arrival,
        values: Vec<(TermId, TermId)>,
        before: &State,
        after: &State,
    ) -> Vec<TermId> {
        let mut substitution = Substitution::from_pairs(values);
        let mut formulas = vec![substitution.apply(&mut self.terms, arrival.condition)];
        for (component, term) in arrival.state.changed() {
            let term = substitution.apply(&mut self.terms, term);
            match component {
                StateVar::Var(var) if !self.program.vars[var].ty.is_float() => {
                    let is_bool = self.program.vars[var].ty == Type::Bool;
                    let value = scalar(after.values[var.0 as usize], is_bool);
                    if let Some(value) = self.terms.value_term(&value, self.terms.sort(term)) {
                        formulas.push(self.terms.eq(term, value));
                    }
                }
                StateVar::Var(_) => {}
                StateVar::Region(region) => formulas.extend(self.stored(region, term, after)),
            }
        }
        let cells = self.cells(before, &formulas);
        formulas.extend(cells);
        formulas
    }

    /// Formulas of a contradiction that are needed for it.
    fn core(&mut self, formulas: Vec<TermId>, budget: &Budget) -> String {
        // The parts of a conjunction, one by one.
        let mut core = Vec::new();
        for formula in formulas {
            match self.terms.op(formula) {
                Op::And => core.extend_from_slice(self.terms.args(formula)),
                _ => core.push(formula),
            }
        }
        for at in (0..core.len()).rev() {
            let mut less = core.clone();
            less.remove(at);
            if self.ask(&less, budget) == Answer::Unsat {
                core = less;
            }
        }
        self.terms.script("", &core)
    }

    fn ask(&mut self, formulas: &[TermId], budget: &Budget) -> Answer {
        let mut solver = NativeSolver::default();
        for &formula in formulas {
            solver.assert(&mut self.terms, formula);
        }
        solver.check(&mut self.terms, &[], budget)
    }

    /// The variables that formulas speak of, with their values.
    fn values(&mut self, state: &State) -> Vec<(TermId, TermId)> {
        let mut values = Vec::new();
        for (var, info) in self.program.vars.enumerated() {
            let component = StateVar::Var(var);
            if info.ty.is_float() || !self.program.is_tracked(component) {
                continue;
            }
            let symbol = initial(&mut self.terms, self.program, component);
            let value = scalar(state.values[var.0 as usize], info.ty == Type::Bool);
            if let Some(value) = self.terms.value_term(&value, self.terms.sort(symbol)) {
                values.push((symbol, value));
            }
        }
        values
    }

    /// What those cells of memory hold that the formulas may read.
    fn cells(&mut self, state: &State, formulas: &[TermId]) -> Vec<TermId> {
        let mut read: OrderedSet<u64> = OrderedSet::default();
        let mut all = false;
        for t in self.terms.postorder(formulas) {
            if self.terms.op(t) == Op::Select {
                let at = self.terms.int_value(self.terms.arg(t, 1)).and_then(|at| at.to_i128());
                match at.and_then(|at| u64::try_from(at).ok()) {
                    Some(at) => {
                        read.insert(at);
                    }
                    None => all = true,
                }
            }
        }
        let mut facts = Vec::new();
        let mut memory = state.memory.clone();
        if all {
            let objects = memory.objects();
            read.extend(objects.iter().flat_map(|object| object.address..object.address + object.size));
        }
        let used: OrderedSet<TermId> = self.terms.free_consts_of(formulas).into_iter().collect();
        for region in self.program.regions.indices() {
            let component = StateVar::Region(region);
            if !self.program.is_tracked(component) {
                continue;
            }
            let symbol = initial(&mut self.terms, self.program, component);
            for &at in read.iter().filter(|_| used.contains(&symbol)) {
                if let Some(content) = self.recording.cell(self.program, region, at, &mut memory) {
                    let (at, content) = (self.terms.int(Int::from(at)), self.terms.int(content));
                    let cell = self.terms.select(symbol, at);
                    facts.push(self.terms.eq(cell, content));
                }
            }
        }
        facts
    }

    /// The addresses to which an array is written, on some way.
    fn stored_to(&self, contents: TermId) -> OrderedSet<TermId> {
        let mut addresses = OrderedSet::default();
        let mut seen: OrderedSet<TermId> = OrderedSet::default();
        let mut todo = vec![contents];
        while let Some(array) = todo.pop() {
            if !seen.insert(array) {
                continue;
            }
            match self.terms.op(array) {
                Op::Store => {
                    addresses.insert(self.terms.arg(array, 1));
                    todo.push(self.terms.arg(array, 0));
                }
                Op::Ite => todo.extend([self.terms.arg(array, 1), self.terms.arg(array, 2)]),
                _ => {}
            }
        }
        addresses
    }

    /// What was written to constant addresses is there afterwards.
    fn stored(&mut self, region: RegionId, contents: TermId, after: &State) -> Vec<TermId> {
        let mut facts = Vec::new();
        let mut memory = after.memory.clone();
        for address in self.stored_to(contents) {
            let at = self.terms.int_value(address).and_then(|at| at.to_i128());
            let Some(at) = at.and_then(|at| u64::try_from(at).ok()) else { continue };
            if let Some(content) = self.recording.cell(self.program, region, at, &mut memory) {
                let content = self.terms.int(content);
                let cell = self.terms.select(contents, address);
                facts.push(self.terms.eq(cell, content));
            }
        }
        facts
    }
}
