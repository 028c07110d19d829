//! Proofs for people: invariants of loops and contracts of functions as C expressions.
//!
//! Contracts are written as ACSL does: parameters are meant as they were at the entry, `\result` is
//! what is returned, `\old(g)` is a global at the entry; in the invariant of a loop, `\at(x, Pre)` is
//! what `x` was at the entry of the function.

use super::Location;
use super::c_expr::CExpr;
use super::formula::{self, Name, Names, Shown};
use super::{Contract, Invariant};
use craig_base::OrderedSet;
use craig_certificate::{Contract as Formulas, Induction};
use craig_engines::Proof;
use craig_program::{LocId, Proc, Program, Scope, Span, StateVar, Wto};
use craig_term::Terms;

/// Which loop has which invariant.
pub fn invariants(program: &Program, proof: &Proof) -> Vec<Invariant> {
    match proof {
        Proof::Invariant { terms, inlined, invariant }
        | Proof::Induction { terms, inlined, induction: Induction { invariant, .. } } => {
            let names = names(&inlined.program, |name, _| format!("\\at({name}, LoopEntry)"));
            let formulas = invariant.formulas.iter().map(|(&location, &formula)| {
                let at = report_location(&inlined.program, inlined.proc().locations[location].span);
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
            .flat_map(|(&id, contract)| loop_invariants(terms, program, &program.procs[id], contract))
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
        Invariant { location, expression: shown.expr, left_out: shown.left_out }
    }
}

fn loop_invariants(terms: &Terms, program: &Program, proc: &Proc, contract: &Formulas) -> Vec<Invariant> {
    let names = names(program, |name, is_local| at_entry(name, is_local, &format!("\\at({name}, Pre)")));
    let heads: OrderedSet<LocId> =
        Wto::new(&proc.graph(), proc.entry).components.iter().map(|component| component.head).collect();
    let formulas = contract.invariants.iter().filter(|(location, _)| heads.contains(*location));
    formulas
        .map(|(&location, &formula)| {
            let at = Location {
                function: Some(proc.name.to_string()),
                ..report_location(program, proc.locations[location].span)
            };
            Invariant::new(at, formula::named(terms, &names, program, formula))
        })
        .collect()
}

/// What the functions require and ensure.
pub fn contracts(program: &Program, proof: &Proof) -> Vec<Contract> {
    let Proof::Summaries { terms, summaries } = proof else { return Vec::new() };
    let required = names(program, |name, is_local| at_entry(name, is_local, name));
    summaries
        .contracts
        .iter()
        .map(|(&id, contract)| {
            let proc = &program.procs[id];
            let mut ensured =
                names(program, |name, is_local| at_entry(name, is_local, &format!("\\old({name})")));
            for &param in &proc.params {
                let component = StateVar::Var(param);
                let entry = format!("{}@", program.state_name(component));
                let expr = CExpr::Other(program.vars[param].name.to_string());
                ensured.entry(entry).and_modify(|name| name.expr = expr);
            }
            if let Some(result) = proc.result {
                let constant = program.state_name(StateVar::Var(result));
                let expr = CExpr::Other("\\result".to_string());
                ensured.entry(constant).and_modify(|name| name.expr = expr);
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

/// The names of the current state, and of the state at the entry of a function or loop as `entry` writes it, which
/// is told of local variables.
fn names(program: &Program, entry: impl Fn(&str, bool) -> String) -> Names {
    let mut names = formula::names(program);
    let vars = program.vars.indices().map(StateVar::Var);
    let regions = program.regions.indices().map(StateVar::Region);
    for component in vars.chain(regions) {
        let constant = program.state_name(component);
        let name = match component {
            StateVar::Var(var) => program.vars[var].name.clone(),
            StateVar::Region(region) => program.regions[region].name.clone(),
        };
        let is_local = matches!(component, StateVar::Var(var)
            if matches!(program.vars[var].scope, Scope::Local(_)) && !is_parameter(program, var));
        let name = entry(&name, is_local);
        if let Some(known) = names.get(&constant).cloned() {
            names.insert(format!("{constant}@"), Name { expr: CExpr::Other(name), ..known });
        }
    }
    names
}

fn is_parameter(program: &Program, var: craig_program::VarId) -> bool {
    match program.vars[var].scope {
        Scope::Local(proc) => program.procs[proc].params.contains(&var),
        Scope::Global { .. } => false,
    }
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
