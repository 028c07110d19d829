//! `craig show`: a program as the engines see it.

use crate::cli::arguments::Common;
use crate::cli::c_input::CInput;
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::task::Task;
use craig_base::Budget;
use craig_chc::write_system;
use craig_engines::Reason;
use craig_engines::horn::of_program;
use craig_engines::view::{Prepared, Sight};
use craig_program::{Cell, Granularity, Program, StateVar};
use craig_term::Terms;
use std::fmt::Write as _;
use std::io::Write;

/// Show what becomes of a C program.
///
/// The syntax trees, the control-flow graphs, the cutpoint graph of the inlined and simplified program with its
/// formulas, the memory regions, or the Horn clauses in SMT-LIB.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: CInput,
    /// How far to go.
    #[arg(long, value_enum, value_name = "STAGE", default_value_t = Stage::Cfg)]
    pub stage: Stage,
    /// A graph in the language of Graphviz; for `cfg` and `cutpoints`.
    #[arg(long)]
    pub dot: bool,
    /// The functions of the C library that are modelled, and the files with their models.
    #[arg(long = "models", exclusive = true)]
    pub list_models: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Syntax trees, as parsed.
    Ast,
    /// Control-flow graphs, one for each procedure.
    Cfg,
    /// Loop heads and the loop-free segments between them.
    Cutpoints,
    /// Static objects, and how accesses are split into regions.
    Regions,
    /// Constrained Horn clauses.
    Horn,
}

pub fn run(arguments: &Arguments, _common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    if arguments.list_models {
        for (function, file) in craig_cfront::library::models() {
            writeln!(session.out, "{function:24} {file}")?;
        }
        return Ok(ExitStatus::Success);
    }
    let graph = matches!(arguments.stage, Stage::Cfg | Stage::Cutpoints);
    if arguments.dot && !graph {
        return Err(Error::Usage("`--dot` is for `--stage cfg` and `--stage cutpoints`".to_string()));
    }
    if arguments.stage == Stage::Ast {
        write!(session.out, "{}", Task::resolve(&arguments.input.source(), &[])?.syntax()?)?;
        return Ok(ExitStatus::Success);
    }
    let program = arguments.input.load_for_runs(session)?.program;
    let budget = Budget::unlimited().with_cancel(session.cancel.clone());
    let text = match arguments.stage {
        Stage::Cfg if arguments.dot => cfg_dot(&program),
        Stage::Ast | Stage::Cfg => program.to_string(),
        Stage::Cutpoints => cutpoints(&program, arguments.dot, &budget)?,
        Stage::Regions => regions(&program),
        Stage::Horn => horn(&program, &budget)?,
    };
    write!(session.out, "{text}")?;
    Ok(ExitStatus::Success)
}

fn nothing(reason: Reason) -> Error {
    Error::BadInput(format!("nothing to show: {reason}"))
}

/// A string literal of the dot language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn cfg_dot(program: &Program) -> String {
    let mut out = String::from(
        "digraph cfg {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n",
    );
    for (id, proc) in program.procs.enumerated() {
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.0, quoted(&proc.name));
        for (location, info) in proc.locations.enumerated() {
            let role = match location {
                _ if location == proc.entry => " entry",
                _ if location == proc.exit => " exit",
                _ if location == proc.error => " error",
                _ => "",
            };
            if info.incoming.is_empty() && info.outgoing.is_empty() && role.is_empty() {
                continue;
            }
            let shape = if role == " error" { ", shape=octagon, color=red" } else { "" };
            let line = if info.span.line > 0 { format!(" line {}", info.span.line) } else { String::new() };
            let label = quoted(&format!("{location}{role}{line}"));
            let _ = writeln!(out, "    n{}_{} [label={label}{shape}];", id.0, location.0);
        }
        for edge in &proc.edges {
            let label = quoted(&program.show_stmt(&edge.stmt));
            let _ = writeln!(out, "    n{0}_{1} -> n{0}_{2} [label={label}];", id.0, edge.from.0, edge.to.0);
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn cutpoints(program: &Program, dot: bool, budget: &Budget) -> Result<String, Error> {
    let prepared = Prepared::new(program, budget);
    let simplified = prepared.simplified(Sight::Everything, budget).map_err(nothing)?;
    let encoded = prepared.graph(Sight::Everything, Granularity::Loops, budget).map_err(nothing)?;
    let (mut terms, encoding) = (encoded.terms.clone(), &encoded.code);
    let proc = encoding.proc(&simplified.program);
    let cuts = &encoding.cuts;
    let mut out = String::new();
    let name = |cut| {
        let line = proc.locations[cuts.location(cut)].span.line;
        let role = match cut {
            _ if cut == cuts.entry => "entry",
            _ if cut == cuts.error => "error",
            _ => "head",
        };
        if line > 0 && role == "head" { format!("{cut} {role} line {line}") } else { format!("{cut} {role}") }
    };
    if dot {
        out.push_str("digraph cutpoints {\n  node [shape=box, fontname=monospace];\n");
        for cut in cuts.cutpoints.indices() {
            let state: Vec<String> = encoding.states[cut]
                .iter()
                .map(|constant| simplified.program.state_name(constant.var))
                .collect();
            let label = quoted(&format!("{}\n{}", name(cut), state.join(" "))).replace('\n', "\\n");
            let _ = writeln!(out, "  c{} [label={label}];", cut.0);
        }
        for edge in &cuts.edges {
            let label = quoted(&format!("{} edges", edge.segment.edges.len()));
            let _ = writeln!(out, "  c{} -> c{} [label={label}];", edge.from.0, edge.to.0);
        }
        out.push_str("}\n");
        return Ok(out);
    }
    let mut names = craig_program::encode::StateNames::default();
    for cut in cuts.cutpoints.indices() {
        let state: Vec<String> =
            encoding.states[cut].iter().map(|constant| simplified.program.state_name(constant.var)).collect();
        let _ = writeln!(out, "{}: {}", name(cut), state.join(" "));
        let location = cuts.location(cut);
        let facts = simplified.ranges.facts(&simplified.program, &mut terms, &mut names, location);
        if facts != Terms::TRUE {
            let _ = writeln!(out, "  known: {}", terms.to_smtlib(facts));
        }
    }
    let _ = writeln!(out, "initially: {}", terms.to_smtlib(encoding.initial));
    for (id, edge) in cuts.edges.enumerated() {
        let block = &encoding.blocks[id];
        let _ = writeln!(out, "{} -> {} ({} edges):", edge.from, edge.to, edge.segment.edges.len());
        let _ = writeln!(out, "  {}", terms.to_smtlib(block.formula));
        for &(edge, expr) in &block.approximations {
            let line = proc.edges[edge].span.line;
            let _ = writeln!(out, "  approximated, line {line}: {}", simplified.program.show_expr(expr));
        }
    }
    Ok(out)
}

fn regions(program: &Program) -> String {
    let mut out = String::new();
    for (id, region) in program.regions.enumerated() {
        let cell = match region.cell {
            Cell::Scalar(ty) => ty.to_string(),
            Cell::Bytes => "bytes".to_string(),
        };
        let zeroed = if region.zeroed { ", zero at the start" } else { "" };
        let tracked = if program.is_tracked(StateVar::Region(id)) { "" } else { ", not tracked" };
        let _ = writeln!(out, "{id} {}: {cell}{zeroed}{tracked}", region.name);
    }
    for object in &program.objects {
        let kind = if object.function { "function " } else { "" };
        let _ = writeln!(out, "{:#x} {kind}{}: {} bytes", object.address, object.name, object.size);
        for &(offset, region, ty, value) in &object.init {
            let _ = writeln!(out, "  +{offset} {}:{ty} = {value}", program.regions[region].name);
        }
    }
    out
}

/// The inlined view, and the procedural one where there is recursion.
fn horn(program: &Program, budget: &Budget) -> Result<String, Error> {
    let (terms, system) = of_program(program, budget).map_err(nothing)?;
    Ok(write_system(&terms, &system))
}
