//! A simpler program with the same locations and edges.
//!
//! Rounds of: interval analysis ([`crate::analysis`]); expressions that are constant where they are
//! evaluated become literals, and edges that cannot be taken become `assume false`; regions that are
//! only accessed at constant addresses become one variable for each address. At last assumptions say what the variables in
//! them stand for ([`crate::definitions`]). Slicing is done elsewhere:
//! the cutpoint graph leaves out what cannot reach the error, the encoders leave out what is not
//! live, and [`crate::slice`] leads around loops that do not matter.
//!
//! **The way back.** Ids of locations, edges and variables stay as they are, so a path of the result
//! is a path of the original, with inputs at the same edges. The result may do more than the
//! original: an expression that would have ended the path may be gone. What was found out about the
//! state is in [`Simplified::ranges`]; an invariant of the result is inductive for the original
//! together with it, and [`Simplified::invariants`] puts the two together.

use crate::analysis::{IntervalAnalysis, Ranges, constants};
use crate::definitions::spell_out;
use crate::effects::stmt_operands;
use crate::encode::{StateNames, in_range};
use crate::expr::{Expr, ExprId};
use crate::ir::{Cell, EdgeId, LocId, Place, Program, RegionId, Scope, Stmt, Var, VarId};
use crate::slice::IdleLoop;
use crate::state::StateVar;
use crate::types::Type;
use crate::wto::Wto;
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet, Set, StopReason};
use craig_term::{Substitution, TermId, Terms};
use std::collections::BTreeMap;

/// Each round can enable the next, by constants that were in memory. More never paid off.
const MAX_ROUNDS: usize = 4;
/// A region with more cells than this stays an array.
const MAX_SCALARS: usize = 512;

/// A simplified program without calls.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub program: Program,
    /// What holds at the loop heads of program and original alike.
    pub ranges: Ranges,
    /// The variables that stand for memory cells.
    pub scalars: Vec<ScalarCell>,
    /// The loops that [`Simplified::without_idle_loops`] took out.
    pub skipped: Vec<IdleLoop>,
}

/// A variable of the simplified program that is a memory cell in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarCell {
    pub var: VarId,
    pub region: RegionId,
    pub address: u64,
}

/// Simplifies the entry procedure, which must have no calls. In a plain program only the form of memory changes.
pub fn simplify(program: &Program, budget: &Budget) -> Result<Simplified, StopReason> {
    let mut result = Simplified::unchanged(program);
    for _ in 0..MAX_ROUNDS {
        if !program.plain {
            result.fold_constants(budget)?;
        }
        if !result.replace_regions() {
            break;
        }
    }
    if !program.plain && spell_out(&mut result.program) {
        result.fold_constants(budget)?;
    }
    Ok(result)
}

impl Simplified {
    /// The program as it is.
    pub fn unchanged(program: &Program) -> Self {
        Simplified {
            program: program.clone(),
            ranges: Ranges::none(),
            scalars: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Writes known constants into expressions and closes edges that cannot be taken.
    fn fold_constants(&mut self, budget: &Budget) -> Result<(), StopReason> {
        let entry = self.program.entry;
        let proc = &self.program.procs[entry];
        let analysis = IntervalAnalysis::new(&self.program, proc, budget)?;
        self.ranges.restrict_all(&analysis.ranges());
        let mut open: IndexVec<EdgeId, Option<BTreeMap<ExprId, i128>>> =
            IndexVec::from_elem(None, proc.edges.len());
        analysis.visit_edges(&mut |id, state, feasible| {
            if feasible {
                open[id] = constants(&self.program, &stmt_operands(&proc.edges[id].stmt), state);
            }
        });
        for id in open.indices() {
            let stmt = match &open[id] {
                None => Stmt::Assume(self.program.exprs.bool(false)),
                Some(known) if known.is_empty() => continue,
                Some(known) => {
                    let stmt = self.program.procs[entry].edges[id].stmt.clone();
                    self.program.rewrite_stmt(&stmt, &mut |exprs, id| {
                        known.get(&id).map(|&value| exprs.constant(exprs.ty(id), value))
                    })
                }
            };
            self.program.procs[entry].edges[id].stmt = stmt;
        }
        Ok(())
    }

    /// Turns the cells of regions that are only accessed at constant addresses into variables.
    fn replace_regions(&mut self) -> bool {
        let candidates = self.constant_regions();
        if candidates.is_empty() {
            return false;
        }
        let mut cells: Map<(RegionId, u64), VarId> = Map::default();
        for (&region, addresses) in &candidates {
            for &address in addresses {
                let var = self.scalar(region, address);
                cells.insert((region, address), var);
                self.scalars.push(ScalarCell { var, region, address });
            }
        }
        let cell_at = |program: &Program, region, addr| {
            let address = u64::try_from(program.exprs.as_const(addr)?).ok()?;
            cells.get(&(region, address)).copied()
        };
        let entry = self.program.entry;
        let vars: IndexVec<VarId, Type> = self.program.vars.iter().map(|var| var.ty).collect();
        for id in self.program.procs[entry].edges.indices() {
            let stmt = self.program.procs[entry].edges[id].stmt.clone();
            let mut stmt = self.program.rewrite_stmt(&stmt, &mut |exprs, id| {
                let Expr::Load { region, addr, .. } = exprs.get(id) else { return None };
                let address = u64::try_from(exprs.as_const(addr)?).ok()?;
                let &var = cells.get(&(region, address))?;
                Some(exprs.var(var, vars[var]))
            });
            if let Stmt::Assign(place, _) | Stmt::Input(place, _) = &mut stmt
                && let Place::Memory { region, addr, .. } = *place
                && let Some(var) = cell_at(&self.program, region, addr)
            {
                *place = Place::Var(var);
            }
            self.program.procs[entry].edges[id].stmt = stmt;
        }
        true
    }

    /// Regions of integers or pointers all of whose accesses have constant addresses, with those.
    fn constant_regions(&self) -> OrderedMap<RegionId, OrderedSet<u64>> {
        let program = &self.program;
        let proc = &program.procs[program.entry];
        let mut addresses: OrderedMap<RegionId, OrderedSet<u64>> = OrderedMap::default();
        let mut excluded: Set<RegionId> = Set::default();
        for edge in &proc.edges {
            let roots = stmt_operands(&edge.stmt);
            let loads =
                program.exprs.postorder(&roots).into_iter().filter_map(|id| match program.exprs.get(id) {
                    Expr::Load { region, addr, ty } => Some((region, addr, ty)),
                    _ => None,
                });
            let store = match edge.stmt {
                Stmt::Assign(Place::Memory { region, addr, ty }, _)
                | Stmt::Input(Place::Memory { region, addr, ty }, _) => Some((region, addr, ty)),
                _ => None,
            };
            for (region, addr, ty) in loads.chain(store) {
                let address = program.exprs.as_const(addr).and_then(|addr| u64::try_from(addr).ok());
                let fits = program.regions[region].cell == Cell::Scalar(ty) && !ty.is_float();
                match address.filter(|_| fits) {
                    Some(address) => {
                        addresses.entry(region).or_default().insert(address);
                    }
                    None => {
                        excluded.insert(region);
                    }
                }
            }
        }
        addresses.retain(|region, addresses| !excluded.contains(region) && addresses.len() <= MAX_SCALARS);
        addresses
    }

    /// A variable with the initial contents of the cell.
    fn scalar(&mut self, region: RegionId, address: u64) -> VarId {
        let program = &mut self.program;
        let Cell::Scalar(ty) = program.regions[region].cell else { unreachable!("only scalar cells") };
        let object = program
            .objects
            .iter()
            .find(|object| (object.address..object.address + object.size.max(1)).contains(&address));
        let name = match object {
            Some(object) if object.address == address => object.name.to_string(),
            Some(object) => format!("{}+{}", object.name, address - object.address),
            None => format!("{}@{address:#x}", program.regions[region].name),
        };
        let initial = program
            .objects
            .iter()
            .flat_map(|object| object.init.iter().map(move |entry| (object.address + entry.0, entry)))
            .find(|(at, entry)| *at == address && entry.1 == region)
            .and_then(|(_, entry)| program.cells_of(region, entry.2, entry.3).first().map(|cell| cell.1));
        let scope = match initial {
            Some(init) => Scope::Global { init },
            None if program.regions[region].zeroed => Scope::Global { init: 0 },
            // Arbitrary at the start, as the cell is.
            None => Scope::Local(program.entry),
        };
        let span = object.map(|object| object.span).unwrap_or_default();
        let var = program.vars.push(Var { name: name.into(), ty, scope, span, origin: None });
        if let Scope::Local(proc) = scope {
            program.procs[proc].locals.push(var);
        }
        var
    }

    /// What the variables that stand for memory cells are in formulas about the original program.
    pub fn cells(&self, terms: &mut Terms) -> Substitution {
        let mut names = StateNames::default();
        let mut cells = Vec::new();
        for scalar in &self.scalars {
            let (var, region) = (StateVar::Var(scalar.var), StateVar::Region(scalar.region));
            let address = terms.int(scalar.address);
            for at in [StateNames::current, StateNames::entry] {
                let (cell, array) =
                    (at(&mut names, &self.program, terms, var), at(&mut names, &self.program, terms, region));
                cells.push((cell, terms.select(array, address)));
            }
        }
        Substitution::from_pairs(cells)
    }

    /// Formulas at locations of the original program, one for every loop head: what the analysis
    /// found, and the given invariant of the simplified program (over its current constants) where
    /// there is one.
    pub fn invariants(
        &self,
        terms: &mut Terms,
        found: &OrderedMap<LocId, TermId>,
    ) -> OrderedMap<LocId, TermId> {
        let program = &self.program;
        let proc = &program.procs[program.entry];
        let mut names = StateNames::default();
        let mut back = self.cells(terms);
        let heads = Wto::new(&proc.graph(), proc.entry).components;
        let mut locations: OrderedSet<LocId> = heads.iter().map(|component| component.head).collect();
        locations.extend(found.keys().copied());
        let inside = self.skipped.iter().flat_map(|idle| idle.inner.iter().map(|&inner| (inner, idle.head)));
        let around: Map<LocId, LocId> = inside.collect();
        locations
            .into_iter()
            .map(|location| {
                let facts = self.ranges.facts(program, terms, &mut names, location);
                let at = around.get(&location).unwrap_or(&location);
                let invariant = found.get(at).copied().unwrap_or(Terms::TRUE);
                let both = terms.and2(facts, invariant);
                (location, back.apply(terms, both))
            })
            .collect()
    }
}

impl Ranges {
    /// What is known at a location, over the current constants.
    pub fn facts(
        &self,
        program: &Program,
        terms: &mut Terms,
        names: &mut StateNames,
        location: LocId,
    ) -> TermId {
        if self.is_unreachable(location) {
            return Terms::FALSE;
        }
        let mut facts = Vec::new();
        for (var, interval) in self.all_at(location) {
            let constant = names.current(program, terms, StateVar::Var(var));
            if !terms.is_bool(constant) {
                facts.push(in_range(terms, constant, interval));
            } else if let Some(value) = interval.as_constant() {
                facts.push(if value.is_zero() { terms.not(constant) } else { constant });
            }
        }
        terms.and(&facts)
    }
}

impl Program {
    /// The statement with expressions rewritten where `leaf` says so.
    pub(crate) fn rewrite_stmt(
        &mut self,
        stmt: &Stmt,
        leaf: &mut dyn FnMut(&mut crate::expr::Exprs, ExprId) -> Option<ExprId>,
    ) -> Stmt {
        let model = self.data_model;
        let mut memo = Map::default();
        let mut rewrite = |expr: ExprId| self.exprs.rewrite(expr, model, &mut memo, leaf);
        let rewrite_place = |place: Place, rewrite: &mut dyn FnMut(ExprId) -> ExprId| match place {
            Place::Var(_) => place,
            Place::Memory { region, addr, ty } => Place::Memory { region, addr: rewrite(addr), ty },
        };
        match stmt {
            Stmt::Skip => Stmt::Skip,
            Stmt::Assume(cond) => Stmt::Assume(rewrite(*cond)),
            Stmt::Assign(place, value) => {
                let place = rewrite_place(*place, &mut rewrite);
                Stmt::Assign(place, rewrite(*value))
            }
            Stmt::Input(place, source) => Stmt::Input(rewrite_place(*place, &mut rewrite), source.clone()),
            Stmt::Call { callee, args, result } => Stmt::Call {
                callee: *callee,
                args: args.iter().map(|&arg| rewrite(arg)).collect(),
                result: result.map(|place| rewrite_place(place, &mut rewrite)),
            },
            Stmt::Alloc { var, size } => Stmt::Alloc { var: *var, size: rewrite(*size) },
            Stmt::Free(addr) => Stmt::Free(rewrite(*addr)),
        }
    }

    /// Whether an edge can never be taken, by the look of it.
    pub fn is_closed(&self, stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Assume(cond) if self.exprs.as_const(*cond) == Some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::BinaryOp;
    use crate::ir::{MemoryObject, Region, Span};
    use crate::testing::*;

    /// A state machine whose state lives in memory: `*s = 0; *s = *s + 1; if (*s != 1) error;`
    #[test]
    fn memory_at_constant_addresses_becomes_variables_and_then_constants() {
        let mut b = Builder::new();
        let region = b.program.regions.push(Region {
            name: "ints".into(),
            cell: Cell::Scalar(Type::I32),
            zeroed: false,
            objects: Vec::new(),
            allocated: false,
        });
        b.program.objects.push(MemoryObject {
            name: "s".into(),
            address: 4096,
            size: 4,
            span: Span::default(),
            init: Vec::new(),
            zeroed: false,
            function: false,
            constant: false,
            automatic: false,
            live: None,
            sealed: None,
        });
        let pointer = b.local("p", Type::Pointer);
        let (l1, l2, l3) = (b.loc(), b.loc(), b.loc());
        let address = b.program.exprs.constant(Type::Pointer, 4096);
        b.assign(ENTRY, l1, pointer, address);
        let get_p = b.get(pointer);
        let (zero, one) = (b.lit(0), b.lit(1));
        let cell = Place::Memory { region, addr: get_p, ty: Type::I32 };
        let load = b.program.exprs.load(region, get_p, Type::I32);
        b.edge(l1, l2, Stmt::Assign(cell, zero));
        let sum = b.add(load, one);
        b.edge(l2, l3, Stmt::Assign(cell, sum));
        let bad = b.op(BinaryOp::Ne, load, one);
        b.branch(l3, ERROR, EXIT, bad);
        let simplified = simplify(&b.program, &Budget::unlimited()).expect("no limits");
        assert_eq!(simplified.scalars.len(), 1);
        let proc = &simplified.program.procs[simplified.program.entry];
        let into_error = proc.locations[ERROR].incoming[0];
        assert!(simplified.program.is_closed(&proc.edges[into_error].stmt), "{}", simplified.program);
    }

    #[test]
    fn ranges_go_into_the_invariant() {
        let mut b = Builder::new();
        let i = b.int("i");
        let (head, body) = (b.loc(), b.loc());
        let (zero, one, ten, get_i) = (b.lit(0), b.lit(1), b.lit(10), b.get(i));
        b.assign(ENTRY, head, i, zero);
        let cond = b.lt(get_i, ten);
        b.branch(head, body, EXIT, cond);
        let next = b.add(get_i, one);
        b.assign(body, head, i, next);
        let bad = b.lt(ten, get_i);
        b.assume(head, ERROR, bad);
        let simplified = simplify(&b.program, &Budget::unlimited()).expect("no limits");
        let mut terms = Terms::new();
        let invariants = simplified.invariants(&mut terms, &OrderedMap::default());
        assert_eq!(terms.to_smtlib(invariants[&head]), "(and (> i!0 (- 1)) (<= i!0 10))");
    }
}
