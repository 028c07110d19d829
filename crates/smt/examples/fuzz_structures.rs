//! Cross-checks the native solver with Z3 on functions, arrays and uninterpreted sorts.
//!
//! usage: `fuzz_structures ROUNDS SEED [verbose]`
//!
//! As `fuzz`, every round is a script of assertions, scopes and checks with assumptions; answers have
//! to agree, models have to hold, proofs have to check, and interpolants have to be interpolants.
//! Interpolation may fail where the proof mixes symbols of different parts; how often is counted.

use craig_base::Budget;
use craig_smt::interpolate::{self, Failure, Interpolation, Strength};
use craig_smt::native::Options;
use craig_smt::process::ProcessSolver;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{FunId, Sort, SortId, TermId, Terms};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, seed, ..] = args.as_slice() else {
        return Err("usage: fuzz_structures ROUNDS SEED [verbose]".into());
    };
    let (rounds, seed): (u64, u64) = (rounds.parse()?, seed.parse()?);
    let verbose = args.len() > 2;
    let mut tally = Tally::default();
    for round in 0..rounds {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(round));
        let mut problem = Problem::new(&mut random);
        let script = problem.script(&mut random);
        let unknown = tally.unknown;
        let result = problem.run(&script, &mut tally);
        if let Err(message) = result {
            println!("round {round}: {message}");
            let script = problem.shrink(script);
            problem.print(&script);
            return Err("a disagreement".into());
        }
        if verbose && tally.unknown > unknown {
            println!("round {round} has no answer");
            problem.print(&script);
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
    mixed: u64,
}

/// Time for one question; without an answer it does not count.
const LIMIT: Duration = Duration::from_secs(2);

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // SplitMix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[derive(Clone, Debug)]
enum Event {
    Push,
    Pop,
    Assert(TermId),
    Check(Vec<TermId>),
}

/// The symbols of a round: some sorts, a few constants of each, and functions between them.
struct Problem {
    tm: Terms,
    sorts: Vec<SortId>,
    functions: Vec<FunId>,
}

impl Problem {
    fn new(random: &mut Random) -> Self {
        let mut tm = Terms::new();
        let element = tm.uninterpreted_sort("U");
        let mut sorts = vec![Terms::INT];
        for extra in [Terms::BOOL, Terms::REAL, element] {
            if random.below(4) == 0 {
                sorts.push(extra);
            }
        }
        for _ in 0..1 + random.below(3) {
            let (mut index, value) = (random.pick(&sorts), random.pick(&sorts));
            // Finite index sorts have no complete procedure, and arrays as indices take their time.
            let is_array = matches!(tm.sort_of(index), Sort::Array { .. });
            if index == Terms::BOOL || is_array && random.below(8) > 0 {
                index = Terms::INT;
            }
            let sort = tm.array_sort(index, value);
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
        }
        let mut functions = Vec::new();
        for f in 0..random.below(3) {
            let args: Vec<SortId> = (0..1 + random.below(2)).map(|_| random.pick(&sorts)).collect();
            let result = random.pick(&sorts);
            let name = format!("f{f}_{}_{result}", args.iter().map(|s| s.to_string()).collect::<String>());
            functions.push(tm.declare_fun(&name, &args, result).expect("no clash"));
        }
        Problem { tm, sorts, functions }
    }

    fn script(&mut self, random: &mut Random) -> Vec<Event> {
        let mut events = Vec::new();
        let mut depth = 0;
        for _ in 0..4 + random.below(10) {
            match random.below(8) {
                0 => {
                    depth += 1;
                    events.push(Event::Push);
                }
                1 if depth > 0 => {
                    depth -= 1;
                    events.push(Event::Pop);
                }
                2 => {
                    let assumptions = (0..random.below(3)).map(|_| self.formula(random, 1)).collect();
                    events.push(Event::Check(assumptions));
                }
                _ => {
                    let formula = self.formula(random, 2);
                    events.push(Event::Assert(formula));
                }
            }
        }
        events.push(Event::Check(Vec::new()));
        events
    }

    fn formula(&mut self, random: &mut Random, depth: u32) -> TermId {
        if depth == 0 || random.below(3) == 0 {
            let sort = random.pick(&self.sorts.clone());
            let (a, b) = (self.term(random, sort, 2), self.term(random, sort, 2));
            let atom = match sort {
                Terms::BOOL => a,
                Terms::INT | Terms::REAL if random.below(3) == 0 => self.tm.le(a, b),
                _ => self.tm.eq(a, b),
            };
            return if random.below(3) == 0 { self.tm.not(atom) } else { atom };
        }
        let parts: Vec<TermId> = (0..2).map(|_| self.formula(random, depth - 1)).collect();
        match random.below(4) {
            0 => self.tm.and(&parts),
            1 => self.tm.iff(parts[0], parts[1]),
            _ => self.tm.or(&parts),
        }
    }

    fn term(&mut self, random: &mut Random, sort: SortId, depth: u32) -> TermId {
        if depth > 0 && random.below(5) != 0 {
            let deeper = depth - 1;
            match random.below(6) {
                0 | 1 => {
                    let fitting: Vec<SortId> = self
                        .sorts
                        .iter()
                        .copied()
                        .filter(|&s| matches!(*self.tm.sort_of(s), Sort::Array { element, .. } if element == sort))
                        .collect();
                    if !fitting.is_empty() {
                        let array_sort = random.pick(&fitting);
                        let Sort::Array { index, .. } = *self.tm.sort_of(array_sort) else { unreachable!() };
                        let array = self.term(random, array_sort, deeper);
                        let index = self.term(random, index, deeper);
                        return self.tm.select(array, index);
                    }
                }
                2 => {
                    let fitting: Vec<FunId> =
                        self.functions.iter().copied().filter(|&f| self.tm.signature(f).1 == sort).collect();
                    if !fitting.is_empty() {
                        let function = random.pick(&fitting);
                        let sorts = self.tm.signature(function).0.to_vec();
                        let args: Vec<TermId> = sorts.iter().map(|&s| self.term(random, s, deeper)).collect();
                        return self.tm.app(function, &args);
                    }
                }
                3 if random.below(3) == 0 => {
                    let condition = self.formula(random, 0);
                    let (a, b) = (self.term(random, sort, deeper), self.term(random, sort, deeper));
                    return self.tm.ite(condition, a, b);
                }
                _ => {}
            }
            match *self.tm.sort_of(sort) {
                Sort::Array { index, element } if random.below(12) > 0 => {
                    let array = self.term(random, sort, deeper);
                    let index = self.term(random, index, deeper);
                    let value = self.term(random, element, deeper);
                    return self.tm.store(array, index, value);
                }
                Sort::Array { element, .. } => {
                    let value = self.term(random, element, deeper);
                    return self.tm.const_array(sort, value);
                }
                Sort::Int | Sort::Real => {
                    let (a, b) = (self.term(random, sort, 0), self.term(random, sort, 0));
                    return if random.below(2) == 0 { self.tm.add2(a, b) } else { self.tm.sub(a, b) };
                }
                _ => {}
            }
        }
        if sort == Terms::INT && random.below(4) == 0 {
            return self.tm.int(random.below(5) as i64 - 2);
        }
        let name = format!("{sort}_{}", random.below(3));
        self.tm.declare_const(&name, sort).expect("no clash")
    }

    fn run(&mut self, script: &[Event], tally: &mut Tally) -> Result<(), String> {
        // A process belongs to one store of terms, and every round has its own.
        let mut reference = ProcessSolver::z3().map_err(|e| e.to_string())?;
        let tm = &mut self.tm;
        let mut plain = NativeSolver::default();
        let mut proving = NativeSolver::new(Options { proofs: true, ..Options::default() });
        let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
        for event in script {
            match event {
                Event::Push => {
                    asserted.push(Vec::new());
                    reference.push();
                    plain.push();
                    proving.push();
                }
                Event::Pop => {
                    if asserted.len() > 1 {
                        asserted.pop();
                        reference.pop();
                        plain.pop();
                        proving.pop();
                    }
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
                    let expected = match reference.check(tm, assumptions, &limit()) {
                        // It has a model, but one that cannot be read.
                        Answer::Unknown(UnknownReason::Backend(_)) => Answer::Sat,
                        answer => answer,
                    };
                    let all: Vec<TermId> = asserted.iter().flatten().copied().collect();
                    for solver in [&mut plain, &mut proving] {
                        let answer = solver.check(tm, assumptions, &limit());
                        verify(tm, solver, &answer, &all, assumptions)?;
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
                        check(tm, &proving, &refutation).map_err(|e| e.to_string())?;
                    }
                    if assumptions.is_empty() && expected == Answer::Unsat {
                        interpolants(tm, &all, tally)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn shrink(&mut self, mut script: Vec<Event>) -> Vec<Event> {
        let mut at = 0;
        while at < script.len() {
            let mut smaller = script.clone();
            smaller.remove(at);
            if self.run(&smaller, &mut Tally::default()).is_err() {
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

fn limit() -> Budget {
    Budget::unlimited().with_timeout(LIMIT)
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
    solver.check(tm, &[], &limit()) != Answer::Sat
}

fn interpolants(tm: &mut Terms, parts: &[TermId], tally: &mut Tally) -> Result<(), String> {
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let options = interpolate::Options { strength, ..interpolate::Options::default() };
        let list = match interpolate::sequence(tm, parts, &options, &limit()) {
            Interpolation::Interpolants(list) => list,
            Interpolation::Sat(_) => return Err("interpolation says sat".to_string()),
            Interpolation::Unknown(Failure::Solver(_)) => return Ok(()),
            Interpolation::Unknown(Failure::MixedReasoning) => {
                tally.mixed += 1;
                return Ok(());
            }
            Interpolation::Unknown(failure) => return Err(format!("interpolation: {failure}")),
        };
        tally.interpolated += 1;
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
