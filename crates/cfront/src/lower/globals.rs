//! Objects with static storage duration: where they lie, and what they begin with.

use craig_program as ir;

use super::{Lowering, Storage, UNKNOWN_SIZE, layout};
use crate::dialect::{Dialect, dialect};
use crate::hir::{GlobalId, GlobalOrigin};
use crate::types::QualType;

impl Lowering<'_> {
    /// Whether objects of the type may not be written.
    pub fn is_constant(&self, ty: QualType) -> bool {
        let mut ty = ty;
        while let Some((element, _)) = self.hir.types.array(ty.ty) {
            ty = element.with(ty.quals);
        }
        ty.quals.is_const()
    }

    pub fn is_constant_object(&self, global: GlobalId) -> bool {
        let global = &self.hir.globals[global];
        global.origin == GlobalOrigin::StringLiteral || self.is_constant(global.ty)
    }

    /// Takes the next free static addresses.
    pub fn static_address(&mut self, size: u64) -> u64 {
        let address = self.next_static;
        // Then addresses do not tell objects apart by their distance.
        self.asks_for_objects &= size < self.out.data_model.guard_bytes();
        self.next_static = self.out.data_model.next_allocation(address, size).unwrap_or(u64::MAX);
        address
    }

    /// Decides where each global lives and evaluates its initialiser.
    pub fn place_globals(&mut self) {
        for id in self.reach.address_taken.clone() {
            let function = &self.hir.functions[id];
            let address = self.static_address(1);
            self.function_addresses[id] = Some(address);
            let span = self.span(function.span);
            self.out.objects.push(ir::MemoryObject {
                name: function.name.as_str().into(),
                address,
                size: 1,
                span,
                init: Vec::new(),
                zeroed: true,
                function: true,
                constant: true,
                automatic: false,
                live: None,
                sealed: None,
            });
        }
        let mut globals = self.reach.globals.clone();
        globals.sort_by_key(|&id| !self.is_constant_object(id));
        let mut objects = Vec::new();
        for &id in &globals {
            let global = &self.hir.globals[id];
            let span = self.span(global.span);
            if !self.reach.memory_globals[id] {
                let leaves = self.layouts.leaves(&self.hir.types, global.ty.ty).unwrap_or_default();
                let mut vars = Vec::new();
                for leaf in leaves.iter() {
                    let Some(ty) = layout::leaf_type(&self.hir.types, leaf) else { continue };
                    let var = self.new_global(format!("{}{}", global.name, leaf.path), ty, 0, span);
                    self.source_types.vars.insert(var, leaf.ty);
                    vars.push(var);
                }
                self.globals[id] = Some(Storage::Vars(vars));
                continue;
            }
            let size = self.size_with_initializer(global).unwrap_or(UNKNOWN_SIZE);
            let constant = self.is_constant_object(id);
            let address = self.static_address(size);
            if constant {
                self.constants_end = self.next_static;
            }
            let object = self.out.objects.push(ir::MemoryObject {
                name: global.name.as_str().into(),
                address,
                size,
                span,
                init: Vec::new(),
                zeroed: global.init.is_some(),
                function: false,
                constant,
                automatic: false,
                live: None,
                sealed: None,
            });
            self.source_types.objects.insert(object, global.ty.ty);
            objects.push((id, object));
            let address = self.out.exprs.constant(ir::Type::Pointer, i128::from(address));
            self.globals[id] = Some(Storage::Memory(address));
        }
        for &id in &globals {
            if !self.reach.memory_globals[id] {
                self.init_global_vars(id);
            }
        }
        for (id, object) in objects {
            self.out.objects[object].init = self.init_global_memory(id);
        }
        let asks_for_extents = self.reach.called.iter().any(|&f| {
            let function = &self.hir.functions[f];
            let meaning = dialect(&function.name).filter(|_| function.body.is_none());
            matches!(meaning, Some(Dialect::Object(about)) if about.is_of_extents())
        });
        if self.asks_for_objects && asks_for_extents {
            self.place_extents();
        }
    }
}
