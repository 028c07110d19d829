//! Least upper bounds of linear terms over all models.
//!
//! Y. Li, A. Albarghouthi, Z. Kincaid, A. Gurfinkel, M. Chechik, *Symbolic optimization with SMT
//! solvers*, POPL 2014, in a simple form: a model fixes a set of literals that implies the formula;
//! over these the simplex method maximises all objectives that are still open at once. Then a model
//! is sought in which one of them is larger. For integers the maximum over the rationals is rounded
//! down: an upper bound that may be larger than the largest value.

use super::NativeSolver;
use crate::arith::ArithVar;
use crate::solver::{Answer, UnknownReason};
use craig_base::Budget;
use craig_num::{Int, Rat};
use craig_term::{TermId, Terms};

/// An upper bound of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpperBound {
    /// Never more than this.
    AtMost(Int),
    /// There is none, or none was found within the rounds allowed.
    None,
}

impl NativeSolver {
    /// Upper bounds of integer terms over the models of the assertions and assumptions; `None` if
    /// there is no model. An objective may take `rounds` models until it is given up as unbounded.
    pub fn maxima(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        objectives: &[TermId],
        rounds: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<UpperBound>>, UnknownReason> {
        if terms.free_consts_of(objectives).iter().any(|t| self.removed.contains(t)) {
            self.restart();
        }
        // An assumption keeps the solver from removing the constants of the objectives.
        let mut assumed = assumptions.to_vec();
        assumed.push(Terms::TRUE);
        let mut best: Vec<Option<Int>> = vec![None; objectives.len()];
        let mut open = vec![true; objectives.len()];
        if !self.improve(terms, &assumed, objectives, &mut best, &mut open, budget)? {
            return Ok(None);
        }
        for i in 0..objectives.len() {
            for round in 0.. {
                let Some(bound) = best[i].clone().filter(|_| open[i]) else { break };
                let limit = terms.int(bound);
                let mut larger = assumed.clone();
                larger.push(terms.gt(objectives[i], limit));
                if !self.improve(terms, &larger, objectives, &mut best, &mut open, budget)? {
                    break;
                }
                if round >= rounds {
                    best[i] = None;
                    break;
                }
            }
            open[i] = false;
        }
        let bounds = best.into_iter().map(|bound| bound.map_or(UpperBound::None, UpperBound::AtMost));
        Ok(Some(bounds.collect()))
    }

    /// Takes a model and raises the bounds of all open objectives to what its literals allow; false
    /// if there is no model.
    fn improve(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        objectives: &[TermId],
        best: &mut [Option<Int>],
        open: &mut [bool],
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let mut stopped = None;
        let answer = self.check_observed(terms, assumptions, budget, &mut |solver, terms| {
            for (i, &objective) in objectives.iter().enumerate().filter(|(i, _)| open[*i]).collect::<Vec<_>>()
            {
                match solver.maximum_here(terms, objective, budget) {
                    Ok(Some(value)) => {
                        if best[i].as_ref().is_none_or(|known| *known < value) {
                            best[i] = Some(value);
                        }
                    }
                    Ok(None) => {
                        best[i] = None;
                        open[i] = false;
                    }
                    Err(reason) => stopped = Some(reason),
                }
            }
        });
        match (answer, stopped) {
            (_, Some(reason)) => Err(UnknownReason::Stopped(reason)),
            (Answer::Sat, None) => Ok(true),
            (Answer::Unsat, None) => Ok(false),
            (Answer::Unknown(reason), None) => Err(reason),
        }
    }

    /// The largest value under the bounds in force, rounded down; `None` if there is none.
    fn maximum_here(
        &mut self,
        terms: &mut Terms,
        objective: TermId,
        budget: &Budget,
    ) -> Result<Option<Int>, craig_base::StopReason> {
        let sum = terms.linear(objective);
        let mut parts: Vec<(ArithVar, Rat)> = Vec::with_capacity(sum.terms.len());
        for (t, coefficient) in &sum.terms {
            // What no formula mentions is free.
            let Some(var) = self.arith.atoms.variable(*t) else { return Ok(None) };
            parts.push((var, coefficient.clone()));
        }
        let Some(form) = self.arith.simplex.form(&parts) else { return Ok(Some(sum.constant.floor())) };
        let maximum = self.arith.simplex.maximize(form, budget)?;
        Ok(maximum.map(|maximum| (&maximum.value.value + &sum.constant).floor()))
    }
}
