//! Cuts a stream into commands, so that a command from a pipe is answered before the next arrives.

use super::sexpr::{DELIMITS, ENDS_ATOM};
use super::{Position, Tree};
use std::io::{self, BufRead};

/// The commands of a stream, one after the other.
pub struct CommandInput<R> {
    reader: R,
    place: Position,
}

/// Where in the lexical structure of a command the next byte stands.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Expression,
    Comment,
    Atom,
    Quoted,
    String,
}

/// A command of which a beginning was seen.
struct Scan {
    state: State,
    depth: u32,
}

impl<R: BufRead> CommandInput<R> {
    pub fn new(reader: R) -> Self {
        CommandInput { reader, place: Position { line: 1, column: 1 } }
    }

    /// The next command, or `None` at the end of the input.
    pub fn next_command(&mut self) -> io::Result<Option<super::Result<Tree>>> {
        if !self.skip_blanks()? {
            return Ok(None);
        }
        let origin = self.place;
        if let Some((tree, used)) = Tree::complete_list(self.reader.fill_buf()?, origin) {
            self.take(used)?;
            return Ok(Some(Ok(tree)));
        }
        let mut text: Vec<u8> = Vec::new();
        let mut scan = Scan { state: State::Expression, depth: 0 };
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(Some(parse(text, origin)));
            }
            let (used, complete) = scan.advance(buffer);
            text.extend_from_slice(&buffer[..used]);
            self.take(used)?;
            if complete {
                return Ok(Some(parse(text, origin)));
            }
        }
    }

    /// Goes to where a command begins; false if there is none.
    fn skip_blanks(&mut self) -> io::Result<bool> {
        let mut in_comment = false;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let begin = buffer.iter().position(|&byte| {
                in_comment = if in_comment { byte != b'\n' } else { byte == b';' };
                !in_comment && !byte.is_ascii_whitespace()
            });
            let blanks = begin.unwrap_or(buffer.len());
            self.take(blanks)?;
            if begin.is_some() {
                return Ok(true);
            }
        }
    }

    /// Consumes so many bytes of the buffer.
    fn take(&mut self, length: usize) -> io::Result<()> {
        let taken = &self.reader.fill_buf()?[..length];
        let mut last_line = taken;
        let lines = count(taken, |byte| byte == b'\n');
        if lines > 0 {
            last_line = taken.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            self.place = Position { line: self.place.line + lines, column: 1 };
        }
        // A character counts once, however many bytes it has.
        self.place.column += count(last_line, |byte| byte & 0xC0 != 0x80);
        self.reader.consume(length);
        Ok(())
    }
}

/// How many bytes are of a kind, many at once.
fn count(bytes: &[u8], is_one: impl Fn(u8) -> bool) -> u32 {
    bytes
        .chunks(255)
        .map(|bytes| u32::from(bytes.iter().map(|&byte| u8::from(is_one(byte))).sum::<u8>()))
        .sum()
}

impl Scan {
    /// How many bytes of the buffer belong to the command, and whether it is complete with them.
    fn advance(&mut self, buffer: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < buffer.len() {
            let rest = &buffer[at..];
            let next = match self.state {
                State::Expression if self.depth == 0 => Some(0),
                State::Expression => rest.iter().position(|&byte| DELIMITS[byte as usize]),
                State::Atom => rest.iter().position(|&byte| ENDS_ATOM[byte as usize]),
                State::Comment => rest.iter().position(|&byte| byte == b'\n'),
                State::Quoted => rest.iter().position(|&byte| byte == b'|'),
                State::String => rest.iter().position(|&byte| byte == b'"'),
            };
            let Some(next) = next else { break };
            at += next;
            if self.state == State::Atom {
                // An atom outside of a list ends before this byte.
                return (at, true);
            }
            let byte = buffer[at];
            at += 1;
            self.state = match (self.state, byte) {
                (State::Expression, b'|') => State::Quoted,
                (State::Expression, b'"') => State::String,
                (State::Expression, b';') => State::Comment,
                (State::Expression, b'(') => {
                    self.depth += 1;
                    State::Expression
                }
                (State::Expression, b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    State::Expression
                }
                (State::Expression, _) => State::Atom,
                _ => State::Expression,
            };
            if self.state == State::Expression && self.depth == 0 {
                return (at, true);
            }
        }
        (buffer.len(), false)
    }
}

fn parse(text: Vec<u8>, origin: Position) -> super::Result<Tree> {
    let text = String::from_utf8(text)
        .map_err(|_| super::Error { position: origin, message: "the input is not UTF-8".to_string() })?;
    Tree::parse(text, origin)
}
