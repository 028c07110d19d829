//! Many small incremental integer queries, native or with Z3: 20 variables, 30 constraints, in a
//! scope each.
//!
//! usage: `incremental native|z3 QUERIES`

use craig_base::Budget;
use craig_num::Rat;
use craig_smt::process::ProcessSolver;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, queries] = args.as_slice() else { return Err("usage: incremental native|z3 QUERIES".into()) };
    let queries: u64 = queries.parse()?;
    let mut solver: Box<dyn Solver> =
        if kind == "z3" { Box::new(ProcessSolver::z3()?) } else { Box::new(NativeSolver::default()) };
    let mut tm = Terms::new();
    let vars: Vec<TermId> =
        (0..20).map(|i| tm.declare_const(&format!("x{i}"), Terms::INT)).collect::<Result<_, _>>()?;
    let mut seed = 1u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    let (low, high) = (tm.int(-100), tm.int(100));
    for &x in &vars {
        let bounds = [tm.le(low, x), tm.le(x, high)];
        for bound in bounds {
            solver.assert(&mut tm, bound);
        }
    }
    let start = Instant::now();
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..queries {
        solver.push();
        for _ in 0..30 {
            let mut summands = Vec::new();
            for _ in 0..2 + below(2) {
                let c = Rat::from(below(11) as i64 - 5);
                let x = vars[below(20) as usize];
                summands.push(tm.scale(&c, x));
            }
            let sum = tm.add(&summands);
            let bound = tm.int(below(41) as i64 - 25);
            let constraint = if below(8) == 0 { tm.eq(sum, bound) } else { tm.le(sum, bound) };
            solver.assert(&mut tm, constraint);
        }
        match solver.check(&mut tm, &[], &Budget::unlimited()) {
            Answer::Sat => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(reason) => return Err(reason.to_string().into()),
        }
        solver.pop();
    }
    println!("{queries} queries in {:?}: {sat} sat, {unsat} unsat", start.elapsed());
    Ok(())
}
