//! Programs built by hand, and how their runs must end.

use craig_exec::*;
use craig_program::build::{Builder, I32};
use craig_program::*;

fn run(program: &Program, inputs: &[i128]) -> Run {
    let limits = Limits { steps: 1_000_000, depth: 1000, ..Limits::default() };
    let fast = Executable::new(program, Detail::Outcome).run(&mut ListOracle::new(inputs), &limits);
    let mut path = PathRecorder::default();
    let observed =
        Executable::new(program, Detail::Edges).observe(&mut ListOracle::new(inputs), &limits, &mut path);
    assert_eq!((fast.outcome, fast.steps), (observed.outcome, observed.steps));
    if fast.outcome != Outcome::StepLimit {
        // An assumption that fails is a step, but its edge is not taken; nor is a halting statement complete.
        let steps = fast.steps as usize;
        assert!(path.path.len() == steps || path.path.len() + 1 == steps || path.path.len() == steps + 1);
    }
    fast
}

fn returns(program: &Program, inputs: &[i128], value: i128) {
    assert_eq!(run(program, inputs).outcome, Outcome::Returned(Some(value)));
}

#[test]
fn a_loop_sums() {
    let mut b = Builder::new();
    let (i, n, sum) = (b.local("i", I32), b.local("n", I32), b.local("sum", I32));
    let zero = b.int(0);
    b.input(n);
    b.assign(i, zero);
    b.assign(sum, zero);
    let head = b.at;
    let (vi, vn, vs) = (b.var(i), b.var(n), b.var(sum));
    let less = b.binary(BinaryOp::Lt, vi, vn);
    let (body, done) = b.branch(less);
    b.at = body;
    let s = b.binary(BinaryOp::Add, vs, vi);
    b.assign(sum, s);
    let one = b.int(1);
    let next = b.binary(BinaryOp::Add, vi, one);
    b.assign(i, next);
    b.goto(head);
    b.at = done;
    b.give(vs);
    returns(&b.program, &[10], 45);
    returns(&b.program, &[0], 0);
    let run = run(&b.program, &[100_000]);
    let Outcome::Undefined(Undefined::SignedOverflow, site) = run.outcome else { panic!("{run:?}") };
    assert_eq!(site.span(&b.program).line, 6);
    assert_eq!(run.steps, 3 + 4 * 65536 + 1);
}

#[test]
fn limits_end_a_run() {
    let mut b = Builder::new();
    let head = b.at;
    b.goto(head);
    let run = run(&b.program, &[]);
    assert_eq!(run.outcome, Outcome::StepLimit);
    let budget = craig_base::Budget::unlimited().with_timeout(std::time::Duration::from_millis(20));
    let limits = Limits { budget, ..Limits::default() };
    let run = Executable::new(&b.program, Detail::Outcome).run(&mut ListOracle::new(&[]), &limits);
    assert_eq!(run.outcome, Outcome::Stopped(craig_base::StopReason::Timeout));
}

#[test]
fn recursion_keeps_the_locals_of_each_call() {
    // fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
    let mut b = Builder::new();
    let n = b.local("n", I32);
    let r = b.local("r", I32);
    b.input(n);
    let vn = b.var(n);
    let fib = ProcId(1);
    b.stmt(Stmt::Call { callee: fib, args: vec![vn], result: Some(Place::Var(r)) });
    let vr = b.var(r);
    b.give(vr);
    assert_eq!(b.begin("fib", &["n"]), fib);
    let n = b.program.procs[fib].params[0];
    let (x, y) = (b.local("x", I32), b.local("y", I32));
    let (vn, two, one) = (b.var(n), b.int(2), b.int(1));
    let small = b.binary(BinaryOp::Lt, vn, two);
    let (yes, no) = b.branch(small);
    b.at = yes;
    b.give(vn);
    b.at = no;
    let (n1, n2) = (b.binary(BinaryOp::Sub, vn, one), b.binary(BinaryOp::Sub, vn, two));
    b.stmt(Stmt::Call { callee: fib, args: vec![n1], result: Some(Place::Var(x)) });
    b.stmt(Stmt::Call { callee: fib, args: vec![n2], result: Some(Place::Var(y)) });
    let (vx, vy) = (b.var(x), b.var(y));
    let sum = b.binary(BinaryOp::Add, vx, vy);
    b.give(sum);
    returns(&b.program, &[15], 610);
    let deep = run(&b.program, &[5000]);
    assert!(matches!(deep.outcome, Outcome::DepthLimit(_)), "{deep:?}");
}

#[test]
fn an_error_and_a_failed_assumption_name_their_statement() {
    let mut b = Builder::new();
    let x = b.local("x", I32);
    b.input(x);
    let (vx, five) = (b.var(x), b.int(5));
    let less = b.binary(BinaryOp::Lt, vx, five);
    b.stmt(Stmt::Assume(less));
    let zero = b.int(0);
    let negative = b.binary(BinaryOp::Lt, vx, zero);
    let (yes, no) = b.branch(negative);
    let error = b.program.procs[ProcId(0)].error;
    b.edge(yes, error, Stmt::Skip);
    b.at = no;
    b.give(vx);
    let outcome = |value| run(&b.program, &[value]).outcome;
    let line = |site: Site| site.span(&b.program).line;
    assert!(matches!(outcome(7), Outcome::AssumptionFailed(site) if line(site) == 2));
    assert!(matches!(outcome(-1), Outcome::ReachedError(site) if line(site) == 5));
    assert_eq!(outcome(3), Outcome::Returned(Some(3)));
    assert!(matches!(run(&b.program, &[]).outcome, Outcome::NoInput(site) if line(site) == 1));
}

#[test]
fn several_open_edges_are_an_input() {
    let mut b = Builder::new();
    let x = b.local("x", I32);
    b.input(x);
    let (vx, start, end) = (b.var(x), b.at, b.location());
    for k in 0..3 {
        let bound = b.int(k);
        let condition = b.binary(BinaryOp::Le, bound, vx);
        let to = b.location();
        b.edge(start, to, Stmt::Assume(condition));
        b.at = to;
        let value = b.int(10 * k);
        b.give(value);
    }
    let _ = end;
    returns(&b.program, &[0], 0);
    returns(&b.program, &[2, 2], 20);
    returns(&b.program, &[2, 1], 10);
    returns(&b.program, &[1, 1], 10);
    assert!(matches!(run(&b.program, &[-1]).outcome, Outcome::AssumptionFailed(_)));
    assert!(matches!(run(&b.program, &[2]).outcome, Outcome::NoInput(_)));
}

#[test]
fn a_switch_takes_its_case() {
    for with_default in [true, false] {
        let mut b = Builder::new();
        let x = b.local("x", I32);
        b.input(x);
        let (vx, start) = (b.var(x), b.at);
        let mut default = b.program.exprs.bool(true);
        for k in [3, 5, 8, -2] {
            let constant = b.int(k);
            let condition = b.binary(BinaryOp::Eq, vx, constant);
            let other = b.binary(BinaryOp::Ne, vx, constant);
            default = b.binary(BinaryOp::And, default, other);
            let to = b.location();
            b.edge(start, to, Stmt::Assume(condition));
            b.at = to;
            let value = b.int(10 * k);
            b.give(value);
        }
        if with_default {
            let to = b.location();
            b.edge(start, to, Stmt::Assume(default));
            b.at = to;
            let value = b.int(99);
            b.give(value);
        }
        for k in [3, 5, 8, -2] {
            returns(&b.program, &[k], 10 * k);
        }
        if with_default {
            returns(&b.program, &[4], 99);
        } else {
            assert!(matches!(run(&b.program, &[4]).outcome, Outcome::AssumptionFailed(_)));
        }
    }
}

#[test]
fn a_variable_that_is_never_assigned_is_an_input() {
    let mut b = Builder::new();
    let x = b.local("x", I32);
    let vx = b.var(x);
    b.give(vx);
    let run = run(&b.program, &[42]);
    assert_eq!(run.outcome, Outcome::Returned(Some(42)));
    assert_eq!(run.inputs[0].at.source, Source::Local);
}

#[test]
fn only_the_chosen_arm_is_evaluated() {
    let mut b = Builder::new();
    let x = b.local("x", I32);
    b.input(x);
    let (vx, zero, hundred) = (b.var(x), b.int(0), b.int(100));
    let nonzero = b.binary(BinaryOp::Ne, vx, zero);
    let quotient = b.binary(BinaryOp::Div, hundred, vx);
    let twice = b.binary(BinaryOp::Add, quotient, quotient);
    let chosen = b.program.exprs.ite(nonzero, twice, vx);
    let sum = b.binary(BinaryOp::Add, chosen, vx);
    b.assign(x, sum);
    let vx = b.var(x);
    b.give(vx);
    returns(&b.program, &[0], 0);
    returns(&b.program, &[10], 30);
}

fn heap() -> (Builder, RegionId, VarId, VarId) {
    let mut b = Builder::new();
    let next = b.global("next", Type::Pointer, 0x1000);
    b.program.next_address = Some(next);
    let region = b.region(Cell::Bytes);
    let p = b.local("p", Type::Pointer);
    let x = b.local("x", I32);
    let size = b.constant(Type::Int(IntType::unsigned(64)), 8);
    b.stmt(Stmt::Alloc { var: p, size });
    (b, region, p, x)
}

#[test]
fn memory_remembers_what_it_was_asked_for() {
    let (mut b, region, p, x) = heap();
    let vp = b.var(p);
    let (load, four) = (b.program.exprs.load(region, vp, I32), b.constant(Type::Int(IntType::signed(64)), 4));
    let upper = b.binary(BinaryOp::Add, vp, four);
    let byte = Type::Int(IntType::U8);
    let seven = b.constant(byte, 7);
    b.store(region, upper, byte, seven);
    let high = b.program.exprs.load(region, upper, I32);
    b.assign(x, load);
    let vx = b.var(x);
    let twice = b.binary(BinaryOp::Add, vx, load);
    let all = b.binary(BinaryOp::Add, twice, high);
    b.give(all);
    // One input for the four bytes, then one for each of the three that were not written.
    let run = run(&b.program, &[100, 1, 2, 0]);
    assert_eq!(run.outcome, Outcome::Returned(Some(200 + 7 + 256 + 2 * 65536)));
    assert_eq!(run.inputs[0].at.source, Source::Memory { region, address: 0x1000 });
    assert_eq!(run.inputs[2].at.source, Source::Memory { region, address: 0x1006 });
}

#[test]
fn invalid_accesses_are_found() {
    for case in 0..4 {
        let (mut b, region, p, x) = heap();
        let vp = b.var(p);
        let offset = b.constant(Type::Int(IntType::signed(64)), 5);
        let beyond = b.binary(BinaryOp::Add, vp, offset);
        let one = b.int(1);
        match case {
            0 => b.store(region, beyond, I32, one),
            1 => b.stmt(Stmt::Free(beyond)),
            2 => (0..2).for_each(|_| b.stmt(Stmt::Free(vp))),
            _ => {
                b.stmt(Stmt::Free(vp));
                let load = b.program.exprs.load(region, vp, I32);
                b.assign(x, load);
            }
        }
        let vx = if case == 3 { b.var(x) } else { one };
        b.give(vx);
        let run = run(&b.program, &[77]);
        match (case, run.outcome) {
            (0, Outcome::Undefined(Undefined::InvalidWrite { address: 0x1005 }, _)) => {}
            (1, Outcome::Undefined(Undefined::InvalidFree { address: 0x1005 }, _)) => {}
            (2, Outcome::Undefined(Undefined::InvalidFree { address: 0x1000 }, _)) => {}
            (3, Outcome::Undefined(Undefined::InvalidRead { address: 0x1000 }, _)) => {}
            (_, outcome) => panic!("case {case}: {outcome:?}"),
        }
    }
}

#[test]
fn a_test_replays_its_run() {
    let (mut b, region, p, x) = heap();
    let vp = b.var(p);
    let load = b.program.exprs.load(region, vp, I32);
    b.assign(x, load);
    let y = b.local("y", Type::Float(FloatType::F64));
    b.input(y);
    let vx = b.var(x);
    b.give(vx);
    for seed in 0..20 {
        let executable = Executable::new(&b.program, Detail::Outcome);
        let first = executable.run(&mut RandomOracle::new(&b.program, seed), &Limits::default());
        let test = Test::parse(&first.test(&b.program).to_string()).expect("own output");
        let second = replay(&b.program, &test, &Limits::default());
        assert_eq!((first.outcome, &first.inputs), (second.outcome, &second.inputs));
    }
}

#[test]
fn wide_and_ideal_integers() {
    let mut b = Builder::new();
    let wide = Type::Int(IntType::unsigned(128));
    let w = b.local("w", wide);
    let x = b.local("x", I32);
    b.input(x);
    let vx = b.var(x);
    let widened = b.program.exprs.cast(wide, vx);
    b.assign(w, widened);
    let vw = b.var(w);
    let amount = b.int(100);
    let shifted = b.binary(BinaryOp::Shr, vw, amount);
    let narrow = b.program.exprs.cast(I32, shifted);
    b.give(narrow);
    returns(&b.program, &[-1], (1 << 28) - 1);

    let mut b = Builder::new();
    b.program.arithmetic = Arithmetic::Ideal;
    let x = b.local("x", I32);
    b.input(x);
    let vx = b.var(x);
    let square = b.binary(BinaryOp::Mul, vx, vx);
    let byte = b.program.exprs.cast(Type::Int(IntType::U8), square);
    let back = b.program.exprs.cast(I32, byte);
    b.give(back);
    returns(&b.program, &[1 << 40], 1 << 80);
    let beyond = run(&b.program, &[1 << 70]);
    assert!(matches!(beyond.outcome, Outcome::Undefined(Undefined::BeyondIdealRange, _)));
}

/// `for (x = from; x >= least; x += step) sum += 3;`, with `x` of this type; returns the sum.
fn counting(ty: IntType, from: i128, least: i128, step: i128) -> Program {
    let mut b = Builder::new();
    let ty = Type::Int(ty);
    let words = Type::Int(IntType::unsigned(64));
    let (x, sum) = (b.local("x", ty), b.local("sum", words));
    let start = b.constant(ty, from);
    let zero = b.constant(words, 0);
    b.assign(x, start);
    b.assign(sum, zero);
    let head = b.at;
    let (vx, vs) = (b.var(x), b.var(sum));
    let least = b.constant(ty, least);
    let goes_on = b.binary(BinaryOp::Le, least, vx);
    let (body, done) = b.branch(goes_on);
    b.at = body;
    let three = b.constant(words, 3);
    let more = b.binary(BinaryOp::Add, vs, three);
    b.assign(sum, more);
    let step = b.constant(ty, step);
    let next = b.binary(BinaryOp::Add, vx, step);
    b.assign(x, next);
    b.goto(head);
    b.at = done;
    b.give(vs);
    b.program
}

#[test]
fn long_loops_that_count_take_no_time() {
    let limits = Limits { depth: 1000, ..Limits::default() };
    let run =
        |program: &Program| Executable::new(program, Detail::Outcome).run(&mut ListOracle::new(&[]), &limits);
    // Up to where the words begin again.
    let up = run(&counting(IntType::unsigned(32), 10, 10, 2));
    let rounds = ((1_u64 << 32) - 10) / 2;
    assert_eq!(up.outcome, Outcome::Returned(Some(3 * i128::from(rounds))));
    assert_eq!(up.steps, 2 + 4 * rounds + 2);
    // Down, by adding the largest word.
    let down = run(&counting(IntType::unsigned(32), 3_000_000_000, 5, (1 << 32) - 1));
    assert_eq!(down.outcome, Outcome::Returned(Some(3 * (3_000_000_000 - 4))));
    // Down to the least number but one, and then below it, which is undefined.
    let below = run(&counting(IntType::signed(32), 1 << 30, i128::from(i32::MIN), -7));
    assert!(matches!(below.outcome, Outcome::Undefined(Undefined::SignedOverflow, _)));
    assert_eq!(below.steps, 2 + 4 * ((3 * (1_u64 << 30)) / 7) + 2);
    // Beyond half of the widest words.
    let wide = run(&counting(IntType::unsigned(64), 1 << 62, 5, 1 << 40));
    let rounds = ((1_i128 << 64) - (1 << 62)) >> 40;
    assert_eq!(wide.outcome, Outcome::Returned(Some(3 * rounds)));
}

#[test]
fn leaps_respect_the_limit_of_steps() {
    let limits = Limits { steps: 3_000_000_001, depth: 1000, ..Limits::default() };
    let program = counting(IntType::unsigned(32), 10, 10, 2);
    let run = Executable::new(&program, Detail::Outcome).run(&mut ListOracle::new(&[]), &limits);
    assert_eq!(run.outcome, Outcome::StepLimit);
    assert!((3_000_000_001..3_000_000_100).contains(&run.steps), "{}", run.steps);
}

#[test]
fn leaps_end_where_steps_do() {
    let cases = [
        (IntType::unsigned(32), 0, 0, 4099),
        (IntType::unsigned(32), 77, 70, (1 << 32) - 1000),
        (IntType::signed(32), i128::from(i32::MIN), i128::from(i32::MIN), 4001),
        (IntType::signed(32), 2_000_000_000, -1_999_999_999, -3999),
        (IntType::signed(64), i128::from(i64::MAX), 5, -(1 << 43)),
        (IntType::unsigned(64), 3 << 62, 1 << 60, -(1 << 43)),
    ];
    for (ty, from, least, step) in cases {
        let program = counting(ty, from, least, step);
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        let executable = Executable::new(&program, Detail::Outcome);
        let leaping = executable.run(&mut ListOracle::new(&[]), &limits);
        let stepwise = Limits { stepwise: u64::MAX, ..limits };
        let stepping = executable.run(&mut ListOracle::new(&[]), &stepwise);
        assert_eq!((leaping.outcome, leaping.steps), (stepping.outcome, stepping.steps));
    }
}

#[test]
fn calls_and_short_loops_are_part_of_a_round() {
    // unsigned f(unsigned z) { return z + 2; }
    // for (x = 0; x < 0x0fffffff; x = f(x)) for (y = 0; y < 10; y++) ;
    let mut b = Builder::new();
    let words = Type::Int(IntType::unsigned(32));
    let (x, y) = (b.local("x", words), b.local("y", words));
    let main = b.proc;
    let start = b.at;
    let f = b.begin("f", &["z"]);
    let z = b.program.procs[f].params[0];
    let (vz, two) = (b.var(z), b.int(2));
    let sum = b.binary(BinaryOp::Add, vz, two);
    b.give(sum);
    (b.proc, b.at) = (main, start);
    let [zero, one, ten, many] = [0, 1, 10, 0x0fff_ffff].map(|value| b.constant(words, value));
    b.assign(x, zero);
    let head = b.at;
    let (vx, vy) = (b.var(x), b.var(y));
    let goes_on = b.binary(BinaryOp::Lt, vx, many);
    let (body, done) = b.branch(goes_on);
    b.at = body;
    b.assign(y, zero);
    let inner = b.at;
    let less = b.binary(BinaryOp::Lt, vy, ten);
    let (again, enough) = b.branch(less);
    b.at = again;
    let more = b.binary(BinaryOp::Add, vy, one);
    b.assign(y, more);
    b.goto(inner);
    b.at = enough;
    let signed = b.program.exprs.cast(I32, vx);
    b.stmt(Stmt::Call { callee: f, args: vec![signed], result: Some(Place::Var(x)) });
    b.goto(head);
    b.at = done;
    b.give(vx);
    let run = Executable::new(&b.program, Detail::Outcome).run(&mut ListOracle::new(&[]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(1 << 28)));
}
