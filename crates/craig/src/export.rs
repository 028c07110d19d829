//! Proofs for others: what a certificate rests on, as files that tools of other people check.
//!
//! The checker hands on every contradiction that it found, as the script that it asked of the solver; so there is no
//! second translation of programs that could differ from the one that counts. What is not shown by this is that the
//! questions are the right ones: that the checker encodes the program as it should, and that the program means what
//! the C files mean.

use crate::error::Error;
use crate::task::Loaded;
use crate::validate::{Judgement, malformed};
use craig_base::{Budget, Map};
use craig_certificate::{Obligation, ProofKind, Refuted, read_induction, read_parts, read_unwinding};
use craig_engines::INLINE_LIMIT;
use craig_program::{Program, inline};
use craig_smt::proof;
use craig_term::{TermId, Terms};
use std::cell::{Cell, RefCell};
use std::io;
use std::time::Duration;

/// For the proof of one script, in another format: it was refuted before.
const TIME: Duration = Duration::from_secs(10);

/// Takes the name and the contents of a file.
pub(crate) type Write<'a> = dyn FnMut(&str, &str) -> io::Result<()> + 'a;

/// Runs a solver on all scripts of its folder.
const RUN: &str = r#"#!/bin/sh
# Every script must be answered `unsat`. Usage: run.sh [SOLVER [OPTION...]], by default z3 -T:60.
# What has a proof in the Alethe format (.alethe), Carcara checks too, if it is there.
# A refutation (unwinding.lrat) of the clauses in unwinding.cnf, one for each part of a proof, is for a checker of LRAT:
# lrat-check or cake_lpr.
cd "$(dirname "$0")" || exit 2
[ $# -gt 0 ] || set -- z3 -T:60
asked=0 refuted=0
for script in *.smt2; do
    [ -e "$script" ] || break
    asked=$((asked + 1))
    answer=$("$@" "$script" 2>&1 | head -n 1)
    if [ "$answer" = unsat ]; then refuted=$((refuted + 1)); else echo "$script: $answer"; fi
done
echo "$refuted of $asked scripts are unsat"
status=0
if command -v carcara >/dev/null; then
    valid=0 holey=0
    for proof in *.alethe; do
        [ -e "$proof" ] || break
        answer=$(carcara check --expand-let-bindings "$proof" "${proof%.alethe}.smt2" 2>&1 | tail -n 1)
        case $answer in
            valid) valid=$((valid + 1)) ;;
            holey) holey=$((holey + 1)) ;;
            *) echo "$proof: $answer"; status=1 ;;
        esac
    done
    echo "carcara: $valid proofs are valid, $holey have holes"
fi
[ "$refuted" = "$asked" ] || status=1
for clauses in unwinding*.cnf; do
    [ -e "$clauses" ] || continue
    refutation=${clauses%.cnf}.lrat
    for checker in lrat-check cake_lpr none; do
        command -v "$checker" >/dev/null && break
    done
    case $checker in
        none) echo "no checker for $refutation"; [ "$status" = 1 ] || status=2 ;;
        *) "$checker" "$clauses" "$refutation" || status=1 ;;
    esac
done
exit "$status"
"#;

// Only the command line writes files.
#[cfg_attr(not(feature = "cli"), expect(dead_code))]
impl Loaded {
    /// Checks a certificate as [`Loaded::validate`] does, and writes what it rests on: a script for each question that
    /// a solver must answer by `unsat`, or clauses and their refutation, and a script that runs a solver. The
    /// certificate of a test or of an only run asks nothing.
    pub(crate) fn export(
        &self,
        name: &str,
        certificate: &str,
        budget: &Budget,
        write: &mut Write<'_>,
    ) -> Result<Judgement, Error> {
        if ProofKind::of(certificate) == Some(ProofKind::Parts) {
            let parts = read_parts(&self.program, certificate)
                .map_err(|error| malformed(name, certificate, &error))?;
            for (i, part) in parts.iter().enumerate() {
                let program = self.program.with_checks(&part.checks);
                let files = format!("unwinding-{}", i + 1);
                write_clauses(&program, name, part.proof, &files, budget, write)?;
            }
        } else {
            write_clauses(&self.program, name, certificate, "unwinding", budget, write)?;
        }
        let scripts = Scripts::new(write);
        let observer = |terms: &mut Terms, refuted: Refuted<'_>| scripts.add(terms, refuted);
        let judgement = self.judge(name, certificate, budget, Some(&observer))?;
        scripts.finish()?;
        Ok(judgement)
    }
}

/// The clauses that a proof by unwinding refutes, and the refutation, in two files.
fn write_clauses(
    program: &Program,
    name: &str,
    certificate: &str,
    files: &str,
    budget: &Budget,
    write: &mut Write<'_>,
) -> Result<(), Error> {
    let malformed = |error| malformed(name, certificate, &error);
    let unwound = match ProofKind::of(certificate) {
        Some(ProofKind::Unwinding) => {
            let proof = read_unwinding(program, certificate).map_err(malformed)?;
            Some((Obligation::new(program, &proof.bounds, budget), proof.refutation))
        }
        Some(ProofKind::Induction) => match inline(program, INLINE_LIMIT) {
            Ok(inlined) => {
                let (mut terms, program) = (Terms::new(), &inlined.program);
                let proof = read_induction(&mut terms, program, certificate).map_err(malformed)?;
                let obligation = Obligation::of_induction(&mut terms, program, &proof, budget);
                Some((obligation, proof.refutation))
            }
            Err(_) => None,
        },
        _ => None,
    };
    if let Some((Ok(obligation), refutation)) = unwound {
        write(&format!("{files}.cnf"), &obligation.dimacs())?;
        write(&format!("{files}.lrat"), &refutation)?;
    }
    Ok(())
}

/// The formulas without names that SMT-LIB keeps for solvers: those that begin with a dot or an at sign.
fn portable(terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut renamed = Map::default();
    for constant in terms.free_consts_of(formulas) {
        let name = terms.const_name(constant).filter(|name| name.starts_with(['.', '@'])).map(str::to_string);
        if let Some(name) = name {
            // No name of ours begins like this.
            let sort = terms.sort(constant);
            let other = terms.declare_const(&format!("!{name}"), sort);
            renamed.insert(constant, other.unwrap_or_else(|_| terms.fresh_const("!", sort)));
        }
    }
    formulas.iter().map(|&formula| terms.substitute(formula, &renamed)).collect()
}

/// Writes questions as they come; the first failure ends it.
pub(crate) struct Scripts<'a, 'w> {
    write: RefCell<&'a mut Write<'w>>,
    questions: Cell<usize>,
    failure: Cell<Option<io::Error>>,
}

impl<'a, 'w> Scripts<'a, 'w> {
    pub(crate) fn new(write: &'a mut Write<'w>) -> Self {
        Scripts { write: RefCell::new(write), questions: Cell::new(0), failure: Cell::new(None) }
    }

    pub(crate) fn add(&self, terms: &mut Terms, refuted: Refuted<'_>) {
        let failure = self.failure.take();
        let failure = failure.or_else(|| self.write_question(terms, refuted).err());
        self.failure.set(failure);
    }

    fn write_question(&self, terms: &mut Terms, refuted: Refuted<'_>) -> io::Result<()> {
        let number = self.questions.get() + 1;
        self.questions.set(number);
        let mut write = self.write.borrow_mut();
        let comment = format!("If this is satisfiable, {}.", refuted.otherwise);
        let formulas = portable(terms, &[refuted.formulas, refuted.lemmas].concat());
        write(&format!("{number:04}.smt2"), &terms.script(&comment, &formulas))?;
        if let Some(proof) = proof::refute(terms, &formulas, &Budget::unlimited().with_timeout(TIME)) {
            write(&format!("{number:04}.alethe"), &proof.text)?;
        }
        for (index, lemma) in portable(terms, refuted.lemmas).into_iter().enumerate() {
            let negated = terms.not(lemma);
            let comment = format!("If this is satisfiable, {number:04}.smt2 uses a fact that is none.");
            write(&format!("{number:04}.lemma{index:03}.smt2"), &terms.script(&comment, &[negated]))?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        match self.failure.into_inner() {
            Some(failure) => Err(failure),
            None => self.write.into_inner()("run.sh", RUN),
        }
    }
}
