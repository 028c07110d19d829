//! C types and their layout (C11 6.2.5, 6.7.2; System V ABI for i386 and x86-64).
//!
//! Types are interned: two [`TypeId`]s are equal iff the types are identical, except that records and
//! enumerations are nominal. Qualifiers belong to the *use* of a type ([`QualType`]): what a pointer
//! points to, an array's element, a field, a variable. Values are never qualified.
//!
//! A record starts incomplete and is completed once ([`Types::complete_record`]), which lays it out.
//! Array types always hold complete elements, so that sizes are known as soon as a type exists.

use craig_base::{Index, IndexVec, Map, index_type};

use crate::source::Span;

mod layout;
mod print;

pub use layout::{FieldSpec, RecordAttributes};

index_type!(/// An interned type.
    pub TypeId, "t");
index_type!(/// A struct or union, complete or not.
    pub RecordId, "record");
index_type!(/// An enumeration.
    pub EnumId, "enum");

/// Sizes of the basic types: `int` is 32 bits in both, `long` and pointers are 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl From<DataModel> for craig_program::DataModel {
    fn from(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => craig_program::DataModel::Lp64,
            DataModel::Ilp32 => craig_program::DataModel::Ilp32,
        }
    }
}

/// Type qualifiers, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Qualifiers(u8);

impl Qualifiers {
    pub const NONE: Qualifiers = Qualifiers(0);
    pub const CONST: Qualifiers = Qualifiers(1);
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    pub const ATOMIC: Qualifiers = Qualifiers(8);

    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }

    pub fn contains(self, other: Qualifiers) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn is_volatile(self) -> bool {
        self.contains(Qualifiers::VOLATILE)
    }

    pub fn is_const(self) -> bool {
        self.contains(Qualifiers::CONST)
    }
}

/// A type together with the qualifiers of this use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Qualifiers,
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> Self {
        QualType { ty, quals: Qualifiers::NONE }
    }
}

impl QualType {
    pub fn with(self, quals: Qualifiers) -> QualType {
        QualType { ty: self.ty, quals: self.quals.union(quals) }
    }
}

/// The standard integer types. Plain `char` is signed, but a type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

/// `_Float32` and friends are distinct spellings of these; `_Float128` is refused where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    Known(u64),
    /// `T[]`: completed by an initialiser, a later declaration, or never; as the last field of a struct it
    /// is a flexible array member.
    Unknown,
    /// What the local of this number of the function holds.
    Variable(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    /// `_Bool`: one byte, values 0 and 1; conversion to it compares with zero.
    Bool,
    Int(IntKind),
    Float(FloatKind),
    /// An enumeration; as a number it is its underlying integer type.
    Enum(EnumId),
    Pointer(QualType),
    Array {
        element: QualType,
        length: ArrayLength,
    },
    Function(FunctionType),
    Record(RecordId),
    /// `__builtin_va_list`: an opaque value (it behaves as an array of one element on x86-64).
    VaList,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    /// Unqualified, arrays and functions already adjusted to pointers. Empty when not `prototyped`.
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `T f()` and for old-style definitions: calls promote their arguments and are unchecked.
    pub prototyped: bool,
}

/// Width and signedness of an integer type (`_Bool` is one unsigned bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntInfo {
    pub bits: u32,
    pub signed: bool,
}

impl IntInfo {
    pub fn min(self) -> i128 {
        match (self.signed, self.bits) {
            (false, _) => 0,
            (true, bits) => i128::MIN >> (128 - bits),
        }
    }

    /// The largest value; for 128 unsigned bits, which do not fit, `i128::MAX`.
    pub fn max(self) -> i128 {
        match (self.signed, self.bits) {
            (true, bits) => i128::MAX >> (128 - bits),
            (false, bits) if bits >= 127 => i128::MAX,
            (false, bits) => (1i128 << bits) - 1,
        }
    }

    /// Reduces modulo 2^bits into the range of the type. Unsigned values of 128 bits stay two's complement.
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - self.bits;
        let shifted = value.wrapping_shl(unused);
        if self.bits == 128 {
            value
        } else if self.signed {
            shifted >> unused
        } else {
            ((shifted as u128) >> unused) as i128
        }
    }

    pub fn contains(self, value: i128) -> bool {
        self.wrap(value) == value
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<String>,
    pub span: Span,
    /// `None` while the record is incomplete.
    pub body: Option<RecordBody>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// Any value of a member's type may be passed for it (GNU `transparent_union`).
    pub transparent: bool,
}

/// A member. Unnamed bit-fields only take space and are not kept; an unnamed record member is kept without
/// a name, and its members are found through it by [`Types::find_field`].
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: Option<String>,
    pub ty: QualType,
    /// In bytes from the start of the record; for a bit-field, of the storage unit that it is accessed in.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub align: u64,
}

/// `width` bits from bit `offset` (little endian) of the field's storage unit, which has its declared type's
/// size. In packed records a bit-field may cross all units; then the unit begins at its first byte, and it may
/// reach one byte further: `offset + width` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    pub offset: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub tag: Option<String>,
    pub span: Span,
    /// `unsigned int` unless a value is negative or does not fit; `None` while incomplete.
    pub underlying: Option<IntKind>,
    pub constants: Vec<(String, i128)>,
}

/// All types of a program, with the layout rules of one data model.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    kinds: IndexVec<TypeId, TypeKind>,
    ids: Map<TypeKind, TypeId>,
    records: IndexVec<RecordId, Record>,
    enums: IndexVec<EnumId, Enumeration>,
}

macro_rules! basic_types {
    ($($name:ident = $number:literal, $kind:expr;)*) => {
        /// The basic types have fixed ids.
        impl TypeId {
            $(pub const $name: TypeId = TypeId($number);)*
        }

        const BASIC: &[TypeKind] = &[$($kind),*];
    };
}

basic_types! {
    VOID = 0, TypeKind::Void;
    BOOL = 1, TypeKind::Bool;
    CHAR = 2, TypeKind::Int(IntKind::Char);
    SIGNED_CHAR = 3, TypeKind::Int(IntKind::SignedChar);
    UNSIGNED_CHAR = 4, TypeKind::Int(IntKind::UnsignedChar);
    SHORT = 5, TypeKind::Int(IntKind::Short);
    UNSIGNED_SHORT = 6, TypeKind::Int(IntKind::UnsignedShort);
    INT = 7, TypeKind::Int(IntKind::Int);
    UNSIGNED_INT = 8, TypeKind::Int(IntKind::UnsignedInt);
    LONG = 9, TypeKind::Int(IntKind::Long);
    UNSIGNED_LONG = 10, TypeKind::Int(IntKind::UnsignedLong);
    LONG_LONG = 11, TypeKind::Int(IntKind::LongLong);
    UNSIGNED_LONG_LONG = 12, TypeKind::Int(IntKind::UnsignedLongLong);
    INT128 = 13, TypeKind::Int(IntKind::Int128);
    UNSIGNED_INT128 = 14, TypeKind::Int(IntKind::UnsignedInt128);
    FLOAT = 15, TypeKind::Float(FloatKind::Float);
    DOUBLE = 16, TypeKind::Float(FloatKind::Double);
    LONG_DOUBLE = 17, TypeKind::Float(FloatKind::LongDouble);
    FLOAT128 = 18, TypeKind::Float(FloatKind::Float128);
    VA_LIST = 19, TypeKind::VaList;
    FLOAT16 = 20, TypeKind::Float(FloatKind::Float16);
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            kinds: IndexVec::new(),
            ids: Map::default(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
        };
        for kind in BASIC {
            types.intern(kind.clone());
        }
        types
    }

    pub fn model(&self) -> DataModel {
        self.model
    }

    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = self.kinds.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty]
    }

    pub fn int(&self, kind: IntKind) -> TypeId {
        TypeId::from_usize(TypeId::CHAR.index() + kind as usize)
    }

    pub fn pointer_to(&mut self, to: impl Into<QualType>) -> TypeId {
        self.intern(TypeKind::Pointer(to.into()))
    }

    pub fn array_of(&mut self, element: impl Into<QualType>, length: ArrayLength) -> TypeId {
        self.intern(TypeKind::Array { element: element.into(), length })
    }

    pub fn function(&mut self, function: FunctionType) -> TypeId {
        self.intern(TypeKind::Function(function))
    }

    /// The type of `sizeof`.
    pub fn size_type(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => TypeId::UNSIGNED_INT,
            DataModel::Lp64 => TypeId::UNSIGNED_LONG,
        }
    }

    /// `ptrdiff_t`, the type of a difference of pointers.
    pub fn difference_type(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => TypeId::INT,
            DataModel::Lp64 => TypeId::LONG,
        }
    }

    pub fn new_record(&mut self, kind: RecordKind, tag: Option<String>, span: Span) -> (RecordId, TypeId) {
        let id = self.records.push(Record { kind, tag, span, body: None });
        (id, self.intern(TypeKind::Record(id)))
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    pub fn records(&self) -> &IndexVec<RecordId, Record> {
        &self.records
    }

    /// Any value of a member's type may be passed for the union.
    pub fn make_transparent(&mut self, union: TypeId) {
        if let Some(id) = self.as_record(union)
            && let Some(body) = &mut self.records[id].body
        {
            body.transparent = true;
        }
    }

    pub fn new_enum(&mut self, tag: Option<String>, span: Span) -> (EnumId, TypeId) {
        let id = self.enums.push(Enumeration { tag, span, underlying: None, constants: Vec::new() });
        (id, self.intern(TypeKind::Enum(id)))
    }

    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id]
    }

    pub fn complete_enum(&mut self, id: EnumId, underlying: IntKind, constants: Vec<(String, i128)>) {
        let e = &mut self.enums[id];
        e.underlying = Some(underlying);
        e.constants = constants;
    }

    /// Width and signedness, if `ty` is an integer type, `_Bool` or an enumeration.
    pub fn int_info(&self, ty: TypeId) -> Option<IntInfo> {
        match self.kind(ty) {
            TypeKind::Bool => Some(IntInfo { bits: 1, signed: false }),
            TypeKind::Int(kind) => Some(self.int_kind_info(*kind)),
            TypeKind::Enum(id) => {
                Some(self.int_kind_info(self.enums[*id].underlying.unwrap_or(IntKind::UnsignedInt)))
            }
            _ => None,
        }
    }

    pub fn int_kind_info(&self, kind: IntKind) -> IntInfo {
        use IntKind::*;
        let bits = match kind {
            Char | SignedChar | UnsignedChar => 8,
            Short | UnsignedShort => 16,
            Int | UnsignedInt => 32,
            Long | UnsignedLong => match self.model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            LongLong | UnsignedLongLong => 64,
            Int128 | UnsignedInt128 => 128,
        };
        let signed = matches!(kind, Char | SignedChar | Short | Int | Long | LongLong | Int128);
        IntInfo { bits, signed }
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        ty == TypeId::VOID
    }

    /// Integer types include `_Bool` and enumerations.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_))
    }

    pub fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub fn array(&self, ty: TypeId) -> Option<(QualType, ArrayLength)> {
        match self.kind(ty) {
            TypeKind::Array { element, length } => Some((*element, *length)),
            _ => None,
        }
    }

    pub fn as_function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn as_record(&self, ty: TypeId) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The function type behind a pointer to a function.
    pub fn pointee_function(&self, ty: TypeId) -> Option<&FunctionType> {
        self.pointee(ty).and_then(|to| self.as_function(to.ty))
    }

    /// The fields of a complete record, empty otherwise.
    pub fn fields(&self, id: RecordId) -> &[Field] {
        self.records[id].body.as_ref().map_or(&[], |body| &body.fields)
    }

    /// The way to the member called `name`, through anonymous members: field numbers, outermost first.
    pub fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        // Anonymous members nest as deep as the source does: an explicit stack of (record, path to it).
        let mut pending = vec![(record, Vec::new())];
        while let Some((record, path)) = pending.pop() {
            let extended = |i: usize| path.iter().copied().chain([i]).collect::<Vec<_>>();
            for (i, field) in self.fields(record).iter().enumerate() {
                match &field.name {
                    Some(own) if own == name => return Some(extended(i)),
                    Some(_) => {}
                    None => pending.extend(self.as_record(field.ty.ty).map(|inner| (inner, extended(i)))),
                }
            }
        }
        None
    }
}
