//! Source text and places in it.
//!
//! All texts that were read stand one after another in one numbering of bytes, so that a place is one
//! 32-bit number and a [`Span`] two. Line markers (`# 12 "file.h"`) left by the preprocessor change what
//! [`Sources::locate`] answers, not the numbering.

use std::fmt;

/// A range of bytes in [`Sources`]. The empty span at zero means "no place".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const NONE: Span = Span { start: 0, end: 0 };

    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.end) }
    }
}

/// A place as a user knows it: after line markers, all counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[derive(Clone, Debug)]
struct Text {
    /// The number of the text's first byte.
    base: u32,
    /// The path that the text was read from.
    path: String,
    text: Vec<u8>,
    /// Offsets of the first byte of each line.
    lines: Vec<u32>,
    /// In increasing order of `line`.
    markers: Vec<Marker>,
}

/// From line index `line` (from zero) on, lines count from `number` in `file`.
#[derive(Clone, Debug)]
struct Marker {
    line: u32,
    file: String,
    number: u32,
}

/// All source texts of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Text>,
}

/// A text, as number in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextId(usize);

impl Sources {
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text; fails when there would be more than 4 GB in all.
    pub fn add(&mut self, path: &str, text: Vec<u8>) -> Option<TextId> {
        // Byte 0 belongs to no text, so that `Span::NONE` is nowhere.
        let base = self.texts.last().map_or(1, |last| last.base + last.text.len() as u32 + 1);
        let length = u32::try_from(text.len()).ok()?;
        base.checked_add(length)?.checked_add(2)?;
        let (lines, markers) = scan_lines(&text);
        self.texts.push(Text { base, path: path.to_string(), text, lines, markers });
        Some(TextId(self.texts.len() - 1))
    }

    pub fn texts(&self) -> impl Iterator<Item = TextId> {
        (0..self.texts.len()).map(TextId)
    }

    /// The path that the text was read from.
    pub fn path(&self, id: TextId) -> &str {
        &self.texts[id.0].path
    }

    pub fn text(&self, id: TextId) -> &[u8] {
        &self.texts[id.0].text
    }

    /// The number of the first byte of the text.
    pub fn base(&self, id: TextId) -> u32 {
        self.texts[id.0].base
    }

    pub fn locate(&self, span: Span) -> Location {
        let Some((text, line)) = self.find(span.start) else {
            return Location { file: "<nowhere>".to_string(), line: 0, column: 0 };
        };
        let column = span.start - text.base - text.lines[line] + 1;
        let marker = text.markers.partition_point(|m| m.line as usize <= line);
        match marker.checked_sub(1).map(|m| &text.markers[m]) {
            Some(m) => Location { file: m.file.clone(), line: m.number + (line as u32 - m.line), column },
            None => Location { file: text.path.clone(), line: line as u32 + 1, column },
        }
    }

    /// The line that the span starts in, without its end, and the part of it that the span covers.
    pub fn line(&self, span: Span) -> Option<(String, std::ops::Range<usize>)> {
        let (text, line) = self.find(span.start)?;
        let start = text.lines[line] as usize;
        let end = text.lines.get(line + 1).map_or(text.text.len(), |&next| next as usize - 1);
        let from = (span.start - text.base) as usize - start;
        let to = ((span.end.max(span.start) - text.base) as usize).clamp(start, end.max(start)) - start;
        let shown = String::from_utf8_lossy(&text.text[start..end.max(start)]).into_owned();
        Some((shown, from..to.max(from)))
    }

    /// The text that the span covers.
    pub fn snippet(&self, span: Span) -> String {
        let Some((text, _)) = self.find(span.start) else { return String::new() };
        let start = (span.start - text.base) as usize;
        let end = ((span.end.max(span.start) - text.base) as usize).min(text.text.len());
        String::from_utf8_lossy(&text.text[start.min(end)..end]).into_owned()
    }

    fn find(&self, position: u32) -> Option<(&Text, usize)> {
        let text = self.texts.partition_point(|t| t.base <= position).checked_sub(1)?;
        let text = &self.texts[text];
        let offset = position - text.base;
        let line = text.lines.partition_point(|&start| start <= offset).checked_sub(1)?;
        Some((text, line))
    }
}

fn scan_lines(text: &[u8]) -> (Vec<u32>, Vec<Marker>) {
    let mut lines = vec![0];
    let mut markers = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| start + n);
        if let Some((number, file)) = parse_marker(&text[start..end]) {
            // A marker without a file name keeps the current one.
            let file = file.or_else(|| markers.last().map(|m: &Marker| m.file.clone()));
            let line = lines.len() as u32;
            markers.extend(file.map(|file| Marker { line, file, number }));
        }
        start = end + 1;
        lines.push(start as u32);
    }
    (lines, markers)
}

/// `# 12 "file.h" 1 3` or `#line 12 "file.h"`.
fn parse_marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number: u32 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii_start();
    let file = rest.strip_prefix(b"\"").and_then(|rest| {
        let end = rest.iter().position(|&b| b == b'"')?;
        Some(String::from_utf8_lossy(&rest[..end]).into_owned())
    });
    Some((number, file))
}
