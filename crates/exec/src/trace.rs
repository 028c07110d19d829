//! A run as a person wants to read it: the statements in order, and what each one changed.

use crate::input::show_value;
use crate::machine::{Observer, StateView};
use crate::outcome::{Outcome, Site};
use craig_program::{Place, Program, Stmt, VarId};
use std::collections::VecDeque;
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

/// What a statement changed, before it is put into words: most lines of a long run are never shown.
#[derive(Clone, Copy, Debug)]
enum Change {
    Var { var: VarId, value: i128 },
    Memory { place: Place, address: u64, value: i128 },
}

#[derive(Clone, Copy, Debug)]
struct Record {
    site: Site,
    depth: usize,
    /// The return from a call, not a statement.
    returns: bool,
    change: Option<Change>,
}

/// Records a trace: its first lines, and its last ones.
pub struct Trace<'p> {
    program: &'p Program,
    first: usize,
    last: usize,
    beginning: Vec<Record>,
    end: VecDeque<Record>,
    /// Lines that were left out between the first and the last.
    pub omitted: u64,
    /// The newest line is still to be completed with what it changed.
    open: bool,
}

impl<'p> Trace<'p> {
    /// At most so many lines of the beginning and, of what follows, of the end.
    pub fn new(program: &'p Program, first: usize, last: usize) -> Self {
        let (beginning, end) = (Vec::new(), VecDeque::new());
        Trace { program, first, last, beginning, end, omitted: 0, open: false }
    }

    /// The lines before those that were left out.
    pub fn beginning(&self) -> impl Iterator<Item = TraceLine> {
        self.beginning.iter().map(|record| self.line(record))
    }

    /// The lines behind those that were left out.
    pub fn end(&self) -> impl Iterator<Item = TraceLine> {
        self.end.iter().map(|record| self.line(record))
    }

    fn line(&self, record: &Record) -> TraceLine {
        let stmt = &self.program.procs[record.site.proc].edges[record.site.edge].stmt;
        TraceLine {
            site: record.site,
            place: record.site.describe(self.program),
            depth: record.depth,
            statement: match stmt {
                Stmt::Call { callee, .. } if record.returns => {
                    format!("return from {}", self.program.procs[*callee].name)
                }
                stmt => self.program.show_stmt(stmt),
            },
            change: record.change.map(|change| self.show(change)),
        }
    }

    fn show(&self, change: Change) -> String {
        match change {
            Change::Var { var, value } => {
                let data = &self.program.vars[var];
                format!("{} = {}", data.name, show_value(data.ty, value))
            }
            Change::Memory { place: Place::Memory { ty, region, .. }, address, value } => {
                let name = &self.program.regions[region].name;
                format!("{name}[{address:#x}] = {}", show_value(ty, value))
            }
            Change::Memory { place: Place::Var(var), value, .. } => self.show(Change::Var { var, value }),
        }
    }

    fn change_of(place: Place, state: &dyn StateView) -> Option<Change> {
        let ty = match place {
            Place::Var(var) => return Some(Change::Var { var, value: state.value(var)? }),
            Place::Memory { ty, .. } => ty,
        };
        let memory = state.memory()?;
        let (address, size) = memory.last_write()?;
        let mut bits = 0u128;
        for i in (0..u64::from(size)).rev() {
            let object = memory.object_at(address + i)?;
            bits = bits << 8 | u128::from(object.byte(address + i - object.address)?);
        }
        let value = ty.as_int().map_or(bits as i128, |int| int.wrap(bits as i128));
        Some(Change::Memory { place, address, value })
    }

    /// Completes the newest line with the state after it.
    fn close(&mut self, state: &dyn StateView) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let Some(newest) = self.end.back_mut().or(self.beginning.last_mut()) else { return };
        newest.change = match &self.program.procs[newest.site.proc].edges[newest.site.edge].stmt {
            Stmt::Assign(place, _) | Stmt::Input(place, _) => Self::change_of(*place, state),
            Stmt::Alloc { var, .. } => Self::change_of(Place::Var(*var), state),
            _ => None,
        };
    }

    /// Whether the record is kept, for now at least.
    fn push(&mut self, record: Record) -> bool {
        if self.beginning.len() < self.first {
            self.beginning.push(record);
            return true;
        }
        if self.end.len() >= self.last {
            self.end.pop_front();
            self.omitted += 1;
        }
        if self.last > 0 {
            self.end.push_back(record);
        }
        self.last > 0
    }
}

impl Observer for Trace<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        if self.program.procs[site.proc].edges[site.edge].stmt == Stmt::Skip {
            return;
        }
        self.open = self.push(Record { site, depth: state.depth(), returns: false, change: None });
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        self.close(state);
        let stmt = &self.program.procs[site.proc].edges[site.edge].stmt;
        if let Stmt::Call { result: Some(place), .. } = stmt {
            let change = Self::change_of(*place, state);
            self.push(Record { site, depth: state.depth(), returns: true, change });
        }
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        self.close(state);
    }
}
