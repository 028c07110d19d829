//! Every operation of C on integers, on values at which it could go wrong: what is executed must be possible for the
//! checker.

use craig_cfront::{load_texts, lower, types::DataModel};
use craig_difftest::meaning;
use craig_exec::Limits;
use craig_program::Arithmetic;

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
