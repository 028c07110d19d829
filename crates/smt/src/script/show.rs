//! Models, values, proofs and statistics as SMT-LIB text.

use super::{Response, Script};
use crate::native::{Lit, NativeSolver, Var};
use crate::proof::{Certificate, Leaf, Refutation, StepKind};
use craig_base::{OrderedMap, Stats};
use craig_term::{FunId, FunctionValue, SortId, TermId, Terms, Value, quote_symbol};
use std::fmt::Write;

pub fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

pub fn list(terms: &Terms, items: &[TermId]) -> String {
    let items: Vec<String> = items.iter().map(|&item| terms.to_smtlib(item)).collect();
    format!("({})", items.join("\n "))
}

pub fn lines(terms: &Terms, items: &[TermId]) -> String {
    let items: Vec<String> = items.iter().map(|&item| terms.to_smtlib(item)).collect();
    items.join("\n")
}

pub fn statistics(stats: &Stats) -> String {
    let entries: Vec<String> =
        stats.iter().map(|(name, value)| format!(":{} {value}", name.replace(' ', "-"))).collect();
    format!("({})", entries.join("\n "))
}

/// A definition for every declared symbol that is in scope.
pub fn model(script: &mut Script) -> Response {
    let model = script.context.model().cloned().unwrap_or_default();
    let declared: Vec<FunId> =
        script.outermost.iter().chain(script.levels.iter().flatten()).copied().collect();
    let terms = script.context.terms_mut();
    let mut text = "(".to_string();
    for symbol in declared {
        let (arguments, result) = terms.signature(symbol);
        let (arguments, name) = (arguments.to_vec(), quote_symbol(terms.symbol_name(symbol)));
        let parameters: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(i, sort)| format!("(x!{i} {})", terms.sort_name(*sort)))
            .collect();
        let body = if arguments.is_empty() {
            let constant = terms.app(symbol, &[]);
            let value = model.get(constant).cloned().unwrap_or_else(|| terms.default_value(result));
            show_value(terms, &value, result)
        } else {
            let default =
                FunctionValue { entries: OrderedMap::default(), default: terms.default_value(result) };
            show_function(terms, model.function(symbol).unwrap_or(&default), &arguments, result)
        };
        let result = terms.sort_name(result);
        let _ = write!(text, "\n  (define-fun {name} ({}) {result} {body})", parameters.join(" "));
    }
    text.push_str("\n)");
    Response::Text(text)
}

/// The truth of formulas that have names.
pub fn assignment(script: &mut Script, named: &[(String, TermId)]) -> Response {
    let quoted: Vec<(String, TermId)> =
        named.iter().map(|(name, term)| (quote_symbol(name).to_string(), *term)).collect();
    values(script, &quoted)
}

pub fn values(script: &mut Script, asked: &[(String, TermId)]) -> Response {
    let model = script.context.model().cloned().unwrap_or_default();
    let terms = script.context.terms_mut();
    let mut shown = Vec::new();
    for (text, term) in asked {
        match terms.eval(*term, &model) {
            Ok(value) => shown.push(format!("({text} {})", show_value(terms, &value, terms.sort(*term)))),
            Err(error) => return Response::Error(format!("{text} has no value: {error}")),
        }
    }
    Response::Text(format!("({})", shown.join("\n ")))
}

fn show_value(terms: &mut Terms, value: &Value, sort: SortId) -> String {
    match terms.value_term(value, sort) {
        Some(term) => terms.to_smtlib(term),
        // SMT-LIB has no names for the elements of uninterpreted sorts; this is what solvers write.
        None => match value {
            Value::Uninterpreted(_, number) => format!("(as @{number} {})", terms.sort_name(sort)),
            _ => format!("(as @array {})", terms.sort_name(sort)),
        },
    }
}

/// The graph as a chain of cases.
fn show_function(
    terms: &mut Terms,
    function: &FunctionValue,
    arguments: &[SortId],
    result: SortId,
) -> String {
    let mut body = String::new();
    for (point, value) in &function.entries {
        let equalities: Vec<String> = point
            .iter()
            .zip(arguments)
            .enumerate()
            .map(|(i, (at, sort))| format!("(= x!{i} {})", show_value(terms, at, *sort)))
            .collect();
        let condition = if equalities.len() == 1 {
            equalities.concat()
        } else {
            format!("(and {})", equalities.join(" "))
        };
        let _ = write!(body, "(ite {condition} {} ", show_value(terms, value, result));
    }
    body.push_str(&show_value(terms, &function.default, result));
    body.push_str(&")".repeat(function.entries.len()));
    body
}

/// A proof by resolution: first what the propositions mean, then the steps, the empty clause last.
///
/// A step is `(step NUMBER (LITERAL ...) REASON)`, where the reason is `(input NAME-OR-NUMBER)`,
/// `(farkas (COEFFICIENT LITERAL) ...)`, `(divisibility (COEFFICIENT LITERAL LITERAL) ...)`,
/// `(trichotomy)`, or `(resolve STEP (PROPOSITION STEP) ...)`.
pub fn proof(
    terms: &mut Terms,
    solver: &NativeSolver,
    refutation: &Refutation,
    names: &[Option<String>],
) -> String {
    let mut variables: Vec<Var> =
        refutation.steps.iter().flat_map(|step| &step.clause).map(|literal| literal.var()).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut text = "(proof".to_string();
    for variable in variables {
        let formula = solver.formula(terms, variable);
        let _ = write!(text, "\n  (proposition {} {})", proposition(variable), terms.display(formula));
    }
    for (number, step) in refutation.steps.iter().enumerate() {
        let clause: Vec<String> = step.clause.iter().map(|&lit| literal(lit)).collect();
        let reason = match &step.kind {
            StepKind::Leaf(Leaf::Input { part }) => {
                let name = names.get(*part as usize).and_then(|name| name.as_deref());
                format!("(input {})", name.map_or_else(|| part.to_string(), quote_symbol))
            }
            StepKind::Leaf(Leaf::Theory(certificate)) => reason(terms, certificate),
            StepKind::Chain { first, rest } => {
                let rest: Vec<String> =
                    rest.iter().map(|(step, pivot)| format!("({} {step})", proposition(*pivot))).collect();
                format!("(resolve {first} {})", rest.join(" "))
            }
        };
        let _ = write!(text, "\n  (step {number} ({}) {reason})", clause.join(" "));
    }
    text.push_str("\n)");
    text
}

fn reason(terms: &Terms, certificate: &Certificate) -> String {
    match certificate {
        Certificate::Farkas(summands) => {
            let summands: Vec<String> =
                summands.iter().map(|term| format!("({} {})", term.coefficient, literal(term.lit))).collect();
            format!("(farkas {})", summands.join(" "))
        }
        Certificate::Divisibility(summands) => {
            let summands: Vec<String> = summands
                .iter()
                .map(|term| format!("({} {} {})", term.coefficient, literal(term.lower), literal(term.upper)))
                .collect();
            format!("(divisibility {})", summands.join(" "))
        }
        Certificate::Trichotomy => "(trichotomy)".to_string(),
        Certificate::Axiom(axiom) => {
            let (name, mentioned) = axiom.name_and_terms();
            let mentioned: Vec<String> = mentioned.into_iter().map(|t| terms.to_smtlib(t)).collect();
            format!("({name} {})", mentioned.join(" "))
        }
    }
}

fn proposition(variable: Var) -> String {
    format!("p{}", variable.0)
}

fn literal(literal: Lit) -> String {
    let name = proposition(literal.var());
    if literal.is_negated() { format!("(not {name})") } else { name }
}
