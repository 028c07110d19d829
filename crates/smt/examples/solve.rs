//! Solves one SMT-LIB file with named parts, to measure the solver by itself.
//!
//! usage: `solve FILE [--interpolate] [--proofs] [--raw] [--stats] [--timeout SECONDS]`
//!
//! Prints the answer, with `--interpolate` the interpolants of the parts in their order too.

use craig_base::Budget;
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::native::Options;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::smtlib::{Command, CommandInput, Reader};
use craig_term::{TermId, Terms};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let timeout = args.iter().position(|arg| arg == "--timeout").and_then(|at| args.get(at + 1));
    let seconds: f64 = timeout.map_or(Ok(20.0), |text| text.parse())?;
    let file = args
        .first()
        .ok_or("usage: solve FILE [--interpolate] [--proofs] [--raw] [--stats] [--timeout SECONDS]")?;
    let start = Instant::now();
    let mut terms = Terms::new();
    let parts = read(&mut terms, file)?;
    let parsed = start.elapsed();
    let budget = Budget::unlimited().with_timeout(Duration::from_secs_f64(seconds));
    if has("--interpolate") {
        match interpolate::sequence(&mut terms, &parts, &interpolate::Options::default(), &budget) {
            Interpolation::Sat(_) => println!("sat"),
            Interpolation::Unknown(failure) => println!("unknown\n; {failure}"),
            Interpolation::Interpolants(list) => {
                println!("unsat\n(");
                let mut sizes = Vec::new();
                for t in list {
                    sizes.push(terms.dag_size(t));
                    println!("{}", terms.display(t));
                }
                println!(")");
                if has("--stats") {
                    eprintln!("sizes {sizes:?}");
                }
            }
        }
        if has("--stats") {
            eprintln!("parsed {parsed:?}, all {:?}", start.elapsed());
        }
        return Ok(());
    }
    let mut solver = NativeSolver::new(Options {
        proofs: has("--proofs"),
        preprocess: !has("--raw"),
        ..Options::default()
    });
    for &part in &parts {
        solver.assert(&mut terms, part);
    }
    match solver.check(&mut terms, &[], &budget) {
        Answer::Sat => println!("sat"),
        Answer::Unsat => println!("unsat"),
        Answer::Unknown(reason) => println!("unknown\n; {reason}"),
    }
    if has("--stats") {
        eprintln!("parsed {parsed:?}, all {:?}", start.elapsed());
        for (name, value) in solver.stats().iter() {
            eprintln!("{name:>20} {value}");
        }
    }
    Ok(())
}

fn read(terms: &mut Terms, file: &str) -> Result<Vec<TermId>, Box<dyn Error>> {
    let mut input = CommandInput::new(BufReader::new(File::open(file)?));
    let mut reader = Reader::new();
    let mut parts = Vec::new();
    while let Some(tree) = input.next_command()? {
        let tree = tree.map_err(|error| format!("{error:?}"))?;
        if let Command::Assert { term, .. } =
            reader.command(terms, &tree).map_err(|error| format!("{error:?}"))?
        {
            parts.push(term);
        }
    }
    Ok(parts)
}
