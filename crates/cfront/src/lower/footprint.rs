//! What an evaluation does that others may notice: what it reads and writes, itself and in the functions that it calls, and
//! whether it may end the run.
//!
//! Accesses through pointers are told apart by member and by type, as C allows (C11 6.5 p7).

use craig_base::{Map, Set};
use craig_program as ir;
use ir::Type;

use super::layout::scalar_type;
use super::reach::Reach;
use super::visit::{Node, children};
use super::{Lowering, library};
use crate::dialect::{Dialect, dialect};
use crate::hir::{
    Builtin, Callee, ExprId, ExprKind, FunctionId, GlobalId, LocalId, PlaceId, PlaceKind, Program,
};
use crate::types::{RecordId, RecordKind};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Base {
    Local(LocalId),
    Global(GlobalId),
    Pointer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Member(RecordId, usize, Type),
    Scalar(Type),
    /// Bytes, aggregates, members of unions.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Access {
    pub base: Base,
    part: Part,
    /// The first and the number of the bytes of the variable that are meant, if it is plain that it is these.
    pub fixed: Option<(i128, i128)>,
    /// Pointers may lead there.
    exposed: bool,
}

#[derive(Clone, Default, PartialEq)]
pub(super) struct Accesses {
    pub reads: Set<Access>,
    pub writes: Set<Access>,
}

/// What an evaluation does that others may notice.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Footprint {
    /// Outside of calls.
    pub own: Accesses,
    /// In the functions that it calls.
    pub called: Accesses,
    /// It may end the run without an error; it may reach the error.
    ends: bool,
    fails: bool,
    /// It contains statements, which are lowered only once.
    pub statements: bool,
}

/// What an operand does as a whole, and what each of its accesses and calls does: those of other operands may come between
/// them.
pub(super) struct Operand {
    pub whole: Footprint,
    pub parts: Vec<Footprint>,
}

impl Accesses {
    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    pub fn extend(&mut self, other: &Accesses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    pub fn meets(&self, other: &Accesses) -> bool {
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }
}

fn meet(some: &Set<Access>, others: &Set<Access>) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.meets(other)))
}

impl Access {
    pub fn meets(&self, other: &Access) -> bool {
        let through_pointer = |a: &Access, b: &Access| a.base == Base::Pointer && b.exposed;
        let bases = self.base == other.base || through_pointer(self, other) || through_pointer(other, self);
        let parts = match (self.part, other.part) {
            (Part::Any, _) | (_, Part::Any) => true,
            (Part::Member(..), Part::Member(..)) => self.part == other.part,
            (Part::Member(_, _, a) | Part::Scalar(a), Part::Member(_, _, b) | Part::Scalar(b)) => a == b,
        };
        let places = match (self.fixed, other.fixed) {
            (Some((a, m)), Some((b, n))) if self.base == other.base => a < b + n && b < a + m,
            _ => true,
        };
        bases && parts && places
    }
}

impl Footprint {
    fn size(&self) -> usize {
        self.called.size() + usize::from(self.ends) + usize::from(self.fails)
    }

    fn extend_called(&mut self, called: &Footprint) {
        self.called.extend(&called.called);
        self.ends |= called.ends;
        self.fails |= called.fails;
    }

    /// Whether the order of the two evaluations makes a difference.
    fn conflicts(&self, other: &Footprint) -> bool {
        self.called.meets(&other.called)
            || self.called.meets(&other.own)
            || self.own.meets(&other.called)
            || (self.ends && other.fails)
            || (self.fails && other.ends)
    }

    /// A variable that one evaluation changes and the other one uses, with nothing that orders them.
    pub fn unsequenced(&self, other: &Footprint) -> Option<Base> {
        let one_way = |a: &Footprint, b: &Footprint| {
            let used = |access: &&Access| b.own.writes.contains(*access) || b.own.reads.contains(*access);
            a.own.writes.iter().filter(|access| access.fixed.is_some()).find(used).map(|access| access.base)
        };
        one_way(self, other).or_else(|| one_way(other, self))
    }
}

impl Operand {
    /// How many conflicts there are with another operand: none, one, or more.
    pub fn conflicts(&self, other: &Operand) -> usize {
        if !self.whole.conflicts(&other.whole) {
            return 0;
        }
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.conflicts(b)).take(2).count().max(1)
    }
}

/// What is looked at: a function body, or operands in one.
pub(super) struct Look<'a> {
    hir: &'a Program,
    reach: &'a Reach,
    options: &'a super::Options,
    function: Option<FunctionId>,
    out: Footprint,
    /// What is done outside of functions whose bodies are known, access by access and call by call.
    parts: Vec<Footprint>,
    aborts: bool,
    called: Vec<FunctionId>,
    pointer_calls: usize,
}

impl Look<'_> {
    fn node(&mut self, root: Node) {
        let mut pending = vec![(root, false, true)];
        while let Some((node, within_statements, always)) = pending.pop() {
            let hir = self.hir;
            let mut inside = within_statements;
            let accesses = |look: &mut Self, place, writes, reads| {
                let Some(mut access) = look.access(place) else { return };
                if !always {
                    access.fixed = None;
                }
                let mut done = Accesses::default();
                if writes {
                    done.writes.insert(access);
                }
                if reads {
                    done.reads.insert(access);
                }
                if inside {
                    look.out.called.extend(&done);
                } else {
                    look.out.own.extend(&done);
                    look.parts.push(Footprint { own: done, ..Footprint::default() });
                }
            };
            match node {
                Node::Stmt(_) => {
                    self.out.statements = true;
                    inside = true;
                }
                Node::Place(_) => {}
                Node::Expr(expr) => match &hir.exprs[expr].kind {
                    ExprKind::Load(place) => accesses(self, *place, false, true),
                    ExprKind::Assign { place, .. } => accesses(self, *place, true, false),
                    ExprKind::Update { place, .. } | ExprKind::VaArg(place) => {
                        accesses(self, *place, true, true);
                    }
                    ExprKind::Call { callee, args } => self.call(callee, args),
                    _ => {}
                },
            }
            children(hir, node, &mut |child| {
                pending.push((child, inside, always && !is_conditional(hir, node, child)));
            });
        }
    }

    fn call(&mut self, callee: &Callee, args: &[ExprId]) {
        match callee {
            Callee::Pointer(_) => self.pointer_calls += 1,
            Callee::Function(function)
                if self.hir.functions[*function].body.is_some() && !self.is_error(*function, args) =>
            {
                self.called.push(*function);
            }
            Callee::Function(_) | Callee::Builtin(_) => {
                let done = self.without_body(callee, args);
                self.out.extend_called(&done);
                self.parts.push(done);
            }
        }
    }

    fn is_error(&self, function: FunctionId, args: &[ExprId]) -> bool {
        let source = &self.hir.functions[function];
        library::is_error(self.options, &source.name, source.body.is_some(), args.len())
    }

    /// What a call does whose body is not looked at. To abort counts only where that is not how an assertion fails.
    fn without_body(&mut self, callee: &Callee, args: &[ExprId]) -> Footprint {
        let ends = Footprint { ends: true, ..Footprint::default() };
        let fails = Footprint { fails: true, ..Footprint::default() };
        let function = match callee {
            Callee::Function(function) if self.is_error(*function, args) => return fails,
            Callee::Function(function) => *function,
            Callee::Builtin(Builtin::Unreachable | Builtin::Trap) => return ends,
            Callee::Builtin(_) | Callee::Pointer(_) => return self.given(args, true),
        };
        match self.hir.functions[function].name.as_str() {
            "abort" => {
                self.aborts = true;
                Footprint::default()
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => ends,
            name => match dialect(name) {
                Some(Dialect::Assume | Dialect::Stop) => ends,
                Some(Dialect::Assert | Dialect::Fail) => fails,
                Some(Dialect::Everything) => {
                    let access = Access { base: Base::Pointer, part: Part::Any, fixed: None, exposed: true };
                    let mut done = Footprint::default();
                    done.called.reads.insert(access);
                    done.called.writes.insert(access);
                    done
                }
                _ => self.given(args, false),
            },
        }
    }

    /// A function whose body is not looked at accesses what it is given pointers to.
    fn given(&self, args: &[ExprId], always_writes: bool) -> Footprint {
        let types = &self.hir.types;
        let mut done = Footprint::default();
        for &arg in args {
            let Some(pointee) = types.pointee(self.hir.exprs[arg].ty) else { continue };
            let access = Access { base: Base::Pointer, part: Part::Any, fixed: None, exposed: true };
            done.called.reads.insert(access);
            if always_writes || !pointee.quals.is_const() {
                done.called.writes.insert(access);
            }
        }
        done
    }

    /// `None` for a value that is no object.
    pub fn access(&self, place: PlaceId) -> Option<Access> {
        let types = &self.hir.types;
        let ty = self.hir.places[place].ty.ty;
        let scalar = scalar_type(types, ty).map(unsigned);
        let is_byte = |ty: Type| matches!(ty, Type::Int(int) if int.bits == 8);
        let mut part = match scalar {
            Some(ty) if !is_byte(ty) => Part::Scalar(ty),
            _ => Part::Any,
        };
        let mut fixed = scalar.and(types.size_of(ty)).map(|size| (0, i128::from(size)));
        let mut at = place;
        loop {
            match &self.hir.places[at].kind {
                PlaceKind::Local(local) | PlaceKind::Initialized { local, .. } => {
                    let exposed = self.function.is_some_and(|f| self.reach.memory_locals[f][*local]);
                    return Some(Access { base: Base::Local(*local), part, fixed, exposed });
                }
                PlaceKind::Global(global) => {
                    let exposed = self.reach.memory_globals[*global];
                    return Some(Access { base: Base::Global(*global), part, fixed, exposed });
                }
                PlaceKind::Temporary(_) => return None,
                PlaceKind::Field { record, field } => {
                    let id = types.as_record(self.hir.places[*record].ty.ty)?;
                    if types.record(id).kind == RecordKind::Union {
                        part = Part::Any;
                    } else if at == place
                        && let Part::Scalar(ty) = part
                    {
                        part = Part::Member(id, *field, ty);
                    }
                    let member = types.fields(id).get(*field).filter(|member| member.bits.is_none());
                    fixed = fixed.zip(member).map(|((at, n), member)| (at + i128::from(member.offset), n));
                    at = *record;
                }
                PlaceKind::Deref(pointer) => match array_of(self.hir, *pointer) {
                    Some(array) => {
                        let offset = constant_offset(self.hir, *pointer);
                        fixed = fixed.zip(offset).map(|((at, n), offset)| (at + offset, n));
                        at = array;
                    }
                    None => return Some(Access { base: Base::Pointer, part, fixed: None, exposed: true }),
                },
            }
        }
    }
}

/// Whether it depends on the run that an operand of the expression is evaluated.
pub(super) fn is_conditional(hir: &Program, node: Node, child: Node) -> bool {
    let Node::Expr(expr) = node else { return false };
    match hir.exprs[expr].kind {
        ExprKind::Logical(_, first, _) => child != Node::Expr(first),
        ExprKind::Conditional { condition, .. } => child != Node::Expr(condition),
        _ => false,
    }
}

/// The array that a pointer to an element goes out from.
pub(super) fn array_of(hir: &Program, mut pointer: ExprId) -> Option<PlaceId> {
    loop {
        match hir.exprs[pointer].kind {
            ExprKind::Decay(place) => return Some(place),
            ExprKind::PtrAdd { pointer: inner, .. } => pointer = inner,
            _ => return None,
        }
    }
}

/// How far a pointer to an element is from the beginning of the array, if its indices are constants.
fn constant_offset(hir: &Program, mut pointer: ExprId) -> Option<i128> {
    let mut offset = 0;
    while let ExprKind::PtrAdd { pointer: inner, index, negative, scale } = hir.exprs[pointer].kind {
        let mut index = index;
        while let ExprKind::Cast(_, inner) = hir.exprs[index].kind {
            index = inner;
        }
        let ExprKind::Int(index) = hir.exprs[index].kind else { return None };
        let distance = index.checked_mul(i128::from(scale))?;
        offset += if negative { -distance } else { distance };
        pointer = inner;
    }
    Some(offset)
}

/// Signed and unsigned types may access each other's objects.
fn unsigned(ty: Type) -> Type {
    match ty {
        Type::Int(int) => Type::Int(ir::IntType::unsigned(int.bits)),
        other => other,
    }
}

impl Lowering<'_> {
    pub fn operand(&mut self, function: Option<FunctionId>, node: Node) -> Operand {
        let Look { out: mut whole, mut parts, called, pointer_calls, .. } = self.look(function, node);
        if called.is_empty() && pointer_calls == 0 {
            return Operand { whole, parts };
        }
        if self.orders.functions.is_none() {
            self.orders.functions = Some(self.function_footprints());
        }
        let Some(functions) = &self.orders.functions else { return Operand { whole, parts } };
        let mut pointed = Footprint::default();
        for target in self.reach.address_taken.iter().filter_map(|f| functions.get(f)) {
            pointed.extend_called(target);
        }
        let called = called.iter().filter_map(|f| functions.get(f));
        for called in called.chain(std::iter::repeat_n(&pointed, pointer_calls)) {
            whole.extend_called(called);
            let mut part = Footprint::default();
            part.extend_called(called);
            parts.push(part);
        }
        Operand { whole, parts }
    }

    pub fn look(&self, function: Option<FunctionId>, node: Node) -> Look<'_> {
        let mut look = Look {
            hir: self.hir,
            reach: &self.reach,
            options: self.options,
            function,
            out: Footprint::default(),
            parts: Vec::new(),
            aborts: false,
            called: Vec::new(),
            pointer_calls: 0,
        };
        look.node(node);
        // A failed assertion ends by `abort` too.
        look.out.ends |= look.aborts && !look.out.fails;
        look
    }

    /// What calls of the functions do: the least solution.
    fn function_footprints(&self) -> Map<FunctionId, Footprint> {
        let mut footprints: Map<FunctionId, Footprint> = Map::default();
        let mut calls = Vec::new();
        for &function in &self.reach.functions {
            let Some(body) = &self.hir.functions[function].body else { continue };
            let mut look = self.look(Some(function), Node::Stmt(body.block));
            let elsewhere = |access: &Access| !matches!(access.base, Base::Local(_));
            look.out.called.reads.retain(elsewhere);
            look.out.called.writes.retain(elsewhere);
            let mut called = look.called;
            if look.pointer_calls > 0 {
                called.extend(&self.reach.address_taken);
            }
            called.sort_unstable();
            called.dedup();
            footprints.insert(function, look.out);
            calls.push((function, called));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (function, called) in calls.iter().rev() {
                let Some(mut own) = footprints.remove(function) else { continue };
                let size = own.size();
                for called in called.iter().filter_map(|f| footprints.get(f)) {
                    own.extend_called(called);
                }
                changed |= own.size() != size;
                footprints.insert(*function, own);
            }
        }
        footprints
    }
}
