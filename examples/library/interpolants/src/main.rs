//! Why a path of a program cannot be taken, said between its statements: sequence interpolants, each checked here.

use craig_smt::interpolate::Interpolation;
use craig_smt::term::smtlib::Error;
use craig_smt::{Answer, Assertion, Context};

const DECLARATIONS: &str =
    "(declare-const x Int) (declare-const y Int) (declare-const x1 Int) (declare-const y1 Int)";

/// `x = 0; y = x; x++; y++; if (x != y) error();`
const PATH: [&str; 5] = ["(= x 0)", "(= y x)", "(= x1 (+ x 1))", "(= y1 (+ y 1))", "(not (= x1 y1))"];

fn main() -> Result<(), Error> {
    let mut context = Context::new();
    context.read(DECLARATIONS)?;
    let mut statements: Vec<Assertion> = Vec::new();
    for statement in PATH {
        statements.extend(context.read(&format!("(assert {statement})"))?);
    }
    assert_eq!(context.check(), Answer::Unsat);
    let groups: Vec<&[Assertion]> = statements.chunks(1).collect();
    let Interpolation::Interpolants(between) = context.sequence_interpolants(&groups) else {
        panic!("a path that cannot be taken has interpolants");
    };

    // Each one and the next statement imply the one after it; the last one contradicts the last statement.
    let mut checker = Context::new();
    checker.read(DECLARATIONS)?;
    let mut known = "true".to_string();
    for (number, statement) in PATH.iter().enumerate() {
        let next = between.get(number).map_or("false".to_string(), |&term| context.show(term));
        println!("{{ {known} }} {statement} {{ {next} }}");
        checker.push();
        checker.read(&format!("(assert {known}) (assert {statement}) (assert (not {next}))"))?;
        assert_eq!(checker.check(), Answer::Unsat);
        checker.pop();
        known = next;
    }
    Ok(())
}
