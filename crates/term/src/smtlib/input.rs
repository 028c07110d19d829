//! Cuts a stream into commands, so that a command from a pipe is answered before the next arrives.

use super::{Position, Tree};
use std::io::{self, BufRead};

/// The commands of a stream, one after the other.
pub struct CommandInput<R> {
    reader: R,
    line: u32,
    column: u32,
}

/// Where in the lexical structure the next byte stands.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Blank,
    Comment,
    /// A `;` comment inside of an expression.
    InnerComment,
    Expression,
    Atom,
    Quoted,
    String,
}

impl<R: BufRead> CommandInput<R> {
    pub fn new(reader: R) -> Self {
        CommandInput { reader, line: 1, column: 1 }
    }

    /// The next command, or `None` at the end of the input.
    pub fn next_command(&mut self) -> io::Result<Option<super::Result<Tree>>> {
        let mut text: Vec<u8> = Vec::new();
        let mut origin = Position { line: self.line, column: self.column };
        let mut state = State::Blank;
        let mut depth = 0u32;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                if matches!(state, State::Blank | State::Comment) {
                    return Ok(None);
                }
                return Ok(Some(parse(text, origin)));
            }
            let mut complete = false;
            let mut used = 0;
            let mut taken_from = 0;
            for &byte in buffer {
                if state == State::Atom
                    && (byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';' | b'"' | b'|'))
                {
                    // An atom outside of a list ends before this byte.
                    complete = true;
                    break;
                }
                used += 1;
                if byte == b'\n' {
                    self.line += 1;
                    self.column = 1;
                } else if byte & 0xC0 != 0x80 {
                    self.column += 1;
                }
                match state {
                    State::Blank => {
                        if byte == b';' {
                            state = State::Comment;
                        } else if !byte.is_ascii_whitespace() {
                            origin = Position { line: self.line, column: self.column - 1 };
                            taken_from = used - 1;
                            match byte {
                                b'(' => {
                                    depth = 1;
                                    state = State::Expression;
                                }
                                b'|' => state = State::Quoted,
                                b'"' => state = State::String,
                                b')' => complete = true,
                                _ => state = State::Atom,
                            }
                        }
                    }
                    State::Comment if byte == b'\n' => state = State::Blank,
                    State::InnerComment if byte == b'\n' => state = State::Expression,
                    State::Comment | State::InnerComment | State::Atom => {}
                    State::Quoted if byte == b'|' => state = State::Expression,
                    State::String if byte == b'"' => state = State::Expression,
                    State::Quoted | State::String => {}
                    State::Expression => match byte {
                        b'(' => depth += 1,
                        b')' => depth = depth.saturating_sub(1),
                        b'|' => state = State::Quoted,
                        b'"' => state = State::String,
                        b';' => state = State::InnerComment,
                        _ => {}
                    },
                }
                if state == State::Expression && depth == 0 {
                    complete = true;
                }
                if complete {
                    break;
                }
            }
            if !matches!(state, State::Blank | State::Comment) || complete {
                text.extend_from_slice(&buffer[taken_from..used]);
            }
            self.reader.consume(used);
            if complete {
                return Ok(Some(parse(text, origin)));
            }
        }
    }
}

fn parse(text: Vec<u8>, origin: Position) -> super::Result<Tree> {
    let text = String::from_utf8(text)
        .map_err(|_| super::Error { position: origin, message: "the input is not UTF-8".to_string() })?;
    Tree::parse(text, origin)
}
