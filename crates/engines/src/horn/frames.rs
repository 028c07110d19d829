//! Lemmas of each predicate, each with the highest level at which it is known to hold.

use craig_base::IndexVec;
use craig_chc::PredicateId;
use craig_term::TermId;

#[derive(Clone, Debug)]
pub struct Lemma {
    /// The lemma is the negation of these literals' conjunction.
    cube: Vec<TermId>,
    formula: TermId,
    /// `None`: at every level.
    level: Option<usize>,
}

pub struct Frames {
    lemmas: IndexVec<PredicateId, Vec<Lemma>>,
}

impl Frames {
    pub fn new(predicates: usize) -> Self {
        Frames { lemmas: IndexVec::from_elem(Vec::new(), predicates) }
    }

    /// Adds a lemma; those that it implies, at the same levels, are forgotten.
    pub fn add(&mut self, predicate: PredicateId, cube: Vec<TermId>, formula: TermId, level: Option<usize>) {
        let higher =
            |other: Option<usize>| level.is_none_or(|level| other.is_some_and(|other| other <= level));
        self.lemmas[predicate].retain(|lemma| {
            let implied = || cube.iter().all(|literal| lemma.cube.contains(literal));
            !(higher(lemma.level) && implied())
        });
        self.lemmas[predicate].push(Lemma { cube, formula, level });
    }

    /// The indices of the lemmas with exactly this level.
    pub fn at_level(&self, predicate: PredicateId, level: usize) -> Vec<usize> {
        let lemmas = self.lemmas[predicate].iter().enumerate();
        lemmas.filter(|(_, lemma)| lemma.level == Some(level)).map(|(index, _)| index).collect()
    }

    pub fn cube(&self, predicate: PredicateId, lemma: usize) -> &[TermId] {
        &self.lemmas[predicate][lemma].cube
    }

    pub fn raise(&mut self, predicate: PredicateId, lemma: usize, level: Option<usize>) -> TermId {
        let lemma = &mut self.lemmas[predicate][lemma];
        lemma.level = level;
        lemma.formula
    }

    /// What holds at a level; level 0 alone is `false`.
    pub fn formulas(&self, predicate: PredicateId, level: usize) -> Vec<TermId> {
        let holds = |lemma: &&Lemma| lemma.level.is_none_or(|at| at >= level);
        self.lemmas[predicate].iter().filter(holds).map(|lemma| lemma.formula).collect()
    }
}
