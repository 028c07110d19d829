//! How the formula of a block is put together, location by location in topological order.

use super::block::{BlockEncoding, Output};
use super::names::StateNames;
use super::statement::Store;
use super::{Encoder, Environment, Value, in_range, type_range};
use crate::analysis::Ranges;
use crate::cutpoints::Segment;
use crate::expr::ExprId;
use crate::frames::Forgotten;
use crate::interval::Interval;
use crate::ir::{Edge, EdgeId, LocId, Place, Proc, Program, RegionId, Stmt, VarId};
use crate::liveness::Liveness;
use crate::state::StateVar;
use craig_base::{Map, OrderedMap};
use craig_term::{TermId, Terms};

/// A term larger than this gets a name when it is assigned.
const LARGE_TERM: usize = 12;

/// What is known of a component, where the paths of the segment have changed it or learnt about it.
pub(super) type Changes = OrderedMap<StateVar, Value>;

pub(super) struct BlockBuilder<'a, 'n> {
    proc: &'a Proc,
    segment: &'a Segment,
    liveness: &'a Liveness,
    ranges: &'a Ranges,
    names: &'n mut StateNames,
    encoder: Encoder<'a>,
    inputs: OrderedMap<StateVar, TermId>,
    constraints: Vec<TermId>,
    locations: OrderedMap<LocId, TermId>,
    edges: OrderedMap<EdgeId, TermId>,
    input_values: OrderedMap<EdgeId, TermId>,
    definitions: Vec<(EdgeId, TermId, TermId)>,
    approximations: Vec<(EdgeId, ExprId)>,
    /// What is forgotten at heads of loops that the segment goes through.
    pub(super) forgotten: Option<&'a OrderedMap<LocId, Forgotten>>,
    /// The values of live components at some locations.
    pub(super) observed: OrderedMap<LocId, OrderedMap<StateVar, TermId>>,
}

/// The state on a path through the segment: changes over the state at the source.
struct PathState<'b> {
    changes: Changes,
    source: LocId,
    ranges: &'b Ranges,
    names: &'b mut StateNames,
    inputs: &'b mut OrderedMap<StateVar, TermId>,
    /// Facts about current constants, which hold whatever path is taken.
    facts: &'b mut Vec<TermId>,
}

impl PathState<'_> {
    fn get(&mut self, encoder: &mut Encoder<'_>, var: StateVar) -> Value {
        if let Some(value) = self.changes.get(&var) {
            return value.clone();
        }
        let term = self.names.current(encoder.program, encoder.terms, var);
        let range = source_range(encoder.program, self.ranges, self.source, var);
        if self.inputs.insert(var, term).is_none()
            && let StateVar::Var(_) = var
            && !encoder.terms.is_bool(term)
        {
            self.facts.push(in_range(encoder.terms, term, &range));
        }
        Value { term, range }
    }
}

impl Environment for PathState<'_> {
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value {
        self.get(encoder, StateVar::Var(var))
    }

    fn region(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> TermId {
        self.get(encoder, StateVar::Region(region)).term
    }
}

impl Store for PathState<'_> {
    fn set_var(&mut self, var: VarId, value: Value) {
        self.changes.insert(StateVar::Var(var), value);
    }

    fn set_region(&mut self, region: RegionId, array: TermId) {
        self.changes.insert(StateVar::Region(region), Value { term: array, range: Interval::ALL });
    }
}

/// That cells which a new object does not have are zero. Nothing ever accesses them, so that they hold from the start on what
/// suits a proof: what it says of all objects need not tell those apart that have the cells.
fn missing_fields(
    encoder: &mut Encoder<'_>,
    state: &mut PathState<'_>,
    var: VarId,
    is_live: impl Fn(RegionId) -> bool,
) -> Vec<TermId> {
    let program = encoder.program;
    let Some(target) = program.provenance.of_var(&program.vars, var) else { return Vec::new() };
    let mut facts = Vec::new();
    for (region, distance) in program.provenance.missing(target.class).filter(|(region, _)| is_live(*region))
    {
        let (address, array) = (state.var(encoder, var), state.region(encoder, region));
        let distance = encoder.terms.int(distance);
        let at = encoder.terms.add2(address.term, distance);
        let value = encoder.terms.select(array, at);
        let zero = encoder.terms.int(0);
        facts.push(encoder.terms.eq(value, zero));
    }
    facts
}

pub(super) fn source_range(program: &Program, ranges: &Ranges, source: LocId, var: StateVar) -> Interval {
    match var {
        StateVar::Var(var) => {
            let by_type = type_range(program, program.vars[var].ty);
            ranges.at(source, var).and_then(|known| known.meet(&by_type)).unwrap_or(by_type)
        }
        StateVar::Region(_) => Interval::ALL,
    }
}

impl<'a, 'n> BlockBuilder<'a, 'n> {
    pub(super) fn new(
        program: &'a Program,
        proc: &'a Proc,
        segment: &'a Segment,
        liveness: &'a Liveness,
        ranges: &'a Ranges,
        terms: &'a mut Terms,
        names: &'n mut StateNames,
    ) -> Self {
        let mut encoder = Encoder::new(program, terms);
        encoder.exact = ranges.exact.clone();
        BlockBuilder {
            proc,
            segment,
            liveness,
            ranges,
            names,
            encoder,
            inputs: OrderedMap::default(),
            constraints: Vec::new(),
            locations: OrderedMap::default(),
            edges: OrderedMap::default(),
            input_values: OrderedMap::default(),
            definitions: Vec::new(),
            approximations: Vec::new(),
            forgotten: None,
            observed: OrderedMap::default(),
        }
    }

    pub(super) fn run(mut self) -> BlockEncoding {
        let at_target = self.follow();
        self.finish(at_target)
    }

    /// Puts the constraints of all paths on record. Returns the state at the target.
    pub(super) fn follow(&mut self) -> Changes {
        let segment = self.segment;
        // The target may be the source as well, so what leads into the target is kept apart.
        let mut incoming: Map<LocId, Vec<EdgeId>> = Map::default();
        let mut outgoing: Map<LocId, Vec<EdgeId>> = Map::default();
        let mut into_target = Vec::new();
        for &edge in &segment.edges {
            let Edge { from, to, .. } = self.proc.edges[edge];
            outgoing.entry(from).or_default().push(edge);
            if to == segment.target {
                into_target.push(edge);
            } else {
                incoming.entry(to).or_default().push(edge);
            }
        }
        self.choose_literals(&incoming, &outgoing, &into_target);

        let mut after_edge: Map<EdgeId, Changes> = Map::default();
        for &location in &segment.locations {
            let at_location = match incoming.get(&location) {
                None => Changes::default(),
                Some(edges) => self.join(location, edges, &mut after_edge),
            };
            if let Some(edges) = incoming.get(&location)
                && edges.len() > 1
            {
                self.one_of(self.locations[&location], edges);
            }
            let at_location = self.at_frame(location, at_location);
            let edges = outgoing.get(&location).map_or(&[][..], Vec::as_slice);
            let mut state = Some(at_location);
            for (i, &edge) in edges.iter().enumerate() {
                let before = if i + 1 == edges.len() { state.take() } else { state.clone() };
                let before = before.expect("taken at the last edge only");
                let after = self.take_edge(edge, before, self.locations[&location]);
                after_edge.insert(edge, after);
            }
        }
        let at_target = self.join(segment.target, &into_target, &mut after_edge);
        if into_target.len() > 1 {
            self.one_of(Terms::TRUE, &into_target);
        }
        at_target
    }

    /// Forgets what a loop changes, and records what there is to see.
    fn at_frame(&mut self, location: LocId, mut changes: Changes) -> Changes {
        if let Some(forgotten) = self.forgotten.and_then(|all| all.get(&location)) {
            changes = self.forget(location, forgotten, changes);
        }
        if let Some(observed) = self.observed.get(&location) {
            let mut observed = observed.clone();
            for (&var, seen) in &mut observed {
                *seen = match changes.get(&var) {
                    Some(value) => value.term,
                    None => self.at_source(var).term,
                };
            }
            self.observed.insert(location, observed);
        }
        changes
    }

    /// Any values, as far as ranges allow, for what a loop changes.
    fn forget(&mut self, location: LocId, forgotten: &Forgotten, changes: Changes) -> Changes {
        let (program, here) = (self.encoder.program, self.locations[&location]);
        let (conditions, mut changes) = self.with_state(changes, |encoder, state| {
            let inputs = forgotten.places.iter().map(|&place| encoder.input(place, state).conditions);
            inputs.flatten().collect::<Vec<TermId>>()
        });
        for condition in conditions {
            let condition = self.encoder.terms.implies(here, condition);
            self.constraints.push(condition);
        }
        for &var in forgotten.changed.iter().filter(|&&var| program.is_tracked(var)) {
            if !self.liveness.is_live(location, var) {
                continue;
            }
            let current = self.names.current(program, self.encoder.terms, var);
            let sort = self.encoder.terms.sort(current);
            let term = self.encoder.auxiliary(&self.short_name(var), sort);
            let range = source_range(program, self.ranges, location, var);
            if matches!(var, StateVar::Var(_)) && !self.encoder.terms.is_bool(term) {
                let fact = in_range(self.encoder.terms, term, &range);
                self.constraints.push(fact);
            }
            changes.insert(var, Value { term, range });
        }
        changes
    }

    /// Chooses the literals of edges and locations.
    fn choose_literals(
        &mut self,
        incoming: &Map<LocId, Vec<EdgeId>>,
        outgoing: &Map<LocId, Vec<EdgeId>>,
        into_target: &[EdgeId],
    ) {
        let mut reached: Map<LocId, TermId> = Map::default();
        let mut literals: Map<EdgeId, TermId> = Map::default();
        for &location in self.segment.locations.iter().rev() {
            let edges = outgoing.get(&location).map_or(&[][..], Vec::as_slice);
            for &edge in edges {
                let to = self.proc.edges[edge].to;
                let (joins, end) = if to == self.segment.target {
                    (into_target.len() > 1, Terms::TRUE)
                } else {
                    (incoming.get(&to).is_some_and(|edges| edges.len() > 1), reached[&to])
                };
                let literal =
                    if joins { self.encoder.auxiliary(&format!("edge_{edge}"), Terms::BOOL) } else { end };
                literals.insert(edge, literal);
            }
            let here = match edges {
                _ if location == self.segment.source => Terms::TRUE,
                [only] => literals[only],
                _ => self.encoder.auxiliary(&format!("at_{location}"), Terms::BOOL),
            };
            reached.insert(location, here);
        }
        self.edges = self.segment.edges.iter().map(|edge| (*edge, literals[edge])).collect();
        self.locations = self.segment.locations.iter().map(|at| (*at, reached[at])).collect();
    }

    /// If `condition` holds, one of the edges is taken.
    fn one_of(&mut self, condition: TermId, edges: &[EdgeId]) {
        let terms = &mut *self.encoder.terms;
        let mut clause = vec![terms.not(condition)];
        clause.extend(edges.iter().map(|edge| self.edges[edge]));
        let clause = terms.or(&clause);
        self.constraints.push(clause);
    }

    /// If the edge is taken, `consequence` holds.
    fn implied_by_edge(&mut self, edge: EdgeId, consequence: TermId) {
        let terms = &mut *self.encoder.terms;
        let constraint = terms.implies(self.edges[&edge], consequence);
        self.constraints.push(constraint);
    }

    /// The state where the edges meet: values that differ get a new constant, if they matter.
    fn join(&mut self, location: LocId, edges: &[EdgeId], after: &mut Map<EdgeId, Changes>) -> Changes {
        let mut states: Vec<(EdgeId, Changes)> =
            edges.iter().map(|&edge| (edge, after.remove(&edge).unwrap_or_default())).collect();
        if states.len() == 1 {
            let (_, mut state) = states.swap_remove(0);
            state.retain(|&var, _| self.liveness.is_live(location, var));
            return state;
        }
        let mut joined = Changes::default();
        let changed: Vec<StateVar> = {
            let mut vars: craig_base::OrderedSet<StateVar> = Default::default();
            for (_, state) in &states {
                vars.extend(state.keys().copied().filter(|&var| self.liveness.is_live(location, var)));
            }
            vars.into_iter().collect()
        };
        for var in changed {
            let values: Vec<(EdgeId, Value)> = states
                .iter()
                .map(|(edge, state)| {
                    let value = match state.get(&var) {
                        Some(value) => value.clone(),
                        None => self.at_source(var),
                    };
                    (*edge, value)
                })
                .collect();
            let (_, first) = &values[0];
            let range =
                values[1..].iter().fold(first.range.clone(), |sum, (_, value)| sum.join(&value.range));
            if values.iter().all(|(_, value)| value.term == first.term) {
                joined.insert(var, Value { term: first.term, range });
                continue;
            }
            let sort = self.encoder.terms.sort(first.term);
            let term = self.encoder.auxiliary(&self.short_name(var), sort);
            for (edge, value) in values {
                let equal = self.encoder.terms.eq(term, value.term);
                self.definitions.push((edge, term, value.term));
                self.implied_by_edge(edge, equal);
            }
            joined.insert(var, Value { term, range });
        }
        joined
    }

    fn short_name(&self, var: StateVar) -> String {
        match var {
            StateVar::Var(var) => self.encoder.program.vars[var].name.to_string(),
            StateVar::Region(region) => self.encoder.program.regions[region].name.to_string(),
        }
    }

    fn at_source(&mut self, var: StateVar) -> Value {
        self.with_state(Changes::default(), |encoder, state| state.get(encoder, var)).0
    }

    /// Runs `f` in a state with these changes, and gives the changes afterwards.
    fn with_state<T>(
        &mut self,
        changes: Changes,
        f: impl FnOnce(&mut Encoder<'_>, &mut PathState<'_>) -> T,
    ) -> (T, Changes) {
        let mut facts = Vec::new();
        let mut state = PathState {
            changes,
            source: self.segment.source,
            ranges: self.ranges,
            names: self.names,
            inputs: &mut self.inputs,
            facts: &mut facts,
        };
        let result = f(&mut self.encoder, &mut state);
        let changes = state.changes;
        self.constraints.append(&mut facts);
        (result, changes)
    }

    /// The state after an edge, with its constraints on record.
    fn take_edge(&mut self, edge_id: EdgeId, before: Changes, reached: TermId) -> Changes {
        let edge = &self.proc.edges[edge_id];
        let (mut conditions, mut after) = self.statement(edge_id, edge, before);
        let approximated = std::mem::take(&mut self.encoder.approximations);
        self.approximations.extend(approximated.into_iter().map(|expr| (edge_id, expr)));
        self.name_large_values(edge_id, &mut after, &mut conditions);
        if reached != self.edges[&edge_id] {
            conditions.push(reached);
        }
        for condition in conditions {
            self.implied_by_edge(edge_id, condition);
        }
        after
    }

    fn statement(&mut self, edge_id: EdgeId, edge: &Edge, before: Changes) -> (Vec<TermId>, Changes) {
        if let Some(unchanged) = self.without_effect(edge) {
            let before = match unchanged {
                Some(target) => without(before, target),
                None => before,
            };
            return (Vec::new(), before);
        }
        let liveness = self.liveness;
        let (effect, after) = self.with_state(before, |encoder, state| {
            let mut effect = encoder.statement(&edge.stmt, state);
            if let Stmt::Alloc { var, .. } = edge.stmt {
                let is_live = |region| liveness.is_live(edge.to, StateVar::Region(region));
                effect.conditions.extend(missing_fields(encoder, state, var, is_live));
            }
            effect
        });
        if let Some(value) = effect.input {
            self.input_values.insert(edge_id, value);
        }
        (effect.conditions, after)
    }

    /// Whether a statement only changes what is never read; if it is a variable, its value is lost.
    fn without_effect(&self, edge: &Edge) -> Option<Option<StateVar>> {
        let program = self.encoder.program;
        let matters = |var: StateVar| self.liveness.is_live(edge.to, var) && program.is_tracked(var);
        let target = match &edge.stmt {
            Stmt::Assign(place, _) | Stmt::Input(place, _) => match *place {
                Place::Var(var) => StateVar::Var(var),
                Place::Memory { region, .. } => StateVar::Region(region),
            },
            Stmt::Alloc { var, .. } => {
                let next = program.next_address.map(StateVar::Var);
                if next.is_some_and(|next| self.liveness.is_live(edge.to, next)) {
                    return None;
                }
                StateVar::Var(*var)
            }
            Stmt::Skip | Stmt::Free(_) => return Some(None),
            Stmt::Assume(_) => return None,
            Stmt::Call { .. } => unreachable!("segments of procedures with calls end at the calls"),
        };
        let overwritten = matches!(target, StateVar::Var(_)).then_some(target);
        (!matters(target)).then_some(overwritten)
    }

    /// Large terms that were just assigned get a name, so that later terms stay small.
    fn name_large_values(&mut self, edge: EdgeId, after: &mut Changes, conditions: &mut Vec<TermId>) {
        let target = match &self.proc.edges[edge].stmt {
            Stmt::Assign(Place::Var(var), _) => StateVar::Var(*var),
            Stmt::Alloc { .. } => match self.encoder.program.next_address {
                Some(next) => StateVar::Var(next),
                None => return,
            },
            _ => return,
        };
        let Some(value) = after.get_mut(&target) else { return };
        if is_small(self.encoder.terms, value.term) {
            return;
        }
        let sort = self.encoder.terms.sort(value.term);
        let name = match target {
            StateVar::Var(var) => self.encoder.program.vars[var].name.to_string(),
            StateVar::Region(_) => return,
        };
        let term = self.encoder.auxiliary(&name, sort);
        conditions.push(self.encoder.terms.eq(term, value.term));
        self.definitions.push((edge, term, value.term));
        value.term = term;
    }

    pub(super) fn finish(mut self, at_target: Changes) -> BlockEncoding {
        let program = self.encoder.program;
        let mut outputs = Vec::new();
        let mut equations = Vec::new();
        for var in self.liveness.at(self.segment.target) {
            if !program.is_tracked(var) {
                continue;
            }
            let next = self.names.next(program, self.encoder.terms, var);
            let value = match at_target.get(&var) {
                Some(value) => value.term,
                None => {
                    let current = self.names.current(program, self.encoder.terms, var);
                    self.inputs.insert(var, current);
                    current
                }
            };
            equations.push(self.encoder.terms.eq(next, value));
            outputs.push(Output { var, next, value });
        }
        let guard = self.encoder.terms.and(&self.constraints);
        equations.push(guard);
        let formula = self.encoder.terms.and(&equations);
        BlockEncoding {
            source: self.segment.source,
            target: self.segment.target,
            formula,
            guard,
            inputs: std::mem::take(&mut self.inputs),
            outputs,
            auxiliaries: std::mem::take(&mut self.encoder.auxiliaries),
            locations: std::mem::take(&mut self.locations),
            edges: std::mem::take(&mut self.edges),
            input_values: std::mem::take(&mut self.input_values),
            results: std::mem::take(&mut self.encoder.results),
            definitions: std::mem::take(&mut self.definitions),
            approximations: std::mem::take(&mut self.approximations),
        }
    }
}

fn without(mut changes: Changes, var: StateVar) -> Changes {
    changes.shift_remove(&var);
    changes
}

fn is_small(terms: &Terms, term: TermId) -> bool {
    let mut stack = vec![term];
    let mut seen = 0;
    while let Some(term) = stack.pop() {
        seen += 1;
        if seen > LARGE_TERM {
            return false;
        }
        stack.extend(terms.args(term));
    }
    true
}
