//! Expressions without side effects and without undefined behaviour.

use super::Generator;
use super::types::{Lvalue, Object, Shape};

impl Generator {
    /// An integer constant, often one at which types end.
    pub fn constant(&mut self) -> String {
        let text = match self.rng.below(10) {
            0..=3 => format!("{}", self.rng.below(20) as i64 - 5),
            4 => format!("{:#x}", self.rng.next_u64() >> self.rng.below(64)),
            5 => format!("{}u", self.rng.next_u64() as u32),
            6 => format!("{}LL", (self.rng.next_u64() >> (1 + self.rng.below(62))) as i64),
            7 => self
                .rng
                .pick(&[
                    "127",
                    "-128",
                    "255",
                    "256",
                    "32767",
                    "-32768",
                    "65535",
                    "2147483647",
                    "(-2147483647 - 1)",
                ])
                .to_string(),
            8 => self
                .rng
                .pick(&[
                    "4294967295u",
                    "0xffffffffffffffffULL",
                    "9223372036854775807LL",
                    "(-9223372036854775807LL - 1)",
                ])
                .to_string(),
            _ => format!("'{}'", (b'a' + self.rng.below(26) as u8) as char),
        };
        if text.starts_with('-') { format!("({text})") } else { text }
    }

    /// An integer expression, nested at most this deep.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(22) {
            0..=5 => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            6 => {
                let op = *self.rng.pick(&["/", "%"]);
                let divisor = self.divisor(d);
                format!("({} {op} {divisor})", self.expr(d))
            }
            7 | 8 => self.shift(d),
            9..=11 => {
                let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            12 => format!("({} && {})", self.expr(d), self.expr(d)),
            13 => format!("({} || {})", self.expr(d), self.expr(d)),
            14 => format!("({} ? {} : {})", self.expr(d), self.expr(d), self.expr(d)),
            15 => {
                let op = *self.rng.pick(&["-", "~", "!", "+"]);
                format!("({op}{})", self.expr(d))
            }
            16..=18 => format!("(({}){})", self.integer().name, self.expr(d)),
            19 if self.features.floats => format!("to_int({})", self.float_expr(d)),
            20 if self.features.floats => {
                let op = *self.rng.pick(&["==", "<", "<=", ">", ">=", "!="]);
                format!("({} {op} {})", self.float_expr(d), self.float_expr(d))
            }
            _ => self.leaf(),
        }
    }

    /// Neither 0 nor -1.
    pub fn divisor(&mut self, depth: usize) -> String {
        let value = self.expr(depth.min(1));
        match self.rng.below(4) {
            0 => format!("((unsigned){value} | 1u)"),
            1 => format!("(-(int)(({value} & 15) + 2))"),
            2 => format!("((unsigned long long){value} | 1u)"),
            _ => format!("(({value} & 63) + 2)"),
        }
    }

    fn shift(&mut self, depth: usize) -> String {
        let integer = self.integer();
        let (value, amount) = (self.expr(depth), self.expr(depth.min(1)));
        let op = *self.rng.pick(&["<<", ">>"]);
        format!("(({}){value} {op} ({amount} & {}))", integer.name, integer.shift_mask)
    }

    pub fn float_expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.chance(30) {
            let floats: Vec<Lvalue> = self.lvalues(|shape| matches!(shape, Shape::Float | Shape::Double));
            if !floats.is_empty() && self.rng.chance(60) {
                return self.rng.pick(&floats).text.clone();
            }
            return format!("{}.25", self.rng.below(1000));
        }
        let d = depth - 1;
        match self.rng.below(6) {
            0 => format!("((double){})", self.expr(d)),
            1 => format!("((float){})", self.expr(d)),
            2 => format!("(-{})", self.float_expr(d)),
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.float_expr(d), self.float_expr(d))
            }
        }
    }

    fn leaf(&mut self) -> String {
        if self.rng.chance(25) {
            return self.constant();
        }
        let candidates = self.lvalues(|shape| matches!(shape, Shape::Integer(_) | Shape::Enum));
        match self.rng.below(40) {
            0 => "sizeof(long)".to_string(),
            1 if !self.aggregates.is_empty() => {
                let index = self.rng.below(self.aggregates.len());
                format!("sizeof({})", self.aggregate_type(index))
            }
            2 => {
                let texts = self.lvalues(|shape| matches!(shape, Shape::Text(_)));
                if texts.is_empty() {
                    self.constant()
                } else {
                    format!("strlen({})", self.rng.pick(&texts).text)
                }
            }
            _ if candidates.is_empty() => self.constant(),
            _ => self.rng.pick(&candidates).text.clone(),
        }
    }

    /// One random way to each visible object of a wanted shape.
    pub fn lvalues(&mut self, wanted: fn(&Shape) -> bool) -> Vec<Lvalue> {
        let objects: Vec<Object> = self.scopes.concat();
        let mut found = Vec::new();
        for object in objects {
            let lvalue = Lvalue {
                text: object.name.clone(),
                shape: object.shape.clone(),
                addressable: true,
                constant: object.constant,
            };
            self.paths(lvalue, wanted, &mut found);
        }
        found
    }

    fn index(&mut self, n: usize) -> String {
        if self.rng.chance(60) {
            return self.rng.below(n).to_string();
        }
        let scalars: Vec<String> = self
            .scopes
            .concat()
            .into_iter()
            .filter(|object| matches!(object.shape, Shape::Integer(_)))
            .map(|object| object.name)
            .collect();
        if scalars.is_empty() { "0".to_string() } else { format!("{} & {}", self.rng.pick(&scalars), n - 1) }
    }

    fn paths(&mut self, from: Lvalue, wanted: fn(&Shape) -> bool, found: &mut Vec<Lvalue>) {
        let step = |text: String, shape: Shape, addressable: bool| Lvalue {
            text,
            shape,
            addressable,
            constant: from.constant,
        };
        match from.shape.clone() {
            shape if wanted(&shape) => found.push(from),
            Shape::Array(integer, n) => {
                let index = self.index(n);
                let text = if self.rng.chance(20) {
                    format!("*({} + ({index}))", from.text)
                } else {
                    format!("{}[{index}]", from.text)
                };
                self.paths(step(format!("({text})"), Shape::Integer(integer), true), wanted, found);
            }
            Shape::Matrix(integer, n, m) => {
                let (i, j) = (self.index(n), self.index(m));
                let text = format!("{}[{i}][{j}]", from.text);
                self.paths(step(text, Shape::Integer(integer), true), wanted, found);
            }
            Shape::Aggregate(index) => {
                let members = self.aggregates[index].members.clone();
                let member = self.rng.pick(&members).clone();
                let text = format!("{}.{}", from.text, member.name);
                let addressable = from.addressable && member.bits.is_none();
                self.paths(step(text, member.shape, addressable), wanted, found);
            }
            Shape::AggregateArray(index, n) => {
                let i = self.index(n);
                let text = format!("{}[{i}]", from.text);
                self.paths(step(text, Shape::Aggregate(index), true), wanted, found);
            }
            Shape::Pointer(integer) => {
                let text = format!("(*{})", from.text);
                self.paths(step(text, Shape::Integer(integer), true), wanted, found);
            }
            Shape::AggregatePointer(index) => {
                let text = format!("(*{})", from.text);
                self.paths(step(text, Shape::Aggregate(index), true), wanted, found);
            }
            _ => {}
        }
    }
}
