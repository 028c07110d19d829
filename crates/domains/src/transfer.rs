//! The abstract transfer of a loop-free segment, statement by statement, for domains of boxes.
//!
//! States flow along the edges of the segment in topological order and are joined where paths meet,
//! so a domain with exact joins keeps apart what the paths keep apart. A statement is executed once
//! for each box over the variables that it reads, with the interval arithmetic of
//! [`craig_program::analysis`]; everything else is carried along untouched. Only live variables are
//! kept.
//!
//! The transfer follows the meaning that formulas have: assignments to dead variables do nothing,
//! even where their evaluation would end the path.

use crate::interval_box::truth_interval;
use crate::{Cube, IntervalDomain};
use craig_base::{Budget, Map, StopReason};
use craig_num::Int;
use craig_program::analysis::{assume, transfer};
use craig_program::encode::CutpointEncoding;
use craig_program::{
    BinaryOp, Edge, Expr, ExprId, Interval, IntervalState, LocId, Place, Program, Segment, StateVar, Stmt,
    Type, UnaryOp, VarId, reads, stmt_operands, written_vars,
};
use craig_term::{TermId, Terms};

/// More cases than this of one condition are not kept apart.
const MAX_CASES: usize = 16;

/// The segments of a program, with a dimension for each variable.
pub struct Segments<'a> {
    program: &'a Program,
    encoding: &'a CutpointEncoding,
    dimensions: Map<VarId, TermId>,
    vars: Map<TermId, VarId>,
}

impl<'a> Segments<'a> {
    /// Variables that are live at a cutpoint have the constants of the encoding.
    pub fn new(terms: &mut Terms, program: &'a Program, encoding: &'a CutpointEncoding) -> Self {
        let mut dimensions: Map<VarId, TermId> = Map::default();
        for constant in encoding.states.iter().flatten() {
            if let StateVar::Var(var) = constant.var {
                dimensions.insert(var, constant.current);
            }
        }
        for (var, info) in program.vars.enumerated() {
            if !info.ty.is_float() {
                let sort = if info.ty == Type::Bool { Terms::BOOL } else { Terms::INT };
                dimensions.entry(var).or_insert_with(|| terms.fresh_const(&info.name, sort));
            }
        }
        let vars = program.vars.indices().filter_map(|var| Some((*dimensions.get(&var)?, var))).collect();
        Segments { program, encoding, dimensions, vars }
    }

    /// What the target of the segment can look like, coming from `start`.
    pub fn post<D: IntervalDomain>(
        &self,
        domain: &mut D,
        segment: &Segment,
        start: &D::Element,
        budget: &Budget,
    ) -> Result<D::Element, StopReason> {
        let proc = self.encoding.proc(self.program);
        let mut states: Map<LocId, D::Element> = Map::default();
        states.insert(segment.source, start.clone());
        let mut arrived = domain.bottom();
        for &id in &segment.edges {
            budget.check()?;
            let edge = &proc.edges[id];
            let Some(before) = states.get(&edge.from).cloned() else { continue };
            let after = self.execute(domain, edge, &before);
            if domain.is_bottom(&after) {
                continue;
            }
            let after = self.keep_live(domain, &after, edge);
            if edge.to == segment.target {
                arrived = domain.join(&arrived, &after);
            } else {
                let joined = match states.get(&edge.to) {
                    Some(there) => domain.join(there, &after),
                    None => after,
                };
                let joined = domain.compact(&joined);
                states.insert(edge.to, joined);
            }
        }
        Ok(domain.compact(&arrived))
    }

    /// Forgets what is live before the edge, or written by it, but not live after it.
    fn keep_live<D: IntervalDomain>(&self, domain: &mut D, element: &D::Element, edge: &Edge) -> D::Element {
        let dead = self.encoding.liveness.dead_after(self.program, edge);
        let dead: Vec<TermId> = dead
            .into_iter()
            .filter_map(|var| match var {
                StateVar::Var(var) => self.dimensions.get(&var).copied(),
                StateVar::Region(_) => None,
            })
            .collect();
        if dead.is_empty() { element.clone() } else { domain.forget(element, &dead) }
    }

    fn execute<D: IntervalDomain>(&self, domain: &mut D, edge: &Edge, before: &D::Element) -> D::Element {
        let live = |var: StateVar| self.encoding.liveness.is_live(edge.to, var);
        match &edge.stmt {
            Stmt::Skip | Stmt::Free(_) => before.clone(),
            Stmt::Assume(condition) => self.assume(domain, before, *condition, true),
            Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _)
                if !live(StateVar::Var(*var)) =>
            {
                before.clone()
            }
            Stmt::Assign(Place::Memory { region, .. }, _) if !live(StateVar::Region(*region)) => {
                before.clone()
            }
            Stmt::Assign(Place::Var(var), value) => self.assign(domain, before, *var, *value),
            stmt => self.by_boxes(domain, before, stmt),
        }
    }

    /// An assignment; a domain that keeps cases apart looks at both values of a condition.
    fn assign<D: IntervalDomain>(
        &self,
        domain: &mut D,
        before: &D::Element,
        var: VarId,
        value: ExprId,
    ) -> D::Element {
        let exprs = &self.program.exprs;
        let cases = match exprs.get(value) {
            Expr::Ite(condition, then, otherwise) => Some((condition, then, otherwise)),
            _ => None,
        };
        if let Some((condition, then, otherwise)) = cases
            && domain.is_disjunctive()
        {
            let mut result = domain.bottom();
            for (expected, value) in [(true, then), (false, otherwise)] {
                let case = self.assume(domain, before, condition, expected);
                let after = self.by_boxes(domain, &case, &Stmt::Assign(Place::Var(var), value));
                result = domain.join(&result, &after);
            }
            return result;
        }
        let condition = match exprs.get(value) {
            Expr::Cast(_, inner) if exprs.ty(inner) == Type::Bool => Some(inner),
            Expr::Unary(..) | Expr::Binary(..) if exprs.ty(value) == Type::Bool => Some(value),
            _ => None,
        };
        match (condition, self.dimensions.get(&var)) {
            (Some(condition), Some(&dimension)) if domain.is_disjunctive() => {
                let mut result = domain.bottom();
                for expected in [true, false] {
                    let case = self.assume(domain, before, condition, expected);
                    let case = domain.forget(&case, &[dimension]);
                    let slab =
                        domain.slab(dimension, &self.interval(var, &Interval::constant(i64::from(expected))));
                    let after = domain.meet(&case, &slab);
                    result = domain.join(&result, &after);
                }
                result
            }
            _ => self.by_boxes(domain, before, &Stmt::Assign(Place::Var(var), value)),
        }
    }

    /// Any statement, box by box over what it reads.
    fn by_boxes<D: IntervalDomain>(&self, domain: &mut D, before: &D::Element, stmt: &Stmt) -> D::Element {
        let read = self.read(&stmt_operands(stmt), stmt);
        let mut result = domain.bottom();
        for cube in domain.cubes(before, &read) {
            let mut state = self.interval_state(&cube);
            if !transfer(self.program, stmt, &mut state) {
                continue;
            }
            let slice = element_of(domain, &cube);
            let mut after = domain.meet(before, &slice);
            for var in written_vars(self.program, stmt) {
                let Some(&dimension) = self.dimensions.get(&var) else { continue };
                after = domain.forget(&after, &[dimension]);
                after = self.restrict(domain, &after, var, &state);
            }
            result = domain.join(&result, &after);
        }
        result
    }

    /// The states in which the condition may be as expected.
    fn assume<D: IntervalDomain>(
        &self,
        domain: &mut D,
        before: &D::Element,
        condition: ExprId,
        expected: bool,
    ) -> D::Element {
        let exprs = &self.program.exprs;
        let mut result = domain.bottom();
        let mut cases = vec![(before.clone(), vec![(condition, expected)])];
        while let Some((mut element, mut pending)) = cases.pop() {
            while let Some((condition, expected)) = pending.pop() {
                match exprs.get(condition) {
                    Expr::Unary(UnaryOp::Not, a) => pending.push((a, !expected)),
                    Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b)
                        if exprs.ty(a) == Type::Bool && (op == BinaryOp::And) == expected =>
                    {
                        pending.extend([(a, expected), (b, expected)]);
                    }
                    Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b)
                        if exprs.ty(a) == Type::Bool
                            && domain.is_disjunctive()
                            && cases.len() < MAX_CASES =>
                    {
                        let mut other = pending.clone();
                        other.push((b, expected));
                        cases.push((element.clone(), other));
                        pending.push((a, expected));
                    }
                    _ => element = self.literal(domain, &element, condition, expected),
                }
                if domain.is_bottom(&element) {
                    break;
                }
            }
            result = domain.join(&result, &element);
        }
        result
    }

    fn literal<D: IntervalDomain>(
        &self,
        domain: &mut D,
        before: &D::Element,
        condition: ExprId,
        expected: bool,
    ) -> D::Element {
        let read = self.read(&[condition], &Stmt::Skip);
        let mut result = domain.bottom();
        for cube in domain.cubes(before, &read) {
            let mut state = self.interval_state(&cube);
            if !assume(self.program, &mut state, condition, expected) {
                continue;
            }
            let slice = element_of(domain, &cube);
            let mut after = domain.meet(before, &slice);
            for &dimension in &read {
                after = self.restrict(domain, &after, self.vars[&dimension], &state);
            }
            if let Some((dimension, hole)) = self.hole(&read, &state, condition, expected)
                && domain.is_disjunctive()
            {
                let below = domain.slab(dimension, &Interval { lo: None, hi: Some(&hole - &Int::ONE) });
                let above = domain.slab(dimension, &Interval { lo: Some(hole + Int::ONE), hi: None });
                let both = domain.join(&below, &above);
                after = domain.meet(&after, &both);
            }
            result = domain.join(&result, &after);
        }
        result
    }

    /// The one value of the one variable of a condition for which it is not as expected.
    fn hole(
        &self,
        read: &[TermId],
        state: &IntervalState,
        condition: ExprId,
        expected: bool,
    ) -> Option<(TermId, Int)> {
        let &[dimension] = read else { return None };
        let var = self.vars[&dimension];
        let mut violating = state.clone();
        if !assume(self.program, &mut violating, condition, !expected) {
            return None;
        }
        let value = violating.get(self.program, var).as_constant()?.clone();
        let mut point = IntervalState::default();
        point.set(self.program, var, Interval::constant(value.clone()));
        (!assume(self.program, &mut point, condition, expected)).then_some((dimension, value))
    }

    /// The element where the variable is as in the state.
    fn restrict<D: IntervalDomain>(
        &self,
        domain: &mut D,
        element: &D::Element,
        var: VarId,
        state: &IntervalState,
    ) -> D::Element {
        let interval = state.iter().find(|(known, _)| *known == var).map(|(_, interval)| interval);
        match (interval, self.dimensions.get(&var)) {
            (Some(interval), Some(&dimension)) => {
                let slab = domain.slab(dimension, &self.interval(var, interval));
                domain.meet(element, &slab)
            }
            _ => element.clone(),
        }
    }

    /// An interval of a variable as elements have it.
    fn interval(&self, var: VarId, interval: &Interval) -> Interval {
        match interval.as_constant() {
            Some(value) if self.program.vars[var].ty == Type::Bool => truth_interval(!value.is_zero()),
            _ => interval.clone(),
        }
    }

    /// The dimensions that expressions read; an allocation reads the next free address.
    fn read(&self, roots: &[ExprId], stmt: &Stmt) -> Vec<TermId> {
        let mut vars: Vec<StateVar> = reads(self.program, roots);
        if matches!(stmt, Stmt::Alloc { .. }) {
            vars.extend(self.program.next_address.map(StateVar::Var));
        }
        let dimension = |var: StateVar| match var {
            StateVar::Var(var) => self.dimensions.get(&var).copied(),
            StateVar::Region(_) => None,
        };
        vars.into_iter().filter_map(dimension).collect()
    }

    fn interval_state(&self, cube: &Cube) -> IntervalState {
        let mut state = IntervalState::default();
        for (dimension, interval) in cube {
            let var = self.vars[dimension];
            let range = state.get(self.program, var);
            // Values outside of the type do not occur; an empty common part is left to the solver.
            state.set(self.program, var, interval.meet(&range).unwrap_or(range));
        }
        state
    }
}

fn element_of<D: IntervalDomain>(domain: &mut D, cube: &Cube) -> D::Element {
    let mut element = domain.top();
    for (&dimension, interval) in cube {
        let slab = domain.slab(dimension, interval);
        element = domain.meet(&element, &slab);
    }
    element
}
