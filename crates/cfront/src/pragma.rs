//! Where a program says that some kinds of checks are not wanted.
//!
//! CBMC reads `#pragma CPROVER check push`, `disable "pointer"`, `enable "pointer"` and `pop`. Code that does something on
//! purpose which C leaves undefined, such as reading whole words to the end of a buffer, has them around it. What is not checked
//! there runs on, as it does where a kind of checks is not asked for at all.

use crate::source::{Sources, Span};
use craig_program::{CheckKind, CheckSet};

/// A stretch of the text without checks of some kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unchecked {
    pub from: Span,
    pub to: Span,
    pub kinds: CheckSet,
}

/// What is not checked, in the order of the text.
pub fn unchecked(sources: &Sources) -> Vec<Unchecked> {
    let mut found = Vec::new();
    for id in sources.texts() {
        let (text, base) = (sources.text(id), sources.base(id));
        let mut open: Vec<CheckKind> = Vec::new();
        let mut outer: Vec<Vec<CheckKind>> = Vec::new();
        let (mut since, mut position) = (Span::NONE, base);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let here = Span::new(position, position + line.len() as u32);
            position = here.end;
            let Some(words) = pragma(line) else { continue };
            let kind = || named(words.split('"').nth(1).unwrap_or_default());
            let before = open.clone();
            match words.split_whitespace().next() {
                Some("push") => outer.push(open.clone()),
                Some("pop") => open = outer.pop().unwrap_or_default(),
                Some("disable") => open.extend(kind()),
                Some("enable") => open.retain(|&other| Some(other) != kind()),
                _ => {}
            }
            if open != before {
                if !before.is_empty() {
                    found.push(Unchecked { from: since, to: here, kinds: before.into_iter().collect() });
                }
                since = here;
            }
        }
        if !open.is_empty() {
            let end = Span::new(position.saturating_sub(1), position);
            found.push(Unchecked { from: since, to: end, kinds: open.into_iter().collect() });
        }
    }
    found
}

/// What follows `#pragma CPROVER check`.
fn pragma(line: &[u8]) -> Option<&str> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?;
    let mut rest = std::str::from_utf8(line).ok()?;
    for word in ["pragma", "CPROVER", "check"] {
        rest = rest.trim_start().strip_prefix(word)?;
    }
    Some(rest)
}

/// CBMC's name of a kind of checks that is one here as well. `pointer` is about all accesses by pointers, and `bounds`
/// about those of arrays; here these are one kind, which is not given up for `bounds` alone.
fn named(name: &str) -> Option<CheckKind> {
    match name {
        "pointer" => Some(CheckKind::Memory),
        "pointer-overflow" => Some(CheckKind::Pointer),
        "signed-overflow" => Some(CheckKind::Overflow),
        "div-by-zero" => Some(CheckKind::Division),
        "undefined-shift" => Some(CheckKind::Shift),
        "conversion" => Some(CheckKind::Conversion),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_popped() {
        let text = "int a;\n#pragma CPROVER check push\n#  pragma CPROVER check disable \"pointer\"\nint b;\n\
                    #pragma CPROVER check disable \"unsigned-overflow\"\nint c;\n#pragma CPROVER check pop\nint d;\n";
        let mut sources = Sources::new();
        sources.add("a.c", text.as_bytes().to_vec());
        let found = unchecked(&sources);
        assert_eq!(found.len(), 1);
        let lines = [found[0].from, found[0].to].map(|span| sources.locate(span).line);
        assert_eq!(lines, [3, 7]);
        assert!(found[0].kinds.contains(CheckKind::Memory) && !found[0].kinds.contains(CheckKind::Overflow));
    }
}
