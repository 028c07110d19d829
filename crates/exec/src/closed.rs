//! The only run of a program that has no inputs, or none that matter.
//!
//! [`Closed`] keeps with each value whether it depends on an input. A run on such values stops where an input
//! decides something: which way it goes, which address it accesses, how large an object is. If it comes
//! to its end, every run of the program takes the same way, so that its outcome is the program's.
//!
//! Which object a run tracks ([`craig_program::TRACKED`]) is an input of the checks, not of the program: only the first
//! that is chosen matters, so that there is one run for each.

use crate::code::At;
use crate::concrete::Concrete;
use crate::input::{InputSite, Source};
use crate::memory::{Lifetime, Memory};
use crate::numbers::Numbers;
use crate::outcome::Halt;
use crate::values::Values;
use craig_base::Set;
use craig_program::{BinaryOp, InputSource, Program, RegionId, Stmt, TRACKED, Type, UnaryOp};
use std::cell::Cell;

pub struct Closed<'r, N: Numbers> {
    values: Concrete<'r, N>,
    program: &'r Program,
    /// The bytes of memory that depend on inputs.
    open: Set<u64>,
    choice: &'r Choice,
}

/// Which of the objects that could be tracked is.
pub struct Choice {
    pub chosen: Option<u64>,
    /// How many there were so far.
    pub offered: Cell<u64>,
}

#[derive(Clone, Copy)]
pub struct Word<W> {
    word: W,
    open: bool,
}

/// Inputs are zero; nothing may depend on them.
pub(crate) fn zero(_: &InputSite) -> Option<i128> {
    Some(0)
}

/// Whether this input chooses the object that is tracked.
pub(crate) fn is_choice(program: &Program, at: &InputSite) -> bool {
    let stmt = || &program.procs[at.site.proc].edges[at.site.edge].stmt;
    at.ty == Type::Bool
        && at.source == Source::Statement
        && matches!(stmt(), Stmt::Input(_, InputSource::Unmodelled(what)) if &**what == TRACKED)
}

impl<'r, N: Numbers> Closed<'r, N> {
    pub fn new(program: &'r Program, values: Concrete<'r, N>, choice: &'r Choice) -> Self {
        Closed { values, program, open: Set::default(), choice }
    }

    fn bytes(&self, address: u64, ty: Type) -> impl Iterator<Item = u64> + use<N> {
        (0..u64::from(self.program.size_of(ty))).map(move |i| address.wrapping_add(i))
    }

    fn any(&mut self, ty: Type) -> Word<N::Word> {
        Word { word: self.values.constant(ty, 0), open: true }
    }
}

fn closed<W: Copy>(value: &Word<W>) -> Result<W, Halt> {
    if value.open { Err(Halt::NoInput) } else { Ok(value.word) }
}

impl<N: Numbers> Values for Closed<'_, N> {
    type Value = Word<N::Word>;
    const LEAPS: bool = true;

    fn identity_cast(program: &Program, from: Type, to: Type) -> bool {
        N::identity_cast(program, from, to)
    }

    fn constant(&mut self, ty: Type, value: i128) -> Self::Value {
        Word { word: self.values.constant(ty, value), open: false }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, a: &Self::Value) -> Result<Self::Value, Halt> {
        if a.open {
            return Ok(*a);
        }
        Ok(Word { word: self.values.unary(op, ty, &a.word)?, open: false })
    }

    /// Where an operation is undefined for some inputs, the runs with others go on alike.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Result<Self::Value, Halt> {
        if a.open || b.open {
            return Ok(self.any(ty));
        }
        Ok(Word { word: self.values.binary(op, ty, &a.word, &b.word)?, open: false })
    }

    fn cast(&mut self, from: Type, to: Type, a: &Self::Value) -> Result<Self::Value, Halt> {
        if a.open {
            return Ok(self.any(to));
        }
        Ok(Word { word: self.values.cast(from, to, &a.word)?, open: false })
    }

    fn holds(&mut self, condition: &Self::Value, at: At<'_>) -> Result<bool, Halt> {
        self.values.holds(&closed(condition)?, at)
    }

    fn select(&mut self, conditions: &[Self::Value], at: At<'_>) -> Result<Option<usize>, Halt> {
        let words = conditions.iter().map(closed).collect::<Result<Vec<_>, _>>()?;
        let before = self.values.inputs.len();
        let chosen = self.values.select(&words, at)?;
        if self.values.inputs.len() > before { Err(Halt::NoInput) } else { Ok(chosen) }
    }

    fn load(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Self::Value,
        at: At<'_>,
    ) -> Result<Self::Value, Halt> {
        let addr = closed(addr)?;
        let before = self.values.inputs.len();
        let word = self.values.load(region, ty, &addr, at)?;
        // Bytes without a value got one from an input.
        for input in &self.values.inputs[before..] {
            match input.at.source {
                Source::Memory { address, .. } => {
                    let bytes = self.bytes(address, input.at.ty).collect::<Vec<_>>();
                    self.open.extend(bytes);
                }
                _ => return Err(Halt::NoInput),
            }
        }
        let open = !self.open.is_empty() && self.bytes(N::address(addr), ty).any(|b| self.open.contains(&b));
        Ok(Word { word, open })
    }

    fn store(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Self::Value,
        value: &Self::Value,
        at: At<'_>,
    ) -> Result<(), Halt> {
        let addr = closed(addr)?;
        self.values.store(region, ty, &addr, &value.word, at)?;
        let bytes = self.bytes(N::address(addr), ty);
        if value.open {
            self.open.extend(bytes);
        } else if !self.open.is_empty() {
            bytes.for_each(|byte| {
                self.open.remove(&byte);
            });
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        address: &Self::Value,
        size: &Self::Value,
        lifetime: Lifetime,
    ) -> Result<Self::Value, Halt> {
        let word = self.values.allocate(&closed(address)?, &closed(size)?, lifetime)?;
        Ok(Word { word, open: false })
    }

    fn free(&mut self, addr: &Self::Value, lifetime: Lifetime) -> Result<(), Halt> {
        self.values.free(&closed(addr)?, lifetime)
    }

    fn input(&mut self, source: Source, ty: Type, at: At<'_>) -> Result<Self::Value, Halt> {
        if !is_choice(self.program, &InputSite { site: at.site(), source, ty }) {
            return Ok(self.any(ty));
        }
        let number = self.choice.offered.get();
        self.choice.offered.set(number + 1);
        Ok(self.constant(ty, i128::from(self.choice.chosen == Some(number))))
    }

    fn known(&self, ty: Type, value: &Self::Value) -> Option<i128> {
        (!value.open).then(|| self.values.known(ty, &value.word)).flatten()
    }

    fn memory(&self) -> Option<&Memory> {
        self.values.memory()
    }
}
