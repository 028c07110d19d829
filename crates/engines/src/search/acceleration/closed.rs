//! Closed forms: what a step does when it is repeated `n` times.
//!
//! The value of a component after `i` rounds is a sum of terms `c * C(i, k)`, for binomial coefficients `C` and terms `c`
//! over the state before the first round. In this basis sums and shifts are exact over the integers. A component has
//! such a form if
//!
//! - it does not change,
//! - it grows by something that has one (`x += y`), or
//! - it becomes something that has one and does not depend on itself (`x = y + 1`), from the next round on.
//!
//! Quotients and remainders by numerals have one where the dividend grows by multiples of the divisor: what is periodic is
//! constant in steps that go through a whole period.
//!
//! The guard holds in every round if it does in those before the forms are valid, and in all others. Of a comparison of
//! degree one the latter follows from the first and the last round, of degree two from these and from where it turns.

use super::step::{Part, Step};
use craig_base::Map;
use craig_num::{Int, Rat};
use craig_program::encode::CutpointEncoding;
use craig_term::{LinearSum, Op, Substitution, TermId, Terms};

/// Rounds before forms are valid.
const MAX_FIRST: usize = 2;
const MAX_DEGREE: usize = 3;

/// A value after `i` rounds, for all `i` from `first` on.
#[derive(Clone, Debug)]
struct Form {
    first: usize,
    /// The factors of `C(i, 0)`, `C(i, 1)`, ...; of something that is not a number only the first.
    factors: Vec<TermId>,
}

impl Form {
    fn constant(t: TermId) -> Form {
        Form { first: 0, factors: vec![t] }
    }

    /// The factors without zeros at the end.
    fn trimmed(mut self, tm: &Terms) -> Form {
        while self.factors.len() > 1 && self.factors.last().is_some_and(|&t| is_zero(tm, t)) {
            self.factors.pop();
        }
        self
    }

    fn degree(&self) -> usize {
        self.factors.len() - 1
    }

    /// The value after a round later than `first`, given the binomial coefficients of its number.
    fn at(&self, tm: &mut Terms, binomials: &[TermId]) -> TermId {
        if self.factors.len() == 1 {
            return self.factors[0];
        }
        let parts: Vec<TermId> =
            self.factors.iter().zip(binomials).map(|(&factor, &binomial)| tm.mul(factor, binomial)).collect();
        tm.add(&parts)
    }
}

fn is_zero(tm: &Terms, t: TermId) -> bool {
    tm.number(t).is_some_and(Rat::is_zero)
}

/// The binomial coefficients of a small number.
fn binomials(tm: &mut Terms, number: usize) -> Vec<TermId> {
    let mut coefficient = Int::from(1);
    let mut all = Vec::new();
    for k in 0..=MAX_DEGREE {
        all.push(tm.int(coefficient.clone()));
        let factor = Int::from(i64::try_from(number).unwrap_or(0) - k as i64);
        coefficient = (coefficient * factor).div_euclid(&Int::from(k as i64 + 1));
    }
    all
}

/// Those of the number before: `C(i - 1, k)` is the alternating sum of `C(i, j)` for `j <= k`.
fn before(tm: &mut Terms, binomials: &[TermId]) -> Vec<TermId> {
    let mut all: Vec<TermId> = Vec::new();
    for &binomial in binomials {
        all.push(match all.last() {
            Some(&last) => tm.sub(binomial, last),
            None => binomial,
        });
    }
    all
}

/// The step repeated, by a number of rounds that is a parameter of the result; at least two.
pub(super) fn repeated(tm: &mut Terms, encoding: &CutpointEncoding, step: &Step) -> Option<Step> {
    debug_assert_eq!(step.from, step.to);
    let current: Vec<TermId> = step.state(encoding).iter().map(|constant| constant.current).collect();
    let mut forms = Forms { forms: Map::default(), current: current.clone(), next: step.next.clone() };
    forms.find(tm)?;
    let first = forms.forms.values().map(|form| form.first).max().unwrap_or(0);
    if forms.forms.values().all(|form| form.degree() == 0) && first == 0 {
        // Nothing changes.
        return None;
    }
    let rounds = tm.fresh_const("rounds", Terms::INT);
    let at_least = tm.int(i64::try_from(first + 2).ok()?);
    let mut guard = vec![tm.ge(rounds, at_least)];
    let one = tm.int(1);
    let mut at_end = vec![one, rounds];
    let mut parameters = step.parameters.clone();
    parameters.push(rounds);
    let largest = forms.forms.values().map(Form::degree).max().unwrap_or(0);
    for k in 2..=largest {
        // `k * C(n, k) = (n - k + 1) * C(n, k - 1)`.
        let binomial = tm.fresh_const("binomial", Terms::INT);
        let less = tm.int(k as i64 - 1);
        let factor = tm.sub(rounds, less);
        let product = tm.mul(factor, at_end[k - 1]);
        let multiple = tm.scale(&Rat::from(k as i64), binomial);
        guard.push(tm.eq(multiple, product));
        parameters.push(binomial);
        at_end.push(binomial);
    }
    // Round by round, until all forms are valid.
    let mut state = current.clone();
    for _ in 0..first {
        guard.extend(forms.in_state(tm, &state, &step.guard));
        state = forms.in_state(tm, &state, &step.next);
    }
    let begin = binomials(tm, first);
    let last = before(tm, &at_end);
    for &literal in &step.guard {
        forms.always(tm, literal, first, (&begin, &last, rounds), &mut guard)?;
    }
    let next: Option<Vec<TermId>> =
        current.iter().map(|constant| Some(forms.forms.get(constant)?.at(tm, &at_end))).collect();
    let way = vec![Part::Repeat(rounds, step.way.clone())];
    let mut repeated = Step { from: step.from, to: step.to, guard, next: next?, parameters, way };
    (repeated.flatten(tm) && repeated.solve_parameters(tm)).then_some(repeated)
}

struct Forms {
    forms: Map<TermId, Form>,
    current: Vec<TermId>,
    next: Vec<TermId>,
}

impl Forms {
    /// Terms over the state before a round, in a state.
    fn in_state(&self, tm: &mut Terms, state: &[TermId], over: &[TermId]) -> Vec<TermId> {
        let mut substitution =
            Substitution::from_pairs(self.current.iter().copied().zip(state.iter().copied()));
        over.iter().map(|&t| substitution.apply(tm, t)).collect()
    }

    /// Finds the form of each component, those first on which others depend.
    fn find(&mut self, tm: &mut Terms) -> Option<()> {
        let all: Vec<(TermId, TermId)> =
            self.current.iter().copied().zip(self.next.iter().copied()).collect();
        let mut open = all.clone();
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            for (constant, next) in open {
                match self.of_component(tm, constant, next) {
                    Some(form) if form.first <= MAX_FIRST && form.degree() <= MAX_DEGREE => {
                        self.forms.insert(constant, form);
                    }
                    _ => left.push((constant, next)),
                }
            }
            if left.len() == before {
                return None;
            }
            open = left;
        }
        Some(())
    }

    fn of_component(&self, tm: &mut Terms, constant: TermId, next: TermId) -> Option<Form> {
        if next == constant {
            return Some(Form::constant(constant));
        }
        if !tm.is_int(constant) {
            let form = self.of_term(tm, next)?;
            return Some(Form { first: form.first + 1, ..form });
        }
        let mut sum = tm.linear(next);
        let own = sum.terms.iter().position(|&(t, _)| t == constant);
        let Some(own) = own else {
            // Assigned again in each round.
            let form = self.of_term(tm, next)?;
            let factors = shifted(tm, &form.factors);
            return Some(Form { first: form.first + 1, factors }.trimmed(tm));
        };
        if !sum.terms[own].1.is_one() {
            return None;
        }
        sum.terms.remove(own);
        let growth = tm.from_linear(sum, Terms::INT);
        let growth = self.of_term(tm, growth)?;
        let first = growth.first;
        let mut factors = vec![tm.int(0)];
        factors.extend(&growth.factors);
        // The value after the first rounds, without what the sum gives for them.
        let mut state = self.current.clone();
        for _ in 0..first {
            state = self.in_state(tm, &state, &self.next);
        }
        let begin = self.in_state(tm, &state, &[constant])[0];
        let binomials = binomials(tm, first);
        let sum = Form { first, factors: factors.clone() }.at(tm, &binomials);
        factors[0] = tm.sub(begin, sum);
        Some(Form { first, factors }.trimmed(tm))
    }

    /// The form of a term over the state before a round.
    fn of_term(&self, tm: &mut Terms, t: TermId) -> Option<Form> {
        let mut known: Map<TermId, Form> = Map::default();
        for part in tm.postorder(&[t]) {
            if let Some(form) = self.of_node(tm, part, &known) {
                known.insert(part, form);
            }
        }
        known.remove(&t)
    }

    /// The form of a term, where those of its arguments are known, if they have any.
    fn of_node(&self, tm: &mut Terms, t: TermId, known: &Map<TermId, Form>) -> Option<Form> {
        match tm.op(t) {
            Op::Const(_) if self.current.contains(&t) => self.forms.get(&t).cloned(),
            // A parameter is the same in each round.
            Op::Const(_) | Op::Number(..) | Op::True | Op::False => Some(Form::constant(t)),
            Op::Add | Op::Scale => {
                let sum = tm.linear(t);
                of_sum(tm, &sum, known)
            }
            Op::Mul => of_product(tm, t, known),
            Op::Div | Op::Mod if tm.number(tm.arg(t, 1)).is_some() => of_quotient(tm, t, known),
            _ => self.of_constant(tm, t),
        }
    }

    /// Something that depends on constant components only.
    fn of_constant(&self, tm: &mut Terms, t: TermId) -> Option<Form> {
        let mut first = 0;
        let mut substitution = Substitution::default();
        for constant in tm.free_consts(t) {
            if self.current.contains(&constant) {
                let form = self.forms.get(&constant)?;
                if form.degree() > 0 {
                    return None;
                }
                first = first.max(form.first);
                substitution.insert(constant, form.factors[0]);
            }
        }
        Some(Form { first, factors: vec![substitution.apply(tm, t)] })
    }

    /// Adds that a literal holds before each round from `first` to the last.
    fn always(
        &self,
        tm: &mut Terms,
        literal: TermId,
        first: usize,
        (begin, last, rounds): (&[TermId], &[TermId], TermId),
        guard: &mut Vec<TermId>,
    ) -> Option<()> {
        let (atom, negated) = tm.strip_not(literal);
        let is_comparison = matches!(tm.op(atom), Op::Le | Op::Eq) && tm.is_int(tm.arg(atom, 0));
        if !is_comparison || negated && tm.op(atom) == Op::Eq {
            let form = self.of_constant(tm, literal)?;
            guard.push(form.factors[0]);
            return Some(());
        }
        // As `rest >= 0`.
        let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
        let mut rest = tm.sub(right, left);
        if negated {
            let minus_one = tm.int(-1);
            rest = tm.neg(rest);
            rest = tm.add2(rest, minus_one);
        }
        let form = self.of_term(tm, rest)?;
        let zero = tm.int(0);
        let is_equality = tm.op(atom) == Op::Eq;
        let mut holds = |tm: &mut Terms, binomials: &[TermId]| {
            let value = form.at(tm, binomials);
            let part = if is_equality { tm.eq(value, zero) } else { tm.ge(value, zero) };
            guard.push(part);
        };
        holds(tm, begin);
        if form.degree() == 0 {
            return Some(());
        }
        holds(tm, last);
        match form.degree() {
            1 => Some(()),
            2 if !is_equality => {
                let [_, linear, square] = form.factors[..] else { return None };
                let at_first = tm.scale(&Rat::from(i64::try_from(first).ok()?), square);
                let at_first = tm.add2(linear, at_first);
                let two = tm.int(2);
                let number = tm.sub(rounds, two);
                let at_last = tm.mul(square, number);
                let at_last = tm.add2(linear, at_last);
                let parts = [tm.le(square, zero), tm.ge(at_first, zero), tm.le(at_last, zero)];
                guard.push(tm.or(&parts));
                Some(())
            }
            _ => None,
        }
    }
}

/// The factors for the number of rounds of those for one round less: `C(i - 1, k)` by `C(i, j)`.
fn shifted(tm: &mut Terms, factors: &[TermId]) -> Vec<TermId> {
    // `sum_k f_k sum_(j <= k) (-1)^(k-j) C(i, j)`: from the last one on, each is `f_j` minus the one after it.
    let mut all: Vec<TermId> = Vec::new();
    for &factor in factors.iter().rev() {
        all.push(match all.last() {
            Some(&after) => tm.sub(factor, after),
            None => factor,
        });
    }
    all.reverse();
    all
}

fn of_sum(tm: &mut Terms, sum: &LinearSum, known: &Map<TermId, Form>) -> Option<Form> {
    let constant =
        tm.from_linear(LinearSum { terms: Vec::new(), constant: sum.constant.clone() }, Terms::INT);
    let mut all = Form::constant(constant);
    for (part, factor) in &sum.terms {
        let form = known.get(part)?;
        all.first = all.first.max(form.first);
        let zero = tm.int(0);
        all.factors.resize(all.factors.len().max(form.factors.len()), zero);
        for (k, &more) in form.factors.iter().enumerate() {
            let more = tm.scale(factor, more);
            all.factors[k] = tm.add2(all.factors[k], more);
        }
    }
    Some(all.trimmed(tm))
}

/// A product in which one factor changes.
fn of_product(tm: &mut Terms, t: TermId, known: &Map<TermId, Form>) -> Option<Form> {
    let mut all = Form::constant(tm.int(1));
    for factor in tm.args(t).to_vec() {
        let form = known.get(&factor)?;
        let (changing, constant) = if all.degree() > 0 { (&all, form) } else { (form, &all) };
        if constant.degree() > 0 {
            return None;
        }
        let by = constant.factors[0];
        let first = all.first.max(form.first);
        let factors = changing.factors.clone();
        all = Form { first, factors: factors.into_iter().map(|factor| tm.mul(factor, by)).collect() };
    }
    Some(all)
}

/// A quotient or remainder of something that grows by multiples of the divisor.
fn of_quotient(tm: &mut Terms, t: TermId, known: &Map<TermId, Form>) -> Option<Form> {
    let (dividend, divisor) = (tm.arg(t, 0), tm.arg(t, 1));
    let number = tm.number(divisor)?.clone();
    let form = known.get(&dividend)?;
    let is_quotient = tm.op(t) == Op::Div;
    let mut factors = Vec::new();
    for (k, &factor) in form.factors.iter().enumerate() {
        factors.push(if k == 0 {
            if is_quotient { tm.div(factor, divisor) } else { tm.modulo(factor, divisor) }
        } else {
            let exact = tm.exact_quotient(factor, &number)?;
            if is_quotient { exact } else { tm.int(0) }
        });
    }
    Some(Form { first: form.first, factors }.trimmed(tm))
}
