//! A solver with its terms, for those who want one object.

use crate::data::with_laws;
use crate::interpolate::{self, Dag, DagInterpolation, Failure, Interpolation};
use crate::native::{NativeSolver, Options};
use crate::proof::{Leaf, Refutation, StepKind};
use crate::quantified::{self, Outcome};
use crate::solver::{Answer, Solver, UnknownReason, Unsupported};
use craig_base::{Budget, Stats};
use craig_term::smtlib::{self, Command, CommandInput, Error, Position, Reader};
use craig_term::{DeclareError, FunId, Model, SortId, TermId, Terms, Value};
use std::collections::BTreeSet;

/// An incremental solver that owns its terms.
///
/// Formulas are built with [`terms_mut`](Context::terms_mut) or read as SMT-LIB with [`read`](Context::read), and
/// asserted; [`check`](Context::check) decides whether all that is asserted has a model. After `Sat` there is a
/// [`model`](Context::model), after `Unsat` there are interpolants of any groups of assertions, the assertions that
/// were [needed](Context::needed), and a [`core`](Context::core) of the assumptions. [`push`](Context::push) and [`pop`](Context::pop) open and close
/// scopes.
///
/// ```
/// use craig_smt::term::Terms;
/// use craig_smt::{Answer, Context};
///
/// let mut context = Context::new();
/// let x = context.constant("x", Terms::INT)?;
/// let terms = context.terms_mut();
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
/// Until the first [`push`](Context::push) or assumption the solver records its proof, so that interpolants of all
/// assertions cost no second search; later it forgets what is popped, and interpolants search again. Where none are
/// wanted, [`stop_recording`](Context::stop_recording) makes the search faster.
pub struct Context {
    terms: Terms,
    reader: Reader,
    solver: NativeSolver,
    budget: Budget,
    /// Every formula that was ever asserted.
    written: Vec<TermId>,
    /// The same with laws of data types.
    assertions: Vec<TermId>,
    /// Those that still are.
    in_force: Vec<Assertion>,
    /// How many were in force when each scope was opened.
    scopes: Vec<usize>,
    /// The solver records a proof in which assertion `i` is part `i`, and knows nothing else.
    records: bool,
    /// The last check was without assumptions, its answer `Unsat`, and nothing has changed since.
    is_refuted: bool,
    /// What became of the last check, if there were quantifiers to look at, and its assumptions.
    quantified: Option<(Outcome, Vec<TermId>)>,
}

/// How often one check of a script thinks again about products.
const MANY_CORRECTIONS: usize = 40;

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
            solver: NativeSolver::new(Options { proofs: true, products: false, ..Options::default() }),
            budget: Budget::unlimited(),
            written: Vec::new(),
            assertions: Vec::new(),
            in_force: Vec::new(),
            scopes: Vec::new(),
            records: true,
            is_refuted: false,
            quantified: None,
        }
    }

    /// The same terms and declarations, with nothing asserted and no scope open.
    pub fn without_assertions(self) -> Self {
        Context { terms: self.terms, reader: self.reader, budget: self.budget, ..Context::new() }
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

    /// The constant of this name, declared now or before; texts know it too. Declarations hold for ever, whatever scope
    /// they are made in.
    pub fn constant(&mut self, name: &str, sort: SortId) -> Result<TermId, DeclareError> {
        let symbol = self.function(name, &[], sort)?;
        Ok(self.terms.app(symbol, &[]))
    }

    /// The function of this name, declared now or before; texts know it too.
    pub fn function(
        &mut self,
        name: &str,
        parameters: &[SortId],
        result: SortId,
    ) -> Result<FunId, DeclareError> {
        self.reader.symbol(&mut self.terms, name, parameters, result)
    }

    /// The uninterpreted sort of this name, declared now or before; texts know it too.
    pub fn uninterpreted_sort(&mut self, name: &str) -> SortId {
        self.reader.uninterpreted_sort(&mut self.terms, name)
    }

    /// The operator of this name, applied; or what is wrong with that.
    ///
    /// ```
    /// # let mut context = craig_smt::Context::new();
    /// let x = context.constant("x", craig_smt::term::Terms::INT)?;
    /// let two = context.terms_mut().int(2);
    /// let product = context.apply("*", &[two, x])?;
    /// assert_eq!(context.show(product), "(* 2 x)");
    /// assert!(context.apply("and", &[two, x]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, operator: &str, args: &[TermId]) -> Result<TermId, String> {
        smtlib::operator(&mut self.terms, operator, args)
    }

    /// A declared function, applied; or what is wrong with that.
    pub fn call(&mut self, function: FunId, args: &[TermId]) -> Result<TermId, String> {
        smtlib::call(&mut self.terms, function, args)
    }

    /// The term that a text is; of this sort, if there is one.
    pub fn read_term(&mut self, text: &str, sort: Option<SortId>) -> Result<TermId, Error> {
        self.reader.term(&mut self.terms, text, sort)
    }

    /// The sort that a text is.
    pub fn read_sort(&mut self, text: &str) -> Result<SortId, Error> {
        self.reader.sort(&mut self.terms, text)
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
                | Command::DeclareSort
                | Command::Define { .. } => {}
                _ => return Err(tree.root().error("expected a declaration, a definition or an assertion")),
            }
        }
        Ok(asserted)
    }

    /// Reads one command of a script. Declarations and definitions are known from then on; nothing else is done.
    pub fn read_command(&mut self, tree: &smtlib::Tree) -> Result<Command, Error> {
        self.reader.command(&mut self.terms, tree)
    }

    /// Asserts a formula, until the current scope is closed.
    pub fn assert(&mut self, formula: TermId) -> Assertion {
        let assertion = Assertion(self.assertions.len());
        self.is_refuted = false;
        self.quantified = None;
        let known = with_laws(&mut self.terms, formula);
        self.written.push(formula);
        self.assertions.push(known);
        self.in_force.push(assertion);
        // What records no proof needs no parts, and simplifies all of them together.
        let part = if self.records { assertion.0 as u32 } else { 0 };
        self.solver.assert_in_part(&self.terms, known, part);
        assertion
    }

    /// What was asserted.
    pub fn formula(&self, assertion: Assertion) -> TermId {
        self.written[assertion.0]
    }

    /// All assertions of the open scopes.
    pub fn in_force(&self) -> &[Assertion] {
        &self.in_force
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        // A solver that records proofs never forgets.
        self.stop_recording();
        self.is_refuted = false;
        self.quantified = None;
        self.scopes.push(self.in_force.len());
        self.solver.push();
    }

    /// Records no proof from now on; interpolants and cores search again.
    pub fn stop_recording(&mut self) {
        if self.records {
            self.records = false;
            self.solver = NativeSolver::new(Options {
                corrections: MANY_CORRECTIONS,
                triangles: true,
                by_zero: true,
                ..Options::default()
            });
            for assertion in &self.in_force {
                self.solver.assert(&mut self.terms, self.assertions[assertion.0]);
            }
        }
    }

    /// Closes the scope that was opened last, and forgets what was asserted in it. Without one it does nothing.
    pub fn pop(&mut self) {
        let Some(before) = self.scopes.pop() else { return };
        self.in_force.truncate(before);
        self.is_refuted = false;
        self.quantified = None;
        self.solver.pop();
    }

    /// Whether all that is asserted has a model.
    pub fn check(&mut self) -> Answer {
        let mut answer = self.solver.check(&mut self.terms, &[], &self.budget);
        if self.records && answer == Answer::Unknown(UnknownReason::Unsupported(Unsupported::Nonlinear)) {
            // What is said about products has no place in a record.
            self.stop_recording();
            answer = self.solver.check(&mut self.terms, &[], &self.budget);
        }
        self.quantified = None;
        self.is_refuted = answer == Answer::Unsat;
        self.with_quantifiers(answer, &[])
    }

    /// Looks at quantifiers, which the solver leaves open.
    fn with_quantifiers(&mut self, answer: Answer, assumptions: &[TermId]) -> Answer {
        let assertions = self.in_force.iter().map(|assertion| self.assertions[assertion.0]);
        let formulas: Vec<TermId> = assertions.chain(assumptions.iter().copied()).collect();
        if !matches!(answer, Answer::Unknown(UnknownReason::Unsupported(_)))
            || !quantified::is_quantified(&self.terms, &formulas)
        {
            return answer;
        }
        let outcome = quantified::check(&mut self.terms, &formulas, &self.budget);
        let answer = outcome.answer.clone();
        self.quantified = Some((outcome, assumptions.to_vec()));
        answer
    }

    /// Whether all that is asserted has a model in which the assumptions, which are literals or any other formulas, hold
    /// as well.
    pub fn check_assuming(&mut self, assumptions: &[TermId]) -> Answer {
        if assumptions.is_empty() {
            return self.check();
        }
        // An assumption would become part of the record without being a part of its own.
        self.stop_recording();
        self.is_refuted = false;
        self.quantified = None;
        let answer = self.solver.check(&mut self.terms, assumptions, &self.budget);
        self.with_quantifiers(answer, assumptions)
    }

    /// The model of the last check, if it was `Sat`.
    pub fn model(&self) -> Option<&Model> {
        match &self.quantified {
            Some((outcome, _)) => outcome.model.as_ref(),
            None => self.solver.model(),
        }
    }

    /// The value of a term in this model.
    pub fn value(&self, term: TermId) -> Option<Value> {
        self.terms.eval(term, self.model()?).ok()
    }

    /// The assumptions that the last check needed, if it was `Unsat`.
    pub fn core(&self) -> &[TermId] {
        match &self.quantified {
            Some((_, assumptions)) => assumptions,
            None => self.solver.core(),
        }
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> Stats {
        self.solver.stats()
    }

    /// Assertions in force that have no common model, as the proof that they have none needs them; not the fewest.
    pub fn needed(&mut self) -> Interpolation<Vec<Assertion>> {
        self.needed_with(&[])
    }

    /// The same for assertions that have no model together with the assumptions.
    pub fn needed_with(&mut self, assumptions: &[TermId]) -> Interpolation<Vec<Assertion>> {
        if let Some((Outcome { answer: Answer::Unsat, needed, .. }, _)) = &self.quantified {
            let needed = needed.iter().filter_map(|&part| self.in_force.get(part)).copied();
            return Interpolation::Interpolants(needed.collect());
        }
        let used = self.with_refutation(assumptions, |_, _, refutation| {
            let inputs = refutation.steps.iter().filter_map(|step| match step.kind {
                StepKind::Leaf(Leaf::Input { part }) => Some(part as usize),
                _ => None,
            });
            inputs.collect::<BTreeSet<usize>>()
        });
        used.map(|used| used.into_iter().filter_map(|part| self.in_force.get(part)).copied().collect())
    }

    /// Looks at a refutation of all assertions in force, whose parts are numbered by their order, and of the assumptions,
    /// which are the last parts: that of the last check, if it was recorded, or of another search.
    pub(crate) fn with_refutation<T>(
        &mut self,
        assumptions: &[TermId],
        look: impl FnOnce(&mut Terms, &NativeSolver, &Refutation) -> T,
    ) -> Interpolation<T> {
        let again;
        // While a proof is recorded all assertions are in force, and so have the same numbers.
        let solver = if self.records && self.is_refuted {
            &self.solver
        } else {
            let mut solver =
                NativeSolver::new(Options { proofs: true, products: false, ..Options::default() });
            let assertions = self.in_force.iter().map(|assertion| self.assertions[assertion.0]);
            for (part, formula) in assertions.chain(assumptions.iter().copied()).enumerate() {
                solver.assert_in_part(&self.terms, formula, part as u32);
            }
            match solver.check(&mut self.terms, &[], &self.budget) {
                Answer::Unsat => {}
                Answer::Sat => return Interpolation::Sat(solver.model().cloned().unwrap_or_default()),
                Answer::Unknown(reason) => return Interpolation::Unknown(Failure::Solver(reason)),
            }
            again = solver;
            &again
        };
        match solver.refutation().map(|root| Refutation::extract(solver.proof(), root)) {
            Some(Ok(refutation)) => Interpolation::Interpolants(look(&mut self.terms, solver, &refutation)),
            _ => Interpolation::Unknown(Failure::BrokenProof),
        }
    }

    /// For groups `L_0 ... L_n` of assertions that have no common model: `I_1 ... I_n` with `L_0 ⇒ I_1`,
    /// `I_i ∧ L_i ⇒ I_{i+1}` and `I_n ∧ L_n ⇒ false`, where `I_i` has only symbols that occur both before and after
    /// it. Other assertions are not used.
    pub fn sequence_interpolants(&mut self, groups: &[&[Assertion]]) -> Interpolation {
        let parents: Vec<usize> = (1..groups.len()).collect();
        self.tree_interpolants(groups, &parents)
    }

    /// The same for a tree: `parents[i]`, greater than `i`, is the parent of group `i`, and the last group is the
    /// root. There is one formula for each group but the root, such that a group and the formulas of its children imply
    /// its own, and contradict the root.
    pub fn tree_interpolants(&mut self, groups: &[&[Assertion]], parents: &[usize]) -> Interpolation {
        let options = interpolate::Options::default();
        if self.records
            && self.is_refuted
            && let Some(group_of) = self.groups_of_all(groups)
        {
            let widen = |cut: Vec<bool>| group_of.iter().map(|&group| cut[group]).collect();
            let cuts: Vec<Vec<bool>> =
                interpolate::subtrees(parents, groups.len()).into_iter().map(widen).collect();
            match interpolate::from_proof(&mut self.terms, &self.solver, &cuts, &options, &self.budget) {
                Ok(interpolants) => return Interpolation::Interpolants(interpolants),
                // Another proof, of the groups as they are, may do.
                Err(Failure::MixedReasoning) => {}
                Err(failure) => return Interpolation::Unknown(failure),
            }
        }
        let parts: Vec<TermId> = groups.iter().map(|group| self.conjunction(group)).collect();
        self.tree_interpolants_of(&parts, parents)
    }

    /// All of a group in one formula.
    pub fn conjunction(&mut self, group: &[Assertion]) -> TermId {
        let formulas: Vec<TermId> = group.iter().map(|part| self.assertions[part.0]).collect();
        self.terms.and(&formulas)
    }

    /// The same of formulas. Nothing that is asserted is used.
    pub fn tree_interpolants_of(&mut self, parts: &[TermId], parents: &[usize]) -> Interpolation {
        let options = interpolate::Options::default();
        interpolate::tree_by_steps(&mut self.terms, parts, parents, &options, &self.budget)
    }

    /// The interpolants of a sequence of formulas. Nothing that is asserted is used.
    pub fn sequence_interpolants_of(&mut self, parts: &[TermId]) -> Interpolation {
        interpolate::sequence(&mut self.terms, parts, &interpolate::Options::default(), &self.budget)
    }

    /// A label for each node of a graph whose paths from the first node to the last have no model, such that a label and
    /// an edge imply the next label: `true` at the first node, `false` at the last. Nothing that is asserted is used.
    pub fn dag_interpolants(&mut self, dag: &Dag) -> DagInterpolation {
        let (method, options) = (interpolate::Method::default(), interpolate::Options::default());
        interpolate::dag(&mut self.terms, dag, method, &options, &self.budget)
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

    #[test]
    fn texts_and_calls_share_their_symbols() {
        let mut context = Context::new();
        let f = context.function("f", &[Terms::INT], Terms::INT).expect("new");
        assert_eq!(context.function("f", &[Terms::INT], Terms::INT), Ok(f));
        assert!(context.constant("f", Terms::INT).is_err());
        let x = context.constant("a b", Terms::INT).expect("new");
        let text = context.read_term("(f |a b|)", None).expect("a term");
        assert_eq!(context.call(f, &[x]), Ok(text));
        assert!(context.read_term("(f x) (f x)", None).is_err());
        assert!(context.read_term("", None).is_err());
        assert!(context.call(f, &[text, text]).is_err());
        assert!(context.apply("f", &[text]).is_err());
        let sort = context.uninterpreted_sort("U");
        assert_eq!(
            context.read_sort("(Array U U)").map(|sort| context.terms.sort_name(sort)).ok().as_deref(),
            Some("(Array U U)")
        );
        assert_eq!(context.read_sort("U"), Ok(sort));
    }

    /// What an assumption says is no part of any assertion, though the solver remembers its clauses.
    #[test]
    fn interpolants_do_not_come_from_assumptions() {
        let mut context = Context::new();
        context
            .read("(declare-const a Bool) (declare-const b Bool) (declare-const p Bool)")
            .expect("a script");
        let both = context.read_term("(and a b)", None).expect("a term");
        let parts = context.read("(assert p) (assert (=> p (and a b)))").expect("a script");
        assert_eq!(context.check_assuming(&[both]), Answer::Sat);
        let last = context.read("(assert (not (and a b)))").expect("a script");
        assert_eq!(context.check(), Answer::Unsat);
        let groups = [&parts[..1], &[parts[1], last[0]]];
        let found = context.sequence_interpolants(&groups);
        let p = context.constant("p", Terms::BOOL).expect("known");
        assert_eq!(found, Interpolation::Interpolants(vec![p]));
    }

    #[test]
    fn what_the_proof_needs_is_unsatisfiable() {
        for scoped in [false, true] {
            let mut context = Context::new();
            context.read("(declare-const x Int) (assert (> x 7))").expect("a script");
            if scoped {
                context.push();
            }
            let parts = context.read("(assert (> x 3)) (assert (< x 2)) (assert (= x x))").expect("a script");
            assert_eq!(context.check(), Answer::Unsat);
            let Interpolation::Interpolants(needed) = context.needed() else { panic!("unsatisfiable") };
            assert!(needed.contains(&parts[1]) && needed.len() == 2, "{needed:?}");
            context.pop();
            assert_eq!(context.in_force().len(), if scoped { 1 } else { 4 });
        }
    }
}
