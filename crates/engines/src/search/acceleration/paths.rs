//! The paths through a block as steps, one for each case that its operations distinguish.

use super::step::{Part, Step};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Set};
use craig_exec::Site;
use craig_exec::symbolic::{SymbolicPath, SymbolicState};
use craig_program::{CutEdgeId, EdgeId};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Op, TermId, Terms};

/// Paths through one block. There may be others: what is not a step is left to the blocks.
const MAX_PATHS: usize = 24;
/// Questions about the paths of one block.
const MAX_CHECKS: usize = 400;
/// Larger blocks have too many paths.
const MAX_EDGES: usize = 250;

/// Finds steps at one cutpoint.
pub(super) struct Paths<'a> {
    view: &'a InlinedView<'a>,
    solver: NativeSolver,
    checks: usize,
    budget: &'a Budget,
}

impl<'a> Paths<'a> {
    /// The paths from the source of an edge.
    pub fn new(tm: &mut Terms, view: &'a InlinedView<'a>, edge: CutEdgeId, budget: &'a Budget) -> Self {
        let from = view.encoding.cuts.edges[edge].from;
        let mut solver = NativeSolver::default();
        let facts = view.encoding.range_facts(view.program, tm, from);
        solver.assert(tm, facts);
        Paths { view, solver, checks: 0, budget }
    }

    /// The steps along an edge, in the order of its paths.
    pub fn along(&mut self, tm: &mut Terms, edge: CutEdgeId) -> Vec<Step> {
        let InlinedView { program, encoding, .. } = self.view;
        let cut_edge = &encoding.cuts.edges[edge];
        if cut_edge.segment.edges.len() > MAX_EDGES {
            return Vec::new();
        }
        let within: Set<EdgeId> = cut_edge.segment.edges.iter().copied().collect();
        let proc = encoding.proc(program);
        let given = encoding.states[cut_edge.from].iter().map(|constant| (constant.var, constant.current));
        let start = SymbolicPath::from(
            encoding.proc,
            encoding.cuts.location(cut_edge.from),
            SymbolicState::given(program, given),
        );
        let mut steps = Vec::new();
        let mut open = vec![start];
        while let Some(path) = open.pop() {
            if steps.len() >= MAX_PATHS || self.checks >= MAX_CHECKS {
                break;
            }
            let leaving = &proc.locations[path.location].outgoing;
            let leaving: Vec<EdgeId> = leaving.iter().copied().filter(|edge| within.contains(edge)).collect();
            for &next in leaving.iter().rev() {
                let mut path = path.clone();
                let site = Site { proc: encoding.proc, edge: next };
                if path.take(program, tm, site).is_err() || path.approximated {
                    continue;
                }
                let condition: Vec<TermId> =
                    path.condition.iter().map(|constraint| constraint.term).collect();
                if leaving.len() > 1 && !self.is_feasible(tm, &condition) {
                    continue;
                }
                if path.location == encoding.cuts.location(cut_edge.to) {
                    if let Some(step) = self.step(tm, edge, &mut path) {
                        self.split(tm, step, &mut steps);
                    }
                } else {
                    open.push(path);
                }
            }
        }
        steps
    }

    /// Whether a step can be taken at all.
    pub fn is_possible(&mut self, tm: &mut Terms, step: &Step) -> bool {
        self.is_feasible(tm, &step.guard)
    }

    fn is_feasible(&mut self, tm: &mut Terms, condition: &[TermId]) -> bool {
        self.checks += 1;
        self.checks <= MAX_CHECKS && self.solver.check(tm, condition, self.budget) == Answer::Sat
    }

    /// What a path does, if terms can say it.
    fn step(&mut self, tm: &mut Terms, edge: CutEdgeId, path: &mut SymbolicPath) -> Option<Step> {
        let InlinedView { program, encoding, .. } = self.view;
        let cut_edge = &encoding.cuts.edges[edge];
        let mut next = Vec::new();
        for constant in &encoding.states[cut_edge.to] {
            next.push(path.state.component(program, tm, constant.var));
        }
        let facts = path.state.take_facts();
        let guard: Vec<TermId> =
            path.condition.iter().map(|constraint| constraint.term).chain(facts).collect();
        let way: Vec<Part> = path.inputs.iter().map(|&(site, value)| Part::Input(site.edge, value)).collect();
        let roots: Vec<TermId> = guard.iter().chain(&next).copied().collect();
        let state: Set<TermId> =
            encoding.states[cut_edge.from].iter().map(|constant| constant.current).collect();
        let parameters: Vec<TermId> =
            tm.free_consts_of(&roots).into_iter().filter(|constant| !state.contains(constant)).collect();
        // Whatever else a path needs to know of is arbitrary only as far as formulas can tell.
        let inputs: Set<TermId> = path.inputs.iter().filter_map(|&(_, value)| value).collect();
        if !path.results.is_empty() || !parameters.iter().all(|parameter| inputs.contains(parameter)) {
            return None;
        }
        Some(Step { from: cut_edge.from, to: cut_edge.to, guard, next, parameters, way })
    }

    /// Adds a step for each case, with a guard of literals and without choices in terms.
    pub fn split(&mut self, tm: &mut Terms, step: Step, found: &mut Vec<Step>) {
        let mut open = vec![step];
        while let Some(mut step) = open.pop() {
            if found.len() >= MAX_PATHS || !step.flatten(tm) || !self.is_feasible(tm, &step.guard) {
                continue;
            }
            match choice(tm, &step) {
                None => found.push(step),
                Some(cases) => {
                    let cases = cases.into_iter().rev();
                    open.extend(cases.map(|(condition, replaced)| step.under(tm, condition, replaced)));
                }
            }
        }
    }
}

/// A condition, and what may be replaced under it.
type Case = (TermId, Option<(TermId, TermId)>);

/// The cases of the first choice in a step.
fn choice(tm: &mut Terms, step: &Step) -> Option<Vec<Case>> {
    for &literal in &step.guard {
        let (inner, negated) = tm.strip_not(literal);
        let cases: Vec<TermId> = match tm.op(inner) {
            Op::Or => tm.args(inner).to_vec(),
            Op::And => {
                let parts = tm.args(inner).to_vec();
                parts.into_iter().map(|part| tm.not(part)).collect()
            }
            Op::Eq if negated && tm.is_int(tm.arg(inner, 0)) => {
                let (left, right) = (tm.arg(inner, 0), tm.arg(inner, 1));
                vec![tm.lt(left, right), tm.gt(left, right)]
            }
            Op::Eq if tm.is_bool(tm.arg(inner, 0)) => {
                let (left, right) = (tm.arg(inner, 0), tm.arg(inner, 1));
                let right = if negated { tm.not(right) } else { right };
                let (not_left, not_right) = (tm.not(left), tm.not(right));
                vec![tm.and2(left, right), tm.and2(not_left, not_right)]
            }
            Op::Ite => {
                let [condition, then, otherwise] = [0, 1, 2].map(|i| tm.arg(inner, i));
                let not_condition = tm.not(condition);
                let (then, otherwise) =
                    if negated { (tm.not(then), tm.not(otherwise)) } else { (then, otherwise) };
                vec![tm.and2(condition, then), tm.and2(not_condition, otherwise)]
            }
            _ => continue,
        };
        // The literal is one of its cases.
        return Some(cases.into_iter().map(|case| (case, Some((literal, Terms::TRUE)))).collect());
    }
    let roots: Vec<TermId> = step.guard.iter().chain(&step.next).copied().collect();
    let chosen = tm.postorder(&roots).into_iter().find(|&t| tm.op(t) == Op::Ite)?;
    let [condition, then, otherwise] = [0, 1, 2].map(|i| tm.arg(chosen, i));
    let not_condition = tm.not(condition);
    Some(vec![(condition, Some((chosen, then))), (not_condition, Some((chosen, otherwise)))])
}
