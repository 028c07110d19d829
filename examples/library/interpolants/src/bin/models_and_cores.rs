//! Incremental solving: scopes, models, assumptions with their core, and which assertions a proof needs.

use craig_smt::interpolate::Interpolation;
use craig_smt::term::smtlib::Error;
use craig_smt::{Answer, Context};

fn main() -> Result<(), Error> {
    let mut context = Context::new();
    let assertions = context.read(
        "(declare-const apples Int) (declare-const pears Int) (declare-const cheap Bool)
         (assert (> apples 0))
         (assert (> pears 0))
         (assert (=> cheap (< (+ (* 3 apples) (* 2 pears)) 6)))",
    )?;

    assert_eq!(context.check(), Answer::Sat);
    for name in ["apples", "pears"] {
        let term = context.read_term(name, None)?;
        println!("{name} = {:?}", context.value(term).expect("the model says"));
    }

    // A scope: what is asserted in it goes with it.
    context.push();
    context.read("(assert (= apples pears))")?;
    assert_eq!(context.check(), Answer::Sat);
    context.pop();
    assert_eq!(context.in_force(), assertions);

    // Under assumptions; the core are those that were needed.
    let assumptions = ["cheap", "(> apples 1)", "(< pears 9)"]
        .map(|text| context.read_term(text, None))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    assert_eq!(context.check_assuming(&assumptions), Answer::Unsat);
    let core = context.core().to_vec();
    println!(
        "impossible together: {}",
        core.iter().map(|&term| context.show(term)).collect::<Vec<_>>().join(", ")
    );
    assert!(core.len() == 2 && !core.contains(&assumptions[2]));

    // Without them it is possible; with one more assertion not, and the proof says which ones it needs.
    assert_eq!(context.check(), Answer::Sat);
    let last = context.read("(assert (< apples 0))")?[0];
    assert_eq!(context.check(), Answer::Unsat);
    let Interpolation::Interpolants(needed) = context.needed() else { panic!("there is a proof") };
    assert_eq!(needed, [assertions[0], last]);
    Ok(())
}
