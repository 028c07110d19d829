//! Proofs for people: invariants of loops and contracts of functions as C expressions.
//!
//! Contracts are written as ACSL does: parameters are meant as they were at the entry, `\result` is
//! what is returned, `\old(g)` is a global at the entry; in the invariant of a loop, `\at(x, Pre)` is
//! what `x` was at the entry of the function.

use super::Location;
use super::c_expr::CExpr;
use super::formula::{self, Shown};
use super::names::Vocabulary;
use super::{Contract, Invariant};
use craig_base::OrderedSet;
use craig_certificate::{Contract as Formulas, Induction};
use craig_engines::Proof;
use craig_program::{LocId, ProcId, Program, Span, StateVar, Wto};
use craig_term::Terms;

/// Which loop has which invariant.
pub fn invariants(program: &Program, proof: &Proof) -> Vec<Invariant> {
    match proof {
        Proof::Invariant { terms, inlined, invariant }
        | Proof::Induction { terms, inlined, induction: Induction { invariant, .. } } => {
            let vocabulary = Vocabulary::of_copies(program, inlined);
            let formulas = invariant.formulas.iter().map(|(&location, &formula)| {
                let at = report_location(&inlined.program, inlined.proc().locations[location].span);
                let here = vocabulary.at(inlined, location);
                let entry = |name: &str, _| format!("\\at({name}, LoopEntry)");
                let names = vocabulary.names(terms, formula, here, entry);
                Invariant::new(at, formula::named(terms, &names, &inlined.program, formula))
            });
            // The copies of an inlined loop often have the same invariant.
            let mut invariants: Vec<Invariant> = Vec::new();
            for invariant in formulas {
                if !invariants.contains(&invariant) {
                    invariants.push(invariant);
                }
            }
            invariants
        }
        Proof::Unwinding(_) => Vec::new(),
        Proof::Summaries { terms, summaries } => summaries
            .contracts
            .iter()
            .flat_map(|(&id, contract)| loop_invariants(terms, program, id, contract))
            .collect(),
        Proof::Run => Vec::new(),
        Proof::Parts(parts) => {
            let mut found: Vec<Invariant> = Vec::new();
            for invariant in parts.iter().flat_map(|part| invariants(program, &part.proof)) {
                if !found.contains(&invariant) {
                    found.push(invariant);
                }
            }
            found
        }
    }
}

impl Invariant {
    fn new(location: Location, shown: Shown) -> Self {
        Invariant { location, expression: shown.expr, left_out: shown.left_out, in_c: shown.in_c }
    }
}

fn loop_invariants(terms: &Terms, program: &Program, id: ProcId, contract: &Formulas) -> Vec<Invariant> {
    let (proc, vocabulary) = (&program.procs[id], Vocabulary::of_functions(program));
    let entry = |name: &str, is_local| at_entry(name, is_local, &format!("\\at({name}, Pre)"));
    let heads: OrderedSet<LocId> =
        Wto::new(&proc.graph(), proc.entry).components.iter().map(|component| component.head).collect();
    let formulas = contract.invariants.iter().filter(|(location, _)| heads.contains(*location));
    formulas
        .map(|(&location, &formula)| {
            let at = Location {
                function: Some(proc.name.to_string()),
                ..report_location(program, proc.locations[location].span)
            };
            let names = vocabulary.names(terms, formula, vocabulary.in_function(id), entry);
            Invariant::new(at, formula::named(terms, &names, program, formula))
        })
        .collect()
}

/// What the functions require and ensure.
pub fn contracts(program: &Program, proof: &Proof) -> Vec<Contract> {
    let Proof::Summaries { terms, summaries } = proof else { return Vec::new() };
    let vocabulary = Vocabulary::of_functions(program);
    summaries
        .contracts
        .iter()
        .map(|(&id, contract)| {
            let (proc, here) = (&program.procs[id], vocabulary.in_function(id));
            let before = |name: &str, is_local| at_entry(name, is_local, name);
            let required = vocabulary.names(terms, contract.requires, here, before);
            let before = |name: &str, is_local| at_entry(name, is_local, &format!("\\old({name})"));
            let mut ensured = vocabulary.names(terms, contract.ensures, here, before);
            let mut rename = |constant: String, text: &str| {
                ensured.entry(constant).and_modify(|name| name.expr = CExpr::Other(text.to_string()));
            };
            for &param in &proc.params {
                let entry = format!("{}@", program.state_name(StateVar::Var(param)));
                rename(entry, &program.vars[param].name);
            }
            if let Some(result) = proc.result {
                rename(program.state_name(StateVar::Var(result)), "\\result");
            }
            Contract {
                location: Location {
                    function: Some(proc.name.to_string()),
                    ..report_location(program, proc.span)
                },
                requires: formula::named(terms, &required, program, contract.requires).expr,
                ensures: formula::named(terms, &ensured, program, contract.ensures).expr,
            }
        })
        .collect()
}

/// A local has no value before its function is entered but the arbitrary one it starts with.
fn at_entry(name: &str, is_local: bool, otherwise: &str) -> String {
    if is_local { format!("\\initial({name})") } else { otherwise.to_string() }
}

/// A place in the source as reports name it.
pub fn report_location(program: &Program, span: Span) -> Location {
    Location {
        file: program.files.get(span.file as usize).map_or_else(String::new, |file| file.to_string()),
        line: span.line,
        column: Some(span.column),
        function: None,
    }
}
