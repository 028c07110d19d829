//! Texts that are almost right: some bytes, words or lines of one are deleted, doubled, swapped, replaced by what is
//! special to the language, or crossed with those of another.

use crate::rng::Rng;
use std::ops::Range;

/// The head of a large text is enough of it.
pub const MAX_BYTES: usize = 60_000;

/// Numbers at which something changes.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "64",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0.5",
    "1e400",
];

/// A text after a few changes.
pub fn mutant(text: &[u8], other: &[u8], spice: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    // Mostly one change: what is wrong in one way only comes furthest.
    let times = if rng.chance(60) { 1 } else { 2 + rng.below(5) };
    for _ in 0..times {
        text = changed(&text, other, spice, rng);
        text.truncate(MAX_BYTES);
    }
    text
}

/// A text with a word or two exchanged for others of their kind.
pub fn varied(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    (0..=rng.below(2)).fold(text.to_vec(), |text, _| with_a_like_word(&text, rng))
}

fn changed(text: &[u8], other: &[u8], spice: &[&str], rng: &mut Rng) -> Vec<u8> {
    match rng.below(20) {
        0..=5 => with_a_like_word(text, rng),
        6..=11 => with_words_changed(text, other, spice, rng),
        12..=14 => with_pieces_changed(&lines(text), &lines(other), rng),
        15 => with_a_byte_changed(text, rng),
        16 => text[..rng.below(text.len() + 1)].to_vec(),
        17 => nested(text, rng),
        _ => with_another_number(text, rng),
    }
}

/// Words as a lexer sees them, roughly.
pub fn words(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut words = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_word(byte)).count().max(1);
        words.push(&text[at..at + length]);
        at += length;
    }
    words
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// A name, number or sign becomes another one of the text, which is often still right.
fn with_a_like_word(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let class = |word: &[u8]| match word[0] {
        byte if byte.is_ascii_digit() => 0,
        byte if byte.is_ascii_alphabetic() || byte == b'_' => 1,
        b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'=' | b'!' | b'&' | b'|' | b'^' => 2,
        _ => 3,
    };
    let mut pieces = words(text);
    let places: Vec<usize> = (0..pieces.len()).filter(|&at| class(pieces[at]) < 3).collect();
    if !places.is_empty() {
        let at = *rng.pick(&places);
        let is_alike =
            |place: usize| class(pieces[place]) == class(pieces[at]) && pieces[place] != pieces[at];
        let alike: Vec<usize> = places.into_iter().filter(|&place| is_alike(place)).collect();
        if !alike.is_empty() {
            pieces[at] = pieces[*rng.pick(&alike)];
        }
    }
    pieces.concat()
}

fn with_words_changed(text: &[u8], other: &[u8], spice: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut pieces = words(text);
    if !pieces.is_empty() && !spice.is_empty() && rng.chance(30) {
        let at = rng.below(pieces.len());
        let new = rng.pick(spice).as_bytes();
        match rng.chance(50) {
            true => pieces[at] = new,
            false => pieces.insert(at, new),
        }
        return pieces.concat();
    }
    with_pieces_changed(&pieces, &words(other), rng)
}

fn with_pieces_changed(pieces: &[&[u8]], others: &[&[u8]], rng: &mut Rng) -> Vec<u8> {
    let mut pieces = pieces.to_vec();
    if pieces.is_empty() {
        return others.concat();
    }
    let (i, j) = (rng.below(pieces.len()), rng.below(pieces.len()));
    let run = |start: usize, length: usize, rng: &mut Rng| -> Range<usize> {
        start..(start + 1 + rng.below(30)).min(length)
    };
    match rng.below(7) {
        0 => {
            pieces.remove(i);
        }
        1 => pieces.insert(i, pieces[j]),
        2 => pieces.swap(i, j),
        3 => {
            pieces.drain(run(i, pieces.len(), rng));
        }
        4 => {
            let copy = pieces[run(i, pieces.len(), rng)].to_vec();
            pieces.splice(j..j, copy);
        }
        _ if !others.is_empty() => {
            let from = run(rng.below(others.len()), others.len(), rng);
            let to = if rng.chance(50) { i..i } else { run(i, pieces.len(), rng) };
            pieces.splice(to, others[from].iter().copied());
        }
        _ => {}
    }
    pieces.concat()
}

fn with_a_byte_changed(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    if text.is_empty() {
        return text;
    }
    let at = rng.below(text.len());
    match rng.below(4) {
        0 => text[at] ^= 1 << rng.below(8),
        1 => text.insert(at, rng.below(256) as u8),
        2 => {
            text.remove(at);
        }
        _ => text[at] = rng.below(256) as u8,
    }
    text
}

fn with_another_number(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut pieces = words(text);
    let numbers: Vec<usize> = (0..pieces.len()).filter(|&at| pieces[at][0].is_ascii_digit()).collect();
    if !numbers.is_empty() {
        pieces[*rng.pick(&numbers)] = rng.pick(NUMBERS).as_bytes();
    }
    pieces.concat()
}

/// What stands between brackets, within very many of them; or a word very often.
fn nested(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    const BRACKETS: &[(u8, u8)] = &[(b'(', b')'), (b'{', b'}'), (b'[', b']')];
    let pieces = words(text);
    if pieces.is_empty() {
        return Vec::new();
    }
    let times = *rng.pick(&[10, 100, 1000, 5000]);
    let at = rng.below(pieces.len());
    let (before, after) = (pieces[..at].concat(), pieces[at + 1..].concat());
    let piece = pieces[at];
    let middle = match BRACKETS.iter().find(|(open, _)| piece == [*open]) {
        Some(&(open, close)) => {
            let mut depth = 0;
            let end = after.iter().position(|byte| {
                depth += i32::from(*byte == open) - i32::from(*byte == close);
                depth < 0
            });
            let (inside, rest) = after.split_at(end.map_or(after.len(), |end| end + 1));
            let times = times.min(MAX_BYTES / 2);
            return [before, vec![open; times], inside.to_vec(), vec![close; times - 1], rest.to_vec()]
                .concat();
        }
        None => [piece, b" "].concat().repeat(times),
    };
    [before, middle, after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_mutant_and_most_differ() {
        let text = b"int f(int x, long y) {\n    while (x < 12)\n        x = x + y * 3;\n    return x;\n}\n"
            .as_slice();
        let other = b"a b\nc d\n".as_slice();
        let made = |seed| mutant(text, other, &["while", "("], &mut Rng::new(seed));
        let all: std::collections::BTreeSet<Vec<u8>> = (0..200).map(made).collect();
        assert!(all.len() > 150, "only {} mutants differ", all.len());
        assert_eq!(made(3), made(3));
        // Nothing to change is no reason to fail.
        (0..200).for_each(|seed| drop(mutant(b"", b"", &[], &mut Rng::new(seed))));
    }
}
