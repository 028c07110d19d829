//! Checks that an annotation of locations is a safe inductive invariant of a program without calls.
//!
//! A proof gives formulas for some locations that cut every loop. Each is a disjunction-free or
//! arbitrary formula over the constants of [`crate::state::initial`]. The clauses are:
//!
//! 1. from the initial states, every annotated location is reached only with its formula true;
//! 2. from an annotated location with its formula true, the same;
//! 3. the error location is never reached.
//!
//! A location without annotation that the segments pass is no obligation: its states are followed. With frames, heads of
//! loops are obligations that the segments pass ([`crate::frames`]).

use crate::frames::{Frames, frames};
use crate::meaning::Meaning;
use crate::quantifiers::foreign_symbols;
use crate::refute::Judge;
use crate::segment::{Arrival, NoCalls, arrivals};
use crate::state::{State, at_entry, initial};
use craig_base::{OrderedMap, OrderedSet};
use craig_num::Int;
use craig_program::{LocId, Proc, Program, RegionId, Scope, StateVar};
use craig_term::{Substitution, TermId, Terms};
use std::fmt;

/// An annotation of the locations of the entry procedure.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    pub formulas: OrderedMap<LocId, TermId>,
    /// Whether clauses go through the heads of loops, with what these do not change.
    pub frames: bool,
}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The clause from one location to another does not hold.
    NotInductive { from: LocId, to: LocId },
    /// The formula at the location does not exclude the error.
    ReachesError { from: LocId },
    /// A formula speaks of something that is not part of the program's state.
    ForeignSymbol { location: LocId, symbol: String },
    /// The checker could not decide a clause, or the program has no meaning for it.
    Undecided { from: LocId, reason: String },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::NotInductive { from, to } => {
                write!(f, "the invariant is not kept on the way from {from} to {to}")
            }
            Rejection::ReachesError { from } => {
                write!(f, "the invariant at {from} does not exclude the error")
            }
            Rejection::ForeignSymbol { location, symbol } => {
                write!(f, "the invariant at {location} uses `{symbol}`, which is not part of the state")
            }
            Rejection::Undecided { from, reason } => {
                write!(f, "the clause from {from} is undecided: {reason}")
            }
        }
    }
}

/// Accepts iff every clause is valid. The solver checks the proof of each of its answers.
pub fn check_invariant<'a>(
    tm: &mut Terms,
    program: &Program,
    invariant: &Invariant,
    judge: impl Into<Judge<'a>>,
) -> Result<(), Rejection> {
    let judge = judge.into();
    let proc = &program.procs[program.entry];
    let state: OrderedSet<TermId> =
        components(program, proc).into_iter().map(|component| initial(tm, program, component)).collect();
    let frames = if invariant.frames { frames(program, proc, invariant) } else { Frames::default() };
    let both: OrderedSet<TermId> = state.iter().copied().chain(entry_state(tm, program, proc)).collect();
    for (&location, &formula) in &invariant.formulas {
        let known = if frames.contains_key(&location) { &both } else { &state };
        if let Some(&foreign) = foreign_symbols(tm, formula, known, known).first() {
            let symbol = tm.const_name(foreign).unwrap_or("?").to_string();
            return Err(Rejection::ForeignSymbol { location, symbol });
        }
    }
    // The entry is a cutpoint in every case: its formula is the initial condition.
    let stops: OrderedSet<LocId> =
        invariant.formulas.keys().copied().filter(|location| !frames.contains_key(location)).collect();
    let obligations = invariant.formulas.keys().copied().chain([proc.error]);
    let matters = proc.open_graph(program).reversed().reachable(obligations);
    let mut around = NoCalls { frames, matters: Some(matters) };
    let initial_condition = initial_condition(tm, program);
    let types = type_facts(tm, program, proc);
    let mut check_from = |tm: &mut Terms, from, precondition| {
        check_from(tm, program, proc, invariant, from, precondition, &stops, &types, &mut around, judge)
    };
    check_from(tm, proc.entry, initial_condition)?;
    for &location in &stops {
        check_from(tm, location, invariant.formulas[&location])?;
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "a clause of the proof, in its context")]
fn check_from(
    tm: &mut Terms,
    program: &Program,
    proc: &Proc,
    invariant: &Invariant,
    from: LocId,
    precondition: TermId,
    stops: &OrderedSet<LocId>,
    types: &OrderedMap<TermId, TermId>,
    around: &mut NoCalls,
    judge: Judge<'_>,
) -> Result<(), Rejection> {
    let undecided = |reason: String| Rejection::Undecided { from, reason };
    if tm.is_false(precondition) {
        return Ok(());
    }
    let (found, mut meaning) = arrivals(tm, program, proc, from, precondition, stops, around)
        .map_err(|reason| undecided(reason.0))?;
    for Arrival { location, condition, state, entered } in found {
        let postcondition = if location == proc.error {
            tm.bool(false)
        } else {
            match invariant.formulas.get(&location) {
                // Elsewhere the state in which a loop was entered is a foreign symbol.
                Some(&formula)
                    if entered.is_none()
                        && around.frames.contains_key(&location)
                        && speaks_of_entry(tm, program, proc, formula) =>
                {
                    return Err(undecided(format!("{location} is visited in a loop that was not entered")));
                }
                Some(&formula) => after(tm, program, &state, entered.as_ref(), formula),
                None if location == proc.exit => continue,
                // A loop back to an entry that is not annotated.
                None => return Err(undecided(format!("the loop through {location} has no invariant"))),
            }
        };
        let violated = tm.not(postcondition);
        if tm.is_false(violated) {
            continue;
        }
        let otherwise = match location == proc.error {
            true => Rejection::ReachesError { from },
            false => Rejection::NotInductive { from, to: location },
        };
        let ranges = facts_about(tm, types, &[precondition, condition, violated]);
        match judge.refute(tm, &[ranges, precondition, condition, violated], &mut meaning, &otherwise) {
            Ok(true) => {}
            Ok(false) => return Err(otherwise),
            Err(reason) => return Err(undecided(reason)),
        }
    }
    Ok(())
}

/// `formula` about the state at the end of a segment, and about the one in which a loop was entered.
pub(crate) fn after(
    tm: &mut Terms,
    program: &Program,
    state: &State,
    entered: Option<&State>,
    formula: TermId,
) -> TermId {
    let mut pairs: Vec<(TermId, TermId)> =
        state.changed().map(|(component, term)| (initial(tm, program, component), term)).collect();
    if let Some(entered) = entered {
        for component in components(program, &program.procs[program.entry]) {
            let value = entered.get(tm, program, component);
            pairs.push((at_entry(tm, program, component), value));
        }
    }
    Substitution::from_pairs(pairs).apply(tm, formula)
}

/// The constants for the state in which a loop was entered.
fn entry_state(tm: &mut Terms, program: &Program, proc: &Proc) -> Vec<TermId> {
    let all = components(program, proc).into_iter();
    all.map(|component| at_entry(tm, program, component)).collect()
}

fn speaks_of_entry(tm: &mut Terms, program: &Program, proc: &Proc, formula: TermId) -> bool {
    let used = tm.free_consts(formula);
    entry_state(tm, program, proc).iter().any(|constant| used.contains(constant))
}

/// Every variable holds a value of its type, at every moment of every execution: each assignment
/// keeps it so. A fact for each constant.
fn type_facts(tm: &mut Terms, program: &Program, proc: &Proc) -> OrderedMap<TermId, TermId> {
    let meaning = Meaning::new(program);
    let mut facts = OrderedMap::default();
    for component in components(program, proc) {
        if let StateVar::Var(var) = component {
            let value = initial(tm, program, component);
            facts.insert(value, meaning.in_range(tm, program.vars[var].ty, value));
        }
    }
    facts
}

/// The facts about constants that are spoken of: in a large program they are few.
fn facts_about(tm: &mut Terms, facts: &OrderedMap<TermId, TermId>, formulas: &[TermId]) -> TermId {
    let spoken_of = tm.free_consts_of(formulas);
    let about: Vec<TermId> = spoken_of.iter().filter_map(|constant| facts.get(constant).copied()).collect();
    tm.and(&about)
}

pub(crate) fn components(program: &Program, proc: &Proc) -> Vec<StateVar> {
    let locals = proc.locals.iter().map(|&var| StateVar::Var(var));
    program.global_state().into_iter().chain(locals).filter(|&c| program.is_tracked(c)).collect()
}

/// What holds when the program starts: globals and static objects have their initial values.
pub fn initial_condition(tm: &mut Terms, program: &Program) -> TermId {
    let mut facts = Vec::new();
    for (id, var) in program.vars.enumerated() {
        let component = StateVar::Var(id);
        if let Scope::Global { init } = var.scope
            && program.is_tracked(component)
        {
            let symbol = initial(tm, program, component);
            let value = match var.ty {
                craig_program::Type::Bool => tm.bool(init != 0),
                _ => tm.int(init),
            };
            facts.push(tm.eq(symbol, value));
        }
    }
    for region in program.regions.indices().filter(|&r| program.is_tracked(StateVar::Region(r))) {
        facts.push(initial_region(tm, program, region));
    }
    tm.and(&facts)
}

fn initial_region(tm: &mut Terms, program: &Program, region: RegionId) -> TermId {
    let component = StateVar::Region(region);
    let symbol = initial(tm, program, component);
    let meaning_cells = initial_cells(tm, program, region);
    if program.regions[region].zeroed {
        let sort = crate::state::sort(tm, program, component);
        let zero = tm.int(0);
        let mut contents = tm.const_array(sort, zero);
        for (address, value) in meaning_cells {
            contents = tm.store(contents, address, value);
        }
        tm.eq(symbol, contents)
    } else {
        let mut facts = Vec::new();
        for (address, value) in meaning_cells {
            let cell = tm.select(symbol, address);
            facts.push(tm.eq(cell, value));
        }
        tm.and(&facts)
    }
}

/// The cells that static objects initialise, as addresses and contents in the region's own view.
fn initial_cells(tm: &mut Terms, program: &Program, region: RegionId) -> Vec<(TermId, TermId)> {
    let mut cells = Vec::new();
    for object in &program.objects {
        for &(offset, of, ty, value) in object.init.iter().filter(|init| init.1 == region) {
            debug_assert_eq!(of, region);
            let base = Int::from(i128::from(object.address + offset));
            for (at, cell) in program.cells_of(region, ty, value) {
                let address = tm.int(base.clone() + Int::from(i128::from(at)));
                let content = tm.int(cell);
                cells.push((address, content));
            }
        }
    }
    cells
}
