//! Loads and stores: a region is an array from addresses to cells.
//!
//! A cell of a scalar region holds a value of the region's type. A region of bytes holds numbers
//! from 0 to 255; wider values are sums of bytes, least significant first. That cells are in range
//! is known for every load: stores keep it, and initial contents have it.

use super::{Encoder, Value};
use crate::interval::Interval;
use crate::ir::{Cell, RegionId};
use crate::types::{IntType, Type};
use craig_num::Int;
use craig_term::{Op, TermId};

impl Encoder<'_> {
    /// The value of type `ty` at an address, in a region of anything but floats.
    pub fn load(&mut self, array: TermId, region: RegionId, addr: &Value, ty: Type) -> Value {
        match self.program.regions[region].cell {
            Cell::Scalar(cell) => {
                let content = self.cell(array, addr.term, self.type_range(cell));
                if cell == ty { content } else { self.cast(cell, ty, &content) }
            }
            Cell::Bytes => self.load_bytes(array, addr, ty),
        }
    }

    /// The array after a store into a region of anything but floats. `value` is missing for a float.
    pub fn store(
        &mut self,
        array: TermId,
        region: RegionId,
        addr: &Value,
        ty: Type,
        value: Option<&Value>,
    ) -> TermId {
        match (self.program.regions[region].cell, value) {
            (Cell::Scalar(cell), Some(value)) => {
                let value = if cell == ty { value.clone() } else { self.cast(ty, cell, value) };
                self.terms.store(array, addr.term, value.term)
            }
            (Cell::Scalar(cell), None) => {
                let any = self.arbitrary("cell", cell);
                self.terms.store(array, addr.term, any.term)
            }
            (Cell::Bytes, value) => self.store_bytes(array, addr, ty, value),
        }
    }

    /// The side conditions of the operations since they were last taken.
    pub fn take_conditions(&mut self) -> Vec<TermId> {
        self.conditions.drain(..).map(|(_, condition)| condition).collect()
    }

    fn cell(&mut self, array: TermId, addr: TermId, range: Interval) -> Value {
        let term = self.terms.select(array, addr);
        if let Some(value) = self.terms.int_value(term) {
            return Value { term, range: Interval::constant(value) };
        }
        // What a store in sight put there is in range anyway.
        if self.terms.op(term) == Op::Select {
            let known = self.in_range(term, &range);
            self.require(known);
        }
        Value { term, range }
    }

    fn load_bytes(&mut self, array: TermId, addr: &Value, ty: Type) -> Value {
        let mut sum = Value { term: self.terms.int(0), range: Interval::constant(0) };
        for i in 0..self.program.size_of(ty) {
            let at = self.offset(addr, i);
            let byte = self.cell(array, at, Interval::new(0, 255));
            let weighted = self.scaled(&Int::pow2(8 * i), &byte);
            sum = Value {
                term: self.terms.add2(sum.term, weighted.term),
                range: sum.range.add(&weighted.range),
            };
        }
        match ty {
            Type::Int(IntType::BOOL) | Type::Bool => self.cast(Type::Int(IntType::U8), ty, &sum),
            _ => {
                let int = self.integer_of(ty);
                self.wrap(sum, int)
            }
        }
    }

    fn store_bytes(&mut self, mut array: TermId, addr: &Value, ty: Type, value: Option<&Value>) -> TermId {
        for i in 0..self.program.size_of(ty) {
            let byte = match value {
                Some(value) => {
                    let power = Int::pow2(8 * i);
                    let numeral = self.terms.int(power.clone());
                    let shifted = Value {
                        term: self.terms.div(value.term, numeral),
                        range: value.range.div_floor(&power),
                    };
                    self.low_bits(&shifted, 8)
                }
                None => self.arbitrary("byte", Type::Int(IntType::U8)),
            };
            let at = self.offset(addr, i);
            array = self.terms.store(array, at, byte.term);
        }
        array
    }

    /// The bytes of one value do not wrap around the end of memory: no object lies there.
    fn offset(&mut self, addr: &Value, bytes: u32) -> TermId {
        let offset = self.terms.int(i64::from(bytes));
        self.terms.add2(addr.term, offset)
    }
}
