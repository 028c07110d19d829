//! Horn clauses, models and derivations as text.

use crate::data::Fold;
use crate::system::{Application, Clause, Derivation, Interpretation, System};
use craig_term::{TermId, Terms, quote_symbol};
use std::fmt::{self, Write};

/// Writes the system in the `HORN` logic of SMT-LIB.
pub fn write_system(terms: &Terms, system: &System) -> String {
    let mut out = String::from("(set-logic HORN)\n");
    terms.write_data(&mut out);
    for predicate in system.predicates.iter() {
        let sorts: Vec<String> =
            predicate.parameters.iter().map(|&p| terms.sort_name(terms.sort(p))).collect();
        let _ = writeln!(out, "(declare-fun {} ({}) Bool)", quote_symbol(&predicate.name), sorts.join(" "));
    }
    for clause in system.clauses.iter() {
        out.push_str("(assert ");
        let _ = write_clause(terms, system, clause, &mut out);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
    out
}

fn write_clause(terms: &Terms, system: &System, clause: &Clause, out: &mut String) -> fmt::Result {
    let variables = clause.variables(terms);
    if !variables.is_empty() {
        out.push_str("(forall (");
        write_sorted(terms, &variables, out)?;
        out.push_str(") ");
    }
    out.push_str("(=> (and");
    for application in &clause.body {
        out.push(' ');
        write_application(terms, system, application, out)?;
    }
    write!(out, " {}) ", terms.display(clause.constraint))?;
    match &clause.head {
        Some(head) => write_application(terms, system, head, out)?,
        None => out.push_str("false"),
    }
    out.push_str(if variables.is_empty() { ")" } else { "))" });
    Ok(())
}

fn write_sorted(terms: &Terms, variables: &[TermId], out: &mut String) -> fmt::Result {
    for (i, &variable) in variables.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        write!(out, "{space}({} {})", terms.display(variable), terms.sort_name(terms.sort(variable)))?;
    }
    Ok(())
}

fn write_application(
    terms: &Terms,
    system: &System,
    application: &Application,
    out: &mut String,
) -> fmt::Result {
    let name = quote_symbol(&system.predicates[application.predicate].name);
    if application.args.is_empty() {
        return out.write_str(&name);
    }
    write!(out, "({name}")?;
    for &arg in &application.args {
        write!(out, " {}", terms.display(arg))?;
    }
    out.write_str(")")
}

/// One `define-fun` for each predicate of the input.
pub fn write_model(terms: &Terms, system: &System, model: &Interpretation) -> String {
    let mut out = String::new();
    let _ = write_folds(terms, &model.folds.functions, &mut out);
    for (id, predicate) in system.predicates.enumerated().filter(|(_, predicate)| !predicate.auxiliary) {
        let _ = write!(out, "(define-fun {} (", quote_symbol(&predicate.name));
        let _ = write_sorted(terms, &predicate.parameters, &mut out);
        let _ = writeln!(out, ") Bool\n  {})", terms.display(model.formulas[id]));
    }
    out
}

/// Definitions by recursion over data types; several may need each other.
fn write_folds(terms: &Terms, folds: &[Fold], out: &mut String) -> fmt::Result {
    let head = |fold: &Fold| {
        let (parameters, result) = terms.signature(fold.symbol);
        let name = quote_symbol(terms.symbol_name(fold.symbol));
        format!("{name} ((x {})) {}", terms.sort_name(parameters[0]), terms.sort_name(result))
    };
    match folds {
        [] => Ok(()),
        [only] => {
            write!(out, "(define-fun-rec {}\n  ", head(only))?;
            write_cases(terms, only, out)?;
            writeln!(out, ")")
        }
        several => {
            let heads: Vec<String> = several.iter().map(|fold| format!("({})", head(fold))).collect();
            write!(out, "(define-funs-rec (\n  {})\n (", heads.join("\n  "))?;
            for fold in several {
                out.push_str("\n  ");
                write_cases(terms, fold, out)?;
            }
            writeln!(out, "))")
        }
    }
}

/// One case for each constructor.
fn write_cases(terms: &Terms, fold: &Fold, out: &mut String) -> fmt::Result {
    let sort = terms.signature(fold.symbol).0[0];
    write!(out, "(match x (")?;
    for (made, case) in terms.constructors(sort).iter().zip(&fold.cases) {
        let constructor = quote_symbol(terms.symbol_name(made.symbol));
        let variables: Vec<String> = case.parameters.iter().map(|&x| terms.to_smtlib(x)).collect();
        match variables.is_empty() {
            true => write!(out, "\n    ({constructor} ")?,
            false => write!(out, "\n    (({constructor} {}) ", variables.join(" "))?,
        }
        write!(out, "{})", terms.display(case.body))?;
    }
    write!(out, "))")
}

/// One line for each step: its number, the atom, the clause and the premises.
pub fn write_derivation(terms: &mut Terms, system: &System, derivation: &Derivation) -> String {
    let mut out = String::new();
    for (id, step) in derivation.steps.enumerated() {
        let clause = &system.clauses[step.clause];
        let atom = match &clause.head {
            None => "false".to_string(),
            Some(head) => {
                let name = quote_symbol(&system.predicates[head.predicate].name);
                let mut values = Vec::new();
                for (value, &parameter) in
                    step.values.iter().zip(&system.predicates[head.predicate].parameters)
                {
                    let sort = terms.sort(parameter);
                    values
                        .push(terms.value_term(value, sort).map_or("?".to_string(), |t| terms.to_smtlib(t)));
                }
                if values.is_empty() { name } else { format!("({name} {})", values.join(" ")) }
            }
        };
        let premises: Vec<String> = step.premises.iter().map(|premise| premise.0.to_string()).collect();
        let _ = writeln!(out, "{}: {atom} by clause {} from ({})", id.0, step.clause.0, premises.join(" "));
    }
    out
}
