use super::{implicant, project_literals};
use crate::arith::Random;
use crate::process::ProcessSolver;
use crate::{Answer, NativeSolver, Solver};
use craig_base::{Budget, Set};
use craig_num::{Int, Rat};
use craig_term::{LinearSum, Model, TermId, Terms, Value};

fn random_atom(terms: &mut Terms, random: &mut Random, variables: &[TermId], integer: bool) -> TermId {
    let sort = if integer { Terms::INT } else { Terms::REAL };
    let mut sum = LinearSum { terms: Vec::new(), constant: Rat::from(random.range(-6, 6)) };
    for &x in variables {
        if random.below(2) == 0 {
            sum.terms.push((x, Rat::from(random.range(-3, 3))));
        }
    }
    if integer && random.below(5) == 0 {
        let inner = terms.from_linear(sum, sort);
        let modulus = terms.int(random.range(2, 5));
        let remainder =
            if random.below(2) == 0 { terms.modulo(inner, modulus) } else { terms.div(inner, modulus) };
        let bound = terms.int(random.range(-1, 3));
        return terms.le(remainder, bound);
    }
    match random.below(4) {
        0 => terms.linear_eq(sum, sort),
        1 => terms.linear_le(sum, true, sort),
        _ => terms.linear_le(sum, false, sort),
    }
}

#[test]
fn projections_hold_and_imply_the_quantified_formula() {
    let Ok(mut solver) = ProcessSolver::z3() else {
        eprintln!("skipped: no z3 in the search path");
        return;
    };
    let budget = Budget::unlimited();
    let mut random = Random(88172645463325252);
    let mut terms = Terms::new();
    for round in 0..120 {
        let integer = round % 2 == 0;
        let sort = if integer { Terms::INT } else { Terms::REAL };
        let variables: Vec<TermId> = (0..5).map(|_| terms.fresh_const(&format!("v{round}"), sort)).collect();
        let mut model = Model::new();
        for &x in &variables {
            let value = random.range(-5, 5);
            model.set(x, if integer { Value::Int(Int::from(value)) } else { Value::Real(Rat::from(value)) });
        }
        let mut parts = Vec::new();
        for _ in 0..8 {
            let (mut a, b) = (
                random_atom(&mut terms, &mut random, &variables, integer),
                random_atom(&mut terms, &mut random, &variables, integer),
            );
            if random.below(3) == 0 {
                let condition = random_atom(&mut terms, &mut random, &variables, integer);
                let choice = terms.ite(condition, variables[0], variables[1]);
                let also = terms.le(choice, variables[2]);
                a = terms.or2(a, also);
            }
            let formula = terms.or2(a, b);
            let formula =
                if terms.eval_bool(formula, &model) == Ok(true) { formula } else { terms.not(formula) };
            parts.push(formula);
        }
        let formula = terms.and(&parts);
        let literals = implicant(&mut terms, &[formula], &model).unwrap();
        let keep: Set<TermId> = variables[..2].iter().copied().collect();
        let projected = project_literals(&mut terms, &literals, &model, &keep).unwrap();
        for &literal in &projected {
            assert_eq!(
                terms.eval_bool(literal, &model),
                Ok(true),
                "round {round}: {}",
                terms.display(literal)
            );
            assert!(terms.free_consts(literal).iter().all(|x| keep.contains(x)));
        }
        let cube = terms.and(&literals);
        let not_formula = terms.not(formula);
        let wrong = terms.and2(cube, not_formula);
        solver.push();
        solver.assert(&mut terms, wrong);
        assert_eq!(solver.check(&mut terms, &[], &budget), Answer::Unsat, "round {round}: not an implicant");
        solver.pop();
        // Some points of the projection, each of which must extend to a model of the formula.
        let mut region = terms.and(&projected);
        for _ in 0..4 {
            solver.push();
            solver.assert(&mut terms, region);
            let point = match solver.check(&mut terms, &[], &budget) {
                Answer::Sat => solver.model().cloned(),
                _ => None,
            };
            solver.pop();
            let Some(point) = point else { break };
            let mut coordinates = Vec::new();
            for &x in &variables[..2] {
                let value = terms.value_term(point.get(x).unwrap(), sort).unwrap();
                coordinates.push(terms.eq(x, value));
            }
            let here = terms.and(&coordinates);
            solver.push();
            solver.assert(&mut terms, here);
            solver.assert(&mut terms, formula);
            let answer = solver.check(&mut terms, &[], &budget);
            solver.pop();
            assert_eq!(
                answer,
                Answer::Sat,
                "round {round}: {} at {}",
                terms.display(formula),
                terms.display(here)
            );
            let elsewhere = terms.not(here);
            region = terms.and2(region, elsewhere);
        }
    }
}

/// A formula about the versions of an array along a path, and reads at the end.
fn random_path(terms: &mut Terms, random: &mut Random, arrays: &[TermId], numbers: &[TermId]) -> TermId {
    let mut parts = Vec::new();
    for pair in arrays.windows(2) {
        let index = numbers[random.below(numbers.len() as u64) as usize];
        let value = numbers[random.below(numbers.len() as u64) as usize];
        let stored = terms.store(pair[0], index, value);
        parts.push(terms.eq(pair[1], stored));
    }
    for _ in 0..4 {
        let array = arrays[random.below(arrays.len() as u64) as usize];
        let index = numbers[random.below(numbers.len() as u64) as usize];
        let number = numbers[random.below(numbers.len() as u64) as usize];
        let offset = terms.int(random.range(-2, 2));
        let place = terms.add2(index, offset);
        let element = terms.select(array, place);
        let other = arrays[random.below(arrays.len() as u64) as usize];
        parts.push(match random.below(6) {
            0 => terms.eq(element, number),
            1 => terms.le(element, number),
            2 => terms.eq(place, number),
            3 => {
                let same = terms.eq(array, other);
                terms.not(same)
            }
            _ => terms.lt(number, element),
        });
    }
    terms.and(&parts)
}

fn model_of(terms: &mut Terms, formulas: &[TermId]) -> Option<Model> {
    let mut solver = NativeSolver::default();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    match solver.check(terms, &[], &Budget::unlimited()) {
        Answer::Sat => solver.model().cloned(),
        _ => None,
    }
}

#[test]
fn unwanted_arrays_are_projected() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut satisfiable = 0;
    for round in 0..200 {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Terms::INT, Terms::INT);
        let mut constants = |prefix: &str, sort| -> Vec<TermId> {
            (0..4).map(|i| terms.declare_const(&format!("{prefix}{i}"), sort).unwrap()).collect()
        };
        let (arrays, numbers) = (constants("m", sort), constants("x", Terms::INT));
        let formula = random_path(&mut terms, &mut random, &arrays, &numbers);
        let Some(model) = model_of(&mut terms, &[formula]) else { continue };
        satisfiable += 1;
        let literals = implicant(&mut terms, &[formula], &model).unwrap();
        let kept = if random.below(2) == 0 { arrays[0] } else { arrays[3] };
        let keep: Set<TermId> = [kept, numbers[0], numbers[1]].into_iter().collect();
        let projected = project_literals(&mut terms, &literals, &model, &keep).unwrap();
        for &literal in &projected {
            let text = terms.to_smtlib(literal);
            assert_eq!(terms.eval_bool(literal, &model), Ok(true), "round {round}: {text}");
            assert!(terms.free_consts(literal).iter().all(|x| keep.contains(x)), "round {round}: {text}");
        }
        // Some points of the projection, each of which must extend to a model of the formula.
        let mut region = terms.and(&projected);
        for _ in 0..3 {
            let Some(point) = model_of(&mut terms, &[region]) else { break };
            let mut fixed = Vec::new();
            for x in [kept, numbers[0], numbers[1]] {
                let value = terms.eval(x, &point).unwrap();
                let value = terms.value_term(&value, terms.sort(x)).unwrap();
                fixed.push(terms.eq(x, value));
            }
            let here = terms.and(&fixed);
            assert!(model_of(&mut terms, &[formula, here]).is_some(), "round {round}: no extension");
            let elsewhere = terms.not(here);
            region = terms.and2(region, elsewhere);
        }
    }
    assert!(satisfiable > 50, "{satisfiable}");
}
