//! Symbolic execution along edges that the owner chooses.

use super::{Constraint, ConstraintKind, SymbolicState};
use crate::outcome::Site;
use craig_base::OrderedMap;
use craig_program::encode::{Encoder, Environment, Operation, Store, Value};
use craig_program::{ExprId, LocId, ProcId, Program, Stmt, VarId};
use craig_term::{TermId, Terms};

/// A path that is being followed. A clone goes its own way.
///
/// The edges of a path are those that a run [records](crate::PathRecorder): a call edge, then the edges of
/// the callee up to its exit, then what follows the call. A path may also begin inside of a procedure, in
/// any state; then it must not return from there.
#[derive(Clone, Debug)]
pub struct SymbolicPath {
    /// After the edges taken so far.
    pub state: SymbolicState,
    pub condition: Vec<Constraint>,
    /// The inputs of statements, in order, with what stands for them; nothing for floats.
    pub inputs: Vec<(Site, Option<TermId>)>,
    /// An operation on the way has no exact term.
    pub approximated: bool,
    /// The auxiliary constants that stand for results of such operations.
    pub results: OrderedMap<Operation, TermId>,
    pub proc: ProcId,
    pub location: LocId,
    calls: Vec<Call>,
}

#[derive(Clone, Debug)]
struct Call {
    /// Of the caller.
    site: Site,
    /// The values that the locals of the callee had before, if it was active already.
    saved: Vec<(VarId, Option<Value>)>,
}

/// The edge does not leave the location at which the path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPath;

impl SymbolicPath {
    /// At the start of the program; the arguments of its entry are symbols.
    pub fn start(program: &Program, terms: &mut Terms) -> Self {
        let entry = program.procs[program.entry].entry;
        Self::from(program.entry, entry, SymbolicState::initial(program, terms))
    }

    /// At a location, in a state.
    pub fn from(proc: ProcId, location: LocId, state: SymbolicState) -> Self {
        SymbolicPath {
            state,
            condition: Vec::new(),
            inputs: Vec::new(),
            approximated: false,
            results: OrderedMap::default(),
            proc,
            location,
            calls: Vec::new(),
        }
    }

    /// How many calls are active, beside the first.
    pub fn depth(&self) -> usize {
        self.calls.len()
    }

    /// Takes the next edge. Where the path has come to the exit of a call, it returns first.
    pub fn take(&mut self, program: &Program, terms: &mut Terms, site: Site) -> Result<(), NotAPath> {
        while self.location == program.procs[self.proc].exit
            && !self.calls.is_empty()
            && !self.leads(program, site)
        {
            self.leave(program, terms);
        }
        if !self.leads(program, site) {
            return Err(NotAPath);
        }
        let edge = &program.procs[site.proc].edges[site.edge];
        if let Stmt::Call { callee, args, .. } = &edge.stmt {
            self.enter(program, terms, site, *callee, args);
            return Ok(());
        }
        let mut encoder = Encoder::new(program, terms);
        encoder.results = std::mem::take(&mut self.results);
        let effect = encoder.statement(&edge.stmt, &mut self.state);
        let decides = matches!(edge.stmt, Stmt::Assume(_));
        if matches!(edge.stmt, Stmt::Input(..)) {
            self.inputs.push((site, effect.input));
        }
        self.approximated |= !encoder.approximations.is_empty();
        self.results = encoder.results;
        let last = effect.conditions.len().wrapping_sub(1);
        for (i, term) in effect.conditions.into_iter().enumerate() {
            let kind = if decides && i == last { ConstraintKind::Branch } else { ConstraintKind::Side };
            self.record(term, kind, site);
        }
        self.record_facts(site);
        self.location = edge.to;
        Ok(())
    }

    /// Returns from the innermost call, at whose exit the path is.
    pub fn leave(&mut self, program: &Program, terms: &mut Terms) {
        let Some(call) = self.calls.pop() else { return };
        let callee = &program.procs[self.proc];
        let result = callee.result.filter(|&var| !program.vars[var].ty.is_float());
        let mut encoder = Encoder::new(program, terms);
        encoder.results = std::mem::take(&mut self.results);
        let value = result.map(|var| self.state.var(&mut encoder, var));
        for &var in &callee.locals {
            self.state.take(var);
        }
        for (var, value) in call.saved {
            if let Some(value) = value {
                self.state.set_var(var, value);
            }
        }
        let edge = &program.procs[call.site.proc].edges[call.site.edge];
        if let Stmt::Call { result: Some(place), .. } = edge.stmt {
            let conditions = encoder.assign(place, value, Vec::new(), &mut self.state);
            self.approximated |= !encoder.approximations.is_empty();
            for term in conditions {
                self.record(term, ConstraintKind::Side, call.site);
            }
        }
        self.results = encoder.results;
        self.record_facts(call.site);
        self.proc = call.site.proc;
        self.location = edge.to;
    }

    /// The value of an expression in the current state; none for a float. What its evaluation asks for
    /// becomes part of the condition.
    pub fn evaluate(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        expr: ExprId,
        site: Site,
    ) -> Option<Value> {
        let mut encoder = Encoder::new(program, terms);
        encoder.results = std::mem::take(&mut self.results);
        let (value, conditions) = encoder.expr(expr, &mut self.state);
        self.approximated |= !encoder.approximations.is_empty();
        self.results = encoder.results;
        for term in conditions {
            self.record(term, ConstraintKind::Side, site);
        }
        self.record_facts(site);
        value
    }

    /// All constraints as one formula.
    pub fn formula(&self, terms: &mut Terms) -> TermId {
        let parts: Vec<TermId> = self.condition.iter().map(|constraint| constraint.term).collect();
        terms.and(&parts)
    }

    fn leads(&self, program: &Program, site: Site) -> bool {
        site.proc == self.proc && program.procs[site.proc].edges[site.edge].from == self.location
    }

    fn enter(&mut self, program: &Program, terms: &mut Terms, site: Site, callee: ProcId, args: &[ExprId]) {
        let values: Vec<Option<Value>> =
            args.iter().map(|&arg| self.evaluate(program, terms, arg, site)).collect();
        let target = &program.procs[callee];
        let saved = target.locals.iter().map(|&var| (var, self.state.take(var))).collect();
        for (&param, value) in target.params.iter().zip(values) {
            if let Some(value) = value {
                self.state.set_var(param, value);
            }
        }
        self.calls.push(Call { site, saved });
        self.proc = callee;
        self.location = target.entry;
    }

    fn record(&mut self, term: TermId, kind: ConstraintKind, site: Site) {
        if term != Terms::TRUE {
            self.condition.push(Constraint { term, kind, site, inputs: self.inputs.len() });
        }
    }

    fn record_facts(&mut self, site: Site) {
        for term in self.state.take_facts() {
            self.record(term, ConstraintKind::Side, site);
        }
    }
}
