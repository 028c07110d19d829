//! Projection of arrays, before the projection of numbers.
//!
//! After A. Komuravelli, N. Bjørner, A. Gurfinkel, K. McMillan, *Compositional verification of
//! procedural programs using Horn clauses over integers and arrays*, FMCAD 2015. Literals that hold
//! in a model are rewritten until no unwanted array is left in them:
//!
//! 1. an unwanted constant that equals a term is replaced by it;
//! 2. `t = store(b, i, v)` with an unwanted `b` says that `b` is `t` with a new element at `i`, and
//!    that `t[i] = v`;
//! 3. reading from a store is reading the element or the array below, as the model has it, and the
//!    comparison of the indices becomes a literal;
//! 4. arrays that have to differ do so at an index that the model names;
//! 5. what is read from an unwanted array becomes a new number per index, and the order of the
//!    indices becomes literals.
//!
//! Every step keeps the literals true in the model (extended to the new constants) and is implied by
//! its result, so the result is a projection. What no step applies to is left as it is.

use super::equality::solution;
use craig_base::Set;
use craig_term::{EvalError, Int, Model, Op, Sort, Substitution, TermId, Terms, Value};

/// Rewrites; more than any sensible path formula needs.
const MAX_STEPS: usize = 2000;

/// The literals without unwanted arrays, where possible, and the model with values of new constants;
/// `None` if the literals mention no arrays at all.
pub(super) fn resolve_arrays(
    terms: &mut Terms,
    literals: &[TermId],
    model: &Model,
    keep: &Set<TermId>,
) -> Result<Option<(Vec<TermId>, Model)>, EvalError> {
    let is_array = |t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Array { .. });
    if !terms.free_consts_of(literals).into_iter().any(is_array) {
        return Ok(None);
    }
    let mut resolution = Resolution { terms, literals: literals.to_vec(), model: model.clone(), keep };
    for _ in 0..MAX_STEPS {
        let changed = resolution.use_equality()
            || resolution.undo_store()?
            || resolution.read_stores()?
            || resolution.distinguish()?
            || resolution.name_elements()?;
        if !changed {
            break;
        }
    }
    Ok(Some((resolution.literals, resolution.model)))
}

struct Resolution<'a> {
    terms: &'a mut Terms,
    literals: Vec<TermId>,
    model: Model,
    keep: &'a Set<TermId>,
}

impl Resolution<'_> {
    fn is_array(&self, t: TermId) -> bool {
        matches!(self.terms.sort_of(self.terms.sort(t)), Sort::Array { .. })
    }

    fn is_unwanted(&self, t: TermId) -> bool {
        matches!(self.terms.op(t), Op::Const(_)) && !self.keep.contains(&t)
    }

    fn has_unwanted(&self, t: TermId) -> bool {
        self.terms.free_consts(t).iter().any(|x| !self.keep.contains(x))
    }

    fn replace(&mut self, from: TermId, to: TermId) {
        let mut substitution = Substitution::from_pairs([(from, to)]);
        for literal in &mut self.literals {
            *literal = substitution.apply(self.terms, *literal);
        }
        self.literals.retain(|&literal| literal != Terms::TRUE);
    }

    /// A new unwanted constant that stands for a term.
    fn fresh(&mut self, t: TermId) -> Result<TermId, EvalError> {
        let value = self.terms.eval(t, &self.model)?;
        let constant = self.terms.fresh_const("element", self.terms.sort(t));
        self.model.set(constant, value);
        Ok(constant)
    }

    fn use_equality(&mut self) -> bool {
        for at in 0..self.literals.len() {
            if let Some((constant, value)) = solution(self.terms, self.literals[at], self.keep) {
                self.literals.swap_remove(at);
                self.replace(constant, value);
                return true;
            }
        }
        false
    }

    fn undo_store(&mut self) -> Result<bool, EvalError> {
        for at in 0..self.literals.len() {
            let literal = self.literals[at];
            if self.terms.op(literal) != Op::Eq || !self.is_array(self.terms.arg(literal, 0)) {
                continue;
            }
            let (left, right) = (self.terms.arg(literal, 0), self.terms.arg(literal, 1));
            for (side, other) in [(left, right), (right, left)] {
                let Some(base) = self.unwanted_base(side) else { continue };
                if self.terms.op(side) != Op::Store || self.terms.free_consts(other).contains(&base) {
                    continue;
                }
                let &[below, index, value] = self.terms.args(side) else { continue };
                let covered = self.terms.select(below, index);
                let element = self.fresh(covered)?;
                let read = self.terms.select(other, index);
                let written = self.terms.eq(read, value);
                let restored = self.terms.store(other, index, element);
                let rest = self.terms.eq(below, restored);
                self.literals.swap_remove(at);
                self.literals.extend([written, rest]);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The unwanted array constant below a chain of stores that mention it nowhere else.
    fn unwanted_base(&self, array: TermId) -> Option<TermId> {
        let mut base = array;
        let mut rest = Vec::new();
        while self.terms.op(base) == Op::Store {
            rest.extend(&self.terms.args(base)[1..]);
            base = self.terms.arg(base, 0);
        }
        let alone = !self.terms.free_consts_of(&rest).contains(&base);
        (self.is_unwanted(base) && alone).then_some(base)
    }

    /// Decides the reads from stores that mention something unwanted; one layer at a time.
    fn read_stores(&mut self) -> Result<bool, EvalError> {
        let reads: Vec<TermId> = self
            .terms
            .postorder(&self.literals)
            .into_iter()
            .filter(|&t| self.terms.op(t) == Op::Select)
            .filter(|&t| self.terms.op(self.terms.arg(t, 0)) == Op::Store && self.has_unwanted(t))
            .collect();
        let Some(&read) = reads.first() else { return Ok(false) };
        let (store, index) = (self.terms.arg(read, 0), self.terms.arg(read, 1));
        let &[below, written, value] = self.terms.args(store) else { return Ok(false) };
        let (same, comparison) = self.compare(written, index)?;
        let replacement = if same { value } else { self.terms.select(below, index) };
        self.replace(read, replacement);
        if comparison != Terms::TRUE {
            self.literals.push(comparison);
        }
        Ok(true)
    }

    /// Whether two terms are equal in the model, and a literal that says how they compare.
    fn compare(&mut self, a: TermId, b: TermId) -> Result<(bool, TermId), EvalError> {
        let (x, y) = (self.terms.eval(a, &self.model)?, self.terms.eval(b, &self.model)?);
        let literal = if x == y {
            self.terms.eq(a, b)
        } else if !self.terms.is_arith(a) {
            let equality = self.terms.eq(a, b);
            self.terms.not(equality)
        } else if x < y {
            self.terms.lt(a, b)
        } else {
            self.terms.lt(b, a)
        };
        Ok((x == y, literal))
    }

    /// Unwanted arrays that differ do so at an index of the model.
    fn distinguish(&mut self) -> Result<bool, EvalError> {
        for at in 0..self.literals.len() {
            let (atom, negated) = self.terms.strip_not(self.literals[at]);
            if !negated || self.terms.op(atom) != Op::Eq || !self.has_unwanted(atom) {
                continue;
            }
            let (left, right) = (self.terms.arg(atom, 0), self.terms.arg(atom, 1));
            if !self.is_array(left) {
                continue;
            }
            let Some(index) = self.difference(left, right)? else { continue };
            let (a, b) = (self.terms.select(left, index), self.terms.select(right, index));
            let equality = self.terms.eq(a, b);
            self.literals[at] = self.terms.not(equality);
            return Ok(true);
        }
        Ok(false)
    }

    /// A numeral at which two arrays differ in the model.
    fn difference(&mut self, a: TermId, b: TermId) -> Result<Option<TermId>, EvalError> {
        let (x, y) = (self.terms.eval(a, &self.model)?, self.terms.eval(b, &self.model)?);
        let (Value::Array(x), Value::Array(y)) = (x, y) else { return Ok(None) };
        let entries: Vec<Value> = x.entries().chain(y.entries()).map(|(index, _)| index.clone()).collect();
        if let Some(index) = entries.iter().find(|index| x.select(index) != y.select(index)) {
            let Sort::Array { index: sort, .. } = *self.terms.sort_of(self.terms.sort(a)) else {
                return Ok(None);
            };
            return Ok(self.terms.value_term(index, sort));
        }
        // They differ in all other places.
        Ok(match entries.iter().max() {
            Some(Value::Int(last)) => Some(self.terms.int(last + &Int::from(1))),
            _ => None,
        })
    }

    /// What is read from an unwanted array gets names, one per index of the model.
    fn name_elements(&mut self) -> Result<bool, EvalError> {
        let all = self.terms.postorder(&self.literals);
        // An array that occurs in another way, too, is more than what is read from it here; and the
        // order of the indices says all about them only if they are numbers.
        let mut other_uses: Set<TermId> = Set::default();
        for &t in &all {
            let is_read = self.terms.op(t) == Op::Select && self.terms.is_arith(self.terms.arg(t, 1));
            other_uses.extend(&self.terms.args(t)[usize::from(is_read)..]);
        }
        let mut array = None;
        let mut places: Vec<(Value, TermId, TermId)> = Vec::new();
        for t in all {
            if self.terms.op(t) != Op::Select {
                continue;
            }
            let (from, index) = (self.terms.arg(t, 0), self.terms.arg(t, 1));
            let usable = self.is_unwanted(from) && !other_uses.contains(&from);
            if usable && *array.get_or_insert(from) == from {
                places.push((self.terms.eval(index, &self.model)?, index, t));
            }
        }
        places.sort();
        let mut names: Vec<TermId> = Vec::new();
        for at in 0..places.len() {
            let (_, index, t) = places[at];
            let before = at.checked_sub(1).map(|before| &places[before]);
            let known = before.filter(|(value, _, _)| *value == places[at].0).map(|_| names[at - 1]);
            names.push(match known {
                Some(name) => name,
                None => self.fresh(t)?,
            });
            if let Some(&(_, other, _)) = before {
                let (_, comparison) = self.compare(other, index)?;
                self.literals.push(comparison);
            }
        }
        let pairs = places.iter().zip(&names).map(|(&(_, _, t), &name)| (t, name));
        let mut substitution = Substitution::from_pairs(pairs);
        for literal in &mut self.literals {
            *literal = substitution.apply(self.terms, *literal);
        }
        self.literals.retain(|&literal| literal != Terms::TRUE);
        Ok(!places.is_empty())
    }
}
