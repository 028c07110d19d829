//! What an answer takes for granted, and what a user can do about it.

use craig_program::{CheckKind, Note, NoteKind};
use std::fmt::Write as _;

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
        // What a parameter points to in place of a function has a name of our own.
        let text = note.text.replace("'craig_callback_", "what is called by '");
        Assumption { text, remedy: remedy(note) }
    }
}

/// Below an answer; nothing if nothing is assumed.
pub(crate) fn in_words(assumptions: &[Assumption]) -> String {
    let mut text = String::new();
    for (number, Assumption { text: what, remedy }) in assumptions.iter().enumerate() {
        let first = if number == 0 { "assuming that\n" } else { "" };
        let _ = match remedy {
            Some(remedy) => writeln!(text, "{first}  {what}\n    (to lift this: {remedy})"),
            None => writeln!(text, "{first}  {what}"),
        };
    }
    text
}

fn remedy(note: &Note) -> Option<String> {
    match note.kind {
        NoteKind::Unchecked(CheckKind::Overflow) if note.text.contains("overflows") => {
            Some("check it with `--check overflow`, or give it a meaning with `--wrap`".to_string())
        }
        NoteKind::Unchecked(kind) => Some(format!("check it with `--check {}`", kind.name())),
        _ => {
            let remedy = REMEDIES.into_iter().find(|(part, _)| note.text.contains(part));
            remedy.map(|(_, remedy)| remedy.to_string())
        }
    }
}

/// What to do about assumptions whose words have this part.
const REMEDIES: [(&str, &str); 27] = [
    ("a pragma turns the check off", "remove the pragma"),
    ("any text stands for", "compare numbers instead of texts, or add a model of it with `--model FILE`"),
    ("any values stand for", "take the text apart by other functions, or add a model with `--model FILE`"),
    ("has no body", "add the file that defines it, or a model of it with `--model FILE`"),
    ("standard output never fails", "leave out `--output-never-fails`"),
    ("never fails", "leave out `--malloc-never-fails`, or the property, which implies it"),
    ("argument of the entry function", "write a `main` that builds the arguments you mean, and start there"),
    ("a pointer from", "add a model of the function that returns what you mean with `--model FILE`"),
    ("operands are evaluated", "write the operands into variables, one after the other"),
    ("operands do not change", "write the operands into variables, one after the other"),
    ("their addresses", "do not compare addresses of different objects, or use them as numbers"),
    ("does not call the functions", "add a model of it that calls them with `--model FILE`"),
    ("does not write to", "add a model of it that writes there with `--model FILE`"),
    ("through a pointer reaches", "add the files that store the functions which may be called"),
    ("as they are at the start of the program", "say what globals may hold with `--requires`"),
    ("steps away from an argument", "say where they point to with `--requires 'valid(a->b->c)'`"),
    ("does not say what is in there", "include what defines the type"),
    ("does not declare", "declare the global there"),
    ("arguments share objects only", "write a `main` that passes the pointers you mean, and start there"),
    ("volatile objects", "read them by a function without a body, which returns any value"),
    ("has no '%n'", "make the format a constant"),
    ("assembler code", "put C in its place, such as by `-D` and a model with `--model FILE`"),
    ("returns any value that C allows", "add a model that returns what you mean with `--model FILE`"),
    ("does not wrap around", "test the size before the copy"),
    ("padding keeps its value", "compare members instead of bytes"),
    ("every `_Bool`", "test the byte before it is read as a `_Bool`"),
    ("to no bytes frees it", "do not call `realloc` with a size of zero"),
];
