//! Declarations, specifiers, records, enumerations and initialisers (C11 6.7).

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::ast::{
    Attribute, Declaration, Declarator, Designator, EnumSpecifier, Enumerator, Init, InitDeclarator,
    InitList, InitListItem, Member, MemberDeclarator, RecordSpecifier, Specifiers, StaticAssert, Storage,
    TypeName, TypeSpecifier,
};
use crate::diagnostics::Diagnostic;
use crate::lex::{Keyword, Punct, TokenKind};
use crate::source::Span;
use crate::types::{FloatKind, IntKind, Qualifiers, RecordKind};

/// Where specifiers stand decides what may be missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// A declaration may have no specifiers at all (implicit `int`).
    File,
    /// There is at least one specifier; the type may be missing (`static x;`).
    Block,
    /// Type names, members and parameters.
    Type,
}

/// The words of a basic type, counted, in any order.
#[derive(Default)]
struct BasicWords {
    void: u8,
    bool: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
    int128: u8,
    any: bool,
}

impl BasicWords {
    fn resolve(&self) -> Option<TypeSpecifier> {
        use IntKind::*;
        let w = self;
        let sign = |signed: IntKind, unsigned: IntKind| {
            TypeSpecifier::Int(if w.unsigned == 1 { unsigned } else { signed })
        };
        let others = [w.void, w.bool, w.char, w.short, w.float, w.double, w.int128];
        if w.signed + w.unsigned > 1 || w.int > 1 || w.long > 2 || others.iter().sum::<u8>() > 1 {
            return None;
        }
        let plain = w.signed + w.unsigned == 0;
        let alone = plain && w.int == 0 && w.long == 0;
        let result = match (w.void, w.bool, w.char, w.short, w.float, w.double, w.int128) {
            (1, ..) if alone => TypeSpecifier::Void,
            (_, 1, ..) if alone => TypeSpecifier::Bool,
            (_, _, 1, ..) if w.int == 0 && w.long == 0 => match (w.signed, w.unsigned) {
                (1, _) => TypeSpecifier::Int(SignedChar),
                (_, 1) => TypeSpecifier::Int(UnsignedChar),
                _ => TypeSpecifier::Int(Char),
            },
            (_, _, _, 1, ..) if w.long == 0 => sign(Short, UnsignedShort),
            (_, _, _, _, 1, ..) if alone => TypeSpecifier::Float(FloatKind::Float),
            (_, _, _, _, _, 1, _) if plain && w.int == 0 && w.long < 2 => {
                TypeSpecifier::Float(match w.long {
                    0 => FloatKind::Double,
                    _ => FloatKind::LongDouble,
                })
            }
            (.., 1) if w.int == 0 && w.long == 0 => sign(Int128, UnsignedInt128),
            (0, 0, 0, 0, 0, 0, 0) => match w.long {
                0 => sign(Int, UnsignedInt),
                1 => sign(Long, UnsignedLong),
                _ => sign(LongLong, UnsignedLongLong),
            },
            _ => return None,
        };
        Some(match result {
            _ if w.complex == 0 => result,
            TypeSpecifier::Float(kind) => TypeSpecifier::Complex(kind),
            TypeSpecifier::Int(Int) if w.int == 0 && w.signed == 0 => {
                TypeSpecifier::Complex(FloatKind::Double)
            }
            _ => return None,
        })
    }
}

impl Parser<'_> {
    pub(super) fn specifiers(&mut self, context: Context) -> Parsed<Specifiers> {
        let start = self.span();
        let mut storage = None;
        let mut thread_local = false;
        let mut inline = false;
        let mut quals = Qualifiers::NONE;
        let mut attributes = Vec::new();
        let mut words = BasicWords::default();
        let mut ty: Option<TypeSpecifier> = None;
        loop {
            let has_type = ty.is_some() || words.any;
            let TokenKind::Keyword(keyword) = self.peek() else {
                if !has_type && self.is_typedef_name(self.peek()) {
                    let (name, _) = self.name("a type")?;
                    ty = Some(TypeSpecifier::Name(name));
                    continue;
                }
                break;
            };
            let word = match keyword {
                Keyword::Void => Some(&mut words.void),
                Keyword::Bool => Some(&mut words.bool),
                Keyword::Char => Some(&mut words.char),
                Keyword::Short => Some(&mut words.short),
                Keyword::Int => Some(&mut words.int),
                Keyword::Long => Some(&mut words.long),
                Keyword::Float | Keyword::Float32 => Some(&mut words.float),
                Keyword::Double | Keyword::Float64 => Some(&mut words.double),
                Keyword::Signed => Some(&mut words.signed),
                Keyword::Unsigned => Some(&mut words.unsigned),
                Keyword::Complex | Keyword::Imaginary => Some(&mut words.complex),
                Keyword::Int128 => Some(&mut words.int128),
                _ => None,
            };
            // As in `_Float16 _Complex`.
            if let (Keyword::Complex, Some(TypeSpecifier::Float(kind))) = (keyword, &ty) {
                ty = Some(TypeSpecifier::Complex(*kind));
                self.advance();
                continue;
            }
            if let Some(word) = word {
                *word = word.saturating_add(1).min(9);
                words.any = true;
                let span = self.advance();
                if ty.is_some() {
                    return Err(Box::new(Diagnostic::error(span, "two types in one declaration")));
                }
                continue;
            }
            let specified = match keyword {
                Keyword::UnsignedInt128 => {
                    self.advance();
                    Some(TypeSpecifier::Int(IntKind::UnsignedInt128))
                }
                Keyword::Float16 => {
                    self.advance();
                    Some(TypeSpecifier::Float(FloatKind::Float16))
                }
                Keyword::Float128 => {
                    self.advance();
                    Some(TypeSpecifier::Float(FloatKind::Float128))
                }
                Keyword::Float64x => {
                    self.advance();
                    Some(TypeSpecifier::Float(FloatKind::LongDouble))
                }
                Keyword::SizeType => {
                    self.advance();
                    Some(TypeSpecifier::Size)
                }
                Keyword::VaList => {
                    self.advance();
                    Some(TypeSpecifier::VaList)
                }
                Keyword::AutoType => {
                    self.advance();
                    Some(TypeSpecifier::Auto)
                }
                Keyword::Struct | Keyword::Union => Some(self.record_specifier()?),
                Keyword::Enum => Some(self.enum_specifier()?),
                Keyword::Typeof => Some(self.typeof_specifier()?),
                Keyword::Atomic if self.peek_at(1) == TokenKind::Punct(Punct::LeftParen) => {
                    self.advance();
                    Some(self.parenthesized_type()?)
                }
                _ => None,
            };
            if let Some(specified) = specified {
                let complex = match specified {
                    TypeSpecifier::Float(kind) if words.complex > 0 => Some(TypeSpecifier::Complex(kind)),
                    _ => None,
                };
                if has_type && complex.is_none() {
                    return Err(Box::new(Diagnostic::error(
                        start.to(self.previous_span()),
                        "two types in one declaration",
                    )));
                }
                ty = Some(complex.unwrap_or(specified));
                words.any = false;
                continue;
            }
            match keyword {
                Keyword::Typedef => storage = Some(self.storage(storage, Storage::Typedef)?),
                Keyword::Extern => storage = Some(self.storage(storage, Storage::Extern)?),
                Keyword::Static => storage = Some(self.storage(storage, Storage::Static)?),
                Keyword::Auto => storage = Some(self.storage(storage, Storage::Auto)?),
                Keyword::Register => storage = Some(self.storage(storage, Storage::Register)?),
                Keyword::Const => quals = self.qualifier(quals, Qualifiers::CONST),
                Keyword::Volatile => quals = self.qualifier(quals, Qualifiers::VOLATILE),
                Keyword::Restrict => quals = self.qualifier(quals, Qualifiers::RESTRICT),
                Keyword::Atomic => quals = self.qualifier(quals, Qualifiers::ATOMIC),
                Keyword::ThreadLocal => {
                    self.advance();
                    thread_local = true;
                }
                Keyword::Inline => {
                    self.advance();
                    inline = true;
                }
                Keyword::Noreturn => {
                    self.advance();
                    attributes.push(Attribute::NoReturn);
                }
                Keyword::Extension => {
                    self.advance();
                }
                Keyword::Attribute => self.attributes(&mut attributes)?,
                Keyword::Alignas => attributes.push(self.alignas()?),
                _ => break,
            }
        }
        let span =
            if self.previous_span().start >= start.start { start.to(self.previous_span()) } else { start };
        let ty = match ty {
            Some(ty) => ty,
            None if words.any => match words.resolve() {
                Some(ty) => ty,
                None => {
                    return Err(Box::new(Diagnostic::error(span, "these words do not make a type together")));
                }
            },
            None => {
                let is_declarator = matches!(
                    self.peek(),
                    TokenKind::Name(_) | TokenKind::Punct(Punct::Star | Punct::LeftParen)
                );
                let something = storage.is_some() || quals != Qualifiers::NONE || inline;
                let empty = self.at(Punct::Semicolon) && !attributes.is_empty();
                let plausible = match self.peek_at(1) {
                    TokenKind::Punct(punct) => {
                        matches!(
                            punct,
                            Punct::LeftParen
                                | Punct::Semicolon
                                | Punct::Comma
                                | Punct::Assign
                                | Punct::LeftBracket
                        )
                    }
                    _ => false,
                };
                let name_alone = context == Context::File && is_declarator && plausible;
                if !(name_alone || empty || something && (is_declarator || context == Context::Type)) {
                    return Err(self.unknown_type());
                }
                TypeSpecifier::Implicit
            }
        };
        Ok(Specifiers { storage, thread_local, inline, quals, ty, attributes, span })
    }

    fn unknown_type(&self) -> Box<Diagnostic> {
        match (self.peek(), self.peek_at(1)) {
            (TokenKind::Name(name), _) if is_not_modelled(self.names.get(name)) => {
                let message = format!("the type `{}` is not modelled", self.names.get(name));
                Box::new(Diagnostic::unsupported(self.span(), message))
            }
            (TokenKind::Name(name), TokenKind::Name(_) | TokenKind::Punct(Punct::Star)) => {
                let message = format!("unknown type name `{}`", self.names.get(name));
                Box::new(
                    Diagnostic::error(self.span(), message)
                        .with_help("a typedef of that name must come before its use"),
                )
            }
            _ => self.error("expected a declaration"),
        }
    }

    fn storage(&mut self, old: Option<Storage>, new: Storage) -> Parsed<Storage> {
        let span = self.advance();
        match old {
            Some(old) if old != new => {
                Err(Box::new(Diagnostic::error(span, "two storage classes in one declaration")))
            }
            _ => Ok(new),
        }
    }

    fn qualifier(&mut self, old: Qualifiers, new: Qualifiers) -> Qualifiers {
        self.advance();
        old.union(new)
    }

    /// Qualifiers and attributes after a `*`.
    pub(super) fn pointer_qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Qualifiers> {
        let mut quals = Qualifiers::NONE;
        loop {
            match self.peek() {
                TokenKind::Keyword(Keyword::Const) => quals = self.qualifier(quals, Qualifiers::CONST),
                TokenKind::Keyword(Keyword::Volatile) => quals = self.qualifier(quals, Qualifiers::VOLATILE),
                TokenKind::Keyword(Keyword::Restrict) => quals = self.qualifier(quals, Qualifiers::RESTRICT),
                TokenKind::Keyword(Keyword::Atomic) => quals = self.qualifier(quals, Qualifiers::ATOMIC),
                TokenKind::Keyword(Keyword::Attribute) => self.attributes(attributes)?,
                _ => return Ok(quals),
            }
        }
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.advance();
        if self.at(Punct::LeftParen) && !self.starts_specifiers(self.peek_at(1)) {
            self.expect(Punct::LeftParen, "after `typeof`")?;
            let expr = self.nested(|p| p.expression())?;
            self.expect(Punct::RightParen, "after the operand of `typeof`")?;
            return Ok(TypeSpecifier::TypeofExpr(Box::new(expr)));
        }
        self.parenthesized_type()
    }

    fn parenthesized_type(&mut self) -> Parsed<TypeSpecifier> {
        self.expect(Punct::LeftParen, "before the type")?;
        let name = self.type_name()?;
        self.expect(Punct::RightParen, "after the type")?;
        Ok(TypeSpecifier::TypeofType(Box::new(name)))
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        self.nested(|p| {
            let specifiers = p.specifiers(Context::Type)?;
            let declarator = p.declarator(Naming::Forbidden)?;
            Ok(TypeName { specifiers, declarator })
        })
    }

    fn record_specifier(&mut self) -> Parsed<TypeSpecifier> {
        let kind = match self.peek() {
            TokenKind::Keyword(Keyword::Union) => RecordKind::Union,
            _ => RecordKind::Struct,
        };
        let start = self.advance();
        let mut attributes = Vec::new();
        self.attributes_if_any(&mut attributes)?;
        let tag = self.tag();
        let mut span = start.to(self.previous_span());
        let mut members = None;
        let pack = self.packs.partition_point(|pack| pack.position < self.span().start);
        let pack = pack.checked_sub(1).and_then(|last| self.packs[last].limit);
        if self.eat(Punct::LeftBrace).is_some() {
            members = Some(self.nested(|p| p.members())?);
            self.attributes_if_any(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.error("expected a tag or the members of the record"));
        } else {
            span = start.to(self.previous_span());
        }
        Ok(TypeSpecifier::Record(Box::new(RecordSpecifier { kind, tag, members, attributes, pack, span })))
    }

    fn tag(&mut self) -> Option<crate::lex::Symbol> {
        match self.peek() {
            TokenKind::Name(name) => {
                self.advance();
                Some(name)
            }
            _ => None,
        }
    }

    fn members(&mut self) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        while self.eat(Punct::RightBrace).is_none() {
            if self.eat(Punct::Semicolon).is_some() {
                continue;
            }
            if self.peek() == TokenKind::Keyword(Keyword::StaticAssert) {
                members.push(Member::StaticAssert(self.static_assert()?));
                continue;
            }
            let start = self.span();
            let specifiers = self.specifiers(Context::Type)?;
            let mut declarators = Vec::new();
            while !self.at(Punct::Semicolon) {
                declarators.push(self.member_declarator()?);
                if self.eat(Punct::Comma).is_none() {
                    break;
                }
            }
            // gcc lets the last semicolon go missing.
            if !self.at(Punct::RightBrace) {
                self.expect(Punct::Semicolon, "after the member")?;
            }
            let span = start.to(self.previous_span());
            members.push(Member::Declaration { specifiers, declarators, span });
        }
        Ok(members)
    }

    fn member_declarator(&mut self) -> Parsed<MemberDeclarator> {
        let declarator = if self.at(Punct::Colon) {
            Declarator { name: None, derived: Vec::new(), span: self.span(), attributes: Vec::new() }
        } else {
            self.declarator(Naming::Required)?
        };
        let width = match self.eat(Punct::Colon) {
            Some(_) => Some(self.nested(|p| p.conditional())?),
            None => None,
        };
        let mut attributes = Vec::new();
        self.attributes_if_any(&mut attributes)?;
        Ok(MemberDeclarator { declarator, width, attributes })
    }

    fn enum_specifier(&mut self) -> Parsed<TypeSpecifier> {
        let start = self.advance();
        let mut attributes = Vec::new();
        self.attributes_if_any(&mut attributes)?;
        let tag = self.tag();
        let span = start.to(self.previous_span());
        let mut underlying = None;
        // A bit-field without a name has a number there.
        if self.at(Punct::Colon) && self.starts_type(1) {
            self.advance();
            underlying = Some(self.type_name()?);
        }
        let mut constants = None;
        if self.eat(Punct::LeftBrace).is_some() {
            constants = Some(self.nested(|p| p.enumerators())?);
            self.attributes_if_any(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.error("expected a tag or the constants of the enumeration"));
        }
        Ok(TypeSpecifier::Enum(Box::new(EnumSpecifier { tag, underlying, constants, attributes, span })))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let mut constants = Vec::new();
        while !self.at(Punct::RightBrace) {
            let (name, span) = self.name("the name of an enumeration constant")?;
            self.attributes_if_any(&mut Vec::new())?;
            let value = match self.eat(Punct::Assign) {
                Some(_) => Some(self.conditional()?),
                None => None,
            };
            self.typedefs.declare(name, false);
            constants.push(Enumerator { name, value, span });
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect(Punct::RightBrace, "after the enumeration constants")?;
        Ok(constants)
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.advance();
        self.expect(Punct::LeftParen, "after `_Static_assert`")?;
        let condition = self.nested(|p| p.conditional())?;
        let message = match self.eat(Punct::Comma) {
            Some(_) => self.plain_string("the message")?,
            None => String::new(),
        };
        self.expect(Punct::RightParen, "after the assertion")?;
        self.expect(Punct::Semicolon, "after the assertion")?;
        Ok(StaticAssert { condition, message, span: start.to(self.previous_span()) })
    }

    /// A declaration in a block or of an old-style parameter.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let specifiers = self.specifiers(Context::Block)?;
        self.declaration_after(specifiers, None, start)
    }

    /// The rest of a declaration after its specifiers and perhaps its first declarator.
    pub(super) fn declaration_after(
        &mut self,
        specifiers: Specifiers,
        first: Option<Declarator>,
        start: Span,
    ) -> Parsed<Declaration> {
        let mut declarators = Vec::new();
        let mut first = first;
        if first.is_some() || !self.at(Punct::Semicolon) {
            loop {
                let declarator = match first.take() {
                    Some(first) => first,
                    None => self.declarator(Naming::Required)?,
                };
                declarators.push(self.init_declarator(&specifiers, declarator)?);
                if self.eat(Punct::Comma).is_none() {
                    break;
                }
            }
        }
        self.expect(Punct::Semicolon, "after the declaration")?;
        Ok(Declaration { specifiers, declarators, span: start.to(self.previous_span()) })
    }

    fn init_declarator(&mut self, specifiers: &Specifiers, declarator: Declarator) -> Parsed<InitDeclarator> {
        let mut attributes = Vec::new();
        let mut asm_name = None;
        loop {
            match self.peek() {
                TokenKind::Keyword(Keyword::Asm) => asm_name = Some(self.asm_text()?),
                TokenKind::Keyword(Keyword::Attribute) => self.attributes(&mut attributes)?,
                _ => break,
            }
        }
        // The scope of a name begins before its initialiser.
        if let Some((name, _)) = declarator.name {
            self.typedefs.declare(name, specifiers.storage == Some(Storage::Typedef));
        }
        let init = match self.eat(Punct::Assign) {
            Some(_) => Some(self.initializer()?),
            None => None,
        };
        self.attributes_if_any(&mut attributes)?;
        Ok(InitDeclarator { declarator, init, attributes, asm_name })
    }

    fn initializer(&mut self) -> Parsed<Init> {
        if self.at(Punct::LeftBrace) {
            return Ok(Init::List(self.init_list()?));
        }
        Ok(Init::Expr(self.nested(|p| p.assignment())?))
    }

    pub(super) fn init_list(&mut self) -> Parsed<InitList> {
        self.nested(|p| {
            let start = p.expect(Punct::LeftBrace, "before the initialisers")?;
            let mut items = Vec::new();
            while !p.at(Punct::RightBrace) {
                let designators = p.designators()?;
                let init = p.initializer()?;
                items.push(InitListItem { designators, init });
                if p.eat(Punct::Comma).is_none() {
                    break;
                }
            }
            let end = p.expect(Punct::RightBrace, "after the initialisers")?;
            Ok(InitList { items, span: start.to(end) })
        })
    }

    /// `.a[1] =`, and the old GNU forms `a:` and `[1] value`.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        if let (TokenKind::Name(name), TokenKind::Punct(Punct::Colon)) = (self.peek(), self.peek_at(1)) {
            let span = self.advance();
            self.advance();
            return Ok(vec![Designator::Field(name, span)]);
        }
        let mut designators = Vec::new();
        loop {
            if self.eat(Punct::Dot).is_some() {
                let (name, span) = self.name("the name of a member")?;
                designators.push(Designator::Field(name, span));
            } else if self.eat(Punct::LeftBracket).is_some() {
                designators.push(self.index_designator()?);
            } else {
                break;
            }
        }
        let needs_assign = match designators.as_slice() {
            [] => false,
            [Designator::Index(_) | Designator::Range(..)] => self.at(Punct::Assign),
            _ => true,
        };
        if needs_assign {
            self.expect(Punct::Assign, "after the designator")?;
        }
        Ok(designators)
    }

    /// Behind the opening bracket.
    pub(super) fn index_designator(&mut self) -> Parsed<Designator> {
        let low = self.nested(|p| p.conditional())?;
        let designator = match self.eat(Punct::Ellipsis) {
            Some(_) => Designator::Range(low, self.nested(|p| p.conditional())?),
            None => Designator::Index(low),
        };
        self.expect(Punct::RightBracket, "after the index")?;
        Ok(designator)
    }
}

/// Types that gcc knows and that have no meaning here.
pub(super) fn is_not_modelled(name: &str) -> bool {
    matches!(name, "__bf16" | "_Decimal32" | "_Decimal64" | "_Decimal128" | "__ibm128" | "__mfp8")
}
