//! A conjunction of literals, and the order in which constants are eliminated from it.

use super::ProjectError;
use craig_base::{Map, Set};
use craig_num::{Int, Rat};
use craig_term::{LinearSum, Model, Op, SortId, TermId, Terms, Value};

/// A literal over linear sums. `strict` occurs for reals only.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    /// `sum <= 0`, or `sum < 0`.
    AtMost { sum: LinearSum, strict: bool },
    /// `sum = 0`.
    Zero(LinearSum),
    /// `divisor` divides `sum`.
    Divides { divisor: Int, sum: LinearSum },
}

impl Literal {
    pub fn sum(&self) -> &LinearSum {
        match self {
            Literal::AtMost { sum, .. } | Literal::Zero(sum) | Literal::Divides { sum, .. } => sum,
        }
    }
}

/// Literals of one arithmetic sort, with the model that makes them true.
pub(super) struct Cube {
    pub literals: Vec<Literal>,
    pub sort: SortId,
    pub model: Model,
}

pub(super) fn project_cube(
    terms: &mut Terms,
    literals: Vec<TermId>,
    eliminated: &Set<TermId>,
    model: &Model,
) -> Result<TermId, ProjectError> {
    let literals = without_blocked(terms, literals, eliminated, model)?;
    let mut split = Split {
        eliminated: eliminated.clone(),
        kept: Vec::new(),
        quotients: Map::default(),
        reals: Cube { literals: Vec::new(), sort: Terms::REAL, model: model.clone() },
        integers: Cube { literals: Vec::new(), sort: Terms::INT, model: model.clone() },
    };
    for literal in literals {
        split.add(terms, literal)?;
    }
    // Reals first: an atom between reals and integers may be one of integers alone after that.
    let real_constants = split.constants(terms, Terms::REAL);
    eliminate_all(terms, &mut split.reals, real_constants)?;
    let rest = split.reals.build(terms);
    split.reals.literals.clear();
    let blocked = split.integers_among_reals(terms, &rest);
    let rest = substitute_values(terms, rest, &blocked, model)?;
    for literal in rest {
        split.add(terms, literal)?;
    }
    let integer_constants = split.constants(terms, Terms::INT);
    eliminate_all(terms, &mut split.integers, integer_constants)?;
    let mut result = split.integers.build(terms);
    result.extend(split.reals.build(terms));
    result.append(&mut split.kept);
    Ok(terms.and(&result))
}

/// Replaces by their values those constants for which nothing better is possible.
fn without_blocked(
    terms: &mut Terms,
    mut literals: Vec<TermId>,
    eliminated: &Set<TermId>,
    model: &Model,
) -> Result<Vec<TermId>, ProjectError> {
    loop {
        let blocked = blocked(terms, &literals, eliminated);
        if blocked.is_empty() {
            return Ok(literals);
        }
        // Reading from a known place of an array can leave something that is no literal.
        let replaced = substitute_values(terms, literals, &blocked, model)?;
        literals = Vec::new();
        for formula in replaced {
            literals.extend(super::implicant(terms, formula, |t| eliminated.contains(&t), model)?);
        }
    }
}

/// Eliminated constants that occur where only their value can replace them.
fn blocked(terms: &Terms, literals: &[TermId], eliminated: &Set<TermId>) -> Vec<TermId> {
    let linear = |t: TermId| match terms.op(t) {
        Op::Not | Op::Le | Op::Lt | Op::Add | Op::Scale | Op::ToReal | Op::Const(_) => true,
        Op::Eq => terms.is_arith(terms.arg(t, 0)),
        Op::Div | Op::Mod => terms.int_value(terms.arg(t, 1)).is_some_and(|divisor| divisor.is_positive()),
        _ => false,
    };
    let opaque: Vec<TermId> =
        terms.postorder(literals).into_iter().filter(|&t| !terms.args(t).is_empty() && !linear(t)).collect();
    terms.free_consts_of(&opaque).into_iter().filter(|t| eliminated.contains(t)).collect()
}

fn substitute_values(
    terms: &mut Terms,
    literals: Vec<TermId>,
    constants: &[TermId],
    model: &Model,
) -> Result<Vec<TermId>, ProjectError> {
    if constants.is_empty() {
        return Ok(literals);
    }
    let mut map: Map<TermId, TermId> = Map::default();
    for &constant in constants {
        let sort = terms.sort(constant);
        let value = model.get(constant).cloned().unwrap_or_else(|| terms.default_value(sort));
        map.insert(constant, terms.value_term(&value, sort).ok_or(ProjectError::NoValue(constant))?);
    }
    Ok(literals.into_iter().map(|literal| terms.substitute(literal, &map)).collect())
}

/// Literals on their way into cubes.
struct Split {
    eliminated: Set<TermId>,
    /// What mentions no eliminated constant.
    kept: Vec<TermId>,
    /// The constants that stand for quotients of dividend and divisor; they are eliminated too.
    quotients: Map<(TermId, TermId), TermId>,
    reals: Cube,
    integers: Cube,
}

impl Split {
    /// The constants of a sort to eliminate, in a fixed order.
    fn constants(&self, terms: &Terms, sort: SortId) -> Vec<TermId> {
        let mut constants: Vec<TermId> =
            self.eliminated.iter().copied().filter(|&t| terms.sort(t) == sort).collect();
        constants.sort_unstable();
        constants
    }

    fn mentions(&self, terms: &Terms, t: TermId) -> bool {
        terms.free_consts(t).iter().any(|constant| self.eliminated.contains(constant))
    }

    /// Integer constants to eliminate that occur in atoms over reals.
    fn integers_among_reals(&self, terms: &Terms, literals: &[TermId]) -> Vec<TermId> {
        let over_reals = |t: &TermId| {
            let (atom, _) = terms.strip_not(*t);
            terms.args(atom).first().is_some_and(|&left| terms.sort(left) == Terms::REAL)
        };
        let atoms: Vec<TermId> = literals.iter().copied().filter(over_reals).collect();
        terms.free_consts_of(&atoms).into_iter().filter(|t| self.eliminated.contains(t)).collect()
    }

    fn add(&mut self, terms: &mut Terms, literal: TermId) -> Result<(), ProjectError> {
        let mut open = vec![literal];
        while let Some(literal) = open.pop() {
            if terms.is_true(literal) {
                continue;
            }
            if !self.mentions(terms, literal) {
                self.kept.push(literal);
                continue;
            }
            let (atom, negated) = terms.strip_not(literal);
            let op = terms.op(atom);
            if let Op::Const(_) = op {
                // A Boolean to eliminate: the cube says nothing else about it.
                continue;
            }
            let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
            let sort = terms.sort(left);
            let difference = terms.sub(left, right);
            if op == Op::Eq
                && let Some(divides) = self.divisibility(terms, difference, negated)?
            {
                open.push(divides);
                continue;
            }
            let mut sum = terms.linear(difference);
            self.name_quotients(terms, &mut sum, &mut open)?;
            let cube = if sort == Terms::INT { &mut self.integers } else { &mut self.reals };
            cube.add(terms, op, sum, negated)?;
        }
        Ok(())
    }

    /// `mod(t, k) = c`, or not: adds that `k` divides `t` minus what the model says is the
    /// remainder, and returns what is left to add.
    fn divisibility(
        &mut self,
        terms: &mut Terms,
        difference: TermId,
        negated: bool,
    ) -> Result<Option<TermId>, ProjectError> {
        let sum = terms.linear(difference);
        let [(t, coefficient)] = &sum.terms[..] else { return Ok(None) };
        if terms.op(*t) != Op::Mod || !coefficient.abs().is_one() {
            return Ok(None);
        }
        let (dividend, divisor) = (terms.arg(*t, 0), terms.arg(*t, 1));
        let Some(divisor) = terms.int_value(divisor) else { return Ok(None) };
        let mut rest = terms.linear(dividend);
        if rest.terms.iter().any(|(inner, _)| matches!(terms.op(*inner), Op::Div | Op::Mod)) {
            return Ok(None);
        }
        let remainder = if negated {
            self.integers.value(terms, &rest)?.floor().rem_euclid(&divisor)
        } else {
            (-(&sum.constant * coefficient)).floor()
        };
        rest.constant -= Rat::from_int(remainder);
        self.integers.literals.push(Literal::Divides { divisor, sum: rest });
        Ok(Some(Terms::TRUE))
    }

    /// Replaces `t div k` by a fresh constant `q` and `t mod k` by `t - k q`, with `0 <= t - k q < k`.
    fn name_quotients(
        &mut self,
        terms: &mut Terms,
        sum: &mut LinearSum,
        open: &mut Vec<TermId>,
    ) -> Result<(), ProjectError> {
        // The dividend of one quotient may have quotients of its own.
        loop {
            let mut named = LinearSum { terms: Vec::new(), constant: sum.constant.clone() };
            let mut changed = false;
            for (t, coefficient) in &sum.terms {
                let op = terms.op(*t);
                if !matches!(op, Op::Div | Op::Mod) || !self.mentions(terms, *t) {
                    named = add_scaled(&named, coefficient, &single(*t));
                    continue;
                }
                changed = true;
                let (dividend, divisor) = (terms.arg(*t, 0), terms.arg(*t, 1));
                let quotient = self.quotient(terms, dividend, divisor, open)?;
                let scale = terms.number(divisor).cloned().unwrap_or_default();
                if op == Op::Div {
                    named = add_scaled(&named, coefficient, &single(quotient));
                } else {
                    named = add_scaled(&named, coefficient, &terms.linear(dividend));
                    named = add_scaled(&named, &-(coefficient * &scale), &single(quotient));
                }
            }
            *sum = named;
            if !changed {
                return Ok(());
            }
        }
    }

    fn quotient(
        &mut self,
        terms: &mut Terms,
        dividend: TermId,
        divisor: TermId,
        open: &mut Vec<TermId>,
    ) -> Result<TermId, ProjectError> {
        if let Some(&known) = self.quotients.get(&(dividend, divisor)) {
            return Ok(known);
        }
        let quotient = terms.fresh_const("quotient", Terms::INT);
        let value = terms.div(dividend, divisor);
        let value = terms.eval(value, &self.integers.model)?;
        self.integers.model.set(quotient, value.clone());
        self.reals.model.set(quotient, value);
        self.quotients.insert((dividend, divisor), quotient);
        self.eliminated.insert(quotient);
        let factor = terms.number(divisor).cloned().unwrap_or_default();
        let multiple = terms.scale(&factor, quotient);
        let remainder = terms.sub(dividend, multiple);
        let zero = terms.int(0);
        open.push(terms.ge(remainder, zero));
        open.push(terms.lt(remainder, divisor));
        Ok(quotient)
    }
}

impl Cube {
    /// Adds `sum op 0`, or its negation as the model decides it.
    fn add(&mut self, terms: &Terms, op: Op, sum: LinearSum, negated: bool) -> Result<(), ProjectError> {
        let literal = match (op, negated) {
            (Op::Eq, false) => Literal::Zero(sum),
            (Op::Eq, true) => {
                let negative = self.value(terms, &sum)?.is_negative();
                self.less(if negative { sum } else { negation(&sum) })
            }
            (Op::Lt, false) => self.less(sum),
            (Op::Lt, true) => Literal::AtMost { sum: negation(&sum), strict: false },
            (_, false) => Literal::AtMost { sum, strict: false },
            (_, true) => self.less(negation(&sum)),
        };
        self.literals.push(literal);
        Ok(())
    }

    /// `sum < 0`.
    fn less(&self, mut sum: LinearSum) -> Literal {
        let integers = self.sort == Terms::INT;
        if integers {
            sum.constant += Rat::ONE;
        }
        Literal::AtMost { sum, strict: !integers }
    }

    pub fn value(&self, terms: &Terms, sum: &LinearSum) -> Result<Rat, ProjectError> {
        let mut value = sum.constant.clone();
        for (t, coefficient) in &sum.terms {
            value.add_mul(coefficient, &self.value_of(terms, *t)?);
        }
        Ok(value)
    }

    pub fn value_of(&self, terms: &Terms, t: TermId) -> Result<Rat, ProjectError> {
        match terms.eval(t, &self.model)? {
            Value::Int(value) => Ok(Rat::from_int(value)),
            Value::Real(value) => Ok(value),
            _ => Err(ProjectError::NotAModel),
        }
    }

    /// Takes out the literals that mention `constant`.
    pub fn take(&mut self, constant: TermId) -> Vec<Literal> {
        let mentions = |literal: &mut Literal| !coefficient(literal.sum(), constant).is_zero();
        self.literals.extract_if(.., mentions).collect()
    }

    fn build(&self, terms: &mut Terms) -> Vec<TermId> {
        let literals = self.literals.iter().map(|literal| match literal.clone() {
            Literal::AtMost { sum, strict } => terms.linear_le(sum, strict, self.sort),
            Literal::Zero(sum) => terms.linear_eq(sum, self.sort),
            Literal::Divides { divisor, sum } => {
                let sum = terms.from_linear(sum, Terms::INT);
                let divisor = terms.int(divisor);
                let remainder = terms.modulo(sum, divisor);
                let zero = terms.int(0);
                terms.eq(remainder, zero)
            }
        });
        literals.collect()
    }
}

/// Eliminates all constants, cheap ones first.
fn eliminate_all(terms: &Terms, cube: &mut Cube, mut constants: Vec<TermId>) -> Result<(), ProjectError> {
    while let Some(next) = (0..constants.len()).min_by_key(|&index| cost(cube, constants[index])) {
        let constant = constants.swap_remove(next);
        if cube.sort == Terms::INT {
            super::integer::eliminate(terms, cube, constant)?;
        } else {
            super::real::eliminate(terms, cube, constant)?;
        }
    }
    Ok(())
}

/// An equality without coefficient is free; otherwise few literals are better than many.
fn cost(cube: &Cube, constant: TermId) -> (u8, usize, TermId) {
    let mut occurrences = 0;
    let mut class = 1;
    for literal in &cube.literals {
        let coefficient = coefficient(literal.sum(), constant);
        if coefficient.is_zero() {
            continue;
        }
        occurrences += 1;
        if let Literal::Zero(_) = literal
            && (coefficient.abs().is_one() || cube.sort == Terms::REAL)
        {
            class = 0;
        }
    }
    (class, occurrences, constant)
}

// Linear sums, with terms in ascending order.

pub(super) fn single(t: TermId) -> LinearSum {
    LinearSum { terms: vec![(t, Rat::ONE)], constant: Rat::ZERO }
}

pub(super) fn coefficient(sum: &LinearSum, t: TermId) -> Rat {
    match sum.terms.binary_search_by_key(&t, |(other, _)| *other) {
        Ok(position) => sum.terms[position].1.clone(),
        Err(_) => Rat::ZERO,
    }
}

/// The coefficient of `t`, and the sum without it.
pub(super) fn split_off(sum: &LinearSum, t: TermId) -> (Rat, LinearSum) {
    let mut rest = sum.clone();
    match rest.terms.binary_search_by_key(&t, |(other, _)| *other) {
        Ok(position) => (rest.terms.remove(position).1, rest),
        Err(_) => (Rat::ZERO, rest),
    }
}

pub(super) fn scaled(sum: &LinearSum, factor: &Rat) -> LinearSum {
    add_scaled(&LinearSum::default(), factor, sum)
}

pub(super) fn negation(sum: &LinearSum) -> LinearSum {
    scaled(sum, &Rat::MINUS_ONE)
}

/// `a + factor * b`.
pub(super) fn add_scaled(a: &LinearSum, factor: &Rat, b: &LinearSum) -> LinearSum {
    let mut terms: Vec<(TermId, Rat)> = Vec::with_capacity(a.terms.len() + b.terms.len());
    let (mut left, mut right) = (a.terms.iter().peekable(), b.terms.iter().peekable());
    loop {
        let key = match (left.peek(), right.peek()) {
            (Some((x, _)), Some((y, _))) => *x.min(y),
            (Some((x, _)), None) => *x,
            (None, Some((y, _))) => *y,
            (None, None) => break,
        };
        let mut sum = Rat::ZERO;
        if let Some((_, c)) = left.next_if(|(t, _)| *t == key) {
            sum += c;
        }
        if let Some((_, c)) = right.next_if(|(t, _)| *t == key) {
            sum.add_mul(factor, c);
        }
        if !sum.is_zero() {
            terms.push((key, sum));
        }
    }
    let mut constant = a.constant.clone();
    constant.add_mul(factor, &b.constant);
    LinearSum { terms, constant }
}
