//! Structs, unions and enumerations (C11 6.7.2.1, 6.7.2.2), the same in all files that define them alike.

use craig_base::Map;

use super::scope::{Binding, Tag};
use super::{Checked, Checker, error, unsupported};
use crate::ast::{
    Attribute, EnumSpecifier, Member, MemberDeclarator, RecordSpecifier, StaticAssert, TypeName,
};
use crate::diagnostics::Diagnostic;
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{
    EnumId, FieldSpec, IntInfo, IntKind, QualType, RecordAttributes, RecordBody, RecordId, RecordKind,
    TypeId, TypeKind,
};

/// Untagged records at file scope. The n-th one with some contents in a file is the n-th one with these
/// contents in every file, so that typedefs of untagged records link.
#[derive(Default)]
pub(super) struct Untagged {
    by_contents: Map<Contents, Vec<(TypeId, RecordBody)>>,
    used: Map<Contents, usize>,
}

/// Enumerations at file scope, by their tag, type and constants.
pub(super) type Enums = Map<(Option<Symbol>, IntKind, Vec<(String, i128)>), (EnumId, TypeId)>;

/// Whether it is a union, and the names of the members; bodies are compared in full.
type Contents = (bool, String);

impl Untagged {
    pub(super) fn begin_unit(&mut self) {
        self.used.clear();
    }
}

impl Checker<'_> {
    pub(super) fn record_type(&mut self, spec: &RecordSpecifier, standalone: bool) -> Checked<TypeId> {
        let is_definition = spec.members.is_some();
        let found = match (spec.tag, is_definition || standalone) {
            (None, _) => None,
            (Some(tag), true) => self.scopes.lookup_tag_here(tag),
            (Some(tag), false) => self.scopes.lookup_tag(tag),
        };
        let (record, ty) = match found {
            Some(Tag::Record(record, ty)) if self.program.types.record(record).kind == spec.kind => {
                (record, ty)
            }
            Some(_) => {
                let tag = spec.tag.map_or("", |tag| self.text(tag));
                return error(spec.span, format!("`{tag}` is the tag of another kind of type"));
            }
            None => self.new_record(spec),
        };
        let Some(members) = &spec.members else { return Ok(ty) };
        if !self.state.defined_here.insert(record) {
            return error(spec.span, format!("`{}` is defined twice", self.show(ty)));
        }
        let mut specs = Vec::new();
        for member in members {
            match member {
                Member::StaticAssert(assertion) => self.static_assert(assertion)?,
                Member::Declaration { specifiers, declarators, span } => {
                    let base = self.base_type(specifiers, declarators.is_empty())?;
                    let align = self.attribute_align(&specifiers.attributes)?;
                    let type_align = base.align;
                    if declarators.is_empty() {
                        // An anonymous member; a declaration of nothing but a tag is none (6.7.2.1 p13).
                        let anonymous = match &specifiers.ty {
                            crate::ast::TypeSpecifier::Record(inner) => inner.tag.is_none(),
                            _ => false,
                        };
                        if anonymous && self.program.types.as_record(base.ty.ty).is_some() {
                            let packed = has_packed(&specifiers.attributes);
                            specs.push(FieldSpec {
                                name: None,
                                ty: base.ty,
                                width: None,
                                align,
                                type_align,
                                packed,
                            });
                        } else {
                            self.warn(*span, "this declares no member");
                        }
                    }
                    for declarator in declarators {
                        let mut field = self.member(base.ty, declarator)?;
                        field.align = field.align.max(align);
                        // A pointer to the type or an array of it is another type.
                        field.type_align = type_align.filter(|_| declarator.declarator.derived.is_empty());
                        field.packed |= has_packed(&specifiers.attributes);
                        self.check_member(&field, declarator, &specs, spec.kind)?;
                        specs.push(field);
                    }
                }
            }
        }
        self.complete(spec, record, ty, specs)
    }

    fn new_record(&mut self, spec: &RecordSpecifier) -> (RecordId, TypeId) {
        let Some(tag) = spec.tag else {
            return self.types().new_record(spec.kind, None, spec.span);
        };
        let at_file_scope = self.scopes.depth() == 0;
        let key = (tag, spec.kind == RecordKind::Union);
        let shared = at_file_scope && !self.state.private_tags.contains(&tag);
        let old = if shared { self.state.shared_tags.get(&key).copied() } else { None };
        let (record, ty) = old.unwrap_or_else(|| {
            let text = self.text(tag).to_string();
            self.types().new_record(spec.kind, Some(text), spec.span)
        });
        if shared {
            self.state.shared_tags.insert(key, (record, ty));
        }
        self.scopes.bind_tag(tag, Tag::Record(record, ty));
        (record, ty)
    }

    fn complete(
        &mut self,
        spec: &RecordSpecifier,
        record: RecordId,
        ty: TypeId,
        specs: Vec<FieldSpec>,
    ) -> Checked<TypeId> {
        for attribute in &spec.attributes {
            if let Attribute::ScalarStorageOrder(span) = attribute {
                return unsupported(*span, "scalars in another byte order are not modelled");
            }
        }
        let attributes = RecordAttributes {
            packed: has_packed(&spec.attributes),
            align: self.attribute_align(&spec.attributes)?,
            pack: spec.pack,
            transparent: spec.attributes.iter().any(|a| matches!(a, Attribute::TransparentUnion)),
        };
        let old = self.program.types.record(record).body.clone();
        if self.types().complete_record(record, specs, attributes).is_err() {
            return error(spec.span, format!("`{}` is larger than the address space", self.show(ty)));
        }
        let new = self.program.types.record(record).body.clone();
        if old.is_some() && old != new {
            // Another file defined the tag differently: start again with separate types.
            self.state.conflicting_tag = spec.tag;
        }
        match (spec.tag, new) {
            (None, Some(body)) if self.scopes.depth() == 0 => Ok(self.share_untagged(spec, ty, body)),
            _ => Ok(ty),
        }
    }

    fn share_untagged(&mut self, spec: &RecordSpecifier, ty: TypeId, body: RecordBody) -> TypeId {
        let names: Vec<&str> = body.fields.iter().map(|f| f.name.as_deref().unwrap_or("")).collect();
        let key = (spec.kind == RecordKind::Union, names.join(","));
        let used = self.state.untagged.used.entry(key.clone()).or_default();
        let list = self.state.untagged.by_contents.entry(key).or_default();
        match list.get(*used) {
            Some((shared, shared_body)) if *shared_body == body => {
                *used += 1;
                *shared
            }
            Some(_) => ty,
            None => {
                list.push((ty, body));
                *used += 1;
                ty
            }
        }
    }

    fn member(&mut self, base: QualType, member: &MemberDeclarator) -> Checked<FieldSpec> {
        let ty = self.declared_type(base, &member.declarator)?;
        let ty = self.attribute_mode(ty, &member.attributes)?;
        let mut align = self.attribute_align(&member.attributes)?;
        align = align.max(self.attribute_align(&member.declarator.attributes)?);
        let packed = has_packed(&member.attributes) || has_packed(&member.declarator.attributes);
        let name = member.declarator.name.map(|(name, _)| self.text(name).to_string());
        let width = match &member.width {
            None => None,
            Some(width) => {
                let Some(IntInfo { bits, .. }) = self.program.types.int_info(ty.ty) else {
                    return error(width.span, "only integers can be bit-fields");
                };
                match self.constant(width, "the width of a bit-field")? {
                    value if value < 0 || value > i128::from(bits) => {
                        let shown = self.show(ty.ty);
                        let message =
                            format!("this width is not between 0 and {bits}, the width of `{shown}`");
                        return error(width.span, message);
                    }
                    0 if name.is_some() => {
                        return error(width.span, "a bit-field of width 0 cannot have a name");
                    }
                    value => Some(value as u32),
                }
            }
        };
        Ok(FieldSpec { name, ty, width, align, type_align: None, packed })
    }

    fn check_member(
        &mut self,
        field: &FieldSpec,
        declarator: &MemberDeclarator,
        before: &[FieldSpec],
        kind: RecordKind,
    ) -> Checked<()> {
        let span = declarator.declarator.span;
        let ty = field.ty.ty;
        if self.program.types.is_variable(ty) {
            return unsupported(span, "members of variable length are not modelled");
        }
        let flexible = matches!(self.program.types.array(ty), Some((_, crate::types::ArrayLength::Unknown)));
        if !self.program.types.is_complete(ty)
            && !(flexible && (kind == RecordKind::Union || !before.is_empty()))
        {
            return error(span, format!("this member has incomplete type `{}`", self.show(ty)));
        }
        if field.name.is_some() && before.len() < 1000 && before.iter().any(|f| f.name == field.name) {
            return error(span, "another member has this name");
        }
        Ok(())
    }

    pub(super) fn enum_type(&mut self, spec: &EnumSpecifier) -> Checked<TypeId> {
        let found = match (spec.tag, spec.constants.is_some()) {
            (None, _) => None,
            (Some(tag), true) => self.scopes.lookup_tag_here(tag),
            (Some(tag), false) => self.scopes.lookup_tag(tag),
        };
        let known = match found {
            Some(Tag::Enum(id, ty)) => Some((id, ty)),
            Some(Tag::Record(..)) => {
                let tag = spec.tag.map_or("", |tag| self.text(tag));
                return error(spec.span, format!("`{tag}` is the tag of another kind of type"));
            }
            None => None,
        };
        let stated = match &spec.underlying {
            Some(name) => Some(self.enum_stated_kind(name, spec.span)?),
            None => None,
        };
        let Some(enumerators) = &spec.constants else {
            let (id, ty) = known.unwrap_or_else(|| self.new_enum(spec));
            if let Some(kind) = stated.filter(|_| self.program.types.enumeration(id).underlying.is_none()) {
                self.types().complete_enum(id, kind, Vec::new());
            }
            return Ok(ty);
        };
        if let Some((id, ty)) = known {
            let known = self.program.types.enumeration(id);
            // With its type it may have been declared before.
            if known.underlying.is_some() && (known.underlying != stated || !known.constants.is_empty()) {
                return error(spec.span, format!("`{}` is defined twice", self.show(ty)));
            }
        }
        let mut constants = Vec::new();
        let mut next = 0i128;
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                next = self.constant(value, "the value of an enumeration constant")?;
            }
            let int = self.program.types.int_info(TypeId::INT).is_some_and(|info| info.contains(next));
            let constant_ty = match stated {
                Some(kind) if !self.program.types.int_kind_info(kind).contains(next) => {
                    return error(enumerator.span, "the type of the enumeration cannot hold this");
                }
                Some(kind) => self.program.types.int(kind),
                None if int => TypeId::INT,
                None => self.enum_wide_type(next, next),
            };
            self.declare_constant(enumerator.name, next, constant_ty, enumerator.span)?;
            constants.push((self.text(enumerator.name).to_string(), next));
            next = next.wrapping_add(1);
        }
        let low = constants.iter().map(|(_, value)| *value).min().unwrap_or(0);
        let high = constants.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let underlying = stated.unwrap_or_else(|| self.enum_kind(low, high, has_packed(&spec.attributes)));
        // As in gcc, a constant beyond `int` has the type of the whole enumeration, once this is known.
        let whole = self.enum_wide_type(low, high);
        for enumerator in enumerators {
            if let Some(Binding::Constant(value, ty)) = self.scopes.lookup_here(enumerator.name)
                && ty != TypeId::INT
                && stated.is_none()
            {
                self.scopes.bind(enumerator.name, Binding::Constant(value, whole));
            }
        }
        // As with records, the enumerations of several files that agree are one.
        let contents = (spec.tag, underlying, constants.clone());
        let shared = self.state.enums.get(&contents).copied().filter(|_| self.scopes.depth() == 0);
        let (id, ty) = match (known, shared) {
            (Some(known), _) => known,
            (None, Some((id, ty))) => {
                if let Some(tag) = spec.tag {
                    self.scopes.bind_tag(tag, Tag::Enum(id, ty));
                }
                (id, ty)
            }
            (None, None) => self.new_enum(spec),
        };
        if self.scopes.depth() == 0 {
            self.state.enums.insert(contents, (id, ty));
        }
        self.types().complete_enum(id, underlying, constants);
        Ok(ty)
    }

    /// The type of an enumeration's numbers that the source names.
    fn enum_stated_kind(&mut self, name: &TypeName, span: Span) -> Checked<IntKind> {
        let ty = self.type_name(name)?.ty;
        match *self.program.types.kind(ty) {
            TypeKind::Int(kind) => Ok(kind),
            TypeKind::Bool => unsupported(span, "enumerations of type `_Bool` are not modelled"),
            _ => error(span, "the numbers of an enumeration need an integer type"),
        }
    }

    fn new_enum(&mut self, spec: &EnumSpecifier) -> (EnumId, TypeId) {
        let tag = spec.tag.map(|tag| self.text(tag).to_string());
        let (id, ty) = self.types().new_enum(tag, spec.span);
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag, Tag::Enum(id, ty));
        }
        (id, ty)
    }

    fn declare_constant(&mut self, name: Symbol, value: i128, ty: TypeId, span: Span) -> Checked<()> {
        match self.scopes.lookup_here(name) {
            Some(Binding::Constant(old, _)) if old == value => {}
            Some(_) => return error(span, format!("`{}` is already declared", self.text(name))),
            None => {}
        }
        self.scopes.bind(name, Binding::Constant(value, ty));
        Ok(())
    }

    /// The type of a constant beyond `int`.
    fn enum_wide_type(&self, low: i128, high: i128) -> TypeId {
        self.program.types.int(self.enum_kind(low, high, false))
    }

    /// As gcc chooses: the first of `unsigned int`, `int`, `unsigned long`, `long`, ... that fits.
    fn enum_kind(&self, low: i128, high: i128, packed: bool) -> IntKind {
        use IntKind::*;
        let all = [
            UnsignedChar,
            SignedChar,
            UnsignedShort,
            Short,
            UnsignedInt,
            Int,
            UnsignedLong,
            Long,
            UnsignedLongLong,
            LongLong,
        ];
        let candidates = if packed { &all[..] } else { &all[4..] };
        let fits = |kind: IntKind| {
            let info = self.program.types.int_kind_info(kind);
            info.contains(low) && info.contains(high)
        };
        candidates.iter().copied().find(|&kind| fits(kind)).unwrap_or(LongLong)
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) -> Checked<()> {
        if self.constant(&assertion.condition, "the condition of a static assertion")? != 0 {
            return Ok(());
        }
        let message = format!("static assertion failed: {}", assertion.message);
        Err(Box::new(Diagnostic::error(assertion.span, message)))
    }
}

pub(super) fn has_packed(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| matches!(attribute, Attribute::Packed))
}
