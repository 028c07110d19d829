//! What symbolic runs say about the inputs.

use craig_exec::symbolic::*;
use craig_exec::*;
use craig_num::Int;
use craig_program::build::{Builder, I32};
use craig_program::*;
use craig_term::{Model, TermId, Terms, Value};

fn run(program: &Program, terms: &mut Terms, inputs: &[i128]) -> SymbolicRun {
    let executable = SymbolicExecutable::new(program, Detail::Outcome);
    executable.run(terms, &mut ListOracle::new(inputs), &Limits::default(), &mut NoObserver)
}

fn model(symbols: &[Option<TermId>], values: &[i64]) -> Model {
    let mut model = Model::new();
    for (symbol, &value) in symbols.iter().zip(values) {
        model.set(symbol.expect("a symbol"), Value::Int(Int::from(value)));
    }
    model
}

/// `a = nondet(); b = nondet(); p = b ? &x : &y; *p = a; if (x == 2 * b + 1) error;` over two cells of memory.
fn aliases() -> (Program, Vec<Site>) {
    let mut b = Builder::new();
    let pointer = Type::Pointer;
    let (va, vb, vp) = (b.local("a", I32), b.local("b", I32), b.local("p", pointer));
    let region = b.region(Cell::Scalar(I32));
    for address in [0x1000, 0x1100] {
        b.program.objects.push(MemoryObject {
            name: "cell".into(),
            address,
            size: 4,
            span: Span::default(),
            init: vec![(0, region, I32, 0)],
            zeroed: true,
            function: false,
            constant: false,
            automatic: false,
            live: None,
            sealed: None,
        });
    }
    b.input(va);
    b.input(vb);
    let (a, c, p) = (b.var(va), b.var(vb), b.var(vp));
    let (x, y) = (b.constant(pointer, 0x1000), b.constant(pointer, 0x1100));
    let zero = b.int(0);
    let is_set = b.binary(BinaryOp::Ne, c, zero);
    let chosen = b.program.exprs.ite(is_set, x, y);
    b.assign(vp, chosen);
    b.store(region, p, I32, a);
    let (one, two) = (b.int(1), b.int(2));
    let doubled = b.binary(BinaryOp::Mul, two, c);
    let sum = b.binary(BinaryOp::Add, doubled, one);
    let loaded = b.program.exprs.load(region, x, I32);
    let equal = b.binary(BinaryOp::Eq, loaded, sum);
    let (yes, no) = b.branch(equal);
    b.at = yes;
    let error = b.program.procs[b.proc].error;
    b.goto(error);
    b.at = no;
    b.give(zero);
    let sites = (0..7).map(|edge| Site { proc: b.proc, edge: EdgeId(edge) }).collect();
    (b.program, sites)
}

#[test]
fn a_branch_can_be_turned() {
    let (program, _) = aliases();
    let mut terms = Terms::new();
    let SymbolicRun { run, symbols, condition, approximated, .. } = run(&program, &mut terms, &[3, 5]);
    assert_eq!(run.outcome, Outcome::Returned(Some(0)));
    assert!(!approximated);
    let branches: Vec<&Constraint> =
        condition.iter().filter(|constraint| constraint.kind == ConstraintKind::Branch).collect();
    // The choice of the pointer and the comparison.
    let [chosen, compared] = branches[..] else { panic!("{branches:?}") };
    assert_eq!((chosen.inputs, compared.inputs), (2, 2));
    let turned = terms.not(compared.term);
    let truth =
        |values: &[i64], term| terms.eval_bool(term, &model(&symbols, values)).expect("a truth value");
    assert!(condition.iter().all(|constraint| truth(&[3, 5], constraint.term)));
    assert!(!truth(&[3, 5], turned));
    assert!(truth(&[11, 5], turned) && truth(&[11, 5], chosen.term));
    // With the other pointer the store goes elsewhere, which the path does not allow.
    assert!(!truth(&[1, 0], chosen.term));
}

#[test]
fn a_path_is_walked_without_a_run() {
    let (program, sites) = aliases();
    let mut terms = Terms::new();
    let mut path = SymbolicPath::start(&program, &mut terms);
    for &site in &sites[..4] {
        path.take(&program, &mut terms, site).expect("a path");
    }
    let mut to_error = path.clone();
    to_error.take(&program, &mut terms, sites[4]).expect("a path");
    path.take(&program, &mut terms, sites[5]).expect("a path");
    assert_eq!(path.take(&program, &mut terms, sites[0]), Err(NotAPath));
    let symbols: Vec<Option<TermId>> = path.inputs.iter().map(|(_, symbol)| *symbol).collect();
    let (error, other) = (to_error.formula(&mut terms), path.formula(&mut terms));
    for (a, b) in [(3, 5), (11, 5), (0, 0), (1, 0), (7, -1), (-1, -1)] {
        let model = model(&symbols, &[a, b]);
        let stored = if b != 0 { a } else { 0 };
        let reached = terms.eval_bool(error, &model).expect("a truth value");
        assert_eq!(reached, stored == 2 * b + 1, "{a} {b}");
        assert_eq!(terms.eval_bool(other, &model), Ok(!reached));
    }
}

#[test]
fn calls_have_their_own_locals() {
    // f(n) { if (n == 0) return 0; return f(n - 1) + n; } main { return f(nondet()); }
    let mut b = Builder::new();
    let n = b.local("n", I32);
    let result = b.program.procs[b.proc].result.expect("a result");
    b.input(n);
    let call_at = b.at;
    let f = b.begin("f", &["n"]);
    let param = b.program.procs[f].params[0];
    let r = b.local("r", I32);
    let (vn, vr, zero, one) = (b.var(param), b.var(r), b.int(0), b.int(1));
    let is_zero = b.binary(BinaryOp::Eq, vn, zero);
    let (yes, no) = b.branch(is_zero);
    b.at = yes;
    b.give(zero);
    b.at = no;
    let less = b.binary(BinaryOp::Sub, vn, one);
    b.stmt(Stmt::Call { callee: f, args: vec![less], result: Some(Place::Var(r)) });
    let sum = b.binary(BinaryOp::Add, vr, vn);
    b.give(sum);
    b.proc = b.program.entry;
    b.at = call_at;
    let n = b.var(n);
    let exit = b.program.procs[b.proc].exit;
    b.edge(call_at, exit, Stmt::Call { callee: f, args: vec![n], result: Some(Place::Var(result)) });

    let mut terms = Terms::new();
    let symbolic = run(&b.program, &mut terms, &[3]);
    assert_eq!(symbolic.run.outcome, Outcome::Returned(Some(6)));
    let mut recorder = PathRecorder::default();
    let executable = Executable::new(&b.program, Detail::Edges);
    executable.observe(&mut ListOracle::new(&[3]), &Limits::default(), &mut recorder);
    let mut path = SymbolicPath::start(&b.program, &mut terms);
    for &site in &recorder.path {
        path.take(&b.program, &mut terms, site).expect("a recorded path is a path");
    }
    while path.depth() > 0 {
        path.leave(&b.program, &mut terms);
    }
    assert_eq!(path.location, exit);
    let value = path.state.value(result).expect("a result").term;
    let formula = path.formula(&mut terms);
    let symbols = [path.inputs[0].1];
    assert_eq!(terms.eval(value, &model(&symbols, &[3])), Ok(Value::Int(Int::from(6))));
    assert_eq!(terms.eval_bool(formula, &model(&symbols, &[3])), Ok(true));
    assert_eq!(terms.eval_bool(formula, &model(&symbols, &[4])), Ok(false));
}
