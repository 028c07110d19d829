//! Small incremental integer queries on the simplex alone: 20 variables, 30 constraints, push and
//! pop around each. `cargo bench -p craig-smt --bench simplex -- FILE` also writes them as SMT-LIB.

use craig_base::Budget;
use craig_num::{Int, Rat};
use craig_smt::arith::{ArithVar, BoundKind, IntegerCheck, Simplex};
use std::fmt::Write;
use std::time::Instant;

const QUERIES: usize = 10_000;
const VARIABLES: usize = 20;
const CONSTRAINTS: usize = 30;

struct Constraint {
    terms: Vec<(usize, i64)>,
    kind: BoundKind,
    value: i64,
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn range(&mut self, from: i64, to: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        from + ((z ^ (z >> 31)) % (to - from + 1) as u64) as i64
    }

    fn constraint(&mut self) -> Constraint {
        let mut terms: Vec<(usize, i64)> = Vec::new();
        for _ in 0..self.range(1, 4) {
            let var = self.range(0, VARIABLES as i64 - 1) as usize;
            let coefficient = [1, -1, 1, -1, 2, -2, 3, -5][self.range(0, 7) as usize];
            if terms.iter().all(|(other, _)| *other != var) {
                terms.push((var, coefficient));
            }
        }
        terms.sort_unstable();
        let kind = if self.range(0, 1) == 0 { BoundKind::Lower } else { BoundKind::Upper };
        let mut value = self.range(-20, 20);
        // Tight, as the solver makes its atoms.
        let all = |divisor: i64| terms.iter().all(|(_, c)| c % divisor == 0);
        if let Some(divisor) = [5, 3, 2].into_iter().find(|&divisor| all(divisor)) {
            terms.iter_mut().for_each(|(_, c)| *c /= divisor);
            let shift = if kind == BoundKind::Lower { divisor - 1 } else { 0 };
            value = (value + shift).div_euclid(divisor);
        }
        if let [(_, -1)] = terms[..] {
            terms[0].1 = 1;
        }
        Constraint { terms, kind, value }
    }
}

fn main() {
    let mut random = Random(1);
    let queries: Vec<Vec<Constraint>> =
        (0..QUERIES).map(|_| (0..CONSTRAINTS).map(|_| random.constraint()).collect()).collect();
    if let Some(path) = std::env::args().nth(1).filter(|argument| !argument.starts_with('-')) {
        std::fs::write(path, to_smtlib(&queries)).expect("the file can be written");
    }
    let mut simplex = Simplex::new();
    let vars: Vec<ArithVar> = (0..VARIABLES).map(|_| simplex.new_var(true)).collect();
    let start = Instant::now();
    let mut answers = [0; 3];
    for query in &queries {
        let mark = simplex.mark();
        simplex.begin_query(1000);
        simplex.push();
        let asserted = query.iter().zip(0..).all(|(constraint, reason)| {
            let terms: Vec<_> = constraint.terms.iter().map(|(v, c)| (vars[*v], Rat::from(*c))).collect();
            let form = simplex.form(&terms).expect("not empty");
            simplex.assert_bound(form, constraint.kind, Rat::from(constraint.value).into(), reason).is_ok()
        });
        let answer = if asserted { solve(&mut simplex) } else { Some(false) };
        answers[answer.map_or(2, usize::from)] += 1;
        simplex.backtrack_to(0);
        simplex.release(mark);
    }
    let seconds = start.elapsed().as_secs_f64();
    let [unsat, sat, unknown] = answers;
    println!("{seconds:.3} s: {sat} sat, {unsat} unsat, {unknown} unknown, {:?}", simplex.counters());
}

/// Branch and bound, depth first.
fn solve(simplex: &mut Simplex) -> Option<bool> {
    let budget = Budget::unlimited();
    let base = simplex.level();
    let mut open: Vec<(usize, ArithVar, Int)> = Vec::new();
    loop {
        let answer = match simplex.check(&budget).expect("no limit") {
            Err(_) => None,
            Ok(()) => match simplex.check_integers(&budget).expect("no limit") {
                IntegerCheck::Solved => return Some(true),
                IntegerCheck::GiveUp => return None,
                IntegerCheck::Conflict(_) => None,
                IntegerCheck::Split { var, floor, first: _ } => Some((var, floor)),
            },
        };
        let mut side = match answer {
            Some((var, floor)) => {
                open.push((simplex.level(), var, &floor + Int::ONE));
                Some((var, BoundKind::Upper, floor))
            }
            None => None,
        };
        loop {
            let (var, kind, value) = match side.take() {
                Some(side) => side,
                None => {
                    let Some((level, var, ceiling)) = open.pop() else {
                        simplex.backtrack_to(base);
                        return Some(false);
                    };
                    simplex.backtrack_to(level);
                    (var, BoundKind::Lower, ceiling)
                }
            };
            simplex.push();
            if simplex.assert_bound(var, kind, Rat::from_int(value).into(), 99).is_ok() {
                break;
            }
        }
    }
}

fn to_smtlib(queries: &[Vec<Constraint>]) -> String {
    let number = |n: i64| if n < 0 { format!("(- {})", -n) } else { n.to_string() };
    let mut text = String::from("(set-logic QF_LIA)\n");
    for var in 0..VARIABLES {
        let _ = writeln!(text, "(declare-const x{var} Int)");
    }
    for query in queries {
        text.push_str("(push 1)\n");
        for constraint in query {
            let terms: Vec<_> =
                constraint.terms.iter().map(|(v, c)| format!("(* {} x{v})", number(*c))).collect();
            let operator = if constraint.kind == BoundKind::Lower { ">=" } else { "<=" };
            let value = number(constraint.value);
            let _ = writeln!(text, "(assert ({operator} (+ 0 {}) {value}))", terms.join(" "));
        }
        text.push_str("(check-sat)\n(pop 1)\n");
    }
    text
}
