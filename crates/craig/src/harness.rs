//! `--harness`: what a failing run was given, by the places at which it asked, for
//! [`craig_cfront::harness`].

use craig_base::OrderedMap;
use craig_cfront::harness::{Asked, Contents, Inputs, Place};
use craig_exec::{Detail, Executable, Limits, ListOracle, Observer, Outcome, Site, Source, StateView, Test};
use craig_program::{self as ir, InputSource, Program, Span, Stmt};

/// Runs the test once more and notes who asked for what.
pub fn inputs(program: &Program, test: &Test, limits: &Limits) -> Inputs {
    let values = test.values();
    let mut recorder = Recorder { program, asked: Vec::new(), objects: OrderedMap::default() };
    let executable = Executable::new(program, Detail::Edges);
    let run = executable.observe(&mut ListOracle::new(&values), limits, &mut recorder);
    let Recorder { asked, mut objects, .. } = recorder;
    let mut inputs = Inputs::default();
    let mut statements = run.inputs.iter().filter(|input| input.at.source == Source::Statement);
    for site in asked {
        let Some(input) = statements.next() else { break };
        let edge = &program.procs[site.proc].edges[site.edge];
        let (variable, function) = match &edge.stmt {
            Stmt::Input(ir::Place::Var(var), source) => {
                let function = match source {
                    InputSource::Call(name) => Some(name.to_string()),
                    InputSource::Allocation(name) => {
                        if input.value == 0 {
                            inputs.failed_allocation = Some(name.to_string());
                        }
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
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        let edge = &self.program.procs[site.proc].edges[site.edge];
        match edge.stmt {
            Stmt::Input(..) => self.asked.push(site),
            Stmt::Alloc { var, .. } => {
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

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
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
