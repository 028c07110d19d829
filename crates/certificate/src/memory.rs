//! Loads and stores: a region is an array from addresses to cells.

use crate::meaning::{Meaning, power};
use crate::state::{State, at_entry, initial};
use craig_base::{Map, OrderedSet};
use craig_num::Int;
use craig_program::{Cell, IntType, RegionId, StateVar, Type};
use craig_term::{Op, TermId, Terms};

impl Meaning<'_> {
    /// The value of type `ty` at `addr`.
    pub(crate) fn load(
        &mut self,
        tm: &mut Terms,
        state: &State,
        region: RegionId,
        addr: TermId,
        ty: Type,
    ) -> TermId {
        let cell = self.program.regions[region].cell;
        if ty.is_float() || matches!(cell, Cell::Scalar(cell_ty) if cell_ty.is_float()) {
            return self.arbitrary(tm, ty);
        }
        let contents = state.region(tm, self.program, region);
        match cell {
            Cell::Scalar(cell_ty) => {
                let value = tm.select(contents, addr);
                let fact = self.in_range(tm, cell_ty, value);
                self.assumptions.push(fact);
                self.cast(tm, cell_ty, ty, value)
            }
            Cell::Bytes => {
                let (bytes, _) = self.layout(ty);
                let mut parts = Vec::new();
                for i in 0..bytes {
                    let offset = tm.int(i64::from(i));
                    let at = tm.add2(addr, offset);
                    let byte = tm.select(contents, at);
                    let fact = self.in_range(tm, Type::Int(IntType::U8), byte);
                    self.assumptions.push(fact);
                    let weight = tm.int(power(8 * i));
                    parts.push(tm.mul(byte, weight));
                }
                let unsigned = tm.add(&parts);
                let whole = Type::Int(IntType::unsigned((8 * bytes) as u8));
                self.cast(tm, whole, ty, unsigned)
            }
        }
    }

    /// The regions of the state, and what each of their cells holds.
    fn cells(&self, tm: &mut Terms) -> Map<TermId, Type> {
        let mut cells: Map<TermId, Type> = Map::default();
        for (id, region) in self.program.regions.enumerated() {
            let ty = match region.cell {
                Cell::Scalar(ty) => ty,
                Cell::Bytes => Type::Int(IntType::U8),
            };
            let component = StateVar::Region(id);
            if self.program.is_tracked(component) && !ty.is_float() {
                cells.insert(initial(tm, self.program, component), ty);
                cells.insert(at_entry(tm, self.program, component), ty);
            }
        }
        cells
    }

    /// That all cells of the regions in the formulas hold values of their types.
    pub(crate) fn all_cells_facts(&self, tm: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
        let cells = self.cells(tm);
        let mut facts = Vec::new();
        for region in tm.free_consts_of(formulas) {
            if let Some(&ty) = cells.get(&region) {
                let address = tm.fresh_const("k", Terms::INT);
                let value = tm.select(region, address);
                let in_range = self.in_range(tm, ty, value);
                facts.push(tm.forall(&[address], in_range));
            }
        }
        facts
    }

    /// That the cells of the state which the formulas read hold values of their types, as cells always do.
    pub(crate) fn cell_facts(&self, tm: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
        let cells = self.cells(tm);
        if cells.is_empty() {
            return Vec::new();
        }
        let mut facts = OrderedSet::default();
        // The arrays that each array is made of: itself, or those below stores and choices.
        let mut bases: Map<TermId, OrderedSet<TermId>> = Map::default();
        for t in tm.postorder(formulas) {
            let args = tm.args(t).to_vec();
            let below = match tm.op(t) {
                Op::Const(_) if cells.contains_key(&t) => OrderedSet::from_iter([t]),
                Op::Store => bases.get(&args[0]).cloned().unwrap_or_default(),
                Op::Ite => args[1..].iter().filter_map(|arg| bases.get(arg)).flatten().copied().collect(),
                Op::Select => {
                    for base in bases.get(&args[0]).cloned().unwrap_or_default() {
                        let value = tm.select(base, args[1]);
                        facts.insert(self.in_range(tm, cells[&base], value));
                    }
                    continue;
                }
                _ => continue,
            };
            bases.insert(t, below);
        }
        facts.into_iter().collect()
    }

    /// The contents of the region after `value` of type `ty` was written to `addr`; none if they
    /// are not tracked.
    pub(crate) fn store(
        &mut self,
        tm: &mut Terms,
        state: &State,
        region: RegionId,
        addr: TermId,
        ty: Type,
        value: TermId,
    ) -> Option<TermId> {
        let cell = self.program.regions[region].cell;
        let mut contents = match cell {
            Cell::Scalar(cell_ty) if cell_ty.is_float() => return None,
            _ => state.region(tm, self.program, region),
        };
        match cell {
            Cell::Scalar(cell_ty) => {
                let stored = self.cast(tm, ty, cell_ty, value);
                Some(tm.store(contents, addr, stored))
            }
            Cell::Bytes => {
                let (bytes, int) = self.layout(ty);
                let unsigned = match int {
                    Some(int) if int.signed => {
                        self.cast(tm, ty, Type::Int(IntType::unsigned((8 * bytes) as u8)), value)
                    }
                    _ => value,
                };
                for i in 0..bytes {
                    let byte = if ty.is_float() {
                        self.arbitrary(tm, Type::Int(IntType::U8))
                    } else {
                        let (weight, modulus) = (tm.int(power(8 * i)), tm.int(Int::from(256)));
                        let shifted = tm.div(unsigned, weight);
                        tm.modulo(shifted, modulus)
                    };
                    let offset = tm.int(i64::from(i));
                    let at = tm.add2(addr, offset);
                    contents = tm.store(contents, at, byte);
                }
                Some(contents)
            }
        }
    }

    /// The next free address after an allocation, as [`craig_program::DataModel::next_allocation`] says.
    pub(crate) fn next_allocation(&mut self, tm: &mut Terms, address: TermId, size: TermId) -> TermId {
        let unit = self.program.data_model.guard_bytes() as i64;
        let (unit, apart) = (tm.int(unit), tm.int(2 * unit));
        let filled = tm.div(size, unit);
        let filled = tm.mul(filled, unit);
        tm.add(&[address, filled, apart])
    }

    fn layout(&self, ty: Type) -> (u32, Option<IntType>) {
        match ty {
            Type::Int(int) => (int.bytes(), Some(int)),
            Type::Pointer => (self.program.data_model.pointer_bytes(), None),
            Type::Float(float) => (float.bytes(), None),
            Type::Bool => (1, None),
        }
    }
}
