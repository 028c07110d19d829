//! Calls through pointers become choices among the functions that the pointers can point to.

use std::cmp::Ordering;

use craig_base::Set;
use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, NoteKind, Type, VarId};

use super::body::{Body, Value};
use super::call::does_not_fit;
use super::points_to::PointsTo;
use super::{IndirectCall, Lowering, Shape};
use crate::hir::FunctionId;

impl Lowering<'_> {
    /// Replaces each call through a pointer by comparisons with its possible targets.
    pub(super) fn close_indirect_calls(&mut self) {
        let calls = std::mem::take(&mut self.indirect_calls);
        let (targets, from_outside) = self.indirect_targets(&calls);
        for ((call, targets), from_outside) in calls.iter().zip(targets).zip(from_outside) {
            self.close_call(call, &targets, from_outside);
        }
    }

    /// The functions that each call's pointer may hold, and whether the call's arguments fit them; and whether
    /// it may come from outside of the program.
    pub(super) fn indirect_targets(
        &mut self,
        calls: &[IndirectCall],
    ) -> (Vec<Vec<(FunctionId, bool)>>, Vec<bool>) {
        let mut found: Vec<Vec<(FunctionId, bool)>> = vec![Vec::new(); calls.len()];
        if calls.is_empty() {
            return (found, Vec::new());
        }
        let functions = self.reach.address_taken.clone();
        // Computed before the analysis borrows the program.
        let signatures: Vec<Option<Signature>> =
            functions.iter().map(|&function| self.signature(function)).collect();
        if self.options.one_region {
            let fits = |call, signature: &Option<Signature>| {
                signature.as_ref().is_some_and(|signature| signature.flows(call, &self.out.exprs).is_some())
            };
            let found = (calls.iter())
                .map(|call| functions.iter().copied().zip(signatures.iter().map(|s| fits(call, s))).collect())
                .collect();
            return (found, vec![true; calls.len()]);
        }
        let mut points_to = PointsTo::new(&self.out);
        points_to.add_program();
        let mut known: Vec<Set<usize>> = vec![Set::default(); calls.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, call) in calls.iter().enumerate() {
                for object in points_to.functions(call.pointer) {
                    let index = object.0 as usize;
                    if !known[i].insert(index) {
                        continue;
                    }
                    let Some(Some(signature)) = signatures.get(index) else { continue };
                    let flows = signature.flows(call, &self.out.exprs);
                    found[i].push((functions[index], flows.is_some()));
                    changed = true;
                    for (var, value) in flows.into_iter().flatten() {
                        points_to.bind(var, value);
                    }
                }
            }
        }
        let from_outside = calls.iter().map(|call| points_to.may_be_foreign(call.pointer)).collect();
        (found, from_outside)
    }

    /// How values get into a function and out of it; `None` if no code is known for it.
    fn signature(&mut self, function: FunctionId) -> Option<Signature> {
        let proc = self.procs[function]?;
        let result_type = self.result_type(function);
        let result = self.shape(result_type);
        let results = match result {
            Shape::Scalar(_) => self.out.procs[proc].result.into_iter().collect(),
            Shape::Leaves(_) => self.result_globals(function),
            Shape::Void | Shape::Memory => Vec::new(),
        };
        Some(Signature {
            result,
            results: results.into_iter().map(|var| self.out.var_expr(var)).collect(),
            arguments: self.param_types(function).into_iter().map(|ty| self.shape(ty)).collect(),
            params: self.out.procs[proc].params.iter().map(|&var| (var, self.out.vars[var].ty)).collect(),
            variadic: self.is_variadic(function),
            prototyped: self.is_prototyped(function),
            pointer_bits: self.out.data_model.pointer_bits(),
        })
    }

    fn close_call(&mut self, call: &IndirectCall, targets: &[(FunctionId, bool)], from_outside: bool) {
        let mut body = Body::open(self, call.proc);
        let (from, to) = (body.proc.edges[call.edge].from, body.proc.edges[call.edge].to);
        body.span = call.span;
        // The edge itself becomes the way to the comparisons.
        let start = body.new_location();
        body.proc.edges[call.edge].to = start;
        body.proc.locations[to].incoming.retain(|&edge| edge != call.edge);
        body.proc.locations[start].incoming.push(call.edge);
        debug_assert!(body.proc.locations[from].outgoing.contains(&call.edge));
        body.here = start;
        let pointer = body.freeze(call.pointer);
        if matches!(body.lw.out.exprs.get(pointer), ir::Expr::Var(_)) {
            body.lw.compared.push((call.proc, pointer));
        }
        for &(target, fits) in targets {
            let address = body.lw.function_addresses[target].unwrap_or(0);
            let address = body.lw.constant(Type::Pointer, i128::from(address));
            let equal = body.lw.binary(BinaryOp::Eq, pointer, address);
            let (matches, next) = (body.new_location(), body.new_location());
            body.split(equal, matches, next);
            body.here = matches;
            if fits {
                body.emit_call(target, &call.args, call.extra, &call.result);
                body.goto(to);
            } else {
                // Undefined (C11 6.5.2.2): the run ends.
                let name = &body.hir().functions[target].name;
                body.undefined(does_not_fit(name));
            }
            body.here = next;
        }
        let not_null = body.lw.truth(pointer);
        body.require(CheckKind::Memory, not_null, "a null pointer is called");
        if !from_outside {
            body.undefined("what is called is no function");
            return body.close();
        }
        let at = call.span;
        body.lw.note(
            NoteKind::Assumption,
            at,
            "a call through a pointer reaches a function that the program stores in such a pointer, or else \
             one that changes nothing and returns any value"
                .to_string(),
        );
        let source = ir::InputSource::Unmodelled("call through a pointer".into());
        match (&call.result, body.any_value(call.result_type, source)) {
            (Value::Scalar(result), Value::Scalar(value)) => body.assign_expr(*result, value),
            (Value::Leaves(results), Value::Leaves(values)) => {
                for (&result, value) in results.iter().zip(values) {
                    body.assign_expr(result, value);
                }
            }
            _ => {}
        }
        body.goto(to);
        body.close();
    }
}

/// How values get into a function and out of it.
struct Signature {
    result: Shape,
    /// Where the function leaves its result, one for each leaf.
    results: Vec<ExprId>,
    /// Of the parameters in C, each of which may take several of `params`.
    arguments: Vec<Shape>,
    params: Vec<(VarId, Type)>,
    variadic: bool,
    prototyped: bool,
    pointer_bits: u8,
}

/// The type of an argument where there is no prototype (6.5.2.2 p6).
pub(super) fn promoted(ty: Type) -> Type {
    match ty {
        Type::Int(int) if int.bits < 32 => Type::I32,
        Type::Bool => Type::I32,
        Type::Float(ir::FloatType::F32) => Type::Float(ir::FloatType::F64),
        other => other,
    }
}

/// Whether values of the types are passed in the same way, whatever their sign.
pub(super) fn are_alike(a: Type, b: Type, pointer_bits: u8) -> bool {
    let plain = |ty| match ty {
        Type::Int(int) => Type::Int(ir::IntType::unsigned(int.bits)),
        Type::Pointer => Type::Int(ir::IntType::unsigned(pointer_bits)),
        other => other,
    };
    plain(a) == plain(b)
}

/// The variables of the caller that take the results.
fn result_flow(
    exprs: &ir::Exprs,
    targets: &[ExprId],
    results: &[ExprId],
) -> impl Iterator<Item = (VarId, ExprId)> {
    targets.iter().zip(results).filter_map(|(&target, &result)| match exprs.get(target) {
        ir::Expr::Var(var) => Some((var, result)),
        _ => None,
    })
}

impl Signature {
    /// Which variables get which values in a call; `None` if the arguments do not fit the parameters.
    fn flows(&self, call: &IndirectCall, exprs: &ir::Exprs) -> Option<Vec<(VarId, ExprId)>> {
        let mut params = self.params.iter().copied();
        let mut flows = Vec::new();
        match (&self.result, &call.result) {
            (Shape::Memory, Value::Memory(address)) => flows.push((params.next()?.0, *address)),
            (Shape::Scalar(ty), Value::Scalar(value)) => {
                if !are_alike(*ty, exprs.ty(*value), self.pointer_bits) {
                    return None;
                }
                flows.extend(result_flow(exprs, &[*value], &self.results))
            }
            (Shape::Leaves(_), Value::Leaves(leaves)) => {
                let alike =
                    |(&a, &b): (&ExprId, &ExprId)| are_alike(exprs.ty(a), exprs.ty(b), self.pointer_bits);
                if leaves.len() != self.results.len() || !leaves.iter().zip(&self.results).all(alike) {
                    return None;
                }
                flows.extend(result_flow(exprs, leaves, &self.results))
            }
            // A result that is not asked for is none, unless it goes where the caller says.
            (Shape::Void | Shape::Scalar(_) | Shape::Leaves(_), Value::Void) => {}
            _ => return None,
        }
        // What takes more arguments than it names must be seen to do so (6.5.2.2 p6).
        if self.variadic != call.variadic {
            return None;
        }
        let count_fits = match call.args.len().cmp(&self.arguments.len()) {
            Ordering::Less => false,
            Ordering::Equal => true,
            // What is beyond the parameters of a definition without a prototype is passed in vain everywhere.
            Ordering::Greater => self.variadic || !self.prototyped,
        };
        if !count_fits {
            return None;
        }
        for (shape, (value, _)) in self.arguments.iter().zip(&call.args) {
            match (shape, value) {
                (Shape::Scalar(ty), Value::Scalar(value)) => {
                    let expected = if self.prototyped { *ty } else { promoted(*ty) };
                    if !are_alike(expected, exprs.ty(*value), self.pointer_bits) {
                        return None;
                    }
                    flows.push((params.next()?.0, *value));
                }
                (Shape::Memory, Value::Memory(value)) => flows.push((params.next()?.0, *value)),
                (Shape::Leaves(count), Value::Leaves(leaves)) if *count == leaves.len() => {
                    for &leaf in leaves {
                        let (param, ty) = params.next()?;
                        if !are_alike(ty, exprs.ty(leaf), self.pointer_bits) {
                            return None;
                        }
                        flows.push((param, leaf));
                    }
                }
                _ => return None,
            }
        }
        if self.variadic
            && let (Some(extra), Some(param)) = (call.extra, params.next())
        {
            flows.push((param.0, extra));
        }
        Some(flows)
    }
}

impl Body<'_, '_> {
    /// Assigns to the variable that the expression is.
    fn assign_expr(&mut self, target: ExprId, value: ExprId) {
        if let ir::Expr::Var(var) = self.lw.out.exprs.get(target) {
            self.assign(var, value);
        }
    }
}
