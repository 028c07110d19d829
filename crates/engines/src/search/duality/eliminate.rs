//! Exact elimination of constants that no subgoal mentions.
//!
//! The values of such constants do not matter any more, only that there are some. Where that can be
//! said without them, and without choosing among cases, it is: an equality that can be solved for the
//! constant is substituted; bounds from one side only say nothing; and bounds from both sides are
//! combined if that does not make more of them (Fourier and Motzkin; exact for integers where one
//! coefficient of each pair is 1). Everything else stays.

use super::goal::{Constraint, Goal};
use craig_base::{OrderedSet, Set};
use craig_smt::project::solution;
use craig_term::{LinearSum, Op, Rat, SortId, Substitution, TermId, Terms};

pub(super) fn eliminate(terms: &mut Terms, goal: &mut Goal) {
    let keep: Set<TermId> = goal.subgoals.iter().flat_map(|subgoal| subgoal.args.iter().copied()).collect();
    let constraints = &mut goal.constraints;
    loop {
        solve_equalities(terms, constraints, &keep);
        if !combine_bounds(terms, constraints, &keep) {
            break;
        }
    }
    let mut seen: Set<TermId> = Set::default();
    constraints.retain(|constraint| constraint.formula != Terms::TRUE && seen.insert(constraint.formula));
}

fn solve_equalities(terms: &mut Terms, constraints: &mut Vec<Constraint>, keep: &Set<TermId>) {
    let mut index = 0;
    while index < constraints.len() {
        let Some((x, value)) = solution(terms, constraints[index].formula, keep) else {
            index += 1;
            continue;
        };
        let used = constraints.swap_remove(index);
        let mut substitution = Substitution::from_pairs([(x, value)]);
        let mut first_changed = None;
        for (at, constraint) in constraints.iter_mut().enumerate() {
            let changed = substitution.apply(terms, constraint.formula);
            if changed != constraint.formula {
                constraint.formula = changed;
                constraint.sources.extend(&used.sources);
                first_changed.get_or_insert(at);
            }
        }
        // What changed may be solvable now.
        index = index.min(first_changed.unwrap_or(index));
    }
}

/// `sum <= 0`, or `sum < 0`.
struct Bound {
    sum: LinearSum,
    strict: bool,
    sort: SortId,
}

/// How constants occur in a constraint.
enum Occurrence {
    Bound(Bound),
    Disequality(LinearSum),
    Other,
}

fn occurrence(terms: &Terms, formula: TermId) -> Occurrence {
    let (atom, negated) = terms.strip_not(formula);
    let strict = match terms.op(atom) {
        Op::Le => false,
        Op::Lt => true,
        Op::Eq if negated && terms.is_arith(terms.arg(atom, 0)) => {
            return Occurrence::Disequality(terms.linear(terms.arg(atom, 0)));
        }
        _ => return Occurrence::Other,
    };
    let sort = terms.sort(terms.arg(atom, 0));
    let mut sum = terms.linear(terms.arg(atom, 0));
    sum.constant -= &terms.linear(terms.arg(atom, 1)).constant;
    if !negated {
        return Occurrence::Bound(Bound { sum, strict, sort });
    }
    sum.constant = -sum.constant;
    for (_, c) in &mut sum.terms {
        *c = -c.clone();
    }
    if sort == Terms::INT && !strict {
        sum.constant += &Rat::from(1);
        return Occurrence::Bound(Bound { sum, strict: false, sort });
    }
    Occurrence::Bound(Bound { sum, strict: !strict, sort })
}

/// Eliminates constants that are bounded only; returns whether there was one.
fn combine_bounds(terms: &mut Terms, constraints: &mut Vec<Constraint>, keep: &Set<TermId>) -> bool {
    let mut candidates: OrderedSet<TermId> = OrderedSet::default();
    for constraint in constraints.iter() {
        candidates.extend(terms.free_consts(constraint.formula));
    }
    candidates.retain(|x| !keep.contains(x) && terms.is_arith(*x));
    let mut changed = false;
    for x in candidates {
        changed |= eliminate_bounded(terms, constraints, x);
    }
    changed
}

fn eliminate_bounded(terms: &mut Terms, constraints: &mut Vec<Constraint>, x: TermId) -> bool {
    let mut lower: Vec<(Rat, Bound, usize)> = Vec::new();
    let mut upper: Vec<(Rat, Bound, usize)> = Vec::new();
    let mut disequalities = 0;
    let mut mentioned = Vec::new();
    for (index, constraint) in constraints.iter().enumerate() {
        if !terms.free_consts(constraint.formula).contains(&x) {
            continue;
        }
        mentioned.push(index);
        let linear = |sum: &LinearSum| {
            let inside = |t: TermId| t != x && terms.free_consts(t).contains(&x);
            let direct = sum.terms.iter().find(|(t, _)| *t == x).map(|(_, c)| c.clone());
            if sum.terms.iter().any(|&(t, _)| inside(t)) { None } else { direct }
        };
        match occurrence(terms, constraint.formula) {
            Occurrence::Other => return false,
            Occurrence::Disequality(sum) => match linear(&sum) {
                Some(_) => disequalities += 1,
                None => return false,
            },
            Occurrence::Bound(bound) => match linear(&bound.sum) {
                Some(c) if c.is_positive() => upper.push((c, bound, index)),
                Some(c) => lower.push((-c, bound, index)),
                None => return false,
            },
        }
    }
    let one_sided = lower.is_empty() || upper.is_empty();
    let exact = |a: &Rat, b: &Rat, bound: &Bound| bound.sort == Terms::REAL || a.is_one() || b.is_one();
    let combinable = disequalities == 0
        && lower.len() * upper.len() <= lower.len() + upper.len()
        && lower.iter().all(|(a, bound, _)| upper.iter().all(|(b, ..)| exact(a, b, bound)));
    if !one_sided && !combinable {
        return false;
    }
    let mut combined = Vec::new();
    for (a, low, from_low) in &lower {
        for (b, high, from_high) in &upper {
            // low: -a x + s <= 0, high: b x + t <= 0, hence b s + a t <= 0.
            let mut sum =
                LinearSum { terms: Vec::new(), constant: b * &low.sum.constant + a * &high.sum.constant };
            sum.terms.extend(low.sum.terms.iter().filter(|(t, _)| *t != x).map(|(t, c)| (*t, b * c)));
            sum.terms.extend(high.sum.terms.iter().filter(|(t, _)| *t != x).map(|(t, c)| (*t, a * c)));
            let formula = terms.linear_le(sum, low.strict || high.strict, low.sort);
            let mut sources = constraints[*from_low].sources.clone();
            sources.extend(&constraints[*from_high].sources);
            combined.push(Constraint { formula, sources });
        }
    }
    let mut index = 0;
    constraints.retain(|_| {
        index += 1;
        !mentioned.contains(&(index - 1))
    });
    constraints.extend(combined);
    true
}
