//! The run of a test as a person wants to read it: what the program got, which way it went, what it computed, in
//! the words of the source.
//!
//! | file | what |
//! |---|---|
//! | `objects` | what lies at an address, and values as C writes them |
//! | `outside` | what functions without a body do to memory |
//! | `places` | the expressions of a statement, seen in a state: `node->left`, `buf[3]` |
//! | `record` | the events of a run, its middle left out if it is long |
//! | `relevance` | which events the failure depends on |
//! | `view` | what is shown of it: inputs, the last steps, rounds of loops folded |
//!
//! Temporaries of the translation are left out, except where they hold what a call returned.

mod objects;
mod outside;
mod places;
mod record;
mod relevance;
pub(crate) mod view;

use super::Location;
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, ListOracle, Source, Test};
use craig_program::Program;
use record::{Count, Recorder};
use std::fmt;

/// A step of a run, as a reader wants to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it is.
    pub location: Location,
    /// How many calls are active.
    pub depth: usize,
    /// What happens there.
    pub event: Event,
    /// Whether the failure depends on the value, as far as that is known.
    pub matters: bool,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The surroundings give a value.
    Input {
        /// What receives it; nothing if the program has no name for it.
        target: Option<Target>,
        /// As C writes it.
        value: String,
        /// Where it comes from.
        origin: Origin,
    },
    /// Something gets a new value.
    Set {
        /// What.
        target: Target,
        /// As C writes it.
        value: String,
    },
    /// A function is called, with these parameters and their values.
    Call {
        /// Its name.
        function: String,
        /// Names and values.
        arguments: Vec<(String, String)>,
    },
    /// A call is over.
    Return {
        /// Its name.
        function: String,
        /// What it returned.
        value: String,
    },
    /// A condition holds, and decides the way.
    Branch(String),
    /// An object begins to exist.
    Allocate {
        /// What holds its address; nothing if the program has no name for it.
        target: Option<Target>,
        /// How the object is called from here on.
        object: String,
        /// In bytes.
        size: u64,
    },
    /// An allocation by this function fails.
    NoMemory(String),
    /// An object is freed.
    Free(String),
    /// So many statements are not recorded.
    Omitted(u64),
    /// A check fails, with its words.
    Failure(String),
}

/// What a value is stored in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As the program says it there, such as `node->left`.
    pub text: String,
    /// The object and what of it, such as `buf[3]`, where that is something else.
    pub object: Option<String>,
    /// Whether that is a name which the program gives, not one for an allocated object.
    pub is_named: bool,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A function without a body.
    Function(String),
    /// The variable was never written.
    Uninitialised,
    /// An argument of the entry function.
    Argument,
    /// The effect of something that is not modelled.
    Unmodelled(String),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Input { target: Some(target), value, origin } => match origin {
                Origin::Function(name) => write!(f, "{target} = {value}, from {name}()"),
                Origin::Uninitialised => write!(f, "{target} = {value}, uninitialised"),
                Origin::Argument => write!(f, "{target} = {value}, an argument"),
                Origin::Unmodelled(what) => write!(f, "{target} = {value}, from {what}"),
            },
            Event::Input { target: None, value, origin } => match origin {
                Origin::Function(name) => write!(f, "{name}() returns {value}"),
                Origin::Unmodelled(what) => write!(f, "{what} yields {value}"),
                Origin::Uninitialised | Origin::Argument => write!(f, "{value}"),
            },
            Event::Set { target, value } => {
                write!(f, "{target} = {value}")?;
                match &target.object {
                    Some(object) if target.is_named => write!(f, ", that is {object}"),
                    _ => Ok(()),
                }
            }
            Event::Call { function, arguments } => {
                write!(f, "call of {function}(")?;
                for (i, (name, value)) in arguments.iter().enumerate() {
                    write!(f, "{}{name} = {value}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            Event::Return { function, value } => write!(f, "{function} returns {value}"),
            Event::Branch(condition) => write!(f, "{condition} holds"),
            Event::Allocate { target, object, size } => {
                if let Some(target) = target {
                    write!(f, "{target} = &{object}, ")?;
                }
                write!(f, "a new object `{object}` of {size} byte{}", if *size == 1 { "" } else { "s" })
            }
            Event::NoMemory(function) => write!(f, "{function} fails"),
            Event::Free(what) => write!(f, "free of {what}"),
            Event::Omitted(statements) => write!(f, "... {statements} statements are not recorded ..."),
            Event::Failure(words) => f.write_str(words),
        }
    }
}

/// How many statements of the beginning and of the end are recorded.
const BEGINNING: u64 = 3000;
const END: u64 = 6000;

/// The steps of the run of a test, the last of which is the failure, if there is one.
pub fn steps(program: &Program, test: &Test, limits: &Limits) -> Vec<Step> {
    let values = test.values();
    let executable = Executable::new(program, Detail::Edges);
    // Most of a long run is never shown, and putting it into words would take longer than the run: so it is
    // counted first.
    let mut count = Count::default();
    executable.observe(&mut ListOracle::new(&values), limits, &mut count);
    let mut recorder = Recorder::new(program, BEGINNING, count.edges.saturating_sub(END));
    let found = recorder.found.clone();
    let mut list = ListOracle::new(&values);
    let mut oracle = |at: &InputSite| {
        let value = list.next(at)?;
        if let Source::Memory { .. } = at.source {
            found.borrow_mut().push((*at, value));
        }
        Some(value)
    };
    executable.observe(&mut oracle, limits, &mut recorder);
    recorder.steps()
}
