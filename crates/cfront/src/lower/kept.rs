//! Pointers that functions without a body may have kept.
//!
//! Such a function may keep a pointer that it is given, and any call of such a function later may write to what it
//! points to. For each type there is a global with one kept pointer; which one, and whether there is one, is an
//! input. The writes come in when all types are known. They are at no place of the program: one to an object that is
//! gone by then ends the run, and is no failure of the program.

use craig_base::OrderedMap;
use craig_program as ir;
use ir::{InputSource, Stmt, Type, VarId};
use std::sync::Arc;

use super::Lowering;
use super::body::Body;
use super::call::Argument;
use super::finish::locations_in_loops;
use super::given::Given;
use crate::hir;
use crate::types::TypeId;

/// More writes than this are left out.
const MAX_WRITES: usize = 64;

#[derive(Default)]
pub(super) struct Kept {
    /// By the type of an element, and how many there are.
    pointers: OrderedMap<(TypeId, Option<u64>), VarId>,
    /// Edges that skip, in front of what the calls themselves do to the kept pointers.
    calls: Vec<(ir::ProcId, ir::EdgeId, Arc<str>)>,
    /// Whether some were kept before the call that may write to them.
    listed: bool,
}

/// What may write to what was listed.
const SCANS: &str = "vsscanf";

/// Whether a function without a body writes to what the arguments in a list point to.
pub(super) fn scans_list(name: &str) -> bool {
    matches!(name, "vscanf" | "vsscanf" | "vfscanf" | "vwscanf" | "vswscanf" | "vfwscanf")
}

impl Body<'_, '_> {
    /// A function without a body was called.
    pub fn keep(&mut self, function: &str, given: &[Given]) {
        let edge = self.emit(Stmt::Skip);
        let proc = self.id;
        self.lw.kept.calls.push((proc, edge, function.into()));
        self.keep_pointers(function, given);
    }

    /// What a function with a body is given beyond its parameters, where lists of arguments go to functions without one
    /// that write to what they point to.
    pub fn keep_listed(&mut self, args: &[hir::ExprId], values: &[Argument]) {
        if !self.lw.scans_lists {
            return;
        }
        for (&arg, (value, _)) in args.iter().zip(values) {
            let given = self.given(SCANS, arg, value.clone());
            self.lw.kept.listed |= given.is_some();
            self.keep_pointers(SCANS, given.as_slice());
        }
    }

    fn keep_pointers(&mut self, function: &str, given: &[Given]) {
        for given in given {
            let next = self.lw.kept.pointers.len();
            let key = (given.element, given.count);
            let var = match self.lw.kept.pointers.get(&key) {
                Some(&var) => var,
                None => {
                    let name = format!("kept.{next}");
                    let var = self.lw.new_global(name, Type::Pointer, 0, ir::Span::default());
                    self.lw.kept.pointers.insert(key, var);
                    var
                }
            };
            let chosen = self.input(Type::Bool, InputSource::Call(function.into()));
            let before = self.var(var);
            let after = self.lw.ite(chosen, given.address, before);
            self.assign(var, after);
        }
    }
}

impl Lowering<'_> {
    pub fn write_what_was_kept(&mut self) {
        let Kept { pointers, calls, listed } = std::mem::take(&mut self.kept);
        let again =
            listed || calls.len() > 1 || calls.iter().any(|(proc, edge, _)| self.may_run_again(*proc, *edge));
        if !again {
            return;
        }
        if pointers.len() * calls.len() > MAX_WRITES {
            let text = "a function without a body does not write to what such functions were given before";
            return self.note(ir::NoteKind::Assumption, ir::Span::default(), text.to_string());
        }
        for (proc, edge, function) in calls {
            let mut body = Body::open(self, proc);
            let to = body.proc.edges[edge].to;
            body.span = ir::Span::default();
            let start = body.new_location();
            body.proc.edges[edge].to = start;
            body.proc.locations[to].incoming.retain(|&incoming| incoming != edge);
            body.proc.locations[start].incoming.push(edge);
            body.here = start;
            let source = InputSource::Call(Arc::clone(&function));
            for (&(element, count), &var) in &pointers {
                let next = body.new_location();
                body.maybe(&source, next);
                let pointer = body.var(var);
                let (some, address) = (body.new_location(), body.freeze(pointer));
                let not_null = body.lw.truth(address);
                body.split(not_null, some, next);
                body.here = some;
                body.change(&Given { address, element, count }, &source, &[]);
                body.arrive(next);
            }
            body.goto(to);
            body.close();
        }
    }

    fn may_run_again(&self, proc: ir::ProcId, edge: ir::EdgeId) -> bool {
        let once = self.run_once(&ir::CallGraph::new(&self.out));
        let body = &self.out.procs[proc];
        !once[proc] || locations_in_loops(body).contains(&body.edges[edge].from)
    }
}
