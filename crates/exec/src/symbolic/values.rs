//! The symbolic instance of [`Values`]: words with terms beside them.

use super::state::within_object;
use super::{Constraint, ConstraintKind, SymbolicState};
use crate::code::{At, Code, Detail};
use crate::compile::compile;
use crate::concrete::Concrete;
use crate::ideal::Ideal;
use crate::input::{InputOracle, Source};
use crate::machine::{Limits, Machine, Observer};
use crate::memory::{Lifetime, Memory};
use crate::numbers::{Narrow, Numbers, Wide};
use crate::outcome::{Halt, Site};
use crate::run::{Run, Width};
use crate::values::Values;
use craig_base::{OrderedMap, Set};
use craig_program::encode::{Encoder, Environment, Operation, Store, Value};
use craig_program::{BinaryOp, EdgeId, IntType, Program, RegionId, Scope, StateVar, Type, UnaryOp};
use craig_term::{Op, TermId, Terms};
use std::rc::Rc;

/// A program that is ready to be run with terms beside its values, as often as wanted.
#[derive(Debug)]
pub struct SymbolicExecutable<'p> {
    program: &'p Program,
    code: Code,
    width: Width,
}

/// What came of a concolic run.
#[derive(Clone, Debug)]
pub struct SymbolicRun {
    pub run: Run,
    /// What stands for each input of the run: a constant, or for a cell of memory that nothing
    /// initialised a term over a region's first contents. Nothing for floats and for choices among edges.
    pub symbols: Vec<Option<TermId>>,
    /// What was true of the inputs, in the order of the path.
    pub condition: Vec<Constraint>,
    /// The state at the end: globals, memory, and the variables of the innermost active call.
    pub state: SymbolicState,
    /// The terms say less than the run does: floating point or nonlinear arithmetic was on the way.
    pub approximated: bool,
    /// The auxiliary constants that stand for results of operations without an exact term.
    pub results: OrderedMap<Operation, TermId>,
}

impl<'p> SymbolicExecutable<'p> {
    pub fn new(program: &'p Program, detail: Detail) -> Self {
        let width = Width::of(program);
        let code = match width {
            Width::Narrow => compile::<Symbolic<'_, Narrow>>(program, detail),
            Width::Wide => compile::<Symbolic<'_, Wide>>(program, detail),
            Width::Ideal => compile::<Symbolic<'_, Ideal>>(program, detail),
        };
        SymbolicExecutable { program, code, width }
    }

    /// Runs the program from its entry. The terms speak of inputs by new constants.
    pub fn run(
        &self,
        terms: &mut Terms,
        oracle: &mut dyn InputOracle,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> SymbolicRun {
        match self.width {
            Width::Narrow => self.run_with::<Narrow>(terms, oracle, limits, observer),
            Width::Wide => self.run_with::<Wide>(terms, oracle, limits, observer),
            Width::Ideal => self.run_with::<Ideal>(terms, oracle, limits, observer),
        }
    }

    fn run_with<N: Numbers>(
        &self,
        terms: &mut Terms,
        oracle: &mut dyn InputOracle,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> SymbolicRun {
        let program = self.program;
        let state = SymbolicState::initial(program, terms);
        let values = Symbolic {
            concrete: Concrete::<N>::new(program, oracle),
            encoder: Encoder::new(program, terms),
            state,
            condition: Vec::new(),
            symbols: Vec::new(),
            approximated: false,
            opaque_regions: Set::default(),
            read_cells: Set::default(),
            site: Site { proc: program.entry, edge: EdgeId(0) },
        };
        let mut machine = Machine::new(program, &self.code, values);
        let outcome = machine.run(limits, observer);
        let steps = machine.steps();
        let innermost = machine.innermost();
        for (id, var) in program.vars.enumerated() {
            let visible = match var.scope {
                Scope::Global { .. } => true,
                Scope::Local(_) => program.procs[innermost].locals.contains(&id),
            };
            if visible && !var.ty.is_float() {
                let value = machine.slot_of(id).clone();
                let value = machine.values.value(var.ty, &value);
                machine.values.state.set_var(id, value);
            }
        }
        let Symbolic { concrete, condition, symbols, state, approximated, encoder, .. } = machine.values;
        let run =
            Run { outcome, steps, inputs: concrete.inputs, region_violations: Vec::new(), misused: None };
        SymbolicRun { run, symbols, condition, state, approximated, results: encoder.results }
    }
}

/// A word, and how it depends on the inputs.
#[derive(Clone, Debug)]
struct Pair<W> {
    word: W,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    /// The same for all inputs that lead along this path.
    Fixed,
    Term(Rc<Value>),
    /// A float that depends on inputs: there is no term for it.
    Opaque,
}

impl<W> Pair<W> {
    fn fixed(word: W) -> Self {
        Pair { word, origin: Origin::Fixed }
    }

    fn is_fixed(&self) -> bool {
        matches!(self.origin, Origin::Fixed)
    }
}

struct Symbolic<'r, N: Numbers> {
    concrete: Concrete<'r, N>,
    encoder: Encoder<'r>,
    state: SymbolicState,
    condition: Vec<Constraint>,
    symbols: Vec<Option<TermId>>,
    approximated: bool,
    /// Regions of floats with contents that depend on inputs.
    opaque_regions: Set<RegionId>,
    /// Bytes of memory that are inputs.
    read_cells: Set<u64>,
    /// The last statement that was heard of.
    site: Site,
}

/// Words of any integer type are read as numbers of this one; an unsigned word as wide as this looks
/// negative, which is as good for what shifts and address arithmetic do with it.
const AS_NUMBER: Type = Type::Int(IntType::signed(64));

impl<N: Numbers> Symbolic<'_, N> {
    fn program(&self) -> &Program {
        self.encoder.program
    }

    fn value(&mut self, ty: Type, pair: &Pair<N::Word>) -> Value {
        match &pair.origin {
            Origin::Term(value) => (**value).clone(),
            _ => {
                let number = self.concrete.numbers.value(ty, pair.word);
                self.encoder.constant(ty, number)
            }
        }
    }

    fn pair(&mut self, word: N::Word, value: Value) -> Pair<N::Word> {
        self.take_conditions();
        let terms = &self.encoder.terms;
        let fixed =
            terms.int_value(value.term).is_some() || [Terms::TRUE, Terms::FALSE].contains(&value.term);
        let origin = if fixed { Origin::Fixed } else { Origin::Term(Rc::new(value)) };
        Pair { word, origin }
    }

    fn record(&mut self, term: TermId, kind: ConstraintKind) {
        if term != Terms::TRUE {
            let inputs = self.concrete.inputs.len();
            self.condition.push(Constraint { term, kind, site: self.site, inputs });
        }
    }

    /// What the encoder and the state asked for in the meantime.
    fn take_conditions(&mut self) {
        for term in self.encoder.take_conditions() {
            self.record(term, ConstraintKind::Side);
        }
        for term in self.state.take_facts() {
            self.record(term, ConstraintKind::Side);
        }
        self.approximated |= !self.encoder.approximations.is_empty();
        self.encoder.approximations.clear();
    }

    /// A value that depends on inputs in a way that has no term.
    fn unknown(&mut self, ty: Type, word: N::Word) -> Pair<N::Word> {
        self.approximated = true;
        if ty.is_float() {
            return Pair { word, origin: Origin::Opaque };
        }
        let value = self.encoder.any_value("float", ty);
        let fact = self.encoder.in_type(&value, ty);
        self.record(fact, ConstraintKind::Side);
        Pair { word, origin: Origin::Term(Rc::new(value)) }
    }

    /// A new constant for an input that was just consumed.
    fn symbol(&mut self, ty: Type, word: N::Word) -> Pair<N::Word> {
        if ty.is_float() {
            self.symbols.push(None);
            return Pair { word, origin: Origin::Opaque };
        }
        let value = self.encoder.any_value("input", ty);
        self.symbols.push(Some(value.term));
        let fact = self.encoder.in_type(&value, ty);
        self.record(fact, ConstraintKind::Side);
        Pair { word, origin: Origin::Term(Rc::new(value)) }
    }

    /// That an address lies in the object in which it lies now.
    fn record_access(&mut self, addr: &Pair<N::Word>, bytes: u32) {
        let Origin::Term(value) = &addr.origin else { return };
        let term = value.term;
        let address = N::address(addr.word);
        let object = self.concrete.memory().and_then(|memory| memory.object_at(address));
        if let Some((start, size)) = object.map(|object| (object.address, object.size)) {
            let access = within_object(self.encoder.terms, term, start, size, bytes);
            self.record(access, ConstraintKind::Access);
        }
    }

    /// Whether a value is what static storage began with, although the region's formula knows nothing of it.
    fn is_initial(&self, region: RegionId, address: u64, ty: Type, value: &Value) -> bool {
        let terms = &self.encoder.terms;
        terms.op(value.term) == Op::Select
            && self.state.symbols.contains(&(StateVar::Region(region), terms.arg(value.term, 0)))
            && (0..u64::from(self.program().size_of(ty))).all(|i| !self.read_cells.contains(&(address + i)))
    }

    fn is_tracked(&self, region: RegionId) -> bool {
        self.program().is_tracked(StateVar::Region(region))
    }
}

impl<N: Numbers> Values for Symbolic<'_, N> {
    type Value = Pair<N::Word>;

    /// Words may be the same where numbers are not: those of `int` -1 and of its conversion to
    /// `unsigned long`.
    fn identity_cast(program: &Program, from: Type, to: Type) -> bool {
        let keeps_numbers = match (from, to) {
            (Type::Int(from), Type::Int(to)) => {
                let value_bits = |ty: IntType| ty.bits - u8::from(ty.signed);
                value_bits(from) <= value_bits(to) && (to.signed || !from.signed)
            }
            _ => from == to,
        };
        keeps_numbers && N::identity_cast(program, from, to)
    }

    fn constant(&mut self, ty: Type, value: i128) -> Pair<N::Word> {
        Pair::fixed(self.concrete.constant(ty, value))
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, a: &Pair<N::Word>) -> Result<Pair<N::Word>, Halt> {
        let word = self.concrete.unary(op, ty, &a.word)?;
        if a.is_fixed() {
            return Ok(Pair::fixed(word));
        }
        if ty.is_float() {
            return Ok(self.unknown(ty, word));
        }
        let a = self.value(ty, a);
        let value = self.encoder.unary(op, ty, &a);
        Ok(self.pair(word, value))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Type,
        a: &Pair<N::Word>,
        b: &Pair<N::Word>,
    ) -> Result<Pair<N::Word>, Halt> {
        let word = self.concrete.binary(op, ty, &a.word, &b.word)?;
        if a.is_fixed() && b.is_fixed() {
            return Ok(Pair::fixed(word));
        }
        let result = if op.is_comparison() { Type::Bool } else { ty };
        if ty.is_float() {
            return Ok(self.unknown(result, word));
        }
        let right = match op {
            BinaryOp::Shl | BinaryOp::Shr => AS_NUMBER,
            _ if op.is_comparison() || ty != Type::Pointer => ty,
            _ => AS_NUMBER,
        };
        let (a, b) = (self.value(ty, a), self.value(right, b));
        let value = self.encoder.binary(op, ty, right, result, &a, &b);
        Ok(self.pair(word, value))
    }

    fn cast(&mut self, from: Type, to: Type, a: &Pair<N::Word>) -> Result<Pair<N::Word>, Halt> {
        let word = self.concrete.cast(from, to, &a.word)?;
        if a.is_fixed() {
            return Ok(Pair::fixed(word));
        }
        if from.is_float() || to.is_float() {
            return Ok(self.unknown(to, word));
        }
        let a = self.value(from, a);
        let value = self.encoder.cast(from, to, &a);
        Ok(self.pair(word, value))
    }

    fn holds(&mut self, condition: &Pair<N::Word>, at: At<'_>) -> Result<bool, Halt> {
        self.site = at.site();
        let holds = self.concrete.holds(&condition.word, at)?;
        if let Origin::Term(value) = &condition.origin {
            let term = if holds { value.term } else { self.encoder.terms.not(value.term) };
            self.record(term, ConstraintKind::Branch);
        }
        Ok(holds)
    }

    fn select(&mut self, conditions: &[Pair<N::Word>], at: At<'_>) -> Result<Option<usize>, Halt> {
        self.site = at.site();
        let words: Vec<N::Word> = conditions.iter().map(|condition| condition.word).collect();
        let chosen = self.concrete.select(&words, at)?;
        // The choice itself, if there was one, is no symbol.
        self.symbols.resize(self.concrete.inputs.len(), None);
        for (i, condition) in conditions.iter().enumerate() {
            let Origin::Term(value) = &condition.origin else { continue };
            let term = match chosen {
                Some(choice) if choice == i => value.term,
                Some(_) => continue,
                None => self.encoder.terms.not(value.term),
            };
            self.record(term, ConstraintKind::Branch);
        }
        Ok(chosen)
    }

    fn load(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Pair<N::Word>,
        at: At<'_>,
    ) -> Result<Pair<N::Word>, Halt> {
        self.site = at.site();
        let word = self.concrete.load(region, ty, &addr.word, at)?;
        self.record_access(addr, self.program().size_of(ty));
        let consumed = self.symbols.len();
        let asked = self.concrete.inputs[consumed..].to_vec();
        if !self.is_tracked(region) {
            self.symbols.resize(self.concrete.inputs.len(), None);
            let fixed = addr.is_fixed() && asked.is_empty() && !self.opaque_regions.contains(&region);
            return Ok(if fixed { Pair::fixed(word) } else { self.unknown(ty, word) });
        }
        // Bytes without a value are inputs; their terms are those of the first contents of the region.
        for input in &asked {
            let Source::Memory { address, .. } = input.at.source else { continue };
            self.read_cells.extend((0..u64::from(self.program().size_of(input.at.ty))).map(|i| address + i));
            let address = self.encoder.constant(Type::Pointer, i128::from(address));
            let symbol = (!input.at.ty.is_float())
                .then(|| self.state.load(&mut self.encoder, region, &address, input.at.ty).term);
            self.symbols.push(symbol);
        }
        if ty.is_float() {
            self.take_conditions();
            return Ok(self.unknown(ty, word));
        }
        let address = self.value(Type::Pointer, addr);
        let value = self.state.load(&mut self.encoder, region, &address, ty);
        if addr.is_fixed() && self.is_initial(region, N::address(addr.word), ty, &value) {
            self.encoder.take_conditions();
            return Ok(Pair::fixed(word));
        }
        Ok(self.pair(word, value))
    }

    fn store(
        &mut self,
        region: RegionId,
        ty: Type,
        addr: &Pair<N::Word>,
        value: &Pair<N::Word>,
        at: At<'_>,
    ) -> Result<(), Halt> {
        self.site = at.site();
        self.concrete.store(region, ty, &addr.word, &value.word, at)?;
        self.record_access(addr, self.program().size_of(ty));
        if !self.is_tracked(region) {
            if !addr.is_fixed() || !value.is_fixed() {
                self.opaque_regions.insert(region);
            }
        } else {
            let address = self.value(Type::Pointer, addr);
            let value = (!ty.is_float()).then(|| self.value(ty, value));
            self.state.store(&mut self.encoder, region, &address, ty, value.as_ref());
            self.take_conditions();
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        address: &Pair<N::Word>,
        size: &Pair<N::Word>,
        lifetime: Lifetime,
    ) -> Result<Pair<N::Word>, Halt> {
        let word = self.concrete.allocate(&address.word, &size.word, lifetime)?;
        if address.is_fixed() && size.is_fixed() {
            return Ok(Pair::fixed(word));
        }
        let (address, size) = (self.value(Type::Pointer, address), self.value(AS_NUMBER, size));
        let next = self.encoder.next_address(&address, &size);
        Ok(self.pair(word, next))
    }

    fn free(&mut self, addr: &Pair<N::Word>, lifetime: Lifetime) -> Result<(), Halt> {
        self.concrete.free(&addr.word, lifetime)?;
        if let Origin::Term(value) = &addr.origin {
            let here = self.encoder.terms.int(N::address(addr.word));
            let same = self.encoder.terms.eq(value.term, here);
            self.record(same, ConstraintKind::Access);
        }
        Ok(())
    }

    fn input(&mut self, source: Source, ty: Type, at: At<'_>) -> Result<Pair<N::Word>, Halt> {
        self.site = at.site();
        let word = self.concrete.input(source, ty, at)?;
        Ok(self.symbol(ty, word))
    }

    fn known(&self, ty: Type, value: &Pair<N::Word>) -> Option<i128> {
        self.concrete.known(ty, &value.word)
    }

    fn memory(&self) -> Option<&Memory> {
        self.concrete.memory()
    }
}
