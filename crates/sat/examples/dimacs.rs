//! Solves clauses in DIMACS, with a proof: `cargo run --release -p craig-sat --example dimacs -- SECONDS FILE...`.

use craig_base::Budget;
use craig_sat::{Lit, Outcome, Solver};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    for path in args {
        let text = std::fs::read_to_string(&path)?;
        let mut clauses: Vec<Vec<Lit>> = vec![Vec::new()];
        let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        for number in lines.flat_map(str::split_whitespace).filter_map(|word| word.parse::<i32>().ok()) {
            match (number, clauses.last_mut()) {
                (0, _) => clauses.push(Vec::new()),
                (_, Some(clause)) => clause.push(Lit::from_dimacs(number)),
                _ => {}
            }
        }
        clauses.pop();
        let variables = clauses.iter().flatten().map(|lit| lit.var().index() as u32 + 1).max().unwrap_or(0);
        let start = Instant::now();
        let mut solver = Solver::with_proof(variables, &clauses, 1 << 30);
        let outcome = solver.solve(&[], &Budget::unlimited().with_timeout(Duration::from_secs(seconds)));
        if outcome == Outcome::Sat {
            assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.model(lit))));
        }
        println!(
            "{outcome:?} {:.2} s, {} conflicts: {path}",
            start.elapsed().as_secs_f64(),
            solver.conflicts()
        );
    }
    Ok(())
}
