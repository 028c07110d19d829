//! Linear clauses as one transition system, and the way back.
//!
//! A state is a location, given by truth values of which one is true, and a value for each slot; arguments of different
//! predicates share slots of their sort. There is a location for the start, one for each predicate, and one for the goal.
//! Slots that a location does not use have a fixed value, so that the start and the goal are one state each: what holds of
//! all pairs of states that are connected becomes a formula about one state by putting in the other.

use crate::horn::{Rule, RuleId, Rules};
use crate::verdict::Reason;
use craig_base::{Budget, Index, IndexVec, OrderedSet};
use craig_chc::{Derivation, Interpretation, PredicateId, Step, System};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, SortId, Substitution, TermId, Terms, Value};

pub(super) struct Machine {
    rules: Rules,
    /// Truth values for the locations, then slots.
    pub state: Vec<TermId>,
    next: Vec<TermId>,
    locations: usize,
    /// Where the arguments of each predicate are in the state.
    places: IndexVec<PredicateId, Vec<usize>>,
    /// Each rule over state, next state, and constants of its own.
    steps: IndexVec<RuleId, TermId>,
    own: Vec<TermId>,
}

impl Machine {
    /// `None` if a clause has several premises, or if there are sorts whose values are not numbers or truth values.
    pub fn new(terms: &mut Terms, system: &System) -> Option<Machine> {
        if !is_transition_system(terms, system) {
            return None;
        }
        let rules = Rules::new(terms, system);
        // One for each predicate, of which the goal is one, and the start.
        let locations = rules.predicates.len() + 1;
        let mut sorts: Vec<SortId> = vec![Terms::BOOL; locations];
        let mut places = IndexVec::new();
        for predicate in rules.predicates.iter() {
            let mut own: Vec<usize> = Vec::new();
            for &parameter in &predicate.parameters {
                let sort = terms.sort(parameter);
                let free = (locations..sorts.len()).find(|at| sorts[*at] == sort && !own.contains(at));
                own.push(free.unwrap_or(sorts.len()));
                if free.is_none() {
                    sorts.push(sort);
                }
            }
            places.push(own);
        }
        let mut fresh = |name: &str| sorts.iter().map(|&sort| terms.fresh_const(name, sort)).collect();
        let (state, next) = (fresh("s"), fresh("t"));
        let mut machine =
            Machine { rules, state, next, locations, places, steps: IndexVec::new(), own: Vec::new() };
        for rule in machine.rules.rules.indices() {
            let step = machine.step(terms, rule);
            machine.steps.push(step);
        }
        let formulas: Vec<TermId> = machine.steps.iter().copied().collect();
        machine.own = terms.free_consts_of(&formulas);
        machine.own.retain(|constant| !machine.state.contains(constant) && !machine.next.contains(constant));
        Some(machine)
    }

    fn start(&self) -> usize {
        self.locations - 1
    }

    /// What a state at a location is besides the values of the location's own slots.
    fn at(&self, terms: &mut Terms, state: &[TermId], location: usize) -> Vec<TermId> {
        let own = self.places.iter().nth(location).map_or(&[][..], Vec::as_slice);
        let mut literals = Vec::new();
        for (place, &constant) in state.iter().enumerate() {
            if place < self.locations {
                literals.push(if place == location { constant } else { terms.not(constant) });
            } else if !own.contains(&place) {
                let value = unused(terms, terms.sort(constant));
                literals.push(terms.eq(constant, value));
            }
        }
        literals
    }

    /// The only state at the start.
    pub fn initial(&self, terms: &mut Terms) -> Vec<TermId> {
        self.at(terms, &self.state, self.start())
    }

    /// The only state at the goal.
    pub fn goal(&self, terms: &mut Terms) -> Vec<TermId> {
        self.at(terms, &self.state, self.rules.goal.index())
    }

    fn step(&self, terms: &mut Terms, rule: RuleId) -> TermId {
        let Rule { head, body, transition } = &self.rules.rules[rule];
        let parameters = &self.rules.predicates[*head].parameters;
        let mut renamed: Vec<(TermId, TermId)> = Vec::new();
        renamed.extend(parameters.iter().copied().zip(self.places[*head].iter().map(|&at| self.next[at])));
        let mut parts = self.at(terms, &self.next, head.index());
        let source = body.first().map_or(self.start(), |atom| atom.predicate.index());
        parts.extend(self.at(terms, &self.state, source));
        for atom in body {
            for (&arg, &place) in atom.args.iter().zip(&self.places[atom.predicate]) {
                match renamed.iter().find(|(known, _)| *known == arg) {
                    Some(&(_, other)) => parts.push(terms.eq(self.state[place], other)),
                    None => renamed.push((arg, self.state[place])),
                }
            }
        }
        parts.push(Substitution::from_pairs(renamed).apply(terms, *transition));
        terms.and(&parts)
    }

    /// At most one step between copies of the state.
    pub fn at_most_one_step(&self, terms: &mut Terms, from: &[TermId], to: &[TermId]) -> TermId {
        let mut either: Vec<TermId> = Vec::new();
        let same: Vec<TermId> = from.iter().zip(to).map(|(&a, &b)| terms.eq(a, b)).collect();
        either.push(terms.and(&same));
        let copies = self.state.iter().zip(from).chain(self.next.iter().zip(to));
        let mut renamed: Vec<(TermId, TermId)> = copies.map(|(&old, &new)| (old, new)).collect();
        for &own in &self.own {
            renamed.push((own, terms.fresh_const("i", terms.sort(own))));
        }
        let mut substitution = Substitution::from_pairs(renamed);
        for &step in self.steps.iter() {
            either.push(substitution.apply(terms, step));
        }
        terms.or(&either)
    }

    /// What an invariant says of each predicate.
    pub fn interpretation(&self, terms: &mut Terms, invariant: TermId) -> Interpretation {
        let mut formulas = IndexVec::new();
        for (id, predicate) in self.rules.predicates.enumerated() {
            if id == self.rules.goal {
                continue;
            }
            let mut pairs = Vec::new();
            for (place, &constant) in self.state.iter().enumerate() {
                let argument = self.places[id].iter().position(|&own| own == place);
                let value = match argument {
                    _ if place < self.locations => terms.bool(place == id.index()),
                    Some(argument) => predicate.parameters[argument],
                    None => unused(terms, terms.sort(constant)),
                };
                pairs.push((constant, value));
            }
            formulas.push(Substitution::from_pairs(pairs).apply(terms, invariant));
        }
        Interpretation::new(formulas)
    }

    /// The derivation that a run from the start to the goal is; a state may be repeated.
    pub fn derivation(
        &self,
        terms: &mut Terms,
        run: &[Vec<Value>],
        budget: &Budget,
    ) -> Result<Derivation, Reason> {
        let mut derivation = Derivation::default();
        let mut premises = Vec::new();
        for pair in run.windows(2).filter(|pair| pair[0] != pair[1]) {
            let mut known: Vec<TermId> = Vec::new();
            let constants = self.state.iter().zip(&pair[0]).chain(self.next.iter().zip(&pair[1]));
            for (&constant, value) in constants {
                let value = terms.value_term(value, terms.sort(constant));
                known.push(terms.eq(constant, value.ok_or_else(|| Reason::internal("a value has no term"))?));
            }
            let rule = self.rule_of(terms, &known, &pair[1], budget)?;
            let head = self.rules.rules[rule].head;
            let values = self.places[head].iter().map(|&place| pair[1][place].clone()).collect();
            let clause = self.rules.clause(rule);
            premises = vec![derivation.steps.push(Step { clause, premises, values, witness: Vec::new() })];
        }
        Ok(derivation)
    }

    /// The rule by which a step is made between two states that are known.
    fn rule_of(
        &self,
        terms: &mut Terms,
        known: &[TermId],
        target: &[Value],
        budget: &Budget,
    ) -> Result<RuleId, Reason> {
        for (rule, &step) in self.steps.enumerated() {
            if target[self.rules.rules[rule].head.index()] != Value::Bool(true) {
                continue;
            }
            let mut solver = NativeSolver::default();
            let mut parts = known.to_vec();
            parts.push(step);
            let formula = terms.and(&parts);
            solver.assert(terms, formula);
            match solver.check(terms, &[], budget) {
                Answer::Sat => return Ok(rule),
                Answer::Unsat => {}
                Answer::Unknown(reason) => return Err(reason.into()),
            }
        }
        Err(Reason::internal("no rule makes this step"))
    }

    /// The values of a copy of the state.
    pub fn values(&self, terms: &Terms, copy: &[TermId], model: &Model) -> Result<Vec<Value>, Reason> {
        copy.iter().map(|&constant| Ok(terms.eval(constant, model)?)).collect()
    }
}

/// Whether clauses have at most one premise each, and arguments are numbers and truth values.
pub(super) fn is_transition_system(terms: &Terms, system: &System) -> bool {
    let is_simple = |sort: SortId| sort == Terms::BOOL || sort == Terms::INT || sort == Terms::REAL;
    let used: OrderedSet<PredicateId> =
        system.clauses.iter().flat_map(|clause| clause.body.iter().map(|atom| atom.predicate)).collect();
    system.clauses.iter().all(|clause| clause.body.len() <= 1)
        && used.iter().all(|&predicate| {
            system.predicates[predicate].parameters.iter().all(|&parameter| is_simple(terms.sort(parameter)))
        })
}

/// The value of what a location does not use.
fn unused(terms: &mut Terms, sort: SortId) -> TermId {
    match sort {
        Terms::BOOL => Terms::FALSE,
        Terms::INT => terms.int(0),
        _ => terms.real(0),
    }
}
