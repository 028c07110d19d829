//! Lemmas of each predicate, each with the highest level at which it is known to hold; or, where levels are no
//! chain, with the one level at which it counts.

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
    /// What holds at a level counts below it as well.
    chain: bool,
}

impl Frames {
    pub fn new(predicates: usize, chain: bool) -> Self {
        Frames { lemmas: IndexVec::from_elem(Vec::new(), predicates), chain }
    }

    /// Adds a lemma; those that it implies, at the same levels, are forgotten.
    pub fn add(&mut self, predicate: PredicateId, cube: Vec<TermId>, formula: TermId, level: Option<usize>) {
        let chain = self.chain;
        let higher = |other: Option<usize>| {
            let covered = |level: usize, other: usize| if chain { other <= level } else { other == level };
            level.is_none_or(|level| other.is_some_and(|other| covered(level, other)))
        };
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

    /// Gives a lemma a higher level; where levels are no chain, it keeps the one that it has, too. Nothing if it
    /// was there already.
    pub fn raise(&mut self, predicate: PredicateId, lemma: usize, level: Option<usize>) -> Option<TermId> {
        let lemmas = &mut self.lemmas[predicate];
        let formula = lemmas[lemma].formula;
        if self.chain || level.is_none() {
            lemmas[lemma].level = level;
        } else if lemmas.iter().any(|other| other.formula == formula && other.level == level) {
            return None;
        } else {
            let cube = lemmas[lemma].cube.clone();
            lemmas.push(Lemma { cube, formula, level });
        }
        Some(formula)
    }

    /// What holds at a level; level 0 alone is `false`.
    pub fn formulas(&self, predicate: PredicateId, level: usize) -> Vec<TermId> {
        let counts = |at: usize| if self.chain { at >= level } else { at == level };
        let holds = |lemma: &&Lemma| lemma.level.is_none_or(counts);
        self.lemmas[predicate].iter().filter(holds).map(|lemma| lemma.formula).collect()
    }

    /// The lemmas of all levels but level 0.
    pub fn all(&self, predicate: PredicateId) -> Vec<TermId> {
        let holds = |lemma: &&Lemma| lemma.level != Some(0);
        self.lemmas[predicate].iter().filter(holds).map(|lemma| lemma.formula).collect()
    }
}
