//! Random formulas against all assignments, with every proof checked.

use crate::{Lit, Outcome, Solver, Var};
use craig_base::Budget;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn formula(random: &mut Random, variables: u32, clauses: usize, width: u64) -> Vec<Vec<Lit>> {
    let mut lit = |_| Lit::new(Var(random.below(u64::from(variables)) as u32), random.below(2) == 0);
    let widths: Vec<u64> = (0..clauses as u64).map(|i| if i % 7 == 0 { 2 } else { width }).collect();
    widths.into_iter().map(|width| (0..width).map(&mut lit).collect()).collect()
}

fn satisfiable(variables: u32, clauses: &[Vec<Lit>]) -> bool {
    (0..1u32 << variables)
        .any(|assignment| holds(clauses, |lit| (assignment >> lit.var().0 & 1 != 0) != lit.is_negated()))
}

fn holds(clauses: &[Vec<Lit>], value: impl Fn(Lit) -> bool) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit)))
}

/// Each step by unit propagation of its antecedents alone.
fn check(clauses: &[Vec<Lit>], lrat: &str) {
    let mut known: Vec<Vec<i32>> =
        clauses.iter().map(|clause| clause.iter().map(|lit| lit.dimacs()).collect()).collect();
    let mut empty = false;
    for line in lrat.lines() {
        let numbers: Vec<i32> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert_eq!(numbers[0] as usize, known.len() + 1);
        let end = numbers.iter().skip(1).position(|&n| n == 0).expect("literals end") + 1;
        let clause = numbers[1..end].to_vec();
        let mut false_lits: std::collections::BTreeSet<i32> = clause.iter().copied().collect();
        let antecedents = &numbers[end + 1..numbers.len() - 1];
        let mut refuted = false;
        for &antecedent in antecedents {
            let open: std::collections::BTreeSet<i32> = known[antecedent as usize - 1]
                .iter()
                .copied()
                .filter(|lit| !false_lits.contains(lit))
                .collect();
            match open.len() {
                0 => refuted = true,
                1 => {
                    false_lits.insert(-open.first().expect("one"));
                }
                _ => panic!("antecedent {antecedent} of {line} is no unit"),
            }
        }
        assert!(refuted, "{line} does not follow");
        empty = clause.is_empty();
        known.push(clause);
    }
    assert!(empty, "the last clause is empty");
}

/// Each step by resolution.
fn resolve(variables: u32, clauses: &[Vec<Lit>], proof: &crate::Proof) {
    let mut known = clauses.to_vec();
    let is_whole = proof.resolve(variables as usize, clauses, |chain| {
        let of = |number: u32| known[number as usize - 1].clone();
        let mut resolvent = of(chain.first);
        for &(pivot, number) in chain.resolved {
            let other = of(number);
            // What was learned may have had the pivot, and its chain not.
            resolvent.extend(other);
            resolvent.retain(|kept| kept.var() != pivot);
        }
        assert_eq!(chain.number as usize, known.len() + 1);
        known.push(resolvent);
    });
    assert!(is_whole && known.last().is_some_and(Vec::is_empty));
}

#[test]
fn small_formulas_are_decided_as_by_trying() {
    let mut random = Random(7);
    let mut unsatisfiable = 0;
    for round in 0..3000 {
        let variables = 3 + round % 8;
        let density = 20 + random.below(40) as usize;
        let clauses = formula(&mut random, variables, variables as usize * density / 10, 3);
        let mut solver = Solver::with_proof(variables, &clauses, 1 << 20);
        match solver.solve(&[], &Budget::unlimited()) {
            Outcome::Sat => assert!(holds(&clauses, |lit| solver.model(lit))),
            Outcome::Unsat => {
                assert!(!satisfiable(variables, &clauses));
                unsatisfiable += 1;
                let proof = solver.proof().expect("a proof");
                check(&clauses, &proof.lrat());
                check(&clauses, &proof.trimmed().lrat());
                resolve(variables, &clauses, &proof.trimmed());
            }
            Outcome::Stopped(_) => panic!("there is no limit"),
        }
    }
    assert!(unsatisfiable > 300);
}

#[test]
fn hard_formulas_need_restarts_and_reductions() {
    let mut random = Random(11);
    for _ in 0..6 {
        let clauses = formula(&mut random, 150, 700, 3);
        let mut solver = Solver::with_proof(150, &clauses, 1 << 28);
        match solver.solve(&[], &Budget::unlimited()) {
            Outcome::Sat => assert!(holds(&clauses, |lit| solver.model(lit))),
            _ => check(&clauses, &solver.proof().expect("a proof").trimmed().lrat()),
        }
    }
}

#[test]
fn pigeons_do_not_fit() {
    let (pigeons, holes) = (8u32, 7u32);
    let at = |pigeon: u32, hole: u32| Var(pigeon * holes + hole).positive();
    let mut clauses: Vec<Vec<Lit>> =
        (0..pigeons).map(|pigeon| (0..holes).map(|hole| at(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for a in 0..pigeons {
            clauses.extend((0..a).map(|b| vec![!at(a, hole), !at(b, hole)]));
        }
    }
    let mut solver = Solver::with_proof(pigeons * holes, &clauses, 1 << 28);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Outcome::Unsat);
    check(&clauses, &solver.proof().expect("a proof").trimmed().lrat());
}

#[test]
fn cores_are_assumptions_that_fail() {
    let mut random = Random(3);
    for round in 0..1500 {
        let variables = 4 + round % 6;
        let count = variables as usize * (10 + random.below(25) as usize) / 10;
        let clauses = formula(&mut random, variables, count, 3);
        let mut solver = Solver::new();
        (0..variables).for_each(|_| {
            solver.new_var();
        });
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        for _ in 0..4 {
            let assumptions: Vec<Lit> = (0..variables)
                .filter_map(|var| match random.below(4) {
                    0 => Some(Lit::new(Var(var), false)),
                    1 => Some(Lit::new(Var(var), true)),
                    _ => None,
                })
                .collect();
            let mut all = clauses.clone();
            all.extend(assumptions.iter().map(|&lit| vec![lit]));
            match solver.solve(&assumptions, &Budget::unlimited()) {
                Outcome::Sat => assert!(holds(&all, |lit| solver.model(lit))),
                _ => {
                    assert!(solver.core().iter().all(|lit| assumptions.contains(lit)));
                    let mut core = clauses.clone();
                    core.extend(solver.core().iter().map(|&lit| vec![lit]));
                    assert!(!satisfiable(variables, &core));
                }
            }
        }
    }
}

/// Gates as clauses, whose operands come first.
#[derive(Default)]
struct Gates {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl Gates {
    fn input(&mut self) -> Lit {
        self.variables += 1;
        Var(self.variables - 1).positive()
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.clauses.extend([vec![!out, a], vec![!out, b], vec![out, !a, !b]]);
        out
    }

    fn choose(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.clauses.extend([vec![!c, !out, a], vec![!c, out, !a], vec![c, !out, b], vec![c, out, !b]]);
        out
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.choose(a, !b, b)
    }

    /// Without the last carry.
    fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = None;
        let mut sum = Vec::new();
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            let both = self.and(a, b);
            (carry, _) = match carry {
                None => (Some(both), sum.push(differ)),
                Some(carry) => {
                    let bit = self.xor(differ, carry);
                    (Some(self.choose(differ, carry, both)), sum.push(bit))
                }
            };
        }
        sum
    }
}

#[test]
fn what_is_computed_in_two_ways_is_found_to_be_equal() {
    const BITS: usize = 12;
    let mut gates = Gates::default();
    let [a, b] = [(); 2].map(|()| (0..BITS).map(|_| gates.input()).collect::<Vec<Lit>>());
    // Products: what is added may be nothing, or is added only then.
    let masked =
        |gates: &mut Gates, at: usize| a.iter().map(|&bit| gates.and(b[at], bit)).collect::<Vec<_>>();
    let (mut one, mut other) = (masked(&mut gates, 0), masked(&mut gates, 0));
    for at in 1..BITS {
        let summand = masked(&mut gates, at);
        let added = gates.add(&one[at..], &summand);
        one.truncate(at);
        one.extend(added);
        let added = gates.add(&other[at..], &a);
        let chosen = added.iter().zip(&other[at..]).map(|(&sum, &before)| gates.choose(b[at], sum, before));
        let chosen: Vec<Lit> = chosen.collect();
        other.truncate(at);
        other.extend(chosen);
    }
    let differ = one.iter().zip(&other).map(|(&x, &y)| gates.xor(x, y)).collect();
    gates.clauses.push(differ);
    let mut solver = Solver::with_proof(gates.variables, &gates.clauses, 1 << 28);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Outcome::Unsat);
    assert!(solver.conflicts() < 20_000, "{} conflicts", solver.conflicts());
    let proof = solver.proof().expect("a proof").trimmed();
    check(&gates.clauses, &proof.lrat());
    resolve(gates.variables, &gates.clauses, &proof);
}
