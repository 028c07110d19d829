//! α: what boxes know of a formula (section 5.5). In negation normal form, a literal over more than
//! one constant is replaced by true; conjunction is meet, disjunction is join.

use crate::IntervalDomain;
use crate::interval_box::truth_interval;
use craig_base::Map;
use craig_num::Int;
use craig_program::Interval;
use craig_term::{Op, TermId, Terms};

/// The least element that the literals over single constants give. Every subformula is looked at
/// once for each polarity.
pub fn abstraction<D: IntervalDomain>(domain: &mut D, terms: &Terms, formula: TermId) -> D::Element {
    let mut done: Map<(TermId, bool), D::Element> = Map::default();
    let mut stack = vec![(formula, true)];
    while let Some(&key) = stack.last() {
        if done.contains_key(&key) {
            stack.pop();
            continue;
        }
        let (alternatives, literal) = cases(terms, key);
        let open: Vec<(TermId, bool)> =
            alternatives.iter().flatten().copied().filter(|part| !done.contains_key(part)).collect();
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        stack.pop();
        let element = if literal {
            literal_element(domain, terms, key)
        } else {
            let mut union = domain.bottom();
            for conjuncts in &alternatives {
                let mut element = domain.top();
                for part in conjuncts {
                    element = domain.meet(&element, &done[part]);
                }
                union = domain.join(&union, &element);
            }
            union
        };
        done.insert(key, element);
    }
    done.remove(&(formula, true)).unwrap_or_else(|| domain.top())
}

/// The formula as a disjunction of conjunctions of its parts, and whether it is a literal instead.
fn cases(terms: &Terms, (formula, positive): (TermId, bool)) -> (Vec<Vec<(TermId, bool)>>, bool) {
    let args = terms.args(formula);
    match terms.op(formula) {
        Op::True | Op::False => {
            let holds = (terms.op(formula) == Op::True) == positive;
            (if holds { vec![Vec::new()] } else { Vec::new() }, false)
        }
        Op::Not => (vec![vec![(args[0], !positive)]], false),
        op @ (Op::And | Op::Or) => {
            let parts = args.iter().map(|&arg| (arg, positive));
            if (op == Op::And) == positive {
                (vec![parts.collect()], false)
            } else {
                (parts.map(|part| vec![part]).collect(), false)
            }
        }
        Op::Eq if terms.is_bool(args[0]) => {
            let (a, b) = (args[0], args[1]);
            (vec![vec![(a, true), (b, positive)], vec![(a, false), (b, !positive)]], false)
        }
        Op::Ite => {
            let (condition, then, otherwise) = (args[0], args[1], args[2]);
            (
                vec![
                    vec![(condition, true), (then, positive)],
                    vec![(condition, false), (otherwise, positive)],
                ],
                false,
            )
        }
        _ => (Vec::new(), true),
    }
}

fn literal_element<D: IntervalDomain>(
    domain: &mut D,
    terms: &Terms,
    (atom, positive): (TermId, bool),
) -> D::Element {
    match terms.op(atom) {
        Op::Const(_) => domain.slab(atom, &truth_interval(positive)),
        op @ (Op::Le | Op::Eq) => {
            let Some((dimension, bound)) = single_bound(terms, atom) else { return domain.top() };
            match (op, positive) {
                (Op::Le, true) => domain.slab(dimension, &Interval { lo: None, hi: Some(bound) }),
                (Op::Le, false) => domain.slab(dimension, &Interval { lo: Some(bound + Int::ONE), hi: None }),
                (_, true) => domain.slab(dimension, &Interval::constant(bound)),
                (_, false) => {
                    let below = Interval { lo: None, hi: Some(&bound - &Int::ONE) };
                    let below = domain.slab(dimension, &below);
                    let above = domain.slab(dimension, &Interval { lo: Some(bound + Int::ONE), hi: None });
                    domain.join(&below, &above)
                }
            }
        }
        _ => domain.top(),
    }
}

/// `x` and `k` of an atom `x <= k` or `x = k` over an integer constant.
fn single_bound(terms: &Terms, atom: TermId) -> Option<(TermId, Int)> {
    let (dimension, bound) = (terms.arg(atom, 0), terms.arg(atom, 1));
    let is_constant = matches!(terms.op(dimension), Op::Const(_)) && terms.is_int(dimension);
    if is_constant { Some((dimension, terms.int_value(bound)?)) } else { None }
}
