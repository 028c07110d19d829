//! What a program state consists of, and the names under which formulas speak of it.

use crate::ir::{Cell, Program, RegionId, Scope, VarId};
use crate::types::Type;

/// A component of a program state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateVar {
    Var(VarId),
    /// The contents of a memory region: an array from addresses to cells.
    Region(RegionId),
}

impl Program {
    /// The name of the constant that stands for this component in labels, invariants and saved
    /// proofs. Unique within the program, and the same in every run.
    pub fn state_name(&self, component: StateVar) -> String {
        match component {
            StateVar::Var(var) => format!("{}!{}", self.vars[var].name, var.0),
            StateVar::Region(region) => format!("{}!m{}", self.regions[region].name, region.0),
        }
    }

    /// Whether formulas speak of this component. Floating-point values are over-approximated: every
    /// read of one yields an arbitrary value.
    pub fn is_tracked(&self, component: StateVar) -> bool {
        match component {
            StateVar::Var(var) => !self.vars[var].ty.is_float(),
            StateVar::Region(region) => !matches!(self.regions[region].cell, Cell::Scalar(Type::Float(_))),
        }
    }

    /// The tracked global variables and regions, in order.
    pub fn global_state(&self) -> Vec<StateVar> {
        let vars = self.vars.enumerated().filter(|(_, var)| matches!(var.scope, Scope::Global { .. }));
        let regions = self.regions.indices().map(StateVar::Region);
        vars.map(|(id, _)| StateVar::Var(id)).chain(regions).filter(|&c| self.is_tracked(c)).collect()
    }
}

impl Program {
    /// A stored value of type `ty` as the cells of a region: (offset, content).
    pub fn cells_of(&self, region: RegionId, ty: Type, value: i128) -> Vec<(u64, i128)> {
        match self.regions[region].cell {
            Cell::Scalar(cell) => {
                let content = match cell {
                    Type::Int(int) => int.wrap(value),
                    _ => value,
                };
                vec![(0, content)]
            }
            Cell::Bytes => {
                let bytes = self.size_of(ty);
                (0..bytes).map(|i| (u64::from(i), (value >> (8 * i)) & 0xff)).collect()
            }
        }
    }

    /// Bytes that a value of the type takes in memory.
    #[inline]
    pub fn size_of(&self, ty: Type) -> u32 {
        match ty {
            Type::Bool => 1,
            Type::Int(int) => int.bytes(),
            Type::Pointer => self.data_model.pointer_bytes(),
            Type::Float(float) => float.bytes(),
        }
    }
}
