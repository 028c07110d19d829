//! The native part of the Python module `craig`: a thin layer over `craig_smt::Context` and the functions of `craig`.
//!
//! | file | what |
//! |---|---|
//! | `call` | long calls: without the interpreter's lock, and stopped by Ctrl-C |
//! | `solver` | `Solver`, `Assertion`, `Function` |
//! | `term` | `Term` and its operators |
//! | `value` | numbers, arrays and models as Python knows them |
//! | `report` | `check`, `validate`, `solve`: keyword arguments in, JSON out |
//!
//! What is convenient rather than necessary is written in Python, in `craig/__init__.py`.

mod call;
mod report;
mod solver;
mod term;
mod value;

use pyo3::prelude::*;

mod errors {
    use pyo3::create_exception;
    use pyo3::exceptions::{PyException, PyValueError};

    create_exception!(craig, Error, PyException, "What Craig complains about.");
    create_exception!(craig, InputError, PyValueError, "An input is wrong: a text, a file, an option.");
    create_exception!(craig, UnknownError, Error, "There is no answer, not even None; the text says why.");
    create_exception!(craig, InternalError, Error, "A defect of Craig.");
}

/// The native part of the module `craig`.
#[pymodule(name = "_craig")]
mod module {
    #[pymodule_export]
    use crate::errors::{Error, InputError, InternalError, UnknownError};
    #[pymodule_export]
    use crate::report::{check, solve, validate};
    #[pymodule_export]
    use crate::solver::{Assertion, Function, Solver};
    #[pymodule_export]
    use crate::term::Term;
    #[pymodule_export]
    use crate::value::Model;
}
