//! Statements.

use super::types::{Lvalue, Object, Shape};
use super::{Function, Generator};

fn is_integer(shape: &Shape) -> bool {
    matches!(shape, Shape::Integer(_))
}

impl Generator {
    /// Some statements in a row, which may nest this deep.
    pub fn statements(&mut self, depth: usize) {
        for _ in 0..2 + self.rng.below(4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        self.scopes.push(Vec::new());
        if self.rng.chance(30) {
            self.declare(false);
        }
        self.statements(depth);
        self.scopes.pop();
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.below(if depth == 0 { 12 } else { 22 }) {
            0 | 1 => self.declare(false),
            2 => self.pointer(),
            3..=6 => self.assignment(),
            7 => self.call_statement(),
            8 => {
                let value = self.expr(3);
                self.line(format!("mix({value});"));
            }
            9 => self.aggregate_statement(),
            10 if self.loops > 0 => {
                let (condition, word) = (self.expr(2), *self.rng.pick(&["break", "continue"]));
                self.line(format!("if ({condition}) {word};"));
            }
            10 | 11 if self.features.floats => self.float_assignment(),
            10 | 11 => self.assignment(),
            12..=14 => {
                let condition = self.expr(3);
                self.line(format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.rng.chance(50) {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            15..=17 => self.loop_statement(depth),
            18 | 19 => self.switch(depth),
            20 => self.goto(depth),
            _ => self.recursion(),
        }
    }

    fn writable(&mut self, wanted: fn(&Shape) -> bool) -> Option<Lvalue> {
        let candidates: Vec<Lvalue> =
            self.lvalues(wanted).into_iter().filter(|lvalue| !lvalue.constant).collect();
        if candidates.is_empty() { None } else { Some(self.rng.pick(&candidates).clone()) }
    }

    fn assignment(&mut self) {
        let Some(target) = self.writable(is_integer) else { return self.declare(false) };
        let text = target.text;
        let line = match self.rng.below(12) {
            0..=4 => format!("{text} = {};", self.expr(4)),
            5 => format!("{text}++;"),
            6 => format!("--{text};"),
            7 | 8 => {
                let op = *self.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                format!("{text} {op} {};", self.expr(3))
            }
            9 => {
                let op = *self.rng.pick(&["/=", "%="]);
                let divisor = self.divisor(1);
                format!("{text} {op} {divisor};")
            }
            10 => {
                let amount = self.expr(1);
                let op = *self.rng.pick(&["<<=", ">>="]);
                format!("{text} {op} ({amount} & 7);")
            }
            _ => {
                // The value of an assignment is the converted one.
                let value = self.expr(2);
                format!("mix({text} = {value});")
            }
        };
        self.line(line);
    }

    fn float_assignment(&mut self) {
        let Some(target) = self.writable(|shape| matches!(shape, Shape::Float | Shape::Double)) else {
            return self.assignment();
        };
        let value = self.float_expr(2);
        self.line(format!("{} = {value};", target.text));
    }

    /// A pointer to something that lives at least as long as the current block.
    fn pointer(&mut self) {
        let aggregate = self.rng.chance(35);
        let wanted: fn(&Shape) -> bool =
            if aggregate { |shape| matches!(shape, Shape::Aggregate(_)) } else { is_integer };
        let targets: Vec<Lvalue> = self
            .lvalues(wanted)
            .into_iter()
            .filter(|lvalue| lvalue.addressable && !lvalue.constant)
            .collect();
        // The address of a member of a packed structure need not be aligned.
        if targets.is_empty() {
            return self.assignment();
        }
        let target = self.rng.pick(&targets).clone();
        let name = self.fresh("q");
        let shape = match target.shape {
            Shape::Aggregate(index) => Shape::AggregatePointer(index),
            Shape::Integer(integer) => Shape::Pointer(integer),
            _ => return,
        };
        let declarator = self.declarator(&shape, &name);
        self.line(format!("{declarator} = &{};", target.text));
        let scope = self.scopes.last_mut().expect("there is always a scope");
        scope.push(Object { name, shape, constant: false });
    }

    fn aggregate_statement(&mut self) {
        let aggregates = self.lvalues(|shape| matches!(shape, Shape::Aggregate(_)));
        let mut pairs = Vec::new();
        for a in &aggregates {
            for b in &aggregates {
                if a.shape == b.shape && !a.constant && a.text != b.text {
                    pairs.push((a.clone(), b.clone()));
                }
            }
        }
        if pairs.is_empty() {
            return self.assignment();
        }
        let (to, from) = self.rng.pick(&pairs).clone();
        let line = match self.rng.below(4) {
            // Assignment through pointers that overlap is undefined only if the overlap is inexact.
            0 => format!("memset(&{}, {}, sizeof({}));", to.text, self.rng.below(256), to.text),
            _ => format!("{} = {};", to.text, from.text),
        };
        // A `_Bool` or an enumeration with a strange byte has no determined value.
        if line.starts_with("memset") && self.has_bool(&to.shape) {
            self.line(format!("memset(&{}, 0, sizeof({}));", to.text, to.text));
        } else {
            self.line(line);
        }
    }

    fn has_bool(&self, shape: &Shape) -> bool {
        let mut stack = vec![shape.clone()];
        while let Some(shape) = stack.pop() {
            match shape {
                Shape::Integer(integer) | Shape::Array(integer, _) if integer.name == "_Bool" => return true,
                Shape::Float | Shape::Double => return true,
                Shape::Aggregate(index) => {
                    stack.extend(self.aggregates[index].members.iter().map(|member| member.shape.clone()));
                }
                _ => {}
            }
        }
        false
    }

    pub fn call_statement(&mut self) {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let function = self.rng.pick(&self.functions.clone()).clone();
        self.call_of(&function);
    }

    pub fn call_of(&mut self, function: &Function) {
        let mut args = Vec::new();
        for shape in &function.params {
            let arg = match shape {
                Shape::Integer(_) => self.expr(2),
                Shape::Double => self.float_expr(2),
                Shape::Aggregate(index) => {
                    let index = *index;
                    let candidates: Vec<Lvalue> = self
                        .lvalues(|shape| matches!(shape, Shape::Aggregate(_)))
                        .into_iter()
                        .filter(|lvalue| lvalue.shape == Shape::Aggregate(index))
                        .collect();
                    if candidates.is_empty() {
                        format!("({}){{0}}", self.aggregate_type(index))
                    } else {
                        self.rng.pick(&candidates).text.clone()
                    }
                }
                Shape::AggregatePointer(index) => {
                    let index = *index;
                    let candidates: Vec<Lvalue> = self
                        .lvalues(|shape| matches!(shape, Shape::Aggregate(_)))
                        .into_iter()
                        .filter(|l| l.shape == Shape::Aggregate(index) && l.addressable && !l.constant)
                        .collect();
                    if candidates.is_empty() {
                        format!("&({}){{0}}", self.aggregate_type(index))
                    } else {
                        format!("&{}", self.rng.pick(&candidates).text)
                    }
                }
                Shape::Pointer(integer) => {
                    let integer = *integer;
                    let candidates: Vec<Lvalue> = self
                        .lvalues(is_integer)
                        .into_iter()
                        .filter(|l| l.shape == Shape::Integer(integer) && l.addressable && !l.constant)
                        .collect();
                    if candidates.is_empty() {
                        format!("&({}){{3}}", integer.name)
                    } else {
                        format!("&{}", self.rng.pick(&candidates).text)
                    }
                }
                _ => "0".to_string(),
            };
            args.push(arg);
        }
        let call = format!("{}({})", function.name, args.join(", "));
        match self.rng.below(4) {
            0 => {
                let condition = self.expr(1);
                self.line(format!("if ({condition} && {call}) fuel--;"));
            }
            1 => {
                let name = self.fresh("h");
                let params: Vec<String> =
                    function.params.iter().map(|shape| self.declarator(shape, "")).collect();
                let list = if params.is_empty() { "void".to_string() } else { params.join(", ") };
                self.line(format!("{} (*{name})({list}) = {};", function.result.name, function.name));
                self.line(format!("mix({name}({}));", args.join(", ")));
            }
            2 => match self.writable(|shape| matches!(shape, Shape::Integer(_))) {
                // The target is evaluated before or after the call, so it must not depend on it.
                Some(target) if !target.text.contains(['[', '*', '&']) => {
                    self.line(format!("{} = {call};", target.text));
                }
                _ => self.line(format!("mix({call});")),
            },
            _ => self.line(format!("mix({call});")),
        }
    }

    fn loop_statement(&mut self, depth: usize) {
        let counter = self.fresh("i");
        let bound = 1 + self.rng.below(6);
        self.loops += 1;
        let head =
            Object { name: counter.clone(), shape: Shape::Integer(super::INTEGERS[6]), constant: true };
        match self.rng.below(3) {
            0 => {
                self.line(format!(
                    "for (int {counter} = 0; {counter} < {bound} && --fuel > 0; {counter}++) {{"
                ));
                self.scopes.push(vec![head]);
                self.block(depth - 1);
                self.scopes.pop();
                self.line("}");
            }
            1 => {
                let condition = self.expr(2);
                self.line(format!("int {counter} = {bound};"));
                self.line(format!("while ({counter}-- > 0 && --fuel > 0 && {condition}) {{"));
                self.block(depth - 1);
                self.line("}");
            }
            _ => {
                let condition = self.expr(1);
                self.line(format!("int {counter} = 0;"));
                self.line("do {");
                self.block(depth - 1);
                self.line(format!("}} while (++{counter} < {bound} && --fuel > 0 && {condition});"));
            }
        }
        self.loops -= 1;
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expr(2);
        self.line(format!("switch ({value} & 7) {{"));
        let cases = 1 + self.rng.below(4);
        let default_at = self.rng.below(cases + 2);
        for case in 0..cases {
            if case == default_at {
                self.line("default:");
            }
            if self.rng.chance(20) {
                self.line(format!("case {} ... {}:", 2 * case, 2 * case + 1));
            } else {
                self.line(format!("case {}:", 2 * case));
            }
            self.line("{");
            self.block(depth - 1);
            self.line("}");
            if self.rng.chance(65) {
                self.line("break;");
            } else {
                self.line(";");
            }
        }
        self.line("}");
    }

    /// Forward out of nested statements, or backward a bounded number of times.
    fn goto(&mut self, depth: usize) {
        let label = self.fresh("l");
        let condition = self.expr(2);
        if self.rng.chance(50) {
            self.line("{");
            self.line(format!("if ({condition}) goto {label};"));
            self.block(depth - 1);
            self.line(format!("}} {label}:;"));
        } else {
            self.line(format!("{label}:;"));
            self.line("{");
            self.block(depth - 1);
            self.line(format!("}} if (--fuel > 0 && {condition}) goto {label};"));
        }
    }

    /// A call of the current function by itself.
    fn recursion(&mut self) {
        let Some(function) = self.current.clone() else { return self.assignment() };
        if self.loops > 0 || function.params.iter().any(|shape| !is_integer(shape)) {
            return self.assignment();
        }
        let args: Vec<String> = function.params.iter().map(|_| self.expr(2)).collect();
        self.line(format!("if ((fuel -= 50) > 0) mix({}({}));", function.name, args.join(", ")));
    }

    /// Adds all scalars of an object to the checksum.
    pub fn mix_object(&mut self, object: &Object) {
        self.mix_parts(&object.name.clone(), &object.shape.clone());
    }

    fn mix_parts(&mut self, text: &str, shape: &Shape) {
        match shape {
            Shape::Integer(_) | Shape::Enum => self.line(format!("mix({text});")),
            Shape::Float | Shape::Double => self.line(format!("mix(to_int({text}));")),
            Shape::Array(integer, n) => {
                for i in 0..*n {
                    self.mix_parts(&format!("{text}[{i}]"), &Shape::Integer(*integer));
                }
            }
            Shape::Text(n) => {
                for i in 0..*n {
                    self.line(format!("mix({text}[{i}]);"));
                }
            }
            Shape::Matrix(integer, n, m) => {
                for i in 0..*n {
                    self.mix_parts(&format!("{text}[{i}]"), &Shape::Array(*integer, *m));
                }
            }
            Shape::Aggregate(index) => {
                for member in self.aggregates[*index].members.clone() {
                    self.mix_parts(&format!("{text}.{}", member.name), &member.shape);
                }
            }
            Shape::AggregateArray(index, n) => {
                for i in 0..*n {
                    self.mix_parts(&format!("{text}[{i}]"), &Shape::Aggregate(*index));
                }
            }
            Shape::Pointer(_) => self.line(format!("mix(*{text});")),
            Shape::AggregatePointer(index) => {
                self.mix_parts(&format!("(*{text})"), &Shape::Aggregate(*index))
            }
        }
    }
}
