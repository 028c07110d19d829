//! Unwindings as text.
//!
//! ```text
//! (set-info :craig-proof unwinding)
//! (set-info :data-model lp64)
//! (set-info :arithmetic assume-no-overflow)
//! loop p0.l3 8
//! calls p1 1
//! object 16
//! refutation
//! 117 0 4 5 0
//! ```
//!
//! After the lines that all proofs begin with: for the head of each loop that is entered again, how often; for each
//! procedure that is called, how many calls are active at once; the bytes of the largest object of variable size, if
//! there is one; and from the line after `refutation` on, LRAT.

use super::{Bounds, Unwinding};
use crate::file::{ProofKind, header_text};
use craig_program::{LocId, ProcId, Program};
use craig_term::smtlib::{Error, Position};
use std::fmt::Write;

pub fn write_unwinding(program: &Program, unwinding: &Unwinding) -> String {
    let mut text = header_text(program, ProofKind::Unwinding);
    for ((proc, head), times) in unwinding.bounds.loops.iter().filter(|&(_, &times)| times > 0) {
        let _ = writeln!(text, "loop {proc}.{head} {times}");
    }
    for (proc, calls) in &unwinding.bounds.calls {
        let _ = writeln!(text, "calls {proc} {calls}");
    }
    if unwinding.bounds.object > 0 {
        let _ = writeln!(text, "object {}", unwinding.bounds.object);
    }
    text.push_str("refutation\n");
    text.push_str(&unwinding.refutation);
    text
}

/// An error is a text that is no unwinding, or that of another kind of program.
pub fn read_unwinding(program: &Program, text: &str) -> Result<Unwinding, Error> {
    let header = header_text(program, ProofKind::Unwinding);
    let error =
        |line: usize, message: String| Error { position: Position { line: line as u32, column: 1 }, message };
    let mut rest = text;
    for (index, expected) in header.lines().enumerate() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if line.trim_end() != expected {
            return Err(error(index + 1, format!("expected `{expected}`")));
        }
        rest = after;
    }
    let mut bounds = Bounds::default();
    let mut number = header.lines().count();
    loop {
        number += 1;
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        if line.trim_end() == "refutation" {
            return Ok(Unwinding { bounds, refutation: rest.to_string() });
        }
        read_bound(line, &mut bounds).ok_or_else(|| {
            error(number, "expected `loop pN.lN N`, `calls pN N`, `object N` or `refutation`".to_string())
        })?;
    }
}

fn read_bound(line: &str, bounds: &mut Bounds) -> Option<()> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let proc = |name: &str| name.strip_prefix('p')?.parse().ok().map(ProcId);
    match words.as_slice() {
        ["loop", place, times] => {
            let (name, head) = place.split_once('.')?;
            let head = LocId(head.strip_prefix('l')?.parse().ok()?);
            bounds.loops.insert((proc(name)?, head), times.parse().ok()?);
        }
        ["calls", name, calls] => {
            bounds.calls.insert(proc(name)?, calls.parse().ok()?);
        }
        ["object", bytes] => bounds.object = bytes.parse().ok()?,
        _ => return None,
    }
    Some(())
}
