//! Sorts and values of scripts.

use super::Script;
use super::arrays::ArrayId;
use crate::Bit;
use craig_term::smtlib::{Result, Sexpr};
use std::fmt;
use std::rc::Rc;

/// The widest word.
const MOST_BITS: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Bool,
    Word(usize),
    /// From words to words.
    Array(usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Bool(Bit),
    /// The lowest bit first.
    Word(Rc<[Bit]>),
    Array(ArrayId),
}

impl Sort {
    /// Of a value that is no array.
    pub fn width(self) -> usize {
        match self {
            Sort::Word(width) => width,
            _ => 1,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Word(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(index, element) => write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))"),
        }
    }
}

impl Script {
    pub(super) fn sort(&self, sexpr: Sexpr<'_>) -> Result<Sort> {
        let parts: Vec<Sexpr<'_>> = sexpr.children().collect();
        let texts: Vec<&str> = parts.iter().map(|part| part.text()).collect();
        match texts[..] {
            [] if sexpr.text() == "Bool" => Ok(Sort::Bool),
            [] => match self.names.get(sexpr.text()) {
                Some(super::Meaning::Sort(sort)) => Ok(*sort),
                _ => Err(sexpr.error(format!("the sort `{}` is not known", sexpr.text()))),
            },
            ["_", "BitVec", width] => match width.parse() {
                Ok(width @ 1..=MOST_BITS) => Ok(Sort::Word(width)),
                _ => Err(sexpr.error("a word has at least one bit, and not too many")),
            },
            ["Array", _, _] => match (self.sort(parts[1])?, self.sort(parts[2])?) {
                (Sort::Word(index), Sort::Word(element)) => Ok(Sort::Array(index, element)),
                _ => Err(sexpr.error("arrays are from words to words here")),
            },
            _ => Err(sexpr.error("this sort is not known")),
        }
    }
}
