//! An SMT-LIB 2 script, executed: commands in, responses out. What `craig smt` is around it reads and
//! prints.
//!
//! Levels: while no level is open, the solver records its proof, every assertion being a part of its
//! own; interpolants, cores and proofs come from there at no further search. The first `push` gives
//! that up for a solver that forgets what is popped; what needs a proof then searches again.
//!
//! Interpolants are those of the named parts alone if these have no model; otherwise assertions that
//! `get-interpolants` does not mention hold for all parts. Responses to one script depend on the script only, not on time, unless a
//! limit is reached.

mod show;
#[cfg(test)]
mod tests;

use craig_base::{Budget, OrderedMap, Set};
use craig_smt::interpolate::{self, Failure, Interpolation, from_proof};
use craig_smt::native::{NativeSolver, Options};
use craig_smt::proof::{Leaf, Refutation, StepKind};
use craig_smt::{Answer, Solver};
use craig_term::smtlib::{Command, InterpolantRequest, Partition, Reader, Response, Tree};
use craig_term::{FunId, TermId, Terms, quote_symbol};

/// The state of a script.
pub struct Interpreter {
    terms: Terms,
    reader: Reader,
    levels: Vec<Level>,
    /// In step with the assertions, once there was a check.
    solver: Option<NativeSolver>,
    /// The solver records a proof in which assertion `i` is part `i`, and nothing else was told to it.
    records: bool,
    last: LastCheck,
    /// What `set-option` said. Models, cores, proofs and interpolants are there whether asked for
    /// or not, and only `:print-success` changes anything.
    options: OrderedMap<String, String>,
}

#[derive(Default)]
struct Level {
    assertions: Vec<Assertion>,
    declared: Vec<FunId>,
}

struct Assertion {
    term: TermId,
    name: Option<String>,
    group: Option<String>,
}

/// What the last check said; a change of the assertions makes it void.
enum LastCheck {
    None,
    Sat,
    Unsat { assumptions: Vec<TermId> },
    Unknown(String),
}

impl Default for Interpreter {
    fn default() -> Self {
        Interpreter {
            terms: Terms::new(),
            reader: Reader::new(),
            levels: vec![Level::default()],
            solver: None,
            records: false,
            last: LastCheck::None,
            options: OrderedMap::default(),
        }
    }
}

impl Interpreter {
    /// Reads and executes a command. An error of the reader changes nothing.
    pub fn execute(&mut self, tree: &Tree, budget: &Budget) -> craig_term::smtlib::Result<Response> {
        let command = self.reader.command(&mut self.terms, tree)?;
        Ok(self.run(command, budget))
    }

    /// Whether commands that have nothing else to say are answered by `success`.
    pub fn prints_success(&self) -> bool {
        self.options.get(":print-success").is_some_and(|value| value == "true")
    }

    fn run(&mut self, command: Command, budget: &Budget) -> Response {
        match command {
            Command::SetLogic(_) | Command::SetInfo { .. } => Response::Success,
            Command::SetOption { keyword, value } => {
                self.options.insert(keyword, value);
                Response::Success
            }
            Command::DeclareSort(_) | Command::Define { .. } => Response::Success,
            Command::Declare(symbol) => {
                self.top().declared.push(symbol);
                Response::Success
            }
            Command::Assert { term, name, group } => self.assert(Assertion { term, name, group }),
            Command::Push(levels) => self.push(levels),
            Command::Pop(levels) => self.pop(levels),
            Command::CheckSat => self.check(Vec::new(), budget),
            Command::CheckSatAssuming(assumptions) => self.check(assumptions, budget),
            Command::GetModel => self.with_model(show::model),
            Command::GetValue(values) => self.with_model(|interpreter| show::values(interpreter, &values)),
            Command::GetUnsatCore => self.unsat_core(budget),
            Command::GetUnsatAssumptions => self.unsat_assumptions(),
            Command::GetAssertions => {
                let assertions: Vec<TermId> = self.assertions().map(|assertion| assertion.term).collect();
                Response::Text(show::list(&self.terms, &assertions))
            }
            Command::GetProof => self.proof(budget),
            Command::GetInterpolants(partition) => self.interpolants(&partition, budget),
            Command::GetInterpolant(request) => self.interpolant(request, budget),
            Command::ComputeInterpolant(formulas) => self.compute_interpolants(&formulas, budget),
            Command::GetInfo(keyword) => self.info(&keyword),
            Command::GetOption(keyword) => self.option(&keyword),
            Command::Echo(text) => Response::Text(show::string(&text)),
            Command::Reset => {
                *self = Interpreter::default();
                Response::Success
            }
            Command::ResetAssertions => {
                self.levels.truncate(1);
                self.top().assertions.clear();
                self.forget_solver();
                Response::Success
            }
            Command::Exit => Response::Exit,
            Command::DeclareVar(_) | Command::Rule(_) | Command::Query(_) => {
                Response::Error("this is a command of Horn clauses: use `craig solve`".to_string())
            }
        }
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the outermost level stays")
    }

    fn assertions(&self) -> impl Iterator<Item = &Assertion> {
        self.levels.iter().flat_map(|level| &level.assertions)
    }

    fn forget_solver(&mut self) {
        self.solver = None;
        self.records = false;
        self.last = LastCheck::None;
    }

    fn assert(&mut self, assertion: Assertion) -> Response {
        self.last = LastCheck::None;
        let part = self.assertions().count() as u32;
        if let Some(solver) = &mut self.solver {
            solver.assert_in_part(&self.terms, assertion.term, if self.records { part } else { 0 });
        }
        self.top().assertions.push(assertion);
        Response::Success
    }

    fn push(&mut self, levels: usize) -> Response {
        self.last = LastCheck::None;
        if self.records {
            self.forget_solver();
        }
        for _ in 0..levels {
            self.levels.push(Level::default());
            if let Some(solver) = &mut self.solver {
                solver.push();
            }
        }
        Response::Success
    }

    fn pop(&mut self, levels: usize) -> Response {
        self.last = LastCheck::None;
        for _ in 0..levels {
            if self.levels.len() > 1 {
                self.levels.pop();
                if let Some(solver) = &mut self.solver {
                    solver.pop();
                }
            }
        }
        Response::Success
    }

    /// A solver with all assertions.
    fn build_solver(&mut self) -> NativeSolver {
        self.records = self.levels.len() == 1;
        let mut solver = NativeSolver::new(Options { proofs: self.records, ..Options::default() });
        let mut part = 0;
        for (depth, level) in self.levels.iter().enumerate() {
            if depth > 0 {
                solver.push();
            }
            for assertion in &level.assertions {
                solver.assert_in_part(&self.terms, assertion.term, part);
                part += u32::from(self.records);
            }
        }
        solver
    }

    fn check(&mut self, assumptions: Vec<TermId>, budget: &Budget) -> Response {
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => self.build_solver(),
        };
        let answer = solver.check(&mut self.terms, &assumptions, budget);
        self.solver = Some(solver);
        // Assumptions become part of the record, without a part of their own.
        self.records &= assumptions.is_empty();
        match answer {
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

    fn with_model(&mut self, respond: impl FnOnce(&mut Interpreter) -> Response) -> Response {
        match self.last {
            LastCheck::Sat => respond(self),
            _ => Response::Error("there is no model: the last check was not `sat`".to_string()),
        }
    }

    fn unsat_assumptions(&self) -> Response {
        match (&self.last, &self.solver) {
            (LastCheck::Unsat { assumptions }, Some(solver)) if !assumptions.is_empty() => {
                Response::Text(show::list(&self.terms, solver.core()))
            }
            _ => Response::Error(
                "the last command was not a `check-sat-assuming` with answer `unsat`".to_string(),
            ),
        }
    }

    /// The refutation of `parts`, from the record if that is of these parts.
    fn refute(&mut self, parts: &[TermId], recorded: bool, budget: &Budget) -> Result<NativeSolver, String> {
        if recorded && let Some(solver) = self.solver.take_if(|solver| solver.refutation().is_some()) {
            return Ok(solver);
        }
        let mut solver = NativeSolver::new(Options { proofs: true, ..Options::default() });
        for (part, &formula) in parts.iter().enumerate() {
            solver.assert_in_part(&self.terms, formula, part as u32);
        }
        match solver.check(&mut self.terms, &[], budget) {
            Answer::Unsat => Ok(solver),
            Answer::Sat => Err("these parts alone are satisfiable".to_string()),
            Answer::Unknown(reason) => Err(reason.to_string()),
        }
    }

    /// Runs `respond` with a refutation of all assertions and of the last check's assumptions, which
    /// are the last parts.
    fn with_refutation(
        &mut self,
        budget: &Budget,
        respond: impl FnOnce(&mut Interpreter, &NativeSolver, &Refutation) -> Response,
    ) -> Response {
        let LastCheck::Unsat { assumptions } = &self.last else {
            return Response::Error("the last check was not `unsat`".to_string());
        };
        let assertions = self.assertions().map(|assertion| assertion.term);
        let parts: Vec<TermId> = assertions.chain(assumptions.iter().copied()).collect();
        let recorded = self.records;
        let solver = match self.refute(&parts, recorded, budget) {
            Ok(solver) => solver,
            Err(reason) => return Response::Error(reason),
        };
        let root = solver.refutation();
        let response = match root.map(|root| Refutation::extract(solver.proof(), root)) {
            Some(Ok(refutation)) => respond(self, &solver, &refutation),
            _ => Response::Error("the proof is broken".to_string()),
        };
        if recorded {
            self.solver = Some(solver);
        }
        response
    }

    fn unsat_core(&mut self, budget: &Budget) -> Response {
        self.with_refutation(budget, |interpreter, _, refutation| {
            let used: Set<usize> = refutation
                .steps
                .iter()
                .filter_map(|step| match &step.kind {
                    StepKind::Leaf(Leaf::Input { part }) => Some(*part as usize),
                    _ => None,
                })
                .collect();
            let names = interpreter.assertions().enumerate().filter(|(part, _)| used.contains(part));
            let names: Vec<String> =
                names.filter_map(|(_, assertion)| assertion.name.as_deref().map(quote_symbol)).collect();
            Response::Text(format!("({})", names.join(" ")))
        })
    }

    fn proof(&mut self, budget: &Budget) -> Response {
        self.with_refutation(budget, |interpreter, solver, refutation| {
            let names: Vec<Option<String>> =
                interpreter.assertions().map(|assertion| assertion.name.clone()).collect();
            Response::Text(show::proof(&mut interpreter.terms, solver, refutation, &names))
        })
    }

    fn interpolants(&mut self, partition: &Partition, budget: &Budget) -> Response {
        if !matches!(&self.last, LastCheck::Unsat { assumptions } if assumptions.is_empty()) {
            return Response::Error("the last command was not a `check-sat` with answer `unsat`".to_string());
        }
        match self.try_interpolants(partition, budget) {
            Ok(interpolants) => Response::Text(show::list(&self.terms, &interpolants)),
            Err(reason) => Response::Error(format!("no interpolants: {reason}")),
        }
    }

    /// The dialects in which formulas or groups are given instead of the names of assertions.
    fn interpolant(&mut self, request: InterpolantRequest, budget: &Budget) -> Response {
        let (parts, name) = match request {
            InterpolantRequest::Formulas(formulas) => (formulas, None),
            InterpolantRequest::Conjecture { name, formula } => {
                let assertions: Vec<TermId> = self.assertions().map(|assertion| assertion.term).collect();
                (vec![self.terms.and(&assertions), self.terms.not(formula)], Some(name))
            }
            InterpolantRequest::Groups(groups) => {
                let of = |group: &str| {
                    self.assertions().any(|assertion| assertion.group.as_deref() == Some(group))
                };
                if let Some(unknown) = groups.iter().find(|group| !of(group)) {
                    return Response::Error(format!("there is no group {}", quote_symbol(unknown)));
                }
                let in_a = |assertion: &&Assertion| {
                    assertion.group.as_ref().is_some_and(|group| groups.contains(group))
                };
                let (a, b): (Vec<&Assertion>, Vec<&Assertion>) = self.assertions().partition(in_a);
                let sides =
                    [a, b].map(|side| side.iter().map(|assertion| assertion.term).collect::<Vec<_>>());
                (sides.map(|side| self.terms.and(&side)).to_vec(), None)
            }
        };
        match interpolate::sequence(&mut self.terms, &parts, &interpolate::Options::default(), budget) {
            Interpolation::Interpolants(found) => Response::Text(match name {
                Some(name) => {
                    let body = found.first().map_or(String::new(), |&formula| self.terms.to_smtlib(formula));
                    format!("(define-fun {} () Bool {body})", quote_symbol(&name))
                }
                None => show::lines(&self.terms, &found),
            }),
            Interpolation::Sat(_) if name.is_some() => Response::Text("fail".to_string()),
            Interpolation::Sat(_) => Response::Error("these parts alone are satisfiable".to_string()),
            Interpolation::Unknown(failure) => Response::Error(format!("no interpolants: {failure}")),
        }
    }

    fn compute_interpolants(&mut self, parts: &[TermId], budget: &Budget) -> Response {
        match interpolate::sequence(&mut self.terms, parts, &interpolate::Options::default(), budget) {
            Interpolation::Interpolants(found) => {
                Response::Text(format!("unsat\n{}", show::lines(&self.terms, &found)))
            }
            Interpolation::Sat(_) => Response::Text("sat".to_string()),
            Interpolation::Unknown(failure) => Response::Unknown(failure.to_string()),
        }
    }

    fn try_interpolants(&mut self, partition: &Partition, budget: &Budget) -> Result<Vec<TermId>, String> {
        let mut by_name: OrderedMap<&str, usize> = OrderedMap::default();
        let mut formulas = Vec::new();
        for (position, assertion) in self.assertions().enumerate() {
            formulas.push(assertion.term);
            if let Some(name) = &assertion.name {
                by_name.insert(name, position);
            }
        }
        // The node of the tree that each assertion belongs to.
        let mut node_of: Vec<Option<usize>> = vec![None; formulas.len()];
        for (node, names) in partition.parts.iter().enumerate() {
            for name in names {
                let &position = by_name
                    .get(name.as_str())
                    .ok_or_else(|| format!("there is no assertion named {}", quote_symbol(name)))?;
                if node_of[position].replace(node).is_some() {
                    return Err(format!("{} belongs to two parts", quote_symbol(name)));
                }
            }
        }
        let options = interpolate::Options::default();
        // A cut takes a whole subtree; for a sequence the subtrees are the prefixes.
        let cut = |root: usize| -> Vec<bool> {
            let subtree = partition.first_of_subtree[root]..=root;
            node_of.iter().map(|node| node.is_some_and(|node| subtree.contains(&node))).collect()
        };
        let nodes = partition.parts.len();
        if self.records
            && node_of.iter().all(Option::is_some)
            && let Some(solver) = self.solver.take_if(|solver| solver.refutation().is_some())
        {
            let cuts: Vec<Vec<bool>> = (0..nodes.saturating_sub(1)).map(cut).collect();
            let found = from_proof(&mut self.terms, &solver, &cuts, &options, budget);
            self.solver = Some(solver);
            if !matches!(found, Err(Failure::MixedReasoning)) {
                return found.map_err(|failure| failure.to_string());
            }
        }
        // Otherwise from a proof of these parts alone.
        let part = |node: usize| {
            let of_node = node_of.iter().zip(&formulas).filter(|(of, _)| **of == Some(node));
            let of_node: Vec<TermId> = of_node.map(|(_, &formula)| formula).collect();
            self.terms.and(&of_node)
        };
        let mut parts: Vec<TermId> = (0..nodes).map(part).collect();
        let parents: Vec<usize> = (0..nodes).filter_map(|node| partition.parent(node)).collect();
        let mut found = interpolate::tree_by_steps(&mut self.terms, &parts, &parents, &options, budget);
        let unlisted = node_of.iter().zip(&formulas).filter(|(node, _)| node.is_none());
        let unlisted: Vec<TermId> = unlisted.map(|(_, &formula)| formula).collect();
        if matches!(found, Interpolation::Sat(_)) && !unlisted.is_empty() {
            for part in &mut parts {
                let with_all: Vec<TermId> = unlisted.iter().copied().chain([*part]).collect();
                *part = self.terms.and(&with_all);
            }
            found = interpolate::tree_by_steps(&mut self.terms, &parts, &parents, &options, budget);
        }
        match found {
            Interpolation::Interpolants(found) => Ok(found),
            Interpolation::Sat(_) => Err("these parts alone are satisfiable".to_string()),
            Interpolation::Unknown(failure) => Err(failure.to_string()),
        }
    }

    fn option(&self, keyword: &str) -> Response {
        let default = match keyword {
            ":print-success" | ":global-declarations" => "false",
            ":produce-models"
            | ":produce-assertions"
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
            (":assertion-stack-levels", _) => (self.levels.len() - 1).to_string(),
            (":reason-unknown", LastCheck::Unknown(reason)) => show::string(reason),
            (":all-statistics", _) => {
                let stats = self.solver.as_ref().map(NativeSolver::stats).unwrap_or_default();
                return Response::Text(show::statistics(&stats));
            }
            _ => return Response::Unsupported,
        };
        Response::Text(format!("({keyword} {value})"))
    }
}
