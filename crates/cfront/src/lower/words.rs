//! What checks say, in the words of the source.

use craig_program as ir;
use ir::ExprId;

use super::body::Body;
use super::footprint::array_of;
use super::place::Target;
use crate::hir::{self, ExprKind, PlaceId, PlaceKind};
use crate::source::Span;
use crate::types::ArrayLength;

/// Longer texts are cut.
const MAX_CHARS: usize = 60;

impl Body<'_, '_> {
    /// Whether anything but errors is checked, so that words are needed.
    fn needs_words(&self) -> bool {
        use ir::CheckKind::{Error, Rule};
        self.lw.options.checks.iter().any(|kind| !matches!(kind, Error | Rule))
    }

    /// As the source has it, in one line.
    pub fn source_text(&self, expr: hir::ExprId) -> String {
        self.text_at(self.hir().exprs[expr].span)
    }

    pub fn text_at(&self, span: Span) -> String {
        let snippet = self.lw.sources.snippet(span);
        // Line markers may stand between the lines of an expression.
        let lines = snippet.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let text = words.join(" ");
        let text = without_parentheses(&text);
        match text.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text.to_string(),
        }
    }

    /// This value is what the source computes there.
    pub fn say_value(&mut self, value: ExprId, span: Span) {
        if self.needs_words() && span != Span::NONE {
            let text = self.text_at(span);
            self.lw.out.words.say_value(value, self.span, text.into());
        }
    }

    /// The target is what the source names there.
    pub fn say_place(&mut self, place: PlaceId, target: &Target) {
        if let Target::Memory(address) = target
            && self.needs_words()
        {
            let span = self.hir().places[place].span;
            let mut text = format!("`{}`", self.text_at(span));
            let conditions = self.conditions_of(place);
            if !conditions.is_empty() {
                text = format!("{text}: {}", conditions.join(" and "));
            }
            self.lw.out.words.say_place(*address, self.span, text.into());
        }
    }

    /// The address is that of what this pointer points to.
    pub fn say_pointee(&mut self, pointer: hir::ExprId, address: ExprId) {
        if !self.needs_words() {
            return;
        }
        match self.hir().exprs[pointer].kind {
            ExprKind::AddressOf(place) => self.say_place(place, &Target::Memory(address)),
            ExprKind::Cast(hir::CastKind::PointerToPointer, inner) => self.say_pointee(inner, address),
            _ => {
                let text = self.source_text(pointer);
                let pointer = self.pointer_text(pointer);
                // `&a[i]` is `a + i`, but its text is that of `a[i]`.
                let place = if text.ends_with(']') { text } else { format!("*{text}") };
                let text = format!("`{place}`: `{pointer}` must point to an object");
                self.lw.out.words.say_place(address, self.span, text.into());
            }
        }
    }

    /// What a function of the library accesses that is lowered where it is called.
    pub fn say_modelled(&mut self, address: ExprId) {
        if let Some(name) = self.modelled.filter(|_| self.needs_words()) {
            let text = format!("bytes by `{name}`");
            self.lw.out.words.say_place(address, self.span, text.into());
        }
    }

    /// What must hold so that the place is in an object.
    fn conditions_of(&self, place: PlaceId) -> Vec<String> {
        let hir = self.hir();
        let mut conditions = Vec::new();
        let mut at = place;
        loop {
            match &hir.places[at].kind {
                PlaceKind::Field { record, .. } => at = *record,
                PlaceKind::Deref(pointer) => {
                    let Some(array) = array_of(hir, *pointer) else {
                        conditions.push(format!("`{}` must point to an object", self.pointer_text(*pointer)));
                        return conditions;
                    };
                    let length = hir.types.array(hir.places[array].ty.ty).map(|(_, length)| length);
                    if let (
                        Some(ArrayLength::Known(length)),
                        ExprKind::PtrAdd { index, negative: false, .. },
                    ) = (length, &hir.exprs[*pointer].kind)
                    {
                        let index = self.source_text(*index);
                        conditions.push(format!("0 <= {index} < {length} must hold"));
                    }
                    at = array;
                }
                _ => return conditions,
            }
        }
    }

    /// `p + i` for the pointer of `p[i]`.
    fn pointer_text(&self, pointer: hir::ExprId) -> String {
        let hir = self.hir();
        match &hir.exprs[pointer].kind {
            ExprKind::PtrAdd { pointer, index, negative, .. } => {
                let sign = if *negative { '-' } else { '+' };
                format!("{} {sign} {}", self.pointer_text(*pointer), self.source_text(*index))
            }
            _ => self.source_text(pointer),
        }
    }
}

/// Those around all of the text say nothing.
fn without_parentheses(mut text: &str) -> &str {
    loop {
        let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
        let mut depth = 0;
        for c in inner.chars() {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            if depth < 0 {
                return text;
            }
        }
        text = inner.trim();
    }
}
