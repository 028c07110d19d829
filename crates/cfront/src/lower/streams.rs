//! Streams in formatted input and output. What was found out about a stream is part of the state of a program only if
//! it can ask: then `fprintf` to one may fail, and `scanf` find its end, even where their results are not looked at.

use craig_program as ir;
use ir::{ExprId, Type};

use super::body::Body;
use super::visit::{Node, walk};
use crate::hir::{self, Callee, ExprKind, PlaceKind, Program};
use crate::library;

/// What tells, or depends on, the state of a stream.
const ASKS: &[&str] = &[
    "feof",
    "ferror",
    "feof_unlocked",
    "ferror_unlocked",
    "ftell",
    "ftello",
    "fmemopen",
    "__fpending",
    "__freading",
    "__fwriting",
];

/// The streams that are open from the start.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Whether the program calls such a function, or has its address.
pub(super) fn are_followed(program: &Program) -> bool {
    if library::definition(program, "feof").is_none() {
        return false;
    }
    let asks = |id| {
        let name: &str = &program.functions[id].name;
        library::is_library(name) && ASKS.contains(&library::public_name(name))
    };
    let mut found = false;
    for function in program.functions.iter().filter(|function| !library::is_library(&function.name)) {
        let Some(body) = function.body.as_ref().filter(|_| !found) else { continue };
        walk(program, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::FunctionAddress(id) | ExprKind::Call { callee: Callee::Function(id), .. } =
                    program.exprs[expr].kind
            {
                found |= asks(id);
            }
            !found
        });
    }
    found
        || program.globals.iter().filter_map(|global| global.init.as_ref()).any(|init| {
            let addresses = init.items.iter().filter_map(|item| match item.value {
                crate::hir::InitValue::Expr(value) => Some(value),
                _ => None,
            });
            addresses
                .into_iter()
                .any(|value| matches!(program.exprs[value].kind, ExprKind::FunctionAddress(id) if asks(id)))
        })
}

impl Body<'_, '_> {
    /// `length` characters are sent to where a function of the printf family writes, or not: what it returns.
    pub fn sent(&mut self, name: &str, arguments: &[ExprId], length: ExprId) -> ExprId {
        match (name, arguments.first()) {
            ("fprintf" | "vfprintf", Some(&stream)) if self.lw.follows_streams => {
                self.helper("format_stream", &[stream, length])
            }
            ("printf" | "vprintf", _) => self.helper("format_shown", &[length]),
            _ => self.helper("format_sent", &[length]),
        }
    }

    /// The same of output whose result is not used.
    pub fn sent_unseen(&mut self, name: &str, args: &[hir::ExprId], arguments: &[ExprId]) -> ExprId {
        if let ("fprintf" | "vfprintf", Some(&stream)) = (name, args.first()) {
            if self.lw.follows_streams {
                let any = self.helper("format_chars", &[]);
                self.sent(name, arguments, any);
            } else if !self.is_standard(stream) {
                self.helper("format_to", &arguments[..1]);
            }
        }
        self.lw.zero(Type::I32)
    }

    /// Whether an argument is a standard stream, which is always there.
    pub fn is_standard(&self, stream: hir::ExprId) -> bool {
        let hir = self.hir();
        let ExprKind::Load(place) = hir.exprs[stream].kind else { return false };
        let PlaceKind::Global(global) = hir.places[place].kind else { return false };
        STANDARD.contains(&hir.globals[global].name.as_str())
    }

    /// A function of the scanf family takes what it wants from its stream.
    pub fn taken(&mut self, name: &str, arguments: &[ExprId]) {
        if self.lw.follows_streams {
            match (name, arguments.first()) {
                ("scanf", _) => drop(self.helper("scan_input", &[])),
                ("fscanf", Some(&stream)) => drop(self.helper("scan_stream", &[stream])),
                _ => {}
            }
        }
    }
}
