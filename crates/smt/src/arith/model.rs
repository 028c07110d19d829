//! Concrete values, and what they have in common.

use super::{ArithVar, DeltaRat, Simplex};
use craig_base::{Map, Set};
use craig_num::{Int, Rat};

impl Simplex {
    /// A positive number that can stand for δ: with it all bounds hold that hold for the infinitely
    /// small δ, and variables of `distinct` that have different values keep them different.
    pub fn concrete_delta(&self, distinct: &[ArithVar]) -> Rat {
        let mut delta = Rat::ONE;
        for (_, variable) in self.variables.enumerated() {
            let value = &variable.value;
            if let Some(bound) = &variable.lower {
                limit_delta(&mut delta, &bound.value, value);
            }
            if let Some(bound) = &variable.upper {
                limit_delta(&mut delta, value, &bound.value);
            }
        }
        let values: Set<DeltaRat> = distinct.iter().map(|&var| self.value(var)).collect();
        let half = Rat::new(Int::ONE, Int::from(2));
        while distinct.iter().map(|&var| self.value(var).at(&delta)).collect::<Set<_>>().len() < values.len()
        {
            delta *= &half;
        }
        delta
    }

    /// The groups of at least two variables that have the same value, in order of their first
    /// members.
    pub fn equal_classes(&self, vars: &[ArithVar]) -> Vec<Vec<ArithVar>> {
        let mut class_of: Map<DeltaRat, usize> = Map::default();
        let mut classes: Vec<Vec<ArithVar>> = Vec::new();
        for &var in vars {
            let class = *class_of.entry(self.value(var)).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            if !classes[class].contains(&var) {
                classes[class].push(var);
            }
        }
        classes.retain(|class| class.len() > 1);
        classes
    }
}

/// Makes `delta` so small that `low <= high` holds with it in place of δ.
fn limit_delta(delta: &mut Rat, low: &DeltaRat, high: &DeltaRat) {
    if low.value < high.value && low.delta > high.delta {
        let limit = (&high.value - &low.value) / (&low.delta - &high.delta);
        if limit < *delta {
            *delta = limit;
        }
    }
}
