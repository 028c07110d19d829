//! To which parts a literal belongs.
//!
//! A literal belongs to the parts in whose clauses it occurs. A formula that several parts contain
//! has one literal, whose defining clauses are in one of these parts; for the others it is a symbol,
//! and in an interpolant it stands for the formula, which both sides contain.
//!
//! Atoms that the search made up have no clauses:
//! - an integer split `x <= k` belongs to all parts that speak of `x`;
//! - the cases `t < k` and `t > k` of an equality belong to the parts of the equality, in addition
//!   to parts in which they occur anyway. The clause of the three cases is then one of each of
//!   these parts;
//! - an instance of an axiom of functions or arrays is put into a part that has its symbols (see
//!   [`vocabulary`](super::vocabulary)), and its literals belong to that part, too.
//!
//! So for every cut a literal is of `A`, of `B`, or of both; never of neither and never mixed.

use super::{Failure, vocabulary};
use crate::native::{NativeSolver, Var};
use crate::proof::{Certificate, Leaf, Refutation, StepKind};
use craig_base::{Index, Map, OrderedMap};
use craig_term::Terms;

/// Where a literal belongs for one cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    A,
    B,
    Shared,
}

/// The parts of each variable of a refutation, ascending.
pub(super) struct Occurrences {
    parts: OrderedMap<Var, Vec<u32>>,
    /// The part in which a lemma is put, by its step.
    lemmas: OrderedMap<usize, u32>,
}

impl Occurrences {
    pub fn new(
        terms: &mut Terms,
        solver: &NativeSolver,
        refutation: &Refutation,
        cuts: &[Vec<bool>],
    ) -> Self {
        let mut parts: OrderedMap<Var, Vec<u32>> = OrderedMap::default();
        for step in &refutation.steps {
            for lit in &step.clause {
                parts.entry(lit.var()).or_insert_with(|| solver.occurrences(lit.var()).to_vec());
            }
        }
        let mut lemmas = vocabulary::homes(terms, solver, refutation, cuts, &parts);
        for (&step, &home) in &lemmas {
            for lit in &refutation.steps[step].clause {
                merge(parts.entry(lit.var()).or_default(), &[home]);
            }
        }
        // Equalities come first: the cases of an equality belong to its parts.
        let is_equality = |var: &Var| equality_among(solver, [*var]).is_some();
        give_parts(solver, &mut parts, is_equality);
        for (index, step) in refutation.steps.iter().enumerate() {
            if let StepKind::Leaf(Leaf::Theory(Certificate::Trichotomy)) = step.kind {
                let equality = equality_among(solver, step.clause.iter().map(|lit| lit.var()));
                let owners = equality.map(|var| parts[&var].clone()).unwrap_or_default();
                if let Some(&first) = owners.first() {
                    lemmas.insert(index, first);
                }
                for lit in &step.clause {
                    merge(parts.entry(lit.var()).or_default(), &owners);
                }
            }
        }
        give_parts(solver, &mut parts, |_| true);
        Occurrences { parts, lemmas }
    }

    /// The part that the lemma at this step belongs to: the three cases of an equality, or an axiom.
    pub fn lemma_part(&self, step: usize) -> Option<u32> {
        self.lemmas.get(&step).copied()
    }

    /// The colour of every variable for a cut.
    pub fn colours(&self, cut: &[bool]) -> Colours {
        let in_a = |part: &u32| cut.get(*part as usize).copied().unwrap_or(false);
        let length = self.parts.keys().map(|var| var.index() + 1).max().unwrap_or(0);
        let mut colours = vec![None; length];
        for (var, parts) in &self.parts {
            let inside = parts.iter().filter(|part| in_a(part)).count();
            colours[var.index()] = match (inside, parts.len()) {
                (_, 0) => None,
                (0, _) => Some(Colour::B),
                (inside, all) if inside == all => Some(Colour::A),
                _ => Some(Colour::Shared),
            };
        }
        Colours(colours)
    }
}

/// The colours of one cut; `None` where a variable belongs nowhere.
pub(super) struct Colours(Vec<Option<Colour>>);

impl Colours {
    pub fn of(&self, var: Var) -> Result<Colour, Failure> {
        self.0.get(var.index()).copied().flatten().ok_or(Failure::MixedReasoning)
    }

    /// Whether the other cut gives a variable the same colour.
    pub fn agrees(&self, other: &Colours, var: Var) -> bool {
        self.0.get(var.index()) == other.0.get(var.index())
    }
}

fn equality_among(solver: &NativeSolver, vars: impl IntoIterator<Item = Var>) -> Option<Var> {
    let is_equality =
        |var: &Var| solver.atoms().get(*var).is_some_and(|atom| atom.relation == crate::native::Relation::Eq);
    vars.into_iter().find(is_equality)
}

/// Atoms that the search made up belong to the parts that speak of all their variables.
fn give_parts(
    solver: &NativeSolver,
    parts: &mut OrderedMap<Var, Vec<u32>>,
    concerned: impl Fn(&Var) -> bool,
) {
    let made_up: Vec<Var> =
        parts.iter().filter(|(var, known)| known.is_empty() && concerned(var)).map(|(&var, _)| var).collect();
    if made_up.is_empty() {
        return;
    }
    let of_variables = parts_of_variables(solver, parts);
    for var in made_up {
        if let Some(atom) = solver.atoms().get(var) {
            let mut common: Option<Vec<u32>> = None;
            for (variable, _) in solver.simplex().terms_of(atom.form) {
                let own = of_variables.get(&variable).cloned().unwrap_or_default();
                common = Some(match common {
                    None => own,
                    Some(so_far) => so_far.into_iter().filter(|part| own.contains(part)).collect(),
                });
            }
            parts.insert(var, common.unwrap_or_default());
        }
    }
}

fn parts_of_variables(
    solver: &NativeSolver,
    of_literals: &OrderedMap<Var, Vec<u32>>,
) -> Map<crate::arith::ArithVar, Vec<u32>> {
    let mut parts: Map<crate::arith::ArithVar, Vec<u32>> = Map::default();
    for var in solver.variables() {
        if let Some(atom) = solver.atoms().get(var) {
            let own = of_literals.get(&var).map_or(solver.occurrences(var), Vec::as_slice);
            if !own.is_empty() {
                for (variable, _) in solver.simplex().terms_of(atom.form) {
                    merge(parts.entry(variable).or_default(), own);
                }
            }
        }
    }
    parts
}

fn merge(into: &mut Vec<u32>, more: &[u32]) {
    into.extend_from_slice(more);
    into.sort_unstable();
    into.dedup();
}
