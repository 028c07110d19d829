//! `alloca`: objects that exist to the end of the function that asks for them.
//!
//! Where one place gives several in one call of the function, they are a list: each has beside it a hidden object with
//! its own address and that of the hidden object before.

use craig_program as ir;
use ir::{BinaryOp, EdgeId, ExprId, Type, VarId};

use super::body::Body;
use super::extents::State;
use super::finish::locations_in_loops;

#[derive(Default)]
pub(super) struct Allocas {
    /// What each place gave, or null, and the edge after which it has.
    given: Vec<(VarId, EdgeId)>,
    /// Edges on which the function is left, and the objects end.
    pub left: Vec<EdgeId>,
}

impl Body<'_, '_> {
    pub fn alloca(&mut self, size: ExprId) -> ExprId {
        let (var, object) = self.allocate_automatic(size);
        let edge = self.emit(ir::Stmt::Skip);
        self.allocas.given.push((var, edge));
        object
    }

    /// Ends the objects where the function is left. To be called at the entry, when all is lowered: what was not given
    /// yet is null.
    pub fn end_allocas(&mut self) {
        if self.allocas.given.is_empty() {
            return;
        }
        let entry = self.here;
        let null = self.lw.zero(Type::Pointer);
        let given = std::mem::take(&mut self.allocas.given);
        let left = std::mem::take(&mut self.allocas.left);
        let loops = locations_in_loops(&self.proc);
        let (several, single): (Vec<_>, Vec<_>) =
            given.into_iter().partition(|(_, edge)| loops.contains(&self.proc.edges[*edge].from));
        let list = (!several.is_empty()).then(|| self.automatic_pointer(None));
        for &(var, edge) in several.iter().filter(|_| !left.is_empty()) {
            self.after(edge, |body| list.into_iter().for_each(|list| body.put_into_list(var, list)));
        }
        for edge in left {
            self.after(edge, |body| {
                single.iter().for_each(|&(var, _)| body.end_given(var));
                list.into_iter().for_each(|list| body.end_list(list));
            });
        }
        self.here = entry;
        for var in single.into_iter().map(|(var, _)| var).chain(list) {
            self.assign(var, null);
        }
    }

    fn end_given(&mut self, var: VarId) {
        let object = self.var(var);
        self.end_storage_at(object);
    }

    /// The hidden object has two pointers, to the one before and to the object itself.
    fn put_into_list(&mut self, given: VarId, list: VarId) {
        let bytes = 2 * self.lw.pointer_bytes();
        let size = self.lw.constant(Type::Int(self.lw.size_type()), i128::from(bytes));
        let link = self.automatic_pointer(None);
        let link = self.begin_object(link, size, State::Variable);
        let (before, object) = (self.var(list), self.var(given));
        self.store_scalar(link, Type::Pointer, before);
        let second = self.lw.offset(link, i128::from(bytes / 2));
        self.store_scalar(second, Type::Pointer, object);
        self.assign(list, link);
    }

    fn end_list(&mut self, list: VarId) {
        let (given, next) = (self.automatic_pointer(None), self.automatic_pointer(None));
        let (head, inside, end) = (self.new_location(), self.new_location(), self.new_location());
        self.arrive(head);
        let (link, null) = (self.var(list), self.lw.zero(Type::Pointer));
        let more = self.lw.binary(BinaryOp::Ne, link, null);
        self.split(more, inside, end);
        self.here = inside;
        let second = self.lw.offset(link, i128::from(self.lw.pointer_bytes()));
        for (var, address) in [(next, link), (given, second)] {
            let value = self.load_scalar(address, Type::Pointer);
            self.assign(var, value);
        }
        self.end_given(given);
        self.end_given(list);
        let next = self.var(next);
        self.assign(list, next);
        self.goto(head);
        self.here = end;
    }
}
