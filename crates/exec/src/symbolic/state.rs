//! What variables and memory hold, as terms.

use craig_base::{Map, OrderedMap};
use craig_program::encode::{Encoder, Environment, Store, Value, in_range};
use craig_program::{Cell, Interval, Program, RegionId, Scope, StateVar, Type, VarId};
use craig_term::{Substitution, TermId, Terms};
use std::collections::BTreeMap;

/// A symbolic state. What was neither written nor given is a symbol of its own from its first read on.
#[derive(Clone, Debug, Default)]
pub struct SymbolicState {
    vars: OrderedMap<VarId, Value>,
    regions: OrderedMap<RegionId, Contents>,
    /// The symbols that stand for components that were read before they had a value: the inputs that a
    /// path touches. A local variable has one in each call.
    pub symbols: Vec<(StateVar, TermId)>,
    /// Memory begins as the initialisers of the program say.
    initialised: bool,
    /// Facts about new symbols, for the owner of the state to take.
    facts: Vec<TermId>,
}

/// A region: cells at known addresses above an array.
#[derive(Clone, Debug)]
struct Contents {
    array: TermId,
    /// Written later than the array; of a region of scalars with the type of its cells. No two overlap.
    cells: BTreeMap<u64, (Type, Value)>,
}

/// The longest value, in bytes.
const LONGEST: u64 = 16;

impl SymbolicState {
    /// The state in which a program starts.
    pub fn initial(program: &Program, terms: &mut Terms) -> Self {
        let mut state = SymbolicState { initialised: true, ..SymbolicState::default() };
        let mut encoder = Encoder::new(program, terms);
        for (id, var) in program.vars.enumerated() {
            if let Scope::Global { init } = var.scope
                && !var.ty.is_float()
            {
                state.vars.insert(id, encoder.constant(var.ty, init));
            }
        }
        state
    }

    /// Any state, in which these components have these values; they lie in the ranges of their types.
    pub fn given(program: &Program, components: impl IntoIterator<Item = (StateVar, TermId)>) -> Self {
        let mut state = SymbolicState::default();
        for (component, term) in components {
            match component {
                StateVar::Var(var) => {
                    let range = craig_program::encode::type_range(program, program.vars[var].ty);
                    state.vars.insert(var, Value { term, range });
                }
                StateVar::Region(region) => {
                    state.regions.insert(region, Contents { array: term, cells: BTreeMap::new() });
                }
            }
        }
        state
    }

    /// The value of a component, where it has one.
    pub fn value(&self, var: VarId) -> Option<&Value> {
        self.vars.get(&var)
    }

    /// The value of a tracked component in this state. A region becomes one array.
    pub fn component(&mut self, program: &Program, terms: &mut Terms, component: StateVar) -> TermId {
        let mut encoder = Encoder::new(program, terms);
        let term = match component {
            StateVar::Var(var) => self.var(&mut encoder, var).term,
            StateVar::Region(region) => self.region(&mut encoder, region),
        };
        self.facts.extend(encoder.take_conditions());
        term
    }

    /// A formula over the given constants for components, as it is in this state.
    pub fn instantiate(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        formula: TermId,
        constants: impl IntoIterator<Item = (StateVar, TermId)>,
    ) -> TermId {
        let mut map = Map::default();
        for (component, constant) in constants {
            map.insert(constant, self.component(program, terms, component));
        }
        Substitution::new(map).apply(terms, formula)
    }

    /// What is known of symbols that were made since this was last asked.
    pub fn take_facts(&mut self) -> Vec<TermId> {
        std::mem::take(&mut self.facts)
    }

    /// Takes away the value of a variable, for example because a call begins.
    pub(super) fn take(&mut self, var: VarId) -> Option<Value> {
        self.vars.shift_remove(&var)
    }

    fn contents(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> &mut Contents {
        if !self.regions.contains_key(&region) {
            let contents = self.first_contents(encoder, region);
            self.regions.insert(region, contents);
        }
        &mut self.regions[&region]
    }

    fn first_contents(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> Contents {
        let program = encoder.program;
        let sort = encoder.terms.array_sort(Terms::INT, Terms::INT);
        let mut cells = BTreeMap::new();
        if self.initialised {
            for object in &program.objects {
                for &(offset, at, ty, value) in object.init.iter().filter(|(_, at, ..)| *at == region) {
                    for (inner, content) in program.cells_of(at, ty, value) {
                        let ty = match program.regions[region].cell {
                            Cell::Scalar(cell) => cell,
                            Cell::Bytes => Type::Int(craig_program::IntType::U8),
                        };
                        let content = encoder.constant(ty, content);
                        cells.insert(object.address + offset + inner, (ty, content));
                    }
                }
            }
        }
        if self.initialised && program.regions[region].zeroed {
            let zero = encoder.terms.int(0);
            return Contents { array: encoder.terms.const_array(sort, zero), cells };
        }
        let name = program.state_name(StateVar::Region(region));
        let array = encoder.terms.fresh_const(&name, sort);
        self.symbols.push((StateVar::Region(region), array));
        Contents { array, cells }
    }

    /// Whether a known address hits exactly one cell or none; otherwise cells join the array.
    fn settle(&mut self, encoder: &mut Encoder<'_>, region: RegionId, address: u64, ty: Type) {
        let program = encoder.program;
        let size = u64::from(program.size_of(ty));
        let is_bytes = program.regions[region].cell == Cell::Bytes;
        let contents = self.contents(encoder, region);
        let end = address.saturating_add(size);
        let collides =
            contents.cells.range(address.saturating_sub(LONGEST - 1)..end).any(|(&at, (other, _))| {
                let other_end = at.saturating_add(u64::from(program.size_of(*other)));
                other_end > address && (at != address || (is_bytes && *other != ty))
            });
        if collides {
            contents.flush(encoder, region);
        }
    }
}

impl Contents {
    /// Puts the cells into the array.
    fn flush(&mut self, encoder: &mut Encoder<'_>, region: RegionId) {
        for (address, (ty, value)) in std::mem::take(&mut self.cells) {
            let address = known_address(encoder, address);
            self.array = encoder.store(self.array, region, &address, ty, Some(&value));
        }
    }
}

fn known_address(encoder: &mut Encoder<'_>, address: u64) -> Value {
    Value { term: encoder.terms.int(address), range: Interval::constant(address) }
}

/// The address, if it is known.
fn as_known(encoder: &Encoder<'_>, address: &Value) -> Option<u64> {
    encoder
        .terms
        .int_value(address.term)
        .and_then(|value| value.to_i128())
        .and_then(|value| value.try_into().ok())
}

impl Environment for SymbolicState {
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value {
        if let Some(value) = self.vars.get(&var) {
            return value.clone();
        }
        let (name, ty) = (encoder.program.state_name(StateVar::Var(var)), encoder.program.vars[var].ty);
        let value = encoder.any_value(&name, ty);
        let fact = encoder.in_type(&value, ty);
        self.facts.push(fact);
        self.symbols.push((StateVar::Var(var), value.term));
        self.vars.insert(var, value.clone());
        value
    }

    fn region(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> TermId {
        let contents = self.contents(encoder, region);
        contents.flush(encoder, region);
        contents.array
    }

    fn load(&mut self, encoder: &mut Encoder<'_>, region: RegionId, addr: &Value, ty: Type) -> Value {
        if let Some(address) = as_known(encoder, addr) {
            self.settle(encoder, region, address, ty);
            let contents = self.contents(encoder, region);
            if let Some((stored, value)) = contents.cells.get(&address) {
                return if *stored == ty { value.clone() } else { encoder.cast(*stored, ty, value) };
            }
            let array = contents.array;
            return encoder.load(array, region, addr, ty);
        }
        let array = self.region(encoder, region);
        encoder.load(array, region, addr, ty)
    }
}

impl Store for SymbolicState {
    fn set_var(&mut self, var: VarId, value: Value) {
        self.vars.insert(var, value);
    }

    fn set_region(&mut self, region: RegionId, array: TermId) {
        self.regions.insert(region, Contents { array, cells: BTreeMap::new() });
    }

    fn store(
        &mut self,
        encoder: &mut Encoder<'_>,
        region: RegionId,
        addr: &Value,
        ty: Type,
        value: Option<&Value>,
    ) {
        if let (Some(address), Some(value)) = (as_known(encoder, addr), value) {
            self.settle(encoder, region, address, ty);
            let (ty, value) = match encoder.program.regions[region].cell {
                Cell::Scalar(cell) if cell != ty => (cell, encoder.cast(ty, cell, value)),
                _ => (ty, value.clone()),
            };
            self.contents(encoder, region).cells.insert(address, (ty, value));
            return;
        }
        let array = self.region(encoder, region);
        let array = encoder.store(array, region, addr, ty, value);
        self.set_region(region, array);
    }
}

/// The part of an object in which a value of `size` bytes can lie.
pub(super) fn within_object(terms: &mut Terms, addr: TermId, start: u64, size: u64, bytes: u32) -> TermId {
    let last = start + size.saturating_sub(u64::from(bytes));
    in_range(terms, addr, &Interval::new(start, last))
}
