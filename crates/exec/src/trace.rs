//! A run as a person wants to read it: the statements in order, and what each one changed.

use crate::input::show_value;
use crate::machine::{Observer, StateView};
use crate::outcome::{Outcome, Site};
use craig_program::{Place, Program, Stmt, VarId};
use std::fmt;

/// One statement of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    pub site: Site,
    /// `file:line:column`.
    pub place: String,
    /// How many calls are active.
    pub depth: usize,
    pub statement: String,
    /// `x = 5`, for what the statement changed.
    pub change: Option<String>,
}

impl fmt::Display for TraceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = "  ".repeat(self.depth.saturating_sub(1).min(20));
        write!(f, "{:<20} {indent}{}", self.place, self.statement)?;
        match &self.change {
            Some(change) => write!(f, "    // {change}"),
            None => Ok(()),
        }
    }
}

/// Records a trace, at most `limit` lines.
pub struct Trace<'p> {
    program: &'p Program,
    limit: usize,
    pub lines: Vec<TraceLine>,
    /// Lines that were left out because of the limit.
    pub omitted: u64,
    /// The last line is still to be completed with what it changed.
    open: bool,
}

impl<'p> Trace<'p> {
    pub fn new(program: &'p Program, limit: usize) -> Self {
        Trace { program, limit, lines: Vec::new(), omitted: 0, open: false }
    }

    fn show_var(&self, var: VarId, state: &dyn StateView) -> Option<String> {
        let data = &self.program.vars[var];
        Some(format!("{} = {}", data.name, show_value(data.ty, state.value(var)?)))
    }

    fn show_place(&self, place: Place, state: &dyn StateView) -> Option<String> {
        let (ty, region) = match place {
            Place::Var(var) => return self.show_var(var, state),
            Place::Memory { ty, region, .. } => (ty, region),
        };
        let memory = state.memory()?;
        let (address, size) = memory.last_write()?;
        let mut bits = 0u128;
        for i in (0..u64::from(size)).rev() {
            let object = memory.object_at(address + i)?;
            bits = bits << 8 | u128::from(object.byte(address + i - object.address)?);
        }
        let value = ty.as_int().map_or(bits as i128, |int| int.wrap(bits as i128));
        let name = &self.program.regions[region].name;
        Some(format!("{name}[{address:#x}] = {}", show_value(ty, value)))
    }

    /// Completes the last line with the state after it.
    fn close(&mut self, state: &dyn StateView) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let Some(site) = self.lines.last().map(|line| line.site) else { return };
        let change = match &self.program.procs[site.proc].edges[site.edge].stmt {
            Stmt::Assign(place, _) | Stmt::Input(place, _) => self.show_place(*place, state),
            Stmt::Alloc { var, .. } => self.show_var(*var, state),
            _ => None,
        };
        if let Some(line) = self.lines.last_mut() {
            line.change = change;
        }
    }

    fn push(&mut self, line: TraceLine) -> bool {
        let room = self.lines.len() < self.limit;
        if room {
            self.lines.push(line);
        } else {
            self.omitted += 1;
        }
        room
    }
}

impl Observer for Trace<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        let stmt = &self.program.procs[site.proc].edges[site.edge].stmt;
        if *stmt == Stmt::Skip {
            return;
        }
        self.open = self.push(TraceLine {
            site,
            place: site.describe(self.program),
            depth: state.depth(),
            statement: self.program.show_stmt(stmt),
            change: None,
        });
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        if let Stmt::Call { callee, result: Some(place), .. } =
            &self.program.procs[site.proc].edges[site.edge].stmt
        {
            let change = self.show_place(*place, state);
            self.push(TraceLine {
                site,
                place: site.describe(self.program),
                depth: state.depth(),
                statement: format!("return from {}", self.program.procs[*callee].name),
                change,
            });
        }
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        self.close(state);
    }
}
