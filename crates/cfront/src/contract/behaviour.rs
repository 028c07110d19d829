//! Behaviours of ACSL: cases of a contract, each with the calls that it is about. Whether one applies is kept in a variable
//! before the call, and its clauses stand under it.

use std::fmt::Write;

use super::clause::{Refusal, Translated, refuse};
use super::output::Piece;
use super::predicate;
use super::scan::{Token, scan};
use super::translate::Translator;
use super::{Clause, Contract};

/// In front of the number of a behaviour: the variable that says whether it applies.
const APPLIES: &str = "craig_behaviour_";

type Refused = (Clause, Refusal);

/// A plain condition about the state before the call.
pub fn condition<'t>(
    clause: &Clause,
    tokens: &[Token<'t>],
    texts: &[(String, String)],
) -> Translated<Vec<Piece>> {
    if let Some(name) = predicate::hidden(tokens, texts) {
        return refuse(&name, format!("`{}` asks something of objects where none are made", name.text));
    }
    Translator { chains: clause.chains, ..Translator::default() }.expression(tokens)
}

/// Declares for each behaviour whether it applies.
pub fn declared(
    contract: &Contract,
    texts: &[(String, String)],
    shown: impl Fn(&Clause, &[Piece]) -> String,
) -> Result<String, Refused> {
    let mut out = String::new();
    for (number, behaviour) in contract.behaviours.iter().enumerate() {
        let _ = write!(out, "_Bool {APPLIES}{number} = 1");
        for clause in &behaviour.assumes {
            let tokens = scan(&texts[clause.unit].1, clause.start, clause.end);
            let pieces = condition(clause, &tokens, texts).map_err(|refusal| (*clause, refusal))?;
            let _ = write!(out, " && ({})", shown(clause, &pieces));
        }
        out.push_str(";\n");
    }
    Ok(out)
}

/// What stands before a statement that is about the calls of its clause alone.
pub fn guard(clause: &Clause) -> String {
    clause.behaviour.map_or(String::new(), |number| format!("if ({APPLIES}{number}) "))
}

/// A condition that must hold in the calls of its clause.
pub fn guarded(clause: &Clause, condition: &str) -> String {
    match clause.behaviour {
        Some(number) => format!("!{APPLIES}{number} || ({condition})"),
        None => condition.to_string(),
    }
}

/// Keeps a value from before the call, where its clause needs it.
pub fn kept(clause: &Clause, value: &str, name: &str) -> String {
    match clause.behaviour {
        // There alone need it have one.
        Some(_) => format!("__typeof__(({{ {value}; }})) {name}; {}{name} = {value};\n", guard(clause)),
        None => format!("__typeof__({value}) {name} = {value};\n"),
    }
}

/// Checks that the behaviours are complete or disjoint where the contract says so.
pub fn claims(contract: &Contract, shown: impl Fn(&Clause, &[Piece]) -> String) -> Result<String, Refused> {
    let mut out = String::new();
    for claim in &contract.claims {
        let at = claim.at;
        let numbers =
            contract.claimed(claim).map_err(|message| (at, Refusal { at: (at.start, at.end), message }))?;
        let mut check = |condition: String, said: String| {
            let text = format!("__VERIFIER_craig_assert({condition}, \"{said}\");");
            out.push_str(&shown(&at, &[Piece::From(at.start, at.start), text.into()]));
        };
        let name = |number: usize| &contract.behaviours[number].name;
        if claim.complete {
            let any: Vec<String> = numbers.iter().map(|number| format!("{APPLIES}{number}")).collect();
            check(any.join(" || ") + " || 0", "none of the behaviors applies".to_string());
            continue;
        }
        for (index, &first) in numbers.iter().enumerate() {
            for &second in &numbers[index + 1..] {
                let said = format!("the behaviors `{}` and `{}` both apply", name(first), name(second));
                check(format!("!({APPLIES}{first} && {APPLIES}{second})"), said);
            }
        }
    }
    Ok(out)
}
