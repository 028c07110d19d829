//! Large-block encoding: a loop-free segment as one formula, linear in the size of the code.
//!
//! The formula says that some path of the segment leads from a state at the source (the *current*
//! constants) to a state at the target (the *next* constants). It works backwards: every edge that
//! is taken has its source reached, and every location that is reached and joins paths has an
//! incoming edge that is taken. So a model gives a path by walking back from the target
//! ([`BlockEncoding::path`]).
//!
//! - One Boolean for each location that branches and for each edge into a join; a straight piece of
//!   code shares the Boolean of its end, and a segment without branches has none.
//! - Values are terms over the current constants. A new constant is introduced only where paths with
//!   different values join, for inputs, and for terms that have grown large.
//! - Only live variables are joined, and assignments to dead ones are left out.
//! - The ranges of values are followed along the paths: assumptions `x < 10` narrow them, joins
//!   unite them. So a case split for wrapping around is only there if the code before did not
//!   exclude it.

use super::{Encoder, Environment, Operation, Value, in_range, type_range};
use crate::analysis::Ranges;
use crate::cutpoints::Segment;
use crate::expr::{BinaryOp, Expr, ExprId};
use crate::interval::Interval;
use crate::ir::{Edge, EdgeId, LocId, Place, Proc, Program, RegionId, Stmt, VarId};
use crate::layout::{ALIGNMENT, GUARD_BYTES};
use crate::liveness::Liveness;
use crate::state::StateVar;
use crate::types::Type;
use craig_base::{Map, OrderedMap};
use craig_num::Int;
use craig_term::{Substitution, TermId, Terms};

/// A term larger than this gets a name when it is assigned.
const LARGE_TERM: usize = 12;

/// The formula of a segment.
#[derive(Clone, Debug)]
pub struct BlockEncoding {
    pub source: LocId,
    pub target: LocId,
    /// The transition, over the current constants, the next constants and the auxiliaries.
    pub formula: TermId,
    /// The transition without the equations for the next constants.
    pub guard: TermId,
    /// The components of the state that the segment reads or passes on, with their current constants.
    pub inputs: OrderedMap<StateVar, TermId>,
    /// The live state at the target.
    pub outputs: Vec<Output>,
    /// All constants of the formula that are neither current nor next.
    pub auxiliaries: Vec<TermId>,
    /// For each location of the segment a literal that holds if the path passes it.
    pub locations: OrderedMap<LocId, TermId>,
    /// For each edge of the segment a literal: if it holds and the formula does, the edge can be
    /// taken on the way to the target.
    pub edges: OrderedMap<EdgeId, TermId>,
    /// For each edge with an input that matters, its value.
    pub input_values: OrderedMap<EdgeId, TermId>,
    /// Auxiliaries that stand for results of operations without a linear term.
    pub results: OrderedMap<Operation, TermId>,
    /// Auxiliaries that were introduced for joins and large terms, with the edge that defines them
    /// and their value there.
    pub definitions: Vec<(EdgeId, TermId, TermId)>,
    /// Expressions that are only approximated.
    pub approximations: Vec<(EdgeId, ExprId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub var: StateVar,
    /// The next constant.
    pub next: TermId,
    /// Its value, over current constants and auxiliaries.
    pub value: TermId,
}

/// A copy of a block for one place in an unwinding.
#[derive(Clone, Debug)]
pub struct Instance {
    pub formula: TermId,
    substitution: Substitution,
}

impl Instance {
    /// A term of the block (an edge literal, an input value, ...) as it is in this copy.
    pub fn term(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        self.substitution.apply(terms, term)
    }
}

impl BlockEncoding {
    pub fn new(
        program: &Program,
        proc: &Proc,
        segment: &Segment,
        liveness: &Liveness,
        ranges: &Ranges,
        terms: &mut Terms,
    ) -> Self {
        let mut names = StateNames::default();
        Self::with_names(program, proc, segment, liveness, ranges, terms, &mut names)
    }

    /// As [`new`](Self::new), for several segments of one program.
    pub fn with_names(
        program: &Program,
        proc: &Proc,
        segment: &Segment,
        liveness: &Liveness,
        ranges: &Ranges,
        terms: &mut Terms,
        names: &mut StateNames,
    ) -> Self {
        let mut builder = BlockBuilder {
            proc,
            segment,
            liveness,
            ranges,
            names,
            encoder: Encoder::new(program, terms),
            inputs: OrderedMap::default(),
            constraints: Vec::new(),
            locations: OrderedMap::default(),
            edges: OrderedMap::default(),
            input_values: OrderedMap::default(),
            definitions: Vec::new(),
            approximations: Vec::new(),
        };
        builder.run()
    }

    /// A copy with the given state constants and fresh auxiliaries.
    pub fn instantiate(
        &self,
        terms: &mut Terms,
        current: &mut dyn FnMut(&mut Terms, StateVar) -> TermId,
        next: &mut dyn FnMut(&mut Terms, StateVar) -> TermId,
    ) -> Instance {
        let mut map = Map::default();
        for (&var, &constant) in &self.inputs {
            map.insert(constant, current(terms, var));
        }
        for output in &self.outputs {
            map.insert(output.next, next(terms, output.var));
        }
        for &auxiliary in &self.auxiliaries {
            let sort = terms.sort(auxiliary);
            let name = terms.const_name(auxiliary).unwrap_or("aux").to_string();
            let base = name.split('!').next().unwrap_or("aux");
            map.insert(auxiliary, terms.fresh_const(base, sort));
        }
        let mut substitution = Substitution::new(map);
        let formula = substitution.apply(terms, self.formula);
        Instance { formula, substitution }
    }

    /// The edges of a path in a model, given the truth of edge literals, in execution order.
    pub fn path(&self, proc: &Proc, mut holds: impl FnMut(TermId) -> bool) -> Option<Vec<EdgeId>> {
        let mut path = Vec::new();
        let mut at = self.target;
        loop {
            let incoming = &proc.locations[at].incoming;
            let &edge =
                incoming.iter().find(|edge| self.edges.get(*edge).is_some_and(|&literal| holds(literal)))?;
            path.push(edge);
            at = proc.edges[edge].from;
            if at == self.source {
                path.reverse();
                return Some(path);
            }
        }
    }

    /// The inputs along a path in execution order. `None` stands for an input whose value does not
    /// matter.
    pub fn inputs_along(&self, proc: &Proc, path: &[EdgeId]) -> Vec<(EdgeId, Option<TermId>)> {
        path.iter()
            .filter(|&&edge| matches!(proc.edges[edge].stmt, Stmt::Input(..)))
            .map(|&edge| (edge, self.input_values.get(&edge).copied()))
            .collect()
    }
}

/// The constants for the state of a program: `current` ones carry the name of the component,
/// `next` ones that name with a prime, and those for the state at a procedure's entry an `@`.
#[derive(Clone, Debug, Default)]
pub struct StateNames {
    current: Map<StateVar, TermId>,
    next: Map<StateVar, TermId>,
    entry: Map<StateVar, TermId>,
}

impl StateNames {
    pub fn current(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.current.entry(var).or_insert_with(|| declare(program, terms, var, ""))
    }

    pub fn next(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.next.entry(var).or_insert_with(|| declare(program, terms, var, "'"))
    }

    pub fn entry(&mut self, program: &Program, terms: &mut Terms, var: StateVar) -> TermId {
        *self.entry.entry(var).or_insert_with(|| declare(program, terms, var, "@"))
    }
}

fn declare(program: &Program, terms: &mut Terms, var: StateVar, suffix: &str) -> TermId {
    let sort = match var {
        StateVar::Var(var) if program.vars[var].ty == Type::Bool => Terms::BOOL,
        StateVar::Var(_) => Terms::INT,
        StateVar::Region(_) => terms.array_sort(Terms::INT, Terms::INT),
    };
    let mut name = format!("{}{suffix}", program.state_name(var));
    loop {
        match terms.declare_const(&name, sort) {
            Ok(constant) => return constant,
            // Another program in the same store uses this name for something else.
            Err(_) => name.push('_'),
        }
    }
}

/// What is known of a component, where the paths of the segment have changed it or learnt about it.
type Changes = OrderedMap<StateVar, Value>;

struct BlockBuilder<'a, 'n> {
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

fn source_range(program: &Program, ranges: &Ranges, source: LocId, var: StateVar) -> Interval {
    match var {
        StateVar::Var(var) => {
            let by_type = type_range(program, program.vars[var].ty);
            ranges.at(source, var).and_then(|known| known.meet(&by_type)).unwrap_or(by_type)
        }
        StateVar::Region(_) => Interval::ALL,
    }
}

impl BlockBuilder<'_, '_> {
    fn run(&mut self) -> BlockEncoding {
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
        self.finish(at_target)
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
        let to = edge.to;
        let live = |this: &Self, var: StateVar| this.liveness.is_live(to, var);
        match &edge.stmt {
            Stmt::Skip | Stmt::Free(_) => (Vec::new(), before),
            Stmt::Assume(cond) => self.assume(*cond, before),
            Stmt::Assign(Place::Var(var), value) => {
                let target = StateVar::Var(*var);
                if !live(self, target) || !self.encoder.program.is_tracked(target) {
                    return (Vec::new(), without(before, target));
                }
                let ((value, conditions), mut changes) =
                    self.with_state(before, |encoder, state| encoder.expr(*value, state));
                if let Some(value) = value {
                    changes.insert(target, value);
                }
                (conditions, changes)
            }
            Stmt::Assign(Place::Memory { region, addr, ty }, value) => {
                let target = StateVar::Region(*region);
                if !live(self, target) || !self.encoder.program.is_tracked(target) {
                    return (Vec::new(), before);
                }
                self.store(*region, *addr, *ty, Stored::Expr(*value), before)
            }
            Stmt::Input(place, _) => self.input(edge_id, to, *place, before),
            Stmt::Alloc { var, size } => {
                let next = self.encoder.program.next_address.map(StateVar::Var);
                if !live(self, StateVar::Var(*var)) && !next.is_some_and(|next| live(self, next)) {
                    return (Vec::new(), without(before, StateVar::Var(*var)));
                }
                self.allocate(*var, *size, before)
            }
            Stmt::Call { .. } => unreachable!("segments of procedures with calls end at the calls"),
        }
    }

    fn assume(&mut self, cond: ExprId, before: Changes) -> (Vec<TermId>, Changes) {
        self.with_state(before, |encoder, state| {
            let (value, mut conditions) = encoder.expr(cond, state);
            conditions.extend(value.map(|value| value.term));
            narrow(encoder, state, cond);
            conditions
        })
    }

    fn input(&mut self, edge: EdgeId, to: LocId, place: Place, before: Changes) -> (Vec<TermId>, Changes) {
        let ty = self.encoder.program.place_type(place);
        let (target, name) = match place {
            Place::Var(var) => (StateVar::Var(var), self.short_name(StateVar::Var(var))),
            Place::Memory { region, .. } => (StateVar::Region(region), "input".to_string()),
        };
        if !self.liveness.is_live(to, target) || !self.encoder.program.is_tracked(target) {
            let before = if let Place::Var(_) = place { without(before, target) } else { before };
            return (Vec::new(), before);
        }
        match place {
            Place::Var(_) => {
                let value = self.encoder.any_value(&name, ty);
                self.input_values.insert(edge, value.term);
                let fact = self.encoder.in_type(&value, ty);
                let mut after = before;
                after.insert(target, value);
                (vec![fact], after)
            }
            Place::Memory { region, addr, ty } if ty.is_float() => {
                self.store(region, addr, ty, Stored::Float, before)
            }
            Place::Memory { region, addr, ty } => {
                let value = self.encoder.any_value(&name, ty);
                self.input_values.insert(edge, value.term);
                let fact = self.encoder.in_type(&value, ty);
                let (mut conditions, after) = self.store(region, addr, ty, Stored::Value(value), before);
                conditions.push(fact);
                (conditions, after)
            }
        }
    }

    fn store(
        &mut self,
        region: RegionId,
        addr: ExprId,
        ty: Type,
        stored: Stored,
        before: Changes,
    ) -> (Vec<TermId>, Changes) {
        self.with_state(before, |encoder, state| {
            let roots: &[ExprId] = match &stored {
                Stored::Expr(value) => &[addr, *value],
                _ => &[addr],
            };
            let (values, mut conditions) = encoder.exprs(roots, state);
            let value = match &stored {
                Stored::Expr(_) => values[1].clone(),
                Stored::Value(value) => Some(value.clone()),
                Stored::Float => None,
            };
            let addr = values[0].as_ref().expect("an address is no float");
            let array = state.get(encoder, StateVar::Region(region));
            let term = encoder.store(array.term, region, addr, ty, value.as_ref());
            conditions.extend(encoder.take_conditions());
            state.changes.insert(StateVar::Region(region), Value { term, range: Interval::ALL });
            conditions
        })
    }

    fn allocate(&mut self, var: VarId, size: ExprId, before: Changes) -> (Vec<TermId>, Changes) {
        let next = self.encoder.program.next_address;
        self.with_state(before, |encoder, state| {
            let Some(next) = next else {
                let value = encoder.any_value("alloc", Type::Pointer);
                let fact = encoder.in_type(&value, Type::Pointer);
                state.changes.insert(StateVar::Var(var), value);
                return vec![fact];
            };
            let (size, mut conditions) = encoder.expr(size, state);
            let address = state.get(encoder, StateVar::Var(next));
            let size = size.expect("a size is no float");
            // The size, rounded up to the alignment, and the guard gap.
            let alignment = Int::from(ALIGNMENT);
            let numeral = encoder.terms.int(alignment.clone());
            let slack = encoder.terms.int(ALIGNMENT as i64 - 1);
            let padded = encoder.terms.add2(size.term, slack);
            let units = encoder.terms.div(padded, numeral);
            let padded_range = size.range.add(&Interval::constant(ALIGNMENT as i64 - 1));
            let units = Value { term: units, range: padded_range.div_floor(&alignment) };
            let rounded = encoder.scaled(&alignment, &units);
            let guard = encoder.terms.int(GUARD_BYTES as i64);
            let term = encoder.terms.add(&[address.term, rounded.term, guard]);
            let range = address.range.add(&rounded.range).add(&Interval::constant(GUARD_BYTES as i64));
            let space = encoder.type_range(Type::Pointer);
            if !range.is_within(&space) {
                conditions.push(encoder.in_range(term, &space));
            }
            let range = range.meet(&space).unwrap_or(space);
            state.changes.insert(StateVar::Var(var), address);
            state.changes.insert(StateVar::Var(next), Value { term, range });
            conditions
        })
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

    fn finish(&mut self, at_target: Changes) -> BlockEncoding {
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

enum Stored {
    Expr(ExprId),
    Value(Value),
    Float,
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

/// Learns from an assumption: comparisons of a variable with a constant, and conjunctions of them.
fn narrow(encoder: &mut Encoder<'_>, state: &mut PathState<'_>, cond: ExprId) {
    let mut stack = vec![cond];
    while let Some(cond) = stack.pop() {
        let Expr::Binary(op, a, b) = encoder.program.exprs.get(cond) else { continue };
        let exprs = &encoder.program.exprs;
        match op {
            BinaryOp::And if exprs.ty(a) == Type::Bool => stack.extend([a, b]),
            BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le => {
                for (variable, other, is_left) in [(a, b, true), (b, a, false)] {
                    let (Expr::Var(var), Expr::Const(ty, value)) = (exprs.get(variable), exprs.get(other))
                    else {
                        continue;
                    };
                    if matches!(ty, Type::Bool | Type::Float(_)) || value < 0 && !is_signed(ty) {
                        continue;
                    }
                    let bound = Int::from(value);
                    let known = match (op, is_left) {
                        (BinaryOp::Eq, _) => Interval::constant(bound),
                        (BinaryOp::Lt, true) => Interval { lo: None, hi: Some(bound - Int::ONE) },
                        (BinaryOp::Lt, false) => Interval { lo: Some(bound + Int::ONE), hi: None },
                        (_, true) => Interval { lo: None, hi: Some(bound) },
                        (_, false) => Interval { lo: Some(bound), hi: None },
                    };
                    let value = state.get(encoder, StateVar::Var(var));
                    if let Some(range) = value.range.meet(&known) {
                        state.changes.insert(StateVar::Var(var), Value { term: value.term, range });
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int(int) if int.signed)
}
