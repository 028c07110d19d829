//! Formulas over few atoms, written anew.
//!
//! A proof by resolution can wind around: its interpolant may have hundreds of nodes over five atoms.
//! Such a formula has a small table of truth values, and from that an irredundant sum of products (or
//! product of sums) can be read off: Minato, *Fast generation of irredundant sum-of-products forms from
//! binary decision diagrams* (1992), which Morreale found before. What atoms have to do with each other
//! is not used.

use super::simplify::{is_connective, structure};
use craig_base::{Map, Set};
use craig_term::{Op, TermId, Terms};

/// Tables have up to two to this power of entries.
const MAX_ATOMS: usize = 10;
/// Smaller formulas are left alone.
const MIN_SIZE: usize = 24;

/// Writes the largest parts of a formula that have few atoms anew, where this makes them smaller.
pub(super) fn rewrite(terms: &mut Terms, formula: TermId) -> TermId {
    if terms.dag_size(formula) < MIN_SIZE {
        return formula;
    }
    let order = structure(terms, formula);
    let atoms = atoms_of(terms, &order);
    let mut results: Map<TermId, TermId> = Map::default();
    // From above: what is inside of a part that is written anew is not looked at.
    let mut seen: Set<TermId> = Set::default();
    let mut stack = vec![formula];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) || !is_connective(terms, t) {
            continue;
        }
        match &atoms[&t] {
            Some(list) => {
                let written = written_anew(terms, t, list);
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

/// The atoms of every node, sorted; `None` if there are too many.
fn atoms_of(terms: &Terms, order: &[TermId]) -> Map<TermId, Option<Vec<TermId>>> {
    let mut atoms: Map<TermId, Option<Vec<TermId>>> = Map::default();
    for &t in order {
        let mut own = Some(Vec::new());
        if !is_connective(terms, t) {
            own = Some(vec![t]);
        } else {
            for arg in terms.args(t) {
                own = match (own, &atoms[arg]) {
                    (Some(mut list), Some(more)) => {
                        list.extend_from_slice(more);
                        list.sort_unstable();
                        list.dedup();
                        Some(list).filter(|list| list.len() <= MAX_ATOMS)
                    }
                    _ => None,
                };
            }
        }
        atoms.insert(t, own);
    }
    atoms
}

/// The smallest of the formula, a disjunction of conjunctions and a conjunction of disjunctions.
fn written_anew(terms: &mut Terms, formula: TermId, atoms: &[TermId]) -> TermId {
    let size = terms.dag_size(formula);
    if size < MIN_SIZE {
        return formula;
    }
    let table = table(terms, formula, atoms);
    let complement: Vec<bool> = table.iter().map(|value| !value).collect();
    let (mut products, mut sums) = (Vec::new(), Vec::new());
    for cube in cover(&table, &table).0 {
        let literals = cube.literals(terms, atoms, true);
        products.push(terms.and(&literals));
    }
    for cube in cover(&complement, &complement).0 {
        let literals = cube.literals(terms, atoms, false);
        sums.push(terms.or(&literals));
    }
    let candidates = [terms.or(&products), terms.and(&sums)];
    let best = candidates.into_iter().min_by_key(|&t| terms.dag_size(t)).unwrap_or(formula);
    if terms.dag_size(best) < size { best } else { formula }
}

/// The truth of the formula; bit `i` of a place is the truth of atom `i`.
fn table(terms: &Terms, formula: TermId, atoms: &[TermId]) -> Vec<bool> {
    let mut tables: Map<TermId, Vec<bool>> = Map::default();
    let places = 1usize << atoms.len();
    for t in structure(terms, formula) {
        let own: Vec<bool> = match terms.op(t) {
            Op::And => (0..places).map(|i| terms.args(t).iter().all(|arg| tables[arg][i])).collect(),
            Op::Or => (0..places).map(|i| terms.args(t).iter().any(|arg| tables[arg][i])).collect(),
            Op::Not => tables[&terms.arg(t, 0)].iter().map(|value| !value).collect(),
            _ => {
                let atom = atoms.binary_search(&t).ok();
                (0..places).map(|i| atom.is_some_and(|atom| i >> atom & 1 == 1)).collect()
            }
        };
        tables.insert(t, own);
    }
    tables.remove(&formula).unwrap_or_default()
}

/// A conjunction of literals: which atoms it mentions, and which of these are true.
#[derive(Clone, Copy, Default)]
struct Cube {
    mentioned: u32,
    positive: u32,
}

impl Cube {
    fn with(self, atom: usize, positive: bool) -> Self {
        Cube { mentioned: self.mentioned | 1 << atom, positive: self.positive | u32::from(positive) << atom }
    }

    /// Its literals, or their negations.
    fn literals(self, terms: &mut Terms, atoms: &[TermId], as_they_are: bool) -> Vec<TermId> {
        let mut literals = Vec::new();
        for (i, &atom) in atoms.iter().enumerate() {
            if self.mentioned >> i & 1 == 1 {
                let positive = (self.positive >> i & 1 == 1) == as_they_are;
                literals.push(if positive { atom } else { terms.not(atom) });
            }
        }
        literals
    }
}

/// Cubes that cover what is true in `least` and nothing that is false in `most`, with their own table.
/// The depth of the recursion is the number of atoms.
fn cover(least: &[bool], most: &[bool]) -> (Vec<Cube>, Vec<bool>) {
    if least.iter().all(|value| !value) {
        return (Vec::new(), vec![false; least.len()]);
    }
    if most.iter().all(|value| *value) {
        return (vec![Cube::default()], vec![true; least.len()]);
    }
    let half = least.len() / 2;
    let atom = half.trailing_zeros() as usize;
    let ((least_0, least_1), (most_0, most_1)) = (least.split_at(half), most.split_at(half));
    // What only one value of the atom allows.
    let (cubes_0, covered_0) = cover(&but_not(least_0, most_1), most_0);
    let (cubes_1, covered_1) = cover(&but_not(least_1, most_0), most_1);
    let rest_0 = but_not(least_0, &covered_0);
    let rest_1 = but_not(least_1, &covered_1);
    let (cubes, covered) = cover(&either(&rest_0, &rest_1), &both(most_0, most_1));
    let table = [either(&covered_0, &covered), either(&covered_1, &covered)].concat();
    let negative = cubes_0.into_iter().map(|cube| cube.with(atom, false));
    let positive = cubes_1.into_iter().map(|cube| cube.with(atom, true));
    (negative.chain(positive).chain(cubes).collect(), table)
}

fn but_not(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && !b).collect()
}

fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
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
    fn covers_are_exact() {
        // Every function of three atoms.
        for bits in 0u32..256 {
            let table: Vec<bool> = (0..8).map(|i| bits >> i & 1 == 1).collect();
            let (cubes, own) = cover(&table, &table);
            assert_eq!(own, table);
            for (i, &value) in table.iter().enumerate() {
                let holds = |cube: &Cube| (i as u32 ^ cube.positive) & cube.mentioned == 0;
                assert_eq!(cubes.iter().any(holds), value);
            }
        }
    }
}
