//! JSON, written and read: what `--json` prints, and what `craig bench` reads back.
//!
//! Objects keep the order of their members, so that the same result is the same text. The nesting
//! of a text that is read is limited to [`MAX_DEPTH`], which makes the recursion here harmless.

use std::fmt::{self, Write};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without a fraction.
    Integer(i128),
    /// Finite; JSON has no other numbers, and others are written as `null`.
    Number(f64),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Json>),
    /// Members in the order in which they are written.
    Object(Vec<(String, Json)>),
}

/// How deeply values may be nested in what is read.
pub const MAX_DEPTH: usize = 100;

impl Json {
    /// An object with these members.
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Json)>) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// A list of these items.
    pub fn array<V: Into<Json>>(items: impl IntoIterator<Item = V>) -> Json {
        Json::Array(items.into_iter().map(Into::into).collect())
    }

    /// The member `name`, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Integer(number) => Some(*number as f64),
            Json::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Reads a value.
    pub fn parse(text: &str) -> Result<Json, ParseError> {
        let mut reader = Reader { text, position: 0 };
        let value = reader.value(0)?;
        reader.skip_space();
        if reader.position < text.len() { Err(reader.error("end of text")) } else { Ok(value) }
    }

    /// The same value on several lines, for files that people open.
    pub fn pretty(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write_indented(&mut text, 0);
        text
    }

    fn write_indented(&self, out: &mut String, depth: usize) -> fmt::Result {
        let inner = "  ".repeat(depth + 1);
        let outer = "  ".repeat(depth);
        match self {
            Json::Array(items) if !items.is_empty() => {
                out.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    write!(out, "{}\n{inner}", if position > 0 { "," } else { "" })?;
                    item.write_indented(out, depth + 1)?;
                }
                write!(out, "\n{outer}]")
            }
            Json::Object(members) if !members.is_empty() => {
                out.write_str("{")?;
                for (position, (name, value)) in members.iter().enumerate() {
                    write!(out, "{}\n{inner}{}: ", if position > 0 { "," } else { "" }, Quoted(name))?;
                    value.write_indented(out, depth + 1)?;
                }
                write!(out, "\n{outer}}}")
            }
            _ => write!(out, "{self}"),
        }
    }
}

/// The compact form: one line, however large.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Integer(value) => write!(f, "{value}"),
            Json::Number(value) if value.is_finite() => write!(f, "{value}"),
            Json::Number(_) => f.write_str("null"),
            Json::String(text) => write!(f, "{}", Quoted(text)),
            Json::Array(items) => {
                f.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if position > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (position, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{}: {value}", if position > 0 { ", " } else { "" }, Quoted(name))?;
                }
                f.write_str("}")
            }
        }
    }
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if u32::from(c) < 0x20 || c == '\u{7f}' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

macro_rules! from_integer {
    ($($type:ty),*) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Json {
                Json::Integer(value as i128)
            }
        })*
    };
}
from_integer!(i32, i64, u32, u64, usize);

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Json {
        Json::Number(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(text.to_string())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(text)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl From<&craig_base::Stats> for Json {
    fn from(stats: &craig_base::Stats) -> Json {
        Json::object(stats.iter().map(|(name, value)| {
            let value = match value {
                craig_base::Value::Count(n) => n.into(),
                // Microseconds are more than any clock here resolves.
                craig_base::Value::Seconds(s) => ((s * 1e6).round() / 1e6).into(),
            };
            (name, value)
        }))
    }
}

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// In bytes from the start of the text.
    pub position: usize,
    /// What should be there.
    pub expected: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.position)
    }
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, expected: &'static str) -> ParseError {
        ParseError { position: self.position, expected }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip_space(&mut self) {
        self.position = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, ParseError> {
        if depth > MAX_DEPTH {
            return Err(self.error("less nesting"));
        }
        self.skip_space();
        match self.rest().bytes().next() {
            Some(b'{') => self.members(depth),
            Some(b'[') => self.items(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("null") => Ok(Json::Null),
            _ if self.take("true") => Ok(Json::Bool(true)),
            _ if self.take("false") => Ok(Json::Bool(false)),
            _ => Err(self.error("a value")),
        }
    }

    fn items(&mut self, depth: usize) -> Result<Json, ParseError> {
        self.position += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.take("]") {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take("]") {
                return Ok(Json::Array(items));
            }
            if !self.take(",") {
                return Err(self.error("',' or ']'"));
            }
        }
    }

    fn members(&mut self, depth: usize) -> Result<Json, ParseError> {
        self.position += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            let name = self.string()?;
            self.skip_space();
            if !self.take(":") {
                return Err(self.error("':'"));
            }
            members.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            if !self.take(",") {
                return Err(self.error("',' or '}'"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, ParseError> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '+' | '.' | 'e' | 'E'))
            .unwrap_or(rest.len());
        let token = &rest[..length];
        let value = match token.parse::<i128>() {
            Ok(value) => Json::Integer(value),
            Err(_) => match token.parse::<f64>() {
                Ok(value) if value.is_finite() => Json::Number(value),
                _ => return Err(self.error("a number")),
            },
        };
        self.position += length;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, ParseError> {
        if !self.take("\"") {
            return Err(self.error("a string"));
        }
        let mut text = String::new();
        loop {
            let Some(c) = self.rest().chars().next() else { return Err(self.error("'\"'")) };
            self.position += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let Some(c) = self.rest().chars().next() else { return Err(self.error("an escape")) };
        let plain = match c {
            '"' | '\\' | '/' => c,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                self.position += 1;
                let high = self.hexadecimal()?;
                // Characters beyond 16 bits are written as two escapes.
                if (0xd800..0xdc00).contains(&high) && self.take("\\u") {
                    let low = self.hexadecimal()?;
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                    return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                return Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return Err(self.error("an escape")),
        };
        self.position += c.len_utf8();
        Ok(plain)
    }

    fn hexadecimal(&mut self) -> Result<u32, ParseError> {
        let digits = self.rest().get(..4).ok_or(self.error("four hexadecimal digits"))?;
        let value = u32::from_str_radix(digits, 16).map_err(|_| self.error("four hexadecimal digits"))?;
        self.position += 4;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Json {
        Json::object([
            ("task", Json::array(["a \"b\"\n\u{1}.c"])),
            ("verdict", "safe".into()),
            ("reason", Json::Null),
            ("seconds", 1.25.into()),
            ("stats", Json::object([("refinements", Json::from(3u64)), ("empty", Json::Array(vec![]))])),
        ])
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = sample().to_string();
        assert_eq!(
            text,
            r#"{"task": ["a \"b\"\n\u0001.c"], "verdict": "safe", "reason": null, "seconds": 1.25, "stats": {"refinements": 3, "empty": []}}"#
        );
        assert_eq!(Json::parse(&text), Ok(sample()));
        assert_eq!(Json::parse(&sample().pretty()), Ok(sample()));
    }

    #[test]
    fn escapes_and_numbers() {
        assert_eq!(Json::parse(r#""\u00e9\ud83d\ude00\/""#), Ok(Json::String("é😀/".to_string())));
        assert_eq!(
            Json::parse(" [-1, 1e3, 0.5] "),
            Ok(Json::Array(vec![(-1).into(), 1e3.into(), 0.5.into()]))
        );
        assert_eq!(Json::Number(f64::NAN).to_string(), "null");
    }

    #[test]
    fn bad_texts_are_errors() {
        for text in ["", "{", "[1,]", "{\"a\" 1}", "\"\\q\"", "\"\\ud8\"", "nul", "1 2", "1e999", "-"] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }
}
