//! Horn clause systems and their answers.

use crate::axioms::{Axiom, has_functions};
use crate::data::Folds;
use craig_base::{IndexVec, Map, index_type};
use craig_term::{Op, SortId, Substitution, TermId, Terms, Value};

index_type!(
    /// A predicate of one [`System`].
    pub PredicateId,
    "p"
);
index_type!(
    /// A clause of one [`System`].
    pub ClauseId,
    "c"
);
index_type!(
    /// A step of one [`Derivation`].
    pub StepId,
    "d"
);

#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: String,
    /// Constants over which interpretations of this predicate are written. No clause uses them.
    pub parameters: Vec<TermId>,
    /// Not of the input: models are shown without it.
    pub auxiliary: bool,
}

impl Predicate {
    pub fn new(terms: &mut Terms, name: &str, sorts: &[SortId]) -> Self {
        let parameters = sorts.iter().map(|&sort| terms.fresh_const("x", sort)).collect();
        Predicate { name: name.to_string(), parameters, auxiliary: false }
    }

    /// `body`, which is written over the parameters, with `args` in their place.
    pub fn instantiate(&self, terms: &mut Terms, body: TermId, args: &[TermId]) -> TermId {
        let pairs = self.parameters.iter().copied().zip(args.iter().copied());
        Substitution::from_pairs(pairs).apply(terms, body)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub predicate: PredicateId,
    pub args: Vec<TermId>,
}

/// `body and constraint imply head`, for all values of the variables, which are the constants that
/// occur. No head means `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub body: Vec<Application>,
    pub constraint: TermId,
    pub head: Option<Application>,
}

impl Clause {
    /// The constants of the clause, in order of creation.
    pub fn variables(&self, terms: &Terms) -> Vec<TermId> {
        terms.free_consts_of(&self.roots())
    }

    pub fn roots(&self) -> Vec<TermId> {
        let mut roots = vec![self.constraint];
        for application in self.body.iter().chain(&self.head) {
            roots.extend_from_slice(&application.args);
        }
        roots
    }

    pub fn substitute(&self, terms: &mut Terms, substitution: &mut Substitution) -> Clause {
        let mut apply = |application: &Application| Application {
            predicate: application.predicate,
            args: application.args.iter().map(|&arg| substitution.apply(terms, arg)).collect(),
        };
        let body = self.body.iter().map(&mut apply).collect();
        let head = self.head.as_ref().map(&mut apply);
        Clause { body, constraint: substitution.apply(terms, self.constraint), head }
    }

    /// The clause over new variables.
    pub fn renamed(&self, terms: &mut Terms) -> Clause {
        let mut pairs = Vec::new();
        for variable in self.variables(terms) {
            let name = terms.const_name(variable).unwrap_or("x").split('!').next().unwrap_or("x").to_string();
            pairs.push((variable, terms.fresh_const(&name, terms.sort(variable))));
        }
        self.substitute(terms, &mut Substitution::from_pairs(pairs))
    }
}

#[derive(Clone, Debug, Default)]
pub struct System {
    pub predicates: IndexVec<PredicateId, Predicate>,
    pub clauses: IndexVec<ClauseId, Clause>,
    /// What is known about functions; the clauses have the instances that they need.
    pub axioms: Vec<Axiom>,
}

impl System {
    /// Whether a derivation relies on what a function is.
    pub fn needs_functions(&self, terms: &Terms, derivation: &Derivation) -> bool {
        derivation.steps.iter().any(|step| has_functions(terms, &self.clauses[step.clause]))
    }
}

/// One formula for each predicate, over its parameters.
#[derive(Clone, Debug)]
pub struct Interpretation {
    pub formulas: IndexVec<PredicateId, TermId>,
    /// Functions of data that the formulas use.
    pub folds: Folds,
}

impl Interpretation {
    pub fn new(formulas: IndexVec<PredicateId, TermId>) -> Self {
        Interpretation { formulas, folds: Folds::default() }
    }

    /// The formula that stands for an application.
    pub fn apply(&self, terms: &mut Terms, system: &System, application: &Application) -> TermId {
        let predicate = &system.predicates[application.predicate];
        predicate.instantiate(terms, self.formulas[application.predicate], &application.args)
    }

    /// What is unsatisfiable if the interpretation satisfies the clause: its body without its head.
    pub fn violation(&self, terms: &mut Terms, system: &System, clause: &Clause) -> TermId {
        let mut parts = vec![clause.constraint];
        for application in &clause.body {
            parts.push(self.apply(terms, system, application));
        }
        if let Some(head) = &clause.head {
            let holds = self.apply(terms, system, head);
            parts.push(terms.not(holds));
        }
        terms.and(&parts)
    }

    /// The same in parts: one for each location at which the interpretation says that the only premise can be. A question
    /// about one step from one location is much easier than one about all of them.
    pub fn violations(&self, terms: &mut Terms, system: &System, clause: &Clause) -> Vec<TermId> {
        let mut at_location = self.clone();
        let premise = match &clause.body[..] {
            [premise] => premise.predicate,
            _ => return vec![self.violation(terms, system, clause)],
        };
        let unmet = Clause { head: None, ..clause.clone() };
        let avoided = clause.head.as_ref().map(|head| self.apply(terms, system, head));
        let avoided = avoided.map_or(Terms::TRUE, |holds| terms.not(holds));
        let mut parts = Vec::new();
        for location in locations(terms, self.formulas[premise]) {
            at_location.formulas[premise] = location;
            let met = at_location.violation(terms, system, &unmet);
            parts.push(terms.and2(met, avoided));
        }
        parts
    }
}

/// A formula as cases of which no two can hold together, since some constant has different values in them; the formula
/// itself if it does not consist of such cases.
fn locations(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let conjuncts = conjuncts(terms, formula);
    let Some(at) = conjuncts.iter().position(|&conjunct| are_locations(terms, conjunct)) else {
        return vec![formula];
    };
    let mut parts = conjuncts.clone();
    let cases = terms.args(conjuncts[at]).to_vec();
    let mut located = |case: TermId| {
        parts[at] = case;
        terms.and(&parts)
    };
    cases.into_iter().map(&mut located).collect()
}

fn are_locations(terms: &Terms, disjunction: TermId) -> bool {
    if terms.op(disjunction) != Op::Or {
        return false;
    }
    let fixed: Vec<Map<TermId, TermId>> =
        terms.args(disjunction).iter().map(|&case| fixed(terms, case)).collect();
    let apart = |one: &Map<TermId, TermId>, other: &Map<TermId, TermId>| {
        one.iter().any(|(constant, value)| other.get(constant).is_some_and(|different| different != value))
    };
    fixed.iter().enumerate().all(|(at, one)| fixed[..at].iter().all(|other| apart(one, other)))
}

/// The parts of a conjunction, or the formula itself.
pub(crate) fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    if terms.op(formula) == Op::And { terms.args(formula).to_vec() } else { vec![formula] }
}

/// The constants that have one value where a conjunction holds.
fn fixed(terms: &Terms, conjunction: TermId) -> Map<TermId, TermId> {
    let mut values = Map::default();
    for literal in conjuncts(terms, conjunction) {
        let (atom, negated) = terms.strip_not(literal);
        if matches!(terms.op(atom), Op::Const(_)) {
            values.insert(atom, if negated { Terms::FALSE } else { Terms::TRUE });
        } else if !negated && terms.op(atom) == Op::Eq && terms.number(terms.arg(atom, 1)).is_some() {
            values.insert(terms.arg(atom, 0), terms.arg(atom, 1));
        }
    }
    values
}

/// One ground instance of a clause: its premises were derived by earlier steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub clause: ClauseId,
    /// One step for each application in the clause's body, in order.
    pub premises: Vec<StepId>,
    /// The arguments of the derived atom; empty for `false`.
    pub values: Vec<Value>,
    /// A value for each of [`Clause::variables`].
    pub witness: Vec<(TermId, Value)>,
}

/// A ground derivation; premises come before conclusions, and the last step derives `false`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    pub steps: IndexVec<StepId, Step>,
}
