//! What equalities between variables say about each other, as clauses.
//!
//! Arithmetic sees that `a = b`, `b = c` and `a ≠ c` contradict each other only after the disequality was split, and each
//! split is a decision about an order that nobody asked for. So where three such atoms form a triangle, the clause
//! `a ≠ b ∨ b ≠ c ∨ a = c` is added when a clause needs `a ≠ c` (after Bryant and Velev, *Boolean satisfiability with
//! transitivity constraints*, TOCL 2002; only triangles that are there, no chords are added). Permutations and finite
//! choices (`x = a ∨ x = b ∨ ...`) are decided by propositions alone then.
//!
//! Such a disequality is not split before a model breaks it: where its sides are among other variables, those tell them
//! apart.
//!
//! Only without proofs: a proof would need a chain of three steps for each clause, and parts that can express them.

use super::NativeSolver;
use super::lit::{Lit, Var};
use crate::arith::ArithVar;
use craig_base::{Index, Map};

/// How many neighbours are looked at in the life of a solver: where many variables are compared with many, there are
/// too many triangles.
const MAX_STEPS: u64 = 2_000_000;

/// The atoms `a = b`, as edges between variables.
#[derive(Clone, Default)]
pub(super) struct Differences {
    edges: Vec<(Var, ArithVar, ArithVar)>,
    neighbours: Map<ArithVar, Vec<(ArithVar, Var)>>,
    steps: u64,
    /// Equalities whose triangles are clauses, or that have none.
    closed: Map<Var, bool>,
}

impl Differences {
    /// Notes an atom, which is younger than all before.
    pub fn insert(&mut self, var: Var, a: ArithVar, b: ArithVar) {
        self.edges.push((var, a, b));
        self.neighbours.entry(a).or_default().push((b, var));
        self.neighbours.entry(b).or_default().push((a, var));
    }

    /// Forgets the atoms from a number of variables on.
    pub fn truncate(&mut self, vars: usize) {
        while let Some((_, a, b)) = self.edges.pop_if(|(var, ..)| var.index() >= vars) {
            for end in [a, b] {
                if let Some(list) = self.neighbours.get_mut(&end) {
                    list.pop();
                }
            }
        }
    }

    /// The atoms with the variables that they compare.
    pub fn edges(&self) -> impl Iterator<Item = (Var, ArithVar, ArithVar)> + '_ {
        self.edges.iter().copied()
    }

    fn ends(&self, equality: Var) -> Option<(ArithVar, ArithVar)> {
        let place = self.edges.binary_search_by_key(&equality, |&(var, ..)| var).ok()?;
        let (_, a, b) = self.edges[place];
        Some((a, b))
    }

    fn around(&self, a: ArithVar) -> &[(ArithVar, Var)] {
        self.neighbours.get(&a).map_or(&[], Vec::as_slice)
    }

    /// The pairs of edges that lead from one end of the edge to the other.
    fn triangles(&mut self, equality: Var) -> Vec<(Var, Var)> {
        let Some((a, c)) = self.ends(equality) else { return Vec::new() };
        self.steps += (self.around(a).len() + self.around(c).len()) as u64;
        if self.steps > MAX_STEPS {
            return Vec::new();
        }
        let from_a: Map<ArithVar, Var> = self.around(a).iter().copied().collect();
        let pair = |&(b, second): &(ArithVar, Var)| Some((*from_a.get(&b)?, second));
        self.around(c).iter().filter_map(pair).collect()
    }
}

impl NativeSolver {
    /// Adds the clauses of the triangles around an equality that a clause needs to be false, on level 0. Returns whether
    /// there are any; it need not be split then before a model breaks it.
    pub(super) fn close_triangles(&mut self, equality: Var) -> bool {
        // What is learned in a scope ends with it, and would have to be noted with it.
        if self.options.proofs || !self.options.triangles || !self.scopes.is_empty() {
            return false;
        }
        if let Some(&known) = self.arith.differences.closed.get(&equality) {
            return known;
        }
        let mut sides = self.arith.differences.triangles(equality);
        // Where no clause needs the sides to be true, arithmetic is not told if they are.
        let is_needed = |side: Var| self.needed[Lit::new(side, false).index()];
        sides.retain(|&(first, second)| is_needed(first) && is_needed(second));
        for &(first, second) in &sides {
            let lits = [Lit::new(first, true), Lit::new(second, true), Lit::new(equality, false)];
            self.sat.add_clause(&lits, || unreachable!("without proofs there are no leaves"));
        }
        self.arith.differences.closed.insert(equality, !sides.is_empty());
        !sides.is_empty()
    }
}
