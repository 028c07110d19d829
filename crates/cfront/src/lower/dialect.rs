//! Functions of harnesses, as [`crate::dialect`] has them.

use craig_program as ir;
use ir::InputSource;

use super::body::{Body, Value};
use crate::dialect::{Dialect, dialect};
use crate::hir::{self, FunctionId};

impl Body<'_, '_> {
    /// The effect and result of a function of a harness; `None` for others.
    pub fn dialect(&mut self, function: FunctionId, args: &[hir::ExprId]) -> Option<Value> {
        let hir = self.hir();
        let name = hir.functions[function].name.as_str();
        let result_type = self.lw.result_type(function);
        match (dialect(name)?, args) {
            (Dialect::Assume, &[condition]) => {
                let (holds, fails) = (self.new_location(), self.new_location());
                self.branch(condition, holds, fails);
                self.here = holds;
                Some(Value::Void)
            }
            (Dialect::Assert, &[condition, ref rest @ ..]) => {
                let (holds, fails) = (self.new_location(), self.new_location());
                self.branch(condition, holds, fails);
                self.here = fails;
                let said = rest.first().and_then(|&arg| self.string_literal(arg));
                self.error(said.unwrap_or_else(|| "assertion failed".to_string()));
                self.here = holds;
                Some(Value::Void)
            }
            (Dialect::Fail, _) => {
                self.error(format!("'{name}' is called"));
                self.here = self.new_location();
                Some(Value::Void)
            }
            (Dialect::Stop, _) => {
                args.iter().for_each(|&arg| self.effect(arg));
                self.halt();
                Some(Value::Void)
            }
            (Dialect::AnyContents, &[object, ref rest @ ..]) => {
                let value = self.scalar(object);
                rest.iter().for_each(|&arg| self.effect(arg));
                self.change_what_is_given(name, vec![(object, Value::Scalar(value))]);
                Some(Value::Void)
            }
            (Dialect::Any, _) if !hir.types.is_pointer(result_type) => {
                args.iter().for_each(|&arg| self.effect(arg));
                Some(self.any_value(result_type, InputSource::Call(name.into())))
            }
            (Dialect::Nothing, _) => {
                args.iter().for_each(|&arg| self.effect(arg));
                Some(self.any_value(result_type, InputSource::Call(name.into())))
            }
            (Dialect::Refused(why), _) => {
                let span = args.first().map_or(hir.functions[function].span, |&arg| hir.exprs[arg].span);
                self.lw.unsupported(span, format!("'{name}': {why}"));
                Some(Value::Void)
            }
            _ => None,
        }
    }
}
