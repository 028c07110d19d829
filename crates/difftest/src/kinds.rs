//! What campaigns are made of: kinds of cases, each of which is known by its number.
//!
//! Every kind is cheap by design, as the sizes that are wanted are large: programs go to `tcc` and only a sample to gcc, engines have
//! a little time of the processor each, Z3 hears of one formula in a thousand. The same number is the same case
//! for ever, as far as the generator stays as it is.

use crate::answers::break_answers;
use crate::compare::{Comparison, Origin, Task};
use crate::compiler::Compilers;
use crate::cross::generate::Theory;
use crate::cross::reference::Reference;
use crate::exhaustive::{SmallTask, Truth};
use crate::fuzz::campaign::{self, Plan};
use crate::fuzz::target::{TARGETS, Target};
use crate::memory::Answer;
use crate::proofs::{Counts, Kept, break_proofs};
use crate::rng::Rng;
use crate::{cross, floats, generate, meaning, measure, memory};
use craig_base::OrderedMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A kind of cases.
pub struct Kind {
    pub name: String,
    /// What is counted.
    pub cases: &'static str,
    /// How many there should be.
    pub wanted: u64,
    /// How many numbers a campaign takes at a time.
    pub turn: u64,
    run: Run,
}

enum Run {
    /// One case, or some, for a number.
    Each(fn(u64, &mut Tools, &mut Tally)),
    Formulas(Theory),
    Inputs(&'static Target),
}

/// What came of some cases.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    /// What else is worth counting.
    pub notes: OrderedMap<&'static str, u64>,
    pub defects: Vec<String>,
}

impl Tally {
    fn note(&mut self, what: &'static str, count: impl TryInto<u64>) {
        *self.notes.entry(what).or_default() += count.try_into().unwrap_or(0);
    }

    /// In words.
    pub fn describe(&self, kind: &Kind) -> String {
        let notes = self.notes.iter().filter(|(_, count)| **count > 0);
        let notes: String = notes.map(|(what, count)| format!(", {count} {what}")).collect();
        format!("{}: {} {}{notes}; {} defects", kind.name, self.cases, kind.cases, self.defects.len())
    }
}

/// What several cases share.
pub struct Tools {
    pub compilers: Compilers,
    z3: Option<Reference>,
    /// Scripts and clauses whose answers are broken.
    answers: Vec<(String, Vec<u8>)>,
    /// Programs that engines keep as tests, by their names, and the proofs of those that were needed so far.
    programs: Vec<(String, String)>,
    proofs: OrderedMap<usize, Vec<Kept>>,
}

impl Tools {
    pub fn new(folder: PathBuf) -> std::io::Result<Tools> {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["examples/smt", "examples/chc"].map(|name| repository.join(name));
        let texts = measure::files_with(&folders, &["smt2"]).into_iter();
        let answers =
            texts.filter_map(|file| Some((file.display().to_string(), std::fs::read(file).ok()?))).collect();
        let kept = [repository.join("crates/engines/tests/programs")];
        let programs = measure::files_with(&kept, &["c"]).into_iter();
        let programs = programs
            .filter_map(|file| Some((file.display().to_string(), std::fs::read_to_string(&file).ok()?)))
            .collect();
        let (compilers, z3) = (Compilers::new(folder)?, Reference::start());
        Ok(Tools { compilers, z3, answers, programs, proofs: OrderedMap::default() })
    }
}

/// The time of the processor for each engine on a small program, and for one on a program of another kind.
const SMALL: Duration = Duration::from_millis(30);
const ENGINE: Duration = Duration::from_secs(1);
/// The same for a proof that is then broken again and again.
const PROOF: Duration = Duration::from_secs(2);
/// Of so many formulas Z3 hears one.
const HEARD_BY_Z3: u64 = 1000;
/// Mutants of each proof or answer.
const MUTANTS: usize = 20;
/// Mutated inputs in one turn, for kinds that cost little.
const INPUTS: u64 = 2000;

/// With the number of cases in one turn: some cost far more than others.
const THEORIES: [(Theory, u64); 8] = [
    (Theory::Bool, 10_000),
    (Theory::Lia, 4000),
    (Theory::Lra, 4000),
    (Theory::Lira, 4000),
    (Theory::Uf, 8000),
    (Theory::UfLia, 3000),
    (Theory::Arrays, 1500),
    (Theory::AufLia, 1000),
];

/// All kinds.
pub fn kinds() -> Vec<Kind> {
    let each = |name: &str, cases, wanted, turn, run| Kind {
        name: name.to_string(),
        cases,
        wanted,
        turn,
        run: Run::Each(run),
    };
    let mut kinds = vec![
        each("own", "programs", 100_000, 100, own),
        each("csmith", "programs", 500, 2, csmith),
        each("memory", "programs", 10_000, 40, moving),
        each("floats", "programs", 10_000, 100, floating),
        each("meaning", "programs", 10_000, 10, meant),
        each("small", "programs", 10_000, 10, small),
        each("proofs", "mutants", 100_000, 10, proofs),
        each("proofs-kept", "mutants", 20_000, 1, proofs_kept),
        each("answers", "mutants", 10_000, 5, answers),
    ];
    kinds.extend(THEORIES.into_iter().map(|(theory, turn)| Kind {
        name: format!("formulas-{}", format!("{theory:?}").to_lowercase()),
        cases: "cases",
        wanted: 1_000_000,
        turn,
        run: Run::Formulas(theory),
    }));
    kinds.extend(TARGETS.iter().map(|target| Kind {
        name: format!("inputs-{}", target.name),
        cases: "mutants",
        wanted: target.wanted,
        turn: (INPUTS / target.cost).max(100),
        run: Run::Inputs(target),
    }));
    kinds
}

impl Kind {
    /// The cases with these numbers.
    pub fn run(&self, numbers: Range<u64>, tools: &mut Tools) -> Tally {
        let mut tally = Tally::default();
        match self.run {
            Run::Each(run) => numbers.for_each(|number| run(number, tools, &mut tally)),
            Run::Formulas(theory) => {
                let count = numbers.end - numbers.start;
                match cross::run(theory, numbers, tools.z3.as_mut(), HEARD_BY_Z3) {
                    Ok(found) => {
                        tally.cases += found.cases;
                        tally.note("sat", found.sat);
                        tally.note("unsat", found.unsat);
                        tally.note("unknown", found.unknown + found.unsupported);
                    }
                    // The others of this turn are left out.
                    Err(what) => {
                        tally.note("left out", count);
                        tally.defects.push(what);
                    }
                }
            }
            Run::Inputs(target) => {
                let plan = Plan {
                    seed: numbers.start,
                    count: numbers.end - numbers.start,
                    time: Duration::MAX,
                    folders: Vec::new(),
                    defects: PathBuf::from("fuzz-defects"),
                };
                match campaign::run(target, &plan) {
                    Ok(outcome) => {
                        tally.cases += outcome.mutants;
                        tally.note("more than refused", outcome.accepted);
                        let words = |(path, what): (&PathBuf, &String)| format!("{}: {what}", path.display());
                        tally.defects.extend(outcome.defects.iter().map(words));
                    }
                    Err(what) => tally.defects.push(what),
                }
            }
        }
        tally
    }

    /// The program with this number, where it is one.
    pub fn source(&self, number: u64, folder: &Path) -> Result<String, String> {
        match &*self.name {
            "own" => Task::numbered(Origin::Own, number).source(folder),
            "csmith" => Task::numbered(Origin::Csmith, number).source(folder),
            "memory" => Ok(generate::memory::program(number).text),
            "floats" => Ok(generate::floats::Computation::numbered(number).native()),
            "small" | "proofs" => Ok(SmallTask::numbered(number).source()),
            "meaning" => {
                Ok(generate::program(number, generate::Features { floats: number.is_multiple_of(3) }))
            }
            _ => match self.run {
                Run::Formulas(theory) => {
                    let (terms, case) = cross::generate::Generator::new(theory, number).script_case();
                    Ok(cross::show::script(&terms, &case))
                }
                _ => Err(format!("{} are not of one program", self.name)),
            },
        }
    }
}

fn own(number: u64, tools: &mut Tools, tally: &mut Tally) {
    compared(Task::numbered(Origin::Own, number), tools, tally);
}

fn csmith(number: u64, tools: &mut Tools, tally: &mut Tally) {
    compared(Task::numbered(Origin::Csmith, number), tools, tally);
}

fn compared(task: Task, tools: &Tools, tally: &mut Tally) {
    match task.compare(&tools.compilers) {
        Comparison::Agree => tally.cases += 1,
        Comparison::Skipped(_) => tally.note("skipped", 1u64),
        Comparison::Mismatch(what) => {
            tally.cases += 1;
            tally.defects.push(format!("{} {:?} {:?}: {what}", task.seed, task.model, task.semantics));
        }
    }
}

fn moving(number: u64, tools: &mut Tools, tally: &mut Tally) {
    // Running is quick, deciding is not.
    let time = (number % 32 < 2).then_some(ENGINE);
    answered(number, memory::compare(number, &tools.compilers, time), tally);
}

fn floating(number: u64, tools: &mut Tools, tally: &mut Tally) {
    let time = (number % 64 == 1).then_some(ENGINE);
    answered(number, floats::compare(number, &tools.compilers, time), tally);
}

fn answered(number: u64, answer: Result<Answer, String>, tally: &mut Tally) {
    tally.cases += 1;
    match answer {
        Ok(Answer::Agreed) => {}
        Ok(Answer::Unknown(_)) => tally.note("not decided by the engine", 1u64),
        Err(what) => tally.defects.push(format!("{number}: {what}")),
    }
}

fn meant(number: u64, _: &mut Tools, tally: &mut Tally) {
    tally.cases += 1;
    match meaning::check_random_program(number) {
        Ok(segments) => tally.note("segments", segments),
        Err(what) => tally.defects.push(format!("{number}: {what}")),
    }
}

fn small(number: u64, _: &mut Tools, tally: &mut Tally) {
    let task = SmallTask::numbered(number);
    match task.compare(SMALL) {
        Ok(Some(answers)) => {
            tally.cases += 1;
            tally.note(if answers.truth == Truth::Safe { "safe" } else { "unsafe" }, 1u64);
            tally.note("right answers", answers.correct);
            tally.note("answers `unknown`", answers.unknown.len());
            tally.note("branches reached", answers.reached);
            tally.note("branches proved unreachable", answers.dead);
            let rejected = answers.unknown.iter().filter(|reason| reason.contains("rejected"));
            tally.note("proofs that the checker could not follow", rejected.count());
        }
        Ok(None) => tally.note("skipped", 1u64),
        Err(what) => {
            tally.cases += 1;
            tally.defects.push(format!("{number} {:?} {:?}: {what}", task.model, task.arithmetic));
        }
    }
}

fn proofs(number: u64, _: &mut Tools, tally: &mut Tally) {
    match break_proofs(number, MUTANTS) {
        Ok(counts) => broken(counts, tally),
        Err(what) => tally.defects.push(format!("{number}: {what}")),
    }
}

fn proofs_kept(number: u64, tools: &mut Tools, tally: &mut Tally) {
    let Some(at) = (number as usize).checked_rem(tools.programs.len()) else { return };
    let (name, text) = &tools.programs[at];
    let proofs = tools.proofs.entry(at).or_insert_with(|| Kept::of_text(text, PROOF));
    let mut rng = Rng::new(number);
    for proof in proofs {
        let mut counts = Counts::default();
        if let Err(what) = proof.break_it(MUTANTS, &mut rng, &mut counts) {
            tally.defects.push(format!("{name}: {what}"));
        }
        tally.note(proof.kind().name(), counts.mutants);
        broken(counts, tally);
    }
}

fn answers(number: u64, tools: &mut Tools, tally: &mut Tally) {
    let files = tools.answers.len().max(1) as u64;
    let file = tools.answers.iter().skip((number % files) as usize).take(1).cloned();
    let file: Vec<(String, Vec<u8>)> = file.collect();
    let counts = break_answers(&file, number / files, 1, MUTANTS, |what| tally.defects.push(what));
    counts.into_values().for_each(|counts| broken(counts, tally));
}

fn broken(counts: Counts, tally: &mut Tally) {
    tally.cases += counts.mutants as u64;
    tally.note("proofs", counts.proofs);
    tally.note("unreadable", counts.unreadable);
    tally.note("rejected", counts.rejected);
    tally.note("of them certainly wrong", counts.wrong);
    tally.note("accepted and right", counts.accepted);
}
