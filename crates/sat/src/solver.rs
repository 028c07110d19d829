//! The state of the solver, and how clauses come into it.

use crate::analyze::Role;
use crate::clauses::{ClauseRef, Clauses};
use crate::heap::Heap;
use crate::literal::{Lit, Var};
use crate::proof::Proof;
use crate::restart::Restarts;
use craig_base::StopReason;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sat,
    /// Together with the assumptions in [`Solver::core`].
    Unsat,
    Stopped(StopReason),
}

/// For each number of a variable; too little to count once a conflict has been met.
const FIRST_ACTIVITY: f64 = 1e-9;

/// A clause that watches a literal: it is looked at when the literal becomes false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub clause: ClauseRef,
    /// Another literal of the clause; while it is true there is nothing to do. Of a binary clause, the other.
    pub blocker: Lit,
    pub binary: bool,
}

/// Variables, clauses and the assignment. Literals that are assigned have value 1 or -1.
#[derive(Debug)]
pub struct Solver {
    pub(crate) clauses: Clauses,
    pub(crate) given: Vec<ClauseRef>,
    pub(crate) learned: Vec<ClauseRef>,
    /// For each literal the clauses that contain its negation as one of their first two literals.
    pub(crate) watches: Vec<Vec<Watch>>,
    pub(crate) values: Vec<i8>,
    pub(crate) levels: Vec<u32>,
    pub(crate) reasons: Vec<ClauseRef>,
    /// Where a variable is on the trail.
    pub(crate) places: Vec<u32>,
    pub(crate) trail: Vec<Lit>,
    pub(crate) trail_limits: Vec<usize>,
    pub(crate) propagated: usize,
    pub(crate) activity: Vec<f64>,
    pub(crate) activity_step: f64,
    pub(crate) clause_step: f32,
    pub(crate) heap: Heap,
    pub(crate) phases: Vec<bool>,
    pub(crate) best_phases: Vec<bool>,
    pub(crate) best_trail: usize,
    pub(crate) seen: Vec<bool>,
    /// What variables are in the analysis of a conflict, and which are anything.
    pub(crate) roles: Vec<Role>,
    pub(crate) with_role: Vec<Var>,
    pub(crate) restarts: Restarts,
    pub(crate) conflicts: u64,
    pub(crate) propagations: u64,
    pub(crate) reduce_at: u64,
    pub(crate) reductions: u64,
    pub(crate) simplified_at: usize,
    pub(crate) core: Vec<Lit>,
    /// The clauses that refute the core by unit propagation, the last first.
    pub(crate) core_reasons: Vec<ClauseRef>,
    pub(crate) model: Vec<bool>,
    /// No assignment satisfies the clauses.
    pub(crate) contradiction: bool,
    pub(crate) proof: Option<Proof>,
    proof_limit: usize,
    pub(crate) conflict_limit: u64,
    /// So many variables have been swept.
    pub(crate) swept: usize,
    /// The numbers of the unit clauses of variables assigned on level 0, where there is a proof.
    pub(crate) units: Vec<u32>,
    next_id: u32,
    /// For the glue of a clause: when a level was last counted.
    pub(crate) level_marks: Vec<u64>,
    pub(crate) level_mark: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    pub fn new() -> Self {
        Solver {
            clauses: Clauses::default(),
            given: Vec::new(),
            learned: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            places: Vec::new(),
            trail: Vec::new(),
            trail_limits: Vec::new(),
            propagated: 0,
            activity: Vec::new(),
            activity_step: 1.0,
            clause_step: 1.0,
            heap: Heap::default(),
            phases: Vec::new(),
            best_phases: Vec::new(),
            best_trail: 0,
            seen: Vec::new(),
            roles: Vec::new(),
            with_role: Vec::new(),
            restarts: Restarts::new(),
            conflicts: 0,
            propagations: 0,
            reduce_at: 2000,
            reductions: 0,
            simplified_at: 0,
            core: Vec::new(),
            core_reasons: Vec::new(),
            model: Vec::new(),
            contradiction: false,
            proof: None,
            proof_limit: 0,
            conflict_limit: u64::MAX,
            swept: 0,
            units: Vec::new(),
            next_id: 1,
            level_marks: vec![0],
            level_mark: 0,
        }
    }

    /// A solver for these clauses that keeps a proof of up to `limit` words. No clause may be added later.
    pub fn with_proof(variables: u32, clauses: &[Vec<Lit>], limit: usize) -> Self {
        let mut solver = Solver::new();
        for _ in 0..variables {
            solver.new_var();
        }
        solver.proof = Some(Proof::new(clauses.len() as u32));
        solver.proof_limit = limit;
        solver.next_id = clauses.len() as u32 + 1;
        for (i, clause) in clauses.iter().enumerate() {
            solver.insert(i as u32 + 1, clause);
        }
        solver
    }

    pub fn new_var(&mut self) -> Var {
        let var = Var(self.levels.len() as u32);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([0, 0]);
        self.levels.push(0);
        self.reasons.push(ClauseRef::NONE);
        self.places.push(0);
        // Of those that no conflict has touched, the last first: in circuits they are nearer to what is asked.
        self.activity.push(f64::from(var.0) * FIRST_ACTIVITY);
        self.phases.push(false);
        self.best_phases.push(false);
        self.seen.push(false);
        self.roles.push(Role::None);
        self.units.push(0);
        self.level_marks.push(0);
        self.heap.insert(var.0, &self.activity);
        var
    }

    pub fn variables(&self) -> usize {
        self.levels.len()
    }

    /// After so many more conflicts a search stops as if the time were over; with none, it never does.
    pub fn limit_conflicts(&mut self, more: Option<u64>) {
        self.conflict_limit = more.map_or(u64::MAX, |more| self.conflicts + more);
    }

    /// Where nothing speaks against it, the literal is true in the next model: it is decided early, as long as conflicts are not
    /// about others.
    pub fn prefer(&mut self, lit: Lit) {
        self.backtrack(0);
        self.phases[lit.var().index()] = !lit.is_negated();
        self.bump(lit.var());
    }

    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Adds a clause. Not for a solver that keeps a proof, which gets its clauses at once.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        debug_assert!(self.proof.is_none());
        let id = self.next_id;
        self.next_id += 1;
        self.insert(id, lits);
    }

    fn insert(&mut self, id: u32, lits: &[Lit]) {
        self.backtrack(0);
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if self.contradiction || tautology || lits.iter().any(|&lit| self.value(lit) > 0) {
            return;
        }
        self.attach(id, lits);
    }

    /// Takes a clause, on level 0, of which no literal is true.
    pub(crate) fn attach(&mut self, id: u32, mut lits: Vec<Lit>) {
        // What is false already stays in the clause, so that it is the clause of its number.
        lits.sort_by_key(|&lit| self.value(lit) < 0);
        let open = lits.iter().filter(|&&lit| self.value(lit) == 0).count();
        let clause = self.clauses.push(id, &lits, false, 0);
        match open {
            0 => self.refuted_by(clause),
            1 => {
                self.assign(lits[0], clause);
                if let Some(conflict) = self.propagate() {
                    self.refuted_by(conflict);
                }
            }
            _ => {
                self.given.push(clause);
                self.watch(clause);
            }
        }
    }

    pub(crate) fn watch(&mut self, clause: ClauseRef) {
        let (a, b) = (self.clauses.lit(clause, 0), self.clauses.lit(clause, 1));
        let binary = self.clauses.len(clause) == 2;
        self.watches[(!a).index()].push(Watch { clause, blocker: b, binary });
        self.watches[(!b).index()].push(Watch { clause, blocker: a, binary });
    }

    /// A clause is false on level 0.
    pub(crate) fn refuted_by(&mut self, clause: ClauseRef) {
        self.contradiction = true;
        if self.proof.is_some() {
            let mut antecedents: Vec<u32> =
                self.clauses.lits(clause).map(|lit| self.units[lit.var().index()]).collect();
            antecedents.push(self.clauses.id(clause));
            self.derive(&[], &antecedents);
        }
    }

    /// Writes down a clause that was learned, and gives it a number.
    pub(crate) fn derive(&mut self, lits: &[Lit], antecedents: &[u32]) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        if let Some(proof) = &mut self.proof {
            let given = proof.push(lits, antecedents);
            debug_assert_eq!(id, given);
        }
        id
    }

    pub(crate) fn proof_is_too_large(&self) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.size() > self.proof_limit)
            // A reference is a 32-bit offset.
            || self.clauses.words() > (u32::MAX - (1 << 24)) as usize
            || self.next_id > u32::MAX - (1 << 24)
    }

    /// Whether a literal is true in the assignment that was found last.
    pub fn model(&self, lit: Lit) -> bool {
        self.model.get(lit.var().index()).is_some_and(|&value| value != lit.is_negated())
    }

    /// The assumptions that the last refutation needed.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// The refutation, if the clauses have no model and the solver keeps proofs.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref().filter(|_| self.contradiction)
    }

    pub(crate) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    pub(crate) fn level(&self) -> u32 {
        self.trail_limits.len() as u32
    }
}
