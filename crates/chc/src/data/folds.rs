//! What a model says about data: functions by recursion over constructors.
//!
//! A predicate over data is interpreted by a formula over values of such functions, as `x` is even by the state that an
//! automaton reaches on `x`, or sorted lists by their lengths. Functions by recursion exist and are unique, whatever
//! their cases say, so a model may define as many as it wants.

use craig_term::{FunId, Substitution, TermId, Terms};

/// A function of the elements of one data type.
#[derive(Clone, Debug)]
pub struct Fold {
    pub symbol: FunId,
    /// One for each constructor, in their order.
    pub cases: Vec<Case>,
}

/// The value of a fold for one constructor.
#[derive(Clone, Debug)]
pub struct Case {
    /// The arguments of the constructor, as constants that occur here only.
    pub parameters: Vec<TermId>,
    /// Over these, if they are no data, and over folds of them.
    pub body: TermId,
}

impl Case {
    pub fn instantiate(&self, terms: &mut Terms, args: &[TermId]) -> TermId {
        let pairs = self.parameters.iter().copied().zip(args.iter().copied());
        Substitution::from_pairs(pairs).apply(terms, self.body)
    }
}

/// What holds for any elements that are different from each other; with one parameter, for every element.
#[derive(Clone, Debug)]
pub struct Fact {
    /// One or two constants of one data type.
    pub parameters: Vec<TermId>,
    pub formula: TermId,
}

impl Fact {
    pub fn instantiate(&self, terms: &mut Terms, args: &[TermId]) -> TermId {
        let pairs = self.parameters.iter().copied().zip(args.iter().copied());
        Substitution::from_pairs(pairs).apply(terms, self.formula)
    }
}

/// The folds that the formulas of a model mention, and what it needs to know about them.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    pub functions: Vec<Fold>,
    /// To be proved by induction.
    pub facts: Vec<Fact>,
}
