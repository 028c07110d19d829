//! The seam between control and data.
//!
//! The [`Machine`](crate::machine::Machine) follows the control flow and moves values between slots;
//! what a value is, what memory is, where inputs come from and which way an undecided branch goes is
//! up to an instance of [`Values`]. The concrete instances are [`Concrete`](crate::concrete::Concrete)
//! over 64-bit words, 128-bit words, and unbounded integers. The [symbolic](crate::symbolic) ones keep
//! terms beside such words, add to their path condition in [`Values::holds`], and keep a symbolic memory
//! behind [`Values::load`] and [`Values::store`].

use crate::code::At;
use crate::memory::{Lifetime, Memory};
use crate::outcome::Halt;
use craig_program::{BinaryOp, Program, RegionId, Type, UnaryOp};

pub trait Values {
    type Value: Clone;

    /// Whether rounds of a loop that are alike can be taken at once: values are words, and operations have no effects.
    const LEAPS: bool = false;

    /// Whether a conversion leaves the representation of every value of type `from` as it is, so
    /// that no instruction is needed for it.
    fn identity_cast(program: &Program, from: Type, to: Type) -> bool;

    fn constant(&mut self, ty: Type, value: i128) -> Self::Value;

    fn unary(&mut self, op: UnaryOp, ty: Type, a: &Self::Value) -> Result<Self::Value, Halt>;

    /// `ty` is the type of the left operand.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Result<Self::Value, Halt>;

    fn cast(&mut self, from: Type, to: Type, a: &Self::Value) -> Result<Self::Value, Halt>;

    /// Whether a condition is true from now on.
    fn holds(&mut self, condition: &Self::Value, at: At<'_>) -> Result<bool, Halt>;

    /// `holds(binary(op, ty, a, b))`, for a comparison.
    fn compare(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: &Self::Value,
        b: &Self::Value,
        at: At<'_>,
    ) -> Result<bool, Halt> {
        let condition = self.binary(op, ty, a, b)?;
        self.holds(&condition, at)
    }

    /// Which of several conditions, not known to exclude each other, is true from now on; `None` if
    /// all are false.
    fn select(&mut self, conditions: &[Self::Value], at: At<'_>) -> Result<Option<usize>, Halt>;

    fn load(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Self::Value,
        at: At<'_>,
    ) -> Result<Self::Value, Halt>;

    fn store(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Self::Value,
        value: &Self::Value,
        at: At<'_>,
    ) -> Result<(), Halt>;

    /// Makes an object of `size` bytes at `address`; returns the next free address.
    fn allocate(
        &mut self,
        address: &Self::Value,
        size: &Self::Value,
        lifetime: Lifetime,
    ) -> Result<Self::Value, Halt>;

    /// Ends an object of this kind.
    fn free(&mut self, addr: &Self::Value, lifetime: Lifetime) -> Result<(), Halt>;

    fn input(&mut self, source: crate::Source, ty: Type, at: At<'_>) -> Result<Self::Value, Halt>;

    /// The mathematical value, where it is known (see [`crate::numbers::Numbers::value`]).
    fn known(&self, ty: Type, value: &Self::Value) -> Option<i128>;

    /// The concrete memory, where there is one.
    fn memory(&self) -> Option<&Memory>;
}
