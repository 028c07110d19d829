//! Repeated steps against single ones, round by round.

use super::closed::repeated;
use super::paths::Paths;
use crate::testing::Question;
use crate::verdict::{Finding, Reason};
use craig_term::{Model, TermId, Terms, Value};

fn number(tm: &Terms, t: TermId, model: &Model) -> i128 {
    match tm.eval(t, model) {
        Ok(Value::Int(n)) => n.to_i128().expect("a small number"),
        other => panic!("{other:?}"),
    }
}

/// Compares all repeated paths of a program with as many rounds, from many states. How many were compared.
fn compare(text: &str) -> usize {
    let mut compared = 0;
    Question::plain(text, 60).ask(|tm, view, budget, _| {
        let cuts = &view.encoding.cuts;
        for (id, edge) in cuts.edges.enumerated().filter(|(_, edge)| edge.from == edge.to) {
            let state: Vec<TermId> = view.encoding.states[edge.from].iter().map(|c| c.current).collect();
            for step in Paths::new(tm, view, id, budget).along(tm, id) {
                let Some(many) = repeated(tm, view.encoding, &step) else { continue };
                let more: Vec<TermId> =
                    many.parameters.iter().filter(|p| !step.parameters.contains(p)).copied().collect();
                let mut seed = 1u64;
                let mut next = |bound: u64| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    i128::from((seed >> 33) % bound)
                };
                for _ in 0..2_000 {
                    let rounds = 2 + next(7);
                    let mut model = Model::new();
                    let set =
                        |t: TermId, value: i128, model: &mut Model| model.set(t, Value::Int(value.into()));
                    state.iter().chain(&step.parameters).for_each(|&t| set(t, next(30) - 6, &mut model));
                    let mut binomial = rounds;
                    for (k, &parameter) in more.iter().enumerate() {
                        set(parameter, binomial, &mut model);
                        binomial = binomial * (rounds - k as i128 - 1) / (k as i128 + 2);
                    }
                    let at_once = many.guard.iter().all(|&t| tm.eval_bool(t, &model) == Ok(true));
                    let expected: Vec<i128> = many.next.iter().map(|&t| number(tm, t, &model)).collect();
                    let mut one_by_one = true;
                    for _ in 0..rounds {
                        one_by_one &= step.guard.iter().all(|&t| tm.eval_bool(t, &model) == Ok(true));
                        let after: Vec<i128> = step.next.iter().map(|&t| number(tm, t, &model)).collect();
                        state.iter().zip(after).for_each(|(&t, value)| set(t, value, &mut model));
                    }
                    if at_once {
                        assert!(one_by_one, "{text}: {rounds} rounds are not possible");
                        let met: Vec<i128> = state.iter().map(|&t| number(tm, t, &model)).collect();
                        assert_eq!(met, expected, "{text}: {rounds} rounds");
                        compared += 1;
                    }
                }
            }
        }
        Finding::Unknown(Reason::NoCandidate)
    });
    compared
}

#[test]
fn closed_forms_are_what_rounds_do() {
    let programs = ["i++; s += 2;", "s = i; i++;", "s += i; i++;"];
    for body in programs {
        let text = format!(
            "int input(void); void reach_error(void);
             int main(void) {{ int i = input(), s = input(), t = input(), k = input(), n = input();
                 while (i < n) {{ {body} }}
                 if (s == 77 && t == k) reach_error(); return 0; }}"
        );
        assert!(compare(&text) > 20, "{text}");
    }
}
