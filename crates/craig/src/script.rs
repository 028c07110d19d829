//! An SMT-LIB script, executed by the solver that its logic wants.

use craig_base::Budget;
use craig_bits::script::Script as Words;
use craig_smt::proof::Alethe;
use craig_smt::script::Script as Numbers;
use craig_term::smtlib::{Response, Result, Tree};

/// The state of a script.
pub enum Script {
    /// Arithmetic, functions and arrays: everything, unless its logic says otherwise.
    Numbers(Box<Numbers>),
    /// Bit-vectors and floating point.
    Words(Box<Words>),
}

impl Default for Script {
    fn default() -> Self {
        Script::Numbers(Box::default())
    }
}

impl Script {
    /// Reads and executes a command. An error of the reader changes nothing.
    pub fn execute(&mut self, tree: &Tree, budget: &Budget) -> Result<Response> {
        if let Script::Numbers(before) = self
            && logic(tree).is_some_and(Words::decides)
        {
            *self = Script::Words(Box::new(Words::new(before.prints_success())));
        }
        match self {
            Script::Numbers(script) => script.execute(tree, budget),
            Script::Words(script) => script.execute(tree, budget),
        }
    }

    /// After a check that said `unsat`: the assertions as they were read, and a refutation of them in the Alethe format,
    /// with the number of its holes. There is none for words.
    pub fn refuted(&mut self, budget: &Budget) -> Option<(String, Alethe)> {
        match self {
            Script::Numbers(script) => script.refuted(budget),
            Script::Words(_) => None,
        }
    }

    /// Whether commands that have nothing else to say are answered by `success`.
    pub fn prints_success(&self) -> bool {
        match self {
            Script::Numbers(script) => script.prints_success(),
            Script::Words(script) => script.prints_success(),
        }
    }
}

/// The logic that the command sets.
fn logic(tree: &Tree) -> Option<&str> {
    let mut parts = tree.root().children();
    let command = parts.next()?;
    (command.symbol() == Some("set-logic")).then(|| parts.next().map(|logic| logic.text())).flatten()
}
