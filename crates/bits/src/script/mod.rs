//! SMT-LIB 2 scripts over bit-vectors and floating point, arrays of them and functions on them (QF_BV, QF_FP, QF_BVFP,
//! also with A and UF), decided by circuits.
//!
//! A term becomes a word of the circuit as it is read (`terms.rs`, `operators.rs`, `floats.rs`), so equal terms are one, and what
//! constants or the laws of rings (`polynomials.rs`) decide costs nothing. Elements of sorts without a meaning are words too. Arrays and functions are read away: two reads of one array agree where their
//! indices do (`arrays.rs`, Ackermann). All that is left is one question to the SAT solver for each check, in which
//! levels and named assertions are assumptions.

mod arrays;
mod floats;
mod interpolants;
mod operators;
mod polynomials;
mod proof;
mod sorts;
mod terms;
#[cfg(test)]
mod tests;

use crate::{Bit, Circuit, Clauses};
use arrays::Arrays;
use craig_base::{Budget, Map, OrderedMap, OrderedSet};
use craig_sat::{Lit, Outcome, Solver};
use craig_term::quote_symbol;
use craig_term::smtlib::{self, MAX_LEVELS, Response, Result, Sexpr, Tree};
use polynomials::Polynomials;
use sorts::{Scalar, Sort, Value};
use std::rc::Rc;

/// A name and what it means.
#[derive(Clone)]
enum Meaning {
    /// With the numbers of the constants that it speaks of.
    Value(Value, Rc<[usize]>),
    /// Of these sorts to that one; its number.
    Function(Rc<[Scalar]>, Scalar, usize),
    /// Parameters, and the tree of the definition.
    Macro(Rc<[(String, Sort)]>, Sort, Rc<Tree>),
    Sort(Sort),
}

#[derive(Default)]
struct Level {
    /// True while the level is open; what is asserted on the first one holds for ever.
    active: Option<Lit>,
    /// Each name with what it meant before.
    shadowed: Vec<(String, Option<Meaning>)>,
    declared: Vec<String>,
    named: Vec<(String, Lit)>,
    asserted: Vec<Assertion>,
    /// An assertion was wrong, or not understood: what satisfies the others proves nothing.
    refused: bool,
}

/// What was asserted.
#[derive(Clone)]
struct Assertion {
    name: Option<String>,
    /// As MathSAT has it, for interpolants.
    group: Option<String>,
    part: Part,
}

/// A formula with the numbers of the constants that it speaks of, and the text of some of its terms.
#[derive(Clone)]
struct Part {
    bit: Bit,
    mentioned: Rc<[usize]>,
    terms: Vec<String>,
}

/// The answer of the last check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    None,
    Sat,
    Unsat,
}

/// The state of a script.
pub struct Script {
    circuit: Circuit,
    arrays: Arrays,
    polynomials: Polynomials,
    solver: Solver,
    clauses: Clauses,
    /// How many facts of the circuit the solver knows.
    facts: usize,
    names: Map<String, Meaning>,
    /// Bound by `let`, or the arguments of a definition.
    locals: Map<String, Value>,
    /// Of definitions that are being used.
    depth: usize,
    levels: Vec<Level>,
    /// All constants that were declared, by number: the name, and what it was then.
    constants: Vec<(String, Value)>,
    /// What the term that is being read speaks of.
    mentioned: OrderedSet<usize>,
    /// Its short terms.
    terms: OrderedSet<String>,
    functions: usize,
    /// The numbers of the functions that say what the standard leaves open: by operator, result and operand.
    unspecified: Map<(String, Scalar, Scalar), usize>,
    last: Last,
    /// The assumptions of the last check, as they were written.
    assumed: Vec<(String, Bit)>,
    /// The gates in the model, after a check that found one.
    model: Vec<bool>,
    options: OrderedMap<String, String>,
}

impl Default for Script {
    fn default() -> Self {
        Script {
            circuit: Circuit::default(),
            arrays: Arrays::default(),
            polynomials: Polynomials::default(),
            solver: Solver::new(),
            clauses: Clauses::default(),
            facts: 0,
            names: Map::default(),
            locals: Map::default(),
            depth: 0,
            levels: vec![Level::default()],
            constants: Vec::new(),
            mentioned: OrderedSet::default(),
            terms: OrderedSet::default(),
            functions: 0,
            unspecified: Map::default(),
            last: Last::None,
            assumed: Vec::new(),
            model: Vec::new(),
            options: OrderedMap::default(),
        }
    }
}

impl Script {
    /// `prints_success`: commands that have nothing else to say are answered by `success`.
    pub fn new(prints_success: bool) -> Self {
        let options = [(":print-success".to_string(), prints_success.to_string())].into_iter().collect();
        Script { options, ..Script::default() }
    }

    /// Whether scripts of a logic are for this solver.
    pub fn decides(logic: &str) -> bool {
        logic.starts_with("QF_") && (logic.contains("BV") || logic.contains("FP"))
    }

    /// Whether commands that have nothing else to say are answered by `success`.
    pub fn prints_success(&self) -> bool {
        self.options.get(":print-success").is_some_and(|value| value == "true")
    }

    /// Reads and executes a command.
    pub fn execute(&mut self, tree: &Tree, budget: &Budget) -> Result<Response> {
        let root = tree.root();
        let parts: Vec<Sexpr<'_>> = root.children().collect();
        let Some(name) = parts.first().and_then(|name| name.symbol()) else {
            return Err(root.error("expected a command"));
        };
        let wrong = || Err(root.error(format!("`{name}` has other arguments")));
        match (name, &parts[1..]) {
            ("set-logic" | "set-info", _) => Ok(Response::Success),
            ("set-option", [keyword, value]) => {
                self.options.insert(keyword.text().to_string(), value.text().to_string());
                Ok(Response::Success)
            }
            ("declare-const", [name, sort]) => self.declare(*name, Vec::new(), *sort),
            ("declare-fun", [name, parameters, sort]) => {
                self.declare(*name, parameters.children().collect(), *sort)
            }
            ("define-const", [name, sort, body]) => self.define(tree, *name, Vec::new(), *sort, *body),
            ("define-fun", [name, parameters, sort, body]) => {
                self.define(tree, *name, parameters.children().collect(), *sort, *body)
            }
            ("declare-sort", [name, rest @ ..]) if rest.iter().all(|arity| arity.text() == "0") => {
                let text = symbol(*name)?;
                if self.names.contains_key(&text) {
                    return Err(name.error(format!("`{text}` is declared already")));
                }
                let sort = Sort::Scalar(self.arrays.declare_sort(&text));
                self.bind(text, Meaning::Sort(sort));
                Ok(Response::Success)
            }
            ("define-sort", [name, parameters, sort]) if parameters.children().next().is_none() => {
                let sort = self.sort(*sort)?;
                self.bind(symbol(*name)?, Meaning::Sort(sort));
                Ok(Response::Success)
            }
            ("assert", [term]) => {
                let result = self.assert(*term);
                if let (Err(_), Some(level)) = (&result, self.levels.last_mut()) {
                    level.refused = true;
                }
                result
            }
            ("push", levels) => self.push(number(levels.first())?),
            ("pop", levels) => Ok(self.pop(number(levels.first())?)),
            ("check-sat", []) => self.check(Vec::new(), budget),
            ("check-sat-assuming", [assumptions]) => self.check(assumptions.children().collect(), budget),
            ("get-model", []) => Ok(self.with_model(Self::show_model)),
            ("get-value", [list]) => self.values(*list, budget),
            ("get-unsat-core", []) => Ok(self.core(false)),
            ("get-unsat-assumptions", []) => Ok(self.core(true)),
            ("get-proof", []) => Ok(self.proof(budget)),
            ("get-interpolants", parts) if !parts.is_empty() => {
                let partition = smtlib::partition(root, parts)?;
                Ok(self.interpolants(&partition, budget))
            }
            ("get-interpolant", parts) if !parts.is_empty() => self.interpolant(parts, budget),
            ("compute-interpolant", parts @ [_, _, ..]) => self.compute_interpolant(parts, budget),
            ("get-info", [keyword]) => Ok(match keyword.text() {
                ":name" => Response::Text("(:name \"craig\")".to_string()),
                ":version" => Response::Text(format!("(:version \"{}\")", env!("CARGO_PKG_VERSION"))),
                _ => Response::Unsupported,
            }),
            ("echo", [text]) => Ok(Response::Text(text.text().to_string())),
            ("reset", []) => {
                *self = Script::default();
                Ok(Response::Success)
            }
            ("reset-assertions", []) => {
                let levels = self.levels.len();
                self.pop(levels - 1);
                // Gates become clauses again where they matter.
                (self.solver, self.clauses, self.facts) = (Solver::new(), Clauses::default(), 0);
                self.levels[0].named.clear();
                self.levels[0].asserted.clear();
                self.levels[0].refused = false;
                Ok(Response::Success)
            }
            ("exit", []) => Ok(Response::Exit),
            (
                "set-option" | "declare-const" | "declare-fun" | "define-const" | "define-fun" | "assert"
                | "check-sat" | "check-sat-assuming" | "get-model" | "get-value" | "echo" | "exit" | "reset",
                _,
            ) => wrong(),
            _ => Ok(Response::Unsupported),
        }
    }

    fn bind(&mut self, name: String, meaning: Meaning) {
        let before = self.names.insert(name.clone(), meaning);
        if let Some(level) = self.levels.last_mut() {
            level.shadowed.push((name, before));
        }
    }

    fn declare(&mut self, name: Sexpr<'_>, parameters: Vec<Sexpr<'_>>, sort: Sexpr<'_>) -> Result<Response> {
        let text = symbol(name)?;
        if self.names.contains_key(&text) {
            return Err(name.error(format!("`{text}` is declared already")));
        }
        let scalar = |sort: Sexpr<'_>| match self.sort(sort)? {
            Sort::Scalar(scalar) => Ok(scalar),
            _ => Err(sort.error("functions are from words and numbers to words and numbers here")),
        };
        let parameters: Vec<Scalar> = parameters.into_iter().map(scalar).collect::<Result<_>>()?;
        let meaning = if parameters.is_empty() {
            let value = match self.sort(sort)? {
                Sort::Scalar(scalar) => scalar.value(self.arrays.any(&mut self.circuit, scalar)),
                Sort::Array(indices, element) => Value::Array(self.arrays.unknown(indices, element)),
                Sort::Real => return Err(sort.error("real numbers are constants here")),
            };
            self.constants.push((text.clone(), value.clone()));
            Meaning::Value(value, [self.constants.len() - 1].into())
        } else {
            let result = scalar(sort)?;
            self.functions += 1;
            Meaning::Function(parameters.into(), result, self.functions - 1)
        };
        self.bind(text.clone(), meaning);
        if let Some(level) = self.levels.last_mut() {
            level.declared.push(text);
        }
        Ok(Response::Success)
    }

    fn define(
        &mut self,
        tree: &Tree,
        name: Sexpr<'_>,
        parameters: Vec<Sexpr<'_>>,
        sort: Sexpr<'_>,
        body: Sexpr<'_>,
    ) -> Result<Response> {
        let result = self.sort(sort)?;
        let meaning = if parameters.is_empty() {
            let value = self.whole_term(body)?;
            if self.arrays.sort_of(&value) != result {
                return Err(body.error("this term has another sort"));
            }
            Meaning::Value(value, self.mentioned.iter().copied().collect())
        } else {
            let read = |parameter: Sexpr<'_>| match parameter.children().collect::<Vec<_>>()[..] {
                [name, sort] => Ok((symbol(name)?, self.sort(sort)?)),
                _ => Err(parameter.error("expected a name and a sort")),
            };
            let parameters: Vec<(String, Sort)> = parameters.into_iter().map(read).collect::<Result<_>>()?;
            Meaning::Macro(parameters.into(), result, Rc::new(tree.clone()))
        };
        self.bind(symbol(name)?, meaning);
        Ok(Response::Success)
    }

    fn assert(&mut self, term: Sexpr<'_>) -> Result<Response> {
        self.last = Last::None;
        let group = smtlib::group(term);
        let (term, name) = annotated(term);
        let part = self.part(term, "only truth values are asserted")?;
        let (bit, mentioned) = (part.bit, part.mentioned.clone());
        let lit = self.literal(bit);
        if let Some(level) = self.levels.last_mut() {
            level.asserted.push(Assertion { name: name.clone(), group, part });
        }
        if let Some(name) = name {
            let chosen = self.solver.new_var().positive();
            self.solver.add_clause(&[!chosen, lit]);
            if let Some(level) = self.levels.last_mut() {
                level.named.push((name.clone(), chosen));
            }
            self.bind(name, Meaning::Value(Value::Bool(bit), mentioned));
            return Ok(Response::Success);
        }
        let at = self.levels.len() - 1;
        if at == 0 {
            self.solver.add_clause(&[lit]);
            return Ok(Response::Success);
        }
        let active = match self.levels[at].active {
            Some(active) => active,
            None => self.solver.new_var().positive(),
        };
        self.levels[at].active = Some(active);
        self.solver.add_clause(&[!active, lit]);
        Ok(Response::Success)
    }

    /// A formula as it is read.
    fn part(&mut self, term: Sexpr<'_>, otherwise: &str) -> Result<Part> {
        let Value::Bool(bit) = self.whole_term(term)? else { return Err(term.error(otherwise)) };
        let mentioned = self.mentioned.iter().copied().collect();
        Ok(Part { bit, mentioned, terms: self.terms.drain(..).collect() })
    }

    /// What a bit is for the solver, with all that is known about it.
    fn literal(&mut self, bit: Bit) -> Lit {
        let lit = self.clauses.literal(&self.circuit, &mut self.solver, bit);
        while let Some(&fact) = self.circuit.facts().get(self.facts) {
            self.facts += 1;
            let lit = self.clauses.literal(&self.circuit, &mut self.solver, fact);
            self.solver.add_clause(&[lit]);
        }
        lit
    }

    fn push(&mut self, levels: usize) -> Result<Response> {
        if levels > MAX_LEVELS.saturating_sub(self.levels.len()) {
            return Ok(Response::Error(format!("more than {MAX_LEVELS} levels")));
        }
        self.last = Last::None;
        self.levels.extend((0..levels).map(|_| Level::default()));
        Ok(Response::Success)
    }

    fn pop(&mut self, levels: usize) -> Response {
        if levels >= self.levels.len() {
            return Response::Error("there are fewer levels".to_string());
        }
        self.last = Last::None;
        for _ in 0..levels {
            let Some(level) = self.levels.pop() else { break };
            let gone = level.active.into_iter().chain(level.named.into_iter().map(|(_, lit)| lit));
            gone.for_each(|lit| self.solver.add_clause(&[!lit]));
            for (name, before) in level.shadowed.into_iter().rev() {
                match before {
                    Some(meaning) => drop(self.names.insert(name, meaning)),
                    None => drop(self.names.remove(&name)),
                }
            }
        }
        Response::Success
    }

    fn check(&mut self, assumptions: Vec<Sexpr<'_>>, budget: &Budget) -> Result<Response> {
        self.assumed.clear();
        for assumption in assumptions {
            let Value::Bool(bit) = self.term(assumption)? else {
                return Err(assumption.error("only truth values are assumed"));
            };
            self.literal(bit);
            self.assumed.push((assumption.text().to_string(), bit));
        }
        let mut lits: Vec<Lit> = Vec::new();
        for level in &self.levels {
            lits.extend(level.active.iter().copied().chain(level.named.iter().map(|(_, lit)| *lit)));
        }
        lits.extend(self.assumed.iter().filter_map(|(_, bit)| self.clauses.known(*bit)));
        self.last = Last::None;
        if !self.arrays.has_room() {
            return Ok(Response::Unknown(
                "an array has fewer indices than are used, or more than can be compared".to_string(),
            ));
        }
        Ok(match self.solver.solve(&lits, budget) {
            Outcome::Unsat if self.arrays.size_matters() => Response::Unknown(
                "constant arrays over a declared sort depend on how many elements it has".to_string(),
            ),
            Outcome::Unsat => {
                self.last = Last::Unsat;
                Response::Text("unsat".to_string())
            }
            Outcome::Sat if self.levels.iter().any(|level| level.refused) => {
                Response::Unknown("an assertion was refused".to_string())
            }
            Outcome::Sat => {
                self.last = Last::Sat;
                self.take_model();
                Response::Text("sat".to_string())
            }
            Outcome::Stopped(reason) => Response::Unknown(reason.to_string()),
        })
    }

    fn with_model(&self, show: impl Fn(&Self) -> String) -> Response {
        match self.last {
            Last::Sat => Response::Text(show(self)),
            _ => Response::Error("there is no model: the last check was not answered by `sat`".to_string()),
        }
    }

    fn show_model(&self) -> String {
        let mut text = "(\n".to_string();
        for name in self.levels.iter().flat_map(|level| &level.declared) {
            match self.names.get(name) {
                Some(Meaning::Value(value, _)) => {
                    let shown = self.arrays.show(value, &self.model);
                    let sort = self.arrays.name(&self.arrays.sort_of(value));
                    text.push_str(&format!("  (define-fun {} () {sort} {shown})\n", quote_symbol(name)));
                }
                Some(Meaning::Function(parameters, sort, id)) => {
                    let shown = self.arrays.show_function(*id, parameters, *sort, &self.model);
                    let named = parameters
                        .iter()
                        .enumerate()
                        .map(|(i, sort)| format!("(x{i} {})", self.arrays.name(&Sort::Scalar(*sort))));
                    let named = named.collect::<Vec<_>>().join(" ");
                    let sort = self.arrays.name(&Sort::Scalar(*sort));
                    text.push_str(&format!(
                        "  (define-fun {} ({named}) {sort} {shown})\n",
                        quote_symbol(name)
                    ));
                }
                _ => {}
            }
        }
        text.push(')');
        text
    }

    fn values(&mut self, list: Sexpr<'_>, budget: &Budget) -> Result<Response> {
        if self.last != Last::Sat {
            return Ok(Response::Error("there is no model".to_string()));
        }
        let terms: Vec<(Sexpr<'_>, Value)> =
            list.children().map(|term| Ok((term, self.term(term)?))).collect::<Result<_>>()?;
        if let Err(reason) = self.extend_model(budget) {
            return Ok(Response::Unknown(reason));
        }
        let shown = terms
            .iter()
            .map(|(term, value)| format!("({} {})", term.text(), self.arrays.show(value, &self.model)));
        Ok(Response::Text(format!("({})", shown.collect::<Vec<_>>().join(" "))))
    }

    /// Terms that are new since the check have values in the model too. Most follow from the inputs; what a function
    /// returns, or an array holds, is an input of its own, which must be as the facts about it say.
    fn extend_model(&mut self, budget: &Budget) -> std::result::Result<(), String> {
        if self.facts < self.circuit.facts().len() {
            let known = self.model.len();
            let lits: Vec<Lit> = (self.circuit.inputs().take_while(|bit| bit.gate() < known))
                .filter_map(|bit| self.clauses.known(if self.model[bit.gate()] { bit } else { !bit }))
                .collect();
            self.literal(Bit::TRUE);
            match self.solver.solve(&lits, budget) {
                Outcome::Sat => self.take_model(),
                Outcome::Unsat => return Err("the model cannot be extended".to_string()),
                Outcome::Stopped(reason) => return Err(reason.to_string()),
            }
            return Ok(());
        }
        let model = &self.model;
        self.model = self.circuit.evaluate(|bit| model.get(bit.gate()).copied().unwrap_or(false));
        Ok(())
    }

    fn take_model(&mut self) {
        let (clauses, solver) = (&self.clauses, &self.solver);
        self.model = self.circuit.evaluate(|bit| clauses.known(bit).is_some_and(|lit| solver.model(lit)));
    }

    fn core(&self, of_assumptions: bool) -> Response {
        if self.last != Last::Unsat {
            return Response::Error("the last check was not answered by `unsat`".to_string());
        }
        let named = self.levels.iter().flat_map(|level| level.named.iter().cloned());
        let assumed = self.assumed.iter();
        let assumed = assumed.filter_map(|(text, bit)| Some((text.clone(), self.clauses.known(*bit)?)));
        let candidates: Vec<(String, Lit)> = if of_assumptions { assumed.collect() } else { named.collect() };
        let core = candidates.iter().filter(|(_, lit)| self.solver.core().contains(lit));
        let names =
            core.map(|(name, _)| if of_assumptions { name.clone() } else { quote_symbol(name).to_string() });
        Response::Text(format!("({})", names.collect::<Vec<_>>().join(" ")))
    }
}

fn symbol(sexpr: Sexpr<'_>) -> Result<String> {
    sexpr.symbol().map(str::to_string).ok_or_else(|| sexpr.error("expected a name"))
}

fn number(levels: Option<&Sexpr<'_>>) -> Result<usize> {
    levels.map_or(Ok(1), |levels| levels.text().parse().map_err(|_| levels.error("expected a number")))
}

/// The term without its annotations, and its name if it is given one.
fn annotated(term: Sexpr<'_>) -> (Sexpr<'_>, Option<String>) {
    let parts: Vec<Sexpr<'_>> = term.children().collect();
    match parts.first().and_then(|first| first.symbol()) {
        Some("!") if parts.len() > 1 => {
            let at = parts.iter().position(|part| part.keyword() == Some(":named"));
            (parts[1], at.and_then(|at| parts.get(at + 1)).map(|name| name.text().to_string()))
        }
        _ => (term, None),
    }
}
