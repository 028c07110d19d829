//! Hands out what a test recorded, as the program asks for it.

use super::Recorded;
use craig_exec::{InputOracle, InputSite, Source, parse_value};
use craig_program::{BinaryOp, Edge, Expr, InputSource, Place, Proc, Program, Scope, Span, Stmt, Type};

pub struct Adopting<'a> {
    program: &'a Program,
    recorded: &'a Recorded,
    /// What comes after all that was recorded; nothing ends the run.
    after: Option<i128>,
    /// How many values, objects or bytes are used up.
    used: usize,
    /// The object of KLEE that is being read.
    object: Option<Object>,
    /// Where the buffer of a fuzzer lies, once its size was asked for.
    buffer: Option<u64>,
}

/// An object whose scalars the program asks for one by one.
struct Object {
    number: usize,
    span: Span,
    /// Of its first scalar.
    start: i128,
    last: i128,
    /// Of the element that is being read, where the object has any number of them.
    element: Option<Element>,
}

#[derive(Clone, Copy)]
struct Element {
    index: i128,
    stride: i128,
}

impl<'a> Adopting<'a> {
    pub fn new(program: &'a Program, recorded: &'a Recorded, after: Option<i128>) -> Self {
        Adopting { program, recorded, after, used: 0, object: None, buffer: None }
    }

    /// What a function without a body returns, or writes.
    fn of_call(&mut self, at: &InputSite, proc: &Proc, edge: &Edge) -> Option<i128> {
        match self.recorded {
            // The number of objects of a function that writes any number of them.
            Recorded::Values(_) | Recorded::Bytes(_) if at.ty == Type::Bool => Some(1),
            Recorded::Inputs(_) | Recorded::Nothing => self.after,
            Recorded::Values(values) => {
                let value = values.get(self.used);
                self.used += 1;
                value.map(|value| constant(at.ty, value)).or(self.after)
            }
            // What a fuzzer gives is the buffer alone.
            Recorded::Bytes(_) if self.buffer.is_some() => Some(0),
            Recorded::Bytes(bytes) => {
                let size = self.program.size_of(at.ty) as usize;
                let value =
                    bytes.get(self.used..).filter(|left| !left.is_empty()).map(|left| number(at.ty, left));
                self.used += size;
                value.or(self.after)
            }
            Recorded::Objects(objects) => self.of_object(objects, at, proc, edge),
        }
    }

    /// The first number among the arguments is the size of a fuzzer's buffer, which is the first object.
    fn of_argument(&mut self, at: &InputSite) -> Option<i128> {
        let start = self.program.next_address.map(|var| self.program.vars[var].scope);
        match (self.recorded, at.ty, start, self.buffer) {
            (Recorded::Bytes(bytes), Type::Int(int), Some(Scope::Global { init }), None)
                if int.bits >= 32 =>
            {
                self.buffer = u64::try_from(init).ok();
                Some(bytes.len() as i128)
            }
            _ => Some(0),
        }
    }

    /// A scalar of an object. One that is not written to memory is an object of its own.
    fn of_object(&mut self, objects: &[Vec<u8>], at: &InputSite, proc: &Proc, edge: &Edge) -> Option<i128> {
        let elements =
            |number: usize, stride: i128| objects.get(number).map_or(0, Vec::len) as i128 / stride.max(1);
        if at.ty == Type::Bool {
            // Whether there are no more elements.
            let stride = self.stride(proc, edge).unwrap_or(1);
            let object = match self.object.take().filter(|object| object.span == edge.span) {
                Some(object) => object,
                None => self.begin(edge.span, 0),
            };
            let index = object.element.map_or(0, |element| element.index + 1);
            let ends = index >= elements(object.number, stride);
            self.object = (!ends).then_some(Object { element: Some(Element { index, stride }), ..object });
            return Some(i128::from(ends));
        }
        let Some(offset) = self.offset(proc, edge) else {
            if let Some(Object { element: Some(element), span, .. }) = &self.object
                && *span == edge.span
            {
                return Some(element.index);
            }
            let object = self.begin(edge.span, 0);
            return self.scalar(objects, object.number, 0, at.ty);
        };
        let object = match self.object.take() {
            Some(object) if object.span == edge.span && object.element.is_some() => object,
            Some(object) if object.span == edge.span && offset > object.last => {
                Object { last: offset, ..object }
            }
            _ => self.begin(edge.span, offset),
        };
        let place = match object.element {
            // Within an element, offsets begin with zero.
            Some(Element { index, stride }) => index * stride + offset,
            None => offset - object.start,
        };
        let number = object.number;
        self.object = Some(object);
        self.scalar(objects, number, place, at.ty)
    }

    fn begin(&mut self, span: Span, start: i128) -> Object {
        self.used += 1;
        Object { number: self.used - 1, span, start, last: start, element: None }
    }

    fn scalar(&self, objects: &[Vec<u8>], number_of: usize, place: i128, ty: Type) -> Option<i128> {
        let Some(object) = objects.get(number_of) else { return self.after };
        let bytes = usize::try_from(place).ok().and_then(|place| object.get(place..)).unwrap_or_default();
        Some(number(ty, bytes))
    }

    /// The address to which the input of this edge goes next, or its distance from an address that is a variable.
    fn offset(&self, proc: &Proc, edge: &Edge) -> Option<i128> {
        let exprs = &self.program.exprs;
        let address = match edge.stmt {
            Stmt::Input(Place::Memory { addr, .. }, _) => addr,
            Stmt::Input(Place::Var(var), _) => {
                let next = only_next(proc, edge)?;
                // Before it is written, it may have to be known that there is something to write to.
                let next = if let Stmt::Assume(_) = next.stmt { only_next(proc, next)? } else { next };
                match next.stmt {
                    Stmt::Assign(Place::Memory { addr, .. }, value) if exprs.get(value) == Expr::Var(var) => {
                        addr
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        match exprs.get(address) {
            Expr::Const(_, value) => Some(value),
            Expr::Binary(BinaryOp::Add, _, distance) => match exprs.get(distance) {
                Expr::Const(_, value) => Some(value),
                _ => Some(0),
            },
            _ => Some(0),
        }
    }

    /// The size of the elements, at the input that asks whether there are more.
    fn stride(&self, proc: &Proc, edge: &Edge) -> Option<i128> {
        let exprs = &self.program.exprs;
        let mut ways = proc.edges.iter().filter(|way| way.from == edge.to);
        let index =
            ways.find_map(|way| only_next(proc, way).filter(|next| matches!(next.stmt, Stmt::Input(..))))?;
        let mut at = index;
        // Two assumptions about the index stand between.
        for _ in 0..3 {
            at = only_next(proc, at)?;
            if let Stmt::Assign(Place::Var(_), value) = at.stmt
                && let Expr::Binary(BinaryOp::Add, _, distance) = exprs.get(value)
                && let Expr::Binary(BinaryOp::Mul, _, stride) = exprs.get(distance)
                && let Expr::Const(_, stride) = exprs.get(stride)
            {
                return Some(stride);
            }
        }
        None
    }
}

/// The edge after this one, if there is only one.
fn only_next<'p>(proc: &'p Proc, edge: &Edge) -> Option<&'p Edge> {
    let mut after = proc.edges.iter().filter(|other| other.from == edge.to);
    after.next().filter(|_| after.next().is_none())
}

impl InputOracle for Adopting<'_> {
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        if let Recorded::Inputs(test) = self.recorded {
            let input = test.inputs.get(self.used);
            self.used += 1;
            return input.map(|input| input.value).or(self.after);
        }
        let proc = &self.program.procs[at.site.proc];
        let statement = proc.edges.get(at.site.edge).filter(|_| at.source == Source::Statement);
        if let Some(edge) = statement
            && let Stmt::Input(_, source) = &edge.stmt
        {
            match source {
                InputSource::Call(name) if name.starts_with(MADE) => return Some(0),
                InputSource::Call(_) => return self.of_call(at, proc, edge),
                InputSource::Allocation(_) => return Some(1),
                InputSource::Argument => return self.of_argument(at),
                InputSource::Uninitialised | InputSource::Unmodelled(_) => return Some(0),
            }
        }
        match (at.source, self.recorded, self.buffer) {
            (Source::Argument, ..) => self.of_argument(at),
            (Source::Memory { address, .. }, Recorded::Bytes(bytes), Some(buffer)) => {
                let place = address.checked_sub(buffer).and_then(|place| usize::try_from(place).ok());
                let left = place.and_then(|place| bytes.get(place..)).unwrap_or_default();
                Some(number(at.ty, left))
            }
            _ => Some(0),
        }
    }
}

/// Functions that stand for what a specification leaves open.
const MADE: &str = "__VERIFIER_nondet_craig_";

/// The number that begins with these bytes, the low ones first; what is missing is zero.
fn number(ty: Type, bytes: &[u8]) -> i128 {
    let size = match ty {
        Type::Bool => 1,
        Type::Int(int) => usize::from(int.bits).div_ceil(8),
        Type::Float(float) => float.bytes() as usize,
        Type::Pointer => 8,
    };
    let mut word = [0; 16];
    for (target, byte) in word.iter_mut().zip(bytes.iter().take(size)) {
        *target = *byte;
    }
    let value = i128::from_le_bytes(word);
    match ty {
        Type::Bool => i128::from(value != 0),
        Type::Int(int) => int.wrap(value),
        Type::Float(_) | Type::Pointer => value,
    }
}

/// A constant of C, as suites write them; what cannot be read is zero.
fn constant(ty: Type, text: &str) -> i128 {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (sign, hexadecimal) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits.strip_prefix("0x")),
        None => (1, digits.strip_prefix("0x").or(digits.strip_prefix("0X"))),
    };
    let character =
        text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).and_then(|c| c.chars().next());
    match (ty, hexadecimal, character) {
        (_, _, Some(character)) => i128::from(u32::from(character)),
        (Type::Float(_), _, _) => {
            let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
            parse_value(ty, if text.starts_with("0x") { text } else { digits }).unwrap_or(0)
        }
        (_, Some(hexadecimal), _) => i128::from_str_radix(hexadecimal, 16).map_or(0, |value| sign * value),
        _ => match digits.parse::<i128>() {
            Ok(value) => value,
            // `true`, and numbers that are written as floats.
            Err(_) => {
                parse_value(ty, digits).or_else(|| Some(digits.parse::<f64>().ok()? as i128)).unwrap_or(0)
            }
        },
    }
}
