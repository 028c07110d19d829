//! The C types of variables and objects, kept for reports.

use std::sync::Arc;

use craig_base::Map;
use craig_program as ir;
use ir::{CField, CKind, CType, CTypeId, SourceTypes};

use crate::types::{IntKind, TypeId, TypeKind, Types};

/// What the front end knows of them while it lowers.
#[derive(Default)]
pub struct Collector {
    pub vars: Map<ir::VarId, TypeId>,
    /// Of variables that hold the address of a local: the local's type.
    pub addresses: Map<ir::VarId, TypeId>,
    pub objects: Map<ir::ObjectId, TypeId>,
}

impl Collector {
    /// A new variable is of the same type as another.
    pub fn copy(&mut self, from: ir::VarId, to: ir::VarId) {
        for map in [&mut self.vars, &mut self.addresses] {
            if let Some(&ty) = map.get(&from) {
                map.insert(to, ty);
            }
        }
    }

    /// The types of all of them, with what these consist of.
    pub fn table(&self, types: &Types) -> SourceTypes {
        let mut table = Table { types, ids: Map::default(), order: Vec::new() };
        // Numbers are given in the order of variables, not of a hash map.
        let mut vars: Vec<_> = self.vars.iter().map(|(&var, &ty)| (var, ty)).collect();
        let mut addresses: Vec<_> = self.addresses.iter().map(|(&var, &ty)| (var, ty)).collect();
        let mut objects: Vec<_> = self.objects.iter().map(|(&object, &ty)| (object, ty)).collect();
        vars.sort();
        addresses.sort();
        objects.sort();
        let mut result = SourceTypes {
            vars: vars.into_iter().map(|(var, ty)| (var, table.id(Wanted::Type(ty)))).collect(),
            objects: objects.into_iter().map(|(object, ty)| (object, table.id(Wanted::Type(ty)))).collect(),
            ..SourceTypes::default()
        };
        for (var, ty) in addresses {
            result.vars.insert(var, table.id(Wanted::PointerTo(ty)));
        }
        let mut done = 0;
        while let Some(&wanted) = table.order.get(done) {
            let described = table.describe(wanted);
            result.types.push(described);
            done += 1;
        }
        result
    }
}

/// A type of the program, or the address of an object of one, whose own type the program may never name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Wanted {
    Type(TypeId),
    PointerTo(TypeId),
}

struct Table<'a> {
    types: &'a Types,
    ids: Map<Wanted, CTypeId>,
    order: Vec<Wanted>,
}

impl Table<'_> {
    fn id(&mut self, wanted: Wanted) -> CTypeId {
        let next = CTypeId(self.order.len() as u32);
        let id = *self.ids.entry(wanted).or_insert(next);
        if id == next {
            self.order.push(wanted);
        }
        id
    }

    fn describe(&mut self, wanted: Wanted) -> CType {
        let types = self.types;
        let ty = match wanted {
            Wanted::Type(ty) => ty,
            Wanted::PointerTo(ty) => {
                let name = types.show_declaration(ty, "*");
                return CType { name, size: None, kind: CKind::Pointer(Some(self.id(Wanted::Type(ty)))) };
            }
        };
        let kind = match types.kind(ty) {
            TypeKind::Int(IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar) => CKind::Character,
            TypeKind::Bool => CKind::Bool,
            TypeKind::Int(_) | TypeKind::Float(_) => CKind::Number,
            TypeKind::Enum(id) => CKind::Enum(types.enumeration(*id).constants.clone()),
            TypeKind::Pointer(to) if types.size_of(to.ty).is_some() && !types.is_void(to.ty) => {
                CKind::Pointer(Some(self.id(Wanted::Type(to.ty))))
            }
            TypeKind::Pointer(_) => CKind::Pointer(None),
            TypeKind::Array { element, .. } => CKind::Array(self.id(Wanted::Type(element.ty))),
            TypeKind::Record(id) => {
                let fields = types.fields(*id).iter().map(|field| CField {
                    name: field.name.as_deref().map(Arc::from),
                    offset: field.offset,
                    ty: self.id(Wanted::Type(field.ty.ty)),
                    is_bits: field.bits.is_some(),
                });
                CKind::Record(fields.collect())
            }
            TypeKind::Void | TypeKind::Function(_) | TypeKind::VaList => CKind::Other,
        };
        CType { name: types.show(ty), size: types.size_of(ty), kind }
    }
}
