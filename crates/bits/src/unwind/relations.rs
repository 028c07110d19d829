//! Which sums of bits, modulo 2, are the same at all visits to the head of a loop: the strongest inductive relation of
//! this kind (Karr, *Affine relationships among variables of a program*, 1976, over the field of two elements).
//!
//! From nothing on, a solver is asked for a run that leaves what is known to be possible, and its state becomes possible,
//! with all sums of three possible states; each answer adds one dimension.

use super::Unsupported;
use super::induction::{Heads, Houdini};
use crate::Bit;
use craig_base::OrderedMap;
use craig_program::LocId;

/// Sums of many bits are what solvers find hardest.
const MOST_CONFLICTS: u64 = 30_000;

/// The sum of these columns is this.
pub type Equation = (Vec<usize>, bool);

/// An affine space: a point, and directions from it. Each direction has a column of its own, its first one, where the
/// others have none.
#[derive(Default)]
struct Space {
    point: Option<Vec<bool>>,
    directions: Vec<Vec<bool>>,
}

fn first(row: &[bool]) -> Option<usize> {
    row.iter().position(|&bit| bit)
}

fn add(row: &mut [bool], other: &[bool]) {
    row.iter_mut().zip(other).for_each(|(a, &b)| *a ^= b);
}

impl Space {
    /// Whether the state is a new one.
    fn insert(&mut self, mut state: Vec<bool>) -> bool {
        let Some(point) = &self.point else {
            self.point = Some(state);
            return true;
        };
        add(&mut state, point);
        for direction in &self.directions {
            if first(direction).is_some_and(|column| state[column]) {
                add(&mut state, direction);
            }
        }
        let Some(column) = first(&state) else { return false };
        for direction in self.directions.iter_mut().filter(|direction| direction[column]) {
            add(direction, &state);
        }
        self.directions.push(state);
        true
    }

    /// What holds of all states in it; nothing is possible before there is one.
    fn equations(&self) -> Option<Vec<Equation>> {
        let point = self.point.as_ref()?;
        let own: Vec<usize> = self.directions.iter().filter_map(|direction| first(direction)).collect();
        let equation = |column: usize| {
            let along = self.directions.iter().zip(&own).filter(|(direction, _)| direction[column]);
            let mut columns: Vec<usize> = along.map(|(_, &own)| own).collect();
            columns.push(column);
            // Sums that begin alike share gates, and their proofs go from bit to bit.
            columns.sort_unstable();
            let sum = columns.iter().fold(false, |sum, &column| sum ^ point[column]);
            (columns, sum)
        };
        Some((0..point.len()).filter(|column| !own.contains(column)).map(equation).collect())
    }
}

/// The bits at the head of a loop when it is visited.
pub(super) struct Visit {
    pub head: LocId,
    /// What is known of all visits is known here; else it must be shown.
    pub assumed: bool,
    pub guard: Bit,
    pub bits: Vec<Bit>,
}

impl Houdini<'_> {
    /// The equations that hold at the heads of loops, with the candidates that are left; none if they are hard to find.
    pub fn relate(&mut self, heads: &Heads<'_>) -> Result<OrderedMap<LocId, Vec<Equation>>, Unsupported> {
        self.solver.limit_conflicts(Some(MOST_CONFLICTS));
        let related = self.equations(heads);
        self.solver.limit_conflicts(None);
        match related {
            Err(Unsupported::Stopped(_)) if self.budget.check().is_ok() => Ok(OrderedMap::default()),
            related => related,
        }
    }

    fn equations(&mut self, heads: &Heads<'_>) -> Result<OrderedMap<LocId, Vec<Equation>>, Unsupported> {
        let mut spaces: OrderedMap<LocId, Space> = OrderedMap::default();
        for visit in heads.visits.iter().filter(|visit| !visit.bits.is_empty()) {
            spaces.entry(visit.head).or_default();
            for &bit in visit.bits.iter().chain([&visit.guard]) {
                self.literal(bit);
            }
        }
        loop {
            let switch = self.solver.new_var().positive();
            let mut goals = Vec::new();
            for visit in heads.visits.iter().filter(|visit| spaces.contains_key(&visit.head)) {
                let equations = spaces[&visit.head].equations();
                let holds: Vec<Bit> = match equations {
                    None => vec![Bit::FALSE],
                    Some(equations) => equations.iter().map(|equation| self.sum(visit, equation)).collect(),
                };
                for holds in holds {
                    if visit.assumed {
                        let (guard, holds) = (self.literal(visit.guard), self.literal(holds));
                        self.solver.add_clause(&[!switch, !guard, holds]);
                    } else {
                        goals.push(self.circuit.and(visit.guard, !holds));
                    }
                }
            }
            if !self.reaches(&goals, &[switch])? {
                break;
            }
            let mut grows = false;
            for visit in heads.visits.iter().filter(|visit| !visit.assumed) {
                if let Some(space) = spaces.get_mut(&visit.head)
                    && self.value(visit.guard)
                {
                    grows |= space.insert(visit.bits.iter().map(|&bit| self.value(bit)).collect());
                }
            }
            if !grows {
                break;
            }
        }
        let known = spaces.into_iter().filter_map(|(head, space)| Some((head, space.equations()?)));
        Ok(known.collect())
    }

    fn sum(&mut self, visit: &Visit, (columns, sum): &Equation) -> Bit {
        let odd = columns.iter().fold(Bit::FALSE, |odd, &column| self.circuit.xor(odd, visit.bits[column]));
        if *sum { odd } else { !odd }
    }

    fn value(&self, bit: Bit) -> bool {
        match bit.as_constant() {
            Some(value) => value,
            None => self.clauses.known(bit).is_some_and(|lit| self.solver.model(lit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(bits: u8) -> Vec<bool> {
        (0..5).map(|i| bits >> i & 1 != 0).collect()
    }

    #[test]
    fn equations_hold_of_what_was_seen_and_of_its_sums_alone() {
        let mut space = Space::default();
        assert!(space.equations().is_none());
        for seen in [0b00110, 0b01010, 0b11000] {
            assert!(space.insert(state(seen)));
        }
        // The sum of all three.
        assert!(!space.insert(state(0b10100)));
        let equations = space.equations().expect("something is possible");
        let holds = |bits: u8| {
            let state = state(bits);
            equations
                .iter()
                .all(|(columns, sum)| columns.iter().fold(false, |odd, &c| odd ^ state[c]) == *sum)
        };
        let possible: Vec<u8> = (0..32).filter(|&bits| holds(bits)).collect();
        assert_eq!(possible, [0b00110, 0b01010, 0b10100, 0b11000]);
    }
}
