//! Accesses to memory in formulas: `(select heap (+ b 8))` is `b->data` to a reader.

use super::formula;
use super::names::Names;
use craig_base::Map;
use craig_program::{CTypeId, Cell, Distance, Program, Type};
use craig_term::{Op, TermId, Terms};

/// Terms as places of a program.
pub(crate) struct Accesses<'a> {
    terms: &'a Terms,
    names: &'a Names,
    program: &'a Program,
    /// Variables that hold an address by which formulas speak of an object.
    aliases: Vec<(i128, String, CTypeId)>,
    /// The C types of accesses that have been named.
    types: Map<TermId, CTypeId>,
}

/// A number so far from a variable's is not meant relative to it.
const NEAR: i128 = 1 << 16;

impl<'a> Accesses<'a> {
    /// What the parts say of addresses holds wherever their conjunction is shown.
    pub fn new(terms: &'a Terms, names: &'a Names, program: &'a Program, parts: &[TermId]) -> Self {
        let mut aliases = Vec::new();
        for (var, (low, high)) in formula::bounds(terms, parts) {
            let name = terms.const_name(var).and_then(|name| names.get(name));
            if let (Some(name), Some(number)) = (name, low.filter(|_| low == high))
                && let Some(ty) = name.c_type
                && number > 0
                && program.source_types.pointee(ty).is_some()
            {
                aliases.push((number, name.expr.to_string(), ty));
            }
        }
        Accesses { terms, names, program, aliases, types: Map::default() }
    }

    pub fn program(&self) -> &'a Program {
        self.program
    }

    pub fn is_pointer(&self, ty: CTypeId) -> bool {
        matches!(self.program.source_types.types[ty].kind, craig_program::CKind::Pointer(_))
    }

    /// The type of the cells of a region, if the term is one.
    pub fn cell(&self, region: TermId) -> Option<Type> {
        match self.names.get(self.terms.const_name(region)?)?.cell? {
            Cell::Scalar(ty) => Some(ty),
            Cell::Bytes => Some(Type::Int(craig_program::IntType::U8)),
        }
    }

    /// A pointer constant: `NULL`, or the address of an object that the program names.
    pub fn address(&self, number: i128) -> Option<String> {
        if number == 0 {
            return Some("NULL".to_string());
        }
        self.program.object_near(u64::try_from(number).ok()?)?;
        let (text, _) = self.at_number(number, &Distance::default(), None)?;
        Some(format!("&{text}"))
    }

    /// What `select` reads, in the words of the source. `shown` are the texts of smaller terms.
    pub fn place(&mut self, select: TermId, shown: &dyn Fn(TermId) -> Option<String>) -> Option<String> {
        let &[region, address] = self.terms.args(select) else { return None };
        let size = Some(u64::from(self.program.size_of(self.cell(region)?)));
        let parts = match self.terms.op(address) {
            Op::Add => self.terms.args(address),
            _ => &[address][..],
        };
        let mut base: Option<(String, CTypeId)> = None;
        let mut distance = Distance::default();
        for &part in parts {
            if let Some(n) = self.terms.number(part) {
                distance.bytes = distance.bytes.checked_add(n.to_int()?.to_i128()?)?;
            } else if let Some(pointer) = self.pointer(part, shown).filter(|_| base.is_none()) {
                base = Some(pointer);
            } else if self.terms.op(part) == Op::Scale {
                let &[factor, what] = self.terms.args(part) else { return None };
                distance.parts.push((self.terms.number(factor)?.to_int()?.to_i128()?, shown(what)?));
            } else {
                distance.parts.push((1, shown(part)?));
            }
        }
        let types = &self.program.source_types;
        let (text, ty) = match base {
            Some((pointer, ty)) => types.through(&pointer, ty, &distance, size)?,
            None => {
                let number = std::mem::take(&mut distance.bytes);
                self.at_number(number, &distance, size)?
            }
        };
        self.types.insert(select, ty);
        Some(text)
    }

    fn pointer(&self, t: TermId, shown: &dyn Fn(TermId) -> Option<String>) -> Option<(String, CTypeId)> {
        let ty = match self.terms.op(t) {
            Op::Const(_) => self.names.get(self.terms.const_name(t)?)?.c_type?,
            Op::Select => *self.types.get(&t)?,
            _ => return None,
        };
        self.program.source_types.pointee(ty)?;
        Some((shown(t)?, ty))
    }

    /// What lies at a number, and a distance from there.
    fn at_number(&self, number: i128, distance: &Distance, size: Option<u64>) -> Option<(String, CTypeId)> {
        let types = &self.program.source_types;
        let from = |start: i128| Distance { bytes: number - start, parts: distance.parts.clone() };
        if let Some((object, offset)) = self.program.object_near(u64::try_from(number).ok()?) {
            let ty = *types.objects.get(&object)?;
            let (path, ty) = types.path(ty, &from(number - i128::from(offset)), size)?;
            return Some((format!("{}{path}", self.program.objects[object].name), ty));
        }
        let near = self.aliases.iter().filter(|(start, ..)| (0..NEAR).contains(&(number - start)));
        let (start, pointer, ty) = near.max_by_key(|(start, ..)| *start)?;
        types.through(pointer, *ty, &from(*start), size)
    }
}
