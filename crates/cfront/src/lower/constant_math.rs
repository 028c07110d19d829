//! Functions of `<math.h>` whose arguments are constants. C leaves open how exact they are; glibc's are known to be
//! off by few units in the last place, and not at all where the result is a floating number.

use craig_num::Extended;
use craig_program as ir;
use ir::{BinaryOp, FloatType, InputSource, IntType, NoteKind, Type};

use super::body::{Body, Value};
use super::visit::{Node, walk};
use crate::hir::{self, CastKind, ExprKind, FunctionId, PlaceKind, StmtKind, UnaryOp};

/// How far off a result can be.
const UNITS: i64 = 2;
/// How deep a constant is looked for behind operations and variables, which may be initialised with each other.
const MAX_STEPS: usize = 16;

impl Body<'_, '_> {
    /// What a function of the library is for constants; `None` if it is none of these or the arguments are others.
    pub fn of_constants(&mut self, name: &str, function: FunctionId, args: &[hir::ExprId]) -> Option<Value> {
        let ty @ Type::Float(float) = self.lw.scalar_type(self.lw.result_type(function))? else {
            return None;
        };
        // In other directions of rounding other things may be known.
        if self.lw.sets_rounding {
            return None;
        }
        let arguments: Option<Vec<f64>> =
            args.iter().map(|&arg| self.constant_number(arg, MAX_STEPS)).collect();
        let (value, exact) = compute(name, &arguments?)?;
        let single = float == FloatType::F32;
        let value = if single { f64::from(value as f32) } else { value };
        if !value.is_finite() || value.abs() < f64::from(f32::MIN_POSITIVE) {
            return None;
        }
        let nearest = self.lw.float(ty, value.into());
        if exact {
            return Some(Value::Scalar(nearest));
        }
        let text = format!("'{name}' is at most {UNITS} units in the last place off");
        self.lw.note(NoteKind::Assumption, self.span, text);
        let next = |distance: i64| f64::from_bits(value.to_bits().wrapping_add(distance as u64));
        if float == FloatType::F80 {
            // What is computed here is no more exact than a `double`.
            let bounds = [next(-UNITS), next(UNITS)];
            return Some(Value::Scalar(self.any_between(name, ty, bounds, nearest)));
        }
        let off = self.input(Type::Int(IntType::I32), InputSource::Call(name.into()));
        let mut result = nearest;
        for distance in (-UNITS..=UNITS).filter(|&distance| distance != 0) {
            let near = if single {
                f64::from(f32::from_bits((value as f32).to_bits().wrapping_add(distance as u32)))
            } else {
                next(distance)
            };
            let (near, distance) =
                (self.lw.float(ty, near.into()), self.lw.out.exprs.int(IntType::I32, distance.into()));
            let is_that = self.lw.binary(BinaryOp::Eq, off, distance);
            result = self.lw.ite(is_that, near, result);
        }
        Some(Value::Scalar(self.freeze(result)))
    }

    /// Any number between two others, in either order.
    fn any_between(&mut self, name: &str, ty: Type, [a, b]: [f64; 2], otherwise: ir::ExprId) -> ir::ExprId {
        let any = self.input(ty, InputSource::Call(name.into()));
        let (low, high) = (self.lw.float(ty, a.min(b).into()), self.lw.float(ty, a.max(b).into()));
        let (above, below) =
            (self.lw.binary(BinaryOp::Le, low, any), self.lw.binary(BinaryOp::Le, any, high));
        let inside = self.lw.binary(BinaryOp::And, above, below);
        let result = self.lw.ite(inside, any, otherwise);
        self.freeze(result)
    }

    /// What a local variable is initialised with and always has, if the argument is one.
    pub fn initial_value(&self, mut arg: hir::ExprId) -> Option<hir::ExprId> {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[arg].kind {
            arg = inner;
        }
        let ExprKind::Load(place) = hir.exprs[arg].kind else { return None };
        let PlaceKind::Local(local) = hir.places[place].kind else { return None };
        let body = hir.functions[self.function?].body.as_ref()?;
        if hir.places[place].ty.quals.is_volatile() || self.is_changed(body, local) {
            return None;
        }
        let (mut found, mut jumps) = (None, false);
        walk(hir, &[Node::Stmt(body.block)], &mut |node| {
            let Node::Stmt(stmt) = node else { return true };
            match &hir.stmts[stmt].kind {
                StmtKind::Declare { local: declared, init: Some(init), .. } if *declared == local => {
                    if let [hir::InitItem { value: hir::InitValue::Expr(value), .. }] = init.items.as_slice()
                    {
                        found = Some(*value);
                    }
                }
                // A jump may pass the declaration, and assembly may write.
                StmtKind::Label(_) | StmtKind::Asm(_) => jumps = true,
                _ => {}
            }
            !jumps
        });
        found.filter(|_| !jumps)
    }

    /// The finite number that an expression is, if it is constant and found within so many steps.
    fn constant_number(&self, value: hir::ExprId, steps: usize) -> Option<f64> {
        let steps = steps.checked_sub(1)?;
        let hir = self.hir();
        let of = |operand| self.constant_number(operand, steps);
        let ty = self.lw.scalar_type(hir.exprs[value].ty);
        let number = match hir.exprs[value].kind {
            ExprKind::Float(number) => {
                let double = number.to_f64();
                return (Extended::from(double) == number && double.is_finite()).then_some(double);
            }
            ExprKind::Cast(CastKind::FloatToFloat, inner) => of(inner)?,
            ExprKind::Unary(UnaryOp::Neg, operand) => -of(operand)?,
            ExprKind::Binary(op, a, b) if ty != Some(Type::Float(FloatType::F80)) => {
                let (a, b) = (of(a)?, of(b)?);
                match op {
                    hir::BinaryOp::Add => a + b,
                    hir::BinaryOp::Sub => a - b,
                    hir::BinaryOp::Mul => a * b,
                    hir::BinaryOp::Div => a / b,
                    _ => return None,
                }
            }
            _ => of(self.initial_value(value)?)?,
        };
        let single = ty == Some(Type::Float(FloatType::F32));
        Some(if single { f64::from(number as f32) } else { number }).filter(|number| number.is_finite())
    }
}

/// The result, and whether it is exact.
fn compute(name: &str, args: &[f64]) -> Option<(f64, bool)> {
    let suffixed = name.strip_suffix(['f', 'l']).filter(|&base| base != "er");
    let of_one = |name: &str, x: f64| {
        Some(match name {
            "sin" => (x.sin(), false),
            "cos" => (x.cos(), x == 0.0),
            "tan" => (x.tan(), false),
            "asin" => (x.asin(), false),
            "acos" => (x.acos(), false),
            "atan" => (x.atan(), false),
            "sinh" => (x.sinh(), false),
            "cosh" => (x.cosh(), x == 0.0),
            "tanh" => (x.tanh(), false),
            "asinh" => (x.asinh(), false),
            "acosh" => (x.acosh(), false),
            "atanh" => (x.atanh(), false),
            "exp" => (x.exp(), x == 0.0),
            "expm1" => (x.exp_m1(), false),
            "log" => (x.ln(), x == 1.0),
            "erfc" if x == 0.0 => (1.0, true),
            "log1p" => (x.ln_1p(), false),
            "exp2" => (x.exp2(), x.fract() == 0.0),
            "log2" => (x.log2(), x.log2().fract() == 0.0 && x.log2().exp2() == x),
            "log10" => {
                let power = x.log10().round();
                let exact = (0.0..=22.0).contains(&power) && 10f64.powi(power as i32) == x;
                (if exact { power } else { x.log10() }, exact)
            }
            "cbrt" => {
                let root = x.cbrt().round();
                let exact = root.abs() < 100_000.0 && root * root * root == x;
                (if exact { root } else { x.cbrt() }, exact)
            }
            _ => return None,
        })
    };
    let of_two = |name: &str, x: f64, y: f64| {
        Some(match name {
            "pow" => power(x, y),
            "atan2" => (x.atan2(y), false),
            "hypot" => {
                let root = x.hypot(y);
                (root, root < 9e7 && root.fract() == 0.0 && x.fract() == 0.0 && x * x + y * y == root * root)
            }
            "fmod" if y != 0.0 => (x % y, true),
            "remainder" | "drem" if y != 0.0 => (remainder(x, y), true),
            _ => return None,
        })
    };
    match *args {
        [x] => of_one(name, x).or_else(|| of_one(suffixed?, x)),
        [x, y] => of_two(name, x, y).or_else(|| of_two(suffixed?, x, y)),
        _ => None,
    }
}

/// The distance from the nearest multiple of `y`; of two, from the even one.
fn remainder(x: f64, y: f64) -> f64 {
    let y = y.abs();
    let mut rest = x.abs() % (y + y);
    if rest + rest > y {
        rest -= y;
        if rest + rest >= y {
            rest -= y;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn power(x: f64, y: f64) -> (f64, bool) {
    let root = x.sqrt();
    if y == 0.5 && root * root == x && root.fract() == 0.0 && root < 9e7 {
        return (root, true);
    }
    if x.fract() == 0.0 && x.abs() < 9e15 && y.fract() == 0.0 && (0.0..64.0).contains(&y) {
        let whole = (x as i128).checked_pow(y as u32).filter(|whole| whole.unsigned_abs() < 1 << 53);
        if let Some(whole) = whole {
            return (whole as f64, true);
        }
    }
    (x.powf(y), false)
}

#[cfg(test)]
mod tests {
    use super::compute;

    #[test]
    fn results_that_are_floating_numbers_are_exact() {
        for (name, args, value) in [
            ("log2", &[8.0][..], 3.0),
            ("log10f", &[1000.0], 3.0),
            ("cbrt", &[-27.0], -3.0),
            ("pow", &[4.0, 0.5], 2.0),
            ("powl", &[-3.0, 3.0], -27.0),
            ("exp2", &[-1.0], 0.5),
            ("cos", &[0.0], 1.0),
            ("coshf", &[-0.0], 1.0),
            ("erfcl", &[0.0], 1.0),
            ("fmod", &[-7.5, 2.0], -1.5),
            ("remainder", &[5.0, 3.0], -1.0),
            ("remainderf", &[-2.5, 1.0], -0.5),
            ("drem", &[1.5, -1.0], -0.5),
            ("hypot", &[-3.0, 4.0], 5.0),
        ] {
            assert_eq!(compute(name, args), Some((value, true)), "{name}");
        }
        assert!(
            compute("exp", &[1.0])
                .is_some_and(|(value, exact)| (value - std::f64::consts::E).abs() < 1e-9 && !exact)
        );
        assert_eq!(compute("floor", &[1.5]), None);
    }
}
