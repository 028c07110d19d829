//! Formulas as SMT-LIB scripts, with the declarations that they need.

use crate::quote_symbol;
use crate::store::{FunId, Op, Sort, SortId, TermId, Terms};
use craig_base::Set;
use std::fmt::Write;

/// What a script has declared so far.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    symbols: Set<FunId>,
    sorts: Set<SortId>,
    /// Sorts with parameters.
    families: Set<String>,
}

impl Declarations {
    /// Declares what occurs in `t` and is not bound there. Returns one occurrence of each new symbol.
    pub fn add(&mut self, terms: &Terms, t: TermId, script: &mut String) -> Vec<TermId> {
        let mut bound: Set<TermId> = Set::default();
        let order = terms.postorder(&[t]);
        for &node in &order {
            if matches!(terms.op(node), Op::Forall | Op::Exists) {
                let args = terms.args(node);
                bound.extend(&args[..args.len() - 1]);
            }
        }
        let mut new = Vec::new();
        for node in order {
            let (Op::Const(symbol) | Op::App(symbol)) = terms.op(node) else { continue };
            if bound.contains(&node) || !self.symbols.insert(symbol) {
                continue;
            }
            let (parameters, result) = terms.signature(symbol);
            if terms.role(symbol).is_some() {
                let data = if terms.is_data(result) { result } else { parameters[0] };
                self.add_sort(terms, data, script);
                continue;
            }
            for &sort in parameters.iter().chain([&result]) {
                self.add_sort(terms, sort, script);
            }
            let sorts: Vec<String> = parameters.iter().map(|&sort| terms.sort_name(sort)).collect();
            let name = quote_symbol(terms.symbol_name(symbol));
            let _ =
                writeln!(script, "(declare-fun {name} ({}) {})", sorts.join(" "), terms.sort_name(result));
            new.push(node);
        }
        new
    }

    /// Declares all data types: they may mention each other.
    fn add_data(&mut self, terms: &Terms, script: &mut String) {
        let sorts: Vec<SortId> = terms.data_sorts().collect();
        let known = self.sorts.len();
        self.sorts.extend(&sorts);
        if self.sorts.len() > known {
            let made = sorts.iter().flat_map(|&sort| terms.constructors(sort));
            for &sort in made.flat_map(|made| terms.signature(made.symbol).0) {
                self.add_sort(terms, sort, script);
            }
            terms.write_data(script);
        }
    }

    fn add_sort(&mut self, terms: &Terms, sort: SortId, script: &mut String) {
        let mut todo = vec![sort];
        while let Some(sort) = todo.pop() {
            if terms.is_data(sort) {
                self.add_data(terms, script);
                continue;
            }
            let parts = terms.sort_of(sort).parts();
            if let Sort::Uninterpreted { name, .. } = terms.sort_of(sort)
                && self.sorts.insert(sort)
                && (parts.is_empty() || self.families.insert(name.clone()))
            {
                let _ = writeln!(script, "(declare-sort {} {})", quote_symbol(name), parts.len());
            }
            todo.extend(parts);
        }
    }
}

impl Terms {
    /// A script that asks whether the formulas can hold together. `comment` says what that would mean.
    pub fn script(&self, comment: &str, formulas: &[TermId]) -> String {
        let mut script = String::new();
        for line in comment.lines() {
            let _ = writeln!(script, "; {line}");
        }
        script.push_str("(set-logic ALL)\n");
        let mut declarations = Declarations::default();
        for &formula in formulas {
            declarations.add(self, formula, &mut script);
        }
        for &formula in formulas {
            let _ = writeln!(script, "(assert {:#})", self.display(formula));
        }
        script.push_str("(check-sat)\n");
        script
    }
}
