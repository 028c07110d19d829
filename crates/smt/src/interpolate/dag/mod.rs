//! DAG interpolants and restricted DAG interpolants (thesis 001, chapters 3 and 5).
//!
//! | thesis | here |
//! |---|---|
//! | `G = (V, E, v_en, v_ex)` with `L_E` | [`Dag`]: nodes in a topological order, the first is the entry, the last the exit |
//! | DITP (Definition 3.1) | [`dag`]: a label per node; labels and edges imply labels, true at the entry, false at the exit |
//! | DAGCOND (3.1) | [`Condition`] |
//! | CLEAN | [`clean`] |
//! | RDITP (Definition 5.3), COMPUTERDITP | [`restricted_dag`] |
//!
//! Two ways lead to the labels ([`Method`]). *Linearised*: one proof that DAGCOND is unsatisfiable,
//! its sequence interpolants, and CLEAN. *Node by node*: first only satisfiability, then for each node
//! the interpolant between the labelled edges into it and the graph after it, a query of its own.
//!
//! CLEAN quantifies what a node's label must not mention. The control variables of other nodes occur
//! with one sign, and their quantifiers are substitutions. Quantifiers over states are either
//! eliminated by projection (*quantified*), or the node is labelled by a query of its own. Such a label
//! may be weaker than the sequence promised, so from there on each label that depends on it is
//! checked, and recomputed where it does not follow.
//!
//! Which serves when, measured by `examples/dag.rs` (a loop with two branches that may be left after
//! every turn, so that the state after the loop is pending all the time; milliseconds, and the size of
//! all labels together):
//!
//! | sort, turns | linearised | quantified | node by node |
//! |---|---|---|---|
//! | Int, 4 | 69, 140 | 47, 189 | 15, 128 |
//! | Int, 10 | 4539, 320 | 3468, 550 | 2160, 290 |
//! | Real, 4 | 56, 155 | 60, 210 | 28, 142 |
//! | Real, 10 | 5421, 353 | 3275, 568 | 1984, 322 |
//!
//! Elimination is not slower, for integers neither, but its labels are twice as large, and engines live
//! on small labels. Node by node gives the smallest and is fastest where most nodes would need a query
//! anyway. In graphs of programs with cutpoints almost no interpolant mentions another node's state
//! (none at all in the refinements of ssh-simplified), and then the linearised way asks one question
//! instead of one per node, which is why it is the default.
//!
//! Departure: the thesis quantifies all symbols out of scope universally, and its proof uses that
//! they do not occur before the node. Those that occur before the node but not after it have to be
//! quantified existentially (outside): what follows for some of their values is all that is needed,
//! and that it holds for all of them does not follow. Encodings with a copy of the state per node
//! have no such symbols.

mod clean;
mod condition;
#[cfg(test)]
mod tests;

use super::{Failure, Interpolation, Options, binary};
use crate::native::NativeSolver;
use crate::solver::{Answer, Solver};
use condition::{Condition, Graph};
use craig_base::Budget;
use craig_term::{Model, TermId, Terms};

/// A graph without cycles whose edges have formulas. Edges lead from a node to a greater one; node 0
/// is the entry, and the last node is the exit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dag {
    /// The edges out of each node.
    pub edges: Vec<Vec<DagEdge>>,
}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DagEdge {
    /// Where it leads.
    pub to: usize,
    /// Under which condition, over the symbols of its path.
    pub formula: TermId,
}

/// How labels are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// From one proof for the whole graph, with CLEAN; by a query where that needs quantifiers.
    #[default]
    Linearised,
    /// From one proof for the whole graph, with CLEAN; quantifiers are eliminated.
    Quantified,
    /// By one query per node.
    NodeByNode,
}

/// What comes of a DAG interpolation problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DagInterpolation {
    /// A model of all formulas on a path from the entry to the exit: for each node that is passed,
    /// the place of the edge taken among those out of it.
    Path {
        /// A model of the formulas along a path.
        model: Model,
        /// The path.
        edges: Vec<(usize, usize)>,
    },
    /// No path has a model, and these labels say why.
    Labels(DagLabels),
    /// Neither is known.
    Unknown(Failure),
}

/// The labels of the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DagLabels {
    /// One per node.
    pub labels: Vec<TermId>,
    /// How many of them took a query of their own.
    pub by_query: u64,
    /// How many of them needed quantifier elimination.
    pub quantified: u64,
}

/// DAG interpolants of the graph, or a path whose formulas have a common model.
pub fn dag(
    terms: &mut Terms,
    dag: &Dag,
    method: Method,
    options: &Options,
    budget: &Budget,
) -> DagInterpolation {
    let Some(last) = dag.edges.len().checked_sub(1) else {
        return DagInterpolation::Unknown(Failure::BrokenProof);
    };
    if last == 0 {
        return DagInterpolation::Path { model: Model::new(), edges: Vec::new() };
    }
    let graph = Graph::new(terms, dag);
    let condition = Condition::new(terms, &graph);
    let sequence = match method {
        Method::Linearised | Method::Quantified => super::sequence(terms, &condition.parts, options, budget),
        Method::NodeByNode => satisfiable(terms, &condition, budget),
    };
    let sequence = match sequence {
        Interpolation::Sat(model) => {
            return match condition.path(terms, &graph, &model) {
                Some(edges) => DagInterpolation::Path { model, edges },
                None => DagInterpolation::Unknown(Failure::BrokenProof),
            };
        }
        Interpolation::Unknown(failure) => return DagInterpolation::Unknown(failure),
        Interpolation::Interpolants(sequence) => sequence,
    };
    let mut labelling = Labelling {
        graph: &graph,
        condition: &condition,
        method,
        options,
        budget,
        weakened: vec![false; last + 1],
        result: DagLabels { labels: vec![Terms::TRUE; last + 1], by_query: 0, quantified: 0 },
    };
    match labelling.all(terms, &sequence) {
        Ok(()) => {
            let DagLabels { labels, .. } = &labelling.result;
            debug_assert!(
                super::checked::is_labelled(terms, dag, labels, budget),
                "labels that do not fit together"
            );
            DagInterpolation::Labels(labelling.result)
        }
        Err(failure) => DagInterpolation::Unknown(failure),
    }
}

/// Restricted DAG interpolants `R`: `R_u ∧ V_u ∧ L(u, v) ⇒ R_v`, and at the exit `R` is false, where
/// the restrictions `V` are a well-labelling already (`V_u ∧ L(u, v) ⇒ V_v`). So the conjunction of
/// both labels the graph, and `R_v` is what `V_v` lacked for that.
pub fn restricted_dag(
    terms: &mut Terms,
    graph: &Dag,
    restrictions: &[TermId],
    method: Method,
    options: &Options,
    budget: &Budget,
) -> DagInterpolation {
    let restrict = |(out, &restriction): (&Vec<DagEdge>, &TermId)| -> Vec<DagEdge> {
        let edge = |edge: &DagEdge| DagEdge { to: edge.to, formula: terms.and2(restriction, edge.formula) };
        out.iter().map(edge).collect()
    };
    let restricted = Dag { edges: graph.edges.iter().zip(restrictions).map(restrict).collect() };
    dag(terms, &restricted, method, options, budget)
}

/// Only the answer, without interpolants.
fn satisfiable(terms: &mut Terms, condition: &Condition, budget: &Budget) -> Interpolation {
    let mut solver = NativeSolver::default();
    for &part in &condition.parts {
        solver.assert(terms, part);
    }
    match solver.check(terms, &[], budget) {
        Answer::Sat => Interpolation::Sat(solver.model().cloned().unwrap_or_default()),
        Answer::Unsat => Interpolation::Interpolants(Vec::new()),
        Answer::Unknown(reason) => Interpolation::Unknown(Failure::Solver(reason)),
    }
}

struct Labelling<'a> {
    graph: &'a Graph<'a>,
    condition: &'a Condition,
    method: Method,
    options: &'a Options,
    budget: &'a Budget,
    /// Nodes whose label is not the one of the sequence.
    weakened: Vec<bool>,
    result: DagLabels,
}

impl Labelling<'_> {
    /// Labels all nodes in order; an empty sequence means one query each.
    fn all(&mut self, terms: &mut Terms, sequence: &[TermId]) -> Result<(), Failure> {
        let last = self.graph.nodes() - 1;
        self.result.labels[last] = Terms::FALSE;
        for node in 1..last {
            self.result.labels[node] = match self.condition.place_of(node) {
                None if self.graph.is_reachable(node) => Terms::TRUE,
                None => Terms::FALSE,
                Some(place) => {
                    let promised = sequence.get(place - 1).copied();
                    self.label(terms, node, promised)?
                }
            };
        }
        Ok(())
    }

    fn label(&mut self, terms: &mut Terms, node: usize, promised: Option<TermId>) -> Result<TermId, Failure> {
        if let Some(interpolant) = promised
            && let Some(cleaned) = self.clean(terms, node, interpolant)?
            && self.follows(terms, node, cleaned)?
        {
            return Ok(cleaned);
        }
        self.weakened[node] = true;
        self.result.by_query += 1;
        let arriving = self.labelled_edges(terms, node, |_| true);
        let before = terms.or(&arriving);
        let behind = self.condition.behind(terms, self.graph, node);
        match binary(terms, before, behind, self.options, self.budget) {
            Interpolation::Interpolants(label) => Ok(label),
            // A label that does not exclude the exit.
            Interpolation::Sat(_) => Err(Failure::BrokenProof),
            Interpolation::Unknown(failure) => Err(failure),
        }
    }

    fn clean(
        &mut self,
        terms: &mut Terms,
        node: usize,
        interpolant: TermId,
    ) -> Result<Option<TermId>, Failure> {
        let eliminate = self.method == Method::Quantified;
        let cleaned =
            clean::clean(terms, self.graph, self.condition, node, interpolant, eliminate, self.budget)?;
        let Some(cleaned) = cleaned else { return Ok(None) };
        self.result.quantified += u64::from(cleaned.quantified);
        Ok(Some(cleaned.label))
    }

    /// Whether a label follows where a predecessor has another one than the sequence promised.
    fn follows(&mut self, terms: &mut Terms, node: usize, label: TermId) -> Result<bool, Failure> {
        let arriving = self.labelled_edges(terms, node, |from| self.weakened[from]);
        if arriving.is_empty() {
            return Ok(true);
        }
        let mut solver = NativeSolver::default();
        let arrives = terms.or(&arriving);
        let violated = terms.not(label);
        solver.assert(terms, arrives);
        solver.assert(terms, violated);
        match solver.check(terms, &[], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(Failure::Solver(reason)),
        }
    }

    /// `label(u) ∧ L(u, node)` for the predecessors that are asked for.
    fn labelled_edges(&self, terms: &mut Terms, node: usize, which: impl Fn(usize) -> bool) -> Vec<TermId> {
        let edges = self.graph.edges_into(node).iter().filter(|(from, _)| which(*from));
        edges.map(|&(from, formula)| terms.and2(self.result.labels[from], formula)).collect()
    }
}
