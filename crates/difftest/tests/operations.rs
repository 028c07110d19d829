//! Every operation of C on integers, on values at which it could go wrong: what is executed must be possible for the
//! checker, and what is undefined must be checked.

use craig_cfront::{load_texts, lower, types::DataModel};
use craig_difftest::meaning;
use craig_exec::{Detail, Executable, InputSite, Limits, Outcome};
use craig_program::{Arithmetic, CheckKind, Type, instrument};

const TYPES: [&str; 6] = ["signed char", "unsigned char", "int", "unsigned", "long", "unsigned long"];
const OPERATIONS: [&str; 14] = [
    "a + b",
    "a - b",
    "a * b",
    "b != 0 && b != -1 ? a / b : 0",
    "b != 0 && b != -1 ? a % b : 0",
    "a & b",
    "a | b",
    "a ^ b",
    "a << (b & 7)",
    "a >> (b & 7)",
    "~a & ~b",
    "(a & b) | (a ^ 12)",
    "(unsigned char)(a * b) + (short)a",
    "(a & 60) * (b & 3) - (a | 1) % 7",
];
const VALUES: [i128; 14] =
    [0, 1, -1, 2, 3, 5, 12, 127, -128, 255, 0x7fff_ffff, -0x8000_0000, i64::MAX as i128, i64::MIN as i128];

#[test]
fn the_checker_allows_every_operation() {
    let mut segments = 0;
    for (number, operation) in OPERATIONS.iter().enumerate() {
        for (kind, ty) in TYPES.iter().enumerate() {
            // The operands are there before the segment in which the operation is.
            let text = format!(
                "extern {ty} __VERIFIER_nondet_{kind}(void);
                 int main(void) {{ {ty} a = __VERIFIER_nondet_{kind}(), b = __VERIFIER_nondet_{kind}(); long r = 0;
                   for (int i = 0; i < 2; i++) r = (long)({operation}); return (int)r; }}"
            );
            let options = lower::Options { arithmetic: Arithmetic::Wrap, ..lower::Options::default() };
            let texts = vec![("operation.c".to_string(), text.clone().into_bytes())];
            let program = load_texts(texts, DataModel::Lp64, &options).program.expect("a program");
            for (at, &first) in VALUES.iter().enumerate() {
                let second = VALUES[(5 * at + number + kind) % VALUES.len()];
                let mut values = [first, second].into_iter();
                match meaning::check(&program, &mut |_, _| values.next(), &Limits::default()) {
                    Ok(allowed) => segments += allowed,
                    Err(what) => panic!("{operation} of {ty}, {first} and {second}: {what:.3000}"),
                }
            }
        }
    }
    assert!(segments > 4000, "only {segments} segments were looked at");
}

const DEFAULTS: [CheckKind; 4] =
    [CheckKind::Error, CheckKind::Overflow, CheckKind::Division, CheckKind::Shift];
const UNGUARDED: [&str; 12] = [
    "a + b",
    "a - b",
    "a * b",
    "-a",
    "a / b",
    "a % b",
    "a << b",
    "a >> b",
    "(int)a",
    "(T)d",
    "(T)f",
    "(signed char)d",
];
const WIDE: [i128; 8] = [
    i128::MAX,
    i128::MIN,
    i128::MAX / 2 + 1,
    i128::MIN + 1,
    1 << 64,
    -(1 << 64),
    13_043_817_825_332_782_213, // its square is just beyond 127 bits
    -13_043_817_825_332_782_212,
];
const REALS: [f64; 12] = [
    0.0,
    -0.9,
    127.9,
    -128.5,
    -129.0,
    2147483648.0,
    -2147483649.0,
    9.3e18,
    1.8e38,
    -1.8e38,
    f64::NAN,
    f64::NEG_INFINITY,
];

/// A run that ends at what is undefined is no run to an engine or checker: what comes after it is proved for nothing. So
/// there is a check for whatever ends one, in every treatment of signed overflow.
#[test]
fn whatever_ends_a_run_is_checked() {
    let (mut runs, mut failed) = (0, 0);
    for operation in UNGUARDED {
        for ty in TYPES.iter().chain(&["_Bool", "short", "__int128", "unsigned __int128"]) {
            let text = format!(
                "typedef {ty} T; extern T __VERIFIER_nondet_a(void); extern double __VERIFIER_nondet_d(void);
                 int main(void) {{ T a = __VERIFIER_nondet_a(), b = __VERIFIER_nondet_a(); double d = __VERIFIER_nondet_d();
                   float f = (float)d; __auto_type r = {operation}; return r != 0; }}"
            );
            for arithmetic in [Arithmetic::Wrap, Arithmetic::AssumeNoOverflow] {
                let checks = DEFAULTS.into_iter().collect();
                let options = lower::Options { arithmetic, checks, ..lower::Options::default() };
                let texts = vec![("operation.c".to_string(), text.clone().into_bytes())];
                let mut program = load_texts(texts, DataModel::Lp64, &options).program.expect("a program");
                instrument(&mut program, checks);
                let executable = Executable::new(&program, Detail::Outcome);
                let values: Vec<i128> = VALUES.into_iter().chain(WIDE).collect();
                for (at, &first) in values.iter().enumerate() {
                    for &second in &values {
                        let real = REALS[(at + runs) % REALS.len()];
                        let mut operands = [first, second].into_iter();
                        let mut oracle = |at: &InputSite| match at.ty {
                            Type::Float(_) => Some(i128::from(real.to_bits())),
                            Type::Int(int) => Some(int.wrap(operands.next().unwrap_or(0))),
                            _ => Some(0),
                        };
                        let run = executable.run(&mut oracle, &Limits::default());
                        runs += 1;
                        match run.outcome {
                            Outcome::ReachedError(_) => failed += 1,
                            Outcome::Returned(_) => {}
                            other => panic!(
                                "{operation} of {ty}, {arithmetic:?}, {first}, {second}, {real}: {}",
                                other.describe(&program)
                            ),
                        }
                    }
                }
            }
        }
    }
    assert!(runs > 50_000 && failed > 5_000, "{runs} runs, {failed} of which fail");
}
