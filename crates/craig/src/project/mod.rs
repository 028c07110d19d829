//! Whole projects: the translation units of a compilation database, the functions in them that are worth a question,
//! and the units that each question needs.
//!
//! The rule for the latter is simple. A function is checked with the unit that defines it. Where that function, or
//! what it reaches by mentioning names, needs a name that no linked unit defines, a unit that defines it is linked as
//! well: of several, the one whose path has most folders in common with the first unit, and then the first in
//! the database. Never linked are units with a `main`, with a function of the same name as the one under
//! test, and with a definition that a linked unit has already. What then has no definition is a function or
//! an object of the outside.

pub mod database;
pub mod flags;
mod overview;
pub mod pattern;
pub mod result;

use crate::error::Error;
use crate::report::Location;
use craig_base::{Map, OrderedSet};
use craig_cfront::definitions::{Definition, definitions};
use craig_cfront::{Text, preprocess};
use database::Compiled;
use std::path::Path;

/// A translation unit, preprocessed.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file, as seen from the current folder.
    pub file: String,
    /// Preprocessed.
    pub text: Vec<u8>,
    definitions: Vec<Definition>,
    /// The numbers of the definitions of a name.
    named: Map<String, Vec<usize>>,
}

impl Unit {
    fn new(file: String, text: Vec<u8>) -> Unit {
        let definitions = definitions(&file, &text);
        let mut named: Map<String, Vec<usize>> = Map::default();
        for (number, definition) in definitions.iter().enumerate() {
            named.entry(definition.name.clone()).or_default().push(number);
        }
        Unit { file, text, definitions, named }
    }

    fn definitions_of(&self, name: &str) -> impl Iterator<Item = &Definition> {
        self.named.get(name).into_iter().flatten().map(|&number| &self.definitions[number])
    }

    /// Preprocesses a file. `include` and `define` are added to what the database says.
    pub fn read(compiled: &Compiled, reading: &preprocess::Options) -> Result<Unit, Error> {
        let mut reading = reading.clone();
        reading.flags.extend(compiled.flags.iter().cloned());
        let texts: Vec<Text> = crate::task::preprocessed(&compiled.file, &reading)?;
        let text = texts.into_iter().flat_map(|(_, text)| text).collect::<Vec<u8>>();
        let file = compiled.file.display().to_string();
        Ok(Unit::new(file, text))
    }
}

/// Which functions are asked about.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Every function, with arbitrary arguments.
    pub all: bool,
    /// Patterns for functions. Without any, those with a contract and those called `*_harness`.
    pub entries: Vec<String>,
    /// Patterns for functions and files, of which one must fit, if there are any.
    pub filters: Vec<String>,
}

impl Selection {
    fn has(&self, definition: &Definition) -> bool {
        let Definition { name, place, .. } = definition;
        let asked = match self.entries.is_empty() {
            true => self.all || definition.has_contract || pattern::matches("*_harness", name),
            false => self.entries.iter().any(|entry| pattern::matches(entry, name)),
        };
        let fits = |filter: &String| {
            pattern::matches(filter, name)
                || pattern::matches(filter, &place.file)
                || Path::new(&place.file).ends_with(filter)
        };
        let filtered = self.filters.is_empty() || self.filters.iter().any(fits);
        definition.is_function && !definition.is_system && asked && filtered
    }
}

/// A function to be checked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The function.
    pub function: String,
    /// Where it is defined.
    pub place: Location,
    /// The numbers of the units that it needs, its own first.
    pub units: Vec<usize>,
}

/// The questions that the selection asks, in the order of the units. A function of a header is asked about once.
pub fn questions(units: &[Unit], selection: &Selection) -> Vec<Question> {
    let mut external: Map<&str, Vec<usize>> = Map::default();
    for (number, unit) in units.iter().enumerate() {
        for definition in unit.definitions.iter().filter(|definition| definition.is_external) {
            external.entry(&definition.name).or_default().push(number);
        }
    }
    let mut seen = OrderedSet::default();
    let mut questions = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        for definition in unit.definitions.iter().filter(|definition| selection.has(definition)) {
            let place = &definition.place;
            if seen.insert((place.file.clone(), place.line, definition.name.clone())) {
                questions.push(Question {
                    function: definition.name.clone(),
                    place: Location {
                        file: place.file.clone(),
                        line: place.line,
                        column: Some(place.column),
                        function: Some(definition.name.clone()),
                    },
                    units: needed(units, &external, number, &definition.name),
                });
            }
        }
    }
    questions
}

/// The units that a function of unit `own` needs.
fn needed(units: &[Unit], external: &Map<&str, Vec<usize>>, own: usize, function: &str) -> Vec<usize> {
    let mut linked = vec![own];
    let mut reached: OrderedSet<(usize, &str)> = OrderedSet::default();
    let mut waiting = vec![(own, function)];
    while let Some((unit, name)) = waiting.pop() {
        let defined = |number: usize, from_inside: bool| {
            units[number].definitions_of(name).any(|d| from_inside || d.is_external)
        };
        let home = match defined(unit, true) {
            true => Some(unit),
            false => linked.iter().copied().find(|&number| defined(number, false)).or_else(|| {
                let candidates = external.get(name)?.iter().copied();
                let mut candidates: Vec<usize> = candidates
                    .filter(|&candidate| may_be_linked(units, &linked, candidate, function))
                    .collect();
                candidates.sort_by_key(|&candidate| {
                    (usize::MAX - common_folders(units, own, candidate), candidate)
                });
                let chosen = candidates.first().copied()?;
                linked.push(chosen);
                Some(chosen)
            }),
        };
        let Some(home) = home else { continue };
        if reached.insert((home, name)) {
            let mentions = units[home].definitions_of(name).flat_map(|definition| &definition.mentions);
            waiting.extend(mentions.map(|mentioned| (home, mentioned.as_str())));
        }
    }
    linked
}

fn may_be_linked(units: &[Unit], linked: &[usize], candidate: usize, function: &str) -> bool {
    let clashes = |definition: &Definition| {
        let is_there = |&number: &usize| units[number].definitions_of(&definition.name).any(|d| d.is_strong);
        definition.is_function && (definition.name == "main" || definition.name == function)
            || definition.is_strong && linked.iter().any(is_there)
    };
    !units[candidate].definitions.iter().any(clashes)
}

fn common_folders(units: &[Unit], a: usize, b: usize) -> usize {
    let (a, b) = (Path::new(&units[a].file), Path::new(&units[b].file));
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(texts: &[(&str, &str)]) -> Vec<Unit> {
        let unit = |&(file, text): &(&str, &str)| Unit::new(file.to_string(), text.as_bytes().to_vec());
        texts.iter().map(unit).collect()
    }

    #[test]
    fn units_are_linked_as_they_are_needed() {
        let units = units(&[
            ("a/a.c", "int g(void); int f(void) { return g(); } int alone(void) { return 0; }"),
            ("b/g.c", "int g(void) { return 1; }"),
            ("a/g.c", "int h(void); static int s(void) { return h(); } int g(void) { return s(); }"),
            ("a/main.c", "int h(void) { return 2; } int main(void) { return h(); }"),
            ("a/h.c", "int table; int h(void) { return table; } int unused(void) { return other(); }"),
            ("a/o.c", "int other(void) { return 1; }"),
        ]);
        let selection = Selection { all: true, ..Selection::default() };
        let all = questions(&units, &selection);
        let of = |function: &str| {
            all.iter().find(|question| question.function == function).map(|question| question.units.clone())
        };
        assert_eq!(of("f"), Some(vec![0, 2, 4]));
        assert_eq!(of("alone"), Some(vec![0]));
        assert_eq!(of("main"), Some(vec![3]));
        assert_eq!(of("unused"), Some(vec![4, 5]));
        let filtered = |filters: &[&str], entries: &[&str]| {
            let filters = filters.iter().map(|filter| filter.to_string()).collect();
            let entries = entries.iter().map(|entry| entry.to_string()).collect();
            let asked = questions(&units, &Selection { all: true, entries, filters });
            asked.into_iter().map(|question| question.function).collect::<Vec<_>>()
        };
        assert_eq!(filtered(&["a.c"], &[]), ["f", "alone"]);
        assert_eq!(filtered(&["a/*"], &["?"]), ["f", "s", "g", "h", "h"]);
    }
}
