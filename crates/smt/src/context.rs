//! A solver with its terms, for those who want one object.

use crate::interpolate::{self, Interpolation};
use crate::native::{NativeSolver, Options};
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::smtlib::{Command, CommandInput, Error, Position, Reader};
use craig_term::{Model, TermId, Terms, Value};

/// An incremental solver that owns its terms.
///
/// Formulas are built with [`terms_mut`](Context::terms_mut) or read as SMT-LIB with [`read`](Context::read), and
/// asserted; [`check`](Context::check) decides whether all that is asserted has a model. After `Sat` there is a
/// [`model`](Context::model), after `Unsat` there are interpolants of any groups of assertions, and a
/// [`core`](Context::core) of the assumptions. [`push`](Context::push) and [`pop`](Context::pop) open and close
/// scopes.
///
/// ```
/// use craig_smt::term::Terms;
/// use craig_smt::{Answer, Context};
///
/// let mut context = Context::new();
/// let terms = context.terms_mut();
/// let x = terms.declare_const("x", Terms::INT)?;
/// let (three, ten) = (terms.int(3), terms.int(10));
/// let (low, high) = (terms.lt(three, x), terms.lt(x, ten));
/// context.assert(low);
/// context.assert(high);
/// assert_eq!(context.check(), Answer::Sat);
///
/// context.push();
/// let ten = context.terms_mut().ge(x, ten);
/// context.assert(ten);
/// assert_eq!(context.check(), Answer::Unsat);
/// context.pop();
///
/// assert_eq!(context.check(), Answer::Sat);
/// assert!(context.value(x).is_some());
/// # Ok::<(), craig_smt::term::DeclareError>(())
/// ```
///
/// Until the first [`push`](Context::push) the solver records its proof, so that interpolants of all assertions cost
/// no second search; later it forgets what is popped, and interpolants search again.
pub struct Context {
    terms: Terms,
    reader: Reader,
    solver: NativeSolver,
    budget: Budget,
    /// Every formula that was ever asserted.
    assertions: Vec<TermId>,
    /// The solver records a proof in which assertion `i` is part `i`, and knows nothing else.
    records: bool,
    /// The last check was without assumptions, its answer `Unsat`, and nothing has changed since.
    is_refuted: bool,
}

/// A formula that was asserted. It stands for its formula even after it was popped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Assertion(usize);

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

impl Context {
    /// Nothing is asserted, and nothing is limited.
    pub fn new() -> Self {
        Context {
            terms: Terms::new(),
            reader: Reader::new(),
            solver: NativeSolver::new(Options { proofs: true, ..Options::default() }),
            budget: Budget::unlimited(),
            assertions: Vec::new(),
            records: true,
            is_refuted: false,
        }
    }

    /// Limits everything that follows.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// The store of terms, to look at them.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The store of terms, to build them.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// A term as SMT-LIB text.
    pub fn show(&self, term: TermId) -> String {
        self.terms.to_smtlib(term)
    }

    /// Executes the declarations, definitions and assertions of an SMT-LIB script; what was declared before is known.
    /// The result has one entry for each `assert`. Other commands are errors, but for `set-logic`, `set-info` and
    /// `set-option`, which change nothing.
    pub fn read(&mut self, script: &str) -> Result<Vec<Assertion>, Error> {
        let mut input = CommandInput::new(script.as_bytes());
        let mut asserted = Vec::new();
        let unreadable = |error: std::io::Error| Error {
            position: Position { line: 1, column: 1 },
            message: error.to_string(),
        };
        while let Some(tree) = input.next_command().map_err(unreadable)? {
            let tree = tree?;
            match self.reader.command(&mut self.terms, &tree)? {
                Command::Assert { term, .. } => asserted.push(self.assert(term)),
                Command::SetLogic(_)
                | Command::SetInfo { .. }
                | Command::SetOption { .. }
                | Command::Declare(_)
                | Command::DeclareSort(_)
                | Command::Define { .. } => {}
                _ => return Err(tree.root().error("expected a declaration, a definition or an assertion")),
            }
        }
        Ok(asserted)
    }

    /// Asserts a formula, until the current scope is closed.
    pub fn assert(&mut self, formula: TermId) -> Assertion {
        let assertion = Assertion(self.assertions.len());
        self.is_refuted = false;
        self.assertions.push(formula);
        self.solver.assert_in_part(&self.terms, formula, assertion.0 as u32);
        assertion
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        if self.records {
            // A solver that records proofs never forgets.
            self.records = false;
            self.solver = NativeSolver::default();
            for &formula in &self.assertions {
                self.solver.assert(&mut self.terms, formula);
            }
        }
        self.is_refuted = false;
        self.solver.push();
    }

    /// Closes the scope that was opened last, and forgets what was asserted in it. Without one it does nothing.
    pub fn pop(&mut self) {
        self.is_refuted = false;
        self.solver.pop();
    }

    /// Whether all that is asserted has a model.
    pub fn check(&mut self) -> Answer {
        let answer = self.check_assuming(&[]);
        self.is_refuted = answer == Answer::Unsat;
        answer
    }

    /// Whether all that is asserted has a model in which the assumptions, which are literals or any other formulas, hold
    /// as well.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Answer {
        self.is_refuted = false;
        self.solver.check(&mut self.terms, assumptions, &self.budget)
    }

    /// The model of the last check, if it was `Sat`.
    pub fn model(&self) -> Option<&Model> {
        self.solver.model()
    }

    /// The value of a term in this model.
    pub fn value(&self, term: TermId) -> Option<Value> {
        self.terms.eval(term, self.solver.model()?).ok()
    }

    /// The assumptions that the last check needed, if it was `Unsat`.
    pub fn core(&self) -> &[TermId] {
        self.solver.core()
    }

    /// For groups `L_0 ... L_n` of assertions that have no common model: `I_1 ... I_n` with `L_0 ⇒ I_1`,
    /// `I_i ∧ L_i ⇒ I_{i+1}` and `I_n ∧ L_n ⇒ false`, where `I_i` has only symbols that occur both before and after
    /// it. Other assertions are not used.
    pub fn sequence_interpolants(&mut self, groups: &[&[Assertion]]) -> Interpolation {
        let cuts: Vec<Vec<bool>> =
            (1..groups.len()).map(|k| (0..groups.len()).map(|group| group < k).collect()).collect();
        self.interpolants(groups, &cuts)
    }

    /// The same for a tree: `parents[i]`, greater than `i`, is the parent of group `i`, and the last group is the
    /// root. There is one formula for each group but the root, such that a group and the formulas of its children imply
    /// its own, and contradict the root.
    pub fn tree_interpolants(&mut self, groups: &[&[Assertion]], parents: &[usize]) -> Interpolation {
        let cuts = interpolate::subtrees(parents, groups.len());
        self.interpolants(groups, &cuts)
    }

    /// One interpolant for each cut; a cut says of each group whether it is in `A`.
    fn interpolants(&mut self, groups: &[&[Assertion]], cuts: &[Vec<bool>]) -> Interpolation {
        let options = interpolate::Options::default();
        if self.records
            && self.is_refuted
            && let Some(group_of) = self.groups_of_all(groups)
        {
            let widen = |cut: &Vec<bool>| group_of.iter().map(|&group| cut[group]).collect();
            let cuts: Vec<Vec<bool>> = cuts.iter().map(widen).collect();
            let found = interpolate::from_proof(&mut self.terms, &self.solver, &cuts, &options, &self.budget);
            return match found {
                Ok(interpolants) => Interpolation::Interpolants(interpolants),
                Err(failure) => Interpolation::Unknown(failure),
            };
        }
        let parts: Vec<TermId> = groups
            .iter()
            .map(|group| {
                let formulas: Vec<TermId> = group.iter().map(|part| self.assertions[part.0]).collect();
                self.terms.and(&formulas)
            })
            .collect();
        interpolate::interpolate(&mut self.terms, &parts, cuts, &options, &self.budget)
    }

    /// The group of every assertion; none if one is in no group, or in two.
    fn groups_of_all(&self, groups: &[&[Assertion]]) -> Option<Vec<usize>> {
        let mut group_of: Vec<Option<usize>> = vec![None; self.assertions.len()];
        for (group, parts) in groups.iter().enumerate() {
            for part in parts.iter() {
                if group_of[part.0].replace(group).is_some() {
                    return None;
                }
            }
        }
        group_of.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: &str = "(declare-const x Int) (declare-const y Int) (declare-const z Int)
        (assert (>= x 5)) (assert (= y (+ x 1))) (assert (> z y)) (assert (< z 7))";

    /// Whether the interpolants of a sequence are what they have to be.
    fn are_right(context: &mut Context, parts: &[Assertion], interpolants: &[TermId]) -> bool {
        let formulas: Vec<TermId> = parts.iter().map(|part| context.assertions[part.0]).collect();
        (0..parts.len()).all(|k| {
            let before = if k == 0 { Terms::TRUE } else { interpolants[k - 1] };
            let after = interpolants.get(k).copied().unwrap_or(Terms::FALSE);
            let terms = &mut context.terms;
            let wrong = [before, formulas[k], terms.not(after)];
            let wrong = terms.and(&wrong);
            let mut solver = NativeSolver::default();
            solver.assert(terms, wrong);
            solver.check(terms, &[], &Budget::unlimited()) == Answer::Unsat
        })
    }

    #[test]
    fn interpolants_come_from_the_proof_or_from_a_second_search() {
        for scoped in [false, true] {
            let mut context = Context::new();
            if scoped {
                context.push();
            }
            let parts = context.read(CHAIN).expect("a script");
            assert_eq!(context.check(), Answer::Unsat);
            let groups: Vec<&[Assertion]> = parts.chunks(1).collect();
            let Interpolation::Interpolants(found) = context.sequence_interpolants(&groups) else {
                panic!("there are interpolants")
            };
            assert_eq!(found.len(), 3);
            assert!(are_right(&mut context, &parts, &found));
            let tree = context.tree_interpolants(&groups, &[1, 3, 3]);
            assert!(matches!(tree, Interpolation::Interpolants(found) if found.len() == 3));
        }
    }

    #[test]
    fn groups_with_a_model_have_no_interpolants() {
        let mut context = Context::new();
        let parts = context.read(CHAIN).expect("a script");
        assert_eq!(context.check(), Answer::Unsat);
        let some: Vec<&[Assertion]> = parts[..3].chunks(1).collect();
        assert!(matches!(context.sequence_interpolants(&some), Interpolation::Sat(_)));
    }

    #[test]
    fn scopes_forget_and_cores_name_assumptions() {
        let mut context = Context::new();
        context.read("(declare-const p Bool) (declare-const q Bool) (assert (or p q))").expect("a script");
        assert_eq!(context.check(), Answer::Sat);
        context.push();
        context.read("(assert (not p))").expect("a script");
        let q = context.terms.declare_const("q", Terms::BOOL).expect("the same constant");
        let not_q = context.terms.not(q);
        assert_eq!(context.check_assuming(&[not_q]), Answer::Unsat);
        assert_eq!(context.core(), [not_q]);
        assert_eq!(context.check(), Answer::Sat);
        assert_eq!(context.value(q), Some(Value::Bool(true)));
        context.pop();
        assert_eq!(context.check_assuming(&[not_q]), Answer::Sat);
        assert!(context.read("(check-sat)").is_err());
    }
}
