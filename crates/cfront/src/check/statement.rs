//! Statements (C11 6.8).

use super::function::Switch;
use super::{Checked, Checker, Operand, error};
use crate::ast::{self, Expr, Stmt};
use crate::hir::{Asm, AsmInput, Case, ExprId, ExprKind, Label, LabelId, StmtId, StmtKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::TypeId;

/// What a selection, an iteration or a substatement makes outside of inner blocks. Each of them is a block (6.8.4 p3,
/// 6.8.5 p5): a scope, and a node of its own if there are objects that end with it, those of compound literals.
#[derive(Default)]
struct Head {
    has_objects: bool,
}

impl Head {
    fn part<'c, T>(
        &mut self,
        checker: &mut Checker<'c>,
        check: impl FnOnce(&mut Checker<'c>) -> Checked<T>,
    ) -> Checked<T> {
        let objects = |checker: &Checker<'_>| checker.function.as_ref().map_or(0, |f| f.locals.len());
        let before = objects(checker);
        let checked = check(checker)?;
        self.has_objects |= objects(checker) > before;
        Ok(checked)
    }
}

impl Checker<'_> {
    /// The statements of a block, in the scope that the caller opened. Errors are collected, and checking goes
    /// on with the next statement.
    pub(super) fn block_items(&mut self, stmts: &[Stmt]) -> Vec<StmtId> {
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.item(stmt, &mut out);
        }
        out
    }

    fn item(&mut self, stmt: &Stmt, out: &mut Vec<StmtId>) {
        let depth = self.scopes.depth();
        let state = self
            .function
            .as_ref()
            .map(|f| (f.switches.len(), f.loops, f.local_labels.len(), f.regions.len()));
        if let Err(found) = self.statement(stmt, out) {
            self.diagnostics.add(*found);
            // Undo what the statement left open.
            while self.scopes.depth() > depth {
                self.scopes.leave();
            }
            self.static_init = false;
            if let (Some(function), Some((switches, loops, labels, regions))) = (&mut self.function, state) {
                function.regions.truncate(regions);
                function.switches.truncate(switches);
                function.loops = loops;
                function.local_labels.truncate(labels);
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt, out: &mut Vec<StmtId>) -> Checked<()> {
        let span = stmt.span;
        let mut head = Head::default();
        let kind = match &stmt.kind {
            ast::StmtKind::Empty => return Ok(()),
            ast::StmtKind::Expr(expr) => {
                let operand = self.expression(expr)?;
                StmtKind::Expr(self.effect(operand)?)
            }
            ast::StmtKind::Declaration(declaration) => return self.declaration(declaration, out),
            ast::StmtKind::Function(definition) => return self.nested_function(definition),
            ast::StmtKind::StaticAssert(assertion) => return self.static_assert(assertion),
            ast::StmtKind::Block(stmts) => {
                let block = self.block(stmts);
                StmtKind::Block(block)
            }
            ast::StmtKind::If { condition, then, otherwise } => {
                self.scopes.enter();
                let condition = head.part(self, |checker| checker.condition(condition))?;
                let then = self.sub_statement(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => Some(self.sub_statement(otherwise)?),
                    None => None,
                };
                self.scopes.leave();
                StmtKind::If { condition, then, otherwise }
            }
            ast::StmtKind::While { condition, body } => {
                self.scopes.enter();
                let condition = head.part(self, |checker| checker.condition(condition))?;
                let body = self.loop_body(body)?;
                self.scopes.leave();
                StmtKind::While { condition, body }
            }
            ast::StmtKind::DoWhile { body, condition } => {
                self.scopes.enter();
                let body = self.loop_body(body)?;
                let condition = head.part(self, |checker| checker.condition(condition))?;
                self.scopes.leave();
                StmtKind::DoWhile { body, condition }
            }
            ast::StmtKind::For { init, condition, step, body } => {
                self.scopes.enter();
                let mut init_stmts = Vec::new();
                let (condition, step) = head.part(self, |checker| {
                    checker.statement(init, &mut init_stmts)?;
                    let condition = condition.as_ref().map(|condition| checker.condition(condition));
                    let step = step.as_ref().map(|step| {
                        let operand = checker.expression(step)?;
                        checker.effect(operand)
                    });
                    Ok((condition.transpose()?, step.transpose()?))
                })?;
                let body = self.loop_body(body)?;
                self.scopes.leave();
                StmtKind::For { init: init_stmts, condition, step, body }
            }
            ast::StmtKind::Switch { value, body } => {
                self.scopes.enter();
                let value = head.part(self, |checker| checker.switch_value(value))?;
                let switch = self.switch(value, body, span)?;
                self.scopes.leave();
                switch
            }
            ast::StmtKind::Case { low, high } => self.case(low, high.as_ref(), span)?,
            ast::StmtKind::Default => {
                let label = self.new_label(None, span)?;
                let Some(switch) = self.function.as_mut().and_then(|f| f.switch()) else {
                    return error(span, "`default` outside of a switch");
                };
                if switch.default.replace(label).is_some() {
                    return error(span, "a second `default` in the same switch");
                }
                StmtKind::Label(label)
            }
            ast::StmtKind::Label(name) => {
                let label = self.label(*name, span)?;
                let Some(function) = &mut self.function else {
                    return error(span, "a label outside of functions");
                };
                let region = function.regions.last().map(|(region, _)| *region);
                if function.placed.insert(label, region).is_some() {
                    return error(span, format!("the label `{}` stands twice", self.names.get(*name)));
                }
                function.labels[label].span = span;
                StmtKind::Label(label)
            }
            ast::StmtKind::LocalLabels(names) => {
                for &(name, span) in names {
                    let text = Some(self.text(name).to_string());
                    let label = self.new_label(text, span)?;
                    if let Some(function) = &mut self.function {
                        function.local_labels.push((name, label));
                    }
                }
                return Ok(());
            }
            ast::StmtKind::Goto(name, name_span) => {
                let label = self.label(*name, *name_span)?;
                if let Some(function) = &mut self.function {
                    function.add_jump(label, *name_span);
                }
                StmtKind::Goto(label)
            }
            ast::StmtKind::ComputedGoto(target) => self.computed_goto(target, span)?,
            ast::StmtKind::Break => {
                let inside = self.function.as_ref().is_some_and(|f| f.loops > 0 || !f.switches.is_empty());
                if !inside {
                    return error(span, "`break` outside of loops and switches");
                }
                StmtKind::Break
            }
            ast::StmtKind::Continue => {
                if self.function.as_ref().is_none_or(|f| f.loops == 0) {
                    return error(span, "`continue` outside of loops");
                }
                StmtKind::Continue
            }
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span, out)?,
            ast::StmtKind::Asm(asm) => self.asm(asm, span)?,
        };
        let mut stmt = self.stmt(kind, span);
        if head.has_objects {
            stmt = self.stmt(StmtKind::Block(vec![stmt]), span);
        }
        out.push(stmt);
        Ok(())
    }

    fn block(&mut self, stmts: &[Stmt]) -> Vec<StmtId> {
        self.scopes.enter();
        let labels = self.function.as_ref().map_or(0, |f| f.local_labels.len());
        let block = self.block_items(stmts);
        if let Some(function) = &mut self.function {
            function.local_labels.truncate(labels);
        }
        self.scopes.leave();
        block
    }

    /// A statement that is a scope by itself (6.8.4 p3), as one node.
    fn sub_statement(&mut self, stmt: &Stmt) -> Checked<StmtId> {
        let mut out = Vec::new();
        let mut whole = Head::default();
        self.scopes.enter();
        whole.part(self, |checker| checker.statement(stmt, &mut out))?;
        self.scopes.leave();
        Ok(match out.as_slice() {
            [single] if !whole.has_objects => *single,
            [single] if matches!(self.program.stmts[*single].kind, StmtKind::Block(_)) => *single,
            _ => self.stmt(StmtKind::Block(out), stmt.span),
        })
    }

    fn loop_body(&mut self, body: &Stmt) -> Checked<StmtId> {
        if let Some(function) = &mut self.function {
            function.loops += 1;
        }
        let body = self.sub_statement(body)?;
        if let Some(function) = &mut self.function {
            function.loops -= 1;
        }
        Ok(body)
    }

    fn switch_value(&mut self, value: &Expr) -> Checked<ExprId> {
        let operand = self.expression(value)?;
        let expr = self.value(operand)?;
        if !self.program.types.is_integer(self.type_of(expr)) {
            return error(value.span, "a switch needs an integer");
        }
        self.promote(expr)
    }

    fn switch(&mut self, value: ExprId, body: &Stmt, span: Span) -> Checked<StmtKind> {
        let ty = self.type_of(value);
        let Some(function) = &mut self.function else {
            return error(span, "a switch outside of functions");
        };
        function.switches.push(Switch { ty, cases: Vec::new(), default: None });
        let body = self.sub_statement(body)?;
        let switch = self.function.as_mut().and_then(|f| f.switches.pop());
        let Some(Switch { cases, default, .. }) = switch else {
            return error(span, "a switch outside of functions");
        };
        self.check_overlap(&cases)?;
        Ok(StmtKind::Switch { value, cases, default, body })
    }

    fn check_overlap(&self, cases: &[Case]) -> Checked<()> {
        let mut sorted: Vec<&Case> = cases.iter().collect();
        sorted.sort_by_key(|case| case.low);
        for pair in sorted.windows(2) {
            if pair[0].high >= pair[1].low {
                let label = pair[0].label.max(pair[1].label);
                let span = self.function.as_ref().map_or(Span::NONE, |f| f.labels[label].span);
                return error(span, format!("another case of this switch has the value {}", pair[1].low));
            }
        }
        Ok(())
    }

    fn case(&mut self, low: &Expr, high: Option<&Expr>, span: Span) -> Checked<StmtKind> {
        let Some(ty) = self.function.as_mut().and_then(|f| f.switch()).map(|switch| switch.ty) else {
            return error(span, "`case` outside of a switch");
        };
        let low_value = self.case_value(low, ty)?;
        let high_value = match high {
            Some(high) => self.case_value(high, ty)?,
            None => low_value,
        };
        let label = self.new_label(None, span)?;
        if high_value < low_value {
            self.warn(span, "this range is empty");
        } else if let Some(switch) = self.function.as_mut().and_then(|f| f.switch()) {
            switch.cases.push(Case { low: low_value, high: high_value, label });
        }
        Ok(StmtKind::Label(label))
    }

    /// The constant converted to the type of the switch.
    fn case_value(&mut self, expr: &Expr, ty: TypeId) -> Checked<i128> {
        let value = self.constant(expr, "the value of a case")?;
        let wrapped = self.program.types.int_info(ty).map_or(value, |info| info.wrap(value));
        if wrapped != value {
            self.warn(expr.span, format!("this value becomes {wrapped} in the type of the switch"));
        }
        Ok(wrapped)
    }

    fn new_label(&mut self, name: Option<String>, span: Span) -> Checked<LabelId> {
        match &mut self.function {
            Some(function) => Ok(function.labels.push(Label { name, span })),
            None => error(span, "a label outside of functions"),
        }
    }

    /// The label of that name, perhaps before it stands anywhere.
    pub(super) fn label(&mut self, name: Symbol, span: Span) -> Checked<LabelId> {
        if let Some(function) = &self.function {
            let local = function.local_labels.iter().rev().find(|(local, _)| *local == name);
            if let Some((_, label)) = local {
                return Ok(*label);
            }
            if let Some(label) = function.label_names.get(&name) {
                return Ok(*label);
            }
        }
        let label = self.new_label(Some(self.text(name).to_string()), span)?;
        if let Some(function) = &mut self.function {
            function.label_names.insert(name, label);
        }
        Ok(label)
    }

    fn return_statement(
        &mut self,
        value: Option<&Expr>,
        span: Span,
        out: &mut Vec<StmtId>,
    ) -> Checked<StmtKind> {
        let result = self.function.as_ref().map_or(TypeId::VOID, |function| function.result);
        let Some(value) = value else {
            if result != TypeId::VOID {
                self.warn(span, "a function with a result returns without a value");
            }
            return Ok(StmtKind::Return(None));
        };
        let operand = self.expression(value)?;
        let expr = self.value(operand)?;
        if result == TypeId::VOID {
            // `return f();` in a function without result: the value is dropped.
            if self.type_of(expr) != TypeId::VOID {
                self.warn(span, "a function without result returns a value");
            }
            let effect = self.stmt(StmtKind::Expr(expr), value.span);
            out.push(effect);
            return Ok(StmtKind::Return(None));
        }
        let expr = self.assign_convert(expr, result, "the result")?;
        Ok(StmtKind::Return(Some(expr)))
    }

    pub(super) fn statement_expression(&mut self, stmts: &[Stmt], span: Span) -> Checked<ExprId> {
        let Some(function) = &mut self.function else {
            return error(span, "a statement expression outside of functions");
        };
        function.region_count += 1;
        function.regions.push((function.region_count, function.switches.len()));
        let labels = function.local_labels.len();
        self.scopes.enter();
        let (last, init) = match stmts.split_last() {
            Some((Stmt { kind: ast::StmtKind::Expr(last), .. }, init)) => (Some(last), init),
            _ => (None, stmts),
        };
        let body = self.block_items(init);
        let value = match last {
            Some(last) => {
                let operand = self.expression(last)?;
                Some(self.value(operand)?)
            }
            None => None,
        };
        if let Some(function) = &mut self.function {
            function.local_labels.truncate(labels);
            function.regions.pop();
        }
        self.scopes.leave();
        let ty = value.map_or(TypeId::VOID, |value| self.type_of(value));
        Ok(self.expr(ExprKind::Statement { stmts: body, value }, ty, span))
    }

    fn asm(&mut self, asm: &ast::Asm, span: Span) -> Checked<StmtKind> {
        if !asm.template.trim().is_empty() {
            self.warn(span, "the effects of assembly are over-approximated from its operands");
        }
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            match self.expression(&operand.value)? {
                Operand::Place(place) => outputs.push((operand.constraint.clone(), place)),
                _ => return error(operand.value.span, "an output of assembly must be an object"),
            }
        }
        let mut inputs = Vec::new();
        for operand in &asm.inputs {
            let in_memory = operand.constraint.contains('m') && !operand.constraint.contains(['r', 'g', 'i']);
            let input = match self.expression(&operand.value)? {
                Operand::Place(place) if in_memory => AsmInput::Memory(place),
                other => AsmInput::Value(self.value(other)?),
            };
            inputs.push((operand.constraint.clone(), input));
        }
        let mut labels = Vec::new();
        for &(name, name_span) in &asm.labels {
            let label = self.label(name, name_span)?;
            if let Some(function) = &mut self.function {
                function.add_jump(label, name_span);
            }
            labels.push(label);
        }
        Ok(StmtKind::Asm(Asm {
            template: asm.template.clone(),
            outputs,
            inputs,
            clobbers: asm.clobbers.clone(),
            labels,
            volatile: asm.volatile,
        }))
    }
}
