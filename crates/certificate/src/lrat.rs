//! A checker for refutations in LRAT, as far as solvers without blocked clauses need it: each step is a clause that
//! unit propagation of the named clauses, in their order, derives.

use std::fmt;

/// Why a refutation is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LratError {
    Malformed {
        line: usize,
    },
    /// A step has not the next number.
    Number {
        line: usize,
    },
    /// A clause that is named does not exist, or is no unit when its turn comes.
    Antecedent {
        line: usize,
        clause: i64,
    },
    /// The named clauses do not yield the step.
    NotDerived {
        line: usize,
    },
    /// The empty clause is missing.
    NotRefuted,
}

impl fmt::Display for LratError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LratError::Malformed { line } => write!(f, "line {line} of the refutation is malformed"),
            LratError::Number { line } => write!(f, "line {line} of the refutation has a wrong number"),
            LratError::Antecedent { line, clause } => {
                write!(f, "line {line} of the refutation cannot use clause {clause}")
            }
            LratError::NotDerived { line } => write!(f, "line {line} of the refutation does not follow"),
            LratError::NotRefuted => f.write_str("the refutation does not end in a contradiction"),
        }
    }
}

/// Accepts if `proof` refutes the clauses, which are written as in DIMACS and numbered from 1.
pub fn check_lrat(variables: usize, clauses: &[Vec<i32>], proof: &str) -> Result<(), LratError> {
    let mut known: Vec<Vec<i32>> = clauses.to_vec();
    if known.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut assignment = Assignment { values: vec![0; variables + 1], trail: Vec::new() };
    for (index, text) in proof.lines().enumerate() {
        let line = index + 1;
        let mut numbers = text.split_ascii_whitespace().map(str::parse::<i64>);
        let mut next = || numbers.next().and_then(Result::ok).ok_or(LratError::Malformed { line });
        if next()? != known.len() as i64 + 1 {
            return Err(LratError::Number { line });
        }
        let mut clause = Vec::new();
        assignment.clear();
        loop {
            let lit = next()?;
            if lit == 0 {
                break;
            }
            if lit.unsigned_abs() as usize > variables {
                return Err(LratError::Malformed { line });
            }
            clause.push(lit as i32);
            assignment.make_true(-(lit as i32));
        }
        let mut derived = false;
        loop {
            let id = next()?;
            if id == 0 {
                break;
            }
            let wrong = LratError::Antecedent { line, clause: id };
            let index = usize::try_from(id - 1).map_err(|_| wrong.clone())?;
            let antecedent = known.get(index).ok_or_else(|| wrong.clone())?;
            let mut open = None;
            for &lit in antecedent.iter().filter(|&&lit| !assignment.is_false(lit)) {
                if open.is_some_and(|other| other != lit) {
                    return Err(wrong);
                }
                open = Some(lit);
            }
            match open {
                Some(lit) => assignment.make_true(lit),
                None => {
                    derived = true;
                    break;
                }
            }
        }
        if !derived {
            return Err(LratError::NotDerived { line });
        }
        if clause.is_empty() {
            return Ok(());
        }
        known.push(clause);
    }
    Err(LratError::NotRefuted)
}

/// Which literals are true while one step is checked.
struct Assignment {
    values: Vec<i8>,
    trail: Vec<usize>,
}

impl Assignment {
    fn clear(&mut self) {
        for var in self.trail.drain(..) {
            self.values[var] = 0;
        }
    }

    /// Of a clause with a literal and its negation, the last one counts: such a clause holds in any case.
    fn make_true(&mut self, lit: i32) {
        let var = lit.unsigned_abs() as usize;
        self.values[var] = if lit > 0 { 1 } else { -1 };
        self.trail.push(var);
    }

    fn is_false(&self, lit: i32) -> bool {
        let value = self.values[lit.unsigned_abs() as usize];
        if lit > 0 { value < 0 } else { value > 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All four clauses of two variables.
    fn square() -> Vec<Vec<i32>> {
        vec![vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2]]
    }

    #[test]
    fn a_refutation_is_accepted() {
        assert_eq!(check_lrat(2, &square(), "5 1 0 1 2 0\n6 0 5 3 4 0\n"), Ok(()));
    }

    #[test]
    fn anything_else_is_not() {
        let check = |proof| check_lrat(2, &square(), proof);
        assert_eq!(check("5 1 0 1 2 0\n"), Err(LratError::NotRefuted));
        assert_eq!(check("5 1 0 1 0\n"), Err(LratError::NotDerived { line: 1 }));
        assert_eq!(check("5 1 0 1 3 0\n"), Err(LratError::Antecedent { line: 1, clause: 3 }));
        assert_eq!(check("5 0 1 2 0\n"), Err(LratError::Antecedent { line: 1, clause: 1 }));
        assert_eq!(check("5 1 0 1 2 0\n6 0 5 3 9 0\n"), Err(LratError::Antecedent { line: 2, clause: 9 }));
        assert_eq!(check("7 1 0 1 2 0\n"), Err(LratError::Number { line: 1 }));
        assert_eq!(check("5 1 0 1"), Err(LratError::Malformed { line: 1 }));
        assert_eq!(check("5 3 0 1 2 0\n"), Err(LratError::Malformed { line: 1 }));
    }
}
