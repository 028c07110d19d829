//! Checks that a bounded unwinding of a program is complete and reaches no error.
//!
//! The certificate says how often each loop is entered again, how many calls of each procedure are active at
//! once, how large objects of variable size get, and gives a refutation. The checker unwinds the program within these bounds by its own code
//! (`machine.rs`), with its own circuits (`gates.rs`, `meaning.rs`, `memory.rs`), into clauses that say: *a run
//! reaches an error, or leaves the bounds*. The refutation, in LRAT, is of these very clauses, so all that has to be
//! trusted is this translation and [`check_lrat`](crate::check_lrat). No code is shared with the engine.
//!
//! A loop without a bound needs an invariant: it is cut at its head, and the unwinding goes on from any state there that
//! the invariant allows (`induction.rs`). So the same clauses say that a run reaches an error, leaves the bounds, or
//! breaks an invariant.

mod cases;
mod copies;
mod file;
mod float;
mod formulas;
mod gates;
mod induction;
mod machine;
mod meaning;
mod memory;
mod order;
mod origins;
mod under;
mod values;

use crate::invariant::Invariant;
use crate::lrat::{LratError, check_lrat};
use craig_base::{Budget, OrderedMap, StopReason};
use craig_program::{Arithmetic, LocId, ProcId, Program};
use craig_term::Terms;
use gates::{FALSE, TRUE};
use induction::Cuts;
use machine::Machine;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

pub use file::{read_induction, read_unwinding, write_induction, write_unwinding};

/// How far a program is unwound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// For the heads of loops, how often each is entered again; 0 where nothing is said.
    pub loops: OrderedMap<(ProcId, LocId), u32>,
    /// How many calls of a procedure are active at once; none where nothing is said.
    pub calls: OrderedMap<ProcId, u32>,
    /// How many bytes an object has at most whose size is not the same in all runs.
    pub object: u64,
    /// Heads of loops to which no run comes in some iteration: the places of the calls that lead there and the iterations of the
    /// loops around, as the keys of the unwinding name them.
    pub never: BTreeSet<Vec<u32>>,
}

/// A proof that no run within the bounds fails and that there is no other run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwinding {
    pub bounds: Bounds,
    /// In LRAT.
    pub refutation: String,
}

/// A proof by induction that no run of a program without calls fails.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    /// How many iterations in a row are looked at (k), 1 at least.
    pub depth: u32,
    /// What holds at the heads of loops; the other loops are within the bounds.
    pub invariant: Invariant,
    pub bounds: Bounds,
    /// In LRAT.
    pub refutation: String,
}

/// Sizes beyond which the checker gives up.
struct Limits {
    gates: usize,
    steps: usize,
    /// Places that one access may mean.
    places: usize,
}

const LIMITS: Limits = Limits { gates: 8_000_000, steps: 2_000_000, places: 20_000 };

/// Why an unwinding was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnwindingRejection {
    /// The refutation is wrong.
    Refutation(LratError),
    /// The program has no such unwinding, or it is too large.
    Undecided(String),
}

impl fmt::Display for UnwindingRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnwindingRejection::Refutation(error) => error.fmt(f),
            UnwindingRejection::Undecided(why) => f.write_str(why),
        }
    }
}

#[derive(Clone, Copy)]
enum Failure {
    Unsupported(&'static str),
    TooLarge,
    Stopped(StopReason),
}

impl From<Failure> for UnwindingRejection {
    fn from(failure: Failure) -> Self {
        UnwindingRejection::Undecided(match failure {
            Failure::Unsupported(what) => format!("{what} cannot be unwound"),
            Failure::TooLarge => "the unwinding is too large".to_string(),
            Failure::Stopped(reason) => reason.to_string(),
        })
    }
}

/// Clauses that no assignment satisfies if the program is safe.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub variables: usize,
    /// As in DIMACS.
    pub clauses: Vec<Vec<i32>>,
}

impl Obligation {
    /// The checker's own unwinding.
    pub fn new(program: &Program, bounds: &Bounds, budget: &Budget) -> Result<Self, UnwindingRejection> {
        Obligation::cut(program, bounds, Cuts::default(), budget)
    }

    /// The checker's own unwinding of a program without calls, cut where there are invariants.
    pub fn of_induction(
        terms: &mut Terms,
        program: &Program,
        induction: &Induction,
        budget: &Budget,
    ) -> Result<Self, UnwindingRejection> {
        let cuts = Cuts::new(terms, program, induction)?;
        Obligation::cut(program, &induction.bounds, cuts, budget)
    }

    fn cut(
        program: &Program,
        bounds: &Bounds,
        cuts: Cuts<'_>,
        budget: &Budget,
    ) -> Result<Self, UnwindingRejection> {
        if program.arithmetic == Arithmetic::Ideal {
            return Err(Failure::Unsupported("a program over unbounded integers").into());
        }
        let mut machine = Machine::new(program, bounds, cuts);
        machine.run(budget)?;
        machine.assumptions.append(&mut machine.gates.facts);
        let bad: Vec<i32> = machine.bad.iter().copied().filter(|&lit| lit != FALSE).collect();
        let roots = machine.assumptions.iter().chain(&bad).copied();
        let (mut clauses, numbers) = machine.gates.clauses(roots);
        let new = |lit: i32| numbers[&lit.unsigned_abs()] * lit.signum();
        clauses.extend(machine.assumptions.iter().filter(|&&lit| lit != TRUE).map(|&lit| vec![new(lit)]));
        clauses.push(bad.into_iter().map(new).collect());
        Ok(Obligation { variables: numbers.len(), clauses })
    }

    /// For other tools.
    pub fn dimacs(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.clauses.len());
        for clause in &self.clauses {
            for lit in clause {
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
        text
    }

    pub fn check(&self, refutation: &str) -> Result<(), UnwindingRejection> {
        check_lrat(self.variables, &self.clauses, refutation).map_err(UnwindingRejection::Refutation)
    }
}

/// Accepts iff the bounds hold for all runs, and none within them reaches an error.
pub fn check_unwinding(
    program: &Program,
    unwinding: &Unwinding,
    budget: &Budget,
) -> Result<(), UnwindingRejection> {
    Obligation::new(program, &unwinding.bounds, budget)?.check(&unwinding.refutation)
}

/// Accepts iff the invariants hold in all runs, and none reaches an error.
pub fn check_induction(
    terms: &mut Terms,
    program: &Program,
    induction: &Induction,
    budget: &Budget,
) -> Result<(), UnwindingRejection> {
    Obligation::of_induction(terms, program, induction, budget)?.check(&induction.refutation)
}
