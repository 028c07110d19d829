//! Transition systems as programs: one predicate for each control location.
//!
//! A transition system says where control is by the values of some arguments: bits of a program counter, the
//! number of a round. With a predicate for each of their values, clauses are about one step from one location to
//! another, and only then can inlining and merging make large blocks of them, as for clauses that come from
//! programs.
//!
//! Arguments are candidates if the clauses compare them with constants before and after a step. Their values are
//! enumerated by a solver, from those of the facts along the steps, where all other arguments may be anything; so
//! what is not enumerated does not occur. What no step changes is no control, and what can change from anything to
//! anything may be one bit of it. Of the candidates, those are taken with which the graph of the locations has the
//! fewest edges for each of them; where there are many, the candidates are data.

use crate::system::{
    Application, Clause, ClauseId, Derivation, Interpretation, Predicate, PredicateId, Step, System,
};
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Op, TermId, Terms, Value};

/// More locations are not made.
const MOST_LOCATIONS: usize = 64;
/// With more edges for each location, arguments are not control.
const MOST_EDGES: usize = 3;
/// How many arguments are looked at, each by itself and together.
const MOST_CANDIDATES: usize = 24;
const MOST_TOGETHER: usize = 10;
/// How many values one of them may have.
const MOST_VALUES: usize = 16;

/// A system with one predicate for each location, and the way back.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub system: System,
    /// The predicate that was divided.
    predicate: PredicateId,
    /// The arguments that are control, in order.
    positions: Vec<usize>,
    /// Their values at each location, as terms and as values.
    locations: IndexVec<PredicateId, Vec<(TermId, Value)>>,
    /// The clause that each clause is made from.
    origins: IndexVec<ClauseId, ClauseId>,
}

/// Values of the arguments that are control.
type Location = Vec<Value>;

/// The system by locations; `None` if it is no transition system, or if no arguments are control.
pub(super) fn locate(terms: &mut Terms, system: &System, budget: &Budget) -> Option<Located> {
    let predicate = only_predicate(system)?;
    if !system.axioms.is_empty() {
        return None;
    }
    let candidates = moving(terms, system, budget)?;
    if candidates.is_empty() {
        return None;
    }
    let parameters = system.predicates[predicate].parameters.clone();
    // With too many locations, the arguments that matter least are left out.
    let mut length = candidates.len();
    let graph = loop {
        match explore(terms, system, &candidates[..length], MOST_LOCATIONS, budget)? {
            Some(graph) => break graph,
            None if length > 1 => length -= 1,
            None => return None,
        }
    };
    let length = (1..=length)
        .filter(|&length| graph.prefix(length).is_control())
        .min_by_key(|&length| graph.prefix(length).branching())?;
    let graph = graph.prefix(length);
    let positions = candidates[..length].to_vec();
    let mut locations = IndexVec::new();
    let mut predicates = IndexVec::new();
    let mut ids: Map<Location, PredicateId> = Map::default();
    let rest = |args: &[TermId]| -> Vec<TermId> {
        let stays = args.iter().enumerate().filter(|(at, _)| !positions.contains(at));
        stays.map(|(_, &arg)| arg).collect()
    };
    for location in &graph.locations {
        let mut values = Vec::new();
        for (&position, value) in positions.iter().zip(location) {
            values.push((terms.value_term(value, terms.sort(parameters[position]))?, value.clone()));
        }
        let sorts: Vec<_> = rest(&parameters).into_iter().map(|parameter| terms.sort(parameter)).collect();
        let own = Predicate::new(terms, &system.predicates[predicate].name, &sorts);
        ids.insert(location.clone(), predicates.push(own));
        locations.push(values);
    }
    let mut clauses = IndexVec::new();
    let mut origins = IndexVec::new();
    for (id, source, target) in &graph.steps {
        let mut clause = system.clauses[*id].clone();
        let mut parts = Vec::new();
        let mut at = |terms: &mut Terms, atom: &mut Application, location: &Location| {
            let own = ids[location];
            for (&position, (value, _)) in positions.iter().zip(&locations[own]) {
                parts.push(terms.eq(atom.args[position], *value));
            }
            *atom = Application { predicate: own, args: rest(&atom.args) };
        };
        if let (Some(atom), Some(location)) = (clause.body.first_mut(), source) {
            at(terms, atom, location);
        }
        if let (Some(atom), Some(location)) = (clause.head.as_mut(), target) {
            at(terms, atom, location);
        }
        parts.push(clause.constraint);
        clause.constraint = terms.and(&parts);
        clauses.push(clause);
        origins.push(*id);
    }
    let system = System { predicates, clauses, axioms: Vec::new() };
    Some(Located { system, predicate, positions, locations, origins })
}

impl Located {
    /// At some location, what its predicate says.
    pub fn model(&self, terms: &mut Terms, original: &System, model: &Interpretation) -> Interpretation {
        let parameters = &original.predicates[self.predicate].parameters;
        let rest: Vec<TermId> = (0..parameters.len())
            .filter(|at| !self.positions.contains(at))
            .map(|at| parameters[at])
            .collect();
        let mut cases = Vec::new();
        for (id, values) in self.locations.enumerated() {
            let mut parts = Vec::new();
            for (&position, &(value, _)) in self.positions.iter().zip(values) {
                parts.push(terms.eq(parameters[position], value));
            }
            let atom = Application { predicate: id, args: rest.clone() };
            parts.push(model.apply(terms, &self.system, &atom));
            cases.push(terms.and(&parts));
        }
        let mut formulas = IndexVec::from_elem(Terms::TRUE, original.predicates.len());
        formulas[self.predicate] = terms.or(&cases);
        Interpretation::new(formulas)
    }

    /// The same steps, with the values that the locations stand for.
    pub fn derivation(&self, derivation: &Derivation) -> Derivation {
        let mut result = Derivation::default();
        for step in derivation.steps.iter() {
            let mut values = Vec::new();
            if let Some(head) = &self.system.clauses[step.clause].head {
                let control = &self.locations[head.predicate];
                let mut own = step.values.iter();
                for at in 0..step.values.len() + self.positions.len() {
                    let known = self.positions.iter().position(|&position| position == at);
                    let known = known.map(|index| &control[index].1);
                    values.extend(known.or_else(|| own.next()).cloned());
                }
            }
            let (clause, premises) = (self.origins[step.clause], step.premises.clone());
            result.steps.push(Step { clause, premises, values, witness: Vec::new() });
        }
        result
    }
}

/// The predicate of a transition system: all atoms are about it, and no clause has two in its body.
fn only_predicate(system: &System) -> Option<PredicateId> {
    let mut atoms = system.clauses.iter().flat_map(|clause| clause.body.iter().chain(&clause.head));
    let first = atoms.next()?.predicate;
    let linear = system.clauses.iter().all(|clause| clause.body.len() <= 1);
    (linear && atoms.all(|atom| atom.predicate == first)).then_some(first)
}

/// The candidates that change, with those in front whose values follow each other in few ways.
fn moving(terms: &mut Terms, system: &System, budget: &Budget) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for (rank, position) in candidates(terms, system).into_iter().enumerate() {
        let Some(graph) = explore(terms, system, &[position], MOST_VALUES, budget)? else { continue };
        let changes = graph.steps.iter().any(|(_, from, to)| from.is_some() && to.is_some() && from != to);
        if changes {
            let all = graph.locations.len() * graph.locations.len();
            found.push((graph.edges() * 100 / all, rank, position));
        }
    }
    found.sort();
    Some(found.into_iter().map(|(.., position)| position).take(MOST_TOGETHER).collect())
}

/// The positions of arguments that are compared with constants before and after a step, the ones that occur most
/// in front.
fn candidates(terms: &Terms, system: &System) -> Vec<usize> {
    let mut counts: OrderedMap<usize, (usize, usize)> = OrderedMap::default();
    for clause in system.clauses.iter() {
        let (Some(before), Some(after)) = (clause.body.first(), &clause.head) else { continue };
        let mut compared: Map<TermId, usize> = Map::default();
        for t in terms.postorder(&[clause.constraint]) {
            for &arg in terms.args(t) {
                if let Some(tested) = tested(terms, arg) {
                    *compared.entry(tested).or_default() += 1;
                }
            }
            if t == clause.constraint
                && let Some(tested) = tested(terms, t)
            {
                *compared.entry(tested).or_default() += 1;
            }
        }
        for (position, (&x, &y)) in before.args.iter().zip(&after.args).enumerate() {
            let is_value = terms.number(y).is_some() || matches!(terms.op(y), Op::True | Op::False);
            let old = compared.get(&x).copied().unwrap_or(0);
            let new = if is_value { 1 } else { compared.get(&y).copied().unwrap_or(0) };
            let count = counts.entry(position).or_default();
            *count = (count.0 + old, count.1 + new);
        }
    }
    let mut found: Vec<(usize, usize)> = counts
        .into_iter()
        .filter(|&(_, (old, new))| old > 0 && new > 0)
        .map(|(position, (old, new))| (old + new, position))
        .collect();
    found.sort_by_key(|&(count, position)| (std::cmp::Reverse(count), position));
    found.into_iter().map(|(_, position)| position).take(MOST_CANDIDATES).collect()
}

/// The constant that a literal compares with a value.
fn tested(terms: &Terms, literal: TermId) -> Option<TermId> {
    let (atom, _) = terms.strip_not(literal);
    if matches!(terms.op(atom), Op::Const(_)) && terms.is_bool(atom) {
        return Some(atom);
    }
    let is_test = terms.op(atom) == Op::Eq && terms.number(terms.arg(atom, 1)).is_some();
    let x = is_test.then(|| terms.arg(atom, 0))?;
    matches!(terms.op(x), Op::Const(_)).then_some(x)
}

/// The locations, and for each clause from where to where it leads.
#[derive(Clone, Debug, Default)]
struct Graph {
    locations: OrderedSet<Location>,
    steps: OrderedSet<(ClauseId, Option<Location>, Option<Location>)>,
}

impl Graph {
    /// The graph of the first arguments alone.
    fn prefix(&self, length: usize) -> Graph {
        let cut = |location: &Location| location[..length].to_vec();
        let steps = self.steps.iter();
        Graph {
            locations: self.locations.iter().map(cut).collect(),
            steps: steps.map(|(id, from, to)| (*id, from.as_ref().map(cut), to.as_ref().map(cut))).collect(),
        }
    }

    /// Steps from location to location.
    fn edges(&self) -> usize {
        self.steps.iter().filter(|(_, from, to)| from.is_some() && to.is_some()).count()
    }

    /// Edges for a hundred locations.
    fn branching(&self) -> usize {
        self.edges() * 100 / self.locations.len().max(1)
    }

    fn is_control(&self) -> bool {
        self.locations.len() > 1 && self.edges() <= MOST_EDGES * self.locations.len()
    }
}

/// All locations that can occur; `Some(None)` if there are too many, and nothing if that is not known.
fn explore(
    terms: &mut Terms,
    system: &System,
    positions: &[usize],
    most: usize,
    budget: &Budget,
) -> Option<Option<Graph>> {
    let mut solvers: IndexVec<ClauseId, NativeSolver> = IndexVec::new();
    for clause in system.clauses.iter() {
        let mut solver = NativeSolver::default();
        solver.assert(terms, clause.constraint);
        solvers.push(solver);
    }
    let mut graph = Graph::default();
    let mut next = 0;
    let facts = system.clauses.enumerated().filter(|(_, clause)| clause.body.is_empty());
    for (id, clause) in facts {
        follow(terms, &mut solvers[id], (id, clause), None, positions, &mut graph, budget)?;
    }
    while next < graph.locations.len() {
        if graph.locations.len() > most {
            return Some(None);
        }
        let location = graph.locations[next].clone();
        next += 1;
        for (id, clause) in system.clauses.enumerated().filter(|(_, clause)| !clause.body.is_empty()) {
            follow(terms, &mut solvers[id], (id, clause), Some(&location), positions, &mut graph, budget)?;
        }
    }
    Some(Some(graph))
}

/// Adds the locations to which a clause leads.
fn follow(
    terms: &mut Terms,
    solver: &mut NativeSolver,
    (id, clause): (ClauseId, &Clause),
    source: Option<&Location>,
    positions: &[usize],
    graph: &mut Graph,
    budget: &Budget,
) -> Option<()> {
    solver.push();
    if let (Some(atom), Some(location)) = (clause.body.first(), source) {
        for (&position, value) in positions.iter().zip(location) {
            let value = terms.value_term(value, terms.sort(atom.args[position]))?;
            let here = terms.eq(atom.args[position], value);
            solver.assert(terms, here);
        }
    }
    let mut found = 0;
    let complete = loop {
        match solver.check(terms, &[], budget) {
            Answer::Unsat => break true,
            Answer::Unknown(_) => break false,
            Answer::Sat => {}
        }
        let Some(head) = &clause.head else {
            graph.steps.insert((id, source.cloned(), None));
            break true;
        };
        let Some(model) = solver.model() else { break false };
        let mut location = Vec::new();
        let mut differs = Vec::new();
        let values: Vec<Value> = positions
            .iter()
            .map(|&position| terms.eval(head.args[position], model))
            .collect::<Result<_, _>>()
            .ok()?;
        for (&position, value) in positions.iter().zip(values) {
            let term = terms.value_term(&value, terms.sort(head.args[position]))?;
            let same = terms.eq(head.args[position], term);
            differs.push(terms.not(same));
            location.push(value);
        }
        graph.locations.insert(location.clone());
        graph.steps.insert((id, source.cloned(), Some(location)));
        let elsewhere = terms.or(&differs);
        solver.assert(terms, elsewhere);
        found += 1;
        if found > MOST_LOCATIONS {
            break true;
        }
    };
    solver.pop();
    complete.then_some(())
}
