//! What the engines for Horn clauses share: their answer, rules in the form that they search over,
//! the annotation of levels with lemmas.

mod annotation;
pub mod cells;
mod context;
pub mod contracts;
mod facts;
mod farkas;
mod frames;
pub mod inlined;
mod instance;
mod rules;
pub mod solve;

#[cfg(test)]
pub(crate) mod suite;

pub use annotation::{Annotation, Blocked};
pub use context::{Context, Question};
pub use facts::{FactId, Facts};
pub use frames::Frames;
pub use instance::Instance;
pub use rules::{BodyAtom, Rule, RuleId, Rules};

use crate::verdict::Reason;
use crate::view::{Knowledge, Prepared, Sight};
use craig_base::{Budget, OrderedSet};
use craig_chc::{Derivation, Interpretation, System};
use craig_program::horn::{Contexts, inlined_clauses, procedure_clauses};
use craig_program::{Granularity, Program};
use craig_smt::Solver;
use craig_term::{Op, TermId, Terms};

/// How an engine gets its solvers.
pub type NewSolver<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// The answer to a system of Horn clauses. It is not yet checked.
#[derive(Clone, Debug)]
pub enum HornVerdict {
    Sat(Interpretation),
    Unsat(Derivation),
    Unknown(Reason),
}

/// A program as clauses: the inlined view, or the procedural one where calls cannot be inlined.
pub fn of_program(program: &Program, budget: &Budget) -> Result<(Terms, System), Reason> {
    let prepared = Prepared::new(program, budget);
    if prepared.inlined().is_err() {
        let encoded = prepared.procedures(Knowledge::Types, Granularity::Loops, budget)?;
        let mut terms = encoded.terms.clone();
        let horn = procedure_clauses(program, &encoded.code, Contexts::Any, &mut terms);
        return Ok((terms, horn.system));
    }
    let encoded = prepared.graph(Sight::Everything, Granularity::Loops, budget)?;
    let mut terms = encoded.terms.clone();
    let simplified = prepared.simplified(Sight::Everything, budget)?;
    let horn = inlined_clauses(&simplified.program, &encoded.code, &mut terms);
    Ok((terms, horn.system))
}

/// Literals with both halves of each equality of numbers in its place, since a core often needs one of them only.
pub fn halves(terms: &mut Terms, literals: &[TermId]) -> Vec<TermId> {
    let mut cube = OrderedSet::default();
    for &literal in literals {
        if terms.op(literal) == Op::Eq && terms.is_arith(terms.arg(literal, 0)) {
            let (left, right) = (terms.arg(literal, 0), terms.arg(literal, 1));
            cube.insert(terms.le(left, right));
            cube.insert(terms.ge(left, right));
        } else {
            cube.insert(literal);
        }
    }
    cube.into_iter().collect()
}
