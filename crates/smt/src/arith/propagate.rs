//! Literals that the bounds imply.
//!
//! A literal is registered as a bound that makes it true, and its negation likewise, so that
//! implied literals are those whose bounds are weaker than a known one. Known are the asserted
//! bounds, at once ([`Simplex::assert_bound`]), and those that rows give, on demand
//! ([`Simplex::propagate_rows`]): in `Σ kᵢ xᵢ = 0` the bounds of all variables but one bound that
//! one.
//!
//! Explanations are written down when a literal is found, because the row that gave it may be gone
//! when they are asked for. They stay valid until the level is left in which they were made.

use super::bounds::Bound;
use super::tableau::Row;
use super::{ArithVar, BoundKind, DeltaRat, FarkasTerm, Reason, Simplex};
use craig_base::{IndexVec, index_type};
use craig_num::{Int, Rat};

index_type!(
    /// Names an explanation while its level is open.
    pub ExplanationId, "e"
);

/// A literal that is true because of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propagation {
    pub literal: Reason,
    pub explanation: ExplanationId,
}

/// Why a literal is true: its negation, times `coefficient`, together with the terms is a Farkas
/// certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub terms: Vec<FarkasTerm>,
    pub coefficient: Rat,
}

/// Longer rows are not looked at; they rarely imply anything, and never cheaply.
const LONGEST_ROW: usize = 40;
/// Not more rows are looked at for one changed bound.
const ROWS_PER_BOUND: usize = 20;

/// What a variable has, in one byte: rows are scanned for this before anything is computed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    const LOWER: u8 = 1;
    const UPPER: u8 = 2;
    /// Both bounds are the same; no literal of the variable is open.
    const FIXED: u8 = 4;
    const ATOMS: u8 = 8;

    pub(super) fn set_bounds(&mut self, lower: Option<&Bound>, upper: Option<&Bound>) {
        let fixed = lower.zip(upper).is_some_and(|(lower, upper)| lower.value == upper.value);
        let bits = [(lower.is_some(), Marks::LOWER), (upper.is_some(), Marks::UPPER), (fixed, Marks::FIXED)];
        let bits = bits.iter().map(|&(set, bit)| if set { bit } else { 0 }).sum::<u8>();
        self.0 = (self.0 & Marks::ATOMS) | bits;
    }

    fn has_open_atoms(self) -> bool {
        self.0 & (Marks::ATOMS | Marks::FIXED) == Marks::ATOMS
    }
}

#[derive(Clone, Default)]
pub(super) struct Propagator {
    /// Per variable.
    pub(super) marks: Vec<Marks>,
    atoms: IndexVec<ArithVar, Atoms>,
    /// In order of registration, to be forgotten again.
    registered: Vec<(ArithVar, BoundKind, Reason)>,
    queue: Vec<Propagation>,
    explanations: Vec<Stored>,
    terms: Vec<StoredTerm>,
    /// New bounds since rows were last looked at.
    changed: Vec<(ArithVar, BoundKind)>,
    /// Per row slot, the round in which its least or greatest sum was last looked at.
    seen: Vec<[u32; 2]>,
    round: u32,
}

/// The literals of one variable, by increasing bound.
#[derive(Clone, Default)]
struct Atoms {
    lower: Vec<(DeltaRat, Reason)>,
    upper: Vec<(DeltaRat, Reason)>,
}

impl Atoms {
    fn of(&self, kind: BoundKind) -> &Vec<(DeltaRat, Reason)> {
        match kind {
            BoundKind::Lower => &self.lower,
            BoundKind::Upper => &self.upper,
        }
    }

    fn of_mut(&mut self, kind: BoundKind) -> &mut Vec<(DeltaRat, Reason)> {
        match kind {
            BoundKind::Lower => &mut self.lower,
            BoundKind::Upper => &mut self.upper,
        }
    }

    /// The literals that `bound` implies but `old` does not.
    fn between(&self, kind: BoundKind, bound: &DeltaRat, old: Option<&DeltaRat>) -> &[(DeltaRat, Reason)] {
        let atoms = self.of(kind);
        let (start, end) = match kind {
            BoundKind::Lower => {
                let start = old.map_or(0, |old| atoms.partition_point(|(value, _)| value <= old));
                (start, atoms.partition_point(|(value, _)| value <= bound))
            }
            BoundKind::Upper => {
                let end = old.map_or(atoms.len(), |old| atoms.partition_point(|(value, _)| value < old));
                (atoms.partition_point(|(value, _)| value < bound), end)
            }
        };
        atoms.get(start..end).unwrap_or_default()
    }
}

#[derive(Clone)]
struct Stored {
    start: u32,
    end: u32,
    coefficient: Int,
}

#[derive(Clone)]
struct StoredTerm {
    var: ArithVar,
    kind: BoundKind,
    reason: Reason,
    coefficient: Int,
}

/// How much to keep when a level is left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PropagatorLevel {
    explanations: usize,
    terms: usize,
}

impl Propagator {
    pub(super) fn level(&self) -> PropagatorLevel {
        PropagatorLevel { explanations: self.explanations.len(), terms: self.terms.len() }
    }

    pub(super) fn backtrack_to(&mut self, level: PropagatorLevel) {
        self.explanations.truncate(level.explanations);
        self.terms.truncate(level.terms);
        self.queue.clear();
        self.changed.clear();
    }

    pub(super) fn registrations(&self) -> usize {
        self.registered.len()
    }

    pub(super) fn forget(&mut self, registrations: usize, variables: usize) {
        for (var, kind, literal) in self.registered.split_off(registrations) {
            if var.0 < variables as u32
                && let Some(atoms) = self.atoms.get_mut(var)
            {
                atoms.of_mut(kind).retain(|(_, known)| *known != literal);
            }
        }
        self.atoms.truncate(variables);
        self.marks.truncate(variables);
        self.queue.clear();
        self.changed.retain(|(var, _)| var.0 < variables as u32);
    }

    fn explanation(&mut self, start: usize, coefficient: Int) -> ExplanationId {
        let id = ExplanationId(self.explanations.len() as u32);
        self.explanations.push(Stored { start: start as u32, end: self.terms.len() as u32, coefficient });
        id
    }

    /// A new bound was asserted: queues the literals that it implies.
    pub(super) fn bound_asserted(
        &mut self,
        var: ArithVar,
        kind: BoundKind,
        bound: &DeltaRat,
        old: Option<&DeltaRat>,
        reason: Reason,
    ) {
        self.changed.push((var, kind));
        let Some(atoms) = self.atoms.get(var) else { return };
        let found = atoms.between(kind, bound, old);
        if found.iter().all(|(_, literal)| *literal == reason) {
            return;
        }
        let explanation = ExplanationId(self.explanations.len() as u32);
        let implied = found.iter().filter(|(_, literal)| *literal != reason);
        self.queue.extend(implied.map(|&(_, literal)| Propagation { literal, explanation }));
        let start = self.terms.len();
        self.terms.push(StoredTerm { var, kind, reason, coefficient: Int::ONE });
        self.explanation(start, Int::ONE);
    }
}

impl Simplex {
    /// Announces that `literal` is true when `var` has the given bound. The negation of the literal
    /// is announced by a call of its own.
    pub fn register_atom(&mut self, var: ArithVar, kind: BoundKind, value: DeltaRat, literal: Reason) {
        let propagator = &mut self.propagator;
        propagator.atoms.grow_to(var, Atoms::default());
        let atoms = propagator.atoms[var].of_mut(kind);
        let place = atoms.partition_point(|(other, _)| *other < value);
        let implied = self.variables[var].bound(kind).filter(|bound| kind.implies(&bound.value, &value));
        atoms.insert(place, (value, literal));
        propagator.registered.push((var, kind, literal));
        propagator.marks[var.0 as usize].0 |= Marks::ATOMS;
        if let Some(bound) = implied {
            let start = propagator.terms.len();
            let term = StoredTerm { var, kind, reason: bound.reason, coefficient: Int::ONE };
            propagator.terms.push(term);
            let explanation = propagator.explanation(start, Int::ONE);
            propagator.queue.push(Propagation { literal, explanation });
        }
    }

    /// Appends the literals found since the last call to `found`. Some may be known already.
    pub fn take_propagations(&mut self, found: &mut Vec<Propagation>) {
        self.counters.propagations += self.propagator.queue.len() as u64;
        found.append(&mut self.propagator.queue);
    }

    pub fn explain(&self, id: ExplanationId) -> Explanation {
        let stored = &self.propagator.explanations[id.0 as usize];
        let terms = self.propagator.terms[stored.start as usize..stored.end as usize].iter();
        let term = |term: &StoredTerm| FarkasTerm {
            var: term.var,
            kind: term.kind,
            reason: term.reason,
            coefficient: Rat::from_int(term.coefficient.clone()),
        };
        Explanation {
            terms: terms.map(term).collect(),
            coefficient: Rat::from_int(stored.coefficient.clone()),
        }
    }

    /// Looks for implied literals in rows with changed bounds, after a successful
    /// [`check`](Simplex::check).
    pub fn propagate_rows(&mut self) {
        let changed = std::mem::take(&mut self.propagator.changed);
        self.propagator.round += 1;
        self.propagator.seen.resize(self.tableau.row_slots() as usize, [0; 2]);
        for (var, kind) in changed {
            // The bound is part of the least or of the greatest sum, as the sign in the row says.
            if let Some(row) = self.tableau.row_index(var.0) {
                self.propagate_row(row, kind.opposite());
            } else {
                let rows = self.tableau.column(var.0).len().min(ROWS_PER_BOUND);
                for index in 0..rows {
                    let occurrence = self.tableau.column(var.0)[index];
                    let row = self.tableau.row(occurrence.row);
                    let coeff = &row.entries[occurrence.position as usize].coeff;
                    self.propagate_row(occurrence.row, contribution(kind, coeff));
                }
            }
        }
    }

    /// Bounds terms of a row by its least (`kind` is lower) or greatest sum.
    fn propagate_row(&mut self, index: u32, kind: BoundKind) {
        let seen = &mut self.propagator.seen[index as usize][kind as usize];
        let row = self.tableau.row(index);
        if std::mem::replace(seen, self.propagator.round) == self.propagator.round
            || row.entries.len() > LONGEST_ROW
        {
            return;
        }
        if let Some(unbounded) = unbounded(row, kind, &self.propagator.marks) {
            let activity = Activity { sum: self.activity(row, kind), unbounded };
            self.propagate_activity(index, kind, &activity);
        }
    }

    /// The least or greatest value of `Σ k x` over the terms of a row that are bounded on that side.
    fn activity(&self, row: &Row, kind: BoundKind) -> DeltaRat {
        let mut sum = DeltaRat::ZERO;
        if let Some(bound) = self.variables[ArithVar(row.basic)].bound(kind.opposite()) {
            sum = bound.value.scaled(&Rat::from_int(-&row.den));
        }
        for entry in &row.entries {
            if let Some(bound) = self.variables[ArithVar(entry.var)].bound(contribution(kind, &entry.coeff)) {
                sum.add_mul(&Rat::from_int(entry.coeff.clone()), &bound.value);
            }
        }
        sum
    }

    /// With the least (`kind` is lower) or greatest sum of all terms, bounds each single term from
    /// the other side.
    fn propagate_activity(&mut self, index: u32, kind: BoundKind, activity: &Activity) {
        let length = self.tableau.row(index).entries.len() + 1;
        let candidates = match activity.unbounded {
            Some(position) => position..position + 1,
            None => 0..length,
        };
        for position in candidates {
            let row = self.tableau.row(index);
            let (var, coeff) = term_of(row, position);
            // k x <= -(least sum of the others), or k x >= -(greatest sum of the others).
            let target = if coeff.is_positive() { kind.opposite() } else { kind };
            if !self.propagator.marks[var.0 as usize].has_open_atoms() {
                continue;
            }
            let mut rest = activity.sum.clone();
            if activity.unbounded.is_none()
                && let Some(bound) = self.variables[var].bound(contribution(kind, &coeff))
            {
                rest.add_mul(&Rat::from_int(-&coeff), &bound.value);
            }
            let mut implied = rest.scaled(&Rat::new(Int::MINUS_ONE, coeff.clone()));
            if self.variables[var].is_int {
                implied = round(target, &implied);
            }
            let old = self.variables[var].bound(target).map(|bound| &bound.value);
            if old.is_some_and(|old| target.implies(old, &implied)) {
                continue;
            }
            let found = self.propagator.atoms[var].between(target, &implied, old);
            if found.is_empty() {
                continue;
            }
            let explanation = ExplanationId(self.propagator.explanations.len() as u32);
            let found = found.iter().map(|&(_, literal)| Propagation { literal, explanation });
            self.propagator.queue.extend(found);
            let start = self.propagator.terms.len();
            for other in (0..length).filter(|other| *other != position) {
                let (var, coeff) = term_of(row, other);
                let kind = contribution(kind, &coeff);
                if let Some(bound) = self.variables[var].bound(kind) {
                    let coefficient = coeff.abs();
                    self.propagator.terms.push(StoredTerm { var, kind, reason: bound.reason, coefficient });
                }
            }
            self.propagator.explanation(start, coeff.abs());
        }
    }
}

/// The least or greatest value of `Σ k x` over all terms of a row, but for one that is unbounded.
struct Activity {
    sum: DeltaRat,
    unbounded: Option<usize>,
}

/// The one term of a row that has no least (or greatest) value, if any. `None` if there are several,
/// or if no literal could be implied.
fn unbounded(row: &Row, kind: BoundKind, marks: &[Marks]) -> Option<Option<usize>> {
    let (positive, negative) = match kind {
        BoundKind::Lower => (Marks::LOWER, Marks::UPPER),
        BoundKind::Upper => (Marks::UPPER, Marks::LOWER),
    };
    // The basic variable has a negative coefficient.
    let basic = marks[row.basic as usize];
    let mut open_atoms = basic.has_open_atoms();
    let mut unbounded = (basic.0 & negative == 0).then_some(0);
    for (position, entry) in row.entries.iter().enumerate() {
        let mark = marks[entry.var as usize];
        open_atoms |= mark.has_open_atoms();
        let needed = if entry.coeff.is_positive() { positive } else { negative };
        if mark.0 & needed == 0 && unbounded.replace(position + 1).is_some() {
            return None;
        }
    }
    open_atoms.then_some(unbounded)
}

/// The term at a position of `Σ k x - den * basic = 0`, where the basic variable is at zero.
fn term_of(row: &Row, position: usize) -> (ArithVar, Int) {
    match position.checked_sub(1) {
        None => (ArithVar(row.basic), -&row.den),
        Some(entry) => (ArithVar(row.entries[entry].var), row.entries[entry].coeff.clone()),
    }
}

/// The bound of `x` that makes `coeff * x` least (`kind` is lower) or greatest.
fn contribution(kind: BoundKind, coeff: &Int) -> BoundKind {
    if coeff.is_positive() { kind } else { kind.opposite() }
}

/// The tightest integer bound that a bound implies.
fn round(kind: BoundKind, bound: &DeltaRat) -> DeltaRat {
    let floor = |value: &DeltaRat| {
        let exact = value.value.is_integer() && value.delta.is_negative();
        Rat::from_int(value.value.floor() - if exact { Int::ONE } else { Int::ZERO })
    };
    match kind {
        BoundKind::Upper => floor(bound).into(),
        BoundKind::Lower => (-floor(&-bound)).into(),
    }
}
