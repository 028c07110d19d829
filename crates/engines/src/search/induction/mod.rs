//! Induction with bits, as a member of the family: [`craig_bits::unwind::induction`] asks whether candidates are
//! inductive and exclude the error, and what it keeps becomes a proof when the checker's own clauses for it are refuted.
//!
//! Candidates are what intervals know of the program, what other members have found, what `houdini` would guess, and
//! guesses about single bits and words ([`guesses`]). All of them are proved again, bit by bit, in the certificate.

mod floats;
mod guesses;

use super::bits::{refutation, stopped};
use super::houdini::Guesses;
use crate::portfolio::sharing::Shared;
use crate::verdict::Reason;
use crate::verify::{Proof, Verdict};
use crate::view::blocks::InlinedView;
use crate::view::{Prepared, Sight};
use craig_base::{Budget, Map, OrderedMap, OrderedSet, Stats, Stopwatch};
use craig_bits::unwind::induction::{Candidates, Induced, open_loops, prove};
use craig_bits::unwind::relations::Equation;
use craig_bits::unwind::{Reached, Unsupported};
use craig_certificate::{Bounds, Induction, Invariant, Obligation};
use craig_program::encode::StateNames;
use craig_program::{Arithmetic, Granularity, Inlined, LocId, Program, StateVar, Wto};
use craig_term::{Op, TermId, Terms};
use std::sync::Arc;

/// How many iterations in a row are looked at, and whether relations between bits are looked for, which takes longer.
const ROUNDS: [(u32, bool); 5] = [(1, false), (1, true), (2, false), (2, true), (3, false)];

/// That more iterations are needed is seldom due to a guess that holds only then, but to what takes its time to settle, as where
/// messages go round: what is known to hold already is enough, and little. Too few iterations are soon found to be too few.
const DEEPER: [u32; 10] = [4, 6, 8, 10, 12, 14, 16, 20, 24, 32];

/// After the rounds with one iteration, deeper ones have so many conflicts; they go on when the others are done. Before relations
/// between bits are known, they would only be lost in sums of bits.
const FEW_CONFLICTS: u64 = 30_000;
const FIRST_ROUNDS: usize = 2;

pub fn check(prepared: &Prepared<'_>, shared: &Shared, budget: &Budget, stats: &mut Stats) -> Verdict {
    search(prepared, shared, budget, stats).unwrap_or_else(Verdict::Unknown)
}

fn search(
    prepared: &Prepared<'_>,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Verdict, Reason> {
    let inlined = prepared.inlined()?;
    let program = &inlined.program;
    if program.arithmetic == Arithmetic::Ideal {
        return Err(Reason::NotUnwound("unbounded integers have no bits".to_string()));
    }
    let simplified = prepared.simplified(Sight::LoopsThatMatter, budget)?;
    let encoded = prepared.graph(Sight::LoopsThatMatter, Granularity::Loops, budget)?;
    let mut terms = encoded.terms.clone();
    let view = InlinedView::new(&inlined, &simplified, &encoded.code);
    let open = open_loops(program, budget).map_err(stopped)?;
    let mut found: OrderedMap<LocId, OrderedSet<TermId>> = OrderedMap::default();
    let mut columns: OrderedMap<LocId, Vec<TermId>> = OrderedMap::default();
    let Guesses { constants, states, guesses } = Guesses::new(&mut terms, &view, budget);
    let cuts = &view.encoding.cuts;
    for cut in cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry && cut != cuts.error) {
        let words = guesses::about_words(&mut terms, &view, cut, &states[cut], &constants);
        let all = guesses[cut].iter().copied().chain(words);
        found.entry(cuts.location(cut)).or_default().extend(all);
        columns.insert(cuts.location(cut), guesses::columns(&mut terms, &view, cut));
    }
    for (location, formula) in shared.take(&mut terms).unwrap_or_default().formulas {
        let all = conjuncts(&terms, formula);
        found.entry(location).or_default().extend(all);
    }
    for (location, of_floats) in floats::candidates(&mut terms, &simplified.program, budget)? {
        found.entry(location).or_default().extend(of_floats);
    }
    let mut back = simplified.cells(&mut terms);
    for formulas in found.values_mut() {
        *formulas = formulas.iter().map(|&formula| back.apply(&mut terms, formula)).collect();
    }
    for column in columns.values_mut().flatten() {
        *column = back.apply(&mut terms, *column);
    }
    for (location, ranges) in simplified.invariants(&mut terms, &OrderedMap::default()) {
        let all = conjuncts(&terms, ranges);
        found.entry(location).or_default().extend(all);
    }
    let components = components(&mut terms, program);
    let proc = inlined.proc();
    let heads: OrderedSet<LocId> =
        Wto::new(&proc.graph(), proc.entry).components.iter().map(|component| component.head).collect();
    // A loop that runs through without a decision is better unwound, if it still does so from any state.
    let cuts = if open.len() == heads.len() { vec![heads] } else { vec![open, heads] };
    let cuts = cuts.into_iter().map(|heads| Cut { heads, holding: OrderedMap::default(), deeper: 0 });
    let mut search =
        Search { program, terms, components, found, columns, cuts: cuts.collect(), budget, stats };
    match search.proof()? {
        Some(induction) => certify(search.terms, inlined.clone(), induction, budget, search.stats),
        None => Err(Reason::NoCandidate),
    }
}

/// Loops that are cut together.
struct Cut {
    heads: OrderedSet<LocId>,
    /// What the last round has left of the candidates.
    holding: OrderedMap<LocId, Vec<TermId>>,
    /// How many of [`DEEPER`] are known to be too few.
    deeper: usize,
}

struct Search<'a> {
    program: &'a Program,
    terms: Terms,
    components: Map<TermId, StateVar>,
    found: OrderedMap<LocId, OrderedSet<TermId>>,
    columns: OrderedMap<LocId, Vec<TermId>>,
    cuts: Vec<Cut>,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

impl Search<'_> {
    fn proof(&mut self) -> Result<Option<Induction>, Reason> {
        for (number, (depth, related)) in ROUNDS.into_iter().enumerate() {
            for cut in 0..self.cuts.len() {
                if let Some(proof) = self.round(cut, depth, related)? {
                    return Ok(Some(proof));
                }
            }
            let deeper = if number + 1 == FIRST_ROUNDS { self.deeper(Some(FEW_CONFLICTS))? } else { None };
            if deeper.is_some() {
                return Ok(deeper);
            }
        }
        self.deeper(None)
    }

    /// With all candidates. Relations that are found are candidates.
    fn round(&mut self, cut: usize, depth: u32, related: bool) -> Result<Option<Induction>, Reason> {
        let mut columns = if related { self.columns.clone() } else { OrderedMap::default() };
        loop {
            let list = |head: &LocId| self.found.get(head).into_iter().flatten().copied().collect();
            let all = self.cuts[cut].heads.iter().map(|head| (*head, list(head))).collect();
            match self.prove(all, columns.clone(), depth, None).map_err(stopped)? {
                Induced::Safe(kept, reached) => {
                    return Ok(Some(claim(&mut self.terms, depth, kept, reached)));
                }
                Induced::Open(kept, relations) if relations.is_empty() => {
                    self.cuts[cut].holding = kept;
                    return Ok(None);
                }
                Induced::Open(_, relations) => {
                    let columns = std::mem::take(&mut columns);
                    for (head, equations) in relations {
                        let sums =
                            equations.iter().map(|equation| sum(&mut self.terms, &columns[&head], equation));
                        let sums: Vec<TermId> = sums.collect();
                        self.found.entry(head).or_default().extend(sums);
                    }
                }
                Induced::Undecided => return Ok(None),
            }
        }
    }

    /// With more and more iterations, and what holds.
    fn deeper(&mut self, conflicts: Option<u64>) -> Result<Option<Induction>, Reason> {
        for cut in 0..self.cuts.len() {
            while let Some(&depth) = DEEPER.get(self.cuts[cut].deeper) {
                let holding = self.cuts[cut].holding.clone();
                match self.prove(holding, OrderedMap::default(), depth, conflicts) {
                    Ok(Induced::Safe(kept, reached)) => {
                        return Ok(Some(claim(&mut self.terms, depth, kept, reached)));
                    }
                    Ok(Induced::Open(..)) => self.cuts[cut].deeper += 1,
                    Ok(Induced::Undecided) => break,
                    Err(why @ Unsupported::Stopped(_)) => return Err(stopped(why)),
                    // Too large, and more so if deeper.
                    Err(_) => self.cuts[cut].deeper = DEEPER.len(),
                }
            }
        }
        Ok(None)
    }

    fn prove(
        &mut self,
        at: OrderedMap<LocId, Vec<TermId>>,
        columns: OrderedMap<LocId, Vec<TermId>>,
        depth: u32,
        conflicts: Option<u64>,
    ) -> Result<Induced, Unsupported> {
        self.stats.max("depth", u64::from(depth));
        self.stats.max("candidates", at.values().map(Vec::len).sum::<usize>() as u64);
        let components = self.components.clone();
        let candidates = Candidates { at, columns, components };
        prove(self.program, &self.terms, &candidates, depth, conflicts, self.budget, self.stats)
    }
}

/// What is to be certified.
fn claim(terms: &mut Terms, depth: u32, kept: OrderedMap<LocId, Vec<TermId>>, reached: Reached) -> Induction {
    let formulas = kept.into_iter().map(|(head, kept)| (head, terms.and(&kept))).collect();
    let bounds = Bounds {
        loops: reached.iterations,
        calls: reached.depths,
        object: reached.largest,
        never: reached.never,
    };
    Induction { depth, invariant: Invariant { formulas, frames: false }, bounds, refutation: String::new() }
}

/// That the sum of truth values, modulo 2, is as the equation says.
fn sum(terms: &mut Terms, columns: &[TermId], (summands, sum): &Equation) -> TermId {
    let odd = summands.iter().fold(Terms::FALSE, |odd, &summand| terms.xor(odd, columns[summand]));
    if *sum { odd } else { terms.not(odd) }
}

fn certify(
    mut terms: Terms,
    inlined: Arc<Inlined>,
    mut induction: Induction,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Verdict, Reason> {
    let watch = Stopwatch::start();
    let obligation = Obligation::of_induction(&mut terms, &inlined.program, &induction, budget);
    induction.refutation = refutation(obligation, budget)?;
    stats.add_time("time in certification", watch.elapsed());
    Ok(Verdict::Safe(Box::new(Proof::Induction { terms, inlined, induction })))
}

fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        Op::True => Vec::new(),
        _ => vec![formula],
    }
}

/// What the constants of formulas stand for, floats included.
fn components(terms: &mut Terms, program: &Program) -> Map<TermId, StateVar> {
    let mut names = StateNames::default();
    let vars = program.vars.indices().map(StateVar::Var);
    let all = vars.chain(program.regions.indices().map(StateVar::Region));
    all.map(|component| (names.current(program, terms, component), component)).collect()
}
