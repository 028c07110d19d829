//! Compares the native solver with Z3 on random incremental scripts, and checks its interpolants.
//!
//! usage: `fuzz int|real|mixed ROUNDS SEED [verbose]`
//!
//! Every round is a script of assertions, scopes and checks with assumptions. Answers have to agree,
//! models have to satisfy what is asserted, cores have to be contradictory, and interpolants of
//! contradictory lists have to hold. A failing script is shrunk and printed.

use craig_base::Budget;
use craig_num::{Int, Rat};
use craig_smt::interpolate::{self, Failure, Interpolation, Strength};
use craig_smt::native::Options;
use craig_smt::process::ProcessSolver;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{SortId, TermId, Terms};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, rounds, seed, ..] = args.as_slice() else {
        return Err("usage: fuzz int|real|mixed ROUNDS SEED [verbose]".into());
    };
    let (rounds, seed): (u64, u64) = (rounds.parse()?, seed.parse()?);
    let mut reference = ProcessSolver::z3()?;
    let mut tally = Tally { verbose: args.len() > 3, ..Tally::default() };
    for round in 0..rounds {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(round));
        let mut problem = Problem::new(kind);
        let script = problem.script(&mut random);
        if let Err(message) = problem.run(&script, &mut reference, &mut tally) {
            let script = problem.shrink(script, &mut reference);
            println!("round {round}: {message}");
            problem.print(&script);
            return Err("a disagreement".into());
        }
    }
    println!("{rounds} scripts, no disagreement: {tally:?}");
    Ok(())
}

#[derive(Debug, Default)]
struct Tally {
    sat: u64,
    unsat: u64,
    unknown: u64,
    interpolated: u64,
    /// Show what has no answer.
    verbose: bool,
}

/// Time for one question; without an answer it does not count.
const LIMIT: Duration = Duration::from_secs(5);

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

#[derive(Clone, Debug)]
enum Event {
    Push,
    Pop,
    Assert(TermId),
    Check(Vec<TermId>),
}

struct Problem {
    tm: Terms,
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    bools: Vec<TermId>,
}

impl Problem {
    fn new(kind: &str) -> Self {
        let mut tm = Terms::new();
        let mut consts = |prefix: &str, n: usize, sort: SortId| -> Vec<TermId> {
            (0..n).map(|i| tm.declare_const(&format!("{prefix}{i}"), sort).expect("no clash")).collect()
        };
        let ints = consts("i", if kind == "real" { 0 } else { 4 }, Terms::INT);
        let reals = consts("r", if kind == "int" { 0 } else { 4 }, Terms::REAL);
        let bools = consts("p", 3, Terms::BOOL);
        Problem { tm, ints, reals, bools }
    }

    fn script(&mut self, random: &mut Random) -> Vec<Event> {
        let mut events = Vec::new();
        let mut depth = 0;
        for _ in 0..4 + random.below(12) {
            match random.below(8) {
                0 => {
                    depth += 1;
                    events.push(Event::Push);
                }
                1 if depth > 0 => {
                    depth -= 1;
                    events.push(Event::Pop);
                }
                2 | 3 => {
                    let assumptions = (0..random.below(3)).map(|_| self.formula(random, 1)).collect();
                    events.push(Event::Check(assumptions));
                }
                _ => {
                    let formula = self.formula(random, 3);
                    events.push(Event::Assert(formula));
                }
            }
        }
        events.push(Event::Check(Vec::new()));
        events
    }

    fn number(&mut self, random: &mut Random, sort: SortId, depth: u32) -> TermId {
        let known = if sort == Terms::INT { self.ints.clone() } else { self.reals.clone() };
        if depth == 0 || random.below(3) == 0 {
            return match random.below(6) {
                0 => {
                    let value = random.below(11) as i64 - 5;
                    if sort == Terms::INT {
                        self.tm.int(value)
                    } else {
                        self.tm.real(Rat::new(Int::from(value), Int::from(1 + random.below(3) as i64)))
                    }
                }
                1 if sort == Terms::REAL && !self.ints.is_empty() => {
                    let x = random.pick(&self.ints.clone());
                    self.tm.to_real(x)
                }
                _ => random.pick(&known),
            };
        }
        let a = self.number(random, sort, depth - 1);
        let b = self.number(random, sort, depth - 1);
        match random.below(8) {
            0 | 1 => self.tm.add2(a, b),
            2 => self.tm.sub(a, b),
            3 | 4 => {
                let c = Rat::from(random.below(9) as i64 - 4);
                self.tm.scale(&c, a)
            }
            5 => {
                let condition = self.formula(random, 1);
                self.tm.ite(condition, a, b)
            }
            6 if sort == Terms::INT => {
                let k = self.tm.int(random.pick(&[2, 3, -2, 5]));
                if random.below(2) == 0 { self.tm.div(a, k) } else { self.tm.modulo(a, k) }
            }
            7 if sort == Terms::INT && !self.reals.is_empty() => {
                let r = random.pick(&self.reals.clone());
                self.tm.to_int(r)
            }
            _ => self.tm.abs(a),
        }
    }

    fn formula(&mut self, random: &mut Random, depth: u32) -> TermId {
        if depth == 0 || random.below(5) == 0 {
            if random.below(5) == 0 {
                return random.pick(&self.bools.clone());
            }
            let real = self.ints.is_empty() || !self.reals.is_empty() && random.below(2) == 0;
            let sort = if real { Terms::REAL } else { Terms::INT };
            let a = self.number(random, sort, 2);
            let b = self.number(random, sort, 1);
            return match random.below(4) {
                0 => self.tm.le(a, b),
                1 => self.tm.lt(a, b),
                2 => self.tm.eq(a, b),
                _ => {
                    let same = self.tm.eq(a, b);
                    self.tm.not(same)
                }
            };
        }
        let args: Vec<TermId> = (0..3).map(|_| self.formula(random, depth - 1)).collect();
        match random.below(6) {
            0 => self.tm.or(&args),
            1 => self.tm.and(&args),
            2 => self.tm.iff(args[0], args[1]),
            3 => self.tm.ite(args[0], args[1], args[2]),
            4 => self.tm.not(args[0]),
            _ => self.tm.implies(args[0], args[1]),
        }
    }

    fn run(
        &mut self,
        script: &[Event],
        reference: &mut ProcessSolver,
        tally: &mut Tally,
    ) -> Result<(), String> {
        reference.push();
        let mut opened = 1;
        let result = self.run_open(script, reference, &mut opened, tally);
        for _ in 0..opened {
            reference.pop();
        }
        result
    }

    fn run_open(
        &mut self,
        script: &[Event],
        reference: &mut ProcessSolver,
        opened: &mut usize,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let tm = &mut self.tm;
        let budget = Budget::unlimited().with_timeout(LIMIT * 4);
        let mut plain = NativeSolver::default();
        let mut proving = NativeSolver::new(Options { proofs: true, ..Options::default() });
        let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
        for event in script {
            match event {
                Event::Push => {
                    *opened += 1;
                    asserted.push(Vec::new());
                    reference.push();
                    plain.push();
                    proving.push();
                }
                Event::Pop => {
                    if asserted.len() == 1 {
                        continue;
                    }
                    *opened -= 1;
                    asserted.pop();
                    reference.pop();
                    plain.pop();
                    proving.pop();
                }
                Event::Assert(t) => {
                    if let Some(top) = asserted.last_mut() {
                        top.push(*t);
                    }
                    reference.assert(tm, *t);
                    plain.assert(tm, *t);
                    proving.assert(tm, *t);
                }
                Event::Check(assumptions) => {
                    let limit = Budget::unlimited().with_timeout(LIMIT);
                    let expected = reference.check(tm, assumptions, &limit);
                    let all: Vec<TermId> = asserted.iter().flatten().copied().collect();
                    for solver in [&mut plain, &mut proving] {
                        let limit = Budget::unlimited().with_timeout(LIMIT);
                        let answer = solver.check(tm, assumptions, &limit);
                        verify(tm, solver, &answer, &all, assumptions)?;
                        if tally.verbose && matches!(answer, Answer::Unknown(_)) {
                            println!("{answer:?}, Z3 says {expected:?}");
                            for &t in &all {
                                println!("(assert {})", tm.display(t));
                            }
                        }
                        match (&answer, &expected) {
                            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => tally.unknown += 1,
                            (a, b) if a != b => return Err(format!("{a:?} but Z3 says {b:?}")),
                            (Answer::Sat, _) => tally.sat += 1,
                            (Answer::Unsat, _) => tally.unsat += 1,
                        }
                    }
                    if let (Answer::Unsat, Some(root)) = (&expected, proving.refutation()) {
                        let refutation =
                            Refutation::extract(proving.proof(), root).map_err(|e| format!("{e:?}"))?;
                        check(&proving, &refutation).map_err(|e| e.to_string())?;
                    }
                    if assumptions.is_empty() && expected == Answer::Unsat {
                        interpolants(tm, &all, &budget)?;
                        tally.interpolated += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn shrink(&mut self, mut script: Vec<Event>, reference: &mut ProcessSolver) -> Vec<Event> {
        let mut at = 0;
        while at < script.len() {
            let mut smaller = script.clone();
            smaller.remove(at);
            if self.run(&smaller, reference, &mut Tally::default()).is_err() {
                script = smaller;
            } else {
                at += 1;
            }
        }
        script
    }

    fn print(&self, script: &[Event]) {
        for event in script {
            match event {
                Event::Push => println!("(push 1)"),
                Event::Pop => println!("(pop 1)"),
                Event::Assert(t) => println!("(assert {})", self.tm.display(*t)),
                Event::Check(list) => {
                    let list: Vec<String> = list.iter().map(|&t| self.tm.to_smtlib(t)).collect();
                    println!("(check-sat-assuming ({}))", list.join(" "));
                }
            }
        }
    }
}

fn verify(
    tm: &mut Terms,
    solver: &NativeSolver,
    answer: &Answer,
    asserted: &[TermId],
    assumptions: &[TermId],
) -> Result<(), String> {
    match answer {
        Answer::Sat => {
            let model = solver.model().ok_or("no model")?;
            for &t in asserted.iter().chain(assumptions) {
                if tm.eval_bool(t, model) != Ok(true) {
                    return Err(format!("the model violates {}", tm.to_smtlib(t)));
                }
            }
            Ok(())
        }
        Answer::Unsat => {
            let core = solver.core().to_vec();
            let facts: Vec<TermId> = asserted.iter().copied().chain(core).collect();
            if contradictory(tm, &facts) { Ok(()) } else { Err("the core is satisfiable".to_string()) }
        }
        Answer::Unknown(_) => Ok(()),
    }
}

fn contradictory(tm: &mut Terms, facts: &[TermId]) -> bool {
    let mut solver = NativeSolver::default();
    for &fact in facts {
        solver.assert(tm, fact);
    }
    let limit = Budget::unlimited().with_timeout(LIMIT);
    solver.check(tm, &[], &limit) != Answer::Sat
}

fn interpolants(tm: &mut Terms, parts: &[TermId], budget: &Budget) -> Result<(), String> {
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let options = interpolate::Options { strength, ..interpolate::Options::default() };
        let list = match interpolate::sequence(tm, parts, &options, budget) {
            Interpolation::Interpolants(list) => list,
            Interpolation::Sat(_) => return Err("interpolation says sat".to_string()),
            Interpolation::Unknown(Failure::Solver(_)) => return Ok(()),
            Interpolation::Unknown(failure) => return Err(format!("interpolation: {failure}")),
        };
        for k in 0..parts.len() {
            let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
            let after = if k + 1 == parts.len() { Terms::FALSE } else { list[k] };
            let not_after = tm.not(after);
            if !contradictory(tm, &[before, parts[k], not_after]) {
                return Err(format!("interpolant {k} with {strength:?}"));
            }
        }
        for (k, &t) in list.iter().enumerate() {
            let (a, b) = (tm.free_consts_of(&parts[..=k]), tm.free_consts_of(&parts[k + 1..]));
            if tm.free_consts(t).iter().any(|c| !a.contains(c) || !b.contains(c)) {
                return Err(format!("interpolant {k} with {strength:?} has a local symbol"));
            }
        }
    }
    Ok(())
}
