//! Regular models: data types read as the states of finite automata.
//!
//! A finite structure that satisfies the clauses, constructors being functions and predicates relations of it, gives a
//! model over data: a predicate holds of terms if it holds of the states that they evaluate to (Kostyukov, Mordvinov
//! and Fedyukovich, *Beyond the Elementary Representations of Program Invariants over Algebraic Data Types*, PLDI 2021).
//! Structures are found as MACE does it: each clause is instantiated with all states, and a SAT solver chooses the
//! functions and relations. A sort gets one more state where its number of states is to blame for a refutation.
//!
//! Arguments and constraints of other sorts are left out, which makes clauses stronger.

use super::differences::Positive;
use super::{new_fold, not_flat};
use crate::horn::HornVerdict;
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, OrderedMap, Stats};
use craig_chc::{Case, Clause, Fact, Fold, Folds, Interpretation, Predicate, PredicateId, System, flatten};
use craig_sat::{Lit, Outcome, Solver, Var};
use craig_term::{FunId, SortId, TermId, Terms};

/// Literals in instances of clauses, beyond which a structure is too large.
const MOST_LITERALS: u64 = 8_000_000;
/// Instances between two looks at the budget.
const PATIENCE: u64 = 4096;

/// Looks for a model.
pub fn solve(terms: &mut Terms, system: &System, budget: &Budget, stats: &mut Stats) -> HornVerdict {
    let cases = match flatten(terms, system) {
        Ok(cases) => cases,
        Err(why) => return not_flat(why),
    };
    let positive = Positive::new(terms, system, cases);
    let mut sizes: OrderedMap<SortId, usize> = OrderedMap::default();
    let templates: Vec<Template> =
        positive.clauses.iter().map(|clause| Template::new(terms, clause, &mut sizes)).collect();
    // An automaton reads what constructors take, too.
    let mut next = 0;
    while let Some((&sort, _)) = sizes.get_index(next) {
        for &of in terms.constructors(sort).iter().flat_map(|made| terms.signature(made.symbol).0) {
            if terms.is_data(of) {
                sizes.entry(of).or_insert(1);
            }
        }
        next += 1;
    }
    let verdict = loop {
        if cost(terms, &positive, &templates, &sizes) > MOST_LITERALS {
            break HornVerdict::Unknown(Reason::Data("automata are too large"));
        }
        let mut structure = Structure::new(terms, &positive.predicates, &sizes);
        match structure.find(terms, &templates, budget) {
            Ok(Found::Model) => break HornVerdict::Sat(model(terms, system, &positive, &structure)),
            Ok(Found::TooFew(sorts)) => {
                let Some(&smallest) = sorts.iter().min_by_key(|sort| sizes[*sort]) else {
                    break HornVerdict::Unknown(Reason::Data(
                        "no regular model, or none without other sorts",
                    ));
                };
                sizes[&smallest] += 1;
            }
            Err(reason) => break HornVerdict::Unknown(reason),
        }
    };
    stats.add("states", sizes.values().sum::<usize>() as u64);
    verdict
}

/// A clause whose variables range over states: one for each variable and each term of a constructor.
struct Template {
    sorts: Vec<SortId>,
    made: Vec<(FunId, Vec<usize>, usize)>,
    body: Vec<(PredicateId, Vec<usize>)>,
    head: Option<(PredicateId, Vec<usize>)>,
}

impl Template {
    fn new(terms: &Terms, clause: &Clause, sizes: &mut OrderedMap<SortId, usize>) -> Self {
        let mut places: Map<TermId, usize> = Map::default();
        let mut template = Template { sorts: Vec::new(), made: Vec::new(), body: Vec::new(), head: None };
        let is_data = |t: TermId| terms.is_data(terms.sort(t));
        for t in terms.postorder(&clause.roots()) {
            if !is_data(t) {
                continue;
            }
            let place = template.sorts.len();
            places.insert(t, place);
            template.sorts.push(terms.sort(t));
            sizes.entry(terms.sort(t)).or_insert(1);
            if let Some(constructor) = terms.constructor_of(t) {
                let args = terms.args(t).iter().filter_map(|arg| places.get(arg).copied()).collect();
                template.made.push((constructor, args, place));
            }
        }
        let states = |args: &[TermId]| args.iter().filter_map(|arg| places.get(arg).copied()).collect();
        template.body = clause.body.iter().map(|atom| (atom.predicate, states(&atom.args))).collect();
        template.head = clause.head.as_ref().map(|head| (head.predicate, states(&head.args)));
        template
    }

    fn literals(&self) -> u64 {
        (self.made.len() + self.body.len() + 1) as u64
    }
}

/// How many literals and variables a structure of these sizes takes.
fn cost(
    terms: &Terms,
    positive: &Positive,
    templates: &[Template],
    sizes: &OrderedMap<SortId, usize>,
) -> u64 {
    let tuples = |sorts: &mut dyn Iterator<Item = SortId>| {
        let sizes = sorts.filter_map(|sort| sizes.get(&sort));
        sizes.fold(1, |product: u64, &size| product.saturating_mul(size as u64))
    };
    let instances = templates
        .iter()
        .map(|template| tuples(&mut template.sorts.iter().copied()).saturating_mul(template.literals()));
    let relations = positive
        .predicates
        .iter()
        .map(|predicate| tuples(&mut predicate.parameters.iter().map(|&x| terms.sort(x))));
    instances.chain(relations).fold(0, u64::saturating_add)
}

/// Variables of the SAT solver, one for each tuple of states.
struct Block {
    first: usize,
    sizes: Vec<usize>,
}

impl Block {
    fn new(solver: &mut Solver, sizes: Vec<usize>) -> Self {
        let first = solver.variables();
        for _ in 0..sizes.iter().product() {
            solver.new_var();
        }
        Block { first, sizes }
    }

    /// How far apart tuples are that differ by one at one place.
    fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.sizes.len()];
        for i in (1..self.sizes.len()).rev() {
            strides[i - 1] = strides[i] * self.sizes[i];
        }
        strides
    }

    fn at(&self, states: &[usize]) -> Lit {
        let place: usize = states.iter().zip(self.strides()).map(|(state, stride)| state * stride).sum();
        Var((self.first + place) as u32).positive()
    }
}

enum Found {
    Model,
    /// One of these sorts needs more states.
    TooFew(Vec<SortId>),
}

struct Structure<'a> {
    sizes: &'a OrderedMap<SortId, usize>,
    solver: Solver,
    /// A constructor takes states to a state, which is the last one.
    made: OrderedMap<FunId, Block>,
    /// A predicate holds of states.
    holds: OrderedMap<PredicateId, Block>,
}

impl<'a> Structure<'a> {
    fn new(
        terms: &Terms,
        predicates: &IndexVec<PredicateId, Predicate>,
        sizes: &'a OrderedMap<SortId, usize>,
    ) -> Self {
        let mut solver = Solver::new();
        let dimensions = |sorts: &mut dyn Iterator<Item = SortId>| -> Vec<usize> {
            sorts.filter_map(|sort| sizes.get(&sort).copied()).collect()
        };
        let mut made = OrderedMap::default();
        for &sort in sizes.keys() {
            for constructor in terms.constructors(sort) {
                let (args, result) = terms.signature(constructor.symbol);
                let sizes = dimensions(&mut args.iter().copied().chain([result]));
                made.insert(constructor.symbol, Block::new(&mut solver, sizes));
            }
        }
        let mut holds = OrderedMap::default();
        for (id, predicate) in predicates.enumerated() {
            let sizes = dimensions(&mut predicate.parameters.iter().map(|&x| terms.sort(x)));
            holds.insert(id, Block::new(&mut solver, sizes));
        }
        Structure { sizes, solver, made, holds }
    }

    fn find(&mut self, terms: &Terms, templates: &[Template], budget: &Budget) -> Result<Found, Reason> {
        let mut closed: Vec<(SortId, Lit)> = Vec::new();
        for &sort in self.sizes.keys() {
            // Assumed: the states are all that there are.
            let all = self.solver.new_var().positive();
            closed.push((sort, all));
            self.total(terms, sort, all);
        }
        for template in templates {
            self.instantiate(template, budget)?;
        }
        let assumptions: Vec<Lit> = closed.iter().map(|&(_, lit)| lit).collect();
        match self.solver.solve(&assumptions, budget) {
            Outcome::Sat => Ok(Found::Model),
            Outcome::Stopped(reason) => Err(reason.into()),
            Outcome::Unsat => {
                let core = self.solver.core();
                let blamed = closed.iter().filter(|(_, lit)| core.contains(lit));
                Ok(Found::TooFew(blamed.map(|&(sort, _)| sort).collect()))
            }
        }
    }

    /// Every constructor of the sort takes any states to some state. Constants take the first free states, as any
    /// permutation of states is as good.
    fn total(&mut self, terms: &Terms, sort: SortId, closed: Lit) {
        let mut constants = 0;
        for constructor in terms.constructors(sort) {
            let block = &self.made[&constructor.symbol];
            let arity = block.sizes.len() - 1;
            let mut most = self.sizes[&sort];
            if arity == 0 {
                constants += 1;
                most = most.min(constants);
            }
            let mut states = vec![0; arity + 1];
            loop {
                let mut clause = vec![!closed];
                for result in 0..most {
                    states[arity] = result;
                    clause.push(block.at(&states));
                }
                self.solver.add_clause(&clause);
                if !next(&mut states[..arity], &block.sizes[..arity]) {
                    break;
                }
            }
        }
    }

    fn instantiate(&mut self, template: &Template, budget: &Budget) -> Result<(), Reason> {
        /// The literal whose variable is `first` and what the states at some places add.
        struct Literal {
            first: usize,
            negated: bool,
            places: Vec<(usize, usize)>,
        }
        let mut literals: Vec<Literal> = Vec::new();
        let mut add = |block: &Block, negated: bool, places: &mut dyn Iterator<Item = usize>| {
            let places = places.zip(block.strides()).collect();
            literals.push(Literal { first: block.first, negated, places });
        };
        for (constructor, args, result) in &template.made {
            add(&self.made[constructor], true, &mut args.iter().copied().chain([*result]));
        }
        for (predicate, args) in &template.body {
            add(&self.holds[predicate], true, &mut args.iter().copied());
        }
        if let Some((predicate, args)) = &template.head {
            add(&self.holds[predicate], false, &mut args.iter().copied());
        }
        let sizes: Vec<usize> = template.sorts.iter().map(|sort| self.sizes[sort]).collect();
        let mut states = vec![0; sizes.len()];
        let mut clause = Vec::new();
        for count in 0u64.. {
            if count.is_multiple_of(PATIENCE) {
                budget.check()?;
            }
            clause.clear();
            clause.extend(literals.iter().map(|literal| {
                let place: usize = literal.places.iter().map(|&(place, stride)| states[place] * stride).sum();
                Lit::new(Var((literal.first + place) as u32), literal.negated)
            }));
            self.solver.add_clause(&clause);
            if !next(&mut states, &sizes) {
                break;
            }
        }
        Ok(())
    }

    /// The first state to which a constructor takes others: where there are several, each satisfies the clauses.
    fn result(&self, constructor: FunId, args: &[usize]) -> usize {
        let block = &self.made[&constructor];
        let mut states = args.to_vec();
        states.push(0);
        let results = 0..block.sizes[args.len()];
        let mut is_result = |&result: &usize| {
            states[args.len()] = result;
            self.solver.model(block.at(&states))
        };
        results.into_iter().find(|result| is_result(result)).unwrap_or(0)
    }
}

/// The next tuple, the last component first; false after the last tuple.
fn next(states: &mut [usize], sizes: &[usize]) -> bool {
    for (state, &size) in states.iter_mut().zip(sizes).rev() {
        *state += 1;
        if *state < size {
            return true;
        }
        *state = 0;
    }
    false
}

/// The model that says the same about terms.
fn model(
    terms: &mut Terms,
    system: &System,
    positive: &Positive,
    structure: &Structure<'_>,
) -> Interpretation {
    let sizes = structure.sizes;
    let states: OrderedMap<SortId, FunId> =
        sizes.keys().map(|&sort| (sort, new_fold(terms, "state", sort))).collect();
    let mut folds = Folds::default();
    for (&sort, &symbol) in &states {
        let mut cases = Vec::new();
        for made in terms.constructors(sort).to_vec() {
            let sorts = terms.signature(made.symbol).0.to_vec();
            let parameters: Vec<TermId> = sorts.iter().map(|&of| terms.fresh_const("a", of)).collect();
            let body = tree(terms, &states, sizes, &parameters, |terms, args| {
                terms.int(structure.result(made.symbol, args) as i64)
            });
            cases.push(Case { parameters, body });
        }
        folds.functions.push(Fold { symbol, cases });
        let x = terms.fresh_const("x", sort);
        let state = terms.app(symbol, &[x]);
        let (least, most) = (terms.int(0), terms.int(sizes[&sort] as i64 - 1));
        let bounds = [terms.le(least, state), terms.le(state, most)];
        folds.facts.push(Fact { parameters: vec![x], formula: terms.and(&bounds) });
    }
    let relation = |terms: &mut Terms, predicate: PredicateId| {
        let parameters = positive.predicates[predicate].parameters.clone();
        tree(terms, &states, sizes, &parameters, |terms, args| {
            terms.bool(structure.solver.model(structure.holds[&predicate].at(args)))
        })
    };
    for &predicate in positive.differ.values() {
        let formula = relation(terms, predicate);
        folds.facts.push(Fact { parameters: positive.predicates[predicate].parameters.clone(), formula });
    }
    let formulas = system.predicates.indices().map(|predicate| relation(terms, predicate)).collect();
    Interpretation { formulas, folds }
}

/// A term that distinguishes the states of the parameters that are data; a state that is none of the others is the
/// last one.
fn tree(
    terms: &mut Terms,
    states: &OrderedMap<SortId, FunId>,
    sizes: &OrderedMap<SortId, usize>,
    parameters: &[TermId],
    leaf: impl Fn(&mut Terms, &[usize]) -> TermId,
) -> TermId {
    let data: Vec<TermId> =
        parameters.iter().copied().filter(|&x| states.contains_key(&terms.sort(x))).collect();
    let dimensions: Vec<usize> = data.iter().map(|&x| sizes[&terms.sort(x)]).collect();
    let mut at = vec![0; dimensions.len()];
    let mut values = Vec::new();
    loop {
        values.push(leaf(terms, &at));
        if !next(&mut at, &dimensions) {
            break;
        }
    }
    for (&x, &size) in data.iter().zip(&dimensions).rev() {
        let state = terms.app(states[&terms.sort(x)], &[x]);
        let mut shorter = Vec::new();
        for row in values.chunks(size) {
            let mut value = row[size - 1];
            for (number, &other) in row[..size - 1].iter().enumerate().rev() {
                let number = terms.int(number as i64);
                let here = terms.eq(state, number);
                value = terms.ite(here, other, value);
            }
            shorter.push(value);
        }
        values = shorter;
    }
    values[0]
}
