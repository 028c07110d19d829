//! The values of numbers, characters and strings (C11 6.4.4, 6.4.5).

use craig_num::Extended;

/// An integer literal before the data model gives it a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLiteral {
    pub value: u128,
    /// Decimal literals never become unsigned by their size.
    pub decimal: bool,
    pub unsigned: bool,
    /// How many `l` the suffix has.
    pub longs: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    None,
    Float,
    Long,
    Float128,
    Float16,
}

/// A floating literal, rounded once to the type of its suffix (`_Float128`: to `long double`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatLiteral {
    pub value: Extended,
    pub suffix: FloatSuffix,
    /// `1.0i`: the imaginary part of a complex number (gcc).
    pub imaginary: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Number {
    Int(IntLiteral),
    Float(FloatLiteral),
}

/// The prefix of a character or string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// No prefix, or `u8`.
    Narrow,
    /// `L`: `wchar_t`, which is `int`.
    Wide,
    /// `u`: `char16_t`.
    Char16,
    /// `U`: `char32_t`.
    Char32,
}

/// Either the value or what is wrong with the literal.
pub fn number(text: &str) -> Result<Number, String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = if hex { lower.contains(['.', 'p']) } else { lower.contains('.') || lower.contains('e') };
    if is_float && !lower.starts_with("0b") { float(&lower, hex) } else { integer(&lower).map(Number::Int) }
}

fn integer(text: &str) -> Result<IntLiteral, String> {
    let (digits, radix) = if let Some(rest) = text.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = text.strip_prefix("0b") {
        (rest, 2)
    } else if text.starts_with('0') {
        (text, 8)
    } else {
        (text, 10)
    };
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(length);
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let value = u128::from_str_radix(digits, radix)
        .map_err(|_| format!("`{text}` is too large for any integer type"))?;
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return Err(format!("`{suffix}` is not a suffix of an integer; u, l, ll, ul and ull are")),
    };
    Ok(IntLiteral { value, decimal: radix == 10, unsigned, longs })
}

fn float(text: &str, hex: bool) -> Result<Number, String> {
    let is_digit = |c: char| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    // The suffix begins after the exponent, or after the mantissa if there is none.
    let marker = if hex { 'p' } else { 'e' };
    let start = if hex { 2 } else { 0 };
    let mantissa_end = text[start..].find(|c| !is_digit(c) && c != '.').map_or(text.len(), |n| start + n);
    let mut end = mantissa_end;
    if text[end..].starts_with(marker) {
        end += 1;
        end += usize::from(text[end..].starts_with(['+', '-']));
        let digits = text[end..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - end);
        if digits == 0 {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        end += digits;
    } else if hex {
        return Err(format!("the hexadecimal number `{text}` needs an exponent `p`"));
    }
    let imaginary = text[end..].contains(['i', 'j']);
    let suffix = match text[end..].replacen(['i', 'j'], "", 1).as_str() {
        "" | "f64" | "f32x" => FloatSuffix::None,
        "f" | "f32" => FloatSuffix::Float,
        "l" | "f64x" | "w" => FloatSuffix::Long,
        "f16" => FloatSuffix::Float16,
        "f128" | "q" => FloatSuffix::Float128,
        other => return Err(format!("`{other}` is not a suffix of a floating number; f and l are")),
    };
    let body = &text[..end];
    let value = if hex {
        hex_float(&text[2..mantissa_end], &text[mantissa_end + 1..end], suffix)
    } else {
        match suffix {
            FloatSuffix::Float => body.parse::<f32>().ok().map(Extended::from),
            FloatSuffix::None | FloatSuffix::Float16 => body.parse::<f64>().ok().map(Extended::from),
            FloatSuffix::Long | FloatSuffix::Float128 => Extended::parse(body),
        }
    };
    let value = value.ok_or_else(|| format!("`{text}` is not a number"))?;
    Ok(Number::Float(FloatLiteral { value, suffix, imaginary }))
}

/// Rounds to nearest even by hand: at most 30 hexadecimal digits are kept exactly, and one sticky bit
/// stands for all further ones.
fn hex_float(mantissa: &str, exponent: &str, suffix: FloatSuffix) -> Option<Extended> {
    let mut exponent: i64 = exponent.parse::<i64>().ok()?.clamp(-1_000_000, 1_000_000);
    let mut bits = 0u128;
    let mut seen_point = false;
    let mut digits = 0u32;
    for c in mantissa.chars() {
        let Some(digit) = c.to_digit(16) else {
            if seen_point {
                return None;
            }
            seen_point = true;
            continue;
        };
        if bits < 1 << 120 {
            bits = bits << 4 | u128::from(digit);
        } else {
            bits |= u128::from(digit != 0);
            exponent += 4;
        }
        exponent -= if seen_point { 4 } else { 0 };
        digits += 1;
    }
    if digits == 0 {
        return None;
    }
    if matches!(suffix, FloatSuffix::Long | FloatSuffix::Float128) {
        return Some(Extended::from_binary(bits, exponent, false));
    }
    if bits == 0 {
        return Some(Extended::ZERO);
    }
    let single = suffix == FloatSuffix::Float;
    let (precision, min_exponent) = if single { (24, -149) } else { (53, -1074) };
    // Drop bits until the mantissa fits the precision and the exponent is representable.
    let length = 128 - i64::from(bits.leading_zeros());
    let drop = (length - precision).max(min_exponent - exponent).max(0);
    if drop > 0 {
        if drop > 127 {
            return Some(Extended::ZERO);
        }
        let (kept, rest) = (bits >> drop, bits & ((1u128 << drop) - 1));
        let half = 1u128 << (drop - 1);
        bits = kept + u128::from(rest > half || (rest == half && kept & 1 == 1));
        exponent += drop;
    }
    // Exact now: the mantissa fits, and powers of two are exact unless the result overflows.
    let mut value = bits as f64;
    let mut left = exponent.clamp(-3000, 3000);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    Some(if single && value > f64::from(f32::MAX) { Extended::INFINITY } else { value.into() })
}

/// Splits a literal as written into its encoding and what stands between the quotes.
fn unquote(text: &[u8]) -> (Encoding, &[u8]) {
    let quote = text.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    let encoding = match &text[..quote] {
        b"L" => Encoding::Wide,
        b"u" => Encoding::Char16,
        b"U" => Encoding::Char32,
        _ => Encoding::Narrow,
    };
    let end = text.len().saturating_sub(1).max(quote + 1).min(text.len());
    (encoding, &text[(quote + 1).min(end)..end])
}

/// The units of a string literal, without terminator: bytes if it is narrow, else code units.
pub fn string(text: &[u8], as_encoding: Option<Encoding>) -> Result<(Encoding, Vec<u32>), String> {
    let (own, body) = unquote(text);
    let encoding = as_encoding.unwrap_or(own);
    let mut units = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        if body[at] == b'\\' {
            let (value, is_character, used) = escape(&body[at..])?;
            if is_character {
                push_character(value, encoding, &mut units);
            } else if let Some(value) = value {
                units.push(value);
            }
            at += used;
        } else if encoding == Encoding::Narrow || body[at] < 0x80 {
            units.push(u32::from(body[at]));
            at += 1;
        } else {
            let width = body[at..].utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            let Some(c) = width else { return Err("this text is not valid UTF-8".to_string()) };
            push_character(Some(c as u32), encoding, &mut units);
            at += c.len_utf8();
        }
    }
    Ok((encoding, units))
}

fn push_character(value: Option<u32>, encoding: Encoding, units: &mut Vec<u32>) {
    let Some(value) = value else { return };
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    match encoding {
        Encoding::Narrow => units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Char16 => units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        Encoding::Wide | Encoding::Char32 => units.push(value),
    }
}

/// The universal character name (6.4.3) at the start of `text`, and its length.
pub(super) fn universal(text: &[u8]) -> Option<(char, usize)> {
    if text.first() != Some(&b'\\') {
        return None;
    }
    match escape(text) {
        Ok((Some(value), true, length)) => Some((char::from_u32(value)?, length)),
        _ => None,
    }
}

/// The value of the escape sequence at the start of `text` (nothing for a continued line), whether it is a
/// universal character name, and its length.
fn escape(text: &[u8]) -> Result<(Option<u32>, bool, usize), String> {
    let Some(&letter) = text.get(1) else { return Err("a lone backslash".to_string()) };
    let simple = |value: u32| Ok((Some(value), false, 2));
    let hex_value = |digits: &[u8]| {
        digits.iter().fold(0u32, |value, &b| value << 4 | (b as char).to_digit(16).unwrap_or(0))
    };
    match letter {
        b'n' => simple(10),
        b't' => simple(9),
        b'r' => simple(13),
        b'a' => simple(7),
        b'b' => simple(8),
        b'f' => simple(12),
        b'v' => simple(11),
        b'e' | b'E' => simple(27),
        b'\\' | b'\'' | b'"' | b'?' => simple(u32::from(letter)),
        b'\n' => Ok((None, false, 2)),
        b'0'..=b'7' => {
            let length = text[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let value = text[1..=length].iter().fold(0, |value, &b| value * 8 + u32::from(b - b'0'));
            Ok((Some(value), false, 1 + length))
        }
        b'x' => {
            let length = text[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            match length {
                0 => Err("`\\x` without hexadecimal digits".to_string()),
                _ => Ok((Some(hex_value(&text[2..2 + length])), false, 2 + length)),
            }
        }
        b'u' | b'U' => {
            let length = if letter == b'u' { 4 } else { 8 };
            match text.get(2..2 + length).filter(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                Some(digits) => Ok((Some(hex_value(digits)), true, 2 + length)),
                None => Err(format!("`\\{}` needs {length} hexadecimal digits", letter as char)),
            }
        }
        // gcc warns and takes the character itself.
        other => simple(u32::from(other)),
    }
}

/// A character constant. Several narrow characters make an `int` as in gcc: each shifts the previous by 8.
pub fn character(text: &[u8]) -> Result<(Encoding, i64), String> {
    let (encoding, units) = string(text, None)?;
    let value = match (encoding, units.as_slice()) {
        (_, []) => return Err("an empty character constant".to_string()),
        (Encoding::Narrow, [unit]) => i64::from(*unit as u8 as i8),
        (Encoding::Narrow, many) => {
            i64::from(many.iter().fold(0u32, |value, &unit| value << 8 | (unit & 0xff)) as i32)
        }
        (Encoding::Wide, many) => i64::from(many[many.len() - 1] as i32),
        (Encoding::Char16, many) => i64::from(many[many.len() - 1] as u16),
        (Encoding::Char32, many) => i64::from(many[many.len() - 1]),
    };
    Ok((encoding, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float_value(text: &str) -> f64 {
        match number(text) {
            Ok(Number::Float(literal)) => literal.value.to_f64(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn hexadecimal_floats_round_once() {
        assert_eq!(float_value("0x1.8p1"), 3.0);
        assert_eq!(float_value("0x1p-1074"), f64::from_bits(1));
        assert_eq!(float_value("0x1.fffffffffffff8p0"), 2.0);
        assert_eq!(float_value("0x1.000001p0f"), 1.0);
        assert_eq!(float_value("0x1.0000030p0f"), f64::from(f32::from_bits(0x3f80_0002)));
        assert_eq!(float_value("0x.1p4"), 1.0);
        assert_eq!(float_value("1e2f"), 100.0);
        let Ok(Number::Float(long)) = number("0x1.00000000000000018p0l") else { panic!("a number") };
        assert_eq!(long.value.to_bits(), 0x3fff_8000_0000_0000_0001);
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character(b"'\\xff'"), Ok((Encoding::Narrow, -1)));
        assert_eq!(character(b"'ab'"), Ok((Encoding::Narrow, 0x6162)));
        assert_eq!(character(b"L'\\u20ac'"), Ok((Encoding::Wide, 0x20ac)));
        assert_eq!(string(b"\"a\\0b\\x41\"", None).unwrap().1, vec![97, 0, 98, 65]);
        assert!(character(b"''").is_err());
    }
}
