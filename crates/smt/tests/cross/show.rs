//! A case as an SMT-LIB script that `craig smt` and others can run.

use super::generate::{Case, Event, Problem};
use craig_base::OrderedSet;
use craig_term::{FunId, Op, Sort, SortId, TermId, Terms, quote_symbol};
use std::fmt::Write as _;

/// The declared symbols that occur.
pub fn symbols(terms: &Terms, roots: &[TermId]) -> OrderedSet<FunId> {
    let symbol = |t: TermId| match terms.op(t) {
        Op::Const(symbol) | Op::App(symbol) => Some(symbol),
        _ => None,
    };
    terms.postorder(roots).into_iter().filter_map(symbol).collect()
}

/// Declares what the formulas mention.
pub fn declarations(terms: &Terms, formulas: &[TermId]) -> String {
    let mut text = String::new();
    let mut sorts: OrderedSet<SortId> = OrderedSet::default();
    for symbol in symbols(terms, formulas) {
        let (args, result) = terms.signature(symbol);
        for &sort in args.iter().chain([&result]) {
            if let Sort::Uninterpreted { name, .. } = terms.sort_of(sort)
                && sorts.insert(sort)
            {
                let _ = writeln!(text, "(declare-sort {} 0)", quote_symbol(name));
            }
        }
        let args: Vec<String> = args.iter().map(|&sort| terms.sort_name(sort)).collect();
        let name = quote_symbol(terms.symbol_name(symbol));
        let _ = writeln!(text, "(declare-fun {name} ({}) {})", args.join(" "), terms.sort_name(result));
    }
    text
}

/// The commands of a script; proxies stand for assumptions, which have to be literals.
pub fn events(terms: &Terms, events: &[Event]) -> String {
    let mut text = String::new();
    let mut proxies = 0;
    for event in events {
        let _ = match event {
            Event::Push => writeln!(text, "(push 1)"),
            Event::Pop => writeln!(text, "(pop 1)"),
            Event::Assert(t) => writeln!(text, "(assert {})", terms.display(*t)),
            Event::Check(list) if list.is_empty() => writeln!(text, "(check-sat)"),
            Event::Check(list) => {
                let mut names = Vec::new();
                for &t in list {
                    let name = format!("assumed{proxies}");
                    proxies += 1;
                    let _ = writeln!(
                        text,
                        "(declare-const {name} Bool)\n(assert (=> {name} {}))",
                        terms.display(t)
                    );
                    names.push(name);
                }
                writeln!(text, "(check-sat-assuming ({}))", names.join(" "))
            }
        };
    }
    text
}

pub fn formulas(case: &Case) -> Vec<TermId> {
    match &case.problem {
        Problem::Script(events) => events
            .iter()
            .flat_map(|event| match event {
                Event::Assert(t) => vec![*t],
                Event::Check(list) => list.clone(),
                Event::Push | Event::Pop => Vec::new(),
            })
            .collect(),
        Problem::Parts { parts, .. } => parts.clone(),
        Problem::Graph { dag, restrictions } => {
            dag.edges.iter().flatten().map(|edge| edge.formula).chain(restrictions.iter().copied()).collect()
        }
    }
}

pub fn script(terms: &Terms, case: &Case) -> String {
    let mut text = declarations(terms, &formulas(case));
    match &case.problem {
        Problem::Script(list) => text.push_str(&events(terms, list)),
        Problem::Parts { parts, parents } => {
            for (place, &part) in parts.iter().enumerate() {
                let _ = writeln!(text, "(assert (! {} :named L{place}))", terms.display(part));
            }
            let _ = writeln!(text, "(check-sat) ; parents {parents:?}");
        }
        Problem::Graph { dag, restrictions } => {
            for (from, out) in dag.edges.iter().enumerate() {
                for edge in out {
                    let _ = writeln!(text, "; {from} -> {}: {}", edge.to, terms.display(edge.formula));
                }
            }
            for (node, &restriction) in restrictions.iter().enumerate() {
                let _ = writeln!(text, "; restriction of {node}: {}", terms.display(restriction));
            }
        }
    }
    text
}
