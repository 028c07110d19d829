//! What `assigns` names: places, elements, bytes and objects.
//!
//! Where a contract stands for a body, they get any value ([`super::replace`]). Of the function under test it is checked
//! that it writes nothing else: the function that calls it keeps in globals, whose names are here, where the named places
//! are, and lowering tests each write (`lower/assigned.rs`).

use super::clause::{Translated, refuse};
use super::output::Piece;
use super::scan::{Token, closing, find, parenthesized, split, unwrapped};
use super::translate::Translator;

/// In front of the names of all globals that speak of what may be written.
pub const PREFIX: &str = "craig_assigned_";
/// An object that was made right before the call; null before and after.
pub const FRESH: &str = "craig_assigned_fresh";
/// With a number: a pointer to an object that may be written.
pub const PLACE: &str = "craig_assigned_place_";
/// With a number: a pointer to what may be written, and how many bytes it has.
pub const POINTER: &str = "craig_assigned_pointer_";
pub const SIZE: &str = "craig_assigned_size_";
/// With a number: a pointer into an object all of which may be written.
pub const OBJECT: &str = "craig_assigned_object_";
/// The same, from this place on.
pub const REST: &str = "craig_assigned_rest_";
/// It is there if nothing is asked about what is freed.
pub const FREES: &str = "craig_assigned_frees";

/// What a clause names.
pub enum Target<'a, 't> {
    Place(&'a [Token<'t>]),
    /// Those with these numbers.
    Elements {
        array: &'a [Token<'t>],
        first: &'a [Token<'t>],
        last: &'a [Token<'t>],
    },
    Bytes {
        pointer: &'a [Token<'t>],
        bytes: &'a [Token<'t>],
    },
    /// The object that a pointer points into: all of it, or what comes from there on.
    Object {
        pointer: &'a [Token<'t>],
        whole: bool,
    },
    Everything,
}

/// A target, and the condition under which it is one.
pub type Conditional<'a, 't> = (Option<&'a [Token<'t>]>, Target<'a, 't>);

/// The targets of a clause: `condition: a, b; c`.
pub fn targets<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Vec<Conditional<'a, 't>>> {
    let mut found = Vec::new();
    for group in split(tokens, ";") {
        let colon = find(group, &[":"]).filter(|_| find(group, &["?"]).is_none());
        let (condition, group) = match colon {
            Some(at) => (Some(&group[..at]), &group[at + 1..]),
            None => (None, group),
        };
        // What a value depends on is not asked.
        let group = &group[..find(group, &["\\from"]).unwrap_or(group.len())];
        for one in split(group, ",") {
            if !one.is_empty() && !one[0].is("\\nothing") && !one[0].is("\\result") {
                found.push((condition, target(one)?));
            }
        }
    }
    Ok(found)
}

fn target<'a, 't>(tokens: &'a [Token<'t>]) -> Translated<Target<'a, 't>> {
    let tokens = unwrapped(tokens);
    let Some(first) = tokens.first() else { return Ok(Target::Place(tokens)) };
    let arguments = parenthesized(tokens, 1).map(|(inner, _)| inner);
    match (first.text, arguments) {
        ("\\everything", _) => Ok(Target::Everything),
        ("__CPROVER_object_upto", Some(inner)) if find(inner, &[","]).is_some() => {
            let comma = find(inner, &[","]).unwrap_or(0);
            Ok(Target::Bytes { pointer: &inner[..comma], bytes: &inner[comma + 1..] })
        }
        ("__CPROVER_object_whole" | "__CPROVER_POINTER_OBJECT", Some(pointer)) => {
            Ok(Target::Object { pointer, whole: true })
        }
        ("__CPROVER_object_from", Some(pointer)) => Ok(Target::Object { pointer, whole: false }),
        ("__CPROVER_typed_target", Some(place)) => Ok(Target::Place(place)),
        (name, _) if name.starts_with("__CPROVER_") => refuse(first, format!("`{name}` is not understood")),
        _ => Ok(elements(tokens).unwrap_or(Target::Place(tokens))),
    }
}

/// `p[a..b]` or `*(p + (a..b))`.
fn elements<'a, 't>(tokens: &'a [Token<'t>]) -> Option<Target<'a, 't>> {
    let (star, tokens) = match tokens.split_first()? {
        (star, rest) if star.is("*") => (true, unwrapped(rest)),
        _ => (false, tokens),
    };
    let open = tokens.iter().rposition(|token| token.is(if star { "(" } else { "[" }))?;
    if closing(tokens, open)? != tokens.len() - 1 {
        return None;
    }
    let inner = &tokens[open + 1..tokens.len() - 1];
    let dots = find(inner, &[".."])?;
    let array = match tokens[..open].split_last() {
        Some((plus, array)) if star && plus.is("+") => array,
        _ if star => return None,
        _ => &tokens[..open],
    };
    Some(Target::Elements { array, first: &inner[..dots], last: &inner[dots + 1..] })
}

/// The declarations of the globals for some targets, and the statements that give them values.
#[derive(Default)]
pub struct Kept {
    pub declarations: String,
    pub statements: String,
    places: usize,
    ranges: usize,
    objects: usize,
    rests: usize,
}

impl Kept {
    /// Keeps where a target is. False if everything may be written.
    pub fn add<'t>(
        &mut self,
        translator: &mut Translator<'t>,
        guard: &str,
        (condition, target): &Conditional<'_, 't>,
        shown: impl Fn(&[Piece]) -> String,
    ) -> Translated<bool> {
        let mut text = |tokens: &[Token<'t>]| translator.expression(tokens).map(|pieces| shown(&pieces));
        let guard = match condition {
            Some(condition) => format!("{guard}if ({}) ", text(condition)?),
            None => guard.to_string(),
        };
        let (pointer, size) = match target {
            Target::Everything => return Ok(false),
            Target::Place(place) => {
                let place = text(place)?;
                self.places += 1;
                let name = format!("{PLACE}{}", self.places);
                self.statements +=
                    &format!("static __typeof__({place}) *{name}; {guard}{name} = &({place});\n");
                return Ok(true);
            }
            Target::Elements { array, first, last } => {
                let (array, first, last) = (text(array)?, text(first)?, text(last)?);
                let count = format!("(({last}) + 1 - ({first}))");
                // Without elements there is no place.
                let size = format!("(({last}) + 1 <= ({first}) ? 0 : {count} * sizeof(({array})[0]))");
                (format!("(({array}) + ({first}))"), size)
            }
            Target::Bytes { pointer, bytes } => (format!("({})", text(pointer)?), text(bytes)?),
            Target::Object { pointer, whole } => {
                let (count, prefix) =
                    if *whole { (&mut self.objects, OBJECT) } else { (&mut self.rests, REST) };
                *count += 1;
                let name = format!("{prefix}{count}");
                self.declarations += &format!("char *{name};\n");
                self.statements += &format!("{guard}{name} = (char *)({});\n", text(pointer)?);
                return Ok(true);
            }
        };
        self.ranges += 1;
        let number = self.ranges;
        self.declarations += &format!("char *{POINTER}{number}; __typeof__(sizeof 0) {SIZE}{number};\n");
        self.statements +=
            &format!("{guard}{{ {POINTER}{number} = (char *){pointer}; {SIZE}{number} = {size}; }}\n");
        Ok(true)
    }

    /// Whether it speaks of whole objects, which only large address spaces keep apart by their addresses.
    pub fn has_objects(&self) -> bool {
        self.objects + self.rests > 0
    }
}
