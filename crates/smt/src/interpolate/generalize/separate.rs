//! Interpolants from samples: half-spaces that separate implicants of `A` from implicants of `B`.
//!
//! As in *Beautiful interpolants* (Albarghouthi and McMillan, CAV 2013): a sample is a conjunction of
//! literals that implies `A` (or `B`). The candidate is a disjunction over groups of `A`-samples of
//! conjunctions over groups of `B`-samples, each made of a Boolean literal or half-space `c·x <= d`
//! that all `A`-samples of the group imply and all `B`-samples contradict. By Farkas' lemma this is a
//! linear problem in `c`, `d` and the multipliers of the samples' literals; the coefficients `c` are
//! integers and small, so that the half-spaces are simple. A model of `A` outside the candidate, or of
//! `B` inside, gives the next sample.
//!
//! Groups are found greedily: one for all, then sample by sample.

use super::solver_with;
use crate::native::{NativeSolver, Options};
use crate::project::implicant;
use crate::solver::{Answer, Solver};
use craig_base::{Budget, OrderedMap, Set};
use craig_num::{Int, Rat};
use craig_term::{LinearSum, Model, Op, TermId, Terms, Value};

/// Samples of both sides together.
const MAX_SAMPLES: usize = 24;
/// Larger implicants have too many multipliers.
const MAX_LITERALS: usize = 60;
/// The coefficients of half-spaces, tried in this order.
const COEFFICIENTS: [i64; 2] = [1, 4];
const MAX_CONFLICTS: u64 = 300;

/// A conjunction of literals, those over numbers as `sum <= 0`.
struct Sample {
    others: Vec<TermId>,
    inequalities: Vec<LinearSum>,
}

/// An interpolant of `a` and `b`, or none that is simple enough to be found.
pub fn separate(terms: &mut Terms, a: TermId, b: TermId, budget: &Budget) -> Option<TermId> {
    let in_b: Set<TermId> = terms.free_consts(b).into_iter().collect();
    let common: Set<TermId> = terms.free_consts(a).into_iter().filter(|t| in_b.contains(t)).collect();
    let (mut from_a, mut from_b) = (Vec::new(), Vec::new());
    let mut candidate = Terms::FALSE;
    loop {
        let outside = terms.not(candidate);
        if let Some(sample) = sample(terms, a, outside, budget)? {
            from_a.push(sample);
        } else if let Some(sample) = sample(terms, b, candidate, budget)? {
            from_b.push(sample);
        } else {
            return Some(candidate);
        }
        if from_a.len() + from_b.len() > MAX_SAMPLES {
            return None;
        }
        candidate = Separation { common: &common, budget }.of_all(terms, &from_a, &from_b)?;
    }
}

/// An implicant of `formula` that has a point in `place`; the inner `None` means there is none, the
/// outer that nothing can be said or used.
fn sample(terms: &mut Terms, formula: TermId, place: TermId, budget: &Budget) -> Option<Option<Sample>> {
    let both = terms.and2(formula, place);
    let mut solver = solver_with(terms, both);
    let model = match solver.check(terms, &[], budget) {
        Answer::Unsat => return Some(None),
        Answer::Unknown(_) => return None,
        Answer::Sat => solver.model()?.clone(),
    };
    let literals = implicant(terms, &[formula], &model).ok()?;
    if literals.len() > MAX_LITERALS {
        return None;
    }
    let mut sample = Sample { others: Vec::new(), inequalities: Vec::new() };
    for literal in literals {
        if !add_inequalities(terms, literal, &model, &mut sample.inequalities) {
            sample.others.push(literal);
        }
    }
    Some(Some(sample))
}

/// Adds a literal over numbers as `sum <= 0`, one or two of them. A disequality becomes the side that
/// the model is on, and a strict inequality the closed one.
fn add_inequalities(terms: &Terms, literal: TermId, model: &Model, out: &mut Vec<LinearSum>) -> bool {
    let (atom, negated) = terms.strip_not(literal);
    let comparison = matches!(terms.op(atom), Op::Le | Op::Lt | Op::Eq);
    if !comparison || !terms.is_arith(terms.arg(atom, 0)) {
        return false;
    }
    let mut sum = terms.linear(terms.arg(atom, 0));
    sum.constant -= terms.number(terms.arg(atom, 1)).cloned().unwrap_or_default();
    let integer = terms.is_int(terms.arg(atom, 0));
    let mut push = |sum: &LinearSum, sign: i64, step: bool| {
        let sign = Rat::from(sign);
        let mut scaled = sum.clone();
        scaled.constant *= &sign;
        for (_, c) in &mut scaled.terms {
            *c *= &sign;
        }
        // Over the integers, below zero is at most minus one.
        if step && integer {
            scaled.constant += Rat::from(1);
        }
        out.push(scaled);
    };
    match (terms.op(atom), negated) {
        (Op::Eq, false) => {
            push(&sum, 1, false);
            push(&sum, -1, false);
        }
        (Op::Eq, true) => {
            let value = match terms.eval(terms.arg(atom, 0), model) {
                Ok(Value::Int(value)) => Rat::from(value),
                Ok(Value::Real(value)) => value,
                _ => return false,
            };
            let below = value < terms.number(terms.arg(atom, 1)).cloned().unwrap_or_default();
            push(&sum, if below { 1 } else { -1 }, true);
        }
        (_, true) => push(&sum, -1, true),
        (op, false) => push(&sum, 1, op == Op::Lt),
    }
    true
}

struct Separation<'a> {
    common: &'a Set<TermId>,
    budget: &'a Budget,
}

impl Separation<'_> {
    /// True on all samples of `A`, false on all of `B`.
    fn of_all(&self, terms: &mut Terms, a: &[Sample], b: &[Sample]) -> Option<TermId> {
        if a.is_empty() {
            return Some(Terms::FALSE);
        }
        let every_a: Vec<&Sample> = a.iter().collect();
        if let Some(conjunction) = self.against_all(terms, &every_a, b) {
            return Some(conjunction);
        }
        let mut groups: Vec<(Vec<&Sample>, TermId)> = Vec::new();
        'samples: for sample in a {
            for (group, formula) in &mut groups {
                let mut larger = group.clone();
                larger.push(sample);
                if let Some(conjunction) = self.against_all(terms, &larger, b) {
                    (*group, *formula) = (larger, conjunction);
                    continue 'samples;
                }
            }
            let conjunction = self.against_all(terms, &[sample], b)?;
            groups.push((vec![sample], conjunction));
        }
        let disjuncts: Vec<TermId> = groups.into_iter().map(|(_, formula)| formula).collect();
        Some(terms.or(&disjuncts))
    }

    /// A conjunction that all of `A` imply and that each of `B` contradicts.
    fn against_all(&self, terms: &mut Terms, a: &[&Sample], b: &[Sample]) -> Option<TermId> {
        let every_b: Vec<&Sample> = b.iter().collect();
        if b.is_empty() {
            return Some(Terms::TRUE);
        }
        if let Some(one) = self.one(terms, a, &every_b) {
            return Some(one);
        }
        let mut groups: Vec<(Vec<&Sample>, TermId)> = Vec::new();
        'samples: for sample in b {
            for (group, formula) in &mut groups {
                let mut larger = group.clone();
                larger.push(sample);
                if let Some(one) = self.one(terms, a, &larger) {
                    (*group, *formula) = (larger, one);
                    continue 'samples;
                }
            }
            let one = self.one(terms, a, &[sample])?;
            groups.push((vec![sample], one));
        }
        let conjuncts: Vec<TermId> = groups.into_iter().map(|(_, formula)| formula).collect();
        Some(terms.and(&conjuncts))
    }

    /// One literal or half-space between the two.
    fn one(&self, terms: &mut Terms, a: &[&Sample], b: &[&Sample]) -> Option<TermId> {
        let is_common =
            |terms: &Terms, t: TermId| terms.free_consts(t).iter().all(|c| self.common.contains(c));
        for &literal in &a.first()?.others {
            let negation = terms.not(literal);
            if is_common(terms, literal)
                && a.iter().all(|sample| sample.others.contains(&literal))
                && b.iter().all(|sample| sample.others.contains(&negation))
            {
                return Some(literal);
            }
        }
        COEFFICIENTS.into_iter().find_map(|largest| self.half_space(terms, a, b, largest))
    }

    fn half_space(&self, terms: &mut Terms, a: &[&Sample], b: &[&Sample], largest: i64) -> Option<TermId> {
        // The coefficient of each common variable; everything else has to cancel.
        let mut coefficients: OrderedMap<TermId, TermId> = OrderedMap::default();
        for (t, _) in a.iter().flat_map(|sample| &sample.inequalities).flat_map(|sum| &sum.terms) {
            let usable = terms.free_consts(*t).iter().all(|c| self.common.contains(c));
            if usable && !coefficients.contains_key(t) {
                coefficients.insert(*t, terms.fresh_const("h", Terms::INT));
            }
        }
        if coefficients.is_empty() {
            return None;
        }
        let mut solver = NativeSolver::new(Options {
            preprocess: false,
            conflicts: MAX_CONFLICTS,
            splits: 200,
            ..Options::default()
        });
        let (low, high) = (terms.int(-largest), terms.int(largest));
        for &c in coefficients.values() {
            let bounds = [terms.le(low, c), terms.le(c, high)];
            bounds.into_iter().for_each(|bound| solver.assert(terms, bound));
        }
        let bound = terms.fresh_const("h", Terms::REAL);
        // c·x <= bound on A: the combination has the constant -bound or more.
        for sample in a {
            let constant = self.combination(terms, &mut solver, sample, &coefficients, 1);
            let total = terms.add2(constant, bound);
            let zero = terms.real(0);
            let holds = terms.le(zero, total);
            solver.assert(terms, holds);
        }
        // c·x >= bound + 1 on B.
        for sample in b {
            let constant = self.combination(terms, &mut solver, sample, &coefficients, -1);
            let missing = terms.sub(constant, bound);
            let one = terms.real(1);
            let holds = terms.le(one, missing);
            solver.assert(terms, holds);
        }
        if solver.check(terms, &[], self.budget) != Answer::Sat {
            return None;
        }
        let model = solver.model()?;
        let number = |t: TermId| match model.get(t) {
            Some(Value::Int(value)) => Rat::from(value.clone()),
            Some(Value::Real(value)) => value.clone(),
            _ => Rat::from(0),
        };
        let limit = number(bound);
        let integer = coefficients.keys().all(|&t| terms.is_int(t));
        let limit = if integer { Rat::from_int(limit.floor()) } else { limit };
        let mut sum = LinearSum { terms: Vec::new(), constant: -limit };
        let chosen: Vec<(TermId, Rat)> = coefficients.iter().map(|(&t, &c)| (t, number(c))).collect();
        for (t, c) in chosen.into_iter().filter(|(_, c)| !c.is_zero()) {
            sum.terms.push((if integer { t } else { terms.to_real(t) }, c));
        }
        let sort = if integer { Terms::INT } else { Terms::REAL };
        Some(terms.linear_le(sum, false, sort))
    }

    /// Constrains a sum of the sample's inequalities, with multipliers that are not negative, to have
    /// the coefficients times `sign`; its constant.
    fn combination(
        &self,
        terms: &mut Terms,
        solver: &mut NativeSolver,
        sample: &Sample,
        coefficients: &OrderedMap<TermId, TermId>,
        sign: i64,
    ) -> TermId {
        let zero = terms.real(0);
        let mut columns: OrderedMap<TermId, Vec<TermId>> = OrderedMap::default();
        let mut constant = Vec::new();
        for inequality in &sample.inequalities {
            let multiplier = terms.fresh_const("m", Terms::REAL);
            let positive = terms.le(zero, multiplier);
            solver.assert(terms, positive);
            for (t, c) in &inequality.terms {
                let product = terms.scale(c, multiplier);
                columns.entry(*t).or_default().push(product);
            }
            constant.push(terms.scale(&inequality.constant, multiplier));
        }
        // What the sample does not mention needs a coefficient of zero.
        let unmentioned: Vec<TermId> =
            coefficients.keys().copied().filter(|t| !columns.contains_key(t)).collect();
        for t in unmentioned {
            columns.insert(t, Vec::new());
        }
        for (t, products) in columns {
            let sum = terms.add(&[&products[..], &[zero]].concat());
            let wanted = match coefficients.get(&t) {
                Some(&c) => {
                    let c = terms.to_real(c);
                    terms.scale(&Rat::from_int(Int::from(sign)), c)
                }
                None => zero,
            };
            let equal = terms.eq(sum, wanted);
            solver.assert(terms, equal);
        }
        terms.add(&[&constant[..], &[zero]].concat())
    }
}
