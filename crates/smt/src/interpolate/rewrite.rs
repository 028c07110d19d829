//! Large formulas, rewritten.
//!
//! A proof by resolution can wind around: its interpolant may have hundreds of nodes over five atoms.
//! The decision diagram of such a formula is small, and from that an irredundant sum of products (or
//! product of sums) can be read off, flat or factored ([`diagram`](super::diagram)). What cannot be,
//! because atoms compare the same sum with different numbers, is left open for the cover to choose.

use super::diagram::{Covers, Cube, Diagrams, Edge, Factored, TooMuch};
use super::simplify::{is_connective, structure};
use craig_base::{Map, OrderedMap, Set};
use craig_num::Rat;
use craig_term::{Op, TermId, Terms};

/// Smaller formulas are left alone.
const MIN_SIZE: usize = 24;
/// Nodes and operations of diagrams, for each node of the formula.
const FUEL: usize = 40;

/// Rewrites the largest parts of a formula that have small diagrams, where this makes them smaller.
pub(super) fn rewrite(terms: &mut Terms, formula: TermId) -> TermId {
    if terms.dag_size(formula) < MIN_SIZE {
        return formula;
    }
    let order = structure(terms, formula);
    let mut writer = Writer::new(terms, &order);
    let functions = writer.functions(terms, &order);
    let mut results: Map<TermId, TermId> = Map::default();
    // From above: what is inside of a part that has a function is not looked at.
    let mut seen: Set<TermId> = Set::default();
    let mut stack = vec![formula];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) || !is_connective(terms, t) {
            continue;
        }
        match functions.get(&t) {
            Some(&function) => {
                let written = writer.written_anew(terms, t, function);
                results.insert(t, written);
            }
            None => stack.extend(terms.args(t).iter().copied()),
        }
    }
    for t in order {
        if results.contains_key(&t) {
            continue;
        }
        let mut result = t;
        if is_connective(terms, t) {
            let args: Vec<TermId> =
                terms.args(t).iter().map(|arg| results.get(arg).copied().unwrap_or(*arg)).collect();
            result = match terms.op(t) {
                Op::And => terms.and(&args),
                Op::Or => terms.or(&args),
                _ => terms.not(args[0]),
            };
        }
        results.insert(t, result);
    }
    results[&formula]
}

struct Writer {
    /// Those that compare the same sum are neighbours.
    atoms: Vec<TermId>,
    diagrams: Diagrams,
    /// What atoms over the same sum allow.
    possible: Edge,
}

impl Writer {
    fn new(terms: &Terms, order: &[TermId]) -> Self {
        let mut groups: OrderedMap<TermId, Vec<TermId>> = OrderedMap::default();
        for &t in order.iter().filter(|&&t| !is_connective(terms, t)) {
            groups.entry(comparison(terms, t).map_or(t, |(sum, _)| sum)).or_default().push(t);
        }
        let atoms: Vec<TermId> = groups.values().flatten().copied().collect();
        let mut diagrams = Diagrams::new(FUEL * order.len() + 1000);
        let mut possible = Edge::TRUE;
        let mut first = 0;
        for group in groups.values() {
            // Without this knowledge the result is correct, too.
            if group.len() > 1
                && let Ok(more) = cells(terms, &mut diagrams, first, group)
                && let Ok(both) = diagrams.and(possible, more)
            {
                possible = both;
            }
            first += group.len() as u32;
        }
        Writer { atoms, diagrams, possible }
    }

    /// The functions of nodes, as far as the fuel goes.
    fn functions(&mut self, terms: &Terms, order: &[TermId]) -> Map<TermId, Edge> {
        let places: Map<TermId, u32> = self.atoms.iter().enumerate().map(|(i, &t)| (t, i as u32)).collect();
        let mut functions: Map<TermId, Edge> = Map::default();
        for &t in order {
            let function = match places.get(&t) {
                Some(&place) => self.diagrams.literal(place, true),
                None => self.junction(terms, t, &functions),
            };
            if let Ok(function) = function {
                functions.insert(t, function);
            }
        }
        functions
    }

    fn junction(&mut self, terms: &Terms, t: TermId, functions: &Map<TermId, Edge>) -> Result<Edge, TooMuch> {
        let args = terms.args(t).iter().map(|arg| functions.get(arg).copied().ok_or(TooMuch));
        match terms.op(t) {
            Op::And => args.into_iter().try_fold(Edge::TRUE, |so_far, arg| self.diagrams.and(so_far, arg?)),
            Op::Or => args.into_iter().try_fold(Edge::FALSE, |so_far, arg| self.diagrams.or(so_far, arg?)),
            _ => args.into_iter().next().unwrap_or(Err(TooMuch)).map(|arg| !arg),
        }
    }

    /// The best of the formula, a sum of products and a product of sums. Flat ones come first, for their conjuncts
    /// are lemmas of their own.
    fn written_anew(&mut self, terms: &mut Terms, formula: TermId, function: Edge) -> TermId {
        let size = terms.dag_size(formula);
        if size < MIN_SIZE {
            return formula;
        }
        let smallest = |terms: &Terms, candidates: Vec<TermId>| {
            let best = candidates.into_iter().min_by_key(|&t| terms.dag_size(t))?;
            Some(best).filter(|&best| terms.dag_size(best) < size)
        };
        let mut covers = Covers::default();
        let (mut flat, mut factored) = (Vec::new(), Vec::new());
        for positive in [true, false] {
            let function = if positive { function } else { !function };
            let Ok(place) = self.cover(&mut covers, function) else { continue };
            if let Some(cubes) = covers.cubes(place, 2 * size) {
                flat.push(self.flat(terms, &cubes, positive));
            }
            factored.push(self.factored(terms, &covers, place, positive));
        }
        smallest(terms, flat).or_else(|| smallest(terms, factored)).unwrap_or(formula)
    }

    fn cover(&mut self, covers: &mut Covers, function: Edge) -> Result<usize, TooMuch> {
        let least = self.diagrams.and(function, self.possible)?;
        let most = self.diagrams.or(function, !self.possible)?;
        covers.cover(&mut self.diagrams, least, most)
    }

    fn literal(&self, terms: &mut Terms, var: u32, positive: bool) -> TermId {
        let atom = self.atoms[var as usize];
        if positive { atom } else { terms.not(atom) }
    }

    /// The disjunction of the cubes, or its negation.
    fn flat(&self, terms: &mut Terms, cubes: &[Cube], positive: bool) -> TermId {
        let mut clauses = Vec::with_capacity(cubes.len());
        for cube in cubes {
            let literals: Vec<TermId> =
                cube.iter().map(|&(var, value)| self.literal(terms, var, value == positive)).collect();
            clauses.push(if positive { terms.and(&literals) } else { terms.or(&literals) });
        }
        if positive { terms.or(&clauses) } else { terms.and(&clauses) }
    }

    fn factored(&self, terms: &mut Terms, covers: &Covers, place: usize, positive: bool) -> TermId {
        // Forms come after those that they are made of.
        let mut results: Vec<TermId> = Vec::with_capacity(place + 1);
        for form in &covers.forms[..=place] {
            results.push(match *form {
                Factored::False => terms.bool(!positive),
                Factored::True => terms.bool(positive),
                Factored::Split { var, low, high, both } => {
                    let without = self.literal(terms, var, !positive);
                    let with = self.literal(terms, var, positive);
                    let mut join = |inner: bool, a: TermId, b: TermId| {
                        if inner == positive { terms.and2(a, b) } else { terms.or2(a, b) }
                    };
                    let low = join(true, without, results[low]);
                    let high = join(true, with, results[high]);
                    let either = join(false, low, high);
                    join(false, either, results[both])
                }
            });
        }
        results[place]
    }
}

/// The sum that an atom compares with a number.
fn comparison(terms: &Terms, atom: TermId) -> Option<(TermId, &Rat)> {
    match terms.op(atom) {
        Op::Le | Op::Lt | Op::Eq => Some((terms.arg(atom, 0), terms.number(terms.arg(atom, 1))?)),
        _ => None,
    }
}

/// Which truth values atoms over the same sum can have together: one cube for every number they mention, and
/// for what is between, below and above.
fn cells(terms: &Terms, diagrams: &mut Diagrams, first: u32, group: &[TermId]) -> Result<Edge, TooMuch> {
    let mut numbers: Vec<&Rat> =
        group.iter().filter_map(|&t| comparison(terms, t)).map(|(_, number)| number).collect();
    numbers.sort();
    numbers.dedup();
    let integer = comparison(terms, group[0]).is_some_and(|(sum, _)| terms.sort(sum) == Terms::INT);
    // The place of a value: 2 i + 1 is the number with index i, and even ones are beside.
    let place_of = |number: &Rat| numbers.binary_search(&number).map_or(0, |i| 2 * i + 1);
    let mut possible = Edge::FALSE;
    for place in 0..=2 * numbers.len() {
        let inner = place % 2 == 0 && place > 0 && place < 2 * numbers.len();
        if inner && integer && numbers[place / 2] - numbers[place / 2 - 1] <= Rat::from(1) {
            continue;
        }
        let mut cube = Edge::TRUE;
        for (offset, &atom) in group.iter().enumerate().rev() {
            let limit = comparison(terms, atom).map_or(0, |(_, number)| place_of(number));
            let holds = match terms.op(atom) {
                Op::Le => place <= limit,
                Op::Lt => place < limit,
                _ => place == limit,
            };
            let literal = diagrams.literal(first + offset as u32, holds)?;
            cube = diagrams.and(literal, cube)?;
        }
        possible = diagrams.or(possible, cube)?;
    }
    Ok(possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_around_becomes_short() {
        let mut tm = Terms::new();
        let p: Vec<TermId> =
            (0..5).map(|i| tm.declare_const(&format!("p{i}"), Terms::BOOL).expect("no clash")).collect();
        // p0 or (p1 and p2), in ever larger clothes.
        let base = tm.and2(p[1], p[2]);
        let core = tm.or2(p[0], base);
        let mut t = core;
        for i in 0..12 {
            let aside = tm.or2(p[3 + i % 2], t);
            let inner = tm.and2(t, aside);
            let wider = tm.and2(p[4 - i % 2], inner);
            t = tm.or2(inner, wider);
        }
        assert!(tm.dag_size(t) >= MIN_SIZE, "{}", tm.to_smtlib(t));
        assert_eq!(rewrite(&mut tm, t), core);
    }

    #[test]
    fn bounds_on_one_sum_know_each_other() {
        let mut tm = Terms::new();
        let x = tm.declare_const("x", Terms::INT).expect("no clash");
        let p: Vec<TermId> =
            (0..8).map(|i| tm.declare_const(&format!("p{i}"), Terms::BOOL).expect("no clash")).collect();
        // Each case of x but one has its own proposition beside: p7 is needed only where x is none of 0 to 7.
        let mut cases = Vec::new();
        for (i, &p) in p.iter().enumerate() {
            let number = tm.int(i as i64);
            let here = tm.eq(x, number);
            let below = tm.lt(x, number);
            let above = tm.lt(number, x);
            let elsewhere = tm.or(&[here, below, above]);
            let case = tm.and2(elsewhere, p);
            cases.push(case);
        }
        let formula = tm.or(&cases);
        assert!(tm.dag_size(formula) >= MIN_SIZE);
        assert_eq!(rewrite(&mut tm, formula), tm.or(&p));
    }
}
