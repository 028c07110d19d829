//! Guesses about floats, by their ranks ([`FloatType::rank`]): the intervals in which an analysis finds them, numbers of the
//! program as bounds of the others, and their order.

use super::{Reason, components};
use craig_base::{Budget, Map, OrderedMap, OrderedSet};
use craig_num::Extended;
use craig_program::analysis::IntervalAnalysis;
use craig_program::{
    Cell, Expr, FloatType, Liveness, LocId, Program, StateVar, Type, VarId, Wto, stmt_operands,
};
use craig_term::{TermId, Terms};

/// Floats of which each two are compared.
const MAX_COMPARED: usize = 6;
/// Numbers of the program that may be bounds.
const MAX_NUMBERS: usize = 16;
/// Cells of memory that are looked at, and the size of their objects.
const MAX_CELLS: usize = 16;
const MAX_OBJECT: u64 = 64;

/// For the heads of loops.
pub fn candidates(
    terms: &mut Terms,
    program: &Program,
    budget: &Budget,
) -> Result<OrderedMap<LocId, Vec<TermId>>, Reason> {
    let proc = &program.procs[program.entry];
    let constants: Map<StateVar, TermId> =
        components(terms, program).into_iter().map(|(constant, component)| (component, constant)).collect();
    let vars: Vec<(VarId, FloatType)> = floats(program).collect();
    let cells = cells(terms, program, &constants);
    let mut found: OrderedMap<LocId, Vec<TermId>> = OrderedMap::default();
    if vars.is_empty() && cells.is_empty() {
        return Ok(found);
    }
    let numbers = numbers(program);
    let analysis = IntervalAnalysis::with_floats(program, proc, budget).map_err(Reason::Stopped)?;
    let ranges = analysis.ranges();
    let liveness = Liveness::towards_error(program, proc);
    for head in Wto::new(&proc.graph(), proc.entry).components.iter().map(|component| component.head) {
        let at_head = found.entry(head).or_default();
        for (var, interval) in ranges.all_at(head) {
            let x = constants[&StateVar::Var(var)];
            if let Some(least) = &interval.lo {
                let least = terms.int(least.clone());
                at_head.push(terms.le(least, x));
            }
            if let Some(most) = &interval.hi {
                let most = terms.int(most.clone());
                at_head.push(terms.le(x, most));
            }
        }
        let is_live = |&&(var, _): &&(VarId, FloatType)| liveness.is_live(head, StateVar::Var(var));
        let live: Vec<(VarId, FloatType)> = vars.iter().filter(is_live).copied().take(MAX_COMPARED).collect();
        let unbounded = live.iter().filter(|&&(var, _)| ranges.at(head, var).is_none());
        let unbounded = unbounded.map(|&(var, ty)| (constants[&StateVar::Var(var)], ty));
        for (x, ty) in unbounded.chain(cells.iter().copied()) {
            bounds(terms, x, ty, &numbers, at_head);
        }
        for &(var, ty) in &live {
            let x = constants[&StateVar::Var(var)];
            for &(other, _) in live.iter().filter(|&&(other, of)| other != var && of == ty) {
                at_head.push(terms.le(x, constants[&StateVar::Var(other)]));
            }
        }
    }
    Ok(found)
}

/// That a float is a number, and lies above or below those of the program.
fn bounds(terms: &mut Terms, x: TermId, ty: FloatType, numbers: &[Extended], found: &mut Vec<TermId>) {
    let infinity = Extended::from(f64::INFINITY);
    let of_program = numbers.iter().flat_map(|&number| [number, number.negate()]);
    let ranks: OrderedSet<i128> =
        of_program.chain([infinity, infinity.negate()]).map(|number| ty.rank(ty.nearest(number))).collect();
    for rank in ranks {
        let bound = terms.int(rank);
        found.extend([terms.le(bound, x), terms.le(x, bound)]);
    }
}

fn floats(program: &Program) -> impl Iterator<Item = (VarId, FloatType)> {
    program.vars.enumerated().filter_map(|(id, var)| match var.ty {
        Type::Float(ty) => Some((id, ty)),
        _ => None,
    })
}

/// Floats in small static objects.
fn cells(
    terms: &mut Terms,
    program: &Program,
    constants: &Map<StateVar, TermId>,
) -> Vec<(TermId, FloatType)> {
    let mut cells = Vec::new();
    for (id, region) in program.regions.enumerated() {
        let Cell::Scalar(Type::Float(ty)) = region.cell else { continue };
        let size = u64::from(ty.bytes());
        for object in region.objects.iter().map(|&object| &program.objects[object]) {
            if object.size > MAX_OBJECT || object.constant {
                continue;
            }
            for offset in (0..object.size).step_by(size as usize) {
                if cells.len() < MAX_CELLS && offset + size <= object.size {
                    let address = terms.int(object.address + offset);
                    cells.push((terms.select(constants[&StateVar::Region(id)], address), ty));
                }
            }
        }
    }
    cells
}

/// Zero and the numbers of a program, without their signs.
fn numbers(program: &Program) -> Vec<Extended> {
    let mut found = vec![Extended::from(0.0)];
    for edge in &program.procs[program.entry].edges {
        for id in program.exprs.postorder(&stmt_operands(&edge.stmt)) {
            let number = match program.exprs.get(id) {
                Expr::Float(ty, bits) => ty.number(bits),
                Expr::Const(Type::Int(_), value) => Extended::from_int(false, value.unsigned_abs()),
                _ => continue,
            };
            let number = if number.is_negative() { number.negate() } else { number };
            let is_new = number.is_finite() && found.iter().all(|known| known.to_bits() != number.to_bits());
            if is_new && found.len() < MAX_NUMBERS {
                found.push(number);
            }
        }
    }
    found
}
