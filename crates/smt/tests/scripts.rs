//! The scripts in `scripts/`: each answer against the `:status` before it, models, cores and proofs,
//! and all interpolants that a script asks for or whose `:shape` it names.

use craig_base::{Budget, OrderedMap};
use craig_smt::interpolate::{
    Dag, DagEdge, DagInterpolation, Interpolation, Method, Options, StateTransition, Strength, dag, sequence,
    state_transition, tree,
};
use craig_smt::native::Options as SolverOptions;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::smtlib::{Command, CommandInput, Partition, Reader};
use craig_term::{TermId, Terms};
use std::path::Path;

#[derive(Default)]
struct Script {
    terms: Terms,
    levels: Vec<Vec<(TermId, Option<String>)>>,
    status: Option<String>,
    shape: Option<String>,
}

const STRENGTHS: [Strength; 3] = [Strength::McMillan, Strength::Pudlak, Strength::Dual];

#[test]
fn all_scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(files.len() > 10);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        for proofs in [false, true] {
            Script { levels: vec![Vec::new()], ..Script::default() }.run(&name, &text, proofs);
        }
    }
}

impl Script {
    fn run(&mut self, name: &str, text: &str, proofs: bool) {
        let mut input = CommandInput::new(text.as_bytes());
        let mut reader = Reader::new();
        let mut solver = NativeSolver::new(SolverOptions { proofs, ..SolverOptions::default() });
        while let Some(tree) = input.next_command().expect("bytes") {
            let tree = tree.unwrap_or_else(|error| panic!("{name}: {error}"));
            let command =
                reader.command(&mut self.terms, &tree).unwrap_or_else(|error| panic!("{name}: {error}"));
            match command {
                Command::SetInfo { keyword, value } if keyword == ":status" => self.status = Some(value),
                Command::SetInfo { keyword, value } if keyword == ":shape" => self.shape = Some(value),
                Command::Assert { term, name, .. } => {
                    solver.assert(&mut self.terms, term);
                    self.levels.last_mut().expect("a level").push((term, name));
                }
                Command::Push(count) => (0..count).for_each(|_| {
                    solver.push();
                    self.levels.push(Vec::new());
                }),
                Command::Pop(count) => (0..count).for_each(|_| {
                    solver.pop();
                    self.levels.pop();
                }),
                Command::CheckSat => self.check(name, &mut solver, &[]),
                Command::CheckSatAssuming(assumptions) => self.check(name, &mut solver, &assumptions),
                Command::GetInterpolants(partition) => self.interpolants(name, &partition),
                _ => {}
            }
        }
    }

    fn asserted(&self) -> Vec<TermId> {
        self.levels.iter().flatten().map(|(term, _)| *term).collect()
    }

    fn check(&mut self, name: &str, solver: &mut NativeSolver, assumptions: &[TermId]) {
        let answer = solver.check(&mut self.terms, assumptions, &Budget::unlimited());
        let text = match &answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => panic!("{name}: {reason}"),
        };
        assert_eq!(Some(text), self.status.as_deref(), "{name}");
        if let Some(model) = solver.model() {
            for t in self.asserted().into_iter().chain(assumptions.iter().copied()) {
                assert_eq!(self.terms.eval_bool(t, model), Ok(true), "{name}");
            }
        }
        if let Some(root) = solver.refutation() {
            let refutation = Refutation::extract(solver.proof(), root).expect("a whole proof");
            assert_eq!(check(&mut self.terms, solver, &refutation), Ok(()), "{name}");
        }
        match self.shape.as_deref() {
            Some("state-transition") => self.state_transition(name),
            Some("dag") => self.dag(name),
            Some(other) => panic!("{name}: unknown shape {other}"),
            None => {}
        }
    }

    fn implies(&mut self, name: &str, facts: &[TermId], conclusion: TermId) {
        let mut solver = NativeSolver::default();
        let negation = self.terms.not(conclusion);
        for &fact in facts.iter().chain([&negation]) {
            solver.assert(&mut self.terms, fact);
        }
        let answer = solver.check(&mut self.terms, &[], &Budget::unlimited());
        assert_eq!(answer, Answer::Unsat, "{name}: {}", self.terms.to_smtlib(conclusion));
    }

    fn interpolants(&mut self, name: &str, partition: &Partition) {
        let by_name: OrderedMap<String, TermId> =
            self.levels.iter().flatten().filter_map(|(term, name)| Some((name.clone()?, *term))).collect();
        let part = |terms: &mut Terms, names: &[String]| {
            let formulas: Vec<TermId> = names.iter().map(|name| by_name[name]).collect();
            terms.and(&formulas)
        };
        let parts: Vec<TermId> = partition.parts.iter().map(|names| part(&mut self.terms, names)).collect();
        let parents: Vec<usize> = (0..parts.len() - 1).filter_map(|part| partition.parent(part)).collect();
        for strength in STRENGTHS {
            let options = Options { strength, ..Options::default() };
            let budget = Budget::unlimited();
            let found = if partition.is_sequence() {
                sequence(&mut self.terms, &parts, &options, &budget)
            } else {
                tree(&mut self.terms, &parts, &parents, &options, &budget)
            };
            let Interpolation::Interpolants(found) = found else { panic!("{name}: {found:?}") };
            for (node, &part) in parts.iter().enumerate() {
                let children = (0..node).filter(|&child| parents[child] == node);
                let mut facts: Vec<TermId> = children.map(|child| found[child]).collect();
                facts.push(part);
                let own = found.get(node).copied().unwrap_or(Terms::FALSE);
                self.implies(name, &facts, own);
            }
        }
    }

    fn state_transition(&mut self, name: &str) {
        let parts = self.asserted();
        for strength in STRENGTHS {
            let options = Options { strength, ..Options::default() };
            let found = state_transition(&mut self.terms, &parts, &options, &Budget::unlimited());
            let Interpolation::Interpolants(StateTransition { states, transitions }) = found else {
                panic!("{name}: {found:?}")
            };
            self.implies(name, &[parts[0]], states[0]);
            for (k, &transition) in transitions.iter().enumerate() {
                self.implies(name, &[parts[k + 1]], transition);
                self.implies(name, &[states[k], transition], states[k + 1]);
            }
            self.implies(name, &[states[states.len() - 1], parts[parts.len() - 1]], Terms::FALSE);
        }
    }

    /// The assertion `eI_J` is the edge from node I to node J.
    fn dag(&mut self, name: &str) {
        let mut graph = Dag::default();
        for (formula, edge) in self.levels.iter().flatten() {
            let edge = edge.as_deref().expect("edges have names");
            let (from, to) = edge[1..].split_once('_').expect("two nodes");
            let (from, to): (usize, usize) = (from.parse().expect("a number"), to.parse().expect("a number"));
            graph.edges.resize(graph.edges.len().max(to + 1), Vec::new());
            graph.edges[from].push(DagEdge { to, formula: *formula });
        }
        for method in [Method::Linearised, Method::Quantified, Method::NodeByNode] {
            let found = dag(&mut self.terms, &graph, method, &Options::default(), &Budget::unlimited());
            let DagInterpolation::Labels(found) = found else { panic!("{name}: {found:?}") };
            for (from, out) in graph.edges.iter().enumerate() {
                for edge in out {
                    self.implies(name, &[found.labels[from], edge.formula], found.labels[edge.to]);
                }
            }
            assert_eq!(found.labels.last(), Some(&Terms::FALSE), "{name}");
        }
    }
}
