//! Linear arithmetic, from literals that hold in a model.
//!
//! Which bound is the tightest (Loos and Weispfenning for reals, Cooper for integers), which remainder a sum has, and
//! how far a bound is from the next multiple are finitely many choices, which the model makes. Rows are `sum = 0`,
//! `sum <= 0`, `sum < 0` and `m | sum` over sums with integer coefficients.

use super::ProjectError;
use super::implicant::implicant_about;
use craig_base::{Map, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_term::{EvalError, LinearSum, Model, Op, SortId, Substitution, TermId, Terms, Value};
use std::collections::hash_map::Entry;

/// Eliminates all constants that are not in `keep` and no arrays. The literals must hold in `model`.
pub(super) fn project_numbers(
    terms: &mut Terms,
    literals: &[TermId],
    model: &Model,
    keep: &Set<TermId>,
) -> Result<Vec<TermId>, ProjectError> {
    let mut projection = Projection {
        keep,
        rows: Vec::new(),
        values: Map::default(),
        occurrences: Map::default(),
        kept: Vec::new(),
    };
    let literals = projection.evaluate_opaque(terms, literals, model)?;
    for literal in literals {
        projection.add_literal(terms, literal, model)?;
    }
    projection.tighten_pairs();
    projection.eliminate(terms);
    Ok(projection.finish(terms))
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Relation {
    Eq,
    Le,
    Lt,
    /// The modulus divides the sum.
    Divides(Int),
}

#[derive(Clone, Debug)]
struct Row {
    /// Ascending, without zeros.
    sum: Vec<(TermId, Rat)>,
    constant: Rat,
    relation: Relation,
    sort: SortId,
}

struct Projection<'a> {
    keep: &'a Set<TermId>,
    /// Rows that were used up are `None`.
    rows: Vec<Option<Row>>,
    /// The values of the summands; those of eliminated integers change when they are scaled.
    values: Map<TermId, Rat>,
    occurrences: Map<TermId, Vec<usize>>,
    kept: Vec<TermId>,
}

impl Row {
    fn coefficient(&self, x: TermId) -> Option<&Rat> {
        self.sum.binary_search_by_key(&x, |&(t, _)| t).ok().map(|at| &self.sum[at].1)
    }

    /// Adds `factor * other`.
    fn add(&mut self, factor: &Rat, other: &Row) {
        let mut merged = Vec::with_capacity(self.sum.len() + other.sum.len());
        let mut mine = std::mem::take(&mut self.sum).into_iter().peekable();
        for (t, c) in &other.sum {
            while let Some(entry) = mine.next_if(|&(u, _)| u < *t) {
                merged.push(entry);
            }
            let mut coefficient = factor * c;
            if let Some((_, c)) = mine.next_if(|&(u, _)| u == *t) {
                coefficient += &c;
            }
            if !coefficient.is_zero() {
                merged.push((*t, coefficient));
            }
        }
        merged.extend(mine);
        self.sum = merged;
        self.constant += factor * &other.constant;
    }

    fn scale(&mut self, factor: &Rat) {
        for (_, c) in &mut self.sum {
            *c *= factor;
        }
        self.constant *= factor;
        if let Relation::Divides(modulus) = &mut self.relation {
            *modulus = modulus.clone() * factor.numer().abs();
        }
    }

    fn value(&self, values: &Map<TermId, Rat>) -> Rat {
        let mut value = self.constant.clone();
        for (t, c) in &self.sum {
            if let Some(x) = values.get(t) {
                value.add_mul(c, x);
            }
        }
        value
    }

    /// Makes the coefficients coprime integers, which loses nothing and tightens integer bounds.
    fn normalise(&mut self) {
        let mut denominator = self.constant.denom();
        let mut divisor = Int::from(0);
        for (_, c) in &self.sum {
            denominator = denominator.lcm(&c.denom());
        }
        if !denominator.is_one() {
            self.scale(&Rat::from(denominator));
        }
        for (_, c) in &self.sum {
            divisor = divisor.gcd(&c.numer());
        }
        if divisor.is_zero() || divisor.is_one() || matches!(self.relation, Relation::Divides(_)) {
            return;
        }
        let factor = Rat::from(divisor).recip();
        for (_, c) in &mut self.sum {
            *c *= &factor;
        }
        self.constant *= &factor;
        if self.sort == Terms::INT {
            match self.relation {
                Relation::Le => self.constant = Rat::from(self.constant.ceil()),
                Relation::Lt => {
                    self.constant = Rat::from(self.constant.floor()) + Rat::from(1);
                    self.relation = Relation::Le;
                }
                _ => {}
            }
        }
    }
}

impl Projection<'_> {
    /// Replaces by their values the unwanted constants that occur in something that is not linear.
    /// Remainders and quotients by numerals are kept, for [`add_row`](Self::add_row).
    fn evaluate_opaque(
        &self,
        terms: &mut Terms,
        literals: &[TermId],
        model: &Model,
    ) -> Result<Vec<TermId>, ProjectError> {
        let mut evaluated: OrderedSet<TermId> = OrderedSet::default();
        for t in terms.postorder(literals) {
            let linear = match terms.op(t) {
                Op::Not | Op::Add | Op::Scale | Op::Le | Op::Lt | Op::Const(_) | Op::Number(..) => true,
                Op::Eq => terms.is_arith(terms.arg(t, 0)),
                Op::Mod | Op::Div => {
                    terms.number(terms.arg(t, 1)).is_some_and(|divisor| divisor.is_positive())
                }
                _ => false,
            };
            if !linear {
                let free = terms.free_consts(t);
                evaluated.extend(free.into_iter().filter(|x| !self.keep.contains(x)));
            }
        }
        if evaluated.is_empty() {
            return Ok(literals.to_vec());
        }
        let mut pairs = Vec::new();
        for x in evaluated {
            let value = terms.eval(x, model)?;
            let value = terms.value_term(&value, terms.sort(x)).ok_or(ProjectError::NoValue(x))?;
            pairs.push((x, value));
        }
        let mut substitution = Substitution::from_pairs(pairs);
        let evaluated: Vec<TermId> =
            literals.iter().map(|&literal| substitution.apply(terms, literal)).collect();
        // Reading from a known place of an array can leave something that is no literal.
        let free = terms.free_consts_of(&evaluated);
        let unwanted: Set<TermId> = free.into_iter().filter(|x| !self.keep.contains(x)).collect();
        Ok(implicant_about(terms, &evaluated, Some(&unwanted), model)?)
    }

    fn add_literal(&mut self, terms: &mut Terms, literal: TermId, model: &Model) -> Result<(), EvalError> {
        let (atom, negated) = terms.strip_not(literal);
        let (mut relation, left) = match terms.op(atom) {
            Op::Eq if terms.is_arith(terms.arg(atom, 0)) => (Relation::Eq, terms.arg(atom, 0)),
            Op::Le => (Relation::Le, terms.arg(atom, 0)),
            Op::Lt => (Relation::Lt, terms.arg(atom, 0)),
            Op::True | Op::False => return Ok(()),
            _ => {
                if terms.free_consts(atom).iter().all(|x| self.keep.contains(x)) {
                    self.kept.push(literal);
                }
                return Ok(());
            }
        };
        let sort = terms.sort(left);
        let right = terms.arg(atom, 1);
        let mut sum = terms.linear(left);
        let right = terms.linear(right);
        sum.constant -= &right.constant;
        sum.terms.extend(right.terms.into_iter().map(|(t, c)| (t, -c)));
        let mut flip = false;
        if negated {
            relation = match relation {
                Relation::Eq => {
                    let difference = terms.sub(left, terms.arg(atom, 1));
                    flip = number_of(terms, difference, model)?.is_positive();
                    Relation::Lt
                }
                Relation::Le => {
                    flip = true;
                    Relation::Lt
                }
                _ => {
                    flip = true;
                    Relation::Le
                }
            };
        }
        if flip {
            sum.constant = -sum.constant;
            for (_, c) in &mut sum.terms {
                *c = -c.clone();
            }
        }
        self.add_row(terms, sum, relation, sort, model)
    }

    /// Adds a row; summands that are remainders or quotients of unwanted constants are replaced by
    /// what they are in the model, which a divisibility makes true.
    fn add_row(
        &mut self,
        terms: &mut Terms,
        sum: LinearSum,
        relation: Relation,
        sort: SortId,
        model: &Model,
    ) -> Result<(), EvalError> {
        let mut pending = vec![(sum, relation, sort)];
        while let Some((mut sum, relation, sort)) = pending.pop() {
            while let Some(at) = sum.terms.iter().position(|&(t, _)| {
                matches!(terms.op(t), Op::Mod | Op::Div)
                    && terms.free_consts(t).iter().any(|x| !self.keep.contains(x))
            }) {
                let (t, c) = sum.terms.swap_remove(at);
                let &[inner, divisor] = terms.args(t) else { unreachable!("two arguments") };
                let modulus = terms.int_value(divisor).expect("a positive numeral");
                let remainder = number_of(terms, inner, model)?.numer().rem_euclid(&modulus);
                let mut divided = terms.linear(inner);
                divided.constant -= Rat::from(remainder.clone());
                if terms.op(t) == Op::Mod {
                    sum.constant += &c * &Rat::from(remainder);
                } else {
                    let factor = &c * &Rat::from(modulus.clone()).recip();
                    sum.constant += &factor * &divided.constant;
                    sum.terms.extend(divided.terms.iter().map(|(t, d)| (*t, &factor * d)));
                }
                pending.push((divided, Relation::Divides(modulus), Terms::INT));
            }
            let LinearSum { terms: mut summands, constant } = sum;
            summands.sort_by_key(|&(t, _)| t);
            summands.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 += &later.1;
                }
                same
            });
            summands.retain(|(_, c)| !c.is_zero());
            for &(t, _) in &summands {
                if let Entry::Vacant(entry) = self.values.entry(t) {
                    entry.insert(number_of(terms, t, model)?);
                }
            }
            let mut row = Row { sum: summands, constant, relation, sort };
            if row.sort == Terms::INT && row.relation == Relation::Lt {
                row.normalise();
                row.constant += Rat::from(1);
                row.relation = Relation::Le;
            }
            self.push(row);
        }
        Ok(())
    }

    fn push(&mut self, mut row: Row) {
        row.normalise();
        if row.sum.is_empty() {
            return;
        }
        let index = self.rows.len();
        for &(t, _) in &row.sum {
            if !self.keep.contains(&t) {
                self.occurrences.entry(t).or_default().push(index);
            }
        }
        self.rows.push(Some(row));
    }

    /// `s <= 0` and `-s <= 0` are `s = 0`.
    fn tighten_pairs(&mut self) {
        let mut known: Map<(Vec<(TermId, Rat)>, Rat), usize> = Map::default();
        for index in 0..self.rows.len() {
            let Some(row) = &self.rows[index] else { continue };
            if row.relation != Relation::Le {
                continue;
            }
            let opposite: Vec<(TermId, Rat)> = row.sum.iter().map(|(t, c)| (*t, -c.clone())).collect();
            if let Some(&other) = known.get(&(opposite, -row.constant.clone())) {
                self.rows[index] = None;
                if let Some(row) = &mut self.rows[other] {
                    row.relation = Relation::Eq;
                }
            } else {
                known.insert((row.sum.clone(), row.constant.clone()), index);
            }
        }
    }

    fn eliminate(&mut self, terms: &Terms) {
        let mut unwanted: Vec<TermId> = Vec::new();
        let mut seen: Set<TermId> = Set::default();
        for row in self.rows.iter().flatten() {
            for &(t, _) in &row.sum {
                if !self.keep.contains(&t) && matches!(terms.op(t), Op::Const(_)) && seen.insert(t) {
                    unwanted.push(t);
                }
            }
        }
        // Equalities with a unit coefficient cost nothing; they go first, as long as there are any.
        loop {
            let before = unwanted.len();
            unwanted.retain(|&x| !self.eliminate_by_equality(x, true));
            if unwanted.len() == before {
                break;
            }
        }
        unwanted.retain(|&x| !self.eliminate_by_equality(x, false));
        for x in unwanted {
            if !self.eliminate_by_equality(x, false) {
                self.eliminate_by_bounds(x);
            }
        }
    }

    /// The rows in which `x` occurs.
    fn rows_with(&mut self, x: TermId) -> Vec<usize> {
        let mut rows = self.occurrences.remove(&x).unwrap_or_default();
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| self.rows[row].as_ref().is_some_and(|row| row.coefficient(x).is_some()));
        self.occurrences.insert(x, rows.clone());
        rows
    }

    /// Replaces `x` by what an equality says, if there is one; only if that is exact with `unit`.
    fn eliminate_by_equality(&mut self, x: TermId, unit: bool) -> bool {
        let rows = self.rows_with(x);
        let is_candidate = |row: &Row| {
            row.relation == Relation::Eq
                && (!unit || row.sort == Terms::REAL || row.coefficient(x).is_some_and(|c| c.abs().is_one()))
        };
        let candidate = rows
            .iter()
            .copied()
            .filter(|&row| self.rows[row].as_ref().is_some_and(is_candidate))
            .min_by_key(|&row| self.rows[row].as_ref().map_or(0, |row| row.sum.len()));
        let Some(chosen) = candidate else { return false };
        let equality = self.rows[chosen].take().expect("a candidate is a row");
        self.substitute(x, &equality, &rows);
        true
    }

    /// Replaces `x` by the solution of `equality` for it in `rows`.
    fn substitute(&mut self, x: TermId, equality: &Row, rows: &[usize]) {
        let Some(a) = equality.coefficient(x).cloned() else { return };
        for &index in rows {
            let Some(mut row) = self.rows[index].take() else { continue };
            let Some(b) = row.coefficient(x).cloned() else {
                self.rows[index] = Some(row);
                continue;
            };
            // b*x + u, a*x + t = 0: multiplied by |a|, x goes away and no fraction appears.
            let size = a.abs();
            row.scale(&size);
            let factor = if a.is_negative() { b } else { -b };
            row.add(&factor, equality);
            self.replace(index, row);
        }
        if equality.sort == Terms::INT && !a.abs().is_one() {
            let mut rest = equality.clone();
            rest.sum.retain(|&(t, _)| t != x);
            rest.relation = Relation::Divides(a.abs().numer());
            self.push(rest);
        }
        self.occurrences.remove(&x);
    }

    fn replace(&mut self, index: usize, mut row: Row) {
        row.normalise();
        for &(t, _) in &row.sum {
            if !self.keep.contains(&t) {
                self.occurrences.entry(t).or_default().push(index);
            }
        }
        self.rows[index] = (!row.sum.is_empty()).then_some(row);
    }

    /// Replaces `x` by its tightest bound in the model, from the side with fewer bounds.
    fn eliminate_by_bounds(&mut self, x: TermId) {
        self.remove_divisibilities(x);
        let rows = self.rows_with(x);
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for &index in &rows {
            let Some(row) = &self.rows[index] else { continue };
            match row.coefficient(x) {
                Some(c) if c.is_negative() => lower.push(index),
                Some(_) => upper.push(index),
                None => {}
            }
        }
        if lower.is_empty() || upper.is_empty() {
            for index in rows {
                self.rows[index] = None;
            }
            return;
        }
        let side = if upper.len() < lower.len() { &upper } else { &lower };
        // How far x is from a bound, in units of x; the tightest bound is the nearest one. At equal
        // distance a strict bound is the tighter one.
        let distance = |index: usize| {
            let row = self.rows[index].as_ref().expect("listed rows exist");
            let c = row.coefficient(x).expect("x occurs").abs();
            (-row.value(&self.values)) / c
        };
        let tightest = side
            .iter()
            .copied()
            .min_by(|&a, &b| {
                let strict =
                    |index: usize| self.rows[index].as_ref().is_some_and(|row| row.relation == Relation::Lt);
                distance(a).cmp(&distance(b)).then(strict(b).cmp(&strict(a)))
            })
            .expect("the side is not empty");
        let mut bound = self.rows[tightest].take().expect("listed rows exist");
        let rest: Vec<usize> = rows.into_iter().filter(|&row| row != tightest).collect();
        if bound.sort == Terms::INT {
            // The nearest integer beyond the bound: the sum has a fixed remainder below |c|.
            let c = bound.coefficient(x).expect("x occurs").abs().numer();
            let slack = (-bound.value(&self.values)).numer().rem_euclid(&c);
            bound.constant += Rat::from(slack);
            bound.relation = Relation::Eq;
            self.substitute(x, &bound, &rest);
            return;
        }
        let strict_bound = bound.relation == Relation::Lt;
        let bound_sign = bound.coefficient(x).expect("x occurs").signum();
        for index in rest {
            let Some(mut row) = self.rows[index].take() else { continue };
            let b = row.coefficient(x).expect("listed rows have x").clone();
            let a = bound.coefficient(x).expect("x occurs").clone();
            if b.signum() == bound_sign {
                // Another bound on the same side: it is not tighter.
                let strict_row = row.relation == Relation::Lt;
                row.relation = if strict_row && !strict_bound { Relation::Lt } else { Relation::Le };
            } else if strict_bound {
                row.relation = Relation::Lt;
            }
            let factor = -(b / a);
            row.add(&factor, &bound);
            self.replace(index, row);
        }
        self.occurrences.remove(&x);
    }

    /// Writes `x` as `K*x + r` with the remainder that it has, so that no divisibility mentions it.
    fn remove_divisibilities(&mut self, x: TermId) {
        let rows = self.rows_with(x);
        let mut modulus = Int::from(1);
        for &index in &rows {
            if let Some(Row { relation: Relation::Divides(m), .. }) = &self.rows[index] {
                modulus = modulus.lcm(m);
            }
        }
        if modulus.is_one() {
            return;
        }
        let value = self.values.get(&x).cloned().unwrap_or_default().numer();
        let remainder = Rat::from(value.rem_euclid(&modulus));
        let factor = Rat::from(modulus.clone());
        self.values.insert(x, Rat::from(value.div_euclid(&modulus)));
        for index in rows {
            let Some(mut row) = self.rows[index].take() else { continue };
            let at = row.sum.binary_search_by_key(&x, |&(t, _)| t).expect("listed rows have x");
            let c = row.sum[at].1.clone();
            row.constant += &c * &remainder;
            if matches!(row.relation, Relation::Divides(_)) {
                row.sum.remove(at);
            } else {
                row.sum[at].1 = c * &factor;
            }
            if matches!(row.relation, Relation::Divides(_)) || row.coefficient(x).is_some() {
                self.replace(index, row);
            }
        }
    }

    /// The remaining rows as literals, of each linear form only the tightest bounds.
    fn finish(self, terms: &mut Terms) -> Vec<TermId> {
        let mut literals: OrderedSet<TermId> = self.kept.into_iter().collect();
        let mut bounds: Map<Vec<(TermId, Rat)>, (usize, Rat, bool)> = Map::default();
        let mut rows: Vec<Option<Row>> = Vec::new();
        for row in self.rows.into_iter().flatten() {
            if !matches!(row.relation, Relation::Le | Relation::Lt) {
                rows.push(Some(row));
                continue;
            }
            let tightness = (row.constant.clone(), row.relation == Relation::Lt);
            match bounds.get_mut(&row.sum) {
                Some((at, constant, strict)) => {
                    if tightness > (constant.clone(), *strict) {
                        (*constant, *strict) = tightness;
                        rows[*at] = Some(row);
                    }
                }
                None => {
                    bounds.insert(row.sum.clone(), (rows.len(), tightness.0, tightness.1));
                    rows.push(Some(row));
                }
            }
        }
        for row in rows.into_iter().flatten() {
            let sum = LinearSum { terms: row.sum, constant: row.constant };
            let literal = match row.relation {
                Relation::Eq => terms.linear_eq(sum, row.sort),
                Relation::Le => terms.linear_le(sum, false, row.sort),
                Relation::Lt => terms.linear_le(sum, true, row.sort),
                Relation::Divides(modulus) => {
                    let sum = terms.from_linear(sum, Terms::INT);
                    let modulus = terms.int(modulus);
                    let remainder = terms.modulo(sum, modulus);
                    let zero = terms.int(0);
                    terms.eq(remainder, zero)
                }
            };
            if literal != Terms::TRUE {
                literals.insert(literal);
            }
        }
        literals.into_iter().collect()
    }
}

fn number_of(terms: &Terms, t: TermId, model: &Model) -> Result<Rat, EvalError> {
    match terms.eval(t, model)? {
        Value::Int(value) => Ok(Rat::from(value)),
        Value::Real(value) => Ok(value),
        _ => Err(EvalError::WrongSort(t)),
    }
}
