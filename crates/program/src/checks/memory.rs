//! Validity of memory: an access lies within one live object of its region.
//!
//! Static objects have constant bounds. For allocated ones the program is extended by one *tracked* object:
//! each allocation may be chosen, once in a run, and its bounds and life are kept in globals. An allocation
//! owns the addresses up to the next one, so every invalid address that was ever given out is owned by some
//! allocation, and the runs that chose it fail; a proof for the arbitrary choice covers all. Formulas stay
//! linear and without quantifiers.
//!
//! The choice is an input of the program, so a failing run says what it was.

use super::objects::{RegionObjects, StaticObject};
use super::{CheckSet, Question, Violation};
use crate::expr::{BinaryOp, Expr, ExprId};
use crate::ir::{
    Check, CheckKind, EdgeId, InputSource, LocId, Place, ProcId, Program, RegionId, Scope, Span, Stmt, Var,
    VarId,
};
use crate::types::{IntType, Type};

/// Up to here a null pointer leads with the distance of a member.
const NULL_PAGE: i128 = 4096;

/// The input that chooses the tracked object.
pub const TRACKED: &str = "tracked object";

/// The globals that describe the tracked object.
pub struct Tracking {
    /// Its first byte; null if none is tracked.
    pub(super) start: VarId,
    /// One past its last byte.
    pub(super) end: VarId,
    /// One past the last address that it owns.
    limit: VarId,
    live: VarId,
    /// It is for the program to free.
    on_heap: VarId,
    /// The global that holds the next address of an allocation, and the first that one can have, if there are
    /// allocations.
    addresses: Option<(VarId, i128)>,
    /// What is asked at the end of the program.
    at_exit: Vec<CheckKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// Statements that make objects or end them.
pub fn effects_of(program: &Program, id: ProcId) -> Vec<EdgeId> {
    let edges = program.procs[id].edges.enumerated();
    edges
        .filter(|(_, edge)| matches!(edge.stmt, Stmt::Alloc { .. } | Stmt::Free(_)))
        .map(|(id, _)| id)
        .collect()
}

impl Program {
    fn is_automatic(&self, var: VarId) -> bool {
        self.automatic.contains(&var)
    }

    pub(super) fn lt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(BinaryOp::Lt, a, b, |a, b| a < b)
    }

    pub(super) fn le(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(BinaryOp::Le, a, b, |a, b| a <= b)
    }

    fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId, fold: fn(i128, i128) -> bool) -> ExprId {
        match (self.exprs.as_const(a), self.exprs.as_const(b)) {
            (Some(x), Some(y)) => self.exprs.bool(fold(x, y)),
            _ => self.exprs.binary(op, a, b, self.data_model),
        }
    }

    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.exprs.binary(BinaryOp::Eq, a, b, self.data_model)
    }

    pub(super) fn all(&mut self, conditions: &[ExprId]) -> ExprId {
        let yes = self.exprs.bool(true);
        conditions.iter().fold(yes, |all, &c| self.exprs.binary(BinaryOp::And, all, c, self.data_model))
    }

    pub(super) fn any(&mut self, conditions: &[ExprId]) -> ExprId {
        let no = self.exprs.bool(false);
        conditions.iter().fold(no, |any, &c| self.exprs.binary(BinaryOp::Or, any, c, self.data_model))
    }

    pub(super) fn address(&mut self, address: i128) -> ExprId {
        self.exprs.constant(Type::Pointer, address)
    }

    /// `pointer + by`.
    fn moved(&mut self, pointer: ExprId, by: i128) -> ExprId {
        if by == 0 {
            return pointer;
        }
        let by = self.exprs.int(IntType::signed(self.data_model.pointer_bits()), by);
        self.exprs.binary(BinaryOp::Add, pointer, by, self.data_model)
    }
}

/// How an access can be invalid.
pub fn access(
    program: &mut Program,
    region: RegionId,
    addr: ExprId,
    ty: Type,
    access: Access,
    question: Question<'_>,
) -> Option<Violation> {
    let bytes = u64::from(program.size_of(ty));
    let objects = &question.objects[region];
    if !question.wanted.contains(CheckKind::Memory) {
        let mut ended = not_accessible(program, objects, addr, bytes, access, question);
        // What was allocated need not be there.
        if program.regions[region].allocated && is_link(program, addr) {
            let end = program.address(NULL_PAGE);
            ended.push(program.lt(addr, end));
        }
        let condition = program.any(&ended);
        let (what, of) = ("invalid access", String::new());
        return (!ended.is_empty()).then_some(Violation { kind: CheckKind::Memory, condition, what, of });
    }
    let mut valid = Vec::new();
    for object in objects.accessible(access) {
        let within = object.encloses(program, addr, bytes);
        let open = object.is_open(program, access);
        valid.push(program.all(&[within, open]));
    }
    let valid = program.any(&valid);
    let mut invalid = program.exprs.not(valid);
    if let (true, Some(tracking)) = (program.regions[region].allocated, question.tracking) {
        let outside = tracking.outside(program, addr, bytes);
        invalid = program.all(&[invalid, outside]);
    }
    let what = if access == Access::Read { "invalid read" } else { "invalid write" };
    let of = format!("of {}", program.say_place(addr, question.span));
    Some(Violation { kind: CheckKind::Memory, condition: invalid, what, of })
}

/// That the address lies in an automatic object that exists no more, or in one that may not be written and is.
fn not_accessible(
    program: &mut Program,
    objects: &RegionObjects,
    addr: ExprId,
    bytes: u64,
    access: Access,
    question: Question<'_>,
) -> Vec<ExprId> {
    // Nothing sees what is written to an object that exists no more: if it begins again, it is written as a whole first.
    // Where no statement of the program is to blame, the run may go on, then. Functions without a body have thousands of
    // such writes.
    let is_unseen =
        |object: &StaticObject| access == Access::Write && question.is_of_nobody() && !object.may_be_sealed();
    let mut ended = Vec::new();
    for constants in objects.constants(access) {
        let (first, end) = (i128::from(constants.start), i128::from(constants.end));
        let (first, end) = (program.address(first), program.address(end));
        let (above, below) = (program.le(first, addr), program.lt(addr, end));
        ended.push(program.all(&[above, below]));
    }
    let closed = objects.accessible(access).filter(|object| object.may_be_closed(access));
    for object in closed.filter(|object| !is_unseen(object)) {
        let within = object.encloses(program, addr, bytes);
        let open = object.is_open(program, access);
        let closed = program.exprs.not(open);
        ended.push(program.all(&[within, closed]));
    }
    ended
}

/// Whether an address is that of a pointer, or a fixed distance from it. Of others, such as those of elements of arrays,
/// too many would be asked whether they are null.
fn is_link(program: &Program, mut addr: ExprId) -> bool {
    loop {
        match program.exprs.get(addr) {
            Expr::Var(_) | Expr::Load { .. } => return true,
            Expr::Cast(_, of) => addr = of,
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, of, by) if program.exprs.as_const(by).is_some() => {
                addr = of;
            }
            Expr::Binary(BinaryOp::Add, by, of) if program.exprs.as_const(by).is_some() => addr = of,
            _ => return false,
        }
    }
}

/// How a `free` can be invalid.
pub fn release(program: &mut Program, addr: ExprId, question: Question<'_>) -> Option<Violation> {
    let tracking = question.tracking?;
    if let Expr::Var(var) = program.exprs.get(addr)
        && program.is_automatic(var)
    {
        return None;
    }
    let start = program.var_expr(tracking.start);
    let (live, on_heap) = (program.var_expr(tracking.live), program.var_expr(tracking.on_heap));
    let is_start = program.equal(addr, start);
    let may_be_freed = program.all(&[is_start, live, on_heap]);
    let null = program.address(0);
    let not_null = {
        let is_null = program.equal(addr, null);
        program.exprs.not(is_null)
    };
    let owned = tracking.owned(program, addr);
    let never = tracking.never_given_out(program, addr);
    let wrong = program.exprs.not(may_be_freed);
    let misused = program.all(&[owned, wrong]);
    let invalid = program.any(&[never, misused]);
    let condition = program.all(&[not_null, invalid]);
    let of = format!("of `{}`", program.say_value(addr, question.span));
    Some(Violation { kind: CheckKind::Memory, condition, what: "invalid free", of })
}

impl Tracking {
    /// The globals, if the program allocates and the checks need them.
    pub fn new(program: &mut Program, wanted: CheckSet) -> Option<Tracking> {
        let at_exit: Vec<CheckKind> =
            [CheckKind::Leak, CheckKind::Cleanup].into_iter().filter(|&kind| wanted.contains(kind)).collect();
        let mut procs = program.procs.indices();
        let in_use = wanted.contains(CheckKind::Memory) || !at_exit.is_empty();
        let in_use = in_use && procs.any(|id| !effects_of(program, id).is_empty());
        if !in_use && !wanted.contains(CheckKind::Pointer) {
            return None;
        }
        let addresses = program.next_address.and_then(|next| match program.vars[next].scope {
            Scope::Global { init } => Some((next, init)),
            Scope::Local(_) => None,
        });
        let mut global = |name: &str, ty: Type| {
            let scope = Scope::Global { init: 0 };
            let name = format!(".tracked.{name}").into();
            program.vars.push(Var { name, ty, scope, span: Span::default(), origin: None })
        };
        let start = global("start", Type::Pointer);
        let tracking = Tracking {
            start,
            end: global("end", Type::Pointer),
            limit: global("limit", Type::Pointer),
            live: global("live", Type::Bool),
            on_heap: global("on_heap", Type::Bool),
            addresses,
            at_exit,
        };
        program.tracked = Some(start);
        Some(tracking)
    }

    /// That the tracked object owns the address.
    fn owned(&self, program: &mut Program, addr: ExprId) -> ExprId {
        let (start, limit) = (program.var_expr(self.start), program.var_expr(self.limit));
        let (above, below) = (program.le(start, addr), program.lt(addr, limit));
        program.all(&[above, below])
    }

    /// That no allocation owns the address.
    fn never_given_out(&self, program: &mut Program, addr: ExprId) -> ExprId {
        let Some((next, first)) = self.addresses else { return program.exprs.bool(true) };
        let (first, next) = (program.address(first), program.var_expr(next));
        let (before, after) = (program.lt(addr, first), program.le(next, addr));
        program.any(&[before, after])
    }

    /// That the bytes are outside of all allocated objects, as far as the tracked one tells.
    fn outside(&self, program: &mut Program, addr: ExprId, bytes: u64) -> ExprId {
        let end = program.var_expr(self.end);
        let live = program.var_expr(self.live);
        let last = program.moved(end, -i128::from(bytes));
        let fits = program.le(addr, last);
        let inside = program.all(&[live, fits]);
        let not_inside = program.exprs.not(inside);
        let owned = self.owned(program, addr);
        let misses = program.all(&[owned, not_inside]);
        let never = self.never_given_out(program, addr);
        program.any(&[never, misses])
    }

    /// Keeps the globals up to date at the statements that make objects or end them, and adds the checks at the
    /// end of the program.
    pub fn follow(&self, program: &mut Program, id: ProcId, effects: &[EdgeId], checks: &mut Vec<Check>) {
        for &edge in effects {
            match program.procs[id].edges[edge].stmt.clone() {
                Stmt::Alloc { var, size } => self.follow_allocation(program, id, edge, var, size),
                Stmt::Free(addr) => self.follow_release(program, id, edge, addr),
                _ => {}
            }
        }
        if id == program.entry {
            for &kind in &self.at_exit {
                self.check_exit(program, id, kind, checks);
            }
        }
    }

    /// After the allocation, the object may become the tracked one.
    fn follow_allocation(&self, program: &mut Program, id: ProcId, edge: EdgeId, var: VarId, size: ExprId) {
        let word = IntType::signed(program.data_model.pointer_bits());
        let (from, to) = (program.procs[id].edges[edge].from, program.procs[id].edges[edge].to);
        let span = program.span_of(id, edge);
        // The size may speak of the variable that is written.
        let size_var = self.local(program, id, ".tracked.size", program.exprs.ty(size), span);
        let chosen = self.local(program, id, ".tracked.chosen", Type::Bool, span);
        let fixed = program.var_expr(size_var);
        let mut path = Path { id, here: from, span };
        path.assign(program, size_var, size);
        program.procs[id].edges[edge].from = path.here;
        program.procs[id].edges[edge].stmt = Stmt::Alloc { var, size: fixed };
        let after = program.procs[id].add_location(span);
        program.procs[id].edges[edge].to = after;
        path.here = after;
        let source = InputSource::Unmodelled(TRACKED.into());
        path.step(program, Stmt::Input(Place::Var(chosen), source));
        let (null, start) = (program.address(0), program.var_expr(self.start));
        let none_yet = program.equal(start, null);
        let chosen = program.var_expr(chosen);
        let take = program.all(&[chosen, none_yet]);
        let leave = program.exprs.not(take);
        program.procs[id].add_edge(path.here, to, Stmt::Assume(leave), span);
        path.step(program, Stmt::Assume(take));
        let automatic = program.is_automatic(var);
        let object = program.var_expr(var);
        path.assign(program, self.start, object);
        let bytes = program.exprs.cast(Type::Int(word), fixed);
        let end = program.exprs.binary(BinaryOp::Add, object, bytes, program.data_model);
        path.assign(program, self.end, end);
        if let Some((next, _)) = self.addresses {
            let limit = program.var_expr(next);
            path.assign(program, self.limit, limit);
        }
        let (yes, on_heap) = (program.exprs.bool(true), program.exprs.bool(!automatic));
        path.assign(program, self.live, yes);
        path.assign(program, self.on_heap, on_heap);
        program.procs[id].add_edge(path.here, to, Stmt::Skip, span);
    }

    /// After the release, the tracked object may be no more.
    fn follow_release(&self, program: &mut Program, id: ProcId, edge: EdgeId, addr: ExprId) {
        let (to, span) = (program.procs[id].edges[edge].to, program.span_of(id, edge));
        let after = program.procs[id].add_location(span);
        program.procs[id].edges[edge].to = after;
        let mut path = Path { id, here: after, span };
        let start = program.var_expr(self.start);
        let null = program.address(0);
        let (is_start, is_null) = (program.equal(addr, start), program.equal(addr, null));
        let not_null = program.exprs.not(is_null);
        let released = program.all(&[is_start, not_null]);
        let another = program.exprs.not(released);
        program.procs[id].add_edge(path.here, to, Stmt::Assume(another), span);
        path.step(program, Stmt::Assume(released));
        let no = program.exprs.bool(false);
        path.assign(program, self.live, no);
        program.procs[id].add_edge(path.here, to, Stmt::Skip, span);
    }

    /// At the end of the program nothing is allocated. What remains is a leak only if nothing points to it: no
    /// global variable here, and the executor looks at memory too, so that a proof may show more than it must.
    fn check_exit(&self, program: &mut Program, id: ProcId, kind: CheckKind, checks: &mut Vec<Check>) {
        let (live, on_heap) = (program.var_expr(self.live), program.var_expr(self.on_heap));
        let mut remains = vec![live, on_heap];
        if kind == CheckKind::Leak {
            let globals: Vec<VarId> = program
                .vars
                .enumerated()
                .filter(|(_, var)| matches!(var.scope, Scope::Global { .. }))
                .filter(|(_, var)| holds_addresses(var.ty, program.data_model.pointer_bits()))
                .filter(|(id, _)| !program.is_bookkeeping(*id))
                .map(|(id, _)| id)
                .collect();
            for global in globals {
                let (start, end) = (program.var_expr(self.start), program.var_expr(self.end));
                let held = program.var_expr(global);
                let pointer = program.exprs.cast(Type::Pointer, held);
                let (above, below) = (program.le(start, pointer), program.le(pointer, end));
                let points_there = program.all(&[above, below]);
                remains.push(program.exprs.not(points_there));
            }
        }
        let remains = program.all(&remains);
        let none = program.exprs.not(remains);
        let proc = &mut program.procs[id];
        let (before, exit, error) = (proc.add_location(proc.span), proc.exit, proc.error);
        for edge in proc.edges.iter_mut().filter(|edge| edge.to == exit) {
            edge.to = before;
        }
        let span = proc.span;
        let edge = proc.add_edge(before, error, Stmt::Assume(remains), span);
        proc.add_edge(before, exit, Stmt::Assume(none), span);
        let text = match kind {
            CheckKind::Leak => "allocated memory is lost",
            _ => "allocated memory is not freed at the end of the program",
        };
        checks.push(Check { kind, proc: id, edge, span, text: text.to_string() });
    }

    pub(super) fn local(&self, program: &mut Program, id: ProcId, name: &str, ty: Type, span: Span) -> VarId {
        let scope = Scope::Local(id);
        let var = program.vars.push(Var { name: name.into(), ty, scope, span, origin: None });
        program.procs[id].locals.push(var);
        var
    }
}

/// Whether a variable of the type has room for an address: one in an integer counts as well.
fn holds_addresses(ty: Type, pointer_bits: u8) -> bool {
    ty == Type::Pointer || ty.as_int().is_some_and(|int| int.bits == pointer_bits)
}

/// New statements, one after the other.
pub(super) struct Path {
    pub id: ProcId,
    pub here: LocId,
    pub span: Span,
}

impl Path {
    pub fn step(&mut self, program: &mut Program, stmt: Stmt) {
        let proc = &mut program.procs[self.id];
        let next = proc.add_location(self.span);
        proc.add_edge(self.here, next, stmt, self.span);
        self.here = next;
    }

    pub fn assign(&mut self, program: &mut Program, var: VarId, value: ExprId) {
        self.step(program, Stmt::Assign(Place::Var(var), value));
    }
}
