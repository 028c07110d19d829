//! Models in terms of sizes: clauses over integers, for the engines that know those.
//!
//! Data is replaced by values of [folds](craig_chc::Folds): which constructor made it, how often its own sort's
//! constructors occur in it, and what its parts add up to (Hojjat and Rümmer, *Deciding and Interpolating Algebraic
//! Data Types by Reduction*, 2017, reduce to sizes and functions; here the functions are left out). Every instance of a
//! clause is one of its abstraction, so a model of the abstraction is one of the clauses. A derivation does not go back.

use super::differences::{Positive, data_variables};
use super::{new_fold, not_flat, relations};
use crate::horn::{HornVerdict, NewSolver};
use crate::search::{duality, pdr};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, OrderedMap, Stats};
use craig_chc::{
    Application, BackError, Case, Clause, Fact, Fold, Folds, Interpretation, Predicate, PredicateId, System,
    flatten, simplify,
};
use craig_term::{FunId, Op, SortId, Substitution, TermId, Terms};

/// Each attempt gets this part of the remaining time.
const SHARE: u32 = 4;

/// How much of data is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    /// Sizes, and constructors where sizes do not tell them.
    Sizes,
    /// What is summed up over all parts, too.
    Sums,
}

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

/// The folds of all data types.
struct Measures<'a> {
    terms: &'a mut Terms,
    /// For each sort, all that its elements can have parts of.
    parts: OrderedMap<SortId, Vec<SortId>>,
    precision: Precision,
    folds: OrderedMap<SortId, Vec<FunId>>,
    definitions: Folds,
    /// Folds with few values, and how many.
    tags: Map<FunId, usize>,
}

impl<'a> Measures<'a> {
    fn of(terms: &'a mut Terms, precision: Precision) -> Self {
        let sorts: Vec<SortId> = terms.data_sorts().collect();
        let parts = sorts.iter().map(|&sort| (sort, parts(terms, sort))).collect();
        let (folds, definitions, tags) = Default::default();
        let mut measures = Measures { terms, parts, precision, folds, definitions, tags };
        // A sort comes after those of its parts that have no part of it.
        let mut order = sorts;
        order.sort_by_key(|sort| measures.parts[sort].len());
        for &sort in &order {
            measures.folds.entry(sort).or_default();
            measures.measure(sort);
        }
        measures
    }

    /// Whether elements of these sorts can be parts of each other.
    fn together(&self, one: SortId, other: SortId) -> bool {
        self.parts[&one].contains(&other) && self.parts[&other].contains(&one)
    }

    fn measure(&mut self, sort: SortId) {
        let made: Vec<FunId> = self.terms.constructors(sort).iter().map(|made| made.symbol).collect();
        let recursive = self.parts[&sort].contains(&sort);
        let zero = self.terms.int(0);
        let one = self.terms.int(1);
        if recursive {
            // Its own symbol is needed by its cases, and so are those of sorts that it is a part of.
            let size = self.own(sort, "size");
            let mut cases = Vec::new();
            let mut counted = Vec::new();
            for &constructor in &made {
                let parameters = self.parameters(constructor);
                let mut summands = Vec::new();
                for &x in &parameters {
                    let of = self.terms.sort(x);
                    if self.parts.contains_key(&of) && self.together(sort, of) {
                        let of = self.own(of, "size");
                        summands.push(self.terms.app(of, &[x]));
                    }
                }
                counted.push(!summands.is_empty());
                summands.push(if summands.is_empty() { zero } else { one });
                cases.push(Case { body: self.terms.add(&summands), parameters });
            }
            self.define(sort, size, cases);
            self.bound(sort, size, 0, None);
            let told = |kind: bool| counted.iter().filter(|&&counts| counts == kind).count() <= 1;
            if !(told(true) && told(false)) {
                let tag = self.tag(sort, &made);
                self.relate(sort, size, tag, &counted);
            }
            if self.precision == Precision::Sums {
                self.sums(sort, &made);
            }
            return;
        }
        if made.len() > 1 {
            self.tag(sort, &made);
        }
        // What is not recursive has finitely many parts, which are kept one by one.
        for (which, &constructor) in made.iter().enumerate() {
            for place in 0..self.terms.signature(constructor).0.len() {
                let of = self.terms.signature(constructor).0[place];
                let kept: Vec<Option<FunId>> = match self.folds.get(&of) {
                    Some(folds) => folds.iter().copied().map(Some).collect(),
                    None if of == Terms::INT => vec![None],
                    None => Vec::new(),
                };
                for fold in kept {
                    let symbol = new_fold(self.terms, &format!("part{which}-{place}"), sort);
                    let mut cases = Vec::new();
                    for (other, &symbol) in made.iter().enumerate() {
                        let parameters = self.parameters(symbol);
                        let body = match fold {
                            _ if other != which => zero,
                            Some(fold) => self.terms.app(fold, &[parameters[place]]),
                            None => parameters[place],
                        };
                        cases.push(Case { parameters, body });
                    }
                    self.define(sort, symbol, cases);
                    if let Some(&count) = fold.and_then(|fold| self.tags.get(&fold)) {
                        self.tags.insert(symbol, count);
                        self.bound(sort, symbol, 0, Some(count as i64 - 1));
                    }
                }
            }
        }
    }

    fn parameters(&mut self, constructor: FunId) -> Vec<TermId> {
        let sorts = self.terms.signature(constructor).0.to_vec();
        sorts.into_iter().map(|sort| self.terms.fresh_const("a", sort)).collect()
    }

    /// The fold of this kind, known by its name, as recursion may go through other sorts.
    fn own(&mut self, sort: SortId, what: &str) -> FunId {
        let known = self.folds.get(&sort).into_iter().flatten().copied();
        let known = known.into_iter().find(|&symbol| self.terms.symbol_name(symbol).starts_with(what));
        known.unwrap_or_else(|| {
            let symbol = new_fold(self.terms, what, sort);
            self.folds.entry(sort).or_default().push(symbol);
            symbol
        })
    }

    fn define(&mut self, sort: SortId, symbol: FunId, cases: Vec<Case>) {
        let folds = self.folds.entry(sort).or_default();
        if !folds.contains(&symbol) {
            folds.push(symbol);
        }
        self.definitions.functions.push(Fold { symbol, cases });
    }

    /// Which constructor it was.
    fn tag(&mut self, sort: SortId, made: &[FunId]) -> FunId {
        let symbol = new_fold(self.terms, "made", sort);
        let mut cases = Vec::new();
        for (number, &constructor) in made.iter().enumerate() {
            let parameters = self.parameters(constructor);
            cases.push(Case { parameters, body: self.terms.int(number as i64) });
        }
        self.define(sort, symbol, cases);
        self.tags.insert(symbol, made.len());
        self.bound(sort, symbol, 0, Some(made.len() as i64 - 1));
        symbol
    }

    /// Adds up what other sorts and numbers contribute.
    fn sums(&mut self, sort: SortId, made: &[FunId]) {
        let mut added: Vec<Option<FunId>> = Vec::new();
        for &constructor in made {
            for &of in self.terms.signature(constructor).0 {
                if of == Terms::INT && !added.contains(&None) {
                    added.push(None);
                }
                if self.folds.contains_key(&of) && !self.together(sort, of) {
                    let first = self.folds[&of].first().copied();
                    if first.is_some() && !added.contains(&first) {
                        added.push(first);
                    }
                }
            }
        }
        for measure in added {
            let symbol = new_fold(self.terms, "sum", sort);
            let mut cases = Vec::new();
            for &constructor in made {
                let parameters = self.parameters(constructor);
                let mut summands = vec![self.terms.int(0)];
                for &x in &parameters {
                    let of = self.terms.sort(x);
                    match measure {
                        _ if of == sort => summands.push(self.terms.app(symbol, &[x])),
                        None if of == Terms::INT => summands.push(x),
                        Some(fold) if self.terms.signature(fold).0 == [of] => {
                            summands.push(self.terms.app(fold, &[x]));
                        }
                        _ => {}
                    }
                }
                cases.push(Case { body: self.terms.add(&summands), parameters });
            }
            self.define(sort, symbol, cases);
            if measure.is_some() {
                self.bound(sort, symbol, 0, None);
            }
        }
    }

    fn bound(&mut self, sort: SortId, symbol: FunId, least: i64, most: Option<i64>) {
        let x = self.terms.fresh_const("x", sort);
        let value = self.terms.app(symbol, &[x]);
        let least = self.terms.int(least);
        let mut bounds = vec![self.terms.le(least, value)];
        if let Some(most) = most {
            let most = self.terms.int(most);
            bounds.push(self.terms.le(value, most));
        }
        let formula = self.terms.and(&bounds);
        self.definitions.facts.push(Fact { parameters: vec![x], formula });
    }

    /// The size is zero for the constructors that are not counted.
    fn relate(&mut self, sort: SortId, size: FunId, tag: FunId, counted: &[bool]) {
        let x = self.terms.fresh_const("x", sort);
        let [size, tag] = [size, tag].map(|symbol| self.terms.app(symbol, &[x]));
        let zero = self.terms.int(0);
        let small = self.terms.le(size, zero);
        let mut leaves = Vec::new();
        for (number, _) in counted.iter().enumerate().filter(|&(_, &counts)| !counts) {
            let number = self.terms.int(number as i64);
            leaves.push(self.terms.eq(tag, number));
        }
        let leaf = self.terms.or(&leaves);
        let formula = self.terms.iff(small, leaf);
        self.definitions.facts.push(Fact { parameters: vec![x], formula });
    }
}

/// The data types of which elements of a sort can have parts.
fn parts(terms: &Terms, sort: SortId) -> Vec<SortId> {
    let mut found: Vec<SortId> = Vec::new();
    let mut open = vec![sort];
    while let Some(sort) = open.pop() {
        for &of in terms.constructors(sort).iter().flat_map(|made| terms.signature(made.symbol).0) {
            if terms.is_data(of) && !found.contains(&of) {
                found.push(of);
                open.push(of);
            }
        }
    }
    found
}
