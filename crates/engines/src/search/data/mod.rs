//! Horn clauses over algebraic data types.
//!
//! | file | what |
//! |---|---|
//! | `resolution` | derivations: resolution with unification, deeper and deeper |
//! | `cells` | terms with variables that are bound and freed again |
//! | `differences` | clauses that say which data is different |
//! | `regular` | models: finite automata over constructors, found by a SAT solver |
//! | `measures` | what `sizes` keeps of data |
//! | `relations` | models of clauses over integers: linear relations that are found by weakening |
//! | `sizes` | models: clauses over the sizes of data, for the engines that know integers |
//!
//! All work on the cases of clauses that [`craig_chc::flatten`] makes.

mod cells;
mod differences;
mod measures;
pub mod regular;
mod relations;
pub mod resolution;
pub mod sizes;

use crate::horn::HornVerdict;
use crate::verdict::Reason;
use craig_chc::NotFlat;
use craig_term::{FunId, SortId, Terms};

fn not_flat(why: NotFlat) -> HornVerdict {
    HornVerdict::Unknown(Reason::Data(match why {
        NotFlat::Elsewhere(_) => "data inside of arrays, or in functions",
        NotFlat::TooMany(_) => "a clause with too many cases",
    }))
}

/// A new function from a data type to integers.
fn new_fold(terms: &mut Terms, what: &str, sort: SortId) -> FunId {
    let mut name = format!("{what}-{}", terms.sort_name(sort));
    while terms.symbol(&name).is_some() {
        name.push('+');
    }
    terms.declare_fun(&name, &[sort], Terms::INT).expect("the name is new")
}
