//! Who calls whom.

use crate::graph::Digraph;
use crate::ir::{ProcId, Program, Stmt};
use craig_base::IndexVec;

#[derive(Clone, Debug)]
pub struct CallGraph {
    pub calls: Digraph<ProcId>,
    /// Strongly connected components, callees before callers.
    pub components: Vec<Vec<ProcId>>,
    recursive: IndexVec<ProcId, bool>,
    reachable: IndexVec<ProcId, bool>,
}

impl CallGraph {
    pub fn new(program: &Program) -> Self {
        let mut calls = Digraph::new(program.procs.len());
        for (caller, proc) in program.procs.enumerated() {
            for edge in &proc.edges {
                if let Stmt::Call { callee, .. } = edge.stmt {
                    calls.add_edge(caller, callee);
                }
            }
        }
        let components = calls.components();
        let mut recursive = IndexVec::from_elem(false, program.procs.len());
        for component in &components {
            for &proc in component {
                recursive[proc] = component.len() > 1 || calls.has_edge(proc, proc);
            }
        }
        let reachable = calls.reachable([program.entry]);
        CallGraph { calls, components, recursive, reachable }
    }

    /// Whether the procedure can be on the call stack twice.
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.recursive[proc]
    }

    /// Whether the procedure can be called from the entry procedure.
    pub fn is_reachable(&self, proc: ProcId) -> bool {
        self.reachable[proc]
    }

    /// A recursive procedure that can be called, if there is one.
    pub fn first_recursive(&self) -> Option<ProcId> {
        self.recursive.indices().find(|&proc| self.recursive[proc] && self.reachable[proc])
    }
}
