//! Sizes, alignments and field offsets, as gcc lays records out on i386 and x86-64.
//!
//! Bit-fields: the next bit-field of type T goes to the current bit unless it would cross more units of T's
//! alignment than T itself has; width zero aligns to T. There is no such boundary for packed members, and none
//! at all under `#pragma pack`. A named bit-field aligns the record as its type does.

use super::{
    ArrayLength, BitField, DataModel, Field, FloatKind, QualType, Qualifiers, RecordBody, RecordId,
    RecordKind, TypeId, TypeKind, Types,
};

/// How the attributes of a record change its layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// The largest alignment of members, by `#pragma pack`.
    pub pack: Option<u64>,
    pub transparent: bool,
}

/// What the checker knows of a member before layout.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    pub name: Option<String>,
    pub ty: QualType,
    /// The declared width of a bit-field.
    pub width: Option<u32>,
    /// From `aligned(n)` on the member; can only raise the alignment unless the member is packed.
    pub align: Option<u64>,
    /// From `aligned(n)` on the typedef that the member's type was written with.
    pub type_align: Option<u64>,
    pub packed: bool,
}

impl Types {
    /// The size in bytes; `None` for incomplete types. `void` and functions count one byte, as in GNU C.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        let mut factor = 1u64;
        let mut ty = ty;
        while let TypeKind::Array { element, length } = self.kind(ty) {
            let ArrayLength::Known(length) = length else { return None };
            factor = factor.checked_mul(*length)?;
            ty = element.ty;
        }
        let one = match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Bool => 1,
            TypeKind::Int(kind) => u64::from(self.int_kind_info(*kind).bits / 8),
            TypeKind::Enum(_) => self.int_info(ty).map_or(4, |info| u64::from(info.bits / 8)),
            TypeKind::Float(kind) => self.float_size(*kind),
            TypeKind::Pointer(_) => self.pointer_size(),
            TypeKind::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
            TypeKind::Record(id) => self.records[*id].body.as_ref()?.size,
            TypeKind::Array { .. } => return None,
        };
        factor.checked_mul(one)
    }

    /// The alignment in bytes that a member of this type has in a struct, and what `_Alignof` says: on i386 at
    /// most 4 for numbers.
    pub fn align_of(&self, ty: TypeId) -> u64 {
        let preferred = self.preferred_align_of(ty);
        match (self.model, self.kind(self.innermost_element(ty))) {
            (DataModel::Ilp32, TypeKind::Int(_) | TypeKind::Float(FloatKind::Double) | TypeKind::Enum(_)) => {
                preferred.min(4)
            }
            _ => preferred,
        }
    }

    /// The same with qualifiers: what is atomic and as large as a word is aligned like one.
    pub fn align_of_qualified(&self, ty: QualType) -> u64 {
        let (size, align) = (self.size_of(ty.ty).unwrap_or(0), self.align_of(ty.ty));
        let is_word = size.is_power_of_two() && size <= 16;
        if is_word && ty.quals.contains(Qualifiers::ATOMIC) { align.max(size) } else { align }
    }

    /// The alignment of a variable of this type, which `__alignof__` says.
    pub fn preferred_align_of(&self, ty: TypeId) -> u64 {
        let ty = self.innermost_element(ty);
        match self.kind(ty) {
            TypeKind::Record(id) => self.records[*id].body.as_ref().map_or(1, |body| body.align),
            TypeKind::Float(FloatKind::LongDouble) if self.model == DataModel::Ilp32 => 4,
            TypeKind::VaList => self.pointer_size(),
            _ => self.size_of(ty).unwrap_or(1),
        }
    }

    fn innermost_element(&self, ty: TypeId) -> TypeId {
        let mut ty = ty;
        while let TypeKind::Array { element, .. } = self.kind(ty) {
            ty = element.ty;
        }
        ty
    }

    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Float16, _) => 2,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Float128, _) => 16,
        }
    }

    /// False for `void`, functions, arrays of unknown length, and records or enumerations not yet defined.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Enum(id) => self.enums[*id].underlying.is_some(),
            _ => self.size_of(ty).is_some() || self.is_variable(ty),
        }
    }

    /// Whether it is an array whose size is known only when the program runs.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        let (mut ty, mut variable) = (ty, false);
        while let TypeKind::Array { element, length } = self.kind(ty) {
            match length {
                ArrayLength::Unknown => return false,
                ArrayLength::Variable(_) => variable = true,
                ArrayLength::Known(_) => {}
            }
            ty = element.ty;
        }
        variable && self.is_complete(ty)
    }

    /// Lays the record out. Fails with the index of the field at which the size exceeds the address space.
    pub fn complete_record(
        &mut self,
        id: RecordId,
        specs: Vec<FieldSpec>,
        attributes: RecordAttributes,
    ) -> Result<(), usize> {
        let body = self.lay_out(self.records[id].kind, specs, attributes)?;
        self.records[id].body = Some(body);
        Ok(())
    }

    fn lay_out(
        &self,
        kind: RecordKind,
        specs: Vec<FieldSpec>,
        attributes: RecordAttributes,
    ) -> Result<RecordBody, usize> {
        let mut fields = Vec::with_capacity(specs.len());
        // Positions in bits; a union starts every member at zero.
        let mut position = 0u64;
        let mut end = 0u64;
        let mut record_align = 1u64;
        for (i, spec) in specs.into_iter().enumerate() {
            if kind == RecordKind::Union {
                position = 0;
            }
            let size = self.size_of(spec.ty.ty).unwrap_or(0);
            let unit = size.checked_mul(8).ok_or(i)?;
            let packed = attributes.packed || spec.packed;
            let limit = attributes.pack.unwrap_or(u64::MAX);
            let natural = spec.type_align.unwrap_or_else(|| self.align_of_qualified(spec.ty));
            let Some(width) = spec.width else {
                let align = match (packed, spec.align) {
                    (true, own) => own.unwrap_or(1),
                    (false, Some(own)) if own >= self.preferred_align_of(spec.ty.ty) => own.max(natural),
                    (false, _) => natural,
                };
                let align = align.min(limit);
                position = round_up(position, align * 8);
                record_align = record_align.max(align);
                fields.push(Field { name: spec.name, ty: spec.ty, offset: position / 8, bits: None, align });
                position = position.checked_add(unit).filter(|&p| p < 1 << 62).ok_or(i)?;
                end = end.max(position);
                continue;
            };
            if width == 0 {
                position = round_up(position, natural * 8);
                end = end.max(position);
                continue;
            }
            if let Some(align) = spec.align {
                position = round_up(position, align.min(limit) * 8);
            }
            let boundary = natural * 8;
            let bounded = !packed && attributes.pack.is_none();
            if bounded && position % boundary + u64::from(width) > unit {
                position = round_up(position, boundary);
            }
            if spec.name.is_some() {
                let align = if attributes.pack.is_none() && packed { 1 } else { natural.min(limit) };
                let align = align.max(spec.align.unwrap_or(1).min(limit));
                record_align = record_align.max(align);
                // Accessed in the aligned unit of its type if it lies within, else from its first byte on.
                let aligned = position / boundary * boundary;
                let within = position + u64::from(width) <= aligned + unit;
                let start = if within { aligned } else { position / 8 * 8 };
                let bits = Some(BitField { offset: (position - start) as u32, width });
                fields.push(Field { name: spec.name, ty: spec.ty, offset: start / 8, bits, align });
            }
            position = position.checked_add(u64::from(width)).ok_or(i)?;
            end = end.max(position);
        }
        let align = record_align.max(attributes.align.unwrap_or(1));
        let size = round_up(end, align * 8) / 8;
        Ok(RecordBody { fields, size, align, transparent: attributes.transparent })
    }
}

fn round_up(position: u64, unit: u64) -> u64 {
    let unit = unit.max(1);
    position.div_ceil(unit) * unit
}
