//! The run of a test as a person wants to read it: what the program got, which way it went, what it
//! computed, at the lines of the source.
//!
//! Temporaries of the translation are left out, except where they hold what a call returned. The middle
//! of a long run is left out too: how it begins and how it ends is what explains it.

use super::Step;
use super::safety::report_location;
use craig_exec::{Detail, Executable, Limits, ListOracle, Outcome, Test, Trace, TraceLine};
use craig_program::{Expr, ExprId, InputSource, Place, Program, Stmt, VarId};

/// How many steps of the beginning and of the end are shown.
const BEGINNING: usize = 300;
const END: usize = 300;
/// Statements that are recorded for one step to be shown: many of them are no steps.
const STATEMENTS: usize = 10;

/// The steps of the run, the last of which is the error.
pub fn steps(program: &Program, test: &Test) -> Vec<Step> {
    let mut trace = Trace::new(program, STATEMENTS * BEGINNING, STATEMENTS * END);
    let values = test.values();
    let executable = Executable::new(program, Detail::Edges);
    let run = executable.observe(&mut ListOracle::new(&values), &Limits::default(), &mut trace);
    let mut steps: Vec<Step> = trace.beginning().filter_map(|line| step(program, &line)).collect();
    if trace.omitted > 0 {
        steps.truncate(BEGINNING);
    }
    let known = steps.len();
    steps.extend(trace.end().filter_map(|line| step(program, &line)));
    if let Outcome::ReachedError(site) = run.outcome {
        let at = site.span(program);
        let check = program.check_at(site.proc, site.edge).map(|check| program.checks[check].text.clone());
        let message = check.unwrap_or_else(|| "the error is reached".to_string());
        steps.push(Step { location: report_location(program, at), message });
    }
    let first = known.min(BEGINNING);
    let last = steps.len() - (steps.len() - first).min(END);
    if let Some(step) = steps.get(first).filter(|_| last > first || trace.omitted > 0) {
        let location = step.location.clone();
        let message = match trace.omitted {
            0 => format!("... {} steps ...", last - first),
            omitted => format!("... more than {omitted} statements ..."),
        };
        steps.splice(first..last, [Step { location, message }]);
    }
    steps
}

fn step(program: &Program, line: &TraceLine) -> Option<Step> {
    let span = line.site.span(program);
    if span.line == 0 {
        return None;
    }
    let value = line.change.as_deref().and_then(|change| change.split_once(" = ")).map(|(_, value)| value);
    let is_return = line.statement.starts_with("return from ");
    let message = match &program.procs[line.site.proc].edges[line.site.edge].stmt {
        Stmt::Skip => return None,
        Stmt::Input(place, source) => match (source, is_temporary(program, place)) {
            (InputSource::Allocation(name), _) if value == Some("false") => format!("{name} fails"),
            (InputSource::Allocation(_), _) => return None,
            (InputSource::Call(name), true) => format!("{name}() returns {}", value?),
            (InputSource::Call(name), false) => format!("{}, from {name}()", line.change.as_deref()?),
            (InputSource::Uninitialised, false) => format!("{}, uninitialised", line.change.as_deref()?),
            (InputSource::Argument, false) => format!("{}, an argument", line.change.as_deref()?),
            (InputSource::Unmodelled(_), _) if value.is_none() => return None,
            (InputSource::Unmodelled(what), _) if &**what == craig_program::TRACKED => return None,
            (InputSource::Unmodelled(what), _) => format!("{what} yields {}", value?),
            (InputSource::Uninitialised | InputSource::Argument, true) => return None,
        },
        Stmt::Call { callee, .. } if is_return => {
            format!("{} returns {}", program.procs[*callee].name, value?)
        }
        Stmt::Call { callee, args, .. } => {
            let args: Vec<String> = args.iter().map(|&arg| program.show_expr(arg)).collect();
            format!("call of {}({})", program.procs[*callee].name, args.join(", "))
        }
        Stmt::Assume(_) if belongs_to_a_check(program, line) => return None,
        Stmt::Assume(condition) if mentions_source(program, *condition) => {
            format!("{} holds", program.show_expr(*condition))
        }
        Stmt::Assign(place, _) if !is_temporary(program, place) => line.change.clone()?,
        Stmt::Alloc { var, .. } if !is_temporary(program, &Place::Var(*var)) => {
            format!("{}, a new object", line.change.as_deref()?)
        }
        Stmt::Free(pointer) => format!("free({})", program.show_expr(*pointer)),
        Stmt::Assume(_) | Stmt::Assign(..) | Stmt::Alloc { .. } => return None,
    };
    let function = Some(program.procs[line.site.proc].name.to_string());
    Some(Step { location: super::Location { function, ..report_location(program, span) }, message })
}

/// Whether a condition is one that passes or fails a check.
fn belongs_to_a_check(program: &Program, line: &TraceLine) -> bool {
    let proc = &program.procs[line.site.proc];
    let beside = &proc.locations[proc.edges[line.site.edge].from].outgoing;
    beside.iter().any(|&edge| program.check_at(line.site.proc, edge).is_some())
}

fn is_temporary(program: &Program, place: &Place) -> bool {
    matches!(place, Place::Var(var) if is_hidden(program, *var))
}

/// Made by the translation: C has no names with a dot in front.
fn is_hidden(program: &Program, var: VarId) -> bool {
    program.vars[var].name.starts_with('.')
}

/// Whether a condition speaks of anything that the source names.
fn mentions_source(program: &Program, condition: ExprId) -> bool {
    program.exprs.postorder(&[condition]).into_iter().any(|id| match program.exprs.get(id) {
        Expr::Var(var) => !is_hidden(program, var),
        Expr::Load { .. } => true,
        _ => false,
    })
}
