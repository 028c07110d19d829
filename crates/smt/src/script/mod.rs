//! An SMT-LIB 2 script, executed: commands in, responses out. What `craig smt` is around it reads and prints.
//!
//! A [`Context`] does the work; a script adds names for its assertions, the declarations of each level, and the rules
//! about what may be asked when. Interpolants are those of the named parts alone if these have no model; otherwise
//! assertions that `get-interpolants` does not mention hold for all parts. Responses to one script depend on the script
//! only, not on time, unless a limit is reached.

mod show;
#[cfg(test)]
mod tests;

use crate::interpolate::Interpolation;
use crate::proof::{self, Alethe};
use crate::{Answer, Assertion, Context};
use craig_base::{Budget, OrderedMap, OrderedSet};
use craig_term::smtlib::{self, Command, InterpolantRequest, Partition, Response, Sexpr, Tree};
use craig_term::{FunId, TermId, quote_symbol};

/// The state of a script.
#[derive(Default)]
pub struct Script {
    context: Context,
    /// The symbols that were declared, outside of all levels and in each of them.
    outermost: Vec<FunId>,
    levels: Vec<Vec<FunId>>,
    /// What assertions are called, by themselves and together.
    names: OrderedMap<Assertion, String>,
    groups: OrderedMap<Assertion, String>,
    last: LastCheck,
    /// At how many levels an assertion was refused, the fewest of them: until these are closed, what is asserted has a
    /// model more than what was meant.
    refused: Option<usize>,
    /// What `set-option` said. Models, cores, proofs and interpolants are there whether asked for or not; they cost
    /// another search if the options say nothing of them.
    options: OrderedMap<String, String>,
}

/// What the last check said; a change of the assertions makes it void.
#[derive(Default)]
enum LastCheck {
    #[default]
    None,
    Sat,
    Unsat {
        assumptions: Vec<TermId>,
    },
    Unknown(String),
}

impl Script {
    /// Reads and executes a command. An error of the reader changes nothing, but after an assertion that was refused
    /// nothing is called `sat`.
    pub fn execute(&mut self, tree: &Tree, budget: &Budget) -> smtlib::Result<Response> {
        let command = match self.context.read_command(tree) {
            Ok(command) => command,
            Err(error) => {
                if tree.root().children().next().and_then(Sexpr::symbol) == Some("assert") {
                    self.last = LastCheck::None;
                    self.refused = Some(self.refused.unwrap_or(usize::MAX).min(self.levels.len()));
                }
                return Err(error);
            }
        };
        self.context.set_budget(budget.clone());
        Ok(self.run(command))
    }

    /// Whether commands that have nothing else to say are answered by `success`.
    pub fn prints_success(&self) -> bool {
        self.is_set(":print-success")
    }

    fn is_set(&self, option: &str) -> bool {
        self.options.get(option).is_some_and(|value| value == "true")
    }

    fn run(&mut self, command: Command) -> Response {
        match command {
            Command::SetLogic(_) | Command::SetInfo { .. } => Response::Success,
            Command::SetOption { keyword, value } => {
                self.options.insert(keyword, value);
                Response::Success
            }
            Command::DeclareSort | Command::Define { .. } => Response::Success,
            Command::Declare(symbol) => {
                let level = if self.is_set(":global-declarations") { None } else { self.levels.last_mut() };
                level.unwrap_or(&mut self.outermost).push(symbol);
                Response::Success
            }
            Command::Assert { term, name, group } => {
                self.last = LastCheck::None;
                if self.context.in_force().is_empty() && !RECORDING.iter().any(|option| self.is_set(option)) {
                    self.context.stop_recording();
                }
                let assertion = self.context.assert(term);
                self.names.extend(name.map(|name| (assertion, name)));
                self.groups.extend(group.map(|group| (assertion, group)));
                Response::Success
            }
            Command::Push(levels) => {
                self.last = LastCheck::None;
                for _ in 0..levels {
                    self.context.push();
                    self.levels.push(Vec::new());
                }
                Response::Success
            }
            Command::Pop(levels) => {
                self.last = LastCheck::None;
                for _ in 0..levels {
                    self.context.pop();
                    self.levels.pop();
                }
                self.refused = self.refused.filter(|&level| level <= self.levels.len());
                Response::Success
            }
            Command::CheckSat => self.check(Vec::new()),
            Command::CheckSatAssuming(assumptions) => self.check(assumptions),
            Command::GetModel => self.with_model(show::model),
            Command::GetAssignment(named) => self.with_model(|script| show::assignment(script, &named)),
            Command::GetValue(values) => self.with_model(|script| show::values(script, &values)),
            Command::GetUnsatCore => self.unsat_core(),
            Command::GetUnsatAssumptions => self.unsat_assumptions(),
            Command::GetAssertions => {
                let in_force = self.context.in_force().iter();
                let assertions: Vec<TermId> =
                    in_force.map(|&assertion| self.context.formula(assertion)).collect();
                Response::Text(show::list(self.context.terms(), &assertions))
            }
            Command::GetProof => self.proof(),
            Command::GetInterpolants(partition) => self.interpolants(&partition),
            Command::GetInterpolant(request) => self.interpolant(request),
            Command::ComputeInterpolant(formulas) => self.compute_interpolants(&formulas),
            Command::GetInfo(keyword) => self.info(&keyword),
            Command::GetOption(keyword) => self.option(&keyword),
            Command::Echo(text) => Response::Text(show::string(&text)),
            Command::Reset => {
                *self = Script::default();
                Response::Success
            }
            Command::ResetAssertions => {
                self.context = std::mem::take(&mut self.context).without_assertions();
                self.levels.clear();
                self.names.clear();
                self.groups.clear();
                self.last = LastCheck::None;
                self.refused = None;
                Response::Success
            }
            Command::Exit => Response::Exit,
            Command::DeclareVar(_) | Command::Rule(_) | Command::Query(_) => {
                Response::Error("this is a command of Horn clauses: use `craig solve`".to_string())
            }
        }
    }

    fn check(&mut self, assumptions: Vec<TermId>) -> Response {
        match self.context.check_assuming(&assumptions) {
            Answer::Sat if self.refused.is_some() => {
                let reason = "an assertion was refused".to_string();
                self.last = LastCheck::Unknown(reason.clone());
                Response::Unknown(reason)
            }
            Answer::Sat => {
                self.last = LastCheck::Sat;
                Response::Text("sat".to_string())
            }
            Answer::Unsat => {
                self.last = LastCheck::Unsat { assumptions };
                Response::Text("unsat".to_string())
            }
            Answer::Unknown(reason) => {
                self.last = LastCheck::Unknown(reason.to_string());
                Response::Unknown(reason.to_string())
            }
        }
    }

    fn with_model(&mut self, respond: impl FnOnce(&mut Script) -> Response) -> Response {
        match self.last {
            LastCheck::Sat => respond(self),
            _ => Response::Error("there is no model: the last check was not `sat`".to_string()),
        }
    }

    fn unsat_assumptions(&self) -> Response {
        match &self.last {
            LastCheck::Unsat { assumptions } if !assumptions.is_empty() => {
                Response::Text(show::list(self.context.terms(), self.context.core()))
            }
            _ => Response::Error(
                "the last command was not a `check-sat-assuming` with answer `unsat`".to_string(),
            ),
        }
    }

    fn unsat_core(&mut self) -> Response {
        let LastCheck::Unsat { assumptions } = &self.last else { return not_unsat() };
        match self.context.needed_with(assumptions) {
            Interpolation::Interpolants(needed) => {
                let names = needed.iter().filter_map(|assertion| self.names.get(assertion));
                let names: Vec<String> = names.map(|name| quote_symbol(name)).collect();
                Response::Text(format!("({})", names.join(" ")))
            }
            other => without(other),
        }
    }

    fn proof(&mut self) -> Response {
        let LastCheck::Unsat { assumptions } = &self.last else { return not_unsat() };
        let in_force = self.context.in_force().iter();
        let names: Vec<Option<String>> =
            in_force.map(|assertion| self.names.get(assertion).cloned()).collect();
        let shown = self.context.with_refutation(assumptions, |terms, solver, refutation| {
            show::proof(terms, solver, refutation, &names)
        });
        match shown {
            Interpolation::Interpolants(text) => Response::Text(text),
            other => without(other),
        }
    }

    /// After a check that said `unsat`: the assertions as they were read, and a refutation of them in the Alethe
    /// format; nothing if it is not found within the budget.
    pub fn refuted(&mut self, budget: &Budget) -> Option<(String, Alethe)> {
        let LastCheck::Unsat { assumptions } = &self.last else { return None };
        let in_force = self.context.in_force().iter();
        let mut formulas: Vec<TermId> = in_force.map(|&assertion| self.context.formula(assertion)).collect();
        formulas.extend(assumptions);
        let terms = self.context.terms_mut();
        let proof = proof::refute(terms, &formulas, budget)?;
        Some((terms.script("As it was read.", &formulas), proof))
    }

    fn interpolants(&mut self, partition: &Partition) -> Response {
        if !matches!(&self.last, LastCheck::Unsat { assumptions } if assumptions.is_empty()) {
            return Response::Error("the last command was not a `check-sat` with answer `unsat`".to_string());
        }
        match self.try_interpolants(partition) {
            Ok(interpolants) => Response::Text(show::list(self.context.terms(), &interpolants)),
            Err(reason) => Response::Error(format!("no interpolants: {reason}")),
        }
    }

    fn try_interpolants(&mut self, partition: &Partition) -> Result<Vec<TermId>, String> {
        let in_force = self.context.in_force();
        let of_name = in_force.iter().filter_map(|&part| Some((self.names.get(&part)?.as_str(), part)));
        let of_name: OrderedMap<&str, Assertion> = of_name.collect();
        let mut unlisted: OrderedSet<Assertion> = in_force.iter().copied().collect();
        let mut groups: Vec<Vec<Assertion>> = Vec::new();
        for names in &partition.parts {
            let mut group = Vec::new();
            for name in names {
                let &part = of_name
                    .get(name.as_str())
                    .ok_or_else(|| format!("there is no assertion named {}", quote_symbol(name)))?;
                if !unlisted.swap_remove(&part) {
                    return Err(format!("{} belongs to two parts", quote_symbol(name)));
                }
                group.push(part);
            }
            groups.push(group);
        }
        let parents: Vec<usize> = (0..groups.len()).filter_map(|node| partition.parent(node)).collect();
        let slices: Vec<&[Assertion]> = groups.iter().map(Vec::as_slice).collect();
        let mut found = self.context.tree_interpolants(&slices, &parents);
        if matches!(found, Interpolation::Sat(_)) && !unlisted.is_empty() {
            let unlisted: Vec<Assertion> = unlisted.into_iter().collect();
            let with_all = |group: &Vec<Assertion>| {
                let all = [unlisted.as_slice(), group].concat();
                self.context.conjunction(&all)
            };
            let parts: Vec<TermId> = groups.iter().map(with_all).collect();
            found = self.context.tree_interpolants_of(&parts, &parents);
        }
        match found {
            Interpolation::Interpolants(found) => Ok(found),
            Interpolation::Sat(_) => Err(SATISFIABLE.to_string()),
            Interpolation::Unknown(failure) => Err(failure.to_string()),
        }
    }

    /// The dialects in which formulas or groups are given instead of the names of assertions.
    fn interpolant(&mut self, request: InterpolantRequest) -> Response {
        let in_force = self.context.in_force().to_vec();
        let (parts, name) = match request {
            InterpolantRequest::Formulas(formulas) => (formulas, None),
            InterpolantRequest::Conjecture { name, formula } => {
                let all = self.context.conjunction(&in_force);
                (vec![all, self.context.terms_mut().not(formula)], Some(name))
            }
            InterpolantRequest::Groups(groups) => {
                let of = |part: &Assertion| self.groups.get(part);
                let is_there = |group: &String| in_force.iter().any(|part| of(part) == Some(group));
                if let Some(unknown) = groups.iter().find(|group| !is_there(group)) {
                    return Response::Error(format!("there is no group {}", quote_symbol(unknown)));
                }
                let in_a = |part: &Assertion| of(part).is_some_and(|group| groups.contains(group));
                let (a, b): (Vec<Assertion>, Vec<Assertion>) = in_force.into_iter().partition(in_a);
                (vec![self.context.conjunction(&a), self.context.conjunction(&b)], None)
            }
        };
        match self.context.sequence_interpolants_of(&parts) {
            Interpolation::Interpolants(found) => Response::Text(match name {
                Some(name) => {
                    let body = found.first().map_or(String::new(), |&formula| self.context.show(formula));
                    format!("(define-fun {} () Bool {body})", quote_symbol(&name))
                }
                None => show::lines(self.context.terms(), &found),
            }),
            Interpolation::Sat(_) if name.is_some() => Response::Text("fail".to_string()),
            Interpolation::Sat(_) => Response::Error(SATISFIABLE.to_string()),
            Interpolation::Unknown(failure) => Response::Error(format!("no interpolants: {failure}")),
        }
    }

    fn compute_interpolants(&mut self, parts: &[TermId]) -> Response {
        match self.context.sequence_interpolants_of(parts) {
            Interpolation::Interpolants(found) => {
                Response::Text(format!("unsat\n{}", show::lines(self.context.terms(), &found)))
            }
            Interpolation::Sat(_) => Response::Text("sat".to_string()),
            Interpolation::Unknown(failure) => Response::Unknown(failure.to_string()),
        }
    }

    fn option(&self, keyword: &str) -> Response {
        let default = match keyword {
            ":print-success" | ":global-declarations" => "false",
            ":produce-models"
            | ":produce-assertions"
            | ":produce-assignments"
            | ":produce-unsat-cores"
            | ":produce-unsat-assumptions"
            | ":produce-proofs"
            | ":produce-interpolants" => "true",
            _ => return self.options.get(keyword).cloned().map_or(Response::Unsupported, Response::Text),
        };
        Response::Text(self.options.get(keyword).cloned().unwrap_or_else(|| default.to_string()))
    }

    fn info(&self, keyword: &str) -> Response {
        let value = match (keyword, &self.last) {
            (":name", _) => show::string("Craig"),
            (":version", _) => show::string(env!("CARGO_PKG_VERSION")),
            (":authors", _) => show::string("The Craig developers"),
            (":error-behavior", _) => "continued-execution".to_string(),
            (":assertion-stack-levels", _) => self.levels.len().to_string(),
            (":reason-unknown", LastCheck::Unknown(reason)) => show::string(reason),
            (":all-statistics", _) => return Response::Text(show::statistics(&self.context.stats())),
            _ => return Response::Unsupported,
        };
        Response::Text(format!("({keyword} {value})"))
    }
}

/// Without these options a script is unlikely to ask for what needs a recorded proof; if it does, the search is made
/// again.
const RECORDING: [&str; 3] = [":produce-proofs", ":produce-unsat-cores", ":produce-interpolants"];

const SATISFIABLE: &str = "these parts alone are satisfiable";

fn not_unsat() -> Response {
    Response::Error("the last check was not `unsat`".to_string())
}

/// Why there is no refutation.
fn without<T>(found: Interpolation<T>) -> Response {
    Response::Error(match found {
        Interpolation::Unknown(failure) => failure.to_string(),
        _ => SATISFIABLE.to_string(),
    })
}
