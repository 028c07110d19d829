//! Types written as in C declarations without a name: `const char *(*)(int, ...)`.

use super::{ArrayLength, FloatKind, IntKind, QualType, Qualifiers, RecordKind, TypeId, TypeKind, Types};

/// Types nested deeper than this print as `...`.
const MAX_DEPTH: usize = 32;

impl Types {
    pub fn show(&self, ty: impl Into<QualType>) -> String {
        self.declare(ty.into(), String::new(), 0)
    }

    /// The declaration of something called `name` with this type: `int (*f)(void)`.
    pub fn show_declaration(&self, ty: impl Into<QualType>, name: &str) -> String {
        self.declare(ty.into(), name.to_string(), 0)
    }

    fn declare(&self, ty: QualType, inner: String, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "...".to_string();
        }
        let base = |name: &str| {
            let separator = if inner.is_empty() { "" } else { " " };
            format!("{}{name}{separator}{inner}", qualifiers(ty.quals))
        };
        match self.kind(ty.ty) {
            TypeKind::Void => base("void"),
            TypeKind::Bool => base("_Bool"),
            TypeKind::Int(kind) => base(int_name(*kind)),
            TypeKind::Float(kind) => base(match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Float128 => "_Float128",
                FloatKind::Float16 => "_Float16",
            }),
            TypeKind::VaList => base("__builtin_va_list"),
            TypeKind::Enum(id) => match &self.enumeration(*id).tag {
                Some(tag) => base(&format!("enum {tag}")),
                None => base("enum <anonymous>"),
            },
            TypeKind::Record(id) => {
                let record = self.record(*id);
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                base(&format!("{word} {}", record.tag.as_deref().unwrap_or("<anonymous>")))
            }
            TypeKind::Pointer(to) => {
                let star = format!("*{}{inner}", qualifiers(ty.quals));
                let star = match self.kind(to.ty) {
                    TypeKind::Array { .. } | TypeKind::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.declare(*to, star, depth + 1)
            }
            TypeKind::Array { element, length } => {
                let length = match length {
                    ArrayLength::Known(n) => n.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable(_) => "*".to_string(),
                };
                self.declare(*element, format!("{inner}[{length}]"), depth + 1)
            }
            TypeKind::Function(function) => {
                let mut params: Vec<String> = function
                    .params
                    .iter()
                    .map(|&p| self.declare(p.into(), String::new(), depth + 1))
                    .collect();
                if function.variadic {
                    params.push("...".to_string());
                } else if function.prototyped && params.is_empty() {
                    params.push("void".to_string());
                }
                self.declare(function.result.into(), format!("{inner}({})", params.join(", ")), depth + 1)
            }
        }
    }
}

impl From<(TypeId, Qualifiers)> for QualType {
    fn from((ty, quals): (TypeId, Qualifiers)) -> Self {
        QualType { ty, quals }
    }
}

fn qualifiers(quals: Qualifiers) -> String {
    let names = [
        (Qualifiers::CONST, "const "),
        (Qualifiers::VOLATILE, "volatile "),
        (Qualifiers::RESTRICT, "restrict "),
        (Qualifiers::ATOMIC, "_Atomic "),
    ];
    names.iter().filter(|(q, _)| quals.contains(*q)).map(|(_, name)| *name).collect()
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}
