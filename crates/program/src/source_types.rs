//! The C types of variables and objects, for reports alone: no meaning depends on them.
//!
//! The program model knows scalars and addresses. A reader knows `node->left->value`, and this table leads from
//! the one to the other: [`SourceTypes::path`] says what lies so many bytes into a type.

use crate::ir::{ObjectId, Program, VarId};
use craig_base::{IndexVec, Map, index_type};
use std::fmt::Write;
use std::sync::Arc;

index_type!(/// A type of the C program.
    pub CTypeId, "c");

/// What the C program says of its variables and objects.
#[derive(Clone, Debug, Default)]
pub struct SourceTypes {
    pub types: IndexVec<CTypeId, CType>,
    /// What a variable holds. A local in memory has a variable `&x` that holds its address.
    pub vars: Map<VarId, CTypeId>,
    pub objects: Map<ObjectId, CTypeId>,
}

/// A type of the C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CType {
    /// As C writes it.
    pub name: String,
    /// In bytes, if it is complete.
    pub size: Option<u64>,
    pub kind: CKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CKind {
    /// A number that is read as a number.
    Number,
    /// A character: `char` and its kind.
    Character,
    Bool,
    /// With the names of its values.
    Enum(Vec<(String, i128)>),
    /// To that type; `None` for `void` and functions.
    Pointer(Option<CTypeId>),
    Array(CTypeId),
    /// A struct or union.
    Record(Vec<CField>),
    /// What no report looks into.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CField {
    /// None for a record inside whose members belong to this one.
    pub name: Option<Arc<str>>,
    pub offset: u64,
    pub ty: CTypeId,
    /// It shares its bytes with others.
    pub is_bits: bool,
}

/// A distance in bytes: a number and multiples of what cannot be said as a number, each with its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distance {
    pub bytes: i128,
    pub parts: Vec<(i128, String)>,
}

/// Types nested deeper than this are not looked into.
const MAX_DEPTH: usize = 64;

impl Distance {
    pub fn bytes(bytes: i128) -> Distance {
        Distance { bytes, parts: Vec::new() }
    }

    pub fn is_zero(&self) -> bool {
        self.bytes == 0 && self.parts.is_empty()
    }

    /// How many elements of this size lie in the distance, as text, and what is left of it.
    fn divide(&self, size: u64) -> Option<(Option<String>, Distance)> {
        let size = i128::from(size);
        if size == 0 {
            return None;
        }
        let (whole, rest): (Vec<_>, Vec<_>) =
            self.parts.iter().cloned().partition(|(factor, _)| factor % size == 0);
        let (count, bytes) = (self.bytes.div_euclid(size), self.bytes.rem_euclid(size));
        let left = Distance { bytes, parts: rest };
        if whole.is_empty() {
            return Some(((count != 0).then(|| count.to_string()), left));
        }
        let mut text = String::new();
        for (factor, part) in whole {
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let _ = match (factor / size).unsigned_abs() {
                1 => write!(text, "{sign}{part}"),
                times => write!(text, "{sign}{times} * {part}"),
            };
        }
        if count != 0 {
            let sign = if count < 0 { '-' } else { '+' };
            let _ = write!(text, " {sign} {}", count.unsigned_abs());
        }
        Some((Some(text), left))
    }
}

impl SourceTypes {
    /// What an access of `size` bytes at that distance from the start of an object of the type is, as a path such
    /// as `.name[2]` with the type of what is there; of any size if none is given.
    pub fn path(&self, ty: CTypeId, at: &Distance, size: Option<u64>) -> Option<(String, CTypeId)> {
        self.path_within(ty, at, size, 0)
    }

    fn path_within(
        &self,
        ty: CTypeId,
        at: &Distance,
        size: Option<u64>,
        depth: usize,
    ) -> Option<(String, CTypeId)> {
        let here = &self.types[ty];
        if depth > MAX_DEPTH {
            return None;
        }
        match &here.kind {
            // Without a size the whole is meant, not the first of its parts.
            _ if size.is_none() && at.is_zero() => Some((String::new(), ty)),
            CKind::Record(fields) => fields.iter().filter(|field| !field.is_bits).find_map(|field| {
                let bytes = at.bytes - i128::from(field.offset);
                let inside = match self.types[field.ty].size {
                    Some(size) => (0..i128::from(size)).contains(&bytes),
                    None => bytes >= 0,
                };
                let inner = Distance { bytes, parts: at.parts.clone() };
                let (rest, ty) =
                    inside.then(|| self.path_within(field.ty, &inner, size, depth + 1)).flatten()?;
                Some(match &field.name {
                    Some(name) => (format!(".{name}{rest}"), ty),
                    None => (rest, ty),
                })
            }),
            CKind::Array(element) => {
                let (index, left) = at.divide(self.types[*element].size?)?;
                let (rest, ty) = self.path_within(*element, &left, size, depth + 1)?;
                Some((format!("[{}]{rest}", index.as_deref().unwrap_or("0")), ty))
            }
            _ if at.is_zero() && (size.is_none() || here.size == size) => Some((String::new(), ty)),
            _ => None,
        }
    }

    /// The same from a pointer of that type: `p->name`, `*p`, `p[3]`. The text of the pointer must bind tightly.
    pub fn through(
        &self,
        pointer: &str,
        ty: CTypeId,
        at: &Distance,
        size: Option<u64>,
    ) -> Option<(String, CTypeId)> {
        let CKind::Pointer(Some(to)) = self.types[ty].kind else { return None };
        let (index, left) = at.divide(self.types[to].size?)?;
        let (path, ty) = self.path(to, &left, size)?;
        Some((
            match (index, path.strip_prefix('.')) {
                (None, Some(member)) => format!("{pointer}->{member}"),
                (None, None) if path.is_empty() => format!("*{pointer}"),
                (None, None) => format!("(*{pointer}){path}"),
                (Some(index), _) => format!("{pointer}[{index}]{path}"),
            },
            ty,
        ))
    }

    /// How C writes a value of the type, if not as a number.
    pub fn constant(&self, ty: CTypeId, value: i128) -> Option<String> {
        match &self.types[ty].kind {
            CKind::Character => match u8::try_from(value).ok()? {
                0 => Some("'\\0'".to_string()),
                byte @ (b' '..=b'~' | b'\n' | b'\t' | b'\r') => {
                    Some(format!("'{}'", char::from(byte).escape_default()))
                }
                _ => None,
            },
            CKind::Enum(names) => {
                names.iter().find(|(_, number)| *number == value).map(|(name, _)| name.clone())
            }
            CKind::Bool => Some((value != 0).to_string()),
            _ => None,
        }
    }

    /// What a pointer of the type leads to.
    pub fn pointee(&self, ty: CTypeId) -> Option<CTypeId> {
        match self.types[ty].kind {
            CKind::Pointer(to) => to,
            _ => None,
        }
    }
}

impl Program {
    /// The C type of a variable, or of the one that it is a copy of.
    pub fn c_type(&self, var: VarId) -> Option<CTypeId> {
        let original = self.vars[var].origin.unwrap_or(var);
        self.source_types.vars.get(&original).copied()
    }

    /// The static object at an address, and how far into it that is; one past the end counts.
    pub fn object_near(&self, address: u64) -> Option<(ObjectId, u64)> {
        let near = self.objects.enumerated().filter(|(_, object)| object.address <= address);
        let (id, object) = near.max_by_key(|(_, object)| object.address)?;
        let offset = address - object.address;
        (offset <= object.size.max(1)).then_some((id, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `int`, `struct node *`, `struct node { struct node *left; struct { int value; char tag[4]; }; }`
    fn nodes() -> (SourceTypes, CTypeId, CTypeId) {
        let mut table = SourceTypes::default();
        let mut add = |name: &str, size, kind| {
            table.types.push(CType { name: name.to_string(), size: Some(size), kind })
        };
        let int = add("int", 4, CKind::Number);
        let char = add("char", 1, CKind::Character);
        let tag = add("char[4]", 4, CKind::Array(char));
        let field = |name: Option<&str>, offset, ty| CField {
            name: name.map(Into::into),
            offset,
            ty,
            is_bits: false,
        };
        let inner = CKind::Record(vec![field(Some("value"), 0, int), field(Some("tag"), 4, tag)]);
        let inner = add("struct <anonymous>", 8, inner);
        let pointer = CTypeId(inner.0 + 1);
        let node = CTypeId(inner.0 + 2);
        add("struct node *", 8, CKind::Pointer(Some(node)));
        let fields = vec![field(Some("left"), 0, pointer), field(None, 8, inner)];
        add("struct node", 16, CKind::Record(fields));
        (table, pointer, node)
    }

    #[test]
    fn bytes_become_members() {
        let (table, pointer, node) = nodes();
        let path = |bytes, size| table.path(node, &Distance::bytes(bytes), size).map(|(path, _)| path);
        assert_eq!(path(0, Some(8)).as_deref(), Some(".left"));
        assert_eq!(path(8, Some(4)).as_deref(), Some(".value"));
        assert_eq!(path(13, Some(1)).as_deref(), Some(".tag[1]"));
        assert_eq!(path(0, None).as_deref(), Some(""));
        assert_eq!(path(9, Some(4)), None);
        let through = |at: Distance| table.through("p", pointer, &at, Some(4)).map(|(text, _)| text);
        assert_eq!(through(Distance::bytes(8)).as_deref(), Some("p->value"));
        assert_eq!(through(Distance::bytes(-8)).as_deref(), Some("p[-1].value"));
        let at = Distance { bytes: 24, parts: vec![(16, "i".to_string())] };
        assert_eq!(through(at).as_deref(), Some("p[i + 1].value"));
    }
}
