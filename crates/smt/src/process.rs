//! Any SMT-LIB solver as a child process: Z3, cvc5 and others, for a second opinion in tests and as
//! an optional backend.
//!
//! Commands are written to the child's standard input; a thread reads its answers, so that waiting
//! for one can end when the budget does. A child that did not answer in time is killed, and every
//! later question is answered by "unknown". Symbols are declared when they first occur and stay
//! declared over `pop` (`:global-declarations`).

use craig_base::{Budget, Set, StopReason};
use craig_term::smtlib::{CommandInput, Kind, Reader, Sexpr, Tree};
use craig_term::{FunId, Model, Op, Sort, SortId, TermId, Terms, quote_symbol};
use std::fmt::{self, Write as _};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What a solver says about satisfiability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(String),
}

/// Why the child process is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessError {
    /// It could not be started.
    Start(String),
    /// It ended, or was killed for being late.
    Gone,
    /// It said something that was not expected here, mostly an error message.
    Unexpected(String),
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
    declared: Set<FunId>,
    declared_sorts: Set<SortId>,
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
            declared: Set::default(),
            declared_sorts: Set::default(),
            alive: true,
        };
        solver.pending.push_str(
            "(set-option :print-success false)\n(set-option :global-declarations true)\n(set-option :produce-models true)\n",
        );
        Ok(solver)
    }

    /// Z3 from the search path.
    pub fn z3() -> Result<Self, ProcessError> {
        Self::start("z3", &["-in", "-smt2"])
    }

    pub fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
    }

    pub fn pop(&mut self, levels: usize) {
        let _ = writeln!(self.pending, "(pop {levels})");
    }

    pub fn assert(&mut self, terms: &Terms, t: TermId) {
        self.declare(terms, t);
        let _ = writeln!(self.pending, "(assert {})", terms.display(t));
    }

    /// Sends a command that has no answer, say an option.
    pub fn command(&mut self, text: &str) {
        self.pending.push_str(text);
        self.pending.push('\n');
    }

    pub fn check(&mut self, budget: &Budget) -> Result<Answer, ProcessError> {
        self.pending.push_str("(check-sat)\n");
        let tree = self.answer(budget)?;
        match tree.root().symbol() {
            Some("sat") => Ok(Answer::Sat),
            Some("unsat") => Ok(Answer::Unsat),
            Some("unknown") => Ok(Answer::Unknown("the solver does not know".to_string())),
            _ => Err(ProcessError::Unexpected(tree.root().text().to_string())),
        }
    }

    /// Under literals that hold for this question only.
    pub fn check_assuming(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, ProcessError> {
        self.push();
        for &literal in assumptions {
            self.assert(terms, literal);
        }
        let answer = self.check(budget);
        self.pop(1);
        answer
    }

    /// The values of constants after `sat`. A value that has no counterpart in [`Value`] is an error.
    ///
    /// [`Value`]: craig_term::Value
    pub fn model(
        &mut self,
        terms: &mut Terms,
        consts: &[TermId],
        budget: &Budget,
    ) -> Result<Model, ProcessError> {
        let mut model = Model::new();
        if consts.is_empty() {
            return Ok(model);
        }
        for &constant in consts {
            self.declare(terms, constant);
        }
        self.pending.push_str("(get-value (");
        for &constant in consts {
            let _ = write!(self.pending, "{} ", terms.display(constant));
        }
        self.pending.push_str("))\n");
        let tree = self.answer(budget)?;
        let unexpected = |what: Sexpr<'_>| ProcessError::Unexpected(what.text().to_string());
        let mut entries = tree.root().children();
        for &constant in consts {
            let entry = entries.next().ok_or_else(|| unexpected(tree.root()))?;
            let value = entry.children().nth(1).ok_or_else(|| unexpected(tree.root()))?;
            let term =
                Reader::new().value(terms, value, terms.sort(constant)).map_err(|_| unexpected(value))?;
            model.set(constant, terms.eval(term, &Model::new()).map_err(|_| unexpected(value))?);
        }
        Ok(model)
    }

    fn declare(&mut self, terms: &Terms, t: TermId) {
        let mut bound: Set<TermId> = Set::default();
        let order = terms.postorder(&[t]);
        for &node in &order {
            if matches!(terms.op(node), Op::Forall | Op::Exists) {
                let args = terms.args(node);
                bound.extend(&args[..args.len() - 1]);
            }
        }
        for node in order {
            let (Op::Const(symbol) | Op::App(symbol)) = terms.op(node) else { continue };
            if bound.contains(&node) || !self.declared.insert(symbol) {
                continue;
            }
            let (parameters, result) = terms.signature(symbol);
            for &sort in parameters.iter().chain([&result]) {
                self.declare_sort(terms, sort);
            }
            let sorts: Vec<String> = parameters.iter().map(|&sort| terms.sort_name(sort)).collect();
            let name = quote_symbol(terms.symbol_name(symbol));
            let _ = writeln!(
                self.pending,
                "(declare-fun {name} ({}) {})",
                sorts.join(" "),
                terms.sort_name(result)
            );
        }
    }

    fn declare_sort(&mut self, terms: &Terms, sort: SortId) {
        let mut todo = vec![sort];
        while let Some(sort) = todo.pop() {
            match terms.sort_of(sort) {
                Sort::Array { index, element } => todo.extend([*index, *element]),
                Sort::Uninterpreted(name) if self.declared_sorts.insert(sort) => {
                    let _ = writeln!(self.pending, "(declare-sort {} 0)", quote_symbol(name));
                }
                _ => {}
            }
        }
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

impl Drop for ProcessSolver {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_term::Value;

    /// Z3, or `None` with a note where it is not installed.
    fn z3() -> Option<ProcessSolver> {
        let mut solver = ProcessSolver::z3().ok()?;
        match solver.check(&Budget::unlimited()) {
            Ok(_) => Some(solver),
            Err(_) => {
                eprintln!("skipped: no z3 in the search path");
                None
            }
        }
    }

    #[test]
    fn answers_and_models() {
        let Some(mut solver) = z3() else { return };
        let budget = Budget::unlimited();
        let mut terms = Terms::new();
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
            solver.assert(&terms, t);
        }
        assert_eq!(solver.check(&budget), Ok(Answer::Sat));
        let model = solver.model(&mut terms, &[x, a], &budget).unwrap();
        assert_eq!(model.get(x), Some(&Value::Int(4.into())));
        assert_eq!(terms.eval_bool(is_half, &model), Ok(true));
        let not_small = terms.not(small);
        assert_eq!(solver.check_assuming(&terms, &[not_small], &budget), Ok(Answer::Unsat));
        solver.pop(1);
        assert_eq!(solver.check_assuming(&terms, &[not_small], &budget), Ok(Answer::Sat));
    }

    #[test]
    fn a_late_answer_is_not_waited_for() {
        let Ok(mut solver) = ProcessSolver::start("sleep", &["10"]) else { return };
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
        assert!(solver.check(&budget).is_err());
        assert_eq!(solver.check(&Budget::unlimited()), Err(ProcessError::Gone));
    }
}
