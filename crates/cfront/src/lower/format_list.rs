//! Output with arguments from a `va_list`. Its format is a parameter as a rule: where callers of the function pass literals for
//! that parameter, each of these formats is taken apart; for any other the output is any text.

use craig_program as ir;
use ir::{BinaryOp, ExprId, Type};

use super::body::{Body, Value};
use super::format::{Piece, counts, family, parse, reads};
use super::visit::{Node, walk};
use crate::hir::{self, Callee, CastKind, ExprKind, FunctionId, PlaceKind};

/// A function that is called with more formats than this has only what holds for all.
const MOST_FORMATS: usize = 8;

/// The formats that a parameter may be.
#[derive(Default)]
struct Formats {
    /// Literals, taken apart.
    known: Vec<(hir::ExprId, Vec<Piece>)>,
    /// Whether it is one of these in any case.
    all: bool,
}

impl Body<'_, '_> {
    /// A call of `vsnprintf` and the like; `None` for others, and where no format is known.
    pub fn formatted_list(
        &mut self,
        name: &str,
        function: FunctionId,
        args: &[hir::ExprId],
        discarded: bool,
    ) -> Option<Value> {
        let plain = name.strip_prefix('v')?;
        let family = family(plain).filter(|family| !family.scans && args.len() == family.format + 2)?;
        let Formats { known: formats, all } = self.formats_for(args[family.format]);
        let unseen = discarded && family.to.is_none() && !self.lw.follows_streams;
        if !all {
            self.any_format(name);
        }
        if !all && !unseen {
            self.any_text(name);
        }
        let matters = |(_, pieces): &(_, Vec<Piece>)| !unseen || counts(pieces) || reads(pieces);
        let is_left_out = all && unseen;
        if !is_left_out && !formats.iter().any(matters) {
            return None;
        }
        let mut given = Vec::new();
        for (value, ty) in self.arguments(args) {
            given.push((self.freeze_value(value), ty));
        }
        let arguments: Vec<ExprId> =
            given.iter().map(|(value, _)| self.scalar_of(value.clone(), Type::I32)).collect();
        if !formats.iter().any(matters) {
            return Some(Value::Scalar(self.sent_unseen(name, args, &arguments)));
        }
        let result = self.temporary(Type::I32);
        let end = self.new_location();
        for (literal, pieces) in formats {
            let address = self.scalar(literal);
            let same = self.lw.binary(BinaryOp::Eq, arguments[family.format], address);
            let (this, other) = (self.new_location(), self.new_location());
            self.split(same, this, other);
            self.here = this;
            let values = self.listed(&pieces, arguments[family.format + 1]);
            let returned = if unseen && !counts(&pieces) {
                self.read_texts(&pieces, &values, |_, _| false);
                self.sent_unseen(name, args, &arguments)
            } else {
                self.printed(plain, family, &pieces, &arguments, &values)
            };
            self.assign(result, returned);
            self.goto(end);
            self.here = other;
        }
        let any = self.call_defined(function, given);
        let any = self.scalar_of(any, Type::I32);
        self.assign(result, any);
        self.arrive(end);
        Some(Value::Scalar(self.var(result)))
    }

    /// What the list has for a format.
    fn listed(&mut self, pieces: &[Piece], list: ExprId) -> Vec<ExprId> {
        let mut at = self.lw.convert(list, Type::Pointer);
        let mut values = Vec::new();
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            for _ in 0..conversion.numbers() {
                let (value, next) = self.argument_at(at, Type::I32);
                values.push(value);
                at = next;
            }
            let (value, next) = self.argument_at(at, conversion.argument_type(self));
            values.push(value);
            at = next;
        }
        values
    }

    /// The literals that reach this expression as arguments of calls, taken apart.
    fn formats_for(&self, format: hir::ExprId) -> Formats {
        let take_apart = |text: Vec<u8>| parse(&text, false).filter(|pieces| is_known(pieces));
        if let Some(text) = self.literal(format) {
            let known: Vec<_> = take_apart(text).map(|pieces| (format, pieces)).into_iter().collect();
            return Formats { all: !known.is_empty(), known };
        }
        let Some(start) = self.function.and_then(|function| self.parameter(function, format)) else {
            return Formats::default();
        };
        let mut wanted = vec![start];
        let mut formats = Formats { known: Vec::new(), all: true };
        let mut done = 0;
        while let Some(&(function, number)) = wanted.get(done) {
            done += 1;
            let reach = &self.lw.reach;
            let is_open =
                reach.address_taken.contains(&function) || reach.functions.first() == Some(&function);
            formats.all &= !is_open && !self.parameter_changes(function, number);
            for (caller, arg) in self.arguments_for(function, number) {
                if let Some(text) = self.literal(arg) {
                    let pieces = take_apart(text);
                    formats.all &= pieces.is_some();
                    formats.known.extend(pieces.map(|pieces| (arg, pieces)));
                } else if let Some(next) = self.parameter(caller, arg) {
                    if !wanted.contains(&next) {
                        wanted.push(next);
                    }
                } else {
                    formats.all = false;
                }
                if formats.known.len() > MOST_FORMATS {
                    return Formats::default();
                }
            }
        }
        formats
    }

    /// Whether the parameter may have another value than the one that was passed.
    fn parameter_changes(&self, function: FunctionId, number: usize) -> bool {
        let param = |body: &hir::Body| body.params.get(number).copied();
        let body = self.hir().functions[function].body.as_ref();
        let Some((body, local)) = body.and_then(|body| Some((body, param(body)?))) else { return true };
        self.lw.reach.memory_locals[function][local] || self.is_assigned(body, local)
    }

    /// What functions that are reached pass for a parameter, and which they are.
    fn arguments_for(&self, function: FunctionId, number: usize) -> Vec<(FunctionId, hir::ExprId)> {
        let hir = self.hir();
        let mut found = Vec::new();
        for &caller in &self.lw.reach.functions {
            let Some(body) = &hir.functions[caller].body else { continue };
            walk(hir, &[Node::Stmt(body.block)], &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call { callee: Callee::Function(id), args } = &hir.exprs[expr].kind
                    && *id == function
                {
                    found.extend(args.get(number).map(|&arg| (caller, arg)));
                }
                true
            });
        }
        found
    }

    /// The function and the number of the parameter that the expression is the value of.
    fn parameter(&self, function: FunctionId, mut expr: hir::ExprId) -> Option<(FunctionId, usize)> {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[expr].kind {
            expr = inner;
        }
        let ExprKind::Load(place) = hir.exprs[expr].kind else { return None };
        let PlaceKind::Local(local) = hir.places[place].kind else { return None };
        let body = hir.functions[function].body.as_ref()?;
        let number = body.params.iter().position(|&param| param == local)?;
        Some((function, number))
    }
}

/// Whether all conversions take arguments of types that are known.
fn is_known(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| match piece {
        Piece::Text { .. } => true,
        Piece::Conversion(conversion) => {
            conversion.length != b'L'
                && !(conversion.length == b'l' && matches!(conversion.kind, b'c' | b's'))
        }
    })
}
