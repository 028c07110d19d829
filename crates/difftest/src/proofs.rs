//! Broken proofs for the checker: it must never crash, and reject every one that is wrong.
//!
//! A small program, all of whose runs are known ([`crate::exhaustive`]), is proved by engines. The program, its proof, or
//! both are then changed at random. Whatever the checker accepts is compared with the runs: a program that fails in one
//! of them has no proof, and an invariant is true of every state that they go through. So it is decided
//! without any solver whether an accepted proof can be right.

use crate::exhaustive::{STEPS_PER_RUN, SmallTask, Truth, all_runs, each_run};
use crate::front_end::load_text;
use crate::measure::with_processor_time;
use crate::rng::Rng;
use craig_base::{Budget, Map, OrderedMap, Stats};
use craig_certificate::state::initial;
use craig_certificate::{
    Invariant, ProofKind, check_induction, check_invariant, check_regions, check_summaries, check_unwinding,
    read_induction, read_invariant, read_summaries, read_unwinding, write_induction, write_invariant,
    write_summaries, write_unwinding,
};
use craig_engines::portfolio::table;
use craig_engines::search::vinta;
use craig_engines::{Engine, Proof, Verdict, verify};
use craig_exec::{
    Detail, Executable, InputOracle, InputSite, Limits, Observer, Outcome, RandomOracle, Run, Site, StateView,
};
use craig_num::Int;
use craig_program::{
    Arithmetic, Cell, CheckKind, CheckSet, Edge, Expr, Inlined, IntType, LocId, Program, RegionId, StateVar,
    Stmt, Type, inline, instrument,
};
use craig_term::{ArrayValue, Model, Terms, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

const INLINE_LIMIT: usize = 20_000;

/// What became of broken proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Proofs that were broken.
    pub proofs: usize,
    pub mutants: usize,
    /// Texts that are no proofs.
    pub unreadable: usize,
    pub rejected: usize,
    /// Accepted, and no run contradicts them.
    pub accepted: usize,
    /// Of the rejected ones: certainly wrong, such as proofs of programs that fail.
    pub wrong: usize,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        self.proofs += other.proofs;
        self.mutants += other.mutants;
        self.unreadable += other.unreadable;
        self.rejected += other.rejected;
        self.accepted += other.accepted;
        self.wrong += other.wrong;
    }
}

/// The kinds of proofs, by the engines that find them.
fn engines() -> Vec<Engine> {
    vec![
        Engine::Pdr,
        Engine::Vinta(vinta::Config::default()),
        Engine::Duality,
        Engine::Bits,
        Engine::Induction,
        Engine::Frames,
    ]
}

/// How much is known of the runs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    All,
    /// So many, with random inputs.
    Random(u64),
}

/// Breaks proofs of the small program with this number, each `times` over. `Err` with what must never happen.
pub fn break_proofs(seed: u64, times: usize) -> Result<Counts, String> {
    let task = SmallTask::numbered(seed);
    let mut rng = Rng::new(seed);
    let mut counts = Counts::default();
    let loaded = task.load()?;
    let original = prepared(loaded.clone(), errors());
    if !matches!(all_runs(&original), Some((Truth::Safe, _))) {
        return Ok(counts);
    }
    for engine in engines() {
        if let Some((kind, text)) = proved(&original, engine, Duration::from_secs(1)) {
            let proof = Kept {
                loaded: loaded.clone(),
                original: original.clone(),
                checks: errors(),
                kind,
                text,
                runs: Runs::All,
            };
            proof.break_it(times, &mut rng, &mut counts)?;
        }
    }
    Ok(counts)
}

fn errors() -> CheckSet {
    [CheckKind::Error].into_iter().collect()
}

/// The proof that an engine finds, as text.
fn proved(program: &Program, engine: Engine, time: Duration) -> Option<(ProofKind, String)> {
    let verdict = with_processor_time(time, |budget| verify(program, engine, budget, &mut Stats::default()));
    let Verdict::Safe(proof) = verdict else { return None };
    let text = match &*proof {
        Proof::Invariant { terms, inlined, invariant } => write_invariant(terms, &inlined.program, invariant),
        Proof::Summaries { terms, summaries } => write_summaries(terms, program, summaries),
        Proof::Unwinding(unwinding) => write_unwinding(program, unwinding),
        Proof::Induction { terms, inlined, induction } => write_induction(terms, &inlined.program, induction),
        Proof::Run | Proof::Parts(_) => return None,
    };
    Some((ProofKind::of(&text)?, text))
}

/// A proof that is broken again and again.
pub struct Kept {
    loaded: Program,
    original: Program,
    checks: CheckSet,
    kind: ProofKind,
    text: String,
    runs: Runs,
}

/// Random runs of a program whose runs are not all known.
const RANDOM_RUNS: u64 = 30;

impl Kept {
    /// Proofs of a program that says in its first lines which engines prove it, and of which checks.
    pub fn of_text(text: &str, time: Duration) -> Vec<Kept> {
        let lines = |start: &'static str| text.lines().filter_map(move |line| line.strip_prefix(start));
        let checks: Vec<&str> = lines("// check: ").flat_map(str::split_whitespace).collect();
        let checks: CheckSet = match checks.is_empty() {
            true => errors(),
            false => CheckKind::ALL.into_iter().filter(|kind| checks.contains(&kind.name())).collect(),
        };
        let Ok(loaded) = load_text(text, craig_program::DataModel::Lp64, Arithmetic::AssumeNoOverflow) else {
            return Vec::new();
        };
        let original = prepared(loaded.clone(), checks);
        let safe = lines("// engine: ").filter(|line| line.contains("verdict: safe"));
        let names = safe.filter_map(|line| line.split("  ").next());
        let engines = names.filter_map(|name| table::find(table::PROGRAM_ENGINES, name.trim()));
        let proofs = engines.filter_map(|entry| proved(&original, (entry.engine)(), time));
        let kept = |(kind, text)| Kept {
            loaded: loaded.clone(),
            original: original.clone(),
            checks,
            kind,
            text,
            runs: Runs::Random(RANDOM_RUNS),
        };
        proofs.map(kept).collect()
    }

    pub fn kind(&self) -> ProofKind {
        self.kind
    }

    /// `Err` with what must never happen.
    pub fn break_it(&self, times: usize, rng: &mut Rng, counts: &mut Counts) -> Result<(), String> {
        counts.proofs += 1;
        for _ in 0..times {
            let broken_program = rng.chance(50);
            let program = match broken_program {
                true => prepared(mutated_program(&self.loaded, rng), self.checks),
                false => self.original.clone(),
            };
            let text = match !broken_program || rng.chance(30) {
                true => mutated_text(&self.text, rng),
                false => self.text.clone(),
            };
            counts.mutants += 1;
            // Proofs are about programs whose memory is split as they say.
            if broken_program && check_regions(&program).is_err() {
                counts.rejected += 1;
                continue;
            }
            self.judge(&program, &text, counts)
                .map_err(|what| format!("{what}\n{}{text}", changes(&self.original, &program)))?;
        }
        Ok(())
    }

    fn judge(&self, program: &Program, text: &str, counts: &mut Counts) -> Result<(), String> {
        let attempt = catch_unwind(AssertUnwindSafe(|| verdict(program, self.kind, text)));
        let judged = attempt.map_err(|_| "the checker panics".to_string())?;
        let truth = self.runs.each(program, |executable, oracle, limits| executable.run(oracle, limits));
        match (judged, truth) {
            (Judged::Unreadable, _) => counts.unreadable += 1,
            (Judged::Rejected, truth) => {
                counts.rejected += 1;
                counts.wrong += usize::from(truth == Some(Truth::Unsafe));
            }
            (Judged::Accepted(_), Some(Truth::Unsafe)) => {
                return Err("the proof of a program that fails is accepted".to_string());
            }
            (Judged::Accepted(invariant), truth) => {
                counts.accepted += 1;
                if let (Some(invariant), Some(_)) = (invariant, truth) {
                    let (terms, inlined, invariant) = *invariant;
                    return holds_in_runs(self.runs, terms, &inlined, &invariant);
                }
            }
        }
        Ok(())
    }
}

impl Runs {
    /// Whether one fails, as far as it is known.
    fn each(
        self,
        program: &Program,
        mut make: impl FnMut(&Executable<'_>, &mut dyn InputOracle, &Limits) -> Run,
    ) -> Option<Truth> {
        let limits = Limits { steps: STEPS_PER_RUN, ..Limits::default() };
        match self {
            Runs::All => each_run(program, |executable, oracle| make(executable, oracle, &limits))
                .map(|(truth, _)| truth),
            Runs::Random(count) => {
                let executable = Executable::new(program, Detail::Edges);
                let fails = (0..count).any(|seed| {
                    let mut oracle = RandomOracle::new(program, seed);
                    let run = make(&executable, &mut |at: &InputSite| oracle.next(at), &limits);
                    matches!(run.outcome, Outcome::ReachedError(_))
                });
                Some(if fails { Truth::Unsafe } else { Truth::Safe })
            }
        }
    }
}

/// The edges in which two programs differ.
fn changes(original: &Program, program: &Program) -> String {
    let mut text = String::new();
    for (id, proc) in program.procs.enumerated() {
        for ((number, edge), before) in proc.edges.enumerated().zip(&original.procs[id].edges) {
            let show = |program: &Program, edge: &Edge| {
                format!("{} to {}: {}", edge.from, edge.to, program.show_stmt(&edge.stmt))
            };
            let (before, after) = (show(original, before), show(program, edge));
            if before != after {
                text.push_str(&format!("{} {number}: {before} became {after}\n", proc.name));
            }
        }
    }
    text
}

/// As engines get it: what is undefined ends the run.
fn prepared(mut program: Program, checks: CheckSet) -> Program {
    instrument(&mut program, checks);
    program
}

enum Judged {
    Unreadable,
    Rejected,
    /// With the invariant, if it is one.
    Accepted(Option<Box<(Terms, Inlined, Invariant)>>),
}

fn verdict(program: &Program, kind: ProofKind, text: &str) -> Judged {
    with_processor_time(CHECK, |budget| verdict_within(budget, program, kind, text))
}

/// The time of the processor for the checker. What takes longer counts as rejected.
const CHECK: Duration = Duration::from_millis(500);

fn verdict_within(budget: &Budget, program: &Program, kind: ProofKind, text: &str) -> Judged {
    let mut terms = Terms::new();
    let accepted = match kind {
        ProofKind::Invariant | ProofKind::Frames => {
            let Ok(inlined) = inline(program, INLINE_LIMIT) else { return Judged::Unreadable };
            let Ok(proof) = read_invariant(&mut terms, &inlined.program, text) else {
                return Judged::Unreadable;
            };
            if check_invariant(&mut terms, &inlined.program, &proof, budget).is_err() {
                return Judged::Rejected;
            }
            return Judged::Accepted(Some(Box::new((terms, inlined, proof))));
        }
        ProofKind::Contracts => match read_summaries(&mut terms, program, text) {
            Ok(proof) => check_summaries(&mut terms, program, &proof, budget).is_ok(),
            Err(_) => return Judged::Unreadable,
        },
        ProofKind::Unwinding => match read_unwinding(program, text) {
            Ok(proof) => check_unwinding(program, &proof, budget).is_ok(),
            Err(_) => return Judged::Unreadable,
        },
        ProofKind::Induction => {
            let Ok(inlined) = inline(program, INLINE_LIMIT) else { return Judged::Unreadable };
            let Ok(proof) = read_induction(&mut terms, &inlined.program, text) else {
                return Judged::Unreadable;
            };
            if check_induction(&mut terms, &inlined.program, &proof, budget).is_err() {
                return Judged::Rejected;
            }
            return Judged::Accepted(Some(Box::new((terms, inlined, proof.invariant))));
        }
        ProofKind::Run | ProofKind::Parts => return Judged::Unreadable,
    };
    if accepted { Judged::Accepted(None) } else { Judged::Rejected }
}

/// Every state of every run that is made, against the invariant.
fn holds_in_runs(
    runs: Runs,
    mut terms: Terms,
    inlined: &Inlined,
    invariant: &Invariant,
) -> Result<(), String> {
    let program = &inlined.program;
    let vars = program.vars.indices().map(StateVar::Var);
    let regions = program.regions.indices().map(StateVar::Region);
    let tracked = vars.chain(regions).filter(|&component| program.is_tracked(component));
    let symbols: Vec<_> =
        tracked.map(|component| (component, initial(&mut terms, program, component))).collect();
    let mut observer = Watcher { program, invariant, symbols, terms, seen: Map::default(), wrong: None };
    runs.each(program, |executable, oracle, limits| executable.observe(oracle, limits, &mut observer));
    observer.wrong.map_or(Ok(()), Err)
}

struct Watcher<'a> {
    program: &'a Program,
    invariant: &'a Invariant,
    symbols: Vec<(StateVar, craig_term::TermId)>,
    terms: Terms,
    /// How often a location was looked at.
    seen: Map<LocId, usize>,
    wrong: Option<String>,
}

/// States at one location, over all runs.
const MAX_STATES: usize = 2000;

impl Observer for Watcher<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        let location = self.program.procs[site.proc].edges[site.edge].from;
        let Some(&formula) = self.invariant.formulas.get(&location) else { return };
        let seen = self.seen.entry(location).or_default();
        *seen += 1;
        if *seen > MAX_STATES || self.wrong.is_some() {
            return;
        }
        let mut model = Model::new();
        for &(component, symbol) in &self.symbols {
            let value = match component {
                StateVar::Var(var) => {
                    let value = state.value(var).unwrap_or(0);
                    crate::recording::scalar(value, self.program.vars[var].ty == Type::Bool)
                }
                StateVar::Region(region) => array(self.program, region, state),
            };
            model.set(symbol, value);
        }
        if self.terms.eval_bool(formula, &model) == Ok(false) {
            let symbols = self.terms.free_consts(formula).into_iter();
            let values = symbols.filter(|&symbol| self.terms.sort(symbol) != self.terms.sort(formula));
            let values: Vec<String> = values
                .filter_map(|symbol| match model.get(symbol)? {
                    Value::Int(value) => Some(format!("{} = {value}", self.terms.const_name(symbol)?)),
                    _ => None,
                })
                .collect();
            let values = values.join(", ");
            self.wrong =
                Some(format!("an accepted invariant is false at {location} in a run, where {values}"));
        }
    }
}

/// A region as an array; what has no value yet may have any, and gets zero.
fn array(program: &Program, region: RegionId, state: &dyn StateView) -> Value {
    let mut array = ArrayValue::new(Value::Int(Int::ZERO));
    let Some(memory) = state.memory() else { return Value::Array(Arc::new(array)) };
    let ty = match program.regions[region].cell {
        Cell::Scalar(ty) => ty,
        Cell::Bytes => Type::Int(IntType::U8),
    };
    let size = u64::from(program.size_of(ty));
    let objects: OrderedMap<u64, u64> =
        memory.objects().iter().map(|object| (object.address, object.size)).collect();
    for (&address, &extent) in &objects {
        for at in address..(address + extent).saturating_sub(size - 1) {
            let Some(object) = memory.object_at(at) else { continue };
            let start = object.address;
            let bytes = (0..size).map(|i| object.byte(at + i - start).unwrap_or(0));
            let value = bytes.enumerate().fold(0u128, |value, (i, byte)| value | u128::from(byte) << (8 * i));
            let value = match ty {
                Type::Int(int) => int.wrap(value as i128),
                _ => value as i128,
            };
            array.store(Value::Int(Int::from(at)), Value::Int(Int::from(value)));
        }
    }
    Value::Array(Arc::new(array))
}

/// The program with something changed: a constant, a condition, where an edge leads, a statement left out.
fn mutated_program(program: &Program, rng: &mut Rng) -> Program {
    let mut program = program.clone();
    let procs: Vec<_> = program.procs.indices().filter(|&id| !program.procs[id].edges.is_empty()).collect();
    for _ in 0..1 + rng.below(2) {
        let proc = *rng.pick(&procs);
        let edges: Vec<_> = program.procs[proc].edges.indices().collect();
        let edge = *rng.pick(&edges);
        let stmt = program.procs[proc].edges[edge].stmt.clone();
        match (stmt, rng.below(4)) {
            (Stmt::Assume(condition), 0) => {
                program.procs[proc].edges[edge].stmt = Stmt::Assume(program.exprs.not(condition));
            }
            (Stmt::Assign(..), 0) => program.procs[proc].edges[edge].stmt = Stmt::Skip,
            (_, 1) => {
                let other = *rng.pick(&edges);
                let edges = &mut program.procs[proc].edges;
                let (to, other_to) = (edges[edge].to, edges[other].to);
                (edges[edge].to, edges[other].to) = (other_to, to);
                program.procs[proc].rebuild_adjacency();
            }
            (Stmt::Assign(place, value), _) => {
                let value = with_another_constant(&mut program, value, rng);
                program.procs[proc].edges[edge].stmt = Stmt::Assign(place, value);
            }
            (Stmt::Assume(condition), _) => {
                let condition = with_another_constant(&mut program, condition, rng);
                program.procs[proc].edges[edge].stmt = Stmt::Assume(condition);
            }
            _ => {}
        }
    }
    program
}

fn with_another_constant(
    program: &mut Program,
    root: craig_program::ExprId,
    rng: &mut Rng,
) -> craig_program::ExprId {
    let constants: Vec<_> = program.exprs.postorder(&[root]).into_iter().collect();
    let constants: Vec<_> = constants
        .into_iter()
        .filter_map(|id| match program.exprs.get(id) {
            Expr::Const(Type::Int(int), value) => Some((id, int, value)),
            _ => None,
        })
        .collect();
    if constants.is_empty() {
        return root;
    }
    let &(chosen, int, value) = rng.pick(&constants);
    let other = int.wrap(value + *rng.pick(&[1, -1, 2, 7]));
    let model = program.data_model;
    program.exprs.rewrite(root, model, &mut Map::default(), &mut |exprs, id| {
        (id == chosen).then(|| exprs.int(int, other))
    })
}

/// The text of a proof with some words or lines changed.
fn mutated_text(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + rng.below(3) {
        text = match rng.below(20) {
            0 | 1 => without_a_line(&text, rng),
            2 => text.chars().take(rng.below(text.len() + 1)).collect(),
            3 | 4 => with_lines_swapped(&text, rng),
            _ => with_another_word(&text, rng),
        };
    }
    text
}

fn without_a_line(text: &str, rng: &mut Rng) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let gone = rng.below(lines.len());
    lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| format!("{line}\n")).collect()
}

fn with_lines_swapped(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.len() > 4 {
        let (a, b) = (3 + rng.below(lines.len() - 3), 3 + rng.below(lines.len() - 3));
        lines.swap(a, b);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Changes a number, an operator, a symbol, or a whole subterm. The head of the text is left as it is.
fn with_another_word(text: &str, rng: &mut Rng) -> String {
    // Of one sort each, so that most of what results can be read.
    const ALIKE: &[&[&str]] = &[&["<=", "<", ">=", ">", "="], &["and", "or", "=>"], &["+", "-", "*"]];
    let head: usize = text.split_inclusive('\n').take(3).map(str::len).sum();
    let (head, body) = text.split_at(head.min(text.len()));
    let mut words: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, c) in body.char_indices() {
        if c.is_whitespace() || c == '(' || c == ')' {
            words.extend([&body[start..at], &body[at..at + c.len_utf8()]]);
            start = at + c.len_utf8();
        }
    }
    words.push(&body[start..]);
    let places: Vec<usize> = (0..words.len()).filter(|&at| !words[at].trim().is_empty()).collect();
    if places.is_empty() {
        return text.to_string();
    }
    let at = *rng.pick(&places);
    let mut words: Vec<String> = words.into_iter().map(str::to_string).collect();
    let word = words[at].clone();
    if word == "(" && rng.chance(60) {
        let mut depth = 0;
        let end = (at..words.len()).find(|&end| {
            depth += i32::from(words[end] == "(") - i32::from(words[end] == ")");
            depth == 0
        });
        let is_number =
            matches!(words.get(at + 1).map(String::as_str), Some("+" | "-" | "*" | "div" | "mod" | "select"));
        let by = if is_number { *rng.pick(&["0", "1", "7"]) } else { *rng.pick(&["true", "false"]) };
        words.splice(at..=end.unwrap_or(at), [by.to_string()]);
    } else if let Ok(number) = word.parse::<i64>() {
        let other = number.wrapping_add(*rng.pick(&[1, -1, 2, 5, number])).wrapping_abs();
        words[at] = if number < 0 { format!("-{other}") } else { other.to_string() };
    } else if let Some(alike) = ALIKE.iter().find(|alike| alike.contains(&word.as_str())) {
        words[at] = rng.pick(alike).to_string();
    } else if word.contains('!') {
        let symbols: Vec<usize> = places.into_iter().filter(|&place| words[place].contains('!')).collect();
        words[at] = words[*rng.pick(&symbols)].clone();
    } else if rng.chance(10) {
        words[at] = words[*rng.pick(&places)].clone();
    }
    format!("{head}{}", words.concat())
}
