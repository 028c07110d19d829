//! YAML, as far as task definitions and witnesses use it: blocks of keys and items, flow lists and maps, plain, quoted
//! and block scalars, comments. There are no anchors, tags or several documents. All scalars are texts.

use std::iter::Peekable;
use std::str::Chars;

/// A value, with the line on which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yaml {
    pub line: usize,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Empty where nothing is written.
    Scalar(String),
    List(Vec<Yaml>),
    /// In the order in which it is written.
    Map(Vec<(String, Yaml)>),
}

/// What is wrong, and in which line.
pub type Error = (usize, String);

type Read<T> = Result<T, Error>;

/// How deeply values may be nested, which makes the recursion here harmless.
const MAX_DEPTH: usize = 50;

impl Yaml {
    pub fn parse(text: &str) -> Read<Yaml> {
        let mut reader = Reader { lines: Vec::new(), at: 0 };
        for (index, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start_matches(' ').len();
            reader.lines.push(Line { number: index + 1, indent, text: line[indent..].trim_end() });
        }
        reader.skip_empty();
        if reader.peek().is_some_and(|line| line.text == "---") {
            reader.at += 1;
        }
        let value = reader.block(0, 0)?;
        reader.skip_empty();
        match reader.peek() {
            None => Ok(value),
            Some(line) => Err((line.number, "this is not understood here".to_string())),
        }
    }

    /// The value of a key, if there is one.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match &self.value {
            Value::Map(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> &[Yaml] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub fn members(&self) -> &[(String, Yaml)] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// The texts of a list, or the text itself.
    pub fn texts(&self) -> Vec<&str> {
        self.scalar().into_iter().chain(self.items().iter().filter_map(Yaml::scalar)).collect()
    }
}

#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

struct Reader<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    fn skip_empty(&mut self) {
        while self.peek().is_some_and(|line| line.text.is_empty() || line.text.starts_with('#')) {
            self.at += 1;
        }
    }

    /// The value that begins on the next line, if that is indented at least as far.
    fn block(&mut self, indent: usize, depth: usize) -> Read<Yaml> {
        self.skip_empty();
        let before = self.lines.get(self.at.saturating_sub(1)).map_or(1, |line| line.number);
        let Some(line) = self.peek().filter(|line| line.indent >= indent) else {
            return Ok(Yaml { line: before, value: Value::Scalar(String::new()) });
        };
        if depth > MAX_DEPTH {
            return Err((line.number, "this is nested too deeply".to_string()));
        }
        let value = if is_item(line.text) {
            self.list(line.indent, depth)?
        } else if key(line.text).is_some() {
            self.map(line.indent, depth)?
        } else {
            self.at += 1;
            return self.inline(line.text, line.number, indent, depth);
        };
        Ok(Yaml { line: line.number, value })
    }

    fn list(&mut self, indent: usize, depth: usize) -> Read<Value> {
        let mut items = Vec::new();
        loop {
            self.skip_empty();
            let Some(line) = self.peek().filter(|line| line.indent == indent && is_item(line.text)) else {
                return Ok(Value::List(items));
            };
            // What follows the dash is a line of its own, further in.
            let rest = line.text[1..].trim_start_matches(' ');
            let inner = indent + line.text.len() - rest.len();
            if rest.is_empty() {
                self.at += 1;
                items.push(self.block(indent + 1, depth + 1)?);
            } else {
                self.lines[self.at] = Line { indent: inner, text: rest, ..line };
                items.push(self.block(inner, depth + 1)?);
            }
        }
    }

    fn map(&mut self, indent: usize, depth: usize) -> Read<Value> {
        let mut members: Vec<(String, Yaml)> = Vec::new();
        loop {
            self.skip_empty();
            let Some(line) = self.peek().filter(|line| line.indent == indent && !is_item(line.text)) else {
                return Ok(Value::Map(members));
            };
            let Some((name, rest)) = key(line.text) else {
                return Err((line.number, "expected `KEY: VALUE`".to_string()));
            };
            if members.iter().any(|(known, _)| *known == name) {
                return Err((line.number, format!("there are two values for `{name}`")));
            }
            self.at += 1;
            let value = if without_comment(rest).is_empty() {
                self.skip_empty();
                // The dashes of a list may stand below its key.
                let is_list = self.peek().is_some_and(|next| next.indent == indent && is_item(next.text));
                self.block(if is_list { indent } else { indent + 1 }, depth + 1)?
            } else {
                self.inline(rest, line.number, indent + 1, depth)?
            };
            members.push((name, value));
        }
    }

    /// A value that begins with this text; lines that are indented may follow.
    fn inline(&mut self, text: &'t str, number: usize, indent: usize, depth: usize) -> Read<Yaml> {
        let text = text.trim();
        let value = match text.chars().next() {
            Some('|' | '>') => Value::Scalar(self.block_scalar(text, indent)),
            Some('"' | '\'' | '[' | '{') => {
                let mut whole = text.to_string();
                loop {
                    let mut flow = Flow { chars: whole.chars().peekable(), line: number };
                    match flow.value(depth) {
                        Ok(value) => {
                            flow.skip_space();
                            if flow.chars.peek().is_some_and(|&c| c != '#') {
                                return Err((number, "expected the end of the line".to_string()));
                            }
                            return Ok(value);
                        }
                        Err(Trouble::Wrong(what)) => return Err((number, what.to_string())),
                        Err(Trouble::Unfinished) => match self.peek() {
                            Some(line) => {
                                whole.push(' ');
                                whole.push_str(line.text);
                                self.at += 1;
                            }
                            None => return Err((number, "this has no end".to_string())),
                        },
                    }
                }
            }
            _ => {
                let mut whole = without_comment(text).to_string();
                while let Some(line) = self.peek().filter(|line| {
                    line.indent >= indent && !line.text.is_empty() && !line.text.starts_with('#')
                }) {
                    whole.push(' ');
                    whole.push_str(without_comment(line.text));
                    self.at += 1;
                }
                Value::Scalar(whole)
            }
        };
        Ok(Yaml { line: number, value })
    }

    /// `|` keeps the ends of lines, `>` does not; `-` drops the last one.
    fn block_scalar(&mut self, header: &str, indent: usize) -> String {
        let folded = header.starts_with('>');
        let mut text = String::new();
        let mut own = None;
        while let Some(line) = self.peek() {
            if !line.text.is_empty() && line.indent < own.unwrap_or(indent) {
                break;
            }
            if !line.text.is_empty() {
                let own = *own.get_or_insert(line.indent);
                text.push_str(&" ".repeat(line.indent - own));
                text.push_str(line.text);
            }
            text.push(if folded { ' ' } else { '\n' });
            self.at += 1;
        }
        let kept = text.trim_end().to_string();
        if header.contains('-') || kept.is_empty() { kept } else { kept + "\n" }
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// The key at the start of a line, and what follows it.
fn key(text: &str) -> Option<(String, &str)> {
    if text.starts_with(['"', '\'']) {
        let mut flow = Flow { chars: text.chars().peekable(), line: 0 };
        let Ok(Yaml { value: Value::Scalar(name), .. }) = flow.value(0) else { return None };
        flow.skip_space();
        let rest: String = flow.chars.collect();
        let rest = &text[text.len() - rest.len()..];
        let after = rest.strip_prefix(':')?;
        return (after.is_empty() || after.starts_with(' ')).then_some((name, after));
    }
    if text.starts_with(['[', '{', '|', '>', '#']) {
        return None;
    }
    let plain = without_comment(text);
    let end = plain.find(": ").or_else(|| plain.ends_with(':').then(|| plain.len() - 1))?;
    Some((plain[..end].trim().to_string(), &text[end + 1..]))
}

fn without_comment(text: &str) -> &str {
    let start = text.match_indices('#').map(|(at, _)| at);
    let mut start = start.filter(|&at| at == 0 || text[..at].ends_with(char::is_whitespace));
    start.next().map_or(text, |at| &text[..at]).trim()
}

/// Quoted scalars, lists and maps in brackets.
struct Flow<'t> {
    chars: Peekable<Chars<'t>>,
    line: usize,
}

enum Trouble {
    /// The next line may have the rest.
    Unfinished,
    Wrong(&'static str),
}

impl Flow<'_> {
    fn skip_space(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn value(&mut self, depth: usize) -> Result<Yaml, Trouble> {
        if depth > MAX_DEPTH {
            return Err(Trouble::Wrong("this is nested too deeply"));
        }
        self.skip_space();
        let value = match self.chars.peek() {
            None => return Err(Trouble::Unfinished),
            Some('"') => Value::Scalar(self.double_quoted()?),
            Some('\'') => Value::Scalar(self.single_quoted()?),
            Some('[') => {
                let mut items = Vec::new();
                while !self.at_end_of_list(']')? {
                    items.push(self.value(depth + 1)?);
                }
                Value::List(items)
            }
            Some('{') => {
                let mut members = Vec::new();
                while !self.at_end_of_list('}')? {
                    let name = self.value(depth + 1)?;
                    self.skip_space();
                    let Value::Scalar(name) = name.value else {
                        return Err(Trouble::Wrong("this is no key"));
                    };
                    match self.chars.next() {
                        Some(':') => members.push((name, self.value(depth + 1)?)),
                        None => return Err(Trouble::Unfinished),
                        Some(_) => return Err(Trouble::Wrong("expected `:` after a key")),
                    }
                }
                Value::Map(members)
            }
            Some(_) => {
                let mut text = String::new();
                while let Some(c) = self.chars.next_if(|c| !matches!(c, ',' | ']' | '}' | ':')) {
                    text.push(c);
                }
                Value::Scalar(text.trim().to_string())
            }
        };
        Ok(Yaml { line: self.line, value })
    }

    /// Goes past the bracket or comma before an item, or past the end.
    fn at_end_of_list(&mut self, end: char) -> Result<bool, Trouble> {
        self.skip_space();
        match self.chars.peek() {
            None => return Err(Trouble::Unfinished),
            Some(&c) if c == end => {
                self.chars.next();
                return Ok(true);
            }
            Some('[' | '{' | ',') => {
                self.chars.next();
            }
            Some(_) => return Err(Trouble::Wrong("expected `,` or the end of the list")),
        }
        self.skip_space();
        Ok(self.chars.next_if_eq(&end).is_some())
    }

    fn single_quoted(&mut self) -> Result<String, Trouble> {
        self.chars.next();
        let mut text = String::new();
        loop {
            match self.chars.next() {
                None => return Err(Trouble::Unfinished),
                Some('\'') if self.chars.next_if_eq(&'\'').is_none() => return Ok(text),
                Some(c) => text.push(c),
            }
        }
    }

    fn double_quoted(&mut self) -> Result<String, Trouble> {
        self.chars.next();
        let mut text = String::new();
        loop {
            match self.chars.next() {
                None => return Err(Trouble::Unfinished),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Trouble> {
        let digits = match self.chars.next() {
            None => return Err(Trouble::Unfinished),
            Some('n') => return Ok('\n'),
            Some('t') => return Ok('\t'),
            Some('r') => return Ok('\r'),
            Some('0') => return Ok('\0'),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(c @ ('"' | '\\' | '/' | ' ' | '\'')) => return Ok(c),
            Some(_) => return Err(Trouble::Wrong("this escape sequence is not known")),
        };
        let code: String = self.chars.by_ref().take(digits).collect();
        let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
        code.ok_or(Trouble::Wrong("this escape sequence is no character"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As JSON would be, for comparison.
    fn show(yaml: &Yaml) -> String {
        match &yaml.value {
            Value::Scalar(text) => format!("{text:?}"),
            Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(",")),
            Value::Map(members) => {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| format!("{key}:{}", show(value))).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    #[test]
    fn what_witnesses_use_is_read() {
        let cases = [
            ("a: 1 # one\nb:\n- x\n- y: 2\n  z: 3\n", r#"{a:"1",b:["x",{y:"2",z:"3"}]}"#),
            (
                "- a:\n    - b: \"q \\\"\\\\ #\"\n    -\n      c\n- 'it''s'\n",
                r#"[{a:[{b:"q \"\\ #"},"c"]},"it's"]"#,
            ),
            ("---\n\"k 1\": [a, \"b\", {c: d}]\ne: {}\nf: []\n", r#"{k 1:["a","b",{c:"d"}],e:{},f:[]}"#),
            (
                "v: x <= 1\n  && y\nw: |-\n  a\n   b\nu: >\n  c\n  d\nz:\n",
                r#"{v:"x <= 1 && y",w:"a\n b",u:"c d\n",z:""}"#,
            ),
            (
                "a: \"one\n  two\"\nb: [1,\n  2]\nurl: http://x#y\n",
                r#"{a:"one two",b:["1","2"],url:"http://x#y"}"#,
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Yaml::parse(text).map(|yaml| show(&yaml)), Ok(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn anything_else_has_a_place() {
        for (text, line) in [
            ("a: 1\n  b: 2\nc", 3),
            ("a: 1\na: 2\n", 2),
            ("- a\nb: 1\n", 2),
            ("a: \"x\n\n", 1),
            ("a: [1 2: 3]\n", 1),
            ("a: {b: 1} c\n", 1),
            ("a: \"\\q\"\n", 1),
        ] {
            assert_eq!(Yaml::parse(text).map_err(|(line, _)| line), Err(line), "{text}");
        }
        assert!(Yaml::parse(&"- ".repeat(100_000)).is_err());
        assert!(Yaml::parse(&format!("a: {}", "[".repeat(100_000))).is_err());
    }
}
