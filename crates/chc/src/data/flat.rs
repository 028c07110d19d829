//! Clauses in which data occurs as terms of constructors and variables, as arguments of predicates, and in
//! disequalities; nowhere else.
//!
//! Each rule replaces a clause by the cases of a question about its innermost term that is not of this form:
//!
//! | term | cases |
//! |---|---|
//! | `ite` between data | its condition holds, or not |
//! | a tester or selector of a variable | the constructor that made the value |
//! | a selector of another constructor | one: the value is any |
//! | an equality of a variable and a term | they are one, or different |
//!
//! The cases cover all values of the variables, so that a clause holds if and only if its cases do, save that a selector
//! of another constructor is one fixed function in SMT-LIB and several values here: what has a model for any values has
//! one for the function, and who looks for derivations leaves these cases out.

use crate::system::{Clause, ClauseId, System};
use craig_term::{Op, Role, Substitution, TermId, Terms};

/// A case of a clause.
#[derive(Clone, Debug)]
pub struct Flat {
    pub origin: ClauseId,
    /// Its constraint has no data.
    pub clause: Clause,
    /// Pairs of data that are not equal.
    pub distinct: Vec<(TermId, TermId)>,
    /// What the variables of the origin are, over the variables of this case.
    pub values: Vec<(TermId, TermId)>,
    /// A selector was applied to what another constructor made.
    pub unspecified: bool,
}

impl Flat {
    /// The variables, also those of disequalities.
    pub fn variables(&self, terms: &Terms) -> Vec<TermId> {
        let mut roots = self.clause.roots();
        roots.extend(self.distinct.iter().flat_map(|&(a, b)| [a, b]));
        roots.extend(self.values.iter().map(|&(_, value)| value));
        terms.free_consts_of(&roots)
    }

    fn substitute(&mut self, terms: &mut Terms, pairs: &[(TermId, TermId)]) {
        let mut substitution = Substitution::from_pairs(pairs.iter().copied());
        self.clause = self.clause.substitute(terms, &mut substitution);
        for (a, b) in &mut self.distinct {
            (*a, *b) = (substitution.apply(terms, *a), substitution.apply(terms, *b));
        }
        for (_, value) in &mut self.values {
            *value = substitution.apply(terms, *value);
        }
    }

    fn assume(&mut self, terms: &mut Terms, condition: TermId) {
        self.clause.constraint = terms.and2(self.clause.constraint, condition);
    }
}

/// Why a clause has no such form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFlat {
    /// Data in arrays, or in what functions take and give.
    Elsewhere(ClauseId),
    /// More cases than are worth it.
    TooMany(ClauseId),
}

/// How many cases one clause may have.
const MOST_CASES: usize = 300;

/// The cases of all clauses.
pub fn flatten(terms: &mut Terms, system: &System) -> Result<Vec<Flat>, NotFlat> {
    let mut flat = Vec::new();
    for (origin, clause) in system.clauses.enumerated() {
        let values = clause.variables(terms).into_iter().map(|x| (x, x)).collect();
        let clause = clause.clone();
        let first = Flat { origin, clause, distinct: Vec::new(), values, unspecified: false };
        let mut open = vec![first];
        let mut made = 0;
        while let Some(case) = open.pop() {
            made += 1;
            if made > MOST_CASES {
                return Err(NotFlat::TooMany(origin));
            }
            let Some(case) = consistent(terms, case) else { continue };
            match question(terms, &case).ok_or(NotFlat::Elsewhere(origin))? {
                Question::None => flat.push(case),
                question => open.extend(cases(terms, &case, question).into_iter().rev()),
            }
        }
    }
    Ok(flat)
}

/// The case without disequalities that always hold, unless it cannot be.
fn consistent(terms: &mut Terms, mut case: Flat) -> Option<Flat> {
    let mut possible = case.clause.constraint != Terms::FALSE;
    case.distinct.retain(|&(a, b)| {
        let equal = terms.eq(a, b);
        possible &= equal != Terms::TRUE;
        equal != Terms::FALSE
    });
    possible.then_some(case)
}

/// What is to be known about a term.
enum Question {
    None,
    Condition(TermId),
    Made(TermId),
    Any(TermId),
    Equal(TermId),
}

/// The first question that a clause asks; `None` for what cannot be answered.
fn question(terms: &Terms, case: &Flat) -> Option<Question> {
    let mut roots = case.clause.roots();
    roots.extend(case.distinct.iter().flat_map(|&(a, b)| [a, b]));
    let is_data = |t: &TermId| terms.is_data(terms.sort(*t));
    let is_variable = |t: TermId| matches!(terms.op(t), Op::Const(_));
    for t in terms.postorder(&roots) {
        let args = terms.args(t);
        match terms.op(t) {
            Op::Ite if is_data(&t) => return Some(Question::Condition(t)),
            Op::Eq if is_data(&args[0]) => {
                return args.iter().any(|&arg| is_variable(arg)).then_some(Question::Equal(t));
            }
            Op::App(symbol) => match terms.role(symbol) {
                Some(Role::Constructor) => {}
                Some(_) if is_variable(args[0]) => return Some(Question::Made(args[0])),
                Some(_) if terms.constructor_of(args[0]).is_some() => return Some(Question::Any(t)),
                Some(_) => return None,
                None if is_data(&t) || args.iter().any(is_data) => return None,
                None => {}
            },
            Op::Const(_) => {}
            _ if is_data(&t) || args.iter().any(is_data) => return None,
            _ => {}
        }
    }
    Some(Question::None)
}

fn cases(terms: &mut Terms, case: &Flat, question: Question) -> Vec<Flat> {
    let with = |terms: &mut Terms, from: TermId, to: TermId| {
        let mut changed = case.clone();
        changed.substitute(terms, &[(from, to)]);
        changed
    };
    match question {
        Question::None => Vec::new(),
        Question::Condition(t) => {
            let &[condition, then, otherwise] = terms.args(t) else { return Vec::new() };
            let mut first = with(terms, t, then);
            first.assume(terms, condition);
            let mut second = with(terms, t, otherwise);
            let not = terms.not(condition);
            second.assume(terms, not);
            vec![first, second]
        }
        Question::Made(x) => {
            let made: Vec<_> = terms.constructors(terms.sort(x)).iter().map(|made| made.symbol).collect();
            let mut cases = Vec::new();
            for constructor in made {
                let sorts = terms.signature(constructor).0.to_vec();
                let args: Vec<TermId> = sorts.into_iter().map(|sort| terms.fresh_const("d", sort)).collect();
                let value = terms.app(constructor, &args);
                cases.push(with(terms, x, value));
            }
            cases
        }
        Question::Any(t) => {
            let any = terms.fresh_const("any", terms.sort(t));
            let mut only = with(terms, t, any);
            only.unspecified = true;
            vec![only]
        }
        Question::Equal(t) => {
            let &[a, b] = terms.args(t) else { return Vec::new() };
            let (x, value) = if matches!(terms.op(a), Op::Const(_)) { (a, b) } else { (b, a) };
            let mut different = with(terms, t, Terms::FALSE);
            different.distinct.push((a, b));
            // A finite term is no part of itself.
            if terms.postorder(&[value]).contains(&x) {
                different.distinct.pop();
                return vec![different];
            }
            vec![with(terms, x, value), different]
        }
    }
}
