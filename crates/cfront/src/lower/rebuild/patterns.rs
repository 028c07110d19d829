//! Floating numbers in memory that are only moved, or compared with a constant, are their patterns.
//!
//! Formulas know nothing of floating numbers, but all of the integers that have their bits: that a factor in a structure is
//! still 0.95 takes no arithmetic. A number is equal to a constant where its pattern is, but for zero, which has
//! two, and for what is no number.

use super::Rebuild;
use craig_base::OrderedSet;
use craig_program as ir;
use ir::{BinaryOp, Cell, Expr, ExprId, FloatType, IntType, Place, RegionId, Stmt, Type};

impl Rebuild<'_> {
    /// Makes integers of the cells with floating numbers that are never computed with.
    pub(super) fn find_patterns(&mut self, bodies: &[ir::Proc]) {
        let regions = self.new.regions.enumerated();
        self.patterns = regions
            .filter_map(|(id, region)| {
                matches!(region.cell, Cell::Scalar(ty) if integer(ty).is_some()).then_some(id)
            })
            .collect();
        // What is copied into a cell that is computed with, or from there, is computed with as well.
        loop {
            let mut computed: OrderedSet<RegionId> = OrderedSet::default();
            for edge in bodies.iter().flat_map(|body| &body.edges) {
                self.computed_with(&edge.stmt, &mut computed);
            }
            let before = self.patterns.len();
            self.patterns.retain(|region| !computed.contains(region));
            if self.patterns.len() == before {
                break;
            }
        }
        for &region in &self.patterns {
            if let Cell::Scalar(ty) = self.new.regions[region].cell
                && let Some(integer) = integer(ty)
            {
                self.new.regions[region].cell = Cell::Scalar(integer);
            }
        }
    }

    /// The regions with whose numbers a statement does more than move and compare them.
    fn computed_with(&mut self, stmt: &Stmt, computed: &mut OrderedSet<RegionId>) {
        let roots = ir::stmt_operands(stmt);
        let mut moved = None;
        match *stmt {
            Stmt::Assign(Place::Memory { addr, ty, .. }, value) if ty.is_float() => {
                let target = self.region(addr);
                let source = self.loaded(value);
                let is_known = source.is_some_and(|from| self.holds_patterns(from))
                    || matches!(self.old.exprs.get(value), Expr::Float(..));
                if is_known && self.holds_patterns(target) && ty == self.old.exprs.ty(value) {
                    moved = Some(value);
                } else {
                    computed.insert(target);
                }
            }
            Stmt::Input(Place::Memory { addr, .. }, _)
            | Stmt::Call { result: Some(Place::Memory { addr, .. }), .. } => {
                computed.insert(self.region(addr));
            }
            _ => {}
        }
        for &root in roots.iter().filter(|&&root| moved != Some(root)) {
            computed.extend(self.loaded(root));
        }
        for id in self.old.exprs.postorder(&roots) {
            if !is_comparison_of_patterns(&self.old.exprs, id) {
                let operands: Vec<ExprId> = self.old.exprs.operands(id).collect();
                computed.extend(
                    operands.into_iter().filter_map(|operand| self.loaded(operand)).collect::<Vec<_>>(),
                );
            }
        }
    }

    /// The region from which an expression of the old program reads a number.
    fn loaded(&mut self, id: ExprId) -> Option<RegionId> {
        match self.old.exprs.get(id) {
            Expr::Load { addr, ty, .. } if ty.is_float() => Some(self.region(addr)),
            _ => None,
        }
    }

    fn holds_patterns(&self, region: RegionId) -> bool {
        self.new.regions[region].cell == Cell::Bytes || self.patterns.contains(&region)
    }

    /// An assignment of a number whose pattern is known, as one of its pattern.
    pub(super) fn as_patterns(&mut self, place: Place, value: ExprId) -> (Place, ExprId) {
        match (place, self.pattern(value)) {
            (Place::Memory { region, addr, ty }, Some(pattern))
                if self.holds_patterns(region) && (ty.is_float() || self.patterns.contains(&region)) =>
            {
                (Place::Memory { region, addr, ty: self.new.exprs.ty(pattern) }, pattern)
            }
            _ => (place, value),
        }
    }

    /// A comparison of a number with a constant, as one of their patterns.
    pub(super) fn compared_patterns(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let is_comparison = matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && [a, b].into_iter().any(|operand| has_one_pattern(self.new.exprs.get(operand)));
        let (a, b) = (self.pattern(a).filter(|_| is_comparison)?, self.pattern(b)?);
        Some(self.new.exprs.binary(op, a, b, self.new.data_model))
    }

    /// The integer with the bits of a floating number that is a constant or in memory.
    fn pattern(&mut self, number: ExprId) -> Option<ExprId> {
        match self.new.exprs.get(number) {
            Expr::Float(ty, bits) => {
                let ty = integer(Type::Float(ty))?;
                Some(self.new.exprs.constant(ty, bits as i128))
            }
            Expr::Load { region, .. } if self.patterns.contains(&region) => Some(number),
            Expr::Load { region, addr, ty } if self.new.regions[region].cell == Cell::Bytes => {
                Some(self.new.exprs.load(region, addr, integer(ty)?))
            }
            _ => None,
        }
    }
}

/// The integers with the bits of a floating type.
fn integer(ty: Type) -> Option<Type> {
    match ty {
        Type::Float(float @ (FloatType::F32 | FloatType::F64)) => {
            Some(Type::Int(IntType::unsigned(8 * float.bytes() as u8)))
        }
        _ => None,
    }
}

fn is_comparison_of_patterns(exprs: &ir::Exprs, id: ExprId) -> bool {
    match exprs.get(id) {
        Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
            [a, b].into_iter().any(|operand| has_one_pattern(exprs.get(operand)))
        }
        _ => false,
    }
}

/// Whether an expression is a constant that is equal to no number with another pattern.
fn has_one_pattern(expr: Expr) -> bool {
    match expr {
        Expr::Float(ty, bits) => {
            let number = ty.number(bits);
            !number.is_zero() && !number.is_nan()
        }
        _ => false,
    }
}
