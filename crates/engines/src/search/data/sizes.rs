//! Models in terms of sizes: clauses over integers, for the engines that know those.
//!
//! Data is replaced by values of [folds](craig_chc::Folds): which constructor made it, how often its own sort's
//! constructors occur in it, and what its parts add up to (Hojjat and Rümmer, *Deciding and Interpolating Algebraic
//! Data Types by Reduction*, 2017, reduce to sizes and functions; here the functions are left out). Every instance of a
//! clause is one of its abstraction, so a model of the abstraction is one of the clauses. A derivation does not go back.

use super::differences::{Positive, data_variables};
use super::measures::{Measures, Precision};
use super::{not_flat, relations};
use crate::horn::{HornVerdict, NewSolver};
use crate::search::{duality, pdr};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, OrderedMap, Stats};
use craig_chc::{
    Application, BackError, Clause, Fact, Folds, Interpretation, Predicate, PredicateId, System, flatten,
    simplify,
};
use craig_term::{FunId, Op, SortId, Substitution, TermId, Terms};

/// Each attempt gets this part of the remaining time.
const SHARE: u32 = 4;

/// Looks for a model.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let cases = match flatten(terms, system) {
        Ok(cases) => cases,
        Err(why) => return not_flat(why),
    };
    let positive = Positive::new(terms, system, cases);
    let abstractions =
        [Precision::Sizes, Precision::Sums].map(|precision| Abstraction::new(terms, &positive, precision));
    let mut last = Reason::Data("sizes are not enough for a model");
    for engine in [Engine::Relations, Engine::CaseRelations, Engine::Search] {
        for abstraction in &abstractions {
            let part = match budget.remaining() {
                Some(remaining) => budget.clone().with_timeout(remaining / SHARE),
                None => budget.clone(),
            };
            match abstraction.solve(terms, engine, new_solver, &part, stats) {
                Ok(Some(model)) => {
                    return HornVerdict::Sat(abstraction.model(terms, system, &positive, &model));
                }
                Ok(None) => {}
                Err(reason) => last = reason,
            }
        }
    }
    HornVerdict::Unknown(last)
}

/// Who looks for a model of an abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Relations,
    /// The same, where zero is a case of its own.
    CaseRelations,
    /// Property-directed reachability, then lazy annotation.
    Search,
}

struct Abstraction {
    /// The folds of each sort.
    folds: OrderedMap<SortId, Vec<FunId>>,
    definitions: Folds,
    /// Arguments that have few values, and how many.
    few: Map<(PredicateId, usize), usize>,
    system: System,
}

impl Abstraction {
    fn new(terms: &mut Terms, positive: &Positive, precision: Precision) -> Self {
        let Measures { folds, definitions, tags, .. } = Measures::of(terms, precision);
        let mut abstraction =
            Abstraction { folds, definitions, few: Map::default(), system: System::default() };
        for (id, predicate) in positive.predicates.enumerated() {
            let values = abstraction.values(terms, &predicate.parameters);
            let sorts: Vec<SortId> = values.iter().map(|&value| terms.sort(value)).collect();
            for (place, &value) in values.iter().enumerate() {
                if let Op::App(fold) = terms.op(value)
                    && let Some(&count) = tags.get(&fold)
                {
                    abstraction.few.insert((id, place), count);
                }
            }
            abstraction.system.predicates.push(Predicate::new(terms, &predicate.name, &sorts));
        }
        for clause in &positive.clauses {
            let clause = abstraction.clause(terms, clause);
            abstraction.system.clauses.push(clause);
        }
        abstraction
    }

    /// Terms as what is kept of them, with folds of variables in it.
    fn values(&self, terms: &mut Terms, args: &[TermId]) -> Vec<TermId> {
        let mut values = Vec::new();
        for &arg in args {
            match self.folds.get(&terms.sort(arg)) {
                None => values.push(arg),
                Some(folds) => {
                    for &fold in folds {
                        let value = terms.app(fold, &[arg]);
                        values.push(self.unfolded(terms, value));
                    }
                }
            }
        }
        values
    }

    /// A term in which folds of constructors are replaced by their cases.
    fn unfolded(&self, terms: &mut Terms, mut t: TermId) -> TermId {
        loop {
            let mut pairs = Vec::new();
            for part in terms.postorder(&[t]) {
                let Op::App(symbol) = terms.op(part) else { continue };
                let Some(fold) = self.definitions.functions.iter().find(|fold| fold.symbol == symbol) else {
                    continue;
                };
                let value = terms.arg(part, 0);
                let Some(constructor) = terms.constructor_of(value) else { continue };
                let made = terms.constructors(terms.sort(value));
                let Some(place) = made.iter().position(|made| made.symbol == constructor) else { continue };
                let args = terms.args(value).to_vec();
                pairs.push((part, fold.cases[place].instantiate(terms, &args)));
            }
            if pairs.is_empty() {
                return t;
            }
            t = Substitution::from_pairs(pairs).apply(terms, t);
        }
    }

    fn clause(&self, terms: &mut Terms, clause: &Clause) -> Clause {
        let variables = data_variables(terms, clause);
        let mut apply = |application: &Application| Application {
            predicate: application.predicate,
            args: self.values(terms, &application.args),
        };
        let body = clause.body.iter().map(&mut apply).collect();
        let head = clause.head.as_ref().map(&mut apply);
        let mut constraint = vec![clause.constraint];
        let mut pairs = Vec::new();
        for x in variables {
            let sort = terms.sort(x);
            for fact in &self.definitions.facts {
                if terms.sort(fact.parameters[0]) == sort {
                    constraint.push(fact.instantiate(terms, &[x]));
                }
            }
            for &fold in &self.folds[&sort] {
                let value = terms.app(fold, &[x]);
                pairs.push((value, terms.fresh_const("v", Terms::INT)));
            }
        }
        let constraint = terms.and(&constraint);
        Clause { body, constraint, head }.substitute(terms, &mut Substitution::from_pairs(pairs))
    }

    /// A model of the abstraction; none if it has none, or none that can be found this way.
    fn solve(
        &self,
        terms: &mut Terms,
        engine: Engine,
        new_solver: NewSolver<'_>,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Result<Option<Interpretation>, Reason> {
        if engine != Engine::Search {
            let zero = engine == Engine::CaseRelations;
            return relations::model(terms, &self.system, &self.few, zero, new_solver, budget);
        }
        let simplified = simplify(terms, &self.system, budget);
        let half = match budget.remaining() {
            Some(remaining) => budget.clone().with_timeout(remaining / 2),
            None => budget.clone(),
        };
        let searched = &simplified.system;
        let mut found = pdr::solve(terms, searched, &pdr::Options::default(), new_solver, &half, stats);
        if matches!(found, HornVerdict::Unknown(_)) {
            found = duality::solve(terms, searched, &duality::Options::default(), new_solver, budget, stats);
        }
        match found {
            HornVerdict::Unknown(reason) => Err(reason),
            HornVerdict::Unsat(_) => Ok(None),
            HornVerdict::Sat(model) => match simplified.model(terms, &self.system, model, budget) {
                Ok(model) => Ok(Some(model)),
                Err(BackError::Unknown(reason)) => Err(reason.into()),
                Err(BackError::Wrong(what)) => Err(Reason::internal(what)),
            },
        }
    }

    fn model(
        &self,
        terms: &mut Terms,
        system: &System,
        positive: &Positive,
        model: &Interpretation,
    ) -> Interpretation {
        let mut over_data = |predicate: PredicateId, parameters: &[TermId]| {
            let values = self.values(terms, parameters);
            self.system.predicates[predicate].instantiate(terms, model.formulas[predicate], &values)
        };
        let mut formulas = IndexVec::new();
        for (id, predicate) in system.predicates.enumerated() {
            formulas.push(over_data(id, &predicate.parameters));
        }
        let mut facts = Vec::new();
        for &id in positive.differ.values() {
            let parameters = positive.predicates[id].parameters.clone();
            let formula = over_data(id, &parameters);
            facts.push(Fact { parameters, formula });
        }
        let mut folds = self.definitions.clone();
        folds.facts.extend(facts);
        Interpretation { formulas, folds }
    }
}
