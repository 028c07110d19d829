//! The address of a nested function that uses variables around it. It is that of an ordinary function, which finds these
//! variables through globals, and taking it sets them: so it is right as long as the function around has one frame at a
//! time. One that may call itself is refused.

use craig_base::{IndexVec, Set};

use super::Checker;
use crate::diagnostics::Diagnostic;
use crate::hir::{
    Body, Callee, ExprId, ExprKind, Function, FunctionId, Global, GlobalId, GlobalOrigin, Initializer,
    Linkage, Local, LocalId, StmtKind,
};
use crate::lower::visit::{Node, initializer_children, walk};
use crate::source::Span;

impl Checker<'_> {
    /// Makes what the addresses of a nested function mean that are taken in the body of the function around it; the
    /// addresses that are left.
    pub(super) fn frame(
        &mut self,
        outer: FunctionId,
        function: FunctionId,
        uses: &[LocalId],
        addresses: Vec<ExprId>,
    ) -> Vec<ExprId> {
        let Some(body) = self.program.functions[outer].body.as_ref() else { return addresses };
        let mut within: Set<ExprId> = Set::default();
        walk(&self.program, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Expr(expr) = node {
                within.insert(expr);
            }
            true
        });
        let (here, left): (Vec<ExprId>, Vec<ExprId>) =
            addresses.into_iter().partition(|expr| within.contains(expr));
        if here.is_empty() {
            return left;
        }
        let locals: Vec<Local> = uses.iter().map(|&local| body.locals[local].clone()).collect();
        let mut frame = Vec::new();
        for local in &locals {
            let ty = self.types().pointer_to(local.ty);
            frame.push(self.program.globals.push(Global {
                name: format!("&{}", local.name),
                ty: ty.into(),
                linkage: Linkage::Internal,
                origin: GlobalOrigin::FileScope,
                init: Some(Initializer { items: Vec::new(), replaced: Vec::new() }),
                thread_local: false,
                span: local.span,
            }));
        }
        let Some(called) = self.caller(function, &frame) else { return left };
        for address in here {
            let (ty, span) = (self.type_of(address), self.span_of(address));
            let mut value = self.expr(ExprKind::FunctionAddress(called), ty, span);
            for ((&local, known), &global) in uses.iter().zip(&locals).zip(&frame).rev() {
                let pointer = self.program.globals[global].ty.ty;
                let variable = self.local_place(local, known.ty, span);
                let variable = self.expr(ExprKind::AddressOf(variable), pointer, span);
                let place = self.global_place(global, span);
                let kept = self.expr(ExprKind::Assign { place, value: variable }, pointer, span);
                value = self.expr(ExprKind::Comma(kept, value), ty, span);
            }
            self.program.exprs[address].kind = self.program.exprs[value].kind.clone();
            self.state.framed.push((outer, span));
        }
        left
    }

    /// A function with the parameters that the nested one has of its own, which calls it.
    fn caller(&mut self, function: FunctionId, frame: &[GlobalId]) -> Option<FunctionId> {
        let Function { name, ty, span, body, .. } = &self.program.functions[function];
        let (name, ty, span, body) = (name.clone(), *ty, *span, body.as_ref()?);
        let result = self.program.types.as_function(ty)?.result;
        let own = body.params.len() - frame.len();
        let locals: IndexVec<LocalId, Local> =
            body.params[..own].iter().map(|&param| body.locals[param].clone()).collect();
        let mut args = Vec::new();
        for (param, local) in locals.enumerated() {
            let place = self.local_place(param, local.ty, span);
            args.push(self.expr(ExprKind::Load(place), local.ty.ty, span));
        }
        for &global in frame {
            let place = self.global_place(global, span);
            let pointer = self.program.globals[global].ty.ty;
            args.push(self.expr(ExprKind::Load(place), pointer, span));
        }
        let call = ExprKind::Call { callee: Callee::Function(function), args };
        let call = self.expr(call, result, span);
        let kind = match self.program.types.is_void(result) {
            true => StmtKind::Expr(call),
            false => StmtKind::Return(Some(call)),
        };
        let statement = self.stmt(kind, span);
        let block = self.stmt(StmtKind::Block(vec![statement]), span);
        let params = locals.indices().collect();
        let body = Body { params, locals, labels: IndexVec::new(), block, end: span, refused: Vec::new() };
        let body = Some(body);
        let linkage = Linkage::Internal;
        Some(self.program.functions.push(Function {
            name,
            ty,
            linkage,
            no_return: false,
            weak: false,
            span,
            body,
        }))
    }

    /// Refuses such addresses in functions that may be called while they run.
    pub(super) fn check_frames(&mut self) {
        let mut framed: Vec<(FunctionId, Span)> = std::mem::take(&mut self.state.framed);
        framed.retain(|&(function, _)| self.may_call_itself(function));
        for (_, span) in framed {
            let what =
                "the address of a nested function that uses variables of a function that may call itself";
            self.diagnostics.add(Diagnostic::unsupported(span, what));
        }
    }

    fn may_call_itself(&self, function: FunctionId) -> bool {
        let program = &self.program;
        let mut called = Set::default();
        // Expressions that no body has are names of what is called.
        let mut addressed = Vec::new();
        let mut roots: Vec<Node> =
            program.functions.iter().filter_map(|f| Some(Node::Stmt(f.body.as_ref()?.block))).collect();
        for init in program.globals.iter().filter_map(|global| global.init.as_ref()) {
            initializer_children(init, &mut |node| roots.push(node));
        }
        walk(program, &roots, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::FunctionAddress(function) = program.exprs[expr].kind
            {
                addressed.push(function);
            }
            true
        });
        let mut pending = vec![function];
        while let Some(next) = pending.pop() {
            let Some(body) = &program.functions[next].body else {
                // It may call whatever it can get.
                pending.extend(addressed.iter().filter(|&&target| called.insert(target)));
                continue;
            };
            walk(program, &[Node::Stmt(body.block)], &mut |node| {
                if let Node::Expr(expr) = node {
                    match program.exprs[expr].kind {
                        ExprKind::Call { callee: Callee::Function(target), .. } => {
                            pending.extend(called.insert(target).then_some(target));
                        }
                        ExprKind::Call { callee: Callee::Pointer(_), .. } => {
                            pending.extend(addressed.iter().filter(|&&target| called.insert(target)));
                        }
                        _ => {}
                    }
                }
                true
            });
        }
        called.contains(&function)
    }
}
