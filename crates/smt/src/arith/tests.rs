//! Random problems. Every answer is verified: values against all bounds, conflicts by adding up.

use super::*;
use craig_base::Budget;

/// SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn range(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as u64) as i64
    }
}

/// A bound as the test asserted it; its reason is its index.
#[derive(Clone, Debug)]
pub(super) struct Asserted {
    pub var: ArithVar,
    pub kind: BoundKind,
    pub value: DeltaRat,
}

/// Simplex together with all that is needed to judge its answers.
#[derive(Default)]
pub(super) struct Judge {
    pub simplex: Simplex,
    pub asserted: Vec<Asserted>,
}

impl Judge {
    pub fn assert(&mut self, var: ArithVar, kind: BoundKind, value: DeltaRat) -> Result<(), Conflict> {
        let reason = self.asserted.len() as Reason;
        self.asserted.push(Asserted { var, kind, value: value.clone() });
        let result = self.simplex.assert_bound(var, kind, value, reason);
        if let Err(conflict) = &result {
            self.judge_conflict(conflict);
        }
        result
    }

    pub fn check(&mut self) -> Result<(), Conflict> {
        let result = self.simplex.check(&Budget::unlimited()).expect("no limit was set");
        self.simplex.tableau.check_invariants();
        match &result {
            Ok(()) => self.judge_values(),
            Err(conflict) => self.judge_conflict(conflict),
        }
        result
    }

    pub fn backtrack_to(&mut self, level: usize, asserted: usize) {
        self.simplex.backtrack_to(level);
        self.asserted.truncate(asserted);
    }

    pub fn judge_values(&self) {
        for (var, variable) in self.simplex.variables.enumerated() {
            if let Some(definition) = &variable.definition
                && variable.in_tableau
            {
                assert_eq!(self.simplex.evaluate(definition), variable.value, "row of {var}");
            }
        }
        for Asserted { var, kind, value } in &self.asserted {
            let actual = self.simplex.value(*var);
            assert!(kind.implies(&actual, value), "{var} is {actual:?}, not {kind:?} {value:?}");
        }
    }

    /// The sum over original variables of `Σ coefficient * form`.
    fn add_form(&self, sum: &mut Vec<Rat>, var: ArithVar, coefficient: &Rat) {
        sum.resize(self.simplex.variables.len(), Rat::ZERO);
        for (inner, c) in self.simplex.terms_of(var) {
            sum[inner.0 as usize].add_mul(&c, coefficient);
        }
    }

    pub fn judge_conflict(&self, conflict: &Conflict) {
        let mut sum = Vec::new();
        match conflict {
            Conflict::Farkas(terms) => {
                let mut constant = DeltaRat::ZERO;
                for term in terms {
                    let asserted = &self.asserted[term.reason as usize];
                    assert_eq!((asserted.var, asserted.kind), (term.var, term.kind));
                    assert!(term.coefficient.is_positive());
                    let factor = match term.kind {
                        BoundKind::Upper => term.coefficient.clone(),
                        BoundKind::Lower => -&term.coefficient,
                    };
                    self.add_form(&mut sum, term.var, &factor);
                    constant.add_mul(&factor, &asserted.value);
                }
                assert!(sum.iter().all(Rat::is_zero), "variables remain: {conflict:?}");
                assert!(constant < DeltaRat::ZERO, "no contradiction: {conflict:?}");
            }
            Conflict::Diophantine(terms) => {
                let mut constant = Rat::ZERO;
                for term in terms {
                    let (lower, upper) =
                        (&self.asserted[term.lower as usize], &self.asserted[term.upper as usize]);
                    assert_eq!((lower.var, lower.kind), (term.var, BoundKind::Lower));
                    assert_eq!((upper.var, upper.kind), (term.var, BoundKind::Upper));
                    assert!(lower.value == upper.value && lower.value.delta.is_zero());
                    self.add_form(&mut sum, term.var, &term.coefficient);
                    constant.add_mul(&term.coefficient, &lower.value.value);
                }
                for (var, coefficient) in sum.iter().enumerate() {
                    let is_int = self.simplex.is_int(ArithVar(var as u32));
                    assert!(coefficient.is_zero() || (is_int && coefficient.is_integer()));
                }
                assert!(!constant.is_integer());
            }
        }
    }
}

pub(super) fn random_form(random: &mut Random, simplex: &mut Simplex, vars: &[ArithVar]) -> ArithVar {
    loop {
        let terms: Vec<_> = (0..random.range(1, 4))
            .map(|_| (vars[random.below(vars.len() as u64) as usize], Rat::from(random.range(-4, 4))))
            .collect();
        if let Some(form) = simplex.form(&terms) {
            return form;
        }
    }
}

fn random_bound(random: &mut Random, is_int: bool) -> (BoundKind, DeltaRat) {
    let value = Rat::from(random.range(-12, 12));
    match (random.below(2) == 0, !is_int && random.below(3) == 0) {
        (true, false) => (BoundKind::Lower, value.into()),
        (true, true) => (BoundKind::Lower, DeltaRat::above(value)),
        (false, false) => (BoundKind::Upper, value.into()),
        (false, true) => (BoundKind::Upper, DeltaRat::below(value)),
    }
}

#[test]
fn a_form_is_one_variable() {
    let mut simplex = Simplex::new();
    let (x, y) = (simplex.new_var(true), simplex.new_var(true));
    let sum = simplex.form(&[(x, Rat::ONE), (y, Rat::ONE)]).expect("not empty");
    assert_eq!(simplex.form(&[(y, Rat::from(3)), (x, Rat::ONE), (y, Rat::from(-2))]), Some(sum));
    assert_eq!(simplex.form(&[(sum, Rat::ONE), (y, Rat::MINUS_ONE)]), Some(x));
    assert_eq!(simplex.form(&[(sum, Rat::ONE), (y, Rat::MINUS_ONE), (x, Rat::MINUS_ONE)]), None);
    assert!(simplex.is_int(sum));
    let half = Rat::new(Int::ONE, Int::from(2));
    assert!(simplex.form(&[(x, half)]).is_some_and(|form| !simplex.is_int(form)));
}

#[test]
fn random_searches_are_verified() {
    let mut random = Random(7);
    let (mut feasible, mut infeasible) = (0, 0);
    for _ in 0..300 {
        let mut judge = Judge::default();
        let is_int = random.below(2) == 0;
        let vars: Vec<_> = (0..random.range(2, 7)).map(|_| judge.simplex.new_var(is_int)).collect();
        let mut levels: Vec<usize> = Vec::new();
        for _ in 0..60 {
            match random.below(10) {
                0..=6 => {
                    levels.push(judge.asserted.len());
                    judge.simplex.push();
                    let form = random_form(&mut random, &mut judge.simplex, &vars);
                    let (kind, value) = random_bound(&mut random, is_int);
                    let result = judge.assert(form, kind, value).and_then(|()| judge.check());
                    match result {
                        Ok(()) => feasible += 1,
                        Err(_) => {
                            infeasible += 1;
                            let level = random.below(levels.len() as u64) as usize;
                            judge.backtrack_to(level, levels[level]);
                            levels.truncate(level);
                        }
                    }
                }
                7 | 8 if !levels.is_empty() => {
                    let level = random.below(levels.len() as u64) as usize;
                    judge.backtrack_to(level, levels[level]);
                    levels.truncate(level);
                }
                _ => {
                    judge.simplex.collect_idle_rows();
                    judge.simplex.tableau.check_invariants();
                }
            }
        }
    }
    assert!(feasible > 1000 && infeasible > 1000, "{feasible} feasible, {infeasible} infeasible");
}

#[test]
fn released_forms_leave_no_rows() {
    let mut random = Random(11);
    for _ in 0..200 {
        let mut judge = Judge::default();
        let vars: Vec<_> = (0..5).map(|_| judge.simplex.new_var(true)).collect();
        let kept = random_form(&mut random, &mut judge.simplex, &vars);
        if judge.assert(kept, BoundKind::Upper, Rat::from(3).into()).is_err() {
            continue;
        }
        let forms = judge.simplex.forms.len();
        for _ in 0..5 {
            let (mark, asserted) = (judge.simplex.mark(), judge.asserted.len());
            judge.simplex.push();
            let mut all = vars.clone();
            all.push(judge.simplex.new_var(true));
            for _ in 0..8 {
                let form = random_form(&mut random, &mut judge.simplex, &all);
                let (kind, value) = random_bound(&mut random, true);
                if judge.assert(form, kind, value).and_then(|()| judge.check()).is_err() {
                    break;
                }
            }
            judge.backtrack_to(0, asserted);
            judge.simplex.release(mark);
            judge.simplex.tableau.check_invariants();
            assert_eq!((judge.simplex.mark(), judge.simplex.forms.len()), (mark, forms));
            assert_eq!(judge.check(), Ok(()));
        }
    }
}

/// Branch and bound as the caller would do it. Returns whether there is an integer solution.
fn solve_integers(judge: &mut Judge) -> bool {
    if judge.check().is_err() {
        return false;
    }
    let answer = judge.simplex.check_integers(&Budget::unlimited()).expect("no limit was set");
    judge.judge_values();
    match answer {
        IntegerCheck::Solved => {
            for (var, variable) in judge.simplex.variables.enumerated() {
                assert!(!variable.is_int || judge.simplex.value(var).is_integer());
            }
            true
        }
        IntegerCheck::Conflict(conflict) => {
            judge.judge_conflict(&conflict);
            false
        }
        IntegerCheck::Split { var, floor, first: _ } => {
            assert!(!judge.simplex.is_form(var));
            let (level, asserted) = (judge.simplex.level(), judge.asserted.len());
            let sides = [(BoundKind::Upper, floor.clone()), (BoundKind::Lower, floor + Int::ONE)];
            sides.into_iter().any(|(kind, value)| {
                judge.simplex.push();
                let feasible =
                    judge.assert(var, kind, Rat::from_int(value).into()).is_ok() && solve_integers(judge);
                if !feasible {
                    judge.backtrack_to(level, asserted);
                }
                feasible
            })
        }
        IntegerCheck::GiveUp => panic!("bounded problems need few splits"),
    }
}

/// Whether some point of the box `[-3, 3]^n` obeys all that was asserted.
fn solve_by_enumeration(judge: &Judge, vars: &[ArithVar]) -> bool {
    let constraints: Vec<_> = judge
        .asserted
        .iter()
        .map(|asserted| {
            let number = |rat: &Rat| rat.to_int().and_then(|int| int.to_i64()).expect("a small integer");
            let terms = judge.simplex.terms_of(asserted.var);
            let terms: Vec<_> = terms.iter().map(|(var, c)| (var.0 as usize, number(c))).collect();
            (terms, asserted.kind, number(&asserted.value.value))
        })
        .collect();
    (0..7usize.pow(vars.len() as u32)).any(|code| {
        let point = |var: usize| (code / 7usize.pow(var as u32)) as i64 % 7 - 3;
        constraints.iter().all(|(terms, kind, value)| {
            let sum: i64 = terms.iter().map(|(var, c)| c * point(*var)).sum();
            if *kind == BoundKind::Lower { sum >= *value } else { sum <= *value }
        })
    })
}

#[test]
fn integer_answers_agree_with_enumeration() {
    let mut random = Random(3);
    let (mut solvable, mut unsolvable) = (0, 0);
    for round in 0..1500 {
        let mut judge = Judge::default();
        judge.simplex.begin_query(100_000);
        let vars: Vec<_> = (0..random.range(2, 4)).map(|_| judge.simplex.new_var(true)).collect();
        let mut feasible = true;
        for &var in &vars {
            feasible &= judge.assert(var, BoundKind::Lower, Rat::from(-3).into()).is_ok();
            feasible &= judge.assert(var, BoundKind::Upper, Rat::from(3).into()).is_ok();
        }
        for _ in 0..random.range(1, 5) {
            let form = random_form(&mut random, &mut judge.simplex, &vars);
            let value: DeltaRat = Rat::from(random.range(-9, 9)).into();
            if random.below(2) == 0 {
                feasible &= judge.assert(form, BoundKind::Lower, value.clone()).is_ok();
                feasible &= judge.assert(form, BoundKind::Upper, value).is_ok();
            } else {
                let kind = if random.below(2) == 0 { BoundKind::Lower } else { BoundKind::Upper };
                feasible &= judge.assert(form, kind, value).is_ok();
            }
        }
        let expected = solve_by_enumeration(&judge, &vars);
        let actual = feasible && solve_integers(&mut judge);
        assert_eq!(actual, expected, "round {round}");
        if actual {
            solvable += 1
        } else {
            unsolvable += 1
        };
    }
    assert!(solvable > 200 && unsolvable > 200, "{solvable} solvable, {unsolvable} unsolvable");
}

fn fix(judge: &mut Judge, terms: &[(ArithVar, i64)], value: i64) {
    let terms: Vec<_> = terms.iter().map(|(var, c)| (*var, Rat::from(*c))).collect();
    let form = judge.simplex.form(&terms).expect("not empty");
    for kind in [BoundKind::Lower, BoundKind::Upper] {
        judge.assert(form, kind, Rat::from(value).into()).expect("no conflict yet");
    }
}

#[test]
fn parity_is_refuted_without_branching() {
    let mut judge = Judge::default();
    let [x, y, z] = [(); 3].map(|()| judge.simplex.new_var(true));
    fix(&mut judge, &[(x, 1), (y, -2)], 0);
    fix(&mut judge, &[(x, 1), (z, -2)], 1);
    assert!(!solve_integers(&mut judge));
    assert_eq!(judge.simplex.counters().splits, 0);
}

#[test]
fn equalities_with_large_coefficients_are_refuted_without_branching() {
    let mut judge = Judge::default();
    let vars = [(); 3].map(|()| judge.simplex.new_var(true));
    let [x, y, z] = vars;
    fix(&mut judge, &[(x, 6), (y, 10), (z, 15)], 1);
    fix(&mut judge, &[(x, 12), (y, -10), (z, 45)], 4);
    let solved = solve_integers(&mut judge);
    // 18 x + 60 z = 5 is the sum of both.
    assert!(!solved && judge.simplex.counters().splits == 0);
}

#[test]
fn implied_literals_have_valid_explanations() {
    let mut random = Random(5);
    let mut implied = [0, 0];
    for _ in 0..400 {
        let mut judge = Judge::default();
        let is_int = random.below(2) == 0;
        let vars: Vec<_> = (0..random.range(3, 5)).map(|_| judge.simplex.new_var(is_int)).collect();
        let forms: Vec<_> = (0..6).map(|_| random_form(&mut random, &mut judge.simplex, &vars)).collect();
        // Literal 2i is `form >= value`, literal 2i+1 its negation.
        let mut negations: Vec<Asserted> = Vec::new();
        for &var in &forms {
            for value in [-6, -2, 2, 6] {
                let step = if judge.simplex.is_int(var) {
                    DeltaRat::from(Rat::from(value - 1))
                } else {
                    DeltaRat::below(Rat::from(value))
                };
                let literal = 1_000_000 + negations.len() as Reason;
                let at_least = DeltaRat::from(Rat::from(value));
                judge.simplex.register_atom(var, BoundKind::Lower, at_least.clone(), literal);
                negations.push(Asserted { var, kind: BoundKind::Upper, value: step.clone() });
                judge.simplex.register_atom(var, BoundKind::Upper, step, literal + 1);
                negations.push(Asserted { var, kind: BoundKind::Lower, value: at_least });
            }
        }
        for _ in 0..6 {
            let var = forms[random.below(forms.len() as u64) as usize];
            let (kind, value) = random_bound(&mut random, judge.simplex.is_int(var));
            if judge.assert(var, kind, value).and_then(|()| judge.check()).is_err() {
                break;
            }
            for rows in [false, true] {
                if rows {
                    judge.simplex.propagate_rows();
                }
                let mut found = Vec::new();
                judge.simplex.take_propagations(&mut found);
                implied[rows as usize] += found.len();
                for propagation in found {
                    let negation = negations[propagation.literal as usize - 1_000_000].clone();
                    let explanation = judge.simplex.explain(propagation.explanation);
                    let mut terms = explanation.terms;
                    terms.push(FarkasTerm {
                        var: negation.var,
                        kind: negation.kind,
                        reason: judge.asserted.len() as Reason,
                        coefficient: explanation.coefficient,
                    });
                    judge.asserted.push(negation);
                    judge.judge_conflict(&Conflict::Farkas(terms));
                    judge.asserted.pop();
                }
            }
        }
    }
    assert!(implied[0] > 1000 && implied[1] > 200, "{implied:?}");
}

#[test]
fn maxima_are_reached_and_certified() {
    let mut random = Random(9);
    let (mut bounded, mut unbounded) = (0, 0);
    for _ in 0..600 {
        let mut judge = Judge::default();
        let vars: Vec<_> = (0..random.range(2, 5)).map(|_| judge.simplex.new_var(false)).collect();
        for _ in 0..random.range(3, 9) {
            let form = random_form(&mut random, &mut judge.simplex, &vars);
            let (kind, value) = random_bound(&mut random, false);
            if judge.assert(form, kind, value).is_err() {
                judge.asserted.pop();
            }
        }
        if judge.check().is_err() {
            continue;
        }
        let objective = random_form(&mut random, &mut judge.simplex, &vars);
        let maximum = judge.simplex.maximize(objective, &Budget::unlimited()).expect("no limit was set");
        judge.simplex.tableau.check_invariants();
        judge.judge_values();
        assert_eq!(judge.check(), Ok(()));
        let Some(maximum) = maximum else {
            unbounded += 1;
            let limit = judge.simplex.value(objective).value + Rat::from(1_000_000);
            assert!(judge.assert(objective, BoundKind::Lower, limit.into()).is_ok() && judge.check().is_ok());
            continue;
        };
        bounded += 1;
        assert_eq!(judge.simplex.value(objective), maximum.value);
        // The terms refute that the objective is any larger.
        let larger = DeltaRat::new(maximum.value.value.clone(), &maximum.value.delta + Rat::ONE);
        let mut terms = maximum.terms;
        terms.push(FarkasTerm {
            var: objective,
            kind: BoundKind::Lower,
            reason: judge.asserted.len() as Reason,
            coefficient: Rat::ONE,
        });
        judge.asserted.push(Asserted { var: objective, kind: BoundKind::Lower, value: larger });
        judge.judge_conflict(&Conflict::Farkas(terms));
    }
    assert!(bounded > 100 && unbounded > 50, "{bounded} bounded, {unbounded} unbounded");
}

#[test]
fn a_concrete_delta_keeps_bounds_and_differences() {
    let mut judge = Judge::default();
    let [x, y] = [(); 2].map(|()| judge.simplex.new_var(false));
    judge.assert(x, BoundKind::Lower, DeltaRat::above(Rat::ZERO)).expect("feasible");
    judge.assert(y, BoundKind::Upper, DeltaRat::below(Rat::ONE)).expect("feasible");
    let difference = judge.simplex.form(&[(y, Rat::ONE), (x, Rat::MINUS_ONE)]).expect("not empty");
    judge.assert(difference, BoundKind::Lower, DeltaRat::above(Rat::ZERO)).expect("feasible");
    judge.check().expect("feasible");
    let delta = judge.simplex.concrete_delta(&[x, y]);
    let (x, y) = (judge.simplex.value(x).at(&delta), judge.simplex.value(y).at(&delta));
    assert!(x.is_positive() && x < y && y < Rat::ONE, "{x} {y}");
}

#[test]
fn variables_of_one_value_are_one_class() {
    let mut judge = Judge::default();
    let [x, y, z] = [(); 3].map(|()| judge.simplex.new_var(true));
    judge.assert(z, BoundKind::Lower, Rat::ONE.into()).expect("feasible");
    judge.check().expect("feasible");
    assert_eq!(judge.simplex.equal_classes(&[x, z, y, x]), vec![vec![x, y]]);
}
