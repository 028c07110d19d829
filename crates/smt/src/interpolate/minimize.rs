//! Smaller interpolants by local solver calls.
//!
//! First, from the first interpolant of a sequence to the last, large ones are rebuilt as conjunctions
//! of clauses over their atoms: for every model of `L_k ∧ ¬I_{k+1}` that the clauses so far allow, a least
//! clause that excludes it and follows from `I_{k-1} ∧ L_{k-1}`. Vizel, Ryvchin and Nadel do this for
//! circuits (*Efficient generation of small interpolants in CNF*, 2013). Where a proof winds around, a
//! formula of two thousand nodes becomes one of a hundred.
//!
//! Then, from the last to the first: conjuncts that the next step does not need
//! are dropped (the unsatisfiable core of `I_k ∧ L_k ∧ ¬I_{k+1}`), then disjuncts that the step
//! before does not need (the core of `I_{k-1} ∧ L_{k-1} ∧ ¬d_1 ∧ ... ∧ ¬d_m`). Each change is made
//! only after the solver has confirmed the implications it touches, so the sequence stays one.
//!
//! A part is represented by those of its clauses that the refutation used: they suffice, they are few,
//! and they need not be made again.

use super::simplify::{arguments, is_connective, simplify, structure};
use crate::native::{Lit, NativeSolver, Options};
use crate::proof::{Leaf, Refutation, StepKind};
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::{Op, TermId, Terms, Value};

/// Larger formulas are left alone: the calls would be as hard as the problem itself.
const MAX_SIZE: usize = 400;
/// Conflicts that one call may have.
const MAX_CONFLICTS: u64 = 2000;
/// Formulas beyond this size are rebuilt as conjunctions of clauses.
const LARGE: usize = 100;
/// How many atoms and clauses such a conjunction may have, and how many conflicts it may cost.
const MAX_NEW_ATOMS: usize = 128;
const MAX_NEW_CLAUSES: usize = 150;
const MAX_NEW_CONFLICTS: u64 = 10_000;
/// Clauses beyond this number keep their disjuncts: the calls would cost more than they save.
const MAX_CLAUSES: usize = 40;

pub(super) fn sequence(
    terms: &mut Terms,
    refuted: &NativeSolver,
    refutation: &Refutation,
    cuts: &[Vec<bool>],
    interpolants: &mut [TermId],
    budget: &Budget,
) {
    let mut parts = Parts::new(refuted, refutation, cuts);
    for k in 0..interpolants.len() {
        if terms.dag_size(interpolants[k]) > LARGE {
            let (before, after) = neighbours(interpolants, k);
            if let Some(clauses) = clausal(terms, &mut parts, k, interpolants[k], before, after, budget) {
                interpolants[k] = clauses;
            }
        }
    }
    let small = |terms: &Terms, t: TermId| terms.dag_size(t) <= MAX_SIZE;
    for k in (0..interpolants.len()).rev() {
        let (before, after) = neighbours(interpolants, k);
        let mut current = interpolants[k];
        if !small(terms, current) {
            continue;
        }
        if small(terms, after) && terms.op(current) == Op::And {
            let solver = parts.solver(terms, k + 1);
            current = needed_conjuncts(terms, solver, current, after, budget);
        }
        if small(terms, before) && has_disjuncts(terms, current) {
            let solver = parts.solver(terms, k);
            current = needed_disjuncts(terms, solver, current, before, budget);
        }
        if current != interpolants[k] {
            interpolants[k] = simplify(terms, current);
        }
    }
}

fn neighbours(interpolants: &[TermId], k: usize) -> (TermId, TermId) {
    let before = if k == 0 { Terms::TRUE } else { interpolants[k - 1] };
    (before, interpolants.get(k + 1).copied().unwrap_or(Terms::FALSE))
}

/// What lies between two neighbouring cuts: its clauses, and a solver where one was needed.
struct Parts<'a> {
    refuted: &'a NativeSolver,
    clauses: Vec<Vec<&'a [Lit]>>,
    solvers: Vec<Option<NativeSolver>>,
}

impl<'a> Parts<'a> {
    fn new(refuted: &'a NativeSolver, refutation: &'a Refutation, cuts: &[Vec<bool>]) -> Self {
        let mut clauses = vec![Vec::new(); cuts.len() + 1];
        for step in &refutation.steps {
            if let StepKind::Leaf(Leaf::Input { part }) = step.kind {
                let first = cuts.iter().position(|cut| cut.get(part as usize) == Some(&true));
                clauses[first.unwrap_or(cuts.len())].push(step.clause.as_slice());
            }
        }
        Parts { refuted, clauses, solvers: vec![None; cuts.len() + 1] }
    }

    /// Conflicts that the solvers of two neighbouring parts have had.
    fn conflicts(&self, part: usize) -> u64 {
        self.solvers[part..=part + 1].iter().flatten().map(NativeSolver::conflicts).sum()
    }

    fn solver(&mut self, terms: &mut Terms, part: usize) -> &mut NativeSolver {
        self.solvers[part].get_or_insert_with(|| {
            let options = Options { preprocess: false, conflicts: MAX_CONFLICTS, ..Options::default() };
            let mut solver = NativeSolver::new(options);
            solver.adopt(terms, self.refuted, self.clauses[part].iter().copied());
            solver
        })
    }
}

fn has_disjuncts(terms: &Terms, formula: TermId) -> bool {
    let clauses = arguments(terms, Op::And, formula);
    clauses.len() <= MAX_CLAUSES && clauses.iter().any(|&clause| terms.op(clause) == Op::Or)
}

/// A conjunction of clauses over the atoms of interpolant `k` that can take its place: a clause for each model
/// of what comes after, chosen such that what comes before implies it.
fn clausal(
    terms: &mut Terms,
    parts: &mut Parts,
    k: usize,
    formula: TermId,
    before: TermId,
    after: TermId,
    budget: &Budget,
) -> Option<TermId> {
    let atoms: Vec<TermId> =
        structure(terms, formula).into_iter().filter(|&t| !is_connective(terms, t)).collect();
    if atoms.len() > MAX_NEW_ATOMS {
        return None;
    }
    let negated = terms.not(after);
    for (part, formula) in [(k, before), (k + 1, negated)] {
        let solver = parts.solver(terms, part);
        solver.push();
        solver.assert(terms, formula);
    }
    let result = separating_clauses(terms, parts, k, &atoms, budget);
    for part in [k, k + 1] {
        parts.solver(terms, part).pop();
    }
    result.map(|clauses| terms.and(&clauses))
}

fn separating_clauses(
    terms: &mut Terms,
    parts: &mut Parts,
    k: usize,
    atoms: &[TermId],
    budget: &Budget,
) -> Option<Vec<TermId>> {
    let mut clauses = Vec::new();
    let limit = parts.conflicts(k) + MAX_NEW_CONFLICTS;
    while clauses.len() < MAX_NEW_CLAUSES && parts.conflicts(k) < limit {
        let next = parts.solver(terms, k + 1);
        match next.check(terms, &[], budget) {
            Answer::Unsat => return Some(clauses),
            Answer::Unknown(_) => return None,
            Answer::Sat => {}
        }
        let values = terms.eval_all(atoms, next.model()?).ok()?;
        let cube: Vec<TermId> = atoms
            .iter()
            .map(|atom| if values[atom] == Value::Bool(true) { *atom } else { terms.not(*atom) })
            .collect();
        let own = parts.solver(terms, k);
        if own.check(terms, &cube, budget) != Answer::Unsat {
            return None;
        }
        let core = own.core().to_vec();
        let core = irredundant(terms, own, core, budget);
        let negations: Vec<TermId> = core.into_iter().map(|t| terms.not(t)).collect();
        let clause = terms.or(&negations);
        parts.solver(terms, k + 1).assert(terms, clause);
        clauses.push(clause);
    }
    None
}

/// Assumptions that contradict what the solver knows, without those that can be left out.
pub(super) fn irredundant(
    terms: &mut Terms,
    solver: &mut NativeSolver,
    mut core: Vec<TermId>,
    budget: &Budget,
) -> Vec<TermId> {
    let mut place = 0;
    while place < core.len() {
        let mut fewer = core.clone();
        fewer.remove(place);
        if solver.check(terms, &fewer, budget) == Answer::Unsat {
            // The core is in the order of the assumptions, and what is needed in more is needed in fewer: the
            // first ones stay.
            core = solver.core().to_vec();
        } else {
            place += 1;
        }
    }
    core
}

/// A weaker formula that still implies `after` together with the part.
fn needed_conjuncts(
    terms: &mut Terms,
    part: &mut NativeSolver,
    formula: TermId,
    after: TermId,
    budget: &Budget,
) -> TermId {
    let conjuncts = arguments(terms, Op::And, formula);
    let negated = terms.not(after);
    part.push();
    part.assert(terms, negated);
    let result = match part.check(terms, &conjuncts, budget) {
        Answer::Unsat => terms.and(part.core()),
        Answer::Sat | Answer::Unknown(_) => formula,
    };
    part.pop();
    result
}

/// A stronger formula that is still implied by `before` and the part.
fn needed_disjuncts(
    terms: &mut Terms,
    part: &mut NativeSolver,
    formula: TermId,
    before: TermId,
    budget: &Budget,
) -> TermId {
    let clauses = arguments(terms, Op::And, formula);
    part.push();
    part.assert(terms, before);
    let mut result = Vec::with_capacity(clauses.len());
    for clause in clauses {
        if terms.op(clause) != Op::Or {
            result.push(clause);
            continue;
        }
        let negations: Vec<TermId> =
            terms.args(clause).to_vec().into_iter().map(|disjunct| terms.not(disjunct)).collect();
        part.push();
        result.push(match part.check(terms, &negations, budget) {
            Answer::Unsat => {
                let needed: Vec<TermId> = part.core().iter().map(|&negation| terms.not(negation)).collect();
                terms.or(&needed)
            }
            Answer::Sat | Answer::Unknown(_) => clause,
        });
        part.pop();
    }
    part.pop();
    terms.and(&result)
}
