//! Engines for Horn clauses on C programs: the inlined view as clauses, and the answer mapped back.
//!
//! A model of the clauses is an annotation of the cutpoints. A derivation is a path through the
//! cutpoint graph; the values of inputs along it come from solving that one path again, since the
//! search may have forgotten what it did not need.

use crate::horn::HornVerdict;
use crate::horn::cells;
use crate::path::ProgramPath;
use crate::search::acceleration::{Step, write_inputs};
use crate::search::pdr;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::{BlockCopy, Blocks, InlinedView};
use craig_base::{Budget, Stats};
use craig_certificate::Invariant;
use craig_chc::{Derivation, Hint, Hints, Interpretation};
use craig_program::horn::{ClauseOrigin, HornProgram, inlined_clauses};
use craig_program::{Cell, CutEdgeId, Program, StateVar};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Int, Model, TermId, Terms};

/// Runs `pdr` on the clauses of a program whose entry procedure has no calls.
pub fn check_with_pdr(
    terms: &mut Terms,
    view: &InlinedView<'_>,
    options: &pdr::Options,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    check_with_steps(terms, view, &[], options, budget, stats)
}

/// The same, for a program that has forgotten its memory: a path through it need not be one of the program.
pub fn check_without_memory(
    terms: &mut Terms,
    view: &InlinedView<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    match check_with_pdr(terms, view, &pdr::Options::default(), budget, stats) {
        Finding::Unsafe(_) => {
            Finding::Unknown(Reason::Memory("the error cannot be excluded without what memory holds"))
        }
        finding => finding,
    }
}

/// The same with steps beside the blocks, that lead nowhere else than these do.
pub fn check_with_steps(
    terms: &mut Terms,
    view: &InlinedView<'_>,
    steps: &[Step],
    options: &pdr::Options,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let mut horn = inlined_clauses(view.program, view.encoding, terms);
    for step in steps {
        let guard = terms.and(&step.guard);
        horn.add_shortcut(terms, (step.from, step.to), guard, &step.next);
    }
    let new_solver = || Box::new(NativeSolver::default()) as Box<dyn Solver>;
    let verdict = pdr::solve(terms, &horn.system, options, &new_solver, budget, stats);
    let blocks = Blocks::new(terms, view);
    match verdict {
        HornVerdict::Unknown(reason) => Finding::Unknown(reason),
        HornVerdict::Sat(model) => Finding::Safe(invariant(terms, view, &blocks, &horn, &model)),
        HornVerdict::Unsat(derivation) => {
            let moves = moves_of(&horn, &derivation);
            match solve_path(terms, &blocks, steps, &moves, budget) {
                Ok(path) => Finding::Unsafe(path),
                Err(reason) => Finding::Unknown(reason),
            }
        }
    }
}

/// Looks for an invariant about every element of arrays, for a program whose entry procedure has no calls.
pub fn check_with_cells(
    terms: &mut Terms,
    view: &InlinedView<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let horn = inlined_clauses(view.program, view.encoding, terms);
    let new_solver = || Box::new(NativeSolver::default()) as Box<dyn Solver>;
    let hints = hints(view.program, &horn);
    match cells::solve(terms, &horn.system, &hints, &new_solver, budget, stats) {
        HornVerdict::Unknown(reason) => Finding::Unknown(reason),
        HornVerdict::Sat(model) => {
            let blocks = Blocks::new(terms, view);
            Finding::Safe(invariant(terms, view, &blocks, &horn, &model))
        }
        HornVerdict::Unsat(_) => Finding::Unknown(Reason::internal("a derivation from single cells")),
    }
}

/// Where the elements of regions are: from the address of a region's only object, in steps of their size.
fn hints(program: &Program, horn: &HornProgram<'_>) -> Hints {
    let mut hints = Hints::default();
    for (id, origin) in horn.predicates.enumerated() {
        for (position, var) in origin.entry.iter().chain(&origin.state).enumerate() {
            let StateVar::Region(region) = *var else { continue };
            let region = &program.regions[region];
            let stride = match region.cell {
                Cell::Scalar(ty) => program.size_of(ty),
                Cell::Bytes => 1,
            };
            let origin = match region.objects[..] {
                [only] if !region.allocated => Some(program.objects[only].address),
                _ => None,
            };
            let origin = origin.map(|address| Int::from(i128::from(address)));
            hints.insert((id, position), Hint { origin, stride: Int::from(i64::from(stride)) });
        }
    }
    hints
}

/// The annotation of cutpoints that a model is.
fn invariant(
    terms: &mut Terms,
    view: &InlinedView<'_>,
    blocks: &Blocks<'_>,
    horn: &HornProgram<'_>,
    model: &Interpretation,
) -> Invariant {
    let mut formulas = horn.invariants(view.program, terms, &model.formulas);
    let cuts = &view.encoding.cuts;
    for cut in cuts.cutpoints.indices() {
        // The blocks rely on the ranges: the formulas are inductive together with them.
        if let Some(formula) = formulas.get_mut(&cuts.location(cut)) {
            *formula = terms.and2(*formula, blocks.facts(cut));
        }
    }
    formulas.shift_remove(&cuts.location(cuts.entry));
    Invariant { formulas, frames: false }
}

/// A step of a derivation.
#[derive(Clone, Copy)]
enum Move {
    Segment(CutEdgeId),
    Shortcut(usize),
}

/// The steps of a derivation from the start of the program to the error.
fn moves_of(horn: &HornProgram<'_>, derivation: &Derivation) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut step = derivation.steps.indices().last();
    while let Some(id) = step {
        match horn.clauses[derivation.steps[id].clause] {
            ClauseOrigin::Segment { edge, .. } => moves.push(Move::Segment(edge)),
            ClauseOrigin::Shortcut(number) => moves.push(Move::Shortcut(number)),
            _ => {}
        }
        step = derivation.steps[id].premises.first().copied();
    }
    moves.reverse();
    moves
}

/// What a move became in the unwinding of a path.
enum Taken {
    Block(BlockCopy),
    Step(Step),
}

/// An execution along the moves.
fn solve_path(
    terms: &mut Terms,
    blocks: &Blocks<'_>,
    steps: &[Step],
    moves: &[Move],
    budget: &Budget,
) -> Result<ProgramPath, Reason> {
    let cuts = &blocks.encoding.cuts;
    let start = blocks.fresh_state(terms, cuts.entry);
    let mut state = start.clone();
    let mut taken = Vec::new();
    let mut solver = NativeSolver::default();
    for &a_move in moves {
        match a_move {
            Move::Segment(edge) => {
                let next = blocks.fresh_state(terms, cuts.edges[edge].to);
                let (formula, copy) = blocks.copy(terms, edge, &state, &next);
                solver.assert(terms, formula);
                taken.push(Taken::Block(copy));
                state = next;
            }
            Move::Shortcut(number) => {
                let step = steps[number].instantiate(terms, blocks.encoding, &state);
                let guard = terms.and(&step.guard);
                solver.assert(terms, guard);
                state.clone_from(&step.next);
                taken.push(Taken::Step(step));
            }
        }
    }
    match solver.check(terms, &[], budget) {
        Answer::Unknown(reason) => Err(Reason::from(reason)),
        Answer::Unsat => Err(Reason::internal("a derivation along an infeasible path")),
        Answer::Sat => {
            let model = solver.model().ok_or_else(|| Reason::internal("no model"))?;
            let path = written(terms, blocks, &mut taken, &start, model);
            path.ok_or_else(|| Reason::internal("a model without a path"))
        }
    }
}

/// The execution that a model of an unwinding describes.
fn written(
    terms: &mut Terms,
    blocks: &Blocks<'_>,
    taken: &mut [Taken],
    start: &[TermId],
    model: &Model,
) -> Option<ProgramPath> {
    let mut path = ProgramPath::default();
    for part in taken {
        match part {
            Taken::Block(copy) => blocks.extend_path(terms, copy, model, &mut path)?,
            Taken::Step(step) => write_inputs(terms, &step.way, model, &mut path)?,
        }
    }
    blocks.begin_path(terms, start, model, &mut path);
    Some(path)
}
