//! The effect of statements on a state: what they demand of the runs that come there, and what variables and memory hold then.

use super::Unsupported;
use super::arithmetic::width;
use super::expressions::Value;
use super::state::State;
use super::unwinder::Unwinder;
use super::word::{MOST_VALUES, Word};
use crate::{Bit, words};
use craig_exec::Site;
use craig_program::{ExprId, Place, Scope, Stmt, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Unwinder<'_> {
    /// Demands a condition of all runs that come to a state; false if there are none.
    pub fn constrain(&mut self, state: &State, condition: Bit) -> bool {
        let constraint = self.circuit.implies(state.guard, condition);
        match constraint.as_constant() {
            Some(holds) => holds && condition != Bit::FALSE && state.guard != Bit::FALSE,
            None => {
                self.constraints.push(constraint);
                condition != Bit::FALSE
            }
        }
    }

    pub fn escape(&mut self, guard: Bit, condition: Bit) {
        let escape = self.circuit.and(guard, condition);
        if escape != Bit::FALSE {
            self.escapes.push(escape);
        }
    }

    /// A value that the program needs; none if no run gets it.
    pub fn demand(&mut self, state: &State, id: ExprId) -> Result<Option<Value>, Unsupported> {
        let value = self.value(state, id)?;
        self.escape(state.guard, value.escape);
        Ok(self.constrain(state, value.defined).then_some(value))
    }

    /// The effect of a statement; false if no run gets past it.
    pub fn execute(&mut self, state: &mut State, stmt: &Stmt, site: Site) -> Result<bool, Unsupported> {
        match stmt {
            Stmt::Skip | Stmt::Assume(_) | Stmt::Call { .. } => Ok(true),
            Stmt::Assign(place, value) => {
                let Some(value) = self.demand(state, *value)? else { return Ok(false) };
                self.assign(state, *place, value.word)
            }
            Stmt::Input(place, _) => {
                let ty = self.program.place_type(*place);
                let bits = words::inputs(&mut self.circuit, width(self.program, ty));
                self.inputs.statement(state.guard, site, ty, bits.clone());
                self.assign(state, *place, Rc::new(Word::new(bits)))
            }
            Stmt::Alloc { var, size } => {
                let Some(size) = self.demand(state, *size)? else { return Ok(false) };
                self.allocate(state, *var, &size.word)
            }
            Stmt::Free(address) => {
                let Some(address) = self.demand(state, *address)? else { return Ok(false) };
                let freed = state.memory.free(&mut self.memory_context(), &address.word);
                let is_null = !words::any(&mut self.circuit, &address.word.bits);
                let allowed = self.circuit.or(freed, is_null);
                Ok(self.constrain(state, allowed))
            }
        }
    }

    pub fn assign(&mut self, state: &mut State, place: Place, word: Rc<Word>) -> Result<bool, Unsupported> {
        match place {
            Place::Var(var) => {
                self.set(state, var, word);
                Ok(true)
            }
            Place::Memory { addr, ty, .. } => {
                let Some(address) = self.demand(state, addr)? else { return Ok(false) };
                let bytes = u64::from(self.program.size_of(ty));
                let signed = ty.as_int().is_some_and(|int| int.signed);
                let mut stored = word;
                if stored.bits.len() as u64 != 8 * bytes {
                    let bits = words::extend(&stored.bits, 8 * bytes as usize, signed);
                    stored = Rc::new(Word::new(bits));
                }
                let mut cx = self.memory_context();
                let access = state.memory.locate(&mut cx, state.known, &address.word, bytes)?;
                state.memory.write(&mut cx, &access, &stored);
                self.escape(state.guard, access.escape);
                // A write outside of every object ends the path, but an unlisted place is not outside.
                let allowed = self.circuit.or(access.valid, access.escape);
                Ok(self.constrain(state, allowed))
            }
        }
    }

    fn allocate(&mut self, state: &mut State, var: VarId, size: &Word) -> Result<bool, Unsupported> {
        let Some(next) = self.program.next_address else { return Err(Unsupported::Allocation) };
        let address = self.read(state, next);
        let Some(starts) = address.cases() else { return Err(Unsupported::Allocation) };
        let pointer = address.bits.len();
        let unit = self.program.data_model.guard_bytes();
        let size = Word { bits: words::zero_extend(&size.bits, pointer), hint: size.hint.clone() };
        let sizes: Vec<u64> = match size.cases() {
            Some(cases) => cases.iter().map(|&(size, _)| size).collect(),
            None => {
                // Larger objects are cut off.
                let most = self.bounds.object.min(unit - 1);
                let bound = words::constant(pointer, u128::from(most));
                let larger = words::less(&mut self.circuit, &bound, &size.bits, false);
                self.cuts.push(self.circuit.and(state.guard, larger));
                state.guard = self.circuit.and(state.guard, !larger);
                vec![most]
            }
        };
        let limit = sizes.iter().copied().max().unwrap_or(0);
        if size.as_constant().is_none() {
            self.largest = self.largest.max(limit);
        }
        // Below the bound, all sizes that are not known take one unit.
        let taken = size.cases().unwrap_or_else(|| Rc::from([(limit, Bit::TRUE)]));
        let mut after: BTreeMap<u64, Bit> = BTreeMap::new();
        for &(start, is_start) in starts.iter() {
            for &(size, is_size) in taken.iter() {
                let Some(end) = self.program.data_model.next_allocation(start, size) else {
                    return Err(Unsupported::Allocation);
                };
                let here = self.circuit.and(is_start, is_size);
                let so_far = after.get(&end).copied().unwrap_or(Bit::FALSE);
                after.insert(end, self.circuit.or(so_far, here));
            }
            state.memory.allocate(&mut self.memory_context(), start, is_start, &size, limit);
        }
        if after.len() > MOST_VALUES {
            return Err(Unsupported::Allocation);
        }
        let after = Word::of_cases(&mut self.circuit, pointer, after);
        self.set(state, next, Rc::new(after));
        self.set(state, var, address);
        Ok(true)
    }

    pub fn anything(&mut self, ty: craig_program::Type) -> Rc<Word> {
        Rc::new(Word::new(words::inputs(&mut self.circuit, width(self.program, ty))))
    }

    pub fn read(&mut self, state: &State, var: VarId) -> Rc<Word> {
        let slot = self.slots[var];
        let found = match self.program.vars[var].scope {
            Scope::Global { .. } => state.globals[slot].clone(),
            Scope::Local(_) => state.frames.last().and_then(|locals| locals[slot].clone()),
        };
        match found {
            Some(word) => {
                let under = self.under.at(&self.circuit, state.known);
                word.narrowed(&mut self.circuit, under)
            }
            None => self.anything(self.program.vars[var].ty),
        }
    }

    pub fn set(&self, state: &mut State, var: VarId, word: Rc<Word>) {
        let slot = self.slots[var];
        let variables = match self.program.vars[var].scope {
            Scope::Global { .. } => Some(&mut state.globals),
            Scope::Local(_) => state.frames.last_mut(),
        };
        if let Some(variables) = variables {
            Rc::make_mut(variables)[slot] = Some(word);
        }
    }
}
