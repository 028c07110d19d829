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
use craig_base::{Budget, Map, OrderedMap, Set, Stats};
use craig_chc::{Case, Clause, Fact, Fold, Folds, Interpretation, PredicateId, System, flatten};
use craig_sat::{Lit, Outcome, Solver};
use craig_term::{FunId, SortId, TermId, Terms};

/// Literals in instances of clauses, beyond which a structure is too large.
const MOST_LITERALS: u64 = 20_000_000;

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
        let mut structure =
            Structure { terms, sizes: &sizes, solver: Solver::new(), literals: OrderedMap::default() };
        match structure.find(&templates, budget) {
            Ok(Found::Model) => {
                let found = Tables::new(&structure);
                break HornVerdict::Sat(model(terms, system, &positive, &sizes, &found));
            }
            Ok(Found::TooFew(sorts)) => {
                let Some(&smallest) = sorts.iter().min_by_key(|sort| sizes[*sort]) else {
                    break HornVerdict::Unknown(Reason::Data(
                        "no regular model, or none without other sorts",
                    ));
                };
                sizes[&smallest] += 1;
            }
            Ok(Found::TooLarge) => break HornVerdict::Unknown(Reason::Data("automata are too large")),
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

    fn instances(&self, sizes: &OrderedMap<SortId, usize>) -> u64 {
        self.sorts.iter().fold(1, |product: u64, sort| product.saturating_mul(sizes[sort] as u64))
    }

    fn literals(&self) -> u64 {
        (self.made.len() + self.body.len() + 1) as u64
    }
}

/// What a SAT solver decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Choice {
    /// A constructor takes states to a state.
    Made(FunId, Vec<usize>, usize),
    /// A predicate holds of states.
    Holds(PredicateId, Vec<usize>),
    /// The states of a sort are all that there are.
    Closed(SortId),
}

enum Found {
    Model,
    /// One of these sorts needs more states.
    TooFew(Vec<SortId>),
    TooLarge,
}

struct Structure<'a> {
    terms: &'a Terms,
    sizes: &'a OrderedMap<SortId, usize>,
    solver: Solver,
    literals: OrderedMap<Choice, Lit>,
}

impl Structure<'_> {
    fn find(&mut self, templates: &[Template], budget: &Budget) -> Result<Found, Reason> {
        let literals =
            |template: &Template| template.instances(self.sizes).saturating_mul(template.literals());
        if templates.iter().map(literals).fold(0, u64::saturating_add) > MOST_LITERALS {
            return Ok(Found::TooLarge);
        }
        let closed: Vec<(SortId, Lit)> =
            self.sizes.keys().map(|&sort| (sort, self.literal(Choice::Closed(sort)))).collect();
        for &(sort, closed) in &closed {
            self.total(sort, closed);
        }
        for template in templates {
            budget.check()?;
            self.instantiate(template);
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

    fn literal(&mut self, choice: Choice) -> Lit {
        let solver = &mut self.solver;
        *self.literals.entry(choice).or_insert_with(|| solver.new_var().positive())
    }

    /// Every constructor of the sort takes any states to some state. Constants take the first free states, as any
    /// permutation of states is as good.
    fn total(&mut self, sort: SortId, closed: Lit) {
        let mut constants = 0;
        for made in self.terms.constructors(sort) {
            let arguments = self.states_of(made.symbol);
            let mut most = self.sizes[&sort];
            if arguments.is_empty() {
                constants += 1;
                most = most.min(constants);
            }
            let mut states = vec![0; arguments.len()];
            loop {
                let mut clause = vec![!closed];
                for result in 0..most {
                    clause.push(self.literal(Choice::Made(made.symbol, states.clone(), result)));
                }
                self.solver.add_clause(&clause);
                if !next(&mut states, &arguments) {
                    break;
                }
            }
        }
    }

    /// How many states there are for each argument of a constructor that is data.
    fn states_of(&self, constructor: FunId) -> Vec<usize> {
        let sorts = self.terms.signature(constructor).0;
        sorts.iter().filter(|&&sort| self.terms.is_data(sort)).map(|sort| self.sizes[sort]).collect()
    }

    fn instantiate(&mut self, template: &Template) {
        let sizes: Vec<usize> = template.sorts.iter().map(|sort| self.sizes[sort]).collect();
        let mut states = vec![0; sizes.len()];
        let mut clause = Vec::new();
        loop {
            let at = |places: &[usize]| places.iter().map(|&place| states[place]).collect::<Vec<usize>>();
            clause.clear();
            for (constructor, args, result) in &template.made {
                clause.push(!self.literal(Choice::Made(*constructor, at(args), states[*result])));
            }
            for (predicate, args) in &template.body {
                clause.push(!self.literal(Choice::Holds(*predicate, at(args))));
            }
            if let Some((predicate, args)) = &template.head {
                clause.push(self.literal(Choice::Holds(*predicate, at(args))));
            }
            self.solver.add_clause(&clause);
            if !next(&mut states, &sizes) {
                return;
            }
        }
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

/// The structure that was found.
struct Tables {
    made: Map<(FunId, Vec<usize>), usize>,
    holds: Set<(PredicateId, Vec<usize>)>,
}

impl Tables {
    fn new(structure: &Structure<'_>) -> Self {
        let mut tables = Tables { made: Map::default(), holds: Set::default() };
        for (choice, &literal) in &structure.literals {
            if !structure.solver.model(literal) {
                continue;
            }
            match choice {
                // Of several states, each satisfies the clauses; the first is taken.
                Choice::Made(constructor, args, result) => {
                    let first = tables.made.entry((*constructor, args.clone())).or_insert(*result);
                    *first = (*first).min(*result);
                }
                Choice::Holds(predicate, args) => {
                    tables.holds.insert((*predicate, args.clone()));
                }
                Choice::Closed(_) => {}
            }
        }
        tables
    }
}

/// The model that says the same about terms.
fn model(
    terms: &mut Terms,
    system: &System,
    positive: &Positive,
    sizes: &OrderedMap<SortId, usize>,
    tables: &Tables,
) -> Interpretation {
    let states: OrderedMap<SortId, FunId> =
        sizes.keys().map(|&sort| (sort, new_fold(terms, "state", sort))).collect();
    let mut folds = Folds::default();
    for (&sort, &symbol) in &states {
        let mut cases = Vec::new();
        for made in terms.constructors(sort).to_vec() {
            let sorts = terms.signature(made.symbol).0.to_vec();
            let parameters: Vec<TermId> = sorts.iter().map(|&of| terms.fresh_const("a", of)).collect();
            let body = tree(terms, &states, sizes, &parameters, |terms, args| {
                let state = tables.made.get(&(made.symbol, args.to_vec())).copied().unwrap_or(0);
                terms.int(state as i64)
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
            terms.bool(tables.holds.contains(&(predicate, args.to_vec())))
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
