//! Delta debugging of C: the smallest text that can be found for which something is still the case.
//!
//! A round goes from large to small: what stands at file scope, statements, lines, what statements and expressions can
//! be replaced by, tokens. Each pass makes a list of edits that do not depend on each other and looks for a large
//! subset of them by trying ever smaller runs of the list, as ddmin does (Zeller and Hildebrandt 2002). Rounds are repeated
//! until one changes nothing: then no single edit is left that could be made. The same answers give the same text.

use craig_base::Set;
use craig_cfront::outline::{Kind, Outline, Part, outline};
use std::ops::Range;

/// What a reduction has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The text; it is interesting if the one that was given is.
    pub text: Vec<u8>,
    /// How many texts were asked about.
    pub asked: usize,
    /// Whether nothing is left to try; otherwise `interesting` has put an end to it.
    pub finished: bool,
}

/// An answer about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// What is looked for is still there.
    Yes,
    /// It is not.
    No,
    /// Ask no more.
    Enough,
}

/// Makes a text smaller as long as it stays interesting; what it is about is up to `interesting`.
pub fn reduce(text: &[u8], interesting: &mut dyn FnMut(&[u8]) -> Interest) -> Reduced {
    let mut search =
        Search { text: text.to_vec(), tried: Set::default(), asked: 0, stopped: false, interesting };
    loop {
        let before = search.text.clone();
        for pass in PASSES {
            search.pass(*pass);
        }
        if search.text == before || search.stopped {
            return Reduced { finished: !search.stopped, text: search.text, asked: search.asked };
        }
    }
}

/// Replaces bytes by others.
#[derive(Clone, Debug)]
struct Edit {
    range: Range<usize>,
    by: Vec<u8>,
}

type Pass = fn(&[u8], &Outline) -> Vec<Edit>;

const PASSES: &[Pass] = &[externals, lines, statements, inner, operands, constants, tokens];

struct Search<'a> {
    text: Vec<u8>,
    /// Hashes of texts that were asked about.
    tried: Set<u64>,
    asked: usize,
    stopped: bool,
    interesting: &'a mut dyn FnMut(&[u8]) -> Interest,
}

impl Search<'_> {
    /// Applies as many of the edits as possible, in runs that get shorter.
    fn pass(&mut self, pass: Pass) {
        let original = self.text.clone();
        let outline = craig_cfront::with_deep_stack(|| outline(&original));
        let mut edits = pass(&original, &outline);
        edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
        let mut made = vec![false; edits.len()];
        let mut size = edits.len();
        while size > 0 && !self.stopped {
            // From the end: what is used stands after what it uses.
            for start in (0..edits.len()).step_by(size).collect::<Vec<_>>().into_iter().rev() {
                let run = start..(start + size).min(edits.len());
                if made[run.clone()].iter().all(|&made| made) {
                    continue;
                }
                let before = made[run.clone()].to_vec();
                made[run.clone()].fill(true);
                let candidate = applied(&original, &edits, &made);
                if self.is_better(&candidate) {
                    self.text = candidate;
                } else {
                    made[run].copy_from_slice(&before);
                }
                if self.stopped {
                    return;
                }
            }
            size /= 2;
        }
    }

    fn is_better(&mut self, candidate: &[u8]) -> bool {
        let is_smaller = (candidate.len(), candidate) < (self.text.len(), &self.text[..]);
        if !is_smaller || !self.tried.insert(hash(candidate)) {
            return false;
        }
        self.asked += 1;
        let answer = (self.interesting)(candidate);
        self.stopped |= answer == Interest::Enough;
        answer == Interest::Yes
    }
}

/// FNV-1a: a collision costs a candidate, nothing else.
fn hash(text: &[u8]) -> u64 {
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The text with those edits that are to be made; of one within another, only the outer one.
fn applied(text: &[u8], edits: &[Edit], made: &[bool]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut position = 0;
    for (edit, _) in edits.iter().zip(made).filter(|(_, made)| **made) {
        if edit.range.start < position {
            continue;
        }
        result.extend_from_slice(&text[position..edit.range.start]);
        result.extend_from_slice(&edit.by);
        position = edit.range.end;
    }
    result.extend_from_slice(&text[position..]);
    result
}

fn removed(range: Range<usize>) -> Edit {
    Edit { range, by: Vec::new() }
}

fn externals(_: &[u8], outline: &Outline) -> Vec<Edit> {
    let parts = outline.parts.iter().filter(|part| part.kind == Kind::External);
    parts.map(|part| removed(part.range.clone())).collect()
}

/// Comments are lines as well, or parts of them that no token covers.
fn lines(text: &[u8], outline: &Outline) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        edits.push(removed(start..start + line.len()));
        start += line.len();
    }
    let starts = outline.tokens.iter().skip(1).map(|token| token.start);
    for (end, start) in outline.tokens.iter().map(|token| token.end).zip(starts) {
        let between = &text[end..start];
        if between.len() > 1 && !between.contains(&b'#') {
            let by = if between.contains(&b'\n') { b"\n".to_vec() } else { b" ".to_vec() };
            edits.push(Edit { range: end..start, by });
        }
    }
    edits
}

fn statements(_: &[u8], outline: &Outline) -> Vec<Edit> {
    let is_one = |part: &&Part| part.kind.is_statement() || part.kind == Kind::Declaration;
    outline.parts.iter().filter(is_one).map(|part| removed(part.range.clone())).collect()
}

/// A statement becomes one that stands in it, or none.
fn inner(text: &[u8], outline: &Outline) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, part) in outline.parts.iter().enumerate().filter(|(_, part)| part.kind.is_statement()) {
        let inside = outline.parts[index + 1..].iter().take_while(|inner| inner.range.start < part.range.end);
        let mut covered = part.range.start;
        for inner in inside.filter(|inner| inner.kind.is_statement()) {
            if inner.range.start >= covered {
                covered = inner.range.end;
                edits.push(Edit { range: part.range.clone(), by: text[inner.range.clone()].to_vec() });
            }
        }
        if let [b'{', content @ .., b'}'] = &text[part.range.clone()] {
            edits.push(Edit { range: part.range.clone(), by: content.to_vec() });
        }
        edits.push(Edit { range: part.range.clone(), by: b";".to_vec() });
    }
    edits
}

fn is_expression(part: &Part) -> bool {
    matches!(part.kind, Kind::Expression | Kind::Call | Kind::Conditional)
}

/// An expression becomes one of its tokens or operands.
fn operands(text: &[u8], outline: &Outline) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, part) in outline.parts.iter().enumerate().filter(|(_, part)| is_expression(part)) {
        let inside = outline.parts[index + 1..].iter().take_while(|inner| inner.range.start < part.range.end);
        let inner = inside.filter(|inner| is_expression(inner)).map(|inner| inner.range.clone());
        let from = outline.tokens.partition_point(|token| token.start < part.range.start);
        let to = outline.tokens.partition_point(|token| token.end <= part.range.end);
        let is_word =
            |token: &&Range<usize>| text[token.start].is_ascii_alphanumeric() || text[token.start] == b'_';
        let words = outline.tokens[from..to].iter().filter(is_word).cloned();
        let by = |range: Range<usize>| Edit { range: part.range.clone(), by: text[range].to_vec() };
        edits.extend(inner.chain(words).filter(|range| *range != part.range).map(by));
    }
    edits
}

fn constants(_: &[u8], outline: &Outline) -> Vec<Edit> {
    let parts = outline.parts.iter().filter(|part| is_expression(part));
    parts
        .flat_map(|part| [b"0", b"1"].map(|by| Edit { range: part.range.clone(), by: by.to_vec() }))
        .collect()
}

fn tokens(text: &[u8], outline: &Outline) -> Vec<Edit> {
    // A number may become a shorter one.
    let number = |token: &Range<usize>| {
        let long = token.len() > 1 && text[token.start].is_ascii_digit();
        long.then(|| Edit { range: token.clone(), by: b"1".to_vec() })
    };
    let numbers: Vec<Edit> = outline.tokens.iter().filter_map(number).collect();
    outline.tokens.iter().cloned().map(removed).chain(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(text: &[u8], word: &str) -> bool {
        String::from_utf8_lossy(text).contains(word)
    }

    #[test]
    fn what_matters_remains() {
        let text = "/* a comment */\nint unused(int x) { return x; }\nint f(int a, int b) {\n  int c = a * 1234;\n  \
            if (a > 3) { while (b) { b--; c = unused(b + needle(a, 2)); } }\n  return c;\n}\n";
        let mut asked = 0;
        let reduced = reduce(text.as_bytes(), &mut |text| {
            asked += 1;
            let outline = craig_cfront::with_deep_stack(|| outline(text));
            let is_c = outline.parts.iter().any(|part| part.kind == Kind::Call);
            if is_c && contains(text, "needle") { Interest::Yes } else { Interest::No }
        });
        let left = String::from_utf8_lossy(&reduced.text).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(left, "f( ) { needle( ); }");
        assert_eq!((reduced.asked, reduced.finished), (asked, true));
    }

    #[test]
    fn texts_that_are_no_c_lose_lines() {
        let text = b"\"one\ntwo\nthree\nfour\n";
        let reduced =
            reduce(text, &mut |text| if contains(text, "three") { Interest::Yes } else { Interest::No });
        assert_eq!(reduced.text, b"three\n");
    }

    #[test]
    fn it_can_be_stopped() {
        let mut left = 3;
        let reduced = reduce(b"int a; int b; int c; int d; int e;", &mut |_| {
            left -= 1;
            if left == 0 { Interest::Enough } else { Interest::No }
        });
        assert_eq!((reduced.asked, reduced.finished), (3, false));
        assert_eq!(reduced.text, b"int a; int b; int c; int d; int e;");
    }
}
