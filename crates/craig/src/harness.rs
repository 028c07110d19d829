//! `--harness`: what a failing run was given, by the places at which it asked, for
//! [`craig_cfront::harness`].

use craig_base::OrderedMap;
use craig_cfront::harness::{Asked, Contents, Inputs, LIBRARY_RESULT, Place};
use craig_exec::{Detail, Executable, Limits, ListOracle, Observer, Outcome, Site, Source, StateView, Test};
use craig_program::{self as ir, InputSource, ProcId, Program, Span, Stmt};

/// The model that makes what `main` is given, and its function.
const MAIN_FILE: &str = "<library>/main.c";
const MAIN_ARGUMENTS: &str = "main_arguments";

/// Runs the test once more and notes who asked for what.
pub fn inputs(program: &Program, test: &Test, limits: &Limits) -> Inputs {
    let values = test.values();
    let mut recorder = Recorder {
        program,
        asked: Vec::new(),
        objects: OrderedMap::default(),
        call: None,
        results: Vec::new(),
        unrepeatable: None,
    };
    let executable = Executable::new(program, Detail::Edges);
    let run = executable.observe(&mut ListOracle::new(&values), limits, &mut recorder);
    let Recorder { asked, mut objects, results, unrepeatable, .. } = recorder;
    let mut inputs = Inputs { unrepeatable, ..Inputs::default() };
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
            contents.parts.push((address - base, program.size_of(input.at.ty), input.value));
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
    unrepeatable: Option<String>,
}

struct LibraryCall {
    site: Site,
    asks: bool,
    writes: bool,
}

impl Recorder<'_> {
    fn is_in_library(&self, proc: ProcId) -> bool {
        place(self.program, self.program.procs[proc].span).0.starts_with(ir::LIBRARY)
    }

    /// What a compiled program gets from the library may be something else.
    fn end_call(&mut self, call: &LibraryCall, returned: Option<i128>) {
        let edge = &self.program.procs[call.site.proc].edges[call.site.edge];
        let Stmt::Call { callee, .. } = edge.stmt else { return };
        let callee = &self.program.procs[callee];
        let at = place(self.program, edge.span);
        let Some(ty) = callee.result.map(|var| self.program.vars[var].ty) else { return };
        match returned {
            _ if !call.asks || at.0.starts_with(ir::LIBRARY) || callee.name.as_ref() == MAIN_ARGUMENTS => {}
            Some(value) if !call.writes && (ty != ir::Type::Pointer || value == 0) => {
                let (function, variable) = (Some(LIBRARY_RESULT.to_string()), String::new());
                let asked = Asked { statement: call.site.edge.0, function, variable, ty, value };
                self.results.push((at, asked));
            }
            _ => self.unrepeatable = Some(format!("what '{}' does", callee.name)),
        }
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        let edge = &self.program.procs[site.proc].edges[site.edge];
        match &edge.stmt {
            Stmt::Call { callee, .. } if self.call.is_none() && self.is_in_library(*callee) => {
                self.call = Some(LibraryCall { site, asks: false, writes: false });
            }
            Stmt::Assign(ir::Place::Memory { .. }, _) => {
                if let Some(call) = &mut self.call {
                    call.writes = true;
                } else if edge.span.line == 0 {
                    self.unrepeatable = Some("what a function without a body writes".to_string());
                }
            }
            Stmt::Input(_, source) => {
                self.asked.push(site);
                match (source, &mut self.call) {
                    (InputSource::Call(_), Some(call)) => call.asks = true,
                    (InputSource::Unmodelled(what), _) if what.starts_with("the volatile ") => {
                        self.unrepeatable = Some(what.to_string());
                    }
                    _ => {}
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
            self.end_call(&call, state.returned());
        }
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        if let Some(call) = self.call.take() {
            self.end_call(&call, None);
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

fn place(program: &Program, span: Span) -> Place {
    let file = program.files.get(span.file as usize).map_or_else(String::new, |file| file.to_string());
    (file, span.line, span.column)
}
