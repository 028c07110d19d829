//! The cutpoint graph as the engines on the inlined view use it: copies of its blocks, solvers that
//! know one block each, and paths from models.

use crate::path::{ProgramPath, number};
use craig_base::{Budget, Map};
use craig_program::encode::{BlockEncoding, CutpointEncoding, Instance};
use craig_program::{CutEdgeId, CutId, Inlined, Program, ScalarCell, Simplified, StateVar};
use craig_smt::native::Options;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Op, Substitution, TermId, Terms};

/// A program without calls and its cutpoint graph.
pub struct InlinedView<'a> {
    /// After simplification: this is what formulas speak of.
    pub program: &'a Program,
    /// Before simplification, with the same locations and edges: this is what runs.
    pub original: &'a Program,
    /// The variables of `program` that are memory cells in `original`.
    pub scalars: &'a [ScalarCell],
    pub encoding: &'a CutpointEncoding,
}

impl<'a> InlinedView<'a> {
    pub fn new(inlined: &'a Inlined, simplified: &'a Simplified, encoding: &'a CutpointEncoding) -> Self {
        InlinedView {
            program: &simplified.program,
            original: &inlined.program,
            scalars: &simplified.scalars,
            encoding,
        }
    }
}

pub struct Blocks<'a> {
    pub program: &'a Program,
    pub encoding: &'a CutpointEncoding,
    /// What is known of every state at a cutpoint: the ranges that the blocks rely on.
    facts: Map<CutId, TermId>,
    /// How the solvers of blocks are made.
    pub options: Options,
    solvers: Map<CutEdgeId, NativeSolver>,
    /// For each cutpoint a solver that knows its facts and the labels it was asked about (section 7.3).
    covering: Map<CutId, NativeSolver>,
    /// From the current constants of a cutpoint to its next ones.
    behind: Map<CutId, Substitution>,
}

/// A copy of a block in an unwinding.
pub struct BlockCopy {
    pub edge: CutEdgeId,
    pub instance: Instance,
}

impl<'a> Blocks<'a> {
    pub fn new(tm: &mut Terms, view: &'a InlinedView<'a>) -> Self {
        let InlinedView { program, encoding, .. } = view;
        let facts = encoding
            .cuts
            .cutpoints
            .indices()
            .map(|cut| (cut, encoding.range_facts(program, tm, cut)))
            .collect();
        Blocks {
            program,
            encoding,
            facts,
            options: Options::default(),
            solvers: Map::default(),
            covering: Map::default(),
            behind: Map::default(),
        }
    }

    /// The constants that labels of the cutpoint speak of.
    pub fn state(&self, cut: CutId) -> Vec<TermId> {
        self.encoding.states[cut].iter().map(|constant| constant.current).collect()
    }

    /// What the blocks take for granted at the cutpoint.
    pub fn facts(&self, cut: CutId) -> TermId {
        self.facts[&cut]
    }

    /// Fresh constants for the state at a cutpoint.
    pub fn fresh_state(&self, tm: &mut Terms, cut: CutId) -> Vec<TermId> {
        self.state(cut)
            .into_iter()
            .map(|symbol| {
                let name = tm.const_name(symbol).unwrap_or("x").to_string();
                let sort = tm.sort(symbol);
                tm.fresh_const(&name, sort)
            })
            .collect()
    }

    /// A copy of the block between the given states; from the entry, with the initial condition.
    pub fn copy(
        &self,
        tm: &mut Terms,
        edge: CutEdgeId,
        from: &[TermId],
        to: &[TermId],
    ) -> (TermId, BlockCopy) {
        let (source, target) = self.ends(edge);
        let current = self.assignment(source, from);
        let next = self.assignment(target, to);
        let instance =
            self.encoding.blocks[edge].instantiate(tm, &mut |_, var| current[&var], &mut |_, var| next[&var]);
        let mut formula = instance.formula;
        if source == self.encoding.cuts.entry {
            let pairs = self.state(source).into_iter().zip(from.iter().copied());
            let initial = Substitution::from_pairs(pairs).apply(tm, self.encoding.initial);
            formula = tm.and2(initial, formula);
        }
        (formula, BlockCopy { edge, instance })
    }

    fn ends(&self, edge: CutEdgeId) -> (CutId, CutId) {
        let edge = &self.encoding.cuts.edges[edge];
        (edge.from, edge.to)
    }

    fn assignment(&self, cut: CutId, constants: &[TermId]) -> Map<StateVar, TermId> {
        let vars = self.encoding.states[cut].iter().map(|constant| constant.var);
        vars.zip(constants.iter().copied()).collect()
    }

    /// A formula over the state of the edge's target, about the state after the block.
    pub fn at_target(&mut self, tm: &mut Terms, edge: CutEdgeId, formula: TermId) -> TermId {
        let target = self.encoding.cuts.edges[edge].to;
        let states = &self.encoding.states[target];
        let behind = self.behind.entry(target).or_insert_with(|| {
            Substitution::from_pairs(states.iter().map(|constant| (constant.current, constant.next)))
        });
        behind.apply(tm, formula)
    }

    /// A solver that knows the block, over its own current and next constants.
    pub fn solver(&mut self, tm: &mut Terms, edge: CutEdgeId) -> &mut NativeSolver {
        let (encoding, options) = (self.encoding, self.options);
        self.solvers.entry(edge).or_insert_with(|| {
            let mut solver = NativeSolver::new(options);
            solver.assert(tm, encoding.blocks[edge].formula);
            if encoding.cuts.edges[edge].from == encoding.cuts.entry {
                solver.assert(tm, encoding.initial);
            }
            solver
        })
    }

    /// Whether `label` implies the disjunction of `others` at the cutpoint.
    pub fn implies(
        &mut self,
        tm: &mut Terms,
        cut: CutId,
        label: TermId,
        others: &[TermId],
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let facts = self.facts[&cut];
        let solver = self.covering.entry(cut).or_insert_with(|| {
            let mut solver = NativeSolver::default();
            solver.assert(tm, facts);
            solver
        });
        // What was asked before is translated already, and what was learnt from it stays.
        let mut assumptions = vec![label];
        assumptions.extend(others.iter().map(|&other| tm.not(other)));
        match solver.check(tm, &assumptions, budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// The execution that a model of a sequence of copies describes. `start` are the constants of
    /// the state at the entry.
    pub fn program_path(
        &self,
        tm: &mut Terms,
        copies: &mut [BlockCopy],
        start: &[TermId],
        model: &Model,
    ) -> Option<ProgramPath> {
        let mut path = ProgramPath::default();
        for copy in copies {
            self.extend_path(tm, copy, model, &mut path)?;
        }
        self.begin_path(tm, start, model, &mut path);
        Some(path)
    }

    /// Adds what a model says of one copy to a path.
    pub fn extend_path(
        &self,
        tm: &mut Terms,
        copy: &mut BlockCopy,
        model: &Model,
        path: &mut ProgramPath,
    ) -> Option<()> {
        let proc = self.encoding.proc(self.program);
        let block = &self.encoding.blocks[copy.edge];
        let edges = block.path(proc, |literal| {
            let literal = copy.instance.term(tm, literal);
            tm.eval_bool(literal, model).unwrap_or(false)
        })?;
        for (edge, value) in block.inputs_along(proc, &edges) {
            let value = value.and_then(|value| {
                let value = copy.instance.term(tm, value);
                tm.eval(value, model).ok()
            });
            path.inputs.push((edge, value));
        }
        path.edges.extend(edges);
        for (operation, &result) in &block.results {
            let [a, b] = operation.operands;
            let mut number = |t: TermId| {
                let t = copy.instance.term(tm, t);
                tm.eval(t, model).ok().map(|value| number(&value))
            };
            if let (Some(a), Some(b), Some(result)) = (number(a), number(b), number(result)) {
                path.missed.extend(operation.missed_cases(a, b, result));
            }
        }
        let approximations = block.approximations.iter();
        path.approximations.extend(approximations.filter(|(edge, _)| path.edges.contains(edge)).copied());
        Some(())
    }

    /// Adds the state at the entry, which has these constants, to a path.
    pub fn begin_path(&self, tm: &Terms, start: &[TermId], model: &Model, path: &mut ProgramPath) {
        for (constant, &symbol) in self.encoding.states[self.encoding.cuts.entry].iter().zip(start) {
            if let Ok(value) = tm.eval(symbol, model) {
                path.initial.insert(constant.var, value);
            }
        }
    }
}

/// How often a name stands for something with another name in it.
const MAX_NAMES: usize = 4;

/// A term of a block without names for what was computed before, as far as there is one value for them.
pub fn spelled_out(tm: &mut Terms, block: &BlockEncoding, t: TermId) -> TermId {
    let mut found = t;
    for _ in 0..MAX_NAMES {
        let names = tm.free_consts(found);
        let pairs = names.iter().filter_map(|&name| {
            let mut values = block.definitions.iter().filter(|(_, defined, _)| *defined == name);
            let (_, _, value) = values.next()?;
            values.next().is_none().then_some((name, *value))
        });
        let pairs: Vec<(TermId, TermId)> = pairs.collect();
        if pairs.is_empty() {
            break;
        }
        found = Substitution::from_pairs(pairs).apply(tm, found);
    }
    found
}

/// The parts of a conjunction.
pub fn conjuncts(tm: &Terms, formula: TermId) -> Vec<TermId> {
    match tm.op(formula) {
        Op::True => Vec::new(),
        Op::And => tm.args(formula).to_vec(),
        _ => vec![formula],
    }
}
