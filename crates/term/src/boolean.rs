//! Constructors for Boolean structure, `ite`, equality and quantifiers.

use crate::store::{Op, SortId, TermId, Terms};
use craig_num::Rat;

/// Nested conjunctions longer than this are not flattened, so that `acc = and(acc, x)` in a loop
/// stays linear.
const FLATTEN_LIMIT: usize = 32;

impl Terms {
    pub fn bool(&self, value: bool) -> TermId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub fn is_true(&self, t: TermId) -> bool {
        t == Self::TRUE
    }

    pub fn is_false(&self, t: TermId) -> bool {
        t == Self::FALSE
    }

    pub fn not(&mut self, t: TermId) -> TermId {
        debug_assert!(self.is_bool(t));
        match self.op(t) {
            Op::True => Self::FALSE,
            Op::False => Self::TRUE,
            Op::Not => self.arg(t, 0),
            _ => self.intern(Op::Not, Self::BOOL, &[t]),
        }
    }

    /// The term without its negation, and whether there was one.
    #[inline]
    pub fn strip_not(&self, t: TermId) -> (TermId, bool) {
        if self.op(t) == Op::Not { (self.arg(t, 0), true) } else { (t, false) }
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::And, args)
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::Or, args)
    }

    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.junction(Op::And, &[a, b])
    }

    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.junction(Op::Or, &[a, b])
    }

    fn junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let (unit, zero) = if op == Op::And { (Self::TRUE, Self::FALSE) } else { (Self::FALSE, Self::TRUE) };
        let mut flat: Vec<(TermId, bool)> = Vec::with_capacity(args.len());
        for &arg in args {
            debug_assert!(self.is_bool(arg));
            if arg == zero {
                return zero;
            }
            if arg == unit {
                continue;
            }
            if self.op(arg) == op && self.args(arg).len() <= FLATTEN_LIMIT {
                flat.extend(self.args(arg).iter().map(|&inner| self.strip_not(inner)));
            } else {
                flat.push(self.strip_not(arg));
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return zero;
        }
        match flat.as_slice() {
            [] => unit,
            &[(t, negated)] => {
                if negated {
                    self.not(t)
                } else {
                    t
                }
            }
            _ => {
                let parts: Vec<TermId> =
                    flat.into_iter().map(|(t, negated)| if negated { self.not(t) } else { t }).collect();
                self.intern(op, Self::BOOL, &parts)
            }
        }
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or2(not_a, b)
    }

    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.is_bool(a) && self.is_bool(b));
        let (a, negated_a) = self.strip_not(a);
        let (b, negated_b) = self.strip_not(b);
        let negated = negated_a != negated_b;
        let (a, b) = (a.min(b), a.max(b));
        let positive = if a == b {
            Self::TRUE
        } else if a == Self::TRUE {
            b
        } else if a == Self::FALSE {
            self.not(b)
        } else {
            self.intern(Op::Eq, Self::BOOL, &[a, b])
        };
        if negated { self.not(positive) } else { positive }
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.iff(a, b);
        self.not(same)
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        debug_assert!(self.is_bool(condition) && self.sort(then) == self.sort(otherwise));
        if then == otherwise || condition == Self::TRUE {
            return then;
        }
        if condition == Self::FALSE {
            return otherwise;
        }
        if self.op(condition) == Op::Not {
            let condition = self.arg(condition, 0);
            return self.ite(condition, otherwise, then);
        }
        if self.is_bool(then) {
            return self.bool_ite(condition, then, otherwise);
        }
        // A branch that asks the same question again has its answer.
        let then = self.under(condition, then, 1);
        let otherwise = self.under(condition, otherwise, 2);
        if then == otherwise {
            return then;
        }
        let sort = self.sort(then);
        self.intern(Op::Ite, sort, &[condition, then, otherwise])
    }

    /// `branch`, where it is known how `condition` came out.
    fn under(&self, condition: TermId, branch: TermId, taken: usize) -> TermId {
        if self.op(branch) == Op::Ite && self.arg(branch, 0) == condition {
            self.arg(branch, taken)
        } else {
            branch
        }
    }

    fn bool_ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let not_condition = self.not(condition);
        if then == Self::TRUE || then == condition {
            self.or2(condition, otherwise)
        } else if then == Self::FALSE || then == not_condition {
            self.and2(not_condition, otherwise)
        } else if otherwise == Self::TRUE || otherwise == not_condition {
            self.or2(not_condition, then)
        } else if otherwise == Self::FALSE || otherwise == condition {
            self.and2(condition, then)
        } else if self.not(then) == otherwise {
            self.iff(condition, then)
        } else {
            self.intern(Op::Ite, Self::BOOL, &[condition, then, otherwise])
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a) == self.sort(b), "equality between sorts");
        if a == b {
            return Self::TRUE;
        }
        match self.sort(a) {
            Self::BOOL => self.iff(a, b),
            Self::INT | Self::REAL => self.arith_eq(a, b),
            sort if self.is_data(sort) => self.data_eq(a, b),
            _ => {
                let (a, b) = (a.min(b), a.max(b));
                self.intern(Op::Eq, Self::BOOL, &[a, b])
            }
        }
    }

    pub fn distinct(&mut self, args: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                let same = self.eq(a, b);
                parts.push(self.not(same));
            }
        }
        self.and(&parts)
    }

    /// `bound` are constants that occur nowhere outside this body.
    pub fn forall(&mut self, bound: &[TermId], body: TermId) -> TermId {
        self.quantifier(Op::Forall, bound, body)
    }

    /// `bound` are constants that occur nowhere outside this body.
    pub fn exists(&mut self, bound: &[TermId], body: TermId) -> TermId {
        self.quantifier(Op::Exists, bound, body)
    }

    fn quantifier(&mut self, op: Op, bound: &[TermId], body: TermId) -> TermId {
        if bound.is_empty() || body == Self::TRUE || body == Self::FALSE {
            return body;
        }
        let mut args = bound.to_vec();
        args.push(body);
        self.intern(op, Self::BOOL, &args)
    }

    /// Builds a node through the constructor of its operator. `sort` matters for numerals and
    /// constant arrays only.
    pub fn rebuild(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        match op {
            Op::True | Op::False | Op::Const(_) | Op::Number(_) => self.intern(op, sort, args),
            Op::App(symbol) => self.app(symbol, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Le => self.le(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::Add => self.add(args),
            Op::Scale => {
                let factor = self.number(args[0]).cloned().unwrap_or_else(|| Rat::from(1));
                self.scale(&factor, args[1])
            }
            Op::Mul => {
                let mut product = args[0];
                for &factor in &args[1..] {
                    product = self.mul(product, factor);
                }
                product
            }
            Op::Div => self.div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::Forall | Op::Exists => self.quantifier(op, &args[..args.len() - 1], args[args.len() - 1]),
        }
    }
}
