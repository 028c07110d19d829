//! Any SMT-LIB solver as a child process: Z3, cvc5 and others, for a second opinion in tests and as
//! an optional backend.
//!
//! Commands are written to the child's standard input; a thread reads its answers, so that waiting
//! for one can end when the budget does. A child that did not answer in time is killed, and every
//! later question is answered by "unknown". Symbols are declared when they first occur and stay
//! declared over `pop` (`:global-declarations`), so one process belongs to one [`Terms`].
//! Assumptions are passed through Boolean constants that imply them. Models have the constants that
//! were declared so far; those of uninterpreted functions are not read, and such a model is
//! answered as "unknown".

use crate::solver::{Answer, Solver, UnknownReason};
use craig_base::{Budget, Map, Set, StopReason};
use craig_term::smtlib::{CommandInput, Kind, Reader, Sexpr, Tree};
use craig_term::{Declarations, Model, Op, TermId, Terms};
use std::fmt::{self, Write as _};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Why the child process is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessError {
    /// It could not be started.
    Start(String),
    /// It ended, or was killed for being late.
    Gone,
    /// It said something that was not expected here, mostly an error message.
    Unexpected(String),
    /// The budget was used up.
    Stopped(StopReason),
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessError::Start(message) => write!(f, "cannot start the solver: {message}"),
            ProcessError::Gone => f.write_str("the solver process has ended"),
            ProcessError::Unexpected(answer) => write!(f, "the solver answered `{answer}`"),
            ProcessError::Stopped(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for ProcessError {}

/// A running solver.
pub struct ProcessSolver {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Tree>,
    /// Written but not yet sent.
    pending: String,
    declared: Declarations,
    /// The declared constants, whose values make a model.
    constants: Vec<TermId>,
    has_functions: bool,
    /// The constant that stands for an assumption.
    proxies: Map<TermId, String>,
    proxies_made: usize,
    model: Option<Model>,
    core: Vec<TermId>,
    alive: bool,
}

impl ProcessSolver {
    /// Starts `program` with `arguments`; it must speak SMT-LIB on its standard streams.
    pub fn start(program: &str, arguments: &[&str]) -> Result<Self, ProcessError> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| ProcessError::Start(format!("{program}: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ProcessError::Start(format!("{program}: no pipes")));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut stream = CommandInput::new(BufReader::new(output));
            while let Ok(Some(Ok(tree))) = stream.next_command() {
                if sender.send(tree).is_err() {
                    break;
                }
            }
        });
        let mut solver = ProcessSolver {
            child,
            input,
            answers,
            pending: String::new(),
            declared: Declarations::default(),
            constants: Vec::new(),
            has_functions: false,
            proxies: Map::default(),
            proxies_made: 0,
            model: None,
            core: Vec::new(),
            alive: true,
        };
        solver.pending.push_str(
            "(set-option :print-success false)\n(set-option :global-declarations true)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n",
        );
        Ok(solver)
    }

    /// Z3 from the search path.
    pub fn z3() -> Result<Self, ProcessError> {
        Self::start("z3", &["-in", "-smt2"])
    }

    /// Sends a command that has no answer, say an option.
    pub fn command(&mut self, text: &str) {
        self.pending.push_str(text);
        self.pending.push('\n');
    }

    fn try_check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, ProcessError> {
        let mut names = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            names.push(self.proxy(terms, assumption));
        }
        if names.is_empty() {
            self.pending.push_str("(check-sat)\n");
        } else {
            let _ = writeln!(self.pending, "(check-sat-assuming ({}))", names.join(" "));
        }
        let tree = self.answer(budget)?;
        match tree.root().symbol() {
            Some("sat") if self.has_functions => {
                Ok(Answer::Unknown(UnknownReason::Backend("models of functions are not read".to_string())))
            }
            Some("sat") => {
                self.model = Some(self.read_model(terms, budget)?);
                Ok(Answer::Sat)
            }
            Some("unsat") => {
                if !names.is_empty() {
                    self.pending.push_str("(get-unsat-assumptions)\n");
                    let tree = self.answer(budget)?;
                    let needed: Set<&str> = tree.root().children().filter_map(Sexpr::symbol).collect();
                    let in_core = |(name, _): &(&String, &TermId)| needed.contains(name.as_str());
                    self.core = names.iter().zip(assumptions).filter(in_core).map(|(_, &t)| t).collect();
                }
                Ok(Answer::Unsat)
            }
            Some("unknown") => Ok(Answer::Unknown(UnknownReason::Backend("it does not know".to_string()))),
            _ => Err(ProcessError::Unexpected(tree.root().text().to_string())),
        }
    }

    /// A Boolean constant that implies `assumption`.
    fn proxy(&mut self, terms: &Terms, assumption: TermId) -> String {
        if let Some(name) = self.proxies.get(&assumption) {
            return name.clone();
        }
        let name = format!("assumed!{}", self.proxies_made);
        self.proxies_made += 1;
        self.declare(terms, assumption);
        let display = terms.display(assumption);
        let _ = writeln!(self.pending, "(declare-const {name} Bool)\n(assert (=> {name} {display}))");
        self.proxies.insert(assumption, name.clone());
        name
    }

    fn read_model(&mut self, terms: &mut Terms, budget: &Budget) -> Result<Model, ProcessError> {
        let mut model = Model::new();
        if self.constants.is_empty() {
            return Ok(model);
        }
        self.pending.push_str("(get-value (");
        for &constant in &self.constants {
            let _ = write!(self.pending, "{} ", terms.display(constant));
        }
        self.pending.push_str("))\n");
        let tree = self.answer(budget)?;
        let unexpected = |what: Sexpr<'_>| ProcessError::Unexpected(what.text().to_string());
        let mut entries = tree.root().children();
        for &constant in &self.constants {
            let entry = entries.next().ok_or_else(|| unexpected(tree.root()))?;
            let value = entry.children().nth(1).ok_or_else(|| unexpected(tree.root()))?;
            let term =
                Reader::new().value(terms, value, terms.sort(constant)).map_err(|_| unexpected(value))?;
            model.set(constant, terms.eval(term, &Model::new()).map_err(|_| unexpected(value))?);
        }
        Ok(model)
    }

    fn declare(&mut self, terms: &Terms, t: TermId) {
        let new = self.declared.add(terms, t, &mut self.pending);
        let (constants, functions): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|&node| matches!(terms.op(node), Op::Const(_)));
        self.constants.extend(constants);
        self.has_functions |= !functions.is_empty();
    }

    /// Sends what is pending and waits for the next answer.
    fn answer(&mut self, budget: &Budget) -> Result<Tree, ProcessError> {
        if !self.alive {
            return Err(ProcessError::Gone);
        }
        let sent = self.input.write_all(self.pending.as_bytes()).and_then(|()| self.input.flush());
        self.pending.clear();
        if sent.is_err() {
            self.kill();
            return Err(ProcessError::Gone);
        }
        loop {
            match self.answers.recv_timeout(Duration::from_millis(20)) {
                Ok(tree) => {
                    let root = tree.root();
                    let head = root.children().next().and_then(Sexpr::symbol);
                    if root.is_list() && head == Some("error") {
                        let message = root.children().nth(1).filter(|text| text.kind() == Kind::String);
                        let message =
                            message.map_or(root.text().to_string(), |text| text.string().into_owned());
                        return Err(ProcessError::Unexpected(message));
                    }
                    return Ok(tree);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.kill();
                    return Err(ProcessError::Gone);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(reason) = budget.check() {
                        self.kill();
                        return Err(ProcessError::Stopped(reason));
                    }
                }
            }
        }
    }

    fn kill(&mut self) {
        self.alive = false;
        // It may have ended by itself, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver for ProcessSolver {
    fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
    }

    fn pop(&mut self) {
        self.pending.push_str("(pop 1)\n");
        // What a proxy implies was asserted at some level, which may be gone.
        self.proxies.clear();
    }

    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        self.declare(terms, formula);
        let _ = writeln!(self.pending, "(assert {})", terms.display(formula));
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.model = None;
        self.core.clear();
        match self.try_check(terms, assumptions, budget) {
            Ok(answer) => answer,
            Err(ProcessError::Stopped(reason)) => Answer::Unknown(UnknownReason::Stopped(reason)),
            Err(error) => Answer::Unknown(UnknownReason::Backend(error.to_string())),
        }
    }

    fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

impl Drop for ProcessSolver {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_term::Value;

    #[test]
    fn answers_models_and_cores() {
        let mut terms = Terms::new();
        let budget = Budget::unlimited();
        let Ok(mut solver) = ProcessSolver::z3() else {
            eprintln!("skipped: no z3 in the search path");
            return;
        };
        let x = terms.declare_const("x y", Terms::INT).unwrap();
        let sort = terms.array_sort(Terms::INT, Terms::REAL);
        let a = terms.declare_const("a", sort).unwrap();
        let three = terms.int(3);
        let positive = terms.lt(three, x);
        let four = terms.int(4);
        let small = terms.le(x, four);
        let element = terms.select(a, x);
        let half = terms.real(craig_term::Rat::new(1.into(), 2.into()));
        let is_half = terms.eq(element, half);
        solver.push();
        for t in [positive, small, is_half] {
            solver.assert(&mut terms, t);
        }
        assert_eq!(solver.check(&mut terms, &[], &budget), Answer::Sat);
        let model = solver.model().unwrap().clone();
        assert_eq!(model.get(x), Some(&Value::Int(4.into())));
        assert_eq!(terms.eval_bool(is_half, &model), Ok(true));
        let not_small = terms.not(small);
        assert_eq!(solver.check(&mut terms, &[is_half, not_small], &budget), Answer::Unsat);
        assert_eq!(solver.core(), [not_small]);
        solver.pop();
        assert_eq!(solver.check(&mut terms, &[not_small], &budget), Answer::Sat);
    }

    #[test]
    fn a_late_answer_is_not_waited_for() {
        let Ok(mut solver) = ProcessSolver::start("sleep", &["10"]) else { return };
        let mut terms = Terms::new();
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
        let late = Answer::Unknown(UnknownReason::Stopped(StopReason::Timeout));
        assert_eq!(solver.check(&mut terms, &[], &budget), late);
        assert!(matches!(solver.check(&mut terms, &[], &Budget::unlimited()), Answer::Unknown(_)));
    }
}
