//! Random formulas, scripts and interpolation problems, checked in every way and against Z3.
//!
//! usage: `fuzz bool|lia|lra|lira|uf|uflia|arrays|auflia|all CASES [FIRST [EVERY]]`
//!
//! The cases are those of the tests, only more of them: `FIRST` is the number of the first one. A
//! failing case is shrunk and printed as a script. In campaigns Z3 is asked about one case in `EVERY`. With 0 cases the case `FIRST` is printed.

#[path = "../tests/cross/mod.rs"]
mod cross;

use cross::generate::{Generator, Theory};
use cross::reference::Reference;
use std::error::Error;
use std::time::Instant;

const THEORIES: [Theory; 8] = [
    Theory::Bool,
    Theory::Lia,
    Theory::Lra,
    Theory::Lira,
    Theory::Uf,
    Theory::UfLia,
    Theory::Arrays,
    Theory::AufLia,
];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, cases, rest @ ..] = args.as_slice() else {
        return Err("usage: fuzz THEORY|all CASES [FIRST [EVERY]]".into());
    };
    let cases: u64 = cases.parse()?;
    let first: u64 = rest.first().map_or(Ok(0), |first| first.parse())?;
    let every: u64 = rest.get(1).map_or(Ok(1), |every| every.parse())?;
    let named = |theory: &Theory| name == "all" || format!("{theory:?}").to_lowercase() == *name;
    let mut reference = Reference::start();
    if reference.is_none() {
        println!("no z3 in the search path: answers are not compared");
    }
    for theory in THEORIES.into_iter().filter(named) {
        if cases == 0 {
            let (terms, case) = Generator::new(theory, first).case();
            print!("{}", cross::show::script(&terms, &case));
            continue;
        }
        let start = Instant::now();
        let tally = cross::run(theory, first..first + cases, reference.as_mut(), every.max(1))?;
        println!("{theory:?}: no disagreement in {:?}: {tally:?}", start.elapsed());
    }
    Ok(())
}
