//! The printf and scanf families with a constant format: a piece of the format at a time, by the functions of
//! `library/format.c` and `library/scan.c`.

use craig_program as ir;
use ir::{BinaryOp, ExprId, IntType, NoteKind, Type};

use super::body::{Body, Value};
use crate::hir::{self, CastKind, ExprKind, FunctionId, GlobalOrigin, PlaceKind};
use crate::library;
use crate::types::TypeId;

/// Flags of a conversion, as `library/format.c` has them.
const LEFT: i128 = 1;
const PLUS: i128 = 2;
const BLANK: i128 = 4;
const ALTERNATIVE: i128 = 8;
const ZEROS: i128 = 16;
const CAPITALS: i128 = 32;

/// A text with more characters than this comes out of no conversion of a number without a width.
const LONGEST_NUMBER: i128 = 5000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    None,
    Fixed(i128),
    /// `*`: the next argument.
    Argument,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    flags: i128,
    pub width: Number,
    precision: Number,
    /// `hh` is `H`, `ll` is `q`; 0 for none.
    pub length: u8,
    pub kind: u8,
    /// `%*d` of scanf: nothing is stored.
    pub suppressed: bool,
    /// Of `%[...]`: where its set stands in the format, without the brackets.
    pub set: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// Characters that stand for themselves.
    Text {
        start: usize,
        length: usize,
    },
    Conversion(Conversion),
}

/// Where a function of the families has what.
#[derive(Clone, Copy)]
pub(super) struct Family {
    pub scans: bool,
    pub format: usize,
    /// Where the buffer is, and the number of bytes that it has.
    pub to: Option<usize>,
    limit: Option<usize>,
    /// The buffer is made, and its address stored there.
    makes: bool,
}

pub(super) fn family(name: &str) -> Option<Family> {
    let (scans, format, to, limit) = match name {
        "printf" => (false, 0, None, None),
        "fprintf" | "dprintf" => (false, 1, None, None),
        "sprintf" | "asprintf" => (false, 1, Some(0), None),
        "snprintf" => (false, 2, Some(0), Some(1)),
        "scanf" => (true, 0, None, None),
        "fscanf" | "sscanf" => (true, 1, None, None),
        _ => return None,
    };
    Some(Family { scans, format, to, limit, makes: name == "asprintf" })
}

/// Whether the number of characters is stored.
pub(super) fn counts(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Conversion(conversion) if conversion.kind == b'n'))
}

/// Whether a text is among the arguments.
pub(super) fn reads(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Conversion(conversion) if conversion.reads()))
}

impl Body<'_, '_> {
    /// A call of a function of these families; `None` for others, and for output of an unknown format.
    pub fn formatted(
        &mut self,
        name: &str,
        function: FunctionId,
        args: &[hir::ExprId],
        discarded: bool,
    ) -> Option<Value> {
        let Some(family) = family(name) else {
            if name == "swprintf" {
                self.any_format(name);
                self.any_text(name);
            }
            return self.formatted_list(name, function, args, discarded);
        };
        let format = args
            .get(family.format)
            .and_then(|&arg| self.literal(arg).or_else(|| self.literal(self.initial_value(arg)?)));
        let pieces = format.as_ref().and_then(|format| parse(format, family.scans));
        let Some(pieces) = pieces else {
            if family.scans {
                return Some(self.call_undefined(function, args, None));
            }
            self.any_format(name);
            self.any_text(name);
            return None;
        };
        let given: usize = pieces.iter().map(|piece| piece.arguments(family.scans)).sum();
        if args.len() < family.format + 1 + given {
            self.undefined(format!("`{name}` is called with fewer arguments than its format asks for"));
            return None;
        }
        let stores = counts(&pieces);
        let unseen = discarded && !stores && family.to.is_none();
        if !family.scans && !self.fit(&pieces, &args[family.format + 1..], unseen) {
            self.undefined(format!("`{name}` is given an argument of another type than its format says"));
            return None;
        }
        let mut arguments = Vec::new();
        for ((value, _), &arg) in self.arguments(args).into_iter().zip(args) {
            let value = self.freeze_value(value);
            let value = self.scalar_of(value, Type::I32);
            if family.scans {
                self.say_pointee(arg, value);
            }
            arguments.push(value);
        }
        if family.scans {
            self.taken(name, &arguments);
            let to = &arguments[family.format + 1..];
            let text = (name == "sscanf").then(|| arguments[0]);
            let exact = format.filter(|_| super::scan::is_exact(&pieces));
            return Some(Value::Scalar(match (text, exact) {
                (Some(text), Some(format)) => self.scan_text(text, &format, &pieces, to),
                _ => self.scan(name, text, &pieces, to),
            }));
        }
        let values = &arguments[family.format + 1..];
        if unseen {
            let given = &args[family.format + 1..];
            self.read_texts(&pieces, values, |body, value| body.is_text(given[value]));
            return Some(Value::Scalar(self.sent_unseen(name, args, &arguments)));
        }
        Some(Value::Scalar(self.printed(name, family, &pieces, &arguments, values)))
    }

    /// Whether the arguments have the types that the conversions are for, up to sign and kind of pointer (7.21.6.1 p9).
    /// Where nobody sees the output, integers may have any width: compilers pass all of them alike.
    fn fit(&self, pieces: &[Piece], args: &[hir::ExprId], unseen: bool) -> bool {
        let mut given = args.iter().map(|&arg| self.lw.scalar_type(self.hir().exprs[arg].ty));
        let fits = |given: Option<Option<Type>>, expected: Type| match (given, expected) {
            (Some(Some(Type::Int(given))), Type::Int(expected)) => {
                unseen || given.bits.max(32) == expected.bits
            }
            (Some(Some(Type::Bool)), Type::Int(expected)) => expected.bits == 32,
            (Some(Some(Type::Float(given))), Type::Float(expected)) => {
                given == expected || given == ir::FloatType::F32 && expected == ir::FloatType::F64
            }
            (Some(Some(given)), expected) => given == expected,
            _ => false,
        };
        pieces.iter().all(|piece| match piece {
            Piece::Text { .. } => true,
            Piece::Conversion(conversion) => {
                (0..conversion.numbers()).all(|_| fits(given.next(), Type::I32))
                    && fits(given.next(), conversion.argument_type(self))
            }
        })
    }

    /// The format is not known: what it stores is taken for nothing,
    pub fn any_format(&mut self, name: &str) {
        let at = self.span;
        let text =
            format!("the format of '{name}' fits the arguments and has no '%n' where it is not constant");
        self.lw.note(NoteKind::Assumption, at, text);
    }

    /// and what it writes for any text.
    pub fn any_text(&mut self, name: &str) {
        let at = self.span;
        let text = format!("line {}: any text stands for what '{name}' writes", at.line);
        self.lw.note(NoteKind::OverApproximation, at, text);
    }

    /// Output of these values where the arguments of the function say: what it returns.
    pub fn printed(
        &mut self,
        name: &str,
        family: Family,
        pieces: &[Piece],
        arguments: &[ExprId],
        values: &[ExprId],
    ) -> ExprId {
        let size = Type::Int(self.lw.size_type());
        let format = arguments[family.format];
        let (nowhere, nothing) = (self.lw.zero(Type::Pointer), self.lw.zero(size));
        let (to, limit) = match (family.to, family.limit) {
            (Some(to), _) if family.makes => {
                let output = Output { to: nowhere, limit: nothing, format };
                let length = self.print(pieces, &output, values);
                let length = self.freeze(length);
                let text = self.helper("format_made", &[arguments[to], length]);
                let text = self.freeze(text);
                (text, self.helper("format_limit", &[text]))
            }
            (Some(to), Some(limit)) => (arguments[to], arguments[limit]),
            (Some(to), None) => (arguments[to], self.lw.constant(size, -1)),
            (None, _) => (nowhere, nothing),
        };
        let at = self.print(pieces, &Output { to, limit, format }, values);
        match family.to {
            Some(_) if family.makes => self.helper("format_finished", &[to, limit, at]),
            Some(_) => self.helper("format_end", &[to, limit, at]),
            None => self.sent(name, arguments, at),
        }
    }

    /// The texts among the values are read, where the output itself is of no interest; `is_text` says which of them need not be.
    pub fn read_texts(
        &mut self,
        pieces: &[Piece],
        values: &[ExprId],
        is_text: impl Fn(&Self, usize) -> bool,
    ) {
        let mut next = 0;
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            let value = next + conversion.numbers();
            next = value + 1;
            if !conversion.reads() || is_text(self, value) {
                continue;
            }
            let most = match conversion.precision {
                Number::None => self.lw.constant(Type::I32, -1),
                Number::Fixed(most) => self.lw.constant(Type::I32, most),
                Number::Argument => values[value - 1],
            };
            self.helper("format_read", &[values[value], most]);
        }
    }

    /// The characters of a string literal, without the zero.
    pub fn literal(&self, mut arg: hir::ExprId) -> Option<Vec<u8>> {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[arg].kind {
            arg = inner;
        }
        let ExprKind::Decay(place) = hir.exprs[arg].kind else { return None };
        let PlaceKind::Global(global) = hir.places[place].kind else { return None };
        if hir.globals[global].origin != GlobalOrigin::StringLiteral {
            return None;
        }
        let bytes: Option<Vec<u8>> = hir.image(global)?.into_iter().collect();
        let bytes = bytes?;
        let length = bytes.iter().position(|&byte| byte == 0)?;
        Some(bytes[..length].to_vec())
    }

    /// A call of a function of the library that has a scalar result or none.
    pub fn helper(&mut self, name: &str, args: &[ExprId]) -> ExprId {
        let zero = self.lw.zero(Type::I32);
        let Some(function) = library::definition(self.hir(), name) else { return zero };
        let arguments = args.iter().map(|&value| (Value::Scalar(value), TypeId::INT)).collect();
        let value = self.call_defined(function, arguments);
        self.scalar_of(value, Type::I32)
    }

    /// Writes all pieces; the number of characters.
    fn print(&mut self, pieces: &[Piece], output: &Output, arguments: &[ExprId]) -> ExprId {
        let &Output { to, limit, format } = output;
        let mut read: Vec<[ExprId; 3]> = Vec::new();
        let int = |body: &mut Self, value: i128| body.lw.constant(Type::I32, value);
        let mut at = self.lw.zero(Type::Int(self.lw.size_type()));
        let mut arguments = arguments.iter().copied();
        let mut next = move || arguments.next();
        for piece in pieces {
            let conversion = match *piece {
                Piece::Text { start, length } => {
                    let text = self.lw.offset(format, start as i128);
                    let length = int(self, length as i128);
                    at = self.helper("format_text", &[to, limit, at, text, length]);
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let mut number = |body: &mut Self, number: Number, none: i128| match number {
                Number::None => int(body, none),
                Number::Fixed(value) => int(body, value),
                Number::Argument => next().unwrap_or_else(|| int(body, none)),
            };
            let width = number(self, conversion.width, 0);
            let precision = number(self, conversion.precision, -1);
            let Some(value) = next() else { continue };
            let (width, flags) = self.width_and_flags(&conversion, width, precision);
            let ty = self.integer_type(conversion.length, matches!(conversion.kind, b'd' | b'i'));
            at = match conversion.kind {
                b'd' | b'i' => {
                    let value = self.lw.convert(value, ty);
                    self.helper("format_signed", &[to, limit, at, value, width, precision, flags])
                }
                b'u' | b'o' | b'x' | b'X' => {
                    let base = match conversion.kind {
                        b'u' => 10,
                        b'o' => 8,
                        _ => 16,
                    };
                    let (value, base) = (self.lw.convert(value, ty), int(self, base));
                    self.helper("format_unsigned", &[to, limit, at, value, base, width, precision, flags])
                }
                b'c' if conversion.length == 0 => {
                    self.helper("format_char", &[to, limit, at, value, width, flags])
                }
                b's' if conversion.reads() => {
                    let length = self.helper("format_text_length", &[value, precision]);
                    let length = self.freeze(length);
                    if self.lw.out.exprs.as_const(limit) != Some(0) && !self.is_constant_text(value) {
                        read.push([value, length, precision]);
                    }
                    self.helper("format_string", &[to, limit, at, value, length, width, flags])
                }
                b'n' => {
                    let Type::Int(int) = ty else { continue };
                    let ty = Type::Int(IntType::signed(int.bits));
                    let count = self.lw.convert(at, ty);
                    self.store_scalar(value, ty, count);
                    at
                }
                _ => {
                    let (here, what) = (self.span, char::from(conversion.kind));
                    let text = format!("line {}: any text stands for what '%{what}' writes", here.line);
                    self.lw.note(NoteKind::OverApproximation, here, text);
                    let (least, most) = conversion.length_of_any();
                    let (least, most) = (int(self, least), int(self, most));
                    self.helper("format_any", &[to, limit, at, least, most])
                }
            };
        }
        if !read.is_empty() {
            at = self.freeze(at);
        }
        for [text, length, precision] in read {
            self.helper("format_apart", &[to, limit, at, text, length, precision]);
        }
        at
    }

    /// Whether nothing can be written there, as to a literal.
    fn is_constant_text(&self, address: ExprId) -> bool {
        let Some(address) = self.lw.out.exprs.as_const(address) else { return false };
        let holds = |object: &ir::MemoryObject| {
            let start = i128::from(object.address);
            object.constant && (start..start + i128::from(object.size)).contains(&address)
        };
        self.lw.out.objects.iter().any(holds)
    }

    /// A width below zero is the flag for the left; zeros fill neither to the right nor where a precision says how many
    /// digits there are.
    fn width_and_flags(
        &mut self,
        conversion: &Conversion,
        width: ExprId,
        precision: ExprId,
    ) -> (ExprId, ExprId) {
        let zero = self.lw.zero(Type::I32);
        let mut flags = self.lw.constant(Type::I32, conversion.flags);
        let mut width = width;
        if conversion.precision == Number::Argument && conversion.is_integer() {
            let without = self.lw.constant(Type::I32, conversion.flags & !ZEROS);
            let is_none = self.lw.binary(BinaryOp::Lt, precision, zero);
            flags = self.lw.ite(is_none, flags, without);
        }
        if conversion.width == Number::Argument {
            let to_the_left = self.lw.constant(Type::I32, conversion.flags & !ZEROS | LEFT);
            let is_left = self.lw.binary(BinaryOp::Lt, width, zero);
            flags = self.lw.ite(is_left, to_the_left, flags);
            let negated = self.lw.binary(BinaryOp::Sub, zero, width);
            width = self.lw.ite(is_left, negated, width);
        }
        (width, flags)
    }

    pub fn integer_type(&self, length: u8, signed: bool) -> Type {
        let bits = match length {
            b'H' => 8,
            b'h' => 16,
            b'l' | b'z' | b't' => self.lw.size_type().bits,
            b'q' | b'j' | b'L' => 64,
            _ => 32,
        };
        Type::Int(IntType { bits, signed })
    }
}

struct Output {
    to: ExprId,
    limit: ExprId,
    /// The address of the format itself.
    format: ExprId,
}

impl Conversion {
    /// Whether the argument is a text.
    pub fn reads(&self) -> bool {
        self.kind == b's' && self.length == 0
    }

    /// The type of the argument, after the promotions.
    pub fn argument_type(&self, body: &Body<'_, '_>) -> Type {
        match self.kind {
            b'c' => Type::I32,
            b'd' | b'u' | b'o' | b'x' | b'X' => match body.integer_type(self.length, self.kind == b'd') {
                Type::Int(int) if int.bits < 32 => Type::I32,
                ty => ty,
            },
            b's' | b'p' | b'n' => Type::Pointer,
            _ if self.length == b'L' => Type::Float(ir::FloatType::F80),
            _ => Type::Float(ir::FloatType::F64),
        }
    }

    /// Whether width and precision are arguments.
    pub fn numbers(&self) -> usize {
        [self.width, self.precision].iter().filter(|&&n| n == Number::Argument).count()
    }
}

impl Piece {
    /// How many arguments it takes.
    fn arguments(&self, scans: bool) -> usize {
        match self {
            Piece::Text { .. } => 0,
            Piece::Conversion(conversion) if scans => usize::from(!conversion.suppressed),
            Piece::Conversion(conversion) => 1 + conversion.numbers(),
        }
    }
}

impl Conversion {
    fn is_integer(&self) -> bool {
        b"diouxX".contains(&self.kind)
    }

    /// The least and the greatest number of characters of a conversion whose text is not computed.
    fn length_of_any(&self) -> (i128, i128) {
        let fixed = |number| match number {
            Number::Fixed(value) => value,
            Number::None => 0,
            Number::Argument => i128::from(i32::MAX / 4),
        };
        let least = if self.kind == b's' { 0 } else { 1 };
        let width = fixed(self.width);
        let least = if self.width == Number::Argument { least } else { width.max(least) };
        let most = if self.kind == b's' { i128::from(i32::MAX / 2) } else { LONGEST_NUMBER };
        (least, (most + fixed(self.precision)).max(width))
    }
}

/// The pieces of a format; `None` for one that is not understood.
pub(super) fn parse(format: &[u8], scans: bool) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let start = at;
        while at < format.len() && format[at] != b'%' {
            at += 1;
        }
        if at > start {
            pieces.push(Piece::Text { start, length: at - start });
        }
        if at == format.len() {
            break;
        }
        if format.get(at + 1) == Some(&b'%') {
            pieces.push(Piece::Text { start: at, length: 1 });
            at += 2;
            continue;
        }
        at += 1;
        let (conversion, next) = parse_conversion(format, at, scans)?;
        pieces.push(Piece::Conversion(conversion));
        at = next;
    }
    Some(pieces)
}

/// The conversion from `at` on, and where it ends.
fn parse_conversion(format: &[u8], mut at: usize, scans: bool) -> Option<(Conversion, usize)> {
    let mut flags = 0;
    let mut suppressed = false;
    loop {
        match *format.get(at)? {
            b'*' if scans => suppressed = true,
            b'-' if !scans => flags |= LEFT,
            b'+' if !scans => flags |= PLUS,
            b' ' if !scans => flags |= BLANK,
            b'#' if !scans => flags |= ALTERNATIVE,
            b'0' if !scans => flags |= ZEROS,
            _ => break,
        }
        at += 1;
    }
    let number = |at: &mut usize| -> Option<Number> {
        if format.get(*at) == Some(&b'*') && !scans {
            *at += 1;
            return Some(Number::Argument);
        }
        let start = *at;
        while format.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        if *at == start {
            return Some(Number::None);
        }
        let digits = std::str::from_utf8(&format[start..*at]).ok()?;
        Some(Number::Fixed(i128::from(digits.parse::<i32>().ok()?)))
    };
    let width = number(&mut at)?;
    let mut precision = Number::None;
    if !scans && format.get(at) == Some(&b'.') {
        at += 1;
        precision = match number(&mut at)? {
            Number::None => Number::Fixed(0),
            given => given,
        };
    }
    let mut length = 0;
    while let Some(&letter @ (b'h' | b'l' | b'q' | b'j' | b'z' | b't' | b'L')) = format.get(at) {
        length = match (length, letter) {
            (b'h', b'h') => b'H',
            (b'l', b'l') => b'q',
            (0, letter) => letter,
            _ => return None,
        };
        at += 1;
    }
    let mut kind = *format.get(at)?;
    at += 1;
    if kind == b'X' {
        flags |= CAPITALS;
    }
    let mut set = (at, at);
    if kind == b'[' && scans {
        // A bracket right at the start belongs to the set.
        at += usize::from(format.get(at) == Some(&b'^'));
        at += usize::from(format.get(at) == Some(&b']'));
        while *format.get(at)? != b']' {
            at += 1;
        }
        set.1 = at;
        at += 1;
    } else if !b"diouxXcspnaAeEfFgG".contains(&kind) {
        return None;
    }
    if length == b'l' && matches!(kind, b's' | b'c') && scans {
        return None;
    }
    // Zeros fill neither to the right nor where a precision says how many digits there are.
    let is_integer = b"diouxX".contains(&kind);
    if flags & LEFT != 0 || (is_integer && matches!(precision, Number::Fixed(_))) {
        flags &= !ZEROS;
    }
    if kind == b'i' {
        kind = if scans { b'i' } else { b'd' };
    }
    Some((Conversion { flags, width, precision, length, kind, suppressed, set }, at))
}
