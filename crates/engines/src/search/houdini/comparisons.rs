//! Comparisons in formulas, as guesses are made of them.

use super::elements::{array_below, within_types};
use crate::view::blocks::InlinedView;
use craig_base::{Map, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::{Cell, IntType, Scope, StateVar, Type};
use craig_term::{LinearSum, Op, TermId, Terms};

/// The comparisons of numbers in each block, but for those that are known anyway, and those by which accesses to memory
/// are checked; where nothing leaves its type.
pub(super) fn of_blocks(tm: &mut Terms, view: &InlinedView<'_>) -> Vec<Vec<TermId>> {
    let mut known_anyway: Set<TermId> = Set::default();
    for cut in view.encoding.cuts.cutpoints.indices() {
        let facts = view.encoding.range_facts(view.program, tm, cut);
        known_anyway.extend(atoms(tm, facts));
    }
    let known = Known::new(view);
    let mut of_blocks = Vec::new();
    for block in view.encoding.blocks.iter() {
        let mut found = OrderedSet::default();
        let parts = tm.postorder(&[block.formula]).into_iter();
        let products: Vec<TermId> = parts.filter(|&t| tm.op(t) == Op::Mul).collect();
        for atom in atoms(tm, block.formula) {
            let atom = within_types(tm, atom);
            if is_comparison(tm, atom)
                && !known_anyway.contains(&atom)
                && !known.says(tm, atom)
                && !is_of_product(tm, &products, atom)
            {
                found.insert(atom);
            }
        }
        of_blocks.push(found.into_iter().collect());
    }
    of_blocks
}

/// What every program says.
struct Known {
    /// The ends of types, of what is read from memory.
    types: Map<TermId, (Int, Int)>,
    /// The variables that say which objects there are.
    bookkeeping: Set<TermId>,
    /// Where the first allocated object is.
    first: Option<Int>,
}

impl Known {
    fn new(view: &InlinedView<'_>) -> Known {
        let program = view.program;
        let mut known = Known { types: Map::default(), bookkeeping: Set::default(), first: None };
        for constant in view.encoding.states.iter().flatten() {
            match constant.var {
                StateVar::Region(region) => {
                    if let Cell::Scalar(Type::Int(int)) = program.regions[region].cell {
                        known.types.insert(constant.current, (int.min().into(), largest(int)));
                    }
                }
                StateVar::Var(var) if program.is_bookkeeping(var) => {
                    known.bookkeeping.insert(constant.current);
                }
                StateVar::Var(_) => {}
            }
        }
        if let Some(next) = program.next_address
            && let Scope::Global { init } = program.vars[next].scope
        {
            known.first = Some(init.into());
        }
        known
    }

    fn says(&self, tm: &mut Terms, atom: TermId) -> bool {
        let sum = difference(tm, atom);
        let Some(constant) = sum.constant.to_int() else { return false };
        if !has_op(tm, atom, Op::Select) {
            let is_first = |first: &Int| (&constant.abs() - first).abs() <= Int::ONE;
            return self.first.as_ref().is_some_and(is_first)
                || tm.free_consts(atom).iter().any(|c| self.bookkeeping.contains(c));
        }
        let [(read, factor)] = &sum.terms[..] else { return false };
        if tm.op(*read) != Op::Select || tm.op(atom) != Op::Le {
            return false;
        }
        let ends = array_below(tm, tm.arg(*read, 0)).and_then(|array| self.types.get(&array));
        // `read <= -constant`, or `constant <= read`.
        ends.is_some_and(|(min, max)| match *factor == Rat::ONE {
            true => -&constant >= *max || -&constant < *min,
            false => *factor == Rat::MINUS_ONE && (constant <= *min || constant > *max),
        })
    }
}

/// The comparisons of numbers in a formula.
fn atoms(tm: &Terms, formula: TermId) -> Vec<TermId> {
    let all = tm.postorder(&[formula]).into_iter();
    all.filter(|&t| is_comparison(tm, t)).collect()
}

fn is_comparison(tm: &Terms, t: TermId) -> bool {
    matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0))
}

/// A comparison as one of a sum with zero.
fn difference(tm: &mut Terms, atom: TermId) -> LinearSum {
    let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let difference = tm.sub(left, right);
    tm.linear(difference)
}

pub(super) fn has_op(tm: &Terms, formula: TermId, op: Op) -> bool {
    tm.postorder(&[formula]).into_iter().any(|t| tm.op(t) == op)
}

/// Ranges of products end beyond this.
const LARGE: i64 = 1 << 16;

/// Whether a comparison is one of those by which blocks say what a product is: of a product with its factors, or of one of
/// these with what decides signs and ranges.
fn is_of_product(tm: &mut Terms, products: &[TermId], atom: TermId) -> bool {
    if products.is_empty() {
        return false;
    }
    let sum = difference(tm, atom);
    let size = sum.constant.abs();
    products.iter().any(|product| match &sum.terms[..] {
        [(t, _)] => {
            let is_product = t == product;
            (is_product || tm.args(*product).contains(t)) && size <= Rat::ONE
                || is_product && size > Rat::from(Int::from(LARGE))
        }
        terms => {
            let is_part = |(t, _): &(TermId, Rat)| t == product || tm.args(*product).contains(t);
            terms.iter().all(is_part) && terms.iter().any(|(t, _)| t == product)
        }
    })
}

/// Whether a comparison is with the end of a type, or nearly so: blocks speak of these wherever they read.
pub(super) fn is_about_type(tm: &mut Terms, atom: TermId) -> bool {
    let sum = difference(tm, atom);
    let Some(constant) = sum.constant.to_int() else { return true };
    let size = constant.abs();
    let is_end = |bits: u32| (&size - &Int::pow2(bits)).abs() <= Int::from(if bits < 15 { 1 } else { 2 });
    sum.terms.len() == 1 && (7..=64).any(is_end)
}

/// A comparison, its opposite, and what is weaker or stronger than both.
pub(super) fn directions(tm: &mut Terms, atom: TermId) -> Vec<TermId> {
    let (a, b) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let mut all = vec![atom, tm.not(atom), tm.le(a, b), tm.le(b, a)];
    if tm.op(atom) == Op::Le {
        all.push(tm.eq(a, b));
    }
    all
}

/// The variables that an equality defines, each with its value.
pub(super) fn solved(tm: &mut Terms, equality: TermId) -> Vec<(TermId, TermId)> {
    let sum = difference(tm, equality);
    let whole = tm.from_linear(sum.clone(), Terms::INT);
    let mut found = Vec::new();
    for (x, factor) in sum.terms {
        if factor.is_one() {
            found.push((x, tm.sub(x, whole)));
        } else if factor == Rat::MINUS_ONE {
            found.push((x, tm.add2(x, whole)));
        }
    }
    found
}

fn largest(ty: IntType) -> Int {
    Int::pow2(u32::from(ty.bits) - u32::from(ty.signed)) - Int::ONE
}
