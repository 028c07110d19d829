//! What the tool, or another one, says to a question.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Of a program: the error cannot be reached.
    Safe,
    Unsafe,
    /// Of clauses or formulas: they have a model.
    Sat,
    Unsat,
}

impl Verdict {
    pub fn from_name(name: &str) -> Option<Verdict> {
        [Verdict::Safe, Verdict::Unsafe, Verdict::Sat, Verdict::Unsat].into_iter().find(|v| v.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Verdict(Verdict),
    /// No verdict, and why. Up to the first colon the reason is a class that tables count;
    /// particulars follow.
    Unknown(String),
}

impl Answer {
    /// The word that the first line of output begins with.
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Verdict(verdict) => verdict.name(),
            Answer::Unknown(_) => "unknown",
        }
    }

    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Answer::Verdict(verdict) => Some(*verdict),
            Answer::Unknown(_) => None,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Answer::Verdict(_) => None,
            Answer::Unknown(reason) => Some(reason),
        }
    }
}
