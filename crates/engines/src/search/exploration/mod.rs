//! Exploration: random runs that begin where earlier ones have met something new.
//!
//! Programs that read inputs for ever and keep a state reach their errors only after the right inputs in the right
//! order. A run that begins at the beginning each time meets them by luck. Here the way to every state that differs from
//! all earlier ones is kept, as in coverage-guided fuzzing (M. Zalewski, *american fuzzy lop*, 2014) and *Go-Explore*
//! (A. Ecoffet et al., 2019), and later runs go on from there. Whether a state differs is decided at loop heads, by the
//! variables that are live there: small numbers are themselves, others lie between the numbers that the program compares
//! them with ([`compared`]). Inputs are mostly such numbers too. Where nothing new is met for a while, a solver is asked
//! ([`solving`]): for inputs that lead to a loop at all, and for one round from a known state along an edge that no run has
//! taken.
//!
//! Nothing but failing runs comes of it, and they are replayed as any other.

pub(super) mod compared;
mod solving;

use crate::path::reached_error;
use crate::search::houdini::samples::read;
use crate::search::random::seed_of_run;
use crate::verdict::Reason;
use crate::verify::Verdict;
use crate::view::blocks::InlinedView;
use crate::view::{Prepared, Sight};
use compared::Compared;
use craig_base::{Budget, IndexVec, Map, Set, Stats};
use craig_exec::{
    Detail, Executable, InputOracle, InputSite, Limits, Memory, Observer, Outcome, RandomOracle, Run, Site,
    Source, StateView, replay,
};
use craig_program::encode::CutpointEncoding;
use craig_program::{CutId, EdgeId, Granularity, LocId, Program, Simplified, StateVar, Type, VarId};
use solving::{Asking, Following, Solution};
use std::cell::Cell;

#[derive(Clone, Copy, Debug, Default)]
pub struct Config {
    pub seed: u64,
}

/// Statements of a run, as long as none is cut off, and at most.
const STEPS: u64 = 200_000;
const MAX_STEPS: u64 = 8_000_000;
/// States at loop heads that a run may pass without a new one.
const PATIENCE: u32 = 24;
/// Ways that are kept, and the inputs on all of them.
const MAX_WAYS: usize = 50_000;
const MAX_INPUTS: usize = 20_000_000;
/// Runs without anything new after which there is nothing to be found, besides twice as many as there are ways.
const MAX_IDLE: u64 = 400;
/// In one of so many runs a statement gets the same input each time.
const STEADY: u64 = 8;
/// Runs without anything new after which the solver is asked, and how often for another start.
const IDLE_UNTIL_ASKED: u64 = 40;
const MAX_BEGINNINGS: u64 = 200;
/// Memory that is looked at.
const MAX_BYTES: u64 = 256;
/// Of so many ways the one that was tried least often is gone on with.
const CHOICES: u64 = 8;

/// Runs the program until a run fails, or nothing new is met.
pub fn check(prepared: &Prepared<'_>, config: Config, budget: &Budget, stats: &mut Stats) -> Verdict {
    explore(prepared, config, budget, stats).unwrap_or_else(Verdict::Unknown)
}

fn explore(
    prepared: &Prepared<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Result<Verdict, Reason> {
    let inlined = prepared.inlined()?;
    let simplified = prepared.simplified(Sight::Everything, budget)?;
    let encoded = prepared.graph(Sight::Everything, Granularity::Loops, budget)?;
    let view = InlinedView::new(&inlined, &simplified, &encoded.code);
    let compared = Compared::new(&simplified.program);
    let clock = Clock::default();
    let mut exploration = Exploration {
        prepared,
        inlined: &inlined.program,
        executable: Executable::new(&inlined.program, Detail::Edges),
        heads: Heads::new(&simplified, &encoded.code, &compared, &clock),
        compared: &compared,
        clock: &clock,
        ways: vec![Way::default()],
        kept: 0,
        limits: Limits { steps: STEPS, budget: budget.clone(), ..Limits::default() },
        runs: 0,
        idle: 0,
    };
    let mut asking = Asking::new(encoded.terms.clone(), &view, &compared, budget);
    let found = exploration.run(config, &mut asking, budget);
    stats.add("tests", exploration.runs);
    stats.add("states", exploration.ways.len() as u64);
    found
}

struct Exploration<'a> {
    prepared: &'a Prepared<'a>,
    inlined: &'a Program,
    executable: Executable<'a>,
    heads: Heads<'a>,
    compared: &'a Compared,
    clock: &'a Clock,
    ways: Vec<Way>,
    /// Inputs on all ways.
    kept: usize,
    limits: Limits,
    runs: u64,
    /// Runs since something new was met.
    idle: u64,
}

impl Exploration<'_> {
    fn run(&mut self, config: Config, asking: &mut Asking<'_>, budget: &Budget) -> Result<Verdict, Reason> {
        let mut random = RandomOracle::new(self.inlined, 0);
        let (mut begun, mut asked) = (0, 0);
        while self.idle < MAX_IDLE + 2 * self.ways.len() as u64 {
            budget.check()?;
            random.reseed(seed_of_run(config.seed, 1 << 32, self.runs));
            if self.idle % IDLE_UNTIL_ASKED == IDLE_UNTIL_ASKED - 1 {
                if begun < MAX_BEGINNINGS {
                    begun += 1;
                    for solution in asking.beginnings(&mut random) {
                        if let Some(test) = self.follow(0, &solution) {
                            return Ok(test);
                        }
                    }
                }
                while asked < self.ways.len() {
                    budget.check()?;
                    let Some(solution) = asking.onwards(asked, &self.ways, &self.heads) else {
                        asked += 1;
                        continue;
                    };
                    if let Some(test) = self.follow(asked, &solution) {
                        return Ok(test);
                    }
                    break;
                }
            }
            random.prefer_zero(if self.runs.is_multiple_of(3) { 4 } else { 0 });
            let chosen = choose(&self.ways, &mut random);
            self.ways[chosen].tries += 1;
            let (before, compared, clock) = (&self.ways[chosen].inputs, self.compared, self.clock);
            clock.start();
            let steady = self.runs.is_multiple_of(STEADY).then(Map::default);
            let mut oracle = Oracle { before, random: &mut random, compared, clock, steady };
            let run = self.executable.observe(&mut oracle, &self.limits, &mut self.heads);
            if let Some(test) = self.learn(&run) {
                return Ok(test);
            }
        }
        Err(Reason::RunsEnded)
    }

    /// Runs on from the end of a way with inputs that were found for it.
    fn follow(&mut self, way: usize, solution: &Solution) -> Option<Verdict> {
        let params = &self.inlined.procs[self.inlined.entry].params;
        let (before, clock) = (&self.ways[way].inputs, self.clock);
        clock.start();
        let mut oracle = Following { before, solution, params, clock, arguments: 0, next: 0 };
        let run = self.executable.observe(&mut oracle, &self.limits, &mut self.heads);
        self.learn(&run)
    }

    /// Keeps the ways to what was new in a run; a failing run is an answer.
    fn learn(&mut self, run: &Run) -> Option<Verdict> {
        self.runs += 1;
        if reached_error(run) {
            let test = run.test(self.inlined);
            let replayed = replay(self.prepared.program, &test, &self.limits);
            if reached_error(&replayed) {
                return Some(Verdict::Unsafe(replayed.test(self.prepared.program)));
            }
        }
        if run.outcome == Outcome::StepLimit {
            self.limits.steps = self.limits.steps.saturating_mul(2).min(MAX_STEPS);
        }
        self.idle += 1;
        for (consumed, end) in std::mem::take(&mut self.heads.new) {
            self.idle = 0;
            let consumed = consumed.min(run.inputs.len());
            if self.ways.len() < MAX_WAYS && self.kept + consumed <= MAX_INPUTS {
                let inputs = run.inputs[..consumed].iter().map(|input| input.value).collect();
                self.ways.push(Way { inputs, tries: 0, end: Some(end) });
                self.kept += consumed;
            }
        }
        None
    }
}

/// How to get to a state.
#[derive(Default)]
struct Way {
    inputs: Vec<i128>,
    /// How often a run went on from there.
    tries: u64,
    /// The state, as far as it is known.
    end: Option<End>,
}

type End = (CutId, Vec<(VarId, i128)>);

/// One that was tried less often than others, the later the better.
fn choose(ways: &[Way], random: &mut RandomOracle) -> usize {
    let candidates = (0..CHOICES).map(|_| random.below(ways.len() as u64) as usize);
    candidates.min_by_key(|&way| (ways[way].tries, std::cmp::Reverse(way))).unwrap_or(0)
}

/// What those who give inputs and those who look at states tell each other.
#[derive(Default)]
struct Clock {
    consumed: Cell<usize>,
    /// States passed since there was a new one, or since the way that is known.
    passed: Cell<u32>,
}

impl Clock {
    fn start(&self) {
        self.passed.set(0);
        self.consumed.set(0);
    }
}

/// The inputs of a known way, and then others.
struct Oracle<'a> {
    before: &'a [i128],
    random: &'a mut RandomOracle,
    compared: &'a Compared,
    clock: &'a Clock,
    /// What each statement gets, if it is the same each time.
    steady: Option<Map<EdgeId, i128>>,
}

impl InputOracle for Oracle<'_> {
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        let number = self.clock.consumed.get();
        self.clock.consumed.set(number + 1);
        if let Some(&known) = self.before.get(number) {
            self.clock.passed.set(0);
            return Some(known);
        }
        if at.source != Source::Statement {
            return self.random.next(at);
        }
        match &mut self.steady {
            // Such a run is long, or nothing comes of it.
            Some(known) => {
                if let Some(&value) = known.get(&at.site.edge) {
                    return Some(value);
                }
            }
            None if self.clock.passed.get() > PATIENCE => return None,
            None => {}
        }
        let values = self.compared.inputs(at.site.edge);
        let is_compared = matches!(at.ty, Type::Int(_)) && !values.is_empty() && self.random.below(8) > 0;
        let value = match is_compared {
            true => values[self.random.below(values.len() as u64) as usize],
            false => self.random.next(at)?,
        };
        if let Some(known) = &mut self.steady {
            known.insert(at.site.edge, value);
        }
        Some(value)
    }
}

/// Looks at the states at loop heads.
struct Heads<'a> {
    program: &'a Program,
    heads: IndexVec<LocId, Option<CutId>>,
    /// What is looked at there, and whether memory is.
    places: IndexVec<CutId, (Vec<Place>, bool)>,
    compared: &'a Compared,
    clock: &'a Clock,
    known: Set<u64>,
    /// New states, and after how many inputs they were met.
    new: Vec<(usize, End)>,
    /// The edges that some run has taken.
    taken: IndexVec<EdgeId, bool>,
}

/// Where the value of a variable is when the program runs.
enum Place {
    Var(VarId),
    Cell(VarId, u64, Type),
}

impl<'a> Heads<'a> {
    fn new(
        simplified: &'a Simplified,
        encoding: &CutpointEncoding,
        compared: &'a Compared,
        clock: &'a Clock,
    ) -> Self {
        let program = &simplified.program;
        let cuts = &encoding.cuts;
        let mut heads = IndexVec::from_elem(None, encoding.proc(program).locations.len());
        let mut places = IndexVec::new();
        for cut in cuts.cutpoints.indices() {
            heads[cuts.location(cut)] = (cut != cuts.entry && cut != cuts.error).then_some(cut);
            let states = &encoding.states[cut];
            let vars = states.iter().filter_map(|constant| match constant.var {
                StateVar::Var(var) => Some(var),
                StateVar::Region(_) => None,
            });
            let place = |var: VarId| match simplified.scalars.iter().find(|scalar| scalar.var == var) {
                Some(cell) => Place::Cell(var, cell.address, program.vars[var].ty),
                None => Place::Var(var),
            };
            let has_memory = states.iter().any(|constant| matches!(constant.var, StateVar::Region(_)));
            places.push((vars.map(place).collect(), has_memory));
        }
        let taken = IndexVec::from_elem(false, encoding.proc(program).edges.len());
        Heads { program, heads, places, compared, clock, known: Set::default(), new: Vec::new(), taken }
    }
}

impl Observer for Heads<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        self.taken[site.edge] = true;
        let edge = &self.program.procs[self.program.entry].edges[site.edge];
        let Some(cut) = self.heads[edge.from] else { return };
        let Some(memory) = state.memory() else { return };
        let (places, has_memory) = &self.places[cut];
        let mut hash = Hash::default();
        hash.add(cut.0.into());
        let mut values = Vec::with_capacity(places.len());
        for place in places {
            let (var, value) = match *place {
                Place::Var(var) => (var, state.value(var)),
                Place::Cell(var, address, ty) => (var, read(self.program, memory, address, ty)),
            };
            hash.add(value.map_or(-1 << 40, |value| self.compared.class(var, value)));
            values.extend(value.map(|value| (var, value)));
        }
        if *has_memory {
            hash.add_memory(memory);
        }
        if self.known.insert(hash.0) {
            self.clock.passed.set(0);
            self.new.push((self.clock.consumed.get(), (cut, values)));
        } else {
            self.clock.passed.set(self.clock.passed.get() + 1);
        }
    }
}

#[derive(Default)]
struct Hash(u64);

impl Hash {
    fn add(&mut self, value: i128) {
        let mixed = self.0.rotate_left(23) ^ (value as u64) ^ (value >> 64) as u64;
        self.0 = (mixed ^ (mixed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn add_memory(&mut self, memory: &Memory) {
        let size: u64 = memory.objects().iter().map(|object| object.size).sum();
        if size > MAX_BYTES {
            return;
        }
        for object in memory.objects() {
            for offset in 0..object.size {
                self.add(object.byte(offset).map_or(-1, i128::from));
            }
        }
    }
}
