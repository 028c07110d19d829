//! Errors and warnings as values, rendered as a good compiler renders them.

use std::fmt::Write;

use crate::source::{Sources, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    /// What would be accepted, or where the other party of a conflict stands.
    pub help: Option<String>,
    /// The construct is valid C, but Craig does not model it: named here so that it can be reported as a
    /// limitation and not as the user's mistake.
    pub unsupported: bool,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            span,
            message: message.into(),
            help: None,
            unsupported: false,
        }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { unsupported: true, ..Diagnostic::error(span, message) }
    }

    pub fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }

    /// `file:line:col: error: message`, the source line and a marker below the span.
    pub fn render(&self, sources: &Sources) -> String {
        let severity = match (self.severity, self.unsupported) {
            (Severity::Error, false) => "error",
            (Severity::Error, true) => "not supported",
            (Severity::Warning, _) => "warning",
        };
        let mut out = String::new();
        if self.span == Span::NONE {
            let _ = write!(out, "{severity}: {}", self.message);
        } else {
            let location = sources.locate(self.span);
            let _ = write!(out, "{location}: {severity}: {}", self.message);
            if let Some((line, marked)) = sources.line(self.span) {
                let number = location.line.to_string();
                let gutter = " ".repeat(number.len());
                let (shown, lead, width) = clip(&line, marked);
                let _ = write!(out, "\n {number} | {shown}\n {gutter} | {lead}{}", "^".repeat(width.max(1)));
            }
        }
        if let Some(help) = &self.help {
            let _ = write!(out, "\n  help: {help}");
        }
        out
    }
}

/// Lines longer than this are cut around the span.
const MAX_SHOWN: usize = 160;

/// The part of the line to show, blanks up to the marker (tabs kept), and the marker's width.
fn clip(line: &str, marked: std::ops::Range<usize>) -> (String, String, usize) {
    // `marked` counts bytes of the original line, which may differ when it was not UTF-8; clamp to be safe.
    let prefix = line.get(..marked.start).map_or(0, |p| p.chars().count());
    let width = line.get(marked.start..marked.end).map_or(1, |m| m.chars().count());
    let from = if prefix > MAX_SHOWN * 3 / 4 { prefix - MAX_SHOWN / 2 } else { 0 };
    let shown: String = line.chars().skip(from).take(MAX_SHOWN).collect();
    let before = prefix - from;
    let lead = shown.chars().take(before).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    (shown.clone(), lead, width.min(shown.chars().count().saturating_sub(before)))
}

/// Collects diagnostics up to a cap; counts all of them.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
    /// Errors other than that something is not modelled.
    mistakes: usize,
    warnings: usize,
}

/// How many errors there were, and how many mistakes among them.
#[derive(Clone, Copy)]
pub struct Mark(usize, usize);

impl Diagnostics {
    const MAX_ERRORS: usize = 20;
    const MAX_WARNINGS: usize = 200;

    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    pub fn add(&mut self, diagnostic: Diagnostic) {
        let (count, cap) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, Self::MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, Self::MAX_WARNINGS),
        };
        *count += 1;
        let is_kept = *count <= cap;
        self.mistakes += usize::from(diagnostic.severity == Severity::Error && !diagnostic.unsupported);
        if is_kept {
            self.items.push(diagnostic);
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.errors, self.mistakes)
    }

    /// Takes the errors since then away, if all of them are that something is not modelled.
    pub fn take_unsupported(&mut self, since: Mark) -> Vec<Diagnostic> {
        let Mark(errors, mistakes) = since;
        if self.mistakes != mistakes {
            return Vec::new();
        }
        self.errors = errors;
        let mut number = 0;
        let is_new = |diagnostic: &mut Diagnostic| {
            number += usize::from(diagnostic.severity == Severity::Error);
            diagnostic.severity == Severity::Error && number > errors
        };
        self.items.extract_if(.., is_new).collect()
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// True once further errors are only counted: time to stop.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::MAX_ERRORS
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.items.iter()
    }

    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.items.iter().filter(|d| d.severity == Severity::Error)
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.items.iter().filter(|d| d.severity == Severity::Warning)
    }

    pub fn render(&self, sources: &Sources) -> String {
        self.items.iter().map(|d| d.render(sources)).collect::<Vec<_>>().join("\n")
    }
}
