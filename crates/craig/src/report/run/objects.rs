//! What lies at an address, and values as C writes them.

use craig_exec::{Memory, show_value};
use craig_program::{CKind, CTypeId, Distance, Program, Type};
use std::collections::BTreeMap;

/// The objects of a run: the static ones of the program, and those that were made on the way.
pub struct Objects<'p> {
    program: &'p Program,
    made: BTreeMap<u64, Made>,
    allocations: usize,
}

struct Made {
    name: String,
    size: u64,
    /// The type of the object or of its elements.
    ty: Option<CTypeId>,
    freed: bool,
    is_local: bool,
}

/// A pointer so far outside of an object is not named after it.
const NEAR: u64 = 1 << 16;

impl<'p> Objects<'p> {
    pub fn new(program: &'p Program) -> Self {
        Objects { program, made: BTreeMap::new(), allocations: 0 }
    }

    /// An object begins to exist; a local has a name, others get one.
    pub fn add(&mut self, address: u64, size: u64, local: Option<&str>, ty: Option<CTypeId>) -> &str {
        let name = match local {
            Some(name) => name.to_string(),
            None => {
                self.allocations += 1;
                format!("heap{}", self.allocations)
            }
        };
        let made = Made { name, size, ty, freed: false, is_local: local.is_some() };
        self.made.insert(address, made);
        &self.made[&address].name
    }

    pub fn free(&mut self, address: u64) {
        if let Some(made) = self.made.get_mut(&address) {
            made.freed = true;
        }
    }

    /// Whether an address lies in an object that the program gives no name.
    pub fn is_allocated(&self, address: u64) -> bool {
        let made = self.made.range(..=address).next_back();
        made.is_some_and(|(&base, made)| !made.is_local && address - base < made.size)
    }

    /// A pointer of this type holds the address: what was allocated there is of the type that it leads to.
    pub fn seen_through(&mut self, address: u64, pointer: CTypeId) {
        if let Some(made) = self.made.get_mut(&address).filter(|made| made.ty.is_none()) {
            let types = &self.program.source_types;
            // As characters everything can be seen.
            let to = types.pointee(pointer).filter(|&to| types.types[to].kind != CKind::Character);
            made.ty = to;
        }
    }

    /// What an access of so many bytes at an address is, such as `buf[3]`; without a size, what begins there.
    pub fn place(&self, address: u64, size: Option<u64>) -> Option<(String, Option<CTypeId>)> {
        let types = &self.program.source_types;
        let (base, name, object_size, ty) = self.object(address)?;
        let at = Distance::bytes(i128::from(address) - i128::from(base));
        let Some(ty) = ty else {
            let text = match size {
                // Seen byte by byte, it is an array of them.
                Some(1) if object_size > 1 => format!("{name}[{}]", at.bytes),
                _ if at.is_zero() => name,
                _ => format!("{name} at byte {}", at.bytes),
            };
            return Some((text, None));
        };
        // An allocated object may be many of what its pointer leads to.
        let is_one = types.types[ty].size.is_none_or(|one| one >= object_size);
        let within = types.types[ty].size.is_none_or(|one| (0..i128::from(one)).contains(&at.bytes));
        let path = if is_one && (within || matches!(types.types[ty].kind, CKind::Array(_))) {
            types.path(ty, &at, size)
        } else {
            let one = types.types[ty].size.filter(|&one| one > 0)?;
            let (index, left) = (at.bytes.div_euclid(one.into()), at.bytes.rem_euclid(one.into()));
            let rest = types.path(ty, &Distance::bytes(left), size);
            rest.map(|(rest, ty)| (format!("[{index}]{rest}"), ty))
        };
        match path {
            Some((path, ty)) => Some((format!("{name}{path}"), Some(ty))),
            None => Some((format!("{name} at byte {}", at.bytes), None)),
        }
    }

    /// The object at or near an address: where it starts, its name, size and type.
    fn object(&self, address: u64) -> Option<(u64, String, u64, Option<CTypeId>)> {
        let made = self.made.range(..=address).next_back();
        let made = made.map(|(&base, made)| (base, made.name.clone(), made.size, made.ty));
        let fixed = self.program.objects.enumerated().filter(|(_, object)| object.address <= address);
        let fixed = fixed.max_by_key(|(_, object)| object.address).map(|(id, object)| {
            let ty = self.program.source_types.objects.get(&id).copied();
            (object.address, object.name.to_string(), object.size, ty)
        });
        let nearest = [made, fixed].into_iter().flatten().max_by_key(|object| object.0)?;
        (address - nearest.0 <= nearest.2.saturating_add(NEAR)).then_some(nearest)
    }

    /// A value of a scalar as C writes it.
    pub fn value(&self, memory: Option<&Memory>, ty: Type, c_type: Option<CTypeId>, value: i128) -> String {
        if ty == Type::Pointer {
            return self.pointer(memory, value as u64);
        }
        let named = c_type.and_then(|c_type| self.program.source_types.constant(c_type, value));
        let is_nan = match ty {
            Type::Float(float) => float.number(value as u128).is_nan(),
            _ => false,
        };
        named.unwrap_or_else(|| if is_nan { "NAN".to_string() } else { show_value(ty, value) })
    }

    fn pointer(&self, memory: Option<&Memory>, address: u64) -> String {
        if address == 0 {
            return "NULL".to_string();
        }
        let fixed = self.program.objects.iter().find(|object| object.address == address);
        if let Some(object) = fixed.filter(|object| object.function) {
            return object.name.to_string();
        }
        if let Some(text) = memory.and_then(|memory| self.literal(memory, address)) {
            return text;
        }
        let Some((place, ty)) = self.place(address, None) else {
            return self.before(address).unwrap_or_else(|| format!("{address:#x}"));
        };
        let freed = self.made.range(..=address).next_back().is_some_and(|(_, made)| made.freed);
        let is_array =
            ty.is_some_and(|ty| matches!(self.program.source_types.types[ty].kind, CKind::Array(_)));
        let address_of = if is_array { "" } else { "&" };
        format!("{address_of}{place}{}", if freed { " (freed)" } else { "" })
    }

    /// An address that lies before an object, in words.
    fn before(&self, address: u64) -> Option<String> {
        let made = self.made.range(address..).next().map(|(&base, made)| (base, made.name.clone()));
        let fixed = self.program.objects.iter().filter(|object| object.address >= address);
        let fixed =
            fixed.min_by_key(|object| object.address).map(|object| (object.address, object.name.to_string()));
        let (base, name) = [made, fixed].into_iter().flatten().min_by_key(|object| object.0)?;
        let bytes = base - address;
        (bytes <= NEAR).then(|| format!("{bytes} byte{} before {name}", if bytes == 1 { "" } else { "s" }))
    }

    /// The text of a string literal that begins at the address.
    fn literal(&self, memory: &Memory, address: u64) -> Option<String> {
        const LONGEST: usize = 40;
        let mut objects = self.program.objects.iter();
        let object = objects.find(|object| {
            object.address == address && object.constant && object.name.starts_with(".string")
        })?;
        let bytes = (0..object.size).map_while(|offset| memory.object_at(address)?.byte(offset));
        let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        let shown = text[..text.len().min(LONGEST)].escape_ascii();
        Some(format!("\"{shown}{}\"", if text.len() > LONGEST { "..." } else { "" }))
    }
}
