//! Labels as values (gcc): an address is a number of its own, and a jump to an address one to the label whose number
//! it is, among those of the function whose address is taken.

use craig_base::Index;

use super::{Checked, Checker, error};
use crate::ast::Expr;
use crate::hir::{
    BinaryOp, Builtin, CastKind, ExprId, ExprKind, LabelId, LocalId, LocalOrigin, PlaceKind, StmtId, StmtKind,
};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::TypeId;

/// A jump whose targets are known at the end of the function.
pub(super) struct ComputedGoto {
    /// A block, empty until then.
    block: StmtId,
    /// Holds the address.
    address: LocalId,
}

/// No object lies here, and no label at null.
fn address(label: LabelId) -> i128 {
    16 * (label.index() as i128 + 1)
}

impl Checker<'_> {
    pub(super) fn label_address(&mut self, name: Symbol, span: Span) -> Checked<ExprId> {
        let label = self.label(name, span)?;
        if let Some(function) = &mut self.function {
            function.add_jump(label, span);
            if !function.addressed.contains(&label) {
                function.addressed.push(label);
            }
        }
        Ok(self.address_of_label(label, span))
    }

    fn address_of_label(&mut self, label: LabelId, span: Span) -> ExprId {
        let number = self.int(address(label), TypeId::UNSIGNED_LONG, span);
        let ty = self.types().pointer_to(TypeId::VOID);
        self.cast_node(CastKind::IntToPointer, number, ty, span)
    }

    pub(super) fn computed_goto(&mut self, target: &Expr, span: Span) -> Checked<StmtKind> {
        let value = self.operand_value(target)?;
        if !self.program.types.is_pointer(self.type_of(value)) {
            return error(target.span, "the address of a label is needed");
        }
        let pointer = self.types().pointer_to(TypeId::VOID);
        let value = self.cast_node(CastKind::PointerToPointer, value, pointer, span);
        let ty = pointer.into();
        let Some(function) = &mut self.function else { return error(span, "a jump outside of functions") };
        let local = function.add_local(String::new(), ty, LocalOrigin::Temporary, span);
        let place = self.place(PlaceKind::Local(local), ty, span);
        let assign = self.expr(ExprKind::Assign { place, value }, pointer, span);
        let assign = self.stmt(StmtKind::Expr(assign), span);
        let block = self.stmt(StmtKind::Block(Vec::new()), span);
        if let Some(function) = &mut self.function {
            function.computed.push(ComputedGoto { block, address: local });
        }
        Ok(StmtKind::Block(vec![assign, block]))
    }

    /// Fills in the jumps of a function, all of which has been seen.
    pub(super) fn resolve_computed_gotos(&mut self, gotos: Vec<ComputedGoto>, addressed: &[LabelId]) {
        let pointer = self.types().pointer_to(TypeId::VOID);
        for goto in gotos {
            let span = self.program.stmts[goto.block].span;
            let mut jumps = Vec::new();
            for &label in addressed {
                let place = self.place(PlaceKind::Local(goto.address), pointer, span);
                let value = self.expr(ExprKind::Load(place), pointer, span);
                let number = self.address_of_label(label, span);
                let condition = self.binary_node(BinaryOp::Eq, value, number, TypeId::INT, span);
                let then = self.stmt(StmtKind::Goto(label), span);
                jumps.push(self.stmt(StmtKind::If { condition, then, otherwise: None }, span));
            }
            // Anything else is undefined.
            let nowhere = self.builtin_node(Builtin::Unreachable, Vec::new(), TypeId::VOID, span);
            jumps.push(self.stmt(StmtKind::Expr(nowhere), span));
            self.program.stmts[goto.block].kind = StmtKind::Block(jumps);
        }
    }
}
