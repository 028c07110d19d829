//! The constants that stand for the state of a program in formulas.

use crate::ir::Program;
use crate::state::StateVar;
use crate::types::Type;
use craig_base::Map;
use craig_term::{TermId, Terms};

/// The constants for the state of a program: `current` ones carry the name of the component,
/// `next` ones that name with a prime, and those for the state at a procedure's entry an `@`.
#[derive(Clone, Debug, Default)]
pub struct StateNames {
    current: Map<StateVar, TermId>,
    next: Map<StateVar, TermId>,
    entry: Map<StateVar, TermId>,
}

impl StateNames {
    pub fn current(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.current.entry(var).or_insert_with(|| declare(program, terms, var, ""))
    }

    pub fn next(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.next.entry(var).or_insert_with(|| declare(program, terms, var, "'"))
    }

    pub fn entry(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.entry.entry(var).or_insert_with(|| declare(program, terms, var, "@"))
    }
}

fn declare(program: &Program, terms: &mut Terms, var: StateVar, suffix: &str) -> TermId {
    let sort = match var {
        StateVar::Var(var) if program.vars[var].ty == Type::Bool => Terms::BOOL,
        StateVar::Var(_) => Terms::INT,
        StateVar::Region(_) => terms.array_sort(Terms::INT, Terms::INT),
    };
    let mut name = format!("{}{suffix}", program.state_name(var));
    loop {
        match terms.declare_const(&name, sort) {
            Ok(constant) => return constant,
            // Another program in the same store uses this name for something else.
            Err(_) => name.push('_'),
        }
    }
}
