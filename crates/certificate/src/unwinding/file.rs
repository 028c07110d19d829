//! Unwindings as text.
//!
//! ```text
//! (set-info :craig-proof unwinding)
//! (set-info :data-model lp64)
//! (set-info :arithmetic assume-no-overflow)
//! loop p0.l3 8
//! calls p1 1
//! object 16
//! never 3 1 4 7 2 7
//! refutation
//! 117 0 4 5 0
//! ```
//!
//! After the lines that all proofs begin with: for the head of each loop that is entered again, how often; for each
//! procedure that is called, how many calls are active at once; the bytes of the largest object of variable size, if
//! there is one; heads of loops that no run enters again in some iteration, by the numbers of calls and iterations; and from the line after `refutation` on, LRAT.
//!
//! A proof by induction has invariants of loops before these lines, and its depth:
//!
//! ```text
//! (set-info :craig-proof induction)
//! (set-info :data-model lp64)
//! (set-info :arithmetic assume-no-overflow)
//! (assert (! (<= crc!4 65535) :named l3)) ; crc.c:5:3
//! depth 1
//! loop p0.l9 8
//! refutation
//! 117 0 4 5 0
//! ```

use super::{Bounds, Induction, Unwinding};
use crate::file::{ProofKind, header_text, invariant_text, read_annotation};
use craig_program::{LocId, ProcId, Program};
use craig_term::Terms;
use craig_term::smtlib::{Error, Position};
use std::fmt::Write;

pub fn write_unwinding(program: &Program, unwinding: &Unwinding) -> String {
    let mut text = header_text(program, ProofKind::Unwinding);
    write_rest(&mut text, &unwinding.bounds, &unwinding.refutation);
    text
}

pub fn write_induction(terms: &Terms, program: &Program, induction: &Induction) -> String {
    let mut text = invariant_text(terms, program, ProofKind::Induction, &induction.invariant);
    let _ = writeln!(text, "depth {}", induction.depth);
    write_rest(&mut text, &induction.bounds, &induction.refutation);
    text
}

fn write_rest(text: &mut String, bounds: &Bounds, refutation: &str) {
    for ((proc, head), times) in bounds.loops.iter().filter(|&(_, &times)| times > 0) {
        let _ = writeln!(text, "loop {proc}.{head} {times}");
    }
    for (proc, calls) in &bounds.calls {
        let _ = writeln!(text, "calls {proc} {calls}");
    }
    if bounds.object > 0 {
        let _ = writeln!(text, "object {}", bounds.object);
    }
    for point in &bounds.never {
        text.push_str("never");
        for number in point {
            let _ = write!(text, " {number}");
        }
        text.push('\n');
    }
    text.push_str("refutation\n");
    text.push_str(refutation);
}

/// An error is a text that is no unwinding, or that of another kind of program.
pub fn read_unwinding(program: &Program, text: &str) -> Result<Unwinding, Error> {
    let header = header_text(program, ProofKind::Unwinding);
    let mut rest = text;
    for (index, expected) in header.lines().enumerate() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if line.trim_end() != expected {
            return Err(error(index + 1, format!("expected `{expected}`")));
        }
        rest = after;
    }
    let (bounds, refutation) = read_rest(rest, header.lines().count())?;
    Ok(Unwinding { bounds, refutation })
}

/// Reads a proof about the program without calls. An error is a text that is none, or that of another kind of program.
pub fn read_induction(terms: &mut Terms, program: &Program, text: &str) -> Result<Induction, Error> {
    const DEPTH: &str = "\ndepth ";
    let end = text.find(DEPTH).ok_or_else(|| error(1, "a line with the depth is missing".to_string()))?;
    let invariant = read_annotation(terms, program, ProofKind::Induction, &text[..end])?;
    let (depth, rest) = text[end + DEPTH.len()..].split_once('\n').unwrap_or_default();
    let lines = text[..end].lines().count() + 1;
    let depth = depth.trim_end().parse().map_err(|_| error(lines, "expected `depth N`".to_string()))?;
    let (bounds, refutation) = read_rest(rest, lines)?;
    Ok(Induction { depth, invariant, bounds, refutation })
}

fn error(line: usize, message: String) -> Error {
    Error { position: Position { line: line as u32, column: 1 }, message }
}

/// The bounds and the refutation, after so many lines.
fn read_rest(mut rest: &str, mut number: usize) -> Result<(Bounds, String), Error> {
    let mut bounds = Bounds::default();
    loop {
        number += 1;
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        if line.trim_end() == "refutation" {
            return Ok((bounds, rest.to_string()));
        }
        read_bound(line, &mut bounds).ok_or_else(|| {
            let expected = "`loop pN.lN N`, `calls pN N`, `object N`, `never N...` or `refutation`";
            error(number, format!("expected {expected}"))
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
        ["never", numbers @ ..] => {
            let point: Option<Vec<u32>> = numbers.iter().map(|number| number.parse().ok()).collect();
            bounds.never.insert(point?);
        }
        _ => return None,
    }
    Some(())
}
