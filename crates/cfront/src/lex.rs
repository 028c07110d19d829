//! Tokens of preprocessed C (C11 6.4), in one pass over the bytes.
//!
//! Lines that begin with `#` are line markers and pragmas. [`crate::source`] has read the former; of the latter
//! only `#pragma pack` means something, and what it says depends on the position alone ([`Pack`]). Literals are only delimited: [`literal`] computes their values when the parser asks.

use craig_base::{Map, index_type};

use crate::diagnostics::Diagnostic;
use crate::source::Span;

mod keywords;
pub mod literal;

pub use keywords::Keyword;

index_type!(/// An interned identifier.
    pub Symbol, "sym");

/// The identifiers of a program. Keywords come first, so that a symbol tells whether it is one.
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<Box<str>>,
    symbols: Map<Box<str>, Symbol>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { texts: Vec::new(), symbols: Map::default() };
        for (text, _) in keywords::KEYWORDS {
            names.intern(text);
        }
        names
    }
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.symbols.insert(text.into(), symbol);
        symbol
    }

    pub fn lookup(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    pub fn get(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name(Symbol),
    Keyword(Keyword),
    Number,
    Char,
    String,
    Punct(Punct),
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

macro_rules! punctuators {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Punct { $($name),* }

        impl Punct {
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
        }
    };
}

punctuators! {
    Ellipsis "...", ShlAssign "<<=", ShrAssign ">>=",
    Arrow "->", Increment "++", Decrement "--", Shl "<<", Shr ">>", Le "<=", Ge ">=", EqEq "==", Ne "!=",
    AndAnd "&&", OrOr "||", MulAssign "*=", DivAssign "/=", RemAssign "%=", AddAssign "+=", SubAssign "-=",
    AndAssign "&=", XorAssign "^=", OrAssign "|=",
    LeftBracket "[", RightBracket "]", LeftParen "(", RightParen ")", LeftBrace "{", RightBrace "}",
    Dot ".", And "&", Star "*", Plus "+", Minus "-", Tilde "~", Not "!", Slash "/", Percent "%", Lt "<",
    Gt ">", Xor "^", Or "|", Question "?", Colon ":", Semicolon ";", Assign "=", Comma ",",
}

/// The punctuator at the start of `text`, including digraphs, and its length.
fn punctuator(text: &[u8]) -> Option<(Punct, usize)> {
    use Punct::*;
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    Some(match (byte(0), byte(1), byte(2)) {
        (b'.', b'.', b'.') => (Ellipsis, 3),
        (b'<', b'<', b'=') => (ShlAssign, 3),
        (b'>', b'>', b'=') => (ShrAssign, 3),
        (b'-', b'>', _) => (Arrow, 2),
        (b'+', b'+', _) => (Increment, 2),
        (b'-', b'-', _) => (Decrement, 2),
        (b'<', b'<', _) => (Shl, 2),
        (b'>', b'>', _) => (Shr, 2),
        (b'<', b'=', _) => (Le, 2),
        (b'>', b'=', _) => (Ge, 2),
        (b'=', b'=', _) => (EqEq, 2),
        (b'!', b'=', _) => (Ne, 2),
        (b'&', b'&', _) => (AndAnd, 2),
        (b'|', b'|', _) => (OrOr, 2),
        (b'*', b'=', _) => (MulAssign, 2),
        (b'/', b'=', _) => (DivAssign, 2),
        (b'%', b'=', _) => (RemAssign, 2),
        (b'+', b'=', _) => (AddAssign, 2),
        (b'-', b'=', _) => (SubAssign, 2),
        (b'&', b'=', _) => (AndAssign, 2),
        (b'^', b'=', _) => (XorAssign, 2),
        (b'|', b'=', _) => (OrAssign, 2),
        (b'<', b':', _) => (LeftBracket, 2),
        (b':', b'>', _) => (RightBracket, 2),
        (b'<', b'%', _) => (LeftBrace, 2),
        (b'%', b'>', _) => (RightBrace, 2),
        (b'[', ..) => (LeftBracket, 1),
        (b']', ..) => (RightBracket, 1),
        (b'(', ..) => (LeftParen, 1),
        (b')', ..) => (RightParen, 1),
        (b'{', ..) => (LeftBrace, 1),
        (b'}', ..) => (RightBrace, 1),
        (b'.', ..) => (Dot, 1),
        (b'&', ..) => (And, 1),
        (b'*', ..) => (Star, 1),
        (b'+', ..) => (Plus, 1),
        (b'-', ..) => (Minus, 1),
        (b'~', ..) => (Tilde, 1),
        (b'!', ..) => (Not, 1),
        (b'/', ..) => (Slash, 1),
        (b'%', ..) => (Percent, 1),
        (b'<', ..) => (Lt, 1),
        (b'>', ..) => (Gt, 1),
        (b'^', ..) => (Xor, 1),
        (b'|', ..) => (Or, 1),
        (b'?', ..) => (Question, 1),
        (b':', ..) => (Colon, 1),
        (b';', ..) => (Semicolon, 1),
        (b'=', ..) => (Assign, 1),
        (b',', ..) => (Comma, 1),
        _ => return None,
    })
}

/// From this position on, members of records are aligned to at most `limit` bytes (`#pragma pack`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    pub position: u32,
    pub limit: Option<u64>,
}

/// A text as tokens.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// The last one is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// In order of their positions.
    pub packs: Vec<Pack>,
}

/// All tokens of `text`, whose first byte has number `base`.
pub fn tokenize(text: &[u8], base: u32, names: &mut Names) -> Result<Tokens, Diagnostic> {
    let mut lexer = Lexer { text, base, at: 0, line_start: true, packs: Vec::new(), pack_stack: Vec::new() };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut attributes = Attributes::default();
    loop {
        let token = lexer.next(names)?;
        attributes.push(&mut tokens, token, names);
        if token.kind == TokenKind::End {
            return Ok(Tokens { tokens, packs: lexer.packs });
        }
    }
}

/// `[[gnu::packed, fallthrough]]` (C23) is `__attribute__((packed, fallthrough))`. Nothing else in C begins with two brackets.
#[derive(Default)]
struct Attributes {
    /// The brackets that are open in one.
    open: Option<u32>,
    colons: u32,
}

impl Attributes {
    fn push(&mut self, tokens: &mut Vec<Token>, token: Token, names: &Names) {
        let as_punct = |punct| Token { kind: TokenKind::Punct(punct), ..token };
        let last = tokens.last_mut();
        match (&mut self.open, token.kind) {
            (None, TokenKind::Punct(Punct::LeftBracket)) => {
                if let Some(before) = last.filter(|t| t.kind == TokenKind::Punct(Punct::LeftBracket)) {
                    before.kind = TokenKind::Keyword(Keyword::Attribute);
                    tokens.extend([as_punct(Punct::LeftParen); 2]);
                    self.open = Some(2);
                    return;
                }
            }
            (Some(open), TokenKind::Punct(Punct::LeftBracket)) => *open += 1,
            (Some(open), TokenKind::Punct(Punct::RightBracket)) => {
                *open -= 1;
                if *open < 2 {
                    tokens.push(as_punct(Punct::RightParen));
                    self.open = self.open.filter(|open| *open > 0);
                    return;
                }
            }
            // Of other prefixes than `gnu` only the prefix is kept, which is no attribute.
            (Some(_), TokenKind::Punct(Punct::Colon)) => {
                self.colons += 1;
                return;
            }
            (Some(_), TokenKind::Name(_) | TokenKind::Keyword(_)) if self.colons >= 2 => {
                self.colons = 0;
                let is_gnu = |kind| matches!(kind, TokenKind::Name(name) if names.get(name).trim_matches('_') == "gnu");
                if let Some(prefix) = last {
                    if is_gnu(prefix.kind) {
                        *prefix = token;
                    }
                    return;
                }
            }
            _ => {}
        }
        tokens.push(token);
    }
}

struct Lexer<'t> {
    text: &'t [u8],
    base: u32,
    at: usize,
    /// Only blanks since the last line end.
    line_start: bool,
    packs: Vec<Pack>,
    pack_stack: Vec<Option<u64>>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn next(&mut self, names: &mut Names) -> Result<Token, Diagnostic> {
        self.skip_blanks()?;
        self.line_start = false;
        let start = self.at;
        if start == self.text.len() {
            return Ok(Token { kind: TokenKind::End, span: self.span(start) });
        }
        let kind = match self.peek(0) {
            b if is_name_start(b) || self.universal().is_some() => self.name(start, names)?,
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => self.quoted(start, b'"')?,
            b'\'' => self.quoted(start, b'\'')?,
            byte => match punctuator(&self.text[self.at..]) {
                Some((punct, length)) => {
                    self.at += length;
                    TokenKind::Punct(punct)
                }
                None => {
                    self.at += 1;
                    let shown = if byte.is_ascii_graphic() {
                        format!("`{}`", byte as char)
                    } else {
                        format!("byte 0x{byte:02x}")
                    };
                    return Err(Diagnostic::error(
                        self.span(start),
                        format!("unexpected {shown} in the program"),
                    ));
                }
            },
        };
        Ok(Token { kind, span: self.span(start) })
    }

    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => {
                    let start = self.at;
                    let end = self.text[start + 2..].windows(2).position(|w| w == b"*/");
                    let Some(end) = end else {
                        self.at = start + 2;
                        return Err(Diagnostic::error(self.span(start), "this comment is not closed")
                            .with_help("`*/` ends it"));
                    };
                    self.at = start + 2 + end + 2;
                }
                b'#' if self.line_start => {
                    let start = self.at;
                    self.skip_line();
                    self.pragma(start);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Up to the end of the line, which a backslash continues.
    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += if self.peek(0) == b'\\' && self.at + 1 < self.text.len() { 2 } else { 1 };
        }
        self.at = self.at.min(self.text.len());
    }

    /// `#pragma pack(...)` with `n`, `push`, `push, n`, `pop` or nothing between the parentheses.
    fn pragma(&mut self, start: usize) {
        let line = String::from_utf8_lossy(&self.text[start + 1..self.at]);
        let arguments = line
            .trim_start()
            .strip_prefix("pragma")
            .and_then(|rest| rest.trim_start().strip_prefix("pack"))
            .and_then(|rest| rest.trim_start().strip_prefix('('))
            .and_then(|rest| rest.split_once(')'));
        let Some((arguments, _)) = arguments else { return };
        let mut limit = self.packs.last().and_then(|pack| pack.limit);
        for word in arguments.split(',').map(str::trim) {
            match word {
                "" | "0" => limit = None,
                "push" => self.pack_stack.push(limit),
                "pop" => limit = self.pack_stack.pop().flatten(),
                number => limit = number.parse().ok().filter(|n: &u64| n.is_power_of_two()).or(limit),
            }
        }
        self.packs.push(Pack { position: self.base + start as u32, limit });
    }

    fn name(&mut self, start: usize, names: &mut Names) -> Result<TokenKind, Diagnostic> {
        let mut spelled = None;
        loop {
            if is_name_continue(self.peek(0)) {
                self.at += 1;
            } else if let Some((letter, length)) = self.universal() {
                let (text, to) = spelled.get_or_insert_with(|| (Vec::new(), start));
                text.extend_from_slice(&self.text[*to..self.at]);
                text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                self.at += length;
                *to = self.at;
            } else {
                break;
            }
        }
        let spelled = spelled.map(|(text, to)| [&text, &self.text[to..self.at]].concat());
        let text = spelled.as_deref().unwrap_or(&self.text[start..self.at]);
        let quote = self.peek(0);
        if matches!(text, b"L" | b"u" | b"U" | b"u8") && matches!(quote, b'"' | b'\'') {
            return self.quoted(start, quote);
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return Err(Diagnostic::error(self.span(start), "this name is not valid UTF-8"));
        };
        let symbol = names.intern(text);
        Ok(match keywords::KEYWORDS.get(symbol.0 as usize) {
            Some((_, keyword)) => TokenKind::Keyword(*keyword),
            None => TokenKind::Name(symbol),
        })
    }

    /// A letter that is written as its number, and the length of that: the preprocessor does so with all that are not of ASCII.
    fn universal(&self) -> Option<(char, usize)> {
        literal::universal(&self.text[self.at..])
    }

    /// A preprocessing number (6.4.8).
    fn number(&mut self) -> TokenKind {
        loop {
            let byte = self.peek(0);
            if matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.peek(1), b'+' | b'-') {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else {
                return TokenKind::Number;
            }
        }
    }

    fn quoted(&mut self, start: usize, quote: u8) -> Result<TokenKind, Diagnostic> {
        self.at += 1;
        loop {
            match self.peek(0) {
                byte if byte == quote => {
                    self.at += 1;
                    return Ok(if quote == b'"' { TokenKind::String } else { TokenKind::Char });
                }
                b'\\' if self.at + 1 < self.text.len() => self.at += 2,
                b'\n' | 0 => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    return Err(Diagnostic::error(self.span(start), format!("this {what} is not closed"))
                        .with_help(format!("`{}` ends it on the same line", quote as char)));
                }
                _ => self.at += 1,
            }
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_name_continue(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}
