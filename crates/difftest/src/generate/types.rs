//! Types, objects, and what can be read and written of them.

use super::Generator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    pub name: &'static str,
    /// The least width after promotion, in any data model.
    pub shift_mask: u32,
    pub signed: bool,
}

const fn integer(name: &'static str, shift_mask: u32, signed: bool) -> Integer {
    Integer { name, shift_mask, signed }
}

pub const INTEGERS: [Integer; 13] = [
    integer("_Bool", 31, false),
    integer("char", 31, true),
    integer("signed char", 31, true),
    integer("unsigned char", 31, false),
    integer("short", 31, true),
    integer("unsigned short", 31, false),
    integer("int", 31, true),
    integer("int", 31, true),
    integer("unsigned", 31, false),
    integer("long", 31, true),
    integer("unsigned long", 31, false),
    integer("long long", 63, true),
    integer("unsigned long long", 63, false),
];

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Integer(Integer),
    Enum,
    Float,
    Double,
    /// The length is a power of two.
    Array(Integer, usize),
    Matrix(Integer, usize, usize),
    /// An index into the aggregates.
    Aggregate(usize),
    AggregateArray(usize, usize),
    /// Points to an integer object.
    Pointer(Integer),
    AggregatePointer(usize),
    Text(usize),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub shape: Shape,
    pub constant: bool,
}

/// A structure or a union.
#[derive(Clone, Debug)]
pub struct Aggregate {
    pub name: String,
    pub is_union: bool,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub shape: Shape,
    pub bits: Option<usize>,
}

/// A scalar that can be read or written.
#[derive(Clone, Debug)]
pub struct Lvalue {
    pub text: String,
    pub shape: Shape,
    pub addressable: bool,
    pub constant: bool,
}

impl Generator {
    pub fn param_shape(&mut self) -> Shape {
        match self.rng.below(8) {
            0 if !self.aggregates.is_empty() => Shape::Aggregate(self.rng.below(self.aggregates.len())),
            1 if !self.aggregates.is_empty() => {
                Shape::AggregatePointer(self.rng.below(self.aggregates.len()))
            }
            2 => Shape::Pointer(self.integer()),
            3 if self.features.floats => Shape::Double,
            _ => Shape::Integer(self.integer()),
        }
    }

    fn member_shape(&mut self, in_union: bool) -> Shape {
        let nested = self.aggregates.len();
        match self.rng.below(10) {
            0 | 1 => {
                let length = 1 << self.rng.below(3);
                Shape::Array(self.member_integer(in_union), length)
            }
            2 if nested > 0 && !in_union => Shape::Aggregate(self.rng.below(nested)),
            3 if self.features.floats && !in_union => Shape::Float,
            _ => Shape::Integer(self.member_integer(in_union)),
        }
    }

    /// A `_Bool` that was written as something else has no determined value.
    fn member_integer(&mut self, in_union: bool) -> Integer {
        loop {
            let integer = self.integer();
            if !in_union || integer.name != "_Bool" {
                return integer;
            }
        }
    }

    /// Declares a structure or union type.
    pub fn aggregate(&mut self) {
        let is_union = self.rng.chance(25);
        let name = self.fresh(if is_union { "U" } else { "S" });
        let mut members = Vec::new();
        for _ in 0..2 + self.rng.below(4) {
            let shape = self.member_shape(is_union);
            let name = self.fresh("m");
            let bits = match &shape {
                Shape::Integer(integer) if !is_union && self.rng.chance(35) => {
                    let most = match integer.name {
                        "_Bool" => 1,
                        "char" | "signed char" | "unsigned char" => 8,
                        "short" | "unsigned short" => 16,
                        // Compilers disagree about the arithmetic of bit-fields wider than `int`.
                        _ => 32,
                    };
                    Some(1 + self.rng.below(most))
                }
                _ => None,
            };
            members.push(Member { name, shape, bits });
        }
        self.line(format!("{} {name} {{", if is_union { "union" } else { "struct" }));
        self.indent += 1;
        for member in &members {
            let declarator = self.declarator(&member.shape, &member.name);
            match member.bits {
                Some(bits) => self.line(format!("{declarator} : {bits};")),
                None => self.line(format!("{declarator};")),
            }
            if member.bits.is_some() && self.rng.chance(10) {
                self.line("unsigned : 0;");
            }
        }
        self.indent -= 1;
        let packed = if self.rng.chance(10) { " __attribute__((packed))" } else { "" };
        self.line(format!("}}{packed};"));
        self.aggregates.push(Aggregate { name, is_union, members });
    }

    pub fn aggregate_type(&self, index: usize) -> String {
        let aggregate = &self.aggregates[index];
        format!("{} {}", if aggregate.is_union { "union" } else { "struct" }, aggregate.name)
    }

    pub fn declarator(&self, shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Integer(integer) => format!("{} {name}", integer.name),
            Shape::Enum => format!("enum color {name}"),
            Shape::Float => format!("float {name}"),
            Shape::Double => format!("double {name}"),
            Shape::Array(integer, n) => format!("{} {name}[{n}]", integer.name),
            Shape::Matrix(integer, n, m) => format!("{} {name}[{n}][{m}]", integer.name),
            Shape::Aggregate(index) => format!("{} {name}", self.aggregate_type(*index)),
            Shape::AggregateArray(index, n) => format!("{} {name}[{n}]", self.aggregate_type(*index)),
            Shape::Pointer(integer) => format!("{} *{name}", integer.name),
            Shape::AggregatePointer(index) => format!("{} *{name}", self.aggregate_type(*index)),
            Shape::Text(n) => format!("char {name}[{n}]"),
        }
    }

    /// An initialiser; for globals a constant one.
    pub fn initializer(&mut self, shape: &Shape, global: bool) -> String {
        match shape {
            Shape::Integer(_) => {
                if global {
                    self.constant()
                } else {
                    self.expr(2)
                }
            }
            Shape::Enum => self.rng.pick(&["RED", "GREEN", "BLUE"]).to_string(),
            Shape::Float | Shape::Double => format!("{}.5", self.rng.below(100) as i64 - 50),
            Shape::Array(_, n) => self.list(*n, global),
            Shape::Matrix(_, n, m) => {
                let rows: Vec<String> = (0..*n).map(|_| self.list(*m, global)).collect();
                format!("{{{}}}", rows.join(", "))
            }
            Shape::Aggregate(index) => self.aggregate_initializer(*index, global),
            Shape::AggregateArray(index, n) => {
                let items: Vec<String> =
                    (0..*n).map(|_| self.aggregate_initializer(*index, global)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Shape::Text(n) => {
                let text: String =
                    (0..self.rng.below(*n)).map(|_| (b'a' + self.rng.below(26) as u8) as char).collect();
                format!("\"{text}\"")
            }
            // Pointers are initialised by whoever knows what they may point to.
            Shape::Pointer(_) | Shape::AggregatePointer(_) => "0".to_string(),
        }
    }

    fn list(&mut self, n: usize, global: bool) -> String {
        let given = if self.rng.chance(30) { 1 + self.rng.below(n) } else { n };
        let items: Vec<String> =
            (0..given).map(|_| if global { self.constant() } else { self.expr(1) }).collect();
        if self.rng.chance(15) {
            return format!("{{[{}] = {}}}", self.rng.below(n), items[0]);
        }
        format!("{{{}}}", items.join(", "))
    }

    fn aggregate_initializer(&mut self, index: usize, global: bool) -> String {
        let aggregate = self.aggregates[index].clone();
        if aggregate.is_union {
            // All bytes get a value, so that every member can be read.
            return "{0}".to_string();
        }
        let designated = self.rng.chance(25);
        let mut items = Vec::new();
        for member in &aggregate.members {
            if designated && self.rng.chance(40) {
                continue;
            }
            let value = self.initializer(&member.shape, global);
            items.push(if designated { format!(".{} = {value}", member.name) } else { value });
        }
        if items.is_empty() { "{0}".to_string() } else { format!("{{{}}}", items.join(", ")) }
    }

    /// Declares an object with a value, in the innermost scope.
    pub fn declare(&mut self, global: bool) {
        let shape = self.object_shape();
        let name = self.fresh(if global { "g" } else { "v" });
        let constant = global && self.rng.chance(8);
        let storage = match (global, self.rng.below(4)) {
            (true, 0) => "",
            (true, _) => "static ",
            (false, 0) if self.rng.chance(25) => "static ",
            (false, _) => "",
        };
        // A static local needs a constant initialiser as well.
        let value = self.initializer(&shape, global || storage == "static ");
        let declarator = self.declarator(&shape, &name);
        let qualifier = if constant { "const " } else { "" };
        if global && !constant && self.rng.chance(15) && !matches!(shape, Shape::Pointer(_)) {
            self.line(format!("{storage}{declarator};"));
        } else {
            self.line(format!("{storage}{qualifier}{declarator} = {value};"));
        }
        let scope = self.scopes.last_mut().expect("there is always a scope");
        scope.push(Object { name, shape, constant });
    }

    fn object_shape(&mut self) -> Shape {
        let aggregates = self.aggregates.len();
        match self.rng.below(16) {
            0 | 1 => Shape::Array(self.integer(), 1 << (1 + self.rng.below(3))),
            2 => Shape::Matrix(self.integer(), 1 << self.rng.below(3), 1 << self.rng.below(3)),
            3..=5 if aggregates > 0 => Shape::Aggregate(self.rng.below(aggregates)),
            6 if aggregates > 0 => Shape::AggregateArray(self.rng.below(aggregates), 1 << self.rng.below(3)),
            7 if self.features.floats => self.rng.pick(&[Shape::Double, Shape::Float]).clone(),
            8 => Shape::Enum,
            9 => Shape::Text(8),
            _ => Shape::Integer(self.integer()),
        }
    }
}
