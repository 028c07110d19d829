//! Statements per second of a tight integer loop: `while (i < n) { sum = sum ^ i; i = i + 1; }`.

use craig_exec::{Detail, Executable, Limits, ListOracle};
use craig_program::build::{Builder, I32};
use craig_program::{BinaryOp, IntType, Type};
use std::time::Instant;

fn main() {
    for (name, ty, op) in [
        ("int, +", I32, BinaryOp::Sub),
        ("unsigned, +", Type::Int(IntType::unsigned(32)), BinaryOp::Add),
        ("long, ^", Type::Int(IntType::signed(64)), BinaryOp::Xor),
        ("__int128, ^", Type::Int(IntType::signed(128)), BinaryOp::Xor),
    ] {
        let mut b = Builder::new();
        let (i, sum) = (b.local("i", ty), b.local("sum", ty));
        let zero = b.constant(ty, 0);
        b.assign(i, zero);
        b.assign(sum, zero);
        let head = b.at;
        let (vi, vs, n) = (b.var(i), b.var(sum), b.constant(ty, 100_000_000));
        let less = b.binary(BinaryOp::Lt, vi, n);
        let (body, done) = b.branch(less);
        b.at = body;
        let s = if op == BinaryOp::Sub { b.binary(op, vi, vs) } else { b.binary(op, vs, vi) };
        b.assign(sum, s);
        let one = b.constant(ty, 1);
        let next = b.binary(BinaryOp::Add, vi, one);
        b.assign(i, next);
        b.goto(head);
        b.at = done;
        let result = b.program.exprs.cast(I32, vs);
        b.give(result);
        for detail in [Detail::Outcome, Detail::Edges] {
            let executable = Executable::new(&b.program, detail);
            let start = Instant::now();
            let run = executable.run(&mut ListOracle::new(&[]), &Limits::default());
            let seconds = start.elapsed().as_secs_f64();
            let millions = run.steps as f64 / seconds / 1e6;
            println!("{name:12} {detail:?}: {:?}, {} steps, {millions:.0} million/s", run.outcome, run.steps);
        }
    }
}
