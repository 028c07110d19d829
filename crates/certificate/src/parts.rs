//! Proofs in parts, each about some of a program's checks.
//!
//! ```text
//! (set-info :craig-proof parts)
//! (set-info :data-model lp64)
//! (set-info :arithmetic assume-no-overflow)
//! part 5 lines about 0 2
//! (set-info :craig-proof induction)
//! ...
//! ```
//!
//! A part is a whole proof, of so many lines, about the program in which only these checks fail: where others would, the
//! run ends, or goes on, as their kind says. The first check that a run fails it also fails in the program of the part that
//! is about it, as everything before is the same there. So the program is safe if every check that can fail is in a part,
//! and every part is accepted.

use crate::file::{ProofKind, header_text};
use craig_program::Program;
use craig_term::smtlib::{Error, Position};
use std::fmt::Write;

/// A proof, and the checks that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<C, T> {
    pub checks: C,
    pub proof: T,
}

pub fn write_parts(program: &Program, parts: &[Part<Vec<usize>, String>]) -> String {
    let mut text = header_text(program, ProofKind::Parts);
    for Part { checks, proof } in parts {
        let _ = write!(text, "part {} lines about", proof.lines().count());
        for check in checks {
            let _ = write!(text, " {check}");
        }
        text.push('\n');
        text.push_str(proof);
        if !proof.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

/// The parts with their texts. An error is a text of another form, or of another kind of program, or one that leaves a
/// check out.
pub fn read_parts<'t>(program: &Program, text: &'t str) -> Result<Vec<Part<Vec<usize>, &'t str>>, Error> {
    let error =
        |line: usize, message: String| Error { position: Position { line: line as u32, column: 1 }, message };
    let header = header_text(program, ProofKind::Parts);
    let mut lines = text.split_inclusive('\n').enumerate();
    for expected in header.lines() {
        let (index, line) = lines.next().unwrap_or_default();
        if line.trim_end() != expected {
            return Err(error(index + 1, format!("expected `{expected}`")));
        }
    }
    let start = |line: &str| -> Option<(usize, Vec<usize>)> {
        let (length, checks) = line.trim_end().strip_prefix("part ")?.split_once(" lines about")?;
        let number = |word: &str| word.parse().ok().filter(|&check| check < program.checks.len());
        let checks: Option<Vec<usize>> = checks.split_ascii_whitespace().map(number).collect();
        Some((length.parse().ok()?, checks?))
    };
    let mut parts = Vec::new();
    let mut at = header.lines().map(|line| line.len() + 1).sum::<usize>().min(text.len());
    while let Some((index, line)) = lines.next() {
        let expected = || error(index + 1, "expected `part N lines about` checks of the program".to_string());
        let (length, checks) = start(line).ok_or_else(expected)?;
        let begin = at + line.len();
        at = begin + lines.by_ref().take(length).map(|(_, line)| line.len()).sum::<usize>();
        let proof = text.get(begin..at).ok_or_else(expected)?;
        parts.push(Part { checks, proof });
    }
    let missing = (0..program.checks.len()).find(|check| {
        program.may_fail(&program.checks[*check]) && !parts.iter().any(|part| part.checks.contains(check))
    });
    match missing {
        None if !parts.is_empty() => Ok(parts),
        None => Err(error(1, "there are no parts".to_string())),
        Some(check) => Err(error(1, format!("no part is about check {check}"))),
    }
}
