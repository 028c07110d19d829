//! What a run goes through: the states of the inlined program at its cutpoints, for those who compare formulas with it.

use craig_base::{Map, OrderedMap};
use craig_exec::{Detail, Executable, InputSite, Limits, Memory, Observer, Outcome, Site, Source, StateView};
use craig_num::Int;
use craig_program::{Cell, EdgeId, Inlined, IntType, Proc, Program, RegionId, Stmt, Type, VarId, Wto};
use craig_term::{ArrayValue, Value};
use std::sync::Arc;

/// States that are recorded of one run.
const MAX_STATES: usize = 200;
/// Memory of more bytes is too much to make arrays of.
const MAX_MEMORY: u64 = 20_000;

/// Where inputs come from; the program is the one that runs.
pub type Oracle<'a> = &'a mut dyn FnMut(&Program, &InputSite) -> Option<i128>;

/// The part of a run that is looked at.
pub struct Recording {
    pub path: Vec<EdgeId>,
    /// States with the position in the path before which they hold.
    pub states: Vec<(usize, State)>,
    /// What the run returned.
    pub result: i128,
    /// Bytes that had no value until they were read.
    materialised: Map<u64, u8>,
    /// What input statements read, by their positions in the path.
    pub values_read: Map<usize, i128>,
}

pub struct State {
    pub values: Vec<i128>,
    pub memory: Memory,
}

struct Recorder<'p> {
    proc: &'p Proc,
    is_cut: Vec<bool>,
    vars: usize,
    path: Vec<EdgeId>,
    states: Vec<(usize, State)>,
}

impl Recorder<'_> {
    fn record(&mut self, view: &dyn StateView) {
        if self.states.len() < MAX_STATES
            && let Some(memory) = view.memory()
        {
            let values = (0..self.vars).map(|var| view.value(VarId(var as u32)).unwrap_or(0)).collect();
            self.states.push((self.path.len(), State { values, memory: memory.clone() }));
        }
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        if self.is_cut[self.proc.edges[site.edge].from.0 as usize] {
            self.record(state);
        }
        self.path.push(site.edge);
    }

    fn finished(&mut self, _outcome: &Outcome, state: &dyn StateView) {
        self.record(state);
    }
}

/// Runs the inlined program; nothing if the run does not return, or is too large to look at.
pub fn record(inlined: &Inlined, oracle: Oracle<'_>, limits: &Limits) -> Option<Recording> {
    let proc = inlined.proc();
    let program = &inlined.program;
    if program.objects.iter().map(|object| object.size).sum::<u64>() > MAX_MEMORY {
        return None;
    }
    let heads = Wto::new(&proc.graph(), proc.entry).components;
    let mut is_cut = vec![false; proc.locations.len()];
    for location in heads.iter().map(|component| component.head).chain([proc.entry]) {
        is_cut[location.0 as usize] = true;
    }
    let mut recorder =
        Recorder { proc, is_cut, vars: program.vars.len(), path: Vec::new(), states: Vec::new() };
    let executable = Executable::new(program, Detail::Edges);
    let run = executable.observe(&mut |at: &InputSite| oracle(program, at), limits, &mut recorder);
    let Outcome::Returned(Some(result)) = run.outcome else { return None };
    let materialised = run.materialised(program);
    let mut statement_inputs = Vec::new();
    for input in &run.inputs {
        match input.at.source {
            Source::Memory { .. } => {}
            Source::Statement => statement_inputs.push((input.at.site.edge, input.value)),
            _ => return None,
        }
    }
    // The inputs of statements in the order of the path.
    let mut values_read = Map::default();
    let mut inputs = statement_inputs.into_iter();
    for (position, &edge) in recorder.path.iter().enumerate() {
        if matches!(proc.edges[edge].stmt, Stmt::Input(..)) {
            let (at, value) = inputs.next()?;
            if at != edge {
                return None;
            }
            values_read.insert(position, value);
        }
    }
    let Recorder { path, states, .. } = recorder;
    Some(Recording { path, states, result, materialised, values_read })
}

impl Recording {
    /// A region as an array: a cell at every address where its bytes have values.
    pub fn array(&self, program: &Program, region: RegionId, memory: &Memory) -> Value {
        let mut memory = memory.clone();
        let mut array = ArrayValue::new(Value::Int(Int::ZERO));
        let extents: OrderedMap<u64, u64> =
            memory.objects().iter().map(|object| (object.address, object.size)).collect();
        for (&address, &size) in &extents {
            for at in address..address + size {
                if let Some(content) = self.cell(program, region, at, &mut memory) {
                    array.store(Value::Int(Int::from(at)), Value::Int(Int::from(content)));
                }
            }
        }
        Value::Array(Arc::new(array))
    }

    /// What the cell at an address holds, if it is one and has a value.
    pub fn cell(
        &self,
        program: &Program,
        region: RegionId,
        address: u64,
        memory: &mut Memory,
    ) -> Option<i128> {
        let ty = match program.regions[region].cell {
            Cell::Scalar(ty) => ty,
            Cell::Bytes => Type::Int(IntType::U8),
        };
        let mut value: u128 = 0;
        let object = memory.object_at(address)?;
        let start = object.address;
        for i in 0..u64::from(program.size_of(ty)) {
            let at = address + i;
            let byte = if at < start + object.size { object.byte(at - start) } else { return None };
            let byte = byte.or_else(|| self.materialised.get(&at).copied())?;
            value |= u128::from(byte) << (8 * i);
        }
        Some(match ty {
            Type::Int(int) => int.wrap(value as i128),
            _ => value as i128,
        })
    }
}

/// A value of a variable.
pub fn scalar(value: i128, is_bool: bool) -> Value {
    if is_bool { Value::Bool(value != 0) } else { Value::Int(Int::from(value)) }
}
