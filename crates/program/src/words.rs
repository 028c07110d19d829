//! How the C source writes what expressions stand for.
//!
//! Equal expressions are one, so one may stand for several texts; the place of a statement tells them apart.

use crate::expr::{BinaryOp, Expr, ExprId};
use crate::ir::{ProcId, Program, Span};
use craig_base::Map;
use std::sync::Arc;

/// Files with this at the beginning of their name are models of library functions.
pub const LIBRARY: &str = "<library>/";

/// How the names of models begin that are only parts of one of a function, and the name of this function.
pub const LIBRARY_PARTS: [(&str, &str); 2] = [("scan_", "scanf"), ("format_", "printf")];

#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Operations, by their value.
    values: Map<ExprId, Vec<(Span, Arc<str>)>>,
    /// Lvalues, by their address.
    places: Map<ExprId, Vec<(Span, Arc<str>)>>,
}

impl Words {
    pub fn say_value(&mut self, value: ExprId, span: Span, text: Arc<str>) {
        insert(&mut self.values, value, span, text);
    }

    pub fn say_place(&mut self, address: ExprId, span: Span, text: Arc<str>) {
        insert(&mut self.places, address, span, text);
    }

    /// The second expression has the value of the first.
    pub fn say_same_place(&mut self, address: ExprId, same: ExprId) {
        for (span, text) in self.places.get(&address).cloned().unwrap_or_default() {
            insert(&mut self.places, same, span, text);
        }
    }

    /// The same of expressions that have become others; those without another are forgotten.
    pub fn renamed(&self, mut name: impl FnMut(ExprId) -> Option<ExprId>) -> Words {
        let mut renamed = Words::default();
        for (from, to) in [(&self.values, &mut renamed.values), (&self.places, &mut renamed.places)] {
            let mut entries: Vec<_> = from.iter().collect();
            entries.sort_unstable_by_key(|entry| *entry.0);
            for (&expr, said) in entries {
                let Some(expr) = name(expr) else { continue };
                said.iter().for_each(|(span, text)| insert(to, expr, *span, Arc::clone(text)));
            }
        }
        renamed
    }
}

fn insert(map: &mut Map<ExprId, Vec<(Span, Arc<str>)>>, expr: ExprId, span: Span, text: Arc<str>) {
    let said = map.entry(expr).or_default();
    if !said.iter().any(|(place, _)| *place == span) {
        said.push((span, text));
    }
}

/// What is said at the place, or else on its line, or else first.
fn at(said: Option<&Vec<(Span, Arc<str>)>>, span: Span) -> Option<&str> {
    let said = said?;
    let on_line = |place: &Span| (place.file, place.line) == (span.file, span.line);
    let found = said.iter().find(|(place, _)| *place == span);
    let found = found.or_else(|| said.iter().find(|(place, _)| on_line(place))).or(said.first());
    found.map(|(_, text)| &**text)
}

impl Program {
    /// An operation as C writes it, in a statement at this place.
    pub(crate) fn say_value(&self, value: ExprId, span: Span) -> String {
        self.said_value(value, span).map_or_else(|| self.show_expr(value), str::to_string)
    }

    /// The same, if C does.
    pub(crate) fn said_value(&self, value: ExprId, span: Span) -> Option<&str> {
        at(self.words.values.get(&value), span)
    }

    /// What is accessed at the address, as C writes it.
    pub(crate) fn say_place(&self, address: ExprId, span: Span) -> String {
        // A part of a record lies at some distance from it.
        let base = match self.exprs.get(address) {
            Expr::Binary(BinaryOp::Add, base, by) if self.exprs.as_const(by).is_some() => base,
            _ => address,
        };
        let said = [address, base].into_iter().find_map(|address| at(self.words.places.get(&address), span));
        said.map(str::to_string)
            .or_else(|| self.say_object(address))
            .unwrap_or_else(|| format!("`*({})`", self.show_expr(address)))
    }

    /// The object at a constant address, such as one that is being initialised.
    fn say_object(&self, address: ExprId) -> Option<String> {
        let address = u64::try_from(self.exprs.as_const(address)?).ok()?;
        let mut objects = self.objects.iter();
        let object =
            objects.find(|object| (object.address..object.address + object.size).contains(&address))?;
        Some(match address - object.address {
            0 => format!("`{}`", object.name),
            offset => format!("byte {offset} of `{}`", object.name),
        })
    }

    /// The function of the C library that a model stands for: calls of `printf` and `scanf` are made of smaller ones.
    pub fn called_name(&self, model: ProcId) -> &str {
        let proc = &self.procs[model];
        let mut parts = LIBRARY_PARTS.iter().filter(|_| self.is_in_library(proc.span));
        parts.find(|(part, _)| proc.name.starts_with(part)).map_or(&proc.name, |(_, whole)| whole)
    }

    /// Whether the place is in the text of a model.
    pub(crate) fn is_in_library(&self, span: Span) -> bool {
        self.files.get(span.file as usize).is_some_and(|file| file.starts_with(LIBRARY))
    }
}
