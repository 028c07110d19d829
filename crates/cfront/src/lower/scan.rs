//! Formatted input: of anything, or of a text, by the functions of `library/scan.c`.

use craig_program as ir;
use ir::{BinaryOp, ExprId, InputSource, NoteKind, Type, VarId};

use super::body::Body;
use super::format::{Conversion, Number, Piece};

/// Whether all conversions are done exactly on a text.
pub(super) fn is_exact(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Text { .. } => true,
        Piece::Conversion(conversion) => {
            matches!(conversion.kind, b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n')
                || matches!(conversion.kind, b's' | b'c' | b'[') && conversion.length == 0
        }
    })
}

/// The characters of `%[...]`, a bit for each.
struct Set([u64; 4]);

impl Set {
    /// As glibc reads it: `a-z` is a range, and a dash at either end stands for itself.
    fn of(text: &[u8]) -> Set {
        let (negated, text) = match text {
            [b'^', rest @ ..] => (true, rest),
            text => (false, text),
        };
        let mut words = [0u64; 4];
        let mut add = |c: u8| words[usize::from(c >> 6)] |= 1 << (c & 63);
        let mut at = 0;
        while at < text.len() {
            match text[at..] {
                [first, b'-', last, ..] if first <= last => {
                    (first..=last).for_each(&mut add);
                    at += 3;
                }
                _ => {
                    add(text[at]);
                    at += 1;
                }
            }
        }
        if negated {
            words = words.map(|word| !word);
        }
        // The end of the text is in no set.
        words[0] &= !1;
        Set(words)
    }
}

/// A scan in progress.
struct Scan {
    /// Where it is in the text.
    at: VarId,
    /// What it returns.
    stored: VarId,
    count: i128,
    end: ir::LocId,
}

impl Body<'_, '_> {
    /// Reads all pieces that there are, from a text or a stream; the number of those that were stored.
    pub fn scan(
        &mut self,
        name: &str,
        text: Option<ExprId>,
        pieces: &[Piece],
        arguments: &[ExprId],
    ) -> ExprId {
        let source = InputSource::Call(name.into());
        if text.is_some() {
            let at = self.span;
            let words = format!("line {}: any values stand for what '{name}' finds in its text", at.line);
            self.lw.note(NoteKind::OverApproximation, at, words);
        }
        let end = self.new_location();
        let stored = self.new_var(format!(".stored.{}", self.proc.locals.len()), Type::I32);
        // A text that has not ended is no end of input: the first conversion of a number or word tells.
        let text = text.filter(|_| match pieces.first() {
            Some(Piece::Conversion(first)) => !matches!(first.kind, b'c' | b'[' | b'n'),
            _ => false,
        });
        let none = match text {
            Some(text) => self.helper("scan_text_count", &[text]),
            None => self.helper("scan_count", &[]),
        };
        self.assign(stored, none);
        let has_ended = text.map(|_| {
            let (stored, end) = (self.var(stored), self.lw.constant(Type::I32, -1));
            self.lw.binary(BinaryOp::Eq, stored, end)
        });
        let mut count = 0;
        let mut arguments = arguments.iter().copied();
        for piece in pieces {
            let Piece::Conversion(conversion) = *piece else { continue };
            let mut ok = self.input(Type::Bool, source.clone());
            if let Some(has_ended) = has_ended {
                let goes_on = self.lw.out.exprs.not(has_ended);
                ok = self.lw.binary(BinaryOp::And, ok, goes_on);
            }
            let matched = self.new_location();
            self.split(ok, matched, end);
            self.here = matched;
            if conversion.suppressed {
                continue;
            }
            let Some(to) = arguments.next() else { continue };
            let unlimited = self.lw.constant(Type::Int(self.lw.size_type()), -2);
            let width = match conversion.width {
                Number::Fixed(width) => self.lw.constant(Type::Int(self.lw.size_type()), width),
                _ if conversion.kind == b'c' => self.lw.constant(Type::Int(self.lw.size_type()), 1),
                _ => unlimited,
            };
            match conversion.kind {
                b's' => drop(self.helper("scan_string", &[to, width])),
                b'[' => drop(self.helper("scan_set", &[to, width])),
                b'c' => drop(self.helper("scan_chars", &[to, width])),
                b'n' => {
                    let ty = self.integer_type(conversion.length, true);
                    let offset = self.helper("scan_offset", &[]);
                    self.store_scalar(to, ty, offset);
                    continue;
                }
                kind => {
                    let ty = match (kind, conversion.length) {
                        (b'p', _) => Type::Pointer,
                        (b'd' | b'i', length) => self.integer_type(length, true),
                        (b'u' | b'o' | b'x' | b'X', length) => self.integer_type(length, false),
                        (_, 0) => Type::Float(ir::FloatType::F32),
                        (_, b'L') => Type::Float(ir::FloatType::F80),
                        _ => Type::Float(ir::FloatType::F64),
                    };
                    let value = self.input(ty, source.clone());
                    self.store_scalar(to, ty, value);
                }
            }
            count += 1;
            let so_far = self.lw.constant(Type::I32, count);
            self.assign(stored, so_far);
        }
        self.arrive(end);
        self.var(stored)
    }

    /// Reads the pieces from a text; the number of those that were stored, or -1 if the text ends before the first.
    pub fn scan_text(
        &mut self,
        text: ExprId,
        format: &[u8],
        pieces: &[Piece],
        arguments: &[ExprId],
    ) -> ExprId {
        let number = self.proc.locals.len();
        let at = self.new_var(format!(".at.{number}"), Type::Pointer);
        let stored = self.new_var(format!(".stored.{number}"), Type::I32);
        let text = self.freeze(text);
        self.assign(at, text);
        let none = self.lw.zero(Type::I32);
        self.assign(stored, none);
        let mut scan = Scan { at, stored, count: 0, end: self.new_location() };
        let mut arguments = arguments.iter().copied();
        for piece in pieces {
            match *piece {
                Piece::Text { start, length } => {
                    format[start..start + length].iter().for_each(|&c| self.scan_literal(&scan, c));
                }
                Piece::Conversion(conversion) => {
                    let to = if conversion.suppressed { None } else { arguments.next() };
                    let set = Set::of(&format[conversion.set.0..conversion.set.1]);
                    self.scan_conversion(&mut scan, text, conversion, &set, to);
                }
            }
        }
        self.arrive(scan.end);
        self.var(stored)
    }

    fn scan_literal(&mut self, scan: &Scan, c: u8) {
        let at = self.var(scan.at);
        // `%%` is a conversion, before which there may be blanks (C11 7.21.6.2 p8).
        if c.is_ascii_whitespace() || c == b'%' {
            let next = self.helper("scan_blank", &[at]);
            self.assign(scan.at, next);
        }
        if c.is_ascii_whitespace() {
            return;
        }
        self.stop_at_end(scan);
        let c = self.lw.constant(Type::I32, i128::from(c));
        let next = self.helper("scan_literal", &[at, c]);
        self.go_on(scan, next);
    }

    /// Where the text ends there is nothing to convert.
    fn stop_at_end(&mut self, scan: &Scan) {
        let at = self.var(scan.at);
        let c = self.load_scalar(at, Type::Int(ir::IntType::U8));
        let (more, over) = (self.new_location(), self.new_location());
        let is_more = self.lw.truth(c);
        self.split(is_more, more, over);
        self.here = over;
        if scan.count == 0 {
            let none = self.lw.constant(Type::I32, -1);
            self.assign(scan.stored, none);
        }
        self.goto(scan.end);
        self.here = more;
    }

    /// Goes on at the place, or ends where there is none.
    fn go_on(&mut self, scan: &Scan, next: ExprId) {
        let next = self.freeze(next);
        let matched = self.new_location();
        let is_matched = self.lw.truth(next);
        self.split(is_matched, matched, scan.end);
        self.here = matched;
        self.assign(scan.at, next);
    }

    fn scan_conversion(
        &mut self,
        scan: &mut Scan,
        text: ExprId,
        conversion: Conversion,
        set: &Set,
        to: Option<ExprId>,
    ) {
        let null = self.lw.zero(Type::Pointer);
        let size = Type::Int(self.lw.size_type());
        let width =
            self.lw.constant(size, if let Number::Fixed(width) = conversion.width { width } else { -1 });
        let mut at = self.var(scan.at);
        match conversion.kind {
            b'n' => {
                let offset = self.lw.binary(BinaryOp::Sub, at, text);
                let ty = self.integer_type(conversion.length, true);
                if let Some(to) = to {
                    self.store_scalar(to, ty, offset);
                }
                return;
            }
            b'c' => {
                self.stop_at_end(scan);
                let width =
                    self.lw.constant(size, if let Number::Fixed(n) = conversion.width { n } else { 1 });
                let next = self.helper("scan_characters", &[at, to.unwrap_or(null), width]);
                self.go_on(scan, next);
            }
            b'[' => {
                self.stop_at_end(scan);
                let word = Type::Int(ir::IntType { bits: 64, signed: false });
                let [a, b, c, d] = set.0.map(|word_of_set| self.lw.constant(word, i128::from(word_of_set)));
                let next = self.helper("scan_some", &[at, to.unwrap_or(null), width, a, b, c, d]);
                self.go_on(scan, next);
            }
            kind => {
                let next = self.helper("scan_blank", &[at]);
                self.assign(scan.at, next);
                self.stop_at_end(scan);
                at = self.var(scan.at);
                if kind == b's' {
                    let next = self.helper("scan_word", &[at, to.unwrap_or(null), width]);
                    self.assign(scan.at, next);
                } else {
                    let base = match kind {
                        b'i' => 0,
                        b'o' => 8,
                        b'x' | b'X' => 16,
                        _ => 10,
                    };
                    let base = self.lw.constant(Type::I32, base);
                    let next = self.helper("scan_number", &[at, base, width]);
                    self.go_on(scan, next);
                    let ty = self.integer_type(conversion.length, matches!(kind, b'd' | b'i'));
                    if let Some(to) = to {
                        let value = self.helper("scan_value", &[]);
                        let value = self.lw.convert(value, ty);
                        self.store_scalar(to, ty, value);
                    }
                }
            }
        }
        if to.is_some() {
            scan.count += 1;
            let so_far = self.lw.constant(Type::I32, scan.count);
            self.assign(scan.stored, so_far);
        }
    }
}
