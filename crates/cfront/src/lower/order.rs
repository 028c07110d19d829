//! Where C leaves the order of evaluation open (C11 6.5 p2, p3): which orders differ.
//!
//! Two operands differ by their order if a function that one of them calls accesses what the other one
//! changes, or the other way round, or if one may end the run before the other one fails. Then the
//! program chooses the order, as an input: from left to right or from right to left. These are all
//! orders if only one pair of operands is in conflict; otherwise, and where operands cannot be lowered
//! twice, the answer lists an assumption. What operands do to one scalar variable themselves, outside of
//! calls, is undefined if one changes it and the other one uses it; so for members and for elements with constant
//! indices. Where it takes a run to tell whether they meet, the answer lists that they do not.
//!
//! Accesses through pointers are told apart by member and by type, as C allows (6.5 p7).

use craig_base::{Map, Set};
use craig_program as ir;
use ir::{NoteKind, Type};

use super::body::{Body, Value};
use super::layout::scalar_type;
use super::place::Target;
use super::reach::Reach;
use super::visit::{Node, children};
use super::{Lowering, library};
use crate::dialect::{Dialect, dialect};
use crate::hir::{
    Builtin, Callee, ExprId, ExprKind, FunctionId, GlobalId, LocalId, PlaceId, PlaceKind, Program,
};
use crate::types::{RecordId, RecordKind, TypeId};

/// Operands that contain a choice of order may be lowered this many times over.
const MAX_NESTING: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Base {
    Local(LocalId),
    Global(GlobalId),
    Pointer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Member(RecordId, usize, Type),
    Scalar(Type),
    /// Bytes, aggregates, members of unions.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Access {
    base: Base,
    part: Part,
    /// The first and the number of the bytes of the variable that are meant, if it is plain that it is these.
    fixed: Option<(i128, i128)>,
    /// Pointers may lead there.
    exposed: bool,
}

#[derive(Clone, Default, PartialEq)]
struct Accesses {
    reads: Set<Access>,
    writes: Set<Access>,
}

/// What an evaluation does that others may notice.
#[derive(Clone, Default, PartialEq)]
struct Footprint {
    /// Outside of calls.
    own: Accesses,
    /// In the functions that it calls.
    called: Accesses,
    /// It may end the run without an error; it may reach the error.
    ends: bool,
    fails: bool,
    /// It contains statements, which are lowered only once.
    statements: bool,
}

#[derive(Default)]
pub(super) struct Orders {
    /// What calls of each function do, once that is needed.
    functions: Option<Map<FunctionId, Footprint>>,
    nesting: u32,
}

/// How operands are to be evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// From left to right, like any other.
    Any,
    Both,
}

impl Accesses {
    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    fn extend(&mut self, other: &Accesses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn meets(&self, other: &Accesses) -> bool {
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }
}

fn meet(some: &Set<Access>, others: &Set<Access>) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.meets(other)))
}

impl Access {
    fn meets(&self, other: &Access) -> bool {
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
    fn unsequenced(&self, other: &Footprint) -> Option<Base> {
        let one_way = |a: &Footprint, b: &Footprint| {
            let used = |access: &&Access| b.own.writes.contains(*access) || b.own.reads.contains(*access);
            a.own.writes.iter().filter(|access| access.fixed.is_some()).find(used).map(|access| access.base)
        };
        one_way(self, other).or_else(|| one_way(other, self))
    }
}

/// What is looked at: a function body, or operands in one.
struct Look<'a> {
    hir: &'a Program,
    reach: &'a Reach,
    options: &'a super::Options,
    function: Option<FunctionId>,
    out: Footprint,
    aborts: bool,
    called: Vec<FunctionId>,
    calls_pointers: bool,
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
                let into = if inside { &mut look.out.called } else { &mut look.out.own };
                if writes {
                    into.writes.insert(access);
                }
                if reads {
                    into.reads.insert(access);
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
        let hir = self.hir;
        let function = match callee {
            Callee::Function(function) => *function,
            Callee::Pointer(_) => {
                self.calls_pointers = true;
                return;
            }
            Callee::Builtin(Builtin::Unreachable | Builtin::Trap) => {
                self.out.ends = true;
                return;
            }
            Callee::Builtin(_) => return self.may_access(args, true),
        };
        let source = &hir.functions[function];
        if library::is_error(self.options, &source.name, source.body.is_some(), args.len()) {
            self.out.fails = true;
            return;
        }
        if source.body.is_some() {
            self.called.push(function);
            return;
        }
        match source.name.as_str() {
            "abort" => self.aborts = true,
            "exit" | "_exit" | "_Exit" | "quick_exit" => self.out.ends = true,
            name => match dialect(name) {
                Some(Dialect::Assume | Dialect::Stop) => self.out.ends = true,
                Some(Dialect::Assert | Dialect::Fail) => self.out.fails = true,
                _ => self.may_access(args, false),
            },
        }
    }

    /// A function whose body is not looked at accesses what it is given pointers to.
    fn may_access(&mut self, args: &[ExprId], always_writes: bool) {
        let types = &self.hir.types;
        for &arg in args {
            let Some(pointee) = types.pointee(self.hir.exprs[arg].ty) else { continue };
            let access = Access { base: Base::Pointer, part: Part::Any, fixed: None, exposed: true };
            self.out.called.reads.insert(access);
            if always_writes || !pointee.quals.is_const() {
                self.out.called.writes.insert(access);
            }
        }
    }

    /// `None` for a value that is no object.
    fn access(&self, place: PlaceId) -> Option<Access> {
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
fn is_conditional(hir: &Program, node: Node, child: Node) -> bool {
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
    fn footprint(&mut self, function: Option<FunctionId>, node: Node) -> Footprint {
        let Look { mut out, called, calls_pointers, .. } = self.look(function, node);
        if called.is_empty() && !calls_pointers {
            return out;
        }
        if self.orders.functions.is_none() {
            self.orders.functions = Some(self.function_footprints());
        }
        let Some(functions) = &self.orders.functions else { return out };
        let pointers = if calls_pointers { self.reach.address_taken.as_slice() } else { &[] };
        for called in called.iter().chain(pointers).filter_map(|f| functions.get(f)) {
            out.extend_called(called);
        }
        out
    }

    fn look(&self, function: Option<FunctionId>, node: Node) -> Look<'_> {
        let mut look = Look {
            hir: self.hir,
            reach: &self.reach,
            options: self.options,
            function,
            out: Footprint::default(),
            aborts: false,
            called: Vec::new(),
            calls_pointers: false,
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
            if look.calls_pointers {
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

impl Body<'_, '_> {
    fn footprint(&mut self, node: Node) -> Footprint {
        self.lw.footprint(self.function, node)
    }

    /// How operands must be evaluated. Lists what is assumed.
    fn order(&mut self, operands: &[Footprint]) -> Order {
        let pairs = || (0..operands.len()).flat_map(|i| (0..i).map(move |j| (&operands[j], &operands[i])));
        if let Some(variable) = pairs().find_map(|(a, b)| a.unsequenced(b)) {
            self.undefined_order(variable);
            return Order::Any;
        }
        if pairs().any(|(a, b)| a.own.meets(&b.own)) {
            self.assume_apart();
        }
        let conflicts = pairs().filter(|(a, b)| a.conflicts(b)).count();
        if conflicts == 0 {
            return Order::Any;
        }
        let at = self.span;
        let twice = self.lw.orders.nesting < MAX_NESTING && !operands.iter().any(|o| o.statements);
        if !twice || conflicts > 1 {
            let orders =
                if twice { "from left to right or from right to left" } else { "from left to right" };
            let text = format!("line {}: operands are evaluated {orders}", at.line);
            self.lw.note(NoteKind::Assumption, at, text);
        }
        if twice { Order::Both } else { Order::Any }
    }

    /// Operands may meet in memory, one of them changing it, outside of calls.
    fn assume_apart(&mut self) {
        let at = self.span;
        let text =
            format!("line {}: operands do not change what others use in an order that is open", at.line);
        self.lw.note(NoteKind::Assumption, at, text);
    }

    /// C gives no meaning to what comes: the run ends.
    fn undefined_order(&mut self, variable: Base) {
        let hir = self.hir();
        let name = match variable {
            Base::Local(local) => {
                let body = self.function.and_then(|f| hir.functions[f].body.as_ref());
                body.map_or("", |body| body.locals[local].name.as_str())
            }
            Base::Global(global) => hir.globals[global].name.as_str(),
            Base::Pointer => "",
        };
        let at = self.span;
        let text = format!("line {}: '{name}' is not changed and used in an order that is open", at.line);
        self.lw.note(NoteKind::Unchecked(ir::CheckKind::Memory), at, text);
        // An answer to other questions supposes one order and goes on.
        let what = ir::InputSource::Unmodelled("evaluation from right to left".into());
        let open = self.input(Type::Bool, what);
        let in_order = self.lw.out.exprs.not(open);
        self.require(
            ir::CheckKind::Memory,
            in_order,
            format!("'{name}' is changed and used in an order that is open"),
        );
    }

    /// Does things in both orders, by choice. Each of them leaves its results in variables.
    fn either_way(&mut self, steps: usize, step: &mut dyn FnMut(&mut Self, usize)) {
        let what = ir::InputSource::Unmodelled("evaluation from right to left".into());
        let backwards = self.input(Type::Bool, what);
        let (left, right, end) = (self.new_location(), self.new_location(), self.new_location());
        self.split(backwards, right, left);
        self.lw.orders.nesting += 1;
        self.here = left;
        (0..steps).for_each(|i| step(self, i));
        self.goto(end);
        self.here = right;
        (0..steps).rev().for_each(|i| step(self, i));
        self.lw.orders.nesting -= 1;
        self.arrive(end);
    }

    /// The value of the expression, in the variables.
    fn value_into(&mut self, id: ExprId, vars: &[ir::VarId]) {
        let ty = self.hir().exprs[id].ty;
        let value = self.value(id).on_its_own(self, ty);
        self.assign_value(vars, value);
    }

    /// The values of operands, if their order makes a difference.
    pub fn in_either_order(&mut self, operands: &[ExprId]) -> Option<Vec<Value>> {
        if operands.len() < 2 || !operands.iter().any(|&operand| self.care(Node::Expr(operand)).effects) {
            return None;
        }
        let prints = operands.iter().map(|&operand| self.footprint(Node::Expr(operand))).collect();
        self.in_order_of(operands, prints)
    }

    /// As [`Self::in_either_order`], of expressions none of which begins before another one is done.
    pub fn one_by_one(&mut self, values: &[ExprId]) -> Option<Vec<Value>> {
        if values.len() < 2 || !values.iter().any(|&value| self.care(Node::Expr(value)).effects) {
            return None;
        }
        let print = |&value: &ExprId| {
            let mut print = self.footprint(Node::Expr(value));
            print.called.extend(&std::mem::take(&mut print.own));
            print
        };
        let prints = values.iter().map(print).collect();
        self.in_order_of(values, prints)
    }

    fn in_order_of(&mut self, operands: &[ExprId], prints: Vec<Footprint>) -> Option<Vec<Value>> {
        if self.order(&prints) == Order::Any {
            return None;
        }
        let types: Vec<TypeId> = operands.iter().map(|&operand| self.hir().exprs[operand].ty).collect();
        let vars: Vec<Vec<ir::VarId>> = types.iter().map(|&ty| self.result_vars(ty)).collect();
        self.either_way(operands.len(), &mut |body, i| body.value_into(operands[i], &vars[i]));
        let mut values = Vec::new();
        for (&ty, vars) in types.iter().zip(&vars) {
            let shape = self.lw.shape(ty);
            values.push(self.value_of_vars(shape, vars));
        }
        Some(values)
    }

    /// The place and the value of an assignment, if their order makes a difference.
    pub fn place_and_value(&mut self, place: PlaceId, value: ExprId) -> Option<(Target, Value)> {
        if !self.care(Node::Expr(value)).effects && !self.care(Node::Place(place)).effects {
            return None;
        }
        let prints = [self.footprint(Node::Place(place)), self.footprint(Node::Expr(value))];
        if self.changed_by_operand(place, value) || self.order(&prints) == Order::Any {
            return None;
        }
        let ty = self.hir().exprs[value].ty;
        let vars = self.result_vars(ty);
        let address = self.temporary(Type::Pointer);
        let mut target = None;
        self.either_way(2, &mut |body, i| match i {
            0 => target = Some(body.place_into(place, address)),
            _ => body.value_into(value, &vars),
        });
        let shape = self.lw.shape(ty);
        Some((target?, self.value_of_vars(shape, &vars)))
    }

    /// `i = i++`: nothing orders the two changes.
    fn changed_by_operand(&mut self, place: PlaceId, value: ExprId) -> bool {
        let hir = self.hir();
        let look = self.lw.look(self.function, Node::Place(place));
        let Some(access) = look.access(place) else { return false };
        // What is changed, and whether it is so in every run.
        let mut changes: Vec<(Access, bool)> = Vec::new();
        let mut pending = vec![(Node::Expr(value), true)];
        while let Some((node, always)) = pending.pop() {
            let Node::Expr(expr) = node else {
                children(hir, node, &mut |child| pending.push((child, always)));
                continue;
            };
            match &hir.exprs[expr].kind {
                // What these do is done before their value is known.
                ExprKind::Call { .. } | ExprKind::Statement { .. } | ExprKind::VaArg(_) => {}
                ExprKind::Comma(_, last) => pending.push((Node::Expr(*last), always)),
                ExprKind::Logical(..) | ExprKind::Conditional { .. } => {
                    children(hir, node, &mut |child| {
                        if is_conditional(hir, node, child) {
                            pending.push((child, false));
                        }
                    });
                }
                kind => {
                    if let ExprKind::Update { place, .. } | ExprKind::Assign { place, .. } = kind {
                        changes.extend(look.access(*place).map(|access| (access, always)));
                    }
                    children(hir, node, &mut |child| pending.push((child, always)));
                }
            }
        }
        if access.fixed.is_some() && changes.contains(&(access, true)) {
            self.undefined_order(access.base);
            return true;
        }
        if changes.iter().any(|(change, _)| change.meets(&access)) {
            self.assume_apart();
        }
        false
    }

    /// The place of an update, what it holds before, and the right operand, if their order makes a
    /// difference.
    pub fn place_and_operand(
        &mut self,
        place: PlaceId,
        right: ExprId,
    ) -> Option<(Target, ir::ExprId, ir::ExprId)> {
        if !self.care(Node::Expr(right)).effects && !self.care(Node::Place(place)).effects {
            return None;
        }
        let mut read = self.footprint(Node::Place(place));
        read.own.reads.extend(self.lw.look(self.function, Node::Place(place)).access(place));
        let prints = [read, self.footprint(Node::Expr(right))];
        if self.order(&prints) == Order::Any {
            return None;
        }
        let ty = self.hir().places[place].ty.ty;
        let scalar = self.lw.scalar_type(ty)?;
        let right_type = self.lw.scalar_type(self.hir().exprs[right].ty)?;
        let (before, operand) = (self.temporary(scalar), self.temporary(right_type));
        let address = self.temporary(Type::Pointer);
        let mut target = None;
        self.either_way(2, &mut |body, i| match i {
            0 => {
                let found = body.place_into(place, address);
                let value = body.load(&found, ty);
                body.assign_value(&[before], value);
                target = Some(found);
            }
            _ => body.value_into(right, &[operand]),
        });
        Some((target?, self.var(before), self.var(operand)))
    }
}
