//! Checks contracts of procedures: Hoare triples, and the loop invariants that prove them.
//!
//! A [`Contract`] speaks of the state at the procedure's entry through the constants of
//! [`crate::state::at_entry`], and of the current state through those of [`crate::state::initial`].
//! The clauses are, for every procedure with a contract:
//!
//! 1. the program starts in a state that its entry procedure requires;
//! 2. from a state that the procedure requires, and from each annotated location with its formula
//!    true, every annotated location that is reached next has its formula true, and the exit has
//!    the procedure's `ensures` true;
//! 3. where a procedure is called on the way, the state is one that it requires; after the call,
//!    what it may write is arbitrary but for its `ensures`;
//! 4. no error location is reached.
//!
//! A loop may be proved as a tail-recursive procedure instead ([`Contract::loops`]): its head has a
//! triple of its own, about the way from the head to the exit. Reaching the head is then like calling
//! that procedure as the last thing: its `requires` must hold, and what it ensures must be what is to
//! be ensured.
//!
//! So by induction over the length of an execution, no call that is entered is entered in a state
//! outside of its `requires`, and no error location is reached. A local that is not a parameter has
//! an arbitrary value at the entry. Ways on which neither exit nor error nor a call that may fail
//! lies ahead are not followed: nothing is claimed about them.

use crate::invariant::{components, initial_condition};
use crate::meaning::Meaning;
use crate::quantifiers::foreign_symbols;
use crate::refute::Judge;
use crate::segment::{Arrival, Call, NoMeaning, Surroundings, arrivals, write};
use crate::state::{State, at_entry, initial};
use craig_base::{IndexVec, OrderedMap, OrderedSet};
use craig_program::{LocId, Place, Proc, ProcId, Program, Scope, StateVar, Stmt};
use craig_term::{Substitution, TermId, Terms};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a procedure requires and ensures, and why.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Over the state at the entry.
    pub requires: TermId,
    /// Over the state at the entry and the state at the exit.
    pub ensures: TermId,
    /// Together with `loops`, for locations that cut every loop: over the state at the entry and the
    /// current state.
    pub invariants: OrderedMap<LocId, TermId>,
    /// For other such locations: what holds of the way from there to the exit.
    pub loops: OrderedMap<LocId, Triple>,
}

impl Contract {
    /// A contract without annotations of locations.
    pub fn new(requires: TermId, ensures: TermId) -> Self {
        Contract { requires, ensures, invariants: OrderedMap::default(), loops: OrderedMap::default() }
    }
}

/// A claim about every way from a location to the exit.
#[derive(Clone, Copy, Debug)]
pub struct Triple {
    /// Over the state at the location, written as at an entry.
    pub requires: TermId,
    /// Over the state at the location, written as at an entry, and the state at the exit.
    pub ensures: TermId,
}

/// Contracts of all procedures that can be called.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    pub contracts: OrderedMap<ProcId, Contract>,
}

/// Why contracts were not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryRejection {
    /// A procedure that is called has no contract.
    Missing {
        proc: Arc<str>,
    },
    /// A formula speaks of something that is not part of the procedure's state.
    ForeignSymbol {
        proc: Arc<str>,
        symbol: String,
    },
    /// The program may start in a state that its entry procedure does not require.
    Start,
    /// A call in a state that the callee does not require.
    Requires {
        proc: Arc<str>,
        from: LocId,
        callee: Arc<str>,
    },
    /// The exit is reached in a state that is not ensured.
    Ensures {
        proc: Arc<str>,
        from: LocId,
    },
    NotInductive {
        proc: Arc<str>,
        from: LocId,
        to: LocId,
    },
    ReachesError {
        proc: Arc<str>,
        from: LocId,
    },
    /// A clause could not be decided, or the procedure has no meaning for the checker.
    Undecided {
        proc: Arc<str>,
        reason: String,
    },
}

impl fmt::Display for SummaryRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SummaryRejection::Missing { proc } => write!(f, "{proc} has no contract"),
            SummaryRejection::ForeignSymbol { proc, symbol } => {
                write!(f, "the contract of {proc} uses `{symbol}`, which is not part of its state")
            }
            SummaryRejection::Start => {
                f.write_str("the program may start in a state that its entry procedure does not require")
            }
            SummaryRejection::Requires { proc, from, callee } => {
                write!(f, "behind {from} of {proc}, {callee} is called in a state that it does not require")
            }
            SummaryRejection::Ensures { proc, from } => {
                write!(f, "{proc} does not ensure what its contract says on the way from {from} to the exit")
            }
            SummaryRejection::NotInductive { proc, from, to } => {
                write!(f, "the invariant of {proc} is not kept on the way from {from} to {to}")
            }
            SummaryRejection::ReachesError { proc, from } => {
                write!(f, "the formula at {from} of {proc} does not exclude the error")
            }
            SummaryRejection::Undecided { proc, reason } => {
                write!(f, "a clause of {proc} is undecided: {reason}")
            }
        }
    }
}

/// Accepts iff every clause is valid. The solver checks the proof of each of its answers.
pub fn check_summaries<'a>(
    tm: &mut Terms,
    program: &Program,
    summaries: &Summaries,
    judge: impl Into<Judge<'a>>,
) -> Result<(), SummaryRejection> {
    let judge = judge.into();
    let effects = effects(program);
    check_start(tm, program, summaries, judge)?;
    let checker = |id| Checker { program, summaries, effects: &effects, id, judge };
    for (&proc, contract) in &summaries.contracts {
        checker(proc).own_symbols(tm, contract)?;
    }
    for (&proc, contract) in &summaries.contracts {
        checker(proc).check_contract(tm, contract)?;
    }
    Ok(())
}

fn check_start(
    tm: &mut Terms,
    program: &Program,
    summaries: &Summaries,
    judge: Judge<'_>,
) -> Result<(), SummaryRejection> {
    let main = &program.procs[program.entry];
    let missing = || SummaryRejection::Missing { proc: main.name.clone() };
    let contract = summaries.contracts.get(&program.entry).ok_or_else(missing)?;
    let ranges = type_facts(tm, program, main, initial);
    let start = initial_condition(tm, program);
    let required = entry_is_now(tm, program, main).apply(tm, contract.requires);
    let violated = tm.not(required);
    let otherwise = SummaryRejection::Start;
    match judge.refute(tm, &[ranges, start, violated], &mut Meaning::new(program), &otherwise) {
        Ok(true) => Ok(()),
        Ok(false) => Err(otherwise),
        Err(reason) => Err(SummaryRejection::Undecided { proc: main.name.clone(), reason }),
    }
}

/// What a procedure, with all it calls, may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effect {
    writes: BTreeSet<StateVar>,
    fails: bool,
}

/// The effects of all procedures, as a fixpoint.
fn effects(program: &Program) -> IndexVec<ProcId, Effect> {
    let is_global = |var: &StateVar| match *var {
        StateVar::Var(var) => matches!(program.vars[var].scope, Scope::Global { .. }),
        StateVar::Region(_) => true,
    };
    let target = |place: &Place| match *place {
        Place::Var(var) => StateVar::Var(var),
        Place::Memory { region, .. } => StateVar::Region(region),
    };
    let mut effects: IndexVec<ProcId, Effect> = IndexVec::from_elem(Effect::default(), program.procs.len());
    loop {
        let before = effects.clone();
        for (id, proc) in program.procs.enumerated() {
            for edge in &proc.edges {
                let mut written: Vec<StateVar> = Vec::new();
                match &edge.stmt {
                    Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) => {}
                    Stmt::Assign(place, _) | Stmt::Input(place, _) => written.push(target(place)),
                    Stmt::Alloc { var, .. } => {
                        written.push(StateVar::Var(*var));
                        written.extend(program.next_address.map(StateVar::Var));
                    }
                    Stmt::Call { callee, result, .. } => {
                        written.extend(result.as_ref().map(target));
                        written.extend(effects[*callee].writes.iter().copied());
                        effects[id].fails |= effects[*callee].fails;
                    }
                }
                effects[id].writes.extend(written.into_iter().filter(is_global));
                effects[id].fails |= edge.to == proc.error && !program.is_closed(&edge.stmt);
            }
        }
        if effects == before {
            return effects;
        }
    }
}

/// Checks one procedure.
struct Checker<'a> {
    program: &'a Program,
    summaries: &'a Summaries,
    effects: &'a IndexVec<ProcId, Effect>,
    id: ProcId,
    judge: Judge<'a>,
}

impl Checker<'_> {
    fn proc(&self) -> &Proc {
        &self.program.procs[self.id]
    }

    fn name(&self) -> Arc<str> {
        self.proc().name.clone()
    }

    fn undecided(&self, reason: String) -> SummaryRejection {
        SummaryRejection::Undecided { proc: self.name(), reason }
    }

    fn refute(
        &self,
        tm: &mut Terms,
        question: &[TermId],
        meaning: &mut Meaning<'_>,
        otherwise: SummaryRejection,
    ) -> Result<(), SummaryRejection> {
        match self.judge.refute(tm, question, meaning, &otherwise) {
            Ok(true) => Ok(()),
            Ok(false) => Err(otherwise),
            Err(reason) => Err(self.undecided(reason)),
        }
    }

    /// `requires` speaks of the entry state only, the others of entry and current state.
    fn own_symbols(&self, tm: &mut Terms, contract: &Contract) -> Result<(), SummaryRejection> {
        let own = components(self.program, self.proc());
        let entry: OrderedSet<TermId> = own.iter().map(|&c| at_entry(tm, self.program, c)).collect();
        let mut both = entry.clone();
        both.extend(own.iter().map(|&c| initial(tm, self.program, c)));
        let related = contract.invariants.values().copied().chain([contract.ensures]);
        let related = related.chain(contract.loops.values().map(|triple| triple.ensures));
        let required = contract.loops.values().map(|triple| triple.requires).chain([contract.requires]);
        let related = related.map(|formula| (formula, &both));
        for (formula, free) in related.chain(required.map(|formula| (formula, &entry))) {
            if let Some(&foreign) = foreign_symbols(tm, formula, free, &both).first() {
                let symbol = tm.const_name(foreign).unwrap_or("?").to_string();
                return Err(SummaryRejection::ForeignSymbol { proc: self.name(), symbol });
            }
        }
        Ok(())
    }

    fn check_contract(&self, tm: &mut Terms, contract: &Contract) -> Result<(), SummaryRejection> {
        // At the entry the two states are one: the constants of the current state stand for both.
        let mut one_state = entry_is_now(tm, self.program, self.proc());
        let required = one_state.apply(tm, contract.requires);
        self.check_from(tm, contract, self.proc().entry, required, Some(contract.ensures))?;
        for (&location, triple) in &contract.loops {
            let required = one_state.apply(tm, triple.requires);
            self.check_from(tm, contract, location, required, Some(triple.ensures))?;
        }
        if self.proc().entry == self.proc().exit {
            let ensured = one_state.apply(tm, contract.ensures);
            let violated = tm.not(ensured);
            let ranges = type_facts(tm, self.program, self.proc(), initial);
            let otherwise = SummaryRejection::Ensures { proc: self.name(), from: self.proc().entry };
            let mut meaning = Meaning::new(self.program);
            self.refute(tm, &[ranges, required, violated], &mut meaning, otherwise)?;
        }
        for (&location, &formula) in &contract.invariants {
            self.check_from(tm, contract, location, formula, None)?;
        }
        Ok(())
    }

    /// Checks the segments from a location. `begins` says what the exit must satisfy, if the location
    /// is where a triple begins.
    fn check_from(
        &self,
        tm: &mut Terms,
        contract: &Contract,
        from: LocId,
        precondition: TermId,
        begins: Option<TermId>,
    ) -> Result<(), SummaryRejection> {
        if tm.is_false(precondition) {
            return Ok(());
        }
        let (program, proc) = (self.program, self.proc());
        let entering = begins.is_some();
        let ensures = begins.unwrap_or(contract.ensures);
        let stops: OrderedSet<LocId> =
            contract.invariants.keys().chain(contract.loops.keys()).copied().collect();
        let mut around = Callees { checker: self, matters: self.relevant_locations(), calls: Vec::new() };
        let found = arrivals(tm, program, proc, from, precondition, &stops, &mut around);
        let calls = around.calls;
        let (found, mut meaning) = found.map_err(|reason| self.undecided(reason.0))?;
        let now = type_facts(tm, program, proc, initial);
        let then = if entering { Terms::TRUE } else { type_facts(tm, program, proc, at_entry) };
        let known = [now, then, precondition];
        for CallObligation { callee, condition, violated } in calls {
            let [now, then, precondition] = known;
            let callee = program.procs[callee].name.clone();
            let otherwise = SummaryRejection::Requires { proc: self.name(), from, callee };
            self.refute(tm, &[now, then, precondition, condition, violated], &mut meaning, otherwise)?;
        }
        for Arrival { location, condition, state, .. } in found {
            let mut formulas = Vec::new();
            if location == proc.error {
                formulas.push(tm.bool(false));
            } else {
                formulas.extend(contract.invariants.get(&location));
                formulas.extend((location == proc.exit).then_some(ensures));
            }
            let annotated = location == proc.exit || contract.loops.contains_key(&location);
            if formulas.is_empty() && !annotated {
                let reason = format!("the loop through {location} has no invariant");
                return Err(self.undecided(reason));
            }
            let postcondition = tm.and(&formulas);
            let mut postcondition = self.after(tm, &state, postcondition, entering);
            if let Some(triple) = contract.loops.get(&location) {
                let at_loop = self.loop_as_call(tm, &state, *triple, ensures, entering);
                postcondition = tm.and2(postcondition, at_loop);
            }
            let violated = tm.not(postcondition);
            if tm.is_false(violated) {
                continue;
            }
            let [now, then, precondition] = known;
            let name = self.name();
            let otherwise = if location == proc.error {
                SummaryRejection::ReachesError { proc: name, from }
            } else if location == proc.exit {
                SummaryRejection::Ensures { proc: name, from }
            } else {
                SummaryRejection::NotInductive { proc: name, from, to: location }
            };
            self.refute(tm, &[now, then, precondition, condition, violated], &mut meaning, otherwise)?;
        }
        Ok(())
    }

    /// `formula` about the state at the end of a segment. On the way from the entry, the constants
    /// of the current state stand for the entry state.
    fn after(&self, tm: &mut Terms, state: &State, formula: TermId, entering: bool) -> TermId {
        let program = self.program;
        let mut pairs: Vec<(TermId, TermId)> =
            state.changed().map(|(component, term)| (initial(tm, program, component), term)).collect();
        if entering {
            for component in components(program, self.proc()) {
                pairs.push((at_entry(tm, program, component), initial(tm, program, component)));
            }
        }
        Substitution::from_pairs(pairs).apply(tm, formula)
    }

    /// What must hold where a loop with a triple is reached: its requirement, and that whatever it
    /// ensures of the exit is what is to be ensured.
    fn loop_as_call(
        &self,
        tm: &mut Terms,
        state: &State,
        triple: Triple,
        ensures: TermId,
        entering: bool,
    ) -> TermId {
        let program = self.program;
        let mut meaning = Meaning::new(program);
        let (mut at_head, mut at_exit) = (Vec::new(), Vec::new());
        for component in components(program, self.proc()) {
            at_head.push((at_entry(tm, program, component), state.get(tm, program, component)));
            let value = match component {
                StateVar::Var(var) => meaning.arbitrary(tm, program.vars[var].ty),
                StateVar::Region(_) => {
                    let sort = crate::state::sort(tm, program, component);
                    tm.fresh_const("any", sort)
                }
            };
            at_exit.push((initial(tm, program, component), value));
        }
        let required = Substitution::from_pairs(at_head.iter().copied()).apply(tm, triple.requires);
        let pairs = at_head.into_iter().chain(at_exit.iter().copied());
        let ensured = Substitution::from_pairs(pairs).apply(tm, triple.ensures);
        if entering {
            for component in components(program, self.proc()) {
                at_exit.push((at_entry(tm, program, component), initial(tm, program, component)));
            }
        }
        let to_ensure = Substitution::from_pairs(at_exit).apply(tm, ensures);
        meaning.assumptions.push(ensured);
        let assumed = tm.and(&meaning.assumptions);
        let goes_on = tm.implies(assumed, to_ensure);
        tm.and2(required, goes_on)
    }

    /// The locations from which the exit, the error or a call that may fail can be reached.
    fn relevant_locations(&self) -> IndexVec<LocId, bool> {
        let proc = self.proc();
        let mut relevant = IndexVec::from_elem(false, proc.locations.len());
        let mut stack = vec![proc.exit, proc.error];
        for edge in &proc.edges {
            if matches!(edge.stmt, Stmt::Call { callee, .. } if self.effects[callee].fails) {
                stack.push(edge.from);
            }
        }
        while let Some(location) = stack.pop() {
            if !std::mem::replace(&mut relevant[location], true) {
                for &edge in &proc.locations[location].incoming {
                    let edge = &proc.edges[edge];
                    if !self.program.is_closed(&edge.stmt) {
                        stack.push(edge.from);
                    }
                }
            }
        }
        relevant
    }
}

/// Entry constants become current ones.
fn entry_is_now(tm: &mut Terms, program: &Program, proc: &Proc) -> Substitution {
    let own = components(program, proc);
    Substitution::from_pairs(own.into_iter().map(|c| (at_entry(tm, program, c), initial(tm, program, c))))
}

/// Every variable holds a value of its type.
fn type_facts(
    tm: &mut Terms,
    program: &Program,
    proc: &Proc,
    constant: fn(&mut Terms, &Program, StateVar) -> TermId,
) -> TermId {
    let meaning = Meaning::new(program);
    let mut facts = Vec::new();
    for component in components(program, proc) {
        if let StateVar::Var(var) = component {
            let value = constant(tm, program, component);
            facts.push(meaning.in_range(tm, program.vars[var].ty, value));
        }
    }
    tm.and(&facts)
}

/// Calls by contract.
struct Callees<'c> {
    checker: &'c Checker<'c>,
    matters: IndexVec<LocId, bool>,
    calls: Vec<CallObligation>,
}

/// A call that must not happen.
struct CallObligation {
    callee: ProcId,
    /// Holds iff the call is reached.
    condition: TermId,
    /// The state is not one that the callee requires.
    violated: TermId,
}

impl Surroundings for Callees<'_> {
    fn matters(&self, location: LocId) -> bool {
        self.matters[location]
    }

    fn may_fail(&self, callee: ProcId) -> bool {
        self.checker.effects[callee].fails
    }

    fn call(
        &mut self,
        tm: &mut Terms,
        meaning: &mut Meaning<'_>,
        state: &mut State,
        call: Call<'_>,
        condition: TermId,
    ) -> Result<(), NoMeaning> {
        let program = self.checker.program;
        let callee = &program.procs[call.callee];
        let Some(contract) = self.checker.summaries.contracts.get(&call.callee) else {
            return Err(NoMeaning(format!("{} is called and has no contract", callee.name)));
        };
        // The state at the callee's entry and, for what it may write, at its exit.
        let mut pairs = Vec::new();
        let mut args = Vec::new();
        for &arg in call.args {
            args.push(meaning.value(tm, state, arg));
        }
        let own = components(program, callee);
        for &component in &own {
            let value = match component {
                StateVar::Var(var) if is_local(program, var) => {
                    let position = callee.params.iter().position(|&param| param == var);
                    match position.and_then(|position| args.get(position)) {
                        Some(&value) => value,
                        None => meaning.arbitrary(tm, program.vars[var].ty),
                    }
                }
                _ => state.get(tm, program, component),
            };
            pairs.push((at_entry(tm, program, component), value));
        }
        let mut entered = Substitution::from_pairs(pairs.iter().copied());
        let required = entered.apply(tm, contract.requires);
        let violated = tm.not(required);
        let mut reached = meaning.assumptions.clone();
        reached.push(condition);
        let condition = tm.and(&reached);
        self.calls.push(CallObligation { callee: call.callee, condition, violated });

        let written = &self.checker.effects[call.callee].writes;
        let mut result = None;
        for component in own {
            let value = match component {
                StateVar::Var(var) if is_local(program, var) => {
                    let value = meaning.arbitrary(tm, program.vars[var].ty);
                    if callee.result == Some(var) {
                        result = Some(value);
                    }
                    value
                }
                _ if !written.contains(&component) => state.get(tm, program, component),
                StateVar::Var(var) => meaning.arbitrary(tm, program.vars[var].ty),
                StateVar::Region(_) => {
                    let sort = crate::state::sort(tm, program, component);
                    tm.fresh_const("any", sort)
                }
            };
            pairs.push((initial(tm, program, component), value));
            if written.contains(&component) {
                state.set(component, value);
            }
        }
        let ensured = Substitution::from_pairs(pairs).apply(tm, contract.ensures);
        meaning.assumptions.push(ensured);
        if let Some(place) = call.result {
            let ty = program.place_type(place);
            let value = match result {
                Some(value) => value,
                None => meaning.arbitrary(tm, ty),
            };
            write(tm, meaning, state, place, ty, value);
        }
        Ok(())
    }
}

fn is_local(program: &Program, var: craig_program::VarId) -> bool {
    matches!(program.vars[var].scope, Scope::Local(_))
}
