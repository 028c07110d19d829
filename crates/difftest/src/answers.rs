//! Broken answers about formulas and clauses for their checkers: refutations of the solver, models and derivations of Horn
//! clauses.
//!
//! What the checkers accepted is changed at random, and given to them again. Whether what they still accept is right is
//! decided by Z3, formula by formula: every clause of a refutation follows from the assertions or from the theory, no clause
//! of a system is violated in a model, and each step of a derivation is an instance of its clause.

use crate::fuzz::mutate;
use crate::proofs::Counts;
use crate::rng::Rng;
use craig_base::{Budget, OrderedMap};
use craig_certificate::{check_derivation, check_model};
use craig_chc::{Derivation, Interpretation, StepId, System, read_system, simplify};
use craig_engines::horn::solve::{HornAnswer, run};
use craig_engines::portfolio::schedule::clause_portfolio;
use craig_num::{Int, Rat};
use craig_smt::native::{Lit, Options, Var};
use craig_smt::process::ProcessSolver;
use craig_smt::proof::{Axiom, Certificate, Leaf, Refutation, StepKind, check_against};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::smtlib::{Command, CommandInput, Reader};
use craig_term::{Op, TermId, Terms, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const TIME: Duration = Duration::from_secs(1);

fn budget() -> Budget {
    Budget::unlimited().with_timeout(TIME)
}

/// Breaks the answer to a script, or to clauses, so many times. `Err` with what must never happen; `None` if there is no
/// answer to break.
pub fn break_answer(text: &[u8], seed: u64, times: usize) -> Result<Option<Counts>, String> {
    let mut rng = Rng::new(seed);
    match text.windows(4).any(|window| window == b"HORN") || text.windows(5).any(|window| window == b"(rule")
    {
        true => break_horn(text, &mut rng, times),
        false => break_refutation(text, &mut rng, times),
    }
}

/// A script with a few words changed, for answers that differ.
pub fn varied(text: &[u8], seed: u64) -> Vec<u8> {
    mutate::varied(text, &mut Rng::new(seed))
}

/// Z3, for the formulas of one answer.
#[derive(Default)]
struct SecondOpinion(Option<ProcessSolver>);

impl SecondOpinion {
    /// Whether the formulas are refuted; `None` if Z3 does not know, or is not there.
    fn refuted(&mut self, terms: &mut Terms, formulas: &[TermId]) -> Option<bool> {
        if self.0.is_none() {
            self.0 = ProcessSolver::z3().ok();
        }
        let solver = self.0.as_mut()?;
        solver.push();
        formulas.iter().for_each(|&formula| solver.assert(terms, formula));
        let answer = solver.check(terms, &[], &budget());
        solver.pop();
        match answer {
            Answer::Unsat => Some(true),
            Answer::Sat => Some(false),
            Answer::Unknown(_) => {
                // It may have been too late, and is then gone.
                self.0 = None;
                None
            }
        }
    }
}

/// Counts a mutant that the checker has judged; `truth` says what Z3 finds wrong with it.
fn count(
    counts: &mut Counts,
    judged: std::thread::Result<bool>,
    truth: impl FnOnce() -> Option<String>,
) -> Result<(), String> {
    counts.mutants += 1;
    match judged {
        Err(_) => return Err("the checker panics".to_string()),
        Ok(false) => {
            counts.rejected += 1;
            counts.wrong += usize::from(truth().is_some());
        }
        Ok(true) => {
            counts.accepted += 1;
            if let Some(wrong) = truth() {
                return Err(format!("accepted, but {wrong}"));
            }
        }
    }
    Ok(())
}

// Refutations

fn break_refutation(text: &[u8], rng: &mut Rng, times: usize) -> Result<Option<Counts>, String> {
    let mut terms = Terms::new();
    let Some(formulas) = assertions(&mut terms, text) else { return Ok(None) };
    let options = Options { proofs: true, preprocess: false, products: false, ..Options::default() };
    let mut solver = NativeSolver::new(options);
    formulas.iter().for_each(|&formula| solver.assert(&mut terms, formula));
    if solver.check(&mut terms, &[], &budget()) != Answer::Unsat {
        return Ok(None);
    }
    let Some(root) = solver.refutation() else { return Ok(None) };
    let refutation = Refutation::extract(solver.proof(), root).map_err(|error| format!("{error:?}"))?;
    check_against(&mut terms, &solver, &formulas, &refutation)
        .map_err(|error| format!("not broken, but rejected: {error}"))?;
    let mut z3 = SecondOpinion::default();
    let mut counts = Counts { proofs: 1, ..Counts::default() };
    for _ in 0..times {
        let (mut mutant, mut others) = (refutation.clone(), formulas.clone());
        match rng.chance(50) {
            true => mutant = mutated_refutation(&terms, &refutation, rng),
            false => {
                let at = rng.below(others.len());
                match rng.chance(30) {
                    true => drop(others.remove(at)),
                    false => others[at] = mutated_formula(&mut terms, others[at], rng),
                }
            }
        }
        let judged = catch_unwind(AssertUnwindSafe(|| {
            check_against(&mut terms.clone(), &solver, &others, &mutant).is_ok()
        }));
        count(&mut counts, judged, || {
            wrong_refutation(&mut z3, &mut terms, &solver, (&others, &formulas), (&mutant, &refutation))
        })?;
    }
    Ok(Some(counts))
}

/// What is wrong with a refutation: the formulas have a model, or one of its theory's clauses is not valid.
fn wrong_refutation(
    z3: &mut SecondOpinion,
    terms: &mut Terms,
    solver: &NativeSolver,
    (formulas, original): (&[TermId], &[TermId]),
    (mutant, refutation): (&Refutation, &Refutation),
) -> Option<String> {
    if formulas != original && z3.refuted(terms, formulas) == Some(false) {
        let formulas: Vec<String> = formulas.iter().map(|&t| terms.to_smtlib(t)).collect();
        return Some(format!("there is a model of\n{}", formulas.join("\n")));
    }
    for (at, step) in mutant.steps.iter().enumerate() {
        if refutation.steps.get(at).is_some_and(|before| before.clause == step.clause) {
            continue;
        }
        let StepKind::Leaf(Leaf::Theory(certificate)) = &step.kind else { continue };
        // What is said of new constants is not valid by itself.
        if let Certificate::Axiom(Axiom::Extensionality { .. } | Axiom::FreshIndex { .. }) = certificate {
            continue;
        }
        let mut negation = Vec::new();
        for lit in &step.clause {
            let formula = solver.formula(terms, lit.var());
            negation.push(if lit.is_negated() { formula } else { terms.not(formula) });
        }
        if z3.refuted(terms, &negation) == Some(false) {
            return Some(format!("step {at} is not valid"));
        }
    }
    None
}

/// The assertions of a script up to its first check; nothing if there is something else in it.
fn assertions(terms: &mut Terms, text: &[u8]) -> Option<Vec<TermId>> {
    let mut reader = Reader::new();
    let mut commands = CommandInput::new(text);
    let mut formulas = Vec::new();
    while let Ok(Some(Ok(tree))) = commands.next_command() {
        match reader.command(terms, &tree) {
            Ok(Command::Assert { term, .. }) => formulas.push(term),
            Ok(Command::CheckSat) => break,
            Ok(Command::Push(_) | Command::CheckSatAssuming(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
    (!formulas.is_empty()).then_some(formulas)
}

fn mutated_refutation(terms: &Terms, refutation: &Refutation, rng: &mut Rng) -> Refutation {
    let mut mutant = refutation.clone();
    let at = rng.below(mutant.steps.len());
    let other = rng.below(mutant.steps.len());
    let literals: Vec<Lit> = mutant.steps.iter().flat_map(|step| step.clause.iter().copied()).collect();
    let number = |rng: &mut Rng| Rat::from(*rng.pick(&[0i64, 1, -1, 2, 3]));
    match rng.below(9) {
        // A leaf that says more than it may, with the chains after it as they then are.
        0..=2 => {
            let leaves: Vec<usize> = (0..mutant.steps.len())
                .filter(|&at| matches!(mutant.steps[at].kind, StepKind::Leaf(_)))
                .collect();
            let clause = &mut mutant.steps[*rng.pick(&leaves)].clause;
            match rng.below(3) {
                0 if clause.len() > 1 => {
                    clause.remove(rng.below(clause.len()));
                }
                1 if !clause.is_empty() => {
                    let at = rng.below(clause.len());
                    clause[at] = !clause[at];
                }
                _ if !clause.is_empty() && !literals.is_empty() => {
                    let at = rng.below(clause.len());
                    clause[at] = *rng.pick(&literals);
                }
                _ => {}
            }
            recompute(&mut mutant);
        }
        3 => {
            mutant.steps.remove(at);
        }
        4 => mutant.steps.swap(at, other),
        5 => mutant.steps.truncate(at.max(1)),
        6 => mutant.steps[at].kind = mutant.steps[other].kind.clone(),
        7 => {
            if let StepKind::Chain { first, rest } = &mut mutant.steps[at].kind {
                match rest.is_empty() || rng.chance(30) {
                    true => *first = other,
                    false if rng.chance(50) => drop(rest.remove(rng.below(rest.len()))),
                    false => {
                        let link = rng.below(rest.len());
                        rest[link] = (other, Var(rng.below(literals.len() + 1) as u32));
                    }
                }
            }
        }
        _ => {
            let leaves: Vec<usize> = (0..mutant.steps.len())
                .filter(|&at| matches!(mutant.steps[at].kind, StepKind::Leaf(Leaf::Theory(_))))
                .collect();
            if leaves.is_empty() {
                return mutant;
            }
            let StepKind::Leaf(Leaf::Theory(certificate)) = &mut mutant.steps[*rng.pick(&leaves)].kind else {
                return mutant;
            };
            match certificate {
                Certificate::Farkas(list) if !list.is_empty() => {
                    let at = rng.below(list.len());
                    match rng.below(3) {
                        0 => list[at].coefficient = number(rng),
                        1 => list[at].upper = !list[at].upper,
                        _ => drop(list.remove(at)),
                    }
                }
                Certificate::Divisibility(list) if !list.is_empty() => {
                    let at = rng.below(list.len());
                    list[at].coefficient = number(rng);
                }
                Certificate::Axiom(axiom) => {
                    let any = TermId(rng.below(terms.len()) as u32);
                    match axiom {
                        Axiom::Congruence { right, .. } => *right = any,
                        Axiom::Transitivity { path } => drop(path.remove(rng.below(path.len()))),
                        Axiom::Read { right, .. } => right.1 = any,
                        Axiom::Elsewhere { index, .. } => *index = any,
                        Axiom::Extensionality { witness, .. } => *witness = any,
                        Axiom::FreshIndex { index, .. } => *index = any,
                    }
                }
                certificate => *certificate = Certificate::Trichotomy,
            }
        }
    }
    mutant
}

/// Makes chains say what follows from their antecedents, as far as they can be followed.
fn recompute(refutation: &mut Refutation) {
    for at in 0..refutation.steps.len() {
        let StepKind::Chain { first, rest } = refutation.steps[at].kind.clone() else { continue };
        let mut clause = refutation.steps[first].clause.clone();
        let mut followed = Vec::new();
        for (place, pivot) in rest {
            let antecedent = &refutation.steps[place].clause;
            let Some(own) =
                clause.iter().copied().find(|lit| lit.var() == pivot && antecedent.contains(&!*lit))
            else {
                continue;
            };
            clause.retain(|lit| *lit != own);
            clause.extend(antecedent.iter().filter(|lit| **lit != !own));
            clause.sort_unstable();
            clause.dedup();
            followed.push((place, pivot));
        }
        clause.sort_unstable();
        refutation.steps[at].clause = clause;
        refutation.steps[at].kind = StepKind::Chain { first, rest: followed };
    }
}

// Horn clauses

fn break_horn(text: &[u8], rng: &mut Rng, times: usize) -> Result<Option<Counts>, String> {
    let mut terms = Terms::new();
    let Ok(system) = read_system(&mut terms, text) else { return Ok(None) };
    let simplified = simplify(&mut terms, &system, &budget());
    let new_solver = || -> Box<dyn Solver> { Box::new(NativeSolver::default()) };
    let found = run(&terms, &system, &simplified, &clause_portfolio(), 1, &new_solver, &budget());
    let found = found.map_err(|contradiction| contradiction.to_string())?;
    let mut z3 = SecondOpinion::default();
    let mut counts = Counts { proofs: 1, ..Counts::default() };
    match found.answer {
        HornAnswer::Sat(mut terms, model) => {
            for _ in 0..times {
                let mutant = mutated_model(&mut terms, &system, &model, rng);
                let judged = catch_unwind(AssertUnwindSafe(|| {
                    check_model(&mut terms.clone(), &system, &mutant, &budget()).is_ok()
                }));
                count(&mut counts, judged, || wrong_model(&mut z3, &mut terms, &system, &mutant))?;
            }
        }
        HornAnswer::Unsat(mut terms, derivation) => {
            for _ in 0..times {
                let mutant = mutated_derivation(&system, &derivation, rng);
                let judged =
                    catch_unwind(AssertUnwindSafe(|| check_derivation(&terms, &system, &mutant).is_ok()));
                count(&mut counts, judged, || wrong_derivation(&mut z3, &mut terms, &system, &mutant))?;
            }
        }
        HornAnswer::Unknown(_) => return Ok(None),
    }
    Ok(Some(counts))
}

fn wrong_model(
    z3: &mut SecondOpinion,
    terms: &mut Terms,
    system: &System,
    model: &Interpretation,
) -> Option<String> {
    for (id, clause) in system.clauses.enumerated() {
        let violation = model.violation(terms, system, clause);
        if violation != Terms::FALSE
            && model.folds.functions.is_empty()
            && z3.refuted(terms, &[violation]) == Some(false)
        {
            return Some(format!("clause {} does not hold: {}", id.0, terms.to_smtlib(violation)));
        }
    }
    None
}

/// A formula of the model becomes another one.
fn mutated_model(
    terms: &mut Terms,
    system: &System,
    model: &Interpretation,
    rng: &mut Rng,
) -> Interpretation {
    let mut mutant = model.clone();
    let predicates: Vec<_> = system.predicates.indices().collect();
    if predicates.is_empty() {
        return mutant;
    }
    let at = *rng.pick(&predicates);
    mutant.formulas[at] = mutated_formula(terms, mutant.formulas[at], rng);
    mutant
}

/// A part of the formula becomes another one: a conjunct is dropped, a number changed, something negated.
fn mutated_formula(terms: &mut Terms, formula: TermId, rng: &mut Rng) -> TermId {
    let inner = terms.postorder(&[formula]);
    let chosen = *rng.pick(&inner);
    let by = match terms.op(chosen) {
        Op::And | Op::Or if rng.chance(70) => {
            let mut args = terms.args(chosen).to_vec();
            args.remove(rng.below(args.len()));
            if terms.op(chosen) == Op::And { terms.and(&args) } else { terms.or(&args) }
        }
        _ if terms.is_bool(chosen) => match rng.below(3) {
            0 => Terms::TRUE,
            1 => Terms::FALSE,
            _ => terms.not(chosen),
        },
        _ if terms.is_int(chosen) => {
            let change = terms.int(Int::from(*rng.pick(&[1i64, -1, 2])));
            terms.add2(chosen, change)
        }
        _ => return formula,
    };
    craig_term::Substitution::from_pairs([(chosen, by)]).apply(terms, formula)
}

fn mutated_derivation(system: &System, derivation: &Derivation, rng: &mut Rng) -> Derivation {
    let mut mutant = derivation.clone();
    let steps: Vec<StepId> = mutant.steps.indices().collect();
    let (at, other) = (*rng.pick(&steps), *rng.pick(&steps));
    let clauses: Vec<_> = system.clauses.indices().collect();
    let another = |value: &Value, rng: &mut Rng| match value {
        Value::Int(value) => match rng.below(4) {
            // Of another sort.
            0 => Value::Real(Rat::from(value.clone()) + Rat::new(Int::from(1), Int::from(2))),
            _ => Value::Int(value + Int::from(*rng.pick(&[1i64, -1, 7]))),
        },
        Value::Real(value) => Value::Real(value + Rat::new(Int::from(1), Int::from(2))),
        Value::Bool(value) => Value::Bool(!value),
        value => value.clone(),
    };
    match rng.below(7) {
        0 => mutant.steps[at].clause = *rng.pick(&clauses),
        1 => mutant.steps[at] = mutant.steps[other].clone(),
        2 if !mutant.steps[at].premises.is_empty() => {
            let premise = rng.below(mutant.steps[at].premises.len());
            mutant.steps[at].premises[premise] = other;
        }
        3 => {
            let kept =
                steps.iter().filter(|&&step| step != at).map(|&step| mutant.steps[step].clone()).collect();
            mutant.steps = kept;
        }
        // One value everywhere, so that the steps still fit each other.
        4 | 5 => {
            let values: Vec<Value> = mutant.steps.iter().flat_map(|step| step.values.clone()).collect();
            let witnesses =
                mutant.steps.iter().flat_map(|step| step.witness.iter().map(|(_, value)| value.clone()));
            let values: Vec<Value> = values.into_iter().chain(witnesses).collect();
            if values.is_empty() {
                return mutant;
            }
            let old = rng.pick(&values).clone();
            let new = another(&old, rng);
            let everywhere = rng.chance(50);
            for (step, id) in mutant.steps.iter_mut().zip(&steps) {
                if everywhere || *id == at {
                    let own = step.witness.iter_mut().map(|(_, value)| value).chain(&mut step.values);
                    own.filter(|value| **value == old).for_each(|value| *value = new.clone());
                }
            }
        }
        _ => {
            let witness = &mut mutant.steps[at].witness;
            if !witness.is_empty() {
                witness.remove(rng.below(witness.len()));
            }
        }
    }
    mutant
}

/// A step that no values of its clause's variables make.
fn wrong_derivation(
    z3: &mut SecondOpinion,
    terms: &mut Terms,
    system: &System,
    derivation: &Derivation,
) -> Option<String> {
    for (id, step) in derivation.steps.enumerated() {
        let clause = &system.clauses[step.clause];
        let renamed = clause.renamed(terms);
        let mut parts = vec![renamed.constraint];
        let mut equate = |args: &[TermId], values: &[Value]| {
            for (&arg, value) in args.iter().zip(values) {
                let sort = terms.sort(arg);
                let equal = terms.value_term(value, sort).filter(|&value| terms.sort(value) == sort);
                parts.push(equal.map_or(Terms::FALSE, |value| terms.eq(arg, value)));
            }
        };
        if let Some(head) = &renamed.head {
            equate(&head.args, &step.values);
        }
        for (application, premise) in renamed.body.iter().zip(&step.premises) {
            equate(&application.args, &derivation.steps[*premise].values);
        }
        if z3.refuted(terms, &parts) == Some(true) {
            return Some(format!("step {} is no instance of its clause", id.0));
        }
    }
    None
}

/// All answers of files, each broken so many times; what must never happen is told.
pub fn break_answers(
    texts: &[(String, Vec<u8>)],
    first: u64,
    variants: u64,
    times: usize,
    mut tell: impl FnMut(String),
) -> OrderedMap<&'static str, Counts> {
    let mut counts: OrderedMap<&'static str, Counts> = OrderedMap::default();
    for (name, text) in texts {
        for seed in first..first + variants {
            let text = if seed == 0 { text.clone() } else { varied(text, seed) };
            let kind = if text.windows(4).any(|window| window == b"HORN") { "clauses" } else { "formulas" };
            match break_answer(&text, seed, times) {
                Ok(None) => {}
                Ok(Some(more)) => counts.entry(kind).or_default().add(more),
                Err(what) => tell(format!("{name} {seed}: {what}")),
            }
        }
    }
    counts
}
