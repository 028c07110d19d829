//! Symbolic states: what each variable and region holds, as terms over the state at a cutpoint.

use craig_base::OrderedMap;
use craig_program::{Program, RegionId, StateVar, Type, VarId};
use craig_term::{SortId, TermId, Terms};

/// The components that differ from the start of the segment.
#[derive(Clone, Debug, Default)]
pub struct State {
    changed: OrderedMap<StateVar, TermId>,
}

impl State {
    pub fn get(&self, tm: &mut Terms, program: &Program, component: StateVar) -> TermId {
        match self.changed.get(&component) {
            Some(&term) => term,
            None => initial(tm, program, component),
        }
    }

    pub fn var(&self, tm: &mut Terms, program: &Program, var: VarId) -> TermId {
        self.get(tm, program, StateVar::Var(var))
    }

    pub fn region(&self, tm: &mut Terms, program: &Program, region: RegionId) -> TermId {
        self.get(tm, program, StateVar::Region(region))
    }

    pub fn set(&mut self, component: StateVar, term: TermId) {
        self.changed.insert(component, term);
    }

    pub fn changed(&self) -> impl Iterator<Item = (StateVar, TermId)> {
        self.changed.iter().map(|(&component, &term)| (component, term))
    }
}

/// The constant that stands for a component at the start of a segment, and in invariants.
pub fn initial(tm: &mut Terms, program: &Program, component: StateVar) -> TermId {
    declare(tm, program, component, "")
}

/// The constant that stands for a component at the entry of the procedure, in contracts.
pub fn at_entry(tm: &mut Terms, program: &Program, component: StateVar) -> TermId {
    declare(tm, program, component, "@")
}

fn declare(tm: &mut Terms, program: &Program, component: StateVar, suffix: &str) -> TermId {
    let sort = sort(tm, program, component);
    let mut name = format!("{}{suffix}", program.state_name(component));
    loop {
        match tm.declare_const(&name, sort) {
            Ok(constant) => return constant,
            // The store has other programs' names as well; from now on it has this one, too.
            Err(_) => name.push('_'),
        }
    }
}

pub fn sort(tm: &mut Terms, program: &Program, component: StateVar) -> SortId {
    match component {
        StateVar::Var(var) => match program.vars[var].ty {
            Type::Bool => Terms::BOOL,
            // Of floats only inductions over bits speak, by numbers in the same order (`unwinding::formulas`).
            Type::Int(_) | Type::Pointer | Type::Float(_) => Terms::INT,
        },
        StateVar::Region(_) => tm.array_sort(Terms::INT, Terms::INT),
    }
}
