//! Inputs: where a run gets the values that the program does not determine.

use crate::outcome::Site;
use craig_base::OrderedSet;
use craig_num::Extended;
use craig_program::{Expr, FloatType, InputSource, IntType, Place, Program, RegionId, Stmt, Type};

/// What an input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An [`InputSource`] statement; the site names it.
    Statement,
    /// An argument of the entry procedure.
    Argument,
    /// A local variable that is read before it is assigned; asked when its procedure is entered.
    Local,
    /// Bytes of an object that were never written. The value is remembered.
    Memory { region: RegionId, address: u64 },
    /// Which of several edges to take.
    Choice { alternatives: u32 },
}

/// A place at which an input is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InputSite {
    pub site: Site,
    pub source: Source,
    /// Not used for a [`Source::Choice`].
    pub ty: Type,
}

impl InputSite {
    pub fn describe(&self, program: &Program) -> String {
        let at = self.site.describe(program);
        match self.source {
            Source::Statement => match &program.procs[self.site.proc].edges[self.site.edge].stmt {
                Stmt::Input(_, InputSource::Call(name)) => format!("{name} at {at}"),
                Stmt::Input(Place::Var(var), InputSource::Uninitialised) => {
                    format!("uninitialised {} at {at}", program.vars[*var].name)
                }
                Stmt::Input(_, InputSource::Uninitialised) => format!("uninitialised at {at}"),
                Stmt::Input(_, InputSource::Unmodelled(what)) => format!("unmodelled {what} at {at}"),
                _ => format!("argument at {at}"),
            },
            Source::Argument => format!("argument of {}", program.procs[self.site.proc].name),
            Source::Local => format!("uninitialised local of {}", program.procs[self.site.proc].name),
            Source::Memory { address, .. } => format!("uninitialised memory {address:#x} at {at}"),
            Source::Choice { alternatives } => format!("choice of {alternatives} at {at}"),
        }
    }
}

/// An input that a run consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    pub at: InputSite,
    /// The mathematical value; for floats and `unsigned __int128` the bit pattern.
    pub value: i128,
}

/// Gives a run its inputs. A value is taken modulo the range of its type.
pub trait InputOracle {
    /// `None` ends the run with [`Outcome::NoInput`](crate::Outcome::NoInput).
    fn next(&mut self, at: &InputSite) -> Option<i128>;
}

impl<F: FnMut(&InputSite) -> Option<i128>> InputOracle for F {
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        self(at)
    }
}

/// The inputs of a test, in order.
#[derive(Clone, Debug)]
pub struct ListOracle<'a> {
    values: std::slice::Iter<'a, i128>,
}

impl<'a> ListOracle<'a> {
    pub fn new(values: &'a [i128]) -> Self {
        ListOracle { values: values.iter() }
    }
}

impl InputOracle for ListOracle<'_> {
    fn next(&mut self, _at: &InputSite) -> Option<i128> {
        self.values.next().copied()
    }
}

/// Random inputs, biased towards the values at which programs change their behaviour: small
/// numbers, the ends of the types, and the neighbours of the program's own constants.
#[derive(Clone, Debug)]
pub struct RandomOracle {
    state: u64,
    constants: Vec<i128>,
    addresses: Vec<i128>,
    /// How many of eight integers are zero, besides those that are so by chance.
    zeros: u64,
    /// The same for small numbers.
    small: u64,
    /// The same for truth values that are true.
    trues: u64,
    /// How many integers are left until all others are zero.
    until_zero: Option<u64>,
    /// The kind of text that integers as wide as characters make up, and the last of them.
    text: Option<(&'static [u8], u8)>,
    /// Memory that was never written may hold addresses of objects.
    strays: bool,
}

/// Kinds of characters, of which texts are made that programs read: numbers, names, spaces, and any.
const ALPHABETS: [&[u8]; 5] = [
    b"0123456789",
    b"abcdefghijklmnopqrstuvwxyz",
    b"0123456789abcdefABCDEFx",
    b" \t\n0a",
    b"0123456789+-*/.,:;=()[]{}<>\"'%&|!?_#@$^~\\ \tabcxyzABCXYZ",
];

impl RandomOracle {
    pub fn new(program: &Program, seed: u64) -> Self {
        let mut constants = OrderedSet::default();
        for proc in &program.procs {
            for edge in &proc.edges {
                let roots: Vec<_> = match &edge.stmt {
                    Stmt::Assume(e) | Stmt::Free(e) | Stmt::Alloc { size: e, .. } => vec![*e],
                    Stmt::Assign(Place::Var(_), e) => vec![*e],
                    Stmt::Assign(Place::Memory { addr, .. }, e) => vec![*addr, *e],
                    Stmt::Call { args, .. } => args.clone(),
                    Stmt::Skip | Stmt::Input(..) => Vec::new(),
                };
                for id in program.exprs.postorder(&roots) {
                    if let Expr::Const(Type::Int(_), value) = program.exprs.get(id) {
                        constants.insert(value);
                    }
                }
            }
        }
        let addresses = program.objects.iter().map(|object| i128::from(object.address)).collect();
        let mut oracle = RandomOracle {
            state: 0,
            constants: constants.into_iter().collect(),
            addresses,
            zeros: 0,
            small: 0,
            trues: 0,
            until_zero: None,
            text: None,
            strays: true,
        };
        oracle.reseed(seed);
        oracle
    }

    /// Begins the sequence of another seed. Much cheaper than a new oracle, which looks at the whole program.
    pub fn reseed(&mut self, seed: u64) {
        self.state = seed ^ 0x9e37_79b9_7f4a_7c15;
    }

    /// From now on this many of eight integers are zero: conditions that are inputs are mostly true otherwise, and
    /// loops that they govern end late.
    pub fn prefer_zero(&mut self, of_eight: u64) {
        self.zeros = of_eight;
    }

    /// From now on so many integers are random, and all others zero, if it is a number: large data that differ from
    /// nothing in a few places.
    pub fn zero_after(&mut self, integers: Option<u64>) {
        self.until_zero = integers;
    }

    /// From now on integers as wide as characters make up a text of one kind, if it is a number: those who read
    /// numbers or names go far only if one fitting character follows the other.
    pub fn write_text(&mut self, kind: Option<u64>) {
        self.text = kind.map(|kind| (ALPHABETS[(kind % ALPHABETS.len() as u64) as usize], 0));
    }

    /// From now on this many of eight integers are small, and most of these positive: loops that they bound end
    /// soon, but not at once.
    pub fn prefer_small(&mut self, of_eight: u64) {
        self.small = of_eight;
    }

    /// From now on this many of eight truth values are true: allocations succeed more often, and what is built of
    /// them grows.
    pub fn prefer_true(&mut self, of_eight: u64) {
        self.trues = of_eight;
    }

    /// From now on memory that was never written holds no addresses of objects: an access by one leads into some
    /// object by chance only, which is undefined.
    pub fn without_strays(&mut self) {
        self.strays = false;
    }

    /// The generator `splitmix64`.
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than the bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound.max(1)
    }

    fn pick(items: &[i128], index: u64) -> i128 {
        if items.is_empty() { 0 } else { items[(index % items.len() as u64) as usize] }
    }

    fn integer(&mut self, ty: IntType) -> i128 {
        if let Some(left) = &mut self.until_zero {
            if *left == 0 {
                return 0;
            }
            *left -= 1;
        }
        if self.zeros > 0 && self.below(8) < self.zeros {
            return 0;
        }
        if ty.bits == 8
            && let Some((alphabet, last)) = self.text
            && self.below(32) > 0
        {
            let again = last != 0 && self.below(3) == 0;
            let index = self.below(alphabet.len() as u64) as usize;
            let character = if again { last } else { alphabet[index] };
            self.text = Some((alphabet, character));
            return character.into();
        }
        if self.small > 0 && self.below(8) < self.small {
            let sign = if ty.signed && self.below(8) == 0 { -1 } else { 1 };
            return sign * ty.wrap(i128::from(self.below(24)));
        }
        let value = match self.below(8) {
            0 => i128::from(self.below(2)),
            1 | 2 => i128::from(self.below(17)) - 8,
            3 => {
                let nearness = i128::from(self.below(2));
                if self.below(2) == 0 {
                    ty.min() + nearness
                } else {
                    (ty.max() as i128).wrapping_sub(nearness)
                }
            }
            4 | 5 => {
                let index = self.next_u64();
                let constant = RandomOracle::pick(&self.constants, index);
                constant.wrapping_add(i128::from(self.below(3)) - 1)
            }
            6 => 1i128 << self.below(u64::from(ty.bits)),
            _ => i128::from(self.next_u64()) << 64 | i128::from(self.next_u64()),
        };
        ty.wrap(value)
    }

    fn float(&mut self, ty: FloatType) -> i128 {
        if self.below(4) == 0 {
            return match ty {
                FloatType::F32 => i128::from(self.next_u64() as u32),
                FloatType::F64 => i128::from(self.next_u64()),
                // Nearly no pattern without the first bit is a number.
                FloatType::F80 => {
                    let high = i128::from(self.next_u64() & 0xffff);
                    high << 64 | i128::from(self.next_u64() | 1 << 63)
                }
            };
        }
        let halves = i128::from(self.below(65)) - 32;
        let value = if self.below(3) == 0 { halves as f64 / 2.0 } else { halves as f64 };
        ty.nearest(value.into()) as i128
    }
}

impl InputOracle for RandomOracle {
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        if let Source::Choice { alternatives } = at.source {
            return Some(i128::from(self.below(u64::from(alternatives))));
        }
        Some(match at.ty {
            Type::Bool if self.trues > 0 && self.below(8) < self.trues => 1,
            Type::Bool => i128::from(self.below(2)),
            Type::Int(ty) => self.integer(ty),
            Type::Pointer if self.below(2) == 0 => 0,
            // What was never written may be an address of nothing as well.
            Type::Pointer => match self.next_u64() {
                bits if matches!(at.source, Source::Memory { .. }) && !self.strays => i128::from(bits >> 3),
                bits if self.addresses.is_empty() || bits % 8 == 0 => i128::from(bits >> 3),
                bits => RandomOracle::pick(&self.addresses, bits),
            },
            Type::Float(ty) => self.float(ty),
        })
    }
}

/// An input value as a person writes it: `-5`, `1.5`, `0x10`.
pub fn show_value(ty: Type, value: i128) -> String {
    match ty {
        Type::Bool => (value != 0).to_string(),
        Type::Int(IntType { bits: 128, signed: false }) => (value as u128).to_string(),
        Type::Int(_) => value.to_string(),
        Type::Pointer => format!("{value:#x}"),
        Type::Float(FloatType::F32) if !f32::from_bits(value as u32).is_nan() => {
            format!("{:?}", f32::from_bits(value as u32))
        }
        Type::Float(FloatType::F64) if !f64::from_bits(value as u64).is_nan() => {
            format!("{:?}", f64::from_bits(value as u64))
        }
        Type::Float(FloatType::F80) if !Extended::from_bits(value as u128).is_nan() => {
            Extended::from_bits(value as u128).to_string()
        }
        Type::Float(_) => format!("{value:#x}"),
    }
}

/// The inverse of [`show_value`].
pub fn parse_value(ty: Type, text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return u128::from_str_radix(digits, 16).ok().map(|value| value as i128);
    }
    match ty {
        Type::Bool => text.parse::<bool>().ok().map(i128::from),
        Type::Int(IntType { bits: 128, signed: false }) => {
            text.parse::<u128>().ok().map(|value| value as i128)
        }
        Type::Int(_) | Type::Pointer => text.parse().ok(),
        Type::Float(FloatType::F32) => text.parse::<f32>().ok().map(|value| i128::from(value.to_bits())),
        Type::Float(FloatType::F64) => text.parse::<f64>().ok().map(|value| i128::from(value.to_bits())),
        Type::Float(FloatType::F80) => Extended::parse(text).map(|value| value.to_bits() as i128),
    }
}
