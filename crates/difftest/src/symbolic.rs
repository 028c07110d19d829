//! Symbolic execution against concrete execution: what a symbolic run claims must be true of the inputs
//! of the very run.
//!
//! Random programs have no inputs, so their initialised globals and memory become inputs here, which get
//! the values that they had anyway. The concolic run must end as the concrete one does; each of its
//! constraints, and those of the same path walked edge by edge, must hold for these inputs; and the term of
//! the result must have the value that the run returned.

use crate::encoding::apply;
use crate::recording::Oracle;
use craig_base::OrderedMap;
use craig_exec::symbolic::{Constraint, SymbolicExecutable, SymbolicPath, SymbolicState};
use craig_exec::{Detail, Executable, InputSite, Limits, NoObserver, Outcome, PathRecorder, Source};
use craig_num::Int;
use craig_program::encode::Operation;
use craig_program::{InputSource, Place, ProcId, Program, Scope, Span, StateVar, Stmt, Type, VarId};
use craig_term::{ArrayValue, Model, Op, TermId, Terms, Value};
use std::sync::Arc;

/// As many values become inputs at most.
const MAX_INPUTS: usize = 40;
/// Longer runs have formulas that take too long to look at.
const MAX_STEPS: u64 = 1_500;

/// How many constraints were evaluated, or what is wrong.
pub fn check(program: &Program, oracle: Oracle<'_>, limits: &Limits) -> Result<usize, String> {
    let is_float = |ty: Type| ty.is_float();
    let floats = program.vars.iter().any(|var| is_float(var.ty))
        || (0..program.exprs.len()).any(|i| is_float(program.exprs.ty(craig_program::ExprId(i as u32))));
    let wide = program.vars.iter().any(|var| matches!(var.ty, Type::Int(int) if int.bits > 64));
    if floats || wide {
        return Ok(0);
    }
    let mut program = program.clone();
    let given = make_inputs(&mut program);
    let limits = Limits { steps: limits.steps.min(MAX_STEPS), ..limits.clone() };

    let mut path = PathRecorder::default();
    let mut next = 0;
    let run = Executable::new(&program, Detail::Edges).observe(
        &mut |at: &InputSite| answer(&program, &given, &mut next, oracle, at),
        &limits,
        &mut path,
    );
    let values: Vec<i128> = run.inputs.iter().map(|input| input.value).collect();
    let Outcome::Returned(Some(result)) = run.outcome else { return Ok(0) };
    let result_var = program.procs[program.entry].result.ok_or("a result without a variable")?;

    let mut terms = Terms::new();
    let mut again = values.iter();
    let symbolic = SymbolicExecutable::new(&program, Detail::Outcome).run(
        &mut terms,
        &mut |_: &InputSite| again.next().copied(),
        &limits,
        &mut NoObserver,
    );
    if symbolic.run.outcome != run.outcome || symbolic.run.inputs != run.inputs {
        return Err(format!("the concolic run differs: {}", symbolic.run.outcome.describe(&program)));
    }
    let mut model = Model::new();
    for (symbol, input) in symbolic.symbols.iter().zip(&run.inputs) {
        if let Some(symbol) = *symbol
            && matches!(terms.op(symbol), Op::Const(_))
        {
            model.set(symbol, scalar(&terms, symbol, input.value));
        }
    }
    let memory = first_contents(&program, &symbolic.run.inputs);
    let claims = Claims { program: &program, terms: &terms, memory: &memory };
    let mut checked = claims.hold(
        &symbolic.condition,
        &symbolic.results,
        &symbolic.state,
        &mut model,
        result_var,
        result,
    )?;

    let mut terms = Terms::new();
    let mut walked = SymbolicPath::start(&program, &mut terms);
    for &site in &path.path {
        walked.take(&program, &mut terms, site).map_err(|_| "the recorded path is none".to_string())?;
    }
    let mut model = Model::new();
    let statements = run.inputs.iter().filter(|input| input.at.source == Source::Statement);
    for (&(site, symbol), input) in walked.inputs.iter().zip(statements) {
        if site != input.at.site {
            return Err("the inputs of the path are in another order".to_string());
        }
        if let Some(symbol) = symbol {
            model.set(symbol, scalar(&terms, symbol, input.value));
        }
    }
    // Locals without a value are not in the order of inputs; such runs prove nothing.
    if walked.state.symbols.iter().any(|(component, _)| matches!(component, StateVar::Var(_))) {
        return Ok(checked);
    }
    let claims = Claims { program: &program, terms: &terms, memory: &memory };
    checked +=
        claims.hold(&walked.condition, &walked.results, &walked.state, &mut model, result_var, result)?;
    Ok(checked)
}

fn scalar(terms: &Terms, symbol: TermId, value: i128) -> Value {
    if terms.is_bool(symbol) { Value::Bool(value != 0) } else { Value::Int(Int::from(value)) }
}

/// Puts inputs for the initialised globals and cells before the first statement. Their values, in order.
fn make_inputs(program: &mut Program) -> Vec<i128> {
    let mut places = Vec::new();
    for (id, var) in program.vars.enumerated() {
        if let Scope::Global { init } = var.scope
            && Some(id) != program.next_address
        {
            places.push((Place::Var(id), init));
        }
    }
    let cells: Vec<_> = program
        .objects
        .iter()
        .flat_map(|object| {
            object
                .init
                .iter()
                .map(|&(offset, region, ty, value)| (object.address + offset, region, ty, value))
        })
        .collect();
    for (address, region, ty, value) in cells {
        let addr = program.exprs.constant(Type::Pointer, i128::from(address));
        places.push((Place::Memory { region, addr, ty }, value));
    }
    places.truncate(MAX_INPUTS);
    let entry = program.entry;
    for &(place, _) in places.iter().rev() {
        prepend(program, entry, Stmt::Input(place, InputSource::Call("given".into())));
    }
    places.into_iter().map(|(_, value)| value).collect()
}

fn prepend(program: &mut Program, proc: ProcId, stmt: Stmt) {
    let proc = &mut program.procs[proc];
    let first = proc.add_location(Span::default());
    proc.add_edge(first, proc.entry, stmt, Span::default());
    proc.entry = first;
}

fn answer(
    program: &Program,
    given: &[i128],
    next: &mut usize,
    oracle: Oracle<'_>,
    at: &InputSite,
) -> Option<i128> {
    let edge = program.procs[at.site.proc].edges.get(at.site.edge);
    let is_given = at.source == Source::Statement
        && matches!(edge.map(|edge| &edge.stmt), Some(Stmt::Input(_, InputSource::Call(name))) if &**name == "given");
    if is_given {
        *next += 1;
        return given.get(*next - 1).copied();
    }
    oracle(program, at)
}

/// The cells that were inputs, by region.
fn first_contents(program: &Program, inputs: &[craig_exec::Input]) -> OrderedMap<u32, ArrayValue> {
    let mut regions: OrderedMap<u32, ArrayValue> = OrderedMap::default();
    for input in inputs {
        if let Source::Memory { region, address } = input.at.source {
            let array = regions.entry(region.0).or_insert_with(|| ArrayValue::new(Value::Int(Int::ZERO)));
            for (offset, content) in program.cells_of(region, input.at.ty, input.value) {
                array.store(Value::Int(Int::from(address + offset)), Value::Int(Int::from(content)));
            }
        }
    }
    regions
}

struct Claims<'a> {
    program: &'a Program,
    terms: &'a Terms,
    memory: &'a OrderedMap<u32, ArrayValue>,
}

impl Claims<'_> {
    fn hold(
        &self,
        condition: &[Constraint],
        results: &OrderedMap<Operation, TermId>,
        state: &SymbolicState,
        model: &mut Model,
        result_var: VarId,
        result: i128,
    ) -> Result<usize, String> {
        for (component, symbol) in &state.symbols {
            if let StateVar::Region(region) = component {
                let empty = || ArrayValue::new(Value::Int(Int::ZERO));
                let contents = self.memory.get(&region.0).cloned().unwrap_or_else(empty);
                model.set(*symbol, Value::Array(Arc::new(contents)));
            }
        }
        for (operation, &constant) in results {
            let [a, b] = operation.operands.map(|operand| self.terms.eval(operand, model));
            let (Ok(Value::Int(a)), Ok(Value::Int(b))) = (a, b) else { continue };
            let (Some(a), Some(b)) = (a.to_i128(), b.to_i128()) else { continue };
            model.set(constant, Value::Int(Int::from(apply(operation.op, operation.ty, a, b))));
        }
        for constraint in condition {
            match self.terms.eval_bool(constraint.term, model) {
                Ok(true) => {}
                other => {
                    let term = self.terms.to_smtlib(constraint.term);
                    let at = constraint.site.describe(self.program);
                    return Err(format!("{at}: {:?} {term} is {other:?}", constraint.kind));
                }
            }
        }
        let Some(value) = state.value(result_var) else { return Ok(condition.len()) };
        let got = self.terms.eval(value.term, model);
        if got != Ok(Value::Int(Int::from(result))) {
            return Err(format!("the result is {result}, its term {got:?}"));
        }
        Ok(condition.len())
    }
}
