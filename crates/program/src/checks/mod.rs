//! What can fail, as errors of the program.
//!
//! [`instrument`] puts a test before every statement that can be undefined: if it fails, the error location
//! of the procedure is reached, by an edge of its own for each check; if not, the statement runs. Nothing
//! goes on after undefined behaviour, so a later check is asked only on runs that passed the earlier ones,
//! and the tests of operands come before those of the operations on them.
//!
//! Checks that are not asked for stay what they were: the meaning of expressions ends the path at an
//! overflow, a division by zero or a shift out of range ([`crate::Expr`]), and the executor at an invalid
//! access. Only the use of an automatic object after its end, and writes to constant ones, which addresses alone do
//! not show, are tested in any case.

mod arithmetic;
mod memory;
mod objects;
mod pointer;

pub use memory::TRACKED;

use crate::effects::stmt_operands;
use crate::expr::{BinaryOp, Expr, ExprId};
use crate::ir::{
    Check, CheckKind, EdgeId, LocId, NoteKind, Obligation, Place, ProcId, Program, Span, Stmt, Unchecked,
};
use crate::types::Type;
use crate::words::Words;
use craig_base::{Map, Set};
use objects::RegionObjects;

/// A set of kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CheckSet(u16);

impl CheckKind {
    pub const ALL: [CheckKind; 12] = [
        CheckKind::Error,
        CheckKind::Rule,
        CheckKind::Memory,
        CheckKind::Leak,
        CheckKind::Cleanup,
        CheckKind::Overflow,
        CheckKind::Division,
        CheckKind::Shift,
        CheckKind::Uninitialised,
        CheckKind::Conversion,
        CheckKind::Alignment,
        CheckKind::Pointer,
    ];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Error => "error",
            CheckKind::Rule => "rule",
            CheckKind::Memory => "memory",
            CheckKind::Leak => "leak",
            CheckKind::Cleanup => "cleanup",
            CheckKind::Overflow => "overflow",
            CheckKind::Division => "division",
            CheckKind::Shift => "shift",
            CheckKind::Uninitialised => "uninitialised",
            CheckKind::Conversion => "conversion",
            CheckKind::Alignment => "alignment",
            CheckKind::Pointer => "pointer",
        }
    }

    /// What it means that a check of this kind fails.
    pub fn description(self) -> &'static str {
        match self {
            CheckKind::Error => "An error call or a failed assertion can be reached.",
            CheckKind::Rule => "A rule about the use of an interface is broken.",
            CheckKind::Memory => "Memory outside of live objects is accessed or freed.",
            CheckKind::Leak => "Allocated memory is lost.",
            CheckKind::Cleanup => "Memory is still allocated at the end.",
            CheckKind::Overflow => "A signed integer overflows.",
            CheckKind::Division => "A number is divided by zero.",
            CheckKind::Shift => "A shift is by less than zero or at least the width.",
            CheckKind::Uninitialised => "A value is used that was never written.",
            CheckKind::Conversion => "A conversion changes the value.",
            CheckKind::Alignment => "An address is not aligned as its type asks.",
            CheckKind::Pointer => "Pointer arithmetic leaves its object, or different objects are compared.",
        }
    }

    /// Whether a run goes on after this check has failed: it is a flaw, but no undefined behaviour.
    pub fn run_goes_on(self) -> bool {
        matches!(
            self,
            CheckKind::Leak | CheckKind::Cleanup | CheckKind::Uninitialised | CheckKind::Conversion
        )
    }
}

impl CheckSet {
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    pub fn insert(&mut self, kind: CheckKind) {
        self.0 |= 1 << kind as u16;
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_subset_of(self, other: CheckSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The kinds of either.
    #[must_use]
    pub fn union(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 | other.0)
    }

    #[must_use]
    pub fn without(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl FromIterator<CheckKind> for CheckSet {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> Self {
        let mut set = CheckSet::default();
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// A condition under which something fails.
struct Violation {
    kind: CheckKind,
    condition: ExprId,
    what: &'static str,
    /// Said after it, except in models of library functions, which no user knows.
    of: String,
}

/// What is asked about a statement.
#[derive(Clone, Copy)]
struct Question<'t> {
    wanted: CheckSet,
    tracking: Option<&'t memory::Tracking>,
    objects: &'t objects::Objects,
    /// Where it stands.
    span: Span,
}

impl Question<'_> {
    /// Whether the statement stands nowhere in the program, which is not to blame for it.
    fn is_of_nobody(&self) -> bool {
        self.span.line == 0
    }
}

/// Makes errors of what is wanted. To be called once, on a program with calls. Returns the kinds that are checked
/// wherever they could fail: the program may say that it does not want some of them at some places.
pub fn instrument(program: &mut Program, wanted: CheckSet) -> CheckSet {
    let memory = memory::Tracking::new(program, wanted);
    let objects = RegionObjects::of_all(program);
    let everywhere = Question { wanted, tracking: memory.as_ref(), objects: &objects, span: Span::default() };
    let mut checks = Vec::new();
    let mut left_out = CheckSet::default();
    for id in program.procs.indices().collect::<Vec<_>>() {
        let (asked, ends): (Vec<Check>, Vec<Check>) =
            error_checks(program, id).into_iter().partition(|check| wanted.contains(check.kind));
        end_errors(program, id, &ends);
        checks.extend(asked);
        checks.extend(broken_obligations(program, id, wanted));
        let locations: Vec<LocId> = program.procs[id].locations.indices().collect();
        let effects = memory::effects_of(program, id);
        for location in locations {
            let unwanted = guard_location(program, id, location, everywhere, &mut checks);
            left_out = left_out.union(unwanted);
        }
        if let Some(memory) = &memory {
            memory.follow(program, id, &effects, &mut checks);
            if id == program.entry && wanted.contains(CheckKind::Pointer) {
                pointer::choose_static_object(program, memory);
            }
        }
        program.procs[id].rebuild_adjacency();
    }
    blame_callers(program, &mut checks);
    checks.sort_by_key(|check| (check.span, check.kind, check.proc, check.edge));
    program.checks = checks;
    program.words = Words::default();
    wanted.without(left_out)
}

/// What fails in a model of a library function is reported where the program calls that.
fn blame_callers(program: &Program, checks: &mut [Check]) {
    if !checks.iter().any(|check| program.is_in_library(check.span)) {
        return;
    }
    let mut callers: Map<ProcId, Option<(ProcId, Span)>> = Map::default();
    for (caller, proc) in program.procs.enumerated() {
        for edge in &proc.edges {
            if let Stmt::Call { callee, .. } = edge.stmt {
                // Only one that is the only one is to blame.
                callers.entry(callee).and_modify(|one| *one = None).or_insert(Some((caller, edge.span)));
            }
        }
    }
    for check in checks.iter_mut() {
        let mut at = check.proc;
        let mut name = None;
        while program.is_in_library(check.span)
            && let Some(&Some((caller, span))) = callers.get(&at)
        {
            name = Some(program.called_name(at));
            (at, check.span) = (caller, span);
        }
        if let Some(name) = name.filter(|_| !check.text.contains('`')) {
            check.text = format!("{} in `{name}`", check.text);
        }
    }
}

/// What leads to the error of a procedure as it is.
fn error_checks(program: &Program, id: ProcId) -> Vec<Check> {
    let proc = &program.procs[id];
    let edges = proc.edges.enumerated().filter(|(_, edge)| edge.to == proc.error);
    edges
        .map(|(edge, at)| {
            let said = |kind| program.notes.iter().find(|note| note.kind == kind && note.span == at.span);
            let (kind, said) = match said(NoteKind::BrokenRule) {
                Some(rule) => (CheckKind::Rule, Some(rule)),
                None => (CheckKind::Error, said(NoteKind::Property)),
            };
            let text = said.map_or_else(|| "the error is reached".to_string(), |note| note.text.clone());
            Check { kind, proc: id, edge, span: at.span, text }
        })
        .collect()
}

/// Makes errors of what the front end states, as far as it is asked for.
fn broken_obligations(program: &mut Program, id: ProcId, wanted: CheckSet) -> Vec<Check> {
    let proc = &mut program.procs[id];
    let mut checks = Vec::new();
    for obligation in std::mem::take(&mut proc.obligations) {
        let Obligation { broken, kind, text } = obligation;
        if !wanted.contains(kind) {
            proc.obligations.push(Obligation { broken, kind, text });
            continue;
        }
        for edge in proc.locations[broken].incoming.clone() {
            proc.edges[edge].to = proc.error;
            let span = proc.edges[edge].span;
            checks.push(Check { kind, proc: id, edge, span, text: text.to_string() });
        }
    }
    checks
}

/// What led to the error leads to a location without a way on.
fn end_errors(program: &mut Program, id: ProcId, ends: &[Check]) {
    if ends.is_empty() {
        return;
    }
    let proc = &mut program.procs[id];
    let end = proc.add_location(proc.locations[proc.error].span);
    for check in ends {
        proc.edges[check.edge].to = end;
    }
}

/// Returns the kinds of checks that would be wanted here, but for what the program says.
fn guard_location(
    program: &mut Program,
    id: ProcId,
    location: LocId,
    everywhere: Question<'_>,
    checks: &mut Vec<Check>,
) -> CheckSet {
    let outgoing = program.procs[id].locations[location].outgoing.clone();
    let span = outgoing.first().map_or(program.procs[id].span, |&edge| program.procs[id].edges[edge].span);
    let unwanted = program.unwanted_at(span);
    let wanted = everywhere.wanted.without(unwanted);
    let mut left_out = CheckSet::default();
    if wanted != everywhere.wanted {
        let question = Question { span, ..everywhere };
        let kinds = violations(program, id, &outgoing, question).into_iter().map(|violation| violation.kind);
        left_out =
            kinds.filter(|&kind| everywhere.wanted.contains(kind) && unwanted.contains(kind)).collect();
    }
    let question = Question { wanted, span, ..everywhere };
    let violations = violations(program, id, &outgoing, question);
    if violations.is_empty() {
        return left_out;
    }
    let at = program.procs[id].locations[location].span;
    let in_library = program.is_in_library(span);
    let mut here = location;
    for violation in violations {
        let holds = program.exprs.not(violation.condition);
        let proc = &mut program.procs[id];
        let next = proc.add_location(at);
        if wanted.contains(violation.kind) && !question.is_of_nobody() {
            let edge = proc.add_edge(here, proc.error, Stmt::Assume(violation.condition), span);
            let text = match in_library {
                true => violation.what.to_string(),
                false => format!("{} {}", violation.what, violation.of).trim_end().to_string(),
            };
            checks.push(Check { kind: violation.kind, proc: id, edge, span, text });
        }
        proc.add_edge(here, next, Stmt::Assume(holds), span);
        here = next;
    }
    for edge in outgoing {
        program.procs[id].edges[edge].from = here;
    }
    left_out
}

/// In the order in which they happen.
fn violations(program: &mut Program, id: ProcId, edges: &[EdgeId], question: Question<'_>) -> Vec<Violation> {
    let stmts: Vec<Stmt> = edges.iter().map(|&edge| program.procs[id].edges[edge].stmt.clone()).collect();
    let roots: Vec<ExprId> = stmts.iter().flat_map(stmt_operands).collect();
    let order = program.exprs.postorder(&roots);
    let guards = guards(program, &order, &roots);
    let offsets = offsets(program, &order);
    let accessed = pointer::accessed(program, &stmts, &order);
    let mut found = Vec::new();
    for id in order {
        let mut own = arithmetic::violations(program, id, offsets.contains(&id), question);
        if let Expr::Load { region, addr, ty } = program.exprs.get(id) {
            own.extend(memory::access(program, region, addr, ty, memory::Access::Read, question));
        }
        // How models of the library calculate is not the program's.
        if !program.is_in_library(question.span) {
            own.extend(pointer::violation(program, id, accessed.contains(&id), question));
        }
        let no = program.exprs.bool(false);
        for violation in own {
            let condition = program.exprs.ite(guards[&id], violation.condition, no);
            found.push(Violation { condition, ..violation });
        }
    }
    for stmt in &stmts {
        match *stmt {
            Stmt::Assign(Place::Memory { region, addr, ty }, _)
            | Stmt::Input(Place::Memory { region, addr, ty }, _) => {
                found.extend(memory::access(program, region, addr, ty, memory::Access::Write, question));
            }
            Stmt::Free(addr) => found.extend(memory::release(program, addr, question)),
            _ => {}
        }
    }
    found.retain(|violation| program.exprs.as_const(violation.condition) != Some(0));
    // The two sides of a branch have the same operands; so may several statements.
    let mut seen = Set::default();
    found.retain(|violation| seen.insert((violation.condition, violation.kind)));
    found
}

/// Products that move pointers.
fn offsets(program: &Program, order: &[ExprId]) -> Set<ExprId> {
    let moves = order.iter().filter_map(|&id| match program.exprs.get(id) {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, pointer, by)
            if program.exprs.ty(pointer) == Type::Pointer =>
        {
            matches!(program.exprs.get(by), Expr::Binary(BinaryOp::Mul, ..)).then_some(by)
        }
        _ => None,
    });
    moves.collect()
}

/// For each expression the condition under which it is evaluated: an `ite` evaluates one operand only.
fn guards(program: &mut Program, order: &[ExprId], roots: &[ExprId]) -> Map<ExprId, ExprId> {
    let (yes, no) = (program.exprs.bool(true), program.exprs.bool(false));
    let mut guards: Map<ExprId, ExprId> = roots.iter().map(|&root| (root, yes)).collect();
    for &id in order.iter().rev() {
        let guard = guards.get(&id).copied().unwrap_or(no);
        let under =
            |program: &mut Program, operand: ExprId, guard: ExprId, guards: &mut Map<ExprId, ExprId>| {
                let before = guards.get(&operand).copied().unwrap_or(no);
                let either = program.exprs.ite(before, yes, guard);
                guards.insert(operand, either);
            };
        if let Expr::Ite(condition, then, otherwise) = program.exprs.get(id) {
            under(program, condition, guard, &mut guards);
            let chosen = program.exprs.ite(guard, condition, no);
            under(program, then, chosen, &mut guards);
            let negation = program.exprs.not(condition);
            let chosen = program.exprs.ite(guard, negation, no);
            under(program, otherwise, chosen, &mut guards);
        } else {
            for operand in program.exprs.operands(id).collect::<Vec<_>>() {
                under(program, operand, guard, &mut guards);
            }
        }
    }
    guards
}

impl Program {
    /// The kinds of checks that the program does not want at a place.
    fn unwanted_at(&self, span: Span) -> CheckSet {
        let here = |stretch: &&Unchecked| (stretch.from..stretch.to).contains(&span);
        let stretches = self.unchecked.iter().filter(here);
        stretches.fold(CheckSet::default(), |kinds, stretch| kinds.union(stretch.kinds))
    }

    /// The check that fails by this edge into the error.
    pub fn check_at(&self, proc: ProcId, edge: EdgeId) -> Option<usize> {
        self.checks.iter().position(|check| (check.proc, check.edge) == (proc, edge))
    }

    /// The same program in which this check does not fail: a run that would have failed it ends there, or
    /// goes on, as the kind of check says.
    pub fn without_check(&mut self, check: usize) {
        let Check { kind, proc, edge, span, .. } = self.checks[check];
        let proc = &mut self.procs[proc];
        let nowhere = proc.add_location(span);
        if kind.run_goes_on() {
            let no = self.exprs.bool(false);
            let from = proc.edges[edge].from;
            for other in proc.edges.iter_mut().filter(|other| other.from == from) {
                other.stmt = Stmt::Skip;
            }
            proc.edges[edge].stmt = Stmt::Assume(no);
        }
        proc.edges[edge].to = nowhere;
        proc.rebuild_adjacency();
    }

    /// The program in which only these checks fail.
    pub fn with_checks(&self, checks: &[usize]) -> Program {
        let mut restricted = self.clone();
        for check in (0..self.checks.len()).filter(|check| !checks.contains(check)) {
            restricted.without_check(check);
        }
        restricted
    }

    /// Whether the check was not taken out: then it leads elsewhere.
    pub fn may_fail(&self, check: &Check) -> bool {
        let proc = &self.procs[check.proc];
        proc.edges[check.edge].to == proc.error
    }

    fn span_of(&self, proc: ProcId, edge: EdgeId) -> Span {
        self.procs[proc].edges[edge].span
    }
}
