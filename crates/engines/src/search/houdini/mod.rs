//! Houdini: of many guessed conjuncts, the largest set that is inductive.
//!
//! C. Flanagan, K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001, on the cutpoint graph. Bounds
//! of objects whose size is an input need invariants that relate three or four variables (`start + 4 * n <= end`) under
//! a condition (the tracked object is this one). Interpolants find them by luck; as guesses they are few.
//!
//! | paper | here |
//! |---|---|
//! | candidate annotations | [`guesses`], [`relations`] from data, [`objects`] about every allocated object, [`ranges`] about every element of arrays |
//! | refute until nothing changes | `search`: a model of a block refutes candidates; [`goal`]: only where a proof needs them |
//! | the annotations that remain | those that the proof needs |
//!
//! Departures: what a state of a run contradicts ([`samples`], and [`jumps`] for loops that count far) is no candidate.
//! A model refutes all candidates that are false in it at once; then weaker ones take their place. What holds for all
//! objects is used for those that a block accesses, as models ask for it. Where a model gives wrong values to products,
//! the solver is told more about them (`craig_smt::products`); a guess of which it cannot tell whether it holds is dropped. Of the
//! candidates that remain only what excludes the error, and what makes that inductive, becomes the proof.

use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use clauses::Breadth;
use craig_base::{Budget, IndexVec, Map, OrderedSet, Stats};
use craig_num::Int;
use craig_program::CutId;
use craig_program::encode::BlockEncoding;
use craig_term::{Op, TermId, Terms};
use elements::Elements;
pub(super) use elements::{within_types, without_wrap};
use guesses::Words;
use layout::Layout;
use objects::Objects;
use properties::{Properties, Sources, Width};
use ranges::Ranges;
use relations::Relations;
use samples::Plan;
use search::{Quantified, prove, search};

mod clauses;
mod comparisons;
mod elements;
mod equalities;
mod goal;
mod guesses;
mod jumps;
mod layout;
mod objects;
mod pairs;
mod properties;
mod ranges;
mod relations;
pub(super) mod samples;
mod search;

/// Programs with more loops need more than guesses.
const MAX_CUTPOINTS: usize = 30;
/// The degree of polynomials that are guessed to be equal.
const MAX_DEGREE: usize = 4;

/// Searches a program whose entry procedure has no calls.
pub fn check(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget, stats: &mut Stats) -> Finding {
    if view.encoding.cuts.cutpoints.len() > MAX_CUTPOINTS {
        return Finding::Unknown(Reason::NoCandidate);
    }
    let layout = Layout::new(tm, view);
    let words = Words::of(tm, view.encoding);
    let states = samples::collect(view, &layout.fields, Plan::ALL, budget);
    let mut guessed = guesses::candidates(tm, view, &words, budget);
    let retain = |tm: &Terms, guessed: &mut Conjuncts| {
        for cut in states.indices() {
            samples::retain(tm, view.program, &view.encoding.states[cut], &states[cut], &mut guessed[cut]);
        }
    };
    if let Some(objects) = Objects::new(tm, view, layout, &states) {
        let mut of_use = IndexVec::new();
        for (cut, guesses) in guessed.enumerated() {
            of_use.push(objects.of_use(tm, view, cut, guesses));
        }
        retain(tm, &mut of_use);
        for breadth in [Breadth::Two, Breadth::Exceptions, Breadth::Three, Breadth::Counted] {
            let found = meet(tm, view, &objects, &of_use, &states, breadth, budget, stats);
            if !is_open(&found) {
                return found;
            }
        }
    }
    retain(tm, &mut guessed);
    let candidates = guessed.iter().cloned().map(Candidates::from).collect();
    let found = prove(tm, view, candidates, Quantified::nothing(view), budget, stats);
    if !is_open(&found) {
        return found;
    }
    relate(tm, view, &words, &guessed, budget, stats)
}

/// Searches with guesses about every allocated object.
#[expect(clippy::too_many_arguments, reason = "what is guessed, and of what")]
fn meet(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    objects: &Objects,
    of_use: &Conjuncts,
    states: &IndexVec<CutId, Vec<samples::State>>,
    breadth: Breadth,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let cuts = &view.encoding.cuts;
    let mut candidates: IndexVec<CutId, Candidates> = IndexVec::new();
    for cut in cuts.cutpoints.indices() {
        candidates.push(if cut == cuts.entry || cut == cuts.error {
            Candidates::default()
        } else {
            let mut found = objects.guesses(tm, view, cut, &states[cut], breadth);
            found.strongest.extend(&of_use[cut]);
            found
        });
    }
    let places = |tm: &mut Terms, block: &BlockEncoding| objects.places(tm, view, block);
    let accessed = |tm: &mut Terms, block: &BlockEncoding| objects.accessed(tm, view, block);
    let quantified = Quantified::new(tm, view, vec![objects.object], places).of_accesses(tm, view, accessed);
    prove(tm, view, candidates, quantified, budget, stats)
}

/// Searches with guesses about every element of arrays, ever more of them.
fn generalise(
    tm: &mut Terms,
    sources: &Sources<'_>,
    of_scalars: &Conjuncts,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let Sources { view, elements, .. } = *sources;
    let cuts = &view.encoding.cuts;
    for width in [Width::Narrow, Width::Wide, Width::Pairs] {
        let properties = Properties::new(tm, sources, width);
        let ranges = Ranges::new(tm, sources, width);
        let mut candidates: IndexVec<CutId, Candidates> = IndexVec::new();
        for cut in cuts.cutpoints.indices() {
            let mut all: OrderedSet<TermId> = of_scalars[cut].iter().copied().collect();
            if cut != cuts.entry && cut != cuts.error {
                all.extend(ranges.guesses(tm, view, elements.numbers, &properties, cut));
            }
            candidates.push(all.into_iter().collect::<Vec<_>>().into());
        }
        let count = if width == Width::Pairs { 2 } else { 1 };
        let places = |tm: &mut Terms, block: &BlockEncoding| elements.places(tm, block.formula);
        let quantified = Quantified::new(tm, view, elements.numbers[..count].to_vec(), places);
        let found = prove(tm, view, candidates, quantified, budget, stats);
        if !is_open(&found) {
            return found;
        }
    }
    Finding::Unknown(Reason::NoCandidate)
}

/// What can be guessed without asking the solver.
pub(super) struct Guesses {
    /// Numbers of the program.
    pub constants: OrderedSet<Int>,
    pub states: IndexVec<CutId, Vec<samples::State>>,
    /// What no state contradicts.
    pub guesses: IndexVec<CutId, Vec<TermId>>,
}

impl Guesses {
    pub fn new(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget) -> Self {
        let words = Words::of(tm, view.encoding);
        let states = samples::collect(view, &[], Plan::ALL, budget);
        let mut guesses = guesses::candidates(tm, view, &words, budget);
        for cut in states.indices() {
            samples::retain(tm, view.program, &view.encoding.states[cut], &states[cut], &mut guesses[cut]);
        }
        Guesses { constants: words.constants, states, guesses }
    }
}

/// Searches with guesses that data suggest. What holds of sums is known when products are guessed: these are easy in
/// equalities, and make everything else hard.
fn relate(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    words: &Words,
    guessed: &Conjuncts,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let mut states = samples::collect(view, &[], Plan::SPARSE, budget);
    jumps::extend(tm, view, words, &mut states, budget);
    let mut holding: Conjuncts = IndexVec::from_elem(Vec::new(), states.len());
    for degree in 1..=MAX_DEGREE {
        let mut relations = IndexVec::new();
        let mut candidates = IndexVec::new();
        // What is guessed of scalars, and may need what holds of elements.
        let mut of_scalars: Conjuncts = IndexVec::new();
        let cuts = &view.encoding.cuts;
        for cut in states.indices() {
            // Of the entry and the error nothing is guessed.
            let states = if cut == cuts.entry || cut == cuts.error { &[][..] } else { &states[cut] };
            let related = Relations::new(tm, view, cut, words, states, degree);
            let mut all = if degree == 1 {
                let mut all = related.candidates(tm, words);
                all.strongest.extend(&guessed[cut]);
                all
            } else {
                related.equal(tm)
            };
            samples::retain(tm, view.program, &view.encoding.states[cut], states, &mut all.strongest);
            all.strongest.extend(&holding[cut]);
            relations.push(related);
            let equal = all.strongest.iter().filter(|guess| is_equality(tm, **guess));
            of_scalars.push(guessed[cut].iter().chain(equal).copied().collect());
            candidates.push(all);
        }
        let (found, left) = search(tm, view, candidates, relations, budget, stats);
        if !is_open(&found) {
            return found;
        }
        holding = left;
        if degree == 1
            && let Some(elements) = Elements::new(tm, view, &words.moving)
        {
            for cut in holding.indices() {
                of_scalars[cut].extend(&holding[cut]);
            }
            let sources = Sources {
                view,
                elements: &elements,
                comparisons: comparisons::of_blocks(tm, view),
                equal: holding.iter().flatten().copied().filter(|&t| is_equality(tm, t)).collect(),
                moving: &words.moving,
            };
            let found = generalise(tm, &sources, &of_scalars, budget, stats);
            if !is_open(&found) {
                return found;
            }
        }
    }
    Finding::Unknown(Reason::NoCandidate)
}

/// Whether a formula says that two numbers are equal.
fn is_equality(tm: &Terms, t: TermId) -> bool {
    tm.op(t) == Op::Eq && tm.is_int(tm.arg(t, 0))
}

/// Whether other candidates may do.
fn is_open(finding: &Finding) -> bool {
    matches!(finding, Finding::Unknown(Reason::NoCandidate | Reason::Solver(_)))
}

/// What is guessed at each cutpoint.
type Conjuncts = IndexVec<CutId, Vec<TermId>>;

/// Guesses at a cutpoint. Some are there only in case that a stronger one does not hold.
#[derive(Clone, Default)]
pub(super) struct Candidates {
    strongest: Vec<TermId>,
    /// What to try once a guess is refuted.
    weaker: Map<TermId, Vec<TermId>>,
}

impl From<Vec<TermId>> for Candidates {
    fn from(strongest: Vec<TermId>) -> Self {
        Candidates { strongest, weaker: Map::default() }
    }
}
