//! All processes that one run started, as the kernel shows them in `/proc`.
//!
//! A process belongs to the run if it is in the run's process group, descends from a process that
//! belongs, belonged when it was last seen, or carries the run's [`MARKER`] in its environment. The
//! last two find what detached itself: a daemon leaves its group and its parent, but not its
//! environment. Where there is no `/proc`, only the process group is known and memory reads as zero.

use craig_base::Map;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, SysconfVar, sysconf};
use std::fs;
use std::time::Duration;

/// The environment variable that marks every process of a run.
pub const MARKER: &str = "CRAIG_BENCH_RUN";

pub struct ProcessTree {
    root: i32,
    marker: Vec<u8>,
    /// Process and the time it was started, since the system uses its numbers again.
    known: Map<i32, u64>,
}

/// What the whole tree used at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub resident_bytes: u64,
    pub cpu: Duration,
    /// The root has ended and waits to be collected by its parent.
    pub root_ended: bool,
}

impl ProcessTree {
    /// `root` leads a process group of its own; `marker` is the value of [`MARKER`] it was given.
    pub fn new(root: u32, marker: &str) -> Self {
        let marker = format!("{MARKER}={marker}").into_bytes();
        ProcessTree { root: root as i32, marker, known: Map::default() }
    }

    pub fn sample(&mut self) -> Usage {
        let members = self.members();
        let ticks = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100);
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().unwrap_or(4096);
        Usage {
            resident_bytes: members.iter().map(|process| process.resident_pages * page as u64).sum(),
            cpu: Duration::from_secs_f64(members.iter().map(|p| p.cpu_ticks as f64 / ticks as f64).sum()),
            root_ended: members.iter().any(|process| process.id == self.root && process.ended),
        }
    }

    /// Kills what is alive, until nothing is. The root is left for its parent to collect.
    pub fn kill(&mut self) {
        // A process may start another one while it is being killed; a few rounds outrun that.
        for _ in 0..50 {
            // Fails only if the group is empty.
            let _ = killpg(Pid::from_raw(self.root), Signal::SIGKILL);
            let mut alive: Vec<i32> = self.members().iter().filter(|p| !p.ended).map(|p| p.id).collect();
            alive.extend(self.marked());
            if alive.is_empty() {
                return;
            }
            for &process in &alive {
                let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn members(&mut self) -> Vec<Process> {
        let all = processes();
        let mut known = std::mem::take(&mut self.known);
        known
            .retain(|id, started| all.iter().any(|process| process.id == *id && process.started == *started));
        // Parents may be listed after their children.
        loop {
            let before = known.len();
            for process in &all {
                if process.id == self.root
                    || process.group == self.root
                    || known.contains_key(&process.parent)
                {
                    known.insert(process.id, process.started);
                }
            }
            if known.len() == before {
                break;
            }
        }
        let members = all.into_iter().filter(|process| known.contains_key(&process.id)).collect();
        self.known = known;
        members
    }

    fn marked(&self) -> Vec<i32> {
        let own = std::process::id() as i32;
        process_ids().filter(|&id| id != own && self.is_marked(id)).collect()
    }

    fn is_marked(&self, id: i32) -> bool {
        // Unreadable: of another user, or gone. Of an ended process it is empty.
        let Ok(environment) = fs::read(format!("/proc/{id}/environ")) else { return false };
        environment.split(|&byte| byte == 0).any(|variable| variable == self.marker)
    }
}

struct Process {
    id: i32,
    parent: i32,
    group: i32,
    ended: bool,
    started: u64,
    /// Its own time, and that of the children that it has collected.
    cpu_ticks: u64,
    resident_pages: u64,
}

fn process_ids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn processes() -> Vec<Process> {
    // A process may end between being listed and being read.
    process_ids()
        .filter_map(|id| parse_stat(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?))
        .collect()
}

/// Reads a line of `/proc/PID/stat`; see proc(5) for the order of its fields.
fn parse_stat(id: i32, line: &str) -> Option<Process> {
    // The name of the program, in parentheses, may itself contain anything.
    let after_name = line.get(line.rfind(')')? + 1..)?;
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    let number = |position: usize| -> Option<u64> {
        // The manual counts from 1 and the third field is the first one here.
        fields.get(position - 3)?.parse().ok()
    };
    Some(Process {
        id,
        parent: number(4)? as i32,
        group: number(5)? as i32,
        ended: matches!(*fields.first()?, "Z" | "X"),
        cpu_ticks: number(14)? + number(15)? + number(16)? + number(17)?,
        started: number(22)?,
        resident_pages: number(24)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces() {
        let line = "7 (a) b) R 3 5 5 0 -1 0 1 2 3 4 100 20 3 4 20 0 1 0 999 123456 42 0";
        let process = parse_stat(7, line).expect("a process");
        assert_eq!((process.parent, process.group, process.ended), (3, 5, false));
        assert_eq!((process.cpu_ticks, process.started, process.resident_pages), (127, 999, 42));
        assert!(parse_stat(7, "7 (x) R 1").is_none() && parse_stat(7, "").is_none());
    }
}
