//! Pointers in formulas are addresses in bytes. C counts elements, and knows no numbers that are addresses.

use super::c_expr::{CExpr, Comparison};
use super::names::Names;
use craig_base::Map;
use craig_program::Program;
use craig_term::{Op, TermId, Terms};

/// Objects begin at larger numbers.
const LARGE: i128 = 1 << 16;

/// The sizes of what pointers point to, by the names of the pointers.
pub(super) struct Sizes(Map<String, i128>);

impl Sizes {
    pub fn new(names: &Names, program: &Program) -> Self {
        let types = &program.source_types;
        let sizes = names.values().filter_map(|name| {
            let to = types.pointee(name.c_type.filter(|_| name.is_pointer)?)?;
            Some((name.expr.to_string(), i128::from(types.types[to].size?)))
        });
        Sizes(sizes.collect())
    }

    /// `p + n <= end` for `p + 4 * n <= end`, if all is about elements of one size.
    pub fn in_elements(&self, how: Comparison, left: &CExpr, right: &CExpr) -> CExpr {
        let bytes = || CExpr::Compare(how, Box::new(left.clone()), Box::new(right.clone()));
        let (Some((size, left)), Some((other, right))) = (self.divided(left), self.divided(right)) else {
            return bytes();
        };
        if size == other { CExpr::Compare(how, Box::new(left), Box::new(right)) } else { bytes() }
    }

    /// A pointer and multiples of the size of what it points to: the size, and all of it counted in elements.
    fn divided(&self, sum: &CExpr) -> Option<(i128, CExpr)> {
        let parts = match sum {
            CExpr::Sum(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let size_of = |part: &CExpr| match part {
            CExpr::Variable(text) | CExpr::Other(text) => self.0.get(text).copied(),
            _ => None,
        };
        let mut pointers = parts.iter().filter_map(size_of);
        let (size, None) = (pointers.next()?, pointers.next()) else { return None };
        let counted = parts.iter().map(|part| match part {
            _ if size_of(part).is_some() => Some(part.clone()),
            CExpr::Number(n) => counted(n.to_int()?.to_i128()?, size).map(CExpr::number),
            CExpr::Product(factors) => {
                let [CExpr::Number(n), rest @ ..] = &factors[..] else { return None };
                let mut factors = rest.to_vec();
                match counted(n.to_int()?.to_i128()?, size)? {
                    1 => {}
                    times => factors.insert(0, CExpr::number(times)),
                }
                Some(if factors.len() == 1 { factors.remove(0) } else { CExpr::Product(factors) })
            }
            _ => (size == 1).then(|| part.clone()),
        });
        let mut counted = counted.collect::<Option<Vec<CExpr>>>()?;
        Some((size, if counted.len() == 1 { counted.remove(0) } else { CExpr::Sum(counted) }))
    }
}

fn counted(bytes: i128, size: i128) -> Option<i128> {
    (size > 0 && bytes % size == 0).then(|| bytes / size)
}

/// Whether a part of a formula says where an address lies, and nothing else: between which numbers, in which class of
/// objects, or, of a pointer, either that or that it is null.
pub(super) fn is_about_layout(terms: &Terms, names: &Names, part: TermId) -> bool {
    if terms.op(part) != Op::Or {
        // The bounds of a pointer by itself say that it is not null.
        return is_place(terms, names, part) && !is_bound_of_pointer(terms, part);
    }
    let ways = terms.args(part);
    let is_null = |way: TermId| match (terms.op(way), terms.args(way)) {
        (Op::Eq, &[pointer, number]) => {
            is_pointer(terms, names, pointer) && terms.number(number).is_some_and(|n| n.is_zero())
        }
        _ => false,
    };
    ways.iter().any(|&way| is_place(terms, names, way))
        && ways.iter().all(|&way| is_null(way) || is_place(terms, names, way))
}

fn is_place(terms: &Terms, names: &Names, literal: TermId) -> bool {
    let Some((left, number)) = sides(terms, literal) else { return false };
    // A pointer that is equal to a number points to an object, which may have a name.
    let atom = if terms.op(literal) == Op::Not { terms.args(literal)[0] } else { literal };
    if number.abs() < LARGE || terms.op(atom) == Op::Eq && is_pointer(terms, names, left) {
        return false;
    }
    let parts = if terms.op(left) == Op::Add { terms.args(left) } else { &[left] };
    let speaks = |part: TermId| terms.postorder(&[part]).into_iter().any(|t| is_pointer(terms, names, t));
    let times = parts.iter().filter(|&&part| speaks(part)).map(|&part| {
        let factor = if terms.op(part) == Op::Scale { terms.number(terms.args(part)[0]) } else { None };
        factor.and_then(|n| n.to_int()?.to_i128()).unwrap_or(1)
    });
    // Of two pointers it is the distance.
    times.fold(0i128, i128::saturating_add) != 0
}

fn is_bound_of_pointer(terms: &Terms, literal: TermId) -> bool {
    sides(terms, literal).is_some_and(|(left, _)| matches!(terms.op(left), Op::Const(_) | Op::Select))
}

/// What is compared with which number.
fn sides(terms: &Terms, literal: TermId) -> Option<(TermId, i128)> {
    let atom = if terms.op(literal) == Op::Not { terms.args(literal)[0] } else { literal };
    let (&[left, right], Op::Le | Op::Lt | Op::Eq) = (terms.args(atom), terms.op(atom)) else { return None };
    Some((left, terms.number(right)?.to_int()?.to_i128()?))
}

fn is_pointer(terms: &Terms, names: &Names, t: TermId) -> bool {
    terms.const_name(t).and_then(|name| names.get(name)).is_some_and(|name| name.is_pointer)
}
