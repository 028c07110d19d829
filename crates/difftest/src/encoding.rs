//! The logical encoding against execution: the formula of every executed block must be true of the
//! states before and after it.
//!
//! A run of the inlined program is recorded at the cutpoints. Then the program gets an error after its
//! exit, with the condition that the result is the one of this run, so that all that the result depends
//! on is relevant; it is simplified and encoded as an engine would do it. No executed edge may be closed,
//! the ranges must contain the recorded values, and each block must hold.
//!
//! Auxiliary constants of a block have the values that they stand for: inputs what was read, results of
//! nonlinear operations what these yield, others what defines them on the executed path. Blocks that
//! depend on floating point are left out, as formulas say nothing about it.

use crate::recording::{Oracle, Recording, State, record, scalar};
use craig_base::Budget;
use craig_exec::Limits;
use craig_num::Int;
use craig_program::encode::{BlockEncoding, CutpointEncoding};
use craig_program::{
    BinaryOp, EdgeId, ExprId, Inlined, LocId, Proc, Program, RegionId, Simplified, StateVar, Stmt, Type,
    inline, simplify,
};
use craig_term::{Model, Op, TermId, Terms, Value};

/// Larger programs are not inlined here.
const INLINE_LIMIT: usize = 50_000;

/// How many blocks were evaluated, or what is wrong.
pub fn check(program: &Program, oracle: Oracle<'_>, limits: &Limits) -> Result<usize, String> {
    let wide = |ty: Type| matches!(ty, Type::Int(int) if int.bits > 64);
    if program.vars.iter().any(|var| wide(var.ty)) {
        return Ok(0);
    }
    let Ok(mut inlined) = inline(program, INLINE_LIMIT) else { return Ok(0) };
    let Some(recording) = record(&inlined, oracle, limits) else { return Ok(0) };
    if !ask_for_result(&mut inlined, &recording) {
        return Ok(0);
    }
    let budget = limits.budget.clone();
    let Ok(simplified) = simplify(&inlined.program, &budget) else { return Ok(0) };
    let mut terms = Terms::new();
    let Ok(encoding) = CutpointEncoding::new(&simplified.program, &simplified.ranges, &mut terms, &budget)
    else {
        return Ok(0);
    };
    let mut checker = Checker { simplified: &simplified, encoding: &encoding, terms, recording };
    checker.closed_edges()?;
    checker.blocks(&budget)
}

/// Puts an error after the exit that is reached with the result of this run.
fn ask_for_result(inlined: &mut Inlined, recording: &Recording) -> bool {
    let entry = inlined.program.entry;
    let Some(result) = inlined.proc().result else { return false };
    let Some(int) = inlined.program.vars[result].ty.as_int() else { return false };
    let program = &mut inlined.program;
    let result = program.var_expr(result);
    let expected = program.exprs.int(int, recording.result);
    let condition = program.exprs.binary(BinaryOp::Eq, result, expected, program.data_model);
    let proc = &mut program.procs[entry];
    let (exit, error, span) = (proc.exit, proc.error, proc.span);
    proc.add_edge(exit, error, Stmt::Assume(condition), span);
    true
}

struct Checker<'a> {
    simplified: &'a Simplified,
    encoding: &'a CutpointEncoding,
    terms: Terms,
    recording: Recording,
}

impl Checker<'_> {
    fn program(&self) -> &Program {
        &self.simplified.program
    }

    fn proc(&self) -> &Proc {
        self.encoding.proc(&self.simplified.program)
    }

    fn describe(&self, edge: EdgeId) -> String {
        let edge = &self.proc().edges[edge];
        format!("line {}: {}", edge.span.line, self.program().show_stmt(&edge.stmt))
    }

    /// What was executed must be possible.
    fn closed_edges(&self) -> Result<(), String> {
        let until = match self.recording.states.last() {
            Some((position, _)) => *position,
            None => 0,
        };
        for &edge in &self.recording.path[..until] {
            if self.program().is_closed(&self.proc().edges[edge].stmt) {
                return Err(format!("an executed edge was closed: {}", self.describe(edge)));
            }
        }
        Ok(())
    }

    fn blocks(&mut self, budget: &Budget) -> Result<usize, String> {
        let mut checked = 0;
        let states = std::mem::take(&mut self.recording.states);
        for pair in states.windows(2) {
            let [(start, before), (end, after)] = pair else { continue };
            if budget.check().is_err() {
                break;
            }
            let mut path: Vec<EdgeId> = self.recording.path[*start..*end].to_vec();
            let proc = self.proc();
            let Some(&first) = path.first() else { continue };
            let from = proc.edges[first].from;
            let mut to = path.last().map_or(from, |&edge| proc.edges[edge].to);
            self.ranges(from, before)?;
            if to == proc.exit && self.encoding.cuts.at(to).is_none() {
                let last = proc.locations[to].outgoing.last();
                path.extend(last);
                to = proc.error;
            }
            let cuts = &self.encoding.cuts;
            let ends = cuts.at(from).zip(cuts.at(to));
            let Some(edge) = ends.and_then(|(from, to)| cuts.edge_between(from, to)) else {
                return Err(format!("no block for the way from {from} to {to}"));
            };
            let block = &self.encoding.blocks[edge];
            if path.iter().any(|edge| !block.edges.contains_key(edge)) {
                return Err(format!("the block from {from} to {to} lacks an executed edge"));
            }
            if self.depends_on_floats(block, &path) {
                continue;
            }
            self.block(block, *start, &path, before, after)?;
            checked += 1;
        }
        Ok(checked)
    }

    fn ranges(&self, location: LocId, state: &State) -> Result<(), String> {
        for (var, interval) in self.simplified.ranges.all_at(location) {
            let scalar = self.simplified.scalars.iter().any(|cell| cell.var == var);
            let Some(&value) = state.values.get(var.0 as usize).filter(|_| !scalar) else { continue };
            if !interval.contains(&Int::from(value)) {
                let name = &self.program().vars[var].name;
                return Err(format!("{name} is {value} at {location}, not in {interval}"));
            }
        }
        Ok(())
    }

    fn depends_on_floats(&self, block: &BlockEncoding, path: &[EdgeId]) -> bool {
        let exprs = &self.program().exprs;
        let is_float = |root: ExprId| exprs.postorder(&[root]).iter().any(|&id| exprs.ty(id).is_float());
        block.approximations.iter().any(|&(edge, expr)| path.contains(&edge) && is_float(expr))
    }

    fn block(
        &mut self,
        block: &BlockEncoding,
        start: usize,
        path: &[EdgeId],
        before: &State,
        after: &State,
    ) -> Result<(), String> {
        let mut model = Model::new();
        for (&var, &constant) in &block.inputs {
            let value = self.component(var, before);
            model.set(constant, value);
        }
        self.path_literals(block, path, &mut model);
        for (i, edge) in path.iter().enumerate() {
            if let (Some(&constant), Some(&value)) =
                (block.input_values.get(edge), self.recording.values_read.get(&(start + i)))
            {
                let is_bool = self.terms.is_bool(constant);
                model.set(constant, scalar(value, is_bool));
            }
        }
        self.complete(block, path, &mut model);
        let where_ = || format!("{} ... {}", self.describe(path[0]), self.describe(path[path.len() - 1]));
        if !self.holds(block.guard, &model) {
            let false_part = self.false_part(block.guard, &model);
            return Err(format!("{}: {}", where_(), self.terms.to_smtlib(false_part)));
        }
        for output in &block.outputs {
            let Ok(got) = self.terms.eval(output.value, &model) else { continue };
            match output.var {
                StateVar::Var(_) => {
                    let expected = self.component(output.var, after);
                    if got != expected {
                        let name = self.program().state_name(output.var);
                        return Err(format!("{}: {name} is {expected:?}, formula: {got:?}", where_()));
                    }
                }
                StateVar::Region(region) => {
                    let base = self.component(output.var, before);
                    self.stores(region, &base, &got, after)
                        .map_err(|what| format!("{}: {what}", where_()))?;
                }
            }
        }
        Ok(())
    }

    /// What the formula stored must be in the memory afterwards.
    fn stores(&self, region: RegionId, base: &Value, got: &Value, after: &State) -> Result<(), String> {
        let (Value::Array(base), Value::Array(got)) = (base, got) else { return Ok(()) };
        for (address, content) in got.entries() {
            let Value::Int(at) = address else { continue };
            let Some(at) = at.to_i128().and_then(|at| u64::try_from(at).ok()) else { continue };
            if base.select(address) == content {
                continue;
            }
            if let Some(actual) = self.recording.cell(self.program(), region, at, &mut after.memory.clone())
                && Value::Int(Int::from(actual)) != *content
            {
                let name = &self.program().regions[region].name;
                return Err(format!("{name}[{at:#x}] is {actual}, formula: {content:?}"));
            }
        }
        Ok(())
    }

    fn path_literals(&self, block: &BlockEncoding, path: &[EdgeId], model: &mut Model) {
        let mut set = |literal: TermId| {
            if matches!(self.terms.op(literal), Op::Const(_)) {
                model.set(literal, Value::Bool(true));
            }
        };
        for &edge in path {
            set(block.edges[&edge]);
            if let Some(&literal) = block.locations.get(&self.proc().edges[edge].from) {
                set(literal);
            }
        }
    }

    /// Gives the other auxiliaries the values that they stand for on the path. Results and definitions
    /// depend on each other, so this is repeated until nothing changes.
    fn complete(&self, block: &BlockEncoding, path: &[EdgeId], model: &mut Model) {
        let mut definitions: Vec<(usize, TermId, TermId)> = block
            .definitions
            .iter()
            .filter_map(|&(edge, constant, value)| {
                path.iter().position(|&on_path| on_path == edge).map(|at| (at, constant, value))
            })
            .collect();
        definitions.sort_by_key(|&(at, ..)| at);
        loop {
            let mut changed = false;
            for (operation, &constant) in &block.results {
                let [a, b] = operation.operands.map(|operand| self.terms.eval(operand, model));
                let (Ok(Value::Int(a)), Ok(Value::Int(b))) = (a, b) else { continue };
                let (Some(a), Some(b)) = (a.to_i128(), b.to_i128()) else { continue };
                let value = Value::Int(Int::from(apply(operation.op, operation.ty, a, b)));
                changed |= model.get(constant) != Some(&value);
                model.set(constant, value);
            }
            for &(_, constant, value) in &definitions {
                let Ok(value) = self.terms.eval(value, model) else { continue };
                changed |= model.get(constant) != Some(&value);
                model.set(constant, value);
            }
            if !changed {
                return;
            }
        }
    }

    fn holds(&self, formula: TermId, model: &Model) -> bool {
        self.terms.eval_bool(formula, model).unwrap_or(false)
    }

    /// The innermost conjunct that is false.
    fn false_part(&self, formula: TermId, model: &Model) -> TermId {
        let mut current = formula;
        while self.terms.op(current) == Op::And {
            match self.terms.args(current).iter().find(|&&part| !self.holds(part, model)) {
                Some(&part) => current = part,
                None => break,
            }
        }
        current
    }

    fn component(&self, component: StateVar, state: &State) -> Value {
        match component {
            StateVar::Var(var) => {
                let is_bool = self.program().vars[var].ty == Type::Bool;
                match self.simplified.scalars.iter().find(|cell| cell.var == var) {
                    Some(cell) => {
                        let memory = &mut state.memory.clone();
                        let value = self.recording.cell(self.program(), cell.region, cell.address, memory);
                        scalar(value.unwrap_or(0), is_bool)
                    }
                    None => scalar(state.values[var.0 as usize], is_bool),
                }
            }
            StateVar::Region(region) => self.recording.array(self.program(), region, &state.memory),
        }
    }
}

/// The result of an operation without a linear term. Where it is undefined, the block is not executed.
pub(crate) fn apply(op: BinaryOp, ty: Type, a: i128, b: i128) -> i128 {
    let wrap = |value: i128| ty.as_int().map_or(value, |int| int.wrap(value));
    match op {
        BinaryOp::Div if b != 0 => a / b,
        BinaryOp::Rem if b != 0 => a % b,
        BinaryOp::Shl if (0..64).contains(&b) => wrap(a << b),
        BinaryOp::Shr if (0..64).contains(&b) => a >> b,
        BinaryOp::And => a & b,
        _ => 0,
    }
}
