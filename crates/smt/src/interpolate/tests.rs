use super::*;
use craig_num::Rat;
use craig_term::Op;

fn valid(terms: &mut Terms, hypotheses: &[TermId], conclusion: TermId) -> bool {
    let mut solver = NativeSolver::default();
    for &h in hypotheses {
        solver.assert(terms, h);
    }
    let negated = terms.not(conclusion);
    solver.assert(terms, negated);
    solver.check(terms, &[], &Budget::unlimited()) == Answer::Unsat
}

/// Checks one interpolant per cut: implied, contradictory, over common symbols.
fn check_cuts(terms: &mut Terms, parts: &[TermId], cuts: &[Vec<bool>], strength: Strength) -> Vec<TermId> {
    let options = Options { strength, minimize: false };
    let Interpolation::Interpolants(list) = interpolate(terms, parts, cuts, &options, &Budget::unlimited())
    else {
        panic!("no interpolants")
    };
    for (cut, &i) in cuts.iter().zip(&list) {
        let side = |a: bool| -> Vec<TermId> {
            parts.iter().zip(cut).filter(|(_, in_a)| **in_a == a).map(|(&part, _)| part).collect()
        };
        let (a, b) = (side(true), side(false));
        assert!(valid(terms, &a, i), "{} does not follow", terms.to_smtlib(i));
        let mut with = b.clone();
        with.push(i);
        assert!(valid(terms, &with, Terms::FALSE), "{} does not contradict", terms.to_smtlib(i));
        let (in_a, in_b) = (terms.free_consts_of(&a), terms.free_consts_of(&b));
        for c in terms.free_consts(i) {
            assert!(in_a.contains(&c) && in_b.contains(&c), "{} is local", terms.to_smtlib(c));
        }
    }
    list
}

fn check_sequence(terms: &mut Terms, parts: &[TermId]) {
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let n = parts.len();
        let cuts: Vec<Vec<bool>> = (1..n).map(|k| (0..n).map(|part| part < k).collect()).collect();
        let list = check_cuts(terms, parts, &cuts, strength);
        for k in 0..n {
            let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
            let after = if k + 1 == n { Terms::FALSE } else { list[k] };
            assert!(valid(terms, &[before, parts[k]], after), "step {k}");
        }
        let Interpolation::Interpolants(st) =
            state_transition(terms, parts, &Options { strength, minimize: false }, &Budget::unlimited())
        else {
            panic!("no interpolants")
        };
        for i in 0..st.transitions.len() {
            assert!(valid(terms, &[parts[i + 1]], st.transitions[i]));
            assert!(valid(terms, &[st.states[i], st.transitions[i]], st.states[i + 1]));
        }
    }
}

fn ints(terms: &mut Terms, n: usize) -> Vec<TermId> {
    (0..n).map(|i| terms.declare_const(&format!("x{i}"), Terms::INT).expect("no clash")).collect()
}

fn arrays(terms: &mut Terms, n: usize) -> Vec<TermId> {
    let array = terms.array_sort(Terms::INT, Terms::INT);
    (0..n).map(|i| terms.declare_const(&format!("a{i}"), array).expect("no clash")).collect()
}

#[test]
fn parity_gives_a_divisibility_predicate() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, 3);
    let two = Rat::from(2);
    let even = tm.scale(&two, v[1]);
    let odd = tm.scale(&two, v[2]);
    let one = tm.int(1);
    let odd = tm.add2(odd, one);
    let a = tm.eq(v[0], even);
    let b = tm.eq(v[0], odd);
    check_sequence(&mut tm, &[a, b]);
    let list = check_cuts(&mut tm, &[a, b], &[vec![true, false]], Strength::McMillan);
    assert_eq!(tm.to_smtlib(list[0]), "(= (mod x0 2) 0)");
}

#[test]
fn equalities_from_two_sides() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, 3);
    // x0 >= 2 x1 in A, x0 <= 2 x1 in B; x0 = 2 x2 + 1 in B
    let double = tm.scale(&Rat::from(2), v[1]);
    let a = tm.ge(v[0], double);
    let b1 = tm.le(v[0], double);
    let odd = tm.scale(&Rat::from(2), v[2]);
    let one = tm.int(1);
    let odd = tm.add2(odd, one);
    let b2 = tm.eq(v[0], odd);
    for parts in [[a, b1, b2], [b1, a, b2], [b2, a, b1], [a, b2, b1]] {
        check_sequence(&mut tm, &parts);
    }
}

#[test]
fn loops_unrolled() {
    let mut tm = Terms::new();
    let x = ints(&mut tm, 8);
    let y: Vec<TermId> =
        (0..8).map(|i| tm.declare_const(&format!("y{i}"), Terms::INT).expect("no clash")).collect();
    let (zero, one) = (tm.int(0), tm.int(1));
    let a = tm.eq(x[0], zero);
    let b = tm.eq(y[0], zero);
    let mut parts = vec![tm.and2(a, b)];
    for i in 0..7 {
        let next = tm.add2(x[i], one);
        let step = tm.eq(x[i + 1], next);
        let even = tm.int(2);
        let m = tm.modulo(x[i], even);
        let test = tm.eq(m, zero);
        let plus = tm.add2(y[i], one);
        let choice = tm.ite(test, plus, y[i]);
        let other = tm.eq(y[i + 1], choice);
        parts.push(tm.and2(step, other));
    }
    let bad = tm.gt(y[7], x[7]);
    parts.push(bad);
    check_sequence(&mut tm, &parts);
}

/// A small deterministic generator for random problems.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn random_formula(
    tm: &mut Terms,
    random: &mut Random,
    numbers: &[TermId],
    bools: &[TermId],
    depth: u32,
) -> TermId {
    if depth == 0 || random.below(4) == 0 {
        if random.below(4) == 0 {
            return bools[random.below(bools.len() as u64) as usize];
        }
        let sort = tm.sort(numbers[0]);
        let mut summands = Vec::new();
        for _ in 0..=random.below(2) {
            let x = numbers[random.below(numbers.len() as u64) as usize];
            let c = random.below(7) as i64 - 3;
            summands.push(tm.scale(&Rat::from(c), x));
        }
        if sort == Terms::INT && random.below(6) == 0 {
            let x = numbers[random.below(numbers.len() as u64) as usize];
            let k = tm.int(2 + random.below(2) as i64);
            summands.push(if random.below(2) == 0 { tm.modulo(x, k) } else { tm.div(x, k) });
        }
        if random.below(6) == 0 {
            let c = random_formula(tm, random, numbers, bools, 0);
            let a = numbers[random.below(numbers.len() as u64) as usize];
            let b = numbers[random.below(numbers.len() as u64) as usize];
            summands.push(tm.ite(c, a, b));
        }
        let left = tm.add(&summands);
        let value = random.below(9) as i64 - 4;
        let right = if sort == Terms::INT { tm.int(value) } else { tm.real(Rat::from(value)) };
        return match random.below(3) {
            0 => tm.le(left, right),
            1 => tm.lt(left, right),
            _ => tm.eq(left, right),
        };
    }
    let mut args: Vec<TermId> = (0..2 + random.below(2))
        .map(|_| {
            let arg = random_formula(tm, random, numbers, bools, depth - 1);
            if random.below(3) == 0 { tm.not(arg) } else { arg }
        })
        .collect();
    match random.below(4) {
        0 => tm.or(&args),
        1 => tm.iff(args[0], args[1]),
        2 if args.len() > 2 => tm.ite(args[0], args[1], args[2]),
        _ => {
            let last = args.pop().unwrap_or(Terms::TRUE);
            let rest = tm.and(&args);
            tm.and2(rest, last)
        }
    }
}

fn random_problems(seed: u64, sort: craig_term::SortId, rounds: u32) {
    let mut random = Random(seed);
    let mut unsat = 0;
    for round in 0..rounds {
        let mut tm = Terms::new();
        let numbers: Vec<TermId> =
            (0..5).map(|i| tm.declare_const(&format!("x{i}"), sort).expect("no clash")).collect();
        let bools: Vec<TermId> =
            (0..3).map(|i| tm.declare_const(&format!("p{i}"), Terms::BOOL).expect("no clash")).collect();
        let parts: Vec<TermId> = (0..4)
            .map(|i| {
                // Each part sees a window of the symbols, so that some are local.
                let conjuncts: Vec<TermId> = (0..3)
                    .map(|_| {
                        random_formula(&mut tm, &mut random, &numbers[i.min(3)..(i + 2).min(5)], &bools, 2)
                    })
                    .collect();
                tm.and(&conjuncts)
            })
            .collect();
        match sequence(&mut tm, &parts, &Options::default(), &Budget::unlimited()) {
            Interpolation::Sat(model) => {
                for &part in &parts {
                    assert_eq!(tm.eval_bool(part, &model), Ok(true), "round {round}");
                }
            }
            Interpolation::Interpolants(list) => {
                unsat += 1;
                for k in 0..parts.len() {
                    let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
                    let after = list.get(k).copied().unwrap_or(Terms::FALSE);
                    assert!(valid(&mut tm, &[before, parts[k]], after), "minimized step {k}");
                }
                check_sequence(&mut tm, &parts);
                check_tree(&mut tm, &parts);
            }
            Interpolation::Unknown(failure) => panic!("round {round}: {failure}"),
        }
    }
    assert!(unsat > rounds / 20, "{unsat} of {rounds} are unsatisfiable");
}

/// The first two parts are children of the third, which is the child of the root.
fn check_tree(tm: &mut Terms, parts: &[TermId]) {
    for strength in [Strength::McMillan, Strength::Pudlak] {
        let Interpolation::Interpolants(list) =
            tree(tm, parts, &[2, 2, 3], &Options { strength, minimize: false }, &Budget::unlimited())
        else {
            panic!("no interpolants")
        };
        assert!(valid(tm, &[parts[0]], list[0]) && valid(tm, &[parts[1]], list[1]));
        assert!(valid(tm, &[list[0], list[1], parts[2]], list[2]));
        assert!(valid(tm, &[list[2], parts[3]], Terms::FALSE));
    }
}

#[test]
fn random_integer_problems() {
    random_problems(1, Terms::INT, 300);
}

#[test]
fn random_real_problems() {
    random_problems(2, Terms::REAL, 300);
}

#[test]
fn merged_half_spaces() {
    let mut tm = Terms::new();
    let x = ints(&mut tm, 1)[0];
    let bounds: Vec<TermId> = [3, 5, 4].iter().map(|&k| tm.int(k)).collect();
    let upper: Vec<TermId> = bounds.iter().map(|&k| tm.le(x, k)).collect();
    let and = tm.and(&upper);
    assert_eq!(simplify(&mut tm, and), upper[0]);
    let or = tm.or(&upper);
    assert_eq!(simplify(&mut tm, or), upper[1]);
    let low = tm.ge(x, bounds[0]);
    let point = tm.and2(low, upper[0]);
    let point = simplify(&mut tm, point);
    assert_eq!(tm.op(point), Op::Eq);
    let all = tm.or2(low, upper[1]);
    assert_eq!(simplify(&mut tm, all), Terms::TRUE);
}

#[test]
fn equal_arguments_that_no_part_knows_together() {
    let mut tm = Terms::new();
    let v = ints(&mut tm, 5);
    let array = tm.array_sort(Terms::INT, Terms::INT);
    let memory = tm.declare_const("m", array).expect("no clash");
    let f = tm.declare_fun("f", &[Terms::INT], Terms::INT).expect("no clash");
    // x1 = x0 in the first part and x2 = x0 in the second; the results are x3 and x4.
    let pinned = |tm: &mut Terms, local: TermId| {
        let (below, above) = (tm.le(local, v[0]), tm.ge(local, v[0]));
        tm.and2(below, above)
    };
    let (first, second) = (pinned(&mut tm, v[1]), pinned(&mut tm, v[2]));
    let same = tm.eq(v[3], v[4]);
    let different = tm.not(same);
    for reads_memory in [false, true] {
        let result = |tm: &mut Terms, local: TermId, result: TermId| {
            let value = if reads_memory { tm.select(memory, local) } else { tm.app(f, &[local]) };
            tm.eq(result, value)
        };
        let (a, b) = (result(&mut tm, v[1], v[3]), result(&mut tm, v[2], v[4]));
        let parts = [tm.and2(first, a), tm.and(&[second, b, different])];
        check_sequence(&mut tm, &parts);
    }
}

#[test]
fn circles_of_equalities_through_both_sides() {
    let mut tm = Terms::new();
    let u = tm.uninterpreted_sort("U");
    let v: Vec<TermId> = (0..8).map(|i| tm.declare_const(&format!("u{i}"), u).expect("no clash")).collect();
    // The edges of the circle belong to the parts in turn, two by two.
    let edge = |tm: &mut Terms, i: usize| tm.eq(v[i], v[(i + 1) % 8]);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for i in 0..7 {
        let equal = edge(&mut tm, i);
        if i % 4 < 2 { a.push(equal) } else { b.push(equal) }
    }
    let closing = edge(&mut tm, 7);
    let open = tm.not(closing);
    for in_a in [false, true] {
        let (mut a, mut b) = (a.clone(), b.clone());
        if in_a {
            a.push(open)
        } else {
            b.push(open)
        }
        let parts = [tm.and(&a), tm.and(&b)];
        check_sequence(&mut tm, &parts);
    }
}

#[test]
fn what_a_lemma_mentions_brings_no_clauses_into_other_parts() {
    let mut tm = Terms::new();
    let a = arrays(&mut tm, 2);
    let i = ints(&mut tm, 1)[0];
    let (zero, minus_one) = (tm.int(0), tm.int(-1));
    // A read at i from the right array is an `ite` over two stores.
    let left = tm.store(a[0], i, minus_one);
    let inner = tm.store(a[1], i, i);
    let right = tm.store(inner, minus_one, zero);
    let part = tm.eq(left, right);
    check_sequence(&mut tm, &[Terms::TRUE, part]);
    let result = sequence(&mut tm, &[Terms::TRUE, part], &Options::default(), &Budget::unlimited());
    assert_eq!(result, Interpolation::Interpolants(vec![Terms::TRUE]));
}

#[test]
fn what_a_loop_wrote_is_found_again_some_rounds_later() {
    let mut tm = Terms::new();
    let a = arrays(&mut tm, 5);
    let i = ints(&mut tm, 5);
    let (one, seven, answer, back) = (tm.int(1), tm.int(7), tm.int(42), tm.int(-4));
    // The first round writes 42, the others 7; every part knows its own arrays and indices alone.
    let mut parts = Vec::new();
    for round in 0..4 {
        let written = tm.store(a[round], i[round], if round == 0 { answer } else { seven });
        let after = tm.eq(a[round + 1], written);
        let next = tm.add(&[i[round], one]);
        let advance = tm.eq(i[round + 1], next);
        parts.push(tm.and2(after, advance));
    }
    let first = tm.add(&[i[4], back]);
    let read = tm.select(a[4], first);
    let kept = tm.eq(read, answer);
    parts.push(tm.not(kept));
    check_sequence(&mut tm, &parts);
}
