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

use craig_base::{Budget, IndexVec, Set, StopReason};
use craig_num::Rat;
use craig_term::{Model, Op, TermId, Terms, Value};
use dominators::{Graph, POSITIVE, Place, Places};

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
/// A round that finds less than one constant in so many terms is hardly worth it; the second such round is the last.
const WORTHWHILE: usize = 256;
/// A definition with more summands is used only where it does not multiply.
const SHORT_SUM: usize = 3;

/// Simplifies the parts.
pub fn preprocess(terms: &mut Terms, parts: &[TermId], budget: &Budget) -> Result<Preprocessed, StopReason> {
    let mut result = Preprocessed { parts: parts.to_vec(), steps: Vec::new() };
    let mut places = Places::default();
    let mut poor_rounds = 0;
    for _ in 0..MAX_ROUNDS {
        budget.check()?;
        let graph = Graph::new(terms, &result.parts, &mut places);
        let mut round = Round::new(graph);
        let before = result.steps.len();
        round.find_definitions(terms, &mut result.steps);
        if result.steps.len() == before {
            round.find_free_atoms(terms, &mut result.steps);
        }
        let found = result.steps.len() - before;
        if found == 0 {
            break;
        }
        result.parts = round.replaced(terms);
        poor_rounds += usize::from(found * WORTHWHILE < round.graph.places().len());
        if poor_rounds == 2 {
            break;
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

/// What is replaced at once.
struct Round {
    graph: Graph,
    replacements: IndexVec<Place, Option<TermId>>,
    /// What a chosen definition mentions, which has to stay in this round.
    kept: IndexVec<Place, bool>,
    /// When a place was last seen by [`Round::mentioned`].
    seen: IndexVec<Place, u32>,
    searches: u32,
}

/// A constant that a conjunct determines.
struct Definition {
    constant: Place,
    value: TermId,
    /// What the value is made of.
    parts: Vec<Place>,
}

impl Round {
    fn new(graph: Graph) -> Self {
        let size = graph.places().len();
        Round {
            replacements: IndexVec::from_elem(None, size),
            kept: IndexVec::from_elem(false, size),
            seen: IndexVec::from_elem(0, size),
            searches: 0,
            graph,
        }
    }

    /// The parts after the replacements.
    fn replaced(&self, terms: &mut Terms) -> Vec<TermId> {
        let graph = &self.graph;
        let mut results: IndexVec<Place, TermId> = IndexVec::new();
        let mut new_args = Vec::new();
        for place in graph.places() {
            let t = graph.term(place);
            let is_same = |&arg: &Place| results[arg] == graph.term(arg);
            let result = if let Some(replacement) = self.replacements[place] {
                replacement
            } else if place == graph.root() || graph.args(place).iter().all(is_same) {
                t
            } else {
                new_args.clear();
                new_args.extend(graph.args(place).iter().map(|&arg| results[arg]));
                terms.rebuild(terms.op(t), terms.sort(t), &new_args)
            };
            results.push(result);
        }
        graph.args(graph.root()).iter().map(|&part| results[part]).collect()
    }

    /// Equations of dominating conjunctions, chosen so that they can be used all at once.
    fn find_definitions(&mut self, terms: &mut Terms, steps: &mut Vec<Removal>) {
        for scope in self.graph.places().rev() {
            let is_conjunction = scope == self.graph.root()
                || terms.op(self.graph.term(scope)) == Op::And && self.graph.polarity(scope) == POSITIVE;
            let conjuncts = if is_conjunction { self.graph.args(scope).len() } else { 0 };
            for i in 0..conjuncts {
                let conjunct = self.graph.args(scope)[i];
                let Some(Definition { constant, value, parts }) = self.solve(terms, scope, conjunct) else {
                    continue;
                };
                let mentioned = self.mentioned(terms, parts);
                if mentioned.iter().any(|&t| t == constant || self.replacements[t].is_some()) {
                    continue;
                }
                for t in mentioned {
                    self.kept[t] = true;
                }
                self.replacements[constant] = Some(value);
                steps.push(Removal::Defined { constant: self.graph.term(constant), value });
            }
        }
    }

    /// The constants below some places.
    fn mentioned(&mut self, terms: &Terms, mut stack: Vec<Place>) -> Vec<Place> {
        self.searches += 1;
        let mut mentioned = Vec::new();
        while let Some(place) = stack.pop() {
            if std::mem::replace(&mut self.seen[place], self.searches) == self.searches {
                continue;
            }
            stack.extend_from_slice(self.graph.args(place));
            if is_const(terms, self.graph.term(place)) {
                mentioned.push(place);
            }
        }
        mentioned
    }

    /// A constant that the conjunct determines, and that is mentioned within the scope only.
    fn solve(&self, terms: &mut Terms, scope: Place, conjunct: Place) -> Option<Definition> {
        let graph = &self.graph;
        let owned = |terms: &Terms, place: Place| {
            is_const(terms, graph.term(place))
                && !self.kept[place]
                && self.replacements[place].is_none()
                && graph.is_local(place)
                && graph.dominates(scope, place)
        };
        let negated = terms.op(graph.term(conjunct)) == Op::Not;
        let place = if negated { graph.args(conjunct)[0] } else { conjunct };
        if owned(terms, place) {
            return Some(Definition { constant: place, value: terms.bool(!negated), parts: Vec::new() });
        }
        let t = graph.term(place);
        if terms.op(t) != Op::Eq {
            return None;
        }
        let [left, right] = *graph.args(place) else { return None };
        let is_bool = terms.is_bool(graph.term(left));
        if negated && !is_bool {
            return None;
        }
        if terms.is_arith(graph.term(left)) {
            return self.solve_sum(terms, left, graph.term(right), owned);
        }
        let (constant, other) = if owned(terms, left) {
            (left, right)
        } else if owned(terms, right) {
            (right, left)
        } else {
            return None;
        };
        let value = graph.term(other);
        let value = if negated { terms.not(value) } else { value };
        Some(Definition { constant, value, parts: vec![other] })
    }

    /// A constant of the sum `left`, which is equal to the numeral `right`.
    fn solve_sum(
        &self,
        terms: &mut Terms,
        left: Place,
        right: TermId,
        owned: impl Fn(&Terms, Place) -> bool,
    ) -> Option<Definition> {
        let graph = &self.graph;
        let is_int = terms.is_int(graph.term(left));
        let summands = || self.summands(terms, left);
        let is_short = summands().count() <= SHORT_SUM;
        let usable = |&(t, is_unit): &(Place, bool)| {
            (is_unit || !is_int) && (is_short || graph.parents(t) <= 2) && owned(terms, t)
        };
        // The youngest constant: encodings declare the states before the values of a transition.
        let (constant, _) = summands().filter(usable).last()?;
        let parts = summands().map(|(t, _)| t).filter(|&t| t != constant).collect();
        let mut rest = terms.linear(graph.term(left));
        let at = rest.terms.iter().position(|(t, _)| *t == graph.term(constant))?;
        let (_, coefficient) = rest.terms.remove(at);
        rest.constant = -terms.number(right).cloned().unwrap_or_default();
        let factor = -coefficient.recip();
        for (_, c) in &mut rest.terms {
            *c *= &factor;
        }
        rest.constant *= &factor;
        let sort = terms.sort(graph.term(constant));
        Some(Definition { constant, value: terms.from_linear(rest, sort), parts })
    }

    /// What a sum without a numeral adds up, and whether its coefficient is 1 or -1.
    fn summands<'a>(&'a self, terms: &'a Terms, sum: Place) -> impl Iterator<Item = (Place, bool)> + 'a {
        let graph = &self.graph;
        let is_sum = terms.op(graph.term(sum)) == Op::Add;
        let summands = is_sum.then(|| graph.args(sum)).into_iter().flatten().copied();
        summands.chain((!is_sum).then_some(sum)).map(move |summand| match *graph.args(summand) {
            [factor, t] if terms.op(graph.term(summand)) == Op::Scale => {
                (t, terms.number(graph.term(factor)).is_some_and(|c| c.abs().is_one()))
            }
            _ => (summand, true),
        })
    }

    /// Atoms with a constant that occurs nowhere else.
    fn find_free_atoms(&mut self, terms: &mut Terms, steps: &mut Vec<Removal>) {
        for atom in self.graph.places().rev() {
            let Some(constant) = self.freeing(terms, atom) else { continue };
            let truth = terms.fresh_const("free", Terms::BOOL);
            self.replacements[atom] = Some(truth);
            let (constant, atom) = (self.graph.term(constant), self.graph.term(atom));
            steps.push(Removal::Freed { constant, atom, truth });
        }
    }

    /// A constant that can make the atom true or false, and is mentioned nowhere else.
    fn freeing(&self, terms: &Terms, atom: Place) -> Option<Place> {
        let graph = &self.graph;
        let [left, _] = *graph.args(atom) else { return None };
        let is_atom = match terms.op(graph.term(atom)) {
            Op::Le | Op::Lt => true,
            Op::Eq => terms.is_arith(graph.term(left)),
            _ => false,
        };
        // Each node between the atom and the constant has one parent.
        let single = |place: Place| graph.parents(place) == 1;
        if !is_atom || !single(left) {
            return None;
        }
        let is_int = terms.is_int(graph.term(left));
        let is_sum = terms.op(graph.term(left)) == Op::Add;
        let summands = if is_sum { graph.args(left) } else { std::slice::from_ref(&left) };
        summands.iter().find_map(|&summand| {
            let (constant, is_unit) = self.summands(terms, summand).next()?;
            let usable = is_const(terms, graph.term(constant))
                && single(summand)
                && single(constant)
                && (is_unit || !is_int)
                && graph.is_local(constant);
            usable.then_some(constant)
        })
    }
}

fn is_const(terms: &Terms, t: TermId) -> bool {
    matches!(terms.op(t), Op::Const(_))
}
