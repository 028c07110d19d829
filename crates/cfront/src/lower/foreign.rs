//! What the pointers point to that functions without a body store.
//!
//! Such a pointer is null, that of a new object, or one that the function knew ([`super::given`]). Objects are made only
//! where the program may access what the pointer leads to, which points-to tells when everything is lowered; any
//! other pointer stays a number, which nothing is accessed through. So an access by a pointer from outside finds an
//! object or fails at null, and memory can be split.
//!
//! What these functions do to memory that the program never looks at makes no difference. Such accesses are left out, and
//! so are the loops that are made of them.

use craig_base::{Index, OrderedSet};
use craig_program as ir;
use ir::{CheckKind, EdgeId, Expr, ExprId, InputSource, LocId, NoteKind, Place, ProcId, Stmt, Type, VarId};

use super::Lowering;
use super::body::Body;
use super::points_to::PointsTo;
use crate::types::TypeId;

/// More objects than this are not made.
const MAX_OBJECTS: usize = 256;

#[derive(Default)]
pub(super) struct Foreign {
    pub pointers: Vec<ForeignPointer>,
    /// Accesses that are made by functions without a body.
    pub accesses: OrderedSet<(ProcId, EdgeId)>,
    loops: Vec<ForeignLoop>,
}

/// Something that such a function does any number of times.
#[derive(Clone, Copy)]
struct ForeignLoop {
    proc: ProcId,
    /// The only edge that leaves its head, and the one after its last.
    first: EdgeId,
    after: EdgeId,
    end: LocId,
}

/// An input that is a pointer.
#[derive(Clone, Copy)]
pub(super) struct ForeignPointer {
    pub proc: ProcId,
    pub edge: EdgeId,
    pub var: VarId,
    pub pointee: TypeId,
}

impl Foreign {
    /// The procedure has a copy.
    pub fn copy(&mut self, proc: ProcId, new: ProcId, renamed: &dyn Fn(VarId) -> VarId) {
        let pointers: Vec<ForeignPointer> =
            self.pointers.iter().filter(|pointer| pointer.proc == proc).copied().collect();
        let copied = |p: ForeignPointer| ForeignPointer { proc: new, var: renamed(p.var), ..p };
        self.pointers.extend(pointers.into_iter().map(copied));
        let accesses: Vec<EdgeId> =
            self.accesses.iter().filter(|(of, _)| *of == proc).map(|&(_, edge)| edge).collect();
        self.accesses.extend(accesses.into_iter().map(|edge| (new, edge)));
        let loops: Vec<ForeignLoop> = self.loops.iter().filter(|cycle| cycle.proc == proc).copied().collect();
        self.loops.extend(loops.into_iter().map(|cycle| ForeignLoop { proc: new, ..cycle }));
    }
}

impl Body<'_, '_> {
    /// A pointer to such a type from outside.
    pub fn pointer_from_outside(&mut self, pointee: TypeId, source: &InputSource) -> ExprId {
        let var = self.temporary(Type::Pointer);
        self.input_pointer(var, pointee, source);
        self.var(var)
    }

    /// The variable gets a pointer to such a type from outside.
    pub fn input_pointer(&mut self, var: VarId, pointee: TypeId, source: &InputSource) {
        let edge = self.emit(Stmt::Input(Place::Var(var), source.clone()));
        if self.hir().types.as_function(pointee).is_none() {
            let pointer = ForeignPointer { proc: self.id, edge, var, pointee };
            self.lw.foreign.pointers.push(pointer);
        }
    }

    /// Does it any number of times; it may begin the next time at once, at the location that it is given.
    pub fn any_times(&mut self, source: &InputSource, round: impl FnOnce(&mut Self, LocId)) {
        let (head, end) = (self.new_location(), self.new_location());
        self.arrive(head);
        let first = self.proc.edges.next_index();
        self.maybe(source, end);
        round(self, head);
        self.goto(head);
        self.here = end;
        let after = self.proc.edges.next_index();
        self.lw.foreign.loops.push(ForeignLoop { proc: self.id, first, after, end });
    }

    /// What is done here is done by a function without a body. Accesses outside of objects end the path and are no failures:
    /// it is not the program that makes them.
    pub fn blaming_nobody<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let first = self.proc.edges.next_index();
        let span = std::mem::take(&mut self.span);
        let result = work(self);
        self.span = span;
        let made = (first.index()..self.proc.edges.len()).map(EdgeId::from_usize);
        self.lw.foreign.accesses.extend(made.map(|edge| (self.id, edge)));
        result
    }
}

impl Lowering<'_> {
    /// Makes the objects that the program may access, and leaves out what makes no difference.
    pub fn make_foreign_objects(&mut self) {
        let Foreign { pointers, accesses, loops } = std::mem::take(&mut self.foreign);
        if accesses.is_empty() && pointers.is_empty() {
            return;
        }
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program_with(&accesses);
        let needed: Vec<ForeignPointer> =
            pointers.into_iter().filter(|pointer| points_to.is_used(pointer.var)).take(MAX_OBJECTS).collect();
        // These checks are about all writes, and about all that is stored.
        let all_matter = self.assigned.is_some()
            || [CheckKind::Leak, CheckKind::Cleanup].iter().any(|&kind| self.options.checks.contains(kind));
        let visible = points_to.visible();
        let mut left_out: Vec<(ProcId, EdgeId)> = Vec::new();
        let mut busy: Vec<(ProcId, EdgeId)> = Vec::new();
        for (proc, edge) in accesses {
            let Some(address) = self.accessed(proc, edge) else { continue };
            let matters = match all_matter {
                true => !points_to.leads_nowhere(address),
                false => points_to.is_visible(address, &visible),
            };
            if matters { busy.push((proc, edge)) } else { left_out.push((proc, edge)) }
        }
        let null = self.zero(Type::Pointer);
        for (proc, edge) in left_out {
            let stmt = &mut self.out.procs[proc].edges[edge].stmt;
            *stmt = match *stmt {
                Stmt::Assign(place @ Place::Var(_), _) => Stmt::Assign(place, null),
                _ => Stmt::Skip,
            };
        }
        busy.sort_unstable();
        for ForeignLoop { proc, first, after, end } in loops {
            let next = busy.partition_point(|&access| access < (proc, first));
            let is_busy = busy.get(next).is_some_and(|&access| access < (proc, after));
            if !is_busy && !all_matter {
                go_directly(&mut self.out.procs[proc], first, end);
            }
        }
        for pointer in needed {
            self.make_foreign_object(pointer);
        }
    }

    /// The address that is written, or that of the value that is read.
    fn accessed(&self, proc: ProcId, edge: EdgeId) -> Option<ExprId> {
        match self.out.procs[proc].edges[edge].stmt {
            Stmt::Assign(Place::Memory { addr, .. }, _) => Some(addr),
            Stmt::Assign(Place::Var(_), value) => match self.out.exprs.get(value) {
                Expr::Load { addr, ty: Type::Pointer, .. } => Some(addr),
                _ => None,
            },
            _ => None,
        }
    }

    /// The pointer is null or that of a new object.
    fn make_foreign_object(&mut self, ForeignPointer { proc, edge, var, pointee }: ForeignPointer) {
        let mut body = Body::open(self, proc);
        let ir::Edge { to, span, .. } = body.proc.edges[edge];
        let Stmt::Input(_, source) = body.proc.edges[edge].stmt.clone() else { return body.close() };
        let start = body.new_location();
        go_directly(&mut body.proc, edge, start);
        (body.here, body.span) = (start, span);
        let text = match &source {
            InputSource::Call(name) => {
                format!(
                    "a pointer that '{name}' stores is null, that of a new object, or one that it was given"
                )
            }
            _ => "a pointer that is defined elsewhere is null or that of a new object".to_string(),
        };
        body.lw.note(NoteKind::Assumption, span, text);
        let (null, object) = (body.new_location(), body.new_location());
        let is_null = body.input(Type::Bool, source);
        body.split(is_null, null, object);
        body.here = null;
        let zero = body.lw.zero(Type::Pointer);
        body.assign(var, zero);
        body.goto(to);
        body.here = object;
        let address = body.object_made_outside(pointee);
        body.assign(var, address);
        body.goto(to);
        body.close();
    }
}

/// Nothing happens on the edge, and it ends there.
fn go_directly(proc: &mut ir::Proc, edge: EdgeId, to: LocId) {
    let before = std::mem::replace(&mut proc.edges[edge].to, to);
    proc.edges[edge].stmt = Stmt::Skip;
    proc.locations[before].incoming.retain(|&incoming| incoming != edge);
    proc.locations[to].incoming.push(edge);
}
