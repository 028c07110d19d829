//! Z3 as a second opinion: one process, and a level of its own for each question. Now and then it is
//! reset, which takes it longer than most questions.

use super::show;
use craig_term::{TermId, Terms};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Reference {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

/// What Z3 says in at most this many milliseconds.
const LIMIT: u32 = 2000;
/// Questions between two resets.
const RESET: u64 = 500;

impl Reference {
    /// None if there is no z3 in the search path.
    pub fn start() -> Option<Self> {
        let mut child = Command::new("z3")
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Reference { child, input, output, asked: 0 })
    }

    /// Runs commands with `count` checks among them; for each, whether the answer was `sat`, if it
    /// was definite.
    pub fn ask(&mut self, commands: &str, count: usize) -> Result<Vec<Option<bool>>, String> {
        let reset = self.asked.is_multiple_of(RESET);
        self.asked += 1;
        let reset = if reset { format!("(reset)\n(set-option :timeout {LIMIT})\n") } else { String::new() };
        // The script may leave levels open.
        let open = commands.matches("(push 1)").count() + 1 - commands.matches("(pop 1)").count();
        let text = format!("{reset}(push 1)\n{commands}\n(pop {open})\n");
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).map_err(|e| e.to_string())?;
        let mut answers = Vec::with_capacity(count);
        for _ in 0..count {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
                return Err("z3 is gone".to_string());
            }
            answers.push(match line.trim() {
                "sat" => Some(true),
                "unsat" => Some(false),
                "unknown" => None,
                // A soft timeout is reported as an error of the check.
                other if other.contains("canceled") || other.contains("timeout") => None,
                other => return Err(format!("z3 says {other}")),
            });
        }
        Ok(answers)
    }

    /// Whether the formulas have a common model.
    pub fn satisfiable(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<Option<bool>, String> {
        let mut commands = show::declarations(terms, formulas);
        for &formula in formulas {
            let _ = writeln!(commands, "(assert {})", terms.display(formula));
        }
        commands.push_str("(check-sat)\n");
        Ok(self.ask(&commands, 1)?.pop().flatten())
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
