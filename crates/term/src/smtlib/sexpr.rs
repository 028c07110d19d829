//! S-expressions as one flat vector in pre-order: a list is followed by its elements, and every
//! node knows where the next one after it begins. Line and column are computed only for errors.

use super::{Error, Position, Result};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    List,
    /// A simple or quoted symbol.
    Symbol,
    /// `:name`.
    Keyword,
    Numeral,
    Decimal,
    /// `#x..` or `#b..`.
    Binary,
    String,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The bytes of the node; without the bars of a quoted symbol and the quotes of a string.
    start: u32,
    end: u32,
    /// The node after this one and all that it contains.
    next: u32,
}

/// One s-expression with its text and where that text began.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    origin: Position,
    nodes: Vec<Node>,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Sexpr<'t> {
    tree: &'t Tree,
    node: u32,
}

impl Tree {
    /// Reads the first s-expression of `text`, which began at `origin`.
    pub fn parse(text: String, origin: Position) -> Result<Tree> {
        let mut builder = Builder::default();
        let outcome = builder.read(text.as_bytes());
        let tree = Tree { text, origin, nodes: builder.nodes };
        match outcome {
            Ok(_) => Ok(tree),
            Err((at, message)) => Err(tree.error_at(at, message)),
        }
    }

    /// The list with which `bytes` begin and the number of its bytes, if nothing is wrong with it and all of it is there.
    pub(super) fn complete_list(bytes: &[u8], origin: Position) -> Option<(Tree, usize)> {
        let mut builder = Builder::default();
        let end = bytes.starts_with(b"(").then(|| builder.read(bytes).ok())??;
        let text = str::from_utf8(&bytes[..end]).ok()?.to_string();
        Some((Tree { text, origin, nodes: builder.nodes }, end))
    }

    pub fn root(&self) -> Sexpr<'_> {
        Sexpr { tree: self, node: 0 }
    }

    fn error_at(&self, at: usize, message: String) -> Error {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let lines = before.matches('\n').count() as u32;
        let last_line = before.rsplit('\n').next().unwrap_or(before);
        let column = last_line.chars().count() as u32 + if lines == 0 { self.origin.column } else { 1 };
        Error { position: Position { line: self.origin.line + lines, column }, message }
    }
}

impl<'t> Sexpr<'t> {
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    /// The text of an atom, without bars or quotes; of a list, all of it.
    pub fn text(self) -> &'t str {
        let node = self.data();
        &self.tree.text[node.start as usize..node.end as usize]
    }

    /// The value of a string literal, in which `""` stands for one quote.
    pub fn string(self) -> Cow<'t, str> {
        let text = self.text();
        if text.contains('"') { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) }
    }

    pub fn is_list(self) -> bool {
        self.kind() == Kind::List
    }

    pub fn symbol(self) -> Option<&'t str> {
        (self.kind() == Kind::Symbol).then(|| self.text())
    }

    pub fn keyword(self) -> Option<&'t str> {
        (self.kind() == Kind::Keyword).then(|| self.text())
    }

    /// The elements of a list; of an atom, none.
    pub fn children(self) -> impl Iterator<Item = Sexpr<'t>> {
        let tree = self.tree;
        let end = self.data().next;
        let mut node = self.node + 1;
        std::iter::from_fn(move || {
            let current = (node < end).then_some(Sexpr { tree, node })?;
            node = tree.nodes[node as usize].next;
            Some(current)
        })
    }

    pub fn error(self, message: impl Into<String>) -> Error {
        let node = self.data();
        self.tree.error_at(node.start as usize, message.into())
    }

    fn data(self) -> &'t Node {
        &self.tree.nodes[self.node as usize]
    }
}

struct Builder {
    nodes: Vec<Node>,
    /// The innermost list that is open. While a list is open, its `next` is the one around it.
    open: Option<u32>,
}

/// What is around a list that is not in another one.
const NOTHING: u32 = u32::MAX;

impl Default for Builder {
    fn default() -> Self {
        // Most commands are declarations.
        Builder { nodes: Vec::with_capacity(8), open: None }
    }
}

impl Builder {
    /// Reads one expression, and says where it ends; what is wrong comes with the byte where it is.
    fn read(&mut self, bytes: &[u8]) -> std::result::Result<usize, (usize, String)> {
        if u32::try_from(bytes.len()).is_err() {
            return Err((0, "a command of 4 gigabytes or more".to_string()));
        }
        let mut i = 0;
        loop {
            i = skip_blanks(bytes, i);
            let Some(&byte) = bytes.get(i) else {
                let place = self.open.map_or(i, |list| self.nodes[list as usize].start as usize);
                return Err((place, "the input ends inside of an expression".to_string()));
            };
            match byte {
                b'(' => {
                    let list = self.nodes.len() as u32;
                    self.push(Kind::List, i, i + 1);
                    self.nodes[list as usize].next = self.open.replace(list).unwrap_or(NOTHING);
                    i += 1;
                    continue;
                }
                b')' => {
                    let Some(list) = self.open else { return Err((i, "unexpected `)`".to_string())) };
                    let next = self.nodes.len() as u32;
                    let list = &mut self.nodes[list as usize];
                    list.end = i as u32 + 1;
                    self.open = Some(std::mem::replace(&mut list.next, next)).filter(|&list| list != NOTHING);
                    i += 1;
                }
                b'|' => {
                    let end =
                        find(bytes, i + 1, b'|').ok_or((i, "a quoted symbol without end".to_string()))?;
                    self.push(Kind::Symbol, i + 1, end);
                    i = end + 1;
                }
                b'"' => {
                    let end = string_end(bytes, i + 1).ok_or((i, "a string without end".to_string()))?;
                    self.push(Kind::String, i + 1, end);
                    i = end + 1;
                }
                _ => {
                    let end = bytes[i..]
                        .iter()
                        .position(|&b| ENDS_ATOM[b as usize])
                        .map_or(bytes.len(), |length| i + length);
                    let kind = atom_kind(&bytes[i..end]).ok_or_else(|| {
                        (i, format!("unexpected `{}`", String::from_utf8_lossy(&bytes[i..end.max(i + 1)])))
                    })?;
                    self.push(kind, i, end);
                    i = end;
                }
            }
            if self.open.is_none() {
                return Ok(i);
            }
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next });
    }
}

fn skip_blanks(bytes: &[u8], mut i: usize) -> usize {
    while let Some(&byte) = bytes.get(i) {
        if byte == b';' {
            i = find(bytes, i, b'\n').unwrap_or(bytes.len());
        } else if byte.is_ascii_whitespace() {
            i += 1;
        } else {
            break;
        }
    }
    i
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    bytes[from..].iter().position(|&byte| byte == wanted).map(|at| from + at)
}

/// The closing quote of a string whose text begins at `from`; `""` is a quote inside of it.
fn string_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let quote = find(bytes, from, b'"')?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        from = quote + 2;
    }
}

/// Bytes that stand for themselves, wherever they are: brackets, and what begins a quotation or a comment.
pub(super) const DELIMITS: [bool; 256] = table(b"()|\";");
/// Bytes that are in no atom: these, and blanks.
pub(super) const ENDS_ATOM: [bool; 256] = table(b"()|\"; \t\n\r\x0c");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
}

fn atom_kind(atom: &[u8]) -> Option<Kind> {
    let &first = atom.first()?;
    match first {
        b':' if atom.len() > 1 => Some(Kind::Keyword),
        b'#' => match atom.get(1)? {
            b'x' if atom.len() > 2 && atom[2..].iter().all(u8::is_ascii_hexdigit) => Some(Kind::Binary),
            b'b' if atom.len() > 2 && atom[2..].iter().all(|b| matches!(b, b'0' | b'1')) => {
                Some(Kind::Binary)
            }
            _ => None,
        },
        b'0'..=b'9' => {
            // Quotients are not standard, but accepted by cvc5.
            let mut halves = atom.splitn(2, |&b| b == b'.' || b == b'/');
            let whole = halves.next()?;
            if !whole.iter().all(u8::is_ascii_digit) {
                return None;
            }
            match halves.next() {
                None => Some(Kind::Numeral),
                Some(fraction) if !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) => {
                    Some(Kind::Decimal)
                }
                Some(_) => None,
            }
        }
        b':' | b'\'' | b',' | b'`' | b'{' | b'}' | b'[' | b']' => None,
        0..=31 | 127 => None,
        _ => Some(Kind::Symbol),
    }
}
