//! What formulas say of all elements, made ready for readers: `forall k. A and B(k) and C(k)` is `A` and a clause for each
//! of the others, so that what only the model of memory knows of takes nothing else with it, and elements are counted
//! from the beginning of their object.

use craig_base::{Map, OrderedSet};
use craig_term::{Op, TermId, Terms};

/// Where a variable begins at a larger number, it runs through addresses, or through addresses divided by a size.
const LARGE: i128 = 1 << 16;

/// Objects begin at multiples of this, also in units of their elements.
const ALIGNMENT: i128 = 1 << 10;
/// How far before the beginning of an object a number may be that speaks of it.
const NEAR: i128 = 1 << 6;

/// The literals of a disjunction.
type Clause = OrderedSet<TermId>;

/// The same formula, or nothing where it says nothing of all elements.
pub(super) fn apart(terms: &Terms, formula: TermId) -> Option<(Terms, TermId)> {
    let parts = flat(terms, Op::And, formula);
    if !parts.iter().any(|&part| terms.op(part) == Op::Forall) {
        return None;
    }
    let mut terms = terms.clone();
    let mut all = Vec::new();
    for part in parts {
        match terms.args(part).to_vec().split_last() {
            Some((&body, bound)) if terms.op(part) == Op::Forall => {
                for clause in clauses(&mut terms, body) {
                    all.push(quantified(&mut terms, bound, clause));
                }
            }
            _ => all.push(part),
        }
    }
    let formula = terms.and(&all);
    Some((terms, formula))
}

/// The arguments of a junction and of those directly inside of it; of anything else itself.
fn flat(terms: &Terms, junction: Op, formula: TermId) -> Vec<TermId> {
    let (mut parts, mut pending) = (Vec::new(), vec![formula]);
    while let Some(t) = pending.pop() {
        if terms.op(t) == junction {
            pending.extend(terms.args(t).iter().rev());
        } else {
            parts.push(t);
        }
    }
    parts
}

/// The conjuncts of a body, without those that others imply by their form, and with equalities where two of them are the
/// halves of one.
fn clauses(terms: &mut Terms, body: TermId) -> Vec<Clause> {
    let mut all: Vec<Clause> = Vec::new();
    for part in flat(terms, Op::And, body) {
        let clause: Clause = match terms.op(part) {
            Op::Not if terms.op(terms.args(part)[0]) == Op::And => {
                let denied = flat(terms, Op::And, terms.args(part)[0]);
                denied.into_iter().map(|t| terms.not(t)).collect()
            }
            _ => flat(terms, Op::Or, part).into_iter().collect(),
        };
        let joined = all.iter().position(|other| equality(terms, other, &clause).is_some());
        match joined {
            Some(other) => {
                let joined = equality(terms, &all[other], &clause);
                all.extend(joined);
                all.swap_remove(other);
            }
            None => all.push(clause),
        }
    }
    let implies = |a: &Clause, b: &Clause| a.iter().all(|literal| b.contains(literal));
    let is_kept = |i: usize| {
        let says_it = |j: usize| implies(&all[j], &all[i]) && (j < i || !implies(&all[i], &all[j]));
        !(0..all.len()).any(|j| j != i && says_it(j))
    };
    let kept: Vec<usize> = (0..all.len()).filter(|&i| is_kept(i)).collect();
    kept.into_iter().map(|i| all[i].clone()).collect()
}

/// `C or e <= n` and `C or e >= n` as `C or e = n`.
fn equality(terms: &mut Terms, a: &Clause, b: &Clause) -> Option<Clause> {
    let own = |a: &Clause, b: &Clause| {
        let mut own = a.iter().filter(|literal| !b.contains(*literal));
        own.next().copied().filter(|_| own.next().is_none())
    };
    let (left, right) = (own(a, b)?, own(b, a)?);
    let (below, above) = if terms.op(left) == Op::Le { (left, right) } else { (right, left) };
    if terms.op(below) != Op::Le || terms.op(above) != Op::Not || terms.op(terms.args(above)[0]) != Op::Le {
        return None;
    }
    let (&[sum, most], &[same, less]) = (terms.args(below), terms.args(terms.args(above)[0])) else {
        return None;
    };
    if sum != same
        || terms.sort(sum) != Terms::INT
        || integer(terms, less)?.checked_add(1)? != integer(terms, most)?
    {
        return None;
    }
    let equal = terms.eq(sum, most);
    Some(a.iter().map(|&literal| if literal == left { equal } else { literal }).collect())
}

fn integer(terms: &Terms, t: TermId) -> Option<i128> {
    terms.number(t)?.to_int()?.to_i128()
}

/// The clause for all values of the variables that occur in it.
fn quantified(terms: &mut Terms, bound: &[TermId], clause: Clause) -> TermId {
    let literals: Vec<TermId> = clause.into_iter().collect();
    let body = terms.or(&literals);
    let used = terms.free_consts(body);
    let bound: Vec<TermId> = bound.iter().copied().filter(|k| used.contains(k)).collect();
    let mut shifts: Map<TermId, TermId> = Map::default();
    for &k in &bound {
        if let Some(first) = literals.iter().filter_map(|&literal| start(terms, k, literal)).min() {
            let first = terms.int(first);
            let sum = terms.add2(k, first);
            shifts.insert(k, sum);
        }
    }
    let body = terms.substitute(body, &shifts);
    terms.forall(&bound, body)
}

/// Where an object begins with which a literal compares a variable, in the units of the variable.
fn start(terms: &Terms, k: TermId, literal: TermId) -> Option<i128> {
    let atom = if terms.op(literal) == Op::Not { terms.args(literal)[0] } else { literal };
    let &[sum, number] = terms.args(atom) else { return None };
    let is_k = |part: TermId| {
        part == k
            || matches!(terms.args(part), &[factor, of] if of == k && integer(terms, factor) == Some(-1))
    };
    let speaks_of_k = is_k(sum) || terms.op(sum) == Op::Add && terms.args(sum).iter().any(|&part| is_k(part));
    let number = integer(terms, number).filter(|_| speaks_of_k)?.checked_abs()?;
    (number > LARGE).then(|| (number + NEAR) / ALIGNMENT * ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `forall k. p and (k < first or k >= first + n or a[k] <= 7) and (... or a[k] > 6)`
    fn sevens(terms: &mut Terms, first: i128) -> TermId {
        let memory = terms.array_sort(Terms::INT, Terms::INT);
        let [k, n] = ["k", "n"].map(|name| terms.declare_const(name, Terms::INT).unwrap());
        let (a, p) =
            (terms.declare_const("a", memory).unwrap(), terms.declare_const("p", Terms::BOOL).unwrap());
        let (first, seven) = (terms.int(first), terms.int(7));
        let end = terms.add2(first, n);
        let value = terms.select(a, k);
        let outside = [terms.lt(k, first), terms.ge(k, end)];
        let halves = [terms.le(value, seven), terms.ge(value, seven)];
        let halves = halves.map(|half| terms.or(&[outside[0], outside[1], half]));
        let body = terms.and(&[p, halves[0], halves[1]]);
        terms.forall(&[k], body)
    }

    #[test]
    fn what_speaks_of_no_element_stands_outside() {
        let mut terms = Terms::new();
        let formula = sevens(&mut terms, 0);
        let (terms, shown) = apart(&terms, formula).unwrap();
        let parts = flat(&terms, Op::And, shown);
        assert_eq!(parts.len(), 2, "{}", terms.display(shown));
        assert_eq!(parts.iter().filter(|&&part| terms.op(part) == Op::Forall).count(), 1);
    }

    #[test]
    fn elements_are_counted_from_the_first() {
        let mut terms = Terms::new();
        let formula = sevens(&mut terms, 1 << 20);
        let (terms, shown) = apart(&terms, formula).unwrap();
        let text = terms.display(shown).to_string();
        assert!(text.contains("(select a (+ 1048576 k))") && text.contains("(<= k (- 1))"), "{text}");
    }
}
