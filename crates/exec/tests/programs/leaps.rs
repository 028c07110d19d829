//! Random loops: with many rounds at once, runs end as they do step by step.

use craig_exec::*;
use craig_program::build::Builder;
use craig_program::*;

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

struct Generator {
    b: Builder,
    numbers: Numbers,
    vars: Vec<VarId>,
}

impl Generator {
    fn any_constant(&mut self, ty: Type) -> ExprId {
        let Type::Int(int) = ty else { unreachable!("all variables are integers") };
        let near = self.numbers.below(40) as i128;
        let value = self.numbers.pick(&[near, -near, int.min() + near, int.wrap(-1 - near), 77]);
        self.b.constant(ty, int.wrap(value))
    }

    fn any_value(&mut self, ty: Type) -> ExprId {
        let var = self.numbers.pick(&self.vars);
        let value = self.b.var(var);
        self.b.program.exprs.cast(ty, value)
    }

    fn add(&mut self) {
        let var = self.numbers.pick(&self.vars);
        let ty = self.b.program.vars[var].ty;
        let op = self.numbers.pick(&[BinaryOp::Add, BinaryOp::Sub]);
        let to = if self.numbers.below(3) == 0 { self.any_value(ty) } else { self.b.var(var) };
        let by = self.numbers.below(9) as i128;
        let by = self.b.constant(ty, by);
        let sum = self.b.binary(op, to, by);
        self.b.assign(var, sum);
    }

    /// `v = v * 5 + 1`, which grows beyond all multiples of the number of rounds.
    fn multiply(&mut self) {
        let var = self.numbers.pick(&self.vars);
        let ty = self.b.program.vars[var].ty;
        let [five, one] = [5, 1].map(|value| self.b.constant(ty, value));
        let value = self.b.var(var);
        let product = self.b.binary(BinaryOp::Mul, value, five);
        let next = self.b.binary(BinaryOp::Add, product, one);
        self.b.assign(var, next);
    }

    fn choose(&mut self, depth: usize, callee: Option<ProcId>) {
        let var = self.numbers.pick(&self.vars);
        let ty = self.b.program.vars[var].ty;
        let op = self.numbers.pick(&[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq, BinaryOp::Ne]);
        let (value, than) = (self.b.var(var), self.any_constant(ty));
        let condition = self.b.binary(op, value, than);
        let (yes, no) = self.b.branch(condition);
        let end = self.b.location();
        for way in [yes, no] {
            self.b.at = way;
            self.statement(depth + 1, callee);
            self.b.goto(end);
        }
        self.b.at = end;
    }

    fn statement(&mut self, depth: usize, callee: Option<ProcId>) {
        match (self.numbers.below(8), callee) {
            (0, _) => self.multiply(),
            (1 | 2, _) if depth < 2 => self.choose(depth, callee),
            (3..6, Some(callee)) => self.b.stmt(Stmt::Call { callee, args: Vec::new(), result: None }),
            _ => self.add(),
        }
    }
}

fn program(seed: u64) -> Program {
    let mut g = Generator { b: Builder::new(), numbers: Numbers(seed), vars: Vec::new() };
    if g.numbers.below(2) == 0 {
        g.b.program.arithmetic = Arithmetic::Wrap;
    }
    for name in ["u", "v", "w", "x"] {
        let bits = g.numbers.pick(&[8, 16, 32, 32, 64]);
        let signed = g.numbers.below(2) == 0;
        let ty = Type::Int(IntType { bits, signed });
        let init = g.numbers.below(100) as i128;
        let var = g.b.global(name, ty, init);
        g.vars.push(var);
    }
    let (main, start) = (g.b.proc, g.b.at);
    let callee = g.b.begin("f", &[]);
    g.choose(1, None);
    g.add();
    let zero = g.b.int(0);
    g.b.give(zero);
    (g.b.proc, g.b.at) = (main, start);
    let words = Type::Int(IntType::unsigned(32));
    let i = g.b.local("i", words);
    let [none, one, many] = [0, 1, 200_000].map(|value| g.b.constant(words, value));
    g.b.assign(i, none);
    let head = g.b.at;
    let vi = g.b.var(i);
    let goes_on = g.b.binary(BinaryOp::Lt, vi, many);
    let (body, done) = g.b.branch(goes_on);
    g.b.at = body;
    for _ in 0..2 + g.numbers.below(4) {
        g.statement(0, Some(callee));
    }
    let next = g.b.binary(BinaryOp::Add, vi, one);
    g.b.assign(i, next);
    g.b.goto(head);
    g.b.at = done;
    let mut sum = vi;
    for var in g.vars.clone() {
        let value = g.b.var(var);
        let value = g.b.program.exprs.cast(words, value);
        let three = g.b.constant(words, 3);
        let before = g.b.binary(BinaryOp::Mul, sum, three);
        sum = g.b.binary(BinaryOp::Add, before, value);
    }
    let result = g.b.program.exprs.cast(Type::I32, sum);
    g.b.give(result);
    g.b.program
}

#[test]
fn random_loops_end_where_steps_do() {
    for seed in 0..60 {
        let program = program(seed);
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        let executable = Executable::new(&program, Detail::Outcome);
        let leaping = executable.run(&mut ListOracle::new(&[]), &limits);
        let stepwise = Limits { stepwise: u64::MAX, ..limits.clone() };
        let stepping = executable.run(&mut ListOracle::new(&[]), &stepwise);
        assert_eq!((leaping.outcome, leaping.steps), (stepping.outcome, stepping.steps), "{seed}");
        assert_eq!(only_outcome(&program, &limits), stepping.outcome, "{seed}");
    }
}
