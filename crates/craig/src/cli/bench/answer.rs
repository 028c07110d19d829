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
    /// Of a script that asks several times.
    Several(Series),
}

/// Whether each of up to 64 questions is satisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    length: u8,
    sat: u64,
}

impl Verdict {
    pub fn from_name(name: &str) -> Option<Verdict> {
        let single = |name: &str| {
            let all = [Verdict::Safe, Verdict::Unsafe, Verdict::Sat, Verdict::Unsat];
            all.into_iter().find(|verdict| verdict.name() == name)
        };
        let all: Option<Vec<Verdict>> = name.split(',').map(single).collect();
        Verdict::of_answers(&all?)
    }

    /// Whether this is what was expected. Of a script that asks several times, the first answer may be all that is
    /// known.
    pub fn agrees(self, expected: Verdict) -> bool {
        match (self, expected) {
            (Verdict::Several(series), Verdict::Sat) => series.sat & 1 == 1,
            (Verdict::Several(series), Verdict::Unsat) => series.sat & 1 == 0,
            _ => self == expected,
        }
    }

    /// The answers to the questions of one script.
    pub fn of_answers(answers: &[Verdict]) -> Option<Verdict> {
        match answers {
            [] | [_, .., _] if answers.is_empty() || answers.len() > 64 => None,
            [single] => Some(*single),
            _ => {
                let mut series = Series { length: answers.len() as u8, sat: 0 };
                for (i, answer) in answers.iter().enumerate() {
                    match answer {
                        Verdict::Sat => series.sat |= 1 << i,
                        Verdict::Unsat => {}
                        _ => return None,
                    }
                }
                Some(Verdict::Several(series))
            }
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Several(_) => "several answers",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict::Several(series) = self else { return f.write_str(self.name()) };
        for i in 0..series.length {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}", if series.sat >> i & 1 == 1 { "sat" } else { "unsat" })?;
        }
        Ok(())
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
