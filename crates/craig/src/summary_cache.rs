//! `--summary-cache DIR`: contracts of procedures, kept from run to run.
//!
//! A file holds the contract of one procedure, and is named after the hash of the procedure's name and
//! code; another, named after the hash of the name alone, says which file was written last. Formulas
//! speak of variables by their names, which do not change when another procedure is edited. Nothing
//! in the folder is trusted: what is read is a candidate for the search and for the checker, what does
//! not fit is ignored, and the folder can be deleted at any time.

use crate::output;
use crate::report::sha256::sha256;
use craig_base::{Budget, Map, OrderedSet, Stats};
use craig_certificate::state::{at_entry, initial};
use craig_certificate::{Contract, Summaries, Triple};
use craig_engines::Verdict;
use craig_engines::search::whale::{Known, check_known};
use craig_program::{LocId, Proc, ProcId, Program, StateVar};
use craig_term::smtlib::{Command, CommandInput, Reader};
use craig_term::{Substitution, TermId, Terms, quote_symbol};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

const HEADER: &str = "; craig contract 1\n";

/// A proof from the contracts in the folder, if they suffice.
pub fn recall(folder: &Path, program: &Program, budget: &Budget, stats: &mut Stats) -> Option<Verdict> {
    let mut terms = Terms::new();
    let mut known = Known::default();
    for (id, proc) in program.procs.enumerated() {
        let (own, latest) = (own_file(folder, &hash_of(program, id)), latest_file(folder, proc));
        let (text, unchanged) = match fs::read_to_string(own) {
            Ok(text) => (text, true),
            Err(_) => {
                let Ok(name) = fs::read_to_string(latest) else { continue };
                let is_hash = name.bytes().all(|byte| byte.is_ascii_hexdigit());
                let Ok(text) = fs::read_to_string(folder.join(format!("{name}.smt2"))) else { continue };
                if !is_hash {
                    continue;
                }
                (text, false)
            }
        };
        if let Some(contract) = read(&mut terms, program, proc, &text, unchanged) {
            known.contracts.insert(id, contract);
            if unchanged {
                known.unchanged.insert(id);
            }
        }
    }
    if known.unchanged.is_empty() {
        return None;
    }
    check_known(program, terms, &known, budget, stats)
}

/// Keeps contracts that were checked.
pub fn store(folder: &Path, program: &Program, terms: &Terms, summaries: &Summaries) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // The names are given in a copy: the proof itself is not touched.
    let mut terms = terms.clone();
    for (&id, contract) in &summaries.contracts {
        let proc = &program.procs[id];
        let Some(text) = write(&mut terms, program, proc, contract) else { continue };
        let hash = hash_of(program, id);
        update(&own_file(folder, &hash), &text)?;
        update(&latest_file(folder, proc), &hash)?;
    }
    Ok(())
}

/// Writes a file whose contents change.
fn update(path: &Path, text: &str) -> io::Result<()> {
    match fs::read_to_string(path) {
        Ok(there) if there == text => Ok(()),
        _ => output::write(path, text),
    }
}

fn own_file(folder: &Path, hash: &str) -> PathBuf {
    folder.join(format!("{hash}.smt2"))
}

fn latest_file(folder: &Path, proc: &Proc) -> PathBuf {
    folder.join(format!("{}.latest", sha256(proc.name.as_bytes())))
}

/// The hash of a procedure's name and code, and of how its numbers work.
fn hash_of(program: &Program, id: ProcId) -> String {
    let proc = &program.procs[id];
    let mut text = format!("{} {:?} {:?}\n", proc.name, program.data_model, program.arithmetic);
    for &local in &proc.locals {
        let var = &program.vars[local];
        let _ = writeln!(text, "{} {} {}", var.name, var.ty, proc.params.contains(&local));
    }
    let _ = writeln!(text, "{} {} {}", proc.entry, proc.exit, proc.error);
    for edge in &proc.edges {
        let _ = writeln!(text, "{} {} {}", edge.from, edge.to, program.show_stmt(&edge.stmt));
    }
    sha256(text.as_bytes())
}

/// The state of a procedure under names that stay; those that are not unique are left out.
fn stable_names(program: &Program, proc: &Proc) -> Vec<(String, StateVar)> {
    let mut names: Vec<(String, StateVar)> = Vec::new();
    for component in program.global_state() {
        names.push(match component {
            StateVar::Var(var) => (format!("g.{}", program.vars[var].name), component),
            StateVar::Region(region) => (format!("m.{}", program.regions[region].name), component),
        });
    }
    for &local in proc.locals.iter().filter(|&&local| program.is_tracked(StateVar::Var(local))) {
        names.push((format!("v.{}", program.vars[local].name), StateVar::Var(local)));
    }
    // Contracts of several procedures are read into one store of terms.
    for (name, _) in &mut names {
        name.insert_str(0, &format!("{} ", proc.name));
    }
    let mut seen: Map<String, usize> = Map::default();
    for (name, _) in &names {
        *seen.entry(name.clone()).or_default() += 1;
    }
    names.retain(|(name, _)| seen[name] == 1);
    names
}

/// The formulas of a contract with their names.
fn formulas(contract: &Contract) -> Vec<(String, TermId)> {
    let mut formulas =
        vec![("requires".to_string(), contract.requires), ("ensures".to_string(), contract.ensures)];
    formulas.extend(contract.invariants.iter().map(|(location, &formula)| (location.to_string(), formula)));
    for (location, triple) in &contract.loops {
        formulas.push((format!("{location}.requires"), triple.requires));
        formulas.push((format!("{location}.ensures"), triple.ensures));
    }
    formulas
}

fn write(terms: &mut Terms, program: &Program, proc: &Proc, contract: &Contract) -> Option<String> {
    let mut pairs = Vec::new();
    for (name, component) in stable_names(program, proc) {
        let (now, then) = (initial(terms, program, component), at_entry(terms, program, component));
        let sort = terms.sort(now);
        pairs.push((now, terms.declare_const(&format!("{name} now"), sort).ok()?));
        pairs.push((then, terms.declare_const(&format!("{name} then"), sort).ok()?));
    }
    let stable: OrderedSet<TermId> = pairs.iter().map(|&(_, stable)| stable).collect();
    let mut substitution = Substitution::from_pairs(pairs);
    let mut text = String::new();
    let mut used: OrderedSet<TermId> = OrderedSet::default();
    for (name, formula) in formulas(contract) {
        let formula = substitution.apply(terms, formula);
        used.extend(terms.free_consts(formula).iter().copied());
        let _ = writeln!(text, "(assert (! {} :named {name}))", terms.to_smtlib(formula));
    }
    let mut declarations = String::from(HEADER);
    for symbol in used {
        if !stable.contains(&symbol) {
            return None;
        }
        let name = quote_symbol(terms.const_name(symbol)?);
        let _ = writeln!(declarations, "(declare-const {name} {})", terms.sort_name(terms.sort(symbol)));
    }
    Some(declarations + &text)
}

/// Reads a contract. What is said about locations is of use only if the code has not changed.
fn read(terms: &mut Terms, program: &Program, proc: &Proc, text: &str, unchanged: bool) -> Option<Contract> {
    let text = text.strip_prefix(HEADER)?;
    let mut scratch_names: Map<String, TermId> = Map::default();
    for (name, component) in stable_names(program, proc) {
        scratch_names.insert(format!("{name} now"), initial(terms, program, component));
        scratch_names.insert(format!("{name} then"), at_entry(terms, program, component));
    }
    let mut reader = Reader::new();
    let mut input = CommandInput::new(text.as_bytes());
    let mut contract = Contract::new(Terms::TRUE, Terms::TRUE);
    while let Ok(Some(tree)) = input.next_command() {
        let Command::Assert { term, name: Some(name), .. } = reader.command(terms, &tree.ok()?).ok()? else {
            continue;
        };
        let mut pairs = Vec::new();
        for &symbol in terms.free_consts(term).iter() {
            let constant = *scratch_names.get(terms.const_name(symbol)?)?;
            if terms.sort(constant) != terms.sort(symbol) {
                return None;
            }
            pairs.push((symbol, constant));
        }
        let formula = Substitution::from_pairs(pairs).apply(terms, term);
        let location = |name: &str| {
            let number = name.strip_prefix('l')?.parse::<u32>().ok()?;
            Some(LocId(number)).filter(|&location| proc.locations.get(location).is_some())
        };
        match name.split_once('.') {
            None if name == "requires" => contract.requires = formula,
            None if name == "ensures" => contract.ensures = formula,
            _ if !unchanged => {}
            None => {
                contract.invariants.insert(location(&name)?, formula);
            }
            Some((head, part)) => {
                let nothing = Triple { requires: Terms::TRUE, ensures: Terms::TRUE };
                let triple = contract.loops.entry(location(head)?).or_insert(nothing);
                match part {
                    "requires" => triple.requires = formula,
                    "ensures" => triple.ensures = formula,
                    _ => return None,
                }
            }
        }
    }
    Some(contract)
}
