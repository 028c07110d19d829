//! Programs that compute with floating numbers of all types: from inputs whose bits are given, through operations,
//! conversions, comparisons and functions of the library, to one number that the bits of all results are mixed into.

use crate::rng::Rng;

/// A program that asks `INPUT(k)` for 64 bits, and leaves what it computes in `sum`.
pub struct Computation {
    pub inputs: Vec<u64>,
    body: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Single,
    Double,
    Long,
}

const KINDS: [Kind; 3] = [Kind::Single, Kind::Double, Kind::Long];

impl Kind {
    fn name(self) -> &'static str {
        ["float", "double", "long double"][self as usize]
    }

    /// After names of functions and constants.
    fn suffix(self) -> &'static str {
        ["f", "", "l"][self as usize]
    }

    fn width(self) -> u32 {
        [32, 64, 80][self as usize]
    }

    /// Bits of the significand, with the first one.
    fn digits(self) -> u32 {
        [24, 53, 64][self as usize]
    }
}

const PRELUDE: &str = "\
typedef unsigned long long u64;
union w32 { unsigned b; float f; };
union w64 { u64 b; double f; };
union w80 { struct { u64 low; unsigned short high; } b; long double f; };
static float of32(u64 low, u64 high) { union w32 u; u.b = (unsigned)low; return u.f; }
static double of64(u64 low, u64 high) { union w64 u; u.b = low; return u.f; }
static long double of80(u64 low, u64 high) {
    union w80 u;
    u.b.low = low;
    u.b.high = (unsigned short)high;
    return u.f;
}
static u64 mixed(u64 sum, u64 bits) { return (sum << 9 | sum >> 55) ^ bits; }
static u64 mix32(u64 sum, float x) { union w32 u; u.f = x; return mixed(sum, x != x ? 1 : u.b); }
static u64 mix64(u64 sum, double x) { union w64 u; u.f = x; return mixed(sum, x != x ? 1 : u.b); }
static u64 mix80(u64 sum, long double x) {
    union w80 u;
    u.f = x;
    return x != x ? mixed(sum, 1) : mixed(mixed(sum, u.b.low), u.b.high);
}
float sqrtf(float); double sqrt(double); long double sqrtl(long double);
float fabsf(float); double fabs(double); long double fabsl(long double);
float floorf(float); double floor(double); long double floorl(long double);
float ceilf(float); double ceil(double); long double ceill(long double);
float truncf(float); double trunc(double); long double truncl(long double);
float roundf(float); double round(double); long double roundl(long double);
float rintf(float); double rint(double); long double rintl(long double);
float fminf(float, float); double fmin(double, double); long double fminl(long double, long double);
float fmaxf(float, float); double fmax(double, double); long double fmaxl(long double, long double);
float nextafterf(float, float); double nextafter(double, double); long double nextafterl(long double, long double);
";

/// In front of a question, with the beginning of `main`.
const DECLARATIONS: &str = "\
u64 __VERIFIER_nondet_ulonglong(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
int main(void) {
    u64 sum = 0;
";

impl Computation {
    pub fn numbered(seed: u64) -> Computation {
        let mut generator =
            Generator { rng: Rng::new(seed), kinds: Vec::new(), inputs: Vec::new(), body: String::new() };
        generator.declare();
        for _ in 0..3 + generator.rng.below(5) {
            generator.statement();
        }
        generator.mix();
        Computation { inputs: generator.inputs, body: generator.body }
    }

    /// For a compiler: what is computed is printed.
    pub fn native(&self) -> String {
        let inputs: Vec<String> = self.inputs.iter().map(|input| format!("{input}ull")).collect();
        format!(
            "int printf(const char *, ...);\n{PRELUDE}static volatile u64 inputs[] = {{ {} }};\n#define INPUT(k) inputs[k]\nint main(void) {{\n    u64 sum = 0;\n{}    printf(\"%llu\\n\", sum);\n    return 0;\n}}\n",
            inputs.join(", "),
            self.body
        )
    }

    /// For a verifier: that the sum is another one is the error.
    pub fn question(&self, expected: u64) -> String {
        let mut text = DECLARATIONS.to_string();
        let mut body = self.body.clone();
        for (k, input) in self.inputs.iter().enumerate() {
            body = body.replace(&format!("INPUT({k})"), &format!("input{k}"));
            text += &format!(
                "    u64 input{k} = __VERIFIER_nondet_ulonglong();\n    __VERIFIER_assume(input{k} == {input}ull);\n"
            );
        }
        format!(
            "{PRELUDE}{text}{body}    if (sum != {expected}ull)\n        __VERIFIER_error();\n    return 0;\n}}\n",
        )
    }
}

struct Generator {
    rng: Rng,
    /// Of the variables `v0`, `v1` and so on.
    kinds: Vec<Kind>,
    inputs: Vec<u64>,
    body: String,
}

impl Generator {
    fn declare(&mut self) {
        for i in 0..4 {
            let kind = *self.rng.pick(&KINDS);
            self.kinds.push(kind);
            let bits = self.number(kind);
            let at = self.inputs.len();
            self.inputs.push(bits as u64);
            let high = match kind {
                Kind::Long => {
                    self.inputs.push((bits >> 64) as u64);
                    format!("INPUT({})", at + 1)
                }
                _ => "0".to_string(),
            };
            self.body += &format!("    {} v{i} = of{}(INPUT({at}), {high});\n", kind.name(), kind.width());
        }
    }

    /// The pattern of a number of any kind, most of them of a size that others have too. To signaling NaNs, and to patterns of 80
    /// bits that are no number, C gives no meaning (C11 F.2.1), and `fmin` of them differs between libraries.
    fn number(&mut self, kind: Kind) -> u128 {
        let (digits, width) = (kind.digits(), kind.width());
        let hidden = u32::from(kind != Kind::Long);
        let exponent_bits = width - 1 - (digits - hidden);
        let (bias, special) = ((1u64 << (exponent_bits - 1)) - 1, (1u64 << exponent_bits) - 1);
        let exponent = match self.rng.below(12) {
            0 => 0,
            1 => special,
            2 => special - 1,
            3 => self.rng.next_u64() & special,
            4 | 5 => bias,
            _ => bias - 70 + self.rng.below(140) as u64,
        };
        let fraction = match self.rng.below(5) {
            0 => 0,
            1 => u64::MAX,
            2 => u64::MAX << self.rng.below(64),
            _ => self.rng.next_u64(),
        };
        let mut significand = fraction & (u64::MAX >> (64 - (digits - 1)));
        if exponent == special && significand != 0 {
            significand |= 1 << (digits - 2);
        }
        if hidden == 0 {
            significand |= u64::from(exponent > 0) << 63;
        }
        let sign = u128::from(self.rng.next_u64() & 1);
        sign << (width - 1) | u128::from(exponent) << (digits - hidden) | u128::from(significand)
    }

    fn variable(&mut self) -> usize {
        self.rng.below(self.kinds.len())
    }

    fn statement(&mut self) {
        let target = self.variable();
        let kind = self.kinds[target];
        let value = self.value(kind, 2);
        let line = match self.rng.below(6) {
            0 => {
                let (a, b) = (self.variable(), self.variable());
                let op = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("    if (v{a} {op} v{b})\n        v{target} = {value};\n")
            }
            1 => {
                let rounds = 2 + self.rng.below(3);
                format!("    for (int i = 0; i < {rounds}; i++)\n        v{target} = {value};\n")
            }
            _ => format!("    v{target} = {value};\n"),
        };
        self.body += &line;
    }

    /// An expression; its type is whatever C gives it.
    fn value(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.below(5) {
                0 => self.constant(),
                _ => format!("v{}", self.variable()),
            };
        }
        match self.rng.below(14) {
            0 => self.value(kind, 0),
            1 => format!("(-{})", self.value(kind, depth - 1)),
            2 => {
                let of = *self.rng.pick(&["", "f", "l"]);
                let name = *self.rng.pick(&["fabs", "floor", "ceil", "trunc", "round", "rint"]);
                format!("{name}{of}({})", self.value(kind, depth - 1))
            }
            3 => {
                let of = *self.rng.pick(&["", "f", "l"]);
                let name = *self.rng.pick(&["fmin", "fmax", "nextafter"]);
                format!("{name}{of}({}, {})", self.value(kind, depth - 1), self.value(kind, depth - 1))
            }
            4 if depth == 2 && self.rng.chance(30) => {
                format!("sqrt{}({})", kind.suffix(), self.value(kind, 0))
            }
            5 => {
                let to = self.rng.pick(&KINDS).name();
                format!("(({to}){})", self.value(kind, depth - 1))
            }
            6 => {
                // Through an integer that has room for it.
                let (ty, most) = *self.rng.pick(&[
                    ("int", "2147483647.0"),
                    ("unsigned char", "255.0"),
                    ("long long", "9.2e18"),
                    ("u64", "1.8e19"),
                    ("short", "32767.0"),
                ]);
                let v = self.variable();
                format!("((double)(v{v} > -0.5 && v{v} < {most} ? ({ty})v{v} : ({ty})1))")
            }
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "/", "+", "*"]);
                format!("({} {op} {})", self.value(kind, depth - 1), self.value(kind, depth - 1))
            }
        }
    }

    fn constant(&mut self) -> String {
        let suffix = *self.rng.pick(&["", "f", "l"]);
        let text = *self.rng.pick(&[
            "0.1",
            "1.0",
            "2.0",
            "0.5",
            "3.0",
            "1e10",
            "7.25e-3",
            "0x1.8p-2",
            "1e-30",
            "16777217.0",
        ]);
        format!("{text}{suffix}")
    }

    fn mix(&mut self) {
        for (i, kind) in self.kinds.iter().enumerate() {
            self.body += &format!("    sum = mix{}(sum, v{i});\n", kind.width());
        }
    }
}
