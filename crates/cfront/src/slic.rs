//! SLIC rules: what must never happen at an interface, as a state machine written in C.
//!
//! T. Ball, S. K. Rajamani, *SLIC: A Specification Language for Interface Checking of C*, MSR-TR-2001-21;
//! Figure 16 of 004 is an example. A rule is
//!
//! ```text
//! state { enum { Unlocked, Locked } lock = Unlocked; }      its own variables, in C
//! Acquire.entry { if (lock == Locked) abort "taken twice"; lock = Locked; }
//! [Release, ReleaseAll].exit, Drop.exit { ... $1 ... $return ... }
//! ```
//!
//! and any other C declarations that the bodies need. `F.entry` (or `F.call`) happens when `F` is called, with
//! its arguments as `$1`, `$2`, ...; `F.exit` (or `F.return`) when it returns, with its result as `$return` and the
//! arguments as they were. `abort "message";` is the error, `halt;` ends the run without one.
//!
//! This module only takes a rule apart: its C parts are left to the C parser, which sees the tokens of the
//! declarations and then those of the bodies, in order ([`Rule::tokens`]). The names `$1` and `$return` are
//! identifiers of GNU C. The checker gives them their types and weaves the bodies into the program
//! (`check::rule`). All places are places in the rule's file.

use crate::diagnostics::Diagnostic;
use crate::lex::{Keyword, Names, Punct, Symbol, Token, TokenKind, Tokens};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Entry,
    Exit,
}

/// A body and the events at which it runs.
#[derive(Clone, Debug)]
pub struct Handler {
    pub events: Vec<(Symbol, Span, Event)>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    /// The declarations, then the bodies of `handlers`.
    pub tokens: Tokens,
    /// How many tokens belong to declarations.
    pub declarations: usize,
    /// The places of the `state` blocks.
    pub states: Vec<Span>,
    pub handlers: Vec<Handler>,
    /// The places of `abort`, with what they say.
    pub messages: Vec<(Span, String)>,
}

/// Takes a rule apart. `text` is what `tokens` were made of; its first byte has number `base`.
pub fn parse(text: &[u8], base: u32, tokens: &Tokens, names: &Names) -> Result<Rule, Diagnostic> {
    let mut messages = Vec::new();
    let stream = take_messages(text, base, &tokens.tokens, names, &mut messages);
    let mut splitter = Splitter { stream: &stream, names, at: 0 };
    let mut declarations: Vec<Token> = Vec::new();
    let mut bodies: Vec<Token> = Vec::new();
    let mut states = Vec::new();
    let mut handlers = Vec::new();
    while splitter.peek(0).kind != TokenKind::End {
        if splitter.is_name("state") && splitter.is(1, Punct::LeftBrace) {
            splitter.at += 1;
            let block = splitter.braces()?;
            let inner = &block[1..block.len() - 1];
            states.extend(inner.first().zip(inner.last()).map(|(first, last)| first.span.to(last.span)));
            declarations.extend(inner);
        } else if splitter.starts_events() {
            handlers.push(Handler { events: splitter.events()? });
            bodies.extend(splitter.braces()?);
        } else {
            declarations.extend(splitter.declaration()?);
        }
    }
    let end = splitter.peek(0);
    let count = declarations.len();
    let tokens = declarations.into_iter().chain(bodies).chain([end]).collect();
    let tokens = Tokens { tokens, packs: Vec::new() };
    Ok(Rule { tokens, declarations: count, states, handlers, messages })
}

/// The tokens without the strings after `abort`.
fn take_messages(
    text: &[u8],
    base: u32,
    tokens: &[Token],
    names: &Names,
    messages: &mut Vec<(Span, String)>,
) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut message: Option<usize> = None;
    for &token in tokens {
        match (token.kind, message) {
            (TokenKind::String, Some(message)) => {
                let (start, end) = ((token.span.start - base) as usize, (token.span.end - base) as usize);
                let quoted = String::from_utf8_lossy(&text[start..end]);
                messages[message].1.push_str(quoted.trim_matches('"'));
                continue;
            }
            (TokenKind::Name(name), _) if names.get(name) == "abort" => {
                message = Some(messages.len());
                messages.push((token.span, String::new()));
            }
            _ => message = None,
        }
        kept.push(token);
    }
    kept
}

struct Splitter<'t> {
    /// Ends with [`TokenKind::End`].
    stream: &'t [Token],
    names: &'t Names,
    at: usize,
}

impl<'t> Splitter<'t> {
    fn peek(&self, ahead: usize) -> Token {
        let last = self.stream.len() - 1;
        self.stream[(self.at + ahead).min(last)]
    }

    fn is(&self, ahead: usize, punct: Punct) -> bool {
        self.peek(ahead).kind == TokenKind::Punct(punct)
    }

    fn is_name(&self, text: &str) -> bool {
        matches!(self.peek(0).kind, TokenKind::Name(name) if self.names.get(name) == text)
    }

    fn starts_events(&self) -> bool {
        self.is(0, Punct::LeftBracket)
            || (matches!(self.peek(0).kind, TokenKind::Name(_)) && self.is(1, Punct::Dot))
    }

    fn expect(&mut self, punct: Punct, place: &str) -> Result<(), Diagnostic> {
        if !self.is(0, punct) {
            let message = format!("expected `{}` {place}", punct.text());
            return Err(Diagnostic::error(self.peek(0).span, message));
        }
        self.at += 1;
        Ok(())
    }

    /// `F.entry, [G, H].exit`
    fn events(&mut self) -> Result<Vec<(Symbol, Span, Event)>, Diagnostic> {
        let mut events = Vec::new();
        loop {
            let mut functions = Vec::new();
            if self.is(0, Punct::LeftBracket) {
                self.at += 1;
                functions.push(self.function()?);
                while self.is(0, Punct::Comma) {
                    self.at += 1;
                    functions.push(self.function()?);
                }
                self.expect(Punct::RightBracket, "after the functions")?;
            } else {
                functions.push(self.function()?);
            }
            self.expect(Punct::Dot, "before the event")?;
            let event = self.event()?;
            events.extend(functions.into_iter().map(|(name, span)| (name, span, event)));
            if !self.is(0, Punct::Comma) {
                return Ok(events);
            }
            self.at += 1;
        }
    }

    fn function(&mut self) -> Result<(Symbol, Span), Diagnostic> {
        let token = self.peek(0);
        match token.kind {
            TokenKind::Name(name) => {
                self.at += 1;
                Ok((name, token.span))
            }
            _ => Err(Diagnostic::error(token.span, "expected the name of a function")),
        }
    }

    fn event(&mut self) -> Result<Event, Diagnostic> {
        let token = self.peek(0);
        let event = match token.kind {
            TokenKind::Keyword(Keyword::Return) => Some(Event::Exit),
            TokenKind::Name(name) => match self.names.get(name) {
                "entry" | "call" => Some(Event::Entry),
                "exit" => Some(Event::Exit),
                _ => None,
            },
            _ => None,
        };
        self.at += 1;
        event.ok_or_else(|| Diagnostic::error(token.span, "expected `entry`, `exit` or `return`"))
    }

    /// A block with its braces.
    fn braces(&mut self) -> Result<&'t [Token], Diagnostic> {
        let start = self.at;
        self.expect(Punct::LeftBrace, "before the statements")?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek(0).kind {
                TokenKind::Punct(Punct::LeftBrace) => depth += 1,
                TokenKind::Punct(Punct::RightBrace) => depth -= 1,
                TokenKind::End => {
                    let message = "the brace that opens here is not closed";
                    return Err(Diagnostic::error(self.stream[start].span, message));
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(&self.stream[start..self.at])
    }

    /// A declaration or function definition in C.
    fn declaration(&mut self) -> Result<&'t [Token], Diagnostic> {
        let start = self.at;
        let mut parenthesised = false;
        loop {
            match self.peek(0).kind {
                TokenKind::Punct(Punct::Semicolon) => {
                    self.at += 1;
                    break;
                }
                TokenKind::Punct(Punct::LeftBrace) => {
                    self.braces()?;
                    if parenthesised {
                        break;
                    }
                }
                TokenKind::End => {
                    let message = "expected a declaration, `state { ... }`, or an event such as `F.entry`";
                    return Err(Diagnostic::error(self.stream[start].span, message));
                }
                kind => {
                    parenthesised |= kind == TokenKind::Punct(Punct::LeftParen);
                    self.at += 1;
                }
            }
        }
        Ok(&self.stream[start..self.at])
    }
}
