//! Sizes, alignments and field offsets, as gcc lays records out on i386 and x86-64.
//!
//! Bit-fields: the next bit-field of type T goes into the current position unless it would cross a
//! boundary of T's alignment unit; width zero aligns to T. In a packed record there is no such boundary.

use super::{
    ArrayLength, BitField, DataModel, Field, FloatKind, QualType, RecordBody, RecordId, RecordKind, TypeId,
    TypeKind, Types,
};

/// What the checker knows of a member before layout.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    pub name: Option<String>,
    pub ty: QualType,
    /// The declared width of a bit-field.
    pub width: Option<u32>,
    /// From `aligned(n)` on the member; can only raise the alignment unless the member is packed.
    pub align: Option<u64>,
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

    /// The alignment in bytes that a member of this type has in a struct (on i386, 4 for 8-byte numbers).
    pub fn align_of(&self, ty: TypeId) -> u64 {
        let mut ty = ty;
        while let TypeKind::Array { element, .. } = self.kind(ty) {
            ty = element.ty;
        }
        match self.kind(ty) {
            TypeKind::Record(id) => self.records[*id].body.as_ref().map_or(1, |body| body.align),
            TypeKind::Float(FloatKind::Float128) => 16,
            TypeKind::VaList => self.pointer_size(),
            _ => {
                let size = self.size_of(ty).unwrap_or(1);
                match self.model {
                    DataModel::Ilp32 => size.min(4),
                    DataModel::Lp64 => size,
                }
            }
        }
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
            _ => self.size_of(ty).is_some(),
        }
    }

    /// Lays the record out. `packed` and `align` are the record's own attributes. Fails with the index of the
    /// field at which the size exceeds the address space.
    pub fn complete_record(
        &mut self,
        id: RecordId,
        specs: Vec<FieldSpec>,
        packed: bool,
        align: Option<u64>,
        transparent: bool,
    ) -> Result<(), usize> {
        let body = self.lay_out(self.records[id].kind, specs, packed, align, transparent)?;
        self.records[id].body = Some(body);
        Ok(())
    }

    fn lay_out(
        &self,
        kind: RecordKind,
        specs: Vec<FieldSpec>,
        packed: bool,
        align: Option<u64>,
        transparent: bool,
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
            let packed = packed || spec.packed;
            let natural = self.align_of(spec.ty.ty);
            let align = if packed { spec.align.unwrap_or(1) } else { natural.max(spec.align.unwrap_or(1)) };
            if let Some(width) = spec.width {
                let width64 = u64::from(width);
                if width == 0 {
                    position = round_up(position, natural * 8);
                    end = end.max(position);
                    continue;
                }
                if spec.align.is_some() {
                    position = round_up(position, align * 8);
                }
                // The unit that the bit-field may not leave begins at a multiple of the type's alignment.
                let start = position / (natural * 8) * (natural * 8);
                if !packed && position + width64 > start + unit {
                    position = round_up(position, natural * 8);
                }
                let unit_start =
                    if packed { position / 8 * 8 } else { position / (natural * 8) * (natural * 8) };
                if spec.name.is_some() {
                    record_align = record_align.max(align);
                    fields.push(Field {
                        name: spec.name,
                        ty: spec.ty,
                        offset: unit_start / 8,
                        bits: Some(BitField { offset: (position - unit_start) as u32, width }),
                        align,
                    });
                }
                position = position.checked_add(width64).ok_or(i)?;
            } else {
                position = round_up(position, align * 8);
                record_align = record_align.max(align);
                fields.push(Field { name: spec.name, ty: spec.ty, offset: position / 8, bits: None, align });
                position = position.checked_add(unit).filter(|&p| p < 1 << 62).ok_or(i)?;
            }
            end = end.max(position);
        }
        let align = record_align.max(align.unwrap_or(1));
        Ok(RecordBody { fields, size: round_up(end, align * 8) / 8, align, transparent })
    }
}

fn round_up(position: u64, unit: u64) -> u64 {
    let unit = unit.max(1);
    position.div_ceil(unit) * unit
}
