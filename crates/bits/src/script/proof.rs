//! Refutations for others: the clauses of a question in DIMACS, and a proof in LRAT that they have no model.
//!
//! Comments in the clauses say which literals stand for the bits of a constant, from the lowest on (`-` for one that does
//! not matter), and which literal each assertion is. The search is made again on exactly these clauses.

use super::sorts::Value;
use super::{Last, Meaning, Script};
use crate::{Bit, Clauses, Sink};
use craig_base::Budget;
use craig_sat::{Lit, Var, refute};
use craig_term::quote_symbol;
use craig_term::smtlib::Response;
use std::fmt::Write;

/// How large a refutation may get on the way, in words of 4 bytes.
const REFUTATION_LIMIT: usize = 1 << 26;

/// Clauses as text has them.
#[derive(Default)]
struct Dimacs {
    variables: u32,
    clauses: Vec<Vec<i32>>,
}

impl Sink for Dimacs {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.iter().map(|lit| lit.dimacs()).collect());
    }
}

impl Script {
    /// `(lrat "CLAUSES" "STEPS")` after `unsat`.
    pub(super) fn proof(&self, budget: &Budget) -> Response {
        if self.last != Last::Unsat {
            return Response::Error("the last check was not answered by `unsat`".to_string());
        }
        let (mut dimacs, mut clauses) = (Dimacs::default(), Clauses::default());
        let mut comments = String::new();
        let asserted = self.levels.iter().flat_map(|level| &level.asserted);
        let asserted = asserted.map(|asserted| ("assertion", asserted.name.as_deref(), asserted.part.bit));
        let assumed = self.assumed.iter().map(|(text, bit)| ("assumption", Some(text.as_str()), *bit));
        for (kind, name, bit) in asserted.chain(assumed) {
            let lit = clauses.literal(&self.circuit, &mut dimacs, bit);
            dimacs.add_clause(&[lit]);
            let name = name.unwrap_or_default().replace(char::is_whitespace, " ");
            let _ = writeln!(comments, "c {kind} {} {name}", lit.dimacs());
        }
        for &fact in self.circuit.facts() {
            let lit = clauses.literal(&self.circuit, &mut dimacs, fact);
            dimacs.add_clause(&[lit]);
        }
        for name in self.levels.iter().flat_map(|level| &level.declared) {
            let bits: &[Bit] = match self.names.get(name) {
                Some(Meaning::Value(Value::Bool(bit), _)) => std::slice::from_ref(bit),
                Some(Meaning::Value(Value::Word(bits) | Value::Float(_, bits), _)) => bits,
                _ => continue,
            };
            let _ = write!(comments, "c constant {}", quote_symbol(name).replace(char::is_whitespace, " "));
            for &bit in bits {
                let _ = match clauses.known(bit) {
                    Some(lit) => write!(comments, " {}", lit.dimacs()),
                    None => write!(comments, " -"),
                };
            }
            comments.push('\n');
        }
        let proof = match refute(dimacs.variables as usize, &dimacs.clauses, REFUTATION_LIMIT, budget) {
            Ok(Some(proof)) => proof.lrat(),
            Ok(None) => return Response::Error("the clauses have a model".to_string()),
            Err(reason) => return Response::Unknown(reason.to_string()),
        };
        let mut text = format!("(lrat \"{}", comments.replace('"', "\"\""));
        let _ = writeln!(text, "p cnf {} {}", dimacs.variables, dimacs.clauses.len());
        for clause in &dimacs.clauses {
            for lit in clause {
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
        let _ = write!(text, "\" \"{proof}\")");
        Response::Text(text)
    }
}
