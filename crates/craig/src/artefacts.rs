//! What becomes of a report for others: witnesses, harnesses.

use crate::check::{Report, Verdict};
use crate::harness;
use crate::report::time::iso8601;
use crate::report::witness::{self, Waypoint, WaypointKind};
use crate::report::{Location, safety::report_location};
use crate::task::Loaded;
use craig_cfront::witness::{Map, Place};
use craig_exec::{Limits, Outcome, Source, Test, replay, show_value};
use craig_program::{CheckKind, Edge, InputSource, Stmt, Type};
use std::time::SystemTime;

impl Loaded {
    /// A verification witness, format 2.0; none for `unknown`.
    pub fn witness(&self, report: &Report) -> Option<String> {
        let task = witness::Task {
            files: self.task.files.iter().map(|file| (file.name.clone(), file.sha256.clone())).collect(),
            specification: self.task.specification(&self.stated(report)),
            pointer_bits: self.task.data_model.pointer_bits(),
            creation_time: iso8601(SystemTime::now()),
            command_line: None,
        };
        match (&report.verdict, &report.test) {
            (Verdict::Safe, _) => Some(witness::correctness(&task, &self.stated_invariants(report))),
            (Verdict::Unsafe, Some(test)) => Some(witness::violation(&task, &self.waypoints(test))),
            (Verdict::Unsafe | Verdict::Unknown(_), _) => None,
        }
    }

    /// The kinds of checks that a witness is about: the one that failed, or all.
    fn stated(&self, report: &Report) -> Vec<CheckKind> {
        let failed = report.checks.iter().find(|check| check.verdict == Verdict::Unsafe);
        failed.map_or_else(|| self.task.checks.clone(), |check| vec![check.kind])
    }

    /// A C program with all inputs fixed, which repeats the run of the test when compiled and run; or why there
    /// is none.
    pub fn harness(&self, test: &Test, limits: &Limits) -> Result<String, String> {
        let mut inputs = harness::inputs(&self.program, test, limits);
        let failed = match replay(&self.program, test, limits).outcome {
            Outcome::ReachedError(site) => self.program.check_at(site.proc, site.edge),
            _ => None,
        };
        match failed.map_or(CheckKind::Error, |check| self.program.checks[check].kind) {
            CheckKind::Error => {}
            kind @ (CheckKind::Uninitialised | CheckKind::Conversion | CheckKind::Pointer) => {
                return Err(format!("a compiled program does not notice what `{}` is about", kind.name()));
            }
            _ => inputs.sanitized = true,
        }
        self.task.fixed(&inputs).map_err(|unsupported| unsupported.0)
    }

    /// What functions returned, and the error.
    fn waypoints(&self, test: &Test) -> Vec<Waypoint> {
        let program = &self.program;
        let run = replay(program, test, &Limits::default());
        craig_cfront::with_deep_stack(|| {
            let map = Map::new(self.task.units());
            let mut waypoints = Vec::new();
            for input in run.inputs.iter().filter(|input| input.at.source == Source::Statement) {
                let proc = &program.procs[input.at.site.proc];
                let edge = &proc.edges[input.at.site.edge];
                let is_number = matches!(input.at.ty, Type::Int(_) | Type::Float(_));
                let is_call = |edge: &Edge| matches!(&edge.stmt, Stmt::Input(_, InputSource::Call(_)));
                // What a function without a body writes is asked for at the same place.
                let asked = proc.edges.iter().filter(|other| other.span == edge.span && is_call(other));
                let location = report_location(program, edge.span);
                if !is_number || !is_call(edge) || asked.count() != 1 {
                    continue;
                }
                // None in the library's code.
                if let Some(end) = map.end_of_call(&place(&location)) {
                    let value = format!("\\result == {}", show_value(input.at.ty, input.value));
                    let location = Location { line: end.line, column: end.column, ..location };
                    waypoints.push(Waypoint { kind: WaypointKind::FunctionReturn(value), location });
                }
            }
            if let Outcome::ReachedError(site) = run.outcome {
                let location = report_location(program, site.span(program));
                let (line, column) = match map.statement_around(&place(&location)) {
                    Some((start, _)) => (start.line, start.column),
                    None => (location.line, location.column),
                };
                let location = Location { line, column, ..location };
                waypoints.push(Waypoint { kind: WaypointKind::Target, location });
            }
            waypoints
        })
    }

    /// Those that C can say, at loops and other statements.
    fn stated_invariants(&self, report: &Report) -> Vec<witness::Invariant> {
        let sayable =
            report.invariants.iter().filter_map(|invariant| Some((invariant, invariant.in_c.as_ref()?)));
        craig_cfront::with_deep_stack(|| {
            let map = Map::new(self.task.units());
            let stated = sayable.filter_map(|(invariant, stated)| {
                let location = invariant.location.clone();
                let of_loop = map.begins_loop(&place(&location))?;
                // Of several variables with one name, the one that is declared in the head of the loop is meant there.
                let head = map.head_of_loop(&place(&location));
                let is_meant = |declared: &Location| {
                    let at = (declared.line, declared.column);
                    head.as_ref().is_some_and(|(start, end)| {
                        (start.line, start.column) <= at && at < (end.line, end.column)
                    })
                };
                let value = stated.means.iter().all(is_meant).then(|| stated.expr.to_string())?;
                Some(witness::Invariant { location, of_loop, value })
            });
            stated.collect()
        })
    }
}

fn place(location: &Location) -> Place {
    Place { file: location.file.clone(), line: location.line, column: location.column }
}
