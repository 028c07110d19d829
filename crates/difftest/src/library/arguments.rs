//! Random arguments of calls.

use crate::rng::Rng;
use std::fmt::Write as _;

/// The declarations of the arguments, one after the other, and the call with their names.
pub(super) fn with_arguments(call: &str, rng: &mut Rng) -> (String, String) {
    let (mut made, mut text) = (String::new(), String::new());
    let mut letters = call.chars();
    let mut count = 0;
    while let Some(letter) = letters.next() {
        if letter != '$' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('f') => {
                let (format, kind) = format(rng);
                let _ = write!(made, "{} ", argument(kind, count));
                let _ = write!(text, "{format}, a{count}");
            }
            kind => {
                let _ = write!(made, "{} ", argument(kind.unwrap_or('i'), count));
                let _ = write!(text, "a{count}");
            }
        }
        count += 1;
    }
    (made, text)
}

/// The declaration of a random argument of a kind.
fn argument(kind: char, number: usize) -> String {
    let (ty, value) = match kind {
        // A text, of few letters so that things are found.
        's' => ("char *", "any_text()"),
        'w' => ("wchar_t *", "any_wide()"),
        'k' => ("int ", "\"ab,1\"[below(4)]"),
        'n' => ("size_t ", "below(16)"),
        'c' => ("int ", "(int)below(257) - 1"),
        'l' => ("long long ", "any_long()"),
        'm' => ("int ", "any_of(divisors, 6)"),
        'b' => ("int ", "any_of(bases, 6)"),
        // A direction of rounding.
        'r' => ("int ", "any_of(rounding, 4)"),
        // The text of a number, more or less; one that fits.
        'x' => ("char *", "any_digits(24)"),
        'y' => ("char *", "any_digits(7)"),
        'd' => ("double ", "any_double()"),
        // A number of one of the types, as `numbers` has them.
        'R' => ("REAL ", "any_real_T()"),
        // A number that is not large.
        'g' => ("double ", "any_small()"),
        _ => ("int ", "any_int()"),
    };
    format!("{ty}a{number} = {value};")
}

/// A format, and the kind of its argument.
fn format(rng: &mut Rng) -> (String, char) {
    let flags: String = ['-', '+', ' ', '#', '0'].iter().filter(|_| rng.chance(20)).collect();
    let width = if rng.chance(50) { rng.below(12).to_string() } else { String::new() };
    let precision = if rng.chance(30) { format!(".{}", rng.below(6)) } else { String::new() };
    let &(conversion, kind) = rng.pick(&[
        ("d", 'i'),
        ("u", 'i'),
        ("x", 'i'),
        ("X", 'i'),
        ("o", 'i'),
        ("lld", 'l'),
        ("hhd", 'i'),
        ("c", 'k'),
        ("s", 's'),
    ]);
    // Flags that mean nothing for a conversion are undefined.
    let allowed = |flag: &char| match conversion {
        "c" | "s" => *flag == '-',
        "d" | "lld" | "hhd" => *flag != '#',
        "u" => *flag == '-' || *flag == '0',
        _ => *flag != '+' && *flag != ' ',
    };
    let flags: String = flags.chars().filter(allowed).collect();
    let precision = if conversion == "c" { String::new() } else { precision };
    (format!("\"{}%{flags}{width}{precision}{conversion}|%%\"", rng.pick(&["", "ab", "x="])), kind)
}
