//! The events of a run. Its middle is left out if it is long, except for its inputs.

use super::objects::Objects;
use super::outside::{is_bookkeeping, of_arguments};
use super::places::{Cell, Here, Written};
use super::relevance::{Flow, relevant};
use super::{Event, Origin, Step, Target};
use crate::report::Location;
use crate::report::expression::Expressions;
use crate::report::safety::report_location;
use craig_base::Set;
use craig_cfront::contract::PREFIX;
use craig_exec::{InputSite, Observer, Outcome, Site, Source, StateView};
use craig_program::{Expr, ExprId, InputSource, Place, ProcId, Program, Stmt, TRACKED, VarId, stmt_operands};
use std::cell::RefCell;
use std::rc::Rc;

/// How many statements a run has.
#[derive(Default)]
pub struct Count {
    pub edges: u64,
}

impl Observer for Count {
    fn edge(&mut self, _site: Site, _state: &dyn StateView) {
        self.edges += 1;
    }

    fn skippable(&self) -> u64 {
        u64::MAX
    }

    fn skipped(&mut self, edges: u64) {
        self.edges += edges;
    }
}

/// More inputs of the middle are not kept.
const MIDDLE_INPUTS: usize = 1000;

/// What happened, with what it read and wrote. Some events are only of interest for that.
struct Recorded {
    step: Option<Step>,
    flow: Flow,
    /// An uninitialised value, which is of interest only if the failure depends on it.
    if_it_matters: bool,
}

/// A statement that has begun, and is put into words when the state after it is known.
struct Open {
    site: Site,
    depth: usize,
    written: Option<Written>,
    reads: Vec<Cell>,
    /// Of a pointer that is freed.
    freed: Option<u64>,
    is_kept: bool,
}

/// Puts a run into words: the first statements, and those from a number on.
pub struct Recorder<'p> {
    program: &'p Program,
    expressions: Expressions<'p>,
    objects: Objects<'p>,
    first: u64,
    last_from: u64,
    edges: u64,
    omitted: u64,
    inputs_of_the_middle: usize,
    /// Temporaries that hold what C leaves in a variable.
    uninitialised: Set<VarId>,
    /// The function whose arguments are made, if there is one.
    under_test: Option<ProcId>,
    /// What was found since the last statement in memory that was never written. Conditions are asked about before
    /// it is known which of them holds, so this may belong to no statement that was told of.
    pub found: Found,
    /// The objects that a function under test is given: where they begin, and their sizes.
    given: Vec<(u64, u64)>,
    open: Option<Open>,
    recorded: Vec<Recorded>,
}

/// Where memory was asked for, and what was found there.
type Found = Rc<RefCell<Vec<(InputSite, i128)>>>;

impl<'p> Recorder<'p> {
    pub fn new(program: &'p Program, first: u64, last_from: u64) -> Self {
        Recorder {
            program,
            expressions: Expressions::new(program),
            objects: Objects::new(program),
            first,
            last_from,
            edges: 0,
            omitted: 0,
            inputs_of_the_middle: 0,
            uninitialised: uninitialised(program),
            under_test: under_test(program),
            found: Found::default(),
            given: Vec::new(),
            open: None,
            recorded: Vec::new(),
        }
    }

    pub fn steps(self) -> Vec<Step> {
        let flows: Vec<Flow> = self.recorded.iter().map(|recorded| recorded.flow.clone()).collect();
        // Nothing explains a run that fails nothing.
        let failed = matches!(self.recorded.last(), Some(Recorded { step: Some(step), .. })
            if matches!(step.event, Event::Failure(_)));
        let relevant = if failed { relevant(&flows) } else { vec![false; flows.len()] };
        let mut steps = Vec::new();
        for (Recorded { step, if_it_matters, .. }, matters) in self.recorded.into_iter().zip(relevant) {
            if let Some(step) = step.filter(|_| matters || !if_it_matters) {
                steps.push(Step { matters, ..step });
            }
        }
        steps
    }

    fn stmt(&self, site: Site) -> &'p Stmt {
        &self.program.procs[site.proc].edges[site.edge].stmt
    }

    fn location(&self, site: Site) -> Option<Location> {
        let (mut span, mut proc) = (site.span(self.program), &self.program.procs[site.proc]);
        // What makes the arguments of a function stands in no file.
        if let Some(function) = self.under_test.filter(|_| proc.name.starts_with(PREFIX)) {
            proc = &self.program.procs[function];
            span = proc.span;
        }
        // The models of library functions are none of the reader's business.
        let in_source =
            |file: u32| self.program.files.get(file as usize).is_some_and(|name| !name.starts_with('<'));
        (span.line > 0 && in_source(span.file)).then(|| Location {
            function: Some(proc.name.to_string()),
            ..report_location(self.program, span)
        })
    }

    fn push(&mut self, site: Site, depth: usize, event: Option<Event>, flow: Flow, if_it_matters: bool) {
        // What a function without a body writes stands nowhere, but belongs to the call.
        let is_outside = site.span(self.program).line == 0
            && matches!(self.stmt(site), Stmt::Assign(Place::Memory { .. }, _));
        let last =
            self.recorded.iter().rev().find_map(|recorded| recorded.step.as_ref()).filter(|_| is_outside);
        let location = self.location(site).or_else(|| last.map(|step| step.location.clone()));
        let makes_arguments = self.program.procs[site.proc].name.starts_with(PREFIX);
        let event = if makes_arguments { event.and_then(of_arguments) } else { event };
        let step = event.and_then(|event| Some(Step { location: location?, depth, event, matters: false }));
        if step.is_some() || !flow.reads.is_empty() || !flow.writes.is_empty() {
            self.recorded.push(Recorded { step, flow, if_it_matters });
        }
    }

    /// Completes the newest statement with the state after it.
    fn close(&mut self, state: &dyn StateView) {
        let found = std::mem::take(&mut *self.found.borrow_mut());
        for (at, value) in found {
            self.push_found(&at, value, state);
        }
        let Some(open) = self.open.take() else { return };
        let stmt = self.stmt(open.site);
        let content = {
            let here = Here { expressions: &self.expressions, objects: &self.objects, state };
            open.written.as_ref().and_then(|written| here.content(written))
        };
        // Objects are followed through the whole run.
        let mut made = None;
        if let (Stmt::Alloc { var, size }, Some(address)) = (stmt, content) {
            let memory = state.memory().and_then(|memory| memory.object_at(address as u64));
            let size = match memory {
                Some(object) => object.size,
                None => self.program.exprs.as_const(*size).unwrap_or(0) as u64,
            };
            let local = self.program.automatic.contains(var).then(|| {
                let name = &self.program.vars[*var].name;
                name.strip_prefix('&').unwrap_or("temporary").to_string()
            });
            let ty = self.program.c_type(*var).and_then(|ty| self.program.source_types.pointee(ty));
            let name = self.objects.add(address as u64, size, local.as_deref(), ty).to_string();
            made = local.is_none().then_some((name, size));
            if self.program.procs[open.site.proc].name.starts_with(PREFIX) {
                self.given.push((address as u64, size));
            }
        }
        if let (Some(Written { c_type: Some(ty), ty: craig_program::Type::Pointer, .. }), Some(address)) =
            (&open.written, content)
        {
            self.objects.seen_through(address as u64, *ty);
        }
        if !open.is_kept {
            return;
        }
        let mut flow = Flow { reads: open.reads, writes: Vec::new() };
        flow.writes.extend(open.written.as_ref().map(|written| written.cell));
        let value = content.zip(open.written.as_ref()).map(|(content, written)| {
            self.objects.value(state.memory(), written.ty, written.c_type, content)
        });
        let target = open.written.and_then(|written| written.target);
        let mut if_it_matters = false;
        let mut location = None;
        let event = match stmt {
            Stmt::Skip => None,
            Stmt::Input(..) | Stmt::Assume(_) if is_bookkeeping(self.program, open.site) => None,
            Stmt::Input(_, source) => value.and_then(|value| {
                let origin = match source {
                    InputSource::Allocation(name) => {
                        return (content == Some(0)).then(|| Event::NoMemory(name.to_string()));
                    }
                    InputSource::Call(name) => Origin::Function(name.to_string()),
                    InputSource::Unmodelled(what) if &**what == TRACKED => return None,
                    InputSource::Unmodelled(what) => Origin::Unmodelled(what.to_string()),
                    InputSource::Uninitialised if target.is_some() => {
                        if_it_matters = true;
                        Origin::Uninitialised
                    }
                    InputSource::Argument if target.is_some() => Origin::Argument,
                    InputSource::Uninitialised | InputSource::Argument => return None,
                };
                Some(Event::Input { target, value, origin })
            }),
            Stmt::Call { callee, .. } if self.is_internal(*callee) => None,
            Stmt::Call { callee, .. } => {
                let proc = &self.program.procs[*callee];
                let here = Here { expressions: &self.expressions, objects: &self.objects, state };
                flow.writes.extend(proc.params.iter().map(|&param| here.cell(param)));
                let arguments = proc.params.iter().filter_map(|&param| {
                    let written = here.written_var(param);
                    let value = here.content(&written)?;
                    let value = self.objects.value(state.memory(), written.ty, written.c_type, value);
                    Some((written.target?.text, value))
                });
                let arguments = arguments.collect();
                Some(Event::Call { function: proc.name.to_string(), arguments })
            }
            Stmt::Assume(_) if belongs_to_a_check(self.program, open.site) => None,
            Stmt::Assume(condition) => {
                let shown = self.expressions.way(open.site.proc, open.site.edge, *condition);
                shown.map(|condition| Event::Branch(condition.readable().to_string()))
            }
            Stmt::Assign(_, from) if self.is_uninitialised(*from) => {
                if_it_matters = true;
                let origin = Origin::Uninitialised;
                value.filter(|_| target.is_some()).map(|value| Event::Input { target, value, origin })
            }
            Stmt::Assign(_, from) => {
                target.zip(value).map(|(target, value)| match self.input(*from, &flow) {
                    Some((at, origin)) => {
                        location = Some(at);
                        Event::Input { target: Some(target), value, origin }
                    }
                    None => Event::Set { target, value },
                })
            }
            Stmt::Alloc { .. } => made.map(|(object, size)| Event::Allocate { target, object, size }),
            Stmt::Free(_) => open.freed.and_then(|address| {
                let what = self.objects.value(None, craig_program::Type::Pointer, None, address.into());
                let is_scope = self.is_end_of_scope(open.site);
                (!is_scope).then_some(Event::Free(what))
            }),
        };
        if let (Stmt::Free(_), Some(address)) = (stmt, open.freed) {
            self.objects.free(address);
        }
        self.push(open.site, open.depth, event, flow, if_it_matters);
        let last = self.recorded.last_mut().and_then(|recorded| recorded.step.as_mut());
        if let (Some(location), Some(step)) = (location, last) {
            step.location = location;
        }
    }

    /// What was found in memory is told before the conditions that depend on it, if the failure does.
    fn push_found(&mut self, at: &InputSite, value: i128, state: &dyn StateView) {
        let Source::Memory { address, .. } = at.source else { return };
        let ty = at.ty;
        let size = u64::from(self.program.size_of(ty));
        let Some((text, c_type)) = self.objects.place(address, Some(size)) else { return };
        let Some(location) = self.location(at.site) else { return };
        let is_given = self.given.iter().any(|(start, size)| (*start..start + size).contains(&address));
        let origin = if is_given { Origin::Argument } else { Origin::Uninitialised };
        let value = match u8::try_from(value) {
            Ok(byte) if size == 1 && c_type.is_none() && (b' '..=b'~').contains(&byte) => {
                format!("'{}'", byte.escape_ascii())
            }
            _ => self.objects.value(state.memory(), ty, c_type, value),
        };
        let target = Some(Target { text, object: None, is_named: false });
        let event = Event::Input { target, value, origin };
        let step = Some(Step { location, depth: state.depth(), event, matters: false });
        let flow = Flow { reads: Vec::new(), writes: vec![Cell::Memory(address)] };
        let before = self.recorded.iter().rposition(|recorded| !recorded.flow.writes.is_empty());
        let at = before.map_or(0, |before| before + 1);
        self.recorded.insert(at, Recorded { step, flow, if_it_matters: true });
    }

    /// Whether this is a function of the library that only its macros call, such as `__ctype_b_loc`, or a part of one.
    fn is_internal(&self, callee: ProcId) -> bool {
        let proc = &self.program.procs[callee];
        let file = self.program.files.get(proc.span.file as usize);
        let is_reserved = proc.name.starts_with("__") && file.is_some_and(|file| file.starts_with('<'));
        is_reserved || self.program.called_name(callee) != &*proc.name
    }

    /// What a function returned just now, where this is all that is stored: one step tells of both.
    fn input(&mut self, stored: ExprId, flow: &Flow) -> Option<(Location, Origin)> {
        let Expr::Var(_) = self.program.exprs.get(stored) else { return None };
        let last = self.recorded.iter_mut().rev().find(|recorded| recorded.step.is_some())?;
        let is_stored = last.flow.writes.iter().all(|written| flow.reads.contains(written));
        match &last.step {
            Some(Step { event: Event::Input { target: None, origin, .. }, location, .. }) if is_stored => {
                let told = (location.clone(), origin.clone());
                last.step = None;
                Some(told)
            }
            _ => None,
        }
    }

    /// Whether this is what C left in a variable, on its way to memory.
    fn is_uninitialised(&self, stored: ExprId) -> bool {
        matches!(self.program.exprs.get(stored), Expr::Var(var) if self.uninitialised.contains(&var))
    }

    /// Whether a `free` ends the life of a local.
    fn is_end_of_scope(&self, site: Site) -> bool {
        let Stmt::Free(pointer) = self.stmt(site) else { return false };
        matches!(self.program.exprs.get(*pointer), craig_program::Expr::Var(var) if self.program.automatic.contains(&var))
    }
}

impl Observer for Recorder<'_> {
    fn skippable(&self) -> u64 {
        if self.edges < self.first { 0 } else { self.last_from.saturating_sub(self.edges) }
    }

    fn skipped(&mut self, edges: u64) {
        self.edges += edges;
        self.omitted += edges;
    }

    fn edge(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        let number = self.edges;
        self.edges += 1;
        let stmt = self.stmt(site);
        let is_shown = number < self.first || number >= self.last_from;
        let is_input = matches!(stmt, Stmt::Input(_, InputSource::Call(_)));
        let is_kept = is_shown || (is_input && self.inputs_of_the_middle < MIDDLE_INPUTS);
        if is_kept && !is_shown {
            self.inputs_of_the_middle += 1;
        }
        if is_shown && self.omitted > 0 {
            let omitted = std::mem::take(&mut self.omitted);
            self.push(site, state.depth(), Some(Event::Omitted(omitted)), Flow::default(), false);
        }
        self.omitted += u64::from(!is_shown);
        // Allocations and pointers are followed through the whole run.
        let place = match stmt {
            Stmt::Assign(place, _) | Stmt::Input(place, _) => Some(*place),
            Stmt::Alloc { var, .. } => Some(Place::Var(*var)),
            _ => None,
        };
        let is_pointer =
            place.is_some_and(|place| self.program.place_type(place) == craig_program::Type::Pointer);
        if !is_kept && !is_pointer && !matches!(stmt, Stmt::Free(_)) {
            return;
        }
        let here = Here { expressions: &self.expressions, objects: &self.objects, state };
        self.open = Some(Open {
            site,
            depth: state.depth(),
            written: place.and_then(|place| here.written(place)),
            reads: if is_kept { here.reads(&stmt_operands(stmt)) } else { Vec::new() },
            freed: match stmt {
                Stmt::Free(pointer) => here.value(*pointer, 0).map(|address| address as u64),
                _ => None,
            },
            is_kept,
        });
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        let Stmt::Call { callee, result: Some(place), .. } = self.stmt(site) else { return };
        if (self.edges > self.first && self.edges <= self.last_from) || self.is_internal(*callee) {
            return;
        }
        let proc = &self.program.procs[*callee];
        let here = Here { expressions: &self.expressions, objects: &self.objects, state };
        let Some(written) = here.written(*place) else { return };
        let c_type = written.c_type.or_else(|| self.program.c_type(proc.result?));
        let Some(content) = here.content(&written) else { return };
        let value = self.objects.value(state.memory(), written.ty, c_type, content);
        let depth = state.depth();
        let result = proc.result.map(|result| Cell::Var(result, depth + 1));
        let flow = Flow { reads: result.into_iter().collect(), writes: vec![written.cell] };
        let event = Event::Return { function: proc.name.to_string(), value: value.clone() };
        if let (Some(ty), craig_program::Type::Pointer) = (c_type, written.ty) {
            self.objects.seen_through(content as u64, ty);
        }
        self.push(site, depth, Some(event), flow.clone(), false);
        if let Some(target) = written.target {
            self.push(site, depth, Some(Event::Set { target, value }), flow, false);
        }
    }

    fn finished(&mut self, outcome: &Outcome, state: &dyn StateView) {
        self.close(state);
        let Outcome::ReachedError(site) = outcome else { return };
        let check = self.program.check_at(site.proc, site.edge);
        let words =
            check.map_or("the error is reached", |check| &self.program.checks[check].text).to_string();
        let event = Event::Failure(words);
        // What fails in the library fails where it was called.
        let caller = || {
            let told = self.recorded.iter().rev().find_map(|recorded| recorded.step.as_ref());
            told.map(|step| step.location.clone())
        };
        let location = self.location(*site).or_else(caller);
        let location = location.unwrap_or_else(|| report_location(self.program, site.span(self.program)));
        let step = Step { location, depth: state.depth(), event, matters: false };
        self.recorded.push(Recorded { step: Some(step), flow: Flow::default(), if_it_matters: false });
    }
}

fn uninitialised(program: &Program) -> Set<VarId> {
    let edges = program.procs.iter().flat_map(|proc| &proc.edges);
    let temporary = |stmt: &Stmt| match stmt {
        Stmt::Input(Place::Var(var), InputSource::Uninitialised) => Some(*var),
        _ => None,
    };
    let of_temporary = |var: &VarId| program.vars[*var].name.starts_with('.');
    edges.filter_map(|edge| temporary(&edge.stmt)).filter(of_temporary).collect()
}

fn under_test(program: &Program) -> Option<ProcId> {
    let named = |name: &str| program.procs.indices().find(|&proc| &*program.procs[proc].name == name);
    program.procs.iter().find_map(|proc| named(proc.name.strip_prefix(PREFIX)?))
}

/// Whether a condition is one that passes or fails a check.
fn belongs_to_a_check(program: &Program, site: Site) -> bool {
    let proc = &program.procs[site.proc];
    let beside = &proc.locations[proc.edges[site.edge].from].outgoing;
    beside.iter().any(|&edge| program.check_at(site.proc, edge).is_some())
}
