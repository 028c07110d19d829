//! Abstract domains, and what they know of formulas and statements.
//!
//! A. Albarghouthi, *Software Verification with Program-Graph Interpolation and Abstraction*, PhD
//! thesis, Toronto 2015, sections 2.5, 5.3 and 5.4.2. An element stands for a set of states; its
//! *dimensions* are the constants that formulas have for the components of the state.
//!
//! | thesis | here |
//! |---|---|
//! | D = (D, ⊤, ⊥, ⊔, ∇, α, γ) | [`Domain`] |
//! | WIDENWITH⊔, WIDENWITH∨ | [`Domain::widen_with`] |
//! | BOX | [`IntervalBox`], [`BoxDomain`] |
//! | BOXES | [`boxes`] |
//! | template constraint matrices | [`templates`] |
//! | CPost, BPost | [`predicates`] |
//! | APost of a loop-free segment, by its statements | [`transfer`] |
//! | boxes of procedures, over all calls | [`procedures`] |
//! | APost of a segment, by optimisation over its formula | [`templates::best`] |
//!
//! Departure: ∇ stops at *thresholds*, numbers that the caller names (those of the program). There
//! are finitely many, so chains still end.
//!
//! ```
//! use craig_domains::{BoxDomain, Domain};
//! use craig_term::Terms;
//!
//! let mut terms = Terms::new();
//! let x = terms.declare_const("x", Terms::INT)?;
//! let (zero, one) = (terms.int(0), terms.int(1));
//! let mut domain = BoxDomain::default();
//! let [first, second] = [zero, one].map(|value| terms.eq(x, value)).map(|formula| domain.alpha(&mut terms, formula));
//! let either = domain.join(&first, &second);
//! assert!(domain.leq(&first, &either) && !domain.leq(&either, &first));
//! # Ok::<(), craig_term::DeclareError>(())
//! ```

pub mod boxes;
mod formula;
mod interval_box;
pub mod predicates;
pub mod procedures;
pub mod templates;
pub mod transfer;

#[cfg(test)]
mod tests;

pub use formula::abstraction;
pub use interval_box::{BoxDomain, Cube, IntervalBox};

use craig_program::Interval;
use craig_term::{TermId, Terms};
use std::fmt::Debug;

/// A lattice of sets of states. Operators may lose precision, never states.
///
/// Laws, with `γ` for [`gamma`](Domain::gamma):
/// - `γ(top) = true`, `γ(bottom) = false`;
/// - `leq(a, b)` implies `γ(a) ⇒ γ(b)`;
/// - `γ(a) ∨ γ(b) ⇒ γ(join(a, b))`;
/// - `γ(new) ⇒ γ(widen(old, new))`, and repeated widening with growing elements ends;
/// - `formula ⇒ γ(alpha(formula))`;
/// - `γ(new) ⇒ γ(seen) ∨ γ(widen_with(seen, new))` (Definition 5.2, soundness).
pub trait Domain {
    type Element: Clone + PartialEq + Debug;

    fn top(&mut self) -> Self::Element;
    fn bottom(&mut self) -> Self::Element;
    fn leq(&mut self, a: &Self::Element, b: &Self::Element) -> bool;
    fn join(&mut self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// For `old ⊑ new`.
    fn widen(&mut self, old: &Self::Element, new: &Self::Element) -> Self::Element;
    fn alpha(&mut self, terms: &mut Terms, formula: TermId) -> Self::Element;
    fn gamma(&mut self, terms: &mut Terms, element: &Self::Element) -> TermId;

    /// WIDENWITH⊔ (5.3): `x ∇ (x ⊔ new)`, where x is the element seen last.
    fn widen_with(&mut self, seen: &[Self::Element], new: &Self::Element) -> Self::Element {
        match seen.last() {
            None => new.clone(),
            Some(last) => {
                let joined = self.join(last, new);
                self.widen(last, &joined)
            }
        }
    }

    /// Whether [`widen_with`](Domain::widen_with) leaves out what was seen before, so that its
    /// result alone need not contain `new`.
    fn widens_to_frontier(&self) -> bool {
        false
    }
}

/// A domain whose elements are unions of boxes: what [`transfer`] needs.
pub trait IntervalDomain: Domain {
    fn is_bottom(&self, element: &Self::Element) -> bool;
    /// All states in which the dimension lies in the interval.
    fn slab(&mut self, dimension: TermId, interval: &Interval) -> Self::Element;
    fn meet(&mut self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    /// The states that differ from one of the element at most in these dimensions.
    fn forget(&mut self, element: &Self::Element, dimensions: &[TermId]) -> Self::Element;
    /// Boxes over the given dimensions that together cover the element.
    fn cubes(&mut self, element: &Self::Element, dimensions: &[TermId]) -> Vec<Cube>;
    /// The dimensions about which something is known.
    fn support(&self, element: &Self::Element) -> Vec<TermId>;
    /// Whether joins are unions, so that it pays to look at cases separately.
    fn is_disjunctive(&self) -> bool;
    /// The element without what a box says anyway: the same within the box, and anything outside of it.
    fn outside_of(&mut self, element: &Self::Element, known: &Cube) -> Self::Element;
    /// The element, or a larger one where it takes too much memory.
    fn compact(&mut self, element: &Self::Element) -> Self::Element {
        element.clone()
    }
}
