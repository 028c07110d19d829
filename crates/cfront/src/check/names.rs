//! Names with a meaning of their own, interned ahead because the checker only reads the table of names.

use crate::lex::{Names, Symbol};

pub(super) struct Known {
    pub func: Symbol,
    pub function: Symbol,
    pub pretty_function: Symbol,
}

impl Known {
    pub(super) fn new(names: &mut Names) -> Known {
        for library in super::library::names() {
            names.intern(&library);
        }
        Known {
            func: names.intern("__func__"),
            function: names.intern("__FUNCTION__"),
            pretty_function: names.intern("__PRETTY_FUNCTION__"),
        }
    }
}
