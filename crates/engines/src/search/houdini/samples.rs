//! States that runs have at cutpoints: what variables and allocated objects hold. A guess that one of them contradicts
//! is none.

use super::layout::Field;
use crate::view::blocks::InlinedView;
use craig_base::{Budget, IndexVec, Map, Set};
use craig_exec::{Detail, Executable, Limits, Memory, Observer, Outcome, RandomOracle, Site, StateView};
use craig_program::encode::StateConstant;
use craig_program::{Cell, ClassId, CutId, LocId, Program, RegionId, StateVar, Stmt, Type, VarId};
use craig_term::{ArrayValue, Evaluation, Model, Sort, TermId, Terms, Value};
use std::sync::Arc;

/// How long runs are.
const STEPS: u64 = 6_000;
/// How many runs are longer where loops end late, and how long.
const LONG_RUNS: u64 = 4;
const LONG_STEPS: u64 = 3_000_000;
/// How many of eight integers are zero at least, for one run after the other: loops that inputs govern end
/// early and late.
const ZEROS: [u64; 6] = [4, 2, 0, 6, 3, 1];
/// How many of eight truth values are true at least.
const TRUES: [u64; 2] = [0, 7];
/// How many are small, where relations between inputs and others are looked for.
const SMALL: [u64; 4] = [8, 6, 4, 0];
/// Objects in one state: larger ones show nothing new.
const MAX_OBJECTS: usize = 9;
/// Objects in states that are kept where there are fewer than so many others.
const MANY_OBJECTS: usize = 18;
const FEW_STATES: usize = 20;
/// Memory that is looked at as a whole.
const MAX_BYTES: u64 = 4_096;

/// Which states of which runs are kept.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    runs: u64,
    /// At one cutpoint.
    states: usize,
    /// Of a run that is often at a cutpoint, the states are ever further apart: relations between inputs and others
    /// show only in many runs.
    sparse: bool,
}

impl Plan {
    pub const ALL: Plan = Plan { runs: 120, states: 150, sparse: false };
    pub const SPARSE: Plan = Plan { runs: 300, states: 300, sparse: true };
}

/// A state in a run.
#[derive(Clone)]
pub struct State {
    pub values: Map<VarId, i128>,
    /// If it is small.
    memory: Option<Memory>,
    /// In the order of their allocation, which is that of their addresses.
    pub(super) objects: Vec<Object>,
}

impl State {
    /// The number at an address, if it is known.
    pub fn cell(&self, program: &Program, address: u64, ty: Type) -> Option<i128> {
        read(program, self.memory.as_ref()?, address, ty)
    }

    /// A state without memory.
    pub fn of_values(values: Map<VarId, i128>) -> State {
        State { values, memory: None, objects: Vec::new() }
    }
}

#[derive(Clone, PartialEq)]
pub(super) struct Object {
    pub address: i128,
    pub size: i128,
    pub live: bool,
    /// What its fields hold, or held when it was freed; `None` where nothing was written.
    pub fields: Vec<Option<i128>>,
}

/// Runs the program and keeps the states at cutpoints.
pub(super) fn collect(
    view: &InlinedView<'_>,
    fields: &[Field],
    plan: Plan,
    budget: &Budget,
) -> IndexVec<CutId, Vec<State>> {
    let cuts = &view.encoding.cuts;
    let executable = Executable::new(view.original, Detail::Edges);
    let mut recorder = Recorder {
        view,
        fields,
        cut_at: cuts.cutpoints.indices().map(|cut| (cuts.location(cut), cut)).collect(),
        freed: Map::default(),
        classes: Map::default(),
        plan,
        visits: IndexVec::from_elem(0, cuts.cutpoints.len()),
        states: IndexVec::from_elem(Vec::new(), cuts.cutpoints.len()),
        large: IndexVec::from_elem(Vec::new(), cuts.cutpoints.len()),
    };
    let mut limits = Limits { steps: STEPS, budget: budget.clone(), ..Limits::default() };
    let mut oracle = RandomOracle::new(view.original, 0);
    let mut is_cut_off = false;
    for number in 0..plan.runs + LONG_RUNS {
        if number >= plan.runs {
            // What comes after long loops is met by long runs only.
            let is_unmet = |cut: CutId| cut != cuts.error && recorder.states[cut].is_empty();
            if !plan.sparse || !is_cut_off || !cuts.cutpoints.indices().any(is_unmet) {
                break;
            }
            limits.steps = LONG_STEPS;
        }
        if budget.check().is_err() {
            break;
        }
        oracle.reseed(number);
        oracle.prefer_true(TRUES[number as usize / ZEROS.len() % TRUES.len()]);
        if plan.sparse {
            oracle.prefer_small(SMALL[number as usize % SMALL.len()]);
        } else {
            oracle.prefer_zero(ZEROS[number as usize % ZEROS.len()]);
        }
        recorder.freed.clear();
        recorder.classes.clear();
        recorder.visits.iter_mut().for_each(|visits| *visits = 0);
        let run = executable.observe(&mut oracle, &limits, &mut recorder);
        is_cut_off |= run.outcome == Outcome::StepLimit;
    }
    let Recorder { mut states, large, .. } = recorder;
    for (cut, large) in large.enumerated() {
        let missing = FEW_STATES.saturating_sub(states[cut].len());
        states[cut].extend(large.iter().take(missing).cloned());
    }
    states
}

/// Removes the guesses that a state contradicts. Of memory without a value nothing holds.
pub(super) fn retain(
    tm: &Terms,
    program: &Program,
    constants: &[StateConstant],
    states: &[State],
    guesses: &mut Vec<TermId>,
) {
    /// A guess with the constants in it, and its number among those that are evaluated.
    struct Guess {
        term: TermId,
        speaks_of: Vec<TermId>,
        number: usize,
    }
    let guess = |(number, &term): (usize, &TermId)| Guess { term, speaks_of: tm.free_consts(term), number };
    let mut left: Vec<Guess> = guesses.iter().enumerate().map(guess).collect();
    let mut evaluation = Evaluation::new(tm, guesses);
    let mut evaluated = guesses.len();
    let spoken_of: Set<TermId> = tm.free_consts_of(guesses).into_iter().collect();
    for state in states {
        // Most are gone after a few states.
        if 2 * left.len() < evaluated {
            evaluated = left.len();
            let terms: Vec<TermId> = left.iter().map(|guess| guess.term).collect();
            evaluation = Evaluation::new(tm, &terms);
            left.iter_mut().enumerate().for_each(|(number, guess)| guess.number = number);
        }
        let mut known = Set::default();
        let mut model = Model::new();
        for constant in constants.iter().filter(|constant| spoken_of.contains(&constant.current)) {
            if let StateVar::Var(var) = constant.var
                && let Some(&value) = state.values.get(&var)
            {
                let is_bool = tm.sort(constant.current) == Terms::BOOL;
                let value = if is_bool { Value::Bool(value != 0) } else { Value::Int(value.into()) };
                model.set(constant.current, value);
                known.insert(constant.current);
            }
            if let StateVar::Region(region) = constant.var
                && let Some(memory) = &state.memory
                && let Cell::Scalar(ty) = program.regions[region].cell
                && let Sort::Array { element: Terms::INT, .. } = tm.sort_of(tm.sort(constant.current))
            {
                model.set(constant.current, array(program, memory, ty));
                known.insert(constant.current);
            }
        }
        let values = evaluation.values(tm, &model);
        left.retain(|guess| {
            !guess.speaks_of.iter().all(|constant| known.contains(constant))
                || values[guess.number] != Some(Value::Bool(false))
        });
    }
    *guesses = left.into_iter().map(|guess| guess.term).collect();
}

struct Recorder<'a> {
    view: &'a InlinedView<'a>,
    fields: &'a [Field],
    cut_at: Map<LocId, CutId>,
    /// What objects held when they were freed: formulas go on to know it.
    freed: Map<u64, Vec<Option<i128>>>,
    /// Of which class the allocated objects are.
    classes: Map<u64, Option<ClassId>>,
    plan: Plan,
    /// How often the run was at each cutpoint.
    visits: IndexVec<CutId, u64>,
    states: IndexVec<CutId, Vec<State>>,
    /// With many objects.
    large: IndexVec<CutId, Vec<State>>,
}

impl Recorder<'_> {
    /// What the fields of an allocated object hold; zero in those that it does not have, as formulas say.
    fn fields(&self, memory: &Memory, address: u64) -> Vec<Option<i128>> {
        let program = self.view.original;
        let class = self.classes.get(&address).copied().flatten();
        let missing: Vec<(RegionId, u64)> =
            class.into_iter().flat_map(|class| program.provenance.missing(class)).collect();
        let value = |field: &Field| match missing.contains(&(field.region, field.offset)) {
            true => Some(0),
            false => field.read(program, memory, address),
        };
        self.fields.iter().map(value).collect()
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        let program = self.view.original;
        if site.proc != program.entry {
            return;
        }
        let Some(memory) = state.memory() else { return };
        let edge = &program.procs[site.proc].edges[site.edge];
        if let Stmt::Alloc { var, .. } = edge.stmt
            && let Some(next) = program.next_address.and_then(|next| state.value(next))
        {
            let target = program.provenance.of_var(&program.vars, var);
            self.classes.insert(next as u64, target.map(|target| target.class));
        }
        if matches!(edge.stmt, Stmt::Free(_)) {
            for object in memory.objects().iter().filter(|object| object.is_allocated() && object.live) {
                self.freed.insert(object.address, self.fields(memory, object.address));
            }
        }
        let Some(&cut) = self.cut_at.get(&edge.from) else { return };
        self.visits[cut] += 1;
        if self.states[cut].len() >= self.plan.states || (self.plan.sparse && !is_kept(self.visits[cut])) {
            return;
        }
        let allocated: Vec<_> = memory.objects().iter().filter(|object| object.is_allocated()).collect();
        let is_large = allocated.len() > MAX_OBJECTS;
        if allocated.len() > MANY_OBJECTS || is_large && self.large[cut].len() >= FEW_STATES {
            return;
        }
        let objects = allocated.into_iter().map(|object| Object {
            address: i128::from(object.address),
            size: i128::from(object.size),
            live: object.live,
            fields: match (object.live, self.freed.get(&object.address)) {
                (false, Some(fields)) => fields.clone(),
                _ => self.fields(memory, object.address),
            },
        });
        let objects = objects.collect();
        let simplified = self.view.program;
        let scalar = |var: VarId| self.view.scalars.iter().find(|scalar| scalar.var == var);
        let value = |var: VarId| match scalar(var) {
            Some(cell) => read(program, memory, cell.address, simplified.vars[var].ty),
            None => program.vars.get(var).and_then(|_| state.value(var)),
        };
        let constants = self.view.encoding.states[cut].iter();
        let vars = constants.filter_map(|constant| match constant.var {
            StateVar::Var(var) => Some(var),
            StateVar::Region(_) => None,
        });
        let values = vars.filter_map(|var| Some((var, value(var)?))).collect();
        let size: u64 = memory.objects().iter().map(|object| object.size).sum();
        let memory = (size <= MAX_BYTES).then(|| memory.clone());
        let found = State { values, objects, memory };
        let is_same = |known: &State| known.values == found.values && known.objects == found.objects;
        let states = if is_large { &mut self.large[cut] } else { &mut self.states[cut] };
        if !states.iter().any(is_same) {
            states.push(found);
        }
    }
}

/// Whether one of ever fewer visits, counted from one: numbers that begin with two binary digits and end with zeros.
fn is_kept(visit: u64) -> bool {
    visit.trailing_zeros() + 2 >= u64::BITS - visit.leading_zeros()
}

impl Field {
    fn read(&self, program: &Program, memory: &Memory, object: u64) -> Option<i128> {
        read(program, memory, object.checked_add(self.offset)?, self.ty)
    }
}

/// What a region of scalars of a type holds.
fn array(program: &Program, memory: &Memory, ty: Type) -> Value {
    /// No program compares with this.
    const NO_VALUE: i128 = -0x5a17_f00d_dead_beef_1234;
    let mut array = ArrayValue::new(Value::Int(NO_VALUE.into()));
    for object in memory.objects() {
        for offset in (0..object.size).step_by(program.size_of(ty).max(1) as usize) {
            if let Some(value) = read(program, memory, object.address + offset, ty) {
                array.store(Value::Int((object.address + offset).into()), Value::Int(value.into()));
            }
        }
    }
    Value::Array(Arc::new(array))
}

/// The number at an address, if all of its bytes have a value.
pub(in crate::search) fn read(program: &Program, memory: &Memory, address: u64, ty: Type) -> Option<i128> {
    let object = memory.object_at(address)?;
    let offset = address - object.address;
    let size = u64::from(program.size_of(ty));
    if size > 8 || offset + size > object.size {
        return None;
    }
    let mut bits = 0u64;
    for i in (0..size).rev() {
        bits = bits << 8 | u64::from(object.byte(offset + i)?);
    }
    match ty {
        Type::Int(int) => Some(int.wrap(i128::from(bits))),
        Type::Pointer | Type::Bool => Some(i128::from(bits)),
        Type::Float(_) => None,
    }
}
