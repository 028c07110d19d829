//! Functions of harnesses, as [`crate::dialect`] has them.

use craig_program as ir;
use ir::InputSource;

use super::body::{Body, Value};
use super::layout::Piece;
use crate::dialect::{About, Dialect, dialect};
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
                self.proc.assumed.push(fails);
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
            (Dialect::Everything, _) => {
                self.change_everything(name, args);
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
            (Dialect::Overflows(op), _) => {
                let ty = ir::Type::Int(ir::IntType::I32);
                let mut values: Vec<ir::ExprId> = Vec::new();
                for (value, _) in self.arguments(args) {
                    values.push(self.scalar_of(value, ty));
                }
                let zero = self.lw.zero(ty);
                match values[..] {
                    [a, b] => Some(Value::Scalar(self.overflows(op, a, b))),
                    [a] => Some(Value::Scalar(self.overflows(op, zero, a))),
                    _ => None,
                }
            }
            (Dialect::Zeroed, &[object]) => Some(Value::Scalar(self.is_zeroed(object))),
            (Dialect::New, _) => {
                let size = self.lw.constant(ir::Type::Int(self.lw.size_type()), 1);
                Some(Value::Scalar(self.allocate_automatic(size).1))
            }
            (Dialect::Separated, &[_, _, _, _]) => Some(Value::Scalar(self.are_separated(args))),
            (Dialect::Object(about), _) => Some(Value::Scalar(self.about_object(name, about, args))),
            (Dialect::Refused(why), _) => {
                let span = args.first().map_or(hir.functions[function].span, |&arg| hir.exprs[arg].span);
                self.lw.unsupported(span, format!("'{name}': {why}"));
                Some(Value::Void)
            }
            _ => None,
        }
    }

    /// Scalar by scalar, where these are all of the object; else byte by byte.
    fn is_zeroed(&mut self, pointer: hir::ExprId) -> ir::ExprId {
        let hir = self.hir();
        let mut inner = pointer;
        while let hir::ExprKind::Cast(hir::CastKind::PointerToPointer, operand) = hir.exprs[inner].kind {
            inner = operand;
        }
        let object = hir.types.pointee(hir.exprs[inner].ty).map_or(crate::types::TypeId::VOID, |to| to.ty);
        let size = hir.types.size_of(object).unwrap_or(0);
        let pieces = self.lw.layouts.pieces(&hir.types, object);
        let mut scalars = Vec::new();
        for piece in pieces.iter() {
            match piece {
                Piece::Scalar { offset, ty } if !matches!(ty, ir::Type::Float(_)) => {
                    scalars.push((*offset, *ty))
                }
                _ => scalars.clear(),
            }
        }
        let covered: u64 = scalars.iter().map(|(_, ty)| u64::from(self.lw.out.size_of(*ty))).sum();
        if covered != size || scalars.len() != pieces.len() {
            scalars = (0..size).map(|offset| (offset, ir::Type::Int(ir::IntType::unsigned(8)))).collect();
        }
        let address = self.scalar(pointer);
        let address = self.freeze(address);
        let mut all = self.lw.out.exprs.bool(true);
        for (offset, ty) in scalars {
            let at = self.lw.offset(address, i128::from(offset));
            let (value, zero) = (self.load_scalar(at, ty), self.lw.zero(ty));
            let is_zero = self.lw.binary(ir::BinaryOp::Eq, value, zero);
            all = self.lw.binary(ir::BinaryOp::And, all, is_zero);
        }
        self.lw.convert(all, ir::Type::Int(ir::IntType::I32))
    }

    /// Objects lie two units apart, as long as none is larger than a unit: so an address tells its object.
    fn about_object(&mut self, name: &str, about: About, args: &[hir::ExprId]) -> ir::ExprId {
        let ty = ir::Type::Int(self.lw.size_type());
        let known = args.first().and_then(|&arg| self.known_size(arg));
        let is_refused = match about {
            About::Size if known.is_some() => false,
            _ if about.is_of_extents() => self.lw.extents.is_none(),
            _ => !self.lw.asks_for_objects,
        };
        if is_refused {
            let span = args.first().map_or(crate::source::Span::NONE, |&arg| self.hir().exprs[arg].span);
            self.lw
                .unsupported(span, format!("'{name}': it is not known here which object this points into"));
        }
        let mut values = Vec::new();
        for (value, _) in self.arguments(args) {
            let value = self.scalar_of(value, ir::Type::Pointer);
            values.push(self.lw.convert(value, ty));
        }
        match (about, &values[..]) {
            (About::Size, _) if known.is_some() => self.lw.constant(ty, i128::from(known.unwrap_or(0))),
            (about, _) if about.is_of_extents() => {
                let pointee = args.first().and_then(|&arg| self.pointee_size(arg)).unwrap_or(1);
                let bytes = match values.get(1) {
                    Some(&bytes) => self.freeze(bytes),
                    None => self.lw.constant(ty, i128::from(pointee)),
                };
                self.extent_answer(about, &values, bytes)
            }
            (About::Number, &[a]) => self.object_number(a),
            (About::Same, &[a, b]) => {
                let (a, b) = (self.object_number(a), self.object_number(b));
                let same = self.lw.binary(ir::BinaryOp::Eq, a, b);
                self.lw.convert(same, ir::Type::Int(ir::IntType::I32))
            }
            (About::Range, &[low, p, high]) => {
                let numbers = [low, p, high].map(|value| self.object_number(value));
                let mut within = self.lw.binary(ir::BinaryOp::Eq, numbers[0], numbers[1]);
                for (op, a, b) in [
                    (ir::BinaryOp::Eq, numbers[1], numbers[2]),
                    (ir::BinaryOp::Le, low, p),
                    (ir::BinaryOp::Le, p, high),
                ] {
                    let holds = self.lw.binary(op, a, b);
                    within = self.lw.binary(ir::BinaryOp::And, within, holds);
                }
                self.lw.convert(within, ir::Type::Int(ir::IntType::I32))
            }
            (About::Offset, &[a]) => self.offset_in_object(a),
            _ => self.lw.zero(ty),
        }
    }

    /// Two pointers, each with a number of bytes after it. No bytes have none in common with others.
    fn are_separated(&mut self, args: &[hir::ExprId]) -> ir::ExprId {
        let ty = ir::Type::Int(self.lw.size_type());
        let mut values = Vec::new();
        for (value, _) in self.arguments(args) {
            let value = self.scalar_of(value, ty);
            let value = self.lw.convert(value, ty);
            values.push(self.freeze(value));
        }
        let zero = self.lw.zero(ty);
        let mut apart = self.lw.out.exprs.bool(false);
        for (from, bytes, other) in [(0, 1, 2), (2, 3, 0)] {
            let end = self.lw.binary(ir::BinaryOp::Add, values[from], values[bytes]);
            let before = self.lw.binary(ir::BinaryOp::Le, end, values[other]);
            let empty = self.lw.binary(ir::BinaryOp::Eq, values[bytes], zero);
            apart = self.lw.binary(ir::BinaryOp::Or, apart, before);
            apart = self.lw.binary(ir::BinaryOp::Or, apart, empty);
        }
        self.lw.convert(apart, ir::Type::Int(ir::IntType::I32))
    }

    /// Half of the gap before an object belongs to it: a pointer may have left it to either side. What is below all
    /// objects, as null is, has number 0.
    pub fn object_number(&mut self, address: ir::ExprId) -> ir::ExprId {
        let ty = ir::Type::Int(self.lw.size_type());
        let (distance, unit, is_low) = self.distance_from_first_object(address);
        let width = self.lw.constant(ty, 2 * unit);
        let number = self.lw.binary(ir::BinaryOp::Div, distance, width);
        let (zero, one) = (self.lw.zero(ty), self.lw.constant(ty, 1));
        let number = self.lw.binary(ir::BinaryOp::Add, number, one);
        self.lw.ite(is_low, zero, number)
    }

    pub fn offset_in_object(&mut self, address: ir::ExprId) -> ir::ExprId {
        let (unsigned, signed) =
            (ir::Type::Int(self.lw.size_type()), ir::Type::Int(self.lw.difference_type()));
        let (distance, unit, is_low) = self.distance_from_first_object(address);
        let width = self.lw.constant(unsigned, 2 * unit);
        let within = self.lw.binary(ir::BinaryOp::Rem, distance, width);
        let (within, unit) = (self.lw.convert(within, signed), self.lw.constant(signed, unit));
        let offset = self.lw.binary(ir::BinaryOp::Sub, within, unit);
        let low = self.lw.convert(address, signed);
        self.lw.ite(is_low, low, offset)
    }

    /// How far an address is from half of the gap before the first object, the unit, and whether it is below that.
    fn distance_from_first_object(&mut self, address: ir::ExprId) -> (ir::ExprId, i128, ir::ExprId) {
        let ty = ir::Type::Int(self.lw.size_type());
        let model = self.lw.out.data_model;
        let unit = i128::from(model.guard_bytes());
        let first = self.lw.constant(ty, i128::from(model.first_address()) - unit);
        let address = self.freeze(address);
        let is_low = self.lw.binary(ir::BinaryOp::Lt, address, first);
        let distance = self.lw.binary(ir::BinaryOp::Sub, address, first);
        (self.freeze(distance), unit, is_low)
    }

    /// Whether the exact result is none of the type that C computes it in.
    fn overflows(&mut self, op: ir::BinaryOp, a: ir::ExprId, b: ir::ExprId) -> ir::ExprId {
        let int = |ty: ir::Type| ty.as_int().unwrap_or(ir::IntType::I32);
        let (ta, tb) = (int(self.lw.out.exprs.ty(a)), int(self.lw.out.exprs.ty(b)));
        let bits = ta.bits.max(tb.bits).max(32);
        let unsigned = (!ta.signed && ta.bits == bits) || (!tb.signed && tb.bits == bits);
        let common = if unsigned { ir::IntType::unsigned(bits) } else { ir::IntType::signed(bits) };
        // Only the product of two unsigned numbers can exceed 127 bits.
        let is_large = op == ir::BinaryOp::Mul && unsigned;
        let wide = if is_large { ir::IntType::unsigned(128) } else { ir::IntType::signed(128) };
        let (common, wide) = (ir::Type::Int(common), ir::Type::Int(wide));
        let [a, b] = [a, b].map(|value| {
            let value = self.lw.convert(value, common);
            self.lw.convert(value, wide)
        });
        let exact = self.lw.binary(op, a, b);
        let exact = self.freeze(exact);
        let wrapped = self.lw.convert(exact, common);
        let back = self.lw.convert(wrapped, wide);
        let differs = self.lw.binary(ir::BinaryOp::Ne, back, exact);
        self.lw.convert(differs, ir::Type::Int(ir::IntType::I32))
    }
}
