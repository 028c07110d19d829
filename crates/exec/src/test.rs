//! Tests: the inputs of a run, in order, as plain text.
//!
//! ```text
//! craig test 1
//! i32 -5  __VERIFIER_nondet_int at loop.c:3:9
//! u8 200  uninitialised memory 0x1010 at loop.c:7:3
//! ```
//!
//! The first line names the format. Each further line is a type, a value, and where the value went,
//! which is for people: a replay only counts. Empty lines and lines that begin with `#` say nothing.

use crate::input::{Input, Source, parse_value, show_value};
use craig_program::{FloatType, IntType, Program, Type};
use std::fmt;

const HEADER: &str = "craig test 1";

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Test {
    pub inputs: Vec<TestInput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestInput {
    pub ty: Type,
    /// The mathematical value; for floats and `unsigned __int128` the bit pattern.
    pub value: i128,
    /// Where it was consumed.
    pub site: String,
}

/// A line of a test file that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

impl Test {
    pub fn new(program: &Program, inputs: &[Input]) -> Self {
        let entry = |input: &Input| {
            let ty = match input.at.source {
                Source::Choice { .. } => Type::Int(IntType::unsigned(32)),
                _ => input.at.ty,
            };
            TestInput { ty, value: input.value, site: input.at.describe(program) }
        };
        Test { inputs: inputs.iter().map(entry).collect() }
    }

    pub fn values(&self) -> Vec<i128> {
        self.inputs.iter().map(|input| input.value).collect()
    }

    pub fn parse(text: &str) -> Result<Test, ParseError> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(ParseError { line: 1, message: format!("expected the line '{HEADER}'") });
        }
        let mut test = Test::default();
        for (number, line) in lines {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let error = |message: String| ParseError { line: number, message };
            let mut words = line.splitn(3, char::is_whitespace);
            let (ty, value) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let ty = parse_type(ty)
                .ok_or_else(|| error(format!("expected a type such as i32, u8, ptr or f64, found '{ty}'")))?;
            let value = parse_value(ty, value)
                .ok_or_else(|| error(format!("expected a value of type {ty}, found '{value}'")))?;
            let site = words.next().unwrap_or("").trim().to_string();
            test.inputs.push(TestInput { ty, value, site });
        }
        Ok(test)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for input in &self.inputs {
            writeln!(f, "{} {}  {}", input.ty, show_value(input.ty, input.value), input.site)?;
        }
        Ok(())
    }
}

fn parse_type(text: &str) -> Option<Type> {
    match text {
        "bool" => return Some(Type::Bool),
        "ptr" => return Some(Type::Pointer),
        "f32" => return Some(Type::Float(FloatType::F32)),
        "f64" => return Some(Type::Float(FloatType::F64)),
        "f80" => return Some(Type::Float(FloatType::F80)),
        _ => {}
    }
    let (signed, bits) = match text.split_at_checked(1)? {
        ("i", bits) => (true, bits),
        ("u", bits) => (false, bits),
        _ => return None,
    };
    let bits = bits.parse().ok().filter(|bits| (1..=128).contains(bits))?;
    Some(Type::Int(IntType { bits, signed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_can_be_read_back() {
        let input = |ty, value| TestInput { ty, value, site: "f at a.c:1:2".to_string() };
        let test = Test {
            inputs: vec![
                input(Type::I32, -5),
                input(Type::Int(IntType::unsigned(128)), -1),
                input(Type::Bool, 1),
                input(Type::Pointer, 0x1000),
                input(Type::Float(FloatType::F64), i128::from((-0.1f64).to_bits())),
                input(Type::Float(FloatType::F32), i128::from(f32::INFINITY.to_bits())),
                input(Type::Float(FloatType::F64), i128::from(f64::NAN.to_bits())),
                input(Type::Float(FloatType::F80), 0x3ffb_cccc_cccc_cccc_cccd),
                input(Type::Float(FloatType::F80), 0x3ffb_0000_0000_0000_0000),
            ],
        };
        assert_eq!(Test::parse(&test.to_string()), Ok(test));
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Test::parse("craig test 1\n\ni32 x").unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (3, "expected a value of type i32, found 'x'"));
        assert_eq!(Test::parse("i32 4").unwrap_err().line, 1);
    }
}
