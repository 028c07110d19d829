//! Words of C and of annotations, with the places that they came from.
//!
//! Annotations are not C (`\result`, `==>`, `@` at the start of a line), and they stand in comments, which the
//! lexer of C skips: so they have a scanner of their own.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, with the backslash of ACSL's own.
    Name,
    Number,
    /// A string or character constant.
    Quoted,
    Punct,
    /// What stands between `/*@` or `//@` and the end of the comment.
    Annotation,
}

/// A token of a text, by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Quoted
    }
}

/// Longest first.
const PUNCTUATORS: &[&str] = &[
    "<==>", "==>", "...", "<<=", ">>=", "..", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=",
];

/// The tokens of `text[start..end]`. Preprocessor lines and other comments are skipped; in an annotation, so is
/// `@`.
pub fn scan(text: &str, start: usize, end: usize) -> Vec<Token<'_>> {
    let bytes = &text.as_bytes()[..end];
    let mut tokens = Vec::new();
    let mut at = start;
    let mut line_start = true;
    while at < end {
        let rest = &bytes[at..];
        let from = at;
        let kind = match rest[0] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() || b == b'@' => {
                at += 1;
                continue;
            }
            b'#' if line_start => {
                at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"//") || rest.starts_with(b"/*") => {
                let block = rest[1] == b'*';
                let length = if block {
                    rest[2..].windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |n| n + 4)
                } else {
                    rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
                };
                at += length;
                if rest.get(2) == Some(&b'@') {
                    let inner = from + 3..at - if block { 2.min(length - 3) } else { 0 };
                    if let Some(annotation) = text.get(inner.clone()) {
                        tokens.push(Token { kind: Kind::Annotation, text: annotation, start: inner.start });
                    }
                }
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < end && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(end);
                Kind::Quoted
            }
            b if is_name(b) && !b.is_ascii_digit() || b == b'\\' => {
                at += 1;
                at += bytes[at..].iter().take_while(|&&b| is_name(b)).count();
                Kind::Name
            }
            b if b.is_ascii_digit() => {
                // `0..n` is a range, and no number with two points.
                while at < end
                    && (is_name(bytes[at]) || bytes[at] == b'.' && bytes.get(at + 1) != Some(&b'.'))
                {
                    at += 1;
                }
                Kind::Number
            }
            _ => {
                let known = PUNCTUATORS.iter().find(|p| rest.starts_with(p.as_bytes()));
                at += known.map_or(1, |p| p.len());
                Kind::Punct
            }
        };
        line_start = false;
        while !text.is_char_boundary(at.min(text.len())) {
            at += 1;
        }
        if let Some(text) = text.get(from..at.min(text.len())) {
            tokens.push(Token { kind, text, start: from });
        }
    }
    tokens
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The number of the token that closes the bracket at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Punct {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where one of the words stands outside of all brackets.
pub fn find(tokens: &[Token<'_>], words: &[&str]) -> Option<usize> {
    let mut index = 0;
    while index < tokens.len() {
        let token = &tokens[index];
        if token.kind == Kind::Punct && matches!(token.text, "(" | "[" | "{") {
            index = closing(tokens, index)? + 1;
            continue;
        }
        if words.iter().any(|word| token.is(word)) {
            return Some(index);
        }
        index += 1;
    }
    None
}

/// The parts between the words that stand outside of all brackets.
pub fn split<'a, 't>(tokens: &'a [Token<'t>], word: &str) -> Vec<&'a [Token<'t>]> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some(at) = find(rest, &[word]) {
        parts.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    parts.push(rest);
    parts
}

/// The tokens between the parentheses that begin at `open`, and how many tokens come before what follows.
pub fn parenthesized<'a, 't>(tokens: &'a [Token<'t>], open: usize) -> Option<(&'a [Token<'t>], usize)> {
    if !tokens.get(open)?.is("(") {
        return None;
    }
    let close = closing(tokens, open)?;
    Some((&tokens[open + 1..close], close + 1))
}

/// Without parentheses around all of it.
pub fn unwrapped<'a, 't>(mut tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    while let Some((inner, end)) = parenthesized(tokens, 0) {
        if end != tokens.len() || inner.is_empty() {
            break;
        }
        tokens = inner;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_tokens_and_other_comments_are_not() {
        let text = "/* no */ int x; //@ assert x;\n/*@ requires\n  @ n >= 0; */\n#line 3\nint f(int n);";
        let tokens = scan(text, 0, text.len());
        let annotations: Vec<&str> =
            tokens.iter().filter(|t| t.kind == Kind::Annotation).map(|t| t.text).collect();
        assert_eq!(annotations, [" assert x;", " requires\n  @ n >= 0; "]);
        assert_eq!(tokens.len(), 3 + 2 + 7);
    }

    #[test]
    fn ranges_and_implications_are_words() {
        let text = "\\valid(p + (0..n-1)) ==> a[0]";
        let words: Vec<&str> = scan(text, 0, text.len()).iter().map(|t| t.text).collect();
        let wanted = "\\valid ( p + ( 0 .. n - 1 ) ) ==> a [ 0 ]";
        assert_eq!(words.join(" "), wanted);
        let tokens = scan(text, 0, text.len());
        assert_eq!(find(&tokens, &["==>"]), Some(12));
        assert_eq!(find(&tokens, &[".."]), None);
    }
}
