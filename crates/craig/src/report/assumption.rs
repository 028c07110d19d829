//! What an answer takes for granted, and what a user can do about it.

use craig_program::{CheckKind, Note, NoteKind};

/// Something that an answer takes for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// In words.
    pub text: String,
    /// How to do without it, if there is a way.
    pub remedy: Option<String>,
}

impl Assumption {
    pub(crate) fn new(note: &Note) -> Self {
        Assumption { text: note.text.clone(), remedy: remedy(note) }
    }
}

fn remedy(note: &Note) -> Option<String> {
    let says = |part: &str| note.text.contains(part);
    Some(match note.kind {
        NoteKind::Unchecked(CheckKind::Overflow) => {
            "check it with `--check overflow`, or give it a meaning with `--wrap`".to_string()
        }
        NoteKind::Unchecked(kind) => format!("check it with `--check {}`", kind.name()),
        NoteKind::Assumption if says("has no body") => {
            "add the file that defines it, or a model of it with `--model FILE`".to_string()
        }
        NoteKind::Assumption if says("never fails") => {
            "leave out `--malloc-never-fails`, or the property, which implies it".to_string()
        }
        NoteKind::Assumption if says("argument of the entry function") => {
            "write a `main` that builds the arguments you mean, and start there".to_string()
        }
        NoteKind::Assumption if says("a pointer from") => {
            "add a model of the function that returns what you mean with `--model FILE`".to_string()
        }
        NoteKind::Assumption if says("operands are evaluated") => {
            "write the operands into variables, one after the other".to_string()
        }
        NoteKind::Assumption if says("their addresses") => {
            "do not compare addresses of different objects, or use them as numbers".to_string()
        }
        _ => return None,
    })
}
