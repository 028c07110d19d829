//! What functions that are not compiled wrote to objects of the program.
//!
//! Every object that was written to says where it is when it is declared; the function that is made for a call
//! writes there what the run found after it.

use std::fmt::Write;

use super::{Place, Writer};
use crate::hir::{GlobalOrigin, LocalOrigin};

/// An object of the program: where it is declared, and its name.
pub type Declared = (Place, String);

/// What one call did.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Object, offset and byte.
    pub bytes: Vec<(Declared, u64, u8)>,
    /// The pointer into an object that it returned.
    pub result: Option<(Declared, u64)>,
}

impl Writer<'_> {
    /// Code that does what the calls at this place did, one after the other.
    pub(super) fn effects(&mut self, at: &Place, function: &str) -> String {
        // What is written to objects that were given earlier stands nowhere.
        let nowhere = |(place, name): &&(Place, String)| place.1 == 0 && name == function;
        let key = (at.clone(), function.to_string());
        let known = self.inputs.effects.get(&key);
        let other = || self.inputs.effects.iter().find(|(key, _)| nowhere(key)).map(|(_, calls)| calls);
        let Some(calls) = known.or_else(other) else { return String::new() };
        if calls.iter().all(|call| call.bytes.is_empty() && call.result.is_none()) {
            return String::new();
        }
        let number = self.made.len();
        let mut code = format!(
            "static int craig_calls_{number}; void *craig_result = 0; switch (craig_calls_{number}++) {{"
        );
        for (i, call) in calls.iter().enumerate() {
            let _ = write!(code, " case {i}:");
            for (object, offset, byte) in &call.bytes {
                let _ = write!(code, " craig_at[{}][{offset}] = {byte};", self.object_number(object));
            }
            if let Some((object, offset)) = &call.result {
                let _ = write!(code, " craig_result = craig_at[{}] + {offset};", self.object_number(object));
            }
            code.push_str(" break;");
        }
        code.push_str(" }");
        code
    }

    fn object_number(&mut self, object: &Declared) -> usize {
        match self.written.iter().position(|known| known == object) {
            Some(number) => number,
            None => {
                self.written.push(object.clone());
                self.written.len() - 1
            }
        }
    }

    /// Lets the objects say where they are; what globals say stands in front of `main`.
    pub(super) fn announce(&mut self) -> String {
        let program = self.program;
        let mut globals = String::new();
        let written = self.written.clone();
        let number = |at: &Place, name: &str| written.iter().position(|(p, n)| p == at && n == name);
        for function in &program.functions {
            let Some(body) = &function.body else { continue };
            for local in body.locals.iter() {
                let Some(number) = number(&self.place(local.span), &local.name) else { continue };
                let code = format!(" craig_at[{number}] = (char *)&{};", local.name);
                let after = match local.origin {
                    LocalOrigin::Param => self.offset(program.stmts[body.block].span.start).map(|at| at + 1),
                    _ => self
                        .offset(local.span.start)
                        .and_then(|from| super::end_of_declaration(self.text, from)),
                };
                if let Some(after) = after {
                    self.edits.push((after, 0, code));
                }
            }
        }
        for global in &program.globals {
            let Some(number) = number(&self.place(global.span), &global.name) else { continue };
            let code = format!(" craig_at[{number}] = (char *)&{};", global.name);
            match global.origin {
                GlobalOrigin::FileScope => globals.push_str(&code),
                _ => {
                    let from = self.offset(global.span.start);
                    if let Some(end) = from.and_then(|from| super::end_of_declaration(self.text, from)) {
                        self.edits.push((end, 0, code));
                    }
                }
            }
        }
        globals
    }
}
