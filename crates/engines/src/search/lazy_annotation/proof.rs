//! From labels to certificates.
//!
//! Of the inlined program they are an invariant of its loop heads. With procedures they are contracts: what a
//! procedure, or a loop of it, requires is that no goal is reached, and it ensures that it does not end where labels
//! say that it cannot.

use super::annotation::{Known, QUESTIONS};
use super::search::Search;
use crate::view::{Graph, NodeId};
use craig_base::OrderedMap;
use craig_certificate::{Contract, Invariant, Summaries, Triple};
use craig_program::encode::StateNames;
use craig_program::{CallGraph, Wto};
use craig_term::{Substitution, TermId, Terms};

/// What labels without bounds say of entries and loop heads: `requires` speaks of the state there, `ensures` of that
/// at the exit as well.
pub struct Labels {
    triples: OrderedMap<NodeId, Triple>,
}

impl Search<'_> {
    pub(super) fn labels(&mut self) -> Labels {
        let graph = self.graph;
        let mut triples = OrderedMap::default();
        for procedure in &graph.procedures {
            let proc = procedure.encoding.proc(graph.program);
            let loops = Wto::new(&proc.graph(), proc.entry);
            let cuts = &procedure.encoding.cuts;
            for cut in cuts.cutpoints.indices() {
                let node = graph.node(graph.nodes[procedure.entry].procedure, cut);
                if node == procedure.entry || loops.is_head(cuts.location(cut)) {
                    let triple = self.triple(node);
                    triples.insert(node, triple);
                }
            }
        }
        Labels { triples }
    }

    fn triple(&mut self, node: NodeId) -> Triple {
        let [goal, exit] = QUESTIONS.map(|question| self.holds_at(node, question, Known::Unbounded));
        let mut required = self.known_at(node);
        required.push(goal);
        let mut ensured = vec![self.tm.not(exit)];
        let procedure = self.graph.procedure(node);
        // What the program leaves behind does not matter.
        let is_called = !self.graph.nodes[procedure.entry].incoming.is_empty();
        if let Some(end) = procedure.exit.filter(|_| is_called) {
            let now = self.graph.nodes[end].state.iter().map(|constant| constant.current);
            let exit = procedure.exit_state.iter().map(|&(_, constant)| constant);
            let mut at_exit = Substitution::from_pairs(now.zip(exit));
            for fact in self.known_at(end) {
                ensured.push(at_exit.apply(self.tm, fact));
            }
        }
        Triple { requires: self.tm.and(&required), ensures: self.tm.and(&ensured) }
    }

    /// What holds at a node whenever it is reached: its ranges, and what strengthening has found.
    fn known_at(&mut self, node: NodeId) -> Vec<TermId> {
        let cut = self.graph.nodes[node].cut;
        let mut known = vec![self.graph.procedure(node).encoding.known_facts(self.tm, cut)];
        known.extend(&self.invariants[node]);
        known
    }
}

impl Labels {
    /// The invariant of the loop heads of a program without calls.
    pub fn invariant(&self, tm: &mut Terms, graph: &Graph<'_>) -> Invariant {
        let proc = graph.proc(graph.entry);
        let loops = Wto::new(&proc.graph(), proc.entry);
        let mut invariant = Invariant::default();
        for (&node, triple) in &self.triples {
            let location = graph.location(node);
            if loops.is_head(location) {
                let formula = tm.and2(triple.requires, graph.nodes[node].facts);
                invariant.formulas.insert(location, formula);
            }
        }
        invariant
    }

    /// The contracts of the procedures.
    pub fn summaries(&self, tm: &mut Terms, graph: &Graph<'_>) -> Summaries {
        let program = graph.program;
        let mut summaries = Summaries::default();
        let mut names = StateNames::default();
        let calls = CallGraph::new(program);
        for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            summaries.contracts.insert(proc, Contract::new(Terms::TRUE, Terms::TRUE));
        }
        for (&node, triple) in &self.triples {
            let procedure = graph.procedure(node);
            // The state at the node is written as one at an entry, that at the exit as the current one.
            let mut pairs: Vec<(TermId, TermId)> = Vec::new();
            for constant in graph.nodes[node].state {
                pairs.push((constant.current, names.entry(program, tm, constant.var)));
            }
            for &(var, constant) in &procedure.exit_state {
                pairs.push((constant, names.current(program, tm, var)));
            }
            let mut rename = Substitution::from_pairs(pairs);
            let triple = Triple {
                requires: rename.apply(tm, triple.requires),
                ensures: rename.apply(tm, triple.ensures),
            };
            let Some(contract) = summaries.contracts.get_mut(&procedure.encoding.proc) else { continue };
            if node == procedure.entry {
                (contract.requires, contract.ensures) = (triple.requires, triple.ensures);
            }
            let is_loop = !graph.proc(node).locations[graph.location(node)].incoming.is_empty();
            if is_loop {
                contract.loops.insert(graph.location(node), triple);
            }
        }
        summaries
    }
}
