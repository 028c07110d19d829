//! The concrete instance of [`Values`]: numbers, byte memory, and an oracle for inputs.

use crate::code::At;
use crate::input::{Input, InputOracle, InputSite, Source};
use crate::memory::{Lifetime, Memory, Read};
use crate::numbers::Numbers;
use crate::outcome::{Halt, Site, Undefined};
use crate::regions::RegionCheck;
use crate::values::Values;
use craig_program::{BinaryOp, IntType, Program, RegionId, Type, UnaryOp};
use std::collections::BTreeMap;

pub struct Concrete<'r, N: Numbers> {
    program: &'r Program,
    pub(crate) numbers: N,
    memory: Memory,
    /// Values in memory that their bytes cannot hold, by address, with their size.
    beyond_bytes: BTreeMap<u64, (u32, i128)>,
    oracle: &'r mut dyn InputOracle,
    pub regions: Option<RegionCheck<'r>>,
    pub inputs: Vec<Input>,
}

impl<'r, N: Numbers> Concrete<'r, N> {
    pub fn new(program: &'r Program, oracle: &'r mut dyn InputOracle) -> Self {
        Concrete {
            numbers: N::new(program),
            program,
            memory: Memory::new(program),
            beyond_bytes: BTreeMap::new(),
            oracle,
            regions: None,
            inputs: Vec::new(),
        }
    }

    fn ask(&mut self, source: Source, ty: Type, site: Site) -> Result<N::Word, Halt> {
        let at = InputSite { site, source, ty };
        let value = self.oracle.next(&at).ok_or(Halt::NoInput)?;
        let word = self.numbers.word(ty, value);
        self.inputs.push(Input { at, value: self.numbers.value(ty, word) });
        Ok(word)
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(&mut self, region: RegionId, ty: Type, address: u64, site: Site) -> Result<N::Word, Halt> {
        let size = self.program.size_of(ty);
        if let Some(value) = self.value_beyond_bytes(address, size)? {
            return Ok(self.numbers.word(ty, value));
        }
        if !self.memory.contains(address, size) {
            return Err(Undefined::InvalidRead { address }.into());
        }
        let missing: Vec<u64> = (address..address + u64::from(size))
            .filter(|&byte| self.memory.read(byte, 1) == Read::Unknown)
            .collect();
        if missing.len() == size as usize {
            let word = self.ask(Source::Memory { region, address }, ty, site)?;
            self.write_word(ty, address, size, word)?;
            return Ok(word);
        }
        for byte in missing {
            let source = Source::Memory { region, address: byte };
            let ty = Type::Int(IntType::U8);
            let word = self.ask(source, ty, site)?;
            self.write_word(ty, byte, 1, word)?;
        }
        let mut bits = 0u128;
        for i in (0..u64::from(size)).rev() {
            if let Read::Value(byte) = self.memory.read(address + i, 1) {
                bits = bits << 8 | u128::from(byte);
            }
        }
        Ok(self.numbers.word_of_bits(ty, bits))
    }

    fn write_word(&mut self, ty: Type, address: u64, size: u32, word: N::Word) -> Result<(), Halt> {
        let value = self.numbers.value(ty, word);
        let written = if size <= 8 {
            self.memory.write(address, size, value as u64)
        } else {
            self.memory.contains(address, size)
                && self.memory.write(address, 8, value as u64)
                && self.memory.write(address + 8, size - 8, (value >> 64) as u64)
        };
        if !written {
            return Err(Undefined::InvalidWrite { address }.into());
        }
        if N::UNBOUNDED {
            let overlapped: Vec<u64> = self.overlapping(address, size).map(|(&start, _)| start).collect();
            for start in overlapped {
                self.beyond_bytes.remove(&start);
            }
            if let Type::Int(int) = ty
                && int.wrap(value) != value
            {
                self.beyond_bytes.insert(address, (size, value));
            }
        }
        Ok(())
    }

    fn overlapping(&self, address: u64, size: u32) -> impl Iterator<Item = (&u64, &(u32, i128))> {
        let end = address.saturating_add(u64::from(size));
        self.beyond_bytes
            .range(address.saturating_sub(15)..end)
            .filter(move |(start, (length, _))| **start + u64::from(*length) > address)
    }

    fn value_beyond_bytes(&self, address: u64, size: u32) -> Result<Option<i128>, Undefined> {
        if !N::UNBOUNDED || self.beyond_bytes.is_empty() {
            return Ok(None);
        }
        match self.overlapping(address, size).next() {
            None => Ok(None),
            Some((&start, &(length, value))) if (start, length) == (address, size) => Ok(Some(value)),
            Some(_) => Err(Undefined::BeyondIdealRange),
        }
    }
}

impl<N: Numbers> Values for Concrete<'_, N> {
    type Value = N::Word;
    const LEAPS: bool = true;

    fn identity_cast(program: &Program, from: Type, to: Type) -> bool {
        N::identity_cast(program, from, to)
    }

    fn constant(&mut self, ty: Type, value: i128) -> N::Word {
        self.numbers.word(ty, value)
    }

    #[inline(always)]
    fn unary(&mut self, op: UnaryOp, ty: Type, a: &N::Word) -> Result<N::Word, Halt> {
        Ok(self.numbers.unary(op, ty, *a)?)
    }

    #[inline(always)]
    fn binary(&mut self, op: BinaryOp, ty: Type, a: &N::Word, b: &N::Word) -> Result<N::Word, Halt> {
        Ok(self.numbers.binary(op, ty, *a, *b)?)
    }

    fn cast(&mut self, from: Type, to: Type, a: &N::Word) -> Result<N::Word, Halt> {
        Ok(self.numbers.cast(from, to, *a)?)
    }

    #[inline(always)]
    fn holds(&mut self, condition: &N::Word, _at: At<'_>) -> Result<bool, Halt> {
        Ok(N::is_true(*condition))
    }

    fn select(&mut self, conditions: &[N::Word], at: At<'_>) -> Result<Option<usize>, Halt> {
        let mut enabled = (0..conditions.len()).filter(|&i| N::is_true(conditions[i]));
        let Some(first) = enabled.next() else { return Ok(None) };
        let others = enabled.clone().count();
        if others == 0 {
            return Ok(Some(first));
        }
        let alternatives = others + 1;
        let source = Source::Choice { alternatives: alternatives as u32 };
        let ty = Type::Int(IntType::unsigned(32));
        let word = self.ask(source, ty, at.site())?;
        let choice = self.numbers.value(ty, word).rem_euclid(alternatives as i128) as usize;
        Ok(std::iter::once(first).chain(enabled).nth(choice))
    }

    #[inline(always)]
    fn load(&mut self, region: RegionId, ty: Type, addr: &N::Word, at: At<'_>) -> Result<N::Word, Halt> {
        let address = N::address(*addr);
        let size = self.program.size_of(ty);
        if let Some(regions) = &mut self.regions {
            regions.load(region, ty, address, at.site());
        }
        if size <= 8
            && (!N::UNBOUNDED || self.beyond_bytes.is_empty())
            && let Read::Value(bits) = self.memory.read(address, size)
        {
            return Ok(self.numbers.word_of_bits(ty, u128::from(bits)));
        }
        self.load_slowly(region, ty, address, at.site())
    }

    #[inline(always)]
    fn store(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &N::Word,
        value: &N::Word,
        at: At<'_>,
    ) -> Result<(), Halt> {
        let address = N::address(*addr);
        self.write_word(ty, address, self.program.size_of(ty), *value)?;
        if let Some(regions) = &mut self.regions {
            regions.store(region, ty, address, at.site());
        }
        Ok(())
    }

    fn allocate(&mut self, address: &N::Word, size: &N::Word, lifetime: Lifetime) -> Result<N::Word, Halt> {
        // A size that does not fit 64 bits cannot be had in any address space.
        let (address, size) = (N::address(*address), N::address(*size));
        let next = self.program.data_model.next_allocation(address, size).ok_or(Undefined::OutOfAddresses)?;
        self.memory.allocate(address, size, lifetime);
        Ok(self.numbers.word(Type::Pointer, i128::from(next)))
    }

    fn free(&mut self, addr: &N::Word, lifetime: Lifetime) -> Result<(), Halt> {
        let address = N::address(*addr);
        if address == 0 || self.memory.free(address, lifetime) {
            Ok(())
        } else {
            Err(Undefined::InvalidFree { address }.into())
        }
    }

    fn input(&mut self, source: Source, ty: Type, at: At<'_>) -> Result<N::Word, Halt> {
        self.ask(source, ty, at.site())
    }

    fn known(&self, ty: Type, value: &N::Word) -> Option<i128> {
        Some(self.numbers.value(ty, *value))
    }

    fn memory(&self) -> Option<&Memory> {
        Some(&self.memory)
    }
}
