//! C text put together from what was written by people and what is made, in which every word of the former keeps
//! its place: line markers and blanks see to that.

use std::fmt::Write;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Made here.
    Made(String),
    /// Bytes of the text that the pieces are about.
    From(usize, usize),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Made(text.to_string())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Made(text)
    }
}

/// A text with the name and line that its first byte has for a reader.
pub struct Origin<'t> {
    pub text: &'t str,
    pub file: &'t str,
}

impl Origin<'_> {
    /// File, line and column of a byte, all as a reader counts them.
    pub fn locate(&self, at: usize) -> (String, usize, usize) {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = at - line_start + 1;
        let mut lines_since = 0;
        for line in before[..line_start].lines().rev() {
            if let Some((number, file)) = marker(line) {
                let file = file.unwrap_or_else(|| self.file.to_string());
                return (file, number + lines_since, column);
            }
            lines_since += 1;
        }
        (self.file.to_string(), lines_since + 1, column)
    }
}

/// `# 12 "file.h" 1 3`.
fn marker(line: &str) -> Option<(usize, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
    Some((number, file.map(|(file, _)| file.to_string())))
}

/// The pieces as text. `made` is the file that made lines are said to be in.
pub fn join(origin: &Origin<'_>, pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Made(text) => out.push_str(text),
            &Piece::From(start, end) => {
                let (file, line, column) = origin.locate(start);
                if file.contains(['"', '\\', '\n']) {
                    out.push('\n');
                } else {
                    let _ = write!(out, "\n# {line} \"{file}\"\n{:width$}", "", width = column - 1);
                }
                // `@` at the start of a line of an annotation is no C.
                let slice = &origin.text[start..end];
                for (index, line) in slice.split_inclusive('\n').enumerate() {
                    match line.trim_start().strip_prefix('@') {
                        Some(rest) if index > 0 => {
                            let blanks = line.len() - rest.len();
                            let _ = write!(out, "{:blanks$}{rest}", "");
                        }
                        _ => out.push_str(line),
                    }
                }
            }
        }
    }
    out
}

/// The text with parts replaced: where, how many bytes, and by what, in order and without overlap.
pub fn edited(origin: &Origin<'_>, edits: &[(usize, usize, Vec<Piece>)]) -> String {
    let mut pieces = Vec::new();
    let mut position = 0;
    for (at, removed, inserted) in edits {
        if *at < position {
            continue;
        }
        push_text(origin, &mut pieces, position, *at);
        pieces.extend(inserted.iter().cloned());
        position = at + removed;
    }
    push_text(origin, &mut pieces, position, origin.text.len());
    join(origin, &pieces)
}

/// What was there before comes back with its own line markers, so only its beginning needs one.
fn push_text(origin: &Origin<'_>, pieces: &mut Vec<Piece>, start: usize, end: usize) {
    if start == 0 {
        pieces.push(Piece::Made(origin.text[..end].to_string()));
    } else if start < end {
        pieces.push(Piece::From(start, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_keeps_its_place() {
        let origin = Origin { text: "# 7 \"a.c\"\nint x;\n  int y; int z;\n", file: "b.c" };
        assert_eq!(origin.locate(19), ("a.c".to_string(), 8, 3));
        let text = edited(&origin, &[(19, 6, vec!["long y;".into()])]);
        assert_eq!(text, "# 7 \"a.c\"\nint x;\n  long y;\n# 8 \"a.c\"\n         int z;\n");
    }
}
