//! One run: a process with limits on its time and on the memory of all that it starts.
//!
//! The process gets a group of its own, so that a Ctrl-C at the terminal reaches only this tool,
//! which then ends the run itself. The whole tree is looked at every [`SAMPLE_EVERY`]; the end of
//! the process is noticed within a few milliseconds. Whatever the reason for the end, the tree is
//! killed before the run counts as over.

use super::process_tree::{MARKER, ProcessTree};
use crate::cli::arguments::Limits;
use crate::report::json::Json;
use craig_base::CancelToken;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const SAMPLE_EVERY: Duration = Duration::from_millis(50);
/// A tool that keeps the limit itself may use this long to say so before it is killed.
const GRACE: Duration = Duration::from_secs(1);
/// How much is kept of what a run prints; the rest is read and dropped.
const STDOUT_KEPT: usize = 8 << 20;
const STDERR_KEPT: usize = 16 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    TimeLimit,
    MemoryLimit,
}

/// What one run did and used.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
    pub cpu: Duration,
    /// Of the whole tree, in bytes, at the moments when it was looked at.
    pub peak_memory: u64,
}

impl Measurement {
    /// For whoever reads it elsewhere.
    pub fn json(&self) -> Json {
        let (end, number) = match self.end {
            End::Exit(code) => ("exit", Some(code)),
            End::Signal(signal) => ("signal", Some(signal)),
            End::TimeLimit => ("time limit", None),
            End::MemoryLimit => ("memory limit", None),
        };
        Json::object([
            ("end", Json::from(end)),
            ("number", number.map_or(Json::Null, |number| Json::Integer(number.into()))),
            ("wall", self.wall.as_secs_f64().into()),
            ("cpu", self.cpu.as_secs_f64().into()),
            ("memory", Json::Integer(self.peak_memory.into())),
            ("stdout", self.stdout.as_str().into()),
            ("stderr", self.stderr.as_str().into()),
        ])
    }

    /// Nothing if it is not what [`Measurement::json`] makes.
    pub fn of_json(json: &Json) -> Option<Measurement> {
        let number = |name: &str| json.get(name).and_then(Json::as_f64);
        let seconds = |name: &str| Duration::try_from_secs_f64(number(name)?).ok();
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_string);
        let end = match json.get("end")?.as_str()? {
            "exit" => End::Exit(number("number")? as i32),
            "signal" => End::Signal(number("number")? as i32),
            "time limit" => End::TimeLimit,
            "memory limit" => End::MemoryLimit,
            _ => return None,
        };
        Some(Measurement {
            end,
            stdout: text("stdout")?,
            stderr: text("stderr")?,
            wall: seconds("wall")?,
            cpu: seconds("cpu")?,
            peak_memory: number("memory")? as u64,
        })
    }
}

/// Runs `command` (its program first) to its end or to a limit. `None` if it was cancelled.
pub fn run(command: &[OsString], limits: &Limits, cancel: &CancelToken) -> io::Result<Option<Measurement>> {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let marker = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "an empty command"));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .env(MARKER, &marker)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let start = Instant::now();
    let stdout = child.stdout.take().map(|pipe| collect(pipe, STDOUT_KEPT));
    let stderr = child.stderr.take().map(|pipe| collect(pipe, STDERR_KEPT));
    let mut tree = ProcessTree::new(child.id(), &marker);

    let mut peak_memory = 0;
    let mut cpu = Duration::ZERO;
    let mut limit = None;
    let mut cancelled = false;
    let mut ended = None;
    let mut next_sample = start;
    // Short runs are watched closely: their time and memory would otherwise be lost in the interval.
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if Instant::now() >= next_sample {
            let usage = tree.sample();
            peak_memory = peak_memory.max(usage.resident_bytes);
            cpu = cpu.max(usage.cpu);
            next_sample = Instant::now() + (pause * 10).min(SAMPLE_EVERY);
            cancelled = cancel.is_cancelled();
            if usage.resident_bytes > limits.memory {
                limit = Some(End::MemoryLimit);
            } else if start.elapsed() > limits.timeout + GRACE {
                limit = Some(End::TimeLimit);
            }
            if limit.is_some() || cancelled || usage.root_ended {
                ended.get_or_insert_with(Instant::now);
                tree.kill();
            }
        }
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(4));
    };
    let wall = ended.unwrap_or_else(Instant::now) - start;
    tree.kill();
    let end = limit.unwrap_or(match status.code() {
        Some(code) => End::Exit(code),
        None => End::Signal(status.signal().unwrap_or(0)),
    });
    let (stdout, stderr) = (text(stdout), text(stderr));
    if cancelled {
        return Ok(None);
    }
    Ok(Some(Measurement { end, stdout, stderr, wall, cpu, peak_memory }))
}

/// Reads a pipe in a thread of its own, so that a talkative process never blocks.
fn collect(mut pipe: impl Read + Send + 'static, keep: usize) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut kept = 0;
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            let wanted = length.min(keep - kept);
            kept += wanted;
            if wanted > 0 && sender.send(buffer[..wanted].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

fn text(pipe: Option<Receiver<Vec<u8>>>) -> String {
    let mut bytes = Vec::new();
    let deadline = Instant::now() + GRACE;
    // All writers are dead, so the pipe ends; if one escaped, what it wrote so far must do.
    if let Some(receiver) = pipe {
        while let Ok(part) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            bytes.extend(part);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Duration, memory: u64) -> Measurement {
        let command = ["/bin/sh".into(), "-c".into(), script.into()];
        let limits = Limits { timeout, memory };
        run(&command, &limits, &CancelToken::default()).expect("a shell").expect("not cancelled")
    }

    fn is_running(id: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        stat.rfind(')').is_some_and(|end| !stat[end..].starts_with(") Z"))
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn output_and_exit_code() {
        let run = shell("echo out; echo err >&2; exit 3", 10 * SECOND, 1 << 30);
        assert_eq!((run.end, run.stdout.as_str(), run.stderr.as_str()), (End::Exit(3), "out\n", "err\n"));
        let run = shell("kill -11 $$", 10 * SECOND, 1 << 30);
        assert_eq!(run.end, End::Signal(11));
        let read = Json::parse(&run.json().to_string()).ok().and_then(|json| Measurement::of_json(&json));
        assert_eq!(read, Some(run));
    }

    #[test]
    fn a_time_limit_kills_children_and_daemons() {
        let script =
            "setsid sleep 300 & echo $!; sleep 301 & echo $!; (setsid sleep 302 >/dev/null 2>&1 &); wait";
        let run = shell(script, Duration::from_millis(100), 1 << 30);
        assert_eq!(run.end, End::TimeLimit);
        let children: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(children.len(), 2);
        assert!(children.iter().all(|id| !is_running(id)), "{children:?}");
    }

    #[test]
    fn what_outlives_its_parent_is_killed_too() {
        let run = shell("setsid sleep 300 >/dev/null 2>&1 & echo $!", 10 * SECOND, 1 << 30);
        assert_eq!(run.end, End::Exit(0));
        assert!(!is_running(&run.stdout), "{}", run.stdout);
    }

    #[test]
    fn a_memory_limit_counts_the_whole_tree() {
        let script = "(head -c 200000000 /dev/zero | tail -c 200000000 | sleep 30) & wait";
        let run = shell(script, 30 * SECOND, 100 << 20);
        assert_eq!(run.end, End::MemoryLimit);
        assert!(run.peak_memory > 100 << 20 && run.wall < 20 * SECOND);
    }

    #[test]
    fn a_talkative_process_does_not_block() {
        let run = shell("head -c 20000000 /dev/zero; echo done >&2", 20 * SECOND, 1 << 30);
        assert_eq!((run.end, run.stdout.len(), run.stderr.as_str()), (End::Exit(0), STDOUT_KEPT, "done\n"));
    }

    #[test]
    fn cancellation_ends_a_run_without_a_result() {
        let cancel = CancelToken::default();
        cancel.cancel();
        let limits = Limits { timeout: 30 * SECOND, memory: 1 << 30 };
        let command = ["sleep".into(), "30".into()];
        let start = Instant::now();
        assert!(run(&command, &limits, &cancel).expect("a process").is_none());
        assert!(start.elapsed() < 10 * SECOND);
    }
}
