//! Data types in models of Horn clauses.
//!
//! The solver knows constructors, selectors, testers and folds as functions about which nothing is known. So what is to
//! be refuted gets instances of their laws, each of which holds in every term algebra: definitions of folds, what is
//! proved of all data, and what testers and selectors say. Too few of them leave a clause undecided; none can make it
//! hold that does not.
//!
//! What a model says of all data is proved by induction over terms: for each constructor, it holds if it holds for the
//! arguments. What it says of any two different elements, by induction over both at once: of two terms of one
//! constructor that differ, some arguments at the same place differ.

use craig_base::{Map, OrderedSet, Set};
use craig_chc::{Fact, Fold, Folds};
use craig_term::{Constructor, FunId, Op, Role, TermId, Terms};

/// The folds of a model, once it is clear that they are defined by recursion.
pub struct Meaning<'a> {
    folds: &'a Folds,
    functions: Map<FunId, &'a Fold>,
}

impl<'a> Meaning<'a> {
    pub fn new(terms: &Terms, folds: &'a Folds) -> Option<Self> {
        let functions: Map<FunId, &Fold> = folds.functions.iter().map(|fold| (fold.symbol, fold)).collect();
        let once = functions.len() == folds.functions.len();
        let recursive = folds.functions.iter().all(|fold| is_recursive(terms, &functions, fold));
        let closed = folds.facts.iter().all(|fact| is_closed(terms, &functions, fact));
        (once && recursive && closed).then_some(Meaning { folds, functions })
    }

    /// Whether one of the functions occurs in a term.
    pub fn defines_part_of(&self, terms: &Terms, roots: &[TermId]) -> bool {
        !self.functions.is_empty()
            && terms
                .postorder(roots)
                .into_iter()
                .any(|t| matches!(terms.op(t), Op::App(symbol) if self.functions.contains_key(&symbol)))
    }

    /// What is unsatisfiable if the facts hold, with the number of the fact.
    pub fn violations(&self, terms: &mut Terms) -> Vec<(usize, Explained)> {
        let mut violations = Vec::new();
        for (number, fact) in self.folds.facts.iter().enumerate() {
            let made = terms.constructors(terms.sort(fact.parameters[0])).to_vec();
            for one in &made {
                let (a, left) = fresh(terms, one);
                if let [_] = fact.parameters[..] {
                    violations.push((number, self.violation(terms, fact, &[a], Terms::TRUE)));
                    continue;
                }
                for other in &made {
                    let (b, right) = fresh(terms, other);
                    if one != other {
                        violations.push((number, self.violation(terms, fact, &[a, b], Terms::TRUE)));
                        continue;
                    }
                    for (&x, &y) in left.iter().zip(&right) {
                        let differ = self.differ(terms, x, y);
                        violations.push((number, self.violation(terms, fact, &[a, b], differ)));
                    }
                }
            }
        }
        violations
    }

    fn violation(&self, terms: &mut Terms, fact: &Fact, of: &[TermId], premise: TermId) -> Explained {
        let holds = fact.instantiate(terms, of);
        let violated = terms.not(holds);
        let all = terms.and2(premise, violated);
        self.explained(terms, all, false)
    }

    /// What is known of two elements that are different, by the hypothesis of induction if they are data.
    fn differ(&self, terms: &mut Terms, x: TermId, y: TermId) -> TermId {
        let sort = terms.sort(x);
        if !terms.is_data(sort) {
            let equal = terms.eq(x, y);
            return terms.not(equal);
        }
        let mut known = Vec::new();
        for fact in &self.folds.facts {
            if fact.parameters.len() == 2 && terms.sort(fact.parameters[0]) == sort {
                known.push(fact.instantiate(terms, &[x, y]));
            }
        }
        terms.and(&known)
    }

    /// A formula together with what has to be known about the data in it.
    pub fn explain(&self, terms: &mut Terms, formula: TermId) -> Explained {
        self.explained(terms, formula, true)
    }

    /// What two elements tell about their difference is used only where it has been proved: `differences`.
    fn explained(&self, terms: &mut Terms, formula: TermId, differences: bool) -> Explained {
        if !terms.has_data() {
            return Explained { formula, laws: Vec::new() };
        }
        let mut known: OrderedSet<TermId> = OrderedSet::default();
        known.insert(formula);
        let mut of_the_model = vec![formula];
        let mut laws = Vec::new();
        let mut seen: Set<TermId> = Set::default();
        let mut next = 0;
        while let Some(&formula) = known.get_index(next) {
            next += 1;
            for t in terms.postorder(&[formula]) {
                if seen.insert(t) {
                    for fact in self.facts_about(terms, t, differences) {
                        if known.insert(fact) {
                            of_the_model.push(fact);
                        }
                    }
                    for law in self.laws(terms, t) {
                        if law != Terms::TRUE && known.insert(law) {
                            laws.push(law);
                        }
                    }
                }
            }
        }
        Explained { formula: terms.and(&of_the_model), laws }
    }

    /// What the model says about one term.
    fn facts_about(&self, terms: &mut Terms, t: TermId, differences: bool) -> Vec<TermId> {
        let mut facts = Vec::new();
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::App(symbol) => {
                if let Some(fold) = self.functions.get(&symbol) {
                    facts.extend(definition(terms, fold, t, args[0]));
                }
            }
            Op::Eq if differences && terms.is_data(terms.sort(args[0])) => {
                let differ = self.differ(terms, args[0], args[1]);
                facts.push(terms.or2(t, differ));
            }
            _ => {}
        }
        let sort = terms.sort(t);
        if terms.is_data(sort) && terms.constructor_of(t).is_none() {
            for fact in &self.folds.facts {
                if fact.parameters.len() == 1 && terms.sort(fact.parameters[0]) == sort {
                    facts.push(fact.instantiate(terms, &[t]));
                }
            }
        }
        facts
    }

    /// The laws of data types about one term: whatever a model says, they are valid.
    fn laws(&self, terms: &mut Terms, t: TermId) -> Vec<TermId> {
        let mut laws = Vec::new();
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            Op::App(symbol) => {
                if let Some(Role::Selector(..) | Role::Tester(_)) = terms.role(symbol)
                    && terms.constructor_of(args[0]).is_none()
                {
                    made_somehow(terms, args[0], &mut laws);
                }
            }
            Op::Eq if terms.is_data(terms.sort(args[0])) => {
                for (x, value) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(constructor) = terms.constructor_of(value) {
                        self.made_so(terms, t, x, value, constructor, &mut laws);
                    }
                }
            }
            _ => {}
        }
        laws
    }

    /// What follows for `x` if it is equal to a term of a constructor.
    fn made_so(
        &self,
        terms: &mut Terms,
        equal: TermId,
        x: TermId,
        value: TermId,
        constructor: FunId,
        laws: &mut Vec<TermId>,
    ) {
        // Terms are finite.
        if is_argument(terms, x, value) {
            laws.push(terms.not(equal));
        }
        let sort = terms.sort(x);
        for fold in &self.folds.functions {
            if terms.signature(fold.symbol).0 == [sort] {
                let [left, right] = [x, value].map(|of| terms.app(fold.symbol, &[of]));
                let same = terms.eq(left, right);
                laws.push(terms.implies(equal, same));
            }
        }
        let made = terms.constructors(sort).iter().find(|made| made.symbol == constructor).cloned();
        let Some(made) = made else { return };
        let test = terms.app(made.tester, &[x]);
        laws.push(terms.implies(equal, test));
        let args = terms.args(value).to_vec();
        for (&selector, arg) in made.selectors.iter().zip(args) {
            let part = terms.app(selector, &[x]);
            let same = terms.eq(part, arg);
            laws.push(terms.implies(equal, same));
        }
    }
}

/// A formula with what the model says about the data in it, and with laws of data types, each of them valid.
#[derive(Clone, Debug)]
pub struct Explained {
    pub formula: TermId,
    pub laws: Vec<TermId>,
}

/// Whether `x` is an argument of the constructors that a term begins with. What selectors are applied to does not count.
fn is_argument(terms: &Terms, x: TermId, value: TermId) -> bool {
    let mut open = vec![value];
    while let Some(t) = open.pop() {
        if terms.constructor_of(t).is_some() {
            open.extend(terms.args(t).iter().filter(|&&arg| terms.is_data(terms.sort(arg))));
        } else if t == x {
            return true;
        }
    }
    false
}

/// Whether a function has one case for each constructor, over its arguments and folds of them.
fn is_recursive(terms: &Terms, functions: &Map<FunId, &Fold>, fold: &Fold) -> bool {
    let (&[sort], result) = terms.signature(fold.symbol) else { return false };
    let made = terms.constructors(sort);
    terms.role(fold.symbol).is_none()
        && !made.is_empty()
        && made.len() == fold.cases.len()
        && made.iter().zip(&fold.cases).all(|(made, case)| {
            let sorts: Vec<_> = case.parameters.iter().map(|&x| terms.sort(x)).collect();
            let parameters: Set<TermId> = case.parameters.iter().copied().collect();
            sorts == terms.signature(made.symbol).0
                && parameters.len() == sorts.len()
                && terms.sort(case.body) == result
                && is_over(terms, functions, case.body, &parameters)
        })
}

/// Whether a term speaks of nothing but the parameters, and of those that are data only by folds.
fn is_over(terms: &Terms, functions: &Map<FunId, &Fold>, t: TermId, parameters: &Set<TermId>) -> bool {
    let is_data = |t: &TermId| terms.is_data(terms.sort(*t));
    terms.postorder(&[t]).into_iter().all(|t| match terms.op(t) {
        Op::Const(_) => parameters.contains(&t),
        Op::App(symbol) => {
            functions.contains_key(&symbol) && terms.args(t).iter().all(|arg| parameters.contains(arg))
        }
        Op::Forall | Op::Exists => false,
        _ => !is_data(&t) && !terms.args(t).iter().any(is_data),
    })
}

/// Whether a fact is about one or two elements of a data type, and about nothing else.
fn is_closed(terms: &Terms, functions: &Map<FunId, &Fold>, fact: &Fact) -> bool {
    let sorts: Set<_> = fact.parameters.iter().map(|&x| terms.sort(x)).collect();
    let parameters: Set<TermId> = fact.parameters.iter().copied().collect();
    (1..=2).contains(&fact.parameters.len())
        && parameters.len() == fact.parameters.len()
        && sorts.len() == 1
        && fact
            .parameters
            .iter()
            .all(|&x| terms.is_data(terms.sort(x)) && matches!(terms.op(x), Op::Const(_)))
        && terms.is_bool(fact.formula)
        && is_over(terms, functions, fact.formula, &parameters)
}

/// The value of a fold where it is known how its argument was made.
fn definition(terms: &mut Terms, fold: &Fold, t: TermId, of: TermId) -> Option<TermId> {
    if terms.op(of) == Op::Ite {
        let &[condition, then, otherwise] = terms.args(of) else { return None };
        let [then, otherwise] = [then, otherwise].map(|branch| terms.app(fold.symbol, &[branch]));
        let value = terms.ite(condition, then, otherwise);
        return Some(terms.eq(t, value));
    }
    let constructor = terms.constructor_of(of)?;
    let made = terms.constructors(terms.sort(of)).iter().position(|made| made.symbol == constructor)?;
    let args = terms.args(of).to_vec();
    let value = fold.cases[made].instantiate(terms, &args);
    Some(terms.eq(t, value))
}

/// Exactly one constructor made an element, from what its selectors give.
fn made_somehow(terms: &mut Terms, x: TermId, laws: &mut Vec<TermId>) {
    let made = terms.constructors(terms.sort(x)).to_vec();
    let tests: Vec<TermId> = made.iter().map(|made| terms.app(made.tester, &[x])).collect();
    laws.push(terms.or(&tests));
    for (i, &one) in tests.iter().enumerate() {
        for &other in &tests[i + 1..] {
            let both = terms.and2(one, other);
            laws.push(terms.not(both));
        }
        let parts: Vec<TermId> = made[i].selectors.iter().map(|&part| terms.app(part, &[x])).collect();
        let value = terms.app(made[i].symbol, &parts);
        let equal = terms.eq(x, value);
        laws.push(terms.implies(one, equal));
    }
}

/// A term of a constructor and new constants.
fn fresh(terms: &mut Terms, made: &Constructor) -> (TermId, Vec<TermId>) {
    let sorts = terms.signature(made.symbol).0.to_vec();
    let args: Vec<TermId> = sorts.into_iter().map(|sort| terms.fresh_const("e", sort)).collect();
    (terms.app(made.symbol, &args), args)
}

#[cfg(test)]
mod tests {
    use crate::{HornRejection, Place, check_model};
    use craig_base::{Budget, IndexVec};
    use craig_chc::{Case, Fact, Fold, Folds, Interpretation, System, read_system};
    use craig_term::{Model, TermId, Terms, Value};

    /// Numbers, of which some are even; and a fold that is `step` of its value for the predecessor.
    fn judge(
        query: &str,
        step: impl Fn(&mut Terms, TermId) -> TermId,
        fact: impl Fn(&mut Terms, TermId) -> TermId,
    ) -> Result<(), HornRejection> {
        let text = format!(
            "(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))(declare-fun even (Nat) Bool)
             (assert (even Z)) (assert (forall ((x Nat)) (=> (even x) (even (S (S x))))))
             (assert (forall ((x Nat)) (=> {query} false)))"
        );
        let mut terms = Terms::new();
        let terms = &mut terms;
        let system: System = read_system(terms, text.as_bytes()).expect("clauses");
        let predicate = system.predicates.iter().next().expect("one").parameters[0];
        let sort = terms.sort(predicate);
        let symbol = terms.declare_fun("state", &[sort], Terms::INT).expect("a new name");
        let x = terms.fresh_const("x", sort);
        let before = terms.app(symbol, &[x]);
        let body = step(terms, before);
        let zero = terms.int(0);
        let cases = vec![Case { parameters: Vec::new(), body: zero }, Case { parameters: vec![x], body }];
        let known = fact(terms, before);
        let state = terms.app(symbol, &[predicate]);
        let even = terms.eq(state, zero);
        let folds = Folds {
            functions: vec![Fold { symbol, cases }],
            facts: vec![Fact { parameters: vec![x], formula: known }],
        };
        let model = Interpretation { formulas: IndexVec::from_elem(even, 1), folds };
        check_model(terms, &system, &model, &Budget::unlimited())
    }

    fn flip(terms: &mut Terms, state: TermId) -> TermId {
        let one = terms.int(1);
        terms.sub(one, state)
    }

    fn bit(terms: &mut Terms, state: TermId) -> TermId {
        let (zero, one) = (terms.int(0), terms.int(1));
        let bounds = [terms.le(zero, state), terms.le(state, one)];
        terms.and(&bounds)
    }

    #[test]
    fn automata_are_models() {
        assert_eq!(judge("(and (even x) (even (S x)))", flip, bit), Ok(()));
        assert_eq!(judge("(and (even x) ((_ is S) x) (even (p x)))", flip, bit), Ok(()));
    }

    #[test]
    fn wrong_models_are_rejected() {
        let of = |judgement: Result<(), HornRejection>| judgement.expect_err("it is wrong");
        let same = |_: &mut Terms, state: TermId| state;
        let nothing = |_: &mut Terms, _: TermId| Terms::TRUE;
        assert!(matches!(
            of(judge("(and (even x) (even (S x)))", same, nothing)),
            HornRejection::Undecided(..)
        ));
        assert!(matches!(of(judge("(even (S (S x)))", flip, bit)), HornRejection::Undecided(..)));
        assert!(matches!(of(judge("(and (even x) ((_ is S) x))", flip, bit)), HornRejection::Undecided(..)));
        assert!(matches!(
            of(judge("(and (even x) ((_ is S) x) (= (p x) (S (p (p x)))))", flip, bit)),
            HornRejection::Undecided(..)
        ));
        // Not all states are zero, although the model says so.
        let zero = |terms: &mut Terms, state: TermId| {
            let zero = terms.int(0);
            terms.eq(state, zero)
        };
        let wrong_fact = of(judge("(and (even x) (even (S x)))", flip, zero));
        assert!(matches!(
            wrong_fact,
            HornRejection::Undecided(Place::Fact(0), _) | HornRejection::Clause(Place::Fact(0))
        ));
    }

    /// Laws are true of all elements, as far as they speak of what has a value.
    #[test]
    fn laws_are_laws() {
        let text = "(declare-datatypes ((L 0)) (((nil) (cons (head L) (tail L)))))(declare-fun p (L L L) Bool)
            (assert (forall ((x L) (y L) (z L)) (=> (or
                (= x (cons y (tail x))) (= (head y) nil) ((_ is nil) z) (= z (cons x (cons y nil))) (= x (tail x))
                (= (cons x y) (tail z)) (= (ite (= x y) x (cons z z)) y)) (p x y z))))";
        let mut terms = Terms::new();
        let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
        let clause = system.clauses.iter().next().expect("one");
        let folds = Folds::default();
        let meaning = super::Meaning::new(&terms, &folds).expect("there are none");
        let laws = meaning.explain(&mut terms, clause.constraint).laws;
        let variables = clause.variables(&terms);
        let made: Vec<_> =
            terms.constructors(terms.sort(variables[0])).iter().map(|made| made.symbol).collect();
        let nil = terms.app(made[0], &[]);
        let one = terms.app(made[1], &[nil, nil]);
        let mut elements = vec![nil, one];
        for (head, tail) in [(nil, one), (one, nil), (one, one)] {
            elements.push(terms.app(made[1], &[head, tail]));
        }
        let mut judged = 0;
        for &x in &elements {
            for &y in &elements {
                for &z in &elements {
                    let mut model = Model::new();
                    for (&variable, value) in variables.iter().zip([x, y, z]) {
                        model.set(variable, Value::Data(value));
                    }
                    for &law in &laws {
                        let truth = terms.eval_bool(law, &model);
                        assert_ne!(truth, Ok(false), "{}", terms.to_smtlib(law));
                        judged += usize::from(truth.is_ok());
                    }
                }
            }
        }
        assert!(judged > 1000, "{judged}");
    }
}
