//! Aggregates seen as sequences of scalars.
//!
//! A *leaf* is a scalar part of a type: the type itself, a field, an element, however deeply nested. A type
//! without unions and with few leaves is *split*: objects of it whose address is not taken are one
//! variable per leaf, and its values travel as one expression per leaf. The leaves of a field or an element
//! are a contiguous range of those of the whole.
//!
//! Other aggregates are always in memory and are copied by a [`Piece`] list, which covers every byte that a
//! member can use.

use std::rc::Rc;

use craig_base::Map;
use craig_program as ir;

use crate::types::{ArrayLength, BitField, FloatKind, RecordKind, TypeId, TypeKind, Types};

/// Types with more leaves are not split.
const MAX_LEAVES: usize = 64;
/// Arrays with more elements are copied by a loop.
const MAX_UNROLLED: u64 = 16;
/// Types nested deeper than this are not split.
const MAX_NESTING: usize = 100;

#[derive(Clone, Debug)]
pub struct Leaf {
    /// In bytes from the start of the object; for a bit-field, of its storage unit.
    pub offset: u64,
    pub bits: Option<BitField>,
    /// The declared scalar type.
    pub ty: TypeId,
    /// `.field[3].inner`, empty for a scalar type.
    pub path: String,
}

/// How to copy a part of an aggregate in memory.
#[derive(Clone, Debug)]
pub enum Piece {
    Scalar {
        offset: u64,
        ty: ir::Type,
    },
    /// `count` elements of `stride` bytes from `offset` on, the first of which is copied by `pieces`.
    Repeat {
        offset: u64,
        count: u64,
        stride: u64,
        pieces: Rc<[Piece]>,
    },
}

#[derive(Default)]
pub struct Layouts {
    leaves: Map<TypeId, Option<Rc<[Leaf]>>>,
    pieces: Map<TypeId, Rc<[Piece]>>,
}

/// The scalar type in the program model; `None` for `void`, aggregates and functions, and `_Float128`.
pub fn scalar_type(types: &Types, ty: TypeId) -> Option<ir::Type> {
    Some(match types.kind(ty) {
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) => {
            let info = types.int_info(ty)?;
            ir::Type::Int(ir::IntType { bits: info.bits as u8, signed: info.signed })
        }
        // Its bits; the type checker makes a `float` of it wherever it is used.
        TypeKind::Float(FloatKind::Float16) => ir::Type::Int(ir::IntType::unsigned(16)),
        TypeKind::Float(FloatKind::Float) => ir::Type::Float(ir::FloatType::F32),
        TypeKind::Float(FloatKind::Double) => ir::Type::Float(ir::FloatType::F64),
        TypeKind::Float(FloatKind::LongDouble) => ir::Type::Float(ir::FloatType::F80),
        TypeKind::Pointer(_) | TypeKind::VaList => ir::Type::Pointer,
        TypeKind::Float(FloatKind::Float128)
        | TypeKind::Void
        | TypeKind::Array { .. }
        | TypeKind::Function(_)
        | TypeKind::Record(_) => return None,
    })
}

/// The type of the variable or value that holds a leaf: a bit-field has exactly its width.
pub fn leaf_type(types: &Types, leaf: &Leaf) -> Option<ir::Type> {
    let whole = scalar_type(types, leaf.ty)?;
    Some(match (leaf.bits, whole) {
        (Some(bits), ir::Type::Int(int)) => {
            ir::Type::Int(ir::IntType { bits: bits.width as u8, signed: int.signed })
        }
        _ => whole,
    })
}

impl Layouts {
    /// The leaves of a split type in order of their offsets; `None` for other types.
    pub fn leaves(&mut self, types: &Types, ty: TypeId) -> Option<Rc<[Leaf]>> {
        self.leaves_at(types, ty, 0)
    }

    fn leaves_at(&mut self, types: &Types, ty: TypeId, depth: usize) -> Option<Rc<[Leaf]>> {
        if let Some(known) = self.leaves.get(&ty) {
            return known.clone();
        }
        let leaves = self.compute_leaves(types, ty, depth).map(Rc::from);
        self.leaves.insert(ty, leaves.clone());
        leaves
    }

    fn compute_leaves(&mut self, types: &Types, ty: TypeId, depth: usize) -> Option<Vec<Leaf>> {
        if scalar_type(types, ty).is_some() {
            return Some(vec![Leaf { offset: 0, bits: None, ty, path: String::new() }]);
        }
        if depth > MAX_NESTING {
            return None;
        }
        let mut all = Vec::new();
        match types.kind(ty) {
            TypeKind::Record(id) => {
                let record = types.record(*id);
                if record.kind == RecordKind::Union || record.body.is_none() {
                    return None;
                }
                for field in types.fields(*id) {
                    let name = field.name.as_deref().map_or(String::new(), |name| format!(".{name}"));
                    for leaf in self.leaves_at(types, field.ty.ty, depth + 1)?.iter() {
                        all.push(Leaf {
                            offset: field.offset + leaf.offset,
                            bits: field.bits.or(leaf.bits),
                            ty: leaf.ty,
                            path: format!("{name}{}", leaf.path),
                        });
                    }
                    if all.len() > MAX_LEAVES {
                        return None;
                    }
                }
            }
            TypeKind::Array { element, length: ArrayLength::Known(length) } => {
                if *length > MAX_LEAVES as u64 {
                    return None;
                }
                let size = types.size_of(element.ty)?;
                let inner = self.leaves_at(types, element.ty, depth + 1)?;
                if inner.len() * *length as usize > MAX_LEAVES {
                    return None;
                }
                for i in 0..*length {
                    all.extend(inner.iter().map(|leaf| Leaf {
                        offset: i * size + leaf.offset,
                        path: format!("[{i}]{}", leaf.path),
                        ..leaf.clone()
                    }));
                }
            }
            _ => return None,
        }
        Some(all)
    }

    /// Where the leaves of a field begin within those of its record.
    pub fn first_leaf(&mut self, types: &Types, record: TypeId, field: usize) -> Option<usize> {
        let id = types.as_record(record)?;
        let mut first = 0;
        for field in types.fields(id).get(..field)? {
            first += self.leaves(types, field.ty.ty)?.len();
        }
        Some(first)
    }

    /// What to copy, in order, to copy an object of this complete type.
    pub fn pieces(&mut self, types: &Types, ty: TypeId) -> Rc<[Piece]> {
        self.pieces_at(types, ty, 0)
    }

    fn pieces_at(&mut self, types: &Types, ty: TypeId, depth: usize) -> Rc<[Piece]> {
        if let Some(known) = self.pieces.get(&ty) {
            return known.clone();
        }
        let pieces: Rc<[Piece]> = self.compute_pieces(types, ty, depth).into();
        self.pieces.insert(ty, pieces.clone());
        pieces
    }

    fn compute_pieces(&mut self, types: &Types, ty: TypeId, depth: usize) -> Vec<Piece> {
        let size = types.size_of(ty).unwrap_or(0);
        if let Some(scalar) = scalar_type(types, ty) {
            return vec![Piece::Scalar { offset: 0, ty: scalar }];
        }
        if depth > MAX_NESTING {
            return bytes(0, size);
        }
        match types.kind(ty) {
            TypeKind::Record(id) if types.record(*id).kind == RecordKind::Struct => {
                let mut all = Vec::new();
                let mut last_unit = None;
                for field in types.fields(*id) {
                    let Some(bits) = field.bits else {
                        let inner = self.pieces_at(types, field.ty.ty, depth + 1);
                        all.extend(inner.iter().map(|piece| piece.moved(field.offset)));
                        continue;
                    };
                    let unit = types.size_of(field.ty.ty).unwrap_or(1);
                    if u64::from(bits.offset + bits.width) > unit * 8 || field.offset + unit > size {
                        let first = field.offset + u64::from(bits.offset / 8);
                        let end = (bits.offset + bits.width).div_ceil(8);
                        all.extend(bytes(first, field.offset + u64::from(end) - first));
                    } else if last_unit.replace((field.offset, unit)) != Some((field.offset, unit)) {
                        all.push(Piece::Scalar { offset: field.offset, ty: word(unit) });
                    }
                }
                all
            }
            TypeKind::Record(id) => self.union_pieces(types, *id, size, depth),
            TypeKind::Array { element, length: ArrayLength::Known(length) } => {
                let stride = types.size_of(element.ty).unwrap_or(1);
                let inner = self.pieces_at(types, element.ty, depth + 1);
                if *length <= MAX_UNROLLED {
                    let elements = 0..*length;
                    return elements
                        .flat_map(|i| inner.iter().map(move |piece| piece.moved(i * stride)))
                        .collect();
                }
                vec![Piece::Repeat { offset: 0, count: *length, stride, pieces: inner }]
            }
            _ => bytes(0, size),
        }
    }

    /// A union is copied as a member whose integers and pointers cover all of it, else as bytes.
    fn union_pieces(
        &mut self,
        types: &Types,
        id: crate::types::RecordId,
        size: u64,
        depth: usize,
    ) -> Vec<Piece> {
        for field in types.fields(id) {
            if field.bits.is_some() {
                continue;
            }
            let pieces = self.pieces_at(types, field.ty.ty, depth + 1);
            if covered(&pieces, types.pointer_size()) == Some(size) {
                return pieces.to_vec();
            }
        }
        bytes(0, size)
    }
}

/// The number of bytes that the pieces cover from the start on without a gap, if every bit of these bytes
/// survives the copy.
fn covered(pieces: &[Piece], pointer_bytes: u64) -> Option<u64> {
    let mut end = 0;
    for piece in pieces {
        match piece {
            Piece::Scalar { offset, ty } => {
                let exact = matches!(ty, ir::Type::Int(int) if int.bits >= 8) || *ty == ir::Type::Pointer;
                if !exact || *offset != end {
                    return None;
                }
                end += scalar_bytes(*ty, pointer_bytes);
            }
            Piece::Repeat { offset, count, stride, pieces } => {
                if *offset != end || covered(pieces, pointer_bytes) != Some(*stride) {
                    return None;
                }
                end += count * stride;
            }
        }
    }
    Some(end)
}

/// The bytes that a value of the type takes in memory.
pub fn scalar_bytes(ty: ir::Type, pointer_bytes: u64) -> u64 {
    match ty {
        ir::Type::Int(int) => u64::from(int.bytes()),
        ir::Type::Float(float) => u64::from(float.bytes()),
        ir::Type::Pointer => pointer_bytes,
        ir::Type::Bool => 1,
    }
}

fn word(bytes: u64) -> ir::Type {
    ir::Type::Int(ir::IntType::unsigned((bytes * 8).clamp(8, 128) as u8))
}

pub fn bytes(offset: u64, size: u64) -> Vec<Piece> {
    let byte = Piece::Scalar { offset: 0, ty: word(1) };
    if size <= MAX_UNROLLED {
        return (0..size).map(|i| byte.moved(offset + i)).collect();
    }
    vec![Piece::Repeat { offset, count: size, stride: 1, pieces: Rc::new([byte]) }]
}

impl Piece {
    pub fn offset(&self) -> u64 {
        match self {
            Piece::Scalar { offset, .. } | Piece::Repeat { offset, .. } => *offset,
        }
    }

    pub fn moved(&self, by: u64) -> Piece {
        match self {
            Piece::Scalar { offset, ty } => Piece::Scalar { offset: offset + by, ty: *ty },
            Piece::Repeat { offset, count, stride, pieces } => {
                Piece::Repeat { offset: offset + by, count: *count, stride: *stride, pieces: pieces.clone() }
            }
        }
    }
}
