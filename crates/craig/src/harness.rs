//! `--harness`: what a failing run was given, by the places at which it asked, for
//! [`craig_cfront::harness`].

use craig_base::{OrderedMap, Set};
use craig_cfront::harness::{Asked, Contents, Declared, Effect, Inputs, LIBRARY_RESULT, Place, VOLATILE};
use craig_exec::{
    Detail, Executable, Limits, ListOracle, Memory, Observer, Outcome, Site, Source, StateView, Test,
};
use craig_program::{self as ir, InputSource, ProcId, Program, Span, Stmt};

/// The model that makes what `main` is given, and its function.
const MAIN_FILE: &str = "<library>/main.c";
const MAIN_ARGUMENTS: &str = "main_arguments";
/// Of larger objects the first bytes are looked at.
const MOST_BYTES: u64 = 1 << 16;

/// Runs the test once more and notes who asked for what.
pub fn inputs(program: &Program, test: &Test, limits: &Limits) -> Inputs {
    let values = test.values();
    let mut recorder = Recorder {
        program,
        asked: Vec::new(),
        objects: OrderedMap::default(),
        call: None,
        results: Vec::new(),
        outside: None,
        effects: OrderedMap::default(),
        writing: writing(program),
        unrepeatable: None,
    };
    let executable = Executable::new(program, Detail::Edges);
    let run = executable.observe(&mut ListOracle::new(&values), limits, &mut recorder);
    let Recorder { asked, mut objects, results, effects, unrepeatable, .. } = recorder;
    let mut inputs = Inputs { unrepeatable, effects, ..Inputs::default() };
    for (place, result) in results {
        inputs.values.entry(place).or_default().push(result);
    }
    let mut statements = run.inputs.iter().filter(|input| input.at.source == Source::Statement);
    for site in asked {
        let Some(input) = statements.next() else { break };
        let edge = &program.procs[site.proc].edges[site.edge];
        let (variable, function) = match &edge.stmt {
            Stmt::Input(ir::Place::Var(var), source) => {
                let function = match source {
                    InputSource::Call(name) => Some(name.to_string()),
                    InputSource::Allocation(name) => {
                        let granted = (name.to_string(), input.value != 0);
                        inputs.allocations.entry(place(program, edge.span)).or_default().push(granted);
                        continue;
                    }
                    InputSource::Unmodelled(what) if what.starts_with(VOLATILE) => Some(what.to_string()),
                    InputSource::Unmodelled(_) => continue,
                    InputSource::Uninitialised | InputSource::Argument => None,
                };
                (program.vars[*var].name.to_string(), function)
            }
            _ => continue,
        };
        inputs.values.entry(place(program, edge.span)).or_default().push(Asked {
            statement: site.edge.0,
            function,
            variable,
            ty: input.at.ty,
            value: input.value,
        });
    }
    for input in &run.inputs {
        let Source::Memory { address, .. } = input.at.source else { continue };
        let below = objects
            .iter_mut()
            .rev()
            .find(|(base, (_, contents))| **base <= address && address - **base < contents.size.max(1));
        if let Some((base, (_, contents))) = below {
            let (offset, size) = (address - base, program.size_of(input.at.ty));
            contents.parts.push((offset, size.min(8), input.value));
            if size > 8 {
                contents.parts.push((offset + 8, size - 8, input.value >> 64));
            }
        }
    }
    for (_, (place, contents)) in objects {
        if place.0 == MAIN_FILE {
            inputs.arguments.push(contents);
            continue;
        }
        inputs.objects.entry(place).or_default().push(contents);
    }
    inputs
}

struct Recorder<'p> {
    program: &'p Program,
    /// The input statements, in order.
    asked: Vec<Site>,
    /// By address: allocations get ever larger ones.
    objects: OrderedMap<u64, (Place, Contents)>,
    /// The call of the library's code that is active.
    call: Option<LibraryCall>,
    /// What such calls returned that had asked for something.
    results: Vec<(Place, Asked)>,
    /// The call of a function without a body that is active: where, which, and the memory before it.
    outside: Option<(Place, String, Memory)>,
    effects: OrderedMap<(Place, String), Vec<Effect>>,
    /// Where memory is written.
    writing: Set<(ProcId, Span)>,
    unrepeatable: Option<String>,
}

struct LibraryCall {
    site: Site,
    asks: bool,
    before: Option<Memory>,
}

impl Recorder<'_> {
    fn is_in_library(&self, proc: ProcId) -> bool {
        place(self.program, self.program.procs[proc].span).0.starts_with(ir::LIBRARY)
    }

    /// The variable of the program that an address lies in, and where.
    fn declared(&self, address: u64) -> Option<(Declared, u64)> {
        let fixed = self.program.objects.iter().filter(|object| !object.function).find_map(|object| {
            let offset = address.checked_sub(object.address).filter(|&offset| offset < object.size)?;
            Some(((place(self.program, object.span), object.name.to_string()), offset))
        });
        let own = self.objects.iter().rev().find(|(base, _)| **base <= address);
        let allocated = || {
            let (base, (at, contents)) = own?;
            Some(((at.clone(), contents.variable.clone()?), address - base))
        };
        fixed.or_else(allocated)
    }

    /// The bytes that differ now; `None` if some are not in variables of the program.
    fn changes(&self, before: &Memory, now: &Memory) -> Option<Vec<(Declared, u64, u8)>> {
        let mut changes = Vec::new();
        for object in now.objects() {
            let old = before.object_at(object.address);
            for i in 0..object.size.min(MOST_BYTES) {
                let byte = object.byte(i);
                if byte == old.and_then(|old| old.byte(i)) {
                    continue;
                }
                let (declared, offset) = self.declared(object.address + i)?;
                // What a standard stream consists of is the library's.
                let is_stream =
                    matches!(declared.1.as_str(), "stdin.stream" | "stdout.stream" | "stderr.stream");
                if !is_stream && !declared.0.0.starts_with(ir::LIBRARY) {
                    changes.push((declared, offset, byte?));
                }
            }
        }
        Some(changes)
    }

    /// What a function without a body did.
    fn end_outside(&mut self, state: &dyn StateView) {
        let (Some((at, name, before)), Some(now)) = (self.outside.take(), state.memory()) else { return };
        let Some(bytes) = self.changes(&before, now) else {
            self.unrepeatable = Some(format!("what '{name}' writes to allocated memory"));
            return;
        };
        self.effects.entry((at, name)).or_default().push(Effect { bytes, result: None });
    }

    /// What a compiled program gets from the library may be something else.
    fn end_call(&mut self, call: &LibraryCall, returned: Option<i128>, now: Option<&Memory>) {
        let edge = &self.program.procs[call.site.proc].edges[call.site.edge];
        let Stmt::Call { callee, .. } = edge.stmt else { return };
        let callee = &self.program.procs[callee];
        let at = place(self.program, edge.span);
        let Some(ty) = callee.result.map(|var| self.program.vars[var].ty) else { return };
        if !call.asks || at.0.starts_with(ir::LIBRARY) || callee.name.as_ref() == MAIN_ARGUMENTS {
            return;
        }
        let bytes = call.before.as_ref().zip(now).and_then(|(before, now)| self.changes(before, now));
        let result = match returned {
            Some(value) if ty == ir::Type::Pointer && value != 0 => {
                u64::try_from(value).ok().and_then(|address| self.declared(address)).map(Some)
            }
            Some(_) => Some(None),
            None => None,
        };
        let (Some(bytes), Some(result), Some(value)) = (bytes, result, returned) else {
            self.unrepeatable = Some(format!("what '{}' does", callee.name));
            return;
        };
        self.effects.entry((at.clone(), callee.name.to_string())).or_default().push(Effect { bytes, result });
        let (function, variable) = (Some(LIBRARY_RESULT.to_string()), String::new());
        let asked = Asked { statement: call.site.edge.0, function, variable, ty, value };
        self.results.push((at, asked));
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        let edge = &self.program.procs[site.proc].edges[site.edge];
        // What stands nowhere belongs to the call before it.
        let elsewhere = |at: &Place| edge.span.line > 0 && *at != place(self.program, edge.span);
        if self.outside.as_ref().is_some_and(|(at, ..)| elsewhere(at)) {
            self.end_outside(state);
        }
        match &edge.stmt {
            Stmt::Call { callee, .. } if self.call.is_none() && self.is_in_library(*callee) => {
                self.call = Some(LibraryCall { site, asks: false, before: state.memory().cloned() });
            }
            Stmt::Input(_, source) => {
                self.asked.push(site);
                if let (InputSource::Call(name), None, None, Some(memory)) =
                    (source, &self.call, &self.outside, state.memory())
                    && [edge.span, Span::default()].iter().any(|&at| self.writing.contains(&(site.proc, at)))
                {
                    self.outside = Some((place(self.program, edge.span), name.to_string(), memory.clone()));
                }
                if let (InputSource::Call(_), Some(call)) = (source, &mut self.call) {
                    call.asks = true;
                }
            }
            &Stmt::Alloc { var, .. } => {
                let variable = self.program.vars[var].name.strip_prefix('&').map(str::to_string);
                let contents = Contents { variable, ..Contents::default() };
                let address = self.program.next_address.and_then(|var| state.value(var));
                if let Some(address) = address.and_then(|address| u64::try_from(address).ok()) {
                    self.objects.insert(address, (place(self.program, edge.span), contents));
                }
            }
            _ => {}
        }
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        if let Some(call) = self.call.take_if(|call| call.site == site) {
            self.end_call(&call, state.returned(), state.memory());
        }
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        self.end_outside(state);
        if let Some(call) = self.call.take() {
            self.end_call(&call, None, None);
        }
        for object in &self.program.objects {
            if !object.zeroed && !object.function {
                let at = place(self.program, object.span);
                let contents = Contents { variable: Some(object.name.to_string()), ..Contents::default() };
                self.objects.insert(object.address, (at, contents));
            }
        }
        let Some(memory) = state.memory() else { return };
        for object in memory.objects() {
            if let Some((_, contents)) = self.objects.get_mut(&object.address) {
                contents.size = object.size;
            }
        }
    }
}

fn writing(program: &Program) -> Set<(ProcId, Span)> {
    let edges =
        program.procs.enumerated().flat_map(|(id, proc)| proc.edges.iter().map(move |edge| (id, edge)));
    let writes = edges.filter(|(_, edge)| matches!(edge.stmt, Stmt::Assign(ir::Place::Memory { .. }, _)));
    writes.map(|(id, edge)| (id, edge.span)).collect()
}

fn place(program: &Program, span: Span) -> Place {
    let file = program.files.get(span.file as usize).map_or_else(String::new, |file| file.to_string());
    (file, span.line, span.column)
}
