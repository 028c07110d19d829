//! Simplification of a closed problem: a list of parts to which nothing will be added.
//!
//! Encodings of programs are full of constants that occur in one place only: the values of one
//! transition, one disjunct among many. Two rules remove most of them, to a fixpoint:
//!
//! - **Scoped equalities.** A conjunction that occurs only positively, contains `r = e`, and
//!   *dominates* `r` (every path from the roots to `r` leads through it) is the only place that
//!   speaks about `r`, which is therefore existentially quantified right there: `r` becomes `e`.
//! - **Free atoms.** If `r` occurs in one atom and nowhere else, that atom can be made true or false
//!   at will and becomes a Boolean constant.
//!
//! Both are applied only to constants of a single part, so parts keep the symbols they share, and
//! interpolants of the result are interpolants of the original. [`Preprocessed::complete`] extends a
//! model to the removed constants.

mod dominators;

#[cfg(test)]
mod tests;

use craig_base::{Budget, Map, Set, StopReason};
use craig_num::Rat;
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};
use dominators::{Graph, NodeIndex, POSITIVE};

/// A simplified problem and the way back.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    pub parts: Vec<TermId>,
    steps: Vec<Removal>,
}

/// A constant that is gone, in terms of what remained at the time.
#[derive(Clone, Debug)]
enum Removal {
    Defined {
        constant: TermId,
        value: TermId,
    },
    /// `atom` mentions `constant` and was replaced by `truth`.
    Freed {
        constant: TermId,
        atom: TermId,
        truth: TermId,
    },
}

/// Rounds rarely find anything after the first few.
const MAX_ROUNDS: usize = 12;
/// A definition with more summands is used only where it does not multiply.
const SHORT_SUM: usize = 3;

/// Simplifies the parts.
pub fn preprocess(terms: &mut Terms, parts: &[TermId], budget: &Budget) -> Result<Preprocessed, StopReason> {
    let mut result = Preprocessed { parts: parts.to_vec(), steps: Vec::new() };
    for _ in 0..MAX_ROUNDS {
        budget.check()?;
        let mut substitution = Map::default();
        let graph = Graph::new(terms, &result.parts);
        let before = result.steps.len();
        find_definitions(terms, &graph, &result.parts, &mut result.steps, &mut substitution);
        if substitution.is_empty() {
            find_free_atoms(terms, &graph, &mut result.steps, &mut substitution);
        }
        if substitution.is_empty() {
            result.steps.truncate(before);
            break;
        }
        let mut substitution = Substitution::new(substitution);
        for part in &mut result.parts {
            *part = substitution.apply(terms, *part);
        }
    }
    Ok(result)
}

impl Preprocessed {
    /// The constants that are gone.
    pub fn removed(&self) -> impl Iterator<Item = TermId> + '_ {
        self.steps.iter().map(|step| match step {
            Removal::Defined { constant, .. } | Removal::Freed { constant, .. } => *constant,
        })
    }

    /// Gives values to the removed constants, so that a model of the simplified parts is one of the
    /// original parts.
    pub fn complete(&self, terms: &Terms, model: &mut Model) {
        let mut auxiliary: Set<TermId> = Set::default();
        for step in self.steps.iter().rev() {
            match step {
                Removal::Defined { constant, value } => {
                    if let Ok(value) = terms.eval(*value, model) {
                        model.set(*constant, value);
                    }
                }
                Removal::Freed { constant, atom, truth } => {
                    let wanted = terms.eval_bool(*truth, model) == Ok(true);
                    if let Some(value) = solve_atom(terms, *atom, *constant, wanted, model) {
                        model.set(*constant, value);
                    }
                    auxiliary.insert(*truth);
                }
            }
        }
        if !auxiliary.is_empty() {
            model.retain(|t| !auxiliary.contains(&t));
        }
    }
}

/// A value of `constant` that makes the atom true or false, whatever the rest of it is.
fn solve_atom(
    terms: &Terms,
    atom: TermId,
    constant: TermId,
    wanted: bool,
    model: &mut Model,
) -> Option<Value> {
    let sum = terms.linear(terms.arg(atom, 0));
    let bound = terms.number(terms.arg(atom, 1))?.clone();
    let (_, coefficient) = sum.terms.iter().find(|(t, _)| *t == constant)?;
    let is_int = terms.is_int(constant);
    model.set(constant, if is_int { Value::Int(0.into()) } else { Value::Real(Rat::from(0)) });
    let rest = match terms.eval(terms.arg(atom, 0), model).ok()? {
        Value::Int(value) => Rat::from(value),
        Value::Real(value) => value,
        _ => return None,
    };
    // coefficient * constant = target makes the sum equal to the bound plus an offset.
    let offset = match (terms.op(atom), wanted) {
        (Op::Eq | Op::Le, true) | (Op::Lt, false) => Rat::from(0),
        (Op::Lt, true) => Rat::from(-1),
        _ => Rat::from(1),
    };
    let value = (bound + offset - rest) / coefficient;
    Some(if is_int { Value::Int(value.to_int()?) } else { Value::Real(value) })
}

/// Equations of dominating conjunctions, chosen so that they can be used all at once.
fn find_definitions(
    terms: &mut Terms,
    graph: &Graph,
    parts: &[TermId],
    steps: &mut Vec<Removal>,
    substitution: &mut Map<TermId, TermId>,
) {
    // What a chosen definition mentions has to stay in this round.
    let mut kept: Set<TermId> = Set::default();
    let roots = parts.iter().map(|&part| (NodeIndex::ROOT, part));
    let mut conjuncts: Vec<(NodeIndex, TermId)> = roots.collect();
    for (node, t) in graph.nodes() {
        if terms.op(t) == Op::And && graph.polarity(node) == POSITIVE {
            conjuncts.extend(terms.args(t).iter().map(|&arg| (node, arg)));
        }
    }
    for (scope, conjunct) in conjuncts {
        let owned = |constant: TermId| {
            !kept.contains(&constant)
                && !substitution.contains_key(&constant)
                && graph.is_local(constant)
                && graph.dominates(scope, constant)
        };
        let Some((constant, value)) = solve(terms, graph, conjunct, owned) else { continue };
        let mentioned = terms.free_consts(value);
        if mentioned.iter().any(|t| *t == constant || substitution.contains_key(t)) {
            continue;
        }
        kept.extend(mentioned);
        substitution.insert(constant, value);
        steps.push(Removal::Defined { constant, value });
    }
}

/// A constant that the conjunct determines, and its value.
fn solve(
    terms: &mut Terms,
    graph: &Graph,
    conjunct: TermId,
    owned: impl Fn(TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let (t, negated) = terms.strip_not(conjunct);
    let is_const = |t: TermId| matches!(terms.op(t), Op::Const(_));
    if is_const(t) && owned(t) {
        return Some((t, terms.bool(!negated)));
    }
    if terms.op(t) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.arg(t, 0), terms.arg(t, 1));
    if terms.is_bool(left) {
        let (constant, value) = if is_const(left) && owned(left) {
            (left, right)
        } else if is_const(right) && owned(right) {
            (right, left)
        } else {
            return None;
        };
        return Some((constant, if negated { terms.not(value) } else { value }));
    }
    if negated {
        return None;
    }
    if !terms.is_arith(left) {
        return if is_const(left) && owned(left) {
            Some((left, right))
        } else if is_const(right) && owned(right) {
            Some((right, left))
        } else {
            None
        };
    }
    let sum = terms.linear(left);
    let is_int = terms.is_int(left);
    let usable = |(t, c): &&(TermId, Rat)| {
        is_const(*t)
            && (!is_int || c.abs().is_one())
            && (sum.terms.len() <= SHORT_SUM || graph.parents(*t) <= 2)
            && owned(*t)
    };
    // The youngest constant: encodings declare the states before the values of a transition.
    let (constant, coefficient) = sum.terms.iter().rev().find(usable).cloned()?;
    let mut rest = sum;
    rest.terms.retain(|(t, _)| *t != constant);
    rest.constant = -terms.number(right).cloned().unwrap_or_default();
    let factor = -coefficient.recip();
    for (_, c) in &mut rest.terms {
        *c *= &factor;
    }
    rest.constant *= &factor;
    let sort = terms.sort(constant);
    Some((constant, terms.from_linear(rest, sort)))
}

/// Atoms with a constant that occurs nowhere else.
fn find_free_atoms(
    terms: &mut Terms,
    graph: &Graph,
    steps: &mut Vec<Removal>,
    substitution: &mut Map<TermId, TermId>,
) {
    let atoms: Vec<TermId> = graph
        .nodes()
        .map(|(_, t)| t)
        .filter(|&t| {
            matches!(terms.op(t), Op::Le | Op::Lt) || terms.op(t) == Op::Eq && terms.is_arith(terms.arg(t, 0))
        })
        .collect();
    for atom in atoms {
        let left = terms.arg(atom, 0);
        let is_int = terms.is_int(left);
        // Each node between the atom and the constant has one parent.
        let single = |t: TermId| graph.parents(t) == 1;
        if !single(left) {
            continue;
        }
        let summands: Vec<TermId> =
            if terms.op(left) == Op::Add { terms.args(left).to_vec() } else { vec![left] };
        let free = summands.into_iter().find_map(|summand| {
            let scaled = terms.op(summand) == Op::Scale;
            let constant = if scaled { terms.arg(summand, 1) } else { summand };
            let unit = !scaled || terms.number(terms.arg(summand, 0)).is_some_and(|c| c.abs().is_one());
            let usable = matches!(terms.op(constant), Op::Const(_))
                && single(summand)
                && single(constant)
                && (unit || !is_int)
                && graph.is_local(constant);
            usable.then_some(constant)
        });
        if let Some(constant) = free {
            let truth = terms.fresh_const("free", Terms::BOOL);
            substitution.insert(atom, truth);
            steps.push(Removal::Freed { constant, atom, truth });
        }
    }
}
