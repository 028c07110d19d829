//! Calls whose results C leaves open, or what is outside of the program: the oracle answers what the model asks for
//! with what the system's function returned, and the model must then return the same.

use super::{PRELUDE, limits, loaded, native, numbers};
use craig_exec::{Detail, Executable, InputSite, Outcome};
use craig_program::{FloatType, IntType, Type};
use std::path::Path;

/// The inputs that are what the system's function returned: the lower 64 bits and the others.
const EXPECTED: &str = "__VERIFIER_nondet_ulonglong";

/// Constants have a way of their own to their results.
const CONSTANTS: [&str; 12] =
    ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1e300", "2.5", "-3.0", "1e-9", "INFINITY", "NAN"];

pub(super) struct Open {
    call: String,
    result: Kind,
    /// Whether what may fail succeeds.
    succeeds: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integer,
    Number(FloatType),
}

/// What the system's function returned: an integer, or the pattern of a number.
#[derive(Clone, Copy)]
struct Returned {
    low: u64,
    high: u64,
}

impl Open {
    /// A call that returns a number of this one of [`numbers::TYPES`].
    pub(super) fn number(call: &str, at: usize, succeeds: bool) -> Open {
        let ty = [FloatType::F64, FloatType::F32, FloatType::F80][at];
        Open { call: call.to_string(), result: Kind::Number(ty), succeeds }
    }

    pub(super) fn integer(call: &str, succeeds: bool) -> Open {
        Open { call: call.to_string(), result: Kind::Integer, succeeds }
    }

    pub(super) fn compare(&self, folder: &Path, calls: usize, seed: u64) -> Result<(), String> {
        self.compare_many(folder, &self.call, calls, seed)?;
        if self.result == Kind::Number(FloatType::F64) && self.call.ends_with("(d)") {
            for constant in CONSTANTS {
                self.compare_constant(folder, &self.call.replace("(d)", &format!("({constant})")))?;
            }
        }
        Ok(())
    }

    /// The calls one after the other, each with what `each` does with the result, which is in `u`, as with a number in `x`.
    fn program(&self, head: &str, call: &str, calls: usize, seed: u64, each: &str) -> String {
        let (ty, suffix, bytes) = match self.result {
            Kind::Integer => ("long long", "", 8),
            Kind::Number(FloatType::F64) => (numbers::TYPES[0].1, numbers::TYPES[0].0, 8),
            Kind::Number(FloatType::F32) => (numbers::TYPES[1].1, numbers::TYPES[1].0, 4),
            Kind::Number(FloatType::F80) => (numbers::TYPES[2].1, numbers::TYPES[2].0, 10),
        };
        let arguments = match self.result {
            Kind::Integer => String::new(),
            Kind::Number(_) => format!("{ty} d = any_real{suffix}(), e = any_real{suffix}();"),
        };
        format!(
            "{PRELUDE}{head}int main(void) {{\n    state = {seed};\n    for (int call = 0; call < {calls}; call++) {{\n        {arguments}\n        unsigned long long u[2] = {{0, 0}}, v, w;\n        {ty} x = {call};\n        memcpy(u, &x, {bytes});\n        {each}\n    }}\n    return -1;\n}}\n"
        )
    }

    fn compare_many(&self, folder: &Path, call: &str, calls: usize, seed: u64) -> Result<(), String> {
        let returned = self.returned(folder, call, calls, seed)?;
        let off = i128::from(self.succeeds);
        match self.allows(folder, call, &returned, seed, off)? {
            None => Ok(()),
            Some(what) => Err(what),
        }
    }

    /// A number may be so many units off what a constant argument is known to give.
    fn compare_constant(&self, folder: &Path, call: &str) -> Result<(), String> {
        let returned = self.returned(folder, call, 1, 0)?;
        let mut refusal = String::new();
        for off in [0, 1, -1, 2, -2] {
            match self.allows(folder, call, &returned, 0, off)? {
                None => return Ok(()),
                Some(what) => refusal = what,
            }
        }
        Err(format!("{call}: {refusal}"))
    }

    fn returned(&self, folder: &Path, call: &str, calls: usize, seed: u64) -> Result<Vec<Returned>, String> {
        let text = self.program("", call, calls, seed, "printf(\"%llu %llu\\n\", u[0], u[1]);");
        let output = native(folder, &text)?;
        let pair = |line: &str| {
            let (low, high) = line.split_once(' ')?;
            Some(Returned { low: low.parse().ok()?, high: high.parse().ok()? })
        };
        Ok(output.lines().filter_map(pair).collect())
    }

    /// Why the model does not allow one of the results; `None` if it allows them all. Its questions for truth values and
    /// numbers that are not results are answered with `other`.
    fn allows(
        &self,
        folder: &Path,
        call: &str,
        returned: &[Returned],
        seed: u64,
        other: i128,
    ) -> Result<Option<String>, String> {
        let text = self.program(
            &format!("unsigned long long {EXPECTED}(void);\n"),
            call,
            returned.len(),
            seed,
            &format!(
                "v = {EXPECTED}(); w = {EXPECTED}(); if ((u[0] != v || u[1] != w) && x == x) return call;"
            ),
        );
        let program = loaded(folder, &text)?;
        let executable = Executable::new(&program, Detail::Outcome);
        let (mut done, mut halves) = (0, 0);
        let mut oracle = |at: &InputSite| {
            let now: &Returned = returned.get(done)?;
            if matches!(at.ty, Type::Int(_)) && at.describe(&program).starts_with(EXPECTED) {
                halves += 1;
                if halves % 2 == 1 {
                    return Some(i128::from(now.low));
                }
                done += 1;
                return Some(i128::from(now.high));
            }
            Some(match at.ty {
                Type::Float(ty) => now.as_number(self.result, ty),
                Type::Int(ty) if self.result == Kind::Integer && ty != IntType::BOOL => now.as_integer(ty),
                _ => other,
            })
        };
        Ok(match executable.run(&mut oracle, &limits()).outcome {
            Outcome::Returned(Some(-1)) => None,
            outcome => {
                let last = returned.get(done.saturating_sub(1));
                let last = last.map_or(String::new(), |last| format!("{} {}", last.low, last.high));
                let described = outcome.describe(&program);
                Some(format!("{described} at call {done} of {}, where gcc has {last}", returned.len()))
            }
        })
    }
}

impl Returned {
    fn as_integer(self, ty: IntType) -> i128 {
        let value = i128::from(self.low as i64);
        if value >= ty.min() && (value < 0 || value as u128 <= ty.max()) { value } else { 0 }
    }

    /// The number of kind `from` as a pattern of the type.
    fn as_number(self, from: Kind, ty: FloatType) -> i128 {
        let pattern = i128::from(self.low) | i128::from(self.high) << 64;
        match (from, ty) {
            (Kind::Number(FloatType::F32), FloatType::F64) => {
                i128::from(f64::from(f32::from_bits(self.low as u32)).to_bits())
            }
            _ => pattern,
        }
    }
}
