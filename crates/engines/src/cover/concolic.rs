//! Goals that only runs can reach: concolic search, as in DART and its successors.
//!
//! Where formulas have no exact meaning (floating point, products of inputs) or the program cannot be
//! inlined, the search with annotations gives goals up. Here a run is followed with terms beside its
//! values, one of its branches is turned around, and the solver's inputs for that are run. Operations
//! without exact terms have the results that they have had: an unsound concretisation, which is harmless,
//! since every test is run before it counts, and nothing is proved this way.

use super::Covering;
use craig_base::{Budget, Map, Stats};
use craig_exec::symbolic::{ConstraintKind, SymbolicExecutable, SymbolicRun};
use craig_exec::{Detail, InputSite, Limits, NoObserver, Site};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, TermId, Terms, Value};
use std::collections::VecDeque;

/// How often a branch is turned around, wherever it is met.
const TURNS: u32 = 16;
/// Longer runs have formulas that take too long to solve.
const STEPS: u64 = 20_000;

/// Inputs whose run is to be looked at, from the constraint with this number on.
struct Seed {
    inputs: Vec<i128>,
    from: usize,
}

impl Covering<'_> {
    /// Turns branches of runs around until nothing is open, or the time is over.
    pub(super) fn explore(&mut self, budget: &Budget, stats: &mut Stats) {
        let executable = SymbolicExecutable::new(self.program, Detail::Outcome);
        let tests = self.report.tests.iter().map(|test| Seed { inputs: test.values(), from: 0 });
        let mut waiting: VecDeque<Seed> = tests.collect();
        waiting.push_front(Seed { inputs: Vec::new(), from: 0 });
        let mut turns: Map<Site, u32> = Map::default();
        while let Some(seed) = waiting.pop_front() {
            let mut terms = Terms::new();
            let limits = Limits { steps: STEPS, budget: budget.clone(), ..Limits::default() };
            let mut left = seed.inputs.iter().copied();
            let mut oracle = |_: &InputSite| Some(left.next().unwrap_or(0));
            let run = executable.run(&mut terms, &mut oracle, &limits, &mut NoObserver);
            stats.add("concolic runs", 1);
            let mut solver = NativeSolver::default();
            for (position, constraint) in run.condition.iter().enumerate() {
                if budget.check().is_err() || self.open_goals().next().is_none() {
                    return;
                }
                let turned = turns.entry(constraint.site).or_default();
                let is_branch = constraint.kind == ConstraintKind::Branch;
                if is_branch && position >= seed.from && *turned < TURNS {
                    *turned += 1;
                    let other = terms.not(constraint.term);
                    if let Some(model) = solve(&mut terms, &mut solver, other, budget) {
                        let inputs = inputs_of(&terms, &run, &model);
                        let found = !self.try_inputs(&inputs).is_empty();
                        let seed = Seed { inputs, from: position + 1 };
                        if found {
                            waiting.push_front(seed);
                        } else {
                            waiting.push_back(seed);
                        }
                    }
                }
                solver.assert(&mut terms, constraint.term);
            }
        }
    }
}

fn solve(terms: &mut Terms, solver: &mut NativeSolver, formula: TermId, budget: &Budget) -> Option<Model> {
    match solver.check(terms, &[formula], budget) {
        Answer::Sat => solver.model().cloned(),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// The inputs of the run, with what the model says of them.
fn inputs_of(terms: &Terms, run: &SymbolicRun, model: &Model) -> Vec<i128> {
    let symbols = run.symbols.iter().copied().chain(std::iter::repeat(None));
    let value =
        |(input, symbol): (&craig_exec::Input, Option<TermId>)| match terms.eval(symbol?, model).ok()? {
            Value::Bool(value) => Some(i128::from(value)),
            Value::Int(value) => value.to_i128(),
            _ => Some(input.value),
        };
    let inputs = run.run.inputs.iter().zip(symbols);
    inputs.map(|(input, symbol)| value((input, symbol)).unwrap_or(input.value)).collect()
}
